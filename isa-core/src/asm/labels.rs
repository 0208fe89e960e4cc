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
}

impl LabelMap {
    /// No labels yet.
    #[must_use]
    pub const fn new() -> Self {
        LabelMap { by_name: BTreeMap::new(), by_address: BTreeSet::new() }
    }

    /// Gives an address a label, and takes the label from the address that it had, if any.
    pub fn insert(&mut self, name: &str, address: u64) {
        if let Some(known) = self.by_name.insert(name.into(), address) {
            self.by_address.remove(&(known, name.into()));
        }
        self.by_address.insert((address, name.into()));
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
    fn address(&self, name: &str) -> Option<u64> {
        self.by_name.get(name).copied()
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.names(address).next()
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
