//! Prints def-use chains and register pressure of straight-line code. It uses only the tables of
//! the set, and contains no name or number of a set.
//!
//! ```text
//! cargo run -p isa-tests --example pressure
//! ```

use std::collections::BTreeMap;

use isa_core::Operands;
use isa_core::asm::Assembler;
use isa_core::machine::{NamedMachine, OperandStorage, RegisterFiles, StateLocation};
use isa_core::table::{Access, InstructionSet, Opcode};
use isa_core::text::Line;

/// An instruction of the code.
#[derive(Debug)]
pub(crate) struct Step {
    /// The assembly of the instruction.
    pub(crate) text: String,
    /// The places that the instruction reads. Each has the index of an instruction that wrote a
    /// part of the place, or `None` if the value is the initial one.
    pub(crate) uses: Vec<(String, Option<usize>)>,
    /// The number of registers with a value that is read after this instruction.
    pub(crate) live: usize,
}

/// A bit mask for each register.
type Bits = BTreeMap<StateLocation, u128>;

/// Returns the bits of registers that a word reads and writes, by lanes if the specification
/// declares them. If a guard may leave a register unchanged, the register is also read.
fn registers(files: RegisterFiles, opcode: &'static Opcode, word: u128) -> [Bits; 2] {
    let (mut reads, mut writes) = (Bits::new(), Bits::new());
    for operand in Operands::new(opcode, word) {
        let Some(OperandStorage::Location(place)) = files.held(&operand) else { continue };
        if files.file(place).is_none_or(|file| file.count() == 0) {
            continue;
        }
        let all = u128::MAX >> 128_u32.saturating_sub(files.bits(place)).min(127);
        let bits = operand.lanes().map_or(all, |lanes| lanes.value_bits());
        if operand.access() != Access::Write {
            *reads.entry(place).or_default() |= bits;
        }
        if operand.access() != Access::Read {
            *writes.entry(place).or_default() |= bits;
        }
    }
    let kept = writes.iter().filter(|_| opcode.is_guarded(word));
    kept.for_each(|(place, bits)| *reads.entry(*place).or_default() |= bits);
    reads.retain(|_, bits| *bits != 0);
    [reads, writes]
}

/// Returns the chains of a program, and the number of live registers after each instruction. No
/// register is live at the end.
///
/// # Errors
///
/// If the text does not assemble.
pub(crate) fn chains(
    set: &'static InstructionSet,
    files: RegisterFiles,
    text: &str,
) -> Result<Vec<Step>, isa_core::asm::AssembleErrors> {
    let program = Assembler::new(set).assemble(text)?;
    // For each register, the writer of each of its bits. Initially the bits have no writer.
    let mut written: BTreeMap<StateLocation, Vec<(u128, Option<usize>)>> = BTreeMap::new();
    let (mut steps, mut accesses) = (Vec::new(), Vec::new());
    for (index, word) in program.statements.iter().filter_map(|statement| statement.instruction) {
        let opcode: &'static Opcode = set.opcodes[index];
        let [reads, writes] = registers(files, opcode, word);
        let mut uses = Vec::new();
        for (place, read) in &reads {
            let by = written.entry(*place).or_insert_with(|| vec![(u128::MAX, None)]);
            let by = by.iter().filter(|(bits, _)| bits & read != 0);
            uses.extend(by.map(|(_, by)| (files.name(*place), *by)));
        }
        let mut line = Line::new();
        opcode.print(word, &mut line);
        steps.push(Step { text: line.to_string(), uses, live: 0 });
        for (place, own) in &writes {
            let by = written.entry(*place).or_insert_with(|| vec![(u128::MAX, None)]);
            by.iter_mut().for_each(|(bits, _)| *bits &= !own);
            by.push((*own, Some(accesses.len())));
        }
        accesses.push([reads, writes]);
    }
    let mut live = Bits::new();
    for (step, [reads, writes]) in steps.iter_mut().zip(accesses).rev() {
        step.live = live.len();
        live.iter_mut().for_each(|(place, bits)| *bits &= !writes.get(place).unwrap_or(&0));
        live.retain(|_, bits| *bits != 0);
        reads.into_iter().for_each(|(place, bits)| *live.entry(place).or_default() |= bits);
    }
    Ok(steps)
}

fn main() -> Result<(), isa_core::asm::AssembleErrors> {
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
