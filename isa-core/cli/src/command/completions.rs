//! The command `completions`, which generates the completions of a shell from the definition of the
//! commands.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;

use crate::CommandError;
use crate::profile::Profile;

use super::arguments::wrapped;
use super::values::text;
use super::{Streams, Subcommand};

/// The command `completions`.
pub(crate) struct CompletionsCommand {
    shell: Shell,
}

impl Subcommand for CompletionsCommand {
    const NAME: &'static str = "completions";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let shells = vec!["bash", "zsh", "fish", "powershell", "elvish"];
        Some(
            Command::new(Self::NAME)
                .about("Prints the completions of a shell")
                .override_usage(format!("{name} completions bash|zsh|fish|powershell|elvish"))
                .arg(
                    Arg::new("shell")
                        .value_name("SHELL")
                        .required(true)
                        .value_parser(PossibleValuesParser::new(shells))
                        .help(wrapped("The shell")),
                )
                .after_help(format!(
                    "For example, in bash: {name} completions bash > \
                 ~/.local/share/bash-completion/completions/{name}",
                )),
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let shell = match text(matches, "shell") {
            Some("zsh") => Shell::Zsh,
            Some("fish") => Shell::Fish,
            Some("powershell") => Shell::PowerShell,
            Some("elvish") => Shell::Elvish,
            _ => Shell::Bash,
        };
        Ok(CompletionsCommand { shell })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let mut text = Vec::new();
        let mut commands = super::definition(profile);
        clap_complete::generate(self.shell, &mut commands, profile.name, &mut text);
        streams.stdout.write_all(&text).map_err(CommandError::printing)
    }
}
