//! Macros for rows of tables.

/// Builds rows of fields. Each has its name, its documentation, the item that declares it, its bit
/// ranges, the table entry of its type, and its initial value.
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

/// Builds rows of mnemonics. Each has its text and the indexes of its opcodes. If several calls have
/// the mnemonic, the indexes of each call follow separately.
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

/// Builds rows of modifiers. `symbol` is the index of the modifier's placeholder, `optional` is
/// whether the modifier may be left out, and `only` is the only value that it accepts, if there is
/// one.
#[doc(hidden)]
#[macro_export]
macro_rules! __modifiers {
    ($($symbol:literal $optional:literal [$only:expr])*) => {
        &[$($crate::table::Modifier { symbol: $symbol, optional: $optional, only: $only }),*]
    };
}

/// Builds rows of prefix and suffix operators. The values of each operator are the index of its
/// placeholder, the value of the field if the operator is present, the texts before and after the
/// operand, and the number of modifiers before the closing text.
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

/// Builds rows of operands. Each has the index of its field, its access, and its width or its
/// operand type.
#[doc(hidden)]
#[macro_export]
macro_rules! __operands {
    ($($field:literal $access:ident $(($bits:literal))? $([$kind:ty])?)*) => {
        &[$($crate::table::OperandRow::new(
            $field,
            $crate::table::Access::$access,
            $($bits)? $(<$kind as $crate::operand::OperandKind>::VALUE_BITS)?,
        )),*]
    };
}

/// Builds rows of lanes. Each has the index of the operand's field, the width of a lane, the lanes,
/// whether these are a number of lanes, and the path of its function. The indexes of the fields that are the function's arguments
/// follow.
#[doc(hidden)]
#[macro_export]
macro_rules! __lanes {
    ($($field:literal $bits:literal $mask:ident $(($of:expr))? $is_count:literal $function:literal $args:literal)*) => {
        [$($crate::table::LaneRow::new(
            $field,
            $bits,
            $crate::table::LaneMask::$mask $(($of))?,
            $is_count,
            $function,
            $args,
        )),*]
    };
}
