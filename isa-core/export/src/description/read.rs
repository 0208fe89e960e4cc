//! Parses JSON into a description. It checks every part, so that other code can rely on the description.

use std::collections::BTreeSet;
use std::str::FromStr;

use isa_core::table::{Piece, insert};
use serde_json::Value as Json;

use super::at::{At, BadDescription, Read, string, truth};
use super::{
    Alias, Bits, Case, Description, Field, Flow, Format, Group, Illegal, Kind, Number, Operand,
    Part, Print, Row, Said, Says, Text, Value, View,
};

/// The names of byte orders, of control flow, and of the parts of a text.
const BYTE_ORDERS: [&str; 3] = ["little_endian", "big_endian", "little_endian_halfwords"];
const FLOWS: [&str; 6] = ["next", "branch", "call", "return", "stop", "trap"];
const PARTS: [&str; 5] = ["modifier", "setting", "mark", "suffix", "optional"];

/// The version of the format that is accepted.
const VERSION: u64 = 2;

impl FromStr for Description {
    type Err = BadDescription;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| BadDescription::new(format!("this is no JSON: {error}")))?;
        let all = At::whole(&json);
        let is_one = json.get("format").and_then(Json::as_str) == Some("define-isa");
        if !is_one {
            return all.error(
                "this is no description of an instruction set: an object with \
                 `\"format\":\"define-isa\"` is, as the command `export json` writes it",
            );
        }
        all.get("version", |at| match at.json.as_u64() {
            Some(VERSION) => Ok(()),
            _ => at.error(format!(
                "this is version {} of the format, and only {VERSION} is read; write the \
                 description anew with the command `export json`",
                at.json
            )),
        })?;
        description(&all)
    }
}

fn description(all: &At<'_>) -> Read<Description> {
    let texts = all.list("texts", text)?;
    let kinds = all.list("kinds", |at| kind(at, &texts))?;
    let widths = all.get("widths", widths)?;
    let known = Known { kinds: &kinds, texts: &texts, widths: &widths };
    let opcodes = all.list("opcodes", |at| row(at, &known, None))?;
    Ok(Description {
        name: all.text_of("name")?,
        doc: all.text_of("doc")?,
        any_case: all.get("any_case", truth)?,
        // Older descriptions do not contain this key.
        byte_order: all
            .find("byte_order", |at| at.one_of(&BYTE_ORDERS))?
            .unwrap_or_else(|| "little_endian".to_owned()),
        address_bits: all.find("address_bits", |at| at.within(8, 64))?.unwrap_or(64),
        groups: all.list("groups", |at| {
            Ok(Group {
                name: at.text_of("name")?,
                doc: at.text_of("doc")?,
                optype: at.get("optype", truth)?,
                parents: at.list("parents", string)?,
            })
        })?,
        opcodes,
        widths,
        kinds,
        texts,
    })
}

/// The items to which rows can refer.
struct Known<'d> {
    kinds: &'d [Kind],
    texts: &'d [Text],
    widths: &'d [u8],
}

/// Parses the widths of words, none of which may be repeated.
fn widths(at: &At<'_>) -> Read<Vec<u8>> {
    let widths = at.all(|at| at.within(1, 128).map(|width| width as u8))?;
    let all: BTreeSet<u8> = widths.iter().copied().collect();
    match widths.len() {
        0 => at.error("`widths` is empty: a set has words of some width"),
        count if count > all.len() => at.error("a width is listed twice"),
        _ => Ok(widths),
    }
}

fn width(at: &At<'_>, most: usize) -> Read<u8> {
    at.number(most).map(|width| width as u8)
}

fn kind(at: &At<'_>, texts: &[Text]) -> Read<Kind> {
    let bits = at.get("width", |at| width(at, 64))?;
    let kind = Kind {
        name: at.text_of("name")?,
        doc: at.text_of("doc")?,
        width: bits,
        values: at.list("values", |at| {
            Ok(Value {
                name: at.text_of("name")?,
                also: at.find("also", |at| at.all(string))?.unwrap_or_default(),
                raw: at.get("raw", |at| at.hex(bits.into()))? as u64,
                doc: at.text_of("doc")?,
            })
        })?,
        reserved: at.list("reserved", |at| at.cube(bits.into()))?,
        text: at.find("text", |at| at.place(texts.len()))?,
        target: at.find("target", truth)?.unwrap_or(false),
    };
    match kind.text.map(|text| &texts[text]) {
        Some(text) if text.widths != [u32::from(bits)] => {
            at.error(format!("its text is of values of {:?} bits", text.widths))
        }
        _ => Ok(kind),
    }
}

fn text(at: &At<'_>) -> Read<Text> {
    let widths = at.list("widths", |at| at.number(64).map(|width| width as u32))?;
    if widths.is_empty() {
        return at.error("`widths` is empty: it has the width of a value");
    }
    let parts = at.find("parts", |at| at.all(|at| part(at, &widths)))?;
    let list = at.find("list", |at| {
        let list = at.all(string)?;
        let bits: u32 = widths.iter().sum();
        match 1usize.checked_shl(bits) == Some(list.len()) {
            true => Ok(list),
            false => at.error(format!("{} texts are not those of {bits} bits", list.len())),
        }
    })?;
    let says = match (parts, list) {
        (Some(parts), _) => Says::Parts(parts),
        (None, Some(list)) => Says::List(list),
        (None, None) => Says::Nothing,
    };
    Ok(Text { expects: at.text_of("expects")?, widths, says })
}

fn part(at: &At<'_>, widths: &[u32]) -> Read<Part> {
    let bits = |at: &At<'_>| bits(at, widths.len());
    if at.json.is_string() {
        return at.text().map(Part::Text);
    }
    if let Some(own) = at.find("number", bits)? {
        return Ok(Part::Number(Number {
            bits: own,
            signed: at.get("signed", truth)?,
            scale: at.get("scale", |at| at.decimal())?,
            add: at.get("add", |at| at.decimal())?,
            wrap: at.get("wrap", |at| at.number(127))? as u32,
            hex: at.get("hex", |at| at.number(32))?,
        }));
    }
    let float = |at: &At<'_>| float_bits(at, widths);
    if let Some(own) = at.find("float", float)? {
        let is_bfloat16 = at.get("format", |at| match at.json.as_str() {
            Some("binary16") => Ok(false),
            Some("bfloat16") => Ok(true),
            _ => at.is_not("`binary16` or `bfloat16`"),
        })?;
        return Ok(Part::Float { bits: own, is_bfloat16 });
    }
    let Some(own) = at.find("choice", bits)? else {
        return at.error("expected a text, `number`, `float` or `choice`");
    };
    let of = at.list("of", |at| at.all(|at| part(at, widths)))?;
    if of.is_empty() {
        return at.error("`of` is empty: there is nothing to choose");
    }
    Ok(Part::Choice { bits: own, of })
}

fn bits(at: &At<'_>, count: usize) -> Read<Bits> {
    let numbers = at.all(|at| at.number(64))?;
    match numbers[..] {
        [which, low, width] if which < count && low + width <= 64 => {
            Ok(Bits { which, low: low as u32, width: width as u32 })
        }
        _ => at.is_not("which value, its lowest bit and a width"),
    }
}

/// Parses the bits of a float, all of which must exist in the value.
fn float_bits(at: &At<'_>, widths: &[u32]) -> Read<Bits> {
    let own = bits(at, widths.len())?;
    match own.width == 16 && own.low + 16 <= widths[own.which] {
        true => Ok(own),
        false => at.error(format!(
            "expected 16 bits of a value, found {} from bit {} on of {}",
            own.width, own.low, widths[own.which]
        )),
    }
}

fn row(at: &At<'_>, known: &Known<'_>, opcode: Option<u8>) -> Read<Row> {
    let own_bits = at.get("bits", |at| width(at, 128))?;
    let known_width = match opcode {
        Some(bits) => own_bits == bits,
        None => known.widths.contains(&own_bits),
    };
    if !known_width {
        return at.error(format!("`bits` is {own_bits}, which is no width of its words"));
    }
    let bits = u32::from(own_bits);
    let fields = at.list("fields", |at| field(at, known, bits))?;
    let views = at.list("views", |at| {
        Ok(View {
            slot: at.text_of("slot")?,
            pieces: at.get("pieces", |at| at.pieces(bits))?,
            format: at.text_of("format")?,
        })
    })?;
    let mut row = Row {
        name: at.text_of("name")?,
        doc: at.text_of("doc")?,
        bits: own_bits,
        fixed: at.get("fixed", |at| at.cube(bits))?,
        unused: at.get("unused", |at| at.hex(bits))?,
        groups: at.list("groups", string)?,
        fields,
        illegal: at.list("illegal", |at| illegal(at, bits))?,
        mnemonic: at.text_of("mnemonic")?,
        syntax: at.text_of("syntax")?,
        operands: at.list("operands", operand)?,
        views,
        flow: at.find("flow", |at| at.all(|at| flow(at, bits)))?.unwrap_or_default(),
        lanes: at.find("lanes", |at| at.all(lanes))?.unwrap_or_default(),
        after: at.find("after", |at| at.all(string))?.unwrap_or_default(),
        formats: Vec::new(),
        prints: Vec::new(),
        examples: at.list("examples", string)?,
        semantics: at.find("semantics", string)?,
        aliases: Vec::new(),
    };
    row.formats = at.list("formats", |at| format(at, known, &row))?;
    row.prints = at.list("prints", |at| print(at, &row))?;
    row.aliases = at.list("aliases", |at| {
        Ok(Alias {
            printed: at.get("printed", truth)?,
            unless: at.get("unless", |at| match at.json {
                Json::Null => Ok(None),
                _ => at.all(|at| at.cube(bits)).map(Some),
            })?,
            after: at.list("after", string)?,
            row: at.get("row", |at| self::row(at, known, Some(own_bits)))?,
        })
    })?;
    Ok(row)
}

fn field(at: &At<'_>, known: &Known<'_>, bits: u32) -> Read<Field> {
    let mut field = Field {
        name: at.text_of("name")?,
        doc: at.text_of("doc")?,
        declared_in: at.text_of("declared_in")?,
        kind: at.get("kind", |at| at.place(known.kinds.len()))?,
        pieces: at.get("pieces", |at| at.pieces(bits))?,
        fixed: None,
        default: None,
        ignored: at.find("ignored", truth)?.unwrap_or_default(),
    };
    let (width, own) = (width_of(&field.pieces), known.kinds[field.kind].width);
    let value = |at: &At<'_>| at.hex(own.into()).map(|raw| raw as u64);
    field.fixed = at.find("fixed", value)?;
    field.default = at.find("default", value)?;
    // If two pieces contained the same bit, the bit could have two values.
    let bits = field.pieces.iter().map(|piece| insert(&[*piece], 0, u64::MAX).count_ones());
    if bits.sum::<u32>() != insert(&field.pieces, 0, u64::MAX).count_ones() {
        return at.error("`pieces` have a bit in common");
    }
    match width == u32::from(own) || field.pieces.is_empty() {
        true => Ok(field),
        false => at.error(format!("it has {width} bits, and its kind has {own}")),
    }
}

fn width_of(pieces: &[Piece]) -> u32 {
    pieces.iter().map(|piece| u32::from(piece.width)).sum()
}

fn cases(at: &At<'_>, bits: u32) -> Read<Vec<Case>> {
    let cases = at.find("cases", |at| {
        at.all(|at| {
            Ok(Case {
                when: at.list("when", |at| said(at, bits))?,
                words: at.list("words", |at| at.cube(bits))?,
            })
        })
    })?;
    Ok(cases.unwrap_or_default())
}

fn flow(at: &At<'_>, bits: u32) -> Read<Flow> {
    Ok(Flow {
        kind: at.get("kind", |at| at.one_of(&FLOWS))?,
        or_next: at.get("or_next", truth)?,
        target: at.find("target", string)?,
        is_indirect: at.find("indirect", truth)?.unwrap_or_default(),
        condition: at.text_of("condition")?,
        words: at.list("words", |at| at.cube(bits))?,
        cases: cases(at, bits)?,
    })
}

/// Parses an operand and its lanes, for example `16 * half_lanes(ra.hsel2)`.
fn lanes(at: &At<'_>) -> Read<(String, String)> {
    let bits = at.get("bits", |at| at.within(1, usize::from(u16::MAX)))?;
    let mask = at.find("mask", string)?.map(|mask| format!(" * {mask}"));
    Ok((at.text_of("field")?, format!("{bits}{}", mask.unwrap_or_default())))
}

fn illegal(at: &At<'_>, bits: u32) -> Read<Illegal> {
    Ok(Illegal {
        class: at.text_of("class")?,
        reason: at.text_of("reason")?,
        condition: at.text_of("condition")?,
        declared_in: at.text_of("declared_in")?,
        words: at.list("words", |at| at.cube(bits))?,
        cases: cases(at, bits)?,
    })
}

fn said(at: &At<'_>, bits: u32) -> Read<Said> {
    let values: Vec<u8> = at.get("values", |at| {
        let text = at.text()?;
        let digits: Option<Vec<u8>> =
            text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        match digits {
            Some(digits) if digits.len().is_multiple_of(2) => {
                Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
            }
            _ => at.is_not("bytes in hexadecimal"),
        }
    })?;
    let pieces = at.get("pieces", |at| at.pieces(bits))?;
    let (width, listed) = (width_of(&pieces), values.len());
    // The list contains one bit for each number that the pieces can contain, eight bits in a byte.
    if 1usize.checked_shl(width).map(|count| count.div_ceil(8)) != Some(listed) {
        return at.error(format!("{listed} bytes of `values` are not those of {width} bits"));
    }
    Ok(Said { function: at.text_of("function")?, pieces, values, is: at.get("is", truth)? })
}

fn operand(at: &At<'_>) -> Read<Operand> {
    Ok(Operand {
        field: at.text_of("field")?,
        access: at.get("access", |at| at.one_of(&["read", "write", "read-write"]))?,
        bits: at.get("bits", |at| at.number(usize::from(u16::MAX)))?,
        format: at.find("format", string)?,
    })
}

fn format(at: &At<'_>, known: &Known<'_>, row: &Row) -> Read<Format> {
    let count = row.fields.len() + row.views.len();
    let format = Format {
        place: at.get("place", |at| at.place(count))?,
        name: at.text_of("name")?,
        text: at.get("text", |at| at.place(known.texts.len()))?,
        args: at.list("args", |at| at.place(count))?,
    };
    let places = std::iter::once(&format.place).chain(&format.args);
    let widths: Vec<u32> = places.map(|place| width_of(row.pieces(*place))).collect();
    match known.texts[format.text].widths == widths {
        true => Ok(format),
        false => at.error(format!("its text is not of values of {widths:?} bits")),
    }
}

fn print(at: &At<'_>, row: &Row) -> Read<Print> {
    let count = row.fields.len() + row.views.len();
    match at.json {
        Json::String(text) => Ok(Print::Text(text.clone())),
        Json::Number(_) => at.place(count).map(Print::Field),
        _ => {
            let values = |at: &At<'_>| at.all(|at| place_and_value(at, count));
            let (when, values) = match at.find("when", values)? {
                Some(all) => (true, all),
                None => (false, at.get("unless", values)?),
            };
            let prints = at.list("prints", |at| print(at, row))?;
            let part = at.get("part", |at| at.one_of(&PARTS))?;
            Ok(Print::Some { part, when, values, prints })
        }
    }
}

/// Parses a pair: the index of a field or composite operand, and a value.
fn place_and_value(at: &At<'_>, count: usize) -> Read<(usize, u64)> {
    let Json::Array(pair) = at.json else { return at.is_not("a place and a value") };
    let [place, value] = &pair[..] else { return at.is_not("a place and a value") };
    let place = At::whole(place).place(count);
    let value = At::whole(value).hex(64);
    match (place, value) {
        (Ok(place), Ok(value)) => Ok((place, value as u64)),
        _ => at.is_not(&format!("a place below {count} and a value in hexadecimal")),
    }
}
