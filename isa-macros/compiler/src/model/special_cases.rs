//! Special cases: opcodes whose words are all words of a more general opcode.
//!
//! The words of the special case belong to it. For the general opcode they are invalid, because of
//! an ordinary exception. Decoder, encoder, parser and counts therefore need no code for special
//! cases.

use std::collections::BTreeMap;

use super::cube::{self, Cube};
use super::features::{Requirement, existence, limits, opposite};
use super::{Exception, GeneralForm, Init, Model, Opcode, at_node};
use crate::diag::{Code, Diagnostics, did_you_mean};

/// The class of the exceptions for special cases.
const CLASS: &str = "SpecialCase";

/// Resolves `inside` and computes the invalid words of every opcode.
pub(crate) fn lower_special_cases(model: &mut Model, diag: &mut Diagnostics) {
    let named: BTreeMap<String, usize> = model
        .opcodes
        .iter()
        .enumerate()
        .map(|(place, opcode)| (opcode.name.to_string(), place))
        .collect();
    for index in 0..model.opcodes.len() {
        at_node(&model.nodes[model.opcodes[index].node], diag);
        for general in resolve(model, &named, index, diag) {
            exclude(model, index, general.opcode);
            model.opcodes[index].inside.push(general);
        }
    }
    diag.leave_item();
    for index in 0..model.opcodes.len() {
        let opcode = &model.opcodes[index];
        let (illegal, unsure) = (illegal(model, opcode), unsure(model, opcode, &[]));
        let opcode = &mut model.opcodes[index];
        (opcode.illegal, opcode.unsure) = (illegal, unsure);
    }
}

/// Returns the opcodes that the one at `index` is declared to be inside of.
fn resolve(
    model: &Model,
    named: &BTreeMap<String, usize>,
    index: usize,
    diag: &mut Diagnostics,
) -> Vec<GeneralForm> {
    let opcode = &model.opcodes[index];
    let mut found = Vec::new();
    for name in &model.nodes[opcode.node].inside {
        if let Some(&general) = named.get(&name.to_string()).filter(|&&other| other != index) {
            found.push(GeneralForm { opcode: general, span: name.span() });
            continue;
        }
        let message = if opcode.name == *name {
            format!("`{name}` cannot be inside itself")
        } else if model.included.iter().any(|included| included.name == *name) {
            format!(
                "`{name}` is in an included set, whose decoder does not know `{}`\nhelp: declare \
                 the special case in the call that contains `{name}`",
                opcode.name
            )
        } else {
            let others = named.iter().filter(|&(_, &other)| other != index);
            let hint = did_you_mean(&name.to_string(), others.map(|(name, _)| name.as_str()));
            format!("this call has no opcode `{name}`{hint}")
        };
        diag.error(Code::UnknownParent, name.span(), message);
    }
    found
}

/// Makes the words of a special case invalid for the general opcode. If `special` is not a special
/// case of `general`, nothing changes, because another check reports this error.
fn exclude(model: &mut Model, special: usize, general: usize) {
    let (own, wider) = (&model.opcodes[special], &model.opcodes[general]);
    if !own.has_valid_fields || !wider.has_valid_fields || !own.is_special_case_of(wider) {
        return;
    }
    // The words belong to the special case only with the features with which it exists.
    let [exists, wider_exists] =
        [own, wider].map(|opcode| existence(opcode.identity(), &limits(model, opcode)));
    if model.features.meet(&model.search, &wider_exists, &opposite(&exists)) {
        let requirement = Requirement {
            node: wider.node,
            words: vec![own.identity()],
            features: opposite(&exists),
            subject: format!("an encoding of `{}`", own.name),
            condition: format!("that `{}` does not exist", own.name),
        };
        let place = model.requirements.len();
        model.requirements.push(requirement);
        model.opcodes[general].requirements.push(place);
        return;
    }
    let exception = Exception {
        node: wider.node,
        class: CLASS.to_owned(),
        reason: format!("this encoding belongs to `{}`", own.name),
        condition: condition(model, own, wider),
        cubes: vec![own.identity()],
        cases: Vec::new(),
        span: own.name.span(),
        unmet: None,
        special: Some(special),
    };
    let place = model.exceptions.len();
    model.exceptions.push(exception);
    model.opcodes[general].exceptions.push(place);
}

/// Returns the fields that only the special case fixes, as text.
fn condition(model: &Model, own: &Opcode, wider: &Opcode) -> String {
    let fields = own.fields_in(model);
    let fixed = fields.filter(|field| field.mask() & !wider.fixed.mask != 0);
    let mut terms: Vec<String> = fixed
        .filter_map(|field| match field.init {
            Init::Fixed(raw) => {
                let value = model.type_of(field).shown(raw);
                Some(format!("{} == {value}", field.text))
            }
            Init::Default(_) | Init::Required => None,
        })
        .collect();
    // A field of the general opcode must be 0 if the special case uses none of its bits.
    let zeros = wider.fields_in(model).filter(|field| {
        let mask = field.mask();
        mask & own.unused == mask
    });
    terms.extend(zeros.map(|field| format!("{} == 0", field.text)));
    terms.join(" and ")
}

/// Returns the invalid words among the words with the opcode's fixed bits, without redundant cubes.
pub(super) fn illegal(model: &Model, opcode: &Opcode) -> Vec<Cube> {
    let exceptions = opcode.exceptions.iter().flat_map(|&id| &model.exceptions[id].cubes);
    own(opcode, opcode.reserved(model).into_iter().chain(exceptions.copied()))
}

/// Returns the words that are invalid only for some results of functions. The exceptions in
/// `without` are ignored.
pub(super) fn unsure(model: &Model, opcode: &Opcode, without: &[usize]) -> Vec<Cube> {
    let exceptions = opcode.exceptions.iter().filter(|id| !without.contains(id));
    let cases = exceptions.flat_map(|&id| &model.exceptions[id].cases);
    own(opcode, cases.flat_map(|case| &case.cubes).copied())
}

/// Returns the cubes that contain words with the opcode's fixed bits. The fixed bits are removed
/// from these cubes.
fn own(opcode: &Opcode, cubes: impl Iterator<Item = Cube>) -> Vec<Cube> {
    let fixed = opcode.fixed;
    let cubes = cubes.filter(|cube| cube.and(fixed).is_some());
    let open = |cube: Cube| Cube { mask: cube.mask & !fixed.mask, value: cube.value & !fixed.mask };
    let mut cubes: Vec<Cube> = cubes.map(open).collect();
    cube::simplify(&mut cubes);
    cubes
}
