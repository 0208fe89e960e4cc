//! The meaning of a specification's texts: the template of each row, and parsing by it.

use crate::case;
use crate::own::{self, Own};
use crate::printing;
use crate::random::Random;
use crate::reading::{self, How};
use crate::spec::{Kind, KindText, Row, Spec};
use crate::words;

/// A specification with its resolved rows and templates.
pub struct Texts<'s> {
    /// The specification.
    pub spec: &'s Spec,
    /// Its opcodes, aliases and synonyms.
    pub rows: Vec<Row>,
    /// The template of each row.
    pub owns: Vec<Own>,
    /// The operand types and the templates in upper case, if the set accepts any letter case.
    folded: Option<(Vec<Kind>, Vec<Own>)>,
}

impl<'s> Texts<'s> {
    /// Resolves a specification.
    #[must_use]
    pub fn new(spec: &'s Spec) -> Self {
        let rows = spec.rows();
        let owns: Vec<Own> = (0..rows.len()).map(|place| own::own(spec, &rows, place)).collect();
        let fold = |owns: &[Own]| owns.iter().map(|own| case::folded(own)).collect();
        let folded = spec.any_case.then(|| (case::folded_kinds(&spec.kinds), fold(&owns)));
        Texts { spec, rows, owns, folded }
    }

    /// Returns the values that a text gives to the fields of a row, valid or not.
    #[must_use]
    pub fn read(&self, row: usize, text: &str) -> Option<Vec<u64>> {
        self.read_as(row, text, How { agree: true, label: 0, dotted: true, sums: false })
    }

    /// Returns the same as [`Texts::read`], but with labels at this distance and without requiring
    /// that a field that is given twice has one value. Such texts do not distinguish two opcodes
    /// either.
    #[must_use]
    pub fn read_any(&self, row: usize, text: &str, label: u64) -> Option<Vec<u64>> {
        self.read_as(row, text, How { agree: false, label, dotted: true, sums: false })
    }

    /// Returns the possible distances to labels: each distance that a target can have.
    pub fn distances(&self) -> impl Iterator<Item = u64> + use<> {
        let is_target = |kind: &&Kind| kind.text == KindText::Target;
        let width = self.spec.kinds.iter().find(is_target).map_or(0, |kind| kind.width);
        0..1 << width
    }

    fn read_as(&self, row: usize, text: &str, how: How) -> Option<Vec<u64>> {
        let read = |kinds, owns: &[Own], text: &str| {
            reading::read_as(kinds, &self.rows[row], &owns[row], text, how)
        };
        match &self.folded {
            Some((kinds, owns)) => read(kinds, owns, &text.to_ascii_uppercase()),
            None => read(&self.spec.kinds, &self.owns, text),
        }
    }

    /// Returns another text for some values.
    #[must_use]
    pub fn spell(&self, row: usize, values: &[u64], random: &mut Random) -> String {
        let (kinds, own) = (&self.spec.kinds, &self.owns[row]);
        let text = printing::spell(kinds, &self.rows[row], own, values, random);
        if self.spec.any_case { case::recased(&text, random) } else { text }
    }

    /// Returns whether values are a valid word of a row.
    #[must_use]
    pub fn is_legal(&self, row: usize, values: &[u64]) -> bool {
        let (kinds, rows) = (&self.spec.kinds, &self.rows);
        let opcode = rows[row].alias.map_or(row, |(of, _)| of);
        words::is_word(kinds, &rows[row], values)
            && words::is_allowed(&rows[row], values)
            && words::is_legal(kinds, rows, opcode, words::encode(&rows[row], values))
    }

    /// Returns the valid words that a text is parsed as, with the rows that accept it. The
    /// instruction is at the address of all labels.
    #[must_use]
    pub fn readings(&self, text: &str) -> Vec<(usize, u128)> {
        let of = |row: usize, sums| {
            let values =
                self.read_as(row, text, How { agree: true, label: 0, dotted: false, sums })?;
            self.is_legal(row, &values).then(|| (row, words::encode(&self.rows[row], &values)))
        };
        let all = |sums| (0..self.rows.len()).filter_map(|row| of(row, sums)).collect::<Vec<_>>();
        // A number after a label belongs to the label only if no instruction accepts the text
        // otherwise.
        let plain = all(false);
        if plain.is_empty() { all(true) } else { plain }
    }
}
