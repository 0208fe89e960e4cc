//! Describes a register file or a memory, and the names of its places. A place is a register, a flag,
//! or some bytes of memory.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::values::{NameError, number};

/// A file of registers or flags, or a memory, and the names of its places.
#[derive(Debug, Clone, Copy)]
pub struct RegisterFile {
    names: RegisterNames,
    noun: &'static str,
    example: &'static str,
    others: &'static [(&'static str, u64)],
    prefix: &'static str,
    constant: &'static str,
    bits: u8,
    is_counter: bool,
    is_common: bool,
    is_read_only: bool,
    is_big_endian: bool,
    is_coherent: bool,
    address_bits: u8,
}

#[derive(Debug, Clone, Copy)]
enum RegisterNames {
    Numbered { prefix: &'static str, count: u64 },
    Listed(&'static [&'static str]),
    Memory { name: &'static str },
    Banks { name: &'static str, banks: u64, size: u64, unit: u64 },
}

impl RegisterFile {
    const fn new(names: RegisterNames, noun: &'static str) -> Self {
        RegisterFile {
            names,
            noun,
            example: "",
            others: &[],
            prefix: "",
            constant: "",
            bits: 8,
            is_counter: false,
            is_common: false,
            is_read_only: false,
            is_big_endian: false,
            is_coherent: true,
            address_bits: 64,
        }
    }

    /// Returns a file of registers that are named by a prefix and a number from 0 on: `R0` to
    /// `R254`.
    #[must_use]
    pub const fn numbered(prefix: &'static str, count: u64) -> Self {
        RegisterFile::new(RegisterNames::Numbered { prefix, count }, "register")
    }

    /// Returns a file of registers with individual names, in the order of their numbers. A single
    /// name is a file with one register, such as `pc`.
    #[must_use]
    pub const fn listed(names: &'static [&'static str]) -> Self {
        RegisterFile::new(RegisterNames::Listed(names), "register")
    }

    /// Returns a memory of bytes at 64-bit addresses: `mem[0x1000]`, `mem[0x1000..0x1008]`. The lowest
    /// byte of a number comes first, unless you call [`RegisterFile::big_endian`]. If a machine has several
    /// memories, programs are loaded into the first one. If data is in a separate memory, list the data
    /// memory after the program memory.
    #[must_use]
    pub const fn memory(name: &'static str) -> Self {
        RegisterFile::new(RegisterNames::Memory { name }, "memory")
    }

    /// Returns a memory that consists of `banks` banks of `size` bytes each. Its places are units
    /// of `unit` bytes: `c[0x0][0x160]`.
    #[must_use]
    pub const fn banks(name: &'static str, banks: u64, size: u64, unit: u64) -> Self {
        RegisterFile::new(RegisterNames::Banks { name, banks, size, unit }, "memory")
    }

    /// Sets the noun for one of the places in messages, for example `predicate`.
    #[must_use]
    pub const fn noun(self, noun: &'static str) -> Self {
        RegisterFile { noun, ..self }
    }

    /// Sets the name that messages use as an example.
    #[must_use]
    pub const fn example(self, example: &'static str) -> Self {
        RegisterFile { example, ..self }
    }

    /// Adds alternative names for the register numbers in `others`. They are accepted, but not
    /// printed: for example `fp` for register 8.
    #[must_use]
    pub const fn or(self, others: &'static [(&'static str, u64)]) -> Self {
        RegisterFile { others, ..self }
    }

    /// Accepts a prefix and the number as an alternative name of each register: for example `x10`
    /// for `a0`.
    #[must_use]
    pub const fn or_numbered(self, prefix: &'static str) -> Self {
        RegisterFile { prefix, ..self }
    }

    /// Sets the name of a register that is always 0, or always true, and cannot be set: for example
    /// `RZ`. It may also be one of the names of [`RegisterFile::listed`].
    #[must_use]
    pub const fn constant(self, name: &'static str) -> Self {
        RegisterFile { constant: name, ..self }
    }

    /// Declares that all lanes of a warp share the places. By default each lane has its own places.
    #[must_use]
    pub const fn common(self) -> Self {
        RegisterFile { is_common: true, ..self }
    }

    /// Declares that instructions only read the places.
    #[must_use]
    pub const fn read_only(self) -> Self {
        RegisterFile { is_read_only: true, ..self }
    }

    /// Selects big-endian memory: the highest byte of a number comes first, as in sets that declare
    /// `bytes big_endian;`.
    ///
    /// ```
    /// use isa_core::machine::{RegisterFile, RecordedMemory, NamedMachine};
    ///
    /// isa_core::named_state! {
    ///     /// Only memory.
    ///     pub struct Ram { const MEM: RecordedMemory = RegisterFile::memory("mem").big_endian(); }
    /// }
    ///
    /// let mut ram = Ram::default();
    /// ram.state.store(Ram::MEM, 0x100, 4, 0x1234_5678);
    /// assert_eq!(ram.state.load(Ram::MEM, 0x100, 2), 0x1234);
    /// ```
    #[must_use]
    pub const fn big_endian(self) -> Self {
        RegisterFile { is_big_endian: true, ..self }
    }

    /// Declares that an instruction that was stored to this memory may be executed only after a fence, as
    /// on RISC-V and A64. A fence is an opcode that [has other
    /// effects](crate::table::Effects::has_others). By default a store takes effect immediately. A
    /// [`Runner`](crate::machine::Runner) is faster if the memory needs fences.
    #[must_use]
    pub const fn needs_fence(self) -> Self {
        RegisterFile { is_coherent: false, ..self }
    }

    /// Sets the width of the addresses of a program counter in bits, as in sets that declare
    /// `addresses 32;`. The default is 64.
    ///
    /// ```
    /// use isa_core::machine::{Counter, RegisterFile};
    ///
    /// isa_core::named_state! {
    ///     /// A program counter alone.
    ///     pub struct Core { const PC: Counter = RegisterFile::listed(&["pc"]).address_bits(32); }
    /// }
    ///
    /// let mut core = Core::default();
    /// core.state.jump(0x1_0000_0010);
    /// assert_eq!(core.state.next(), 0x10);
    /// ```
    #[must_use]
    pub const fn address_bits(self, bits: u8) -> Self {
        RegisterFile { address_bits: bits, ..self }
    }

    pub(super) const fn counting(self) -> Self {
        RegisterFile { bits: self.address_bits, is_counter: true, ..self }
    }

    pub(super) const fn is_big_endian(&self) -> bool {
        self.is_big_endian
    }

    pub(super) const fn is_coherent(&self) -> bool {
        self.is_coherent
    }

    pub(super) const fn with_bits(self, bits: u8) -> Self {
        RegisterFile { bits, ..self }
    }

    /// Returns the noun for one of the places.
    #[must_use]
    pub const fn one(&self) -> &'static str {
        self.noun
    }

    /// Returns whether each place contains one bit, true or false.
    #[must_use]
    pub const fn is_flags(&self) -> bool {
        self.bits == 1
    }

    /// Returns whether all lanes of a warp share the places.
    #[must_use]
    pub const fn is_common(&self) -> bool {
        self.is_common
    }

    /// Returns whether the place is the program counter.
    #[must_use]
    pub const fn is_counter(&self) -> bool {
        self.is_counter
    }

    /// Returns whether instructions can write the places.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        !self.is_read_only
    }

    /// Returns the width of a register in bits; 8 for memory.
    pub(super) const fn bits(&self) -> u8 {
        self.bits
    }

    /// Returns the number of registers; 0 for memory.
    #[must_use]
    pub const fn count(&self) -> u64 {
        match self.names {
            RegisterNames::Numbered { count, .. } => count,
            RegisterNames::Listed(names) => names.len() as u64,
            RegisterNames::Memory { .. } | RegisterNames::Banks { .. } => 0,
        }
    }

    /// Returns the number of banks and the number of bytes in each, if the memory consists of
    /// banks.
    #[must_use]
    pub const fn bank_sizes(&self) -> Option<(u64, u64)> {
        match self.names {
            RegisterNames::Banks { banks, size, .. } => Some((banks, size)),
            _ => None,
        }
    }

    /// Returns the name of the whole file: `R`, `c`, `pc`.
    #[must_use]
    pub fn title(&self) -> String {
        match self.names {
            RegisterNames::Numbered { prefix: name, .. }
            | RegisterNames::Memory { name }
            | RegisterNames::Banks { name, .. } => name.to_owned(),
            RegisterNames::Listed([name]) => (*name).to_owned(),
            RegisterNames::Listed(_) => format!("{}s", self.noun),
        }
    }

    /// Returns a summary of the names of all places for help texts: `R0..R254`, `c[BANK][OFFSET]`.
    #[must_use]
    pub fn all(&self) -> String {
        match self.names {
            RegisterNames::Numbered { prefix, count } => {
                format!("{prefix}0..{prefix}{}", count - 1)
            }
            RegisterNames::Listed([names @ .., last]) if names.len() > 2 => {
                let first = names.iter().find(|name| **name != self.constant);
                format!("{}..{last}", first.unwrap_or(last))
            }
            RegisterNames::Listed(names) => names.join(", "),
            RegisterNames::Memory { name } => format!("{name}[ADDRESS], {name}[FROM..TO]"),
            RegisterNames::Banks { name, .. } => format!("{name}[BANK][OFFSET]"),
        }
    }

    /// Returns a summary of the names of all places for messages: `R0 to R254`, `c[0x0][0x160]`.
    pub(super) fn some(&self) -> String {
        match self.names {
            RegisterNames::Numbered { prefix, count } => {
                format!("{prefix}0 to {prefix}{}", count - 1)
            }
            RegisterNames::Listed([names @ .., last]) if names.len() > 2 => {
                let first = names.iter().find(|name| **name != self.constant);
                format!("{}, ..., {last}", first.unwrap_or(last))
            }
            RegisterNames::Listed(names) => names.join(", "),
            RegisterNames::Memory { name } if self.example.is_empty() => {
                format!("{name}[0x1000], {name}[0x1000..0x1008]")
            }
            RegisterNames::Banks { name, .. } if self.example.is_empty() => {
                format!("{name}[0x0][0x0]")
            }
            RegisterNames::Memory { .. } | RegisterNames::Banks { .. } => self.example.to_owned(),
        }
    }

    pub(super) fn name(&self, start: u64, length: u64) -> String {
        match self.names {
            RegisterNames::Numbered { prefix, .. } => format!("{prefix}{start}"),
            RegisterNames::Listed(names) => {
                let name = usize::try_from(start).ok().and_then(|start| names.get(start));
                name.map_or_else(|| format!("{}{start}", self.noun), ToString::to_string)
            }
            RegisterNames::Memory { name } if length == 1 => format!("{name}[{start:#x}]"),
            RegisterNames::Memory { name } => {
                format!("{name}[{start:#x}..{:#x}]", u128::from(start) + u128::from(length))
            }
            RegisterNames::Banks { name, size, .. } => {
                format!("{name}[{:#x}][{:#x}]", start / size, start % size)
            }
        }
    }

    /// Returns the number of the register with the alternative name `name`.
    fn other(&self, name: &str) -> Option<u64> {
        let named = self.others.iter().find(|(other, _)| *other == name);
        let rest = name.strip_prefix(self.prefix).filter(|_| !self.prefix.is_empty());
        let numbered = || rest.and_then(digits).filter(|number| *number < self.count());
        named.map(|(_, number)| *number).or_else(numbered)
    }

    /// Returns whether `name` is the name of the register that is always 0, or always true.
    #[must_use]
    pub fn is_constant(&self, name: &str) -> bool {
        let is_named = || self.other(name).is_some_and(|n| self.name(n, 1) == self.constant);
        !self.constant.is_empty() && (name == self.constant || is_named())
    }

    /// Returns the start and the length of the place called `name`, or `None` if the name does not
    /// have the form of this file's names.
    pub(super) fn find(&self, name: &str) -> Option<Result<(u64, u64), NameError>> {
        if self.is_constant(name) {
            let value = if self.is_flags() { "true" } else { "0" };
            return Some(Err(NameError::new(format!(
                "{name} is always {value} and cannot be set"
            ))));
        }
        if let Some(number) = self.other(name) {
            return Some(Ok((number, 1)));
        }
        let in_brackets = |error: String| NameError::new(format!("`{name}`: {error}"));
        match self.names {
            RegisterNames::Listed(names) => {
                let number = names.iter().position(|known| *known == name)?;
                Some(Ok((number as u64, 1)))
            }
            RegisterNames::Numbered { prefix, count } => {
                let number = digits(name.strip_prefix(prefix)?)?;
                Some(if number < count {
                    Ok((number, 1))
                } else {
                    let last = count - 1;
                    let known = format!("expected {prefix}0 to {prefix}{last}");
                    Err(NameError::new(format!("there is no `{name}`: {known}")))
                })
            }
            RegisterNames::Memory { name: prefix } => {
                let rest = name.strip_prefix(prefix)?.strip_prefix('[')?;
                Some(self.range(prefix, rest).map_err(in_brackets))
            }
            RegisterNames::Banks { name: prefix, .. } => {
                let rest = name.strip_prefix(prefix)?.strip_prefix('[')?;
                Some(self.unit(prefix, rest).map_err(in_brackets))
            }
        }
    }

    /// Parses the rest of `mem[ADDRESS]` or `mem[FROM..TO]`.
    fn range(&self, name: &str, rest: &str) -> Result<(u64, u64), String> {
        let Some(inner) = rest.strip_suffix(']') else {
            return Err(format!("expected {name}[ADDRESS] or {name}[FROM..TO]"));
        };
        let address = |text| {
            let read = number(text, 64).map(|address| address as u64);
            read.map_err(|error| format!("address: {error}"))
        };
        let Some((from, to)) = split_once(inner, "..") else {
            return address(inner).map(|start| (start, 1));
        };
        let (from, to) = (address(from)?, address(to)?);
        match to.checked_sub(from) {
            Some(length @ 1..=16) => Ok((from, length)),
            _ => Err("expected a range of 1 to 16 bytes, with an exclusive end".into()),
        }
    }

    /// Parses the rest of `c[BANK][OFFSET]`.
    fn unit(&self, name: &str, rest: &str) -> Result<(u64, u64), String> {
        let RegisterNames::Banks { banks, size, unit, .. } = self.names else { return Ok((0, 1)) };
        let parts = rest.strip_suffix(']').and_then(|inner| split_once(inner, "]["));
        let Some((bank, offset)) = parts else {
            let example = self.some();
            return Err(format!("expected {name}[BANK][OFFSET], for example {example}"));
        };
        let part = |what: &str, text| {
            let read = number(text, 32).map(|number| number as u64);
            read.map_err(|error| format!("{what}: {error}"))
        };
        let (bank, offset) = (part("bank", bank)?, part("offset", offset)?);
        match (bank, offset) {
            _ if bank >= banks => {
                Err(format!("bank {bank} is out of range: expected 0 to {}", banks - 1))
            }
            _ if offset >= size => {
                Err(format!("offset {offset:#x} is too large: a bank ends at {size:#x}"))
            }
            _ if offset % unit != 0 => {
                Err(format!("offset {offset:#x} is not a multiple of {unit}"))
            }
            _ => Ok((bank * size + offset, unit)),
        }
    }
}

/// Parses a register number: decimal digits without leading zeros.
fn digits(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if text.is_empty() || !plain || padded {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

/// Does the same as `str::split_once` for a separator of two ASCII bytes. It avoids the code for
/// separators of any length.
fn split_once<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let at = text.as_bytes().windows(2).position(|pair| pair == separator.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 2..)?))
}
