//! What the texts of a specification mean: the template of each row, and reading by it.

use crate::case;
use crate::own::{self, Own};
use crate::printing;
use crate::random::Random;
use crate::reading::{self, How};
use crate::spec::{Kind, KindText, Row, Spec};
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
        self.read_as(row, text, How { agree: true, label: 0, dotted: true, sums: false })
    }

    /// As [`Texts::read`] where labels are so far away, and where a field that stands in two places may have
    /// two values: such texts do not tell two opcodes apart either.
    #[must_use]
    pub fn read_any(&self, row: usize, text: &str, label: u64) -> Option<Vec<u64>> {
        self.read_as(row, text, How { agree: false, label, dotted: true, sums: false })
    }

    /// How far away labels may be: each distance that a target can have.
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

    /// The words of legal instructions that a text is read as where it stands at the address of all
    /// labels, with the rows that read it.
    #[must_use]
    pub fn readings(&self, text: &str) -> Vec<(usize, u128)> {
        let of = |row: usize, sums| {
            let values =
                self.read_as(row, text, How { agree: true, label: 0, dotted: false, sums })?;
            self.is_legal(row, &values).then(|| (row, words::encode(&self.rows[row], &values)))
        };
        let all = |sums| (0..self.rows.len()).filter_map(|row| of(row, sums)).collect::<Vec<_>>();
        // A number behind a label belongs to it only where no instruction takes it otherwise.
        let plain = all(false);
        if plain.is_empty() { all(true) } else { plain }
    }
}
