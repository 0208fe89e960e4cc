//! The names of symbols and sections, and the meanings of special names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memchr;
use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, Sym, SymbolTable};

use crate::object_format::ObjectFormat;

use super::error::ElfError;

/// The meaning of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolMeaning {
    Label,
    /// A variable with this size in bytes.
    Variable(u64),
    /// The start of instructions.
    CodeMark,
    /// The start of data.
    DataMark,
}

/// The types of symbols that are not labels: symbols of sections, source files, and thread-local
/// variables.
pub(super) const NO_LABELS: [elf::SymbolType; 3] = [elf::STT_SECTION, elf::STT_FILE, elf::STT_TLS];

/// A name, borrowed from the file if it is UTF-8.
pub(super) type Name<'d> = Cow<'d, str>;

/// The replacement for a name that does not fit into [`NameBudget`]. It cannot be a label.
pub(super) const LEFT_OUT: &str = "(an omitted name)";

/// The names of a file, limited in their total length.
///
/// Many symbols may share a long name, or have overlapping names that end at the same byte of the
/// file. All names together could then be far longer than the file. Their total length is therefore
/// limited to about the length of the file, and names beyond this limit are left out.
pub(super) struct NameBudget {
    /// The number of bytes that remain for further names.
    left: usize,
    /// The number of names that are left out.
    pub(super) left_out: usize,
}

impl NameBudget {
    /// Creates the limit for a file of `length` bytes.
    pub(super) const fn of(length: usize) -> Self {
        // Small files may share names without a limit.
        NameBudget { left: length.saturating_add(64 << 10), left_out: 0 }
    }

    /// Subtracts `length` from the remaining bytes. Returns false if fewer remain, and the name is
    /// left out.
    fn spend(&mut self, length: usize) -> bool {
        let left = self.left.checked_sub(length);
        // After this, 0 bytes remain, so the scan of a later name ends immediately.
        self.left = left.unwrap_or(0);
        self.left_out += usize::from(left.is_none());
        left.is_some()
    }

    /// Returns the name at an offset in a string table, up to its terminating 0.
    pub(super) fn at<'d>(&mut self, strings: &'d [u8], place: u32) -> Result<Name<'d>, ElfError> {
        let broken = || ElfError::Broken("invalid elf name offset".into());
        let rest = strings.get(place as usize..).ok_or_else(broken)?;
        let seen = rest.get(..self.left.saturating_add(1)).unwrap_or(rest);
        let length = match memchr(0, seen) {
            None if seen.len() == rest.len() => return Err(broken()),
            found => found.unwrap_or(usize::MAX),
        };
        match self.spend(length) {
            true => Ok(String::from_utf8_lossy(rest.get(..length).unwrap_or_default())),
            false => Ok(LEFT_OUT.into()),
        }
    }
}

/// Returns the names of all symbols, by index. A text can define each label only once. Therefore,
/// if symbols at several addresses have the same name, a number is appended to all but the first,
/// except for names that belong to other objects.
pub(super) fn unique<'d, H: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    (symbols, strings): (&SymbolTable<'d, H>, &'d [u8]),
    format: ObjectFormat,
    all: &mut NameBudget,
) -> Result<Vec<Name<'d>>, ElfError> {
    let mut names: Vec<Name<'d>> = Vec::with_capacity(symbols.len());
    // The address of each name, and the number that was last appended to it.
    let (mut taken, mut last) = (BTreeMap::new(), BTreeMap::<Name<'d>, usize>::new());
    let place = |symbol: &H::Sym| -> (u16, u64) {
        (symbol.st_shndx(endian).0, symbol.st_value(endian).into())
    };
    for symbol in symbols.iter() {
        let name = all.at(strings, symbol.st_name(endian))?;
        if !symbol.is_local() {
            // Names that other objects can see stay unchanged.
            taken.entry(name.clone()).or_insert_with(|| place(symbol));
        }
        names.push(name);
    }
    for (symbol, name) in symbols.iter().zip(&mut names) {
        let is_label = !NO_LABELS.contains(&symbol.st_type()) && mark(name, format).is_none();
        let is_own = symbol.is_local() || !symbol.is_undefined(endian);
        if !is_label || name.is_empty() || name == LEFT_OUT || !is_own {
            continue;
        }
        let (own, first) = (place(symbol), name.clone());
        while taken.get(name).is_some_and(|place| *place != own) {
            let number = last.entry(first.clone()).or_insert(1);
            *number += 1;
            let digits = number.ilog10() as usize + 2;
            *name = match all.spend(first.len() + digits) {
                true => format!("{first}_{number}").into(),
                false => LEFT_OUT.into(),
            };
            if name == LEFT_OUT {
                break;
            }
        }
        taken.entry(name.clone()).or_insert(own);
    }
    Ok(names)
}

/// Returns the meaning of a symbol that is one of the format's mapping symbols.
pub(super) fn mark(name: &str, format: ObjectFormat) -> Option<SymbolMeaning> {
    let (code, data) = format.marks?;
    let is = |sign: &str| {
        // `$xrv64i2p1` declares the extensions that are used from here on.
        let rest = name.strip_prefix(sign);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', 'r']))
    };
    let is_other = || {
        let mut signs = name.strip_prefix('$').unwrap_or_default().chars();
        let letter = signs.next().is_some_and(|sign| sign.is_ascii_lowercase());
        letter && matches!(signs.next(), None | Some('.'))
    };
    match () {
        () if is(code) => Some(SymbolMeaning::CodeMark),
        () if is(data) || is_other() => Some(SymbolMeaning::DataMark),
        () => None,
    }
}
