//! Checks the references and widths in a description, so that other code can rely on them.

use isa_core::table::{Cube, Piece, insert};
use serde_json::Value;

use super::error::{AtPath, DescriptionError, expected};
use super::parse::{hex_of, width_of};
use super::{
    ConditionCase, DescribedPart, Description, FieldDescription, FieldType, OpcodeDescription,
    OperandFormat, OperandText, PrintPart, PropertyDescription, PropertyValue, TextRule,
};

type Checked = Result<(), DescriptionError>;

/// Checks all elements of the list under a key.
fn each<T>(list: &[T], key: &str, check: impl Fn(&T) -> Checked) -> Checked {
    let mut items = list.iter().enumerate();
    items.try_for_each(|(index, item)| check(item).at(format_args!("{key}[{index}]")))
}

/// Checks an index into a list of `count` elements.
fn index(index: usize, count: usize) -> Checked {
    match count.checked_sub(1) {
        Some(last) if index <= last => Ok(()),
        Some(last) => Err(expected(&format!("a number from 0 to {last}"), &index.into()).into()),
        None => Err("index out of range: the list is empty".into()),
    }
}

/// Checks that a number has at most `bits` bits.
fn number(number: u128, bits: u32) -> Checked {
    match number.checked_shr(bits).unwrap_or(0) {
        0 => Ok(()),
        _ => Err(expected(&hex_of(bits), &Value::from(format!("{number:#x}"))).into()),
    }
}

fn patterns(patterns: &[Cube], key: &str, bits: u32) -> Checked {
    each(patterns, key, |pattern| number(pattern.mask, bits).at("[0]"))
}

fn pieces(pieces: &[Piece], bits: u32) -> Checked {
    each(pieces, "pieces", |piece| match piece.position + piece.width {
        end if u32::from(end) <= bits => Ok(()),
        _ => {
            let found = Value::from(vec![piece.position, piece.width]).to_string();
            Err(format!(
                "expected the lowest bit and the width of a piece of {bits} bits, found `{found}`"
            )
            .into())
        }
    })
}

impl Description {
    /// Checks what the types of the model do not express.
    pub(super) fn validate(&self) -> Checked {
        each(&self.texts, "texts", operand_text)?;
        each(&self.kinds, "kinds", |kind| self.check_type(kind))?;
        each(&self.properties, "properties", |property| self.check_property(property))?;
        each(&self.opcodes, "opcodes", |row| {
            self.check_properties(row).at("properties")?;
            self.check_row(row, &self.widths)
        })
    }

    fn check_property(&self, property: &PropertyDescription) -> Checked {
        let name = property.type_name.as_str();
        let is_set = |kind: &FieldType| kind.name == name && !kind.values.is_empty();
        match number_range(name).is_some() || name == "bool" || self.kinds.iter().any(is_set) {
            true => Ok(()),
            false => {
                let what = "`bool`, a number type such as `u8`, or the name of a value set";
                Err(expected(what, &name.into())).at("type")
            }
        }
    }

    /// Checks that an opcode has only declared properties, and that their values match the types.
    fn check_properties(&self, row: &OpcodeDescription) -> Checked {
        row.properties.iter().try_for_each(|(name, value)| {
            let found = self.properties.iter().find(|property| property.name == *name);
            let Some(property) = found else {
                return Err(format!("unknown property `{name}`").into());
            };
            let ty = property.type_name.as_str();
            let is_valid = match value {
                PropertyValue::Bool(_) => ty == "bool",
                PropertyValue::Number(number) => {
                    number_range(ty).is_some_and(|range| range.contains(number))
                }
                PropertyValue::Named(name) => {
                    let mut sets = self.kinds.iter().filter(|kind| kind.name == ty);
                    sets.any(|kind| kind.values.iter().any(|value| value.name == *name))
                }
            };
            let fault = || format!("expected a value of `{ty}`, found `{value}`");
            is_valid.then_some(()).ok_or_else(fault).at(name)
        })
    }

    fn check_type(&self, kind: &FieldType) -> Checked {
        let bits = u32::from(kind.width);
        each(&kind.values, "values", |value| number(value.raw.into(), bits).at("raw"))?;
        patterns(&kind.reserved, "reserved", bits)?;
        let Some(text) = kind.text else { return Ok(()) };
        index(text, self.texts.len()).at("text")?;
        match &self.texts[text].widths {
            widths if *widths == [bits] => Ok(()),
            widths => Err(format!("its text has values of {widths:?} bits").into()),
        }
    }

    /// Checks an opcode, or the row of an alias. `widths` contains the widths that its words can have.
    fn check_row(&self, row: &OpcodeDescription, widths: &[u8]) -> Checked {
        if !widths.contains(&row.bits) {
            let message = format!("`bits` is {}, which is not a width of its words", row.bits);
            return Err(message.into());
        }
        if let Some(short) = &row.short {
            if short.bits >= row.bits || !self.widths.contains(&short.bits) {
                let message = format!("`bits` is {}, which is not a smaller width", short.bits);
                return Err(DescriptionError::from(message)).at("short");
            }
            patterns(&short.long, "long", short.bits.into()).at("short")?;
        }
        let bits = u32::from(row.bits);
        number(row.fixed.mask, bits).at("fixed[0]")?;
        number(row.unused, bits).at("unused")?;
        each(&row.fields, "fields", |field| self.check_field(field, bits))?;
        each(&row.views, "views", |view| pieces(&view.pieces, bits))?;
        let condition = |words: &[Cube], all: &[ConditionCase]| {
            patterns(words, "words", bits)?;
            each(all, "cases", |one| case(one, bits))
        };
        each(&row.illegal, "illegal", |rule| condition(&rule.words, &rule.cases))?;
        each(&row.flow, "flow", |rule| condition(&rule.words, &rule.cases))?;
        each(&row.formats, "formats", |format| self.check_format(format, row))?;
        let count = row.fields.len() + row.views.len();
        each(&row.prints, "prints", |part| print_part(part, count))?;
        each(&row.aliases, "aliases", |alias| {
            patterns(alias.unless.as_deref().unwrap_or_default(), "unless", bits)?;
            self.check_row(&alias.row, &[row.bits]).at("row")
        })
    }

    fn check_field(&self, field: &FieldDescription, bits: u32) -> Checked {
        index(field.kind, self.kinds.len()).at("kind")?;
        pieces(&field.pieces, bits)?;
        let (width, own) = (width_of(&field.pieces), u32::from(self.kinds[field.kind].width));
        for (value, key) in [(field.fixed, "fixed"), (field.default, "default")] {
            number(value.unwrap_or_default().into(), own).at(key)?;
        }
        // If two pieces contained the same bit, the bit could have two values.
        if width != insert(&field.pieces, 0, u64::MAX).count_ones() {
            return Err("`pieces` overlap".into());
        }
        match width == own || field.pieces.is_empty() {
            true => Ok(()),
            false => Err(format!("the field has {width} bits, but its type has {own}").into()),
        }
    }

    fn check_format(&self, format: &OperandFormat, row: &OpcodeDescription) -> Checked {
        let count = row.fields.len() + row.views.len();
        index(format.place, count).at("place")?;
        index(format.text, self.texts.len()).at("text")?;
        each(&format.args, "args", |arg| index(*arg, count))?;
        let places = std::iter::once(&format.place).chain(&format.args);
        let widths: Vec<u32> = places.map(|place| width_of(row.pieces(*place))).collect();
        match self.texts[format.text].widths == widths {
            true => Ok(()),
            false => Err(format!("its text does not accept values of {widths:?} bits").into()),
        }
    }
}

/// Returns the range of a number type, or `None` if the name belongs to another type.
fn number_range(name: &str) -> Option<std::ops::RangeInclusive<i64>> {
    Some(match name {
        "u8" => 0..=u8::MAX.into(),
        "u16" => 0..=u16::MAX.into(),
        "u32" => 0..=u32::MAX.into(),
        "i8" => i8::MIN.into()..=i8::MAX.into(),
        "i16" => i16::MIN.into()..=i16::MAX.into(),
        "i32" => i32::MIN.into()..=i32::MAX.into(),
        _ => return None,
    })
}

fn operand_text(text: &OperandText) -> Checked {
    let widths = &text.widths;
    match &text.rule {
        _ if widths.is_empty() => Err("`widths` is empty: expected the width of a value".into()),
        TextRule::Parts(parts) => each(parts, "parts", |part| text_part(part, widths)),
        TextRule::List(list) => {
            let bits: u32 = widths.iter().sum();
            match 1usize.checked_shl(bits) == Some(list.len()) {
                true => Ok(()),
                false => {
                    Err(format!("wrong number of texts for {bits} bits: {}", list.len())).at("list")
                }
            }
        }
        TextRule::Unknown => Ok(()),
    }
}

fn text_part(part: &DescribedPart, widths: &[u32]) -> Checked {
    let (bits, key) = match part {
        DescribedPart::Text(_) => return Ok(()),
        DescribedPart::Number(number) => (number.bits, "number"),
        DescribedPart::Float { bits, .. } => (*bits, "float"),
        DescribedPart::Choice { bits, .. } => (*bits, "choice"),
    };
    let Some(width) = widths.get(bits.which) else {
        return Err("expected the index of a value, its lowest bit and a width").at(key);
    };
    match part {
        DescribedPart::Float { .. } if bits.width != 16 || bits.low + 16 > *width => Err(format!(
            "expected 16 bits of a value, found {} at bit {} of {width}",
            bits.width, bits.low
        ))
        .at(key),
        DescribedPart::Choice { of, .. } => each(of, "of", |parts| {
            let mut parts = parts.iter().enumerate();
            parts
                .try_for_each(|(index, part)| text_part(part, widths).at(format_args!("[{index}]")))
        }),
        _ => Ok(()),
    }
}

fn case(case: &ConditionCase, bits: u32) -> Checked {
    patterns(&case.words, "words", bits)?;
    each(&case.when, "when", |function| {
        pieces(&function.pieces, bits)?;
        let (width, listed) = (width_of(&function.pieces), function.values.len());
        // The list contains one bit for each number that the pieces can contain, eight bits in a byte.
        match 1usize.checked_shl(width).map(|count| count.div_ceil(8)) == Some(listed) {
            true => Ok(()),
            false => {
                Err(format!("wrong length of `values` for {width} bits: {listed} bytes").into())
            }
        }
    })
}

/// Checks a part of the printed text of a row with `count` fields and composite operands.
fn print_part(part: &PrintPart, count: usize) -> Checked {
    match part {
        PrintPart::Text(_) => Ok(()),
        PrintPart::Field(place) => index(*place, count),
        PrintPart::Optional(part) => {
            let key = if part.when { "when" } else { "unless" };
            each(&part.values, key, |(place, _)| index(*place, count).at("[0]"))?;
            each(&part.prints, "prints", |part| print_part(part, count))
        }
    }
}
