//! The performance goals: each compares a measurement with another one or with a bound, and states
//! whether the goal is met.

use crate::halu::HALU;
use crate::{Figures, compile};

/// A row of the table.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The work.
    pub(crate) work: String,
    /// The measurement of this project, with its unit.
    pub(crate) ours: String,
    /// The measurement to compare with, with its unit.
    pub(crate) against: String,
    /// The ratio or measurement that is compared with the goal.
    pub(crate) reached: String,
    /// The goal.
    pub(crate) goal: String,
    /// Whether the goal is met, or `None` if it could not be measured.
    pub(crate) met: Option<bool>,
}

/// The workloads of the benchmark `codec`: the name in the benchmark, and a short name.
const WORKS: [(&str, &str); 2] =
    [("evenly mixed opcodes, random fields", "mixed"), ("kernel-like code", "kernel")];

/// Returns all rows.
#[must_use]
pub(crate) fn rows(figures: &Figures) -> Vec<Row> {
    let mut rows = Vec::new();
    codec(figures, &mut rows);
    tools(figures, &mut rows);
    one_lane(figures, &mut rows);
    slices(figures, &mut rows);
    video(figures, &mut rows);
    halu(figures, &mut rows);
    simulator(figures, &mut rows);
    compile(figures, &mut rows);
    rows
}

/// Creates a row for the ratio of our time to their time, which must be at most `most`.
fn ratio(work: String, ours: Option<f64>, name: &str, theirs: Option<f64>, most: f64) -> Row {
    let value = ours.zip(theirs).map(|(ours, theirs)| ours / theirs);
    Row {
        work,
        ours: show(ours),
        against: format!("{name} {}", show(theirs)),
        reached: value.map_or("-".to_owned(), |value| format!("{value:.2}x")),
        goal: format!("<= {most}x"),
        met: value.map(|value| value <= most),
    }
}

/// Creates a row for a speedup, the ratio of their time to our time, which must be at least
/// `least`.
fn faster(work: String, ours: Option<f64>, name: &str, theirs: Option<f64>, least: f64) -> Row {
    let value = ours.zip(theirs).map(|(ours, theirs)| theirs / ours);
    Row {
        reached: value.map_or("-".to_owned(), |value| format!("{value:.1}x faster")),
        goal: format!(">= {least}x faster"),
        met: value.map(|value| value >= least),
        ..ratio(work, ours, name, theirs, 0.0)
    }
}

/// Creates a row for a measurement that must not exceed a bound.
fn bounded(work: String, value: Option<f64>, unit: &str, most: f64) -> Row {
    let text = value.map_or("-".to_owned(), |value| format!("{value:.2} {unit}"));
    Row {
        work,
        ours: text.clone(),
        against: String::new(),
        reached: text,
        goal: format!("<= {most} {unit}"),
        met: value.map(|value| value <= most),
    }
}

fn show(time: Option<f64>) -> String {
    match time {
        None => "-".to_owned(),
        Some(time) if time < 10.0 => format!("{time:.2} ns"),
        Some(time) => format!("{time:.0} ns"),
    }
}

fn codec(figures: &Figures, rows: &mut Vec<Row>) {
    for (row, short) in WORKS {
        let time = |table, who| figures.time(table, row, who);
        let copy = "limit: copy the words";
        let ours = time("decode", "to the enum");
        let hand = time("decode", "hand-written match to structs");
        let work = |what: &str| format!("{what}, {short}");
        rows.push(ratio(work("decode"), ours, "hand-written", hand, 0.25));
        rows.push(ratio(work("decode"), ours, "copying", time("decode", copy), 4.0));
        let (ours, limit) = (time("encode", "from the enum"), time("encode", copy));
        rows.push(ratio(work("encode"), ours, "copying", limit, 2.0));
        let ours = time("print", "into a buffer, decoding included");
        let limit = time("print", "limit: append ready lines");
        rows.push(ratio(work("print"), ours, "ready lines", limit, 7.0));
        let hand = time("print", "hand-written, not checking the words");
        rows.push(ratio(work("print, by hand"), hand, "ready lines", limit, 7.0));
        let ours = time("parse", "a statement at a time");
        let limit = time("parse", "limit: count newlines");
        rows.push(ratio(work("parse"), ours, "newlines", limit, 6.0));
        let hand = time("parse", "hand-written, a statement at a time");
        rows.push(ratio(work("parse, by hand"), hand, "newlines", limit, 6.0));
    }
}

fn tools(figures: &Figures, rows: &mut Vec<Row>) {
    let time = |table, who| figures.time(table, "a line", who);
    let (ours, theirs) = (time("disassemble", "isa dis"), time("disassemble", "llvm-objdump"));
    rows.push(faster("`isa dis`, a line".to_owned(), ours, "llvm-objdump -d", theirs, 20.0));
    let (ours, theirs) = (time("assemble", "isa asm"), time("assemble", "llvm-mc"));
    rows.push(faster("`isa asm`, a line".to_owned(), ours, "llvm-mc", theirs, 10.0));
}

/// Returns the times of the worst row: the row with the highest ratio of the times of `who` and
/// `other`.
fn worst<'f>(
    figures: &'f Figures,
    table: &'f str,
    who: &'f str,
    other: &'f str,
    fits: impl Fn(&str) -> bool + 'f,
) -> Option<(f64, f64)> {
    let pairs = figures
        .times(table, who)
        .filter(|(row, _)| fits(row))
        .filter_map(|(row, time)| Some((time, figures.time(table, row, other)?)));
    pairs.max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)))
}

fn one_lane(figures: &Figures, rows: &mut Vec<Row>) {
    let pair = worst(figures, "one lane", "ours", "SoftFloat", |row| row.starts_with("f16"));
    let (ours, theirs) = pair.unzip();
    let work = "f16, one lane, the worst mode".to_owned();
    rows.push(ratio(work, ours, "SoftFloat", theirs, 1.0));
}

fn slices(figures: &Figures, rows: &mut Vec<Row>) {
    // Compares our slices with single lanes of the peers in the same mode.
    let against = |engine: &'static str, peer: &'static str, format: &'static str| {
        let pairs = figures.times("slices", engine).filter(move |(row, _)| row.starts_with(format));
        let pairs =
            pairs.filter_map(|(row, time)| Some((time, figures.time("one lane", row, peer)?)));
        pairs.max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1))).unzip()
    };
    let slowest = |engine: &'static str, format: &'static str| {
        let times = figures.times("slices", engine).filter(move |(row, _)| row.starts_with(format));
        times.map(|(_, time)| time).max_by(f64::total_cmp)
    };
    let work = |format: &str, engine: &str| format!("{format} slices, {engine}, the worst mode");
    for (format, peer, least, most) in
        [("f16", "SoftFloat", 3.0, 0.4), ("bf16", "rustc_apfloat", 8.0, 0.6)]
    {
        let (ours, theirs) = against("portable", peer, format);
        rows.push(faster(work(format, "portable"), ours, peer, theirs, least));
        for engine in ["avx2", "avx512"] {
            rows.push(bounded(work(format, engine), slowest(engine, format), "ns", most));
        }
    }
}

fn video(figures: &Figures, rows: &mut Vec<Row>) {
    let (table, limit) = ("instructions on a warp", "loads and a store");
    let is_common = |row: &str| row.starts_with('v') && !row.contains("r4.");
    let is_other = |row: &str| row.starts_with('v') && row.contains("r4.");
    let (ours, theirs) = worst(figures, table, "warp", limit, is_common).unzip();
    let work = |what: &str| format!("video on a warp, {what}, the worst");
    rows.push(ratio(work("common forms"), ours, limit, theirs, 1.7));
    let (ours, theirs) = worst(figures, table, "warp", limit, is_other).unzip();
    rows.push(ratio(work("any selector"), ours, limit, theirs, 4.0));
}

/// Adds the goals of HALU's rounded arithmetic. They are the goals of slices, because a register
/// has two lanes.
fn halu(figures: &Figures, rows: &mut Vec<Row>) {
    let is_rounded = |row: &str| ["HADD2", "HMUL2", "HFMA2"].iter().any(|op| row.starts_with(op));
    for (format, is_bf16, most) in [("f16", false, 0.4), ("bf16", true, 0.6)] {
        let times = figures.times("instructions on a warp", "warp");
        let fits = |row: &str| is_rounded(row) && row.contains(".BF16_V2") == is_bf16;
        let lanes = times.filter(|(row, _)| fits(row)).map(|(_, time)| time / 2.0);
        let work = format!("{format} arithmetic on a warp, a lane, the worst");
        rows.push(bounded(work, lanes.max_by(f64::total_cmp), "ns", most));
    }
}

fn simulator(figures: &Figures, rows: &mut Vec<Row>) {
    for (row, ours) in figures.times("simulated kernels", "simulator") {
        let work = "simulated product of matrices, an `HFMA2` of a thread".to_owned();
        let theirs = figures.time("simulated kernels", row, "half");
        rows.push(faster(work.clone(), Some(ours), "half", theirs, 2.0));
        rows.push(bounded(work, Some(ours), "ns", 10.0));
    }
}

/// Returns the time of a compilation in seconds.
fn seconds(figures: &Figures, table: &str, row: &str, who: &str) -> Option<f64> {
    figures.time(table, row, who).map(|time| time / 1e9)
}

/// Returns the compilation times of the other implementations as text.
fn beside(figures: &Figures, table: &str, row: &str) -> String {
    let text = |(name, who)| Some(format!("{name} {:.2} s", seconds(figures, table, row, who)?));
    let others = [("chipi", compile::CHIPI), ("by hand", compile::HAND)];
    others.into_iter().filter_map(text).collect::<Vec<_>>().join(", ")
}

fn compile(figures: &Figures, rows: &mut Vec<Row>) {
    for table in [compile::CHECK, compile::RELEASE] {
        for (row, opcodes) in [("260", "260"), ("2600", "2,600")] {
            let time = |who| seconds(figures, table, row, who);
            let (ours, theirs) = (time(compile::OURS), time(compile::CHIPI));
            rows.push(Row {
                ours: ours.map_or("-".to_owned(), |ours| format!("{ours:.2} s")),
                against: beside(figures, table, row),
                ..ratio(format!("{table}, {opcodes} opcodes"), ours, "", theirs, 1.2)
            });
        }
    }
    for (table, row, of, most) in [
        (compile::FIELD, "2600", "of 2,600 opcodes", 1.5),
        (compile::FIELD, HALU, "of HALU", 0.5),
        (compile::BODY, HALU, "of HALU", 0.5),
    ] {
        let ours = seconds(figures, table, row, compile::OURS);
        let against = beside(figures, table, row);
        rows.push(Row { against, ..bounded(format!("{table} {of}"), ours, "s", most) });
    }
    let slowest = figures.times("expansion", "an opcode").map(|(_, time)| time / 1e6);
    let slowest = slowest.max_by(f64::total_cmp);
    rows.push(bounded("expansion, an opcode".to_owned(), slowest, "ms", 0.4));
    let mut lines = include_str!("../../../../isa-macros/compiler/src/tests/size.txt").lines();
    let lines = lines.rfind(|line| line.starts_with("synthetic"));
    let lines = lines.and_then(|line| line.split_whitespace().last()?.parse().ok());
    rows.push(bounded("expansion, lines an opcode".to_owned(), lines, "lines", 60.0));
}

#[cfg(test)]
mod tests {
    use super::{Figures, faster, ratio, rows};

    #[test]
    fn ratios_and_bounds() {
        let row = ratio("x".to_owned(), Some(3.0), "them", Some(2.0), 1.5);
        assert_eq!((row.reached.as_str(), row.met), ("1.50x", Some(true)));
        let row = ratio("x".to_owned(), Some(3.1), "them", Some(2.0), 1.5);
        assert_eq!(row.met, Some(false));
        let row = faster("x".to_owned(), Some(2.0), "them", Some(39.0), 20.0);
        assert_eq!((row.reached.as_str(), row.met), ("19.5x faster", Some(false)));
        assert_eq!(ratio("x".to_owned(), Some(3.1), "them", None, 1.5).met, None);
    }

    #[test]
    fn the_worst_row_counts() {
        let mut figures = Figures::default();
        for (row, ours, theirs) in [("f16 Add", 2.0, 1.0), ("f16 Fma", 3.0, 1.0)] {
            figures.add("one lane", row, "ours", ours);
            figures.add("one lane", row, "SoftFloat", theirs);
        }
        let rows = rows(&figures);
        let row = rows.iter().find(|row| row.work.starts_with("f16, one lane")).unwrap();
        assert_eq!((row.reached.as_str(), row.met), ("3.00x", Some(false)));
        assert!(rows.iter().any(|row| row.met.is_none()), "nothing else was measured");
    }
}
