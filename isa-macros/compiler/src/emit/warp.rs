//! Semantics on a warp: rows of values are fetched, computed and stored.
//!
//! A body of one lane stands in a loop over the lanes; one of several lanes has all of them at once:
//!
//! ```text
//! fn __isa_HADD2_warp<const N: usize, SrcB: Source<Lane<N>>>(
//!     word: u128, machine: &mut Warp<N>, SrcB: impl Fn(u128) -> (SrcB, SignModi, SignModi, HSel2),
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
//! All that the word says is computed outside of the loop, which becomes vector code where the body is
//! inlined whole and makes no choices by jumps. A body that has all lanes chooses by jumps what is the
//! same for all: with the choices inside of the loop the video instructions took twice the time, and
//! HALU three to ten times. What an opcode fixes is passed as a function, so that it is a constant in
//! all that is compiled for it; else the lanes are computed in a function that all opcodes of the
//! optype share.

use proc_macro2::TokenStream;
use quote::quote;

use super::exec::machine_trait;
use super::variable::{machine, word};
use crate::core_path::CORE;
use crate::model::paths::kind_type;
use crate::plan::{Semantics, Setting, Slot};

impl Semantics<'_> {
    /// The function that computes all lanes of a warp: a loop around the body in which all but the
    /// lanes' values stays the same. It is compiled once an optype, since it is large; where the
    /// opcodes pass settings that they fix, for each, with those as constants.
    ///
    /// Where it is compiled apart from its callers, it takes from the word what all opcodes have
    /// alike, since passing that takes as long as the work.
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
            let inputs = self.inputs().filter_map(Slot::said_by_word);
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
            let inputs = self.inputs().map(Slot::in_lane);
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
                clippy::too_many_arguments, reason = "the names are the specification's")]
            #[inline(always)]
            fn #name<const __N: usize>(#word: u128, #(#params,)* #(#passed),*) -> #results {
                #all
            }
        }
    }

    /// The function that fetches, computes and stores for all lanes of a warp.
    pub(super) fn emit_warp(&self) -> TokenStream {
        let (warp, lanes, bound) =
            (self.name("warp"), self.name("lanes"), machine_trait(self.model));
        let generics = self.passed_slots().map(Slot::warp_generic);
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
                clippy::too_many_arguments, reason = "the names are the specification's")]
            #[inline(always)]
            fn #warp<const __N: usize #(, #generics)*>(
                #word: u128, #machine: &mut #CORE::machine::Warp<'_, __N>, #(#params),*
            ) where for<'w> #CORE::machine::Lane<'w, __N>: #bound {
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

    /// The `run_warp` of an opcode: by rows, or lane by lane where the body has a machine.
    pub(super) fn emit_run_warp(
        &self,
        kinds: &[TokenStream],
        passed: &[TokenStream],
    ) -> TokenStream {
        let (run, warp, bound) = (self.name("run"), self.name("warp"), machine_trait(self.model));
        let (word, machine) = (word(), machine());
        let all = if self.has_rows() {
            // Functions, so that a constant is one in all that is compiled for it.
            quote!(#warp::<__N #(, #kinds)*>(#word, #machine #(, |#word| #passed)*);)
        } else {
            quote! {
                for (lane, active) in #machine.active().into_iter().enumerate() {
                    if active {
                        #run::<#CORE::machine::Lane<'_, __N> #(, #kinds)*>(
                            #word, &mut #machine.lane(lane) #(, #passed)*
                        );
                    }
                }
            }
        };
        quote! {
            fn run_warp<const __N: usize>(
                #word: u128, #machine: &mut #CORE::machine::Warp<'_, __N>,
            ) where for<'w> #CORE::machine::Lane<'w, __N>: #bound {
                #all
            }
        }
    }
}
