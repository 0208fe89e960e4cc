//! Creates the page of verification results from reports.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::provenance::day;
use crate::verify::Campaign;

/// Reports, each of which is a line of JSON.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reports(BTreeMap<Key, Value>);

/// The identity of a report: the campaign, the shard, and the seed if any. A later report with the
/// same key replaces it.
type Key = (String, [u64; 2], u64);

/// Returns the folder that contains the reports of the page.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("verified")
}

impl Reports {
    /// Reads the reports in a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or a line is not a report.
    pub fn load(folder: &Path) -> Result<Self, String> {
        let mut reports = Reports::default();
        let explain = |error: io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(explain)? {
            let path = entry.map_err(explain)?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                reports.add_file(&path)?;
            }
        }
        Ok(reports)
    }

    /// Adds the reports of a file. A report without a date gets the date of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or a line is not a report.
    pub fn add_file(&mut self, path: &Path) -> Result<(), String> {
        let explain = |error: io::Error| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(explain)?;
        let written = fs::metadata(path).and_then(|meta| meta.modified()).map_err(explain)?;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), number + 1);
            self.add(line, &day(written)).map_err(|error| format!("{place}: {error}"))?;
        }
        Ok(())
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// Returns an error if the line is not a report.
    pub fn add(&mut self, line: &str, date: &str) -> Result<(), String> {
        let mut report: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let key = match report["check"].as_str() {
            Some(check) => (check.to_owned(), [1, 1], 0),
            None => Self::key(&report).ok_or("it is no report of a campaign")?,
        };
        if report["date"].is_null() {
            report["date"] = date.into();
        }
        self.0.insert(key, report);
        Ok(())
    }

    fn key(report: &Value) -> Option<Key> {
        report["cases"].as_u64()?;
        report["differences"].as_u64()?;
        report["seconds"].as_f64()?;
        let shard = [report["shard"][0].as_u64()?, report["shard"][1].as_u64()?];
        // The tool writes a seed as text, and the campaigns of this crate write it as a number.
        let seed =
            report["seed"].as_str().map_or(report["seed"].as_u64(), |seed| seed.parse().ok());
        Some((report["campaign"].as_str()?.to_owned(), shard, seed.unwrap_or(0)))
    }

    /// Writes one file for each group of campaigns.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        let mut files: BTreeMap<&str, String> = BTreeMap::new();
        for ((name, ..), report) in &self.0 {
            let sort = name.split_once('/').map_or("other", |(sort, _)| sort);
            *files.entry(sort).or_default() += &format!("{report}\n");
        }
        files
            .iter()
            .try_for_each(|(sort, text)| fs::write(folder.join(sort).with_extension("json"), text))
    }

    /// Returns the page with all campaigns that have reports.
    #[must_use]
    pub fn page(&self, template: &str, all: &[Campaign]) -> String {
        let page = template.replace("{campaigns}", &self.campaigns());
        let page = page.replace("{missing}", &self.missing(all));
        page.replace("{fuzz}", &self.fuzz()).replace("{others}", &self.others())
    }

    fn with_prefix(&self, is_fuzz: bool) -> impl Iterator<Item = (&Key, &Value)> {
        self.0.iter().filter(move |((name, ..), report)| {
            report["check"].is_null() && name.starts_with("fuzz/") == is_fuzz
        })
    }

    fn campaigns(&self) -> String {
        let mut rows: BTreeMap<String, Sum> = BTreeMap::new();
        for ((name, ..), report) in self.with_prefix(false) {
            rows.entry(row(name)).or_default().add(report);
        }
        let mut table =
            "| campaign | cases | differences | oracle | seconds | machine | commit | date |\n\
                         |---|---:|---:|---|---:|---|---|---|\n"
                .to_owned();
        for (name, sum) in rows {
            let Sum { cases, differences, seconds, words } = sum;
            let [oracle, machine, commit, date] = words;
            let (cases, seconds) = (grouped(cases), grouped(seconds.round() as u64));
            table += &format!(
                "| `{name}` | {cases} | {differences} | {} | {seconds} | {} | {} | {} |\n",
                oracle.join("; "),
                machine.join("; "),
                commit.join(", "),
                date.join(", "),
            );
        }
        table.trim_end().to_owned()
    }

    /// Returns the campaigns that have cases without a report.
    fn missing(&self, all: &[Campaign]) -> String {
        let mut done: BTreeMap<&str, u64> = BTreeMap::new();
        for ((name, ..), report) in self.with_prefix(false) {
            *done.entry(name).or_default() += report["cases"].as_u64().unwrap_or(0);
        }
        let mut rows: BTreeMap<String, [u64; 2]> = BTreeMap::new();
        for campaign in all {
            let [found, expected] = rows.entry(row(&campaign.name)).or_default();
            *found += done.get(&campaign.name[..]).copied().unwrap_or(0);
            *expected += campaign.units * campaign.cases_each;
        }
        let missing = rows.into_iter().filter(|(_, [found, expected])| found < expected);
        let lines: Vec<String> = missing
            .map(|(name, [found, all])| {
                format!("- `{name}`: {} of {} cases", grouped(found), grouped(all))
            })
            .collect();
        match lines.len() {
            0 => "Every campaign was run to its end.".to_owned(),
            _ => format!("Not reported to their end yet:\n\n{}", lines.join("\n")),
        }
    }

    fn fuzz(&self) -> String {
        let mut rows: BTreeMap<&str, Sum> = BTreeMap::new();
        for ((name, ..), report) in self.with_prefix(true) {
            rows.entry(name.trim_start_matches("fuzz/")).or_default().add(report);
        }
        let mut table = "| target | executions | findings | seconds | a second | commit | date |\n\
                         |---|---:|---:|---:|---:|---|---|\n"
            .to_owned();
        let (mut executions, mut findings) = (0, 0);
        for (name, Sum { cases, differences, seconds, words: [_, _, commit, date] }) in rows {
            (executions, findings) = (executions + cases, findings + differences);
            table += &format!(
                "| `{name}` | {} | {differences} | {} | {} | {} | {} |\n",
                grouped(cases),
                grouped(seconds.round() as u64),
                grouped((cases as f64 / seconds.max(1.0)) as u64),
                commit.join(", "),
                date.join(", "),
            );
        }
        table + &format!("| all | {} | {findings} | | | | |", grouped(executions))
    }

    fn others(&self) -> String {
        let mut table =
            "| check | command | result | commit | date |\n|---|---|---|---|---|\n".to_owned();
        for report in self.0.values().filter(|report| !report["check"].is_null()) {
            let text = |key: &str| report[key].as_str().unwrap_or_default().to_owned();
            let [check, command, result, date] = ["check", "command", "result", "date"].map(text);
            let commit = short(report["commit"].as_str().unwrap_or_default());
            table += &format!("| {check} | `{command}` | {result} | {commit} | {date} |\n");
        }
        table.trim_end().to_owned()
    }
}

/// The sum of the reports in a table row.
#[derive(Default)]
struct Sum {
    cases: u64,
    differences: u64,
    seconds: f64,
    /// Oracles, machines, commits and dates, each without duplicates.
    words: [Vec<String>; 4],
}

impl Sum {
    fn add(&mut self, report: &Value) {
        self.cases += report["cases"].as_u64().unwrap_or(0);
        self.differences += report["differences"].as_u64().unwrap_or(0);
        self.seconds += report["seconds"].as_f64().unwrap_or(0.0);
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        let machine = format!("{}, {} threads", text("cpu"), report["threads"]);
        let new =
            [text("oracle").to_owned(), machine, short(text("commit")), text("date").to_owned()];
        for (known, new) in self.words.iter_mut().zip(new) {
            if !known.contains(&new) {
                known.push(new);
            }
        }
    }
}

/// Returns the table row of a campaign. Campaigns of single opcodes share one row.
fn row(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((all, _)) if all.matches('/').count() == 2 && all.starts_with("encoding/") => {
            format!("{all}/*")
        }
        _ => name.to_owned(),
    }
}

/// Returns the first characters of a commit, with the `+` for changed files.
fn short(commit: &str) -> String {
    let mark = if commit.ends_with('+') { "+" } else { "" };
    commit.chars().take(8).collect::<String>() + mark
}

/// Formats a number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8(groups.join(&b',')).expect("digits are ASCII")
}
