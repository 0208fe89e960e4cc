//! Measures decoders and printers of other instruction sets, each on its own code, for comparison.
//!
//! ```text
//! cargo bench -p isa-tests --features peers --bench peers
//! ```
//!
//! The x86 code is the code of this program. The code of the 64-bit ARM set consists of random
//! words that are valid instructions.

#[path = "codec/timer.rs"]
mod timer;

mod record;

use std::fmt::Write;
use std::hint::black_box;

use disarm64::decoder;
use iced_x86::{Decoder, DecoderOptions, Encoder, FastFormatter, Instruction};
use isa_verify::random::SplitMix64;
use timer::{Case, table};
use yaxpeax_x86::amd64::InstDecoder;

/// The number of instructions of each set.
const COUNT: usize = 8192;

fn main() {
    x86();
    arm();
}

/// Returns the bytes of instructions of this program.
fn own_code() -> Vec<Vec<u8>> {
    let path = std::env::current_exe().expect("the program knows where it is");
    let file = std::fs::read(path).expect("the program can be read");
    let text = text_section(&file).expect("the program is an ELF file");
    let mut decoder = Decoder::new(64, text, DecoderOptions::NONE);
    let (mut instruction, mut code) = (Instruction::default(), Vec::new());
    while decoder.can_decode() && code.len() < COUNT {
        let start = decoder.position();
        decoder.decode_out(&mut instruction);
        let bytes = &text[start..decoder.position()];
        let theirs = InstDecoder::default().decode_slice(bytes);
        if !instruction.is_invalid() && theirs.is_ok() {
            code.push(bytes.to_vec());
        }
    }
    code
}

/// Returns the section `.text` of a 64-bit ELF file.
fn text_section(file: &[u8]) -> Option<&[u8]> {
    let number = |at: usize, len: usize| {
        let bytes = file.get(at..at + len)?.iter().rev();
        Some(bytes.fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    let (start, size) = (number(0x28, 8)?, number(0x3a, 2)?);
    let (count, names) = (number(0x3c, 2)?, number(0x3e, 2)?);
    let field = |section: usize, at: usize| number(start + section * size + at, 8);
    let names = field(names, 0x18)?;
    (0..count).find_map(|section| {
        let name = names + number(start + section * size, 4)?;
        let (offset, len) = (field(section, 0x18)?, field(section, 0x20)?);
        file.get(name..)?.starts_with(b".text\0").then(|| file.get(offset..offset + len))?
    })
}

fn x86() {
    let code = own_code();
    assert_eq!(code.len(), COUNT, "the program has enough code");
    let decode = |bytes: &[u8]| Decoder::new(64, bytes, DecoderOptions::NONE).decode();
    let decoded: Vec<Instruction> = code.iter().map(|bytes| decode(bytes)).collect();
    let mut encoder = Encoder::new(64);
    let mut formatter = FastFormatter::new();
    let mut text = String::new();
    let mut theirs: Vec<_> = Vec::new();
    let cases = vec![
        Case::new("iced-x86", |part| {
            for bytes in &black_box(&code)[part] {
                black_box(decode(bytes));
            }
        }),
        Case::new("yaxpeax-x86", |part| {
            let decoder = InstDecoder::default();
            theirs.clear();
            theirs.extend(black_box(&code)[part].iter().map(|b| decoder.decode_slice(b).unwrap()));
            black_box(&mut theirs);
        }),
    ];
    table("x86", "decode", COUNT, cases);
    let cases = vec![Case::new("iced-x86", |part| {
        for instruction in &black_box(&decoded)[part] {
            // Not all jumps are in reach from address 0, but the work is the same.
            let _ = black_box(encoder.encode(instruction, instruction.ip()));
        }
        black_box(encoder.take_buffer());
    })];
    table("x86", "encode", COUNT, cases);
    let cases = vec![Case::new("iced-x86, decoding included", |part| {
        text.clear();
        for bytes in &black_box(&code)[part] {
            formatter.format(&decode(bytes), &mut text);
            text.push('\n');
        }
        black_box(&mut text);
    })];
    table("x86", "print", COUNT, cases);
}

fn arm() {
    let mut random = SplitMix64::new(1);
    let words = std::iter::repeat_with(|| random.bits() as u32);
    let words: Vec<u32> =
        words.filter(|&word| decoder::decode(word).is_some()).take(COUNT).collect();
    let mut text = String::new();
    let cases = vec![Case::new("disarm64", |part| {
        for &word in &black_box(&words)[part] {
            black_box(decoder::decode(word));
        }
    })];
    table("64-bit ARM", "decode", COUNT, cases);
    let cases = vec![Case::new("disarm64, decoding included", |part| {
        text.clear();
        for &word in &black_box(&words)[part] {
            let instruction = decoder::decode(word).expect("it decoded before");
            writeln!(text, "{instruction}").expect("a string takes all");
        }
        black_box(&mut text);
    })];
    table("64-bit ARM", "print", COUNT, cases);
}
