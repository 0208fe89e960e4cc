//! Tables of one processor: only what exists with its features.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::{
    Alias, DecodeTree, Exception, FeatureSet, Finder, InstructionSet, Mnemonic, Opcode,
    ParseProgram, Requirement, Syntax,
};

/// The class of the exceptions that requirements become.
const CLASS: &str = "MissingFeature";

impl InstructionSet {
    /// Returns tables that contain only what exists with the features `on`. Opcodes that do not exist are
    /// missing, and values and fields that do not exist become exceptions.
    ///
    /// It is intended for tools that process a whole set, such as an exporter. To decode and to parse,
    /// [`InstructionSet::with_features`] is sufficient. The new tables are never freed.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// Three opcodes.
    /// #     isa Tiny: u16;
    /// #     feature SHIFTS;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 8 { NEG = 1, SHL = 2, SHR = 3 requires SHIFTS }
    /// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    /// #     opcode SHL requires SHIFTS {
    /// #         encoding { field<8, 8> Op op == SHL; field<0, 8> Reg rd; } syntax { SHL Rd; }
    /// #     }
    /// #     opcode SHR { encoding { field<8, 8> Op op == SHR; field<0, 8> Reg rd; } syntax { SHR Rd; } }
    /// # }
    /// let none = Tiny::SET.specialized(Tiny::SET.feature_set("")?);
    /// assert_eq!(none.opcodes.len(), 1);
    /// assert!(none.decode(0x201).is_err());
    /// # Ok::<(), isa_core::table::FeatureError<'static>>(())
    /// ```
    #[must_use]
    pub fn specialized(&self, on: FeatureSet) -> &'static InstructionSet {
        let exists: Vec<bool> = self.opcodes.iter().map(|opcode| opcode.exists_with(on)).collect();
        let mut rows = Rows { set: self, on, rows: BTreeMap::new(), syntaxes: BTreeMap::new() };
        let kept = |index: &usize| exists.get(*index).is_some_and(|&exists| exists);
        let kept: Vec<usize> = (0..self.opcodes.len()).filter(kept).collect();
        let new_index: BTreeMap<usize, usize> =
            kept.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let opcodes: Vec<&'static Opcode> =
            kept.iter().map(|&old| rows.row(self.opcodes[old])).collect();
        // The rows of aliases, each with the index of its opcode and its index in the old spellings.
        let aliases: Vec<(usize, usize)> = (self.opcodes.len()..self.spellings.len())
            .filter_map(|spelling| Some((*new_index.get(&self.opcode_of(spelling))?, spelling)))
            .collect();
        let mut new_spelling = new_index.clone();
        let mut spellings = opcodes.clone();
        for &(_, old) in &aliases {
            new_spelling.insert(old, spellings.len());
            spellings.push(rows.row(self.spellings[old]));
        }
        let (mnemonics, new_mnemonic) = mnemonics(self.mnemonics, &new_spelling);
        let new_entry = |old: usize| new_mnemonic.get(&old).map_or(0, |&new| new as u8 + 1);
        let entries = self.finder.entries.iter().map(|&entry| match entry {
            0 => 0,
            entry => new_entry(usize::from(entry) - 1),
        });
        let finder = Finder { entries: leaked(entries), ..self.finder };
        let aliased = aliases.iter().map(|&(opcode, _)| opcode as u16);
        Box::leak(Box::new(InstructionSet {
            opcodes: leaked(opcodes.iter().copied()),
            spellings: leaked(spellings.into_iter()),
            aliased: leaked(aliased),
            tree: tree(&self.tree, self.opcodes.len(), &new_index),
            finder,
            mnemonics,
            enabled: on,
            ..*self
        }))
    }
}

/// Copies items to memory that is never freed.
fn leaked<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    items.collect::<Vec<T>>().leak()
}

/// Returns the mnemonics that still have a spelling, and their new indexes by their old indexes.
fn mnemonics(
    old: &'static [Mnemonic],
    new_spelling: &BTreeMap<usize, usize>,
) -> (&'static [Mnemonic], BTreeMap<usize, usize>) {
    let renumbered = |numbers: &[u16]| -> &'static [u16] {
        let numbers = numbers.iter();
        leaked(numbers.filter_map(|number| new_spelling.get(&(*number).into()).map(|&n| n as u16)))
    };
    let (mut mnemonics, mut new_index) = (Vec::new(), BTreeMap::new());
    for (place, Mnemonic { text, opcodes, calls, .. }) in old.iter().enumerate() {
        let opcodes = renumbered(opcodes);
        if opcodes.is_empty() {
            continue;
        }
        let calls = calls.iter().map(|call| renumbered(call)).filter(|call| !call.is_empty());
        let calls = leaked(calls);
        new_index.insert(place, mnemonics.len());
        mnemonics.push(Mnemonic::new(text, opcodes, if calls.len() > 1 { calls } else { &[] }));
    }
    (mnemonics.leak(), new_index)
}

/// Returns the decode tree with other indexes. A missing opcode is replaced by the next opcode that the
/// decoder would try.
fn tree(old: &DecodeTree, count: usize, new_index: &BTreeMap<usize, usize>) -> DecodeTree {
    let new_entry = |mut entry: u16| {
        for _ in 0..=count {
            let Some(opcode) = usize::from(entry).checked_sub(1) else { break };
            if let Some(&new) = new_index.get(&opcode) {
                return new as u16 + 1;
            }
            entry = old.general.get(opcode).copied().unwrap_or(0);
        }
        0
    };
    let entries = old.entries.iter().map(|&bytes| match u16::from_le_bytes(bytes) {
        node if node & DecodeTree::INNER != 0 => bytes,
        entry => new_entry(entry).to_le_bytes(),
    });
    let general = new_index.keys().filter_map(|&opcode| old.general.get(opcode).copied());
    DecodeTree { entries: leaked(entries), general: leaked(general.map(new_entry)), ..*old }
}

/// Creates the new rows. A row without changes is not copied.
struct Rows<'s> {
    set: &'s InstructionSet,
    on: FeatureSet,
    /// The new rows by the addresses of the old ones.
    rows: BTreeMap<*const Opcode, &'static Opcode>,
    syntaxes: BTreeMap<*const Syntax, &'static Syntax>,
}

impl Rows<'_> {
    /// Returns the new row of an opcode or an alias that exists.
    fn row(&mut self, old: &'static Opcode) -> &'static Opcode {
        if let Some(row) = self.rows.get(&core::ptr::from_ref(old)) {
            return row;
        }
        let mut row = *old;
        let unmet = old.requires.iter().copied().filter(|one| !one.is_met(self.on));
        let unmet: Vec<&'static Requirement> = unmet.collect();
        if !unmet.is_empty() {
            let met = old.requires.iter().copied().filter(|one| one.is_met(self.on));
            row.requires = leaked(met);
            let own = unmet.iter().map(|one| &*Box::leak(Box::new(exception(one))));
            row.exceptions = leaked(old.exceptions.iter().copied().chain(own));
            let words = unmet.iter().flat_map(|one| one.words.iter().copied());
            row.screen = old.screen.without(words);
        }
        let exists = |other: &&&'static Opcode| other.exists_with(self.on);
        let after: Vec<&'static Opcode> = old.after.iter().filter(exists).copied().collect();
        let after: Vec<&'static Opcode> = after.into_iter().map(|row| self.row(row)).collect();
        let aliases = old.aliases.iter().map(|alias| Alias { row: self.row(alias.row), ..*alias });
        let aliases: Vec<Alias> = aliases.collect();
        row.syntax = self.syntax(old.syntax);
        let is_same = unmet.is_empty()
            && core::ptr::eq(row.syntax, old.syntax)
            && after.len() == old.after.len()
            && after.iter().zip(old.after).all(|(new, old)| core::ptr::eq(*new, *old))
            && aliases.iter().zip(old.aliases).all(|(new, old)| core::ptr::eq(new.row, old.row));
        let new = if is_same {
            old
        } else {
            (row.after, row.aliases) = (after.leak(), aliases.leak());
            Box::leak(Box::new(row))
        };
        self.rows.insert(old, new);
        new
    }

    /// Returns the syntax without the steps of the fast parser if an opcode with the same mnemonic does
    /// not exist, because these steps refer to opcodes by their positions.
    fn syntax(&mut self, old: &'static Syntax) -> &'static Syntax {
        let (set, on) = (self.set, self.on);
        self.syntaxes.entry(old).or_insert_with(|| {
            let has_mnemonic = |row: &&&Opcode| row.syntax.mnemonic == old.mnemonic;
            match set.spellings.iter().filter(has_mnemonic).all(|row| row.exists_with(on)) {
                true => old,
                false => Box::leak(Box::new(Syntax { reader: ParseProgram::NONE, ..*old })),
            }
        })
    }
}

/// Returns the exception for words that do not exist.
fn exception(requirement: &'static Requirement) -> Exception {
    let Requirement { words, subject, condition, declared_in, .. } = *requirement;
    let reason = format!("{subject} requires {condition}");
    Exception {
        class: CLASS,
        reason: reason.leak(),
        condition,
        declared_in,
        cubes: words,
        cases: &[],
    }
}
