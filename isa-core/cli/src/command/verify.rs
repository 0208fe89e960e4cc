//! The command `verify`, which runs the test campaigns of the set.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches, Command};
use isa_verify::campaign::Campaign;
use isa_verify::run::{Progress, Saved, Shard};
use serde_json::json;

use crate::CommandError;
use crate::console::Console;
use crate::profile::Profile;
use crate::suggest;

use super::arguments::{flag, number_option, path_option, wrapped};
use super::values::{number, path, text, texts};
use super::{Streams, Subcommand};

/// The command `verify`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VerifyCommand {
    /// Names of campaigns, or the first parts of names. If there are none, all campaigns run.
    names: Vec<String>,
    list: bool,
    shard: Shard,
    seed: u64,
    count: u64,
    threads: usize,
    resume: Option<OsString>,
    report: Option<OsString>,
    /// A property, a seed and the index of a case.
    case: Option<(String, u64, u64)>,
}

impl Subcommand for VerifyCommand {
    const NAME: &'static str = "verify";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Runs the property tests of the set for any number of cases")
                .override_usage(format!(
                    "{name} verify [CAMPAIGN...] [--count N] [--seed S] [--shard K/N]\n       \
                     [--resume FILE] [--report FILE] [--threads N]\n       \
                     {name} verify --list | {name} verify --case PROPERTY:S:N"
                ))
                .arg(
                    Arg::new("campaign").value_name("CAMPAIGN").action(ArgAction::Append).help(wrapped(
                        "A campaign, or the common prefix of several before a `/`; without CAMPAIGN, all of them run",
                    )),
                )
                .arg(flag("list", "Lists the campaigns, with the number of cases and the reference of each"))
                .arg(number_option("count", &format!("The number of cases for each property (default {COUNT})")))
                .arg(number_option("seed", "The seed of the random cases (default 1)"))
                .arg(
                    Arg::new("shard")
                        .long("shard")
                        .value_name("K/N")
                        .help(wrapped("Runs only part K of N, counted from 1; the N parts together are all cases")),
                )
                .arg(path_option("resume", "Saves the state in FILE, and continues from it if it exists"))
                .arg(path_option("report", "Appends one line of JSON to FILE for each campaign"))
                .arg(number_option("threads", "The number of threads (default: one for each core)"))
                .arg(
                    Arg::new("case")
                        .long("case")
                        .value_name("PROPERTY:S:N")
                        .help(wrapped("Runs only case N of seed S; the message of a failed case contains PROPERTY:S:N")),
                )
                .after_help(
                    "For each campaign, prints one line with the number of cases and differences, followed by\n\
                     the first differences. The exit status is 1 if there is a difference. The page\n\
                     `campaigns` of isa-verify describes how to run shards as array jobs of a scheduler.",
                )
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let shard = text(matches, "shard").map_or(Ok(Shard::WHOLE), |text| {
            let wrong = || {
                CommandError::Usage(format!(
                    "invalid value for --shard: expected K/N with K from 1 to N, found `{text}`"
                ))
            };
            Shard::parse(text).ok_or_else(wrong)
        })?;
        let case = text(matches, "case").map(|text| {
            let mut parts = text.rsplitn(3, ':');
            let mut next = || parts.next()?.parse().ok();
            let (number, seed) = (next(), next());
            let mut case = || Some((parts.next()?.to_owned(), seed?, number?));
            let wrong = || {
                format!("invalid value for --case: expected PROPERTY:SEED:NUMBER, found `{text}`")
            };
            case().ok_or_else(|| CommandError::Usage(wrong()))
        });
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = number(matches, "threads")?;
        Ok(VerifyCommand {
            names: texts(matches, "campaign"),
            list: matches.get_flag("list"),
            shard,
            seed: number(matches, "seed")?.unwrap_or(1),
            count: number(matches, "count")?.unwrap_or(COUNT).max(1),
            threads: threads
                .and_then(|count| usize::try_from(count).ok())
                .unwrap_or_else(cores)
                .max(1),
            resume: path(matches, "resume"),
            report: path(matches, "report"),
            case: case.transpose()?,
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdout, console, .. } = streams;
        let subject = profile.subject.make().features(profile.features);
        if let Some((property, seed, number)) = &self.case {
            if !subject.property_names().any(|known| known == property) {
                let hint = suggest::hint(property, subject.property_names());
                return Err(CommandError::Usage(format!("unknown property `{property}`{hint}")));
            }
            return match subject.try_case(property, *seed, *number) {
                Ok(()) => writeln!(stdout, "{property}: case {number} of seed {seed}: passed")
                    .map_err(CommandError::printing),
                Err(failure) => {
                    writeln!(stdout, "{failure}").map_err(CommandError::printing)?;
                    Err(CommandError::System("the case failed".to_owned()))
                }
            };
        }
        let meant = chosen(profile, subject.campaigns(self.seed, self.count), &self.names)?;
        if self.list {
            return meant.iter().try_for_each(
                |Campaign { name, oracle, units, cases_each, .. }| {
                    let cases = units.saturating_mul(*cases_each);
                    writeln!(stdout, "{name:28} {cases:>16} cases  {oracle}")
                        .map_err(CommandError::printing)
                },
            );
        }
        // Computing the identity of the state takes time, so it is done only if a state is used.
        let state = self.resume.as_ref().map(|_| state_of(profile, self)).unwrap_or_default();
        let mut saved = Saved::new(&state, self.shard);
        if let Some(path) = &self.resume {
            let wrong = |error| format!("{}: {error}; choose another file", path.to_string_lossy());
            saved.load(Path::new(path)).map_err(|error| CommandError::Usage(wrong(error)))?;
        }
        let mut differing = 0;
        for campaign in meant {
            let progress = finish(&campaign, self, &mut saved, console)?;
            console.clear_progress();
            report(profile, &campaign, &progress, self, stdout)?;
            differing += usize::from(progress.tally.differences > 0);
        }
        match differing {
            0 => Ok(()),
            1 => Err(CommandError::System("one campaign found differences".to_owned())),
            count => Err(CommandError::System(format!("{count} campaigns found differences"))),
        }
    }
}

/// The default number of cases for each property.
const COUNT: u64 = 1_000_000;

/// The interval between saves of the state.
const SAVED: Duration = Duration::from_secs(5);

/// The approximate duration of a batch of work units. It is short, so that a killed run loses
/// little work.
const BATCH: Duration = Duration::from_millis(500);

/// Returns the campaigns whose names match `names`. Each name must match at least one campaign. If
/// there are no names, returns all campaigns.
fn chosen(
    profile: &Profile,
    campaigns: Vec<Campaign>,
    names: &[String],
) -> Result<Vec<Campaign>, CommandError> {
    let is = |campaign: &Campaign, name: &str| {
        campaign
            .name
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    for name in names {
        if !campaigns.iter().any(|campaign| is(campaign, name)) {
            let hint = suggest::hint(name, campaigns.iter().map(|campaign| &*campaign.name));
            let tool = profile.name;
            return Err(CommandError::Usage(format!(
                "unknown campaign `{name}`{hint}\n`{tool} verify --list` lists all of them"
            )));
        }
    }
    let wanted =
        |campaign: &Campaign| names.is_empty() || names.iter().any(|name| is(campaign, name));
    Ok(campaigns.into_iter().filter(wanted).collect())
}

/// Identifies everything that affects the results: the tables of the set, the seed and the number
/// of cases.
fn state_of(profile: &Profile, command: &VerifyCommand) -> String {
    let set = isa_core::describe::json(profile.set.processor).to_string();
    let digest = set.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!(
        "{} {digest:016x} seed {} count {}",
        profile.set.tables.name, command.seed, command.count
    )
}

/// Runs the remaining work units of a campaign.
fn finish(
    campaign: &Campaign,
    command: &VerifyCommand,
    saved: &mut Saved,
    console: &mut Console<'_>,
) -> Result<Progress, CommandError> {
    let mut progress = saved.progress(campaign).map_err(CommandError::Usage)?;
    let (mut last, mut batch) = (Instant::now(), command.threads as u64);
    while !progress.is_complete(campaign, command.shard) {
        let start = Instant::now();
        progress.advance(campaign, command.shard, command.threads, batch);
        progress.seconds += start.elapsed().as_secs_f64();
        batch = if start.elapsed() < BATCH { batch * 2 } else { batch };
        console.progress_as(|| describe(campaign, &progress, command.shard));
        let is_done = progress.is_complete(campaign, command.shard);
        if let Some(path) = command.resume.as_ref().filter(|_| is_done || last.elapsed() > SAVED) {
            last = Instant::now();
            let written = saved.save(Path::new(path), campaign, &progress);
            written.map_err(|error| CommandError::saving(&path.to_string_lossy(), &error))?;
        }
    }
    Ok(progress)
}

/// Describes the progress of a campaign.
fn describe(campaign: &Campaign, progress: &Progress, shard: Shard) -> String {
    let share = progress.done as f64 / shard.units(campaign.units).max(1) as f64;
    let left = progress.seconds * (1.0 - share) / share.max(f64::MIN_POSITIVE);
    let Progress { tally, .. } = progress;
    let found = match tally.differences {
        0 => String::new(),
        count => format!(", {count} differences"),
    };
    format!("{:5.1} %  {}: {left:.0} s left{found}", share * 100.0, campaign.name)
}

/// Prints the line of a completed campaign with its first differences.
fn report(
    profile: &Profile,
    campaign: &Campaign,
    progress: &Progress,
    command: &VerifyCommand,
    stdout: &mut dyn Write,
) -> Result<(), CommandError> {
    let Progress { tally, seconds, .. } = progress;
    let (name, cases, differences) = (&campaign.name, tally.cases, tally.differences);
    let mut print =
        |line: String| stdout.write_all(line.as_bytes()).map_err(CommandError::printing);
    print(format!("{name}: {cases} cases, {differences} differences, {seconds:.1} s\n"))?;
    for difference in &tally.first {
        print(difference.lines().map(|line| format!("  {line}\n")).collect())?;
    }
    stdout.flush().map_err(CommandError::printing)?;
    let Some(path) = &command.report else { return Ok(()) };
    // The seed is text because it has up to 64 bits, and many JSON readers represent numbers
    // exactly only up to 2^53.
    let seed = command.seed.to_string();
    let line = json!({
        "set": profile.set.tables.name, "campaign": name, "oracle": campaign.oracle, "cases": cases,
        "differences": differences, "first": tally.first, "seconds": seconds,
        "threads": command.threads, "seed": seed, "version": profile.version,
        "shard": [command.shard.index + 1, command.shard.count],
    });
    append(Path::new(path), &format!("{line}\n"))
        .map_err(|error| CommandError::saving(&path.to_string_lossy(), &error))
}

/// Appends a line to a file with a single call, so that lines of several processes are not mixed.
fn append(path: &Path, line: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}
