//! Parses the command line.

use std::ffi::OsString;

use clap::ArgMatches;

use super::Stop;
use super::asm::{self, Emit};
use super::command::tool;
use super::diff;
use super::dis::{self, From};
use super::exec;
use super::explain::{self, Subject};
use super::export;
#[cfg(feature = "import")]
use super::import;
use super::list;
use super::manual;
use super::random;
use super::settings::{self, Setting};
use super::tool::Profile;
use super::verify;

mod refused;

use refused::{missing, refuse};

/// The command with its options.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Asm(asm::Options),
    Dis(dis::Options),
    Explain(explain::Options),
    /// The code, or `None` for the list of all codes.
    ExplainError(Option<String>),
    Exec(exec::Options),
    ExecJsonl(Option<OsString>),
    List(list::Options),
    Random(random::Options),
    Verify(verify::Options),
    /// A grammar for syntax highlighting in editors.
    Grammar,
    /// The language server.
    #[cfg(feature = "lsp")]
    Lsp,
    /// Completions for a shell.
    Completions(String),
    /// The manual page.
    Man,
    /// The differences between two versions of a set.
    Diff(diff::Options),
    /// The set in a format for other programs.
    Export(export::Options),
    /// Descriptions from other projects, converted to source.
    #[cfg(feature = "import")]
    Import(import::Options),
    /// The manual as HTML pages in a folder.
    Manual(manual::Options),
    /// A help text or the version.
    Print(String),
}

/// The options for diagnostics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    /// Whether diagnostics are coloured. If `None`, it depends on the terminal.
    pub(super) color: Option<bool>,
    /// Whether diagnostics are JSON.
    pub(super) json: bool,
    /// The maximum number of errors that are shown.
    pub(super) limit: usize,
}

/// The default maximum number of errors that are shown.
const ERROR_LIMIT: usize = 20;

impl Default for Style {
    fn default() -> Self {
        Style { color: None, json: false, limit: ERROR_LIMIT }
    }
}

impl Style {
    /// Returns the options for diagnostics before the other arguments are checked, because these options
    /// also apply to errors in the command line.
    pub(super) fn guess(args: &[OsString]) -> Style {
        let mut style = Style::default();
        let args = args.iter().map(|arg| arg.to_str().unwrap_or_default());
        let args: Vec<&str> = args.take_while(|arg| *arg != "--").collect();
        for (at, arg) in args.iter().enumerate() {
            let value = arg
                .strip_prefix("--color=")
                .or_else(|| args.get(at + 1).copied().filter(|_| *arg == "--color"));
            style.color = value.map_or(style.color, color);
            style.json |= *arg == "--json";
        }
        style
    }
}

fn color(when: &str) -> Option<bool> {
    match when {
        "always" => Some(true),
        "never" => Some(false),
        _ => None,
    }
}

/// Parses the arguments after the program name.
pub(super) fn parse(profile: &Profile, args: Vec<OsString>) -> Result<(Command, Style), Stop> {
    let args = [OsString::from(profile.name)].into_iter().chain(spread_settings(args));
    let mut parser = tool(profile);
    let matches = match parser.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) => {
            return refuse(profile, &error, &parser)
                .map(|text| (Command::Print(text), Style::default()));
        }
    };
    let Some((name, found)) = matches.subcommand() else {
        return Err(Stop::Usage(missing(profile)));
    };
    let style = style(found)?;
    let command = match name {
        "asm" => Command::Asm(asm::Options {
            input: path(found, "file"),
            output: path(found, "output"),
            emit: match text(found, "emit") {
                Some("bin") => Emit::Bin,
                Some("listing") => Emit::Listing,
                Some("elf") => Emit::Elf,
                _ => Emit::Hex,
            },
            start: start_address(found)?,
        }),
        "dis" => dis(found)?,
        "explain" => explain(found)?,
        "explain-error" => {
            let code = path(found, "code");
            Command::ExplainError(code.map(|code| code.to_string_lossy().into_owned()))
        }
        "exec" => exec(profile, found)?,
        "list" => Command::List(list::Options {
            patterns: texts(found, "pattern"),
            json: found.get_flag("json"),
        }),
        "random" => Command::Random(random::options(found)?),
        "verify" => Command::Verify(verify::options(found)?),
        "grammar" => Command::Grammar,
        #[cfg(feature = "lsp")]
        "lsp" => Command::Lsp,
        "completions" => Command::Completions(text(found, "shell").unwrap_or_default().into()),
        "diff" => Command::Diff(diff::options(found)),
        "export" => Command::Export(export::Options {
            format: text(found, "format").unwrap_or_default().into(),
            folder: path(found, "folder"),
        }),
        #[cfg(feature = "import")]
        "import" => Command::Import(import::options(found)),
        "manual" => Command::Manual(manual::Options {
            folder: path(found, "folder").unwrap_or_default(),
            engine: path(found, "engine"),
        }),
        _ => Command::Man,
    };
    Ok((command, style))
}

pub(super) fn text<'m>(found: &'m ArgMatches, name: &str) -> Option<&'m str> {
    found.try_get_one::<String>(name).ok().flatten().map(String::as_str)
}

pub(super) fn texts(found: &ArgMatches, name: &str) -> Vec<String> {
    let values = found.try_get_many::<String>(name).ok().flatten();
    values.into_iter().flatten().cloned().collect()
}

fn path(found: &ArgMatches, name: &str) -> Option<OsString> {
    found.try_get_one::<OsString>(name).ok().flatten().cloned()
}

fn style(found: &ArgMatches) -> Result<Style, Stop> {
    let mut style = Style { color: text(found, "color").and_then(color), ..Style::default() };
    style.json = has(found, "json");
    if let Some(limit) = text(found, "error-limit") {
        let number = limit.parse().map_err(|_| {
            Stop::Usage(format!("--error-limit takes a number, 0 for all errors, not `{limit}`"))
        })?;
        style.limit = if number == 0 { usize::MAX } else { number };
    }
    Ok(style)
}

fn start_address(found: &ArgMatches) -> Result<Option<u64>, Stop> {
    let start = text(found, "start-address").map(|text| {
        settings::address(text).map_err(|reason| Stop::Usage(format!("--start-address: {reason}")))
    });
    start.transpose()
}

/// Returns whether a flag is given. Not every tool defines the flag.
fn has(found: &ArgMatches, name: &str) -> bool {
    found.try_get_one::<bool>(name).ok().flatten() == Some(&true)
}

fn dis(found: &ArgMatches) -> Result<Command, Stop> {
    let start = start_address(found)?;
    let (labels, styles) = (has(found, "labels"), texts(found, "style"));
    let has_targets = styles.iter().any(|style| style == "targets");
    Ok(Command::Dis(dis::Options {
        input: path(found, "file"),
        from: match text(found, "from") {
            Some("bin") => From::Bin,
            Some("listing") => From::Listing,
            Some("elf") => From::Elf,
            Some(_) => From::Hex,
            None => From::Text,
        },
        strict: found.get_flag("strict"),
        addresses: found.get_flag("addresses") || start.is_some() || has_targets && !labels,
        start,
        labels,
        style: dis::style(&styles),
    }))
}

fn explain(found: &ArgMatches) -> Result<Command, Stop> {
    let words = found.try_get_many::<OsString>("word").ok().flatten().into_iter().flatten();
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let subject = match text(found, "asm") {
        Some(_) if !words.is_empty() => {
            let message = "explain takes WORDs, or --asm with one text, and not both";
            return Err(Stop::Usage(message.into()));
        }
        Some(text) => Subject::Text(text.into()),
        None => Subject::Words(words),
    };
    Ok(Command::Explain(explain::Options { subject, json: found.get_flag("json") }))
}

fn exec(profile: &Profile, found: &ArgMatches) -> Result<Command, Stop> {
    let (input, texts) = (path(found, "file"), texts(found, "set"));
    let [trace, jsonl, warp] = ["trace", "jsonl", "warp"].map(|name| has(found, name));
    let with_warp = |last: &str| match profile.warp {
        Some(_) => format!("neither --set, --trace{last} --warp"),
        None => format!("neither --set{last} --trace"),
    };
    if jsonl {
        if trace || warp || !texts.is_empty() {
            let others = with_warp(" nor");
            let message = format!("--jsonl goes with {others}: each line has its own state");
            return Err(Stop::Usage(message));
        }
        return Ok(Command::ExecJsonl(input));
    }
    let machine = if warp { &profile.warp } else { &profile.machine };
    let Some(machine) = machine else { return Err(Stop::Usage(missing(profile))) };
    let example = profile.samples().setting;
    let settings = texts.iter().map(|text| {
        let wrong = |reason| Stop::Usage(format!("--set {text}: {reason}"));
        Setting::parse(machine, text, &example).map_err(wrong)
    });
    let settings: Vec<Setting> = settings.collect::<Result<_, _>>()?;
    let places = settings.iter().zip(&texts).map(|(setting, text)| (setting.place, text.as_str()));
    machine.files.distinct(places).map_err(|error| Stop::Usage(format!("--set: {error}")))?;
    Ok(Command::Exec(exec::Options { input, settings, trace, warp, steps: steps(found)? }))
}

fn steps(found: &ArgMatches) -> Result<u64, Stop> {
    Ok(number(found, "steps")?.unwrap_or(exec::STEPS))
}

/// Parses an option with a number.
pub(super) fn number(found: &ArgMatches, name: &str) -> Result<Option<u64>, Stop> {
    let wrong = |text| Stop::Usage(format!("--{name} takes a number, not `{text}`"));
    text(found, name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
}

/// Inserts `--set` before each additional setting that follows one `--set`.
fn spread_settings(args: Vec<OsString>) -> Vec<OsString> {
    let mut spread = Vec::with_capacity(args.len());
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        let is_set = arg == "--set";
        let has_value = arg.to_str().is_some_and(|arg| arg.starts_with("--set="));
        let ends = arg == "--";
        spread.push(arg);
        if ends {
            break;
        }
        if !is_set && !has_value {
            continue;
        }
        if is_set {
            spread.extend(args.next());
        }
        let is_setting = |arg: &OsString| arg.to_str().is_some_and(looks_like_setting);
        while let Some(setting) = args.next_if(is_setting) {
            spread.push("--set".into());
            spread.push(setting);
        }
    }
    spread.extend(args);
    spread
}

/// Returns whether an argument after a setting is another setting: a short word or a memory
/// location, followed by `=`.
fn looks_like_setting(argument: &str) -> bool {
    let Some((name, _)) = argument.split_once('=') else {
        return false;
    };
    let is_word =
        |name: &str| name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match name.split_once('[') {
        Some((name, _)) => !name.is_empty() && is_word(name),
        None => is_word(name),
    }
}

#[cfg(test)]
mod tests {
    use isa_core::machine::Recorder;

    use super::*;
    use crate::Tool;

    isa_core::define_isa! {
        /// One instruction.
        isa Tiny: u128;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Op: 8 = isa_core::operand::Unsigned<8>;
        opcode NOT {
            encoding { field<8, 8> Op op == 1; field<0, 8> Reg rd; } syntax { NOT Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = !Rd; }
        }
    }

    fn tiny() -> Tool<Tiny> {
        Tool::new("isa")
            .machine(|instruction: Tiny, machine: &mut Recorder| instruction.execute(machine))
            .warp::<32>(
                |instruction, lane| instruction.execute(lane),
                |instruction, warp| instruction.execute_warp(warp),
            )
    }

    fn parsed(line: &str) -> Result<Command, String> {
        let args = line.split_whitespace().map(OsString::from).collect();
        let parsed = parse(&tiny().profile, args);
        parsed.map(|(command, _)| command).map_err(|stop| match stop {
            Stop::Usage(message) => message,
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn the_commands_are_put_together_well() {
        tool(&tiny().profile).debug_assert();
        tool(&Tool::<Tiny>::new("bare").profile).debug_assert();
        let whens = super::super::command::COLORS;
        assert!(whens.iter().filter_map(|when| color(when)).eq([true, false]));
    }

    #[test]
    fn settings_end_at_the_file() {
        let setting = |name| Setting::new(Recorder::FILES.place(name).unwrap(), 1);
        let expected = Command::Exec(exec::Options {
            input: Some("code.s".into()),
            settings: ["R1", "c[0][4]", "P0"].map(setting).into(),
            trace: false,
            warp: false,
            steps: exec::STEPS,
        });
        for line in [
            "exec --set R1=1 c[0][4]=1 P0=1 code.s",
            "exec code.s --set R1=1 --set c[0][4]=1 --set=P0=1",
            "exec --set=R1=1 c[0][4]=1 --color never --set P0=1 code.s",
            "--color always exec --set R1=1 c[0][4]=1 --set P0=true -- code.s",
        ] {
            assert_eq!(parsed(line).as_ref(), Ok(&expected), "{line}");
        }
    }

    #[test]
    fn wrong_lines_are_explained() {
        for (line, part) in [
            ("", "a command is missing"),
            ("--color always", "a command is missing"),
            ("asn", "did you mean `asm`?"),
            ("help asn", "did you mean `asm`?"),
            ("--hlep", "did you mean `--help`?"),
            ("asm --emti hex", "did you mean `--emit`?"),
            ("asm --emit hxe", "did you mean `hex`?"),
            ("asm --emit hxe", "--emit takes one of hex, bin, listing, not `hxe`"),
            ("asm --emit", "--emit needs a value"),
            ("asm a b", "unexpected argument `b`\nusage: isa asm [FILE]"),
            ("dis -x", "unknown option `-x`"),
            ("dis --strict=1", "strict"),
            ("dis --start-address x", "--start-address: `x` is no number"),
            ("dis --error-limit many", "--error-limit takes a number, 0 for all"),
            ("asm --color maybe", "--color takes one of auto, always, never, not `maybe`"),
            ("explain 1 --asm x", "WORDs, or --asm with one text"),
            ("exec --set", "--set needs a value"),
            ("exec --set R1", "NAME=VALUE"),
            ("exec --set R999=1", "R0 to R254"),
            ("exec --set R1=1 r2=1", "did you mean `R2`?"),
            ("exec --set R1=1 R1=2", "--set: `R1=1` and `R1=2` both set R1"),
            ("exec --set P0=1 --set R1=1 --set=P0=0", "--set: `P0=1` and `P0=0` both set P0"),
            ("exec --set c[0][4]=1 c[0x0][0x4]=1", "`c[0][4]=1` and `c[0x0][0x4]=1` both set"),
            ("exec --warp --set R1=1 R1=lane", "--set: `R1=1` and `R1=lane` both set R1"),
            ("exec --jsonl --trace", "--jsonl goes with neither"),
            ("exec --jsonl --warp", "--jsonl goes with neither"),
            ("exec --set R1=1,2", "R1: a value for each lane needs --warp"),
            ("exec --set R1=lane", "R1: a value for each lane needs --warp"),
            ("exec --wrap", "did you mean `--warp`?"),
            ("explain-error 1 2", "unexpected argument `2`"),
            ("explain-error --all", "unknown option `--all`"),
            ("completions", "SHELL is missing"),
            ("completions bsh", "did you mean `bash`?"),
            ("completions tcsh", "SHELL takes one of bash, zsh"),
            ("man asm", "unexpected argument `asm`"),
            ("diff a.json", "NEW is missing"),
            ("export", "FORMAT is missing"),
            ("export jsn", "did you mean `json`?"),
            ("manual", "FOLDER is missing"),
        ] {
            let message = parsed(line).err().unwrap_or_default();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
