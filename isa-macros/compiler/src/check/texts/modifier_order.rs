//! Checks that each modifier fills the right slot: the parser fills the first slot of the template that
//! accepts it.

use super::DisjointnessClaim;
use super::common_modifiers::{common_value, unsure};
use super::grammar::{FieldText, Lexicon};
use crate::diag::{Code, Diagnostics};
use crate::model::opcode_template::{self, FieldModifiers, Modifier, ShownField, TemplatePart};
use crate::model::{Init, Model, Opcode, ResolvedField, Syntax, at_node};

/// A modifier or a trailing attribute.
struct AttributeSlot<'m> {
    symbol: usize,
    /// An index into the opcode's fields, and the field with this index.
    place: usize,
    field: &'m ResolvedField,
    /// Whether canonical text omits the slot if it has the default value.
    leaves_out: bool,
    /// All text that the slot can have.
    filler: FieldText,
    /// The values that the slot represents, if not all.
    only: Option<Vec<u64>>,
}

/// A conflict between two slots of one list.
enum Conflict {
    /// The text is printed for the later slot, but the parser assigns it to the earlier slot.
    Text(String),
    /// Some text may be assigned to the wrong slot, unless the token patterns of the types are
    /// disjoint.
    Doubt(DisjointnessClaim),
}

/// Checks that the parser assigns each printed modifier to the slot for which it was printed. Returns
/// the assertions about types that the result depends on.
pub(super) fn check_modifiers(
    model: &Model,
    lexicon: &Lexicon<'_>,
    opcode: &Opcode,
    diag: &mut Diagnostics,
) -> Vec<DisjointnessClaim> {
    let syntax = &model.syntaxes[opcode.syntax];
    let mut claims = Vec::new();
    at_node(&model.nodes[opcode.node], diag);
    for (mark, slots) in (SlotContext { model, lexicon, opcode }).lists() {
        for (earlier, later) in pairs(&slots) {
            match conflict(model, lexicon, opcode, earlier, later) {
                Some(Conflict::Text(text)) => report(syntax, mark, &text, earlier, later, diag),
                Some(Conflict::Doubt(claim)) => claims.push(claim),
                None => {}
            }
        }
    }
    diag.leave_item();
    claims
}

fn report(
    syntax: &Syntax,
    mark: &str,
    text: &str,
    earlier: &AttributeSlot<'_>,
    later: &AttributeSlot<'_>,
    diag: &mut Diagnostics,
) {
    let [first, second] = [earlier, later].map(|slot| &syntax.placeholders[slot.symbol]);
    let help = match later.leaves_out {
        true => {
            "make the first mandatory, or rename the value in one of the two value sets".to_owned()
        }
        false => format!("write `{mark}{}` first", second.name),
    };
    let message = format!(
        "`{mark}{text}` could be `{}` or `{}`, because the first is optional\nhelp: {help}",
        first.name, second.name
    );
    diag.error(Code::AmbiguousModifier, second.span, message);
}

fn pairs<'s, 'm>(
    slots: &'s [AttributeSlot<'m>],
) -> impl Iterator<Item = (&'s AttributeSlot<'m>, &'s AttributeSlot<'m>)> {
    let later = slots.iter().enumerate();
    later.flat_map(|(i, later)| slots[..i].iter().map(move |earlier| (earlier, later)))
}

/// The context in which the slots of an opcode are resolved.
struct SlotContext<'s, 'm> {
    model: &'m Model,
    lexicon: &'s Lexicon<'m>,
    opcode: &'s Opcode,
}

impl<'m> SlotContext<'_, 'm> {
    /// Returns the lists of the opcode in which order matters, each with the text before each of its
    /// slots.
    fn lists(&self) -> Vec<(&'static str, Vec<AttributeSlot<'m>>)> {
        let mut lists = Vec::new();
        self.in_parts(&self.opcode.text.parts, &mut lists);
        lists
    }

    fn in_parts(
        &self,
        parts: &[TemplatePart],
        lists: &mut Vec<(&'static str, Vec<AttributeSlot<'m>>)>,
    ) {
        let modifiers = |modifiers: &[Modifier]| -> Vec<AttributeSlot<'m>> {
            opcode_template::by_field(modifiers).into_iter().map(|place| self.slot(place)).collect()
        };
        for part in parts {
            match part {
                TemplatePart::Text(_) | TemplatePart::Mnemonic => {}
                TemplatePart::Modifiers(all) => lists.push((".", modifiers(all))),
                TemplatePart::Slot(slot) => lists.push((".", modifiers(&slot.modifiers))),
                TemplatePart::Optional(inner) => self.in_parts(inner, lists),
                TemplatePart::Settings(settings) => {
                    let place = |&shown: &ShownField| FieldModifiers {
                        shown,
                        mandatory: false,
                        only: None,
                    };
                    let slots = settings.iter().map(|shown| self.slot(place(shown)));
                    lists.push(("", slots.collect()));
                }
            }
        }
    }

    fn slot(&self, FieldModifiers { shown, mandatory, only }: FieldModifiers) -> AttributeSlot<'m> {
        let SlotContext { model, lexicon, opcode } = self;
        let field = model.at(opcode, shown.place);
        let filler = match &only {
            Some(only) => lexicon.some(opcode, shown.place, |raw| only.contains(&raw)),
            None => lexicon.any(opcode, shown.place),
        };
        let leaves_out = !mandatory && matches!(field.init, Init::Default(_));
        let filler = lexicon.compared(filler);
        AttributeSlot { symbol: shown.symbol, place: shown.place, field, leaves_out, filler, only }
    }
}

/// Returns the conflict between two slots, if the earlier one may be omitted.
fn conflict(
    model: &Model,
    lexicon: &Lexicon<'_>,
    opcode: &Opcode,
    earlier: &AttributeSlot<'_>,
    later: &AttributeSlot<'_>,
) -> Option<Conflict> {
    let alike =
        |a: &FieldText, b: &FieldText| common_value(a, b).is_some() || unsure(a, b).is_some();
    if !earlier.leaves_out || !alike(&earlier.filler, &later.filler) {
        return None;
    }
    let taken = &earlier.filler;
    let left_out = earlier.field.default_number().map(|raw| earlier.field.equals(raw));
    // Valid encodings in which the earlier slot has its default and the later slot has a value that is
    // printed.
    let printed = lexicon.compared(lexicon.some(opcode, later.place, |raw| {
        let named = later.only.as_ref().is_none_or(|only| only.contains(&raw));
        let silent = later.leaves_out && later.field.default_number() == Some(raw);
        let fixed = matches!(later.field.init, Init::Fixed(fixed) if fixed != raw);
        let words = left_out.into_iter().chain([later.field.equals(raw)]);
        named && !silent && !fixed && opcode.has_valid_word(words)
    }));
    if let Some(text) = common_value(taken, &printed) {
        return Some(Conflict::Text(text));
    }
    let (a, b) = unsure(taken, &printed)?;
    let steps = vec![vec![(a, b)]];
    let symbols = &model.syntaxes[opcode.syntax].placeholders;
    let message = format!(
        "{code} the same text could be `{}` or `{}`, because the first is optional: {}",
        symbols[earlier.symbol].name,
        symbols[later.symbol].name,
        super::doubt(&steps),
        code = Code::AmbiguousModifier
    );
    let span = symbols[later.symbol].span;
    Some(Conflict::Doubt(DisjointnessClaim { span, steps, fold: true, message }))
}
