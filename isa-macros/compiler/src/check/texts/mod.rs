//! Checks assembly text: each text must belong to one instruction only.
//!
//! The text of an opcode is an automaton. Two opcodes accept the same text if the product of their
//! automata has a path to its end (`product.rs`). The macro does not know which text a Rust type
//! parses. If the answer depends on that, the expansion asserts that the token patterns of the types
//! are disjoint.
//!
//! Many opcodes differ only in their mnemonic. Such opcodes share one shape, and each shape and each
//! pair of shapes is checked once.

mod adjacent_tokens;
mod ambiguity;
mod automaton;
mod common_modifiers;
mod dotted_names;
mod grammar;
mod modifier_order;
mod prefilter;
mod prefix;
mod product;
mod round_trip;
mod shapes;
mod text_summary;

use std::borrow::Cow;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use crate::check::Disjoint;
use crate::check::overlap::Overlapping;
use crate::diag::{Diagnostics, quoted};
use crate::model::cube::Cube;
use crate::model::features::{Limit, existence, limit_of, limits};
use crate::model::{Model, Opcode, is_word};
use crate::syntax::ast::IncludedSet;
use adjacent_tokens::AdjacencyCheck;
use ambiguity::check_same_text;
use dotted_names::check_dotted_names;
use grammar::Lexicon;
use isa_bdd::HashSet;
use modifier_order::check_modifiers;
use round_trip::RoundTripCheck;
use shapes::TextShapes;

pub(crate) use grammar::{Pairs, TextStart, TokenPatterns};

/// An assertion about types whose text the macro does not know: at least one of the steps distinguishes
/// the two texts.
#[derive(Debug)]
pub(crate) struct DisjointnessClaim {
    pub(crate) span: Span,
    pub(crate) steps: Vec<Pairs>,
    /// Whether letter case is ignored. The parser ignores it when it only looks ahead at the text.
    pub(crate) fold: bool,
    pub(crate) message: String,
}

/// The result of the rules for assembly text.
#[derive(Debug)]
pub(crate) struct CheckResult {
    pub(crate) claims: Vec<DisjointnessClaim>,
    /// The assertions that functions make encodings disjoint.
    pub(crate) disjoint: Vec<Disjoint>,
    /// The text of each spelling of the model as one literal, for calls that include the set.
    pub(crate) summaries: Vec<String>,
    /// The text functions in these literals, by their index.
    pub(crate) readers: Vec<TokenStream>,
}

/// An opcode or alias of this call or of an included set, as the rules for assembly text see it.
struct Spelling<'m> {
    name: &'m Ident,
    /// The mnemonic as written.
    written: &'m str,
    /// The mnemonic for comparisons. It is in lower case if the parser of the set ignores letter case.
    mnemonic: Cow<'m, str>,
    text: SpellingText<'m>,
    /// The combinations of features with which it exists, or `None` if it always exists.
    features: Option<Vec<Cube>>,
}

/// The source of a spelling's text.
enum SpellingText<'m> {
    /// The template of an opcode of this call.
    Own(&'m Opcode),
    /// The summary with which the set is included.
    Included { set: &'m IncludedSet, text: &'m str },
}

impl<'m> Spelling<'m> {
    /// Returns the module of the included set.
    fn module(&self) -> Option<&'m str> {
        match self.text {
            SpellingText::Own(_) => None,
            SpellingText::Included { set, .. } => Some(&set.module_text),
        }
    }
}

fn spellings(model: &Model) -> Vec<Spelling<'_>> {
    let mut spellings = Vec::new();
    let mut push = |name, written, text, limits: &[Limit], identity| {
        let features = (!limits.is_empty()).then(|| existence(identity, limits));
        let mnemonic = match model.any_case {
            Some(_) => Cow::Owned(str::to_ascii_lowercase(written)),
            None => Cow::Borrowed(written),
        };
        spellings.push(Spelling { name, written, mnemonic, text, features });
    };
    for opcode in &model.included {
        let set = &*opcode.set;
        let text = |text| SpellingText::Included { set, text };
        let limits: Vec<Limit> = opcode.limits.iter().map(limit_of).collect();
        let words = Cube { mask: opcode.mask, value: opcode.value };
        push(&opcode.name, &opcode.mnemonic, text(&opcode.text), &limits, words);
        for alias in &opcode.aliases {
            push(&alias.name, &alias.mnemonic, text(&alias.text), &limits, words);
        }
    }
    for opcode in model.valid_spellings() {
        let written = &model.syntaxes[opcode.syntax].mnemonic;
        let (limits, words) = (limits(model, opcode), opcode.identity());
        push(&opcode.name, written, SpellingText::Own(opcode), &limits, words);
    }
    spellings
}

/// Returns, for each spelling, whether it must be compared with a spelling of this call or of another
/// included set. It must be compared if the mnemonics are equal, or if one is the other followed by a
/// dot and more text. A text without a mnemonic is compared with all others.
fn met(spellings: &[Spelling<'_>]) -> Vec<bool> {
    // For each mnemonic, and for each prefix of a mnemonic before a dot: the module of the first
    // spelling, and whether a spelling has a different module.
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

/// Applies every rule for assembly text. Returns the summaries of the texts. Also returns the
/// assertions about operand types and formats that the result depends on, without duplicates.
pub(crate) fn check_texts(
    model: &Model,
    overlapping: &Overlapping,
    diag: &mut Diagnostics,
) -> CheckResult {
    let lexicon = Lexicon::new(model);
    let spellings = spellings(model);
    let shapes = TextShapes::new(&lexicon, &spellings, &met(&spellings));
    ambiguity::check_case(model, &spellings, diag);
    prefix::check_prefixes(&spellings, &shapes, diag);
    check_dotted_names(model, &spellings, &shapes, diag);
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
    let mut reading = RoundTripCheck::new(model, &shapes);
    for ((opcode, shape), modifiers) in own().zip(modifiers) {
        claims.extend(reading.check(opcode, shape, diag));
        claims.extend(modifiers);
        AdjacencyCheck { model, lexicon: &lexicon, opcode, claims: &mut claims, diag }.check();
    }
    let mut own = shapes.own.into_iter();
    let summaries = model.spellings().map(|opcode| match opcode.is_valid {
        true => own.next().unwrap_or_default(),
        // This text equals no other text, so the error of the opcode does not cause further errors.
        false => format!("!{:?}", format!("\u{1}{}", opcode.name)),
    });
    CheckResult {
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

/// Explains why an assertion may fail, and how to correct it.
fn doubt(steps: &[Pairs]) -> String {
    let mut types: Vec<&str> = Vec::new();
    for side in steps.iter().flatten().flat_map(|(a, b)| [a, b]) {
        if let TokenPatterns::Of(reader) = &side.forms
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
        "{first} and {second} can begin in the same way\nhelp: declare in the constant `FORMS` \
         of {} how the text begins; text after a form that ends in `*` is not compared",
        quoted(types, " and of ")
    )
}

fn show_side(side: &TextStart) -> String {
    match &side.forms {
        TokenPatterns::Of(reader) | TokenPatterns::GoingOn(reader) => {
            format!("`{}<{}>`", side.prefix, reader.name)
        }
        TokenPatterns::Given(forms) => match &forms[..] {
            [one] => format!("`{}{}`", side.prefix, one.trim_end_matches('*')),
            many => format!("`{}`", many.join("`, `")),
        },
    }
}

/// Joins the pieces of a text in the form in which a user would write the text.
fn show(pieces: &[String], mnemonic: &str) -> String {
    let (mut text, mut at_mnemonic) = (String::new(), false);
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        if piece == "\0" {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(mnemonic);
            at_mnemonic = true;
            continue;
        }
        // Directly after the mnemonic, a dot of fixed text would begin a modifier.
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
