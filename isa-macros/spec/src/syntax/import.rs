//! Taking declarations and opcodes from other calls.
//!
//! A call cannot see what another call said, so each call also defines a macro of its own name
//! that hands its declarations on. A call that says `use crate::base::Base;` expands to a call
//! of that macro, which calls `define_isa!` again with the declarations in front:
//!
//! ```text
//! define_isa! { pub isa Halu: u128; use crate::base::Base; group ... }
//!   => crate::base::Base! { use use [crate::base] pub isa Halu: u128; group ... }
//!   => define_isa! { __imported use [crate::base] { group ALL ... } pub isa Halu: u128; ... }
//! ```
//!
//! The macro has a rule for `use`, which gives the declarations, and one for `include`, which gives
//! the opcodes. The word stands there twice: one is matched, the other keeps its place.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::split;

/// An import that is still to be made.
pub(crate) struct Import {
    /// `use` or `include`.
    pub(crate) mode: Ident,
    /// The macro to call, which has the path of the other set.
    pub(crate) path: TokenStream,
    /// The rest of the input.
    pub(crate) rest: TokenStream,
}

impl Import {
    /// The call that brings the declarations in.
    pub(crate) fn expand(self) -> TokenStream {
        let Import { mode, path, rest } = self;
        let module = module_of(&path);
        quote! { #path ! { #mode #mode [#module] #rest } }
    }
}

/// The last `use PATH;` or `include PATH;` among the items. Each import comes in front of what is
/// there, so that going backwards keeps the author's order.
pub(crate) fn find_import(input: &TokenStream) -> Option<Import> {
    let items = split::items(input.clone());
    let (index, mode, path) = items
        .iter()
        .enumerate()
        .rev()
        .find_map(|(i, item)| as_import(item).map(|(m, p)| (i, m, p)))?;
    let rest =
        items.into_iter().enumerate().filter(|&(i, _)| i != index).flat_map(|(_, item)| item);
    let rest = rest.collect();
    Some(Import { mode, path, rest })
}

fn as_import(item: &[TokenTree]) -> Option<(Ident, TokenStream)> {
    let mut trees = item.iter().cloned();
    let Some(TokenTree::Ident(mode)) = trees.next() else {
        return None;
    };
    if mode != "use" && mode != "include" {
        return None;
    }
    let path: TokenStream = trees.take_while(|tree| !split::is_semicolon(tree)).collect();
    let is_path = !path.is_empty()
        && path.clone().into_iter().all(|tree| match tree {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '$'),
            _ => false,
        });
    is_path.then_some((mode, path))
}

/// The path of the module that a set stands in: its own path less the last segment.
fn module_of(path: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = path.clone().into_iter().collect();
    let end = trees.iter().rposition(|tree| matches!(tree, TokenTree::Punct(_)));
    match end {
        Some(end) => trees[..end.saturating_sub(1)].iter().cloned().collect(),
        None => quote!(self),
    }
}
