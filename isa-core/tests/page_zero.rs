//! Tests a set in the style of the 6502: many opcodes share a mnemonic and differ in the spelling
//! of their operands and in `else`.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Draft};
use isa_core::operand::{NAME, Numeral, NumeralBits, OperandKind, TextPart};
use isa_core::table::FlowTarget;
use isa_core::text::{Cursor, Line, OperandError, Style};

/// Parses a number or a label.
fn number(cursor: &mut Cursor<'_>) -> Result<u64, OperandError> {
    match cursor.peek() {
        Some(b'0'..=b'9') => Ok(cursor.number()? as u64),
        _ => cursor.address_with_addend(),
    }
}

macro_rules! kind {
    ($name:ident: $number:ty, $expects:literal, $wrong:literal) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        struct $name($number);

        impl OperandKind for $name {
            type Value = u64;
            const WIDTH: u8 = <$number>::BITS as u8;
            const EXPECTS: &'static str = $expects;
            const MAX_LEN: usize = 63;
            const FORMS: &'static [&'static str] = &["0~", NAME, ".*"];
            const TARGET: Option<fn(Self, u64) -> u64> = Some(|it, _| it.0.into());

            fn from_bits(raw: u64) -> Self {
                Self(raw as $number)
            }
            fn to_bits(self) -> u64 {
                self.0.into()
            }
            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                let start = cursor.position();
                let number = number(cursor)?;
                <$number>::try_from(number).map(Self).map_err(|_| cursor.fault(start, $wrong))
            }
            fn write(self, line: &mut Line) {
                line.push_str("0x");
                line.push_hex(self.0.into(), <$number>::BITS / 4);
            }
        }
    };
}

kind!(Zero: u8, "an address in page zero", "page zero ends at 0xff");
kind!(Full: u16, "an address", "addresses end at 0xffff");

isa_core::define_isa! {
    /// Loads, stores and jumps.
    isa Mos: u8 | u16 | u24;
    addresses 16;

    operand Byte: 8 = isa_core::operand::HashPrefixed<isa_core::operand::Unsigned<8>>;
    operand Zero: 8;
    operand Full: 16;
    enum Op: 8 {
        LDA_IMM = 0xa9, LDA_ZP = 0xa5, LDA_ZPX = 0xb5, LDA_ABS = 0xad, LDA_ABSX = 0xbd, LDA_ABSY = 0xb9,
        LDA_INDX = 0xa1, LDA_INDY = 0xb1, LDX_ZPY = 0xb6, LDX_ABSY = 0xbe, JMP = 0x4c, JMP_IND = 0x6c,
        RTS = 0x60, INX = 0xe8, ASL = 0x0a, ASL_ZP = 0x06, ASL_ABS = 0x0e, ASL_ZPX = 0x16
    }
    group SHORT { encoding { word<16>; field<0, 8> Op op; } }
    group LONG { encoding { word<24>; field<0, 8> Op op; field<8, 16> Full abs; } }
    group ZERO : [SHORT] { encoding { field<8, 8> Zero zp; } }

    opcode LDA_IMM : [SHORT] { encoding { op == LDA_IMM; field<8, 8> Byte n; } syntax { LDA n; } }
    opcode LDA_ZP : [ZERO] { encoding { op == LDA_ZP; } syntax { LDA zp; } }
    opcode LDA_ZPX : [ZERO] { encoding { op == LDA_ZPX; } syntax { LDA zp, "X"; } }
    opcode LDA_ABS : [LONG] else LDA_ZP, LDA_ZPX { encoding { op == LDA_ABS; } syntax { LDA abs; } }
    opcode LDA_ABSX : [LONG] else LDA_ZP, LDA_ZPX { encoding { op == LDA_ABSX; } syntax { LDA abs, "X"; } }
    opcode LDA_ABSY : [LONG] else LDA_ZP, LDA_ZPX { encoding { op == LDA_ABSY; } syntax { LDA abs, "Y"; } }
    opcode LDA_INDX : [ZERO] { encoding { op == LDA_INDX; } syntax { LDA "(" zp ", X)"; } }
    opcode LDA_INDY : [ZERO] { encoding { op == LDA_INDY; } syntax { LDA "(" zp "), Y"; } }
    opcode LDX_ZPY : [ZERO] { encoding { op == LDX_ZPY; } syntax { LDX zp, "Y"; } }
    opcode LDX_ABSY : [LONG] else LDX_ZPY { encoding { op == LDX_ABSY; } syntax { LDX abs, "Y"; } }
    opcode ASL { encoding { word<8>; field<0, 8> Op op == ASL; } syntax { ASL "A"; } }
    opcode ASL_ZP : [ZERO] else ASL { encoding { op == ASL_ZP; } syntax { ASL zp; } }
    opcode ASL_ABS : [LONG] else ASL_ZP, ASL_ZPX, ASL { encoding { op == ASL_ABS; } syntax { ASL abs; } }
    opcode ASL_ZPX : [ZERO] else ASL { encoding { op == ASL_ZPX; } syntax { ASL zp, "X"; } }
    opcode JMP : [LONG] { encoding { op == JMP; } syntax { JMP abs; } flow { branch abs; } }
    opcode JMP_IND : [LONG] {
        encoding { op == JMP_IND; }
        syntax   { JMP "(" abs ")"; }
        flow     { branch *abs; }
    }
    opcode RTS { encoding { word<8>; field<0, 8> Op op == RTS; } syntax { RTS; } }
    opcode INX { encoding { word<8>; field<0, 8> Op op == INX; } syntax { INX; } }
}

/// Checks the message of the assembler for a text.
#[track_caller]
fn says(text: &str, expected: &str) {
    let said = Assembler::new(Mos::SET).origin(0x8000).assemble(text);
    assert_eq!(said.map(|it| it.bytes).unwrap_err().to_string(), expected, "{text}");
}

fn bytes(text: &str) -> Vec<u8> {
    let program = Assembler::new(Mos::SET).origin(0x8000).assemble(text);
    program.unwrap_or_else(|errors| panic!("{text}: {errors}")).bytes
}

#[test]
fn forms_are_told_apart() {
    assert_eq!(bytes("LDA #18; LDA 0x12; LDA 0x12, X;"), [0xa9, 18, 0xa5, 0x12, 0xb5, 0x12]);
    assert_eq!(bytes("LDA 0x1234; LDA 0x1234, X;"), [0xad, 0x34, 0x12, 0xbd, 0x34, 0x12]);
    assert_eq!(bytes("LDA 0x12, Y; LDA (0x12), Y;"), [0xb9, 0x12, 0, 0xb1, 0x12]);
    assert_eq!(bytes("ASL A; ASL 0x10; ASL 0x100; ASL 1, X;"), [10, 6, 16, 14, 0, 1, 0x16, 1]);
}

/// The message names all forms that match the text up to the error, and no others.
#[test]
fn an_error_names_the_forms_that_fit_up_to_it() {
    let expected = |name: &str, found: &str| {
        format!(
            "1:5: no form of `{name}` accepts `{found}` here; expected an address in page zero in \
             `{name} zp;` or an address in `{name} abs;`"
        )
    };
    says("LDA 0x12345;", &expected("LDA", "0x12345"));
    says("ASL 0x12345;", &expected("ASL", "0x12345"));
    says(
        "LDX 0x12345, Y;",
        &expected("LDX", "0x12345").replace("zp;", "zp, Y;").replace("abs;", "abs, Y;"),
    );
    let three = "the forms are `LDA zp, X;`, `LDA abs, X;` or `LDA abs, Y;`";
    says("LDA 0x12, Q;", &format!("1:11: no form of `LDA` accepts `Q` here; {three}"));
    let two = "the forms are `LDA abs, X;` or `LDA abs, Y;`";
    says("LDA 0x1234, Q;", &format!("1:13: no form of `LDA` accepts `Q` here; {two}"));
    let two = "the forms are `LDA (zp, X);` or `LDA (zp), Y;`";
    says("LDA (0x12;", &format!("1:10: no form of `LDA` accepts `;` here; {two}"));
}

/// If only one form matches up to the error, the message is about that form.
#[test]
fn an_error_names_the_form_that_fits_furthest() {
    says("LDA #256;", "1:6: out of range: expected a number from 0 to 255");
    says("LDA (0x1234), Y;", "1:6: page zero ends at 0xff");
    says("LDA (0x12), X;", "1:13: expected `Y;`, found `X`; the syntax is `LDA (zp), Y;`");
    says("LDA (0x12, Y);", "1:12: expected `X);`, found `Y`; the syntax is `LDA (zp, X);`");
    says("LDX 0x12, X;", "1:11: expected `Y;`, found `X`; the syntax is `LDX zp, Y;`");
    says("LDA 0x12", "1:9: expected `;`, found the end of the text; the syntax is `LDA zp;`");
}

#[test]
fn an_unknown_label_is_said_to_be_one() {
    for text in ["LDA tabel;", "LDA tabel, X;", "ASL tabel;", "LDX tabel, Y;", "JMP tabel;"] {
        let expected = "1:5: unknown label `tabel`; did you mean `table`?";
        says(&format!("{text} table: RTS;"), expected);
    }
    says("LDA (tabel), Y; table: RTS;", "1:6: unknown label `tabel`; did you mean `table`?");
    let help = "define it: write `NAME:` before a statement";
    says("LDA nowhere;", &format!("1:5: unknown label `nowhere`; {help}"));
}

/// Checks the address and bytes of a program without an origin, and that a draft has the same.
#[track_caller]
fn begins(text: &str, origin: u64, bytes: &[u8]) {
    let assembler = Assembler::new(Mos::SET);
    let program = assembler.assemble(text).unwrap_or_else(|errors| panic!("{text}: {errors}"));
    assert_eq!((program.origin, program.bytes.as_slice()), (origin, bytes), "{text}");
    let draft = Draft::new(assembler.clone(), text.into());
    assert!(draft.errors().is_empty(), "{text}");
    let placed = program.statements.iter().filter(|it| it.length > 0).map(|it| it.address);
    let drawn = draft.statements().filter(|it| it.instruction().is_some()).map(|it| it.address());
    let (placed, drawn): (Vec<_>, Vec<_>) = (placed.collect(), drawn.collect());
    assert!(drawn.iter().all(|address| placed.contains(address)), "{text}: {drawn:x?}");
    // The draft gets the text from its end, one character at a time.
    let mut typed = Draft::new(assembler, String::new());
    for letter in text.chars().rev() {
        typed.edit(0..0, letter.encode_utf8(&mut [0; 4]));
    }
    assert!(typed.errors().is_empty(), "{text}");
    let mut names: Vec<_> = program.labels.iter().collect();
    names.retain(|(name, _)| !name.is_empty());
    assert_eq!(typed.labels().iter().collect::<Vec<_>>(), names, "{text}");
}

#[test]
fn a_first_org_is_the_address_of_the_program() {
    begins(".org 0x200; a: RTS; JMP a;", 0x200, &[0x60, 0x4c, 0, 2]);
    begins("a: .globl a; .org 0x8000; JMP a;", 0x8000, &[0x4c, 0, 0x80]);
    begins(".org 0xf000; RTS; .org 0xf004; RTS;", 0xf000, &[0x60, 0, 0, 0, 0x60]);
    begins(".equ ROM, 0x8000; .org ROM; JMP ROM;", 0x8000, &[0x4c, 0, 0x80]);
    begins(".org ROM; b: .balign 4; JMP b; .equ ROM, 0x8002;", 0x8002, &[0, 0, 0x4c, 2, 0x80]);
    begins(".org N; x: JMP x; y: .equ N, y - x + 0x300;", 0x303, &[0x4c, 3, 3]);
    begins(".data; d: .byte 7; .text; .org 0x300; JMP d;", 0x300, &[0x4c, 3, 3, 7]);
    begins(".data; .org 0x300; d: .byte 7;", 0x300, &[7]);
    begins(".org 0xffff0000; RTS;", 0xffff_0000, &[0x60]);
    // After the first bytes `.org` inserts zeros, as in a program with an origin.
    begins("RTS; .org 4; RTS;", 0, &[0x60, 0, 0, 0, 0x60]);
    begins(".data; .org 2; .byte 7; .text; RTS;", 0, &[0x60, 0, 7]);
    begins(".zero 1; .org 3;", 0, &[0, 0, 0]);
    assert_eq!(bytes(".org 0x8002; RTS;"), [0, 0, 0x60], "the address is given");
    let object = Assembler::new(Mos::SET).relocations(|_| None);
    assert_eq!(object.assemble(".org 2; RTS;").unwrap().bytes, [0, 0, 0x60], "a linker places it");
    let wrong = Assembler::new(Mos::SET).assemble(".org NO; RTS;").unwrap_err().to_string();
    assert!(wrong.starts_with("1:6: unknown constant `NO`"), "{wrong}");
}

#[test]
fn an_indirect_jump_goes_to_what_its_operand_leads_to() {
    let target = |text: &str| text.parse::<Mos>().unwrap().flow(0x8000).target;
    assert_eq!(target("JMP 0x1234;"), FlowTarget::Address(0x1234));
    assert_eq!(target("JMP (0x1234);"), FlowTarget::Memory(0x1234));
    let row = Mos::SET.opcodes.iter().find(|opcode| opcode.name == "JMP_IND").unwrap();
    let rows: Vec<String> = row.flow_text().map(|row| row.to_string()).collect();
    assert_eq!(rows, ["branch *abs"]);
    assert_eq!(bytes("JMP (v); v: .2byte 0;"), [0x6c, 0x03, 0x80, 0, 0], "a label is read");
}

mod notations {
    use super::*;

    /// A number after `$`, or a label.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Dollar<const RELATIVE: bool>(u8);

    impl<const RELATIVE: bool> OperandKind for Dollar<RELATIVE> {
        type Value = u64;
        const WIDTH: u8 = 8;
        const EXPECTS: &'static str = "a number after `$`";
        const MAX_LEN: usize = 63;
        const TARGET: Option<fn(Self, u64) -> u64> =
            Some(|it, at| if RELATIVE { at.wrapping_add(it.0.into()) } else { it.0.into() });
        const PARTS: &'static [TextPart] = &[
            TextPart::Text("$"),
            TextPart::Number(Numeral { hex: 2, ..Numeral::of(NumeralBits::low(8)) }),
        ];

        fn from_bits(raw: u64) -> Self {
            Dollar(raw as u8)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            cursor.eat(b'$');
            let number = u8::from_str_radix(cursor.word(), 16);
            number.map(Dollar).map_err(|_| cursor.fault(start, Self::EXPECTS))
        }
        fn write(self, line: &mut Line) {
            line.push(b'$');
            line.push_hex(self.0.into(), 2);
        }
    }

    isa_core::define_isa! {
        /// Jumps to an address and over a distance.
        isa Dollars: u16;
        addresses 16;
        operand Zero: 8 = Dollar<false>;
        operand Over: 8 = Dollar<true>;
        operand Near: 8 = isa_core::operand::Relative<8>;
        enum Op: 8 { J = 1, B = 2, N = 3 }
        opcode J { encoding { field<0, 8> Op op == J; field<8, 8> Zero to; } syntax { J to; } }
        opcode B { encoding { field<0, 8> Op op == B; field<8, 8> Over to; } syntax { B to; } }
        opcode N { encoding { field<0, 8> Op op == N; field<8, 8> Near to; } syntax { N to; } }
    }

    #[test]
    fn addresses_are_written_in_the_notation_of_the_kind() {
        let style = Style::new().addresses();
        let shown = |word| Dollars::decode(word).unwrap().at(0x1000, &()).style(style).to_string();
        assert_eq!(shown(0x0501), "J $05;");
        assert_eq!(shown(0x0502), "B $1005;");
        assert_eq!(shown(0x0503), "N 0x1005;");
        let style = style.hexadecimal();
        let shown = |word| Dollars::decode(word).unwrap().at(0x1000, &()).style(style).to_string();
        assert_eq!([shown(0x0501), shown(0x0502)], ["J $05;", "B $1005;"]);
    }
}
