use isa_core::table::InstructionSet;
use isa_export::description::Description;
use isa_export::diff::{Change, Count, Difference, ChangeKind};
use std::collections::BTreeMap;

/// The meaning of a word: its opcode, its fields by name, and its text.
#[derive(Clone, PartialEq)]
struct Meaning {
    opcode: String,
    fields: BTreeMap<String, String>,
    text: String,
}

/// Returns the meanings of all 16-bit words, computed with the decoder and the printer.
fn meanings(set: &'static InstructionSet) -> Vec<Option<Meaning>> {
    let of_word = |word: u128| {
        let opcode = set.decode(word).ok()?;
        let fields = opcode.fields.iter().map(|field| {
            let raw = field.get(word);
            let named = field.kind.value(raw).filter(|_| field.kind.text.is_none());
            let value = named.map_or_else(|| raw.to_string(), |value| value.name.to_owned());
            (field.name.to_owned(), value)
        });
        let mut line = isa_core::text::Line::new();
        opcode.print(word, &mut line);
        let text = line.as_str().to_owned();
        Some(Meaning { opcode: opcode.name.to_owned(), fields: fields.collect(), text })
    };
    (0..1 << 16).map(of_word).collect()
}

/// Returns the name with this index between backquotes in a message.
fn quoted(message: &str, number: usize) -> &str {
    message.split('`').nth(2 * number + 1).unwrap_or_default()
}

/// Applies the renames of a difference to old meanings. Each old name must no longer exist, and
/// each new name must not have existed before.
fn renamed(old: &mut [Option<Meaning>], difference: &Difference) {
    let names = difference.changes.iter().filter(|change| change.what == ChangeKind::Renamed);
    let names: Vec<&Change> = names.collect();
    for meaning in old.iter_mut().flatten() {
        if let Some((new, _)) = difference.renamed.iter().find(|(_, old)| **old == meaning.opcode) {
            meaning.opcode = new.clone();
        }
        for change in &names {
            if change.message.starts_with("the field") && change.places.contains(&meaning.opcode) {
                if let Some(value) = meaning.fields.remove(quoted(&change.message, 0)) {
                    meaning.fields.insert(quoted(&change.message, 1).to_owned(), value);
                }
            }
        }
    }
}

/// Returns whether a change describes a word.
fn is_of(change: &Change, old: Option<&Meaning>, new: Option<&Meaning>) -> bool {
    let place = change.places[0].as_str();
    match (change.what, old, new) {
        (ChangeKind::Illegal, Some(old), None) => old.opcode == place,
        (ChangeKind::Legal, None, Some(new)) => new.opcode == place,
        (ChangeKind::Becomes, Some(old), Some(new)) => {
            new.opcode == place && old.opcode != new.opcode && old.opcode == quoted(&change.message, 0)
        }
        (ChangeKind::Text, Some(old), Some(new)) => {
            old.opcode == new.opcode && new.opcode == place && old.text != new.text
        }
        (ChangeKind::Field, Some(old), Some(new)) => {
            let field = quoted(&change.message, 0);
            old.opcode == new.opcode && new.opcode == place && old.fields.get(field) != new.fields.get(field)
        }
        _ => false,
    }
}

fn check(old_set: &'static InstructionSet, new_set: &'static InstructionSet, tables: [&[Option<Meaning>]; 2]) -> Result<(bool, usize), String> {
    let json = [old_set, new_set].map(|set| {
        // The documentation of the set is its number in the batch, so it is removed.
        let text = isa_core::describe::json(set).to_string();
        let (head, rest) = text.split_once(r#""doc":""#).expect("documentation");
        let (_, rest) = rest.split_once('"').expect("its end");
        format!(r#"{head}"doc":"{rest}"#).replacen(r#""doc":","#, r#""doc":"","#, 1)
    });
    let [old, new] = [0, 1].map(|side| json[side].parse::<Description>().unwrap_or_else(|error| panic!("{error}")));
    if !Difference::between(&old, &json[0].parse().expect("read before")).is_empty() {
        return Err("a set differs from itself".into());
    }
    let difference = Difference::between(&old, &new);
    if difference.is_empty() != (json[0] == json[1]) {
        return Err(format!("the descriptions differ: {}, and there is said: {difference}", json[0] != json[1]));
    }
    let mut before = tables[0].to_vec();
    renamed(&mut before, &difference);
    let after = tables[1];
    let both = || before.iter().zip(after);
    let altered = both().filter(|(old, new)| old != new).count();
    if difference.altered != Count::from(altered as u128) {
        return Err(format!("{altered} words are altered, and there is said: {difference}"));
    }
    let mut checked = 0;
    for change in &difference.changes {
        let Some(words) = &change.words else { continue };
        let is_of = |(old, new): &(&Option<Meaning>, &Option<Meaning>)| is_of(change, old.as_ref(), new.as_ref());
        let count = both().filter(is_of).count();
        let place = words.witness as usize;
        let witness = (&before[place], &after[place]);
        let text = |meaning: &Option<Meaning>, said: &str| meaning.as_ref().map_or(!said.is_empty(), |own| own.text == said);
        let right = is_of(&witness) && text(witness.0, &words.before) && text(witness.1, &words.after);
        if words.count != Count::from(count as u128) || !right {
            return Err(format!("{count} words, witness right: {right}: {change}"));
        }
        checked += 1;
    }
    Ok((altered > 0, checked))
}

fn main() {
    let (mut edits, mut altering, mut changes) = (0, 0, 0);
    let mut known: BTreeMap<usize, Vec<Option<Meaning>>> = BTreeMap::new();
    for (seed, old, new) in PAIRS {
        let sets = [old(), new()];
        for set in sets {
            known.entry(std::ptr::from_ref(set) as usize).or_insert_with(|| meanings(set));
        }
        let table = |set: &'static InstructionSet| &*known[&(std::ptr::from_ref(set) as usize)];
        // Check both directions: a removal in one direction is an addition in the other.
        for [old, new] in [sets, [sets[1], sets[0]]] {
            match check(old, new, [table(old), table(new)]) {
                Ok((is_altered, checked)) => {
                    altering += usize::from(is_altered);
                    changes += checked;
                }
                Err(message) => println!("seed {seed}: {}", message.replace('\n', " ").replace('\t', " ")),
            }
            edits += 1;
        }
    }
    println!("done\t{edits}\t{altering}\t{changes}");
}
