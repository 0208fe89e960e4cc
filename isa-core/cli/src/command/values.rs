//! The values of arguments that several commands share.

use std::ffi::OsString;

use clap::ArgMatches;

use crate::CommandError;
use crate::console::{DiagnosticStyle, color_choice};
use crate::input::words::WordFormat;

/// Returns the value of an option with text.
pub(crate) fn text<'m>(matches: &'m ArgMatches, name: &str) -> Option<&'m str> {
    matches.try_get_one::<String>(name).ok().flatten().map(String::as_str)
}

/// Returns all values of an option that may appear several times.
pub(crate) fn texts(matches: &ArgMatches, name: &str) -> Vec<String> {
    let values = matches.try_get_many::<String>(name).ok().flatten();
    values.into_iter().flatten().cloned().collect()
}

/// Returns the value of an option with a path.
pub(crate) fn path(matches: &ArgMatches, name: &str) -> Option<OsString> {
    matches.try_get_one::<OsString>(name).ok().flatten().cloned()
}

/// Returns whether a flag is given. Not every tool defines the flag.
pub(crate) fn is_set(matches: &ArgMatches, name: &str) -> bool {
    matches.try_get_one::<bool>(name).ok().flatten() == Some(&true)
}

/// Parses an option with a number.
pub(crate) fn number(matches: &ArgMatches, name: &str) -> Result<Option<u64>, CommandError> {
    let wrong = |text| {
        CommandError::Usage(format!(
            "invalid value for --{name}: expected a number, found `{text}`"
        ))
    };
    text(matches, name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
}

/// Returns the value of `--from`, the format of words.
pub(crate) fn word_format(matches: &ArgMatches) -> WordFormat {
    match text(matches, "from") {
        Some("bin") => WordFormat::Bin,
        Some("listing") => WordFormat::Listing,
        Some("elf") => WordFormat::Elf,
        Some(_) => WordFormat::Hex,
        None => WordFormat::Text,
    }
}

/// Parses the value of `--start-address`.
pub(crate) fn start_address(matches: &ArgMatches) -> Result<Option<u64>, CommandError> {
    let start = text(matches, "start-address").map(|text| {
        address(text).map_err(|reason| CommandError::Usage(format!("--start-address: {reason}")))
    });
    start.transpose()
}

/// Parses the options for diagnostics.
pub(crate) fn diagnostic_style(matches: &ArgMatches) -> Result<DiagnosticStyle, CommandError> {
    let mut style = DiagnosticStyle {
        color: text(matches, "color").and_then(color_choice),
        ..DiagnosticStyle::default()
    };
    style.json = is_set(matches, "json");
    if let Some(limit) = text(matches, "error-limit") {
        let number = limit.parse().map_err(|_| {
            CommandError::Usage(format!(
                "invalid value for --error-limit: expected a number, or 0 for all errors, found `{limit}`"
            ))
        })?;
        style.limit = if number == 0 { usize::MAX } else { number };
    }
    Ok(style)
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
            Err(format!("`{text}` is not a number; did you mean `0x{text}`?"))
        }
        _ => Err(format!("`{text}` is not a number: expected decimal, or hexadecimal with 0x")),
    }
}
