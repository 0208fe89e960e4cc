//! The steps of the template interpreter in which opcodes differ: operands and modifiers.

use super::*;

/// The way in which the text of a field is parsed.
#[derive(Clone, Copy)]
pub(super) enum FieldReading {
    /// By the names of its values.
    Names(&'static Kind),
    /// By a text format, with the fields that it depends on.
    Text(&'static Text, &'static [u8]),
}

impl Opcode {
    /// Returns the text functions of a field, unless the field is a set of named values.
    #[inline]
    pub(crate) fn text_of(&self, index: usize, field: &Field) -> Option<&'static Text> {
        let mut formats = self.formats.iter();
        let format = formats.find(|format| usize::from(format.field) == index);
        format.map(|format| format.text).or(field.kind.text)
    }

    #[inline]
    fn reading(&self, index: usize, field: &Field) -> FieldReading {
        let mut formats = self.formats.iter();
        match formats.find(|format| usize::from(format.field) == index) {
            Some(format) => FieldReading::Text(format.text, format.args),
            None => field
                .kind
                .text
                .map_or(FieldReading::Names(field.kind), |text| FieldReading::Text(text, &[])),
        }
    }
}

/// The values of the fields that a format depends on.
struct Args {
    values: [u64; MAX_ARGS],
    len: usize,
}

impl Args {
    fn as_slice(&self) -> &[u64] {
        self.values.get(..self.len).unwrap_or_default()
    }
}

impl TemplateParser<'_, '_> {
    #[inline]
    pub(super) fn is_filled(&self, symbol: u8) -> bool {
        1u64.unbounded_shl(symbol.into()) & self.filled != 0
    }

    #[inline]
    pub(super) fn fill(&mut self, symbol: u8, value: u64) {
        if let Some(place) = self.values.get_mut(usize::from(symbol)) {
            *place = value;
            self.filled |= 1 << symbol;
        }
    }

    /// Returns the way in which `opcode` parses the field of the placeholder `symbol`. Returns `None`
    /// if the text at the cursor does not look like a value of the field.
    #[inline]
    pub(super) fn operand(&self, opcode: &'static Opcode, symbol: u8) -> Option<FieldReading> {
        let (index, field) = opcode.bound(symbol)?;
        let reading = opcode.reading(index, field);
        self.fits(field, reading).then_some(reading)
    }

    #[inline]
    fn fits(&self, field: &Field, reading: FieldReading) -> bool {
        match reading {
            FieldReading::Names(kind) => {
                let value = named(&mut self.cursor.clone(), kind);
                value.is_some_and(|value| field.can_be(value.raw))
            }
            FieldReading::Text(text, _) => text.looks_like(self.cursor),
        }
    }

    /// Returns the first opcode in `among` whose operand `symbol` can begin with the text at the cursor.
    #[inline]
    pub(super) fn leader(
        &self,
        among: Candidates,
        symbol: u8,
    ) -> Option<(&'static Opcode, FieldReading)> {
        let mut tried: Option<&'static Text> = None;
        for opcode in among.opcodes() {
            let Some((index, field)) = opcode.bound(symbol) else {
                continue;
            };
            let reading = opcode.reading(index, field);
            if let FieldReading::Text(text, _) = reading {
                if tried.is_some_and(|last| core::ptr::eq(last, text)) {
                    continue;
                }
                tried = Some(text);
            }
            if self.fits(field, reading) {
                return Some((opcode, reading));
            }
        }
        None
    }

    /// Parses a field in the way of the opcode `leader`, and keeps only the opcodes live that parse the
    /// field in the same way.
    #[inline]
    pub(super) fn read(
        &mut self,
        symbol: u8,
        leader: &'static Opcode,
        reading: FieldReading,
    ) -> Outcome {
        let value = match reading {
            FieldReading::Names(kind) => named(self.cursor, kind).map_or(0, |value| value.raw),
            FieldReading::Text(text, args) => {
                let args = self.args(leader, args);
                match (text.read)(self.cursor, args.as_slice()) {
                    Ok(value) => value,
                    Err(fault) => {
                        self.follow(symbol, leader, reading);
                        return Err(ParseError::fault(self.cursor, fault));
                    }
                }
            }
        };
        self.follow(symbol, leader, reading);
        self.fill(symbol, value);
        Ok(())
    }

    /// Defers the opcodes that do not parse the field in the same way as the leader.
    #[inline]
    fn follow(&mut self, symbol: u8, leader: &'static Opcode, reading: FieldReading) {
        let live = self.live;
        let alike = live.filtered(|opcode| {
            core::ptr::eq(opcode, leader)
                || opcode.bound(symbol).is_some_and(|(index, field)| {
                    self.is_alike((opcode, opcode.reading(index, field)), (leader, reading))
                })
        });
        self.go_on_with(alike);
    }

    #[inline]
    fn is_alike(
        &mut self,
        (opcode, own): (&'static Opcode, FieldReading),
        (leader, reading): (&'static Opcode, FieldReading),
    ) -> bool {
        match (own, reading) {
            (FieldReading::Names(own), FieldReading::Names(kind)) => core::ptr::eq(own, kind),
            (FieldReading::Text(own, []), FieldReading::Text(text, [])) => core::ptr::eq(own, text),
            (FieldReading::Text(own, args), FieldReading::Text(text, others)) => {
                core::ptr::eq(own, text)
                    && self.args(opcode, args).as_slice() == self.args(leader, others).as_slice()
            }
            _ => false,
        }
    }

    /// Returns the values that a format of `opcode` depends on. Values that are not known yet are
    /// replaced by defaults.
    fn args(&mut self, opcode: &'static Opcode, fields: &'static [u8]) -> Args {
        let mut args = Args { values: [0; MAX_ARGS], len: fields.len().min(MAX_ARGS) };
        for (place, &index) in args.values.iter_mut().zip(fields) {
            let symbol = opcode.bind.iter().position(|&bound| bound == index);
            let symbol = symbol.unwrap_or(MAX_SYMBOLS);
            let known = 1u64.unbounded_shl(symbol as u32);
            *place = match self.values.get(symbol) {
                Some(&value) if self.filled & known != 0 => value,
                _ => {
                    let field = opcode.at(index.into());
                    field.and_then(|field| self.shown_with_others(opcode, field)).unwrap_or_else(
                        || {
                            self.presumed |= known;
                            field.map_or(0, presumed)
                        },
                    )
                }
            };
        }
        args
    }

    /// Returns the value of a field from a composite operand that was already parsed.
    fn shown_with_others(&self, opcode: &'static Opcode, field: &Field) -> Option<u64> {
        if opcode.views.is_empty() {
            return None;
        }
        let mask = field.mask();
        SetBits(self.filled).find_map(|symbol| {
            let (_, shown) = opcode.bound(symbol as u8)?;
            let value = *self.values.get(symbol as usize)?;
            (mask != 0 && shown.mask() & mask == mask).then(|| field.get(shown.set(0, value)))
        })
    }

    /// Parses one modifier with its dot.
    pub(super) fn dotted(&mut self, dots: Dots) -> Outcome {
        self.cursor.skip_trivia();
        let dot = self.cursor.position();
        self.cursor.eat(b'.');
        self.cursor.skip_trivia();
        let at = self.cursor.clone();
        let name = self.cursor.word();
        let end = self.cursor.clone();
        for opcode in self.live.opcodes() {
            let Some((symbol, hit)) = self.takes(opcode, dots, &at) else {
                continue;
            };
            let alike = self.live.filtered(|other| match self.takes(other, dots, &at) {
                Some((place, own)) => place == symbol && own.is_like(&hit),
                None => false,
            });
            self.go_on_with(alike);
            *self.cursor = at;
            return match hit {
                Hit::Value(kind, value) => {
                    named(self.cursor, kind);
                    self.fill(symbol, value);
                    Ok(())
                }
                Hit::Text(reading) => self.read(symbol, opcode, reading),
            };
        }
        *self.cursor = end;
        // A name after white space is probably the next operand and not the name of the modifier.
        let end = match at.position() == dot + 1 {
            true => self.cursor.position(),
            false => dot + 1,
        };
        Err(self.no_modifier(dots, name, dot..end))
    }

    /// Returns whether the dot at the cursor begins a modifier of some opcode.
    #[cold]
    pub(super) fn begins_modifier(&self, dots: Dots) -> bool {
        let mut at = self.cursor.clone();
        at.eat(b'.');
        at.skip_trivia();
        self.live.opcodes().any(|opcode| self.takes(opcode, dots, &at).is_some())
    }

    /// Returns the first field of an opcode that has no value yet and accepts the modifier.
    #[inline]
    fn takes(&self, opcode: &'static Opcode, dots: Dots, at: &Cursor<'_>) -> Option<(u8, Hit)> {
        let mut in_other_case = None;
        for (symbol, only) in dots.iter() {
            if self.is_filled(symbol) {
                continue;
            }
            let Some((index, field)) = opcode.bound(symbol) else {
                continue;
            };
            match opcode.reading(index, field) {
                FieldReading::Names(kind) => {
                    if let Some(Value { raw, .. }) = named(&mut at.clone(), kind)
                        && only.is_none_or(|only| only == *raw)
                        && field.can_be(*raw)
                    {
                        return Some((symbol, Hit::Value(kind, *raw)));
                    }
                }
                FieldReading::Text(text, args) => {
                    if text.looks_like(at) {
                        let hit = Some((symbol, Hit::Text(FieldReading::Text(text, args))));
                        if text.is_in_case(at) {
                            return hit;
                        }
                        in_other_case = in_other_case.or(hit);
                    }
                }
            }
        }
        in_other_case
    }

    #[cold]
    fn no_modifier(&self, dots: Dots, name: &str, span: Range<usize>) -> ParseError {
        let (live, any_case) = (self.live, self.cursor.any_case());
        let fields = dots.iter().filter_map(|(symbol, only)| {
            let (_, field) = live.opcodes().find_map(|opcode| opcode.bound(symbol))?;
            Some((symbol, only, field))
        });
        let repeated = fields.filter(|&(symbol, only, field)| {
            self.is_filled(symbol) && value_of(field.kind, name, only, any_case).is_some()
        });
        let other = || {
            let mut all = live.opcodes().flat_map(|opcode| dots.iter().map(move |d| (opcode, d)));
            all.find_map(|(opcode, (symbol, only))| {
                let (_, field) = opcode.bound(symbol)?;
                let value = value_of(field.kind, name, only, any_case)?;
                (!field.can_be(value)).then_some(ParseErrorKind::OtherValue { opcode, field })
            })
        };
        let kind = match repeated.last() {
            Some((_, _, field)) => ParseErrorKind::RepeatedModifier { field },
            None => other().unwrap_or_else(|| ParseErrorKind::UnknownModifier {
                opcodes: live,
                slot: dots.slot(),
            }),
        };
        ParseError::new(self.cursor, span, kind)
    }

    /// Checks that the text sets a field.
    #[inline]
    pub(super) fn require(&mut self, symbol: u8, span: Range<usize>) -> Outcome {
        if self.is_filled(symbol) {
            return Ok(());
        }
        self.narrow_to(symbol, span, |_| true)
    }

    /// Checks that a field has a value from the text, from the opcode, or by default.
    #[inline]
    pub(super) fn require_value(&mut self, symbol: u8, span: Range<usize>) -> Outcome {
        if self.is_filled(symbol) {
            return Ok(());
        }
        self.narrow_to(symbol, span, |field| matches!(field.init, Init::Required))
    }

    /// Removes the opcodes whose field has no value.
    fn narrow_to(
        &mut self,
        symbol: u8,
        span: Range<usize>,
        lacks: impl Fn(&Field) -> bool,
    ) -> Outcome {
        let lacking = |opcode: &'static Opcode| {
            let field = opcode.bound(symbol).map(|(_, field)| field);
            field.filter(|field| lacks(field))
        };
        let complete = self.live.filtered(|opcode| lacking(opcode).is_none());
        if complete.is_empty()
            && let Some(opcode) = self.live.first()
            && let Some(field) = lacking(opcode)
        {
            let kind = ParseErrorKind::MissingModifier { opcode, field };
            return Err(ParseError::new(self.cursor, span, kind));
        }
        self.live = complete;
        Ok(())
    }

    /// Continues with the opcodes that have no operand at this position. If there are none, returns the
    /// error for a missing operand.
    #[cold]
    pub(super) fn no_operand(
        &mut self,
        slot: &'static Slot,
        start: usize,
        entered: Candidates,
        marks: u32,
    ) -> Outcome {
        let without = self.live.filtered(|opcode| opcode.bound(slot.symbol).is_none());
        if marks == 0 && !without.is_empty() {
            self.live = without;
            return Ok(());
        }
        let rest = entered.without(self.live);
        if let Some(opcode) = self.looks_like(slot, rest)
            && let Some((index, field)) = opcode.bound(slot.symbol)
            && let Some(affix) = missing_mark(slot, opcode, marks)
        {
            let text = opcode.text_of(index, field);
            let operand = text.map_or(field.kind.name, |text| text.expects);
            let kind = ParseErrorKind::UnknownAffix { affix, operand };
            return Err(ParseError::new(self.cursor, start..self.cursor.position(), kind));
        }
        let elsewhere = self.looks_like(slot, self.all.without(entered)).is_some();
        let kind = match elsewhere {
            true => ParseErrorKind::Combination { opcodes: self.all },
            false => ParseErrorKind::NoOperand { opcodes: entered, slot },
        };
        Err(ParseError::here(self.cursor, kind))
    }

    /// Returns the first opcode in `among` whose operand at `slot` can begin with the text at the cursor.
    fn looks_like(&self, slot: &'static Slot, among: Candidates) -> Option<&'static Opcode> {
        among.opcodes().find(|opcode| {
            let text =
                opcode.bound(slot.symbol).and_then(|(index, field)| opcode.text_of(index, field));
            text.is_some_and(|text| text.looks_like(self.cursor))
        })
    }
}

/// The way in which an opcode accepts a modifier.
enum Hit {
    Value(&'static Kind, u64),
    Text(FieldReading),
}

impl Hit {
    /// Returns whether two opcodes accept a modifier in the same way.
    fn is_like(&self, other: &Hit) -> bool {
        match (self, other) {
            (Hit::Value(kind, value), Hit::Value(other, same)) => {
                core::ptr::eq(*kind, *other) && value == same
            }
            // The text functions are compared later, when they are called.
            (Hit::Text(_), Hit::Text(_)) => true,
            _ => false,
        }
    }
}

/// Returns the first prefix or suffix operator in the text for which an opcode has no field.
fn missing_mark(
    slot: &'static Slot,
    opcode: &'static Opcode,
    marks: u32,
) -> Option<&'static Affix> {
    let mut affixes = slot.affixes.iter().enumerate();
    let missing = affixes.find(|(place, affix)| {
        marks & mark_bit(*place) != 0 && opcode.bound(affix.symbol).is_none()
    });
    missing.map(|(_, affix)| affix)
}

/// Returns the value with a name, unless `only` is a different value.
#[inline]
fn value_of(kind: &'static Kind, name: &str, only: Option<u64>, any_case: bool) -> Option<u64> {
    let value = kind.value_read(name, any_case)?.raw;
    only.is_none_or(|only| only == value).then_some(value)
}

/// Parses the longest name of a value. Leaves the cursor unchanged if there is none.
fn named(cursor: &mut Cursor<'_>, kind: &'static Kind) -> Option<&'static Value> {
    let start = cursor.position();
    let value = kind.read_name(cursor);
    if value.is_none() {
        cursor.seek(start);
    }
    value
}
