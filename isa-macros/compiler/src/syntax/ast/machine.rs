//! The machine in a specification: its name in semantics, and the classes of its methods.

use proc_macro2::{Ident, TokenStream};

/// `(hart: Memory + Jump)`: a name for the machine, and the traits through which the semantics use
/// it.
#[derive(Debug)]
pub(crate) struct MachineHandle {
    pub(crate) name: Ident,
    /// The traits, at least one.
    pub(crate) bounds: Vec<TokenStream>,
}

/// A class of methods of the machine, as the block of the `machine` item declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodClass {
    /// Methods that read the program counter.
    Pc,
    /// Methods that change the address of the next instruction.
    Jump,
    /// Methods that read memory.
    Load,
    /// Methods that write memory.
    Store,
    /// Methods that access only registers and flags.
    State,
}

impl MethodClass {
    pub(crate) const ALL: [MethodClass; 5] = [
        MethodClass::Pc,
        MethodClass::Jump,
        MethodClass::Load,
        MethodClass::Store,
        MethodClass::State,
    ];

    /// Returns the keyword.
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            MethodClass::Pc => "pc",
            MethodClass::Jump => "jump",
            MethodClass::Load => "load",
            MethodClass::Store => "store",
            MethodClass::State => "state",
        }
    }
}

/// A method of the machine in one of its classes.
#[derive(Debug)]
pub(crate) struct MachineMethod {
    pub(crate) class: MethodClass,
    pub(crate) name: Ident,
}
