//! Programs: bytes to text with labels.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::cursor::is_label;
use super::{LabelMap, Labels, Line, Site, data, print_word};
use crate::table::{InstructionSet, Opcode};

/// A disassembler of programs of a set, whose text assembles to the same bytes.
///
/// What a target of the program leads to gets a label, `L_` and the address in hexadecimal, unless
/// it has one. Bytes that are no instruction become data.
///
/// ```
/// use isa_core::asm::{Assembler, Disassembler};
/// # isa_core::define_isa! {
/// #     /// Two instructions.
/// #     pub isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     enum Op: 8 { DEC = 1, BNZ = 2 }
/// #     opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// #     opcode BNZ {
/// #         encoding { field<8, 8> Op op == BNZ; field<0, 8> Target to; } syntax { BNZ to; }
/// #     }
/// # }
///
/// let code = [0x03, 0x01, 0xff, 0x02, 0x99];
/// let text = Disassembler::new(Tiny::SET).origin(0x1000).disassemble(&code);
/// assert_eq!(text, "L_1000:\n    DEC R3;\n    BNZ L_1000;\n    .byte 0x99;\n");
///
/// let program = Assembler::new(Tiny::SET).origin(0x1000).assemble(&text)?;
/// assert_eq!(program.bytes, code);
/// # Ok::<(), isa_core::error::AssembleErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Disassembler {
    set: &'static InstructionSet,
    origin: u64,
    known: LabelMap,
}

/// An instruction or data.
struct Piece<'c> {
    address: u64,
    bytes: &'c [u8],
    instruction: Option<(&'static Opcode, u128)>,
}

impl Disassembler {
    /// A disassembler of programs that begin at address 0.
    #[must_use]
    pub const fn new(set: &'static InstructionSet) -> Self {
        Disassembler { set, origin: 0, known: LabelMap::new() }
    }

    /// With the address that programs begin at.
    #[must_use]
    pub fn origin(self, origin: u64) -> Self {
        Disassembler { origin, ..self }
    }

    /// With known labels. Those in front of a statement of the program become part of the text;
    /// those outside of the program are named by it, so that the
    /// [`Assembler`](super::Assembler) has to be given them.
    #[must_use]
    pub fn labels(self, known: LabelMap) -> Self {
        Disassembler { known, ..self }
    }

    /// The text of a program.
    #[must_use]
    pub fn disassemble(&self, code: &[u8]) -> String {
        let pieces = self.pieces(code);
        let (inside, labels) = self.find_labels(&pieces, code.len() as u64);
        let mut text = String::new();
        let end = self.origin.wrapping_add(code.len() as u64);
        for piece in &pieces {
            write_labels(piece.address, &inside, &mut text);
            text.push_str("    ");
            self.write_piece(piece, &labels, &mut text);
            text.push('\n');
        }
        write_labels(end, &inside, &mut text);
        text
    }

    fn pieces<'c>(&self, code: &'c [u8]) -> Vec<Piece<'c>> {
        let (mut pieces, mut rest, mut address) = (Vec::new(), code, self.origin);
        let always = self.set.always_reads_back();
        while !rest.is_empty() {
            let (length, instruction) = match self.set.first(rest) {
                Ok((index, word, length)) => {
                    let opcode = self.set.opcodes.get(index).copied();
                    // What would assemble to other bits is written as data.
                    let opcode = opcode.filter(|opcode| always || opcode.reads_back(word));
                    (length, opcode.map(|opcode| (opcode, word)))
                }
                Err(_) => (self.set.length_of_none(rest), None),
            };
            let (bytes, behind) = rest.split_at(length.clamp(1, rest.len()));
            pieces.push(Piece { address, bytes, instruction });
            (rest, address) = (behind, address.wrapping_add(bytes.len() as u64));
        }
        pieces
    }

    /// The labels that the text defines, and with those from outside all that it names.
    fn find_labels(&self, pieces: &[Piece<'_>], len: u64) -> (LabelMap, LabelMap) {
        let mut starts: BTreeSet<u64> = pieces.iter().map(|piece| piece.address).collect();
        starts.insert(self.origin.wrapping_add(len));
        let (mut inside, mut all) = (LabelMap::new(), LabelMap::new());
        for (name, address) in self.known.iter().filter(|(name, _)| is_label(name)) {
            let is_start = starts.contains(&address);
            if is_start {
                inside.insert(name, address);
            }
            // What is amid an instruction has no place in the text.
            if is_start || address.wrapping_sub(self.origin) >= len {
                all.insert(name, address);
            }
        }
        for Piece { address, instruction, .. } in pieces {
            let Some((opcode, word)) = *instruction else { continue };
            for target in opcode.targets(word, *address).filter(|target| starts.contains(target)) {
                if all.name(target).is_none() {
                    let name = self.new_name(target);
                    inside.insert(&name, target);
                    all.insert(&name, target);
                }
            }
        }
        (inside, all)
    }

    fn new_name(&self, address: u64) -> String {
        let mut name = format!("L_{address:x}");
        while self.known.address(&name).is_some() {
            name.push('_');
        }
        name
    }

    fn write_piece(&self, piece: &Piece<'_>, labels: &LabelMap, text: &mut String) {
        let mut line = Line::new();
        match (piece.instruction, piece.bytes) {
            (Some((opcode, word)), _) => {
                opcode.print_at(word, Site::new(piece.address, labels), &mut line);
            }
            (None, bytes) => {
                let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte));
                let bits = bytes.len() * 8;
                if bits == usize::from(self.set.bits) {
                    print_word(word, self.set.bits, &mut line);
                } else if let Some(directive) = data::of_size(bytes.len()) {
                    line.push_str(directive);
                    line.push_str(" 0x");
                    line.push_hex(word, bits as u32 / 4);
                    line.push(b';');
                } else {
                    write_bytes(bytes, &mut line);
                }
            }
        }
        text.push_str(line.as_str());
    }
}

fn write_labels(address: u64, labels: &LabelMap, text: &mut String) {
    for name in labels.names(address) {
        let _ = writeln!(text, "{name}:");
    }
}

fn write_bytes(bytes: &[u8], line: &mut Line) {
    line.push_str(".byte");
    for (place, &byte) in bytes.iter().enumerate() {
        line.push_str(if place == 0 { " 0x" } else { ", 0x" });
        line.push_hex(byte.into(), 2);
    }
    line.push(b';');
}
