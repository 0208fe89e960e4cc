//! Checks that printed text is parsed as the instruction that it was printed from.
//!
//! The parser decides by the next token whether an optional part, an operator, a trailing attribute or
//! another modifier follows. Therefore each such part must begin differently from all text that can
//! follow if the part is missing.

use std::collections::BTreeSet;
use std::rc::Rc;

use isa_bdd::HashSet;

use super::automaton::{Automaton, Decision, MNEMONIC, Transition};
use super::grammar::{FieldText, OpaqueText, TextPart, TextStart, TokenPatterns};
use super::product::Product;
use super::shapes::TextShapes;
use super::{DisjointnessClaim, doubt, show};
use crate::diag::{Code, Diagnostics};
use crate::model::opcode_template::{self, FieldModifiers, ShownField, TemplatePart};
use crate::model::{Init, Model, NamedValue, Opcode, Syntax, TemplateItem, is_word};

/// Checks that the templates of opcodes can be parsed, and collects assertions about types.
pub(super) struct RoundTripCheck<'m> {
    model: &'m Model,
    shapes: &'m TextShapes,
    /// The errors of each shape, once they are known.
    refusals: Vec<Option<Vec<String>>>,
    /// For each operand type, the names of values that are not words, once they are known.
    odd_names: Vec<Option<Vec<String>>>,
    /// Whether each syntax has been checked.
    seen: Vec<bool>,
}

impl<'m> RoundTripCheck<'m> {
    pub(super) fn new(model: &'m Model, shapes: &'m TextShapes) -> Self {
        let Model { field_types, syntaxes, .. } = model;
        RoundTripCheck {
            model,
            shapes,
            refusals: vec![None; shapes.all.len()],
            odd_names: vec![None; field_types.len()],
            seen: vec![false; syntaxes.len()],
        }
    }

    /// Reports the errors of `opcode`, whose shape has the index `shape`. Returns the assertions
    /// only for the first opcode of each shape.
    pub(super) fn check(
        &mut self,
        opcode: &Opcode,
        shape: usize,
        diag: &mut Diagnostics,
    ) -> Vec<DisjointnessClaim> {
        let syntax = &self.model.syntaxes[opcode.syntax];
        let mut refuse = |message: String| diag.error(Code::NoRoundTrip, syntax.span, message);
        self.check_names(opcode, &mut refuse);
        if !std::mem::replace(&mut self.seen[opcode.syntax], true) {
            check_fixed(&syntax.before, "", &mut refuse);
            check_fixed(&syntax.after, ";", &mut refuse);
        }
        let mut claims = Vec::new();
        let graph = &self.shapes.all[shape].graph;
        let refusals = self.refusals[shape].get_or_insert_with(|| {
            let mut refusals = Vec::new();
            let mut refuse = |message: String| refusals.push(message);
            claims = check_decisions(syntax, opcode, graph, &mut refuse);
            check_dots(graph, &mut refuse);
            check_start(graph, &mut refuse);
            claims.extend(check_labels(syntax, opcode, graph, &mut refuse));
            refusals
        });
        refusals.iter().cloned().for_each(&mut refuse);
        check_values(self.model, opcode, diag);
        check_left_out(self.model, opcode, diag);
        check_formats(self.model, opcode, diag);
        claims
    }

    /// Checks that the names of values consist of characters that form a word.
    fn check_names(&mut self, opcode: &Opcode, refuse: &mut dyn FnMut(String)) {
        for &place in opcode.bind.iter().flatten() {
            let kind = self.model.at(opcode, place).ty;
            let odd = self.odd_names[kind].get_or_insert_with(|| {
                let names =
                    self.model.field_types[kind].values().iter().flat_map(NamedValue::spellings);
                let is_odd = |name: &&String| !name.chars().all(|c| is_word(c) || c == '.');
                names.filter(is_odd).cloned().collect()
            });
            for name in odd {
                refuse(format!(
                    "this template does not round-trip: `{name}` is not a word of assembly \
                     text\nhelp: a word consists of the letters `a` to `z` and `A` to `Z`, \
                     digits and `_`"
                ));
            }
        }
    }
}

/// Returns each part that the parser may take or skip, with the state at which it continues if it skips
/// the part.
fn choices(graph: &Automaton) -> impl Iterator<Item = (&TextPart, usize)> {
    let tokens = |decision: &'_ Decision| {
        let otherwise = decision.otherwise;
        let count = decision.tokens.len();
        (0..count).map(move |i| (i, otherwise)).collect::<Vec<_>>()
    };
    graph.decisions.iter().flat_map(move |decision| {
        tokens(decision).into_iter().map(move |(i, otherwise)| (&decision.tokens[i], otherwise))
    })
}

fn against<'g>(taken: &'g Automaton, graph: &'g Automaton, otherwise: usize) -> Product<'g> {
    Product { a: taken, b: graph, from: (taken.start, otherwise), either: false }
}

/// Reports a part that the parser would take by mistake: the text without the part can continue with
/// the same token.
fn check_decisions(
    syntax: &Syntax,
    opcode: &Opcode,
    graph: &Automaton,
    refuse: &mut dyn FnMut(String),
) -> Vec<DisjointnessClaim> {
    let mut claims = Vec::new();
    for (token, otherwise) in choices(graph) {
        let taken = Automaton::new(std::slice::from_ref(token));
        let product = against(&taken, graph, otherwise);
        if let Some(pieces) = product.witness() {
            refuse(format!(
                "this template does not round-trip: {} is optional, but the text without it can \
                 continue as `{}`\nhelp: put other text before one of the two",
                show_token(token),
                show(&pieces, "")
            ));
            continue;
        }
        let steps = product.doubts();
        if !steps.is_empty() {
            let message = format!(
                "{code} the template of `{}` does not round-trip: {} is optional, but the text \
                 without it may continue in the same way: {}",
                opcode.name,
                show_token(token),
                doubt(&steps),
                code = Code::NoRoundTrip
            );
            claims.push(DisjointnessClaim { span: syntax.span, steps, fold: true, message });
        }
    }
    claims
}

fn show_token(token: &TextPart) -> String {
    match token {
        TextPart::Text(text) => format!("`{text}`"),
        TextPart::Value(FieldText::Names(names)) => format!("`{}`", names.join("`, `")),
        TextPart::Value(FieldText::Read(reader, _)) => format!("a `{}`", reader.name),
        _ => "the mnemonic".to_owned(),
    }
}

/// Reports a dot after an operand or the mnemonic, because the parser would take the dot as the start
/// of a modifier.
fn check_dots(graph: &Automaton, refuse: &mut dyn FnMut(String)) {
    let dot = Automaton::new(&[TextPart::Text(".".to_owned())]);
    for &state in &graph.behind_dots {
        if against(&dot, graph, state).witness().is_some() {
            refuse(
                "this template does not round-trip: a dot after the mnemonic or an operand is \
                 parsed as the dot of a modifier\nhelp: name a field of a value set, `.name`, or \
                 use another character"
                    .to_owned(),
            );
        }
    }
}

/// Reports text that can begin with a dot, because it would be a directive, and text that can be empty,
/// because it would not be a statement.
fn check_start(graph: &Automaton, refuse: &mut dyn FnMut(String)) {
    let begins_with = |text: &str| {
        let text = Automaton::new(&[TextPart::Text(text.to_owned())]);
        against(&text, graph, graph.start).witness().is_some()
    };
    let what = match () {
        () if begins_with(".") => "text that begins with a dot is parsed as a directive",
        () if begins_with(";") => "an instruction cannot be an empty statement",
        () => return,
    };
    refuse(format!("this template does not round-trip: {what}\nhelp: begin with other text"));
}

/// Returns the words with which a text may begin and that `:` may follow, as in a label. A word may
/// contain dots. `None` represents words that the macro knows; the others are operands.
fn label_words(graph: &Automaton) -> Vec<Option<Rc<OpaqueText>>> {
    // The words that texts begin with, and the indexes of those that are followed by `:`.
    let (mut words, mut labels): (Vec<Option<Rc<OpaqueText>>>, BTreeSet<usize>) =
        Default::default();
    // The state, the index of the word if a word has begun, and whether this word has ended.
    let (mut seen, mut next) = (HashSet::default(), vec![(graph.start, None, false)]);
    while let Some((state, word, has_ended)) = next.pop() {
        let here = &graph.states[state];
        // If the word has ended, the next letter would begin another word.
        let has_ended = has_ended || word.is_some() && here.word_end;
        if !seen.insert((state, word, has_ended)) {
            continue;
        }
        for (step, to) in &here.steps {
            match (step, word) {
                (Transition::Char { byte: b':', .. }, Some(word)) => drop(labels.insert(word)),
                (
                    Transition::Skip | Transition::Dots(_) | Transition::Char { byte: b'.', .. },
                    _,
                ) => {
                    next.push((*to, word, has_ended));
                }
                (Transition::Char { byte, .. }, _)
                    if *byte != MNEMONIC && !is_word(char::from(*byte)) => {}
                (_, Some(_)) if has_ended => {}
                // The name of a label does not begin with a digit.
                (Transition::Char { byte: b'0'..=b'9', .. }, None) => {}
                (_, Some(_)) => next.push((*to, word, false)),
                (_, None) => {
                    let begun = match step {
                        Transition::Read(reader, _) => Some(Rc::clone(reader)),
                        _ => None,
                    };
                    let known = words.iter().position(|known| *known == begun);
                    let place = known.unwrap_or_else(|| {
                        words.push(begun);
                        words.len() - 1
                    });
                    next.push((*to, Some(place), false));
                }
            }
        }
    }
    labels.into_iter().map(|place| words[place].clone()).collect()
}

/// Checks that the parser does not take an operand at the start of a text and before a `:` as a label.
fn check_labels(
    syntax: &Syntax,
    opcode: &Opcode,
    graph: &Automaton,
    refuse: &mut dyn FnMut(String),
) -> Vec<DisjointnessClaim> {
    let words = label_words(graph);
    if words.contains(&None) {
        refuse(
            "this template does not round-trip: a word before `:` is parsed as a label\nhelp: \
             begin with other text"
                .to_owned(),
        );
    }
    let claim = |reader: Rc<OpaqueText>| {
        let message = format!(
            "{code} the template of `{}` does not round-trip: a word before `:` is parsed as a \
             label, and the text begins with `{}`, which may be a word\nhelp: begin with other \
             text, or declare in the constant \
             `FORMS` how the text begins",
            opcode.name,
            reader.name,
            code = Code::NoRoundTrip
        );
        let pair = (TextStart::begins(TokenPatterns::Of(reader)), TextStart::given("", "_"));
        DisjointnessClaim { span: syntax.span, steps: vec![vec![pair]], fold: false, message }
    };
    words.into_iter().flatten().map(claim).collect()
}

/// Reports fixed text that the parser would skip. Also reports text that would end the statement. Only
/// the last item may end with `end`.
fn check_fixed(items: &[TemplateItem], end: &str, refuse: &mut dyn FnMut(String)) {
    for (place, item) in items.iter().enumerate() {
        let end = if place + 1 == items.len() { end } else { "" };
        let texts: Vec<&str> = match item {
            TemplateItem::Text(text) => vec![text],
            TemplateItem::Slot { affixes, .. } => {
                affixes.iter().flat_map(|affix| [affix.open.as_str(), &affix.close]).collect()
            }
            TemplateItem::Optional(items) => {
                check_fixed(items, "", refuse);
                Vec::new()
            }
            TemplateItem::Tags(_) => Vec::new(),
        };
        if texts.iter().any(|text| text.contains("//") || text.contains("/*")) {
            refuse(
                "this template does not round-trip: `//` and `/*` begin comments\nhelp: use \
                 other text"
                    .to_owned(),
            );
        }
        if texts.iter().any(|text| text.strip_suffix(end).unwrap_or(text).contains(';')) {
            refuse(
                "this template does not round-trip: `;` ends a statement\nhelp: use another \
                 character"
                    .to_owned(),
            );
        }
        if texts.iter().any(|text| text.contains('"')) {
            refuse(
                "this template does not round-trip: `\"` begins a string, in which `;` does not \
                 end a statement\nhelp: use another character"
                    .to_owned(),
            );
        }
        if texts.iter().any(|text| text.contains(['\t', '\n', '\r', '\x0b', '\x0c'])) {
            refuse(
                "this template does not round-trip: the parser skips white space other than \
                 blanks\nhelp: remove it from the fixed text"
                    .to_owned(),
            );
        }
    }
}

/// Checks modifiers such as `.FTZ`, which represent one value: each other value of the field must be the
/// default or have a modifier of its own.
fn check_values(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) {
    let syntax = &model.syntaxes[opcode.syntax];
    let modifiers = opcode.text.parts.iter().flat_map(|part| match part {
        TemplatePart::Modifiers(modifiers) => opcode_template::by_field(modifiers),
        _ => Vec::new(),
    });
    for FieldModifiers { shown, mandatory, only } in modifiers {
        let Some(only) = only else { continue };
        let elsewhere =
            |other: &ShownField| other.place == shown.place && other.symbol != shown.symbol;
        if opcode.text.shown.iter().any(elsewhere) {
            continue;
        }
        let field = model.at(opcode, shown.place);
        let is_default = |raw| field.default_number() == Some(raw);
        let silent = |raw| !mandatory && (is_default(raw) || field.is_fixed());
        let occurs = |raw| {
            let words = field.having(raw);
            words.is_some_and(|words| opcode.has_valid_word(std::iter::once(words)))
        };
        let lost = model.field_types[field.ty]
            .values()
            .iter()
            .find(|value| !only.contains(&value.raw) && !silent(value.raw) && occurs(value.raw));
        if let Some(value) = lost {
            let symbol = &syntax.placeholders[shown.symbol];
            let message = format!(
                "`{}` can be `{}` in `{}`, but this modifier does not show that value\nhelp: \
                 name the field instead: `.{}`, in braces if it has a default",
                field.text, value.text, opcode.name, field.text
            );
            diag.error(Code::NoRoundTrip, symbol.span, message);
        }
    }
}

/// Checks that a field that may be omitted has a default.
fn check_left_out(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) {
    let symbols = &model.syntaxes[opcode.syntax].placeholders;
    let mut optional = Vec::new();
    left_out(&opcode.text.parts, &mut optional);
    let count =
        |shown: &[ShownField], place| shown.iter().filter(|shown| shown.place == place).count();
    for &ShownField { symbol, place } in &optional {
        let field = model.at(opcode, place);
        let is_given_elsewhere = count(&opcode.text.shown, place) > count(&optional, place);
        if field.init == Init::Required && !is_given_elsewhere {
            let is_setting = |part: &TemplatePart| match part {
                TemplatePart::Settings(settings) => settings.iter().any(|one| one.symbol == symbol),
                _ => false,
            };
            let always = match opcode.text.parts.iter().any(is_setting) {
                true => "write it without `$`, as an operand or a modifier",
                false => "write it without braces",
            };
            let message = format!(
                "`{}` is optional here, but has no default in `{}`\nhelp: {always}, or add a \
                 default to the field: `= value`",
                field.text, opcode.name
            );
            diag.error_of(&opcode.name, Code::NoRoundTrip, symbols[symbol].span, message);
        }
    }
}

/// Collects the fields that text may omit. The operators and modifiers of an operand belong to the
/// operand.
fn left_out(parts: &[TemplatePart], shown: &mut Vec<ShownField>) {
    for part in parts {
        match part {
            TemplatePart::Text(_) | TemplatePart::Mnemonic | TemplatePart::Slot(_) => {}
            TemplatePart::Modifiers(modifiers) => {
                let optional = modifiers.iter().filter(|modifier| !modifier.mandatory);
                shown.extend(optional.map(|modifier| modifier.shown));
            }
            TemplatePart::Optional(inner) => shown.extend(opcode_template::shown(inner)),
            TemplatePart::Settings(settings) => shown.extend(settings),
        }
    }
}

/// Checks that the fields on which a format depends come before the text that the format parses.
fn check_formats(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) {
    let shown = &opcode.text.shown;
    for format in &opcode.formats {
        let Some(own) = shown.iter().position(|shown| shown.place == format.field) else {
            continue;
        };
        for arg in &format.args {
            let field = opcode.field_at(model, *arg);
            let mut before = shown[..own].iter();
            let is_before = before.any(|shown| opcode.covered(&shown.place).contains(arg));
            if *arg == format.field || field.is_fixed() || is_before {
                continue;
            }
            let symbol = &model.syntaxes[opcode.syntax].placeholders[shown[own].symbol];
            let message = format!(
                "the format of `{}` depends on `{}`, which the template contains only \
                 later\nhelp: move `{}` to an earlier position in the template",
                symbol.name, field.text, field.text
            );
            diag.error(Code::NoRoundTrip, symbol.span, message);
        }
    }
}
