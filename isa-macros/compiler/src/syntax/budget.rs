//! The limit on the number of tokens that the loops of a call produce.
//!
//! Each token is counted before it is created. So a call that produces too many tokens is rejected
//! before it uses too much memory, and no further loop of the call is expanded.

use std::cell::Cell;
use std::rc::Rc;

use proc_macro2::{Span, TokenTree};
use syn::{Error, Result};

/// The maximum number of tokens that the loops of a call produce. Long names and texts count as
/// several tokens.
pub(super) const MOST_TOKENS: usize = 1 << 20;

/// In a name or text, each multiple of this number of bytes counts as one more token.
const LONG: usize = 64;

/// The number of tokens that the loops of a call may still produce, shared by all of its loops.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    left: Rc<Cell<usize>>,
    is_spent: Rc<Cell<bool>>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: Rc::new(Cell::new(MOST_TOKENS)), is_spent: Rc::default() }
    }
}

impl Budget {
    /// Returns whether the call has reached a limit, which is reported once.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Adds `tokens` to the number of counted tokens.
    ///
    /// # Errors
    ///
    /// Fails if the loops of the call produce too many tokens.
    pub(super) fn count(&self, tokens: usize, span: Span) -> Result<()> {
        match self.left.get().checked_sub(tokens) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(self.stop(span, "tokens", MOST_TOKENS)),
        }
    }

    /// Counts a text of `bytes` bytes. The token that contains the text is not included.
    ///
    /// # Errors
    ///
    /// Fails as [`Budget::count`] does.
    pub(super) fn count_text(&self, bytes: usize, span: Span) -> Result<()> {
        self.count(bytes / LONG, span)
    }

    /// Stops the expansion of all loops, and returns the error.
    pub(super) fn stop(&self, span: Span, what: &str, most: usize) -> Error {
        self.is_spent.set(true);
        let message = format!(
            "the loops of this call have more than {most} {what}\nhelp: write several sets, and \
             `include` them in one"
        );
        Error::new(span, message)
    }
}

/// Returns the number of tokens, including those inside brackets.
pub(super) fn weight(trees: &[TokenTree]) -> usize {
    let own = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => weight(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => tree.to_string().len() / LONG,
        TokenTree::Punct(_) => 0,
    };
    trees.iter().map(|tree| 1 + own(tree)).sum()
}
