//! The definitions and help texts of arguments that several commands share.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};

use crate::elf;
use crate::profile::Profile;
use crate::set::hex_digits;

/// The values of `--color`, which the argument parser also uses.
pub(crate) const COLORS: [&str; 3] = ["auto", "always", "never"];

/// Returns an option that accepts one of a few values, which its help names.
pub(crate) fn choice(
    name: &'static str,
    values: impl Into<PossibleValuesParser>,
    help: &str,
) -> Arg {
    Arg::new(name)
        .long(name)
        .value_parser(values.into())
        .hide_possible_values(true)
        .help(wrapped(help))
}

/// The maximum number of characters in a line of help next to an option.
const OPTION_WIDTH: usize = 68;

/// The maximum number of characters in a line of other text.
pub(crate) const PARAGRAPH_WIDTH: usize = 85;

/// Breaks a help text into lines. The parser could do this too, but it would need more crates.
pub(crate) fn wrapped(text: &str) -> String {
    filled(text, OPTION_WIDTH)
}

/// Breaks a text into lines that are shorter than `width` characters.
pub(crate) fn filled(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + word.len() >= width {
            lines.push('\n');
            column = 0;
        }
        if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

/// Returns an option without a value.
pub(crate) fn flag(name: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(wrapped(help))
}

/// Returns an option whose value is a number.
pub(crate) fn number_option(name: &'static str, help: &str) -> Arg {
    let value = if name == "seed" { "S" } else { "N" };
    Arg::new(name).long(name).value_name(value).allow_negative_numbers(true).help(wrapped(help))
}

/// Returns FILE, a positional argument.
pub(crate) fn file_argument(help: &str) -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped(help))
}

/// Returns an option that may appear several times.
pub(crate) fn repeated_option(name: &'static str, value: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(wrapped(help))
}

/// Returns an option whose value is a file.
pub(crate) fn path_option(name: &'static str, help: &str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("FILE")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped(help))
}

/// Returns `-o OUT`, the option for the output file.
pub(crate) fn output_option() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("OUT")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped("The output file; - or no OUT means standard output"))
}

/// Returns the argument FORMAT, which accepts the names of `formats`.
pub(crate) fn format_argument(formats: impl Iterator<Item = (&'static str, &'static str)>) -> Arg {
    Arg::new("format")
        .value_name("FORMAT")
        .required(true)
        .value_parser(PossibleValuesParser::new(formats.map(|(name, _)| name)))
        .hide_possible_values(true)
}

/// Lists the formats with their descriptions, for a help text.
pub(crate) fn format_help<'f>(formats: impl Iterator<Item = (&'f str, &'f str)> + Clone) -> String {
    let width = formats.clone().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines = formats.map(|(name, about)| format!("  {name:width$}  {about}\n"));
    format!("Formats:\n\n{}", lines.collect::<String>())
}

/// Returns `--start-address ADDR`.
pub(crate) fn start_address_option(help: &str) -> Arg {
    Arg::new("start-address")
        .long("start-address")
        .value_name("ADDR")
        .allow_negative_numbers(true)
        .help(wrapped(help))
}

/// Adds the options that all commands with error reports share.
pub(crate) fn with_diagnostic_options(command: Command) -> Command {
    command
        .arg(
            Arg::new("error-limit")
                .long("error-limit")
                .value_name("N")
                .allow_negative_numbers(true)
                .help(wrapped("The maximum number of errors to print, 0 for all (default 20)")),
        )
        .arg(flag(
            "json",
            "Prints errors to standard error as JSON, one object per line (keys below)",
        ))
}

/// The help text about the keys of a diagnostic in JSON.
pub(crate) const DIAGNOSTIC_KEYS: &str = "\
With --json each error is one object on one line. Every object contains all of these keys;
a key without a value is null:
  level           `error`, or `note` for the line with the number of errors
  code            the error code, for example `unknown-modifier`
  message         the error message
  file            the name of the file
  line, column    the start of the error, counted from 1; columns are characters
  end_line, end_column   the position after its last character
  span            [start, end] as byte offsets in the file, counted from 0
  text            the source line, or an excerpt if the line is long
  label           the label of the span
  help            a list of suggestions";

/// If the set has words of several widths, returns the help about words that consist of several tokens,
/// and otherwise an empty text.
pub(crate) fn split_words_help(profile: &Profile) -> String {
    let Some(narrow) = profile.set.widths().next().filter(|_| profile.set.word_bytes().is_none())
    else {
        return String::new();
    };
    format!(
        "; {} digits are {narrow} bits, and a wider word may be split into several such tokens, its {} bits first",
        hex_digits(narrow),
        profile.set.first_digits()
    )
}

/// Returns the numbers of digits of the set's words, for help texts.
pub(crate) fn digit_counts(profile: &Profile) -> String {
    joined(profile.set.widths().map(|bits| hex_digits(bits).to_string()).collect(), "or")
}

/// Returns the numbers of bytes of the set's words, for help texts.
pub(crate) fn byte_counts(profile: &Profile) -> String {
    joined(profile.set.widths().map(|bits| (bits / 8).to_string()).collect(), "or")
}

/// Joins items for a sentence: `a, b or c`.
pub(crate) fn joined(mut items: Vec<String>, last_by: &str) -> String {
    match items.pop() {
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} {last_by} {last}", items.join(", ")),
        None => String::new(),
    }
}

/// Returns the formats of words and programs for `--emit` and `--from`. A tool without ELF support
/// accepts `elf` too, so that it can report why it is not supported.
pub(crate) fn word_formats(profile: &Profile) -> Vec<PossibleValue> {
    let elf = PossibleValue::new("elf").hide(!elf::is_supported(profile));
    ["hex", "bin", "listing"].map(PossibleValue::new).into_iter().chain([elf]).collect()
}

/// Returns the help texts about objects, if they are supported: for the usage, for `--emit` and for
/// `--from`.
pub(crate) fn elf_help(profile: &Profile) -> (&'static str, &'static str, &'static str) {
    match elf::is_supported(profile) {
        true => (
            "|elf",
            "; elf: an object file for a linker, in which labels are symbols and `.globl` makes them global",
            "; elf: the code of an ELF object or program, with its symbols (the default if the file begins \
             like an ELF file)",
        ),
        false => ("", "", ""),
    }
}
