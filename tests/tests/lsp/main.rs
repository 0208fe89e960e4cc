//! Tests the language server with very different sets. After any edits it reports the same errors
//! as `asm`, renaming and formatting preserve the words, and its completions can be parsed.

#[path = "../../../isa-defs/tests/lsp/client.rs"]
mod client;
mod foreign;
mod parts;
mod subjects;

use std::fmt::Write as _;

use client::{URI, edited, place};
use isa_core::shown::Shown;
use serde_json::{Value, json};
use subjects::{Numbers, Subject, subjects};

/// Returns the errors that `asm` reports for a text: code, start and end, title with label and
/// help.
fn said_by_asm(subject: &Subject, text: &str) -> Vec<(String, [u64; 4], String)> {
    // In a listing, data may have any length.
    let args = ["asm", "--emit", "listing", "--json", "--error-limit", "0"];
    let (_, errors) = (subject.run)(&args, text.as_bytes());
    let all = errors.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut said: Vec<_> = all
        .filter(|error| error["level"] == "error" && !error["file"].is_null())
        .map(|error| {
            let number = |key: &str| error[key].as_u64().expect("a number") - 1;
            // An editor does not show hidden characters, which JSON escapes.
            let shown = |text: &Value| Shown(text.as_str().expect("a text")).to_string();
            let mut message = shown(&error["message"]);
            if !error["label"].is_null() {
                let _ = write!(message, "\n{}", shown(&error["label"]));
            }
            for help in error["help"].as_array().into_iter().flatten() {
                let _ = write!(message, "\nhelp: {}", shown(help));
            }
            let place = ["line", "column", "end_line", "end_column"].map(number);
            (error["code"].as_str().expect("a code").to_owned(), place, message)
        })
        .collect();
    said.sort();
    said
}

/// Returns diagnostics in the same form. Characters are Unicode scalar values, like the columns of
/// `asm`.
fn said_by_server(diagnostics: &[Value]) -> Vec<(String, [u64; 4], String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut said: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| {
            let [start, end] = ["start", "end"].map(|key| &diagnostic["range"][key]);
            let number = |value: &Value| value.as_u64().expect("a number");
            let place = [&start["line"], &start["character"], &end["line"], &end["character"]];
            (text(&diagnostic["code"]), place.map(number), text(&diagnostic["message"]))
        })
        .collect();
    said.sort();
    said
}

#[test]
fn after_any_edits_it_says_what_asm_says() {
    for subject in subjects() {
        let mut numbers = Numbers(0x5eed);
        let mut client = (subject.server)();
        client.begin("utf-32");
        for _ in 0..30 {
            let mut text = subject.text(&mut numbers, 12);
            let mut found = client.open(&text);
            for _ in 0..12 {
                assert_eq!(said_by_server(&found), said_by_asm(&subject, &text), "{text:?}");
                let (range, new) = subject.edit(&text, &mut numbers);
                let position = |at: usize| {
                    let before = &text[..at];
                    let start = before.rfind('\n').map_or(0, |at| at + 1);
                    place(before.matches('\n').count(), before[start..].chars().count())
                };
                let places = json!({ "start": position(range.start), "end": position(range.end) });
                found = client.change(&json!([{ "range": places, "text": new }]));
                text.replace_range(range, &new);
            }
        }
        client.end();
    }
}

#[test]
fn formatting_keeps_words_comments_and_what_is_wrong() {
    for subject in subjects() {
        let mut numbers = Numbers(0xf0);
        let mut client = (subject.server)();
        client.begin("utf-16");
        for _ in 0..40 {
            let text = subject.text(&mut numbers, 12).replace(", ", " , ");
            let before = said_by_server(&client.open(&text));
            let formatted = edited(&text, &client.ask("formatting", json!({ "options": {} })));
            let words = |text: &str| (subject.run)(&["asm"], text.as_bytes()).0;
            assert_eq!(words(&formatted), words(&text), "{text:?}\n{formatted:?}");
            let after = said_by_server(&client.open(&formatted));
            let said = |all: &[(String, [u64; 4], String)]| {
                all.iter()
                    .map(|(code, _, message)| (code.clone(), message.clone()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(said(&after), said(&before), "{text:?}\n{formatted:?}");
            assert_eq!(text.lines().count(), formatted.lines().count());
            let edits = client.ask("formatting", json!({ "options": {} }));
            assert_eq!(edits, json!([]), "a second time: {formatted:?}");
        }
        client.end();
    }
}

#[test]
fn a_renamed_label_leads_to_the_same_words() {
    for subject in subjects().into_iter().filter(|subject| subject.has_labels) {
        let mut numbers = Numbers(0x4e);
        let mut client = (subject.server)();
        client.begin("utf-16");
        let mut count = 0;
        for _ in 0..60 {
            let text = subject.program(&mut numbers, 12);
            if !client.open(&text).is_empty() {
                continue;
            }
            let symbols = client.ask("documentSymbol", json!({}));
            for symbol in symbols.as_array().expect("symbols") {
                let at = symbol["range"]["start"].clone();
                // Compilers write names with dots.
                let name = format!("new{}{count}.x", if count % 2 == 0 { '_' } else { '.' });
                let name = if count % 2 == 0 { name.trim_end_matches(".x") } else { &name };
                let renamed = client.ask("rename", json!({ "position": at, "newName": name }));
                let renamed = edited(&text, &renamed["changes"][URI]);
                let (words, errors) = (subject.run)(&["asm"], renamed.as_bytes());
                assert_eq!(errors, "", "{renamed}");
                assert_eq!(words, (subject.run)(&["asm"], text.as_bytes()).0, "{text}\n{renamed}");
                let old = symbol["name"].as_str().expect("a name");
                assert!(!renamed.contains(&format!("{old}:")), "{old} in {renamed}");
                count += 1;
            }
        }
        assert!(count > 30, "{count} labels of {}", subject.name);
        client.end();
    }
}

#[test]
fn constants_are_offered_shown_renamed_and_kept() {
    for subject in subjects().into_iter().filter(|subject| subject.has_labels) {
        let add = if subject.name == "rv" { "addi a0, a0, " } else { "add x0, x0, #" };
        let text =
            format!(".equ SIZE, 4 + 8;\n{add}SIZE  ;\n.4byte SIZE;\n{add}12;\n{add}4096 + ;\n");
        let words = |text: &str| (subject.run)(&["asm"], text.as_bytes());
        let right = text.rsplit_once(&format!("{add}4096")).expect("the last line").0;
        assert_eq!(words(right), words(&right.replace("SIZE ", "12 ").replace("e SIZE", "e 12")));
        let mut client = (subject.server)();
        client.begin("utf-16");
        assert_eq!(client.open(&text).len(), 1, "{text}");

        let column = add.len() as u64;
        let hover = client.ask("hover", json!({ "position": place(1, column as usize + 1) }));
        assert_eq!(hover["contents"]["value"], "`SIZE` = `12`, defined on line 1");
        let definition = client.ask("definition", json!({ "position": place(2, 9) }));
        assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": 5 }));
        let formatted = edited(&text, &client.ask("formatting", json!({ "options": {} })));
        assert_eq!(formatted, text, "the spelling of a constant stays");
        let renamed = client.ask("rename", json!({ "position": place(2, 9), "newName": "LEN" }));
        assert_eq!(edited(&text, &renamed["changes"][URI]), text.replace("SIZE", "LEN"));

        let text = format!(".equ SIZE, 12;\n.equ HUGE, 0x123456789;\n{add}S");
        client.open(&text);
        let end = place(2, add.len() + 1);
        let completions = client.ask("completion", json!({ "position": end }));
        assert!(client::labels(&completions).contains(&"SIZE"), "{completions}");
        let item = completions["items"].as_array().expect("items").iter();
        let mut item = item.filter(|item| item["label"] == "SIZE");
        assert_eq!(item.next().expect("SIZE")["detail"], "12");
        client.end();
    }
}

#[test]
fn labels_of_sections_have_their_addresses_and_are_renamed() {
    let names = ["here", "here.part.0"].into_iter();
    let all = names.flat_map(|name| subjects().into_iter().map(move |subject| (subject, name)));
    for (subject, name) in all.filter(|(subject, _)| subject.has_labels) {
        let text =
            ".data;\nhere: .8byte here;\n.section other;\n.text;\n.4byte 1;\n.data; .equ n, 2;\n";
        let text = &*text.replace("here", name);
        // A column in the name after `.8byte`.
        let at = name.len() + 11;
        let words = |text: &str| (subject.run)(&["asm", "--emit", "bin"], text.as_bytes());
        let mut client = (subject.server)();
        client.begin("utf-16");
        assert_eq!(client.open(text).len(), 0, "{text}");
        // The four bytes of `.text` come first.
        let hover = client.ask("hover", json!({ "position": place(1, at) }));
        let value = format!("`{name}` = `0x4`, defined on line 2");
        assert_eq!(hover["contents"]["value"], value);
        let asked = json!({ "position": place(1, at), "newName": "th.ere.1" });
        let renamed = edited(text, &client.ask("rename", asked)["changes"][URI]);
        assert_eq!(renamed, text.replace(name, "th.ere.1"));
        assert_eq!(words(&renamed), words(text));
        let formatted = edited(text, &client.ask("formatting", json!({ "options": {} })));
        assert_eq!(formatted, text);
        let tokens = client.ask("semanticTokens/full", json!({}));
        let numbers: Vec<u64> =
            tokens["data"].as_array().expect("data").iter().filter_map(Value::as_u64).collect();
        // The first token is a directive, and so is the first token of the third line, which a
        // label follows.
        let (directive, label) = (numbers[3], numbers[8]);
        let third =
            numbers.chunks(5).position(|token| token[..3] == [1, 0, 8]).expect("`.section`");
        let third: Vec<_> = numbers.chunks(5).skip(third).take(2).map(|token| token[3]).collect();
        assert_eq!(third, [directive, label]);
        client.end();
    }
}

/// Returns whether a text can be parsed up to its end. It appends an invalid character, whose error
/// must then be the first one.
fn is_read(subject: &Subject, text: &str) -> bool {
    let behind = (text.matches('\n').count() as u64, {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        text[start..].chars().count() as u64
    });
    [text.to_owned(), format!("{text}."), format!("{text} "), format!("{text};")].iter().any(
        |text| {
            let said = said_by_asm(subject, text);
            said.iter().all(|(code, [line, column, ..], _)| {
                (*line, *column) >= behind || code == "missing-modifier"
            })
        },
    )
}

#[test]
fn what_is_offered_is_read() {
    for subject in subjects() {
        let mut numbers = Numbers(0xc0);
        let mut client = (subject.server)();
        client.begin("utf-16");
        let (mut tried, mut offered) = (0, 0);
        for _ in 0..60 {
            let line = subject.statement(&mut numbers);
            let end = (0..=line.len()).filter(|&at| line.is_char_boundary(at)).collect::<Vec<_>>();
            let end = end[numbers.below(end.len())];
            let (text, rest) = line.split_at(end);
            client.open(text);
            let completions = client.ask("completion", json!({ "position": place(0, end) }));
            let items = completions["items"].as_array().expect("items");
            tried += usize::from(!items.is_empty());
            for _ in 0..items.len().min(4) {
                let item = &items[numbers.below(items.len())];
                let completed = edited(text, &json!([item["textEdit"]]));
                assert!(is_read(&subject, &completed), "{text:?} {rest:?}: {completed:?}");
                offered += 1;
            }
        }
        assert!(tried > 30 && offered > 100, "{}: {tried}, {offered}", subject.name);
        client.end();
    }
}

#[test]
fn a_word_that_was_begun_is_offered_whole() {
    for subject in subjects() {
        let mut numbers = Numbers(0xb0);
        let mut client = (subject.server)();
        client.begin("utf-16");
        for _ in 0..60 {
            let line = subject.statement(&mut numbers);
            let mnemonic: String = line
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
                .collect();
            client.open(&line[..1]);
            let completions = client.ask("completion", json!({ "position": place(0, 1) }));
            let offered = client::labels(&completions);
            let found = offered.iter().any(|offer| mnemonic.starts_with(offer));
            assert!(found || mnemonic.is_empty(), "{line}: {offered:?}");
        }
        client.end();
    }
}

#[test]
fn tokens_lie_in_the_text_one_behind_the_other() {
    for subject in subjects() {
        let mut numbers = Numbers(0x70);
        let mut client = (subject.server)();
        let capabilities = client.begin("utf-8");
        let legend = &capabilities["semanticTokensProvider"]["legend"];
        let types = legend["tokenTypes"].as_array().expect("types").len() as u64;
        for _ in 0..60 {
            let text = subject.text(&mut numbers, 12);
            client.open(&text);
            let tokens = client.ask("semanticTokens/full", json!({}));
            let numbers: Vec<u64> =
                tokens["data"].as_array().expect("data").iter().filter_map(Value::as_u64).collect();
            let lines: Vec<_> = text.split('\n').collect();
            let (mut line, mut column, mut end) = (0, 0, 0);
            for token in numbers.chunks(5) {
                let [lines_on, columns_on, length, kind, _] = token else { panic!("{token:?}") };
                (line, column) = match lines_on {
                    0 => (line, column + columns_on),
                    _ => (line + lines_on, *columns_on),
                };
                assert!(*lines_on > 0 || column >= end, "{text:?} {token:?}");
                end = column + length;
                assert!(end <= lines[line as usize].len() as u64 && *length > 0, "{text:?}");
                assert!(*kind < types);
            }
        }
        client.end();
    }
}
