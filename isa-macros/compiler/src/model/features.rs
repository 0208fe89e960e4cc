//! Features: the combinations that can be on together, and the words that exist only with some of them.
//!
//! A combination of features is a number in which bit i is 1 if feature i is on. Conditions over features
//! are therefore sets of numbers, as conditions over fields are sets of words, and the same masked patterns
//! and the same search are used for both.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};

use super::cube::{self, Cube};
use super::fields::Scope;
use super::word_search::{SearchLimitExceeded, WordSearch};
use super::{Model, Opcode, ResolvedField, at_node, is_own_opcode};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{Feature, FeatureCondition, FeatureDecl, IncludedSet, InitDecl};

/// The maximum number of features of a set.
const MOST: usize = 128;

/// The features of a set.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub(crate) all: Vec<Feature>,
    /// The combinations that cannot be on together.
    impossible: Vec<Cube>,
    /// The features that are on unless the user chooses others: in the order of the declarations, each
    /// feature that no earlier one prevents.
    pub(crate) default: u128,
}

/// Words that exist only with some features.
#[derive(Debug)]
pub(crate) struct Requirement {
    /// The node that declares the requirement.
    pub(crate) node: usize,
    /// The words.
    pub(crate) words: Vec<Cube>,
    /// The combinations of features with which they exist.
    pub(crate) features: Vec<Cube>,
    /// The part of the opcode that the words contain, for example "`F32` of `half`". It is empty for a
    /// requirement of a whole opcode.
    pub(crate) subject: String,
    /// The condition as text.
    pub(crate) condition: String,
}

/// Words of an opcode, and the combinations of features with which they exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Limit {
    pub(crate) words: Vec<Cube>,
    pub(crate) features: Vec<Cube>,
}

impl Features {
    /// Resolves declarations. A declaration with an error is reported and left out.
    pub(super) fn lower(decls: &[FeatureDecl], diag: &mut Diagnostics) -> Self {
        let mut all: Vec<Feature> = Vec::new();
        for decl in decls {
            diag.at_item("feature", &decl.name);
            if all.len() == MOST {
                let message = format!("a set has at most {MOST} features");
                diag.error(Code::Feature, decl.name.span(), message);
                break;
            }
            let mut find = |names: &[Ident]| -> Vec<usize> {
                let found = names.iter().filter_map(|name| {
                    let found = all.iter().position(|known| *name == known.name);
                    if found.is_none() {
                        report_unknown(name, Some(decl), decls, &all, diag);
                    }
                    found
                });
                found.collect()
            };
            let (included, excluded) = (find(&decl.includes), find(&decl.excludes));
            let includes = included.iter().fold(1 << all.len(), |on, &one| on | all[one].includes);
            let inherited = included.iter().fold(0, |off, &one| off | all[one].excludes);
            let excludes = excluded.iter().fold(inherited, |off, &one| off | 1 << one);
            if let Some(both) = (0..all.len()).find(|&one| includes & excludes & 1 << one != 0) {
                let message = format!(
                    "`{}` can never be on, because it includes and excludes `{}`\nhelp: remove one \
                     of the two",
                    decl.name, all[both].name
                );
                diag.error(Code::Feature, decl.name.span(), message);
            }
            let excludes = excludes & !includes;
            let (name, doc) = (decl.name.to_string(), decl.docs.text.trim().to_owned());
            all.push(Feature { name, doc, includes, excludes });
        }
        diag.leave_item();
        Features::of(all)
    }

    fn of(all: Vec<Feature>) -> Self {
        let (mut impossible, mut default) = (Vec::new(), 0u128);
        for (place, feature) in all.iter().enumerate() {
            let on = 1u128 << place;
            for other in cube::bits(feature.includes & !on) {
                impossible.push(Cube { mask: on | other, value: on });
            }
            for other in cube::bits(feature.excludes) {
                impossible.push(Cube { mask: on | other, value: on | other });
            }
            if feature.includes & !on & !default == 0 && feature.excludes & default == 0 {
                default |= on;
            }
        }
        Features { all, impossible, default }
    }

    /// Uses the features of the included sets if this call declares none. Reports an included set with
    /// other features.
    pub(super) fn merge<'s>(
        &mut self,
        included: impl Iterator<Item = (&'s IncludedSet, &'s Ident, Span)>,
        diag: &mut Diagnostics,
    ) {
        for (set, opcode, place) in included.filter(|(set, ..)| !set.features.is_empty()) {
            if self.all.is_empty() {
                *self = Features::of(set.features.clone());
            } else if self.all != set.features {
                let message = format!(
                    "the included set with `{opcode}` has other features than this set\nhelp: \
                     declare the features once, in a set that both `use`"
                );
                diag.error(Code::Feature, place, message);
            }
        }
    }

    /// Returns the combinations for which a condition holds. Reports an unknown feature.
    fn lower_condition(
        &self,
        condition: &FeatureCondition,
        is_negated: bool,
        diag: &mut Diagnostics,
    ) -> Option<Vec<Cube>> {
        let mut lowered = |terms: &[FeatureCondition]| -> Option<Vec<Vec<Cube>>> {
            // All terms are lowered, so that all errors are reported.
            let terms: Vec<_> =
                terms.iter().map(|term| self.lower_condition(term, is_negated, diag)).collect();
            terms.into_iter().collect()
        };
        let all = |terms: Vec<Vec<Cube>>| {
            terms.iter().fold(vec![Cube::ALL], |all, term| cube::intersect(&all, term))
        };
        let any = |terms: Vec<Vec<Cube>>| {
            let mut union = terms.concat();
            cube::simplify(&mut union);
            union
        };
        match condition {
            FeatureCondition::And(terms) | FeatureCondition::Or(terms) => {
                let is_and = matches!(condition, FeatureCondition::And(_));
                let terms = lowered(terms)?;
                Some(if is_and == is_negated { any(terms) } else { all(terms) })
            }
            FeatureCondition::Not(inner) => self.lower_condition(inner, !is_negated, diag),
            FeatureCondition::Name(name) => {
                let Some(place) = self.all.iter().position(|known| *name == known.name) else {
                    report_unknown(name, None, &[], &self.all, diag);
                    return None;
                };
                let bit = 1 << place;
                Some(vec![Cube { mask: bit, value: if is_negated { 0 } else { bit } }])
            }
        }
    }

    /// Returns a combination that can be on and is in `features`.
    fn combination(
        &self,
        search: &WordSearch,
        features: Cube,
    ) -> Result<Option<u128>, SearchLimitExceeded> {
        search.witness(&[], features, &self.impossible)
    }

    /// Returns whether some combination that can be on is in both.
    pub(crate) fn meet(&self, search: &WordSearch, a: &[Cube], b: &[Cube]) -> bool {
        let both = cube::intersect(a, b);
        // If the search exceeds its limit, they are assumed to meet.
        both.into_iter().any(|cube| self.combination(search, cube) != Ok(None))
    }

    /// Describes a combination that can be on and is in both, if there is one.
    pub(crate) fn common(&self, search: &WordSearch, a: &[Cube], b: &[Cube]) -> Option<String> {
        let mut both = cube::intersect(a, b).into_iter();
        let combination = both.find_map(|cube| self.combination(search, cube).ok().flatten())?;
        Some(self.described(combination))
    }

    /// Searches for a word in `within` and not in `without`, and for a combination of features with
    /// which the word exists according to all `limits`.
    pub(crate) fn word(
        &self,
        search: &WordSearch,
        names: &[&Ident],
        within: Cube,
        without: &[Cube],
        limits: &[&Limit],
    ) -> Result<Option<(u128, u128)>, SearchLimitExceeded> {
        self.limited(search, names, (within, without), limits, Cube::ALL)
    }

    /// Does the same as [`Features::word`] for the combinations in `features`.
    fn limited(
        &self,
        search: &WordSearch,
        names: &[&Ident],
        (within, without): (Cube, &[Cube]),
        limits: &[&Limit],
        features: Cube,
    ) -> Result<Option<(u128, u128)>, SearchLimitExceeded> {
        let Some(combination) = self.combination(search, features)? else { return Ok(None) };
        let Some(word) = search.witness(names, within, without)? else { return Ok(None) };
        let Some((limit, rest)) = limits.split_first() else {
            return Ok(Some((word, combination)));
        };
        for cube in &limit.features {
            if let Some(features) = cube.and(features) {
                let found = self.limited(search, names, (within, without), rest, features)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        // Otherwise the word must not be one of the limited words.
        let without = [without, &limit.words].concat();
        self.limited(search, names, (within, &without), rest, features)
    }

    /// Describes a combination: "`SM75` and `SM80`".
    pub(crate) fn described(&self, combination: u128) -> String {
        let on = self.all.iter().enumerate().filter(|(place, _)| combination & 1 << place != 0);
        // A feature that another one includes is not listed.
        let is_listed = |&(place, _): &(usize, &Feature)| {
            let others = self.all.iter().enumerate();
            !others
                .filter(|(other, _)| *other != place && combination & 1 << other != 0)
                .any(|(_, other)| other.includes & 1 << place != 0)
        };
        let names: Vec<String> =
            on.filter(is_listed).map(|(_, feature)| format!("`{}`", feature.name)).collect();
        match &names[..] {
            [] => "no feature".to_owned(),
            [only] => format!("the feature {only}"),
            [first @ .., last] => format!("the features {} and {last}", first.join(", ")),
        }
    }
}

/// Reports the name of a feature that is not declared, or declared later in `decls`. `within` is the
/// declaration that contains the name.
fn report_unknown(
    name: &Ident,
    within: Option<&FeatureDecl>,
    decls: &[FeatureDecl],
    known: &[Feature],
    diag: &mut Diagnostics,
) {
    let message = if within.is_some_and(|decl| decl.name == *name) {
        format!("`{name}` names itself\nhelp: remove it from the list")
    } else if decls.iter().any(|decl| decl.name == *name) {
        format!(
            "`{name}` is declared later\nhelp: declare a feature before the features that name it"
        )
    } else {
        let hint = did_you_mean(&name.to_string(), known.iter().map(|one| one.name.as_str()));
        format!(
            "unknown feature `{name}`{hint}\nhelp: declare it with `feature {name};`, or `use` a set \
             that declares it"
        )
    };
    diag.error(Code::Feature, name.span(), message);
}

/// Creates the requirements of all nodes: of the call, of the node itself, of its fields, and of the values of their
/// types.
pub(super) fn lower_requirements(
    model: &mut Model,
    of_call: Option<FeatureCondition>,
    diag: &mut Diagnostics,
) {
    let of_call = of_call
        .and_then(|condition| Some((satisfiable(model, &condition, diag)?, condition.text())));
    if model.features.all.is_empty() && !states_any(model) {
        return;
    }
    let mut requirements = Vec::new();
    // For each value set, the values with a requirement and the combinations with which they exist.
    let mut of_values: BTreeMap<usize, Vec<(u64, Vec<Cube>)>> = BTreeMap::new();
    for (ty, kind) in model.field_types.iter().enumerate() {
        for value in kind.values() {
            let Some(condition) = &value.requires else { continue };
            if let Some(features) = satisfiable(model, condition, diag) {
                of_values.entry(ty).or_default().push((value.raw, features));
            }
        }
    }
    for (node, decl) in model.nodes.iter().enumerate() {
        at_node(decl, diag);
        if let Some((features, condition)) = &of_call
            && is_own_opcode(decl)
        {
            requirements.push(Requirement {
                node,
                words: vec![Cube::ALL],
                features: features.clone(),
                subject: String::new(),
                condition: condition.clone(),
            });
        }
        if let Some(condition) = &decl.requires
            && let Some(features) = satisfiable(model, condition, diag)
        {
            requirements.push(Requirement {
                node,
                words: vec![Cube::ALL],
                features,
                subject: String::new(),
                condition: condition.text(),
            });
        }
        let mut ids = (0..model.fields.len()).filter(|&id| model.fields[id].node == node);
        let ids: Vec<usize> = ids.by_ref().collect();
        let scope = Scope { fields: &model.fields, ids: &ids };
        for field in decl.fields.iter().filter(|field| !field.inherits) {
            let Some(resolved) = scope.find(&field.name.dotted()) else { continue };
            if let Some(condition) = &field.requires
                && let Some(features) = satisfiable(model, condition, diag)
                && let Some(words) = changed(resolved, &field.init, condition, diag)
            {
                requirements.push(Requirement {
                    node,
                    words,
                    features,
                    subject: format!("`{}`", resolved.text),
                    condition: condition.text(),
                });
            }
            for (raw, features) in of_values.get(&resolved.ty).into_iter().flatten() {
                let kind = model.type_of(resolved);
                let Some(value) = kind.value(*raw) else { continue };
                let (Some(words), Some(condition)) = (resolved.having(*raw), &value.requires)
                else {
                    continue;
                };
                requirements.push(Requirement {
                    node,
                    words: vec![words],
                    features: features.clone(),
                    subject: format!("`{}` of `{}`", value.text, resolved.text),
                    condition: condition.text(),
                });
            }
        }
    }
    diag.leave_item();
    model.requirements.extend(requirements);
}

/// Returns whether the call contains a requirement.
fn states_any(model: &Model) -> bool {
    let of_node = model.nodes.iter().any(|node| {
        node.requires.is_some() || node.fields.iter().any(|field| field.requires.is_some())
    });
    of_node || model.field_types.iter().flat_map(|kind| kind.values()).any(|v| v.requires.is_some())
}

/// Returns the combinations for which a condition holds. Reports a condition that holds for no
/// combination that can be on.
pub(super) fn satisfiable(
    model: &Model,
    condition: &FeatureCondition,
    diag: &mut Diagnostics,
) -> Option<Vec<Cube>> {
    let features = model.features.lower_condition(condition, false, diag)?;
    if !model.features.meet(&model.search, &features, &[Cube::ALL]) {
        let message = format!(
            "`requires {}` is never satisfied, because these features cannot be combined in this \
             way\nhelp: correct the condition, or the declarations of the features",
            condition.text()
        );
        diag.error(Code::Feature, condition.span(), message);
        return None;
    }
    Some(features)
}

/// Returns the words in which a field does not have its default.
fn changed(
    field: &ResolvedField,
    init: &InitDecl,
    condition: &FeatureCondition,
    diag: &mut Diagnostics,
) -> Option<Vec<Cube>> {
    let Some(raw) = field.default_number() else {
        let message = match init {
            InitDecl::Default(_) => format!(
                "the default of `{}` must be a number or the name of a value of an `enum`, because \
                 the field has `requires`",
                field.text
            ),
            _ => format!(
                "`{}` has `requires`, so it needs a default, which it has without these \
                 features\nhelp: write `= VALUE requires {}`",
                field.text,
                condition.text()
            ),
        };
        diag.error(Code::Feature, condition.span(), message);
        return None;
    };
    Some(field.equals(raw).complement())
}

/// Returns the requirements of each node.
pub(super) fn requirements_by_node(model: &Model) -> Vec<Vec<usize>> {
    let mut requirements = vec![Vec::new(); model.nodes.len()];
    for (place, requirement) in model.requirements.iter().enumerate() {
        requirements[requirement.node].push(place);
    }
    requirements
}

/// Returns the requirements that apply to some words of an opcode.
pub(super) fn of_opcode(model: &Model, opcode: &Opcode, by_node: &[Vec<usize>]) -> Vec<usize> {
    let inherited = model.lineage[opcode.node].iter().flat_map(|&node| &by_node[node]).copied();
    let applies = |id: &usize| {
        let mut words = model.requirements[*id].words.iter();
        words.any(|words| words.and(opcode.identity()).is_some())
    };
    let mut all: Vec<usize> = inherited.filter(applies).collect();
    all.sort_unstable();
    all
}

/// Returns a limit from the numbers of an included set.
pub(crate) fn limit_of([words, features]: &[Vec<(u128, u128)>; 2]) -> Limit {
    let cubes =
        |pairs: &[(u128, u128)]| pairs.iter().map(|&(mask, value)| Cube { mask, value }).collect();
    Limit { words: cubes(words), features: cubes(features) }
}

/// Returns the limits of an opcode.
pub(crate) fn limits(model: &Model, opcode: &Opcode) -> Vec<Limit> {
    let mut limits: Vec<Limit> = Vec::new();
    for &id in &opcode.requirements {
        let Requirement { words, features, .. } = &model.requirements[id];
        let words = words.iter().filter(|words| words.and(opcode.identity()).is_some());
        match limits.iter_mut().find(|limit| limit.features == *features) {
            Some(limit) => limit.words.extend(words),
            None => {
                limits.push(Limit { words: words.copied().collect(), features: features.clone() })
            }
        }
    }
    limits
}

/// Returns the combinations of features with which an opcode with these words exists.
pub(crate) fn existence(identity: Cube, limits: &[Limit]) -> Vec<Cube> {
    let whole =
        limits.iter().filter(|limit| limit.words.iter().any(|words| words.covers(identity)));
    whole.fold(vec![Cube::ALL], |all, limit| cube::intersect(&all, &limit.features))
}

/// Returns the combinations of features that are in none of the given ones.
pub(super) fn opposite(features: &[Cube]) -> Vec<Cube> {
    features.iter().fold(vec![Cube::ALL], |all, cube| cube::intersect(&all, &cube.complement()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features `A`, `B: A`, `C: A, not B` and `D`.
    fn features() -> Features {
        let feature = |name: &str, includes, excludes| Feature {
            name: name.to_owned(),
            doc: String::new(),
            includes,
            excludes,
        };
        Features::of(vec![
            feature("A", 0b0001, 0),
            feature("B", 0b0011, 0),
            feature("C", 0b0101, 0b0010),
            feature("D", 0b1000, 0),
        ])
    }

    /// Returns whether a combination can be on, by the meaning of the declarations.
    fn can_be_on(on: u128) -> bool {
        let [a, b, c] = [0, 1, 2].map(|bit| on >> bit & 1 == 1);
        (!b || a) && (!c || a && !b)
    }

    #[test]
    fn a_combination_follows_the_declarations() {
        let (features, search) = (features(), WordSearch::default());
        for on in 0..16 {
            let exactly = Cube { mask: 0xf, value: on };
            assert_eq!(
                features.combination(&search, exactly) == Ok(Some(on)),
                can_be_on(on),
                "{on:b}"
            );
        }
        assert_eq!(features.default, 0b1011);
        assert_eq!(features.described(0b1011), "the features `B` and `D`");
        assert_eq!(features.described(0), "no feature");
    }

    /// Compares the search with an enumeration of all words and of all combinations, for random limits.
    #[test]
    fn a_common_word_is_found_whenever_there_is_one() {
        let features = features();
        let mut numbers = crate::tests::numbers();
        let mut next = |bits: u32| u128::from(numbers()) & ((1 << bits) - 1);
        let (mut found, mut none) = (0, 0);
        for _ in 0..4000 {
            let mut cubes = |bits: u32, most: u128| -> Vec<Cube> {
                let count = 1 + next(8) % most;
                let cube = |_| {
                    let mask = next(bits) & (next(bits) | next(bits));
                    Cube { mask, value: next(bits) & mask }
                };
                (0..count).map(cube).collect()
            };
            let (within, without) = (cubes(5, 1)[0], cubes(5, 3));
            let limit = |_| Limit { words: cubes(5, 2), features: cubes(4, 2) };
            let limits: Vec<Limit> = (0..4).map(limit).collect();
            let is_in = |cubes: &[Cube], bits: u128| {
                cubes.iter().any(|cube| bits & cube.mask == cube.value)
            };
            let is_common = |word: u128, on: u128| {
                word & within.mask == within.value
                    && !is_in(&without, word)
                    && can_be_on(on)
                    && limits.iter().all(|it| !is_in(&it.words, word) || is_in(&it.features, on))
            };
            let all = (0..32).flat_map(|word| (0..16).map(move |on| (word, on)));
            let expected = all.clone().any(|(word, on)| is_common(word, on));
            let search = WordSearch::default();
            let limits: Vec<&Limit> = limits.iter().collect();
            let result = features.word(&search, &[], within, &without, &limits).unwrap();
            assert_eq!(result.is_some(), expected);
            if let Some((word, on)) = result {
                assert!(is_common(word, on), "{word:b} {on:b}");
                found += 1;
            } else {
                none += 1;
            }
        }
        assert!(found > 500 && none > 500, "{found} {none}");
    }
}
