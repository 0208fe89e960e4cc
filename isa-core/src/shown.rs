//! Makes text from outside, such as names in a file, safe to show to a person.
//!
//! A terminal obeys control characters, and some characters change the order or the width of the text
//! around them without being visible. [`is_shown`] decides which characters may be shown. Every message
//! and every listing that quotes text from outside must apply it. JSON contains the other characters as
//! escapes ([`json::quoted`](crate::json::quoted)).

use core::fmt::{self, Write};

/// Invisible characters, in addition to control characters. They change the direction of text, join or
/// separate other characters, end lines, or only have a meaning for programs.
const HIDDEN: [(u32, u32); 21] = [
    (0xad, 0xad),         // soft hyphen
    (0x34f, 0x34f),       // combining grapheme joiner
    (0x61c, 0x61c),       // Arabic letter mark, which changes the direction
    (0x115f, 0x1160),     // fillers without a shape
    (0x17b4, 0x17b5),     // vowels without a shape
    (0x180b, 0x180f),     // Mongolian separators
    (0x200b, 0x200f),     // zero-width spaces and joiners, direction marks
    (0x2028, 0x202e),     // ends of lines and paragraphs, direction embeddings and overrides
    (0x2060, 0x206f),     // invisible operators, direction isolates
    (0x3164, 0x3164),     // filler
    (0xfeff, 0xfeff),     // byte order mark
    (0xffa0, 0xffa0),     // filler
    (0xfff0, 0xfffb),     // annotations
    (0xfffe, 0xffff),     // not characters
    (0x1107f, 0x1107f),   // joiner
    (0x13430, 0x1345f),   // joiners and frames of hieroglyphs
    (0x1bca0, 0x1bca3),   // shorthand controls
    (0x1d173, 0x1d17a),   // musical controls
    (0x1da00, 0x1da00),   // joiner
    (0xe0000, 0xe0fff),   // tags, variation selectors
    (0xf0000, 0x10_ffff), // private planes
];

/// Returns true if a character may be shown to a person as it is. Such a character is visible or a
/// blank, does not control a terminal, and does not change the text around it. Returns false for a tab
/// and for the end of a line.
///
/// ```
/// use isa_core::shown::is_shown;
///
/// assert!("a é 中 \u{1f600}".chars().all(is_shown));
/// // Escape, the control sequence introducer, the override of the direction, and a zero-width space.
/// assert!(!"\u{1b}\u{9b}\u{202e}\u{200b}".chars().any(is_shown));
/// ```
#[must_use]
pub fn is_shown(c: char) -> bool {
    let code = u32::from(c);
    match code {
        0x20..0x7f => true,
        _ if c.is_control() => false,
        _ => !HIDDEN.iter().any(|&(first, last)| (first..=last).contains(&code)),
    }
}

/// Returns true if a character belongs to a script that is written without blanks between words: a Chinese
/// or Japanese character, its punctuation, or a full-width form. Korean is written with blanks.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(
        u32::from(c),
        0x2e80..=0x2fdf | 0x3001..=0x312f | 0x31a0..=0x9fff | 0xf900..=0xfaff | 0xff01..=0xffef
            | 0x20000..=0x3ffff
    )
}

/// Returns true if a blank must separate two lines of one paragraph when they are joined. Chinese and
/// Japanese lines are joined without a blank, even if the break is next to a Latin word.
///
/// ```
/// use isa_core::shown::needs_blank;
///
/// assert!(needs_blank("Adds two", "registers."));
/// assert!(!needs_blank("写入低位。", ".SAT 表示饱和"));
/// assert!(needs_blank("加法，即 Rd", "= Ra。"));
/// ```
#[must_use]
pub fn needs_blank(before: &str, after: &str) -> bool {
    // A mark of Markdown, such as the end of a link, is not a part of the text.
    let is_mark = |c: char| matches!(c, '*' | '_' | '`' | '[' | ']' | '\\');
    let at_break = [
        before.trim_end_matches(is_mark).chars().next_back(),
        after.trim_start_matches(is_mark).chars().next(),
    ];
    let is_cjk_line = |line: &str| line.chars().any(is_cjk);
    !(at_break.into_iter().flatten().any(is_cjk) && is_cjk_line(before) && is_cjk_line(after))
}

/// Displays text from outside with U+FFFD in place of each character that may not be shown. The result has
/// as many characters as the text, and no line break.
///
/// ```
/// use isa_core::shown::Shown;
///
/// assert_eq!(Shown("f\u{9b}31m\n").to_string(), "f\u{fffd}31m\u{fffd}");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Shown<'t>(pub &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(|c| !is_shown(c)) {
            let (plain, behind) = rest.split_at(at);
            f.write_str(plain)?;
            f.write_char(char::REPLACEMENT_CHARACTER)?;
            let mut behind = behind.chars();
            behind.next();
            rest = behind.as_str();
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_shown, needs_blank};

    #[test]
    fn lines_in_cjk_are_joined_without_a_blank() {
        for (before, after, blank) in [
            ("", "", true),
            ("加法", "运算", false),
            ("求和，", "`SAT`时饱和", false),
            ("参考", "FADD指令", false),
            ("参考", "FADD", true),
            ("the sign", "符号", true),
            ("加法 IEEE", "754 规则", true),
            ("**加法**", "**运算**", false),
            ("덧셈", "연산", true),
            ("カタカナ", "ひらがな", false),
        ] {
            assert_eq!(needs_blank(before, after), blank, "{before} {after}");
        }
    }

    /// The characters are selected by Unicode properties: control characters, ends of lines, every
    /// character with the property `Bidi_Control`, common characters without a width, and tags. None of
    /// them may be shown.
    #[test]
    fn characters_that_smuggle_are_not_shown() {
        let controls = (0..0x20).chain(0x7f..=0x9f);
        let directions = [0x61c, 0x200e, 0x200f].into_iter().chain(0x202a..=0x202e);
        let directions = directions.chain(0x2066..=0x2069);
        let others = [0x2028, 0x2029, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad, 0x180e, 0xfff9];
        let tags = 0xe0001..=0xe007f;
        for code in controls.chain(directions).chain(others).chain(tags) {
            let c = char::from_u32(code).unwrap_or('a');
            assert!(!is_shown(c), "{code:#x}");
        }
    }

    #[test]
    fn letters_of_all_scripts_are_shown() {
        let text = " ~\u{a0}éßжאب中한かहि🙂\u{fe0f}\u{301}\u{fffd}→∀─";
        assert_eq!(text.chars().find(|&c| !is_shown(c)), None);
    }
}
