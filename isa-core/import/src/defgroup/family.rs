//! Definitions and who inherits from whom, by names.

use std::collections::HashMap;

use super::cut::Def;
use crate::spec::Field;

/// Definitions with the relations between them.
pub(super) struct Family<'d, 's> {
    pub(super) defs: &'d [Def<'s>],
    /// The definitions of a name: one, unless the source has an error.
    by_name: HashMap<&'s str, Vec<usize>>,
    /// Of each definition, those that name it as a parent.
    heirs: Vec<Vec<usize>>,
    /// Of each definition, its fields by their names, and by what follows the dot.
    fields: Vec<HashMap<&'d str, Vec<&'d Field>>>,
}

impl<'d, 's> Family<'d, 's> {
    pub(super) fn of(defs: &'d [Def<'s>]) -> Self {
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
            let mut named: HashMap<&str, Vec<&Field>> = HashMap::new();
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

    /// Adds all that `next` leads to. A circle of parents is the macro's to report; here the walk ends.
    fn walk(&self, of: &Def<'_>, next: impl Fn(usize, &mut Vec<usize>), found: &mut Vec<usize>) {
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

    /// A definition and those that it inherits from, in the order of the source.
    pub(super) fn ancestors(&self, of: &Def<'_>) -> impl Iterator<Item = &'d Def<'s>> {
        let mut found = Vec::new();
        self.walk(of, |at, open| self.parents(at, open), &mut found);
        found.sort_unstable();
        let defs = self.defs;
        found.into_iter().map(move |at| &defs[at])
    }

    /// The definitions that one inherits from, itself, and its heirs, in the order of the source.
    pub(super) fn kin(&self, of: &Def<'_>) -> Kin<'_, 'd, 's> {
        let mut places = Vec::new();
        self.walk(of, |at, open| self.parents(at, open), &mut places);
        self.walk(of, |at, open| open.extend(&self.heirs[at]), &mut places);
        places.sort_unstable();
        places.dedup();
        Kin { family: self, places }
    }

    /// The fields that a definition or its kin has under a name: in full, or after the dot.
    pub(super) fn fields(&self, of: &Def<'_>, name: &str) -> impl Iterator<Item = &'d Field> {
        self.kin(of).fields(name).collect::<Vec<_>>().into_iter()
    }
}

/// The kin of a definition, found once for all questions about it.
pub(super) struct Kin<'f, 'd, 's> {
    family: &'f Family<'d, 's>,
    places: Vec<usize>,
}

impl<'d, 's> Kin<'_, 'd, 's> {
    pub(super) fn defs(&self) -> impl Iterator<Item = &'d Def<'s>> {
        self.places.iter().map(|&at| &self.family.defs[at])
    }

    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = &'d Field> {
        let named = self.places.iter().filter_map(move |&at| self.family.fields[at].get(name));
        named.flatten().copied()
    }
}
