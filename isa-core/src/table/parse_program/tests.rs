//! Tests how the data of the fast parser is computed.

extern crate std;
use std::{vec, vec::Vec};

use super::{ParseAffix, ParseKind, ParseName, ParseNames, ParseSlot, ParseSuffix};
use crate::operand::{ByteSet, Chunk, NAME, Pred, Reg, Signed, Text, TextKeys, text_of};

static REG: Text = text_of::<Reg>();
static PRED: Text = text_of::<Pred>();
static CMEM: Text = with_forms(&["c[*"], Text { numbered: None, ..text_of::<Reg>() });
static IMM: Text = with_forms(
    &["0*", ".*", "INF*", "QNA*", "NAN*", "-0*", "-.*", "-INF*", "-QNA*", "-NAN*"],
    Text { numbered: None, ..text_of::<Reg>() },
);

static NUMBER: Text = text_of::<Signed<8>>();
static FORMS: Text = with_forms(&["#*"], text_of::<Reg>());
static ANY: Text = with_forms(&["_", "R0", "*"], text_of::<Reg>());
static TWICE: Text = with_forms(&["0*", "0x*", "R0", "r*", "-0*"], text_of::<Reg>());
static LONG: Text = with_forms(&["#*", "c[*"], Text { numbered: None, ..text_of::<Reg>() });

const fn with_forms(forms: &'static [&'static str], text: Text) -> Text {
    Text { forms, keys: TextKeys::of(forms, text.numbered, text.listed), ..text }
}

const NEG: ParseAffix = ParseAffix::new(b'-', 0, 3, false, 1, 1);
const ABS: ParseAffix = ParseAffix::new(b'|', b'|', 4, false, 1, 1);

#[test]
fn chunks_one_behind_the_other() {
    let chunk = Chunk::new;
    assert_eq!(chunk(", ").then(chunk("R")), Some(chunk(", R")));
    assert_eq!(chunk("").then(chunk("")), Some(chunk("")));
    assert_eq!(chunk("12345678").then(chunk("")), Some(chunk("12345678")));
    assert_eq!(chunk("").then(chunk("12345678")), Some(chunk("12345678")));
    assert_eq!(chunk("12345678").then(chunk("9")), None);
}

#[test]
fn chunks() {
    let comma = Chunk::new(", ");
    let begins = |text: &[u8; 8]| comma.begins(u64::from_le_bytes(*text));
    assert!(begins(b", R1;   ") && !begins(b",R1;    ") && comma.len() == 2);
    assert!(Chunk::new("").begins(0) && Chunk::new("12345678").len() == 8);
}

#[test]
fn bytes_of_forms() {
    let has = |form: &str, place, bytes: &[u8]| {
        let set = ByteSet::NONE.with_form(form.as_bytes(), place);
        (0..=u8::MAX).all(|byte| set.has(byte) == bytes.contains(&byte))
    };
    assert!(has("R0", 0, b"Rr") && has("R0", 1, b"0123456789"));
    assert!(has("-.*", 1, b"."));
    assert!(has("*x", 0, b"*"), "a star in front is itself");
    let ends = [("*", 0), ("R*", 1), ("-", 1), (NAME, 0), ("$_", 1)];
    for (form, place) in ends {
        let set = ByteSet::NONE.with_form(form.as_bytes(), place);
        assert!((0..=u8::MAX).all(|byte| set.has(byte)), "{form} says nothing more");
    }
}

#[test]
fn what_an_operand_may_begin_with() {
    let all =
        |kind: &ParseKind| (0..=u8::MAX).filter(|&byte| kind.first.has(byte)).collect::<Vec<_>>();
    let kind = ParseKind::new(5, &REG, &[]);
    assert_eq!((all(&kind), kind.names.is_some(), kind.takes), (b"Rr".into(), true, 5));
    let kind = ParseKind::new(1, &LONG, &[]);
    assert_eq!((all(&kind), kind.names.is_some()), (b"#Cc".into(), false));
    assert!(kind.told.has(b'#') && !kind.told.has(b'c'));
    assert_eq!(all(&ParseKind::new(1, &ANY, &[])).len(), 256);
    assert_eq!(all(&ParseKind::new(1, &TWICE, &[])), b"-0123456789Rr");
    let told = |kind: &ParseKind| (0..=u8::MAX).filter(|&b| kind.told.has(b)).collect::<Vec<_>>();
    assert_eq!(told(&ParseKind::new(1, &FORMS, &[])), b"#", "the first byte alone tells");
    assert_eq!(told(&ParseKind::new(1, &CMEM, &[])), b"");
    assert_eq!(told(&ParseKind::new(1, &NUMBER, &[])), b"0123456789", "a sign does not");
    assert!(
        ParseKind::new(1, &REG, &[super::ParseArg::Always(2)]).names.is_none(),
        "its text depends on another field"
    );
}

fn kinds(kinds: Vec<ParseKind>) -> &'static [ParseKind] {
    kinds.leak()
}

#[test]
fn operands_that_begin_as_with_a_mark() {
    let slot = |marks, texts: &[&'static Text]| {
        let kinds = texts.iter().map(|text| ParseKind::new(1, text, &[])).collect();
        let slot = ParseSlot::new(
            ", ",
            2,
            marks,
            self::kinds(kinds),
            ParseSuffix::Names(ParseNames::NONE),
        );
        (0..=u8::MAX).filter(|&byte| slot.own.has(byte)).collect::<Vec<_>>()
    };
    // `-1`, `-.5`, `-INF`, `-QNAN`, `-NAN`.
    assert_eq!(slot([NEG, ABS], &[&REG, &IMM]), b".0123456789INQinq");
    assert_eq!(slot([ABS, NEG], &[&IMM]), b".0123456789INQinq");
    assert_eq!(slot([ABS, ParseAffix::NONE], &[&IMM, &REG]), b"");
    assert_eq!(slot([NEG, ABS], &[&REG, &CMEM]), b"");
}

#[test]
fn the_usual_operand() {
    let plain = |before, marks, texts: &[&'static Text]| {
        let kinds = texts.iter().map(|text| ParseKind::new(1, text, &[])).collect();
        let suffix = ParseSuffix::Names(ParseNames::NONE);
        let text = ParseSlot::new(before, 2, marks, self::kinds(kinds), suffix).plain.text;
        (text != Chunk::NEVER).then_some(text)
    };
    let none = [ParseAffix::NONE; 2];
    assert_eq!(plain(", ", none, &[&REG, &CMEM]), Some(Chunk::new(", R")));
    assert_eq!(plain(" ", [NEG, ABS], &[&PRED]), Some(Chunk::new(" P")));
    assert_eq!(plain(", ", none, &[&CMEM, &REG]), None, "the first kind has no such names");
    assert_eq!(plain("12345678", none, &[&REG]), None, "nine bytes");
    let always = ParseAffix::new(b'-', 0, 3, true, 1, 1);
    assert_eq!(
        plain(", ", [always, ParseAffix::NONE], &[&REG]),
        None,
        "the mark's field takes a value"
    );
    assert_eq!(plain(", ", [ParseAffix::NONE, always], &[&REG]), None);
}

#[test]
fn parts_of_an_operand() {
    static NAMES: [ParseName; 1] =
        [ParseName::new(u64::from_le_bytes(*b"H0\0\0\0\0\0\0"), 1, 5, 2)];
    let two = || kinds(vec![ParseKind::new(5, &REG, &[]), ParseKind::new(8, &CMEM, &[])]);
    let slot = |suffix| ParseSlot::new(", ", 2, [NEG, ABS], two(), suffix);
    let names = |required| ParseSuffix::Names(ParseNames::new(required, 0, 63, b"\0", &NAMES));
    let closed = slot(names(0));
    assert_eq!((closed.takes, closed.is_open, closed.fills), (0b1101, false, false));
    assert!(slot(names(1 << 5)).is_open);
    assert!(!slot(ParseSuffix::operand(5, two())).is_open);
    let ParseSuffix::Operand { takes, .. } = ParseSuffix::operand(5, two()) else { panic!() };
    assert_eq!(takes, 0b1101);
    let marked = (0..=u8::MAX).filter(|&byte| closed.may_be_marked(byte)).collect::<Vec<_>>();
    assert_eq!(marked, b"-|");
}
