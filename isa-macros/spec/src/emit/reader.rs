//! Reading, laid out: each syntax as steps for all its opcodes at once.
//!
//! `isa_core::table::Read` says what a step is. What has no place there, such as a modifier that
//! one opcode names and another reads as a number, leaves the syntax to the walk over its template.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::writer_static;
use crate::model::sieve::find_hash;
use crate::model::{Affix, DefaultValue, Field, Init, Item, Model, Opcode, Syntax};
use crate::text::Writer;

/// The most symbols and opcodes of a syntax that is laid out.
const MOST: [usize; 2] = [31, 64];

/// The steps of a syntax of these opcodes; none where it is not laid out.
pub(crate) fn emit_reader(model: &Model, index: usize, heirs: &[&Opcode]) -> TokenStream {
    let syntax = &model.syntaxes[index];
    let fits = syntax.symbols.len() <= MOST[0] && (1..=MOST[1]).contains(&heirs.len());
    let steps = fits.then(|| Layout { model, syntax, heirs }.syntax()).flatten();
    let steps = steps.unwrap_or_default();
    quote!(&[#(#steps),*])
}

struct Layout<'m> {
    model: &'m Model,
    syntax: &'m Syntax,
    heirs: &'m [&'m Opcode],
}

/// A step on its way; text may still go into what follows it.
enum Step {
    Text(String),
    Other(TokenStream),
}

/// A way to read an operand: its text functions, the symbols they depend on, and who has it.
struct Way {
    text: Writer,
    args: Vec<usize>,
    takes: u64,
}

impl Layout<'_> {
    fn syntax(&self) -> Option<Vec<TokenStream>> {
        let Syntax { before, modifiers, after, .. } = self.syntax;
        let mut steps = Vec::new();
        self.items(before, &mut steps)?;
        steps.push(Step::Other(quote!(Mnemonic)));
        let symbols: Vec<_> = modifiers.iter().map(|m| (m.symbol, m.only)).collect();
        let required = modifiers.iter().filter(|m| !m.optional).map(|m| m.symbol);
        let names = self.names(&symbols, self.having(required, |_| true))?;
        steps.push(Step::Other(quote!(Names(#names))));
        self.items(after, &mut steps)?;
        let emit = |step| match step {
            Step::Text(text) => quote!(Text(::isa_core::table::Chunk::new(#text))),
            Step::Other(step) => step,
        };
        let emit = |step| {
            let step = emit(step);
            quote!(::isa_core::table::Read::#step)
        };
        Some(steps.into_iter().map(emit).collect())
    }

    fn items(&self, items: &[Item], steps: &mut Vec<Step>) -> Option<()> {
        for item in items {
            match item {
                Item::Text(text) => steps.extend(chunks(text)?),
                Item::Tags(symbols) => self.tags(symbols, steps)?,
                Item::Slot { symbol, affixes, suffixes } => {
                    self.slot(*symbol, affixes, suffixes, steps)?;
                }
                Item::Optional(inner) => {
                    // Whether the part is there shows by its first text alone.
                    let Some(Item::Text(text)) = inner.first() else { return None };
                    let first = text.trim_end();
                    if first.is_empty() || first.len() > 8 || first.contains(char::is_whitespace) {
                        return None;
                    }
                    let mut part = Vec::new();
                    self.items(inner, &mut part)?;
                    let (over, takes) = (byte(part.len()), hex(self.showing(inner)));
                    steps.push(Step::Other(
                        quote!(Optional(::isa_core::table::Chunk::new(#first), #over, #takes)),
                    ));
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
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let before = match steps.pop() {
            Some(Step::Text(text)) => text,
            other => {
                steps.extend(other);
                String::new()
            }
        };
        let kinds = self.emit_ways(&self.ways(symbol)?);
        let mut marks = affixes.iter().map(|affix| self.mark(affix));
        let mut mark =
            || marks.next().unwrap_or_else(|| Some(quote!(::isa_core::table::ReadMark::NONE)));
        let (outer, inner) = (mark()?, mark()?);
        if marks.next().is_some() {
            return None;
        }
        let suffix = self.suffix(suffixes)?;
        let number = byte(symbol);
        steps.push(Step::Other(quote!(Operand(::isa_core::table::ReadSlot::new(
            #before, #number, [#outer, #inner], &[#(#kinds),*], #suffix
        )))));
        Some(())
    }

    fn suffix(&self, suffixes: &[usize]) -> Option<TokenStream> {
        let symbols: Vec<_> = suffixes.iter().map(|&symbol| (symbol, None)).collect();
        let needed = |field: &Field| field.init == Init::Required;
        let required = self.having(suffixes.iter().copied(), needed);
        Some(match suffixes {
            [only] if required == 0 && self.is_operand(*only) => {
                let (number, kinds) = (byte(*only), self.emit_ways(&self.ways(*only)?));
                quote!(::isa_core::table::ReadSuffix::operand(#number, &[#(#kinds),*]))
            }
            _ => {
                let names = self.names(&symbols, required)?;
                quote!(::isa_core::table::ReadSuffix::Names(#names))
            }
        })
    }

    /// `None` for a mark of more than a character.
    fn mark(&self, affix: &Affix) -> Option<TokenStream> {
        let Affix { symbol, present, open, close } = affix;
        let character = |text: &str| match text.as_bytes() {
            [] => Some(Literal::u8_unsuffixed(0)),
            [only] => Some(Literal::byte_character(*only)),
            _ => None,
        };
        let (open, close) = (character(open).filter(|_| !open.is_empty())?, character(close)?);
        let default = Init::Default(DefaultValue::Number(present ^ 1));
        let always = self.bound(*symbol).any(|(_, _, field, _)| field.init != default);
        let bound = set(self.bound(*symbol).map(|(bit, ..)| bit));
        let (symbol, present) = (byte(*symbol), Literal::u64_unsuffixed(*present));
        Some(quote!(::isa_core::table::ReadMark::new(
            #open, #close, #symbol, #always, #present, #bound
        )))
    }

    fn tags(&self, symbols: &[usize], steps: &mut Vec<Step>) -> Option<()> {
        let mut tags = Vec::new();
        for &symbol in symbols {
            let ways = self.ways(symbol)?;
            // All opcodes have it alike, or reading it would say which they can be.
            if ways.len() != 1 || ways[0].takes.count_ones() as usize != self.heirs.len() {
                return None;
            }
            let (number, kinds) = (byte(symbol), self.emit_ways(&ways));
            tags.push(quote!((#number, #(#kinds),*)));
        }
        steps.push(Step::Other(quote!(Tags(&[#(#tags),*]))));
        Some(())
    }

    /// The names of some symbols' values, those with the same bytes in their order.
    fn names(&self, symbols: &[(usize, Option<u64>)], required: u64) -> Option<TokenStream> {
        let mut names: BTreeMap<u64, Vec<TokenStream>> = BTreeMap::new();
        for &(symbol, only) in symbols {
            let mut kinds: Vec<usize> = Vec::new();
            for (_, _, field, text) in self.bound(symbol) {
                if text != Writer::Names || !self.model.kinds[field.kind].is_set() {
                    return None;
                }
                if !kinds.contains(&field.kind) {
                    kinds.push(field.kind);
                }
            }
            for kind in kinds {
                self.values(symbol, kind, only, &mut names);
            }
        }
        if names.is_empty() && required == 0 {
            return Some(quote!(::isa_core::table::ReadNames::NONE));
        }
        let keys: Vec<u64> = names.keys().copied().collect();
        let fewest = keys.len().next_power_of_two().ilog2().max(1);
        let (bits, magic) = (fewest..fewest + 4)
            .find_map(|bits| Some((bits, find_hash(&keys, u64::MAX, bits)?)))?;
        let (mut places, mut first) = (vec![u8::MAX; 1 << bits], 0);
        for (key, alike) in &names {
            places[(key.wrapping_mul(magic) >> (64 - bits)) as usize] =
                u8::try_from(first).ok().filter(|first| *first < u8::MAX)?;
            first += alike.len();
        }
        let places = Literal::byte_string(&places);
        let (required, magic) = (hex(required), hex(magic));
        let (shift, names) = (Literal::u32_unsuffixed(64 - bits), names.into_values().flatten());
        Some(quote!(::isa_core::table::ReadNames::new(
            #required, #magic, #shift, #places, &[#(#names),*]
        )))
    }

    /// The names of a symbol in the opcodes that have it as this kind.
    fn values(
        &self,
        symbol: usize,
        kind: usize,
        only: Option<u64>,
        names: &mut BTreeMap<u64, Vec<TokenStream>>,
    ) {
        let alike = || self.bound(symbol).filter(move |(_, _, field, _)| field.kind == kind);
        for value in self.model.kinds[kind].values() {
            let room = alike().filter(|(_, _, field, _)| match field.init {
                Init::Fixed(raw) => raw == value.raw,
                _ => true,
            });
            let takes = set(room.map(|(bit, ..)| bit));
            let name = value.name.to_string();
            if only.is_none_or(|only| only == value.raw) && name.len() <= 8 {
                let (key, symbol) = (key(&name), byte(symbol));
                let (literal, raw) = (hex(key), Literal::u64_unsuffixed(value.raw));
                names.entry(key).or_default().push(quote!(::isa_core::table::ReadName::new(
                    #literal, #takes, #symbol, #raw
                )));
            }
        }
    }

    /// The opcodes that have a field in a part of the template.
    fn showing(&self, items: &[Item]) -> u64 {
        items.iter().fold(0, |all, item| {
            all | match item {
                Item::Text(_) => 0,
                Item::Optional(inner) => self.showing(inner),
                Item::Slot { symbol, .. } => set_of(self.bound(*symbol).map(|(bit, ..)| bit)),
                Item::Tags(symbols) => {
                    set_of(symbols.iter().flat_map(|s| self.bound(*s)).map(|(bit, ..)| bit))
                }
            }
        })
    }

    /// Those symbols of which an opcode has such a field.
    fn having(&self, symbols: impl Iterator<Item = usize>, holds: impl Fn(&Field) -> bool) -> u64 {
        let has = |symbol: &usize| self.bound(*symbol).any(|(_, _, field, _)| holds(field));
        symbols.filter(has).fold(0, |all, symbol| all | 1 << symbol)
    }

    fn is_operand(&self, symbol: usize) -> bool {
        self.bound(symbol).all(|(_, _, _, text)| text != Writer::Names)
    }

    /// The fields that opcodes have for a symbol: the opcode's bit and itself, the field, and what
    /// writes it.
    fn bound(&self, symbol: usize) -> impl Iterator<Item = (usize, &Opcode, &Field, Writer)> {
        self.heirs.iter().enumerate().filter_map(move |(bit, opcode)| {
            let place = (*opcode.bind.get(symbol)?)?;
            let field = &self.model.fields[opcode.fields[place]];
            Some((bit, *opcode, field, Writer::of(self.model, opcode, place)))
        })
    }

    fn emit_ways(&self, ways: &[Way]) -> Vec<TokenStream> {
        let way = |Way { text, args, takes }: &Way| {
            let text = writer_static(self.model, *text);
            let (args, takes) = (args.iter().map(|&symbol| byte(symbol)), hex(*takes));
            quote!(::isa_core::table::ReadKind::new(#takes, &#text, &[#(#args),*]))
        };
        ways.iter().map(way).collect()
    }

    /// The ways to read a symbol, those of earlier opcodes first.
    fn ways(&self, symbol: usize) -> Option<Vec<Way>> {
        let mut ways: Vec<Way> = Vec::new();
        for (bit, opcode, _, text) in self.bound(symbol) {
            let args = args(opcode, symbol)?;
            match ways.iter_mut().find(|way| way.text == text) {
                _ if text == Writer::Names => return None,
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

/// Fixed text in steps of at most eight bytes.
fn chunks(text: &str) -> Option<Vec<Step>> {
    let part = |part: &[u8]| Step::Text(part.iter().copied().map(char::from).collect());
    text.is_ascii().then(|| text.as_bytes().chunks(8).map(part).collect())
}

/// A set of opcodes by their bits.
fn set(bits: impl Iterator<Item = usize>) -> Literal {
    hex(set_of(bits))
}

fn set_of(bits: impl Iterator<Item = usize>) -> u64 {
    bits.fold(0, |set, bit| set | 1 << bit)
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
