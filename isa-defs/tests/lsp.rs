//! Tests the process `isa lsp` with a client over pipes: a session, and invalid messages.

#[path = "lsp/client.rs"]
mod client;
#[path = "lsp/measure.rs"]
mod measure;

use client::{Client, URI, edited, framed, labels, place};
use serde_json::{Value, json};

fn server() -> Client {
    Client::of(env!("CARGO_BIN_EXE_isa"), &["lsp"])
}

#[test]
fn a_session() {
    let mut client = Client::of(env!("CARGO_BIN_EXE_isa"), &["lsp", "--stdio"]);
    let capabilities = client.begin("utf-16");
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    let found = client.open("HADD2.FTX R0, R1, R256; // 😀\n/* 😀 */ HADD2 R0, R1, R400;\n");
    let said: Vec<_> = found.iter().map(|it| (&it["code"], &it["range"]["start"])).collect();
    assert_eq!(
        said,
        [(&json!("unknown-modifier"), &place(0, 5)), (&json!("operand"), &place(1, 23))]
    );
    assert_eq!(
        found[0]["message"],
        "`HADD2` has no modifier `.FTX`\nno such modifier here\nhelp: did you mean `.FTZ`? expected \
         `.F16_V2`, `.BF16_V2`, `.FTZ`, `.SAT`, `.RN`, `.RM`, `.RP`, `.RZ` or `.F32`"
    );
    let range = json!({ "start": place(0, 8), "end": place(0, 9) });
    let found = client.change(&json!([{ "range": range, "text": "Z" }]));
    assert_eq!((found.len(), &found[0]["range"]["start"]), (2, &place(0, 18)));
    let found = client.change(&json!([{ "text": "@!P0 HFMA2.BF16_V2. R1, R2, R3, RZ;" }]));
    assert_eq!(found.len(), 1);

    let completions = client.ask("completion", json!({ "position": place(0, 19) }));
    let fits = labels(&completions);
    assert_eq!(fits, ["RELU", "RN", "RM", "RP", "RZ"], "neither FTZ nor SAT goes with BF16_V2");
    let completions = client.ask("completion", json!({ "position": place(0, 1) }));
    assert!(labels(&completions).contains(&"P0"), "{completions}");

    client.change(&json!([{ "text": "@!P0 HADD2.FTZ R1, R2, R3;" }]));
    let hover = client.ask("hover", json!({ "position": place(0, 8) }));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    for part in [
        "@!P0 HADD2.FTZ R1, R2, R3;",
        "**HADD2",
        "| 23..16 | rd | 0x1 | R1  (Reg, written, lanes 0b11 of 16 bits) |",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let text = "HADD2   R1 ,R2,R3 ; // 😀 a\nHADD2 R1, /* b */ R2, R3;HADD2 R1;";
    client.change(&json!([{ "text": text }]));
    let edits = client.ask("formatting", json!({ "options": {} }));
    let formatted = "HADD2 R1, R2, R3; // 😀 a\nHADD2 R1, /* b */ R2, R3;HADD2 R1;";
    assert_eq!(edited(text, &edits), formatted);
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.next()["params"]["diagnostics"], json!([]));
    client.end();
}

/// Returns the code of the error that a request causes.
fn refused(client: &mut Client, method: &str, params: &Value) -> i64 {
    client.call(method, params)["error"]["code"].as_i64().expect("an error")
}

#[test]
fn what_is_wrong_with_requests() {
    let mut client = server();
    let document = json!({ "uri": URI });
    let hover = json!({ "textDocument": document, "position": place(0, 0) });
    assert_eq!(refused(&mut client, "textDocument/hover", &hover), -32002, "before `initialize`");
    client.begin("utf-7");
    assert_eq!(refused(&mut client, "initialize", &json!({})), -32600);
    assert_eq!(refused(&mut client, "textDocument/dance", &json!({})), -32601);
    assert_eq!(refused(&mut client, "textDocument/hover", &hover), -32602, "no such text");
    client.open("HADD2 R0, R1, R2;");
    for position in [json!(null), json!(7), json!({ "line": -1, "character": "x" })] {
        let params = json!({ "textDocument": document, "position": position });
        assert_eq!(refused(&mut client, "textDocument/hover", &params), -32602);
    }
    let far = json!({ "textDocument": document, "position": place(usize::MAX, usize::MAX) });
    assert_eq!(client.call("textDocument/hover", &far)["error"], Value::Null);
    // Notifications have no responses, and invalid ones change nothing.
    client.notify("textDocument/dance", &json!({}));
    client.notify("textDocument/didOpen", &json!([]));
    client.notify("textDocument/didChange", &json!({ "textDocument": document }));
    let change = json!([{ "range": 1, "text": "" }, { "text": 1 }, "x"]);
    assert_eq!(client.change(&change), [Value::Null; 0]);
    assert_eq!(client.call("shutdown", &Value::Null)["error"], Value::Null);
    assert_eq!(refused(&mut client, "textDocument/hover", &hover), -32600);
    client.notify("exit", &Value::Null);
    assert_eq!(client.status(), (0, String::new()));
}

#[test]
fn what_is_no_message() {
    let mut client = server();
    client.begin("utf-8");
    let mut refused = |body: &[u8]| {
        client.send(format!("Content-Type: x\r\ncontent-length:{}\r\n\r\n", body.len()).as_bytes());
        client.send(body);
        let answer = client.next();
        (answer["id"].clone(), answer["error"]["code"].as_i64().expect("an error"))
    };
    assert_eq!(refused(b"{\"jsonrpc\""), (Value::Null, -32700));
    assert_eq!(refused(b"\xff\xfe"), (Value::Null, -32700));
    assert_eq!(refused(b""), (Value::Null, -32700));
    assert_eq!(refused(b"[1, 2]"), (Value::Null, -32600));
    assert_eq!(refused(b"{\"id\": 7, \"method\": 1}"), (json!(7), -32600));
    assert_eq!(refused(b"{\"id\": [], \"method\": 1}"), (Value::Null, -32600));
    client.end();
}

#[test]
fn how_a_session_ends() {
    let ends = |bytes: &[u8]| {
        let mut client = server();
        client.send(bytes);
        let (status, message) = client.status();
        assert!(message.is_empty() == (status == 0), "{message}");
        (status, message)
    };
    let exit = framed(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(ends(&exit).0, 1, "before `shutdown`");
    assert_eq!(ends(b"").0, 1);
    assert_eq!(ends(b"Content-Length: 100\r\n\r\n{").0, 1, "cut short");
    for (header, said) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "invalid message header"),
        (b"\r\n", "without `Content-Length`"),
        (b"Content-Length: 99999999999999\r\n\r\n", "256 MiB"),
        (b"Content-Length: -1\r\n\r\n", "256 MiB"),
        (&[b'x'; 10_000], "unterminated message header"),
    ] {
        let (status, message) = ends(header);
        assert!(status == 1 && message.contains(said), "{message}");
    }
}

/// `cargo test --release -p isa-defs --features lsp --test lsp -- --ignored --nocapture`
#[test]
#[ignore = "prints times"]
fn times() {
    let lines = [
        "HFMA2.FTZ.RP R1, -|R2.H1_H1|, R3, RZ;",
        "HADD2 R0, R1, R2; // c",
        "vadd4.u32.u32.u32 r1, r2, r3, r4;",
        "@!P0 HMUL2 R3, R4, R5;",
    ];
    measure::measure(server(), &lines, 8, "HADD2 R0, R1, R2;");
}
