//! Fuzz targets: functions that accept any bytes and panic if the project violates one of its
//! guarantees.
//!
//! Each target returns a number for the result of the input, such as an opcode or a class of error.
//! A fuzzer without instrumentation keeps the inputs with new numbers. `tests/fuzz` contains the
//! targets for cargo-fuzz, and [`hammer`] runs them with any compiler.

pub mod decode;
pub mod elf;
pub mod hammer;
pub mod import;
pub mod lane;
pub mod mutate;
pub mod parse;
pub mod round_trip;
pub mod seeds;
pub mod spec;
pub mod stream;
pub mod tool;

use core::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A fuzz target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, which is also the name of the cargo-fuzz target and of its corpus.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]) -> u64,
    /// Whether its inputs consist of tokens.
    pub is_text: bool,
    /// The maximum length of inputs in bytes: a few times the length of the longest seed, and not
    /// more than the target reads. Longer inputs take more time without new results.
    pub longest: usize,
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    Target { name: "asm", run: tool::asm, is_text: true, longest: 1024 },
    Target { name: "decode", run: decode::target, is_text: false, longest: WORD },
    Target { name: "dis", run: tool::dis, is_text: false, longest: 1024 },
    Target { name: "elf", run: elf::target, is_text: false, longest: 4096 },
    Target { name: "exec", run: tool::exec, is_text: true, longest: 1024 },
    Target { name: "import", run: import::target, is_text: false, longest: 512 },
    Target { name: "jsonl", run: tool::jsonl, is_text: true, longest: 1024 },
    Target { name: "lane", run: lane::target, is_text: true, longest: 64 },
    Target { name: "parse", run: parse::target, is_text: true, longest: 256 },
    Target { name: "round_trip", run: round_trip::target, is_text: false, longest: WORD },
    Target { name: "spec", run: spec::target, is_text: true, longest: 4096 },
    Target { name: "stream", run: stream::target, is_text: false, longest: 64 },
];

/// The size in bytes of a word of the 128-bit set.
const WORD: usize = 16;

/// Returns the hash of a result.
fn reached(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Discards text and counts its bytes.
#[derive(Default)]
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Returns the length of the displayed value. The caller tests only that displaying it does not panic.
fn shown(value: impl fmt::Display) -> usize {
    let mut length = Length::default();
    let _ = fmt::write(&mut length, format_args!("{value}"));
    length.0
}

/// Returns the little-endian word in the first 16 bytes. Missing bytes are 0.
fn word(data: &[u8]) -> u128 {
    data.iter().take(WORD).rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
}
