//! Checks examples: each must match the template of an opcode that inherits from the node that declares
//! it.

use super::pattern::{Mismatch, Pattern};
use crate::diag::{Code, Diagnostics, did_you_mean, nearest};
use crate::model::{Model, Opcode, describe};
use crate::syntax::ast::{Example, Lexeme, NodeDecl};

/// Checks that an example matches the template of an opcode that inherits from the node of the example.
/// A generated test checks whether the Rust types of operands accept the example.
pub(crate) fn check_examples(model: &Model, diag: &mut Diagnostics) {
    let heirs = model.heirs_with_examples(model.spellings());
    for (node, heirs) in model.nodes.iter().zip(heirs) {
        if heirs.is_empty() || !heirs.iter().all(|opcode| opcode.sound) {
            continue;
        }
        for example in &node.examples {
            check_example(model, node, &heirs, example, diag);
        }
    }
}

fn check_example(
    model: &Model,
    node: &NodeDecl,
    heirs: &[&Opcode],
    example: &Example,
    diag: &mut Diagnostics,
) {
    let named: Vec<&&Opcode> = heirs
        .iter()
        .filter(|opcode| has_mnemonic(model, &example.lexemes, mnemonic(model, opcode)))
        .collect();
    let mut stops = Vec::new();
    for opcode in &named {
        match Pattern::of(model, opcode).map(|pattern| pattern.matches(&example.lexemes)) {
            Some(Err(stop)) => stops.push(stop),
            Some(Ok(())) | None => return,
        }
    }
    let mut others =
        model.sound_spellings().filter(|other| heirs.iter().all(|o| o.node != other.node));
    let fits = |other: &&Opcode| {
        Pattern::of(model, other).is_some_and(|p| p.matches(&example.lexemes).is_ok())
    };
    let (owner, mnemonics) = (others.find(fits), mnemonics(model, heirs));
    match owner {
        Some(owner) => report_owner(node, owner, example, diag),
        None if named.is_empty() => report_mnemonic(node, &mnemonics, example, diag),
        None => report_mismatch(node, stops, example, diag),
    }
}

fn mnemonic<'m>(model: &'m Model, opcode: &Opcode) -> &'m str {
    &model.syntaxes[opcode.syntax].mnemonic
}

fn mnemonics<'m>(model: &'m Model, opcodes: &[&Opcode]) -> Vec<&'m str> {
    let mut found: Vec<&str> = opcodes.iter().map(|opcode| mnemonic(model, opcode)).collect();
    found.retain(|mnemonic| !mnemonic.is_empty());
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns whether a line contains the first word of a mnemonic. Every line contains an empty mnemonic.
fn has_mnemonic(model: &Model, line: &[Lexeme], mnemonic: &str) -> bool {
    let stem = mnemonic.split('.').next().unwrap_or_default();
    stem.is_empty() || line.iter().any(|lexeme| model.is_read_as(stem, &lexeme.text))
}

fn report_owner(node: &NodeDecl, owner: &Opcode, example: &Example, diag: &mut Diagnostics) {
    let message = format!(
        "this is an example of opcode `{}`, which does not inherit from {}\nhelp: move it there",
        owner.name,
        describe(node)
    );
    report(message, example, 0, diag);
}

fn report_mnemonic(node: &NodeDecl, mnemonics: &[&str], example: &Example, diag: &mut Diagnostics) {
    let known = || mnemonics.iter().copied();
    let meant = example.lexemes.iter().position(|lexeme| nearest(&lexeme.text, known()).is_some());
    let message = format!(
        "this is no example of {}\nhelp: an example here begins with `{}`",
        describe(node),
        mnemonics.join("`, `")
    );
    report(message, example, meant.unwrap_or(0), diag);
}

/// Reports the first position at which every template fails, and the text that the templates expect at
/// this position.
fn report_mismatch(
    node: &NodeDecl,
    stops: Vec<Mismatch>,
    example: &Example,
    diag: &mut Diagnostics,
) {
    let at = stops.iter().map(|stop| stop.at).max().unwrap_or(0);
    let mut expected: Vec<String> =
        stops.into_iter().filter(|stop| stop.at == at).flat_map(|stop| stop.expected).collect();
    expected.sort();
    expected.dedup();
    let found = example.lexemes.get(at).map(|lexeme| lexeme.text.as_str());
    let bare = |name: &String| name.trim_matches(['`', '.']).to_owned();
    let names: Vec<String> = expected.iter().map(bare).collect();
    let dotted = at > 0 && example.lexemes[at - 1].text == ".";
    let known = names.iter().zip(&expected).filter(|(_, shown)| shown.starts_with("`.") == dotted);
    let hint = did_you_mean(found.unwrap_or_default(), known.map(|(name, _)| name.as_str()));
    let what = match found {
        Some(found) => format!("no template of {} has `{found}` here{hint}", describe(node)),
        None => format!("the line ends before the templates of {} do", describe(node)),
    };
    let help = match expected.len() {
        0 => "no modifier may follow".to_owned(),
        1 => format!("expected {}", expected[0]),
        _ => format!("expected one of {}", expected.join(", ")),
    };
    report(format!("{what}\nhelp: {help}"), example, at, diag);
}

/// Reports an error at a lexeme of the line, or at the last lexeme.
fn report(message: String, example: &Example, at: usize, diag: &mut Diagnostics) {
    if let Some(lexeme) = example.lexemes.get(at).or(example.lexemes.last()) {
        diag.error(Code::Example, lexeme.span, message);
    }
}
