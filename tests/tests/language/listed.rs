//! Operand types whose names a line of `registers!` lists: parsing and printing, in each letter
//! case if the set accepts any, and the numbers that a machine gets.

use isa_core::operand::OperandKind;
use isa_core::table::InstructionSet;
use isa_core::text::Cursor;
use isa_verify::check;

/// A machine: its registers by number, and the program counter.
pub(crate) trait Machine {
    fn reg(&self, number: u8) -> u32;
    fn set_reg(&mut self, number: u8, value: u32);
    fn pc(&self) -> u32;
    fn set_pc(&mut self, value: u32);
}

isa_core::registers! {
    /// A register of MIPS.
    pub Gpr: 5 = "zero", "at", "v0", "v1", "a0" to "a3", "t0" to "t7", "s0" to "s7", "t8", "t9", "k0", "k1", "gp",
        "sp", "s8", "ra"
        or "$zero", "$at", "$v0", "$v1", "$a0" to "$a3", "$t0" to "$t7", "$s0" to "$s7", "$t8", "$t9", "$k0", "$k1",
        "$gp", "$sp", "$s8", "$ra"
        or "$0" to "$31" or "fp" = 30 of u32, in Machine { reg, set_reg };
    /// A register of the upper half of Thumb, but the last.
    pub Hi: 3 = "r8" to "r12", "sp", "lr" or "r13" to "r14" of u32, in Machine { reg, set_reg };
    /// The lower of two registers.
    pub Pair: 2 = "r24" to "r30" step 2 or "w" = 24 or "X" = 26 or "Y" = 28, "Z" = 30 of u32,
        in Machine { reg, set_reg };
    /// The stack pointer alone, as one of the file.
    pub Sp: 1 = "sp" = 13 of u32, in Machine { reg, set_reg };
    /// The counter, which has another name.
    pub Pc: 1 = "pc" or "r15" of u32, in Machine { pc, set_pc };
    /// A register with names of many bytes.
    pub Long: 2 = "accumulator", "status", "stack_pointer" or "Z" = 1 of u32, in Machine { reg, set_reg };
}

#[allow(dead_code, unreachable_pub, reason = "a set has more than each test needs")]
mod strict {
    isa_core::define_isa! {
        /// Moves between registers whose names are listed.
        pub isa Strict: u16;
        machine super::Machine;
        operand Gpr: 5 = super::Gpr;
        operand Hi: 3 = super::Hi, reserved("111");
        operand Pair: 2 = super::Pair;
        operand Sp: 1 = super::Sp;
        operand Pc: 1 = super::Pc;
        operand Long: 2 = super::Long, reserved("11");
        operand Imm: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 3 { GPR = 1, HI = 2, PAIR = 3, SP = 4, PC = 5, LONG = 6 }
        group WORD {
            encoding { field<13, 3> Op op; }
            operands { InList<rs>; OutList<rd>; Order<rd, rs>; }
            semantics { Rd = Rs.value; }
        }
        opcode MOV_GPR : [WORD] { encoding { op == GPR; field<0, 5> Gpr rd; field<5, 5> Gpr rs = ra; } syntax { mov Rd{, Rs}; } }
        opcode MOV_HI : [WORD] { encoding { op == HI; field<0, 3> Hi rd; field<5, 5> Gpr rs; } syntax { movh Rd, Rs; } }
        opcode MOV_PAIR : [WORD] { encoding { op == PAIR; field<0, 2> Pair rd; field<5, 3> Hi rs; } syntax { movp "(" Rd ")", Rs; } }
        opcode MOV_SP : [WORD] { encoding { op == SP; field<> Sp rd == 0; field<5, 2> Long rs; } syntax { movs Rd, Rs; } }
        opcode MOV_PC : [WORD] { encoding { op == PC; field<0, 2> Long rd; field<> Pc rs == 0; } syntax { movs Rd, Rs; } }
        opcode MOV_LONG : [WORD] {
            encoding { op == LONG; field<0, 2> Long rd; field<2, 4> Imm rs; }
            syntax { movs Rd, "#" Rs; }
            semantics { Rd = Rs.value as u32; }
        }
    }
}

#[allow(dead_code, unreachable_pub, reason = "a set has more than each test needs")]
mod free {
    isa_core::define_isa! {
        /// The same instructions with names in any letter case.
        pub isa Free: u16;
        text any_case;
        machine super::Machine;
        include crate::listed::strict::Strict;
    }
}

use free::Free;
use strict::Strict;

#[test]
fn sets_with_listed_names_keep_their_promises() {
    check::<Strict>();
    check::<Free>();
}

/// Parses a text with the fast parser, with the complete parser, and with only the template
/// interpreter.
fn words(set: &InstructionSet, text: &str) -> [Option<u128>; 3] {
    let by = |read: &dyn Fn(&mut Cursor<'_>) -> Option<isa_core::parse::Parsed>| {
        read(&mut Cursor::new(text)).map(|parsed| parsed.word())
    };
    [
        by(&|cursor| set.parse_next_as_printed(cursor)),
        by(&|cursor| set.parse_next(cursor).ok().flatten()),
        by(&|cursor| set.parse_next_by_template(cursor).ok().flatten()),
    ]
}

#[test]
fn all_words_are_read_back_as_they_are_printed() {
    for set in [Strict::SET, Free::SET] {
        let mut count = 0;
        for word in 0..=u16::MAX {
            let Ok(opcode) = set.decode(word.into()) else { continue };
            let mut line = isa_core::text::Line::new();
            opcode.print(word.into(), &mut line);
            assert_eq!(words(set, line.as_str()), [Some(word.into()); 3], "{}", line.as_str());
            count += 1;
        }
        assert_eq!(count, 1024 + 7 * 32 + 4 * 7 + 3 + 3 + 3 * 16);
    }
}

#[test]
fn names_are_read_by_all_lists() {
    for (text, word, printed) in [
        ("mov $t0, $31;", 0x2000 | 8 | 31 << 5, "mov t0;"),
        ("mov fp, $zero;", 0x2000 | 30, "mov s8, zero;"),
        ("mov $s8, k0;", 0x2000 | 30 | 26 << 5, "mov s8, k0;"),
        ("movh r13, $0;", 0x4000 | 5, "movh sp, zero;"),
        ("movh lr, a0;", 0x4000 | 6 | 4 << 5, "movh lr, a0;"),
        ("movp (w), r14;", 0x6000 | 6 << 5, "movp (r24), lr;"),
        ("movp (Z), r8;", 0x6000 | 3, "movp (r30), r8;"),
        ("movs sp, Z;", 0x8000 | 1 << 5, "movs sp, status;"),
        ("movs stack_pointer, r15;", 0xa000 | 2, "movs stack_pointer, pc;"),
        ("movs accumulator, #9;", 0xc000 | 9 << 2, "movs accumulator, #9;"),
    ] {
        for set in [Strict::SET, Free::SET] {
            assert_eq!(words(set, text), [Some(word); 3], "{text}");
        }
        assert_eq!(Strict::decode(word as u16).unwrap().to_string(), printed);
    }
    for text in
        ["mov $t10;", "mov x0;", "mov 0;", "movh r15, a0;", "movp (Y0), r8;", "movp (r25), r8;"]
    {
        for set in [Strict::SET, Free::SET] {
            assert_eq!(words(set, text), [None; 3], "{text}");
        }
    }
    let error = "movh r7, a0;".parse::<Strict>().unwrap_err().to_string();
    let why = "no such name: expected `r8` to `r12`, `sp`, `lr`, or `r13` to `r14`";
    assert!(error.contains(why), "{error}");
}

#[test]
fn any_letter_case_is_read_where_the_set_says_so() {
    for (text, word) in [
        ("MOV $T0, Ra;", 0x2000 | 8 | 31 << 5),
        ("mov ZERO, $zErO;", 0x2000),
        ("MovH R13, FP;", 0x4000 | 5 | 30 << 5),
        ("movp (W), LR;", 0x6000 | 6 << 5),
        ("movp (x), R8;", 0x6000 | 1),
        ("movs SP, z;", 0x8000 | 1 << 5),
        ("movs Stack_Pointer, PC;", 0xa000 | 2),
        ("movs stack_pointer, R15;", 0xa000 | 2),
    ] {
        let [_, read, by_template] = words(Free::SET, text);
        assert_eq!([read, by_template], [Some(word); 2], "{text}");
        assert_eq!(words(Strict::SET, text), [None; 3], "{text}");
    }
    let error = "mov ZERO;".parse::<Strict>().unwrap_err().to_string();
    assert!(error.contains("names are case-sensitive: `zero` is a valid name"), "{error}");
}

#[test]
fn a_machine_gets_the_numbers() {
    /// Registers that contain a hundred plus their number, and a program counter.
    struct File([u32; 33]);
    impl Machine for File {
        fn reg(&self, number: u8) -> u32 {
            self.0[usize::from(number)]
        }
        fn set_reg(&mut self, number: u8, value: u32) {
            self.0[usize::from(number)] = value;
        }
        fn pc(&self) -> u32 {
            self.0[32]
        }
        fn set_pc(&mut self, value: u32) {
            self.0[32] = value;
        }
    }
    let mut file = File(core::array::from_fn(|number| 100 + number as u32));
    for text in ["movh lr, s8;", "movp (r28), r9;", "movs sp, stack_pointer;", "movs status, pc;"] {
        text.parse::<Strict>().unwrap().execute(&mut file);
    }
    assert_eq!([file.0[14], file.0[28], file.0[13], file.0[1]], [130, 109, 102, 132]);
    assert_eq!((Hi::new(13).map(Hi::number), Hi::new(15), Hi::new(7)), (Some(13), None, None));
    assert_eq!((Sp::new(13).unwrap().to_bits(), Sp::new(13).map(Sp::number)), (0, Some(13)));
    assert_eq!(Gpr::names()[8..11], ["t0", "t1", "t2"]);
    assert_eq!(Pc::from_bits(0).to_string(), "pc");
}
