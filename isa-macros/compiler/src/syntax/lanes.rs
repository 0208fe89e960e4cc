//! `Lanes<ra> = 16 * half_lanes(ra.hsel2);`: the lanes of an operand that are read or written.

use syn::parse::ParseStream;
use syn::{LitInt, Result, Token};

use super::ast::{FieldName, Number};
use super::common::parse_number;
use super::condition::{Call, parse_function};
use super::operands::parse_single;

/// A line `Lanes<field> = bits * mask;`.
#[derive(Debug)]
pub(crate) struct LanesDecl {
    pub(crate) field: FieldName,
    /// The width of a lane in bits.
    pub(crate) bits: Number,
    pub(crate) mask: LaneMask,
}

/// The lanes that are used. Bit i of a number is lane i; lane 0 contains the lowest bits.
#[derive(Debug)]
pub(crate) enum LaneMask {
    /// All lanes of the operand.
    All,
    /// The same lanes for every word.
    Number(Number),
    /// The lanes that a Rust function of some fields returns.
    Call(Call),
}

impl LanesDecl {
    /// Returns the path of the function, or an empty string if there is none.
    pub(crate) fn function(&self) -> String {
        match &self.mask {
            LaneMask::All | LaneMask::Number(_) => String::new(),
            LaneMask::Call(call) => call.name(),
        }
    }
}

/// Parses a `Lanes` line after its keyword: `<ra> = 16 * half_lanes(ra.hsel2)`.
pub(super) fn parse_lanes(input: ParseStream<'_>) -> Result<LanesDecl> {
    const MEANT: &str = "expected the fields that the lanes depend on: \
        `half_lanes(ra.hsel2)`\nhelp: where all words have the same lanes, write them as a number, `16 * 0b01`";
    let field = parse_single(input)?;
    input.parse::<Token![=]>()?;
    if !input.peek(LitInt) {
        let message = "expected the width of a lane: `Lanes<ra> = 16;`, or with those that count \
            `Lanes<ra> = 16 * half_lanes(ra.hsel2);`";
        return Err(input.error(message));
    }
    let bits = parse_number(input)?;
    let mask = match input.parse::<Option<Token![*]>>()? {
        None => LaneMask::All,
        Some(_) if input.peek(LitInt) => LaneMask::Number(parse_number(input)?),
        Some(_) => LaneMask::Call(parse_function(input, MEANT)?),
    };
    Ok(LanesDecl { field, bits, mask })
}
