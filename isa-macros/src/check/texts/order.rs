//! Which slot a modifier fills: the first one in the template that takes it.

use super::Apart;
use super::grammar::{Filler, Reader};
use super::modifiers::{common_value, unsure};
use crate::diag::{Code, Diagnostics};
use crate::model::{Field, Init, Item, Model, Opcode, Syntax};

/// A modifier or a trailing setting.
struct Slot<'m> {
    symbol: usize,
    field: &'m Field,
    /// Whether canonical text leaves it out at its default.
    leaves_out: bool,
    only: Option<Vec<u64>>,
    reader: Option<Reader>,
}

/// What the search finds between two slots of one list.
enum Conflict {
    /// This text is printed for the later slot and read as the earlier.
    Text(String),
    /// So it may be unless the forms differ.
    Doubt(Apart),
}

/// A modifier is read as the slot that it was printed for, if what is given of types holds.
pub(super) fn check_modifiers(
    model: &Model,
    opcode: &Opcode,
    diag: &mut Diagnostics,
) -> Vec<Apart> {
    let syntax = &model.syntaxes[opcode.syntax];
    check_repeated(syntax, diag);
    let mut claims = Vec::new();
    for (mark, slots) in lists(model, opcode) {
        for (earlier, later) in pairs(&slots) {
            match conflict(model, opcode, earlier, later) {
                Some(Conflict::Text(text)) => report(syntax, mark, &text, earlier, later, diag),
                Some(Conflict::Doubt(claim)) => claims.push(claim),
                None => {}
            }
        }
    }
    claims
}

fn report(
    syntax: &Syntax,
    mark: &str,
    text: &str,
    earlier: &Slot<'_>,
    later: &Slot<'_>,
    diag: &mut Diagnostics,
) {
    let [first, second] = [earlier, later].map(|slot| &syntax.symbols[slot.symbol]);
    let help = match later.leaves_out {
        true => "make the first mandatory, or rename the value in one of the two sets".to_owned(),
        false => format!("put `{mark}{}` in front", second.name),
    };
    let message = format!(
        "`{mark}{text}` could be `{}` or `{}`, and the first may be left out\nhelp: {help}",
        first.name, second.name
    );
    diag.error(Code::AmbiguousModifier, second.span, message);
}

/// A modifier stands in a template once.
fn check_repeated(syntax: &Syntax, diag: &mut Diagnostics) {
    for (i, later) in syntax.modifiers.iter().enumerate() {
        let same = |known: &&_| {
            let known: &crate::model::Modifier = known;
            (known.symbol, known.only) == (later.symbol, later.only)
        };
        if syntax.modifiers[..i].iter().any(|known| same(&known)) {
            let symbol = &syntax.symbols[later.symbol];
            let message = format!("the template has `{{.{}}}` twice; once is enough", symbol.name);
            diag.error(Code::Template, symbol.span, message);
        }
    }
}

fn pairs<'s, 'm>(slots: &'s [Slot<'m>]) -> impl Iterator<Item = (&'s Slot<'m>, &'s Slot<'m>)> {
    let later = slots.iter().enumerate();
    later.flat_map(|(i, later)| slots[..i].iter().map(move |earlier| (earlier, later)))
}

/// The lists of an opcode in which the order decides, with what stands before each of theirs.
fn lists<'m>(model: &'m Model, opcode: &Opcode) -> Vec<(&'static str, Vec<Slot<'m>>)> {
    let syntax = &model.syntaxes[opcode.syntax];
    let modifiers = syntax.modifiers_by_symbol().into_iter();
    let slots = modifiers.filter_map(|m| slot(model, opcode, m.symbol, m.optional, m.only));
    let mut lists = vec![(".", slots.collect())];
    for items in [&syntax.before, &syntax.after] {
        in_items(model, opcode, items, &mut lists);
    }
    lists
}

fn in_items<'m>(
    model: &'m Model,
    opcode: &Opcode,
    items: &[Item],
    lists: &mut Vec<(&'static str, Vec<Slot<'m>>)>,
) {
    let slots = |symbols: &[usize]| -> Vec<Slot<'m>> {
        symbols.iter().filter_map(|&symbol| slot(model, opcode, symbol, true, None)).collect()
    };
    for item in items {
        match item {
            Item::Text(_) => {}
            Item::Optional(items) => in_items(model, opcode, items, lists),
            Item::Tags(symbols) => lists.push(("", slots(symbols))),
            Item::Slot { suffixes, .. } => lists.push((".", slots(suffixes))),
        }
    }
}

fn slot<'m>(
    model: &'m Model,
    opcode: &Opcode,
    symbol: usize,
    optional: bool,
    only: Option<Vec<u64>>,
) -> Option<Slot<'m>> {
    let place = opcode.bound(symbol)?;
    let field = &model.fields[opcode.fields[place]];
    let reader = Reader::of(model, opcode, place);
    let leaves_out = optional && matches!(field.init, Init::Default(_));
    Some(Slot { symbol, field, leaves_out, only, reader })
}

/// What is wrong between two slots, where the earlier may be left out.
fn conflict(
    model: &Model,
    opcode: &Opcode,
    earlier: &Slot<'_>,
    later: &Slot<'_>,
) -> Option<Conflict> {
    if !earlier.leaves_out {
        return None;
    }
    let taken = earlier.filler(model, |_| true);
    let left_out = earlier.field.default_number().map(|raw| earlier.field.equals(raw));
    // The legal instructions that leave the earlier one out and have a value that is printed.
    let printed = later.filler(model, |raw| {
        let silent = later.leaves_out && later.field.default_number() == Some(raw);
        let fixed = matches!(later.field.init, Init::Fixed(fixed) if fixed != raw);
        let words = left_out.into_iter().chain([later.field.equals(raw)]);
        !silent && !fixed && opcode.has_legal_word(words)
    });
    if let Some(text) = common_value(&taken, &printed) {
        return Some(Conflict::Text(text));
    }
    let (a, b) = unsure(&taken, &printed)?;
    let steps = vec![vec![(a, b)]];
    let symbols = &model.syntaxes[opcode.syntax].symbols;
    let message = format!(
        "[ISA0024] one text could be `{}` or `{}`, and the first may be left out: {}",
        symbols[earlier.symbol].name,
        symbols[later.symbol].name,
        super::doubt(&steps)
    );
    let span = symbols[later.symbol].span;
    Some(Conflict::Doubt(Apart { span, steps, fold: true, message }))
}

impl Slot<'_> {
    fn filler(&self, model: &Model, keep: impl Fn(u64) -> bool) -> Filler {
        if let Some(reader) = &self.reader {
            return Filler::Read(reader.clone(), None);
        }
        let values = model.kinds[self.field.kind].values().iter().filter(|value| {
            self.only.as_ref().is_none_or(|only| only.contains(&value.raw)) && keep(value.raw)
        });
        Filler::Names(values.map(|value| value.name.to_string()).collect())
    }
}
