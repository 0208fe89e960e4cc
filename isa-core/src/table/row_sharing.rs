//! Helps generated code to share row data: equal parts of several rows are written once, and each
//! row lists only its differences.
//!
//! rustc needs microseconds for each token of a table, and a similar time for each step of a
//! `const fn`. These functions therefore copy a whole row or list and replace a few of its entries.
//! None of them iterates over all parts of a row.

use super::print_program::{count, taken};
use super::text_pool::TextPool;
use super::{Field, Init, Opcode, ParseProgram, Piece, PrintProgram, PrintStep, Syntax};
use crate::IS_SMALL;
use crate::bits::Cube;

impl Opcode {
    /// Sets the initial word of the row: `word` contains the values that the macro knows, and
    /// `fields` contribute their defaults.
    #[doc(hidden)]
    #[must_use]
    pub const fn started(self, mut word: u128, fields: &[&Field]) -> Self {
        let mut i = 0;
        while i < fields.len() {
            if let Init::Default(raw) = fields[i].init {
                word = fields[i].set(word, raw);
            }
            i += 1;
        }
        Opcode { start: word, ..self }
    }
}

/// Copies the field `shared`, and sets the declaring item and the fixed value of each copy.
#[doc(hidden)]
#[must_use]
pub const fn fields<const N: usize>(shared: &Field, own: [(&'static str, u64); N]) -> [Field; N] {
    let (mut rows, mut i) = ([*shared; N], 0);
    while i < N {
        (rows[i].declared_in, rows[i].init) = (own[i].0, Init::Fixed(own[i].1));
        i += 1;
    }
    rows
}

/// Copies the syntax `shared`, and sets the mnemonic and the source text of each copy.
#[doc(hidden)]
#[must_use]
pub const fn syntaxes<const N: usize>(
    shared: &Syntax,
    own: [(&'static str, &'static str); N],
) -> [Syntax; N] {
    let (mut rows, mut i) = ([*shared; N], 0);
    while i < N {
        (rows[i].mnemonic, rows[i].source) = own[i];
        if IS_SMALL {
            rows[i].reader = ParseProgram::NONE;
        }
        i += 1;
    }
    rows
}

/// Copies the list of fields `shared` for each row, and replaces the fields at `places` by the
/// fields of `table` whose indexes are in `own`.
///
/// # Panics
///
/// Panics at compile time if an index is out of bounds.
#[doc(hidden)]
#[must_use]
pub const fn field_lists<const F: usize, const P: usize, const N: usize>(
    shared: &[&'static Field; F],
    table: &'static [Field],
    places: [u8; P],
    own: [[u16; P]; N],
) -> [[&'static Field; F]; N] {
    let (mut lists, mut i) = ([*shared; N], 0);
    while i < N {
        let mut p = 0;
        while p < P {
            lists[i][places[p] as usize] = &table[own[i][p] as usize];
            p += 1;
        }
        i += 1;
    }
    lists
}

/// Copies the list of steps `shared` for each row, and replaces the steps at `places` by the steps in
/// `own`. `bytes` contains the bytes of the shared steps. All rows use steps at the same indexes.
///
/// # Panics
///
/// Panics at compile time if an index is out of bounds.
#[doc(hidden)]
#[must_use]
pub const fn step_lists<const S: usize, const P: usize, const N: usize>(
    shared: &[PrintStep; S],
    texts: &'static TextPool,
    bytes: &[u8],
    places: [u8; P],
    own: [[&[u8; PrintStep::BYTES]; P]; N],
) -> [[PrintStep; S]; N] {
    let taken = taken::<S>(texts, bytes.as_chunks().0);
    let (mut lists, mut p) = ([*shared; N], 0);
    while p < P {
        let place = places[p] as usize;
        if taken[place] {
            let (place, mut i) = (count(&taken, 0, place) as usize, 0);
            while i < N {
                lists[i][place] = PrintStep::new(texts, own[i][p]);
                i += 1;
            }
        }
        p += 1;
    }
    lists
}

/// Copies the opcode `shared`, and sets the properties of each copy: its name, documentation, the
/// bits that it fixes to 1, its syntax, lineage, fields and steps. `shared` must not fix any bit
/// to 1.
///
/// # Panics
///
/// Panics at compile time if the index of a syntax is out of bounds.
#[doc(hidden)]
#[must_use]
pub const fn opcodes<const F: usize, const S: usize, const N: usize>(
    shared: &Opcode,
    fields: &'static [[&'static Field; F]; N],
    steps: &'static [[PrintStep; S]; N],
    syntaxes: &'static [Syntax],
    own: [(&'static str, &'static str, u128, u16, &'static [u8]); N],
) -> [Opcode; N] {
    let (mut rows, len, mut i) = ([*shared; N], shared.program.steps.len(), 0);
    while i < N {
        let (name, doc, ones, syntax, lineage) = own[i];
        rows[i] = Opcode {
            name,
            doc,
            fixed: Cube { mask: shared.fixed.mask, value: ones },
            screen: shared.screen.with_ones(ones),
            fields: &fields[i],
            syntax: &syntaxes[syntax as usize],
            lineage: shared.lineage.with(lineage),
            program: match len {
                0 => shared.program,
                _ => PrintProgram { steps: steps[i].split_at(len).0, ..shared.program },
            },
            start: shared.start | ones,
            ..*shared
        };
        i += 1;
    }
    rows
}

/// Returns references to the rows of several tables in order, but only to the first `N`.
#[doc(hidden)]
#[must_use]
pub const fn rows<const L: usize, const N: usize>(
    tables: [&'static [Opcode]; L],
) -> [&'static Opcode; N] {
    let (mut rows, mut count, mut i) = ([&tables[0][0]; N], 0, 0);
    while i < L {
        let (table, mut j) = (tables[i], 0);
        while j < table.len() && count < N {
            rows[count] = &table[j];
            (count, j) = (count + 1, j + 1);
        }
        i += 1;
    }
    rows
}

/// Concatenates two lists.
///
/// # Panics
///
/// Panics at compile time if they do not have `N` entries in total.
#[doc(hidden)]
#[must_use]
pub const fn both<const A: usize, const B: usize, const N: usize>(
    first: &[&'static Opcode; A],
    second: [&'static Opcode; B],
) -> [&'static Opcode; N] {
    assert!(A + B == N, "the result must have all entries of both lists");
    let (mut both, mut i) = ([first[0]; N], 0);
    while i < N {
        both[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    both
}

/// Merges the rows of several lists. Each element of `order` is the index of the list from which the
/// next row is taken.
///
/// # Panics
///
/// Panics at compile time if a list is too short.
#[doc(hidden)]
#[must_use]
pub const fn ordered<T: Copy, const L: usize, const N: usize>(
    lists: [&[T]; L],
    order: [u16; N],
) -> [T; N] {
    let (mut taken, mut i) = ([0; L], 0);
    let mut rows = [lists[order[0] as usize][0]; N];
    while i < N {
        let list = order[i] as usize;
        rows[i] = lists[list][taken[list]];
        taken[list] += 1;
        i += 1;
    }
    rows
}

impl Piece {
    /// Creates a piece from its position and its width.
    #[must_use]
    pub const fn new(position: u8, width: u8) -> Self {
        Piece { position, width }
    }
}

/// Returns the fields with the indexes `places` in `table`. A row lists its fields by index, which
/// rustc compiles much faster than the same number of references.
///
/// # Panics
///
/// Panics at compile time if an index is out of bounds.
#[doc(hidden)]
#[must_use]
pub const fn pick<const N: usize>(
    table: &'static [Field],
    places: [u16; N],
) -> [&'static Field; N] {
    let (mut fields, mut i) = ([&table[0]; N], 0);
    while i < N {
        fields[i] = &table[places[i] as usize];
        i += 1;
    }
    fields
}
