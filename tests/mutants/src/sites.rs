//! Finds the positions in a file at which mutants can be inserted.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Positions for mutants, by the byte offset that cargo-mutants reports.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// The range of the expression, by the offset of its operator.
    pub(crate) operations: HashMap<usize, Range<usize>>,
    /// The end of the pattern and the guard of a match arm, by the offset of the arm.
    pub(crate) arms: HashMap<usize, (usize, Option<Guard>)>,
    /// The range of the whole `match`, by the offset of an arm.
    pub(crate) matches: HashMap<usize, Range<usize>>,
    /// The guard of a match arm, by the offset of the guard.
    pub(crate) guards: HashMap<usize, Guard>,
    /// Fields of struct expressions with a base (`..base`), by the offset of the field.
    pub(crate) fields: HashMap<usize, Taken>,
    /// The bodies of functions.
    pub(crate) bodies: Vec<Range<usize>>,
}

/// A field in an expression such as `S { field: value, ..base }`. A mutant can remove it, because `base`
/// also has a value for it.
#[derive(Debug, Clone)]
pub(crate) struct Taken {
    pub(crate) name: String,
    /// The value, or the name if the field uses shorthand syntax.
    pub(crate) value: Range<usize>,
    /// Whether the field uses shorthand syntax.
    pub(crate) short: bool,
    /// The expression after `..`.
    pub(crate) base: Range<usize>,
}

/// The guard of a match arm.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) range: Range<usize>,
    /// Whether it contains a `let`. Such a guard cannot be part of a larger expression.
    pub(crate) binds: bool,
}

impl Sites {
    pub(crate) fn of(source: &str) -> syn::Result<Self> {
        let mut sites = Sites::default();
        sites.visit_file(&syn::parse_file(source)?);
        Ok(sites)
    }

    /// Returns the innermost function body that contains these bytes.
    pub(crate) fn body(&self, bytes: &Range<usize>) -> Option<&Range<usize>> {
        let has = |body: &&Range<usize>| body.start <= bytes.start && bytes.end <= body.end;
        self.bodies.iter().filter(has).min_by_key(|body| body.len())
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Returns whether an expression is a chain of conditions that contains a `let`.
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
