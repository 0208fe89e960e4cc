//! Emits semantics for a warp, which fetches, computes and stores rows of values.
//!
//! A semantic function for one lane is called in a loop over the lanes. A function for several lanes
//! gets all of them at once:
//!
//! ```text
//! fn __isa_HADD2_warp<const N: usize, P, SrcB: Source<Lane<N, P>>>(
//!     word: u128, machine: &mut Warp<N, P>, SrcB: impl Fn(u128) -> (SrcB, SignModi, SignModi, HSel2),
//! ) {
//!     vectorize(|| {
//!         let Ra_row = machine.fetch(..);
//!         ..
//!         let results = __isa_HADD2_lanes(word, &Ra_row, SrcB, &SrcB_row);
//!         machine.store(.., &active, |lane| results[lane].0);
//!     })
//! }
//! ```
//!
//! Everything that depends only on the word is computed outside of the loop. The compiler vectorizes
//! the loop if the semantic function is inlined completely and contains no branches. Therefore a
//! function for all lanes can branch outside of its loops, once, on a condition that is the same for
//! all lanes. With these branches inside the loop, the video instructions took twice the time, and HALU
//! three to ten times. A value that an opcode fixes is passed as a function, so that it is a constant
//! in the code compiled for the opcode. If there are no such values, the lanes are computed in a
//! function that all opcodes of the optype share.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::exec::machine_trait;
use super::names::{GeneratedNames, machine, word};
use crate::core_path::CORE;
use crate::model::Model;
use crate::model::names::kind_type;
use crate::plan::{Guards, SemanticOperand, Semantics, Setting};

impl Guards<'_> {
    /// Emits the function that evaluates the guard of an opcode for a warp, or nothing if the call has no
    /// guards:
    ///
    /// ```text
    /// fn __Halu_guarded<const N: usize, P>(index: usize, word: u128, machine: &mut Warp<N, P>)
    /// -> Option<[bool; N]> {
    ///     match index { 0 | 1 | 2 => Some({ /* guard */ }), _ => None }
    /// }
    /// ```
    ///
    /// The function is inlined with a constant index. So an opcode has no code for its guard, unless the
    /// guard is used.
    pub(super) fn emit(
        &self,
        model: &Model,
        names: &GeneratedNames,
        uses: &TokenStream,
    ) -> Option<TokenStream> {
        let (name, bound) = (&names.guarded, machine_trait(model));
        let (word, machine) = (word(), machine());
        let arms = self.groups.iter().map(|(semantics, opcodes)| {
            let opcodes = opcodes.iter().copied().map(Literal::usize_unsuffixed);
            let slots = &semantics.slots;
            let guard = semantics.guard.map(|guard| semantics.emit_guard(guard, uses));
            let (function, inputs) = (semantics.name("guard"), slots.iter().map(|o| o.in_lane()));
            let (carriers, fetched) = (
                slots.iter().map(SemanticOperand::emit_carrier),
                slots.iter().map(|slot| slot.fetch_lanes(false)),
            );
            quote!(#(#opcodes)|* => {
                #(#carriers)* #guard #(#fetched)*
                #CORE::machine::keep_lanes(&#machine.active(), #[inline(always)] |lane| {
                    #function(#(#inputs),*)
                })
            })
        });
        (!self.groups.is_empty()).then(|| {
            quote! {
                #[allow(non_snake_case, unused_variables, clippy::too_many_lines,
                    reason = "the names come from the specification")]
                #[inline(always)]
                fn #name<const __N: usize, __P>(
                    index: usize, #word: u128, #machine: &mut #CORE::machine::Warp<'_, __N, __P>,
                ) -> ::core::option::Option<[bool; __N]>
                where for<'w> #CORE::machine::Lane<'w, __N, __P>: #bound {
                    ::core::option::Option::Some(match index {
                        #(#arms)*
                        _ => return ::core::option::Option::None,
                    })
                }
            }
        })
    }
}

impl Semantics<'_> {
    /// Emits the function that computes all lanes of a warp: a loop around the semantic function, in
    /// which only the values of the lanes change. It is compiled once for an optype, because it is
    /// large. If the opcodes pass settings (fields that are not operands) that they fix, the function
    /// is compiled for each opcode, with these settings as constants.
    ///
    /// If the function is compiled separately from its callers, it extracts all operands that the
    /// opcodes share from the word again. To pass these operands as arguments would take as long as the
    /// computation.
    pub(super) fn emit_lanes(&self) -> TokenStream {
        let (name, body) = (self.name("lanes"), self.name("body"));
        let apart = self.is_apart();
        let params = self.inputs().map(|slot| slot.row_params(apart));
        let passed = self.settings.iter().filter(|_| !apart).map(|setting| {
            let (name, ty) = (setting.ident(), kind_type(setting.kind));
            quote!(#name: #ty)
        });
        let names: Vec<_> = self.settings.iter().map(Setting::ident).collect();
        let from_word = apart.then(|| {
            let inputs = self.inputs().filter_map(SemanticOperand::said_by_word);
            let settings = self.settings.iter().map(Setting::read);
            quote!(#(#inputs)* #(let #names = #settings;)*)
        });
        let n = quote!(__N);
        let (all, results) = if self.lanes.is_some() {
            let inputs = self.inputs().map(|slot| {
                let row = slot.row();
                slot.in_lanes(&quote!(*#row))
            });
            let types = self.outputs().map(|slot| slot.values(Some(&n)));
            (quote!(#body::<__N>(#(#inputs,)* #(#names),*)), quote!((#(#types,)*)))
        } else {
            let inputs = self.inputs().map(SemanticOperand::in_lane);
            let types = self.outputs().map(|slot| slot.values(None));
            let all = quote! {
                #CORE::machine::for_each_lane(#[inline(always)] |lane| {
                    #body(#(#inputs,)* #(#names),*)
                })
            };
            (all, quote!([(#(#types,)*); __N]))
        };
        let all = if apart {
            quote!(#CORE::machine::vectorize(#[inline(always)] move || { #from_word #all }))
        } else {
            all
        };
        let word = word();
        quote! {
            #[allow(non_snake_case, unused_variables, bindings_with_variant_name,
                clippy::too_many_arguments, reason = "the names come from the specification")]
            #[inline(always)]
            fn #name<const __N: usize>(#word: u128, #(#params,)* #(#passed),*) -> #results {
                #all
            }
        }
    }

    /// Emits the function that fetches, computes and stores for all lanes of a warp.
    pub(super) fn emit_warp(&self) -> TokenStream {
        let (warp, lanes, bound) =
            (self.name("warp"), self.name("lanes"), machine_trait(self.model));
        let generics = self.passed_slots().map(SemanticOperand::warp_generic);
        let own = self.own_types();
        let own_names = own.iter().map(|(name, _)| name);
        let params =
            own.iter().map(|(name, ty)| quote!(#name: impl Fn(u128) -> #ty + ::core::marker::Copy));
        let (early, late): (Vec<_>, Vec<_>) =
            self.inputs().partition(|slot| slot.in_guard.is_some());
        let guard = self.guard.map(|_| {
            let (guard, slots) = (self.name("guard"), early.iter().map(|slot| slot.in_lane()));
            quote! {
                let active = #CORE::machine::keep_lanes(&active, #[inline(always)] |lane| {
                    #guard(#(#slots),*)
                });
            }
        });
        let apart = self.is_apart();
        let early = early.iter().map(|slot| slot.fetch_lanes(apart));
        let late = late.iter().map(|slot| slot.fetch_lanes(apart));
        let inputs = self.inputs().map(|slot| slot.row_arguments(apart));
        let settings = self.settings.iter().filter(|_| !apart).map(Setting::read);
        let stores = self.outputs().enumerate().map(|(place, slot)| slot.store_lanes(place));
        let (word, machine) = (word(), machine());
        let own_names: Vec<_> = own_names.collect();
        quote! {
            #[allow(non_snake_case, non_camel_case_types, unused_variables,
                clippy::too_many_arguments, reason = "the names come from the specification")]
            #[inline(always)]
            fn #warp<const __N: usize, __P #(, #generics)*>(
                #word: u128, #machine: &mut #CORE::machine::Warp<'_, __N, __P>, #(#params),*
            ) where for<'w> #CORE::machine::Lane<'w, __N, __P>: #bound {
                #CORE::machine::vectorize(#[inline(always)] move || {
                    #(let #own_names = #own_names(#word);)*
                    let active = #machine.active();
                    #(#early)*
                    #guard
                    if active == [false; __N] { return; }
                    #(#late)*
                    let results = #lanes::<__N>(#word, #(#inputs,)* #(#settings),*);
                    #(#stores)*
                });
            }
        }
    }

    /// Emits the `run_warp` of an opcode. It uses rows of values, or one lane at a time if the semantic
    /// function uses the machine.
    pub(super) fn emit_run_warp(
        &self,
        kinds: &[TokenStream],
        passed: &[TokenStream],
    ) -> TokenStream {
        let (run, warp, bound) = (self.name("run"), self.name("warp"), machine_trait(self.model));
        let (word, machine) = (word(), machine());
        let all = if self.has_rows() {
            // The arguments are passed as functions, so that a constant of the opcode is still a
            // constant in all code that is compiled for it.
            quote!(#warp::<__N, __P #(, #kinds)*>(#word, #machine #(, |#word| #passed)*);)
        } else {
            quote! {
                for (lane, active) in #machine.active().into_iter().enumerate() {
                    if active {
                        #run::<#CORE::machine::Lane<'_, __N, __P> #(, #kinds)*>(
                            #word, &mut #machine.lane(lane) #(, #passed)*
                        );
                    }
                }
            }
        };
        quote! {
            fn run_warp<const __N: usize, __P>(
                #word: u128, #machine: &mut #CORE::machine::Warp<'_, __N, __P>,
            ) where for<'w> #CORE::machine::Lane<'w, __N, __P>: #bound {
                #all
            }
        }
    }
}
