//! Sets of words as ordered decision diagrams, for conditions whose cubes are many on the way.
//!
//! A node asks for one bit and leads to the rest for 0 and for 1. Bits are asked for in one order,
//! equal nodes are one node, and a node whose two ways are the same is left out, so that a set has
//! one diagram. What joins two diagrams visits each pair of their nodes once.

use std::rc::Rc;

use super::cube::Cube;
use crate::hash::HashMap;

/// The most nodes of all diagrams together, those included that were made on the way.
const MOST_NODES: usize = 1 << 17;

/// The most cubes of all parts of a cover together.
const MOST_LISTED: usize = 1 << 18;

/// A diagram: the place of its first node, or one of the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Diagram(u32);

/// No word, and every word.
const NONE: Diagram = Diagram(0);
const ALL: Diagram = Diagram(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The place of the bit in the order.
    level: usize,
    zero: Diagram,
    one: Diagram,
}

/// Makes diagrams of one order. Every function gives `None` where there would be too many nodes.
#[derive(Debug, Default)]
pub(crate) struct Diagrams {
    /// The bits in the order in which they came first.
    order: Vec<u32>,
    /// The nodes, the first of which has place 2.
    nodes: Vec<Node>,
    known: HashMap<Node, Diagram>,
    joined: HashMap<(Diagram, Diagram), Diagram>,
    negated: HashMap<Diagram, Diagram>,
}

impl Diagrams {
    /// Diagrams that ask for these bits first, in this order.
    pub(crate) fn asking(order: Vec<u32>) -> Self {
        Diagrams { order, ..Diagrams::default() }
    }

    /// No word.
    pub(crate) fn none(&self) -> Diagram {
        NONE
    }

    /// Whether the first of two bits is asked for before the second.
    pub(crate) fn asks_first(&mut self, first: u32, second: u32) -> bool {
        self.level(first) < self.level(second)
    }

    /// The words in `zero` or `one` by a bit, which stands in the order before all those of the two.
    pub(crate) fn choice(&mut self, bit: u32, zero: Diagram, one: Diagram) -> Option<Diagram> {
        let level = self.level(bit);
        self.node(Node { level, zero, one })
    }

    /// The words of a cube.
    pub(crate) fn cube(&mut self, cube: Cube) -> Option<Diagram> {
        let mut levels: Vec<usize> = (0..128u32)
            .rev()
            .filter(|bit| cube.mask >> bit & 1 == 1)
            .map(|bit| self.level(bit))
            .collect();
        levels.sort_unstable();
        levels.into_iter().rev().try_fold(ALL, |rest, level| {
            let one = cube.value >> self.order[level] & 1 == 1;
            let (zero, one) = if one { (NONE, rest) } else { (rest, NONE) };
            self.node(Node { level, zero, one })
        })
    }

    /// The words in both.
    pub(crate) fn and(&mut self, a: Diagram, b: Diagram) -> Option<Diagram> {
        match (a, b) {
            (NONE, _) | (_, NONE) => return Some(NONE),
            (ALL, other) | (other, ALL) => return Some(other),
            _ if a == b => return Some(a),
            _ => {}
        }
        let pair = (Diagram(a.0.min(b.0)), Diagram(a.0.max(b.0)));
        if let Some(&known) = self.joined.get(&pair) {
            return Some(known);
        }
        let (first, second) = (self.of(a)?, self.of(b)?);
        let level = first.level.min(second.level);
        let ways = |node: Node, all: Diagram| match node.level == level {
            true => (node.zero, node.one),
            false => (all, all),
        };
        let ((a_zero, a_one), (b_zero, b_one)) = (ways(first, a), ways(second, b));
        let zero = self.and(a_zero, b_zero)?;
        let one = self.and(a_one, b_one)?;
        let both = self.node(Node { level, zero, one })?;
        self.joined.insert(pair, both);
        Some(both)
    }

    /// The words outside.
    pub(crate) fn not(&mut self, a: Diagram) -> Option<Diagram> {
        match a {
            NONE => return Some(ALL),
            ALL => return Some(NONE),
            _ => {}
        }
        if let Some(&known) = self.negated.get(&a) {
            return Some(known);
        }
        let Node { level, zero, one } = self.of(a)?;
        let zero = self.not(zero)?;
        let one = self.not(one)?;
        let outside = self.node(Node { level, zero, one })?;
        self.negated.insert(a, outside);
        self.negated.insert(outside, a);
        Some(outside)
    }

    /// The words of the first that are not in the second.
    fn less(&mut self, a: Diagram, b: Diagram) -> Option<Diagram> {
        let outside = self.not(b)?;
        self.and(a, outside)
    }

    /// The words in one of the two, or in both.
    pub(crate) fn or(&mut self, a: Diagram, b: Diagram) -> Option<Diagram> {
        let (a, b) = (self.not(a)?, self.not(b)?);
        let neither = self.and(a, b)?;
        self.not(neither)
    }

    /// The words as few cubes, none of which can be left out, by the algorithm of Minato and
    /// Morreale: `None` where they are more than `most`, or too many on the way.
    pub(crate) fn cover(&mut self, diagram: Diagram, most: usize) -> Option<Vec<Cube>> {
        let mut covers =
            Covers { diagrams: self, known: HashMap::default(), most, room: MOST_LISTED };
        let (cubes, _) = covers.between(diagram, diagram)?;
        Some(cubes.to_vec())
    }

    /// The words as cubes, of which no two have a word in common: `None` where they are more than
    /// `most`.
    pub(crate) fn cubes(&self, diagram: Diagram, most: usize) -> Option<Vec<Cube>> {
        let mut cubes = Vec::new();
        (self.count(diagram, &mut HashMap::default())? <= most).then_some(())?;
        self.list(diagram, Cube::ALL, &mut cubes)?;
        Some(cubes)
    }

    /// How many ways lead to the words.
    fn count(&self, at: Diagram, counts: &mut HashMap<Diagram, usize>) -> Option<usize> {
        match at {
            NONE => return Some(0),
            ALL => return Some(1),
            _ => {}
        }
        if let Some(&known) = counts.get(&at) {
            return Some(known);
        }
        let Node { zero, one, .. } = self.of(at)?;
        let count = self.count(zero, counts)?.saturating_add(self.count(one, counts)?);
        counts.insert(at, count);
        Some(count)
    }

    fn list(&self, at: Diagram, way: Cube, cubes: &mut Vec<Cube>) -> Option<()> {
        match at {
            NONE => return Some(()),
            ALL => {
                cubes.push(way);
                return Some(());
            }
            _ => {}
        }
        let Node { level, zero, one } = self.of(at)?;
        let bit = 1 << self.order.get(level)?;
        self.list(zero, Cube { mask: way.mask | bit, value: way.value }, cubes)?;
        self.list(one, Cube { mask: way.mask | bit, value: way.value | bit }, cubes)
    }

    /// The place of a bit in the order, the next one where it is new.
    fn level(&mut self, bit: u32) -> usize {
        self.order.iter().position(|&known| known == bit).unwrap_or_else(|| {
            self.order.push(bit);
            self.order.len() - 1
        })
    }

    fn of(&self, diagram: Diagram) -> Option<Node> {
        self.nodes.get((diagram.0 as usize).checked_sub(2)?).copied()
    }

    /// The diagram that starts with this node.
    fn node(&mut self, node: Node) -> Option<Diagram> {
        if node.zero == node.one {
            return Some(node.zero);
        }
        if let Some(&known) = self.known.get(&node) {
            return Some(known);
        }
        (self.nodes.len() < MOST_NODES).then_some(())?;
        self.nodes.push(node);
        let diagram = Diagram(self.nodes.len() as u32 + 1);
        self.known.insert(node, diagram);
        Some(diagram)
    }
}

/// Some cubes, and their words.
type Cover = (Rc<[Cube]>, Diagram);

/// The search for few cubes.
struct Covers<'d> {
    diagrams: &'d mut Diagrams,
    known: HashMap<(Diagram, Diagram), Cover>,
    /// The most cubes of a cover, and how many more may be listed in all.
    most: usize,
    room: usize,
}

impl Covers<'_> {
    /// Cubes that have all words of `least`, and none outside of `largest`.
    fn between(&mut self, least: Diagram, largest: Diagram) -> Option<Cover> {
        if least == NONE {
            return Some((Rc::new([]), NONE));
        }
        if largest == ALL {
            return Some((Rc::new([Cube::ALL]), ALL));
        }
        if let Some(known) = self.known.get(&(least, largest)) {
            return Some(known.clone());
        }
        let level = [least, largest].into_iter().filter_map(|d| self.diagrams.of(d));
        let level = level.map(|node| node.level).min()?;
        let [(low, low_largest), (high, high_largest)] = self.ways(level, least, largest);
        // What one value of the bit has, and the other may not have.
        let only_low = self.diagrams.less(low, high_largest)?;
        let only_high = self.diagrams.less(high, low_largest)?;
        let (zeros, has_low) = self.between(only_low, low_largest)?;
        let (ones, has_high) = self.between(only_high, high_largest)?;
        // The rest, whatever the bit is.
        let (left_low, left_high) =
            (self.diagrams.less(low, has_low)?, self.diagrams.less(high, has_high)?);
        let left = self.diagrams.or(left_low, left_high)?;
        let may = self.diagrams.and(low_largest, high_largest)?;
        let (both, has_both) = self.between(left, may)?;
        let count = zeros.len() + ones.len() + both.len();
        self.room = self.room.checked_sub(count)?;
        (count <= self.most).then_some(())?;
        let bit = 1 << self.diagrams.order.get(level)?;
        let zeros = zeros.iter().map(|cube| cube.with(bit, 0));
        let ones = ones.iter().map(|cube| cube.with(bit, bit));
        let cubes: Rc<[Cube]> = zeros.chain(ones).chain(both.iter().copied()).collect();
        let zero = self.diagrams.or(has_low, has_both)?;
        let one = self.diagrams.or(has_high, has_both)?;
        let has = self.diagrams.node(Node { level, zero, one })?;
        self.known.insert((least, largest), (Rc::clone(&cubes), has));
        Some((cubes, has))
    }

    /// Both diagrams where the bit of a level is 0, and where it is 1.
    fn ways(&self, level: usize, least: Diagram, largest: Diagram) -> [(Diagram, Diagram); 2] {
        let ways = |diagram: Diagram| match self.diagrams.of(diagram) {
            Some(node) if node.level == level => (node.zero, node.one),
            _ => (diagram, diagram),
        };
        let (least, largest) = (ways(least), ways(largest));
        [(least.0, largest.0), (least.1, largest.1)]
    }
}
