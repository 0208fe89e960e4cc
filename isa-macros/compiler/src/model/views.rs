//! Views: what a text shows of several fields together, in one slot.
//!
//! A view is no field of an instruction. It has the bits of its fields side by side, and only texts
//! know it: where a template has it, that is read and written by the format of the view.

use super::{DefaultValue, Field, Init, Kind, Model, Opcode, Shape, View};
use crate::diag::{Code, Diagnostics, bits};
use crate::syntax::ast::{Docs, FieldName};

/// The most bits of a view: what a format reads and writes.
const WIDEST: u32 = 64;

/// Adds a view of some fields of an opcode, which `node` gives it, and gives its place. A view of the
/// same name that the opcode inherits is replaced.
pub(super) fn add_view(
    opcode: &mut Opcode,
    model: &mut Model,
    node: usize,
    (name, of): (&FieldName, Vec<usize>),
    diag: &mut Diagnostics,
) -> Option<usize> {
    let field = view_field(opcode, model, node, (name, &of), diag)?;
    let view = View { name: field.text.clone(), index: index_of(model, field), of };
    let known = opcode.views.iter().position(|known| known.name == view.name);
    let at = known.unwrap_or(opcode.views.len());
    match opcode.views.get_mut(at) {
        Some(known) => *known = view,
        None => opcode.views.push(view),
    }
    Some(opcode.fields.len() + at)
}

/// What the fields are together; `None` where they cannot be.
fn view_field(
    opcode: &Opcode,
    model: &mut Model,
    node: usize,
    (name, of): (&FieldName, &[usize]),
    diag: &mut Diagnostics,
) -> Option<Field> {
    let fields: Vec<&Field> = of.iter().map(|&place| &model.fields[opcode.fields[place]]).collect();
    let mut seen: Vec<usize> = Vec::new();
    let twice = of.iter().find(|&&place| {
        let known = seen.contains(&place);
        seen.push(place);
        known
    });
    if let Some(&place) = twice {
        let field = &model.fields[opcode.fields[place]].text;
        let message = format!(
            "`{}` shows `{field}` twice\nhelp: name each of the fields once, the most significant \
             first",
            name.dotted()
        );
        diag.error_of(&opcode.name, Code::Repeated, name.span(), message);
        return None;
    }
    let width: u32 = fields.iter().map(|field| u32::from(field.width())).sum();
    if width > WIDEST {
        let message = format!(
            "`{}` shows {} of fields, and a format reads and writes at most {WIDEST}\nhelp: show \
             some of them in a slot of their own",
            name.dotted(),
            bits(u64::from(width))
        );
        diag.error_of(&opcode.name, Code::FieldWidth, name.span(), message);
        return None;
    }
    let pieces = fields.iter().flat_map(|field| field.pieces.iter().copied()).collect();
    let (init, broken) = (joint_init(&fields), fields.iter().any(|field| field.broken));
    Some(Field {
        docs: Docs::default(),
        name: name.clone(),
        text: name.dotted(),
        node,
        pieces,
        kind: bits_kind(model, width as u8),
        init,
        ignored: false,
        broken,
        nameless: true,
    })
}

/// Fixed where all fields are; with a default where all others have one that is known.
fn joint_init(fields: &[&Field]) -> Init {
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

/// The kind of so many bits, of which only a format knows more.
fn bits_kind(model: &mut Model, width: u8) -> usize {
    let is_it = |kind: &Kind| matches!(kind.shape, Shape::Bits) && kind.width == width;
    model.kinds.iter().position(is_it).unwrap_or_else(|| {
        model.kinds.push(Kind::bits(width));
        model.kinds.len() - 1
    })
}

/// The place among the views of the call. Opcodes that show the same fields have one.
fn index_of(model: &mut Model, view: Field) -> usize {
    let is_it = |known: &Field| {
        known.text == view.text
            && known.node == view.node
            && known.pieces == view.pieces
            && known.init == view.init
    };
    model.views.iter().position(is_it).unwrap_or_else(|| {
        model.views.push(view);
        model.views.len() - 1
    })
}
