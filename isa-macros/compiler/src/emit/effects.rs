//! Bodies that do more than compute: through a handle of the machine, and by trapping.
//!
//! ```text
//! semantics(hart: Memory) { Rd = hart.load(Ra.value)?; }
//!   => fn __isa_LD_body(hart: &mut (impl Memory + ?Sized), Ra: ..) -> Result<(u16,), Trap>
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::variable::machine;
use crate::model::Model;
use crate::plan::Effects;
use crate::syntax::ast::Handle;

impl Effects<'_> {
    /// The parameter of the body that is the machine. Name and traits are the author's tokens, so
    /// that the body sees the variable, wherever it comes from.
    pub(super) fn param(&self) -> Option<TokenStream> {
        let Handle { name, bounds } = self.handle?;
        Some(quote!(#name: &mut (impl #(#bounds +)* ?::core::marker::Sized),))
    }

    /// The argument of the body that is the machine. That it lacks a trait is shown at the traits.
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
