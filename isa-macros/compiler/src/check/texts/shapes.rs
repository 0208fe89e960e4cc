//! Collects the shapes of opcodes: their texts without mnemonics.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::case::folded;
use super::grammar::{Lexicon, Part, Reader};
use super::graph::Graph;
use super::summary::{self, Summarizer};
use super::{Spelling, SpellingText};

/// The text of one or more opcodes.
pub(super) struct Shape {
    pub(super) parts: Vec<Part>,
    pub(super) graph: Graph,
}

/// All shapes that a call has to check.
pub(super) struct Shapes {
    pub(super) all: Vec<Shape>,
    /// For each spelling, its shape. `None` for a spelling of an included set that is not `met`.
    pub(super) of: Vec<Option<usize>>,
    /// The summaries of the call's own texts, in the order of its spellings.
    pub(super) own: Vec<String>,
    /// The readers in those summaries, by their index.
    pub(super) readers: Vec<Rc<Reader>>,
    /// Whether the shapes are in lower case, because any letter case is parsed.
    pub(super) any_case: bool,
}

impl Shapes {
    pub(super) fn new(lexicon: &Lexicon<'_>, spellings: &[Spelling<'_>], met: &[bool]) -> Self {
        let mut summarizer = Summarizer::default();
        let own = spellings.iter().filter_map(|spelling| match spelling.text {
            SpellingText::Own(opcode) => {
                let parts = lexicon.text_of(opcode);
                Some((summarizer.summary(&parts), parts))
            }
            SpellingText::Included { .. } => None,
        });
        let own: Vec<(String, Vec<Part>)> = own.collect();
        let (readers, summaries) = (summarizer.readers.clone(), own.iter().map(|(text, _)| text));
        let summaries = summaries.cloned().collect();
        let (mut own, mut known, mut all) = (own.into_iter(), BTreeMap::new(), Vec::new());
        let of = spellings.iter().enumerate().map(|(index, spelling)| {
            let (summary, parts) = match spelling.text {
                SpellingText::Own(_) => own.next()?,
                SpellingText::Included { .. } if !met[index] => return None,
                SpellingText::Included { set, text } => {
                    let parts = summary::read(text, &set.readers);
                    (summarizer.summary(&parts), parts)
                }
            };
            let shape = *known.entry(summary).or_insert_with(|| {
                let parts = if lexicon.any_case() { folded(parts) } else { parts };
                all.push(Shape { graph: Graph::new(&parts), parts });
                all.len() - 1
            });
            Some(shape)
        });
        let any_case = lexicon.any_case();
        Shapes { of: of.collect(), all, own: summaries, readers, any_case }
    }
}
