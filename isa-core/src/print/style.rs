//! Prints values in a style that is not the default.

use crate::operand::{Numeral, NumeralBits, Text, TextPart};
use crate::table::Opcode;
use crate::text::{Line, Style};

impl Style {
    /// Appends a value that `text` prints in an instruction of an opcode at an address, if the
    /// style prints it differently. Returns whether it does.
    #[cold]
    pub(crate) fn write(
        self,
        text: &'static Text,
        value: (u64, &[u64]),
        (opcode, address): (&Opcode, u64),
        line: &mut Line,
    ) -> bool {
        let start = line.as_bytes().len();
        if let Some(target) = text.target.filter(|_| self.addresses) {
            let found = opcode.within(target(value.0, address));
            // A target that does not depend on the address may already be printed as an address.
            let is_absolute = target(value.0, !address) == target(value.0, address);
            (text.write)(value.0, value.1, line);
            if !is_absolute || !shows(line.as_bytes().get(start..).unwrap_or_default(), found) {
                line.set_len(start);
                line.push_str(notation(text.parts).unwrap_or("0x"));
                line.push_hex(found.into(), 1);
            }
            return true;
        }
        let is_written =
            self.hexadecimal && !text.parts.is_empty() && write(text.parts, value, line);
        if !is_written {
            line.set_len(start);
        }
        is_written
    }
}

/// Returns the number in some bits.
fn number(bits: NumeralBits, (raw, args): (u64, &[u64])) -> u64 {
    let from = bits.arg.map_or(raw, |arg| args.get(usize::from(arg)).copied().unwrap_or_default());
    from.unbounded_shr(bits.low.into()) & !u64::MAX.unbounded_shl(bits.width.into())
}

/// Returns whether a text ends with an address in hexadecimal or decimal digits.
fn shows(text: &[u8], address: u64) -> bool {
    let count = text.iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let digits = text.get(text.len() - count..).unwrap_or_default();
    let is_number = |radix: u32| {
        let number = digits.iter().try_fold(0u64, |number, &digit| {
            let digit = char::from(digit).to_digit(radix)?;
            number.checked_mul(radix.into())?.checked_add(digit.into())
        });
        count > 0 && number == Some(address)
    };
    is_number(16) || is_number(10)
}

/// Returns the prefix of hexadecimal numbers in some parts, without a sign.
fn notation(parts: &'static [TextPart]) -> Option<&'static str> {
    let own = parts.windows(2).find_map(|pair| match pair {
        [TextPart::Text(text), TextPart::Number(Numeral { hex: 1.., .. })] => {
            Some(text.trim_start_matches(['-', '+', '.']))
        }
        _ => None,
    });
    own.or_else(|| {
        parts.iter().find_map(|part| match part {
            TextPart::Choice { of, .. } => of.iter().find_map(|parts| notation(parts)),
            _ => None,
        })
    })
}

fn write(parts: &[TextPart], value: (u64, &[u64]), line: &mut Line) -> bool {
    parts.iter().all(|part| match part {
        TextPart::Text(text) => {
            line.push_str(text);
            true
        }
        // A digit that belongs to a name is not a number.
        TextPart::Number(numeral) => {
            let is_name = line.as_bytes().last().is_some_and(u8::is_ascii_alphanumeric);
            if !is_name {
                write_number(numeral, value, line);
            }
            !is_name
        }
        TextPart::Choice { bits, of } => {
            let place = usize::try_from(number(*bits, value)).unwrap_or(usize::MAX);
            let chosen = of.get(place).or(of.last());
            chosen.is_some_and(|parts| write(parts, value, line))
        }
        TextPart::Float { .. } => false,
    })
}

fn write_number(numeral: &Numeral, value: (u64, &[u64]), line: &mut Line) {
    let Numeral { bits, signed, scale, add, wrap, hex } = *numeral;
    let signed_in = |number: i128, width: u8| {
        let unused = 128 - u32::from(width.clamp(1, 128));
        number << unused >> unused
    };
    let mut sum = i128::from(number(bits, value));
    if signed {
        sum = signed_in(sum, bits.width);
    }
    sum = sum * i128::from(scale) + i128::from(add);
    if wrap > 0 {
        sum = signed_in(sum, wrap);
    }
    if hex == 0 {
        line.push_str(if sum < 0 { "-0x" } else { "0x" });
        line.push_hex(sum.unsigned_abs(), 1);
    } else {
        line.push_hex(sum.unsigned_abs(), hex.into());
    }
}

#[cfg(test)]
mod tests {
    use super::shows;

    #[test]
    fn an_address_is_shown_by_the_digits_at_the_end() {
        for (text, address) in
            [("0x1f", 0x1f), ("$ff", 0xff), ("#10", 10), ("10", 0x10), ("0x0", 0)]
        {
            assert!(shows(text.as_bytes(), address), "{text}");
        }
        let beyond = "10000000000000000";
        for (text, address) in [("zero", 0), ("", 0), ("0xc10", 10), (beyond, 0), ("0x1f", 0x1e)] {
            assert!(!shows(text.as_bytes(), address), "{text}");
        }
    }
}
