//! Tests the process `rv lsp` with a client over pipes: labels, and statements that end with the
//! line.

#[path = "../../tests/lsp/client.rs"]
mod client;
#[path = "../../tests/lsp/measure.rs"]
mod measure;

use client::{Client, URI, edited, framed, labels, place};
use serde_json::json;

const TEXT: &str = "# sum
loop:   add  a0,a0 , a1   # once
        c.addi a1, -1
        bnez a1, loop

        beq a0, a1, done; j loop
done:   .4byte loop, done
";

#[test]
fn labels_are_found_and_renamed() {
    let mut client = Client::of(env!("CARGO_BIN_EXE_rv"), &["lsp"]);
    client.begin("utf-16");
    assert_eq!(client.open(TEXT), [serde_json::Value::Null; 0]);
    let at = json!({ "position": place(3, 19) });
    let definition = client.ask("definition", at.clone());
    assert_eq!(definition["range"], json!({ "start": place(1, 0), "end": place(1, 4) }));
    let references = client.ask("references", at.clone());
    let lines: Vec<_> = references.as_array().unwrap().iter().collect();
    let lines: Vec<_> = lines.iter().map(|it| it["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [1, 3, 5, 6].map(Some));
    let hover = client.ask("hover", at.clone());
    assert_eq!(hover["contents"]["value"], "`loop` = `0x0`, defined on line 2");
    let symbols = client.ask("documentSymbol", json!({}));
    assert_eq!((&symbols[0]["name"], &symbols[1]["detail"]), (&json!("loop"), &json!("0x12")));

    let renamed = client.ask("rename", json!({ "position": place(3, 19), "newName": ".L$1" }));
    assert_eq!(edited(TEXT, &renamed["changes"][URI]), TEXT.replace("loop", ".L$1"));
    for name in ["done", "1x", "a b", "", "."] {
        let mut params = at.clone();
        params["textDocument"] = json!({ "uri": URI });
        params["newName"] = json!(name);
        assert_eq!(client.call("textDocument/rename", &params)["error"]["code"], -32803, "{name}");
    }
    let completions = client.ask("completion", json!({ "position": place(3, 18) }));
    assert_eq!(labels(&completions), ["loop"]);
    let formatted = client.ask("formatting", json!({ "options": {} }));
    let formatted = edited(TEXT, &formatted);
    assert!(formatted.contains("loop:   add a0, a0, a1   # once\n"), "{formatted}");
    assert_eq!(formatted.lines().count(), TEXT.lines().count());
    client.end();
}

/// Checks that the server finds labels and constants in address parts such as `%lo(label)`, and
/// that a rename keeps the address part.
#[test]
fn labels_in_parts_of_addresses_are_found() {
    const TEXT: &str = "\
.equ SIZE, 8
start:  lui a0,%hi(table + SIZE)
        lw a1, %lo( table+4 )(a0)
table:  .4byte 1, 2
";
    let mut client = Client::of(env!("CARGO_BIN_EXE_rv"), &["lsp"]);
    client.begin("utf-16");
    assert_eq!(client.open(TEXT), [serde_json::Value::Null; 0]);
    let at = json!({ "position": place(2, 21) });
    let references = client.ask("references", at.clone());
    let places = references.as_array().unwrap().iter().map(|it| it["range"]["start"].clone());
    assert_eq!(places.collect::<Vec<_>>(), [place(1, 19), place(2, 20), place(3, 0)]);
    let renamed = client.ask("rename", json!({ "position": place(3, 2), "newName": "other" }));
    assert_eq!(edited(TEXT, &renamed["changes"][URI]), TEXT.replace("table", "other"));
    let renamed = client.ask("rename", json!({ "position": place(0, 6), "newName": "K" }));
    assert_eq!(edited(TEXT, &renamed["changes"][URI]), TEXT.replace("SIZE", "K"));
    let completions = client.ask("completion", json!({ "position": place(2, 23) }));
    assert_eq!(labels(&completions), ["table"]);
    let formatted = client.ask("formatting", json!({ "options": {} }));
    assert_eq!(edited(TEXT, &formatted), TEXT);
    client.end();
}

#[test]
fn edits_that_come_together_are_answered_once() {
    let mut client = Client::of(env!("CARGO_BIN_EXE_rv"), &["lsp"]);
    client.begin("utf-16");
    client.open("");
    let mut burst = Vec::new();
    for (version, letter) in "add a0, a1, a2".char_indices() {
        let end = place(0, version);
        let change = json!([{ "range": { "start": end, "end": end }, "text": letter.to_string() }]);
        let document = json!({ "uri": URI, "version": 100 + version });
        let params = json!({ "textDocument": document, "contentChanges": change });
        let method = "textDocument/didChange";
        burst.extend(framed(&json!({ "jsonrpc": "2.0", "method": method, "params": params })));
    }
    client.send(&burst);
    let last = loop {
        let note = client.next();
        if note["params"]["version"] == 113 {
            break note;
        }
    };
    assert_eq!(last["params"]["diagnostics"], json!([]));
    client.end();
}

/// `cargo test --release -p isa-riscv --features lsp --test lsp -- --ignored --nocapture`
#[test]
#[ignore = "prints times"]
fn times() {
    // Every tenth line is a label, and every tenth line is a branch to a label.
    let mut all = Vec::new();
    for number in 0..10_000 {
        all.push(match number % 10 {
            1 => format!("L{number}: add a0, a1, a2 # c"),
            3 => format!("        bne a0, a1, L{}", number / 100 * 100 + 1),
            5 => "        c.addi a1, -1".to_owned(),
            _ => "        lw a0, 8(s1)".to_owned(),
        });
    }
    let lines: Vec<_> = all.iter().map(String::as_str).collect();
    let client = Client::of(env!("CARGO_BIN_EXE_rv"), &["lsp"]);
    measure::measure(client, &lines, 10, "        add a0, a0, a0");
}
