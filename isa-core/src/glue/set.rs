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
            /// The tables of the set: every opcode, the decoder, the mnemonics.
            $vis const SET: &'static $crate::table::InstructionSet = &$table;

            /// The instruction with this word.
            ///
            /// # Errors
            ///
            /// A word that is no instruction, with the reason.
            #[inline]
            $vis fn decode(word: $word) -> ::core::result::Result<Self, $crate::DecodeError> {
                let (tree, opcodes) = Self::__constants::<()>();
                let index = $table.index_by(tree, opcodes, word as u128)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word as u128))
            }

            // Generic, so that rustc evaluates it where a function that uses it is compiled, and not
            // each time that it checks the crate: it looks through all that the tables refer to.
            #[inline]
            const fn __constants<__C>()
            -> ($crate::table::DecodeTree, &'static [&'static $crate::table::Opcode]) {
                const { ($table.tree, $table.opcodes) }
            }

            /// The instruction that a stream begins with, and its length in bytes. The bytes of each
            /// word stand as the set says, the lowest first unless it says otherwise.
            ///
            /// # Errors
            ///
            /// A word that is no instruction, with the reason, and a stream that ends inside of
            /// one.
            $vis fn decode_first(
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), $crate::DecodeError> {
                let (index, word, length) = $table.first(bytes)?;
                ::core::result::Result::Ok((Self::__from_valid(index, word), length))
            }

            /// The word of the instruction.
            ///
            /// # Errors
            ///
            /// An illegal combination of values, with the reason.
            #[inline]
            $vis fn encode(self) -> ::core::result::Result<$word, $crate::EncodeError> {
                let (opcode, word) = self.__parts();
                $crate::__private::encode(opcode, word).map(|()| word as $word)
            }

            /// The row of the instruction's opcode.
            #[must_use]
            $vis fn opcode(self) -> &'static $crate::table::Opcode {
                self.__parts().0
            }

            /// The operands in the order of the text, with what each is and how it is used.
            $vis fn operands(self) -> $crate::Operands {
                let (opcode, word) = self.__parts();
                $crate::Operands::new(opcode, word)
            }

            /// Where a processor goes on behind the instruction, which stands at `address`.
            #[must_use]
            $vis fn flow(self, address: u64) -> $crate::table::Flow {
                let (opcode, word) = self.__parts();
                opcode.flow(word, address)
            }

            /// The instruction with the modifiers and settings of another, and those that it cannot have.
            #[must_use]
            $vis fn with_modifiers_of(self, other: Self) -> (Self, $crate::Lost) {
                let ((index, word), opcodes) = (self.__key(), Self::__constants::<()>().1);
                let (other, other_word) = other.__parts();
                let (word, lost) = opcodes[index].with_modifiers_of(word, other, other_word);
                (Self::__from_valid(index, word), lost)
            }

            /// Reads a text that is exactly one instruction, at an address of a program with these
            /// labels; `parse_at(text, 0x100, &())` has none.
            ///
            /// # Errors
            ///
            /// Text that is no legal instruction.
            $vis fn parse_at(
                text: &str,
                address: u64,
                labels: &dyn $crate::asm::Labels,
            ) -> ::core::result::Result<Self, $crate::ParseError> {
                let site = $crate::asm::Site::new(address, labels);
                let (index, word) = $crate::__private::parse_one_at(&$table, text, site)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }

            /// The instruction as it is printed at an address, with labels for its targets; `()` is none.
            #[must_use]
            $vis fn at<'l>(
                self,
                address: u64,
                labels: &'l dyn $crate::asm::Labels,
            ) -> $crate::asm::At<'l> {
                let (opcode, word) = self.__parts();
                $crate::asm::At::new(opcode, word, $crate::asm::Site::new(address, labels))
            }

            #[doc(hidden)]
            #[must_use]
            #[inline]
            $vis fn __from_valid(index: usize, word: u128) -> Self {
                let blank = Self::__blank::<()>();
                // Chosen from a table, and all variants have the word at one place: no branch.
                // Without a panic, so that none is in the decoder.
                let mut instruction = *blank.get(index).unwrap_or(&blank[0]);
                match &mut instruction {
                    $(Self::$variant(i) => *i = $($path)*::__from_valid(word),)*
                }
                instruction
            }

            // Generic, as `__constants` is.
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

/// Defines the test of a set's examples. The input contains the name of the test and the name of
/// the set. Each example follows with its text, the text that it prints if that is declared, and
/// the opcodes that it can have.
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
