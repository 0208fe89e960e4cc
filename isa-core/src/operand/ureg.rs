//! Uniform registers.

use super::numbered::numbered_kind;

numbered_kind! {
    /// A uniform register, `UR0` to `UR62`, or the zero register `URZ`.
    ///
    /// ```
    /// use isa_core::operand::UReg;
    ///
    /// let operand: UReg = "UR4".parse()?;
    /// assert_eq!(operand, UReg::UR4);
    /// assert_eq!(operand.number(), Some(4));
    /// assert_eq!(UReg::URZ.to_string(), "URZ");
    /// assert_eq!(UReg::new(63), None);
    /// # Ok::<(), isa_core::text::OperandError>(())
    /// ```
    UReg: 32 bits of u32, 6 bits, at most 4 characters, "a uniform register (`UR0` to `UR62`, or `URZ`)";

    /// The register that reads as 0.
    URZ = 63;

    names: Numbered {
        prefix: "UR",
        first: 0,
        step: 1,
        count: 63,
        last: "URZ",
        unknown: "no such uniform register: uniform registers are `UR0` to `UR62` and `URZ`",
        letter_case: "uniform registers are written in upper case",
    };

    "The uniform register `":
    UR0 UR1 UR2 UR3 UR4 UR5 UR6 UR7 UR8 UR9 UR10 UR11
    UR12 UR13 UR14 UR15 UR16 UR17 UR18 UR19 UR20 UR21 UR22 UR23
    UR24 UR25 UR26 UR27 UR28 UR29 UR30 UR31 UR32 UR33 UR34 UR35
    UR36 UR37 UR38 UR39 UR40 UR41 UR42 UR43 UR44 UR45 UR46 UR47
    UR48 UR49 UR50 UR51 UR52 UR53 UR54 UR55 UR56 UR57 UR58 UR59
    UR60 UR61 UR62
}
