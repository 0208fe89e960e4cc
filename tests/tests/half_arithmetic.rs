//! Compares addition, multiplication and fused multiply-add with `rustc_apfloat`.

use isa_half::{Rounding, add, bf16, f16, fma, mul};
use isa_tests::half_support::{Operands, Pair, ROUNDINGS, on_all_cores, reference_bits};
use rustc_apfloat::{Float, Round};

/// The number of operands for each function and format. Each is tried in all four rounding modes.
const CASES: u64 = 10_000_000;

/// Compares `ours` with `theirs` on `CASES` weighted operands, in every mode.
fn check<H: Pair>(
    what: &str,
    operands: impl Fn(&mut Operands) -> [u16; 3] + Sync,
    ours: impl Fn([H; 3], Rounding) -> H + Sync,
    theirs: impl Fn([H::Reference; 3], Round) -> H::Reference + Sync,
) {
    on_all_cores(CASES, |part, range| {
        let mut source = Operands::new::<H>(part);
        for case in range {
            let bits = operands(&mut source);
            let values = bits.map(H::from_bits);
            let references = values.map(H::reference);
            for (rounding, round) in ROUNDINGS {
                let result = ours(values, rounding).to_bits();
                let expected = reference_bits(theirs(references, round));
                assert!(
                    result == expected,
                    "{} {what} of {bits:04x?} {rounding:?}: {result:#06x}, \
                     expected {expected:#06x} (part {part}, case {case})",
                    H::FORMAT.name,
                );
            }
        }
    });
}

fn check_add<H: Pair>() {
    check::<H>(
        "sum",
        |source| {
            let a = source.one();
            [a, source.beside(a), 0]
        },
        |[a, b, _], rounding| add(a, b, rounding),
        |[a, b, _], round| a.add_r(b, round).value,
    );
}

fn check_mul<H: Pair>() {
    check::<H>(
        "product",
        |source| [source.one(), source.one(), 0],
        |[a, b, _], rounding| mul(a, b, rounding),
        |[a, b, _], round| a.mul_r(b, round).value,
    );
}

fn check_fma<H: Pair>() {
    check::<H>(
        "fused product and sum",
        |source| {
            let (a, b) = (source.one(), source.one());
            // Half of the addends are close to the product, which causes cancellation and ties.
            let product = H::from_bits(a).reference() * H::from_bits(b).reference();
            [a, b, source.beside(product.value.to_bits() as u16)]
        },
        |[a, b, c], rounding| fma(a, b, c, rounding),
        |[a, b, c], round| a.mul_add_r(b, c, round).value,
    );
}

#[test]
fn f16_sums() {
    check_add::<f16>();
}

#[test]
fn bf16_sums() {
    check_add::<bf16>();
}

#[test]
fn f16_products() {
    check_mul::<f16>();
}

#[test]
fn bf16_products() {
    check_mul::<bf16>();
}

#[test]
fn f16_fused_sums() {
    check_fma::<f16>();
}

#[test]
fn bf16_fused_sums() {
    check_fma::<bf16>();
}
