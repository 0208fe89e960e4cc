//! Checks aliases: each is another spelling of some encodings of its opcode. If several aliases match
//! one encoding, the specification must declare which is printed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostics, did_you_mean, quoted_first};
use crate::model::cube::CubeIndex;
use crate::model::word_search::{SearchLimitExceeded, SearchResult};
use crate::model::{Alias, Model, Opcode, lacks};
use crate::syntax::ast::Level;

/// Checks that an alias matches at least one encoding of its opcode. A printed alias must also not
/// match all of them.
pub(crate) fn check_aliases(model: &Model, diag: &mut Diagnostics) {
    for alias in model.aliases.iter().filter(|alias| alias.row.has_valid_fields) {
        let (row, opcode) = (&alias.row, &model.opcodes[alias.of]);
        if !check_fields(model, row, opcode, diag) {
            continue;
        }
        let illegal = [&row.illegal[..], &opcode.illegal].concat();
        if row.word_of(row.identity(), &illegal) == Ok(None) {
            let message = format!(
                "no encoding of `{}` matches `{}`\nhelp: fix fewer fields, or fix them to other \
                 values",
                opcode.name, row.name
            );
            diag.error(Code::NoValidEncoding, row.name.span(), message);
        } else if alias.printed && row.lacks(opcode) == Ok(None) {
            let message = format!(
                "`{0}` matches every encoding of `{1}`, so the template of `{1}` would never be \
                 printed\nhelp: fix a field with `==`, or write `synonym {0} of {1}`, which is \
                 accepted on input but never printed",
                row.name, opcode.name
            );
            diag.error(Code::InvalidAlias, row.name.span(), message);
        }
    }
}

/// Checks that all fields of an alias are fields of its opcode.
fn check_fields(model: &Model, row: &Opcode, opcode: &Opcode, diag: &mut Diagnostics) -> bool {
    let fields = row.fields_in(model);
    let mut whole = true;
    for field in fields.filter(|field| opcode.field(model, &field.text).is_none()) {
        let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
        let message = format!(
            "`{}` has no field `{}`{}\nhelp: an alias can only restrict the fields of its \
             opcode: `name == value;`",
            opcode.name,
            field.text,
            did_you_mean(&field.text, known)
        );
        diag.error(Code::InvalidAlias, field.name.span(), message);
        whole = false;
    }
    whole
}

/// Checks that the order of any two printed aliases with a common encoding is defined. It is defined if
/// the encodings of one are a subset of the other's, or if one is declared `before` the other.
pub(crate) fn check_order(model: &Model, diag: &mut Diagnostics) {
    let printed = model.aliases.iter().filter(|alias| alias.printed && alias.row.has_valid_fields);
    let printed: Vec<&Alias> = printed.collect();
    let met: Vec<bool> = printed
        .iter()
        .map(|alias| {
            diag.with_error_scope(false, |diag| check_before(model, alias, &printed, diag)).1
        })
        .collect();
    let order = DeclaredOrder::new(&printed);
    let check_pairs = |diag: &mut Diagnostics| {
        // The pairs whose order is not declared, by opcode.
        let mut unsaid: BTreeMap<usize, Vec<AliasOverlap<'_>>> = BTreeMap::new();
        let mut alike: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, alias) in printed.iter().enumerate() {
            alike.entry(alias.of).or_default().push(place);
        }
        let identity = |place: &usize| printed[*place].row.identity();
        let indices: BTreeMap<usize, CubeIndex> = alike
            .iter()
            .map(|(of, places)| {
                (*of, CubeIndex::new(&places.iter().map(identity).collect::<Vec<_>>()))
            })
            .collect();
        for (i, second) in printed.iter().enumerate().filter(|&(i, _)| met[i]) {
            let near = indices[&second.of].meeting(second.row.identity());
            let near = near.into_iter().map(|place| alike[&second.of][place]);
            for j in near.take_while(|&j| j < i) {
                let first = printed[j];
                let settled = || order.leads(j, i) || order.leads(i, j);
                if !met[j] || settled() {
                    continue;
                }
                // `check::unresolved` reports a search that exceeded its limit, once for the call.
                let Ok(Some(pair)) = AliasOverlap::of(model, first, second) else { continue };
                if pair.is_unsaid(model) {
                    unsaid.entry(first.of).or_default().push(pair);
                } else {
                    pair.check(model, diag);
                }
            }
        }
        for pairs in unsaid.values() {
            report_unsaid(model, pairs, diag);
        }
    };
    let ((), paired) = diag.with_error_scope(false, check_pairs);
    // A cycle of two aliases was already reported as a pair.
    let ring = (0..printed.len()).find(|&alias| met[alias] && order.leads(alias, alias));
    if let (true, Some(alias)) = (paired, ring) {
        let name = &printed[alias].row.name;
        let message = format!(
            "`{name}` is declared `before` aliases that are declared `before` `{name}`\nhelp: \
             remove one `before`"
        );
        diag.error(Code::AliasOrder, name.span(), message);
    }
}

/// The declared order of aliases. For each alias, `next` contains the aliases that its `before` list
/// names.
struct DeclaredOrder {
    next: Vec<Vec<usize>>,
    /// For each alias, the aliases that follow it indirectly. They are computed on demand.
    led: RefCell<BTreeMap<usize, Vec<bool>>>,
}

impl DeclaredOrder {
    fn new(all: &[&Alias]) -> Self {
        let places: BTreeMap<usize, usize> =
            all.iter().enumerate().map(|(place, alias)| (alias.row.node, place)).collect();
        let next = |first: &&Alias| {
            first.before.iter().filter_map(|node| places.get(node).copied()).collect()
        };
        DeclaredOrder { next: all.iter().map(next).collect(), led: RefCell::default() }
    }

    /// Returns whether one alias comes before another indirectly, through at least one alias between
    /// them.
    fn leads(&self, from: usize, to: usize) -> bool {
        // Most aliases have no `before` list.
        let has_any = !self.next[from].is_empty();
        has_any && self.led.borrow_mut().entry(from).or_insert_with(|| self.all_led(from))[to]
    }

    fn all_led(&self, from: usize) -> Vec<bool> {
        let (mut seen, mut led) = (vec![false; self.next.len()], vec![false; self.next.len()]);
        let mut open = vec![from];
        seen[from] = true;
        while let Some(at) = open.pop() {
            for &next in &self.next[at] {
                led[next] |= at != from;
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        led
    }
}

/// Two aliases with a common encoding.
struct AliasOverlap<'m> {
    first: &'m Alias,
    second: &'m Alias,
    word: u128,
    /// Whether the first alias matches every encoding of the second, and whether the second matches
    /// every encoding of the first.
    has: [bool; 2],
}

/// If an opcode has at least this many pairs of aliases without a declared order, they are reported as
/// one error.
const MANY: usize = 4;

/// Reports pairs of aliases of an opcode whose order is not declared. Many pairs are reported as one
/// error.
fn report_unsaid(model: &Model, pairs: &[AliasOverlap<'_>], diag: &mut Diagnostics) {
    let (Some(pair), MANY..) = (pairs.first(), pairs.len()) else {
        pairs.iter().for_each(|pair| pair.check(model, diag));
        return;
    };
    let (a, b) = (&pair.first.row, &pair.second.row);
    let names = pairs.iter().flat_map(|pair| [&pair.first.row.name, &pair.second.row.name]);
    let mut known = BTreeSet::new();
    let names: Vec<_> = names.filter(|name| known.insert(name.to_string())).collect();
    let opcode = &model.opcodes[pair.first.of].name;
    let digits = usize::from(a.bits / 4);
    let message = format!(
        "{} pairs of aliases of `{opcode}` match a common encoding, and no `before` decides \
         which alias is printed\nnote: the aliases are {}; for example, `{}` and `{}` both match \
         0x{:0digits$x}\nhelp: declare for each pair which alias comes first: `alias {} of \
         {opcode} before {}`",
        pairs.len(),
        quoted_first(names.iter()),
        b.name,
        a.name,
        pair.word,
        b.name,
        a.name,
    );
    let note = format!("`{}` also matches 0x{:0digits$x}", a.name, pair.word);
    diag.error_with(Code::AliasOrder, b.name.span(), message, a.name.span(), note);
}

/// Checks that each name in the `before` list of an alias is a printed alias of the same opcode.
fn check_before(model: &Model, alias: &Alias, printed: &[&Alias], diag: &mut Diagnostics) {
    let opcode = &model.opcodes[alias.of].name;
    for name in &model.nodes[alias.row.node].before {
        let others = || printed.iter().filter(|other| other.row.name != alias.row.name);
        let message = match others().find(|other| other.row.name == *name) {
            Some(other) if other.of == alias.of => {
                if common_word(model, alias, other) != Ok(None) {
                    continue;
                }
                format!(
                    "`{}` and `{name}` match no common encoding, so their order has no \
                     effect\nhelp: remove `{name}` here",
                    alias.row.name
                )
            }
            Some(other) => format!(
                "`{name}` is an alias of `{}`, but `{}` is an alias of `{opcode}`, so they match \
                 no common encoding\nhelp: remove `{name}` here",
                model.opcodes[other.of].name, alias.row.name
            ),
            // An alias that has another error is not in the model.
            None if model.nodes.iter().any(|n| n.level == Level::Alias && n.name == *name) => {
                continue;
            }
            None => {
                let known: Vec<String> = others()
                    .filter(|other| other.of == alias.of)
                    .map(|other| other.row.name.to_string())
                    .collect();
                let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
                format!("`{opcode}` has no printed alias `{name}`{hint}")
            }
        };
        diag.error(Code::AliasOrder, name.span(), message);
    }
}

/// Searches for an encoding that both aliases match.
fn common_word(model: &Model, first: &Alias, second: &Alias) -> SearchResult {
    let (a, b) = (&first.row, &second.row);
    let Some(both) = a.identity().and(b.identity()) else {
        return Ok(None);
    };
    let illegal = [&model.opcodes[first.of].illegal[..], &a.illegal, &b.illegal].concat();
    model.search.witness(&[&a.name, &b.name], both, &illegal)
}

impl<'m> AliasOverlap<'m> {
    fn of(
        model: &Model,
        first: &'m Alias,
        second: &'m Alias,
    ) -> Result<Option<Self>, SearchLimitExceeded> {
        let Some(word) = common_word(model, first, second)? else {
            return Ok(None);
        };
        let has = |one, other| lacks(model, one, other).map(|word| word.is_none());
        Ok(Some(AliasOverlap {
            first,
            second,
            word,
            has: [has(first, second)?, has(second, first)?],
        }))
    }

    /// Returns two flags: whether the first alias is declared to come before the second, and whether
    /// the second is declared to come before the first.
    fn said(&self, model: &Model) -> [bool; 2] {
        let says =
            |one: &Alias, other: &Alias| model.nodes[one.row.node].before.contains(&other.row.name);
        [says(self.first, self.second), says(self.second, self.first)]
    }

    /// Returns whether the order of the two aliases is not declared, and each matches encodings that the
    /// other does not.
    fn is_unsaid(&self, model: &Model) -> bool {
        self.said(model) == [false; 2] && self.has == [false; 2]
    }

    fn check(&self, model: &Model, diag: &mut Diagnostics) {
        let opcode = &model.opcodes[self.first.of];
        let (a, b) = (&self.first.row, &self.second.row);
        let word = format!("0x{:0digits$x}", self.word, digits = usize::from(a.bits / 4));
        let never = |early: &Opcode, late: &Opcode| {
            format!(
                "`{}` matches every encoding of `{}`, which would never be printed after \
                 it\nhelp: reverse the order, or remove `before`",
                early.name, late.name
            )
        };
        let message = match (self.said(model), self.has) {
            ([true, true], _) => format!(
                "`{}` and `{}` are each declared `before` the other\nhelp: remove one of the two",
                b.name, a.name
            ),
            ([true, false], [true, _]) => never(a, b),
            ([false, true], [_, true]) => never(b, a),
            ([false, false], [true, true]) => format!(
                "`{}` and `{}` match the same encodings, but only one of them can be \
                 printed\nhelp: declare the other as a `synonym`, which is accepted on input but \
                 never printed",
                b.name, a.name
            ),
            ([false, false], [false, false]) => format!(
                "`{0}` and `{1}` both match {word}, and no `before` decides which is \
                 printed\nhelp: declare which alias comes first: `alias {0} of {2} before {1}`",
                b.name, a.name, opcode.name
            ),
            _ => return,
        };
        let note = format!("`{}` also matches {word}", a.name);
        diag.error_with(Code::AliasOrder, b.name.span(), message, a.name.span(), note);
    }
}
