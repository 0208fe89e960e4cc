//! Emits the parts of semantic functions with effects: the handle of the machine, and traps.
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
    /// Returns the parameter for the machine. The name and the traits are the author's tokens, so that
    /// the semantic function can use the variable even if it comes from another macro.
    pub(super) fn param(&self) -> Option<TokenStream> {
        let Handle { name, bounds } = self.handle?;
        Some(quote!(#name: &mut (impl #(#bounds +)* ?::core::marker::Sized),))
    }

    /// Returns the argument for the machine. rustc reports a missing trait at the traits.
    pub(super) fn argument(&self) -> Option<TokenStream> {
        let place = last_name(self.handle?.bounds.first()?)?.span();
        let mut machine = machine();
        machine.set_span(machine.span().located_at(place));
        Some(quote!(#machine,))
    }

    /// Returns the return type of the semantic function.
    pub(super) fn output(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(trap) => quote!(::core::result::Result<#outputs, #trap>),
            None => outputs,
        }
    }

    /// Returns the result of a semantic function that does not trap.
    pub(super) fn result(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(_) => quote!(::core::result::Result::Ok(#outputs)),
            None => outputs,
        }
    }

    /// Returns the last statement of the generated function. It is unreachable if the semantic function
    /// always traps.
    pub(super) fn last(&self, result: TokenStream, is_unit: bool) -> Option<TokenStream> {
        match self.trap {
            Some(_) => Some(quote! {
                #[allow(unreachable_code, clippy::needless_return, reason = "depends on the semantic function")]
                return #result;
            }),
            None => (!is_unit).then_some(result),
        }
    }

    /// Returns the `?` after the call of a semantic function that can trap.
    pub(super) fn propagate(&self) -> Option<TokenStream> {
        self.trap.map(|_| quote!(?))
    }
}

/// Returns the return type of `execute`.
pub(super) fn outcome(model: &Model) -> Option<TokenStream> {
    let trap = model.trap.as_ref()?;
    Some(quote!(-> ::core::result::Result<(), #trap>))
}

/// Returns the result of `execute` without a trap.
pub(super) fn success(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| quote!(::core::result::Result::Ok(())))
}

/// Returns a call at the end of a function, as an expression if `execute` returns a result.
pub(super) fn give(model: &Model, call: &TokenStream) -> TokenStream {
    if model.trap.is_some() { call.clone() } else { quote!(#call;) }
}

/// Returns the documentation of the errors that `execute` returns.
pub(super) fn errors_doc(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| {
        quote! {
            ///
            /// # Errors
            ///
            /// Returns the trap of the instruction. In that case no operand is stored.
        }
    })
}

/// Returns the last path segment of each trait, for documentation.
pub(super) fn trait_names(handle: &Handle) -> Vec<String> {
    let name = |path: &TokenStream| last_name(path).map(|name| name.to_string());
    handle.bounds.iter().filter_map(name).collect()
}

/// Returns the last segment of a path, without generic arguments.
fn last_name(path: &TokenStream) -> Option<Ident> {
    let trees = path.clone().into_iter();
    let trees = trees.take_while(|tree| !matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'));
    let names = trees.filter_map(|tree| match tree {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    names.last()
}
