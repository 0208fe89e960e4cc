//! What the texts of a specification mean: the template of each row, and reading by it.

use crate::case;
use crate::own::{self, Own};
use crate::printing;
use crate::random::Random;
use crate::reading;
use crate::spec::{Kind, Row, Spec};
use crate::words;

/// A specification with all that its texts mean.
pub struct Texts<'s> {
    /// The specification.
    pub spec: &'s Spec,
    /// Its opcodes and other spellings.
    pub rows: Vec<Row>,
    /// The template of each row.
    pub owns: Vec<Own>,
    /// The kinds and the templates as they are read, where any letter case is.
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

    /// The values that a text gives the fields of a row, legal or not.
    #[must_use]
    pub fn read(&self, row: usize, text: &str) -> Option<Vec<u64>> {
        self.read_as(row, text, true)
    }

    /// As [`Texts::read`], where a field that stands in two places may have two values: such texts do
    /// not tell two opcodes apart either.
    #[must_use]
    pub fn read_any(&self, row: usize, text: &str) -> Option<Vec<u64>> {
        self.read_as(row, text, false)
    }

    fn read_as(&self, row: usize, text: &str, agree: bool) -> Option<Vec<u64>> {
        let read = |kinds, owns: &[Own], text: &str| {
            reading::read_as(kinds, &self.rows[row], &owns[row], text, agree)
        };
        match &self.folded {
            Some((kinds, owns)) => read(kinds, owns, &text.to_ascii_uppercase()),
            None => read(&self.spec.kinds, &self.owns, text),
        }
    }

    /// Another text for some values.
    #[must_use]
    pub fn spell(&self, row: usize, values: &[u64], random: &mut Random) -> String {
        let (kinds, own) = (&self.spec.kinds, &self.owns[row]);
        let text = printing::spell(kinds, &self.rows[row], own, values, random);
        if self.spec.any_case { case::recased(&text, random) } else { text }
    }

    /// Whether values are a legal word of a row.
    #[must_use]
    pub fn is_legal(&self, row: usize, values: &[u64]) -> bool {
        let (kinds, rows) = (&self.spec.kinds, &self.rows);
        let opcode = rows[row].alias.map_or(row, |(of, _)| of);
        words::is_word(kinds, &rows[row], values)
            && words::is_allowed(&rows[row], values)
            && words::is_legal(kinds, rows, opcode, words::encode(&rows[row], values))
    }

    /// The words of legal instructions that a text is read as, with the rows that read it.
    #[must_use]
    pub fn readings(&self, text: &str) -> Vec<(usize, u128)> {
        let legal = |row: &usize| {
            let values = self.read(*row, text)?;
            self.is_legal(*row, &values).then(|| (*row, words::encode(&self.rows[*row], &values)))
        };
        (0..self.rows.len()).filter_map(|row| legal(&row)).collect()
    }
}
