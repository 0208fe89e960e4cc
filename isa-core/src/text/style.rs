//! Print options for numbers and targets.

/// How instructions are printed at an address: in the default style, with other numbers and targets,
/// or without trailing attributes.
///
/// ```
/// use isa_core::text::Style;
/// # isa_core::define_isa! {
/// #     /// Adds and branches.
/// #     pub isa Toy: u32;
/// #     operand Int: 8 = isa_core::operand::Signed<8>;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 4 { ADD = 1, BRA = 2 }
/// #     opcode ADD { encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Int by; } syntax { ADD rd, by; } }
/// #     opcode BRA { encoding { field<0, 4> Op op == BRA; field<8, 8> Target to; } syntax { BRA to; } }
/// # }
///
/// let style = Style::new().hexadecimal().addresses();
/// let show = |text: &str| text.parse::<Toy>().unwrap().at(0x1000, &[("main", 0x1010)]).style(style).to_string();
/// assert_eq!(show("ADD R12, -12;"), "ADD R12, -0xc;");
/// assert_eq!(show("BRA -16;"), "BRA 0xff0;");
/// assert_eq!(show("BRA 16;"), "BRA main;");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Style {
    pub(crate) hexadecimal: bool,
    pub(crate) addresses: bool,
    pub(crate) hides_attributes: bool,
}

impl Style {
    /// Creates the default style.
    #[must_use]
    pub const fn new() -> Self {
        Style { hexadecimal: false, addresses: false, hides_attributes: false }
    }

    /// Prints numbers in hexadecimal that are decimal by default. This applies to operand types and
    /// formats that declare their parts ([`PARTS`](crate::operand::OperandKind::PARTS)). Operand
    /// types for numbers accept both.
    #[must_use]
    pub const fn hexadecimal(self) -> Self {
        Style { hexadecimal: true, ..self }
    }

    /// Prints the addresses of targets without a label instead of their distances. Such text is for
    /// people: an assembler parses such a number as the distance.
    #[must_use]
    pub const fn addresses(self) -> Self {
        Style { addresses: true, ..self }
    }

    /// Leaves out trailing attributes, for example the control words of a GPU. Such text is for people:
    /// an assembler sets the attributes to their defaults.
    ///
    /// ```
    /// use isa_core::text::Style;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Toy: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 4 { NEG = 1 }
    /// #     enum Wait: 1 { GO = 0, WAIT = 1 }
    /// #     opcode NEG {
    /// #         encoding { field<0, 4> Op op == NEG; field<4, 1> Wait wait = GO; field<8, 8> Reg rd; }
    /// #         syntax { NEG rd $wait; }
    /// #     }
    /// # }
    ///
    /// let neg: Toy = "NEG R1 WAIT;".parse().unwrap();
    /// assert_eq!(neg.at(0, &()).to_string(), "NEG R1 WAIT;");
    /// assert_eq!(neg.at(0, &()).style(Style::new().without_attributes()).to_string(), "NEG R1;");
    /// ```
    #[must_use]
    pub const fn without_attributes(self) -> Self {
        Style { hides_attributes: true, ..self }
    }

    /// Returns whether addresses of targets are printed instead of distances.
    #[must_use]
    pub const fn prints_addresses(self) -> bool {
        self.addresses
    }

    /// Returns whether trailing attributes are printed.
    #[must_use]
    pub const fn prints_attributes(self) -> bool {
        !self.hides_attributes
    }

    /// Returns whether this is not the default style.
    pub(crate) const fn is_unusual(self) -> bool {
        self.hexadecimal || self.addresses || self.hides_attributes
    }
}
