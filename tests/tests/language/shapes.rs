//! Inheritance, fields in pieces, widths of words, and names that are keywords of Rust.

use isa_core::operand::Reg;

mod inheritance {
    isa_core::define_isa! {
        pub isa Family: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Mode: 2 { A = 0, B = 1, C = 2 }
        enum Kind: 2 { ONE = 1, TWO = 2 }

        group ROOT { encoding { field<0, 2> Mode mode = A; field<2, 2> Kind kind; } }
        group DEST : [ROOT] { encoding { field<8, 8> Reg rd; } }
        group SOURCE : [ROOT] { encoding { field<16, 8> Reg ra = RZ; } }

        /// Both parents inherit from `ROOT`, which is inherited only once.
        optype MOVES : [DEST, SOURCE] {
            syntax { MOVE{.mode} Rd{, Ra}; }
            operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        }

        /// Fixes one inherited field and changes the default of another.
        opcode MOVE_1 : [MOVES] {
            encoding { field<2, 2> Kind kind == ONE; field<0, 2> Mode mode = B; }
        }

        /// Fixes both fields.
        opcode MOVE_2 : [MOVES] {
            encoding { field<2, 2> Kind kind == TWO; field<0, 2> Mode mode == C; }
            syntax { COPY Rd, Ra; }
        }
    }
}

#[test]
fn a_child_narrows_what_it_inherits() {
    use inheritance::{Family, Mode, Move1, Move2};
    let one = Move1::new(Reg::R4);
    assert_eq!(one.get_mode(), Mode::B);
    assert_eq!(one.encode().unwrap(), 0xff_0405);
    assert_eq!(one.to_string(), "MOVE R4;");
    assert_eq!(one.mode(Mode::A).ra(Reg::R5).to_string(), "MOVE.A R4, R5;");
    assert_eq!(Move2::new(Reg::R4).encode().unwrap(), 0xff_040a);
    assert!(Family::decode(0xff_0408).is_err(), "kind 2 has mode 2 only");
}

mod pieces {
    isa_core::define_isa! {
        pub isa Split: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Flag: 2 { NONE = 0, LOW = 1, HIGH = 2, BOTH = 3 }

        opcode MOVE {
            encoding {
                field<8, 4 : 0, 4> Reg  rd;
                field<15, 1 : 4, 1> Flag flag = NONE;
            }
            syntax { MOVE{.flag} rd; }
        }
    }
}

#[test]
fn a_field_in_pieces() {
    use pieces::{Flag, Move};
    let inst = Move::new(Reg::R18).flag(Flag::HIGH);
    assert_eq!(inst.encode().unwrap(), 0x8102);
    assert_eq!((inst.get_rd(), inst.get_flag()), (Reg::R18, Flag::HIGH));
    for word in 0..=u16::MAX {
        assert_eq!(Move::decode(word).is_ok(), word & 0x70e0 == 0, "{word:#06x}");
    }
}

mod wide {
    isa_core::define_isa! {
        pub isa Wide: u64;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Big: 40 { NOTHING = 0, MUCH = 0xff_ffff_ffff }

        opcode MOVE {
            encoding { field<56, 8> Reg rd; field<8, 40> Big big = NOTHING; }
            syntax { MOVE{.big} rd; }
        }
    }
}

#[test]
fn words_of_64_bits() {
    use wide::{Big, Move, Wide};
    let inst = Wide::from(Move::new(Reg::RZ).big(Big::MUCH));
    assert_eq!(inst.encode().unwrap(), 0xff00_ffff_ffff_ff00);
    assert_eq!(Wide::decode(0xff00_ffff_ffff_ff00).unwrap(), inst);
    assert!(Wide::decode(0xff00_ffff_fffe_ff00).is_err());
}

mod keywords {
    isa_core::define_isa! {
        pub isa Words: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Kind: 1 { type = 0, match = 1 }

        opcode IF {
            encoding { field<0, 1> Kind in; field<1, 1> Kind word; field<8, 8> Reg fn; }
            syntax { if.in.word fn; }
        }
    }
}

#[test]
fn names_that_are_words_of_rust() {
    use keywords::{If, Kind};
    let inst = If::new(Kind::r#match, Kind::r#type, Reg::R2).r#in(Kind::r#type);
    assert_eq!(inst.word(Kind::r#match).to_string(), "if.type.match R2;");
    assert_eq!("if.match.type R2;".parse::<If>().unwrap().encode().unwrap(), 0x201);
}

mod reserved {
    isa_core::define_isa! {
        /// Every word that Rust reserves in any edition and that can be a raw identifier.
        pub isa Words: u16;

        enum Word: 6 {
            abstract = 0, as = 1, async = 2, await = 3, become = 4, box = 5, break = 6,
            const = 7, continue = 8, do = 9, dyn = 10, else = 11, enum = 12, extern = 13,
            false = 14, final = 15, fn = 16, for = 17, gen = 18, if = 19, impl = 20, in = 21,
            let = 22, loop = 23, macro = 24, match = 25, mod = 26, move = 27, mut = 28,
            override = 29, priv = 30, pub = 31, ref = 32, return = 33, static = 34,
            struct = 35, trait = 36, true = 37, try = 38, type = 39, typeof = 40, unsafe = 41,
            unsized = 42, use = 43, virtual = 44, where = 45, while = 46, yield = 47,
        }
        for $WORD in
            abstract, as, async, await, become, box, break, const, continue, do, dyn, else,
            enum, extern, false, final, fn, for, gen, if, impl, in, let, loop, macro, match,
            mod, move, mut, override, priv, pub, ref, return, static, struct, trait, true, try,
            type, typeof, unsafe, unsized, use, virtual, where, while, yield
        {
            opcode $WORD {
                encoding { field<0, 6> Word op == $WORD; field<6, 6> Word $WORD; }
                syntax { $WORD.$WORD; }
                examples { $WORD.$WORD; }
            }
        }
    }
}

#[test]
fn every_reserved_word_is_a_name() {
    use reserved::{Gen, Word, Words, Yield};
    assert_eq!(Word::ALL.len(), 48);
    for (word, place) in Word::ALL.iter().zip(0_u16..) {
        let text = format!("{word}.gen;");
        let inst: Words = text.parse().unwrap();
        assert_eq!((inst.encode().unwrap(), inst.to_string()), (18 << 6 | place, text));
    }
    assert_eq!(Gen::new(Word::r#try).to_string(), "gen.try;");
    assert_eq!(Gen::new(Word::r#try).r#gen(Word::r#async).get_gen(), Word::r#async);
    assert_eq!(Yield::new(Word::r#dyn).r#yield(Word::r#abstract).to_string(), "yield.abstract;");
}

mod own_value {
    isa_core::define_isa! {
        pub isa Named: u16;

        enum Op: 8 { ADD = 1 }
        enum Sat: 1 { nosat = 0, sat = 1 }
        enum Keep: 1 { drop_it = 0, keep = 1 }
        enum Mode: 2 { plain = 0, mode = 1, other = 2 }

        /// Fields with the name of one of their values.
        opcode ADD {
            encoding {
                field<0, 8>  Op   op == ADD;
                field<8, 1>  Sat  sat = nosat;
                field<9, 1>  Keep keep = keep;
                field<10, 2> Mode mode = plain;
            }
            syntax { ADD{.sat}{.keep}{.mode}; }
        }
    }
}

#[test]
fn a_switch_called_like_its_field_has_one_spelling() {
    use own_value::Named;
    let parsed = |text: &str| text.parse::<Named>().map(|inst| inst.encode().unwrap());
    assert_eq!(parsed("ADD;").unwrap(), 0x201);
    assert_eq!(parsed("ADD.sat;").unwrap(), 0x301);
    assert!(parsed("ADD.nosat;").is_err(), "the template has `.sat` alone");
    // If the other values have no spelling except their names, the names are accepted.
    assert_eq!(parsed("ADD.drop_it;").unwrap(), 0x001);
    assert_eq!(parsed("ADD.other;").unwrap(), 0xa01);
    assert_eq!(Named::decode(0xb01).unwrap().to_string(), "ADD.sat.other;");
}

mod taken_names {
    isa_core::define_isa! {
        pub isa Taken: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand UReg: 6 = isa_defs::base::UReg;
        enum Form: 2 { REGS = 1, MIXED = 2 }

        /// Operands and another field with the names of variables in generated code.
        optype ADD {
            encoding { field<8, 8> Reg rd; }
            syntax { ADD rd, machine, word; }
            operands { OutList<rd>; }
            semantics { rd = machine.value + word.value; }
        }

        opcode ADD_R : [ADD] {
            encoding { field<0, 2> Form form == REGS; field<16, 8> Reg a; field<24, 8> Reg b; }
            operands { InList<a, b>; Order<rd, a, b>; }
        }

        opcode ADD_U : [ADD] {
            encoding { field<0, 2> Form form == MIXED; field<16, 6> UReg a; field<24, 8> Reg b; }
            operands { InList<a, b>; Order<rd, a, b>; }
        }
    }
}

#[test]
fn slots_may_be_called_like_variables_of_generated_code() {
    use isa_core::machine::{GeneralRegs, State, UniformRegs};
    let mut state = State::new();
    state.set_reg(1, 40);
    state.set_reg(2, 2);
    state.set_uniform_reg(1, 5);
    for (text, sum) in [("ADD R3, R1, R2;", 42), ("ADD R3, UR1, R2;", 7)] {
        text.parse::<taken_names::Taken>().unwrap().execute(&mut state);
        assert_eq!(state.reg(3), sum, "{text}");
    }
}

mod without_fields {
    isa_core::define_isa! {
        pub isa Single: u16;

        /// The only valid word of the set is 0.
        opcode HALT { syntax { HALT; } }
    }
}

#[test]
fn a_set_needs_no_field() {
    use without_fields::{Halt, Single};
    assert_eq!(Single::decode(0).unwrap().to_string(), "HALT;");
    assert_eq!("HALT;".parse::<Single>().unwrap(), Halt::new().into());
    assert!(Single::decode(1).is_err());
}

mod short {
    isa_core::define_isa! {
        pub isa Short: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 2 { GET = 1, PUT = 2 }
        enum Mode: 3 { A = 0, B = 1, C = 6 }
        enum Flag: 1 { OFF = 0, ON = 1 }
        affix "-" = neg;

        group WORDS {
            encoding {
                field<14, 2> Op op;
                field<8, 2 : 13, 1> Mode mode;
                field<0, 8> Reg rd;
                field<11, 1> Flag rd.neg = OFF;
            }
            syntax { ..{.mode} {-}Rd; }
        }

        /// Declares the values of its fields. The group declares their positions.
        group PLAIN : [WORDS] { encoding { rd.neg == OFF; mode = B; } }
        opcode GET : [PLAIN] { encoding { op == GET; rd != {0, 1}; } syntax { GET } }
        opcode PUT : [WORDS] { encoding { op == PUT; mode == C; } syntax { PUT } }
    }
}

#[test]
fn an_inherited_field_is_named_by_its_value_alone() {
    use short::{Get, Mode, Put, Short};
    assert_eq!(Get::new(Reg::R5).encode().unwrap(), 0x6005);
    assert_eq!(Get::new(Reg::R5).mode(Mode::C).encode().unwrap(), 0x4305);
    assert_eq!(Put::new(Reg::R5).rd_neg(true).to_string(), "PUT.C -R5;");
    assert_eq!("PUT -R5;".parse::<Short>().unwrap().encode().unwrap(), 0x8b05);
    for word in [0x6001, 0x6805, 0xa005] {
        assert!(Short::decode(word).is_err(), "{word:#06x}");
    }
}
