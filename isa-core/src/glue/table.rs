//! Rows of tables.

/// Rows of fields: of each its name, what the specification says of it, where it is declared, its
/// pieces, the table entry of its kind, and how it is filled.
#[doc(hidden)]
#[macro_export]
macro_rules! __fields {
    ($(
        $name:literal $doc:literal $declared_in:literal [$($position:literal $width:literal),*]
        [$kind:expr] $init:ident $(($raw:expr))?
    )*) => {
        [$($crate::table::Field {
            name: $name,
            doc: $doc,
            declared_in: $declared_in,
            pieces: &[$($crate::table::Piece::new($position, $width)),*],
            kind: &$kind,
            init: $crate::table::Init::$init $(($raw))?,
        }),*]
    };
}

/// Rows of mnemonics: of each its text and the numbers of its opcodes, which follow once more for each
/// call where several have the mnemonic.
#[doc(hidden)]
#[macro_export]
macro_rules! __mnemonics {
    ($($text:literal [$($opcode:literal)*] $([$($of_call:literal)*])*)*) => {
        &[$($crate::table::Mnemonic::new(
            $text,
            &[$($opcode),*],
            &[$(&[$($of_call),*]),*],
        )),*]
    };
}

/// Rows of modifiers: of each its symbol, whether it may be missing, and the only value that it
/// stands for, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __modifiers {
    ($($symbol:literal $optional:literal [$only:expr])*) => {
        &[$($crate::table::Modifier { symbol: $symbol, optional: $optional, only: $only }),*]
    };
}

/// Rows of affixes: of each its symbol, the value that shows, the text before and after the operand, and
/// the number of modifiers before the latter.
#[doc(hidden)]
#[macro_export]
macro_rules! __affixes {
    ($($symbol:literal $present:literal $open:literal $close:literal $inside:literal)*) => {
        &[$($crate::table::Affix {
            symbol: $symbol,
            present: $present,
            open: $open,
            close: $close,
            inside: $inside,
        }),*]
    };
}

/// Rows of operands: of each the place of its field, how it is used, and its width or its kind.
#[doc(hidden)]
#[macro_export]
macro_rules! __operands {
    ($($field:literal $access:ident $(($bits:literal))? $([$kind:ty])?)*) => {
        &[$($crate::table::Operand::new(
            $field,
            $crate::table::Access::$access,
            $($bits)? $(<$kind as $crate::operand::OperandKind>::VALUE_BITS)?,
        )),*]
    };
}

/// Rows of lanes: of each the place of the operand's field, the width of a lane, which lanes, the path of
/// its function, and the places of the fields that its function is of.
#[doc(hidden)]
#[macro_export]
macro_rules! __lanes {
    ($($field:literal $bits:literal $mask:ident $(($of:expr))? $function:literal $args:literal)*) => {
        [$($crate::table::LaneRow::new(
            $field,
            $bits,
            $crate::table::LaneMask::$mask $(($of))?,
            $function,
            $args,
        )),*]
    };
}
