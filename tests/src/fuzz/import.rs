//! Fuzz target: runs the importers on descriptions that are almost valid.
//!
//! The input bytes are choices. The target builds a description from parts of the format. Any part
//! may be hostile text, for example names with quotes, brackets and line breaks.

use std::collections::HashSet;

use isa_import::{ImportOptions, Source, format};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::reached;

/// Text that could end the item around it, or that a parser does not expect.
const HOSTILE: [&str; 40] = [
    "} } pub fn pwned() {} {",
    "A: u8; } pub fn pwned() {} isa_core::define_isa! { pub isa B",
    "\"",
    "x\", include_str!(\"/etc/passwd\")",
    "'",
    "}",
    ")",
    "{",
    "]",
    "/* ",
    " */",
    "//",
    "///",
    "#![allow(x)]",
    "#[doc = \"x\"]",
    "r#type",
    "r#\"",
    "self",
    "match",
    "gen",
    "_",
    "é",
    "字段",
    "ＡＤＤ",
    "；",
    "：",
    "＜",
    "\n",
    "\r",
    "\u{2028}",
    "\u{85}",
    "\u{202e}",
    "\u{feff}",
    "\u{3000}",
    "```",
    "\\",
    ";",
    "=",
    "__Encoding",
    "InList<ra>;",
];

/// The choices in an input. After the end of the input, every choice is the first one.
struct Choices<'d>(&'d [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(byte)
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.next() % all.len()]
    }

    /// Returns one of these words. Rarely, hostile text is inserted or replaces the word.
    fn word(&mut self, all: &[&str]) -> String {
        let word = self.of(all);
        match self.next() {
            200..=215 => self.of(&HOSTILE).to_owned(),
            216..=235 => format!("{word}{}", self.of(&HOSTILE)),
            236..=250 => {
                let at = word.char_indices().map(|(at, _)| at).nth(self.next() % 4).unwrap_or(0);
                format!("{}{}{}", &word[..at], self.of(&HOSTILE), &word[at..])
            }
            _ => word.to_owned(),
        }
    }
}

const NAMES: [&str; 8] = ["ADD", "SUB", "ALL", "SOME", "MOV", "X1", "B_2", "NOP"];
const FIELDS: [&str; 8] = ["ra", "rd", "op", "ra.neg", "sat", "imm", "pg", "rb"];
const KINDS: [&str; 6] = ["Reg", "Op", "Sat", "Num", "Pred", "Sign"];
const VALUES: [&str; 6] = ["ADD", "NoSAT", "SAT", "8b", "0x1", "3"];
const NUMBERS: [&str; 10] = ["0", "4", "8", "12", "16", "31", "0x1f", "0b11", "+3", "0x+33"];
const CONDITIONS: [&str; 6] = [
    "rd == 3",
    "sat == \"SAT\" and rd == 1",
    "op in {ADD, SUB}",
    "ra != rd",
    "not sat == SAT",
    "f(ra)",
];
const LINES: [&str; 10] = [
    "InList<ra, rb>;",
    "InList<ra>; OutList<rd>;",
    "Order<rd, ra>;",
    "Bitwidth<rd> = 32; // bits",
    "AsmFormat<ra> = CvtFImm(ra, op);",
    "Words about registers.",
    "读取寄存器。",
    "// a comment",
    "EncodingError<Illegal, \"never; } {\"> = rd == 1;",
    "",
];
const HEADINGS: [&str; 12] = [
    "__Encoding",
    "__Syntax",
    "__OperandInfo",
    "__Exception",
    "__Examples",
    "__Description",
    "__Semantics",
    "__Remarks",
    "__Exeption",
    "__encoding",
    "＿＿Syntax",
    "Description",
];
const TEMPLATES: [&str; 6] = [
    "ADD Rd, Ra;",
    "ADD{.SAT}{.rnd} Rd, {-}Ra $sched;",
    "\"ADD\" rd, \"[\" ra \"]\";",
    ".rnd = {.RN*, .RZ}",
    "ADD rd",
    "MOV {|}ra{|}, 1;",
];

/// Runs the target. The first choice selects the format, and the other choices generate a
/// description.
///
/// # Panics
///
/// Panics if an importer panics, if its output is not one macro call, or if a line of definitions
/// is lost.
pub fn target(data: &[u8]) -> u64 {
    let mut choices = Choices(data);
    let (name, text) = match choices.next() % 3 {
        0 => ("defgroup", definitions(&mut choices)),
        1 => ("json", description(&mut choices)),
        _ => ("riscv-opcodes", instructions(&mut choices)),
    };
    let text = match choices.next() % 8 {
        5 => format!("\u{feff}{text}"),
        6 => text.replace('\n', "\r\n"),
        7 => format!("{}{text}", choices.of(&HOSTILE)),
        _ => text,
    };
    let file = choices.word(&["set.txt", "rv_i", "demo"]);
    let given = choices.word(&["Demo"]);
    let fields = format!("\"{}\", {}, 20\n", choices.word(&["mine"]), choices.word(&NUMBERS));
    let name_of = if choices.next() % 4 == 3 { Some(given.as_str()) } else { None };
    let fields = Source { name: "fields", text: &fields };
    let fields = if choices.next() % 4 == 3 { Some(fields) } else { None };
    let options = ImportOptions { name: name_of, fields, ..ImportOptions::default() };
    let made =
        format(name).expect("a format").source(&[Source { name: &file, text: &text }], &options);
    match made {
        Ok(source) => {
            assert!(is_one_call(&source), "more than one call\n{text}\n{source}");
            let hidden = |c| matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{202e}' | '\u{feff}');
            assert!(!source.contains(hidden), "a hidden character\n{text}\n{source}");
            if name == "defgroup" {
                all_is_there(&text, &source);
            }
            reached((name, source.len() / 256, source.matches("//").count().min(8)))
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "an error without a message");
            let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(shown.iter().all(|one| !one.contains(['\n', '\r'])), "{shown:#?}");
            let words = faults[0].message.split([' ', '`']);
            let words = words.filter(|word| word.bytes().all(|b| b.is_ascii_lowercase()));
            reached((name, words.take(5).collect::<Vec<_>>()))
        }
    }
}

/// Returns several seeds for each format. Most of their words are not hostile.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut seed = |format: u8| {
        let tail = (0..255).map(|_| byte());
        // Values from 200 select hostile text, so only a few choices in a hundred keep such a
        // value.
        let tail = tail.map(|byte| if byte >= 200 && byte % 7 != 0 { byte & 0x7f } else { byte });
        [format].into_iter().chain(tail).collect()
    };
    (0..24).map(|number| seed(number % 3)).collect()
}

/// Returns whether a source is one macro call, preceded only by items that importers emit before a
/// call.
fn is_one_call(source: &str) -> bool {
    let tokens: TokenStream = source.parse().expect("tokens of Rust");
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let path = ["isa_core", ":", ":", "define_isa", "!"];
    let Some((TokenTree::Group(call), before)) = trees.split_last() else { return false };
    let start = before.len().saturating_sub(path.len());
    let is_path = before[start..].iter().map(ToString::to_string).eq(path);
    is_path && call.delimiter() == Delimiter::Brace && is_known(&before[..start])
}

/// Returns whether tokens consist only of registers and of list types whose elements are names and
/// literals.
fn is_known(trees: &[TokenTree]) -> bool {
    let text = |tree: &TokenTree| tree.to_string();
    let Some(first) = trees.first().map(text) else { return true };
    let length = match first.as_str() {
        // `listed!(...);` and `isa_core::registers! { ... }`
        "listed" | "listed_format" if are_literals(trees.get(2)) => 4,
        "isa_core" if trees.get(3).is_some_and(|tree| text(tree) == "registers") => 6,
        // `macro_rules! listed { ... }`
        "macro_rules" if trees.get(2).is_some_and(|tree| text(tree).starts_with("listed")) => 4,
        "#" => 2,
        // `const fn longest(...) -> usize { ... }`
        "const" if trees.get(2).is_some_and(|tree| text(tree) == "longest") => {
            trees.iter().position(is_braces).map_or(usize::MAX, |at| at + 1)
        }
        "fn" if trees.get(1).is_some_and(|tree| text(tree) == "read_listed") => {
            trees.iter().position(is_braces).map_or(usize::MAX, |at| at + 1)
        }
        _ => return false,
    };
    trees.get(length..).is_some_and(is_known)
}

fn is_braces(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Returns whether the arguments of a macro are one word, text, numbers, and lists of text.
fn are_literals(tree: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = tree else { return false };
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let words = trees.iter().filter(|tree| matches!(tree, TokenTree::Ident(_))).count();
    let is_text = |tree: TokenTree| !matches!(tree, TokenTree::Ident(_) | TokenTree::Group(_));
    words == 1
        && trees.into_iter().all(|tree| match tree {
            TokenTree::Group(group) => group.stream().into_iter().all(is_text),
            _ => true,
        })
}

/// Checks that the output contains each word of the source, except words of the format.
fn all_is_there(text: &str, source: &str) {
    let words = |text: &str| -> HashSet<String> {
        let all = text.split(|c: char| !c.is_ascii_alphanumeric());
        all.filter(|word| word.len() > 1).map(str::to_ascii_lowercase).collect()
    };
    let written = words(source);
    let own = words("DefGroup DefOptype DefOpcode asm ");
    let headings = words(&HEADINGS.join(" "));
    let lost = words(text)
        .into_iter()
        .find(|word| !written.contains(word) && !own.contains(word) && !headings.contains(word));
    assert!(lost.is_none(), "{lost:?} is lost\n{text}\n{source}");
}

fn definitions(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    for _ in 0..1 + choices.next() % 3 {
        let word = choices.of(&["__DefGroup", "__DefOptype", "__DefOpcode", "__DefOpCode"]);
        text += &format!("{word} {} : [{}]\n", choices.word(&NAMES), choices.word(&NAMES));
        for _ in 0..choices.next() % 5 {
            section(choices, &mut text);
        }
    }
    text
}

fn section(choices: &mut Choices<'_>, text: &mut String) {
    // Most headings are valid, because an invalid heading is an error.
    let known = choices.next() % 8;
    let heading = if known == 7 { choices.word(&HEADINGS) } else { HEADINGS[known].to_owned() };
    *text += &format!("  {heading}\n");
    for _ in 0..choices.next() % 4 {
        let line = match heading.as_str() {
            "__Encoding" => format!(
                "field<{}, {}> {} {} {} {};",
                choices.word(&NUMBERS),
                choices.word(&["1", "2", "8", "4 : 9, 2"]),
                choices.word(&KINDS),
                choices.word(&FIELDS),
                choices.of(&["=", "==", "!="]),
                choices.word(&VALUES)
            ),
            "__Syntax" => choices.word(&TEMPLATES),
            "__Exception" => {
                let (reason, condition) =
                    (choices.word(&["never", "é"]), choices.word(&CONDITIONS));
                format!("EncodingError<{}, \"{reason}\"> = {condition};", choices.word(&NAMES))
            }
            "__Examples" => choices.word(&["ADD R1, R2; // adds", "ADD.SAT R1, R2;", "MOV 1"]),
            "__OperandInfo" => choices.word(&LINES),
            // Most lines are prose without statements.
            _ => choices.word(&[
                "Words.",
                "读取寄存器。",
                "a < b",
                "| a | b |",
                "```",
                "",
                "    x = 1",
            ]),
        };
        *text += &format!("    {line}\n");
    }
}

fn instructions(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    for _ in 0..1 + choices.next() % 4 {
        let name = choices.word(&["add", "c.addi", "fence.i", "sub", "x2"]);
        let bits = |choices: &mut Choices<'_>| choices.word(&NUMBERS);
        text += &match choices.next() % 8 {
            0 => format!("# {}\n", choices.word(&["a comment"])),
            1 => format!("$import rv_i::{name}\n"),
            2 => format!(
                "$pseudo_op rv_i::add {name} rd rs1 31..20={} 14..12=0 6..0=0x33\n",
                bits(choices)
            ),
            3 => format!(
                "{name} rd rs2=rs1 31..25={} 14..12={} 6..0=3\n",
                bits(choices),
                bits(choices)
            ),
            4 => format!("{name} {} mine 19..0={}\n", choices.word(&["rd", "vm"]), bits(choices)),
            _ => format!(
                "{name} rd rs1 {} 14..12=0 6..0={}\n",
                choices.word(&["imm12", "rs2 31..25=0"]),
                bits(choices)
            ),
        };
    }
    text
}

/// Generates the description of a set as JSON, in which any text may be hostile.
fn description(choices: &mut Choices<'_>) -> String {
    use serde_json::{Value, json};
    let mut text = |all: &[&str]| Value::from(choices.word(all));
    let field = |text: &mut dyn FnMut(&[&str]) -> Value, kind: u64, at: u64, of: &str| json!({"name": text(&FIELDS[..2]), "doc": "", "kind": kind, "pieces": [[at, 4]], "declared_in": of});
    let group = json!({"name": text(&["ALL"]), "doc": text(&["A group.", "```\nx\n```"]), "parents": [], "optype": false});
    let heir =
        json!({"name": text(&["SOME"]), "doc": "", "parents": [text(&["ALL"])], "optype": true});
    let op = json!({"name": text(&["op"]), "doc": "", "kind": 0, "pieces": [[0, 4]], "declared_in": "SOME", "fixed": "0x1"});
    let fields = json!([op, field(&mut text, 1, 4, "ADD"), field(&mut text, 2, 8, "ADD")]);
    let names = ["rd", "ra"];
    let row = json!({
        "name": text(&["ADD"]), "doc": text(&["Adds."]), "groups": ["ALL", text(&["SOME"])], "bits": 16,
        "mnemonic": text(&["ADD"]), "syntax": text(&["ADD rd, ra;", "ADD{-}rd;", "ADD [ra];"]),
        "examples": [text(&["ADD 1, 2;"])], "after": [text(&["ADD"])], "views": [],
        "fields": fields, "operands": [{"field": text(&names), "access": text(&["read", "write"]), "bits": 4}],
        "lanes": [{"field": text(&names), "bits": 2, "mask": text(&names)}],
        "formats": [{"place": 1, "name": text(&["Text"]), "text": 1, "args": [2]}],
        "prints": [{"part": "mark", "when": [[1, "0x1"]], "prints": [text(&["-", "|"])]}],
        "illegal": [
            {"class": text(&["Bad", "ForbiddenValue", "UnmetCondition"]), "reason": text(&["never", "`rd != 1`"]),
             "condition": text(&CONDITIONS), "declared_in": text(&["ADD", "SOME"]), "words": []},
        ],
        "flow": [{"kind": text(&["branch", "call", "stop"]), "target": text(&names), "or_next": true,
                  "condition": text(&["", "ra == 1"]), "words": []}],
        "semantics": text(&["a = b;\nc"]), "fixed": ["0xf", text(&["0x1"])], "unused": "0xf000",
        "aliases": [],
    });
    let number = json!({"number": [0, 0, 4], "signed": false, "scale": "1", "add": "0", "wrap": 0, "hex": 0});
    // The texts of 4 bits.
    let shifts = |text: &mut dyn FnMut(&[&str]) -> Value| {
        let others = (2..16).map(|number| Value::from(format!("lsl {number}")));
        [text(&["lsl"]), text(&["lsr"])].into_iter().chain(others).collect::<Vec<_>>()
    };
    let kinds = json!([
        {"name": text(&["Op"]), "width": 4, "doc": "", "reserved": [],
         "values": [{"name": text(&VALUES[..3]), "also": [text(&["8b"])], "raw": "0x1", "doc": text(&["One."])}]},
        {"name": text(&["Num"]), "width": 4, "doc": "", "values": [], "reserved": [["0xf", text(&["0x3"])]]},
        {"name": text(&["Shift"]), "width": 4, "doc": "", "values": [], "reserved": [], "text": 0},
    ]);
    json!({
        "format": "define-isa", "version": 2, "name": text(&["Demo"]), "doc": text(&["A set."]), "widths": [16],
        "any_case": false, "address_bits": 64,
        "byte_order": text(&["little_endian", "big_endian"]),
        "texts": [
            {"expects": text(&["a shift"]), "list": shifts(&mut text), "widths": [4]},
            {"expects": "a number", "parts": [number], "widths": [4, 4]},
        ],
        "kinds": kinds, "groups": [group, heir], "opcodes": [row],
    })
    .to_string()
}
