//! Writes the figures as a page of the documentation.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use crate::goals::{Row, rows};
use crate::{Figures, compile};

const HEAD: &str = "\
# Figures

Compares this project with code written by hand, with similar projects, and with a lower limit: the
time that is needed to read and write the data. This command repeats all measurements and writes
this page: `cargo run --release -p isa-tests --bin figures -- --page tests/FIGURES.md`. If you
append names of parts, it measures only these parts and keeps the other figures. `tests/README.md`
describes the measurements. Each ratio compares medians of the same run, except that the times of
`isa` and of the LLVM tools are those of the fastest of five runs. chipi has its own description
language, so it is compared on generated sets, for which chipi descriptions with the same opcodes
are generated, as far as its language supports them. `isa` uses all cores, and the LLVM tools use
one core.
";

/// Returns the page.
#[must_use]
pub(crate) fn page(figures: &Figures) -> String {
    let mut page = format!("{HEAD}\nMachine: {}.\n", machine());
    page += "\n## Goals\n\n";
    page += "| work | ours | compared with | reached | goal | met |\n|---|---|---|---|---|---|\n";
    for Row { work, ours, against, reached, goal, met } in rows(figures) {
        let met = match met {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not measured",
        };
        let _ = writeln!(page, "| {work} | {ours} | {against} | {reached} | {goal} | {met} |");
    }
    if !figures.skipped.is_empty() {
        page += "\nNot measured:\n\n";
        for skipped in &figures.skipped {
            let _ = writeln!(page, "- {skipped}");
        }
    }
    page += "\n## All measurements\n\nTimes are in nanoseconds per instruction, lane, line or expanded \
             opcode. Times of compilations are in seconds.\n";
    for table in figures.all.iter().map(|figure| &figure.table).collect::<BTreeSet<_>>() {
        write_table(&mut page, figures, table);
    }
    page
}

fn write_table(page: &mut String, figures: &Figures, table: &str) {
    let in_seconds = compile::TABLES.contains(&table);
    let (scale, unit) = if in_seconds { (1e9, "s") } else { (1.0, "ns") };
    let _ = writeln!(page, "\n### {table}\n\n| work | by | {unit} |\n|---|---|---|");
    for figure in figures.all.iter().filter(|figure| figure.table == table) {
        let time = figure.time / scale;
        let [row, who] = [&figure.row, &figure.who].map(|text| text.replace('|', "\\|"));
        let _ = writeln!(page, "| {row} | {who} | {time:.3} |");
    }
}

/// Tables of older pages with measurements that do not exist any more.
const RETIRED: [&str; 2] = ["check", "release build"];

/// Adds the measurements of an existing page for which there is no new measurement.
pub(crate) fn keep(page: &str, figures: &mut Figures) {
    let (mut table, mut scale) = ("", 1.0);
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            table = name;
            continue;
        }
        // A separator between cells has spaces around it. A `|` in a text has no spaces around it.
        let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            continue;
        };
        let cells: Vec<String> = line.split(" | ").map(|cell| cell.replace("\\|", "|")).collect();
        let [row, who, time] = &cells[..] else { continue };
        match time.parse::<f64>() {
            _ if row == "work" => scale = if time == "s" { 1e9 } else { 1.0 },
            _ if RETIRED.contains(&table) => {}
            Ok(time) if figures.time(table, row, who).is_none() => {
                figures.add(table, row, who, time * scale);
            }
            _ => {}
        }
    }
}

/// Returns the name of the processor and the number of available cores.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name"));
    let name = name.map(|name| name.trim_start_matches([' ', '\t', ':']).to_owned());
    let name = name.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let family = |key: &str| {
        let line = info.lines().find(|line| line.starts_with(key))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    };
    let family = match (family("cpu family"), family("model\t")) {
        (Some(family), Some(model)) => format!(" (family {family}, model {model})"),
        _ => String::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}{family}, {cores} cores, {}", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::{Figures, keep, page};

    #[test]
    fn a_page_has_every_measurement_and_what_is_left_out() {
        let mut figures = Figures::default();
        figures.add("print", "kernel-like code", "limit: append ready lines", 5.0);
        figures.add("print", "kernel-like code", "into a buffer, decoding included", 40.0);
        figures.add("cold check", "26", "the set", 2.5e9);
        figures.skip("a tool is not installed");
        let page = page(&figures);
        for line in [
            "| print, kernel | 40 ns | ready lines 5.00 ns | 8.00x | <= 7x | no |",
            "| kernel-like code | limit: append ready lines | 5.000 |",
            "| 26 | the set | 2.500 |",
            "- a tool is not installed",
        ] {
            assert!(page.lines().any(|known| known == line), "{line} in\n{page}");
        }
    }

    #[test]
    fn what_is_not_measured_anew_stays_on_the_page() {
        let mut old = Figures::default();
        old.add("print", "kernel-like code", "limit: append ready lines", 5.0);
        old.add("print", "kernel-like code", "into a buffer, decoding included", 40.0);
        old.add("cold check", "26", "the set", 2.5e9);
        old.add("warps", "HADD2 R4, -|R2|;", "warp", 1.5);
        let mut new = Figures::default();
        new.add("print", "kernel-like code", "into a buffer, decoding included", 30.0);
        let old = page(&old)
            + "\n### check\n\n| work | by | s |\n|---|---|---|\n| 26 | the set | 2.000 |\n";
        keep(&old, &mut new);
        assert_eq!(new.times("check", "the set").count(), 0, "what is not measured any more");
        assert_eq!(new.times("print", "into a buffer, decoding included").count(), 1);
        let time = |who| new.time("print", "kernel-like code", who);
        assert_eq!(time("into a buffer, decoding included"), Some(30.0));
        assert_eq!(time("limit: append ready lines"), Some(5.0));
        assert_eq!(new.time("cold check", "26", "the set"), Some(2.5e9));
        assert_eq!(new.time("warps", "HADD2 R4, -|R2|;", "warp"), Some(1.5));
    }
}
