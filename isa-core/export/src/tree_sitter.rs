//! Exports a grammar of the assembly text for tree-sitter, which editors use to highlight syntax.
//!
//! The structure of the grammar is the same for every set: labels, a guard, a mnemonic with
//! modifiers, operands separated by commas, and trailing attributes. Only the names depend on the
//! set, and each type of name is one token. The size of tree-sitter's tables therefore depends on
//! the letters of the names and not on the number of opcodes. The grammar does not contain which
//! operands a mnemonic accepts, because such a grammar would be large, and could not parse an
//! incomplete line. The assembler checks the operands.

use std::collections::BTreeSet;

use isa_core::asm::DIRECTIVES;
use isa_core::table::InstructionSet;

use super::valid_words::line;
use super::vocabulary::{Vocabulary, literal, pattern};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "tree-sitter",
    about: "A tree-sitter grammar of the assembly text, with its highlights",
    make: Generator::OfTexts(make),
};

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(
    set: &'static InstructionSet,
    lines: Option<&'static str>,
) -> Result<Vec<ExportFile>, ExportError> {
    let name = plain(set.name);
    let vocabulary = Vocabulary::of(set);
    let words = NameTokens::of(set, &vocabulary);
    let file = |name: &str, text| ExportFile { name: name.to_owned(), text };
    Ok(vec![
        file("grammar.js", grammar(set, &name, &vocabulary, &words, lines)),
        file("highlights.scm", highlights(&words)),
        file("tree-sitter.json", configuration(set, &name)),
    ])
}

/// The tokens for names: the name of the node, the regular expression in JavaScript, and the capture
/// that highlights the node. If two tokens match a whole word, the first one is used.
struct NameTokens(Vec<(&'static str, String, &'static str)>);

impl NameTokens {
    fn of(set: &InstructionSet, vocabulary: &Vocabulary) -> Self {
        let case = if set.any_case { "i" } else { "" };
        let of = |pattern: Option<String>| pattern.map(|pattern| format!("/{pattern}/{case}"));
        let values = vocabulary.values.iter().copied();
        let operands = vocabulary.operands.iter().map(String::as_str);
        let fixed = vocabulary.fixed.iter().copied();
        let mnemonics = set.mnemonics.iter().map(|mnemonic| mnemonic.text);
        let directives = pattern(DIRECTIVES).map(|words| format!("/{words}/"));
        let all = [
            ("mnemonic", of(pattern(mnemonics)), "function"),
            ("directive", directives, "keyword.directive"),
            ("register", of(pattern(operands)), "variable.builtin"),
            ("value", of(pattern(values)), "constant.builtin"),
            ("keyword", of(pattern(fixed)), "keyword"),
        ];
        let some =
            all.into_iter().filter_map(|(name, pattern, paint)| Some((name, pattern?, paint)));
        NameTokens(some.collect())
    }

    /// Returns the nodes that are possible among operands, each followed by a comma.
    fn in_operands(&self) -> String {
        let nodes = self.0.iter().filter(|word| !["mnemonic", "directive"].contains(&word.0));
        nodes.map(|(name, ..)| format!("$.{name}, ")).collect()
    }
}

/// Returns a choice of characters such as `choice('?', '&')`, or `'@'` for a single character.
fn choice<'c>(signs: impl IntoIterator<Item = &'c char>) -> String {
    let quoted = |sign: &char| match sign {
        '\'' | '\\' => format!("'\\{sign}'"),
        _ => format!("'{sign}'"),
    };
    let signs: Vec<String> = signs.into_iter().map(quoted).collect();
    match signs.as_slice() {
        [only] => only.clone(),
        all => format!("choice({})", all.join(", ")),
    }
}

/// Returns the rules of guards, of trailing attributes and of statements without a mnemonic. A rule is
/// empty if the set does not need it.
fn rules(vocabulary: &Vocabulary) -> [String; 3] {
    let Vocabulary { guards, settings, .. } = vocabulary;
    // If any word can be a guard, a missing mnemonic is only detected at the end of the statement.
    let is_any_word = guards.iter().any(char::is_ascii_alphabetic);
    let signs =
        |signs: &BTreeSet<char>| format!("prec.right(seq({}, repeat1($._token)))", choice(signs));
    let guard = if is_any_word { "repeat1($._token)".to_owned() } else { signs(guards) };
    let rule = |is_there: bool, text: String| if is_there { text } else { String::new() };
    let any = match guards.is_empty() {
        true => "repeat1($._any)",
        false => "choice(seq($.guard, repeat($._any)), repeat1($._any))",
    };
    let setting = rule(!settings.is_empty(), ", $.setting".to_owned());
    [
        rule(
            !guards.is_empty(),
            format!("    // The guard before the mnemonic.\n    guard: $ => {guard},\n"),
        ),
        rule(!settings.is_empty(), format!("    setting: $ => {},\n", signs(settings))),
        rule(
            !is_any_word,
            format!(
                "    unknown: $ => prec.right({any}),\n    \
                 _any: $ => choice($._token, ','{setting}),\n"
            ),
        ),
    ]
}

fn grammar(
    set: &InstructionSet,
    name: &str,
    vocabulary: &Vocabulary,
    words: &NameTokens,
    lines: Option<&str>,
) -> String {
    let (blank, end) = match lines {
        Some(_) => (r"/[ \t\r\f\v]/", r"choice(';', '\n')"),
        None => (r"/\s/", "';'"),
    };
    let sign = lines.filter(|sign| !sign.is_empty());
    let sign = sign.map_or_else(String::new, |sign| format!(" /{}[^\\n]*/,", literal(sign)));
    let [guard, setting, unknown] = rules(vocabulary);
    let optional = |rule: &str, part: &'static str| if rule.is_empty() { "" } else { part };
    let or_unknown = optional(&unknown, ", $.unknown");
    let before = optional(&guard, "optional(field('guard', $.guard)), ");
    let behind = optional(&setting, ", repeat(field('setting', $.setting))");
    let tokens: String =
        words.0.iter().map(|(name, text, _)| format!("    {name}: _ => {text},\n")).collect();
    let (about, word, in_operands) = (line(set.doc), "[A-Za-z0-9_]", words.in_operands());
    format!(
        r##"// {title}: {about}
//
// The structure is the same for every set. Only the words are specific to this set.
module.exports = grammar({{
  name: '{name}',
  extras: $ => [{blank}, $.comment],
  rules: {{
    source_file: $ => seq(repeat(seq(optional($._statement), {end})), optional($._statement)),
    _statement: $ => choice(seq(repeat1($.label), optional($._body)), $._body),
    _body: $ => choice($.instruction, $.data{or_unknown}),
    label: $ => seq(field('name', $.identifier), ':'),
    data: $ => seq(field('directive', $.directive), optional($._operands)),
    instruction: $ => seq({before}field('mnemonic', $.mnemonic),
      repeat(field('modifier', $.modifier)), optional($._operands){behind}),
{unknown}{guard}    _operands: $ => prec.right(choice(
      seq(field('operand', $.operand), repeat($._more)), repeat1($._more))),
    _more: $ => prec.right(seq(',', optional(field('operand', $.operand)))),
    operand: $ => prec.right(repeat1($._token)),
    _token: $ => prec.right(seq(
      choice({in_operands}$.number, $.text, $.identifier, $.group, $.operator), repeat($.modifier))),
    // The end of a statement closes open brackets, so the next statement is parsed without errors.
    group: $ => prec.right(choice(seq('(', optional($._operands), optional(')')),
      seq('[', optional($._operands), optional(']')), seq('{{', optional($._operands), optional('}}')))),
{setting}{tokens}    number: _ => /0x[0-9A-Fa-f]+|0b[01]+|[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/,
    text: _ => /"([^"\\\n]|\\[^\n])*"/,
    identifier: _ => /[A-Za-z_]{word}*|\.[A-Za-z0-9_.$]+/,
    // A modifier has no space before its dot. After a space, the word is the name of a label.
    modifier: _ => token.immediate(prec(1, /\.{word}+/)),
    comment: _ => token(choice(/\/\/[^\n]*/,{sign} /\/\*([^*]|\*+[^*\/])*\*+\//)),
    operator: _ => /[!"#$%&'*+\-.\/:<=>?@\\^`|~]/,
  }},
}});
"##,
        title = line(set.name),
    )
}

fn highlights(words: &NameTokens) -> String {
    let words = words.0.iter().map(|(name, _, paint)| format!("({name}) @{paint}\n"));
    let others = "(modifier) @attribute\n(number) @number\n(text) @string\n(comment) @comment\n(operator) @operator\n\
                  (identifier) @label\n[\"(\" \")\" \"[\" \"]\" \"{\" \"}\"] @punctuation.bracket\n\
                  [\",\" \";\" \":\"] @punctuation.delimiter\n";
    words.collect::<String>() + others
}

/// Returns the configuration file that tree-sitter needs in addition to the grammar.
fn configuration(set: &InstructionSet, name: &str) -> String {
    use isa_core::json::quoted;
    format!(
        r#"{{
  "grammars": [
    {{ "name": "{name}", "scope": "source.{name}", "file-types": ["{name}"], "highlights": "highlights.scm" }}
  ],
  "metadata": {{ "version": "0.1.0", "description": {}, "license": "" }}
}}
"#,
        quoted(&line(set.doc)),
    )
}
