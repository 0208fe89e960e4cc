//! Writes a crate with a synthetic instruction set of any size, to measure how long rustc takes to
//! compile it.
//!
//! ```text
//! cargo run -p isa-tests --example synthetic -- 1040 /tmp/synthetic
//! cd /tmp/synthetic && cargo check && touch src/lib.rs && time cargo check
//! ```
//!
//! The set resembles the real ones: four opcodes per optype, which differ in the type of a source
//! operand; a guard, five modifiers, marks at operands and trailing attributes; 50 opcodes per
//! call, and a set that includes all calls.
//!
//! A third argument selects another implementation for comparison. `chipi` uses the macro of that
//! name, which reads a description in its own language. `chipi-enum` uses the other form of code
//! that this macro generates. `hand` is Rust code written without a generator.

mod chipi;
mod hand;
mod ours;

use std::path::Path;
use std::{env, fs, process};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let count = args.first().and_then(|number| number.parse().ok());
    let kind = args.get(2).map_or("ours", String::as_str);
    let (Some(folder), Some(files)) = (args.get(1), count.and_then(|count| files(kind, count)))
    else {
        eprintln!("usage: synthetic NUMBER-OF-OPCODES FOLDER [ours|chipi|chipi-enum|hand]");
        process::exit(2);
    };
    if let Err(error) = write(&files, Path::new(folder)) {
        eprintln!("{folder}: {error}");
        process::exit(1);
    }
}

/// Returns the files of a crate with their paths, or `None` if there is no such implementation.
fn files(kind: &str, count: usize) -> Option<Vec<(String, String)>> {
    let folder_of = |name| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        folder.canonicalize().unwrap_or(folder)
    };
    let (core, defs) = (folder_of("isa-core"), folder_of("isa-defs"));
    let (dependencies, modules) = match kind {
        "ours" => (
            format!(
                "isa-core = {{ path = {core:?} }}\n\
                 isa-defs = {{ path = {defs:?}, default-features = false }}\n"
            ),
            ours::sources(count, ours::CALL),
        ),
        "chipi" => (chipi::DEPENDENCIES.to_owned(), chipi::sources("")),
        "chipi-enum" => (chipi::DEPENDENCIES.to_owned(), chipi::sources(", style = enum")),
        "hand" => (String::new(), hand::sources(count, ours::CALL)),
        _ => return None,
    };
    let manifest = format!(
        "[package]\nname = \"synthetic\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependencies}\n[workspace]\n"
    );
    let mut files = vec![("Cargo.toml".to_owned(), manifest)];
    if kind.starts_with("chipi") {
        files.push((chipi::FILE.to_owned(), chipi::description(count)));
    }
    files.extend(modules.into_iter().map(|(name, text)| (format!("src/{name}.rs"), text)));
    Some(files)
}

fn write(files: &[(String, String)], folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    files.iter().try_for_each(|(path, text)| fs::write(folder.join(path), text))
}
