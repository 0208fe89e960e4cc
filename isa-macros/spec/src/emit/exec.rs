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
//! word itself; what differs, here `SrcB` with its kind, the opcode passes:
//!
//! ```text
//! fn __isa_HADD2_run<M: Machine + ?Sized, SrcB: Source<M, Value = u32>>(
//!     word: u128, machine: &mut M, SrcB: (SrcB, SignModi, SignModi, HSel2),
//! );
//! impl HaluExecute for Hadd2RrOpcode {
//!     fn run<M: ..>(word: u128, machine: &mut __M) {
//!         __isa_HADD2_run::<M, Reg>(word, machine, (value_at(&[(32, 8)], word), ...))
//!     }
//! }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::early::with_outputs;
use super::effects::{give, outcome, success};
use super::names::{Names, escape};
use super::variable::{local, machine, word};
use crate::model::paths::{kind_type, semantics_name};
use crate::model::{Model, Opcode, Symbol};
use crate::plan::{Effects, Setting, Slot, settings};

/// The semantics functions of the call, and for each opcode that has semantics, what it passes to
/// its optype's function.
pub(crate) fn emit_semantics(model: &Model, names: &Names) -> TokenStream {
    let all = Semantics::all(model).into_iter().map(|semantics| semantics.emit(names));
    let faulty = model.opcodes.iter().filter(|o| o.semantics.is_some() && !runs_whole(o));
    let stubs = faulty.map(|opcode| emit_stub(model, names, opcode));
    all.chain(stubs).collect()
}

/// Whether an opcode has all that its semantics need.
fn runs_whole(opcode: &Opcode) -> bool {
    opcode.sound && opcode.has_lists && opcode.runs
}

/// The semantics of an opcode with a fault.
fn emit_stub(model: &Model, names: &Names, opcode: &Opcode) -> TokenStream {
    let (marker, bound) = (names.opcode_type(opcode), machine_trait(model));
    let (execute_trait, outcome) = (&names.execute_trait, outcome(model));
    let warp = model.trap.is_none().then(|| {
        quote! {
            fn run_warp<const __N: usize>(
                _word: u128, _machine: &mut ::isa_core::machine::Warp<'_, __N>,
            ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound {
                ::core::unreachable!()
            }
        }
    });
    quote! {
        impl #execute_trait for #marker {
            fn run<__M: #bound + ?::core::marker::Sized>(
                _word: u128, _machine: &mut __M,
            ) #outcome {
                ::core::unreachable!()
            }
            #warp
        }
    }
}

/// The trait that a machine must have.
pub(crate) fn machine_trait(model: &Model) -> TokenStream {
    model.machine.clone().unwrap_or_else(|| quote!(::isa_core::machine::Machine))
}

/// What the functions of one `semantics` section are made of.
pub(super) struct Semantics<'m> {
    pub(super) model: &'m Model,
    /// The opcodes that share the section.
    members: Vec<&'m Opcode>,
    body: &'m TokenStream,
    /// The number of lanes, where the body computes several at once.
    pub(super) lanes: Option<&'m Ident>,
    pub(super) guard: Option<&'m TokenStream>,
    effects: Effects<'m>,
    slots: Vec<Slot<'m>>,
    pub(super) settings: Vec<Setting<'m>>,
    /// Modules of other calls, whose names the bodies may use.
    modules: Vec<TokenStream>,
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
        let hidden = first.hidden.iter().filter(|symbol| {
            let same = |other: &&Symbol| other.role == symbol.role;
            members.iter().all(|opcode| opcode.hidden.iter().any(|other| same(&other)))
        });
        let symbols = symbols.iter().chain(hidden);
        let lanes = model.nodes[node].lanes.as_ref();
        let slots =
            symbols.filter_map(|symbol| Slot::of(model, &members, symbol, guard, lanes.is_some()));
        let slots = slots.collect();
        let settings = settings(model, &members, body);
        let (effects, modules) = (Effects::of(model, node, first), modules(model));
        Some(Semantics { model, members, body, lanes, guard, effects, slots, settings, modules })
    }

    pub(super) fn name(&self, what: &str) -> Ident {
        semantics_name(self.model, self.members[0], what)
    }

    pub(super) fn inputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    pub(super) fn outputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    /// The operands that the opcodes have each in their own way.
    pub(super) fn varying(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.field.is_none())
    }

    fn emit(&self, names: &Names) -> TokenStream {
        let carriers = self.inputs().map(|slot| slot.emit_carrier(self.model));
        let guard = self.guard.map(|guard| self.emit_guard(guard));
        let (body, shared) = (self.emit_body(), self.emit_shared());
        let lanes = self.has_rows().then(|| (self.emit_lanes(), self.emit_warp())).unzip();
        let (lanes, warp) = lanes;
        let runs = self.members.iter().map(|opcode| self.emit_run(names, opcode));
        quote!(#(#carriers)* #guard #body #shared #lanes #warp #(#runs)*)
    }

    /// Whether a warp computes rows of values, since a body changes nothing and always ends.
    pub(super) fn has_rows(&self) -> bool {
        self.model.trap.is_none() && self.effects.is_pure()
    }

    fn emit_guard(&self, guard: &TokenStream) -> TokenStream {
        let (name, modules) = (self.name("guard"), &self.modules);
        let params = self.inputs().filter(|slot| slot.guards).map(|slot| slot.param(guard, None));
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

    /// The body, inlined wherever it is called, and the same as a function for one lane, which
    /// the opcodes share.
    fn emit_body(&self) -> TokenStream {
        let Semantics { model, body, settings, modules, .. } = self;
        let (body, name, once) = (*body, self.name("body"), self.name("once"));
        let lanes = self.lanes.map(ToTokens::to_token_stream);
        let params = self.params(lanes.as_ref());
        let inputs = self.inputs().map(|slot| local(&slot.ident(), body));
        let setting_names = settings.iter().map(|setting| local(&escape(setting.name), body));
        let setting_names: Vec<_> = setting_names.collect();
        let lets = self.outputs().map(|slot| slot.declare(body, lanes.as_ref()));
        let outputs = self.outputs().map(|slot| local(&slot.ident(), body));
        let outputs: Vec<_> = outputs.collect();
        let uses = self.slots.iter().flat_map(|slot| slot.elsewhere(model, &self.members, body));
        let uses: Vec<Ident> = uses.collect();
        // The same slots in the templates of other opcodes, for editors: see `editor`.
        let uses = (!uses.is_empty()).then(|| {
            quote! {
                #[cfg(rust_analyzer)]
                let _ = (#(&#uses),*);
            }
        });
        let result = self.effects.result(quote!((#(#outputs,)*)));
        let body = with_outputs(body, &result);
        let result = self.effects.last(result, outputs.is_empty());
        let types = self.output_types(lanes.as_ref());
        let generic = lanes.as_ref().map(|lanes| quote!(<const #lanes: usize>));
        let once = self.effects.is_pure().then(|| {
            let one = self.lanes.map(|_| quote!(1));
            let (params, types) = (self.params(one.as_ref()), self.output_types(one.as_ref()));
            quote! {
                #[allow(non_snake_case, bindings_with_variant_name, clippy::too_many_arguments,
                    reason = "the names are the specification's")]
                #[inline]
                fn #once(#params) -> #types {
                    #name(#(#inputs,)* #(#setting_names),*)
                }
            }
        });
        quote! {
            #[allow(non_snake_case, unused_variables, unused_braces, bindings_with_variant_name,
                unexpected_cfgs, clippy::too_many_arguments, clippy::needless_late_init,
                clippy::needless_pass_by_value,
                reason = "the names and the body are the specification's")]
            #[inline(always)]
            fn #name #generic (#params) -> #types {
                #(#[allow(unused_imports, reason = "for the body")] use #modules::*;)*
                #(#lets)*
                { #body }
                #uses
                #result
            }
            #once
        }
    }

    /// The parameters of the body, for so many lanes where it has several at once.
    fn params(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let handle = self.effects.param();
        let params = self.inputs().map(|slot| slot.param(self.body, lanes));
        let settings = self.settings.iter().map(|setting| {
            let name = local(&escape(setting.name), self.body);
            let ty = kind_type(&self.model.kinds[setting.field.kind]);
            quote!(#name: #ty)
        });
        quote!(#handle #(#params,)* #(#settings),*)
    }

    /// What the body gives, likewise.
    fn output_types(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let types = self.outputs().map(|slot| slot.values(lanes));
        self.effects.output(quote!((#(#types,)*)))
    }

    /// The function that fetches, computes and stores.
    fn emit_shared(&self) -> TokenStream {
        let (run, bound) = (self.name("run"), machine_trait(self.model));
        let body = self.name(if self.effects.is_pure() { "once" } else { "body" });
        let (outcome, success) = (outcome(self.model), success(self.model));
        let wraps = success
            .as_ref()
            .map(|_| quote!(#[allow(clippy::unnecessary_wraps, reason = "others can trap")]));
        let generics = self.varying().map(Slot::generic);
        let params = self.own_types().into_iter().map(|(name, ty)| quote!(#name: #ty));
        let (early, late): (Vec<_>, Vec<_>) = self.inputs().partition(|slot| slot.guards);
        let guard = self.guard.map(|_| {
            let (guard, slots) = (self.name("guard"), early.iter().map(|slot| slot.input()));
            quote!(if !#guard(#(#slots),*) { return #success; })
        });
        let early = early.iter().map(|slot| slot.fetch(self.model));
        let late = late.iter().map(|slot| slot.fetch(self.model));
        let by_rows = self.lanes.is_some();
        let inputs = self.inputs().map(|slot| {
            let input = slot.input();
            if by_rows { slot.in_lanes(&quote!([#input.value])) } else { input.to_token_stream() }
        });
        let outputs = self.outputs().map(|slot| {
            let output = slot.output();
            if by_rows { quote!([#output]) } else { output.to_token_stream() }
        });
        // The function for one lane has its number.
        let one = (by_rows && !self.effects.is_pure()).then(|| quote!(::<1>));
        let settings = self.settings.iter().map(|setting| setting.read(self.model));
        let stores = self.outputs().map(|slot| slot.store(self.model));
        let (word, machine) = (word(), machine());
        let (handle, propagate) = (self.effects.argument(), self.effects.propagate());
        quote! {
            #[allow(non_snake_case, non_camel_case_types, clippy::too_many_arguments,
                reason = "the names are the specification's")]
            #wraps
            #[inline(always)]
            fn #run<__M: #bound + ?::core::marker::Sized #(, #generics)*>(
                #word: u128, #machine: &mut __M, #(#params),*
            ) #outcome {
                #(#early)*
                #guard
                #(#late)*
                let (#(#outputs,)*) = #body #one (#handle #(#inputs,)* #(#settings),*) #propagate;
                #(#stores)*
                #success
            }
        }
    }

    /// What each opcode passes to the shared functions, since it has it in its own way: operands
    /// with their sub-fields, and settings.
    pub(super) fn own_types(&self) -> Vec<(Ident, TokenStream)> {
        let operands = self.varying().map(|slot| (slot.ident(), slot.parts(self.model)));
        let settings = self.settings.iter().filter(|s| s.id.is_none()).map(|setting| {
            (escape(setting.name), kind_type(&self.model.kinds[setting.field.kind]))
        });
        operands.chain(settings).collect()
    }

    /// What one opcode passes.
    fn own_values(&self, opcode: &Opcode) -> Vec<TokenStream> {
        let operands = self.varying().filter_map(|slot| slot.own_parts(self.model, opcode));
        let settings = self.settings.iter().filter(|setting| setting.id.is_none());
        operands.chain(settings.map(|setting| setting.value(self.model, opcode))).collect()
    }

    /// What one opcode passes to the shared functions.
    fn emit_run(&self, names: &Names, opcode: &Opcode) -> TokenStream {
        let Semantics { model, .. } = self;
        let marker = names.opcode_type(opcode);
        let (run, bound, outcome) = (self.name("run"), machine_trait(model), outcome(model));
        let execute_trait = &names.execute_trait;
        let kinds: Vec<_> = self
            .varying()
            .filter_map(|slot| {
                let id = slot.own_field(model, opcode)?;
                Some(kind_type(&model.kinds[model.fields[id].kind]))
            })
            .collect();
        let (word, machine, passed) = (word(), machine(), self.own_values(opcode));
        let warp = model.trap.is_none().then(|| self.emit_run_warp(&kinds, &passed));
        let call = give(model, &quote!(#run::<__M #(, #kinds)*>(#word, #machine #(, #passed)*)));
        quote! {
            impl #execute_trait for #marker {
                #[inline]
                fn run<__M: #bound + ?::core::marker::Sized>(
                    #word: u128, #machine: &mut __M,
                ) #outcome {
                    #call
                }
                #warp
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
