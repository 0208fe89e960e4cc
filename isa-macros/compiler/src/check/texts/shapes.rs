//! Collects the shapes of opcodes: their texts without mnemonics.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::automaton::Automaton;
use super::grammar::{Lexicon, OpaqueText, TextPart, folded};
use super::text_summary::{self, Summarizer};
use super::{Spelling, SpellingText};

/// The text of one or more opcodes.
pub(super) struct TextShape {
    pub(super) parts: Vec<TextPart>,
    pub(super) graph: Automaton,
}

/// All shapes that a call has to check.
pub(super) struct TextShapes {
    pub(super) all: Vec<TextShape>,
    /// For each spelling, its shape. `None` for a spelling of an included set that is not `met`.
    pub(super) of: Vec<Option<usize>>,
    /// The summaries of the call's own texts, in the order of its spellings.
    pub(super) own: Vec<String>,
    /// The Rust types in those summaries, by their index.
    pub(super) readers: Vec<Rc<OpaqueText>>,
    /// Whether the shapes are in lower case, because any letter case is parsed.
    pub(super) any_case: bool,
}

impl TextShapes {
    pub(super) fn new(lexicon: &Lexicon<'_>, spellings: &[Spelling<'_>], met: &[bool]) -> Self {
        let mut summarizer = Summarizer::default();
        let own = spellings.iter().filter_map(|spelling| match spelling.text {
            SpellingText::Own(opcode) => {
                let parts = lexicon.text_of(opcode);
                Some((summarizer.summary(&parts), parts))
            }
            SpellingText::Included { .. } => None,
        });
        let own: Vec<(String, Vec<TextPart>)> = own.collect();
        let (readers, summaries) = (summarizer.readers.clone(), own.iter().map(|(text, _)| text));
        let summaries = summaries.cloned().collect();
        let (mut own, mut known, mut all) = (own.into_iter(), BTreeMap::new(), Vec::new());
        let of = spellings.iter().enumerate().map(|(index, spelling)| {
            let (summary, parts) = match spelling.text {
                SpellingText::Own(_) => own.next()?,
                SpellingText::Included { .. } if !met[index] => return None,
                SpellingText::Included { set, text } => {
                    let parts = text_summary::read(text, &set.readers);
                    (summarizer.summary(&parts), parts)
                }
            };
            let shape = *known.entry(summary).or_insert_with(|| {
                let parts = if lexicon.any_case() { folded(parts) } else { parts };
                all.push(TextShape { graph: Automaton::new(&parts), parts });
                all.len() - 1
            });
            Some(shape)
        });
        let any_case = lexicon.any_case();
        TextShapes { of: of.collect(), all, own: summaries, readers, any_case }
    }
}
