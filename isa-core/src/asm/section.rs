//! Sections of programs: `.text`, `.data`, `.section NAME` and `.section NAME, "FLAGS", @TYPE`. The
//! name may be quoted.
//!
//! Statements are placed section by section, and in each section in the order of the text. In a program
//! that is not an object, the sections follow one another without a gap. In an object each section
//! begins at the same address, because a linker places the sections separately.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::asm::error::AssembleErrorKind;
use crate::error::ParseError;
use crate::text::{Cursor, OperandError, quoted};

/// A section of an object.
///
/// ```
/// use isa_core::asm::Assembler;
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
/// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// # }
///
/// let text = ".data; .byte 7; .text; DEC R2; .data; .byte 8;";
/// let program = Assembler::new(Tiny::SET).relocations(|_| None).assemble(text)?;
/// assert_eq!(program.bytes, [2, 1, 7, 8]);
/// let [text, data] = &program.sections[..] else { panic!("two sections") };
/// assert_eq!((text.name.as_str(), text.is_code, text.bytes.clone()), (".text", true, 0..2));
/// assert_eq!((data.name.as_str(), data.is_writable, data.bytes.clone()), (".data", true, 2..4));
/// # Ok::<(), isa_core::asm::AssembleErrors>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The name, `.text`.
    pub name: String,
    /// Whether the section is in memory when the program runs: the flag `a`.
    pub is_loaded: bool,
    /// Whether the running program may write to it: the flag `w`.
    pub is_writable: bool,
    /// Whether it contains instructions: the flag `x`.
    pub is_code: bool,
    /// Whether the section only reserves memory, so the object contains no bytes for it. Such a section
    /// has `@nobits` or the name `.bss`, and all its statements reserve bytes that are 0.
    pub is_room: bool,
    /// The alignment of the section, which is a power of two. The address of the section must be a
    /// multiple of it.
    pub align: u64,
    /// Its bytes, as a range of the program's bytes; empty if it only reserves memory.
    pub bytes: Range<usize>,
    /// Its size in memory in bytes, which is the length of `bytes` unless it only reserves memory.
    pub size: u64,
    /// Its statements, as a range of the program's statements.
    pub statements: Range<usize>,
    /// Its relocations, as a range of [`Program::relocations`](super::Program::relocations).
    pub relocations: Range<usize>,
}

/// The properties of a section in an object besides its name, one bit for each flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flags(u8);

const LOADED: u8 = 1;
const WRITABLE: u8 = 2;
const CODE: u8 = 4;
const ROOM: u8 = 8;

/// A directive that names a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SectionHeader<'t> {
    pub(super) name: &'t str,
    /// The position of the name.
    start: usize,
    /// The flags, if the directive specifies them.
    flags: Option<Flags>,
}

impl SectionHeader<'_> {
    /// Returns the position of the name.
    pub(super) const fn span(&self) -> Range<usize> {
        self.start..self.start + self.name.len()
    }
}

impl Flags {
    /// Returns the flags of a section for which no directive specifies any.
    fn of(name: &str) -> Self {
        Flags(match () {
            () if name.starts_with(".text") => LOADED | CODE,
            () if name.starts_with(".data") => LOADED | WRITABLE,
            () if name.starts_with(".bss") => LOADED | WRITABLE | ROOM,
            () => LOADED,
        })
    }
}

/// Parses the name of a section, which may be quoted, and returns it with its position; the name is
/// empty if there is none.
fn name<'t>(cursor: &mut Cursor<'t>) -> (&'t str, usize) {
    cursor.skip_trivia();
    let start = cursor.position();
    if let (length @ 2.., true) = quoted(cursor.rest()) {
        cursor.seek(start + length);
        let name = cursor.text().get(start + 1..start + length - 1).unwrap_or_default();
        // A name with `\` is rejected, because `\` begins an escape sequence.
        let is_plain = name.bytes().all(|byte| byte != b'\\' && !byte.is_ascii_control());
        return if is_plain && !name.is_empty() { (name, start + 1) } else { ("", start) };
    }
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(byte);
    let length = cursor.rest().iter().take_while(is_part).count();
    cursor.seek(start + length);
    (cursor.text().get(start..start + length).unwrap_or_default(), start)
}

/// Parses the rest of a directive that names a section: the name, unless it is `known`, and everything
/// up to the `;`. `line` receives the name, and the flags if they are valid, even if a later part is
/// invalid.
fn statement<'t>(
    cursor: &mut Cursor<'t>,
    known: Option<&'static str>,
    line: &mut Option<SectionHeader<'t>>,
) -> Result<(), OperandError> {
    let place = cursor.position();
    let (name, start) = known.map_or_else(|| name(cursor), |name| (name, place - name.len()));
    let end = cursor.position();
    if name.is_empty() {
        return Err(cursor.fault(start, "expected the name of a section, such as `.rodata`"));
    }
    let (mut message, mut behind) = ("expected `;` after the section", end);
    let header = line.insert(SectionHeader { name, start, flags: None });
    if known.is_none() {
        if cursor.eat(b',') {
            header.flags = Some(flags(cursor, name)?);
            behind = cursor.position();
        } else {
            message = "expected `,` or `;` after the name";
        }
    }
    if cursor.eat(b';') {
        return Ok(());
    }
    cursor.seek(behind);
    Err(cursor.fault(behind, message))
}

/// Parses flags in quotes, and a type after them.
fn flags(cursor: &mut Cursor<'_>, name: &str) -> Result<Flags, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let (is_open, mut flags) = (cursor.eat(b'"'), Flags::of(name).0 & ROOM);
    loop {
        let at = cursor.position();
        let byte = cursor.text().as_bytes().get(at);
        flags |= match byte {
            Some(b'"') if is_open => break,
            Some(b'a') if is_open => LOADED,
            Some(b'w') if is_open => WRITABLE,
            Some(b'x') if is_open => CODE,
            // Flags that allow the linker to merge equal entries.
            Some(b'M' | b'S') if is_open => 0,
            _ => {
                let message = "expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)";
                return Err(cursor.fault(start, message));
            }
        };
        cursor.seek(at + 1);
    }
    cursor.eat(b'"');
    let behind = cursor.position();
    if !cursor.eat(b',') {
        cursor.seek(behind);
    } else {
        cursor.skip_trivia();
        let start = cursor.position();
        let is_kind = cursor.eat(b'@') || cursor.eat(b'%');
        flags = match cursor.word() {
            "nobits" if is_kind => flags | ROOM,
            "progbits" if is_kind => flags & !ROOM,
            _ => return Err(cursor.fault(start, "expected `@progbits` or `@nobits`")),
        };
        // The size of the entries that the linker may merge.
        let behind = cursor.position();
        if cursor.eat(b',') {
            cursor.number()?;
        } else {
            cursor.seek(behind);
        }
    }
    Ok(Flags(flags))
}

/// Parses the rest of a directive that names a section.
pub(super) fn read(cursor: &mut Cursor<'_>, known: Option<&'static str>) -> Result<(), ParseError> {
    let outcome = statement(cursor, known, &mut None);
    outcome.map_err(|fault| ParseError::fault(cursor, fault))
}

/// Returns the section that a directive names, even if the rest of the line is invalid.
pub(super) fn named<'t>(
    cursor: &mut Cursor<'t>,
    known: Option<&'static str>,
) -> Option<SectionHeader<'t>> {
    let mut line = None;
    // Errors are reported when the statement is parsed.
    let _ = statement(cursor, known, &mut line);
    line
}

/// The sections of a program. The first section is `.text`, in which programs begin. The other sections
/// are in the order in which the program first names them.
#[derive(Debug, Clone)]
pub(super) struct Sections<'t> {
    others: Vec<(&'t str, Flags)>,
    /// The index of each section after the first, counted from 1. The map has a type that the assembler
    /// also uses, so it adds little code.
    numbers: BTreeMap<&'t str, (Option<usize>, usize)>,
}

/// The first section.
const TEXT: &str = ".text";

impl<'t> Sections<'t> {
    pub(super) const fn new() -> Self {
        Sections { others: Vec::new(), numbers: BTreeMap::new() }
    }

    /// Returns the number of sections.
    pub(super) const fn len(&self) -> usize {
        self.others.len() + 1
    }

    /// Returns all sections with their flags.
    fn all(&self) -> impl Iterator<Item = (&'t str, Flags)> {
        core::iter::once((TEXT, Flags::of(TEXT))).chain(self.others.iter().copied())
    }

    /// Returns the names of all sections.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.all().map(|(name, _)| name)
    }

    /// Returns the name of a section.
    pub(super) fn name(&self, number: usize) -> &'t str {
        self.all().nth(number).map_or("", |(name, _)| name)
    }

    /// Returns whether a section contains instructions.
    pub(super) fn is_code(&self, number: usize) -> bool {
        self.all().nth(number).is_some_and(|(_, Flags(flags))| flags & CODE > 0)
    }

    /// Returns the index of the section that a directive names, and an error if an earlier directive
    /// declared other flags for the section.
    pub(super) fn enter(&mut self, line: &SectionHeader<'t>) -> (usize, Option<AssembleErrorKind>) {
        let SectionHeader { name, flags, .. } = *line;
        let number = match self.numbers.get(name) {
            Some(&(_, number)) => number,
            None if name == TEXT => 0,
            None => {
                self.others.push((name, flags.unwrap_or_else(|| Flags::of(name))));
                let number = self.others.len();
                self.numbers.insert(name, (None, number));
                number
            }
        };
        let before = number.checked_sub(1).and_then(|number| self.others.get(number));
        let known = before.map_or(Flags::of(TEXT), |(_, known)| *known);
        let is_other = flags.is_some_and(|flags| flags != known);
        (number, is_other.then(|| AssembleErrorKind::SectionFlags { name: name.into() }))
    }

    /// Returns the sections of a program with the properties that are known before it is placed.
    pub(super) fn listed(&self) -> impl Iterator<Item = Section> + use<'_, 't> {
        self.all().map(|(name, Flags(flags))| Section {
            name: name.into(),
            is_loaded: flags & LOADED > 0,
            is_writable: flags & WRITABLE > 0,
            is_code: flags & CODE > 0,
            is_room: flags & ROOM > 0,
            align: 1,
            bytes: 0..0,
            size: 0,
            statements: 0..0,
            relocations: 0..0,
        })
    }
}

/// Returns the index of the first statement, in the order of placement, for which the second element is
/// true. The first element is the section of the statement.
pub(super) fn first(statements: impl Iterator<Item = (usize, bool)>) -> Option<usize> {
    let mut first: Option<(usize, usize)> = None;
    for (number, (section, counts)) in statements.enumerate() {
        if counts && first.is_none_or(|(_, before)| section < before) {
            first = Some((number, section));
            if section == 0 {
                break;
            }
        }
    }
    first.map(|(number, _)| number)
}

/// Returns the indexes of statements in the order of placement. `sections` contains the section of
/// each statement in the order of the text.
pub(super) fn order(count: usize, sections: impl Iterator<Item = usize> + Clone) -> Vec<usize> {
    let mut places =
        SectionAddresses::new(0, count, false, sections.clone().map(|section| (section, 1)));
    let mut order: Vec<usize> = sections.clone().collect();
    for (number, section) in sections.enumerate() {
        if let Some(place) = order.get_mut(places.take(section, 1) as usize) {
            *place = number;
        }
    }
    order
}

/// The addresses of statements that are placed section by section.
pub(super) struct SectionAddresses(Vec<u64>);

impl SectionAddresses {
    /// Creates the addresses for `statements`, which contains the section and the length of each
    /// statement. If `is_apart` is true, all sections begin at the same address. Otherwise they follow
    /// one another.
    pub(super) fn new(
        origin: u64,
        count: usize,
        is_apart: bool,
        statements: impl Iterator<Item = (usize, u64)>,
    ) -> Self {
        let mut next: Vec<u64> = (0..count).map(|_| origin).collect();
        if !is_apart && count > 1 {
            for (section, length) in statements {
                if let Some(behind) = next.get_mut(section + 1) {
                    *behind = behind.wrapping_add(length);
                }
            }
            let mut lengths = 0u64;
            for first in &mut next {
                lengths = lengths.wrapping_add(first.wrapping_sub(origin));
                *first = origin.wrapping_add(lengths);
            }
        }
        SectionAddresses(next)
    }

    /// Returns the start of each section. The result is valid only before the first call of
    /// [`SectionAddresses::take`].
    pub(super) fn starts(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }

    /// Returns the address of the next statement of a section, which has the given length.
    pub(super) fn take(&mut self, section: usize, length: u64) -> u64 {
        let Some(next) = self.0.get_mut(section) else { return 0 };
        let address = *next;
        *next = address.wrapping_add(length);
        address
    }
}
