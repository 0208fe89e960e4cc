//! Runs grammars for tree-sitter. `generate FOLDER` writes the parser of the grammar in a folder, in C.
//! `parse LIBRARY LANGUAGE FILE` prints the syntax tree of a file, with the compiled parser.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::{env, fs};

use libloading::Library;
use tree_sitter::{Language, Parser, TreeCursor, ffi::TSLanguage};
use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["generate", folder] => generate(folder),
        ["parse", library, language, file] => parse(library, language, file),
        _ => Err("expected `generate FOLDER` or `parse LIBRARY LANGUAGE FILE`".into()),
    }
}

/// Writes `src/parser.c` in a folder from its `grammar.js`. A warning of tree-sitter is an error.
fn generate(folder: &str) -> Result<(), Box<dyn Error>> {
    let mut diagnostics = Vec::new();
    let (output, grammar): (Option<&str>, Option<&str>) = (None, None);
    generate_parser_in_directory(
        folder,
        output,
        grammar,
        ABI_VERSION_MAX,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut diagnostics,
    )?;
    if diagnostics.is_empty() { Ok(()) } else { Err(format!("{diagnostics:?}").into()) }
}

/// Prints the syntax tree of a file: a line for each named node, which is indented by its depth.
fn parse(library: &str, language: &str, file: &str) -> Result<(), Box<dyn Error>> {
    // SAFETY: the library is a parser that tree-sitter generated, which has no initializers. Such a
    // parser has one function, which returns its static tables. The library stays loaded until the end.
    let language = unsafe {
        let library = Box::leak(Box::new(Library::new(library)?));
        let function = format!("tree_sitter_{language}");
        let function = library.get::<unsafe extern "C" fn() -> *const TSLanguage>(&function)?;
        Language::from_raw(function())
    };
    let mut parser = Parser::new();
    parser.set_language(&language)?;
    let text = fs::read(file)?;
    let tree = parser.parse(&text, None).ok_or("the parser was stopped")?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        print(&mut output, &cursor, depth)?;
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(output.flush()?);
            }
            depth -= 1;
        }
    }
}

/// Prints a named node, for example `    operand: (register [0, 4] - [0, 6])`: the field of its parent,
/// its kind, and the lines and columns of its start and end, from 0. A node that the parser inserted
/// is marked with `MISSING`.
fn print(output: &mut impl Write, cursor: &TreeCursor<'_>, depth: usize) -> io::Result<()> {
    let node = cursor.node();
    if !node.is_named() && !node.is_missing() {
        return Ok(());
    }
    let field = cursor.field_name().map(|name| format!("{name}: ")).unwrap_or_default();
    let missing = if node.is_missing() { "MISSING " } else { "" };
    let (kind, start, end) = (node.kind(), node.start_position(), node.end_position());
    writeln!(
        output,
        "{:indent$}{field}({missing}{kind} [{}, {}] - [{}, {}])",
        "",
        start.row,
        start.column,
        end.row,
        end.column,
        indent = 2 * depth
    )
}
