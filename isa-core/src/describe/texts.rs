//! Describes the assembly syntax of operands as data: a list of all texts if there are few, or else
//! the parts of the text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write};

use super::{QuotedText as Quoted, list};
use crate::bits::Cube;
use crate::operand::{Kind, Numeral, NumeralBits, Text, TextPart};
use crate::table::{Field, InstructionSet, Opcode};
use crate::text::Line;

/// The texts of a value are listed if the value and its arguments have at most this number of bits in
/// total.
const MOST_LISTED: u32 = 13;

/// The texts of a set, each once.
#[derive(Default)]
pub(super) struct DescribedTexts {
    json: Vec<String>,
    known: Vec<(TextKey, usize)>,
}

/// The text functions, the widths of the value and of its arguments, and the reserved values.
type TextKey = (*const Text, Vec<u32>, *const Cube);

impl DescribedTexts {
    /// Collects the texts of all operand types and formats of a set.
    pub(super) fn of(set: &InstructionSet, kinds: &[&'static Kind]) -> DescribedTexts {
        let mut texts = DescribedTexts::default();
        for kind in kinds {
            if let Some(text) = kind.text {
                texts.add(text, &[kind.width.into()], kind.reserved);
            }
        }
        for row in set.spellings {
            for format in row.formats {
                let (widths, reserved) = shape(row, format.field, format.args);
                texts.add(format.text, &widths, reserved);
            }
        }
        texts
    }

    fn add(&mut self, text: &'static Text, widths: &[u32], reserved: &'static [Cube]) {
        if self.place(text, widths, reserved).is_some() {
            return;
        }
        let json = OneText { text, widths, reserved }.to_string();
        let place = self.json.iter().position(|known| *known == json).unwrap_or_else(|| {
            self.json.push(json);
            self.json.len() - 1
        });
        self.known.push((key(text, widths, reserved), place));
    }

    fn place(&self, text: &Text, widths: &[u32], reserved: &[Cube]) -> Option<usize> {
        let key = key(text, widths, reserved);
        self.known.iter().find(|(known, _)| *known == key).map(|(_, place)| *place)
    }

    /// Returns the index of the text of an operand type in the list.
    pub(super) fn of_kind(&self, kind: &Kind) -> Option<usize> {
        self.place(kind.text?, &[kind.width.into()], kind.reserved)
    }

    /// Returns the index of the text of a format in the list.
    pub(super) fn of_format(&self, row: &Opcode, format: &crate::table::Format) -> Option<usize> {
        let (widths, reserved) = shape(row, format.field, format.args);
        self.place(format.text, &widths, reserved)
    }
}

impl Display for DescribedTexts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(&self.json, |text, f| f.write_str(text)).fmt(f)
    }
}

fn key(text: &Text, widths: &[u32], reserved: &[Cube]) -> TextKey {
    (core::ptr::from_ref(text), widths.to_vec(), reserved.as_ptr())
}

/// Returns the widths of a field and of its arguments, and the reserved values of the field.
fn shape(row: &Opcode, field: u8, args: &[u8]) -> (Vec<u32>, &'static [Cube]) {
    let all = core::iter::once(&field).chain(args);
    let widths = all.map(|place| row.at((*place).into()).map_or(0, Field::width)).collect();
    // A composite operand does not have the type of any of its fields.
    let own = row.fields.get(usize::from(field));
    (widths, own.map_or(&[], |field| field.kind.reserved))
}

struct OneText<'t> {
    text: &'static Text,
    widths: &'t [u32],
    reserved: &'static [Cube],
}

impl Display for OneText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let OneText { text, widths, reserved } = *self;
        write!(f, r#"{{"expects":{},"#, Quoted(text.expects))?;
        write!(f, r#""widths":{}"#, list(widths, Display::fmt))?;
        let bits: u32 = widths.iter().sum();
        if !text.parts.is_empty() {
            write!(f, r#","parts":{}"#, list(text.parts, part))?;
        } else if bits <= MOST_LISTED {
            f.write_str(r#","list":["#)?;
            for number in 0..1u64 << bits {
                f.write_str(if number == 0 { "" } else { "," })?;
                one_of(text, widths, reserved, number).fmt(f)?;
            }
            f.write_char(']')?;
        }
        f.write_char('}')
    }
}

/// Returns the text of a value and its arguments. `number` contains the bits of the value, followed by
/// the lower bits of the arguments. Returns an empty text for a reserved value.
fn one_of(text: &Text, widths: &[u32], reserved: &[Cube], number: u64) -> impl Display {
    let mut rest: u32 = widths.iter().sum();
    let mut values = widths.iter().map(|width| {
        rest -= width;
        number >> rest & ((1 << width) - 1)
    });
    let value = values.next().unwrap_or_default();
    let args: Vec<u64> = values.collect();
    let mut line = Line::new();
    if !reserved.iter().any(|cube| cube.contains(value.into())) {
        (text.write)(value, &args, &mut line);
    }
    Quoted(line.as_str()).to_string()
}

fn part(part: &TextPart, f: &mut Formatter<'_>) -> fmt::Result {
    match part {
        TextPart::Text(text) => Quoted(text).fmt(f),
        TextPart::Number(Numeral { bits, signed, scale, add, wrap, hex }) => {
            write!(f, r#"{{"number":{},"signed":{signed},"#, Show(*bits))?;
            write!(f, r#""scale":"{scale}","add":"{add}","wrap":{wrap},"hex":{hex}}}"#)
        }
        TextPart::Float { bits, format } => {
            write!(f, r#"{{"float":{},"format":{}}}"#, Show(*bits), Quoted(format))
        }
        TextPart::Choice { bits, of } => {
            let of = list(of, |parts, f| list(parts, self::part).fmt(f));
            write!(f, r#"{{"choice":{},"of":{of}}}"#, Show(*bits))
        }
    }
}

struct Show(NumeralBits);

/// Prints the index of the value (0 for the field, from 1 on for the arguments), the lowest bit,
/// and the width.
impl Display for Show {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let NumeralBits { arg, low, width } = self.0;
        write!(f, "[{},{low},{width}]", arg.map_or(0, |arg| u32::from(arg) + 1))
    }
}
