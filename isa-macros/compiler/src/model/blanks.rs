//! The blanks that printing puts between the parts of a template.
//!
//! There is one rule, [`is_due`]: whether a blank is printed between two parts depends on the end
//! of the first and the start of the second. The rule applies to every combination of optional
//! parts. The tables contain only fixed text, so [`Placing`] decides for each blank whether the
//! text before it or the text after it contains the blank. For example, `, {pu, }ra` prints `, R1`
//! and `, P1, R1`.

use super::TemplateItem;

/// A part of a template before its blanks are placed.
#[derive(Debug, PartialEq)]
pub(super) enum Draft {
    Text(String),
    /// `,` without quotes.
    Comma,
    /// `_`: no blank is printed here.
    Tight,
    Slot {
        item: TemplateItem,
        name: String,
    },
    Tags(Vec<usize>),
    Optional(Vec<Draft>),
}

/// A template before its blanks are placed.
pub(super) struct Drafts {
    pub(super) before: Vec<Draft>,
    /// Empty if the template has no mnemonic.
    pub(super) mnemonic: String,
    pub(super) after: Vec<Draft>,
}

/// The end of a printed part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartEnd {
    /// The start of the line, `_`, or text that ends with a blank.
    Tight,
    /// Other text.
    Text,
    /// An operand, or a part in braces.
    Word,
    /// The mnemonic with its modifiers, a comma without quotes, a part before the mnemonic, or
    /// trailing attributes, present or not.
    Due,
}

/// The start of a printed part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartStart {
    /// The end of the line, `;`, `_`, trailing attributes, which print blanks of their own, or text
    /// that begins with a blank.
    Tight,
    /// Other text.
    Text,
    /// An operand, the mnemonic, or text that begins with a letter, a digit or `_`.
    Word,
}

/// Returns true if a blank is printed between two parts.
fn is_due(end: PartEnd, start: PartStart) -> bool {
    match (end, start) {
        (PartEnd::Tight, _) | (_, PartStart::Tight) => false,
        (PartEnd::Due, _) => true,
        (PartEnd::Word, start) => start == PartStart::Word,
        (PartEnd::Text, _) => false,
    }
}

/// Returns true for the characters of words in assembly text.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Draft {
    fn start(&self) -> PartStart {
        match self {
            Draft::Text(text) if text.starts_with([' ', ';']) => PartStart::Tight,
            Draft::Text(text) if text.starts_with(is_word) => PartStart::Word,
            Draft::Text(_) | Draft::Comma => PartStart::Text,
            Draft::Slot { .. } => PartStart::Word,
            Draft::Tight | Draft::Tags(_) | Draft::Optional(_) => PartStart::Tight,
        }
    }

    fn end(&self) -> PartEnd {
        match self {
            Draft::Text(text) if text.ends_with(' ') => PartEnd::Tight,
            Draft::Text(_) => PartEnd::Text,
            Draft::Comma | Draft::Tags(_) => PartEnd::Due,
            Draft::Slot { .. } | Draft::Optional(_) => PartEnd::Word,
            Draft::Tight => PartEnd::Tight,
        }
    }

    /// Returns true for a part that is always present and can contain a blank.
    fn is_fixed(&self) -> bool {
        matches!(self, Draft::Text(_) | Draft::Comma | Draft::Slot { .. })
    }

    fn label(&self) -> String {
        match self {
            Draft::Text(text) => text.clone(),
            Draft::Comma => ",".to_owned(),
            Draft::Slot { name, .. } => name.clone(),
            Draft::Tight | Draft::Tags(_) | Draft::Optional(_) => "_".to_owned(),
        }
    }
}

impl Drafts {
    /// Returns the items before and after the mnemonic with their blanks. Also returns an error
    /// message if a blank depends on several optional parts, so that the text of no single part can
    /// contain it.
    pub(super) fn placed(&mut self) -> ([Vec<TemplateItem>; 2], Option<String>) {
        share_texts(&mut self.before);
        share_texts(&mut self.after);
        let mut placing = Placing::default();
        let mut lefts = vec![placing.open_end("the beginning".to_owned())];
        let last = self.before.len().wrapping_sub(1);
        for (place, draft) in self.before.iter().enumerate() {
            lefts = placing.draft(draft, lefts);
            if place == last || matches!(draft, Draft::Optional(_)) {
                placing.end_guard(&mut lefts);
            }
        }
        if !self.mnemonic.is_empty() {
            let mnemonic = placing.node(self.mnemonic.clone(), [false, true]);
            placing.follow(&lefts, mnemonic, PartStart::Word);
            lefts = vec![(mnemonic, PartEnd::Due)];
        }
        let first = placing.nodes.len();
        lefts = placing.drafts(&self.after, lefts);
        let end = placing.node("the end".to_owned(), [false, false]);
        placing.follow(&lefts, end, PartStart::Tight);
        let misfit = placing.solve();
        let mut writer = ItemBuilder { nodes: &placing.nodes, next: 1 };
        let before = writer.items(&self.before, Vec::new());
        let blank = match first.checked_sub(1) {
            Some(mnemonic) if !self.mnemonic.is_empty() && placing.nodes[mnemonic].has(AFTER) => {
                " "
            }
            _ => "",
        };
        writer.next = first;
        let mut after = Vec::new();
        push_text(&mut after, blank);
        ([before, writer.items(&self.after, after)], misfit)
    }
}

/// If an optional part and the text after it begin with the same text, moves this text before the
/// part: `{, pu}, ra` is parsed and printed as `, {pu, }ra`. The operands then show whether the
/// part is present.
fn share_texts(drafts: &mut Vec<Draft>) {
    for place in (0..drafts.len()).rev() {
        let mut at = place;
        while let [Draft::Optional(inner), next, ..] = &mut drafts[at..]
            && inner.len() > 1
            && matches!(next, Draft::Text(_) | Draft::Comma)
            && inner[0] == *next
        {
            let text = inner.remove(0);
            inner.push(std::mem::replace(next, Draft::Tight));
            drafts.remove(at + 1);
            drafts.insert(at, text);
            at += 1;
        }
        if let Some(Draft::Optional(inner)) = drafts.get_mut(at) {
            share_texts(inner);
        }
    }
}

/// The indexes of the blanks before and after a node.
const BEFORE: usize = 0;
const AFTER: usize = 1;

/// A part that may have a blank before or after it.
struct SpacedPart {
    label: String,
    /// Whether a blank is printed before and after it; `None` if this is not decided yet.
    blank: [Option<bool>; 2],
    /// The nodes that can come directly before this node, and those that can come directly after
    /// it. Each is paired with whether a blank must be printed between the two.
    neighbours: [Vec<(usize, bool)>; 2],
    /// Whether the text of this node contains the blanks after it if possible.
    closes: bool,
    /// Whether it is a sign: text that does not begin with a word.
    is_sign: bool,
}

impl SpacedPart {
    fn has(&self, side: usize) -> bool {
        self.blank[side] == Some(true)
    }
}

/// The nodes that can be printed directly before another one.
type Lefts = Vec<(usize, PartEnd)>;

/// Decides which text contains each blank.
#[derive(Default)]
struct Placing {
    nodes: Vec<SpacedPart>,
}

impl Placing {
    /// Adds a node. `can` states whether its text can contain a blank before it, and a blank after
    /// it.
    fn node(&mut self, label: String, can: [bool; 2]) -> usize {
        let blank = can.map(|can| if can { None } else { Some(false) });
        let neighbours = [Vec::new(), Vec::new()];
        self.nodes.push(SpacedPart { label, blank, neighbours, closes: false, is_sign: false });
        self.nodes.len() - 1
    }

    /// Adds the start of the line.
    fn open_end(&mut self, label: String) -> (usize, PartEnd) {
        (self.node(label, [false, false]), PartEnd::Tight)
    }

    fn follow(&mut self, lefts: &Lefts, node: usize, start: PartStart) {
        self.nodes[node].is_sign = start == PartStart::Text;
        for &(left, end) in lefts {
            let due = is_due(end, start);
            self.nodes[left].neighbours[AFTER].push((node, due));
            self.nodes[node].neighbours[BEFORE].push((left, due));
        }
    }

    fn drafts(&mut self, drafts: &[Draft], lefts: Lefts) -> Lefts {
        drafts.iter().fold(lefts, |lefts, draft| self.draft(draft, lefts))
    }

    /// Adds a part of the template. Returns the nodes that can be printed last before the next
    /// part.
    fn draft(&mut self, draft: &Draft, mut lefts: Lefts) -> Lefts {
        if let Draft::Optional(inner) = draft {
            let inner = self.drafts(inner, lefts.clone());
            for (node, end) in inner {
                if !lefts.iter().any(|(known, _)| *known == node) {
                    lefts.push((node, if end == PartEnd::Text { PartEnd::Word } else { end }));
                }
            }
            return lefts;
        }
        let node = self.node(draft.label(), [draft.is_fixed(); 2]);
        self.nodes[node].closes = *draft == Draft::Comma;
        self.follow(&lefts, node, draft.start());
        match draft {
            // All trailing attributes may be left out.
            Draft::Tags(_) => {
                for (_, end) in lefts.iter_mut().filter(|(_, end)| *end != PartEnd::Tight) {
                    *end = PartEnd::Due;
                }
                lefts.push((node, draft.end()));
            }
            _ => lefts = vec![(node, draft.end())],
        }
        lefts
    }

    /// Marks the end of a part before the mnemonic.
    fn end_guard(&mut self, lefts: &mut Lefts) {
        for (node, end) in lefts.iter_mut().filter(|(_, end)| *end != PartEnd::Tight) {
            *end = PartEnd::Due;
            self.nodes[*node].closes = true;
        }
    }

    /// Decides on all blanks. Whether a blank before a sign must be printed may depend on several
    /// optional parts, so that no text can contain the blank. Such a blank is not printed. For any
    /// other blank that depends on several optional parts, returns an error message.
    fn solve(&mut self) -> Option<String> {
        let given: Vec<[Option<bool>; 2]> = self.nodes.iter().map(|node| node.blank).collect();
        loop {
            let misfit = self.decide()?;
            let Some((_, sign)) = self.mixed(|node| node.is_sign) else {
                let (before, after) = self.mixed(|_| true).unwrap_or(misfit);
                let [before, after] = [before, after].map(|node| &self.nodes[node].label);
                return Some(format!(
                    "the blank between `{before}` and `{after}` depends on several optional \
                     groups\nhelp: write `\" \"` before `{after}` to print it always, or `_` to \
                     print it never"
                ));
            };
            for (left, _) in std::mem::take(&mut self.nodes[sign].neighbours[BEFORE]) {
                self.nodes[sign].neighbours[BEFORE].push((left, false));
                let after = self.nodes[left].neighbours[AFTER].iter_mut();
                after.filter(|(node, _)| *node == sign).for_each(|(_, due)| *due = false);
            }
            for (node, given) in self.nodes.iter_mut().zip(&given) {
                node.blank = *given;
            }
        }
    }

    /// Decides on all blanks. If this is impossible, returns two nodes between which the blank is
    /// wrong.
    fn decide(&mut self) -> Option<(usize, usize)> {
        let decided = |node: &SpacedPart, side: usize| node.blank[side].is_some();
        let given: Vec<(usize, usize)> = (0..self.nodes.len())
            .flat_map(|node| [(node, BEFORE), (node, AFTER)])
            .filter(|&(node, side)| decided(&self.nodes[node], side))
            .collect();
        let mut misfit = None;
        for (node, side) in given {
            misfit = misfit.or(self.spread(node, side).err());
        }
        let (closing, others): (Vec<usize>, Vec<usize>) =
            (0..self.nodes.len()).partition(|&node| self.nodes[node].closes);
        for node in closing.into_iter().chain(others) {
            let first = self.nodes[node].closes;
            if !decided(&self.nodes[node], AFTER) {
                misfit = misfit.or(self.try_both(node, first).err());
            }
        }
        misfit
    }

    /// Searches for a node that must follow some of its possible predecessors with a blank, and
    /// other predecessors without a blank. Returns the last predecessor without a blank, and the
    /// node.
    fn mixed(&self, is_meant: impl Fn(&SpacedPart) -> bool) -> Option<(usize, usize)> {
        let meant = self.nodes.iter().enumerate().rev().filter(|(_, node)| is_meant(node));
        meant.into_iter().find_map(|(node, after)| {
            let lefts = &after.neighbours[BEFORE];
            let (before, _) = lefts.iter().rfind(|(_, due)| !due)?;
            lefts.iter().any(|(_, due)| *due).then_some((*before, node))
        })
    }

    /// Decides whether the text of a node contains the blank after it. Tries `first`, and then the
    /// opposite.
    fn try_both(&mut self, node: usize, first: bool) -> Result<(), (usize, usize)> {
        let known: Vec<[Option<bool>; 2]> = self.nodes.iter().map(|node| node.blank).collect();
        let mut outcome = Ok(());
        for blank in [first, !first] {
            self.nodes[node].blank[AFTER] = Some(blank);
            outcome = self.spread(node, AFTER);
            if outcome.is_ok() {
                break;
            }
            for (node, known) in self.nodes.iter_mut().zip(&known) {
                node.blank = *known;
            }
        }
        if outcome.is_err() {
            self.nodes[node].blank[AFTER] = Some(false);
        }
        outcome
    }

    /// Decides on the blanks that follow from a decision. Fails with two nodes if the blank between
    /// them cannot be printed as required.
    fn spread(&mut self, node: usize, side: usize) -> Result<(), (usize, usize)> {
        let mut open = vec![(node, side)];
        while let Some((node, side)) = open.pop() {
            let blank = self.nodes[node].has(side);
            for (other, due) in self.nodes[node].neighbours[side].clone() {
                let there = &mut self.nodes[other].blank[1 - side];
                let needed = due && !blank;
                let fits = (due || !blank) && there.is_none_or(|there| there == needed);
                if !fits {
                    return Err(if side == AFTER { (node, other) } else { (other, node) });
                }
                if there.replace(needed).is_none() {
                    open.push((other, 1 - side));
                }
            }
        }
        Ok(())
    }
}

/// Converts the parts of a template to items with blanks.
struct ItemBuilder<'n> {
    nodes: &'n [SpacedPart],
    /// The node of the next part.
    next: usize,
}

impl ItemBuilder<'_> {
    /// Appends the items of `drafts` to `items`.
    fn items(&mut self, drafts: &[Draft], mut items: Vec<TemplateItem>) -> Vec<TemplateItem> {
        for draft in drafts {
            if let Draft::Optional(inner) = draft {
                let inner = self.items(inner, Vec::new());
                items.push(TemplateItem::Optional(inner));
                continue;
            }
            let node = &self.nodes[self.next];
            self.next += 1;
            let [before, after] = [BEFORE, AFTER].map(|side| if node.has(side) { " " } else { "" });
            push_text(&mut items, before);
            match draft {
                Draft::Text(text) => push_text(&mut items, text),
                Draft::Comma => push_text(&mut items, ","),
                Draft::Slot { item, .. } => items.push(item.clone()),
                Draft::Tags(symbols) => items.push(TemplateItem::Tags(symbols.clone())),
                // The texts on both sides of `_` remain separate.
                Draft::Tight | Draft::Optional(_) => items.push(TemplateItem::Text(String::new())),
            }
            push_text(&mut items, after);
        }
        items.retain(|item| !matches!(item, TemplateItem::Text(text) if text.is_empty()));
        items
    }
}

/// Appends text to the last item if that is a text, or else adds a text.
fn push_text(items: &mut Vec<TemplateItem>, text: &str) {
    match items.last_mut() {
        _ if text.is_empty() => {}
        Some(TemplateItem::Text(last)) => last.push_str(text),
        _ => items.push(TemplateItem::Text(text.to_owned())),
    }
}
