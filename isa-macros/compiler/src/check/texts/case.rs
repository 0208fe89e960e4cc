//! Handles letter case: if the parser of a set ignores letter case, text that differs only in case is
//! equal.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::grammar::{Dot, Filler, Part};
use super::{Spelling, SpellingText};
use crate::diag::{Code, Diagnostics};
use crate::model::{Model, Value};

/// Converts all parts of a text that are parsed in any letter case to lower case. The text of Rust
/// types remains unchanged, because it is compared by token patterns, which ignore case.
pub(super) fn folded(parts: Vec<Part>) -> Vec<Part> {
    let part = |part| match part {
        Part::Text(text) => Part::Text(text.to_ascii_lowercase()),
        Part::Value(filler) => Part::Value(folded_filler(filler)),
        Part::Dots(dots) => {
            let dot = |dot: Dot| Dot { filler: folded_filler(dot.filler), ..dot };
            Part::Dots(dots.into_iter().map(dot).collect())
        }
        Part::Tags(fillers) => Part::Tags(fillers.into_iter().map(folded_filler).collect()),
        Part::Choice(choices) => Part::Choice(choices.into_iter().map(folded).collect()),
        Part::Mnemonic => Part::Mnemonic,
    };
    parts.into_iter().map(part).collect()
}

/// Converts the names of a field's values to lower case.
pub(super) fn folded_filler(filler: Filler) -> Filler {
    match filler {
        Filler::Names(names) => {
            let mut known = BTreeSet::new();
            let lower = names.iter().map(|name| name.to_ascii_lowercase());
            Filler::Names(Rc::new(lower.filter(|name| known.insert(name.clone())).collect()))
        }
        read @ Filler::Read(..) => read,
    }
}

/// Reports mnemonics, and values of a set, that differ only in letter case, if the set is parsed in any
/// case.
pub(super) fn check_case(model: &Model, spellings: &[Spelling<'_>], diag: &mut Diagnostics) {
    let Some(place) = model.any_case else { return };
    let mut mnemonics: BTreeMap<String, &Spelling<'_>> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for spelling in spellings {
        let key = spelling.written.to_ascii_lowercase();
        let first = *mnemonics.entry(key).or_insert(spelling);
        if first.written == spelling.written || !reported.insert(spelling.written) {
            continue;
        }
        let message = format!(
            "`{}` of `{}` and `{}` of `{}` are one mnemonic, since `text any_case` reads any letter \
             case\nhelp: write both alike",
            spelling.written, spelling.name, first.written, first.name
        );
        let own = if matches!(spelling.text, SpellingText::Own(_)) { spelling } else { first };
        diag.error(Code::SameText, own.name.span(), message);
    }
    for kind in &model.kinds {
        let mut known: BTreeMap<String, &Value> = BTreeMap::new();
        let spelled = kind.values().iter().flat_map(|v| v.spellings().map(move |text| (v, text)));
        for (value, text) in spelled {
            let first = *known.entry(text.to_ascii_lowercase()).or_insert(value);
            if first.raw == value.raw {
                continue;
            }
            let message = format!(
                "`{}` and `{}` of `{}` are one name, since `text any_case` reads any letter \
                 case\nhelp: give one of the two another name",
                text, first.text, kind.name
            );
            let span = if kind.origin.is_none() { value.name.span() } else { place };
            diag.error(Code::DuplicateName, span, message);
        }
    }
}
