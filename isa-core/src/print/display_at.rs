//! Displays an instruction at an address.

use core::fmt;

use crate::table::Opcode;
use crate::text::{InstructionContext, Line, Style};

/// An instruction, displayed at an address. A target that has a label is printed as this label. With
/// the flag `#` the instruction is printed without aliases.
#[derive(Debug, Clone, Copy)]
pub struct DisplayAt<'l> {
    opcode: &'static Opcode,
    word: u128,
    site: InstructionContext<'l>,
}

impl<'l> DisplayAt<'l> {
    /// Creates the display of a word of an opcode.
    #[must_use]
    pub const fn new(opcode: &'static Opcode, word: u128, site: InstructionContext<'l>) -> Self {
        DisplayAt { opcode, word, site }
    }

    /// Sets how numbers and targets are printed.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        DisplayAt { site: self.site.style(style), ..self }
    }
}

impl fmt::Display for DisplayAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new();
        match f.alternate() {
            true => self.opcode.print_plain_at(self.word, self.site, &mut line),
            false => self.opcode.print_at(self.word, self.site, &mut line),
        }
        f.pad(line.as_str())
    }
}
