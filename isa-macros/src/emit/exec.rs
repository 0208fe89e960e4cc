//! Semantics: one function an optype over the values of its operands, and the method of each
//! opcode that fetches them, calls it and stores what it gives.
//!
//! The body is the author's, token for token. Around it stands
//!
//! ```text
//! fn __isa_HADD2_run(pg: __isa_HADD2_pg, Ra: __isa_HADD2_Ra, SrcB: __isa_HADD2_SrcB,
//!                    ftz: FPFtz, ...) -> (u32,) {
//!     let Rd: u32;
//!     { /* body */ }
//!     (Rd,)
//! }
//! ```
//!
//! so that rustc itself says that a name is not readable, that an output is not written, or that
//! an input is.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::names::{escape, getter, kind_type, semantics_name};
use crate::model::{DefaultValue, Field, Init, Model, Opcode, Role, Symbol};

/// The semantics functions of the call.
pub(crate) fn emit_semantics(model: &Model) -> TokenStream {
    let mut done = Vec::new();
    let mut output = TokenStream::new();
    for opcode in model.sound_opcodes() {
        let Some(node) = opcode.semantics.filter(|node| !done.contains(node)) else {
            continue;
        };
        done.push(node);
        if let Some(semantics) = Semantics::of(model, opcode) {
            output.extend(semantics.emit());
        }
    }
    output
}

/// The `execute` method of an opcode, where it has semantics.
pub(crate) fn emit_execute(model: &Model, opcode: &Opcode) -> TokenStream {
    if opcode.semantics.is_none() {
        return TokenStream::new();
    }
    let Some(semantics) = Semantics::of(model, opcode).filter(|_| opcode.sound) else {
        return emit_stub(model);
    };
    let machine = Ident::new("machine", Span::mixed_site());
    let bound = machine_trait(model);
    let (vis, run) = (&model.header.vis, &semantics.run);
    let fetch = |slot: &Slot<'_>| slot.fetch(model, opcode, &machine);
    let (early, late): (Vec<_>, Vec<_>) = semantics.inputs().partition(|slot| slot.guards);
    let (early_fetches, late_fetches) =
        (early.iter().map(|s| fetch(s)), late.iter().map(|s| fetch(s)));
    let guard = semantics.guard.as_ref().map(|(guard, _)| {
        let names = early.iter().map(|slot| slot.ident());
        quote!(if !#guard(#(#names),*) { return; })
    });
    let names = semantics.inputs().map(Slot::ident);
    let outputs: Vec<_> = semantics.outputs().map(Slot::ident).collect();
    let stores = semantics.outputs().filter_map(|slot| slot.store(model, opcode, &machine));
    let settings = semantics.settings.iter().map(|field| {
        let get = getter(field);
        quote!(self.#get())
    });
    quote! {
        /// Runs the instruction on a machine: fetches what it reads, computes, and stores what
        /// it writes. Nothing happens where its guard is false.
        #[allow(non_snake_case, unused_variables, clippy::used_underscore_items, reason = "the names are the specification's")]
        #vis fn execute<M: #bound + ?::core::marker::Sized>(self, #machine: &mut M) {
            #(#early_fetches)*
            #guard
            #(#late_fetches)*
            let (#(#outputs,)*) = #run(#(#names,)* #(#settings,)*);
            #(#stores)*
        }
    }
}

/// `execute` of an opcode with a fault.
fn emit_stub(model: &Model) -> TokenStream {
    let (vis, bound) = (&model.header.vis, machine_trait(model));
    quote! {
        /// Nothing yet: the specification of the opcode has a fault.
        #vis fn execute<M: #bound + ?::core::marker::Sized>(self, _machine: &mut M) {
            ::core::unreachable!()
        }
    }
}

/// The trait that a machine must have.
pub(crate) fn machine_trait(model: &Model) -> TokenStream {
    model.machine.clone().unwrap_or_else(|| quote!(::isa_core::machine::Machine))
}

/// What the functions of one `semantics` section are made of.
struct Semantics<'m> {
    model: &'m Model,
    run: Ident,
    guard: Option<(Ident, TokenStream)>,
    body: TokenStream,
    slots: Vec<Slot<'m>>,
    /// The fields that are neither operands nor parts of one.
    settings: Vec<&'m Field>,
    /// Modules of other calls, whose names the bodies may use.
    modules: Vec<TokenStream>,
}

/// An operand as the semantics see it.
struct Slot<'m> {
    symbol: &'m Symbol,
    number: usize,
    /// The type that carries the operand with its sub-fields.
    carrier: Ident,
    value: TokenStream,
    subs: Vec<(&'m Ident, &'m Field)>,
    read: bool,
    written: bool,
    guards: bool,
}

impl<'m> Semantics<'m> {
    fn of(model: &'m Model, opcode: &Opcode) -> Option<Self> {
        let node = opcode.semantics?;
        let body = model.nodes[node].semantics.clone()?;
        let members: Vec<&Opcode> = model
            .sound_opcodes()
            .filter(|other| other.semantics == Some(node) && other.has_lists)
            .collect();
        let first = *members.first()?;
        let guard_body = first.guard.and_then(|node| model.nodes[node].guard.clone());
        let syntax = &model.syntaxes[first.syntax];
        let slots: Vec<Slot<'m>> = syntax
            .symbols
            .iter()
            .filter_map(|symbol| Slot::of(model, &members, symbol, guard_body.as_ref()))
            .collect();
        let guard = guard_body.zip(semantics_name(model, first, "guard"));
        Some(Semantics {
            model,
            run: semantics_name(model, first, "run")?,
            guard: guard.map(|(body, name)| (name, body)),
            body,
            settings: settings(model, &members),
            slots,
            modules: modules(model),
        })
    }

    fn inputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    fn outputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    fn emit(&self) -> TokenStream {
        let Semantics { model, run, guard, body, slots, settings, modules } = self;
        let carriers = slots.iter().filter(|slot| slot.read).map(|slot| slot.emit_carrier(model));
        let params: Vec<_> = self.inputs().map(|slot| slot.param(body)).collect();
        let setting_names =
            settings.iter().map(|field| as_in(escape(&field.name.base), body.clone()));
        let setting_types = settings.iter().map(|field| kind_type(&model.kinds[field.kind]));
        let lets = self.outputs().map(|slot| slot.declare(body));
        let (outputs, types): (Vec<_>, Vec<_>) =
            self.outputs().map(|slot| (slot.ident_in(body), &slot.value)).unzip();
        let result = (!outputs.is_empty()).then(|| quote!((#(#outputs,)*)));
        let guard = guard.as_ref().map(|(name, guard)| {
            let params = self.inputs().filter(|slot| slot.guards).map(|slot| slot.param(guard));
            quote! {
                #[allow(non_snake_case, unused_variables, reason = "the names are the specification's")]
                #[inline]
                fn #name(#(#params),*) -> bool {
                    #(#[allow(unused_imports, reason = "for the body")] use #modules::*;)*
                    #guard
                }
            }
        });
        quote! {
            #(#carriers)*
            #guard
            #[allow(non_snake_case, unused_variables, unused_braces, clippy::too_many_arguments,
                clippy::needless_late_init, clippy::needless_pass_by_value,
                reason = "the names and the body are the specification's")]
            #[inline]
            fn #run(#(#params,)* #(#setting_names: #setting_types),*) -> (#(#types,)*) {
                #(#[allow(unused_imports, reason = "for the body")] use #modules::*;)*
                #(#lets)*
                { #body }
                #result
            }
        }
    }
}

/// The modules of the calls that declare what this one uses.
fn modules(model: &Model) -> Vec<TokenStream> {
    let mut modules: Vec<TokenStream> = Vec::new();
    for origin in model.kinds.iter().filter_map(|kind| kind.origin.as_ref()) {
        let text = origin.to_string();
        if text != "self" && !modules.iter().any(|known| known.to_string() == text) {
            modules.push(origin.clone());
        }
    }
    modules
}

/// The settings that all members have alike.
fn settings<'m>(model: &'m Model, members: &[&Opcode]) -> Vec<&'m Field> {
    let Some((first, rest)) = members.split_first() else {
        return Vec::new();
    };
    let is_operand = |opcode: &Opcode, place: usize| {
        opcode.operands.iter().any(|operand| operand.field == place)
    };
    let mut found = Vec::new();
    for (place, &id) in first.fields.iter().enumerate() {
        let field = &model.fields[id];
        let everywhere = rest.iter().all(|opcode| {
            opcode.field(model, &field.text).is_some_and(|p| {
                model.fields[opcode.fields[p]].kind == field.kind && !is_operand(opcode, p)
            })
        });
        let plain = field.name.sub.is_none() && !field.is_fixed() && !is_operand(first, place);
        if plain && everywhere {
            found.push(field);
        }
    }
    found
}

impl<'m> Slot<'m> {
    fn of(
        model: &'m Model,
        members: &[&Opcode],
        symbol: &'m Symbol,
        guard: Option<&TokenStream>,
    ) -> Option<Self> {
        let Role::Slot(number) = symbol.role else {
            return None;
        };
        let first = *members.first()?;
        let place = slot_place(model, first, number)?;
        let operand = first.operands.iter().find(|operand| operand.field == place)?;
        let kind = kind_type(&model.kinds[model.fields[first.fields[place]].kind]);
        Some(Slot {
            symbol,
            number,
            carrier: semantics_name(model, first, &symbol.name)?,
            value: quote!(<#kind as ::isa_core::operand::OperandKind>::Value),
            subs: subs(model, members, number),
            read: operand.read,
            written: operand.written,
            guards: guard.is_some_and(|body| mentions(body.clone(), &symbol.name)),
        })
    }

    fn ident(&self) -> Ident {
        escape(&Ident::new(&self.symbol.name, self.symbol.span))
    }

    fn ident_in(&self, body: &TokenStream) -> Ident {
        as_in(self.ident(), body.clone())
    }

    fn param(&self, body: &TokenStream) -> TokenStream {
        let (name, carrier) = (self.ident_in(body), &self.carrier);
        quote!(#name: #carrier)
    }

    /// `let Rd: u32;`, or for an operand that is also read, a copy to change.
    fn declare(&self, body: &TokenStream) -> TokenStream {
        let (name, value) = (self.ident_in(body), &self.value);
        let span = self.symbol.span;
        if self.read {
            quote_spanned!(span=> #[allow(unused_mut, reason = "may stay")] let mut #name: #value = #name.value;)
        } else {
            quote_spanned!(span=> let #name: #value;)
        }
    }

    fn emit_carrier(&self, model: &Model) -> TokenStream {
        let Slot { carrier, value, subs, .. } = self;
        let names = subs.iter().map(|(name, _)| escape(name));
        let types = subs.iter().map(|(_, field)| kind_type(&model.kinds[field.kind]));
        quote! {
            #[derive(Clone, Copy)]
            #[allow(non_camel_case_types, dead_code, reason = "the names are the specification's")]
            struct #carrier { value: #value, #(#names: #types),* }
        }
    }

    /// `let Ra = __isa_HADD2_Ra { value: fetch(...), neg: self.get_ra_neg(), ... };`
    fn fetch(&self, model: &Model, opcode: &Opcode, machine: &Ident) -> TokenStream {
        let (name, carrier) = (self.ident(), &self.carrier);
        let Some(place) = slot_place(model, opcode, self.number) else {
            return TokenStream::new();
        };
        let field = &model.fields[opcode.fields[place]];
        let (ty, get) = (kind_type(&model.kinds[field.kind]), getter(field));
        let subs = self.subs.iter().map(|(sub, sample)| {
            let own = opcode.field(model, &format!("{}.{sub}", field.text));
            let value = match own {
                Some(place) => {
                    let get = getter(&model.fields[opcode.fields[place]]);
                    quote!(self.#get())
                }
                None => default_value(model, sample),
            };
            let sub = escape(sub);
            quote!(#sub: #value)
        });
        quote! {
            let #name = #carrier {
                value: <#ty as ::isa_core::machine::Source<M>>::fetch(self.#get(), #machine),
                #(#subs),*
            };
        }
    }

    fn store(&self, model: &Model, opcode: &Opcode, machine: &Ident) -> Option<TokenStream> {
        let name = self.ident();
        let place = slot_place(model, opcode, self.number)?;
        let field = &model.fields[opcode.fields[place]];
        let (ty, get) = (kind_type(&model.kinds[field.kind]), getter(field));
        Some(quote!(<#ty as ::isa_core::machine::Sink<M>>::store(self.#get(), #machine, #name);))
    }
}

/// The place of the field that an opcode has in the n-th slot.
fn slot_place(model: &Model, opcode: &Opcode, number: usize) -> Option<usize> {
    let symbols = &model.syntaxes[opcode.syntax].symbols;
    let index = symbols.iter().position(|symbol| symbol.role == Role::Slot(number))?;
    opcode.bind.get(index).copied().flatten()
}

/// The sub-fields of the operands in a slot, over all members.
fn subs<'m>(model: &'m Model, members: &[&Opcode], number: usize) -> Vec<(&'m Ident, &'m Field)> {
    let mut found: Vec<(&Ident, &Field)> = Vec::new();
    for opcode in members {
        let Some(place) = slot_place(model, opcode, number) else {
            continue;
        };
        let base = &model.fields[opcode.fields[place]].name.base;
        for &id in &opcode.fields {
            let field = &model.fields[id];
            if let Some(sub) = &field.name.sub
                && field.name.base == *base
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, field));
            }
        }
    }
    found
}

/// What a sub-field is where an operand lacks it: the default that its siblings have.
fn default_value(model: &Model, field: &Field) -> TokenStream {
    let kind = &model.kinds[field.kind];
    let ty = kind_type(kind);
    match &field.init {
        Init::Default(DefaultValue::Number(raw)) | Init::Fixed(raw) => {
            let named = kind.values().iter().find(|value| value.raw == *raw);
            match named {
                Some(value) => {
                    let name = escape(&value.name);
                    quote!(#ty::#name)
                }
                None => quote!(<#ty as ::isa_core::operand::OperandKind>::from_bits(#raw)),
            }
        }
        Init::Default(DefaultValue::Named(name, _)) => {
            quote!(<#ty as ::isa_core::operand::OperandKind>::from_bits(
                const { ::isa_core::operand::bits_of::<#ty>(#name) }
            ))
        }
        Init::Required => quote!(::core::compile_error!("an operand lacks this field")),
    }
}

/// Whether a name occurs in the tokens.
fn mentions(tokens: TokenStream, name: &str) -> bool {
    find(tokens, name).is_some()
}

fn find(tokens: TokenStream, name: &str) -> Option<Ident> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if ident == name => Some(ident),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

/// The name such that the body can see it. A body and a field may come from different calls,
/// and names of one are hidden from the other as those of a macro are.
fn as_in(mut name: Ident, body: TokenStream) -> Ident {
    if let Some(used) = find(body, &name.to_string()) {
        name.set_span(name.span().resolved_at(used.span()));
    }
    name
}
