//! Finds pairs of texts that may be equal, without comparing every pair.
//!
//! Texts with the same first parts reach the same position: for example, after the mnemonic, after a
//! set of modifiers, or after an operand of one type. If one text requires a name at such a position,
//! and the other text cannot contain this name at the same position, the two texts cannot be equal.
//! This excludes most pairs of opcodes with one template, because they differ by a fixed field. An
//! index from names to texts finds the remaining pairs.

use std::collections::{BTreeMap, BTreeSet};

use super::grammar::{FieldText, TextPart};
use super::text_summary::Summarizer;

/// The names that a text can contain at a position. All texts with the same beginning reach this
/// position.
struct TextPosition<'p> {
    /// The beginning of the text, without names.
    beginning: String,
    /// Lists of names; one name of each list must be present.
    must: Vec<&'p [String]>,
    /// The names that may be present.
    may: BTreeSet<&'p str>,
    /// Whether text other than these names may also be present.
    open: bool,
}

/// Returns the positions of a text up to the first part that may be omitted.
fn places(parts: &[TextPart]) -> Vec<TextPosition<'_>> {
    let mnemonic = parts.iter().position(|part| *part == TextPart::Mnemonic);
    let (mut places, mut beginning) = (Vec::new(), String::new());
    for part in &parts[mnemonic.map_or(0, |at| at + 1)..] {
        let fillers: Vec<(&FieldText, bool)> = match part {
            TextPart::Dots(dots) => dots.iter().map(|dot| (&dot.filler, dot.mandatory)).collect(),
            TextPart::Value(filler @ FieldText::Names(_)) => vec![(filler, true)],
            TextPart::Text(_) | TextPart::Value(_) => Vec::new(),
            // A part that may be omitted, or a second mnemonic.
            TextPart::Choice(_) | TextPart::Tags(_) | TextPart::Mnemonic => return places,
        };
        let names = |filler: &&(&'_ FieldText, bool)| matches!(filler.0, FieldText::Names(_));
        let open = !fillers.iter().all(|filler| names(&filler));
        let (mut must, mut may) = (Vec::new(), BTreeSet::new());
        for (filler, mandatory) in fillers {
            let FieldText::Names(names) = filler else { continue };
            may.extend(names.iter().map(String::as_str));
            if mandatory {
                must.push(&names[..]);
            }
        }
        match part {
            TextPart::Dots(_) => beginning.push('.'),
            TextPart::Value(FieldText::Names(_)) => beginning.push('<'),
            other => {
                let mut summarizer = Summarizer::default();
                beginning.push_str(&summarizer.summary(std::slice::from_ref(other)));
                summarizer.readers.iter().for_each(|reader| beginning.push_str(&reader.text));
            }
        }
        if open || !may.is_empty() {
            places.push(TextPosition { beginning: beginning.clone(), must, may, open });
        }
    }
    places
}

/// The texts with the same beginning, indexed by the names that may follow it.
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

/// Returns the pairs of texts that may have a text in common, the lower index first, sorted by the
/// higher index.
pub(super) fn pairs(texts: &[&[TextPart]]) -> Vec<(usize, usize)> {
    if texts.len() < 2 {
        return Vec::new();
    }
    let places: Vec<Vec<TextPosition<'_>>> = texts.iter().map(|parts| places(parts)).collect();
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
    // For each beginning, the texts that begin differently.
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proc_macro2::TokenStream;

    use super::super::automaton::Automaton;
    use super::super::grammar::{DotModifier, OpaqueText};
    use super::super::product::Product;
    use super::*;

    fn names(of: &[String]) -> FieldText {
        FieldText::Names(Rc::new(of.to_vec()))
    }

    fn read(path: &str) -> FieldText {
        FieldText::Read(Rc::new(OpaqueText::new(path.parse::<TokenStream>().unwrap())), None)
    }

    /// Returns pseudo-random numbers.
    fn random() -> impl FnMut(u64) -> u64 {
        let mut numbers = crate::tests::numbers();
        move |most| numbers() % most
    }

    fn some_names(random: &mut impl FnMut(u64) -> u64) -> FieldText {
        let all = ["A", "B", "C", "D"].map(str::to_owned);
        let first = random(4) as usize;
        names(&all[first..(first + 1 + random(2) as usize).min(4)])
    }

    fn part(random: &mut impl FnMut(u64) -> u64) -> TextPart {
        match random(8) {
            0 => TextPart::Text(["A", "+", ","][random(3) as usize].to_owned()),
            1 => TextPart::Value(read("Reg")),
            2 => TextPart::Choice(vec![Vec::new(), vec![TextPart::Text("+".to_owned())]]),
            3 | 4 => TextPart::Value(some_names(random)),
            _ => {
                let dot =
                    |random: &mut _| DotModifier { filler: some_names(random), mandatory: true };
                let mut dots: Vec<DotModifier> = (0..random(3)).map(|_| dot(random)).collect();
                dots.iter_mut().for_each(|dot| dot.mandatory = random(3) > 0);
                if random(6) == 0 {
                    dots.push(DotModifier { filler: read("Flag"), mandatory: false });
                }
                TextPart::Dots(dots)
            }
        }
    }

    #[test]
    fn texts_that_are_alike_are_among_the_pairs() {
        let mut random = random();
        let (mut alike, mut left_out) = (0, 0);
        for _ in 0..40 {
            let text = |random: &mut _| {
                let mut parts = vec![TextPart::Mnemonic];
                parts.extend((0..3).map(|_| part(random)));
                parts.push(TextPart::Text(";".to_owned()));
                parts
            };
            let texts: Vec<Vec<TextPart>> = (0..16).map(|_| text(&mut random)).collect();
            let graphs: Vec<Automaton> = texts.iter().map(|parts| Automaton::new(parts)).collect();
            let parts: Vec<&[TextPart]> = texts.iter().map(Vec::as_slice).collect();
            let pairs: BTreeSet<(usize, usize)> = pairs(&parts).into_iter().collect();
            for second in 0..texts.len() {
                for first in 0..second {
                    let (a, b) = (&graphs[first], &graphs[second]);
                    let product = Product { a, b, from: (a.start, b.start), either: true };
                    // If a step has no pairs, it cannot match on both sides. The texts then differ,
                    // whatever the other steps contain.
                    let doubts = product.doubts();
                    let is_unsure =
                        !doubts.is_empty() && doubts.iter().all(|step| !step.is_empty());
                    let met = product.witness().is_some() || is_unsure;
                    let (x, y) = (&texts[first], &texts[second]);
                    assert!(!met || pairs.contains(&(first, second)), "{x:?}\n{y:?}");
                    alike += usize::from(met);
                    left_out += usize::from(!pairs.contains(&(first, second)));
                }
            }
        }
        assert!(alike > 200 && left_out > 200, "{alike} {left_out}");
    }

    #[test]
    fn what_is_told_apart_by_a_name_is_in_no_pair() {
        for by_operand in [false, true] {
            let text = |number: usize| {
                let own = names(&[format!("V{number}")]);
                let part = match by_operand {
                    true => TextPart::Value(own),
                    false => TextPart::Dots(vec![DotModifier { filler: own, mandatory: true }]),
                };
                vec![
                    TextPart::Mnemonic,
                    part,
                    TextPart::Value(read("Reg")),
                    TextPart::Text(";".to_owned()),
                ]
            };
            let texts: Vec<Vec<TextPart>> = (0..2_000).map(text).collect();
            let mut all: Vec<&[TextPart]> = texts.iter().map(Vec::as_slice).collect();
            assert_eq!(pairs(&all), []);
            // A text with a different form may equal any other text, and the last text has the same
            // name as one of the others.
            let other = [TextPart::Mnemonic, TextPart::Text("+".to_owned())];
            all.extend([&other[..], &texts[7]]);
            assert_eq!(pairs(&all).len(), 2_002);
        }
    }
}
