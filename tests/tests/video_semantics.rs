//! Compares the video instructions with the pseudo-code of their manual.

use isa_core::machine::State;
use isa_defs::gpu::Gpu;
use isa_tests::share::{part_of, share};
use isa_tests::video::{Case, forms, register};
use isa_verify::random::SplitMix64;

fn check(case: &Case, machine: &mut State<'_>) {
    let (found, expected) = (case.run(machine), case.expected());
    assert_eq!(found, expected, "{case:x?}: {found:08x}, not {expected:08x}");
}

/// Runs every form with every mask and random selectors: more than 10^7 cases over both widths, or
/// a share of them.
fn every_form_and_mask(lanes: usize, cases_each: u64, seed: u64) -> u64 {
    let mut random = SplitMix64::new(seed);
    let mut machine = State::new();
    let mut count = 0;
    for form in forms(lanes) {
        for mask in 1..1 << lanes {
            for _ in 0..part_of(cases_each) {
                let selector_bits = if lanes == 2 { 4 } else { 12 };
                let case = Case {
                    mask,
                    asel: random.below(1 << selector_bits) as u32,
                    bsel: random.below(1 << selector_bits) as u32,
                    a: register(&mut random, lanes),
                    b: register(&mut random, lanes),
                    c: random.bits() as u32,
                    ..form
                };
                check(&case, &mut machine);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn half_words_over_every_form_and_mask() {
    assert!(every_form_and_mask(2, 5_000, 2) >= part_of(2_000_000));
}

#[test]
fn bytes_over_every_form_and_mask() {
    assert!(every_form_and_mask(4, 4_000, 4) >= part_of(8_000_000));
}

/// Checks every form with all 2^16 pairs of bytes, four pairs for each instruction. With a share,
/// each form is tried with some values of the first byte, and all forms together cover all values.
#[test]
fn bytes_exhaustively() {
    let mut random = SplitMix64::new(16);
    let mut machine = State::new();
    for (number, form) in forms(4).enumerate() {
        let c = random.bits() as u32;
        for a in (0..=255u8).skip(number % share()).step_by(share()) {
            for b in (0..=255u8).step_by(4) {
                let (a, b) = ([a; 4], [b, b + 1, b + 2, b + 3]);
                let (a, b) = (u32::from_le_bytes(a), u32::from_le_bytes(b));
                check(&Case { a, b, c, ..form }, &mut machine);
            }
        }
    }
}

/// Checks the examples of the manual without changes. The last one has a mask that does not exist.
#[test]
fn examples_of_the_manual() {
    let good = [
        ("vadd2.s32.s32.u32.sat r1, r2, r3, r1;", "vadd2.s32.s32.u32.sat r1, r2, r3, r1;"),
        (
            "vsub2.s32.s32.s32.sat r1.h0, r2.h10, r3.h32, r1;",
            "vsub2.s32.s32.s32.sat r1.h0, r2, r3, r1;",
        ),
        (
            "vmin2.s32.u32.u32.add r1.h10, r2.h00, r3.h22, r1;",
            "vmin2.s32.u32.u32.add r1, r2.h00, r3.h22, r1;",
        ),
        ("vadd4.s32.s32.u32.sat r1, r2, r3, r1;", "vadd4.s32.s32.u32.sat r1, r2, r3, r1;"),
        (
            "vsub4.s32.s32.s32.sat r1.b0, r2.b3210, r3.b7654, r1;",
            "vsub4.s32.s32.s32.sat r1.b0, r2, r3, r1;",
        ),
    ];
    for (text, canonical) in good {
        assert_eq!(text.parse::<Gpu>().unwrap().to_string(), canonical);
    }
    let wrong = "vmin4.s32.u32.u32.add r1.b00, r2.b0000, r3.b2222, r1;".parse::<Gpu>();
    let message = wrong.expect_err("a mask has each lane once").to_string();
    assert!(message.contains("b00") && message.contains("b3210"), "{message}");
}
