//! Describes the control flow of opcodes: the possible successors of an instruction.
//!
//! An opcode has a list of rows with conditions, and the first row that matches a word applies. The
//! template shows whether an instruction has a guard. `isa-verify` compares the result with
//! execution.

use core::fmt::{self, Display, Formatter};

use super::{ConditionCase, Opcode};
use crate::bits::Cube;

/// The effect of an instruction on control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlowKind {
    /// Continues with the next instruction in memory.
    Next,
    /// Continues at another address.
    Branch,
    /// Continues at another address, from which execution returns to the next instruction.
    Call,
    /// Returns to the caller.
    Return,
    /// Has no successor: the program ends, or the instruction is undefined.
    Stop,
    /// Calls the system, which may return to the next instruction.
    Trap,
}

impl FlowKind {
    /// Returns the keyword in a specification, which is also used in JSON.
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

/// A row of a `flow` section: the effect of some words of an opcode.
#[derive(Debug, Clone, Copy)]
pub struct FlowRow {
    /// The effect.
    pub kind: FlowKind,
    /// Whether execution may continue with the next instruction instead: `or next`.
    pub or_next: bool,
    /// The field that contains the target, as an index into [`Opcode::fields`], or
    /// [`ABSENT`](super::ABSENT).
    pub target: u8,
    /// Whether memory contains the target, at the address that the field contains: `branch *to`.
    pub is_indirect: bool,
    /// The source text of the row's condition; empty if there is none.
    pub condition: &'static str,
    /// The condition as masked patterns: the row applies to a word that matches any of them.
    pub cubes: &'static [Cube],
    /// If the condition calls functions: the row also applies to a word in any of these cases.
    pub cases: &'static [ConditionCase],
}

impl FlowRow {
    /// Creates a row from its fields.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        kind: FlowKind,
        or_next: bool,
        target: u8,
        condition: &'static str,
        cubes: &'static [Cube],
        cases: &'static [ConditionCase],
    ) -> Self {
        FlowRow { kind, or_next, target, is_indirect: false, condition, cubes, cases }
    }

    /// Returns the row with the change that its target is stored in memory.
    #[doc(hidden)]
    #[must_use]
    pub const fn indirect(self) -> Self {
        FlowRow { is_indirect: true, ..self }
    }

    /// Returns whether a word satisfies the condition of the row.
    #[must_use]
    pub fn is_of(&self, word: u128) -> bool {
        self.cubes.iter().any(|cube| cube.contains(word))
            || self.cases.iter().any(|case| case.contains(word))
    }
}

/// Prints a row as in a specification.
struct ShownTarget<'r>(&'r Opcode, &'r FlowRow);

impl Display for ShownTarget<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ShownTarget(opcode, row) = *self;
        f.write_str(row.kind.name())?;
        if let Some(field) = opcode.fields.get(usize::from(row.target)) {
            write!(f, " {}{}", if row.is_indirect { "*" } else { "" }, field.name)?;
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

/// The control flow of one instruction. Returned by [`Opcode::flow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flow {
    /// The effect.
    pub kind: FlowKind,
    /// Whether execution may continue with the next instruction without visiting the target first. It
    /// is true if the instruction does not change the control flow, or if a condition or a guard
    /// decides whether it does.
    pub falls_through: bool,
    /// The target.
    pub target: FlowTarget,
}

/// The target of an instruction that changes the control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlowTarget {
    /// The instruction does not contain the target.
    None,
    /// This address.
    Address(u64),
    /// The target is stored in memory at this address, for example at 0x1234 for `JMP ($1234)`.
    Memory(u64),
    /// The value of an operand, such as a register that contains the address: its index among the
    /// [operands](crate::Operands).
    Operand(usize),
}

impl Flow {
    /// Continues with the next instruction.
    pub const NEXT: Flow =
        Flow { kind: FlowKind::Next, falls_through: true, target: FlowTarget::None };

    /// Returns whether execution reaches the next instruction sooner or later: directly, or by
    /// returning from a call or from the system.
    #[must_use]
    pub const fn comes_behind(&self) -> bool {
        self.falls_through || matches!(self.kind, FlowKind::Call | FlowKind::Trap)
    }

    /// Returns whether the address of the instruction that is executed next can differ from the address
    /// after the instruction. This includes calls and traps.
    #[must_use]
    pub const fn leaves(&self) -> bool {
        !matches!(self.kind, FlowKind::Next)
    }

    /// Returns whether a basic block ends after the instruction: it may continue at another address
    /// or has no successor. Calls and traps do not end a block, because execution returns from them:
    /// see [`leaves`](Flow::leaves).
    #[must_use]
    pub const fn ends_block(&self) -> bool {
        matches!(self.kind, FlowKind::Branch | FlowKind::Return | FlowKind::Stop)
    }
}

impl Opcode {
    /// Returns the control flow of a word of the opcode at `address`, according to the `flow`
    /// section of the specification. If the instruction has a guard, it may fall through.
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
    /// assert!(flow("J.ZERO 16;").leaves() && !Flow::NEXT.leaves());
    /// ```
    #[must_use]
    pub fn flow(&self, word: u128, address: u64) -> Flow {
        let Some(row) = self.flow_row(word) else { return Flow::NEXT };
        let target = self.fields.get(usize::from(row.target)).map_or(FlowTarget::None, |field| {
            let operand = || self.operands.iter().position(|operand| operand.field == row.target);
            match self.target(field, word, address) {
                Some(place) if row.is_indirect => FlowTarget::Memory(place),
                Some(target) => FlowTarget::Address(target),
                None => operand().map_or(FlowTarget::None, FlowTarget::Operand),
            }
        });
        Flow { kind: row.kind, falls_through: row.or_next || self.is_guarded(word), target }
    }

    /// Returns the row of `flow` that applies to a word, or `None` if execution continues with the
    /// next instruction.
    #[must_use]
    pub fn flow_row(&self, word: u128) -> Option<&'static FlowRow> {
        let found = self.flow.iter().find(|row| row.is_of(word));
        found.filter(|row| row.kind != FlowKind::Next)
    }

    /// Returns the rows of `flow` as in the specification, for example `branch to or next if
    /// cond == EQ`.
    pub fn flow_text(&self) -> impl Iterator<Item = impl Display> {
        self.flow.iter().map(|row| ShownTarget(self, row))
    }

    /// Returns the text of the row that applies to a word, in the syntax of the specification, with a
    /// note if the word has a guard.
    #[cfg(feature = "alloc")]
    pub(crate) fn flow_of(&self, word: u128) -> Option<alloc::string::String> {
        let row = self.flow_row(word)?;
        let guard = if self.is_guarded(word) { "; next if its guard is false" } else { "" };
        Some(alloc::format!("{}{guard}", ShownTarget(self, row)))
    }

    /// Returns whether the word has a guard that decides if it has an effect: the text before the
    /// mnemonic differs from its default.
    #[must_use]
    pub fn is_guarded(&self, word: u128) -> bool {
        !self.all_default(self.syntax.before, word)
    }
}
