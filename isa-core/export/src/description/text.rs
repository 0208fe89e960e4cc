//! Prints operands according to the description of a set.

use std::fmt::Write as _;

use isa_core::half2::{LANE_TEXT_MAX, bf16, f16, write_lane};

/// The description of an operand's text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) expects: String,
    pub(crate) widths: Vec<u32>,
    pub(crate) says: Says,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Says {
    List(Vec<String>),
    Parts(Vec<Part>),
    Nothing,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Number(Number),
    Float { bits: Bits, is_bfloat16: bool },
    Choice { bits: Bits, of: Vec<Vec<Part>> },
}

/// Bits of the value if the index is 0, or bits of an argument, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bits {
    pub(crate) which: usize,
    pub(crate) low: u32,
    pub(crate) width: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    pub(crate) bits: Bits,
    pub(crate) signed: bool,
    pub(crate) scale: i128,
    pub(crate) add: i128,
    pub(crate) wrap: u32,
    pub(crate) hex: usize,
}

impl Text {
    /// Returns the text of a value and its arguments.
    pub(crate) fn write(&self, values: &[u64]) -> String {
        match &self.says {
            Says::Parts(parts) => written(parts, values),
            Says::List(list) => {
                let both = values.iter().zip(&self.widths);
                let number =
                    both.fold(0, |number, (value, width)| number << width | *value as usize);
                list.get(number).cloned().unwrap_or_default()
            }
            Says::Nothing => format!("<{:#x}>", values.first().copied().unwrap_or_default()),
        }
    }
}

fn written(parts: &[Part], values: &[u64]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(fixed) => text.push_str(fixed),
            Part::Number(number) => text += &number.write(values),
            Part::Float { bits, is_bfloat16 } => {
                text += &float(bits.of(values) as u16, *is_bfloat16);
            }
            Part::Choice { bits, of } => {
                let number = usize::try_from(bits.of(values)).unwrap_or(usize::MAX);
                text += &written(&of[number.min(of.len() - 1)], values);
            }
        }
    }
    text
}

/// Returns the text of a 16-bit float.
pub(crate) fn float(bits: u16, is_bfloat16: bool) -> String {
    let mut buffer = [0; LANE_TEXT_MAX];
    let len = match is_bfloat16 {
        true => write_lane(bf16::from_bits(bits), &mut buffer),
        false => write_lane(f16::from_bits(bits), &mut buffer),
    };
    String::from_utf8_lossy(&buffer[..len]).into_owned()
}

impl Bits {
    fn of(self, values: &[u64]) -> u64 {
        let value = values.get(self.which).copied().unwrap_or_default();
        let all = u64::MAX.checked_shr(64 - self.width).unwrap_or_default();
        value.checked_shr(self.low).unwrap_or_default() & all
    }
}

impl Number {
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
