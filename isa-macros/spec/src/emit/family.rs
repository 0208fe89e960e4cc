//! The type of a call's instructions, and its typed accessors.
//!
//! There is one generic struct a call, and each field has its accessors once, however many
//! opcodes have the field. What an opcode has is said by traits:
//!
//! ```text
//! pub struct HaluInstruction<O>(u128, PhantomData<fn() -> O>);
//! impl<O: HaluIsHArith> HaluInstruction<O> { pub fn ftz(self, ..) -> Self; .. }  // one group's
//! impl<O: HaluHasRb> HaluInstruction<O> { pub fn rb(self, ..) -> Self; .. }      // differs
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::effects::{errors_doc, give, outcome};
use super::exec::machine_trait;
use super::names::{Names, describe_field, getter, kind_type, set_bits, setter, word_type};
use crate::model::{Field, Model, Opcode, camel, derived};

/// The struct, the traits and the accessors; nothing where the call has no opcodes.
pub(crate) fn emit_family(model: &Model, names: &Names, gates: &[Gate<'_>]) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let base = emit_base(model, names);
    let traits = emit_traits(model, names);
    let gate_traits = gates.iter().map(|gate| gate.emit_trait(model, names));
    let accessors = gates.iter().map(|gate| gate.emit_accessors(model, names));
    quote!(#base #traits #(#gate_traits)* #(#accessors)*)
}

fn emit_base(model: &Model, names: &Names) -> TokenStream {
    let Names { opcodes: table, instruction, opcode_trait, execute_trait, .. } = names;
    let (vis, word, bound) = (&model.header.vis, word_type(set_bits(model)), machine_trait(model));
    let set = &model.header.name;
    let (outcome, errors) = (outcome(model), errors_doc(model));
    let (run_warp, execute_warp) = emit_warp(model);
    let run = give(model, &quote!(O::run(self.0 as u128, machine)));
    let type_names = &names.type_names;
    let (count, all) = (model.opcodes.len(), model.opcodes.iter().map(|o| o.type_name.to_string()));
    let doc = format!("An instruction of one opcode of [`{set}`]: its word. `O` names the opcode.");
    let opcode_doc = format!("An opcode of [`{set}`].");
    quote! {
        #[doc = #doc]
        #[repr(transparent)]
        #vis struct #instruction<O>(#word, ::core::marker::PhantomData<fn() -> O>);

        #[doc = #opcode_doc]
        #vis trait #opcode_trait: 'static {
            /// The place of the opcode among those of the set's own call.
            const INDEX: usize;
            /// The name of the type of its instructions.
            const NAME: &'static str = #type_names[Self::INDEX];
        }

        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #type_names: [&str; #count] = [#(#all),*];

        /// An opcode with semantics.
        #vis trait #execute_trait: #opcode_trait {
            #[doc(hidden)]
            fn run<__M: #bound + ?::core::marker::Sized>(word: u128, machine: &mut __M) #outcome;
            #run_warp
        }

        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl<O: #opcode_trait> #instruction<O> {
            /// The row of the opcode: fields, operands, syntax, exceptions.
            #vis const OPCODE: &'static ::isa_core::table::Opcode = &#table[O::INDEX];

            #[doc(hidden)]
            #vis const __ROWS: &'static [::isa_core::table::Opcode] = &#table;

            const INITIAL: #word = #table[O::INDEX].start as #word;

            /// The instruction with this word.
            ///
            /// # Errors
            ///
            /// A word of another opcode, a reserved value or an illegal combination.
            #vis fn decode(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::OPCODE.validate(word as u128).map(|()| Self(word, ::core::marker::PhantomData))
            }

            /// The word of the instruction.
            ///
            /// # Errors
            ///
            /// An illegal combination of values, with the reason.
            #vis fn encode(self) -> ::core::result::Result<#word, ::isa_core::EncodeError> {
                ::isa_core::encode(Self::OPCODE, self.0 as u128).map(|()| self.0)
            }

            /// The operands in the order of the text, with what each is and how it is used.
            #vis fn operands(self) -> ::isa_core::Operands {
                ::isa_core::Operands::new(Self::OPCODE, self.0 as u128)
            }

            #[doc(hidden)]
            #[must_use]
            #vis const fn __from_valid(word: u128) -> Self {
                Self(word as #word, ::core::marker::PhantomData)
            }

            #[doc(hidden)]
            #[must_use]
            #vis const fn __word(self) -> u128 { self.0 as u128 }

            #[inline]
            fn __with<V: ::isa_core::operand::FieldValue>(
                self,
                field: &'static ::isa_core::table::Field,
                value: V,
            ) -> Self {
                Self::__from_valid(field.set(self.0 as u128, value.to_raw()))
            }
        }

        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl<O: #execute_trait> #instruction<O> {
            /// Runs the instruction on a machine: fetches what it reads, computes, and stores
            /// what it writes. Nothing happens where its guard is false.
            #errors
            #[inline]
            #vis fn execute<__M: #bound + ?::core::marker::Sized>(
                self, machine: &mut __M,
            ) #outcome {
                #run
            }

            #execute_warp
        }
    }
}

/// The functions for a warp: what an opcode has, and what calls it. There are none where an
/// instruction can trap.
fn emit_warp(model: &Model) -> (Option<TokenStream>, Option<TokenStream>) {
    if model.trap.is_some() {
        return (None, None);
    }
    let (vis, bound) = (&model.header.vis, machine_trait(model));
    let run = quote! {
        #[doc(hidden)]
        fn run_warp<const __N: usize>(
            word: u128, machine: &mut ::isa_core::machine::Warp<'_, __N>,
        ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound;
    };
    let execute = quote! {
        /// Runs the instruction on all active lanes of a warp, where its guard is true.
        #vis fn execute_warp<const __N: usize>(
            self, machine: &mut ::isa_core::machine::Warp<'_, __N>,
        ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound {
            O::run_warp(self.0 as u128, machine);
        }
    };
    (Some(run), Some(execute))
}

/// What every value type has. The derives would ask the same of the opcode.
fn emit_traits(model: &Model, names: &Names) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
    let (set, word) = (&model.header.name, word_type(set_bits(model)));
    let included = model.included.len();
    quote! {
        ::isa_core::__serde!([__O: #opcode_trait] #instruction<__O>, #word);
        #[automatically_derived]
        impl<O> ::core::clone::Clone for #instruction<O> {
            #[inline]
            fn clone(&self) -> Self { *self }
        }
        #[automatically_derived]
        impl<O> ::core::marker::Copy for #instruction<O> {}
        #[automatically_derived]
        impl<O> ::core::cmp::PartialEq for #instruction<O> {
            #[inline]
            fn eq(&self, other: &Self) -> bool { self.0 == other.0 }
        }
        #[automatically_derived]
        impl<O> ::core::cmp::Eq for #instruction<O> {}
        #[automatically_derived]
        impl<O> ::core::hash::Hash for #instruction<O> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                ::core::hash::Hash::hash(&self.0, state);
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::fmt::Display for #instruction<O> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::display(Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::fmt::Debug for #instruction<O> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::debug(O::NAME, Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::convert::TryFrom<#word> for #instruction<O> {
            type Error = ::isa_core::DecodeError;
            fn try_from(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::decode(word)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::str::FromStr for #instruction<O> {
            type Err = ::isa_core::ParseError;
            fn from_str(text: &str) -> ::core::result::Result<Self, ::isa_core::ParseError> {
                ::isa_core::parse_as(#set::SET, Self::OPCODE, text).map(Self::__from_valid)
            }
        }
        #[automatically_derived]
        impl<__O: #opcode_trait> ::core::convert::From<#instruction<__O>> for #set {
            #[inline]
            fn from(instruction: #instruction<__O>) -> Self {
                Self::__from_valid(#included + __O::INDEX, instruction.0 as u128)
            }
        }
    }
}

/// Which opcodes have some accessors.
pub(crate) struct Gate<'m> {
    condition: Condition<'m>,
    /// Indices into [`Model::opcodes`].
    opcodes: Vec<usize>,
    /// The fields, one for each accessor, as indices into [`Model::fields`].
    fields: Vec<usize>,
}

enum Condition<'m> {
    /// They inherit from this node.
    Is(usize),
    /// They have a field of this name, all at one place.
    Has(&'m Field),
    /// They have a field of this name, at places or of types that differ.
    Differs(&'m Field),
}

/// The accessors of the call: fields that the same opcodes have for the same reason together.
pub(crate) fn gates(model: &Model) -> Vec<Gate<'_>> {
    let mut gates: Vec<Gate<'_>> = Vec::new();
    for (first, opcodes) in accessors(model) {
        let field = &model.fields[first];
        let condition = condition(model, field, &opcodes);
        let known = gates.iter_mut().find(|gate| match (&gate.condition, &condition) {
            (Condition::Is(a), Condition::Is(b)) => a == b,
            _ => false,
        });
        match known {
            Some(gate) => gate.fields.push(first),
            None => gates.push(Gate { condition, opcodes, fields: vec![first] }),
        }
    }
    gates
}

/// Each name of a field that may vary, with the first such field and the opcodes that have one.
fn accessors(model: &Model) -> Vec<(usize, Vec<usize>)> {
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for (index, opcode) in model.opcodes.iter().enumerate() {
        for &id in &opcode.fields {
            let field = &model.fields[id];
            if field.is_fixed() || field.nameless {
                continue;
            }
            let place = *places.entry(field.text.as_str()).or_insert_with(|| {
                found.push((id, Vec::new()));
                found.len() - 1
            });
            found[place].1.push(index);
            if !model.kinds[field.kind].is_known() {
                found[place].0 = id;
            }
        }
    }
    found
}

fn condition<'m>(model: &'m Model, field: &'m Field, opcodes: &[usize]) -> Condition<'m> {
    if !model.kinds[field.kind].is_known() {
        return Condition::Has(field);
    }
    let own = |&index: &usize| own_field(model, &model.opcodes[index], &field.text);
    let alike = |other: &Field| other.pieces == field.pieces && other.kind == field.kind;
    if !opcodes.iter().filter_map(own).all(|(_, other)| alike(other)) {
        return Condition::Differs(field);
    }
    let lineage = &model.lineage[model.opcodes[opcodes[0]].node];
    let heirs = |node: usize| {
        let inherits = move |o: &Opcode| model.lineage[o.node].contains(&node);
        model.opcodes.iter().enumerate().filter(move |(_, o)| inherits(o)).map(|(i, _)| i)
    };
    let covers = |node: usize| heirs(node).eq(opcodes.iter().copied());
    let declared = Some(field.node).filter(|&node| covers(node));
    match declared.or_else(|| lineage.iter().copied().find(|&node| covers(node))) {
        Some(node) => Condition::Is(node),
        None => Condition::Has(field),
    }
}

/// The field of this name that an opcode has.
fn own_field<'m>(model: &'m Model, opcode: &Opcode, name: &str) -> Option<(usize, &'m Field)> {
    let place = opcode.field(model, name)?;
    let id = opcode.fields[place];
    Some((id, &model.fields[id]))
}

impl Gate<'_> {
    /// The trait's name: `HaluIsHArith` or `HaluHasRb`.
    pub(crate) fn name(&self, model: &Model) -> Ident {
        let set = &model.header.name;
        match self.condition {
            Condition::Is(node) => {
                let name = &model.nodes[node].name;
                derived(&format!("{set}Is{}", camel(&name.to_string())), name)
            }
            Condition::Has(field) | Condition::Differs(field) => {
                let text = camel(&field.text.replace('.', "_"));
                derived(&format!("{set}Has{text}"), field.name.last())
            }
        }
    }

    fn emit_trait(&self, model: &Model, names: &Names) -> TokenStream {
        let (vis, name, opcode_trait) = (&model.header.vis, self.name(model), &names.opcode_trait);
        match self.condition {
            Condition::Is(node) => {
                let doc = format!("Opcodes that are a `{}`.", model.nodes[node].name);
                quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
            }
            Condition::Has(field) => {
                let doc = format!("Opcodes with a field `{}`.", field.text);
                quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
            }
            Condition::Differs(field) => {
                let doc = format!("Opcodes with a field `{}`, each with its own.", field.text);
                quote! {
                    #[doc = #doc]
                    #vis trait #name: #opcode_trait {
                        /// The type of the field.
                        type Value: ::isa_core::operand::FieldValue;
                        /// The place of the field.
                        const FIELD: &'static ::isa_core::table::Field;
                    }
                }
            }
        }
    }

    /// What the opcode has behind the gate: nothing where it is not, else 0 or the field that is
    /// its own, plus 1.
    pub(crate) fn key(&self, model: &Model, index: usize) -> Option<usize> {
        self.opcodes.binary_search(&index).ok()?;
        match self.condition {
            Condition::Differs(field) => {
                own_field(model, &model.opcodes[index], &field.text).map(|(id, _)| 1 + id)
            }
            Condition::Is(_) | Condition::Has(_) => Some(0),
        }
    }

    /// What says that an opcode is behind the gate, if it is, for a type with these generics.
    pub(crate) fn emit_impl(
        &self,
        model: &Model,
        names: &Names,
        index: usize,
        (generics, ty): (&TokenStream, &TokenStream),
    ) -> Option<TokenStream> {
        self.opcodes.binary_search(&index).ok()?;
        let (name, opcode) = (self.name(model), ty);
        let Condition::Differs(field) = self.condition else {
            return Some(quote!(impl #generics #name for #opcode {}));
        };
        let table = &names.fields;
        let (id, own) = own_field(model, &model.opcodes[index], &field.text)?;
        let ty = kind_type(&model.kinds[own.kind]);
        Some(quote! {
            impl #generics #name for #opcode {
                type Value = #ty;
                const FIELD: &'static ::isa_core::table::Field = &#table[#id];
            }
        })
    }

    /// The fields whose accessors are behind the gate, each with an opcode that has it.
    pub(crate) fn accessors<'a>(
        &self,
        model: &'a Model,
    ) -> impl Iterator<Item = (&'a Field, &'a Opcode)> {
        let opcode = self.opcodes.first().map(|&index| &model.opcodes[index]);
        self.fields.iter().filter_map(move |&id| Some((&model.fields[id], opcode?)))
    }

    fn emit_accessors(&self, model: &Model, names: &Names) -> TokenStream {
        let (name, instruction) = (self.name(model), &names.instruction);
        let differs = matches!(self.condition, Condition::Differs(_));
        let accessors = self.fields.iter().map(|&id| {
            let (vis, field) = (&model.header.vis, &model.fields[id]);
            let (set, get, kind) = (setter(field), getter(field), &model.kinds[field.kind]);
            if !kind.is_known() {
                return emit_unknown(vis, &set, &get);
            }
            let table = &names.fields;
            let (ty, place, text) = if differs {
                let text = format!("`{}`, whose type and place depend on the opcode", field.text);
                (quote!(__O::Value), quote!(__O::FIELD), text)
            } else {
                (kind_type(kind), quote!(&#table[#id]), describe_field(field, kind))
            };
            let (set_doc, get_doc) = (format!("Sets {text}."), format!("Gets {text}."));
            let own = &field.docs.attrs;
            let gap = (!own.is_empty()).then(|| quote!(#[doc = ""]));
            quote! {
                #own #gap
                #[doc = #set_doc]
                #[must_use]
                #[inline]
                #vis fn #set(self, value: impl ::core::convert::Into<#ty>) -> Self {
                    self.__with(#place, value.into())
                }
                #[doc = #get_doc]
                #[must_use]
                #[inline]
                #vis fn #get(self) -> #ty { ::isa_core::value_of(#place, self.0 as u128) }
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(dead_code, clippy::should_implement_trait,
                reason = "a private set need not be used whole; fields may be called `not`")]
            impl<__O: #name> #instruction<__O> { #(#accessors)* }
        }
    }
}

/// The accessors of a field of an unknown type, which take and give whatever is asked for.
fn emit_unknown(vis: &TokenStream, set: &Ident, get: &Ident) -> TokenStream {
    quote! {
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #set(self, _value: impl ::core::marker::Sized) -> Self { ::core::unreachable!() }
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #get<T>(self) -> T { ::core::unreachable!() }
    }
}
