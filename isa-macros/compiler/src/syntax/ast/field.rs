//! Fields and their values, as they are written.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::Parser;

use super::{Docs, Number};

/// `field<12, 3> Pred pg = PT;`
#[derive(Debug, Clone)]
pub(crate) struct FieldDecl {
    pub(crate) docs: Docs,
    /// Position and width of each piece, the most significant first; none where they could not
    /// be read.
    pub(crate) pieces: Vec<(Number, Number)>,
    /// `field<>`: the field has no bits.
    pub(crate) bitless: bool,
    pub(crate) ty: Ident,
    pub(crate) name: FieldName,
    pub(crate) init: InitDecl,
    /// `!= value`: values that the field never has.
    pub(crate) forbidden: Vec<ValueRef>,
    /// `name == value`: place and type are those of the inherited field.
    pub(crate) inherits: bool,
    /// `= value, ignored`: no text shows what the field is.
    pub(crate) ignored: bool,
}

/// `pg` or `pg.not`.
#[derive(Debug, Clone)]
pub(crate) struct FieldName {
    pub(crate) base: Ident,
    pub(crate) sub: Option<Ident>,
}

impl FieldName {
    /// The name with its dot.
    pub(crate) fn dotted(&self) -> String {
        match &self.sub {
            Some(sub) => format!("{}.{sub}", self.base),
            None => self.base.to_string(),
        }
    }

    /// The last part.
    pub(crate) fn last(&self) -> &Ident {
        self.sub.as_ref().unwrap_or(&self.base)
    }

    /// The place of the last part.
    pub(crate) fn span(&self) -> Span {
        self.last().span()
    }
}

/// How a field is initialised.
#[derive(Debug, Clone)]
pub(crate) enum InitDecl {
    /// `== value`
    Fixed(ValueRef),
    /// `= value`
    Default(ValueRef),
    /// Neither.
    Required,
}

/// A value: a name or a number.
#[derive(Debug, Clone)]
pub(crate) enum ValueRef {
    Name(String, Span),
    Number(Number),
}

impl ValueRef {
    /// The place of the token.
    pub(crate) fn span(&self) -> Span {
        match self {
            ValueRef::Name(_, span) => *span,
            ValueRef::Number(number) => number.span,
        }
    }

    /// The name as that of a field.
    pub(crate) fn as_field(&self) -> Option<FieldName> {
        let ValueRef::Name(name, span) = self else { return None };
        // A field may be called as a keyword of Rust is.
        let base =
            Ident::parse_any.parse_str(name).map(|base| Ident::new(&base.to_string(), *span));
        Some(FieldName { base: base.ok()?, sub: None })
    }

    /// The name, or the number.
    pub(crate) fn text(&self) -> String {
        match self {
            ValueRef::Name(name, _) => name.clone(),
            ValueRef::Number(number) => number.value.to_string(),
        }
    }
}
