//! Folds similar errors: the first ones are reported in full, followed by the number of the others.

use isa_bdd::HashMap;

use super::Fault;

/// The maximum number of similar errors that are reported in full.
pub(crate) const MOST_ALIKE: usize = 20;

/// Removes errors if there are already [`MOST_ALIKE`] similar ones. The last error that is kept
/// gets a note with the number of removed errors.
pub(super) fn folded(faults: impl Iterator<Item = Fault>) -> Vec<Fault> {
    let mut kinds: HashMap<(u16, String), Vec<usize>> = HashMap::default();
    let mut kept: Vec<Fault> = Vec::new();
    let mut left_out: HashMap<usize, usize> = HashMap::default();
    for fault in faults {
        let known = kinds.entry((fault.code as u16, kind(&fault.message))).or_default();
        if known.len() < MOST_ALIKE {
            known.push(kept.len());
            kept.push(fault);
        } else {
            *left_out.entry(known[MOST_ALIKE - 1]).or_default() += 1;
        }
    }
    for (place, count) in left_out {
        kept[place].alike = count;
    }
    kept
}

/// Returns a message without quoted names and digits. Similar errors have the same result.
fn kind(message: &str) -> String {
    let mut kind = String::new();
    for (place, part) in message.split('`').enumerate() {
        match place % 2 {
            0 => kind.extend(part.chars().filter(|c| !c.is_ascii_digit())),
            _ => kind.push('`'),
        }
    }
    kind
}

/// Returns the note with the number of similar errors that are left out.
pub(super) fn note(alike: usize) -> String {
    if alike == 0 { String::new() } else { format!("\nnote: and {alike} more like it") }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::super::{Code, Diagnostics};
    use super::*;

    #[test]
    fn faults_of_one_kind_are_folded_and_others_are_not() {
        let mut diag = Diagnostics::default();
        for number in 0..500 {
            let message = format!("no field `F{number}` at bit {number}");
            diag.error(Code::UnknownField, Span::call_site(), message);
            if number < 3 {
                diag.error(Code::UnknownField, Span::call_site(), format!("no value `F{number}`"));
                diag.error(Code::UnknownValue, Span::call_site(), format!("no field `F{number}`"));
            }
        }
        let messages = diag.messages();
        assert_eq!(messages.len(), MOST_ALIKE + 6, "{messages:#?}");
        let folded: Vec<&String> =
            messages.iter().filter(|message| message.contains("more like it")).collect();
        let last = "[ISA0004] no field `F19` at bit 19\nnote: and 480 more like it";
        assert_eq!(folded, [last]);
    }
}
