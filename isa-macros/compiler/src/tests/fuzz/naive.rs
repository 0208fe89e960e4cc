//! A decoder without masks, masked patterns or a tree. It compares each opcode bit by bit with the
//! parsed specification and shares no code with the phases after the parser.

use crate::syntax::ast::{
    Condition, FieldDecl, FieldName, FieldSum, InitDecl, Level, ListedValue, NodeDecl, Spec,
    ValueRef,
};

/// The opcodes of a specification that has no errors.
pub(super) struct Scan<'s> {
    spec: &'s Spec,
    pub(super) opcodes: Vec<NaiveRow<'s>>,
}

/// One opcode with everything that it inherits.
pub(super) struct NaiveRow<'s> {
    pub(super) name: String,
    bits: u64,
    fields: Vec<FieldDecl>,
    conditions: Vec<&'s Condition>,
    /// The `where` conditions, which every word satisfies.
    wheres: Vec<&'s Condition>,
    /// The fields that forbid values, including those that a child declares again.
    forbids: Vec<FieldDecl>,
    /// The names of the opcodes that are declared `inside` it.
    special: Vec<String>,
}

impl<'s> Scan<'s> {
    pub(super) fn new(spec: &'s Spec) -> Self {
        let widths = spec.header.iter().flat_map(|header| &header.widths);
        let widest = widths.map(|width| width.value).max().unwrap_or(128);
        let opcodes = spec.nodes.iter().filter(|node| node.level == Level::Opcode);
        let opcodes = opcodes.map(|node| NaiveRow::new(spec, node, widest)).collect();
        Scan { spec, opcodes }
    }

    /// Returns the names of the opcodes that match the word: at most one if the specification is
    /// right.
    pub(super) fn decode(&self, word: u128) -> Vec<&str> {
        let rows = self.opcodes.iter().filter(|row| self.is_legal(row, word));
        rows.map(|row| row.name.as_str()).collect()
    }

    /// Returns whether the word has the fixed values and zeros outside the opcode's fields.
    fn belongs(&self, row: &NaiveRow<'_>, word: u128) -> bool {
        let covered = |bit: u64| {
            row.fields.iter().any(|field| {
                field.pieces.iter().any(|(p, w)| (p.value..p.value + w.value).contains(&bit))
            })
        };
        let zeros = (0..128).all(|bit| covered(bit) || word >> bit & 1 == 0);
        zeros
            && row.fields.iter().all(|field| match &field.init {
                InitDecl::Fixed(value) => self.value(field, word) == self.number(field, value),
                InitDecl::Default(_) | InitDecl::Required => true,
            })
    }

    fn is_legal(&self, row: &NaiveRow<'_>, word: u128) -> bool {
        let special = self.opcodes.iter().filter(|other| row.special.contains(&other.name));
        self.belongs(row, word)
            && !special.into_iter().any(|other| self.belongs(other, word))
            && row.fields.iter().all(|field| self.exists(field, self.value(field, word)))
            && !row.forbids.iter().any(|field| {
                let forbidden = |value| self.number(field, value) == self.value(field, word);
                field.forbidden.iter().any(forbidden)
            })
            && row.wheres.iter().all(|condition| self.holds(row, condition, word))
            && !row.conditions.iter().any(|condition| self.holds(row, condition, word))
    }

    /// Returns whether a value is valid for the type of a field.
    fn exists(&self, field: &FieldDecl, raw: u64) -> bool {
        if let Some(set) = self.spec.sets.iter().find(|set| set.name == field.ty) {
            return set.values.iter().any(|value| value.raw.is_some_and(|own| own.value == raw));
        }
        let kind = self.spec.operands.iter().find(|kind| kind.name == field.ty);
        let reserved = kind.into_iter().flat_map(|kind| &kind.reserved);
        !reserved.into_iter().any(|(pattern, _)| {
            pattern.chars().rev().enumerate().all(|(bit, c)| match c {
                '0' => raw >> bit & 1 == 0,
                '1' => raw >> bit & 1 == 1,
                _ => true,
            })
        })
    }

    /// Returns the value of a field in a word. A field without bits has its fixed value.
    fn value(&self, field: &FieldDecl, word: u128) -> u64 {
        match &field.init {
            InitDecl::Fixed(value) if field.bitless => self.number(field, value),
            _ => value_of(field, word),
        }
    }

    fn number(&self, field: &FieldDecl, value: &ValueRef) -> u64 {
        match value {
            ValueRef::Number(number) => number.value,
            ValueRef::Name(name, _) => {
                let set = self.spec.sets.iter().find(|set| set.name == field.ty);
                let values = set.into_iter().flat_map(|set| &set.values);
                let named = values.into_iter().find(|value| value.name.ident == name);
                named.and_then(|value| value.raw).expect("a right specification").value
            }
        }
    }

    fn holds(&self, row: &NaiveRow<'_>, condition: &Condition, word: u128) -> bool {
        match condition {
            Condition::And(terms) => terms.iter().all(|term| self.holds(row, term, word)),
            Condition::Or(terms) => terms.iter().any(|term| self.holds(row, term, word)),
            Condition::Not(inner) => !self.holds(row, inner, word),
            Condition::Is { field, values, negated } => {
                let field = row.field(field).expect("a right specification");
                let raw = self.value(field, word);
                let is = |value: &ListedValue| match value {
                    ListedValue::One(value) => match value.as_field().and_then(|n| row.field(&n)) {
                        Some(other) if !self.has_value(field, value) => {
                            self.value(other, word) == raw
                        }
                        _ => self.number(field, value) == raw,
                    },
                    ListedValue::Range(first, last) => first.value <= raw && raw <= last.value,
                };
                values.iter().any(is) != *negated
            }
            // The specifications of the fuzz tests do not call functions.
            Condition::Call(_) => false,
            Condition::Compare(comparison) => {
                let sum = |sum: &FieldSum| {
                    let field = sum.field().map(|name| row.field(name).expect("a field"));
                    sum.number() + field.map_or(0, |field| self.value(field, word).into())
                };
                let (left, right) = (sum(&comparison.left), sum(&comparison.right));
                match comparison.sign.text() {
                    "==" => left == right,
                    "!=" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
        }
    }

    /// Returns whether a value is a name in the field's enumeration.
    fn has_value(&self, field: &FieldDecl, value: &ValueRef) -> bool {
        let set = self.spec.sets.iter().find(|set| set.name == field.ty);
        let values = set.into_iter().flat_map(|set| &set.values);
        let mut names = values.flat_map(|known| std::iter::once(&known.name).chain(&known.also));
        names.any(|name| name.ident == value.text() || name.text == value.text())
    }
}

impl<'s> NaiveRow<'s> {
    fn new(spec: &'s Spec, node: &'s NodeDecl, widest: u64) -> Self {
        let mut line = Vec::new();
        ancestors(spec, node, &mut line);
        let (mut fields, mut forbids): (Vec<FieldDecl>, Vec<FieldDecl>) = Default::default();
        for mut field in line.iter().flat_map(|node| &node.fields).cloned() {
            let same = |known: &FieldDecl| known.name.dotted() == field.name.dotted();
            let inherited = fields.iter().position(same).map(|place| fields.remove(place));
            if let (true, Some(inherited)) = (field.inherits, inherited) {
                (field.pieces, field.ty) = (inherited.pieces, inherited.ty);
                field.bitless = inherited.bitless;
            }
            forbids.extend((!field.forbidden.is_empty()).then(|| field.clone()));
            fields.push(field);
        }
        let inside = |other: &&NodeDecl| other.inside.contains(&node.name);
        NaiveRow {
            name: node.name.to_string(),
            bits: line.iter().rev().find_map(|node| node.word).map_or(widest, |word| word.value),
            fields,
            forbids,
            wheres: line.iter().flat_map(|n| &n.wheres).map(|w| &w.condition).collect(),
            conditions: line.iter().flat_map(|n| &n.exceptions).map(|e| &e.condition).collect(),
            special: spec.nodes.iter().filter(inside).map(|other| other.name.to_string()).collect(),
        }
    }

    fn field(&self, name: &FieldName) -> Option<&FieldDecl> {
        self.fields.iter().find(|field| field.name.dotted() == name.dotted())
    }

    /// Returns the width of the word.
    pub(super) fn bits(&self) -> u64 {
        self.bits
    }
}

/// Appends a node's ancestors and the node itself, each once.
fn ancestors<'s>(spec: &'s Spec, node: &'s NodeDecl, line: &mut Vec<&'s NodeDecl>) {
    for parent in &node.parents {
        if let Some(parent) = spec.nodes.iter().find(|other| other.name == *parent) {
            ancestors(spec, parent, line);
        }
    }
    if !line.iter().any(|known| known.name == node.name) {
        line.push(node);
    }
}

/// Returns the value of a field's bits. The first piece is the most significant.
fn value_of(field: &FieldDecl, word: u128) -> u64 {
    let mut raw = 0;
    for (position, width) in &field.pieces {
        for bit in (position.value..position.value + width.value).rev() {
            raw = raw << 1 | (word >> bit & 1) as u64;
        }
    }
    raw
}
