//! Checks that decoding, encoding, printing, parsing, explaining and executing do not allocate
//! memory.

use allocation_counter::measure;
use isa_core::machine::{GeneralRegs, State};
use isa_core::text::{Cursor, Line};
use isa_defs::gpu::Gpu;
use isa_verify::text::disassemble;
use isa_verify::word_generator::WordGenerator;

/// Returns the number of allocations of a function.
fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

/// Returns valid words with their texts, created before anything is counted.
fn cases() -> Vec<(u128, String)> {
    let mut generator = WordGenerator::new(Gpu::SET, 1);
    let opcodes = (0..generator.opcode_count()).cycle().take(4_000);
    let words: Vec<u128> = opcodes.map(|opcode| generator.legal(opcode)).collect();
    let text = |word| disassemble(Gpu::SET, word).as_str().to_owned();
    words.into_iter().map(|word| (word, text(word))).collect()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(core::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn decode_and_encode() {
    let cases = cases();
    let count = allocations(|| {
        for (word, text) in &cases {
            let instruction = Gpu::decode(*word).expect(text);
            assert_eq!(instruction.encode().ok(), Some(*word));
            assert_eq!(instruction.operands().count(), instruction.opcode().operands.len());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn refuse() {
    let mut generator = WordGenerator::new(Gpu::SET, 2);
    let words: Vec<u128> = (0..4_000).map(|i| generator.plausible(i % 39)).collect();
    let mut refused = 0;
    let count = allocations(|| {
        for word in &words {
            if let Err(error) = Gpu::decode(*word) {
                let mut line = Line::new();
                // A line drops text that does not fit.
                let written = core::fmt::write(&mut line, format_args!("{error}"));
                assert!(written.is_ok());
                refused += 1;
            }
        }
    });
    assert_eq!(count, 0);
    assert!(refused > 1_000);
}

#[test]
fn print() {
    let cases = cases();
    let count = allocations(|| {
        for (word, text) in &cases {
            let mut line = Line::new();
            let opcode = Gpu::SET.decode(*word).expect(text);
            opcode.print(*word, &mut line);
            assert_eq!(line.as_str(), text);
            for part in opcode.explain(*word) {
                line.clear();
                part.field.iter().for_each(|field| field.meaning(&mut line));
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn parse() {
    let cases = cases();
    let program: String = cases.iter().map(|(_, text)| format!("{text}\n")).collect();
    let count = allocations(|| {
        for (word, text) in &cases {
            let instruction: Gpu = text.parse().expect(text);
            assert_eq!(instruction.encode().ok(), Some(*word));
            let cut = text[..text.len() - 1].parse::<Gpu>();
            assert!(cut.is_err());
        }
        let mut cursor = Cursor::new(&program);
        let mut read = 0;
        while let Ok(Some(parsed)) = Gpu::SET.parse_next(&mut cursor) {
            assert_eq!(parsed.word(), cases[read].0);
            read += 1;
        }
        assert_eq!(read, cases.len());
    });
    assert_eq!(count, 0);
}

#[test]
fn execute() {
    let cases = cases();
    let constants: Vec<u8> = (0..=u8::MAX).cycle().take(1 << 17).collect();
    let mut state = State::new();
    (0..32).for_each(|bank| state.set_bank(bank, &constants));
    (0..255).for_each(|number| state.set_reg(number, u32::from(number) * 0x0101_0101));
    let before = state.clone();
    let count = allocations(|| {
        for (word, text) in &cases {
            Gpu::decode(*word).expect(text).execute(&mut state);
        }
    });
    assert_eq!(count, 0);
    assert_ne!(state, before);
}
