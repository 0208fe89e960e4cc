//! Values of registers and memory as text: in `--set`, in requests, and in output.

use isa_core::machine::{RegisterFiles, StateLocation, number};

use super::machine::Simulator;

/// The initial value of a register or memory location.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) place: StateLocation,
    /// One value for all lanes, or one value for each lane.
    values: Vec<u128>,
}

impl Setting {
    /// Creates a setting with the same value for all lanes.
    pub(crate) fn new(place: StateLocation, value: u128) -> Self {
        Setting { place, values: vec![value] }
    }

    pub(crate) fn value(&self, lane: usize) -> u128 {
        let value = self.values.get(lane).or(self.values.first());
        value.copied().unwrap_or_default()
    }

    /// Parses `R1=0x3c003c00`. If the machine has several lanes, the value may also be a list with one
    /// value for each lane.
    pub(crate) fn parse(machine: &Simulator, text: &str, example: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("a setting is NAME=VALUE, as in {example}"))?;
        let place = machine.files.place(name).map_err(|error| error.to_string())?;
        if machine.lanes > 1 {
            return lanes(machine, place, value).map(|values| Setting { place, values });
        }
        if value == "lane" || value.contains(',') {
            let name = machine.files.name(place);
            return Err(format!("{name}: a value for each lane needs --warp"));
        }
        parse_value(machine.files, place, value).map(|value| Setting::new(place, value))
    }
}

/// Parses the value of a register or memory location.
pub(crate) fn parse_value(
    files: RegisterFiles,
    place: StateLocation,
    text: &str,
) -> Result<u128, String> {
    files.value(place, text).map_err(|reason| format!("{}: {reason}", files.name(place)))
}

/// Parses one value for all lanes, a list with one value for each lane, the word `lane`, or the mask of
/// a flag.
fn lanes(machine: &Simulator, place: StateLocation, text: &str) -> Result<Vec<u128>, String> {
    let Simulator { files, lanes, .. } = *machine;
    let name = files.name(place);
    let wrong = |reason: String| format!("{name}: {reason}");
    let is_common = files.file(place).is_none_or(|file| file.is_common());
    let is_flag = files.is_flag(place);
    let noun = files.file(place).map_or("", |file| file.one());
    match text {
        _ if is_common && (text == "lane" || text.contains(',')) => {
            Err(wrong("this is common to all lanes and takes one value".into()))
        }
        "lane" if is_flag => Err(wrong(format!("a {noun} cannot hold the number of a lane"))),
        "lane" => Ok((0..lanes as u128).collect()),
        _ if text.contains(',') => list(machine, place, text),
        _ if is_flag && text.starts_with("0x") => {
            let mask = number(text, lanes as u32).map_err(|error| wrong(error.to_string()))?;
            Ok((0..lanes).map(|lane| mask >> lane & 1).collect())
        }
        _ => match parse_value(files, place, text) {
            Ok(value) => Ok(vec![value]),
            Err(reason) if is_flag => {
                Err(format!("{reason}, and no mask such as {}", mask(lanes, sample_mask(lanes))))
            }
            Err(reason) => Err(reason),
        },
    }
}

/// Parses a list with one value for each lane.
fn list(machine: &Simulator, place: StateLocation, text: &str) -> Result<Vec<u128>, String> {
    let Simulator { files, lanes, .. } = *machine;
    let name = files.name(place);
    let texts = text.split(',').map(str::trim).enumerate();
    let read = |(lane, text)| {
        files.value(place, text).map_err(|reason| format!("{name}, lane {lane}: {reason}"))
    };
    let values: Vec<u128> = texts.map(read).collect::<Result<_, _>>()?;
    let count = values.len();
    match count == lanes {
        true => Ok(values),
        false => {
            Err(format!("{name}: these are {count} values; give one for all lanes, or {lanes}"))
        }
    }
}

/// Formats a mask with one bit for each lane, if there are several lanes.
pub(crate) fn mask(lanes: usize, mask: u128) -> String {
    format!("0x{mask:0digits$x}", digits = lanes.div_ceil(4))
}

/// Returns an example mask for messages, which contains the lower half of the lanes.
pub(crate) fn sample_mask(lanes: usize) -> u128 {
    !u128::MAX.unbounded_shl(lanes as u32 / 2)
}

/// Parses a 64-bit address, hexadecimal with `0x` or decimal.
pub(crate) fn address(text: &str) -> Result<u64, String> {
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
