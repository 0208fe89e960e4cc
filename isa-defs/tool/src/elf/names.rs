//! The names of symbols, and what they say by themselves.

use std::collections::BTreeMap;

use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, Sym, SymbolTable};

use super::read::{Meaning, Refused};
use crate::object::ObjectFormat;

/// The types of symbols that are no labels: of sections, of source files, and of variables that each thread
/// has for itself.
pub(super) const NO_LABELS: [elf::SymbolType; 3] = [elf::STT_SECTION, elf::STT_FILE, elf::STT_TLS];

/// The names of all symbols, by number. Where local symbols of several places have one name, all but the
/// first get a number behind it: a text has one label of a name.
pub(super) fn unique<H: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    symbols: &SymbolTable<'_, H>,
    format: ObjectFormat,
) -> Result<Vec<String>, Refused> {
    let mut names = Vec::with_capacity(symbols.len());
    // Each name with the place that has it, and the last number behind it.
    let (mut taken, mut last) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    let place = |symbol: &H::Sym| -> (u16, u64) {
        (symbol.st_shndx(endian).0, symbol.st_value(endian).into())
    };
    for symbol in symbols.iter() {
        let name = symbols.symbol_name(endian, symbol)?;
        let name = String::from_utf8_lossy(name).into_owned();
        if !symbol.is_local() {
            // The names of other objects stay as they are.
            taken.entry(name.clone()).or_insert_with(|| place(symbol));
        }
        names.push(name);
    }
    for (symbol, name) in symbols.iter().zip(&mut names) {
        let is_label = !NO_LABELS.contains(&symbol.st_type()) && mark(name, format).is_none();
        if !is_label || name.is_empty() || !symbol.is_local() {
            continue;
        }
        let (own, first) = (place(symbol), name.clone());
        while taken.get(name).is_some_and(|place| *place != own) {
            let number = last.entry(first.clone()).or_insert(1);
            *number += 1;
            *name = format!("{first}_{number}");
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
