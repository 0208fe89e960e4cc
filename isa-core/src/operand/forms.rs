//! Forms: patterns for the beginning of an operand's text. They distinguish operand types before
//! anything is parsed.
//!
//! In a form, a run of digits matches any number, and a run of digits followed by `~` matches a number
//! in any notation. A `_` at the end, alone or after a sign, matches any name. A `*` at the end matches
//! any further text; without the `*`, the word must end at the end of the form.

use crate::text::{Cursor, begins_name};

mod names;

pub(super) use names::{Joined, are_forms_of, is_alike};

/// The forms of an operand type whose text can begin with anything.
pub const ANYTHING: &[&str] = &["*"];

/// The form of any name, such as a label. A name consists of letters, digits and `_`, and does not
/// begin with a digit. `.` and labels that begin with a dot have the form `".*"`, so a target that is a
/// number or a label has `&["0~", NAME, ".*"]` as its [`FORMS`](super::OperandKind::FORMS). A `_` after
/// a sign has the same meaning: `"$_"` is a dollar sign and a name, such as `$ff`.
pub const NAME: &str = "_";

/// Returns whether the text at the cursor begins like one of the forms, in either letter case.
///
/// ```
/// use isa_core::text::Cursor;
/// use isa_core::operand::begins_like;
///
/// let forms = &["R0", "RZ", "c[*"];
/// let meant = |text| begins_like(forms, &Cursor::new(text));
/// assert!(meant("R17,") && meant("rz") && meant("c [0][4]"));
/// assert!(!meant("R") && !meant("RX") && !meant("R1x"));
/// ```
#[must_use]
pub fn begins_like(forms: &[&str], cursor: &Cursor<'_>) -> bool {
    begins(forms, cursor, true)
}

/// Returns whether the text at the cursor begins like one of the forms, either in any letter case
/// or in the letter case of the form.
pub(crate) fn begins(forms: &[&str], cursor: &Cursor<'_>, in_any_case: bool) -> bool {
    let mut cursor = cursor.clone();
    let first = cursor.peek().unwrap_or_default();
    let may_be = |form: &[u8]| {
        let begins = form.first().copied().unwrap_or(b'*');
        !begins.is_ascii_graphic()
            || matches!(begins, b'*' | b'_' | b'0'..=b'9')
            || begins.eq_ignore_ascii_case(&first)
    };
    let mut forms = forms.iter().map(|form| form.as_bytes());
    forms.any(|form| may_be(form) && begins_as(form, cursor.clone(), in_any_case))
}

fn begins_as(form: &[u8], mut cursor: Cursor<'_>, in_any_case: bool) -> bool {
    let mut i = 0;
    while let Some(&expected) = form.get(i) {
        if expected == b'*' && i + 1 == form.len() {
            return i > 0 || cursor.peek().is_some();
        }
        if i == 0 || !is_word(expected) || !is_word(form[i - 1]) {
            cursor.skip_trivia();
        }
        if is_any_name(form, i) {
            return cursor.peek() != Some(b'.') && begins_name(cursor.rest());
        }
        let found = match expected.is_ascii_digit() {
            true => cursor.rest().iter().take_while(|byte| byte.is_ascii_digit()).count(),
            false => {
                let next = cursor.rest().first();
                let is_same = |byte: &u8| {
                    *byte == expected || in_any_case && byte.eq_ignore_ascii_case(&expected)
                };
                usize::from(next.is_some_and(is_same))
            }
        };
        if found == 0 {
            return false;
        }
        cursor.seek(cursor.position() + found);
        i = next_position(form, i);
        if is_notation(form, i) {
            let rest = cursor.rest().iter().take_while(|&&byte| is_word(byte)).count();
            cursor.seek(cursor.position() + rest);
            i += 1;
        }
    }
    !form.last().is_some_and(|&byte| is_word(byte))
        || !cursor.rest().first().is_some_and(|&byte| is_word(byte))
}

/// The forms of a text, with the bytes that the text can begin with.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Starts<'f> {
    forms: &'f [&'f str],
    /// One bit for each ASCII byte. All bits are set if a form can begin with anything.
    first: u128,
}

impl<'f> Starts<'f> {
    /// Creates the value from forms.
    #[must_use]
    pub const fn new(forms: &'f [&'f str]) -> Self {
        let (mut first, mut i) = (0, 0);
        while i < forms.len() {
            first |= match forms[i].as_bytes() {
                [] => u128::MAX,
                [byte, ..] => may_begin(*byte),
            };
            i += 1;
        }
        Self { forms, first }
    }

    /// Returns the bytes that a text can begin with if it consists of the fixed text `prefix`,
    /// followed by one of the forms.
    const fn first_bytes_after(self, prefix: &str) -> u128 {
        match prefix.as_bytes() {
            [] => self.first,
            [byte, ..] => may_begin(*byte),
        }
    }
}

/// Returns the bytes with which a text can begin if its form begins with `byte`.
const fn may_begin(byte: u8) -> u128 {
    match byte {
        b'*' | b'_' | 0 | 128.. => u128::MAX,
        b'0'..=b'9' => 0x3ff << b'0',
        _ => 1 << byte,
    }
}

/// Adds the other case of each letter to a set of bytes.
const fn in_either_case(bytes: u128) -> u128 {
    const UPPER: u128 = 0x3ff_ffff << b'A';
    bytes | (bytes & UPPER) << 32 | bytes >> 32 & UPPER
}

/// Two texts that are possible at the same position. Each consists of a fixed text and the index of the
/// forms that follow it. The last element is true if letter case is ignored.
type FormPair<'p> = (&'p str, u16, &'p str, u16, bool);

/// Compares the beginnings of both texts of each pair, for assertions that the macro emits.
#[doc(hidden)]
#[must_use]
pub const fn meetings<const N: usize>(
    all: &[Starts<'_>],
    pairs: &[FormPair<'_>; N],
) -> [Meeting; N] {
    let (mut result, mut i) = ([Meeting::Never; N], 0);
    while i < N {
        let (a, a_forms, b, b_forms, fold) = pairs[i];
        let (x, y) = (all[a_forms as usize], all[b_forms as usize]);
        let (mut first, second) = (x.first_bytes_after(a), y.first_bytes_after(b));
        if fold {
            first = in_either_case(first);
        }
        // Most pairs begin with different bytes, which this test finds cheaply at compile time.
        if first & second != 0 {
            result[i] = meet_any((a, x.forms), (b, y.forms), fold);
        }
        i += 1;
    }
    result
}

/// Evaluates the assertions that the macro emits. Each result is true if the forms distinguish the two
/// ways in which a text can be parsed. An assertion consists of steps. A step is a list of indexes of
/// pairs that are possible at the same position. A step is evaluated only if both texts of each pair in
/// the previous steps end at the same position.
#[doc(hidden)]
#[must_use]
pub const fn are_apart<const N: usize>(
    meetings: &[Meeting],
    questions: &[&[&[u32]]; N],
) -> [bool; N] {
    let (mut result, mut i) = ([false; N], 0);
    while i < N {
        result[i] = some_step_tells(meetings, questions[i]);
        i += 1;
    }
    result
}

const fn some_step_tells(meetings: &[Meeting], steps: &[&[u32]]) -> bool {
    let mut i = 0;
    while i < steps.len() {
        let (mut all, mut j) = (Meeting::Never, 0);
        while j < steps[i].len() {
            match meetings[steps[i][j] as usize] {
                Meeting::Open => return false,
                Meeting::Together => all = Meeting::Together,
                Meeting::Never => {}
            }
            j += 1;
        }
        if let Meeting::Never = all {
            return true;
        }
        i += 1;
    }
    false
}

/// The result of a comparison of the beginnings of two texts.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// No text matches both.
    Never,
    /// If a text matches both, both matches end at the same position.
    Together,
    /// Some text matches both, and the positions at which the matches end are not known.
    Open,
}

/// Compares two lists of forms, each after a fixed text.
const fn meet_any(a: (&str, &[&str]), b: (&str, &[&str]), fold: bool) -> Meeting {
    let (mut result, mut i) = (Meeting::Never, 0);
    while i < a.1.len() {
        let mut j = 0;
        while j < b.1.len() {
            match meet((a.0, a.1[i]), (b.0, b.1[j]), fold) {
                Meeting::Open => return Meeting::Open,
                Meeting::Together => result = Meeting::Together,
                Meeting::Never => {}
            }
            j += 1;
        }
        i += 1;
    }
    result
}

/// Compares two forms, each after a fixed text. If letter case is ignored, the function also considers
/// invalid text, such as a number that continues with letters.
const fn meet(a: (&str, &str), b: (&str, &str), fold: bool) -> Meeting {
    let (mut i, mut j) = (0, 0);
    loop {
        match (at(a, i), at(b, j)) {
            (Some(FormUnit::Rest), _) | (_, Some(FormUnit::Rest)) => return Meeting::Open,
            (None, None) => return Meeting::Together,
            (Some(FormUnit::Name), Some(FormUnit::Name)) => (i, j) = (i + 1, j + 1),
            (Some(FormUnit::Name), _) => return meet_name(b, j, fold),
            (_, Some(FormUnit::Name)) => return meet_name(a, i, fold),
            (Some(FormUnit::Number), other) | (other, Some(FormUnit::Number)) => {
                // Both texts are a word that begins with a digit.
                match other {
                    Some(FormUnit::Number | FormUnit::Digits) => {}
                    None if !ends_in_word(a, i) => return Meeting::Open,
                    _ => return Meeting::Never,
                }
                (i, j) = (after_word(a, i), after_word(b, j));
            }
            (None, _) if fold && ends_in_number(a) => return Meeting::Open,
            (_, None) if fold && ends_in_number(b) => return Meeting::Open,
            // The word ends here, so punctuation after it may be the next token.
            (None, Some(FormUnit::Byte(byte))) | (Some(FormUnit::Byte(byte)), None) => {
                let goes_on = is_word(byte) && ends_in_word(a, i);
                return if goes_on { Meeting::Never } else { Meeting::Open };
            }
            (None, Some(FormUnit::Digits)) | (Some(FormUnit::Digits), None) => {
                return if ends_in_word(a, i) { Meeting::Never } else { Meeting::Open };
            }
            (Some(FormUnit::Digits), Some(FormUnit::Digits)) => (i, j) = (skip(a, i), skip(b, j)),
            (Some(FormUnit::Byte(x)), Some(FormUnit::Byte(y))) if same(x, y, fold) => {
                (i, j) = (i + 1, j + 1);
            }
            _ => return Meeting::Never,
        }
    }
}

/// Compares any name with the rest of a form.
const fn meet_name(form: (&str, &str), mut i: usize, fold: bool) -> Meeting {
    match at(form, i) {
        Some(FormUnit::Byte(b'a'..=b'z' | b'A'..=b'Z' | b'_')) => {}
        _ => return Meeting::Never,
    }
    loop {
        match at(form, i) {
            Some(FormUnit::Byte(byte)) if is_word(byte) => i += 1,
            Some(FormUnit::Digits | FormUnit::Number) => i = skip(form, i),
            None if !(fold && ends_in_number(form)) => return Meeting::Together,
            _ => return Meeting::Open,
        }
    }
}

/// A unit of a form.
#[derive(Clone, Copy)]
enum FormUnit {
    Byte(u8),
    Digits,
    /// A number in any notation: a word that begins with a digit.
    Number,
    Name,
    Rest,
}

const fn at((prefix, form): (&str, &str), i: usize) -> Option<FormUnit> {
    let (prefix, form) = (prefix.as_bytes(), form.as_bytes());
    if i >= prefix.len() && is_any_name(form, i - prefix.len()) {
        return Some(FormUnit::Name);
    }
    let byte = if i < prefix.len() {
        prefix[i]
    } else if i - prefix.len() < form.len() {
        form[i - prefix.len()]
    } else {
        return None;
    };
    Some(match byte {
        b'*' if i + 1 == prefix.len() + form.len() && i >= prefix.len() => FormUnit::Rest,
        b'0'..=b'9' => {
            let mut end = i.saturating_sub(prefix.len());
            while end < form.len() && form[end].is_ascii_digit() {
                end += 1;
            }
            if i >= prefix.len() && is_notation(form, end) {
                FormUnit::Number
            } else {
                FormUnit::Digits
            }
        }
        byte => FormUnit::Byte(byte),
    })
}

/// Returns whether the byte at a position of a form is the `~` of a number in any notation.
pub(crate) const fn is_notation(form: &[u8], i: usize) -> bool {
    i > 0 && i < form.len() && form[i] == b'~' && form[i - 1].is_ascii_digit()
}

/// Returns true for a `_` that matches any name: the last byte of a form, alone or after a sign.
pub(crate) const fn is_any_name(form: &[u8], i: usize) -> bool {
    i + 1 == form.len() && form[i] == b'_' && (i == 0 || !is_word(form[i - 1]))
}

/// Panics if one of the forms is invalid, because the parser never encounters a text that begins like
/// it.
pub(super) const fn assert_forms(forms: &[&str]) {
    let mut i = 0;
    while i < forms.len() {
        if let Some(message) = fault_of(forms[i].as_bytes()) {
            panic!("{}", message);
        }
        i += 1;
    }
}

/// Returns the reason why a form is invalid, or `None` if a text can begin like the form.
const fn fault_of(form: &[u8]) -> Option<&'static str> {
    let mut i = 0;
    while i < form.len() {
        let next = if i + 1 < form.len() { form[i + 1] } else { 0 };
        let is_rest = next == b'*' && i + 2 == form.len();
        let is_alone = form[i] == b'_' && (i == 0 || !is_word(form[i - 1])) && !is_word(next);
        match form[i] {
            b' ' | b'\t'..=b'\r' => {
                return Some("`FORMS` must not contain white space, which the parser skips");
            }
            b';' => return Some("`FORMS` must not contain `;`, which ends a statement"),
            b'/' if next == b'/' || next == b'*' && !is_rest => {
                return Some("`FORMS` must not contain `//` or `/*`, which begin comments");
            }
            b'_' if is_alone && next != 0 && !is_rest => {
                return Some("`_` matches any name only at the end of a form in `FORMS`");
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// Returns the position after a number.
const fn skip(form: (&str, &str), mut i: usize) -> usize {
    let (prefix, text) = (form.0.len(), form.1.as_bytes());
    while let Some(FormUnit::Digits | FormUnit::Number) = at(form, i) {
        i += 1;
    }
    if i > prefix && is_notation(text, i - prefix) { i + 1 } else { i }
}

/// Returns the position after the rest of the word that contains a position.
const fn after_word(form: (&str, &str), mut i: usize) -> usize {
    loop {
        i = match at(form, i) {
            Some(FormUnit::Digits | FormUnit::Number) => skip(form, i),
            Some(FormUnit::Byte(byte)) if is_word(byte) => i + 1,
            _ => return i,
        }
    }
}

/// Returns whether the byte before a position is part of a word.
const fn ends_in_word((prefix, form): (&str, &str), i: usize) -> bool {
    let (prefix, form) = (prefix.as_bytes(), form.as_bytes());
    match i {
        0 => false,
        _ if i <= prefix.len() => is_word(prefix[i - 1]),
        _ => is_word(form[i - 1 - prefix.len()]) || form[i - 1 - prefix.len()] == b'~',
    }
}

const fn ends_in_number((_, form): (&str, &str)) -> bool {
    matches!(form.as_bytes(), [.., b'0'..=b'9'])
}

/// Returns the position after a run of digits in a form, or after one other byte.
fn next_position(form: &[u8], i: usize) -> usize {
    let digits = form.iter().skip(i).take_while(|byte| byte.is_ascii_digit()).count();
    i + digits.max(1)
}

const fn same(x: u8, y: u8, fold: bool) -> bool {
    x == y || fold && x.eq_ignore_ascii_case(&y)
}

pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the beginnings of two texts. Each consists of a fixed text followed by forms.
    fn begin(a: (&str, &[&str]), b: (&str, &[&str])) -> Meeting {
        let all = [Starts::new(a.1), Starts::new(b.1)];
        let [one, other] = meetings(&all, &[(a.0, 0, b.0, 1, false), (b.0, 1, a.0, 0, false)]);
        assert!(one == other && one == meet_any(a, b, false), "{a:?} {b:?}");
        one
    }

    fn of(a: &'static str, b: &'static str) -> Meeting {
        let one = meet(("", a), ("", b), false);
        assert!(one == meet(("", b), ("", a), false), "{a} {b} either way round");
        one
    }

    #[test]
    fn forms_of_words_and_numbers() {
        assert!(of("R0", "R9") == Meeting::Together);
        assert!(of("R0", "RZ") == Meeting::Never);
        assert!(of("R0", "UR0") == Meeting::Never);
        assert!(of("R0", "R") == Meeting::Never);
        assert!(of("R0", "R0x") == Meeting::Never);
        assert!(of("R0", "r0") == Meeting::Never);
        assert!(meet(("", "R0"), ("", "r0"), true) == Meeting::Together);
        assert!(meet(("", "R0"), ("", "R2UR"), true) == Meeting::Open, "meant as a register");
        assert!(meet(("", "R2UR"), ("", "R0"), true) == Meeting::Open, "the other way round");
        assert!(meet(("", "R2UR"), ("", "RZ"), true) == Meeting::Never);
        assert!(of("h10", "h2") == Meeting::Together);
    }

    #[test]
    fn forms_that_go_on() {
        assert!(of("R*", "R0") == Meeting::Open);
        assert!(of("*", "R0") == Meeting::Open);
        assert!(of("-0*", "-.*") == Meeting::Never);
        assert!(of("c", "c[*") == Meeting::Open, "the bracket may be another token");
        assert!(of("c[0]", "c[0]") == Meeting::Together);
        assert!(of("*p", "*q") == Meeting::Never, "a star in front is itself");
    }

    #[test]
    fn any_name() {
        assert!(of(NAME, NAME) == Meeting::Together);
        assert!(of(NAME, "R0") == Meeting::Together);
        assert!(of(NAME, "R0x_1") == Meeting::Together);
        assert!(meet(("", NAME), ("", "R0"), true) == Meeting::Open, "meant as a register");
        assert!(of(NAME, "0") == Meeting::Never && of(NAME, "-0*") == Meeting::Never);
        assert!(of(NAME, ".*") == Meeting::Never && of(NAME, "") == Meeting::Never);
        assert!(of(NAME, "R*") == Meeting::Open && of(NAME, "c[*") == Meeting::Open);
        assert!(of(NAME, "c[0]") == Meeting::Open, "the name ends before the bracket");
        assert!(meet(("", NAME), ("", "RZ"), true) == Meeting::Together);
        assert!(of("$_", "$ff") == Meeting::Together && of("$_", "$0~") == Meeting::Never);
        assert!(of("$_", NAME) == Meeting::Never && of("$_", "$_") == Meeting::Together);
        assert!(of("$_", "$f]") == Meeting::Open && of("x_", "xa") == Meeting::Never);
        assert!(begin(("$", &[NAME]), ("", &["$_"])) == Meeting::Together);
        let dollar = |text| begins_like(&["$_"], &Cursor::new(text));
        assert!(
            dollar("$ff")
                && dollar(" $ zero,")
                && !dollar("$1f")
                && !dollar("$.L")
                && !dollar("ff")
        );
        assert!(begin(("(", &[NAME]), ("", &["(R0"])) == Meeting::Together);
        let like = |text| begins_like(&[NAME], &Cursor::new(text));
        assert!(like(" _x") && like("R0;") && !like("0x") && !like(".L") && !like("+"));
    }

    #[test]
    fn forms_that_no_text_has_are_refused() {
        for form in ["R0", "$_", "_", "c[*", "-0~", "r1_2", "_*", "/*", "x_", "_x", "\"*", ""] {
            assert!(fault_of(form.as_bytes()).is_none(), "{form}");
        }
        for form in ["a b", "\tx", "R0;", "//x", "x/*y", "[_]", "$_+"] {
            assert!(fault_of(form.as_bytes()).is_some(), "{form}");
        }
    }

    #[test]
    fn numbers_in_any_notation() {
        assert!(of("0~", "0~") == Meeting::Together);
        assert!(of("0~", "0") == Meeting::Together, "decimal ones are among them");
        assert!(of("0~", "0x") == Meeting::Together && of("0~", "0*") == Meeting::Open);
        assert!(of("0~", "R0") == Meeting::Never && of("0~", NAME) == Meeting::Never);
        assert!(of("0~", "x0~") == Meeting::Never && of("R0", "R0~") == Meeting::Together);
        assert!(of("[0~]", "[0]") == Meeting::Together && of("[0~]", "[0)") == Meeting::Never);
        assert!(of("-0~", "0~") == Meeting::Never && of("-", "-0~") == Meeting::Open);
        assert!(of("0~", "0~+") == Meeting::Open, "the mark may be another token");
        assert!(begin(("-", &["0~"]), ("", &["-0~"])) == Meeting::Together);
        assert!(begin(("1", &["0~"]), ("", &["0~"])) == Meeting::Together, "one word");
        let like = |form, text| begins_like(&[form], &Cursor::new(text));
        assert!(like("0~", " 0x1f;") && like("0~", "17") && like("-0~]", "-0x1_ ]"));
        assert!(!like("0~", "x1") && !like("-0~]", "-0x1_ )") && !like("0~", "-1"));
    }

    #[test]
    fn fixed_text_in_front() {
        let minus: (&str, &[&str]) = ("-", &["R0", "RZ"]);
        assert!(begin(minus, ("", &["0*", "-0*"])) == Meeting::Never);
        assert!(begin(minus, ("", &["-*"])) == Meeting::Open);
        assert!(begin(minus, ("", &["X", "-RZ"])) == Meeting::Together);
        assert!(begin(("", &["0*"]), ("", &["1*"])) == Meeting::Open, "any number");
    }

    #[test]
    fn a_step_behind_one_that_is_open_does_not_count() {
        let all = [Meeting::Open, Meeting::Together, Meeting::Never];
        let (open, alike, apart) = (0, 1, 2);
        let are = |steps: &[&[u32]]| are_apart(&all, &[steps]) == [true];
        assert!(are(&[&[alike], &[apart]]), "the second step tells");
        assert!(are(&[&[alike, apart], &[]]), "nothing goes on");
        assert!(!are(&[&[apart, alike]]) && !are(&[&[alike]]));
        assert!(!are(&[&[open], &[apart]]));
    }

    #[test]
    fn first_bytes_tell_apart_what_the_whole_texts_do() {
        let forms = ["R0", "r0", "0~", "9x", "_", "*", "", "[0]", "@*", "{", "\u{e9}", "*x"];
        for (a, b) in forms.iter().flat_map(|&a| forms.map(|b| (a, b))) {
            for (prefix, fold) in [("", false), ("", true), ("R", false), ("r", true), ("1", false)]
            {
                let (first, second) = ([a], [b]);
                let all = [Starts::new(&first), Starts::new(&second)];
                let [found] = meetings(&all, &[(prefix, 0, "", 1, fold)]);
                assert!(found == meet((prefix, a), ("", b), fold), "{prefix} {a} {b} {fold}");
            }
        }
    }

    #[test]
    fn text_is_looked_at_in_either_case_and_past_blanks() {
        let like = |forms: &[&str], text| begins_like(forms, &Cursor::new(text));
        assert!(like(&["?WAIT0"], " ? wait12;") && !like(&["?WAIT0"], "?WAIT;"));
        assert!(like(&["#*"], "#-4") && !like(&["#*"], "4"));
        assert!(like(&["*"], "x") && !like(&["*"], " /* nothing */ "));
        assert!(like(&["["], "[x"), "no word ends there");
        assert!(like(&["RZ"], " rz,") && !like(&["RZ"], "R Z") && !like(&["R0"], "R 0"));
        assert!(like(&["c[*"], "c /* bank */ [0]") && like(&["c[*"], "c["), "anything follows");
    }
}
