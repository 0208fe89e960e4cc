//! A map of labels by name and by address.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use core::ops::Bound;

use crate::text::Labels;

/// Labels by name and by address. A [`Program`](super::Program) contains its labels in this form,
/// and an [`Assembler`](super::Assembler) accepts them.
///
/// ```
/// use isa_core::asm::LabelMap;
/// use isa_core::text::Labels;
///
/// let mut labels = LabelMap::new();
/// labels.insert("puts", 0x8000);
/// assert_eq!(labels.address("puts"), Some(0x8000));
/// assert_eq!(labels.name(0x8000), Some("puts"));
/// ```
#[derive(Debug, Default)]
pub struct LabelMap {
    /// Labels and constants.
    by_name: BTreeMap<String, Meant>,
    /// The labels, and outdated entries of labels that have since moved to another address. An entry is
    /// valid if it agrees with `by_name`. Outdated entries are not removed one by one, because the code
    /// for removal is a third of the code of a map.
    by_address: BTreeSet<(u64, String)>,
    /// Whether `by_address` may contain outdated entries.
    has_left: bool,
    /// The number of names that are labels.
    len: usize,
    /// The starts of sections by name. A label or constant of the same name takes precedence.
    starts: BTreeMap<String, Meant>,
    /// Whether a linker decides the address of the program; a number is then not an address in it.
    is_linked: bool,
    /// In an object: the section whose labels can be found; `None` if all labels can be found.
    near: Option<u32>,
}

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// An address, and its section. The section is relevant only in objects.
    Address(u64, u32),
    Number(u64),
    /// A negative number.
    Negative(i64),
}

/// Inserts each name again, because the code that clones the three maps is larger, and a module for a
/// browser contains it.
impl Clone for LabelMap {
    fn clone(&self) -> Self {
        let LabelMap { is_linked, near, .. } = *self;
        let mut copy = LabelMap { is_linked, near, ..LabelMap::new() };
        for (name, meant) in &self.by_name {
            match *meant {
                Meant::Address(address, section) => copy.insert_in(name, address, section),
                number => copy.mean(name, number),
            }
        }
        for (name, meant) in &self.starts {
            copy.starts.insert(name.clone(), *meant);
        }
        copy
    }
}

impl LabelMap {
    /// Creates an empty map.
    #[must_use]
    pub const fn new() -> Self {
        LabelMap {
            by_name: BTreeMap::new(),
            by_address: BTreeSet::new(),
            has_left: false,
            len: 0,
            starts: BTreeMap::new(),
            is_linked: false,
            near: None,
        }
    }

    /// Converts the map for a program whose address a linker decides: a constant is not an address
    /// in it.
    pub(super) fn linked(self) -> Self {
        LabelMap { is_linked: true, ..self }
    }

    /// Assigns a label to an address, and removes it from its previous address, if any.
    pub fn insert(&mut self, name: &str, address: u64) {
        self.insert_in(name, address, 0);
    }

    /// Assigns a label like [`LabelMap::insert`], in a section of an object.
    pub(super) fn insert_in(&mut self, name: &str, address: u64, section: u32) {
        self.mean(name, Meant::Address(address, section));
        self.len += 1;
        self.by_address.insert((address, name.into()));
        if self.by_address.len() > 2 * self.len {
            let mut labels = BTreeSet::new();
            for it in self.by_address.iter().filter(|it| self.is_current(it)) {
                labels.insert(it.clone());
            }
            self.by_address = labels;
            self.has_left = false;
        }
    }

    /// Records the start of a section.
    pub(super) fn insert_start(&mut self, name: &str, address: u64, section: u32) {
        self.starts.insert(name.into(), Meant::Address(address, section));
    }

    /// Returns the meaning of a name.
    fn meant(&self, name: &str) -> Option<Meant> {
        self.by_name.get(name).or_else(|| self.starts.get(name)).copied()
    }

    /// Returns the section of a label, as an index into
    /// [`Program::sections`](super::Program::sections). Outside objects it is always the first. The
    /// result is `None` for a constant, and if the label does not exist. The name of a section
    /// counts as a label at its start.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<usize> {
        match self.meant(name)? {
            Meant::Address(_, section) => Some(section as usize),
            _ => None,
        }
    }

    /// Restricts later lookups to labels that a statement of the given section can use. In an object,
    /// labels of other sections are excluded, because only the linker knows their distances. `None`
    /// removes the restriction.
    pub(super) fn enter(&mut self, section: Option<usize>) {
        self.near = section.filter(|_| self.is_linked).map(|section| section as u32);
    }

    /// Sets the meaning of a name and replaces its previous meaning.
    fn mean(&mut self, name: &str, meant: Meant) {
        if let Some(Meant::Address(..)) = self.by_name.insert(name.into(), meant) {
            self.len -= 1;
            self.has_left = true;
        }
    }

    /// Returns whether the label still has the address.
    fn is_current(&self, (address, name): &(u64, String)) -> bool {
        !self.has_left
            || matches!(self.by_name.get(name), Some(Meant::Address(known, _)) if known == address)
    }

    /// Assigns a name to a number of at most 64 bits.
    pub(super) fn insert_constant(&mut self, name: &str, number: i128) {
        let meant = match number < 0 {
            true => Meant::Negative(number as i64),
            false => Meant::Number(number as u64),
        };
        self.mean(name, meant);
    }

    /// Returns all constants with their numbers, by name.
    pub fn constants(&self) -> impl Iterator<Item = (&str, i128)> {
        let all = self.by_name.keys().map(String::as_str);
        all.filter_map(|name| Some((name, self.constant(name)?)))
    }

    /// Returns whether there are constants.
    pub(super) fn has_constants(&self) -> bool {
        self.by_name.len() > self.len
    }

    /// Returns the names of all constants, preceded by the names of all labels if `labels` is set.
    pub(crate) fn names_of_all(&self, labels: bool) -> impl Iterator<Item = &str> {
        let addresses = self.iter().map(|(name, _)| name).take(if labels { usize::MAX } else { 0 });
        addresses.chain(self.constants().map(|(name, _)| name))
    }

    /// Returns the number of names, of labels and of constants.
    pub(crate) fn count(&self) -> usize {
        self.by_name.len()
    }

    /// Returns all labels, sorted by address. Labels of the same address are sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let labels = self.by_address.iter().filter(|it| self.is_current(it));
        labels.map(|(address, name)| (name.as_str(), *address))
    }

    /// Returns the labels from one address up to and including another, in the order of
    /// [`LabelMap::iter`].
    pub(super) fn range(&self, first: u64, last: u64) -> impl Iterator<Item = (&str, u64)> {
        let from = self.by_address.range((first, String::new())..);
        let labels = from.take_while(move |(address, _)| *address <= last);
        let labels = labels.filter(|it| self.is_current(it));
        labels.map(|(address, name)| (name.as_str(), *address))
    }

    /// Returns all labels of an address, sorted by name.
    pub fn names(&self, address: u64) -> impl Iterator<Item = &str> {
        let from = self.by_address.range((address, String::new())..);
        let labels = from.take_while(move |(known, _)| *known == address);
        labels.filter(|it| self.is_current(it)).map(|(_, name)| name.as_str())
    }

    /// Returns the first address after the given one that has a label.
    pub(super) fn next(&self, address: u64) -> Option<u64> {
        let from = (address.checked_add(1)?, String::new());
        self.by_address.range(from..).find(|it| self.is_current(it)).map(|(address, _)| *address)
    }

    /// Returns the last label at or before an address. If several labels have the same address, returns
    /// the first of them by name.
    pub(super) fn last(&self, address: u64) -> Option<(&str, u64)> {
        let behind = match address.checked_add(1) {
            Some(behind) => Bound::Excluded((behind, String::new())),
            None => Bound::Unbounded,
        };
        let mut up_to = self.by_address.range((Bound::Unbounded, behind));
        let (found, _) = up_to.rfind(|it| self.is_current(it))?;
        Some((self.names(*found).next()?, *found))
    }

    /// Returns the number of labels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no labels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl PartialEq for LabelMap {
    fn eq(&self, other: &Self) -> bool {
        self.by_name == other.by_name
            && self.starts == other.starts
            && self.is_linked == other.is_linked
            && self.near == other.near
    }
}

impl Eq for LabelMap {}

impl Labels for LabelMap {
    /// Returns the address of a label, or the address that a constant is equal to.
    fn address(&self, name: &str) -> Option<u64> {
        match self.meant(name)? {
            Meant::Address(_, section) if self.near.is_some_and(|near| near != section) => None,
            Meant::Address(address, _) => Some(address),
            _ if self.is_linked => None,
            Meant::Number(number) => Some(number),
            Meant::Negative(number) => Some(number.cast_unsigned()),
        }
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.names(address).next()
    }

    fn constant(&self, name: &str) -> Option<i128> {
        match *self.by_name.get(name)? {
            Meant::Address(..) => None,
            Meant::Number(number) => Some(number.into()),
            Meant::Negative(number) => Some(number.into()),
        }
    }

    /// Unlike `address`, also returns true for labels in other sections, whose addresses only a linker
    /// knows.
    fn has(&self, name: &str) -> bool {
        self.meant(name).is_some()
    }
}

impl<S: AsRef<str>> FromIterator<(S, u64)> for LabelMap {
    fn from_iter<I: IntoIterator<Item = (S, u64)>>(labels: I) -> Self {
        let mut map = LabelMap::new();
        for (name, address) in labels {
            map.insert(name.as_ref(), address);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::LabelMap;
    use crate::text::Labels;

    #[test]
    fn an_empty_map() {
        assert!(LabelMap::new().is_empty());
        let one: LabelMap = [("a", 0)].into_iter().collect();
        assert!(!one.is_empty() && one.len() == 1);
    }

    /// Returns the labels of an address by a search through all names.
    fn names(known: &BTreeMap<String, Option<u64>>, address: u64) -> Vec<&str> {
        known
            .iter()
            .filter(|(_, at)| **at == Some(address))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Moves names from address to address and makes some of them constants. After each step, all
    /// results are compared with the results of a plain list of the names.
    #[test]
    fn labels_that_move_leave_their_addresses() {
        let (mut map, mut known) = (LabelMap::new(), BTreeMap::new());
        let mut random = 1_u64;
        for step in 0..3_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let name = format!("n{}", random >> 60);
            match (random >> 33) % 9 {
                0 => {
                    map.insert_constant(&name, 5);
                    known.insert(name, None);
                }
                // Includes the last possible address.
                address => {
                    let address = if address == 8 { u64::MAX } else { address };
                    map.insert(&name, address);
                    known.insert(name, Some(address));
                }
            }
            let mut labels: Vec<_> =
                known.iter().filter_map(|(name, at)| Some(((*at)?, name.as_str()))).collect();
            labels.sort_unstable();
            let all: Vec<_> = map.iter().map(|(name, address)| (address, name)).collect();
            assert_eq!(all, labels, "step {step}");
            assert_eq!((map.len(), map.is_empty()), (labels.len(), labels.is_empty()));
            assert_eq!(map.has_constants(), known.values().any(Option::is_none));
            for address in [0, 1, 4, 7, 8, 9, u64::MAX - 1, u64::MAX] {
                let names = names(&known, address);
                assert_eq!(map.names(address).collect::<Vec<_>>(), names);
                assert_eq!(map.name(address), names.first().copied());
                let next = labels.iter().map(|(at, _)| *at).find(|at| *at > address);
                assert_eq!(map.next(address), next);
                let last = labels.iter().map(|(at, _)| *at).rfind(|at| *at <= address);
                let last = last.map(|at| (self::names(&known, at)[0], at));
                assert_eq!(map.last(address), last);
            }
            let same: LabelMap = labels.iter().map(|(at, name)| (*name, *at)).collect();
            assert_eq!(map == same, !map.has_constants());
        }
    }
}
