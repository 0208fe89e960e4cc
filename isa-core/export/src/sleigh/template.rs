//! Converts the template of a row to the output of constructors. Conditions become tables.

use isa_core::table::{
    ABSENT, Affix, AfterOperand, Field, Format, Init, Item, Modifier, Opcode, Piece, Slot,
};
use isa_core::text::Line;

use super::constructor::{Constructor, OutputPart};
use super::disjoint_words::known;
use super::registers::RegisterOperands;
use super::rule_cache::{RuleCache, named};
use super::spec::SleighSpec;

/// The maximum width of a format's arguments. Each combination of their values gets separate
/// constructors.
const ARGUMENTS: u32 = 8;

/// A row that is being written.
pub(super) struct RowWriter<'s> {
    pub(super) row: &'static Opcode,
    pub(super) spec: &'s mut SleighSpec,
    pub(super) rules: &'s mut RuleCache,
    pub(super) registers: &'s RegisterOperands,
    /// The first context bit that the row does not use.
    pub(super) free: u8,
}

/// The condition under which a part of the template is not printed.
enum OmissionCondition {
    Always,
    Never,
    /// All these comparisons are true.
    Where(Vec<String>),
}

impl<'s> RowWriter<'s> {
    pub(super) fn new(
        row: &'static Opcode,
        spec: &'s mut SleighSpec,
        rules: &'s mut RuleCache,
        registers: &'s RegisterOperands,
    ) -> Self {
        RowWriter { row, spec, rules, registers, free: 0 }
    }

    /// Returns the whole output of the row, without the `;` at the end.
    pub(super) fn shown(&mut self) -> Constructor {
        let syntax = self.row.syntax;
        let mut all = self.items(syntax.before);
        all.push(Constructor::text(syntax.mnemonic));
        let mut modifiers = Constructor::default();
        for modifier in syntax.modifiers {
            let part = self.modifier(modifier);
            modifiers.push(part);
        }
        all.push(self.grouped("modifiers", modifiers));
        let after = self.items(syntax.after);
        all.push(after);
        all.without_end(";");
        all
    }

    /// Moves a part to a separate table if it contains several symbols, because a constructor in
    /// SLEIGH supports only a few.
    fn grouped(&mut self, hint: &str, part: Constructor) -> Constructor {
        let symbols = part.shown.iter().filter(|shown| matches!(shown, OutputPart::Symbol(_)));
        if symbols.count() > 1 { self.table(hint, &[part]) } else { part }
    }

    /// Returns the field that is bound to the placeholder `symbol` of the syntax, with the index of
    /// the field.
    fn bound(&self, symbol: u8) -> Option<(usize, &'static Field)> {
        let index = *self.row.bind.get(usize::from(symbol))?;
        let field = self.row.at(index.into()).filter(|_| index != ABSENT)?;
        Some((index.into(), field))
    }

    /// Returns comparisons of a field with a value.
    pub(super) fn is(&mut self, field: &Field, raw: u64) -> Vec<String> {
        self.are(field.name, field.pieces, raw)
    }

    /// Returns comparisons of the bits in `pieces`, the most significant first, with the value
    /// `raw`.
    pub(super) fn are(&mut self, hint: &str, pieces: &[Piece], raw: u64) -> Vec<String> {
        let mut rest = raw;
        let mut all: Vec<String> = Vec::new();
        for piece in pieces.iter().rev() {
            let name = self.spec.field(self.row.bits, hint, *piece, false);
            let value = rest & u64::MAX >> (64 - piece.width);
            rest = rest.unbounded_shr(piece.width.into());
            all.push(format!("{name}={value:#x}"));
        }
        all.reverse();
        all
    }

    /// Returns a table that prints a part if the word matches the pattern, and otherwise nothing. If
    /// `shows` is false, the table prints the part only if the word does not match.
    fn choice(
        &mut self,
        hint: &str,
        part: Constructor,
        when: Vec<String>,
        shows: bool,
    ) -> Constructor {
        let (mut special, mut general) = match shows {
            true => (part, Constructor::default()),
            false => (Constructor::default(), part),
        };
        if general.pattern.is_empty() {
            general.demand(self.otherwise(&when));
        }
        special.demand(when);
        self.table(hint, &[special, general])
    }

    /// Returns a pattern that includes the words for which comparisons are false. For comparisons
    /// of a single bit, the pattern contains the other value of the bit. Otherwise it matches all
    /// words.
    fn otherwise(&self, when: &[String]) -> Vec<String> {
        let parts: Vec<(&str, &str)> = when.iter().filter_map(|one| one.split_once('=')).collect();
        match parts.as_slice() {
            [(name, "0x0")] if self.spec.is_bit(name) => vec![format!("{name}=0x1")],
            [(name, "0x1")] if self.spec.is_bit(name) => vec![format!("{name}=0x0")],
            all => all.iter().map(|(name, _)| (*name).to_owned()).collect(),
        }
    }

    pub(super) fn table(&mut self, hint: &str, constructors: &[Constructor]) -> Constructor {
        let name = self.spec.table(self.row.bits, hint, constructors);
        Constructor::symbol(&name)
    }

    fn modifier(&mut self, modifier: &Modifier) -> Constructor {
        let Some((index, field)) = self.bound(modifier.symbol) else {
            return Constructor::default();
        };
        let mut part = Constructor::text(".");
        if let Some(only) = modifier.only {
            if modifier.optional && field.init == Init::Default(only) {
                return Constructor::default();
            }
            part.push(Constructor::text(self.literal(index, field, only)));
            return match known(self.row, field) {
                Some(raw) if raw == only => part,
                Some(_) => Constructor::default(),
                None => {
                    let when = self.is(field, only);
                    self.choice(field.name, part, when, true)
                }
            };
        }
        part.push(self.value(index, field));
        match modifier.optional {
            true => self.unless_default(field.name, part, &[field]),
            false => part,
        }
    }

    fn items(&mut self, items: &'static [Item]) -> Constructor {
        let mut all = Constructor::default();
        for item in items {
            let part = match item {
                Item::Text(text) => Constructor::text(*text),
                Item::Slot(slot) => self.slot(slot),
                Item::Optional(inner) => {
                    let mut fields = Vec::new();
                    self.fields(inner, &mut fields);
                    let part = self.items(inner);
                    let hint = fields.first().map_or("part", |field| field.name);
                    self.unless_default(hint, part, &fields)
                }
                Item::Tags(symbols) => self.dotted(" ", symbols),
            };
            all.push(part);
        }
        all
    }

    /// Collects the fields of a part of the template.
    fn fields(&self, items: &'static [Item], fields: &mut Vec<&'static Field>) {
        for item in items {
            let symbols: Vec<u8> = match item {
                Item::Text(_) => Vec::new(),
                Item::Optional(inner) => {
                    self.fields(inner, fields);
                    continue;
                }
                Item::Tags(symbols) => symbols.to_vec(),
                Item::Slot(slot) => {
                    let affixes = slot.affixes.iter().map(|affix| affix.symbol);
                    [slot.symbol]
                        .into_iter()
                        .chain(affixes)
                        .chain(slot.suffixes.iter().copied())
                        .collect()
                }
            };
            fields.extend(symbols.iter().filter_map(|symbol| Some(self.bound(*symbol)?.1)));
        }
    }

    /// Prints the values that differ from their defaults, each after a constant text.
    fn dotted(&mut self, mark: &str, symbols: &[u8]) -> Constructor {
        let mut all = Constructor::default();
        for (index, field) in
            symbols.iter().filter_map(|symbol| self.bound(*symbol)).collect::<Vec<_>>()
        {
            let mut part = Constructor::text(mark);
            part.push(self.value(index, field));
            all.push(self.unless_default(field.name, part, &[field]));
        }
        all
    }

    fn slot(&mut self, slot: &Slot) -> Constructor {
        let Some((index, field)) = self.bound(slot.symbol) else {
            return Constructor::default();
        };
        let mut all = Constructor::default();
        for affix in slot.affixes {
            all.push(self.mark(affix, affix.open));
        }
        all.push(self.value(index, field));
        for part in slot.after_operand() {
            all.push(match part {
                AfterOperand::Suffix(symbol) => self.dotted(".", &[symbol]),
                AfterOperand::Close(affix) => self.mark(affix, affix.close),
            });
        }
        self.grouped(field.name, all)
    }

    fn mark(&mut self, affix: &Affix, text: &str) -> Constructor {
        let Some((_, field)) = self.bound(affix.symbol) else {
            return Constructor::default();
        };
        let part = Constructor::text(text);
        match known(self.row, field) {
            Some(raw) if raw == affix.present => part,
            Some(_) => Constructor::default(),
            None => {
                let when = self.is(field, affix.present);
                self.choice(field.name, part, when, true)
            }
        }
    }

    fn unless_default(
        &mut self,
        hint: &str,
        part: Constructor,
        fields: &[&'static Field],
    ) -> Constructor {
        match self.absence(fields) {
            OmissionCondition::Always => Constructor::default(),
            OmissionCondition::Never => part,
            OmissionCondition::Where(when) => self.choice(hint, part, when, false),
        }
    }

    /// Returns the condition that all `fields` have their defaults.
    fn absence(&mut self, fields: &[&'static Field]) -> OmissionCondition {
        let mut all = Vec::new();
        for field in fields {
            let Init::Default(default) = field.init else { return OmissionCondition::Never };
            match known(self.row, field) {
                Some(raw) if raw == default => {}
                Some(_) => return OmissionCondition::Never,
                None => all.extend(self.is(field, default)),
            }
        }
        if all.is_empty() { OmissionCondition::Always } else { OmissionCondition::Where(all) }
    }

    /// Returns the format of a field.
    fn format(&self, index: usize) -> Option<&'static Format> {
        self.row.formats.iter().find(|format| usize::from(format.field) == index)
    }

    /// Returns the text of a value that does not depend on other fields.
    fn literal(&self, index: usize, field: &Field, raw: u64) -> String {
        let mut line = Line::new();
        match (self.format(index), field.kind.text) {
            (Some(format), _) => (format.text.write)(raw, &[], &mut line),
            (None, Some(text)) => (text.write)(raw, &[], &mut line),
            (None, None) => return named(field.kind, raw),
        }
        line.as_str().to_owned()
    }

    /// Returns the output for the value of a field.
    fn value(&mut self, index: usize, field: &'static Field) -> Constructor {
        let Some(format) = self.format(index).filter(|format| !format.args.is_empty()) else {
            if let Some(raw) = known(self.row, field) {
                return Constructor::text(self.literal(index, field, raw));
            }
            let names = self.registers.of_field(field).filter(|_| self.format(index).is_none());
            if let (Some(names), [piece]) = (names, field.pieces) {
                let plain = self.spec.field(self.row.bits, field.name, *piece, false);
                return Constructor::symbol(&self.spec.with_registers(&plain, names));
            }
            let rule = match self.format(index) {
                Some(format) => self.rules.of_text(format.text, field.kind, &[], field.width()),
                None => self.rules.of_kind(field.kind, field.width()),
            };
            return self.by_rule(field, rule.as_ref());
        };
        let fields: Vec<&'static Field> =
            format.args.iter().filter_map(|arg| self.row.at((*arg).into())).collect();
        let mut cases: Vec<(Vec<u64>, Vec<String>)> = vec![(Vec::new(), Vec::new())];
        let open = fields.iter().filter(|field| known(self.row, field).is_none());
        if open.map(|field| field.width()).sum::<u32>() > ARGUMENTS {
            return self.by_rule(field, None);
        }
        for arg in fields {
            let values: Vec<u64> = match known(self.row, arg) {
                Some(raw) => vec![raw],
                None => (0..1 << arg.width()).filter(|raw| arg.kind.admits(*raw)).collect(),
            };
            let is_known = values.len() == 1 && known(self.row, arg).is_some();
            let mut longer = Vec::new();
            for (args, when) in &cases {
                for raw in &values {
                    let comparison = if is_known { Vec::new() } else { self.is(arg, *raw) };
                    let args = args.iter().copied().chain([*raw]).collect();
                    longer.push((args, when.iter().cloned().chain(comparison).collect()));
                }
            }
            cases = longer;
        }
        self.by_cases(field, format, &cases)
    }

    /// Prints a value by a format, with a separate rule for each combination of its arguments.
    fn by_cases(
        &mut self,
        field: &'static Field,
        format: &Format,
        cases: &[(Vec<u64>, Vec<String>)],
    ) -> Constructor {
        let mut constructors: Vec<Constructor> = Vec::new();
        let free = self.free;
        let mut last = free;
        for (args, when) in cases {
            // Only one of the cases applies, so all of them use the same context bits.
            self.free = free;
            let mut one = match known(self.row, field) {
                Some(raw) => {
                    let mut line = Line::new();
                    (format.text.write)(raw, args, &mut line);
                    Constructor::text(line.as_str())
                }
                None => {
                    let rule = self.rules.of_text(format.text, field.kind, args, field.width());
                    self.by_rule(field, rule.as_ref())
                }
            };
            last = last.max(self.free);
            one.demand(when.clone());
            constructors.push(one);
        }
        self.free = last;
        match constructors.as_slice() {
            [_] => constructors.remove(0),
            all => self.table(field.name, all),
        }
    }
}
