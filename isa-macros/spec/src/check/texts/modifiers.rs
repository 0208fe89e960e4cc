//! Modifiers of two opcodes: whether one text can give both all that they must have.

use super::grammar::{Dot, Filler};
use super::product::{Alike, Side};

/// What two lists of modifiers have in common.
#[derive(Debug, PartialEq)]
pub(super) enum Common {
    /// No text suits both.
    None,
    /// These modifiers suit both.
    Some(Vec<String>),
    /// Some text suits both unless these are all told apart.
    Unsure(Alike),
}

/// Each modifier of a text fills one slot, so a common text is a matching of slots with a common
/// value, which covers all that are mandatory on either side.
pub(super) fn common(a: &[Dot], b: &[Dot]) -> Common {
    let sure = |x: &Dot, y: &Dot| common_value(&x.filler, &y.filler).is_some();
    if let Some(pairs) = matching(a, b, sure) {
        let value = |(i, j): (usize, usize)| common_value(&a[i].filler, &b[j].filler);
        return Common::Some(pairs.into_iter().filter_map(value).collect());
    }
    let likely = |x: &Dot, y: &Dot| sure(x, y) || unsure(&x.filler, &y.filler).is_some();
    if matching(a, b, likely).is_none() {
        return Common::None;
    }
    let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| unsure(&x.filler, &y.filler)));
    Common::Unsure(pairs.collect())
}

/// A value that is surely text of both.
pub(super) fn common_value(a: &Filler, b: &Filler) -> Option<String> {
    match (a, b) {
        (Filler::Names(a), Filler::Names(b)) => a.iter().find(|name| b.contains(name)).cloned(),
        (Filler::Read(a, x), Filler::Read(b, y)) => {
            let differ = x.is_some() && y.is_some() && x != y;
            (a == b && !differ).then(|| format!("<{}>", a.name))
        }
        _ => None,
    }
}

/// The forms that must differ, where the macro cannot see whether there is a common value.
pub(super) fn unsure(a: &Filler, b: &Filler) -> Option<(Side, Side)> {
    let is_read = |filler: &Filler| matches!(filler, Filler::Read(..));
    let known = match (a, b) {
        (Filler::Read(a, _), Filler::Read(b, _)) => a == b,
        _ => !is_read(a) && !is_read(b),
    };
    (!known).then(|| (Side::of(a), Side::of(b)))
}

/// A matching along the edges that covers every mandatory slot of both sides, as pairs of places.
fn matching(
    a: &[Dot],
    b: &[Dot],
    edge: impl Fn(&Dot, &Dot) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let edges: Vec<Vec<bool>> = a.iter().map(|x| b.iter().map(|y| edge(x, y)).collect()).collect();
    let mut state = Matching { of_a: vec![None; a.len()], of_b: vec![None; b.len()] };
    // A matching that covers one side can be changed to cover the other as well, and what was
    // covered before stays so: only slots that are not mandatory give up their partners.
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

    /// Finds a partner for `i`, moving others, or taking one from a slot that is `free` to lose it.
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

    /// Slots from `A|B` for one that must be there and `A|B?` for one that may.
    fn dots(slots: &str) -> Vec<Dot> {
        let dot = |slot: &str| Dot {
            filler: Filler::Names(Rc::new(
                slot.trim_end_matches('?').split('|').map(str::to_owned).collect(),
            )),
            mandatory: !slot.ends_with('?'),
        };
        slots.split_whitespace().map(dot).collect()
    }

    /// Whether some text suits both, by trying all ways to pair the slots.
    fn by_trial(a: &[Dot], b: &[Dot]) -> bool {
        let Some((first, rest)) = a.split_first() else {
            return b.iter().all(|dot| !dot.mandatory);
        };
        let alone = !first.mandatory && by_trial(rest, b);
        alone
            || (0..b.len()).any(|j| {
                let others = [&b[..j], &b[j + 1..]].concat();
                common_value(&first.filler, &b[j].filler).is_some() && by_trial(rest, &others)
            })
    }

    #[test]
    fn a_mandatory_modifier_tells_from_none() {
        assert_eq!(common(&dots("LT|GT"), &dots("")), Common::None);
        assert_eq!(common(&dots("LT|GT?"), &dots("")), Common::Some(vec![]));
        assert_eq!(common(&dots("A A"), &dots("A")), Common::None, "each fills one slot");
    }

    #[test]
    fn the_witness_has_what_both_must_have() {
        let found = common(&dots("A|B C?"), &dots("C|B X?"));
        assert_eq!(found, Common::Some(vec!["B".to_owned()]));
    }

    #[test]
    fn matchings_are_found_just_where_there_are_some() {
        let slots = ["A", "B", "A|B", "B|C", "A?", "B?", "A|C?", "A|B|C?", "C"];
        let lists: Vec<String> = (0..slots.len().pow(3))
            .map(|n| [n % 9, n / 9 % 9, n / 81].map(|i| slots[i]).join(" "))
            .collect();
        let mut shared = 0;
        for (n, a) in lists.iter().enumerate() {
            let other = &lists[(n * 7 + 3) % lists.len()];
            for b in [other.as_str(), &other[..other.rfind(' ').unwrap_or(0)]] {
                let (a, b) = (dots(a), dots(b));
                let expected = by_trial(&a, &b);
                assert_eq!(common(&a, &b) != Common::None, expected, "{a:?} {b:?}");
                shared += usize::from(expected);
            }
        }
        assert!((100..1400).contains(&shared), "{shared} of 1458 share a text");
    }
}
