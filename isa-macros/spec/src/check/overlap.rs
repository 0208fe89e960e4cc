//! Rules over the encodings of all opcodes together: each has words of its own.

use proc_macro2::Ident;

use crate::diag::{Code, Diagnostics, quoted, quoted_first};
use crate::model::cube::{self, Cube, witness};
use crate::model::{Field, Init, Model, Opcode, describe};

/// More cubes than this are not looked through for opcodes that only several others cover.
const MOST_CUBES: usize = 4096;

/// One opcode as these rules see it: of this call, or of an included set.
struct Party<'m> {
    /// Its place among all.
    place: usize,
    name: &'m Ident,
    bits: u8,
    identity: Cube,
    /// The bits that no field covers.
    unused: u128,
    illegal: Vec<Cube>,
    fixes: String,
    /// What would tell it from others, where it fixes nothing that does: `op == ADD`.
    lacks: Option<String>,
    /// The opcodes that it is said to be inside of.
    inside: Vec<&'m Ident>,
    own: bool,
}

impl Party<'_> {
    /// Whether both have the same fixed and unused bits.
    fn is_same(&self, other: &Party<'_>) -> bool {
        self.bits == other.bits && self.identity == other.identity
    }

    /// Of some words, those that are no legal words of this opcode.
    fn leave(&self, words: &[Cube]) -> Vec<Cube> {
        let mut outside = self.identity.complement();
        outside.extend(&self.illegal);
        cube::intersect(words, &outside)
    }

    /// Whether every legal word is a legal word of one of the others.
    fn is_covered_by(&self, others: &[&Party<'_>]) -> bool {
        let mut rest = vec![self.identity];
        for other in others {
            rest = other.leave(&rest);
            if rest.len() > MOST_CUBES {
                return false;
            }
        }
        rest.into_iter().all(|cube| witness(cube, &self.illegal).is_none())
    }
}

/// Two opcodes that both decode a word.
struct Overlap<'p, 'm> {
    a: &'p Party<'m>,
    b: &'p Party<'m>,
    word: u128,
}

/// No two opcodes decode the same word. Exact: `(va ^ vb) & ma & mb == 0` first, then a search
/// for a word that neither excludes. A short word must not be the start of a longer one: no
/// stream could tell where it ends.
pub(crate) fn check_overlap(model: &Model, diag: &mut Diagnostics) {
    let parties = parties(model);
    let mut overlaps = Overlaps::new(find_overlaps(model, &parties), parties.len());
    for party in parties.iter().filter(|party| party.own) {
        let others = overlaps.others(party);
        let alone = |other: &&Party<'_>| party.is_covered_by(&[other]);
        if others.len() > 1 && !others.iter().any(alone) && party.is_covered_by(&others) {
            report_covered(party, &others, diag);
            overlaps.drop_all(party);
        }
    }
    while let Some((party, others)) = overlaps.take_most(&parties) {
        report_many(party, &others, diag);
    }
    for overlap in overlaps.left() {
        overlap.report(diag);
    }
}

fn find_overlaps<'p, 'm>(model: &Model, parties: &'p [Party<'m>]) -> Vec<Overlap<'p, 'm>> {
    let mut overlaps = Vec::new();
    for (i, a) in parties.iter().enumerate() {
        for b in &parties[..i] {
            let Some(common) = a.identity.and(b.identity) else { continue };
            // What is said to be inside and is not is a fault of another rule.
            let said = a.inside.contains(&b.name) || b.inside.contains(&a.name);
            if said || !a.own && !b.own && same_set(model, a, b) {
                continue;
            }
            let without: Vec<Cube> = a.illegal.iter().chain(&b.illegal).copied().collect();
            if let Some(word) = witness(common, &without) {
                overlaps.push(Overlap { a, b, word });
            }
        }
    }
    overlaps
}

/// Whether both come from one included set, whose own call has checked them.
fn same_set(model: &Model, a: &Party<'_>, b: &Party<'_>) -> bool {
    let module = |party: &Party<'_>| {
        let included = model.included.iter().find(|opcode| opcode.name == *party.name)?;
        Some(&included.set.module_text)
    };
    module(a) == module(b)
}

fn parties(model: &Model) -> Vec<Party<'_>> {
    let included = model.included.iter().map(|opcode| Party {
        place: 0,
        name: &opcode.name,
        bits: opcode.bits,
        identity: Cube { mask: opcode.mask, value: opcode.value },
        unused: opcode.unused,
        illegal: opcode.illegal.iter().map(|&(mask, value)| Cube { mask, value }).collect(),
        fixes: opcode.fixes.clone(),
        lacks: None,
        inside: Vec::new(),
        own: false,
    });
    let own = model.encoding_opcodes().map(|opcode| Party {
        place: 0,
        name: &opcode.name,
        bits: opcode.bits,
        identity: opcode.identity(),
        unused: opcode.unused,
        illegal: opcode.illegal.clone(),
        fixes: fixed_fields(model, opcode),
        lacks: lacking(model, opcode),
        inside: opcode.inside.iter().map(|said| &model.opcodes[said.opcode].name).collect(),
        own: true,
    });
    let placed = included.chain(own).enumerate();
    placed.map(|(place, party)| Party { place, ..party }).collect()
}

/// So many overlaps of one opcode are one fault, which is most likely its own. Fewer are if all are
/// with the same words.
const MANY: usize = 3;

/// All overlaps, of which some are reported together.
struct Overlaps<'p, 'm> {
    all: Vec<Overlap<'p, 'm>>,
    /// Whether each is still to be reported.
    open: Vec<bool>,
    /// By party, its overlaps, and how many of them are open.
    of: Vec<Vec<usize>>,
    degree: Vec<usize>,
}

impl<'p, 'm> Overlaps<'p, 'm> {
    fn new(all: Vec<Overlap<'p, 'm>>, parties: usize) -> Self {
        let mut of = vec![Vec::new(); parties];
        for (place, overlap) in all.iter().enumerate() {
            of[overlap.a.place].push(place);
            of[overlap.b.place].push(place);
        }
        let degree = of.iter().map(Vec::len).collect();
        Overlaps { open: vec![true; all.len()], all, of, degree }
    }

    /// The overlaps of a party that no message has covered yet.
    fn of(&self, party: &Party<'_>) -> impl Iterator<Item = &Overlap<'p, 'm>> {
        self.of[party.place].iter().filter(|&&at| self.open[at]).map(|&at| &self.all[at])
    }

    fn others(&self, party: &Party<'_>) -> Vec<&'p Party<'m>> {
        self.of(party).map(|overlap| overlap.other(party)).collect()
    }

    fn drop_all(&mut self, party: &Party<'_>) {
        for &at in &self.of[party.place] {
            if std::mem::replace(&mut self.open[at], false) {
                self.degree[self.all[at].a.place] -= 1;
                self.degree[self.all[at].b.place] -= 1;
            }
        }
    }

    /// The party with the most overlaps, if those are many, with what it overlaps with. Where it is
    /// one of several that all have the same words, they are taken as one.
    fn take_most(
        &mut self,
        parties: &'p [Party<'m>],
    ) -> Option<(&'p Party<'m>, Vec<&'p Party<'m>>)> {
        let most = self.degree.iter().copied().max().filter(|&most| most > 1)?;
        let party = &parties[self.degree.iter().position(|&degree| degree == most)?];
        let others = self.others(party);
        if most < MANY && !others.iter().all(|other| party.is_same(other)) {
            return None;
        }
        let mut same = others.iter().filter(|other| party.is_same(other));
        self.drop_all(party);
        same.by_ref().for_each(|other| self.drop_all(other));
        Some((party, others))
    }

    fn left(&self) -> impl Iterator<Item = &Overlap<'p, 'm>> {
        self.all.iter().zip(&self.open).filter(|(_, open)| **open).map(|(overlap, _)| overlap)
    }
}

/// Reports one opcode that shares words with many others.
fn report_many(party: &Party<'_>, others: &[&Party<'_>], diag: &mut Diagnostics) {
    let name = party.name;
    let all_own = |is: &dyn Fn(&Party<'_>) -> bool| others.iter().all(|other| is(other));
    let within = |other: &Party<'_>| {
        other.own && other.bits == party.bits && party.identity.covers(other.identity)
    };
    let listed = quoted_first(others.iter().map(|other| other.name));
    let fixes = format!("note: `{name}` fixes {}", party.fixes);
    let (code, message) = if all_own(&|other| party.is_same(other)) {
        let lacks = party.lacks.as_ref().map(|lacks| format!(", as `{lacks};`"));
        let message = format!(
            "`{name}` has one encoding with {listed}\n{fixes}, and so do the others\nhelp: fix a \
             field in each to a value of its own{}",
            lacks.unwrap_or_default()
        );
        (Code::SameEncoding, message)
    } else if all_own(&within) {
        let message = format!(
            "all words of {listed} are words of `{name}` too\n{fixes}\nhelp: fix a field of \
             `{name}` to a value that the others do not have; a special case of it says so, \
             `opcode NAME : [...] inside {name}`"
        );
        (Code::UndeclaredInside, message)
    } else {
        let message = format!(
            "`{name}` decodes words that others decode too, {listed}\n{fixes}\nhelp: fix a field of \
             `{name}` to a value that the others do not have"
        );
        (Code::OpcodeOverlap, message)
    };
    // What comes from an included set is right there.
    let place = [party].into_iter().chain(others.iter().copied()).find(|party| party.own);
    let place = place.unwrap_or(party);
    let second = if place.place == party.place { others.first() } else { Some(&party) };
    let Some(second) = second else { return };
    let note = match code {
        Code::SameEncoding => format!("`{}` has the same encoding", second.name),
        _ => format!("`{}` decodes some of the same words", second.name),
    };
    diag.error_with(code, place.name.span(), message, second.name.span(), note);
}

impl<'p, 'm> Overlap<'p, 'm> {
    fn other(&self, party: &Party<'_>) -> &'p Party<'m> {
        if std::ptr::eq(self.a, party) { self.b } else { self.a }
    }

    /// Reports the two as what they are: the same, one inside the other, or overlapping.
    fn report(&self, diag: &mut Diagnostics) {
        let (a, b) = (self.a, self.b);
        if a.is_same(b) {
            return self.report_same(diag);
        }
        let inside = |inner: &Party<'_>, outer: &Party<'_>| {
            inner.bits == outer.bits && outer.identity.covers(inner.identity) && inner.own
        };
        if inside(a, b) {
            self.report_inside(a, b, diag);
        } else if inside(b, a) {
            self.report_inside(b, a, diag);
        } else {
            self.report_overlap(diag);
        }
    }

    /// The word in hexadecimal, and what fixes the bits of the two.
    fn witness(&self) -> (String, String) {
        let digits = usize::from(self.a.bits.max(self.b.bits) / 4);
        let fixes = |party: &Party<'_>| format!("note: `{}` fixes {}", party.name, party.fixes);
        let notes = format!("{}\n{}", fixes(self.a), fixes(self.b));
        (format!("0x{:0digits$x}", self.word), notes)
    }

    fn report_same(&self, diag: &mut Diagnostics) {
        let (a, b, (word, notes)) = (self.a, self.b, self.witness());
        let unused = match a.unused & b.unused {
            0 => String::new(),
            unused => format!(", or a fixed field in {}", show_bits(unused)),
        };
        let help = match (&a.lacks, &b.lacks) {
            (Some(lacks), _) | (_, Some(lacks)) => format!("fix a field in each, as `{lacks};`"),
            _ => format!("give one of the two another value in one of these fields{unused}"),
        };
        let message = format!(
            "`{}` and `{}` have one encoding: both decode {word}\n{notes}\nhelp: {help}",
            a.name, b.name
        );
        let note = format!("`{}` has the same encoding", b.name);
        diag.error_with(Code::SameEncoding, a.name.span(), message, b.name.span(), note);
    }

    fn report_inside(&self, inner: &Party<'_>, outer: &Party<'_>, diag: &mut Diagnostics) {
        let (word, notes) = self.witness();
        let (name, other) = (inner.name, outer.name);
        let free = match inner.unused & outer.unused {
            0 => String::new(),
            unused => format!("; if not, {} are unused in both", show_bits(unused)),
        };
        let help = if let Some(lacks) = &outer.lacks {
            format!(
                "fix a field of `{other}`, as `{lacks};`; or if `{name}` is a special case of it, \
                 say `opcode {name} : [...] inside {other}`"
            )
        } else if outer.own {
            format!("if it is a special case, say `opcode {name} : [...] inside {other}`{free}")
        } else {
            format!(
                "a special case of `{other}` stands in the call that has `{other}`; else take \
                 other fixed values"
            )
        };
        let message = format!(
            "all words of `{name}`, such as {word}, are words of `{other}` too\n{notes}\nhelp: \
             {help}"
        );
        let note = format!("`{other}` decodes all words of `{name}`");
        diag.error_with(Code::UndeclaredInside, name.span(), message, other.span(), note);
    }

    fn report_overlap(&self, diag: &mut Diagnostics) {
        let (a, b, (word, notes)) = (self.a, self.b, self.witness());
        let help = match (a.unused & b.unused, a.unused | b.unused) {
            (0, 0) => "no bit is unused in either: give one of the two an exception".to_owned(),
            (0, either) => {
                format!("no bit is unused in both; in one of them {}", show_bits(either))
            }
            (both, _) => format!("unused in both, to tell them apart: {}", show_bits(both)),
        };
        let message =
            format!("`{}` and `{}` both decode {word}\n{notes}\nhelp: {help}", a.name, b.name);
        let note = format!("`{}` decodes the same word", b.name);
        diag.error_with(Code::OpcodeOverlap, a.name.span(), message, b.name.span(), note);
    }
}

/// Reports an opcode of which others together leave nothing.
fn report_covered(party: &Party<'_>, others: &[&Party<'_>], diag: &mut Diagnostics) {
    let name = party.name;
    let message = format!(
        "`{name}` has no word of its own: each is also one of {}\nnote: `{name}` fixes {}\nhelp: \
         leave `{name}` out, or give it fixed values that the others do not have",
        quoted(others.iter().map(|other| other.name), " or "),
        party.fixes
    );
    diag.error(Code::NeverDecoded, name.span(), message);
    for other in others {
        let note = format!("`{}` decodes some of the words of `{name}`", other.name);
        diag.error(Code::NeverDecoded, other.name.span(), note);
    }
}

/// A field that an opcode leaves open and that most likely tells it from others, with its value.
fn lacking(model: &Model, opcode: &Opcode) -> Option<String> {
    let mut fields = opcode.fields.iter().map(|&id| &model.fields[id]);
    fields.find_map(|field| {
        let value = opcode.namesake(field, model)?;
        Some(format!("{} == {}", field.text, value.name))
    })
}

/// What fixes the bits of an opcode: `op == ADD (opcode ADD), rd == 0xff (group ...)`.
pub(crate) fn fixed_fields(model: &Model, opcode: &Opcode) -> String {
    let fields = opcode.fields.iter().map(|&id| &model.fields[id]);
    let fixed: Vec<String> = fields.filter_map(|field| show_fixed_field(model, field)).collect();
    let fixed = if fixed.is_empty() { "no field".to_owned() } else { fixed.join(", ") };
    match opcode.unused {
        0 => fixed,
        unused => format!("{fixed}, and has 0 in {}, which no field covers", show_bits(unused)),
    }
}

fn show_fixed_field(model: &Model, field: &Field) -> Option<String> {
    let Init::Fixed(raw) = field.init else {
        return None;
    };
    let node = describe(&model.nodes[field.node]);
    let named = model.kinds[field.kind].value(raw);
    let value = named.map_or_else(|| format!("0x{raw:x}"), |value| value.name.to_string());
    Some(format!("{} == {value} ({node})", field.text))
}

/// `bits 3, 8..=11`
fn show_bits(mask: u128) -> String {
    let mut runs = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let low = rest.trailing_zeros();
        let run = (rest >> low).trailing_ones();
        runs.push(if run == 1 { low.to_string() } else { format!("{low}..={}", low + run - 1) });
        rest &= !((u128::MAX >> (128 - run)) << low);
    }
    let word = if mask.count_ones() == 1 { "bit" } else { "bits" };
    format!("{word} {}", runs.join(", "))
}
