//! Emits the rows of opcodes: one shared row for similar opcodes, and the data in which each opcode
//! differs.
//!
//! ```text
//! static __Halu_OPCODES: [Opcode; 27] = {
//!     // Lists of fields that differ at place 4 alone, and of steps that differ at place 1.
//!     static FIELDS_0: [[&Field; 28]; 5] =
//!         field_lists(&pick(..), &__Halu_FIELDS, [4], [[31], [40], ...]);
//!     static STEPS_0: [[Step; 14]; 5] = step_lists(&steps(..), &__Halu_TEXTS, [1], [[b".."], ..]);
//!     // Five opcodes that are otherwise equal, for example opcodes with two registers.
//!     static ROWS_0: [Opcode; 5] = opcodes(
//!         &Opcode { .. }, &FIELDS_0, &STEPS_0, &__Halu_SYNTAX,
//!         [("HADD2_RR", "", 0x230, 0, b".."), ("HMUL2_RR", "", 0x232, 1, b".."), ...],
//!     );
//!     ...
//!     ordered([&ROWS_0, &ROWS_1, ...], [0, 1, 2, 0, 1, ...])
//! };
//! ```

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::literals::{byte, bytes, emit_cube, emit_cubes, hex};
use super::names::GeneratedNames;
use super::predicates::{emit_cases, emit_functions};
use crate::core_path::CORE;
use crate::model::cube::Cube;
use crate::model::names::{format_static, kind_type};
use crate::model::{FieldTypeKind, FlowRow, LaneRow, Model, Opcode, ResolvedShortWord};
use crate::plan::limits::ABSENT;
use crate::plan::{
    Differing, OpcodeRow, OpcodeRows, RowDifferences, Screen, TruthTable, ValidityTable,
};
use isa_bdd::HashMap;

/// The rows of a table, as lists of similar rows.
#[derive(Default)]
pub(super) struct RowTable {
    /// The items that the lists refer to.
    pub(super) items: TokenStream,
    /// The lists, each with its length.
    pub(super) lists: Vec<(TokenStream, usize)>,
    /// For each row, the index of its list.
    pub(super) order: Vec<usize>,
}

impl RowTable {
    /// Adds rows that share no data.
    pub(super) fn add_single(&mut self, rows: &[TokenStream]) {
        if !rows.is_empty() {
            self.lists.push((quote!([#(#rows),*]), rows.len()));
        }
    }

    /// Emits the table. `finish` changes the expression that contains all rows.
    pub(super) fn emit(
        &self,
        name: &Ident,
        row: &TokenStream,
        finish: impl FnOnce(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let RowTable { items, lists, order } = self;
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
                    #CORE::table::ordered([#(&#names),*], [#(#order),*])
                })
            }
        };
        let rows = finish(rows);
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: [#row; #len] = #rows;
        }
    }
}

/// Emits the rows of a call.
pub(super) struct RowEmitter<'m> {
    pub(super) model: &'m Model,
    pub(super) names: &'m GeneratedNames,
    /// The lanes in the call's table, sorted.
    pub(super) lanes: &'m [&'m LaneRow],
}

impl<'m> RowEmitter<'m> {
    /// Emits a table of rows.
    pub(super) fn emit(&self, OpcodeRows { rows, groups, differing }: &OpcodeRows<'m>) -> RowTable {
        let mut table = RowTable { order: groups.order(), ..RowTable::default() };
        for (number, (members, own)) in groups.shared.iter().zip(differing).enumerate() {
            let members: Vec<&OpcodeRow> = members.iter().map(|&row| &rows[row]).collect();
            let list = self.emit_alike(&members, own, number, &mut table.items);
            table.lists.push((list, members.len()));
        }
        let single = groups.single.iter().map(|&row| self.emit_whole(&rows[row], None));
        table.add_single(&single.collect::<Vec<_>>());
        table
    }

    /// Emits a list of similar rows. The tables that the list refers to are added to `items`.
    fn emit_alike(
        &self,
        rows: &[&OpcodeRow<'_>],
        own: &RowDifferences,
        number: usize,
        items: &mut TokenStream,
    ) -> TokenStream {
        let (first, count) = (rows[0], rows.len());
        let GeneratedNames { fields: field_table, syntax: syntax_table, texts, .. } = self.names;
        let [fields, steps] = ["FIELDS", "STEPS"].map(|list| format_ident!("{list}_{number}"));
        let Differing { places, own: lists } = &own.fields;
        let places = places.iter().map(|&place| byte(place));
        let lists = lists.iter().map(|own| {
            let own = own.iter().map(index);
            quote!([#(#own),*])
        });
        let (list, len) = (self.emit_fields(first), first.opcode.fields.len());
        items.extend(quote! {
            static #fields: [[&#CORE::table::Field; #len]; #count] =
                #CORE::table::field_lists(&#list, &#field_table, [#(#places),*], [#(#lists),*]);
        });
        let Differing { places, own: lists } = &own.steps;
        let places = places.iter().map(|&place| byte(place));
        let lists = lists.iter().map(|own| {
            let own = own.iter().map(|step| Literal::byte_string(step));
            quote!([#(#own),*])
        });
        let (list, len) = (self.emit_steps(first), first.steps.len());
        let bytes = Literal::byte_string(first.steps.as_flattened());
        items.extend(quote! {
            static #steps: [[#CORE::table::PrintStep; #len]; #count] = #CORE::table::step_lists(
                &#list, &#texts, #bytes, [#(#places),*], [#(#lists),*],
            );
        });
        let own = rows.iter().map(|row| {
            let ((name, doc), ones) = (self.name(row), hex(row.opcode.fixed.value));
            let syntax = index(&row.opcode.syntax);
            let lineage = Literal::byte_string(&row.lineage);
            quote!((#name, #doc, #ones, #syntax, #lineage))
        });
        let shared = self.emit_whole(first, Some((&fields, &steps)));
        quote! {
            #CORE::table::opcodes(&#shared, &#fields, &#steps, &#syntax_table, [#(#own),*])
        }
    }

    /// Returns the name of an opcode and its documentation.
    fn name(&self, row: &OpcodeRow<'_>) -> (String, &'m str) {
        let node = &self.model.nodes[row.opcode.node];
        (row.opcode.name.to_string(), node.docs.text.trim())
    }

    /// Emits a complete row. If the row is `shared`, its name and the bits that are fixed to 1 are left
    /// out.
    fn emit_whole(&self, row: &OpcodeRow<'_>, shared: Option<(&Ident, &Ident)>) -> TokenStream {
        let (model, opcode) = (self.model, row.opcode);
        let GeneratedNames { fields: field_table, exceptions: exception_table, texts, .. } =
            self.names;
        let syntax_table = &self.names.syntax;
        let (ones, (name, doc), fields, steps) = match shared {
            Some((fields, steps)) => {
                (opcode.fixed.value, (String::new(), ""), quote!(#fields[0]), quote!(#steps[0]))
            }
            None => (0, self.name(row), self.emit_fields(row), self.emit_steps(row)),
        };
        let less = |cube: Cube| Cube { mask: cube.mask, value: cube.value & !ones };
        let (bits, unused) = (opcode.bits, hex(opcode.unused));
        let fixed = emit_cube(&less(opcode.fixed));
        let screen = emit_screen(&row.screen, less(row.screen.plain));
        let functions = emit_functions(model, self.names, opcode);
        let program = match row.steps.is_empty() {
            true => quote!(#CORE::table::PrintProgram::NONE),
            false => {
                let places = row.places.iter().flat_map(|&(position, width)| [position, width]);
                let places = Literal::byte_string(&places.collect::<Vec<u8>>());
                let len = row.places.len();
                let places = quote!(&#CORE::table::places::<#len>(#places));
                quote!(#CORE::table::PrintProgram::new(&#texts, &#steps, #places))
            }
        };
        let view_table = &self.names.views;
        let views = opcode.composite_operands.iter().map(|view| index(&view.index));
        let exceptions = opcode.exceptions.iter().map(index);
        let requires = listed(
            "requires",
            opcode.requirements.iter().map(|place| {
                let (table, place) = (&self.names.requirements, index(place));
                quote!(&#table[#place])
            }),
        );
        let syntax = Literal::usize_unsuffixed(opcode.syntax);
        let bind = bytes(opcode.bind.iter().map(|place| place.unwrap_or(ABSENT.into())));
        let operands = self.emit_operands(opcode);
        let formats = opcode.formats.iter().map(|format| {
            let (field, args) = (byte(format.field), bytes(format.args.iter().copied()));
            let text = format_static(&model.formats[format.format]);
            let name = model.formats[format.format].name.to_string();
            quote!(#CORE::table::Format {
                field: #field, name: #name, text: &#text, args: #args,
            })
        });
        let examples: Vec<_> = examples(model, opcode).collect();
        let examples = (!examples.is_empty())
            .then(|| quote!(examples: #CORE::table::described(&[#(#examples),*]),));
        let lists = [self.emit_aliases(row), self.emit_after(opcode)];
        let lists = lists.into_iter().chain([self.emit_flow(opcode), self.emit_lanes(opcode)]);
        let ignored = (opcode.ignored != 0).then(|| hex(opcode.ignored));
        let ignored = ignored.map(|bits| quote!(ignored: #bits,));
        let lineages = &self.names.lineages;
        let own = shared.is_none().then(|| Literal::byte_string(&row.lineage)).into_iter();
        let short = opcode.short.as_deref().map(emit_short_word);
        let addresses = (model.address_bits != 64).then(|| byte(model.address_bits.into()));
        let addresses = addresses.map(|bits| quote!(address_bits: #bits,));
        let effects = row.effects.map(|bits| byte(bits.into()));
        let effects = effects.map(|bits| quote!(effects: #CORE::table::Effects::new(#bits),));
        let (start, named) = (hex(row.start & !ones), row.named.iter().map(index));
        quote! {
            #CORE::table::Opcode {
                name: #name, doc: #doc, bits: #bits, fixed: #fixed, unused: #unused,
                screen: #screen #functions, fields: &#fields, views: &[#(&#view_table[#views]),*],
                exceptions: &[#(&#exception_table[#exceptions]),*], #requires
                syntax: &#syntax_table[#syntax], bind: #bind, operands: #operands,
                formats: &[#(#formats),*], #examples
                lineage: #CORE::table::Lineage::new(&#lineages) #(.with(#own))*,
                program: #program, #(#lists)* #ignored #short #addresses #effects ..#CORE::table::Opcode::NONE
            }.started(#start, &[#(&#field_table[#named]),*])
        }
    }

    /// Emits the fields of a row.
    fn emit_fields(&self, row: &OpcodeRow<'_>) -> TokenStream {
        let (table, places) = (&self.names.fields, row.opcode.fields.iter().map(index));
        // In a set without fields the table is empty, and `pick` cannot be called.
        match row.opcode.fields.is_empty() {
            true => quote!([]),
            false => quote!(#CORE::table::pick(&#table, [#(#places),*])),
        }
    }

    /// Emits the print program of a row.
    fn emit_steps(&self, row: &OpcodeRow<'_>) -> TokenStream {
        let (texts, len) = (&self.names.texts, row.steps.len());
        let steps = Literal::byte_string(row.steps.as_flattened());
        match len {
            0 => quote!([]),
            _ => quote!(#CORE::table::steps::<#len>(&#texts, #steps)),
        }
    }

    fn emit_operands(&self, opcode: &Opcode) -> TokenStream {
        let model = self.model;
        let operands = opcode.operands.iter().map(|operand| {
            let field = byte(operand.field);
            let kind = &model.field_types[opcode.field_at(model, operand.field).ty];
            let bits = match (operand.bits, &kind.shape) {
                (0, FieldTypeKind::Operand(_)) => {
                    let ty = kind_type(kind);
                    quote!([#ty])
                }
                (bits, _) => quote!((#bits)),
            };
            let access = match (operand.read, operand.written) {
                (true, true) => quote!(ReadWrite),
                (false, true) => quote!(Write),
                _ => quote!(Read),
            };
            quote!(#field #access #bits)
        });
        quote!(#CORE::__private::operands![#(#operands)*])
    }

    /// Emits the control flow of an opcode, or nothing if execution always continues after it.
    fn emit_flow(&self, opcode: &Opcode) -> TokenStream {
        let rows = opcode.flow.iter().map(|&(row, target)| {
            let FlowRow { kind, or_next, is_indirect, condition, cubes, cases, .. } =
                &self.model.flows[row];
            let indirect = is_indirect.then(|| quote!(.indirect()));
            let (kind, target) = (kind.variant(), byte(target.unwrap_or(ABSENT.into())));
            let condition = condition.as_deref().unwrap_or_default();
            let cubes = emit_cubes(cubes);
            let cases = emit_cases(self.model, self.names, cases);
            quote!(#CORE::table::FlowRow::new(
                #CORE::table::FlowKind::#kind, #or_next, #target, #condition, #cubes, #cases,
            )#indirect)
        });
        listed("flow", rows)
    }

    /// Emits references to the lanes of an opcode.
    fn emit_lanes(&self, opcode: &Opcode) -> TokenStream {
        let (table, known) = (&self.names.lanes, self.lanes);
        let places = opcode.lanes.iter().filter_map(|row| known.binary_search(&row).ok());
        listed("lanes", places.map(|place| index(&place)).map(|place| quote!(&#table[#place])))
    }

    /// Emits references to the rows of an opcode's aliases.
    fn emit_aliases(&self, row: &OpcodeRow<'_>) -> TokenStream {
        let table = &self.names.aliases;
        let aliases = row.aliases.iter().map(|&place| {
            let printed = self.model.aliases[place].printed;
            let place = Literal::usize_unsuffixed(place);
            quote!(#CORE::table::Alias { row: &#table[#place], printed: #printed })
        });
        listed("aliases", aliases)
    }

    /// Emits a reference to the rows that are parsed before an opcode or an alias.
    fn emit_after(&self, opcode: &Opcode) -> TokenStream {
        let (orders, place) = (&self.names.orders, index(&opcode.parse_order));
        let has_any = !self.model.orders[opcode.parse_order].first.is_empty();
        if has_any { quote!(after: #orders[#place],) } else { TokenStream::new() }
    }
}

/// Emits the lists of rows that are parsed before other rows, without duplicates.
pub(super) fn emit_orders(model: &Model, names: &GeneratedNames) -> TokenStream {
    let (orders, count) = (&names.orders, model.orders.len());
    if count == 1 {
        return TokenStream::new();
    }
    let opcodes = model.opcodes.iter().enumerate();
    let aliases = model.aliases.iter().enumerate();
    let rows: HashMap<usize, (&Ident, usize)> = opcodes
        .map(|(place, opcode)| (opcode.node, (&names.opcodes, place)))
        .chain(aliases.map(|(place, alias)| (alias.row.node, (&names.aliases, place))))
        .collect();
    let lists = model.orders.iter().map(|order| {
        let rows = order.first.iter().filter_map(|node| rows.get(node));
        let rows = rows.map(|(table, place)| (table, index(place)));
        let rows = rows.map(|(table, place)| quote!(&#table[#place]));
        quote!(&[#(#rows),*])
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #orders: [&[&#CORE::table::Opcode]; #count] = [#(#lists),*];
    }
}

/// Emits a list of a row, `name: &[..],`. Emits nothing if the list is empty, as it is in most rows.
fn listed(name: &str, items: impl Iterator<Item = TokenStream>) -> TokenStream {
    let (name, items) = (format_ident!("{name}"), items.collect::<Vec<_>>());
    if items.is_empty() { TokenStream::new() } else { quote!(#name: &[#(#items),*],) }
}

fn index(place: &usize) -> Literal {
    Literal::usize_unsuffixed(*place)
}

/// Emits the short words of an opcode.
fn emit_short_word(short: &ResolvedShortWord) -> TokenStream {
    let ResolvedShortWord { bits, long, condition, opposite: _, exception: _ } = short;
    let (bits, long) = (byte((*bits).into()), emit_cubes(long));
    quote!(short: ::core::option::Option::Some(
        &#CORE::table::ShortWord { bits: #bits, condition: #condition, long: #long }
    ),)
}

fn emit_screen(screen: &Screen, plain: Cube) -> TokenStream {
    let Screen { plain: _, validity_tables, maps, rest } = screen;
    let (plain, rest) = (emit_cube(&plain), emit_cubes(rest));
    let validity_table = |place: usize| match validity_tables.get(place) {
        Some(&ValidityTable { half, mask, magic, legal }) => {
            let mask = hex(u128::from(mask) << (64 * u32::from(half)));
            let (magic, legal) = (hex(magic.into()), hex(legal.into()));
            quote!(#CORE::table::ValidityTable::new(#mask, #magic, #legal))
        }
        None => quote!(#CORE::table::ValidityTable::ALL),
    };
    let (first, second) = (validity_table(0), validity_table(1));
    let screen = quote!(#CORE::table::ValidityCheck::new(#plain, [#first, #second], #rest));
    if maps.is_empty() {
        return screen;
    }
    let maps = maps.iter().map(|TruthTable { runs, illegal }| {
        let runs = runs
            .iter()
            .map(|&(position, width)| quote!(#CORE::table::Piece::new(#position, #width)));
        let illegal = Literal::byte_string(illegal);
        quote!(#CORE::table::TruthTable::new(&[#(#runs),*], #illegal))
    });
    quote!(#screen.with_maps(&[#(#maps),*]))
}

/// Returns the examples of the opcode, including inherited ones.
fn examples<'m>(model: &'m Model, opcode: &Opcode) -> impl Iterator<Item = &'m String> {
    let examples = model.lineage[opcode.node].iter().flat_map(|&node| &model.nodes[node].examples);
    examples.map(|example| &example.text)
}
