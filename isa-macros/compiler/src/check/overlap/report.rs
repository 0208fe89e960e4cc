//! Writes the errors about opcodes that share words. "Words" in a message are valid encodings.

use super::Overlap;
use super::encoding_candidate::{EncodingCandidate, show_bits};
use crate::diag::{Code, Diagnostics, quoted_first, quoted_or};

/// Reports an opcode that shares words with many others. `some` is true if some of the others also
/// share words with each other.
pub(super) fn report_many(
    party: &EncodingCandidate<'_>,
    others: &[&EncodingCandidate<'_>],
    some: bool,
    diag: &mut Diagnostics,
) {
    let name = party.name;
    let all = |is: &dyn Fn(&EncodingCandidate<'_>) -> bool| others.iter().all(|other| is(other));
    let listed = quoted_first(others.iter().map(|other| other.name));
    let fixes = format!("note: `{name}` fixes {}", party.fixes);
    let alike = all(&|other| other.own && party.is_alike(other));
    let (code, message) = if alike && all(&|o| party.has_all(o) && o.has_all(party)) {
        let lacks = party.lacks.as_ref().map(|lacks| format!(", for example `{lacks};`"));
        let message = format!(
            "`{name}` has the same encodings as {listed}\n{fixes}\nnote: the others fix the same bits\nhelp: \
             fix a field to a different value in each{}",
            lacks.unwrap_or_default()
        );
        (Code::SameEncoding, message)
    } else if all(&|other| other.own && other.may_be_inside(party) && party.has_all(other)) {
        let message = format!(
            "all encodings of {listed} are also encodings of `{name}`\n{fixes}\nhelp: fix a \
             field of `{name}` to a value that the others do not have, or declare a special \
             case, `opcode NAME : [...] inside {name}`"
        );
        (Code::UndeclaredInside, message)
    } else {
        let or = if all(&|other| other.bits == party.bits) {
            ""
        } else if all(&|other| other.lift == party.lift) {
            ", or beginnings of words,"
        } else {
            ", beginnings of words, or words of another width with the same number,"
        };
        let message = format!(
            "`{name}` decodes words{or} that other opcodes also decode: \
             {listed}{}\n{fixes}\nhelp: fix a field of `{name}` to a value that the others do \
             not have",
            if some { "; some of these also share words with each other" } else { "" }
        );
        (Code::OpcodeOverlap, message)
    };
    // The encodings of an included set are assumed to be correct, so the error is at an opcode of this
    // call if possible.
    let place = [party].into_iter().chain(others.iter().copied()).find(|party| party.own);
    let place = place.unwrap_or(party);
    let second = if place.place == party.place { others.first() } else { Some(&party) };
    let Some(second) = second else { return };
    let note = match code {
        Code::SameEncoding => format!("`{}` has the same encoding", second.name),
        _ => format!("`{}` decodes some of the same words", second.name),
    };
    diag.error_with(code, place.span(), message, second.span(), note);
}

impl Overlap<'_, '_> {
    /// Reports two opcodes. Either both have the same words, or one is inside the other, or they have
    /// some words in common.
    pub(super) fn report(&self, diag: &mut Diagnostics) {
        let (a, b) = (self.a, self.b);
        if self.is_number {
            return self.report_number(diag);
        }
        match (a.has_all(b), b.has_all(a)) {
            (true, true) => report_same(self, diag),
            (false, true) if a.own || !b.own => self.report_inside(a, b, diag),
            (true, false) if b.own || !a.own => self.report_inside(b, a, diag),
            _ => self.report_overlap(diag),
        }
    }

    /// Reports words of different widths that are equal as numbers.
    fn report_number(&self, diag: &mut Diagnostics) {
        let ((short, long), (_, notes)) = (self.by_width(), self.witness());
        let message = format!(
            "`{}` decodes {} and `{}` decodes {}: both words are the same number, and a word can \
             be decoded from its number alone\n{notes}\nhelp: fix a bit of `{}` above the lowest \
             {} to 1",
            short.name,
            shown(self.word, short.bits),
            long.name,
            shown(self.word, long.bits),
            long.name,
            short.bits
        );
        let note = format!("`{}` decodes one of the two words", self.b.name);
        diag.error_with(Code::OpcodeOverlap, self.a.span(), message, self.b.span(), note);
    }

    /// Returns the opcode with the shorter words, then the other one.
    fn by_width(&self) -> (&EncodingCandidate<'_>, &EncodingCandidate<'_>) {
        if self.a.bits < self.b.bits { (self.a, self.b) } else { (self.b, self.a) }
    }

    /// Returns the common word in hexadecimal, and notes about the fixed bits of both opcodes.
    fn witness(&self) -> (String, String) {
        let fixes =
            |party: &EncodingCandidate<'_>| format!("note: `{}` fixes {}", party.name, party.fixes);
        let mut notes = format!("{}\n{}", fixes(self.a), fixes(self.b));
        if self.a.has_cases() || self.b.has_cases() {
            notes += "\nnote: the macro cannot evaluate the functions in conditions; functions \
                      distinguish two opcodes of a call only if the `where` of each calls a \
                      function of the same fields";
        }
        if let Some(features) = &self.features {
            notes += &format!("\nnote: with {features}");
        }
        let (_, longer) = self.by_width();
        (shown(longer.own(self.word), longer.bits), notes)
    }

    fn report_inside(
        &self,
        inner: &EncodingCandidate<'_>,
        outer: &EncodingCandidate<'_>,
        diag: &mut Diagnostics,
    ) {
        let (word, notes) = self.witness();
        let (name, other) = (inner.name, outer.name);
        let help = if let Some(lacks) = &outer.lacks {
            format!(
                "fix a field of `{other}`, for example `{lacks};`, or if `{name}` is a special \
                 case of it, declare `opcode {name} : [...] inside {other}`"
            )
        } else if !inner.may_be_inside(outer) {
            tell_apart(inner, outer)
        } else if outer.own {
            say_inside(inner, outer)
        } else {
            format!(
                "fix other values, or if `{name}` is a special case, declare it in the call that \
                 contains `{other}`"
            )
        };
        let message = format!(
            "all encodings of `{name}`, such as {word}, are also encodings of \
             `{other}`\n{notes}\nhelp: {help}"
        );
        let note = format!("`{other}` decodes all encodings of `{name}`");
        diag.error_with(Code::UndeclaredInside, name.span(), message, other.span(), note);
    }

    fn report_overlap(&self, diag: &mut Diagnostics) {
        let (a, b, (word, notes)) = (self.a, self.b, self.witness());
        let help = if b.own && a.own && a.may_be_inside(b) {
            say_inside(a, b)
        } else if a.own && b.own && b.may_be_inside(a) {
            say_inside(b, a)
        } else {
            tell_apart(a, b)
        };
        let (message, note) = if a.bits == b.bits {
            let may = if a.has_cases() || b.has_cases() { "may " } else { "" };
            let note = match may {
                "" => format!("`{}` decodes the same word", b.name),
                _ => format!("`{}` may decode the same word", b.name),
            };
            (format!("`{}` and `{}` {may}both decode {word}", a.name, b.name), note)
        } else {
            let (short, long) = self.by_width();
            let start = shown(short.own(self.word), short.bits);
            let message = format!(
                "`{}` decodes {start}, which is the beginning of {word} of `{}`",
                short.name, long.name
            );
            (message, format!("`{}` decodes one of the two words", b.name))
        };
        let message = format!("{message}\n{notes}\nhelp: {help}");
        diag.error_with(Code::OpcodeOverlap, a.span(), message, b.span(), note);
    }
}

/// Reports two opcodes with the same words.
pub(super) fn report_same(overlap: &Overlap<'_, '_>, diag: &mut Diagnostics) {
    let (a, b, (word, notes)) = (overlap.a, overlap.b, overlap.witness());
    let message = format!(
        "`{}` and `{}` have the same encoding: both decode {word}\n{notes}\nhelp: {}",
        a.name,
        b.name,
        tell_apart(a, b)
    );
    let note = format!("`{}` has the same encoding", b.name);
    diag.error_with(Code::SameEncoding, a.span(), message, b.span(), note);
}

fn shown(word: u128, bits: u8) -> String {
    format!("0x{word:0digits$x}", digits = usize::from(bits / 4))
}

/// Suggests to declare the opcode that fixes more bits as a special case.
fn say_inside(inner: &EncodingCandidate<'_>, outer: &EncodingCandidate<'_>) -> String {
    let free = match inner.unused & outer.unused {
        0 => String::new(),
        unused => format!("; otherwise, distinguish them by {}, unused in both", show_bits(unused)),
    };
    let (name, other) = (inner.name, outer.name);
    format!("if `{name}` is a special case, declare `opcode {name} : [...] inside {other}`{free}")
}

/// Suggests bits that could distinguish two opcodes.
fn tell_apart(a: &EncodingCandidate<'_>, b: &EncodingCandidate<'_>) -> String {
    if let (Some(lacks), _) | (_, Some(lacks)) = (&a.lacks, &b.lacks) {
        return format!("fix a field in each, for example `{lacks};`");
    }
    if a.lift != b.lift {
        return "fix different values in the bits that both begin with".to_owned();
    }
    if a.is_alike(b) {
        let free = match a.unused & b.unused {
            0 => String::new(),
            unused => format!(", or add a fixed field in {}", show_bits(unused)),
        };
        return format!("change the value of one of these fields in one of the two{free}");
    }
    match (a.unused & b.unused, a.unused | b.unused) {
        (0, 0) => "both opcodes use every bit: add an exception to one of the two".to_owned(),
        (0, either) => {
            format!("no bit is unused in both; one of the two does not use {}", show_bits(either))
        }
        (both, _) => {
            format!("distinguish them by bits that are unused in both: {}", show_bits(both))
        }
    }
}

/// Reports an opcode if the opcodes in `others` together decode all its words.
pub(super) fn report_covered(
    party: &EncodingCandidate<'_>,
    others: &[&EncodingCandidate<'_>],
    diag: &mut Diagnostics,
) {
    let name = party.name;
    let message = format!(
        "every encoding of `{name}` is also an encoding of {}\nnote: `{name}` fixes {}\nhelp: \
         remove `{name}`, or fix a field to a value that the others do not have",
        quoted_or(others.iter().map(|other| other.name), " or "),
        party.fixes
    );
    let Some(other) = others.first() else { return };
    let note = format!("`{}` decodes some of the encodings of `{name}`", other.name);
    diag.error_with(Code::NeverDecoded, party.span(), message, other.span(), note);
}
