//! Searches for a text that two opcodes both accept, in the product of their automata.
//!
//! A node of the product is a pair of states, one of each automaton, and a flag whether a letter needs
//! a space before it. An edge is a step that both automata can take with the same text: an equal
//! character, an operand of the same type, or modifiers that match both. If a step is optional, an edge
//! can also advance only one of the automata. A breadth-first search from the pair of start states
//! finds the path to the end that has the fewest edges. Its labels are the ambiguous text that the
//! error shows. Nodes are created on demand, because few of the possible pairs are reachable.
//!
//! The macro cannot decide an edge that depends on the text of Rust types. [`Product::doubts`] then
//! returns pairs of token patterns, and the expansion asserts at compile time that they are disjoint.

use std::collections::VecDeque;
use std::rc::Rc;

use super::automaton::{Automaton, MNEMONIC, Transition};
use super::common_modifiers::{CommonModifiers, common};
use super::grammar::{FixedBits, OpaqueText, Pairs, TextStart, TokenPatterns};
use crate::model::is_word;
use isa_bdd::{HashMap, HashSet};

/// A state of each automaton, and whether a letter needs a space before it.
type ProductNode = (usize, usize, bool);

/// The maximum number of steps of an assertion.
const STEPS: usize = 4;

pub(super) struct Product<'g> {
    pub(super) a: &'g Automaton,
    pub(super) b: &'g Automaton,
    /// The states at which the search begins.
    pub(super) from: (usize, usize),
    /// Whether the search also ends at the end of `b`, and not only at the end of `a`.
    pub(super) either: bool,
}

impl Product<'_> {
    /// Returns a text that both certainly accept, as its pieces.
    pub(super) fn witness(&self) -> Option<Vec<String>> {
        let start = self.enter(self.from.0, self.from.1, false);
        let mut origin: HashMap<ProductNode, (ProductNode, StepText)> = HashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if self.is_end(node) {
                return Some(pieces(start, node, &origin));
            }
            for (piece, next) in self.sure(node) {
                if next != start && !origin.contains_key(&next) {
                    origin.insert(next, (node, piece));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Returns the token patterns that must be disjoint so that no common text exists, as a list of
    /// steps. The texts differ if all pairs of at least one step are disjoint. The first step contains
    /// the first pairs of all paths. Each further step contains the pairs that follow those of the step
    /// before. Returns an empty list if there is certainly no common text.
    pub(super) fn doubts(&self) -> Vec<Pairs> {
        let mut steps: Vec<Pairs> = Vec::new();
        let mut nodes = vec![self.enter(self.from.0, self.from.1, false)];
        while steps.len() < STEPS {
            let reached = self.surely_reached(nodes);
            if reached.iter().any(|&node| self.is_end(node)) {
                break;
            }
            let mut step: Pairs = Vec::new();
            nodes = Vec::new();
            for (alike, next) in reached.into_iter().flat_map(|node| self.unsure(node)) {
                let is_new = |pair: &(TextStart, TextStart)| !step.contains(pair);
                let new: Pairs = alike.into_iter().filter(is_new).collect();
                step.extend(new);
                nodes.extend(next);
            }
            // No path continues from here, so this step alone proves that the texts differ.
            let is_dead = step.is_empty();
            steps.push(step);
            if is_dead {
                break;
            }
        }
        let is_sure = steps.first().is_none_or(Vec::is_empty);
        if is_sure { Vec::new() } else { steps }
    }

    /// Returns the nodes that can certainly be reached from the given ones.
    fn surely_reached(&self, nodes: Vec<ProductNode>) -> Vec<ProductNode> {
        let mut seen: HashSet<ProductNode> = nodes.into_iter().collect();
        let mut nodes: Vec<ProductNode> = seen.iter().copied().collect();
        nodes.sort_unstable();
        let mut reached = Vec::new();
        while let Some(node) = nodes.pop() {
            reached.push(node);
            for (_, next) in self.sure(node) {
                if seen.insert(next) {
                    nodes.push(next);
                }
            }
        }
        reached
    }

    fn is_end(&self, (p, q, _): ProductNode) -> bool {
        ends(self.a, p) && is_boundary(self.a, p, self.b, q)
            || self.either && ends(self.b, q) && is_boundary(self.b, q, self.a, p)
    }

    fn enter(&self, p: usize, q: usize, gap: bool) -> ProductNode {
        (p, q, gap || self.a.states[p].word_end || self.b.states[q].word_end)
    }

    /// Returns the steps that both can certainly take, with the text of each.
    fn sure(&self, node: ProductNode) -> Vec<(StepText, ProductNode)> {
        let (p, q, gap) = node;
        let (a, b) = (&self.a.states[p].steps, &self.b.states[q].steps);
        let blank = self.a.states[p].blank || self.b.states[q].blank;
        let mut next = Vec::new();
        for (step, to) in a {
            if can_skip(step, b) {
                next.push((StepText::Nothing, self.enter(*to, q, gap)));
            }
            for (other, target) in b {
                if let Some(piece) = joint(step, other, gap, blank) {
                    next.push((piece, self.enter(*to, *target, false)));
                }
            }
        }
        for (step, to) in b {
            if can_skip(step, a) {
                next.push((StepText::Nothing, self.enter(p, *to, gap)));
            }
        }
        next
    }

    /// Returns the steps that both can take unless token patterns are disjoint. The node is `None` if
    /// the length of the text that the patterns match is unknown.
    fn unsure(&self, (p, q, _): ProductNode) -> Vec<(Pairs, Option<ProductNode>)> {
        let mut next = Vec::new();
        let turn = |alike: Pairs| alike.into_iter().map(|(x, y)| (y, x)).collect::<Pairs>();
        for (step, to) in &self.a.states[p].steps {
            for (other, target) in &self.b.states[q].steps {
                let both = Some(self.enter(*to, *target, true));
                match (step, other) {
                    (Transition::Read(x, _), Transition::Read(y, _)) if x != y => {
                        next.push((vec![(reading(x), reading(y))], both));
                    }
                    (Transition::Dots(x), Transition::Dots(y)) => {
                        if let CommonModifiers::Unsure(alike) = common(x, y) {
                            next.push((alike, both));
                        }
                    }
                    _ => {}
                }
            }
            for (side, alike, target) in against(step, self.b, q) {
                let node = target.map(|target| self.enter(*to, target, true));
                next.push((vec![(side, alike)], node));
            }
        }
        for (step, to) in &self.b.states[q].steps {
            for (side, alike, target) in against(step, self.a, p) {
                let node = target.map(|target| self.enter(target, *to, true));
                next.push((turn(vec![(side, alike)]), node));
            }
        }
        next
    }
}

fn reading(reader: &Rc<OpaqueText>) -> TextStart {
    TextStart::begins(TokenPatterns::Of(Rc::clone(reader)))
}

/// Returns whether a step matches empty text. If both sides have modifiers, the result is false,
/// because the modifiers are compared together.
fn can_skip(step: &Transition, others: &[(Transition, usize)]) -> bool {
    match step {
        Transition::Skip => true,
        Transition::Dots(dots) => {
            let joint = others.iter().any(|(other, _)| matches!(other, Transition::Dots(_)));
            !joint && dots.iter().all(|dot| !dot.mandatory)
        }
        _ => false,
    }
}

/// The text of a step. Most steps never become part of a message.
enum StepText {
    Nothing,
    Byte(u8),
    /// A character with a space before it.
    SpacedByte(u8),
    Text(String),
}

impl StepText {
    fn show(&self) -> String {
        match self {
            StepText::Nothing => String::new(),
            StepText::Byte(byte) => char::from(*byte).to_string(),
            StepText::SpacedByte(byte) => format!(" {}", char::from(*byte)),
            StepText::Text(text) => text.clone(),
        }
    }
}

/// Returns the text of a step if both sides can take it together. `gap` is true if a letter needs a
/// space before it, and `blank` if fixed text has a space here.
fn joint(a: &Transition, b: &Transition, gap: bool, blank: bool) -> Option<StepText> {
    match (a, b) {
        (Transition::Char { byte, glued: x }, Transition::Char { byte: other, glued: y }) => {
            let apart = gap && is_word(char::from(*byte));
            let same = byte == other && !(apart && (*x || *y));
            same.then_some(if apart || blank {
                StepText::SpacedByte(*byte)
            } else {
                StepText::Byte(*byte)
            })
        }
        (Transition::Read(x, fixed), Transition::Read(y, other)) => {
            let before = if blank { " " } else { "" };
            (x == y && !FixedBits::differ(*fixed, *other))
                .then(|| StepText::Text(format!("{before}<{}>", x.name)))
        }
        (Transition::Dots(x), Transition::Dots(y)) => match common(x, y) {
            CommonModifiers::Some(values) => {
                Some(StepText::Text(values.iter().map(|value| format!(".{value}")).collect()))
            }
            CommonModifiers::None | CommonModifiers::Unsure(_) => None,
        },
        _ => None,
    }
}

/// Compares an operand with the fixed text at a state. Returns both sides, and the state after the
/// compared part of the text.
fn against(
    step: &Transition,
    graph: &Automaton,
    state: usize,
) -> Vec<(TextStart, TextStart, Option<usize>)> {
    let starts = || {
        let mut found = Vec::new();
        for (first, to) in &graph.states[state].steps {
            if let Transition::Char { byte, .. } = first
                && *byte != MNEMONIC
            {
                spell(graph, *to, char::from(*byte).to_string(), &mut found);
            }
        }
        found
    };
    match step {
        Transition::Read(reader, _) => {
            starts().into_iter().map(|(side, to)| (reading(reader), side, to)).collect()
        }
        // Fixed text that begins with a dot: the text after the dot is not compared.
        Transition::Dots(dots) if !dots.is_empty() => {
            let dot = starts().into_iter().find(|(side, _)| side.prefix.starts_with('.'));
            let anything = || TextStart::given("", "*");
            dot.map(|_| (anything(), anything(), None)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Collects the fixed texts that follow a state, each up to the next operand or the end of a word.
fn spell(
    graph: &Automaton,
    state: usize,
    prefix: String,
    found: &mut Vec<(TextStart, Option<usize>)>,
) {
    if prefix.len() > 16 || found.len() > 16 {
        found.push((TextStart::given(prefix, "*"), None));
        return;
    }
    if graph.states[state].word_end {
        found.push((TextStart::given(prefix, ""), Some(state)));
        return;
    }
    if graph.states[state].steps.is_empty() {
        found.push((TextStart::given(prefix.clone(), "*"), None));
    }
    for (step, to) in &graph.states[state].steps {
        match step {
            Transition::Skip => spell(graph, *to, prefix.clone(), found),
            Transition::Char { byte: MNEMONIC, .. } => {
                found.push((TextStart::given(prefix.clone(), "*"), None));
            }
            Transition::Dots(dots) => {
                if !dots.is_empty() {
                    found.push((TextStart::given(format!("{prefix}."), "*"), None));
                }
                // The word before optional modifiers has ended.
                if !dots.iter().any(|dot| dot.mandatory) {
                    spell(graph, *to, prefix.clone(), found);
                }
            }
            Transition::Char { byte, .. } => {
                let longer = format!("{prefix}{}", char::from(*byte));
                spell(graph, *to, longer, found);
            }
            Transition::Read(reader, _) => {
                let forms = TokenPatterns::Of(Rc::clone(reader));
                let side = TextStart { prefix: prefix.clone(), forms };
                found.push((side, Some(*to)));
            }
        }
    }
}

/// Returns whether a state is the end.
fn ends(graph: &Automaton, state: usize) -> bool {
    state == graph.end
}

/// Returns whether a word that has ended on one side may also end on the other.
fn is_boundary(ended: &Automaton, state: usize, other: &Automaton, at: usize) -> bool {
    let steps = &other.states[at].steps;
    let glued = |step: &Transition| matches!(step, Transition::Char { glued: true, .. });
    !ended.states[state].word_end || steps.is_empty() || steps.iter().any(|(step, _)| !glued(step))
}

fn pieces(
    start: ProductNode,
    end: ProductNode,
    origin: &HashMap<ProductNode, (ProductNode, StepText)>,
) -> Vec<String> {
    let (mut pieces, mut at) = (Vec::new(), end);
    while at != start {
        let Some((before, piece)) = origin.get(&at) else { break };
        pieces.push(piece.show());
        at = *before;
    }
    pieces.reverse();
    pieces
}
