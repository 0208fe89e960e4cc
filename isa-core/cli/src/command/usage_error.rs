//! Converts errors of the command-line parser to the messages of the tool.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use isa_core::shown::Shown;

use crate::CommandError;
use crate::profile::Profile;
use crate::suggest;

/// Returns the message for a command line without a command.
pub(crate) fn missing_command(profile: &Profile) -> String {
    format!("missing command\n{}", short(profile))
}

/// Returns the last line of a message about an invalid command line.
fn short(profile: &Profile) -> String {
    format!("`{} --help` lists the commands", profile.name)
}

/// Returns the help text or version if the user requested it, and otherwise the error in the
/// command line.
pub(crate) fn usage_error(
    profile: &Profile,
    error: &clap::Error,
    parser: &Command,
) -> Result<String, CommandError> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Shown(text).to_string(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let usage = usage.replace("Usage: ", "usage: ");
    let tool = profile.name;
    let command = usage.strip_prefix("usage: ").and_then(|rest| rest.strip_prefix(tool));
    let command = command.and_then(|rest| rest.strip_prefix(' '));
    let command = command.and_then(|rest| rest.split(' ').next());
    let command = command.and_then(|name| parser.find_subcommand(name));
    let argument = context(ContextKind::InvalidArg);
    // The parser includes the placeholder in the name, as in `--emit <FORM>`.
    let option = argument.split([' ', '[', '=']).next().unwrap_or_default();
    let option = option.trim_matches(['<', '>']);
    Err(CommandError::Usage(match error.kind() {
        ErrorKind::DisplayHelp => return Ok(error.render().to_string()),
        ErrorKind::DisplayVersion => {
            return Ok(profile.full_name() + "\n");
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            missing_command(profile)
        }
        ErrorKind::InvalidSubcommand => {
            unknown_command(profile, &context(ContextKind::InvalidSubcommand), parser)
        }
        ErrorKind::UnknownArgument if command.is_none() && !argument.starts_with('-') => {
            unknown_command(profile, &argument, parser)
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') && argument != "-" => {
            let owner = command.unwrap_or(parser);
            let known: Vec<String> = owner
                .get_arguments()
                .filter_map(clap::Arg::get_long)
                .chain(["help", "version"])
                .map(|name| format!("--{name}"))
                .collect();
            let hint = suggest::hint(&argument, known.iter().map(String::as_str));
            let name =
                command.map_or(tool.to_owned(), |command| format!("{tool} {}", command.get_name()));
            format!("unknown option `{argument}`{hint}\n`{name} --help` lists the options")
        }
        ErrorKind::UnknownArgument => format!("unexpected argument `{argument}`\n{usage}"),
        ErrorKind::InvalidValue => {
            let value = context(ContextKind::InvalidValue);
            let names = context(ContextKind::ValidValue);
            match (value.as_str(), names.as_str()) {
                ("", _) => format!("missing value for {option}"),
                (_, "") => format!("invalid value for {option}: `{value}`"),
                _ => {
                    let hint = suggest::hint(&value, names.split(", "));
                    format!(
                        "invalid value for {option}: expected one of {names}, found `{value}`{hint}"
                    )
                }
            }
        }
        ErrorKind::TooManyValues => format!("unexpected value for {option}"),
        ErrorKind::MissingRequiredArgument => {
            format!("{} is missing\n{usage}", argument.trim_matches(['<', '>']))
        }
        ErrorKind::InvalidUtf8 => format!("an argument is not UTF-8\n{usage}"),
        _ => error.render().to_string().trim_start_matches("error: ").trim_end().to_owned(),
    }))
}

fn unknown_command(profile: &Profile, name: &str, parser: &Command) -> String {
    let short = short(profile);
    if name == "exec" {
        return format!(
            "there is no `exec`: the tool has no machine that executes instructions\n{short}"
        );
    }
    let hint = suggest::hint(name, parser.get_subcommands().map(Command::get_name));
    format!("unknown command `{name}`{hint}\n{short}")
}
