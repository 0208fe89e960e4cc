//! Tests with invalid foreign text: the output is always one call, no part of a source is lost, and
//! the import of a long source takes linear time.

use std::fmt::Write as _;
use std::time::Instant;

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

use super::{ImportError, ImportOptions, Source, format};

const DESCRIPTION: &str = include_str!("description.json");

fn import(name: &str, text: &str) -> Result<String, Vec<ImportError>> {
    format(name).unwrap().source(&[Source { name: "f", text }], &ImportOptions::default())
}

/// Returns the messages for a text that is rejected.
fn messages(name: &str, text: &str) -> Vec<String> {
    let faults = import(name, text).expect_err(text);
    faults.iter().map(ToString::to_string).collect()
}

/// Returns whether the source is one call, after the code that this crate writes before calls:
/// types with lists of texts, and registers.
fn is_one_call(source: &str) -> bool {
    let tokens: TokenStream = source.parse().expect(source);
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let texts: Vec<String> = trees.iter().map(ToString::to_string).collect();
    let calls = texts.iter().filter(|text| *text == "define_isa").count();
    let [.., core, _, _, call, _, TokenTree::Group(_)] = &trees[..] else { return false };
    let own = ["macro_rules", "const", "fn", "listed", "listed_format", "registers"];
    let mut before = texts[..texts.len() - 6].iter().filter(|text| {
        text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(char::is_numeric)
    });
    let known = [
        "longest",
        "read_listed",
        "texts",
        "cursor",
        "isa_core",
        "text",
        "Cursor",
        "_",
        "static",
        "str",
        "meant",
        "Result",
        "u64",
        "OperandError",
        "usize",
        "a",
        "mut",
    ];
    calls == 1
        && core.to_string() == "isa_core"
        && call.to_string() == "define_isa"
        && before.all(|word| own.contains(&&**word) || known.contains(&&**word))
}

/// Collects the strings of a description with their paths.
fn strings(value: &mut Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(path.to_owned()),
        Value::Array(list) => {
            list.iter_mut()
                .enumerate()
                .for_each(|(at, v)| strings(v, &format!("{path}/{at}"), found));
        }
        Value::Object(map) => {
            map.iter_mut().for_each(|(key, v)| strings(v, &format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

/// Texts that would end the code around them if they were inserted without checks.
const HOSTILE: [&str; 14] = [
    "A: u8; } pub fn pwned() { std::process::Command::new(\"id\"); } isa_core::define_isa! { pub isa Real",
    "x\"); pub fn pwned() {} (\"",
    "a }",
    "} } pub fn pwned() {} {{",
    "a; } pub fn pwned() {} opcode B { encoding { a == 1",
    "rd == 1; } } } pub fn pwned() {} isa_core::define_isa! { opcode A { exception { E<A, \"a\"> = rd == 1",
    "ADD rd; } } } pub fn pwned() {} mod a { const A: () = { ;",
    "a\npub fn pwned() {}",
    "a\rpub fn pwned() {}\u{2028}pub fn pwned() {}\u{202e}",
    "*/ pub fn pwned() {} /*",
    "a // b",
    "include_str!(\"/etc/passwd\")",
    "#[doc = include_str!(\"/etc/passwd\")] a",
    "r#\"a\"#",
];

#[test]
fn no_string_of_a_description_ends_what_is_around_it() {
    let whole: Value = serde_json::from_str(DESCRIPTION).unwrap();
    let source = import("json", DESCRIPTION).unwrap();
    assert!(is_one_call(&source), "{source}");
    let mut found = Vec::new();
    strings(&mut whole.clone(), "", &mut found);
    assert!(found.len() > 80);
    let (mut quoted, mut refused) = (0, 0);
    for path in &found {
        for text in HOSTILE {
            let mut damaged = whole.clone();
            *damaged.pointer_mut(path).unwrap() = text.into();
            match import("json", &damaged.to_string()) {
                Ok(source) => {
                    assert!(is_one_call(&source), "{path}: {source}");
                    let lines = || source.lines().filter(|line| line.contains("pwned"));
                    let is_comment = |line: &str| line.trim_start().starts_with("//");
                    assert!(lines().all(|line| is_comment(line) || line.contains('"')), "{source}");
                    let hidden = |c| c == '\r' || c == '\u{2028}' || c == '\u{202e}';
                    assert!(!source.contains(hidden), "{source}");
                    quoted += 1;
                }
                Err(faults) => {
                    assert!(faults.iter().all(|fault| !fault.to_string().contains('\n')));
                    refused += 1;
                }
            }
        }
    }
    assert!(quoted > 100 && refused > 500, "{quoted} quoted, {refused} refused");
}

/// The strings of a description that become part of the call, each with its path.
#[test]
fn names_of_a_description_are_refused_with_their_paths() {
    for (path, place) in [
        ("/name", "name"),
        ("/byte_order", "byte_order"),
        ("/groups/0/name", "groups[0].name"),
        ("/groups/1/parents/0", "groups[1].parents[0]"),
        ("/kinds/1/name", "kinds[1].name"),
        ("/kinds/0/values/0/name", "kinds[0].values[0].name"),
        ("/kinds/0/values/0/also/0", "kinds[0].values[0].also[0]"),
        ("/opcodes/0/name", "opcodes[0].name"),
        ("/opcodes/0/fields/1/name", "opcodes[0].fields[1].name"),
        ("/opcodes/0/aliases/0/row/name", "opcodes[0].aliases[0].row.name"),
        ("/opcodes/0/operands/0/field", "opcodes[0].operands[0].field"),
        ("/opcodes/0/lanes/0/mask", "opcodes[0].lanes[0].mask"),
        ("/opcodes/0/formats/0/name", "opcodes[0].formats[0].name"),
        ("/opcodes/0/flow/0/kind", "opcodes[0].flow[0].kind"),
        ("/opcodes/0/flow/0/target", "opcodes[0].flow[0]"),
        ("/opcodes/0/flow/0/condition", "opcodes[0].flow[0]"),
        ("/opcodes/0/illegal/0/class", "opcodes[0].illegal[0].class"),
        ("/opcodes/0/illegal/0/condition", "opcodes[0].illegal[0].condition"),
        ("/opcodes/0/syntax", "opcodes[0].syntax"),
        ("/opcodes/0/groups/1", "opcodes[0].groups[1]"),
        ("/opcodes/0/examples/0", "opcodes[0].examples[0]"),
    ] {
        let mut damaged: Value = serde_json::from_str(DESCRIPTION).unwrap();
        *damaged.pointer_mut(path).unwrap() = "a b; } {".into();
        let first = &messages("json", &damaged.to_string())[0];
        assert!(first.starts_with(&format!("f:1:1: `{place}`: expected ")), "{path}: {first}");
    }
    let mut damaged: Value = serde_json::from_str(DESCRIPTION).unwrap();
    damaged["kinds"][1]["name"] = "Num ber".into();
    assert!(messages("json", &damaged.to_string())[0].contains("found `Num ber`: write `Num_ber`"));
}

#[test]
fn a_mnemonic_is_not_a_part_of_a_literal() {
    let text = "x\",include_str!(\"/etc/passwd\") 31..0=1\n";
    assert_eq!(
        messages("riscv-opcodes", text)[0],
        "f:1:1: expected a mnemonic of letters, digits, `.` and `_`, found \
         `x\",include_str!(\"/etc/passwd\")`: write `x__include_str____etc_passwd__`"
    );
    for (text, message) in [
        (
            "a-b 31..0=1",
            "f:1:1: expected a mnemonic of letters, digits, `.` and `_`, found `a-b`: write `a_b`",
        ),
        (
            "1a 31..0=1",
            "f:1:1: expected a name of letters, digits and `_`, found `1A`: write `_1A`",
        ),
        ("a 31..7=0 6..0=0x+33", "f:1:11: expected `high..low=value`"),
        ("a 31..7=0 6..0=+3", "f:1:11: expected `high..low=value`"),
        ("a 31..7=0 6..0=0b+1", "f:1:11: expected `high..low=value`"),
        ("a 31..7=0 +6..0=3", "f:1:11: expected `high..low=value`"),
    ] {
        assert!(messages("riscv-opcodes", text)[0].starts_with(message), "{text}");
    }
    assert!(import("riscv-opcodes", "a 31..7=0 6..0=0X1f").unwrap().contains("bits6_0  == 0x1f;"));
    // Comments of a file stay on their lines.
    let source = import("riscv-opcodes", "# a\rfn b() {}\u{2028}\u{85}c */\na 31..0=1").unwrap();
    assert!(source.contains("// a\\u{d}fn b() {}\\u{2028}\\u{85}c */\n"), "{source}");
}

#[test]
fn names_that_are_given_are_names() {
    let import = |file: &str, name: Option<&str>, fields: &str| {
        let (file, text) = (Source { name: file, text: "a 31..0=1" }, fields);
        let fields = Some(Source { name: "fields", text });
        let options = ImportOptions { name, fields, ..ImportOptions::default() };
        format("riscv-opcodes").unwrap().source(&[file], &options)
    };
    let first = |result: Result<String, Vec<ImportError>>| result.unwrap_err()[0].to_string();
    assert_eq!(
        first(import("f", Some("A: u8;\n} fn x() {} b! {"), "")),
        "--name: expected a name of letters, digits and `_`, found `A: u8;\\u{a}} fn x() {} b! {`: \
         write `A__u8____fn_x______b___`"
    );
    assert_eq!(
        first(import("é", None, "")),
        "é:1:1: the file name `` is not a valid set name: write `--name NAME`"
    );
    assert!(import("é", Some("Good"), "").unwrap().contains("pub isa Good: u32;"));
    let source = import("rv\npub fn x() {}\r", None, "").unwrap();
    assert!(
        is_one_call(&source)
            && source.contains("/// The instructions that `rv\\u{a}pub fn x() {}\\u{d}` lists.")
    );
    let fields = "\"a b\", 31, 16";
    assert!(first(import("f", None, fields)).starts_with("fields:1:2: expected a name"));
    assert!(
        first(import("f", None, "x, +9, 0"))
            .starts_with("fields:1:1: expected `\"name\", high, low`")
    );
    let fault = format("riscv-opcodes").unwrap();
    let file = Source { name: "a\nb", text: "x" };
    let faults = fault.source(&[file], &ImportOptions::default()).unwrap_err();
    assert!(faults[0].to_string().starts_with("a\\u{a}b:1:1: "));
}

const GROUP: &str =
    "__DefGroup G\n  __Encoding\n    field<0, 1> Sat sat = NoSAT;\n    field<1, 8> Reg ra;\n";

#[test]
fn a_section_has_its_statements_alone() {
    for (text, message) in [
        (
            "  __Encoding\n    op == 1; } } pub fn x() {} {{;",
            "f:6:14: expected tokens with balanced brackets",
        ),
        (
            "  __Encoding\n    where ra != 0; #[doc = include_str!(\"a\")] ra == 1;",
            "f:6:20: expected a statement, found an attribute",
        ),
        ("  __Encoding\n    ra == /* a */ 1;", "f:6:5: expected no comment inside a statement"),
        (
            "  __Encoding\n    field<+0, 1> Sat b;",
            "f:6:11: expected `field<POSITION, WIDTH> Type name = value;`",
        ),
        ("  __Encoding\n    words of prose;", "f:6:5: "),
        ("  __Syntax\n    ADD Ra} {;", "f:6:5: expected tokens with balanced brackets"),
        (
            "  __Syntax\n    ADD Ra; SUB Ra;",
            "f:6:5: expected a value list after the template: `.field = {.DEFAULT*, .OTHER}`",
        ),
        ("  __Syntax\n    ADD Ra;\n  __Syntax\n    ADD Ra;", "f:8:5: `G` has two templates"),
        ("  __Exception\n    EncodingError<A, \"x\"> = ra == 1; } opcode B { x;", "f:6:5: "),
        (
            "  __Exception\n    Prose, which is no statement.",
            "f:6:5: expected a statement, which ends with `;`",
        ),
        ("  __Examples\n    } fn x() {} { ;", "f:6:5: expected tokens with balanced brackets"),
        ("  __OperandInfo\n    InList<ra>; } {;", "f:6:5: expected tokens with balanced"),
        (
            "  __OperandInfo\n    InLsit<ra>;",
            "f:6:5: expected an operand statement, found `InLsit`; did you mean `InList`?",
        ),
    ] {
        let first = &messages("defgroup", &format!("{GROUP}{text}"))[0];
        assert!(first.starts_with(message), "{text}\n{first}");
    }
}

#[test]
fn a_heading_that_is_nearly_another_is_an_error() {
    for (text, message) in [
        ("  __Exeption", "f:5:3: expected a heading, found `__Exeption`: write `__Exception`"),
        ("  __Exampels", "f:5:3: expected a heading, found `__Exampels`: write `__Examples`"),
        ("  __exception", "f:5:3: expected a heading, found `__exception`: write `__Exception`"),
        ("  __ENCODING", "f:5:3: expected a heading, found `__ENCODING`: write `__Encoding`"),
        ("  _Syntax", "f:5:3: expected a heading, found `_Syntax`: write `__Syntax`"),
        ("  __ Syntax", "f:5:3: expected a heading, found `__ Syntax`: write `__Syntax`"),
        ("  ___Syntax", "f:5:3: expected a heading, found `___Syntax`: write `__Syntax`"),
        ("＿＿Ｓyntax", "f:5:1: expected a heading, found `＿＿Ｓyntax`: write `__Syntax`"),
        ("__DefOpCode X", "f:5:1: expected a heading, found `__DefOpCode`: write `__DefOpcode`"),
        ("DefOpcode X", "f:5:1: expected a heading, found `DefOpcode`: write `__DefOpcode`"),
        (
            "__DefInstruction X",
            "f:5:1: expected `__DefGroup`, `__DefOptype` or `__DefOpcode`, found",
        ),
        ("  __Syntax ADD;", "f:5:3: expected the end of the line after `__Syntax`, found `ADD;`"),
        (
            "__DefOpcode X ： [G]",
            "f:5:13: expected ASCII characters, found `X ： [G]`: write `X : [G]`",
        ),
        (
            "  __Description\n```\n  __Encoding\n```",
            "f:7:3: `__Encoding` is in the block that begins in line 6",
        ),
        (
            "  __Syntax\n```ADD Ra;\n```",
            "f:6:1: expected the name of a language after ```, found `ADD Ra;`",
        ),
        (
            "  __Notes\n```\n```asm\n",
            "f:7:1: expected the end of the block that begins in line 6, found `asm`",
        ),
        ("  __Description\n```\nHello", "f:6:1: unterminated block"),
    ] {
        let all = messages("defgroup", &format!("{GROUP}{text}"));
        assert!(all[0].starts_with(message), "{text}\n{}", all[0]);
        assert!(all.len() == 1 || text.contains("```"), "{all:#?}");
    }
    // An unknown section is prose, and its heading is kept even if the section is empty.
    let source = import("defgroup", &format!("{GROUP}  __Remarks: none\n  __Semantics\n"));
    assert!(source.unwrap().contains("/// # Remarks: none\n    group G {"));
    let source = import("defgroup", &format!("{GROUP}  __Remarks\nWords < more, `InList<ra>`."));
    assert!(
        source.unwrap().contains("/// # Remarks\n    ///\n    /// Words < more, `InList<ra>`.\n")
    );
}

#[test]
fn prose_and_statements_are_parted_line_by_line() {
    let text = "  __Syntax\n    ADD Ra;\n  __OperandInfo\n\u{3000}Source registers:\n      InList<ra>; OutList<>;\n    // a note\n    Order<ra>; // another\n";
    let source = import("defgroup", &format!("{GROUP}{text}")).unwrap();
    for part in [
        "/// # OperandInfo\n    ///\n    /// Source registers:\n",
        "            InList<ra>;\n            OutList<>;\n            // a note\n            Order<ra>; // another\n",
    ] {
        assert!(source.contains(part), "{part}\n{source}");
    }
    for (text, message) in [
        (
            "  __OperandInfo\nSources InList<ra>;",
            "f:6:1: expected prose, found a statement `InList<...>`: move it to its own line in `__OperandInfo`",
        ),
        (
            "  __Description\nA\n  field<1, 2> Reg rd;",
            "f:7:3: expected prose, found a statement `field<...>`: move it to its own line in `__Encoding`",
        ),
        (
            "  __Semantics\nencodingerror<A, \"b\"> = ra == 1;",
            "f:6:1: expected prose, found a statement `EncodingError<...>`",
        ),
        ("  __Notes\nOutList <ra>;", "f:6:1: expected prose, found a statement `OutList<...>`"),
        (
            "  __OperandInfo\n  InList<ra>\n  Prose.",
            "f:6:3: expected a statement, which ends with `;`",
        ),
    ] {
        let all = messages("defgroup", &format!("{GROUP}{text}"));
        assert!(all[0].starts_with(message), "{text}\n{}", all[0]);
    }
}

#[test]
fn text_is_cut_between_characters() {
    let text = "  __Exception\n    EncodingError<ILLEGAL, \"x\"> = sat é== SAT;\n";
    assert!(messages("defgroup", &format!("{GROUP}{text}"))[0].starts_with("f:6:5: "));
    let text = "  __Exception\n    ILLEGAL if sat é== SAT\n";
    assert!(messages("defgroup", &format!("{GROUP}{text}"))[0].starts_with("f:6:5: "));
    let text = "  __Exception\n    EncodingError<A, \"é\"> = sat == \"SAT\" and ra == 1;\n";
    assert!(import("defgroup", &format!("{GROUP}{text}")).unwrap().contains("SAT = 1"));
    // Full-width characters are not operators.
    for text in [
        "  __Encoding\n    ra ＝＝ 1；",
        "  __Encoding\n    field＜1， 2＞ Reg rd；",
        "  __Syntax\n    ADD Ra；",
    ] {
        messages("defgroup", &format!("{GROUP}{text}"));
    }
    // A byte order mark, and the line endings of other systems.
    for name in ["defgroup", "riscv-opcodes", "json"] {
        let text = match name {
            "defgroup" => GROUP,
            "json" => DESCRIPTION,
            _ => "# é\nadd rd 31..12=0 6..0=0x33\n",
        };
        let plain = import(name, text).unwrap();
        assert_eq!(import(name, &format!("\u{feff}{text}")).unwrap(), plain);
        assert_eq!(import(name, &text.replace('\n', "\r\n")).unwrap(), plain);
    }
}

#[test]
fn equal_errors_are_one() {
    let mut text = GROUP.to_owned();
    for _ in 0..121 {
        text += "    ra == @;\n";
    }
    let all = messages("defgroup", &text);
    assert_eq!(all.len(), 1);
    assert!(all[0].ends_with("; and 120 more like it, lines 6, 7, 8, ..."), "{}", all[0]);
    let all = messages("riscv-opcodes", "a rx 31..0=1\nb rx 31..0=1\n");
    assert!(all.iter().any(|one| one.ends_with("; and 1 more like it, line 2")), "{all:#?}");
    let mut damaged: Value = serde_json::from_str(DESCRIPTION).unwrap();
    let row = damaged["opcodes"][0].clone();
    damaged["opcodes"] = vec![row; 5].into();
    for row in damaged["opcodes"].as_array_mut().unwrap() {
        row["name"] = "a b".into();
    }
    let all = messages("json", &damaged.to_string());
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all[0].starts_with("f:1:1: `opcodes[0].name`: expected a name"));
    assert!(all[0].ends_with("; and 4 more like it"), "{}", all[0]);
}

#[test]
fn a_default_that_is_nearly_in_its_list_is_an_error() {
    let text = "__DefGroup G\n  __Encoding\n    field<0, 2> HSel2 hsel2 = H1_HO;\n    field<2, 1> Other other = Far;\n  __Syntax\n    ADD{.hsel2}{.other};\n    .hsel2 = {.H1_H0*, .H0_H0}\n    .other = {.X*}\n";
    assert_eq!(
        messages("defgroup", text),
        ["f:3:5: no value `H1_HO` in the list of `.hsel2`; did you mean `H1_H0`?"]
    );
    assert!(import("defgroup", &text.replace("H1_HO", "H1_H0")).is_ok());
}

/// Returns definitions in which each opcode has its own optype, and all opcodes share one group.
fn definitions(count: usize) -> String {
    let mut text = "__DefGroup ALL\n  __Encoding\n    field<0, 12> Op op;\n    field<12, 3> Pred pg = PT;\n    field<15, 1> Sat sat = NoSAT;\n".to_owned();
    for at in 0..count {
        write!(
            text,
            "__DefOptype T{at} : [ALL]\n  __Encoding\n    op == T{at};\n    field<16, 8> Reg rd;\n    field<24, 1> Sign ra.neg = Plus;\n  \
             __Syntax\n    T{at}{{.SAT}}{{.rnd}} Rd, {{-}}Ra $sched;\n    .rnd = {{.RN*, .RZ}}\n  __Description\nWords.\n  \
             __Exception\n    EncodingError<A, \"b\"> = sat == \"SAT\" and rd == 1;\n  __Examples\n    T{at} R1, R2;\n\
             __DefOpcode O{at} : [T{at}]\n  __Encoding\n    field<32, 8> Reg ra;\n  __OperandInfo\n    InList<pg, ra>;\n    \
             OutList<rd>;\n    Order<pg, rd, ra>;\n    Bitwidth<rd> = 32;\n"
        )
        .unwrap();
    }
    text
}

/// Returns instructions, each of which has a pseudo-instruction.
fn instructions(count: usize) -> String {
    let line = |at: usize| {
        let (low, high) = (at & 0x7f, at >> 7);
        format!(
            "i{at} rd rs1 31..20={high} 14..12=0 6..0={low}\n$pseudo_op f::i{at} p{at} rd 19..15=0 31..20={high} 14..12=0 6..0={low}\n"
        )
    };
    (0..count).map(line).collect()
}

/// Returns a description with `count` opcodes, each in a separate group.
fn description(count: usize) -> String {
    let mut whole: Value = serde_json::from_str(DESCRIPTION).unwrap();
    let (row, group) = (whole["opcodes"][0].to_string(), whole["groups"][1].to_string());
    let of = |text: &str, at: usize| {
        let text = text.replace("\"SOME\"", &format!("\"SOME{at}\""));
        let text = text.replace("\"INC\"", &format!("\"INC{at}\""));
        serde_json::from_str::<Value>(&text.replace("\"ADD\"", &format!("\"ADD{at}\""))).unwrap()
    };
    whole["opcodes"] = (0..count).map(|at| of(&row, at)).collect::<Vec<_>>().into();
    let groups = (0..count).map(|at| of(&group, at));
    whole["groups"] =
        [whole["groups"][0].clone()].into_iter().chain(groups).collect::<Vec<_>>().into();
    whole.to_string()
}

type Sample = (&'static str, fn(usize) -> String);

const SAMPLES: [Sample; 3] =
    [("defgroup", definitions), ("riscv-opcodes", instructions), ("json", description)];

/// Returns the time of an import in seconds, as the minimum of three runs.
fn seconds(name: &str, text: &str) -> f64 {
    let run = || {
        let start = Instant::now();
        assert!(import(name, text).is_ok());
        start.elapsed().as_secs_f64()
    };
    run().min(run()).min(run())
}

/// The time of an import grows linearly: for four times as many opcodes it must be less than about
/// ten times as long.
#[test]
fn time_grows_with_the_length_of_the_source() {
    for (name, sample) in SAMPLES {
        let [short, long] = [100, 400].map(|count| seconds(name, &sample(count)));
        assert!(
            long < 10.0 * short + 0.05,
            "{name}: {short} s, and {long} s for four times as many"
        );
    }
}

/// Run it with `cargo test --release -p isa-import --lib figures -- --ignored --nocapture`.
#[test]
#[ignore = "measures and prints times"]
fn figures() {
    for (name, sample) in SAMPLES {
        for count in [500, 1000, 2000] {
            println!("{name}: {count} opcodes in {:.3} s", seconds(name, &sample(count)));
        }
    }
}
