//! Runs the tests of the copy one at a time, to record the mutants that each reaches and whether it
//! fails.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::tree::Binary;

/// The memory limit of a test in KiB, because a mutant may cause a loop that allocates without end.
const MEMORY: u32 = 8 << 20;

/// A test and its results without a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Test {
    /// The name, as `PACKAGE TARGET NAME`.
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// The highest id of the mutants at the time of the recording.
    pub(crate) known: u32,
    /// The mutants that the test reaches.
    pub(crate) reached: Vec<u32>,
    pub(crate) passes: bool,
}

/// The way in which a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    Passed,
    Failed,
    /// The test took far longer than without the mutant.
    Hung,
}

/// Returns the names of the tests in a binary.
pub(crate) fn names(binary: &Binary) -> Result<Vec<String>, String> {
    let output = binary.command(&binary.path).args(["--list", "--format", "terse"]).output();
    let output = output.map_err(|error| format!("{}: {error}", binary.name))?;
    if !output.status.success() {
        return Err(format!("{}: {}", binary.name, String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs a test with an environment variable and a limit on its processor time in seconds.
pub(crate) fn run(
    binary: &Binary,
    name: &str,
    variable: (&str, &str),
    seconds: u64,
) -> Result<End, String> {
    let mut test = binary.command(Path::new("sh"));
    let script = "ulimit -t $0; ulimit -v $1; shift; exec \"$@\"";
    test.args(["-c", script, &seconds.to_string(), &MEMORY.to_string()]).arg(&binary.path);
    test.args(["--exact", name, "--test-threads=1"]);
    test.env(variable.0, variable.1)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let explain = |error: std::io::Error| format!("{} {name}: {error}", binary.name);
    let mut test = test.spawn().map_err(explain)?;
    // The limit for a test that waits forever. It is long because the machine may be busy.
    let (start, most) = (Instant::now(), Duration::from_secs(60 + 20 * seconds));
    loop {
        if let Some(status) = test.try_wait().map_err(explain)? {
            let killed = status.code().is_none() && start.elapsed().as_secs() >= seconds;
            return Ok(if status.success() {
                End::Passed
            } else if killed {
                End::Hung
            } else {
                End::Failed
            });
        }
        if start.elapsed() > most {
            test.kill().and_then(|()| test.wait()).map_err(explain)?;
            return Ok(End::Hung);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a test without a mutant to measure its time, and again to record the mutants that it
/// reaches.
pub(crate) fn covered(
    binary: &Binary,
    name: &str,
    known: u32,
    most: u64,
    work: &Path,
) -> Result<Test, String> {
    let start = Instant::now();
    let plain = run(binary, name, ("ISA_MUTANT", "0"), most)?;
    let seconds = start.elapsed().as_secs_f64();
    let file = work.join("reached");
    // The file does not exist if no test reached a mutant before.
    let _ = fs::remove_file(&file);
    let recorded = run(binary, name, ("ISA_MUTANTS_REACHED", &file.display().to_string()), most)?;
    let passes = plain == End::Passed && recorded == End::Passed;
    let bytes = fs::read(&file).unwrap_or_default();
    let (numbers, _) = bytes.as_chunks();
    let mut reached: Vec<u32> = numbers.iter().map(|&number| u32::from_le_bytes(number)).collect();
    reached.sort_unstable();
    reached.dedup();
    Ok(Test { name: format!("{} {name}", binary.name), seconds, known, reached, passes })
}

impl Test {
    pub(crate) fn reaches(&self, mutant: u32) -> bool {
        self.reached.binary_search(&mutant).is_ok()
    }

    /// Returns the name of the test in a binary, or `None` if it is in another binary.
    pub(crate) fn name_in(&self, binary: &Binary) -> Option<&str> {
        self.name.strip_prefix(&binary.name)?.strip_prefix(' ')
    }
}
