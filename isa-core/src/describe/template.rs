//! Describes how the template of a row is printed. The description refers directly to the fields of the
//! row.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::texts::DescribedTexts;
use super::{QuotedText, list};
use crate::table::{AfterOperand, Field, Init, Item, Opcode, Slot};

/// A part of a printed template.
enum TemplateItem {
    /// Fixed text.
    Text(String),
    /// A field or a composite operand, as an index.
    Field(usize),
    /// Parts that are printed only for some words: the type of the group, the condition, and the parts.
    Some { name: &'static str, when: When, parts: Vec<TemplateItem> },
}

/// The condition for printing a part: the indexes of fields and their values.
enum When {
    /// All fields have these values.
    All(Vec<(usize, u64)>),
    /// At least one field differs from these values, which are the defaults.
    Unless(Vec<(usize, u64)>),
}

/// Writes the template of a row and the formats of its fields as keys of a JSON object.
pub(super) fn write(row: &Opcode, texts: &DescribedTexts, f: &mut Formatter<'_>) -> fmt::Result {
    let formats = list(row.formats, |format, f| {
        write!(f, r#"{{"place":{},"name":{},"#, format.field, QuotedText(format.name))?;
        let args = list(format.args, Display::fmt);
        write!(f, r#""text":{},"args":{args}}}"#, texts.of_format(row, format).unwrap_or_default())
    });
    write!(f, r#""formats":{formats},"prints":{}"#, list(&parts_of(row), part))
}

fn part(one: &TemplateItem, f: &mut Formatter<'_>) -> fmt::Result {
    match one {
        TemplateItem::Text(text) => QuotedText(text).fmt(f),
        TemplateItem::Field(place) => place.fmt(f),
        TemplateItem::Some { name, when, parts } => {
            let (key, values) = match when {
                When::All(values) => ("when", values),
                When::Unless(values) => ("unless", values),
            };
            let values = list(values, |(place, raw), f| write!(f, r#"[{place},"{raw:#x}"]"#));
            let parts = list(parts, part);
            write!(f, r#"{{"part":"{name}","{key}":{values},"prints":{parts}}}"#)
        }
    }
}

/// Collects the parts. Adjacent fixed texts are combined.
struct Template<'r> {
    row: &'r Opcode,
    parts: Vec<TemplateItem>,
}

fn parts_of(row: &Opcode) -> Vec<TemplateItem> {
    let mut all = Template { row, parts: Vec::new() };
    all.items(row.syntax.before);
    all.text(row.syntax.mnemonic);
    for modifier in row.syntax.modifiers {
        let Some((place, field)) = row.bound(modifier.symbol) else { continue };
        let mut own = all.empty();
        own.text(".");
        own.field(place);
        match (modifier.only, field.init) {
            (Some(only), Init::Fixed(raw)) if only == raw => all.join(own),
            (Some(_), Init::Fixed(_)) => {}
            // The modifier is left out if the field has its default.
            (Some(only), Init::Default(raw)) if modifier.optional && only == raw => {}
            (Some(only), _) => all.some("modifier", When::All(alloc::vec![(place, only)]), own),
            (None, Init::Default(raw)) if modifier.optional => {
                all.some("modifier", When::Unless(alloc::vec![(place, raw)]), own);
            }
            _ => all.join(own),
        }
    }
    all.items(row.syntax.after);
    all.parts
}

impl Template<'_> {
    fn empty(&self) -> Self {
        Template { row: self.row, parts: Vec::new() }
    }

    fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(TemplateItem::Text(last)) => last.push_str(text),
            _ => self.parts.push(TemplateItem::Text(text.into())),
        }
    }

    fn field(&mut self, place: usize) {
        self.parts.push(TemplateItem::Field(place));
    }

    fn some(&mut self, name: &'static str, when: When, Template { parts, .. }: Self) {
        self.parts.push(TemplateItem::Some { name, when, parts });
    }

    fn join(&mut self, other: Self) {
        for part in other.parts {
            match part {
                TemplateItem::Text(text) => self.text(&text),
                part => self.parts.push(part),
            }
        }
    }

    fn items(&mut self, items: &'static [Item]) {
        for item in items {
            match item {
                Item::Text(text) => self.text(text),
                Item::Slot(slot) => self.slot(slot),
                Item::Tags(symbols) => self.dotted("setting", " ", symbols),
                Item::Optional(items) => {
                    let mut own = self.empty();
                    own.items(items);
                    let mut fields = Vec::new();
                    self.fields(items, &mut fields);
                    self.unless_default("optional", &fields, own);
                }
            }
        }
    }

    /// Adds the part `own`, which is left out if all `fields` have their defaults. If a field has
    /// no default, the part is always printed.
    fn unless_default(&mut self, name: &'static str, fields: &[(usize, &Field)], own: Self) {
        let defaults = fields.iter().map(|(place, field)| match field.init {
            Init::Default(raw) => Some((*place, raw)),
            Init::Fixed(_) | Init::Required => None,
        });
        match defaults.collect::<Option<Vec<_>>>() {
            Some(defaults) if defaults.is_empty() => {}
            Some(defaults) => self.some(name, When::Unless(defaults), own),
            None => self.join(own),
        }
    }

    /// Adds fields, each of which is left out if it has its default.
    fn dotted(&mut self, name: &'static str, mark: &str, symbols: &[u8]) {
        for &symbol in symbols {
            if let Some((place, field)) = self.row.bound(symbol) {
                let mut own = self.empty();
                own.text(mark);
                own.field(place);
                self.unless_default(name, &[(place, field)], own);
            }
        }
    }

    fn slot(&mut self, slot: &'static Slot) {
        let Some((place, _)) = self.row.bound(slot.symbol) else { return };
        let marks = |all: &mut Self, affix: &crate::table::Affix, text: &str| {
            let Some((place, _)) = all.row.bound(affix.symbol) else { return };
            let mut own = all.empty();
            own.text(text);
            all.some("mark", When::All(alloc::vec![(place, affix.present)]), own);
        };
        slot.affixes.iter().for_each(|affix| marks(self, affix, affix.open));
        self.field(place);
        for part in slot.after_operand() {
            match part {
                AfterOperand::Suffix(symbol) => self.dotted("suffix", ".", &[symbol]),
                AfterOperand::Close(affix) => marks(self, affix, affix.close),
            }
        }
    }

    /// Collects the fields of a part of the template.
    fn fields(&self, items: &'static [Item], found: &mut Vec<(usize, &'static Field)>) {
        for item in items {
            match item {
                Item::Text(_) => {}
                Item::Optional(items) => self.fields(items, found),
                Item::Tags(symbols) => {
                    found.extend(symbols.iter().filter_map(|symbol| self.row.bound(*symbol)));
                }
                Item::Slot(slot) => {
                    let affixes = slot.affixes.iter().map(|affix| affix.symbol);
                    let symbols = core::iter::once(slot.symbol).chain(affixes);
                    let symbols = symbols.chain(slot.suffixes.iter().copied());
                    found.extend(symbols.filter_map(|symbol| self.row.bound(symbol)));
                }
            }
        }
    }
}
