//! Parsing of the statements that begin with a directive.

use alloc::vec::Vec;

use super::constants::Definition;
use super::dialect::{Dialect, Directive, PaddingTarget};
use super::section::{self, SectionHeader};
use super::{ascii, constants, globals, padding, symbol_types};
use crate::error::ParseError;
use crate::parse::{or_skip, skip_statement};
use crate::table::ByteOrder;
use crate::text::{Cursor, InstructionContext, Labels};

impl Dialect {
    /// Returns the address in the directive `.org` at a position. The outer `None` means that the
    /// statement is not an `.org`. The inner `None` means that the address is unknown.
    pub(super) fn org(self, text: &str, start: usize, labels: &dyn Labels) -> Option<Option<u64>> {
        let site = InstructionContext::new(0, labels);
        let mut cursor = Cursor::in_context(text, &site).moved_to(start);
        match self.take(&mut cursor)? {
            Directive::Room(PaddingTarget::Address) => Some(padding::number(&mut cursor).ok()),
            _ => None,
        }
    }
}

/// Parses a statement that begins with a directive and returns its length in bytes. The bytes of
/// data are appended to `bytes`. `order` is the byte order of the set. The result is `None` for
/// statements that the set parses: instructions and `.word`.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    dialect: Dialect,
    order: ByteOrder,
    mut bytes: Option<&mut Vec<u8>>,
) -> Result<Option<usize>, ParseError> {
    let (start, mut ahead) = (cursor.position(), cursor.clone());
    let directive = dialect.take(&mut ahead);
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
        Directive::Room(until) => {
            let space = padding::read(cursor, until)?;
            if let (Some(fill), Some(bytes)) = (space.fill, &mut bytes) {
                bytes.resize(bytes.len() + space.length, fill);
            }
            Ok(Some(space.length))
        }
        Directive::Globals => globals::read(cursor, |_| {}).map(|()| Some(0)),
        Directive::Type => symbol_types::read(cursor).map(|_| Some(0)),
        Directive::Constant => constants::read(cursor).map(|_| Some(0)),
        Directive::Section(name) => section::read(cursor, name).map(|()| Some(0)),
        Directive::Text { ends } => {
            let mut length = 0;
            ascii::read(cursor, ends, |text| {
                length += text.len();
                if let Some(bytes) = &mut bytes {
                    bytes.extend_from_slice(text);
                }
            })?;
            Ok(Some(length))
        }
        Directive::Ignored => {
            skip_statement(cursor);
            Ok(Some(0))
        }
    })
}

/// The effect of a statement on other statements.
pub(super) enum Effect<'t> {
    /// It defines a constant. If the definition is invalid, the error contains only the name.
    Constant(Result<Definition<'t>, &'t str>),
    /// It selects the section of the statements after it.
    Section(SectionHeader<'t>),
}

/// Returns the effect of the statement at a position on other statements; `None` if there is none.
pub(super) fn effect(text: &str, dialect: Dialect, start: usize) -> Option<Effect<'_>> {
    let (directive, mut cursor) = dialect.at(text, start)?;
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
