//! Vectors as lines of text and as JSON Lines.

use std::collections::BTreeMap;

use isa_core::json::Object;
use isa_core::machine::{RegisterFiles, StateLocation};
use isa_core::parse::Parsed;

use super::{ExecutionResult, ExecutionVector};
use crate::command::exec::request::{OrderedObject, RequestValue, reword, settings};
use crate::profile::Profile;
use crate::set::SizedWord;
use crate::simulator::parse_value;
use crate::suggest;

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum VectorFormat {
    JsonLines,
    Plain,
}

/// A column, counted from 1, and a message.
type LineError = (usize, String);

impl ExecutionVector {
    /// Returns the line of the vector.
    pub(super) fn line(&self, files: RegisterFiles, format: VectorFormat) -> String {
        match format {
            VectorFormat::Plain => format!(
                "{} | {} | {}\n",
                self.asm,
                places_text(files, &self.state),
                result_text(files, &self.result)
            ),
            VectorFormat::JsonLines => {
                let mut word = isa_core::text::Line::new();
                self.word.print_hex(&mut word);
                let mut object = Object::new();
                object.text("opcode", &self.opcode).text("word", &format!("0x{word}"));
                object.text("asm", &self.asm).raw("state", places_json(files, &self.state));
                match &self.result {
                    Ok(places) => object.raw("expected", places_json(files, places)),
                    Err(trap) => object.text("trap", trap),
                };
                object.finish() + "\n"
            }
        }
    }

    /// Parses a line of either format. Returns `None` for a comment or an empty line.
    pub(super) fn parse(
        profile: &Profile,
        files: RegisterFiles,
        line: &str,
    ) -> Result<Option<Self>, LineError> {
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let parsed = match line.starts_with('{') {
            true => Self::parse_json(profile, files, line).map_err(|message| (1, message)),
            false => Self::parse_plain(profile, files, line),
        };
        parsed.map(Some)
    }

    fn parse_plain(profile: &Profile, files: RegisterFiles, line: &str) -> Result<Self, LineError> {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [asm, state, expected] = parts[..] else {
            let message =
                format!("expected three parts, `ASM | STATE | EXPECTED`, found {}", parts.len());
            return Err((1, message));
        };
        let column = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
        let column = |part: &str| line[..column(part)].chars().count() + 1;
        let (opcode, word) = instruction(profile, asm).map_err(|message| (column(asm), message))?;
        let state = places(files, state, &column)?;
        let result = match expected.strip_prefix("trap ") {
            Some(trap) => Err(trap.to_owned()),
            None => Ok(places(files, expected, &column)?),
        };
        Ok(ExecutionVector { opcode, word, asm: asm.to_owned(), state, result })
    }

    fn parse_json(profile: &Profile, files: RegisterFiles, line: &str) -> Result<Self, String> {
        let OrderedObject(entries) = serde_json::from_str(line).map_err(|error| reword(&error))?;
        let (mut texts, mut places) = (BTreeMap::new(), BTreeMap::new());
        for (key, value) in entries {
            match (key.as_str(), value) {
                ("opcode" | "word" | "asm" | "trap", RequestValue::Text(text)) => {
                    texts.insert(key, text);
                }
                ("opcode" | "word" | "asm" | "trap", other) => {
                    let found = other.kind();
                    return Err(format!("invalid `{key}`: expected a string, found {found}"));
                }
                ("state" | "expected", RequestValue::Entries(entries)) => {
                    let all = settings(files, "0x10", entries)?;
                    let all = all.iter().map(|setting| (setting.place, setting.value(0)));
                    let mut all: Vec<(StateLocation, u128)> = all.collect();
                    all.sort_unstable();
                    places.insert(key, all);
                }
                ("state" | "expected", other) => {
                    let found = other.kind();
                    return Err(format!("invalid `{key}`: expected an object, found {found}"));
                }
                _ => {
                    let known = ["opcode", "word", "asm", "state", "expected", "trap"];
                    let hint = suggest::hint(&key, known);
                    return Err(format!("unknown key `{key}`{hint}"));
                }
            }
        }
        let asm = texts.remove("asm").ok_or("missing key `asm`")?;
        let (opcode, word) = instruction(profile, &asm)?;
        if let Some(name) = texts.get("opcode").filter(|name| **name != opcode) {
            return Err(format!("wrong `opcode`: `{asm}` is `{opcode}`, found `{name}`"));
        }
        if let Some(found) = texts.get("word") {
            let digits = found.strip_prefix("0x");
            let number = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
            if number != Some(word.word) {
                return Err(format!("wrong `word`: `{asm}` is {:#x}, found `{found}`", word.word));
            }
        }
        let state = places.remove("state").unwrap_or_default();
        let result = match (texts.remove("trap"), places.remove("expected")) {
            (Some(trap), None) => Err(trap),
            (None, Some(expected)) => Ok(expected),
            _ => return Err("expected one of the keys `expected` and `trap`".to_owned()),
        };
        Ok(ExecutionVector { opcode, word, asm, state, result })
    }
}

/// Returns the opcode and the word of an instruction.
fn instruction(profile: &Profile, asm: &str) -> Result<(String, SizedWord), String> {
    let tables = profile.set.processor;
    match tables.parse(asm).map_err(|error| error.to_string())? {
        Parsed::Instruction { opcode, word, .. } => {
            let opcode = tables.opcodes[opcode];
            Ok((opcode.name.to_owned(), SizedWord { word, bits: opcode.width_of(word) }))
        }
        Parsed::Word { .. } => Err(format!("expected an instruction, found `{asm}`")),
    }
}

/// Parses `R1=0x3c00 P0=1`, or `-` for nothing. The places are sorted.
fn places(
    files: RegisterFiles,
    text: &str,
    column: &dyn Fn(&str) -> usize,
) -> Result<Vec<(StateLocation, u128)>, LineError> {
    let mut places = Vec::new();
    for part in text.split_whitespace().filter(|part| *part != "-") {
        let wrong = |message: String| (column(part), message);
        let Some((name, value)) = part.split_once('=') else {
            return Err(wrong(format!("expected NAME=VALUE, found `{part}`")));
        };
        let (place, value) = place(files, name, value).map_err(wrong)?;
        places.push((place, value, column(part)));
    }
    places.sort_by_key(|(place, ..)| *place);
    for pair in places.windows(2) {
        check_apart(files, pair[0].0, pair[1].0).map_err(|message| (pair[1].2, message))?;
    }
    Ok(places.into_iter().map(|(place, value, _)| (place, value)).collect())
}

/// Returns an error if two places share a byte or a register. `before` is not after `next`.
fn check_apart(
    files: RegisterFiles,
    before: StateLocation,
    next: StateLocation,
) -> Result<(), String> {
    match before.file == next.file && next.start - before.start < before.length {
        true if before == next => Err(format!("`{}` is set twice", files.name(next))),
        true => Err(format!("`{}` overlaps `{}`", files.name(next), files.name(before))),
        false => Ok(()),
    }
}

fn place(files: RegisterFiles, name: &str, value: &str) -> Result<(StateLocation, u128), String> {
    let place = files.place(name).map_err(|error| error.to_string())?;
    Ok((place, parse_value(files, place, value)?))
}

fn places_text(files: RegisterFiles, places: &[(StateLocation, u128)]) -> String {
    let shown = places.iter().map(|&(place, value)| match files.is_flag(place) {
        true => format!("{}={value}", files.name(place)),
        false => format!("{}={}", files.name(place), files.show(place, value)),
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { "-".to_owned() } else { shown.join(" ") }
}

fn places_json(files: RegisterFiles, places: &[(StateLocation, u128)]) -> String {
    let mut object = Object::new();
    for &(place, value) in places {
        match files.is_flag(place) {
            true => object.raw(&files.name(place), value == 1),
            false => object.text(&files.name(place), &files.show(place, value)),
        };
    }
    object.finish()
}

/// Returns a result as in a plain vector.
pub(super) fn result_text(files: RegisterFiles, result: &ExecutionResult) -> String {
    match result {
        Ok(places) => places_text(files, places),
        Err(trap) => format!("trap {trap}"),
    }
}
