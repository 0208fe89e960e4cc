//! Emits Rust code. Nothing here can fail: `check` reports errors, and `plan` makes all decisions.
//!
//! Most of the output is data: static tables that `isa-core` interprets, and thin typed methods over
//! them. For a set `Halu` with an opcode `HADD2_RR`:
//!
//! ```text
//! static __Halu_FIELDS: [Field; 60] = [...];        // each declared field once
//! static __Halu_SYNTAX: [Syntax; 6] = [...];        // each template once
//! static __Halu_OPCODES: [Opcode; 27] = {...};      // one row an opcode
//! static __Halu_SET: InstructionSet = ...;          // with the decode tree
//! pub struct HaluInstruction<O>(u128, ...);         // accessors, encode, execute
//! pub struct HaluShape0<O>(...);                    // opcodes with the same fields: `new`
//! pub type Hadd2Rr = HaluInstruction<HaluShape0<Hadd2RrOpcode>>;
//! pub enum Halu { Hadd2Rr(Hadd2Rr), ... }           // decode, parse, print
//! ```

mod accessor_traits;
mod disjoint;
mod docs;
mod editor;
mod exec;
mod export;
mod instruction_types;
mod lanes;
mod literals;
mod names;
mod operand_types;
mod predicates;
mod properties;
mod return_rewrite;
mod rows;
mod semantic_operands;
mod set_items;
mod tables;
mod text_programs;
mod warp;

use proc_macro2::TokenStream;

use crate::check::CheckResult;
use crate::plan::Plan;
use names::{GeneratedNames, placed_at};

/// Emits all items that a call defines, also after errors: all names remain defined, so one error does not
/// cause errors at the uses of these names. For an opcode with an error, only the semantics are left out,
/// because names in them may be undefined.
pub(crate) fn emit(plan: &Plan<'_>, checked: &CheckResult) -> TokenStream {
    let (model, names) = (plan.model, GeneratedNames::new(plan));
    let mut output = operand_types::emit_kinds(model);
    output.extend(tables::emit_tables(plan, &names));
    output.extend(exec::emit_semantics(plan, &names));
    output.extend(instruction_types::emit_family(plan, &names));
    output.extend(instruction_types::emit_instructions(plan, &names));
    output.extend(set_items::emit_table(plan, &names));
    output.extend(set_items::emit_set(plan, &names));
    output.extend(disjoint::emit_apart(&names, &checked.claims));
    output.extend(predicates::emit_disjoint(model, &names, &checked.disjoint));
    output.extend(lanes::emit_lanes_fit(model));
    output.extend(editor::emit_uses(plan, &names));
    output.extend(export::emit_export(plan, &names, checked));
    output
}
