//! Compiles each syntax to steps of the fast parser, for all its opcodes at once.
//!
//! `isa_core::table::ParseStep` documents the steps. If a syntax does not fit this form, the template
//! interpreter parses it. An example is a modifier that has names in one opcode and is a number in
//! another. The names of modifiers are found by a perfect hash; each name has the set of its opcodes.
//! If the names of an operand type are a prefix and a number, the type declares this
//! (`OperandKind::NUMBERED`). Other types declare a list of names (`OperandKind::LISTED`). The fast
//! parser parses both without a call.

use std::collections::{BTreeMap, BTreeSet};

use super::limits::{CHUNK, MOST_HEIRS, MOST_SYMBOLS, chunk_key};
use super::validity_check::find_hash;
use crate::model::opcode_template::{TextFns, TextSource};
use crate::model::{Affix, DefaultValue, Init, Model, Opcode, ResolvedField, Syntax, TemplateItem};

/// A step of the fast parser. A set of opcodes has a bit for each opcode of the syntax.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ParseStep {
    /// Fixed text of at most eight bytes.
    Text(String),
    /// The next `over` steps apply only if this text follows. They apply only to these opcodes.
    Optional {
        first: String,
        over: usize,
        takes: u64,
    },
    Mnemonic,
    Names(ParseNames),
    /// An operand that is one of these names.
    Name(ParseNames),
    Operand(ParseSlot),
    /// Trailing attributes, each with the index of its placeholder.
    Tags(Vec<(usize, ParseKind)>),
    /// From here on, only these opcodes are candidates. They are given as indexes into the opcodes of
    /// the mnemonic.
    Among(Vec<usize>),
    /// The branches at a point where templates of one mnemonic differ. A fork is always the last step.
    Fork(Vec<Vec<ParseStep>>),
}

/// An operand with the fixed text before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ParseSlot {
    pub(crate) before: String,
    pub(crate) symbol: usize,
    /// The prefix operators: at most two, the outer one first.
    pub(crate) marks: Vec<ParseAffix>,
    pub(crate) kinds: Vec<ParseKind>,
    pub(crate) suffix: ParseSuffix,
    /// Whether the operators are closed before the modifiers. Otherwise they are closed after the
    /// modifiers.
    pub(crate) closes_first: bool,
}

/// A prefix operator of one character. It also contains the character that closes the operator after
/// the operand, or 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ParseAffix {
    pub(crate) open: u8,
    pub(crate) close: u8,
    pub(crate) symbol: usize,
    /// Whether the field of the operator is set even if the operator is missing.
    pub(crate) always: bool,
    pub(crate) present: u64,
    /// The opcodes that have the operator.
    pub(crate) bound: u64,
}

/// The modifiers after an operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ParseSuffix {
    /// Another operand, parsed by its text functions.
    Operand(usize, Vec<ParseKind>),
    Names(ParseNames),
}

/// One way to parse an operand: its text functions, the arguments of a format, and the opcodes that use
/// this way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ParseKind {
    pub(crate) text: TextFns,
    pub(crate) args: Vec<ParseArg>,
    pub(crate) takes: u64,
}

/// An argument of a format.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ParseArg {
    /// A field that is the value of the placeholder `symbol`, or a part of it: `width` bits,
    /// starting at bit `shift`.
    Shown { symbol: usize, shift: u8, width: u8 },
    /// A field that is fixed to this value.
    Always(u64),
}

/// The modifiers at one position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ParseNames {
    None,
    /// Names in a hash table: the index is the bytes of a name times `magic`, shifted right.
    Hashed {
        required: u64,
        magic: u64,
        shift: u32,
        places: Vec<u8>,
        names: Vec<ParseName>,
    },
}

/// The name of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ParseName {
    pub(crate) key: u64,
    pub(crate) takes: u64,
    pub(crate) symbol: usize,
    pub(crate) raw: u64,
}

/// Returns the parse steps of the syntax at `index`. `heirs` are the opcodes that share the syntax.
/// Returns no steps if the fast parser cannot parse the syntax.
pub(super) fn parse_steps(model: &Model, index: usize, heirs: &[&Opcode]) -> Vec<ParseStep> {
    let syntax = &model.syntaxes[index];
    let fits = syntax.placeholders.len() <= MOST_SYMBOLS && (1..=MOST_HEIRS).contains(&heirs.len());
    let steps = fits.then(|| StepBuilder { model, syntax, heirs }.syntax()).flatten();
    steps.unwrap_or_default()
}

struct StepBuilder<'m> {
    model: &'m Model,
    syntax: &'m Syntax,
    heirs: &'m [&'m Opcode],
}

impl StepBuilder<'_> {
    fn syntax(&self) -> Option<Vec<ParseStep>> {
        let Syntax { before, modifiers, after, .. } = self.syntax;
        let mut steps = Vec::new();
        self.items(before, &None, &mut steps)?;
        if self.syntax.mnemonic.is_empty() {
            self.items(after, &None, &mut steps)?;
            return Some(steps);
        }
        steps.push(ParseStep::Mnemonic);
        let symbols: Vec<_> = modifiers.iter().map(|m| (m.symbol, m.only)).collect();
        let required = modifiers.iter().filter(|m| !m.optional).map(|m| m.symbol);
        steps.push(ParseStep::Names(self.names(&symbols, self.having(required, |_| true))?));
        self.items(after, &None, &mut steps)?;
        Some(steps)
    }

    /// Adds the steps of `items` to `steps`. `end` contains the bytes that the text after the items may
    /// begin with.
    fn items(
        &self,
        items: &[TemplateItem],
        end: &FirstBytes,
        steps: &mut Vec<ParseStep>,
    ) -> Option<()> {
        for (place, item) in items.iter().enumerate() {
            match item {
                TemplateItem::Text(text) => steps.extend(chunks(text)?),
                TemplateItem::Tags(symbols) => self.tags(symbols, steps)?,
                TemplateItem::Slot { symbol, affixes, suffixes } => {
                    // The text must be in the same list. If the text before this operand were in an
                    // optional part, it would be skipped with the part.
                    let is_text =
                        |place: usize| matches!(items.get(place), Some(TemplateItem::Text(_)));
                    let has_text = place.checked_sub(1).is_some_and(is_text);
                    let before = if has_text { steps.pop() } else { None };
                    self.slot(*symbol, affixes, suffixes, before, steps)?;
                }
                TemplateItem::Optional(inner) => {
                    // Only the first text decides whether the part is present.
                    let Some(TemplateItem::Text(text)) = inner.first() else { return None };
                    let behind = follow(&items[place + 1..], end);
                    let first = first_text(text, &behind)?;
                    let mut part = Vec::new();
                    self.items(inner, &behind, &mut part)?;
                    steps.push(ParseStep::Optional {
                        first: first.to_owned(),
                        over: part.len(),
                        takes: self.showing(inner),
                    });
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
        before: Option<ParseStep>,
        steps: &mut Vec<ParseStep>,
    ) -> Option<()> {
        if affixes.is_empty() && suffixes.is_empty() && self.is_named(symbol) {
            let names = self.names(&[(symbol, None)], 0)?;
            steps.extend(before);
            steps.push(ParseStep::Name(names));
            return Some(());
        }
        let before = match before {
            Some(ParseStep::Text(text)) => text,
            other => {
                steps.extend(other);
                String::new()
            }
        };
        let kinds = self.kinds(symbol)?;
        let marks = affixes.iter().map(|affix| self.mark(affix)).collect::<Option<Vec<_>>>()?;
        // All operators must be closed before all modifiers, or all after them.
        let closes_at = |place: usize| {
            affixes.iter().all(|affix| affix.close.is_empty() || affix.inside == place)
        };
        let closes_first = !closes_at(suffixes.len());
        if marks.len() > 2 || closes_first && !closes_at(0) {
            return None;
        }
        let suffix = self.suffix(suffixes)?;
        steps.push(ParseStep::Operand(ParseSlot {
            before,
            symbol,
            marks,
            kinds,
            suffix,
            closes_first,
        }));
        Some(())
    }

    fn suffix(&self, suffixes: &[usize]) -> Option<ParseSuffix> {
        let symbols: Vec<_> = suffixes.iter().map(|&symbol| (symbol, None)).collect();
        let needed = |field: &ResolvedField| field.init == Init::Required;
        let required = self.having(suffixes.iter().copied(), needed);
        Some(match suffixes {
            [only] if required == 0 && self.is_operand(*only) => {
                ParseSuffix::Operand(*only, self.kinds(*only)?)
            }
            _ => ParseSuffix::Names(self.names(&symbols, required)?),
        })
    }

    /// Returns a prefix or suffix operator, or `None` if it is longer than one character.
    fn mark(&self, affix: &Affix) -> Option<ParseAffix> {
        let &Affix { symbol, present, ref open, ref close, .. } = affix;
        let character = |text: &str| match text.as_bytes() {
            [] => Some(0),
            [only] => Some(*only),
            _ => None,
        };
        let (open, close) = (character(open).filter(|_| !open.is_empty())?, character(close)?);
        let default = Init::Default(DefaultValue::Number(present ^ 1));
        let always = self.bound(symbol).any(|(_, _, field, _)| field.init != default);
        let bound = set(self.bound(symbol).map(|(bit, ..)| bit));
        Some(ParseAffix { open, close, symbol, always, present, bound })
    }

    fn tags(&self, symbols: &[usize], steps: &mut Vec<ParseStep>) -> Option<()> {
        let mut tags = Vec::new();
        for &symbol in symbols {
            let mut kinds = self.kinds(symbol)?.into_iter();
            // The attribute must be the same in all opcodes, because an attribute cannot select among
            // the candidates.
            let (Some(only), None) = (kinds.next(), kinds.next()) else { return None };
            if only.takes.count_ones() as usize != self.heirs.len() {
                return None;
            }
            tags.push((symbol, only));
        }
        steps.push(ParseStep::Tags(tags));
        Some(())
    }

    /// Returns the names of the values of the placeholders in `symbols`. If a name occurs several
    /// times, its entries are in the order of `symbols`.
    fn names(&self, symbols: &[(usize, Option<u64>)], required: u64) -> Option<ParseNames> {
        let mut names: BTreeMap<u64, Vec<ParseName>> = BTreeMap::new();
        for &(symbol, only) in symbols {
            let mut kinds: Vec<usize> = Vec::new();
            for (_, _, field, text) in self.bound(symbol) {
                if text != TextSource::Names || !self.model.type_of(field).is_set() {
                    return None;
                }
                if !kinds.contains(&field.ty) {
                    kinds.push(field.ty);
                }
            }
            for kind in kinds {
                self.values(symbol, kind, only, &mut names)?;
            }
        }
        if names.is_empty() && required == 0 {
            return Some(ParseNames::None);
        }
        // If the parser ignores letter case, names that differ only in case are equal. The template
        // interpreter handles such names.
        let lower = names.keys().map(|key| key.to_le_bytes().map(|byte| byte.to_ascii_lowercase()));
        let distinct: BTreeSet<[u8; 8]> = lower.collect();
        if self.model.any_case.is_some() && distinct.len() < names.len() {
            return None;
        }
        // The index of the first name of each key. An index may not fit into a byte, so this is checked
        // before the search for a hash.
        let mut count = 0;
        let first = names.values().map(|alike| {
            let first = u8::try_from(count).ok().filter(|first| *first < u8::MAX);
            count += alike.len();
            first
        });
        let first: Vec<u8> = first.collect::<Option<_>>()?;
        let keys: Vec<u64> = names.keys().copied().collect();
        let (bits, magic) = find_hash(&keys, u64::MAX)?;
        let mut places = vec![u8::MAX; 1 << bits];
        for (key, first) in keys.iter().zip(first) {
            places[(key.wrapping_mul(magic) >> (64 - bits)) as usize] = first;
        }
        let names = names.into_values().flatten().collect();
        Some(ParseNames::Hashed { required, magic, shift: 64 - bits, places, names })
    }

    /// Adds the names of the placeholder `symbol`, for the opcodes in which it has the operand type
    /// `kind`. Returns `None` if there are more names than a table can index.
    fn values(
        &self,
        symbol: usize,
        kind: usize,
        only: Option<u64>,
        names: &mut BTreeMap<u64, Vec<ParseName>>,
    ) -> Option<()> {
        let alike = || self.bound(symbol).filter(move |(_, _, field, _)| field.ty == kind);
        for value in self.model.field_types[kind].values() {
            let room = alike().filter(|(_, _, field, _)| match field.init {
                Init::Fixed(raw) => raw == value.raw,
                _ => true,
            });
            let takes = set(room.map(|(bit, ..)| bit));
            let is_meant = only.is_none_or(|only| only == value.raw);
            // The template interpreter parses names with dots.
            let is_short = |name: &&String| name.len() <= CHUNK && !name.contains('.');
            for name in value.spellings().filter(|name| is_meant && is_short(name)) {
                let (key, raw) = (chunk_key(name), value.raw);
                names.entry(key).or_default().push(ParseName { key, takes, symbol, raw });
            }
            if names.len() > usize::from(u8::MAX) {
                return None;
            }
        }
        Some(())
    }

    /// Returns the opcodes that have a field in a part of the template.
    fn showing(&self, items: &[TemplateItem]) -> u64 {
        items.iter().fold(0, |all, item| {
            all | match item {
                TemplateItem::Text(_) => 0,
                TemplateItem::Optional(inner) => self.showing(inner),
                TemplateItem::Slot { symbol, .. } => set(self.bound(*symbol).map(|(bit, ..)| bit)),
                TemplateItem::Tags(symbols) => {
                    set(symbols.iter().flat_map(|s| self.bound(*s)).map(|(bit, ..)| bit))
                }
            }
        })
    }

    /// Returns, as a bit mask, the placeholders for which some opcode has a field that satisfies
    /// `holds`.
    fn having(
        &self,
        symbols: impl Iterator<Item = usize>,
        holds: impl Fn(&ResolvedField) -> bool,
    ) -> u64 {
        let has = |symbol: &usize| self.bound(*symbol).any(|(_, _, field, _)| holds(field));
        symbols.filter(has).fold(0, |all, symbol| all | 1 << symbol)
    }

    /// Returns whether the placeholder `symbol` shows a named value in each opcode that has this
    /// placeholder.
    fn is_named(&self, symbol: usize) -> bool {
        self.bound(symbol).all(|(_, _, _, text)| text == TextSource::Names)
    }

    fn is_operand(&self, symbol: usize) -> bool {
        self.bound(symbol).all(|(_, _, _, text)| text != TextSource::Names)
    }

    /// Returns, for each opcode that has the placeholder `symbol`: the opcode's bit, the opcode, its
    /// field, and the functions or names that print the field.
    fn bound(
        &self,
        symbol: usize,
    ) -> impl Iterator<Item = (usize, &Opcode, &ResolvedField, TextSource)> {
        self.heirs.iter().enumerate().filter_map(move |(bit, opcode)| {
            let place = (*opcode.bind.get(symbol)?)?;
            let field = self.model.at(opcode, place);
            Some((bit, *opcode, field, TextSource::of(self.model, opcode, place)))
        })
    }

    /// Returns the ways to parse the placeholder `symbol`. The ways that earlier opcodes use come
    /// first.
    fn kinds(&self, symbol: usize) -> Option<Vec<ParseKind>> {
        let mut kinds: Vec<ParseKind> = Vec::new();
        for (bit, opcode, _, text) in self.bound(symbol) {
            let (args, text) = (args(self.model, opcode, symbol)?, TextFns::of(text)?);
            match kinds.iter_mut().find(|kind| kind.text == text) {
                Some(kind) if kind.args == args => kind.takes |= 1 << bit,
                Some(_) => return None,
                None => kinds.push(ParseKind { text, args, takes: 1 << bit }),
            }
        }
        Some(kinds)
    }
}

/// The bytes that some text may begin with. `None` if these are unknown.
type FirstBytes = Option<Vec<u8>>;

/// Returns the bytes that the text of `items` may begin with. If the text of all items can be
/// empty, the result includes `end`, the bytes that the text after them may begin with.
fn follow(items: &[TemplateItem], end: &FirstBytes) -> FirstBytes {
    match items {
        [] => end.clone(),
        [TemplateItem::Text(text), behind @ ..] => match text.bytes().next() {
            Some(byte) => Some(vec![byte]),
            None => follow(behind, end),
        },
        [TemplateItem::Optional(inner), behind @ ..] => {
            let mut all = follow(inner, &None)?;
            all.extend(follow(behind, end)?);
            Some(all)
        }
        [TemplateItem::Slot { .. } | TemplateItem::Tags(_), ..] => None,
    }
}

/// Returns the text by which the parser recognizes an optional part that begins with `text`. A text
/// with white space inside may be written with other spacing, and a long text is not compared
/// completely. In both cases the text after the part must begin with another byte; otherwise returns
/// `None`.
fn first_text<'t>(text: &'t str, behind: &FirstBytes) -> Option<&'t str> {
    let first = text.trim_end();
    let byte = *first.trim_start().as_bytes().first()?;
    let is_short = first.len() <= CHUNK && !first.contains(char::is_whitespace);
    let is_other = |other: &u8| *other != b' ' && !other.eq_ignore_ascii_case(&byte);
    let is_told = || behind.as_ref().is_some_and(|behind| behind.iter().all(is_other));
    (first.is_ascii() && (is_short || is_told())).then(|| &first[..first.len().min(CHUNK)])
}

/// Returns the arguments of the format of the placeholder `symbol`, or `None` if the text does not
/// show all of them.
fn args(model: &Model, opcode: &Opcode, symbol: usize) -> Option<Vec<ParseArg>> {
    let place = opcode.bind[symbol]?;
    let Some(format) = opcode.format_of(place) else {
        return Some(Vec::new());
    };
    let width_of = |place: usize| opcode.field_at(model, place).width();
    let arg = |&arg: &usize| {
        let by_itself = opcode.bind.iter().position(|bound| *bound == Some(arg));
        if let Some(symbol) = by_itself {
            return Some(ParseArg::Shown { symbol, shift: 0, width: width_of(arg) });
        }
        if let Init::Fixed(raw) = opcode.field_at(model, arg).init {
            return Some(ParseArg::Always(raw));
        }
        // The first placeholder whose composite operand contains the argument.
        let mut views = opcode.bind.iter().enumerate().filter_map(|(symbol, bound)| {
            let of = &opcode.composite((*bound)?)?.of;
            Some((symbol, of, of.iter().position(|&shown| shown == arg)?))
        });
        let (symbol, of, at) = views.next()?;
        let shift = of[at + 1..].iter().map(|&below| width_of(below)).sum();
        Some(ParseArg::Shown { symbol, shift, width: width_of(arg) })
    };
    format.args.iter().map(arg).collect()
}

/// Splits fixed text into steps.
fn chunks(text: &str) -> Option<Vec<ParseStep>> {
    let part = |part: &[u8]| ParseStep::Text(part.iter().copied().map(char::from).collect());
    text.is_ascii().then(|| text.as_bytes().chunks(CHUNK).map(part).collect())
}

/// Returns a set of opcodes from their bits.
fn set(bits: impl Iterator<Item = usize>) -> u64 {
    bits.fold(0, |set, bit| set | 1 << bit)
}
