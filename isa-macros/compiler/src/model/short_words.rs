//! Words whose last part exists only if a condition holds: `word<64> if src == 255 else word<32>;`.
//!
//! Such a word always has its full width as a number. If it is short, the bits of the missing part are
//! 0. An ordinary exception rejects all other short words, so the decoder, the encoder and the parser
//! need no code for them. Its cases use truth tables like those of functions in conditions, because the
//! masked patterns of "some bit is 1 and three sources differ from 255" would be too many.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::conditions::Conditions;
use super::cube::{Cube, bits};
use super::predicates::{MOST_BITS, Predicate, PredicateCase};
use super::{Exception, Model, at_node};
use crate::diag::{Code, Diagnostics, bits as bits_text, quoted};
use crate::syntax::ast::{ByteOrder, Condition, NodeDecl, NumberLiteral, ShortWordDecl};

/// The class of the exceptions that reject bits of the missing part.
const CLASS: &str = "ShortWord";

/// The short words of some opcodes.
#[derive(Debug)]
pub(crate) struct ResolvedShortWord {
    /// The width of the short words in bits.
    pub(crate) bits: u8,
    /// The long words. Their bits are among the first `bits` bits.
    pub(crate) long: Vec<Cube>,
    /// The condition of the long words, as text.
    pub(crate) condition: String,
    /// The condition of the short words, as text.
    pub(crate) opposite: String,
    /// The exception that rejects bits after a short word, as an index into [`Model::exceptions`].
    pub(crate) exception: usize,
}

/// The short words of all nodes that declare them.
pub(super) type ShortWords = BTreeMap<usize, Rc<ResolvedShortWord>>;

/// Resolves the short words of all nodes, and adds their exceptions to the model.
pub(super) fn lower_short_words(model: &mut Model, diag: &mut Diagnostics) {
    let mut found = ShortWords::new();
    for node in 0..model.nodes.len() {
        let decl = &model.nodes[node];
        let (Some(word), Some(short)) = (decl.word, &decl.short) else { continue };
        at_node(decl, diag);
        match lower_short_word(model, node, word, short, diag) {
            Some((short, predicates, exception)) => {
                model.predicates.extend(predicates);
                model.exceptions.push(exception);
                found.insert(node, Rc::new(short));
            }
            None => {
                let wider = if short.width.value > word.value { short.width } else { word };
                model.nodes[node].word = Some(wider);
                model.nodes[node].incomplete = true;
            }
        }
    }
    diag.leave_item();
    model.short_words = found;
}

/// Returns the node whose line `word` applies to the last node of a lineage.
pub(super) fn word_node(nodes: &[NodeDecl], lineage: &[usize]) -> Option<usize> {
    lineage.iter().rev().copied().find(|&node| nodes[node].word.is_some())
}

/// Returns the message for a width that the set does not have.
pub(super) fn unknown_width(model: &Model, width: NumberLiteral) -> String {
    let widths = model.header.widths.iter().map(|w| format!("word<{}>", w.value));
    format!(
        "the set has no words of {}\nhelp: write {}, or add the width to the header: `isa {}: u16 | \
         u32;`",
        bits_text(width.value),
        quoted(widths, " or "),
        model.header.name
    )
}

fn lower_short_word(
    model: &Model,
    node: usize,
    word: NumberLiteral,
    decl: &ShortWordDecl,
    diag: &mut Diagnostics,
) -> Option<(ResolvedShortWord, Vec<Predicate>, Exception)> {
    let ShortWordDecl { condition, width, span } = decl;
    if !has_valid_width(model, word, decl, diag) {
        return None;
    }
    let conditions = Conditions::of(model, node);
    let (mut long, mut predicates, mut when) = (Vec::new(), Vec::new(), Vec::new());
    let terms = match condition {
        Condition::Or(terms) => &terms[..],
        one => std::slice::from_ref(one),
    };
    for term in terms {
        let mut calls = Vec::new();
        let lowered = conditions.lower(term, false, ("condition", *span), &mut calls, diag);
        let cubes = lowered?.0;
        if !calls.is_empty() {
            let message = "the condition of a long word cannot call a function\nhelp: compare fields \
                           with `==`, `in` or `<`";
            diag.error(Code::Predicate, *span, message);
            return None;
        }
        let mask = cubes.iter().fold(0, |mask, cube| mask | cube.mask);
        if mask >> width.value != 0 {
            let late = conditions
                .scope()
                .all()
                .find(|field| field.mask() & mask >> width.value << width.value != 0);
            let name = late.map_or("", |field| field.text.as_str());
            let message = format!(
                "`{name}` has bits after the first {}, so it cannot determine whether they \
                 exist\nhelp: use fields in bits 0 to {}",
                width.value,
                width.value - 1
            );
            diag.error(Code::WordWidth, *span, message);
            return None;
        }
        if mask.count_ones() > MOST_BITS {
            let message = format!(
                "`{}` depends on too many bits: expected at most {MOST_BITS}, found {}\nhelp: join \
                 comparisons of single fields with `or`",
                term.text(),
                mask.count_ones()
            );
            diag.error(Code::Predicate, *span, message);
            return None;
        }
        when.push((model.predicates.len() + predicates.len(), false));
        predicates.push(Predicate::known(term.text(), mask, &cubes, *span));
        long.extend(cubes);
    }
    let exception = model.exceptions.len();
    let missing = u128::MAX >> (128 - word.value) & u128::MAX << width.value;
    let cubes = bits(missing).map(|bit| Cube { mask: bit, value: bit }).collect();
    let (first, last) = (width.value, word.value - 1);
    let exception_row = Exception {
        node,
        class: CLASS.to_owned(),
        reason: format!("bits {first} to {last} exist only if `{}`", condition.text()),
        condition: format!("{} and one of bits {first} to {last} is 1", condition.opposite()),
        cubes: Vec::new(),
        cases: vec![PredicateCase { when, cubes }],
        span: *span,
        unmet: None,
        special: None,
    };
    let (bits, opposite) = (width.value as u8, condition.opposite());
    let short = ResolvedShortWord { bits, long, condition: condition.text(), opposite, exception };
    Some((short, predicates, exception_row))
}

/// Returns whether the set has the width of the short words, it is smaller than the width of the long
/// words, and the short word is the beginning of the long word in memory.
fn has_valid_width(
    model: &Model,
    word: NumberLiteral,
    ShortWordDecl { condition, width, span }: &ShortWordDecl,
    diag: &mut Diagnostics,
) -> bool {
    if model.byte_order != ByteOrder::LittleEndian {
        let message = format!(
            "words of two widths in one opcode require `bytes little_endian;`, where a short word \
             contains the lowest bits of the long one\nhelp: declare two opcodes, one with \
             `word<{}>; where {};` and one with `word<{}>; where {};`",
            word.value,
            condition.text(),
            width.value,
            condition.opposite()
        );
        diag.error(Code::ByteOrder, *span, message);
        return false;
    }
    if !model.header.widths.iter().any(|known| known.value == width.value) {
        let message = unknown_width(model, *width);
        diag.error(Code::WordWidth, width.span, message);
        return false;
    }
    if width.value >= word.value {
        let message = format!(
            "the words that satisfy the condition have {}, so the others must be shorter, found \
             {}\nhelp: write the width of the long words first: `word<64> if condition else \
             word<32>;`",
            bits_text(word.value),
            bits_text(width.value)
        );
        diag.error(Code::WordWidth, width.span, message);
        return false;
    }
    true
}
