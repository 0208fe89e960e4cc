//! The command `patch`: replaces instructions of an ELF file in place.

use std::ops::Range;

use isa_core::machine::number;
use isa_core::shown::Shown;
use isa_core::text::{InstructionContext, Line};

use crate::CommandError;
use crate::console::Console;
use crate::input::Input;
use crate::profile::Profile;
use crate::program::{self, ParsedProgram};
use crate::set::ToolSet;
use crate::suggest;

use super::listing::label_map;
use super::read::{ElfFile, ElfSection, ElfSymbol};
use super::{Patch, profile_of, read_all, refused_file};

/// Returns the file with the replaced instructions, and a text that lists the instructions before and
/// after the replacement. All other bytes of the file are unchanged.
pub(crate) fn patch(
    profile: &Profile,
    mut input: Input<'_>,
    Patch { place, text }: Patch<'_>,
    console: &mut Console<'_>,
) -> Result<(Vec<u8>, String), CommandError> {
    let name = input.name.clone();
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    let mut bytes = read_all(&mut input, console)?;
    let object =
        ElfFile::read(&bytes, format).map_err(|error| CommandError::reading(&name, &error))?;
    let own = profile_of(profile, &object, &name)?;
    let unfit = |why: String| CommandError::System(format!("cannot patch {}: {why}", Shown(&name)));
    let (section, address) = find(&object, place).map_err(unfit)?;
    let labels = object.symbols.iter();
    let labels = label_map(
        labels.filter(|symbol| !object.is_relocatable || symbol.section == Some(section.number)),
    );
    let assembler = program::assembler(&own, Some(address)).labels(labels);
    let program = ParsedProgram::read_by(&assembler, text, console)?.program;
    let start = (address - section.part.address) as usize;
    let range = start..start + program.bytes.len();
    check(own.set, section, &range, &Shown(place).to_string()).map_err(unfit)?;
    let old = section.part.bytes.get(range.clone()).unwrap_or_default();
    let report =
        listed(own.set, address, '-', old) + &listed(own.set, address, '+', &program.bytes);
    let offset = section.part.offset as usize + start;
    if let Some(place) = bytes.get_mut(offset..offset + program.bytes.len()) {
        place.copy_from_slice(&program.bytes);
    }
    Ok((bytes, report))
}

/// Returns the section and the address of a place: the name of a symbol or of a section, a name and a
/// distance in bytes, or an address.
fn find<'o>(object: &'o ElfFile<'_>, place: &str) -> Result<(&'o ElfSection<'o>, u64), String> {
    let number = |text: &str| Some(number(text, 64).ok()? as u64);
    let sum = place.rsplit_once('+').and_then(|(name, rest)| Some((name, number(rest)?)));
    let of_sum = || {
        let (name, distance) = sum?;
        named(object, name).map(|(section, start)| (section, start.wrapping_add(distance)))
    };
    let (section, address) = match named(object, place).or_else(of_sum) {
        Some(found) => found,
        None => match number(place) {
            Some(address) => (section_at(object, address)?, address),
            None => return Err(unknown(object, sum.map_or(place, |(name, _)| name))),
        },
    };
    if !section.part.is_code {
        return Err(format!("the section {} does not contain code", Shown(&section.name)));
    }
    match distance(section, address) {
        Some(_) => Ok((section, address)),
        None => Err(format!(
            "{} is not in the section {}, which has {:#x} bytes",
            Shown(place),
            Shown(&section.name),
            section.part.bytes.len()
        )),
    }
}

/// Returns the symbols that name an address in a section.
fn symbols<'o>(object: &'o ElfFile<'_>) -> impl Iterator<Item = &'o ElfSymbol<'o>> {
    object.symbols.iter().filter(|symbol| symbol.is_name() && symbol.section.is_some())
}

/// Returns the section and the address of a symbol, or of the start of a section.
fn named<'o>(object: &'o ElfFile<'_>, name: &str) -> Option<(&'o ElfSection<'o>, u64)> {
    let symbol = symbols(object).find(|symbol| symbol.name == name);
    let of_symbol =
        symbol.and_then(|symbol| Some((object.section(symbol.section?)?, symbol.address)));
    let section = || object.sections.iter().find(|section| section.name == name);
    of_symbol.or_else(|| section().map(|section| (section, section.part.address)))
}

/// Returns the section with code that contains an address.
fn section_at<'o>(object: &'o ElfFile<'_>, address: u64) -> Result<&'o ElfSection<'o>, String> {
    let mut code = object.sections.iter().filter(|section| section.part.is_code);
    if object.is_relocatable && code.clone().count() != 1 {
        return Err(format!(
            "{address:#x} can be in several sections: expected NAME+OFFSET with the name of a symbol or of a \
             section"
        ));
    }
    let found = code.find(|section| distance(section, address).is_some());
    found.ok_or_else(|| format!("no section with code contains the address {address:#x}"))
}

/// Returns the message for a name that the file does not contain.
fn unknown(object: &ElfFile<'_>, name: &str) -> String {
    let sections = object.sections.iter().map(|section| &*section.name);
    let names = symbols(object).map(|symbol| &*symbol.name).chain(sections);
    format!("it has no symbol or section `{}`{}", Shown(name), suggest::hint(name, names))
}

/// Returns the distance of an address from the start of a section, if the section contains it.
fn distance(section: &ElfSection<'_>, address: u64) -> Option<u64> {
    let distance = address.wrapping_sub(section.part.address);
    (distance < section.part.bytes.len() as u64).then_some(distance)
}

/// Checks that a range of a section consists of whole instructions that no linker changes.
fn check(
    set: ToolSet,
    section: &ElfSection<'_>,
    range: &Range<usize>,
    place: &str,
) -> Result<(), String> {
    let bytes = section.part.bytes;
    let alignment = set.tables.alignment();
    if !(range.start as u64).is_multiple_of(alignment) {
        return Err(format!(
            "{place} is not the start of an instruction: expected a multiple of {alignment}"
        ));
    }
    if range.is_empty() {
        return Err("the assembly does not contain an instruction".to_owned());
    }
    if range.end > bytes.len() {
        return Err(format!(
            "the new instructions have {} bytes, but the section {} ends {} bytes after {place}",
            range.len(),
            Shown(&section.name),
            bytes.len() - range.start
        ));
    }
    let mut end = range.start;
    while end < range.end {
        end += set.tables.length(bytes.get(end..).unwrap_or_default()).max(1);
    }
    if end > range.end {
        return Err(format!(
            "the new instructions end {} bytes before the end of an instruction: add instructions that do nothing",
            end - range.end
        ));
    }
    let distance = |address: u64| address.wrapping_sub(section.part.address) as usize;
    match section.relocations.iter().find(|it| range.contains(&distance(it.address))) {
        Some(relocation) => Err(format!(
            "a linker changes the instruction at {:#x}: it has a relocation{}",
            relocation.address,
            relocation
                .symbol
                .as_deref()
                .map(|name| format!(" for `{}`", Shown(name)))
                .unwrap_or_default()
        )),
        None => Ok(()),
    }
}

/// Returns a line for each instruction, with `sign` and its address.
fn listed(set: ToolSet, start: u64, sign: char, bytes: &[u8]) -> String {
    let (mut lines, mut at, mut line, mut rest) = (String::new(), start, Line::new(), bytes);
    while let Some((bytes, after)) = rest.split_at_checked(set.tables.length(rest))
        && !bytes.is_empty()
    {
        let word = set.word_of(bytes);
        line.clear();
        match set.decode(word) {
            Ok(opcode) => {
                opcode.print_at(word.word, InstructionContext::new(at, &()), &mut line);
            }
            Err(_) => set.print_data(word, &mut line),
        }
        lines += &format!("{sign} {at:#x}: {}\n", line.as_str());
        at = at.wrapping_add(bytes.len() as u64);
        rest = after;
    }
    lines
}
