//! Gives names to the places in a machine: `R1`, `a0`, `pc`, `c[0x0][0x160]`,
//! `mem[0x1000..0x1008]`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::processor::Processor;
use super::register_file::RegisterFile;
use super::values::{NameError, number, truth};
use crate::error::sort_by_key;
use crate::inst::Operand;

/// A machine whose state has names. A tool uses it to set the state, to print it, and to report the
/// effects of instructions.
///
/// [`named_state!`](crate::named_state) defines such a machine with one line for each file. Calls of
/// `get` and `set` are not accesses of an instruction, so they do not appear in `written` or in a
/// trace.
///
/// ```
/// use isa_core::machine::{GeneralRegs, NamedMachine, Recorder};
///
/// let mut machine = Recorder::default();
/// let place = machine.files().place("R1")?;
/// machine.set(place, 0, 5);
/// machine.set_reg(2, machine.reg(1) + 1);
///
/// let written = machine.written();
/// assert_eq!(machine.files().name(written[0]), "R2");
/// assert_eq!(machine.get(written[0], 0), 6);
/// assert_eq!(machine.files().place("R255").unwrap_err().to_string(),
///     "there is no `R255`: expected R0 to R254");
/// # Ok::<(), isa_core::machine::NameError>(())
/// ```
pub trait NamedMachine: Processor {
    /// Returns the files of the machine.
    fn files(&self) -> RegisterFiles;

    /// Returns the number of lanes that execute each instruction.
    fn lanes(&self) -> usize {
        1
    }

    /// Returns the value of a place in a lane; 0 if the place does not exist.
    fn get(&self, place: StateLocation, lane: usize) -> u128;

    /// Sets the value of a place in a lane, or in all lanes if they share it.
    fn set(&mut self, place: StateLocation, lane: usize, value: u128);

    /// Returns the places that instructions have written so far, in the order of the files and
    /// ascending within each file.
    fn written(&self) -> StateLocations;

    /// Starts to record the reads and writes of each instruction.
    fn start_trace(&mut self);

    /// Stops recording reads and writes.
    fn stop_trace(&mut self);

    /// Returns the reads and writes since the last call.
    fn take_trace(&mut self) -> Trace;

    /// Returns whether the machine has a program counter. Without one, instructions cannot change the
    /// address of the next instruction.
    fn has_counter(&self) -> bool {
        self.files().0.iter().any(RegisterFile::is_counter)
    }

    /// Loads a program, which may then be executed, at an address of the first memory.
    fn load_program(&mut self, address: u64, bytes: &[u8]);

    /// Loads data that a program can access, followed by zeros, if the machine has a memory. Accesses to
    /// loaded zeros are faster than accesses to other bytes, which are also 0.
    fn load_data(&mut self, address: u64, bytes: &[u8], zeros: usize);
}

/// The reads and writes of an instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The places that were read and their values, each place once. Registers are in ascending order, with
    /// the values before the instruction; memory follows, in the order of the accesses.
    pub reads: Vec<(StateLocation, u128)>,
    /// The places that were written and their new values, in the same order.
    pub writes: Vec<(StateLocation, u128)>,
}

/// A place in a machine: a register, a flag, or some bytes of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateLocation {
    /// The index of the file.
    pub file: u8,
    /// The number of the register, or the address of the first byte.
    pub start: u64,
    /// The number of bytes of memory; 1 for a register.
    pub length: u64,
}

/// The location of an operand in a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandStorage {
    /// A register, a flag, or memory at an address that the operand contains.
    Location(StateLocation),
    /// The register that is always 0, or always true, in the file with this index. Writes to it
    /// have no effect.
    Constant(u8),
}

/// A list of places in order.
pub type StateLocations = Vec<StateLocation>;

/// All files of a machine.
#[derive(Debug, Clone, Copy)]
pub struct RegisterFiles(pub &'static [RegisterFile]);

impl RegisterFiles {
    /// Returns the place called `name`.
    ///
    /// # Errors
    ///
    /// Returns an error if the name does not exist, with a suggestion, or if the place cannot be
    /// set.
    pub fn place(self, name: &str) -> Result<StateLocation, NameError> {
        self.find(name).unwrap_or_else(|| {
            let [upper, lower] = [name.to_ascii_uppercase(), name.to_ascii_lowercase()];
            let meant =
                [upper, lower].into_iter().find(|other| matches!(self.find(other), Some(Ok(_))));
            let hint = meant.map(|other| format!("; did you mean `{other}`?")).unwrap_or_default();
            let places: Vec<String> = self.0.iter().map(RegisterFile::some).collect();
            let places = places.join(", ");
            Err(NameError::new(format!("the machine has no `{name}`{hint} (expected {places})")))
        })
    }

    /// Checks that no two places share a register or a byte. Each place is passed with the text that
    /// named it.
    ///
    /// ```
    /// use isa_core::machine::{NamedMachine, Recorder};
    ///
    /// let files = Recorder::default().files();
    /// let places = ["c[0][4]", "R1", "c[0x0][0x4]"].map(|name| (files.place(name).unwrap(), name));
    /// let error = files.distinct(places).unwrap_err();
    /// assert_eq!(error.to_string(), "`c[0][4]` and `c[0x0][0x4]` both set c[0x0][0x4]");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if two texts name the same place, or places that overlap.
    pub fn distinct<'t>(
        self,
        places: impl IntoIterator<Item = (StateLocation, &'t str)>,
    ) -> Result<(), NameError> {
        let mut places: Vec<(StateLocation, usize, &str)> =
            (0..).zip(places).map(|(at, (place, text))| (place, at, text)).collect();
        sort_by_key(&mut places, |(place, at, _)| (*place, *at));
        let behind = places.iter().skip(1);
        for ((a, first, one), (b, second, other)) in places.iter().zip(behind) {
            // In one file, the places are in the order of their starts.
            let shared = a.length.saturating_sub(b.start.wrapping_sub(a.start)).min(b.length);
            if a.file != b.file || shared == 0 {
                continue;
            }
            let (one, other) = if first < second { (one, other) } else { (other, one) };
            let name = self.name(StateLocation { length: shared, ..*b });
            return Err(NameError::new(format!("`{one}` and `{other}` both set {name}")));
        }
        Ok(())
    }

    fn find(self, name: &str) -> Option<Result<StateLocation, NameError>> {
        (0..).zip(self.0).find_map(|(number, file)| {
            let found = file.find(name)?;
            Some(found.map(|(start, length)| StateLocation { file: number, start, length }))
        })
    }

    /// Returns the location of an operand in the machine, or `None` if the operand does not name a
    /// place, for example because it is a number. The function looks up the assembly text of the
    /// operand among the names of the places.
    ///
    /// ```
    /// use isa_core::Operands;
    /// use isa_core::machine::{OperandStorage, NamedMachine, Recorder};
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u32;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Int: 8 = isa_core::operand::Signed<8>;
    /// #     enum Op: 8 { ADD = 1 }
    /// #     opcode ADD {
    /// #         encoding { field<24, 8> Op op == ADD; field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Int by; }
    /// #         syntax { ADD Rd, Ra, by; }
    /// #         operands { InList<ra, by>; OutList<rd>; Order<rd, ra, by>; }
    /// #     }
    /// # }
    ///
    /// let files = Recorder::default().files();
    /// let add: Tiny = "ADD R7, RZ, 7;".parse()?;
    /// let held: Vec<_> = add.operands().map(|operand| files.held(&operand)).collect();
    /// let Some(OperandStorage::Location(r7)) = held[0] else { panic!("a register") };
    /// assert_eq!((files.name(r7).as_str(), files.bits(r7)), ("R7", 32));
    /// assert_eq!(held[1..], [Some(OperandStorage::Constant(0)), None]);
    /// # Ok::<(), isa_core::ParseError>(())
    /// ```
    #[must_use]
    pub fn held(self, operand: &Operand) -> Option<OperandStorage> {
        let text = operand.text();
        (0..).zip(self.0).find_map(|(number, file)| {
            if file.is_constant(text.as_str()) {
                return Some(OperandStorage::Constant(number));
            }
            let (start, length) = file.find(text.as_str())?.ok()?;
            Some(OperandStorage::Location(StateLocation { file: number, start, length }))
        })
    }

    /// Returns the name of a place.
    #[must_use]
    pub fn name(self, place: StateLocation) -> String {
        self.file(place).map(|file| file.name(place.start, place.length)).unwrap_or_default()
    }

    /// Returns the file of a place.
    #[must_use]
    pub fn file(self, place: StateLocation) -> Option<&'static RegisterFile> {
        self.0.get(usize::from(place.file))
    }

    /// Returns whether a place contains true or false.
    #[must_use]
    pub fn is_flag(self, place: StateLocation) -> bool {
        self.bits(place) == 1
    }

    /// Formats the value of a place: all hexadecimal digits after `0x`, or `true` or `false`.
    ///
    /// ```
    /// use isa_core::machine::Recorder;
    ///
    /// let files = Recorder::FILES;
    /// let [r1, p0] = ["R1", "P0"].map(|name| files.place(name).unwrap());
    /// assert_eq!((files.show(r1, 5).as_str(), files.show(p0, 1).as_str()), ("0x00000005", "true"));
    /// assert_eq!((files.value(r1, "0x10"), files.value(p0, "false")), (Ok(16), Ok(0)));
    /// assert_eq!(files.value(r1, "f").unwrap_err().to_string(),
    ///     "`f` is not a number; did you mean `0xf`?");
    /// ```
    #[must_use]
    pub fn show(self, place: StateLocation, value: u128) -> String {
        let bits = self.bits(place);
        match bits {
            1 => format!("{}", value == 1),
            _ => format!("0x{value:0digits$x}", digits = bits.div_ceil(4) as usize),
        }
    }

    /// Parses a value for a place.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a number, or if the number does not fit. For a flag, returns
    /// an error if the text is not a truth value. The message does not name the place.
    pub fn value(self, place: StateLocation, text: &str) -> Result<u128, NameError> {
        match self.is_flag(place) {
            true => truth(text).map(u128::from),
            false => number(text, self.bits(place)),
        }
    }

    /// Returns the number of bits of a place.
    #[must_use]
    pub fn bits(self, place: StateLocation) -> u32 {
        match self.file(place) {
            Some(file) => u32::from(file.bits()) * place.length.min(16) as u32,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Recorder;
    use alloc::borrow::ToOwned;
    use alloc::string::ToString;

    const HART: RegisterFiles = RegisterFiles(&[
        RegisterFile::listed(&["zero", "ra", "sp", "gp"])
            .constant("zero")
            .or(&[("fp", 3)])
            .or_numbered("x"),
        RegisterFile::listed(&["pc"]).with_bits(64).counting(),
        RegisterFile::memory("mem"),
    ]);

    #[test]
    fn names_read_back_as_they_print() {
        for (files, name) in [
            (Recorder::FILES, "R0"),
            (Recorder::FILES, "R254"),
            (Recorder::FILES, "UR62"),
            (Recorder::FILES, "P6"),
            (Recorder::FILES, "c[0x0][0x160]"),
            (Recorder::FILES, "c[0x1f][0x1fffc]"),
            (HART, "ra"),
            (HART, "pc"),
            (HART, "mem[0x1000]"),
            (HART, "mem[0xffffffffffffffff]"),
            (HART, "mem[0x10..0x20]"),
        ] {
            let place = files.place(name);
            assert_eq!(place.map(|place| files.name(place)), Ok(name.to_owned()));
        }
        let other =
            |files: RegisterFiles, name| files.place(name).map(|place| files.name(place)).unwrap();
        assert_eq!(other(Recorder::FILES, "c[3][352]"), "c[0x3][0x160]");
        assert_eq!((other(HART, "x2"), other(HART, "fp")), ("sp".to_owned(), "gp".to_owned()));
        assert_eq!(other(HART, "mem[16..17]"), "mem[0x10]");
        let bits = |name| HART.bits(HART.place(name).unwrap());
        assert_eq!((bits("pc"), bits("mem[0]"), bits("mem[0..16]")), (64, 8, 128));
    }

    #[test]
    fn wrong_names_are_explained() {
        for (files, name, part) in [
            (Recorder::FILES, "RZ", "always 0"),
            (Recorder::FILES, "PT", "always true"),
            (Recorder::FILES, "R255", "R0 to R254"),
            (Recorder::FILES, "R99999999999999999999999", "R0 to R254"),
            (Recorder::FILES, "UR63", "UR0 to UR62"),
            (Recorder::FILES, "P7", "P0 to P6"),
            (Recorder::FILES, "r1", "did you mean `R1`?"),
            (Recorder::FILES, "ur1", "did you mean `UR1`?"),
            (Recorder::FILES, "C[0][4]", "did you mean `c[0][4]`?"),
            (Recorder::FILES, "R01", "the machine has no `"),
            (Recorder::FILES, "", "the machine has no `"),
            (Recorder::FILES, "c[0]", "c[BANK][OFFSET]"),
            (Recorder::FILES, "c[32][0]", "expected 0 to 31"),
            (Recorder::FILES, "c[0][2]", "multiple of 4"),
            (Recorder::FILES, "c[0][0x20000]", "too large"),
            (Recorder::FILES, "c[0][x]", "offset: `x` is not a number"),
            (HART, "zero", "always 0"),
            (HART, "x0", "always 0"),
            (HART, "PC", "did you mean `pc`?"),
            (HART, "x9", "(expected ra, ..., gp, pc, mem[0x1000], mem[0x1000..0x1008])"),
            (HART, "mem[1", "mem[ADDRESS] or mem[FROM..TO]"),
            (HART, "mem[x]", "address: `x` is not a number"),
            (HART, "mem[2..2]", "1 to 16 bytes"),
            (HART, "mem[2..19]", "1 to 16 bytes"),
            (HART, "mem[3..2]", "1 to 16 bytes"),
        ] {
            let error = files.place(name).expect_err(name).to_string();
            assert!(error.contains(part), "{name}: {error}");
        }
    }

    #[test]
    fn numbers_keep_their_range() {
        assert_eq!(number("0xffffffff", 32), Ok(u32::MAX.into()));
        assert_eq!(number("4294967295", 32), Ok(u32::MAX.into()));
        assert_eq!(number("0x1f", 128), Ok(31));
        for text in ["0x100000000", "4294967296", "-1", "", "0x", "+1", "1e3", "3c00", "\u{e9}"] {
            assert!(number(text, 32).is_err(), "{text}");
        }
        let error = number("3c00", 32).unwrap_err().to_string();
        assert!(error.contains("`0x3c00`"), "{error}");
    }
}
