//! Rules over assembly text: one text, one instruction.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use crate::diag::{Code, Diagnostics};
use crate::model::{Item, Model, Modifier, Opcode, Syntax, describe};

/// No two opcodes accept the same mnemonic with the same kinds of operands.
pub(crate) fn check_same_text(model: &Model, diag: &mut Diagnostics) {
    let mut seen: BTreeMap<(String, String), &Ident> = BTreeMap::new();
    let included = model.included.iter().map(|o| (&o.name, o.mnemonic.clone(), o.shape.clone()));
    let own = model.sound_opcodes().filter_map(|opcode| {
        let syntax = model.syntaxes.get(opcode.syntax)?;
        Some((&opcode.name, syntax.mnemonic.clone(), shape(model, opcode)))
    });
    for (name, mnemonic, shape) in included.chain(own) {
        let text = format!("{mnemonic} {shape}");
        if let Some(first) = seen.insert((mnemonic, shape), name) {
            diag.error_with(
                Code::SameText,
                name.span(),
                format!("`{name}` and `{first}` accept the same text: `{}`", text.trim_end()),
                first.span(),
                format!("`{first}` accepts the same text"),
            );
        }
    }
}

/// The kinds of an opcode's operands and the text between them, as `Reg, Reg, F16ImmX2`.
pub(crate) fn shape(model: &Model, opcode: &Opcode) -> String {
    let Some(syntax) = model.syntaxes.get(opcode.syntax) else {
        return String::new();
    };
    let mut text = String::new();
    for modifier in syntax.modifiers.iter().filter(|m| !m.optional) {
        if let Some(raw) = modifier.only {
            text.push_str(&format!(".{}={raw} ", syntax.symbols[modifier.symbol].name));
        }
    }
    shape_of(model, opcode, &syntax.before, &mut text);
    shape_of(model, opcode, &syntax.after, &mut text);
    text.trim().trim_end_matches(';').to_owned()
}

fn shape_of(model: &Model, opcode: &Opcode, items: &[Item], text: &mut String) {
    for item in items {
        match item {
            Item::Text(fixed) => text.push_str(fixed),
            Item::Slot { symbol, .. } => {
                let place = opcode.bind.get(*symbol).copied().flatten();
                let kind = place.map(|place| model.fields[opcode.fields[place]].kind);
                text.push_str(&kind.map_or("-".to_owned(), |k| model.kinds[k].name.to_string()));
            }
            Item::Optional(_) | Item::Tags(_) => {}
        }
    }
}

/// No modifier fits two places: with both optional, text would not say which is meant.
pub(crate) fn check_modifiers(model: &Model, diag: &mut Diagnostics) {
    let mut syntaxes: Vec<usize> = model.sound_opcodes().map(|opcode| opcode.syntax).collect();
    syntaxes.sort_unstable();
    syntaxes.dedup();
    for syntax in syntaxes.into_iter().map(|index| &model.syntaxes[index]) {
        for (i, a) in syntax.modifiers.iter().enumerate() {
            for b in &syntax.modifiers[..i] {
                if a.optional || b.optional {
                    check_pair(model, syntax, b, a, diag);
                }
            }
        }
    }
}

fn check_pair(model: &Model, syntax: &Syntax, a: &Modifier, b: &Modifier, diag: &mut Diagnostics) {
    if (a.symbol, a.only) == (b.symbol, b.only) {
        let symbol = &syntax.symbols[b.symbol];
        let message = format!("the template has `{{.{}}}` twice; once is enough", symbol.name);
        diag.error(Code::Template, symbol.span, message);
        return;
    }
    let (first, second) = (written(model, syntax, a), written(model, syntax, b));
    let Some(common) = first.iter().find(|name| second.contains(name)) else {
        return;
    };
    let symbol = &syntax.symbols[b.symbol];
    let message = format!(
        "`.{common}` could be `{}` or `{}`, and one of them may be left out\nhelp: make both \
         mandatory, or rename the value in one of the two sets",
        syntax.symbols[a.symbol].name, symbol.name
    );
    diag.error(Code::AmbiguousModifier, symbol.span, message);
}

/// The names that may stand for a modifier.
fn written(model: &Model, syntax: &Syntax, modifier: &Modifier) -> Vec<String> {
    let field = model.opcodes.iter().find_map(|opcode| {
        let same = std::ptr::eq(&model.syntaxes[opcode.syntax], syntax);
        let place = same.then(|| opcode.bind.get(modifier.symbol).copied().flatten())??;
        Some(&model.fields[opcode.fields[place]])
    });
    let values = field.map_or(&[][..], |field| model.kinds[field.kind].values());
    values
        .iter()
        .filter(|value| modifier.only.is_none_or(|raw| raw == value.raw))
        .map(|value| value.name.to_string())
        .collect()
}

/// An example names the mnemonic of an opcode that inherits from the node where it stands.
pub(crate) fn check_examples(model: &Model, diag: &mut Diagnostics) {
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, node)| node.origin.is_none()) {
        let heirs = model.opcodes.iter().filter(|o| model.lineage[o.node].contains(&index));
        let mut mnemonics: Vec<&str> =
            heirs.map(|opcode| model.syntaxes[opcode.syntax].mnemonic.as_str()).collect();
        mnemonics.sort_unstable();
        mnemonics.dedup();
        for example in &node.examples {
            let stem = |mnemonic: &str| mnemonic.split('.').next().unwrap_or("").to_owned();
            if mnemonics.is_empty() || mnemonics.iter().any(|m| example.words.contains(&stem(m))) {
                continue;
            }
            let message = format!(
                "this is no example of {}\nhelp: an example here begins with `{}`",
                describe(node),
                mnemonics.join("`, `")
            );
            diag.error(Code::Example, example.span, message);
        }
    }
}
