//! The size that the loops of a call may grow to.
//!
//! Each token is counted before it is made, so that a call that grows without a bound is refused
//! within the limit. After that no loop of the call is expanded.

use std::cell::Cell;
use std::rc::Rc;

use proc_macro2::{Span, TokenTree};
use syn::{Error, Result};

/// The most tokens that the loops of a call produce. Long names and texts count as several tokens.
pub(super) const MOST_TOKENS: usize = 1 << 20;

/// The length of a name or a text, in bytes, that counts as one more token.
const LONG: usize = 64;

/// The tokens that the loops of a call may still produce, shared by all of its loops.
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
    /// Whether the call has reached a limit, which is reported once.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Counts so many tokens.
    ///
    /// # Errors
    ///
    /// The loops of the call have more tokens than they may have.
    pub(super) fn count(&self, tokens: usize, span: Span) -> Result<()> {
        match self.left.get().checked_sub(tokens) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(self.stop(span, "tokens", MOST_TOKENS)),
        }
    }

    /// Counts a text of so many bytes less the token that it is part of.
    ///
    /// # Errors
    ///
    /// As [`Budget::count`].
    pub(super) fn count_text(&self, bytes: usize, span: Span) -> Result<()> {
        self.count(bytes / LONG, span)
    }

    /// Stops the expansion of all loops. Returns the message.
    pub(super) fn stop(&self, span: Span, what: &str, most: usize) -> Error {
        self.is_spent.set(true);
        let message = format!(
            "the loops of this call have more than {most} {what}\nhelp: write several sets, and \
             `include` them in one"
        );
        Error::new(span, message)
    }
}

/// The number of tokens with those inside of brackets.
pub(super) fn weight(trees: &[TokenTree]) -> usize {
    let own = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => weight(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => tree.to_string().len() / LONG,
        TokenTree::Punct(_) => 0,
    };
    trees.iter().map(|tree| 1 + own(tree)).sum()
}
