//! Lets the debugger gdb control a program, for `exec --gdb`.

#[cfg(feature = "gdb")]
mod connection;
#[cfg(feature = "gdb")]
mod debugger;
#[cfg(feature = "gdb")]
mod registers;
#[cfg(feature = "gdb")]
mod session;
#[cfg(not(feature = "gdb"))]
mod unsupported;

#[cfg(feature = "gdb")]
pub(crate) use session::debug;
#[cfg(not(feature = "gdb"))]
pub(crate) use unsupported::debug;
