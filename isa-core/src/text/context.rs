//! The address of an instruction, and the labels of its program.
//!
//! They determine how a target is parsed and printed. A cursor can contain a reference to an
//! [`InstructionContext`], and every operand type can access it. The printer asks the operand type for the
//! address that a value refers to (`OperandKind::TARGET`) and prints the label instead, through the
//! template interpreter. Without a context, the label is never printed.

use core::cell::Cell;
use core::fmt;

use crate::text::{AddressPart, Style};

/// The labels of a program: names of addresses.
///
/// It is implemented for a list of pairs, and for `()`, which has no labels. With the feature
/// `alloc` there is also `LabelMap`.
///
/// ```
/// use isa_core::text::Labels;
///
/// let labels = [("start", 0x1000), ("loop", 0x1010)];
/// assert_eq!(labels.address("loop"), Some(0x1010));
/// assert_eq!(labels.name(0x1000), Some("start"));
/// assert_eq!(().name(0x1000), None);
/// ```
pub trait Labels {
    /// Returns the address of a label.
    fn address(&self, name: &str) -> Option<u64>;

    /// Returns the label of an address. If there are several, it must always return the same one.
    fn name(&self, address: u64) -> Option<&str>;

    /// Returns the value of a constant, which programs define with `.equ`. The default
    /// implementation has no constants.
    fn constant(&self, _name: &str) -> Option<i128> {
        None
    }

    /// Returns whether a label or a constant called `name` exists. This decides whether the dot in
    /// `loop.Z` is part of the name or begins a modifier.
    fn has(&self, name: &str) -> bool {
        self.address(name).is_some() || self.constant(name).is_some()
    }
}

impl<S: AsRef<str>> Labels for [(S, u64)] {
    fn address(&self, name: &str) -> Option<u64> {
        let found = self.iter().find(|(known, _)| known.as_ref() == name);
        found.map(|&(_, address)| address)
    }

    fn name(&self, address: u64) -> Option<&str> {
        let found = self.iter().find(|&&(_, known)| known == address);
        found.map(|(name, _)| name.as_ref())
    }
}

impl<S: AsRef<str>, const N: usize> Labels for [(S, u64); N] {
    fn address(&self, name: &str) -> Option<u64> {
        self.as_slice().address(name)
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.as_slice().name(address)
    }
}

/// A program without labels.
impl Labels for () {
    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }
}

/// The address of an instruction and the labels of its program, which are needed to parse and print
/// targets.
///
/// ```
/// use isa_core::text::{Cursor, InstructionContext};
///
/// let labels = [("loop", 0x1010)];
/// let site = InstructionContext::new(0x1000, &labels);
/// let mut cursor = Cursor::in_context("loop", &site);
/// assert_eq!(cursor.address(), Ok(0x1010));
/// ```
#[derive(Clone, Copy)]
pub struct InstructionContext<'l> {
    /// The address of the instruction.
    pub address: u64,
    /// The labels of the program.
    pub labels: &'l dyn Labels,
    /// How numbers and targets are printed.
    pub(crate) style: Style,
    /// Set if a parser asks for the site.
    asked: Option<&'l Cell<bool>>,
    /// The linker that fills in addresses and parts of addresses; `None` if there is no linker.
    linker: Option<&'l dyn Linker>,
}

/// A linker, which receives the references that the parser leaves to it.
pub(crate) trait Linker {
    /// Records a reference to a label plus an addend. `part` is the part of that address that is
    /// used; `None` for the whole address. Returns the number that the part is parsed as.
    fn refer(&self, label: &str, addend: i128, part: Option<&'static AddressPart>) -> i128;
}

impl<'l> InstructionContext<'l> {
    /// Creates a site from an address and labels.
    #[must_use]
    pub const fn new(address: u64, labels: &'l dyn Labels) -> Self {
        InstructionContext { address, labels, style: Style::new(), asked: None, linker: None }
    }

    /// Sets how numbers and targets are printed.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        InstructionContext { style, ..self }
    }

    /// Adds a flag that is set if a parser asks for the site. If the flag is not set, the result of the
    /// parse is the same at any other address.
    #[cfg(feature = "alloc")]
    pub(crate) const fn noting(self, asked: &'l Cell<bool>) -> Self {
        InstructionContext { asked: Some(asked), ..self }
    }

    /// Adds a linker that fills in parts of addresses, and addresses of labels with addends.
    #[cfg(feature = "alloc")]
    pub(crate) const fn linked(self, linker: &'l dyn Linker) -> Self {
        InstructionContext { linker: Some(linker), ..self }
    }

    /// Returns the linker; `None` if there is none.
    pub(crate) const fn linker(&self) -> Option<&'l dyn Linker> {
        self.linker
    }

    /// Records that a parser asks for the site.
    pub(crate) fn ask(&self) {
        if let Some(asked) = self.asked {
            asked.set(true);
        }
    }
}

impl fmt::Debug for InstructionContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("address", &self.address).finish_non_exhaustive()
    }
}
