//! The few Linux features that programs without a C library need: arguments, `write` and `exit`.

use core::fmt;
use std::io::Write;

use isa_core::machine::Runner;

use super::elf::Executable;
use super::hart::{Hart, Segment};
use super::machine::{Control, Registers};
use super::{Reg, Rv64imac, Trap};

/// The end of the stack, and its size in bytes.
const STACK_END: u64 = 0x40_0000_0000;
const STACK: u64 = 8 << 20;

/// The numbers of the supported system calls.
const WRITE: u64 = 64;
const EXIT: u64 = 93;
const EXIT_GROUP: u64 = 94;

/// Error numbers, which a system call returns as negative values.
const EBADF: u64 = 9;
const EFAULT: u64 = 14;
const ENOSYS: u64 = 38;

/// The reason why a program stopped before it exited.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProgramStop {
    /// The instruction at this address trapped.
    Trap(u64, Trap),
    /// The output of the program could not be written.
    Output(std::io::Error),
}

impl fmt::Display for ProgramStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramStop::Trap(pc, trap) => write!(f, "at {pc:#x}: {trap}"),
            ProgramStop::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for ProgramStop {}

/// Creates a processor at the start of a program, with the program's name and arguments on its
/// stack.
///
/// # Errors
///
/// Returns `None` if the arguments do not fit on the stack.
#[must_use]
pub fn start(program: Executable, arguments: &[String]) -> Option<Hart> {
    let Executable { entry, mut segments } = program;
    let mut texts = Vec::new();
    let mut words = vec![arguments.len() as u64];
    let offsets = arguments.iter().map(|argument| {
        let offset = texts.len() as u64;
        texts.extend(argument.bytes().chain([0]));
        offset
    });
    let offsets: Vec<u64> = offsets.collect();
    let first = STACK_END.checked_sub(texts.len() as u64)?;
    words.extend(offsets.iter().map(|offset| first + offset));
    // The zero that ends the arguments, the zero that ends the environment, and the pair of zeros
    // that ends the auxiliary vector.
    words.extend([0; 4]);
    let sp = first.checked_sub(words.len() as u64 * 8)? & !15;
    let start = STACK_END - STACK;
    let mut bytes = vec![0; STACK as usize];
    let place = usize::try_from(sp.checked_sub(start)?).ok()?;
    for (to, word) in bytes[place..].chunks_mut(8).zip(&words) {
        to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
    }
    let texts_at = (first - start) as usize;
    bytes[texts_at..].copy_from_slice(&texts);
    segments.push(Segment { start, bytes, writable: true, executable: false });
    let mut hart = Hart::new(segments, entry);
    hart.set_reg(Reg::SP.number(), sp);
    Some(hart)
}

/// Runs a program until it exits and returns its exit status.
///
/// # Errors
///
/// Returns an error if an instruction traps and is not a system call, or if output fails.
pub fn run(hart: &mut Hart, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, ProgramStop> {
    let mut runner = Runner::new(Rv64imac::executor);
    loop {
        let trap = hart.run_with(&mut runner);
        if let Some(status) = serve(hart, trap, out, err)? {
            return Ok(status);
        }
    }
}

/// Executes the system call of an instruction that trapped. Returns the exit status if the program
/// exits.
///
/// # Errors
///
/// Returns an error if the trap is not a system call, or if output fails.
pub fn serve(
    hart: &mut Hart,
    trap: Trap,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Option<u8>, ProgramStop> {
    if trap != Trap::EnvironmentCall {
        return Err(ProgramStop::Trap(hart.pc(), trap));
    }
    let [file, address, count, service] =
        [Reg::A0, Reg::A1, Reg::A2, Reg::A7].map(|reg| hart.reg(reg.number()));
    let result = match (service, file) {
        (EXIT | EXIT_GROUP, status) => {
            out.flush().and_then(|()| err.flush()).map_err(ProgramStop::Output)?;
            return Ok(Some(status as u8));
        }
        (WRITE, 1) => write(hart, address, count, out)?,
        (WRITE, 2) => write(hart, address, count, err)?,
        (WRITE, _) => EBADF.wrapping_neg(),
        _ => ENOSYS.wrapping_neg(),
    };
    hart.set_reg(Reg::A0.number(), result);
    hart.skip();
    Ok(None)
}

fn write(hart: &Hart, address: u64, count: u64, to: &mut dyn Write) -> Result<u64, ProgramStop> {
    match hart.bytes(address, count) {
        Ok(bytes) => to.write_all(&bytes).map(|()| count).map_err(ProgramStop::Output),
        Err(_) => Ok(EFAULT.wrapping_neg()),
    }
}
