//! Rules over assembly text: one text, one instruction.
//!
//! The text of an opcode is an automaton, and two opcodes share a text where the product of theirs
//! has a way to its end. What a Rust type reads the macro cannot see: where that decides, the
//! expansion asserts that the forms of the types tell the two apart.
//!
//! Many opcodes differ in no more than their mnemonic. Such have one shape, and what is found out
//! about a shape, or about two, is found out once.

mod adjacent_tokens;
mod ambiguity;
mod case;
mod grammar;
mod graph;
mod modifiers;
mod order;
mod prefilter;
mod prefix;
mod product;
mod reading;
mod shapes;
mod summary;

use std::borrow::Cow;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use crate::check::Disjoint;
use crate::check::overlap::Overlapping;
use crate::diag::{Diagnostics, quoted};
use crate::model::{Model, Opcode, is_word};
use crate::syntax::ast::IncludedSet;
use adjacent_tokens::Glue;
use ambiguity::check_same_text;
use grammar::Lexicon;
use isa_bdd::HashSet;
use order::check_modifiers;
use reading::Reading;
use shapes::Shapes;

pub(crate) use product::{Forms, Pairs, Side};

/// What the expansion asserts of types that the macro cannot see into: of the steps, one at
/// least tells two texts apart.
#[derive(Debug)]
pub(crate) struct DisjointnessClaim {
    pub(crate) span: Span,
    pub(crate) steps: Vec<Pairs>,
    /// Whether letter case is free, as it is where text is looked at before it is read.
    pub(crate) fold: bool,
    pub(crate) message: String,
}

/// What the rules over texts give.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) claims: Vec<DisjointnessClaim>,
    /// The assertions that functions tell words apart.
    pub(crate) disjoint: Vec<Disjoint>,
    /// The texts of the model's spellings for calls that include them, one literal each.
    pub(crate) summaries: Vec<String>,
    /// The text functions in those texts, by their numbers.
    pub(crate) readers: Vec<TokenStream>,
}

/// An opcode or an alias as the rules over texts see it: of this call, or of an included set.
struct Spelling<'m> {
    name: &'m Ident,
    /// The mnemonic as it is written.
    written: &'m str,
    /// The mnemonic as it is compared: in lower case where any letter case is read.
    mnemonic: Cow<'m, str>,
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
    let mut push = |name, written, text| {
        let mnemonic = match model.any_case {
            Some(_) => Cow::Owned(str::to_ascii_lowercase(written)),
            None => Cow::Borrowed(written),
        };
        spellings.push(Spelling { name, written, mnemonic, text });
    };
    for opcode in &model.included {
        let set = &*opcode.set;
        let text = |text| SpellingText::Included { set, text };
        push(&opcode.name, &opcode.mnemonic, text(&opcode.text));
        for alias in &opcode.aliases {
            push(&alias.name, &alias.mnemonic, text(&alias.text));
        }
    }
    for opcode in model.sound_spellings() {
        let written = &model.syntaxes[opcode.syntax].mnemonic;
        push(&opcode.name, written, SpellingText::Own(opcode));
    }
    spellings
}

/// Whether each spelling may have to be told from another: from one of this call, or of another
/// included set, of which the mnemonic is its own, or one of the two begins with the other and a dot.
/// Texts without a mnemonic may be like any.
fn met(spellings: &[Spelling<'_>]) -> Vec<bool> {
    // By mnemonic, and by the beginnings of those with dots, the module of the first and whether
    // there is any other.
    let mut modules: BTreeMap<&str, (Option<&str>, bool)> = BTreeMap::new();
    let of = |mnemonic: &'_ str| -> Vec<usize> {
        mnemonic.match_indices('.').map(|(dot, _)| dot).chain([mnemonic.len()]).collect()
    };
    for spelling in spellings {
        for end in of(&spelling.mnemonic) {
            let (module, text) = (spelling.module(), &spelling.mnemonic[..end]);
            let known = modules.entry(text).or_insert((module, module.is_none()));
            known.1 |= known.0 != module;
        }
    }
    let has_nameless = modules.contains_key("");
    let is_met = |spelling: &Spelling<'_>| {
        let mut ends = of(&spelling.mnemonic).into_iter();
        has_nameless || ends.any(|end| modules[&spelling.mnemonic[..end]].1)
    };
    spellings.iter().map(is_met).collect()
}

/// Every rule over texts. Gives the texts, and what must be asserted of operand kinds and formats for
/// the rules to hold, each claim once.
pub(crate) fn check_texts(
    model: &Model,
    overlapping: &Overlapping,
    diag: &mut Diagnostics,
) -> Checked {
    let lexicon = Lexicon::new(model);
    let spellings = spellings(model);
    let shapes = Shapes::new(&lexicon, &spellings, &met(&spellings));
    case::check_case(model, &spellings, diag);
    prefix::check_prefixes(&spellings, &shapes, diag);
    let mut claims = check_same_text(model, overlapping, &spellings, &shapes, diag);
    let own = || {
        let shaped = spellings.iter().zip(&shapes.of);
        shaped.filter_map(|(spelling, shape)| match spelling.text {
            SpellingText::Own(opcode) => Some((opcode, (*shape)?)),
            SpellingText::Included { .. } => None,
        })
    };
    let modifiers: Vec<Vec<DisjointnessClaim>> =
        own().map(|(opcode, _)| check_modifiers(model, &lexicon, opcode, diag)).collect();
    let mut reading = Reading::new(model, &shapes);
    for ((opcode, shape), modifiers) in own().zip(modifiers) {
        claims.extend(reading.check(opcode, shape, diag));
        claims.extend(modifiers);
        Glue { model, lexicon: &lexicon, opcode, claims: &mut claims, diag }.check();
    }
    let mut own = shapes.own.into_iter();
    let summaries = model.spellings().map(|opcode| match opcode.sound {
        true => own.next().unwrap_or_default(),
        // Like no other text, so that nothing follows from the fault.
        false => format!("!{:?}", format!("\u{1}{}", opcode.name)),
    });
    Checked {
        claims: without_repetitions(claims),
        disjoint: Vec::new(),
        summaries: summaries.collect(),
        readers: shapes.readers.iter().map(|reader| reader.path.tokens.clone()).collect(),
    }
}

fn without_repetitions(mut claims: Vec<DisjointnessClaim>) -> Vec<DisjointnessClaim> {
    let mut known = HashSet::default();
    let is_new: Vec<bool> =
        claims.iter().map(|claim| known.insert((claim.fold, &claim.steps))).collect();
    let mut is_new = is_new.into_iter();
    claims.retain(|_| is_new.next().unwrap_or(true));
    claims
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
         begins; behind a form that ends in `*` nothing more tells texts apart",
        quoted(types, " and of ")
    )
}

fn show_side(side: &Side) -> String {
    match &side.forms {
        Forms::Of(reader) | Forms::GoingOn(reader) => format!("`{}<{}>`", side.prefix, reader.name),
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
        // A dot of fixed text would begin a modifier directly after the mnemonic.
        let first = at_mnemonic && (piece == "." || !piece.starts_with(['.', ';']));
        let word = piece.starts_with('<') && text.ends_with(|c: char| is_word(c) || c == '>');
        if first || word || text.ends_with(',') || piece.starts_with(' ') {
            text.push(' ');
        }
        at_mnemonic &= piece.starts_with('.');
        text.push_str(piece.trim_start());
    }
    text
}
