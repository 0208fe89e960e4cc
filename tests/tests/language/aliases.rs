//! Aliases: other spellings of some words of an opcode.

use isa_core::operand::Signed;
use isa_core::text::Line;

isa_core::define_isa! {
    /// Additions and branches with common spellings.
    pub isa Sums: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Imm: 12 = isa_core::operand::Signed<12>;
    enum Op: 4 { ADD = 1, BLT = 2, SYNC = 3 }
    enum Kind: 2 { all = 0, load = 1, store = 2 }

    group WORD { encoding { field<0, 4> Op op; } }

    /// Adds a number to a register.
    group NUMBER : [WORD] {
        encoding { field<4, 8> Reg rd; field<12, 8> Reg rs; field<20, 12> Imm imm; }
        syntax { .. rd, rs, imm; }
    }

    /// Adds.
    opcode ADD : [NUMBER] { encoding { op == ADD; } syntax { add } examples { li R1, 5; } }
    /// Copies.
    alias MOVE of ADD { encoding { imm == 0; } syntax { mv rd, rs; } }
    /// Loads a number.
    alias LI of ADD before MOVE {
        encoding { rs == 0; }
        syntax { li rd, imm; }
        examples { li R7, -1; }
    }
    /// Does nothing.
    alias NOP of ADD { encoding { rd == 0; rs == 0; imm == 0; } syntax { nop; } }
    /// Adds 1. An addition to the stack pointer is printed in full.
    alias INC of ADD {
        encoding { rd != 2; imm == 1; rs == 3; }
        syntax { "inc.r3" rd; }
    }
    /// The number is first.
    synonym ADD_FIRST of ADD { syntax { addi imm, rs, rd; } }
    /// The text of the opcode without the number.
    synonym ADD_NONE of ADD { encoding { imm == 0; } syntax { add rd, rs; } }

    /// Branches if the first register is less.
    opcode BLT : [WORD] {
        encoding { op == BLT; field<4, 8> Reg ra; field<12, 8> Reg rb; field<20, 12> Imm to; }
        syntax { blt ra, rb, to; }
    }
    /// Branches if the first register is greater.
    synonym BGT of BLT { syntax { bgt rb, ra, to; } }
    /// Branches if the register is less than 0.
    alias BLTZ of BLT { encoding { rb == 0; } syntax { bltz ra, to; } }
    /// Branches if the register is greater than 0.
    alias BGTZ of BLT before BLTZ { encoding { ra == 0; } syntax { bgtz rb, to; } }

    /// Waits.
    opcode SYNC : [WORD] {
        encoding { op == SYNC; field<4, 2> Kind kind = all; }
        syntax { sync{.kind}; }
    }
    /// Waits for loads.
    alias LFENCE of SYNC { encoding { kind == load; } syntax { lfence; } }
}

isa_core::define_isa! {
    /// A set that includes it.
    pub isa Whole: u32;
    include crate::aliases::Sums;
}

fn add(rd: u32, rs: u32, imm: i32) -> u32 {
    1 | rd << 4 | rs << 12 | (imm as u32 & 0xfff) << 20
}

/// Words, each with its printed text and other texts that are accepted.
const TEXTS: &[(u32, &str, &[&str])] = &[
    (0, "nop;", &["li R0, 0;", "mv R0, R0;", "add R0, R0, 0;", "add R0, R0;", "addi 0, R0, R0;"]),
    (5 << 4, "li R5, 0;", &["mv R5, R0;", "add R5, R0, 0;"]),
    (5 << 4 | 6 << 12, "mv R5, R6;", &["add R5, R6, 0;", "add R5, R6;", "addi 0, R6, R5;"]),
    (5 << 4 | 6 << 12 | 7 << 20, "add R5, R6, 7;", &["addi 7, R6, R5;"]),
    (5 << 4 | 3 << 12 | 1 << 20, "inc.r3 R5;", &["add R5, R3, 1;"]),
    (2 << 4 | 3 << 12 | 1 << 20, "add R2, R3, 1;", &[]),
];

#[test]
fn the_most_special_spelling_is_printed_and_every_one_is_read() {
    for &(rest, printed, others) in TEXTS {
        let word = rest | 1;
        assert_eq!(Sums::decode(word).unwrap().to_string(), printed);
        for text in others.iter().chain([&printed]) {
            assert_eq!(text.parse::<Sums>().unwrap().encode().unwrap(), word, "{text}");
            assert_eq!(text.parse::<Whole>().unwrap().encode().unwrap(), word, "{text}");
        }
        assert_eq!(Whole::decode(word).unwrap().to_string(), printed);
    }
}

#[test]
fn every_word_of_an_opcode_goes_through_its_text() {
    for rd in 0..32 {
        for rs in 0..32 {
            for imm in [-2048, -1, 0, 1, 2, 2047] {
                let word = add(rd, rs, imm);
                let typed = Sums::decode(word).unwrap();
                let text = typed.to_string();
                assert_eq!(text.parse::<Sums>().unwrap(), typed, "{text}");
                let plain = format!("{typed:#}");
                assert_eq!(plain, format!("add R{rd}, R{rs}, {imm};"));
                assert_eq!(plain.parse::<Sums>().unwrap(), typed);
                let expected = match (rd, rs, imm) {
                    (0, 0, 0) => "nop",
                    (_, 0, _) => "li",
                    (_, _, 0) => "mv",
                    (2, 3, 1) => "add",
                    (_, 3, 1) => "inc",
                    _ => "add",
                };
                assert!(text.starts_with(expected), "{text}: {expected}");
            }
        }
    }
}

#[test]
fn a_typed_instruction_is_its_opcode_and_prints_by_its_alias() {
    let five = Add::new(Reg::R1, Reg::R0, imm(5));
    assert_eq!(five.to_string(), "li R1, 5;");
    assert_eq!("li R1, 5;".parse::<Add>().unwrap(), five);
    assert_eq!(format!("{five:?}"), "Add(li R1, 5;)");
    assert_eq!("bgt R1, R2, -4;".parse::<Sums>().unwrap().to_string(), "blt R2, R1, -4;");
    assert_eq!("bltz R0, 8;".parse::<Sums>().unwrap().to_string(), "bgtz R0, 8;");
    assert_eq!("lfence;".parse::<Sums>().unwrap().to_string(), "lfence;");
    assert_eq!("sync.load;".parse::<Sums>().unwrap().to_string(), "lfence;");
    assert_eq!("sync;".parse::<Sums>().unwrap().to_string(), "sync;");
}

fn imm(number: i64) -> Signed<12> {
    Signed::new(number).unwrap()
}

#[test]
fn an_alias_reads_only_its_own_words() {
    let error = "inc.r3 R2;".parse::<Sums>().unwrap_err();
    assert!(error.to_string().contains("`rd` cannot be 2 here"), "{error}");
    for text in ["nop R1;", "li R1;", "mv R1, 5;", "bgtz R1, R2, 3;"] {
        assert!(text.parse::<Sums>().is_err(), "{text}");
    }
}

#[test]
fn tables_tell_the_spellings() {
    let row = Add::OPCODE;
    let names: Vec<&str> = row.aliases.iter().map(|alias| alias.row.name).collect();
    assert_eq!(names, ["NOP", "LI", "MOVE", "INC", "ADD_FIRST", "ADD_NONE"]);
    let printed: Vec<bool> = row.aliases.iter().map(|alias| alias.printed).collect();
    assert_eq!(printed, [true, true, true, true, false, false]);
    assert_eq!((Sums::SET.opcodes.len(), Sums::SET.spellings.len()), (3, 13));
    assert_eq!(row.spelling(add(1, 0, 5).into()).name, "LI");
    assert_eq!(row.spelling(add(1, 2, 5).into()).name, "ADD");
    let mut line = Line::new();
    row.print_plain(add(1, 0, 5).into(), &mut line);
    assert_eq!(line.as_str(), "add R1, R0, 5;");
}
