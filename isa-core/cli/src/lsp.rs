//! The language server of the command `lsp`, for assembly text on standard input and output.
//!
//! It handles all messages in this thread, in order. The slowest answer takes some milliseconds. A
//! text is kept as a [`Draft`](isa_core::asm::Draft), which parses only the parts that an edit can
//! change. Diagnostics are published when no further message waits, so a burst of edits causes only
//! one update.

mod answers;
mod complete;
mod diagnostics;
mod document;
mod format;
mod hover;
mod labels;
mod lexer;
mod position;
mod tokens;
mod wire;

use std::collections::BTreeMap;
use std::io::{Read, Write};

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::CommandError;
use crate::profile::Profile;

use document::Document;
use isa_export::vocabulary::Vocabulary;
use position::Encoding;
use wire::{Incoming, Wire};

/// An answer, or the reason why there is none.
type Answer = Result<Value, Refusal>;

/// The reason why a request has no answer.
#[derive(Debug)]
struct Refusal(ErrorCode, String);

impl Refusal {
    /// Returns the error for a parameter that is missing or has the wrong type.
    fn parameter(name: &str) -> Self {
        Refusal(ErrorCode::InvalidParams, format!("missing or invalid parameter `{name}`"))
    }

    /// Returns the error for a request that is not possible for the current text.
    fn failed(reason: impl Into<String>) -> Self {
        Refusal(ErrorCode::RequestFailed, reason.into())
    }
}

/// The stage of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

/// A session with one client.
struct Server<'p> {
    profile: &'p Profile,
    stage: Stage,
    encoding: Encoding,
    vocabulary: Vocabulary,
    documents: BTreeMap<String, Document>,
    /// The texts that have changed since their diagnostics were published.
    changed: Vec<String>,
}

/// Serves a client until it sends `exit`.
pub(crate) fn run(
    profile: &Profile,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut server = Server {
        profile,
        stage: Stage::New,
        encoding: Encoding::Utf16,
        vocabulary: Vocabulary::of(profile.set.processor),
        documents: BTreeMap::new(),
        changed: Vec::new(),
    };
    let mut wire = Wire::new(stdin, stdout);
    loop {
        match wire.read()? {
            Incoming::Message(Message::Notification(note)) if note.method == "exit" => {
                return server.end("the client sent `exit` before `shutdown`");
            }
            Incoming::Message(Message::Notification(note)) => server.note(&note),
            Incoming::Message(Message::Request(request)) => {
                // Positions in the answer refer to the text whose diagnostics were published last.
                let response = server.respond(request);
                wire.write(&response.into())?;
            }
            Incoming::Message(Message::Response(_)) => {}
            Incoming::Malformed { id, code, reason } => wire.refuse(&id, code, &reason)?,
            Incoming::End => return server.end("the input ended without `exit`"),
        }
        if !wire.has_more() {
            server.publish(&mut wire)?;
        }
    }
}

impl Server<'_> {
    /// Ends the session. It is an error if the client has not requested a shutdown.
    fn end(&self, unannounced: &str) -> Result<(), CommandError> {
        match self.stage {
            Stage::ShutDown => Ok(()),
            Stage::New | Stage::Running => Err(CommandError::System(unannounced.into())),
        }
    }

    fn respond(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match (self.stage, method.as_str()) {
            (Stage::New, "initialize") => Ok(self.initialize(&params)),
            (Stage::New, _) => Err(Refusal(
                ErrorCode::ServerNotInitialized,
                format!("`{method}` before `initialize`"),
            )),
            (Stage::Running, "initialize") => {
                Err(Refusal(ErrorCode::InvalidRequest, "a second `initialize`".into()))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            (Stage::Running, _) => self.answer(&method, &params),
            (Stage::ShutDown, _) => {
                Err(Refusal(ErrorCode::InvalidRequest, format!("`{method}` after `shutdown`")))
            }
        };
        match answer {
            Ok(result) => Response { id, response_result: Ok(result) },
            Err(Refusal(code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Running;
        self.encoding = Encoding::agreed(&params["capabilities"]["general"]["positionEncodings"]);
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.name(),
                "textDocumentSync": { "openClose": true, "change": 2 },
                "completionProvider": { "triggerCharacters": [".", ",", " "] },
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "renameProvider": { "prepareProvider": true },
                "documentSymbolProvider": true,
                "documentFormattingProvider": true,
                "documentRangeFormattingProvider": true,
                "semanticTokensProvider": {
                    "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
                    "full": true,
                    "range": true,
                },
            },
            "serverInfo": { "name": self.profile.name, "version": self.profile.version },
        })
    }

    /// Handles a notification. The protocol does not allow an answer, not even to an unknown or invalid
    /// one.
    fn note(&mut self, note: &Notification) {
        if self.stage != Stage::Running {
            return;
        }
        let changed = match note.method.as_str() {
            "textDocument/didOpen" => self.open(&note.params),
            "textDocument/didChange" => self.change(&note.params),
            "textDocument/didClose" => self.close(&note.params),
            _ => None,
        };
        if let Some(uri) = changed
            && !self.changed.contains(&uri)
        {
            self.changed.push(uri);
        }
    }

    fn open(&mut self, params: &Value) -> Option<String> {
        let document = &params["textDocument"];
        let uri = document["uri"].as_str()?.to_owned();
        let text = document["text"].as_str()?.to_owned();
        let version = document["version"].as_i64();
        self.documents.insert(uri.clone(), Document::new(self.profile, text, version));
        Some(uri)
    }

    fn change(&mut self, params: &Value) -> Option<String> {
        let uri = params["textDocument"]["uri"].as_str()?;
        let document = self.documents.get_mut(uri)?;
        document.version = params["textDocument"]["version"].as_i64().or(document.version);
        for change in params["contentChanges"].as_array()? {
            // An invalid change is skipped, so the text then differs from the client's text. Later
            // changes may be valid.
            let Some(text) = change["text"].as_str() else { continue };
            match document.range(&change["range"], self.encoding) {
                Some(range) => document.edit(range, text),
                None if change["range"].is_null() => {
                    *document = Document::new(self.profile, text.to_owned(), document.version);
                }
                None => {}
            }
        }
        Some(uri.to_owned())
    }

    fn close(&mut self, params: &Value) -> Option<String> {
        let uri = params["textDocument"]["uri"].as_str()?;
        self.documents.remove(uri).map(|_| uri.to_owned())
    }

    /// Publishes the diagnostics of the texts that have changed.
    fn publish(&mut self, wire: &mut Wire<'_>) -> Result<(), CommandError> {
        for uri in core::mem::take(&mut self.changed) {
            let document = self.documents.get(&uri);
            let list = document.map_or_else(Vec::new, |document| {
                diagnostics::of(self.profile, document, &uri, self.encoding)
            });
            let mut params = json!({ "uri": uri, "diagnostics": list });
            if let Some(version) = document.and_then(|document| document.version) {
                params["version"] = version.into();
            }
            let method = "textDocument/publishDiagnostics".to_owned();
            wire.write(&Notification { method, params }.into())?;
        }
        Ok(())
    }
}
