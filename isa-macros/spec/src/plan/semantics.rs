//! Sections of semantics: which opcodes share one, what its functions see, and what each opcode
//! passes to them.

use proc_macro2::{Ident, TokenStream};

use super::alike::alike;
use super::effects::Effects;
use super::setting::{Setting, settings};
use super::slot::{Operand, Slot, slots};
use crate::model::{Field, Init, Kind, Model, Opcode};
use crate::syntax::ast::{NodeDecl, Spelled};

/// All that the call has to execute.
#[derive(Debug)]
pub(crate) struct Sections<'m> {
    pub(crate) all: Vec<Semantics<'m>>,
    /// Opcodes that have semantics, and a fault by which they cannot run.
    pub(crate) faulty: Vec<&'m Opcode>,
    /// Modules of other calls, whose names the bodies may use.
    pub(crate) modules: Vec<&'m Spelled>,
}

/// What the functions of one `semantics` section are made of.
#[derive(Debug)]
pub(crate) struct Semantics<'m> {
    pub(crate) model: &'m Model,
    /// The node that has the section.
    pub(crate) node: &'m NodeDecl,
    pub(crate) body: &'m TokenStream,
    /// The number of lanes, where the body computes several at once.
    pub(crate) lanes: Option<&'m Ident>,
    pub(crate) guard: Option<&'m TokenStream>,
    pub(crate) effects: Effects<'m>,
    pub(crate) slots: Vec<Slot<'m>>,
    pub(crate) settings: Vec<Setting<'m>>,
    /// The opcodes that share the section.
    pub(crate) callers: Vec<Caller<'m>>,
}

/// An opcode, and what it passes to the functions of its semantics, since the opcodes have it each
/// in their own way.
#[derive(Debug)]
pub(crate) struct Caller<'m> {
    pub(crate) opcode: &'m Opcode,
    pub(crate) operands: Vec<Operand<'m>>,
    pub(crate) settings: Vec<Given<'m>>,
}

/// A value that semantics are given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'m> {
    pub(crate) kind: &'m Kind,
    pub(crate) bits: Bits<'m>,
}

/// Where the bits of a value come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bits<'m> {
    /// The word, at these pieces of it.
    Word(&'m [(u8, u8)]),
    /// The specification, which fixes the field or gives it a default.
    Init(&'m Init),
}

impl<'m> Sections<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let executed = model.opcodes.iter().filter(|opcode| opcode.semantics.is_some());
        let (whole, faulty): (Vec<_>, Vec<_>) =
            executed.partition(|opcode| opcode.sound && opcode.has_lists && opcode.runs);
        let nodes = alike(whole.iter().map(|opcode| Some(opcode.semantics)));
        let members = |numbers: Vec<usize>| numbers.into_iter().map(|number| whole[number]);
        let sections = nodes.into_iter().map(|numbers| members(numbers).collect::<Vec<_>>());
        let all = sections.filter_map(|members| Semantics::of(model, &members)).collect();
        Sections { all, faulty, modules: modules(model) }
    }
}

impl<'m> Semantics<'m> {
    fn of(model: &'m Model, members: &[&'m Opcode]) -> Option<Self> {
        let first = *members.first()?;
        let node = &model.nodes[first.semantics?];
        let (body, lanes) = (node.semantics.as_ref()?, node.lanes.as_ref());
        let guard = first.guard.and_then(|node| model.nodes[node].guard.as_ref());
        let slots = slots(model, members, body, guard, lanes.is_some());
        let settings = settings(model, members, body);
        let caller = |&opcode: &&'m Opcode| Caller {
            opcode,
            operands: slots.iter().filter_map(|slot| slot.passed(model, opcode)).collect(),
            settings: settings.iter().filter_map(|one| one.passed(model, opcode)).collect(),
        };
        let callers = members.iter().map(caller).collect();
        let effects = Effects::of(model, first);
        Some(Semantics { model, node, body, lanes, guard, effects, slots, settings, callers })
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    /// The operands that each opcode passes.
    pub(crate) fn passed_slots(&self) -> impl Iterator<Item = &Slot<'m>> {
        self.slots.iter().filter(|slot| slot.alike.is_none())
    }

    /// The settings that each opcode passes.
    pub(crate) fn passed_settings(&self) -> impl Iterator<Item = &Setting<'m>> {
        self.settings.iter().filter(|setting| setting.alike.is_none())
    }

    /// Whether a warp computes rows of values, since a body changes nothing and always ends.
    pub(crate) fn has_rows(&self) -> bool {
        self.model.trap.is_none() && self.effects.is_pure()
    }

    /// Whether the lanes of a warp are computed in a function of their own, since no opcode passes
    /// a setting.
    pub(crate) fn is_apart(&self) -> bool {
        self.passed_settings().next().is_none()
    }
}

impl<'m> Given<'m> {
    /// The value of a field in the word that is executed.
    pub(super) fn at(model: &'m Model, field: &'m Field) -> Self {
        let bits = match &field.pieces[..] {
            [] => Bits::Init(&field.init),
            pieces => Bits::Word(pieces),
        };
        Given { kind: &model.kinds[field.kind], bits }
    }

    /// The value that an opcode fixes a field to, or that an operand without the field has.
    pub(super) fn init(model: &'m Model, field: &'m Field) -> Self {
        Given { kind: &model.kinds[field.kind], bits: Bits::Init(&field.init) }
    }
}

/// The modules of the calls that declare what this one uses.
fn modules(model: &Model) -> Vec<&Spelled> {
    let mut modules: Vec<&Spelled> = Vec::new();
    for module in model.kinds.iter().filter_map(|kind| kind.origin.as_deref()) {
        if module.text != "self" && !modules.contains(&module) {
            modules.push(module);
        }
    }
    modules
}
