//! Conditions that compare fields, checked against a comparison of the fields for every word.

use isa_verify::count::legal_words;
use isa_verify::model::Model;

isa_core::define_isa! {
    /// Words whose fields depend on each other.
    pub isa Related: u16;

    operand Six: 6 = isa_core::operand::Unsigned<6>;
    operand Eight: 8 = isa_core::operand::Unsigned<8>;
    operand Four: 4 = isa_core::operand::Unsigned<4>;
    enum Op: 4 { PAIR = 1, LESS = 2, MOVE = 3, SAME = 4, FAR = 5, WIDE = 6, NAMES = 7, SPLIT = 8 }
    enum Size: 2 { B = 0, H = 1, W = 2 }

    group SIXES {
        encoding { field<12, 4> Op op; field<0, 6> Six a; field<6, 6> Six b; }
        syntax { .. a, b; }
    }
    /// Two different numbers.
    opcode PAIR : [SIXES] { encoding { op == PAIR; where a != b; } syntax { PAIR } }
    /// The first number is smaller.
    opcode LESS : [SIXES] { encoding { op == LESS; where a < b; } syntax { LESS } }
    /// Any two numbers. Aliases and a synonym apply to some of them.
    opcode MOVE : [SIXES] { encoding { op == MOVE; } syntax { MOVE } }
    alias RISE of MOVE { encoding { where a + 1 == b; } syntax { RISE a, b; } }
    alias TOP of MOVE { encoding { where a + 1 == b and b != 63; } syntax { TOP a, b; } }
    alias EVEN of MOVE { encoding { where a == b; } syntax { EVEN a, b; } }
    synonym DROP of MOVE { encoding { where a > b + 3; } syntax { DROP a, b; } }
    /// Two opcodes with the same fields: the second has the words that the first excludes.
    opcode SAME : [SIXES] { encoding { op == SAME; where a == b; } syntax { SAME } }
    opcode OTHER : [SIXES] { encoding { op == SAME; where a != b; } syntax { OTHER } }
    /// An exception with the author's own reason.
    opcode FAR : [SIXES] {
        encoding { op == FAR; where a in {1, 4..=7, 60..64}; }
        syntax { FAR }
        exception {
            EncodingError<Near, "the two are near">
                = not (b < 5 or 50 <= b) and (b >= a - 2 and b <= a + 2);
        }
    }
    /// Numbers of different widths.
    opcode WIDE {
        encoding {
            field<12, 4> Op op == WIDE; field<0, 8> Eight a; field<8, 4> Four b;
            where a - 10 >= b + 3;
        }
        syntax { WIDE a, b; }
    }
    /// Names of one value set.
    opcode NAMES {
        encoding {
            field<12, 4> Op op == NAMES; field<0, 2> Size from; field<2, 2> Size to;
            where from != to;
        }
        syntax { NAMES.from.to; }
    }
    /// Numbers in pieces, and a number without bits.
    opcode SPLIT {
        encoding {
            field<12, 4> Op op == SPLIT; field<8, 2 : 0, 2> Four a; field<4, 4> Four b;
            field<> Four c == 9; field<2, 1> Limit limit; field<3, 1> Limit low;
            where a <= b and (a != c or limit == low);
        }
        syntax { SPLIT.limit.low a, b; }
    }
    enum Limit: 1 { OFF = 0, ON = 1 }
}

/// Returns whether the fields make a word valid, written independently.
fn is_legal(word: u16) -> bool {
    let (a, b) = (i32::from(word & 63), i32::from(word >> 6 & 63));
    match word >> 12 {
        1 => a != b,
        2 => a < b,
        3 | 4 => true,
        5 => {
            let is_near = (a - 2..=a + 2).contains(&b);
            [1, 4, 5, 6, 7, 60, 61, 62, 63].contains(&a) && (!(5..50).contains(&b) || !is_near)
        }
        6 => i32::from(word & 255) - 10 >= i32::from(word >> 8 & 15) + 3,
        7 => {
            let (from, to) = (word & 3, word >> 2 & 3);
            word & 0xff0 == 0 && from != 3 && to != 3 && from != to
        }
        8 => {
            let (a, b) = (word >> 8 & 3, word >> 4 & 15);
            let a = a << 2 | word & 3;
            let alike = (word >> 2 & 1) == (word >> 3 & 1);
            word & 0xc00 == 0 && a <= b && (a != 9 || alike)
        }
        _ => false,
    }
}

/// Returns the mnemonic of a valid word.
fn name(word: u16) -> &'static str {
    let (a, b) = (word & 63, word >> 6 & 63);
    match word >> 12 {
        1 => "PAIR",
        2 => "LESS",
        3 if a == b => "EVEN",
        3 if a + 1 == b && b != 63 => "TOP",
        3 if a + 1 == b => "RISE",
        3 => "MOVE",
        4 if a == b => "SAME",
        4 => "OTHER",
        5 => "FAR",
        6 => "WIDE",
        7 => "NAMES",
        _ => "SPLIT",
    }
}

#[test]
fn words_are_those_whose_fields_compare_so() {
    let model = Model::new(Related::SET);
    let mut legal = 0_u128;
    for word in 0..=u16::MAX {
        let decoded = Related::decode(word);
        assert_eq!(decoded.is_ok(), is_legal(word), "{word:#x}");
        assert_eq!(model.opcodes.iter().any(|row| row.is_legal(word.into())), is_legal(word));
        let Ok(instruction) = decoded else { continue };
        legal += 1;
        let text = instruction.to_string();
        assert!(text.split(['.', ' ']).next() == Some(name(word)), "{word:#x}: {text}");
        assert_eq!(text.parse().ok(), Some(instruction), "{text}");
    }
    assert_eq!(model.opcodes.iter().map(legal_words).sum::<Option<u128>>(), Some(legal));
}

#[test]
fn a_spelling_is_for_its_words_alone() {
    let other = |text: &str| {
        let read = text.parse::<Related>();
        read.map(|read| read.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(other("DROP 9, 5;").as_deref(), Ok("MOVE 9, 5;"));
    assert_eq!(other("RISE 7, 8;").as_deref(), Ok("TOP 7, 8;"));
    let error = other("DROP 8, 5;").unwrap_err();
    assert!(error.contains("`a > b + 3` is not satisfied"), "{error}");
    let error = other("TOP 62, 63;").unwrap_err();
    assert!(error.contains("`a + 1 == b and b != 63` is not satisfied"), "{error}");
}

#[test]
fn an_illegal_word_says_what_does_not_hold() {
    let error = |word| Related::decode(word).unwrap_err().to_string();
    assert!(error(0x1041).contains("`a != b` is not satisfied"), "{}", error(0x1041));
    assert!(error(0x2041).contains("UnmetCondition: a >= b"), "{}", error(0x2041));
    let near = 5 << 12 | 6 | 7 << 6;
    assert!(error(near).contains("the two are near"), "{}", error(near));
}
