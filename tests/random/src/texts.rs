//! Compares the compiler's diagnostics about templates with parsing and printing by the definition.

use std::collections::{BTreeMap, BTreeSet};

use crate::operands;
use crate::own::{self, Item, Place};
use crate::printing;
use crate::random::Random;
use crate::report::Report;
pub use crate::resolved::Texts;
use crate::spec::{OTHER_NAMES, Piece, Row, Spec};
use crate::verdict::{Verdict, verdict};
use crate::words;
use crate::write::write;

/// The number of words of one opcode that are checked.
const WORDS: usize = 240;
/// The number of spellings of one word that are checked.
const SPELLINGS: usize = 2;

/// The errors in a set of templates.
#[derive(Debug, Default)]
pub struct Violations {
    /// For two rows, a text that both accept.
    pub shared: BTreeMap<(usize, usize), String>,
    /// The pairs in `shared` that share a text that is valid in both.
    pub legal: BTreeSet<(usize, usize)>,
    /// For a row, a printed text that is not parsed as the word that was printed.
    pub unread: BTreeMap<usize, String>,
    /// For a row, the same for a word that is not valid.
    pub unread_illegal: BTreeMap<usize, String>,
}

impl Texts<'_> {
    /// Searches for errors, over all words and some spellings of each.
    #[must_use]
    pub fn violations(&self, random: &mut Random) -> Violations {
        let mut found = Violations::default();
        for row in 0..self.rows.len() {
            for values in words::samples(&self.spec.kinds, &self.rows[row], WORDS) {
                self.look_at(row, &values, random, &mut found);
            }
        }
        found
    }

    fn look_at(&self, row: usize, values: &[u64], random: &mut Random, found: &mut Violations) {
        let (kinds, own) = (&self.spec.kinds, &self.owns[row]);
        // The printed text, and the same text with other names of its values.
        for name in 0..=OTHER_NAMES {
            let text = printing::print_as(kinds, &self.rows[row], own, values, name);
            let written = self.rows[row].written(values);
            if !is_statement(&text) || self.read(row, &text) != Some(written) {
                let legal = self.is_legal(row, values);
                let list = if legal { &mut found.unread } else { &mut found.unread_illegal };
                list.entry(row).or_insert_with(|| text.clone());
            }
            self.share(row, &text, found);
        }
        for _ in 0..SPELLINGS {
            let text = self.spell(row, values, random);
            self.share(row, &text, found);
        }
    }

    fn share(&self, row: usize, text: &str, found: &mut Violations) {
        self.distances().for_each(|label| self.share_at(row, text, label, found));
    }

    /// Searches for other rows that accept a text, with labels at this distance.
    fn share_at(&self, row: usize, text: &str, label: u64, found: &mut Violations) {
        if self.read_any(row, text, label).is_none() {
            return;
        }
        let is_legal = |row| self.read(row, text).is_some_and(|values| self.is_legal(row, &values));
        let legal = is_legal(row);
        for other in (0..self.rows.len()).filter(|other| *other != row) {
            if self.is_ordered(row, other) || self.read_any(other, text, label).is_none() {
                continue;
            }
            let pair = (row.min(other), row.max(other));
            let is_legal = legal && is_legal(other);
            if is_legal && found.legal.insert(pair) {
                found.shared.insert(pair, text.to_owned());
            }
            found.shared.entry(pair).or_insert_with(|| text.to_owned());
        }
    }

    /// Returns for each opcode a field that is neither fixed nor shown by any text.
    fn hidden(&self) -> BTreeMap<String, String> {
        let mut hidden = BTreeMap::new();
        for (row, own) in self.rows.iter().zip(&self.owns) {
            let mut shown = Vec::new();
            own::fields_of(own, &mut shown);
            let fields = row.fields.iter().enumerate();
            let fields = fields.filter(|(at, f)| f.fixed.is_none() && !shown.contains(at));
            for (_, field) in fields.filter(|(_, field)| !row.ignored.contains(&field.name)) {
                hidden.insert(row.name.clone(), field.name.clone());
            }
        }
        hidden
    }

    /// Returns whether an opcode has an affix whose field has no default, so that the affix could represent
    /// either value of the field.
    fn marks_disagree(&self) -> bool {
        self.rows.iter().any(|row| {
            let subs = row.fields.iter().filter(|field| field.name.contains('.'));
            subs.filter(|field| field.default.is_none()).any(|field| {
                let members = self.rows.iter().filter(|other| other.family == row.family);
                let others = members.flat_map(|other| &other.fields);
                let others = others.filter(|other| other.name == field.name);
                let defaults: BTreeSet<u64> = others.filter_map(|other| other.default).collect();
                defaults.len() > 1
            })
        })
    }

    /// Returns whether a template is rejected by a rule that does not depend on a misread text. One
    /// rule requires that the first of two positions with a common value is mandatory. Another
    /// requires that the item after an optional group begins differently. Both apply even if fixed
    /// fields or other positions of a field prevent a misread text.
    fn is_by_rule(&self, message: &str) -> bool {
        let fixed = |row: &Row, items: &[Item]| {
            let mut fields = Vec::new();
            own::fields_of(items, &mut fields);
            fields.iter().any(|&field| row.fields[field].fixed.is_some())
        };
        let twice = |own: &[Item]| {
            let mut fields = Vec::new();
            own::fields_of(own, &mut fields);
            let shown = fields.len();
            fields.sort_unstable();
            fields.dedup();
            fields.len() < shown
        };
        let mut all = self.rows.iter().zip(&self.owns);
        if message.contains("could be") {
            return all.any(|(row, own)| fixed(row, own) || twice(own));
        }
        // An accepted text can be empty even if no printed text is, because a fixed value is always
        // printed.
        if message.contains("an empty statement") {
            let may_be_empty = |item: &Item| match item {
                Item::Text(text) => text == ";",
                Item::Word(text) => text.is_empty(),
                Item::Part(_) | Item::Tags(_) => true,
                _ => false,
            };
            return all.any(|(_, own)| own.iter().all(may_be_empty));
        }
        if message.contains("is parsed as a label") {
            // An optional group may be present in a text that is never printed in this way.
            return all.any(|(_, own)| own.iter().any(|item| matches!(item, Item::Part(_))));
        }
        message.contains("is optional, but the text")
            && all.any(|(row, own)| {
                let optional = own.iter().filter_map(|item| match item {
                    Item::Part(inner) => Some(&inner[..]),
                    Item::Tags(_) => Some(std::slice::from_ref(item)),
                    _ => None,
                });
                let optional: Vec<&[Item]> = optional.collect();
                twice(own)
                    || optional.len() > 1
                    || optional.into_iter().any(|items| fixed(row, items))
            })
    }

    /// Returns for each opcode a field that may be omitted everywhere and then has no value.
    fn unfilled(&self) -> BTreeMap<String, String> {
        let mut unfilled = BTreeMap::new();
        for (row, own) in self.rows.iter().zip(&self.owns) {
            let (mut must, mut may) = (Vec::new(), Vec::new());
            sort_places(own, false, &mut must, &mut may);
            for at in may.into_iter().filter(|at| !must.contains(at)) {
                let field = &row.fields[at];
                if field.default.is_none() && field.fixed.is_none() {
                    unfilled.insert(row.name.clone(), field.name.clone());
                }
            }
        }
        unfilled
    }
}

/// Returns whether some template begins with two optional groups. A blank is printed between them,
/// but not before the second if the first is absent.
fn begins_with_parts(texts: &Texts<'_>) -> bool {
    texts.rows.iter().any(|row| match &row.template[..] {
        [Piece::Mnemonic(word), Piece::Part(_), Piece::Part(_), ..] => word.is_empty(),
        _ => false,
    })
}

/// Returns whether a text is a statement at any location: it is not only a terminator, and it is
/// not a label.
fn is_statement(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_.".contains(c));
    let is_name = behind.len() < text.len() && !text.starts_with(|c: char| c.is_ascii_digit());
    text != ";" && !(is_name && behind.trim_start().starts_with(':'))
}

/// Collects the fields that a text must show and the fields that it may omit.
fn sort_places(items: &[Item], within: bool, must: &mut Vec<usize>, may: &mut Vec<usize>) {
    let mut places = |places: &[Place], may: &mut Vec<usize>| {
        for place in places {
            let list = if place.required && !within { &mut *must } else { &mut *may };
            list.push(place.field);
        }
    };
    for item in items {
        match item {
            Item::Word(_) | Item::Text(_) => {}
            Item::Dots(dots) | Item::Tags(dots) => places(dots, may),
            Item::Operand { field, marks, dots } => {
                places(dots, may);
                let shown = [*field].into_iter().chain(marks.iter().map(|mark| mark.field));
                let required = shown.map(|field| Place { field, only: None, required: true });
                places(&required.collect::<Vec<_>>(), may);
            }
            Item::Part(inner) => {
                let mut fields = Vec::new();
                own::fields_of(inner, &mut fields);
                may.extend(fields);
            }
        }
    }
}

/// Compares the diagnostics of one specification with the definition.
pub fn check(spec: &Spec, random: &mut Random) -> Report {
    let text = write(spec);
    let verdict = verdict(&text);
    let mut report = Report::new(&verdict);
    if let Some(code) = verdict.codes().iter().find(|code| !KNOWN.contains(code)) {
        report.fail(&format!("unexpected {code}"), &verdict.faults.join("\n"));
        return report;
    }
    let texts = Texts::new(spec);
    if lacks_operand(&texts) && verdict.with(20).count() > 0
        || texts.marks_disagree() && verdict.with(17).count() > 0
        || begins_with_parts(&texts) && verdict.with(17).any(|text| text.contains("the beginning"))
    {
        return report;
    }
    if texts.owns.iter().any(|own| repeats_a_value(own)) {
        if verdict.with(17).all(|message| !message.contains("already represents it")) {
            report.fail("ISA0017 not reported", "two modifiers write one value");
        }
        return report;
    }
    let (hidden, unfilled) = (texts.hidden(), texts.unfilled());
    for code in [17, 20] {
        // A template that replaces another template and shows fewer fields is reported with these
        // codes.
        if verdict.with(code).count() > 0 {
            if code == 17 || hidden.is_empty() && unfilled.is_empty() {
                report.fail(&format!("ISA{code:04} for nothing"), &verdict.faults[0]);
            }
            return report;
        }
    }
    for (code, expected) in [(19, hidden), (40, unfilled)] {
        let found = named(&verdict, code);
        for (opcode, field) in found.iter().filter(|(opcode, _)| !expected.contains_key(*opcode)) {
            report.fail(&format!("ISA{code:04} for nothing"), &format!("{field} of {opcode}"));
        }
        // A property that several opcodes share is reported only for one of them.
        if let Some((opcode, field)) = expected.iter().next()
            && found.is_empty()
        {
            report.fail(&format!("ISA{code:04} not reported"), &format!("{field} of {opcode}"));
        }
        if !found.is_empty() || !expected.is_empty() {
            return report;
        }
    }
    let found = texts.violations(random);
    if verdict.faults.is_empty() {
        report.undecided = verdict.claims;
        if !verdict.claims {
            expect_none(&texts, &found, &mut report);
        }
        return report;
    }
    compare(&texts, &verdict, &found, &mut report);
    report
}

/// The diagnostic codes that random templates may cause.
const KNOWN: &[&str] = &["ISA0017", "ISA0019", "ISA0020", "ISA0024", "ISA0025", "ISA0040"];

/// Returns whether a template has an operand placeholder for which some opcode has no field.
fn lacks_operand(texts: &Texts<'_>) -> bool {
    texts
        .rows
        .iter()
        .zip(&texts.owns)
        .any(|(row, own)| own::slots(own) < own::slots_in(&row.template))
}

/// Returns whether two positions of one list print the same value of a field.
fn repeats_a_value(items: &[Item]) -> bool {
    let is_like = |a: &Place, b: &Place| {
        a.field == b.field && (a.only.is_none() || b.only.is_none() || a.only == b.only)
    };
    items.iter().any(|item| match item {
        Item::Dots(places) | Item::Tags(places) | Item::Operand { dots: places, .. } => {
            let earlier = |at: usize| places[..at].iter().any(|place| is_like(place, &places[at]));
            (0..places.len()).any(earlier)
        }
        Item::Part(inner) => repeats_a_value(inner),
        Item::Word(_) | Item::Text(_) => false,
    })
}

/// Returns for each opcode a field that messages name together with it.
fn named(verdict: &Verdict, code: u32) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for message in verdict.with(code) {
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        if (message.contains("can vary, but") || message.contains("has no default in"))
            && let [field, opcode, ..] = quoted[..]
        {
            names.insert(opcode.to_owned(), field.to_owned());
        }
    }
    names
}

/// Reports a failure if an accepted specification has a violation.
fn expect_none(texts: &Texts<'_>, found: &Violations, report: &mut Report) {
    let name = |row: &usize| &texts.rows[*row].name;
    for (pair, text) in &found.shared {
        let class = match (found.legal.contains(pair), is_alias(texts, *pair)) {
            (true, false) => "accepted: two opcodes read one text",
            (true, true) => "accepted: another spelling shares a text",
            (false, _) => "accepted: only illegal values tell two texts apart",
        };
        report.fail(class, &format!("{} and {}: {text}", name(&pair.0), name(&pair.1)));
    }
    for (row, text) in &found.unread {
        report.fail("accepted: printed text is not read back", &format!("{}: {text}", name(row)));
    }
}

fn is_alias(texts: &Texts<'_>, pair: (usize, usize)) -> bool {
    texts.rows[pair.0].alias.is_some() || texts.rows[pair.1].alias.is_some()
}

/// Compares a rejected specification with its violations: each reported violation must exist, and
/// each existing violation must be reported.
fn compare(texts: &Texts<'_>, verdict: &Verdict, found: &Violations, report: &mut Report) {
    let messages: Vec<&str> = verdict.with(24).chain(verdict.with(40)).collect();
    let unread = !messages.is_empty();
    let open: Vec<&str> = messages.iter().copied().filter(|m| !texts.is_by_rule(m)).collect();
    if open.is_empty() && unread {
        return;
    }
    // The compiler does not know the text of a fixed value of an operand type.
    let of_kinds = ["can begin in the same way", "which can begin with a letter"];
    let is_of_kinds = |message: &&str| of_kinds.iter().any(|part| message.contains(part));
    let sure = !open.iter().all(is_of_kinds);
    if unread && sure && found.unread.is_empty() && found.unread_illegal.is_empty() {
        let kinds = ["does not show", "is optional, but the text", "could be", "is a value of"];
        let kind = kinds.into_iter().find(|kind| open[0].contains(kind)).unwrap_or("?");
        let class = format!("refused (`... {kind} ...`): every text is read back");
        report.fail(&class, &messages.join("\n"));
    }
    if !unread && !verdict.claims {
        for (row, text) in &found.unread {
            let detail = format!("{}: {text}", texts.rows[*row].name);
            report.fail("refused for another reason: printed text is not read back", &detail);
        }
    }
    // If a template does not round-trip, texts that two templates share are not guaranteed to be
    // reported.
    if unread {
        return;
    }
    let mut reported = BTreeSet::new();
    for message in verdict.with(25) {
        many(texts, message, found, &mut reported, report);
    }
    for message in verdict.with(25).filter(|message| message.contains(" and `")) {
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let place = |name: &str| texts.rows.iter().position(|row| row.name == name);
        // If token patterns cannot distinguish two operand types, no common text has to exist.
        if message.contains("can begin in the same way") {
            for pair in quoted.windows(2) {
                let (a, b) = (place(pair[0]), place(pair[1]));
                let pair = a.zip(b).map(|(a, b)| (a.min(b), a.max(b)));
                reported.extend(pair);
            }
            continue;
        }
        let (second, first, text) = match quoted[..] {
            // `B` and `A` accept the same assembly text if both positions of `m` have the same value: `text`.
            [second, first, _, text, ..] if message.contains("if both positions of") => {
                (second, first, text)
            }
            [second, first, text, ..] => (second, first, text),
            _ => continue,
        };
        let (Some(a), Some(b)) = (place(first), place(second)) else { continue };
        reported.insert((a.min(b), a.max(b)));
        if !is_shared(texts, a, b, text) {
            let class = match found.shared.contains_key(&(a.min(b), a.max(b))) {
                true => "ISA0025: its text is not of both, another is",
                false => "ISA0025: its text is not of both, and none was found",
            };
            report.fail(class, message);
        }
    }
    // If several opcodes conflict in the same way, only the first is reported.
    if verdict.claims
        || verdict.with(25).any(|message| message.contains("can begin in the same way"))
    {
        return;
    }
    // If several opcodes share a text, a report about one of them covers the others. The same
    // applies to opcodes of which one is parsed first.
    let mut first: Vec<usize> = (0..texts.rows.len()).collect();
    let rows = 0..texts.rows.len();
    let pairs = rows.clone().flat_map(|a| rows.clone().map(move |b| (a, b)));
    let ordered = pairs.filter(|&(a, b)| a < b && texts.is_ordered(a, b));
    for (a, b) in reported.iter().copied().chain(ordered) {
        let (a, b) = (first[a], first[b]);
        first.iter_mut().filter(|one| **one == b).for_each(|one| *one = a);
    }
    let is_known = |&(a, b): &(usize, usize)| first[a] == first[b];
    for (pair, text) in found.shared.iter().filter(|(pair, _)| !is_known(pair)) {
        let legal = if found.legal.contains(pair) { "" } else { " of illegal words" };
        let (a, b) = (&texts.rows[pair.0].name, &texts.rows[pair.1].name);
        report.fail(
            &format!("ISA0025 not reported of a pair{legal}"),
            &format!("{a} and {b}: {text}"),
        );
    }
}

/// Handles a message about one opcode and several others that share a text with it.
fn many(
    texts: &Texts<'_>,
    message: &str,
    found: &Violations,
    reported: &mut BTreeSet<(usize, usize)>,
    report: &mut Report,
) {
    let line = message.lines().next().unwrap_or_default();
    let alike = line.contains("` accepts the same assembly text as `");
    if !alike && !line.contains("` accepts assembly text that `") {
        return;
    }
    let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
    let Some((text, names)) = quoted.split_last() else { return };
    let place = |name: &&str| texts.rows.iter().position(|row| row.name == **name);
    let rows: Vec<usize> = names.iter().filter_map(place).collect();
    let [one, others @ ..] = &rows[..] else { return };
    // The text is common to all, or is an example for one of them.
    for other in &others[..if alike { others.len() } else { 1 }] {
        if !is_shared(texts, *one, *other, text) {
            report.fail("ISA0025: its text is not of all", message);
        }
    }
    reported.extend(others.iter().map(|other| (*one.min(other), *one.max(other))));
    // A long list names some opcodes and counts the rest.
    if line.contains(" more") {
        reported.extend(found.shared.keys().filter(|(a, b)| a == one || b == one));
    }
}

/// Returns whether both rows accept a text in which `<Reg>` represents any text of the operand
/// type.
fn is_shared(texts: &Texts<'_>, a: usize, b: usize, text: &str) -> bool {
    let Some((head, rest)) = text.split_once('<') else {
        let reads = |row, label| texts.read_any(row, text, label).is_some();
        return texts.distances().any(|label| reads(a, label) && reads(b, label));
    };
    let Some((name, tail)) = rest.split_once('>') else { return false };
    // A composite operand of a type accepts the same texts as the type.
    let name = name.strip_prefix("As").unwrap_or(name);
    let Some(kind) =
        texts.spec.kinds.iter().find(|kind| kind.rust_name() == name || kind.name == name)
    else {
        return false;
    };
    kind.sample()
        .into_iter()
        .any(|raw| is_shared(texts, a, b, &format!("{head}{}{tail}", operands::show(kind, raw))))
}
