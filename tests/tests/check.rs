//! What every set promises, over the sets of this project: by `isa_check`, as any author has it. A64 has
//! its check among its own tests.

use isa_check::Check;
use isa_check::space::Space;
use isa_check::text::is_read_as_printed;
use isa_core::Isa;
use isa_core::machine::Recorder;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_riscv::Rv64imac;
use isa_riscv::cpu::Cpu;
use isa_tests::share::part_of;

/// A check with so many cases of each property.
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

/// How many words of an opcode are printed and read.
const PRINTED_WORDS: usize = 200;

/// Lines are read as they are printed, but for what RISC-V has that is left to the walk: fields in
/// several runs of bits, and mnemonics of several templates.
#[test]
fn what_is_printed_is_read_without_a_walk() {
    for set in [Halu::SET, Gpu::SET, Rv64imac::SET] {
        let mut space = Space::new(set, 4);
        for (opcode, row) in set.opcodes.iter().enumerate() {
            let is_split = row.fields.iter().any(|field| field.pieces.len() > 1);
            let is_left = is_split || ["FENCE", "JALR"].contains(&row.name);
            for _ in 0..PRINTED_WORDS {
                let word = space.legal(opcode);
                let quick = is_read_as_printed(set, word).unwrap();
                assert!(is_left || quick, "{} {word:#x}", row.name);
            }
        }
    }
}
