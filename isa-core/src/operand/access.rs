//! The traits by which semantics read and write an operand on a machine.

use super::OperandKind;

/// An operand type that can be read on machines of type `M`.
#[diagnostic::on_unimplemented(
    message = "the operand kind `{Self}` cannot be read on this machine: it is no `Source`",
    label = "semantics read an operand of this kind",
    note = "if `{Self}` is of `registers!`, add to its line how a machine has it: \
            `in Machine {{ reg, set_reg }}`, a trait and its two methods",
    note = "else write `impl<M: Machine + ?Sized> isa_core::machine::Source<M> for {Self}`, with \
            the trait of the machine in place of `Machine`"
)]
pub trait Source<M: ?Sized>: OperandKind {
    /// Returns the value of the operand.
    fn fetch(self, machine: &M) -> Self::Value;

    /// Copies the operand's value in every lane of the warp into `row`. Returns false if `machine` is
    /// not a lane of a warp, if the values are not stored as a row, or if `row` does not have one
    /// element for each lane. This method exists because the compiler does not reliably convert a loop
    /// over the lanes to a copy.
    #[doc(hidden)]
    #[inline(always)]
    fn fetch_row(self, _machine: &M, _row: &mut [Self::Value]) -> bool {
        false
    }
}

/// An operand type that can be written on machines of type `M`.
///
/// The type of its values implements `Default`, because a [`Warp`](crate::machine::Warp) initializes its results with the
/// default.
#[diagnostic::on_unimplemented(
    message = "the operand kind `{Self}` cannot be written on this machine: it is no `Sink`",
    label = "semantics write an operand of this kind",
    note = "if `{Self}` is of `registers!`, add to its line how a machine has it: \
            `in Machine {{ reg, set_reg }}`, a trait and its two methods",
    note = "else write `impl<M: Machine + ?Sized> isa_core::machine::Sink<M> for {Self}`, with the \
            trait of the machine in place of `Machine`"
)]
pub trait Sink<M: ?Sized>: OperandKind<Value: Default> {
    /// Sets the value of the operand.
    fn store(self, machine: &mut M, value: Self::Value);
}
