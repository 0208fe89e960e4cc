//! Macro for the generic type of the instructions of a `define_isa!` call.
//!
//! Instructions do not implement `Ord`, because an order by word would have no meaning.

/// Defines the type of a call's instructions, the trait of its opcodes, and the methods of every
/// instruction. The input contains the names of the instruction type and of the trait, the name of the
/// set and its word type, the name of the static that contains the rows of the opcodes, the names of the
/// opcodes' types, the bounds of a machine, the name of the function that evaluates guards for a warp, and
/// the indexes of the opcodes whose guard cannot be evaluated.
#[doc(hidden)]
#[macro_export]
macro_rules! __family {
    (
        $vis:vis $set:ident $word:ident $rows:ident [$($name:literal)*]
        #[$doc:meta] $instruction:ident #[$opcode_doc:meta] $opcode:ident
        [$($machine:tt)*] [$($guarded:ident)?] [$($unread:literal)*]
    ) => {
        #[$doc]
        #[repr(transparent)]
        $vis struct $instruction<O>($word, ::core::marker::PhantomData<fn() -> O>);

        #[$opcode_doc]
        $vis trait $opcode: 'static {
            /// The index of the opcode among the opcodes of the `define_isa!` call that declares it.
            const INDEX: usize;
            /// The name of the opcode's instruction type.
            const NAME: &'static str = {
                static NAMES: &[&str] = &[$($name),*];
                NAMES[Self::INDEX]
            };
        }

        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl<O: $opcode> $instruction<O> {
            /// The table row of the opcode: its fields, operands, syntax and exceptions.
            $vis const OPCODE: &'static $crate::table::Opcode = &$rows[O::INDEX];

            // This is a function and not a constant, because rustc would visit everything to which a
            // constant refers, once for each set that contains the rows.
            #[doc(hidden)]
            #[must_use]
            $vis const fn __rows() -> &'static [$crate::table::Opcode] {
                &$rows
            }

            const INITIAL: $word = $rows[O::INDEX].start as $word;

            /// Returns the instruction with this word.
            ///
            /// # Errors
            ///
            /// Returns an error if the word belongs to another opcode, or contains a reserved value or
            /// an invalid combination of values.
            $vis fn decode(word: $word) -> ::core::result::Result<Self, $crate::DecodeError> {
                Self::OPCODE.validate(word as u128).map(|()| Self(word, ::core::marker::PhantomData))
            }

            /// Returns the instruction with a word that [`decode`](Self::decode) accepts, without
            /// checking the word again.
            ///
            /// Use it to create the instruction again from a word that you have stored. With another word,
            /// the instruction is invalid: [`encode`](Self::encode) returns an error, and the values of
            /// its fields and its semantics mean nothing.
            #[must_use]
            $vis const fn from_decoded(word: $word) -> Self {
                Self(word, ::core::marker::PhantomData)
            }

            /// Returns the word of the instruction.
            ///
            /// # Errors
            ///
            /// Returns the reason if the combination of values is invalid.
            $vis fn encode(self) -> ::core::result::Result<$word, $crate::EncodeError> {
                $crate::__private::encode(Self::OPCODE, self.0 as u128).map(|()| self.0)
            }

            /// Returns the operands in the order of the assembly text, each with its type, its access
            /// and its bits.
            $vis fn operands(self) -> $crate::Operands {
                $crate::Operands::new(Self::OPCODE, self.0 as u128)
            }

            /// Returns the control flow of the instruction at `address`: its effect and its target.
            #[must_use]
            $vis fn flow(self, address: u64) -> $crate::table::Flow {
                Self::OPCODE.flow(self.0 as u128, address)
            }

            /// Returns a flag for each lane of a warp that is true if the lane is active and the guard of
            /// the instruction is true in it. An instruction without a guard executes in all active
            /// lanes.
            ///
            /// It does not need semantics. A simulator uses it for instructions that it executes itself,
            /// for example to find the lanes in which a branch is taken.
            #[must_use]
            $vis fn guarded_lanes<const __N: usize, __P>(
                self,
                machine: &mut $crate::machine::Warp<'_, __N, __P>,
            ) -> [bool; __N]
            where
                for<'w> $crate::machine::Lane<'w, __N, __P>: $($machine)*,
            {
                const { $crate::__private::assert_guard(!($(O::INDEX == $unread ||)* false)) }
                $(if let ::core::option::Option::Some(lanes) =
                    $guarded(O::INDEX, self.0 as u128, machine)
                {
                    return lanes;
                })?
                machine.active()
            }

            /// Returns the instruction with the modifiers and trailing attributes of another
            /// instruction, and the modifiers that its opcode does not support.
            #[must_use]
            $vis fn with_modifiers_of<P: $opcode>(
                self,
                other: $instruction<P>,
            ) -> (Self, $crate::DroppedModifiers) {
                let (other, other_word) = other.__parts();
                let (word, lost) =
                    Self::OPCODE.with_modifiers_of(self.0 as u128, other, other_word);
                (Self::__from_valid(word), lost)
            }

            #[doc(hidden)]
            #[must_use]
            $vis const fn __from_valid(word: u128) -> Self {
                Self(word as $word, ::core::marker::PhantomData)
            }

            #[inline]
            fn __parts(self) -> (&'static $crate::table::Opcode, u128) {
                (Self::OPCODE, self.0 as u128)
            }

            #[doc(hidden)]
            #[must_use]
            $vis const fn __word(self) -> u128 {
                self.0 as u128
            }

            #[inline]
            fn __with<V: $crate::operand::FieldValue>(
                self,
                field: &'static $crate::table::Field,
                value: V,
            ) -> Self {
                Self::__from_valid(field.set(self.0 as u128, value.to_raw()))
            }
        }

        #[automatically_derived]
        impl $instruction<()> {
            #[doc(hidden)]
            $vis fn __guarded_lanes<const __N: usize, __P>(
                index: usize,
                word: u128,
                machine: &mut $crate::machine::Warp<'_, __N, __P>,
            ) -> [bool; __N]
            where
                for<'w> $crate::machine::Lane<'w, __N, __P>: $($machine)*,
            {
                const { $crate::__private::assert_guard(<[usize]>::is_empty(&[$($unread),*])) }
                let _ = (index, word);
                $(if let ::core::option::Option::Some(lanes) = $guarded(index, word, machine) {
                    return lanes;
                })?
                machine.active()
            }
        }
        #[automatically_derived]
        impl<O> $instruction<O> {
            #[inline]
            const fn __key(self) -> $word {
                self.0
            }
        }
        #[automatically_derived]
        impl<O> ::core::marker::Copy for $instruction<O> {}
        $crate::__private::traits!([O] [O: $opcode] [$instruction<O>] $word [O::NAME]);
        #[automatically_derived]
        impl<O: $opcode> ::core::str::FromStr for $instruction<O> {
            type Err = $crate::ParseError;
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::ParseError> {
                $crate::__private::parse_as($set::SET, Self::OPCODE, text).map(Self::__from_valid)
            }
        }
    };
}

/// Defines the trait of a call's opcodes with semantics, and the methods that execute their
/// instructions. The input contains the names of the traits and of the instruction type, and the
/// bounds of a machine. If an instruction can trap, the trap type and its documentation follow.
/// Otherwise the name of the number of lanes and the bounds of a machine with one lane follow.
#[doc(hidden)]
#[macro_export]
macro_rules! __execute {
    (
        $vis:vis $instruction:ident $opcode:ident $execute:ident [$($machine:tt)*]
        [$($trap:ty)?] [$($errors:tt)*] [$($lanes:ident: $($lane:tt)*)?]
    ) => {
        /// An opcode with semantics.
        $vis trait $execute: $opcode {
            #[doc(hidden)]
            fn run<__M: $($machine)* + ?::core::marker::Sized>(
                word: u128,
                machine: &mut __M,
            ) $(-> ::core::result::Result<(), $trap>)?;
            $(
                #[doc(hidden)]
                fn run_warp<const $lanes: usize, __P>(
                    word: u128,
                    machine: &mut $crate::machine::Warp<'_, $lanes, __P>,
                ) where
                    for<'w> $crate::machine::Lane<'w, $lanes, __P>: $($lane)*;
            )?
        }

        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl<O: $execute> $instruction<O> {
            /// Executes the instruction on a machine: fetches its input operands, computes the results,
            /// and stores them. If the guard of the instruction is false, nothing happens.
            $($errors)*
            #[inline]
            $vis fn execute<__M: $($machine)* + ?::core::marker::Sized>(
                self,
                machine: &mut __M,
            ) $(-> ::core::result::Result<(), $trap>)? {
                O::run(self.0 as u128, machine)
            }

            #[doc(hidden)]
            $vis fn __run_word<
                __W: ::core::convert::Into<u128>,
                __M: $($machine)* + ?::core::marker::Sized,
            >(
                word: __W,
                machine: &mut __M,
            ) $(-> ::core::result::Result<(), $trap>)? {
                O::run(word.into(), machine)
            }

            $(
                /// Executes the instruction on all active lanes of a warp for which its guard is true.
                $vis fn execute_warp<const $lanes: usize, __P>(
                    self,
                    machine: &mut $crate::machine::Warp<'_, $lanes, __P>,
                ) where
                    for<'w> $crate::machine::Lane<'w, $lanes, __P>: $($lane)*,
                {
                    O::run_warp(self.0 as u128, machine);
                }

                #[doc(hidden)]
                #[inline]
                $vis fn __run_warp_word<
                    __W: ::core::convert::Into<u128>,
                    const $lanes: usize,
                    __P,
                >(
                    word: __W,
                    machine: &mut $crate::machine::Warp<'_, $lanes, __P>,
                ) where
                    for<'w> $crate::machine::Lane<'w, $lanes, __P>: $($lane)*,
                {
                    O::run_warp(word.into(), machine);
                }
            )?
        }
    };
}

/// Implements the traits that sets and instructions share. The input contains the generic
/// parameters, the type with its word, and its name in the `Debug` output.
#[doc(hidden)]
#[macro_export]
macro_rules! __traits {
    ([$($any:tt)*] [$($opcode:tt)*] [$ty:ty] $word:ident [$name:expr]) => {
        $crate::__private::serde!([$($opcode)*] $ty, $word);
        // Derived implementations would require the same traits of the opcode type, or would match on
        // all variants.
        #[automatically_derived]
        impl<$($any)*> ::core::clone::Clone for $ty {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl<$($any)*> ::core::cmp::PartialEq for $ty {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.__key() == other.__key()
            }
        }
        #[automatically_derived]
        impl<$($any)*> ::core::cmp::Eq for $ty {}
        #[automatically_derived]
        impl<$($any)*> ::core::hash::Hash for $ty {
            fn hash<__H: ::core::hash::Hasher>(&self, state: &mut __H) {
                ::core::hash::Hash::hash(&self.__key(), state);
            }
        }
        #[automatically_derived]
        impl<$($opcode)*> ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let (opcode, word) = self.__parts();
                $crate::__private::display(opcode, word, f)
            }
        }
        #[automatically_derived]
        impl<$($opcode)*> ::core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let (opcode, word) = self.__parts();
                $crate::__private::debug($name, opcode, word, f)
            }
        }
        #[automatically_derived]
        impl<$($opcode)*> ::core::convert::TryFrom<$word> for $ty {
            type Error = $crate::DecodeError;
            fn try_from(word: $word) -> ::core::result::Result<Self, $crate::DecodeError> {
                Self::decode(word)
            }
        }
    };
}
