//! No text makes the assembler panic or stand still, and what it takes is what it prints.

use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_tests::garble::garble;
use isa_tests::reading::{Reading, read};
use isa_tests::share::share;
use isa_tests::space::Space;
use isa_tests::spelling::spell;
use isa_tests::text::disassemble;

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
        let Reading { taken, errors, .. } = read(set, &garbled);
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
    check_garbled(Halu::SET, 100_000 / share());
}

#[test]
fn garbled_gpu() {
    check_garbled(Gpu::SET, 100_000 / share());
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
        read(Gpu::SET, &text);
        read(Gpu::SET, &format!("HADD2 R0, {text}"));
        read(Gpu::SET, &format!("HADD2.{text}; HADD2 R0, R1, R2;"));
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
            assert_eq!(read(Gpu::SET, &text[..end]).taken, 0, "{}", &text[..end]);
        }
        for (place, _) in text.char_indices() {
            for byte in 0..128 {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                read(Gpu::SET, &String::from_utf8_lossy(&bytes));
            }
        }
    }
}
