//! Texts that could make a parser slow or stop its progress, and texts that are almost valid.
//! `isa_verify` tests texts with random errors, in the test `check`.

use isa_defs::gpu::Gpu;
use isa_verify::parse_check::parse_all;

/// Returns the number of statements that are parsed from a text.
fn taken(text: &str) -> usize {
    let summary = parse_all(Gpu::SET, text);
    summary.unwrap_or_else(|wrong| panic!("{text:?}: {wrong}")).accepted
}

/// Checks texts that repeat one piece many times: time must be linear in the length.
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
        taken(&text);
        taken(&format!("HADD2 R0, {text}"));
        taken(&format!("HADD2.{text}; HADD2 R0, R1, R2;"));
    }
}

/// Checks every prefix of a text, and every text with one byte replaced by each other byte.
#[test]
fn near_misses() {
    for text in [
        "@!P0 HFMA2.FTZ.RP R1, -|R2.H1_H1|, c[0x3][0x4], RZ ?WAIT4 &req={0,2};",
        "HSETP2.BF16_V2.GEU.XOR P0, P1, |R5|, -1.5, +INF, !PT;",
        "vmin4.u32.s32.u32.add r1.b20, r2.b7012, r3, rz;",
    ] {
        for end in 0..text.len() {
            assert_eq!(taken(&text[..end]), 0, "{}", &text[..end]);
        }
        for (place, _) in text.char_indices() {
            for byte in 0..128 {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                taken(&String::from_utf8_lossy(&bytes));
            }
        }
    }
}
