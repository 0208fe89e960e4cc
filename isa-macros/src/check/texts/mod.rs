//! Rules over assembly text: one text, one instruction.
//!
//! The text of an opcode is an automaton, and two opcodes share a text where the product of theirs
//! has a way to its end. What a Rust type reads the macro cannot see: where that decides, the
//! expansion asserts that the forms of the types tell the two apart.

mod grammar;
mod graph;
mod modifiers;
mod order;
mod product;
mod reading;
mod summary;

use proc_macro2::{Ident, Span};

use crate::diag::{Code, Diagnostics, quoted};
use crate::model::{Model, Opcode};
use crate::syntax::ast::Included;
use grammar::{Dot, Filler, Part, Text, text_of};
use graph::Graph;
use product::Product;

pub(crate) use product::{Alike, Forms, Side};

/// What the expansion asserts of types that the macro cannot see into: of the steps, one at
/// least tells two texts apart.
#[derive(Debug)]
pub(crate) struct Apart {
    pub(crate) span: Span,
    pub(crate) steps: Vec<Alike>,
    /// Whether letter case is free, as it is where text is looked at before it is read.
    pub(crate) fold: bool,
    pub(crate) message: String,
}

/// One opcode as these rules see it: of this call, or of an included set.
struct Party<'m> {
    name: &'m Ident,
    text: Text,
    graph: Graph,
    /// The module of the included set.
    module: Option<String>,
    /// The opcode, where it is of this call.
    own: Option<&'m Opcode>,
}

fn parties(model: &Model) -> Vec<Party<'_>> {
    let included = model.included.iter().flat_map(|opcode| {
        let party = |name, mnemonic, text, readers| {
            let text = summary::read(mnemonic, text, readers);
            let module = Some(module_of(opcode));
            Party { name, graph: Graph::new(&text.parts), text, module, own: None }
        };
        let aliases = opcode.aliases.iter();
        let aliases = aliases.map(move |a| party(&a.name, &a.mnemonic, &a.text, &a.readers));
        let own = party(&opcode.name, &opcode.mnemonic, &opcode.text, &opcode.readers);
        std::iter::once(own).chain(aliases)
    });
    let own = model.sound_spellings().map(|opcode| {
        let text = text_of(model, opcode);
        let graph = Graph::new(&text.parts);
        Party { name: &opcode.name, graph, text, module: None, own: Some(opcode) }
    });
    included.chain(own).collect()
}

fn module_of(opcode: &Included) -> String {
    let path = opcode.path.to_string();
    path.rsplit_once("::").map_or_else(String::new, |(module, _)| module.to_owned())
}

/// The pairs of opcodes of which one is of this call or both are of different included sets.
fn pairs<'p, 'm>(parties: &'p [Party<'m>]) -> impl Iterator<Item = (&'p Party<'m>, &'p Party<'m>)> {
    let pairs = parties.iter().enumerate();
    let pairs = pairs.flat_map(|(i, b)| parties[..i].iter().map(move |a| (a, b)));
    pairs.filter(|(a, b)| a.module.is_none() || a.module != b.module)
}

/// Every rule over texts. What must be asserted of operand kinds and formats for them to hold is
/// given back, each claim once.
pub(crate) fn check_texts(model: &Model, diag: &mut Diagnostics) -> Vec<Apart> {
    let parties = parties(model);
    let own = || parties.iter().filter_map(|party| Some((party.own?, &party.graph)));
    let mut claims = check_same_text(&parties, diag);
    let modifiers: Vec<Vec<Apart>> =
        own().map(|(opcode, _)| order::check_modifiers(model, opcode, diag)).collect();
    for ((opcode, graph), modifiers) in own().zip(modifiers) {
        claims.extend(reading::check_reading(model, opcode, graph, diag));
        claims.extend(modifiers);
    }
    without_repetitions(claims)
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

/// No two opcodes accept the same text.
fn check_same_text(parties: &[Party<'_>], diag: &mut Diagnostics) -> Vec<Apart> {
    let mut claims = Vec::new();
    for (first, second) in pairs(parties) {
        if first.text.mnemonic != second.text.mnemonic {
            check_mnemonics(first, second, diag);
            check_mnemonics(second, first, diag);
        } else {
            claims.extend(compare(first, second, diag));
        }
    }
    claims
}

/// Two opcodes of one mnemonic do not accept the same text, if what is given of types holds.
fn compare(first: &Party<'_>, second: &Party<'_>, diag: &mut Diagnostics) -> Option<Apart> {
    let (a, b) = (&first.graph, &second.graph);
    let product = Product { a, b, from: (a.start, b.start), either: true };
    if let Some(pieces) = product.witness() {
        let text = show(&pieces, &first.text.mnemonic);
        diag.error_with(
            Code::SameText,
            second.name.span(),
            format!(
                "`{}` and `{}` accept the same text: `{text}`\nhelp: show in one of the \
                 templates what tells the two apart, by a modifier or another mnemonic",
                second.name, first.name
            ),
            first.name.span(),
            format!("`{}` accepts the same text", first.name),
        );
        return None;
    }
    let steps = product.doubts();
    if steps.is_empty() {
        return None;
    }
    let message = format!(
        "[ISA0025] `{}` and `{}` accept the same text: {}",
        second.name,
        first.name,
        doubt(&steps)
    );
    Some(Apart { span: second.name.span(), steps, fold: false, message })
}

/// A mnemonic with dots is not another mnemonic with modifiers: the longest is read.
fn check_mnemonics(short: &Party<'_>, long: &Party<'_>, diag: &mut Diagnostics) {
    let words = long.text.mnemonic.strip_prefix(short.text.mnemonic.as_str());
    let Some(words) = words.and_then(|rest| rest.strip_prefix('.')) else {
        return;
    };
    let given: Vec<Dot> = words
        .split('.')
        .map(|word| Dot { filler: Filler::Names(vec![word.to_owned()]), mandatory: true })
        .collect();
    let dots = short.text.parts.iter().skip_while(|part| **part != Part::Mnemonic).nth(1);
    let Some(Part::Dots(dots)) = dots else { return };
    let optional = |dot: &Dot| Dot { mandatory: false, ..dot.clone() };
    let slots: Vec<Dot> = dots.iter().map(optional).collect();
    if let modifiers::Common::Some(_) = modifiers::common(&given, &slots) {
        diag.error_with(
            Code::SameText,
            long.name.span(),
            format!(
                "`{}` is the mnemonic of `{}`, and also `{}` with modifiers of `{}`\nhelp: give \
                 one of the two another name",
                long.text.mnemonic, long.name, short.text.mnemonic, short.name
            ),
            short.name.span(),
            format!("`{}` accepts text that begins with `{}`", short.name, long.text.mnemonic),
        );
    }
}

/// Why a claim may fail, and what to do then.
fn doubt(steps: &[Alike]) -> String {
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

/// The text of an opcode for calls that include it, with the readers in it. That of an opcode with
/// a fault is like no other, so that nothing follows from the fault.
pub(crate) fn summarize(model: &Model, opcode: &Opcode) -> (String, Vec<proc_macro2::TokenStream>) {
    if !opcode.sound {
        let nothing = Part::Text(format!("\u{1}{}", opcode.name));
        return summary::write(&[Part::Mnemonic, nothing]);
    }
    summary::write(&text_of(model, opcode).parts)
}
