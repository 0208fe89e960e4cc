//! Rules over aliases: each is another spelling of some words of its opcode, and where several
//! have a word, it is said which is printed.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostics, did_you_mean, quoted_first};
use crate::model::cube::{Cube, witness};
use crate::model::{Alias, Model, Opcode, comes_before};
use crate::syntax::ast::Level;

/// An alias is for words of its opcode, for one at least, and where it is printed not for all.
pub(crate) fn check_aliases(model: &Model, diag: &mut Diagnostics) {
    for alias in model.aliases.iter().filter(|alias| alias.row.encodes) {
        let (row, opcode) = (&alias.row, &model.opcodes[alias.of]);
        if !check_fields(model, row, opcode, diag) {
            continue;
        }
        if witness(row.identity(), &row.illegal).is_none() {
            let message = format!(
                "no word of `{}` has what `{}` says\nhelp: fix fewer fields, or other values",
                opcode.name, row.name
            );
            diag.error(Code::NeverLegal, row.name.span(), message);
        } else if alias.printed && has_all_words(row, opcode, &[]) {
            let message = format!(
                "`{0}` has all words of `{1}`, whose own text would never be printed\nhelp: fix a \
                 field with `==`, or write `synonym {0} of {1}`, which is only read",
                row.name, opcode.name
            );
            diag.error(Code::NoAlias, row.name.span(), message);
        }
    }
}

/// An alias has the fields of its opcode and no others.
fn check_fields(model: &Model, row: &Opcode, opcode: &Opcode, diag: &mut Diagnostics) -> bool {
    let fields = row.fields.iter().map(|&id| &model.fields[id]);
    let mut whole = true;
    for field in fields.filter(|field| opcode.field(model, &field.text).is_none()) {
        let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
        let message = format!(
            "`{}` has no field `{}`{}\nhelp: an alias says more of the fields of its opcode: `name \
             == value;`",
            opcode.name,
            field.text,
            did_you_mean(&field.text, known)
        );
        diag.error(Code::NoAlias, field.name.span(), message);
        whole = false;
    }
    whole
}

/// Whether `row` has each legal word of `other`, but for some that are left aside.
fn has_all_words(row: &Opcode, other: &Opcode, aside: &[Cube]) -> bool {
    let without: Vec<Cube> = other.illegal.iter().chain(aside).copied().collect();
    let outside = row.identity().complement().into_iter().chain(row.illegal.iter().copied());
    let mut outside = outside.filter_map(|cube| cube.and(other.identity()));
    !outside.any(|cube| witness(cube, &without).is_some())
}

/// Of two aliases that have a word in common, it is said which is printed: one has only words of
/// the other, or comes `before` it.
pub(crate) fn check_order(model: &Model, diag: &mut Diagnostics) {
    let printed = model.aliases.iter().filter(|alias| alias.printed && alias.row.encodes);
    let printed: Vec<&Alias> = printed.collect();
    let met: Vec<bool> = printed
        .iter()
        .map(|alias| diag.forgive(false, |diag| check_before(model, alias, &printed, diag)).1)
        .collect();
    let order = Order::new(model, &printed);
    let check_pairs = |diag: &mut Diagnostics| {
        // By opcode, the pairs of which nothing says which comes first.
        let mut unsaid: BTreeMap<usize, Vec<Pair<'_>>> = BTreeMap::new();
        for (i, second) in printed.iter().enumerate().filter(|&(i, _)| met[i]) {
            for (j, first) in printed[..i].iter().enumerate() {
                let settled = || order.leads(j, i) || order.leads(i, j);
                if first.of != second.of || !met[j] || settled() {
                    continue;
                }
                let Some(word) = common_word(model, first, second) else { continue };
                let pair = Pair { first, second, word };
                if pair.is_unsaid(model) {
                    unsaid.entry(first.of).or_default().push(pair);
                } else {
                    check_pair(model, first, second, word, diag);
                }
            }
        }
        for pairs in unsaid.values() {
            report_unsaid(model, pairs, diag);
        }
    };
    let ((), paired) = diag.forgive(false, check_pairs);
    // A ring of two is reported as the pair.
    let ring = (0..printed.len()).find(|&alias| met[alias] && order.leads(alias, alias));
    if let (true, Some(alias)) = (paired, ring) {
        let name = &printed[alias].row.name;
        let message = format!(
            "`{name}` comes before others that come before `{name}`\nhelp: leave one `before` out"
        );
        diag.error(Code::AliasOrder, name.span(), message);
    }
}

/// Which of some aliases come before which, as each two alone say.
struct Order {
    next: Vec<Vec<usize>>,
}

impl Order {
    fn new(model: &Model, all: &[&Alias]) -> Self {
        let next = |first: &&Alias| {
            let places = 0..all.len();
            places.filter(|&second| comes_before(model, first, all[second])).collect()
        };
        Order { next: all.iter().map(next).collect() }
    }

    /// Whether one comes before another since others come between them.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.next.len()];
        let mut open = vec![from];
        seen[from] = true;
        while let Some(at) = open.pop() {
            if at != from && self.next[at].contains(&to) {
                return true;
            }
            for &next in &self.next[at] {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        false
    }
}

/// Two aliases with a word in common.
struct Pair<'m> {
    first: &'m Alias,
    second: &'m Alias,
    word: u128,
}

impl Pair<'_> {
    /// Whether nothing is said of the two, and each has words of its own.
    fn is_unsaid(&self, model: &Model) -> bool {
        let (a, b) = (&self.first.row, &self.second.row);
        let says =
            |one: &Opcode, other: &Opcode| model.nodes[one.node].before.contains(&other.name);
        let aside = &model.opcodes[self.first.of].illegal;
        let within = a.is_special_case_of(b) || b.is_special_case_of(a);
        let alike = || has_all_words(a, b, aside) && has_all_words(b, a, aside);
        !says(a, b) && !says(b, a) && !within && !alike()
    }
}

/// So many pairs of one opcode's aliases are one fault.
const MANY: usize = 4;

/// Reports that nothing says which of two aliases of an opcode is printed, of many at once.
fn report_unsaid(model: &Model, pairs: &[Pair<'_>], diag: &mut Diagnostics) {
    let (Some(pair), MANY..) = (pairs.first(), pairs.len()) else {
        for Pair { first, second, word } in pairs {
            check_pair(model, first, second, *word, diag);
        }
        return;
    };
    let (a, b) = (&pair.first.row, &pair.second.row);
    let names = pairs.iter().flat_map(|pair| [&pair.first.row.name, &pair.second.row.name]);
    let mut known = BTreeSet::new();
    let names: Vec<_> = names.filter(|name| known.insert(name.to_string())).collect();
    let opcode = &model.opcodes[pair.first.of].name;
    let digits = usize::from(a.bits / 4);
    let message = format!(
        "{} pairs of aliases of `{opcode}` have a word in common, and nothing says which is \
         printed\nnote: they are {}; `{}` and `{}` both have the word 0x{:0digits$x}\nhelp: say of \
         each pair that one comes first: `alias {} of {opcode} before {}`",
        pairs.len(),
        quoted_first(names.iter()),
        b.name,
        a.name,
        pair.word,
        b.name,
        a.name,
    );
    let note = format!("`{}` has the word 0x{:0digits$x} too", a.name, pair.word);
    diag.error_with(Code::AliasOrder, b.name.span(), message, a.name.span(), note);
}

/// What an alias is said to come before is a printed alias of its opcode.
fn check_before(model: &Model, alias: &Alias, printed: &[&Alias], diag: &mut Diagnostics) {
    let opcode = &model.opcodes[alias.of].name;
    for name in &model.nodes[alias.row.node].before {
        let others = || printed.iter().filter(|other| other.row.name != alias.row.name);
        let message = match others().find(|other| other.row.name == *name) {
            Some(other) if other.of == alias.of => {
                if common_word(model, alias, other).is_some() {
                    continue;
                }
                format!(
                    "`{}` and `{name}` have no word in common, so that neither comes first\nhelp: \
                     leave `{name}` out here",
                    alias.row.name
                )
            }
            Some(other) => format!(
                "`{name}` is an alias of `{}`, and `{}` one of `{opcode}`; they have no word in \
                 common\nhelp: leave `{name}` out here",
                model.opcodes[other.of].name, alias.row.name
            ),
            // One with a fault of its own is left out of the model.
            None if model.nodes.iter().any(|n| n.level == Level::Alias && n.name == *name) => {
                continue;
            }
            None => {
                let known: Vec<String> = others()
                    .filter(|other| other.of == alias.of)
                    .map(|other| other.row.name.to_string())
                    .collect();
                let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
                format!("no alias of `{opcode}` that is printed is called `{name}`{hint}")
            }
        };
        diag.error(Code::AliasOrder, name.span(), message);
    }
}

/// A word that either alias could be printed for.
fn common_word(model: &Model, first: &Alias, second: &Alias) -> Option<u128> {
    let both = first.row.identity().and(second.row.identity())?;
    let opcode = &model.opcodes[first.of];
    let illegal: Vec<Cube> = [&opcode.illegal, &first.row.illegal, &second.row.illegal]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    witness(both, &illegal)
}

fn check_pair(model: &Model, first: &Alias, second: &Alias, word: u128, diag: &mut Diagnostics) {
    let opcode = &model.opcodes[first.of];
    let (a, b) = (&first.row, &second.row);
    let says = |one: &Opcode, other: &Opcode| model.nodes[one.node].before.contains(&other.name);
    let has = |one: &Opcode, other: &Opcode| has_all_words(one, other, &opcode.illegal);
    let word = format!("0x{word:0digits$x}", digits = usize::from(a.bits / 4));
    let never = |early: &Opcode, late: &Opcode| {
        format!(
            "`{}` has all words of `{}`, which is never printed behind it\nhelp: turn the two \
             round, or leave `before` out",
            early.name, late.name
        )
    };
    let message = match (says(a, b), says(b, a)) {
        (true, true) => {
            format!("`{}` and `{}` each come before the other\nhelp: leave one out", b.name, a.name)
        }
        (true, false) if has(a, b) => never(a, b),
        (false, true) if has(b, a) => never(b, a),
        (false, false) if has(a, b) && has(b, a) => format!(
            "`{}` and `{}` have the same words, of which one text is printed\nhelp: write \
             `synonym` for the one that is only read",
            b.name, a.name
        ),
        (false, false) if !a.is_special_case_of(b) && !b.is_special_case_of(a) => format!(
            "`{0}` and `{1}` both have the word {word}, and nothing says which is printed\nhelp: \
             say that one comes first: `alias {0} of {2} before {1}`",
            b.name, a.name, opcode.name
        ),
        _ => return,
    };
    let note = format!("`{}` has the word {word} too", a.name);
    diag.error_with(Code::AliasOrder, b.name.span(), message, a.name.span(), note);
}
