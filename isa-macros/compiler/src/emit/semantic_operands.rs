//! Emits the variables of semantic functions: operands (a value with its sub-fields), settings (fields
//! that are not operands), and their values.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::names::{escape, machine, placed_at, word};
use crate::core_path::CORE;
use crate::model::names::kind_type;
use crate::model::{DefaultValue, Init};
use crate::plan::{ArgumentValue, OperandArgument, SemanticOperand, Setting, ValueSource};

impl SemanticOperand<'_> {
    pub(super) fn ident(&self) -> Ident {
        self.ident_at(self.symbol.span)
    }

    /// Returns the variable for the operand in the semantic function.
    pub(super) fn in_body(&self) -> Ident {
        self.ident_at(self.in_body)
    }

    fn ident_at(&self, place: Span) -> Ident {
        escape(&Ident::new(&self.symbol.name, place))
    }

    /// Returns the variable that holds the operand in the shared function.
    pub(super) fn input(&self) -> Ident {
        format_ident!("{}_in", self.symbol.name)
    }

    /// Returns the variable that holds the result to be stored.
    pub(super) fn output(&self) -> Ident {
        format_ident!("{}_out", self.symbol.name)
    }

    /// Returns the operand as a parameter of the semantic function, for `lanes` lanes if it computes
    /// several at once.
    pub(super) fn param(&self, lanes: Option<&TokenStream>) -> TokenStream {
        self.param_at(self.in_body, lanes)
    }

    /// Returns the operand as a parameter of the guard, if the guard uses it.
    pub(super) fn guard_param(&self) -> Option<TokenStream> {
        self.in_guard.map(|place| self.param_at(place, None))
    }

    fn param_at(&self, place: Span, lanes: Option<&TokenStream>) -> TokenStream {
        let (name, carrier, value) = (self.ident_at(place), &self.carrier, self.values(lanes));
        if self.by_rows { quote!(#name: #carrier<#value>) } else { quote!(#name: #carrier) }
    }

    /// Returns the type of the operand's value, an array if the semantic function computes several lanes
    /// at once.
    pub(super) fn values(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let value = &self.value;
        lanes.map_or_else(|| value.clone(), |lanes| quote!([#value; #lanes]))
    }

    /// Emits `let Rd: u32;`, or a mutable copy for an operand that is also an input.
    pub(super) fn declare(&self, lanes: Option<&TokenStream>) -> TokenStream {
        let (name, span) = (self.in_body(), self.symbol.span);
        // rustc reports errors about the variable at the slot.
        let value = self.values(lanes).into_iter().map(|tree| placed_at(tree, span));
        let value: TokenStream = value.collect();
        if self.read {
            quote_spanned!(span=> #[allow(unused_mut, reason = "may not be changed")] let mut #name: #value = #name.value;)
        } else if self.is_named {
            quote_spanned!(span=> let #name: #value;)
        } else {
            // This was already reported as an error, and rustc must not report it again.
            quote_spanned!(span=> let #name: #value =
                ::core::option::Option::None.unwrap_or_else(|| ::core::unreachable!());)
        }
    }

    /// Returns the slots with the same name in the templates of other opcodes.
    pub(super) fn elsewhere(&self) -> impl Iterator<Item = Ident> {
        self.elsewhere.iter().map(|&place| self.ident_at(place))
    }

    pub(super) fn emit_carrier(&self) -> TokenStream {
        let SemanticOperand { carrier, value, subs, .. } = self;
        // Each sub-field of an affix has the same name in all operands, so it cannot be renamed in one
        // operand alone.
        let names = subs.iter().map(|(name, _)| {
            let mut name = escape(name);
            name.set_span(name.span().resolved_at(Span::call_site()));
            name
        });
        let types = subs.iter().map(|(_, sub)| kind_type(sub.kind));
        let (generic, value) =
            if self.by_rows { (Some(quote!(<__V>)), quote!(__V)) } else { (None, value.clone()) };
        // rustc reports errors about the type at the slot.
        let head = quote_spanned!(self.symbol.span=> struct);
        let mut parts = Group::new(Delimiter::Brace, quote!(value: #value, #(#names: #types),*));
        parts.set_span(self.symbol.span);
        quote! {
            #[derive(Clone, Copy)]
            #[allow(non_camel_case_types, dead_code, reason = "the names come from the specification")]
            #head #carrier #generic #parts
        }
    }

    /// Returns the operand type of an operand that varies: `SrcB: Source<M, Value = u32>`.
    pub(super) fn generic(&self) -> TokenStream {
        let (name, value) = (self.ident(), &self.value);
        let source = self.read.then(|| quote!(+ #CORE::machine::Source<__M>));
        let sink = self.written.then(|| quote!(+ #CORE::machine::Sink<__M>));
        quote!(#name: #CORE::operand::OperandKind<Value = #value> #source #sink)
    }

    /// Returns the variable that holds the operand's values in all lanes of a warp.
    pub(super) fn row(&self) -> Ident {
        format_ident!("{}_row", self.symbol.name)
    }

    /// Returns the parameters for the lanes of an operand. If the lanes are computed in a separate
    /// function, the operand itself is passed only if it cannot be read from the word.
    pub(super) fn row_params(&self, apart: bool) -> TokenStream {
        let SemanticOperand { carrier, value, .. } = self;
        let (input, row) = (self.input(), self.row());
        let generic = self.by_rows.then(|| quote!(<#value>));
        let own = self.is_passed(apart).then(|| quote!(#input: #carrier #generic,));
        quote!(#own #row: &[#value; __N])
    }

    /// Returns the arguments for the parameters of [`SemanticOperand::row_params`].
    pub(super) fn row_arguments(&self, apart: bool) -> TokenStream {
        let (input, row) = (self.input(), self.row());
        let own = self.is_passed(apart).then(|| quote!(#input,));
        quote!(#own &#row)
    }

    fn is_passed(&self, apart: bool) -> bool {
        !apart || self.alike.is_none()
    }

    /// Emits the operand for the function that computes the lanes. Returns `None` if that function
    /// cannot read the operand from the word, because the operand differs between opcodes.
    pub(super) fn said_by_word(&self) -> Option<TokenStream> {
        let row = self.row();
        self.alike.as_ref().map(|_| self.fill(&quote!(#row[0])))
    }

    /// Returns the operand with the values of several lanes.
    pub(super) fn in_lanes(&self, values: &TokenStream) -> TokenStream {
        let (carrier, input) = (&self.carrier, self.input());
        let subs: Vec<_> = self.subs.iter().map(|(sub, _)| escape(sub)).collect();
        quote!(#carrier { value: #values, #(#subs: #input.#subs),* })
    }

    /// Returns the operand in one lane.
    pub(super) fn in_lane(&self) -> TokenStream {
        let (carrier, input, row) = (&self.carrier, self.input(), self.row());
        let rest = (!self.subs.is_empty()).then(|| quote!(, ..#input));
        quote!(#carrier { value: #row[lane] #rest })
    }

    /// Returns the type of an operand that varies, with its sub-fields.
    pub(super) fn parts(&self) -> TokenStream {
        let (name, subs) = (self.ident(), self.subs.iter().map(|(_, sub)| kind_type(sub.kind)));
        quote!((#name, #(#subs),*))
    }

    /// Returns the operand type of an operand that varies, in the function for all lanes of a warp.
    pub(super) fn warp_generic(&self) -> TokenStream {
        let (name, value) = (self.ident(), &self.value);
        let lane = quote!(#CORE::machine::Lane<'w, __N, __P>);
        let source = self.read.then(|| quote!(+ for<'w> #CORE::machine::Source<#lane>));
        let sink = self.written.then(|| quote!(+ for<'w> #CORE::machine::Sink<#lane>));
        quote!(#name: #CORE::operand::OperandKind<Value = #value> #source #sink)
    }

    /// Returns the operand type of the operand in the shared function.
    fn kind(&self) -> TokenStream {
        match &self.alike {
            Some(operand) => operand.kind(),
            None => self.ident().into_token_stream(),
        }
    }

    /// Returns the operand itself in the shared function.
    fn operand(&self) -> TokenStream {
        let name = self.ident();
        match &self.alike {
            Some(operand) => operand.value.emit(),
            None => quote!(#name.0),
        }
    }

    /// Emits the fetch of an operand: `let Ra_in = __isa_HADD2_Ra { value: fetch(...), neg: ..., ... };`
    pub(super) fn fetch(&self) -> TokenStream {
        let (kind, operand, machine) = (self.kind(), self.operand(), machine());
        self.fill(&quote!(<#kind as #CORE::machine::Source<__M>>::fetch(#operand, #machine)))
    }

    /// Emits `let Ra_row = machine.fetch(...);`, which fetches the values of all lanes of a warp, and
    /// the operand itself if it is used.
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

    /// Emits the store of the operand in the lanes of a warp; `place` is the index of the output in the
    /// results.
    pub(super) fn store_lanes(&self, place: usize) -> TokenStream {
        let (operand, machine) = (self.operand(), machine());
        let place = Literal::usize_unsuffixed(place);
        let result =
            if self.by_rows { quote!(results.#place[lane]) } else { quote!(results[lane].#place) };
        quote!(#machine.store(#operand, &active, |lane| #result);)
    }
}

impl OperandArgument<'_> {
    pub(super) fn kind(&self) -> TokenStream {
        kind_type(self.value.kind)
    }

    /// Returns the operand with its sub-fields, as an opcode passes it.
    pub(super) fn parts(&self) -> TokenStream {
        let (value, subs) = (self.value.emit(), self.subs.iter().map(|sub| sub.emit()));
        quote!((#value, #(#subs),*))
    }
}

impl Setting<'_> {
    pub(super) fn ident(&self) -> Ident {
        escape(self.name)
    }

    /// Returns the variable for the setting in the semantic function.
    pub(super) fn in_body(&self) -> Ident {
        let mut name = self.ident();
        name.set_span(self.in_body);
        name
    }

    /// Returns the value of the setting in the shared function.
    pub(super) fn read(&self) -> TokenStream {
        self.alike.map_or_else(|| self.ident().into_token_stream(), |given| given.emit())
    }
}

impl ArgumentValue<'_> {
    /// Returns the value as an expression.
    pub(super) fn emit(&self) -> TokenStream {
        let ty = kind_type(self.kind);
        let bits = match self.bits {
            ValueSource::Word(pieces) => {
                let (word, pieces) = (word(), pieces.iter());
                let pieces = pieces.map(|&(position, width)| {
                    let [position, width] = [position, width].map(Literal::u8_unsuffixed);
                    quote!((#position, #width))
                });
                return quote!(#CORE::__private::at::<#ty>(&[#(#pieces),*], #word));
            }
            ValueSource::Init(Init::Default(DefaultValue::Number(raw)) | Init::Fixed(raw)) => {
                quote!(#raw)
            }
            ValueSource::Init(Init::Default(DefaultValue::Named(name, _))) => {
                let shown = self.kind.name.to_string();
                quote!(const { #CORE::operand::bits_of::<#ty>(#shown, #name) })
            }
            ValueSource::Init(Init::Required) => quote!(0),
        };
        quote!(<#ty as #CORE::operand::FieldValue>::from_raw(#bits))
    }
}
