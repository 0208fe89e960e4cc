//! The crate that the server opens: its files, positions in them, and edits of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::uri;

/// The cursor in a position such as `Limit::~SAT`.
const CURSOR: char = '~';

/// A module with a specification and code that uses it.
pub(crate) struct Module {
    /// The name of its set.
    pub(crate) set: &'static str,
    pub(crate) file: PathBuf,
    pub(crate) text: String,
}

impl Module {
    /// Writes the module to the crate at `root`. Sets in one crate must have different names.
    pub(crate) fn write(root: &Path, set: &'static str, faulty: &str) -> Module {
        let whole = include_str!("specs/whole.rs").replace("//~ FAULTY\n", faulty);
        let text = whole.replace("Calc", set);
        let file = root.join("src").join(format!("{}.rs", set.to_lowercase()));
        fs::write(&file, &text).expect("the directory is writable");
        Module { set, file, text }
    }

    /// Returns the parameters of a request for a position: a piece of the text that occurs once,
    /// with a cursor.
    pub(crate) fn at(&self, place: &str) -> Value {
        let place = place.replace("Calc", self.set);
        let piece = place.replace(CURSOR, "");
        assert_eq!(self.text.matches(&piece).count(), 1, "{piece:?} in {}", self.file.display());
        let (start, cursor) = (self.text.find(&piece), place.find(CURSOR));
        let offset = start.expect("it occurs") + cursor.expect("a place has a cursor");
        let before = &self.text[..offset];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().map_or(0, str::len);
        let position = json!({ "line": line, "character": column });
        json!({ "textDocument": { "uri": uri(&self.file) }, "position": position })
    }

    /// Returns the lines under a range, with the range in brackets and without line numbers: `19:
    /// field<3, 1> Limit [limit] = WRAP;`.
    pub(crate) fn show(&self, range: &Value) -> String {
        let (start, end) = (self.offset(&range["start"]), self.offset(&range["end"]));
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[end..].find('\n').map_or(self.text.len(), |at| end + at);
        let (before, after) = (&self.text[line_start..start], &self.text[end..line_end]);
        let shown = format!("{before}[{}]{after}", &self.text[start..end]);
        shown.trim().replace(self.set, "Calc")
    }

    /// Returns the text under a range.
    pub(crate) fn token(&self, range: &Value) -> &str {
        &self.text[self.offset(&range["start"])..self.offset(&range["end"])]
    }

    fn offset(&self, position: &Value) -> usize {
        let number = |name: &str| position[name].as_u64().expect("a number") as usize;
        let lines = self.text.split_inclusive('\n');
        lines.take(number("line")).map(str::len).sum::<usize>() + number("character")
    }

    /// Applies the edits of renames, which may contain duplicates.
    pub(crate) fn apply(&mut self, edits: &[Value]) {
        let mut pieces = BTreeMap::new();
        for edit in edits {
            let range = &edit["range"];
            let span = (self.offset(&range["start"]), self.offset(&range["end"]));
            let new = edit["newText"].as_str().expect("a text").to_owned();
            let other = pieces.insert(span, new.clone());
            assert!(other.is_none_or(|other| other == new), "two edits of one place: {edits:?}");
        }
        for ((start, end), new) in pieces.into_iter().rev() {
            self.text.replace_range(start..end, &new);
        }
    }
}

/// Writes a crate that depends only on `isa-core`, with the versions of the workspace.
pub(crate) fn write_crate(root: &Path, lib: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it has a parent");
    let core = workspace.join("isa-core");
    let manifest = format!(
        "[package]\nname = \"edited\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nisa-core = {{ path = {core:?} }}\n\n[workspace]\n"
    );
    fs::create_dir_all(root.join("src")).expect("the directory is writable");
    fs::write(root.join("Cargo.toml"), manifest).expect("the directory is writable");
    fs::write(root.join("src/lib.rs"), lib).expect("the directory is writable");
    fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).expect("it has a lock file");
}

/// The build folder of the crate, its target processor and its environment variables. `trybuild`
/// builds the crates of the faulty specifications in the same way, so the macro, which takes most
/// of the time, is compiled only once for both.
pub(crate) struct Build {
    pub(crate) folder: PathBuf,
    pub(crate) processor: String,
}

impl Build {
    /// The environment variables.
    pub(crate) const VARIABLES: [(&'static str, &'static str); 2] =
        [("CARGO_INCREMENTAL", "0"), ("CARGO_NET_OFFLINE", "true")];

    pub(crate) fn new() -> Self {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = temporary.parent().expect("a folder of the target directory");
        let said = rustc(&["--version", "--verbose"]);
        let host = said.lines().find_map(|line| line.strip_prefix("host: "));
        Build {
            folder: target.join("tests").join("trybuild"),
            processor: host.expect("rustc says what it runs on").to_owned(),
        }
    }

    /// Returns the messages of rustc about a crate. The text is empty if the crate compiles without
    /// a warning.
    pub(crate) fn check(&self, root: &Path) -> String {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args([
            "check",
            "--quiet",
            "--offline",
            "--target",
            &self.processor,
            "--target-dir",
        ]);
        command.arg(&self.folder).envs(Build::VARIABLES).current_dir(root);
        let output = command.output().expect("cargo starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// Returns the output of rustc.
pub(crate) fn rustc(arguments: &[&str]) -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(arguments).output().expect("rustc starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
