//! Tests composite operands, which show several fields together: `AsmFormat<amount: immr, imms> =
//! Shift();`.

use isa_core::machine::{Sink, Source};
use isa_core::operand::{AsmFormat, OperandKind};
use isa_core::text::{Cursor, Line, OperandError};

/// A register of either width: the bit above the five bits of the number is the width.
pub struct AnyReg;

impl AsmFormat for AnyReg {
    const EXPECTS: &'static str = "a register, `w0` to `w31` or `x0` to `x31`";
    const MAX_LEN: usize = 3;
    const FORMS: &'static [&'static str] = &["w0", "x0"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let word = cursor.word();
        let wide = match word.as_bytes().first() {
            Some(b'w') => 0,
            Some(b'x') => 32,
            _ => return Err(cursor.fault(start, "a register begins with `w` or `x`")),
        };
        match word[1..].parse::<u64>() {
            Ok(number @ 0..32) => Ok(wide | number),
            _ => Err(cursor.fault(start, "registers have the numbers 0 to 31")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push(if raw & 32 == 0 { b'w' } else { b'x' });
        line.push_decimal(raw & 31);
    }
}

/// Twelve bits as one number. For narrow registers the word contains the complement of the number.
pub struct Range;

impl AsmFormat for Range {
    const EXPECTS: &'static str = "a number from 0 to 4095";
    const MAX_LEN: usize = 5;
    const FORMS: &'static [&'static str] = &["#*"];

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        if !cursor.eat(b'#') {
            return Err(cursor.fault(start, "a number begins with `#`"));
        }
        match cursor.number()? as u64 {
            number @ 0..4096 => Ok(if args == [0] { number ^ 0xfff } else { number }),
            _ => Err(cursor.fault(start, "numbers go up to 4095")),
        }
    }

    fn write(raw: u64, args: &[u64], line: &mut Line) {
        line.push(b'#');
        line.push_decimal(if args == [0] { raw ^ 0xfff } else { raw });
    }
}

/// A 64-bit shift to the left. The word contains `64 - amount` and `63 - amount`; the text of other
/// values would be parsed as a different word.
pub struct Left;

impl AsmFormat for Left {
    const EXPECTS: &'static str = "a number from 1 to 63";
    const MAX_LEN: usize = 2;
    const FORMS: &'static [&'static str] = &["0~"];
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> =
        Some(|raw, _| raw & 63 != 63 && raw >> 6 == (raw & 63) + 1);

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        match cursor.number()? as u64 {
            amount @ 1..64 => Ok((64 - amount) << 6 | (63 - amount)),
            _ => Err(cursor.fault(start, "shifts go from 1 to 63")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push_decimal(63 - (raw & 63));
    }
}

/// The amount and type of the shift in the last operand.
pub struct Tail;

impl AsmFormat for Tail {
    const EXPECTS: &'static str = "a shift, such as `lsl #3`";
    const MAX_LEN: usize = 7;
    const FORMS: &'static [&'static str] = &["lsl", "lsr", "asr", "ror"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let word = cursor.word();
        let kind = ["lsl", "lsr", "asr", "ror"].iter().position(|name| *name == word);
        let Some(kind) = kind else { return Err(cursor.fault(start, "no such shift")) };
        cursor.skip_trivia();
        if !cursor.eat(b'#') {
            return Err(cursor.fault(start, "a number begins with `#`"));
        }
        let amount = cursor.number()? as u64;
        match amount {
            0..64 => Ok((kind as u64) << 6 | amount),
            _ => Err(cursor.fault(start, "shifts go up to 63")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push_str(["lsl", "lsr", "asr", "ror"][raw as usize >> 6 & 3]);
        line.push_str(" #");
        line.push_decimal(raw & 63);
    }
}

/// The number of a register. The text of the register also contains its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number(pub u8);

impl OperandKind for Number {
    type Value = u64;
    const WIDTH: u8 = 5;
    const EXPECTS: &'static str = "a number of a register";
    const MAX_LEN: usize = 2;
    const FORMS: &'static [&'static str] = &["0"];

    fn from_bits(raw: u64) -> Self {
        Number(raw as u8 & 31)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        Ok(Number(cursor.number()? as u8 & 31))
    }

    fn write(self, line: &mut Line) {
        line.push_decimal(self.0.into());
    }
}

/// The values of the registers.
pub struct Registers([u64; 32]);

/// The methods that the semantics call.
pub trait Machine {
    /// Returns a register, so that its value can be changed.
    fn register(&mut self, number: u8) -> &mut u64;
    /// Returns the value of a register.
    fn value(&self, number: u8) -> u64;
}

impl Machine for Registers {
    fn register(&mut self, number: u8) -> &mut u64 {
        &mut self.0[usize::from(number)]
    }

    fn value(&self, number: u8) -> u64 {
        self.0[usize::from(number)]
    }
}

impl<M: Machine + ?Sized> Source<M> for Number {
    fn fetch(self, machine: &M) -> u64 {
        machine.value(self.0)
    }
}

impl<M: Machine + ?Sized> Sink<M> for Number {
    fn store(self, machine: &mut M, value: u64) {
        *machine.register(self.0) = value;
    }
}

isa_core::define_isa! {
    /// Parts of an architecture with registers of two widths.
    isa Parts: u32;

    machine Machine;

    operand Number: 5;
    operand Bits6: 6 = isa_core::operand::Unsigned<6>;
    enum Wide: 1 { W = 0, X = 1 }
    enum Kind: 2 { LSL = 0, LSR = 1, ASR = 2, ROR = 3 }
    enum Op: 4 { ADD = 1, MOVE_BITS = 2, NEG_W = 3, NEG_X = 4, CLEAR = 5 }
    format AnyReg;
    format Range;
    format Left;
    format Tail;

    group REGS {
        encoding {
            field<28, 4> Op op;
            field<27, 1> Wide sf;
            field< 0, 5> Number rd;
            field< 5, 5> Number rn;
        }
        operands { AsmFormat<rd: sf, rd> = AnyReg(); AsmFormat<rn: sf, rn> = AnyReg(); }
    }
    /// Adds a shifted register.
    opcode ADD : [REGS] {
        encoding {
            op == ADD;
            field<10, 5> Number rm;
            field<15, 6> Bits6 amount = 0;
            field<21, 2> Kind shift = LSL;
        }
        syntax { add rd, rn, rm{, tail}; }
        operands {
            InList<rn, rm, amount>; OutList<rd>; Order<rd, rn, rm, tail>;
            AsmFormat<rm: sf, rm> = AnyReg(); AsmFormat<tail: shift, amount> = Tail();
        }
        // A field in a composite operand is available under the field's name.
        semantics {
            let shifted = if shift == Kind::LSL { rm.value << amount.value } else { rm.value };
            let sum = rn.value.wrapping_add(shifted);
            rd = if sf == Wide::W { sum & 0xffff_ffff } else { sum };
        }
    }
    /// Moves bits.
    opcode UBFM : [REGS] {
        encoding { op == MOVE_BITS; field<10, 6> Bits6 imms; field<16, 6> Bits6 immr; }
        syntax { ubfm rd, rn, immr, imms; }
    }
    optype NEG : [REGS] { syntax { neg rd, rn; } }
    /// Negates a narrow register.
    opcode NEG_W : [NEG] { encoding { op == NEG_W; sf == W; } }
    /// Negates a wide register. The two opcodes differ only by the value of `sf`.
    opcode NEG_X : [NEG] { encoding { op == NEG_X; sf == X; } }
    /// Clears a register, which appears twice in the text.
    opcode CLEAR {
        encoding {
            field<28, 4> Op op == CLEAR;
            field<27, 1> Wide sf;
            field< 0, 5> Number rd;
        }
        syntax { eor rd, from; }
        operands { AsmFormat<rd: sf, rd> = AnyReg(); AsmFormat<from: sf, rd> = AnyReg(); }
    }
    /// A shift to the left. One operand represents both fields of the moved bits.
    alias LSL of UBFM before MOVE {
        encoding { sf == X; }
        syntax { lsl rd, rn, amount; }
        operands { AsmFormat<amount: immr, imms> = Left(); }
    }
    /// A move whose operand represents the moved bits as one number.
    alias MOVE of UBFM {
        encoding { imms != 63; }
        syntax { move rd, rn, by; }
        operands { AsmFormat<by: immr, imms> = Range(sf); }
    }
}

fn word(text: &str) -> u32 {
    match text.parse::<Parts>() {
        Ok(instruction) => instruction.encode().unwrap(),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn refused(text: &str) -> String {
    text.parse::<Parts>().unwrap_err().to_string()
}

#[test]
fn a_slot_shows_several_fields() {
    let text = "add x1, x2, x3, lsr #5;";
    let add = word(text);
    assert_eq!(add, 1 << 28 | 1 << 27 | 1 << 21 | 5 << 15 | 3 << 10 | 2 << 5 | 1);
    assert_eq!(Parts::decode(add).unwrap().to_string(), text);
    let typed = Add::new(Wide::X, Number(1), Number(2), Number(3)).shift(Kind::LSR);
    assert_eq!(typed.encode().unwrap(), add & !(63 << 15));
}

#[test]
fn semantics_see_the_fields_by_themselves() {
    let mut registers = Registers([0; 32]);
    (registers.0[2], registers.0[3]) = (5, 0x8000_0001);
    let mut run = |text: &str| match text.parse::<Parts>() {
        Ok(Parts::Add(add)) => {
            add.execute(&mut registers);
            registers.0[1]
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(run("add x1, x2, x3, lsl #1;"), 0x1_0000_0007);
    assert_eq!(run("add w1, w2, w3, lsl #1;"), 7);
    let operands = Parts::decode(word("add w1, w2, w3;")).unwrap().opcode().operands;
    assert_eq!(operands.len(), 4);
}

#[test]
fn a_slot_is_left_out_where_all_its_fields_have_their_defaults() {
    assert_eq!(word("add w1, w2, w3;"), 1 << 28 | 3 << 10 | 2 << 5 | 1);
    let zero = word("add w1, w2, w3, lsl #0;");
    assert_eq!(Parts::decode(zero).unwrap().to_string(), "add w1, w2, w3;");
    let other = word("add w1, w2, w3, ror #0;");
    assert_eq!(Parts::decode(other).unwrap().to_string(), "add w1, w2, w3, ror #0;");
}

#[test]
fn places_that_show_one_field_agree() {
    assert_eq!(refused("add x1, w2, x3;"), "`sf` has two different values");
    assert_eq!(refused("eor x1, x2;"), "`rd` has two different values");
    assert_eq!(word("eor x7, x7;"), 5 << 28 | 1 << 27 | 7);
}

#[test]
fn what_is_fixed_of_a_slot_tells_opcodes_apart() {
    assert_eq!(word("neg w1, w2;"), 3 << 28 | 2 << 5 | 1);
    assert_eq!(word("neg x1, x2;"), 4 << 28 | 1 << 27 | 2 << 5 | 1);
    assert!(refused("neg w1, x2;").contains("`sf`"));
}

#[test]
fn an_alias_shows_fields_of_its_opcode_together() {
    let wide = word("move x1, x2, #3;");
    assert_eq!(word("ubfm x1, x2, 0, 3;"), wide);
    assert_eq!(word("ubfm w1, w2, 0, 3;"), word("move w1, w2, #4092;"), "by what `sf` is");
    let decoded = Parts::decode(wide).unwrap();
    assert_eq!(decoded.to_string(), "move x1, x2, #3;");
    assert_eq!(format!("{decoded:#}"), "ubfm x1, x2, 0, 3;");
    assert!(refused("move x1, x2, #4096;").contains("numbers go up to 4095"));
    assert!(refused("move x1, x2, #63;").contains("`imms` cannot be 63"));
}

#[test]
fn an_alias_is_not_printed_where_its_format_does_not_read_back() {
    let shift = word("lsl x1, x2, 3;");
    assert_eq!(word("ubfm x1, x2, 61, 60;"), shift);
    assert_eq!(Parts::decode(shift).unwrap().to_string(), "lsl x1, x2, 3;");
    let other = word("ubfm x1, x2, 60, 60;");
    assert_eq!(Parts::decode(other).unwrap().to_string(), "move x1, x2, #3900;");
    let opcode = Parts::decode(other).unwrap().opcode();
    assert!(opcode.reads_back(other.into()) && opcode.reads_back(shift.into()));
    assert!(!Parts::SET.always_reads_back());
}

#[test]
fn tables_keep_views_apart_from_fields() {
    let ubfm = Parts::decode(word("move x1, x2, #3;")).unwrap().opcode();
    let row = ubfm.aliases.iter().find(|alias| alias.row.name == "MOVE").unwrap().row;
    assert!(row.fields.iter().all(|field| field.name != "by"));
    let view = row.views.iter().find(|view| view.name == "by").unwrap();
    assert_eq!((view.width(), view.mask()), (12, 0xfff << 10));
    assert_eq!(row.at(row.fields.len()).map(|field| field.name), row.views.first().map(|v| v.name));
}

/// Both parsers return every word unchanged.
#[test]
fn random_words_read_back() {
    let (mut state, mut legal) = (0x9e37_79b9_7f4a_7c15u64, 0);
    for _ in 0..200_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let word = (state >> 20) as u32 & 0x087f_ffff | ((state >> 60) as u32 % 6) << 28;
        let Ok(instruction) = Parts::decode(word) else { continue };
        legal += 1;
        let texts = [instruction.to_string(), format!("{instruction:#}")];
        for text in texts {
            let quick = Parts::SET.parse_next(&mut Cursor::new(&text)).unwrap().unwrap();
            let slow = Parts::SET.parse_next_by_template(&mut Cursor::new(&text)).unwrap().unwrap();
            assert_eq!((quick.word(), slow.word()), (word.into(), word.into()), "{text}");
            let as_printed = Parts::SET.parse_next_as_printed(&mut Cursor::new(&text));
            assert!(as_printed.is_some(), "{text}");
        }
        let mut line = Line::new();
        instruction.opcode().spelling(word.into()).print_template(word.into(), &mut line);
        assert_eq!(line.as_str(), instruction.to_string());
    }
    assert!(legal > 20_000, "{legal}");
}

/// The group that sets of other calls inherit.
mod base {
    pub(crate) use super::{AnyReg, Number};

    isa_core::define_isa! {
        /// A group with registers of two widths.
        pub(crate) isa Base: u32;
        operand Number: 5;
        enum Size: 1 { W = 0, X = 1 }
        format AnyReg;
        group TWO {
            encoding { field<27, 1> Size sf; field<0, 5> Number rd; field<5, 5> Number rn; }
            operands { AsmFormat<rd: sf, rd> = AnyReg(); AsmFormat<rn: sf, rn> = AnyReg(); }
        }
    }
}

mod narrow {
    isa_core::define_isa! {
        /// Narrow registers.
        pub(crate) isa Narrow: u32;
        use crate::base::Base;
        enum Op: 4 { NOT = 1 }
        opcode NOT_W : [TWO] { encoding { field<28, 4> Op op == NOT; sf == W; } syntax { not rd, rn; } }
    }
}

mod wide {
    isa_core::define_isa! {
        /// Wide registers.
        pub(crate) isa Wide: u32;
        use crate::base::Base;
        enum Op: 4 { NOT = 2 }
        opcode NOT_X : [TWO] { encoding { field<28, 4> Op op == NOT; sf == X; } syntax { not rd, rn; } }
    }
}

isa_core::define_isa! {
    /// Both sets, which differ by the fixed bits of their registers.
    isa Both: u32;
    include crate::narrow::Narrow;
    include crate::wide::Wide;
}

#[test]
fn families_of_other_calls_have_views_too() {
    for (text, word) in [("not w1, w2;", 0x1000_0041), ("not x1, x2;", 0x2800_0041)] {
        let read = text.parse::<Both>().unwrap();
        assert_eq!((read.encode().unwrap(), read.to_string().as_str()), (word, text));
    }
    assert!("not w1, x2;".parse::<Both>().is_err());
}
