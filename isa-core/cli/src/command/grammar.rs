//! The command `grammar`, which prints a TextMate grammar of the set's assembly. Editors use it to
//! highlight text without a language server.

use clap::{ArgMatches, Command};
use isa_core::asm::DIRECTIVES;
use isa_export::vocabulary::{Vocabulary, literal, pattern};
use serde_json::{Value, json};

use crate::CommandError;
use crate::profile::Profile;
use crate::program::needs_all_text;

use super::{Streams, Subcommand};

/// The command `grammar`.
pub(crate) struct GrammarCommand;

impl Subcommand for GrammarCommand {
    const NAME: &'static str = "grammar";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Prints a TextMate grammar of the assembly text")
                .override_usage(format!("{name} grammar"))
                .after_help(format!(
                    "Editors use it for syntax highlighting. For example: {name} grammar > \
                     syntaxes/{name}.tmLanguage.json"
                )),
        )
    }

    fn parse(_: &Profile, _: &ArgMatches) -> Result<Self, CommandError> {
        Ok(GrammarCommand)
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        writeln!(streams.stdout, "{:#}", grammar(profile)).map_err(CommandError::printing)
    }
}

/// A pattern for the name of a label.
const LABEL: &str = r"(?:[A-Za-z_]\w*|\.[\w.$]+)";

/// A pattern for the name of a label with all its dots, as before a `:`.
const WHOLE: &str = r"(?:[A-Za-z_]\w*(?:\.\w+)*|\.[\w.$]+)";

/// Returns the grammar. A statement extends from its mnemonic to its end, so no other word in it is
/// highlighted as a mnemonic.
fn grammar(profile: &Profile) -> Value {
    let (name, set) = (profile.name, profile.set.processor);
    let scope = |kind: &str| format!("{kind}.{name}");
    let vocabulary = Vocabulary::of(set);
    let case = if set.any_case { "(?i)" } else { "" };
    let of_words = |before: &str, words: Option<String>| {
        // A set without such words must not have a pattern, because an empty pattern would match
        // everything.
        words.map(|words| format!("{case}{before}{words}(?!\\w)"))
    };
    let word = r"(?<![\w.$])";
    let is_program = needs_all_text(profile);
    let values = pattern(vocabulary.values.iter().copied());
    let fixed = pattern(vocabulary.fixed.iter().copied());
    let operands = pattern(vocabulary.operands.iter().map(String::as_str));
    let comments = comments(profile.comment.unwrap_or_default(), &scope);
    let number = r"(?<![\w.])(?:0x[0-9A-Fa-f]+|0b[01]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?!\w)";
    let matched = [
        ("variable.language.register", of_words(word, operands)),
        ("constant.language", of_words(word, values)),
        ("keyword.operator.word", of_words(word, fixed)),
        ("variable.other.label", is_program.then(|| format!("{word}{LABEL}"))),
        ("constant.numeric", Some(number.to_owned())),
        ("string.quoted.double", is_program.then(|| r#""(?:[^"\\]|\\.)*""#.to_owned())),
        ("storage.modifier", Some(r"(?<=[^\s,\[({:]\.)\w+".to_owned())),
    ];
    let matched = matched
        .into_iter()
        .filter_map(|(kind, text)| Some(json!({ "name": scope(kind), "match": text? })));
    let inside: Vec<Value> = comments.iter().cloned().chain(matched).collect();
    let end = if profile.comment.is_some() { "(?=;)|$" } else { "(?=;)" };
    let statement = |kind: &str, begin: String| {
        let begins = json!({ "0": { "name": scope(kind) } });
        json!({ "begin": begin, "beginCaptures": begins, "end": end, "patterns": inside })
    };
    let mut patterns = comments;
    if is_program {
        patterns.push(json!({
            "match": format!(r"{word}({WHOLE})\s*(:)"),
            "captures": {
                "1": { "name": scope("entity.name.label") },
                "2": { "name": scope("punctuation.separator.label") },
            },
        }));
    }
    let directives = pattern(DIRECTIVES).unwrap_or_default();
    let directives = format!(r"(?<![\w.$]){directives}(?![\w.$])");
    patterns.push(statement("keyword.other.directive", directives));
    let mnemonics = pattern(set.mnemonics.iter().map(|mnemonic| mnemonic.text));
    let mnemonics = of_words(word, mnemonics).into_iter();
    patterns.extend(mnemonics.map(|begin| statement("keyword.mnemonic", begin)));
    // The patterns of a guard, which is before the mnemonic.
    patterns.push(json!({ "patterns": inside }));
    json!({
        "name": name,
        "scopeName": format!("source.{name}"),
        "fileTypes": [name],
        "patterns": patterns,
    })
}

fn comments(sign: &str, scope: &dyn Fn(&str) -> String) -> Vec<Value> {
    let line = |sign: &str| json!({ "name": scope("comment.line"), "match": format!("{}.*$", literal(sign)) });
    let block = json!({ "name": scope("comment.block"), "begin": r"/\*", "end": r"\*/" });
    let mut patterns = vec![block, line("//")];
    patterns.extend(Some(sign).filter(|sign| !sign.is_empty()).map(line));
    patterns
}
