//! The grammar for editors, applied to text by Python's regular expressions.

use std::io::Write;
use std::process::{Command, Stdio};

use isa_tests::tools::{Tool as Needed, are_here};

use super::*;

const PYTHON: Needed =
    Needed { program: "python3", release: "Python 3", install: "apt-get install python3" };

/// Reads a grammar and a text, and prints each piece that a pattern takes, with what it is: of patterns
/// that match at one place the first counts, as in an editor.
const PAINT: &str = r#"
import json, re, sys
grammar, text = json.loads(sys.stdin.readline()), sys.stdin.read()
patterns = [(re.compile(p.get("match") or p["begin"] + r"[\s\S]*?(?:" + p["end"] + ")", re.M), p)
            for p in grammar["patterns"]]
at = 0
while at < len(text):
    found = [(m.start(), i, m, p) for i, (r, p) in enumerate(patterns) for m in [r.search(text, at)] if m]
    if not found: break
    _, _, m, p = min(found, key=lambda f: f[:2])
    captures = p.get("captures", {"0": p})
    for number, what in captures.items():
        print(what["name"], m.group(int(number)))
    at = max(m.end(), at + 1)
"#;

/// What the grammar of a tool says of a text.
fn painted(grammar: &str, text: &str) -> String {
    let mut python = Command::new("python3")
        .args(["-c", PAINT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let grammar: serde_json::Value = serde_json::from_str(grammar).unwrap();
    let input = python.stdin.take();
    write!(input.unwrap(), "{grammar}\n{text}").unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_grammar_paints_a_text() {
    if !are_here(&[PYTHON]) {
        return;
    }
    let grammar = isa(&["grammar"], b"");
    let text = "@!P0 HFMA2.FTZ R1, -|R2.H1_H1|, 0.5, RZ; // R1\n/* a\nR1 */ vadd2.u32.u32.u32 r1, rz, r3, r4;";
    assert_eq!(
        painted(grammar.fine(), text),
        "variable.language.register.isa P0\n\
         keyword.mnemonic.isa HFMA2\n\
         storage.modifier.isa FTZ\n\
         variable.language.register.isa R1\n\
         variable.language.register.isa R2\n\
         storage.modifier.isa H1_H1\n\
         constant.numeric.isa 0.5\n\
         variable.language.register.isa RZ\n\
         comment.line.isa // R1\n\
         comment.block.isa /* a\nR1 */\n\
         keyword.mnemonic.isa vadd2\n\
         storage.modifier.isa u32\nstorage.modifier.isa u32\nstorage.modifier.isa u32\n\
         variable.language.register.isa r1\n\
         variable.language.register.isa rz\n\
         variable.language.register.isa r3\n\
         variable.language.register.isa r4\n"
    );
    let grammar = run(&isa_riscv::tool(), &["grammar"], b"");
    let text = ".L1: c.addi a0, -1 # c\n.4byte .L1, 0x1f; fence rw, w";
    assert_eq!(
        painted(grammar.fine(), text),
        "entity.name.label.rv .L1\n\
         punctuation.separator.label.rv :\n\
         keyword.mnemonic.rv c.addi\n\
         variable.language.register.rv a0\n\
         constant.numeric.rv -1\n\
         comment.line.rv # c\n\
         keyword.other.directive.rv .4byte\n\
         constant.numeric.rv 0x1f\n\
         keyword.mnemonic.rv fence\n\
         variable.language.register.rv rw\n\
         variable.language.register.rv w\n"
    );
}
