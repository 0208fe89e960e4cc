//! The directives of programs: one list, which reading, messages, completions and grammars take.

use alloc::vec::Vec;

use super::constants::Definition;
use super::data::Data;
use super::parse::or_skip;
use super::section::{self, Header};
use super::space::Until;
use super::{Cursor, constants, data, globals, space, types};
use crate::error::ParseError;
use crate::table::ByteOrder;

/// What a directive does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Directive {
    /// A word of the set's widest, which the set itself reads.
    Word,
    /// Values of so many bytes each.
    Data(&'static Data),
    /// Bytes that are 0.
    Room(Until),
    /// Labels that other objects may name.
    Globals,
    /// What a label is for a linker.
    Type,
    /// A name for a number.
    Constant,
    /// A section: the one of this name, or one that is named behind.
    Section(Option<&'static str>),
}

/// All directives.
const ALL: [(&str, Directive); 17] = [
    (".word", Directive::Word),
    (".byte", Directive::Data(&data::BYTE)),
    (".2byte", Directive::Data(&data::TWO)),
    (".4byte", Directive::Data(&data::FOUR)),
    (".8byte", Directive::Data(&data::EIGHT)),
    (".zero", Directive::Room(Until::Bytes)),
    (".balign", Directive::Room(Until::Multiple)),
    (".p2align", Directive::Room(Until::Power)),
    (".org", Directive::Room(Until::Address)),
    (".globl", Directive::Globals),
    (".global", Directive::Globals),
    (".type", Directive::Type),
    (".equ", Directive::Constant),
    (".set", Directive::Constant),
    (".section", Directive::Section(None)),
    (".text", Directive::Section(Some(".text"))),
    (".data", Directive::Section(Some(".data"))),
];

/// The names of all directives of programs, with their dots. Of single statements there is `.word` alone.
///
/// ```
/// use isa_core::asm::DIRECTIVES;
///
/// assert!(DIRECTIVES.contains(&".word") && DIRECTIVES.contains(&".balign"));
/// ```
pub const DIRECTIVES: [&str; ALL.len()] = {
    let (mut names, mut i) = ([""; ALL.len()], 0);
    while i < ALL.len() {
        names[i] = ALL[i].0;
        i += 1;
    }
    names
};

/// Moves over the name of a directive, where one stands.
#[inline]
pub(super) fn take(cursor: &mut Cursor<'_>) -> Option<Directive> {
    if cursor.peek() != Some(b'.') {
        return None;
    }
    let mut ahead = cursor.clone();
    let name = ahead.name();
    let (_, directive) = ALL.iter().find(|(known, _)| *known == name)?;
    *cursor = ahead;
    Some(*directive)
}

/// The directive for values of a size, if there is one.
pub(super) fn of_size(bytes: usize) -> Option<&'static str> {
    let found = ALL
        .iter()
        .find(|(_, directive)| matches!(directive, Directive::Data(data) if data.size() == bytes));
    found.map(|(name, _)| *name)
}

/// Reads a statement that begins with a directive, and says how many bytes it has. Those of data are
/// appended to `bytes`. `order` is that of the set. `None` for what the set reads: instructions and `.word`.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    order: ByteOrder,
    mut bytes: Option<&mut Vec<u8>>,
) -> Result<Option<usize>, ParseError> {
    let (start, mut ahead) = (cursor.position(), cursor.clone());
    let directive = take(&mut ahead);
    let Some(directive) = directive.filter(|it| !matches!(it, Directive::Word)) else {
        return Ok(None);
    };
    *cursor = ahead;
    or_skip(cursor, start, |cursor| match directive {
        Directive::Word => Ok(None),
        Directive::Data(data) => {
            let (mut length, size) = (0, data.size());
            data.read(cursor, |value, _| {
                length += size;
                if let Some(bytes) = &mut bytes {
                    bytes.extend(order.of_data().bytes_of(value.into(), size));
                }
            })?;
            Ok(Some(length))
        }
        Directive::Room(until) => space::read(cursor, until).map(|space| Some(space.length)),
        Directive::Globals => globals::read(cursor, |_| {}).map(|()| Some(0)),
        Directive::Type => types::read(cursor).map(|_| Some(0)),
        Directive::Constant => constants::read(cursor).map(|_| Some(0)),
        Directive::Section(name) => section::read(cursor, name).map(|()| Some(0)),
    })
}

/// The directive that the statement at a place begins with, with a cursor behind the name.
pub(super) fn at(text: &str, start: usize) -> Option<(Directive, Cursor<'_>)> {
    let mut cursor = Cursor::new(text).moved_to(start);
    Some((take(&mut cursor)?, cursor))
}

/// What a statement does to those around it.
pub(super) enum Effect<'t> {
    /// It defines a constant, or where it is not right the name of one.
    Constant(Result<Definition<'t>, &'t str>),
    /// It names the section of the statements behind it.
    Section(Header<'t>),
}

/// What a statement at a place does to those around it; `None` for nothing.
pub(super) fn effect(text: &str, start: usize) -> Option<Effect<'_>> {
    let (directive, mut cursor) = at(text, start)?;
    match directive {
        Directive::Constant => {
            let name = constants::name(&mut cursor.clone());
            Some(Effect::Constant(match constants::read(&mut cursor) {
                Ok(definition) => Ok(definition),
                Err(_) => Err(name?),
            }))
        }
        Directive::Section(name) => section::named(&mut cursor, name).map(Effect::Section),
        _ => None,
    }
}
