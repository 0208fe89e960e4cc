//! Reading, laid out: each syntax as steps for all its opcodes at once.
//!
//! `isa_core::table::Read` says what a step is. What has no place there, such as a modifier that
//! one opcode names and another reads as a number, leaves the syntax to the walk over its template.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{format_static, text_static};
use crate::model::{Affix, Field, Init, Item, Model, Opcode, Shape, Syntax};

/// The most symbols and opcodes of a syntax that is laid out.
const MOST: [usize; 2] = [32, 64];

/// The steps of a syntax; none where it is not laid out.
pub(crate) fn emit_reader(model: &Model, index: usize) -> (TokenStream, usize) {
    let heirs: Vec<&Opcode> = model.spellings().filter(|row| row.syntax == index).collect();
    let syntax = &model.syntaxes[index];
    let count = heirs.len();
    let fits = syntax.symbols.len() <= MOST[0] && (1..=MOST[1]).contains(&count);
    let steps = Layout { model, syntax, heirs }.syntax().filter(|_| fits);
    let steps = steps.unwrap_or_default();
    (quote!(&[#(#steps),*]), count)
}

struct Layout<'m> {
    model: &'m Model,
    syntax: &'m Syntax,
    heirs: Vec<&'m Opcode>,
}

/// A way to read an operand: its text functions, the symbols they depend on, and who has it.
struct Way {
    text: TokenStream,
    args: Vec<usize>,
    takes: u64,
}

impl Layout<'_> {
    fn syntax(&self) -> Option<Vec<TokenStream>> {
        let Syntax { before, modifiers, after, .. } = self.syntax;
        let mut steps = Vec::new();
        self.items(before, &mut steps)?;
        steps.push(quote!(::isa_core::table::Read::Mnemonic));
        let symbols: Vec<_> = modifiers.iter().map(|m| (m.symbol, m.only)).collect();
        let required = modifiers.iter().filter(|m| !m.optional).map(|m| m.symbol);
        self.names(&symbols, self.having(required, |_| true), &mut steps)?;
        self.items(after, &mut steps)?;
        Some(steps)
    }

    fn items(&self, items: &[Item], steps: &mut Vec<TokenStream>) -> Option<()> {
        for item in items {
            match item {
                Item::Text(text) => steps.push(quote!(::isa_core::table::Read::Text(#text))),
                Item::Tags(symbols) => self.tags(symbols, steps)?,
                Item::Slot { symbol, affixes, suffixes } => {
                    self.slot(*symbol, affixes, suffixes, steps)?;
                }
                Item::Optional(inner) => {
                    // Whether the part is there shows by its first text alone.
                    let Some(Item::Text(text)) = inner.first() else { return None };
                    let first = text.trim_end();
                    if first.is_empty() || first.contains(char::is_whitespace) {
                        return None;
                    }
                    let mut part = Vec::new();
                    self.items(inner, &mut part)?;
                    let over = Literal::u8_unsuffixed(u8::try_from(part.len()).ok()?);
                    steps.push(quote!(::isa_core::table::Read::Optional(#first, #over)));
                    steps.extend(part);
                }
            }
        }
        Some(())
    }

    fn slot(
        &self,
        symbol: usize,
        affixes: &[Affix],
        suffixes: &[usize],
        steps: &mut Vec<TokenStream>,
    ) -> Option<()> {
        let kinds = emit_ways(&self.ways(symbol)?);
        let marks: Vec<TokenStream> = affixes.iter().map(|affix| self.mark(affix)).collect();
        let number = byte(symbol);
        steps.push(
            quote!(::isa_core::table::Read::Operand(#number, &[#(#marks),*], &[#(#kinds),*])),
        );
        let symbols: Vec<_> = suffixes.iter().map(|&symbol| (symbol, None)).collect();
        let needed = |field: &Field| field.init == Init::Required;
        let required = self.having(suffixes.iter().copied(), needed);
        match suffixes {
            [] => {}
            [only] if required == 0 && self.is_operand(*only) => {
                let (number, kinds) = (byte(*only), emit_ways(&self.ways(*only)?));
                steps.push(quote!(::isa_core::table::Read::Dotted(#number, &[#(#kinds),*])));
            }
            _ => self.names(&symbols, required, steps)?,
        }
        let closing = affixes.iter().filter(|affix| !affix.close.is_empty());
        let closing: Vec<TokenStream> = closing.map(|affix| self.mark(affix)).collect();
        if !closing.is_empty() {
            steps.push(quote!(::isa_core::table::Read::Close(&[#(#closing),*])));
        }
        Some(())
    }

    fn mark(&self, affix: &Affix) -> TokenStream {
        let Affix { symbol, present, open, close } = affix;
        let bound = set(self.bound(*symbol).map(|(bit, ..)| bit));
        let (symbol, present) = (byte(*symbol), Literal::u64_unsuffixed(*present));
        quote!(::isa_core::table::ReadMark::new(#open, #close, #symbol, #present, #bound))
    }

    fn tags(&self, symbols: &[usize], steps: &mut Vec<TokenStream>) -> Option<()> {
        let mut tags = Vec::new();
        for &symbol in symbols {
            let ways = self.ways(symbol)?;
            // All opcodes have it alike, or reading it would say which they can be.
            if ways.len() != 1 || ways[0].takes.count_ones() as usize != self.heirs.len() {
                return None;
            }
            let (number, kinds) = (byte(symbol), emit_ways(&ways));
            tags.push(quote!((#number, #(#kinds),*)));
        }
        steps.push(quote!(::isa_core::table::Read::Tags(&[#(#tags),*])));
        Some(())
    }

    /// The names of some symbols' values, in their order.
    fn names(
        &self,
        symbols: &[(usize, Option<u64>)],
        required: u64,
        steps: &mut Vec<TokenStream>,
    ) -> Option<()> {
        let mut names = Vec::new();
        for &(symbol, only) in symbols {
            let mut kinds: Vec<usize> = Vec::new();
            for (_, _, field, text) in self.bound(symbol) {
                if text.is_some() || !self.model.kinds[field.kind].is_set() {
                    return None;
                }
                if !kinds.contains(&field.kind) {
                    kinds.push(field.kind);
                }
            }
            for kind in kinds {
                let alike =
                    || self.bound(symbol).filter(move |(_, _, field, _)| field.kind == kind);
                let takes = set(alike().map(|(bit, ..)| bit));
                for value in self.model.kinds[kind].values() {
                    let room = alike().filter(|(_, _, field, _)| match field.init {
                        Init::Fixed(raw) => raw == value.raw,
                        _ => true,
                    });
                    let fits = set(room.map(|(bit, ..)| bit));
                    let name = value.name.to_string();
                    if only.is_none_or(|only| only == value.raw) && name.len() <= 8 {
                        let (key, symbol) = (hex(key(&name)), byte(symbol));
                        let raw = Literal::u64_unsuffixed(value.raw);
                        names.push(quote!(::isa_core::table::ReadName::new(
                            #key, #takes, #fits, #symbol, #raw
                        )));
                    }
                }
            }
        }
        let required = hex(required);
        steps.push(quote!(::isa_core::table::Read::Names(&[#(#names),*], #required)));
        Some(())
    }

    /// Those symbols of which an opcode has such a field.
    fn having(&self, symbols: impl Iterator<Item = usize>, holds: impl Fn(&Field) -> bool) -> u64 {
        let has = |symbol: &usize| self.bound(*symbol).any(|(_, _, field, _)| holds(field));
        symbols.filter(has).fold(0, |all, symbol| all | 1 << symbol)
    }

    fn is_operand(&self, symbol: usize) -> bool {
        self.bound(symbol).all(|(_, _, _, text)| text.is_some())
    }

    /// The fields that opcodes have for a symbol: the opcode's bit and itself, the field, and its
    /// text functions.
    fn bound(
        &self,
        symbol: usize,
    ) -> impl Iterator<Item = (usize, &Opcode, &Field, Option<TokenStream>)> {
        self.heirs.iter().enumerate().filter_map(move |(bit, opcode)| {
            let place = (*opcode.bind.get(symbol)?)?;
            let field = &self.model.fields[opcode.fields[place]];
            let format = opcode.formats.iter().find(|format| format.field == place);
            let kind = &self.model.kinds[field.kind];
            let text = match (format, &kind.shape) {
                (Some(format), _) => Some(format_static(&self.model.formats[format.format])),
                (None, Shape::Operand(_)) => Some(text_static(kind)),
                (None, _) => None,
            };
            Some((bit, *opcode, field, text))
        })
    }

    /// The ways to read a symbol, those of earlier opcodes first.
    fn ways(&self, symbol: usize) -> Option<Vec<Way>> {
        let mut ways: Vec<Way> = Vec::new();
        for (bit, opcode, _, text) in self.bound(symbol) {
            let (text, args) = (text?, args(opcode, symbol)?);
            match ways.iter_mut().find(|way| way.text.to_string() == text.to_string()) {
                Some(way) if way.args == args => way.takes |= 1 << bit,
                Some(_) => return None,
                None => ways.push(Way { text, args, takes: 1 << bit }),
            }
        }
        Some(ways)
    }
}

/// The symbols that the text of a symbol depends on.
fn args(opcode: &Opcode, symbol: usize) -> Option<Vec<usize>> {
    let place = opcode.bind[symbol]?;
    let Some(format) = opcode.formats.iter().find(|format| format.field == place) else {
        return Some(Vec::new());
    };
    let symbol_of = |arg: &usize| opcode.bind.iter().position(|bound| *bound == Some(*arg));
    format.args.iter().map(symbol_of).collect()
}

fn emit_ways(ways: &[Way]) -> Vec<TokenStream> {
    let way = |Way { text, args, takes }: &Way| {
        let (args, takes) = (args.iter().map(|&symbol| byte(symbol)), hex(*takes));
        quote!(::isa_core::table::ReadKind::new(#takes, &#text, &[#(#args),*]))
    };
    ways.iter().map(way).collect()
}

/// A set of opcodes by their bits.
fn set(bits: impl Iterator<Item = usize>) -> Literal {
    hex(bits.fold(0, |set, bit| set | 1 << bit))
}

/// The bytes of a name, the first lowest.
fn key(name: &str) -> u64 {
    name.bytes().rev().fold(0, |key, byte| key << 8 | u64::from(byte))
}

fn hex(number: u64) -> Literal {
    super::sets::hex(number.into())
}

fn byte(number: usize) -> Literal {
    Literal::u8_unsuffixed(u8::try_from(number).unwrap_or(u8::MAX))
}
