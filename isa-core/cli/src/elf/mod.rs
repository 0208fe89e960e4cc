//! ELF objects, which `asm` writes and `dis` and `exec` read.

mod list;
mod names;
mod read;
mod run;
mod write;

pub(super) use list::list;
pub(super) use run::execute;
pub(super) use write::assemble;

use super::Stop;
use super::console::Console;
use super::input::Input;

/// Reads all bytes of a file.
fn read_all(input: &mut Input<'_>, console: &mut Console<'_>) -> Result<Vec<u8>, Stop> {
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
