//! The names of symbols and sections, and what they say by themselves.

use std::borrow::Cow;
use std::collections::BTreeMap;

use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, Sym, SymbolTable};

use super::read::{Meaning, Refused};
use crate::bytes::find;
use crate::object::ObjectFormat;

/// The types of symbols that are no labels: of sections, of source files, and of variables that each thread
/// has for itself.
pub(super) const NO_LABELS: [elf::SymbolType; 3] = [elf::STT_SECTION, elf::STT_FILE, elf::STT_TLS];

/// A name, borrowed from the file if it is UTF-8.
pub(super) type Name<'d> = Cow<'d, str>;

/// What is shown in place of a name that does not fit into [`Names`]. It cannot be a label.
pub(super) const LEFT_OUT: &str = "(a name that is left out)";

/// The names of a file.
///
/// Many symbols may share a long name, or have names that end alike and overlap in the file, so that all names
/// together are far longer than the file. Together they may be as long as it: the names that do not fit
/// are left out.
pub(super) struct Names {
    /// How many bytes names may still have.
    left: usize,
    /// How many names are left out.
    pub(super) left_out: usize,
}

impl Names {
    /// Names for a file of a length in bytes.
    pub(super) const fn of(length: usize) -> Self {
        // Small files may share what they like.
        Names { left: length.saturating_add(64 << 10), left_out: 0 }
    }

    /// Takes bytes off those that are left; without enough of them the name is left out.
    fn spend(&mut self, length: usize) -> bool {
        let left = self.left.checked_sub(length);
        // No other name is looked at as far as this one.
        self.left = left.unwrap_or(0);
        self.left_out += usize::from(left.is_none());
        left.is_some()
    }

    /// The name at a place in a table of strings, up to its 0.
    pub(super) fn at<'d>(&mut self, strings: &'d [u8], place: u32) -> Result<Name<'d>, Refused> {
        let broken = || Refused::Broken("invalid elf name offset".into());
        let rest = strings.get(place as usize..).ok_or_else(broken)?;
        let seen = rest.get(..self.left.saturating_add(1)).unwrap_or(rest);
        let length = match find(seen, 0) {
            None if seen.len() == rest.len() => return Err(broken()),
            found => found.unwrap_or(usize::MAX),
        };
        match self.spend(length) {
            true => Ok(String::from_utf8_lossy(rest.get(..length).unwrap_or_default())),
            false => Ok(LEFT_OUT.into()),
        }
    }
}

/// The names of all symbols, by number. Where symbols of several places have one name, all but the first get a
/// number behind it, except names that are another object's: a text has one label of a name.
pub(super) fn unique<'d, H: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    (symbols, strings): (&SymbolTable<'d, H>, &'d [u8]),
    format: ObjectFormat,
    all: &mut Names,
) -> Result<Vec<Name<'d>>, Refused> {
    let mut names: Vec<Name<'d>> = Vec::with_capacity(symbols.len());
    // Each name with the place that has it, and the last number behind it.
    let (mut taken, mut last) = (BTreeMap::new(), BTreeMap::<Name<'d>, usize>::new());
    let place = |symbol: &H::Sym| -> (u16, u64) {
        (symbol.st_shndx(endian).0, symbol.st_value(endian).into())
    };
    for symbol in symbols.iter() {
        let name = all.at(strings, symbol.st_name(endian))?;
        if !symbol.is_local() {
            // The names of other objects stay as they are.
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

/// What a symbol marks, where it is one of the format's marks.
pub(super) fn mark(name: &str, format: ObjectFormat) -> Option<Meaning> {
    let (code, data) = format.marks?;
    let is = |sign: &str| {
        // `$xrv64i2p1` says which instructions there are from here on.
        let rest = name.strip_prefix(sign);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', 'r']))
    };
    let is_other = || {
        let mut signs = name.strip_prefix('$').unwrap_or_default().chars();
        let letter = signs.next().is_some_and(|sign| sign.is_ascii_lowercase());
        letter && matches!(signs.next(), None | Some('.'))
    };
    match () {
        () if is(code) => Some(Meaning::CodeMark),
        () if is(data) || is_other() => Some(Meaning::DataMark),
        () => None,
    }
}
