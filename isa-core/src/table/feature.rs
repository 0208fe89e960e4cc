//! Features: parts of a set that exist only on some processors.

use core::fmt;

use super::{InstructionSet, Opcode};
use crate::bits::Cube;

/// A feature of a set, from a `feature` item.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// The name in the specification, for example `SM90`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The features that are on if this one is on, including itself.
    pub includes: FeatureSet,
    /// The features that are off if this one is on.
    pub excludes: FeatureSet,
}

impl Feature {
    /// Creates a feature. Bit i of a mask is the feature with index i in [`InstructionSet::features`].
    #[must_use]
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        includes: u128,
        excludes: u128,
    ) -> Self {
        let (includes, excludes) = (FeatureSet(includes), FeatureSet(excludes));
        Feature { name, doc, includes, excludes }
    }
}

/// A combination of features of one set. [`InstructionSet::feature_set`] creates it from names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FeatureSet(u128);

impl FeatureSet {
    /// No feature.
    pub const EMPTY: FeatureSet = FeatureSet(0);

    /// Creates a combination from a number: bit i is the feature with index i in
    /// [`InstructionSet::features`].
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        FeatureSet(bits)
    }

    /// Returns the combination as a number.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns whether the feature with index `index` in [`InstructionSet::features`] is on.
    #[must_use]
    pub const fn contains(self, index: usize) -> bool {
        1u128.unbounded_shl(index as u32) & self.0 != 0
    }

    /// Returns whether no feature is on.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeatureSet({:#x})", self.0)
    }
}

/// Words of an opcode that exist only with some features, from a `requires` of the specification.
#[derive(Debug)]
pub struct Requirement {
    /// The words. A requirement of a whole opcode has one pattern, which matches every word.
    pub words: &'static [Cube],
    /// The combinations of features with which the words exist, as masked patterns of
    /// [`FeatureSet::bits`].
    pub features: &'static [Cube],
    /// The part of the opcode that the words contain, for example "`F32` of `half`". It is empty if the
    /// requirement applies to the whole opcode.
    pub subject: &'static str,
    /// The condition as in the specification, for example `SM80 and not SM90`.
    pub condition: &'static str,
    /// The group, optype or opcode that declares the requirement.
    pub declared_in: &'static str,
}

impl Requirement {
    /// Returns whether the words exist with these features.
    #[must_use]
    pub fn is_met(&self, features: FeatureSet) -> bool {
        self.features.iter().any(|cube| cube.contains(features.0))
    }

    /// Returns whether the requirement applies to a word.
    #[must_use]
    pub fn applies_to(&self, word: u128) -> bool {
        self.words.iter().any(|cube| cube.contains(word))
    }
}

impl Opcode {
    /// Returns the first requirement that a valid word of this opcode does not meet with these
    /// features.
    #[must_use]
    pub fn unmet(&self, word: u128, features: FeatureSet) -> Option<&'static Requirement> {
        let mut requires = self.requires.iter().copied();
        requires.find(|one| one.applies_to(word) && !one.is_met(features))
    }

    /// Returns the requirements that apply to every word of this opcode: those of the opcode itself, and
    /// those of the values of its fixed fields.
    pub fn requires_of_all_words(&self) -> impl Iterator<Item = &'static Requirement> {
        let Cube { mask, value } = self.fixed;
        let applies = move |cube: &Cube| cube.mask & !mask == 0 && cube.contains(value);
        self.requires.iter().copied().filter(move |one| one.words.iter().any(applies))
    }

    /// Returns whether the opcode exists with these features. Some of its words may not exist.
    #[must_use]
    pub fn exists_with(&self, features: FeatureSet) -> bool {
        self.requires_of_all_words().all(|one| one.is_met(features))
    }
}

/// The reason why a list of features is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureError<'t> {
    /// The set has no feature with this name.
    #[non_exhaustive]
    Unknown {
        /// The name.
        name: &'t str,
    },
    /// Two features that exclude each other are both on.
    #[non_exhaustive]
    Excluded {
        /// The feature that excludes the other.
        name: &'static str,
        /// The other feature.
        other: &'static str,
    },
}

impl fmt::Display for FeatureError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeatureError::Unknown { name } => write!(f, "unknown feature `{name}`"),
            FeatureError::Excluded { name, other } => {
                write!(f, "the feature `{name}` cannot be combined with `{other}`")
            }
        }
    }
}

impl core::error::Error for FeatureError<'_> {}

impl InstructionSet {
    /// Returns the combination of the features in a list, with the features that they include. The list
    /// contains names separated by commas. If its first name has a `+` or `-`, the list changes
    /// [`InstructionSet::enabled`]: a name with `-` turns a feature off, and all features that include
    /// it.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is unknown, or if two features exclude each other.
    ///
    /// ```
    /// isa_core::define_isa! {
    ///     /// A shift that only some processors have.
    ///     isa Tiny: u16;
    ///     /// Integers.
    ///     feature BASE;
    ///     /// Shifts.
    ///     feature SHIFTS: BASE;
    ///     operand Reg: 8 = isa_core::operand::Reg;
    ///     enum Op: 8 { NEG = 1, SHL = 2 }
    ///     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    ///     opcode SHL requires SHIFTS {
    ///         encoding { field<8, 8> Op op == SHL; field<0, 8> Reg rd; } syntax { SHL Rd; }
    ///     }
    /// }
    /// use isa_core::table::{FeatureSet, InstructionSet};
    ///
    /// // All features are on unless others are chosen.
    /// assert!(Tiny::decode(0x201).is_ok());
    ///
    /// // At run time:
    /// let base = Tiny::SET.feature_set("BASE")?;
    /// let error = Tiny::decode_with(base, 0x201).unwrap_err();
    /// assert_eq!(error.to_string(), "SHL: requires SHIFTS");
    /// assert_eq!(Tiny::SET.feature_set("-SHIFTS"), Ok(base));
    ///
    /// // As a constant: the decoder and the parser of these tables have only this feature.
    /// static BASE: InstructionSet = Tiny::SET.with_features(match Tiny::SET.feature_set("BASE") {
    ///     Ok(features) => features,
    ///     Err(_) => panic!("unknown feature"),
    /// });
    /// assert!(BASE.decode(0x101).is_ok() && BASE.decode(0x201).is_err());
    /// assert!(BASE.parse("SHL R1;").is_err());
    /// # Ok::<(), isa_core::table::FeatureError<'static>>(())
    /// ```
    pub const fn feature_set<'t>(&self, list: &'t str) -> Result<FeatureSet, FeatureError<'t>> {
        let mut rest = list.as_bytes().trim_ascii();
        let is_change = matches!(rest.first(), Some(b'+' | b'-'));
        let mut on = if is_change { self.enabled.0 } else { 0 };
        while !rest.is_empty() {
            let mut end = 0;
            while end < rest.len() && rest[end] != b',' {
                end += 1;
            }
            let (item, after) = rest.split_at(end);
            rest = match after.split_first() {
                Some((_, after)) => after.trim_ascii_start(),
                None => after,
            };
            let (is_off, name) = match item.trim_ascii().split_first() {
                Some((b'-', name)) => (true, name.trim_ascii()),
                Some((b'+', name)) => (false, name.trim_ascii()),
                _ => (false, item.trim_ascii()),
            };
            let Some(index) = self.feature_index(name) else {
                // A part of a text between ASCII characters is a text.
                let name = match core::str::from_utf8(name) {
                    Ok(name) => name,
                    Err(_) => list,
                };
                return Err(FeatureError::Unknown { name });
            };
            if is_off {
                let mut other = 0;
                while other < self.features.len() {
                    if self.features[other].includes.contains(index) {
                        on &= !(1 << other);
                    }
                    other += 1;
                }
            } else {
                on |= self.features[index].includes.0;
            }
        }
        let mut index = 0;
        while index < self.features.len() {
            let Feature { name, excludes, .. } = self.features[index];
            let both = excludes.0 & on;
            if 1 << index & on != 0 && both != 0 {
                let other = self.features[both.trailing_zeros() as usize].name;
                return Err(FeatureError::Excluded { name, other });
            }
            index += 1;
        }
        Ok(FeatureSet(on))
    }

    /// Returns the index of a feature.
    const fn feature_index(&self, name: &[u8]) -> Option<usize> {
        let mut index = 0;
        while index < self.features.len() {
            if is_equal(self.features[index].name.as_bytes(), name) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// Returns the tables with other features on. Use [`InstructionSet::feature_set`] to choose them.
    /// Decoder and parser then accept only words that exist with these features.
    #[must_use]
    pub const fn with_features(&self, enabled: FeatureSet) -> InstructionSet {
        InstructionSet { enabled, ..*self }
    }

    /// Returns the names of the features in a combination that no other feature in it includes.
    pub fn feature_names(&self, features: FeatureSet) -> impl Iterator<Item = &'static str> {
        let all = self.features;
        let is_on = move |(place, _): &(usize, &Feature)| features.contains(*place);
        all.iter().enumerate().filter(is_on).filter_map(move |(place, feature)| {
            let mut others = all.iter().enumerate().filter(is_on);
            let is_included =
                others.any(|(other, one)| other != place && one.includes.contains(place));
            (!is_included).then_some(feature.name)
        })
    }
}

const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
