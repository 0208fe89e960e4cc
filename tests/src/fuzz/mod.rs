//! Fuzz targets: functions that take any bytes and panic where the project breaks a promise.
//!
//! Each gives a number for what the bytes reached, such as an opcode or a sort of error; a fuzzer
//! without instrumentation keeps inputs with new numbers. `tests/fuzz` has the targets for
//! cargo-fuzz, [`hammer`] runs them with any compiler.

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
    /// The name, as the cargo-fuzz target and its corpus have it.
    pub name: &'static str,
    /// The target.
    pub run: fn(&[u8]) -> u64,
    /// Whether its inputs are made of tokens.
    pub is_text: bool,
    /// The length in bytes that inputs are cut to: a few times that of the longest seed, and no
    /// more than the target reads. What is longer takes longer, and repeats itself.
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

/// The bytes of a word of the 128-bit set.
const WORD: usize = 16;

/// The number of something that was reached.
fn reached(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Takes text and keeps its length alone.
#[derive(Default)]
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// The length of what a value displays; that it can be displayed is what is tested.
fn shown(value: impl fmt::Display) -> usize {
    let mut length = Length::default();
    let _ = fmt::write(&mut length, format_args!("{value}"));
    length.0
}

/// The word in the first 16 bytes, the lowest first; what is missing is 0.
fn word(data: &[u8]) -> u128 {
    data.iter().take(WORD).rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
}
