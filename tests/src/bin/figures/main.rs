//! Measures everything for which the project has goals, compares it with peers and limits, and
//! prints the table.
//!
//! ```text
//! cargo run --release -p isa-tests --bin figures -- --page tests/FIGURES.md
//! cargo run --release -p isa-tests --bin figures -- codec tools
//! ```
//!
//! The parts are `codec`, `half`, `video`, `simulator`, `peers`, `tools` and `compile`. If you name no part, all
//! parts are run. An existing page keeps the figures of the parts that are not run. If you name
//! parts, the page must already exist. This is checked before any measurement. If a program is not
//! installed, the table states that its measurements are missing. A complete run takes about half
//! an hour, most of it for the largest synthetic set.

mod compile;
mod figure;
mod goals;
mod halu;
mod page;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use figure::{Figures, cargo, is_there, run};

const PARTS: [&str; 7] = ["codec", "half", "video", "simulator", "peers", "tools", "compile"];

fn main() -> ExitCode {
    match arguments().and_then(|(parts, page)| show(&parts, page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table, even after an error, and writes the page if there was no error.
fn show(parts: &[String], page: Option<PathBuf>) -> Result<(), String> {
    // The page is checked first, because the measurements take long.
    let old = match &page {
        Some(path) => old_page(path, parts.len() < PARTS.len())?,
        None => None,
    };
    let folder = env::temp_dir().join(format!("isa-figures-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (mut figures, mut faults) = (Figures::default(), Vec::new());
    for part in parts {
        if let Err(error) = measure(part, &mut figures, &folder) {
            figures.skip(format!("`{part}` failed: {error}"));
            faults.push(part.as_str());
        }
    }
    // The folder contains only files of this run, and it does no harm if they remain.
    let _ = fs::remove_dir_all(&folder);
    if let Some(old) = old {
        page::keep(&old, &mut figures);
    }
    let text = page::page(&figures);
    print!("{text}");
    match (faults.as_slice(), page) {
        ([], None) => Ok(()),
        ([], Some(path)) => fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display())),
        (faults, _) => Err(format!("no page was written: failed were {}", faults.join(", "))),
    }
}

/// Returns the existing page if some of its figures must be kept.
///
/// # Errors
///
/// Returns an error if the page cannot be written, or if its figures must be kept and it cannot be
/// read.
fn old_page(path: &Path, stays: bool) -> Result<Option<String>, String> {
    let old = match stays {
        true => Some(fs::read_to_string(path).map_err(|error| {
            let parts = "figures of the parts that are not named are kept, and there are none";
            format!("{}: {error}: {parts}", path.display())
        })?),
        false => None,
    };
    let is_new = !path.exists();
    let opened = fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| format!("{}: it cannot be written: {error}", path.display()))?;
    if is_new {
        // The file was created only to check that this is possible.
        let _ = fs::remove_file(path);
    }
    Ok(old)
}

/// Parses the parts to run and the path of the page.
fn arguments() -> Result<(Vec<String>, Option<PathBuf>), String> {
    let (mut parts, mut page) = (Vec::new(), None);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--page" {
            page = Some(arguments.next().ok_or("`--page` needs a file")?.into());
        } else if PARTS.contains(&argument.as_str()) {
            parts.push(argument);
        } else {
            return Err(format!("no part `{argument}`: parts are {}", PARTS.join(", ")));
        }
    }
    if parts.is_empty() {
        parts = PARTS.map(str::to_owned).to_vec();
    }
    Ok((parts, page))
}

fn measure(part: &str, figures: &mut Figures, folder: &Path) -> Result<(), String> {
    match part {
        "half" if is_there("cmake") => figures.bench("half", &["softfloat"]),
        "half" => {
            figures.skip("SoftFloat: CMake, which builds it, is not installed");
            figures.bench("half", &[])
        }
        "peers" => figures.bench("peers", &["peers"]),
        "tools" => tools::measure(figures, folder),
        "compile" => compile::measure(figures, folder),
        name => figures.bench(name, &[]),
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::old_page;

    #[test]
    fn a_page_is_looked_at_before_measuring() {
        let folder = env::temp_dir().join(format!("isa-figures-page-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let page = folder.join("page.md");
        let error = old_page(&page, true).unwrap_err();
        assert!(error.contains("page.md") && error.contains("not named"), "{error}");
        assert_eq!(old_page(&page, false), Ok(None));
        assert!(!page.exists(), "nothing was measured yet");
        fs::write(&page, "# Figures").unwrap();
        assert_eq!(old_page(&page, true).unwrap().as_deref(), Some("# Figures"));
        assert_eq!(old_page(&page, false), Ok(None));
        assert_eq!(fs::read_to_string(&page).unwrap(), "# Figures");
        let error = old_page(&folder.join("none/page.md"), false).unwrap_err();
        assert!(error.contains("cannot be written"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
