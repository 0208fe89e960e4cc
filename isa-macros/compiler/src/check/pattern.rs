//! The texts that an opcode takes, as far as the macro can know them: a small program that is run
//! over the words and marks of a line.
//!
//! What a Rust type reads is any run of words and marks, so that a line which assembles always
//! matches; one that matches need not assemble.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::model::{Affix, Field, Init, Item, Kind, Model, Opcode, Value};
use crate::syntax::ast::Lexeme;
use crate::syntax::parts;

/// A step of a pattern.
enum Step<'m> {
    /// A word or a mark.
    Text(String),
    /// The modifiers of the mnemonic.
    Modifiers,
    /// The name of a value, marks and modifiers around it aside.
    Value(&'m Field, &'m Kind, &'m [Affix]),
    /// An operand of a Rust type: any words and marks, at least one.
    Operand(&'m Kind),
    /// Trailing settings: any words and marks, or none.
    Settings,
    /// What follows, or else what stands at this step.
    Either(usize),
}

/// Where a line stops to be one of a pattern, and what would go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// A place among the lexemes; their number at the end of the line.
    pub(super) at: usize,
    /// What may stand at that place.
    pub(super) expected: Vec<String>,
}

/// A place among the lexemes that a step does not take, and what it would.
type Refusal = (usize, Vec<String>);

/// Where one reading of a line ends.
struct Stop {
    step: usize,
    at: usize,
    /// How many words and marks the operands of the reading have beyond one each.
    extra: usize,
    expected: Vec<String>,
}

/// The texts of one opcode.
pub(super) struct Pattern<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
    steps: Vec<Step<'m>>,
}

impl<'m> Pattern<'m> {
    /// The pattern of an opcode; `None` where a modifier is read by a Rust type.
    pub(super) fn of(model: &'m Model, opcode: &'m Opcode) -> Option<Self> {
        let syntax = &model.syntaxes[opcode.syntax];
        let mut pattern = Pattern { model, opcode, steps: Vec::new() };
        let modifiers = syntax.modifiers.iter().filter_map(|m| pattern.bound(m.symbol));
        if modifiers.into_iter().any(|(place, field)| pattern.values(place, field).is_none()) {
            return None;
        }
        pattern.items(&syntax.before);
        if !syntax.mnemonic.is_empty() {
            pattern.text(&syntax.mnemonic);
            pattern.steps.push(Step::Modifiers);
        }
        pattern.items(&syntax.after);
        Some(pattern)
    }

    fn bound(&self, symbol: usize) -> Option<(usize, &'m Field)> {
        let place = self.opcode.bound(symbol)?;
        Some((place, self.model.at(self.opcode, place)))
    }

    /// The set whose names a field is written by.
    fn values(&self, place: usize, field: &Field) -> Option<&'m Kind> {
        let kind = &self.model.kinds[field.kind];
        let formatted = self.opcode.format_of(place).is_some();
        (kind.is_set() && !formatted).then_some(kind)
    }

    fn text(&mut self, text: &str) {
        self.steps.extend(parts(text).into_iter().map(Step::Text));
    }

    fn items(&mut self, items: &'m [Item]) {
        for item in items {
            match item {
                Item::Text(text) => self.text(text),
                Item::Tags(_) => self.steps.push(Step::Settings),
                Item::Optional(inner) => {
                    let split = self.steps.len();
                    self.steps.push(Step::Either(0));
                    self.items(inner);
                    self.steps[split] = Step::Either(self.steps.len());
                }
                Item::Slot { symbol, affixes, .. } => {
                    let Some((place, field)) = self.bound(*symbol) else { continue };
                    self.steps.push(match self.values(place, field) {
                        Some(kind) => Step::Value(field, kind, affixes),
                        None => Step::Operand(&self.model.kinds[field.kind]),
                    });
                }
            }
        }
    }

    /// Whether the line is one of the pattern; else where that reading ends that came furthest in
    /// the pattern, with what it and those that took the operands alike expect there.
    pub(super) fn matches(&self, line: &[Lexeme]) -> Result<(), Mismatch> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![(0, 0, 0)]);
        let mut stops: Vec<Stop> = Vec::new();
        while let Some((step, at, extra)) = open.pop() {
            if !seen.insert((step, at, extra)) {
                continue;
            }
            if step == self.steps.len() && at == line.len() {
                return Ok(());
            }
            match self.next(step, at, line) {
                Ok(next) => open.extend(next.into_iter().map(|(next, to)| {
                    let longer = next == step && to > at;
                    (next, to, extra + usize::from(longer))
                })),
                Err((at, expected)) => stops.push(Stop { step, at, extra, expected }),
            }
        }
        let rank = |stop: &&Stop| (stop.step, Reverse(stop.at), Reverse(stop.extra));
        let best = stops.iter().max_by_key(rank).map_or((0, 0), |stop| (stop.at, stop.extra));
        let alike = stops.into_iter().filter(|stop| (stop.at, stop.extra) == best);
        let expected: BTreeSet<String> = alike.flat_map(|stop| stop.expected).collect();
        Err(Mismatch { at: best.0, expected: expected.into_iter().collect() })
    }

    /// Where a step leads to, or what it expects where.
    fn next(
        &self,
        step: usize,
        at: usize,
        line: &[Lexeme],
    ) -> Result<Vec<(usize, usize)>, Refusal> {
        let word = line.get(at).map(|lexeme| lexeme.text.as_str());
        match self.steps.get(step) {
            None => Err((at, vec!["`;`".to_owned()])),
            // A `;` that only the template has, or only the line.
            Some(Step::Text(text)) if text == ";" && word.is_none() => Ok(vec![(step + 1, at)]),
            Some(Step::Text(text))
                if word.is_some_and(|word| self.model.is_read_as(text, word)) =>
            {
                Ok(vec![(step + 1, at + 1)])
            }
            Some(Step::Text(text)) => Err((at, vec![format!("`{text}`")])),
            Some(Step::Either(other)) => Ok(vec![(*other, at), (step + 1, at)]),
            Some(Step::Operand(_)) if word.is_some() => {
                Ok(vec![(step, at + 1), (step + 1, at + 1)])
            }
            Some(Step::Operand(kind)) => Err((at, vec![format!("a `{}`", kind.name)])),
            Some(Step::Settings) if word.is_some() => Ok(vec![(step, at + 1), (step + 1, at)]),
            Some(Step::Settings) => Ok(vec![(step + 1, at)]),
            Some(Step::Modifiers) => Ok(vec![(step + 1, self.modifiers(at, line)?)]),
            Some(Step::Value(field, kind, marks)) => {
                Ok(vec![(step + 1, value(self.model, (field, kind), marks, at, line)?)])
            }
        }
    }

    /// Reads the modifiers as the parser does: each fills the first place that takes it.
    fn modifiers(&self, mut at: usize, line: &[Lexeme]) -> Result<usize, Refusal> {
        let modifiers = &self.model.syntaxes[self.opcode.syntax].modifiers;
        let mut open: Vec<_> = modifiers
            .iter()
            .filter_map(|modifier| Some((modifier, self.bound(modifier.symbol)?.1)))
            .collect();
        let fitting = |only: Option<u64>, field: &Field| -> Vec<&Value> {
            let values = self.model.kinds[field.kind].values().iter();
            let fits = values.filter(|v| match field.init {
                Init::Fixed(raw) => raw == v.raw,
                _ => only.is_none_or(|raw| raw == v.raw),
            });
            fits.collect()
        };
        let list = |open: &[(&crate::model::Modifier, &Field)]| -> Vec<String> {
            let all = open.iter().flat_map(|(m, field)| fitting(m.only, field));
            all.map(|value| format!("`.{}`", value.text)).collect()
        };
        while line.get(at).is_some_and(|lexeme| lexeme.text == ".") {
            let name = line.get(at + 1).map(|lexeme| &lexeme.text);
            let taker = open.iter().position(|(modifier, field)| {
                let values = fitting(modifier.only, field);
                name.is_some_and(|name| is_name_of(self.model, values.into_iter(), name))
            });
            let Some(taker) = taker else { return Err((at + 1, list(&open))) };
            open.remove(taker);
            at += 2;
        }
        open.retain(|(modifier, _)| !modifier.optional);
        if open.is_empty() { Ok(at) } else { Err((at, list(&open[..1]))) }
    }
}

/// Whether one of some values is read where a word stands.
fn is_name_of<'v>(model: &Model, mut values: impl Iterator<Item = &'v Value>, word: &str) -> bool {
    values.any(|value| value.spellings().any(|name| model.is_read_as(name, word)))
}

/// Reads the name of a value. Marks and modifiers at it are not judged.
fn value(
    model: &Model,
    (field, kind): (&Field, &Kind),
    marks: &[Affix],
    mut at: usize,
    line: &[Lexeme],
) -> Result<usize, Refusal> {
    let is = |at: usize, text: &str| line.get(at).is_some_and(|lexeme| lexeme.text == text);
    let marked = |at: usize| marks.iter().any(|m| is(at, &m.open) || is(at, &m.close));
    while marked(at) {
        at += 1;
    }
    let fits = |raw: u64| !matches!(field.init, Init::Fixed(fixed) if fixed != raw);
    let values = || kind.values().iter().filter(|v| fits(v.raw));
    if !line.get(at).is_some_and(|lexeme| is_name_of(model, values(), &lexeme.text)) {
        return Err((at, values().map(|v| format!("`{}`", v.text)).collect()));
    }
    at += 1;
    loop {
        match is(at, ".") {
            true => at += 2,
            false if marked(at) => at += 1,
            false => return Ok(at),
        }
    }
}
