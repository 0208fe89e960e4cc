//! Rules over assembly text: one text, one instruction.
//!
//! The text of an opcode is an automaton, and two opcodes share a text where the product of theirs
//! has a way to its end. What a Rust type reads the macro cannot see: where that decides, the
//! expansion asserts that the forms of the types tell the two apart.
//!
//! Many opcodes differ in no more than their mnemonic. Such have one shape, and what is found out
//! about a shape, or about two, is found out once.

mod grammar;
mod graph;
mod modifiers;
mod order;
mod prefix;
mod product;
mod reading;
mod shapes;
mod summary;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use crate::diag::{Code, Diagnostics, quoted};
use crate::model::{Model, Opcode};
use crate::syntax::ast::IncludedSet;
use grammar::{Lexicon, Part};
use order::check_modifiers;
use product::Product;
use reading::Reading;
use shapes::Shapes;

pub(crate) use product::{Forms, Pairs, Side};

/// What the expansion asserts of types that the macro cannot see into: of the steps, one at
/// least tells two texts apart.
#[derive(Debug)]
pub(crate) struct Apart {
    pub(crate) span: Span,
    pub(crate) steps: Vec<Pairs>,
    /// Whether letter case is free, as it is where text is looked at before it is read.
    pub(crate) fold: bool,
    pub(crate) message: String,
}

/// What the rules over texts give.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) claims: Vec<Apart>,
    /// The texts of the model's spellings for calls that include them, one literal each.
    pub(crate) summaries: Vec<String>,
    /// The text functions in those texts, by their numbers.
    pub(crate) readers: Vec<TokenStream>,
}

/// An opcode or an alias as the rules over texts see it: of this call, or of an included set.
struct Spelling<'m> {
    name: &'m Ident,
    mnemonic: &'m str,
    text: SpellingText<'m>,
}

/// Where the text of a spelling is found.
enum SpellingText<'m> {
    /// In the template of an opcode of this call.
    Own(&'m Opcode),
    /// In the summary by which the set is included.
    Included { set: &'m IncludedSet, text: &'m str },
}

impl<'m> Spelling<'m> {
    /// The module of the included set.
    fn module(&self) -> Option<&'m str> {
        match self.text {
            SpellingText::Own(_) => None,
            SpellingText::Included { set, .. } => Some(&set.module_text),
        }
    }
}

fn spellings(model: &Model) -> Vec<Spelling<'_>> {
    let mut spellings = Vec::new();
    for opcode in &model.included {
        let set = &*opcode.set;
        let text = SpellingText::Included { set, text: &opcode.text };
        spellings.push(Spelling { name: &opcode.name, mnemonic: &opcode.mnemonic, text });
        for alias in &opcode.aliases {
            let text = SpellingText::Included { set, text: &alias.text };
            spellings.push(Spelling { name: &alias.name, mnemonic: &alias.mnemonic, text });
        }
    }
    for opcode in model.sound_spellings() {
        let mnemonic = &model.syntaxes[opcode.syntax].mnemonic;
        spellings.push(Spelling { name: &opcode.name, mnemonic, text: SpellingText::Own(opcode) });
    }
    spellings
}

/// The pairs of opcodes of which one is of this call or both are of different included sets, and
/// of which the mnemonic of one is that of the other, or begins with it and a dot.
fn pairs(spellings: &[Spelling<'_>]) -> Vec<(usize, usize)> {
    let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    // The opcodes with a dot in their mnemonic, by what stands before one.
    let mut longer: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (second, spelling) in spellings.iter().enumerate() {
        let beginnings =
            || spelling.mnemonic.match_indices('.').map(|(dot, _)| &spelling.mnemonic[..dot]);
        let shorter = beginnings().filter_map(|beginning| known.get(beginning));
        let alike = [known.get(spelling.mnemonic), longer.get(spelling.mnemonic)];
        let mut others: Vec<usize> =
            alike.into_iter().flatten().chain(shorter).flatten().copied().collect();
        others.sort_unstable();
        others.retain(|&first| {
            let module = spellings[first].module();
            module.is_none() || module != spelling.module()
        });
        pairs.extend(others.into_iter().map(|first| (first, second)));
        known.entry(spelling.mnemonic).or_default().push(second);
        for beginning in beginnings() {
            longer.entry(beginning).or_default().push(second);
        }
    }
    pairs
}

/// Every rule over texts. Gives the texts, and what must be asserted of operand kinds and formats for
/// the rules to hold, each claim once.
pub(crate) fn check_texts(model: &Model, diag: &mut Diagnostics) -> Checked {
    let lexicon = Lexicon::new(model);
    let spellings = spellings(model);
    let pairs = pairs(&spellings);
    let shapes = Shapes::new(&lexicon, &spellings, &pairs);
    prefix::check_prefixes(&spellings, &shapes, diag);
    let mut claims = check_same_text(model, &spellings, &pairs, &shapes, diag);
    let own = || {
        let shaped = spellings.iter().zip(&shapes.of);
        shaped.filter_map(|(spelling, shape)| match spelling.text {
            SpellingText::Own(opcode) => Some((opcode, (*shape)?)),
            SpellingText::Included { .. } => None,
        })
    };
    let modifiers: Vec<Vec<Apart>> =
        own().map(|(opcode, _)| check_modifiers(model, &lexicon, opcode, diag)).collect();
    let mut reading = Reading::new(model, &shapes);
    for ((opcode, shape), modifiers) in own().zip(modifiers) {
        claims.extend(reading.check(opcode, shape, diag));
        claims.extend(modifiers);
    }
    let mut own = shapes.own.into_iter();
    let summaries = model.spellings().map(|opcode| match opcode.sound {
        true => own.next().unwrap_or_default(),
        // Like no other text, so that nothing follows from the fault.
        false => format!("!{:?}", format!("\u{1}{}", opcode.name)),
    });
    Checked {
        claims: without_repetitions(claims),
        summaries: summaries.collect(),
        readers: shapes.readers.iter().map(|reader| reader.path.tokens.clone()).collect(),
    }
}

fn without_repetitions(claims: Vec<Apart>) -> Vec<Apart> {
    let mut once: Vec<Apart> = Vec::new();
    for claim in claims {
        if !once.iter().any(|known| known.fold == claim.fold && known.steps == claim.steps) {
            once.push(claim);
        }
    }
    once
}

/// What two shapes have in common, if their mnemonics are one.
enum Meeting {
    /// They share this text, given in pieces.
    Text(Vec<String>),
    /// They share nothing unless types begin alike: a claim about all pairs of opcodes that meet
    /// so.
    Unsure(Vec<Pairs>, Vec<(usize, usize)>),
    Nothing,
}

/// No two opcodes accept the same text.
fn check_same_text(
    model: &Model,
    spellings: &[Spelling<'_>],
    pairs: &[(usize, usize)],
    shapes: &Shapes,
    diag: &mut Diagnostics,
) -> Vec<Apart> {
    let mut meetings: BTreeMap<(usize, usize), Meeting> = BTreeMap::new();
    for &(a, b) in pairs {
        let (first, second) = (&spellings[a], &spellings[b]);
        let (Some(x), Some(y)) = (shapes.of[a], shapes.of[b]) else { continue };
        if first.mnemonic != second.mnemonic {
            check_mnemonics(first, second, &shapes.all[x].parts, diag);
            check_mnemonics(second, first, &shapes.all[y].parts, diag);
            continue;
        }
        let meeting = meetings.entry((x, y)).or_insert_with(|| {
            let (a, b) = (&shapes.all[x].graph, &shapes.all[y].graph);
            let product = Product { a, b, from: (a.start, b.start), either: true };
            if let Some(pieces) = product.witness() {
                return Meeting::Text(pieces);
            }
            let steps = product.doubts();
            if steps.is_empty() { Meeting::Nothing } else { Meeting::Unsure(steps, Vec::new()) }
        });
        match meeting {
            Meeting::Text(pieces) => report_same_text(model, first, second, pieces, diag),
            Meeting::Unsure(_, pairs) => pairs.push((a, b)),
            Meeting::Nothing => {}
        }
    }
    let mut claims: Vec<(usize, Apart)> = Vec::new();
    for meeting in meetings.into_values() {
        if let Meeting::Unsure(steps, pairs) = meeting {
            claims.push((pairs[0].1, claim(spellings, &pairs, steps)));
        }
    }
    claims.sort_by_key(|(second, _)| *second);
    claims.into_iter().map(|(_, claim)| claim).collect()
}

fn report_same_text(
    model: &Model,
    first: &Spelling<'_>,
    second: &Spelling<'_>,
    pieces: &[String],
    diag: &mut Diagnostics,
) {
    let text = show(pieces, first.mnemonic);
    let help = "help: show in one of the templates what tells the two apart, by a modifier or \
                another mnemonic";
    let (names, other) = ((&second.name, &first.name), first.name.span());
    let (message, note) = match [second, first]
        .iter()
        .find_map(|spelling| field_twice(model, spelling))
    {
        None => (
            format!("`{}` and `{}` accept the same text: `{text}`\n{help}", names.0, names.1),
            format!("`{}` accepts the same text", first.name),
        ),
        Some(field) => (
            format!(
                "the texts of `{}` and `{}` are told apart by no more than that `{field}` stands in \
                 two places, which must agree: `{text}`\n{help}",
                names.0, names.1
            ),
            format!("`{}` is told apart by no more", first.name),
        ),
    };
    diag.error_with(Code::SameText, second.name.span(), message, other, note);
}

/// A field that stands in two places of an opcode's template.
fn field_twice<'m>(model: &'m Model, spelling: &Spelling<'_>) -> Option<&'m str> {
    let SpellingText::Own(opcode) = spelling.text else { return None };
    let shown = &opcode.text.shown;
    let twice = shown.iter().enumerate().find(|(i, field)| {
        shown[..*i].iter().any(|other| other.place == field.place && other.symbol != field.symbol)
    });
    twice.map(|(_, field)| model.fields[opcode.fields[field.place]].text.as_str())
}

/// How many pairs of opcodes a message names.
const NAMED: usize = 4;

/// Opcodes of one mnemonic do not accept the same text, if what is given of types holds. The pairs
/// are alike, so that one message is for all.
fn claim(spellings: &[Spelling<'_>], pairs: &[(usize, usize)], steps: Vec<Pairs>) -> Apart {
    let name =
        |&(a, b): &(usize, usize)| format!("`{}` and `{}`", spellings[b].name, spellings[a].name);
    let named: Vec<String> = pairs.iter().take(NAMED).map(name).collect();
    let also = match (&named[1..], pairs.len() - named.len()) {
        ([], _) => String::new(),
        (also, 0) => format!(", as do {}", also.join(", ")),
        (also, more) => format!(", as do {} and {more} more pairs", also.join(", ")),
    };
    let message = format!("[ISA0025] {} accept the same text{also}: {}", named[0], doubt(&steps));
    Apart { span: spellings[pairs[0].1].name.span(), steps, fold: false, message }
}

/// A mnemonic with dots is not another mnemonic with modifiers: the longest is read.
fn check_mnemonics(
    short: &Spelling<'_>,
    long: &Spelling<'_>,
    short_text: &[Part],
    diag: &mut Diagnostics,
) {
    let words = long.mnemonic.strip_prefix(short.mnemonic);
    let Some(words) = words.and_then(|rest| rest.strip_prefix('.')) else {
        return;
    };
    let dots = short_text.iter().skip_while(|part| **part != Part::Mnemonic).nth(1);
    let Some(Part::Dots(dots)) = dots else { return };
    if modifiers::takes_all(dots, &words.split('.').collect::<Vec<&str>>()) {
        diag.error_with(
            Code::SameText,
            long.name.span(),
            format!(
                "`{}` is the mnemonic of `{}`, and also `{}` with modifiers of `{}`\nhelp: give \
                 one of the two another name",
                long.mnemonic, long.name, short.mnemonic, short.name
            ),
            short.name.span(),
            format!("`{}` accepts text that begins with `{}`", short.name, long.mnemonic),
        );
    }
}

/// Why a claim may fail, and what to do then.
fn doubt(steps: &[Pairs]) -> String {
    let mut types: Vec<&str> = Vec::new();
    for side in steps.iter().flatten().flat_map(|(a, b)| [a, b]) {
        if let Forms::Of(reader) = &side.forms
            && !types.contains(&reader.name.as_str())
        {
            types.push(&reader.name);
        }
    }
    let (first, second) = steps
        .first()
        .and_then(|alike| alike.first())
        .map_or_else(|| (String::new(), String::new()), |(a, b)| (show_side(a), show_side(b)));
    format!(
        "{first} and {second} can begin alike\nhelp: the constant `FORMS` of {} says how the text \
         begins",
        quoted(types, " and of ")
    )
}

fn show_side(side: &Side) -> String {
    match &side.forms {
        Forms::Of(reader) => format!("`{}<{}>`", side.prefix, reader.name),
        Forms::Given(forms) => match &forms[..] {
            [one] => format!("`{}{}`", side.prefix, one.trim_end_matches('*')),
            many => format!("`{}`", many.join("`, `")),
        },
    }
}

/// Pieces of a text as it would be written.
fn show(pieces: &[String], mnemonic: &str) -> String {
    let (mut text, mut at_mnemonic) = (String::new(), false);
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        if piece == "\0" {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(mnemonic);
            at_mnemonic = true;
            continue;
        }
        let first = at_mnemonic && !piece.starts_with(['.', ';']);
        let word =
            piece.starts_with('<') && text.ends_with(|c: char| c.is_alphanumeric() || c == '>');
        if first || word || text.ends_with(',') || piece.starts_with(' ') {
            text.push(' ');
        }
        at_mnemonic &= piece.starts_with('.');
        text.push_str(piece.trim_start());
    }
    text
}
