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

use crate::Stop;
use crate::tool::Profile;
use folder::Folder;
use site::Site;

/// What pages look like, and what they do.
const STYLE: &str = include_str!("assets/manual.css");
const SCRIPT: &str = include_str!("assets/manual.js");

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
