//! Emits names in the specification as uses of the generated items, for editors only.
//!
//! To resolve a token of the specification, an editor looks for tokens of the expansion with the same
//! span. Most of a specification becomes numbers in tables. So the editor could not resolve `limit` in
//! an exception, or `SAT` in a template, and a rename would miss it. Each such token is therefore
//! emitted again as a name, after the type that defines it:
//!
//! ```text
//! #[cfg(rust_analyzer)]
//! #CORE::__private::uses! {
//!     HaluInstruction<Hadd2RrOpcode>: ftz get_ftz ftz get_ftz;
//!     FPFtz: NoFTZ FTZ FTZ;
//! }
//! ```
//!
//! rustc drops the call of `uses!` without an expansion, so the call costs only a few tokens.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::accessor_traits::accessor_trait_name;
use super::names::{GeneratedNames, getter, setter};
use super::operand_types::other_names;
use crate::core_path::CORE;
use crate::model::names::{at_origin, kind_type};
use crate::model::{FieldType, Model, PropertyType, ResolvedField};
use crate::plan::{AccessorTrait, Plan};
use crate::syntax::ast::{
    Comparison, Condition, FieldName, FieldSum, InitDecl, LaneMask, Lexeme, ListedValue, NodeDecl,
    OperandLists, Template, TemplatePiece, ValueRef,
};

/// Emits the paths of all tokens of the call that name a field, a value or a type.
pub(crate) fn emit_uses(
    Plan { model, accessor_traits, .. }: &Plan<'_>,
    names: &GeneratedNames,
) -> TokenStream {
    let mut uses = EditorUses {
        model,
        names,
        accessors: BTreeMap::new(),
        rows: Vec::new(),
        kinds: vec![None; model.field_types.len()],
    };
    let mut instructions = BTreeMap::new();
    for accessor in accessor_traits {
        let row = *instructions.entry(accessor.opcodes[0]).or_insert_with_key(|&opcode| {
            let opcode = names.opcode_type(&model.opcodes[opcode]);
            let instruction = &names.instruction;
            uses.row(quote!(#instruction<#opcode>))
        });
        for &id in &accessor.fields {
            uses.accessors.insert(&model.fields[id].text, (id, row));
        }
    }
    for (index, node) in model.nodes.iter().enumerate() {
        if node.origin.is_this_call() {
            uses.node(index, node);
        }
    }
    uses.traits(accessor_traits);
    let rows = uses.rows.into_iter().filter(|(_, names)| !names.is_empty());
    let rows = rows.map(|(ty, names)| quote!(#ty: #(#names)*;));
    quote! {
        #[allow(unexpected_cfgs, reason = "only editors set it")]
        const _: () = {
            #[cfg(rust_analyzer)]
            #CORE::__private::uses! { #(#rows)* }
        };
    }
}

struct EditorUses<'m> {
    model: &'m Model,
    names: &'m GeneratedNames,
    /// For each name of accessors, two indexes: the field in [`Model::fields`] whose span the accessors
    /// have, and the row of an instruction type with these accessors.
    accessors: BTreeMap<&'m str, (usize, usize)>,
    /// The rows: types, each with the names of its items that the specification uses.
    rows: Vec<(TokenStream, Vec<Ident>)>,
    /// The row of each value set, if one of its values was found.
    kinds: Vec<Option<usize>>,
}

impl<'m> EditorUses<'m> {
    fn node(&mut self, index: usize, node: &NodeDecl) {
        for name in node.inside.iter().chain(&node.of) {
            self.opcode(name);
        }
        // The fields of a node are adjacent in the list.
        let first = self.model.fields.partition_point(|field| field.node < index);
        for (id, decl) in (first..).zip(&node.fields) {
            self.named(&decl.name, Some(id));
            let place = self.model.fields[id].ty;
            let kind = &self.model.field_types[place];
            if kind.name == decl.ty && kind.is_set() {
                self.kind(kind, &decl.ty);
            }
            if let InitDecl::Fixed(value) | InitDecl::Default(value) = &decl.init {
                self.value(place, value);
            }
        }
        let wheres = node.wheres.iter().map(|decl| &decl.condition);
        let exceptions = node.exceptions.iter().map(|decl| &decl.condition);
        let rows = || node.flow.iter().flatten();
        let of_rows = rows().filter_map(|row| row.condition.as_ref());
        for condition in wheres.chain(exceptions).chain(of_rows) {
            self.condition(index, condition);
        }
        rows().filter_map(|row| row.target.as_ref()).for_each(|target| self.field(target));
        for line in &node.properties {
            let mut known = self.model.properties.iter();
            let property = known.find(|property| property.decl.name == line.name);
            if let Some(PropertyType::Set(set)) = property.map(|property| property.ty) {
                self.value(set, &line.value);
            }
        }
        self.lists(&node.operands);
        if let Some(template) = &node.template {
            self.template(index, template);
        }
        for example in &node.examples {
            self.example(index, &example.lexemes);
        }
        for body in node.semantics.iter().chain(&node.guard) {
            self.body(body.clone());
        }
    }

    /// Adds the name of an opcode in another item. A rename of the opcode's type then also changes the
    /// name here.
    fn opcode(&mut self, name: &Ident) {
        if let Some(opcode) = self.model.opcodes.iter().find(|opcode| opcode.name == *name) {
            let mut ty = opcode.type_name.clone();
            ty.set_span(name.span());
            self.add_type(quote!(#ty), "OPCODE");
        }
    }

    /// Adds the variables of a semantic function that are settings (fields that are not operands). Each
    /// refers to the field with its name. An identifier after a dot or before a colon refers to
    /// something else.
    fn body(&mut self, body: TokenStream) {
        let mut trees = body.into_iter().peekable();
        let mut is_member = false;
        while let Some(tree) = trees.next() {
            let is =
                |tree: &TokenTree, mark| matches!(tree, TokenTree::Punct(p) if p.as_char() == mark);
            let is_label = trees.peek().is_some_and(|next| is(next, ':'));
            let follows_dot = is(&tree, '.') || is(&tree, ':');
            match tree {
                TokenTree::Group(group) => self.body(group.stream()),
                TokenTree::Ident(base) if !is_member && !is_label => {
                    self.field(&FieldName { base, sub: None });
                }
                _ => {}
            }
            is_member = follows_dot;
        }
    }

    fn field(&mut self, name: &FieldName) {
        self.named(name, None);
    }

    /// Adds both accessors for a name of a field. The setter has the name of the field, and the name of
    /// the getter ends with it. `declared` is the field whose declaration contains the name, if there
    /// is one.
    fn named(&mut self, name: &FieldName, declared: Option<usize>) {
        let (base, fields) = (&name.base, &self.model.fields);
        let text = base.to_string();
        let Some(&(id, row)) = self.accessors.get(text.as_str()) else { return };
        let mut uses: Vec<(usize, Ident)> = if declared == Some(id) {
            // A declaration is not a use of its own setter. However, the names of sub-fields begin with
            // the name of the field, so their setters are uses of it.
            let parts = format!("{text}.");
            let parts = self.accessors.iter().filter(|(name, _)| name.starts_with(&parts));
            parts.map(|(_, &(part, row))| (row, setter(&fields[part]))).collect()
        } else {
            vec![(row, setter(&fields[id]))]
        };
        uses.push((row, getter(&fields[id])));
        for (row, mut accessor) in uses {
            accessor.set_span(base.span());
            self.rows[row].1.push(accessor);
        }
    }

    /// Adds a value of the value set with index `kind` in [`Model::field_types`].
    fn value(&mut self, kind: usize, value: &ValueRef) {
        if let ValueRef::Name(name, span) = value {
            self.value_named(kind, name, *span);
        }
    }

    fn value_named(&mut self, kind: usize, name: &str, place: Span) {
        let Some(value) = self.model.field_types[kind].value_named(name) else { return };
        let row =
            self.kinds[kind].unwrap_or_else(|| self.row(kind_type(&self.model.field_types[kind])));
        self.kinds[kind] = Some(row);
        // If the template contains the assembly text of the value and not its name, a rename in Rust
        // must not change the template.
        let also = other_names(value).find(|other| other.ident == *name);
        let called = also.map_or(&value.name, |other| &other.ident);
        let place = if called == name { place } else { place.resolved_at(Span::call_site()) };
        let mut name = super::names::escape(called);
        name.set_span(place);
        self.rows[row].1.push(name);
    }

    /// Adds the type of a field, at the span of the type and not of the field's name.
    fn kind(&mut self, kind: &FieldType, place: &Ident) {
        let mut name = kind.name.clone();
        name.set_span(place.span());
        self.add_type(at_origin(&kind.origin, &name), "KIND");
    }

    /// Adds a row for a type, without names.
    fn row(&mut self, ty: TokenStream) -> usize {
        self.rows.push((ty, Vec::new()));
        self.rows.len() - 1
    }

    /// Adds a row for a type whose tokens have their own span. `has` is the name of any item that the
    /// type defines.
    fn add_type(&mut self, ty: TokenStream, has: &str) {
        self.rows.push((ty, vec![Ident::new(has, Span::call_site())]));
    }

    fn condition(&mut self, node: usize, condition: &Condition) {
        match condition {
            Condition::And(terms) | Condition::Or(terms) => {
                terms.iter().for_each(|term| self.condition(node, term));
            }
            Condition::Not(inner) => self.condition(node, inner),
            Condition::Is { field, values, .. } => {
                self.field(field);
                let text = field.dotted();
                let Some(field) = self.fields_at(node).find(|field| field.text == text) else {
                    return;
                };
                let kind = self.model.type_of(field);
                for value in values {
                    let ListedValue::One(value) = value else { continue };
                    match value.as_field() {
                        Some(name) if kind.value_named(&value.text()).is_none() => {
                            self.field(&name)
                        }
                        _ => self.value(field.ty, value),
                    }
                }
            }
            Condition::Call(call) => call.fields.iter().for_each(|name| self.field(name)),
            Condition::Compare(Comparison { left, right, .. }) => {
                [left, right]
                    .into_iter()
                    .filter_map(FieldSum::field)
                    .for_each(|name| self.field(name));
            }
        }
    }

    fn lists(&mut self, lists: &OperandLists) {
        let OperandLists { inputs, outputs, order, widths, lanes, formats } = lists;
        let named = [inputs, outputs, order].into_iter().flatten().flat_map(|(_, names)| names);
        let sized = widths.iter().map(|(name, _)| name);
        let calls = lanes.iter().filter_map(|lanes| match &lanes.mask {
            LaneMask::Call(call) => Some(call),
            LaneMask::All | LaneMask::Number(_) => None,
        });
        let laned = lanes.iter().map(|l| &l.field).chain(calls.flat_map(|call| &call.fields));
        let written =
            formats.iter().flat_map(|f| std::iter::once(&f.field).chain(&f.shows).chain(&f.args));
        named.chain(sized).chain(laned).chain(written).for_each(|name| self.field(name));
    }

    fn template(&mut self, node: usize, template: &Template) {
        self.pieces(node, &template.pieces);
        for line in &template.values {
            self.modifier(node, &line.field);
            for (value, _) in &line.values {
                let text = line.field.to_string();
                let field = self.fields_at(node).find(|field| field.text == text);
                if let Some(field) = field {
                    self.value_named(field.ty, &value.to_string(), value.span());
                }
            }
        }
    }

    fn pieces(&mut self, node: usize, pieces: &[TemplatePiece]) {
        for piece in pieces {
            match piece {
                TemplatePiece::Dot(name) => self.modifier(node, name),
                TemplatePiece::Tag(name) | TemplatePiece::Word(name) => {
                    self.field(&FieldName { base: name.clone(), sub: None });
                }
                TemplatePiece::Optional(inner, _) => self.pieces(node, inner),
                TemplatePiece::Text(_)
                | TemplatePiece::Comma
                | TemplatePiece::Rest
                | TemplatePiece::Nothing => {}
            }
        }
    }

    /// Adds a modifier: `.limit` is a field, and `.SAT` is the value of a field.
    fn modifier(&mut self, node: usize, name: &Ident) {
        let text = name.to_string();
        if self.accessors.contains_key(text.as_str()) {
            return self.field(&FieldName { base: name.clone(), sub: None });
        }
        let mut fields = self.having(node, &text);
        let first = fields.next();
        let free = first.into_iter().chain(fields).find(|field| !field.is_fixed());
        if let Some(field) = free.or(first) {
            self.value_named(field.ty, &text, name.span());
        }
    }

    /// Adds the modifiers of an example as values, so that a rename of a value also changes the example.
    fn example(&mut self, node: usize, line: &[Lexeme]) {
        for pair in line.windows(2).filter(|pair| pair[0].text == ".") {
            let Lexeme { text, span } = &pair[1];
            let field = self.having(node, text).next();
            if let Some(field) = field {
                self.value_named(field.ty, text, *span);
            }
        }
    }

    /// Returns the fields of `node` and of its descendants. Only fields whose value set has a value
    /// called `name` are included.
    fn having<'t>(
        &self,
        node: usize,
        name: &'t str,
    ) -> impl Iterator<Item = &'m ResolvedField> + use<'t, 'm> {
        let model = self.model;
        // Caches, for each value set, whether it contains the value.
        let mut known = vec![None; model.field_types.len()];
        self.fields_at(node).filter(move |field| {
            let has = || model.type_of(field).value_named(name).is_some();
            *known[field.ty].get_or_insert_with(has)
        })
    }

    /// Returns the fields of a node and of its descendants.
    fn fields_at(&self, node: usize) -> impl Iterator<Item = &'m ResolvedField> + use<'m> {
        let model = self.model;
        let heirs = model.opcodes.iter().filter(move |o| model.lineage[o.node].contains(&node));
        let own = model.fields.iter().filter(move |f| model.lineage[node].contains(&f.node));
        own.chain(heirs.flat_map(|o| &o.fields).map(|&id| &model.fields[id]))
    }

    /// Adds the names that begin with the name of the set. A rename of the set then also changes these
    /// names.
    fn traits(&mut self, accessor_traits: &[AccessorTrait<'_>]) {
        let Some(opcode) = self.model.opcodes.first() else { return };
        let (opcode, set) = (self.names.opcode_type(opcode), &self.model.header.name);
        let GeneratedNames { instruction, opcode_trait, execute_trait, .. } = self.names;
        let accessor_traits =
            accessor_traits.iter().map(|accessor| accessor_trait_name(self.model, accessor));
        for mut name in accessor_traits.chain([opcode_trait.clone(), execute_trait.clone()]) {
            name.set_span(set.span());
            self.add_type(quote!(dyn #name), "INDEX");
        }
        let mut name = instruction.clone();
        name.set_span(set.span());
        self.add_type(quote!(#name<#opcode>), "OPCODE");
    }
}
