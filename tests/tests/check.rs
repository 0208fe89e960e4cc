//! The property tests that every set must pass, for the sets of this project. They run in
//! `isa_verify`, which is available to every author. The check of A64 is among the tests of A64.

use isa_core::Isa;
use isa_core::machine::Recorder;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_riscv::Rv64imac;
use isa_riscv::cpu::Cpu;
use isa_tests::share::part_of;
use isa_verify::Check;
use isa_verify::text::is_read_as_printed;
use isa_verify::word_generator::WordGenerator;

/// Returns a check with this number of cases for each property.
fn check<I: Isa>(cases: u64) -> Check<I> {
    Check::new().cases(part_of(cases))
}

#[test]
fn halu() {
    check::<Halu>(60_000).run();
}

#[test]
fn gpu() {
    check::<Gpu>(150_000).machine(Gpu::execute::<Recorder>).run();
}

#[test]
fn riscv() {
    check::<Rv64imac>(150_000).machine(Rv64imac::execute::<Cpu>).run();
}

isa_core::define_isa! {
    /// Encodings that share a text, and bits that no text contains.
    isa Loose: u16;
    text any_case;
    operand Num: 4 = isa_core::operand::Unsigned<4>;
    operand Short: 3 = isa_core::operand::Unsigned<3>;
    enum Op: 4 { COPY = 1, BACK = 2, PUT = 3, PUT_LONG = 4, NOP = 5 }
    enum Mode: 1 { LOW = 0, HIGH = 1 }
    group ALL { encoding { field<0, 4> Op op; } }
    opcode COPY : [ALL] { encoding { op == COPY; field<4, 4> Num rd; field<8, 4> Num rn; field<12, 1> Mode mode = LOW; } syntax { MOV{.mode} rd, rn; } }
    opcode BACK : [ALL] else COPY { encoding { op == BACK; field<4, 4> Num rn; field<8, 4> Num rd; where rd != rn; } syntax { MOV rd, rn; } }
    opcode PUT : [ALL] { encoding { op == PUT; field<4, 3> Short n; field<12, 4> Num rest = 3, ignored; } syntax { PUT n; } }
    opcode PUT_LONG : [ALL] else PUT { encoding { op == PUT_LONG; field<4, 4> Num n; field<8, 1> Mode mode = HIGH, ignored; } syntax { PUT n; } }
    alias ZERO of PUT { encoding { n == 0; } syntax { ZERO; } }
    alias TEN of PUT_LONG else ZERO { encoding { n == 10; } syntax { TEN; } }
    opcode NOP : [ALL] { encoding { op == NOP; field<4, 4> Num rest = 0, ignored; field<8, 8> Wide more = 1, ignored; } syntax { NOP; } }
    operand Wide: 8 = isa_core::operand::Hex<8>;
}

#[test]
fn words_whose_text_is_that_of_others() {
    check::<Loose>(30_000).run();
}

/// The number of words of an opcode that are printed and parsed.
const PRINTED_WORDS: usize = 200;

/// Checks that the fast parser accepts printed lines. The exceptions are in RISC-V and use the
/// template interpreter: fields in several runs of bits, and mnemonics with several templates.
#[test]
fn what_is_printed_is_read_without_a_walk() {
    for set in [Halu::SET, Gpu::SET, Rv64imac::SET] {
        let mut generator = WordGenerator::new(set, 4);
        for (opcode, row) in set.opcodes.iter().enumerate() {
            let is_split = row.fields.iter().any(|field| field.pieces.len() > 1);
            let is_left = is_split || ["FENCE", "JALR"].contains(&row.name);
            for _ in 0..PRINTED_WORDS {
                let word = generator.legal(opcode);
                let quick = is_read_as_printed(set, word).unwrap();
                assert!(is_left || quick, "{} {word:#x}", row.name);
            }
        }
    }
}
