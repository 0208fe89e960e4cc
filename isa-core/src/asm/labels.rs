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
    by_name: BTreeMap<String, u64>,
    by_address: BTreeSet<(u64, String)>,
    constants: BTreeMap<String, i128>,
    /// Whether a linker says where the program stands, so that a number is no address in it.
    is_linked: bool,
}

impl LabelMap {
    /// No labels yet.
    #[must_use]
    pub const fn new() -> Self {
        LabelMap {
            by_name: BTreeMap::new(),
            by_address: BTreeSet::new(),
            constants: BTreeMap::new(),
            is_linked: false,
        }
    }

    /// The same for a program whose place a linker says.
    pub(super) fn linked(self) -> Self {
        LabelMap { is_linked: true, ..self }
    }

    /// Gives an address a label, and takes the label from the address that it had, if any.
    pub fn insert(&mut self, name: &str, address: u64) {
        if let Some(known) = self.by_name.insert(name.into(), address) {
            self.by_address.remove(&(known, name.into()));
        }
        self.by_address.insert((address, name.into()));
    }

    /// Gives a number a name.
    pub(super) fn insert_constant(&mut self, name: &str, number: i128) {
        self.constants.insert(name.into(), number);
    }

    /// All constants with their numbers, by name.
    pub fn constants(&self) -> impl Iterator<Item = (&str, i128)> {
        self.constants.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// Whether there are any.
    pub(super) fn has_constants(&self) -> bool {
        !self.constants.is_empty()
    }

    /// How many names there are, of labels and of constants.
    pub(super) fn count(&self) -> usize {
        self.by_name.len() + self.constants.len()
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

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

impl Labels for LabelMap {
    /// The address of a label, or that which a constant is.
    fn address(&self, name: &str) -> Option<u64> {
        let number = || self.constant(name).filter(|_| !self.is_linked);
        self.by_name.get(name).copied().or_else(|| number().map(|number| number as u64))
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.names(address).next()
    }

    fn constant(&self, name: &str) -> Option<i128> {
        self.constants.get(name).copied()
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
