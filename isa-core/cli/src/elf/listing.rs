//! The command `dis` for objects and executables.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use isa_core::asm::{LabelMap, ListedBytes, Relocation};
use isa_core::shown::Shown;
use isa_core::text::{Cursor, Line};

use crate::CommandError;
use crate::console::Console;
use crate::input::Input;
use crate::input::words::check_bytes;
use crate::object_format::ObjectFormat;
use crate::profile::Profile;
use crate::set::{SizedWord, ToolSet};

use super::read::{ElfFile, ElfSection, ElfSymbol, shortened};
use super::symbol_names::SymbolMeaning;
use super::{ListingOptions, profile_of, read_all, refused_file};

/// Prints all code of an object with its labels.
pub(crate) fn list(
    profile: &Profile,
    options: &ListingOptions,
    mut input: Input<'_>,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), CommandError> {
    let name = input.name.clone();
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    if options.start.is_some() {
        let message =
            "--start-address cannot be used with an ELF object, which contains its addresses";
        return Err(CommandError::Usage(message.into()));
    }
    let bytes = read_all(&mut input, console)?;
    let object =
        ElfFile::read(&bytes, format).map_err(|error| CommandError::reading(&name, &error))?;
    let own = profile_of(profile, &object, &name)?;
    let set = own.set;
    let sections = printed_sections(&object);
    if !sections.iter().any(|section| section.part.is_code && section.size > 0) {
        return Err(CommandError::reading(&name, &"no section contains code"));
    }
    // Each section has its own text, because a single string would be copied each time it grows.
    let mut texts = Vec::new();
    if object.left_out > 0 {
        let count = object.left_out;
        texts.push(format!(
            "// {count} names are omitted, because the names are longer than the file\n"
        ));
    }
    let all = SymbolIndex::of(&object);
    let mut taken = UsedNames { new: Arc::new(reserved_names(&object)), labels: BTreeSet::new() };
    for (number, &section) in sections.iter().enumerate() {
        let mut text = if number > 0 { "\n".to_owned() } else { String::new() };
        text += &format!("// section {}\n", Shown(&section.name));
        let symbols = all.symbols.get(&section.number).map_or(&[][..], Vec::as_slice);
        let listing = SectionListing { set, format, object: &object, section, symbols, all: &all };
        listing.write_header(number == 0, &mut text);
        listing.write(options, &mut taken, &mut text, |word, offset| {
            if options.strict {
                check_bytes(set, word, offset, &name, console);
            }
        });
        texts.push(text);
    }
    if console.errors() > 0 {
        return Err(CommandError::Reported);
    }
    let mut all = std::iter::once(external_addresses(&object, &texts)).chain(texts);
    all.try_for_each(|text| stdout.write_all(text.as_bytes())).map_err(CommandError::printing)
}

/// The names that are already used in a text.
struct UsedNames {
    /// The names that new labels must not have.
    new: Arc<BTreeSet<String>>,
    /// The labels of a program. Sections may overlap, but a text can define each label only once.
    labels: BTreeSet<String>,
}

/// Returns a line for each address of a program that the listing names but does not contain, such
/// as the address of data.
fn external_addresses(object: &ElfFile<'_>, texts: &[String]) -> String {
    let mut lines = String::new();
    if object.is_relocatable {
        return lines;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let code = texts.iter().flat_map(|text| text.lines());
    let code = code.map(|line| line.split(" // ").next().unwrap_or_default());
    let (labels, code): (Vec<&str>, Vec<&str>) = code.partition(|line| line.ends_with(':'));
    let has: BTreeSet<&str> = labels.iter().map(|line| line.trim_end_matches(':')).collect();
    let named: BTreeSet<&str> = code.iter().flat_map(|line| line.split(|c| !is_part(c))).collect();
    // The part of a name after a dot may be a modifier.
    let is_named = |name: &str| {
        let dotted = format!("{name}.");
        let next = named.range(dotted.as_str()..).next();
        named.contains(name) || next.is_some_and(|next| next.starts_with(&dotted))
    };
    let mut symbols: Vec<&ElfSymbol<'_>> =
        object.symbols.iter().filter(|it| it.is_name()).collect();
    symbols.sort_by_key(|symbol| (symbol.address, &symbol.name));
    symbols.dedup_by_key(|symbol| &symbol.name);
    for symbol in symbols {
        let name = &*symbol.name;
        if is_label(name) && !has.contains(name) && is_named(name) {
            lines += &format!(".equ {name}, {:#x};\n", symbol.address);
        }
    }
    lines
}

/// Returns the sections that are printed: the sections with code, and for an object all sections to
/// which these sections refer directly or indirectly. This ensures that each label in the text is
/// defined in the text or in another object.
fn printed_sections<'o>(object: &'o ElfFile<'o>) -> Vec<&'o ElfSection<'o>> {
    let code = |section: &&ElfSection<'_>| section.part.is_code && section.size > 0;
    let mut open: Vec<&ElfSection<'_>> = object.sections.iter().filter(code).collect();
    let mut numbers: BTreeSet<usize> = open.iter().map(|section| section.number).collect();
    let places = object.symbols.iter();
    let mut places: BTreeMap<&str, Option<usize>> =
        places.map(|symbol| (&*symbol.name, symbol.section)).collect();
    let own = object.sections.iter();
    places.extend(own.map(|section| (&*section.name, Some(section.number))));
    while let Some(section) = open.pop().filter(|_| object.is_relocatable) {
        for symbol in section.relocations.iter().filter_map(|it| it.symbol.as_deref()) {
            let number = places.get(symbol).copied().flatten();
            if let Some(other) = number.and_then(|number| object.section(number))
                && numbers.insert(other.number)
            {
                open.push(other);
            }
        }
    }
    object.sections.iter().filter(|section| numbers.contains(&section.number)).collect()
}

/// Returns the names in this file that begin with `L_`. The names of new labels begin with `L_` too, and
/// must differ from these names.
fn reserved_names(object: &ElfFile<'_>) -> BTreeSet<String> {
    let symbols = object.symbols.iter().map(|symbol| &*symbol.name);
    let relocations = object.sections.iter().flat_map(|section| &section.relocations);
    let all = symbols.chain(relocations.filter_map(|it| it.symbol.as_deref()));
    all.filter(|name| name.starts_with("L_")).map(str::to_owned).collect()
}

/// The symbols of an object, indexed by section.
struct SymbolIndex<'o> {
    /// The symbols of each section in the order of the file, by section index.
    symbols: BTreeMap<usize, Vec<&'o ElfSymbol<'o>>>,
    /// All labels of a program, to which its text can refer. Empty for an object.
    linked: Arc<LabelMap>,
    /// The labels of each section of an object, as offsets from the start of the section, by the
    /// name of the section.
    places: BTreeMap<&'o str, Arc<LabelMap>>,
}

impl<'o> SymbolIndex<'o> {
    fn of(object: &'o ElfFile<'o>) -> Self {
        let mut symbols: BTreeMap<usize, Vec<&'o ElfSymbol<'o>>> = BTreeMap::new();
        for symbol in &object.symbols {
            if let Some(section) = symbol.section {
                symbols.entry(section).or_default().push(symbol);
            }
        }
        if !object.is_relocatable {
            let linked = Arc::new(label_map(object.symbols.iter()));
            return SymbolIndex { symbols, linked, places: BTreeMap::new() };
        }
        let mut places: BTreeMap<&str, LabelMap> = BTreeMap::new();
        for (number, symbols) in &symbols {
            let Some(section) = object.section(*number) else { continue };
            for symbol in symbols.iter().filter(|it| it.is_name() && is_label(&it.name)) {
                let labels = places.entry(&section.name).or_default();
                labels.insert(&symbol.name, symbol.address.wrapping_sub(section.part.address));
            }
        }
        let places = places.into_iter().map(|(name, labels)| (name, Arc::new(labels))).collect();
        SymbolIndex { symbols, linked: Arc::default(), places }
    }
}

/// Returns the names of addresses from a list of symbols.
pub(super) fn label_map<'o>(symbols: impl Iterator<Item = &'o ElfSymbol<'o>>) -> LabelMap {
    let symbols = symbols.filter(|it| it.is_name() && it.section.is_some());
    symbols.map(|symbol| (&*symbol.name, symbol.address)).collect()
}

/// A section that is printed.
struct SectionListing<'o> {
    set: ToolSet,
    format: ObjectFormat,
    object: &'o ElfFile<'o>,
    section: &'o ElfSection<'o>,
    /// The symbols of the section.
    symbols: &'o [&'o ElfSymbol<'o>],
    all: &'o SymbolIndex<'o>,
}

impl<'o> SectionListing<'o> {
    /// Returns the symbols of the section.
    fn symbols(&self) -> impl Iterator<Item = &'o ElfSymbol<'o>> + use<'o> {
        self.symbols.iter().copied()
    }

    /// Returns the first address after the section.
    fn end(&self) -> u64 {
        let part = &self.section.part;
        part.address.saturating_add(part.bytes.len() as u64)
    }

    /// Returns the ranges of data in the section: from each data mark to the next code mark, and
    /// variables.
    fn data(&self) -> Vec<Range<u64>> {
        let part = &self.section.part;
        if !part.is_code {
            return std::iter::once(part.address..self.end()).collect();
        }
        let is_mark = |it: &&ElfSymbol<'_>| {
            matches!(it.meaning, SymbolMeaning::CodeMark | SymbolMeaning::DataMark)
        };
        let mut marks: Vec<&ElfSymbol<'_>> = self.symbols().filter(is_mark).collect();
        marks.sort_by_key(|mark| mark.address);
        let ends = marks.iter().skip(1).map(|mark| mark.address).chain([self.end()]);
        let marked =
            marks.iter().zip(ends).filter(|(mark, _)| mark.meaning == SymbolMeaning::DataMark);
        let marked = marked.map(|(mark, end)| mark.address..end);
        let variables = self.symbols().filter_map(|symbol| match symbol.meaning {
            SymbolMeaning::Variable(size) => {
                Some(symbol.address..symbol.address.saturating_add(size).min(self.end()))
            }
            _ => None,
        });
        marked.chain(variables).collect()
    }

    /// Returns the names of addresses: for an object the names in the section, for a program all names.
    fn labels(&self) -> Arc<LabelMap> {
        match self.object.is_relocatable {
            true => Arc::new(label_map(self.symbols())),
            false => Arc::clone(&self.all.linked),
        }
    }

    /// Returns the labels of other sections to which this section refers by the name of the
    /// section.
    fn others(&self) -> BTreeMap<String, Arc<LabelMap>> {
        let named = self.section.relocations.iter().filter_map(|it| it.symbol.as_deref());
        let named: BTreeSet<&str> = named.collect();
        let named = named.into_iter().filter_map(|name| self.all.places.get_key_value(name));
        named.map(|(name, labels)| ((*name).to_owned(), Arc::clone(labels))).collect()
    }

    /// Returns the symbols that are not valid labels in a text. Symbols that begin with `.L` are
    /// internal to the assembler and omitted.
    fn unlabelable(&self) -> UnlabelableSymbols<'o> {
        let mut names = Vec::new();
        for symbol in self.symbols() {
            let is_name = symbol.is_name() && !symbol.name.is_empty();
            if is_name && !symbol.name.starts_with(".L") && !is_label(&symbol.name) {
                names.push((symbol.address, &*symbol.name));
            }
        }
        names.sort_unstable();
        UnlabelableSymbols(names.into_iter().peekable())
    }

    /// For an object, appends the directives for the section.
    fn write_header(&self, is_first: bool, text: &mut String) {
        let ElfSection { name, part, is_writable, align, .. } = self.section;
        if !self.object.is_relocatable {
            return;
        }
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(&byte);
        if name == ".text" {
            text.push_str(if is_first { "" } else { ".text;\n" });
        } else if !name.is_empty() && name.bytes().all(is_part) {
            let write = if *is_writable { "w" } else { "" };
            let code = if part.is_code { "x" } else { "" };
            let kind = if self.has_no_bytes() { "nobits" } else { "progbits" };
            *text += &format!(".section {name}, \"a{write}{code}\", %{kind};\n");
        }
        let own = self.set.widths().next().map_or(1, |bits| u64::from(bits) / 8);
        let own = if part.is_code { own } else { 1 };
        if *align > own && align.is_power_of_two() {
            *text += &format!(".balign {align};\n");
        }
    }

    /// Returns whether the section has no bytes in the file.
    fn has_no_bytes(&self) -> bool {
        self.section.part.bytes.is_empty() && self.section.size > 0
    }

    /// Appends the labels and `.zero` directives of a section without bytes in the file.
    fn write_zeros(&self, text: &mut String) {
        let (start, size, labels) = (self.section.part.address, self.section.size, self.labels());
        let labels = labels.iter().map(|(name, address)| (name, address.wrapping_sub(start)));
        let labels = labels.filter(|(name, place)| is_label(name) && *place <= size);
        let labels: Vec<(&str, u64)> = labels.collect();
        self.write_label_directives(labels.iter().map(|(name, _)| *name), text);
        let mut at = 0;
        for (name, place) in labels {
            if place > at {
                *text += &format!("    .zero {};\n", place - at);
                at = place;
            }
            *text += &format!("{name}:\n");
        }
        if size > at {
            *text += &format!("    .zero {};\n", size - at);
        }
    }

    /// Appends the directives for labels: `.globl` for labels that other objects may use, and `.type`
    /// for functions. For a linked file it appends nothing.
    fn write_label_directives<'l>(&self, labels: impl Iterator<Item = &'l str>, text: &mut String) {
        let symbols = self.symbols().filter(|_| self.object.is_relocatable);
        let known: BTreeMap<&str, &ElfSymbol<'_>> = symbols.map(|it| (&*it.name, it)).collect();
        let labels: Vec<&ElfSymbol<'_>> =
            labels.filter_map(|name| known.get(name).copied()).collect();
        for symbol in labels.iter().filter(|symbol| symbol.is_global) {
            *text += &format!(".globl {};\n", symbol.name);
        }
        for symbol in labels.iter().filter(|symbol| symbol.is_function) {
            *text += &format!(".type {}, %function;\n", symbol.name);
        }
    }

    /// Appends the section. If this tool wrote the object, the text assembles to an object in which the
    /// printed sections are the same. `taken` contains the names that new labels must not have. `check`
    /// is called with each word that is not known to be data, and with the word's offset in the file.
    fn write(
        &self,
        options: &ListingOptions,
        taken: &mut UsedNames,
        text: &mut String,
        mut check: impl FnMut(SizedWord, u64),
    ) {
        if self.has_no_bytes() {
            return self.write_zeros(text);
        }
        let (mut unlabelable, mut written) = (self.unlabelable(), Vec::new());
        let part = &self.section.part;
        let disassembler = self
            .set
            .disassembler()
            .origin(part.address)
            .data(self.data())
            .relocations(self.section.relocations.clone(), self.format.relocate)
            .addends(self.format.addend_of)
            .places(self.format.place_of)
            .labels(self.labels())
            .section(&self.section.name)
            .others(self.others())
            .taken(Arc::clone(&taken.new), self.section.number)
            .style(options.style);
        let mut body = String::new();
        disassembler.for_each(part.bytes, |listed| match listed {
            ListedBytes::Label { address, name, .. } => {
                unlabelable.write(address, &mut body);
                let is_linked = !self.object.is_relocatable;
                if is_linked && !taken.labels.insert(name.to_owned()) {
                    return;
                }
                written.push(name.to_owned());
                body.push_str(name);
                body.push_str(":\n");
            }
            ListedBytes::Statement {
                address,
                bytes,
                text: statement,
                is_data,
                relocations,
                ..
            } => {
                unlabelable.write(address, &mut body);
                if !is_data {
                    let distance = address.wrapping_sub(part.address);
                    check(self.set.word_of(bytes), part.offset.saturating_add(distance));
                }
                if options.addresses {
                    let mut place = Line::new();
                    self.set.print_place(address, self.set.word_of(bytes), &mut place);
                    body.push_str(place.as_str());
                } else {
                    body.push_str("    ");
                }
                body.push_str(statement);
                for (number, relocation) in relocations.iter().enumerate() {
                    body.push_str(if number == 0 { " // " } else { ", " });
                    body.push_str(&described(relocation));
                }
                body.push('\n');
            }
            _ => {}
        });
        self.write_label_directives(written.iter().map(String::as_str), text);
        text.push_str(&body);
        drop(disassembler);
        // The names are not shared here, so `make_mut` does not copy them.
        Arc::make_mut(&mut taken.new)
            .extend(written.into_iter().filter(|name| name.starts_with("L_")));
    }
}

/// Names that cannot be labels, such as `operator+`, with their addresses in ascending order.
struct UnlabelableSymbols<'o>(std::iter::Peekable<std::vec::IntoIter<(u64, &'o str)>>);

impl UnlabelableSymbols<'_> {
    /// Writes the names up to an address as comments.
    fn write(&mut self, address: u64, body: &mut String) {
        while let Some((place, name)) = self.0.next_if(|(place, _)| *place <= address) {
            if place == address {
                *body += &format!("// {}:\n", Shown(name));
            }
        }
    }
}

/// Returns whether a name can be a label, which means that the whole name is parsed as a label.
fn is_label(name: &str) -> bool {
    !matches!(name, "" | ".") && Cursor::new(name).whole_name() == name
}

/// Describes a relocation in words.
fn described(relocation: &Relocation) -> String {
    let symbol = relocation.symbol.as_deref().filter(|name| !name.is_empty());
    let symbol = symbol.map(|name| format!(" {}", Shown(shortened(name)))).unwrap_or_default();
    let addend = match relocation.addend {
        0 => String::new(),
        addend if addend < 0 => format!(" - {}", addend.unsigned_abs()),
        addend => format!(" + {addend}"),
    };
    format!("relocation {}:{symbol}{addend}", relocation.kind)
}
