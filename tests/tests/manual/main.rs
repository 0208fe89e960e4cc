//! Tests the manuals of the sets: their pages without a browser, and with `--ignored` in a browser.

mod browser;
mod engine;
mod page;
mod pages;
mod prose;
mod versions;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use isa_cli::{Io, Status, Tool};
use isa_core::Isa;
use isa_core::table::InstructionSet;
use page::{Element, Page};

/// A set with its manual.
struct Manual {
    set: &'static InstructionSet,
    /// The folder.
    folder: PathBuf,
    /// The pages, each with its file name.
    pages: Vec<(String, Page)>,
}

impl Manual {
    /// Writes the manual of a set, with an engine if there is one.
    fn write<I: Isa>(tool: &Tool<I>, name: &str, engine: Option<&Path>) -> Manual {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("manual-{name}"));
        let (mut output, mut errors) = (vec![], vec![]);
        let mut args = vec!["manual".as_ref(), folder.as_os_str()];
        args.extend(engine.iter().flat_map(|engine| ["--engine".as_ref(), engine.as_os_str()]));
        let status = tool.run(args, Io::of(&mut &b""[..], &mut output, &mut errors));
        assert_eq!(status, Status::Success, "{}", String::from_utf8_lossy(&errors));
        let index = format!("{}\n", folder.join("index.html").display());
        assert_eq!(String::from_utf8_lossy(&output), index);
        let list = fs::read_to_string(folder.join("manual.txt")).unwrap();
        let pages = list.lines().filter(|file| file.ends_with(".html")).map(|file| {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            (file.to_owned(), Page::read(file, &text))
        });
        Manual { set: I::SET, pages: pages.collect(), folder }
    }

    /// Returns the page with this file name.
    fn page(&self, file: &str) -> &Page {
        let found = self.pages.iter().find(|(name, _)| name == file);
        &found.unwrap_or_else(|| panic!("{file} is missing")).1
    }
}

/// The manuals of very different sets.
static MANUALS: LazyLock<[Manual; 3]> = LazyLock::new(|| {
    [
        Manual::write(&isa_defs::cli::tool(), "gpu", None),
        Manual::write(&isa_riscv::tool(), "rv", None),
        Manual::write(&isa_a64::tool(), "a64", None),
    ]
});
