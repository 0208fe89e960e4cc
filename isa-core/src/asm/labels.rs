//! Labels that are found by name and by address.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use super::Labels;

/// Labels by name and by address: those of a [`Program`](super::Program), or given to an
/// [`Assembler`](super::Assembler).
///
/// ```
/// use isa_core::asm::{LabelMap, Labels};
///
/// let mut labels = LabelMap::new();
/// labels.insert("puts", 0x8000);
/// assert_eq!(labels.address("puts"), Some(0x8000));
/// assert_eq!(labels.name(0x8000), Some("puts"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelMap {
    /// Labels and constants.
    by_name: BTreeMap<String, Meant>,
    by_address: BTreeSet<(u64, String)>,
    /// Where sections begin: by their names, unless a label or a constant has the name.
    starts: BTreeMap<String, Meant>,
    /// Whether a linker says where the program stands, so that a number is no address in it.
    is_linked: bool,
    /// In an object, the section whose labels are found.
    near: Option<u32>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// An address in a section, which counts in objects alone.
    Address(u64, u32),
    Number(u64),
    /// A number below 0.
    Negative(i64),
}

impl LabelMap {
    /// No labels yet.
    #[must_use]
    pub const fn new() -> Self {
        LabelMap {
            by_name: BTreeMap::new(),
            by_address: BTreeSet::new(),
            starts: BTreeMap::new(),
            is_linked: false,
            near: None,
        }
    }

    /// These labels and constants for a program whose place a linker says: no constant is an address in it.
    pub(super) fn linked(self) -> Self {
        LabelMap { is_linked: true, ..self }
    }

    /// Gives an address a label, and takes the label from the address that it had, if any.
    pub fn insert(&mut self, name: &str, address: u64) {
        self.insert_in(name, address, 0);
    }

    /// As [`LabelMap::insert`], in a section of an object.
    pub(super) fn insert_in(&mut self, name: &str, address: u64, section: u32) {
        self.mean(name, Meant::Address(address, section));
        self.by_address.insert((address, name.into()));
    }

    /// Notes where a section begins.
    pub(super) fn insert_start(&mut self, name: &str, address: u64, section: u32) {
        self.starts.insert(name.into(), Meant::Address(address, section));
    }

    /// What a name stands for.
    fn meant(&self, name: &str) -> Option<Meant> {
        self.by_name.get(name).or_else(|| self.starts.get(name)).copied()
    }

    /// The section of a label, a place in [`Program::sections`](super::Program::sections). Only the
    /// labels of objects have another one than the first; `None` for a constant, and without the label.
    /// The name of a section counts as a label of its start.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<usize> {
        match self.meant(name)? {
            Meant::Address(_, section) => Some(section as usize),
            _ => None,
        }
    }

    /// From now on these are the labels as a statement of a section has them, in an object without those
    /// of other sections, whose distances only the linker knows; `None` for all labels.
    pub(super) fn enter(&mut self, section: Option<usize>) {
        self.near = section.filter(|_| self.is_linked).map(|section| section as u32);
    }

    /// Gives a name another meaning than it may have had.
    fn mean(&mut self, name: &str, meant: Meant) {
        if let Some(Meant::Address(known, _)) = self.by_name.insert(name.into(), meant) {
            self.by_address.remove(&(known, name.into()));
        }
    }

    /// Gives a number of at most 64 bits a name.
    pub(super) fn insert_constant(&mut self, name: &str, number: i128) {
        let meant = match number < 0 {
            true => Meant::Negative(number as i64),
            false => Meant::Number(number as u64),
        };
        self.mean(name, meant);
    }

    /// All constants with their numbers, by name.
    pub fn constants(&self) -> impl Iterator<Item = (&str, i128)> {
        let all = self.by_name.keys().map(String::as_str);
        all.filter_map(|name| Some((name, self.constant(name)?)))
    }

    /// Whether there are any.
    pub(super) fn has_constants(&self) -> bool {
        self.by_name.len() > self.by_address.len()
    }

    /// How many names there are, of labels and of constants.
    pub(super) fn count(&self) -> usize {
        self.by_name.len()
    }

    /// All labels by address; those of one address by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.by_address.iter().map(|(address, name)| (name.as_str(), *address))
    }

    /// All labels of an address, by name.
    pub fn names(&self, address: u64) -> impl Iterator<Item = &str> {
        let from = self.by_address.range((address, String::new())..);
        from.take_while(move |(known, _)| *known == address).map(|(_, name)| name.as_str())
    }

    /// The first address behind another that has a label.
    pub(super) fn next(&self, address: u64) -> Option<u64> {
        let from = (address.checked_add(1)?, String::new());
        self.by_address.range(from..).next().map(|(address, _)| *address)
    }

    /// The last label up to an address, of several of one address the first by name.
    pub(super) fn last(&self, address: u64) -> Option<(&str, u64)> {
        let behind = address.checked_add(1).map(|behind| (behind, String::new()));
        let (found, _) = match behind {
            Some(behind) => self.by_address.range(..behind).next_back()?,
            None => self.by_address.last()?,
        };
        Some((self.names(*found).next()?, *found))
    }

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_address.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_address.is_empty()
    }
}

impl Labels for LabelMap {
    /// The address of a label, or that which a constant is.
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
    use super::LabelMap;

    #[test]
    fn an_empty_map() {
        assert!(LabelMap::new().is_empty());
        let one: LabelMap = [("a", 0)].into_iter().collect();
        assert!(!one.is_empty() && one.len() == 1);
    }
}
