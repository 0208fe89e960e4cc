//! Measures everything that the project has goals for, beside peers and limits, and prints the
//! table.
//!
//! ```text
//! cargo run --release -p isa-tests --bin figures -- --page tests/FIGURES.md
//! cargo run --release -p isa-tests --bin figures -- codec tools
//! ```
//!
//! Parts are `codec`, `half`, `video`, `peers`, `tools` and `compile`; without a name all are run.
//! A page that is there keeps the figures of parts that are not run.
//! What is not installed is left out, and the table says so. It takes about half an hour, of which
//! the largest made-up set takes most.

mod compile;
mod figure;
mod goals;
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
    if let Some(path) = page.as_ref().filter(|_| parts.len() < PARTS.len()) {
        let old = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
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
        "compile" => compile::measure(figures, folder, &compile::SIZES),
        name => figures.bench(name, &[]),
    }
}
