//! Writes and builds a copy of the workspace with a switch for each mutant.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::list::Mutant;
use crate::switches::Switched;

/// The reasons why mutants cannot be switched, by their id.
pub(crate) type Unfit = BTreeMap<u32, String>;

/// The copy of the workspace.
#[derive(Debug)]
pub(crate) struct Tree<'m> {
    root: PathBuf,
    folder: PathBuf,
    build: PathBuf,
    mutants: &'m [Mutant],
    files: BTreeMap<String, Switched>,
}

/// A test binary.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    /// The name, as `PACKAGE TARGET`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder in which its tests run.
    pub(crate) folder: PathBuf,
    /// The folder of rustc's libraries: the tests of a procedural macro load one of them.
    libraries: String,
}

impl Binary {
    /// Returns a command that runs a program in the folder and environment of the tests.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("LD_LIBRARY_PATH", &self.libraries);
        command
    }
}

/// An error of the compiler: its file, range and message.
type Objection = (String, Range<usize>, String);

impl<'m> Tree<'m> {
    pub(crate) fn new(root: &Path, work: &Path, mutants: &'m [Mutant]) -> Self {
        let [folder, build] = ["tree", "build"].map(|name| work.join(name));
        Tree { root: root.to_owned(), folder, build, mutants, files: BTreeMap::new() }
    }

    /// Writes the copy and builds the tests of these packages. Mutants that do not compile are
    /// removed until the rest compiles, and are added to `unfit`.
    pub(crate) fn build(
        &mut self,
        packages: &[String],
        files: &[String],
        unfit: &mut Unfit,
    ) -> Result<Vec<Binary>, String> {
        self.settle(&["check", "--keep-going", "--workspace", "--lib"], unfit)?;
        let mut command = vec!["test", "--no-run", "--lib"];
        command.extend(if files.is_empty() { &["--bins", "--tests"][..] } else { &[] });
        command.extend(files.iter().flat_map(|file| ["--test", file.as_str()]));
        command.extend(packages.iter().flat_map(|package| ["-p", package.as_str()]));
        let messages = self.settle(&command, unfit)?;
        let output = Command::new("rustc").args(["--print", "target-libdir"]).output();
        let output = output.map_err(|error| format!("rustc: {error}"))?;
        let libraries = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let binary = |message: &Value| {
            let path = PathBuf::from(message["executable"].as_str()?);
            let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
            let (target, package) =
                (message["target"]["name"].as_str()?, folder.file_name()?.to_str()?);
            let name = format!("{package} {target}");
            let libraries = libraries.clone();
            (message["profile"]["test"] == true).then_some(Binary { name, path, folder, libraries })
        };
        Ok(messages.iter().filter_map(binary).collect())
    }

    /// Runs cargo until no mutant causes an error. Returns its messages.
    fn settle(&mut self, command: &[&str], unfit: &mut Unfit) -> Result<Vec<Value>, String> {
        loop {
            self.write(unfit)?;
            let (success, messages) = self.cargo(command)?;
            if success {
                return Ok(messages);
            }
            let objections: Vec<Objection> =
                messages.iter().filter_map(|message| self.objection(message)).collect();
            let before = unfit.len();
            for (file, bytes, message) in &objections {
                let blamed =
                    self.files.get(file).map(|file| file.blamed(bytes)).unwrap_or_default();
                for mutant in blamed {
                    unfit.entry(mutant).or_insert_with(|| message.clone());
                }
            }
            println!("{} mutants do not compile as a branch of a switch", unfit.len());
            if unfit.len() == before {
                return Err(format!("the copy does not compile: {objections:#?}"));
            }
        }
    }

    /// Updates the files of the copy.
    fn write(&mut self, unfit: &mut Unfit) -> Result<(), String> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output =
            git.current_dir(&self.root).output().map_err(|error| format!("git: {error}"))?;
        let names = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        for name in names.split_terminator('\0') {
            // A file may be in the index although it was deleted.
            let Ok(mut bytes) = fs::read(self.root.join(name)) else { continue };
            let fits = |mutant: &&Mutant| mutant.file == name && !unfit.contains_key(&mutant.id);
            let mutants: Vec<&Mutant> = self.mutants.iter().filter(fits).collect();
            if !mutants.is_empty() {
                let source =
                    String::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
                let (switched, unplaced) =
                    Switched::new(&source, &mutants).map_err(|error| format!("{name}: {error}"))?;
                unfit.extend(
                    unplaced.into_iter().map(|id| (id, "it has no place for a switch".to_owned())),
                );
                bytes = switched.text.clone().into_bytes();
                self.files.insert(name.to_owned(), switched);
            } else if name.ends_with("Cargo.toml") {
                bytes = self.with_switch(&String::from_utf8_lossy(&bytes)).into_bytes();
            }
            let path = self.folder.join(name);
            // An unchanged file keeps its modification time, so that cargo does not build it again.
            if fs::read(&path).is_ok_and(|before| before == bytes) {
                continue;
            }
            let folder = path.parent().unwrap_or(&path);
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Returns the manifest with a dependency on the switch crate.
    fn with_switch(&self, manifest: &str) -> String {
        let switch = self.root.join("tests/mutants/switch");
        let line = format!(
            "[dependencies]\nisa-mutant-switch.path = {:?}\n",
            switch.display().to_string()
        );
        manifest.replacen("[dependencies]\n", &line, 1)
    }

    fn cargo(&self, command: &[&str]) -> Result<(bool, Vec<Value>), String> {
        let mut cargo = Command::new("cargo");
        cargo.args(command).arg("--message-format=json");
        cargo.current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.build);
        // The switch uses an unstable feature to detect constant evaluation. Lints are capped
        // because a mutant may violate them.
        cargo.env("RUSTC_BOOTSTRAP", "isa_mutant_switch").env("RUSTFLAGS", "--cap-lints=allow");
        let output = cargo.stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("cargo: {error}"))?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let messages = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok((output.status.success(), messages))
    }

    fn objection(&self, message: &Value) -> Option<Objection> {
        let message = &message["message"];
        if message["level"] != "error" {
            return None;
        }
        let primary =
            message["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)?;
        // If a macro produced the code, use the location of the call.
        let mut span = primary;
        while let Some(call) = span["expansion"].get("span") {
            span = call;
        }
        let number = |key: &str| span[key].as_u64().and_then(|byte| usize::try_from(byte).ok());
        let bytes = number("byte_start")?..number("byte_end")?;
        let file = resolved(Path::new(span["file_name"].as_str()?));
        Some((file, bytes, message["message"].as_str()?.to_owned()))
    }
}

/// Resolves `..` in a path.
fn resolved(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            part => parts.extend(part.as_os_str().to_str()),
        }
    }
    parts.join("/")
}
