//! Directives that reserve bytes or set the address: `.zero`, `.balign`, `.p2align` and `.org`.

use super::data::BYTE;
use super::dialect::{Dialect, Directive, PaddingTarget};
use crate::error::ParseError;
use crate::text::{Cursor, OperandError, begins_name};

/// The maximum number of bytes that one directive reserves.
const MOST: u64 = 1 << 24;

/// The maximum number of bytes that all such directives of a program reserve together. Without this
/// limit, a short text could allocate too much memory.
pub(super) const MOST_OF_ALL: usize = 1 << 26;

/// The largest exponent of a power of two that is an alignment.
const MOST_POWER: u64 = 16;

/// A sequence of equal bytes.
pub(super) struct Padding {
    pub(super) length: usize,
    /// The value of each byte, if the text specifies it.
    pub(super) fill: Option<u8>,
    /// The alignment of the address after the bytes. It does not depend on the address of the program,
    /// because moving the program must keep the alignment.
    pub(super) align: u64,
}

/// Parses the rest of a directive that reserves bytes. Its length may depend on its address, which
/// is 0 if unknown.
pub(super) fn read(cursor: &mut Cursor<'_>, until: PaddingTarget) -> Result<Padding, ParseError> {
    let mut space = length(cursor, until).map_err(|fault| ParseError::fault(cursor, fault))?;
    let mut behind = cursor.position();
    if cursor.eat(b',') {
        let more = parse_fill(cursor, until, &mut space);
        more.map_err(|fault| ParseError::fault(cursor, fault))?;
        behind = cursor.position();
    } else {
        cursor.seek(behind);
    }
    if cursor.eat(b';') {
        return Ok(space);
    }
    cursor.seek(behind);
    let fault = cursor.fault(behind, "expected `;` after the number");
    Err(ParseError::fault(cursor, fault))
}

/// Parses the number after a directive.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Result<u64, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let number = match begins_name(cursor.rest()) {
        true => cursor.signed()?,
        false => i128::try_from(cursor.number()?).unwrap_or(i128::MAX),
    };
    let number = u64::try_from(number.min(u64::MAX.into()));
    number.map_err(|_| cursor.fault(start, "the number is below 0"))
}

fn length(cursor: &mut Cursor<'_>, until: PaddingTarget) -> Result<Padding, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let number = number(cursor)?;
    let length = match until {
        PaddingTarget::Bytes => Ok((number, 1)),
        PaddingTarget::Multiple if number.is_power_of_two() && number <= 1 << MOST_POWER => {
            Ok((distance_to_multiple(cursor, number), number))
        }
        PaddingTarget::Multiple => {
            Err("invalid alignment: expected a power of two from 1 to 65536")
        }
        PaddingTarget::Power if number <= MOST_POWER => {
            Ok((distance_to_multiple(cursor, 1 << number), 1 << number))
        }
        PaddingTarget::Power => Err("invalid alignment: expected an exponent of 2 from 0 to 16"),
        PaddingTarget::Address => {
            let own = cursor.context().map_or(0, |site| site.address);
            let further = number.checked_sub(own).map(|length| (length, 1));
            further
                .ok_or("`.org` cannot move back: the bytes at that address are already assembled")
        }
    };
    let length = length.and_then(|(length, align)| match usize::try_from(length) {
        Ok(bytes) if length <= MOST => Ok(Padding { length: bytes, fill: None, align }),
        _ => Err("one directive can reserve at most 16777216 bytes"),
    });
    length.map_err(|message| cursor.fault(start, message))
}

/// Parses the rest after the first number: the value of the bytes, and for an alignment the maximum
/// number of bytes. If an alignment needs more bytes than this maximum, it emits no bytes.
fn parse_fill(
    cursor: &mut Cursor<'_>,
    until: PaddingTarget,
    space: &mut Padding,
) -> Result<(), OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    if cursor.rest().first() != Some(&b',') {
        let fill = cursor.signed()?;
        space.fill = match (u8::try_from(fill), i8::try_from(fill)) {
            (Ok(fill), _) => Some(fill),
            (_, Ok(fill)) => Some(fill as u8),
            _ => return Err(cursor.fault(start, BYTE.message)),
        };
    }
    let behind = cursor.position();
    if !matches!(until, PaddingTarget::Multiple | PaddingTarget::Power) || !cursor.eat(b',') {
        cursor.seek(behind);
        return Ok(());
    }
    let most = cursor.number()?;
    if most != 0 && space.length as u128 > most {
        space.length = 0;
    }
    Ok(())
}

/// Returns the distance to the next multiple of an alignment.
fn distance_to_multiple(cursor: &Cursor<'_>, align: u64) -> u64 {
    let own = cursor.context().map_or(0, |site| site.address);
    own.wrapping_neg() & (align - 1)
}

/// Returns whether a statement only reserves bytes that are 0.
pub(super) fn is_zero(cursor: &mut Cursor<'_>, dialect: Dialect) -> bool {
    match dialect.take(cursor) {
        Some(Directive::Room(until)) => {
            read(cursor, until).is_ok_and(|space| space.fill.unwrap_or(0) == 0)
        }
        _ => false,
    }
}

/// Returns the alignment of the address after a statement; 1 if the statement does not align it.
pub(super) fn align(cursor: &mut Cursor<'_>, dialect: Dialect) -> u64 {
    match dialect.take(cursor) {
        Some(Directive::Room(until)) => read(cursor, until).map_or(1, |space| space.align),
        _ => 1,
    }
}
