//! Compares the compiler's diagnostics about encodings with sets of words.

use std::collections::BTreeSet;

use crate::random::Random;
use crate::report::Report;
use crate::spec::{Row, Spec};
use crate::verdict::{Verdict, verdict};
use crate::words;
use crate::write::write;

/// The diagnostic codes that random encodings may cause.
const KNOWN: &[&str] = &["ISA0014", "ISA0015", "ISA0030", "ISA0031", "ISA0032", "ISA0033"];

/// A specification with all words of its opcodes.
struct Encodings {
    rows: Vec<Row>,
    /// For each opcode, its valid words.
    legal: Vec<BTreeSet<u128>>,
    /// For each opcode, the words with its fixed bits, valid or not.
    own: Vec<BTreeSet<u128>>,
    /// For each opcode, the words that would be valid without special cases.
    whole: Vec<BTreeSet<u128>>,
    /// Whether the high bits of words come first in memory.
    is_high_first: bool,
}

impl Encodings {
    fn new(spec: &Spec) -> Self {
        let rows = spec.rows();
        let mask = rows.iter().flat_map(|row| &row.fields).fold(0, |mask, field| {
            // One field may overlap another, so each field is considered alone.
            mask | words::insert(field, u64::MAX, 0)
        });
        let all: Vec<u128> = subsets(mask);
        let of = |row: usize, is: &dyn Fn(usize, u128) -> bool| {
            all.iter().copied().filter(|word| is(row, *word)).collect::<BTreeSet<u128>>()
        };
        let each = |is: &dyn Fn(usize, u128) -> bool| {
            (0..rows.len()).map(|row| of(row, is)).collect::<Vec<_>>()
        };
        let own = each(&|row, word| words::belongs(&rows[row], word));
        let whole = each(&|row, word| {
            let values = words::decode(&rows[row], word);
            own[row].contains(&word)
                && words::is_word(&spec.kinds, &rows[row], &values)
                && words::is_allowed(&rows[row], &values)
        });
        let mut encodings = Encodings {
            legal: Vec::new(),
            own,
            whole,
            rows,
            is_high_first: matches!(spec.byte_order, "big_endian" | "little_endian_halfwords"),
        };
        let legal = |row: usize| {
            let special =
                (0..encodings.rows.len()).filter(|other| encodings.is_inside(*other, row));
            let taken: BTreeSet<u128> =
                special.flat_map(|other| encodings.own[other].iter().copied()).collect();
            encodings.whole[row].difference(&taken).copied().collect()
        };
        encodings.legal = (0..encodings.rows.len()).map(legal).collect();
        encodings
    }

    /// Returns whether one opcode is declared inside another and really is.
    fn is_inside(&self, special: usize, general: usize) -> bool {
        self.says(special, general) && self.is_special(special, general)
    }

    fn says(&self, special: usize, general: usize) -> bool {
        self.rows[special].inside.contains(&self.rows[general].name)
    }

    /// Returns whether an opcode fixes everything that another opcode fixes, and more.
    fn is_special(&self, special: usize, general: usize) -> bool {
        self.rows[special].bits == self.rows[general].bits
            && self.own[special].is_subset(&self.own[general])
            && self.own[special] != self.own[general]
    }

    /// Returns a word that both opcodes decode, or a word of one opcode that the other's word
    /// begins with, or a word of the same number.
    fn common(&self, a: usize, b: usize) -> Option<u128> {
        let (short, long) = if self.rows[a].bits <= self.rows[b].bits { (a, b) } else { (b, a) };
        self.legal[long].iter().copied().find(|&word| {
            let start = self.start(word, self.rows[long].bits, self.rows[short].bits);
            let is_same = self.is_high_first && self.legal[short].contains(&word);
            self.legal[short].contains(&start) || is_same
        })
    }

    /// Returns the shorter word that a longer word begins with.
    fn start(&self, word: u128, bits: u32, shorter: u32) -> u128 {
        match self.is_high_first {
            true => word >> (bits - shorter),
            false => word & u128::MAX >> (128 - shorter),
        }
    }

    /// Returns whether the opcode decodes a word of `bits` bits, the beginning of the word, or a
    /// word of the same number.
    fn decodes(&self, row: usize, word: u128, bits: u32) -> bool {
        let own = self.rows[row].bits;
        let begins = own <= bits && self.legal[row].contains(&self.start(word, bits, own));
        begins || self.is_high_first && own != bits && self.legal[row].contains(&word)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.name == name)
    }
}

/// Returns all words whose set bits are within a mask.
fn subsets(mask: u128) -> Vec<u128> {
    let mut all = vec![0];
    let mut word = 0u128;
    loop {
        word = word.wrapping_sub(mask) & mask;
        if word == 0 {
            return all;
        }
        all.push(word);
    }
}

/// Compares the diagnostics of one specification with sets of words.
pub fn check(spec: &Spec, _: &mut Random) -> Report {
    let verdict = verdict(&write(spec));
    let mut report = Report::new(&verdict);
    let encodings = Encodings::new(spec);
    if let Some(code) = verdict.codes().iter().find(|code| !KNOWN.contains(code)) {
        report.fail(&format!("unexpected {code}"), &verdict.faults.join("\n"));
        return report;
    }
    let mut named = BTreeSet::new();
    for fault in &verdict.faults {
        sentence(&encodings, fault, &mut named, &mut report);
    }
    missing(&encodings, &verdict, &named, &mut report);
    report
}

/// Returns each word between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the hexadecimal word in a sentence.
fn witness(text: &str) -> Option<u128> {
    let digits = text.split_once("0x")?.1;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    u128::from_str_radix(&digits[..end], 16).ok()
}

/// Checks whether the first line of a message is true, and collects the pairs of opcodes that it
/// names.
fn sentence(
    encodings: &Encodings,
    fault: &str,
    named: &mut BTreeSet<(usize, usize)>,
    report: &mut Report,
) {
    let line = fault.lines().next().unwrap_or_default();
    // A note at a second location does not have a help line.
    if !fault.contains('\n')
        && !line.contains("is also an encoding of")
        && !line.contains("never decoded")
    {
        return note(encodings, line, report);
    }
    let rows: Vec<usize> = quoted(line).into_iter().filter_map(|n| encodings.place(n)).collect();
    let [first, others @ ..] = &rows[..] else {
        return report.fail("a message without opcodes", fault);
    };
    let first = *first;
    let word = witness(line);
    let (legal, code) = (&encodings.legal, &line[1..8]);
    let is_true = match code {
        "ISA0033" if line.contains("is also an encoding of") => {
            let union = others.iter().flat_map(|&other| legal[other].iter().copied());
            legal[first].is_subset(&union.collect())
        }
        "ISA0015" | "ISA0033" => legal[first].is_empty(),
        "ISA0032" => {
            return not_inside(encodings, line, first, others, report);
        }
        "ISA0030" => others.iter().all(|&other| legal[other] == legal[first]),
        "ISA0031" if word.is_some() => others.iter().all(|&o| legal[first].is_subset(&legal[o])),
        "ISA0031" => {
            let Some((general, inner)) = rows.split_last() else { return };
            inner.iter().all(|&one| legal[one].is_subset(&legal[*general]))
        }
        _ => true,
    };
    if !is_true {
        report.fail(&format!("false sentence of {code}"), fault);
    }
    // For two widths, the message contains a word and the longer word that begins with it.
    let bits = rows.iter().map(|row| encodings.rows[*row].bits).max().unwrap_or_default();
    let longer = line.split_once("which is the beginning of ").and_then(|(_, rest)| witness(rest));
    if let (Some(word), Some(longer), [short, long, ..]) = (word, longer, &rows[..]) {
        let [bits, shorter] = [*long, *short].map(|row| encodings.rows[row].bits);
        if !legal[*short].contains(&word)
            || !legal[*long].contains(&longer)
            || encodings.start(longer, bits, shorter) != word
        {
            report.fail(&format!("{code}: its words are not of the two"), fault);
        }
    } else if let Some(word) = word
        && !rows.iter().all(|&row| encodings.decodes(row, word, bits))
    {
        report.fail(&format!("{code}: its word is not of both"), fault);
    }
    for (place, &a) in rows.iter().enumerate() {
        for &b in &rows[..place] {
            named.insert((a.min(b), a.max(b)));
        }
    }
    // All opcodes must share a valid word with the first opcode, unless the first has no valid
    // word.
    let pairs = match (code, rows.split_last()) {
        ("ISA0031", Some((last, inner))) if word.is_none() => (*last, inner),
        _ => (first, others),
    };
    let apart = |other: &&usize| encodings.common(pairs.0, **other).is_none();
    let of_one = code == "ISA0015" || line.contains("never decoded");
    if !of_one && pairs.1.iter().any(|other| apart(&other)) {
        report.fail(&format!("{code}: opcodes without a common word"), fault);
    }
}

/// Checks a note at a second location: `A` decodes some of the same words.
fn note(encodings: &Encodings, line: &str, report: &mut Report) {
    let rows: Vec<usize> = quoted(line).into_iter().filter_map(|n| encodings.place(n)).collect();
    if let [a, b, ..] = rows[..]
        && line.contains("decodes all encodings of")
        && !encodings.legal[b].is_subset(&encodings.legal[a])
    {
        report.fail("false note", line);
    }
}

/// Checks the message that `A` is not inside `B`: it shows a word that is `A` and not `B`.
fn not_inside(
    encodings: &Encodings,
    line: &str,
    special: usize,
    others: &[usize],
    report: &mut Report,
) {
    let Some(&general) = others.first() else { return };
    if encodings.is_special(special, general) {
        report.fail("ISA0032 of a special case", line);
    }
    let (own, wider) = (&encodings.own[special], &encodings.own[general]);
    if line.contains("both fix the same bits") && own != wider {
        report.fail("false sentence of ISA0032", line);
    }
    if let Some(word) = witness(line)
        && (!encodings.whole[special].contains(&word) || encodings.whole[general].contains(&word))
    {
        let class = match own.contains(&word) && !wider.contains(&word) {
            true => "ISA0032: its word has the fixed bits and is not legal",
            false => "ISA0032: its word is not of one alone",
        };
        report.fail(class, line);
    }
}

/// Checks that each pair with a common word and each wrong `inside` is reported.
fn missing(
    encodings: &Encodings,
    verdict: &Verdict,
    named: &BTreeSet<(usize, usize)>,
    report: &mut Report,
) {
    let rows = &encodings.rows;
    for b in 0..rows.len() {
        for a in 0..b {
            let said = encodings.says(a, b) || encodings.says(b, a);
            let Some(word) = encodings.common(a, b).filter(|_| !said) else { continue };
            // If several opcodes have the same words, a message about one of them is sufficient.
            let known = |a: usize, b: usize| {
                let said = encodings.says(a, b) || encodings.says(b, a);
                named.contains(&(a.min(b), a.max(b))) || said || a == b
            };
            let same = |a: usize, c: &usize| encodings.legal[a] == encodings.legal[*c];
            let alike = |a: usize| (0..rows.len()).filter(move |c| same(a, c));
            // An opcode without a word of its own must be removed, with all its overlaps. The
            // message about it also covers opcodes with the same words.
            let is_covered = |row: usize| {
                let head = format!("every encoding of `{}` is also an encoding of", rows[row].name);
                verdict.with(33).any(|message| message.starts_with(&head))
            };
            let is_known = alike(a).chain(alike(b)).any(is_covered)
                || alike(a).any(|c| alike(b).any(|d| known(c, d)));
            if !is_known {
                let detail = format!("{} and {}: {word:#x}", rows[a].name, rows[b].name);
                report.fail("not reported: two opcodes decode one word", &detail);
            }
        }
        for a in (0..rows.len()).filter(|a| encodings.says(*a, b) && !encodings.is_special(*a, b)) {
            let head = format!("`{}` is not inside `{}`", rows[a].name, rows[b].name);
            if !verdict.with(32).any(|message| message.starts_with(&head)) {
                report.fail("not reported: an opcode is not inside another", &head);
            }
        }
        if encodings.legal[b].is_empty() {
            let head = format!("`{}` is never decoded", rows[b].name);
            let other = format!("`{}` has no valid encoding", rows[b].name);
            let is_it = |message: &str| message.starts_with(&head) || message.starts_with(&other);
            if !verdict.with(33).chain(verdict.with(15)).any(is_it) {
                report.fail("not reported: an opcode is never decoded", &head);
            }
        }
    }
}
