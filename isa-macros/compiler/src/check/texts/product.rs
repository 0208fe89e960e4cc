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

use super::grammar::{Filler, Fixed, Reader};
use super::graph::{Graph, MNEMONIC, Step};
use super::modifiers::{Common, common};
use crate::model::is_word;
use isa_bdd::{HashMap, HashSet};

/// Text that begins with fixed text. After that comes an operand, or text that matches one of several
/// token patterns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) prefix: String,
    pub(crate) forms: Forms,
}

/// The token patterns that a text begins with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Forms {
    /// The constant `FORMS` of a Rust type: its token patterns.
    Of(Rc<Reader>),
    /// Text that continues the last word that a Rust type prints.
    GoingOn(Rc<Reader>),
    /// These token patterns.
    Given(Vec<String>),
}

impl Side {
    pub(super) fn of(filler: &Filler) -> Side {
        Side::begins(match filler {
            Filler::Names(names) => Forms::Given(names.to_vec()),
            Filler::Read(reader, _) => Forms::Of(Rc::clone(reader)),
        })
    }

    /// Creates a side without fixed text before its token patterns.
    pub(super) fn begins(forms: Forms) -> Side {
        Side { prefix: String::new(), forms }
    }

    /// Creates a side of fixed text followed by one token pattern.
    pub(super) fn given(prefix: impl Into<String>, form: &str) -> Side {
        Side { prefix: prefix.into(), forms: Forms::Given(vec![form.to_owned()]) }
    }
}

/// Pairs of texts that the macro cannot distinguish. The texts of every pair must be disjoint.
pub(crate) type Pairs = Vec<(Side, Side)>;

/// A state of each automaton, and whether a letter needs a space before it.
type Node = (usize, usize, bool);

/// The maximum number of steps of an assertion.
const STEPS: usize = 4;

pub(super) struct Product<'g> {
    pub(super) a: &'g Graph,
    pub(super) b: &'g Graph,
    /// The states at which the search begins.
    pub(super) from: (usize, usize),
    /// Whether the search also ends at the end of `b`, and not only at the end of `a`.
    pub(super) either: bool,
}

impl Product<'_> {
    /// Returns a text that both certainly accept, as its pieces.
    pub(super) fn witness(&self) -> Option<Vec<String>> {
        let start = self.enter(self.from.0, self.from.1, false);
        let mut origin: HashMap<Node, (Node, Piece)> = HashMap::default();
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
                let is_new = |pair: &(Side, Side)| !step.contains(pair);
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
    fn surely_reached(&self, nodes: Vec<Node>) -> Vec<Node> {
        let mut seen: HashSet<Node> = nodes.into_iter().collect();
        let mut nodes: Vec<Node> = seen.iter().copied().collect();
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

    fn is_end(&self, (p, q, _): Node) -> bool {
        ends(self.a, p) && is_boundary(self.a, p, self.b, q)
            || self.either && ends(self.b, q) && is_boundary(self.b, q, self.a, p)
    }

    fn enter(&self, p: usize, q: usize, gap: bool) -> Node {
        (p, q, gap || self.a.states[p].word_end || self.b.states[q].word_end)
    }

    /// Returns the steps that both can certainly take, with the text of each.
    fn sure(&self, node: Node) -> Vec<(Piece, Node)> {
        let (p, q, gap) = node;
        let (a, b) = (&self.a.states[p].steps, &self.b.states[q].steps);
        let blank = self.a.states[p].blank || self.b.states[q].blank;
        let mut next = Vec::new();
        for (step, to) in a {
            if can_skip(step, b) {
                next.push((Piece::Nothing, self.enter(*to, q, gap)));
            }
            for (other, target) in b {
                if let Some(piece) = joint(step, other, gap, blank) {
                    next.push((piece, self.enter(*to, *target, false)));
                }
            }
        }
        for (step, to) in b {
            if can_skip(step, a) {
                next.push((Piece::Nothing, self.enter(p, *to, gap)));
            }
        }
        next
    }

    /// Returns the steps that both can take unless token patterns are disjoint. The node is `None` if
    /// the length of the text that the patterns match is unknown.
    fn unsure(&self, (p, q, _): Node) -> Vec<(Pairs, Option<Node>)> {
        let mut next = Vec::new();
        let turn = |alike: Pairs| alike.into_iter().map(|(x, y)| (y, x)).collect::<Pairs>();
        for (step, to) in &self.a.states[p].steps {
            for (other, target) in &self.b.states[q].steps {
                let both = Some(self.enter(*to, *target, true));
                match (step, other) {
                    (Step::Read(x, _), Step::Read(y, _)) if x != y => {
                        next.push((vec![(reading(x), reading(y))], both));
                    }
                    (Step::Dots(x), Step::Dots(y)) => {
                        if let Common::Unsure(alike) = common(x, y) {
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

fn reading(reader: &Rc<Reader>) -> Side {
    Side::begins(Forms::Of(Rc::clone(reader)))
}

/// Returns whether a step matches empty text. If both sides have modifiers, the result is false,
/// because the modifiers are compared together.
fn can_skip(step: &Step, others: &[(Step, usize)]) -> bool {
    match step {
        Step::Skip => true,
        Step::Dots(dots) => {
            let joint = others.iter().any(|(other, _)| matches!(other, Step::Dots(_)));
            !joint && dots.iter().all(|dot| !dot.mandatory)
        }
        _ => false,
    }
}

/// The text of a step. Most steps never become part of a message.
enum Piece {
    Nothing,
    Byte(u8),
    /// A character with a space before it.
    SpacedByte(u8),
    Text(String),
}

impl Piece {
    fn show(&self) -> String {
        match self {
            Piece::Nothing => String::new(),
            Piece::Byte(byte) => char::from(*byte).to_string(),
            Piece::SpacedByte(byte) => format!(" {}", char::from(*byte)),
            Piece::Text(text) => text.clone(),
        }
    }
}

/// Returns the text of a step if both sides can take it together. `gap` is true if a letter needs a
/// space before it, and `blank` if fixed text has a space here.
fn joint(a: &Step, b: &Step, gap: bool, blank: bool) -> Option<Piece> {
    match (a, b) {
        (Step::Char { byte, glued: x }, Step::Char { byte: other, glued: y }) => {
            let apart = gap && is_word(char::from(*byte));
            let same = byte == other && !(apart && (*x || *y));
            same.then_some(if apart || blank {
                Piece::SpacedByte(*byte)
            } else {
                Piece::Byte(*byte)
            })
        }
        (Step::Read(x, fixed), Step::Read(y, other)) => {
            let before = if blank { " " } else { "" };
            (x == y && !Fixed::differ(*fixed, *other))
                .then(|| Piece::Text(format!("{before}<{}>", x.name)))
        }
        (Step::Dots(x), Step::Dots(y)) => match common(x, y) {
            Common::Some(values) => {
                Some(Piece::Text(values.iter().map(|value| format!(".{value}")).collect()))
            }
            Common::None | Common::Unsure(_) => None,
        },
        _ => None,
    }
}

/// Compares an operand with the fixed text at a state. Returns both sides, and the state after the
/// compared part of the text.
fn against(step: &Step, graph: &Graph, state: usize) -> Vec<(Side, Side, Option<usize>)> {
    let starts = || {
        let mut found = Vec::new();
        for (first, to) in &graph.states[state].steps {
            if let Step::Char { byte, .. } = first
                && *byte != MNEMONIC
            {
                spell(graph, *to, char::from(*byte).to_string(), &mut found);
            }
        }
        found
    };
    match step {
        Step::Read(reader, _) => {
            starts().into_iter().map(|(side, to)| (reading(reader), side, to)).collect()
        }
        // Fixed text that begins with a dot: the text after the dot is not compared.
        Step::Dots(dots) if !dots.is_empty() => {
            let dot = starts().into_iter().find(|(side, _)| side.prefix.starts_with('.'));
            let anything = || Side::given("", "*");
            dot.map(|_| (anything(), anything(), None)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Collects the fixed texts that follow a state, each up to the next operand or the end of a word.
fn spell(graph: &Graph, state: usize, prefix: String, found: &mut Vec<(Side, Option<usize>)>) {
    if prefix.len() > 16 || found.len() > 16 {
        found.push((Side::given(prefix, "*"), None));
        return;
    }
    if graph.states[state].word_end {
        found.push((Side::given(prefix, ""), Some(state)));
        return;
    }
    if graph.states[state].steps.is_empty() {
        found.push((Side::given(prefix.clone(), "*"), None));
    }
    for (step, to) in &graph.states[state].steps {
        match step {
            Step::Skip => spell(graph, *to, prefix.clone(), found),
            Step::Char { byte: MNEMONIC, .. } => {
                found.push((Side::given(prefix.clone(), "*"), None));
            }
            Step::Dots(dots) => {
                if !dots.is_empty() {
                    found.push((Side::given(format!("{prefix}."), "*"), None));
                }
                // The word before optional modifiers has ended.
                if !dots.iter().any(|dot| dot.mandatory) {
                    spell(graph, *to, prefix.clone(), found);
                }
            }
            Step::Char { byte, .. } => {
                let longer = format!("{prefix}{}", char::from(*byte));
                spell(graph, *to, longer, found);
            }
            Step::Read(reader, _) => {
                let forms = Forms::Of(Rc::clone(reader));
                let side = Side { prefix: prefix.clone(), forms };
                found.push((side, Some(*to)));
            }
        }
    }
}

/// Returns whether a state is the end.
fn ends(graph: &Graph, state: usize) -> bool {
    state == graph.end
}

/// Returns whether a word that has ended on one side may also end on the other.
fn is_boundary(ended: &Graph, state: usize, other: &Graph, at: usize) -> bool {
    let steps = &other.states[at].steps;
    let glued = |step: &Step| matches!(step, Step::Char { glued: true, .. });
    !ended.states[state].word_end || steps.is_empty() || steps.iter().any(|(step, _)| !glued(step))
}

fn pieces(start: Node, end: Node, origin: &HashMap<Node, (Node, Piece)>) -> Vec<String> {
    let (mut pieces, mut at) = (Vec::new(), end);
    while at != start {
        let Some((before, piece)) = origin.get(&at) else { break };
        pieces.push(piece.show());
        at = *before;
    }
    pieces.reverse();
    pieces
}
