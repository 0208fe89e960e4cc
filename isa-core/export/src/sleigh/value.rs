//! Prints values by rules: lists of texts, hexadecimal numbers, and decimal digits in the context.

use isa_core::table::{Field, Piece};

use super::constructor::Constructor;
use super::print_rule::{NumberRule, PrintRule, RulePart};
use super::template::RowWriter;

/// The number of context bits that one action can set.
const CONTEXT_WORD: u8 = 32;

/// The number of bits for three decimal digits.
const GROUP: u8 = 10;

impl RowWriter<'_> {
    /// Prints the value of a field by a rule. Without a rule, the value is printed in hexadecimal, and a
    /// note is added.
    pub(super) fn by_rule(
        &mut self,
        field: &'static Field,
        rule: Option<&PrintRule>,
    ) -> Constructor {
        if let Some(rule) = rule {
            return self.bits(field.name, field.pieces, rule);
        }
        self.spec.notes.insert(format!(
            "{} of {}: the {} bits of {} are printed in hexadecimal, because SLEIGH cannot print them \
             as the set does: a list of texts has at most 16 bits, and their text does not consist of \
             numbers",
            field.name,
            self.row.name,
            field.width(),
            field.kind.name,
        ));
        let number = NumberRule { is_hex: true, is_signed: false, shift: 0, is_inverted: false };
        self.bits(field.name, field.pieces, &PrintRule::Number(number))
    }

    fn bits(&mut self, hint: &str, pieces: &[Piece], rule: &PrintRule) -> Constructor {
        match rule {
            PrintRule::Names(texts) => self.named(hint, pieces, texts),
            PrintRule::Number(number) if number.is_hex => self.hexadecimal(hint, pieces, *number),
            PrintRule::Number(number) => self.decimal(hint, pieces, *number),
            PrintRule::Parts(parts) => {
                let mut all = Constructor::default();
                for part in parts {
                    all.push(match part {
                        RulePart::Text(text) => Constructor::text(text.as_str()),
                        RulePart::Bits { low, width, rule } => {
                            self.bits(hint, &cut(pieces, *low, *width), rule)
                        }
                    });
                }
                all
            }
            PrintRule::Cases { width, rules } => self.cases(hint, pieces, *width, rules),
        }
    }

    /// Uses a separate rule for each value of the high bits.
    fn cases(
        &mut self,
        hint: &str,
        pieces: &[Piece],
        width: u8,
        rules: &[PrintRule],
    ) -> Constructor {
        let all: u8 = pieces.iter().map(|piece| piece.width).sum();
        let (high, low) = (cut(pieces, width, all - width), cut(pieces, 0, width));
        let (free, mut last) = (self.free, self.free);
        let mut constructors = Vec::new();
        for (case, rule) in rules.iter().enumerate() {
            // Only one of the cases applies, so all of them use the same context bits.
            self.free = free;
            let mut one = self.bits(hint, &low, rule);
            last = last.max(self.free);
            one.demand(self.are(hint, &high, case as u64));
            constructors.push(one);
        }
        self.free = last;
        self.table(hint, &constructors)
    }

    /// Uses a text for each value. Bits that are not adjacent are first copied to the context.
    fn named(&mut self, hint: &str, pieces: &[Piece], texts: &[Option<String>]) -> Constructor {
        if let [piece] = pieces {
            let field = self.spec.field(self.row.bits, hint, *piece, false);
            return Constructor::symbol(&self.spec.with_texts(&field, texts));
        }
        let place = self.context(texts.len().trailing_zeros() as u8);
        let (value, pattern) = self.expression(hint, pieces, false);
        let mut one = Constructor::symbol(&self.spec.with_texts(&place, texts));
        one.demand(pattern);
        one.actions.push(format!("{place} = {value};"));
        one
    }

    fn hexadecimal(&mut self, hint: &str, pieces: &[Piece], number: NumberRule) -> Constructor {
        if let ([piece], 0) = (pieces, number.shift) {
            let field = self.spec.field(self.row.bits, hint, *piece, number.is_signed);
            return Constructor::symbol(&field);
        }
        let (value, pattern) = self.expression(hint, pieces, number.is_signed);
        let name = self.computed(hint, pieces);
        let mut one = Constructor::symbol(&name);
        one.pattern = pattern;
        one.actions.push(format!("{name} = {};", shifted(&value, number.shift)));
        one
    }

    /// Returns the name of a number that is computed from the bits in `pieces`.
    pub(super) fn computed(&mut self, hint: &str, pieces: &[Piece]) -> String {
        let places: Vec<String> = pieces.iter().map(|piece| piece.position.to_string()).collect();
        self.spec.name_of(format!("{hint}_at_{}", places.join("_")))
    }

    /// Prints a decimal number. Its digits are copied to the context, three at a time, and printed
    /// from lists of texts.
    fn decimal(&mut self, hint: &str, pieces: &[Piece], number: NumberRule) -> Constructor {
        let width: u8 = pieces.iter().map(|piece| piece.width).sum();
        let size = u32::from(width - u8::from(number.is_signed) + number.shift);
        let largest = (1u128 << size) - u128::from(!number.is_signed && !number.is_inverted);
        let count = largest.to_string().len().div_ceil(3);
        let places: Vec<String> = (0..count).map(|_| self.context(GROUP)).collect();
        let digits = self.digits(&places);
        let (value, pattern) = self.expression(hint, pieces, number.is_signed);
        let value = shifted(&value, number.shift);
        // Each form contains the highest bit of the values to which it applies, or `None` if it applies
        // to all values; the expression of the magnitude; and whether a minus sign is printed.
        let turned = format!("({value} + 1)");
        let forms: &[(Option<u8>, String, bool)] = &match (number.is_signed, number.is_inverted) {
            (false, false) => vec![(None, value, false)],
            (false, true) => vec![(None, turned, true)],
            (true, false) => {
                vec![(Some(0), value.clone(), false), (Some(1), format!("(0 - {value})"), true)]
            }
            (true, true) => {
                vec![(Some(0), turned, true), (Some(1), format!("(0 - {value} - 1)"), false)]
            }
        };
        let mut all = Vec::new();
        for (bit, value, is_negative) in forms {
            let mut one = Constructor::default();
            if *is_negative {
                one.push(Constructor::text("-"));
            }
            one.push(digits.clone());
            one.demand(pattern.clone());
            if let Some(bit) = bit {
                let top = Piece { position: pieces[0].position + pieces[0].width - 1, width: 1 };
                let top = self.spec.field(self.row.bits, hint, top, false);
                one.demand([format!("{top}={bit}")]);
            }
            one.actions = thousands(value, &places);
            all.push(one);
        }
        match all.as_slice() {
            [_] => all.remove(0),
            all => self.table(hint, all),
        }
    }

    /// Prints groups of three digits, which are stored with the lowest group first.
    fn digits(&mut self, places: &[String]) -> Constructor {
        let texts = |write: fn(usize) -> String| -> Vec<Option<String>> {
            (0..1 << GROUP).map(|group| (group < 1000).then(|| write(group))).collect()
        };
        let first = texts(|group| group.to_string());
        let behind = texts(|group| format!("{group:03}"));
        let mut all = Vec::new();
        for count in 1..=places.len() {
            let mut one = Constructor::default();
            for (place, group) in places.iter().enumerate().take(count).rev() {
                let texts = if place + 1 == count { &first } else { &behind };
                one.push(Constructor::symbol(&self.spec.with_texts(group, texts)));
            }
            one.demand(places[count..].iter().map(|group| format!("{group}=0")));
            all.push(one);
        }
        match all.as_slice() {
            [_] => all.remove(0),
            all => self.table("decimal", all),
        }
    }

    /// Allocates context bits that the row does not use yet.
    fn context(&mut self, width: u8) -> String {
        if self.free % CONTEXT_WORD + width > CONTEXT_WORD {
            self.free = self.free.next_multiple_of(CONTEXT_WORD);
        }
        let low = self.free;
        self.free += width;
        self.spec.context(low, width)
    }

    /// Returns the value of the bits in `pieces`, the most significant first, as an expression.
    /// Also returns the fields that the expression uses.
    pub(super) fn expression(
        &mut self,
        hint: &str,
        pieces: &[Piece],
        is_signed: bool,
    ) -> (String, Vec<String>) {
        let (mut value, mut fields) = (String::new(), Vec::new());
        for (place, piece) in pieces.iter().enumerate() {
            let name = self.spec.field(self.row.bits, hint, *piece, is_signed && place == 0);
            value = match place {
                0 => name.clone(),
                _ => format!("(({value} << {}) | {name})", piece.width),
            };
            fields.push(name);
        }
        (value, fields)
    }
}

fn shifted(value: &str, shift: u8) -> String {
    if shift == 0 { value.to_owned() } else { format!("({value} << {shift})") }
}

/// Stores a non-negative number in groups of three digits, the lowest group first.
fn thousands(value: &str, places: &[String]) -> Vec<String> {
    let quotient = |group: usize| match 1000u64.checked_pow(group as u32) {
        Some(1) => value.to_owned(),
        Some(power) => format!("({value} / {power})"),
        None => "0".to_owned(),
    };
    let all = places.iter().enumerate().map(|(group, place)| {
        let (this, next) = (quotient(group), quotient(group + 1));
        match group + 1 == places.len() {
            true => format!("{place} = {this};"),
            false => format!("{place} = {this} - ({next} * 1000);"),
        }
    });
    all.collect()
}

/// Returns `width` bits of the value that `pieces` form, beginning with the bit `low`.
fn cut(pieces: &[Piece], low: u8, width: u8) -> Vec<Piece> {
    let (mut behind, mut all) = (0, Vec::new());
    for piece in pieces.iter().rev() {
        let (first, last) = (low.max(behind), (low + width).min(behind + piece.width));
        if first < last {
            all.push(Piece { position: piece.position + first - behind, width: last - first });
        }
        behind += piece.width;
    }
    all.reverse();
    all
}
