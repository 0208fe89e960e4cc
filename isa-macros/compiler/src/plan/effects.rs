//! Finds semantic functions with effects: those that use a handle of the machine, and those that can
//! trap.

use proc_macro2::TokenStream;

use super::body::can_trap;
use crate::check::namesake;
use crate::model::{Model, Opcode};
use crate::syntax::ast::Handle;

/// The effects of an opcode's semantics. An opcode without semantics has none.
#[derive(Debug)]
pub(crate) struct Effects<'m> {
    pub(crate) handle: Option<&'m Handle>,
    /// The trap type, if the function can trap.
    pub(crate) trap: Option<&'m TokenStream>,
}

impl<'m> Effects<'m> {
    pub(crate) fn of(model: &'m Model, opcode: &Opcode) -> Self {
        let node = opcode.semantics.map(|node| &model.nodes[node]);
        // If the handle has the name of an operand, an error was already reported.
        let handle = node
            .and_then(|node| node.handle.as_ref())
            .filter(|handle| namesake(model, opcode, handle).is_none());
        let traps = node.and_then(|node| node.semantics.clone()).is_some_and(can_trap);
        Effects { handle, trap: model.trap.as_ref().filter(|_| traps) }
    }

    pub(crate) fn is_pure(&self) -> bool {
        self.handle.is_none() && self.trap.is_none()
    }
}
