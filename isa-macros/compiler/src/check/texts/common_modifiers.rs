//! Checks whether one text can contain all mandatory modifiers of two opcodes.

use std::collections::{BTreeSet, VecDeque};

use isa_bdd::HashMap;

use super::grammar::{DotModifier, FieldText, FixedBits, Pairs, TextStart};

/// The common text of two lists of modifiers.
#[derive(Debug, PartialEq)]
pub(super) enum CommonModifiers {
    /// No text matches both.
    None,
    /// These modifiers match both.
    Some(Vec<String>),
    /// Some text matches both unless all of these token patterns are disjoint.
    Unsure(Pairs),
}

/// Searches for modifiers that match both lists. On each side, a modifier fills the first free position
/// that accepts it. So a common text is a path from no filled positions to all mandatory positions, and
/// a modifier matters only by the positions that accept it. Groups of positions that share no modifier
/// are searched separately.
pub(super) fn common(a: &[DotModifier], b: &[DotModifier]) -> CommonModifiers {
    let mut text = Vec::new();
    for part in PositionGroup::of(a, b) {
        match part.way() {
            Some(modifiers) => text.extend(modifiers),
            None => return unsure_or_none(a, b),
        }
    }
    CommonModifiers::Some(text)
}

/// Returns whether the positions in `places` accept the modifiers `names` in the order of `names`. Each
/// position accepts at most one modifier.
pub(super) fn takes_all(places: &[DotModifier], names: &[&str]) -> bool {
    let mut filled = vec![false; places.len()];
    names.iter().all(|name| {
        let takes = |dot: &DotModifier| match &dot.filler {
            FieldText::Names(names) => names.iter().any(|known| known == name),
            FieldText::Read(..) => false,
        };
        let place = (0..places.len()).find(|&place| !filled[place] && takes(&places[place]));
        place.map(|place| filled[place] = true).is_some()
    })
}

/// Returns the token patterns that must be disjoint, because otherwise a text could match both lists.
/// It is called only if no text certainly matches both.
fn unsure_or_none(a: &[DotModifier], b: &[DotModifier]) -> CommonModifiers {
    let likely = |x: &DotModifier, y: &DotModifier| {
        common_value(&x.filler, &y.filler).is_some() || unsure(&x.filler, &y.filler).is_some()
    };
    let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| unsure(&x.filler, &y.filler)));
    let pairs: Pairs = pairs.collect();
    match pairs.is_empty() || matching(a, b, likely).is_none() {
        true => CommonModifiers::None,
        false => CommonModifiers::Unsure(pairs),
    }
}

/// A set of positions as a bit mask.
type PositionMask = u128;

/// A modifier that both sides accept. It represents all modifiers that the same positions accept.
#[derive(Clone, PartialEq)]
struct Label {
    text: String,
    /// The positions of each side that accept the modifier.
    takes: [PositionMask; 2],
    /// The positions in `takes` that are fixed to another value, so that the modifier is invalid there.
    wrong: [PositionMask; 2],
    /// The positions of a Rust type that may also accept the modifier. For example, a number may accept
    /// `8b`, and the name of a label may be `E`. Only the Rust type determines which text it accepts.
    lures: [PositionMask; 2],
}

/// A group of positions of both sides that common modifiers connect.
struct PositionGroup {
    labels: Vec<Label>,
    mandatory: [PositionMask; 2],
}

impl PositionGroup {
    fn of(a: &[DotModifier], b: &[DotModifier]) -> Vec<PositionGroup> {
        let mandatory = [a, b].map(|dots| set(dots, |dot| dot.mandatory));
        let mut parts: Vec<(PositionGroup, [PositionMask; 2])> = Vec::new();
        for label in labels(a, b) {
            let mut whole = PositionGroup { labels: Vec::new(), mandatory: [0; 2] };
            let mut places = label.tied();
            whole.labels.push(label);
            let (tied, apart) = parts
                .into_iter()
                .partition(|(_, own)| (own[0] & places[0]) | (own[1] & places[1]) != 0);
            parts = apart;
            let tied: Vec<(PositionGroup, [PositionMask; 2])> = tied;
            for (part, own) in tied {
                whole.labels.extend(part.labels);
                places = [places[0] | own[0], places[1] | own[1]];
            }
            parts.push((whole, places));
        }
        // Mandatory positions that no common modifier fills.
        let filled = |side: usize| parts.iter().fold(0, |all, (_, places)| all | places[side]);
        let lost = [mandatory[0] & !filled(0), mandatory[1] & !filled(1)];
        let mut all: Vec<PositionGroup> = Vec::new();
        if lost != [0; 2] {
            all.push(PositionGroup { labels: Vec::new(), mandatory: lost });
        }
        all.extend(parts.into_iter().map(|(part, places)| PositionGroup {
            mandatory: [mandatory[0] & places[0], mandatory[1] & places[1]],
            ..part
        }));
        all
    }

    /// Returns modifiers that fill all mandatory positions. Prefers modifiers that no Rust type could
    /// accept by mistake.
    fn way(&self) -> Option<Vec<String>> {
        let lures = self.labels.iter().any(|label| label.lures != [0; 2]);
        self.search(true).or_else(|| if lures { self.search(false) } else { None })
    }

    fn search(&self, no_lures: bool) -> Option<Vec<String>> {
        let start = [0; 2];
        let mut origin: HashMap<[PositionMask; 2], ([PositionMask; 2], usize)> = HashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if (0..2).all(|side| self.mandatory[side] & !at[side] == 0) {
                return Some(self.walked(start, at, &origin));
            }
            for (number, label) in self.labels.iter().enumerate() {
                let Some(next) = label.fill(at, no_lures) else { continue };
                if next != start && !origin.contains_key(&next) {
                    origin.insert(next, (at, number));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn walked(
        &self,
        start: [PositionMask; 2],
        mut at: [PositionMask; 2],
        origin: &HashMap<[PositionMask; 2], ([PositionMask; 2], usize)>,
    ) -> Vec<String> {
        let mut text = Vec::new();
        while at != start {
            let Some(&(before, number)) = origin.get(&at) else { break };
            text.push(self.labels[number].text.clone());
            at = before;
        }
        text.reverse();
        text
    }
}

impl Label {
    /// Returns, for each of the two opcodes, the positions whose contents decide at which position the
    /// modifier is parsed.
    fn tied(&self) -> [PositionMask; 2] {
        [self.takes[0] | self.lures[0], self.takes[1] | self.lures[1]]
    }

    /// Returns the filled positions after this modifier. Returns `None` if a side does not accept it,
    /// or, with `no_lures`, if an earlier position of a Rust type may accept it.
    fn fill(&self, filled: [PositionMask; 2], no_lures: bool) -> Option<[PositionMask; 2]> {
        let mut next = filled;
        for (side, filled) in next.iter_mut().enumerate() {
            let free = self.takes[side] & !*filled;
            let first = free & free.wrapping_neg();
            let in_front = first.wrapping_sub(1);
            if first & !self.wrong[side] == 0
                || no_lures && self.lures[side] & !*filled & in_front != 0
            {
                return None;
            }
            *filled |= first;
        }
        Some(next)
    }
}

fn set(dots: &[DotModifier], holds: impl Fn(&DotModifier) -> bool) -> PositionMask {
    // A template with more positions does not compile.
    let places = dots.iter().enumerate().take(128);
    places.filter(|(_, dot)| holds(dot)).fold(0, |set, (place, _)| set | 1 << place)
}

/// Returns the modifiers that both sides certainly accept. Modifiers that the same positions accept
/// become one label. If one side has many names, only those that the other side also has are examined.
fn labels(a: &[DotModifier], b: &[DotModifier]) -> Vec<Label> {
    if names(a) > MANY_NAMES && names(b) < names(a) {
        let turned = |label: Label| {
            let turn = |[a, b]: [PositionMask; 2]| [b, a];
            let Label { takes, wrong, lures, .. } = label;
            Label { takes: turn(takes), wrong: turn(wrong), lures: turn(lures), ..label }
        };
        return labels_of(b, a).into_iter().map(turned).collect();
    }
    labels_of(a, b)
}

/// If `a` has more names than this and `b` has fewer names than `a`, the names of `b` are examined
/// instead.
const MANY_NAMES: usize = 64;

fn names(dots: &[DotModifier]) -> usize {
    let count = |dot: &DotModifier| match &dot.filler {
        FieldText::Names(names) => names.len(),
        FieldText::Read(..) => 0,
    };
    dots.iter().map(count).sum()
}

/// Returns the same as [`labels`], in the order of the names of `a`.
fn labels_of(a: &[DotModifier], b: &[DotModifier]) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    let mut add = |label: Label| {
        let known = |known: &&mut Label| (known.takes, known.wrong) == (label.takes, label.wrong);
        match labels.iter_mut().find(known) {
            // Prefers an example that does not begin with a digit, because most Rust types parse
            // numbers.
            Some(known) if begins_as_number(&known.text) => known.text = label.text,
            Some(_) => {}
            None if label.takes.contains(&0) => {}
            None => labels.push(label),
        }
    };
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let reads = |dot: &DotModifier| matches!(dot.filler, FieldText::Read(..));
    for dot in a {
        match &dot.filler {
            FieldText::Names(names) => {
                for name in names.iter().filter(|name| seen.insert(name)) {
                    let has = |dot: &DotModifier| matches!(&dot.filler, FieldText::Names(n) if n.contains(name));
                    let takes = [set(a, has), set(b, has)];
                    let lures = [set(a, reads), set(b, reads)];
                    add(Label { text: name.clone(), takes, wrong: [0; 2], lures });
                }
            }
            FieldText::Read(reader, _) => {
                let fixed = |dot: &DotModifier| match &dot.filler {
                    FieldText::Read(other, fixed) if other == reader => Some(*fixed),
                    _ => None,
                };
                let takes = [a, b].map(|dots| set(dots, |dot| fixed(dot).is_some()));
                // One label for each value that a position is fixed to, and one for any other value.
                let values: BTreeSet<Option<FixedBits>> =
                    a.iter().chain(b).filter_map(fixed).collect();
                for value in values.into_iter().chain([None]) {
                    let other =
                        |dot: &DotModifier| matches!(fixed(dot), Some(Some(v)) if Some(v) != value);
                    let wrong = [set(a, other), set(b, other)];
                    let text = format!("<{}>", reader.name);
                    add(Label { text, takes, wrong, lures: [0; 2] });
                }
            }
        }
    }
    labels
}

fn begins_as_number(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns a value that is certainly text of both.
pub(super) fn common_value(a: &FieldText, b: &FieldText) -> Option<String> {
    match (a, b) {
        (FieldText::Names(a), FieldText::Names(b)) => {
            a.iter().find(|name| b.contains(name)).cloned()
        }
        (FieldText::Read(a, x), FieldText::Read(b, y)) => {
            (a == b && !FixedBits::differ(*x, *y)).then(|| format!("<{}>", a.name))
        }
        _ => None,
    }
}

/// Returns the token patterns that must be disjoint, if the macro cannot decide whether there is a
/// common value.
pub(super) fn unsure(a: &FieldText, b: &FieldText) -> Option<(TextStart, TextStart)> {
    let is_read = |filler: &FieldText| matches!(filler, FieldText::Read(..));
    let known = match (a, b) {
        (FieldText::Read(a, _), FieldText::Read(b, _)) => a == b,
        _ => !is_read(a) && !is_read(b),
    };
    (!known).then(|| (TextStart::of(a), TextStart::of(b)))
}

/// Finds a matching in the bipartite graph of `edge` that covers every mandatory slot of both sides, as
/// pairs of indexes.
fn matching(
    a: &[DotModifier],
    b: &[DotModifier],
    edge: impl Fn(&DotModifier, &DotModifier) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let edges: Vec<Vec<bool>> = a.iter().map(|x| b.iter().map(|y| edge(x, y)).collect()).collect();
    let mut state = Matching { of_a: vec![None; a.len()], of_b: vec![None; b.len()] };
    // If a matching covers one side, it can be changed to cover the other side too. A covered mandatory
    // slot remains covered, because only optional slots lose their partner.
    for i in (0..a.len()).filter(|&i| a[i].mandatory) {
        let free = |i: usize| !a[i].mandatory;
        let near = |i: usize, j: usize| edges[i][j];
        if !state.cover_a(i, &near, &free, &mut vec![false; b.len()]) {
            return None;
        }
    }
    let mut state = state.turned();
    for j in (0..b.len()).filter(|&j| b[j].mandatory) {
        let free = |j: usize| !b[j].mandatory;
        let near = |j: usize, i: usize| edges[i][j];
        if !state.cover_a(j, &near, &free, &mut vec![false; a.len()]) {
            return None;
        }
    }
    let pairs = state.of_b.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?)));
    Some(pairs.collect())
}

struct Matching {
    of_a: Vec<Option<usize>>,
    of_b: Vec<Option<usize>>,
}

impl Matching {
    fn turned(self) -> Self {
        Matching { of_a: self.of_b, of_b: self.of_a }
    }

    /// Finds a partner for `i`. Other slots may get a different partner, and a slot that is `free` may
    /// lose its partner.
    fn cover_a(
        &mut self,
        i: usize,
        near: &dyn Fn(usize, usize) -> bool,
        free: &dyn Fn(usize) -> bool,
        seen: &mut Vec<bool>,
    ) -> bool {
        if self.of_a[i].is_some() {
            return true;
        }
        for j in 0..self.of_b.len() {
            if seen[j] || !near(i, j) {
                continue;
            }
            seen[j] = true;
            let loser = self.of_b[j];
            let released = loser.is_none_or(|other| {
                self.of_a[other] = None;
                free(other) || self.cover_a(other, near, free, seen)
            });
            if released {
                (self.of_a[i], self.of_b[j]) = (Some(j), Some(i));
                return true;
            }
            self.of_a[loser.unwrap_or(i)] = Some(j);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    /// Parses slots: `A|B` is mandatory and `A|B?` is optional.
    fn dots(slots: &str) -> Vec<DotModifier> {
        let dot = |slot: &str| DotModifier {
            filler: FieldText::Names(Rc::new(
                slot.trim_end_matches('?').split('|').map(str::to_owned).collect(),
            )),
            mandatory: !slot.ends_with('?'),
        };
        slots.split_whitespace().map(dot).collect()
    }

    /// Returns whether some text matches both `a` and `b`, by trying all texts up to a number of
    /// modifiers.
    fn by_trial(a: &[DotModifier], b: &[DotModifier], text: &mut Vec<&'static str>) -> bool {
        let full = |dots: &[DotModifier]| {
            let mut filled = vec![false; dots.len()];
            let taken = text.iter().all(|name| {
                let takes = |dot: &DotModifier| matches!(&dot.filler, FieldText::Names(names) if names.iter().any(|n| n == name));
                let place = (0..dots.len()).find(|&i| !filled[i] && takes(&dots[i]));
                place.map(|i| filled[i] = true).is_some()
            });
            taken && dots.iter().zip(&filled).all(|(dot, filled)| *filled || !dot.mandatory)
        };
        if full(a) && full(b) {
            return true;
        }
        text.len() < a.len().min(b.len())
            && ["A", "B", "C"].into_iter().any(|name| {
                text.push(name);
                let found = by_trial(a, b, text);
                text.pop();
                found
            })
    }

    #[test]
    fn a_mandatory_modifier_tells_from_none() {
        assert_eq!(common(&dots("LT|GT"), &dots("")), CommonModifiers::None);
        assert_eq!(common(&dots("LT|GT?"), &dots("")), CommonModifiers::Some(vec![]));
        assert_eq!(common(&dots("A A"), &dots("A")), CommonModifiers::None, "each fills one slot");
    }

    #[test]
    fn each_fills_the_first_place_that_takes_it() {
        assert_eq!(common(&dots("C|D D"), &dots("C|D C")), CommonModifiers::None);
        let found = common(&dots("C|D D"), &dots("B|D D|C"));
        assert_eq!(found, CommonModifiers::Some(vec!["D".to_owned(), "D".to_owned()]));
        assert!(takes_all(&dots("C|D D"), &["C", "D"]));
        assert!(!takes_all(&dots("C|D D"), &["D", "C"]));
    }

    #[test]
    fn the_witness_has_what_both_must_have() {
        let found = common(&dots("A|B C?"), &dots("C|B X?"));
        assert_eq!(found, CommonModifiers::Some(vec!["B".to_owned()]));
    }

    #[test]
    fn common_texts_are_found_just_where_there_are_some() {
        let slots = ["A", "B", "A|B", "B|C", "A?", "B?", "A|C?", "A|B|C?", "C"];
        let lists: Vec<String> = (0..slots.len().pow(3))
            .map(|n| [n % 9, n / 9 % 9, n / 81].map(|i| slots[i]).join(" "))
            .collect();
        let mut shared = 0;
        for (n, a) in lists.iter().enumerate() {
            let other = &lists[(n * 7 + 3) % lists.len()];
            for b in [other.as_str(), &other[..other.rfind(' ').unwrap_or(0)]] {
                let (a, b) = (dots(a), dots(b));
                let expected = by_trial(&a, &b, &mut Vec::new());
                assert_eq!(common(&a, &b) != CommonModifiers::None, expected, "{a:?} {b:?}");
                shared += usize::from(expected);
            }
        }
        assert!((100..1400).contains(&shared), "{shared} of 1458 share a text");
    }
}
