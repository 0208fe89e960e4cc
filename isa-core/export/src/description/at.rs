//! Tracks the position in a description, and reports errors at this position.

use std::fmt;

use isa_core::table::{Cube, Piece};
use serde_json::Value as Json;

/// The reason why a text is not a description of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadDescription {
    /// The position, for example `opcodes[3].fixed[0]`. It is empty for the whole description.
    place: String,
    message: String,
}

impl BadDescription {
    pub(super) fn new(message: impl Into<String>) -> Self {
        BadDescription { place: String::new(), message: message.into() }
    }
}

impl fmt::Display for BadDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.message),
            place => write!(f, "`{place}`: {}", self.message),
        }
    }
}

impl std::error::Error for BadDescription {}

pub(super) type Read<T> = Result<T, BadDescription>;

/// A JSON value, and the path to it.
#[derive(Clone, Copy)]
pub(super) struct At<'j> {
    pub(super) json: &'j Json,
    way: Way<'j>,
}

#[derive(Clone, Copy)]
enum Way<'j> {
    Whole,
    Key(&'j At<'j>, &'j str),
    Item(&'j At<'j>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            Way::Whole => Ok(()),
            Way::Key(At { way: Way::Whole, .. }, key) => f.write_str(key),
            Way::Key(outer, key) => write!(f, "{outer}.{key}"),
            Way::Item(outer, place) => write!(f, "{outer}[{place}]"),
        }
    }
}

impl<'j> At<'j> {
    pub(super) fn whole(json: &'j Json) -> Self {
        At { json, way: Way::Whole }
    }

    /// Returns the error that the value at this position differs from the expected one.
    pub(super) fn is_not<T>(&self, meant: &str) -> Read<T> {
        let found = match self.json {
            Json::Object(_) => "an object".to_owned(),
            Json::Array(_) => "a list".to_owned(),
            other => {
                let text = other.to_string();
                match text.char_indices().nth(40) {
                    Some((end, _)) => format!("`{}...`", &text[..end]),
                    None => format!("`{text}`"),
                }
            }
        };
        self.error(format!("expected {meant}, found {found}"))
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(BadDescription { place: self.to_string(), message: message.into() })
    }

    /// Parses the value of a key, if the key exists.
    pub(super) fn find<T>(
        &self,
        key: &str,
        read: impl FnOnce(&At<'_>) -> Read<T>,
    ) -> Read<Option<T>> {
        let Json::Object(object) = self.json else { return self.is_not("an object") };
        let json = object.get(key);
        json.map(|json| read(&At { json, way: Way::Key(self, key) })).transpose()
    }

    /// Parses the value of a key.
    pub(super) fn get<T>(&self, key: &str, read: impl FnOnce(&At<'_>) -> Read<T>) -> Read<T> {
        match self.find(key, read)? {
            Some(found) => Ok(found),
            None => self.error(format!("the key `{key}` is missing")),
        }
    }

    /// Parses all values of a list.
    pub(super) fn all<T>(&self, read: impl Fn(&At<'_>) -> Read<T>) -> Read<Vec<T>> {
        let Json::Array(list) = self.json else { return self.is_not("a list") };
        let items = list.iter().enumerate();
        items.map(|(place, json)| read(&At { json, way: Way::Item(self, place) })).collect()
    }

    /// Parses the list that is the value of a key.
    pub(super) fn list<T>(&self, key: &str, read: impl Fn(&At<'_>) -> Read<T>) -> Read<Vec<T>> {
        self.get(key, |at| at.all(read))
    }

    pub(super) fn text(&self) -> Read<String> {
        match self.json {
            Json::String(text) => Ok(text.clone()),
            _ => self.is_not("a text"),
        }
    }

    pub(super) fn text_of(&self, key: &str) -> Read<String> {
        self.get(key, string)
    }

    pub(super) fn truth(&self) -> Read<bool> {
        self.json.as_bool().map_or_else(|| self.is_not("`true` or `false`"), Ok)
    }

    /// Parses a number that is at most `most`.
    pub(super) fn number(&self, most: usize) -> Read<usize> {
        let number = self.json.as_u64().and_then(|number| usize::try_from(number).ok());
        let number = number.filter(|number| *number <= most);
        number.map_or_else(|| self.is_not(&format!("a number from 0 to {most}")), Ok)
    }

    /// Parses an index into a list of `count` elements.
    pub(super) fn place(&self, count: usize) -> Read<usize> {
        match count.checked_sub(1) {
            Some(last) => self.number(last),
            None => self.error("there is nothing that this could be the place of"),
        }
    }

    /// Parses a whole number in a string.
    pub(super) fn decimal(&self) -> Read<i128> {
        // Unlike `parse`, the format does not allow a plus sign.
        let text = self.json.as_str().filter(|text| !text.starts_with('+'));
        let number = text.and_then(|text| text.parse::<i64>().ok());
        number
            .map_or_else(|| self.is_not("a text of a whole number, as `\"-1\"`"), |n| Ok(n.into()))
    }

    /// Parses a hexadecimal number of at most `bits` bits.
    pub(super) fn hex(&self, bits: u32) -> Read<u128> {
        let digits = self.json.as_str().and_then(|text| text.strip_prefix("0x"));
        let digits = digits.filter(|digits| !digits.starts_with('+'));
        let number = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        let number = number.filter(|number| number.checked_shr(bits).unwrap_or(0) == 0);
        let meant = || format!("a text of at most {bits} bits, as `\"0x1f\"`");
        number.map_or_else(|| self.is_not(&meant()), Ok)
    }

    /// Parses a masked pattern.
    pub(super) fn cube(&self, bits: u32) -> Read<Cube> {
        let pair = self.all(|at| at.hex(bits))?;
        match pair[..] {
            [mask, value] if value & !mask == 0 => Ok(Cube { mask, value }),
            [_, _] => self.error("the value has bits that the mask has not"),
            _ => self.is_not("a mask and a value"),
        }
    }

    /// Parses a number from `least` to `most`.
    pub(super) fn within(&self, least: usize, most: usize) -> Read<usize> {
        match self.number(most) {
            Ok(number) if number >= least => Ok(number),
            _ => self.is_not(&format!("a number from {least} to {most}")),
        }
    }

    /// Parses a string that is one of `known`.
    pub(super) fn one_of(&self, known: &[&str]) -> Read<String> {
        match self.json.as_str().filter(|text| known.contains(text)) {
            Some(text) => Ok(text.to_owned()),
            None => self.is_not(&format!("one of `{}`", known.join("`, `"))),
        }
    }

    /// Parses the pieces of a value in a word of `bits` bits, at most 64 bits in total.
    pub(super) fn pieces(&self, bits: u32) -> Read<Vec<Piece>> {
        let pieces = self.all(|at| {
            let pair = at.all(|at| at.number(127))?;
            match pair[..] {
                [position, width @ 1..=64] if position + width <= bits as usize => {
                    Ok(Piece { position: position as u8, width: width as u8 })
                }
                _ => at.is_not(&format!("the lowest bit and the width of a piece of {bits} bits")),
            }
        })?;
        let width: u32 = pieces.iter().map(|piece| u32::from(piece.width)).sum();
        if width <= 64 { Ok(pieces) } else { self.error("a value has more than 64 bits") }
    }
}

/// Calls [`At::text`] for any position.
pub(super) fn string(at: &At<'_>) -> Read<String> {
    at.text()
}

/// Calls [`At::truth`] for any position.
pub(super) fn truth(at: &At<'_>) -> Read<bool> {
    at.truth()
}
