//! The texts that opcodes have, less their mnemonics.

use std::collections::{BTreeMap, BTreeSet};

use super::grammar::{Lexicon, Part};
use super::graph::Graph;
use super::summary::{self, Summary};
use super::{Spelling, SpellingText};

/// The text of one opcode or more.
pub(super) struct Shape {
    pub(super) parts: Vec<Part>,
    pub(super) graph: Graph,
}

/// All shapes that a call has to look at.
pub(super) struct Shapes {
    pub(super) all: Vec<Shape>,
    /// For each spelling its shape; none for a spelling of an included set that is in no pair.
    pub(super) of: Vec<Option<usize>>,
}

impl Shapes {
    pub(super) fn new(
        lexicon: &Lexicon<'_>,
        spellings: &[Spelling<'_>],
        pairs: &[(usize, usize)],
    ) -> Self {
        let met: BTreeSet<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = Vec::new();
        let of = spellings.iter().enumerate().map(|(index, spelling)| {
            let parts = match spelling.text {
                SpellingText::Own(opcode) => lexicon.text_of(opcode),
                SpellingText::Included { .. } if !met.contains(&index) => return None,
                SpellingText::Included { set, text } => summary::read(text, &set.readers),
            };
            let shape = *known.entry(key(&parts)).or_insert_with(|| {
                all.push(Shape { graph: Graph::new(&parts), parts });
                all.len() - 1
            });
            Some(shape)
        });
        let of = of.collect();
        Shapes { all, of }
    }
}

/// A key of a text: two texts have one key only if they are the same.
fn key(parts: &[Part]) -> String {
    let Summary { mut text, readers } = Summary::of(parts);
    for reader in readers {
        // No path has a line break.
        text.push('\n');
        text.push_str(&reader.path.text);
    }
    text
}
