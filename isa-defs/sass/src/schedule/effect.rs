//! The registers that an instruction reads and writes, and its control word.

use core::fmt::{self, Display, Formatter};

use isa_core::Operands;
use isa_core::table::{Access, Field, Opcode, PropertyValue};

use crate::Unit;

/// A register or a predicate, vector or uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyRegister {
    /// The register file.
    pub file: File,
    /// The number in the file.
    pub number: u8,
}

/// A register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum File {
    /// `R0` to `R254`.
    Vector,
    /// `UR0` and further.
    Uniform,
    /// `P0` to `P6`.
    Predicate,
    /// `UP0` to `UP6`.
    UniformPredicate,
}

impl Display for AnyRegister {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = match self.file {
            File::Vector => "R",
            File::Uniform => "UR",
            File::Predicate => "P",
            File::UniformPredicate => "UP",
        };
        write!(f, "{name}{}", self.number)
    }
}

/// A register that an instruction reads or writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) register: AnyRegister,
    /// The index of the register in the operand: 1 is the high half of an operand of 64 bits.
    pub(super) part: u8,
    pub(super) role: Role,
}

/// The meaning of a register for an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It decides whether the instruction is executed.
    Guard,
    /// It is the sum operand, which multiplications read later than the factors.
    Sum,
    /// Any other operand.
    Other,
}

/// The guard of an instruction: the predicate, and whether it is negated.
pub(super) type Guard = (AnyRegister, bool);

/// The control word of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct ControlWord {
    pub(super) stall: u8,
    /// The barrier that is released when the results are written, or 7.
    pub(super) wr: u8,
    /// The barrier that is released when the sources are read, or 7.
    pub(super) rd: u8,
    /// The set of barriers that the instruction waits for.
    pub(super) req: u8,
}

impl ControlWord {
    /// Decodes the control word, which is at the same position in all instructions.
    pub(super) fn of(word: u128) -> Self {
        let bits = |at: u32, width: u32| (word >> at) as u8 & ((1 << width) - 1);
        ControlWord { stall: bits(105, 4), wr: bits(110, 3), rd: bits(113, 3), req: bits(116, 6) }
    }

    /// Returns the set of barriers that the instruction sets.
    pub(super) fn sets(self) -> u8 {
        barrier_set(self.wr) | barrier_set(self.rd)
    }

    /// Returns the cycles until the next instruction is issued.
    pub(super) fn cycles(self) -> u8 {
        self.stall.max(1)
    }
}

/// Returns the set that contains a barrier, and the empty set for the number 7.
pub(super) fn barrier_set(barrier: u8) -> u8 {
    if barrier < 6 { 1 << barrier } else { 0 }
}

/// The effect of an instruction on registers and barriers.
#[derive(Debug, Clone)]
pub(super) struct Effect {
    pub(super) unit: Unit,
    pub(super) control: ControlWord,
    pub(super) guard: Option<Guard>,
    pub(super) reads: Vec<Use>,
    pub(super) writes: Vec<Use>,
}

impl Effect {
    /// Returns the effect of a word. `opcode` is `None` if the word does not decode.
    pub(super) fn of(opcode: Option<&'static Opcode>, word: u128) -> Self {
        let mut effect = Effect {
            unit: opcode.map_or(Unit::UNKNOWN, |opcode| unit_of(opcode, word)),
            control: ControlWord::of(word),
            guard: None,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        let Some(opcode) = opcode else { return effect };
        for operand in Operands::new(opcode, word) {
            let declared = u8::try_from(operand.width() / 32).unwrap_or(1);
            effect.add(opcode, word, operand.field(), operand.access(), declared);
        }
        // The descriptor of a load or a store is an attribute in the text, so it is not an operand.
        for field in opcode.fields.iter().filter(|field| field.kind.name == "Descriptor") {
            effect.add(opcode, word, field, Access::Read, 2);
        }
        effect
    }

    /// Adds the registers of an operand. `declared` is the number of registers according to the
    /// specification.
    fn add(&mut self, opcode: &Opcode, word: u128, field: &Field, access: Access, declared: u8) {
        let role = match field.name {
            "pg" => Role::Guard,
            "c" => Role::Sum,
            _ => Role::Other,
        };
        let Some((register, count)) = register(field, field.get(word)) else { return };
        if role == Role::Guard {
            let negated = value(opcode, word, "pg.not") == Some(1);
            self.guard = Some((register, negated));
        }
        let count = match register.file {
            File::Vector | File::Uniform => count.max(declared).max(width(opcode, word, field)),
            _ => 1,
        };
        for part in 0..count {
            let Some(number) = register.number.checked_add(part) else { continue };
            let used = Use { register: AnyRegister { number, ..register }, part, role };
            match access {
                Access::Read => self.reads.push(used),
                Access::Write => self.writes.push(used),
                Access::ReadWrite => {
                    self.reads.push(used);
                    self.writes.push(used);
                }
            }
        }
    }

    /// Returns whether the instruction writes a register.
    pub(super) fn has_written(&self, register: AnyRegister) -> bool {
        self.writes.iter().any(|used| used.register == register)
    }
}

/// Returns the registers that an instruction reads or writes.
#[cfg(feature = "info")]
pub(crate) fn registers(opcode: &'static Opcode, word: u128) -> Vec<AnyRegister> {
    let Effect { reads, writes, .. } = Effect::of(Some(opcode), word);
    reads.iter().chain(&writes).map(|used| used.register).collect()
}

/// Returns the value of a field.
fn value(opcode: &Opcode, word: u128, name: &str) -> Option<u64> {
    opcode.fields.iter().find(|field| field.name == name).map(|field| field.get(word))
}

/// Returns the first register that a field names, and the number of registers that the type of the field
/// implies.
fn register(field: &Field, raw: u64) -> Option<(AnyRegister, u8)> {
    let one = |file, raw: u64, zero: u64, count| {
        let number = u8::try_from(raw).ok().filter(|_| raw < zero)?;
        Some((AnyRegister { file, number }, count))
    };
    match field.kind.name {
        "Reg" => one(File::Vector, raw, 255, 1),
        "UReg" => one(File::Uniform, raw, 63, 1),
        "WideUReg" => one(File::Uniform, raw, 255, 1),
        "Descriptor" | "Bound" | "BoundSpaced" => one(File::Uniform, raw & 63, 63, 2),
        "Pred" => one(File::Predicate, raw, 7, 1),
        "UPred" => one(File::UniformPredicate, raw, 7, 1),
        _ => None,
    }
}

/// Returns the unit that executes a word: the property of its opcode, except if a modifier or the mnemonic decides.
fn unit_of(opcode: &Opcode, word: u128) -> Unit {
    let unit = match opcode.properties.get("unit") {
        Some(PropertyValue::Named(value)) => Unit::from_bits(value.raw),
        _ => None,
    };
    let starts = |names: &[&str]| names.iter().any(|it| opcode.syntax.mnemonic.starts_with(it));
    match unit.unwrap_or(Unit::UNKNOWN) {
        Unit::SELECT if value(opcode, word, "double") == Some(1) => Unit::PAIR,
        Unit::CLOCK if value(opcode, word, "narrow") == Some(0) => Unit::ALU,
        // A branch to an unknown address.
        Unit::CONTROL if opcode.flow.is_empty() && starts(&["CALL", "RET", "BRX", "JM"]) => {
            Unit::UNKNOWN
        }
        unit => unit,
    }
}

/// Returns the number of registers that an operand consists of.
fn width(opcode: &Opcode, word: u128, field: &Field) -> u8 {
    let value = |name| value(opcode, word, name);
    match (opcode.syntax.mnemonic, field.name) {
        ("DADD" | "DMUL" | "DFMA" | "DSETP" | "MOV.64" | "UMOV.64" | "FRND.F64", _) => 2,
        ("IMAD.WIDE" | "UIMAD.WIDE", "c" | "d") | ("IMAD.HI", "c") | ("I2F.F64", "d") => 2,
        ("RET.REL.NODEC", "a") => 2,
        ("I2F" | "I2F.F64", "b") if value("type") >= Some(6) => 2,
        ("CS2R", "d") if value("narrow") != Some(0) => 2,
        ("IADD", _) if value("double") == Some(1) => 2,
        _ => 1,
    }
}
