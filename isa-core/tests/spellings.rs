//! Tests names of values that are not identifiers in Rust, and additional names that are accepted.
#![cfg(feature = "alloc")]

use isa_core::describe;
use isa_core::text::Cursor;

isa_core::define_isa! {
    /// A value at each possible position.
    pub isa Places: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 4 { SET = 5 }
    enum Cond: 4 { hs | cs = 2, lo | cc | "3c" = 3 }
    enum Size: 2 { "8b" | BYTES = 0, H4 "4h" | "h4" = 1 }
    enum Hint: 1 { none | "0" = 0, keep | stay = 1 }

    opcode SET {
        encoding {
            field<0, 4> Op op == SET;
            field<4, 4> Cond cond;
            field<8, 2> Size rd.size = "8b";
            field<10, 1> Hint hint = none;
            field<12, 4> Cond to != "3c";
            field<16, 8> Reg rd;
        }
        syntax { SET.cond Rd{.size}, to $hint; }
        exception { EncodingError<Never, "both"> = cond == cc and rd.size == h4; }
    }
}

/// Returns the word of a text, after a check that both parsers agree.
fn word(text: &str) -> Option<u128> {
    let read = Places::SET.parse(text).ok().map(|parsed| parsed.word());
    let slow = Places::SET.parse_next_by_template(&mut Cursor::new(text)).ok().flatten();
    assert_eq!(read, slow.map(|parsed| parsed.word()), "{text}");
    read
}

#[test]
fn every_name_is_read_and_the_first_is_printed() {
    let printed = "SET.hs R1.4h, hs keep;";
    let expected = word(printed).expect("an instruction");
    for text in [
        "SET.cs R1.4h, hs keep;",
        "SET.hs R1.h4, hs keep;",
        "SET.hs R1.4h, cs keep;",
        "SET.hs R1.4h, hs stay;",
        "SET.cs R1.h4, cs stay;",
    ] {
        assert_eq!(word(text), Some(expected), "{text}");
    }
    assert_eq!(Places::decode(expected as u32).expect("legal").to_string(), printed);
    assert_eq!(word("SET.lo R1.BYTES, hs 0;"), word("SET.3c R1, hs;"));
    assert!(word("SET.3c R1.4h, hs;").is_none(), "the exception is for each name");
    for text in ["SET.H4 R1, hs;", "SET.hs R1.H4, hs;", "SET.hs R1._8b, hs;", "SET.3 R1, hs;"] {
        assert!(word(text).is_none(), "{text} has a name of Rust alone, or half a name");
    }
}

#[test]
fn rust_has_one_value() {
    let set = Set::new(Cond::cs, isa_core::operand::Reg::R1, Cond::hs).rd_size(Size::h4);
    assert_eq!(set.get_cond(), Cond::hs);
    assert_eq!(set.to_string(), "SET.hs R1.4h, hs;");
    assert_eq!(Cond::ALL, [Cond::hs, Cond::lo]);
    assert_eq!(Cond::_3c, Cond::lo);
    assert_eq!((Size::BYTES, Size::_8b.name(), Size::H4.name()), (Size::_8b, "8b", "4h"));
}

#[test]
fn a_description_has_all_names() {
    let json = describe::json(Places::SET).to_string();
    assert!(json.contains(r#"{"name":"lo","also":["cc","3c"],"raw":"0x3","doc":""}"#), "{json}");
    assert!(json.contains(r#"{"name":"SET","raw":"0x5","doc":""}"#), "{json}");
}

mod any_case {
    isa_core::define_isa! {
        /// A set with dots in its mnemonics, which are accepted in any letter case.
        pub isa Dots: u16;
        text any_case;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        enum Op: 4 { B = 1, Beq = 2, MOV = 3 }
        enum Hint: 1 { none = 0, Keep | stay = 1 }

        opcode B { encoding { field<12, 4> Op op == B; field<0, 8> Reg rd; } syntax { b Rd; } }
        opcode BEQ {
            encoding { field<12, 4> Op op == Beq; field<0, 8> Reg rd; }
            syntax { "b.Eq" Rd; }
        }
        opcode MOV {
            encoding {
                field<12, 4> Op op == MOV; field<11, 1> Hint hint = none;
                field<8, 3> Pred pg = PT; field<0, 8> Reg rd;
            }
            syntax { {"IF " pg} Mov{.hint} Rd "From"; }
            examples { MOV.KEEP r1 FROM; => Mov.Keep R1 From; }
        }
    }
}

#[test]
fn any_letter_case_is_read_where_the_set_says_so() {
    let set = any_case::Dots::SET;
    let word = |text: &str| {
        let read = set.parse(text).ok().map(|parsed| parsed.word());
        let slow = set.parse_next_by_template(&mut Cursor::new(text)).ok().flatten();
        assert_eq!(read, slow.map(|parsed| parsed.word()), "{text}");
        read
    };
    for (text, expected) in [
        ("b R7;", 0x1007),
        ("B r7;", 0x1007),
        ("b.Eq RZ;", 0x20ff),
        ("B.eQ rz;", 0x20ff),
        ("Mov.Keep R1 From;", 0x3f01),
        ("mov.STAY R1 froM;", 0x3f01),
        ("IF P2 Mov R1 From;", 0x3201),
        ("if p2 mov r1 from;", 0x3201),
    ] {
        assert_eq!(word(text), Some(expected), "{text}");
    }
    assert_eq!(word("b.ne R1;"), None);
    assert!(Cursor::new("b R7;").any_case() != any_case::Dots::SET.any_case);
    assert_eq!(self::word("set.hs R1, hs;"), None, "a set that does not say so");
}

mod loud {
    isa_core::define_isa! {
        /// A set that accepts any letter case.
        pub isa Loud: u16;
        text any_case;
        operand Byte: 8 = isa_core::operand::Hex<8>;
        opcode PUT { encoding { field<8, 8> Byte byte; } syntax { PUT byte; } }
    }
}

#[test]
fn in_any_letter_case_a_number_may_begin_with_either_x() {
    for text in ["PUT 0x1f;", "put 0X1F;", "Put 0X1f;", "PUT 0x1F;"] {
        let read: Result<loud::Loud, _> = text.parse();
        assert_eq!(read.unwrap().encode().unwrap(), 0x1f00, "{text}");
    }
    assert!("PUT 0X;".parse::<loud::Loud>().is_err());
    assert!(Cursor::new("0X1F").number().is_err(), "where the letter case counts");
}

mod cases {
    //! Names that differ only in letter case, of an operand type and of an enumeration, as
    //! modifiers of one mnemonic.

    isa_core::registers! {
        pub Bank: 2 = "ra", "rb" or "Xa" = 1 of u32;
    }

    isa_core::define_isa! {
        /// One instruction.
        pub isa Cases: u16;

        operand Bank: 2;
        enum Size: 2 { B = 0, XA = 1, RB = 2 }

        opcode MOVE {
            encoding { field<0, 2> Bank bank; field<2, 2> Size size; field<4, 12> Zero rest == 0; }
            syntax { MOVE.bank.size; }
        }
        operand Zero: 12 = isa_core::operand::Unsigned<12>;
    }

    #[test]
    fn a_name_in_its_case_is_of_the_place_that_has_it_so() {
        let word = |text: &str| text.parse::<Cases>().unwrap().encode().unwrap();
        assert_eq!(word("MOVE.XA.rb;"), 0b0101);
        assert_eq!(word("MOVE.RB.Xa;"), 0b1001);
        assert_eq!(word("MOVE.Xa.XA;"), 0b0101);
        let error = "MOVE.B.RA;".parse::<Cases>().unwrap_err().to_string();
        assert_eq!(error, "names are case-sensitive: `ra` is a valid name");
    }
}

/// This set needs its own module, because the names of its types also occur in another set of this file.
mod dotted {
    isa_core::define_isa! {
        /// Names with dots at each possible position, and names that are the beginning of others.
        pub isa Dotted: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ST = 5, ATOM = 6 }
        enum Order: 3 { WEAK = 0, CONSTANT = 1, "CONSTANT.CTA" = 2, "CONSTANT.CTA.PRIVATE" = 3, "STRONG.SYS" | "SYS.ALL" = 4 }
        enum Size: 2 { "64" = 1, B32 = 0, U "U.8" = 2 }
        enum Special: 3 { "SR_TID" = 0, "SR_TID.X" = 1, "SR_TID.X.Y" = 2, SR5 = 3 }

        group ALL { encoding { field<0, 4> Op op; field<4, 2> Size size = B32; field<8, 3> Order order = WEAK; } }
        opcode ST : [ALL] {
            encoding { op == ST; field<12, 3> Special from; field<16, 8> Reg rd; field<24, 3> Special hint = "SR_TID.X"; }
            syntax { ST{.order}{.size} Rd, from $hint; }
        }
        opcode ATOM : [ALL] {
            encoding { op == ATOM; field<16, 8> Reg rd; field<12, 3> Order rd.order = WEAK; }
            syntax { ATOM{.order}{.size} Rd{.order}; }
        }
        /// A mnemonic with another order of the same value set.
        opcode ATOM_CTA : [ALL] {
            encoding { op == ATOM; field<16, 8> Reg rd; field<12, 3> Order rd.order == "CONSTANT.CTA"; field<28, 1> Special28 more == ON; }
            syntax { ATOM{.order}{.size} Rd.order, more; }
        }
        enum Special28: 1 { OFF = 0, ON "ON.1" = 1 }
    }
}

#[test]
fn the_longest_name_with_dots_is_read() {
    let read = |text: &str| {
        let parsed = dotted::Dotted::SET.parse(text).ok().map(|parsed| parsed.word());
        let slow =
            dotted::Dotted::SET.parse_next_by_template(&mut Cursor::new(text)).ok().flatten();
        assert_eq!(parsed, slow.map(|parsed| parsed.word()), "{text}");
        parsed
    };
    for (text, word) in [
        ("ST R1, SR_TID;", 0x0101_0005),
        ("ST R1, SR_TID.X;", 0x0101_1005),
        ("ST.CONSTANT.CTA R1, SR_TID.X.Y;", 0x0101_2205),
        ("ST.CONSTANT.64 R1, SR_TID;", 0x0101_0115),
        ("ST.CONSTANT.CTA.PRIVATE.U.8 R1, SR5 SR_TID;", 0x0001_3325),
        ("ST.STRONG.SYS.64 R1, SR_TID SR_TID.X.Y;", 0x0201_0415),
        ("ATOM.CONSTANT R1.CONSTANT.CTA.PRIVATE;", 0x0001_3106),
        ("ATOM.U.8 R1.CONSTANT.CTA, ON.1;", 0x1001_2026),
    ] {
        assert_eq!(read(text), Some(word), "{text}");
        assert_eq!(dotted::Dotted::decode(word as u32).expect(text).to_string(), text);
    }
    assert_eq!(
        read("ST.64.SYS.ALL R1, SR_TID;"),
        Some(0x0101_0415),
        "in any order, by another name"
    );
    for text in [
        "ST.STRONG R1, SR_TID;",
        "ST.CONSTANT.PRIVATE R1, SR_TID;",
        "ST.CONSTANT. CTA R1, SR_TID;",
        "ST.CONSTANT.CTA.WEAK R1, SR_TID;",
        "ST R1, SR_TID.Y;",
        "ST R1, SR_TID.;",
        "ST.U R1, SR_TID;",
        "ATOM R1.CONSTANT, ON.1;",
        "ATOM R1.CONSTANT.CTA, ON;",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    let error =
        "ST.CONSTANT.PRIVATE R1, SR_TID;".parse::<dotted::Dotted>().unwrap_err().to_string();
    assert!(error.contains("PRIVATE"), "{error}");
}

/// Fixed suffixes: repeated ones, suffixes of operands, suffixes from loops, and those of an imported
/// group.
mod suffixes {
    use isa_core::text::Cursor;

    mod parts {
        isa_core::define_isa! {
            /// A group with a suffix.
            pub isa Parts: u32;

            operand Reg: 8 = isa_core::operand::Reg;
            enum Op: 4 { CVT = 0, PACK = 1 }
            enum Round: 1 { RN = 0, RZ = 1 }

            group PACKS {
                encoding { field<0, 4> Op op == PACK; field<8, 8> Reg ra; field<4, 1> Round rnd = RN; field<16, 2> Num num; }
                syntax   { PACK{.rnd}."S32"."S32" Ra."H0", Ra."8b"; }
            }
            operand Num: 2 = isa_core::operand::Unsigned<2>;
            opcode PACK_0 : [PACKS] { encoding { num == 0; } }
        }
    }
    isa_core::define_isa! {
        /// Conversions, and an imported group.
        isa Both: u32;

        use self::parts::Parts;

        for $TYPE, $N in (F32, 1), (F64, 2) {
            opcode CVT_$TYPE {
                encoding { field<0, 4> Op op == CVT; field<8, 8> Reg ra; field<4, 1> Round rnd = RN; field<16, 2> Num num == $N; }
                syntax   { CVT."$TYPE"{.rnd} Ra; }
            }
        }
        opcode PACK_3 : [PACKS] { encoding { num == 3; } }
        alias CVT_R0 of CVT_F32 { encoding { ra == 0; } syntax { "ZERO.F32"{.rnd}; } }
    }

    #[test]
    fn they_are_printed_and_required() {
        for (text, word) in [
            ("CVT.F32 R1;", 0x1_0100),
            ("CVT.F64.RZ R2;", 0x2_0210),
            ("PACK.S32.S32 R5.H0, R5.8b;", 0x3_0501),
            ("PACK.RZ.S32.S32 R5.H0, R5.8b;", 0x3_0511),
            ("ZERO.F32.RZ;", 0x1_0010),
        ] {
            let parsed = text.parse::<Both>().expect(text);
            assert_eq!((parsed.encode().expect(text), &*parsed.to_string()), (word, text));
            let slow = Both::SET.parse_next_by_template(&mut Cursor::new(text));
            assert_eq!(
                slow.ok().flatten().map(|parsed| parsed.word()),
                Some(word.into()),
                "{text}"
            );
        }
        for (text, word) in
            [("CVT.RZ.F64 R2;", 0x2_0210), ("PACK.S32.RZ.S32 R5.H0, R5.8b;", 0x3_0511)]
        {
            assert_eq!(text.parse::<Both>().expect(text).encode().ok(), Some(word), "{text}");
        }
        for text in
            ["CVT R1;", "CVT.F16 R1;", "PACK.S32 R5.H0, R5.8b;", "PACK.S32.S32 R5.H1, R5.8b;"]
        {
            assert!(text.parse::<Both>().is_err(), "{text}");
        }
    }
}
