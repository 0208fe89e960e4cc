//! The inheritance relation between definitions, by name.

use std::collections::HashMap;

use super::definition::Definition;
use crate::macro_call::FieldStatement;

/// Definitions with the inheritance relation between them.
pub(super) struct Family<'d, 's> {
    pub(super) defs: &'d [Definition<'s>],
    /// The definitions by name. A valid source contains only one for each name.
    by_name: HashMap<&'s str, Vec<usize>>,
    /// For each definition, the definitions that name it as a parent.
    heirs: Vec<Vec<usize>>,
    /// For each definition, its fields by their full names and by the part after the dot.
    fields: Vec<HashMap<&'d str, Vec<&'d FieldStatement>>>,
}

impl<'d, 's> Family<'d, 's> {
    pub(super) fn of(defs: &'d [Definition<'s>]) -> Self {
        let mut by_name: HashMap<&'s str, Vec<usize>> = HashMap::new();
        for (at, def) in defs.iter().enumerate() {
            by_name.entry(def.name).or_default().push(at);
        }
        let mut heirs = vec![Vec::new(); defs.len()];
        for (at, def) in defs.iter().enumerate() {
            let parents = def.parents.iter().filter_map(|parent| by_name.get(parent));
            for &parent in parents.flatten() {
                if heirs[parent].last() != Some(&at) {
                    heirs[parent].push(at);
                }
            }
        }
        let fields = defs.iter().map(|def| {
            let mut named: HashMap<&str, Vec<&FieldStatement>> = HashMap::new();
            for (field, _) in &def.fields {
                let last = field.name.rsplit('.').next().unwrap_or_default();
                named.entry(&field.name).or_default().push(field);
                if last.len() < field.name.len() {
                    named.entry(last).or_default().push(field);
                }
            }
            named
        });
        let fields = fields.collect();
        Family { defs, by_name, heirs, fields }
    }

    /// Adds all definitions that `next` reaches. If the parents form a cycle, the search only ends here,
    /// because the macro reports the cycle.
    fn walk(
        &self,
        of: &Definition<'_>,
        next: impl Fn(usize, &mut Vec<usize>),
        found: &mut Vec<usize>,
    ) {
        let start = self.by_name.get(of.name).cloned().unwrap_or_default();
        let (mut open, mut known) = (start, std::collections::HashSet::new());
        while let Some(at) = open.pop() {
            if known.insert(at) {
                next(at, &mut open);
            }
        }
        found.extend(known);
    }

    fn parents(&self, of: usize, open: &mut Vec<usize>) {
        let parents = self.defs[of].parents.iter().filter_map(|parent| self.by_name.get(parent));
        open.extend(parents.flatten());
    }

    /// Returns a definition and its ancestors, in the order of the source.
    pub(super) fn ancestors(
        &self,
        of: &Definition<'_>,
    ) -> impl Iterator<Item = &'d Definition<'s>> {
        let mut found = Vec::new();
        self.walk(of, |at, open| self.parents(at, open), &mut found);
        found.sort_unstable();
        let defs = self.defs;
        found.into_iter().map(move |at| &defs[at])
    }

    /// Returns a definition with its ancestors and descendants, in the order of the source.
    pub(super) fn kin(&self, of: &Definition<'_>) -> DefinitionFamily<'_, 'd, 's> {
        let mut places = Vec::new();
        self.walk(of, |at, open| self.parents(at, open), &mut places);
        self.walk(of, |at, open| open.extend(&self.heirs[at]), &mut places);
        places.sort_unstable();
        places.dedup();
        DefinitionFamily { family: self, places }
    }

    /// Returns the fields with a name in a definition, its ancestors and its descendants. The name
    /// is the full name or the part after the dot.
    pub(super) fn fields(
        &self,
        of: &Definition<'_>,
        name: &str,
    ) -> impl Iterator<Item = &'d FieldStatement> {
        self.kin(of).fields(name).collect::<Vec<_>>().into_iter()
    }
}

/// A definition with its ancestors and descendants, computed once for all queries about it.
pub(super) struct DefinitionFamily<'f, 'd, 's> {
    family: &'f Family<'d, 's>,
    places: Vec<usize>,
}

impl<'d, 's> DefinitionFamily<'_, 'd, 's> {
    pub(super) fn defs(&self) -> impl Iterator<Item = &'d Definition<'s>> {
        self.places.iter().map(|&at| &self.family.defs[at])
    }

    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = &'d FieldStatement> {
        let named = self.places.iter().filter_map(move |&at| self.family.fields[at].get(name));
        named.flatten().copied()
    }
}
