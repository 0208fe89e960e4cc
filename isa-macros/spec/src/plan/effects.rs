//! Bodies that do more than compute: through a handle of the machine, and by trapping.

use proc_macro2::{TokenStream, TokenTree};

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

/// Whether a body has a `?`, or a `return` with a value.
fn can_trap(body: TokenStream) -> bool {
    let mut trees = body.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let found = match tree {
            TokenTree::Punct(mark) => mark.as_char() == '?',
            TokenTree::Ident(word) if word == "return" => trees.peek().is_some_and(|next| {
                !matches!(next, TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ','))
            }),
            TokenTree::Group(group) => can_trap(group.stream()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::can_trap;

    #[test]
    fn a_question_mark_or_a_return_with_a_value_can_trap() {
        assert!(can_trap(quote!(Rd = hart.load(Ra.value)?;)));
        assert!(can_trap(quote!(if x { return Err(Trap::Zero); } Rd = 1;)));
        assert!(can_trap(quote!(match x {
            0 => return Err(Trap::Zero),
            _ => {}
        })));
        assert!(!can_trap(quote!(if x { return; } match y { 0 => return, _ => { return } })));
        assert!(!can_trap(quote!(Rd = Ra.value;)));
    }
}
