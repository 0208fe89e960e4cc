//! Matching of forms against known names, and joined lists of forms.

use super::{is_any_name, is_notation, is_word};

/// Returns whether two names have the same form because they differ only in their numbers.
pub(in super::super) const fn is_alike(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].is_ascii_digit() && b[j].is_ascii_digit() {
            (i, j) = (behind_digits(a, i), behind_digits(b, j));
        } else if a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        } else {
            return false;
        }
    }
    i == a.len() && j == b.len()
}

/// Returns whether one of the forms matches the beginning of a name.
pub(in super::super) const fn are_forms_of(forms: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < forms.len() {
        if is_form_of(forms[i].as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

const fn is_form_of(form: &[u8], name: &[u8]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < form.len() {
        if form[i] == b'*' && i + 1 == form.len() {
            return true;
        }
        if j == name.len() {
            return false;
        }
        if is_any_name(form, i) {
            return is_word(name[j]) && !name[j].is_ascii_digit();
        }
        if form[i].is_ascii_digit() && name[j].is_ascii_digit() {
            (i, j) = (behind_digits(form, i), behind_digits(name, j));
            if is_notation(form, i) {
                i += 1;
                while j < name.len() && is_word(name[j]) {
                    j += 1;
                }
            }
        } else if form[i] == name[j] {
            (i, j) = (i + 1, j + 1);
        } else {
            return false;
        }
    }
    j == name.len()
}

/// Returns the position after the digits at a position.
const fn behind_digits(text: &[u8], mut i: usize) -> usize {
    while i < text.len() && text[i].is_ascii_digit() {
        i += 1;
    }
    i
}

/// The forms of two operand types that are possible at the same position.
#[derive(Clone, Copy)]
pub(in super::super) struct Joined {
    forms: [&'static str; Joined::MOST],
    count: usize,
}

impl Joined {
    /// The maximum number of forms of both operand types together.
    const MOST: usize = 64;

    /// Joins the forms of two operand types.
    ///
    /// # Panics
    ///
    /// Panics at compile time if an operand type has no forms, or if both types together have more than
    /// 64 forms.
    pub(in super::super) const fn new(
        a: &'static [&'static str],
        b: &'static [&'static str],
    ) -> Self {
        assert!(!a.is_empty() && !b.is_empty(), "an operand type must have at least one form");
        let count = a.len() + b.len();
        assert!(
            count <= Self::MOST,
            "two operand types at one position can have at most 64 forms in total"
        );
        let (mut forms, mut i) = ([""; Self::MOST], 0);
        while i < count {
            forms[i] = if i < a.len() { a[i] } else { b[i - a.len()] };
            i += 1;
        }
        Joined { forms, count }
    }

    pub(in super::super) const fn forms(&self) -> &[&'static str] {
        self.forms.split_at(self.count).0
    }
}

#[cfg(test)]
mod tests {
    use super::{Joined, are_forms_of, is_alike};

    #[test]
    fn names_that_differ_in_numbers_have_one_form() {
        for (a, b) in [("t0", "t6"), ("s0", "s11"), ("r1_2", "r10_0"), ("sp", "sp"), ("0", "31")] {
            assert!(is_alike(a, b) && is_alike(b, a), "{a} {b}");
        }
        for (a, b) in
            [("t0", "s0"), ("s", "s0"), ("r1_2", "r12"), ("sp", "SP"), ("a0", "a0b"), ("", "a")]
        {
            assert!(!is_alike(a, b) && !is_alike(b, a), "{a} {b}");
        }
    }

    #[test]
    fn a_form_says_how_a_name_begins() {
        let said: [(&[&str], &str); 10] = [
            (&["$_"], "$zero"),
            (&["a0"], "a7"),
            (&["x", "s0"], "s11"),
            (&["_"], "_x1"),
            (&["s*"], "sp"),
            (&["*"], "sp"),
            (&["$0"], "$31"),
            (&["0~"], "12ab"),
            (&["b0x9"], "b1x22"),
            (&["sp"], "sp"),
        ];
        for (forms, name) in said {
            assert!(are_forms_of(forms, name), "{forms:?} {name}");
        }
        let other: [(&[&str], &str); 9] = [
            (&["$_"], "$31"),
            (&["a0"], "a"),
            (&["a"], "a0"),
            (&["_"], "0x"),
            (&["_"], "$x"),
            (&["sp"], "SP"),
            (&["sp*"], "s"),
            (&["0~"], "x0"),
            (&[], "x"),
        ];
        for (forms, name) in other {
            assert!(!are_forms_of(forms, name), "{forms:?} {name}");
        }
    }

    #[test]
    fn two_kinds_have_the_forms_of_both() {
        assert_eq!(Joined::new(&["a0", "sp"], &["0~"]).forms(), ["a0", "sp", "0~"]);
    }

    #[test]
    #[should_panic(
        expected = "two operand types at one position can have at most 64 forms in total"
    )]
    fn two_kinds_have_not_too_many_forms() {
        let _ = Joined::new(&["a"; 60], &["b"; 5]);
    }
}
