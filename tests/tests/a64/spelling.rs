//! All differences from LLVM, with the reason of each: words that LLVM accepts, rejects or prints
//! differently.

/// A group of words that LLVM accepts, rejects or prints differently.
pub(crate) struct Difference {
    pub(crate) why: &'static str,
    /// Returns whether this difference explains a word, given our text and LLVM's text.
    pub(crate) applies: fn(u32, Option<&str>, Option<&str>) -> bool,
}

pub(crate) const DIFFERENCES: &[Difference] = &[SHOULD_BE_ONES, UNPREDICTABLE, UNPRIVILEGED];

const SHOULD_BE_ONES: Difference = Difference {
    why: "bits that are always ones, which LLVM 14 does not look at",
    applies: |word, ours, theirs| {
        // `smulh` and `umulh` have an unused third register. Exclusive and ordered accesses have
        // one or two.
        let product = word & 0xff60_8000 == 0x9b40_0000 && word >> 10 & 31 != 31;
        let access = word & 0x3f00_0000 == 0x0800_0000;
        let (status, second) = (word >> 16 & 31 != 31, word >> 10 & 31 != 31);
        ours.is_none() && theirs.is_some() && (product || access && (status || second))
    },
};

const UNPREDICTABLE: Difference = Difference {
    why: "equal registers that nobody knows the effects of, which LLVM lists and does not assemble",
    applies: |word, ours, theirs| ours.is_none() && theirs.is_some() && is_unpredictable(word),
};

const UNPRIVILEGED: Difference = Difference {
    why: "LLVM 14 warns of unprivileged loads as if they changed the address",
    applies: |word, ours, theirs| {
        let (t, n) = (word & 31, word >> 5 & 31);
        let load = ours.is_some_and(|text| text.starts_with("ldtr"));
        theirs.is_none() && load && t == n
    },
};

/// Returns whether the text of a word belongs to another word. This is a bit pattern that is
/// rotated by more than its size. LLVM accepts it and prints it as the pattern rotated by the
/// remainder.
pub(crate) fn is_read_as_another(word: u32) -> bool {
    let (n, immr, imms) = (word >> 22 & 1, word >> 16 & 63, word >> 10 & 63);
    let size = 1 << (n << 6 | !imms & 63).checked_ilog2().unwrap_or(0);
    word & 0x1f80_0000 == 0x1200_0000 && immr >= size
}

/// Returns whether a word has equal registers and the result depends on it, because one of them is
/// written. Examples are both registers of a load of a pair, the base register with writeback, and
/// the status of an exclusive store.
pub(crate) const fn is_unpredictable(word: u32) -> bool {
    let (t, n, m, t2) = (word & 31, word >> 5 & 31, word >> 16 & 31, word >> 10 & 31);
    let pair = word & 0x3e00_0000 == 0x2800_0000;
    let changes = pair && word >> 23 & 1 == 1 || word & 0x3f20_0400 == 0x3800_0400;
    let exclusive = word & 0x3f80_0000 == 0x0800_0000;
    let (load, two) = (word >> 22 & 1 == 1, word >> 21 & 1 == 1);
    (pair || exclusive && two) && load && t == t2
        || changes && n != 31 && (n == t || pair && n == t2)
        || exclusive && !load && (m == t || m == n && n != 31 || two && m == t2)
}
