//! Replacements for the ELF functions if the tool is built without the feature `elf`.

use std::io::Write;

use crate::CommandError;
use crate::console::Console;
use crate::custom_command::ProgramCode;
use crate::input::Input;
use crate::profile::Profile;

use super::{ListingOptions, Patch, RunProgram, refusal, refused_file};

/// Returns the error that `asm --emit elf` is not available.
pub(crate) fn assemble(
    profile: &Profile,
    _: Input<'_>,
    _: &mut Console<'_>,
) -> Result<Vec<u8>, CommandError> {
    Err(CommandError::Usage(refusal(profile)))
}

/// Returns the error that `dis` cannot read objects.
pub(crate) fn list(
    profile: &Profile,
    _: &ListingOptions,
    input: Input<'_>,
    _: &mut dyn Write,
    _: &mut Console<'_>,
) -> Result<(), CommandError> {
    Err(refused_file(profile, &input.name))
}

/// Returns the error that `patch` is not available.
pub(crate) fn patch(
    profile: &Profile,
    _: Input<'_>,
    _: Patch<'_>,
    _: &mut Console<'_>,
) -> Result<(Vec<u8>, String), CommandError> {
    Err(CommandError::Usage(refusal(profile)))
}

/// Returns the error that the commands of a set cannot read objects.
pub(crate) fn code(
    profile: &Profile,
    input: Input<'_>,
    _: &mut Console<'_>,
) -> Result<ProgramCode, CommandError> {
    Err(refused_file(profile, &input.name))
}

/// Returns the error that `exec` cannot read objects.
pub(crate) fn execute(
    profile: &Profile,
    input: Input<'_>,
    _: u64,
    _: &mut Console<'_>,
    _: &mut RunProgram<'_>,
) -> Result<(), CommandError> {
    Err(refused_file(profile, &input.name))
}
