//! Writes programs as relocatable objects.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use isa_core::asm::{Program, Relocation};
use object::elf;
use object::write::elf::{FileHeader, Rel, SectionHeader, SectionIndex, SinglePhaseWriter, Sym};
use object::{Endianness, write};

use crate::asm::Options;
use crate::console::Console;
use crate::input::Input;
use crate::object::{ObjectFormat, refusal};
use crate::output::Output;
use crate::program::Whole;
use crate::set::Set;
use crate::tool::Profile;
use crate::{Stop, program};

/// The number of the section with the code: the first behind the null section.
const TEXT: u32 = 1;

/// The command `asm --emit elf`.
pub(crate) fn assemble(
    profile: &Profile,
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let format = profile.object.ok_or_else(|| Stop::Usage(refusal(profile)))?;
    if options.start != 0 {
        let message =
            "--start-address does not go with --emit elf: the linker says where code stands";
        return Err(Stop::Usage(message.into()));
    }
    let input = Input::open(options.input.as_ref(), stdin)?;
    let mut output = Output::open(options.output.as_deref())?;
    let assembler = program::assembler(profile, 0).relocations(format.relocate);
    let whole = Whole::read_by(&assembler, input, console)?;
    let bytes = object(profile.set, format, &whole.program).map_err(Stop::System)?;
    output.put(&bytes)?;
    output.commit(stdout)
}

/// A symbol on its way.
struct Symbol<'p> {
    name: &'p str,
    /// The address; `None` where another object has the symbol.
    address: Option<u64>,
    is_global: bool,
    /// Whether the address is a number, wherever the code stands.
    is_constant: bool,
}

/// A program as an object.
fn object(set: Set, format: ObjectFormat, program: &Program) -> Result<Vec<u8>, String> {
    let wide = program.relocations.iter().find(|it| !format.is_64 && it.kind > 0xff);
    if let Some(Relocation { kind, .. }) = wide {
        return Err(format!(
            "the object format has a relocation {kind}, and ELF of 32 bits has 255"
        ));
    }
    let symbols = symbols(format, program);
    let mut bytes = Vec::new();
    let mut header = Vec::new();
    let failed = |error: write::Error| format!("cannot write the object: {error}");
    {
        let mut writer =
            SinglePhaseWriter::new_single_phase(Endianness::Little, format.is_64, &mut bytes);
        let file = FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: elf::ET_REL,
            e_machine: elf::Machine(format.machine),
            e_entry: 0,
            e_flags: elf::FileFlags(format.flags),
        };
        writer.write_file_header(&file).map_err(failed)?;
        write_sections(&mut writer, set, program, &symbols).map_err(failed)?;
        writer.write_file_header_to(&mut header).map_err(failed)?;
    }
    if let Some(place) = bytes.get_mut(..header.len()) {
        place.copy_from_slice(&header);
    }
    Ok(bytes)
}

/// Labels as symbols, the local ones first. Labels that begin with `.L` are the program's own, unless
/// the linker needs them, and so are all constants, unless `.globl` names them.
fn symbols<'p>(format: ObjectFormat, program: &'p Program) -> Vec<Symbol<'p>> {
    let needed: BTreeSet<&str> =
        program.relocations.iter().filter_map(|it| it.symbol.as_deref()).collect();
    let globals: BTreeSet<&str> = program.globals.iter().map(String::as_str).collect();
    let labels = program.labels.iter().map(|(name, _)| name);
    let known: BTreeSet<&str> =
        labels.chain(program.labels.constants().map(|(name, _)| name)).collect();
    let own = program.labels.iter().filter(|(name, _)| {
        !name.starts_with(".L") || needed.contains(name) || globals.contains(name)
    });
    let own = own.map(|(name, address)| Symbol {
        name,
        address: Some(address),
        is_global: globals.contains(name),
        is_constant: false,
    });
    let constants = program.labels.constants();
    let constants = constants.filter(|(name, _)| needed.contains(name) || globals.contains(name));
    let constants = constants.map(|(name, number)| Symbol {
        name,
        address: Some(number as u64),
        is_global: globals.contains(name),
        is_constant: true,
    });
    let others = needed.iter().filter(|name| !known.contains(*name));
    let others =
        others.map(|name| Symbol { name, address: None, is_global: true, is_constant: false });
    let all = marks(format, program).into_iter().chain(own).chain(constants).chain(others);
    let mut symbols: Vec<_> = all.collect();
    symbols.sort_by_key(|symbol| symbol.is_global);
    symbols
}

/// The symbols `$x` and `$d`, where the format has them.
fn marks(format: ObjectFormat, program: &Program) -> Vec<Symbol<'static>> {
    let mut marks: Vec<Symbol<'static>> = Vec::new();
    if !format.has_marks {
        return marks;
    }
    for statement in program.statements.iter().filter(|statement| statement.length > 0) {
        let name = if statement.instruction.is_some() { "$x" } else { "$d" };
        if marks.last().is_none_or(|last| last.name != name) {
            let address = Some(statement.address);
            marks.push(Symbol { name, address, is_global: false, is_constant: false });
        }
    }
    marks
}

fn write_sections<'p>(
    writer: &mut SinglePhaseWriter<'p>,
    set: Set,
    program: &'p Program,
    symbols: &'p [Symbol<'p>],
) -> write::Result<()> {
    let align = set.widths().next().map_or(1, |bits| u64::from(bits) / 8).max(program.align);
    let text = writer.write_align(align);
    writer.write(&program.bytes);

    let numbers = write_symbols(writer, symbols);
    writer.write_strtab()?;
    let relocations = &program.relocations;
    let from = writer.write_align_relocation();
    for relocation in relocations {
        let symbol = relocation.symbol.as_deref().and_then(|name| numbers.get(name));
        writer.write_relocation(
            true,
            &Rel {
                r_offset: relocation.address,
                // Without a symbol it is the section.
                r_sym: symbol.copied().unwrap_or(SECTION),
                r_type: elf::RelocationType(relocation.kind),
                r_addend: relocation.addend,
            },
        );
    }

    let text_name = writer.add_section_name(b".text");
    let rela_name = (!relocations.is_empty()).then(|| writer.add_section_name(b".rela.text"));
    writer.write_shstrtab()?;
    writer.write_null_section_header();
    let sh_name = writer.section_name_offset(Some(text_name));
    writer.write_section_header(&SectionHeader {
        sh_name,
        sh_type: elf::SHT_PROGBITS,
        sh_flags: elf::SHF_ALLOC | elf::SHF_EXECINSTR,
        sh_addr: 0,
        sh_offset: text,
        sh_size: program.bytes.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: align,
        sh_entsize: 0,
    });
    writer.write_strtab_section_header();
    let locals = symbols.iter().filter(|symbol| !symbol.is_global).count();
    writer.write_symtab_section_header(locals as u32 + SECTION + 1);
    if let Some(name) = rela_name {
        // Behind the null section: the code, names of symbols, symbols.
        let (code, table) = (SectionIndex(TEXT), SectionIndex(TEXT + 2));
        writer.write_relocation_section_header(name, code, table, from, relocations.len(), true);
    }
    writer.write_shstrtab_section_header();
    Ok(())
}

/// The number of the symbol that is the section with the code.
const SECTION: u32 = 1;

/// Writes the symbols, and gives the number of each.
fn write_symbols<'p>(
    writer: &mut SinglePhaseWriter<'p>,
    symbols: &'p [Symbol<'p>],
) -> BTreeMap<&'p str, u32> {
    let plain = Sym {
        section: Some(TEXT),
        st_name: 0,
        st_info: elf::SymbolInfo::new(elf::STB_LOCAL, elf::STT_SECTION),
        st_other: elf::SymbolOther(0),
        st_shndx: elf::SHN_UNDEF,
        st_value: 0,
        st_size: 0,
    };
    writer.write_null_symbol();
    writer.write_symbol(&plain);
    let mut numbers = BTreeMap::new();
    for symbol in symbols {
        let name = writer.add_string(symbol.name.as_bytes());
        let bind = if symbol.is_global { elf::STB_GLOBAL } else { elf::STB_LOCAL };
        let number = writer.write_symbol(&Sym {
            section: symbol.address.filter(|_| !symbol.is_constant).map(|_| TEXT),
            st_shndx: if symbol.is_constant { elf::SHN_ABS } else { elf::SHN_UNDEF },
            st_name: writer.string_offset(Some(name)),
            st_info: elf::SymbolInfo::new(bind, elf::STT_NOTYPE),
            st_value: symbol.address.unwrap_or_default(),
            ..plain
        });
        numbers.insert(symbol.name, number.0);
    }
    numbers
}
