//! Formats the syntax of an opcode for people.

use alloc::format;
use alloc::string::String;

use crate::table::{ABSENT, Affix, AfterOperand, Field, Item, Modifier, Opcode, Slot};

/// Returns the syntax of an opcode. Parts in braces are optional. An operand consists of the names
/// of its field and of its type: `{-}{|}ra:Reg{.hsel2}{|}`.
///
/// ```
/// isa_core::define_isa! {
///     /// One instruction.
///     isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { NEG = 1 }
///     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// }
/// assert_eq!(isa_core::explain::syntax(Tiny::SET.opcodes[0]), "NEG rd:Reg;");
/// ```
#[must_use]
pub fn syntax(opcode: &Opcode) -> String {
    let mut text = String::new();
    items(opcode, opcode.syntax.before, &mut text);
    text.push_str(opcode.syntax.mnemonic);
    for item in opcode.syntax.modifiers {
        modifier(opcode, item, &mut text);
    }
    items(opcode, opcode.syntax.after, &mut text);
    text
}

/// Returns the field that `opcode` binds to the placeholder `symbol`.
fn field(opcode: &Opcode, symbol: u8) -> Option<&'static Field> {
    let index = *opcode.bind.get(usize::from(symbol))?;
    let field = opcode.fields.get(usize::from(index));
    field.copied().filter(|_| index != ABSENT)
}

/// Returns the name of the placeholder `symbol`.
fn name(opcode: &Opcode, symbol: u8) -> &'static str {
    let names = opcode.syntax.symbols;
    names.get(usize::from(symbol)).copied().unwrap_or_default()
}

fn modifier(opcode: &Opcode, modifier: &Modifier, text: &mut String) {
    let Some(field) = field(opcode, modifier.symbol) else {
        return;
    };
    let only = modifier.only.and_then(|raw| field.kind.value(raw));
    let name = only.map_or(field.name, |value| value.name);
    *text += &match modifier.optional {
        true => format!("{{.{name}}}"),
        false => format!(".{name}"),
    };
}

fn items(opcode: &Opcode, items_of: &[Item], text: &mut String) {
    for item in items_of {
        match item {
            Item::Text(fixed) => text.push_str(fixed),
            Item::Slot(item) => slot(opcode, item, text),
            Item::Optional(inner) => {
                let mut part = String::new();
                items(opcode, inner, &mut part);
                *text += &format!("{{{part}}}");
            }
            Item::Tags(symbols) => {
                for &symbol in *symbols {
                    if field(opcode, symbol).is_some() {
                        *text += &format!("{{ ${}}}", name(opcode, symbol).trim_start_matches('$'));
                    }
                }
            }
        }
    }
}

fn slot(opcode: &Opcode, slot: &Slot, text: &mut String) {
    let is_bound = |affix: &&Affix| field(opcode, affix.symbol).is_some();
    for affix in slot.affixes.iter().filter(is_bound) {
        *text += &format!("{{{}}}", affix.open);
    }
    match field(opcode, slot.symbol) {
        Some(field) => *text += &format!("{}:{}", field.name, field.kind.name),
        None => text.push_str(name(opcode, slot.symbol)),
    }
    for part in slot.after_operand() {
        match part {
            AfterOperand::Suffix(suffix) => {
                if let Some(field) = field(opcode, suffix) {
                    let dot = field.name.bytes().rposition(|byte| byte == b'.');
                    let name = field.name.get(dot.map_or(0, |dot| dot + 1)..).unwrap_or_default();
                    *text += &format!("{{.{name}}}");
                }
            }
            AfterOperand::Close(affix) if field(opcode, affix.symbol).is_some() => {
                *text += &format!("{{{}}}", affix.close);
            }
            AfterOperand::Close(_) => {}
        }
    }
}
