//! Headless Chromium, driven over the pipe of its developer tools.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The command that starts the browser: the two ends of the pipe are its file descriptors 3 and 4.
/// It runs without a sandbox, because these pages are our own and root cannot use one.
const START: &str = "exec chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
                     --remote-debugging-pipe 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    number: u64,
    /// Events that were received but not yet requested.
    events: VecDeque<Value>,
    /// Errors of scripts and of the page so far.
    pub(crate) errors: Vec<String>,
}

impl Browser {
    pub(crate) fn start() -> Browser {
        let mut command = Command::new("sh");
        command.args(["-c", START]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // The browser does not remove its temporary files.
        command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
        let mut child = command.spawn().expect("a shell starts");
        let to = child.stdin.take().expect("piped");
        let from = BufReader::new(child.stdout.take().expect("piped"));
        let (session, events, errors) = (String::new(), VecDeque::new(), vec![]);
        let mut browser = Browser { child, to, from, session, number: 0, events, errors };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attached);
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method and returns its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser reads");
        loop {
            let mut answer = self.read();
            if answer["id"] == self.number {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.note(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut text = Vec::new();
        self.from.read_until(0, &mut text).expect("the browser writes");
        assert_eq!(text.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn note(&mut self, event: Value) {
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => self.errors.push(params["exceptionDetails"].to_string()),
            "Log.entryAdded" if params["entry"]["level"] == "error" => {
                self.errors.push(params["entry"].to_string());
            }
            "Runtime.consoleAPICalled" if params["type"] == "error" => {
                self.errors.push(params.to_string());
            }
            _ => self.events.push_back(event),
        }
    }

    /// Opens an address and waits until it is loaded completely.
    pub(crate) fn open(&mut self, address: &str) {
        // Open another page first. Otherwise the browser would not load a page whose address
        // differs only in its anchor.
        let blank = address.contains('#').then_some("about:blank");
        for address in blank.into_iter().chain([address]) {
            self.events.clear();
            self.call("Page.navigate", json!({"url": address}));
            loop {
                if self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
                    break;
                }
                let event = self.read();
                self.note(event);
            }
        }
    }

    /// Returns the value of an expression in the page, after waiting for it.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let options =
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", options);
        assert!(result["exceptionDetails"].is_null(), "{result}");
        result["result"]["value"].take()
    }

    /// Sets the size of the screen in pixels and its color scheme, light or dark.
    pub(crate) fn screen(&mut self, width: u32, height: u32, scheme: &str) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", screen);
        let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", scheme);
    }

    /// Returns a screenshot as a PNG.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        decoded(picture["data"].as_str().expect("a text"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Decodes a base64 text.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != b'=').map(digit).collect();
    let groups = bytes.chunks(4).flat_map(|group| {
        let number = group.iter().fold(0u32, |number, digit| number << 6 | u32::from(*digit));
        let number = number << (6 * (4 - group.len()));
        number.to_be_bytes().into_iter().skip(1).take(group.len() - 1)
    });
    groups.collect()
}

#[test]
fn base_64_is_decoded() {
    assert_eq!(decoded("aXNhIG1hbnVhbA=="), b"isa manual");
    assert_eq!(decoded("/+8="), [0xff, 0xef]);
}
