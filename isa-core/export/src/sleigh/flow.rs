//! Converts the control flow of instructions to semantics of SLEIGH: jumps, calls and returns.

use isa_core::table::{Cube, Field, FlowKind, FlowRow, Opcode};

use super::constructor::Constructor;
use super::disjoint_words::of_case;
use super::template::RowWriter;
use crate::masked_patterns::without;

/// The address of the instruction for which targets are computed.
const ADDRESS: u64 = 0x4000_0000;

/// An additional result of a row's operation.
pub(super) enum FlowResult {
    /// Whether the branch is taken.
    Taken,
    /// The address of the target.
    Target,
}

/// The control flow of a row.
#[derive(Default)]
pub(super) struct ControlFlow {
    /// The additional results of its operation.
    pub(super) said: Vec<FlowResult>,
    /// The statements after its operation. `{taken}` and `{to}` are placeholders for these results.
    pub(super) does: String,
}

/// Returns patterns for the words to which each row of `flow` applies, and for the words without
/// such a row. Returns `None` if patterns cannot express them.
pub(super) fn parts(row: &Opcode) -> Option<Vec<(Option<&'static FlowRow>, Vec<Cube>)>> {
    let (mut left, mut parts) = (vec![Cube::new(0, 0)], Vec::new());
    for flow in row.flow {
        let mut cubes = flow.cubes.to_vec();
        for case in flow.cases {
            cubes.extend(of_case(case)?);
        }
        let rest: Vec<Cube> = left.iter().flat_map(|cube| without(*cube, &cubes)).collect();
        let own = left.iter().flat_map(|cube| without(*cube, &rest)).collect();
        parts.push((Some(flow), own));
        left = rest;
    }
    parts.push((None, left));
    parts.retain(|(_, cubes)| !cubes.is_empty());
    Some(parts)
}

impl RowWriter<'_> {
    /// Returns the control flow of a row of `flow`, and adds the operands that it needs to the
    /// pattern.
    pub(super) fn control_flow(&mut self, flow: &FlowRow, all: &mut Constructor) -> ControlFlow {
        let field = self.row.fields.get(usize::from(flow.target)).copied();
        // If the target is indirect, the operation returns the address that memory contains.
        let to = field.filter(|_| !flow.is_indirect).and_then(|field| self.destination(field));
        let (mut said, mut does) = (Vec::new(), String::new());
        let leaves = !matches!(flow.kind, FlowKind::Trap | FlowKind::Next);
        let may_stay = leaves && (flow.or_next || !self.row.syntax.before.is_empty());
        let is_direct_branch = flow.kind == FlowKind::Branch && to.is_some();
        if may_stay {
            said.push(FlowResult::Taken);
            does +=
                if is_direct_branch { " if ({taken})" } else { " if (!{taken}) goto inst_next;" };
        }
        let target = match &to {
            Some(table) => {
                all.demand([table.clone()]);
                table.clone()
            }
            None => "[{to}]".to_owned(),
        };
        let word = match flow.kind {
            FlowKind::Branch => "goto",
            FlowKind::Call => "call",
            FlowKind::Return => "return",
            FlowKind::Stop => {
                does += " goto inst_start;";
                return ControlFlow { said, does };
            }
            _ => return ControlFlow::default(),
        };
        if to.is_none() {
            said.push(FlowResult::Target);
        }
        does += &format!(" {word} {target};");
        ControlFlow { said, does }
    }

    /// Returns a table of the addresses that a field contains, or `None` if they are not linear
    /// distances.
    fn destination(&mut self, field: &'static Field) -> Option<String> {
        let width = field.width();
        let distance = |raw| {
            let target = field.kind.target(raw, ADDRESS)?;
            Some(i128::from(target.wrapping_sub(ADDRESS) as i64))
        };
        let last = u64::MAX.checked_shr(64u32.checked_sub(width)?)?;
        let (add, scale) = (distance(0)?, distance(1)? - distance(0)?);
        let is_signed = distance(last)? == add - scale;
        let of = |raw: u64| {
            let unused = 128 - width;
            let number = if is_signed { i128::from(raw) << unused >> unused } else { raw.into() };
            add + scale * number
        };
        let step = (last / 0xffff).max(1) | 1;
        let mut tried = (0..=last / step).map(|number| number * step).chain([last, last >> 1]);
        if !tried.all(|raw| distance(raw) == Some(of(raw))) {
            return None;
        }
        let (value, fields) = self.expression(field.name, field.pieces, is_signed);
        let name = self.computed(&format!("{}_goes", field.name), field.pieces);
        let mut one = Constructor::symbol(&name);
        one.pattern = fields;
        let more = match add {
            0 => String::new(),
            add => format!(" {} {}", if add < 0 { '-' } else { '+' }, add.abs()),
        };
        one.actions.push(format!("{name} = inst_start + {value} * {scale}{more};"));
        one.value = format!("*[ram]:{} {name}", self.registers.address_bits() / 8);
        Some(self.spec.table(self.row.bits, &format!("{}_to", field.name), &[one]))
    }
}
