//! The static tables: fields, exceptions, syntaxes, opcodes.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::names::{Names, kind_static, kind_type, writer_static};
use super::program::Programs;
use super::reader::emit_reader;
use super::rows::{Row, Rows};
use super::sets::emit_cubes;
use crate::model::{
    Affix, DefaultValue, Exception, Field, Init, Item, Kind, Model, Opcode, Syntax,
};
use crate::text::Writer;

/// All tables of the call; nothing where it has no opcodes.
pub(crate) fn emit_tables(model: &Model, names: &Names) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let exceptions = model.exceptions.iter().map(|exception| emit_exception(model, exception));
    let (programs, mut rows) = (Programs::new(model), Rows::new(model, names));
    let (own, other) = programs.steps.split_at(model.opcodes.len());
    let own: Vec<Row> = model.opcodes.iter().zip(own).map(|row| rows.row(row)).collect();
    let aliases = model.aliases.iter().map(|alias| &alias.row);
    let aliases: Vec<Row> = aliases.zip(other).map(|row| rows.row(row)).collect();
    let (exceptions, count) = (exceptions.collect::<Vec<_>>(), model.exceptions.len());
    let exception_table = &names.exceptions;
    let mut output = quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #exception_table: [::isa_core::table::Exception; #count] = [#(#exceptions),*];
    };
    output.extend(emit_fields(model).emit(&names.fields, &quote!(::isa_core::table::Field)));
    let syntaxes = emit_syntaxes(model);
    output.extend(syntaxes.emit(&names.syntax, &quote!(::isa_core::table::Syntax)));
    output.extend(programs.emit_texts(names));
    for (name, own) in [(&names.opcodes, own), (&names.aliases, aliases)] {
        if !own.is_empty() {
            output.extend(rows.emit(&own).emit(name, &quote!(::isa_core::table::Opcode)));
        }
    }
    output.extend(emit_lengths(model));
    output
}

/// Assertions that lines are short enough, which the macro cannot know of operand kinds: one for
/// all rows with the same kinds.
fn emit_lengths(model: &Model) -> TokenStream {
    let longest = |kind: &Kind| {
        kind.values().iter().map(|value| value.name.to_string().len()).max().unwrap_or(0)
    };
    let longest: Vec<usize> = model.kinds.iter().map(longest).collect();
    let mut rows: BTreeMap<Vec<Writer>, [usize; 3]> = BTreeMap::new();
    for opcode in model.spellings() {
        let Syntax { mnemonic, symbols, before, after, .. } = &model.syntaxes[opcode.syntax];
        let mut known = mnemonic.len() + text_len(before) + text_len(after);
        let mut texts = Vec::new();
        for (place, &id) in opcode.fields.iter().enumerate() {
            let field = &model.fields[id];
            // A dot or a space, and at most two marks of a character each.
            known += 3;
            match Writer::of(model, opcode, place) {
                _ if field.is_fixed() => {}
                Writer::Names => known += longest[field.kind],
                writer => texts.push(writer),
            }
        }
        texts.sort_unstable();
        let most = rows.entry(texts).or_default();
        for (most, own) in most.iter_mut().zip([opcode.fields.len(), symbols.len(), known]) {
            *most = own.max(*most);
        }
    }
    let rows = rows.into_iter().map(|(texts, numbers)| {
        let numbers = numbers.map(Literal::usize_unsuffixed);
        let texts = texts.into_iter().filter_map(|text| writer_static(model, text));
        quote!(::isa_core::table::assert_lines(#(#numbers,)* &[#(&#texts),*]);)
    });
    quote!(const _: () = { #(#rows)* };)
}

/// The fixed text of a template.
fn text_len(items: &[Item]) -> usize {
    let len = |item: &Item| match item {
        Item::Text(text) => text.len(),
        Item::Optional(inner) => text_len(inner),
        Item::Slot { .. } | Item::Tags(_) => 0,
    };
    items.iter().map(len).sum()
}

/// The rows of a table, as lists of those that are alike.
pub(super) struct Table {
    /// What the lists refer to.
    pub(super) items: TokenStream,
    /// The lists, each with its length.
    pub(super) lists: Vec<(TokenStream, usize)>,
    /// For each row the list that it is in.
    order: Vec<usize>,
}

impl Table {
    pub(super) fn new(len: usize) -> Self {
        Table { items: TokenStream::new(), lists: Vec::new(), order: vec![0; len] }
    }

    /// Adds a list of the rows with these numbers.
    pub(super) fn add(&mut self, list: TokenStream, rows: &[usize]) {
        rows.iter().for_each(|&row| self.order[row] = self.lists.len());
        self.lists.push((list, rows.len()));
    }

    /// Adds rows that are like none other.
    pub(super) fn add_single(&mut self, list: Vec<TokenStream>, rows: &[usize]) {
        if !rows.is_empty() {
            self.add(quote!([#(#list),*]), rows);
        }
    }

    fn emit(&self, name: &Ident, row: &TokenStream) -> TokenStream {
        let Table { items, lists, order } = self;
        let len = order.len();
        let rows = match &lists[..] {
            [] => quote!([]),
            [(only, _)] if items.is_empty() => only.clone(),
            [(only, _)] => quote!({ #items #only }),
            _ => {
                let names: Vec<Ident> =
                    (0..lists.len()).map(|list| format_ident!("ROWS_{list}")).collect();
                let lists = lists
                    .iter()
                    .zip(&names)
                    .map(|((list, len), name)| quote!(static #name: [#row; #len] = #list;));
                let order = order.iter().map(|&list| Literal::usize_unsuffixed(list));
                quote!({
                    #items #(#lists)*
                    ::isa_core::table::ordered([#(&#names),*], [#(#order),*])
                })
            }
        };
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: [#row; #len] = #rows;
        }
    }
}

/// Which of some things are alike, as lists of their numbers. Those without a key are like none
/// other.
pub(super) fn alike<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> Vec<Vec<usize>> {
    let (mut known, mut lists) = (HashMap::new(), Vec::<Vec<usize>>::new());
    for (index, key) in keys.enumerate() {
        let place = match key {
            Some(key) => *known.entry(key).or_insert(lists.len()),
            None => lists.len(),
        };
        match lists.get_mut(place) {
            Some(list) => list.push(index),
            None => lists.push(vec![index]),
        }
    }
    lists
}

/// The fields. Those that opcodes fix, each to its own value, are alike.
fn emit_fields(model: &Model) -> Table {
    let key = |field: &Field| match field.init {
        Init::Fixed(_) => Some((field.text.clone(), field.pieces.clone(), field.kind)),
        _ => None,
    };
    let alike = alike(model.fields.iter().map(|field| Some((key(field)?, field.docs.text.trim()))));
    let mut table = Table::new(model.fields.len());
    let (mut single, mut own): (Vec<TokenStream>, Vec<usize>) = Default::default();
    for members in alike {
        let first = emit_field(model, &model.fields[members[0]]);
        let [_] = members[..] else {
            let own = members.iter().map(|&index| &model.fields[index]).map(|field| {
                let declared_in = model.nodes[field.node].name.to_string();
                let raw = if let Init::Fixed(raw) = field.init { raw } else { 0 };
                let raw = Literal::u64_unsuffixed(raw);
                quote!((#declared_in, #raw))
            });
            table.add(quote!(::isa_core::table::fields(&#first, [#(#own),*])), &members);
            continue;
        };
        single.push(first);
        own.extend(members);
    }
    table.add_single(single, &own);
    table
}

/// The syntaxes. Many differ in their mnemonic alone.
fn emit_syntaxes(model: &Model) -> Table {
    let mut heirs: Vec<Vec<&Opcode>> = vec![Vec::new(); model.syntaxes.len()];
    model.spellings().for_each(|row| heirs[row.syntax].push(row));
    let alike = alike(model.syntaxes.iter().zip(&heirs).map(|(syntax, heirs)| {
        let Syntax { symbols, before, modifiers, after, .. } = syntax;
        let names: Vec<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        Some((format!("{names:?}{before:?}{modifiers:?}{after:?}"), read_alike(model, heirs)))
    }));
    let mut table = Table::new(model.syntaxes.len());
    for members in alike {
        let own = members.iter().map(|&index| {
            let Syntax { mnemonic, source, .. } = &model.syntaxes[index];
            quote!((#mnemonic, #source))
        });
        let first = emit_syntax(model, members[0], &heirs[members[0]]);
        table.add(quote!(::isa_core::table::syntaxes(&#first, [#(#own),*])), &members);
    }
    table
}

/// All that the layout for reading depends on, as numbers: for each opcode of a syntax the fields
/// that its symbols are bound to.
fn read_alike(model: &Model, heirs: &[&Opcode]) -> Vec<u64> {
    let mut key = vec![heirs.len() as u64];
    for opcode in heirs {
        for place in &opcode.bind {
            let Some(place) = *place else {
                key.push(u64::MAX);
                continue;
            };
            let field = &model.fields[opcode.fields[place]];
            let (init, raw) = match field.init {
                Init::Fixed(raw) => (0, raw),
                Init::Default(DefaultValue::Number(raw)) => (1, raw),
                Init::Default(DefaultValue::Named(..)) => (2, 0),
                Init::Required => (3, 0),
            };
            key.extend([place as u64, field.kind as u64, init, raw]);
            if let Some(format) = opcode.format_of(place) {
                key.extend([format.format as u64, format.args.len() as u64]);
                key.extend(format.args.iter().map(|&arg| arg as u64));
            }
        }
    }
    key
}

fn emit_field(model: &Model, field: &Field) -> TokenStream {
    let Field { docs, name: _, text, node, pieces, kind, init, broken: _, nameless: _ } = field;
    let kind = &model.kinds[*kind];
    let doc = docs.text.trim();
    let declared_in = model.nodes[*node].name.to_string();
    let pieces = pieces.iter().map(|&(position, width)| {
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!(::isa_core::table::Piece::new(#position, #width))
    });
    let (init, entry) = (emit_init(kind, init), emit_kind(kind));
    quote!(::isa_core::table::Field {
        name: #text, doc: #doc, declared_in: #declared_in, pieces: &[#(#pieces),*],
        kind: #entry, init: #init,
    })
}

/// A reference to the table entry of a kind; to one made up where nothing is known of it.
fn emit_kind(kind: &Kind) -> TokenStream {
    if kind.is_known() {
        let entry = kind_static(kind);
        return quote!(&#entry);
    }
    let name = kind.name.to_string();
    quote!(&::isa_core::table::Kind {
        name: #name, doc: "", width: 1, values: &[], reserved: &[],
        text: ::core::option::Option::None,
    })
}

fn emit_init(kind: &Kind, init: &Init) -> TokenStream {
    match init {
        Init::Fixed(raw) => quote!(::isa_core::table::Init::Fixed(#raw)),
        Init::Required => quote!(::isa_core::table::Init::Required),
        Init::Default(DefaultValue::Number(raw)) => quote!(::isa_core::table::Init::Default(#raw)),
        Init::Default(DefaultValue::Named(name, span)) => {
            let (ty, shown) = (kind_type(kind), kind.name.to_string());
            let value = quote_spanned!(*span=> ::isa_core::operand::bits_of::<#ty>(#shown, #name));
            quote!(::isa_core::table::Init::Default(#value))
        }
    }
}

fn emit_exception(model: &Model, exception: &Exception) -> TokenStream {
    let Exception { node, class, reason, condition, cubes, .. } = exception;
    let declared_in = model.nodes[*node].name.to_string();
    let cubes = emit_cubes(cubes);
    quote!(::isa_core::table::Exception {
        class: #class, reason: #reason, condition: #condition, declared_in: #declared_in,
        cubes: #cubes,
    })
}

/// A syntax without its mnemonic.
fn emit_syntax(model: &Model, index: usize, heirs: &[&Opcode]) -> TokenStream {
    let Syntax { mnemonic: _, symbols, before, modifiers, after, source: _, span: _ } =
        &model.syntaxes[index];
    let reader = emit_reader(model, index, heirs);
    let heirs = Literal::usize_unsuffixed(heirs.len());
    let symbols = symbols.iter().map(|symbol| &symbol.name);
    let modifiers = modifiers.iter().map(|modifier| {
        let (symbol, optional) = (byte(modifier.symbol), modifier.optional);
        let only = emit_option(modifier.only.map(|raw| quote!(#raw)));
        quote!(::isa_core::table::Modifier { symbol: #symbol, optional: #optional, only: #only })
    });
    let (before, after) = (emit_items(before), emit_items(after));
    quote!(::isa_core::table::Syntax {
        mnemonic: "", symbols: &[#(#symbols),*], before: #before,
        modifiers: &[#(#modifiers),*], after: #after, source: "",
        reader: #reader, heirs: #heirs,
    })
}

fn emit_items(items: &[Item]) -> TokenStream {
    let items = items.iter().map(|item| match item {
        Item::Text(text) => quote!(::isa_core::table::Item::Text(#text)),
        Item::Optional(inner) => {
            let inner = emit_items(inner);
            quote!(::isa_core::table::Item::Optional(#inner))
        }
        Item::Tags(tags) => {
            let tags = bytes(tags.iter().copied());
            quote!(::isa_core::table::Item::Tags(#tags))
        }
        Item::Slot { symbol, affixes, suffixes } => {
            let (symbol, affixes) = (byte(*symbol), affixes.iter().map(emit_affix));
            let suffixes = bytes(suffixes.iter().copied());
            quote!(::isa_core::table::Item::Slot(::isa_core::table::Slot {
                symbol: #symbol, affixes: &[#(#affixes),*], suffixes: #suffixes,
            }))
        }
    });
    quote!(&[#(#items),*])
}

fn emit_affix(affix: &Affix) -> TokenStream {
    let Affix { symbol, present, open, close } = affix;
    let symbol = byte(*symbol);
    quote!(::isa_core::table::Affix { symbol: #symbol, present: #present, open: #open, close: #close })
}

fn emit_option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

pub(super) fn byte(index: usize) -> Literal {
    Literal::u8_unsuffixed(u8::try_from(index).unwrap_or(u8::MAX))
}

pub(super) fn bytes(indices: impl Iterator<Item = usize>) -> TokenStream {
    let indices = indices.map(byte);
    quote!(&[#(#indices),*])
}
