//! Tests of the decisions in `isa-defs/DECISIONS.md`, which names a test of this file for each one.
//!
//! The expected bits are computed by hand from the decisions, not by the code under test.

use isa_core::machine::{GeneralRegs, Predicates, State};
use isa_defs::gpu::Gpu;

/// Executes one instruction on registers with these values, and returns the machine.
fn executed(text: &str, registers: &[(u8, u32)]) -> State<'static> {
    let instruction: Gpu = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut machine = State::new();
    for &(number, value) in registers {
        machine.set_reg(number, value);
    }
    instruction.execute(&mut machine);
    machine
}

/// Returns R1 after `text` is executed with these values in R2, R3 and R4.
fn result(text: &str, sources: &[u32]) -> u32 {
    let registers: Vec<(u8, u32)> = (2..).zip(sources.iter().copied()).collect();
    executed(text, &registers).reg(1)
}

/// Returns P1 and P2 after `text` is executed with these values in R2 and R3.
fn predicates(text: &str, sources: [u32; 2]) -> [bool; 2] {
    let machine = executed(text, &[(2, sources[0]), (3, sources[1])]);
    [machine.pred(1), machine.pred(2)]
}

#[track_caller]
fn check(text: &str, sources: &[u32], expected: u32) {
    let found = result(text, sources);
    assert_eq!(found, expected, "{text} of {sources:08x?}: {found:#010x}, not {expected:#010x}");
}

/// Returns the printed text of an assembly text.
fn printed(text: &str) -> String {
    let instruction: Gpu = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    instruction.to_string()
}

fn word(text: &str) -> u128 {
    let instruction: Gpu = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    instruction.encode().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn rejected(text: &str) {
    let parsed = text.parse::<Gpu>();
    assert!(parsed.is_err(), "{text} is accepted: {parsed:?}");
}

const ONES: u32 = 0x3c00_3c00;
const NANS: u32 = 0xfe00_7e01;

// ---- the encoding ---------------------------------------------------------------------------------

#[test]
fn added_fields() {
    let plain = word("HADD2 R1, R2, R3;");
    let with = |text: &str| word(text) ^ plain;
    assert_eq!(with("HADD2.RZ R1, R2, R3;"), 3 << 78);
    assert_eq!(with("HADD2.F32 R1, R2, R3;"), 1 << 91);
    assert_eq!(with("HADD2 R1, R2, R3 ?WAIT15;"), 15 << 112);
    assert_eq!(with("HADD2 R1, R2, R3 &req={0,5};"), 0b10_0001 << 116);
}

#[test]
fn unused_bits_are_zero() {
    let plain = word("HADD2 R1, R2, R3;");
    assert!(Gpu::decode(plain).is_ok());
    for bit in [74, 79 + 15, 127].into_iter().filter(|&bit| bit != 94) {
        assert!(Gpu::decode(plain | 1 << bit).is_err(), "bit {bit}");
    }
}

#[test]
fn constant_memory_has_17_bits_of_offset_and_5_of_bank() {
    let field = |text: &str| word(text) >> 32 & 0x3f_ffff;
    assert_eq!(field("HADD2 R1, R2, c[0x3][0x164];"), 3 << 17 | 0x164);
    assert_eq!(field("HADD2 R1, R2, c[0x1f][0x1fffc];"), 0x3f_fffc);
    let half = "HADD2 R1, R2, -|c[0x3][0x4].H0_H0|;";
    assert_eq!(printed(half), half);
    assert_eq!(printed("HADD2 R1, R2, c[3][356];"), "HADD2 R1, R2, c[0x3][0x164];");
    for text in ["c[0x0][0x2]", "c[0x0][0x1]", "c[0x20][0x0]", "c[0x0][0x20000]"] {
        rejected(&format!("HADD2 R1, R2, {text};"));
    }
    for offset in 1..4 {
        assert!(Gpu::decode(word("HADD2 R1, R2, c[0x0][0x0];") | offset << 32).is_err());
    }
}

#[test]
fn bfloat16_excludes_modifiers() {
    for text in ["HADD2.BF16_V2.FTZ R1, R2, R3;", "HMUL2.BF16_V2.SAT R1, R2, R3;"] {
        rejected(text);
    }
    rejected("HFMA2.BF16_V2.FTZ R1, R2, R3, R4;");
    printed("HFMA2.BF16_V2.RELU R1, R2, R3, R4;");
    printed("HMNMX2.BF16_V2.FTZ R1, R2, R3, PT;");
    printed("HSETP2.BF16_V2.FTZ.LT.AND P1, P2, R2, R3;");
    printed("HSET2.BF16_V2.FTZ.LT.AND R1, R2, R3;");
}

#[test]
fn sat_excludes_relu() {
    rejected("HFMA2.RELU.SAT R1, R2, R3, R4;");
}

// ---- assembly ---------------------------------------------------------------------------------------

#[test]
fn waits_and_barriers() {
    let both = "HADD2 R1, R2, R3 ?WAIT4 &req={0,2};";
    assert_eq!(printed("HADD2 R1, R2, R3 &req={2,0} ?WAIT4;"), both);
    let none = "HADD2 R1, R2, R3;";
    assert_eq!(printed("HADD2 R1, R2, R3 ?WAIT0 &req={};"), none);
    for text in ["?WAIT16", "?WAIT04", "&req={6}", "&req={0,0}", "?WAIT1 ?WAIT1"] {
        rejected(&format!("HADD2 R1, R2, R3 {text};"));
    }
    check("HADD2 R1, R2, R3 ?WAIT4 &req={0,2};", &[ONES, ONES], 0x4000_4000);
}

#[test]
fn modifiers_in_any_order() {
    assert_eq!(printed("HADD2.RM.FTZ R1, R2, R3;"), "HADD2.FTZ.RM R1, R2, R3;");
    assert_eq!(printed("HADD2.F32.RN R1, R2, R3;"), "HADD2.F32 R1, R2, R3;");
    let video = "vadd2.s32.u32.s32.sat r1, r2, r3, r4;";
    assert_eq!(printed("vadd2.sat.s32.u32.s32 r1, r2, r3, r4;"), video);
    for text in ["HADD2.FTZ.FTZ", "HADD2.RM.RP", "HADD2.F16_V2.BF16_V2"] {
        rejected(&format!("{text} R1, R2, R3;"));
    }
}

#[test]
fn letter_case_and_guards() {
    for text in ["hadd2 R1, R2, R3;", "HADD2 r1, R2, R3;", "@p0 HADD2 R1, R2, R3;"] {
        rejected(text);
    }
    rejected("@P0 vadd2.u32.u32.u32 r1, r2, r3, r4;");
    assert_eq!(printed("@ ! P0 HADD2 R1, R2, R3;"), "@!P0 HADD2 R1, R2, R3;");
    assert_eq!(printed("@PT HADD2 R1, R2, R3;"), "HADD2 R1, R2, R3;");
    assert_eq!(printed("@!PT HADD2 R1, R2, R3;"), "@!PT HADD2 R1, R2, R3;");
}

#[test]
fn signs_bars_and_half_selects() {
    let text = "HADD2 R1, -|R2.H0_H0|, R3;";
    assert_eq!(printed(text), text);
    assert_eq!(printed("HADD2 R1, -|R2|.H0_H0, R3;"), text);
    rejected("HADD2 R1, |-R2|, R3;");
}

#[test]
fn predicate_of_hmnmx2_is_always_printed() {
    for text in ["HMNMX2 R1, R2, R3, PT;", "HMNMX2 R1, R2, R3, !PT;"] {
        assert_eq!(printed(text), text);
    }
    rejected("HMNMX2 R1, R2, R3;");
    let trailing = "HSETP2.LT.AND P1, P2, R2, R3, PT;";
    assert_eq!(printed(trailing), "HSETP2.LT.AND P1, P2, R2, R3;");
}

#[test]
fn immediate_lanes() {
    let lanes = |text: &str| (word(&format!("HADD2 R1, R2, {text};")) >> 32) as u32;
    assert_eq!(lanes("1, -1"), 0x3c00_bc00);
    assert_eq!(lanes("0x7e01, -0"), 0x7e01_8000);
    assert_eq!(lanes("+INF, -INF"), 0x7c00_fc00);
    assert_eq!(lanes("QNAN, -QNAN"), 0x7fff_ffff);
    assert_eq!(lanes(".5, 1."), 0x3800_3c00);
    assert_eq!(lanes("5E-1, +1"), 0x3800_3c00);
    assert_eq!(lanes("1e-9, -1e-9"), 0x0000_8000);
    // 1 + 2^-11 is halfway to the next number, and the last digit is above it.
    assert_eq!(lanes("1.00048828125, 1.00048828125000000000000001"), 0x3c00_3c01);
    let bits = |text: &str| printed(&format!("HADD2 R1, R2, {text};"));
    assert_eq!(bits("0x2e66, 0x7bff"), "HADD2 R1, R2, 0.0999755859375, 65504;");
    assert_eq!(bits("0x0001, 0x8000"), "HADD2 R1, R2, 5.960464477539063e-8, -0;");
    assert_eq!(bits("0x7c00, 0xfe01"), "HADD2 R1, R2, +INF, 0xfe01;");
    for text in ["65520, 0", "Inf, 0", "nan, 0", "-0x3c00, 0", "0x3c, 0", "1"] {
        rejected(&format!("HADD2 R1, R2, {text};"));
    }
    let bfloat = word("HADD2.BF16_V2 R1, R2, 1, 0;") >> 48 & 0xffff;
    assert_eq!(bfloat, 0x3f80);
}

// ---- arithmetic -----------------------------------------------------------------------------------

#[test]
fn absolute_value_then_negation() {
    check("HADD2 R1, -|R2|, RZ;", &[0x4000_c000], 0xc000_c000);
    check("HMUL2 R1, |R2|, -R3;", &[0x4000_c000, ONES], 0xc000_c000);
    // The pseudo-code of these three leaves out both steps.
    check("HFMA2 R1, -|R2|, R3, RZ;", &[0x4000_c000, ONES], 0xc000_c000);
    assert_eq!(predicates("HSETP2.LT.AND P1, P2, -|R2|, R3;", [ONES, 0]), [true; 2]);
    check("HSET2.LT.AND R1, -|R2|, R3;", &[ONES, 0], 0xffff_ffff);
    // A NaN without its sign is still NaN.
    assert_eq!(predicates("HSETP2.NAN.AND P1, P2, -|R2|, R3;", [NANS, 0]), [true; 2]);
}

#[test]
fn half_select_comes_first() {
    check("HADD2 R1, -R2.H0_H0, RZ;", &[0x4000_3c00], 0xbc00_bc00);
    check("HADD2 R1, R2.H1_H1, RZ;", &[0x4000_3c00], 0x4000_4000);
    // In the text of an immediate, the high lane comes first.
    check("HADD2 R1, RZ, 1, -2;", &[], 0x3c00_c000);
}

#[test]
fn ftz_flushes_sources() {
    let (tiny, k) = (0x8001_03ff, 0x6400_6400);
    check("HMUL2 R1, R2, R3;", &[tiny, k], 0x8400_2bfe);
    check("HMUL2.FTZ R1, R2, R3;", &[tiny, k], 0x8000_0000);
    check("HFMA2.FTZ R1, R2, R3, -RZ;", &[tiny, k], 0x8000_0000);
    check("HMNMX2.FTZ R1, R2, R3, !PT;", &[0x8001_0001, 0x8400_8400], 0x8000_0000);
    assert_eq!(predicates("HSETP2.FTZ.EQ.AND P1, P2, R2, RZ;", [tiny, 0]), [true; 2]);
    assert_eq!(predicates("HSETP2.EQ.AND P1, P2, R2, RZ;", [tiny, 0]), [false; 2]);
}

#[test]
fn ftz_flushes_results_after_rounding() {
    check("HMUL2.FTZ R1, R2, R3;", &[0x0400_8400, 0x3800_3800], 0x0000_8000);
    // (1 - 2^-11) * 2^-14 rounds to 2^-14, the smallest normal number, which is kept.
    check("HMUL2.FTZ R1, R2, R3;", &[0x3bff_3bff, 0x0400_0400], 0x0400_0400);
    check("HMUL2.FTZ.RZ R1, R2, R3;", &[0x3bff_3bff, 0x0400_0400], 0);
}

#[test]
fn one_rounding() {
    // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20; the product alone would be rounded to 1 + 2^-9.
    check("HFMA2 R1, R2, R3, R4;", &[0x3c01_3c01, 0x3c01_3c01, 0xbc02_bc02], 0x0010_0010);
}

#[test]
fn rounding_modes() {
    // 1 and 1 + 2^-10, each plus 2^-11: both sums are halfway between two numbers.
    let sources = [0x3c00_3c01, 0x1000_1000];
    check("HADD2 R1, R2, R3;", &sources, 0x3c00_3c02);
    check("HADD2.RM R1, R2, R3;", &sources, 0x3c00_3c01);
    check("HADD2.RP R1, R2, R3;", &sources, 0x3c01_3c02);
    check("HADD2.RZ R1, R2, R3;", &sources, 0x3c00_3c01);
    check("HADD2.RZ R1, -R2, -R3;", &sources, 0xbc00_bc01);
}

#[test]
fn overflow() {
    let largest = [0x7bff_fbff, 0x7bff_fbff];
    check("HADD2 R1, R2, R3;", &largest, 0x7c00_fc00);
    check("HADD2.RM R1, R2, R3;", &largest, 0x7bff_fc00);
    check("HADD2.RP R1, R2, R3;", &largest, 0x7c00_fbff);
    check("HADD2.RZ R1, R2, R3;", &largest, 0x7bff_fbff);
}

#[test]
fn sign_of_zero_sums() {
    let opposite = [0x3c00_0000, 0xbc00_8000];
    for mode in ["", ".RP", ".RZ"] {
        check(&format!("HADD2{mode} R1, R2, R3;"), &opposite, 0);
    }
    check("HADD2.RM R1, R2, R3;", &opposite, 0x8000_8000);
    check("HFMA2.RM R1, R2, R3, R4;", &[ONES, ONES, 0xbc00_bc00], 0x8000_8000);
    check("HADD2 R1, R2, R3;", &[0x8000_8000, 0x8000_8000], 0x8000_8000);
}

#[test]
fn nan_results_are_0x7fff() {
    check("HADD2 R1, R2, R3;", &[NANS, ONES], 0x7fff_7fff);
    check("HADD2 R1, R2, -R3;", &[0x7c00_fc00, 0x7c00_fc00], 0x7fff_7fff);
    check("HMUL2 R1, R2, R3;", &[0x7c00_fc00, 0], 0x7fff_7fff);
    check("HFMA2 R1, R2, R3, R4;", &[ONES, ONES, NANS], 0x7fff_7fff);
    check("HADD2.BF16_V2 R1, R2, RZ;", &[0xffc0_7f81], 0x7fff_7fff);
}

#[test]
fn sat_clamps_and_turns_nan_into_zero() {
    check("HADD2.SAT R1, R2, RZ;", &[0x4000_bc00], 0x3c00_0000);
    check("HADD2.SAT R1, R2, -RZ;", &[0x8000_3800], 0x0000_3800);
    check("HADD2.SAT R1, R2, RZ;", &[NANS], 0);
    check("HMUL2.SAT R1, R2, R3;", &[NANS, ONES], 0);
    check("HFMA2.SAT R1, R2, R3, R4;", &[ONES, ONES, NANS], 0);
    check("HADD2.SAT R1, R2, RZ;", &[0x7c00_fc00], 0x3c00_0000);
}

#[test]
fn relu_keeps_nan_and_negative_zero() {
    check("HFMA2.RELU R1, R2, R3, RZ;", &[0xbc00_4000, ONES], 0x0000_4000);
    check("HFMA2.RELU R1, R2, R3, R4;", &[0x8000_8000, ONES, 0x8000_8000], 0x8000_8000);
    check("HFMA2.RELU R1, R2, R3, RZ;", &[NANS, ONES], 0x7fff_7fff);
}

#[test]
fn f32_widens_the_rounded_sum_of_lane_0() {
    check("HADD2.F32 R1, R2, R3;", &[0x7c00_3c00, 0x0000_4000], 0x4040_0000);
    // 1 + 2^-11 is a 32-bit float, but the sum is rounded to 16 bits before.
    check("HADD2.F32 R1, R2, R3;", &[0x3c00, 0x1000], 0x3f80_0000);
    check("HADD2.F32 R1, R2, RZ;", &[0x0000_fe00], 0x7fff_ffff);
    check("HADD2.F32 R1, R2, RZ;", &[0x0000_0001], 0x3380_0000);
    check("HADD2.BF16_V2.F32 R1, R2, R3;", &[0x3f80, 0x4000], 0x4040_0000);
}

#[test]
fn minimum_if_the_predicate_is_true() {
    let sources = [0x3c00_4000, 0x4000_3c00];
    check("HMNMX2 R1, R2, R3, PT;", &sources, 0x3c00_3c00);
    check("HMNMX2 R1, R2, R3, !PT;", &sources, 0x4000_4000);
}

#[test]
fn negative_zero_is_below_zero_in_minimum_and_maximum() {
    let sources = [0x8000_0000, 0x0000_8000];
    check("HMNMX2 R1, R2, R3, PT;", &sources, 0x8000_8000);
    check("HMNMX2 R1, R2, R3, !PT;", &sources, 0);
}

#[test]
fn nan_in_minimum_and_maximum() {
    check("HMNMX2 R1, R2, R3, PT;", &[NANS, 0x4000_c000], 0x4000_c000);
    check("HMNMX2 R1, R2, R3, PT;", &[0x4000_c000, NANS], 0x4000_c000);
    check("HMNMX2 R1, R2, R3, PT;", &[NANS, NANS], 0x7fff_7fff);
    check("HMNMX2.NAN R1, R2, R3, PT;", &[NANS, ONES], 0x7fff_7fff);
}

#[test]
fn comparisons_with_nan() {
    for cmp in ["LT", "EQ", "LE", "GT", "NE", "GE", "NUM"] {
        let text = format!("HSETP2.{cmp}.AND P1, P2, R2, R3;");
        assert_eq!(predicates(&text, [NANS, ONES]), [false; 2], "{text}");
    }
    for cmp in ["LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "NAN"] {
        let text = format!("HSETP2.{cmp}.AND P1, P2, R2, R3;");
        assert_eq!(predicates(&text, [ONES, NANS]), [true; 2], "{text}");
    }
    assert_eq!(predicates("HSETP2.EQ.AND P1, P2, R2, R3;", [0x8000_0000, 0x0000_8000]), [true; 2]);
}

#[test]
fn pu_is_lane_0_and_pv_is_lane_1() {
    assert_eq!(predicates("HSETP2.LT.AND P1, P2, R2, R3;", [0x3c00_0000, ONES]), [true, false]);
}

#[test]
fn pv_wins() {
    let text = "HSETP2.LT.AND P1, P1, R2, R3;";
    assert_eq!(predicates(text, [0x3c00_0000, ONES]), [false, false]);
    assert_eq!(predicates(text, [0x0000_3c00, ONES]), [true, false]);
}

#[test]
fn pp_is_read_before_pu_is_written() {
    let instruction: Gpu = "HSETP2.LT.AND P1, P2, R2, R3, P1;".parse().unwrap();
    let mut machine = State::new();
    machine.set_reg(2, 0x0000_3c00);
    machine.set_reg(3, ONES);
    machine.set_pred(1, true);
    instruction.execute(&mut machine);
    assert_eq!([machine.pred(1), machine.pred(2)], [false, true]);
}

#[test]
fn truth_values_of_hset2() {
    let sources = [0x3c00_0000, ONES];
    check("HSET2.LT.AND R1, R2, R3;", &sources, 0x0000_ffff);
    check("HSET2.LT.AND.BF R1, R2, R3;", &sources, 0x0000_3c00);
    check("HSET2.BF16_V2.LT.AND.BF R1, R2, R3;", &sources, 0x0000_3f80);
}

#[test]
fn false_guard() {
    let machine = executed("@P0 HADD2 R1, R2, R3;", &[(1, 7), (2, ONES), (3, ONES)]);
    assert_eq!(machine.reg(1), 7);
    let machine = executed("@!P0 HADD2 R1, R2, R3;", &[(1, 7), (2, ONES), (3, ONES)]);
    assert_eq!(machine.reg(1), 0x4000_4000);
}

// ---- video ----------------------------------------------------------------------------------------

#[test]
fn masks_of_the_manual() {
    rejected("vmin4.s32.u32.u32.add r1.b00, r2.b0000, r3.b2222, r1;");
    rejected("vadd4.u32.u32.u32 r1.b01, r2, r3, r4;");
    check(
        "vadd2.u32.u32.u32 r1.h0, r2, r3, r4;",
        &[1 << 16 | 1, 1 << 16 | 1, 7 << 16 | 7],
        0x7_0002,
    );
}

#[test]
fn selectors_of_the_manual() {
    check("vadd4.u32.u32.u32 r1, r2.b0123, r3.b4444, rz;", &[0x0403_0201, 0], 0x0102_0304);
    check("vadd2.u32.u32.u32 r1, r2.h22, r3.h00, rz;", &[0x10, 0x3], 0x13_0013);
    let defaults = "vadd4.u32.u32.u32 r1, r2.b3210, r3.b7654, r4;";
    assert_eq!(printed(defaults), "vadd4.u32.u32.u32 r1, r2, r3, r4;");
}

#[test]
fn source_types_extend_and_the_destination_type_clamps() {
    let sources = [0xffff_ffff, 0x0001_0000];
    check("vadd2.u32.s32.u32 r1, r2, r3, rz;", &sources, 0x0000_ffff);
    check("vadd2.u32.s32.u32.sat r1, r2, r3, rz;", &sources, 0);
    check("vadd2.s32.u32.u32.sat r1, r2, r3, rz;", &sources, 0x7fff_7fff);
    check("vsub4.s32.u32.u32.sat r1, r2, r3, rz;", &[0, 0xffff_ffff], 0x8080_8080);
}

#[test]
fn add_keeps_all_bits_of_each_lane() {
    let (lanes, c) = (0x7fff_7fff, u32::MAX);
    // Both lanes are 65534, and -1 comes from source C.
    check("vadd2.s32.s32.s32.add r1, r2, r3, r4;", &[lanes, lanes, c], 131_067);
    rejected("vadd2.s32.s32.s32.sat.add r1, r2, r3, r4;");
}

#[test]
fn video_operands_are_registers() {
    for text in ["r1, r2, 5, r4", "r1, -r2, r3, r4", "r1, r2, r3, r4.h0"] {
        rejected(&format!("vadd2.u32.u32.u32 {text};"));
    }
    rejected("vadd2.u32.u32 r1, r2, r3, r4;");
}

// ---- the page -------------------------------------------------------------------------------------

/// Checks that the page names each test above, and that each test that it names exists.
#[test]
fn the_page_names_these_tests() {
    let page = include_str!("../../isa-defs/DECISIONS.md");
    let code = include_str!("decisions.rs");
    let tests: Vec<&str> = code
        .split("#[test]\nfn ")
        .skip(1)
        .filter_map(|rest| rest.split_once('('))
        .map(|(name, _)| name)
        .filter(|&name| name != "the_page_names_these_tests")
        .collect();
    for test in &tests {
        assert!(page.contains(&format!("`{test}`")), "the page does not name `{test}`");
    }
    let (_, decisions) = page.split_once("## Decisions").unwrap();
    for line in decisions.split("\n- ").skip(1) {
        let line = line.split("\n\n").next().unwrap().trim_end();
        let name = line.strip_suffix("`).").and_then(|line| line.rsplit_once("(`"));
        let (_, name) = name.unwrap_or_else(|| panic!("no test: {line}"));
        assert!(tests.contains(&name), "no test `{name}`: {line}");
    }
}
