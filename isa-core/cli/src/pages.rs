//! Generates shell completions and the manual page from the definition of the commands.

use std::io::Write;

use clap_complete::Shell;
use clap_mangen::Man;

use super::Stop;
use super::command::tool;
use super::tool::Profile;

/// Prints the completions for a shell.
pub(super) fn completions(
    profile: &Profile,
    shell: &str,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let shell = match shell {
        "zsh" => Shell::Zsh,
        "fish" => Shell::Fish,
        "powershell" => Shell::PowerShell,
        "elvish" => Shell::Elvish,
        _ => Shell::Bash,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut tool(profile), profile.name, &mut text);
    stdout.write_all(&text).map_err(Stop::printing)
}

/// Prints the manual page: the tool, followed by each of its commands.
pub(super) fn manual(profile: &Profile, stdout: &mut dyn Write) -> Result<(), Stop> {
    let mut tool = tool(profile).disable_help_subcommand(true);
    tool.build();
    let mut page = Vec::new();
    let made = page_of(profile, &tool, &mut page);
    made.and_then(|()| stdout.write_all(&page)).map_err(Stop::printing)
}

fn page_of(profile: &Profile, tool: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
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
fn render_notes(command: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    let mut section = Vec::new();
    Man::new(command.clone()).render_extra_section(&mut section)?;
    let section = String::from_utf8_lossy(&section);
    match section.split_once(".SH EXTRA\n") {
        None => Ok(()),
        Some((_, text)) => write!(page, ".SH NOTES\n.nf\n{text}.fi\n"),
    }
}
