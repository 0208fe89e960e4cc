//! Fields that a condition makes equal: a text that shows one of them gives all of them its value.

use isa_verify::check;

/// A machine with registers.
pub(crate) trait Machine {
    fn reg(&self, number: u8) -> u8;
    fn set_reg(&mut self, number: u8, value: u8);
}

isa_core::registers! {
    /// A register.
    pub R: 5 = "r0" to "r31" of u8, in Machine { reg, set_reg };
}

isa_core::define_isa! {
    /// Some instructions of AVR, whose second register has two pieces, and one with three
    /// registers.
    isa Equal: u32;
    machine self::Machine;
    operand R: 5;
    enum Op: 6 { eor = 0b001001, and = 0b001000, mac = 1, dbl = 3 }

    group TWO {
        encoding { field<10, 6> Op op; field<4, 5> R rd; field<9, 1 : 0, 4> R rr; }
        operands { InList<rd, rr>; OutList<rd>; Order<rd, rr>; }
        syntax { .. Rd, Rr; }
    }
    /// Computes the bitwise exclusive or.
    opcode EOR : [TWO] { encoding { op == eor; } syntax { eor } semantics { Rd ^= Rr.value; } }
    opcode AND : [TWO] { encoding { op == and; } syntax { and } semantics { Rd &= Rr.value; } }
    /// Clears a register.
    alias CLR of EOR { encoding { where rd == rr; } syntax { clr Rd; } }
    /// The condition names the other field of the pair.
    alias TST of AND { encoding { where rr == rd; } syntax { tst rr; } }

    /// Adds a product.
    opcode MAC {
        encoding { field<10, 6> Op op == mac; field<4, 5> R rd; field<16, 5> R ra; field<21, 5> R rb; }
        syntax { mac Rd, Ra, Rb; }
        operands { InList<rd, ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        semantics { Rd = Rd.wrapping_add(Ra.value.wrapping_mul(Rb.value)); }
    }
    /// Three equal fields, declared by two conditions on pairs.
    alias CUBE of MAC { encoding { where rd == ra and rb == ra; } syntax { cube Ra; } }
    /// Two equal fields by a condition that also contains other comparisons.
    alias SQUARE of MAC before CUBE { encoding { where (ra == rb and ra >= 16) or (ra == rb and ra == 3); } syntax { square rd, rb; } }

    /// A separate opcode whose words all have two equal fields.
    opcode DBL {
        encoding { field<10, 6> Op op == dbl; field<4, 5> R rd; field<16, 5> R ra; where rd == ra; }
        syntax { dbl Dest; }
        operands { InList<ra>; OutList<rd>; Order<rd>; }
        semantics { Dest = ra.value.wrapping_mul(2); }
    }
}

#[test]
fn a_set_with_equal_fields_keeps_its_promises() {
    check::<Equal>();
}

#[test]
fn one_text_gives_all_equal_fields_their_value() {
    for (text, plain, word) in [
        ("clr r17;", "eor r17, r17;", 0x2400 | 17 << 4 | 1 << 9 | 1),
        ("tst r3;", "and r3, r3;", 0x2000 | 3 << 4 | 3),
        ("cube r9;", "mac r9, r9, r9;", 0x400 | 9 << 4 | 9 << 16 | 9 << 21),
        ("square r1, r20;", "mac r1, r20, r20;", 0x400 | 1 << 4 | 20 << 16 | 20 << 21),
        ("square r3, r3;", "mac r3, r3, r3;", 0x400 | 3 << 4 | 3 << 16 | 3 << 21),
        ("dbl r30;", "dbl r30;", 0xc00 | 30 << 4 | 30 << 16),
    ] {
        let read: Equal = text.parse().unwrap();
        assert_eq!(read.encode().unwrap(), word, "{text}");
        assert_eq!(plain.parse::<Equal>().unwrap(), read);
        assert_eq!(read.to_string(), text);
        assert_eq!(format!("{read:#}"), plain);
    }
    for text in ["eor r1, r17;", "mac r3, r4, r4;", "mac r20, r20, r21;"] {
        assert_eq!(text.parse::<Equal>().unwrap().to_string(), text, "not equal");
    }
    assert!(
        Equal::decode(0xc00 | 30 << 4 | 31 << 16).is_err(),
        "an opcode whose fields are not equal"
    );
    let wide = "square r1, r2;".parse::<Equal>().unwrap_err().to_string();
    assert!(wide.contains("SQUARE"), "{wide}");
}

#[test]
fn semantics_have_both_fields() {
    struct File([u8; 32]);
    impl Machine for File {
        fn reg(&self, number: u8) -> u8 {
            self.0[usize::from(number)]
        }
        fn set_reg(&mut self, number: u8, value: u8) {
            self.0[usize::from(number)] = value;
        }
    }
    let mut file = File([7; 32]);
    for text in ["clr r17;", "dbl r30;", "cube r9;"] {
        text.parse::<Equal>().unwrap().execute(&mut file);
    }
    assert_eq!([file.0[17], file.0[30], file.0[9], file.0[0]], [0, 14, 56, 7]);
    let dbl = Equal::SET.opcodes.iter().find(|opcode| opcode.name == "DBL").unwrap();
    assert_eq!(dbl.operands.len(), 2);
}

mod base {
    isa_core::define_isa! {
        /// Declarations that a family uses.
        pub(crate) isa Base: u32;
        operand Register: 5 = super::R;
    }
}

mod family {
    isa_core::define_isa! {
        /// Additions with the registers of another call.
        pub(crate) isa Sums: u32;
        use super::base::Base;
        enum Op: 6 { add = 9 }
        /// The name that the macro would choose first.
        format TwiceRegister = isa_core::operand::FixedText<isa_core::operand::Unsigned<5>>;
        opcode ADD {
            encoding { field<10, 6> Op op == add; field<4, 5> Register rd; field<16, 5> Register rr; }
            syntax { add rd, rr; }
        }
        alias LSL of ADD { encoding { where rd == rr; } syntax { lsl rd; } }
        alias SHOWN of ADD {
            encoding { where rd == 3 and rr == 4; }
            syntax { number rd, rr; }
            operands { AsmFormat<rr> = TwiceRegister(rr); }
        }
    }
}

mod united {
    isa_core::define_isa! {
        /// Two families.
        isa United: u32;
        machine crate::equal::Machine;
        include super::family::Sums;
        include super::other::More;
    }

    #[test]
    fn a_united_set_reads_and_prints_them() {
        isa_verify::check::<United>();
        let double: United = "lsl r7;".parse().unwrap();
        assert_eq!(double.encode().unwrap(), 9 << 10 | 7 << 4 | 7 << 16);
        assert_eq!(double.to_string(), "lsl r7;");
        assert_eq!("number r3, 4;".parse::<United>().unwrap().to_string(), "number r3, 4;");
    }
}

mod other {
    isa_core::define_isa! {
        /// The same mnemonic with two operands.
        pub(crate) isa More: u32;
        use super::base::Base;
        enum Op: 6 { lsl = 10 }
        opcode LSL2 {
            encoding { field<10, 6> Op op == lsl; field<4, 5> Register rd; field<16, 5> Register rr; }
            syntax { lsl rd, rr; }
        }
    }
}
