//! Tests texts that the fast parser accepts without the template interpreter: names of values as
//! operands, optional groups that begin with several tokens, and mnemonics with dots next to
//! others.

use isa_core::text::Cursor;

isa_core::define_isa! {
    /// Texts that the fast parser accepts.
    isa Set: u16;

    operand Num: 3 = isa_core::operand::Unsigned<3>;
    enum Op: 3 { SEL = 0, SEL_TOO = 1, MOV = 2, B = 3, BEQ = 4, PAIR = 5 }
    enum Cond: 2 { eq = 0, ne | nz = 1, lo = 2, unconditional = 3 }
    enum Other: 2 { gt = 1, le = 3 }

    group ONE { encoding { field<0, 3> Op op; field<3, 3> Num rd; } }
    optype SELECT : [ONE] { syntax { sel rd, cond; } }
    opcode SEL_COND : [SELECT] { encoding { op == SEL; field<6, 2> Cond cond; } }
    opcode SEL_OTHER : [SELECT] { encoding { op == SEL_TOO; field<6, 2> Other cond; } }
    opcode MOVE : [ONE] {
        encoding { op == MOV; field<6, 3> Num n = 0; field<9, 2> Cond when; }
        syntax   { mov rd, when{, "lsl #" n}; }
    }
    opcode JUMP : [ONE] { encoding { op == B; } syntax { b rd; } }
    opcode JUMP_EQ : [ONE] {
        encoding { op == BEQ; field<6, 3> Num n = 0; }
        syntax   { "b.eq" "[" rd{, "#" n} "]"; }
    }
    // If there are two such groups, only the template interpreter decides which one is present.
    opcode PAIR : [ONE] {
        encoding { op == PAIR; field<6, 3> Num n = 0; field<9, 3> Num m = 0; }
        syntax   { pair rd{, "lsl #" n}{, "lsr #" m}; }
    }
}

fn words(text: &str) -> [Option<u128>; 3] {
    let by = |read: &dyn Fn(&mut Cursor<'_>) -> Option<isa_core::parse::Parsed>| {
        read(&mut Cursor::new(text)).map(|parsed| parsed.word())
    };
    [
        by(&|cursor| Set::SET.parse_next_as_printed(cursor)),
        by(&|cursor| Set::SET.parse_next(cursor).ok().flatten()),
        by(&|cursor| Set::SET.parse_next_by_template(cursor).ok().flatten()),
    ]
}

#[test]
fn what_is_printed_is_read_without_a_walk() {
    let mut count = 0;
    for word in 0..=u16::MAX {
        let Ok(instruction) = Set::decode(word) else { continue };
        let (text, word) = (instruction.to_string(), Some(u128::from(word)));
        let [quick, read, walked] = words(&text);
        assert_eq!([read, walked], [word; 2], "{text}");
        let has_reader = !text.starts_with("pair") && !text.contains("unconditional");
        assert_eq!(quick, word.filter(|_| has_reader), "{text}");
        count += 1;
    }
    assert_eq!(count, 8 * (4 + 2 + 32 + 1 + 8 + 64));
}

#[test]
fn other_spellings_are_read_alike() {
    for (text, printed) in [
        ("sel 1, nz;", "sel 1, ne;"),
        ("sel 1 , le ;", "sel 1, le;"),
        ("mov 2, lo,lsl #3;", "mov 2, lo, lsl #3;"),
        ("mov 2, lo,  lsl  # 3;", "mov 2, lo, lsl #3;"),
        ("mov 2, lo, lsl #0;", "mov 2, lo;"),
        ("b.eq [1,#2];", "b.eq [1, #2];"),
        ("b.eq[1];", "b.eq [1];"),
        ("b  4;", "b 4;"),
        ("pair 1, lsr #2;", "pair 1, lsr #2;"),
    ] {
        let [quick, read, walked] = words(text);
        assert!(quick.is_none() || quick == walked, "{text}");
        assert_eq!(read, walked, "{text}");
        assert_eq!(text.parse::<Set>().unwrap().to_string(), printed);
    }
    for text in ["sel 1, xx;", "mov 2, lo, lsl;", "b.ne 1;", "mov 2, lo, lsr #1;", "b.eq [1, 2];"] {
        assert_eq!(words(text), [None; 3], "{text}");
    }
}
