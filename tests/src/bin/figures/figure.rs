//! Measurements, and the commands that produce them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// One measurement: the time in nanoseconds that an implementation needs for a unit of work.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// The type of work, which is the name of a table.
    pub(crate) table: String,
    /// The work in detail, which is a row of the table.
    pub(crate) row: String,
    /// The implementation.
    pub(crate) who: String,
    /// Nanoseconds per unit.
    pub(crate) time: f64,
}

/// All measurements of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    pub(crate) all: Vec<Figure>,
    /// The measurements that are missing, with the reason.
    pub(crate) skipped: Vec<String>,
}

impl Figures {
    /// Adds a measurement.
    pub(crate) fn add(&mut self, table: &str, row: &str, who: &str, time: f64) {
        let [table, row, who] = [table, row, who].map(str::to_owned);
        self.all.push(Figure { table, row, who, time });
    }

    /// Adds the output of a benchmark, one measurement per line.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is not a measurement.
    pub(crate) fn read(&mut self, lines: &str) -> Result<(), String> {
        for line in lines.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let [table, row, who, time] = parts[..] else {
                return Err(format!("four parts are expected in `{line}`"));
            };
            let time = time.parse().map_err(|error| format!("{error} in `{line}`"))?;
            self.add(table, row, who, time);
        }
        Ok(())
    }

    /// Records that a measurement is missing, and prints it immediately.
    pub(crate) fn skip(&mut self, what: impl Into<String>) {
        let what = what.into();
        eprintln!("SKIPPED: {what}");
        self.skipped.push(what);
    }

    /// Returns the rows of an implementation in a table, with their times.
    pub(crate) fn times<'f>(
        &'f self,
        table: &'f str,
        who: &'f str,
    ) -> impl Iterator<Item = (&'f str, f64)> + 'f {
        let fits = move |figure: &&Figure| figure.table == table && figure.who == who;
        self.all.iter().filter(fits).map(|figure| (figure.row.as_str(), figure.time))
    }

    /// Returns the time of one row.
    #[must_use]
    pub(crate) fn time(&self, table: &str, row: &str, who: &str) -> Option<f64> {
        self.times(table, who).find(|(known, _)| *known == row).map(|(_, time)| time)
    }

    /// Runs a benchmark, which also prints its own tables.
    ///
    /// # Errors
    ///
    /// Returns an error if the benchmark does not build, or fails.
    pub(crate) fn bench(&mut self, name: &str, features: &[&str]) -> Result<(), String> {
        let path = env::temp_dir().join(format!("isa-figures-{name}-{}", std::process::id()));
        // A file of an earlier run may exist.
        let _ = fs::remove_file(&path);
        let mut command = cargo();
        command.args(["bench", "-p", "isa-tests", "--bench", name]).env("ISA_FIGURES", &path);
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        run(&mut command)?;
        let lines = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let _ = fs::remove_file(&path);
        self.read(&lines)
    }
}

/// Returns a Cargo command in the root of the workspace.
#[must_use]
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command
}

/// Runs a command until it exits.
///
/// # Errors
///
/// Returns an error if the command does not start, or fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    eprintln!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

/// Returns whether a program can be started.
#[must_use]
pub(crate) fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn lines_of_benchmarks() {
        let mut figures = Figures::default();
        figures.read("print\tmixed\tours\t2.5\nprint\tkernel\tours\t1\n").unwrap();
        assert_eq!(figures.time("print", "mixed", "ours"), Some(2.5));
        assert_eq!(figures.times("print", "ours").count(), 2);
        assert_eq!(figures.time("print", "mixed", "theirs"), None);
        assert!(figures.read("print\tmixed\tours\n").is_err());
        assert!(figures.read("print\tmixed\tours\tfast\n").is_err());
    }
}
