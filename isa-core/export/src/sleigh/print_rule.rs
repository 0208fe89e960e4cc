//! Determines how the values of some bits are printed, in a form that SLEIGH can express.
//!
//! Rust functions print operands, and a set does not describe their behaviour. Therefore a rule is
//! guessed from some texts. The rule is used if it returns the correct text for every value that is
//! tried: all values of up to 16 bits, and some thousands of values of wider fields.

/// The maximum number of bits for which all values are tried, or for which texts are listed.
const TABLE: u8 = 16;

/// The maximum number of bits for which a list is easier to read than a rule.
const SHORT: u8 = 6;
const LONG: u8 = SHORT + 1;

/// A rule by which some bits are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PrintRule {
    /// A text for each value, or `None` for a reserved value.
    Names(Vec<Option<String>>),
    /// A number.
    Number(NumberRule),
    /// Several parts, one after the other.
    Parts(Vec<RulePart>),
    /// A separate rule for each value of the high bits. Each rule prints the lowest `width` bits.
    Cases { width: u8, rules: Vec<PrintRule> },
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RulePart {
    /// A constant text.
    Text(String),
    /// The text of `width` bits, beginning with the bit `low`.
    Bits { low: u8, width: u8, rule: PrintRule },
}

/// The maximum number of high bits that can select a separate rule for each of their values.
const CASES: u8 = 3;

/// A number in the bits, multiplied by 2 to the power of `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberRule {
    /// Whether the number is printed in hexadecimal with `0x` and not in decimal.
    pub(super) is_hex: bool,
    /// Whether the highest bit is a sign.
    pub(super) is_signed: bool,
    pub(super) shift: u8,
    /// Whether all bits of the number are inverted.
    pub(super) is_inverted: bool,
}

/// The functions that print the values of some bits.
pub(super) struct RuleSearch<'w> {
    pub(super) width: u8,
    pub(super) text: &'w dyn Fn(u64) -> String,
    pub(super) exists: &'w dyn Fn(u64) -> bool,
}

impl PrintRule {
    /// Returns the number of texts in the rule.
    fn texts(&self) -> usize {
        match self {
            PrintRule::Names(texts) => texts.len(),
            PrintRule::Number(_) => 0,
            PrintRule::Parts(parts) => {
                let of_part = |part: &RulePart| match part {
                    RulePart::Text(_) => 0,
                    RulePart::Bits { rule, .. } => rule.texts(),
                };
                parts.iter().map(of_part).sum()
            }
            PrintRule::Cases { rules, .. } => rules.iter().map(PrintRule::texts).sum(),
        }
    }
}

impl RuleSearch<'_> {
    /// Returns the rule by which values are printed, or `None` if no rule is found.
    pub(super) fn rule(&self) -> Option<PrintRule> {
        self.short().or_else(|| self.parts()).or_else(|| self.cases())
    }

    /// Returns a rule without searching for parts.
    fn short(&self) -> Option<PrintRule> {
        match self.width {
            0..=SHORT => Some(self.names()),
            LONG..=TABLE => self.numbers().or_else(|| Some(self.names())),
            _ => self.numbers(),
        }
    }

    /// Returns a rule that prints numbers, with a constant text before and after each.
    fn numbers(&self) -> Option<PrintRule> {
        self.number().map(PrintRule::Number).or_else(|| self.framed())
    }

    fn names(&self) -> PrintRule {
        let values = 0..1u64 << self.width;
        PrintRule::Names(values.map(|raw| (self.exists)(raw).then(|| (self.text)(raw))).collect())
    }

    /// Returns a rule that prints only a number.
    fn number(&self) -> Option<NumberRule> {
        let zero = (self.text)(0);
        let is_hex = zero == "0x0";
        let is_inverted = zero == "-1";
        if !is_hex && !is_inverted && zero != "0" {
            return None;
        }
        let one = (self.text)(1);
        let one = match is_hex {
            true => u64::from_str_radix(one.strip_prefix("0x")?, 16),
            false => one.trim_start_matches('-').parse(),
        };
        let one = one.ok()?.checked_sub(is_inverted.into()).filter(|one| one.is_power_of_two())?;
        let shift = one.trailing_zeros() as u8;
        let number = |is_signed| NumberRule { is_hex, is_signed, shift, is_inverted };
        let mut fitting = [number(false), number(true)].into_iter().filter(|number| {
            // SLEIGH has only signed numbers of 64 bits, and cannot divide the smallest of them by a
            // power of 10.
            let is_divided = !is_hex && !is_inverted;
            self.width + shift <= 64 - u8::from(!number.is_signed || is_divided)
        });
        fitting.find(|number| self.tried().all(|raw| (self.text)(raw) == self.said(*number, raw)))
    }

    /// Returns the text of a number.
    fn said(&self, number: NumberRule, raw: u64) -> String {
        let unused = 64 - u32::from(self.width);
        let value = match number.is_signed {
            true => (raw << unused) as i64 >> unused,
            false => raw as i64,
        };
        let value = value << number.shift;
        let value = if number.is_inverted { !value } else { value };
        let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
        if number.is_hex { format!("{sign}{size:#x}") } else { format!("{sign}{size}") }
    }

    /// Returns a rule that prints a number between two constant texts.
    fn framed(&self) -> Option<PrintRule> {
        let zero = (self.text)(0);
        let numbers = ["0x0", "-1", "0"].into_iter();
        let places = numbers.flat_map(|number| zero.match_indices(number));
        places.filter(|(_, digits)| digits.len() < zero.len()).find_map(|(at, digits)| {
            let (head, tail) = (&zero[..at], &zero[at + digits.len()..]);
            let inner = |raw| -> String {
                let text = (self.text)(raw);
                let inner = text.strip_prefix(head).and_then(|text| text.strip_suffix(tail));
                inner.unwrap_or_default().to_owned()
            };
            let number = RuleSearch { text: &inner, ..*self }.number()?;
            let bits =
                RulePart::Bits { low: 0, width: self.width, rule: PrintRule::Number(number) };
            let text = |text: &str| (!text.is_empty()).then(|| RulePart::Text(text.to_owned()));
            let parts = [text(head), Some(bits), text(tail)].into_iter().flatten();
            Some(PrintRule::Parts(parts.collect()))
        })
    }

    /// Returns a rule that prints the high bits and the low bits one after the other. It tries all
    /// positions at which the bits can be split, and uses the one with the fewest texts.
    fn parts(&self) -> Option<PrintRule> {
        let all = (1..self.width).filter_map(|low| self.parts_at(low));
        all.min_by_key(PrintRule::texts)
    }

    fn parts_at(&self, low: u8) -> Option<PrintRule> {
        let high = self.width - low;
        let zero = (self.text)(0);
        let (mut head, mut tail) = (zero.len(), zero.len());
        for raw in few(high) {
            tail = tail.min(common(zero.bytes().rev(), (self.text)(raw << low).bytes().rev()));
        }
        for raw in few(low) {
            head = head.min(common(zero.bytes(), (self.text)(raw).bytes()));
        }
        let cut = zero.len() - tail;
        if cut > head {
            return None;
        }
        let upper = |raw: u64| -> String {
            let text = (self.text)(raw << low);
            text.get(..text.len().saturating_sub(tail)).unwrap_or_default().to_owned()
        };
        let lower = |raw: u64| (self.text)(raw).get(cut..).unwrap_or_default().to_owned();
        let mask = (1 << low) - 1;
        if !self.tried().all(|raw| (self.text)(raw) == upper(raw >> low) + &lower(raw & mask)) {
            return None;
        }
        let mut all = part(low, high, &upper)?;
        all.extend(part(0, low, &lower)?);
        Some(PrintRule::Parts(all))
    }

    /// Returns a rule with a separate rule for each value of a few high bits.
    fn cases(&self) -> Option<PrintRule> {
        (1..=CASES).find_map(|high| {
            let width = self.width - high;
            let rules = (0..1u64 << high).map(|case| {
                let raw = |low: u64| case << width | low;
                let text = |low| (self.text)(raw(low));
                let exists = |low| (self.exists)(raw(low));
                RuleSearch { width, text: &text, exists: &exists }.short()
            });
            Some(PrintRule::Cases { width, rules: rules.collect::<Option<_>>()? })
        })
    }

    /// Returns the values with which a rule is tried.
    fn tried(&self) -> impl Iterator<Item = u64> + '_ {
        tried(self.width).filter(|raw| (self.exists)(*raw))
    }
}

/// Returns the rule for `width` bits, starting at bit `low`. Punctuation that precedes or follows
/// all values becomes a separate part.
fn part(low: u8, width: u8, text: &dyn Fn(u64) -> String) -> Option<Vec<RulePart>> {
    let zero = text(0);
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    let mut head = zero.len() - zero.trim_start_matches(is_sign).len();
    let mut tail = zero.trim_end_matches(is_sign).len();
    for raw in tried(width) {
        let text = text(raw);
        head = head.min(common(zero.bytes(), text.bytes()));
        tail = tail.max(zero.len() - common(zero.bytes().rev(), text.bytes().rev()));
    }
    if head >= tail {
        return None;
    }
    let behind = zero.len() - tail;
    let inner = |raw: u64| -> String {
        let text = text(raw);
        text.get(head..text.len() - behind).unwrap_or_default().to_owned()
    };
    let writer = RuleSearch { width, text: &inner, exists: &|_| true };
    let rule = writer.numbers().or_else(|| writer.short()).or_else(|| writer.parts())?;
    let sign = |text: &str| (!text.is_empty()).then(|| RulePart::Text(text.to_owned()));
    let bits = RulePart::Bits { low, width, rule };
    Some([sign(&zero[..head]), Some(bits), sign(&zero[tail..])].into_iter().flatten().collect())
}

/// Returns all values of up to 16 bits. For a wider field, returns the lowest and highest values,
/// values with one bit set or cleared, and random values.
fn tried(width: u8) -> Box<dyn Iterator<Item = u64>> {
    if width <= TABLE {
        return Box::new(0..1 << width);
    }
    let last = u64::MAX >> (64 - width);
    let edges = (0..width).flat_map(move |bit| [1 << bit, last ^ 1 << bit, last >> bit]);
    Box::new(few(TABLE).chain(edges).chain(random(last, 8192)).chain([0, last]))
}

/// Returns some values of a field of `width` bits: the lowest 65, those with one bit set, and 256
/// random values.
fn few(width: u8) -> impl Iterator<Item = u64> {
    let last = u64::MAX >> (64 - width);
    (0..=last.min(64)).chain((0..width).map(|bit| 1 << bit)).chain(random(last, 256))
}

/// Returns random values, the same in each call.
fn random(last: u64, count: usize) -> impl Iterator<Item = u64> {
    let next = |state: &u64| {
        let state = state ^ state << 13;
        let state = state ^ state >> 7;
        Some(state ^ state << 17)
    };
    std::iter::successors(Some(0x9e37_79b9_7f4a_7c15), next).take(count).map(move |raw| raw & last)
}

/// Returns the number of bytes at the beginning in which both texts are equal.
fn common(a: impl Iterator<Item = u8>, b: impl Iterator<Item = u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(width: u8, text: impl Fn(u64) -> String) -> Option<PrintRule> {
        RuleSearch { width, text: &text, exists: &|_| true }.rule()
    }

    #[test]
    fn numbers_are_found() {
        let number = |is_hex, is_signed, shift| {
            Some(NumberRule { is_hex, is_signed, shift, is_inverted: false })
        };
        let found = |width, text: fn(u64) -> String| match rule(width, text) {
            Some(PrintRule::Number(number)) => Some(number),
            _ => None,
        };
        assert_eq!(found(12, |raw| raw.to_string()), number(false, false, 0));
        assert_eq!(found(20, |raw| format!("{:#x}", raw << 2)), number(true, false, 2));
        let signed = |raw: u64| ((raw << 44) as i64 >> 43).to_string();
        assert_eq!(found(20, signed), number(false, true, 1));
        assert_eq!(found(63, |raw| ((raw << 1) as i64 >> 1).to_string()), number(false, true, 0));
        assert_eq!(found(64, |raw| (raw as i64).to_string()), None);
        assert_eq!(found(64, |raw| raw.to_string()), None);
        assert_eq!(found(20, |raw| (raw * 3).to_string()), None);
        assert_eq!(
            found(17, |raw| if raw == 1 << 16 { "x".into() } else { raw.to_string() }),
            None
        );
    }

    #[test]
    fn cases_are_found() {
        // The numbers that A64 builds from 16 bits at one of four positions, inverted.
        let text = |raw: u64| format!("#{}", !((raw & 0xffff) << (16 * (raw >> 16))) as i64);
        let Some(PrintRule::Cases { width: 16, rules }) = rule(18, text) else {
            panic!("no cases")
        };
        for (case, rule) in rules.iter().enumerate() {
            let is_signed = case == 3;
            let shift = 16 * case as u8;
            let number = NumberRule { is_hex: false, is_signed, shift, is_inverted: true };
            let bits = RulePart::Bits { low: 0, width: 16, rule: PrintRule::Number(number) };
            assert!(
                *rule == PrintRule::Parts(vec![RulePart::Text("#".to_owned()), bits]),
                "{case}"
            );
        }
    }

    #[test]
    fn parts_are_found() {
        let text = |raw: u64| format!("c[{:#x}][{:#x}]", raw >> 17, raw & 0x1_ffff);
        let Some(PrintRule::Parts(parts)) = rule(22, text) else { panic!("no parts") };
        let number = PrintRule::Number(NumberRule {
            is_hex: true,
            is_signed: false,
            shift: 0,
            is_inverted: false,
        });
        let fixed = |text: &str| RulePart::Text(text.to_owned());
        let bits = |low, width, rule| RulePart::Bits { low, width, rule };
        let bank = PrintRule::Parts(vec![fixed("c["), bits(0, 5, number.clone())]);
        let expected = [bits(17, 5, bank), fixed("]["), bits(0, 17, number), fixed("]")];
        assert!(parts == expected);
        assert_eq!(rule(22, |raw| format!("{}", raw.wrapping_mul(raw) % 1000)), None);
    }
}
