//! Runs fuzz targets with any compiler: `hammer TARGET|all [--executions N] [--seconds N] [--seed
//! N] [--threads N] [--findings FOLDER] [--report FILE]`, or `hammer seeds`.
//!
//! `hammer seeds` replaces the seeds of all targets. `all` runs each target for the same time or
//! number of executions. An input that causes a panic is written to the folder of findings. The
//! exit status is 0 if there are no findings, 1 if there are findings, and 2 if the command is
//! invalid.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io, panic, thread};

use isa_tests::fuzz::hammer::{Limit, Outcome, corpus, hammer, read_folder};
use isa_tests::fuzz::seeds::seeds;
use isa_tests::fuzz::{TARGETS, Target};
use isa_tests::provenance::{append, commit, cpu, today};
use serde_json::json;

const USAGE: &str = "usage: hammer seeds | hammer TARGET|all [--executions N] [--seconds N] \
                     [--seed N] [--threads N] [--findings FOLDER] [--report FILE]";

struct Options {
    name: String,
    limit: Limit,
    seed: u64,
    threads: usize,
    findings: PathBuf,
    report: Option<PathBuf>,
}

fn options(mut args: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        name: args.next()?,
        limit: Limit { executions: u64::MAX, time: Duration::MAX },
        seed: 1,
        threads: thread::available_parallelism().map_or(1, usize::from),
        findings: env::temp_dir().join("isa-findings"),
        report: None,
    };
    while let Some(option) = args.next() {
        let value = args.next()?;
        match option.as_str() {
            "--executions" => options.limit.executions = value.parse().ok()?,
            "--seconds" => options.limit.time = Duration::from_secs(value.parse().ok()?),
            "--seed" => options.seed = value.parse().ok()?,
            "--threads" => options.threads = value.parse().ok().filter(|count| *count > 0)?,
            "--findings" => options.findings = value.into(),
            "--report" => options.report = Some(value.into()),
            _ => return None,
        }
    }
    let Limit { executions, time } = options.limit;
    if executions == u64::MAX && time == Duration::MAX {
        options.limit.time = Duration::from_secs(10);
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let meant: Vec<Target> = match options.name.as_str() {
        "all" | "seeds" => TARGETS.into(),
        name => TARGETS.into_iter().filter(|target| target.name == name).collect(),
    };
    if meant.is_empty() {
        let names = TARGETS.map(|target| target.name).join("`, `");
        eprintln!("error: there is no target `{}`\nhelp: write `all` or `{names}`", options.name);
        return ExitCode::from(2);
    }
    let done = match options.name.as_str() {
        "seeds" => meant.iter().try_for_each(write_seeds).map(|()| 0),
        _ => meant.iter().try_fold(0, |sum, target| Ok(sum + run(target, &options)?)),
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a target and returns the number of findings.
fn run(target: &Target, options: &Options) -> io::Result<usize> {
    // The panic hook prints nothing, because each panic is reported once at the end.
    panic::set_hook(Box::new(|_| {}));
    let commit = commit();
    let seeds = read_folder(&corpus(target))?;
    let outcome = hammer(target, &seeds, options.seed, options.threads, options.limit);
    let _ = panic::take_hook();
    let Outcome { executions, reached, findings, slowest, time } = &outcome;
    let (count, seconds) = (findings.len(), time.as_secs_f64());
    let (rate, slowest) = (*executions as f64 / seconds, slowest.as_secs_f64());
    println!(
        "{}: {executions} executions, {count} findings, {reached} results, {rate:.0} a second, \
         64 in {slowest:.3} s at most",
        target.name
    );
    for (number, (message, input)) in findings.iter().enumerate() {
        let path = options.findings.join(format!("{}-{}-{number}", target.name, options.seed));
        println!("  {}: {message}", path.display());
        write(&path, input)?;
    }
    if let Some(path) = &options.report {
        let line = json!({
            "campaign": format!("fuzz/{}", target.name), "oracle": "no panic; see the target",
            "cases": executions, "differences": count, "first": findings.keys().collect::<Vec<_>>(),
            "reached": reached, "seed": options.seed, "seconds": seconds,
            "threads": options.threads, "shard": [1, 1],
            "version": env!("CARGO_PKG_VERSION"), "commit": commit, "cpu": cpu(), "date": today(),
        });
        append(path, &line)?;
    }
    Ok(count)
}

fn write_seeds(target: &Target) -> io::Result<()> {
    let folder = corpus(target);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (number, seed) in seeds(target).iter().enumerate() {
        write(&folder.join(format!("seed-{number:02}")), seed)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, bytes)
}
