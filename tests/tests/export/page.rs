//! Tests the page "using a set elsewhere": its files are written, and its commands are run in order
//! and must print the text on the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use isa_cli::{Io, Status};
use isa_tests::page::{blocks, fits};
use isa_tests::tools::are_here;

use crate::systemverilog::ICARUS;
use crate::{CC, DECODETREE, PYTHON, Z3, folder};

const PAGE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../isa-core/export/src/elsewhere.md"));

/// Returns the output of a command in a folder. The tools of sets run in this process.
fn print(command: &str, folder: &Path) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let tool: fn(&[String], Io<'_>) -> Status = match words[0] {
        "isa" => |args: &[String], io: Io<'_>| isa_defs::cli::tool().run(args, io),
        "rv" => |args: &[String], io: Io<'_>| isa_riscv::tool().run(args, io),
        _ => {
            let output = Command::new("sh").args(["-c", command]).current_dir(folder).output();
            let output = output.expect("a shell");
            let said = [output.stdout, output.stderr].concat();
            return String::from_utf8(said).expect("text");
        }
    };
    // The tool would use a folder relative to this process.
    let out = folder.join("out").display().to_string();
    let args: Vec<String> = words[1..].iter().map(|word| word.replace("out", &out)).collect();
    let (mut input, mut output, mut errors) = (&[] as &[u8], Vec::new(), Vec::new());
    tool(&args, Io::of(&mut input, &mut output, &mut errors));
    output.extend(errors);
    String::from_utf8(output).expect("text").replace(&out, "out")
}

/// Writes the files of a page: blocks that begin with a comment that contains the file name.
fn write_files(folder: &Path) {
    for (kind, open, close) in [
        ("c", "/* ", " */"),
        ("systemverilog", "// ", ""),
        ("python", "# ", ""),
        ("text", "; ", ""),
    ] {
        for block in blocks(PAGE, kind) {
            let first = block.lines().next().unwrap_or_default();
            if let Some(name) = first.strip_prefix(open).and_then(|name| name.strip_suffix(close)) {
                fs::write(folder.join(name), block).expect("a file");
            }
        }
    }
}

#[test]
fn commands_print_what_the_page_shows() {
    if !are_here(&[CC, PYTHON, DECODETREE, Z3, ICARUS]) {
        return;
    }
    let folder = folder("page");
    fs::create_dir(folder.join("out")).unwrap();
    fs::copy(DECODETREE.program, folder.join("decodetree.py")).unwrap();
    write_files(&folder);
    let commands = blocks(PAGE, "console");
    assert!(commands.len() >= 10, "only {} blocks", commands.len());
    for block in commands {
        for part in block.strip_prefix("$ ").expect("a command first").split("\n$ ") {
            let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
            let printed = print(command, &folder);
            let (lines, pattern): (Vec<_>, Vec<_>) =
                (printed.lines().collect(), shown.lines().collect());
            assert!(fits(&lines, &pattern), "{command}\nprints\n{printed}\nthe page has\n{shown}");
        }
    }
}

/// Checks that the page shows each format.
#[test]
fn the_page_shows_each_format() {
    for format in isa_export::FORMATS {
        let shown = format!("export {} ", format.name);
        assert!(PAGE.contains(&shown), "{shown}");
    }
}

/// Checks that the page shows a pattern as it is exported.
#[test]
fn the_page_shows_patterns_as_they_are() {
    let format = isa_export::format("decodetree").unwrap();
    let files = format.files(<isa_riscv::Rv64imac as isa_core::Isa>::SET).unwrap();
    let shown = blocks(PAGE, "text").into_iter().find(|block| block.starts_with('{')).unwrap();
    assert!(files.iter().any(|file| file.text.contains(shown)), "{shown}");
}
