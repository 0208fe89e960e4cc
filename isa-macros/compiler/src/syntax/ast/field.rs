//! The declarations of fields and their values, as written.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::Parser;

use super::{Docs, Number};

/// `field<12, 3> Pred pg = PT;`
#[derive(Debug, Clone)]
pub(crate) struct FieldDecl {
    pub(crate) docs: Docs,
    /// The position and width of each piece, the most significant first. The list is empty if the
    /// pieces could not be parsed.
    pub(crate) pieces: Vec<(Number, Number)>,
    /// `field<>`: the field has no bits.
    pub(crate) bitless: bool,
    pub(crate) ty: Ident,
    pub(crate) name: FieldName,
    pub(crate) init: InitDecl,
    /// `!= value`: the values that the field must not have.
    pub(crate) forbidden: Vec<ValueRef>,
    /// `name == value`: the position and type are those of the inherited field.
    pub(crate) inherits: bool,
    /// `= value, ignored`: no text shows the value of the field.
    pub(crate) ignored: bool,
}

/// The name of a field, `pg`, or of a sub-field, `pg.not`.
#[derive(Debug, Clone)]
pub(crate) struct FieldName {
    pub(crate) base: Ident,
    pub(crate) sub: Option<Ident>,
}

impl FieldName {
    /// Returns the whole name as text, for example `pg.not`.
    pub(crate) fn dotted(&self) -> String {
        match &self.sub {
            Some(sub) => format!("{}.{sub}", self.base),
            None => self.base.to_string(),
        }
    }

    /// Returns the last part of the name.
    pub(crate) fn last(&self) -> &Ident {
        self.sub.as_ref().unwrap_or(&self.base)
    }

    /// Returns the position of the last part of the name.
    pub(crate) fn span(&self) -> Span {
        self.last().span()
    }
}

/// The fixed value or default of a field.
#[derive(Debug, Clone)]
pub(crate) enum InitDecl {
    /// `== value`
    Fixed(ValueRef),
    /// `= value`
    Default(ValueRef),
    /// Neither a fixed value nor a default.
    Required,
}

/// A value: a name or a number.
#[derive(Debug, Clone)]
pub(crate) enum ValueRef {
    Name(String, Span),
    Number(Number),
}

impl ValueRef {
    /// Returns the position of the token.
    pub(crate) fn span(&self) -> Span {
        match self {
            ValueRef::Name(_, span) => *span,
            ValueRef::Number(number) => number.span,
        }
    }

    /// Returns the name as the name of a field.
    pub(crate) fn as_field(&self) -> Option<FieldName> {
        let ValueRef::Name(name, span) = self else { return None };
        // The name of a field may be a keyword of Rust.
        let base =
            Ident::parse_any.parse_str(name).map(|base| Ident::new(&base.to_string(), *span));
        Some(FieldName { base: base.ok()?, sub: None })
    }

    /// Returns the name or the number as text.
    pub(crate) fn text(&self) -> String {
        match self {
            ValueRef::Name(name, _) => name.clone(),
            ValueRef::Number(number) => number.value.to_string(),
        }
    }
}
