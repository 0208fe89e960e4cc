//! A client of the language server protocol with the features that the tests need.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::life::Life;

/// The time between two checks of a silent server, and before a request is repeated.
const PAUSE: Duration = Duration::from_millis(100);

/// The error codes of a server that is processing a change. The request must be repeated.
const CONTENT_MODIFIED: i64 = -32801;
const SERVER_CANCELLED: i64 = -32802;

/// A running server, which is stopped when this value is dropped.
pub(crate) struct Client {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// The file that the server writes its standard error to.
    errors: PathBuf,
    life: Life,
    last_id: i64,
    /// The last status message of the server.
    status: Value,
    /// The numbers of checks by rustc that the server has started and finished.
    checks: [usize; 2],
    /// The diagnostics of each file.
    diagnostics: HashMap<String, Vec<Value>>,
    /// The messages to the user.
    pub(crate) shown: Vec<String>,
}

impl Client {
    /// Starts the server on a crate.
    pub(crate) fn start(mut command: Command, root: &Path, settings: Value) -> Client {
        let errors = root.join("errors.txt");
        let file = File::create(&errors).expect("the directory is writable");
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
        let mut server = piped.current_dir(root).spawn().expect("the server starts");
        let input = server.stdin.take().expect("stdin is piped");
        let output = server.stdout.take().expect("stdout is piped");
        let mut client = Client {
            input,
            messages: read_messages(output),
            errors,
            life: Life::new(server.id()),
            server,
            last_id: 0,
            status: Value::Null,
            checks: [0; 2],
            diagnostics: HashMap::new(),
            shown: Vec::new(),
        };
        client.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": uri(root),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "window": { "workDoneProgress": true },
                    "textDocument": {
                        "publishDiagnostics": {},
                        "rename": { "prepareSupport": true },
                        "hover": { "contentFormat": ["markdown"] }
                    },
                    "workspace": { "workspaceEdit": { "documentChanges": true } }
                },
                "initializationOptions": settings
            }),
        );
        client.notify("initialized", json!({}));
        client
    }

    /// Waits until the crate is loaded and the macros are built.
    pub(crate) fn wait_until_ready(&mut self) {
        while self.status["quiescent"] != true {
            self.take_message();
        }
        assert_ne!(self.status["health"], "error", "{}: {:?}", self.status, self.shown);
    }

    /// Returns the diagnostics of a file that contain `mark`.
    pub(crate) fn diagnostics(&self, file: &Path, mark: &str) -> Vec<Value> {
        let all = self.diagnostics.get(&uri(file)).into_iter().flatten();
        let is = |fault: &&Value| fault["message"].as_str().is_some_and(|m| m.contains(mark));
        all.filter(is).cloned().collect()
    }

    /// Opens a file in the server.
    pub(crate) fn open(&mut self, file: &Path, text: &str) {
        let document =
            json!({ "uri": uri(file), "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Notifies the server that a file was saved, so that rustc checks the crate. Waits until the
    /// check has finished and its diagnostics have arrived.
    pub(crate) fn save(&mut self, file: &Path) {
        // When the server has loaded the crate, it starts a check itself. Wait for its end, which
        // could otherwise be mistaken for the end of this check.
        self.wait_for_checks(1);
        let before = self.checks[1];
        let params = json!({ "textDocument": { "uri": uri(file) } });
        self.notify("textDocument/didSave", params);
        self.wait_for_checks(before + 1);
        // The server sends most of its diagnostics before it answers a later request.
        self.symbols(file);
        while self.checks[0] > self.checks[1] {
            self.wait_for_checks(before + 1);
            self.symbols(file);
        }
    }

    /// Requests the symbols of a file, and processes the messages before the answer.
    pub(crate) fn symbols(&mut self, file: &Path) {
        let params = json!({ "textDocument": { "uri": uri(file) } });
        self.request("textDocument/documentSymbol", params);
    }

    /// Waits until this number of checks has finished and none is running.
    fn wait_for_checks(&mut self, count: usize) {
        while self.checks[1] < count || self.checks[0] > self.checks[1] {
            // If the server cannot start a check, it reports that, and no check begins.
            if self.status["message"].as_str().is_some_and(|m| m.contains("cargo check failed")) {
                self.give_up("it cannot check the crate");
            }
            self.take_message();
        }
    }

    /// Sends a new text of a file.
    pub(crate) fn change(&mut self, file: &Path, version: usize, text: &str) {
        let document = json!({ "uri": uri(file), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", params);
    }

    /// Returns the answer to a request, which must succeed.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_request(method, params.clone());
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// Returns the answer to a request, or the error.
    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        loop {
            let answer = self.ask(method, &params);
            let code = answer["error"]["code"].as_i64();
            if matches!(code, Some(CONTENT_MODIFIED | SERVER_CANCELLED)) {
                thread::sleep(PAUSE);
                continue;
            }
            return match answer.get("error") {
                Some(error) => Err(error["message"].clone()),
                None => Ok(answer["result"].clone()),
            };
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.next_message();
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
            self.take(&message);
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
        if sent.and_then(|()| self.input.flush()).is_err() {
            self.give_up("it does not read");
        }
    }

    fn take_message(&mut self) {
        let message = self.next_message();
        self.take(&message);
    }

    /// Waits for a message while the server is alive.
    fn next_message(&mut self) -> Value {
        loop {
            match self.messages.recv_timeout(PAUSE) {
                Ok(message) => {
                    self.life.sign();
                    return message;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(reason) = self.life.check() {
                        self.give_up(&reason);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => self.give_up("it says nothing any more"),
            }
        }
    }

    /// Fails with all information about the server.
    fn give_up(&mut self, reason: &str) -> ! {
        // If the server ended by itself, its exit status contains the reason.
        for _ in 0..10 {
            if matches!(self.server.try_wait(), Ok(None)) {
                thread::sleep(PAUSE);
            }
        }
        let _ = self.server.kill();
        let status = self.server.wait();
        let errors = fs::read_to_string(&self.errors).unwrap_or_default();
        panic!(
            "the server: {reason}; {status:?}; its state: {}; it showed {:#?} and wrote\n{errors}",
            self.status, self.shown
        )
    }

    /// Handles a message that is not an answer: a notification, or a request of the server, which
    /// is answered with `null`.
    fn take(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("experimental/serverStatus") => self.status = params.clone(),
            Some("$/progress") if params["token"].to_string().contains("flycheck") => {
                match params["value"]["kind"].as_str() {
                    Some("begin") => self.checks[0] += 1,
                    Some("end") => self.checks[1] += 1,
                    _ => {}
                }
            }
            Some("textDocument/publishDiagnostics") => {
                let list = params["diagnostics"].as_array().cloned().unwrap_or_default();
                let file = params["uri"].as_str().unwrap_or_default();
                self.diagnostics.insert(file.to_owned(), list);
            }
            Some("window/showMessage" | "window/logMessage") => {
                self.shown.push(params["message"].to_string());
            }
            _ => {}
        }
        if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server may already have ended, so errors are ignored.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the URI of a file.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Reads the messages of a server in another thread until the server ends.
fn read_messages(output: ChildStdout) -> Receiver<Value> {
    let (sender, messages) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Some(message) = read_message(&mut output) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    messages
}

/// Reads a message: headers, an empty line, and the number of bytes in the headers. Returns `None`
/// at the end.
fn read_message(input: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
