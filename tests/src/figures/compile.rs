//! How long rustc takes for made-up sets of several sizes.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::{Figures, cargo, run};

/// The sizes of the sets, in opcodes.
pub const SIZES: [usize; 4] = [26, 260, 1040, 2600];

/// Times a check and a release build of each size: the set alone, its dependencies built before.
///
/// # Errors
///
/// A set that does not compile.
pub fn measure(figures: &mut Figures, folder: &Path, sizes: &[usize]) -> Result<(), String> {
    for &size in sizes {
        let set = folder.join(format!("synthetic{size}"));
        let mut generate = cargo();
        generate.args(["run", "-q", "-p", "isa-tests", "--example", "synthetic", "--"]);
        run(generate.arg(size.to_string()).arg(&set))?;
        for (table, arguments) in
            [("check", &["check"][..]), ("release build", &["build", "--release"])]
        {
            let build = || {
                let mut command = Command::new("cargo");
                command.args(arguments).current_dir(&set);
                command.env("CARGO_TARGET_DIR", folder.join("target"));
                run(&mut command)
            };
            build()?;
            touch(&set.join("src/lib.rs"))?;
            let start = Instant::now();
            build()?;
            let seconds = start.elapsed().as_secs_f64();
            figures.add(table, &size.to_string(), "the set", seconds * 1e9);
        }
    }
    expansion(figures)
}

/// Makes a file new without a change.
fn touch(path: &Path) -> Result<(), String> {
    let text = fs::read(path).map_err(|error| error.to_string())?;
    fs::write(path, text).map_err(|error| error.to_string())
}

/// The time of the macro itself, which its own tests print.
fn expansion(figures: &mut Figures) -> Result<(), String> {
    let mut command = cargo();
    command.args(["test", "--release", "-p", "isa-spec", "expansion_time"]);
    command.args(["--", "--ignored", "--nocapture"]);
    eprintln!("{command:?}");
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("expansion\t") {
            figures.read(&format!("expansion\t{rest}"))?;
            found = true;
        }
    }
    if found { Ok(()) } else { Err(format!("no time of the expansion in\n{text}")) }
}
