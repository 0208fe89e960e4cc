//! `Lanes` lines: the operand of each, and the fields that its function is of.

use super::operands::listed_place;
use super::{Model, Opcode};
use crate::diag::Diagnostics;
use crate::syntax::ast::FieldName;
use crate::syntax::lanes::{LaneMask, LanesDecl};

/// A line `Lanes` as it holds for an opcode.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaneRow {
    /// The node that has the line, and the index of the line there.
    pub(crate) node: usize,
    pub(crate) line: usize,
    /// The place of the operand's field.
    pub(crate) field: usize,
    /// The places of the fields that the function is of.
    pub(crate) args: Vec<usize>,
}

impl LaneRow {
    /// The line as it is written.
    pub(crate) fn decl<'m>(&self, model: &'m Model) -> &'m LanesDecl {
        &model.nodes[self.node].operands.lanes[self.line]
    }
}

/// The lines of an opcode. Of two for one operand the nearer one counts, and the other is not looked at.
pub(super) fn lower_lanes(opcode: &Opcode, model: &Model, diag: &mut Diagnostics) -> Vec<LaneRow> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
    for &node in model.lineage[opcode.node].iter().rev() {
        for (line, decl) in model.nodes[node].operands.lanes.iter().enumerate() {
            let name = decl.field.dotted();
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            let mut place = |name: &FieldName| listed_place(opcode, name, &[], model, diag);
            let field = place(&decl.field);
            let args: Option<Vec<usize>> = match &decl.mask {
                LaneMask::Call(call) => call.fields.iter().map(place).collect(),
                LaneMask::All | LaneMask::Number(_) => Some(Vec::new()),
            };
            rows.extend(field.zip(args).map(|(field, args)| LaneRow { node, line, field, args }));
        }
    }
    rows
}
