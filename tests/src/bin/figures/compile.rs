//! Measures the time that rustc needs for sets. Synthetic sets of several sizes are compiled
//! without incremental state and after an edit, and are compared with other ways to write such a
//! set. HALU is compiled after edits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::halu::{self, HALU};
use crate::{Figures, cargo, run};

/// The tables of this part, in seconds.
pub(crate) const TABLES: [&str; 4] = [CHECK, RELEASE, FIELD, BODY];

/// A check without incremental state.
pub(crate) const CHECK: &str = "cold check";
/// A release build without incremental state.
pub(crate) const RELEASE: &str = "cold release build";
/// A check with incremental state, after a change of the number or default of one opcode's field.
pub(crate) const FIELD: &str = "check after an edit of a field";
/// A check with incremental state, after a change in the semantics of one opcode.
pub(crate) const BODY: &str = "check after an edit of a body";

/// The names in the tables.
pub(crate) const OURS: &str = "the set";
pub(crate) const CHIPI: &str = "chipi, newtype";
pub(crate) const HAND: &str = "hand-written";

/// The number of times that a build is measured. The median is used.
const RUNS: usize = 3;
/// The smallest set for which a build without incremental state is measured only once.
const LARGE: usize = 1000;

/// One way to write a synthetic set.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// The name in the example `synthetic`.
    name: &'static str,
    who: &'static str,
    /// The numbers of opcodes for which it is compiled.
    sizes: &'static [usize],
    edit: Edit,
}

/// The ways to write a set. Each edit changes the number of one opcode.
const KINDS: [Kind; 3] = [
    Kind {
        name: "ours",
        who: OURS,
        sizes: &[26, 260, 2600],
        edit: Edit {
            file: "src/part0.rs",
            old: "opcode OP3_RU : [OP3, B_UREG] {\n        encoding { field<12, 4> Form form == RU; }",
            new: "opcode OP3_RU : [OP3, B_UREG] {\n        encoding { field<12, 4> Form form == SPARE; }",
        },
    },
    Kind {
        name: "chipi",
        who: CHIPI,
        sizes: &[260, 2600],
        edit: Edit {
            file: "set.chipi",
            old: "op3_ru number=3 form=7",
            new: "op3_ru number=3 form=9",
        },
    },
    Kind {
        name: "hand",
        who: HAND,
        sizes: &[260, 2600],
        edit: Edit {
            file: "src/part0.rs",
            old: "pub const OPCODE: u32 = 0x7_003;",
            new: "pub const OPCODE: u32 = 0x9_003;",
        },
    },
];

/// Measures each kind of set at each of its sizes, an edit of HALU, and the macro alone.
///
/// # Errors
///
/// Returns an error if a set does not compile.
pub(crate) fn measure(figures: &mut Figures, folder: &Path) -> Result<(), String> {
    let mut has_chipi = None;
    for kind in KINDS {
        for &size in kind.sizes {
            let set = Set::write(kind, size, folder)?;
            if kind.who == CHIPI
                && !*has_chipi.get_or_insert_with(|| can_be_fetched(&set.folder, figures))
            {
                continue;
            }
            set.cold(figures, CHECK, &["check"])?;
            set.cold(figures, RELEASE, &["build", "--release"])?;
            let mut build = set.cargo(&["check"], true);
            let seconds = kind.edit.seconds(&set.folder, &mut build)?;
            figures.add(FIELD, &size.to_string(), kind.who, seconds * 1e9);
        }
    }
    halu(figures, folder)?;
    expansion(figures)
}

/// Returns whether the dependencies of a crate are available, from a registry or, without the
/// network, on this machine.
fn can_be_fetched(crate_folder: &Path, figures: &mut Figures) -> bool {
    let fetch = |arguments: &[&str]| {
        let mut command = Command::new("cargo");
        run(command.arg("fetch").args(arguments).current_dir(crate_folder)).is_ok()
    };
    let is_there = fetch(&[]) || fetch(&["--offline"]);
    if !is_there {
        figures.skip("chipi: the registry could not be reached for its crates");
    }
    is_there
}

/// The crate of a set.
struct Set {
    kind: Kind,
    size: usize,
    folder: PathBuf,
    /// The folder in which the crate and its dependencies are built.
    target: PathBuf,
}

impl Set {
    fn write(kind: Kind, size: usize, folder: &Path) -> Result<Self, String> {
        let set = folder.join(format!("{}{size}", kind.name));
        let mut generate = cargo();
        generate.args(["run", "-q", "-p", "isa-tests", "--example", "synthetic", "--"]);
        run(generate.arg(size.to_string()).arg(&set).arg(kind.name))?;
        Ok(Set { kind, size, folder: set, target: folder.join("target") })
    }

    /// Returns a Cargo command for the crate, with or without incremental state.
    fn cargo(&self, arguments: &[&str], has_state: bool) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_INCREMENTAL", if has_state { "1" } else { "0" });
        command
    }

    /// Measures a build of the set alone. The dependencies are built before the measurement, with an
    /// empty crate.
    fn cold(&self, figures: &mut Figures, table: &str, arguments: &[&str]) -> Result<(), String> {
        let root = self.folder.join("src/lib.rs");
        let text = read(&root)?;
        let mut build = self.cargo(arguments, false);
        write(&root, "")?;
        run(&mut build)?;
        let runs = if self.size < LARGE { RUNS } else { 1 };
        let seconds = median(runs, |_| {
            // Cargo considers a file changed if it was written again.
            write(&root, &text)?;
            timed(&mut build)
        })?;
        figures.add(table, &self.size.to_string(), self.kind.who, seconds * 1e9);
        Ok(())
    }
}

/// A replacement of one text in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edit {
    pub(crate) file: &'static str,
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
}

impl Edit {
    /// Measures a build after the edit, after its reverse, and after the edit again. Each build
    /// starts from the incremental state of the previous one.
    fn seconds(&self, folder: &Path, build: &mut Command) -> Result<f64, String> {
        run(build)?;
        let path = folder.join(self.file);
        median(RUNS, |round| {
            let [from, to] =
                if round % 2 == 0 { [self.old, self.new] } else { [self.new, self.old] };
            let text = self.replaced(&read(&path)?, from, to)?;
            write(&path, &text)?;
            timed(build)
        })
    }

    /// Returns the text of the file with one text replaced by another.
    pub(crate) fn replaced(&self, text: &str, from: &str, to: &str) -> Result<String, String> {
        match text.matches(from).count() {
            1 => Ok(text.replacen(from, to, 1)),
            count => Err(format!("{}: `{from}` is there {count} times, not once", self.file)),
        }
    }
}

/// Measures a check of the library that contains HALU, after edits of HALU.
fn halu(figures: &mut Figures, folder: &Path) -> Result<(), String> {
    let copy = halu::copy(folder)?;
    let mut build = Command::new("cargo");
    build.args(["check", "-p", "isa-defs", "--lib", "--no-default-features"]).current_dir(&copy);
    build.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "1");
    for (table, edit) in [(FIELD, halu::FIELD), (BODY, halu::BODY)] {
        figures.add(table, HALU, OURS, edit.seconds(&copy, &mut build)? * 1e9);
    }
    Ok(())
}

/// Returns the median of several measurements.
fn median(
    runs: usize,
    measurement: impl FnMut(usize) -> Result<f64, String>,
) -> Result<f64, String> {
    let mut times = (0..runs).map(measurement).collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[runs / 2])
}

/// Runs a command and returns the elapsed seconds. It also prints the processor time, which other
/// work on the machine affects less.
fn timed(command: &mut Command) -> Result<f64, String> {
    let (start, user) = (Instant::now(), user_time());
    command.stderr(Stdio::null());
    run(command)?;
    command.stderr(Stdio::inherit());
    let seconds = start.elapsed().as_secs_f64();
    match user.zip(user_time()) {
        Some((before, after)) => eprintln!("{seconds:.2} s, user {:.2} s", after - before),
        None => eprintln!("{seconds:.2} s"),
    }
    Ok(seconds)
}

/// Returns the user time, in seconds, of the programs that this program started, if Linux reports
/// it.
fn user_time() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The 14th field after the name of the program, which may contain spaces.
    let ticks: f64 = stat.rsplit_once(") ")?.1.split(' ').nth(13)?.parse().ok()?;
    Some(ticks / 100.0)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Measures the macro itself, whose tests print the time.
fn expansion(figures: &mut Figures) -> Result<(), String> {
    let mut command = cargo();
    command.args(["test", "--release", "-p", "isa-compiler", "expansion_time"]);
    command.args(["--", "--ignored", "--nocapture"]);
    eprintln!("{command:?}");
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("expansion\t") {
            figures.read(&format!("expansion\t{rest}"))?;
            found = true;
        }
    }
    if found { Ok(()) } else { Err(format!("no time of the expansion in\n{text}")) }
}

#[cfg(test)]
mod tests {
    use super::{Edit, median};

    #[test]
    fn an_edit_is_of_one_place() {
        let edit = Edit { file: "x", old: "a", new: "b" };
        assert_eq!(edit.replaced("1 a 2", "a", "b").as_deref(), Ok("1 b 2"));
        assert!(edit.replaced("1 a a", "a", "b").is_err());
        assert!(edit.replaced("1 2", "a", "b").is_err());
    }

    #[test]
    fn the_middle_one_counts() {
        let times = [3.0, 1.0, 2.0];
        assert_eq!(median(3, |round| Ok(times[round])), Ok(2.0));
        assert_eq!(median(1, |round| Ok(times[round])), Ok(3.0));
        assert!(median(3, |_| Err("no".to_owned())).is_err());
    }
}
