//! Writes programs as relocatable objects.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use isa_core::asm::{Program, Relocation, Section, SymbolType};
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, Rel, SectionHeader, SectionIndex, SinglePhaseWriter, Sym};
use object::{Endianness, write};

use crate::CommandError;
use crate::console::Console;
use crate::input::Input;
use crate::object_format::ObjectFormat;
use crate::profile::Profile;
use crate::program::{self, ParsedProgram};
use crate::set::ToolSet;

use super::refusal;

/// The index of the first section of the program. The symbol of this section has the same index.
const FIRST: u32 = 1;

/// The maximum number of sections, so that their indexes and those of the object's own sections fit
/// in a symbol.
const MOST: usize = 0x7f00;

/// Assembles a program to an object. Errors are reported.
pub(crate) fn assemble(
    profile: &Profile,
    input: Input<'_>,
    console: &mut Console<'_>,
) -> Result<Vec<u8>, CommandError> {
    let format = profile.object.ok_or_else(|| CommandError::Usage(refusal(profile)))?;
    let assembler = program::assembler(profile, None);
    let assembler = assembler.relocations(format.relocate);
    let assembler = assembler.addends(format.addend_of).places(format.place_of);
    let assembler = if format.is_rel { assembler.addends_in_place() } else { assembler };
    let parsed = ParsedProgram::read_by(&assembler, input, console)?;
    object(profile.set, format, &parsed.program).map_err(CommandError::System)
}

/// A symbol before it is written.
struct ObjectSymbol<'p> {
    name: &'p str,
    /// The address, or `None` if another object defines the symbol.
    address: Option<u64>,
    is_global: bool,
    kind: elf::SymbolType,
    /// The section, as an index into the sections of the program. `None` if the value is a number
    /// that does not depend on the address of the code.
    section: Option<usize>,
}

/// Encodes a program as an ELF object.
fn object(set: ToolSet, format: ObjectFormat, program: &Program) -> Result<Vec<u8>, String> {
    let wide = program.relocations.iter().find(|it| !format.is_64 && it.kind > 0xff);
    if let Some(Relocation { kind, .. }) = wide {
        return Err(format!(
            "relocation type out of range: 32-bit ELF allows 0 to 255, found {kind}"
        ));
    }
    if program.sections.len() > MOST {
        let count = program.sections.len();
        return Err(format!("too many sections: an object has at most {MOST}, found {count}"));
    }
    let flags = format.flags_of(set.tables).ok_or(
        "the object format has no ELF flags for these features: choose a processor with --features",
    )?;
    let symbols = symbols(format, program);
    let before = if format.is_rel { ".rel" } else { ".rela" };
    let names = program.sections.iter().map(|section| format!("{before}{}", section.name));
    let names: Vec<String> = names.collect();
    let mut bytes = Vec::new();
    let mut header = Vec::new();
    let failed = |error: write::Error| format!("cannot write the object: {error}");
    {
        let endian = if format.is_big_endian { Endianness::Big } else { Endianness::Little };
        let mut writer = SinglePhaseWriter::new_single_phase(endian, format.is_64, &mut bytes);
        let file = FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: elf::ET_REL,
            e_machine: elf::Machine(format.machine),
            e_entry: 0,
            e_flags: elf::FileFlags(flags),
        };
        writer.write_file_header(&file).map_err(failed)?;
        write_sections(&mut writer, (set, format), program, &symbols, &names).map_err(failed)?;
        writer.write_file_header_to(&mut header).map_err(failed)?;
    }
    if let Some(place) = bytes.get_mut(..header.len()) {
        place.copy_from_slice(&header);
    }
    Ok(bytes)
}

/// Returns the labels as symbols, local symbols first. A constant, or a label that begins with `.L`,
/// becomes a symbol only if a relocation or `.globl` names it.
fn symbols<'p>(format: ObjectFormat, program: &'p Program) -> Vec<ObjectSymbol<'p>> {
    let needed: BTreeSet<&str> =
        program.relocations.iter().filter_map(|it| it.symbol.as_deref()).collect();
    let globals: BTreeSet<&str> = program.globals.iter().map(String::as_str).collect();
    let labels = program.labels.iter().map(|(name, _)| name);
    // The name of a section is a label of its start, which has a section symbol already.
    let sections = program.sections.iter().map(|section| section.name.as_str());
    let constants = program.labels.constants().map(|(name, _)| name);
    let known: BTreeSet<&str> = labels.chain(sections).chain(constants).collect();
    let types: BTreeMap<&str, SymbolType> =
        program.types.iter().map(|(name, is)| (name.as_str(), *is)).collect();
    let kind_of = |name| match types.get(name) {
        Some(SymbolType::Function) => elf::STT_FUNC,
        Some(SymbolType::Object) => elf::STT_OBJECT,
        _ => elf::STT_NOTYPE,
    };
    let symbol = |name, address: Option<u64>, section| {
        // A symbol that the program does not define belongs to another object.
        let is_global = address.is_none() || globals.contains(name);
        ObjectSymbol { name, address, is_global, kind: kind_of(name), section }
    };
    let is_named = |name: &str| needed.contains(name) || globals.contains(name);
    let own = program.labels.iter().filter(|(name, _)| !name.starts_with(".L") || is_named(name));
    let own = own.map(|(name, address)| {
        let bits = if kind_of(name) == elf::STT_FUNC { format.function_bits } else { 0 };
        symbol(name, Some(address | bits), program.labels.section(name))
    });
    let constants = program.labels.constants().filter(|(name, _)| is_named(name));
    let constants = constants.map(|(name, number)| symbol(name, Some(number as u64), None));
    let others = needed.iter().filter(|name| !known.contains(*name));
    let others = others.map(|name| symbol(name, None, None));
    let all = marks(format, program).into_iter().chain(own).chain(constants).chain(others);
    let mut symbols: Vec<_> = all.collect();
    symbols.sort_by_key(|symbol| symbol.is_global);
    symbols
}

/// Returns the mapping symbols at the starts of instructions and of data, if the format has such
/// symbols.
fn marks(format: ObjectFormat, program: &Program) -> Vec<ObjectSymbol<'static>> {
    let mut marks: Vec<ObjectSymbol<'static>> = Vec::new();
    let Some((code, data)) = format.marks else { return marks };
    for (number, section) in program.sections.iter().enumerate() {
        let section = program.statements.get(section.statements.clone()).unwrap_or_default();
        let mut last = "";
        for statement in section.iter().filter(|statement| statement.length > 0) {
            let name = if statement.instruction.is_some() { code } else { data };
            if name != last {
                let (address, section) = (Some(statement.address), Some(number));
                let kind = elf::STT_NOTYPE;
                marks.push(ObjectSymbol { name, address, is_global: false, kind, section });
            }
            last = name;
        }
    }
    marks
}

/// Returns the alignment of a section. If the section contains instructions, the result is at least
/// the alignment of instructions.
fn align(set: ToolSet, program: &Program, section: &Section) -> u64 {
    let statements = program.statements.get(section.statements.clone()).unwrap_or_default();
    let is_code = section.is_code || statements.iter().any(|it| it.instruction.is_some());
    let own = set.widths().next().filter(|_| is_code);
    own.map_or(1, |bits| u64::from(bits) / 8).max(section.align)
}

/// The positions of a section's contents in the object.
struct SectionLayout {
    align: u64,
    offset: u64,
    relocations: u64,
    name: StringId,
    relocations_name: Option<StringId>,
}

fn write_sections<'p>(
    writer: &mut SinglePhaseWriter<'p>,
    (set, format): (ToolSet, ObjectFormat),
    program: &'p Program,
    symbols: &'p [ObjectSymbol<'p>],
    names: &'p [String],
) -> write::Result<()> {
    let mut written: Vec<SectionLayout> = Vec::new();
    for (section, relocations_name) in program.sections.iter().zip(names) {
        let align = align(set, program, section);
        let offset = writer.write_align(align);
        let bytes = program.bytes.get(section.bytes.clone());
        writer.write(bytes.unwrap_or_default());
        let name = writer.add_section_name(section.name.as_bytes());
        let has_any = !section.relocations.is_empty();
        let relocations_name =
            has_any.then(|| writer.add_section_name(relocations_name.as_bytes()));
        written.push(SectionLayout { align, offset, relocations: 0, name, relocations_name });
    }
    let sections = FIRST..FIRST + written.len() as u32;
    let numbers = write_symbols(writer, symbols, sections.clone());
    writer.write_strtab()?;
    for ((section, written), own) in program.sections.iter().zip(&mut written).zip(sections.clone())
    {
        written.relocations = writer.write_align_relocation();
        for relocation in program.relocations.get(section.relocations.clone()).unwrap_or_default() {
            let symbol = relocation.symbol.as_deref().and_then(|name| {
                let known = numbers.get(name).copied();
                known.or_else(|| Some(FIRST + program.labels.section(name)? as u32))
            });
            let relocation = Rel {
                r_offset: relocation.address,
                // Without a symbol, the relocation refers to the section.
                r_sym: symbol.unwrap_or(own),
                r_type: elf::RelocationType(relocation.kind),
                r_addend: relocation.addend,
            };
            writer.write_relocation(!format.is_rel, &relocation);
        }
    }
    writer.write_shstrtab()?;
    writer.write_null_section_header();
    for (section, written) in program.sections.iter().zip(&written) {
        let sh_name = writer.section_name_offset(Some(written.name));
        writer.write_section_header(&SectionHeader {
            sh_name,
            sh_type: if section.is_room { elf::SHT_NOBITS } else { elf::SHT_PROGBITS },
            sh_flags: flags(section),
            sh_addr: 0,
            sh_offset: written.offset,
            sh_size: section.size,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: written.align,
            sh_entsize: 0,
        });
    }
    writer.write_strtab_section_header();
    let locals = symbols.iter().filter(|symbol| !symbol.is_global).count();
    writer.write_symtab_section_header(locals as u32 + sections.end);
    for ((section, written), own) in program.sections.iter().zip(&written).zip(sections.clone()) {
        if let Some(name) = written.relocations_name {
            // The sections after those of the program contain the names of symbols, followed by the
            // symbols.
            let (own, table) = (SectionIndex(own), SectionIndex(sections.end + 1));
            let (from, count) = (written.relocations, section.relocations.len());
            let is_rela = !format.is_rel;
            writer.write_relocation_section_header(name, own, table, from, count, is_rela);
        }
    }
    writer.write_shstrtab_section_header();
    Ok(())
}

fn flags(section: &Section) -> elf::SectionFlags {
    let none = elf::SectionFlags(0);
    let flag = |is_there, flag| if is_there { flag } else { none };
    flag(section.is_loaded, elf::SHF_ALLOC)
        | flag(section.is_writable, elf::SHF_WRITE)
        | flag(section.is_code, elf::SHF_EXECINSTR)
}

/// Writes the symbols, the symbols of sections first, and returns the index of each symbol.
fn write_symbols<'p>(
    writer: &mut SinglePhaseWriter<'p>,
    symbols: &'p [ObjectSymbol<'p>],
    sections: Range<u32>,
) -> BTreeMap<&'p str, u32> {
    let plain = Sym {
        section: None,
        st_name: 0,
        st_info: elf::SymbolInfo::new(elf::STB_LOCAL, elf::STT_SECTION),
        st_other: elf::SymbolOther(0),
        st_shndx: elf::SHN_UNDEF,
        st_value: 0,
        st_size: 0,
    };
    writer.write_null_symbol();
    for section in sections {
        writer.write_symbol(&Sym { section: Some(section), ..plain });
    }
    let mut numbers = BTreeMap::new();
    for symbol in symbols {
        let name = writer.add_string(symbol.name.as_bytes());
        let bind = if symbol.is_global { elf::STB_GLOBAL } else { elf::STB_LOCAL };
        let number = writer.write_symbol(&Sym {
            section: symbol.section.map(|section| FIRST + section as u32),
            st_shndx: if symbol.address.is_some() { elf::SHN_ABS } else { elf::SHN_UNDEF },
            st_name: writer.string_offset(Some(name)),
            st_info: elf::SymbolInfo::new(bind, symbol.kind),
            st_value: symbol.address.unwrap_or_default(),
            ..plain
        });
        numbers.insert(symbol.name, number.0);
    }
    numbers
}
