//! Emits the lanes of operands, and assertions that the width of an operand type is a multiple of the
//! lane width.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::literals::{byte, bytes};
use super::names::GeneratedNames;
use crate::core_path::{CORE, Core};
use crate::diag::Code;
use crate::model::names::kind_type;
use crate::model::{FieldTypeKind, LaneRow, Model};
use crate::syntax::ast::LaneMask;

/// Emits the table of lane rows. Most calls declare no lanes, so nothing is emitted for them.
///
/// ```text
/// static __Halu_LANES: [LaneRow; 24] =
///     lanes![4 16 Of1(crate::half_lanes) false "crate::half_lanes" b"\x06" ..];
/// ```
pub(super) fn emit_lanes(
    model: &Model,
    names: &GeneratedNames,
    rows: &[&LaneRow],
) -> Option<TokenStream> {
    let (name, len) = (&names.lanes, rows.len());
    let rows = rows.iter().map(|row| {
        let decl = row.decl(model);
        let (field, bits, function) = (byte(row.field), lane_bits(row, model), decl.function());
        let args = bytes(row.args.iter().copied());
        let mask = match &decl.mask {
            LaneMask::All => quote!(All),
            LaneMask::Number(mask) => {
                let mask = Literal::u64_unsuffixed(mask.value);
                quote!(Fixed(#mask))
            }
            LaneMask::Call(call) => {
                let path = &call.path;
                match call.fields.len() {
                    1 => quote!(Of1(#path)),
                    2 => quote!(Of2(#path)),
                    3 => quote!(Of3(#path)),
                    4 => quote!(Of4(#path)),
                    // If there are more fields, an error was already reported.
                    _ => quote!(All),
                }
            }
        };
        let is_count = decl.is_width;
        quote!(#field #bits #mask #is_count #function #args)
    });
    (len > 0).then(|| {
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: [#CORE::table::LaneRow; #len] = #CORE::__private::lanes![#(#rows)*];
        }
    })
}

/// Returns the width of a lane. A width that does not fit was already reported as an error.
fn lane_bits(row: &LaneRow, model: &Model) -> Literal {
    Literal::u16_unsuffixed(u16::try_from(row.decl(model).bits.value).unwrap_or(u16::MAX))
}

/// Emits assertions about lanes of operands whose width comes from the operand type, without duplicates.
///
/// ```text
/// const _: () = if !lanes_fit(<Reg as OperandKind>::VALUE_BITS, 24, 0) { panic!("{}", "..") };
/// ```
pub(super) fn emit_lanes_fit(model: &Model) -> TokenStream {
    let (mut known, mut assertions) = (BTreeSet::new(), TokenStream::new());
    for opcode in model.valid_opcodes() {
        for row in &opcode.lanes {
            let operand = opcode.operands.iter().find(|operand| operand.field == row.field);
            let kind = opcode.field_at(model, row.field).ty;
            let key = (row.node, row.line, kind);
            if operand.is_none_or(|operand| operand.bits != 0) || !known.insert(key) {
                continue;
            }
            let (kind, decl) = (&model.field_types[kind], row.decl(model));
            if decl.is_width || !matches!(kind.shape, FieldTypeKind::Operand(_)) {
                continue;
            }
            let (name, span) = (decl.field.dotted(), decl.bits.span);
            let (ty, core, bits) = (kind_type(kind), Core::at(span), lane_bits(row, model));
            let mask = match &decl.mask {
                LaneMask::Number(mask) => Literal::u64_unsuffixed(mask.value),
                LaneMask::All | LaneMask::Call(_) => Literal::u64_unsuffixed(0),
            };
            let message = format!(
                "{code} these lanes do not divide `{name}`: they must divide the width of `{}`, \
                 the constant `VALUE_BITS` of its type, into at most 64 lanes\nhelp: declare \
                 another width, for example `Bitwidth<{name}> = 32;`",
                kind.name,
                code = Code::Lanes
            );
            assertions.extend(quote_spanned!(span=>
                const _: () = if !#core::table::lanes_fit(
                    <#ty as #core::operand::OperandKind>::VALUE_BITS, #bits, #mask,
                ) {
                    ::core::panic!("{}", #message)
                };
            ));
        }
    }
    assertions
}
