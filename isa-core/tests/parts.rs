//! Tests parts of addresses in operands, `hi(label + 8)`: their values in programs, and the
//! relocations of them in objects.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Draft, Program, Reference};

mod set {
    use isa_core::operand::{
        AddressPart, AddressPartOr, AddressParts, NAME, OperandKind, Signed, Unsigned,
    };
    use isa_core::text::{Cursor, Line, OperandError};

    /// The parts of an address: two halves, the second signed, and values that only a linker knows.
    pub(crate) struct Halves;

    impl AddressParts for Halves {
        const PARTS: &'static [AddressPart] = &[
            AddressPart::new("%hi(", ")", |address| (address.wrapping_add(0x80) >> 8).into()),
            AddressPart::new("%lo(", ")", |address| (address as i8).into()),
            AddressPart::new(":lo:", "", |address| (address as i8).into()),
            AddressPart::from_here("%far(", ")", |distance| distance.cast_signed().into()),
            AddressPart::of_linker("%slot[", "]"),
        ];
    }

    pub(crate) type High = AddressPartOr<Halves, Unsigned<8>>;
    pub(crate) type Low = AddressPartOr<Halves, Signed<8>>;
    pub(crate) type By4 = AddressPartOr<Halves, Signed<8, 2>>;

    /// An operand type written by hand: a target that may be `label + 8`, in units of 2 bytes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Place(u64);

    impl OperandKind for Place {
        type Value = u64;
        const WIDTH: u8 = 8;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &[".*", NAME, "#*"];
        const TARGET: Option<fn(Self, u64) -> u64> = Some(|to, _| to.0 * 2);
        fn from_bits(raw: u64) -> Self {
            Place(raw)
        }
        fn to_bits(self) -> u64 {
            self.0
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            if cursor.eat(b'#') {
                return Ok(Place(u64::try_from(cursor.number()?).unwrap_or_default() & 0xff));
            }
            let address = cursor.address_with_addend()?;
            match address {
                0..512 if address % 2 == 0 => Ok(Place(address / 2)),
                _ => Err(cursor.fault(start, "too far")),
            }
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(self.0);
        }
    }

    /// An operand type written by hand: the bank of an address, doubled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Bank(u64);

    const BANK: &[AddressPart] =
        &[AddressPart::new("bank(", ")", |address| (address >> 12 & 7).into())];

    impl OperandKind for Bank {
        type Value = u64;
        const WIDTH: u8 = 4;
        const EXPECTS: &'static str = "`bank(label)`";
        const MAX_LEN: usize = "@15".len();
        const FORMS: &'static [&'static str] = &["bank(", "@0"];
        fn from_bits(raw: u64) -> Self {
            Bank(raw)
        }
        fn to_bits(self) -> u64 {
            self.0
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            if let Some(bank) = cursor.address_part(BANK)? {
                return Ok(Bank((bank * 2) as u64));
            }
            cursor.eat(b'@');
            Ok(Bank(u64::try_from(cursor.number()?).unwrap_or_default() & 15))
        }
        fn write(self, line: &mut Line) {
            line.push(b'@');
            line.push_decimal(self.0);
        }
    }

    isa_core::define_isa! {
        /// Numbers that can be parts of addresses.
        pub(crate) isa Parts: u16 | u32;
        text any_case;
        operand Reg: 8 = isa_core::operand::Reg;
        operand High: 8;
        operand Low: 8;
        operand By4: 8;
        operand Place: 8;
        operand Bank: 4;
        operand Near: 8 = isa_core::operand::Relative<8, 1>;
        enum Op: 4 { LUI = 0, ADD = 1, LD = 2, CALL = 3, BANK = 4, BOTH = 5, TO = 6, MUTE = 7 }
        opcode LUI  { encoding { word<16>; field<0, 4> Op op == LUI; field<8, 8> High by; } syntax { LUI by; } }
        opcode ADD  { encoding { word<16>; field<0, 4> Op op == ADD; field<12, 4 : 4, 4> Low by; } syntax { ADD by; } }
        opcode LD   { encoding { word<16>; field<0, 4> Op op == LD; field<8, 8> By4 by; } syntax { LD "[" by "]"; } }
        opcode CALL { encoding { word<16>; field<0, 4> Op op == CALL; field<8, 8> Place to; } syntax { CALL to; } }
        opcode SELECT { encoding { word<16>; field<0, 4> Op op == BANK; field<8, 4> Bank by; } syntax { SELECT by; } }
        opcode BOTH {
            encoding { word<32>; field<0, 4> Op op == BOTH; field<8, 8> High one; field<16, 8> Low other; }
            syntax   { BOTH one, other; }
        }
        opcode TO {
            encoding { word<32>; field<0, 4> Op op == TO; field<8, 8> Near to; field<16, 8> Low by; }
            syntax   { TO to, by; }
        }
        opcode MUTE { encoding { word<16>; field<0, 4> Op op == MUTE; field<8, 8> Low by; } syntax { MUTE by; } }
    }
}

use set::Parts;

const KIND: fn(Reference) -> Option<u32> = |reference| match reference {
    Reference::Part { opcode: "MUTE", .. } => None,
    Reference::Part { kind: "High", open: "%hi(", .. } => Some(1),
    Reference::Part { opcode: "ADD" | "TO" | "BOTH", kind: "Low", open: "%lo(", .. } => Some(2),
    Reference::Part { opcode: "LD", kind: "By4", open: ":lo:", .. } => Some(3),
    Reference::Part { kind: "By4", open: "%slot[", .. } => Some(4),
    Reference::Part { kind: "Bank", open: "bank(", .. } => Some(5),
    Reference::Part { kind: "High", open: "%far(", .. } => Some(6),
    Reference::Operand { kind: "Place", .. } => Some(7),
    Reference::Operand { kind: "Near", .. } => Some(8),
    _ => None,
};

fn flat(text: &str) -> Result<Vec<u8>, String> {
    let assembled = Assembler::new(Parts::SET).origin(0x1200).assemble(text);
    assembled.map(|program| program.bytes).map_err(|errors| errors.to_string())
}

fn object(text: &str) -> Result<Program, String> {
    let assembled = Assembler::new(Parts::SET).relocations(KIND).assemble(text);
    assembled.map_err(|errors| errors.to_string())
}

/// Returns the bytes of an object, and its relocations as text.
fn linked(text: &str) -> (Vec<u8>, Vec<String>) {
    let program = object(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    let all = program.relocations.iter().map(|it| {
        let symbol = it.symbol.as_deref().unwrap_or("-");
        format!("{} {symbol} {:+} {}", it.address, it.addend, it.kind)
    });
    (program.bytes.clone(), all.collect())
}

#[test]
fn a_part_is_the_number_of_the_address() {
    // `x` is at 0x120a.
    let text =
        "LUI %hi(x); LUI %hi(x + 0x7b); lui %Hi ( 8 + x - 1+K ) ; LD [:lo:x + 2]; LD [:LO:-8];
        .equ K, 0x75; x: LUI 5; LUI %hi(K); ADD %lo(K - 0x85); SELECT bank(x); LUI %far(.);";
    let expected = [
        [0x00, 0x12],
        [0x00, 0x13],
        [0x00, 0x13],
        [0x02, 0x03],
        [0x02, 0xfe],
        [0x00, 0x05],
        [0x00, 0x00],
        [0x01, 0xf0],
        [0x04, 0x02],
        [0x00, 0x00],
    ];
    assert_eq!(flat(text), Ok(expected.concat()));
    // The number is printed, because the word contains nothing else.
    let program = Assembler::new(Parts::SET).assemble("LUI %hi(0x1234);").unwrap();
    assert_eq!(Parts::decode(u32::from(program.bytes[1]) << 8).unwrap().to_string(), "LUI 18;");
    // A number needs no labels, so it can be parsed without a program.
    let number: Parts = "LUI %hi(0x1234);".parse().unwrap();
    assert_eq!(number.to_string(), "LUI 18;");
}

#[test]
fn what_is_wrong_in_a_part_is_said_where_it_is() {
    for (text, expected) in [
        (
            "LUI %hi(0x12345);",
            "1:5: `%hi(0x12345)` is 291, out of range: expected a number from 0 to 255",
        ),
        (
            "LD [:lo:x]; .org 0x1206; x:",
            "1:5: `:lo:x` is 6, out of range: expected a multiple of 4 from -512 to 508",
        ),
        ("LUI %hi();", "1:9: expected a number"),
        ("LUI %hi(1;", "1:10: expected `+`, `-` or `)` after the address"),
        ("LD [%slot[1;", "1:12: expected the end of the address operator"),
        ("LUI %hi(1 + x); y:", "1:13: unknown label `x`"),
        ("LUI %hi(tabel); table:", "1:9: unknown label `tabel`; did you mean `table`?"),
        ("x: LUI %hi(x + x);", "1:16: expected a single label, which is not subtracted"),
        ("x: LUI %hi(4 - x);", "1:16: expected a single label, which is not subtracted"),
        ("LUI %hi(0x10000000000000000);", "1:9: the number has more than 64 bits"),
        (
            "x: LD [%slot[x]];",
            "1:8: only a linker can compute this address operator: assemble to an object file",
        ),
        (
            "LUI %hie(1);",
            "1:5: expected `by`, found `%`; `by` is a number from 0 to 255, or `%hi(label)`, \
            or `%lo(label)`, or `:lo:label`, or `%far(label)`, or `%slot[label]`",
        ),
    ] {
        let said = flat(text).expect_err(text);
        assert!(said.starts_with(expected), "{text}\n{said}\n{expected}");
    }
    let said = "LUI %hi(x);".parse::<Parts>().unwrap_err().to_string();
    assert_eq!(said, "labels are valid only in a program: write a number instead");
    let said = "LUI %far(1);".parse::<Parts>().unwrap_err().to_string();
    assert_eq!(said, "distances are known only in a program: write a number instead");
}

#[test]
fn a_linker_fills_in_parts_with_labels() {
    let text =
        "LUI %hi(x + 0x7b); ADD %lo(there - 4); LD [:lo:2 + x]; LD [%slot[x]]; SELECT bank(x);
        LUI %far(x); x: LUI %hi(K); .equ K, 0x1234; .equ y, x + 2; LUI %hi(y - 1); LUI 3;
        .section .data; d: LUI %hi(d); LUI %hi(x);";
    let (bytes, relocations) = linked(text);
    let relocated = [
        "0 x +123 1",
        "2 there -4 2",
        // An address that is still unknown does not have to fit yet.
        "4 x +2 3",
        "6 x +0 4",
        "8 x +0 5",
        "10 x +0 6",
        "14 y -1 1",
        "0 d +0 1",
        "2 x +0 1",
    ];
    assert_eq!(relocations, relocated);
    let mut expected = [[0x00, 0], [0x01, 0], [0x02, 0], [0x02, 0], [0x04, 0], [0x00, 0]].concat();
    expected.extend([[0x00, 0x12], [0x00, 0], [0x00, 3], [0x00, 0], [0x00, 0]].concat());
    assert_eq!(bytes, expected);
}

#[test]
fn a_target_with_a_number_behind_it_has_an_addend() {
    let (bytes, relocations) = linked("x: CALL x + 8; CALL there - 4; CALL #3; CALL there;");
    assert_eq!(relocations, ["0 x +8 7", "2 there -4 7", "6 there +0 7"]);
    assert_eq!(bytes, [[0x03, 0], [0x03, 0], [0x03, 3], [0x03, 0]].concat());
}

#[test]
fn what_a_linker_cannot_fill_in_is_an_error() {
    let open = "is not known before the program is linked";
    for (text, expected) in [
        (
            "x: MUTE %lo(x);",
            format!(
                "1:13: the address of `x` {open}; the object format has no relocation for this operand"
            ),
        ),
        (
            "MUTE %lo(x); .data; x: LUI 1;",
            format!(
                "1:10: the address of `x` {open}; the object format has no relocation for this operand"
            ),
        ),
        ("MUTE %lo(x);", "1:10: unknown label `x`".into()),
        ("LUI %hi(.);", format!("1:9: the address of `.` {open}; write a label instead of `.`")),
        ("x: LUI %slot[x];", format!("1:14: the address of `x` {open}")),
        // A linker would have to fill in two operands.
        ("x: BOTH %hi(x), %lo(x);", format!("1:21: the address of `x` {open}")),
        ("x: TO there, %lo(x);", "1:7: unknown label `there`".into()),
        ("x: TO x, %lo(there); TO y, %lo(x); .data; y: LUI 1;", "1:25: the address of `y`".into()),
    ] {
        let said = object(text).expect_err(text);
        assert!(said.starts_with(&expected), "{text}\n{said}\n{expected}");
    }
    // A distance within the section is known, and so is a number.
    assert_eq!(
        linked("x: LUI 1; ADD %far(x); MUTE %far(x + 2);"),
        (vec![0, 1, 0xe1, 0xf0, 7, 0xfe], vec![])
    );
    assert_eq!(linked("x: BOTH %hi(0x1234), %lo(x);").1, ["0 x +0 2"]);
    assert_eq!(linked("x: TO x, %lo(there + 1);").1, ["0 there +1 2"]);
}

/// An editor finds the labels in address parts.
#[test]
fn names_in_parts_are_references() {
    let text = "x: LUI %hi(x + K); .equ K, 8; CALL x + 4; LD [:lo:K];";
    let draft = Draft::new(Assembler::new(Parts::SET), text.into());
    assert!(draft.errors().is_empty(), "{:?}", draft.errors());
    let named: Vec<_> = draft.statements().flat_map(|statement| statement.references()).collect();
    let texts: Vec<_> = named.iter().map(|place| (place.start, &text[place.clone()])).collect();
    assert_eq!(texts, [(11, "x"), (15, "K"), (35, "x"), (50, "K")]);
}

/// Returns the next number of an xorshift generator.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Checks values in programs and addends in objects against a sum that the test computes.
#[test]
fn random_sums_have_their_value_and_their_addend() {
    let (mut state, mut negative) = (0x9e37_79b9_7f4a_7c15, 0);
    for _ in 0..2000 {
        let place = 4 + random(&mut state) % 0x6000;
        let constant = (random(&mut state) % 0x200) as i64 - 0x100;
        let (mut sum, mut text) = (0, String::new());
        let (terms, label) = (1 + random(&mut state) % 4, random(&mut state) % 5);
        for term in 0..terms {
            let number = (random(&mut state) % 0x400) as i64;
            let is_label = term == label;
            let minus = !is_label && random(&mut state).is_multiple_of(2);
            text += match (term, minus) {
                (0, false) => "",
                (_, false) => " + ",
                (_, true) => "-",
            };
            let (part, value) = match random(&mut state) % 3 {
                _ if is_label => ("x".into(), 0),
                0 => ("K".into(), constant),
                1 => (format!("{number:#x}"), number),
                _ => (format!("{number}"), number),
            };
            text += &part;
            sum += if minus { -value } else { value };
        }
        let has_label = label < terms;
        let program = format!(
            ".equ K, {constant}; ADD %lo({text}); LD [%slot[{text} + x]]; .org {place}; x:"
        );
        let program = if has_label { program.replace(" + x]", "]") } else { program };
        let object = object(&program).unwrap_or_else(|errors| panic!("{program}\n{errors}"));
        let found: Vec<_> = object.relocations.iter().map(|it| (it.address, it.addend)).collect();
        match has_label {
            true => assert_eq!(found, [(0, sum), (2, sum)], "{program}"),
            false => assert_eq!(found, [(2, sum)], "{program}"),
        }
        negative += usize::from(sum < 0);
        let whole = if has_label { place as i64 + sum } else { sum };
        let low = (whole.rem_euclid(256) + 128) % 256 - 128;
        let program = format!(".equ K, {constant}; ADD %lo({text}); .org {place}; x:");
        let flat = Assembler::new(Parts::SET).assemble(&program).expect(&program);
        let word = u32::from(flat.bytes[0]) | u32::from(flat.bytes[1]) << 8;
        let shown = Parts::decode(word).unwrap().to_string();
        assert_eq!(shown, format!("ADD {low};"), "{program}");
    }
    assert!((200..1800).contains(&negative), "{negative}");
}
