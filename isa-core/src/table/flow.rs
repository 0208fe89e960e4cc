//! Where a processor goes on behind an instruction.

use core::fmt::{self, Display, Formatter};

use super::{Case, Cube, Opcode};

/// What an instruction does with the flow of control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlowKind {
    /// Goes on behind itself.
    Next,
    /// Goes on elsewhere.
    Branch,
    /// Goes on elsewhere, and what is there comes back behind the instruction.
    Call,
    /// Goes back to what called.
    Return,
    /// Has nothing behind it: the program ends, or the instruction is none.
    Stop,
    /// Leaves to the system, which may come back behind the instruction.
    Trap,
}

impl FlowKind {
    /// The word that a specification has for it, which JSON has too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FlowKind::Next => "next",
            FlowKind::Branch => "branch",
            FlowKind::Call => "call",
            FlowKind::Return => "return",
            FlowKind::Stop => "stop",
            FlowKind::Trap => "trap",
        }
    }
}

/// A row of a `flow` section: what some words of an opcode do.
#[derive(Debug, Clone, Copy)]
pub struct FlowRow {
    /// What they do.
    pub kind: FlowKind,
    /// Whether they may go on behind themselves instead: `or next`.
    pub or_next: bool,
    /// The field that says where they go, as an index into [`Opcode::fields`], or [`ABSENT`](super::ABSENT).
    pub target: u8,
    /// The condition of the row as text; empty where there is none.
    pub condition: &'static str,
    /// The condition over the bits of the word: the row is for a word in any of these cubes.
    pub cubes: &'static [Cube],
    /// Where the condition has functions: the row is for a word in any of these cases too.
    pub cases: &'static [Case],
}

impl FlowRow {
    /// A row with these parts.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        kind: FlowKind,
        or_next: bool,
        target: u8,
        condition: &'static str,
        cubes: &'static [Cube],
        cases: &'static [Case],
    ) -> Self {
        FlowRow { kind, or_next, target, condition, cubes, cases }
    }

    /// Whether a word meets the condition of the row.
    #[must_use]
    pub fn is_of(&self, word: u128) -> bool {
        self.cubes.iter().any(|cube| cube.contains(word))
            || self.cases.iter().any(|case| case.contains(word))
    }
}

/// A row as a specification has it.
struct Shown<'r>(&'r Opcode, &'r FlowRow);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Shown(opcode, row) = *self;
        f.write_str(row.kind.name())?;
        if let Some(field) = opcode.fields.get(usize::from(row.target)) {
            write!(f, " {}", field.name)?;
        }
        if row.or_next {
            f.write_str(" or next")?;
        }
        match row.condition {
            "" => Ok(()),
            condition => write!(f, " if {condition}"),
        }
    }
}

/// Where a processor goes on behind one instruction. From [`Opcode::flow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flow {
    /// What the instruction does.
    pub kind: FlowKind,
    /// Whether the processor may go on with the instruction behind it, without having been elsewhere:
    /// always so where nothing is done, and where a condition or a guard decides.
    pub falls_through: bool,
    /// Where it goes otherwise.
    pub target: FlowTarget,
}

/// Where an instruction goes that does not go on behind itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlowTarget {
    /// The instruction does not say.
    None,
    /// To this address.
    Address(u64),
    /// To where an operand leads, such as a register that holds the address: its index among the
    /// [operands](crate::Operands).
    Operand(usize),
}

impl Flow {
    /// To the instruction behind.
    pub const NEXT: Flow =
        Flow { kind: FlowKind::Next, falls_through: true, target: FlowTarget::None };

    /// Whether the processor comes to the instruction behind sooner or later: directly, or back from a
    /// call or from the system.
    #[must_use]
    pub const fn comes_behind(&self) -> bool {
        self.falls_through || matches!(self.kind, FlowKind::Call | FlowKind::Trap)
    }

    /// Whether a basic block ends behind the instruction: all that may not go on behind itself, or
    /// may go on elsewhere, but for calls and traps.
    #[must_use]
    pub const fn ends_block(&self) -> bool {
        matches!(self.kind, FlowKind::Branch | FlowKind::Return | FlowKind::Stop)
    }
}

impl Opcode {
    /// Where a processor goes on behind a word of the opcode that stands at `address`, as the `flow`
    /// section of the specification says it. What a guard may switch off falls through.
    ///
    /// ```
    /// use isa_core::table::{Flow, FlowKind, FlowTarget};
    /// # isa_core::define_isa! {
    /// #     /// A jump, and one to a register.
    /// #     pub isa Jumps: u16;
    /// #     operand Jump: 8 = isa_core::operand::Relative<8, 1>;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 4 { J = 1, JR = 2 }
    /// #     enum If: 1 { ALWAYS = 0, ZERO = 1 }
    /// #     opcode J {
    /// #         encoding { field<0, 8> Jump to; field<8, 4> Op op == J; field<12, 1> If cond = ALWAYS; }
    /// #         syntax { J{.cond} to; }
    /// #         flow { branch to if cond == ALWAYS; branch to or next; }
    /// #     }
    /// #     opcode JR {
    /// #         encoding { field<0, 8> Reg ra; field<8, 4> Op op == JR; } syntax { JR ra; }
    /// #         operands { InList<ra>; OutList<>; }
    /// #         flow { return ra if ra == 1; branch ra; }
    /// #     }
    /// # }
    ///
    /// let flow = |text: &str| text.parse::<Jumps>().unwrap().flow(0x1000);
    /// let kind = FlowKind::Branch;
    /// let target = FlowTarget::Address(0x1010);
    /// assert_eq!(flow("J 16;"), Flow { kind, falls_through: false, target });
    /// assert_eq!(flow("J.ZERO 16;"), Flow { kind, falls_through: true, target });
    /// assert_eq!((flow("JR R1;").kind, flow("JR R2;").kind), (FlowKind::Return, kind));
    /// assert_eq!(flow("JR R2;").target, FlowTarget::Operand(0));
    /// ```
    #[must_use]
    pub fn flow(&self, word: u128, address: u64) -> Flow {
        let Some(row) = self.flow_row(word) else { return Flow::NEXT };
        let target = self.fields.get(usize::from(row.target)).map_or(FlowTarget::None, |field| {
            let operand = || self.operands.iter().position(|operand| operand.field == row.target);
            match self.target(field, word, address) {
                Some(target) => FlowTarget::Address(target),
                None => operand().map_or(FlowTarget::None, FlowTarget::Operand),
            }
        });
        Flow { kind: row.kind, falls_through: row.or_next || self.is_guarded(word), target }
    }

    /// The row of `flow` that counts for a word; `None` where it goes on behind itself.
    #[must_use]
    pub fn flow_row(&self, word: u128) -> Option<&'static FlowRow> {
        let found = self.flow.iter().find(|row| row.is_of(word));
        found.filter(|row| row.kind != FlowKind::Next)
    }

    /// The rows of `flow` as the specification has them, `branch to or next if cond == EQ`.
    pub fn flow_text(&self) -> impl Iterator<Item = impl Display> {
        self.flow.iter().map(|row| Shown(self, row))
    }

    /// What counts for a word, as the specification has it, and that it has a guard.
    #[cfg(feature = "alloc")]
    pub(crate) fn flow_of(&self, word: u128) -> Option<alloc::string::String> {
        let row = self.flow_row(word)?;
        let guard = if self.is_guarded(word) { "; next where its guard is false" } else { "" };
        Some(alloc::format!("{}{guard}", Shown(self, row)))
    }

    /// Whether a guard decides if a word of the opcode does anything: something stands before the
    /// mnemonic that is not what is meant where nothing stands there.
    #[must_use]
    pub fn is_guarded(&self, word: u128) -> bool {
        !self.all_default(self.syntax.before, word)
    }
}
