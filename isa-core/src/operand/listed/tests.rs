//! Lists of names as they are spelled, read at once and otherwise, and written.

extern crate std;
use std::string::{String, ToString};
use std::{format, vec, vec::Vec};

use super::{ListForms, ListItem, ListSizes, Listed, NameKeys};
use crate::asm::{Cursor, Line, Window};
use crate::operand::{OperandKind, begins_like};
use crate::table::Text;

/// The kinds that are tried, made by lines as an author writes them.
#[allow(dead_code, reason = "each test needs a part of what a line makes")]
mod kinds {
    crate::registers! {
        pub(super) Riscv: 5 = "zero", "ra", "sp", "gp", "tp", "t0" to "t2", "s0", "s1", "a0" to "a7", "s2" to "s11", "t3" to "t6"
            or "x0" to "x31" or "fp" = 8 of u64;
        pub(super) Few: 3 = "s0" = 8, "s1", "a0" to "a5" or "x8" to "x15" or "fp" = 8 of u64;
        pub(super) Thumb: 3 = "r8" to "r12", "sp", "lr", "pc" or "r13" to "r15" or "sl" = 10, "fp", "ip" of u32;
        pub(super) Mips: 5 = "zero", "at", "v0", "v1", "a0" to "a3", "t0" to "t7", "s0" to "s7", "t8", "t9", "k0", "k1",
            "gp", "sp", "s8", "ra"
            or "$zero", "$at", "$v0", "$v1", "$a0" to "$a3", "$t0" to "$t7", "$s0" to "$s7", "$t8", "$t9", "$k0",
            "$k1", "$gp", "$sp", "$s8", "$ra"
            or "$0" to "$31" or "fp" = 30 or "$fp" = 30 of u32;
        pub(super) Pair: 2 = "r24" to "r30" step 2 or "w" = 24 or "X" = 26 or "Y" = 28 or "R24" to "R30" step 2 of u16;
        pub(super) Special: 5 = "x0" to "x30", "sp" or "lr" = 30 or "x31" = 31 of u64;
        pub(super) Long: 2 = "accumulator", "accumulators_x", "eight__8", "nine____9" or "%accumul8" = 1, "%eight_8" of u64;
        pub(super) Bytes: 8 = "b0" to "b254", "end" or "n0" to "n254" or "h0" to "h254" of u8;
        pub(super) Letters: 2 = "ab", "AB", "aB", "Ab" of u8;
        pub(super) Alone: 1 = "pc" or "r15" = 0 or "PC" of u32;
    }
}

/// The names of each kind with their bits, spelled out by hand or by a rule of the test's own.
fn all() -> Vec<(&'static Listed, Vec<(String, u8)>)> {
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let from = |first: usize, names: Vec<String>| {
        (first..).zip(names).map(|(bits, name)| (name, bits as u8)).collect::<Vec<_>>()
    };
    let run = |prefix: &str, numbers: core::ops::Range<usize>| {
        numbers.map(|number| format!("{prefix}{number}")).collect::<Vec<_>>()
    };
    let riscv = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 \
                 s11 t3 t4 t5 t6";
    let mips = "zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 \
                gp sp s8 ra";
    let signed = words(mips).iter().map(|name| format!("${name}")).collect::<Vec<_>>();
    let listed = [
        kinds::Riscv::LISTED,
        kinds::Few::LISTED,
        kinds::Thumb::LISTED,
        kinds::Mips::LISTED,
        kinds::Pair::LISTED,
        kinds::Special::LISTED,
        kinds::Long::LISTED,
        kinds::Bytes::LISTED,
        kinds::Letters::LISTED,
        kinds::Alone::LISTED,
    ];
    let names = [
        vec![from(0, words(riscv)), from(0, run("x", 0..32)), from(8, words("fp"))],
        vec![
            from(0, words("s0 s1 a0 a1 a2 a3 a4 a5")),
            from(0, run("x", 8..16)),
            from(0, words("fp")),
        ],
        vec![
            from(0, words("r8 r9 r10 r11 r12 sp lr pc")),
            from(5, words("r13 r14 r15")),
            from(2, words("sl fp ip")),
        ],
        vec![
            from(0, words(mips)),
            from(0, signed),
            from(0, run("$", 0..32)),
            from(30, words("fp")),
            from(30, words("$fp")),
        ],
        vec![
            from(0, words("r24 r26 r28 r30")),
            from(0, words("w X Y")),
            from(0, words("R24 R26 R28 R30")),
        ],
        vec![
            from(0, run("x", 0..31)),
            from(31, words("sp")),
            from(31, words("x31")),
            from(30, words("lr")),
        ],
        vec![
            from(0, words("accumulator accumulators_x eight__8 nine____9")),
            from(1, words("%accumul8 %eight_8")),
        ],
        vec![
            from(0, run("b", 0..255)),
            from(255, words("end")),
            from(0, run("n", 0..255)),
            from(0, run("h", 0..255)),
        ],
        vec![from(0, words("ab AB aB Ab"))],
        vec![from(0, words("pc")), from(0, words("r15")), from(0, words("PC"))],
    ];
    let names = names.map(|lists| lists.concat());
    listed.into_iter().flatten().zip(names).collect()
}

#[test]
fn each_name_has_the_bits_of_its_place() {
    for (names, expected) in all() {
        for (name, bits) in expected {
            assert_eq!(names.read(&mut Cursor::new(&name)), Ok(bits), "{name}");
            assert_eq!(names.search(&name, false), Some(bits), "{name}");
        }
    }
}

/// What is near names: each name with a byte more, less or changed, in other letters, and behind blanks.
fn near(names: &[(String, u8)]) -> Vec<String> {
    let mut texts: Vec<String> =
        ["", " ", ",", "$", "%", "$ a0", "% seven7", "x", "r", "zerO", "\u{e9}"]
            .map(String::from)
            .into();
    for (name, _) in names {
        texts.extend([
            name.to_uppercase(),
            name.to_lowercase(),
            format!(" {name}"),
            format!("-{name}"),
        ]);
        for more in ["", "0", "1", "_", "x", ",", " ", "\u{e9}", ".x", "(sp)", "       8"] {
            texts.extend([format!("{name}{more}"), format!("{more}{name}")]);
        }
        texts.extend((0..name.len()).map(|at| format!("{}{}", &name[..at], &name[at + 1..])));
    }
    texts
}

/// What a text is by a search that knows no table: the longest word at its beginning, with a sign.
fn by_search(names: &[(String, u8)], text: &str) -> Option<(u8, usize)> {
    let text = text.trim_start();
    let is_sign =
        |c: char| names.iter().any(|(name, _)| name.starts_with(c) && !c.is_alphanumeric());
    let sign = text.chars().next().filter(|c| is_sign(*c)).map_or(0, char::len_utf8);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let len = sign + text[sign..].find(|c| !is_word(c)).unwrap_or(text.len() - sign);
    let (_, bits) = names.iter().find(|(name, _)| *name == text[..len])?;
    Some((*bits, len))
}

#[test]
fn names_are_read_as_a_search_finds_them() {
    for (names, own) in all() {
        for text in near(&own) {
            let mut cursor = Cursor::new(&text);
            let bits = names.read(&mut cursor).ok();
            let blanks = text.len() - text.trim_start().len();
            let expected = by_search(&own, &text);
            let found = bits.map(|bits| (bits, cursor.position() - blanks));
            assert_eq!(found, expected, "{text:?}");
            let Some(key) = names.key() else { continue };
            for at in [0, 3] {
                let mut bytes = [0; Window::SIZE];
                bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
                let read = key.read(Window(&bytes), at);
                // Longer names are left to the function.
                let expected = expected.filter(|(_, len)| blanks == 0 && *len <= 8);
                assert_eq!(read, expected.map(|(bits, len)| (bits.into(), len)), "{text:?}");
            }
        }
    }
}

#[test]
fn tables_are_left_out_where_names_differ_in_letter_case_alone() {
    let is_searched = |names: &Listed| names.key().is_none();
    let searched: Vec<bool> = all().iter().map(|(names, _)| is_searched(names)).collect();
    let only_letters = [false, false, false, false, false, false, false, false, true, false];
    assert_eq!(searched, only_letters);
}

#[test]
fn names_are_written_and_read_back() {
    for (names, own) in all() {
        let ready = names.ready::<256>();
        for bits in 0..=u8::MAX {
            let mut line = Line::new();
            names.write(bits, &mut line);
            // The first name with these bits is the one that is written.
            match own.iter().find(|(_, own)| *own == bits) {
                Some((name, _)) => {
                    assert_eq!(line.as_str(), *name);
                    assert_eq!(names.read(&mut Cursor::new(name)), Ok(bits), "{name}");
                    assert_eq!(names.bits(names.number(bits)), Some(bits), "{name}");
                }
                None => assert_eq!(line.as_str(), ""),
            }
            assert_eq!(ready[usize::from(bits)].as_str(), line.as_str());
        }
    }
    assert_eq!((kinds::Riscv::MAX_LEN, kinds::Few::MAX_LEN, kinds::Alone::MAX_LEN), (4, 2, 2));
}

#[test]
fn numbers_are_those_that_the_line_says() {
    let numbers =
        |names: Option<&Listed>, all: [u8; 6]| names.map(|names| all.map(|n| names.bits(n)));
    let thumb = numbers(kinds::Thumb::LISTED, [0, 7, 8, 13, 15, 16]);
    assert_eq!(thumb, Some([None, None, Some(0), Some(5), Some(7), None]));
    let pair = numbers(kinds::Pair::LISTED, [22, 24, 25, 28, 30, 32]);
    assert_eq!(pair, Some([None, Some(0), None, Some(2), Some(3), None]));
    assert_eq!(kinds::Few::new(8).map(kinds::Few::number), Some(8));
    assert_eq!(kinds::Few::new(7), None);
    assert_eq!(format!("{:?}", kinds::Thumb::new(13)), "Some(Thumb(13))");
    assert_eq!(kinds::Thumb::names(), ["r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"]);
}

#[test]
fn operands_may_be_named_by_names_in_no_run() {
    assert_eq!(
        kinds::Few::NAMED.iter().chain(kinds::Pair::NAMED).collect::<Vec<_>>(),
        [&("s0", 0), &("s1", 1), &("fp", 0), &("w", 0), &("X", 1), &("Y", 2)]
    );
    assert_eq!(
        kinds::Thumb::NAMED,
        [("sp", 5), ("lr", 6), ("pc", 7), ("sl", 2), ("fp", 3), ("ip", 4)]
    );
    assert_eq!(kinds::Alone::NAMED, [("pc", 0), ("r15", 0), ("PC", 0)]);
}

#[test]
fn messages_have_the_lists() {
    let why = |names: Option<&'static Listed>, text| {
        let fault = names.expect("it has names").read(&mut Cursor::new(text)).unwrap_err();
        (fault.span, fault.message)
    };
    let message = "no such name: `r24` to `r30` in steps of 2, or `w`, or `X`, or `Y`, or `R24` to `R30` in \
                   steps of 2 is meant here";
    assert_eq!(why(kinds::Pair::LISTED, " r25,"), (1..4, message));
    let message = "no such name: `s0`, `s1`, `a0` to `a5`, or `x8` to `x15`, or `fp` is meant here";
    assert_eq!(why(kinds::Few::LISTED, "x7"), (0..2, message));
    assert_eq!(
        why(kinds::Few::LISTED, "A0"),
        (0..2, "letter case counts in names: `s0` is one of them")
    );
    assert_eq!(why(kinds::Long::LISTED, "% x").0, 0..1);
    assert_eq!(kinds::Few::EXPECTS, "`s0`, `s1`, `a0` to `a5`");
    assert_eq!(kinds::Alone::EXPECTS, "`pc`");
}

#[test]
fn forms_are_the_first_names_of_items() {
    assert_eq!(kinds::Riscv::FORMS, ["zero", "ra", "sp", "gp", "tp", "t0", "s0", "a0", "x0", "fp"]);
    assert_eq!(kinds::Few::FORMS, ["s0", "a0", "x8", "fp"]);
    for (names, forms) in [
        (kinds::Riscv::LISTED, kinds::Riscv::FORMS),
        (kinds::Mips::LISTED, kinds::Mips::FORMS),
        (kinds::Long::LISTED, kinds::Long::FORMS),
    ] {
        let names = names.expect("it has names");
        assert!(names.are_said_by(forms) && names.are_said_by(&["_", "$*", "%*"]));
        assert!(!names.are_said_by(&forms[1..]) && !names.are_said_by(&[]));
        for (name, _) in
            all().iter().filter(|(own, _)| core::ptr::eq(*own, names)).flat_map(|(_, all)| all)
        {
            assert!(begins_like(forms, &Cursor::new(name)), "{name}");
        }
    }
}

#[test]
#[should_panic(
    expected = "`FORMS` of a kind with `LISTED` say of each of its names that it begins so"
)]
fn forms_of_another_kind_say_nothing() {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Other(kinds::Few);
    impl OperandKind for Other {
        type Value = u64;
        const WIDTH: u8 = 3;
        const EXPECTS: &'static str = "";
        const MAX_LEN: usize = 2;
        const FORMS: &'static [&'static str] = &["s0", "x0", "fp"];
        const LISTED: Option<&'static Listed> = kinds::Few::LISTED;
        fn from_bits(raw: u64) -> Self {
            Other(kinds::Few::from_bits(raw))
        }
        fn to_bits(self) -> u64 {
            self.0.to_bits()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, crate::asm::Fault> {
            kinds::Few::read(cursor).map(Other)
        }
        fn write(self, line: &mut Line) {
            self.0.write(line);
        }
    }
    let _: Text = crate::operand::text_of::<Other>();
}

/// Makes a table of some lists of names, as a line does at compile time, for a field of three bits.
fn spell<const NAMES: usize>(lists: &[&[ListItem]]) {
    let _ = NameKeys::<32>::new::<NAMES>(lists, 3);
}

const A: ListItem = ListItem::new("a");
const B: ListItem = ListItem::new("b");

#[test]
fn sizes_count_names_bytes_and_forms() {
    let run = ListItem::new("r8").to("r12", 2);
    let lists: [&[ListItem]; 2] = [&[A, run], &[ListItem::new("r7").numbered(8), B]];
    let ListSizes { names, written, alone, bytes, slots } = ListSizes::of(&lists);
    assert_eq!(
        (names, written, alone, bytes),
        (6, 4, 3, 1 + 3 * 3),
        "as if each name of a run were its last"
    );
    assert!(slots.is_power_of_two() && slots >= 2 * names);
    assert_eq!(super::items_of(&lists), 4);
    assert_eq!(ListForms::<4>::of(&lists).forms(), ["a", "r8", "b"]);
}

#[test]
#[should_panic(expected = "a field of 3 bits has no room for 9 registers")]
fn a_field_has_room() {
    spell::<9>(&[&[ListItem::new("r0").to("r8", 1)]]);
}

#[test]
#[should_panic(expected = "a field of registers has at most 8 bits")]
fn a_field_has_eight_bits() {
    let _ = NameKeys::<32>::new::<1>(&[&[A]], 9);
}

#[test]
#[should_panic(
    expected = "`b` has the number 3 where 1 would follow: those of the first list are consecutive"
)]
fn numbers_are_consecutive() {
    spell::<2>(&[&[A, B.numbered(3)]]);
}

#[test]
#[should_panic(expected = "`r4` has the number 2 where 4 would follow")]
fn a_run_in_steps_is_consecutive_with_what_is_behind() {
    spell::<3>(&[&[ListItem::new("e0").to("e2", 2), ListItem::new("r4").numbered(2)]]);
}

#[test]
#[should_panic(expected = "`r2` has the number 3 where 2 would follow")]
fn a_run_has_the_steps_of_the_list() {
    spell::<3>(&[&[A, ListItem::new("r0").to("r2", 2)]]);
}

#[test]
#[should_panic(expected = "`x4` has the number 4, which no name of the first list has")]
fn another_name_is_of_a_register() {
    spell::<4>(&[&[A, B], &[ListItem::new("x1").to("x1", 1), ListItem::new("x4").numbered(4)]]);
}

#[test]
#[should_panic(expected = "`x25` has the number 25, which no name of the first list has")]
fn another_name_is_of_a_register_in_steps() {
    spell::<5>(&[&[ListItem::new("r24").to("r28", 2)], &[ListItem::new("x24").to("x25", 1)]]);
}

#[test]
#[should_panic(expected = "`b` has the number 256: numbers are at most 255")]
fn numbers_are_below_256() {
    spell::<2>(&[&[A.numbered(255), B]]);
}

#[test]
#[should_panic(expected = "a number is said of one name")]
fn a_run_has_no_number() {
    let _ = ListItem::new("a0").numbered(4).to("a7", 1);
}

#[test]
#[should_panic(expected = "the last name has the prefix of the first")]
fn a_run_has_one_prefix() {
    let _ = ListItem::new("a0").to("b7", 1);
}

#[test]
#[should_panic(expected = "the last name is some steps behind the first")]
fn a_run_ends_with_a_step() {
    let _ = ListItem::new("a0").to("a7", 2);
}

#[test]
#[should_panic(expected = "`s0` stands twice in the names of one kind: a name is one register's")]
fn a_name_stands_once() {
    spell::<3>(&[&[ListItem::new("s0").to("s1", 1), ListItem::new("s0")]]);
}

#[test]
#[should_panic(expected = "`accumulator1` stands twice")]
fn a_long_name_stands_once() {
    spell::<3>(&[&[
        ListItem::new("accumulator1"),
        A,
        ListItem::new("accumulator1").to("accumulator1", 1),
    ]]);
}

#[test]
#[should_panic(expected = "`Ab` stands twice")]
fn a_name_stands_once_where_there_is_no_table() {
    spell::<5>(&[&["ab", "AB", "aB", "Ab", "Ab"].map(ListItem::new)]);
}

#[test]
fn what_is_no_name() {
    for text in ["", "_", "$", "$_", "a b", "a.b", "$$a", " a", "\u{e9}", &"a".repeat(32)] {
        let text: &'static str = String::from(text).leak();
        let why =
            std::panic::catch_unwind(|| spell::<1>(&[&[ListItem::new(text)]])).expect_err(text);
        let why = why
            .downcast_ref::<String>()
            .cloned()
            .or(why.downcast_ref::<&str>().map(|it| it.to_string()));
        let why = why.unwrap_or_default();
        assert!(
            why.contains("` is no name: a name is at most 31 letters, digits and `_`"),
            "{text}: {why}"
        );
    }
}
