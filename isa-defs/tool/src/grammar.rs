//! The command `grammar`: the assembly text of a set as a TextMate grammar, by which editors colour text
//! that no server reads.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Command as Parser;
use serde_json::{Value, json};

use super::Stop;
use super::program::Whole;
use super::tool::Profile;
use super::vocabulary::Vocabulary;

/// The command line.
pub(super) fn command(name: &str) -> Parser {
    Parser::new("grammar")
        .about("Prints a TextMate grammar of the assembly text")
        .override_usage(format!("{name} grammar"))
        .after_help(format!(
            "Editors take their colours from such grammars. For example: {name} grammar > \
             syntaxes/{name}.tmLanguage.json"
        ))
}

/// Prints the grammar.
pub(super) fn run(profile: &Profile, stdout: &mut dyn Write) -> Result<(), Stop> {
    writeln!(stdout, "{:#}", grammar(profile)).map_err(Stop::printing)
}

/// The grammar.
fn grammar(profile: &Profile) -> Value {
    let (name, set) = (profile.name, profile.set.0);
    let scope = |kind: &str| format!("{kind}.{name}");
    let words = |kind: &str, before: &str, names: BTreeSet<&str>| {
        // A set without such words has no pattern, which would match everything.
        let names = alternatives(names)?;
        let case = if set.any_case { "(?i)" } else { "" };
        Some(json!({ "name": scope(kind), "match": format!("{case}{before}(?:{names})(?!\\w)") }))
    };
    let vocabulary = Vocabulary::of(set);
    let numbered = |name: &str| {
        let mut all = vocabulary.numbered.iter();
        all.any(|(prefix, _)| name.strip_prefix(prefix).is_some_and(is_number))
    };
    let operands = vocabulary.operands.iter().map(String::as_str);
    let operands: BTreeSet<_> = operands.filter(|operand| !numbered(operand)).collect();
    let mnemonics = set.mnemonics.iter().map(|mnemonic| mnemonic.text);
    let values = vocabulary.values.clone();
    let is_program = Whole::is_needed(profile);
    let mut patterns = comments(profile.comment.unwrap_or_default(), &scope);
    if is_program {
        patterns.push(json!({
            "match": r"(?<![\w.$])([A-Za-z_]\w*|\.[\w.$]+)\s*(:)",
            "captures": {
                "1": { "name": scope("entity.name.label") },
                "2": { "name": scope("punctuation.separator.label") },
            },
        }));
    }
    let directives = if is_program { r"word|[248]?byte|globa?l" } else { "word" };
    let directives = format!(r"(?<!\w)\.(?:{directives})(?!\w)");
    patterns.push(json!({ "name": scope("keyword.other.directive"), "match": directives }));
    let word = r"(?<![\w.$])";
    patterns.extend(words("keyword.mnemonic", word, mnemonics.collect()));
    patterns.extend(words("storage.modifier", r"(?<=\.)", values.clone()));
    let prefixes = vocabulary.numbered.iter().map(|(prefix, _)| *prefix).collect();
    if let Some(prefixes) = alternatives(prefixes) {
        let numbered = format!(r"{word}(?:{prefixes})\d+(?!\w)");
        patterns.push(json!({ "name": scope("variable.language.register"), "match": numbered }));
    }
    patterns.extend(words("variable.language.register", word, operands));
    patterns.extend(words("constant.language", word, values));
    let number = r"(?<![\w.])[-+]?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?!\w)";
    patterns.push(json!({ "name": scope("constant.numeric"), "match": number }));
    json!({
        "name": name,
        "scopeName": format!("source.{name}"),
        "fileTypes": [name],
        "patterns": patterns,
    })
}

fn comments(sign: &str, scope: &dyn Fn(&str) -> String) -> Vec<Value> {
    let line = |sign: &str| json!({ "name": scope("comment.line"), "match": format!("{}.*$", escaped(sign)) });
    let block = json!({ "name": scope("comment.block"), "begin": r"/\*", "end": r"\*/" });
    let mut patterns = vec![block, line("//")];
    patterns.extend(Some(sign).filter(|sign| !sign.is_empty()).map(line));
    patterns
}

/// Names for a regular expression, the longest first; `None` without any.
fn alternatives(names: BTreeSet<&str>) -> Option<String> {
    let mut names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
    names.sort_by_key(|name| core::cmp::Reverse(name.len()));
    let names: Vec<_> = names.into_iter().map(escaped).collect();
    (!names.is_empty()).then(|| names.join("|"))
}

/// A text in which no sign of regular expressions counts.
fn escaped(text: &str) -> String {
    let mut output = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() && c != '_' {
            output.push('\\');
        }
        output.push(c);
    }
    output
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
