//! Import of the text format of the project riscv-opcodes. Each line is an instruction, `add rd rs1
//! rs2 31..25=0 ... 1..0=3`, with its arguments and the bits that distinguish it from others.
//!
//! A line becomes an opcode whose fixed fields are the given bits. A `$pseudo_op` becomes an alias if
//! the files contain its instruction. If an instruction has all fixed bits of another one, it is
//! declared `inside` the other one. If it shares words with another instruction in any other way, it is
//! omitted and listed in a comment.

mod arguments;
mod line_parser;
mod overlaps;
mod source_span;

use std::collections::HashSet;

use crate::code::{Code, code};
use crate::macro_call::{
    CallItem, CallNode, FieldStatement, MacroCall, NodeSection, SectionLine, camel, listed,
};
use crate::{ImportError, ImportFormat, ImportOptions, Source, numbered, set_name};
use arguments::{Argument, ArgumentTable, ArgumentType};
use line_parser::{FixedBitRange, Instruction, ParsedLine, read as read_line};
use overlaps::{LineResult, shapes};

pub(crate) const FORMAT: ImportFormat = ImportFormat {
    name: "riscv-opcodes",
    about: "Files of the project riscv-opcodes, one instruction per line",
    read,
};

fn read(files: &[Source<'_>], options: &ImportOptions<'_>) -> Result<MacroCall, Vec<ImportError>> {
    let mut faults = Vec::new();
    let table = ArgumentTable::new(options.fields, &mut faults);
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
            ParsedLine::Instruction(instruction) => Some(instruction),
            _ => None,
        })
        .collect();
    if all.is_empty() && faults.is_empty() {
        let (name, text) = files.first().map_or(("", ""), |file| (file.name, file.text));
        let message = match said.iter().any(|said| matches!(said, ParsedLine::Import(..))) {
            true => "no instruction found: also pass the imported files",
            false => "no instruction found: expected a line `name argument... high..low=value...`",
        };
        faults.push(ImportError::at(name, (1, text), text, message.to_owned()));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    spec(files, options, &said, &all)
}

/// Returns the specification of instructions. Returns errors for names that cannot be converted.
fn spec(
    files: &[Source<'_>],
    options: &ImportOptions<'_>,
    said: &[ParsedLine<'_>],
    all: &[&Instruction<'_>],
) -> Result<MacroCall, Vec<ImportError>> {
    let first = files[0];
    let fault = |message| vec![ImportError::at(first.name, (1, first.text), first.text, message)];
    let shapes = shapes(all);
    let mut widths: Vec<u32> = all.iter().map(|one| one.width).collect();
    widths.sort_unstable();
    widths.dedup();
    let kinds = kinds(all, &shapes);
    let mut spec = MacroCall {
        head: vec![
            "The source has no assembly syntax, so it is the mnemonic and the arguments in their order.".into(),
        ],
        before: before(&kinds),
        doc: vec![format!("The instructions that `{}` lists.", first.name)],
        name: set_name(options, &camel(first.name)).map_err(fault)?,
        ..MacroCall::default()
    };
    for (kind, width) in &kinds {
        spec.items.push(kind.item(*width).map_err(fault)?);
    }
    let mut formats: Vec<&ArgumentType> = all.iter().flat_map(|one| twice(one)).collect();
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
fn kinds(all: &[&Instruction<'_>], shapes: &[LineResult]) -> Vec<(ArgumentType, u32)> {
    let mut kinds: Vec<(ArgumentType, u32)> = Vec::new();
    let mut add = |kind: ArgumentType, width: u32| {
        if kinds.iter().all(|(known, _)| known.name() != kind.name()) {
            kinds.push((kind, width));
        }
    };
    let opcodes =
        || all.iter().zip(shapes).filter(|(_, shape)| matches!(shape, LineResult::Opcode { .. }));
    for arg in opcodes().flat_map(|(one, _)| &one.args) {
        add(arg.kind.clone(), arg.pieces.iter().map(|(_, width)| width).sum());
    }
    let mut bits: Vec<u32> = opcodes()
        .flat_map(|(one, _)| one.fixed.iter().map(|fixed| fixed.high - fixed.low + 1))
        .collect();
    bits.sort_unstable();
    bits.into_iter().for_each(|width| add(ArgumentType::bits(width), width));
    kinds
}

/// Returns the lines before the call, which define the register types.
fn before(kinds: &[(ArgumentType, u32)]) -> Vec<Code> {
    let banks = kinds.iter().filter_map(|(kind, _)| match *kind {
        ArgumentType::Bank(name, prefix) => {
            let value = if prefix == "v" { "u128" } else { "u64" };
            Some([
                code!("    /// A register. /* its names and its type are not in the source */"),
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
    said: &[ParsedLine<'_>],
    all: &[&Instruction<'_>],
    shapes: &[LineResult],
    mixed: bool,
) -> Result<Vec<CallItem>, Vec<ImportError>> {
    let (mut items, mut faults) = (Vec::new(), Vec::new());
    let own = all.iter().filter(|one| one.base.is_none());
    let own: HashSet<&str> = own.map(|one| one.name).collect();
    let mut place = 0;
    for line in said {
        match line {
            ParsedLine::Empty if matches!(items.last(), Some(CallItem::Comment(_))) => {
                items.push(CallItem::Comment(Vec::new()));
            }
            ParsedLine::Empty => {}
            ParsedLine::Comment(text) => comment(&mut items, (*text).to_owned()),
            ParsedLine::Import(extension, name) => {
                let more = if own.contains(name) {
                    "defined in these files"
                } else {
                    "defined in another file"
                };
                items.push(CallItem::Comment(vec![format!("$import {extension}::{name}: {more}")]));
            }
            ParsedLine::Instruction(one) => {
                let shape = &shapes[place];
                place += 1;
                if let LineResult::Left(why) = shape {
                    items.push(CallItem::Comment(vec![one.place.text.to_owned(), why.clone()]));
                    continue;
                }
                if let (Some((extension, base)), LineResult::Opcode { .. }) = (one.base, shape) {
                    let text =
                        format!("$pseudo_op of {extension}::{base}, which is missing or different");
                    comment(&mut items, text);
                }
                match node(one, shape, mixed) {
                    Ok(node) => items.push(CallItem::Node(node)),
                    Err(message) => faults.push(one.place.fault(message)),
                }
            }
        }
    }
    if faults.is_empty() { Ok(items) } else { Err(faults) }
}

/// Adds a line to the comment above, if there is one.
fn comment(items: &mut Vec<CallItem>, text: String) {
    match items.last_mut() {
        Some(CallItem::Comment(lines)) if !lines.is_empty() => lines.push(text),
        _ => items.push(CallItem::Comment(vec![text])),
    }
}

fn names(all: &[String]) -> Result<Vec<Code>, String> {
    all.iter().map(|name| Code::name(name)).collect()
}

fn node(one: &Instruction<'_>, shape: &LineResult, mixed: bool) -> Result<CallNode, String> {
    let (head, mut encoding, mut slots, equal) = match shape {
        LineResult::Opcode { name, inside } => {
            let mut lines = fields(one)?;
            if mixed {
                lines.insert(0, code!("word<{}>;", one.width).into());
            }
            let slots = one.args.iter().map(|arg| arg.name.clone()).collect();
            let inside = listed(" inside ", &names(inside)?, "");
            (code!("opcode {}{}", Code::name(name)?, inside), lines, slots, &one.equal)
        }
        LineResult::Alias { name, of, word, before, fixed, equal, slots } => {
            let line = |(field, value): &(String, u64)| {
                Ok(code!("{} == {};", Code::field_name(field)?, *value).into())
            };
            let lines = fixed.iter().map(line).collect::<Result<Vec<SectionLine>, String>>()?;
            let before = listed(" before ", &names(before)?, "");
            let [name, of] = [Code::name(name)?, Code::name(of)?];
            (code!("{} {} of {}{}", *word, name, of, before), lines, slots.clone(), equal)
        }
        LineResult::Left(_) => return Ok(CallNode::default()),
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
        NodeSection::new("encoding", encoding),
        NodeSection::new("syntax", [syntax.into()]),
        NodeSection::new("operands", operands),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(CallNode { doc: Vec::new(), head, sections })
}

/// Returns the types of the arguments that must be equal to another argument, in order.
fn twice<'a>(one: &'a Instruction<'_>) -> impl Iterator<Item = &'a ArgumentType> {
    let kind = |name: &String| one.args.iter().find(|arg| arg.name == *name).map(|arg| &arg.kind);
    one.equal.iter().filter_map(move |(field, _)| kind(field))
}

/// Returns the fields of an opcode from the lowest bit up.
fn fields(one: &Instruction<'_>) -> Result<Vec<SectionLine>, String> {
    let mut all = Vec::new();
    for FixedBitRange { high, low, text, .. } in &one.fixed {
        all.push(FieldStatement {
            pieces: vec![(*low, high - low + 1)],
            kind: Code::type_name(ArgumentType::bits(high - low + 1).name())?,
            name: if high == low { code!("bit{}", *low) } else { code!("bits{}_{}", *high, *low) },
            value: code!(" == {}", Code::numeral(text)),
            ..FieldStatement::default()
        });
    }
    for Argument { name, kind, pieces, never } in &one.args {
        all.push(FieldStatement {
            pieces: pieces.clone(),
            kind: Code::type_name(kind.name())?,
            name: Code::field_name(name)?,
            value: code!("{}", *never),
            ..FieldStatement::default()
        });
    }
    all.sort_by_key(|field| field.pieces.iter().map(|piece| piece.0).min());
    Ok(all.into_iter().map(SectionLine::Field).collect())
}
