//! Tests the layout of printed text: closing marks and modifiers are in the order of the template,
//! and spaces follow one rule whichever optional groups are present.

use isa_core::text::Cursor;

isa_core::define_isa! {
    /// Operands between bars. Their half-select is inside, outside, or on both sides.
    isa Bars: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 4 { A = 0, B = 1, C = 2, D = 3, E = 4 }
    enum Half: 2 { WHOLE = 0, H0 = 1, H1 = 2 }
    enum Flip: 1 { SAME = 0, FLIP = 1 }
    enum Abs: 1 { off = 0, on = 1 }
    affix "|" "|" = abs;
    affix "-" = neg;
    affix "(" ")" = sub;

    group G {
        encoding {
            field<0, 4> Op op; field<4, 2> Half ra.half = WHOLE; field<6, 1> Abs ra.abs = off;
            field<7, 1> Abs ra.neg = off; field<8, 1> Abs ra.sub = off; field<9, 1> Flip ra.flip = SAME;
            field<12, 8> Reg ra;
        }
    }
    opcode INSIDE  : [G] { encoding { op == A; ra.sub == off; ra.flip == SAME; } syntax { INS {-}{|}ra{.half}{|}; } }
    opcode OUTSIDE : [G] { encoding { op == B; ra.sub == off; ra.flip == SAME; } syntax { OUTS {-}{|}ra{|}{.half}; } }
    opcode BOTH    : [G] { encoding { op == C; ra.sub == off; } syntax { BOTH {-}{|}ra{.half}{|}{.flip}; } }
    opcode NESTED  : [G] { encoding { op == D; } syntax { NEST {"("}{-}{|}ra{|}{.half}{")"}{.flip}; } }
    opcode BETWEEN : [G] { encoding { op == E; ra.neg == off; } syntax { BETW {|}{"("}ra{.flip}{")"}{.half}{|}; } }
}

/// Returns the word of a text.
fn word(text: &str) -> u128 {
    match Bars::SET.parse_next(&mut Cursor::new(text)) {
        Ok(Some(read)) => read.word(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn marks_are_closed_where_the_template_closes_them() {
    let texts = [
        ("INS |R1.H1|;", 0x1060),
        ("INS -|R2.H0|;", 0x20d0),
        ("INS R3.H1;", 0x3020),
        ("OUTS |R1|.H1;", 0x1061),
        ("OUTS -|R2|.H0;", 0x20d1),
        ("OUTS R3.H1;", 0x3021),
        ("BOTH |R1.H1|.FLIP;", 0x1262),
        ("BOTH |R1|.FLIP;", 0x1242),
        ("BOTH R1.H0.FLIP;", 0x1212),
        ("NEST (-|R1|.H1).FLIP;", 0x13e3),
        ("NEST (R1.H1);", 0x1123),
        ("NEST |R1|.H1.FLIP;", 0x1263),
        ("BETW |(R1.FLIP).H1|;", 0x1364),
        ("BETW |R1.FLIP.H1|;", 0x1264),
        ("BETW (R1).H1;", 0x1124),
    ];
    for (text, bits) in texts {
        assert_eq!(Bars::decode(bits).unwrap().to_string(), text);
        assert_eq!(word(text), bits.into(), "{text}");
    }
}

#[test]
fn modifiers_are_read_on_either_side_of_a_closing_mark() {
    let texts = [
        ("INS |R1|.H1;", 0x1060),
        ("OUTS |R1.H1|;", 0x1061),
        ("BOTH |R1.FLIP|.H1;", 0x1262),
        ("BOTH |R1.FLIP.H1|;", 0x1262),
        ("BOTH |R1|.H1.FLIP;", 0x1262),
        ("NEST (|R1.FLIP|).H1;", 0x1363),
        ("BETW |(R1).H1|.FLIP;", 0x1364),
        ("BETW |(R1.H1)|.FLIP;", 0x1364),
    ];
    for (text, bits) in texts {
        assert_eq!(word(text), bits, "{text}");
    }
    let error = "OUTS |R1.H1|.H1;".parse::<Bars>().unwrap_err().to_string();
    assert!(error.contains("twice") || error.contains("second time"), "{error}");
}

#[test]
fn every_word_is_read_as_it_is_printed() {
    let mut count = 0;
    for bits in 0..1 << 14 {
        // Registers 0 to 3, and every value of the other fields.
        let bits = (bits & 0x3ff) | (bits >> 10 & 3) << 12 | (bits >> 12) << 14;
        let Ok(instruction) = Bars::decode(bits) else { continue };
        let text = instruction.to_string();
        assert_eq!(word(&text), bits.into(), "{text}");
        let walked = Bars::SET.parse_next_by_template(&mut Cursor::new(&text)).unwrap().unwrap();
        assert_eq!(walked.word(), bits.into(), "{text}");
        // The fast parser accepts an operand that has one pair of affixes. The modifiers may be
        // inside or outside of the pair.
        if text.starts_with("INS") || text.starts_with("OUTS") {
            let quick = Bars::SET.parse_next_as_printed(&mut Cursor::new(&text));
            assert_eq!(quick.map(|quick| quick.word()), Some(bits.into()), "{text}");
        }
        count += 1;
    }
    assert_eq!(count, 16 * 3 * (4 + 4 + 8 + 16 + 8));
}

mod blanks {
    isa_core::define_isa! {
        /// Parts in braces, and quoted blanks.
        pub isa Blanks: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        operand Num: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 4 {
            A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7, I = 8, J = 9, K = 10, L = 11, M = 12, N = 13, O = 14
        }
        enum Sched: 2 { NONE = 0, WAIT = 1, YIELD = 2 }

        group R { encoding { field<0, 4> Op op; field<8, 8> Reg rd; field<16, 8> Reg ra; } }
        group P : [R] { encoding { field<24, 3> Pred pu = PT; } }
        group K : [R] { encoding { field<4, 4> Num k = 0; } }
        opcode ADD   : [P] { encoding { op == A; } syntax { ADD rd, {pu, }ra; } }
        opcode SUB   : [P] { encoding { op == B; } syntax { SUB rd{, pu}, ra; } }
        opcode LOAD  : [R] { encoding { op == C; } syntax { LOAD " [" rd "]" "," ra; } }
        opcode PAIR  : [R] { encoding { op == D; } syntax { PAIR rd "," ra, " x"; } }
        opcode AND   : [P] { encoding { op == E; } syntax { AND {pu,} rd, ra; } }
        opcode OR    : [P] { encoding { op == F; } syntax { OR rd {pu} ra; } }
        opcode XOR   : [K] { encoding { op == G; } syntax { XOR rd {"(" k ")"} ra; } }
        opcode MOV   : [R] { encoding { op == H; field<27, 2> Sched s = NONE; } syntax { MOV rd, ra, $s; } }
        opcode LAST  : [P] { encoding { op == I; } syntax { LAST rd, ra, {pu}; } }
        opcode GUARD : [K, P] { encoding { op == J; } syntax { {"@" pu} {"&" k} GUARD rd "+" ra; } }
        opcode NONE  : [P] { encoding { op == K; } syntax { _ {pu} rd "<-" ra; } }
        opcode TIGHT : [K] { encoding { op == L; } syntax { TIGHT _ "[" {k "+" _} rd "]", _ "#" ra; } }
        opcode TWO   : [K, P] { encoding { op == M; } syntax { TWO rd{, pu}{, k}, ra; } }
        opcode RET {
            encoding { field<0, 4> Op op == O; field<4, 4> Num k = 0; field<24, 3> Pred pu = PT; }
            syntax { RET {pu}{, k}; }
        }
        opcode IN    : [K, P] { encoding { op == N; } syntax { IN rd{"[" pu {", " k} "]"}, ra; } }
    }
}

#[test]
fn there_is_one_blank_whichever_parts_are_there() {
    use blanks::Blanks;
    // `pu` is PT if its bits are 7.
    let texts = [
        ("ADD R1, R2;", 0x07020100),
        ("ADD R1, P3, R2;", 0x03020100),
        ("SUB R1, R2;", 0x07020101),
        ("SUB R1, P3, R2;", 0x03020101),
        ("LOAD [R1],R2;", 0x00020102),
        ("PAIR R1,R2, x;", 0x00020103),
        ("AND R1, R2;", 0x07020104),
        ("AND P3, R1, R2;", 0x03020104),
        ("OR R1 R2;", 0x07020105),
        ("OR R1 P3 R2;", 0x03020105),
        ("XOR R1 R2;", 0x00020106),
        ("XOR R1(5) R2;", 0x00020156),
        ("MOV R1, R2,;", 0x00020107),
        ("MOV R1, R2, YIELD;", 0x10020107),
        ("LAST R1, R2,;", 0x07020108),
        ("LAST R1, R2, P3;", 0x03020108),
        ("GUARD R1+R2;", 0x07020109),
        ("@P3 GUARD R1+R2;", 0x03020109),
        ("@P3 &5 GUARD R1+R2;", 0x03020159),
        ("&5 GUARD R1+R2;", 0x07020159),
        ("R1<-R2;", 0x0702010a),
        ("P3 R1<-R2;", 0x0302010a),
        ("TIGHT[R1],#R2;", 0x0002010b),
        ("TIGHT[5+R1],#R2;", 0x0002015b),
        ("TWO R1, R2;", 0x0702010c),
        ("TWO R1, P3, R2;", 0x0302010c),
        ("TWO R1, 5, R2;", 0x0702015c),
        ("TWO R1, P3, 5, R2;", 0x0302015c),
        ("RET;", 0x0700000e),
        ("RET P3;", 0x0300000e),
        ("RET, 5;", 0x0700005e),
        ("RET P3, 5;", 0x0300005e),
        ("IN R1, R2;", 0x0702010d),
        ("IN R1[P3], R2;", 0x0302010d),
        ("IN R1[P3, 5], R2;", 0x0302015d),
    ];
    for (text, bits) in texts {
        assert_eq!(Blanks::decode(bits).unwrap().to_string(), text);
        let read: Blanks = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.encode().unwrap(), bits, "{text}");
        let walked = Blanks::SET.parse_next_by_template(&mut Cursor::new(text)).unwrap().unwrap();
        assert_eq!(walked.word(), bits.into(), "{text}");
    }
}
