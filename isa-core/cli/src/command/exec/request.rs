//! Parses the requests of `exec --jsonl`.

use core::fmt;

use serde_core::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value as Json;

use isa_core::machine::{RegisterFiles, StateLocation};

use crate::simulator::{Setting, parse_value};
use crate::suggest;

/// A request.
#[derive(Debug, PartialEq)]
pub(crate) struct ExecRequest {
    /// Instructions.
    pub(crate) asm: String,
    /// The initial values.
    pub(crate) state: Vec<Setting>,
}

impl ExecRequest {
    /// Parses a line.
    pub(crate) fn parse(
        files: RegisterFiles,
        example: &str,
        line: &str,
    ) -> Result<ExecRequest, String> {
        let OrderedObject(entries) = serde_json::from_str(line).map_err(|error| reword(&error))?;
        let (mut asm, mut state) = (None, None);
        for (key, value) in entries {
            match key.as_str() {
                "asm" => asm = Some(value),
                "state" => state = Some(value),
                _ => {
                    let hint = suggest::hint(&key, ["asm", "state"]);
                    return Err(format!("unknown key `{key}`{hint}; expected `asm` or `state`"));
                }
            }
        }
        let asm = match asm {
            Some(RequestValue::Text(text)) => text,
            Some(other) => {
                return Err(format!("invalid `asm`: expected a string, found {}", other.kind()));
            }
            None => return Err("missing key `asm`".into()),
        };
        let state = match state {
            Some(RequestValue::Entries(entries)) => settings(files, example, entries)?,
            Some(other) => {
                return Err(format!("invalid `state`: expected an object, found {}", other.kind()));
            }
            None => Vec::new(),
        };
        Ok(ExecRequest { asm, state })
    }
}

/// Returns the message for a syntax error, in the wording of serde_json and with the column in the line.
pub(in crate::command) fn reword(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    if error.is_data() {
        return text.into();
    }
    format!("invalid JSON: {text} at column {}", error.column())
}

/// Returns the registers and values of a state object.
pub(in crate::command) fn settings(
    files: RegisterFiles,
    example: &str,
    entries: Vec<(String, Json)>,
) -> Result<Vec<Setting>, String> {
    let mut state = Vec::with_capacity(entries.len());
    for (name, json) in &entries {
        let place = files.place(name).map_err(|error| error.to_string())?;
        state.push(Setting::new(place, value(files, place, example, json)?));
    }
    let places = state.iter().zip(&entries).map(|(one, (name, _))| (one.place, name.as_str()));
    files.distinct(places).map_err(|error| error.to_string())?;
    Ok(state)
}

/// Returns a value: text as on the command line, a number, or a boolean.
fn value(
    files: RegisterFiles,
    place: StateLocation,
    example: &str,
    json: &Json,
) -> Result<u128, String> {
    let (name, is_flag) = (files.name(place), files.is_flag(place));
    match json {
        Json::Bool(truth) if is_flag => Ok((*truth).into()),
        Json::String(text) => parse_value(files, place, text),
        Json::Number(number) if number.is_u64() || number.is_i64() => {
            parse_value(files, place, &number.to_string())
        }
        _ if is_flag => {
            Err(format!("invalid value for {name}: expected true or false, found {json}"))
        }
        _ => Err(format!(
            "invalid value for {name}: expected an integer or a string such as \"{example}\", found {json}"
        )),
    }
}

/// An object with its keys in order. A repeated key is an error.
pub(in crate::command) struct OrderedObject<V>(pub(in crate::command) Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for OrderedObject<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedObjectVisitor(core::marker::PhantomData))
    }
}

struct OrderedObjectVisitor<V>(core::marker::PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for OrderedObjectVisitor<V> {
    type Value = OrderedObject<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        entries(map).map(OrderedObject)
    }
}

fn entries<'de, V: Deserialize<'de>, A: MapAccess<'de>>(
    mut map: A,
) -> Result<Vec<(String, V)>, A::Error> {
    let mut entries: Vec<(String, V)> = Vec::new();
    let mut keys = std::collections::BTreeSet::new();
    while let Some(key) = map.next_key::<String>()? {
        if !keys.insert(key.clone()) {
            return Err(A::Error::custom(format_args!("`{key}` is set twice")));
        }
        entries.push((key, map.next_value()?));
    }
    Ok(entries)
}

/// A value in the request: text, an object, or the description of a value that is not valid there.
pub(in crate::command) enum RequestValue {
    Text(String),
    Entries(Vec<(String, Json)>),
    Other(&'static str),
}

impl RequestValue {
    pub(in crate::command) fn kind(&self) -> &'static str {
        match self {
            RequestValue::Text(_) => "text",
            RequestValue::Entries(_) => "an object",
            RequestValue::Other(kind) => kind,
        }
    }
}

impl<'de> Deserialize<'de> for RequestValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RequestValueVisitor)
    }
}

struct RequestValueVisitor;

impl<'de> Visitor<'de> for RequestValueVisitor {
    type Value = RequestValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or an object")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RequestValue, E> {
        Ok(RequestValue::Text(text.into()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<RequestValue, E> {
        Ok(RequestValue::Text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RequestValue, A::Error> {
        entries(map).map(RequestValue::Entries)
    }

    fn visit_seq<A: serde_core::de::SeqAccess<'de>>(
        self,
        mut seq: A,
    ) -> Result<RequestValue, A::Error> {
        while seq.next_element::<serde_core::de::IgnoredAny>()?.is_some() {}
        Ok(RequestValue::Other("an array"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<RequestValue, E> {
        Ok(RequestValue::Other("a Boolean"))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<RequestValue, E> {
        Ok(RequestValue::Other("a number"))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<RequestValue, E> {
        Ok(RequestValue::Other("a number"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<RequestValue, E> {
        Ok(RequestValue::Other("a number"))
    }

    fn visit_unit<E: Error>(self) -> Result<RequestValue, E> {
        Ok(RequestValue::Other("null"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: RegisterFiles = isa_core::machine::Recorder::FILES;

    fn parse(line: &str) -> Result<ExecRequest, String> {
        ExecRequest::parse(FILES, "0x10", line)
    }

    #[test]
    fn a_request_has_code_and_first_values() {
        let line = concat!(
            r#"{"asm": "X;", "state": {"R1": "0x10", "R2": 7, "#,
            r#""P0": true, "P1": 0, "c[0][4]": "9"}}"#,
        );
        let state = [("R1", 16), ("R2", 7), ("P0", 1), ("P1", 0), ("c[0][4]", 9)];
        let setting = |(name, value)| Setting::new(FILES.place(name).unwrap(), value);
        let expected = ExecRequest { asm: "X;".into(), state: state.map(setting).into() };
        assert_eq!(parse(line), Ok(expected));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, part) in [
            ("", "invalid JSON"),
            ("{", "invalid JSON: EOF while parsing an object at column 1"),
            ("[]", "expected an object"),
            ("7", "expected an object"),
            ("{}", "missing key `asm`"),
            (r#"{"asm": 1}"#, "invalid `asm`: expected a string, found a number"),
            (r#"{"asm": null}"#, "invalid `asm`: expected a string, found null"),
            (r#"{"asm": "", "state": []}"#, "invalid `state`: expected an object, found an array"),
            (r#"{"asm": "", "sate": {}}"#, "did you mean `state`?"),
            (r#"{"asm": "", "asm": ""}"#, "`asm` is set twice"),
            (r#"{"asm": "", "state": {"R1": 1, "R1": 1}}"#, "`R1` is set twice"),
            (
                r#"{"asm": "", "state": {"c[0][4]": 1, "c[0x0][0x4]": 1}}"#,
                "`c[0][4]` and `c[0x0][0x4]` both set c[0x0][0x4]",
            ),
            (r#"{"asm": "", "state": {"R1": 1.5}}"#, "found 1.5"),
            (r#"{"asm": "", "state": {"R1": true}}"#, "found true"),
            (r#"{"asm": "", "state": {"R1": -1}}"#, "out of range"),
            (r#"{"asm": "", "state": {"R1": 4294967296}}"#, "32 bits"),
            (r#"{"asm": "", "state": {"P1": 2}}"#, "expected true, false"),
            (r#"{"asm": "", "state": {"P1": []}}"#, "expected true or false, found []"),
            (r#"{"asm": "", "state": {"R255": 1}}"#, "R0 to R254"),
            (r#"{"asm": ""} x"#, "invalid JSON: trailing characters"),
        ] {
            let error = parse(line).err().unwrap_or_default();
            assert!(error.contains(part), "{line}: {error}");
        }
        let deep = format!(r#"{{"asm": {}"#, "[".repeat(100_000));
        assert!(parse(&deep).is_err());
    }
}
