//! Computes which combinations of opcode, modifier, special value and relation of lanes a file covers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use isa_core::machine::RegisterFiles;
use isa_core::table::Opcode;

use super::ExecutionVector;
use super::generate::{lane_bits, modifiers};
use super::special::{LaneRelation, special_values};
use crate::set::ToolSet;

/// The combinations that some vectors cover.
pub(super) struct Coverage {
    files: RegisterFiles,
    opcodes: Vec<OpcodeCoverage>,
}

/// A combination: the index of a modifier value, the special value of an operand and its relation of
/// lanes. An opcode without modifiers has one modifier value with the index 0.
type Combination = (usize, (u32, u128), LaneRelation);

/// The combinations of an opcode.
struct OpcodeCoverage {
    opcode: &'static Opcode,
    /// Each modifier as the index of a field, with one of its values.
    modifiers: Vec<(usize, u64)>,
    covered: BTreeSet<Combination>,
    /// The widths of the places that vectors read: of their lanes, and whether there are several lanes.
    shapes: BTreeSet<(u32, bool)>,
    vectors: usize,
}

impl OpcodeCoverage {
    /// Returns all combinations of the opcode. The vectors determine the widths of its operands.
    fn all(&self) -> impl Iterator<Item = Combination> + '_ {
        let shapes = self.shapes.iter().flat_map(|&(bits, has_lanes)| {
            let relations = if has_lanes { LaneRelation::OF_LANES } else { &[LaneRelation::Whole] };
            special_values(bits).iter().flat_map(move |(value, _)| {
                relations.iter().map(move |relation| ((bits, *value), *relation))
            })
        });
        shapes.flat_map(|(value, relation)| {
            (0..self.modifiers.len().max(1)).map(move |modifier| (modifier, value, relation))
        })
    }

    fn modifier_text(&self, modifier: usize) -> String {
        let Some(&(field, raw)) = self.modifiers.get(modifier) else { return "-".to_owned() };
        let field = self.opcode.fields[field];
        let value = field.kind.values.iter().find(|value| value.raw == raw);
        format!("{}={}", field.name, value.map_or("", |value| value.name))
    }
}

impl Coverage {
    pub(super) fn new(files: RegisterFiles, opcodes: &[&'static Opcode]) -> Self {
        let opcodes = opcodes.iter().map(|&opcode| OpcodeCoverage {
            opcode,
            modifiers: modifiers(opcode),
            covered: BTreeSet::new(),
            shapes: BTreeSet::new(),
            vectors: 0,
        });
        Coverage { files, opcodes: opcodes.collect() }
    }

    /// Adds the combinations of a vector.
    pub(super) fn add(&mut self, set: ToolSet, vector: &ExecutionVector) {
        let word = vector.word.word;
        let Ok(opcode) = set.decode(vector.word) else { return };
        let files = self.files;
        let mut known = self.opcodes.iter_mut();
        let Some(own) = known.find(|own| core::ptr::eq(own.opcode, opcode)) else { return };
        own.vectors += 1;
        let used = own
            .modifiers
            .iter()
            .enumerate()
            .filter(|&(_, &(field, raw))| opcode.fields[field].get(word) == raw);
        let mut used: Vec<usize> = used.map(|(index, _)| index).collect();
        if own.modifiers.is_empty() {
            used.push(0);
        }
        for &(place, value) in &vector.state {
            let (bits, width) = (lane_bits(files, own.opcode, word, place), files.bits(place));
            if bits == 0 {
                continue;
            }
            own.shapes.insert((bits, width > bits));
            let relation = LaneRelation::of(value, bits, width);
            let lane = value & (u128::MAX >> (128 - bits.min(128)));
            let is_special = special_values(bits).iter().any(|(special, _)| *special == lane);
            if is_special {
                own.covered.extend(used.iter().map(|&modifier| (modifier, (bits, lane), relation)));
            }
        }
    }

    /// Returns a table with a line for each opcode, and the sums.
    pub(super) fn text(&self) -> String {
        let width = self.opcodes.iter().map(|own| own.opcode.name.len()).max().unwrap_or(0).max(6);
        let mut text =
            format!("{:width$} {:>8} {:>19} {:>6}\n", "opcode", "vectors", "combinations", "");
        let (mut sum, mut total) = (0, 0);
        for own in &self.opcodes {
            let (covered, all) = (own.covered.len(), own.all().count());
            (sum, total) = (sum + covered, total + all);
            let _ = writeln!(
                text,
                "{:width$} {:>8} {:>9}/{:<9} {:>6}",
                own.opcode.name,
                own.vectors,
                covered,
                all,
                percent(covered, all)
            );
        }
        let without = self.opcodes.iter().filter(|own| own.vectors == 0).count();
        if without > 0 {
            let _ = writeln!(
                text,
                "opcodes without vectors: {without}; the next line does not contain their combinations"
            );
        }
        let vectors: usize = self.opcodes.iter().map(|own| own.vectors).sum();
        let _ = writeln!(
            text,
            "{:width$} {vectors:>8} {sum:>9}/{total:<9} {:>6}",
            "all",
            percent(sum, total)
        );
        text
    }

    /// Returns a line for each combination that is not covered, and for each opcode without vectors.
    pub(super) fn missing(&self) -> String {
        let mut text = String::new();
        for own in &self.opcodes {
            if own.vectors == 0 {
                let _ = writeln!(text, "{}: no vector", own.opcode.name);
            }
            for combination in own.all().filter(|one| !own.covered.contains(one)) {
                let (modifier, (bits, value), relation) = combination;
                let name = special_values(bits).iter().find(|(special, _)| *special == value);
                let _ = writeln!(
                    text,
                    "{} {} {value:#x} ({}), {}",
                    own.opcode.name,
                    own.modifier_text(modifier),
                    name.map_or("", |(_, name)| *name),
                    relation.name()
                );
            }
        }
        text
    }

    /// Returns a page with a table: a row for each opcode, a column for each special value, and a cell
    /// whose colour shows the covered part of the modifiers and relations.
    pub(super) fn page(&self, set: &str) -> String {
        let shapes: BTreeSet<u32> =
            self.opcodes.iter().flat_map(|own| &own.shapes).map(|(bits, _)| *bits).collect();
        let columns: Vec<((u32, u128), &str)> = shapes
            .iter()
            .flat_map(|&bits| {
                special_values(bits).iter().map(move |&(value, name)| ((bits, value), name))
            })
            .collect();
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Coverage of {0}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>Coverage of {0}</h1>\n<p>A cell shows which part of the \
             combinations of modifiers and lane relations the vectors cover, for one special value of an operand. An \
             empty cell has no combination.</p>\n<div><table>\n<thead><tr><th scope=\"col\">opcode</th>",
            escaped(set)
        );
        for ((bits, value), name) in &columns {
            let _ = write!(
                page,
                "<th scope=\"col\" title=\"{}\"><span>{value:#x} ({bits} bits)</span></th>",
                escaped(name)
            );
        }
        page += "</tr></thead>\n<tbody>\n";
        for own in &self.opcodes {
            let mut all: BTreeMap<(u32, u128), (usize, usize)> = BTreeMap::new();
            for combination in own.all() {
                let cell = all.entry(combination.1).or_default();
                cell.0 += usize::from(own.covered.contains(&combination));
                cell.1 += 1;
            }
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(own.opcode.name));
            for (column, name) in &columns {
                page += &match all.get(column) {
                    Some((covered, all)) => format!(
                        "<td style=\"--share:{}%\" title=\"{}, {}: {covered} of {all}\">{}</td>",
                        covered * 100 / all,
                        escaped(own.opcode.name),
                        escaped(name),
                        covered * 100 / all
                    ),
                    None => "<td class=\"none\"></td>".to_owned(),
                };
            }
            page += "</tr>\n";
        }
        page + "</tbody>\n</table></div>\n</body>\n</html>\n"
    }
}

const STYLE: &str = "body{font:14px sans-serif;margin:1rem}div{overflow-x:auto}table{border-collapse:collapse}\
    th{font-weight:normal;text-align:left;padding:1px 6px}thead span{writing-mode:vertical-rl}\
    td{min-width:1.8em;text-align:center;color:#000;background:color-mix(in srgb,#7c7 var(--share),#fcc)}\
    td.none{background:none}";

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", part as f64 * 100.0 / all as f64),
    }
}

/// Replaces the characters that have a meaning in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
