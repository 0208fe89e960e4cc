//! Tests spellings that are parsed only if others do not match: `alias NAME of OPCODE else FORM`.

use isa_core::operand::OperandKind;
use isa_core::table::Cube;
use isa_core::text::{Cursor, Line, OperandError};

/// Eight bits at one of two positions: a number below 256, or a multiple of 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shifted {
    high: bool,
    byte: u8,
}

impl OperandKind for Shifted {
    type Value = u64;
    const WIDTH: u8 = 9;
    const EXPECTS: &'static str = "a number of eight bits, or of 256 times as much";
    const MAX_LEN: usize = "65280".len();
    const FORMS: &'static [&'static str] = &["0~"];
    /// A zero at the high position is reserved; zero is encoded at the low position.
    const RESERVED: &'static [Cube] = &[Cube::new(0x1ff, 0x100)];

    fn from_bits(raw: u64) -> Self {
        Shifted { high: raw & 256 != 0, byte: raw as u8 }
    }

    fn to_bits(self) -> u64 {
        u64::from(self.high) << 8 | u64::from(self.byte)
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        match cursor.number()? {
            number @ 0..256 => Ok(Shifted { high: false, byte: number as u8 }),
            number @ 0..65536 if number % 256 == 0 => {
                Ok(Shifted { high: true, byte: (number / 256) as u8 })
            }
            _ => Err(cursor.fault(start, "no number of eight bits at a multiple of eight")),
        }
    }

    fn write(self, line: &mut Line) {
        line.push_decimal(u64::from(self.byte) << if self.high { 8 } else { 0 });
    }
}

/// A value of 16 bits that is printed as the complement of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Inverted(u16);

impl OperandKind for Inverted {
    type Value = u64;
    const WIDTH: u8 = 16;
    const EXPECTS: &'static str = "a number of sixteen bits";
    const MAX_LEN: usize = "65535".len();
    const FORMS: &'static [&'static str] = &["0~"];

    fn from_bits(raw: u64) -> Self {
        Inverted(raw as u16)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        match cursor.number()? {
            number @ 0..65536 => Ok(Inverted(!(number as u16))),
            _ => Err(cursor.fault(start, "no number of sixteen bits")),
        }
    }

    fn write(self, line: &mut Line) {
        line.push_decimal((!self.0).into());
    }
}

isa_core::define_isa! {
    /// Three ways to load a number.
    isa Loads: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Shifted: 9, reserved("100000000");
    operand Inverted: 16;
    operand Number: 16 = isa_core::operand::Unsigned<16>;
    enum Op: 4 { MOVZ = 1, MOVN = 2, MOVE = 3 }

    /// A move to a register.
    group TO { encoding { field<0, 4> Op op; field<4, 8> Reg rd; } }
    /// Moves a byte to one of two positions.
    opcode MOVZ : [TO] { encoding { op == MOVZ; field<12, 9> Shifted imm; } syntax { movz rd, imm; } }
    /// Moves the complement of a number.
    opcode MOVN : [TO] { encoding { op == MOVN; field<12, 16> Inverted imm; } syntax { movn rd, imm; } }
    /// Moves a number.
    opcode MOVE : [TO] { encoding { op == MOVE; field<12, 16> Number imm; } syntax { move rd, imm; } }
    alias MOV_Z of MOVZ { encoding { rd != 7; } syntax { mov rd, imm; } }
    alias MOV_N of MOVN else MOV_Z { encoding { rd != 5; } syntax { mov rd, imm; } }
    synonym MOV of MOVE else MOV_Z, MOV_N { syntax { mov rd, imm; } }
}

fn parsed(text: &str) -> Loads {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_text_is_read_by_the_first_that_takes_it() {
    assert_eq!(parsed("mov R1, 0x1200;"), parsed("movz R1, 0x1200;"));
    assert_eq!(parsed("mov R1, 0x1234;"), parsed("movn R1, 0x1234;"));
    assert_eq!(parsed("mov R5, 0x1234;"), parsed("move R5, 0x1234;"));
    let error = "mov R1, 0x12345;".parse::<Loads>().unwrap_err();
    let expected = "no form of `mov` accepts `0x12345` here; expected a number of eight bits, or of 256 \
                    times as much, a number of sixteen bits or a number from 0 to 65535";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_word_is_printed_by_the_first_that_reads_back_as_it() {
    assert_eq!(parsed("movz R1, 5;").to_string(), "mov R1, 5;");
    assert_eq!(parsed("movn R1, 0x1234;").to_string(), "mov R1, 4660;");
    assert_eq!(parsed("movn R1, 5;").to_string(), "movn R1, 5;", "`mov R1, 5;` is another word");
    assert_eq!(
        parsed("move R5, 0x1234;").to_string(),
        "move R5, 4660;",
        "synonyms are not printed"
    );
}

/// Every printed text is parsed as the word from which it was printed.
#[test]
fn all_words_of_two_registers_read_back() {
    let mut as_alias = [0; 4];
    for op in 1..4u32 {
        for register in [1, 5u32] {
            for imm in 0..if op == 1 { 512 } else { 65536u32 } {
                let word = op | register << 4 | imm << 12;
                let Ok(load) = Loads::decode(word) else { continue };
                let text = load.to_string();
                as_alias[op as usize] += u32::from(text.starts_with("mov "));
                assert_eq!(parsed(&text).encode().unwrap(), word, "{text}");
            }
        }
    }
    // `mov` is printed for 511 numbers of `movz` with each of the two registers. For `movn` it is
    // printed for all other numbers, but only with one of the registers.
    assert_eq!(as_alias, [0, 2 * 511, 65536 - 511, 0]);
}

mod chain {
    isa_core::define_isa! {
        /// Three instructions with one text. The last instruction is declared first.
        pub(super) isa Chain: u16;
        operand Num: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 4 { A = 1, B = 2, C = 3 }
        opcode A { encoding { field<0, 4> Op op == A; field<4, 4> Num n; } syntax { a n; } }
        opcode B { encoding { field<0, 4> Op op == B; field<4, 4> Num n; } syntax { b n; } }
        opcode C { encoding { field<0, 4> Op op == C; field<4, 4> Num n; } syntax { c n; } }
        alias MOV_C of C else MOV_A, MOV_B { encoding { n != 15; } syntax { mov n; } }
        alias MOV_B of B else MOV_A { encoding { n != {14, 15}; } syntax { mov n; } }
        alias MOV_A of A { encoding { n != {3, 14, 15}; } syntax { mov n; } }
    }
}

/// The order of the declarations is not significant.
#[test]
fn a_form_that_is_read_first_may_stand_behind_another() {
    let read = |text: &str| text.parse::<chain::Chain>().unwrap().encode().unwrap();
    assert_eq!([read("mov 2;"), read("mov 3;"), read("mov 14;")], [0x21, 0x32, 0xe3]);
    let shown = |word| chain::Chain::decode(word).unwrap().to_string();
    assert_eq!([shown(0x21), shown(0x32), shown(0xe3)], ["mov 2;", "mov 3;", "mov 14;"]);
    assert_eq!([shown(0x22), shown(0x23), shown(0x33)], ["b 2;", "c 2;", "c 3;"]);
}

mod halves {
    isa_core::define_isa! {
        /// Two instructions with one text and a modifier of the operand.
        pub(super) isa Halves: u16;
        operand Num: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 4 { A = 1, B = 2 }
        enum Half: 1 { LO = 0, HI = 1 }
        opcode A { encoding { field<0, 4> Op op == A; field<4, 4> Num n; field<8, 1> Half n.half; } syntax { a n.half; } }
        opcode B { encoding { field<0, 4> Op op == B; field<4, 4> Num n; field<8, 1> Half n.half; } syntax { b n.half; } }
        alias MOV_A of A { encoding { n != 3; } syntax { mov n.half; } }
        alias MOV_B of B else MOV_A { encoding { n != 5; } syntax { mov n.half; } }
    }
}

/// Modifiers after an operand do not prevent the parser from matching it.
#[test]
fn a_form_that_is_read_first_may_have_modifiers() {
    let shown = |word| halves::Halves::decode(word).unwrap().to_string();
    assert_eq!([shown(0x141), shown(0x142)], ["mov 4.HI;", "b 4.HI;"]);
    assert_eq!([shown(0x131), shown(0x132)], ["a 3.HI;", "mov 3.HI;"]);
}

mod twins {
    isa_core::define_isa! {
        /// Instructions with two encodings each. The assembler writes one of them.
        pub(super) isa Twins: u16;
        operand Reg: 4 = isa_core::operand::Unsigned<4>;
        operand Num: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 4 { COPY = 1, COPY_BACK = 2, PUT = 3, PUT_WIDE = 4, BARE = 5 }
        group ALL { encoding { field<0, 4> Op op; } }
        group RR : [ALL] { syntax { MOV rd, rn; } }
        /// A copy whose source is encoded first.
        opcode COPY_BACK : [RR] else COPY { encoding { op == COPY_BACK; field<4, 4> Reg rn; field<8, 4> Reg rd; } }
        /// A copy.
        opcode COPY : [RR] { encoding { op == COPY; field<4, 4> Reg rd; field<8, 4> Reg rn; } }
        /// A number below 15.
        opcode PUT : [ALL] { encoding { op == PUT; field<4, 4> Num n != 15; } syntax { PUT n; } }
        /// Any number.
        opcode PUT_WIDE : [ALL] else PUT { encoding { op == PUT_WIDE; field<8, 4> Num n; } syntax { PUT n; } }
        alias NOP of PUT_WIDE { encoding { n == 0; } syntax { NOP; } }
        /// An opcode without a mnemonic.
        opcode BARE else SHOUT { encoding { field<0, 4> Op op == BARE; field<4, 4> Num n; field<8, 1> Num1 m = 1; } syntax { _ n{, m}; } }
        alias SHOUT of BARE { encoding { m == 0; } syntax { SHOUT n; } }
        operand Num1: 1 = isa_core::operand::Unsigned<1>;
    }
}

/// If two words have the same text, both are decoded and printed, and one of them is assembled.
#[test]
fn an_opcode_is_read_where_another_does_not_read() {
    let read = |text: &str| text.parse::<twins::Twins>().unwrap().encode().unwrap();
    assert_eq!(
        [read("MOV 1, 2;"), read("PUT 14;"), read("PUT 15;"), read("NOP;")],
        [0x211, 0xe3, 0xf04, 4]
    );
    for word in (0..=u16::MAX).filter(|word| twins::Twins::decode(*word).is_ok()) {
        let opcode = twins::Twins::SET.decode(word.into()).unwrap();
        let text = twins::Twins::decode(word).unwrap().to_string();
        assert_eq!(opcode.reads_back(word.into()), read(&text) == word, "{word:#x}: {text}");
    }
}

#[cfg(feature = "alloc")]
#[test]
fn what_no_text_gives_is_data() {
    let listed =
        isa_core::asm::Disassembler::new(twins::Twins::SET).disassemble(&[0x22, 1, 4, 0xe, 4, 0xf]);
    assert_eq!(listed, "    .word 0x0122;\n    .word 0x0e04;\n    PUT 15;\n");
}

mod groups {
    //! `else GROUP` tries all opcodes that inherit from the group first.

    isa_core::registers! {
        pub D: 3 = "d0" to "d7" of u32;
        pub A: 3 = "a0" to "a7" of u32;
    }

    isa_core::define_isa! {
        /// Copies from registers and from labels.
        pub isa Moves: u16;

        operand D: 3;
        operand A: 3;
        operand Label: 8 = isa_core::operand::Absolute<8>;
        enum Op: 4 { DD = 0, DA = 1, AD = 2, SR = 3, DL = 4, AL = 5, CLR = 6, CLR_L = 7 }

        /// Copies.
        group MOVE { encoding { field<12, 4> Op op; } }
        opcode DD : [MOVE] { encoding { op == DD; field<0, 3> D d; field<3, 3> D s; } syntax { move s, d; } }
        opcode DA : [MOVE] { encoding { op == DA; field<0, 3> D d; field<3, 3> A s; } syntax { move s, d; } }
        opcode AD : [MOVE] { encoding { op == AD; field<0, 3> A d; field<3, 3> D s; } syntax { move s, d; } }
        opcode SR : [MOVE] { encoding { op == SR; field<3, 3> D s; } syntax { move s, "sr"; } }
        synonym TO_SR of SR { syntax { move s, "ccr"; } }
        opcode DL : [MOVE] else MOVE { encoding { op == DL; field<0, 3> D d; field<4, 8> Label s; } syntax { move s, d; } }
        opcode AL : [MOVE] else MOVE { encoding { op == AL; field<0, 3> A d; field<4, 8> Label s; } syntax { move s, d; } }
        opcode CLR_L else CLEARS { encoding { field<12, 4> Op op == CLR_L; field<0, 8> Label d; } syntax { clr d; } }
        /// A group with one opcode.
        optype CLEARS { encoding { field<12, 4> Op op; } }
        opcode CLR : [CLEARS] { encoding { op == CLR; field<0, 3> D d; } syntax { clr d; } }
    }

    #[test]
    fn registers_are_read_before_labels() {
        let labels = [("d9", 9), ("d1", 0x11), ("there", 0x12), ("ccr", 0x13), ("sr", 0x14)];
        let word = |text| Moves::parse_at(text, 0, &labels).unwrap().encode().unwrap();
        assert_eq!(word("move d1, d2;"), 0x000a, "a register stays one");
        assert_eq!(word("move a1, d2;"), 0x100a);
        assert_eq!(word("move d1, a2;"), 0x200a);
        assert_eq!([word("move d1, sr;"), word("move d1, ccr;")], [0x3008; 2]);
        assert_eq!(word("move d9, d2;"), 0x4092);
        assert_eq!(word("move ccr, d2;"), 0x4132);
        assert_eq!(word("move there, a2;"), 0x5122);
        assert_eq!([word("clr d1;"), word("clr there;")], [0x6001, 0x7012]);
        assert_eq!(word("move 0x11, d2;"), 0x4112);
    }

    #[test]
    fn those_behind_the_group_are_none_of_it() {
        let after = |name| {
            let opcode = Moves::SET.opcodes.iter().find(|opcode| opcode.name == name).unwrap();
            opcode.after.iter().map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(after("DL"), ["DD", "DA", "AD", "SR", "TO_SR"]);
        assert_eq!(after("DL"), after("AL"));
        assert_eq!(after("CLR_L"), ["CLR"]);
        assert!(after("DD").is_empty());
    }
}
