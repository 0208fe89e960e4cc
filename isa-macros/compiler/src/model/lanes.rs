//! `Lanes` lines: the operand of each, and the arguments of its function.

use super::operands::listed_place;
use super::{Model, Opcode};
use crate::diag::Diagnostics;
use crate::syntax::ast::FieldName;
use crate::syntax::lanes::{LaneMask, LanesDecl};

/// A `Lanes` line that applies to an opcode.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaneRow {
    /// The node that contains the line, and the index of the line in the node.
    pub(crate) node: usize,
    pub(crate) line: usize,
    /// The index of the operand's field.
    pub(crate) field: usize,
    /// The indexes of the function's arguments.
    pub(crate) args: Vec<usize>,
}

impl LaneRow {
    /// Returns the line as written.
    pub(crate) fn decl<'m>(&self, model: &'m Model) -> &'m LanesDecl {
        &model.nodes[self.node].operands.lanes[self.line]
    }
}

/// Returns the lines of an opcode. If an operand has two lines, the nearer line applies, and the
/// other is ignored.
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
