//! The text of lanes. Printing is compared with the rule, and parsing with `rustc_apfloat` and with
//! exact midpoints.

use isa_half::{LANE_BUFFER, LANE_TEXT_MAX, LaneError, bf16, f16, parse_lane, write_lane};
use isa_tests::half_support::{Pair, Random, on_all_cores, reference_bits};
use isa_tests::share::share;
use rustc_apfloat::Float;

fn printed<H: Pair>(bits: u16) -> String {
    let mut buffer = [0; LANE_BUFFER];
    let length = write_lane(H::from_bits(bits), &mut buffer);
    String::from_utf8(buffer[..length].to_vec()).expect("printed text is ASCII")
}

fn parsed<H: Pair>(text: &str) -> Result<u16, LaneError> {
    parse_lane::<H>(text.as_bytes())
}

/// Shortens a text that may have thousands of digits to its beginning and its end.
fn brief(text: &str) -> String {
    match text.len() {
        0..=400 => text.to_owned(),
        length => format!("{}...{} ({length} bytes)", &text[..200], &text[length - 100..]),
    }
}

/// Checks all lanes and returns the length of the longest text.
fn check_round_trip<H: Pair>() -> usize {
    let mut longest = 0;
    for bits in 0..=u16::MAX {
        let value = H::from_bits(bits).value();
        let expected = match value {
            v if v.is_nan() => format!("{bits:#06x}"),
            v if v.is_infinite() => if v > 0.0 { "+INF" } else { "-INF" }.to_owned(),
            v => format!("{v:?}").trim_end_matches(".0").to_owned(),
        };
        let text = printed::<H>(bits);
        assert_eq!(text, expected, "{} {bits:#06x}", H::FORMAT.name);
        assert_eq!(parsed::<H>(&text), Ok(bits), "{} {text}", H::FORMAT.name);
        assert_eq!(parsed::<H>(&format!("{bits:#06x}")), Ok(bits));
        assert_eq!(parsed::<H>(&format!("0x{bits:04X}")), Ok(bits));
        longest = longest.max(text.len());
    }
    longest
}

#[test]
fn every_lane_reads_back() {
    let longest = check_round_trip::<f16>().max(check_round_trip::<bf16>());
    assert_eq!(longest, LANE_TEXT_MAX);
}

#[test]
fn printed_forms() {
    let cases = [
        (0x3c00, "1"),
        (0xbc00, "-1"),
        (0x2e66, "0.0999755859375"),
        (0x7bff, "65504"),
        (0x0001, "5.960464477539063e-8"),
        (0x8000, "-0"),
        (0x7c00, "+INF"),
        (0xfc00, "-INF"),
        (0x7e01, "0x7e01"),
        (0xffff, "0xffff"),
    ];
    for (bits, text) in cases {
        assert_eq!(printed::<f16>(bits), text);
    }
    assert_eq!(printed::<bf16>(0x7f7f), "3.3895313892515355e38");
}

#[test]
fn named_values() {
    fn check<H: Pair>(infinity: u16) {
        for (text, bits) in [
            ("INF", infinity),
            ("+INF", infinity),
            ("-INF", infinity | 0x8000),
            ("QNAN", 0x7fff),
            ("+QNAN", 0x7fff),
            ("-QNAN", 0xffff),
            ("-0", 0x8000),
            ("+0", 0x0000),
        ] {
            assert_eq!(parsed::<H>(text), Ok(bits), "{text}");
        }
    }
    check::<f16>(0x7c00);
    check::<bf16>(0x7f80);
}

#[test]
fn wrong_texts() {
    use LaneError::{Empty, HexDigits, NotANumber};
    let cases = [
        ("", Empty),
        ("+", NotANumber),
        (".", NotANumber),
        ("-.", NotANumber),
        ("e5", NotANumber),
        ("1e", NotANumber),
        ("1e+", NotANumber),
        ("1e5.0", NotANumber),
        ("1.2.3", NotANumber),
        ("--1", NotANumber),
        ("+-1", NotANumber),
        (" 1", NotANumber),
        ("1 ", NotANumber),
        ("1_000", NotANumber),
        ("1f", NotANumber),
        ("inf", NotANumber),
        ("Inf", NotANumber),
        ("INFINITY", NotANumber),
        ("++INF", NotANumber),
        ("nan", NotANumber),
        ("NAN", NotANumber),
        ("SNAN", NotANumber),
        ("-0x3c00", NotANumber),
        ("0X3c00", NotANumber),
        ("\u{ff11}", NotANumber),
        ("0x", HexDigits),
        ("0x3c0", HexDigits),
        ("0x03c00", HexDigits),
        ("0x3c0g", HexDigits),
        ("0x+3c0", HexDigits),
    ];
    for (text, error) in cases {
        assert_eq!(parsed::<f16>(text), Err(error), "{text:?}");
        assert_eq!(parsed::<bf16>(text), Err(error), "{text:?}");
    }
    assert_eq!(parse_lane::<f16>(&[b'1', 0xff]), Err(NotANumber));
}

#[test]
fn messages_name_the_limit() {
    let message = |result: Result<u16, LaneError>| result.unwrap_err().to_string();
    let text = message(parsed::<f16>("1e6"));
    assert!(text.starts_with("too large for f16, whose largest finite value is 65504:"), "{text}");
    let text = message(parsed::<bf16>("-1e39"));
    assert!(text.contains("bf16") && text.contains("3.3895313892515355e38"), "{text}");
}

/// Checks that a text is accepted as a decimal if and only if Rust accepts it as f64.
#[test]
fn form_of_decimals() {
    let mut random = Random::new(1);
    for _ in 0..1_000_000 {
        let text: String = (0..random.below(9))
            .map(|_| char::from(b"000159.eE+-"[random.below(11) as usize]))
            .collect();
        let taken = !matches!(parsed::<bf16>(&text), Err(LaneError::NotANumber | LaneError::Empty));
        assert_eq!(taken, text.parse::<f64>().is_ok(), "{text:?}");
    }
}

/// Checks that parsing any bytes returns a result.
#[test]
fn any_bytes() {
    const BYTES: &[u8] = b"0123456789abfxX.eE+-_INFQA \0\x80\xff";
    let mut random = Random::new(2);
    for _ in 0..1_000_000 {
        let text: Vec<u8> = (0..random.below(12))
            .map(|_| BYTES[random.below(BYTES.len() as u32) as usize])
            .collect();
        let _ = parse_lane::<f16>(&text);
        let _ = parse_lane::<bf16>(&text);
    }
}

/// Compares a decimal with `rustc_apfloat`. If its result is infinity, we expect an error.
fn check_decimal<H: Pair>(text: &str) {
    let reference = text.parse::<H::Reference>().unwrap_or_else(|e| panic!("{text:?}: {e:?}"));
    let format = H::FORMAT;
    let expected = if reference.is_infinite() {
        Err(LaneError::TooLarge { format })
    } else {
        Ok(reference_bits(reference))
    };
    assert_eq!(parsed::<H>(text), expected, "{} {}", format.name, brief(text));
}

/// Returns a decimal with up to 60 digits, with a point at any position, and sometimes with an
/// exponent.
fn random_decimal(random: &mut Random, exponents: u32) -> String {
    let mut text = String::from(["", "-", "+"][random.below(3) as usize]);
    let longest = [3, 8, 20, 60][random.below(4) as usize];
    let digits = 1 + random.below(longest);
    let point = random.below(2 * digits);
    for place in 0..digits {
        if place == point {
            text.push('.');
        }
        text.push(char::from(b'0' + random.below(10) as u8));
    }
    if random.below(4) != 0 {
        let exponent = i64::from(random.below(2 * exponents)) - i64::from(exponents);
        text.push_str(&format!("e{exponent}"));
    }
    text
}

#[test]
fn random_decimals() {
    on_all_cores(1_000_000, |part, range| {
        let mut random = Random::new(100 + part);
        for _ in range {
            check_decimal::<f16>(&random_decimal(&mut random, 12));
            check_decimal::<bf16>(&random_decimal(&mut random, 60));
        }
    });
}

/// Returns the midpoint between the finite value `bits` and the next one. After the largest finite
/// value, the next one is the power of two.
fn midpoint<H: Pair>(bits: u16) -> f64 {
    let next = if bits == H::FORMAT.largest() {
        f64::from(H::FORMAT.bias + 1).exp2()
    } else {
        H::from_bits(bits + 1).value()
    };
    (H::from_bits(bits).value() + next) / 2.0
}

/// Returns the decimal minus one unit in its last place. At least one digit must not be 0.
fn less_one_in_last_place(text: &str) -> String {
    let mut borrow = true;
    let digits = text.chars().rev().map(|c| match c {
        '0' if borrow => '9',
        '1'..='9' if borrow => {
            borrow = false;
            char::from(c as u8 - 1)
        }
        c => c,
    });
    let reversed: String = digits.collect();
    reversed.chars().rev().collect()
}

/// Checks the exact midpoint above `bits`, and decimals just below and above it.
fn check_midpoint<H: Pair>(bits: u16, zeros: usize) {
    let up = bits + 1;
    let even = if bits.is_multiple_of(2) { bits } else { up };
    // All digits that a midpoint of either format has, then zeros.
    let exact = format!("{:.135}{}", midpoint::<H>(bits), "0".repeat(zeros));
    let below = less_one_in_last_place(&exact);
    let above = format!("{exact}1");
    for (text, expected) in [(&exact, even), (&below, bits), (&above, up)] {
        let expected = if expected == H::FORMAT.infinity() {
            Err(LaneError::TooLarge { format: H::FORMAT })
        } else {
            Ok(expected)
        };
        let name = H::FORMAT.name;
        assert_eq!(parsed::<H>(text), expected, "{name} {}", brief(text));
        // The same number without the point, which is moved to the exponent.
        let places = text.len() - 1 - text.find('.').expect("has a fraction");
        let integer = format!("-{}e-{places}", text.replace('.', ""));
        let negative = expected.map(|bits| bits | 0x8000);
        assert_eq!(parsed::<H>(&integer), negative, "{name} {}", brief(&integer));
    }
}

/// Checks every midpoint, or a share of them.
#[test]
fn every_midpoint() {
    for bits in (0..f16::from_bits(0x7c00).to_bits()).step_by(share()) {
        check_midpoint::<f16>(bits, 0);
        check_midpoint::<f16>(bits, 1 + usize::from(bits % 9) * 40);
    }
    for bits in (0..bf16::from_bits(0x7f80).to_bits()).step_by(share()) {
        check_midpoint::<bf16>(bits, 0);
        check_midpoint::<bf16>(bits, 1 + usize::from(bits % 9) * 40);
    }
}

/// Checks decimals of few digits that are close to a midpoint. They are parsed by an integer
/// division to 28 bits after the point, and these are within two such bits of the midpoint.
#[test]
fn short_decimals_close_to_midpoints() {
    fn check<H: Pair>(bits: u16) {
        for quarters in -8..=8 {
            let text =
                format!("{:.15}", midpoint::<H>(bits) + f64::from(quarters) * 2f64.powi(-30));
            assert_eq!(text.len(), 17);
            check_decimal::<H>(&text);
        }
    }
    for step in 0..128 {
        check::<f16>(0x3c00 + 7 * step);
        check::<bf16>(0x3f80 + step);
    }
}

#[test]
fn thousands_of_digits() {
    for bits in [0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x3bff, 0x4d2a, 0x7bfe, 0x7bff] {
        check_midpoint::<f16>(bits, 20_000);
    }
    for bits in [0x0000, 0x0001, 0x007f, 0x0080, 0x3f80, 0x3f7f, 0x4d2a, 0x7f7e, 0x7f7f] {
        check_midpoint::<bf16>(bits, 20_000);
    }
    check_decimal::<f16>(&"9".repeat(3000));
    check_decimal::<f16>(&format!("0.{}", "9".repeat(3000)));
    check_decimal::<bf16>(&format!("{}e-3000", "3".repeat(3020)));
}

/// Checks truncated decimals near midpoints: they have too many digits for binary64 and too few to
/// equal the midpoint.
#[test]
fn cut_midpoints() {
    fn check<H: Pair>(random: &mut Random) {
        let bits = random.next() as u16 % H::FORMAT.infinity();
        let digits = random.below(60) as usize;
        check_decimal::<H>(&format!("{:.*e}", digits, midpoint::<H>(bits)));
    }
    on_all_cores(400_000, |part, range| {
        let mut random = Random::new(200 + part);
        for _ in range {
            check::<f16>(&mut random);
            check::<bf16>(&mut random);
        }
    });
}

#[test]
fn overflow_threshold() {
    fn check<H: Pair>(threshold: &str, below: &str) {
        let too_large = Err(LaneError::TooLarge { format: H::FORMAT });
        let largest = H::FORMAT.largest();
        for tail in ["", ".", ".0", ".000000000000000000000000000000000000000001", "e0", "1", "0"] {
            assert_eq!(parsed::<H>(&format!("{threshold}{tail}")), too_large, "{tail}");
            assert_eq!(parsed::<H>(&format!("-{threshold}{tail}")), too_large, "{tail}");
        }
        for tail in ["", ".9", ".99999999999999999999999999999999999999999999999999999999"] {
            assert_eq!(parsed::<H>(&format!("{below}{tail}")), Ok(largest), "{tail}");
            assert_eq!(parsed::<H>(&format!("-{below}{tail}")), Ok(largest | 0x8000), "{tail}");
        }
    }
    check::<f16>("65520", "65519");
    // (2 - 2^-8) * 2^127.
    check::<bf16>(
        "339617752923046005526922703901628039168",
        "339617752923046005526922703901628039167",
    );
}

#[test]
fn absurd_exponents() {
    fn check<H: Pair>(one: u16) {
        let too_large = Err(LaneError::TooLarge { format: H::FORMAT });
        // The exponent does not fit in any integer type.
        let nines = "9".repeat(40);
        for (text, expected) in [
            (format!("1e{nines}"), too_large),
            (format!("-1e+{nines}"), too_large),
            (format!("1e-{nines}"), Ok(0)),
            (format!("-1E-{nines}"), Ok(0x8000)),
            (format!("0e{nines}"), Ok(0)),
            (format!("-0.000e{nines}"), Ok(0x8000)),
            ("1e9223372036854775807".to_owned(), too_large),
            ("1e-9223372036854775808".to_owned(), Ok(0)),
            (format!("0.00001e-{nines}"), Ok(0)),
            (format!("100000e{nines}"), too_large),
            (format!("{}e{nines}", "7".repeat(300)), too_large),
            (format!("-{}e-{nines}", "7".repeat(300)), Ok(0x8000)),
            (format!("0.{}1e700001", "0".repeat(700_000)), Ok(one)),
            (format!("1{}e-800000", "0".repeat(800_000)), Ok(one)),
            (format!("{}1", "0".repeat(100_000)), Ok(one)),
            (format!("1.{}", "0".repeat(100_000)), Ok(one)),
        ] {
            assert_eq!(parsed::<H>(&text), expected, "{}", brief(&text));
        }
    }
    check::<f16>(0x3c00);
    check::<bf16>(0x3f80);
}
