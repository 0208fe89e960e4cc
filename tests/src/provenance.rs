//! The origin of a report: the commit, the processor and the date.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// Returns the commit that is checked out, with a `+` if files differ from it.
#[must_use]
pub fn commit() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changed = git(&["status", "--porcelain", "-uno"]).is_none_or(|list| !list.is_empty());
    if changed { commit + "+" } else { commit }
}

/// Returns the name of the processor, as the system reports it.
#[must_use]
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(env::consts::ARCH, |(_, name)| name).to_owned()
}

/// Returns the current day in UTC, for example `2026-01-31`.
#[must_use]
pub fn today() -> String {
    day(SystemTime::now())
}

/// Returns the day of a moment in UTC.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let day = isa_tests::provenance::day;
/// assert_eq!(day(UNIX_EPOCH), "1970-01-01");
/// assert_eq!(day(UNIX_EPOCH + Duration::from_secs(951_782_400)), "2000-02-29");
/// assert_eq!(day(UNIX_EPOCH + Duration::from_secs(1_798_761_599)), "2026-12-31");
/// ```
#[must_use]
pub fn day(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, seconds / 86_400);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

/// Appends a line to a file.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn append(path: &Path, line: &Value) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{line}")
}
