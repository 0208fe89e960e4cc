//! Which texts may be alike at all, found out without looking at each pair of them.
//!
//! Texts that begin alike are at the same place behind the same parts: behind the mnemonic, a set of
//! modifiers, an operand of one type, or one of some names. So where two have sets of modifiers
//! there, or names, and one must have a name that the other cannot have, the two have no text in
//! common. Many opcodes of one template differ so, by a field that is fixed in each.

use std::collections::{BTreeMap, BTreeSet};

use super::grammar::{Filler, Part};
use super::summary::Summary;

/// What texts may have at a place that all of them come to which begin alike.
struct Place<'p> {
    /// How they begin, less all names.
    beginning: String,
    /// The names of which each must be there once.
    must: Vec<&'p [String]>,
    /// The names that may be there.
    may: BTreeSet<&'p str>,
    /// Whether anything else may be there, too.
    open: bool,
}

/// The places of a text, as far as they do not depend on what is left out.
fn places(parts: &[Part]) -> Vec<Place<'_>> {
    let Some(mnemonic) = parts.iter().position(|part| *part == Part::Mnemonic) else {
        return Vec::new();
    };
    let (mut places, mut beginning) = (Vec::new(), String::new());
    for part in &parts[mnemonic + 1..] {
        let fillers: Vec<(&Filler, bool)> = match part {
            Part::Dots(dots) => dots.iter().map(|dot| (&dot.filler, dot.mandatory)).collect(),
            Part::Value(filler @ Filler::Names(_)) => vec![(filler, true)],
            Part::Text(_) | Part::Value(_) => Vec::new(),
            // What may be left out, or is the mnemonic again.
            Part::Choice(_) | Part::Tags(_) | Part::Mnemonic => return places,
        };
        let names = |filler: &&(&'_ Filler, bool)| matches!(filler.0, Filler::Names(_));
        let open = !fillers.iter().all(|filler| names(&filler));
        let (mut must, mut may) = (Vec::new(), BTreeSet::new());
        for (filler, mandatory) in fillers {
            let Filler::Names(names) = filler else { continue };
            may.extend(names.iter().map(String::as_str));
            if mandatory {
                must.push(&names[..]);
            }
        }
        match part {
            Part::Dots(_) => beginning.push('.'),
            Part::Value(Filler::Names(_)) => beginning.push('<'),
            other => {
                let Summary { text, readers } = Summary::of(std::slice::from_ref(other));
                beginning.push_str(&text);
                readers.iter().for_each(|reader| beginning.push_str(&reader.text));
            }
        }
        if open || !may.is_empty() {
            places.push(Place { beginning: beginning.clone(), must, may, open });
        }
    }
    places
}

/// The texts that begin in one way, by what may be at the place behind that.
#[derive(Default)]
struct Beginning<'p> {
    all: BTreeSet<usize>,
    named: BTreeMap<&'p str, Vec<usize>>,
    open: Vec<usize>,
}

impl<'p> Beginning<'p> {
    fn with<'b>(&'b self, names: &'b [String]) -> impl Iterator<Item = usize> + 'b {
        let named = names.iter().filter_map(|name| self.named.get(name.as_str()));
        named.flatten().chain(&self.open).copied()
    }
}

/// The pairs of some texts that may have a text in common, the lower number first, sorted by the
/// higher one.
pub(super) fn pairs(texts: &[&[Part]]) -> Vec<(usize, usize)> {
    if texts.len() < 2 {
        return Vec::new();
    }
    let places: Vec<Vec<Place<'_>>> = texts.iter().map(|parts| places(parts)).collect();
    let mut beginnings: BTreeMap<&str, Beginning<'_>> = BTreeMap::new();
    for (text, places) in places.iter().enumerate() {
        for place in places {
            let beginning = beginnings.entry(&place.beginning).or_default();
            beginning.all.insert(text);
            for name in &place.may {
                beginning.named.entry(name).or_default().push(text);
            }
            if place.open {
                beginning.open.push(text);
            }
        }
    }
    // By beginning, the texts that begin in another way.
    let mut others: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let (mut pairs, mut vague) = (BTreeSet::new(), Vec::new());
    for (text, places) in places.iter().enumerate() {
        let must = places.iter().flat_map(|place| {
            let beginning = &beginnings[place.beginning.as_str()];
            let elsewhere = texts.len() - beginning.all.len();
            let count = move |names| beginning.with(names).count() + elsewhere;
            place.must.iter().map(move |&names| (count(names), place, names))
        });
        let Some((_, place, names)) = must.min_by_key(|(count, ..)| *count) else {
            vague.push(text);
            continue;
        };
        let beginning = &beginnings[place.beginning.as_str()];
        let others = others.entry(&place.beginning).or_insert_with(|| {
            (0..texts.len()).filter(|other| !beginning.all.contains(other)).collect()
        });
        let near = beginning.with(names).chain(others.iter().copied());
        pairs.extend(near.filter(|&other| other != text).map(|other| {
            let (first, second) = (text.min(other), text.max(other));
            (second, first)
        }));
    }
    for (count, &second) in vague.iter().enumerate() {
        pairs.extend(vague[..count].iter().map(|&first| (second, first)));
    }
    pairs.into_iter().map(|(second, first)| (first, second)).collect()
}
