//! The command line.

use std::ffi::{OsStr, OsString};

use lexopt::{Arg, Parser};

use super::Stop;
use super::asm::{self, Emit};
use super::dis::{self, From};
use super::exec;
use super::explain::Subject;
use super::help::{self, COMMANDS};
use super::location::Location;
use super::suggest;
use super::warp::{self, Lanes};

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Asm(asm::Options),
    Dis(dis::Options),
    Explain(Subject),
    /// A code, or none for the list of all.
    ExplainError(Option<String>),
    Exec(exec::Options),
    ExecJsonl(Option<OsString>),
    ExecWarp(warp::Options),
    List,
    /// Help, or the version.
    Print(String),
}

/// Reads the arguments behind the program's name.
pub(super) fn parse(args: Vec<OsString>) -> Result<Command, Stop> {
    let mut parser = Parser::from_args(args);
    let found = Found::next(&mut parser)?;
    let name = match &found {
        None => {
            return Err(Stop::Usage(format!("a command is missing\n{}", help::SHORT)));
        }
        Some(Found::Positional(name)) => name.to_string_lossy().into_owned(),
        Some(Found::Option(option)) => {
            return match option.as_str() {
                "-h" | "--help" => Ok(Command::Print(help::main())),
                "-V" | "--version" => Ok(Command::Print(help::version())),
                _ => Err(unexpected(option, &["--help", "--version"], "isa")),
            };
        }
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        if name == "help" {
            return help_command(&mut parser);
        }
        return Err(unknown_command(&name));
    };
    let args = Arguments { parser, command };
    match command.name {
        "asm" => args.asm(),
        "dis" => args.dis(),
        "explain" => args.explain(),
        "explain-error" => args.explain_error(),
        "exec" => args.exec(),
        _ => args.list(),
    }
}

fn unknown_command(name: &str) -> Stop {
    let hint = suggest::hint(name, COMMANDS.iter().map(|command| command.name));
    Stop::Usage(format!("unknown command `{name}`{hint}\n{}", help::SHORT))
}

/// `isa help [COMMAND]`
fn help_command(parser: &mut Parser) -> Result<Command, Stop> {
    let name = match Found::next(parser)? {
        Some(Found::Positional(name)) => name.to_string_lossy().into_owned(),
        _ => return Ok(Command::Print(help::main())),
    };
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => Ok(Command::Print(help::of(command))),
        None => Err(unknown_command(&name)),
    }
}

fn unexpected(option: &str, known: &[&str], command: &str) -> Stop {
    let hint = suggest::hint(option, known.iter().copied());
    Stop::Usage(format!("unknown option `{option}`{hint}\n`{command} --help` lists the options"))
}

fn usage(error: &lexopt::Error) -> Stop {
    Stop::Usage(error.to_string())
}

/// The next argument, apart from its parser.
enum Found {
    /// An option with its dashes.
    Option(String),
    Positional(OsString),
}

impl Found {
    fn next(parser: &mut Parser) -> Result<Option<Found>, Stop> {
        Ok(match parser.next().map_err(|error| usage(&error))? {
            None => None,
            Some(Arg::Short(name)) => Some(Found::Option(format!("-{name}"))),
            Some(Arg::Long(name)) => Some(Found::Option(format!("--{name}"))),
            Some(Arg::Value(value)) => Some(Found::Positional(value)),
        })
    }
}

/// The arguments behind a command.
struct Arguments {
    parser: Parser,
    command: &'static help::Command,
}

impl Arguments {
    fn next(&mut self) -> Result<Option<Found>, Stop> {
        Found::next(&mut self.parser)
    }

    /// Any option that the command does not treat itself.
    fn other(&self, option: &str) -> Result<Command, Stop> {
        match option {
            "-h" | "--help" => Ok(Command::Print(help::of(self.command))),
            "-V" | "--version" => Ok(Command::Print(help::version())),
            _ => {
                let command = format!("isa {}", self.command.name);
                Err(unexpected(option, self.command.options, &command))
            }
        }
    }

    /// The value behind an option.
    fn value(&mut self, option: &str) -> Result<OsString, Stop> {
        self.parser.value().map_err(|_| Stop::Usage(format!("{option} needs a value")))
    }

    fn text(&mut self, option: &str) -> Result<String, Stop> {
        let not_text = |value: OsString| {
            let value = value.to_string_lossy().into_owned();
            Stop::Usage(format!("the value of {option} is not UTF-8: {value}"))
        };
        self.value(option)?.into_string().map_err(not_text)
    }

    /// A value out of a few.
    fn choice<T: Copy>(&mut self, option: &str, choices: &[(&str, T)]) -> Result<T, Stop> {
        let value = self.text(option)?;
        let names = choices.iter().map(|(name, _)| *name);
        match choices.iter().find(|(name, _)| *name == value) {
            Some((_, choice)) => Ok(*choice),
            None => {
                let hint = suggest::hint(&value, names.clone());
                let names: Vec<&str> = names.collect();
                let names = names.join(", ");
                Err(Stop::Usage(format!("{option} takes one of {names}, not `{value}`{hint}")))
            }
        }
    }

    /// The one file, or code, that a command takes.
    fn file(&self, place: &mut Option<OsString>, file: OsString) -> Result<(), Stop> {
        match place.replace(file.clone()) {
            None => Ok(()),
            Some(_) => Err(self.superfluous(&file)),
        }
    }

    fn superfluous(&self, argument: &OsStr) -> Stop {
        let argument = argument.to_string_lossy();
        let usage = self.command.usage;
        Stop::Usage(format!("unexpected argument `{argument}`\nusage: {usage}"))
    }

    fn asm(mut self) -> Result<Command, Stop> {
        let mut options = asm::Options::default();
        while let Some(found) = self.next()? {
            match found {
                Found::Option(name) => match name.as_str() {
                    "--emit" => {
                        let choices =
                            [("hex", Emit::Hex), ("bin", Emit::Bin), ("listing", Emit::Listing)];
                        options.emit = self.choice("--emit", &choices)?;
                    }
                    "-o" | "--output" => options.output = Some(self.value(&name)?),
                    _ => return self.other(&name),
                },
                Found::Positional(file) => self.file(&mut options.input, file)?,
            }
        }
        Ok(Command::Asm(options))
    }

    fn dis(mut self) -> Result<Command, Stop> {
        let mut options = dis::Options::default();
        while let Some(found) = self.next()? {
            match found {
                Found::Option(name) => match name.as_str() {
                    "--from" => {
                        let choices = [("hex", From::Hex), ("bin", From::Bin)];
                        options.from = self.choice("--from", &choices)?;
                    }
                    "--strict" => options.strict = true,
                    _ => return self.other(&name),
                },
                Found::Positional(file) => self.file(&mut options.input, file)?,
            }
        }
        Ok(Command::Dis(options))
    }

    fn explain(mut self) -> Result<Command, Stop> {
        let mut subject = None;
        while let Some(found) = self.next()? {
            let found = match found {
                Found::Option(name) if name == "--asm" => Subject::Text(self.text("--asm")?),
                Found::Option(name) => return self.other(&name),
                Found::Positional(word) => Subject::Word(word.to_string_lossy().into_owned()),
            };
            if subject.replace(found).is_some() {
                let message = "explain takes one WORD, or --asm with one text";
                return Err(Stop::Usage(message.into()));
            }
        }
        subject
            .map(Command::Explain)
            .ok_or_else(|| Stop::Usage(format!("a word is missing\nusage: {}", self.command.usage)))
    }

    fn explain_error(mut self) -> Result<Command, Stop> {
        let mut code = None;
        while let Some(found) = self.next()? {
            match found {
                Found::Option(name) => return self.other(&name),
                Found::Positional(argument) => self.file(&mut code, argument)?,
            }
        }
        let code = code.map(|code| code.to_string_lossy().into_owned());
        Ok(Command::ExplainError(code))
    }

    fn exec(mut self) -> Result<Command, Stop> {
        let (mut input, mut texts) = (None, Vec::new());
        let (mut trace, mut jsonl, mut warp) = (false, false, false);
        while let Some(found) = self.next()? {
            match found {
                Found::Option(name) => match name.as_str() {
                    "--set" => self.settings(&mut texts)?,
                    "--trace" => trace = true,
                    "--jsonl" => jsonl = true,
                    "--warp" => warp = true,
                    _ => return self.other(&name),
                },
                Found::Positional(file) => self.file(&mut input, file)?,
            }
        }
        if jsonl {
            if trace || warp || !texts.is_empty() {
                let message = "--jsonl goes with neither --set, --trace nor --warp: \
                    each line has its own state";
                return Err(Stop::Usage(message.into()));
            }
            return Ok(Command::ExecJsonl(input));
        }
        if warp {
            let settings = all(&texts, Lanes::parse)?;
            return Ok(Command::ExecWarp(warp::Options { input, settings, trace }));
        }
        let settings = all(&texts, |location, text| {
            if matches!(text, "lane") || text.contains(',') {
                return Err(format!("{location}: a value for each lane needs --warp"));
            }
            location.parse_value(text)
        })?;
        Ok(Command::Exec(exec::Options { input, settings, trace }))
    }

    /// The value of `--set`, and those of the following arguments that are settings too.
    fn settings(&mut self, settings: &mut Vec<String>) -> Result<(), Stop> {
        settings.push(self.text("--set")?);
        while let Some(mut rest) = self.parser.try_raw_args() {
            let is_setting = |arg: &OsStr| arg.to_str().is_some_and(looks_like_setting);
            let Some(next) = rest.next_if(is_setting) else {
                return Ok(());
            };
            settings.push(next.to_string_lossy().into_owned());
        }
        Ok(())
    }

    fn list(mut self) -> Result<Command, Stop> {
        match self.next()? {
            None => Ok(Command::List),
            Some(Found::Option(name)) => self.other(&name),
            Some(Found::Positional(argument)) => Err(self.superfluous(&argument)),
        }
    }
}

/// Whether an argument behind a setting is one more: a short word, or constant memory, and `=`.
fn looks_like_setting(argument: &str) -> bool {
    let Some((name, _)) = argument.split_once('=') else {
        return false;
    };
    let word = name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    word || name.starts_with("c[")
}

/// Reads settings, `R1=0x3c003c00`, each with its value by `parse`.
fn all<V>(
    texts: &[String],
    parse: impl Fn(Location, &str) -> Result<V, String>,
) -> Result<Vec<(Location, V)>, Stop> {
    let setting = |text: &String| {
        let wrong = |reason: String| Stop::Usage(format!("--set {text}: {reason}"));
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| wrong("a setting is NAME=VALUE, as in R1=0x3c003c00".into()))?;
        let location = Location::parse(name).map_err(wrong)?;
        let value = parse(location, value).map_err(wrong)?;
        Ok((location, value))
    };
    texts.iter().map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::super::location::Value;
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        let args = line.split_whitespace().map(OsString::from).collect();
        parse(args).map_err(|stop| match stop {
            Stop::Usage(message) => message,
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn settings_end_at_the_file() {
        let one = Value::Word(1);
        let expected = Command::Exec(exec::Options {
            input: Some("code.s".into()),
            settings: vec![
                (Location::Reg(1), one),
                (Location::Const { bank: 0, offset: 4 }, one),
                (Location::Pred(0), Value::Truth(true)),
            ],
            trace: false,
        });
        for line in [
            "exec --set R1=1 c[0][4]=1 P0=1 code.s",
            "exec code.s --set R1=1 --set c[0][4]=1 --set=P0=1",
            "exec --set R1=1 c[0][4]=1 --set P0=true -- code.s",
        ] {
            assert_eq!(parsed(line).as_ref(), Ok(&expected), "{line}");
        }
    }

    #[test]
    fn wrong_lines_are_explained() {
        for (line, part) in [
            ("", "a command is missing"),
            ("asn", "did you mean `asm`?"),
            ("--hlep", "did you mean `--help`?"),
            ("asm --emti hex", "did you mean `--emit`?"),
            ("asm --emit hxe", "did you mean `hex`?"),
            ("asm --emit", "--emit needs a value"),
            ("asm a b", "unexpected argument `b`"),
            ("dis -x", "unknown option `-x`"),
            ("dis --strict=1", "strict"),
            ("explain", "a word is missing"),
            ("explain 1 2", "one WORD"),
            ("explain 1 --asm x", "one WORD"),
            ("exec --set", "--set needs a value"),
            ("exec --set R1", "NAME=VALUE"),
            ("exec --set R999=1", "R0 to R254"),
            ("exec --set R1=1 r2=1", "did you mean `R2`?"),
            ("exec --jsonl --trace", "--jsonl goes with neither"),
            ("exec --jsonl --warp", "--jsonl goes with neither"),
            ("exec --set R1=1,2", "R1: a value for each lane needs --warp"),
            ("exec --set R1=lane", "R1: a value for each lane needs --warp"),
            ("exec --wrap", "did you mean `--warp`?"),
            ("explain-error 1 2", "unexpected argument `2`"),
            ("explain-error --all", "unknown option `--all`"),
            ("list all", "unexpected argument `all`"),
        ] {
            let message = parsed(line).err().unwrap_or_default();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
