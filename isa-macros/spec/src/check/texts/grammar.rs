//! What the text of an opcode is made of, less all that its fields do not show.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};

use crate::emit::{format_text, kind_text};
use crate::model::{Affix, FieldModifiers, Init, Item, Model, Opcode, Syntax};

/// A part of a text, which is a list of them with [`Part::Mnemonic`] in it.
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
    Names(Rc<Vec<String>>),
    /// What a Rust type reads, of which the macro sees nothing; where the field is fixed, the
    /// text of that one value.
    Read(Rc<Reader>, Option<u64>),
}

/// The text functions of an operand kind or a format, as an expression. Its last name is that of
/// the type.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) name: String,
    pub(crate) path: TokenStream,
    /// The path as text.
    pub(super) path_text: String,
    /// What is compared.
    pub(super) text: String,
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
        let path_text = path.to_string();
        let text = if is_core { name.clone() } else { path_text.clone() };
        Reader { name, path, path_text, text }
    }
}

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// What the kinds and formats of a call are in texts, each looked at once.
pub(super) struct Lexicon<'m> {
    model: &'m Model,
    kinds: Vec<OnceCell<Filler>>,
    formats: Vec<OnceCell<Rc<Reader>>>,
}

impl<'m> Lexicon<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kinds = vec![OnceCell::new(); model.kinds.len()];
        Lexicon { model, kinds, formats: vec![OnceCell::new(); model.formats.len()] }
    }

    /// The parts of the text of an opcode without a fault.
    pub(super) fn text_of(&self, opcode: &Opcode) -> Vec<Part> {
        let lowering = Lowering { lexicon: self, opcode };
        let syntax = &self.model.syntaxes[opcode.syntax];
        let mut parts = lowering.items(&syntax.before);
        parts.push(Part::Mnemonic);
        parts.push(Part::Dots(lowering.modifiers(syntax)));
        parts.extend(lowering.items(&syntax.after));
        parts
    }

    /// What stands for all values of the field at a place.
    pub(super) fn any(&self, opcode: &Opcode, place: usize) -> Filler {
        if let Some(format) = opcode.format_of(place) {
            let path = || format_text(&self.model.formats[format.format]);
            let reader = self.formats[format.format].get_or_init(|| Rc::new(Reader::new(path())));
            return Filler::Read(Rc::clone(reader), None);
        }
        let index = self.model.fields[opcode.fields[place]].kind;
        let kind = &self.model.kinds[index];
        let filler = || match kind.is_set() {
            true => {
                let names = kind.values().iter().map(|value| value.name.to_string());
                Filler::Names(Rc::new(names.collect()))
            }
            false => Filler::Read(Rc::new(Reader::new(kind_text(kind))), None),
        };
        self.kinds[index].get_or_init(filler).clone()
    }

    /// What stands for the field at a place where its value is one of those to `keep`.
    pub(super) fn some(
        &self,
        opcode: &Opcode,
        place: usize,
        mut keep: impl FnMut(u64) -> bool,
    ) -> Filler {
        let kind = &self.model.kinds[self.model.fields[opcode.fields[place]].kind];
        match self.any(opcode, place) {
            Filler::Names(names) => {
                let kept = kind.values().iter().zip(&*names).filter(|(value, _)| keep(value.raw));
                Filler::Names(Rc::new(kept.map(|(_, name)| name.clone()).collect()))
            }
            read => read,
        }
    }
}

struct Lowering<'l, 'm> {
    lexicon: &'l Lexicon<'m>,
    opcode: &'l Opcode,
}

impl Lowering<'_, '_> {
    fn init(&self, place: usize) -> &Init {
        &self.lexicon.model.fields[self.opcode.fields[place]].init
    }

    /// What stands for the field at a place, where not `only` some values are written.
    fn filler(&self, place: usize, only: Option<&[u64]>) -> Filler {
        let fixed = match self.init(place) {
            Init::Fixed(raw) => Some(*raw),
            _ => None,
        };
        match self.lexicon.any(self.opcode, place) {
            Filler::Read(reader, _) => Filler::Read(reader, fixed),
            names if fixed.is_none() && only.is_none() => names,
            _ => self.lexicon.some(self.opcode, place, |raw| {
                fixed.is_none_or(|fixed| fixed == raw) && only.is_none_or(|o| o.contains(&raw))
            }),
        }
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
    fn marked(&self, affix: &Affix, slot: Vec<Part>) -> Vec<Part> {
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
