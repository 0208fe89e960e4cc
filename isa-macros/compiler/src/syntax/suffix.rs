//! Fixed suffixes: `."S32"` in a template. A suffix is short for a value set with one value and a
//! field without bits that always has this value.

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use crate::diag::{Code, Diagnostics};

use super::ast::{
    Docs, FieldDecl, FieldName, InitDecl, NodeDecl, NumberLiteral, SetDecl, TemplatePiece,
    ValueDecl, ValueRef,
};

/// Replaces the fixed suffixes of a node's template by modifiers, adds their fields to the node, and
/// returns their value sets.
pub(crate) fn declare_suffixes(node: &mut NodeDecl, diag: &mut Diagnostics) -> Vec<SetDecl> {
    let Some(template) = &mut node.template else { return Vec::new() };
    let suffixes = std::mem::take(&mut template.suffixes);
    if let (true, Some((_, suffix))) = (node.level.is_alias(), suffixes.first()) {
        let (subject, text) = (node.describe(), &suffix.text);
        let message = format!(
            "{subject} cannot have the fixed suffix `.{text}`, because an alias has no fields of its \
             own\nhelp: write the suffix as a part of the mnemonic: `\"NAME.{text}\"`"
        );
        diag.error(Code::InvalidAlias, suffix.ident.span(), message);
        (node.template, node.incomplete) = (None, true);
        return Vec::new();
    }
    let mut sets: Vec<SetDecl> = Vec::new();
    for (at, value) in suffixes {
        let plain = format_ident!("{}_{}", node.name, value.ident, span = value.ident.span());
        let repeated = sets.iter().filter(|set| set.values[0].name.text == value.text).count();
        let name = match repeated {
            0 => plain,
            _ => format_ident!("{plain}_{}", repeated + 1, span = plain.span()),
        };
        let (zero, span) = (NumberLiteral { value: 0, span: name.span() }, name.span());
        let field = Ident::new(&name.to_string().to_lowercase(), span);
        node.fields.push(FieldDecl {
            docs: Docs::default(),
            pieces: Vec::new(),
            bitless: true,
            ty: name.clone(),
            name: FieldName { base: field.clone(), sub: None },
            init: InitDecl::Fixed(ValueRef::Name(value.ident.to_string(), span)),
            forbidden: Vec::new(),
            inherits: false,
            ignored: false,
            requires: None,
        });
        let (also, docs) = (Vec::new(), Docs::default());
        sets.push(SetDecl {
            docs: Docs::default(),
            vis: TokenStream::new(),
            name,
            width: Some(NumberLiteral { value: 1, span }),
            values: vec![ValueDecl { docs, name: value, also, raw: Some(zero), requires: None }],
            incomplete: false,
            origin: node.origin.clone(),
        });
        template.pieces[at] = TemplatePiece::Dot(field);
    }
    sets
}
