//! The rows of opcodes: one for all that many have alike, and what each has of its own.
//!
//! ```text
//! static __Halu_OPCODES: [Opcode; 27] = {
//!     // Lists of fields that differ at place 4 alone, and of steps that differ at place 1.
//!     static FIELDS_0: [[&Field; 28]; 5] =
//!         field_lists(&pick(..), &__Halu_FIELDS, [4], [[31], [40], ...]);
//!     static STEPS_0: [[Step; 14]; 5] = step_lists(&steps(..), &__Halu_TEXTS, [1], [[b".."], ..]);
//!     // Five opcodes that have all else alike, such as those with two registers.
//!     static ROWS_0: [Opcode; 5] = opcodes(
//!         &Opcode { .. }, &FIELDS_0, &STEPS_0, &__Halu_SYNTAX,
//!         [("HADD2_RR", "", 0x230, 0), ("HMUL2_RR", "", 0x232, 1), ...],
//!     );
//!     ...
//!     ordered([&ROWS_0, &ROWS_1, ...], [0, 1, 2, 0, 1, ...])
//! };
//! ```

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{Names, format_static, kind_type};
use super::program::{STEP, WHOLE, places};
use super::sets::{emit_cubes, hex};
use super::tables::{Table, alike, byte, bytes};
use crate::model::cube::Cube;
use crate::model::sieve::{Screen, Screens, Sieve};
use crate::model::{DefaultValue, Init, Model, Opcode, Shape};

/// What the rows are made from.
pub(super) struct Rows<'m> {
    model: &'m Model,
    names: &'m Names,
    screens: Screens,
}

/// An opcode or an alias with what its row says.
pub(super) struct Row<'m> {
    opcode: &'m Opcode,
    screen: Screen,
    /// The steps that it is printed by.
    steps: &'m [u8],
    /// For each symbol of its syntax, where its field is.
    places: Vec<u8>,
    /// The word with all values that the macro knows.
    start: u128,
    /// The fields whose defaults it does not know.
    named: Vec<usize>,
    /// Its aliases, as indices into [`Model::aliases`].
    aliases: Vec<usize>,
}

impl Row<'_> {
    /// What rows must have alike to share it, as numbers; `None` for a row that shares nothing.
    fn key(&self, model: &Model) -> Option<Vec<u128>> {
        let Row { opcode, screen, steps, places, start, named, aliases } = self;
        let Opcode { fields, exceptions, bind, operands, formats, .. } = opcode;
        let ones = opcode.fixed.value;
        let Screen { plain, sieves, rest } = screen;
        let mut key = vec![
            opcode.bits.into(),
            opcode.fixed.mask,
            opcode.unused,
            plain.mask,
            plain.value & !ones,
            start & !ones,
            // Fields and steps are replaced one by one.
            fields.len() as u128,
            steps.len() as u128,
        ];
        let mut list = |values: Vec<u128>| {
            key.push(values.len() as u128);
            key.extend(values);
        };
        let numbers = |places: &[usize]| places.iter().map(|&place| place as u128).collect();
        list(numbers(named));
        list(numbers(exceptions));
        list(bind.iter().map(|place| place.map_or(0, |place| 1 + place as u128)).collect());
        list(places.iter().map(|&byte| byte.into()).collect());
        let sieve = |sieve: &Sieve| {
            let Sieve { half, mask, magic, legal } = *sieve;
            [half.into(), mask.into(), magic.into(), legal.into()]
        };
        list(sieves.iter().flat_map(sieve).collect());
        // They decide which others are taken.
        let steps = steps.chunks(STEP).enumerate().filter(|(_, step)| step[0] >= WHOLE);
        let bytes = |(place, step): (usize, &[u8])| {
            [place as u128]
                .into_iter()
                .chain(step.iter().map(|&byte| byte.into()))
                .collect::<Vec<_>>()
        };
        list(steps.flat_map(bytes).collect());
        list(rest.iter().flat_map(|cube| [cube.mask, cube.value]).collect());
        for operand in operands {
            // The width may be that of the kind.
            let kind = model.fields[fields[operand.field]].kind;
            let access = u128::from(operand.read) | u128::from(operand.written) << 1;
            let width = u128::from(operand.bits);
            list(vec![operand.field as u128, access, width, kind as u128]);
        }
        for format in formats {
            list(vec![format.field as u128, format.format as u128]);
            list(numbers(&format.args));
        }
        let nodes = model.lineage[opcode.node].iter();
        let spoken = nodes.filter(|&&node| !model.nodes[node].examples.is_empty());
        list(spoken.map(|&node| node as u128).collect());
        aliases.is_empty().then_some(key)
    }
}

impl<'m> Rows<'m> {
    pub(super) fn new(model: &'m Model, names: &'m Names) -> Self {
        Rows { model, names, screens: Screens::default() }
    }

    /// An opcode with the steps that it is printed by.
    pub(super) fn row(&mut self, (opcode, steps): (&'m Opcode, &'m Vec<u8>)) -> Row<'m> {
        let model = self.model;
        let (mut start, mut named) = (0, Vec::new());
        for &id in &opcode.fields {
            let field = &model.fields[id];
            match field.init {
                Init::Fixed(raw) | Init::Default(DefaultValue::Number(raw)) => {
                    start |= field.spread(raw.into());
                }
                Init::Default(DefaultValue::Named(..)) => named.push(id),
                Init::Required => {}
            }
        }
        let own = model.aliases.iter().enumerate();
        let own = own.filter(|(_, alias)| std::ptr::eq(&model.opcodes[alias.of], opcode));
        Row {
            opcode,
            screen: self.screens.screen(opcode.plain(), &opcode.illegal),
            steps,
            places: places(model, opcode),
            start,
            named,
            aliases: own.map(|(place, _)| place).collect(),
        }
    }

    /// A table of rows.
    pub(super) fn emit(&self, rows: &[Row<'_>]) -> Table {
        let alike = alike(rows.iter().map(|row| row.key(self.model)));
        let mut table = Table::new(rows.len());
        let (mut single, mut places) = (Vec::new(), Vec::new());
        for members in alike {
            let own: Vec<&Row> = members.iter().map(|&index| &rows[index]).collect();
            if let [row] = own[..] {
                single.push(self.emit_whole(row, None));
                places.extend(members);
            } else {
                let list = self.emit_alike(&own, table.lists.len(), &mut table.items);
                table.add(list, &members);
            }
        }
        table.add_single(single, &places);
        table
    }

    /// A list of rows that are alike, with what it refers to.
    fn emit_alike(&self, rows: &[&Row<'_>], number: usize, items: &mut TokenStream) -> TokenStream {
        let (first, count) = (rows[0], rows.len());
        let Names { fields: field_table, syntax: syntax_table, texts, .. } = self.names;
        let [fields, steps] = ["FIELDS", "STEPS"].map(|list| format_ident!("{list}_{number}"));
        let lists = rows.iter().map(|row| row.opcode.fields.iter().collect());
        let (places, own) = differing(lists.collect());
        let own = own.map(|own| {
            let own = own.into_iter().map(index);
            quote!([#(#own),*])
        });
        let (list, len) = (self.emit_fields(first), first.opcode.fields.len());
        items.extend(quote! {
            static #fields: [[&::isa_core::table::Field; #len]; #count] =
                ::isa_core::table::field_lists(&#list, &#field_table, [#(#places),*], [#(#own),*]);
        });
        let lists = rows.iter().map(|row| row.steps.chunks(STEP).collect());
        let (places, own) = differing(lists.collect());
        let own = own.map(|own| {
            let own = own.into_iter().map(Literal::byte_string);
            quote!([#(#own),*])
        });
        let (list, len) = (self.emit_steps(first), first.steps.len() / STEP);
        let bytes = Literal::byte_string(first.steps);
        items.extend(quote! {
            static #steps: [[::isa_core::table::Step; #len]; #count] = ::isa_core::table::step_lists(
                &#list, &#texts, #bytes, [#(#places),*], [#(#own),*],
            );
        });
        let own = rows.iter().map(|row| {
            let ((name, doc), ones) = (self.name(row), hex(row.opcode.fixed.value));
            let syntax = index(&row.opcode.syntax);
            quote!((#name, #doc, #ones, #syntax))
        });
        let shared = self.emit_whole(first, Some((&fields, &steps)));
        quote! {
            ::isa_core::table::opcodes(&#shared, &#fields, &#steps, &#syntax_table, [#(#own),*])
        }
    }

    /// The name of an opcode and its documentation.
    fn name(&self, row: &Row<'_>) -> (String, &'m str) {
        let node = &self.model.nodes[row.opcode.node];
        (row.opcode.name.to_string(), node.docs.text.trim())
    }

    /// A whole row; one that is shared has no name and no bit fixed to 1.
    fn emit_whole(&self, row: &Row<'_>, shared: Option<(&Ident, &Ident)>) -> TokenStream {
        let (model, opcode) = (self.model, row.opcode);
        let Names { fields: field_table, exceptions: exception_table, texts, .. } = self.names;
        let syntax_table = &self.names.syntax;
        let (ones, (name, doc), fields, steps) = match shared {
            Some((fields, steps)) => {
                (opcode.fixed.value, (String::new(), ""), quote!(#fields[0]), quote!(#steps[0]))
            }
            None => (0, self.name(row), self.emit_fields(row), self.emit_steps(row)),
        };
        let less = |cube: Cube| Cube { mask: cube.mask, value: cube.value & !ones };
        let (bits, unused) = (opcode.bits, hex(opcode.unused));
        let fixed = emit_cube(less(opcode.fixed));
        let screen = emit_screen(&row.screen, less(row.screen.plain));
        let program = match row.steps.is_empty() {
            true => quote!(::isa_core::table::Program::NONE),
            false => {
                let (len, places) = (row.places.len() / 2, Literal::byte_string(&row.places));
                let places = quote!(&::isa_core::table::places::<#len>(#places));
                quote!(::isa_core::table::Program::new(&#texts, &#steps, #places))
            }
        };
        let exceptions = opcode.exceptions.iter().map(index);
        let syntax = Literal::usize_unsuffixed(opcode.syntax);
        let bind = bytes(opcode.bind.iter().map(|place| place.unwrap_or(u8::MAX.into())));
        let operands = self.emit_operands(opcode);
        let formats = opcode.formats.iter().map(|format| {
            let (field, args) = (byte(format.field), bytes(format.args.iter().copied()));
            let text = format_static(&model.formats[format.format]);
            quote!(::isa_core::table::Format { field: #field, text: &#text, args: #args })
        });
        let (examples, aliases) = (examples(model, opcode), self.emit_aliases(row));
        let (start, named) = (hex(row.start & !ones), row.named.iter().map(index));
        quote! {
            ::isa_core::table::Opcode {
                name: #name, doc: #doc, bits: #bits, fixed: #fixed, unused: #unused,
                screen: #screen, fields: &#fields,
                exceptions: &[#(&#exception_table[#exceptions]),*],
                syntax: &#syntax_table[#syntax], bind: #bind, operands: #operands,
                formats: &[#(#formats),*], examples: &[#(#examples),*], program: #program,
                start: 0, aliases: #aliases,
            }.started(#start, &[#(&#field_table[#named]),*])
        }
    }

    /// The fields of a row.
    fn emit_fields(&self, row: &Row<'_>) -> TokenStream {
        let (table, places) = (&self.names.fields, row.opcode.fields.iter().map(index));
        // A set without a field has an empty table, of which nothing can be picked.
        match row.opcode.fields.is_empty() {
            true => quote!([]),
            false => quote!(::isa_core::table::pick(&#table, [#(#places),*])),
        }
    }

    /// The steps of a row.
    fn emit_steps(&self, row: &Row<'_>) -> TokenStream {
        let (texts, len) = (&self.names.texts, row.steps.len() / STEP);
        let steps = Literal::byte_string(row.steps);
        match len {
            0 => quote!([]),
            _ => quote!(::isa_core::table::steps::<#len>(&#texts, #steps)),
        }
    }

    fn emit_operands(&self, opcode: &Opcode) -> TokenStream {
        let model = self.model;
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
        quote!(&[#(#operands),*])
    }

    /// References to the rows of an opcode's aliases.
    fn emit_aliases(&self, row: &Row<'_>) -> TokenStream {
        let table = &self.names.aliases;
        let aliases = row.aliases.iter().map(|&place| {
            let printed = self.model.aliases[place].printed;
            let place = Literal::usize_unsuffixed(place);
            quote!(::isa_core::table::Alias { row: &#table[#place], printed: #printed })
        });
        quote!(&[#(#aliases),*])
    }
}

/// Where some lists of one length differ, and what each has there.
fn differing<T: PartialEq + Copy>(
    lists: Vec<Vec<T>>,
) -> (Vec<Literal>, impl Iterator<Item = Vec<T>>) {
    let len = lists.first().map_or(0, Vec::len);
    let differ = |&place: &usize| lists.iter().any(|list| list[place] != lists[0][place]);
    let places: Vec<usize> = (0..len).filter(differ).collect();
    let literals = places.iter().map(|&place| byte(place)).collect();
    let own = move |list: Vec<T>| places.iter().map(|&place| list[place]).collect();
    (literals, lists.into_iter().map(own))
}

fn index(place: &usize) -> Literal {
    Literal::usize_unsuffixed(*place)
}

fn emit_cube(cube: Cube) -> TokenStream {
    super::sets::emit_cube(&cube)
}

fn emit_screen(screen: &Screen, plain: Cube) -> TokenStream {
    let Screen { plain: _, sieves, rest } = screen;
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
