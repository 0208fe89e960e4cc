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
            .about("Serves an editor that knows the language server protocol")
            .override_usage(format!("{name} lsp"))
            .arg(flag("stdio", "On standard input and output; without it as well"))
            .after_help(
                "It tells an editor what is wrong with a text, what may stand at a place, what an\n\
                 instruction is, bit by bit, where labels are defined and named, and what each token is,\n\
                 and it renames labels and formats instructions.",
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
