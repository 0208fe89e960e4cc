//! Prepares the keys with which the fast parser recognizes the texts of an operand type or a
//! format.

use crate::IS_SMALL;
use crate::operand::{ByteSet, Listed, ListedKey, Numbered, NumberedKey};

/// The beginnings of the texts of an operand type or a format, as [`ParseKind`](super::ParseKind)
/// stores them. They are computed once for each type, because each step of a `const fn` costs
/// compile time in every crate that contains a set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextKeys {
    pub(crate) first: ByteSet,
    pub(crate) told: ByteSet,
    pub(crate) names: Option<NumberedKey>,
    pub(crate) listed: Option<ListedKey>,
}

impl TextKeys {
    /// Computes the keys of texts that have one of `forms`, and of the names in `numbered` or
    /// `listed`. The keys are empty if there is no fast parser.
    pub(crate) const fn of(
        forms: &[&str],
        numbered: Option<&'static Numbered>,
        listed: Option<&'static Listed>,
    ) -> Self {
        let mut keys =
            TextKeys { first: ByteSet::NONE, told: ByteSet::NONE, names: None, listed: None };
        let mut i = 0;
        while !IS_SMALL && i < forms.len() {
            let form = forms[i].as_bytes();
            let bytes = ByteSet::NONE.with_form(form, 0);
            keys.first = keys.first.or(bytes);
            if matches!(form, [b'!'..=b'~', b'*'] | [b'0'..=b'9', b'~']) {
                keys.told = keys.told.or(bytes);
            }
            i += 1;
        }
        match numbered {
            Some(names) if !IS_SMALL => keys.names = Some(names.key()),
            _ => {}
        }
        match listed {
            Some(names) if !IS_SMALL => keys.listed = names.key(),
            _ => {}
        }
        keys
    }
}
