//! Generates C expressions for words, which are one integer or two integers of 64 bits.

use isa_core::table::{Cube, Piece};

/// The C type for the words of a set, by its width in bits.
pub(super) struct WordType {
    pub(super) bits: u8,
}

/// A half of a 128-bit word, or a whole narrower word. The parts are the C expression, and the bits of a
/// number that belong to it.
type WordHalf = (&'static str, u64);

impl WordType {
    /// Returns the narrowest type for words of `bits` bits.
    pub(super) const fn of(bits: u8) -> Self {
        WordType { bits: bits.next_power_of_two() }
    }

    /// Returns the definition of the type.
    pub(super) fn definition(&self, set: &str) -> String {
        match self.bits {
            128 => format!(
                "/* A word, the low 64 bits first. */\ntypedef struct {set}_word {{ uint64_t lo, hi; }} {set}_word;\n"
            ),
            bits => format!("/* A word. */\ntypedef uint{bits}_t {set}_word;\n"),
        }
    }

    fn halves(&self, number: u128) -> Vec<WordHalf> {
        match self.bits {
            128 => vec![("w.lo", number as u64), ("w.hi", (number >> 64) as u64)],
            _ => vec![("w", number as u64)],
        }
    }

    fn literal(&self, number: u64) -> String {
        match self.bits {
            8 => format!("{number:#04x}u"),
            16 => format!("{number:#06x}u"),
            32 => format!("UINT32_C({number:#010x})"),
            _ => format!("UINT64_C({number:#018x})"),
        }
    }

    /// Returns a number as constants, each with the suffix of its macro's name.
    pub(super) fn literals(&self, number: u128) -> Vec<(&'static str, String)> {
        let names: &[&str] = if self.bits == 128 { &["_LO", "_HI"] } else { &[""] };
        let halves = self.halves(number);
        names.iter().copied().zip(halves.iter().map(|(_, half)| self.literal(*half))).collect()
    }

    /// Returns a number as a constant of the type.
    pub(super) fn constant(&self, number: u128) -> String {
        let literals: Vec<String> =
            self.halves(number).iter().map(|(_, half)| self.literal(*half)).collect();
        match literals.as_slice() {
            [one] => one.clone(),
            all => format!("{{ {} }}", all.join(", ")),
        }
    }

    /// Returns an expression that tests whether the word `w` matches a pattern.
    pub(super) fn contains(&self, Cube { mask, value }: Cube) -> String {
        let halves = self.halves(mask).into_iter().zip(self.halves(value));
        let tests = halves.filter(|((_, mask), _)| *mask != 0).map(|((half, mask), (_, value))| {
            format!("({half} & {}) == {}", self.literal(mask), self.literal(value))
        });
        let tests: Vec<String> = tests.collect();
        if tests.is_empty() { "true".to_owned() } else { tests.join(" && ") }
    }

    /// Returns the declaration of a table `wrong` of patterns, and an expression that tests whether
    /// the word matches row `i`.
    pub(super) fn table(&self) -> (String, &'static str) {
        match self.bits {
            128 => (
                "uint64_t wrong[][4]".to_owned(),
                "(w.lo & wrong[i][0]) == wrong[i][1] && (w.hi & wrong[i][2]) == wrong[i][3]",
            ),
            bits => (format!("uint{bits}_t wrong[][2]"), "(w & wrong[i][0]) == wrong[i][1]"),
        }
    }

    /// Returns the row of the table for the pattern with the given mask and value.
    pub(super) fn table_row(&self, Cube { mask, value }: Cube) -> String {
        let halves = self.halves(mask).into_iter().zip(self.halves(value));
        let numbers = halves.flat_map(|((_, mask), (_, value))| [mask, value]);
        let numbers: Vec<String> = numbers.map(|number| self.literal(number)).collect();
        format!("{{{}}}", numbers.join(", "))
    }

    /// Splits pieces at the boundary of the halves.
    fn split(&self, pieces: &[Piece]) -> Vec<Piece> {
        let split = |&Piece { position, width }: &Piece| {
            let low = 64_u8.saturating_sub(position).min(width);
            let parts = match low {
                0 => vec![Piece { position, width }],
                _ if low == width => vec![Piece { position, width }],
                _ => {
                    vec![Piece { position: 64, width: width - low }, Piece { position, width: low }]
                }
            };
            parts.into_iter()
        };
        pieces.iter().flat_map(split).collect()
    }

    /// Returns the half of the word that contains a piece, and the position in it.
    fn place(&self, piece: Piece) -> (&'static str, u8) {
        match (self.bits, piece.position) {
            (128, 64..) => ("w.hi", piece.position - 64),
            (128, _) => ("w.lo", piece.position),
            _ => ("w", piece.position),
        }
    }

    /// Returns an expression for the value that the bits in `pieces` form. The expression reads them
    /// from the word `w`. The most significant piece comes first.
    pub(super) fn extract(&self, pieces: &[Piece]) -> String {
        let pieces = self.split(pieces);
        let mut above: u32 = pieces.iter().map(|piece| u32::from(piece.width)).sum();
        let parts = pieces.iter().map(|piece| {
            above -= u32::from(piece.width);
            let (half, position) = self.place(*piece);
            let bits = match position {
                0 => format!("(uint64_t){half} & {:#x}", ones(piece.width)),
                _ => format!("((uint64_t){half} >> {position}) & {:#x}", ones(piece.width)),
            };
            if above == 0 { bits } else { format!("(({bits}) << {above})") }
        });
        match parts.collect::<Vec<_>>().as_slice() {
            [] => "0".to_owned(),
            [one] => one.clone(),
            [above @ .., last] => format!("{} | ({last})", above.join(" | ")),
        }
    }

    /// Returns statements that store the number `v` in pieces of the word `w`.
    pub(super) fn insert(&self, pieces: &[Piece]) -> String {
        let mut below = 0;
        let mut text = String::new();
        for piece in self.split(pieces).iter().rev() {
            let (half, position) = self.place(*piece);
            let mask = self.literal(ones(piece.width) << position);
            let cast = if self.bits == 128 {
                "uint64_t".to_owned()
            } else {
                format!("uint{}_t", self.bits)
            };
            let moved = match (below, position) {
                (0, 0) => "v".to_owned(),
                (0, _) => format!("(v << {position})"),
                (_, 0) => format!("(v >> {below})"),
                _ => format!("((v >> {below}) << {position})"),
            };
            text += &format!("{half} = ({cast})(({half} & ~{mask}) | ({moved} & {mask})); ");
            below += u32::from(piece.width);
        }
        text.trim_end().to_owned()
    }
}

/// Returns a number with `width` low bits set.
fn ones(width: u8) -> u64 {
    u64::MAX.unbounded_shr(64 - u32::from(width))
}
