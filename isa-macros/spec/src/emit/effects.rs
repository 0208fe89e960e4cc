//! Bodies that do more than compute: through a handle of the machine, and by trapping.
//!
//! ```text
//! semantics(hart: Memory) { Rd = hart.load(Ra.value)?; }
//!   => fn __isa_LD_body(hart: &mut (impl Memory + ?Sized), Ra: ..) -> Result<(u16,), Trap>
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::variable::machine;
use crate::check::namesake;
use crate::model::{Model, Opcode};
use crate::syntax::ast::Handle;

/// What a body does besides computing.
pub(super) struct Effects<'m> {
    pub(super) handle: Option<&'m Handle>,
    /// What it may trap with.
    pub(super) trap: Option<&'m TokenStream>,
}

impl<'m> Effects<'m> {
    /// Those of the semantics that an opcode has.
    pub(super) fn of(model: &'m Model, node: usize, opcode: &Opcode) -> Self {
        let node = &model.nodes[node];
        // One with the name of an operand is a fault that is reported.
        let handle = node.handle.as_ref().filter(|h| namesake(model, opcode, h).is_none());
        let traps = node.semantics.as_ref().is_some_and(|body| can_trap(body.clone()));
        Effects { handle, trap: model.trap.as_ref().filter(|_| traps) }
    }

    pub(super) fn is_pure(&self) -> bool {
        self.handle.is_none() && self.trap.is_none()
    }

    /// The parameter of the body that is the machine. Name and traits are the author's tokens, so
    /// that the body sees the variable, wherever it comes from.
    pub(super) fn param(&self) -> Option<TokenStream> {
        let Handle { name, bounds } = self.handle?;
        Some(quote!(#name: &mut (impl #(#bounds +)* ?::core::marker::Sized),))
    }

    /// The machine as it is passed. That it lacks a trait is shown at the traits.
    pub(super) fn argument(&self) -> Option<TokenStream> {
        let place = last_name(self.handle?.bounds.first()?)?.span();
        let mut machine = machine();
        machine.set_span(machine.span().located_at(place));
        Some(quote!(#machine,))
    }

    /// The type of what the body gives.
    pub(super) fn output(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(trap) => quote!(::core::result::Result<#outputs, #trap>),
            None => outputs,
        }
    }

    /// What the body gives where it does not trap.
    pub(super) fn result(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(_) => quote!(::core::result::Result::Ok(#outputs)),
            None => outputs,
        }
    }

    /// The end of the function around the body. A body that always traps does not come there.
    pub(super) fn last(&self, result: TokenStream, is_unit: bool) -> Option<TokenStream> {
        match self.trap {
            Some(_) => Some(quote! {
                #[allow(unreachable_code, clippy::needless_return, reason = "as the body is")]
                return #result;
            }),
            None => (!is_unit).then_some(result),
        }
    }

    /// What stands behind the call of the body.
    pub(super) fn propagate(&self) -> Option<TokenStream> {
        self.trap.map(|_| quote!(?))
    }
}

/// The result of `execute`.
pub(super) fn outcome(model: &Model) -> Option<TokenStream> {
    let trap = model.trap.as_ref()?;
    Some(quote!(-> ::core::result::Result<(), #trap>))
}

/// What `execute` gives where nothing traps.
pub(super) fn success(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| quote!(::core::result::Result::Ok(())))
}

/// A call that gives what `execute` gives, at the end of a function.
pub(super) fn give(model: &Model, call: &TokenStream) -> TokenStream {
    if model.trap.is_some() { call.clone() } else { quote!(#call;) }
}

/// What the docs of `execute` say of traps.
pub(super) fn errors_doc(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| {
        quote! {
            ///
            /// # Errors
            ///
            /// What the instruction traps with; no operand is stored then.
        }
    })
}

/// Whether a body has a `?`, or a `return` with a value.
pub(super) fn can_trap(body: TokenStream) -> bool {
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

/// The last name of each trait, for documentation.
pub(super) fn trait_names(handle: &Handle) -> Vec<String> {
    let name = |path: &TokenStream| last_name(path).map(|name| name.to_string());
    handle.bounds.iter().filter_map(name).collect()
}

/// The name at the end of a path, in front of generic arguments.
fn last_name(path: &TokenStream) -> Option<Ident> {
    let trees = path.clone().into_iter();
    let trees = trees.take_while(|tree| !matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'));
    let names = trees.filter_map(|tree| match tree {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    names.last()
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
