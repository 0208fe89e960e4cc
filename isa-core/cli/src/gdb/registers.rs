//! The registers that gdb shows, and their description in XML.

use std::collections::BTreeSet;

use isa_core::machine::{NamedMachine, RegisterFile, StateLocation};

use crate::gdb_target::GdbTarget;
use crate::simulator::lane_mask;

/// The description of a set that gdb does not know.
///
/// gdb accepts a description only for an architecture that it knows, and each architecture requires
/// some registers. Among the architectures with 64-bit addresses, this one requires the fewest.
pub(super) const UNKNOWN_ARCHITECTURE: GdbTarget = GdbTarget {
    required: &[
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", "a0", "a1", "a2", "a3", "a4",
        "a5",
    ],
    ..GdbTarget::new("riscv:rv64", "org.gnu.gdb.riscv.cpu")
};

/// A register of gdb.
#[derive(Debug)]
pub(super) struct GdbRegister {
    name: String,
    /// The type of the register in the description.
    kind: String,
    /// The number of bytes in each element.
    bytes: usize,
    /// The number of elements: 1, or the number of lanes.
    elements: usize,
    source: RegisterSource,
    /// Whether the register is in the feature of the architecture, in which gdb may require that all
    /// registers have the same width.
    is_core: bool,
}

/// The location of a register in the machine.
#[derive(Debug)]
enum RegisterSource {
    /// The address of the next instruction.
    Next,
    /// A register, which has a value for each element.
    Place(StateLocation),
    /// A flag, which has a bit for each lane.
    Mask(StateLocation),
    /// Registers and their lowest bits.
    Combined(Vec<(StateLocation, u32)>),
    /// The value is always 0.
    Zero,
}

impl GdbRegister {
    fn new(name: impl Into<String>, bits: u32, source: RegisterSource) -> Self {
        let bits = bits.next_power_of_two().clamp(8, 128);
        let (kind, bytes) = (format!("uint{bits}"), bits as usize / 8);
        GdbRegister { name: name.into(), kind, bytes, elements: 1, source, is_core: false }
    }

    /// Creates the description of a register of the machine.
    fn of_place(machine: &dyn NamedMachine, file: &RegisterFile, place: StateLocation) -> Self {
        let (name, lanes) = (machine.files().name(place), machine.lanes());
        let bits = machine.files().bits(place);
        if file.is_counter() {
            let source = RegisterSource::Next;
            return GdbRegister { kind: "code_ptr".into(), ..GdbRegister::new(name, bits, source) };
        }
        let source = RegisterSource::Place(place);
        match (file.is_flags(), lanes > 1 && !file.is_common()) {
            (true, true) => GdbRegister::new(name, lanes as u32, RegisterSource::Mask(place)),
            (true, false) => {
                GdbRegister { kind: "bool".into(), ..GdbRegister::new(name, 8, source) }
            }
            (false, true) => GdbRegister {
                kind: format!("lanes{bits}"),
                elements: lanes,
                ..GdbRegister::new(name, bits, source)
            },
            (false, false) => GdbRegister::new(name, bits, source),
        }
    }

    /// Returns the number of bytes of the register.
    pub(super) const fn size(&self) -> usize {
        self.bytes * self.elements
    }

    /// Returns the bytes of the register in a machine.
    pub(super) fn read(&self, machine: &dyn NamedMachine, is_big_endian: bool) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size());
        for element in 0..self.elements {
            let value = match &self.source {
                RegisterSource::Next => machine.next().into(),
                RegisterSource::Place(place) => machine.get(*place, element),
                RegisterSource::Mask(place) => lane_mask(machine, *place),
                RegisterSource::Combined(parts) => {
                    let parts =
                        parts.iter().map(|(place, low)| machine.get(*place, 0).unbounded_shl(*low));
                    parts.fold(0, |all, part| all | part)
                }
                RegisterSource::Zero => 0,
            };
            let start = bytes.len();
            bytes.extend(&value.to_le_bytes()[..self.bytes]);
            if is_big_endian {
                bytes[start..].reverse();
            }
        }
        bytes
    }

    /// Sets the register of a machine. Returns false if the number of bytes is wrong, or if the register
    /// cannot be set.
    pub(super) fn write(
        &self,
        machine: &mut dyn NamedMachine,
        bytes: &[u8],
        is_big_endian: bool,
    ) -> bool {
        if bytes.len() != self.size() {
            return false;
        }
        for (element, bytes) in bytes.chunks(self.bytes).enumerate() {
            let mut wide = [0; 16];
            wide[..bytes.len()].copy_from_slice(bytes);
            if is_big_endian {
                wide[..bytes.len()].reverse();
            }
            let value = u128::from_le_bytes(wide);
            match &self.source {
                RegisterSource::Next => machine.begin(value as u64, value as u64),
                RegisterSource::Place(place) => {
                    let files = machine.files();
                    if files.file(*place).is_some_and(|file| file.is_constant(&self.name)) {
                        return false;
                    }
                    machine.set(*place, element, value);
                }
                RegisterSource::Mask(place) => {
                    for lane in 0..machine.lanes() {
                        machine.set(*place, lane, value.unbounded_shr(lane as u32) & 1);
                    }
                }
                RegisterSource::Combined(parts) => {
                    for (place, low) in parts {
                        machine.set(*place, 0, value.unbounded_shr(*low));
                    }
                }
                RegisterSource::Zero => return false,
            }
        }
        true
    }
}

/// Returns the registers of a machine. The number of a register in gdb is its index.
pub(super) fn registers(machine: &dyn NamedMachine, target: GdbTarget) -> Vec<GdbRegister> {
    let files = machine.files();
    let mut all = Vec::new();
    for (file, row) in (0..).zip(files.0) {
        let places = (0..row.count()).map(|start| StateLocation { file, start, length: 1 });
        all.extend(places.map(|place| GdbRegister::of_place(machine, row, place)));
    }
    if !all.iter().any(|register| matches!(register.source, RegisterSource::Next)) {
        let counter = GdbRegister::new("pc", 64, RegisterSource::Next);
        all.push(GdbRegister { kind: "code_ptr".into(), ..counter });
    }
    match target.required {
        [] => select_core(&mut all, machine, target),
        required => add_required(&mut all, required),
    }
    all
}

/// Selects the registers in the feature of a declared architecture: those that are as wide as the program
/// counter, and those that the declaration combines.
fn select_core(all: &mut Vec<GdbRegister>, machine: &dyn NamedMachine, target: GdbTarget) {
    let is_counter = |register: &&GdbRegister| matches!(register.source, RegisterSource::Next);
    let width = all.iter().find(is_counter).map_or(0, |counter| counter.bytes);
    for register in &mut *all {
        register.is_core = register.size() == width;
    }
    all.retain(|register| !target.combined.iter().any(|(name, ..)| register.name == *name));
    for (name, bits, parts) in target.combined {
        let place = |name| machine.files().place(name).ok();
        let parts = parts.iter().filter_map(|(name, low)| Some((place(name)?, *low)));
        let source = RegisterSource::Combined(parts.collect());
        all.push(GdbRegister { is_core: true, ..GdbRegister::new(*name, *bits, source) });
    }
}

/// Adds the registers that gdb requires: `pc` and `required`, which have 64 bits.
fn add_required(all: &mut Vec<GdbRegister>, required: &[&str]) {
    for register in &mut *all {
        if matches!(register.source, RegisterSource::Next) {
            (register.name, register.bytes, register.is_core) = ("pc".into(), 8, true);
        }
    }
    for name in required {
        match all.iter_mut().find(|register| register.name == *name) {
            Some(own) if own.elements == 1 && own.bytes <= 8 => {
                (own.kind, own.bytes, own.is_core) = ("uint64".into(), 8, true);
            }
            other => {
                if let Some(wide) = other {
                    wide.name.insert(0, '_');
                }
                let zero = GdbRegister::new(*name, 64, RegisterSource::Zero);
                all.push(GdbRegister { is_core: true, ..zero });
            }
        }
    }
}

/// Returns the description of registers in XML.
pub(super) fn description(registers: &[GdbRegister], target: GdbTarget) -> String {
    let GdbTarget { architecture, feature, .. } = target;
    // The machine has no operating system. For some systems, gdb would decode instructions to step.
    let mut xml = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">\
         <architecture>{architecture}</architecture><osabi>none</osabi>"
    );
    for (is_core, feature) in [(true, feature), (false, "machine")] {
        xml += &format!("<feature name=\"{feature}\">");
        let chosen = registers.iter().enumerate().filter(|(_, one)| one.is_core == is_core);
        let mut vectors = BTreeSet::new();
        for (number, GdbRegister { name, kind, bytes, elements, .. }) in chosen {
            let bits = bytes * 8;
            if *elements > 1 && vectors.insert(kind) {
                xml += &format!("<vector id=\"{kind}\" type=\"uint{bits}\" count=\"{elements}\"/>");
            }
            // Expressions of gdb cannot contain other characters.
            let is_known = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = name.replace(|c| !is_known(c), "_");
            let bits = bits * elements;
            xml += &format!(
                "<reg name=\"{name}\" bitsize=\"{bits}\" type=\"{kind}\" regnum=\"{number}\"/>"
            );
        }
        xml += "</feature>";
    }
    xml + "</target>"
}
