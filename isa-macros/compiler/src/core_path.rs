//! The path of `isa_core` in generated code.
//!
//! The macro `isa_core::define_isa!` passes `$crate`, which is this path at the position of the call. It
//! works if the caller renames `isa_core`. The rest of an expansion depends only on the specification.

use std::cell::RefCell;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

thread_local! {
    /// The tokens of the path, while a call that specifies the path is expanded.
    static PATH: RefCell<Option<Vec<TokenTree>>> = const { RefCell::new(None) };
}

/// The path of `isa_core` at the call, for use as `quote!(#CORE::table::Field)`. The calling crate
/// may use another name for `isa_core`, or not depend on it directly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Core(Option<Span>);

/// See [`Core`].
pub(crate) const CORE: Core = Core(None);

impl Core {
    /// Returns the path for tokens that diagnostics show at the position `place` of the
    /// specification.
    pub(crate) fn at(place: Span) -> Self {
        Core(Some(place))
    }

    /// Calls `work`. Code that `work` generates uses `path`, or `::isa_core` if `path` is `None`.
    pub(crate) fn named<T>(path: Option<TokenStream>, work: impl FnOnce() -> T) -> T {
        let trees = |path: TokenStream| path.into_iter().map(|tree| placed(tree, None)).collect();
        let before = PATH.replace(path.map(trees));
        let result = work();
        PATH.set(before);
        result
    }
}

impl ToTokens for Core {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        PATH.with_borrow(|path| match (path, self.0) {
            (None, place) => {
                let place = place.unwrap_or_else(Span::call_site);
                tokens.extend(quote_spanned!(place=> ::isa_core));
            }
            (Some(path), None) => tokens.extend(path.iter().cloned()),
            (Some(path), place) => {
                tokens.extend(path.iter().map(|tree| placed(tree.clone(), place)));
            }
        });
    }
}

/// Returns a token with unchanged name resolution. Diagnostics show it at `place`, or at the call
/// if there is no position.
fn placed(mut tree: TokenTree, place: Option<Span>) -> TokenTree {
    tree.set_span(tree.span().located_at(place.unwrap_or_else(Span::call_site)));
    tree
}
