//! Operands as the semantics see them: a value with its sub-fields.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::names::escape;
use super::variable::{machine, placed_at};
use crate::core_path::CORE;
use crate::model::paths::kind_type;
use crate::plan::{OwnOperand, Slot};

impl Slot<'_> {
    pub(super) fn ident(&self) -> Ident {
        self.ident_at(self.symbol.span)
    }

    /// The variable that is the operand in the body.
    pub(super) fn in_body(&self) -> Ident {
        self.ident_at(self.in_body)
    }

    fn ident_at(&self, place: Span) -> Ident {
        escape(&Ident::new(&self.symbol.name, place))
    }

    /// The variable that holds the operand in the shared function.
    pub(super) fn input(&self) -> Ident {
        format_ident!("{}_in", self.symbol.name)
    }

    /// The variable that holds what is to be stored.
    pub(super) fn output(&self) -> Ident {
        format_ident!("{}_out", self.symbol.name)
    }

    /// The operand as a parameter of the body, which may have several lanes at once.
    pub(super) fn param(&self, lanes: Option<&TokenStream>) -> TokenStream {
        self.param_at(self.in_body, lanes)
    }

    /// The operand as a parameter of the guard, if that has it.
    pub(super) fn guard_param(&self) -> Option<TokenStream> {
        self.in_guard.map(|place| self.param_at(place, None))
    }

    fn param_at(&self, place: Span, lanes: Option<&TokenStream>) -> TokenStream {
        let (name, carrier, value) = (self.ident_at(place), &self.carrier, self.values(lanes));
        if self.by_rows { quote!(#name: #carrier<#value>) } else { quote!(#name: #carrier) }
    }

    /// The type of the operand's value, in a body that has several lanes at once of the values.
    pub(super) fn values(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let value = &self.value;
        lanes.map_or_else(|| value.clone(), |lanes| quote!([#value; #lanes]))
    }

    /// `let Rd: u32;`, or for an operand that is also read, a copy to change.
    pub(super) fn declare(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let (name, span) = (self.in_body(), self.symbol.span);
        // What rustc says of the variable is shown at the slot.
        let value = self.values(lanes).into_iter().map(|tree| placed_at(tree, span));
        let value: TokenStream = value.collect();
        if self.read {
            quote_spanned!(span=> #[allow(unused_mut, reason = "may stay")] let mut #name: #value = #name.value;)
        } else if self.is_named {
            quote_spanned!(span=> let #name: #value;)
        } else {
            // A fault that is reported: rustc is not to report it once more.
            quote_spanned!(span=> let #name: #value =
                ::core::option::Option::None.unwrap_or_else(|| ::core::unreachable!());)
        }
    }

    /// The slot where the templates of other opcodes have it under the same name.
    pub(super) fn elsewhere(&self) -> impl Iterator<Item = Ident> {
        self.elsewhere.iter().map(|&place| self.ident_at(place))
    }

    pub(super) fn emit_carrier(&self) -> TokenStream {
        let Slot { carrier, value, subs, .. } = self;
        // All that an affix stands for are called alike: none is renamed alone.
        let names = subs.iter().map(|(name, _)| {
            let mut name = escape(name);
            name.set_span(name.span().resolved_at(Span::call_site()));
            name
        });
        let types = subs.iter().map(|(_, sub)| kind_type(sub.kind));
        let (generic, value) =
            if self.by_rows { (Some(quote!(<__V>)), quote!(__V)) } else { (None, value.clone()) };
        // What rustc says of the type is shown at the slot.
        let head = quote_spanned!(self.symbol.span=> struct);
        let mut parts = Group::new(Delimiter::Brace, quote!(value: #value, #(#names: #types),*));
        parts.set_span(self.symbol.span);
        quote! {
            #[derive(Clone, Copy)]
            #[allow(non_camel_case_types, dead_code, reason = "the names are the specification's")]
            #head #carrier #generic #parts
        }
    }

    /// `SrcB: Source<M, Value = u32>`: the kind of an operand that varies.
    pub(super) fn generic(&self) -> TokenStream {
        let (name, value) = (self.ident(), &self.value);
        let source = self.read.then(|| quote!(+ #CORE::machine::Source<__M>));
        let sink = self.written.then(|| quote!(+ #CORE::machine::Sink<__M>));
        quote!(#name: #CORE::operand::OperandKind<Value = #value> #source #sink)
    }

    /// The variable that holds the operand's values in all lanes of a warp.
    pub(super) fn row(&self) -> Ident {
        format_ident!("{}_row", self.symbol.name)
    }

    /// The parameters by which the lanes of an operand are passed: where they are computed apart,
    /// only what the word does not say.
    pub(super) fn row_params(&self, apart: bool) -> TokenStream {
        let Slot { carrier, value, .. } = self;
        let (input, row) = (self.input(), self.row());
        let generic = self.by_rows.then(|| quote!(<#value>));
        let own = self.is_passed(apart).then(|| quote!(#input: #carrier #generic,));
        quote!(#own #row: &[#value; __N])
    }

    /// The arguments for the parameters that [`Slot::row_params`] gives.
    pub(super) fn row_arguments(&self, apart: bool) -> TokenStream {
        let (input, row) = (self.input(), self.row());
        let own = self.is_passed(apart).then(|| quote!(#input,));
        quote!(#own &#row)
    }

    fn is_passed(&self, apart: bool) -> bool {
        !apart || self.alike.is_none()
    }

    /// The operand as far as the word says it, read once more where the lanes are computed.
    pub(super) fn said_by_word(&self) -> Option<TokenStream> {
        let row = self.row();
        self.alike.as_ref().map(|_| self.fill(&quote!(#row[0])))
    }

    /// The operand with the values of several lanes.
    pub(super) fn in_lanes(&self, values: &TokenStream) -> TokenStream {
        let (carrier, input) = (&self.carrier, self.input());
        let subs: Vec<_> = self.subs.iter().map(|(sub, _)| escape(sub)).collect();
        quote!(#carrier { value: #values, #(#subs: #input.#subs),* })
    }

    /// The operand in one lane.
    pub(super) fn in_lane(&self) -> TokenStream {
        let (carrier, input, row) = (&self.carrier, self.input(), self.row());
        let rest = (!self.subs.is_empty()).then(|| quote!(, ..#input));
        quote!(#carrier { value: #row[lane] #rest })
    }

    /// The type of an operand that varies, with its sub-fields.
    pub(super) fn parts(&self) -> TokenStream {
        let (name, subs) = (self.ident(), self.subs.iter().map(|(_, sub)| kind_type(sub.kind)));
        quote!((#name, #(#subs),*))
    }

    /// The kind of an operand that varies, in the function for all lanes of a warp.
    pub(super) fn warp_generic(&self) -> TokenStream {
        let (name, value) = (self.ident(), &self.value);
        let lane = quote!(#CORE::machine::Lane<'w, __N>);
        let source = self.read.then(|| quote!(+ for<'w> #CORE::machine::Source<#lane>));
        let sink = self.written.then(|| quote!(+ for<'w> #CORE::machine::Sink<#lane>));
        quote!(#name: #CORE::operand::OperandKind<Value = #value> #source #sink)
    }

    /// The kind of the operand in the shared function.
    fn kind(&self) -> TokenStream {
        match &self.alike {
            Some(operand) => operand.kind(),
            None => self.ident().into_token_stream(),
        }
    }

    /// The operand itself in the shared function.
    fn operand(&self) -> TokenStream {
        let name = self.ident();
        match &self.alike {
            Some(operand) => operand.value.emit(),
            None => quote!(#name.0),
        }
    }

    /// `let Ra_in = __isa_HADD2_Ra { value: fetch(...), neg: ..., ... };`
    pub(super) fn fetch(&self) -> TokenStream {
        let (kind, operand, machine) = (self.kind(), self.operand(), machine());
        self.fill(&quote!(<#kind as #CORE::machine::Source<__M>>::fetch(#operand, #machine)))
    }

    /// `let Ra_row = machine.fetch(...);`: the values of all lanes of a warp; and the operand,
    /// where it is used.
    pub(super) fn fetch_lanes(&self, apart: bool) -> TokenStream {
        let (operand, machine, row) = (self.operand(), machine(), self.row());
        let is_used = self.in_guard.is_some() || self.is_passed(apart);
        let input = is_used.then(|| self.fill(&quote!(#row[0])));
        quote!(let #row = #machine.fetch(#operand); #input)
    }

    fn fill(&self, value: &TokenStream) -> TokenStream {
        let (input, carrier, name) = (self.input(), &self.carrier, self.ident());
        let values = (0..self.subs.len()).map(|place| match &self.alike {
            Some(operand) => operand.subs[place].emit(),
            None => {
                let place = Literal::usize_unsuffixed(place + 1);
                quote!(#name.#place)
            }
        });
        let subs = self.subs.iter().map(|(sub, _)| escape(sub));
        quote!(let #input = #carrier { value: #value, #(#subs: #values),* };)
    }

    pub(super) fn store(&self) -> TokenStream {
        let (output, kind) = (self.output(), self.kind());
        let (operand, machine) = (self.operand(), machine());
        quote!(<#kind as #CORE::machine::Sink<__M>>::store(#operand, #machine, #output);)
    }

    /// Stores the operand in the lanes of a warp; `place` is that of the output among the results.
    pub(super) fn store_lanes(&self, place: usize) -> TokenStream {
        let (operand, machine) = (self.operand(), machine());
        let place = Literal::usize_unsuffixed(place);
        let result =
            if self.by_rows { quote!(results.#place[lane]) } else { quote!(results[lane].#place) };
        quote!(#machine.store(#operand, &active, |lane| #result);)
    }
}

impl OwnOperand<'_> {
    pub(super) fn kind(&self) -> TokenStream {
        kind_type(self.value.kind)
    }

    /// The operand with its sub-fields, as an opcode passes it.
    pub(super) fn parts(&self) -> TokenStream {
        let (value, subs) = (self.value.emit(), self.subs.iter().map(|sub| sub.emit()));
        quote!((#value, #(#subs),*))
    }
}
