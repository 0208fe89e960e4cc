//! Tests specifications in an editor: rust-analyzer, driven over its protocol.
//!
//! One server opens a crate of three modules. The specification of the first is correct, the second
//! has two faulty items, and the third has two half-typed items. Everything outside of the faulty
//! items must work in the same way in all three.

mod client;
mod crates;
mod life;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use client::Client;
use crates::{Build, Module, rustc, write_crate};
use isa_tests::tools::{self, Tool};
use serde_json::{Value, json};

const SERVER: Tool = Tool {
    program: "rust-analyzer",
    release: "rust-analyzer",
    install: "rustup component add rust-analyzer",
};

#[test]
#[ignore = "rust-analyzer needs half a minute: `cargo test -p isa-tests --test editor -- --ignored`"]
fn the_editor_works_on_specifications() {
    if !tools::are_here(&[SERVER]) {
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    let build = Build::new();
    write_crate(&root, "//! Three sets.\n\npub mod broken;\npub mod calc;\npub mod half;\n");
    let mut modules = [
        Module::write(&root, "Calc", ""),
        Module::write(&root, "Broken", include_str!("specs/broken.rs")),
        Module::write(&root, "Half", include_str!("specs/half.rs")),
    ];
    let mut client = Client::start(Command::new(SERVER.program), &root, settings(&build));
    client.wait_until_ready();
    // Files are opened only now, because the server would assign earlier files to another edition.
    for module in &modules {
        client.open(&module.file, &module.text);
    }
    for module in &modules {
        leads_to_the_specification(&mut client, module);
        shows_docs_and_bits(&mut client, module);
        finds_uses(&mut client, module);
        completes(&mut client, module);
        refuses_to_rename(&mut client, module);
    }
    shows_faults_at_their_tokens(&mut client, &modules);
    renames_alike(&mut client, &modules);
    renamed_crate_compiles(&mut client, &mut modules[0], &root, &build);
    let panics = client.shown.iter().filter(|text| text.contains("panic"));
    assert_eq!(panics.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Returns the settings. They exclude the standard library, which would take most of the time and
/// is not tested.
fn settings(build: &Build) -> Value {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"]).trim());
    let name = format!("rust-analyzer-proc-macro-srv{}", std::env::consts::EXE_SUFFIX);
    let variables: HashMap<&str, &str> = HashMap::from(Build::VARIABLES);
    json!({
        "checkOnSave": true,
        // The crate has no tests.
        "check": { "allTargets": false },
        "cachePriming": { "enable": false },
        "cargo": {
            "sysroot": null,
            "target": build.processor,
            "targetDir": build.folder,
            "extraEnv": variables
        },
        "procMacro": { "server": sysroot.join("libexec").join(name) }
    })
}

/// Returns the answer to a request about a position: for each range, its line with the token in
/// brackets.
fn ranges(client: &mut Client, module: &Module, method: &str, place: &str) -> Vec<String> {
    let mut params = module.at(place);
    params["context"] = json!({ "includeDeclaration": false });
    let answer = client.request(method, params);
    let all = answer.as_array().cloned().unwrap_or_default();
    let shown = all.iter().map(|location| {
        assert_eq!(location["uri"], client::uri(&module.file), "{place}");
        module.show(&location["range"])
    });
    shown.collect()
}

/// Checks go-to-definition: the first result is the token of the specification. If the name is
/// spelled as in the specification, it is the only result. Otherwise the macro call follows.
fn leads_to_the_specification(client: &mut Client, module: &Module) {
    let cases = [
        ("let add = ~AddRr::new", "opcode [ADD_RR] : [SUM] {", 1),
        ("AddRr::~new", "opcode [ADD_RR] : [SUM] {", 2),
        ("Calc::~AddRr(add)", "opcode [ADD_RR] : [SUM] {", 1),
        ("if let ~Calc::", "pub isa [Calc]: u32;", 1),
        (".~limit(Limit::SAT)", "field<3, 1> Limit [limit] = WRAP;", 1),
        (".~get_limit()", "field<3, 1> Limit [limit] = WRAP;", 2),
        (".~ra_neg(true)", "field<20, 1> Sign ra.[neg] = Plus;", 2),
        ("limit(Limit::~SAT)", "enum Limit: 1 { WRAP = 0, [SAT] = 1 }", 1),
        ("limit(~Limit::SAT)", "enum [Limit]: 1 { WRAP = 0, SAT = 1 }", 1),
        ("O: ~CalcIsSum", "optype [SUM] : [ALU] {", 2),
        ("clamp(Ra.value, right, ~limit)", "field<3, 1> Limit [limit] = WRAP;", 2),
        ("~clamp(Ra.value", "pub fn [clamp](left: u32, right: u32, limit: Limit) -> u32 {", 1),
        ("= limit == ~SAT", "enum Limit: 1 { WRAP = 0, [SAT] = 1 }", 1),
        ("= ~limit == SAT", "field<3, 1> Limit [limit] = WRAP;", 2),
        ("~Limit limit = WRAP", "enum [Limit]: 1 { WRAP = 0, SAT = 1 }", 1),
        ("SUB{.~SAT}", "enum Limit: 1 { WRAP = 0, [SAT] = 1 }", 1),
        ("COUNT of ~Minus2", "opcode [Minus2] : [SUM] {", 1),
        ("op == ~ADD", "enum Op: 3 { [ADD] = 1, SUB = 2, ABS = 3, NOT = 4 }", 1),
    ];
    for (place, expected, count) in cases {
        let found = ranges(client, module, "textDocument/definition", place);
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{} {place}: {found:#?}",
            module.set
        );
        assert_eq!(found.len(), count, "{} {place}: {found:#?}", module.set);
    }
}

/// Checks hover texts, at a use and at the token of the specification.
fn shows_docs_and_bits(client: &mut Client, module: &Module) {
    let opcode = &["Adds two numbers.", "ADD{.limit} Rd, {-}Ra, {-}Rb;", "28:21"][..];
    let field = &["Limits the result.", "`limit`: `Limit`, bit 3"][..];
    let value = &["`SAT`, the bits `0b1`"][..];
    let cases = [
        ("let add = ~AddRr::new", opcode),
        ("opcode ~ADD_RR", opcode),
        (".~limit(Limit::SAT)", field),
        ("Limit ~limit = WRAP", field),
        ("ADD{.~limit}", field),
        (".~get_limit()", &field[1..]),
        ("ra.~neg = Plus", &["`ra.neg`: `Sign`, bit 20"]),
        ("limit(Limit::~SAT)", value),
        ("WRAP = 0, ~SAT", value),
        ("enum ~Limit", &["The handling of overflow."]),
        ("isa ~Calc", &["Arithmetic on registers."]),
    ];
    for (place, expected) in cases {
        let answer = client.request("textDocument/hover", module.at(place));
        let text = answer["contents"]["value"].as_str().unwrap_or_default();
        for part in expected {
            assert!(text.contains(part), "{} {place}: no {part:?} in {text}", module.set);
        }
        assert!(!text.contains("<td"), "{} {place}: the picture of rustdoc in {text}", module.set);
    }
}

/// Checks references from the tokens of the specification.
fn finds_uses(client: &mut Client, module: &Module) {
    let cases: [(&str, &[&str]); 4] = [
        (
            "Limit ~limit = WRAP",
            &[
                "= [limit] == SAT and rb.neg == Minus;",
                "Rd = clamp(Ra.value, right, [limit]);",
                "syntax { ADD{.[limit]} Rd, {-}Ra, {-}Rb; }",
                "Minus2::new(Reg::R1, Reg::R2, Reg::R3).[limit](add.get_limit());",
            ],
        ),
        ("WRAP = 0, ~SAT", &["Limit::[SAT] =>", "[SAT] and", "{.[SAT]}", "(Limit::[SAT])"]),
        ("opcode ~Minus2", &["let minus: [Minus2] =", "= [Minus2]::new"]),
        ("enum ~Limit", &["limit: [Limit])", "[Limit] limit = WRAP"]),
    ];
    for (place, expected) in cases {
        let found = ranges(client, module, "textDocument/references", place);
        for part in expected {
            let has = found.iter().any(|line| line.contains(part));
            assert!(has, "{} {place}: no {part:?} in {found:#?}", module.set);
        }
    }
}

/// Checks completion in a semantic function.
fn completes(client: &mut Client, module: &Module) {
    let mut cases = vec![
        ("clamp(Ra.~value", &["value", "neg"][..]),
        ("let right = ~if", &["Ra", "Rb", "limit", "clamp", "Limit"][..]),
    ];
    if module.set == "Half" {
        cases.push(("{ Rd = Ra.~ }", &["value", "neg"]));
    }
    for (place, expected) in cases {
        let answer = client.request("textDocument/completion", module.at(place));
        let items = answer["items"].as_array().or(answer.as_array()).cloned().unwrap_or_default();
        let text = |item: &Value| {
            item["filterText"].as_str().or(item["label"].as_str()).map(str::to_owned)
        };
        let offered: Vec<String> = items.iter().filter_map(text).collect();
        for name in expected {
            let has = offered.iter().any(|offer| offer == name);
            assert!(has, "{} {place}: no {name} in {offered:?}", module.set);
        }
    }
}

/// Checks that renaming is rejected, and not done wrongly, for names that the specification spells
/// differently.
fn refuses_to_rename(client: &mut Client, module: &Module) {
    for place in [
        "AddRr::~new",
        ".~get_limit()",
        ".~ra_neg(true)",
        "O: ~CalcIsSum",
        "opcode ~ADD_RR",
        "ra.~neg = Plus",
        "from(Rb.~neg)",
        "clamp(Ra.~value",
    ] {
        let mut params = module.at(place);
        params["newName"] = json!("other");
        let answer = client.try_request("textDocument/rename", params);
        assert!(answer.is_err(), "{} {place}: {answer:?}", module.set);
    }
}

/// Returns the edits of a rename, which must all be in this module.
fn rename(client: &mut Client, module: &Module, place: &str, new: &str) -> Vec<Value> {
    let mut params = module.at(place);
    params["newName"] = json!(new);
    let answer = client.request("textDocument/rename", params);
    let files = answer["documentChanges"].as_array().cloned().unwrap_or_default();
    let edits = files.iter().flat_map(|file| {
        assert_eq!(file["textDocument"]["uri"], client::uri(&module.file), "{place}");
        file["edits"].as_array().cloned().unwrap_or_default()
    });
    edits.collect()
}

/// Checks that a faulty item does not affect the renaming of the others.
fn renames_alike(client: &mut Client, modules: &[Module]) {
    for place in ["Limit ~limit = WRAP", ".~limit(Limit::SAT)", "limit(Limit::~SAT)", "isa ~Calc"] {
        let mut edits = modules.iter().map(|module| {
            let edits = rename(client, module, place, "other");
            let shown =
                edits.iter().map(|edit| (module.show(&edit["range"]), edit["newText"].to_string()));
            shown.collect::<Vec<_>>()
        });
        let whole = edits.next().expect("there are three");
        assert!(whole.len() > 2, "{place}: {whole:#?}");
        edits.for_each(|edits| assert_eq!(edits, whole, "{place}"));
    }
}

/// Checks renames from uses and from the specification, one after another in the text of the first
/// module. At the end rustc compiles the result.
fn renamed_crate_compiles(client: &mut Client, module: &mut Module, root: &Path, build: &Build) {
    let copy = root.join("renamed");
    write_crate(&copy, &format!("//! One set.\n\n{}", module.text));
    assert_eq!(build.check(&copy), "", "before the renames");
    let renames: [(&[&str], &str); 10] = [
        (&["Limit ~limit = WRAP"], "bound"),
        (&["bound(Limit::~SAT)"], "CLAMP"),
        (&["Limit bound = ~WRAP"], "MODULO"),
        (&["enum ~Limit"], "Range"),
        (&[".~rd(Reg::R4)"], "dest"),
        (&["Reg ~ra;"], "left"),
        (&["isa ~Calc"], "Sums"),
        (&["from(~Rb.neg)"], "Right"),
        (&["opcode ~Minus2"], "Minus"),
        (&["let add = ~AddRr::new", "Sums::~AddRr(add)"], "PlusRr"),
    ];
    let mut done = Vec::new();
    for (version, (places, new)) in renames.into_iter().enumerate() {
        let edits = places.iter().flat_map(|place| rename(client, module, place, new));
        let edits: Vec<Value> = edits.collect();
        assert!(edits.len() > 1, "{places:?}: {edits:?}");
        module.apply(&edits);
        client.change(&module.file, version + 2, &module.text);
        done.push(new);
    }
    write_crate(&copy, &format!("//! One set.\n\n{}", module.text));
    let said = build.check(&copy);
    assert_eq!(said, "", "after the renames to {done:?}:\n{}", module.text);
}

/// Checks that each error of the macro is shown exactly at the token that must change. The errors
/// come from rustc, which the server runs when a file is saved.
fn shows_faults_at_their_tokens(client: &mut Client, modules: &[Module]) {
    let expected: [&[(&str, &str)]; 3] = [
        &[],
        &[("=", "expected a name"), ("Roundness", "unknown type `Roundness`")],
        &[
            (",", "expected a name after this"),
            ("sema", "unknown section `sema`"),
            ("}", "unexpected end of input, expected curly braces"),
        ],
    ];
    // The last diagnostics of a check can arrive after the check has ended. Sometimes the server
    // loses one permanently, and then another check shows it.
    for round in 0..600 {
        if round % 100 == 0 {
            client.save(&modules[0].file);
        }
        let counts = modules.iter().map(|module| client.diagnostics(&module.file, "[ISA").len());
        if counts.eq(expected.iter().map(|faults| faults.len())) {
            break;
        }
        thread::sleep(Duration::from_millis(100));
        client.symbols(&modules[0].file);
    }
    for (module, expected) in modules.iter().zip(expected) {
        let shown = client.diagnostics(&module.file, "[ISA");
        for (token, message) in expected {
            let is = |fault: &&Value| {
                module.token(&fault["range"]) == *token && said(fault).contains(message)
            };
            assert!(
                shown.iter().any(|fault| is(&fault)),
                "{}: no {message} at {token} in {shown:#?}",
                module.set
            );
        }
        assert_eq!(shown.len(), expected.len(), "{}: {shown:#?}", module.set);
        assert!(!shown.iter().any(|fault| said(fault).contains("panic")), "{shown:#?}");
    }
}

fn said(fault: &Value) -> &str {
    fault["message"].as_str().unwrap_or_default()
}
