//! The command `man`, which generates the manual page from the definition of the commands.

use std::io::{self, Write};

use clap::{ArgMatches, Command};
use clap_mangen::Man;

use crate::CommandError;
use crate::profile::Profile;

use super::{Streams, Subcommand};

/// The command `man`.
pub(crate) struct ManCommand;

impl Subcommand for ManCommand {
    const NAME: &'static str = "man";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Prints the manual page")
                .override_usage(format!("{name} man"))
                .after_help(format!(
                    "For example: {name} man > ~/.local/share/man/man1/{name}.1, then: man {name}"
                )),
        )
    }

    fn parse(_: &Profile, _: &ArgMatches) -> Result<Self, CommandError> {
        Ok(ManCommand)
    }

    /// Prints the manual page: the tool, followed by each of its commands.
    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let mut tool = super::definition(profile).disable_help_subcommand(true);
        tool.build();
        let mut page = Vec::new();
        let made = page_of(profile, &tool, &mut page);
        made.and_then(|()| streams.stdout.write_all(&page)).map_err(CommandError::printing)
    }
}

fn page_of(profile: &Profile, tool: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let title = profile.name.to_uppercase();
    let man = Man::new(tool.clone()).title(&*title).source(profile.full_name());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    for command in tool.get_subcommands() {
        let mut part = Vec::new();
        let man = Man::new(command.clone());
        man.render_description_section(&mut part)?;
        if command.get_arguments().next().is_some() {
            man.render_options_section(&mut part)?;
        }
        render_notes(command, &mut part)?;
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replace('-', "\\-");
        writeln!(page, ".SH \"{title} {}\"\n{usage}", command.get_name().to_uppercase())?;
        // The sections of a command become subsections of the section about the command.
        let part = String::from_utf8_lossy(&part).replace("\n.SH ", "\n.SS ");
        let part = part.strip_prefix(".SH ").map_or(part.clone(), |rest| format!(".SS {rest}"));
        page.write_all(part.as_bytes())?;
    }
    render_notes(tool, page)
}

/// Appends the text after the options of a help text, and keeps its line breaks. A table would be
/// unreadable if it were filled as a paragraph.
fn render_notes(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let mut section = Vec::new();
    Man::new(command.clone()).render_extra_section(&mut section)?;
    let section = String::from_utf8_lossy(&section);
    match section.split_once(".SH EXTRA\n") {
        None => Ok(()),
        Some((_, text)) => write!(page, ".SH NOTES\n.nf\n{text}.fi\n"),
    }
}
