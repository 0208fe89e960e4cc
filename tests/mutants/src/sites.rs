//! The places in a file where mutants can go.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Places, by the byte where that stands which cargo-mutants names.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// Operator: the expression.
    pub(crate) operations: HashMap<usize, Range<usize>>,
    /// Arm: the end of its pattern, and its guard.
    pub(crate) arms: HashMap<usize, (usize, Option<Guard>)>,
    /// Arm: the whole `match`.
    pub(crate) matches: HashMap<usize, Range<usize>>,
    /// Guard: the same.
    pub(crate) guards: HashMap<usize, Guard>,
    /// Field of a struct that takes others from a base.
    pub(crate) fields: HashMap<usize, Taken>,
    /// The blocks of functions.
    pub(crate) bodies: Vec<Range<usize>>,
}

/// The field of a struct expression that could be taken from the base.
#[derive(Debug, Clone)]
pub(crate) struct Taken {
    pub(crate) name: String,
    /// Its value; its name, where that is all that stands there.
    pub(crate) value: Range<usize>,
    /// Whether that is all.
    pub(crate) short: bool,
    /// The expression behind `..`.
    pub(crate) base: Range<usize>,
}

/// The condition of an arm.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) range: Range<usize>,
    /// Whether it binds names, so that it cannot be part of a larger expression.
    pub(crate) binds: bool,
}

impl Sites {
    pub(crate) fn of(source: &str) -> syn::Result<Self> {
        let mut sites = Sites::default();
        sites.visit_file(&syn::parse_file(source)?);
        Ok(sites)
    }

    /// The innermost function that has these bytes.
    pub(crate) fn body(&self, bytes: &Range<usize>) -> Option<&Range<usize>> {
        let has = |body: &&Range<usize>| body.start <= bytes.start && bytes.end <= body.end;
        self.bodies.iter().filter(has).min_by_key(|body| body.len())
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Whether an expression is a chain of conditions with a `let` among them.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(chain) => binds(&chain.left) || binds(&chain.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Sites {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        if !binds(&node.left) && !binds(&node.right) {
            self.operations.insert(range(&node.op).start, range(node));
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        self.operations.insert(range(&node.op).start, range(node));
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        let starts = node.arms.iter().map(|arm| range(arm).start);
        self.matches.extend(starts.map(|start| (start, range(node))));
        visit::visit_expr_match(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        let (end, guard) = match &node.pat {
            syn::Pat::Guard(pattern) => {
                let guard = Guard { range: range(&pattern.guard), binds: binds(&pattern.guard) };
                (range(&pattern.pat).end, Some(guard))
            }
            pattern => (range(pattern).end, None),
        };
        if let Some(guard) = &guard {
            self.guards.insert(guard.range.start, guard.clone());
        }
        self.arms.insert(range(node).start, (end, guard));
        visit::visit_arm(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        for field in &node.fields {
            if let (Some(base), syn::Member::Named(name)) = (&node.rest, &field.member) {
                let (value, short) = (range(&field.expr), field.colon_token.is_none());
                let taken = Taken { name: name.to_string(), value, short, base: range(base) };
                self.fields.insert(range(field).start, taken);
            }
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.bodies.push(range(&node.block));
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.bodies.push(range(&node.block));
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        self.bodies.extend(node.default.iter().map(range));
        visit::visit_trait_item_fn(self, node);
    }
}
