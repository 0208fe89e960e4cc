//! Measures decoding, printing, parsing and rejection of A64.
//!
//! ```text
//! cargo bench -p isa-tests --bench a64
//! ```
//!
//! The words are those of `tests/vectors/a64/listed.txt`.

#[path = "record/mod.rs"]
mod record;
#[path = "codec/timer.rs"]
mod timer;

use std::hint::black_box;

use isa_a64::A64;
use isa_core::text::Line;
use timer::{Case, table};

/// Returns the words of the file.
fn words() -> Vec<u32> {
    let lines = include_str!("../vectors/a64/listed.txt").lines();
    let words = lines.filter(|line| !line.starts_with('#')).map(|line| &line[..8]);
    words.map(|word| u32::from_str_radix(word, 16).expect("a word")).collect()
}

/// Repeats the items until they fill several passes.
fn filled<T: Clone>(items: impl Iterator<Item = T>) -> Vec<T> {
    let items: Vec<T> = items.collect();
    items.iter().cloned().cycle().take(1 << 14).collect()
}

fn main() {
    let (legal, others): (Vec<u32>, Vec<u32>) =
        words().into_iter().partition(|&word| A64::decode(word).is_ok());
    let legal = filled(legal.into_iter());
    let others = filled(others.into_iter());
    let lines = filled(legal.iter().map(|&word| A64::decode(word).expect("legal").to_string()));
    let plain =
        filled(legal.iter().map(|&word| format!("{:#}", A64::decode(word).expect("legal"))));
    let numbers = |lines: &[String]| {
        let sum: u64 =
            lines.iter().map(|line| A64::SET.parse(line).map_or(0, |i| i.word() as u64)).sum();
        black_box(sum);
    };
    let cases = vec![
        Case::new("decode: number of the opcode (validates)", |part| {
            let words = black_box(&legal)[part].iter();
            let sum: usize = words.map(|&word| A64::SET.index(word.into()).unwrap_or(0)).sum();
            black_box(sum);
        }),
        Case::new("refuse a word", |part| {
            let words = black_box(&others)[part].iter();
            let sum: usize = words.map(|&word| A64::SET.index(word.into()).map_or(1, |_| 0)).sum();
            black_box(sum);
        }),
        Case::new("decode and print", |part| {
            let mut line = Line::new();
            for &word in &black_box(&legal)[part] {
                line.clear();
                if let Ok(row) = A64::SET.decode(word.into()) {
                    row.print(word.into(), &mut line);
                }
                black_box(line.as_bytes());
            }
        }),
        Case::new("read what is printed", |part| numbers(&black_box(&lines)[part])),
        Case::new("read it without aliases", |part| numbers(&black_box(&plain)[part])),
    ];
    table("a64", "A64", legal.len(), cases);
}
