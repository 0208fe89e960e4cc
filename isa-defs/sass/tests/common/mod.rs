//! The comparison of words with the text that `nvdisasm` prints for them.

use isa_core::text::Style;
use isa_sass::{Sm75, Sm80, Sm86, Sm89, Sm90, Sm100, Sm120};

/// The bits of the control word that `nvdisasm` does not print, and their defaults.
const CONTROL: u128 = 0x1_ffff << 105;
const DEFAULTS: u128 = (1 | 1 << 4 | 7 << 5 | 7 << 8) << 105;

/// Returns the mnemonic of a text without its modifiers.
pub(crate) fn mnemonic(text: &str) -> &str {
    let word = text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default();
    word.split('.').next().unwrap_or_default()
}

/// Replaces the target of a branch, which `nvdisasm` prints as an address, by a sum with the address
/// of the instruction, because the parser reads a number as a distance.
fn with_distance(at: u64, text: &str) -> String {
    let target = text.rsplit_once(' ').and_then(|(start, number)| {
        let (sign, digits) = number.strip_prefix('-').map_or((1, number), |digits| (-1, digits));
        Some((start, sign * i64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?))
    });
    match target {
        Some((start, target)) if ["BRA", "BSSY", "CALL"].contains(&mnemonic(text)) => {
            let distance = target - at as i64;
            let sign = if distance < 0 { '-' } else { '+' };
            format!("{start} . {sign} {}", distance.unsigned_abs())
        }
        _ => text.to_owned(),
    }
}

/// Replaces an address above 2^63 at the end of a text by a negative number, as `nvdisasm` prints
/// targets before the beginning of the code.
fn with_sign(text: &str) -> String {
    let address = text.rsplit_once(" 0x").and_then(|(start, digits)| {
        let address = u64::from_str_radix(digits, 16).ok()? as i64;
        (address < 0).then(|| format!("{start} -{:#x}", address.unsigned_abs()))
    });
    address.unwrap_or_else(|| text.to_owned())
}

/// Defines a function that compares one word and returns the class and the description of a
/// difference.
macro_rules! comparison {
    ($name:ident, $set:ty) => {
        fn $name(at: u64, word: u128, text: &str) -> Result<(), (String, String)> {
            let name = mnemonic(text);
            let fail = |class: &str, found: String| {
                Err((format!("{name}: {class}"), format!("{word:032x} {text}: {found}")))
            };
            let plain = <$set>::decode(word & !CONTROL | DEFAULTS);
            let (plain, full) = match (plain, <$set>::decode(word)) {
                (Ok(plain), Ok(full)) => (plain, full),
                (Err(error), _) | (_, Err(error)) => return fail(UNDECODED, error.to_string()),
            };
            let shown = plain.at(at, &()).style(STYLE).to_string();
            // `nvdisasm` does not print the descriptor of some loads and stores.
            let shown = shown.split(" &desc=").next().unwrap_or_default();
            let shown = shown.trim_end_matches(';').trim_end();
            let length = shown.len();
            let shown = with_sign(shown);
            if shown != text {
                return fail("text", format!("printed as {shown}"));
            }
            let complete = full.at(at, &()).style(STYLE).to_string();
            let suffix = complete.trim_end_matches(';').get(length..).unwrap_or_default();
            let text = with_distance(at, text);
            match <$set>::parse_at(&format!("{text}{suffix};"), at, &()) {
                Ok(parsed) if parsed.encode().ok() == Some(word) => Ok(()),
                Ok(parsed) => fail("word", format!("parsed as {:032x?}", parsed.encode())),
                Err(error) => fail("not parsed", error.to_string()),
            }
        }
    };
}

comparison!(sm_75, Sm75);
comparison!(sm_80, Sm80);
comparison!(sm_86, Sm86);
comparison!(sm_89, Sm89);
comparison!(sm_90, Sm90);
comparison!(sm_100, Sm100);
comparison!(sm_120, Sm120);

/// The class of words that a set does not decode.
pub(crate) const UNDECODED: &str = "not decoded";

/// `nvdisasm` prints targets of branches as addresses.
const STYLE: Style = Style::new().addresses();

/// The comparison of one word.
pub(crate) type Comparison = fn(u64, u128, &str) -> Result<(), (String, String)>;

/// The chips and their sets.
pub(crate) const CHIPS: [(u32, Comparison); 7] =
    [(75, sm_75), (80, sm_80), (86, sm_86), (89, sm_89), (90, sm_90), (100, sm_100), (120, sm_120)];
