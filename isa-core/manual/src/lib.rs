//! Writes the manual of an instruction set: a folder of pages that open from disk, without a
//! network.
//!
//! A page is HTML that can be read without the script. The script adds the search, the zoom of the
//! map and the switch between the light and dark theme. All content of a page comes from the tables
//! of the set.
//!
#![doc = include_str!("../README.md")]

mod declarations;
mod example;
mod folder;
mod frame;
mod functions;
mod highlight;
mod html;
mod language;
mod map;
mod markdown;
mod opcode;
mod overview;
mod picture;
mod search;
mod site;
mod space;
mod syntax;
mod try_page;
mod versions;

use std::path::{Path, PathBuf};
use std::{fmt, io};

use isa_core::shown::Shown;
use isa_core::table::InstructionSet;

pub use picture::{DrawnField, WordLayout};
pub use versions::{Change, ChangedOpcode, ChangedWords, Versions};

use folder::Folder;
use site::Site;

/// The style sheet and the script of the pages.
const STYLE: &str = include_str!("assets/manual.css");
const SCRIPT: &str = include_str!("assets/manual.js");

/// The first bytes of a WebAssembly module.
const MODULE: &[u8] = b"\0asm";

/// The manual of a set, with its options.
#[derive(Debug, Clone)]
pub struct Manual {
    set: &'static InstructionSet,
    comment: Option<&'static str>,
    made_by: String,
    engine: Option<Vec<u8>>,
    language: Option<String>,
}

impl Manual {
    /// Creates the manual of a set: `Manual::new(Tiny::SET)`.
    #[must_use]
    pub fn new(set: &'static InstructionSet) -> Self {
        // A manual describes one processor.
        let set = if set.features.is_empty() { set } else { set.specialized(set.enabled) };
        Manual { set, comment: None, made_by: "isa-manual".into(), engine: None, language: None }
    }

    /// Sets the sign, in addition to `//`, that begins a comment up to the end of the line. Use it for a
    /// set whose statements end at the end of a line.
    #[must_use]
    pub fn comment(mut self, sign: &'static str) -> Self {
        self.comment = Some(sign);
        self
    }

    /// Sets the program that the footer of each page names. The default is `isa-manual`.
    #[must_use]
    pub fn made_by(mut self, maker: impl Into<String>) -> Self {
        self.made_by = maker.into();
        self
    }

    /// Adds the engine of the set, a WebAssembly module that the crate `isa-web` creates. With it,
    /// the page `Try it` can assemble, explain, modify and execute instructions. Without it, the
    /// page describes how to add an engine to a manual.
    #[must_use]
    pub fn engine(mut self, module: impl Into<Vec<u8>>) -> Self {
        self.engine = Some(module.into());
        self
    }

    /// Sets the language of the pages, a tag such as `zh` or `en-GB`. By default, the script of most
    /// words in the descriptions determines it: `zh`, `ja`, `ko`, or `en` for all other scripts.
    #[must_use]
    pub fn language(mut self, tag: impl Into<String>) -> Self {
        self.language = Some(tag.into());
        self
    }

    /// Writes the pages into a folder and returns the path of the first page. The folder must be
    /// new, empty, or a manual, which is replaced. If an error occurs, the folder stays unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if the name cannot be the name of a folder, if the path contains something
    /// other than a manual or an empty folder, if it cannot be written, if the engine is not a
    /// WebAssembly module, or if the language is not a language tag.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<PathBuf, ManualError> {
        let path = path.as_ref();
        if self.engine.as_ref().is_some_and(|module| !module.starts_with(MODULE)) {
            return Err(ManualError::Engine);
        }
        if let Some(tag) = self.language.as_ref().filter(|tag| !language::is_tag(tag)) {
            return Err(ManualError::Language(tag.clone()));
        }
        let mut folder = Folder::begin(path.as_os_str())?;
        let site = Site::new(self);
        folder.put("assets/manual.css", STYLE)?;
        folder.put("assets/manual.js", SCRIPT)?;
        folder.put("assets/search.js", &search::index(&site))?;
        folder.put(try_page::PAGE, &try_page::page(&site))?;
        if let Some(module) = &self.engine {
            folder.put("assets/engine.js", &try_page::engine_script(module))?;
            folder.put("assets/try.js", try_page::SCRIPT)?;
        }
        folder.put("index.html", &overview::index(&site))?;
        folder.put("groups/index.html", &declarations::groups(&site))?;
        folder.put("kinds/index.html", &declarations::kinds(&site))?;
        folder.put("language/index.html", &overview::language(&site))?;
        folder.put("illegal/index.html", &overview::illegal(&site))?;
        folder.put("map/index.html", &map::page(&site))?;
        for (at, entry) in site.opcodes.iter().enumerate() {
            folder.put(&entry.page, &opcode::page(&site, at))?;
        }
        for entry in &site.groups {
            folder.put(&entry.page, &declarations::group(&site, entry))?;
        }
        for entry in &site.kinds {
            folder.put(&entry.page, &declarations::kind(&site, entry))?;
        }
        folder.finish()?;
        Ok(path.join("index.html"))
    }
}

/// The reason why a manual cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManualError {
    /// The name cannot be the name of a manual.
    Name(String),
    /// The path contains something other than a manual or an empty folder, or it cannot be written.
    File(String),
    /// The engine is not a WebAssembly module.
    Engine,
    /// The language is not a language tag.
    Language(String),
}

impl ManualError {
    fn saving(name: &str, error: &io::Error) -> ManualError {
        ManualError::File(format!("cannot write {name}: {error}"))
    }
}

impl fmt::Display for ManualError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManualError::Name(message) | ManualError::File(message) => f.write_str(message),
            ManualError::Language(tag) => {
                write!(f, "expected a language tag such as `zh` or `en-GB`, found `{}`", Shown(tag))
            }
            ManualError::Engine => f.write_str(
                "the engine is not a WebAssembly module; build it with --target wasm32-unknown-unknown",
            ),
        }
    }
}

impl std::error::Error for ManualError {}
