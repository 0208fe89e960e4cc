//! The map that labels and constants use. WebAssembly modules store a sorted list instead of a B-tree,
//! because its code is smaller. Their programs are short.

use alloc::string::String;
use core::ops::Bound;

#[cfg(not(target_family = "wasm"))]
pub(crate) use alloc::collections::BTreeMap as NameMap;
#[cfg(target_family = "wasm")]
pub(crate) use sorted::SortedList as NameMap;

#[cfg(any(target_family = "wasm", test))]
mod sorted {
    use alloc::vec::Vec;
    use core::borrow::Borrow;
    use core::ops::RangeBounds;

    /// A map with the methods of a `BTreeMap` that this folder uses.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct SortedList<K, V>(Vec<(K, V)>);

    impl<K, V> Default for SortedList<K, V> {
        fn default() -> Self {
            SortedList(Vec::new())
        }
    }

    impl<K: Ord, V> SortedList<K, V> {
        pub(crate) const fn new() -> Self {
            SortedList(Vec::new())
        }

        fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
        where
            K: Borrow<Q>,
        {
            self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
        }

        pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
        where
            K: Borrow<Q>,
        {
            self.0.get(self.find(key).ok()?).map(|(_, value)| value)
        }

        pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
            match self.find(&key) {
                Ok(at) => self.0.get_mut(at).map(|(_, known)| core::mem::replace(known, value)),
                Err(at) => {
                    self.0.insert(at, (key, value));
                    None
                }
            }
        }

        pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
            self.0.iter().map(|(key, value)| (key, value))
        }

        pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
            self.0.iter().map(|(key, _)| key)
        }

        pub(crate) const fn len(&self) -> usize {
            self.0.len()
        }

        pub(crate) fn range(
            &self,
            keys: impl RangeBounds<K>,
        ) -> impl DoubleEndedIterator<Item = (&K, &V)> {
            self.0
                .iter()
                .map(|(key, value)| (key, value))
                .filter(move |(key, _)| keys.contains(key))
        }
    }
}

/// An address and a label.
pub(crate) type LabelledAddress = (u64, String);

/// Labels in the order of their addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddressSet(NameMap<LabelledAddress, ()>);

impl AddressSet {
    pub(crate) const fn new() -> Self {
        AddressSet(NameMap::new())
    }

    pub(crate) fn insert(&mut self, label: LabelledAddress) {
        self.0.insert(label, ());
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the labels from an address on.
    pub(crate) fn from(&self, address: u64) -> impl Iterator<Item = &LabelledAddress> {
        self.0.range((address, String::new())..).map(|(label, ())| label)
    }

    /// Returns the labels up to and including an address, the last one first.
    pub(crate) fn up_to(&self, address: u64) -> impl Iterator<Item = &LabelledAddress> {
        let after = match address.checked_add(1) {
            Some(after) => Bound::Excluded((after, String::new())),
            None => Bound::Unbounded,
        };
        self.0.range((Bound::Unbounded, after)).rev().map(|(label, ())| label)
    }
}
