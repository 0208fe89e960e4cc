//! The text format of the project riscv-opcodes: a line an instruction, `add rd rs1 rs2 31..25=0 ... 1..0=3`,
//! with its arguments and the bits that tell it from others.
//!
//! A line becomes an opcode, whose fixed fields are the bits given. `$pseudo_op` is an alias where the
//! instruction that it is one of is here, an instruction that has all fixed bits of another is `inside`
//! that. What has words in common with another otherwise is left out, and listed.

mod args;
mod lines;
mod overlaps;

use crate::spec::{Field, Item, Line, Node, Section, Spec, camel};
use crate::{Fault, Format, Options, Source, numbered};
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
    let shapes = shapes(&all);
    let mut widths: Vec<u32> = all.iter().map(|one| one.width).collect();
    widths.sort_unstable();
    widths.dedup();
    let kinds = kinds(&all, &shapes);
    let mut spec = Spec {
        head: vec![
            "The texts are not in the source: a mnemonic and the arguments as they stand in its line.".into(),
        ],
        before: before(&kinds),
        doc: vec![format!("What `{}` lists.", files[0].name)],
        name: camel(files[0].name),
        items: kinds.iter().map(|(kind, width)| kind.item(*width)).collect(),
        ..Spec::default()
    };
    let mut formats: Vec<&Kind> = all.iter().flat_map(|one| twice(one)).collect();
    formats.sort_by_key(|kind| kind.name());
    formats.dedup();
    spec.items.extend(formats.into_iter().map(Kind::twice));
    let mut items = items(&said, &all, &shapes, widths.len() > 1);
    spec.widths = widths;
    spec.items.append(&mut items);
    Ok(spec)
}

/// The kinds of all fields, each once, with their widths.
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

/// The types of registers, in front of the call.
fn before(kinds: &[(Kind, u32)]) -> Vec<String> {
    let banks = kinds.iter().filter_map(|(kind, _)| match kind {
        Kind::Bank(name, prefix) => {
            let value = if *prefix == "v" { "u128" } else { "u64" };
            Some([
                "    /// A register. /* its names and what it holds are not in the source */"
                    .to_owned(),
                format!("    pub {name}: 5 = \"{prefix}0\" to \"{prefix}31\" of {value};"),
            ])
        }
        _ => None,
    });
    let mut lines: Vec<String> = banks.flatten().collect();
    if !lines.is_empty() {
        lines.insert(0, "isa_core::registers! {".to_owned());
        lines.push("}".to_owned());
    }
    lines
}

/// An item a line, comments with what stands below them.
fn items(said: &[Said<'_>], all: &[&Instruction<'_>], shapes: &[Shape], mixed: bool) -> Vec<Item> {
    let mut items = Vec::new();
    let mut place = 0;
    for line in said {
        match line {
            Said::Empty if matches!(items.last(), Some(Item::Comment(_))) => {
                items.push(Item::Comment(Vec::new()));
            }
            Said::Empty => {}
            Said::Comment(text) => comment(&mut items, (*text).to_owned()),
            Said::Import(extension, name) => {
                let is_here = all.iter().any(|one| one.name == *name && one.base.is_none());
                let more = if is_here { "stands in these files" } else { "stands in another file" };
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
                items.push(Item::Node(node(one, shape, mixed)));
            }
        }
    }
    items
}

/// Adds a line to the comment above, if there is one.
fn comment(items: &mut Vec<Item>, text: String) {
    match items.last_mut() {
        Some(Item::Comment(lines)) if !lines.is_empty() => lines.push(text),
        _ => items.push(Item::Comment(vec![text])),
    }
}

fn list(before: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" {before} {}", names.join(", ")) }
}

fn node(one: &Instruction<'_>, shape: &Shape, mixed: bool) -> Node {
    let (head, mut encoding, mut slots, equal) = match shape {
        Shape::Opcode { name, inside } => {
            let mut lines = fields(one);
            if mixed {
                lines.insert(0, Line::Text(format!("word<{}>;", one.width)));
            }
            let slots = one.args.iter().map(|arg| arg.name.clone()).collect();
            (format!("opcode {name}{}", list("inside", inside)), lines, slots, &one.equal)
        }
        Shape::Alias { name, of, word, before, fixed, equal, slots } => {
            let lines =
                fixed.iter().map(|(field, value)| Line::Text(format!("{field} == {value};")));
            let head = format!("{word} {name} of {of}{}", list("before", before));
            (head, lines.collect(), slots.clone(), equal)
        }
        Shape::Left(_) => {
            return Node { doc: Vec::new(), head: String::new(), sections: Vec::new() };
        }
    };
    // Two fields that are equal are one operand of the text.
    let mut operands = Vec::new();
    for ((field, same), kind) in equal.iter().zip(twice(one)) {
        encoding.push(Line::Text(format!("where {same} == {field};")));
        slots.retain(|slot| slot != same);
        for slot in slots.iter_mut().filter(|slot| *slot == field) {
            *slot = format!("{field}_{same}");
            let kind = kind.name();
            operands
                .push(Line::Text(format!("AsmFormat<{slot}: {field}, {same}> = Twice{kind}();")));
        }
    }
    let is_plain = one.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let quote = if is_plain { "" } else { "\"" };
    let slots = if slots.is_empty() { String::new() } else { format!(" {}", slots.join(", ")) };
    let syntax = Line::Text(format!("{quote}{}{quote}{slots};", one.name));
    let mut sections = vec![
        Section::new("encoding", encoding),
        Section::new("syntax", [syntax]),
        Section::new("operands", operands),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Node { doc: Vec::new(), head, sections }
}

/// The kinds of arguments to which others are equal, in the order of these.
fn twice<'a>(one: &'a Instruction<'_>) -> impl Iterator<Item = &'a Kind> {
    let kind = |name: &String| one.args.iter().find(|arg| arg.name == *name).map(|arg| &arg.kind);
    one.equal.iter().filter_map(move |(field, _)| kind(field))
}

/// The fields of an opcode from the lowest bit on.
fn fields(one: &Instruction<'_>) -> Vec<Line> {
    let fixed = one.fixed.iter().map(|Fixed { high, low, text, .. }| Field {
        pieces: vec![(*low, high - low + 1)],
        kind: Kind::bits(high - low + 1).name().to_owned(),
        name: if high == low { format!("bit{low}") } else { format!("bits{high}_{low}") },
        value: format!(" == {text}"),
        ..Field::default()
    });
    let args = one.args.iter().map(|Arg { name, kind, pieces, never }| Field {
        pieces: pieces.clone(),
        kind: kind.name().to_owned(),
        name: name.clone(),
        value: (*never).to_owned(),
        ..Field::default()
    });
    let mut all: Vec<Field> = fixed.chain(args).collect();
    all.sort_by_key(|field| field.pieces.iter().map(|piece| piece.0).min());
    all.into_iter().map(Line::Field).collect()
}
