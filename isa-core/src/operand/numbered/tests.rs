//! Tests of numbered names: both parsers, and printing.

extern crate std;
use std::string::{String, ToString};
use std::{format, vec, vec::Vec};

use super::Numbered;
use crate::operand::name_range::decimal;
use crate::text::{Cursor, Line, Window};

const REGISTERS: Numbered = Numbered {
    prefix: "R",
    first: 0,
    step: 1,
    count: 255,
    last: "RZ",
    unknown: "unknown",
    letter_case: "case",
};
const LONG: Numbered = Numbered { prefix: "acc", count: 12, last: "", ..REGISTERS };
const PAIRS: Numbered =
    Numbered { prefix: "r", first: 24, step: 2, count: 4, last: "rx", ..REGISTERS };
static ALL: [Numbered; 10] = [
    REGISTERS,
    LONG,
    PAIRS,
    Numbered { prefix: "R", first: 200, count: 55, ..REGISTERS },
    Numbered { prefix: "acc", first: 1, step: 100, count: 2, last: "", ..REGISTERS },
    Numbered { prefix: "P", count: 7, last: "PT", ..REGISTERS },
    Numbered { prefix: "", count: 100, last: "none", ..REGISTERS },
    Numbered { prefix: "%r", count: 12, last: "%zero", ..REGISTERS },
    Numbered { prefix: "$", count: 32, last: "sp", ..REGISTERS },
    Numbered { prefix: "v", count: 256, last: "", ..REGISTERS },
];

/// Returns texts that are appended to a prefix: all numbers of up to four digits, and texts with other
/// characters instead of digits.
fn tails() -> Vec<String> {
    let mut tails: Vec<String> = (0..10_000).map(|number| number.to_string()).collect();
    let mut last = vec![String::new()];
    for _ in 0..4 {
        let longer = |byte: char| last.iter().map(move |tail| format!("{tail}{byte}"));
        last = " ,/:;09Z_a\u{e9}".chars().flat_map(longer).collect();
        tails.extend_from_slice(&last);
    }
    tails
}

#[test]
fn names_are_read_at_once_as_they_are_read() {
    for names in &ALL {
        let heads = [names.prefix, names.last, "", "r", "acd", "%", "$"];
        for text in heads
            .iter()
            .flat_map(|head| tails().into_iter().map(move |tail| format!("{head}{tail}")))
        {
            for at in [0, 3] {
                let mut bytes = [0; Window::SIZE];
                bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
                let mut cursor = Cursor::new(&text);
                let number = names.read(&mut cursor).ok();
                let expected = number.filter(|_| !text.starts_with(' '));
                let expected = expected.map(|number| (number.into(), cursor.position()));
                assert_eq!(names.key().read(Window(&bytes), at), expected, "{text:?}");
            }
        }
    }
}

#[test]
fn what_is_meant_as_a_name() {
    let looks = |names: &Numbered, text| names.looks_like(&Cursor::new(text));
    for text in ["R0", "r7", "R999", "R0x", "RZ", "rz", "Rz,", "RZ ", "RZ.H0", "RZ\u{e9}"] {
        assert!(looks(&REGISTERS, text), "{text}");
    }
    for text in ["", "R", "0", "R,", "RX", "RZ0", "RZa", "RZ_", "Q0", "QZ", "RY", "R Z"] {
        assert!(!looks(&REGISTERS, text), "{text}");
    }
    assert!(looks(&LONG, "ACC0"));
    for text in ["acc", "acc,", "ac0", "accx", "ac", ""] {
        assert!(!looks(&LONG, text), "{text}");
    }
}

#[test]
fn the_special_name_may_begin_as_no_other() {
    static NAMES: Numbered = Numbered { prefix: "x", count: 31, last: "sp", ..REGISTERS };
    let names = &NAMES;
    for (text, number) in [("x0", 0), ("x30", 30), ("sp", 31), ("sp,", 31)] {
        assert!(names.looks_like(&Cursor::new(text)), "{text}");
        assert_eq!(names.read(&mut Cursor::new(text)), Ok(number), "{text}");
        let mut bytes = [b' '; Window::SIZE];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        let read = names.key().read(Window(&bytes), 0).map(|(number, _)| number);
        assert_eq!(read, Some(number.into()), "{text}");
    }
    for text in ["spx", "s", "p", "xsp"] {
        assert!(!names.looks_like(&Cursor::new(text)), "{text}");
    }
}

#[test]
fn names_and_what_is_wrong_with_others() {
    let read = |names: &Numbered, text| {
        let mut cursor = Cursor::new(text);
        let fault = names.read(&mut cursor);
        fault.map_err(|fault| (fault.span, fault.message))
    };
    assert_eq!(read(&REGISTERS, " R254.H0"), Ok(254));
    assert_eq!(read(&REGISTERS, "RZ"), Ok(255));
    for text in ["R", "R255", "R256", "R00", "R01", "R1000", "R-1", "RY", "Q1", "", "RZ1", "r255"] {
        let len = text.find('-').unwrap_or(text.len()).max(1).min(text.len());
        assert_eq!(read(&REGISTERS, text), Err((0..len, "unknown")), "{text}");
    }
    for text in ["r0", "r254", "rz", "Rz", "rZ"] {
        assert_eq!(read(&REGISTERS, text), Err((0..text.len(), "case")), "{text}");
    }
    assert_eq!(read(&LONG, "acc11"), Ok(11));
    assert_eq!(read(&LONG, "Acc11"), Err((0..5, "case")));
    assert_eq!(read(&LONG, "acc12"), Err((0..5, "unknown")));
    for (text, bits) in [("r24", 0), ("r26", 1), ("r30", 3), ("rx", 4)] {
        assert_eq!(read(&PAIRS, text), Ok(bits), "{text}");
    }
    for text in ["r0", "r22", "r23", "r25", "r32", "r255", "r024"] {
        assert_eq!(read(&PAIRS, text), Err((0..text.len(), "unknown")), "{text}");
    }
    assert_eq!(read(&PAIRS, "R26"), Err((0..3, "case")));
    assert_eq!(read(&PAIRS, "R27"), Err((0..3, "unknown")));
    assert_eq!(read(&LONG, ","), Err((0..1, "unknown")), "there is no special name");
}

#[test]
fn numbers_of_names() {
    for number in 0..1200u16 {
        assert_eq!(decimal(&number.to_string()), u8::try_from(number).ok());
    }
    for text in ["", "00", "01", "0255", "1a", "/", ":", "a", "1:"] {
        assert_eq!(decimal(text), None, "{text}");
    }
}

#[test]
fn names_are_written() {
    let written = |names: &Numbered, number| {
        let mut line = Line::new();
        names.write(number, &mut line);
        line.to_string()
    };
    assert_eq!(written(&REGISTERS, 254), "R254");
    assert_eq!(written(&REGISTERS, 255), "RZ");
    assert_eq!(written(&LONG, 0), "acc0");
    let ready = ALL[5].ready::<9>();
    let ready: Vec<&str> = ready.iter().map(|text| text.as_str()).collect();
    assert_eq!(ready, ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT", "PT"]);
    let pairs = PAIRS.ready::<6>();
    let pairs: Vec<&str> = pairs.iter().map(|text| text.as_str()).collect();
    assert_eq!(pairs, ["r24", "r26", "r28", "r30", "rx", "rx"]);
    assert_eq!(written(&PAIRS, 3), "r30");
    assert_eq!(written(&PAIRS, 4), "rx");
    assert_eq!(REGISTERS.ready::<2>().map(|text| text.len()), [2, 2], "R0 and R1");
}

#[test]
fn all_256_numbers_can_have_names() {
    crate::registers! {
        /// A vector register.
        pub(super) V: 8 = "v0" to "v255" of u32;
    }

    for number in 0..=255 {
        let text = format!("v{number}");
        assert_eq!(crate::operand::parse(&text), Ok(V::new(number).unwrap()), "{text}");
        assert_eq!((V::new(number).unwrap().number(), V(number).to_string()), (number, text));
    }
    assert!("v256".parse::<V>().is_err() && "vz".parse::<V>().is_err());
}
