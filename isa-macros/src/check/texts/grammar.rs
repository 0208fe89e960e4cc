//! What the text of an opcode is made of, less all that its fields do not show.

use proc_macro2::{TokenStream, TokenTree};

use crate::emit::{format_text, kind_text};
use crate::model::{FieldModifiers, Init, Item, Model, Opcode, Syntax};

/// The text of an opcode.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) mnemonic: String,
    /// The parts in order, with [`Part::Mnemonic`] among them.
    pub(crate) parts: Vec<Part>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Mnemonic,
    /// Fixed text without blanks.
    Text(String),
    /// The value of a field.
    Value(Filler),
    /// Modifiers behind dots, in any order.
    Dots(Vec<Dot>),
    /// Trailing settings, in any order.
    Tags(Vec<Filler>),
    /// One of several.
    Choice(Vec<Vec<Part>>),
}

/// A modifier.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dot {
    pub(crate) filler: Filler,
    /// Whether the text must give it.
    pub(crate) mandatory: bool,
}

/// What may stand for a field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filler {
    /// One of these names.
    Names(Vec<String>),
    /// What a Rust type reads, of which the macro sees nothing; where the field is fixed, the
    /// text of that one value.
    Read(Reader, Option<u64>),
}

/// The text functions of an operand kind or a format, as an expression. Its last name is that of
/// the type.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) name: String,
    pub(crate) path: TokenStream,
    /// The path as text, which is compared.
    text: String,
}

impl Reader {
    /// The functions that an expression gives.
    pub(crate) fn new(path: TokenStream) -> Self {
        let names = path.clone().into_iter().filter_map(|tree| match tree {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        let name = names.last().unwrap_or_default().replace("__isa_text_", "");
        // A call and the sets that it includes know `isa_core` by different paths.
        let is_core = path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Group(_)));
        let text = if is_core { name.clone() } else { path.to_string() };
        Reader { name, path, text }
    }

    /// What reads the field at a place; nothing where the names of a set are written.
    pub(super) fn of(model: &Model, opcode: &Opcode, place: usize) -> Option<Self> {
        let kind = &model.kinds[model.fields[opcode.fields[place]].kind];
        match opcode.format_of(place) {
            Some(format) => Some(Reader::new(format_text(&model.formats[format.format]))),
            None if kind.is_set() => None,
            None => Some(Reader::new(kind_text(kind))),
        }
    }
}

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The text of an opcode without a fault.
pub(crate) fn text_of(model: &Model, opcode: &Opcode) -> Text {
    let lowering = Lowering { model, opcode };
    let syntax = &model.syntaxes[opcode.syntax];
    let mut parts = lowering.items(&syntax.before);
    parts.push(Part::Mnemonic);
    parts.push(Part::Dots(lowering.modifiers(syntax)));
    parts.extend(lowering.items(&syntax.after));
    Text { mnemonic: syntax.mnemonic.clone(), parts }
}

struct Lowering<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
}

impl Lowering<'_> {
    fn init(&self, place: usize) -> &Init {
        &self.model.fields[self.opcode.fields[place]].init
    }

    /// What stands for the field at a place, where not `only` some values are written.
    fn filler(&self, place: usize, only: Option<&[u64]>) -> Filler {
        let field = &self.model.fields[self.opcode.fields[place]];
        let fixed = match field.init {
            Init::Fixed(raw) => Some(raw),
            _ => None,
        };
        if let Some(reader) = Reader::of(self.model, self.opcode, place) {
            return Filler::Read(reader, fixed);
        }
        let values = self.model.kinds[field.kind].values().iter().filter(|value| {
            fixed.is_none_or(|raw| raw == value.raw)
                && only.is_none_or(|only| only.contains(&value.raw))
        });
        Filler::Names(values.map(|value| value.name.to_string()).collect())
    }

    /// The modifiers of the mnemonic. Those of one field are one.
    fn modifiers(&self, syntax: &Syntax) -> Vec<Dot> {
        let dot = |modifiers: FieldModifiers| {
            let place = self.opcode.bound(modifiers.symbol)?;
            let filler = self.filler(place, modifiers.only.as_deref());
            Some(Dot { filler, mandatory: !modifiers.optional })
        };
        syntax.modifiers_by_symbol().into_iter().filter_map(dot).collect()
    }

    fn items(&self, items: &[Item]) -> Vec<Part> {
        let mut parts = Vec::new();
        for item in items {
            match item {
                Item::Text(text) => parts.extend(fixed(text)),
                Item::Optional(inner) => {
                    parts.push(Part::Choice(vec![Vec::new(), self.items(inner)]));
                }
                Item::Tags(symbols) => {
                    let places = symbols.iter().filter_map(|&symbol| self.opcode.bound(symbol));
                    parts.push(Part::Tags(places.map(|place| self.filler(place, None)).collect()));
                }
                Item::Slot { symbol, affixes, suffixes } => {
                    let Some(place) = self.opcode.bound(*symbol) else { continue };
                    let mut slot = vec![Part::Value(self.filler(place, None))];
                    slot.push(Part::Dots(self.suffixes(suffixes)));
                    for affix in affixes.iter().rev() {
                        slot = self.marked(affix, slot);
                    }
                    parts.extend(slot);
                }
            }
        }
        parts
    }

    fn suffixes(&self, suffixes: &[usize]) -> Vec<Dot> {
        let places = suffixes.iter().filter_map(|&symbol| self.opcode.bound(symbol));
        let dot = |place: usize| Dot {
            filler: self.filler(place, None),
            mandatory: *self.init(place) == Init::Required,
        };
        places.map(dot).collect()
    }

    /// A slot with and without a mark, as far as the opcode has a choice.
    fn marked(&self, affix: &crate::model::Affix, slot: Vec<Part>) -> Vec<Part> {
        let Some(place) = self.opcode.bound(affix.symbol) else {
            return slot;
        };
        let (open, close) = (fixed(&affix.open), fixed(&affix.close));
        let whole = |slot: Vec<Part>| -> Vec<Part> {
            open.iter().cloned().chain(slot).chain(close.iter().cloned()).collect()
        };
        match *self.init(place) {
            Init::Fixed(raw) if raw == affix.present => whole(slot),
            Init::Fixed(_) => slot,
            _ if close.is_empty() => {
                let mut parts = vec![Part::Choice(vec![Vec::new(), open])];
                parts.extend(slot);
                parts
            }
            _ => vec![Part::Choice(vec![slot.clone(), whole(slot)])],
        }
    }
}

/// Fixed text as a part, unless it is blank.
fn fixed(text: &str) -> Vec<Part> {
    let text: String = text.chars().filter(|c| *c != ' ').collect();
    if text.is_empty() { Vec::new() } else { vec![Part::Text(text)] }
}
