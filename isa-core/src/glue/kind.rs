//! Macros for value sets and operand types.

/// Defines the constants, methods and traits of a value set, and its table entry. The input contains
/// the names of the set and of the table entry, the documentation, the values with their bits, and
/// additional names of values. If the set has only the values 0 and 1, the input also contains their
/// names as the `false` and the `true` value.
#[doc(hidden)]
#[macro_export]
macro_rules! __value_set {
    (
        $vis:vis $name:ident $entry:ident $shown:literal $doc:literal $width:literal [$($reserved:tt)*]
        { $($value:ident $raw:literal $text:literal $value_doc:literal $([$($also:literal)*])?)* }
        [$($off:ident $on:ident)?] $($other:ident $same:ident)*
    ) => {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names come from the specification")]
        $vis static $entry: $crate::table::Kind = $crate::table::Kind {
            name: $shown,
            doc: $crate::table::described_doc($doc),
            width: $width,
            values: &[$($crate::table::Value {
                name: $text, also: &[$($($also),*)?], raw: $raw, doc: $value_doc,
            }),*],
            reserved: $($reserved)*,
            text: ::core::option::Option::None,
        };

        #[automatically_derived]
        impl $name {
            /// All values, in the order of the specification.
            $vis const ALL: &'static [Self] = &[$(Self::$value),*];
            /// The table entry of the set.
            $vis const KIND: &'static $crate::table::Kind = &$entry;
            $(
                #[doc = ::core::concat!("Another name of [`", ::core::stringify!($same), "`](Self::", ::core::stringify!($same), ").")]
                #[allow(non_upper_case_globals, reason = "the names come from the specification")]
                $vis const $other: Self = Self::$same;
            )*
            /// Returns the value with these bits, or `None` if the bits are reserved.
            #[must_use]
            $vis const fn from_bits(raw: u64) -> ::core::option::Option<Self> {
                match raw {
                    $($raw => ::core::option::Option::Some(Self::$value),)*
                    _ => ::core::option::Option::None,
                }
            }
            /// Returns the bits of the value.
            #[must_use]
            $vis const fn to_bits(self) -> u64 {
                self as u64
            }
            /// Returns the name of the value in assembly text.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }

        #[automatically_derived]
        impl $crate::operand::ValueSet for $name {
            const KIND: &'static $crate::table::Kind = &$entry;
        }

        #[automatically_derived]
        impl $crate::operand::FieldValue for $name {
            #[inline]
            fn from_raw(raw: u64) -> Self {
                Self::from_bits(raw).unwrap_or(Self::ALL[0])
            }
            #[inline]
            fn to_raw(self) -> u64 {
                self.to_bits()
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        $(
            #[automatically_derived]
            impl ::core::convert::From<bool> for $name {
                fn from(on: bool) -> Self {
                    if on { Self::$on } else { Self::$off }
                }
            }
            #[automatically_derived]
            impl ::core::convert::From<$name> for bool {
                fn from(value: $name) -> Self {
                    ::core::matches!(value, $name::$on)
                }
            }
        )?
    };
}

/// Defines the table entry of an operand type and its text functions. The input contains the name of
/// the type, the names of the statics for the table entry and for the text functions, and the
/// declaration in the specification.
#[doc(hidden)]
#[macro_export]
macro_rules! __operand {
    (
        $vis:vis $name:ident $text:ident $entry:ident
        $shown:literal $doc:literal $width:literal [$($reserved:tt)*]
    ) => {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names come from the specification")]
        $vis static $text: $crate::table::Text = $crate::operand::text_of::<$name>();
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names come from the specification")]
        $vis static $entry: $crate::table::Kind = $crate::table::Kind {
            name: $shown,
            doc: $crate::table::described_doc($doc),
            width: $width,
            values: &[],
            reserved: $($reserved)*,
            text: ::core::option::Option::Some(&$text),
        };
    };
}
