//! TextMate grammars, tested with the engine of Visual Studio Code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_tests::tools::{Tool, are_here};

use super::super::subjects::{Subject, subjects};
use super::texts::Text;
use super::{Engine, FEW, Piece, folder, judge, many};

const NODE: Tool = Tool { program: "node", release: "v", install: "apt-get install nodejs" };
/// The folder into which `.ci/run` installs the engine.
const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/textmate/node_modules");
const ENGINE: Tool = Tool {
    program: concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../target/textmate/node_modules/vscode-textmate"
    ),
    release: "",
    install: "npm install --prefix target/textmate vscode-textmate@9 vscode-oniguruma@2",
};
const JUDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/foreign/textmate.js");

struct TextMate {
    folder: PathBuf,
    /// The end of all scope names.
    name: &'static str,
}

impl TextMate {
    fn new(subject: &Subject, folder: &Path) -> Self {
        let (grammar, errors) = (subject.run)(&["grammar"], b"");
        assert_eq!(errors, "");
        fs::write(folder.join("grammar.json"), grammar).expect("a file");
        TextMate { folder: folder.to_owned(), name: subject.name }
    }

    /// Returns the scopes of a text.
    fn scopes(&self, text: &str) -> Vec<(usize, usize, usize, String)> {
        let [grammar, file] = ["grammar.json", "text"].map(|name| self.folder.join(name));
        fs::write(&file, text).expect("a file");
        let mut node = Command::new("node");
        let output = node.args([JUDGE, MODULES]).args([grammar, file]).output().expect("node");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{errors}");
        let printed = String::from_utf8(output.stdout).expect("text");
        let scope = |line: &str| {
            let mut words = line.split(' ');
            let mut number = || words.next()?.parse().ok();
            let place = (number()?, number()?, number()?);
            let own = words.next()?.strip_suffix(self.name)?.strip_suffix('.')?;
            Some((place.0, place.1, place.2, own.to_owned()))
        };
        printed.lines().map(|line| scope(line).expect("a piece")).collect()
    }

    fn of_kinds(&self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::<Piece>::new();
        for (line, start, end, scope) in self.scopes(text) {
            let kind = match &*scope {
                "comment.line" | "comment.block" => "comment",
                "entity.name.label" | "variable.other.label" => "label",
                "keyword.mnemonic" => "mnemonic",
                "storage.modifier" => "modifier",
                "variable.language.register" => "register",
                "constant.language" => "value",
                "constant.numeric" => "number",
                "keyword.other.directive" => "directive",
                _ => continue,
            };
            match pieces.last_mut() {
                // The delimiters of a comment are separate pieces. Two adjacent comment pieces
                // always belong to the same comment.
                Some(last)
                    if kind == "comment" && last.3 == kind && (last.0, last.2) == (line, start) =>
                {
                    last.2 = end;
                }
                _ => pieces.push((line, start, end, kind)),
            }
        }
        pieces
    }
}

impl Engine for TextMate {
    fn pieces(&self, text: &Text) -> Vec<Piece> {
        self.of_kinds(&text.text)
    }

    fn pieces_of_damaged(&self, text: &str, _: &[usize]) -> Vec<Piece> {
        self.of_kinds(text)
    }
}

#[test]
fn textmate_paints_words_as_the_server_does() {
    if are_here(&[NODE, ENGINE]) {
        judge(|subject, folder| Box::new(TextMate::new(subject, folder)), FEW);
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run` runs it"]
fn textmate_paints_a_hundred_thousand_lines_as_the_server_does() {
    if are_here(&[NODE, ENGINE]) {
        judge(|subject, folder| Box::new(TextMate::new(subject, folder)), many());
    }
}

#[test]
fn scopes_are_those_that_themes_know() {
    if !are_here(&[NODE, ENGINE]) {
        return;
    }
    let of = |name: &str, text: &str| {
        let subject = subjects().into_iter().find(|subject| subject.name == name).unwrap();
        let engine = TextMate::new(&subject, &folder(&format!("scopes {name}")));
        let lines: Vec<&str> = text.lines().collect();
        let shown = engine
            .scopes(text)
            .into_iter()
            .map(|(line, start, end, scope)| format!("{scope} {}", &lines[line][start..end]));
        shown.collect::<Vec<_>>().join("\n")
    };
    let text = "@!P0 HFMA2.FTZ R1, -|R2.H1_H1|, 0.5, RZ; // R1\n/* a\nR1 */ vadd2.u32 r1;";
    assert_eq!(
        of("isa", text),
        "variable.language.register P0\n\
         keyword.mnemonic HFMA2\n\
         storage.modifier FTZ\n\
         variable.language.register R1\n\
         variable.language.register R2\n\
         storage.modifier H1_H1\n\
         constant.numeric 0.5\n\
         variable.language.register RZ\n\
         comment.line // R1\n\
         comment.block /*\n\
         comment.block  a\n\
         comment.block R1 \n\
         comment.block */\n\
         keyword.mnemonic vadd2\n\
         storage.modifier u32\n\
         variable.language.register r1"
    );
    let text = ".L1: c.addi a0, -1 # c\n.4byte .L1, 0x1f; fence rw, w\nadd a0, a0, ld";
    assert_eq!(
        of("rv", text),
        "entity.name.label .L1\n\
         punctuation.separator.label :\n\
         keyword.mnemonic c.addi\n\
         variable.language.register a0\n\
         constant.numeric 1\n\
         comment.line # c\n\
         keyword.other.directive .4byte\n\
         variable.other.label .L1\n\
         constant.numeric 0x1f\n\
         keyword.mnemonic fence\n\
         variable.language.register rw\n\
         variable.language.register w\n\
         keyword.mnemonic add\n\
         variable.language.register a0\n\
         variable.language.register a0\n\
         variable.other.label ld"
    );
}
