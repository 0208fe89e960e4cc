//! The cycles between an instruction and the instructions that depend on it.
//!
//! Each number is the smallest distance at which `ptxas` issued a dependent instruction, in about 36,000
//! instructions for each chip: the corpus of this crate, and random programs of PTX. Most numbers occur
//! hundreds of times. If a pair of units is rare, the number is the smallest of similar pairs, so that
//! valid code is not reported.
//!
//! The numbers of sm_80 agree with the table that the developers of Mesa got from NVIDIA
//! (`src/nouveau/compiler/nak/sm80_instr_latencies.rs`). The row of the matrix unit, and the distances
//! between two writes, are from that table, because the smallest distances in code of `ptxas` depend on
//! other instructions.

use isa_core::table::InstructionSet;

use crate::Unit;

use super::effect::{File, Role, Use};

/// A chip, or several chips with the same latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chip {
    /// sm_75.
    Turing,
    /// sm_80, sm_86 and sm_89.
    Ampere,
    /// sm_90.
    Hopper,
    /// sm_100.
    Blackwell,
    /// sm_120.
    BlackwellConsumer,
}

impl Chip {
    /// Returns the chip that a set is specialized to.
    pub(super) fn of(set: &InstructionSet) -> Self {
        let chips = set.feature_names(set.enabled).filter_map(|name| match name {
            "SM75" => Some(Chip::Turing),
            "SM80" | "SM86" | "SM89" => Some(Chip::Ampere),
            "SM90" => Some(Chip::Hopper),
            "SM100" => Some(Chip::Blackwell),
            "SM120" => Some(Chip::BlackwellConsumer),
            _ => None,
        });
        chips.max().unwrap_or(Chip::BlackwellConsumer)
    }

    /// Returns whether the results of a unit are ready after a time that is not known in advance.
    pub(super) fn is_variable(self, unit: Unit) -> bool {
        match unit {
            Unit::FUNCTION | Unit::SHARED | Unit::MEMORY | Unit::SPECIAL | Unit::OTHER => true,
            Unit::DOUBLE => self != Chip::Hopper,
            Unit::MATRIX => self == Chip::Turing,
            Unit::TO_UNIFORM => self < Chip::Hopper,
            _ => false,
        }
    }

    /// Returns the cycles from an instruction that writes a register to one that reads it.
    pub(super) fn read_after_write(
        self,
        (writer, written): (Unit, Use),
        (reader, read): (Unit, Use),
    ) -> u8 {
        // All instructions read their guards at the same time, but not their operands.
        if reader == Unit::UNKNOWN && read.role != Role::Guard {
            return 1;
        }
        match written.register.file {
            File::Vector => self.vector((writer, written), (reader, read)),
            File::Predicate => self.predicate(writer, reader, read.role),
            File::Uniform => uniform(writer, reader),
            File::UniformPredicate => uniform_predicate(writer, reader, read.role),
        }
    }

    fn vector(self, (writer, written): (Unit, Use), (reader, read): (Unit, Use)) -> u8 {
        let (Some(row), Some(column)) = (row(writer), column(reader)) else { return 1 };
        let table = match self {
            Chip::Turing => &SM75,
            Chip::BlackwellConsumer => &SM120,
            _ => &SM80,
        };
        let cycles = match (writer, reader) {
            (Unit::WIDE, Unit::WIDE) if self >= Chip::Hopper => 4,
            (Unit::MATRIX, _) if self == Chip::Blackwell => 19,
            _ => table.get(row).and_then(|row| row.get(column)).copied().unwrap_or(1),
        };
        if self < Chip::Hopper {
            return cycles;
        }
        // From sm_90, `ptxas` uses that the low half of a product is ready two cycles before the high half,
        // and that the high half of a sum is read two cycles after the low half.
        let is_early = matches!(writer, Unit::WIDE | Unit::PAIR)
            && written.part == 0
            && matches!(reader, Unit::ALU | Unit::SELECT | Unit::TO_UNIFORM);
        let is_late = reader == Unit::WIDE && read.role == Role::Sum && read.part == 1;
        cycles.saturating_sub(if is_early || is_late { 2 } else { 0 })
    }

    fn predicate(self, writer: Unit, reader: Unit, role: Role) -> u8 {
        let late = match (self, writer) {
            (Chip::Turing, Unit::HALF) => 14,
            (Chip::Turing, _) => 12,
            (_, Unit::DOUBLE | Unit::HALF_MMA) => 14,
            _ => 13,
        };
        let is_half = reader == Unit::HALF && self < Chip::BlackwellConsumer;
        if role == Role::Guard || is_half {
            return late;
        }
        match (writer, reader) {
            (Unit::HALF, Unit::ALU | Unit::SELECT) if self == Chip::Turing => 8,
            // The carry of a sum of 64 bits.
            (Unit::PAIR, Unit::PAIR) => 5,
            (Unit::DOUBLE | Unit::HALF_MMA, Unit::ALU | Unit::SELECT | Unit::FMA | Unit::WIDE) => 6,
            (Unit::FMA | Unit::WIDE, Unit::FMA | Unit::WIDE) => 4,
            (_, Unit::FMA | Unit::WIDE | Unit::HALF) => 5,
            (Unit::FMA | Unit::WIDE, Unit::ALU | Unit::SELECT) => 5,
            (Unit::HALF, Unit::ALU | Unit::SELECT) if self < Chip::BlackwellConsumer => 5,
            (Unit::SELECT, _) | (_, Unit::SELECT) if is_data(reader) => {
                if self == Chip::BlackwellConsumer { 5 } else { 4 }
            }
            (_, Unit::ALU) => 4,
            _ => late,
        }
    }

    /// Returns the cycles from an instruction that writes a register to another that writes it.
    pub(super) fn write_after_write(self, first: Unit, second: Unit) -> u8 {
        match (first, second) {
            (Unit::MATRIX, Unit::MATRIX) => 4,
            (Unit::MATRIX, _) if self == Chip::BlackwellConsumer => 22,
            (Unit::MATRIX, _) if self == Chip::Blackwell => 16,
            (Unit::MATRIX, _) => 8,
            (Unit::HALF_MMA | Unit::DOUBLE, Unit::HALF_MMA | Unit::DOUBLE) => 2,
            (Unit::HALF_MMA | Unit::DOUBLE, unit) if is_data(unit) => 3,
            (Unit::TO_UNIFORM, Unit::UNIFORM | Unit::UNIFORM_MOVE) => 11,
            (Unit::UNIFORM, Unit::UNIFORM_MOVE) => 7,
            _ => 1,
        }
    }
}

/// Returns whether a unit executes arithmetic with a fixed latency.
fn is_data(unit: Unit) -> bool {
    matches!(
        unit,
        Unit::ALU | Unit::SELECT | Unit::ADD | Unit::PAIR | Unit::FMA | Unit::WIDE | Unit::HALF
    )
}

/// Each number is the cycles from a unit that writes a register (row) to a unit that reads it (column).
type LatencyTable = [[u8; 11]; 11];

/// Returns the row of a unit.
fn row(unit: Unit) -> Option<usize> {
    Some(match unit {
        Unit::ALU | Unit::VOTE => 0,
        Unit::SELECT => 1,
        Unit::ADD => 2,
        Unit::FMA => 3,
        Unit::WIDE => 4,
        Unit::PAIR => 5,
        Unit::HALF => 6,
        Unit::HALF_MMA => 7,
        Unit::CLOCK => 8,
        Unit::DOUBLE => 9,
        Unit::MATRIX => 10,
        _ => return None,
    })
}

/// Returns the column of a unit.
fn column(unit: Unit) -> Option<usize> {
    Some(match unit {
        Unit::ALU | Unit::VOTE => 0,
        Unit::SELECT => 1,
        Unit::ADD => 2,
        Unit::FMA => 3,
        Unit::WIDE => 4,
        Unit::PAIR => 5,
        Unit::HALF => 6,
        Unit::HALF_MMA | Unit::DOUBLE => 7,
        Unit::MATRIX => 8,
        Unit::SHARED | Unit::MEMORY => 10,
        Unit::UNKNOWN => return None,
        _ => 9,
    })
}

#[rustfmt::skip]
const SM75: LatencyTable = [
    // ALU SELECT ADD FMA WIDE PAIR HALF DOUBLE MATRIX others memory
    [  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  8], // ALU
    [  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  8], // SELECT
    [  5,  5,  4,  4,  4,  5,  6,  6,  6,  6,  8], // ADD
    [  5,  5,  4,  4,  4,  5,  6,  6,  6,  6,  8], // FMA
    [  5,  5,  4,  4,  6,  5,  6,  6,  6,  6,  8], // WIDE
    [  5,  5,  5,  5,  5,  4,  6,  6,  6,  6,  8], // PAIR
    [  8,  8,  8,  8,  8,  8,  6,  8,  8,  8,  8], // HALF
    [  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1], // HALF_MMA, not on sm_75
    [  6,  6,  6,  6,  6,  6,  6,  6,  6,  6,  8], // CLOCK
    [  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1], // DOUBLE, variable
    [  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1], // MATRIX, variable
];

#[rustfmt::skip]
const SM80: LatencyTable = [
    // ALU SELECT ADD FMA WIDE PAIR HALF DOUBLE MATRIX others memory
    [  4,  4,  5,  5,  5,  5,  5,  6,  7,  4,  5], // ALU
    [  4,  4,  5,  5,  5,  5,  5,  6,  7,  4,  5], // SELECT
    [  5,  5,  4,  4,  4,  5,  5,  6,  7,  4,  5], // ADD
    [  5,  5,  4,  4,  4,  5,  5,  6,  7,  4,  5], // FMA
    [  5,  5,  4,  4,  6,  5,  5,  6,  7,  4,  5], // WIDE
    [  5,  5,  5,  5,  5,  4,  5,  6,  7,  4,  5], // PAIR
    [  5,  5,  5,  5,  5,  5,  4,  6,  7,  4,  5], // HALF
    [ 10, 10, 10, 10, 10, 10, 10,  6, 11,  6,  7], // HALF_MMA
    [  6,  6,  6,  6,  6,  6,  6,  6,  7,  4,  5], // CLOCK
    [ 10, 10, 10, 10, 10, 10, 10,  8, 11,  6,  7], // DOUBLE, fixed only on sm_90
    [ 13, 13, 13, 13, 13, 13, 13, 13, 14, 11, 12], // MATRIX
];

#[rustfmt::skip]
const SM120: LatencyTable = [
    // ALU SELECT ADD FMA WIDE PAIR HALF DOUBLE MATRIX others memory
    [  4,  5,  5,  5,  5,  5,  5,  6,  7,  4,  5], // ALU
    [  5,  5,  5,  5,  5,  5,  5,  6,  7,  4,  5], // SELECT
    [  5,  5,  5,  5,  5,  5,  5,  6,  7,  4,  5], // ADD
    [  5,  5,  5,  4,  4,  5,  5,  6,  7,  4,  5], // FMA
    [  5,  5,  5,  4,  4,  5,  5,  6,  7,  4,  5], // WIDE
    [  5,  6,  6,  6,  6,  4,  6,  7,  8,  5,  6], // PAIR
    [  5,  5,  5,  5,  5,  5,  4,  6,  7,  4,  5], // HALF
    [  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1], // HALF_MMA, not on sm_120
    [  6,  6,  6,  6,  6,  6,  6,  6,  7,  4,  5], // CLOCK
    [  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1], // DOUBLE, variable
    [ 26, 26, 26, 26, 26, 26, 26, 26, 28, 26, 28], // MATRIX
];

/// Returns the latency of a uniform register.
fn uniform(writer: Unit, reader: Unit) -> u8 {
    match (writer, reader) {
        (Unit::TO_UNIFORM, _) => 13,
        (Unit::UNIFORM_MOVE, Unit::CONTROL) => 3,
        (Unit::UNIFORM_MOVE, _) => 2,
        (Unit::UNIFORM, Unit::UNIFORM) => 4,
        (Unit::UNIFORM, Unit::UNIFORM_MOVE) => 7,
        (Unit::UNIFORM, unit) if is_data(unit) || unit == Unit::VOTE => 6,
        (Unit::UNIFORM, _) => 9,
        _ => 1,
    }
}

/// Returns the latency of a uniform predicate.
fn uniform_predicate(writer: Unit, reader: Unit, role: Role) -> u8 {
    match (writer, role, reader) {
        (Unit::UNIFORM_MOVE, Role::Guard, _) => 5,
        (Unit::UNIFORM_MOVE, _, Unit::CONTROL) => 2,
        (Unit::UNIFORM, Role::Guard, _) => 11,
        (Unit::UNIFORM, _, Unit::CONTROL) => 9,
        (Unit::UNIFORM, _, Unit::UNIFORM) => 4,
        (Unit::UNIFORM, _, _) => 6,
        _ => 1,
    }
}
