//! The comparison of words with the text that `nvdisasm` prints for them.

use isa_core::text::{Cursor, InstructionContext, Style};
use isa_sass::Sass;

mod chips;

pub(crate) use chips::{CHIPS, features};

/// The bits of the control word that `nvdisasm` does not print, and their defaults.
const CONTROL: u128 = 0x1_ffff << 105;
const DEFAULTS: u128 = (1 | 1 << 4 | 7 << 5 | 7 << 8) << 105;

/// Returns the mnemonic of a text without its modifiers.
pub(crate) fn mnemonic(text: &str) -> &str {
    let word = text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default();
    word.split('.').next().unwrap_or_default()
}

/// Replaces the target of a branch, which `nvdisasm` prints as an address, by its distance,
/// because the parser reads a number as a distance.
fn with_distance(at: u64, text: &str) -> String {
    let target = text.rsplit_once(' ').and_then(|(start, number)| {
        let (sign, digits) = number.strip_prefix('-').map_or((1, number), |digits| (-1, digits));
        Some((start, sign * i64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?))
    });
    match target {
        Some((start, target))
            if BRANCHES.contains(&mnemonic(text)) || text.contains("COLLECTIVE") =>
        {
            // The distance is relative to the next instruction.
            let distance = target - at as i64 - 16;
            let sign = if distance < 0 { "-" } else { "" };
            format!("{start} {sign}{}", distance.unsigned_abs())
        }
        _ => text.to_owned(),
    }
}

/// The mnemonics of instructions with a target.
const BRANCHES: [&str; 5] = ["BRA", "BSSY", "CALL", "LEPC", "RET"];

/// Replaces an address above 2^63 at the end of a text by a negative number, as `nvdisasm` prints
/// targets before the beginning of the code.
fn with_sign(text: &str) -> String {
    if !BRANCHES.contains(&mnemonic(text)) {
        return text.to_owned();
    }
    let address = text.rsplit_once(" 0x").and_then(|(start, digits)| {
        let address = u64::from_str_radix(digits, 16).ok()? as i64;
        (address < 0).then(|| format!("{start} -{:#x}", address.unsigned_abs()))
    });
    address.unwrap_or_else(|| text.to_owned())
}

/// The class of words that the set does not decode.
pub(crate) const UNDECODED: &str = "not decoded";

/// `nvdisasm` prints targets of branches as addresses.
const STYLE: Style = Style::new().addresses();

/// Compares one word, and returns the class and the description of a difference.
pub(crate) fn compare(chip: u32, at: u64, word: u128, text: &str) -> Result<(), (String, String)> {
    let name = mnemonic(text);
    let fail = |class: &str, found: String| {
        Err((format!("{name}: {class}"), format!("{word:032x} {text}: {found}")))
    };
    let on = features(chip);
    let plain = Sass::decode_with(on, word & !CONTROL | DEFAULTS);
    let (plain, full) = match (plain, Sass::decode_with(on, word)) {
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
    let text = format!("{}{suffix};", with_distance(at, text));
    let tables = Sass::SET.with_features(on);
    let site = InstructionContext::new(at, &());
    match tables.parse_next(&mut Cursor::in_context(&text, &site)) {
        Ok(Some(parsed)) if parsed.word() == word => Ok(()),
        Ok(parsed) => fail("word", format!("parsed as {parsed:x?}")),
        Err(error) => fail("not parsed", error.to_string()),
    }
}
