//! A client of the language-server protocol, as far as the tests need one.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the server may take for anything, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a server answers while it takes up a change: ask again.
const CONTENT_MODIFIED: i64 = -32801;
const SERVER_CANCELLED: i64 = -32802;

/// A running server, which ends with this value.
pub(crate) struct Client {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last_id: i64,
    /// What the server last said of itself.
    status: Value,
    /// What it shows in each file.
    diagnostics: HashMap<String, Vec<Value>>,
    /// What it said to the user.
    pub(crate) shown: Vec<String>,
}

impl Client {
    /// Starts the server on a crate.
    pub(crate) fn start(mut command: Command, root: &Path, settings: Value) -> Client {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = piped.current_dir(root).spawn().expect("the server starts");
        let input = server.stdin.take().expect("stdin is piped");
        let output = server.stdout.take().expect("stdout is piped");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (diagnostics, shown) = (HashMap::new(), Vec::new());
        let mut client =
            Client { server, input, messages, last_id: 0, status: Value::Null, diagnostics, shown };
        client.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": uri(root),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
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

    /// Waits until all is loaded and the macros are built.
    pub(crate) fn wait_until_ready(&mut self) {
        let start = Instant::now();
        while self.status["quiescent"] != true {
            assert!(start.elapsed() < PATIENCE, "the server is not ready: {}", self.status);
            self.take_messages(Duration::from_secs(1));
        }
        assert_ne!(self.status["health"], "error", "{}: {:?}", self.status, self.shown);
    }

    /// What the server shows in a file of the kind `mark`, once that is `count` or more.
    pub(crate) fn diagnostics(&mut self, file: &Path, mark: &str, count: usize) -> Vec<Value> {
        let (file, start) = (uri(file), Instant::now());
        loop {
            let all = self.diagnostics.get(&file).cloned().unwrap_or_default();
            let is = |fault: &Value| fault["message"].as_str().is_some_and(|m| m.contains(mark));
            let shown: Vec<Value> = all.into_iter().filter(is).collect();
            if shown.len() >= count || start.elapsed() > PATIENCE {
                return shown;
            }
            self.take_messages(Duration::from_millis(200));
        }
    }

    /// Shows a file to the server.
    pub(crate) fn open(&mut self, file: &Path, text: &str) {
        let document =
            json!({ "uri": uri(file), "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Tells the server that a file was saved, so that it has rustc check the crate.
    pub(crate) fn saved(&mut self, file: &Path) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(file) } }));
    }

    /// Shows a new text of a file.
    pub(crate) fn change(&mut self, file: &Path, version: usize, text: &str) {
        let document = json!({ "uri": uri(file), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", params);
    }

    /// The answer to a request, which must succeed.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_request(method, params.clone());
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// The answer to a request, or the error.
    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let start = Instant::now();
        loop {
            let answer = self.ask(method, &params);
            let code = answer["error"]["code"].as_i64();
            if matches!(code, Some(CONTENT_MODIFIED | SERVER_CANCELLED))
                && start.elapsed() < PATIENCE
            {
                std::thread::sleep(Duration::from_millis(100));
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
        let (id, start) = (self.last_id, Instant::now());
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            assert!(start.elapsed() < PATIENCE, "no answer to {method} {params}");
            if let Some(message) = self.next_message(Duration::from_secs(1)) {
                if message.get("method").is_none() && message["id"] == id {
                    return message;
                }
                self.take(&message);
            }
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
        sent.and_then(|()| self.input.flush()).expect("the server reads");
    }

    fn take_messages(&mut self, within: Duration) {
        if let Some(message) = self.next_message(within) {
            self.take(&message);
        }
    }

    fn next_message(&mut self, within: Duration) -> Option<Value> {
        match self.messages.recv_timeout(within) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the server ended: {:?}; it said {:?}", self.server.wait(), self.shown)
            }
        }
    }

    /// Takes what is no answer: news, or a question of the server, which gets `null`.
    fn take(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("experimental/serverStatus") => self.status = params.clone(),
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
        // Whether it has ended before makes no difference.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A file as the protocol names it.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A message: headers, an empty line, and as many bytes as the headers say. `None` at the end.
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
