//! Prints the basic blocks of a program, and the edges between them, as a graph for `dot`. It uses
//! only the tables of the set, and contains no name or number of a set.
//!
//! ```text
//! cargo run -p isa-tests --example blocks | dot -Tsvg > blocks.svg
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use isa_core::asm::Assembler;
use isa_core::table::{Flow, FlowKind, FlowTarget, InstructionSet};
use isa_core::text::Line;

/// A sequence of instructions that is executed from the first to the last.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// The assembly of the instructions.
    pub(crate) text: Vec<String>,
    /// The addresses of the blocks that may follow.
    pub(crate) next: BTreeSet<u64>,
    /// The addresses that the block calls.
    pub(crate) calls: BTreeSet<u64>,
    /// Whether execution may continue at an address that is not in the code: in a register, or at
    /// the caller.
    pub(crate) leaves: bool,
}

/// Returns the blocks of code by their addresses, up to the first word that is not a valid
/// instruction.
pub(crate) fn blocks(
    set: &'static InstructionSet,
    mut bytes: &[u8],
    origin: u64,
) -> BTreeMap<u64, Block> {
    let (mut code, mut address) = (BTreeMap::<u64, (String, Flow, u64)>::new(), origin);
    while let Ok((index, word, length)) = set.first(bytes) {
        let (opcode, mut text) = (set.opcodes[index], Line::new());
        opcode.print(word, &mut text);
        let behind = address + length as u64;
        code.insert(address, (text.to_string(), opcode.flow(word, address), behind));
        (address, bytes) = (behind, &bytes[length..]);
    }
    let mut starts = BTreeSet::from([origin]);
    for (_, flow, behind) in code.values() {
        starts.extend(flow.ends_block().then_some(*behind));
        starts.extend(target(flow));
    }
    let (mut blocks, mut start) = (BTreeMap::<u64, Block>::new(), origin);
    for (address, (text, flow, behind)) in &code {
        start = if starts.contains(address) { *address } else { start };
        let block = blocks.entry(start).or_default();
        block.text.push(text.clone());
        match flow.kind {
            FlowKind::Call => block.calls.extend(target(flow)),
            _ => block.next.extend(target(flow)),
        }
        let is_told = target(flow).is_some() || !flow.ends_block() || flow.kind == FlowKind::Stop;
        block.leaves |= !is_told;
        block.next.extend((flow.comes_behind() && starts.contains(behind)).then_some(*behind));
    }
    blocks
}

/// Returns the target address of an instruction if it is known.
fn target(flow: &Flow) -> Option<u64> {
    match flow.target {
        FlowTarget::Address(address) => Some(address),
        _ => None,
    }
}

/// Returns the graph in the language of `dot`.
pub(crate) fn graph(blocks: &BTreeMap<u64, Block>) -> String {
    let mut dot = String::from("digraph {\n    node [shape=box, fontname=monospace];\n");
    for (start, Block { text, next, calls, leaves }) in blocks {
        let shape = if *leaves { ", peripheries=2" } else { "" };
        let text = text.join("\\l").replace('"', "\\\"");
        let _ = writeln!(dot, "    b{start:x} [label=\"{start:#x}:\\l{text}\\l\"{shape}];");
        let edges =
            next.iter().map(|to| (to, "")).chain(calls.iter().map(|to| (to, " [style=dashed]")));
        edges.for_each(|(to, style)| _ = writeln!(dot, "    b{start:x} -> b{to:x}{style};"));
    }
    dot + "}\n"
}

fn main() -> Result<(), isa_core::asm::AssembleErrors> {
    let riscv =
        "loop: addi a0, a0, -1; beqz a0, done; jal ra, step; j loop; done: ret; step: c.jr ra;";
    let a64 = "again: sub x0, x0, #1; cbz x0, done; bl step; b again; done: ret; step: br x1;";
    for (set, text) in [(isa_riscv::Rv64imac::SET, riscv), (isa_a64::A64::SET, a64)] {
        let program = Assembler::new(set).origin(0x1000).assemble(text)?;
        print!("{}", graph(&blocks(set, &program.bytes, 0x1000)));
    }
    Ok(())
}
