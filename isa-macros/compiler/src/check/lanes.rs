//! Checks `Lanes` lines: each must name an operand and describe lanes within its width.

use proc_macro2::Span;

use crate::diag::{Code, Diagnostics, bits};
use crate::model::{LaneRow, Model, Opcode};
use crate::syntax::lanes::{LaneMask, LanesDecl};

/// The maximum number of lanes of an operand: a lane mask has one bit for each.
const MOST_LANES: u64 = 64;

/// The maximum number of fields that a lane function takes.
const MOST_FIELDS: usize = 4;

/// Checks that each line names an operand, that the width of a lane divides the operand's width, and
/// that a constant mask selects some of these lanes and no others.
pub(crate) fn check_lanes(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.sound_opcodes() {
        for row in &opcode.lanes {
            let fault =
                operand_fault(model, opcode, row).or_else(|| shape_fault(opcode, row, model));
            if let Some((span, message)) = fault {
                diag.error_of(&opcode.name, Code::Lanes, span, message);
            }
        }
    }
}

/// Explains why the field that a line names cannot have lanes.
fn operand_fault(model: &Model, opcode: &Opcode, row: &LaneRow) -> Option<(Span, String)> {
    let field = &model.fields[opcode.fields[row.field]];
    let (kind, name, span) = (&model.kinds[field.kind], &field.text, row.decl(model).field.span());
    if kind.is_set() {
        let message = format!(
            "`{name}` is a value of `{}` and no register, so that it has no lanes\nhelp: name an \
             operand that is read or written",
            kind.name
        );
        return Some((span, message));
    }
    let is_operand = opcode.operands.iter().any(|operand| operand.field == row.field);
    let message = format!(
        "`{name}` is no operand of `{}`, so that it has no lanes\nhelp: add it to `InList` or \
         `OutList`, or leave the line out",
        opcode.name
    );
    (!is_operand).then_some((span, message))
}

/// Explains why the declared lanes of an operand are invalid.
fn shape_fault(opcode: &Opcode, row: &LaneRow, model: &Model) -> Option<(Span, String)> {
    let LanesDecl { field, bits: lane, mask } = row.decl(model);
    let name = field.dotted();
    if let LaneMask::Call(call) = mask
        && let Some(beyond) = call.fields.get(MOST_FIELDS)
    {
        let message = format!(
            "a function of lanes has at most {MOST_FIELDS} fields\nhelp: leave out those on which \
             the lanes do not depend"
        );
        return Some((beyond.span(), message));
    }
    let operand = opcode.operands.iter().find(|operand| operand.field == row.field)?;
    let width = u64::from(operand.bits);
    if lane.value == 0 {
        return Some((lane.span, "a lane has at least one bit".to_owned()));
    }
    // Only rustc knows the width that the operand type declares.
    if width == 0 {
        return None;
    }
    let count = width / lane.value;
    if count == 0 || !width.is_multiple_of(lane.value) || count > MOST_LANES {
        let message = format!(
            "lanes of {} are no parts of `{name}`, which has {}\nhelp: a width of lanes divides that \
             of the operand, into at most {MOST_LANES}",
            bits(lane.value),
            bits(width),
        );
        return Some((lane.span, message));
    }
    let all = u64::MAX >> (64 - count);
    let LaneMask::Number(mask) = mask else { return None };
    let message = format!(
        "the lanes of `{name}` are {all:#b}, and this number has others, or none\nhelp: bit i stands \
         for lane i, of which lane 0 has the lowest bits"
    );
    (mask.value == 0 || mask.value & !all != 0).then_some((mask.span, message))
}
