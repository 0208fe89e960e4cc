//! Tests opcodes that share a template: each is parsed and printed by its own template, independent
//! of the others.

#![allow(unreachable_pub, dead_code, reason = "a set is public, and tests call little of it")]

use isa_core::text::Cursor;

/// Defines a set of 16-bit words with registers in `field<0, 8>` and an opcode number in the high
/// bits.
macro_rules! set {
    ($module:ident: $($items:tt)*) => {
        mod $module {
            isa_core::define_isa! {
                /// Opcodes with the same template.
                pub isa Set: u16;
                operand Reg: 8 = isa_core::operand::Reg;
                enum Op: 3 { N0 = 0, N1 = 1, N2 = 2, N3 = 3, N4 = 4 }
                $($items)*
            }

            /// Returns the word of a text, or the error. Checks that the fast parser returns the
            /// same word or none.
            pub(crate) fn word(text: &str) -> Result<u16, String> {
                let walked = Set::SET.parse_next_by_template(&mut super::Cursor::new(text));
                let walked = walked.map(|parsed| parsed.expect("there is text").word() as u16);
                if let Some(quick) = Set::SET.parse_next_as_printed(&mut super::Cursor::new(text)) {
                    assert_eq!(walked.as_ref().ok().copied(), Some(quick.word() as u16), "{text}");
                }
                let read = text.parse::<Set>().map(|inst| inst.encode().expect("it is legal"));
                assert_eq!(read.as_ref().ok(), walked.as_ref().ok(), "{text}");
                walked.map_err(|error| error.title().to_string())
            }

            /// Checks that every valid word round-trips. Returns the number of words.
            pub(crate) fn read_back() -> usize {
                let words = (0..=u16::MAX).filter_map(|word| Some((word, Set::decode(word).ok()?)));
                words.map(|(at, inst)| assert_eq!(word(&inst.to_string()), Ok(at), "{inst}")).count()
            }
        }
    };
}

set! { absent:
    enum T: 1 { B = 0, E = 1 }
    optype Y { syntax { AA.m0.m1; } }
    opcode O0 : [Y] { encoding { field<13, 3> Op op == N0; field<0, 1> T m1; } }
    opcode O1 : [Y] {
        encoding { field<13, 3> Op op == N1; field<0, 1> T m0; field<1, 1> T m1; }
    }
}

#[test]
fn a_modifier_fills_the_first_place_of_its_own_opcode() {
    assert_eq!(absent::read_back(), 6);
    assert_eq!(absent::word("AA.E.B;"), Ok(0x2001));
    assert_eq!(absent::word("AA.B.E;"), Ok(0x2002));
    assert_eq!(absent::word("AA.E;"), Ok(0x0001));
}

set! { suffixes:
    enum T: 1 { B = 0, E = 1 }
    optype Y { syntax { AA Rd.x0.x1; } }
    opcode O0 : [Y] {
        encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; field<8, 1> T rd.x1; }
    }
    opcode O1 : [Y] {
        encoding {
            field<13, 3> Op op == N1; field<0, 8> Reg rd; field<8, 1> T rd.x0; field<9, 1> T rd.x1;
        }
    }
}

#[test]
fn so_does_a_modifier_of_an_operand() {
    assert_eq!(suffixes::read_back(), 256 * 6);
    assert_eq!(suffixes::word("AA R1.E.B;"), Ok(0x2101));
    assert_eq!(suffixes::word("AA R1.E;"), Ok(0x0101));
}

set! { fixed:
    enum T: 1 { A = 0, B = 1 }
    enum U: 1 { C = 0, B = 1 }
    optype Y { syntax { ADD.m Rd; } }
    opcode O0 : [Y] { encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; } }
    opcode O1 : [Y] {
        encoding { field<13, 3> Op op == N1; field<0, 8> Reg rd; field<8, 1> T m == A; }
    }
}

#[test]
fn what_is_fixed_takes_one_name() {
    assert_eq!(fixed::read_back(), 512);
    assert_eq!(fixed::word("ADD.A R1;"), Ok(0x2001));
    assert_eq!(fixed::word("ADD R1;"), Ok(0x0001));
    assert_eq!(fixed::word("ADD.B R1;"), Err("`m` of `ADD` is always `A`".to_owned()));
}

set! { other_set:
    enum T: 1 { A = 0, B = 1 }
    enum U: 1 { C = 0, B = 1 }
    optype Y { syntax { ADD.m Rd; } }
    opcode O0 : [Y] { encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; } }
    opcode O1 : [Y] {
        encoding { field<13, 3> Op op == N1; field<0, 8> Reg rd; field<8, 1> T m == A; }
    }
    opcode O2 : [Y] { encoding { field<13, 3> Op op == N2; field<0, 8> Reg rd; field<8, 1> U m; } }
}

#[test]
fn a_name_goes_to_the_set_that_has_room_for_it() {
    assert_eq!(other_set::read_back(), 1024);
    assert_eq!(other_set::word("ADD.B R1;"), Ok(0x4101));
    assert_eq!(other_set::word("ADD.C R1;"), Ok(0x4001));
    assert_eq!(other_set::word("ADD.A R1;"), Ok(0x2001));
}

set! { marks:
    enum Sign: 1 { MINUS = 0, PLUS = 1 }
    enum Neg: 1 { OFF = 0, ON = 1 }
    affix "-" = neg;
    operand Pred: 3 = isa_core::operand::Pred;
    optype Y { syntax { MOV {-}SrcB; } }
    opcode O0 : [Y] {
        encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; field<8, 1> Sign rd.neg = PLUS; }
        operands { InList<rd>; OutList<>; Order<rd>; }
    }
    opcode O1 : [Y] {
        encoding { field<13, 3> Op op == N1; field<0, 3> Pred pd; field<8, 1> Neg pd.neg = OFF; }
        operands { InList<pd>; OutList<>; Order<pd>; }
    }
}

#[test]
fn a_mark_stands_for_the_value_that_is_not_the_default() {
    assert_eq!(marks::read_back(), 512 + 16);
    assert_eq!(marks::word("MOV R0;"), Ok(0x0100));
    assert_eq!(marks::word("MOV -R0;"), Ok(0x0000));
    assert_eq!(marks::word("MOV P0;"), Ok(0x2000));
    assert_eq!(marks::word("MOV -P0;"), Ok(0x2100));
}

set! { twice:
    enum Arr: 2 { B8 = 0, H4 = 1, S2 = 2 }
    operand Pred: 3 = isa_core::operand::Pred;
    optype Y { encoding { field<13, 3> Op op; field<3, 2> Arr arr; } syntax { ADD Rd.arr, Ra.arr; } }
    opcode O0 : [Y] { encoding { op == N0; field<0, 3> Pred rd; field<5, 8> Reg ra; } }
    opcode O1 : [Y] {
        encoding { op == N1; field<0, 3> Pred rd; field<5, 8> Reg ra; arr = S2; }
        syntax { SUB Rd{.arr}, Ra{.arr}; }
    }
}

#[test]
fn a_field_that_stands_twice_must_agree() {
    assert_eq!(twice::read_back(), 2 * 3 * 256 * 8);
    let word = twice::word("ADD P1.S2, R2.S2;").unwrap();
    assert_eq!(twice::word("ADD P1 .S2 , R2 .S2 ;"), Ok(word));
    let error = "`arr` has two different values".to_owned();
    assert_eq!(twice::word("ADD P1.B8, R2.S2;"), Err(error.clone()));
    assert_eq!(twice::word("SUB P1.B8, R2.H4;"), Err(error));
    assert_eq!(twice::word("SUB P1.B8, R2;"), twice::word("SUB P1.B8, R2.B8;"), "one says it");
}

set! { any_order:
    enum T: 2 { A = 0, B = 1, C = 2, D = 3 }
    opcode O0 {
        encoding { field<13, 3> Op op == N0; field<0, 2> T m == A; field<2, 2> T n; }
        syntax { ADD.m.n; }
    }
}

#[test]
fn modifiers_stand_in_any_order_beside_a_fixed_one() {
    assert_eq!(any_order::read_back(), 4);
    assert_eq!(any_order::word("ADD.B.A;"), Ok(0x0004));
    assert_eq!(any_order::word("ADD.A.B;"), Ok(0x0004));
    assert_eq!(any_order::word("ADD.A.A;"), Ok(0x0000));
    assert!(any_order::word("ADD.A;").is_err() && any_order::word("ADD.B.B;").is_err());
}

set! { optional:
    enum Two: 2 { X = 0, Y = 1, Z = 2 }
    optype Y { syntax { ADD Rd {"by" $ra}; } }
    opcode O0 : [Y] { encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; } }
    opcode O1 : [Y] {
        encoding { field<13, 3> Op op == N1; field<0, 2> Two rd; field<2, 8> Reg ra = RZ; }
    }
}

#[test]
fn a_part_without_a_field_is_no_part_of_the_template() {
    assert_eq!(optional::read_back(), 256 + 3 * 256);
    assert_eq!(optional::word("ADD X by R1;"), Ok(0x2004));
    assert_eq!(optional::word("ADD X;"), Ok(0x23fc));
    for text in ["ADD R1 by;", "ADD R1 by R2;"] {
        assert!(optional::word(text).is_err(), "{text}");
    }
}

set! { numbers:
    operand Plain: 5 = isa_core::operand::Unsigned<5>;
    operand Scaled: 5 = isa_core::operand::Signed<5, 2>;
    opcode O0 {
        encoding { field<13, 3> Op op == N0; field<0, 8> Reg ra; field<8, 5> Plain imm; }
        syntax { LD "[" Ra, imm "]"; }
    }
    opcode O1 {
        encoding { field<13, 3> Op op == N1; field<0, 8> Reg ra; field<8, 5> Scaled imm; }
        syntax { LD "[" Ra, imm "]" "!"; }
    }
    opcode O2 {
        encoding { field<13, 3> Op op == N2; field<0, 8> Reg ra == 1; field<8, 5> Plain imm; }
        syntax { LD "sp", imm; }
    }
    opcode O3 {
        encoding { field<13, 3> Op op == N3; field<0, 8> Reg ra; field<8, 5> Scaled imm; }
        syntax { LD Ra, imm "ll"; }
    }
    opcode O4 {
        encoding { field<13, 3> Op op == N4; field<0, 8> Reg ra; field<8, 5> Plain imm; }
        syntax { LD Ra, imm; }
    }
}

#[test]
fn what_stands_behind_a_number_tells_two_forms_apart() {
    assert_eq!(numbers::read_back(), 4 * 32 * 256 + 32);
    assert_eq!(numbers::word("LD [R1, 5];"), Ok(0x0501));
    assert_eq!(numbers::word("LD [R1, 0x8]!;"), Ok(0x2201));
    assert_eq!(numbers::word("LD sp, 5;"), Ok(0x4501));
    assert_eq!(numbers::word("LD R1, -4 ll;"), Ok(0x7f01));
    assert_eq!(numbers::word("LD R1, 4;"), Ok(0x8401));
}

set! { dotted:
    opcode O0 { encoding { field<13, 3> Op op == N0; field<0, 8> Reg rd; } syntax { J Rd; } }
    opcode O1 { encoding { field<13, 3> Op op == N1; field<0, 8> Reg rd; } syntax { "J.EQ" Rd; } }
}

#[test]
fn a_mnemonic_with_a_dot_is_no_modifier() {
    assert_eq!(dotted::read_back(), 512);
    assert_eq!(dotted::word("J.EG R1;"), Err("unknown mnemonic `J.EG`".to_owned()));
}

set! { prefixes:
    enum Lock: 1 { free = 0, lock = 1 }
    operand Pred: 3 = isa_core::operand::Pred;
    affix "!" = not;
    enum Not: 1 { OFF = 0, ON = 1 }
    group ALL { encoding { field<13, 3> Op op; } }
    opcode O0 : [ALL] {
        encoding { op == N0; field<0, 8> Reg rd; field<8, 1> Lock lk = free; }
        syntax { {lk} ADD Rd; }
    }
    opcode O1 : [ALL] {
        encoding { op == N1; field<0, 8> Reg rd; field<8, 3> Pred pg = PT; field<11, 1> Not pg.not = OFF; }
        syntax { {"(" {!}pg ")"} ADD Rd, "x"; }
    }
    opcode O2 : [ALL] {
        encoding { op == N2; field<0, 8> Reg rd; field<8, 1> Lock lk = free; field<9, 3> Pred pg = PT; }
        syntax { {lk} {"#" pg} MOV Rd; }
    }
}

#[test]
fn what_stands_before_the_mnemonic_is_the_business_of_the_set() {
    assert_eq!(prefixes::read_back(), 512 + 256 * 16 + 512 * 8);
    assert_eq!(prefixes::word("lock ADD R1;"), Ok(0x0101));
    assert_eq!(prefixes::word("( ! P1 ) ADD R1, x;"), Ok(0x2901));
    assert_eq!(prefixes::word("lock # P1 MOV R1;"), Ok(0x4301));
    let title = |text: &str| prefixes::word(text).unwrap_err();
    assert_eq!(title("lock NIX R1;"), "unknown mnemonic `lock`");
    assert_eq!(title("(P9) ADD R1, x;"), "no such predicate: expected `P0` to `P6`, or `PT`");
    assert_eq!(title("# MOV R1;"), "expected `pg`, found `MOV`");
    assert_eq!(title("( P1 ) MOV R1;"), "expected `MOV`, found `(`");
    assert_eq!(title("@P0 NIX R1;"), "unknown mnemonic `NIX`");
    assert_eq!(title("lock;"), "unknown mnemonic `lock`");
}

set! { fixed_marks:
    enum Bit: 1 { OFF = 0, ON = 1 }
    affix "-" = neg;
    operand Nat: 8 = isa_core::operand::Unsigned<8>;
    operand Int: 8 = isa_core::operand::Signed<8>;
    optype Y { syntax { ADD {-}SrcB, Rd; } }
    enum Two: 1 { A = 0, B = 1 }
    enum Three: 1 { C = 0, D = 1 }
    opcode O0 : [Y] {
        encoding {
            field<13, 3> Op op == N0; field<0, 8> Nat imm; field<8, 1> Bit imm.neg == ON; field<9, 1> Two rd;
        }
        operands { InList<imm>; OutList<rd>; Order<imm, rd>; }
    }
    opcode O1 : [Y] {
        encoding {
            field<13, 3> Op op == N1; field<0, 8> Int imm; field<8, 1> Bit imm.neg == OFF; field<9, 1> Three rd;
        }
        operands { InList<imm>; OutList<rd>; Order<imm, rd>; }
    }
}

#[test]
fn the_mark_of_a_fixed_field_is_fixed_text() {
    assert_eq!(fixed_marks::read_back(), 1024);
    assert_eq!(fixed_marks::word("ADD -5, B;"), Ok(0x0305));
    assert_eq!(fixed_marks::word("ADD -5, D;"), Ok(0x22fb));
    assert!(fixed_marks::word("ADD 5, B;").is_err() && fixed_marks::word("ADD --5, D;").is_err());
}

set! { modifier_and_setting:
    enum Bit: 1 { OFF = 0, ON = 1 }
    enum Other: 2 { A = 0, C = 1, B = 2 }
    opcode O0 {
        encoding { field<13, 3> Op op == N0; field<8, 1> Bit t = ON; field<0, 2> Other o = A; }
        syntax { X.t $t $o; }
    }
    opcode O1 {
        encoding { field<13, 3> Op op == N1; field<0, 2> Other o = A; }
        syntax { Y{.B} $o; }
    }
}

#[test]
fn a_field_stands_as_a_modifier_and_as_a_setting() {
    assert_eq!(modifier_and_setting::read_back(), 6 + 3);
    assert_eq!(modifier_and_setting::word("X.OFF OFF B;"), Ok(0x0002));
    assert_eq!(modifier_and_setting::word("X.ON B;"), Ok(0x0102));
    assert_eq!(modifier_and_setting::word("Y B;"), modifier_and_setting::word("Y.B B;"));
    assert!(modifier_and_setting::word("X.OFF ON;").is_err());
}
