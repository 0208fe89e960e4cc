//! Composite operands: several fields that the text shows in one placeholder.
//!
//! A composite operand is not a field of an instruction. It contains the bits of its fields one
//! after another and is used only in assembly text: its format parses and prints it in the
//! template.

use super::{
    CompositeOperand, DefaultValue, FieldType, FieldTypeKind, Init, Model, Opcode, ResolvedField,
};
use crate::diag::{Code, Diagnostics, bits};
use crate::syntax::ast::{Docs, FieldName};

/// The maximum number of bits of a composite operand, which is the maximum for a format.
const WIDEST: u32 = 64;

/// Adds the composite operand `name` of the fields `of` to `opcode`, and returns its index. `node`
/// declares the operand. It replaces an inherited composite operand with the same name.
pub(super) fn add_composite(
    opcode: &mut Opcode,
    model: &mut Model,
    node: usize,
    (name, of): (&FieldName, Vec<usize>),
    diag: &mut Diagnostics,
) -> Option<usize> {
    let field = view_field(opcode, model, node, (name, &of), diag)?;
    let view = CompositeOperand { name: field.text.clone(), index: index_of(model, field), of };
    let known = opcode.composite_operands.iter().position(|known| known.name == view.name);
    let at = known.unwrap_or(opcode.composite_operands.len());
    match opcode.composite_operands.get_mut(at) {
        Some(known) => *known = view,
        None => opcode.composite_operands.push(view),
    }
    Some(opcode.fields.len() + at)
}

/// Returns the composite operand as a field, or `None` if it is invalid.
fn view_field(
    opcode: &Opcode,
    model: &mut Model,
    node: usize,
    (name, of): (&FieldName, &[usize]),
    diag: &mut Diagnostics,
) -> Option<ResolvedField> {
    let fields: Vec<&ResolvedField> =
        of.iter().map(|&place| opcode.field_at(model, place)).collect();
    let mut seen: Vec<usize> = Vec::new();
    let twice = of.iter().find(|&&place| {
        let known = seen.contains(&place);
        seen.push(place);
        known
    });
    if let Some(&place) = twice {
        let field = &opcode.field_at(model, place).text;
        let message = format!(
            "`{}` contains `{field}` twice\nhelp: name each field once, the most significant \
             first",
            name.dotted()
        );
        diag.error_of(&opcode.name, Code::Repeated, name.span(), message);
        return None;
    }
    if let Some(field) = fields.iter().find(|field| field.pieces.is_empty() && !field.broken) {
        let field = &field.text;
        let message = format!(
            "`{field}` has no bits, so the number of `{}` cannot contain it\nhelp: remove `{field}` \
             here, and use another format that prints its value",
            name.dotted()
        );
        diag.error_of(&opcode.name, Code::FieldWidth, name.span(), message);
        return None;
    }
    let width: u32 = fields.iter().map(|field| u32::from(field.width())).sum();
    if width > WIDEST {
        let message = format!(
            "`{}` contains fields of {} in total, but a format parses and prints at most \
             {WIDEST}\nhelp: move some of the fields to another placeholder",
            name.dotted(),
            bits(u64::from(width))
        );
        diag.error_of(&opcode.name, Code::FieldWidth, name.span(), message);
        return None;
    }
    let pieces = fields.iter().flat_map(|field| field.pieces.iter().copied()).collect();
    let (init, broken) = (joint_init(&fields), fields.iter().any(|field| field.broken));
    Some(ResolvedField {
        docs: Docs::default(),
        name: name.clone(),
        text: name.dotted(),
        node,
        pieces,
        ty: bits_kind(model, width as u8),
        init,
        ignored: false,
        broken,
        nameless: true,
    })
}

/// Returns a fixed value if all fields are fixed. Otherwise returns a default if all other fields
/// have known defaults, or no value.
fn joint_init(fields: &[&ResolvedField]) -> Init {
    let (mut joint, mut all_fixed) = (0u64, true);
    for field in fields {
        let raw = match field.init {
            Init::Fixed(raw) => raw,
            Init::Default(DefaultValue::Number(raw)) => {
                all_fixed = false;
                raw
            }
            _ => return Init::Required,
        };
        joint = joint.checked_shl(field.width().into()).unwrap_or(0) | raw;
    }
    match all_fixed {
        true => Init::Fixed(joint),
        false => Init::Default(DefaultValue::Number(joint)),
    }
}

/// Returns the index of the type for composite operands of `width` bits.
fn bits_kind(model: &mut Model, width: u8) -> usize {
    let is_it = |kind: &FieldType| matches!(kind.shape, FieldTypeKind::Bits) && kind.width == width;
    model.field_types.iter().position(is_it).unwrap_or_else(|| {
        model.field_types.push(FieldType::bits(width));
        model.field_types.len() - 1
    })
}

/// Returns the index of a composite operand in the call. Opcodes that show the same fields share
/// one.
fn index_of(model: &mut Model, view: ResolvedField) -> usize {
    let is_it = |known: &ResolvedField| {
        known.text == view.text
            && known.node == view.node
            && known.pieces == view.pieces
            && known.init == view.init
    };
    model.composite_operands.iter().position(is_it).unwrap_or_else(|| {
        model.composite_operands.push(view);
        model.composite_operands.len() - 1
    })
}
