//! Data in programs: `.byte`, `.2byte`, `.4byte`, `.8byte`.

use super::expression::{self, Value};
use crate::error::ParseError;
use crate::text::{Cursor, OperandError};

/// The values of a directive for data.
#[derive(Debug)]
pub(super) struct Data {
    /// The size of a value in bytes.
    size: usize,
    /// The message for a value that does not fit.
    pub(super) message: &'static str,
}

/// The values of `.byte`.
pub(super) static BYTE: Data =
    Data { size: 1, message: "byte out of range: expected a number from -128 to 255" };
/// The values of `.2byte`.
pub(super) static TWO: Data = Data {
    size: 2,
    message: "two-byte value out of range: expected a number from -32768 to 65535",
};
/// The values of `.4byte`.
pub(super) static FOUR: Data = Data {
    size: 4,
    message: "four-byte value out of range: expected a number from -2147483648 to 4294967295",
};
/// The values of `.8byte`.
pub(super) static EIGHT: Data = Data {
    size: 8,
    message: "eight-byte value out of range: expected a number from -9223372036854775808 to \
              18446744073709551615",
};

/// Parses the `,` after an item of a list, or the `;` after the last. Returns whether another item
/// follows.
pub(super) fn goes_on(cursor: &mut Cursor<'_>, message: &'static str) -> Result<bool, ParseError> {
    let behind = cursor.position();
    if cursor.eat(b';') {
        return Ok(false);
    }
    if cursor.eat(b',') {
        return Ok(true);
    }
    cursor.seek(behind);
    let fault = cursor.fault(behind, message);
    Err(ParseError::fault(cursor, fault))
}

impl Data {
    /// Returns whether an address fits in a value.
    pub(super) const fn fits(&self, address: u64) -> bool {
        address.unbounded_shr(self.size as u32 * 8) == 0
    }

    /// Returns whether a number fits in a value.
    pub(super) const fn has(&self, number: i128) -> bool {
        let bits = self.size as u32 * 8;
        -(1 << (bits - 1)) <= number && number < 1 << bits
    }

    /// Returns the size of a value in bytes.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Parses values separated by commas, and the `;` after them. Calls `each` for every value, with
    /// the number truncated to the size of a value. If a linker fills in addresses, the number does not
    /// include the addresses of labels.
    pub(super) fn read<'t>(
        &self,
        cursor: &mut Cursor<'t>,
        mut each: impl FnMut(u64, &Value<'t>),
    ) -> Result<(), ParseError> {
        for further in (0..).step_by(self.size) {
            let value =
                self.value(cursor, further).map_err(|fault| ParseError::fault(cursor, fault))?;
            let (number, value) = value;
            each(number & !u64::MAX.unbounded_shl(self.size as u32 * 8), &value);
            if !goes_on(cursor, "expected `,` or `;` after the value")? {
                break;
            }
        }
        Ok(())
    }

    /// Parses an expression that fits in a value, `further` bytes after the start of the statement. The
    /// value of a label is its address.
    fn value<'t>(
        &self,
        cursor: &mut Cursor<'t>,
        further: u64,
    ) -> Result<(u64, Value<'t>), OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let value = expression::value_at(cursor, further)?;
        let out_of_range = |cursor: &Cursor<'t>| cursor.fault(start, self.message);
        if cursor.context_unasked().is_some_and(|site| site.linker().is_some()) {
            let is_right = self.has(value.number);
            return is_right
                .then_some((value.number as u64, value))
                .ok_or_else(|| out_of_range(cursor));
        }
        let number = match value.label().map_err(expression::superfluous)? {
            None => value.number,
            Some(label) => {
                let address = cursor.label_plus(label.name, label.start, value.number)?;
                return match self.fits(address) {
                    true => Ok((address, value)),
                    false => Err(out_of_range(cursor)),
                };
            }
        };
        match self.has(number) {
            true => Ok((number as u64, value)),
            false => Err(out_of_range(cursor)),
        }
    }
}
