//! Creates an HTML page with the differences between two descriptions.

use std::collections::BTreeSet;

use isa_export::description::{Description, OpcodeDescription};
use isa_export::diff::Difference;
use isa_manual::{Change, ChangedOpcode, ChangedWords, DrawnField, Versions, WordLayout};

/// Returns the page.
pub(crate) fn page(
    old: &Description,
    new: &Description,
    difference: &Difference,
    made_by: String,
) -> String {
    let name = match old.name == new.name {
        true => new.name.clone(),
        false => format!("{} and {}", old.name, new.name),
    };
    let changes = difference.changes.iter().map(|change| Change {
        what: change.what.name().to_owned(),
        places: change.places.clone(),
        message: change.message.clone(),
        words: change.words.as_ref().map(|words| ChangedWords {
            count: words.count.to_string(),
            witness: words.witness,
            before: words.before.clone(),
            after: words.after.clone(),
        }),
    });
    let mut known = BTreeSet::new();
    let places = difference.changes.iter().flat_map(|change| &change.places);
    let opcodes = places.filter(|place| known.insert(place.as_str())).filter_map(|place| {
        let before = difference.renamed.get(place).unwrap_or(place);
        let layout = |set: &Description, name| set.opcode(name).map(|row| layout(set, row));
        let (old, new) = (layout(old, before), layout(new, place));
        (old.is_some() || new.is_some()).then(|| ChangedOpcode { name: place.clone(), old, new })
    });
    let opcodes = opcodes.collect();
    let summary = difference.to_string();
    let summary = match summary.lines().last() {
        Some(altered) => {
            let count = difference.changes.len();
            let changes = if count == 1 { "change" } else { "changes" };
            format!("{count} {changes}; {altered}.")
        }
        None => "The two sets are equal.".to_owned(),
    };
    Versions { name, made_by, summary, changes: changes.collect(), opcodes }.page()
}

/// Returns the layout of an opcode's words.
fn layout(set: &Description, row: &OpcodeDescription) -> WordLayout {
    let fields = row.fields.iter().map(|field| {
        let kind = &set.kinds[field.kind].name;
        DrawnField {
            name: field.name.clone(),
            pieces: field.pieces.clone(),
            is_fixed: field.fixed.is_some(),
            about: match field.fixed {
                Some(raw) => format!(", {kind}, always {raw:#x}"),
                None => format!(", {kind}"),
            },
        }
    });
    WordLayout { bits: row.bits, fixed: row.fixed, fields: fields.collect() }
}
