//! Replacements for the ELF functions if the tool is built without the feature `elf`.

use std::io::{Read, Write};

use super::Stop;
use super::console::Console;
use super::exec::Run;
use super::input::Input;
use super::object::{refusal, refused_file};
use super::tool::Profile;
use super::{asm, dis};

/// Returns the error that `asm --emit elf` is not available.
pub(super) fn assemble(
    profile: &Profile,
    _: &asm::Options,
    _: &mut dyn Read,
    _: &mut dyn Write,
    _: &mut Console<'_>,
) -> Result<(), Stop> {
    Err(Stop::Usage(refusal(profile)))
}

/// Returns the error that `dis` cannot read objects.
pub(super) fn list(
    profile: &Profile,
    _: &dis::Options,
    input: Input<'_>,
    _: &mut dyn Write,
    _: &mut Console<'_>,
) -> Result<(), Stop> {
    Err(refused_file(profile, &input.name))
}

/// Returns the error that `exec` cannot read objects.
pub(super) fn execute(
    profile: &Profile,
    input: Input<'_>,
    _: u64,
    _: &mut Run<'_>,
    _: &mut Console<'_>,
) -> Result<(), Stop> {
    Err(refused_file(profile, &input.name))
}
