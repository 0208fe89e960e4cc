//! Import of the text format of the project riscv-opcodes. Each line is an instruction, `add rd rs1
//! rs2 31..25=0 ... 1..0=3`, with its arguments and the bits that distinguish it from others.
//!
//! A line becomes an opcode whose fixed fields are the given bits. A `$pseudo_op` becomes an alias if
//! the files contain its instruction. If an instruction has all fixed bits of another one, it is
//! declared `inside` the other one. If it shares words with another instruction in any other way, it is
//! omitted and listed in a comment.

mod args;
mod lines;
mod overlaps;

use std::collections::HashSet;

use crate::code::{Code, code};
use crate::spec::{Field, Item, Line, Node, Section, Spec, camel, listed};
use crate::{Fault, Format, Options, Source, numbered, set_name};
use args::{Arg, Kind, Table};
use lines::{Fixed, Instruction, Said, read as read_line};
use overlaps::{Shape, shapes};

pub(crate) const FORMAT: Format = Format {
    name: "riscv-opcodes",
    about: "Files of the project riscv-opcodes: an instruction a line",
    read,
};

fn read(files: &[Source<'_>], options: &Options<'_>) -> Result<Spec, Vec<Fault>> {
    let mut faults = Vec::new();
    let table = Table::new(options.fields, &mut faults);
    let mut said = Vec::new();
    for file in files {
        for line in numbered(file.text) {
            match read_line(*file, line, &table) {
                Ok(line) => said.push(line),
                Err(more) => faults.extend(more),
            }
        }
    }
    let all: Vec<&Instruction<'_>> = said
        .iter()
        .filter_map(|said| match said {
            Said::Instruction(instruction) => Some(instruction),
            _ => None,
        })
        .collect();
    if all.is_empty() && faults.is_empty() {
        let (name, text) = files.first().map_or(("", ""), |file| (file.name, file.text));
        let message = match said.iter().any(|said| matches!(said, Said::Import(..))) {
            true => "no instruction: the files of those imported are given too",
            false => "no instruction: one is a line `name argument... high..low=value...`",
        };
        faults.push(Fault::at(name, (1, text), text, message.to_owned()));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    spec(files, options, &said, &all)
}

/// Returns the specification of instructions. Returns errors for names that cannot be converted.
fn spec(
    files: &[Source<'_>],
    options: &Options<'_>,
    said: &[Said<'_>],
    all: &[&Instruction<'_>],
) -> Result<Spec, Vec<Fault>> {
    let first = files[0];
    let fault = |message| vec![Fault::at(first.name, (1, first.text), first.text, message)];
    let shapes = shapes(all);
    let mut widths: Vec<u32> = all.iter().map(|one| one.width).collect();
    widths.sort_unstable();
    widths.dedup();
    let kinds = kinds(all, &shapes);
    let mut spec = Spec {
        head: vec![
            "The texts are not in the source: a mnemonic and the arguments as they stand in its line.".into(),
        ],
        before: before(&kinds),
        doc: vec![format!("What `{}` lists.", first.name)],
        name: set_name(options, &camel(first.name)).map_err(fault)?,
        ..Spec::default()
    };
    for (kind, width) in &kinds {
        spec.items.push(kind.item(*width).map_err(fault)?);
    }
    let mut formats: Vec<&Kind> = all.iter().flat_map(|one| twice(one)).collect();
    formats.sort_by_key(|kind| kind.name());
    formats.dedup();
    for kind in formats {
        spec.items.push(kind.twice().map_err(fault)?);
    }
    spec.items.append(&mut items(said, all, &shapes, widths.len() > 1)?);
    spec.widths = widths;
    Ok(spec)
}

/// Returns the types of all fields without duplicates, with their widths.
fn kinds(all: &[&Instruction<'_>], shapes: &[Shape]) -> Vec<(Kind, u32)> {
    let mut kinds: Vec<(Kind, u32)> = Vec::new();
    let mut add = |kind: Kind, width: u32| {
        if kinds.iter().all(|(known, _)| known.name() != kind.name()) {
            kinds.push((kind, width));
        }
    };
    let opcodes =
        || all.iter().zip(shapes).filter(|(_, shape)| matches!(shape, Shape::Opcode { .. }));
    for arg in opcodes().flat_map(|(one, _)| &one.args) {
        add(arg.kind.clone(), arg.pieces.iter().map(|(_, width)| width).sum());
    }
    let mut bits: Vec<u32> = opcodes()
        .flat_map(|(one, _)| one.fixed.iter().map(|fixed| fixed.high - fixed.low + 1))
        .collect();
    bits.sort_unstable();
    bits.into_iter().for_each(|width| add(Kind::bits(width), width));
    kinds
}

/// Returns the lines before the call, which define the register types.
fn before(kinds: &[(Kind, u32)]) -> Vec<Code> {
    let banks = kinds.iter().filter_map(|(kind, _)| match *kind {
        Kind::Bank(name, prefix) => {
            let value = if prefix == "v" { "u128" } else { "u64" };
            Some([
                code!(
                    "    /// A register. /* its names and what it holds are not in the source */"
                ),
                code!("    pub {}: 5 = \"{}0\" to \"{}31\" of {};", name, prefix, prefix, value),
            ])
        }
        _ => None,
    });
    let mut lines: Vec<Code> = banks.flatten().collect();
    if !lines.is_empty() {
        lines.insert(0, code!("isa_core::registers! {{"));
        lines.push(code!("}}"));
    }
    lines
}

/// Returns one item for each line. A comment is joined with the comment below it.
fn items(
    said: &[Said<'_>],
    all: &[&Instruction<'_>],
    shapes: &[Shape],
    mixed: bool,
) -> Result<Vec<Item>, Vec<Fault>> {
    let (mut items, mut faults) = (Vec::new(), Vec::new());
    let own = all.iter().filter(|one| one.base.is_none());
    let own: HashSet<&str> = own.map(|one| one.name).collect();
    let mut place = 0;
    for line in said {
        match line {
            Said::Empty if matches!(items.last(), Some(Item::Comment(_))) => {
                items.push(Item::Comment(Vec::new()));
            }
            Said::Empty => {}
            Said::Comment(text) => comment(&mut items, (*text).to_owned()),
            Said::Import(extension, name) => {
                let more = if own.contains(name) {
                    "stands in these files"
                } else {
                    "stands in another file"
                };
                items.push(Item::Comment(vec![format!("$import {extension}::{name}: {more}")]));
            }
            Said::Instruction(one) => {
                let shape = &shapes[place];
                place += 1;
                if let Shape::Left(why) = shape {
                    items.push(Item::Comment(vec![one.place.text.to_owned(), why.clone()]));
                    continue;
                }
                if let (Some((extension, base)), Shape::Opcode { .. }) = (one.base, shape) {
                    let text = format!(
                        "$pseudo_op of {extension}::{base}, which says it otherwise or is not here"
                    );
                    comment(&mut items, text);
                }
                match node(one, shape, mixed) {
                    Ok(node) => items.push(Item::Node(node)),
                    Err(message) => faults.push(one.place.fault(message)),
                }
            }
        }
    }
    if faults.is_empty() { Ok(items) } else { Err(faults) }
}

/// Adds a line to the comment above, if there is one.
fn comment(items: &mut Vec<Item>, text: String) {
    match items.last_mut() {
        Some(Item::Comment(lines)) if !lines.is_empty() => lines.push(text),
        _ => items.push(Item::Comment(vec![text])),
    }
}

fn names(all: &[String]) -> Result<Vec<Code>, String> {
    all.iter().map(|name| Code::name(name)).collect()
}

fn node(one: &Instruction<'_>, shape: &Shape, mixed: bool) -> Result<Node, String> {
    let (head, mut encoding, mut slots, equal) = match shape {
        Shape::Opcode { name, inside } => {
            let mut lines = fields(one)?;
            if mixed {
                lines.insert(0, code!("word<{}>;", one.width).into());
            }
            let slots = one.args.iter().map(|arg| arg.name.clone()).collect();
            let inside = listed(" inside ", &names(inside)?, "");
            (code!("opcode {}{}", Code::name(name)?, inside), lines, slots, &one.equal)
        }
        Shape::Alias { name, of, word, before, fixed, equal, slots } => {
            let line = |(field, value): &(String, u64)| {
                Ok(code!("{} == {};", Code::field_name(field)?, *value).into())
            };
            let lines = fixed.iter().map(line).collect::<Result<Vec<Line>, String>>()?;
            let before = listed(" before ", &names(before)?, "");
            let [name, of] = [Code::name(name)?, Code::name(of)?];
            (code!("{} {} of {}{}", *word, name, of, before), lines, slots.clone(), equal)
        }
        Shape::Left(_) => return Ok(Node::default()),
    };
    // Two equal fields are a single operand in the text.
    let mut operands = Vec::new();
    for ((field, same), kind) in equal.iter().zip(twice(one)) {
        slots.retain(|slot| slot != same);
        let both = [Code::field_name(field)?, Code::field_name(same)?];
        encoding.push(code!("where {} == {};", both[1], both[0]).into());
        for slot in slots.iter_mut().filter(|slot| *slot == field) {
            *slot = format!("{field}_{same}");
            let [name, kind] = [Code::field_name(slot)?, Code::type_name(kind.name())?];
            let both = Code::joined(&both, ", ");
            operands.push(code!("AsmFormat<{}: {}> = Twice{}();", name, both, kind).into());
        }
    }
    let is_plain = one.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mnemonic = if is_plain { Code::name(one.name)? } else { Code::quoted(one.name) };
    let slots = slots.iter().map(|slot| Code::field_name(slot)).collect::<Result<Vec<_>, _>>()?;
    let syntax = code!("{}{};", mnemonic, listed(" ", &slots, ""));
    let mut sections = vec![
        Section::new("encoding", encoding),
        Section::new("syntax", [syntax.into()]),
        Section::new("operands", operands),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(Node { doc: Vec::new(), head, sections })
}

/// Returns the types of the arguments that must be equal to another argument, in order.
fn twice<'a>(one: &'a Instruction<'_>) -> impl Iterator<Item = &'a Kind> {
    let kind = |name: &String| one.args.iter().find(|arg| arg.name == *name).map(|arg| &arg.kind);
    one.equal.iter().filter_map(move |(field, _)| kind(field))
}

/// Returns the fields of an opcode from the lowest bit up.
fn fields(one: &Instruction<'_>) -> Result<Vec<Line>, String> {
    let mut all = Vec::new();
    for Fixed { high, low, text, .. } in &one.fixed {
        all.push(Field {
            pieces: vec![(*low, high - low + 1)],
            kind: Code::type_name(Kind::bits(high - low + 1).name())?,
            name: if high == low { code!("bit{}", *low) } else { code!("bits{}_{}", *high, *low) },
            value: code!(" == {}", Code::numeral(text)),
            ..Field::default()
        });
    }
    for Arg { name, kind, pieces, never } in &one.args {
        all.push(Field {
            pieces: pieces.clone(),
            kind: Code::type_name(kind.name())?,
            name: Code::field_name(name)?,
            value: code!("{}", *never),
            ..Field::default()
        });
    }
    all.sort_by_key(|field| field.pieces.iter().map(|piece| piece.0).min());
    Ok(all.into_iter().map(Line::Field).collect())
}
