//! Predicates.

use super::numbered::numbered_kind;

numbered_kind! {
    /// A predicate, `P0` to `P6`, or the true predicate `PT`.
    ///
    /// ```
    /// use isa_core::operand::Pred;
    ///
    /// let operand: Pred = "P4".parse()?;
    /// assert_eq!(operand, Pred::P4);
    /// assert_eq!(operand.number(), Some(4));
    /// assert_eq!(Pred::PT.to_string(), "PT");
    /// assert_eq!(Pred::new(7), None);
    /// # Ok::<(), isa_core::text::OperandError>(())
    /// ```
    Pred: 1 bits of bool, 3 bits, at most 2 characters, "a predicate (`P0` to `P6`, or `PT`)";

    /// The predicate that reads as true and ignores writes.
    PT = 7;

    names: Numbered {
        prefix: "P",
        first: 0,
        step: 1,
        count: 7,
        last: "PT",
        unknown: "no such predicate: expected `P0` to `P6`, or `PT`",
        letter_case: "predicates are written in upper case",
    };

    "The predicate `":
    P0 P1 P2 P3 P4 P5 P6
}
