//! The search for a text that two automata have in common.

use std::collections::VecDeque;
use std::rc::Rc;

use super::grammar::{Filler, Fixed, Reader};
use super::graph::{Graph, MNEMONIC, Step};
use super::modifiers::{Common, common};
use crate::model::is_word;
use isa_bdd::{HashMap, HashSet};

/// Text that begins with fixed text and goes on as an operand, or as one of some forms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) prefix: String,
    pub(crate) forms: Forms,
}

/// How text begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Forms {
    /// As the forms of a Rust type say.
    Of(Rc<Reader>),
    /// As text that goes on with the last word of what a Rust type writes.
    GoingOn(Rc<Reader>),
    /// As these forms say.
    Given(Vec<String>),
}

impl Side {
    pub(super) fn of(filler: &Filler) -> Side {
        Side::begins(match filler {
            Filler::Names(names) => Forms::Given(names.to_vec()),
            Filler::Read(reader, _) => Forms::Of(Rc::clone(reader)),
        })
    }

    /// Text with nothing fixed before its forms.
    pub(super) fn begins(forms: Forms) -> Side {
        Side { prefix: String::new(), forms }
    }

    /// Fixed text, and text of one form behind it.
    pub(super) fn given(prefix: impl Into<String>, form: &str) -> Side {
        Side { prefix: prefix.into(), forms: Forms::Given(vec![form.to_owned()]) }
    }
}

/// Pairs of texts which the macro cannot tell apart, and which must all differ.
pub(crate) type Pairs = Vec<(Side, Side)>;

/// A place in both automata, and whether letters need a blank before them.
type Node = (usize, usize, bool);

/// How many steps an assertion has at most.
const STEPS: usize = 4;

pub(super) struct Product<'g> {
    pub(super) a: &'g Graph,
    pub(super) b: &'g Graph,
    /// The states at which the two automata are entered.
    pub(super) from: (usize, usize),
    /// Whether the end of `b` is an end of the search, as that of `a` is.
    pub(super) either: bool,
}

impl Product<'_> {
    /// A text that is surely common, as the pieces of it.
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

    /// What must be told apart lest there be a common text, or nothing where there is none. The
    /// first step has the pairs that stand first on all ways; the next has those behind them,
    /// which tell where a pair of the first step is alike and ends together.
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
            // A step without pairs: nothing goes on from here, so this tells.
            let is_dead = step.is_empty();
            steps.push(step);
            if is_dead {
                break;
            }
        }
        let is_sure = steps.first().is_none_or(Vec::is_empty);
        if is_sure { Vec::new() } else { steps }
    }

    /// The nodes that both surely reach from some.
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

    /// The steps that both can surely take, with the text of each.
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

    /// The steps that both can take unless forms differ; no place where it is not known how far
    /// they go.
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

/// Whether a step takes nothing. Sets of modifiers on both sides are taken together.
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

/// The text of a step. Most are looked at and never shown.
enum Piece {
    Nothing,
    Byte(u8),
    /// With a blank before it.
    DisjointnessClaim(u8),
    Text(String),
}

impl Piece {
    fn show(&self) -> String {
        match self {
            Piece::Nothing => String::new(),
            Piece::Byte(byte) => char::from(*byte).to_string(),
            Piece::DisjointnessClaim(byte) => format!(" {}", char::from(*byte)),
            Piece::Text(text) => text.clone(),
        }
    }
}

/// The text of a step that both take, which follows a `gap` between words or a `blank` of fixed text.
fn joint(a: &Step, b: &Step, gap: bool, blank: bool) -> Option<Piece> {
    match (a, b) {
        (Step::Char { byte, glued: x }, Step::Char { byte: other, glued: y }) => {
            let apart = gap && is_word(char::from(*byte));
            let same = byte == other && !(apart && (*x || *y));
            same.then_some(if apart || blank {
                Piece::DisjointnessClaim(*byte)
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

/// An operand against fixed text at a state: the two sides, and the state behind the text as far
/// as it is compared.
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
        // A dot as fixed text: what stands behind it is not compared.
        Step::Dots(dots) if !dots.is_empty() => {
            let dot = starts().into_iter().find(|(side, _)| side.prefix.starts_with('.'));
            let anything = || Side::given("", "*");
            dot.map(|_| (anything(), anything(), None)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The fixed texts that go on from a state, each to the next operand or the end of a word.
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
                // Behind modifiers, or without them, the word before them has ended.
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

/// Whether the end is reached without a further step.
fn ends(graph: &Graph, state: usize) -> bool {
    state == graph.end
}

/// Whether a word that has ended on one side may end on the other.
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
