//! Propagates copies and removes dead code in straight-line code of any set. The analysis contains
//! no name or number of a set. It executes an instruction on random states to find out whether the
//! instruction is a copy, and whether it changes anything except its registers.

use std::collections::{BTreeMap, BTreeSet};

use isa_core::asm::Assembler;
use isa_core::machine::{NamedMachine, OperandStorage, StateLocation};
use isa_core::table::Access;
use isa_core::{Isa, Operand, Operands};
use isa_verify::random_state;

/// An instruction, its register operands, and whether it has a guard.
struct One<I> {
    instruction: I,
    operands: Vec<(Operand, StateLocation)>,
    guarded: bool,
}

impl<I: Isa> One<I> {
    /// Returns the first instruction in `bytes` and its length.
    fn first<M: NamedMachine + Default>(bytes: &[u8]) -> Option<(Self, usize)> {
        let ((index, word, length), files) = (I::SET.first(bytes).ok()?, M::default().files());
        let (mut operands, opcode) = (Vec::new(), I::SET.opcodes[index]);
        let guarded = opcode.is_guarded(word);
        for operand in Operands::new(opcode, word) {
            let Some(OperandStorage::Location(place)) = files.held(&operand) else { continue };
            // An operand without active lanes is neither read nor written.
            if operand.lanes().is_some_and(|lanes| lanes.mask == 0) {
                continue;
            }
            operands.extend(
                files.file(place).filter(|file| file.count() > 0).map(|_| (operand, place)),
            );
        }
        Some((One { instruction: I::decode_first(bytes).ok()?.0, operands, guarded }, length))
    }

    /// Returns the registers, except those with only this access.
    fn places(&self, but: Access) -> BTreeSet<StateLocation> {
        let operands = self.operands.iter().filter(|(operand, _)| operand.access() != but);
        operands.map(|(_, place)| *place).collect()
    }

    /// Returns the written and the read register if the instruction copies one register to another
    /// in every tested state.
    fn copy<M: NamedMachine + Default>(
        &self,
        execute: &impl Fn(I, &mut M),
    ) -> Option<[(Operand, StateLocation); 2]> {
        let [to, from] = self.operands[..] else { return None };
        let is_copy = (0..8).all(|seed| {
            let value = random_state::<M>(seed).get(from.1, 0);
            results([self.instruction], execute, seed).into_iter().eq([(to.1, value)])
        });
        (is_copy && !self.guarded).then_some([to, from])
    }
}

/// Returns the values that instructions write in a random state, without a program counter.
pub(crate) fn results<I, M: NamedMachine + Default>(
    code: impl IntoIterator<Item = I>,
    execute: &impl Fn(I, &mut M),
    seed: u64,
) -> BTreeMap<StateLocation, u128> {
    let mut machine = random_state::<M>(seed);
    code.into_iter().for_each(|instruction| execute(instruction, &mut machine));
    let files = machine.files();
    let written = machine.written().into_iter();
    let written = written.filter(|place| !files.file(*place).is_some_and(|file| file.is_counter()));
    written.map(|place| (place, machine.get(place, 0))).collect()
}

/// Returns shorter code with the same effect: it reads the source of a copy instead of the copy,
/// and omits instructions with unused results. The registers in `live`, and memory, are read after
/// the code.
pub(crate) fn rewrite<I: Isa, M: NamedMachine + Default>(
    mut bytes: &[u8],
    execute: &impl Fn(I, &mut M),
    mut live: BTreeSet<StateLocation>,
) -> Vec<I> {
    let (mut code, mut copies) =
        (Vec::new(), BTreeMap::<StateLocation, (Operand, StateLocation)>::new());
    while let Some((mut next, length)) = One::<I>::first::<M>(bytes) {
        bytes = &bytes[length..];
        for number in 0..next.operands.len() {
            let (operand, place) = next.operands[number];
            let source = copies.get(&place).filter(|_| operand.access() == Access::Read);
            let word = source.and_then(|(source, _)| operand.replaced_by(source).ok());
            let changed = word.and_then(|word| One::first::<M>(&word.to_le_bytes()));
            next = changed.map_or(next, |(changed, _)| changed);
        }
        let written = next.places(Access::Read);
        copies.retain(|to, (_, from)| !written.contains(to) && !written.contains(from));
        copies.extend(next.copy(execute).map(|[to, from]| (to.1, from)));
        code.push(next);
    }
    let mut left = Vec::new();
    for one in code.into_iter().rev() {
        let writes = one.places(Access::Read);
        let alone = (0..8).flat_map(|seed| results([one.instruction], execute, seed).into_keys());
        if writes.is_disjoint(&live) && alone.into_iter().all(|place| writes.contains(&place)) {
            continue;
        }
        live.retain(|place| one.guarded || !writes.contains(place));
        live.extend(one.places(Access::Write));
        left.push(one.instruction);
    }
    left.into_iter().rev().collect()
}

fn main() -> Result<(), isa_core::asm::AssembleErrors> {
    let text = "addi a5, a1, 0; add a6, a5, a2; mul a7, a5, a5; sub a0, a6, a5;";
    let code = Assembler::new(isa_riscv::Rv64imac::SET).assemble(text)?.bytes;
    let files = isa_riscv::cpu::Cpu::default().files();
    let kept = ["a0"].iter().filter_map(|name| files.place(name).ok()).collect();
    let execute = |one: isa_riscv::Rv64imac, cpu: &mut isa_riscv::cpu::Cpu| _ = one.execute(cpu);
    rewrite(&code, &execute, kept).iter().for_each(|instruction| println!("{instruction}"));
    Ok(())
}
