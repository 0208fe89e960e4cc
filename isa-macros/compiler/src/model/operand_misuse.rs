//! Checks semantics for operands that are used in a wrong way. Without this check, the messages of
//! rustc would be about types and variables that the specification does not contain.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::{Model, Opcode, at_node};
use crate::diag::{Code, Diagnostics};

/// An operand as the semantics see it.
struct VisibleOperand {
    slot: String,
    field: String,
    read: bool,
    written: bool,
}

/// Reports semantics that use an operand in a wrong way, once for each name. The expansion then
/// leaves out these semantics.
pub(crate) fn check_operand_misuse(model: &mut Model, diag: &mut Diagnostics) {
    let (mut wrong, mut known): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for opcode in model.opcodes.iter().filter(|opcode| opcode.is_valid && opcode.has_lists) {
        let Some(node) = opcode.semantics.filter(|node| !known.contains(node)) else { continue };
        let Some(body) = model.nodes[node].semantics.clone() else { continue };
        known.push(node);
        let operands = seen(model, opcode);
        let named =
            |operand: &VisibleOperand| operand.slot == "machine" || operand.field == "machine";
        let lacks_machine = model.nodes[node].handle.is_none()
            && opcode.field(model, "machine").is_none()
            && !operands.iter().any(named);
        let mut faults = Vec::new();
        find_misuses(&body, &body, &operands, lacks_machine, &mut faults);
        let mut names = Vec::new();
        at_node(&model.nodes[node], diag);
        for OperandMisuse { name, span, message } in faults {
            if !names.contains(&name) {
                diag.error(Code::OperandUse, span, message);
                names.push(name);
            }
        }
        if !names.is_empty() {
            wrong.push(node);
        }
    }
    diag.leave_item();
    for opcode in &mut model.opcodes {
        opcode.has_valid_semantics = !opcode.semantics.is_some_and(|node| wrong.contains(&node));
    }
}

/// Returns the operands that an opcode's semantics see.
fn seen(model: &Model, opcode: &Opcode) -> Vec<VisibleOperand> {
    let named = opcode.named_operands(model);
    let slots = named.filter(|(symbol, _)| symbol.is_operand());
    let seen = slots.map(|(symbol, operand)| {
        let field = opcode.field_at(model, operand.field).text.clone();
        let (read, written) = (operand.read, operand.written);
        VisibleOperand { slot: symbol.name.clone(), field, read, written }
    });
    seen.collect()
}

struct OperandMisuse {
    name: String,
    span: Span,
    message: String,
}

fn find_misuses(
    tokens: &TokenStream,
    body: &TokenStream,
    operands: &[VisibleOperand],
    lacks_machine: bool,
    faults: &mut Vec<OperandMisuse>,
) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            find_misuses(&group.stream(), body, operands, lacks_machine, faults);
        }
        let TokenTree::Ident(word) = tree else { continue };
        if is_part_of_path(&trees, at) {
            continue;
        }
        let name = word.unraw().to_string();
        let behind = mark(trees.get(at + 1));
        let found = if lacks_machine && name == "machine" && behind == Some('.') {
            let message = "semantics can only access the machine through a handle\nhelp: declare \
                           a handle and its traits: `semantics(machine: path::Trait) { ... }`";
            Some(message.to_owned())
        } else {
            operands.iter().find_map(|operand| misuse(&name, operand, operands, &trees, at))
        };
        if let Some(message) = found
            && !binds(body, &name)
        {
            faults.push(OperandMisuse { name, span: word.span(), message });
        }
    }
}

/// Returns the message if a word in the semantics is the placeholder or the field of an operand and
/// is used in a wrong way. Returns `None` if the use is correct.
fn misuse(
    name: &str,
    operand: &VisibleOperand,
    operands: &[VisibleOperand],
    trees: &[TokenTree],
    at: usize,
) -> Option<String> {
    let VisibleOperand { slot, field, read, written } = operand;
    if name == *field && operands.iter().all(|other| other.slot != name) {
        let use_as = match (read, written) {
            (true, false) => format!("{slot}.value"),
            _ => slot.clone(),
        };
        return Some(format!(
            "`{field}` is a field; in semantics, the name of its operand is the placeholder \
             `{slot}`\nhelp: write `{use_as}`"
        ));
    }
    if name != *slot || *written {
        return None;
    }
    let is_value = mark(trees.get(at + 1)) == Some('.')
        && matches!(trees.get(at + 2), Some(TokenTree::Ident(part)) if part == "value");
    let behind = at + if is_value { 3 } else { 1 };
    if assigns(trees, behind) {
        let outputs: Vec<String> = operands
            .iter()
            .filter(|other| other.written)
            .map(|other| format!("`{}`", other.slot))
            .collect();
        let output = match &outputs[..] {
            [] => String::new(),
            outputs => format!(" {},", outputs.join(", ")),
        };
        return Some(format!(
            "cannot assign to `{slot}`, because it is an input\nhelp: assign to an \
             output,{output} or to a local variable, `let mut changed = {slot}.value;`; if the \
             operand is also written, add it to `OutList`"
        ));
    }
    // In `16 * Ra.half`, the factor is the sub-field.
    let has_part = mark(trees.get(at + 1)) == Some('.')
        && matches!(trees.get(at + 2), Some(TokenTree::Ident(_)));
    (!has_part && is_calculated_with(trees, at)).then(|| {
        format!(
            "`{slot}` is a struct of the operand's value and sub-fields\nhelp: write \
                 `{slot}.value` for the value"
        )
    })
}

/// Returns the character of a punctuation mark.
fn mark(tree: Option<&TokenTree>) -> Option<char> {
    match tree {
        Some(TokenTree::Punct(mark)) => Some(mark.as_char()),
        _ => None,
    }
}

/// Returns whether a word is a field, a part of a path, a macro, a function or the name of a part.
fn is_part_of_path(trees: &[TokenTree], at: usize) -> bool {
    let before = |back: usize| mark(at.checked_sub(back).and_then(|place| trees.get(place)));
    let is_range = before(1) == Some('.') && before(2) == Some('.');
    let called = matches!(
        trees.get(at + 1),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
    );
    (before(1) == Some('.') && !is_range)
        || (before(1) == Some(':') && before(2) == Some(':'))
        || before(1) == Some('\'')
        || mark(trees.get(at + 1)) == Some(':')
        || (mark(trees.get(at + 1)) == Some('!') && mark(trees.get(at + 2)) != Some('='))
        || called
}

/// Returns whether an assignment begins at an index: `=`, `+=` and so on.
fn assigns(trees: &[TokenTree], at: usize) -> bool {
    let mut marks = String::new();
    for tree in &trees[at.min(trees.len())..] {
        let TokenTree::Punct(mark) = tree else { break };
        marks.push(mark.as_char());
        if mark.spacing() == Spacing::Alone {
            break;
        }
    }
    matches!(
        marks.as_str(),
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" | ">>="
    )
}

/// Returns whether there is an operator next to the word, or a cast after it.
fn is_calculated_with(trees: &[TokenTree], at: usize) -> bool {
    let before = |back: usize| mark(at.checked_sub(back).and_then(|place| trees.get(place)));
    let behind = |next: usize| mark(trees.get(at + next));
    let casts = matches!(trees.get(at + 1), Some(TokenTree::Ident(word)) if word == "as");
    let compares = |first: Option<char>, second: Option<char>| {
        matches!(first, Some('=' | '!')) && second == Some('=')
    };
    casts
        || matches!(behind(1), Some('+' | '-' | '*' | '/' | '%' | '^' | '&' | '<' | '>'))
        || compares(behind(1), behind(2))
        || matches!(before(1), Some('+' | '-' | '*' | '/' | '%' | '^' | '!'))
        || compares(before(2), before(1))
}

/// Returns whether the semantics declare a variable called `name`. The name counts as declared if
/// it occurs at any position that may be a pattern.
fn binds(tokens: &TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let (mut in_pattern, mut in_parameters) = (false, false);
    for (at, tree) in trees.iter().enumerate() {
        let before_arrow =
            mark(trees.get(at + 1)) == Some('=') && mark(trees.get(at + 2)) == Some('>');
        match tree {
            TokenTree::Ident(word) if matches!(word.to_string().as_str(), "let" | "for" | "fn") => {
                in_pattern = true;
            }
            TokenTree::Ident(word) if word == "in" => in_pattern = false,
            TokenTree::Ident(word)
                if word.unraw() == name && (in_pattern || in_parameters || before_arrow) =>
            {
                return true;
            }
            TokenTree::Punct(mark) if mark.as_char() == '|' => in_parameters = !in_parameters,
            TokenTree::Punct(mark) if matches!(mark.as_char(), '=' | ';') => in_pattern = false,
            TokenTree::Group(group) => {
                let is_pattern = in_pattern || in_parameters || before_arrow;
                if is_pattern && group.delimiter() != Delimiter::Brace {
                    if names(&group.stream(), name) {
                        return true;
                    }
                } else if binds(&group.stream(), name) {
                    return true;
                }
                in_pattern &= group.delimiter() != Delimiter::Brace;
            }
            _ => {}
        }
    }
    false
}

fn names(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(word) => word.unraw() == name,
        TokenTree::Group(group) => names(&group.stream(), name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(body: &str) -> usize {
        let operand = |slot: &str, field: &str, written: bool| VisibleOperand {
            slot: slot.to_owned(),
            field: field.to_owned(),
            read: !written,
            written,
        };
        let operands = [operand("Rd", "rd", true), operand("Ra", "ra", false)];
        let (body, mut found) = (body.parse().unwrap(), Vec::new());
        find_misuses(&body, &body, &operands, true, &mut found);
        found.len()
    }

    #[test]
    fn bodies_with_variables_of_their_own_are_left_to_the_compiler() {
        for wrong in [
            "Rd = Ra + 1;",
            "Rd = 1 - Ra;",
            "Rd = if Ra == 0 { 1 } else { 2 };",
            "Rd = if 0 != Ra { 1 } else { 2 };",
            "Rd = !Ra;",
            "Rd = Ra as u32;",
            "Rd = f(Ra << 1);",
            "Ra = 1; Rd = 2;",
            "Ra.value = 1; Rd = 2;",
            "Ra.value += 1; Rd = 2;",
            "Ra.value <<= 1; Rd = 2;",
            "Rd = ra.value;",
            "rd = 2;",
            "Rd = machine.load(Ra.value);",
        ] {
            assert_eq!(faults(wrong), 1, "{wrong}");
        }
        for right in [
            "Rd = Ra.value + 1;",
            "let ra = Ra.value; Rd = ra + 1;",
            "let Ra = Ra.value; Rd = Ra + 1;",
            "let (ra, x): (u32, u32) = (Ra.value, 1); Rd = ra + x;",
            "Rd = [Ra.value].map(|ra| ra + 1)[0];",
            "Rd = [(1, Ra.value)].map(|(x, ra)| ra + x)[0];",
            "for ra in 0..Ra.value { Rd = ra; }",
            "fn f(ra: u32) -> u32 { ra + 1 } Rd = f(Ra.value);",
            "Rd = match Ra.value { 0 => 1, ra => ra + 1 };",
            "if let Some(ra) = Some(Ra.value) { Rd = ra + 1 } else { Rd = 0 }",
            "Rd = f(&Ra) + g(Ra);",
            "Rd = Ra.value >> (16 * Ra.half.to_bits());",
            "Rd = if x == Ra.half { !Ra.value } else { 0 };",
            "let copy = Ra; Rd = copy.value;",
            "Rd = crate::ra(Ra.value) + ra::f(1) + ra(2) + x.ra + ra!(1);",
            "Rd = P { ra: Ra.value }.sum();",
            "Rd = match x { A => Ra, B => Ra }.value;",
            "let machine = x; Rd = machine.load(Ra.value);",
            "Rd = machine::load(Ra.value);",
        ] {
            assert_eq!(faults(right), 0, "{right}");
        }
    }
}
