//! Finds equal rows, which are emitted once, and the positions at which similar rows differ.

use isa_bdd::HashMap;
use std::hash::Hash;

/// Groups the indexes of items with equal keys. An item without a key forms its own group.
pub(super) fn alike<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> Vec<Vec<usize>> {
    let (mut known, mut lists) = (HashMap::default(), Vec::<Vec<usize>>::new());
    for (index, key) in keys.enumerate() {
        let place = match key {
            Some(key) => *known.entry(key).or_insert(lists.len()),
            None => lists.len(),
        };
        match lists.get_mut(place) {
            Some(list) => list.push(index),
            None => lists.push(vec![index]),
        }
    }
    lists
}

/// The rows of a table as indexes: lists of rows with equal keys, and single rows.
#[derive(Debug, Default)]
pub(crate) struct RowGroups {
    pub(crate) shared: Vec<Vec<usize>>,
    pub(crate) single: Vec<usize>,
}

impl RowGroups {
    pub(super) fn of<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> Self {
        let (single, shared) = alike(keys).into_iter().partition(|rows: &Vec<_>| rows.len() == 1);
        let single: Vec<Vec<usize>> = single;
        RowGroups { shared, single: single.concat() }
    }

    /// Returns, for each row, the index of its list. All single rows together form the last list.
    pub(crate) fn order(&self) -> Vec<usize> {
        let len = self.shared.iter().map(Vec::len).sum::<usize>() + self.single.len();
        let mut order = vec![self.shared.len(); len];
        for (list, rows) in self.shared.iter().enumerate() {
            rows.iter().for_each(|&row| order[row] = list);
        }
        order
    }
}

/// The positions at which some lists of the same length differ, and the elements of each list at these
/// positions.
#[derive(Debug)]
pub(crate) struct Differing<T> {
    pub(crate) places: Vec<usize>,
    pub(crate) own: Vec<Vec<T>>,
}

impl<T: PartialEq + Copy> Differing<T> {
    pub(super) fn of(lists: &[&[T]]) -> Self {
        let len = lists.first().map_or(0, |list| list.len());
        let differ = |&place: &usize| lists.iter().any(|list| list[place] != lists[0][place]);
        let places: Vec<usize> = (0..len).filter(differ).collect();
        let own = |list: &&[T]| places.iter().map(|&place| list[place]).collect();
        Differing { own: lists.iter().map(own).collect(), places }
    }
}
