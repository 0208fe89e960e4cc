//! Where an instruction stands, and the labels around it.
//!
//! What a target reads and how it prints depends on that. The cursor has a reference to the place, if
//! there is one, and any operand kind may ask it. Printing asks the row for the address that a value
//! stands for (`OperandKind::TARGET`) and writes the label in its stead, by the walk over the template;
//! lines without a place are printed as ever.

use core::cell::Cell;
use core::fmt;

use super::{Line, Style};
use crate::operand::AddressPart;
use crate::table::Opcode;

/// The labels of a program: names of addresses.
///
/// A list of pairs is one, and so is `()`, which has none. With the feature `alloc` there is also
/// `LabelMap`.
///
/// ```
/// use isa_core::asm::Labels;
///
/// let labels = [("start", 0x1000), ("loop", 0x1010)];
/// assert_eq!(labels.address("loop"), Some(0x1010));
/// assert_eq!(labels.name(0x1000), Some("start"));
/// assert_eq!(().name(0x1000), None);
/// ```
pub trait Labels {
    /// The address of a label.
    fn address(&self, name: &str) -> Option<u64>;

    /// The label of an address; of several always the same.
    fn name(&self, address: u64) -> Option<&str>;

    /// The number that is meant by a name, as `.equ` in programs says it; none unless a type says so.
    fn constant(&self, _name: &str) -> Option<i128> {
        None
    }

    /// Whether a label or a constant has a name. That decides whether the dot in `loop.Z` is a part of the
    /// name or begins a modifier.
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

/// No labels.
impl Labels for () {
    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }
}

/// Where an instruction stands: what reading and printing a target takes.
///
/// ```
/// use isa_core::asm::{Cursor, Site};
///
/// let labels = [("loop", 0x1010)];
/// let site = Site::new(0x1000, &labels);
/// let mut cursor = Cursor::at_site("loop", &site);
/// assert_eq!(cursor.address(), Ok(0x1010));
/// ```
#[derive(Clone, Copy)]
pub struct Site<'l> {
    /// The address of the instruction.
    pub address: u64,
    /// The labels of the program.
    pub labels: &'l dyn Labels,
    /// How numbers and targets are printed.
    pub(crate) style: Style,
    /// Set where a reading asks for the place.
    asked: Option<&'l Cell<bool>>,
    /// Notes which of the numbers a linker fills in; `None` where no linker does.
    linker: Option<&'l dyn Linker>,
}

/// Notes what a reading leaves to a linker.
pub(crate) trait Linker {
    /// Notes a label with what is added to it, and the part of that address that is wanted; `None` for
    /// all of it. Gives the number that a part counts as.
    fn refer(&self, label: &str, addend: i128, part: Option<&'static AddressPart>) -> i128;
}

impl<'l> Site<'l> {
    /// An address among labels.
    #[must_use]
    pub const fn new(address: u64, labels: &'l dyn Labels) -> Self {
        Site { address, labels, style: Style::new(), asked: None, linker: None }
    }

    /// With another way to print numbers and targets.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        Site { style, ..self }
    }

    /// With a note that is set as soon as a reading asks for the place: one that does not is the same
    /// at any other.
    #[cfg(feature = "alloc")]
    pub(crate) const fn noting(self, asked: &'l Cell<bool>) -> Self {
        Site { asked: Some(asked), ..self }
    }

    /// With a linker that fills in parts of addresses, and addresses of labels with numbers behind.
    #[cfg(feature = "alloc")]
    pub(crate) const fn linked(self, linker: &'l dyn Linker) -> Self {
        Site { linker: Some(linker), ..self }
    }

    /// Notes what a linker fills in; `None` where no linker does.
    pub(crate) const fn linker(&self) -> Option<&'l dyn Linker> {
        self.linker
    }

    /// Notes that a reading asks for the place.
    pub(crate) fn ask(&self) {
        if let Some(asked) = self.asked {
            asked.set(true);
        }
    }
}

impl fmt::Debug for Site<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("address", &self.address).finish_non_exhaustive()
    }
}

/// An instruction as it is printed at an address: a target is a label where it has one. With the
/// flag `#` without aliases.
#[derive(Debug, Clone, Copy)]
pub struct At<'l> {
    opcode: &'static Opcode,
    word: u128,
    site: Site<'l>,
}

impl<'l> At<'l> {
    /// A word of an opcode.
    #[must_use]
    pub const fn new(opcode: &'static Opcode, word: u128, site: Site<'l>) -> Self {
        At { opcode, word, site }
    }

    /// With another way to print numbers and targets.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        At { site: self.site.style(style), ..self }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new();
        match f.alternate() {
            true => self.opcode.print_plain_at(self.word, self.site, &mut line),
            false => self.opcode.print_at(self.word, self.site, &mut line),
        }
        f.pad(line.as_str())
    }
}
