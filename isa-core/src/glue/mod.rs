//! What generated code calls beside the documented interface, all of it under `__private`: macros
//! for what depends on a specification by names alone, and the functions behind them.
//!
//! A macro of this module is exported as `__name`, since exported macros stand at the root of a
//! crate, and is `__private::name` to generated code.

mod family;
#[cfg(feature = "serde")]
pub mod interchange;
mod kind;
mod set;
mod table;
mod typed;

pub use crate::inst::{
    ExampleError, check_examples, debug, display, encode, parse_as, parse_one, parse_one_at,
    value_at as at, value_of,
};
pub use crate::{
    __accessors as accessors, __affixes as affixes, __examples as examples, __execute as execute,
    __family as family, __fields as fields, __lanes as lanes, __mnemonics as mnemonics,
    __modifiers as modifiers, __new as new, __opcodes as opcodes, __operand as operand,
    __operands as operands, __pages as pages, __serde as serde, __set as set, __source as source,
    __traits as traits, __unknown as unknown, __uses as uses, __value_set as value_set,
};
#[cfg(feature = "serde")]
pub use serde_core;

/// Nothing: the feature `serde` is off.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($($instructions:tt)*) => {};
}

/// The text of a body of semantics.
#[cfg(feature = "source")]
#[doc(hidden)]
#[macro_export]
macro_rules! __source {
    ($text:literal) => {
        $text
    };
}

/// Nothing: the feature `source` is off.
#[cfg(not(feature = "source"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __source {
    ($text:literal) => {
        ""
    };
}

/// Uses of names, for editors: nothing else ever expands it.
#[doc(hidden)]
#[macro_export]
macro_rules! __uses {
    ($($ty:ty: $($name:ident)*;)*) => {
        const _: () = { $($(let _ = <$ty>::$name;)*)* };
    };
}
