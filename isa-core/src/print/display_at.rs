//! Displays an instruction at an address.

use core::fmt;

use crate::table::Opcode;
use crate::text::{Line, Site, Style};

/// An instruction, displayed at an address. A target that has a label is printed as this label. With
/// the flag `#` the instruction is printed without aliases.
#[derive(Debug, Clone, Copy)]
pub struct At<'l> {
    opcode: &'static Opcode,
    word: u128,
    site: Site<'l>,
}

impl<'l> At<'l> {
    /// Creates the display of a word of an opcode.
    #[must_use]
    pub const fn new(opcode: &'static Opcode, word: u128, site: Site<'l>) -> Self {
        At { opcode, word, site }
    }

    /// Sets how numbers and targets are printed.
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
