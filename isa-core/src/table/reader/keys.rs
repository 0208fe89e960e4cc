//! What the quick reader looks for in the texts of a kind or a format.

use super::ByteSet;
use crate::operand::{Listed, ListedKey, Numbered, NumberedKey};
use crate::table::IS_SMALL;

/// What texts of a kind or a format begin with, as [`ReadKind`](super::ReadKind) has it: made once for each,
/// since each step of rustc through a `const fn` takes time in every crate that has a set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextKeys {
    pub(super) first: ByteSet,
    pub(super) told: ByteSet,
    pub(super) names: Option<NumberedKey>,
    pub(super) listed: Option<ListedKey>,
}

impl TextKeys {
    /// The keys of texts with these forms, and of the names where all of them are numbered or listed. Where
    /// there is no quick reader they are empty.
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
