//! The blanks that printing puts between the parts of a template.
//!
//! Each stands where people write one. `_` says that here they do not, an empty text among the items.

use super::Item;

/// Appends text, with the canonical space behind a comma.
pub(super) fn push_text(items: &mut Vec<Item>, text: &str) {
    let text = if text == "," { ", " } else { text };
    match items.last_mut() {
        Some(Item::Text(last)) if !last.is_empty() => last.push_str(text),
        _ => items.push(Item::Text(text.to_owned())),
    }
}

/// Says that no blank stands here.
pub(super) fn push_tight(items: &mut Vec<Item>) {
    match items.last_mut() {
        Some(Item::Text(last)) if last.ends_with(", ") => {
            last.pop();
        }
        _ => items.push(Item::Text(String::new())),
    }
}

/// Whether an item says that no blank stands here.
fn is_tight(item: &Item) -> bool {
    matches!(item, Item::Text(text) if text.is_empty())
}

/// Takes out what says that no blank stands here, and has had its effect.
pub(super) fn drop_empty(items: &mut Vec<Item>) {
    items.retain(|item| !is_tight(item));
    for item in items {
        if let Item::Optional(inner) = item {
            drop_empty(inner);
        }
    }
}

/// Whether a word may stand directly before what comes next.
pub(super) fn ends_open(items: &[Item]) -> bool {
    matches!(items.last(), Some(Item::Slot { .. } | Item::Optional(_) | Item::Tags(_)))
}

pub(super) fn begins_word(items: &[Item]) -> bool {
    match items.first() {
        Some(Item::Slot { .. }) => true,
        Some(Item::Text(text)) => text.starts_with(is_word),
        _ => false,
    }
}

/// Whether words of assembly text have this character.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The canonical space between two words.
pub(super) fn push_gap(items: &mut Vec<Item>) {
    if ends_open(items) {
        items.push(Item::Text(" ".to_owned()));
    }
}

/// The canonical space between the mnemonic and the first operand.
pub(super) fn start_with_space(items: &mut Vec<Item>) {
    match items.first_mut() {
        Some(Item::Optional(inner)) => start_with_space(inner),
        Some(Item::Slot { .. }) => items.insert(0, Item::Text(" ".to_owned())),
        Some(Item::Text(text)) if !text.is_empty() && !text.starts_with(';') => text.insert(0, ' '),
        _ => {}
    }
}

/// The canonical space behind each part before the mnemonic, within the part where that may be left
/// out.
pub(super) fn space_prefix(items: &mut Vec<Item>) {
    let is_gap = |item: &Item| matches!(item, Item::Text(text) if text == " ");
    items.retain(|item| !is_gap(item));
    let tight: Vec<bool> = items.iter().skip(1).map(is_tight).chain([false]).collect();
    for (item, tight) in items.iter_mut().zip(tight) {
        if let Item::Optional(inner) = item
            && !tight
        {
            if inner.first().is_some_and(is_gap) {
                inner.remove(0);
            }
            end_with_space(inner);
        }
    }
    if !matches!(items.last(), Some(Item::Optional(_))) {
        end_with_space(items);
    }
}

fn end_with_space(items: &mut Vec<Item>) {
    match items.last_mut() {
        Some(Item::Optional(inner)) => end_with_space(inner),
        Some(last) if is_tight(last) => {}
        Some(_) => push_text(items, " "),
        None => {}
    }
}
