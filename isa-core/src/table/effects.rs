//! Describes the effects of opcodes on the machine.

use core::fmt::{self, Display, Formatter};

/// The effects of an opcode's semantics on the machine. The field [`Opcode::effects`](super::Opcode::effects)
/// contains them.
///
/// The compiler finds the effects in the semantics: it looks up each method that they call on the
/// machine in the block of the [`machine`](macro@crate::define_isa#effects) item. An instruction may have fewer
/// effects than its opcode. For example, a branch that is not taken does not change the address of
/// the next instruction.
///
/// Each method returns true if the effect is possible. If the effects are not known, every effect is
/// possible. If [`has_others`](Self::has_others) returns true, the semantics also use the machine in
/// a way that no class describes, so the other methods do not describe all effects.
///
/// ```standalone_crate
/// use isa_core::machine::GeneralRegs;
///
/// /// Memory that can be read.
/// pub trait Memory {
///     /// Returns the word at an address.
///     fn load(&self, address: u32) -> Option<u32>;
/// }
///
/// /// Registers and memory.
/// pub trait Hart: GeneralRegs + Memory {}
///
/// isa_core::define_isa! {
///     /// Loads and copies.
///     pub isa Loads: u32;
///     machine crate::Hart { load: load; }
///     trap crate::Fault;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { LD = 1, MOV = 2 }
///     group ALL {
///         encoding { field<16, 8> Op op; field<0, 8> Reg rd; field<8, 8> Reg ra; }
///         operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
///     }
///     opcode LD : [ALL] {
///         encoding { op == LD; }
///         syntax { LD Rd, Ra; }
///         semantics(hart: crate::Memory) { Rd = hart.load(Ra.value).ok_or(crate::Fault)?; }
///     }
///     opcode MOV : [ALL] {
///         encoding { op == MOV; }
///         syntax { MOV Rd, Ra; }
///         semantics { Rd = Ra.value; }
///     }
/// }
///
/// /// The trap.
/// #[derive(Debug)]
/// pub struct Fault;
///
/// # fn main() {
/// let [load, copy] = [0x1_0000, 0x2_0000].map(|word| Loads::decode(word).unwrap().opcode().effects);
/// assert!(load.is_known() && load.loads() && load.may_trap());
/// assert!(!load.stores() && !load.jumps() && !load.reads_pc() && !load.has_others());
/// assert_eq!([load.to_string(), copy.to_string()], ["load, trap", "none"]);
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Effects(u8);

impl Effects {
    /// Nothing is known, so every effect is possible.
    pub const UNKNOWN: Effects = Effects(0);

    // The macro emits these bits.
    const KNOWN: u8 = 1;
    const PC: u8 = 2;
    const JUMP: u8 = 4;
    const LOAD: u8 = 8;
    const STORE: u8 = 16;
    const TRAP: u8 = 32;
    const OTHER: u8 = 64;

    /// The names of the effects in printed text.
    const NAMES: [(u8, &'static str); 6] = [
        (Effects::PC, "pc"),
        (Effects::JUMP, "jump"),
        (Effects::LOAD, "load"),
        (Effects::STORE, "store"),
        (Effects::TRAP, "trap"),
        (Effects::OTHER, "other"),
    ];

    /// Creates effects from their bits.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(bits: u8) -> Self {
        // Only runners use the effects, and small modules have none.
        if crate::IS_SMALL { Effects::UNKNOWN } else { Effects(bits) }
    }

    const fn may(self, effect: u8) -> bool {
        !self.is_known() || self.0 & effect != 0
    }

    /// Returns whether the effects are known. They are not known if the opcode has no semantics, or
    /// if the `machine` item of its call has no block.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.0 & Effects::KNOWN != 0
    }

    /// Returns whether the semantics may read the program counter.
    #[must_use]
    pub const fn reads_pc(self) -> bool {
        self.may(Effects::PC)
    }

    /// Returns whether the semantics may change the address of the next instruction.
    #[must_use]
    pub const fn jumps(self) -> bool {
        self.may(Effects::JUMP)
    }

    /// Returns whether the semantics may read memory.
    #[must_use]
    pub const fn loads(self) -> bool {
        self.may(Effects::LOAD)
    }

    /// Returns whether the semantics may write memory.
    #[must_use]
    pub const fn stores(self) -> bool {
        self.may(Effects::STORE)
    }

    /// Returns whether the instruction may trap.
    #[must_use]
    pub const fn may_trap(self) -> bool {
        self.may(Effects::TRAP)
    }

    /// Returns whether the semantics may use the machine in a way that no class describes: they call
    /// a method without a class, or pass the machine to a function.
    #[must_use]
    pub const fn has_others(self) -> bool {
        self.may(Effects::OTHER)
    }
}

/// Prints the names of the effects, for example `load, trap`. An opcode without effects is printed as
/// `none`, and unknown effects are printed as `unknown`.
impl Display for Effects {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.is_known() {
            return f.write_str("unknown");
        }
        let mut names = Effects::NAMES.into_iter().filter(|(effect, _)| self.0 & effect != 0);
        let Some((_, first)) = names.next() else { return f.write_str("none") };
        f.write_str(first)?;
        names.try_for_each(|(_, name)| write!(f, ", {name}"))
    }
}
