//! A client for language servers, which exchanges messages over pipes with a process or a thread.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The name of the only document.
pub(crate) const URI: &str = "file:///text.s";

/// Reads one message. Returns `None` at the end of the input.
pub(crate) fn receive(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).expect("a header") == 0 {
            return None;
        }
        match line.strip_prefix("Content-Length: ") {
            Some(value) => length = value.trim().parse().expect("a length"),
            None if line == "\r\n" => break,
            None => panic!("{line:?}"),
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).expect("a message");
    Some(serde_json::from_slice(&body).expect("JSON"))
}

/// Returns a message with its header.
pub(crate) fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A session with a language server.
pub(crate) struct Client {
    input: Box<dyn Write>,
    output: BufReader<Box<dyn Read>>,
    number: i64,
    version: i64,
    process: Option<Child>,
}

#[allow(dead_code, reason = "each test needs a part of it")]
impl Client {
    /// Creates a session over pipes. It is not yet initialized.
    pub(crate) fn over(input: Box<dyn Write>, output: Box<dyn Read>) -> Self {
        Client { input, output: BufReader::new(output), number: 0, version: 0, process: None }
    }

    /// Starts a process and creates a session with it.
    pub(crate) fn of(program: &str, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the server");
        let input = process.stdin.take().expect("a pipe");
        let output = process.stdout.take().expect("a pipe");
        Client { process: Some(process), ..Client::over(Box::new(input), Box::new(output)) }
    }

    /// Sends arbitrary bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).and_then(|()| self.input.flush()).expect("a server that reads");
    }

    /// Returns the next message.
    pub(crate) fn next(&mut self) -> Value {
        receive(&mut self.output).expect("an answer")
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&framed(&json!({ "jsonrpc": "2.0", "method": method, "params": params })));
    }

    /// Sends a request and returns its response, which may be an error.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.number, "method": method, "params": params });
        self.send(&framed(&request));
        let answer = self.next();
        assert_eq!(answer["id"], self.number, "{answer}");
        answer
    }

    /// Returns the result of a request about the document. The request must succeed.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["textDocument"] = json!({ "uri": URI });
        let mut answer = self.call(&format!("textDocument/{method}"), &params);
        assert_eq!(answer["error"], Value::Null, "{method} {params}");
        answer["result"].take()
    }

    /// Initializes a session with this position encoding and returns the capabilities of the
    /// server.
    pub(crate) fn begin(&mut self, encoding: &str) -> Value {
        let general = json!({ "positionEncodings": [encoding] });
        let params = json!({ "capabilities": { "general": general } });
        let mut answer = self.call("initialize", &params);
        self.notify("initialized", &json!({}));
        answer["result"]["capabilities"].take()
    }

    /// Opens the document and returns its diagnostics.
    pub(crate) fn open(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let document =
            json!({ "uri": URI, "languageId": "asm", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        self.diagnostics()
    }

    /// Changes the document and returns its diagnostics.
    pub(crate) fn change(&mut self, changes: &Value) -> Vec<Value> {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
        self.diagnostics()
    }

    fn diagnostics(&mut self) -> Vec<Value> {
        let mut note = self.next();
        assert_eq!(note["method"], "textDocument/publishDiagnostics", "{note}");
        assert_eq!(note["params"]["version"], self.version);
        let Value::Array(list) = note["params"]["diagnostics"].take() else { panic!("{note}") };
        list
    }

    /// Ends the session as the protocol requires.
    pub(crate) fn end(mut self) {
        let answer = self.call("shutdown", &Value::Null);
        assert_eq!((&answer["result"], &answer["error"]), (&Value::Null, &Value::Null));
        self.notify("exit", &Value::Null);
        assert_eq!(self.status(), (0, String::new()));
    }

    /// Waits for the end of the process. Returns its status and its standard error.
    pub(crate) fn status(self) -> (i32, String) {
        let Client { input, mut output, process, .. } = self;
        drop(input);
        assert_eq!(receive(&mut output), None);
        let Some(process) = process else { return (0, String::new()) };
        let ended = process.wait_with_output().expect("an end");
        (
            ended.status.code().expect("a status"),
            String::from_utf8_lossy(&ended.stderr).into_owned(),
        )
    }
}

/// Returns a position from a line and a character.
pub(crate) fn place(line: usize, character: usize) -> Value {
    json!({ "line": line, "character": character })
}

/// Returns the labels of completion items.
pub(crate) fn labels(completions: &Value) -> Vec<&str> {
    let items = completions["items"].as_array().expect("items");
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

/// Returns a text after edits whose positions count UTF-16 code units.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let byte = |place: &Value| {
        let line = place["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut rest = place["character"].as_u64().expect("a character") as usize;
        let line = text[start..].char_indices();
        let mut at = start;
        for (place, c) in line {
            at = start + place;
            if rest == 0 {
                return at;
            }
            rest = rest.saturating_sub(c.len_utf16());
            at += c.len_utf8();
        }
        at
    };
    let mut all: Vec<_> = edits.as_array().expect("edits").iter().collect();
    all.sort_by_key(|edit| core::cmp::Reverse(byte(&edit["range"]["start"])));
    let mut output = text.to_owned();
    for edit in all {
        let range = byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
        output.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    output
}
