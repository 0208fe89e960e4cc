//! Represents assembly text as an automaton, with steps by characters, operands and sets of modifiers.

use std::rc::Rc;

use super::grammar::{DotModifier, FieldText, FixedBits, OpaqueText, TextPart};
use crate::model::is_word;

/// An automaton that accepts the text of an opcode. White space is allowed before each character that is
/// not `glued`.
#[derive(Debug, Default)]
pub(super) struct Automaton {
    pub(super) states: Vec<AutomatonState>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The points at which the parser decides by the next token.
    pub(super) decisions: Vec<Decision>,
    /// The states after modifiers. In these states, the parser treats a dot as the start of another
    /// modifier.
    pub(super) behind_dots: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct AutomatonState {
    pub(super) steps: Vec<(Transition, usize)>,
    /// Whether a word may end here. A letter after it must then be preceded by a space.
    pub(super) word_end: bool,
    /// Whether fixed text contains a space here. The parser does not need the space, but people write
    /// it.
    pub(super) blank: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Transition {
    /// An empty step.
    Skip,
    Char {
        byte: u8,
        glued: bool,
    },
    Read(Rc<OpaqueText>, Option<FixedBits>),
    Dots(Vec<DotModifier>),
}

/// A decision of the parser: it takes the branch that begins with one of `tokens`, and otherwise
/// continues at this state.
#[derive(Debug)]
pub(super) struct Decision {
    pub(super) tokens: Vec<TextPart>,
    pub(super) otherwise: usize,
}

/// The character that represents the mnemonic, which is equal in all texts that are compared.
pub(super) const MNEMONIC: u8 = 0;

impl Automaton {
    pub(super) fn new(parts: &[TextPart]) -> Self {
        let mut graph = Automaton::default();
        graph.start = graph.state();
        graph.end = graph.sequence(parts, graph.start);
        graph
    }

    fn state(&mut self) -> usize {
        self.states.push(AutomatonState::default());
        self.states.len() - 1
    }

    fn step(&mut self, from: usize, step: Transition) -> usize {
        let to = self.state();
        self.states[from].steps.push((step, to));
        to
    }

    fn join(&mut self, from: usize, to: usize) {
        self.states[from].steps.push((Transition::Skip, to));
    }

    fn sequence(&mut self, parts: &[TextPart], from: usize) -> usize {
        parts.iter().fold(from, |from, part| self.part(part, from))
    }

    fn part(&mut self, part: &TextPart, from: usize) -> usize {
        match part {
            TextPart::Mnemonic => {
                self.step(from, Transition::Char { byte: MNEMONIC, glued: false })
            }
            TextPart::Text(text) => self.text(text, from),
            TextPart::Value(filler) => self.filler(filler, from),
            TextPart::Dots(dots) => {
                let to = self.step(from, Transition::Dots(dots.clone()));
                self.states[to].word_end = true;
                self.behind_dots.push(to);
                to
            }
            TextPart::Tags(fillers) => self.tags(fillers, from),
            TextPart::Choice(choices) => self.choice(choices, from),
        }
    }

    /// Adds fixed text: its words are contiguous, and space is allowed everywhere else.
    fn text(&mut self, text: &str, mut at: usize) -> usize {
        let mut in_word = false;
        for byte in text.bytes() {
            let is_letter = is_word(char::from(byte));
            if byte == b' ' {
                self.states[at].blank = true;
            } else {
                at = self.step(at, Transition::Char { byte, glued: in_word && is_letter });
            }
            in_word = is_letter;
        }
        at
    }

    fn filler(&mut self, filler: &FieldText, from: usize) -> usize {
        let to = match filler {
            FieldText::Read(reader, fixed) => {
                self.step(from, Transition::Read(Rc::clone(reader), *fixed))
            }
            FieldText::Names(names) => {
                let to = self.state();
                for name in &**names {
                    let mut at = from;
                    for (i, byte) in name.bytes().enumerate() {
                        at = self.step(at, Transition::Char { byte, glued: i > 0 });
                    }
                    self.states[at].word_end = true;
                    self.join(at, to);
                }
                to
            }
        };
        self.states[to].word_end = true;
        to
    }

    fn tags(&mut self, fillers: &[FieldText], from: usize) -> usize {
        let to = self.state();
        // One state for each set of attributes that were already given. If there are more than five
        // attributes, one state at which each may still follow.
        let exact = fillers.len() <= 5;
        let sets = if exact { 1 << fillers.len() } else { 1 };
        let states: Vec<usize> = (0..sets).map(|_| self.state()).collect();
        self.join(from, states[0]);
        for (set, &state) in states.iter().enumerate() {
            self.join(state, to);
            for (i, filler) in fillers.iter().enumerate() {
                let given = set | if exact { 1 << i } else { 0 };
                if given != set || !exact {
                    let behind = self.filler(filler, state);
                    self.join(behind, states[given]);
                }
            }
        }
        let tokens = fillers.iter().cloned().map(TextPart::Value).collect();
        self.decisions.push(Decision { tokens, otherwise: to });
        to
    }

    fn choice(&mut self, choices: &[Vec<TextPart>], from: usize) -> usize {
        let to = self.state();
        let mut starts = Vec::new();
        for parts in choices {
            let start = self.step(from, Transition::Skip);
            starts.push(start);
            let end = self.sequence(parts, start);
            self.join(end, to);
        }
        // The parser takes the first alternative if the next token does not begin another one.
        for parts in &choices[1..] {
            let mut tokens = Vec::new();
            first_tokens(parts, &mut tokens);
            self.decisions.push(Decision { tokens, otherwise: starts[0] });
        }
        to
    }
}

/// Collects the tokens that parts can begin with. Returns whether the parts can be empty.
fn first_tokens(parts: &[TextPart], tokens: &mut Vec<TextPart>) -> bool {
    parts.iter().all(|part| match part {
        TextPart::Mnemonic | TextPart::Text(_) | TextPart::Value(_) => {
            tokens.push(part.clone());
            false
        }
        TextPart::Dots(dots) => dots.iter().all(|dot| !dot.mandatory),
        TextPart::Tags(fillers) => {
            tokens.extend(fillers.iter().cloned().map(TextPart::Value));
            true
        }
        TextPart::Choice(choices) => {
            let empty: Vec<bool> =
                choices.iter().map(|parts| first_tokens(parts, tokens)).collect();
            empty.contains(&true)
        }
    })
}
