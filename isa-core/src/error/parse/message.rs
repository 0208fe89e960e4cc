//! The messages of parse errors. They describe the error in the text and list the possible
//! alternatives.

use core::fmt::{self, Display};

use super::{ParseError, ParseErrorKind};
use crate::IS_SMALL;
use crate::error::{list, suggestions};
use crate::operand::{Kind, Text};
use crate::table::{Candidates, Item, Opcode, Slot};
use crate::text::{Cause, Cursor, Line};

/// The formatter of [`ParseError::title`].
pub(super) struct Title<'e>(pub(super) &'e ParseError);

impl Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.0.found;
        match &self.0.kind {
            ParseErrorKind::NoInstruction => write!(f, "expected an instruction, found {found}"),
            ParseErrorKind::UnknownMnemonic { .. } => write!(f, "unknown mnemonic {found}"),
            ParseErrorKind::UnknownDirective => write!(f, "unknown directive {found}"),
            ParseErrorKind::WordTooWide { bits } => write!(f, "the word has more than {bits} bits"),
            ParseErrorKind::UnknownModifier { opcodes, slot } => {
                write!(f, "`{}` has no modifier {found}", owner(*opcodes, *slot))
            }
            ParseErrorKind::RepeatedModifier { field } => {
                write!(f, "{found} sets `{}` a second time", field.name)
            }
            ParseErrorKind::MissingModifier { opcode, field } => {
                let mnemonic = opcode.syntax.mnemonic;
                write!(f, "`{mnemonic}` needs a modifier for `{}`", field.name)
            }
            ParseErrorKind::Operand(fault) => match fault.cause {
                Cause::Text => fault.fmt(f),
                Cause::UnknownLabel => write!(f, "unknown label {found}"),
                Cause::UnknownConstant => write!(f, "unknown constant {found}"),
                Cause::Target { .. } | Cause::Address { .. } | Cause::Part { .. } => {
                    write!(f, "{found} is {fault}")
                }
            },
            ParseErrorKind::NoOperand { opcodes, slot } => {
                let name = owner(*opcodes, Some(slot));
                // A placeholder can have the same name as an operand of another type, for example a
                // register.
                let what = if name == found.as_str() { "an operand for " } else { "" };
                write!(f, "expected {what}`{name}`, found {found}")
            }
            ParseErrorKind::Combination { opcodes } => {
                let mnemonic = owner(*opcodes, None);
                write!(f, "`{mnemonic}` does not accept {found} with the other operands")
            }
            ParseErrorKind::NoForm { opcodes, .. } => {
                write!(f, "no form of `{}` accepts {found} here", owner(*opcodes, None))
            }
            ParseErrorKind::UnknownAffix { affix, operand } => {
                write!(f, "`{}` cannot be applied to {operand}", affix.open)
            }
            ParseErrorKind::UnclosedAffix { affix } => {
                write!(f, "expected the closing `{}`, found {found}", affix.close)
            }
            ParseErrorKind::Expected { text, .. } => {
                write!(f, "expected `{}`, found {found}", text.trim())
            }
            ParseErrorKind::OtherValue { opcode, field } => {
                let mut value = Line::new();
                let index = opcode.fields.iter().position(|other| core::ptr::eq(*other, *field));
                opcode.print_field(index.unwrap_or(usize::MAX), opcode.start, None, &mut value);
                let mnemonic = opcode.syntax.mnemonic;
                write!(f, "`{}` of `{mnemonic}` is always `{}`", field.name, value.as_str())
            }
            ParseErrorKind::TwoValues { field } => {
                write!(f, "`{}` has two different values", field.name)
            }
            ParseErrorKind::Illegal(error) => error.fmt(f),
            ParseErrorKind::TrailingText => {
                write!(f, "expected the end of the text, found {found}")
            }
            ParseErrorKind::UnfinishedComment => f.write_str("unterminated comment, expected `*/`"),
        }
    }
}

/// Returns the name of an operand, or the mnemonic.
fn owner(opcodes: Candidates, slot: Option<&Slot>) -> &'static str {
    let Some(opcode) = opcodes.first() else {
        return "";
    };
    let syntax = opcode.syntax;
    let symbol = slot.map(|slot| syntax.symbols.get(usize::from(slot.symbol)));
    symbol.map_or(syntax.mnemonic, |symbol| symbol.copied().unwrap_or_default())
}

/// Returns the name and the description of an operand in the first opcode that has the operand.
pub(super) fn operand(opcodes: Candidates, slot: &Slot) -> (&'static str, &'static str) {
    let bound = opcodes.opcodes().find_map(|opcode| {
        let (index, field) = opcode.bound(slot.symbol)?;
        Some(opcode.text_of(index, field).map_or(field.kind.name, |text| text.expects))
    });
    (owner(opcodes, Some(slot)), bound.unwrap_or_default())
}

/// The formatter of [`ParseError::help`].
pub(super) struct Help<'e>(pub(super) &'e ParseError);

impl Display for Help<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Help<'_> {
    pub(super) fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let (written, found) = (self.0.found.name(), &self.0.found);
        match self.0.kind {
            ParseErrorKind::UnknownMnemonic { mnemonics } => {
                let names = mnemonics.iter().map(|mnemonic| mnemonic.text);
                match suggestions::nearest(written, names.clone()) {
                    Some(name) => write!(f, "did you mean `{name}`?"),
                    None if names.len() > MANY => Ok(()),
                    None => list(f, "expected ", names.map(|name| Quoted("", name))),
                }
            }
            ParseErrorKind::UnknownDirective => f.write_str("the only directive is `.word`"),
            ParseErrorKind::UnknownModifier { opcodes, slot } => {
                modifiers(f, written, opcodes, slot)
            }
            ParseErrorKind::MissingModifier { field, .. } => match field.kind.text {
                Some(text) => write!(f, "write a dot followed by {}", text.expects),
                None => list(f, "write ", values(field.kind).map(|name| Quoted(".", name))),
            },
            ParseErrorKind::NoOperand { opcodes, slot } => operands(f, opcodes, slot),
            ParseErrorKind::Combination { opcodes } => {
                list(f, "expected operands ", opcodes.opcodes().map(Operands))
            }
            ParseErrorKind::NoForm { opcodes, is_operand } if !IS_SMALL => {
                forms(f, opcodes, is_operand.then_some(found.as_str()))
            }
            ParseErrorKind::Expected { syntax, .. } => {
                write!(f, "the syntax is `{}`", syntax.source)
            }
            ParseErrorKind::Operand(_)
            | ParseErrorKind::NoInstruction
            | ParseErrorKind::NoForm { .. }
            | ParseErrorKind::WordTooWide { .. }
            | ParseErrorKind::RepeatedModifier { .. }
            | ParseErrorKind::UnknownAffix { .. }
            | ParseErrorKind::UnclosedAffix { .. }
            | ParseErrorKind::OtherValue { .. }
            | ParseErrorKind::TwoValues { .. }
            | ParseErrorKind::Illegal(_)
            | ParseErrorKind::TrailingText
            | ParseErrorKind::UnfinishedComment => Ok(()),
        }
    }
}

/// The maximum number of names in a list. A longer list would not be helpful.
const MANY: usize = 40;

/// A name after a prefix, printed in backticks.
struct Quoted(&'static str, &'static str);

impl Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}{}`", self.0, self.1)
    }
}

fn list<T: Display>(
    f: &mut dyn fmt::Write,
    lead: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    f.write_str(lead)?;
    list::alternatives(f, items)
}

fn values(kind: &'static Kind) -> impl Iterator<Item = &'static str> + Clone {
    kind.values.iter().map(|value| value.name)
}

/// Writes the modifier that was probably meant, followed by a list of all possible modifiers.
fn modifiers(
    f: &mut dyn fmt::Write,
    written: &[u8],
    opcodes: Candidates,
    slot: Option<&'static Slot>,
) -> fmt::Result {
    let names = names(opcodes, slot);
    let near = suggestions::nearest(written, names.clone());
    if let Some(name) = near {
        write!(f, "did you mean `.{name}`?")?;
    }
    let gap = if near.is_some() { " " } else { "" };
    let text = slot.and_then(|slot| suffix_text(opcodes, slot));
    match (text, names.clone().count()) {
        (Some(text), _) => write!(f, "{gap}expected {}", text.expects),
        (None, 0) => f.write_str("remove the modifier"),
        (None, 1..=MANY) => {
            f.write_str(gap)?;
            // Several positions can accept the same name, which is listed once.
            let earlier = names.clone();
            let is_new =
                |(at, name): &(usize, &str)| !earlier.clone().take(*at).any(|n| n == *name);
            let once = names.enumerate().filter(is_new);
            list(f, "expected ", once.map(|(_, name)| Quoted(".", name)))
        }
        _ => Ok(()),
    }
}

/// Returns the text functions of a suffix whose field has an operand type.
fn suffix_text(opcodes: Candidates, slot: &'static Slot) -> Option<&'static Text> {
    let symbol = *slot.suffixes.first()?;
    let bound = opcodes.opcodes().find_map(|opcode| opcode.bound(symbol));
    bound.and_then(|(_, field)| field.kind.text)
}

/// Returns the names that are possible after a dot.
fn names(
    opcodes: Candidates,
    slot: Option<&'static Slot>,
) -> impl Iterator<Item = &'static str> + Clone {
    let syntax = opcodes.first().map(|opcode| opcode.syntax);
    let modifiers = syntax.map_or(&[][..], |syntax| syntax.modifiers);
    let modifiers = modifiers.iter().filter(move |_| slot.is_none());
    let suffixes = slot.map_or(&[][..], |slot| slot.suffixes);
    let symbols = modifiers.map(|modifier| (modifier.symbol, modifier.only));
    let symbols = symbols.chain(suffixes.iter().map(|&symbol| (symbol, None)));
    symbols.flat_map(move |(symbol, only)| {
        let fields = opcodes.opcodes().filter_map(move |opcode| opcode.bound(symbol));
        let kind = fields.clone().next().map(|(_, field)| field.kind);
        let values = kind.map_or(&[][..], |kind| kind.values).iter();
        let takes = move |raw| fields.clone().any(|(_, field)| field.can_be(raw));
        let values = values
            .filter(move |value| only.is_none_or(|only| only == value.raw) && takes(value.raw));
        values.map(|value| value.name)
    })
}

/// Writes the descriptions of the possible operands.
fn operands(f: &mut dyn fmt::Write, opcodes: Candidates, slot: &'static Slot) -> fmt::Result {
    let kinds = move |opcode: &'static Opcode| {
        let (index, field) = opcode.bound(slot.symbol)?;
        Some(opcode.text_of(index, field).map_or(field.kind.name, |text| text.expects))
    };
    let fresh = move |(place, opcode): (usize, &'static Opcode)| {
        let kind = kinds(opcode)?;
        let known = opcodes.opcodes().take(place).any(|opcode| kinds(opcode) == Some(kind));
        (!known).then_some(kind)
    };
    let kinds = opcodes.opcodes().enumerate().filter_map(fresh);
    write!(f, "`{}` is ", owner(opcodes, Some(slot)))?;
    list::alternatives(f, kinds)
}

/// Writes the forms of `opcodes` without duplicates. If all forms reject an operand with the text
/// `refused`, it writes the forms that expect different operands at this position, each with a
/// description of the operand.
fn forms(f: &mut dyn fmt::Write, opcodes: Candidates, refused: Option<&str>) -> fmt::Result {
    let expects = move |opcode| refused.and_then(|text| expected_for(opcode, text));
    let key = move |opcode: &'static Opcode| expects(opcode).unwrap_or(opcode.syntax.source);
    let is_new = move |(place, opcode): &(usize, &'static Opcode)| {
        !opcodes.opcodes().take(*place).any(|other| key(other) == key(opcode))
    };
    let forms = opcodes.opcodes().enumerate().filter(is_new);
    f.write_str(if refused.is_some() { "expected " } else { "the forms are " })?;
    let source = |opcode: &'static Opcode| opcode.syntax.source;
    let first = opcodes.first().map_or("", source);
    // One form can have operands of several types.
    let is_one = opcodes.opcodes().all(|opcode| source(opcode) == first);
    let forms = forms.map(move |(_, opcode)| match expects(opcode) {
        Some(expects) if is_one => Form("", Some(expects)),
        expects => Form(source(opcode), expects),
    });
    list::some_alternatives(f, forms)
}

/// Returns the description of the first operand of an opcode that a text resembles and that rejects
/// the text.
fn expected_for(opcode: &'static Opcode, text: &str) -> Option<&'static str> {
    let symbols = 0..opcode.syntax.symbols.len();
    let mut texts = symbols.filter_map(|symbol| {
        let (index, field) = opcode.bound(u8::try_from(symbol).ok()?)?;
        opcode.text_of(index, field)
    });
    let refuses = |it: &&'static Text| {
        let mut cursor = Cursor::new(text);
        it.looks_like(&cursor) && (it.read)(&mut cursor, &[]).is_err()
    };
    texts.find(refuses).map(|text| text.expects)
}

/// A form in backticks, and the description of one of its operands before it. The form or the
/// description can be missing.
struct Form(&'static str, Option<&'static str>);

impl Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Form("", expects) => f.write_str(expects.unwrap_or_default()),
            Form(source, Some(expects)) => write!(f, "{expects} in `{source}`"),
            Form(source, None) => write!(f, "`{source}`"),
        }
    }
}

/// The types of an opcode's operands, printed in backticks.
struct Operands(&'static Opcode);

impl Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.0.syntax.after.iter().filter_map(|item| match item {
            Item::Slot(slot) => self.0.bound(slot.symbol),
            _ => None,
        });
        f.write_str("`")?;
        for (place, (_, field)) in slots.enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            f.write_str(field.kind.name)?;
        }
        f.write_str("`")
    }
}
