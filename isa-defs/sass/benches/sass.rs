//! Measures decoding, printing and parsing of SASS, next to `nvdisasm` if it is installed.
//!
//! ```text
//! cargo bench -p isa-sass
//! ```
//!
//! The words are those of sm_90 in `tests/vectors/sass/words.txt`, in the order of their programs.

#[path = "../../../tests/benches/record/mod.rs"]
mod record;
#[path = "../../../tests/benches/codec/timer.rs"]
mod timer;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use isa_core::text::Line;
use isa_sass::Sass;
use timer::{Case, table};

/// Returns the words of sm_90.
fn words() -> Vec<u128> {
    let lines = include_str!("../../../tests/vectors/sass/words.txt").lines();
    let words = lines.filter_map(|line| {
        let mut parts = line.split(' ');
        let is_sm_90 = parts.next()?.split(',').any(|chip| chip == "90");
        let word = parts.nth(1).filter(|_| is_sm_90)?;
        Some(u128::from_str_radix(word, 16).expect("the word is hexadecimal"))
    });
    words.collect()
}

/// Returns the nanoseconds in which `nvdisasm` prints a word, without the time of its start, or `None`
/// if it is not installed.
fn nvdisasm(words: &[u128]) -> Option<f64> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("words.bin");
    let run = |count: usize| {
        let bytes: Vec<u8> =
            words.iter().cycle().take(count).flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&path, bytes).expect("the file can be written");
        let mut command = Command::new("nvdisasm");
        command.args(["-ndf", "-b", "SM90"]).arg(&path).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status().ok()?;
        assert!(status.success(), "nvdisasm prints all words");
        Some(start.elapsed().as_nanos() as f64)
    };
    let count = 200_000;
    let few = run(1)?;
    Some((run(count)? - few) / count as f64)
}

fn main() {
    let on = Sass::SET.feature_set("SM90").expect("a chip");
    let valid: Vec<u128> =
        words().into_iter().filter(|&word| Sass::decode_with(on, word).is_ok()).collect();
    let words: Vec<u128> = valid.iter().copied().cycle().take(1 << 14).collect();
    let of = |word: u128| Sass::decode_with(on, word).expect("a valid word").to_string();
    let lines: Vec<String> = words.iter().map(|&word| of(word)).collect();
    let tables = Sass::SET.with_features(on);
    let cases = vec![
        Case::new("decode", |part| {
            let words = black_box(&words)[part].iter();
            black_box(words.map(|&word| u64::from(tables.decode(word).is_ok())).sum::<u64>());
        }),
        Case::new("decode and print", |part| {
            let mut line = Line::new();
            for &word in &black_box(&words)[part] {
                line.clear();
                if let Ok(row) = tables.decode(word) {
                    row.print(word, &mut line);
                }
                black_box(line.as_bytes());
            }
        }),
        Case::new("parse the printed lines", |part| {
            let lines = black_box(&lines)[part].iter();
            black_box(
                lines.map(|line| tables.parse(line).map_or(0, |it| it.word() as u64)).sum::<u64>(),
            );
        }),
    ];
    table("sass", "SASS of sm_90", words.len(), cases);
    match nvdisasm(&valid) {
        Some(time) => println!("  {:<44} {time:>9.2} ns", "nvdisasm: decode and print"),
        None => println!("  skipped: nvdisasm is not installed"),
    }
}
