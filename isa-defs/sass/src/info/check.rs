//! Compares the code of a function with its attributes.

use core::fmt::{self, Display, Formatter};

use isa_core::table::InstructionSet;

use crate::schedule::{self, AnyRegister, File};

use super::{Attribute, BYTES, Function};

/// A difference between the code of a function and its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// An instruction uses a register that the function does not have.
    Register {
        /// The offset of the instruction.
        offset: u64,
        /// The assembly of the instruction.
        instruction: String,
        /// The highest register that the instruction uses.
        register: AnyRegister,
        /// The number of registers of the function. The last two are reserved.
        count: u32,
    },
    /// The attribute `EXIT_INSTR_OFFSETS` contains the offset of something other than an EXIT.
    Exit {
        /// The offset.
        offset: u64,
        /// The assembly of the instruction, or `None` if the offset is not the offset of an instruction.
        instruction: Option<String>,
    },
    /// The section header and the attribute `REGCOUNT` contain different numbers of registers.
    RegisterCounts {
        /// The number in the header of the section `.text.NAME`.
        header: u32,
        /// The number in the attribute.
        attribute: u32,
    },
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Register { offset, instruction, register, count } => {
                let limit = count.saturating_sub(RESERVED);
                write!(
                    f,
                    "{offset:#x}: register outside of the function: expected a register below R{limit} \
                     (the last {RESERVED} of {count} registers are reserved), found {register}\n  \
                     {offset:#06x}  {instruction}"
                )
            }
            Finding::Exit { offset, instruction: Some(instruction) } => write!(
                f,
                "{offset:#x}: EIATTR_EXIT_INSTR_OFFSETS: expected EXIT\n  {offset:#06x}  {instruction}"
            ),
            Finding::Exit { offset, instruction: None } => write!(
                f,
                "{offset:#x}: EIATTR_EXIT_INSTR_OFFSETS: expected the offset of an instruction"
            ),
            Finding::RegisterCounts { header, attribute } => write!(
                f,
                "the numbers of registers differ: the section header contains {header}, EIATTR_REGCOUNT contains {attribute}"
            ),
        }
    }
}

/// The number of registers that `ptxas` declares, but never uses. They are the last ones.
const RESERVED: u32 = 2;

/// The bits that determine the opcode, and their value in an EXIT.
const EXIT: (u128, u128) = (0xfff, 0x94d);

/// Checks that the numbers of registers are equal, that the instructions use only registers that the function has
/// (without the last two, which are reserved), and that each offset of the attribute
/// `EXIT_INSTR_OFFSETS` is the offset of an EXIT. `set` must have the features of the chip.
///
/// Registers are not checked if the function changes their number (`USETMAXREG`), or in words that do not decode.
#[must_use]
pub fn check(set: &InstructionSet, function: &Function) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(attribute) = function.attribute_registers
        && ![0, attribute].contains(&function.header_registers)
    {
        findings.push(Finding::RegisterCounts { header: function.header_registers, attribute });
    }
    let count = function.registers().filter(|_| function.attribute("REG_RECONFIG").is_none());
    for (index, &word) in function.words.iter().enumerate() {
        let (Some(count), Ok(opcode)) = (count, set.decode(word)) else { continue };
        let registers = schedule::registers(opcode, word);
        let vector = registers.into_iter().filter(|register| register.file == File::Vector);
        let limit = count.saturating_sub(RESERVED);
        let Some(register) = vector.max().filter(|register| u32::from(register.number) >= limit)
        else {
            continue;
        };
        let offset = (index * BYTES) as u64;
        let instruction = schedule::text(Some(opcode), offset, word);
        findings.push(Finding::Register { offset, instruction, register, count });
    }
    let exits = function.attributes.iter();
    let exits = exits.filter(|attribute| attribute.name() == Some("EXIT_INSTR_OFFSETS"));
    for offset in exits.filter_map(Attribute::instruction_offsets).flatten() {
        let index = offset as usize / BYTES;
        let is_start = (offset as usize).is_multiple_of(BYTES);
        let word = function.words.get(index).copied().filter(|_| is_start);
        if word.is_none_or(|word| word & EXIT.0 != EXIT.1) {
            let offset = offset.into();
            let instruction = word.map(|word| schedule::text(set.decode(word).ok(), offset, word));
            findings.push(Finding::Exit { offset, instruction });
        }
    }
    findings
}
