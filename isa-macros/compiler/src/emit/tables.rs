//! Emits the static tables: fields, exceptions, syntaxes, opcodes.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::lanes::emit_lanes;
use super::literals::{byte, bytes, emit_cubes, emit_option};
use super::names::{GeneratedNames, text_fns};
use super::predicates::{emit_cases, emit_predicates};
use super::properties::{add_properties, emit_properties};
use super::rows::{RowEmitter, RowTable, emit_orders};
use super::text_programs::{emit_parse_steps, emit_texts};
use crate::core_path::{CORE, Core};
use crate::model::features::Requirement;
use crate::model::names::{kind_static, kind_type};
use crate::model::{
    Affix, DefaultValue, Exception, FieldType, FieldTypeKind, Init, Model, ResolvedField, Syntax,
    TemplateItem,
};
use crate::plan::{
    Lineages, LongestLine, ParseStep, Plan, ReadDefault, SimilarSyntaxes, SyntaxParser, Tables,
    ValueBits,
};
use crate::syntax::ast::{Level, NodeDecl};

/// Emits all tables of the call, or nothing if it has no opcodes.
pub(crate) fn emit_tables(plan: &Plan<'_>, names: &GeneratedNames) -> TokenStream {
    let Plan { model, tables, .. } = plan;
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let exceptions =
        model.exceptions.iter().map(|exception| emit_exception(model, names, exception));
    let (exceptions, count) = (exceptions.collect::<Vec<_>>(), model.exceptions.len());
    let exception_table = &names.exceptions;
    let mut output = emit_predicates(model, names);
    output.extend(quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #exception_table: [#CORE::table::Exception; #count] = [#(#exceptions),*];
    });
    output.extend(emit_requirements(model, names));
    let Tables {
        syntaxes,
        merged_steps,
        programs,
        lineages,
        opcodes,
        aliases,
        lines,
        lanes,
        properties,
        ..
    } = tables;
    output.extend(emit_lineages(model, names, lineages));
    output.extend(emit_properties(model, names, properties));
    let same = |rows| rows;
    output.extend(emit_fields(plan).emit(&names.fields, &quote!(#CORE::table::Field), same));
    output.extend(emit_views(model, names));
    output.extend(emit_lanes(model, names, lanes));
    output.extend(emit_joints(model, names, merged_steps));
    let syntaxes = emit_syntaxes(model, names, syntaxes);
    output.extend(syntaxes.emit(&names.syntax, &quote!(#CORE::table::Syntax), same));
    output.extend(emit_texts(model, names, programs));
    for (name, rows) in [(&names.opcodes, opcodes), (&names.aliases, aliases)] {
        if !rows.rows.is_empty() {
            let table = RowEmitter { model, names, lanes }.emit(rows);
            let all = rows.rows.iter().map(|row| row.opcode);
            let finish = |rows| add_properties(rows, names, properties, all);
            output.extend(table.emit(name, &quote!(#CORE::table::Opcode), finish));
        }
    }
    output.extend(emit_orders(model, names));
    output.extend(emit_lengths(model, lines));
    output
}

/// Emits the groups that opcodes inherit from. Also emits the text of semantic functions, if the
/// feature for it is enabled.
fn emit_lineages(model: &Model, names: &GeneratedNames, lineages: &Lineages) -> TokenStream {
    let Lineages { groups, bodies } = lineages;
    let groups = groups.iter().map(|&node| {
        let NodeDecl { level, docs, name, parents, .. } = &model.nodes[node];
        let (name, doc, is_optype) = (name.to_string(), docs.text.trim(), *level == Level::Optype);
        let parents = parents.iter().map(Ident::to_string);
        quote!(#CORE::table::Group::new(#name, #doc, #is_optype, &[#(#parents),*]))
    });
    let bodies = bodies.iter().map(|&node| {
        // If the source is not known, the text is empty. The tokens must not be used instead: an editor
        // that completes a name in a semantic function searches for its position in the whole
        // expansion, including this text.
        let text = model.nodes[node].source.as_deref().unwrap_or_default();
        quote!(#CORE::__private::source!(#text))
    });
    // A path is relative to the file of the call. rustc reads the file even if its text is not kept,
    // so a wrong path is always an error.
    let files = model.functions.iter().map(|file| {
        quote_spanned! { file.span()=> {
            #[allow(dead_code, reason = "not used if the text is not kept")]
            const FILE: &::core::primitive::str = ::core::include_str!(#file);
            #CORE::__private::source!(FILE)
        } }
    });
    let table = &names.lineages;
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: #CORE::table::LineageTable = #CORE::table::LineageTable::new(
            &[#(#groups),*], &[#(#bodies),*], &[#(#files),*],
        );
    }
}

/// Emits assertions that the assembly of opcodes is short enough. For all opcodes with the same operand
/// types, one assertion is at the opcode with the longest text.
fn emit_lengths(model: &Model, lines: &[LongestLine<'_>]) -> TokenStream {
    let assertions = lines.iter().map(|LongestLine { opcode, known, texts, shown }| {
        let span = opcode.name.span();
        let (core, name, known) =
            (Core::at(span), opcode.name.to_string(), Literal::usize_unsuffixed(*known));
        let texts = texts.iter().map(|&text| text_fns(model, text));
        quote_spanned!(span=>
            const _: () = #core::table::assert_line(#name, #shown, #known, &[#(&#texts),*]);
        )
    });
    assertions.collect()
}

fn emit_fields(plan: &Plan<'_>) -> RowTable {
    let (model, groups) = (plan.model, &plan.tables.fields);
    let mut table = RowTable { order: groups.order(), ..RowTable::default() };
    for members in &groups.shared {
        let first = emit_field(model, &model.fields[members[0]]);
        let own = members.iter().map(|&index| &model.fields[index]).map(|field| {
            let declared_in = model.nodes[field.node].name.to_string();
            let raw = if let Init::Fixed(raw) = field.init { raw } else { 0 };
            let raw = Literal::u64_unsuffixed(raw);
            quote!((#declared_in, #raw))
        });
        let first = quote!(&#CORE::__private::fields![#first][0]);
        let list = quote!(#CORE::table::fields(#first, [#(#own),*]));
        table.lists.push((list, members.len()));
    }
    if !groups.single.is_empty() {
        let single = groups.single.iter().map(|&index| emit_field(model, &model.fields[index]));
        let list = quote!(#CORE::__private::fields![#(#single)*]);
        table.lists.push((list, groups.single.len()));
    }
    table
}

/// Emits the composite operands: several fields that the assembly text shows as one operand.
fn emit_views(model: &Model, names: &GeneratedNames) -> TokenStream {
    if model.composite_operands.is_empty() {
        return TokenStream::new();
    }
    let (name, len) = (&names.views, model.composite_operands.len());
    let views = model.composite_operands.iter().map(|view| emit_field(model, view));
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #name: [#CORE::table::Field; #len] = #CORE::__private::fields![#(#views)*];
    }
}

fn emit_syntaxes(model: &Model, names: &GeneratedNames, syntaxes: &[SimilarSyntaxes]) -> RowTable {
    let mut table = RowTable { order: vec![0; model.syntaxes.len()], ..RowTable::default() };
    for (list, syntaxes) in syntaxes.iter().enumerate() {
        let own = syntaxes.members.iter().map(|&index| {
            table.order[index] = list;
            let Syntax { mnemonic, source, .. } = &model.syntaxes[index];
            quote!((#mnemonic, #source))
        });
        let own: Vec<TokenStream> = own.collect();
        let first = emit_syntax(model, names, syntaxes);
        let list = quote!(#CORE::table::syntaxes(&#first, [#(#own),*]));
        table.lists.push((list, own.len()));
    }
    table
}

fn emit_field(model: &Model, field: &ResolvedField) -> TokenStream {
    let ResolvedField {
        docs,
        name: _,
        text,
        node,
        pieces,
        ty: kind,
        init,
        broken: _,
        nameless: _,
        ignored: _,
    } = field;
    let kind = &model.field_types[*kind];
    let doc = docs.text.trim();
    let declared_in = model.nodes[*node].name.to_string();
    let pieces = pieces.iter().map(|&(position, width)| {
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!(#position #width)
    });
    let (init, entry) = (emit_init(kind, init), emit_kind(kind));
    quote!(#text #doc #declared_in [#(#pieces),*] [#entry] #init)
}

/// Emits the table entry of an operand type, or a placeholder if the type is unknown.
fn emit_kind(kind: &FieldType) -> TokenStream {
    if kind.is_known() {
        return kind_static(kind);
    }
    let width = Literal::u8_unsuffixed(kind.width);
    let name = match kind.shape {
        FieldTypeKind::Bits => crate::diag::bits(u64::from(kind.width)),
        _ => kind.name.to_string(),
    };
    quote!(#CORE::table::Kind {
        name: #name, doc: "", width: #width, values: &[], reserved: &[],
        text: ::core::option::Option::None,
    })
}

fn emit_init(kind: &FieldType, init: &Init) -> TokenStream {
    match init {
        Init::Fixed(raw) => quote!(Fixed(#raw)),
        Init::Required => quote!(Required),
        Init::Default(DefaultValue::Number(raw)) => quote!(Default(#raw)),
        Init::Default(DefaultValue::Named(name, span)) => {
            let (ty, shown) = (kind_type(kind), kind.name.to_string());
            let core = Core::at(*span);
            let value = quote_spanned!(*span=> #core::operand::bits_of::<#ty>(#shown, #name));
            quote!(Default(#value))
        }
    }
}

fn emit_exception(model: &Model, names: &GeneratedNames, exception: &Exception) -> TokenStream {
    let Exception { node, class, reason, condition, cubes, cases, .. } = exception;
    let declared_in = model.nodes[*node].name.to_string();
    let (cubes, cases) = (emit_cubes(cubes), emit_cases(model, names, cases));
    quote!(#CORE::table::Exception {
        class: #class, reason: #reason, condition: #condition, declared_in: #declared_in,
        cubes: #cubes, cases: #cases,
    })
}

/// Emits the requirements, or nothing if there are none.
fn emit_requirements(model: &Model, names: &GeneratedNames) -> TokenStream {
    let (table, count) = (&names.requirements, model.requirements.len());
    if count == 0 {
        return TokenStream::new();
    }
    let rows = model.requirements.iter().map(|requirement| {
        let Requirement { node, words, features, subject, condition } = requirement;
        let declared_in = model.nodes[*node].name.to_string();
        let (words, features) = (emit_cubes(words), emit_cubes(features));
        quote!(#CORE::table::Requirement {
            words: #words, features: #features, subject: #subject, condition: #condition,
            declared_in: #declared_in,
        })
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: [#CORE::table::Requirement; #count] = [#(#rows),*];
    }
}

/// Emits the merged steps of mnemonics with several syntaxes.
fn emit_joints(model: &Model, names: &GeneratedNames, joints: &[Vec<ParseStep>]) -> TokenStream {
    if joints.is_empty() {
        return TokenStream::new();
    }
    let (table, count) = (&names.joints, joints.len());
    let joints = joints.iter().map(|steps| emit_parse_steps(model, steps));
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: [&[#CORE::table::ParseStep]; #count] = [#(#joints),*];
    }
}

/// Emits a syntax without its mnemonic.
fn emit_syntax(model: &Model, names: &GeneratedNames, syntaxes: &SimilarSyntaxes) -> TokenStream {
    let SimilarSyntaxes { members, parser: reader } = syntaxes;
    let Syntax { mnemonic: _, placeholders: symbols, before, modifiers, after, source: _, span: _ } =
        &model.syntaxes[members[0]];
    let reader = match reader {
        SyntaxParser::Alone(steps, places) => {
            let (steps, places) = (emit_parse_steps(model, steps), emit_places(names, places));
            quote!(#CORE::table::ParseProgram::alone(#steps, #places))
        }
        SyntaxParser::Joint(number) => {
            let (table, number) = (&names.joints, Literal::usize_unsuffixed(*number));
            quote!(#CORE::table::ParseProgram::joint(#table[#number]))
        }
    };
    let symbols = symbols.iter().map(|symbol| &symbol.name);
    let modifiers = modifiers.iter().map(|modifier| {
        let (symbol, optional) = (byte(modifier.symbol), modifier.optional);
        let only = emit_option(modifier.only.map(|raw| quote!(#raw)));
        quote!(#symbol #optional [#only])
    });
    let (before, after) = (emit_items(before), emit_items(after));
    quote!(#CORE::table::Syntax {
        mnemonic: "", symbols: &[#(#symbols),*], before: #before,
        modifiers: #CORE::__private::modifiers![#(#modifiers)*], after: #after, source: "",
        reader: #reader,
    })
}

/// Emits the positions of the values of a syntax's placeholders.
fn emit_places(names: &GeneratedNames, places: &[Option<ValueBits>]) -> TokenStream {
    if places.iter().all(Option::is_none) {
        return quote!(#CORE::table::ValueLayout::NONE);
    }
    let (fields, len) = (&names.fields, places.len());
    let mut named = Vec::new();
    let numbers = places.iter().enumerate().flat_map(|(symbol, place)| {
        let Some(ValueBits { run: (position, width), default }) = *place else { return [0; 3] };
        let default = match default {
            ReadDefault::Number(raw) => raw,
            ReadDefault::Field(field) => {
                let (symbol, field) = (byte(symbol), Literal::usize_unsuffixed(field));
                named.push(quote!((#symbol, &#fields[#field])));
                0
            }
        };
        [position, width, default]
    });
    let numbers = Literal::byte_string(&numbers.collect::<Vec<u8>>());
    quote!(#CORE::table::ValueLayout::new(
        &#CORE::table::read_places::<#len>(#numbers, &[#(#named),*])
    ))
}

fn emit_items(items: &[TemplateItem]) -> TokenStream {
    let items = items.iter().map(|item| match item {
        TemplateItem::Text(text) => quote!(#CORE::table::Item::Text(#text)),
        TemplateItem::Optional(inner) => {
            let inner = emit_items(inner);
            quote!(#CORE::table::Item::Optional(#inner))
        }
        TemplateItem::Tags(tags) => {
            let tags = bytes(tags.iter().copied());
            quote!(#CORE::table::Item::Tags(#tags))
        }
        TemplateItem::Slot { symbol, affixes, suffixes } => {
            let (symbol, affixes) = (byte(*symbol), affixes.iter().map(emit_affix));
            let suffixes = bytes(suffixes.iter().copied());
            let affixes = match affixes.len() {
                0 => quote!(&[]),
                _ => quote!(#CORE::__private::affixes![#(#affixes)*]),
            };
            quote!(#CORE::table::Item::Slot(#CORE::table::Slot {
                symbol: #symbol, affixes: #affixes, suffixes: #suffixes,
            }))
        }
    });
    quote!(&[#(#items),*])
}

fn emit_affix(affix: &Affix) -> TokenStream {
    let Affix { symbol, present, open, close, inside } = affix;
    let (symbol, inside) = (byte(*symbol), byte(*inside));
    quote!(#symbol #present #open #close #inside)
}
