//! No text makes the assembler panic or stand still, and what it takes is what it prints.

use isa_core::asm::{Cursor, Parsed};
use isa_core::error::{ParseError, ParseErrorKind};
use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_tests::garble::garble;
use isa_tests::space::Space;
use isa_tests::spelling::spell;
use isa_tests::text::{check_round_trip, disassemble};

/// How a text was read.
#[derive(Default)]
struct Reading {
    taken: usize,
    errors: usize,
}

/// Reads a text to its end, statement by statement.
fn read(set: &'static InstructionSet, text: &str, with_messages: bool) -> Reading {
    let mut cursor = Cursor::new(text);
    let mut reading = Reading::default();
    loop {
        let before = cursor.position();
        let parsed = set.parse_next(&mut cursor);
        check_slow_way(set, text, before, &parsed, cursor.position());
        match parsed {
            Ok(None) => break,
            Ok(Some(parsed)) => {
                let span = parsed.span().clone();
                assert!(before <= span.start && span.end == cursor.position(), "{text:?}");
                assert!(text[span].ends_with(';'), "{text:?}");
                check_round_trip(set, parsed.word());
                reading.taken += 1;
            }
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{:?} of {text:?}", error.span);
                if let ParseErrorKind::Illegal(illegal) = error.kind() {
                    assert!(set.decode(illegal.word()).is_err(), "{text:?}");
                }
                if with_messages {
                    assert!(!error.to_string().is_empty());
                }
                reading.errors += 1;
            }
        }
        assert!(cursor.position() > before, "no progress at {before} in {text:?}");
    }
    assert_eq!(cursor.position(), text.len(), "{text:?}");
    reading
}

/// What is read fast, as it is printed, is what a walk over the template reads.
fn check_slow_way(
    set: &'static InstructionSet,
    text: &str,
    start: usize,
    parsed: &Result<Option<Parsed>, ParseError>,
    end: usize,
) {
    let mut cursor = Cursor::new(text);
    cursor.seek(start);
    let slow = set.parse_next_by_template(&mut cursor);
    assert_eq!(slow.as_ref().ok(), parsed.as_ref().ok(), "{text:?}");
    assert_eq!(cursor.position(), end, "{text:?}");
    if let (Err(slow), Err(fast)) = (slow, parsed) {
        assert_eq!(slow.to_string(), fast.to_string(), "{text:?}");
        assert_eq!(slow.span, fast.span, "{text:?}");
    }
}

fn check_garbled(set: &'static InstructionSet, texts: usize) {
    let mut space = Space::new(set, 1);
    let mut sum = Reading::default();
    let mut other = String::new();
    for case in 0..texts {
        let opcode = case % space.opcodes();
        let word = space.legal(opcode);
        let text = match case % 4 {
            0 => spell(set.opcodes[opcode], word, &mut space.random),
            1 => format!(".word {word:#x};"),
            _ => disassemble(set, word).as_str().to_owned(),
        };
        let garbled = garble(&text, &other, &mut space.random);
        let Reading { taken, errors } = read(set, &garbled, case % 4 == 0);
        let whole = set.parse(&garbled);
        assert_eq!(whole.is_ok(), taken == 1 && errors == 0, "{garbled:?}");
        sum.taken += taken;
        sum.errors += errors;
        other = text;
    }
    println!("{}: {texts} texts: {} statements, {} errors", set.name, sum.taken, sum.errors);
    assert!(sum.taken > texts / 10 && sum.errors > texts / 3);
}

#[test]
fn garbled_halu() {
    check_garbled(Halu::SET, 100_000);
}

#[test]
fn garbled_gpu() {
    check_garbled(Gpu::SET, 100_000);
}

/// Text that is nothing but one scrap, many times: time grows with the length alone.
#[test]
fn endless() {
    for scrap in [
        "R",
        "@",
        "@P0 ",
        "HADD2 ",
        "HADD2.FTZ",
        ".FTZ",
        ".",
        ";",
        "/*",
        "*/",
        "//",
        "/",
        "-",
        "|",
        "[",
        "1,",
        "0x",
        "\0",
        "\u{e9}",
        "\u{1f600}",
        " ",
        "\n",
        ".word 1;",
        ".word ",
        "&req={",
        "HADD2 R0, R1, R2;",
        "HADD2 R0, R1, ",
        "HFMA2 R0, R1, R2, -|",
        "vadd2.u32",
        "!",
        "9",
        "//\n",
    ] {
        let text = scrap.repeat(100_000 / scrap.len());
        read(Gpu::SET, &text, true);
        read(Gpu::SET, &format!("HADD2 R0, {text}"), true);
        read(Gpu::SET, &format!("HADD2.{text}; HADD2 R0, R1, R2;"), true);
    }
}

/// Every prefix of a text, and every text with one byte replaced by each other one.
#[test]
fn near_misses() {
    for text in [
        "@!P0 HFMA2.FTZ.RP R1, -|R2.H1_H1|, c[0x3][0x4], RZ ?WAIT4 &req={0,2};",
        "HSETP2.BF16_V2.GEU.XOR P0, P1, |R5|, -1.5, +INF, !PT;",
        "vmin4.u32.s32.u32.add r1.b20, r2.b7012, r3, rz;",
    ] {
        for end in 0..text.len() {
            assert_eq!(read(Gpu::SET, &text[..end], true).taken, 0, "{}", &text[..end]);
        }
        for (place, _) in text.char_indices() {
            for byte in 0..128 {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                read(Gpu::SET, &String::from_utf8_lossy(&bytes), true);
            }
        }
    }
}
