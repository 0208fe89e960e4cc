//! The static tables: fields, exceptions, syntaxes, opcodes.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::names::{Names, format_static, kind_static, kind_type};
use super::program::{Programs, STEP, places};
use super::reader::emit_reader;
use super::sets::{emit_cube, emit_cubes, hex};
use crate::model::sieve::{Screen, Screens, Sieve};
use crate::model::{
    Affix, DefaultValue, Exception, Field, Init, Item, Kind, Model, Opcode, Shape, Syntax,
};

/// All tables of the call; nothing where it has no opcodes.
pub(crate) fn emit_tables(model: &Model, names: &Names) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let fields = model.fields.iter().map(|field| emit_field(model, field));
    let exceptions = model.exceptions.iter().map(|exception| emit_exception(model, exception));
    let syntaxes = (0..model.syntaxes.len()).map(|index| emit_syntax(model, index));
    let (programs, mut screens) = (Programs::new(model), Screens::default());
    let (own, other) = programs.steps.split_at(model.opcodes.len());
    let opcodes = model.opcodes.iter().zip(own).enumerate().map(|(index, (opcode, steps))| {
        let aliases = emit_aliases(model, names, index);
        emit_opcode(model, names, opcode, &mut screens, steps, &aliases)
    });
    let opcodes: Vec<TokenStream> = opcodes.collect();
    let rows = model.aliases.iter().zip(other).map(|(alias, steps)| {
        emit_opcode(model, names, &alias.row, &mut screens, steps, &quote!(&[]))
    });
    let rows: Vec<TokenStream> = rows.collect();
    let table = |name, row: TokenStream, len: usize, rows: Vec<TokenStream>| {
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: [#row; #len] = [#(#rows),*];
        }
    };
    let (f, e) = (model.fields.len(), model.exceptions.len());
    let (s, o) = (model.syntaxes.len(), model.opcodes.len());
    let mut output = table(&names.fields, quote!(::isa_core::table::Field), f, fields.collect());
    let row = quote!(::isa_core::table::Exception);
    output.extend(table(&names.exceptions, row, e, exceptions.collect()));
    output.extend(table(&names.syntax, quote!(::isa_core::table::Syntax), s, syntaxes.collect()));
    output.extend(table(&names.opcodes, quote!(::isa_core::table::Opcode), o, opcodes));
    output.extend(programs.emit_texts(names));
    let opcodes = &names.opcodes;
    output.extend(quote! { const _: () = ::isa_core::table::assert_rows(&#opcodes); });
    if !rows.is_empty() {
        let (aliases, a) = (&names.aliases, rows.len());
        output.extend(table(aliases, quote!(::isa_core::table::Opcode), a, rows));
        output.extend(quote! { const _: () = ::isa_core::table::assert_rows(&#aliases); });
    }
    output
}

/// References to the rows of an opcode's aliases.
fn emit_aliases(model: &Model, names: &Names, opcode: usize) -> TokenStream {
    let table = &names.aliases;
    let own = model.aliases.iter().enumerate().filter(|(_, alias)| alias.of == opcode);
    let aliases = own.map(|(place, alias)| {
        let (place, printed) = (Literal::usize_unsuffixed(place), alias.printed);
        quote!(::isa_core::table::Alias { row: &#table[#place], printed: #printed })
    });
    quote!(&[#(#aliases),*])
}

fn emit_field(model: &Model, field: &Field) -> TokenStream {
    let Field { docs, name: _, text, node, pieces, kind, init, broken: _, nameless: _ } = field;
    let kind = &model.kinds[*kind];
    let doc = docs.text.trim();
    let declared_in = model.nodes[*node].name.to_string();
    let pieces = pieces.iter().map(|&(position, width)| {
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!(::isa_core::table::Piece { position: #position, width: #width })
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

fn emit_syntax(model: &Model, index: usize) -> TokenStream {
    let Syntax { mnemonic, symbols, before, modifiers, after, source, span: _ } =
        &model.syntaxes[index];
    let (reader, heirs) = emit_reader(model, index);
    let heirs = Literal::usize_unsuffixed(heirs);
    let symbols = symbols.iter().map(|symbol| &symbol.name);
    let modifiers = modifiers.iter().map(|modifier| {
        let (symbol, optional) = (byte(modifier.symbol), modifier.optional);
        let only = emit_option(modifier.only.map(|raw| quote!(#raw)));
        quote!(::isa_core::table::Modifier { symbol: #symbol, optional: #optional, only: #only })
    });
    let (before, after) = (emit_items(before), emit_items(after));
    quote!(::isa_core::table::Syntax {
        mnemonic: #mnemonic, symbols: &[#(#symbols),*], before: #before,
        modifiers: &[#(#modifiers),*], after: #after, source: #source,
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

fn emit_opcode(
    model: &Model,
    names: &Names,
    opcode: &Opcode,
    screens: &mut Screens,
    steps: &[u8],
    aliases: &TokenStream,
) -> TokenStream {
    let node = &model.nodes[opcode.node];
    let (name, doc) = (opcode.name.to_string(), node.docs.text.trim());
    let bits = opcode.bits;
    let (fixed, unused) = (emit_cube(&opcode.fixed), hex(opcode.unused));
    let screen = emit_screen(&screens.screen(opcode.plain(), &opcode.illegal));
    let program = match steps {
        [] => quote!(::isa_core::table::Program::NONE),
        _ => {
            let (texts, number) = (&names.texts, steps.len() / STEP);
            let steps = Literal::byte_string(steps);
            let steps = quote!(&::isa_core::table::steps::<#number>(&#texts, #steps));
            let (count, places) = (opcode.bind.len(), Literal::byte_string(&places(model, opcode)));
            let places = quote!(&::isa_core::table::places::<#count>(#places));
            quote!(::isa_core::table::Program::new(&#texts, #steps, #places))
        }
    };
    let Names { fields: field_table, exceptions: exception_table, syntax: syntax_table, .. } =
        names;
    let index = |i: &usize| Literal::usize_unsuffixed(*i);
    let places = opcode.fields.iter().map(index);
    // A set without a field has an empty table, of which nothing can be picked.
    let fields = match opcode.fields.is_empty() {
        true => quote!([]),
        false => quote!(::isa_core::table::pick(&#field_table, [#(#places),*])),
    };
    let exceptions = opcode.exceptions.iter().map(index);
    let syntax = Literal::usize_unsuffixed(opcode.syntax);
    let bind = bytes(opcode.bind.iter().map(|place| place.unwrap_or(u8::MAX.into())));
    let operands = opcode.operands.iter().map(|operand| {
        let field = byte(operand.field);
        let kind = &model.kinds[model.fields[opcode.fields[operand.field]].kind];
        let bits = match (operand.bits, &kind.shape) {
            (0, Shape::Operand(_)) => {
                let ty = kind_type(kind);
                quote!(<#ty as ::isa_core::operand::OperandKind>::VALUE_BITS)
            }
            (bits, _) => quote!(#bits),
        };
        let access = match (operand.read, operand.written) {
            (true, true) => quote!(ReadWrite),
            (false, true) => quote!(Write),
            _ => quote!(Read),
        };
        quote!(::isa_core::table::Operand::new(
            #field, ::isa_core::table::Access::#access, #bits,
        ))
    });
    let formats = opcode.formats.iter().map(|format| {
        let (field, args) = (byte(format.field), bytes(format.args.iter().copied()));
        let text = format_static(&model.formats[format.format]);
        quote!(::isa_core::table::Format { field: #field, text: &#text, args: #args })
    });
    let examples = examples(model, opcode);
    quote!(::isa_core::table::Opcode::started(::isa_core::table::Opcode {
        name: #name, doc: #doc, bits: #bits, fixed: #fixed, unused: #unused, screen: #screen,
        fields: &#fields,
        exceptions: &[#(&#exception_table[#exceptions]),*],
        syntax: &#syntax_table[#syntax], bind: #bind, operands: &[#(#operands),*],
        formats: &[#(#formats),*], examples: &[#(#examples),*], program: #program, start: 0,
        aliases: #aliases,
    }))
}

fn emit_screen(screen: &Screen) -> TokenStream {
    let Screen { plain, sieves, rest } = screen;
    let (plain, rest) = (emit_cube(plain), emit_cubes(rest));
    let sieve = |place: usize| match sieves.get(place) {
        Some(&Sieve { half, mask, magic, legal }) => {
            let mask = hex(u128::from(mask) << (64 * u32::from(half)));
            let (magic, legal) = (hex(magic.into()), hex(legal.into()));
            quote!(::isa_core::table::Sieve::new(#mask, #magic, #legal))
        }
        None => quote!(::isa_core::table::Sieve::ALL),
    };
    let (first, second) = (sieve(0), sieve(1));
    quote!(::isa_core::table::Screen::new(#plain, [#first, #second], #rest))
}

/// The examples of the opcode and of what it inherits.
pub(crate) fn examples<'m>(model: &'m Model, opcode: &Opcode) -> impl Iterator<Item = &'m String> {
    let examples = model.lineage[opcode.node].iter().flat_map(|&node| &model.nodes[node].examples);
    examples.map(|example| &example.text)
}

fn emit_option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn byte(index: usize) -> Literal {
    Literal::u8_unsuffixed(u8::try_from(index).unwrap_or(u8::MAX))
}

fn bytes(indices: impl Iterator<Item = usize>) -> TokenStream {
    let indices = indices.map(byte);
    quote!(&[#(#indices),*])
}
