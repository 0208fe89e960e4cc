//! Sections of programs: `.text`, `.data`, `.section NAME` and `.section NAME, "FLAGS", @TYPE`; the name may
//! stand in quotes.
//!
//! Statements are placed section by section, each section with its statements in the order of the text.
//! In a program with an address the sections follow one another without a gap; in an object each
//! begins where objects begin, since a linker puts them apart.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::cursor::{Cursor, Fault};
use super::quoted::quoted;
use crate::error::{AssembleErrorKind, ParseError};

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
/// # Ok::<(), isa_core::error::AssembleErrors>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The name, `.text`.
    pub name: String,
    /// Whether a program that runs has the section in memory: the flag `a`.
    pub is_loaded: bool,
    /// Whether a program that runs may write it: the flag `w`.
    pub is_writable: bool,
    /// Whether it has instructions: the flag `x`.
    pub is_code: bool,
    /// Whether it is room alone, of which an object has no bytes: `@nobits` or the name `.bss`, and no
    /// statement that is more than room, or is filled with another byte than 0.
    pub is_room: bool,
    /// What the address of the section is to be a multiple of for its alignments to hold: a power of two.
    pub align: u64,
    /// Its bytes, a range of those of the program, which has none for room.
    pub bytes: Range<usize>,
    /// How many bytes it has in memory: as many as `bytes`, unless it is room.
    pub size: u64,
    /// Its statements, a range of those of the program.
    pub statements: Range<usize>,
    /// What a linker fills in in it, a range of [`Program::relocations`](super::Program::relocations).
    pub relocations: Range<usize>,
}

/// What an object says of a section besides its name, a bit for each flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flags(u8);

const LOADED: u8 = 1;
const WRITABLE: u8 = 2;
const CODE: u8 = 4;
const ROOM: u8 = 8;

/// A line that names a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header<'t> {
    pub(super) name: &'t str,
    /// Where the name stands.
    start: usize,
    /// The flags, where the line says some.
    flags: Option<Flags>,
}

impl Header<'_> {
    /// The place of the name.
    pub(super) const fn span(&self) -> Range<usize> {
        self.start..self.start + self.name.len()
    }
}

impl Flags {
    /// The flags of a section of which no line says any.
    fn of(name: &str) -> Self {
        Flags(match () {
            () if name.starts_with(".text") => LOADED | CODE,
            () if name.starts_with(".data") => LOADED | WRITABLE,
            () if name.starts_with(".bss") => LOADED | WRITABLE | ROOM,
            () => LOADED,
        })
    }
}

/// The name of a section, perhaps in quotes, with its place; the empty text where none stands.
fn name<'t>(cursor: &mut Cursor<'t>) -> (&'t str, usize) {
    cursor.skip_trivia();
    let start = cursor.position();
    if let (length @ 2.., true) = quoted(cursor.rest()) {
        cursor.seek(start + length);
        let name = cursor.text().get(start + 1..start + length - 1).unwrap_or_default();
        // A sign behind `\` has another meaning than its own.
        let is_plain = name.bytes().all(|byte| byte != b'\\' && !byte.is_ascii_control());
        return if is_plain && !name.is_empty() { (name, start + 1) } else { ("", start) };
    }
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(byte);
    let length = cursor.rest().iter().take_while(is_part).count();
    cursor.seek(start + length);
    (cursor.text().get(start..start + length).unwrap_or_default(), start)
}

/// Reads what stands behind a directive that names a section: the name, where `known` is none, and all up
/// to the `;`. What is found is in `line`, where the rest is wrong too.
fn statement<'t>(
    cursor: &mut Cursor<'t>,
    known: Option<&'static str>,
    line: &mut Option<Header<'t>>,
) -> Result<(), Fault> {
    let place = cursor.position();
    let (name, start) = known.map_or_else(|| name(cursor), |name| (name, place - name.len()));
    let end = cursor.position();
    if name.is_empty() {
        return Err(cursor.fault(start, "expected the name of a section, such as `.rodata`"));
    }
    let (mut message, mut behind) = ("expected `;` behind the section", end);
    let header = line.insert(Header { name, start, flags: None });
    if known.is_none() {
        if cursor.eat(b',') {
            header.flags = Some(flags(cursor, name)?);
            behind = cursor.position();
        } else {
            message = "expected `,` or `;` behind the name";
        }
    }
    if cursor.eat(b';') {
        return Ok(());
    }
    cursor.seek(behind);
    Err(cursor.fault(behind, message))
}

/// Reads flags in their quotes, and a type behind them.
fn flags(cursor: &mut Cursor<'_>, name: &str) -> Result<Flags, Fault> {
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
            // What a linker may do with parts that are alike.
            Some(b'M' | b'S') if is_open => 0,
            _ => {
                let message =
                    "expected flags in quotes: `a` for in memory, `w` for writable, `x` for code";
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
        // How wide the parts are that a linker may merge.
        let behind = cursor.position();
        if cursor.eat(b',') {
            cursor.number()?;
        } else {
            cursor.seek(behind);
        }
    }
    Ok(Flags(flags))
}

/// Reads what stands behind a directive that names a section.
pub(super) fn read(cursor: &mut Cursor<'_>, known: Option<&'static str>) -> Result<(), ParseError> {
    let outcome = statement(cursor, known, &mut None);
    outcome.map_err(|fault| ParseError::fault(cursor, fault))
}

/// The section that is named behind a directive, where the rest of the line is wrong too.
pub(super) fn named<'t>(
    cursor: &mut Cursor<'t>,
    known: Option<&'static str>,
) -> Option<Header<'t>> {
    let mut line = None;
    // What is wrong is reported where the statement is read.
    let _ = statement(cursor, known, &mut line);
    line
}

/// The sections of a program: `.text`, in which programs begin, and the others in the order in which they
/// are named first.
#[derive(Debug, Clone)]
pub(super) struct Sections<'t> {
    others: Vec<(&'t str, Flags)>,
    /// The number of each, from 1, in a map of the type that the assembler has anyway.
    numbers: BTreeMap<&'t str, (Option<usize>, usize)>,
}

/// The first section.
const TEXT: &str = ".text";

impl<'t> Sections<'t> {
    pub(super) const fn new() -> Self {
        Sections { others: Vec::new(), numbers: BTreeMap::new() }
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.others.len() + 1
    }

    /// All sections with their flags.
    fn all(&self) -> impl Iterator<Item = (&'t str, Flags)> {
        core::iter::once((TEXT, Flags::of(TEXT))).chain(self.others.iter().copied())
    }

    /// The names of all sections.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.all().map(|(name, _)| name)
    }

    /// The name of a section.
    pub(super) fn name(&self, number: usize) -> &'t str {
        self.all().nth(number).map_or("", |(name, _)| name)
    }

    /// Whether a section has instructions.
    pub(super) fn is_code(&self, number: usize) -> bool {
        self.all().nth(number).is_some_and(|(_, Flags(flags))| flags & CODE > 0)
    }

    /// The number of the section that a line names, and the mistake that it has other flags.
    pub(super) fn enter(&mut self, line: &Header<'t>) -> (usize, Option<AssembleErrorKind>) {
        let Header { name, flags, .. } = *line;
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

    /// The sections of a program, as far as they are known before it is placed.
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

/// Returns the number of the first statement that counts, in the order in which they are placed. Each comes
/// with its section.
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

/// The numbers of statements as they are placed, from the section of each, in the order of the text.
pub(super) fn order(count: usize, sections: impl Iterator<Item = usize> + Clone) -> Vec<usize> {
    let mut places = Places::new(0, count, false, sections.clone().map(|section| (section, 1)));
    let mut order: Vec<usize> = sections.clone().collect();
    for (number, section) in sections.enumerate() {
        if let Some(place) = order.get_mut(places.take(section, 1) as usize) {
            *place = number;
        }
    }
    order
}

/// The addresses of statements that are placed section by section.
pub(super) struct Places(Vec<u64>);

impl Places {
    /// Places for statements with these sections and lengths: one section behind the other, or where each
    /// `is_apart` all from the same address.
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
        Places(next)
    }

    /// Where each section begins, as long as no statement is placed.
    pub(super) fn starts(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }

    /// The address of the next statement of a section, which has a length.
    pub(super) fn take(&mut self, section: usize, length: u64) -> u64 {
        let Some(next) = self.0.get_mut(section) else { return 0 };
        let address = *next;
        *next = address.wrapping_add(length);
        address
    }
}
