//! Serializes instructions with `serde`: as assembly text in human-readable formats, otherwise as the
//! word.
//!
//! Generated code calls a macro that is empty without the feature `serde`, because `define_isa!` cannot
//! query whether this crate has the feature.

use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Error as _, Serialize, Serializer};

use crate::error::{DecodeError, EncodeError, ParseError};

/// Serializes an instruction.
///
/// # Errors
///
/// Returns an error for an invalid combination of values, and the errors of the serializer.
pub fn serialize<S: Serializer, W: Serialize>(
    text: &impl Display,
    word: Result<W, EncodeError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let word = word.map_err(S::Error::custom)?;
    if serializer.is_human_readable() {
        serializer.collect_str(text)
    } else {
        word.serialize(serializer)
    }
}

/// Deserializes an instruction whose word is a `W`.
///
/// # Errors
///
/// Returns an error for a text or a word that is not a valid instruction, and the errors of the
/// deserializer.
pub fn deserialize<'de, D, T, W>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = ParseError> + TryFrom<W, Error = DecodeError>,
    W: Deserialize<'de>,
{
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(Text(PhantomData))
    } else {
        T::try_from(W::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The visitor that parses a `T` from its text.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err = ParseError>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an instruction as assembly text")
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Implements the traits of `serde` for instructions of a set.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ([$($generics:tt)*] $type:ty, $word:ty) => {
        #[automatically_derived]
        impl<$($generics)*> $crate::__private::serde_core::Serialize for $type {
            fn serialize<__S: $crate::__private::serde_core::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                $crate::__private::interchange::serialize(self, (*self).encode(), serializer)
            }
        }
        #[automatically_derived]
        impl<'__de, $($generics)*> $crate::__private::serde_core::Deserialize<'__de> for $type {
            fn deserialize<__D: $crate::__private::serde_core::Deserializer<'__de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                $crate::__private::interchange::deserialize::<__D, Self, $word>(deserializer)
            }
        }
    };
}
