//! Checks examples: each must match the template of an opcode that inherits from the node that declares
//! it.
//!
//! Matches an example line against the template of an opcode, as far as the macro knows the syntax.
//!
//! A template becomes a small program that runs over the lexemes of a line. An operand of a Rust type
//! matches any sequence of lexemes, because the macro cannot call its parser. So each line that
//! assembles matches, but a line that matches does not always assemble.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostics, did_you_mean, nearest};
use crate::model::{
    Affix, FieldType, Init, Model, NamedValue, Opcode, ResolvedField, TemplateItem, describe,
};
use crate::syntax::ast::{Example, Lexeme, NodeDecl};
use crate::syntax::parts;

/// Checks that an example matches the template of an opcode that inherits from the node of the example.
/// A generated test checks whether the Rust types of operands accept the example.
pub(crate) fn check_examples(model: &Model, diag: &mut Diagnostics) {
    let heirs = model.descendants_with_examples(model.spellings());
    for (node, heirs) in model.nodes.iter().zip(heirs) {
        if heirs.is_empty() || !heirs.iter().all(|opcode| opcode.is_valid) {
            continue;
        }
        for example in &node.examples {
            check_example(model, node, &heirs, example, diag);
        }
    }
}

fn check_example(
    model: &Model,
    node: &NodeDecl,
    heirs: &[&Opcode],
    example: &Example,
    diag: &mut Diagnostics,
) {
    let named: Vec<&&Opcode> = heirs
        .iter()
        .filter(|opcode| has_mnemonic(model, &example.lexemes, mnemonic(model, opcode)))
        .collect();
    let mut stops = Vec::new();
    for opcode in &named {
        match Pattern::of(model, opcode).map(|pattern| pattern.matches(&example.lexemes)) {
            Some(Err(stop)) => stops.push(stop),
            Some(Ok(())) | None => return,
        }
    }
    let mut others =
        model.valid_spellings().filter(|other| heirs.iter().all(|o| o.node != other.node));
    let fits = |other: &&Opcode| {
        Pattern::of(model, other).is_some_and(|p| p.matches(&example.lexemes).is_ok())
    };
    let (owner, mnemonics) = (others.find(fits), mnemonics(model, heirs));
    match owner {
        Some(owner) => report_owner(node, owner, example, diag),
        None if named.is_empty() => report_mnemonic(node, &mnemonics, example, diag),
        None => report_mismatch(node, stops, example, diag),
    }
}

fn mnemonic<'m>(model: &'m Model, opcode: &Opcode) -> &'m str {
    &model.syntaxes[opcode.syntax].mnemonic
}

fn mnemonics<'m>(model: &'m Model, opcodes: &[&Opcode]) -> Vec<&'m str> {
    let mut found: Vec<&str> = opcodes.iter().map(|opcode| mnemonic(model, opcode)).collect();
    found.retain(|mnemonic| !mnemonic.is_empty());
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns whether a line contains the first word of a mnemonic. Every line contains an empty mnemonic.
fn has_mnemonic(model: &Model, line: &[Lexeme], mnemonic: &str) -> bool {
    let stem = mnemonic.split('.').next().unwrap_or_default();
    stem.is_empty() || line.iter().any(|lexeme| model.is_parsed_as(stem, &lexeme.text))
}

fn report_owner(node: &NodeDecl, owner: &Opcode, example: &Example, diag: &mut Diagnostics) {
    let message = format!(
        "this is an example of opcode `{}`, which does not inherit from {}\nhelp: move it there",
        owner.name,
        describe(node)
    );
    report(message, example, 0, diag);
}

fn report_mnemonic(node: &NodeDecl, mnemonics: &[&str], example: &Example, diag: &mut Diagnostics) {
    let known = || mnemonics.iter().copied();
    let meant = example.lexemes.iter().position(|lexeme| nearest(&lexeme.text, known()).is_some());
    let message = format!(
        "this is not an example of {}\nhelp: an example here begins with `{}`",
        describe(node),
        mnemonics.join("`, `")
    );
    report(message, example, meant.unwrap_or(0), diag);
}

/// Reports the first position at which every template fails, and the text that the templates expect at
/// this position.
fn report_mismatch(
    node: &NodeDecl,
    stops: Vec<Mismatch>,
    example: &Example,
    diag: &mut Diagnostics,
) {
    let at = stops.iter().map(|stop| stop.at).max().unwrap_or(0);
    let mut expected: Vec<String> =
        stops.into_iter().filter(|stop| stop.at == at).flat_map(|stop| stop.expected).collect();
    expected.sort();
    expected.dedup();
    let found = example.lexemes.get(at).map(|lexeme| lexeme.text.as_str());
    let bare = |name: &String| name.trim_matches(['`', '.']).to_owned();
    let names: Vec<String> = expected.iter().map(bare).collect();
    let dotted = at > 0 && example.lexemes[at - 1].text == ".";
    let known = names.iter().zip(&expected).filter(|(_, shown)| shown.starts_with("`.") == dotted);
    let hint = did_you_mean(found.unwrap_or_default(), known.map(|(name, _)| name.as_str()));
    let what = match found {
        Some(found) => format!("no template of {} accepts `{found}` here{hint}", describe(node)),
        None => format!("the line ends too early for every template of {}", describe(node)),
    };
    let help = match expected.len() {
        0 => "no further modifier is accepted".to_owned(),
        1 => format!("expected {}", expected[0]),
        _ => format!("expected one of {}", expected.join(", ")),
    };
    report(format!("{what}\nhelp: {help}"), example, at, diag);
}

/// Reports an error at a lexeme of the line, or at the last lexeme.
fn report(message: String, example: &Example, at: usize, diag: &mut Diagnostics) {
    if let Some(lexeme) = example.lexemes.get(at).or(example.lexemes.last()) {
        diag.error(Code::Example, lexeme.span, message);
    }
}

/// A step of a pattern.
enum PatternStep<'m> {
    /// A word or a punctuation character.
    Text(String),
    /// The modifiers of the mnemonic.
    Modifiers,
    /// The name of a value, with optional prefix and suffix operators and modifiers around it.
    Value(&'m ResolvedField, &'m FieldType, &'m [Affix]),
    /// An operand of a Rust type: any sequence of at least one lexeme.
    Operand(&'m FieldType),
    /// Trailing attributes: any sequence of lexemes, or none.
    Settings,
    /// Continues at the next step, or alternatively at the step with this index.
    Either(usize),
}

/// The position at which a line stops matching a pattern, and the text that the pattern expects there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// An index into the lexemes, or their number if the line ended too early.
    pub(super) at: usize,
    /// The lexemes that would match at that position.
    pub(super) expected: Vec<String>,
}

/// The position of a lexeme that a step does not match, and the text that the step expects.
type Refusal = (usize, Vec<String>);

/// The end of one attempt to match a line.
struct MatchEnd {
    step: usize,
    at: usize,
    /// The number of lexemes that operands matched in this attempt, beyond one for each operand.
    extra: usize,
    expected: Vec<String>,
}

/// The template of one opcode as a program.
pub(super) struct Pattern<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
    steps: Vec<PatternStep<'m>>,
}

impl<'m> Pattern<'m> {
    /// Creates the pattern of an opcode. Returns `None` if a modifier is parsed by a Rust type.
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
            pattern.steps.push(PatternStep::Modifiers);
        }
        pattern.items(&syntax.after);
        Some(pattern)
    }

    fn bound(&self, symbol: usize) -> Option<(usize, &'m ResolvedField)> {
        let place = self.opcode.bound(symbol)?;
        Some((place, self.model.at(self.opcode, place)))
    }

    /// Returns the value set whose names are printed for a field.
    fn values(&self, place: usize, field: &ResolvedField) -> Option<&'m FieldType> {
        let kind = self.model.type_of(field);
        let formatted = self.opcode.format_of(place).is_some();
        (kind.is_set() && !formatted).then_some(kind)
    }

    fn text(&mut self, text: &str) {
        self.steps.extend(parts(text).into_iter().map(PatternStep::Text));
    }

    fn items(&mut self, items: &'m [TemplateItem]) {
        for item in items {
            match item {
                TemplateItem::Text(text) => self.text(text),
                TemplateItem::Tags(_) => self.steps.push(PatternStep::Settings),
                TemplateItem::Optional(inner) => {
                    let split = self.steps.len();
                    self.steps.push(PatternStep::Either(0));
                    self.items(inner);
                    self.steps[split] = PatternStep::Either(self.steps.len());
                }
                TemplateItem::Slot { symbol, affixes, .. } => {
                    let Some((place, field)) = self.bound(*symbol) else { continue };
                    self.steps.push(match self.values(place, field) {
                        Some(kind) => PatternStep::Value(field, kind, affixes),
                        None => PatternStep::Operand(self.model.type_of(field)),
                    });
                }
            }
        }
    }

    /// Matches a line against the pattern. If it does not match, returns the position and the expected
    /// text of the attempt that reached the latest step. Other attempts may have stopped at the same
    /// position with operands of the same total length; their expected text is added.
    pub(super) fn matches(&self, line: &[Lexeme]) -> Result<(), Mismatch> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![(0, 0, 0)]);
        let mut stops: Vec<MatchEnd> = Vec::new();
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
                Err((at, expected)) => stops.push(MatchEnd { step, at, extra, expected }),
            }
        }
        let rank = |stop: &&MatchEnd| (stop.step, Reverse(stop.at), Reverse(stop.extra));
        let best = stops.iter().max_by_key(rank).map_or((0, 0), |stop| (stop.at, stop.extra));
        let alike = stops.into_iter().filter(|stop| (stop.at, stop.extra) == best);
        let expected: BTreeSet<String> = alike.flat_map(|stop| stop.expected).collect();
        Err(Mismatch { at: best.0, expected: expected.into_iter().collect() })
    }

    /// Returns the next steps and positions, or the text that the step expects.
    fn next(
        &self,
        step: usize,
        at: usize,
        line: &[Lexeme],
    ) -> Result<Vec<(usize, usize)>, Refusal> {
        let word = line.get(at).map(|lexeme| lexeme.text.as_str());
        match self.steps.get(step) {
            None => Err((at, vec!["`;`".to_owned()])),
            // If the template ends with `;`, the line may omit it.
            Some(PatternStep::Text(text)) if text == ";" && word.is_none() => {
                Ok(vec![(step + 1, at)])
            }
            Some(PatternStep::Text(text))
                if word.is_some_and(|word| self.model.is_parsed_as(text, word)) =>
            {
                Ok(vec![(step + 1, at + 1)])
            }
            Some(PatternStep::Text(text)) => Err((at, vec![format!("`{text}`")])),
            Some(PatternStep::Either(other)) => Ok(vec![(*other, at), (step + 1, at)]),
            Some(PatternStep::Operand(_)) if word.is_some() => {
                Ok(vec![(step, at + 1), (step + 1, at + 1)])
            }
            Some(PatternStep::Operand(kind)) => Err((at, vec![format!("a `{}`", kind.name)])),
            Some(PatternStep::Settings) if word.is_some() => {
                Ok(vec![(step, at + 1), (step + 1, at)])
            }
            Some(PatternStep::Settings) => Ok(vec![(step + 1, at)]),
            Some(PatternStep::Modifiers) => Ok(vec![(step + 1, self.modifiers(at, line)?)]),
            Some(PatternStep::Value(field, kind, marks)) => {
                Ok(vec![(step + 1, value(self.model, (field, kind), marks, at, line)?)])
            }
        }
    }

    /// Matches modifiers as the parser does: each fills the first position that accepts it.
    fn modifiers(&self, mut at: usize, line: &[Lexeme]) -> Result<usize, Refusal> {
        let modifiers = &self.model.syntaxes[self.opcode.syntax].modifiers;
        let mut open: Vec<_> = modifiers
            .iter()
            .filter_map(|modifier| Some((modifier, self.bound(modifier.symbol)?.1)))
            .collect();
        let fitting = |only: Option<u64>, field: &ResolvedField| -> Vec<&NamedValue> {
            let values = self.model.type_of(field).values().iter();
            let fits = values.filter(|v| match field.init {
                Init::Fixed(raw) => raw == v.raw,
                _ => only.is_none_or(|raw| raw == v.raw),
            });
            fits.collect()
        };
        let list = |open: &[(&crate::model::TemplateModifier, &ResolvedField)]| -> Vec<String> {
            let all = open.iter().flat_map(|(m, field)| fitting(m.only, field));
            all.map(|value| format!("`.{}`", value.text)).collect()
        };
        while line.get(at).is_some_and(|lexeme| lexeme.text == ".") {
            let name = line.get(at + 1..).unwrap_or_default();
            let lengths = open.iter().map(|(modifier, field)| {
                name_length(self.model, fitting(modifier.only, field).into_iter(), name)
            });
            // A name with dots takes precedence over its first words.
            let longest = lengths.enumerate().rev().max_by_key(|(_, length)| *length);
            let Some((taker, Some(length))) = longest else {
                return Err((at + 1, list(&open)));
            };
            open.remove(taker);
            at += 1 + length;
        }
        open.retain(|(modifier, _)| !modifier.optional);
        if open.is_empty() { Ok(at) } else { Err((at, list(&open[..1]))) }
    }
}

/// Returns the number of lexemes of the longest name of a value at the beginning of a line, if there is one.
fn name_length<'v>(
    model: &Model,
    values: impl Iterator<Item = &'v NamedValue>,
    line: &[Lexeme],
) -> Option<usize> {
    let names = values.flat_map(NamedValue::spellings).filter_map(|name| {
        let parts = parts(name);
        let found = line.get(..parts.len())?;
        let mut pairs = parts.iter().zip(found);
        pairs.all(|(part, lexeme)| model.is_parsed_as(part, &lexeme.text)).then_some(parts.len())
    });
    names.max()
}

/// Matches the name of a value. The operators and modifiers around the name are skipped and not checked.
fn value(
    model: &Model,
    (field, kind): (&ResolvedField, &FieldType),
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
    let Some(length) = name_length(model, values(), line.get(at..).unwrap_or_default()) else {
        return Err((at, values().map(|v| format!("`{}`", v.text)).collect()));
    };
    at += length;
    loop {
        match is(at, ".") {
            true => at += 2,
            false if marked(at) => at += 1,
            false => return Ok(at),
        }
    }
}
