//! Emits the table of the set, with its decode tree and its mnemonics.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{Names, set_bits};
use super::sets::hex;
use crate::core_path::CORE;
use crate::model::cube::Cube;
use crate::plan::limits::layout;
use crate::plan::{Finder, Mnemonic, Plan, Root, Set, Tree, Width};
use crate::syntax::byte_order::ByteOrder;

/// Emits the rows of the set and its table, or nothing if the set has no opcodes.
pub(crate) fn emit_table(Plan { model, set, .. }: &Plan<'_>, names: &Names) -> TokenStream {
    let Set { members, families, aliases, tree, widths, finder, mnemonics, .. } = set;
    if members.is_empty() {
        return TokenStream::new();
    }
    let (table, name) = (&names.set, model.header.name.to_string());
    let (doc, bits) = (model.header.docs.text.trim(), set_bits(model));
    let (rows, opcodes, count) = (&names.rows, &names.opcodes, members.len());
    let included = families.iter().map(|&(first, _)| {
        let path = &members[first].path;
        quote!(#path::__rows())
    });
    let tables = included.chain((!model.opcodes.is_empty()).then(|| quote!(&#opcodes)));
    let (tree, widths) = (emit_tree(tree), widths.iter().map(emit_width));
    let spelled = emit_spelled(set, names);
    let aliased = aliases.iter().map(|alias| Literal::usize_unsuffixed(alias.opcode));
    let finder = emit_finder(finder);
    let mnemonics = mnemonics.iter().map(|Mnemonic { text, spellings, calls }| {
        let spellings = spellings.iter().map(number);
        let calls = calls.iter().map(|call| {
            let call = call.iter().map(number);
            quote!([#(#call)*])
        });
        quote!(#text [#(#spellings)*] #(#calls)*)
    });
    let any_case = model.any_case.is_some();
    let address_bits = Literal::u8_unsuffixed(model.address_bits);
    let byte_order = match model.byte_order {
        ByteOrder::LittleEndian => quote!(LittleEndian),
        ByteOrder::BigEndian => quote!(BigEndian),
        ByteOrder::LittleEndianHalfwords => quote!(LittleEndianHalfwords),
    };
    let layout = layout().map(Literal::u64_unsuffixed);
    quote! {
        const _: () = #CORE::table::assert_layout(&[#(#layout),*]);
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #rows: [&#CORE::table::Opcode; #count] =
            #CORE::table::rows([#(#tables),*]);
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: #CORE::table::InstructionSet = #CORE::table::InstructionSet {
            name: #name, doc: #CORE::table::described_doc(#doc), bits: #bits, widths: &[#(#widths),*],
            opcodes: &#rows, spellings: #spelled,
            aliased: &[#(#aliased),*],
            tree: #tree,
            finder: #finder,
            mnemonics: #CORE::__private::mnemonics![#(#mnemonics)*],
            any_case: #any_case, address_bits: #address_bits,
            byte_order: #CORE::table::ByteOrder::#byte_order,
        };
    }
}

/// Emits the list of all rows that a text can be parsed as: the rows of the set, followed by the rows
/// of aliases.
fn emit_spelled(Set { members, aliases, .. }: &Set<'_>, names: &Names) -> TokenStream {
    let (rows, count, more) = (&names.rows, members.len(), aliases.len());
    if more == 0 {
        return quote!(&#rows);
    }
    let aliases = aliases.iter().map(|alias| {
        let opcode = Literal::usize_unsuffixed(alias.opcode);
        let place = Literal::usize_unsuffixed(alias.place);
        quote!(#rows[#opcode].aliases[#place].row)
    });
    let all = count + more;
    quote!(&#CORE::table::both::<#count, #more, #all>(&#rows, [#(#aliases),*]))
}

fn emit_tree(Tree { root, nodes, entries, general }: &Tree) -> TokenStream {
    let count = nodes.len();
    let bytes = nodes.iter().flat_map(|(gather, base)| {
        let entry = u64::from(*base) | u64::from(gather.shift) << 32;
        let [low, high] = gather.masks;
        [low, high, gather.magic, entry].into_iter().flat_map(u64::to_le_bytes)
    });
    let nodes = Literal::byte_string(&bytes.collect::<Vec<u8>>());
    let entries: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let (entries, general) = (Literal::byte_string(&entries), general.iter().map(number));
    let root = match root {
        Some(Root { half, mask, magic, bits }) => {
            let half = Literal::u8_unsuffixed(*half);
            let (mask, magic) = (hex((*mask).into()), hex((*magic).into()));
            let shift = Literal::u32_unsuffixed(64 - bits);
            quote!(#CORE::table::DecodeRoot::new(#half, #mask, #magic, #shift))
        }
        None => quote!(#CORE::table::DecodeRoot::NONE),
    };
    quote! {
        #CORE::table::DecodeTree {
            root: #root,
            nodes: &#CORE::table::nodes::<#count>(#nodes),
            entries: #entries.as_chunks().0,
            general: &[#(#general),*],
        }
    }
}

fn emit_finder(Finder { magic, shift, entries, has_dots }: &Finder) -> TokenStream {
    if entries.is_empty() {
        return quote!(#CORE::table::Finder::NONE);
    }
    let (magic, shift) = (hex((*magic).into()), Literal::u32_unsuffixed(*shift));
    let entries = Literal::byte_string(entries);
    let dots = has_dots.then(|| quote!(.with_dots()));
    quote!(#CORE::table::Finder::new(#magic, #shift, #entries) #dots)
}

fn emit_width(Width { bits, common, starts }: &Width) -> TokenStream {
    let bits = Literal::u8_unsuffixed(*bits);
    let common = emit_cube(*common);
    let starts = match starts {
        None => quote!(::core::option::Option::None),
        Some(starts) => {
            let starts = starts.iter().map(|start| emit_cube(*start));
            quote!(::core::option::Option::Some(&[#(#starts),*]))
        }
    };
    quote! {
        #CORE::table::Width { bits: #bits, common: #common, starts: #starts }
    }
}

fn emit_cube(Cube { mask, value }: Cube) -> TokenStream {
    let [mask, value] = [mask, value].map(Literal::u128_unsuffixed);
    quote!(#CORE::table::Cube { mask: #mask, value: #value })
}

fn number(number: &u16) -> Literal {
    Literal::u16_unsuffixed(*number)
}
