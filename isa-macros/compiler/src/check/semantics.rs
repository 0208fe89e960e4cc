//! Checks semantics against the operand lists.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::diag::{Code, Diagnostics, nearest};
use crate::model::{Model, Opcode, OpcodeOperand, describe};
use crate::syntax::ast::{FieldName, MachineHandle, OperandLists};

/// Checks that an opcode with semantics has operand lists.
pub(crate) fn check_lists(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.valid_opcodes() {
        let Some(node) = opcode.semantics else {
            continue;
        };
        if !opcode.has_lists {
            let message = format!(
                "{} has semantics, but `{}` has no operand lists\nhelp: add `operands {{ \
                 InList<...>; OutList<...>; }}`; a list may be empty",
                describe(&model.nodes[node]),
                opcode.name
            );
            diag.error(Code::OperandLists, opcode.name.span(), message);
        }
    }
}

/// Checks that the operand lists of an opcode with semantics contain no field whose type is a value
/// set. Such a field is a constant of the instruction, which the machine does not store.
pub(crate) fn check_sets(model: &Model, diag: &mut Diagnostics) {
    let mut reported = BTreeSet::new();
    for opcode in model.valid_opcodes().filter(|opcode| opcode.semantics.is_some()) {
        for operand in &opcode.operands {
            let field = opcode.field_at(model, operand.field);
            let kind = model.type_of(field);
            if !kind.is_set() || !reported.insert(opcode.fields[operand.field]) {
                continue;
            }
            let names = |list: &Option<(Span, Vec<FieldName>)>| -> Vec<(String, Span)> {
                let names = list.iter().flat_map(|(_, names)| names);
                names.map(|name| (name.dotted(), name.span())).collect()
            };
            let lists = model.lineage[opcode.node].iter().map(|&node| &model.nodes[node].operands);
            let mut listed =
                lists.flat_map(|lists| [names(&lists.inputs), names(&lists.outputs)].concat());
            let place = listed.find(|(name, _)| *name == field.text);
            let message = format!(
                "`{0}` has the value set `{1}`, so it is not an operand of the machine\nhelp: \
                 remove it from `InList` and `OutList`: the semantics can use `{0}` as a \
                 variable, and `Order` may contain it if it is a placeholder",
                field.text, kind.name
            );
            let span = place.map_or_else(|| field.name.span(), |(_, span)| span);
            diag.error(Code::OperandLists, span, message);
        }
    }
}

/// Checks that the semantics or the guard use each operand. If several opcodes share semantics, an
/// operand that the semantics do not use is reported only once.
pub(crate) fn check_untouched(model: &Model, diag: &mut Diagnostics) {
    let mut reported: BTreeMap<(usize, String), ()> = BTreeMap::new();
    for opcode in
        model.valid_opcodes().filter(|opcode| opcode.has_lists && opcode.has_valid_semantics)
    {
        let Some(node) = opcode.semantics else {
            continue;
        };
        let bodies =
            [Some(node).and_then(|n| model.nodes[n].semantics.as_ref()), guard(model, opcode)];
        for (symbol, operand) in opcode.named_operands(model) {
            let slot = symbol.name.as_str();
            let touched = |body: &TokenStream| names(body.clone(), slot);
            if bodies.iter().flatten().any(|body| touched(body))
                || reported.insert((node, slot.to_owned()), ()).is_some()
            {
                continue;
            }
            report_untouched(model, opcode, node, slot, operand, diag);
        }
    }
}

/// Checks that the name of the machine is not also the name of an operand, or of another field that
/// the semantics use.
pub(crate) fn check_handle(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.valid_opcodes() {
        let handle = opcode.semantics.and_then(|node| model.nodes[node].handle.as_ref());
        if let Some(handle) = handle
            && let Some(other) = namesake(model, opcode, handle)
        {
            let name = &handle.name;
            let message = format!(
                "the machine and a part of `{}` are both called `{name}`; rename one of the two",
                opcode.name
            );
            let note = format!("this part is also called `{name}`");
            diag.error_with(Code::DuplicateName, handle.name.span(), message, other, note);
        }
    }
}

/// Returns the span of the operand placeholder or field that has the same name as the machine, if there
/// is one.
pub(crate) fn namesake(model: &Model, opcode: &Opcode, handle: &MachineHandle) -> Option<Span> {
    let name = handle.name.unraw().to_string();
    let mut slots = model.syntaxes[opcode.syntax].slots();
    let slot = slots.find(|slot| slot.name == name).map(|slot| slot.span);
    let field = || opcode.field(model, &name).map(|f| opcode.field_at(model, f));
    slot.or_else(|| field().map(|field| field.name.span()))
}

/// Checks that a set declares a `trap` type if it includes opcodes that can trap.
pub(crate) fn check_traps(model: &Model, diag: &mut Diagnostics) {
    if model.trap.is_some() {
        return;
    }
    for opcode in model.included.iter().filter(|opcode| opcode.executes && opcode.traps) {
        let message = format!(
            "the included set has a `trap`, but `{}` does not\nhelp: declare `trap path::Type;` \
             with the same type, or with a type that converts from it",
            model.header.name
        );
        diag.error(Code::MissingSection, opcode.place, message);
    }
}

fn guard<'m>(model: &'m Model, opcode: &Opcode) -> Option<&'m TokenStream> {
    opcode.guard.and_then(|node| model.nodes[node].guard.as_ref())
}

fn report_untouched(
    model: &Model,
    opcode: &Opcode,
    node: usize,
    slot: &str,
    operand: &OpcodeOperand,
    diag: &mut Diagnostics,
) {
    let field = &opcode.field_at(model, operand.field).text;
    let (list, touch, help) = match operand.read {
        true => {
            let help = format!("; if it is unused on purpose, write `let _ = {slot};`");
            ("InList", "use", help)
        }
        false => ("OutList", "assign", String::new()),
    };
    let misspelt = nearest_word(model, opcode, slot);
    let hint = misspelt.as_ref().map(|word| format!("; did you misspell it as `{word}`?"));
    let hint = hint.unwrap_or_default();
    let message = format!(
        "`{field}` is in `{list}`, but the semantics of {} do not {touch} `{slot}`{hint}\nhelp: \
         {touch} it, or remove it from `{list}`{help}",
        describe(&model.nodes[node])
    );
    let span = listed_at(model, opcode, field, operand.read);
    diag.error(Code::UnusedOperand, span.unwrap_or_else(|| opcode.name.span()), message);
}

/// Returns an identifier in the semantics that is similar to the name of an operand placeholder and that
/// the specification does not define.
fn nearest_word(model: &Model, opcode: &Opcode, slot: &str) -> Option<String> {
    let body = model.nodes[opcode.semantics?].semantics.clone()?;
    let mut words = Vec::new();
    collect_words(body, &mut words);
    let symbols = &model.syntaxes[opcode.syntax].placeholders;
    words.retain(|word| {
        opcode.field(model, word).is_none() && symbols.iter().all(|symbol| symbol.name != *word)
    });
    nearest(slot, words.iter().map(String::as_str)).map(str::to_owned)
}

fn collect_words(body: TokenStream, words: &mut Vec<String>) {
    for tree in body {
        match tree {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => collect_words(group.stream(), words),
            _ => {}
        }
    }
}

/// Returns the span of an operand in the nearest list of this call that contains it.
fn listed_at(model: &Model, opcode: &Opcode, field: &str, read: bool) -> Option<Span> {
    let list = |lists: &OperandLists| match read {
        true => lists.inputs.as_ref().map(|(_, names)| names.clone()),
        false => lists.outputs.as_ref().map(|(_, names)| names.clone()),
    };
    let nodes = model.lineage[opcode.node].iter().rev().map(|&node| &model.nodes[node]);
    let nearest = nodes.filter_map(|node| Some((node, list(&node.operands)?))).next();
    let (node, names) = nearest?;
    let name = names.iter().find(|name| name.dotted() == field)?;
    // If other opcodes also inherit the list, it is probably correct for them. The error is then
    // reported at the semantics.
    let body = opcode.semantics.map(|node| &model.nodes[node])?;
    let (here, span) =
        if std::ptr::eq(node, body) { (node, name.span()) } else { (body, body.name.span()) };
    here.origin.is_this_call().then_some(span)
}

/// Returns whether a semantic function mentions a variable. A mention in the arguments of a macro or in
/// a format string also counts.
fn names(body: TokenStream, name: &str) -> bool {
    body.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident.unraw() == name,
        TokenTree::Group(group) => names(group.stream(), name),
        TokenTree::Literal(literal) => literal.to_string().contains(&format!("{{{name}")),
        TokenTree::Punct(_) => false,
    })
}
