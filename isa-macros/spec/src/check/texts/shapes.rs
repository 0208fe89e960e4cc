//! The texts that opcodes have, less their mnemonics.

use std::collections::BTreeMap;

use super::grammar::{Lexicon, Part};
use super::graph::Graph;
use super::summary::{self, Summary};
use super::{Party, PartyText};

/// The text of one opcode or more.
pub(super) struct Shape {
    pub(super) parts: Vec<Part>,
    pub(super) graph: Graph,
}

/// All shapes that a call has to look at.
pub(super) struct Shapes {
    pub(super) all: Vec<Shape>,
    /// For each party, its shape; none where it is of an included set and is not `met`.
    pub(super) of: Vec<Option<usize>>,
}

impl Shapes {
    pub(super) fn new(lexicon: &Lexicon<'_>, parties: &[Party<'_>], met: &[bool]) -> Self {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = Vec::new();
        let of = parties.iter().enumerate().map(|(index, party)| {
            let parts = match party.text {
                PartyText::Own(opcode) => lexicon.text_of(opcode),
                PartyText::Included { .. } if !met[index] => return None,
                PartyText::Included { set, text } => summary::read(text, &set.readers),
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

/// The same for two texts only if they are one.
fn key(parts: &[Part]) -> String {
    let Summary { mut text, readers } = Summary::of(parts);
    for reader in readers {
        // No path has a line break.
        text.push('\n');
        text.push_str(&reader.path_text);
    }
    text
}
