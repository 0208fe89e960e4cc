//! Decides which opcodes share the functions of a `semantics` section, and which arguments each opcode
//! passes.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::effects::Effects;
use super::row_sharing::alike;
use super::setting::{Setting, settings};
use super::slot::{OwnOperand, Slot, slots_of};
use crate::model::{Field, Init, Kind, Model, Opcode};
use crate::syntax::ast::{NodeDecl, Spelled};

/// All semantic functions of the call.
#[derive(Debug)]
pub(crate) struct Sections<'m> {
    pub(crate) all: Vec<Semantics<'m>>,
    /// Opcodes with semantics and an error that prevents their execution.
    pub(crate) faulty: Vec<&'m Opcode>,
    /// Modules of other calls, whose names the semantic functions may use.
    pub(crate) modules: Vec<&'m Spelled>,
}

/// The functions of a `semantics` section for opcodes with the same guard and the same names of inputs
/// and outputs.
#[derive(Debug)]
pub(crate) struct Semantics<'m> {
    pub(crate) model: &'m Model,
    /// The node with the section.
    node: &'m NodeDecl,
    /// The number of this group of functions within the section, counted from 1.
    number: usize,
    pub(crate) body: &'m TokenStream,
    /// The name for the number of lanes in the section, if the function computes several lanes at once.
    pub(crate) lanes: Option<&'m Ident>,
    pub(crate) guard: Option<&'m TokenStream>,
    pub(crate) effects: Effects<'m>,
    pub(crate) slots: Vec<Slot<'m>>,
    pub(crate) settings: Vec<Setting<'m>>,
    /// The opcodes that share the functions.
    pub(crate) callers: Vec<Caller<'m>>,
}

/// An opcode, and the arguments that it passes to the semantic functions. An argument is passed only if
/// it differs between the opcodes.
#[derive(Debug)]
pub(crate) struct Caller<'m> {
    pub(crate) opcode: &'m Opcode,
    pub(crate) operands: Vec<OwnOperand<'m>>,
    pub(crate) settings: Vec<Given<'m>>,
}

/// A value that is passed to semantics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'m> {
    pub(crate) kind: &'m Kind,
    pub(crate) bits: Bits<'m>,
}

impl PartialEq for Given<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.kind, other.kind) && self.bits == other.bits
    }
}

/// The source of a value's bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bits<'m> {
    /// These pieces of the instruction word.
    Word(&'m [(u8, u8)]),
    /// The specification, which fixes the field or declares its default.
    Init(&'m Init),
}

impl<'m> Sections<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let executed = model.opcodes.iter().filter(|opcode| opcode.semantics.is_some());
        let (whole, faulty): (Vec<_>, Vec<_>) =
            executed.partition(|opcode| opcode.sound && opcode.has_lists && opcode.runs);
        let alike = alike(whole.iter().map(|&opcode| {
            let operands = opcode.named_operands(model);
            let names = operands.map(|(symbol, o)| (symbol.name.as_str(), o.read, o.written));
            let names: BTreeSet<_> = names.collect();
            Some((opcode.semantics, opcode.guard, names))
        }));
        let mut numbers: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        let all = alike.into_iter().filter_map(|members| {
            let members: Vec<&Opcode> = members.into_iter().map(|member| whole[member]).collect();
            let number = numbers.entry(members[0].semantics).or_default();
            *number += 1;
            Semantics::of(model, *number, &members)
        });
        Sections { all: all.collect(), faulty, modules: modules(model) }
    }
}

impl<'m> Semantics<'m> {
    fn of(model: &'m Model, number: usize, members: &[&'m Opcode]) -> Option<Self> {
        let first = *members.first()?;
        let node = &model.nodes[first.semantics?];
        let (body, lanes) = (node.semantics.as_ref()?, node.lanes.as_ref());
        let guard = first.guard.and_then(|node| model.nodes[node].guard.as_ref());
        let (effects, settings) = (Effects::of(model, first), settings(model, members, body));
        let (slots, callers) = (Vec::new(), Vec::new());
        let mut semantics = Semantics {
            model,
            node,
            number,
            body,
            lanes,
            guard,
            effects,
            slots,
            settings,
            callers,
        };
        semantics.slots = slots_of(&semantics, members);
        let caller = |&opcode: &&'m Opcode| {
            let (slots, settings) = (semantics.slots.iter(), semantics.settings.iter());
            Caller {
                opcode,
                operands: slots.filter_map(|slot| slot.passed(model, opcode)).collect(),
                settings: settings.filter_map(|one| one.passed(model, opcode)).collect(),
            }
        };
        semantics.callers = members.iter().map(caller).collect();
        Some(semantics)
    }

    /// Returns the hidden name of an item that belongs to the functions.
    pub(crate) fn name(&self, what: &str) -> Ident {
        let (set, node) = (&self.model.header.name, &self.node.name);
        // The name of a set cannot begin with a digit, so the name is unique.
        let number = if self.number > 1 { format!("{}_", self.number) } else { String::new() };
        format_ident!("__{number}{set}_{node}_{what}", span = node.span())
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    /// Returns the operands that each opcode passes.
    pub(crate) fn passed_slots(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.alike.is_none())
    }

    /// Returns the settings that each opcode passes to the function as arguments.
    pub(crate) fn passed_settings(&self) -> impl Iterator<Item = &Setting<'m>> {
        self.settings.iter().filter(|setting| setting.alike.is_none())
    }

    /// Returns whether a warp computes rows of values, because the function has no effects and cannot
    /// trap.
    pub(crate) fn has_rows(&self) -> bool {
        self.model.trap.is_none() && self.effects.is_pure()
    }

    /// Returns whether the lanes of a warp are computed in a separate function. This is the case if no
    /// opcode passes a [`Setting`] (a field that is not an operand) as an argument, because every
    /// setting has the same position in all opcodes that share the function.
    pub(crate) fn is_apart(&self) -> bool {
        self.passed_settings().next().is_none()
    }
}

impl<'m> Given<'m> {
    /// Creates the value of a field, read from the instruction word that is executed.
    pub(super) fn at(model: &'m Model, field: &'m Field) -> Self {
        let bits = match &field.pieces[..] {
            [] => Bits::Init(&field.init),
            pieces => Bits::Word(pieces),
        };
        Given { kind: &model.kinds[field.kind], bits }
    }

    /// Creates the value to which an opcode fixes a field, or the default that is used for an operand
    /// without the field.
    pub(super) fn init(model: &'m Model, field: &'m Field) -> Self {
        Given { kind: &model.kinds[field.kind], bits: Bits::Init(&field.init) }
    }
}

/// Returns the modules of other calls from which this call imports field types.
fn modules(model: &Model) -> Vec<&Spelled> {
    let mut modules: Vec<&Spelled> = Vec::new();
    for module in model.kinds.iter().filter_map(|kind| kind.origin.as_deref()) {
        if module.text != "self" && !modules.contains(&module) {
            modules.push(module);
        }
    }
    modules
}
