//! Grammars for tree-sitter, tested with tree-sitter: it generates a parser, which gcc compiles. The program
//! `isa-grammars` calls the libraries of tree-sitter.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_tests::tools::{Tool, are_here};

use super::super::subjects::Subject;
use super::texts::{Shape, Text};
use super::{Engine, FEW, Piece, judge, many};

const TREE_SITTER: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/grammars/release/isa-grammars"),
    release: "",
    install: "cargo build --release --manifest-path tests/grammars/Cargo.toml --target-dir target/grammars",
};
/// The program that runs grammars in JavaScript.
const NODE: Tool = Tool { program: "node", release: "v", install: "apt-get install nodejs" };
const CC: Tool = Tool { program: "gcc", release: "Free Software", install: "apt-get install gcc" };

struct Grammar {
    folder: PathBuf,
    /// The name of the language.
    name: String,
}

/// A node of a syntax tree.
#[derive(Debug)]
struct Node<'o> {
    depth: usize,
    /// The field of the parent that contains it. Empty if there is none.
    field: &'o str,
    kind: &'o str,
    start: (usize, usize),
    end: (usize, usize),
}

impl Grammar {
    fn new(subject: &Subject, folder: &Path) -> Self {
        let path = folder.display().to_string();
        let (_, errors) = (subject.run)(&["export", "tree-sitter", &path], b"");
        assert_eq!(errors, "");
        run(Command::new(TREE_SITTER.program).args(["generate", &path]));
        let flags = ["-shared", "-fPIC", "-O1", "-I", "src", "-o", "parser.so", "src/parser.c"];
        run(Command::new(CC.program).args(flags).current_dir(folder));
        let name = subject.set.name.to_ascii_lowercase();
        Grammar { folder: folder.to_owned(), name }
    }

    /// Returns the syntax tree of a text, a line for each node.
    fn tree(&self, text: &str) -> String {
        let [file, library] = ["text", "parser.so"].map(|name| self.folder.join(name));
        fs::write(&file, text).expect("a file");
        let mut command = Command::new(TREE_SITTER.program);
        run(command.arg("parse").arg(library).arg(&self.name).arg(file))
    }
}

/// Runs a program, which must succeed. Returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the nodes of a tree in order.
fn nodes(tree: &str) -> Vec<Node<'_>> {
    let node = |line| node(line).unwrap_or_else(|| panic!("no node: {line:?}"));
    tree.lines().map(node).collect()
}

/// Parses `    operand: (register [0, 4] - [0, 6])`.
fn node(line: &str) -> Option<Node<'_>> {
    let depth = line.len() - line.trim_start().len();
    let (field, rest) = line.trim_start().split_once('(')?;
    let (kind, places) = rest.split_once(" [")?;
    let (start, end) = places.split_once("] - [")?;
    let place = |text: &str| {
        let (line, column) = text.split_once(", ")?;
        Some((line.parse().ok()?, column.parse().ok()?))
    };
    let end = end.split(']').next()?;
    let field = field.trim_end_matches(": ");
    Some(Node { depth, field, kind, start: place(start)?, end: place(end)? })
}

/// Returns the words among nodes.
fn pieces(nodes: &[Node<'_>]) -> Vec<Piece> {
    let piece = |node: &Node<'_>| {
        let kind = match node.kind {
            "comment" => "comment",
            "identifier" => "label",
            "mnemonic" => "mnemonic",
            "modifier" => "modifier",
            "register" => "register",
            "value" => "value",
            "number" => "number",
            "directive" => "directive",
            _ => return None,
        };
        // The dot is part of the node.
        let start = node.start.1 + usize::from(kind == "modifier");
        Some((node.start.0, start, node.end.1, kind))
    };
    nodes.iter().filter_map(piece).collect()
}

impl Engine for Grammar {
    fn pieces(&self, text: &Text) -> Vec<Piece> {
        let tree = self.tree(&text.text);
        let nodes = nodes(&tree);
        let wrong =
            nodes.iter().find(|node| node.kind == "ERROR" || node.kind.starts_with("MISSING"));
        let line =
            |node: &Node<'_>| text.text.lines().nth(node.start.0).unwrap_or_default().to_owned();
        assert!(wrong.is_none(), "{wrong:?} in {:?}", wrong.map(line));
        let statements: Vec<usize> =
            (0..nodes.len()).filter(|&place| nodes[place].kind == "instruction").collect();
        assert_eq!(statements.len(), text.lines.len());
        for (&place, expected) in statements.iter().zip(&text.lines) {
            let own = &nodes[place];
            let inside = nodes[place + 1..].iter().take_while(|node| node.depth > own.depth);
            let children: Vec<_> = inside.filter(|node| node.depth == own.depth + 2).collect();
            let count = |field: &str| children.iter().filter(|node| node.field == field).count();
            let found = Shape { modifiers: count("modifier"), operands: count("operand") };
            assert_eq!((count("mnemonic"), found), (1, *expected), "{:?}", line(own));
        }
        pieces(&nodes)
    }

    fn pieces_of_damaged(&self, text: &str, damaged: &[usize]) -> Vec<Piece> {
        let tree = self.tree(text);
        let nodes = nodes(&tree);
        for node in nodes.iter().filter(|node| node.kind == "ERROR") {
            let is_own = damaged.contains(&node.start.0) && node.end.0 == node.start.0;
            let line = text.lines().nth(node.start.0).unwrap_or_default();
            assert!(is_own, "{}: {node:?} in {line:?}", self.name);
        }
        pieces(&nodes)
    }
}

#[test]
fn tree_sitter_cuts_texts_as_the_server_does() {
    if are_here(&[TREE_SITTER, NODE, CC]) {
        judge(|subject, folder| Box::new(Grammar::new(subject, folder)), FEW);
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run` runs it"]
fn tree_sitter_cuts_a_hundred_thousand_lines_as_the_server_does() {
    if are_here(&[TREE_SITTER, NODE, CC]) {
        judge(|subject, folder| Box::new(Grammar::new(subject, folder)), many());
    }
}
