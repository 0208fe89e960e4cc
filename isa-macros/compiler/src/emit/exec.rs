//! Emits semantics. A semantic function of an optype computes values from its operands. A second
//! function fetches the operands, calls the first and stores the results. A line for each opcode passes
//! the positions of the operands.
//!
//! The semantic function contains the author's code, token for token. It is wrapped as follows:
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
//! Therefore rustc itself reports a name that is not an input, an output that is not assigned, and an
//! assignment to an input. Operands that are the same in all opcodes of the optype are read from the
//! word by the second function. Operands that differ are passed by the opcode, here `SrcB` with its
//! operand type:
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
//!
//! All operands are read before any is written. A semantic function has no access to the machine, unless
//! it declares a handle. `guard` is a separate section: if it is false, no other operand is fetched.
//!
//! These functions contain the positions of fields as constants and do not read them from the tables.
//! The reason is that generic functions are compiled in the crate that calls them, and the optimiser
//! does not treat tables of another crate as constants. Reading 15 fields by the table took 50 ns. For
//! the same reason `decode` uses the tree and the list of opcodes as constants.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::names::{GeneratedNames, machine, word};
use super::return_rewrite::with_outputs;
use crate::core_path::CORE;
use crate::model::names::kind_type;
use crate::model::{Model, Opcode};
use crate::plan::{
    ArgumentValue, Caller, Effects, OperandArgument, Plan, Sections, SemanticOperand, Semantics,
    Setting,
};
use crate::syntax::ast::MachineHandle;

/// Emits the semantic functions of the call and, for each opcode with semantics, the arguments that it
/// passes to the functions of its optype.
pub(crate) fn emit_semantics(plan: &Plan<'_>, names: &GeneratedNames) -> TokenStream {
    let Sections { all, faulty, guards, modules } = &plan.semantics;
    let uses = quote!(#(#[allow(unused_imports, reason = "only some semantic functions use it")] use #modules::*;)*);
    let all = all.iter().map(|semantics| semantics.emit(names, &uses));
    let stubs = faulty.iter().map(|opcode| emit_stub(plan.model, names, opcode));
    all.chain(stubs).chain(guards.emit(plan.model, names, &uses)).collect()
}

/// Emits semantics that panic, for an opcode with an error.
fn emit_stub(model: &Model, names: &GeneratedNames, opcode: &Opcode) -> TokenStream {
    let (marker, bound) = (names.opcode_type(opcode), machine_trait(model));
    let (execute_trait, outcome) = (&names.execute_trait, outcome(model));
    let warp = model.trap.is_none().then(|| {
        quote! {
            fn run_warp<const __N: usize, __P>(
                _word: u128, _machine: &mut #CORE::machine::Warp<'_, __N, __P>,
            ) where for<'w> #CORE::machine::Lane<'w, __N, __P>: #bound {
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

/// Returns the trait that a machine must implement.
pub(crate) fn machine_trait(model: &Model) -> TokenStream {
    model.machine.clone().unwrap_or_else(|| quote!(#CORE::machine::Machine))
}

impl Semantics<'_> {
    fn emit(&self, names: &GeneratedNames, uses: &TokenStream) -> TokenStream {
        let carriers = self.inputs().map(SemanticOperand::emit_carrier);
        let guard = self.guard.map(|guard| self.emit_guard(guard, uses));
        let (body, shared) = (self.emit_body(uses), self.emit_shared());
        let lanes = self.has_rows().then(|| (self.emit_lanes(), self.emit_warp())).unzip();
        let (lanes, warp) = lanes;
        let runs = self.callers.iter().map(|caller| self.emit_run(names, caller));
        quote!(#(#carriers)* #guard #body #shared #lanes #warp #(#runs)*)
    }

    pub(super) fn emit_guard(&self, guard: &TokenStream, uses: &TokenStream) -> TokenStream {
        let (name, params) =
            (self.name("guard"), self.inputs().filter_map(SemanticOperand::guard_param));
        quote! {
            #[allow(non_snake_case, unused_variables, bindings_with_variant_name,
                reason = "the names come from the specification")]
            #[inline]
            fn #name(#(#params),*) -> bool {
                #uses
                #guard
            }
        }
    }

    /// Emits the semantic function, which is inlined into each caller, and a function for one lane that
    /// calls it and that the opcodes share.
    fn emit_body(&self, modules: &TokenStream) -> TokenStream {
        let (name, once) = (self.name("body"), self.name("once"));
        let lanes = self.lanes.map(ToTokens::to_token_stream);
        let params = self.params(lanes.as_ref());
        let inputs = self.inputs().map(SemanticOperand::in_body);
        let settings = self.settings.iter().map(Setting::in_body);
        let lets = self.outputs().map(|slot| slot.declare(lanes.as_ref()));
        let outputs: Vec<Ident> = self.outputs().map(SemanticOperand::in_body).collect();
        let uses: Vec<Ident> = self.slots.iter().flat_map(SemanticOperand::elsewhere).collect();
        // The same slots in the templates of other opcodes, for editors; see `editor`.
        let uses = (!uses.is_empty()).then(|| {
            quote! {
                #[cfg(rust_analyzer)]
                let _ = (#(&#uses),*);
            }
        });
        let result = self.effects.result(quote!((#(#outputs,)*)));
        let body = with_outputs(self.body, &result);
        let result = self.effects.last(result, outputs.is_empty());
        let types = self.output_types(lanes.as_ref());
        let generic = lanes.as_ref().map(|lanes| quote!(<const #lanes: usize>));
        let once = self.effects.is_pure().then(|| {
            let one = self.lanes.map(|_| quote!(1));
            let (params, types) = (self.params(one.as_ref()), self.output_types(one.as_ref()));
            quote! {
                #[allow(non_snake_case, bindings_with_variant_name, clippy::too_many_arguments,
                    reason = "the names come from the specification")]
                #[inline]
                fn #once(#params) -> #types {
                    #name(#(#inputs,)* #(#settings),*)
                }
            }
        });
        quote! {
            #[allow(non_snake_case, unused_variables, unused_braces, bindings_with_variant_name,
                unexpected_cfgs, clippy::too_many_arguments, clippy::needless_late_init,
                clippy::needless_pass_by_value,
                reason = "the names and the code come from the specification")]
            #[inline(always)]
            fn #name #generic (#params) -> #types {
                #modules
                #(#lets)*
                { #body }
                #uses
                #result
            }
            #once
        }
    }

    /// Returns the parameters of the semantic function, for `lanes` lanes if it computes several at
    /// once.
    fn params(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let handle = self.effects.param();
        let params = self.inputs().map(|slot| slot.param(lanes));
        let settings = self.settings.iter().map(|setting| {
            let (name, ty) = (setting.in_body(), kind_type(setting.kind));
            quote!(#name: #ty)
        });
        quote!(#handle #(#params,)* #(#settings),*)
    }

    /// Returns the result type of the semantic function, for `lanes` lanes if it computes several at
    /// once.
    fn output_types(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let types = self.outputs().map(|slot| slot.values(lanes));
        self.effects.output(quote!((#(#types,)*)))
    }

    /// Emits the function that fetches operands, computes and stores results.
    fn emit_shared(&self) -> TokenStream {
        let (run, bound) = (self.name("run"), machine_trait(self.model));
        let body = self.name(if self.effects.is_pure() { "once" } else { "body" });
        let (outcome, success) = (outcome(self.model), success(self.model));
        let wraps = success.as_ref().map(
            |_| quote!(#[allow(clippy::unnecessary_wraps, reason = "other opcodes can trap")]),
        );
        let generics = self.passed_slots().map(SemanticOperand::generic);
        let params = self.own_types().into_iter().map(|(name, ty)| quote!(#name: #ty));
        let (early, late): (Vec<_>, Vec<_>) =
            self.inputs().partition(|slot| slot.in_guard.is_some());
        let guard = self.guard.map(|_| {
            let (guard, slots) = (self.name("guard"), early.iter().map(|slot| slot.input()));
            quote!(if !#guard(#(#slots),*) { return #success; })
        });
        let early = early.iter().map(|slot| slot.fetch());
        let late = late.iter().map(|slot| slot.fetch());
        let by_rows = self.lanes.is_some();
        let inputs = self.inputs().map(|slot| {
            let input = slot.input();
            if by_rows { slot.in_lanes(&quote!([#input.value])) } else { input.to_token_stream() }
        });
        let outputs = self.outputs().map(|slot| {
            let output = slot.output();
            if by_rows { quote!([#output]) } else { output.to_token_stream() }
        });
        // The function for one lane already fixes the number of lanes.
        let one = (by_rows && !self.effects.is_pure()).then(|| quote!(::<1>));
        let settings = self.settings.iter().map(Setting::read);
        let stores = self.outputs().map(SemanticOperand::store);
        let (word, machine) = (word(), machine());
        let (handle, propagate) = (self.effects.argument(), self.effects.propagate());
        quote! {
            #[allow(non_snake_case, non_camel_case_types, clippy::too_many_arguments,
                reason = "the names come from the specification")]
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

    /// Returns the names and types of the arguments that each opcode passes to the shared functions:
    /// operands with their sub-fields, and settings (fields that are not operands).
    pub(super) fn own_types(&self) -> Vec<(Ident, TokenStream)> {
        let operands = self.passed_slots().map(|slot| (slot.ident(), slot.parts()));
        let settings = self.passed_settings();
        operands.chain(settings.map(|one| (one.ident(), kind_type(one.kind)))).collect()
    }

    /// Emits the calls of the shared functions for one opcode.
    fn emit_run(&self, names: &GeneratedNames, caller: &Caller<'_>) -> TokenStream {
        let (Semantics { model, .. }, Caller { opcode, operands, settings }) = (self, caller);
        let (marker, execute_trait) = (names.opcode_type(opcode), &names.execute_trait);
        let (run, bound, outcome) = (self.name("run"), machine_trait(model), outcome(model));
        let kinds: Vec<_> = operands.iter().map(OperandArgument::kind).collect();
        let passed = operands
            .iter()
            .map(OperandArgument::parts)
            .chain(settings.iter().map(ArgumentValue::emit));
        let (word, machine, passed) = (word(), machine(), passed.collect::<Vec<_>>());
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

impl Effects<'_> {
    /// Returns the parameter for the machine. The name and the traits are the author's tokens, so that
    /// the semantic function can use the variable even if it comes from another macro.
    pub(super) fn param(&self) -> Option<TokenStream> {
        let MachineHandle { name, bounds } = self.handle?;
        Some(quote!(#name: &mut (impl #(#bounds +)* ?::core::marker::Sized),))
    }

    /// Returns the argument for the machine. rustc reports a missing trait at the traits.
    pub(super) fn argument(&self) -> Option<TokenStream> {
        let place = last_name(self.handle?.bounds.first()?)?.span();
        let mut machine = machine();
        machine.set_span(machine.span().located_at(place));
        Some(quote!(#machine,))
    }

    /// Returns the return type of the semantic function.
    pub(super) fn output(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(trap) => quote!(::core::result::Result<#outputs, #trap>),
            None => outputs,
        }
    }

    /// Returns the result of a semantic function that does not trap.
    pub(super) fn result(&self, outputs: TokenStream) -> TokenStream {
        match self.trap {
            Some(_) => quote!(::core::result::Result::Ok(#outputs)),
            None => outputs,
        }
    }

    /// Returns the last statement of the generated function. It is unreachable if the semantic function
    /// always traps.
    pub(super) fn last(&self, result: TokenStream, is_unit: bool) -> Option<TokenStream> {
        match self.trap {
            Some(_) => Some(quote! {
                #[allow(unreachable_code, clippy::needless_return, reason = "depends on the semantic function")]
                return #result;
            }),
            None => (!is_unit).then_some(result),
        }
    }

    /// Returns the `?` after the call of a semantic function that can trap.
    pub(super) fn propagate(&self) -> Option<TokenStream> {
        self.trap.map(|_| quote!(?))
    }
}

/// Returns the return type of `execute`.
pub(super) fn outcome(model: &Model) -> Option<TokenStream> {
    let trap = model.trap.as_ref()?;
    Some(quote!(-> ::core::result::Result<(), #trap>))
}

/// Returns the result of `execute` without a trap.
pub(super) fn success(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| quote!(::core::result::Result::Ok(())))
}

/// Returns a call at the end of a function, as an expression if `execute` returns a result.
pub(super) fn give(model: &Model, call: &TokenStream) -> TokenStream {
    if model.trap.is_some() { call.clone() } else { quote!(#call;) }
}

/// Returns the documentation of the errors that `execute` returns.
pub(super) fn errors_doc(model: &Model) -> Option<TokenStream> {
    model.trap.as_ref().map(|_| {
        quote! {
            ///
            /// # Errors
            ///
            /// Returns the trap of the instruction. In that case no operand is stored.
        }
    })
}

/// Returns the last path segment of each trait, for documentation.
pub(super) fn trait_names(handle: &MachineHandle) -> Vec<String> {
    let name = |path: &TokenStream| last_name(path).map(|name| name.to_string());
    handle.bounds.iter().filter_map(name).collect()
}

/// Returns the last segment of a path, without generic arguments.
fn last_name(path: &TokenStream) -> Option<Ident> {
    let trees = path.clone().into_iter();
    let trees = trees.take_while(|tree| !matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'));
    let names = trees.filter_map(|tree| match tree {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    names.last()
}
