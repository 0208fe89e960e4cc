//! Bodies that do more than compute: through a handle of the machine, and by trapping.

use proc_macro2::TokenStream;

use super::body::can_trap;
use crate::check::namesake;
use crate::model::{Model, Opcode};
use crate::syntax::ast::Handle;

/// What a body does besides computing.
#[derive(Debug)]
pub(crate) struct Effects<'m> {
    pub(crate) handle: Option<&'m Handle>,
    /// What it may trap with.
    pub(crate) trap: Option<&'m TokenStream>,
}

impl<'m> Effects<'m> {
    /// Those of the semantics that an opcode has.
    pub(crate) fn of(model: &'m Model, node: usize, opcode: &Opcode) -> Self {
        let node = &model.nodes[node];
        // One with the name of an operand is a fault that is reported.
        let handle = node.handle.as_ref().filter(|h| namesake(model, opcode, h).is_none());
        let traps = node.semantics.as_ref().is_some_and(|body| can_trap(body.clone()));
        Effects { handle, trap: model.trap.as_ref().filter(|_| traps) }
    }

    pub(crate) fn is_pure(&self) -> bool {
        self.handle.is_none() && self.trap.is_none()
    }
}
