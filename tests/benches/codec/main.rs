//! Measures decoding, encoding, printing and parsing, compared with hand-written code and with the
//! time that the machine needs to access the data.
//!
//! ```text
//! cargo bench -p isa-tests --bench codec
//! ```
//!
//! Before it is measured, each result is compared with the result of the slow reference path. The
//! first line of a table is the limit, and ratios refer to it.

mod hand;
mod hand_parse;
mod hand_print;
#[path = "../record/mod.rs"]
mod record;
mod timer;

use std::hint::black_box;

use isa_core::print::Listing;
use isa_core::text::{Cursor, Line};
use isa_defs::gpu::Gpu;
use isa_tests::work::{self, Work};
use timer::{Case, table};

fn main() {
    // If names of tables are given, only these are measured, for example for a profile.
    let names: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|known| known == name);
    for work in [work::mixed(Gpu::SET), work::kernel(Gpu::SET)] {
        let bytes = work.text.len() as f64 / work.words.len() as f64;
        println!("\n== {}, {bytes:.1} bytes a line", work.name);
        if names.is_empty() {
            check(&work);
        }
        if wanted("decode") {
            decode(&work);
        }
        if wanted("encode") {
            encode(&work);
        }
        if wanted("print") {
            print(&work);
        }
        if wanted("parse") {
            parse(&work);
        }
    }
}

/// Checks that all measured code has the same results as the reference path.
fn check(work: &Work) {
    for (&word, line) in work.words.iter().zip(work.lines()) {
        let instruction = Gpu::decode(word).expect("the word is legal");
        assert_eq!(instruction.encode().expect("it came from a word"), word);
        assert_eq!(instruction.to_string(), line.trim_end());
        let parsed = Gpu::SET.parse(line).expect("the text is one that was printed");
        assert_eq!(parsed.word(), word);
        let name = instruction.opcode().name;
        let mut room = [0; hand_print::ROOM];
        let len = hand_print::print(word, &mut room);
        assert_eq!(std::str::from_utf8(&room[..len]), Ok(line.trim_end()), "printed by hand");
        let mut window = [0; hand_parse::WINDOW];
        window[..line.len()].copy_from_slice(line.as_bytes());
        let parsed = hand_parse::parse(&window);
        assert_eq!(parsed, Some((word, line.len() - 1)), "parsed by hand: {line}");
        let by_hand = hand::decode(word).expect("the word is legal");
        assert_eq!(hand::name(&by_hand), name, "{line}");
        assert_eq!(hand::decode(word ^ 1 << 127).is_none(), Gpu::decode(word ^ 1 << 127).is_err());
        for bit in 0..128 {
            let other = word ^ 1 << bit;
            let (ours, hands) = (Gpu::decode(other), hand::decode(other));
            assert_eq!(ours.is_ok(), hands.is_some(), "{other:#x} of {line}");
        }
    }
}

/// Repeats the words until they do not fit into the caches, because a binary is read from memory.
fn long(words: &[u128]) -> Vec<u128> {
    words.iter().copied().cycle().take(words.len() << 6).collect()
}

fn decode(work: &Work) {
    let words = long(&work.words);
    let mut copy = words.clone();
    let mut typed: Vec<Gpu> = words.iter().map(|&word| Gpu::decode(word).unwrap()).collect();
    let mut by_hand: Vec<_> = words.iter().map(|&word| hand::decode(word).unwrap()).collect();
    let cases = vec![
        Case::new("limit: copy the words", |part| {
            copy[part.clone()].copy_from_slice(&black_box(&words)[part]);
            black_box(&mut copy);
        }),
        Case::new("number of the opcode (validates)", |part| {
            let words = black_box(&words)[part].iter();
            let sum: usize = words.map(|&word| Gpu::SET.index(word).unwrap()).sum();
            black_box(sum);
        }),
        Case::new("to the enum", |part| {
            for (&word, place) in black_box(&words)[part.clone()].iter().zip(&mut typed[part]) {
                *place = Gpu::decode(word).unwrap();
            }
            black_box(&mut typed);
        }),
        Case::new("hand-written match to structs", |part| {
            for (&word, place) in black_box(&words)[part.clone()].iter().zip(&mut by_hand[part]) {
                *place = hand::decode(word).unwrap();
            }
            black_box(&mut by_hand);
        }),
    ];
    table(work.name, "decode", words.len(), cases);
}

fn encode(work: &Work) {
    let words = long(&work.words);
    let typed: Vec<Gpu> = words.iter().map(|&word| Gpu::decode(word).unwrap()).collect();
    let (mut copy, mut encoded) = (words.clone(), words.clone());
    let cases = vec![
        Case::new("limit: copy the words", |part| {
            copy[part.clone()].copy_from_slice(&black_box(&words)[part]);
            black_box(&mut copy);
        }),
        Case::new("from the enum", |part| {
            for (from, to) in black_box(&typed)[part.clone()].iter().zip(&mut encoded[part]) {
                *to = from.encode().unwrap();
            }
            black_box(&mut encoded);
        }),
    ];
    table(work.name, "encode", typed.len(), cases);
}

fn print(work: &Work) {
    let typed: Vec<Gpu> = work.words.iter().map(|&word| Gpu::decode(word).unwrap()).collect();
    let lines = work.lines();
    let mut out = Vec::with_capacity(work.text.len() + 1024);
    let mut text = Vec::with_capacity(work.text.len() + 1024);
    let mut shown = String::with_capacity(work.text.len() + 1024);
    let (mut line, mut buffer) = (Line::new(), vec![0; work.text.len()]);
    let mut by_hand = vec![0; work.text.len() + hand_print::ROOM];
    let cases = vec![
        Case::new("limit: append ready lines", |part| {
            out.clear();
            for line in &black_box(&lines)[part] {
                out.extend_from_slice(line.as_bytes());
            }
            black_box(&mut out);
        }),
        Case::new("into a buffer, decoding included", |part| {
            let mut listing = Listing::new(black_box(&mut buffer));
            for &word in &black_box(&work.words)[part] {
                listing.print(Gpu::SET.decode(word).unwrap(), word);
                listing.push(b'\n');
            }
            black_box(listing.as_bytes());
        }),
        Case::new("hand-written, not checking the words", |part| {
            let mut at = 0;
            for &word in &black_box(&work.words)[part] {
                let room = by_hand[at..].first_chunk_mut().expect("a line fits");
                at += hand_print::print(word, room);
                by_hand[at] = b'\n';
                at += 1;
            }
            black_box(&mut by_hand);
        }),
        Case::new("into a line, decoding included", |part| {
            text.clear();
            for &word in &black_box(&work.words)[part] {
                line.clear();
                Gpu::SET.decode(word).unwrap().print(word, &mut line);
                line.push(b'\n');
                text.extend_from_slice(line.as_bytes());
            }
            black_box(&mut text);
        }),
        Case::new("from the enum, by Display", |part| {
            use std::fmt::Write;
            shown.clear();
            for instruction in &black_box(&typed)[part] {
                writeln!(shown, "{instruction}").unwrap();
            }
            black_box(&mut shown);
        }),
    ];
    table(work.name, "print", typed.len(), cases);
}

fn parse(work: &Work) {
    let (lines, mut words) = (work.lines(), work.words.clone());
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |end, line| {
            *end += line.len();
            Some(*end - line.len())
        })
        .chain([work.text.len()])
        .collect();
    let (mut padded, mut by_hand) = (work.text.clone().into_bytes(), work.words.clone());
    padded.resize(padded.len() + hand_parse::WINDOW, 0);
    let of = |part: &std::ops::Range<usize>| &work.text[starts[part.start]..starts[part.end]];
    let cases = vec![
        Case::new("limit: count newlines", |part| {
            black_box(black_box(of(&part)).bytes().filter(|&byte| byte == b'\n').count());
        }),
        Case::new("a statement at a time", |part| {
            let mut cursor = Cursor::new(black_box(of(&part)));
            for place in &mut words[part] {
                *place = Gpu::SET.parse_next(&mut cursor).unwrap().unwrap().word();
            }
            black_box(&mut words);
        }),
        Case::new("hand-written, a statement at a time", |part| {
            let mut at = starts[part.start];
            for place in &mut by_hand[part] {
                let window = black_box(&padded)[at..].first_chunk().expect("there is padding");
                let (word, end) = hand_parse::parse(window).unwrap();
                *place = word;
                at += end + 1;
            }
            black_box(&mut by_hand);
        }),
        Case::new("to the enum, line by line", |part| {
            for line in &black_box(&lines)[part] {
                black_box(line.parse::<Gpu>().unwrap());
            }
        }),
    ];
    table(work.name, "parse", lines.len(), cases);
}
