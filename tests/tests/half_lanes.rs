//! Operations that choose or change bits: functions of one operand are tried with all values,
//! functions of two operands with all values against boundary values.
//!
//! The expected results are computed with the operands' values as f64, which `rustc_apfloat`
//! provides.

use isa_half::{
    Compare, Extremum, abs, bf16, canonical_nan, compare, f16, flush, min_max, neg, relu, saturate,
    widen_to_f32_bits,
};
use isa_tests::half_support::{Pair, RELATIONS, boundaries, reference_bits};
use isa_tests::share::share;
use rustc_apfloat::{Float, FloatConvert, ieee};

/// Checks a function of one operand with every value of `H`.
fn check_all<H: Pair>(ours: impl Fn(H) -> H, expected: impl Fn(u16, f64) -> u16) {
    for bits in 0..=u16::MAX {
        let x = H::from_bits(bits);
        let (result, expected) = (ours(x).to_bits(), expected(bits, x.value()));
        assert_eq!(result, expected, "{} {bits:#06x}", H::FORMAT.name);
    }
}

fn check_one_operand<H: Pair>(one: u16) {
    check_all::<H>(abs, |bits, _| bits % 0x8000);
    check_all::<H>(neg, |bits, _| bits.wrapping_add(0x8000));
    check_all::<H>(flush, |bits, _| {
        let subnormal = H::from_bits(bits).reference().is_denormal();
        if subnormal { bits & 0x8000 } else { bits }
    });
    check_all::<H>(saturate, |bits, value| match value {
        v if v.is_nan() || v <= 0.0 => 0,
        v if v > 1.0 => one,
        _ => bits,
    });
    check_all::<H>(relu, |bits, value| if value < 0.0 { 0 } else { bits });
    check_all::<H>(canonical_nan, |bits, _| reference_bits(H::from_bits(bits).reference()));
}

#[test]
fn one_operand() {
    check_one_operand::<f16>(0x3c00);
    check_one_operand::<bf16>(0x3f80);
}

fn check_widening<H: Pair>() {
    for bits in 0..=u16::MAX {
        let x = H::from_bits(bits);
        let single: ieee::Single = x.reference().convert(&mut false).value;
        let expected = if x.value().is_nan() { 0x7fff_ffff } else { single.to_bits() as u32 };
        assert_eq!(widen_to_f32_bits(x), expected, "{} {bits:#06x}", H::FORMAT.name);
    }
}

#[test]
fn widening() {
    check_widening::<f16>();
    check_widening::<bf16>();
}

/// Returns the result of a relation, written from the prose on each relation.
fn expected_relation(op: Compare, a: f64, b: f64) -> bool {
    let nan = a.is_nan() || b.is_nan();
    match op {
        Compare::Lt => a < b,
        Compare::Eq => a == b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ne => !nan && a != b,
        Compare::Ge => a >= b,
        Compare::Num => !nan,
        Compare::Nan => nan,
        Compare::Ltu => nan || a < b,
        Compare::Equ => nan || a == b,
        Compare::Leu => nan || a <= b,
        Compare::Gtu => nan || a > b,
        Compare::Neu => nan || a != b,
        Compare::Geu => nan || a >= b,
    }
}

/// Calls `check` with every value of `H`, or a share of them, against the boundary values, in both
/// orders.
///
/// For bf16, a quarter of the exponents is sufficient, including both ends, because neither
/// function computes with exponents.
fn for_all_pairs<H: Pair>(check: impl Fn([H; 2], [f64; 2])) {
    let all: Vec<(H, f64)> =
        (0..=u16::MAX).map(|bits| H::from_bits(bits)).map(|x| (x, x.value())).collect();
    let step = (1 << H::FORMAT.exponent_bits) / 32;
    for bits in boundaries::<H>() {
        let field = (bits & 0x7fff) >> H::FORMAT.fraction_bits;
        if (1..step - 1).contains(&(field % step)) && field != 1 {
            continue;
        }
        let (b, value_b) = all[usize::from(bits)];
        for &(a, value_a) in all.iter().skip(usize::from(bits) % share()).step_by(share()) {
            check([a, b], [value_a, value_b]);
            check([b, a], [value_b, value_a]);
        }
    }
}

fn check_comparison<H: Pair>() {
    for_all_pairs::<H>(|[a, b], [value_a, value_b]| {
        for op in RELATIONS {
            let expected = expected_relation(op, value_a, value_b);
            assert!(
                compare(op, a, b) == expected,
                "{} {op:?} {a:?} {b:?}: expected {expected}",
                H::FORMAT.name,
            );
        }
    });
}

#[test]
fn comparison_f16() {
    check_comparison::<f16>();
}

#[test]
fn comparison_bf16() {
    check_comparison::<bf16>();
}

/// Returns the expected result of HMNMX2 for each case, as the source and `isa-defs/DECISIONS.md`
/// define it.
fn expected_choice(minimum: bool, propagate_nan: bool, bits: [u16; 2], values: [f64; 2]) -> u16 {
    let [a, b] = bits;
    let [x, y] = values;
    let a_is_less = x < y || (x == 0.0 && y == 0.0 && x.is_sign_negative());
    match (x.is_nan(), y.is_nan()) {
        (true, true) => 0x7fff,
        (true, false) | (false, true) if propagate_nan => 0x7fff,
        (true, false) => b,
        (false, true) => a,
        (false, false) if minimum == a_is_less => a,
        (false, false) => b,
    }
}

fn check_choice<H: Pair>() {
    for_all_pairs::<H>(|[a, b], values| {
        let bits = [a.to_bits(), b.to_bits()];
        for (which, minimum) in [(Extremum::Minimum, true), (Extremum::Maximum, false)] {
            for propagate_nan in [false, true] {
                let result = min_max(which, propagate_nan, a, b).to_bits();
                let expected = expected_choice(minimum, propagate_nan, bits, values);
                assert!(
                    result == expected,
                    "{} {which:?} {propagate_nan} {bits:04x?}: {result:#06x}, \
                     expected {expected:#06x}",
                    H::FORMAT.name,
                );
            }
        }
    });
}

#[test]
fn minimum_and_maximum_f16() {
    check_choice::<f16>();
}

#[test]
fn minimum_and_maximum_bf16() {
    check_choice::<bf16>();
}
