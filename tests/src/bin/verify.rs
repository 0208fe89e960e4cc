//! Runs test campaigns: `verify list`, or `verify CAMPAIGN [--shard i/n] [--resume FILE] [--threads
//! N]`.
//!
//! CAMPAIGN is the name of a campaign, a prefix of names up to a `/`, or `all`. `--cases` is the
//! number of triples of a random campaign. Each triple is compared in four rounding modes. `verify
//! counts` prints the number of valid words of each opcode. `verify page [REPORT...]` adds reports
//! to `tests/verified` and writes `VERIFIED.md`. `--report` appends a report, a line of JSON for
//! each campaign, to a file. The exit status is 0 if all results are equal, 1 if any differ, and 2
//! if the command is invalid.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use isa_defs::gpu::Gpu;
use isa_riscv::Rv64imac;
use isa_tests::provenance::{append, commit, cpu, today};
use isa_tests::verify::page::{self, Reports};
use isa_tests::verify::{Campaign, catalogue};
use isa_verify::count::legal_words;
use isa_verify::model::Model;
use isa_verify::run::{Progress, Saved, Shard};
use serde_json::json;

const USAGE: &str = "usage: verify list | verify counts | verify page [REPORT...] | verify CAMPAIGN [--shard i/n] [--resume FILE] \
                     [--report FILE] [--threads N] [--cases N]";

struct Options {
    name: String,
    shard: Shard,
    resume: Option<PathBuf>,
    report: Option<PathBuf>,
    threads: usize,
    triples: u64,
}

fn options(mut args: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        name: args.next()?,
        shard: Shard::WHOLE,
        resume: None,
        report: None,
        threads: thread::available_parallelism().map_or(1, usize::from),
        triples: catalogue::TRIPLES,
    };
    while let Some(option) = args.next() {
        let value = args.next()?;
        match option.as_str() {
            "--shard" => options.shard = Shard::parse(&value)?,
            "--resume" => options.resume = Some(value.into()),
            "--report" => options.report = Some(value.into()),
            "--threads" => options.threads = value.parse().ok().filter(|count| *count > 0)?,
            "--cases" => options.triples = value.parse().ok().filter(|count| *count > 0)?,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.first().is_some_and(|name| name == "page") {
        return write_page(&args[1..]).map_or_else(failed, |()| ExitCode::SUCCESS);
    }
    let Some(options) = options(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => failed(message),
    }
}

fn failed(message: String) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

/// Adds the reports in some files to the saved reports, and writes the page of all reports.
fn write_page(files: &[String]) -> Result<(), String> {
    let folder = page::folder();
    let mut reports = Reports::load(&folder)?;
    files.iter().try_for_each(|file| reports.add_file(file.as_ref()))?;
    let write = || {
        reports.save(&folder)?;
        let template = fs::read_to_string(folder.join("template.md"))?;
        let text = reports.page(&template, &catalogue::all(catalogue::TRIPLES));
        fs::write(folder.with_file_name("VERIFIED.md"), text)
    };
    write().map_err(|error| format!("{}: {error}", folder.display()))
}

/// Runs a command, and returns whether all results are equal.
fn run(options: &Options) -> Result<bool, String> {
    let all = catalogue::all(options.triples);
    if options.name == "counts" {
        return print(&counts()).map(|()| true);
    }
    if options.name == "list" {
        let line = |campaign: &Campaign| {
            let cases = campaign.units * campaign.cases_each;
            format!("{:36} {cases:>15} cases, {}\n", campaign.name, campaign.oracle)
        };
        return print(&all.iter().map(line).collect::<String>()).map(|()| true);
    }
    let prefix = format!("{}/", options.name);
    let is_meant = |one: &Campaign| {
        options.name == "all" || one.name == options.name || one.name.starts_with(&prefix)
    };
    let meant: Vec<Campaign> = all.into_iter().filter(is_meant).collect();
    if meant.is_empty() {
        let help = "help: `verify list` shows all";
        return Err(format!("there is no campaign `{}`\n{help}", options.name));
    }
    let commit = commit();
    let mut saved = Saved::new(&commit, options.shard);
    if let Some(path) = &options.resume {
        let explain = |error| format!("{}: {error}\nhelp: choose another file", path.display());
        saved.load(path).map_err(explain)?;
    }
    let mut equal = true;
    for campaign in meant {
        let progress = finish(&campaign, options, &mut saved)?;
        report(&campaign, &progress, options, &commit)?;
        equal &= progress.tally.differences == 0;
    }
    Ok(equal)
}

/// Prints lines. A closed pipe is not an error, because the reader may need only the first lines.
fn print(lines: &str) -> Result<(), String> {
    match io::stdout().write_all(lines.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Returns lines with the number of valid words of each opcode.
fn counts() -> String {
    let mut lines = String::new();
    for (name, set) in [("gpu", Gpu::SET), ("riscv", Rv64imac::SET)] {
        let mut sum = 0;
        for row in &Model::new(set).opcodes {
            let count = legal_words(row).expect("few values decide");
            lines += &format!("{name} {:16} {count:>28}\n", row.opcode.name);
            sum += count;
        }
        lines += &format!("{name} {:16} {sum:>28}\n", "all");
    }
    lines
}

/// Runs the remaining units of a campaign.
fn finish(campaign: &Campaign, options: &Options, saved: &mut Saved) -> Result<Progress, String> {
    let mut progress = saved.progress(campaign)?;
    let (mut shown, mut batch) = (Instant::now(), options.threads as u64);
    while !progress.is_complete(campaign, options.shard) {
        let start = Instant::now();
        progress.advance(campaign, options.shard, options.threads, batch);
        progress.seconds += start.elapsed().as_secs_f64();
        // A batch takes about a second, so that an interrupted run loses little work.
        batch = if start.elapsed() < Duration::from_secs(1) { batch * 2 } else { batch };
        if shown.elapsed() > Duration::from_secs(5) || progress.is_complete(campaign, options.shard)
        {
            shown = Instant::now();
            show(campaign, &progress, options.shard);
            if let Some(path) = &options.resume {
                let done = saved.save(path, campaign, &progress);
                done.map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(progress)
}

/// Shows the progress: as a bar in a single line on a terminal, otherwise as a new line.
fn show(campaign: &Campaign, progress: &Progress, shard: Shard) {
    let share = progress.done as f64 / shard.units(campaign.units).max(1) as f64;
    let left = progress.seconds * (1.0 - share) / share;
    let (name, percent) = (&campaign.name, share * 100.0);
    if io::stderr().is_terminal() {
        let bar = "#".repeat((share * 40.0) as usize);
        eprint!("\r{name} [{bar:40}] {percent:5.1} %, {left:.0} s left \x1b[K");
        if progress.is_complete(campaign, shard) {
            eprint!("\r\x1b[K");
        }
    } else {
        eprintln!("{name}: {percent:.1} %, {left:.0} s left");
    }
}

fn report(
    campaign: &Campaign,
    progress: &Progress,
    options: &Options,
    commit: &str,
) -> Result<(), String> {
    let Progress { tally, seconds, .. } = progress;
    let (name, cases, differences) = (&campaign.name, tally.cases, tally.differences);
    println!("{name}: {cases} cases, {differences} differences, {seconds:.1} s");
    tally.first.iter().for_each(|difference| println!("  {difference}"));
    let Some(path) = &options.report else {
        return Ok(());
    };
    let line = json!({
        "campaign": name, "oracle": campaign.oracle, "cases": cases, "differences": differences,
        "first": tally.first, "seconds": seconds, "threads": options.threads,
        "shard": [options.shard.index + 1, options.shard.count],
        "version": env!("CARGO_PKG_VERSION"), "commit": commit, "cpu": cpu(), "date": today(),
    });
    append(path, &line).map_err(|error| format!("{}: {error}", path.display()))
}
