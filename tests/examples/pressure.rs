//! Def-use chains and register pressure of straight-line code, over the tables of any set: no name and
//! no number of a set stands in it.
//!
//! ```text
//! cargo run -p isa-tests --example pressure
//! ```

use std::collections::{BTreeMap, BTreeSet};

use isa_core::Operands;
use isa_core::asm::{Assembler, Line};
use isa_core::machine::{Files, Held, Named, Place};
use isa_core::table::{Access, InstructionSet, Opcode};

/// An instruction of the code.
#[derive(Debug)]
pub(crate) struct Step {
    /// Its text.
    pub(crate) text: String,
    /// What it reads, each with the number of the instruction that wrote it; `None` for what was there
    /// at the start.
    pub(crate) uses: Vec<(String, Option<usize>)>,
    /// How many registers hold something behind it that is read later.
    pub(crate) live: usize,
}

/// The registers that a word reads and writes. What a guard may leave as it is counts as read.
fn registers(files: Files, opcode: &'static Opcode, word: u128) -> [BTreeSet<Place>; 2] {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    for operand in Operands::new(opcode, word) {
        let Some(Held::Place(place)) = files.held(&operand) else { continue };
        if files.file(place).is_none_or(|file| file.count() == 0) {
            continue;
        }
        if operand.access() != Access::Write {
            reads.insert(place);
        }
        if operand.access() != Access::Read {
            writes.insert(place);
        }
    }
    if opcode.is_guarded(word) {
        reads.extend(&writes);
    }
    [reads, writes]
}

/// The chains of a program, and what is live behind each instruction; at the end nothing is.
///
/// # Errors
///
/// Text that does not assemble.
pub(crate) fn chains(
    set: &'static InstructionSet,
    files: Files,
    text: &str,
) -> Result<Vec<Step>, isa_core::error::AssembleErrors> {
    let program = Assembler::new(set).assemble(text)?;
    let mut written: BTreeMap<Place, usize> = BTreeMap::new();
    let (mut steps, mut accesses) = (Vec::new(), Vec::new());
    for (index, word) in program.statements.iter().filter_map(|statement| statement.instruction) {
        let opcode: &'static Opcode = set.opcodes[index];
        let [reads, writes] = registers(files, opcode, word);
        let uses = reads.iter().map(|place| (files.name(*place), written.get(place).copied()));
        let mut line = Line::new();
        opcode.print(word, &mut line);
        steps.push(Step { text: line.to_string(), uses: uses.collect(), live: 0 });
        written.extend(writes.iter().map(|place| (*place, accesses.len())));
        accesses.push([reads, writes]);
    }
    let mut live = BTreeSet::new();
    for (step, [reads, writes]) in steps.iter_mut().zip(accesses).rev() {
        step.live = live.len();
        live.retain(|place| !writes.contains(place));
        live.extend(reads);
    }
    Ok(steps)
}

fn main() -> Result<(), isa_core::error::AssembleErrors> {
    let gpu = "HMUL2 R1, R2, R3; @P0 HADD2 R1, R1, c[0x0][0x160]; HFMA2 R4, R1, R1, RZ;";
    let riscv = "addi a0, a1, 1; add a2, a0, a0; sd a2, 8(sp); sub a0, a2, zero;";
    let recorder = isa_core::machine::Recorder::default();
    let cpu = isa_riscv::cpu::Cpu::default();
    for (set, files, text) in [
        (isa_defs::gpu::Gpu::SET, recorder.files(), gpu),
        (isa_riscv::Rv64imac::SET, cpu.files(), riscv),
    ] {
        for (number, Step { text, uses, live }) in chains(set, files, text)?.iter().enumerate() {
            println!("{number}: {text:45} live {live}, uses {uses:?}");
        }
    }
    Ok(())
}
