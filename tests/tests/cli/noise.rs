//! Broken input of many forms: every run must end with a status and without a panic.

use isa_tests::share::part_of;

use super::*;

/// An endless sequence of numbers, the same in every run.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

const SEEDS: [&[u8]; 6] = [
    b"@!P0 HFMA2.FTZ.RP R1, -|R2.H1_H1|, 0.5, -0x7e01, RZ ?WAIT4 &req={0,2}; // x\n/* y */",
    b"HSETP2.LT.AND P1, P2, R1, c[0x0][0x160], !P3;\n.word 0x12;\nHADD2.SAT R0, R1, -1, +INF;",
    b"0x201007130 00000000000211000000016001048530\n12",
    br#"{"asm": "HADD2 R0, R1, R2;", "state": {"R1": "0x3c003c00", "P0": true, "c[0][4]": 9}}"#,
    b"/* 00000000  00000000000000000000000201007130 */  HADD2 R0, R1, R2;\n/* 10  12 */",
    b"\x30\x71\x00\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
];

/// Pieces of text that are likely to matter.
const PIECES: [&[u8]; 12] = [
    b";",
    b"/*",
    b"*/",
    b"//",
    b"\n",
    b"\xff",
    b"\xef\xbb\xbf",
    "ä中".as_bytes(),
    b"|",
    b"@",
    b"\0",
    b"99999999999999999999999999999999999999999",
];

pub(super) fn mutate(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    match numbers.below(4) {
        0 => bytes.truncate(at),
        1 => {
            let piece = PIECES[numbers.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        2 => {
            let end = (at + numbers.below(8)).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => bytes.insert(at, numbers.below(256) as u8),
    }
}

#[test]
fn broken_input_does_not_break_the_tool() {
    let commands: [&[&str]; 10] = [
        &["asm"],
        &["asm", "--emit", "listing"],
        &["dis"],
        &["dis", "--from", "bin", "--strict"],
        &["exec", "--trace"],
        &["exec", "--warp", "--trace"],
        &["exec", "--jsonl"],
        &["dis", "--strict"],
        &["dis", "--from", "listing", "--addresses"],
        &["asm", "--json"],
    ];
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..part_of(4_000) as usize {
        let mut input = SEEDS[round % SEEDS.len()].to_vec();
        for _ in 0..=numbers.below(6) {
            mutate(&mut input, &mut numbers);
        }
        for args in commands {
            let outcome = isa(args, &input);
            let failed = outcome.status == Status::Failure;
            assert_eq!(failed, !outcome.err.is_empty(), "{args:?} {input:?}");
            let goes_on = args[0] == "dis" && !args.contains(&"--strict");
            assert!(!failed || goes_on || outcome.out.is_empty(), "{args:?} {input:?}");
            assert_ne!(outcome.status, Status::Usage);
        }
    }
}

#[test]
fn broken_arguments_do_not_break_the_tool() {
    let mut numbers = Numbers(1);
    for round in 0..part_of(4_000) as usize {
        let mut input = SEEDS[round % SEEDS.len()].to_vec();
        mutate(&mut input, &mut numbers);
        let text = String::from_utf8_lossy(&input);
        isa(&["explain", "--asm", &text], b"");
        isa(&["explain", &text], b"");
        isa(&["exec", "--set", &text], b"");
        isa(&["exec", "--warp", "--set", &text], b"");
        isa(&[&text], b"");
    }
}
