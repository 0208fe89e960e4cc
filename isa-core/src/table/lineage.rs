//! What opcodes have in common: the groups and optypes that they come from.

/// A group or an optype of the specification.
#[derive(Debug)]
pub struct Group {
    /// The name in the specification, `HADD2`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// Whether it is an optype; else it is a group.
    pub is_optype: bool,
    /// The names of those that it inherits from, as it names them.
    pub parents: &'static [&'static str],
}

impl Group {
    /// A row with these parts.
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

/// Where an opcode comes from: its groups and optypes, and the text of its semantics.
#[derive(Debug, Clone, Copy)]
pub struct Lineage {
    groups: &'static [Group],
    bodies: &'static [&'static str],
    /// Numbers of two bytes: that of the body plus 1, or 0; then those of the groups.
    own: &'static [u8],
}

impl Lineage {
    /// Nothing.
    pub const NONE: Lineage = Lineage { groups: &[], bodies: &[], own: &[] };

    /// Some of the groups and bodies of a call. Nothing yet is the opcode's own.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(groups: &'static [Group], bodies: &'static [&'static str]) -> Self {
        Lineage { groups, bodies, own: &[] }
    }

    /// The lineage of one opcode, which has the body and the groups with these numbers.
    #[doc(hidden)]
    #[must_use]
    pub const fn with(self, own: &'static [u8]) -> Self {
        Lineage { own, ..self }
    }

    /// All groups and optypes that the opcode inherits from, each once, the most distant first.
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
        let Lineage { groups, own, .. } = *self;
        own.as_chunks().0.iter().skip(1).filter_map(|&place| groups.get(number(place)))
    }

    /// The semantics as their author wrote them: `None` where there are none, and where the crate's
    /// feature `source` is off, without which no text of a body is kept.
    #[must_use]
    pub fn semantics(&self) -> Option<&'static str> {
        let place = number(*self.own.first_chunk()?).checked_sub(1)?;
        self.bodies.get(place).copied().filter(|text| !text.is_empty())
    }
}

fn number(bytes: [u8; 2]) -> usize {
    u16::from_le_bytes(bytes).into()
}
