//! The command `lsp`, which runs the language server.

use clap::{ArgMatches, Command};

use crate::CommandError;
use crate::lsp;
use crate::profile::Profile;

use super::arguments::flag;
use super::{Streams, Subcommand};

/// The command `lsp`.
pub(crate) struct LspCommand;

impl Subcommand for LspCommand {
    const NAME: &'static str = "lsp";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
            .about("Runs a language server for editors")
            .override_usage(format!("{name} lsp"))
            .arg(flag("stdio", "Communicates over standard input and output, which is the default"))
            .after_help(
                "The server speaks the language server protocol. It reports errors, completes text,\n\
                 explains each bit of an instruction, finds and renames labels, highlights tokens, and\n\
                 formats instructions.",
            )
        )
    }

    fn parse(_: &Profile, _: &ArgMatches) -> Result<Self, CommandError> {
        Ok(LspCommand)
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        lsp::run(profile, &mut *streams.stdin, &mut *streams.stdout)
    }
}
