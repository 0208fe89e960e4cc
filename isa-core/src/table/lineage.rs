//! Describes the groups and optypes from which opcodes inherit.

/// A group or an optype of the specification.
#[derive(Debug)]
pub struct Group {
    /// The name in the specification, for example `HADD2`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// True for an optype, false for a group.
    pub is_optype: bool,
    /// The names of the items that it inherits from, in the order of the specification.
    pub parents: &'static [&'static str],
}

impl Group {
    /// Creates a group from its fields.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        is_optype: bool,
        parents: &'static [&'static str],
    ) -> Self {
        Group { name, doc, is_optype, parents }
    }
}

/// Returns `all` if the crate's feature `describe` is enabled, or else an empty list, because only
/// descriptions of sets use the data.
#[doc(hidden)]
#[must_use]
pub const fn described<T>(items: &'static [T]) -> &'static [T] {
    if cfg!(feature = "describe") { items } else { &[] }
}

/// Returns `doc` if the crate's feature `describe` is enabled, or else an empty text, because only
/// descriptions of sets use this documentation.
#[doc(hidden)]
#[must_use]
pub const fn described_doc(doc: &'static str) -> &'static str {
    if cfg!(feature = "describe") { doc } else { "" }
}

/// The groups of a call of the macro, its semantic functions, and the files of its `functions` statements.
/// All opcodes of the call refer to it, so that their rows stay small.
#[doc(hidden)]
#[derive(Debug)]
pub struct LineageTable {
    groups: &'static [Group],
    bodies: &'static [&'static str],
    functions: &'static [&'static str],
}

impl LineageTable {
    /// Creates the data that all opcodes of a call of the macro share.
    #[must_use]
    pub const fn new(
        groups: &'static [Group],
        bodies: &'static [&'static str],
        functions: &'static [&'static str],
    ) -> Self {
        LineageTable { groups: described(groups), bodies, functions }
    }
}

static NO_LINEAGE: LineageTable = LineageTable::new(&[], &[], &[]);

/// The groups and optypes of an opcode, and the source text of its semantics.
#[derive(Debug, Clone, Copy)]
pub struct Lineage {
    table: &'static LineageTable,
    /// Indexes of two bytes each. The first is the index of the semantic function plus 1, or 0 if there
    /// is none; the others are the indexes of the groups.
    own: &'static [u8],
}

impl Lineage {
    /// No groups and no semantics.
    pub const NONE: Lineage = Lineage::new(&NO_LINEAGE);

    /// Creates the lineage of an opcode without groups and semantics of a call.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(table: &'static LineageTable) -> Self {
        Lineage { table, own: &[] }
    }

    /// Returns the lineage of one opcode. `own` contains the indexes of its semantic function and
    /// of its groups.
    #[doc(hidden)]
    #[must_use]
    pub const fn with(self, own: &'static [u8]) -> Self {
        let own = if cfg!(any(feature = "describe", feature = "source")) { own } else { &[] };
        Lineage { own, ..self }
    }

    /// Returns all groups and optypes that the opcode inherits from, each once, beginning with the
    /// most distant one. Without the crate's feature `describe` there are none.
    ///
    /// ```
    /// isa_core::define_isa! {
    ///     /// Two ways to add.
    ///     pub isa Adds: u16;
    ///     enum Op: 4 { ADD = 0, ADDS = 1 }
    ///     /// Adds, of course.
    ///     optype ADDS { encoding { field<0, 4> Op op; } }
    ///     opcode ADD : [ADDS] { encoding { op == ADD; } syntax { ADD ; } }
    /// }
    ///
    /// let add = Adds::decode(0).unwrap();
    /// let group = add.opcode().lineage.groups().next().unwrap();
    /// assert_eq!((group.name, group.doc), ("ADDS", "Adds, of course."));
    /// ```
    pub fn groups(&self) -> impl Iterator<Item = &'static Group> + use<> {
        let Lineage { table: LineageTable { groups, .. }, own } = *self;
        own.as_chunks().0.iter().skip(1).filter_map(|&place| groups.get(number(place)))
    }

    /// Returns the source text of the semantics, or `None` if the opcode has no semantics. Without
    /// the crate's feature `source` the text is not kept, and the result is also `None`.
    #[must_use]
    pub fn semantics(&self) -> Option<&'static str> {
        let place = number(*self.own.first_chunk()?).checked_sub(1)?;
        self.table.bodies.get(place).copied().filter(|text| !text.is_empty())
    }

    /// Returns the contents of the files of the `functions` statements: Rust code with the functions
    /// that the semantics of the opcode call. Without the crate's feature `source` the iterator is
    /// empty.
    pub fn functions(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.table.functions.iter().copied().filter(|text| !text.is_empty())
    }
}

fn number(bytes: [u8; 2]) -> usize {
    u16::from_le_bytes(bytes).into()
}
