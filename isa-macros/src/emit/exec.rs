//! Semantics: one function an optype over the values of its operands, one that fetches them,
//! calls it and stores what it gives, and for each opcode a line that says where they are.
//!
//! The body is the author's, token for token. Around it stands
//!
//! ```text
//! fn __isa_HADD2_body(pg: __isa_HADD2_pg, Ra: __isa_HADD2_Ra, SrcB: __isa_HADD2_SrcB,
//!                     ftz: FPFtz, ...) -> (u32,) {
//!     let Rd: u32;
//!     { /* body */ }
//!     (Rd,)
//! }
//! ```
//!
//! so that rustc itself says that a name is not readable, that an output is not written, or that
//! an input is. What all opcodes of the optype have alike, the second function takes from the
//! word itself; what differs, here the place and the kind of `SrcB`, the opcode passes:
//!
//! ```text
//! fn __isa_HADD2_run<M: Machine + ?Sized, SrcB: Source<M, Value = u32>>(
//!     word: u128, machine: &mut M, SrcB: [Option<&'static Field>; 4],
//! );
//! impl HaluExecute for Hadd2RrOpcode {
//!     fn run<M: ..>(word: u128, machine: &mut M) {
//!         __isa_HADD2_run::<M, Reg>(word, machine, [Some(&FIELDS[18]), ...])
//!     }
//! }
//! ```

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::names::{Names, escape, kind_type, semantics_name};
use crate::model::{DefaultValue, Field, Init, Model, Opcode, Role, Symbol};

/// The semantics functions of the call.
pub(crate) fn emit_semantics(model: &Model, names: &Names) -> TokenStream {
    let all = Semantics::all(model);
    all.iter().map(|semantics| semantics.emit(names)).collect()
}

/// How the opcodes run: for each that has semantics, what it passes to its optype's function.
pub(crate) fn emit_runs(model: &Model, names: &Names) -> TokenStream {
    let all = Semantics::all(model);
    let runs = all.iter().flat_map(|semantics| {
        semantics.members.iter().map(|opcode| semantics.emit_run(names, opcode))
    });
    let faulty = model.opcodes.iter().filter(|o| o.semantics.is_some() && !runs_whole(o));
    let stubs = faulty.map(|opcode| emit_stub(model, names, opcode));
    runs.chain(stubs).collect()
}

/// Whether an opcode has all that its semantics need.
fn runs_whole(opcode: &Opcode) -> bool {
    opcode.sound && opcode.has_lists
}

/// The semantics of an opcode with a fault.
fn emit_stub(model: &Model, names: &Names, opcode: &Opcode) -> TokenStream {
    let (marker, bound) = (super::names::marker(opcode), machine_trait(model));
    let execute_trait = &names.execute_trait;
    quote! {
        impl #execute_trait for #marker {
            fn run<M: #bound + ?::core::marker::Sized>(_word: u128, _machine: &mut M) {
                ::core::unreachable!()
            }
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
    /// The opcodes that share the section.
    members: Vec<&'m Opcode>,
    body: &'m TokenStream,
    guard: Option<&'m TokenStream>,
    slots: Vec<Slot<'m>>,
    settings: Vec<Setting<'m>>,
    /// Modules of other calls, whose names the bodies may use.
    modules: Vec<TokenStream>,
}

/// An operand as the semantics see it.
struct Slot<'m> {
    symbol: &'m Symbol,
    number: usize,
    /// The type that carries the operand with its sub-fields.
    carrier: Ident,
    /// The type of the value behind the operand.
    value: TokenStream,
    /// The operand's field, where all members have it alike.
    field: Option<usize>,
    subs: Vec<(&'m Ident, usize)>,
    read: bool,
    written: bool,
    guards: bool,
}

/// A field that is neither an operand nor a part of one.
struct Setting<'m> {
    name: &'m Ident,
    field: &'m Field,
    /// The field, where all members have it alike.
    id: Option<usize>,
}

impl<'m> Semantics<'m> {
    /// Every `semantics` section that an opcode of the call uses.
    fn all(model: &'m Model) -> Vec<Self> {
        let mut nodes: Vec<(usize, Vec<&Opcode>)> = Vec::new();
        for opcode in model.opcodes.iter().filter(|opcode| runs_whole(opcode)) {
            let Some(node) = opcode.semantics else { continue };
            match nodes.iter_mut().find(|(known, _)| *known == node) {
                Some((_, members)) => members.push(opcode),
                None => nodes.push((node, vec![opcode])),
            }
        }
        nodes
            .into_iter()
            .filter_map(|(node, members)| Semantics::of(model, node, members))
            .collect()
    }

    fn of(model: &'m Model, node: usize, members: Vec<&'m Opcode>) -> Option<Self> {
        let body = model.nodes[node].semantics.as_ref()?;
        let first = *members.first()?;
        let guard = first.guard.and_then(|node| model.nodes[node].guard.as_ref());
        let symbols = &model.syntaxes[first.syntax].symbols;
        let slots = symbols.iter().filter_map(|symbol| Slot::of(model, &members, symbol, guard));
        let slots = slots.collect();
        let settings = settings(model, &members, body);
        Some(Semantics { model, members, body, guard, slots, settings, modules: modules(model) })
    }

    fn name(&self, what: &str) -> Ident {
        semantics_name(self.model, self.members[0], what)
    }

    fn inputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    fn outputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    /// The operands that the opcodes have each in their own way.
    fn varying(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.field.is_none())
    }

    fn emit(&self, names: &Names) -> TokenStream {
        let carriers = self.inputs().map(|slot| slot.emit_carrier(self.model));
        let guard = self.guard.map(|guard| self.emit_guard(guard));
        let (body, shared) = (self.emit_body(), self.emit_shared(names));
        quote!(#(#carriers)* #guard #body #shared)
    }

    fn emit_guard(&self, guard: &TokenStream) -> TokenStream {
        let (name, modules) = (self.name("guard"), &self.modules);
        let params = self.inputs().filter(|slot| slot.guards).map(|slot| slot.param(guard));
        quote! {
            #[allow(non_snake_case, unused_variables, bindings_with_variant_name,
                reason = "the names are the specification's")]
            #[inline]
            fn #name(#(#params),*) -> bool {
                #(#[allow(unused_imports, reason = "for the body")] use #modules::*;)*
                #guard
            }
        }
    }

    fn emit_body(&self) -> TokenStream {
        let Semantics { model, body, settings, modules, .. } = self;
        let (body, name) = (*body, self.name("body"));
        let params = self.inputs().map(|slot| slot.param(body));
        let setting_names = settings.iter().map(|setting| local(&escape(setting.name), body));
        let setting_types = settings.iter().map(|s| kind_type(&model.kinds[s.field.kind]));
        let lets = self.outputs().map(|slot| slot.declare(body));
        let (outputs, types): (Vec<_>, Vec<_>) =
            self.outputs().map(|slot| (local(&slot.ident(), body), &slot.value)).unzip();
        let result = (!outputs.is_empty()).then(|| quote!((#(#outputs,)*)));
        quote! {
            #[allow(non_snake_case, unused_variables, unused_braces, bindings_with_variant_name,
                clippy::too_many_arguments, clippy::needless_late_init,
                clippy::needless_pass_by_value,
                reason = "the names and the body are the specification's")]
            #[inline]
            fn #name(#(#params,)* #(#setting_names: #setting_types),*) -> (#(#types,)*) {
                #(#[allow(unused_imports, reason = "for the body")] use #modules::*;)*
                #(#lets)*
                { #body }
                #result
            }
        }
    }

    /// The function that fetches, computes and stores.
    fn emit_shared(&self, names: &Names) -> TokenStream {
        let (run, body, bound) = (self.name("run"), self.name("body"), machine_trait(self.model));
        let (generics, params) = (
            self.varying().map(Slot::generic),
            self.varying().map(|slot| {
                let (name, len) = (slot.ident(), slot.subs.len() + 1);
                quote!(#name: [::core::option::Option<&'static ::isa_core::table::Field>; #len])
            }),
        );
        let setting_params = self.settings.iter().filter(|s| s.id.is_none()).map(|setting| {
            let (name, ty) =
                (escape(setting.name), kind_type(&self.model.kinds[setting.field.kind]));
            quote!(#name: #ty)
        });
        let (early, late): (Vec<_>, Vec<_>) = self.inputs().partition(|slot| slot.guards);
        let guard = self.guard.map(|_| {
            let (guard, slots) = (self.name("guard"), early.iter().map(|slot| slot.input()));
            quote!(if !#guard(#(#slots),*) { return; })
        });
        let early = early.iter().map(|slot| slot.fetch(self.model, names));
        let late = late.iter().map(|slot| slot.fetch(self.model, names));
        let inputs = self.inputs().map(Slot::input);
        let outputs: Vec<_> = self.outputs().map(Slot::output).collect();
        let settings = self.settings.iter().map(|setting| setting.read(names));
        let stores = self.outputs().map(|slot| slot.store(self.model, names));
        quote! {
            #[allow(non_snake_case, non_camel_case_types, clippy::too_many_arguments,
                reason = "the names are the specification's")]
            #[inline(always)]
            fn #run<M: #bound + ?::core::marker::Sized #(, #generics)*>(
                word: u128, machine: &mut M, #(#params,)* #(#setting_params),*
            ) {
                #(#early)*
                #guard
                #(#late)*
                let (#(#outputs,)*) = #body(#(#inputs,)* #(#settings),*);
                #(#stores)*
            }
        }
    }

    /// What one opcode passes to the shared function.
    fn emit_run(&self, names: &Names, opcode: &Opcode) -> TokenStream {
        let Semantics { model, .. } = self;
        let (marker, table) = (super::names::marker(opcode), &names.fields);
        let (run, bound) = (self.name("run"), machine_trait(model));
        let execute_trait = &names.execute_trait;
        let kinds = self.varying().filter_map(|slot| {
            let id = slot.own_field(model, opcode)?;
            Some(kind_type(&model.kinds[model.fields[id].kind]))
        });
        let fields = self.varying().map(|slot| {
            let own = slot.own_field(model, opcode);
            let base = own.map(|id| model.fields[id].text.as_str()).unwrap_or_default();
            let subs = slot.subs.iter().map(|(sub, _)| {
                let place = opcode.field(model, &format!("{base}.{sub}"));
                place.map(|place| opcode.fields[place])
            });
            let entries = core::iter::once(own).chain(subs).map(|id| match id {
                Some(id) => quote!(::core::option::Option::Some(&#table[#id])),
                None => quote!(::core::option::Option::None),
            });
            quote!([#(#entries),*])
        });
        let settings = self.settings.iter().filter(|setting| setting.id.is_none());
        let settings = settings.map(|setting| setting.value(model, names, opcode));
        quote! {
            impl #execute_trait for #marker {
                #[inline]
                fn run<M: #bound + ?::core::marker::Sized>(word: u128, machine: &mut M) {
                    #run::<M #(, #kinds)*>(word, machine, #(#fields,)* #(#settings),*);
                }
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

/// The settings that all members have. What an opcode fixes is one only where the body names
/// it, as `optype` in semantics that several optypes share.
fn settings<'m>(model: &'m Model, members: &[&'m Opcode], body: &TokenStream) -> Vec<Setting<'m>> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, &id) in first.fields.iter().enumerate() {
        let field = &model.fields[id];
        let fixed = field.is_fixed();
        if field.name.sub.is_some()
            || is_operand(first, place)
            || (fixed && find(body.clone(), &field.text).is_none())
        {
            continue;
        }
        let others: Option<Vec<&Field>> =
            rest.iter().map(|opcode| same_setting(model, opcode, field)).collect();
        let Some(others) = others else { continue };
        let alike = !fixed && others.iter().all(|o| !o.is_fixed() && o.pieces == field.pieces);
        found.push(Setting { name: &field.name.base, field, id: alike.then_some(id) });
    }
    found
}

fn is_operand(opcode: &Opcode, place: usize) -> bool {
    opcode.operands.iter().any(|operand| operand.field == place)
}

/// The field by which an opcode has a setting of the same name and type.
fn same_setting<'m>(model: &'m Model, opcode: &Opcode, setting: &Field) -> Option<&'m Field> {
    let place = opcode.field(model, &setting.text)?;
    let field = &model.fields[opcode.fields[place]];
    (field.kind == setting.kind && !is_operand(opcode, place)).then_some(field)
}

impl Setting<'_> {
    /// Its value in the shared function.
    fn read(&self, names: &Names) -> TokenStream {
        let (name, table) = (escape(self.name), &names.fields);
        match self.id {
            Some(id) => quote!(::isa_core::value_of(&#table[#id], word)),
            None => quote!(#name),
        }
    }

    /// Its value in one opcode: what the word has, or what the opcode fixes it to.
    fn value(&self, model: &Model, names: &Names, opcode: &Opcode) -> TokenStream {
        let place = opcode.field(model, &self.field.text);
        let id = place.map_or(0, |place| opcode.fields[place]);
        let (own, table) = (&model.fields[id], &names.fields);
        if own.is_fixed() {
            default_value(model, own)
        } else {
            quote!(::isa_core::value_of(&#table[#id], word))
        }
    }
}

impl<'m> Slot<'m> {
    fn of(
        model: &'m Model,
        members: &[&'m Opcode],
        symbol: &'m Symbol,
        guard: Option<&TokenStream>,
    ) -> Option<Self> {
        let Role::Slot(number) = symbol.role else { return None };
        let first = *members.first()?;
        let place = slot_place(model, first, number)?;
        let operand = first.operands.iter().find(|operand| operand.field == place)?;
        let field = &model.fields[first.fields[place]];
        let kind = kind_type(&model.kinds[field.kind]);
        let alike = members.iter().all(|opcode| {
            let place = slot_place(model, opcode, number);
            place.is_some_and(|place| same_operand(model, opcode, place, first, field))
        });
        Some(Slot {
            symbol,
            number,
            carrier: semantics_name(model, first, &symbol.name),
            value: quote!(<#kind as ::isa_core::operand::OperandKind>::Value),
            field: alike.then_some(first.fields[place]),
            subs: subs(model, members, number),
            read: operand.read,
            written: operand.written,
            guards: guard.is_some_and(|body| find(body.clone(), &symbol.name).is_some()),
        })
    }

    fn ident(&self) -> Ident {
        escape(&Ident::new(&self.symbol.name, self.symbol.span))
    }

    /// The variable that holds the operand in the shared function.
    fn input(&self) -> Ident {
        format_ident!("{}_in", self.symbol.name)
    }

    /// The variable that holds what is to be stored.
    fn output(&self) -> Ident {
        format_ident!("{}_out", self.symbol.name)
    }

    fn param(&self, body: &TokenStream) -> TokenStream {
        let (name, carrier) = (local(&self.ident(), body), &self.carrier);
        quote!(#name: #carrier)
    }

    /// `let Rd: u32;`, or for an operand that is also read, a copy to change.
    fn declare(&self, body: &TokenStream) -> TokenStream {
        let (name, value) = (local(&self.ident(), body), &self.value);
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
        let types = subs.iter().map(|(_, id)| kind_type(&model.kinds[model.fields[*id].kind]));
        quote! {
            #[derive(Clone, Copy)]
            #[allow(non_camel_case_types, dead_code, reason = "the names are the specification's")]
            struct #carrier { value: #value, #(#names: #types),* }
        }
    }

    /// `SrcB: Source<M, Value = u32>`: the kind of an operand that varies.
    fn generic(&self) -> TokenStream {
        let (name, value) = (self.ident(), &self.value);
        let source = self.read.then(|| quote!(+ ::isa_core::machine::Source<M>));
        let sink = self.written.then(|| quote!(+ ::isa_core::machine::Sink<M>));
        quote!(#name: ::isa_core::operand::OperandKind<Value = #value> #source #sink)
    }

    /// The kind of the operand in the shared function.
    fn kind(&self, model: &Model) -> TokenStream {
        match self.field {
            Some(id) => kind_type(&model.kinds[model.fields[id].kind]),
            None => self.ident().into_token_stream(),
        }
    }

    /// The operand itself in the shared function.
    fn operand(&self, model: &Model, names: &Names) -> TokenStream {
        let (name, table, kind) = (self.ident(), &names.fields, self.kind(model));
        match self.field {
            Some(id) => quote!(::isa_core::value_of::<#kind>(&#table[#id], word)),
            None => quote!(::isa_core::value_or::<#kind>(#name[0], word, 0)),
        }
    }

    /// `let Ra_in = __isa_HADD2_Ra { value: fetch(...), neg: ..., ... };`
    fn fetch(&self, model: &Model, names: &Names) -> TokenStream {
        let (input, carrier, table) = (self.input(), &self.carrier, &names.fields);
        let (kind, operand, name) = (self.kind(model), self.operand(model, names), self.ident());
        let subs = self.subs.iter().enumerate().map(|(i, (sub, id))| {
            let value = match self.field {
                Some(_) => quote!(::isa_core::value_of(&#table[#id], word)),
                None => {
                    let (place, default) = (i + 1, default_bits(model, &model.fields[*id]));
                    quote!(::isa_core::value_or(#name[#place], word, #default))
                }
            };
            let sub = escape(sub);
            quote!(#sub: #value)
        });
        quote! {
            let #input = #carrier {
                value: <#kind as ::isa_core::machine::Source<M>>::fetch(#operand, machine),
                #(#subs),*
            };
        }
    }

    fn store(&self, model: &Model, names: &Names) -> TokenStream {
        let (output, kind) = (self.output(), self.kind(model));
        let operand = self.operand(model, names);
        quote!(<#kind as ::isa_core::machine::Sink<M>>::store(#operand, machine, #output);)
    }

    /// The field that an opcode has in the slot.
    fn own_field(&self, model: &Model, opcode: &Opcode) -> Option<usize> {
        slot_place(model, opcode, self.number).map(|place| opcode.fields[place])
    }
}

/// Whether the operand at `place` and its sub-fields are where `first` has them.
fn same_operand(
    model: &Model,
    opcode: &Opcode,
    place: usize,
    first: &Opcode,
    field: &Field,
) -> bool {
    let own = operand_parts(model, opcode, &model.fields[opcode.fields[place]]);
    let others = operand_parts(model, first, field);
    own.len() == others.len()
        && own
            .iter()
            .zip(others)
            .all(|(a, b)| a.text == b.text && a.kind == b.kind && a.pieces == b.pieces)
}

/// An operand's field and its sub-fields.
fn operand_parts<'m>(model: &'m Model, opcode: &Opcode, operand: &Field) -> Vec<&'m Field> {
    let fields = opcode.fields.iter().map(|&id| &model.fields[id]);
    fields.filter(|field| field.name.base == operand.name.base).collect()
}

/// The place of the field that an opcode has in the n-th slot.
fn slot_place(model: &Model, opcode: &Opcode, number: usize) -> Option<usize> {
    let symbols = &model.syntaxes[opcode.syntax].symbols;
    let index = symbols.iter().position(|symbol| symbol.role == Role::Slot(number))?;
    opcode.bind.get(index).copied().flatten()
}

/// The sub-fields of the operands in a slot, over all members.
fn subs<'m>(model: &'m Model, members: &[&Opcode], number: usize) -> Vec<(&'m Ident, usize)> {
    let mut found: Vec<(&Ident, usize)> = Vec::new();
    for opcode in members {
        let Some(place) = slot_place(model, opcode, number) else { continue };
        let base = &model.fields[opcode.fields[place]].name.base;
        for &id in &opcode.fields {
            let field = &model.fields[id];
            if let Some(sub) = &field.name.sub
                && field.name.base == *base
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, id));
            }
        }
    }
    found
}

/// What a sub-field's bits are where an operand lacks it: the default that its siblings have.
fn default_bits(model: &Model, field: &Field) -> TokenStream {
    let ty = kind_type(&model.kinds[field.kind]);
    match &field.init {
        Init::Default(DefaultValue::Number(raw)) | Init::Fixed(raw) => quote!(#raw),
        Init::Default(DefaultValue::Named(name, _)) => {
            quote!(const { ::isa_core::operand::bits_of::<#ty>(#name) })
        }
        Init::Required => quote!(0),
    }
}

/// The value that an opcode fixes a field to.
fn default_value(model: &Model, field: &Field) -> TokenStream {
    let (ty, bits) = (kind_type(&model.kinds[field.kind]), default_bits(model, field));
    quote!(<#ty as ::isa_core::operand::FieldValue>::from_raw(#bits))
}

/// The name of a variable such that `body` sees it. A body that another call declares has come
/// through a macro, and a name in it means a variable only if that went the same way.
fn local(name: &Ident, body: &TokenStream) -> Ident {
    let mut name = name.clone();
    if let Some(used) = find(body.clone(), &name.to_string()) {
        name.set_span(name.span().resolved_at(used));
    }
    name
}

/// The place at which a name first occurs in the tokens.
fn find(tokens: TokenStream, name: &str) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == name).then(|| ident.span()),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}
