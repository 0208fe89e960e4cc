//! Texts that can be distinguished, and templates that round-trip: each word of a set prints as a
//! text that is parsed as that word.

/// Checks that every valid word of a 16-bit set is the result of parsing its text.
macro_rules! round_trips {
    ($set:ident, $least:literal) => {
        let mut count = 0;
        for word in 0..=u16::MAX {
            if let Ok(instruction) = $set::decode(word) {
                let text = instruction.to_string();
                let read = text.parse::<$set>().map_err(|error| error.to_string());
                assert_eq!(read, Ok(instruction), "{text}");
                count += 1;
            }
        }
        assert!(count >= $least, "{count} instructions");
    };
}

mod modifiers {
    isa_core::define_isa! {
        /// Opcodes with one mnemonic that differ only by modifiers.
        pub(super) isa Modifiers: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 3 { PLAIN = 0, COMPARED = 1, LESS = 2, MORE = 3, TWICE = 4, OTHERS = 5 }
        enum Cmp: 2 { LT = 0, GT = 1, EQ = 2 }
        enum Far: 2 { NEAR = 0, FAR = 1, FURTHER = 2 }

        group ALL { encoding { field<8, 8> Reg rd; } }
        opcode PLAIN : [ALL] { encoding { field<0, 3> Op op == PLAIN; } syntax { SET rd; } }
        opcode COMPARED : [ALL] {
            encoding { field<0, 3> Op op == COMPARED; field<3, 2> Cmp cmp; field<5, 2> Far far = NEAR; }
            syntax { SET.cmp{.FAR}{.FURTHER} rd; }
        }

        /// Two opcodes with one template. The modifier determines the opcode.
        optype JUMP : [ALL] { syntax { JUMP.cmp rd; } }
        opcode LESS : [JUMP] { encoding { field<0, 3> Op op == LESS; field<3, 2> Cmp cmp == LT; } }
        opcode MORE : [JUMP] { encoding { field<0, 3> Op op == MORE; field<3, 2> Cmp cmp == GT; } }

        /// The mandatory modifier precedes the other.
        opcode TWICE : [ALL] {
            encoding { field<0, 3> Op op == TWICE; field<3, 2> Cmp cmp; field<5, 2> Cmp rest = EQ; }
            syntax { TWICE.cmp{.rest} rd; }
        }
        opcode OTHERS : [ALL] {
            encoding { field<0, 3> Op op == OTHERS; field<3, 2> Cmp cmp = EQ; }
            syntax { "SET.NE"{.cmp} rd; }
        }
    }
}

#[test]
fn modifiers_tell_opcodes_apart() {
    use modifiers::Modifiers;
    round_trips!(Modifiers, 5000);
    assert!("JUMP R1;".parse::<Modifiers>().is_err(), "a fixed modifier is still mandatory");
    let further: Modifiers = "SET.FURTHER.GT R1;".parse().unwrap();
    assert_eq!(further.to_string(), "SET.GT.FURTHER R1;");
}

mod parts {
    isa_core::define_isa! {
        /// Optional groups, with prefix operators and blanks between them.
        pub(super) isa Parts: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        enum Op: 2 { ONE = 0, TWO = 1, THREE = 2 }
        enum Bit: 1 { OFF = 0, ON = 1 }
        enum Unit: 2 { NONE = 0, MS = 1, S = 2 }
        affix "-" = neg;
        affix "--" = dec;

        /// An operator that is the beginning of another operator follows it.
        opcode ONE {
            encoding {
                field<0, 2> Op op == ONE;
                field<2, 1> Bit rd.neg = OFF;
                field<3, 1> Bit rd.dec = OFF;
                field<4, 2> Unit unit = NONE;
                field<8, 8> Reg rd;
            }
            syntax { GO {--}{-}rd{.unit}; }
        }

        /// Operands without a separator. One of them is optional.
        opcode TWO {
            encoding { field<0, 2> Op op == TWO; field<2, 3> Pred p = PT; field<8, 8> Reg rd; }
            syntax { TWO{p} rd "up"; }
        }
        opcode THREE {
            encoding { field<0, 2> Op op == THREE; field<2, 3> Pred p = PT; field<8, 8> Reg rd; }
            syntax { TWO rd{p}; }
        }
    }
}

#[test]
fn parts_that_may_be_left_out() {
    use parts::Parts;
    round_trips!(Parts, 6000);
    for text in ["TWO P1 R2 up;", "TWO R2 up;", "TWO R2 P1;", "TWO R2;", "GO ---R1.MS;"] {
        assert_eq!(text.parse::<Parts>().unwrap().to_string(), text);
    }
}

mod kinds {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// Defines a 4-bit operand type whose text is a mark and a number.
    macro_rules! marked {
        ($name:ident, $mark:literal, $form:literal) => {
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub(super) struct $name(u8);

            impl OperandKind for $name {
                type Value = u8;
                const WIDTH: u8 = 4;
                const EXPECTS: &'static str = concat!("`", $mark, "` and a number");
                const MAX_LEN: usize = 8;
                const FORMS: &'static [&'static str] = &[$form];

                fn from_bits(raw: u64) -> Self {
                    $name(raw as u8 & 15)
                }
                fn to_bits(self) -> u64 {
                    self.0.into()
                }
                fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                    let start = cursor.position();
                    $mark.bytes().all(|byte| cursor.eat(byte));
                    match cursor.number() {
                        Ok(number @ 0..16) => Ok($name(number as u8)),
                        _ => Err(cursor.fault(start, "a number up to 15")),
                    }
                }
                fn write(self, line: &mut Line) {
                    line.push_str($mark);
                    line.push_decimal(self.0.into());
                }
            }
        };
    }
    marked!(Offset, "#", "#0");
    marked!(Label, "#-", "#-0");
    marked!(Plain, "", "0");
    marked!(Count, "", "0");

    isa_core::define_isa! {
        /// One mnemonic. The opcodes differ by the beginnings of the operands or by the text after
        /// them.
        pub(super) isa Kinds: u16;

        operand Offset: 4;
        operand Label: 4;
        operand Plain: 4;
        operand Count: 4;
        enum Op: 3 { OFFSET = 0, LABEL = 1, PLAIN = 2, BOTH = 3, COUNT = 4 }

        opcode JMP_OFFSET {
            encoding { field<0, 3> Op op == OFFSET; field<4, 4> Offset a; }
            syntax { JMP a; }
        }
        opcode JMP_LABEL {
            encoding { field<0, 3> Op op == LABEL; field<4, 4> Label a; }
            syntax { JMP a; }
        }
        opcode JMP_PLAIN {
            encoding { field<0, 3> Op op == PLAIN; field<4, 4> Plain a; field<8, 4> Offset b; }
            syntax { JMP a, b; }
        }
        opcode JMP_BOTH {
            encoding { field<0, 3> Op op == BOTH; field<4, 4> Plain a; field<8, 4> Plain b; }
            syntax { JMP a, b; }
        }
        /// The operand can match other opcodes, and the text after it determines the opcode.
        opcode JMP_COUNT {
            encoding { field<0, 3> Op op == COUNT; field<4, 4> Count a; }
            syntax { JMP a "+"; }
        }
    }
}

#[test]
fn kinds_are_told_apart_by_their_forms() {
    use kinds::Kinds;
    round_trips!(Kinds, 500);
}
