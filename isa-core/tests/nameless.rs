//! Tests texts without a mnemonic, and texts without the usual spaces.
#![cfg(feature = "alloc")]

use isa_core::asm::Assembler;
use isa_core::text::Cursor;

mod bpf {
    //! A part of eBPF, in the syntax of its tools.

    isa_core::define_isa! {
        /// Additions, jumps and accesses to memory.
        pub isa Bpf: u64;

        operand Imm: 8 = isa_core::operand::Signed<8>;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 {
            mov = 1, mov_imm = 2, add = 3, add_imm = 4, neg = 5, load = 6, store = 7, xadd = 8,
            jgt = 9, ja = 10, exit = 11, be = 12, arsh = 13
        }
        enum Size: 2 { u8 = 0, u16 = 1, u32 = 2, u64 = 3 }
        enum Swap: 2 { be16 = 0, be32 = 1, be64 = 2 }
        enum Lock: 1 { plain = 0, lock = 1 }

        group ALL { encoding { field<0, 8> Op op; } }
        group RR : [ALL] { encoding { field<8, 8> Reg dst; field<16, 8> Reg src; } }
        group RI : [ALL] { encoding { field<8, 8> Reg dst; field<32, 8> Imm imm; } }
        group MEM : [RR] { encoding { field<32, 8> Imm off; field<40, 2> Size size; } }

        opcode MOV : [RR] { encoding { op == mov; } syntax { _ dst " = " src; } }
        opcode MOV_IMM : [RI] { encoding { op == mov_imm; } syntax { _ dst " = " imm; } }
        opcode ADD : [RR] { encoding { op == add; } syntax { _ dst " += " src; } }
        opcode ADD_IMM : [RI] { encoding { op == add_imm; } syntax { _ dst " += " imm; } }
        opcode ARSH : [RR] { encoding { op == arsh; } syntax { _ dst " s>>= " src; } }
        opcode NEG : [ALL] {
            encoding { op == neg; field<8, 8> Reg dst; }
            syntax { _ dst " = -" dst; }
        }
        opcode BE : [ALL] {
            encoding { op == be; field<8, 8> Reg dst; field<40, 2> Swap to; }
            syntax { _ dst " = " to dst; }
        }
        opcode LOAD : [MEM] {
            encoding { op == load; }
            syntax { _ dst " = *(" size " *)(" src " + " off ")"; }
        }
        opcode STORE : [MEM] {
            encoding { op == store; }
            syntax { _ "*(" size " *)(" dst " + " off ") = " src; }
        }
        opcode XADD : [MEM] {
            encoding { op == xadd; field<63, 1> Lock lk = plain; }
            syntax { {lk} _ "*(" size " *)(" dst " + " off ") += " src; }
        }
        opcode JGT : [RR] {
            encoding { op == jgt; field<32, 8> Imm off; }
            syntax { "if" dst " > " src " goto " off; }
        }
        opcode JA : [ALL] { encoding { op == ja; field<32, 8> Imm off; } syntax { goto off; } }
        opcode EXIT : [ALL] { encoding { op == exit; } syntax { exit; } }
    }
}

mod tight {
    //! Texts with fewer spaces than usual.

    isa_core::define_isa! {
        /// Moves.
        pub isa Tight: u16;
        operand Reg: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 2 { LD = 0, MOV = 1, JMP = 2 }
        enum Guard: 1 { all = 0, p0 = 1 }
        group ALL { encoding { field<0, 2> Op op; field<2, 1> Guard pg = all; } }
        opcode LD : [ALL] {
            encoding { op == LD; field<4, 4> Reg rd; field<8, 4> Reg ra; }
            syntax { {"(" pg ")" _} LD _ "(" rd, _ ra ")"; }
        }
        opcode MOV : [ALL] {
            encoding { op == MOV; field<4, 4> Reg rd; field<8, 4> Reg ra; }
            syntax { {"(" pg ")"} MOV rd, ra; }
        }
    }
}

mod more {
    //! Another set, which is included together with the first.

    isa_core::define_isa! {
        /// Subtractions.
        pub isa More: u64;
        operand Reg: 8 = isa_core::operand::Reg;
        opcode SUB {
            encoding { field<0, 8> Code op == 0x20; field<8, 8> Reg dst; field<16, 8> Reg src; }
            syntax { _ dst " -= " src; }
        }
        operand Code: 8 = isa_core::operand::Unsigned<8>;
    }
}

mod both {
    //! The set that includes both.

    isa_core::define_isa! {
        /// Both families.
        pub isa Both: u64;
        include crate::bpf::Bpf;
        include crate::more::More;
    }
}

use both::Both;
use bpf::Bpf;
use tight::Tight;

/// Texts in the form in which they are printed.
const PRINTED: [&str; 14] = [
    "R1 = R2;",
    "R1 = -5;",
    "R10 += R0;",
    "R3 += 7;",
    "R2 s>>= R1;",
    "R1 = -R1;",
    "R2 = be32 R2;",
    "R0 = *(u16 *)(R10 + -8);",
    "*(u32 *)(R1 + 4) = R2;",
    "*(u64 *)(R1 + 8) += R2;",
    "lock *(u64 *)(R1 + 8) += R2;",
    "if R1 > R3 goto 2;",
    "goto -3;",
    "exit;",
];

#[test]
fn texts_begin_with_anything() {
    for text in PRINTED {
        let inst: Bpf = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(inst.to_string(), text);
        assert_eq!(Bpf::decode(inst.encode().unwrap()).unwrap(), inst);
        let spaced = text.replace([' ', ';'], " /* any */ ") + ";";
        assert_eq!(spaced.parse::<Bpf>().ok(), Some(inst), "{spaced}");
    }
    for (text, at) in [
        ("R1 = R1 R2;", 7),
        ("R1 = -R2;", 0),
        ("r4 = R1;", 0),
        ("*(u32)(R1 + 4) = R2;", 5),
        ("if R1 > R3 go to 2;", 11),
    ] {
        let error = text.parse::<Bpf>().unwrap_err();
        assert_eq!(error.span.start, at, "{text}: {error}");
    }
}

#[test]
fn families_with_such_texts_are_one_set() {
    for text in PRINTED.into_iter().chain(["R7 -= R1;"]) {
        assert_eq!(text.parse::<Both>().unwrap().to_string(), text);
    }
}

#[test]
fn both_readers_read_them() {
    let mut quick = 0;
    for text in PRINTED {
        let by_template = Bpf::SET.parse_next_by_template(&mut Cursor::new(text)).unwrap();
        assert!(by_template.is_some(), "{text}");
        let as_printed = Bpf::SET.parse_next_as_printed(&mut Cursor::new(text));
        quick += usize::from(as_printed.is_some());
        assert!(as_printed.is_none() || as_printed == by_template, "{text}");
    }
    // All except the texts with a name of a size or with a swap between operands.
    assert!(quick >= 9, "{quick}");
}

#[test]
fn programs_have_such_texts() {
    let program = "R1 = 5; R1 += R2;\n// done\nif R1 > R2 goto -2; exit;";
    let program = Assembler::new(Bpf::SET).assemble(program).unwrap();
    let words = program.bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    let texts: Vec<String> = words.map(|word| Bpf::decode(word).unwrap().to_string()).collect();
    assert_eq!(texts, ["R1 = 5;", "R1 += R2;", "if R1 > R2 goto -2;", "exit;"]);
}

#[test]
fn all_words_are_read_back() {
    let (mut legal, mut state) = (0, 1u64);
    for _ in 0..50_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Most opcodes have no fields in the upper bits, and all unused bits must be 0.
        let word = state >> 16 & if state & 1 == 0 { 0x00ff_ffff } else { 0xff_00ff_ff0f };
        let Ok(inst) = Bpf::decode(word) else { continue };
        assert_eq!(inst.to_string().parse::<Bpf>().ok(), Some(inst));
        legal += 1;
    }
    assert!(legal > 1_000, "{legal}");
}

mod guarded {
    isa_core::define_isa! {
        /// A guard that ends with a blank, before a text that begins with an operand.
        pub isa Guarded: u16;
        operand Pred: 3 = isa_core::operand::Pred;
        operand Number: 2 = isa_core::operand::Unsigned<2>;
        opcode SET {
            encoding { field<0, 3> Pred pg = 7; field<4, 2> Number k == 2; }
            syntax { {@ pg} _ k; }
        }
    }
}

/// A text that lacks both the guard and the operand after it is invalid, even if the operand has
/// only one value.
#[test]
fn an_operand_behind_a_guard_is_not_left_out_with_it() {
    for text in ["@P3 2;", "2;"] {
        let read: guarded::Guarded = text.parse().unwrap();
        assert_eq!(read.to_string(), text);
    }
    for text in [";", " ;", "@P3;", "3;"] {
        assert!(text.parse::<guarded::Guarded>().is_err(), "{text}");
        let as_printed = guarded::Guarded::SET.parse_next_as_printed(&mut Cursor::new(text));
        assert_eq!(as_printed, None, "{text}");
    }
}

#[test]
fn blanks_are_left_out_where_the_template_says_so() {
    for word in 0..=u16::MAX {
        let Ok(inst) = Tight::decode(word) else { continue };
        let text = inst.to_string();
        let (guard, op) = (if word & 4 != 0 { "(p0)" } else { "" }, word & 3);
        let (rd, ra) = (word >> 4 & 15, word >> 8 & 15);
        let expected = match op {
            0 => format!("{guard}LD({rd},{ra});"),
            _ => format!("{guard}{}MOV {rd}, {ra};", if guard.is_empty() { "" } else { " " }),
        };
        assert_eq!(text, expected);
        assert_eq!(text.parse::<Tight>().ok(), Some(inst));
        let spaced = text.replace('(', " ( ").replace(',', " , ");
        assert_eq!(spaced.parse::<Tight>().ok(), Some(inst), "{spaced}");
    }
}
