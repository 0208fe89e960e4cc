//! Tests one mnemonic with many templates: the fast parser parses their common beginning once,
//! without the template interpreter. The texts differ in literals, operand types, number of
//! operands, marks, and names of values. Some opcodes share a template although others are declared
//! between them, and some calls share a mnemonic.

use isa_core::text::Cursor;
use isa_core::{Isa, table::InstructionSet};

/// Parses a text with the fast parser, with both parsers, and with the template interpreter only.
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

/// Prints all 16-bit words and parses the texts. Returns the number of words.
fn all_read_as_printed<I: Isa<Word = u16>>() -> usize {
    let mut count = 0;
    for word in 0..=u16::MAX {
        let Ok(opcode) = I::SET.decode(word.into()) else { continue };
        let mut line = isa_core::text::Line::new();
        opcode.print(word.into(), &mut line);
        let text = line.as_str();
        assert_eq!(words(I::SET, text), [Some(word.into()); 3], "{text}");
        count += 1;
    }
    count
}

mod operands {
    isa_core::registers! {
        /// A register.
        pub Register: 2 = "r0" to "r3" of u32;
        /// A number.
        pub Number: 2 = "#0" to "#3" of u32;
    }
}

mod words {
    isa_core::define_isa! {
        /// Opcodes that differ by fixed text, operand types or the number of operands.
        pub isa Words: u16;
        operand Code: 8 = isa_core::operand::Unsigned<8>;
        operand Reg: 2 = super::operands::Register;
        operand Num: 2 = super::operands::Number;
        enum Cond: 2 { eq = 0, ne = 1, lo = 2, ls = 3 }
        enum Flag: 1 { off = 0, FTZ = 1 }

        group ALL { encoding { field<0, 8> Code code; field<8, 2> Reg rd; } }
        for $N in 0..60 {
            opcode K_$N : [ALL] { encoding { code == $N; } syntax { mov rd, "k$N"; } }
        }
        for $N in 60..100 {
            opcode AT_$N : [ALL] {
                encoding { code == $N; field<10, 2> Reg ra; } syntax { mov rd, "[" ra ", w$N]"; }
            }
        }
        opcode OF_REG : [ALL] { encoding { code == 100; field<10, 2> Reg ra; } syntax { mov rd, ra; } }
        opcode OF_NUM : [ALL] { encoding { code == 101; field<10, 2> Num n; } syntax { mov rd, n; } }
        opcode TWO : [ALL] {
            encoding { code == 102; field<10, 2> Reg ra; field<12, 2> Reg rb; } syntax { mov rd, ra, rb; }
        }
        opcode THREE : [ALL] {
            encoding { code == 103; field<10, 2> Reg ra; field<12, 2> Reg rb; field<14, 2> Num n; }
            syntax { mov rd, ra, rb, n; }
        }
        opcode OF_COND : [ALL] {
            encoding { code == 104; field<10, 2> Cond cond; } syntax { mov rd, cond; }
        }
        opcode SOME : [ALL] {
            encoding { code == 105; field<10, 2> Reg ra; field<12, 2> Num n = 0; }
            syntax { mov rd, "(" ra{, "+" n} ")"; }
        }
        opcode OF_FLAG : [ALL] {
            encoding { code == 106; field<10, 1> Flag ftz; } syntax { mov.ftz rd; }
        }
        opcode NONE { encoding { field<0, 8> Code code == 107; } syntax { mov; } }
        opcode LONG : [ALL] { encoding { code == 108; } syntax { mov rd, "a long way from here"; } }
        opcode LONGER : [ALL] {
            encoding { code == 109; field<10, 2> Reg ra; } syntax { mov rd, "a long way from " ra; }
        }
    }
}

mod names {
    isa_core::define_isa! {
        /// More opcodes with one template than the parser tries at once, and two alternating
        /// templates.
        pub isa Names: u16;
        operand Reg: 2 = super::operands::Register;
        operand Num: 2 = super::operands::Number;
        enum Sel: 7 {
            s_0 = 0, s_1 = 1, s_2 = 2, s_3 = 3, s_4 = 4, s_5 = 5, s_6 = 6, s_7 = 7, s_8 = 8, s_9 = 9,
            s_10 = 10, s_11 = 11, s_12 = 12, s_13 = 13, s_14 = 14, s_15 = 15, s_16 = 16, s_17 = 17, s_18
            = 18, s_19 = 19, s_20 = 20, s_21 = 21, s_22 = 22, s_23 = 23, s_24 = 24, s_25 = 25, s_26 =
            26, s_27 = 27, s_28 = 28, s_29 = 29, s_30 = 30, s_31 = 31, s_32 = 32, s_33 = 33, s_34 = 34,
            s_35 = 35, s_36 = 36, s_37 = 37, s_38 = 38, s_39 = 39, s_40 = 40, s_41 = 41, s_42 = 42, s_43
            = 43, s_44 = 44, s_45 = 45, s_46 = 46, s_47 = 47, s_48 = 48, s_49 = 49, s_50 = 50, s_51 =
            51, s_52 = 52, s_53 = 53, s_54 = 54, s_55 = 55, s_56 = 56, s_57 = 57, s_58 = 58, s_59 = 59,
            s_60 = 60, s_61 = 61, s_62 = 62, s_63 = 63, s_64 = 64, s_65 = 65, s_66 = 66, s_67 = 67, s_68
            = 68, s_69 = 69, s_70 = 70, s_71 = 71, s_72 = 72, s_73 = 73, s_74 = 74, s_75 = 75, s_76 =
            76, s_77 = 77, s_78 = 78, s_79 = 79
        }
        enum Size: 1 { w = 0, x = 1 }
        enum Class: 2 { MANY = 0, TURNS = 1, TURNS_TOO = 2 }

        optype MANY {
            encoding { field<0, 2> Class class == MANY; field<2, 7> Sel sel; field<9, 2> Reg rd; }
            syntax { many rd, sel; }
        }
        for $N in 0..80 {
            opcode MANY_$N : [MANY] { encoding { sel == s_$N; } }
        }
        optype TURNS {
            encoding { field<0, 2> Class class == TURNS; field<2, 1> Size size; field<3, 2> Reg ra; }
            syntax { turns.size ra; }
        }
        optype TURNS_TOO {
            encoding { field<0, 2> Class class == TURNS_TOO; field<2, 1> Size size; field<3, 2> Num n; }
            syntax { turns.size n; }
        }
        for $S in w, x {
            opcode TURNS_$S : [TURNS] { encoding { size == $S; } }
            opcode TOO_$S : [TURNS_TOO] { encoding { size == $S; } }
        }
    }
}

mod up {
    isa_core::define_isa! {
        /// Some opcodes of the mnemonics.
        pub isa Up: u16;
        operand Reg: 2 = super::operands::Register;
        enum Op: 3 { MOV = 0, AT = 1, ADD = 2 }
        group ALL { encoding { field<0, 3> Op op; field<3, 2> Reg rd; field<5, 2> Reg ra; } }
        opcode MOV : [ALL] {
            encoding { op == MOV; }
            syntax { mov rd, ra; }
        }
        opcode AT : [ALL] { encoding { op == AT; } syntax { mov rd, "[" ra "]"; } }
        opcode ADD : [ALL] { encoding { op == ADD; } syntax { add rd, ra; } }
        alias ONE of ADD { encoding { ra == 1; } syntax { mov rd, "one"; } }
    }
}
mod down {
    isa_core::define_isa! {
        /// Opcodes with a mnemonic that another call also has.
        pub isa Down: u16;
        operand Reg: 2 = super::operands::Register;
        operand Num: 2 = super::operands::Number;
        enum Op: 3 { IMM = 4, NEAR = 5, ADD = 6 }
        group ALL { encoding { field<0, 3> Op op; field<3, 2> Reg rd; field<5, 2> Num n; } }
        opcode IMM : [ALL] { encoding { op == IMM; } syntax { mov rd, n; } }
        opcode NEAR : [ALL] { encoding { op == NEAR; } syntax { mov rd, "[" n "]"; } }
        opcode ADD_IMM : [ALL] { encoding { op == ADD; } syntax { add rd, n; } }
        alias TWO of ADD_IMM { encoding { n == 1; } syntax { mov rd, "two"; } }
    }
}
isa_core::define_isa! {
    /// Both calls.
    pub isa Both: u16;
    include crate::up::Up;
    include crate::down::Down;
}

#[test]
fn forms_of_one_mnemonic_are_read_as_printed() {
    let forms = 60 * 4 + 40 * 16 + 16 + 16 + 64 + 256 + 16 + 64 + 8 + 1 + 4 + 16;
    assert_eq!(all_read_as_printed::<words::Words>(), forms);
    assert_eq!(words::Words::SET.mnemonics.len(), 1);
}

#[test]
fn opcodes_of_one_template_are_read_as_printed() {
    assert_eq!(all_read_as_printed::<names::Names>(), 80 * 4 + 4 * 4);
}

#[test]
fn forms_of_several_calls_are_read_as_printed() {
    assert_eq!(all_read_as_printed::<up::Up>(), 3 * 16);
    assert_eq!(all_read_as_printed::<down::Down>(), 3 * 16);
    assert_eq!(all_read_as_printed::<Both>(), 6 * 16);
}

#[test]
fn texts_between_the_forms_are_none() {
    for text in [
        "mov r0",
        "mov r0, k;",
        "mov r0, k60;",
        "mov r0, k5x;",
        "mov r0, [r1, w6];",
        "mov r0, [r1, w60;",
        "mov r0, r4;",
        "mov r0, (r1, +#1;",
        "mov.off2 r0;",
        "mov r0, lt;",
        "mov r0, r1, r2, r3;",
        "mov r0, a long way;",
    ] {
        let [quick, read, walked] = words(words::Words::SET, text);
        assert_eq!((quick, read), (None, walked), "{text}");
    }
    for text in
        ["mov  r0 ,k59 ;", "mov r0,[r1,w60];", "mov r0, (r1,+#1);", "mov r0, a long  way from r2;"]
    {
        let [quick, read, walked] = words(words::Words::SET, text);
        assert!(
            read.is_some() && read == walked && quick.is_none_or(|quick| Some(quick) == read),
            "{text}"
        );
    }
}
