//! Checks grammars for editors with the editors' own engines: they must classify each word like the
//! language server, which uses the assembler's parser.

mod textmate;
mod texts;
mod tree_sitter;

use std::path::{Path, PathBuf};
use std::{env, fs};

use isa_tests::share::part_of;
use serde_json::json;

use super::client::Client;
use super::subjects::{Subject, subjects};
use texts::{Text, damaged, examples, random};

/// The number of random lines of a set in an ordinary test.
const FEW: usize = 1_000;

/// Returns the number of random lines of a set in a campaign: a share of 100,000.
fn many() -> usize {
    part_of(100_000) as usize
}

/// The number of lines of a text.
const AT_ONCE: usize = 1_000;

/// A word of a text: its line, its first column, the column after its last, and its class.
type Piece = (usize, usize, usize, &'static str);

/// The classes of the server's tokens. Names of labels are labels also where they are used.
const KINDS: [&str; 8] =
    ["comment", "label", "mnemonic", "modifier", "register", "value", "number", "directive"];

/// Returns the classification by the server.
fn said_by_server(client: &mut Client, text: &str) -> Vec<Piece> {
    client.open(text);
    let tokens = client.ask("semanticTokens/full", json!({}));
    let numbers: Vec<usize> = tokens["data"]
        .as_array()
        .expect("data")
        .iter()
        .map(|number| number.as_u64().expect("a number") as usize)
        .collect();
    let (mut line, mut column) = (0, 0);
    let piece = |token: &[usize]| {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        (line, column, column + token[2], KINDS[token[3]])
    };
    numbers.chunks_exact(5).map(piece).collect()
}

/// Removes pieces of another engine that only the server can recognize as labels or not.
fn known(pieces: Vec<Piece>, server: &[Piece]) -> Vec<Piece> {
    let is_said =
        |piece: &Piece| server.binary_search_by_key(&(piece.0, piece.1), |it| (it.0, it.1));
    pieces.into_iter().filter(|piece| piece.3 != "label" || is_said(piece).is_ok()).collect()
}

/// Fails with the first lines that two engines classify differently.
#[track_caller]
fn compare(set: &str, text: &str, found: &[Piece], server: &[Piece]) {
    let differs = found.iter().zip(server).find(|(one, other)| one != other);
    let longer = || found.get(server.len()).or(server.get(found.len())).map(|piece| (piece, piece));
    if let Some((one, other)) = differs.or_else(longer) {
        let line = one.0.min(other.0);
        let of_line =
            |all: &[Piece]| all.iter().filter(|it| it.0 == line).copied().collect::<Vec<_>>();
        let shown = text.lines().nth(line).unwrap_or_default();
        panic!("{set}: {shown:?}\nengine {:?}\nserver {:?}", of_line(found), of_line(server));
    }
}

/// An engine with a grammar.
trait Engine {
    /// Returns the classification of the words of a text, and checks the other output of the engine
    /// for the text.
    fn pieces(&self, text: &Text) -> Vec<Piece>;

    /// Returns the classification of the words of a text with errors.
    fn pieces_of_damaged(&self, text: &str, damaged: &[usize]) -> Vec<Piece>;
}

/// Compares an engine with the server for all examples, random lines, and random lines with errors.
fn judge(make: impl Fn(&Subject, &Path) -> Box<dyn Engine>, count: usize) {
    for subject in subjects() {
        let folder = folder(subject.name);
        let engine = make(&subject, &folder);
        let mut client = (subject.server)();
        client.begin("utf-8");
        let (mut lines, mut words) = (0, 0);
        let mut check = |text: &Text| {
            let server = said_by_server(&mut client, &text.text);
            let found = known(engine.pieces(text), &server);
            compare(subject.name, &text.text, &found, &server);
            (lines, words) = (lines + text.lines.len(), words + server.len());
        };
        check(&examples(&subject));
        for seed in 0..count.div_ceil(AT_ONCE) {
            check(&random(&subject, seed as u64, AT_ONCE.min(count)));
        }
        println!("{}: {words} words in {lines} lines", subject.name);
        for seed in 0..count.div_ceil(AT_ONCE) {
            let whole = random(&subject, 1_000_000 + seed as u64, AT_ONCE.min(count));
            let (text, places) = damaged(&whole, seed as u64);
            let elsewhere = |pieces: Vec<Piece>| {
                let keep = pieces.into_iter().filter(|piece| !places.contains(&piece.0));
                keep.collect::<Vec<_>>()
            };
            let found = elsewhere(engine.pieces_of_damaged(&text, &places));
            compare(subject.name, &text, &found, &elsewhere(engine.pieces(&whole)));
        }
        client.end();
        fs::remove_dir_all(folder).expect("a folder");
    }
}

fn folder(name: &str) -> PathBuf {
    let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("grammars").join(test).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
