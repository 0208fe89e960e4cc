//! Reads objects and executables.

use std::collections::BTreeMap;
use std::sync::Arc;

use isa_core::asm::Relocation;
use isa_core::shown::Shown;
use object::Endianness;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::SymbolTable;
use object::read::elf::{FileHeader, ProgramHeader, Rel, Rela, SectionHeader, SectionTable, Sym};
use object::read::{self, SectionIndex};

use crate::object_format::ObjectFormat;

use super::MAGIC;
use super::error::ElfError;
use super::symbol_names::{self, Name, NameBudget, SymbolMeaning};

/// The parts of an ELF file that the tool needs.
#[derive(Debug)]
pub(crate) struct ElfFile<'d> {
    /// The features of the processor, if the file determines them.
    pub(crate) features: Option<&'static str>,
    /// Whether addresses are distances from the start of their section. This is the case in an object,
    /// to which a linker has not assigned addresses.
    pub(crate) is_relocatable: bool,
    /// Whether it needs a dynamic loader.
    pub(crate) is_dynamic: bool,
    pub(crate) entry: u64,
    /// The sections that are loaded, in ascending order of their indexes.
    pub(crate) sections: Vec<ElfSection<'d>>,
    pub(crate) symbols: Vec<ElfSymbol<'d>>,
    /// The number of names of symbols and sections that are left out: see [`NameBudget`].
    pub(crate) left_out: usize,
    /// The segments of an executable that are loaded.
    pub(crate) segments: Vec<ElfSegment<'d>>,
}

/// Bytes of a file and their address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElfBytes<'d> {
    pub(crate) address: u64,
    /// The offset of the bytes in the file.
    pub(crate) offset: u64,
    pub(crate) bytes: &'d [u8],
    /// The number of zeros after the bytes when the file is loaded.
    pub(crate) zeros: u64,
    pub(crate) is_code: bool,
}

/// A segment of an executable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElfSegment<'d> {
    /// The bytes at the address to which they are loaded.
    pub(crate) part: ElfBytes<'d>,
    /// The address that the linker assigned, on which its symbols are based.
    pub(crate) linked: u64,
}

impl ElfSegment<'_> {
    /// Returns the distance from `start` to an address, or `None` if the address is outside of the
    /// bytes.
    fn within(&self, start: u64, address: u64) -> Option<u64> {
        let distance = address.wrapping_sub(start);
        (distance < self.part.bytes.len() as u64).then_some(distance)
    }

    /// Converts an address that the linker assigned to the loaded address.
    fn loaded(&self, linked: u64) -> Option<u64> {
        let distance = self.within(self.linked, linked)?;
        Some(self.part.address.wrapping_add(distance))
    }

    /// Converts a loaded address to the address that the linker assigned.
    fn linked(&self, loaded: u64) -> Option<u64> {
        let distance = self.within(self.part.address, loaded)?;
        Some(self.linked.wrapping_add(distance))
    }
}

#[derive(Debug)]
pub(crate) struct ElfSection<'d> {
    pub(crate) number: usize,
    pub(crate) name: Name<'d>,
    pub(crate) part: ElfBytes<'d>,
    /// The size in memory.
    pub(crate) size: u64,
    pub(crate) is_writable: bool,
    /// The alignment of its address.
    pub(crate) align: u64,
    pub(crate) relocations: Vec<Relocation>,
}

/// A symbol with an address.
#[derive(Debug)]
pub(crate) struct ElfSymbol<'d> {
    pub(crate) name: Name<'d>,
    pub(crate) address: u64,
    /// The index of its section, or `None` if its value is a number and not an address.
    pub(crate) section: Option<usize>,
    pub(crate) meaning: SymbolMeaning,
    pub(crate) is_function: bool,
    /// Whether other objects may refer to it.
    pub(crate) is_global: bool,
}

impl ElfSymbol<'_> {
    /// Returns whether the symbol names an address. Other symbols are only marks for tools.
    pub(crate) const fn is_name(&self) -> bool {
        matches!(self.meaning, SymbolMeaning::Label | SymbolMeaning::Variable(_))
    }
}

impl<'d> ElfFile<'d> {
    /// Reads a file.
    pub(crate) fn read(bytes: &'d [u8], format: ObjectFormat) -> Result<Self, ElfError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ElfError::NotElf);
        }
        match bytes.get(4).copied() {
            Some(1) if format.is_64 => return Err(ElfError::Class { bits: 32 }),
            Some(2) if !format.is_64 => return Err(ElfError::Class { bits: 64 }),
            _ => {}
        }
        let is_big = bytes.get(5) == Some(&2);
        if is_big != format.is_big_endian {
            return Err(ElfError::ByteOrder { is_big });
        }
        match format.is_64 {
            true => read_class::<FileHeader64<Endianness>>(bytes, format),
            false => read_class::<FileHeader32<Endianness>>(bytes, format),
        }
    }

    /// Returns the section with an index, if it is loaded.
    pub(crate) fn section(&self, number: usize) -> Option<&ElfSection<'d>> {
        let place = self.sections.binary_search_by_key(&number, |section| section.number);
        self.sections.get(place.ok()?)
    }

    /// Describes an address by the last label before it and the distance from that label.
    pub(crate) fn place(&self, address: u64) -> String {
        let linked = self.segments.iter().find_map(|segment| segment.linked(address));
        let linked = linked.unwrap_or(address);
        let labels = self.symbols.iter().filter(|symbol| symbol.meaning == SymbolMeaning::Label);
        let before = labels.filter(|symbol| symbol.section.is_some() && symbol.address <= linked);
        match before.max_by_key(|symbol| symbol.address) {
            Some(symbol) => {
                let name = Shown(shortened(&symbol.name)).to_string();
                match linked - symbol.address {
                    0 => format!("{address:#x} <{name}>"),
                    further => format!("{address:#x} <{name}+{further:#x}>"),
                }
            }
            None => format!("{address:#x}"),
        }
    }
}

/// The tables of a file during reading.
struct ElfTables<'d, H: FileHeader<Endian = Endianness>> {
    bytes: &'d [u8],
    endian: Endianness,
    is_relocatable: bool,
    sections: SectionTable<'d, H>,
    symbols: SymbolTable<'d, H>,
    /// The names of the symbols. Each name belongs to only one address.
    names: Vec<Name<'d>>,
    /// The names of the sections.
    section_names: Vec<Name<'d>>,
    /// The relocation sections, by the index of the section to which they apply.
    relocating: BTreeMap<usize, Vec<SectionIndex>>,
    /// The names that relocations share, by the index of the symbol and of the section.
    shared: [BTreeMap<usize, Arc<str>>; 2],
    /// The number of bytes that remain for further sections. The size of the file is enough if no
    /// sections overlap.
    left: usize,
}

/// Reads a file whose addresses have the width of its class.
fn read_class<H: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    format: ObjectFormat,
) -> Result<ElfFile<'_>, ElfError> {
    let header = H::parse(bytes)?;
    let endian = header.endian()?;
    let found = header.e_machine(endian).0;
    if found != format.machine && !format.other_machines.contains(&found) {
        return Err(ElfError::Machine { found, expected: format.machine });
    }
    let flags = header.e_flags(endian).0;
    let Some(features) = format.features_of(flags) else {
        return Err(ElfError::Flags { found: flags, format });
    };
    let kind = header.e_type(endian);
    if ![elf::ET_REL, elf::ET_EXEC, elf::ET_DYN].contains(&kind) {
        return Err(ElfError::Kind(kind.0));
    }
    let sections = header.sections(endian, bytes)?;
    let symbols = sections.symbols(endian, bytes, elf::SHT_SYMTAB)?;
    let is_relocatable = kind == elf::ET_REL || format.has_separate_sections;
    let mut all = NameBudget::of(bytes.len());
    let has_names = !sections.is_empty();
    let number = if has_names { header.shstrndx(endian, bytes)? as usize } else { 0 };
    let own = strings(endian, bytes, &sections, SectionIndex(number))?;
    let section_names = sections.iter().map(|section| all.at(own, section.sh_name(endian)));
    let section_names = section_names.collect::<Result<_, _>>()?;
    let strings = strings(endian, bytes, &sections, symbols.string_section())?;
    let names = symbol_names::unique(endian, (&symbols, strings), format, &mut all)?;
    let mut file = ElfTables {
        bytes,
        endian,
        is_relocatable,
        names,
        section_names,
        relocating: relocating(endian, &sections, symbols.section()),
        shared: Default::default(),
        sections,
        symbols,
        left: bytes.len(),
    };
    let headers = header.program_headers(endian, bytes)?;
    let is_dynamic = kind == elf::ET_DYN
        || headers.iter().any(|segment| segment.p_type(endian) == elf::PT_INTERP);
    let segments = segments::<H>(bytes, endian, headers, format.is_physical)?;
    let entry: u64 = header.e_entry(endian).into();
    let entry = entry & !format.function_bits;
    let mut code = segments.iter().filter(|segment| segment.part.is_code);
    let entry = code.find_map(|segment| segment.loaded(entry)).unwrap_or(entry);
    let sections = file.loaded()?;
    let symbols = file.symbols(format)?;
    let left_out = all.left_out;
    Ok(ElfFile {
        features,
        is_relocatable,
        is_dynamic,
        entry,
        sections,
        symbols,
        left_out,
        segments,
    })
}

/// Returns the bytes of a string section, or an empty slice if there is none.
fn strings<'d, H: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    bytes: &'d [u8],
    sections: &SectionTable<'d, H>,
    number: SectionIndex,
) -> Result<&'d [u8], ElfError> {
    match number.0 {
        0 => Ok(&[]),
        _ => Ok(sections.section(number)?.data(endian, bytes)?),
    }
}

/// Returns the relocation sections that use the symbol table `symbols`, by the section to which
/// they apply. Other section types use `sh_link` and `sh_info` for other purposes.
fn relocating<H: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    sections: &SectionTable<'_, H>,
    symbols: SectionIndex,
) -> BTreeMap<usize, Vec<SectionIndex>> {
    let mut all: BTreeMap<usize, Vec<SectionIndex>> = BTreeMap::new();
    for (number, section) in sections.enumerate() {
        let is_one = [elf::SHT_REL, elf::SHT_RELA].contains(&section.sh_type(endian));
        if is_one && section.link(endian) == symbols {
            all.entry(section.sh_info(endian) as usize).or_default().push(number);
        }
    }
    all
}

/// Returns the start of a name that is too long for a message.
pub(super) fn shortened(name: &str) -> &str {
    const MOST: usize = 256;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => name.get(..end).unwrap_or(name),
        None => name,
    }
}

/// Returns the loaded segments of an executable with their load addresses. These are the physical
/// addresses if `is_physical` is set and the linker assigned physical addresses, and otherwise the
/// virtual addresses.
fn segments<'d, H: FileHeader<Endian = Endianness>>(
    bytes: &'d [u8],
    endian: Endianness,
    headers: &[H::ProgramHeader],
    is_physical: bool,
) -> Result<Vec<ElfSegment<'d>>, ElfError> {
    let loaded = headers.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD);
    // Some linkers do not assign physical addresses. Several segments cannot all be at address 0.
    let has_physical = loaded.clone().count() < 2
        || loaded.clone().any(|segment| segment.p_paddr(endian).into() != 0);
    // Segments may overlap because they can share a page, but their total size is limited.
    let mut left = 2 * bytes.len();
    let broken = |why: &str| ElfError::Broken(why.into());
    let mut segments = Vec::new();
    for segment in loaded {
        let found = segment.data(endian, bytes);
        let found = found.map_err(|()| broken("invalid elf segment size or offset"))?;
        left = left.checked_sub(found.len()).ok_or_else(|| broken("segments overlap"))?;
        let linked = segment.p_vaddr(endian).into();
        let part = ElfBytes {
            address: match is_physical && has_physical {
                true => segment.p_paddr(endian).into(),
                false => linked,
            },
            offset: segment.p_offset(endian).into(),
            bytes: found,
            zeros: segment.p_memsz(endian).into().saturating_sub(found.len() as u64),
            is_code: segment.p_flags(endian).contains(elf::PF_X),
        };
        segments.push(ElfSegment { part, linked });
    }
    Ok(segments)
}

impl<'d, H: FileHeader<Endian = Endianness>> ElfTables<'d, H> {
    /// Returns the sections that are loaded.
    fn loaded(&mut self) -> Result<Vec<ElfSection<'d>>, ElfError> {
        let endian = self.endian;
        let mut loaded = Vec::new();
        for (index, section) in self.sections.enumerate() {
            let flags = section.sh_flags(endian);
            if !flags.contains(elf::SHF_ALLOC) {
                continue;
            }
            let bytes = section.data(endian, self.bytes)?;
            self.spend(bytes.len())?;
            let has_bytes = section.sh_type(endian) != elf::SHT_NOBITS;
            let part = ElfBytes {
                address: section.sh_addr(endian).into(),
                offset: section.sh_offset(endian).into(),
                bytes,
                zeros: 0,
                is_code: flags.contains(elf::SHF_EXECINSTR) && has_bytes,
            };
            loaded.push(ElfSection {
                number: index.0,
                name: self.section_names.get(index.0).cloned().unwrap_or_default(),
                part,
                size: section.sh_size(endian).into(),
                is_writable: flags.contains(elf::SHF_WRITE),
                align: section.sh_addralign(endian).into(),
                relocations: self.relocations(index, part.address)?,
            });
        }
        Ok(loaded)
    }

    /// Subtracts the size of a section from the limit. Without a limit, overlapping sections could
    /// be much longer than the file, and printing them could take any amount of time.
    fn spend(&mut self, count: usize) -> Result<(), ElfError> {
        let left = self.left.checked_sub(count);
        self.left = left.ok_or_else(|| ElfError::Broken("sections overlap".into()))?;
        Ok(())
    }

    /// Returns the relocations of a section.
    fn relocations(
        &mut self,
        target: SectionIndex,
        start: u64,
    ) -> Result<Vec<Relocation>, ElfError> {
        let endian = self.endian;
        // In a linked file, the offsets are already addresses.
        let base = if self.is_relocatable { start } else { 0 };
        let mut relocations = Vec::new();
        for number in self.relocating.remove(&target.0).unwrap_or_default() {
            let section = self.sections.section(number)?;
            self.spend(section.data(endian, self.bytes)?.len())?;
            let of = |offset: u64, symbol, addend, kind: elf::RelocationType| {
                Relocation::new(base.wrapping_add(offset), symbol, addend, kind.0)
            };
            if let Some((entries, _)) = section.rela(endian, self.bytes)? {
                for it in entries {
                    let symbol = self.name(it.symbol(endian, false))?;
                    let addend = it.r_addend(endian).into();
                    let (offset, kind) = (it.r_offset(endian).into(), it.r_type(endian, false));
                    relocations.push(of(offset, symbol, addend, kind));
                }
            }
            if let Some((entries, _)) = section.rel(endian, self.bytes)? {
                for it in entries {
                    let (offset, symbol) = (it.r_offset(endian).into(), it.symbol(endian));
                    let relocation = of(offset, self.name(symbol)?, 0, it.r_type(endian));
                    relocations.push(relocation.in_place());
                }
            }
        }
        Ok(relocations)
    }

    /// Returns the name of a symbol, or for a section symbol the name of the section. All
    /// relocations with the same symbol share its name.
    fn name(&mut self, index: Option<read::SymbolIndex>) -> Result<Option<Arc<str>>, ElfError> {
        let Some(index) = index else { return Ok(None) };
        let symbol = self.symbols.symbol(index)?;
        let (names, number) = match symbol.st_type() {
            elf::STT_SECTION => match self.symbols.symbol_section(self.endian, symbol, index)? {
                Some(section) => (&self.section_names, section.0),
                None => return Ok(Some("".into())),
            },
            _ => (&self.names, index.0),
        };
        let Some(name) = names.get(number) else { return Ok(None) };
        let [of_symbols, of_sections] = &mut self.shared;
        let is_section = symbol.st_type() == elf::STT_SECTION;
        let shared = if is_section { of_sections } else { of_symbols };
        Ok(Some(Arc::clone(shared.entry(number).or_insert_with(|| name.as_ref().into()))))
    }

    /// Returns the symbols that have addresses.
    fn symbols(&mut self, format: ObjectFormat) -> Result<Vec<ElfSymbol<'d>>, ElfError> {
        let endian = self.endian;
        let mut names = core::mem::take(&mut self.names);
        let mut symbols = Vec::new();
        for (index, symbol) in self.symbols.enumerate() {
            let kind = symbol.st_type();
            let is_none = symbol.is_undefined(endian) || symbol.is_common(endian);
            if is_none || symbol_names::NO_LABELS.contains(&kind) {
                continue;
            }
            let name = names.get_mut(index.0).map(core::mem::take).unwrap_or_default();
            let section = self.symbols.symbol_section(endian, symbol, index)?;
            let start = match section.filter(|_| self.is_relocatable) {
                Some(section) => self.sections.section(section)?.sh_addr(endian).into(),
                None => 0,
            };
            let is_function = kind == elf::STT_FUNC;
            let meaning = symbol_names::mark(&name, format).unwrap_or_else(|| match kind {
                elf::STT_OBJECT => SymbolMeaning::Variable(symbol.st_size(endian).into()),
                _ => SymbolMeaning::Label,
            });
            let value: u64 = symbol.st_value(endian).into();
            let value = if is_function { value & !format.function_bits } else { value };
            let address = start.wrapping_add(value);
            symbols.push(ElfSymbol {
                name,
                address,
                section: section.map(|it| it.0),
                meaning,
                is_function,
                is_global: !symbol.is_local(),
            });
        }
        Ok(symbols)
    }
}
