//! The undocumented interface of generated code, `__private`: macros for code that varies only in
//! names, and the functions that they call.
//!
//! A macro of this module is exported as `__name`, because exported macros are at the root of a
//! crate. Generated code uses it as `__private::name`.

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
    __operands as operands, __pages as pages, __properties as properties, __serde as serde,
    __set as set, __source as source, __traits as traits, __unknown as unknown, __uses as uses,
    __value_set as value_set, __warp as warp,
};
#[cfg(feature = "serde")]
pub use serde_core;

/// Asserts at compile time that the guard of an instruction can be evaluated.
pub const fn assert_guard(is_readable: bool) {
    assert!(is_readable, "the guard uses an operand that is not in the `InList` of the opcode");
}

/// Expands to nothing because the feature `serde` is off.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($($instructions:tt)*) => {};
}

/// Expands to a source text of the specification.
#[cfg(feature = "source")]
#[doc(hidden)]
#[macro_export]
macro_rules! __source {
    ($text:expr) => {
        $text
    };
}

/// Expands to an empty text because the feature `source` is off.
#[cfg(not(feature = "source"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __source {
    ($text:expr) => {
        ""
    };
}

/// Uses names, so that editors recognize them. It is not expanded in a normal build.
#[doc(hidden)]
#[macro_export]
macro_rules! __uses {
    ($($ty:ty: $($name:ident)*;)*) => {
        const _: () = { $($(let _ = <$ty>::$name;)*)* };
    };
}
