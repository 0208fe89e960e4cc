//! Merges the templates of one mnemonic for the fast parser, so that their common beginning is parsed
//! once.
//!
//! The steps of all templates form a tree. At a point where the templates differ, [`ParseStep::Fork`] lists
//! the branches, each with the text that it may begin with. [`ParseStep::Among`] limits the candidates to the
//! templates of a branch. Fixed text is split byte by byte, so a fork has one branch for each byte of
//! fixed text.

use std::collections::BTreeMap;

use super::limits::{CHUNK, MOST_FORMS, MOST_HEIRS};
use super::parse_steps::{
    ParseArg, ParseKind, ParseNames, ParseSlot, ParseStep, ParseSuffix, parse_steps,
};
use crate::model::{Model, Opcode};

/// The opcodes and aliases of this call with one mnemonic, in the order of the set's table.
pub(super) type Spellings<'m> = Vec<&'m Opcode>;

/// Returns the opcodes and aliases of each mnemonic.
pub(super) fn by_mnemonic(model: &Model) -> BTreeMap<&str, Spellings<'_>> {
    let aliases = model.aliases_by_opcode().into_iter().flatten();
    let all = model.opcodes.iter().chain(aliases.map(|alias| &model.aliases[alias].row));
    let mut mnemonics: BTreeMap<&str, Spellings<'_>> = BTreeMap::new();
    for row in all {
        mnemonics.entry(model.syntaxes[row.syntax].mnemonic.as_str()).or_default().push(row);
    }
    mnemonics
}

/// Returns whether the steps of a mnemonic need no merge, because it has only one template and few
/// enough opcodes. `spellings` are the opcodes and aliases of the mnemonic.
pub(super) fn is_alone(spellings: &[&Opcode]) -> bool {
    let is_first = |row: &&Opcode| row.syntax == spellings[0].syntax;
    spellings.len() <= MOST_HEIRS && spellings.iter().all(is_first)
}

/// Returns the merged steps for all templates of a mnemonic, or no steps if there are too many
/// templates.
pub(super) fn joint(model: &Model, spellings: &[&Opcode]) -> Vec<ParseStep> {
    let lines: Vec<AddedTemplate> = forms(spellings)
        .into_iter()
        .filter_map(|places| {
            let heirs: Vec<&Opcode> = places.iter().map(|&place| spellings[place]).collect();
            let steps = parse_steps(model, heirs[0].syntax, &heirs);
            (!steps.is_empty()).then(|| AddedTemplate { units: units(steps, heirs.len()), places })
        })
        .take(MOST_FORMS + 1)
        .collect();
    let lines: Vec<&AddedTemplate> = lines.iter().collect();
    match lines.len() {
        0 => Vec::new(),
        many if many > MOST_FORMS => Vec::new(),
        _ => join(&lines, 0),
    }
}

/// Groups the indexes of spellings by syntax. The opcodes of each group fit into one set. The template
/// interpreter uses the same groups.
fn forms(spellings: &[&Opcode]) -> Vec<Vec<usize>> {
    let mut forms: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (place, row) in spellings.iter().enumerate() {
        forms.entry((place / MOST_HEIRS, row.syntax)).or_default().push(place);
    }
    forms.into_values().collect()
}

/// A template that is to be added to the tree.
struct AddedTemplate {
    units: Vec<ParseUnit>,
    places: Vec<usize>,
}

/// A part of a template that is parsed as a whole.
#[derive(PartialEq)]
enum ParseUnit {
    Byte(u8),
    /// A step, followed by the steps that it may skip.
    Steps(Vec<ParseStep>),
}

impl ParseUnit {
    /// Returns whether the unit is parsed in the same way for all remaining opcodes.
    fn is_common(&self) -> bool {
        let ParseUnit::Steps(steps) = self else { return true };
        let is_plain = |kinds: &[ParseKind]| {
            let shown = |arg: &ParseArg| matches!(arg, ParseArg::Shown { .. });
            !kinds.iter().any(|kind| kind.args.iter().any(shown))
        };
        steps.iter().all(|step| match step {
            ParseStep::Operand(ParseSlot { kinds, suffix, .. }) => {
                let behind = match suffix {
                    ParseSuffix::Operand(_, kinds) => is_plain(kinds),
                    ParseSuffix::Names(_) => true,
                };
                behind && is_plain(kinds)
            }
            ParseStep::Tags(tags) => {
                tags.iter().all(|(_, kind)| is_plain(std::slice::from_ref(kind)))
            }
            _ => true,
        })
    }
}

/// Converts parse steps to units. `heirs` is the number of opcodes that share the template.
fn units(steps: Vec<ParseStep>, heirs: usize) -> Vec<ParseUnit> {
    let all = u64::MAX >> (MOST_HEIRS - heirs);
    let mut units = Vec::new();
    let mut rest = steps.into_iter();
    while let Some(mut step) = rest.next() {
        widen(&mut step, all);
        match step {
            ParseStep::Text(text) => units.extend(text.bytes().map(ParseUnit::Byte)),
            ParseStep::Operand(mut slot) => {
                let before = std::mem::take(&mut slot.before);
                units.extend(before.bytes().map(ParseUnit::Byte));
                units.push(ParseUnit::Steps(vec![ParseStep::Operand(slot)]));
            }
            ParseStep::Optional { over, .. } => {
                let mut part = vec![step];
                part.extend(rest.by_ref().take(over));
                part.iter_mut().skip(1).for_each(|step| widen(step, all));
                units.push(ParseUnit::Steps(part));
            }
            step => units.push(ParseUnit::Steps(vec![step])),
        }
    }
    units
}

/// If a step contains the set of all opcodes of its template, replaces it by the set of any opcodes.
/// The step is then equal in templates with more or fewer opcodes.
fn widen(step: &mut ParseStep, all: u64) {
    let any = |takes: &mut u64| *takes = if *takes == all { u64::MAX } else { *takes };
    let kinds = |kinds: &mut [ParseKind]| kinds.iter_mut().for_each(|kind| any(&mut kind.takes));
    let names = |names: &mut ParseNames| {
        if let ParseNames::Hashed { names, .. } = names {
            names.iter_mut().for_each(|name| any(&mut name.takes));
        }
    };
    match step {
        ParseStep::Optional { takes, .. } => any(takes),
        ParseStep::Names(of) | ParseStep::Name(of) => names(of),
        ParseStep::Operand(slot) => {
            slot.marks.iter_mut().for_each(|mark| any(&mut mark.bound));
            kinds(&mut slot.kinds);
            match &mut slot.suffix {
                ParseSuffix::Operand(_, of) => kinds(of),
                ParseSuffix::Names(of) => names(of),
            }
        }
        ParseStep::Tags(tags) => tags.iter_mut().for_each(|(_, kind)| any(&mut kind.takes)),
        ParseStep::Text(_) | ParseStep::Mnemonic | ParseStep::Among(_) | ParseStep::Fork(_) => {}
    }
}

/// Returns the merged steps of the templates `lines`, starting at the unit with index `from`: the
/// common steps, followed by the branches.
fn join(lines: &[&AddedTemplate], from: usize) -> Vec<ParseStep> {
    if let [only] = lines {
        let mut steps = vec![ParseStep::Among(only.places.clone())];
        steps.extend(straight(&only.units[from..]));
        return steps;
    }
    let first = &lines[0].units;
    let alike = |&at: &usize| {
        let unit = first.get(at);
        unit.is_some_and(ParseUnit::is_common)
            && lines.iter().all(|line| line.units.get(at) == unit)
    };
    let end = (from..).find(|at| !alike(at)).unwrap_or(from);
    let mut steps = straight(&first[from..end]);
    let mut ways: Vec<Vec<&AddedTemplate>> = Vec::new();
    for &line in lines {
        let head = line.units.get(end).filter(|unit| unit.is_common());
        let known = ways.iter_mut().find(|way| head.is_some() && way[0].units.get(end) == head);
        match known {
            Some(way) => way.push(line),
            None => ways.push(vec![line]),
        }
    }
    steps.push(ParseStep::Fork(ways.iter().map(|way| join(way, end)).collect()));
    steps
}

/// Converts consecutive units to steps. Bytes are combined to as few texts as possible, and the text
/// before an operand is part of the operand's step.
fn straight(units: &[ParseUnit]) -> Vec<ParseStep> {
    let (mut steps, mut text) = (Vec::new(), String::new());
    for unit in units {
        match unit {
            ParseUnit::Byte(byte) => {
                if text.len() == CHUNK {
                    steps.push(ParseStep::Text(std::mem::take(&mut text)));
                }
                text.push((*byte).into());
            }
            ParseUnit::Steps(part) => {
                let mut part = part.clone();
                match part.first_mut() {
                    Some(ParseStep::Operand(slot)) => slot.before = std::mem::take(&mut text),
                    _ if text.is_empty() => {}
                    _ => steps.push(ParseStep::Text(std::mem::take(&mut text))),
                }
                steps.extend(part);
            }
        }
    }
    if !text.is_empty() {
        steps.push(ParseStep::Text(text));
    }
    steps
}
