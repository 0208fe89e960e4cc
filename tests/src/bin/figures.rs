//! Measures everything that the project has goals for, beside peers and limits, and prints the
//! table.
//!
//! ```text
//! cargo run --release -p isa-tests --bin figures -- --page tests/FIGURES.md
//! cargo run --release -p isa-tests --bin figures -- codec tools
//! ```
//!
//! Parts are `codec`, `half`, `video`, `peers`, `tools` and `compile`; without a name all are run.
//! What is not installed is left out, and the table says so. It takes about half an hour, of which
//! the largest made-up set takes most.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use isa_tests::figures::{Figures, compile, is_there, page, tools};

const PARTS: [&str; 6] = ["codec", "half", "video", "peers", "tools", "compile"];

fn main() -> ExitCode {
    let result = arguments().and_then(|(parts, page)| {
        let figures = measure(&parts)?;
        let text = page::page(&figures);
        print!("{text}");
        match page {
            Some(path) => fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display())),
            None => Ok(()),
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
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

fn measure(parts: &[String]) -> Result<Figures, String> {
    let mut figures = Figures::default();
    let folder = env::temp_dir().join(format!("isa-figures-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for part in parts {
        match part.as_str() {
            "half" if is_there("cmake") => figures.bench("half", &["softfloat"])?,
            "half" => {
                figures.skip("SoftFloat: CMake, which builds it, is not installed");
                figures.bench("half", &[])?;
            }
            "peers" => {
                figures.bench("peers", &["peers"])?;
                figures.skip(
                    "chipi: it reads specifications of its own, and none for these sets is kept",
                );
            }
            "tools" => tools::measure(&mut figures, &folder)?,
            "compile" => compile::measure(&mut figures, &folder, &compile::SIZES)?,
            name => figures.bench(name, &[])?,
        }
    }
    // Only files of this run; that they stay is no harm.
    let _ = fs::remove_dir_all(&folder);
    Ok(figures)
}
