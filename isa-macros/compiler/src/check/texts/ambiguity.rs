//! Checks that no two opcodes accept the same assembly text, and that no two names differ only in letter
//! case if the parser ignores letter case.

use std::collections::{BTreeMap, BTreeSet};

use super::automaton::Automaton;
use super::grammar::{Pairs, TextPart};
use super::product::Product;
use super::shapes::TextShapes;
use super::{DisjointnessClaim, Spelling, SpellingText, common_modifiers, doubt, prefilter, show};
use crate::check::error_grouping::{CROWDED, ConflictGroups};
use crate::check::overlap::Overlapping;
use crate::diag::{Code, Diagnostics, quoted_first};
use crate::model::cube::Cube;
use crate::model::{Model, NO_ORDER, NamedValue};

/// The opcodes with the same mnemonic, grouped by shape.
type Classes = BTreeMap<usize, Vec<usize>>;

/// The common text of two shapes, if their mnemonics are equal.
enum ShapeOverlap {
    /// The shapes accept this text, given as its pieces.
    Text(Vec<String>),
    /// The shapes have no common text if these token patterns are disjoint: an assertion for all pairs
    /// of opcodes with these shapes.
    Unsure(Vec<Pairs>, Vec<(usize, usize)>),
    Nothing,
}

/// Two opcodes that accept the same text, with the pieces of the text.
struct SharedText {
    first: usize,
    second: usize,
    pieces: Vec<String>,
}

/// Reports opcodes that accept the same text. Returns the assertions about operand types that the result
/// depends on.
pub(super) fn check_same_text(
    model: &Model,
    overlapping: &Overlapping,
    spellings: &[Spelling<'_>],
    shapes: &TextShapes,
    diag: &mut Diagnostics,
) -> Vec<DisjointnessClaim> {
    let mut mnemonics: BTreeMap<&str, Classes> = BTreeMap::new();
    for (index, (spelling, shape)) in spellings.iter().zip(&shapes.of).enumerate() {
        if let Some(shape) = *shape {
            let classes = mnemonics.entry(&*spelling.mnemonic).or_default();
            classes.entry(shape).or_default().push(index);
        }
    }
    let mut check =
        AmbiguityCheck { model, overlapping, spellings, shapes, meetings: BTreeMap::new() };
    let mut overlaps = Vec::new();
    for classes in mnemonics.values() {
        classes.values().for_each(|class| check.class(class, diag));
        check.pairs(classes, &mut overlaps);
    }
    let mut claims = check.nameless(&mnemonics, &mut overlaps);
    overlaps.sort_by_key(|overlap| (overlap.second, overlap.first));
    check.report(&overlaps, diag);
    for (long, longs) in &mnemonics {
        for (dot, _) in long.match_indices('.') {
            if let Some(shorts) = mnemonics.get(&long[..dot]) {
                check.mnemonics(shorts, longs, diag);
            }
        }
    }
    for meeting in check.meetings.into_values() {
        if let ShapeOverlap::Unsure(steps, mut pairs) = meeting {
            pairs.sort_by_key(|&(first, second)| (second, first));
            claims.push((pairs[0].1, claim(model, spellings, &pairs, steps)));
        }
    }
    claims.sort_by_key(|(second, _)| *second);
    claims.into_iter().map(|(_, claim)| claim).collect()
}

struct AmbiguityCheck<'c, 'm> {
    model: &'m Model,
    overlapping: &'c Overlapping,
    spellings: &'c [Spelling<'m>],
    shapes: &'c TextShapes,
    /// The results of comparisons, by the shapes of the first and of the second opcode.
    meetings: BTreeMap<(usize, usize), ShapeOverlap>,
}

impl AmbiguityCheck<'_, '_> {
    /// Returns whether this call must check that two spellings differ. Returns false if both belong to
    /// the same included set, or if one is declared `else` the other. Also returns false if both share
    /// a template and an overlap of their encodings was reported, because their text cannot differ in
    /// this case. Returns false if no combination of features has both.
    fn counts(&self, a: usize, b: usize) -> bool {
        self.must_differ(a, b) && self.can_coexist(a, b)
    }

    /// Returns whether both spellings exist with some combination of features.
    fn can_coexist(&self, a: usize, b: usize) -> bool {
        match (&self.spellings[a].features, &self.spellings[b].features) {
            (Some(a), Some(b)) => self.model.features.meet(&self.model.search, a, b),
            _ => true,
        }
    }

    /// Does the same as [`AmbiguityCheck::counts`] without regard to features.
    fn must_differ(&self, a: usize, b: usize) -> bool {
        match (&self.spellings[a].text, &self.spellings[b].text) {
            (SpellingText::Own(a), SpellingText::Own(b)) => {
                let is_ordered = self.model.yields_to(a, b) || self.model.yields_to(b, a);
                !is_ordered && (a.syntax != b.syntax || !self.overlapping.has(a.node, b.node))
            }
            _ => self.spellings[a].module() != self.spellings[b].module(),
        }
    }

    /// Returns whether a spelling is declared with `else`, so that it is parsed only if others do not
    /// match.
    fn is_after(&self, spelling: usize) -> bool {
        match self.spellings[spelling].text {
            SpellingText::Own(opcode) => opcode.parse_order != NO_ORDER,
            SpellingText::Included { .. } => false,
        }
    }

    /// Returns one opcode of each class such that the two must differ, the lower index first.
    fn counting(&self, one: &[usize], other: &[usize]) -> Option<(usize, usize)> {
        let (&a, &b) = (one.first()?, other.first()?);
        let with = |a: usize| other.iter().copied().find(|&b| self.counts(a, b)).map(|b| (a, b));
        // If the first opcode need not differ from any opcode of the other class, the classes are
        // exchanged and tested again. For example, this opcode may belong to the same included set, or
        // its encodings may overlap.
        let turned = || one.iter().copied().find(|&a| self.counts(a, b)).map(|a| (a, b));
        // If a spelling is declared with `else` or depends on features, perhaps only one pair of opcodes
        // must differ, so every pair is tested.
        let is_special = |one: usize| self.is_after(one) || self.spellings[one].features.is_some();
        let any = || one.iter().chain(other).any(|&one| is_special(one));
        let all = || any().then(|| one.iter().find_map(|&a| with(a))).flatten();
        with(a).or_else(turned).or_else(all).map(|(a, b)| (a.min(b), a.max(b)))
    }

    fn meeting(&mut self, first: usize, second: usize) -> Option<&mut ShapeOverlap> {
        let (x, y) = (self.shapes.of[first]?, self.shapes.of[second]?);
        Some(self.meetings.entry((x, y)).or_insert_with(|| {
            let (a, b) = (&self.shapes.all[x].graph, &self.shapes.all[y].graph);
            let product = Product { a, b, from: (a.start, b.start), either: true };
            if let Some(pieces) = product.witness() {
                return ShapeOverlap::Text(pieces);
            }
            let steps = product.doubts();
            if steps.is_empty() {
                ShapeOverlap::Nothing
            } else {
                ShapeOverlap::Unsure(steps, Vec::new())
            }
        }))
    }

    /// Returns the text that two opcodes both accept. If the answer depends on operand types, records
    /// the pair for the assertion.
    fn common(&mut self, first: usize, second: usize) -> Option<Vec<String>> {
        match self.meeting(first, second)? {
            ShapeOverlap::Text(pieces) => return Some(pieces.clone()),
            ShapeOverlap::Unsure(_, pairs) => pairs.push((first, second)),
            ShapeOverlap::Nothing => {}
        }
        None
    }

    /// Reports opcodes with the same mnemonic and the same shape. The error is at the last of these
    /// opcodes that this call declares.
    fn class(&mut self, class: &[usize], diag: &mut Diagnostics) {
        let is_own = |&&one: &&usize| self.spellings[one].module().is_none();
        let Some(&last) = class.iter().rev().find(is_own).or(class.last()) else { return };
        let others_of = |one: usize| -> Vec<usize> {
            let others = class.iter().copied();
            others.filter(|&other| other != one && self.counts(one, other)).collect()
        };
        let (mut one, mut others) = (last, others_of(last));
        // If a spelling is declared with `else` or depends on features, perhaps only one pair of opcodes
        // must differ.
        let is_special = |one: usize| self.is_after(one) || self.spellings[one].features.is_some();
        if others.is_empty() && class.iter().any(|&one| is_special(one)) {
            let all = class.iter().map(|&one| (one, others_of(one)));
            (one, others) = all.rev().find(|all| !all.1.is_empty()).unwrap_or_default();
        }
        let Some(&first) = others.first() else { return };
        let Some(pieces) = self.common(first.min(one), first.max(one)) else { return };
        match others[..] {
            [other] => {
                let (first, second) = (other.min(one), other.max(one));
                self.report_pair(&SharedText { first, second, pieces }, diag);
            }
            _ => self.report_many(one, &others, &pieces, true, diag),
        }
    }

    /// Finds the overlaps between classes with the same mnemonic. Each overlap names one opcode of each
    /// class.
    fn pairs(&mut self, classes: &Classes, overlaps: &mut Vec<SharedText>) {
        let texts: Vec<&[TextPart]> =
            classes.keys().map(|&shape| &self.shapes.all[shape].parts[..]).collect();
        let members: Vec<&Vec<usize>> = classes.values().collect();
        let mut counts = vec![0; members.len()];
        for (x, y) in prefilter::pairs(&texts) {
            if counts[x] >= CROWDED && counts[y] >= CROWDED {
                continue;
            }
            let Some((first, second)) = self.counting(members[x], members[y]) else { continue };
            if let Some(pieces) = self.common(first, second) {
                counts[x] += 1;
                counts[y] += 1;
                overlaps.push(SharedText { first, second, pieces });
            }
        }
    }

    /// Finds the overlaps between texts without a mnemonic and texts with one. The mnemonic is treated
    /// as fixed text. Returns assertions, each with the second opcode. If all assertions hold, there
    /// are no other overlaps.
    fn nameless(
        &self,
        mnemonics: &BTreeMap<&str, Classes>,
        overlaps: &mut Vec<SharedText>,
    ) -> Vec<(usize, DisjointnessClaim)> {
        let mut claims = Vec::new();
        let Some(nameless) = mnemonics.get("") else { return claims };
        for (mnemonic, classes) in mnemonics.iter().filter(|(mnemonic, _)| !mnemonic.is_empty()) {
            for (&shape, named) in classes {
                let spelled = |part: &TextPart| match part {
                    TextPart::Mnemonic => TextPart::Text((*mnemonic).to_owned()),
                    other => other.clone(),
                };
                let parts: Vec<TextPart> =
                    self.shapes.all[shape].parts.iter().map(spelled).collect();
                let b = Automaton::new(&parts);
                for (&other, members) in nameless {
                    let Some((first, second)) = self.counting(members, named) else { continue };
                    let a = &self.shapes.all[other].graph;
                    let product = Product { a, b: &b, from: (a.start, b.start), either: true };
                    if let Some(pieces) = product.witness() {
                        overlaps.push(SharedText { first, second, pieces });
                        continue;
                    }
                    let (steps, pair) = (product.doubts(), [(first, second)]);
                    if !steps.is_empty() {
                        claims.push((second, claim(self.model, self.spellings, &pair, steps)));
                    }
                }
            }
        }
        claims
    }

    /// Reports opcodes with a common text. If one opcode has many overlaps, they are reported as one
    /// error.
    fn report(&self, overlaps: &[SharedText], diag: &mut Diagnostics) {
        let pairs = overlaps.iter().map(|overlap| (overlap.first, overlap.second)).collect();
        let mut hubs = ConflictGroups::new(pairs, self.spellings.len());
        while let Some((hub, others)) = hubs.most() {
            let crowd = hubs.crowd(hub, &others);
            let is_of = |overlap: &&SharedText| {
                let pair = [overlap.first, overlap.second];
                pair == [hub, others[0]] || pair == [others[0], hub]
            };
            let pieces = overlaps.iter().find(is_of).map_or(&[][..], |overlap| &overlap.pieces);
            self.report_many(hub, &others, pieces, false, diag);
            hubs.drop_all(hub);
            crowd.iter().for_each(|&other| hubs.drop_within(other, hub, &others));
        }
        hubs.left().for_each(|place| self.report_pair(&overlaps[place], diag));
    }

    fn report_pair(&self, overlap: &SharedText, diag: &mut Diagnostics) {
        let (first, second) = (&self.spellings[overlap.first], &self.spellings[overlap.second]);
        let text = show(&overlap.pieces, &first.mnemonic);
        let with = self.with_features(first, second);
        let (names, other) = ((&second.name, &first.name), first.name.span());
        let twice = [second, first].iter().find_map(|spelling| field_twice(self.model, spelling));
        let (message, note) = match twice {
            None => (
                format!(
                    "`{}` and `{}` accept the same assembly text: `{text}`{with}\n{HELP}",
                    names.0, names.1
                ),
                format!("`{}` accepts the same assembly text", first.name),
            ),
            Some(field) => (
                format!(
                    "`{}` and `{}` accept the same assembly text if both positions of \
                     `{field}` have the same value: `{text}`{with}\n{HELP}",
                    names.0, names.1
                ),
                format!("`{}` also accepts this text", first.name),
            ),
        };
        diag.error_with(Code::SameText, second.name.span(), message, other, note);
    }

    /// Reports an opcode that shares texts with many other opcodes. `alike` is true if all of them
    /// accept the same texts.
    fn report_many(
        &self,
        one: usize,
        others: &[usize],
        pieces: &[String],
        alike: bool,
        diag: &mut Diagnostics,
    ) {
        let spelling = &self.spellings[one];
        let names = quoted_first(others.iter().map(|&other| self.spellings[other].name));
        let text = show(pieces, &spelling.mnemonic);
        let with = self.with_features(spelling, &self.spellings[others[0]]);
        let message = match alike {
            true => {
                format!(
                    "`{}` accepts the same assembly text as {names}: `{text}`{with}\n{HELP}",
                    spelling.name
                )
            }
            false => format!(
                "`{}` accepts assembly text that {names} also accept, such as `{text}`{with}\n{HELP}",
                spelling.name
            ),
        };
        let other = &self.spellings[others[0]];
        let note = format!("`{}` accepts the same assembly text", other.name);
        diag.error_with(Code::SameText, spelling.name.span(), message, other.name.span(), note);
    }

    /// Returns a note about a combination of features with which both spellings exist. It is empty if
    /// neither depends on features.
    fn with_features(&self, a: &Spelling<'_>, b: &Spelling<'_>) -> String {
        if a.features.is_none() && b.features.is_none() {
            return String::new();
        }
        let always = [Cube::ALL];
        let [a, b] = [a, b].map(|spelling| spelling.features.as_deref().unwrap_or(&always));
        let common = self.model.features.common(&self.model.search, a, b);
        common.map_or_else(String::new, |features| format!("\nnote: with {features}"))
    }

    /// Reports a mnemonic with dots if another mnemonic followed by modifiers has the same text. The
    /// parser would take the longer mnemonic.
    fn mnemonics(&self, shorts: &Classes, longs: &Classes, diag: &mut Diagnostics) {
        let name = |classes: &Classes| classes.values().next()?.first().copied();
        let (Some(short), Some(long)) = (name(shorts), name(longs)) else { return };
        let [short, long] = [short, long].map(|spelling| &*self.spellings[spelling].mnemonic);
        let Some(words) = long.strip_prefix(short).and_then(|rest| rest.strip_prefix('.')) else {
            return;
        };
        let words: Vec<&str> = words.split('.').collect();
        let takes = |shape: &usize| {
            let parts = &self.shapes.all[*shape].parts;
            let dots = parts.iter().skip_while(|part| **part != TextPart::Mnemonic).nth(1);
            matches!(dots, Some(TextPart::Dots(dots)) if common_modifiers::takes_all(dots, &words))
        };
        let sorted = |mut spellings: Vec<usize>| {
            spellings.sort_unstable();
            spellings
        };
        let takers = shorts.iter().filter(|(shape, _)| takes(shape));
        let takers = sorted(takers.flat_map(|(_, class)| class).copied().collect());
        let longs = sorted(longs.values().flatten().copied().collect());
        let Some((first, second)) = self.counting(&takers, &longs) else { return };
        // The opcodes at which the error is reported; they come first in the message.
        let (short_one, long_one) =
            if takers.contains(&first) { (first, second) } else { (second, first) };
        let listed = |spellings: &[usize], one: usize| {
            let rest = spellings.iter().copied().filter(|&spelling| spelling != one);
            let all: Vec<_> = [one].into_iter().chain(rest).collect();
            quoted_first(all.iter().map(|&spelling| self.spellings[spelling].name))
        };
        let message = format!(
            "`{long}` is the mnemonic of {}, but also `{short}` with modifiers of {}\nhelp: \
             rename one of the two, or write the modifier in both templates: if its value never \
             changes, its field needs no bits, `field<> SET name == {};`",
            listed(&longs, long_one),
            listed(&takers, short_one),
            words.first().copied().unwrap_or_default()
        );
        let [place, other] = [long_one, short_one].map(|spelling| self.spellings[spelling].name);
        let note = format!("`{other}` accepts text that begins with `{long}`");
        diag.error_with(Code::SameText, place.span(), message, other.span(), note);
    }
}

const HELP: &str = "help: add a modifier to one of the templates, change its mnemonic, or \
                    declare which opcode is parsed first with `else OTHER` before the braces of \
                    the other";

/// Returns a field that is shown at two positions of an opcode's template.
fn field_twice<'m>(model: &'m Model, spelling: &Spelling<'_>) -> Option<&'m str> {
    let SpellingText::Own(opcode) = spelling.text else { return None };
    let shown = &opcode.text.shown;
    let twice = shown.iter().enumerate().find(|(i, field)| {
        shown[..*i].iter().any(|other| other.place == field.place && other.symbol != field.symbol)
    });
    twice.map(|(_, field)| model.at(opcode, field.place).text.as_str())
}

/// The maximum number of pairs of opcodes that a message names.
const NAMED: usize = 4;

/// Creates the assertion that opcodes with the same mnemonic do not accept the same text. All pairs
/// have the same shapes, so one message covers all of them.
fn claim(
    model: &Model,
    spellings: &[Spelling<'_>],
    pairs: &[(usize, usize)],
    steps: Vec<Pairs>,
) -> DisjointnessClaim {
    let name =
        |&(a, b): &(usize, usize)| format!("`{}` and `{}`", spellings[b].name, spellings[a].name);
    let named: Vec<String> = pairs.iter().take(NAMED).map(name).collect();
    let also = match (&named[1..], pairs.len() - named.len()) {
        ([], _) => String::new(),
        (also, 0) => format!(", as do {}", also.join(", ")),
        (also, more) => format!(", as do {} and {more} more pairs", also.join(", ")),
    };
    let code = Code::SameText;
    let message =
        format!("{code} {} accept the same assembly text{also}: {}", named[0], doubt(&steps));
    let (span, fold) = (spellings[pairs[0].1].name.span(), model.any_case.is_some());
    DisjointnessClaim { span, steps, fold, message }
}

/// Reports mnemonics, and values of a set, that differ only in letter case, if the set is parsed in any
/// case.
pub(super) fn check_case(model: &Model, spellings: &[Spelling<'_>], diag: &mut Diagnostics) {
    let Some(place) = model.any_case else { return };
    let mut mnemonics: BTreeMap<String, &Spelling<'_>> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for spelling in spellings {
        let key = spelling.written.to_ascii_lowercase();
        let first = *mnemonics.entry(key).or_insert(spelling);
        if first.written == spelling.written || !reported.insert(spelling.written) {
            continue;
        }
        let message = format!(
            "`{}` of `{}` and `{}` of `{}` are the same mnemonic, because `text any_case` \
             ignores letter case\nhelp: write both in the same letter case",
            spelling.written, spelling.name, first.written, first.name
        );
        let own = if matches!(spelling.text, SpellingText::Own(_)) { spelling } else { first };
        diag.error(Code::SameText, own.name.span(), message);
    }
    for kind in &model.field_types {
        let mut known: BTreeMap<String, &NamedValue> = BTreeMap::new();
        let spelled = kind.values().iter().flat_map(|v| v.spellings().map(move |text| (v, text)));
        for (value, text) in spelled {
            let first = *known.entry(text.to_ascii_lowercase()).or_insert(value);
            if first.raw == value.raw {
                continue;
            }
            let message = format!(
                "`{}` and `{}` of `{}` are the same name, because `text any_case` ignores letter \
                 case\nhelp: rename one of the two",
                text, first.text, kind.name
            );
            let span = if kind.origin.is_this_call() { value.name.span() } else { place };
            diag.error(Code::DuplicateName, span, message);
        }
    }
}
