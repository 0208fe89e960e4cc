//! Letter case. If a set accepts any letter case, all texts are compared in upper case.

use crate::own::{Item, Mark};
use crate::random::Random;
use crate::spec::{Kind, KindText, Value};

/// Returns operand types whose names are in upper case.
#[must_use]
pub(crate) fn folded_kinds(kinds: &[Kind]) -> Vec<Kind> {
    let upper = |name: &String| name.to_ascii_uppercase();
    let fold = |value: &Value| Value {
        text: upper(&value.text),
        also: value.also.iter().map(upper).collect(),
        ..value.clone()
    };
    let folded = |values: &[Value]| values.iter().map(fold).collect();
    let kind = |kind: &Kind| match &kind.text {
        KindText::Set(values) => Kind { text: KindText::Set(folded(values)), ..kind.clone() },
        KindText::Bank(names) => Kind { text: KindText::Bank(folded(names)), ..kind.clone() },
        _ => kind.clone(),
    };
    kinds.iter().map(kind).collect()
}

/// Returns a template in upper case.
#[must_use]
pub(crate) fn folded(items: &[Item]) -> Vec<Item> {
    let mark = |mark: &Mark| Mark {
        open: mark.open.to_ascii_uppercase(),
        close: mark.close.to_ascii_uppercase(),
        ..mark.clone()
    };
    let item = |item: &Item| match item {
        Item::Word(text) => Item::Word(text.to_ascii_uppercase()),
        Item::Text(text) => Item::Text(text.to_ascii_uppercase()),
        Item::Operand { field, marks, dots } => Item::Operand {
            field: *field,
            marks: marks.iter().map(mark).collect(),
            dots: dots.clone(),
        },
        Item::Part(inner) => Item::Part(folded(inner)),
        Item::Dots(_) | Item::Tags(_) => item.clone(),
    };
    items.iter().map(item).collect()
}

/// Returns a text with the case of some letters inverted.
#[must_use]
pub(crate) fn recased(text: &str, random: &mut Random) -> String {
    let turned = |c: char| match c {
        'a'..='z' => c.to_ascii_uppercase(),
        _ => c.to_ascii_lowercase(),
    };
    text.chars().map(|c| if random.chance(40) { turned(c) } else { c }).collect()
}
