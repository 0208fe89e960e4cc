//! Rows as generated code writes them: what several rows have alike stands once, and a row says
//! what it has of its own.
//!
//! rustc takes microseconds for each token of a table, and about as long for each step of a
//! `const fn`. So these functions copy a row or a list whole and replace a few entries of it; none
//! goes over all that a row has.

use super::program::{count, taken};
use super::texts::Texts;
use super::{Cube, Field, IS_SMALL, Init, Opcode, Piece, Program, Reader, Step, Syntax};

impl Opcode {
    /// The row with its initial word, in which `word` has what the macro knows, and these fields
    /// their defaults.
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

/// Fields that are as `shared` is, but for what declares each and the value that it is fixed to.
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

/// Syntaxes that are as `shared` is, but for their mnemonic and their text.
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
            rows[i].reader = Reader::NONE;
        }
        i += 1;
    }
    rows
}

/// The lists of fields of rows that are alike: `shared`, with a table's fields at some places. Each
/// row has the numbers of those.
///
/// # Panics
///
/// At compile time, where the table or the list has no such place.
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

/// The steps of rows that are alike: those of `bytes`, which `shared` has, with others at some
/// places. Each row has the bytes of those. Which steps are taken is the same in all rows.
///
/// # Panics
///
/// At compile time, where there are no such steps.
#[doc(hidden)]
#[must_use]
pub const fn step_lists<const S: usize, const P: usize, const N: usize>(
    shared: &[Step; S],
    texts: &'static Texts,
    bytes: &[u8],
    places: [u8; P],
    own: [[&[u8; Step::BYTES]; P]; N],
) -> [[Step; S]; N] {
    let taken = taken::<S>(texts, bytes.as_chunks().0);
    let (mut lists, mut p) = ([*shared; N], 0);
    while p < P {
        let place = places[p] as usize;
        if taken[place] {
            let (place, mut i) = (count(&taken, 0, place) as usize, 0);
            while i < N {
                lists[i][place] = Step::new(texts, own[i][p]);
                i += 1;
            }
        }
        p += 1;
    }
    lists
}

/// Opcodes that are as `shared` is, but for what each has of its own: its name, documentation, the
/// bits that it fixes to 1, its syntax, its lineage, its fields, its steps. `shared` fixes no bit to 1.
///
/// # Panics
///
/// At compile time, where there is no such syntax.
#[doc(hidden)]
#[must_use]
pub const fn opcodes<const F: usize, const S: usize, const N: usize>(
    shared: &Opcode,
    fields: &'static [[&'static Field; F]; N],
    steps: &'static [[Step; S]; N],
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
                _ => Program { steps: steps[i].split_at(len).0, ..shared.program },
            },
            start: shared.start | ones,
            ..*shared
        };
        i += 1;
    }
    rows
}

/// References to the rows of several tables, one behind the other; where there are more than `N`,
/// to the first.
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

/// A list with some more entries behind it.
///
/// # Panics
///
/// At compile time, where both together are not `N`.
#[doc(hidden)]
#[must_use]
pub const fn both<const A: usize, const B: usize, const N: usize>(
    first: &[&'static Opcode; A],
    second: [&'static Opcode; B],
) -> [&'static Opcode; N] {
    assert!(A + B == N, "a list with all entries of two");
    let (mut both, mut i) = ([first[0]; N], 0);
    while i < N {
        both[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    both
}

/// Rows from several lists, in another order: for each the list that its next row is taken from.
///
/// # Panics
///
/// At compile time, where a list ends early.
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
    /// A piece from its position and its width.
    #[must_use]
    pub const fn new(position: u8, width: u8) -> Self {
        Piece { position, width }
    }
}

/// The fields at these places of a table. A row lists its fields by number, which rustc reads
/// much faster than as many references.
///
/// # Panics
///
/// At compile time, where the table has no such place.
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
