//! The traits by which semantics read and write an operand on a machine.

use super::OperandKind;

/// An operand type that can be read on machines of type `M`.
#[diagnostic::on_unimplemented(
    message = "the operand type `{Self}` cannot be read on this machine: it is not a `Source`",
    label = "semantics read an operand of this type",
    note = "if `registers!` defines `{Self}`, add `in Machine {{ reg, set_reg }}` to its line: a trait \
            and its two methods",
    note = "otherwise write `impl<M: Machine + ?Sized> isa_core::machine::Source<M> for {Self}`; \
            `Machine` is the trait of the machine"
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
    message = "the operand type `{Self}` cannot be written on this machine: it is not a `Sink`",
    label = "semantics write an operand of this type",
    note = "if `registers!` defines `{Self}`, add `in Machine {{ reg, set_reg }}` to its line: a trait \
            and its two methods",
    note = "otherwise write `impl<M: Machine + ?Sized> isa_core::machine::Sink<M> for {Self}`; \
            `Machine` is the trait of the machine"
)]
pub trait Sink<M: ?Sized>: OperandKind<Value: Default> {
    /// Sets the value of the operand.
    fn store(self, machine: &mut M, value: Self::Value);
}
