//! The command `patch`: replaces instructions of an ELF file in place.

use std::ops::Range;

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
use super::read::{ElfFile, ElfSection};
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
    let object = ElfFile::read(&bytes, format)
        .map_err(|error| CommandError::System(format!("cannot read {}: {error}", Shown(&name))))?;
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
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse::<u64>().ok(),
    };
    let code = || object.sections.iter().filter(|section| section.part.is_code);
    let symbols = || object.symbols.iter().filter(|it| it.is_name() && it.section.is_some());
    let named = |name: &str| {
        let symbol = symbols().find(|symbol| symbol.name == name);
        let of_symbol =
            symbol.and_then(|symbol| Some((object.section(symbol.section?)?, symbol.address)));
        let section = || object.sections.iter().find(|section| section.name == name);
        of_symbol.or_else(|| section().map(|section| (section, section.part.address)))
    };
    let (found, shown) = match place.rsplit_once('+').map(|(name, rest)| (name, number(rest))) {
        Some((name, Some(distance))) if named(place).is_none() => {
            (named(name).map(|(section, address)| (section, address.wrapping_add(distance))), name)
        }
        _ => (named(place), place),
    };
    let address = number(place);
    let found = match (found, address) {
        (None, Some(address)) if object.is_relocatable && code().count() != 1 => {
            return Err(format!(
                "{address:#x} can be in several sections: expected NAME+OFFSET with the name of a symbol or of a \
                 section"
            ));
        }
        (None, Some(address)) => {
            let is_in = |section: &&ElfSection<'_>| distance(section, address).is_some();
            code().find(is_in).map(|section| (section, address))
        }
        (found, _) => found,
    };
    let Some((section, address)) = found else {
        let names = symbols().map(|symbol| &*symbol.name);
        let names = names.chain(object.sections.iter().map(|section| &*section.name));
        return Err(match address {
            Some(_) => format!("no section with code contains the address {}", Shown(place)),
            None => {
                let shown = Shown(shown);
                format!("it has no symbol or section `{shown}`{}", suggest::hint(place, names))
            }
        });
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
