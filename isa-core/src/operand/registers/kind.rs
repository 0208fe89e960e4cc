//! The operand types that lines of `registers!` define.

/// Defines one operand type for registers. If the line has a single name, the type has no bits.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_kind {
    (
        [$(#[$doc:meta])* $vis:vis]
        $kind:ident: $width:literal;
        [$first:literal to $last:literal $(step $step:literal)? $(, $special:literal)?] [] [$value:ty] [$bits:expr]
    ) => {
        $crate::__register_type! { [$(#[$doc])* $vis] $kind }

        impl $kind {
            const NAMES: $crate::operand::Numbered = $crate::operand::Numbered::between(
                [$first, $last, concat!($($special)?)],
                [$width, 1 $(+ ($step - 1))?],
                [
                    concat!("no such name: expected `", $first, "` to `", $last, "`"
                        $(, " in steps of ", $step)? $(, ", or `", $special, "`")?),
                    concat!("names are case-sensitive: `", $first, "` is a valid name"),
                ],
            );
            const READY: [$crate::table::ShortText; 1 << $width] = Self::NAMES.ready();

            /// Returns the operand whose name contains this number, or `None` if there is none. The
            /// special name has the number that would follow the last number.
            #[must_use]
            $vis const fn new(number: u8) -> Option<Self> {
                match Self::NAMES.bits(number) {
                    Some(bits) => Some($kind(bits)),
                    None if !Self::NAMES.last.is_empty()
                        && number == Self::NAMES.number(Self::NAMES.count as u8) =>
                    {
                        Some($kind(Self::NAMES.count as u8))
                    }
                    None => None,
                }
            }

            /// Returns the number in the name. The special name has the number that would follow the
            /// last number.
            #[must_use]
            $vis const fn number(self) -> u8 {
                Self::NAMES.number(self.0)
            }
        }

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $bits;
            const EXPECTS: &'static str =
                concat!("`", $first, "` to `", $last, "`" $(, " in steps of ", $step)?
                    $(, ", or `", $special, "`")?);
            const MAX_LEN: usize = Self::NAMES.longest();
            const FORMS: &'static [&'static str] = &[$first $(, $special)?];
            const NAMED: &'static [(&'static str, u64)] = &[$(($special, Self::NAMES.count as u64))?];
            const NUMBERED: Option<&'static $crate::operand::Numbered> = Some(&Self::NAMES);
            const READY: &'static [$crate::table::ShortText] = &Self::READY;

            $crate::__numbered_functions!($kind, $width, Self::NAMES);
        }
    };
    (
        [$(#[$doc:meta])* $vis:vis] $kind:ident: $width:literal; [$name:literal] []
        [$value:ty] [$bits:expr]
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind;

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $bits;
            const EXPECTS: &'static str = concat!("`", $name, "`");
            const MAX_LEN: usize = $name.len();
            const FORMS: &'static [&'static str] = &[$name];
            const NAMED: &'static [(&'static str, u64)] = &[($name, 0)];

            fn from_bits(_: u64) -> Self {
                $kind
            }

            fn to_bits(self) -> u64 {
                0
            }

            fn read(cursor: &mut $crate::text::Cursor<'_>) -> Result<Self, $crate::text::OperandError> {
                cursor.skip_trivia();
                let (start, word) = (cursor.position(), cursor.word());
                let named = word == $name || cursor.any_case() && word.eq_ignore_ascii_case($name);
                let message = concat!("expected `", $name, "`");
                if named { Ok($kind) } else { Err(cursor.fault(start, message)) }
            }

            fn write(self, line: &mut $crate::text::Line) {
                line.push_str($name);
            }
        }
    };
    // A list of names, or a single name with other names.
    (
        [$(#[$doc:meta])* $vis:vis] $kind:ident: $width:literal; [$name:literal] [$($others:tt)+]
        [$value:ty] [$bits:expr]
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind;

        const _: () = {
            $crate::__register_names! { 0; [$name] [$($others)+] }

            impl $crate::operand::OperandKind for $kind {
                $crate::__listed_constants!($value, $width, $bits);

                fn from_bits(_: u64) -> Self {
                    $kind
                }

                fn to_bits(self) -> u64 {
                    0
                }

                fn read(cursor: &mut $crate::text::Cursor<'_>) -> Result<Self, $crate::text::OperandError> {
                    LIST.read(cursor).map(|_| $kind)
                }

                fn write(self, line: &mut $crate::text::Line) {
                    line.push_str($name);
                }
            }
        };
    };
    (
        [$(#[$doc:meta])* $vis:vis] $kind:ident: $width:literal; [$($list:tt)+] [$($others:tt)*]
        [$value:ty] [$bits:expr]
    ) => {
        $crate::__register_type! { [$(#[$doc])* $vis] $kind }

        const _: () = {
            $crate::__register_names! { $width; [$($list)+] [$($others)*] }
            static READY: [$crate::table::ShortText; 1 << $width] = LIST.ready();

            impl $crate::operand::ListNames<{ SIZES.written }, { SIZES.bytes }> for $kind {
                const LIST: &'static [$crate::operand::ListItem] = LISTS[0];
            }

            impl $kind {
                /// Returns the printed names in the order of their numbers.
                // This is a function because rustc then evaluates the names only if it is called.
                #[inline]
                #[must_use]
                $vis const fn names() -> &'static [&'static str] {
                    &<$kind as $crate::operand::ListNames<{ SIZES.written }, { SIZES.bytes }>>::NAMES
                }

                /// Returns the operand with this number; `None` if there is none.
                #[must_use]
                $vis const fn new(number: u8) -> Option<Self> {
                    match LIST.bits(number) {
                        Some(bits) => Some($kind(bits)),
                        None => None,
                    }
                }

                /// Returns the number of the register.
                #[must_use]
                $vis const fn number(self) -> u8 {
                    LIST.number(self.0)
                }
            }

            impl $crate::operand::OperandKind for $kind {
                $crate::__listed_constants!($value, $width, $bits);
                const READY: &'static [$crate::table::ShortText] = &READY;

                $crate::__numbered_functions!($kind, $width, LIST);
            }
        };
    };
}

/// Defines the constants of an operand type with the names of [`__register_names`].
#[doc(hidden)]
#[macro_export]
macro_rules! __listed_constants {
    ($value:ty, $width:literal, $bits:expr) => {
        type Value = $value;
        const WIDTH: u8 = $width;
        const VALUE_BITS: u16 = $bits;
        const EXPECTS: &'static str = EXPECTED;
        const MAX_LEN: usize = LIST.longest();
        const FORMS: &'static [&'static str] = FORMS.forms();
        const NAMED: &'static [(&'static str, u64)] = &NAMED;
        const LISTED: Option<&'static $crate::operand::Listed> = Some(&LIST);
    };
}

/// Defines the names of a list and of the lists after `or`, for a field of the given width, and the
/// description of the names in messages.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_names {
    (
        $width:literal;
        [$first:literal $(= $number:literal)? $(to $last:literal $(step $step:literal)?)?
            $(, $name:literal $(= $name_number:literal)?
                $(to $name_last:literal $(step $name_step:literal)?)?)*]
        [$(or $other:literal $(= $other_number:literal)?
                $(to $other_last:literal $(step $other_step:literal)?)?
            $(, $more:literal $(= $more_number:literal)?
                $(to $more_last:literal $(step $more_step:literal)?)?)*)*]
    ) => {
        const LISTS: &[&[$crate::operand::ListItem]] = {
            use $crate::operand::ListItem;
            &[
                &[
                    ListItem::new($first) $(.numbered($number))? $(.to($last, 1 $(+ ($step - 1))?))?,
                    $(ListItem::new($name) $(.numbered($name_number))?
                        $(.to($name_last, 1 $(+ ($name_step - 1))?))?,)*
                ],
                $(&[
                    ListItem::new($other) $(.numbered($other_number))?
                        $(.to($other_last, 1 $(+ ($other_step - 1))?))?,
                    $(ListItem::new($more) $(.numbered($more_number))?
                        $(.to($more_last, 1 $(+ ($more_step - 1))?))?,)*
                ],)*
            ]
        };
        const SIZES: $crate::operand::ListSizes = $crate::operand::ListSizes::of(LISTS);
        const KEYS: $crate::operand::NameKeys<{ SIZES.slots }> =
            $crate::operand::NameKeys::new::<{ SIZES.names }>(LISTS, $width);
        const FORMS: $crate::operand::ListForms<{ $crate::operand::items_of(LISTS) }> =
            $crate::operand::ListForms::of(LISTS);
        const NAMED: [(&str, u64); SIZES.alone] = LIST.named();
        const EXPECTED: &str = concat!(
            "`", $first, $("` to `", $last,)? "`" $($(, " in steps of ", $step)?)?
            $(, ", `", $name, $("` to `", $name_last,)? "`" $($(, " in steps of ", $name_step)?)?)*
        );
        static LIST: $crate::operand::Listed = $crate::operand::Listed::new(LISTS, &KEYS, [
            concat!(
                "no such name: expected `", $first, $("` to `", $last,)? "`"
                $($(, " in steps of ", $step)?)?
                $(, ", `", $name, $("` to `", $name_last,)? "`" $($(, " in steps of ", $name_step)?)?)*
                $(
                    , ", or `", $other, $("` to `", $other_last,)? "`" $($(, " in steps of ", $other_step)?)?
                    $(, ", `", $more, $("` to `", $more_last,)? "`" $($(, " in steps of ", $more_step)?)?)*
                )*
            ),
            concat!("names are case-sensitive: `", $first, "` is a valid name"),
        ]);
    };
}

/// Implements the access of a machine to the registers of an operand type. A single register is
/// accessed without a number.
// The trait in the line may have the same name as an ordinary type parameter, so the parameter here
// is `__M`.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_access {
    ($kind:ident: $value:ty; [$($list:tt)+] []) => {};
    ($kind:ident: $value:ty; [$name:literal] [$machine:path { $get:ident, $set:ident }]) => {
        impl<__M: $machine + ?Sized> $crate::machine::Source<__M> for $kind {
            #[inline]
            fn fetch(self, machine: &__M) -> $value {
                machine.$get() as $value
            }
        }

        impl<__M: $machine + ?Sized> $crate::machine::Sink<__M> for $kind {
            #[inline]
            fn store(self, machine: &mut __M, value: $value) {
                machine.$set(value.into());
            }
        }
    };
    ($kind:ident: $value:ty; [$($list:tt)+] [$machine:path { $get:ident, $set:ident }]) => {
        impl<__M: $machine + ?Sized> $crate::machine::Source<__M> for $kind {
            #[inline]
            fn fetch(self, machine: &__M) -> $value {
                machine.$get(self.number()) as $value
            }
        }

        impl<__M: $machine + ?Sized> $crate::machine::Sink<__M> for $kind {
            #[inline]
            fn store(self, machine: &mut __M, value: $value) {
                machine.$set(self.number(), value.into());
            }
        }
    };
}

/// Defines the type for several registers. It contains the bits of one register, and `Debug` prints
/// its number.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_type {
    ([$(#[$doc:meta])* $vis:vis] $kind:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind(u8);

        impl ::core::fmt::Debug for $kind {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple(stringify!($kind)).field(&self.number()).finish()
            }
        }
    };
}
