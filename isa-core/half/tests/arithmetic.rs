//! Tests half-precision arithmetic with results computed by hand: one or two for each constant of
//! the implementation.
//!
//! A test of the workspace compares hundreds of millions of results with a reference
//! implementation.

use isa_half::{Compare, Half, Rounding, add, bf16, compare, f16, fma, mul, parse_lane};

const MODES: [Rounding; 4] = [
    Rounding::NearestEven,
    Rounding::TowardNegative,
    Rounding::TowardPositive,
    Rounding::TowardZero,
];

/// Compares a result in the four rounding modes.
fn check<H: Half>(what: impl Fn(Rounding) -> H, expected: [u16; 4]) {
    assert_eq!(MODES.map(|rounding| what(rounding).to_bits()), expected, "{}", H::FORMAT.name);
}

#[test]
fn sums_and_products_of_f16() {
    let half = f16::from_bits;
    let sum = |a, b, expected| check(|rounding| add(half(a), half(b), rounding), expected);
    let product = |a, b, expected| check(|rounding| mul(half(a), half(b), rounding), expected);
    sum(0x0001, 0x0001, [0x0002; 4]);
    sum(0x3c00, 0x8000, [0x3c00; 4]);
    // 1 plus half a unit in the last place, and the same for -1.
    sum(0x3c00, 0x1000, [0x3c00, 0x3c00, 0x3c01, 0x3c00]);
    sum(0x3c01, 0x1000, [0x3c02, 0x3c01, 0x3c02, 0x3c01]);
    sum(0xbc00, 0x9000, [0xbc00, 0xbc01, 0xbc00, 0xbc00]);
    // The largest number plus 16 is a tie with the first value that overflows; plus 8 is below the
    // tie.
    sum(0x7bff, 0x4c00, [0x7c00, 0x7bff, 0x7c00, 0x7bff]);
    sum(0x7bff, 0x4800, [0x7bff, 0x7bff, 0x7c00, 0x7bff]);
    sum(0xfbff, 0xcc00, [0xfc00, 0xfc00, 0xfbff, 0xfbff]);
    sum(0x3c00, 0xbc00, [0x0000, 0x8000, 0x0000, 0x0000]);
    sum(0x7c00, 0x3c00, [0x7c00; 4]);
    sum(0x7c00, 0xfc00, [0x7fff; 4]);
    sum(0xfe01, 0x3c00, [0x7fff; 4]);
    product(0x4200, 0x4200, [0x4880; 4]);
    product(0x0400, 0x3800, [0x0200; 4]);
    product(0x0001, 0x3800, [0x0000, 0x0000, 0x0001, 0x0000]);
    product(0x8001, 0x3800, [0x8000, 0x8001, 0x8000, 0x8000]);
    product(0x0001, 0x0001, [0x0000, 0x0000, 0x0001, 0x0000]);
    product(0x7bff, 0x4000, [0x7c00, 0x7bff, 0x7c00, 0x7bff]);
    product(0x7c00, 0x0000, [0x7fff; 4]);
    let fused = |a, b, c, expected| {
        check(|rounding| fma(half(a), half(b), half(c), rounding), expected);
    };
    fused(0x3c00, 0x3c00, 0x0001, [0x3c00, 0x3c00, 0x3c01, 0x3c00]);
    fused(0x3c01, 0x3c01, 0xbc02, [0x0010; 4]);
}

#[test]
fn sums_and_products_of_bf16() {
    let half = bf16::from_bits;
    let sum = |a, b, expected| check(|rounding| add(half(a), half(b), rounding), expected);
    let product = |a, b, expected| check(|rounding| mul(half(a), half(b), rounding), expected);
    sum(0x0001, 0x0001, [0x0002; 4]);
    // 1 plus half a unit in the last place, 2^-8; then plus 2^-9.
    sum(0x3f80, 0x3b80, [0x3f80, 0x3f80, 0x3f81, 0x3f80]);
    sum(0x3f81, 0x3b80, [0x3f82, 0x3f81, 0x3f82, 0x3f81]);
    sum(0x3f80, 0x0001, [0x3f80, 0x3f80, 0x3f81, 0x3f80]);
    sum(0x7f7f, 0x7f7f, [0x7f80, 0x7f7f, 0x7f80, 0x7f7f]);
    sum(0x7f7f, 0x7b80, [0x7f80, 0x7f7f, 0x7f80, 0x7f7f]);
    sum(0x7f80, 0x3f80, [0x7f80; 4]);
    sum(0xff80, 0x3f80, [0xff80; 4]);
    sum(0x7f80, 0xff80, [0x7fff; 4]);
    product(0x4040, 0x4040, [0x4110; 4]);
    product(0x0080, 0x3f00, [0x0040; 4]);
    product(0x0001, 0x3f00, [0x0000, 0x0000, 0x0001, 0x0000]);
    product(0x0001, 0x0001, [0x0000, 0x0000, 0x0001, 0x0000]);
    product(0xff7f, 0x4000, [0xff80, 0xff80, 0xff7f, 0xff7f]);
}

#[test]
fn relations() {
    use Compare::*;
    let table = [
        (Lt, [true, false, false, false]),
        (Eq, [false, true, false, false]),
        (Le, [true, true, false, false]),
        (Gt, [false, false, true, false]),
        (Ne, [true, false, true, false]),
        (Ge, [false, true, true, false]),
        (Num, [true, true, true, false]),
        (Nan, [false, false, false, true]),
        (Ltu, [true, false, false, true]),
        (Equ, [false, true, false, true]),
        (Leu, [true, true, false, true]),
        (Gtu, [false, false, true, true]),
        (Neu, [true, false, true, true]),
        (Geu, [false, true, true, true]),
    ];
    for (relation, expected) in table {
        for pairs in [
            [(0x3c00, 0x4000), (0x3c00, 0x3c00), (0x4000, 0x3c00), (0x7fff, 0x3c00)],
            [(0xc000, 0xbc00), (0x8000, 0x0000), (0x0001, 0x8001), (0x3c00, 0xfe01)],
        ] {
            let found = pairs.map(|(a, b)| compare(relation, f16::from_bits(a), f16::from_bits(b)));
            assert_eq!(found, expected, "{relation:?}");
        }
    }
}

#[test]
fn decimals() {
    let short = |text: &str| parse_lane::<f16>(text.as_bytes()).ok();
    assert_eq!([short("0.1"), short("1"), short("65504")], [0x2e66, 0x3c00, 0x7bff].map(Some));
    assert_eq!(short("65519.99999999999999999999"), Some(0x7bff));
    assert_eq!((short("65520"), short("1e5")), (None, None));
    assert_eq!(short("0.1234567890123456"), Some(0x2fe7), "18 characters");
    assert_eq!(short("0.12345678901234567"), Some(0x2fe7), "19 characters");
    assert_eq!((short("123456789012.345e-9"), short("1.5E+2")), (Some(0x57b7), Some(0x58b0)));
    // Halfway between 1 and the next number, and the same with a digit 1 at the end, 120 digits
    // later.
    let tie = "1.00048828125".to_owned();
    assert_eq!(short(&tie), Some(0x3c00));
    assert_eq!(short(&(tie.clone() + &"0".repeat(120) + "1")), Some(0x3c01));
    assert_eq!(short(&(tie.clone() + &"0".repeat(200) + "1")), Some(0x3c01));
    assert_eq!(short("1.000488281249999999999999999"), Some(0x3c00));
    assert_eq!(short("1.000488286837935"), Some(0x3c01), "cut to 28 bits behind the point");
    assert_eq!(short("1.00146484375"), Some(0x3c02), "to the even one");
    // Half of the smallest bf16 has 94 significant digits.
    let long = |text: &str| parse_lane::<bf16>(text.as_bytes()).ok();
    let half = format!("{:.134}", 2f64.powi(-134));
    assert_eq!((long(&half), long(&(half.clone() + "1"))), (Some(0), Some(1)));
    assert_eq!(long(&(half.clone() + &"0".repeat(100) + "1")), Some(1));
    assert_eq!((long("0.000000001"), long("0.000000003")), (Some(0x3089), Some(0x314e)));
    assert_eq!((long("1e-400"), long("3e38"), long("1e39")), (Some(0), Some(0x7f62), None));
}
