//! The state of a machine that a runner needs.

/// A machine whose program counter and code a [`Runner`](super::Runner) can access.
///
/// Each machine of [`named_state!`](crate::named_state) is a processor.
pub trait Processor {
    /// Returns the address of the current instruction.
    fn pc(&self) -> u64;

    /// Returns the address of the instruction that is executed next: the target of a jump, or else
    /// the address after the current instruction.
    fn next(&self) -> u64;

    /// Makes the instruction at `address` the current one. `next` is the address after it.
    fn begin(&mut self, address: u64, next: u64);

    /// Copies the bytes at an address that may be executed into `bytes`, and returns their number.
    /// Returns 0 if the processor cannot execute instructions at this address.
    fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize;

    /// Watches the bytes of an instruction that the runner has decoded and stored.
    fn watch(&mut self, address: u64, length: u64);

    /// Returns whether watched bytes may have changed since the last call. If so, the processor watches
    /// no bytes any more, and the runner forgets all decoded instructions.
    /// Another runner does not see this change, so only one runner may store instructions of a processor.
    fn take_code_change(&mut self) -> bool;

    /// Returns whether a store to the next instruction takes effect immediately. Otherwise stored
    /// instructions may be executed only after an instruction that
    /// [has other effects](crate::table::Effects::has_others), such as a fence. The runner is then
    /// faster, because stores do not end a block.
    fn is_coherent(&self) -> bool {
        true
    }

    /// Counts executed instructions. Before an instruction that can observe the count, the runner has
    /// counted all earlier instructions.
    fn retire(&mut self, count: u64) {
        let _ = count;
    }
}

/// The maximum length of an instruction in bytes.
pub const MAX_LENGTH: usize = 16;
