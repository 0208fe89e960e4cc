//! The assembly syntax of operands in a description, and texts that are printed by it.

use std::fmt::Write as _;

use isa_half::{LANE_BUFFER, bf16, f16, write_lane};
use serde::Deserialize;

use super::error::missing;
use super::parse::{Decimal, Limited, PartJson, present};

/// The assembly syntax of an operand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "OperandTextKeys")]
pub struct OperandText {
    /// The expected text in words, for messages.
    pub expects: String,
    /// The widths of the value and of its arguments in bits.
    pub widths: Vec<u32>,
    /// The rule by which values are printed.
    pub rule: TextRule,
}

/// The rule by which the values of an operand are printed.
#[derive(Debug, Clone, PartialEq)]
pub enum TextRule {
    /// The texts of all values in order. The index consists of the bits of the value, followed by the
    /// bits of the arguments.
    List(Vec<String>),
    /// Parts that are printed one after the other.
    Parts(Vec<DescribedPart>),
    /// The description does not contain the texts.
    Unknown,
}

/// The keys of an [`OperandText`].
#[derive(Deserialize)]
struct OperandTextKeys {
    expects: String,
    widths: Vec<Limited<0, 64>>,
    #[serde(default, deserialize_with = "present")]
    list: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present")]
    parts: Option<Vec<DescribedPart>>,
}

impl From<OperandTextKeys> for OperandText {
    fn from(OperandTextKeys { expects, widths, list, parts }: OperandTextKeys) -> Self {
        let rule = match (parts, list) {
            (Some(parts), _) => TextRule::Parts(parts),
            (None, Some(list)) => TextRule::List(list),
            (None, None) => TextRule::Unknown,
        };
        OperandText { expects, widths: widths.into_iter().map(Limited::get).collect(), rule }
    }
}

/// A part of a printed operand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "PartJson<TextPartKeys>")]
pub enum DescribedPart {
    /// A constant text.
    Text(String),
    /// A number.
    Number(NumberText),
    /// A 16-bit float.
    Float {
        /// Its bits.
        bits: ArgumentBits,
        /// Whether its format is `bfloat16` instead of `binary16`.
        is_bfloat16: bool,
    },
    /// Parts that are selected by the value of some bits.
    Choice {
        /// The bits.
        bits: ArgumentBits,
        /// The parts for each value. Higher values select the last element.
        of: Vec<Vec<DescribedPart>>,
    },
}

/// Bits of the value or of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "[Limited<0, 64>; 3]")]
pub struct ArgumentBits {
    /// 0 for the value, or the index of an argument, counted from 1.
    pub which: usize,
    /// The lowest bit.
    pub low: u32,
    /// The number of bits.
    pub width: u32,
}

/// A number in some bits.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberText {
    /// The bits.
    pub bits: ArgumentBits,
    /// Whether the highest bit is a sign.
    pub signed: bool,
    /// The number by which the bits are multiplied.
    pub scale: i128,
    /// The number that is added to the product.
    pub add: i128,
    /// The width of the result in two's complement, or 0 if the result is used as it is.
    pub wrap: u32,
    /// The minimum number of hexadecimal digits, or 0 for a decimal number.
    pub hex: usize,
}

impl TryFrom<[Limited<0, 64>; 3]> for ArgumentBits {
    type Error = &'static str;

    fn try_from([which, low, width]: [Limited<0, 64>; 3]) -> Result<Self, Self::Error> {
        let bits = ArgumentBits { which: which.get(), low: low.get(), width: width.get() };
        match bits.low + bits.width {
            ..=64 => Ok(bits),
            _ => Err("expected the index of a value, its lowest bit and a width"),
        }
    }
}

/// The keys of a [`DescribedPart`] that is an object.
#[derive(Deserialize)]
struct TextPartKeys {
    number: Option<ArgumentBits>,
    signed: Option<bool>,
    scale: Option<Decimal>,
    add: Option<Decimal>,
    wrap: Option<Limited<0, 127>>,
    hex: Option<Limited<0, 32>>,
    float: Option<ArgumentBits>,
    format: Option<FloatFormat>,
    choice: Option<ArgumentBits>,
    of: Option<Vec<Vec<DescribedPart>>>,
}

/// The format of a float.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FloatFormat {
    Binary16,
    Bfloat16,
}

impl TryFrom<PartJson<TextPartKeys>> for DescribedPart {
    type Error = String;

    fn try_from(json: PartJson<TextPartKeys>) -> Result<Self, Self::Error> {
        let kinds = "expected a string, `number`, `float` or `choice`";
        let keys = match json {
            PartJson::Text(text) => return Ok(DescribedPart::Text(text)),
            PartJson::Index(_) => return Err(kinds.to_owned()),
            PartJson::Object(keys) => keys,
        };
        if let Some(bits) = keys.number {
            return Ok(DescribedPart::Number(NumberText {
                bits,
                signed: required(keys.signed, "signed")?,
                scale: required(keys.scale, "scale")?.0,
                add: required(keys.add, "add")?.0,
                wrap: required(keys.wrap, "wrap")?.get(),
                hex: required(keys.hex, "hex")?.get(),
            }));
        }
        if let Some(bits) = keys.float {
            let is_bfloat16 = required(keys.format, "format")? == FloatFormat::Bfloat16;
            return Ok(DescribedPart::Float { bits, is_bfloat16 });
        }
        let bits = keys.choice.ok_or(kinds)?;
        let of = required(keys.of, "of")?;
        match of.is_empty() {
            true => Err("`of` is empty: expected at least one choice".to_owned()),
            false => Ok(DescribedPart::Choice { bits, of }),
        }
    }
}

fn required<T>(value: Option<T>, key: &str) -> Result<T, String> {
    value.ok_or_else(|| missing(key))
}

impl OperandText {
    /// Returns the text of a value and its arguments.
    pub(crate) fn write(&self, values: &[u64]) -> String {
        match &self.rule {
            TextRule::Parts(parts) => written(parts, values),
            TextRule::List(list) => {
                let both = values.iter().zip(&self.widths);
                let number =
                    both.fold(0, |number, (value, width)| number << width | *value as usize);
                list.get(number).cloned().unwrap_or_default()
            }
            TextRule::Unknown => format!("<{:#x}>", values.first().copied().unwrap_or_default()),
        }
    }
}

fn written(parts: &[DescribedPart], values: &[u64]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            DescribedPart::Text(fixed) => text.push_str(fixed),
            DescribedPart::Number(number) => text += &number.write(values),
            DescribedPart::Float { bits, is_bfloat16 } => {
                text += &float(bits.of(values) as u16, *is_bfloat16);
            }
            DescribedPart::Choice { bits, of } => {
                let number = usize::try_from(bits.of(values)).unwrap_or(usize::MAX);
                text += &written(&of[number.min(of.len() - 1)], values);
            }
        }
    }
    text
}

/// Returns the text of a 16-bit float.
pub(crate) fn float(bits: u16, is_bfloat16: bool) -> String {
    let mut buffer = [0; LANE_BUFFER];
    let len = match is_bfloat16 {
        true => write_lane(bf16::from_bits(bits), &mut buffer),
        false => write_lane(f16::from_bits(bits), &mut buffer),
    };
    String::from_utf8_lossy(&buffer[..len]).into_owned()
}

impl ArgumentBits {
    fn of(self, values: &[u64]) -> u64 {
        let value = values.get(self.which).copied().unwrap_or_default();
        let all = u64::MAX.checked_shr(64 - self.width).unwrap_or_default();
        value.checked_shr(self.low).unwrap_or_default() & all
    }
}

impl NumberText {
    fn write(&self, values: &[u64]) -> String {
        let mut text = String::new();
        let value = self.value(self.bits.of(values));
        let _ = match self.hex {
            0 => write!(text, "{value}"),
            digits => write!(text, "{value:0digits$x}"),
        };
        text
    }

    /// Returns the number that `bits` represent.
    pub(crate) fn value(&self, bits: u64) -> i128 {
        let signed = |value: i128, width: u32| {
            let unused = 128 - width;
            value << unused >> unused
        };
        let value = i128::from(bits);
        let value =
            if self.signed && self.bits.width > 0 { signed(value, self.bits.width) } else { value };
        let value = value.wrapping_mul(self.scale).wrapping_add(self.add);
        if self.wrap > 0 { signed(value, self.wrap) } else { value }
    }
}
