//! The operand types of the toy set, each a number after a word.

use isa_core::operand::OperandKind;
use isa_core::text::{Cursor, Line, OperandError};

/// Defines an operand type of the given width. Its text is a mark, a word and a number.
macro_rules! marked {
    ($(#[$doc:meta])* $name:ident $width:literal $mark:literal $word:literal $form:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub(crate) struct $name(u8);

        impl OperandKind for $name {
            type Value = $name;
            const WIDTH: u8 = $width;
            const EXPECTS: &'static str = concat!("`", $mark, $word, "1`");
            const MAX_LEN: usize = $mark.len() + $word.len() + 2;
            const FORMS: &'static [&'static str] = &[$form];

            fn from_bits(raw: u64) -> Self {
                $name(raw as u8 & ((1 << $width) - 1))
            }

            fn to_bits(self) -> u64 {
                self.0.into()
            }

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                cursor.skip_trivia();
                let start = cursor.position();
                let text = concat!($mark, $word);
                let digits = cursor.text()[start..].strip_prefix(text).unwrap_or_default();
                let digits = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
                let number = digits.parse().ok().filter(|number: &u8| number >> $width == 0);
                let fault = concat!("a small number stands behind `", $mark, $word, "`");
                let number = number.ok_or_else(|| cursor.fault(start, fault))?;
                cursor.seek(start + text.len() + digits.len());
                Ok($name(number))
            }

            fn write(self, line: &mut Line) {
                line.push_str(concat!($mark, $word));
                line.push_decimal(self.0.into());
            }
        }
    };
}

marked! {
    /// `?WAIT4`
    Wait 4 "?" "WAIT" "?WAIT0"
}
marked! {
    /// `&req=1`
    Barriers 2 "&" "req=" "&*"
}
