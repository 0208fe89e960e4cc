//! Names of places in a machine, `R1`, `UR4`, `P0`, `c[0x0][0x160]`, and what they hold.

use core::fmt;

use super::suggest;

/// The bytes that a bank of constant memory has at most.
const BANK_SIZE: u32 = 1 << 17;

/// A place in a machine that has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Location {
    /// A general register.
    Reg(u8),
    /// A uniform register.
    UniformReg(u8),
    /// A predicate.
    Pred(u8),
    /// A word of constant memory.
    Const {
        /// The bank.
        bank: u8,
        /// The offset in bytes.
        offset: u32,
    },
}

impl Location {
    /// Reads a name.
    pub(super) fn parse(name: &str) -> Result<Location, String> {
        Location::find(name).unwrap_or_else(|| Err(unknown(name)))
    }

    /// Reads a name; `None` for one that is of no known form.
    fn find(name: &str) -> Option<Result<Location, String>> {
        match name {
            "RZ" | "URZ" => return Some(Err(format!("{name} is always 0 and cannot be set"))),
            "PT" => return Some(Err("PT is always true and cannot be set".into())),
            _ => {}
        }
        if let Some(rest) = name.strip_prefix("c[") {
            return Some(constant(rest).map_err(|reason| format!("`{name}`: {reason}")));
        }
        let files = [
            ("UR", 63, Location::UniformReg as fn(u8) -> Location),
            ("R", 255, Location::Reg),
            ("P", 7, Location::Pred),
        ];
        files.into_iter().find_map(|(prefix, count, make)| {
            let number = name.strip_prefix(prefix).and_then(digits)?;
            Some(match u8::try_from(number) {
                Ok(number) if number < count => Ok(make(number)),
                _ => Err(format!(
                    "there is no `{name}`: {prefix}0 to {prefix}{} can be set",
                    count - 1
                )),
            })
        })
    }

    /// Reads the text of a value for this place.
    pub(super) fn parse_value(self, text: &str) -> Result<Value, String> {
        self.value(text).map_err(|reason| format!("{self}: {reason}"))
    }

    /// Reads the text of a value for this place; the message does not name the place.
    pub(super) fn value(self, text: &str) -> Result<Value, String> {
        match self {
            Location::Pred(_) => truth(text).map(Value::Truth),
            _ => word(text).map(Value::Word),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Reg(number) => write!(f, "R{number}"),
            Location::UniformReg(number) => write!(f, "UR{number}"),
            Location::Pred(number) => write!(f, "P{number}"),
            Location::Const { bank, offset } => write!(f, "c[{bank:#x}][{offset:#x}]"),
        }
    }
}

/// What a place holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// 32 bits.
    Word(u32),
    /// The bit of a predicate.
    Truth(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => write!(f, "{word:#010x}"),
            Value::Truth(truth) => write!(f, "{truth}"),
        }
    }
}

/// The number of a register: digits without leading zeros.
fn digits(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if text.is_empty() || !plain || padded {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

/// The rest of `c[BANK][OFFSET]`.
fn constant(rest: &str) -> Result<Location, String> {
    let parts = rest.strip_suffix(']').and_then(|inner| inner.split_once("]["));
    let Some((bank, offset)) = parts else {
        return Err("constant memory is written c[BANK][OFFSET], as in c[0x0][0x160]".into());
    };
    let bank = word(bank).map_err(|reason| format!("bank: {reason}"))?;
    let offset = word(offset).map_err(|reason| format!("offset: {reason}"))?;
    match u8::try_from(bank) {
        Ok(bank) if bank < 32 && offset < BANK_SIZE && offset % 4 == 0 => {
            Ok(Location::Const { bank, offset })
        }
        Ok(bank) if bank < 32 && offset < BANK_SIZE => {
            Err(format!("offset {offset:#x} is not a multiple of 4"))
        }
        Ok(bank) if bank < 32 => {
            Err(format!("offset {offset:#x} is too large: a bank ends at {BANK_SIZE:#x}"))
        }
        _ => Err(format!("there is no bank {bank}: banks are 0 to 31")),
    }
}

fn unknown(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    let lower = name.to_ascii_lowercase();
    let hint = [upper, lower]
        .iter()
        .find(|other| matches!(Location::find(other), Some(Ok(_))))
        .map(|other| format!("; did you mean `{other}`?"))
        .unwrap_or_default();
    format!(
        "`{name}` is no place in the machine{hint} \
         (places are R0 to R254, UR0 to UR62, P0 to P6, c[0x0][0x160])"
    )
}

/// An address of 64 bits in hexadecimal with `0x`, or in decimal.
pub(super) fn address(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (radix, digits) = hex.map_or((10, text), |digits| (16, digits));
    match u64::from_str_radix(digits, radix) {
        Ok(address) if !digits.starts_with('+') => Ok(address),
        _ if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)) => {
            Err(format!("`{text}` does not fit in 64 bits"))
        }
        _ if u64::from_str_radix(digits, 16).is_ok() => {
            Err(format!("`{text}` is no number; did you mean `0x{text}`?"))
        }
        _ => Err(format!("`{text}` is no number, hexadecimal with 0x or decimal")),
    }
}

/// 32 bits in hexadecimal with `0x`, or in decimal.
pub(super) fn word(text: &str) -> Result<u32, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (radix, digits) = hex.map_or((10, text), |digits| (16, digits));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        let negative = digits.strip_prefix('-').is_some_and(|rest| rest.parse::<u64>().is_ok());
        return Err(match (negative, u64::from_str_radix(digits, 16)) {
            (true, _) => format!("`{text}` is out of range: 0 to 0xffffffff"),
            (false, Ok(_)) => format!("`{text}` is no number; did you mean `0x{text}`?"),
            (false, Err(_)) => format!("`{text}` is no number, hexadecimal with 0x or decimal"),
        });
    }
    u32::from_str_radix(digits, radix)
        .map_err(|_| format!("`{text}` does not fit in 32 bits: 0 to 0xffffffff"))
}

/// One bit in words or as a digit.
fn truth(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let hint = suggest::hint(text, ["true", "false"]);
            Err(format!("`{text}` is none of true, false, 1, 0{hint}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_print() {
        for name in ["R0", "R254", "UR62", "P6", "c[0x0][0x160]", "c[0x1f][0x1fffc]"] {
            let location = Location::parse(name).map(|location| location.to_string());
            assert_eq!(location.as_deref(), Ok(name));
        }
        let decimal = Location::Const { bank: 3, offset: 352 };
        assert_eq!(Location::parse("c[3][352]"), Ok(decimal));
    }

    #[test]
    fn wrong_names_are_explained() {
        for (name, part) in [
            ("RZ", "always 0"),
            ("PT", "always true"),
            ("R255", "R0 to R254"),
            ("R99999999999999999999999", "R0 to R254"),
            ("UR63", "UR0 to UR62"),
            ("P7", "P0 to P6"),
            ("r1", "did you mean `R1`?"),
            ("ur1", "did you mean `UR1`?"),
            ("C[0][4]", "did you mean `c[0][4]`?"),
            ("R01", "no place"),
            ("", "no place"),
            ("c[0]", "c[BANK][OFFSET]"),
            ("c[32][0]", "banks are 0 to 31"),
            ("c[0][2]", "multiple of 4"),
            ("c[0][0x20000]", "too large"),
            ("c[0][x]", "offset: `x` is no number"),
        ] {
            let error = Location::parse(name).err().unwrap_or_default();
            assert!(error.contains(part), "{name}: {error}");
        }
    }

    #[test]
    fn values_keep_their_range() {
        assert_eq!(word("0xffffffff"), Ok(u32::MAX));
        assert_eq!(word("4294967295"), Ok(u32::MAX));
        for text in ["0x100000000", "4294967296", "-1", "", "0x", "+1", "1e3", "3c00", "é"] {
            assert!(word(text).is_err(), "{text}");
        }
        assert!(word("3c00").is_err_and(|error| error.contains("`0x3c00`")));
        let pred = Location::Pred(0);
        assert_eq!(pred.parse_value("1"), Ok(Value::Truth(true)));
        assert!(pred.parse_value("TRUE").is_err_and(|error| error.contains("`true`")));
        assert!(Location::Reg(0).parse_value("true").is_err());
    }
}
