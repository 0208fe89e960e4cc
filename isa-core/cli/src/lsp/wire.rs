//! Reads and writes messages, each after a header with its length.

use std::io::{BufRead, BufReader, Read, Write};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use crate::CommandError;

/// The maximum length of a message. A text of a million lines has about a tenth of this length.
const LONGEST: usize = 256 << 20;

/// The maximum length of a header line.
const HEADER: u64 = 4096;

/// The input and the output.
pub(super) struct Wire<'a> {
    input: BufReader<&'a mut dyn Read>,
    output: &'a mut dyn Write,
}

/// An incoming message.
pub(super) enum Incoming {
    Message(Message),
    /// Content with a valid header that is not a message.
    Malformed {
        id: Value,
        code: ErrorCode,
        reason: String,
    },
    End,
}

impl<'a> Wire<'a> {
    pub(super) fn new(input: &'a mut dyn Read, output: &'a mut dyn Write) -> Self {
        Wire { input: BufReader::with_capacity(64 << 10, input), output }
    }

    /// Returns whether part of another message has already arrived.
    pub(super) fn has_more(&self) -> bool {
        !self.input.buffer().is_empty()
    }

    /// Reads the next message. An invalid header ends the session, because the start of the next
    /// message is unknown.
    pub(super) fn read(&mut self) -> Result<Incoming, CommandError> {
        let Some(length) = self.header()? else { return Ok(Incoming::End) };
        let mut body = Vec::new();
        let taken = (&mut self.input).take(length as u64).read_to_end(&mut body);
        let taken = taken.map_err(|error| CommandError::reading("standard input", &error))?;
        if taken < length {
            return Ok(Incoming::End);
        }
        Ok(match serde_json::from_slice(&body) {
            Ok(message) => Incoming::Message(message),
            Err(_) => malformed(&body),
        })
    }

    /// Returns the length from the header of a message, or `None` at the end of the input.
    fn header(&mut self) -> Result<Option<usize>, CommandError> {
        let wrong = |what: &str| CommandError::System(format!("standard input: {what}"));
        let mut length = None;
        loop {
            let mut line = Vec::new();
            let taken = (&mut self.input).take(HEADER).read_until(b'\n', &mut line);
            let taken = taken.map_err(|error| CommandError::reading("standard input", &error))?;
            if taken == 0 {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&line);
            let Some(line) = line.strip_suffix('\n') else {
                return Err(wrong("unterminated message header"));
            };
            let line = line.strip_suffix('\r').unwrap_or(line);
            match (line.split_once(':'), length) {
                (None, Some(length)) if line.is_empty() => return Ok(Some(length)),
                (None, None) if line.is_empty() => {
                    return Err(wrong("message without `Content-Length`"));
                }
                (None, _) => return Err(wrong("invalid message header")),
                (Some((name, value)), _) if name.eq_ignore_ascii_case("content-length") => {
                    let value = value.trim().parse().ok().filter(|&value| value <= LONGEST);
                    let message = "invalid `Content-Length`: expected a number below 256 MiB";
                    length = Some(value.ok_or_else(|| wrong(message))?);
                }
                // There is only one content type, and other header fields are ignored.
                (Some(_), _) => {}
            }
        }
    }

    pub(super) fn write(&mut self, message: &Message) -> Result<(), CommandError> {
        let mut output = &mut self.output;
        message.write(&mut output).map_err(CommandError::printing)
    }

    /// Answers content that is not a message. If the content has no id, the id of the answer is null.
    pub(super) fn refuse(
        &mut self,
        id: &Value,
        code: ErrorCode,
        why: &str,
    ) -> Result<(), CommandError> {
        let error = json!({ "code": code as i32, "message": why });
        let body = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
        let output = &mut self.output;
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())
            .map_err(CommandError::printing)?;
        output.flush().map_err(CommandError::printing)
    }
}

/// Returns the reason why the content is not a message.
fn malformed(body: &[u8]) -> Incoming {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => Incoming::Malformed {
            id: Some(&value["id"]).filter(|id| id.is_string() || id.is_number()).cloned().into(),
            code: ErrorCode::InvalidRequest,
            reason: "neither a request nor a notification".into(),
        },
        Err(error) => Incoming::Malformed {
            id: Value::Null,
            code: ErrorCode::ParseError,
            reason: format!("invalid JSON: {error}"),
        },
    }
}
