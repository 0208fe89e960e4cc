//! Formats the conditions of aliases and the values of fields as text for people.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::WordPart;
use crate::table::{Alias, Init, Opcode};
use crate::text::Line;

/// Returns the condition under which a word of an opcode can be spelled as an alias or a synonym. The
/// condition consists of required values of fields and excluded combinations, separated by `; `.
/// Returns `None` if the alias or synonym matches every word of the opcode.
///
/// ```
/// isa_core::define_isa! {
///     /// One instruction with another spelling.
///     isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     opcode MOV { encoding { field<8, 8> Reg rd; field<0, 8> Reg ra; } syntax { MOV Rd, Ra; } }
///     alias CLR of MOV { encoding { ra == 255; } syntax { CLR Rd; } }
/// }
/// let mov = Tiny::SET.opcodes[0];
/// let condition = isa_core::explain::alias_condition(mov, &mov.aliases[0]);
/// assert_eq!(condition.as_deref(), Some("ra is RZ (0xff)"));
/// ```
#[must_use]
pub fn alias_condition(opcode: &'static Opcode, alias: &'static Alias) -> Option<String> {
    let row = alias.row;
    let is_free = |name: &str| {
        let field = opcode.fields.iter().find(|field| field.name == name);
        !field.is_some_and(|field| matches!(field.init, Init::Fixed(_)))
    };
    let fields = row.fields.iter().enumerate().filter_map(|(index, field)| match field.init {
        Init::Fixed(raw) if is_free(field.name) => {
            Some(format!("{} is {}", field.name, value_text(row, index, raw)))
        }
        _ => None,
    });
    let own = row
        .exceptions
        .iter()
        .filter(|exception| !opcode.exceptions.iter().any(|of| core::ptr::eq(*of, **exception)));
    let conditions = own.map(|exception| opposite(exception.condition));
    let all: Vec<String> = fields.chain(conditions).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Returns the negation of a condition in the syntax of specifications.
fn opposite(condition: &str) -> String {
    let mut depth = 0u32;
    let is_several = condition.split(' ').any(|word| {
        let opened = word.matches(['(', '{']).count() as u32;
        let is_joint = depth == 0 && matches!(word, "and" | "or");
        depth = (depth + opened).saturating_sub(word.matches([')', '}']).count() as u32);
        is_joint
    });
    match condition.strip_prefix("not ") {
        _ if is_several => format!("not ({condition})"),
        Some(condition) => condition.into(),
        None => format!("not {condition}"),
    }
}

/// Returns a value of a field as assembly text with its number, for example `RZ (0xff)`. `index` is the
/// index of the field in [`Opcode::fields`]. Returns only the number if the value has no text, or if
/// the field does not exist.
#[must_use]
pub fn value_text(opcode: &'static Opcode, index: usize, raw: u64) -> String {
    let Some(field) = opcode.fields.get(index) else {
        return format!("{raw:#x}");
    };
    if let Some(value) = field.kind.value(raw) {
        return format!("{} ({raw:#x})", value.name);
    }
    let word = field.set(opcode.initial(), raw);
    let mut line = Line::new();
    let part: Option<WordPart> = opcode
        .explain(word)
        .find(|part| part.field.is_some_and(|own| core::ptr::eq(own.field, *field)));
    if let Some(own) = part.and_then(|part| part.field).filter(|own| own.is_legal()) {
        own.meaning(&mut line);
    }
    match line.as_str() {
        "" => format!("{raw:#x}"),
        text => format!("{text} ({raw:#x})"),
    }
}

#[cfg(test)]
mod tests {
    use super::opposite;

    #[test]
    fn what_is_not_so() {
        for (condition, other) in [
            ("a == 1", "not a == 1"),
            ("not a in {1, 2}", "a in {1, 2}"),
            ("not (a == 1 or b == 2)", "(a == 1 or b == 2)"),
            ("not a == 1 or b == 2", "not (not a == 1 or b == 2)"),
            ("a == 1 and (b or c)", "not (a == 1 and (b or c))"),
        ] {
            assert_eq!(opposite(condition), other);
        }
    }
}
