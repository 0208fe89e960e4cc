//! The command `manual`: the set as a folder of pages that open from a disk, without a network.
//!
//! A page is HTML that can be read without a script; the script adds the search, the zoom of the map and the
//! switch between light and dark. What a page says, it has from the tables of the set.

mod example;
mod folder;
mod frame;
mod html;
mod map;
mod markdown;
mod opcode;
mod overview;
mod parts;
mod picture;
mod search;
mod site;
mod source;
mod space;
mod syntax;

use std::ffi::OsString;
use std::io::Write;

use clap::{Arg, Command as Parser, ValueHint, value_parser};

use crate::Stop;
use crate::command::wrapped;
use crate::tool::Profile;
use folder::Folder;
use site::Site;

/// What pages look like, and what they do.
const STYLE: &str = include_str!("assets/manual.css");
const SCRIPT: &str = include_str!("assets/manual.js");

/// The command line.
pub(super) fn command(name: &str) -> Parser {
    Parser::new("manual")
        .about("Writes the manual of the set: pages for a browser")
        .override_usage(format!("{name} manual FOLDER"))
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::DirPath)
                .help(wrapped("Where to: a new folder, an empty one, or one with a manual, which it replaces")),
        )
        .after_help(
            "Pages of each opcode, group, value set and operand kind, of the language and of all\n\
             words, with a search. They need no network and no server: open FOLDER/index.html, whose\n\
             path is printed. On an error FOLDER stays as it is; a run that is killed may leave\n\
             FOLDER.part, which the next one removes.",
        )
}

/// Writes the manual of a set into a folder, and prints the path of its first page.
pub(super) fn run(profile: &Profile, path: &OsString, stdout: &mut dyn Write) -> Result<(), Stop> {
    let mut folder = Folder::begin(path)?;
    let site = Site::new(profile);
    folder.put("assets/manual.css", STYLE)?;
    folder.put("assets/manual.js", SCRIPT)?;
    folder.put("assets/search.js", &search::index(&site))?;
    folder.put("index.html", &overview::index(&site))?;
    folder.put("groups/index.html", &parts::groups(&site))?;
    folder.put("kinds/index.html", &parts::kinds(&site))?;
    folder.put("language/index.html", &overview::language(&site))?;
    folder.put("illegal/index.html", &overview::illegal(&site))?;
    folder.put("map/index.html", &map::page(&site))?;
    for (at, entry) in site.opcodes.iter().enumerate() {
        folder.put(&entry.page, &opcode::page(&site, at))?;
    }
    for entry in &site.groups {
        folder.put(&entry.page, &parts::group(&site, entry))?;
    }
    for entry in &site.kinds {
        folder.put(&entry.page, &parts::kind(&site, entry))?;
    }
    folder.finish()?;
    let index = std::path::Path::new(path).join("index.html");
    writeln!(stdout, "{}", index.display()).map_err(Stop::printing)
}
