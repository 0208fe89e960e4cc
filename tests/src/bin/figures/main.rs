//! Measures everything that the project has goals for, beside peers and limits, and prints the
//! table.
//!
//! ```text
//! cargo run --release -p isa-tests --bin figures -- --page tests/FIGURES.md
//! cargo run --release -p isa-tests --bin figures -- codec tools
//! ```
//!
//! Parts are `codec`, `half`, `video`, `peers`, `tools` and `compile`; without a name all are run.
//! A page that is there keeps the figures of parts that are not run; with names of parts it must be
//! there, which is seen before anything is measured.
//! What is not installed is left out, and the table says so. It takes about half an hour, of which
//! the largest made-up set takes most.

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

const PARTS: [&str; 6] = ["codec", "half", "video", "peers", "tools", "compile"];

fn main() -> ExitCode {
    match arguments().and_then(|(parts, page)| show(&parts, page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table, of a run with faults too, and writes the page.
fn show(parts: &[String], page: Option<PathBuf>) -> Result<(), String> {
    // Before measuring, which takes long.
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
    // Only files of this run; that they stay is no harm.
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

/// The page as it is, where figures of it stay.
///
/// # Errors
///
/// A page that cannot be written, or of which figures should stay and that cannot be read.
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
        // It was made only to see that it can be.
        let _ = fs::remove_file(path);
    }
    Ok(old)
}

/// The parts to run, and where the page goes.
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
