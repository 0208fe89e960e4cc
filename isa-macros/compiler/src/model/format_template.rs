//! Prints templates for people.

use super::template::{as_modifier, first_word};
use crate::syntax::ast::Piece;

/// Returns the part of a template after the mnemonic, formatted for people.
pub(crate) fn show_behind(pieces: &[Piece]) -> String {
    let modifiers = pieces.iter().take_while(|piece| as_modifier(piece).is_some()).count();
    let (modifiers, operands) = pieces.split_at(modifiers);
    let text = format!("{} {}", show_all(modifiers), show_all(operands).trim_start());
    text.replace(" ;", ";").replace(" {, ", "{, ")
}

/// Returns a template, formatted for people.
pub(crate) fn show(pieces: &[Piece]) -> String {
    let Some(at) = pieces.iter().position(|piece| first_word(piece).is_some()) else {
        return show_all(pieces);
    };
    let behind = &pieces[at + 1..];
    let modifiers = behind.iter().take_while(|piece| as_modifier(piece).is_some()).count();
    let (before, mnemonic) = (show_all(&pieces[..at]), show_all(&pieces[at..at + 1 + modifiers]));
    let after = show_all(&behind[modifiers..]);
    let gap = if before.is_empty() { "" } else { " " };
    let text = format!("{before}{gap}{mnemonic} {}", after.trim_start());
    text.trim_start().replace(" ;", ";").replace(" {, ", "{, ")
}

fn show_all(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Word(word) => {
                if text.ends_with(char::is_alphanumeric) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
            Piece::Dot(name) => text.push_str(&format!(".{name}")),
            Piece::Optional(inner, _) => text.push_str(&format!("{{{}}}", show_all(inner))),
            Piece::Tag(name) => text.push_str(&format!(" ${name}")),
            Piece::Comma => text.push_str(", "),
            Piece::Text(mark) => text.push_str(mark),
            Piece::Rest => text.push_str(".."),
            Piece::Nothing => {}
        }
    }
    text
}
