//! Parses JSON into a description. Types and ranges of values are checked here, and references to other
//! values in [`validate`](super::validate).

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use isa_core::table::{Cube, Piece};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::error::{AtPath, DescriptionError, expected, missing};
use super::{Description, OptionalPart, PrintPart};

/// The version of the format that is accepted.
const VERSION: u64 = 2;

impl FromStr for Description {
    type Err = DescriptionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let json: Value = serde_json::from_str(text)?;
        if json.get("format").and_then(Value::as_str) != Some("define-isa") {
            return Err("not a description of an instruction set: expected an object with \
                        `\"format\":\"define-isa\"`, as the command `export json` writes it"
                .into());
        }
        let version = json.get("version").ok_or_else(|| missing("version"))?;
        if version.as_u64() != Some(VERSION) {
            let message = format!(
                "unsupported version of the format: expected {VERSION}, found {version}; write the \
                 description again with the command `export json`"
            );
            return Err(message).at("version");
        }
        let description: Description = serde_path_to_error::deserialize(&json)?;
        description.validate()?;
        Ok(description)
    }
}

/// Parses the value of an optional key, which must not be null.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A number from `LEAST` to `MOST`.
pub(super) struct Limited<const LEAST: u64, const MOST: u64>(u64);

impl<const LEAST: u64, const MOST: u64> Limited<LEAST, MOST> {
    pub(super) fn get<T: TryFrom<u64> + Default>(self) -> T {
        // The caller's type contains all numbers up to `MOST`.
        T::try_from(self.0).unwrap_or_default()
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Limited<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Value::deserialize(deserializer)?;
        match json.as_u64().filter(|number| (LEAST..=MOST).contains(number)) {
            Some(number) => Ok(Limited(number)),
            None => Err(wrong(&format!("a number from {LEAST} to {MOST}"), &json)),
        }
    }
}

fn wrong<E: Error>(meant: &str, found: &Value) -> E {
    E::custom(expected(meant, found))
}

/// Parses a number from `LEAST` to `MOST`.
pub(super) fn number<'de, const LEAST: u64, const MOST: u64, D, T>(d: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64> + Default,
{
    Limited::<LEAST, MOST>::deserialize(d).map(Limited::get)
}

/// Parses the widths of words, none of which may be repeated.
pub(super) fn widths<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
    let widths: Vec<Limited<1, 128>> = Vec::deserialize(d)?;
    let widths: Vec<u8> = widths.into_iter().map(Limited::get).collect();
    let all: BTreeSet<u8> = widths.iter().copied().collect();
    match widths.len() {
        0 => Err(Error::custom("`widths` is empty: expected at least one width")),
        count if count > all.len() => Err(Error::custom("duplicate width")),
        _ => Ok(widths),
    }
}

/// A hexadecimal number in a string.
pub(super) struct Hex<const BITS: u32>(pub(super) u128);

impl<'de, const BITS: u32> Deserialize<'de> for Hex<BITS> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let json = Value::deserialize(d)?;
        let digits = json.as_str().and_then(|text| text.strip_prefix("0x"));
        let digits = digits.filter(|digits| !digits.starts_with('+'));
        let number = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        let number = number.filter(|number| number.checked_shr(BITS).unwrap_or(0) == 0);
        number.map(Hex).ok_or_else(|| wrong(&hex_of(BITS), &json))
    }
}

/// Returns the description of a hexadecimal number of at most `bits` bits, for messages.
pub(super) fn hex_of(bits: u32) -> String {
    format!("a string of at most {bits} bits, such as `\"0x1f\"`")
}

pub(super) fn hex<'de, D: Deserializer<'de>>(d: D) -> Result<u128, D::Error> {
    Hex::<128>::deserialize(d).map(|Hex(number)| number)
}

pub(super) fn hex64<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    Hex::<64>::deserialize(d).map(|Hex(number)| number as u64)
}

pub(super) fn present_hex64<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
    hex64(d).map(Some)
}

/// A whole number in a string.
pub(super) struct Decimal(pub(super) i128);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let json = Value::deserialize(d)?;
        // Unlike `parse`, the format does not allow a plus sign.
        let text = json.as_str().filter(|text| !text.starts_with('+'));
        let number = text.and_then(|text| text.parse::<i64>().ok());
        let number =
            number.ok_or_else(|| wrong("a string with an integer, such as `\"-1\"`", &json))?;
        Ok(Decimal(number.into()))
    }
}

/// A mask and the value of the bits under it.
#[derive(Deserialize)]
#[serde(try_from = "[Hex<128>; 2]")]
struct PatternJson(Cube);

impl TryFrom<[Hex<128>; 2]> for PatternJson {
    type Error = &'static str;

    fn try_from([Hex(mask), Hex(value)]: [Hex<128>; 2]) -> Result<Self, Self::Error> {
        match value & !mask {
            0 => Ok(PatternJson(Cube { mask, value })),
            _ => Err("the value contains bits that are not in the mask"),
        }
    }
}

pub(super) fn pattern<'de, D: Deserializer<'de>>(d: D) -> Result<Cube, D::Error> {
    PatternJson::deserialize(d).map(|PatternJson(cube)| cube)
}

pub(super) fn patterns<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Cube>, D::Error> {
    let all: Vec<PatternJson> = Vec::deserialize(d)?;
    Ok(all.into_iter().map(|PatternJson(cube)| cube).collect())
}

/// Parses patterns or null. The key must exist.
pub(super) fn unless<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<Cube>>, D::Error> {
    let all: Option<Vec<PatternJson>> = Option::deserialize(d)?;
    Ok(all.map(|all| all.into_iter().map(|PatternJson(cube)| cube).collect()))
}

/// The lowest bit of a piece, and its width.
#[derive(Deserialize)]
#[serde(try_from = "[Limited<0, 127>; 2]")]
struct PieceJson(Piece);

impl TryFrom<[Limited<0, 127>; 2]> for PieceJson {
    type Error = &'static str;

    fn try_from([position, width]: [Limited<0, 127>; 2]) -> Result<Self, Self::Error> {
        match (position.0, width.0) {
            (position, width @ 1..=64) if position + width <= 128 => {
                Ok(PieceJson(Piece { position: position as u8, width: width as u8 }))
            }
            _ => Err("expected the lowest bit and the width of a piece of 128 bits"),
        }
    }
}

/// Parses the pieces of a value, which has at most 64 bits.
pub(super) fn pieces<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Piece>, D::Error> {
    let all: Vec<PieceJson> = Vec::deserialize(d)?;
    let pieces: Vec<Piece> = all.into_iter().map(|PieceJson(piece)| piece).collect();
    match width_of(&pieces) {
        ..=64 => Ok(pieces),
        _ => Err(Error::custom("too many bits in a value: expected at most 64")),
    }
}

/// Returns the number of bits of pieces.
pub(super) fn width_of(pieces: &[Piece]) -> u32 {
    pieces.iter().map(|piece| u32::from(piece.width)).sum()
}

/// Parses bytes in hexadecimal.
pub(super) fn bytes<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
    let json = Value::deserialize(d)?;
    let digit = |c: char| c.to_digit(16).map(|digit| digit as u8);
    let digits: Option<Vec<u8>> = json.as_str().and_then(|text| text.chars().map(digit).collect());
    match digits {
        Some(digits) if digits.len().is_multiple_of(2) => {
            Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
        }
        _ => Err(wrong("bytes in hexadecimal", &json)),
    }
}

/// Parses a string that is one of `known`.
fn one_of<'de, D: Deserializer<'de>>(d: D, known: &[&str]) -> Result<String, D::Error> {
    match Value::deserialize(d)? {
        Value::String(text) if known.contains(&text.as_str()) => Ok(text),
        json => Err(wrong(&format!("one of `{}`", known.join("`, `")), &json)),
    }
}

pub(super) fn byte_order<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    one_of(d, &["little_endian", "big_endian", "little_endian_halfwords"])
}

/// Returns the byte order of a description that does not specify it.
pub(super) fn little_endian() -> String {
    "little_endian".to_owned()
}

pub(super) fn flow_kind<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    one_of(d, &["next", "branch", "call", "return", "stop", "trap"])
}

pub(super) fn access<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    one_of(d, &["read", "write", "read-write"])
}

fn part_kind<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    one_of(d, &["modifier", "setting", "mark", "suffix", "optional"])
}

/// A part of a text: a string, an index, or an object with the keys of `K`.
pub(super) enum PartJson<K> {
    Text(String),
    Index(usize),
    Object(K),
}

impl<'de, K: Deserialize<'de>> Deserialize<'de> for PartJson<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor(PhantomData))
    }
}

struct PartVisitor<K>(PhantomData<K>);

impl<'de, K: Deserialize<'de>> Visitor<'de> for PartVisitor<K> {
    type Value = PartJson<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number or an object")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(PartJson::Text(text.to_owned()))
    }

    fn visit_u64<E>(self, index: u64) -> Result<Self::Value, E> {
        Ok(PartJson::Index(usize::try_from(index).unwrap_or(usize::MAX)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        K::deserialize(MapAccessDeserializer::new(map)).map(PartJson::Object)
    }
}

/// The keys of an [`OptionalPart`].
#[derive(Deserialize)]
struct OptionalPartKeys {
    #[serde(deserialize_with = "part_kind")]
    part: String,
    #[serde(default, deserialize_with = "present")]
    when: Option<Vec<(usize, Hex<64>)>>,
    #[serde(default, deserialize_with = "present")]
    unless: Option<Vec<(usize, Hex<64>)>>,
    prints: Vec<PrintPart>,
}

impl<'de> Deserialize<'de> for PrintPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let OptionalPartKeys { part, when, unless, prints } =
            match PartJson::deserialize(deserializer)? {
                PartJson::Text(text) => return Ok(PrintPart::Text(text)),
                PartJson::Index(index) => return Ok(PrintPart::Field(index)),
                PartJson::Object(keys) => keys,
            };
        let (when, values) = match (when, unless) {
            (Some(values), _) => (true, values),
            (None, values) => (false, values.ok_or_else(|| Error::custom(missing("unless")))?),
        };
        let values = values.into_iter().map(|(index, Hex(raw))| (index, raw as u64)).collect();
        Ok(PrintPart::Optional(OptionalPart { part, when, values, prints }))
    }
}
