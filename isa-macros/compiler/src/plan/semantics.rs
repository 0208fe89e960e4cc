//! Decides which opcodes share the functions of a `semantics` section, and which arguments each opcode
//! passes: operands (a value with its sub-fields) and settings (fields that are neither operands nor
//! parts of operands).
//!
//! In the function, an output that is also an input is a mutable variable with the plain value. If an
//! operand is only an input, its variable also contains its sub-fields.
//!
//! A semantic function is passed on as raw tokens, so that editors complete names in it and the errors
//! of rustc point into it. If the function comes from another call, its tokens have the hygiene of the
//! other call's macro, so each variable gets the hygiene of its first use in the function. The tokens
//! also show whether a function can trap: it contains `?`, or `return` with a value.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::row_sharing::alike;
use crate::check::namesake;
use crate::core_path::CORE;
use crate::diag::place_of;
use crate::model::names::kind_type;
use crate::model::{FieldType, Init, Model, Opcode, OpcodeOperand, Placeholder, ResolvedField};
use crate::syntax::ast::{ComparableTokens, MachineHandle, NodeDecl};

/// All semantic functions of the call.
#[derive(Debug)]
pub(crate) struct Sections<'m> {
    pub(crate) all: Vec<Semantics<'m>>,
    /// Opcodes with semantics and an error that prevents their execution.
    pub(crate) faulty: Vec<&'m Opcode>,
    pub(crate) guards: Guards<'m>,
    /// Modules of other calls, whose names the semantic functions may use.
    pub(crate) modules: Vec<&'m ComparableTokens>,
}

/// The guards of the call's opcodes, with and without semantics.
#[derive(Debug)]
pub(crate) struct Guards<'m> {
    /// Guards whose operands are at the same bits in all opcodes of a group. Only the guard and the
    /// operands that it uses are set. Each has the indexes of the opcodes.
    pub(crate) groups: Vec<(Semantics<'m>, Vec<usize>)>,
    /// The indexes of opcodes whose `InList` does not contain an operand that their guard uses.
    pub(crate) unread: Vec<usize>,
}

impl<'m> Guards<'m> {
    fn of(model: &'m Model) -> Self {
        let guards = model.opcodes.iter().map(|opcode| {
            let node = opcode.guard.filter(|_| opcode.is_valid)?;
            Some((node, guard_operands(model, opcode, model.nodes[node].guard.as_ref()?)))
        });
        let guards: Vec<_> = guards.collect();
        let has_guard = |index: &usize| guards[*index].is_some();
        let groups = alike(guards.iter().cloned()).into_iter();
        let groups: Vec<Vec<usize>> = groups.filter(|members| has_guard(&members[0])).collect();
        let (read, unread): (Vec<_>, Vec<_>) = groups.into_iter().partition(|members| {
            guards[members[0]].as_ref().is_some_and(|(_, operands)| operands.is_some())
        });
        let group = |members: Vec<usize>| {
            let opcodes: Vec<&Opcode> =
                members.iter().map(|&index| &model.opcodes[index]).collect();
            Some((Semantics::of_guard(model, &opcodes)?, members))
        };
        Guards { groups: read.into_iter().filter_map(group).collect(), unread: unread.concat() }
    }
}

/// Returns the operands that a guard uses, with the fields of each, or `None` if the guard uses an operand
/// that is not in the `InList` of the opcode.
fn guard_operands<'m>(
    model: &'m Model,
    opcode: &'m Opcode,
    guard: &TokenStream,
) -> Option<Vec<(&'m str, Vec<usize>)>> {
    let used = |symbol: &Placeholder| find(guard.clone(), &symbol.name).is_some();
    let read: Vec<_> = opcode.named_operands(model).filter(|(_, operand)| operand.read).collect();
    let slots = model.syntaxes[opcode.syntax].slots();
    let mut slots = slots.filter(|symbol| names_variable(guard.clone(), &symbol.name));
    if !slots.all(|slot| read.iter().any(|(symbol, _)| symbol.name == slot.name)) {
        return None;
    }
    let fields = |operand: &OpcodeOperand| {
        let base = &opcode.field_at(model, operand.field).name.base;
        let fields = opcode.fields.iter().copied();
        fields.filter(|&field| model.fields[field].name.base == *base).collect()
    };
    let read = read.into_iter().filter(|(symbol, _)| used(symbol));
    Some(read.map(|(symbol, operand)| (symbol.name.as_str(), fields(operand))).collect())
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
    pub(crate) slots: Vec<SemanticOperand<'m>>,
    pub(crate) settings: Vec<Setting<'m>>,
    /// The opcodes that share the functions.
    pub(crate) callers: Vec<Caller<'m>>,
}

/// An opcode, and the arguments that it passes to the semantic functions. An argument is passed only if
/// it differs between the opcodes.
#[derive(Debug)]
pub(crate) struct Caller<'m> {
    pub(crate) opcode: &'m Opcode,
    pub(crate) operands: Vec<OperandArgument<'m>>,
    pub(crate) settings: Vec<ArgumentValue<'m>>,
}

/// A value that is passed to semantics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArgumentValue<'m> {
    pub(crate) kind: &'m FieldType,
    pub(crate) bits: ValueSource<'m>,
}

impl PartialEq for ArgumentValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.kind, other.kind) && self.bits == other.bits
    }
}

/// The source of a value's bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueSource<'m> {
    /// These pieces of the instruction word.
    Word(&'m [(u8, u8)]),
    /// The specification, which fixes the field or declares its default.
    Init(&'m Init),
}

impl<'m> Sections<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let executed = model.opcodes.iter().filter(|opcode| opcode.semantics.is_some());
        let (whole, faulty): (Vec<_>, Vec<_>) = executed
            .partition(|opcode| opcode.is_valid && opcode.has_lists && opcode.has_valid_semantics);
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
        let guards = Guards::of(model);
        Sections { all: all.collect(), faulty, guards, modules: modules(model) }
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

    /// Returns the guard of opcodes, without semantics.
    fn of_guard(model: &'m Model, members: &[&'m Opcode]) -> Option<Self> {
        let node = &model.nodes[members.first()?.guard?];
        let guard = node.guard.as_ref()?;
        let effects = Effects { handle: None, trap: None };
        let mut semantics = Semantics {
            model,
            node,
            number: 1,
            body: guard,
            lanes: None,
            guard: Some(guard),
            effects,
            slots: Vec::new(),
            settings: Vec::new(),
            callers: Vec::new(),
        };
        semantics.slots = slots_of(&semantics, members);
        semantics.slots.retain(|slot| slot.read && slot.in_guard.is_some());
        Some(semantics)
    }

    /// Returns the hidden name of an item that belongs to the functions.
    pub(crate) fn name(&self, what: &str) -> Ident {
        let (set, node) = (&self.model.header.name, &self.node.name);
        // The name of a set cannot begin with a digit, so the name is unique.
        let number = if self.number > 1 { format!("{}_", self.number) } else { String::new() };
        format_ident!("__{number}{set}_{node}_{what}", span = node.span())
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &SemanticOperand<'m>> {
        self.slots.iter().filter(|slot| slot.read)
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = &SemanticOperand<'m>> {
        self.slots.iter().filter(|slot| slot.written)
    }

    /// Returns the operands that each opcode passes.
    pub(crate) fn passed_slots(&self) -> impl Iterator<Item = &SemanticOperand<'m>> {
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

impl<'m> ArgumentValue<'m> {
    /// Creates the value of a field, read from the instruction word that is executed.
    pub(super) fn at(model: &'m Model, field: &'m ResolvedField) -> Self {
        let bits = match &field.pieces[..] {
            [] => ValueSource::Init(&field.init),
            pieces => ValueSource::Word(pieces),
        };
        ArgumentValue { kind: model.type_of(field), bits }
    }

    /// Creates the value to which an opcode fixes a field, or the default that is used for an operand
    /// without the field.
    pub(super) fn init(model: &'m Model, field: &'m ResolvedField) -> Self {
        ArgumentValue { kind: model.type_of(field), bits: ValueSource::Init(&field.init) }
    }
}

/// Returns the modules of other calls from which this call imports field types.
fn modules(model: &Model) -> Vec<&ComparableTokens> {
    let mut modules: Vec<&ComparableTokens> = Vec::new();
    for module in model.field_types.iter().filter_map(|kind| kind.origin.module()) {
        if module.text != "self" && !modules.contains(&module) {
            modules.push(module);
        }
    }
    modules
}

/// The effects of an opcode's semantics. An opcode without semantics has none.
#[derive(Debug)]
pub(crate) struct Effects<'m> {
    pub(crate) handle: Option<&'m MachineHandle>,
    /// The trap type, if the function can trap.
    pub(crate) trap: Option<&'m TokenStream>,
}

impl<'m> Effects<'m> {
    pub(crate) fn of(model: &'m Model, opcode: &Opcode) -> Self {
        let node = opcode.semantics.map(|node| &model.nodes[node]);
        // If the handle has the name of an operand, an error was already reported.
        let handle = node
            .and_then(|node| node.handle.as_ref())
            .filter(|handle| namesake(model, opcode, handle).is_none());
        let traps = node.and_then(|node| node.semantics.clone()).is_some_and(can_trap);
        Effects { handle, trap: model.trap.as_ref().filter(|_| traps) }
    }

    pub(crate) fn is_pure(&self) -> bool {
        self.handle.is_none() && self.trap.is_none()
    }
}

/// Returns the span at which a name first occurs in the tokens.
pub(crate) fn find(tokens: TokenStream, name: &str) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident.unraw() == name).then(|| ident.span()),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

/// Returns whether the tokens contain the name, but not only as a part of a path or as a method or field.
fn names_variable(tokens: TokenStream, name: &str) -> bool {
    let mut is_part = false;
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => !std::mem::take(&mut is_part) && ident.unraw() == name,
        TokenTree::Punct(mark) => {
            is_part = matches!(mark.as_char(), ':' | '.');
            false
        }
        TokenTree::Group(group) => names_variable(group.stream(), name),
        TokenTree::Literal(_) => false,
    })
}

/// Returns the span of a name with the hygiene of its first use in `body`, or `None` if `body` does not
/// use the name. The function of another call was passed through a macro. A name in it refers to a
/// variable only if the variable has the hygiene of the same macro.
pub(super) fn seen_in(body: &TokenStream, name: &str, place: Span) -> Option<Span> {
    find(body.clone(), name).map(|used| place.resolved_at(used))
}

/// Returns whether a function contains `?`, or a `return` with a value.
pub(super) fn can_trap(body: TokenStream) -> bool {
    let mut trees = body.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let found = match tree {
            TokenTree::Punct(mark) => mark.as_char() == '?',
            TokenTree::Ident(word) if word == "return" => trees.peek().is_some_and(|next| {
                !matches!(next, TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ','))
            }),
            TokenTree::Group(group) => can_trap(group.stream()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// A field that is neither an operand nor a part of one.
#[derive(Debug)]
pub(crate) struct Setting<'m> {
    pub(crate) name: &'m Ident,
    pub(crate) kind: &'m FieldType,
    /// The value, if its position is the same in all opcodes that share the semantics.
    pub(crate) alike: Option<ArgumentValue<'m>>,
    /// The span of the name, with the hygiene of the name in the semantic function.
    pub(crate) in_body: Span,
}

/// Returns the settings that all members have. If an opcode fixes a field, the field is a setting only
/// if the function uses its name. An example is `optype` in semantics that several optypes share.
pub(super) fn settings<'m>(
    model: &'m Model,
    members: &[&'m Opcode],
    body: &TokenStream,
) -> Vec<Setting<'m>> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, &id) in first.fields.iter().enumerate() {
        let field = &model.fields[id];
        let fixed = field.is_fixed();
        if field.name.sub.is_some()
            || is_operand(first, place)
            || (fixed && find(body.clone(), &field.text).is_none())
        {
            continue;
        }
        let others: Option<Vec<&ResolvedField>> =
            rest.iter().map(|opcode| same_setting(model, opcode, field)).collect();
        let Some(others) = others else { continue };
        let alike = !fixed && others.iter().all(|o| !o.is_fixed() && o.pieces == field.pieces);
        let (name, place) = (&field.name.base, field.name.base.span());
        found.push(Setting {
            name,
            kind: model.type_of(field),
            alike: alike.then(|| ArgumentValue::at(model, field)),
            in_body: seen_in(body, &name.unraw().to_string(), place).unwrap_or(place),
        });
    }
    found
}

impl Setting<'_> {
    /// Returns the value that an opcode passes for the setting, if it is not the same in all opcodes.
    pub(super) fn passed<'m>(
        &self,
        model: &'m Model,
        opcode: &Opcode,
    ) -> Option<ArgumentValue<'m>> {
        let place = opcode.field(model, &self.name.to_string());
        let field = opcode.field_at(model, place.filter(|_| self.alike.is_none())?);
        Some(if field.is_fixed() {
            ArgumentValue::init(model, field)
        } else {
            ArgumentValue::at(model, field)
        })
    }
}

fn is_operand(opcode: &Opcode, place: usize) -> bool {
    opcode.operands.iter().any(|operand| operand.field == place)
}

/// Returns the opcode's field with the same name and type as a setting.
fn same_setting<'m>(
    model: &'m Model,
    opcode: &Opcode,
    setting: &ResolvedField,
) -> Option<&'m ResolvedField> {
    let place = opcode.field(model, &setting.text)?;
    let field = opcode.field_at(model, place);
    (field.ty == setting.ty && !is_operand(opcode, place)).then_some(field)
}

/// An operand of a semantic function.
#[derive(Debug)]
pub(crate) struct SemanticOperand<'m> {
    pub(crate) symbol: &'m Placeholder,
    /// The type of the operand together with its sub-fields.
    pub(crate) carrier: Ident,
    /// The type of the operand's value.
    pub(crate) value: TokenStream,
    /// The sub-fields of all opcodes that share the semantics. Each is paired with the value that it
    /// has for an operand without this sub-field.
    pub(crate) subs: Vec<(&'m Ident, ArgumentValue<'m>)>,
    /// The operand, if it is the same in all of those opcodes.
    pub(crate) alike: Option<OperandArgument<'m>>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    /// The span of the slot, with the hygiene of its name in the semantic function.
    pub(crate) in_body: Span,
    /// The span of the slot, with the hygiene of its name in the guard, if the guard uses the name.
    pub(crate) in_guard: Option<Span>,
    /// Whether the semantic function uses the name.
    pub(crate) is_named: bool,
    /// The spans of slots with this name in other templates, with the hygiene of the semantic function.
    pub(crate) elsewhere: Vec<Span>,
    /// Whether the semantic function gets the values of several lanes at once.
    pub(crate) by_rows: bool,
}

/// The operand of an opcode in a slot.
#[derive(Debug, PartialEq)]
pub(crate) struct OperandArgument<'m> {
    pub(crate) value: ArgumentValue<'m>,
    /// In the order of [`SemanticOperand::subs`].
    pub(crate) subs: Vec<ArgumentValue<'m>>,
}

/// Returns the operands of `semantics`, which the opcodes in `members` share.
pub(super) fn slots_of<'m>(
    semantics: &Semantics<'m>,
    members: &[&'m Opcode],
) -> Vec<SemanticOperand<'m>> {
    let Semantics { model, body, guard, lanes, .. } = *semantics;
    let Some(&first) = members.first() else { return Vec::new() };
    let slot = |(symbol, operand): (&'m Placeholder, &OpcodeOperand)| {
        let name = &symbol.name;
        let field = first.field_at(model, operand.field);
        let kind = kind_type(model.type_of(field));
        let subs = subs(model, members, name);
        let mut own = members.iter().map(|opcode| own_operand(model, opcode, name, &subs));
        let alike = own.next().flatten().filter(|first| own.all(|o| o.as_ref() == Some(first)));
        let named = seen_in(body, name, symbol.span);
        let in_body = named.unwrap_or(symbol.span);
        SemanticOperand {
            symbol,
            carrier: semantics.name(name),
            value: quote!(<#kind as #CORE::operand::OperandKind>::Value),
            alike,
            subs,
            read: operand.read,
            written: operand.written,
            in_body,
            in_guard: guard.and_then(|guard| seen_in(guard, name, symbol.span)),
            is_named: named.is_some(),
            elsewhere: elsewhere(model, members, symbol, in_body),
            by_rows: lanes.is_some(),
        }
    };
    first.named_operands(model).map(slot).collect()
}

impl<'m> SemanticOperand<'m> {
    /// Returns the operand that an opcode passes for the slot, if it is not the same in all opcodes.
    pub(super) fn passed(&self, model: &'m Model, opcode: &Opcode) -> Option<OperandArgument<'m>> {
        match self.alike {
            Some(_) => None,
            None => own_operand(model, opcode, &self.symbol.name, &self.subs),
        }
    }
}

/// Returns the opcode's field for the operand `name`.
fn operand_field<'m>(model: &'m Model, opcode: &Opcode, name: &str) -> Option<&'m ResolvedField> {
    let mut operands = opcode.named_operands(model);
    let (_, operand) = operands.find(|(symbol, _)| symbol.name == name)?;
    Some(opcode.field_at(model, operand.field))
}

/// Returns the opcode's operand `name`, with the sub-fields `subs`.
fn own_operand<'m>(
    model: &'m Model,
    opcode: &Opcode,
    name: &str,
    subs: &[(&Ident, ArgumentValue<'m>)],
) -> Option<OperandArgument<'m>> {
    let own = operand_field(model, opcode, name)?;
    let subs = subs.iter().map(|&(sub, absent)| {
        let place = opcode.field(model, &format!("{}.{sub}", own.name.base));
        place.map_or(absent, |place| ArgumentValue::at(model, opcode.field_at(model, place)))
    });
    Some(OperandArgument { value: ArgumentValue::at(model, own), subs: subs.collect() })
}

/// Returns the sub-fields that the operand `name` has in any of the opcodes. Each is paired with the
/// value that it has for an operand without this sub-field.
fn subs<'m>(
    model: &'m Model,
    members: &[&Opcode],
    name: &str,
) -> Vec<(&'m Ident, ArgumentValue<'m>)> {
    let mut found: Vec<(&Ident, ArgumentValue<'_>)> = Vec::new();
    for opcode in members {
        let Some(own) = operand_field(model, opcode, name) else { continue };
        for part in opcode.fields_in(model) {
            if let Some(sub) = &part.name.sub
                && part.name.base == own.name.base
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, ArgumentValue::init(model, part)));
            }
        }
    }
    found
}

/// Returns the spans of other operand placeholders with the name of `symbol` in the templates of
/// `members`.
fn elsewhere(model: &Model, members: &[&Opcode], symbol: &Placeholder, in_body: Span) -> Vec<Span> {
    let mut syntaxes: Vec<usize> = members.iter().map(|opcode| opcode.syntax).collect();
    syntaxes.dedup();
    let slots = syntaxes.iter().flat_map(|&syntax| model.syntaxes[syntax].slots());
    let same = slots.filter(|slot| slot.name == symbol.name);
    let here = place_of(symbol.span);
    let spans = same.map(|one| one.span).filter(|&span| place_of(span) != here);
    spans.map(|span| span.resolved_at(in_body)).collect()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::can_trap;

    #[test]
    fn a_question_mark_or_a_return_with_a_value_can_trap() {
        assert!(can_trap(quote!(Rd = hart.load(Ra.value)?;)));
        assert!(can_trap(quote!(if x { return Err(Trap::Zero); } Rd = 1;)));
        assert!(can_trap(quote!(match x {
            0 => return Err(Trap::Zero),
            _ => {}
        })));
        assert!(!can_trap(quote!(if x { return; } match y { 0 => return, _ => { return } })));
        assert!(!can_trap(quote!(Rd = Ra.value;)));
    }
}
