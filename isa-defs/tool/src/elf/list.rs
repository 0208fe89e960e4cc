//! The command `dis` of an object or an executable.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::Range;

use isa_core::asm::{Disassembler, LabelMap, Line, Listed, Relocation};

use super::read::{Meaning, Object, Section, Symbol};
use super::read_all;
use crate::Stop;
use crate::console::Console;
use crate::dis::{Options, check};
use crate::input::Input;
use crate::object::{ObjectFormat, refused_file};
use crate::set::{Set, Word};
use crate::tool::Profile;

/// Prints all code of an object, with its labels.
pub(crate) fn list(
    profile: &Profile,
    options: &Options,
    mut input: Input<'_>,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let (set, name) = (profile.set, input.name.clone());
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    if options.start.is_some() {
        let message =
            "--start-address does not go with an ELF object, which has addresses of its own";
        return Err(Stop::Usage(message.into()));
    }
    let unreadable =
        |why: &dyn std::fmt::Display| Stop::System(format!("cannot read {name}: {why}"));
    let bytes = read_all(&mut input, console)?;
    let object = Object::read(&bytes, format).map_err(|error| unreadable(&error))?;
    let code = object.sections.iter().filter(|section| section.part.is_code);
    let code: Vec<&Section<'_>> = code.filter(|section| section.size > 0).collect();
    if code.is_empty() {
        return Err(unreadable(&"it has no section with code"));
    }
    let mut text = String::new();
    for (number, section) in code.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text += &format!("// section {}\n", printable(&section.name));
        let listing = Listing { set, format, object: &object, section };
        listing.write(options, &mut text, |word, offset| {
            if options.strict {
                check(set, word, offset, &name, console);
            }
        });
    }
    if console.errors() > 0 {
        return Err(Stop::Reported);
    }
    stdout.write_all(text.as_bytes()).map_err(Stop::printing)
}

/// A name without what would end a comment or change a terminal.
fn printable(name: &str) -> String {
    name.chars().map(|it| if it.is_control() { '?' } else { it }).collect()
}

/// A section that is printed.
struct Listing<'o> {
    set: Set,
    format: ObjectFormat,
    object: &'o Object<'o>,
    section: &'o Section<'o>,
}

impl Listing<'_> {
    /// The symbols of the section.
    fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        let number = Some(self.section.number);
        self.object.symbols.iter().filter(move |symbol| symbol.section == number)
    }

    /// The first address behind the section.
    fn end(&self) -> u64 {
        let part = &self.section.part;
        part.address.saturating_add(part.bytes.len() as u64)
    }

    /// Where the section has data: behind marks of data up to those of instructions, and variables.
    fn data(&self) -> Vec<Range<u64>> {
        let is_mark = |it: &&Symbol| matches!(it.meaning, Meaning::CodeMark | Meaning::DataMark);
        let mut marks: Vec<&Symbol> = self.symbols().filter(is_mark).collect();
        marks.sort_by_key(|mark| mark.address);
        let ends = marks.iter().skip(1).map(|mark| mark.address).chain([self.end()]);
        let marked = marks.iter().zip(ends).filter(|(mark, _)| mark.meaning == Meaning::DataMark);
        let marked = marked.map(|(mark, end)| mark.address..end);
        let variables = self.symbols().filter_map(|symbol| match symbol.meaning {
            Meaning::Variable(size) => {
                Some(symbol.address..symbol.address.saturating_add(size).min(self.end()))
            }
            _ => None,
        });
        marked.chain(variables).collect()
    }

    /// The names of addresses: of an object those of the section, of a program all.
    fn labels(&self) -> LabelMap {
        let is_name = |it: &&Symbol| matches!(it.meaning, Meaning::Label | Meaning::Variable(_));
        let own = Some(self.section.number);
        let is_near = |it: &&Symbol| it.section == own || !self.object.is_relocatable;
        let symbols = self.object.symbols.iter().filter(is_name).filter(is_near);
        symbols
            .filter(|symbol| symbol.section.is_some())
            .map(|symbol| (symbol.name.as_str(), symbol.address))
            .collect()
    }

    /// What a linker fills in. A place in this section that the object names by the section has the
    /// last label before it, if there is one.
    fn relocations(&self, labels: &LabelMap) -> Vec<Relocation> {
        let labels: Vec<(&str, u64)> = labels.iter().collect();
        let relocations = self.section.relocations.iter().map(|relocation| {
            let is_own = relocation.symbol.as_deref() == Some(&self.section.name);
            let address = self.section.part.address.wrapping_add_signed(relocation.addend);
            let behind = labels.partition_point(|(_, label)| *label <= address);
            let label = behind.checked_sub(1).and_then(|last| labels.get(last));
            match label.filter(|_| is_own) {
                Some((label, start)) => {
                    let addend = address.wrapping_sub(*start).cast_signed();
                    Relocation::new(
                        relocation.address,
                        Some((*label).into()),
                        addend,
                        relocation.kind,
                    )
                }
                None => relocation.clone(),
            }
        });
        relocations.collect()
    }

    /// The symbols that are no labels in a text. Those with `.L` are the assembler's own.
    fn strange(&self) -> Strange<'_> {
        let mut names = Vec::new();
        for symbol in self.symbols() {
            let is_name = matches!(symbol.meaning, Meaning::Label | Meaning::Variable(_));
            let is_name = is_name && !symbol.name.is_empty();
            if is_name && !symbol.name.starts_with(".L") && !is_label(&symbol.name) {
                names.push((symbol.address, symbol.name.as_str()));
            }
        }
        names.sort_unstable();
        Strange(names.into_iter().peekable())
    }

    /// The names of labels that other objects may use; what is linked has none.
    fn globals(&self) -> BTreeSet<&str> {
        let globals = self.symbols().filter(|it| it.is_global && self.object.is_relocatable);
        globals.map(|symbol| symbol.name.as_str()).collect()
    }

    /// Appends the section. Of an object that the tool wrote, with `.text` alone, this text makes the same.
    /// `check` is called with each word that is not known to be data, and with its place in the file.
    fn write(&self, options: &Options, text: &mut String, mut check: impl FnMut(Word, u64)) {
        let (globals, mut strange) = (self.globals(), self.strange());
        let mut written: Vec<&str> = Vec::new();
        let (part, labels) = (&self.section.part, self.labels());
        let relocations = self.relocations(&labels);
        let disassembler = Disassembler::new(self.set.0)
            .origin(part.address)
            .data(self.data())
            .relocations(relocations, self.format.relocate)
            .labels(labels)
            .style(options.style);
        let mut body = String::new();
        disassembler.for_each(part.bytes, |listed| match listed {
            Listed::Label { address, name, .. } => {
                strange.write(address, &mut body);
                written.extend(globals.get(name));
                body.push_str(name);
                body.push_str(":\n");
            }
            Listed::Statement { address, bytes, text: statement, is_data, relocations, .. } => {
                strange.write(address, &mut body);
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
        for name in written {
            *text += &format!(".globl {name};\n");
        }
        text.push_str(&body);
    }
}

/// Names that cannot be labels, such as a compiler's `sort.part.0`, with their addresses, in order.
struct Strange<'o>(std::iter::Peekable<std::vec::IntoIter<(u64, &'o str)>>);

impl Strange<'_> {
    /// Writes the names up to an address in comments.
    fn write(&mut self, address: u64, body: &mut String) {
        while let Some((place, name)) = self.0.next_if(|(place, _)| *place <= address) {
            if place == address {
                *body += &format!("// {}:\n", printable(name));
            }
        }
    }
}

/// Whether a name can be a label: letters, digits and `_`, and behind a `.` in front also `.` and `$`.
fn is_label(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match name.as_bytes() {
        [b'.', rest @ ..] => {
            !rest.is_empty() && rest.iter().all(|&it| is_word(it) || matches!(it, b'.' | b'$'))
        }
        [first, rest @ ..] => {
            !first.is_ascii_digit() && is_word(*first) && rest.iter().all(|&it| is_word(it))
        }
        [] => false,
    }
}

/// What a linker fills in, in words.
fn described(relocation: &Relocation) -> String {
    let symbol = relocation.symbol.as_deref().filter(|name| !name.is_empty());
    let symbol = symbol.map(|name| format!(" {}", printable(name))).unwrap_or_default();
    let addend = match relocation.addend {
        0 => String::new(),
        addend if addend < 0 => format!(" - {}", addend.unsigned_abs()),
        addend => format!(" + {addend}"),
    };
    format!("relocation {}:{symbol}{addend}", relocation.kind)
}
