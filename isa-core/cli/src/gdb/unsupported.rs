//! The replacement for the debugger if the tool is built without the feature `gdb`.

use isa_core::machine::{Ended, Executor};

use crate::CommandError;
use crate::console::Console;
use crate::profile::Profile;
use crate::simulator::Simulator;

/// Returns the error that `exec --gdb` is not available.
pub(crate) fn debug(
    profile: &Profile,
    _: &Simulator,
    _: &mut dyn Executor,
    _: u16,
    _: &mut Console<'_>,
) -> Result<Ended, CommandError> {
    let name = profile.name;
    Err(CommandError::Usage(format!(
        "--gdb: `{name}` was built without the feature `gdb` of the crate `isa-cli`"
    )))
}
