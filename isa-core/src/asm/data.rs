//! Data in programs: `.byte`, `.2byte`, `.4byte`, `.8byte`.

use crate::error::ParseError;
use crate::text::{Cursor, OperandError, begins_name};

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

    /// Parses values separated by commas, and the `;` after them. Calls `each` for every value. The
    /// arguments are the number, truncated to the size of a value, and the label or `.` if the value
    /// contains one.
    pub(super) fn read<'t>(
        &self,
        cursor: &mut Cursor<'t>,
        mut each: impl FnMut(u64, Option<&'t str>),
    ) -> Result<(), ParseError> {
        loop {
            let value = self.value(cursor).map_err(|fault| ParseError::fault(cursor, fault))?;
            let (number, name) = value;
            each(number & !u64::MAX.unbounded_shl(self.size as u32 * 8), name);
            if !goes_on(cursor, "expected `,` or `;` after the value")? {
                return Ok(());
            }
        }
    }

    /// Parses a number that fits in a value, a constant, or a label. The value of a label is its
    /// address.
    fn value<'t>(&self, cursor: &mut Cursor<'t>) -> Result<(u64, Option<&'t str>), OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        if begins_name(cursor.rest()) && cursor.clone().constant().is_none() {
            let name = cursor.clone().name();
            let address = cursor.address_with_addend()?;
            return self
                .fits(address)
                .then_some((address, Some(name)))
                .ok_or_else(|| cursor.fault(start, self.message));
        }
        let number = cursor.signed()?;
        match self.has(number) {
            true => Ok((number as u64, None)),
            false => Err(cursor.fault(start, self.message)),
        }
    }
}
