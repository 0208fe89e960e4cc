//! ELF objects, which `asm` writes and `dis` and `exec` read.

#[cfg(feature = "elf")]
mod code;
#[cfg(feature = "elf")]
mod error;
#[cfg(feature = "elf")]
mod listing;
#[cfg(feature = "elf")]
mod patch;
#[cfg(feature = "elf")]
mod read;
#[cfg(feature = "elf")]
mod run;
#[cfg(feature = "elf")]
mod symbol_names;
#[cfg(not(feature = "elf"))]
mod unsupported;
#[cfg(feature = "elf")]
mod write;

#[cfg(feature = "elf")]
use std::borrow::Cow;

use isa_core::machine::Ended;
use isa_core::shown::Shown;
use isa_core::text::Style;

use crate::CommandError;
use crate::console::Console;
use crate::input::Input;
use crate::profile::Profile;

#[cfg(not(feature = "elf"))]
pub(crate) use unsupported::{assemble, code, execute, list, patch};
#[cfg(feature = "elf")]
pub(crate) use {code::code, listing::list, patch::patch, run::execute, write::assemble};

/// The first bytes of an ELF file.
pub(crate) const MAGIC: &[u8] = b"\x7fELF";

/// The options of `dis` that apply to ELF files.
#[cfg_attr(not(feature = "elf"), expect(dead_code, reason = "ELF support is disabled"))]
pub(crate) struct ListingOptions {
    /// Whether a word that is not a valid instruction is an error.
    pub(crate) strict: bool,
    /// Whether addresses are printed.
    pub(crate) addresses: bool,
    /// The address of the first word, which must be `None`.
    pub(crate) start: Option<u64>,
    /// The style of numbers and targets.
    pub(crate) style: Style,
}

/// A program at fixed addresses.
pub(crate) struct LoadedProgram<'d> {
    /// The address of the first instruction.
    pub(crate) entry: u64,
    /// The bytes that are not code, with their addresses and the number of zeros after them.
    pub(crate) data: Vec<(u64, &'d [u8], u64)>,
    /// The code, with its addresses.
    pub(crate) code: Vec<(u64, &'d [u8])>,
}

/// Runs a program. If it stops with an error, returns the address and the reason.
pub(crate) type RunProgram<'r> =
    dyn FnMut(&LoadedProgram<'_>, &mut Console<'_>) -> Result<Ended, CommandError> + 'r;

/// Returns whether a tool supports ELF objects.
pub(crate) fn is_supported(profile: &Profile) -> bool {
    profile.object.is_some() && cfg!(feature = "elf")
}

/// Returns the reason why a tool does not support ELF objects.
pub(crate) fn refusal(profile: &Profile) -> String {
    let name = profile.name;
    match profile.object {
        None => format!("`{name}` has no object format; declare one with `Tool::object`"),
        Some(_) => format!("`{name}` was built without the feature `elf` of the crate `isa-cli`"),
    }
}

/// Returns the reason why a tool does not read an ELF object.
fn refused_file(profile: &Profile, file: &str) -> CommandError {
    CommandError::System(format!("cannot read the ELF file {}: {}", Shown(file), refusal(profile)))
}

/// An instruction sequence that replaces instructions in an ELF file.
#[cfg_attr(not(feature = "elf"), expect(dead_code, reason = "ELF support is disabled"))]
pub(crate) struct Patch<'p> {
    /// The place of the first instruction, for example `kernel+0x150`.
    pub(crate) place: &'p str,
    /// The assembly.
    pub(crate) text: Input<'p>,
}

/// Returns the tool for the processor of an ELF file.
#[cfg(feature = "elf")]
fn profile_of<'p>(
    profile: &'p Profile,
    object: &read::ElfFile<'_>,
    file: &str,
) -> Result<Cow<'p, Profile>, CommandError> {
    let Some(list) = object.features else { return Ok(Cow::Borrowed(profile)) };
    let tables = profile.set.tables;
    let features = tables.feature_set(list).map_err(|error| CommandError::reading(file, &error))?;
    match profile.features {
        Some(chosen) if chosen != features => Err(CommandError::reading(
            file,
            &format_args!(
                "it is for a processor with the features {list}, but --features chooses others; omit --features"
            ),
        )),
        _ if tables.enabled == features => Ok(Cow::Borrowed(profile)),
        _ => Ok(Cow::Owned(profile.with_features(Some(features)))),
    }
}

/// Reads all bytes of a file.
#[cfg(feature = "elf")]
fn read_all(input: &mut Input<'_>, console: &mut Console<'_>) -> Result<Vec<u8>, CommandError> {
    const BLOCK: usize = 64 << 10;
    let mut bytes = Vec::new();
    loop {
        let from = bytes.len();
        bytes.resize(from + BLOCK, 0);
        let count = input.read_full(&mut bytes[from..], console)?;
        if count < BLOCK {
            bytes.truncate(from + count);
            return Ok(bytes);
        }
    }
}
