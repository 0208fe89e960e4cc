//! Macros for the enum of a set.

/// Defines the methods and traits of a set's enum except `execute`. The input contains its name,
/// its word type, the name of its table, and its variants with their types. The instruction types
/// of the calls that contain these variants follow, each with the index of its first opcode.
#[doc(hidden)]
#[macro_export]
macro_rules! __set {
    (
        $vis:vis $set:ident $word:ident $table:ident
        { $($index:literal $variant:ident [$($path:tt)*])* }
        { $($first:literal [$($instruction:tt)*] [$($opcode:tt)*])* }
    ) => {
        #[automatically_derived]
        impl $set {
            /// The tables of the set: every opcode, the decoder and the mnemonics.
            $vis const SET: &'static $crate::table::InstructionSet = &$table;

            /// Returns the instruction with this word.
            ///
            /// # Errors
            ///
            /// Returns the reason if the word is not a valid instruction.
            #[inline]
            $vis fn decode(word: $word) -> ::core::result::Result<Self, $crate::DecodeError> {
                let (tree, opcodes, features) = Self::__constants::<()>();
                let index = $table.index_by(tree, opcodes, features, word as u128)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word as u128))
            }

            /// Returns the instruction with this word on a processor with these features. Use
            /// `SET.feature_set("NAME, ...")` to choose them.
            ///
            /// # Errors
            ///
            /// Returns the reason if the word is not a valid instruction with these features.
            #[inline]
            $vis fn decode_with(
                features: $crate::table::FeatureSet,
                word: $word,
            ) -> ::core::result::Result<Self, $crate::DecodeError> {
                let (tree, opcodes, _) = Self::__constants::<()>();
                let features = ::core::option::Option::Some(features);
                let index = $table.index_by(tree, opcodes, features, word as u128)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word as u128))
            }

            // This function is generic so that rustc evaluates it only when a function that uses it is
            // compiled, and not whenever it checks the crate. The evaluation visits everything to which
            // the tables refer.
            #[inline]
            const fn __constants<__C>()
            -> (
                $crate::table::DecodeTree,
                &'static [&'static $crate::table::Opcode],
                ::core::option::Option<$crate::table::FeatureSet>,
            ) {
                const { ($table.tree, $table.opcodes, $table.choice()) }
            }

            /// Decodes the first instruction of a stream, and returns it with its length in bytes. The
            /// bytes of each word are in the byte order of the set, which is the lowest byte first
            /// unless the set declares another order.
            ///
            /// # Errors
            ///
            /// Returns the reason if the word is not a valid instruction, and an error if the stream
            /// ends inside a word.
            $vis fn decode_first(
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), $crate::DecodeError> {
                let (index, word, length) = $table.first(bytes)?;
                ::core::result::Result::Ok((Self::__from_valid(index, word), length))
            }

            /// Returns the word of the instruction.
            ///
            /// # Errors
            ///
            /// Returns the reason if the combination of values is invalid.
            #[inline]
            $vis fn encode(self) -> ::core::result::Result<$word, $crate::EncodeError> {
                let (opcode, word) = self.__parts();
                $crate::__private::encode(opcode, word).map(|()| word as $word)
            }

            /// Returns the table row of the instruction's opcode.
            #[must_use]
            $vis fn opcode(self) -> &'static $crate::table::Opcode {
                self.__parts().0
            }

            /// Returns the operands in the order of the assembly text, each with its type, its access
            /// and its bits.
            $vis fn operands(self) -> $crate::Operands {
                let (opcode, word) = self.__parts();
                $crate::Operands::new(opcode, word)
            }

            /// Returns the control flow of the instruction at `address`: its effect and its target.
            #[must_use]
            $vis fn flow(self, address: u64) -> $crate::table::Flow {
                let (opcode, word) = self.__parts();
                opcode.flow(word, address)
            }

            /// Returns the instruction with the modifiers and trailing attributes of another
            /// instruction, and the modifiers that its opcode does not support.
            #[must_use]
            $vis fn with_modifiers_of(self, other: Self) -> (Self, $crate::DroppedModifiers) {
                let ((index, word), opcodes) = (self.__key(), Self::__constants::<()>().1);
                let (other, other_word) = other.__parts();
                let (word, lost) = opcodes[index].with_modifiers_of(word, other, other_word);
                (Self::__from_valid(index, word), lost)
            }

            /// Parses a text that consists of exactly one instruction, at an address of a program with
            /// these labels. To parse without labels, pass `&()`: `parse_at(text, 0x100, &())`.
            ///
            /// # Errors
            ///
            /// Returns an error if the text is not a valid instruction.
            $vis fn parse_at(
                text: &str,
                address: u64,
                labels: &dyn $crate::text::Labels,
            ) -> ::core::result::Result<Self, $crate::ParseError> {
                let site = $crate::text::InstructionContext::new(address, labels);
                let (index, word) = $crate::__private::parse_one_at(&$table, text, site)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }

            /// Returns a value that prints the instruction as it is written at an address, with labels
            /// for its targets. To print without labels, pass `&()`.
            #[must_use]
            $vis fn at<'l>(
                self,
                address: u64,
                labels: &'l dyn $crate::text::Labels,
            ) -> $crate::print::DisplayAt<'l> {
                let (opcode, word) = self.__parts();
                $crate::print::DisplayAt::new(opcode, word, $crate::text::InstructionContext::new(address, labels))
            }

            /// Parses a text that consists of exactly one instruction of a processor with these
            /// features.
            ///
            /// # Errors
            ///
            /// Returns an error if the text is not a valid instruction with these features.
            $vis fn parse_with(
                features: $crate::table::FeatureSet,
                text: &str,
            ) -> ::core::result::Result<Self, $crate::ParseError> {
                let (index, word) = $crate::__private::parse_one(&$table.with_features(features), text)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }

            #[doc(hidden)]
            #[must_use]
            #[inline]
            $vis fn __from_valid(index: usize, word: u128) -> Self {
                let blank = Self::__blank::<()>();
                // The variant is copied from a table and then receives its word. All variants store the
                // word at the same offset, so the code contains no branch. It cannot panic, so the
                // decoder contains no panic.
                let mut instruction = *blank.get(index).unwrap_or(&blank[0]);
                match &mut instruction {
                    $(Self::$variant(i) => *i = $($path)*::__from_valid(word),)*
                }
                instruction
            }

            // This function is generic for the same reason as `__constants`.
            #[inline]
            const fn __blank<__C>() -> &'static [Self] {
                const { &[$(Self::$variant($($path)*::__from_valid(0)),)*] }
            }

            #[doc(hidden)]
            #[must_use]
            #[inline]
            $vis fn __parts(self) -> (&'static $crate::table::Opcode, u128) {
                let (index, word) = self.__key();
                (Self::__constants::<()>().1[index], word)
            }

            #[inline]
            fn __key(self) -> (usize, u128) {
                let word: u128 = match self {
                    $(Self::$variant(i) => i.__word(),)*
                };
                let index: usize = match self {
                    $(Self::$variant(_) => $index,)*
                };
                (index, word)
            }

            #[inline]
            #[allow(dead_code, reason = "unused if the opcodes of the set share no field")]
            fn __word(self) -> u128 {
                self.__key().1
            }

            #[inline]
            #[allow(dead_code, reason = "unused if the opcodes of the set share no field")]
            fn __with<V: $crate::operand::FieldValue>(
                self,
                field: &'static $crate::table::Field,
                value: V,
            ) -> Self {
                let (index, word) = self.__key();
                Self::__from_valid(index, field.set(word, value.to_raw()))
            }
        }

        $(
            #[automatically_derived]
            impl<__O: $($opcode)*> ::core::convert::From<$($instruction)*<__O>> for $set {
                #[inline]
                fn from(instruction: $($instruction)*<__O>) -> Self {
                    Self::__from_valid($first + __O::INDEX, instruction.__word())
                }
            }
        )*
        $crate::__private::traits!([] [] [$set] $word [::core::stringify!($set)]);
        #[automatically_derived]
        impl $crate::Isa for $set {
            type Word = $word;
            const SET: &'static $crate::table::InstructionSet = &$table;
            #[inline]
            fn decode_first(
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), $crate::DecodeError> {
                Self::decode_first(bytes)
            }
            fn decode_first_with(
                features: $crate::table::FeatureSet,
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), $crate::DecodeError> {
                let features = ::core::option::Option::Some(features);
                let (index, word, length) = $table.first_with(features, bytes)?;
                ::core::result::Result::Ok((Self::__from_valid(index, word), length))
            }
            #[inline]
            fn encode(self) -> ::core::result::Result<$word, $crate::EncodeError> {
                Self::encode(self)
            }
            fn opcode(self) -> &'static $crate::table::Opcode {
                Self::opcode(self)
            }
        }
        #[automatically_derived]
        impl ::core::str::FromStr for $set {
            type Err = $crate::ParseError;
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::ParseError> {
                let (index, word) = $crate::__private::parse_one(&$table, text)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }
        }
    };
}

/// Defines the methods of a set for a warp. The input contains `all` if a warp can execute all opcodes, the
/// name of the set, its word type and the bounds of a lane. The variants that a warp can execute follow,
/// each with its function, then the functions for the guards of all calls, each with the index of the
/// first opcode of the call, the last call first.
#[doc(hidden)]
#[macro_export]
macro_rules! __warp {
    (
        all $vis:vis $set:ident $word:ident [$($machine:tt)*]
        { $($variant:ident [$($function:tt)*])* } $families:tt
    ) => {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl $set {
            /// Executes the instruction on all active lanes of a warp for which its guard is true.
            $vis fn execute_warp<const __N: usize, __P>(
                self,
                machine: &mut $crate::machine::Warp<'_, __N, __P>,
            ) where
                for<'w> $crate::machine::Lane<'w, __N, __P>: $($machine)*,
            {
                // If an included set has another machine, rustc reports an error at the function, whose
                // tokens are at the `include`. In a call it would report an argument here as well.
                match self {
                    $(Self::$variant(i) => {
                        let execute: fn(u128, &mut $crate::machine::Warp<'_, __N, __P>) =
                            $($function)*;
                        execute(i.__word(), machine);
                    })*
                }
            }
        }
        $crate::__private::warp! {
            $vis $set $word [$($machine)*] { $($variant [$($function)*])* } $families
        }
    };
    (
        $vis:vis $set:ident $word:ident [$($machine:tt)*]
        { $($variant:ident [$($function:tt)*])* }
        { $($first:literal [$($guarded:tt)*])* }
    ) => {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl $set {
            /// Returns the function that executes the words of this opcode on a warp, as `execute_warp`
            /// executes them. Returns `None` if the opcode has no semantics, or if its set has a `trap`.
            ///
            /// A simulator that stores the function and the word of each instruction does not have to
            /// select the opcode again. The function does not check the word: it must be a valid word of
            /// the same opcode. A simulator must itself execute the opcodes without a function, for
            /// example branches, in the [`guarded_lanes`](Self::guarded_lanes).
            #[must_use]
            $vis fn warp_executor<const __N: usize, __P>(
                self,
            ) -> ::core::option::Option<fn($word, &mut $crate::machine::Warp<'_, __N, __P>)>
            where
                for<'w> $crate::machine::Lane<'w, __N, __P>: $($machine)*,
            {
                match self {
                    $(Self::$variant(_) => ::core::option::Option::Some($($function)*),)*
                    #[allow(unreachable_patterns, reason = "all opcodes may have a function")]
                    _ => ::core::option::Option::None,
                }
            }

            /// Returns a flag for each lane of a warp that is true if the lane is active and the guard of
            /// the instruction is true in it. An instruction without a guard executes in all active
            /// lanes.
            #[must_use]
            $vis fn guarded_lanes<const __N: usize, __P>(
                self,
                machine: &mut $crate::machine::Warp<'_, __N, __P>,
            ) -> [bool; __N]
            where
                for<'w> $crate::machine::Lane<'w, __N, __P>: $($machine)*,
            {
                let (index, word) = self.__key();
                $(if let ::core::option::Option::Some(index) = index.checked_sub($first) {
                    let guarded: fn(
                        usize,
                        u128,
                        &mut $crate::machine::Warp<'_, __N, __P>,
                    ) -> [bool; __N] = $($guarded)*;
                    return guarded(index, word, machine);
                })*
                machine.active()
            }
        }
    };
}

/// Defines the test of a set's examples. The input contains the name of the test and the name of the
/// set. The examples follow, each with its text, its expected printed text if one is declared, and the
/// opcodes to which it may belong.
#[doc(hidden)]
#[macro_export]
macro_rules! __examples {
    ($name:ident $set:ident [$($examples:tt)*]) => {
        #[cfg(test)]
        #[allow(non_snake_case, unnameable_test_items, reason = "named after the set")]
        #[test]
        fn $name() {
            if let ::core::result::Result::Err(error) =
                $crate::__private::check_examples($set::SET, &[$($examples)*])
            {
                ::core::panic!("{error}");
            }
        }
    };
}
