//! Parsing of addresses and of numbers with names.

use crate::text::{
    AddressPart, Cause, Cursor, InstructionContext, OVER_64_BITS, OperandError, begins_name,
    is_name,
};

/// A sum of numbers and constants, with at most one label.
struct LabelSum<'t> {
    /// The label in the sum, if there is one, with its actual or assumed address.
    label: Option<(&'t str, u64)>,
    /// The sum of the numbers and constants.
    number: i128,
}

impl<'t> Cursor<'t> {
    /// Parses an address: the name of a label, or `.` for the address of the instruction. After the
    /// `.`, `+` or `-` and a number of bytes can follow.
    ///
    /// The address wraps around at the address width of the set that parses the text. For example, if
    /// the set declares `addresses 16;`, the address two bytes before 1 is 0xffff. A constant with more
    /// bits is not truncated.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no name, if the name is unknown, or if the position in the
    /// program is unknown.
    pub fn address(&mut self) -> Result<u64, OperandError> {
        // Does not skip the trivia after a name, because the text there may be the next token of a
        // template.
        self.skip_trivia();
        let is_here = matches!(self.rest(), [b'.', behind @ ..] if !behind.first().is_some_and(|&b| is_name(b)));
        if is_here {
            return self.address_with_addend();
        }
        let name = self.clone().name();
        self.place().map(|address| self.within(address, name))
    }

    /// Parses the address of a target for a built-in operand type. A number after a name belongs to the
    /// address if [`Cursor::set_takes_sums`] allows it.
    pub(crate) fn target(&mut self) -> Result<u64, OperandError> {
        if self.takes_sums() { self.address_with_addend() } else { self.address() }
    }

    /// Parses like [`Cursor::address`], but also accepts `+` or `-` and a number after a name. Use it
    /// for a custom operand type that accepts `label + 8`.
    ///
    /// In an object the number becomes the addend of the relocation
    /// ([`Relocation::addend`](crate::asm::Relocation::addend)).
    ///
    /// ```
    /// use isa_core::text::{Cursor, InstructionContext};
    ///
    /// let labels = [("table", 0x1000)];
    /// let site = InstructionContext::new(0, &labels);
    /// let read = |text| Cursor::in_context(text, &site).address_with_addend();
    /// assert_eq!((read("table + 8"), read("table - 0x10")), (Ok(0x1008), Ok(0xff0)));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no name, if the name is unknown, or if the position in the program
    /// is unknown. Also returns an error if the number after the name has more than 64 bits.
    pub fn address_with_addend(&mut self) -> Result<u64, OperandError> {
        self.skip_trivia();
        let name = self.clone().name();
        let (address, number) = (self.place()?, self.addend()?);
        match self.context_unasked().and_then(InstructionContext::linker) {
            Some(linker) if name != "." => {
                linker.refer(name, number, None);
                Ok(self.within(address, name))
            }
            // Addresses wrap around.
            _ => Ok(self.within(address.wrapping_add(number as u64), name)),
        }
    }

    /// Truncates an address to the address width of the set that parses the text. If the name is a
    /// constant with more bits, its value is not truncated.
    fn within(&self, address: u64, name: &str) -> u64 {
        let above = u64::MAX.unbounded_shl(self.address_bits().into());
        let is_number = || {
            let constant = self.context_unasked().and_then(|site| site.labels.constant(name));
            constant.is_some() && address.cast_signed() >= 0
        };
        if address & above == 0 || is_number() { address } else { address & !above }
    }

    /// Parses one of these parts of an address, such as `%hi(table + 8)`, and returns its value.
    /// Returns `None` if the text at the cursor does not begin with any of them.
    ///
    /// The text inside is a label, `.`, a number or a constant, followed by more numbers and constants
    /// with `+` or `-`. In an object, the linker fills in a part that contains a label. The function
    /// then returns 0, and the relocation type is requested with
    /// [`Reference::Part`](crate::asm::Reference::Part).
    ///
    /// The operand type [`AddressPartOr`](crate::operand::AddressPartOr) uses this method. A custom operand type
    /// can use it too:
    ///
    /// ```
    /// use isa_core::text::{Cursor, InstructionContext};
    /// use isa_core::operand::AddressPart;
    ///
    /// const BANK: &[AddressPart] =
    ///     &[AddressPart::new("bank(", ")", |address| (address >> 16).into())];
    ///
    /// let labels = [("table", 0x4_fffc)];
    /// let site = InstructionContext::new(0, &labels);
    /// let read = |text| Cursor::in_context(text, &site).address_part(BANK);
    /// assert_eq!(read("bank(table)"), Ok(Some(4)));
    /// assert_eq!(read("bank(table + 4)"), Ok(Some(5)));
    /// assert_eq!(read("bank(0x70000)"), Ok(Some(7)));
    /// assert_eq!(read("7"), Ok(None), "no part: what else the kind reads");
    /// assert!(read("bank(tabel)").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a part begins but has no address or no end, or if its label is unknown. If
    /// the position in the program is unknown, it also returns an error for a label, and for a part
    /// that is relative to the position. Outside an object, it returns an error for a part whose value
    /// only a linker knows.
    pub fn address_part(
        &mut self,
        parts: &'static [AddressPart],
    ) -> Result<Option<i128>, OperandError> {
        self.skip_trivia();
        let start = self.position();
        let Some(part) = parts.iter().find(|part| self.eat_text(part.open)) else {
            return Ok(None);
        };
        let LabelSum { label, number } = self.sum()?;
        let behind = self.position();
        if !self.eat_text(part.close) {
            self.seek(behind);
            return Err(self.fault(behind, part.unclosed()));
        }
        let site = self.context_unasked();
        if let (Some((name, _)), Some(linker)) = (label, site.and_then(InstructionContext::linker))
        {
            return Ok(Some(linker.refer(name, number, Some(part))));
        }
        // Addresses wrap around.
        let address = label.map_or(0, |(_, address)| address).wrapping_add(number as u64);
        let place =
            if part.counts_from_here() { self.context().map(|site| site.address) } else { None };
        part.number(address, place).map(Some).map_err(|message| self.fault(start, message))
    }

    /// Parses a sum with at most one label, which must not follow a `-`.
    fn sum(&mut self) -> Result<LabelSum<'t>, OperandError> {
        let mut sum = LabelSum { label: None, number: 0 };
        let mut is_subtracted = self.eat(b'-');
        loop {
            self.term(is_subtracted, &mut sum)?;
            let mut ahead = self.clone();
            is_subtracted = ahead.eat(b'-');
            let goes_on = is_subtracted || ahead.eat(b'+');
            let next = ahead.peek().is_some_and(|byte| byte.is_ascii_digit());
            // The text after it may be the next token of a template.
            if !goes_on || !(next || begins_name(ahead.rest())) {
                return Ok(sum);
            }
            *self = ahead;
        }
    }

    /// Parses a label, a number or a constant, and adds it to a sum or subtracts it.
    fn term(&mut self, is_subtracted: bool, sum: &mut LabelSum<'t>) -> Result<(), OperandError> {
        self.skip_trivia();
        let start = self.position();
        let number = match self.constant() {
            Some(number) => number,
            None if begins_name(self.rest()) => {
                let name = self.clone().name();
                let address = self.place_or_open()?;
                if is_subtracted || sum.label.is_some() {
                    let message = "expected a single label, which is not subtracted";
                    return Err(self.fault(start, message));
                }
                sum.label = Some((name, address));
                return Ok(());
            }
            None => self.short_number()?.into(),
        };
        // No text is long enough for this sum to overflow.
        sum.number = sum.number.wrapping_add(if is_subtracted { -number } else { number });
        Ok(())
    }

    /// Parses the name of a constant, if there is one, and returns its value.
    pub(crate) fn constant(&mut self) -> Option<i128> {
        let mut ahead = self.clone();
        let number = self.context_unasked()?.labels.constant(ahead.name())?;
        *self = ahead;
        Some(number)
    }

    /// Parses a number with its sign, or a constant. `+` or `-` and a number after it are added.
    #[cfg(feature = "alloc")]
    pub(crate) fn signed(&mut self) -> Result<i128, OperandError> {
        let negative = self.eat(b'-');
        let start = self.position();
        let signed = |size: i128| if negative { -size } else { size };
        let size = match self.constant() {
            Some(number) => return Ok(signed(number) + self.addend()?),
            None if begins_name(self.rest()) => {
                let name = self.name();
                // Looks up the name although the result is not used, because the labels may record the
                // names that are looked up.
                let _ = self.context_unasked().map(|site| site.labels.address(name));
                let fault = self.fault(start, "unknown constant");
                return Err(OperandError { cause: Cause::UnknownConstant, ..fault });
            }
            None => i128::try_from(self.number()?).unwrap_or(i128::MAX),
        };
        Ok(signed(size))
    }

    /// Returns the address of a label or of the instruction.
    pub(crate) fn place(&mut self) -> Result<u64, OperandError> {
        self.skip_trivia();
        let start = self.position();
        let name = self.name();
        if name.is_empty() {
            return Err(self.fault(start, "expected a label"));
        }
        let Some(site) = self.context() else {
            return Err(
                self.fault(start, "labels are valid only in a program: write a number instead")
            );
        };
        let address = match name {
            "." => Some(site.address),
            _ => site.labels.address(name),
        };
        address.ok_or_else(|| {
            let fault = self.fault(start, "unknown label");
            OperandError { cause: Cause::UnknownLabel, ..fault }
        })
    }

    /// Returns the address of a label or of the instruction. If a linker fills in the address of a
    /// label, the address is 0.
    fn place_or_open(&mut self) -> Result<u64, OperandError> {
        let is_open = self.context_unasked().and_then(InstructionContext::linker).is_some();
        match self.place() {
            Err(OperandError { cause: Cause::UnknownLabel, .. }) if is_open => Ok(0),
            found => found,
        }
    }

    /// Parses `+` or `-` and a number of 64 bits; returns 0 if there is none.
    fn addend(&mut self) -> Result<i128, OperandError> {
        let mut ahead = self.clone();
        let negative = ahead.eat(b'-');
        if !(negative || ahead.eat(b'+')) || !ahead.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Ok(0);
        }
        *self = ahead;
        let size = i128::from(self.short_number()?);
        Ok(if negative { -size } else { size })
    }

    /// Parses a number of at most 64 bits.
    fn short_number(&mut self) -> Result<u64, OperandError> {
        let start = self.position();
        let number = u64::try_from(self.number()?);
        number.map_err(|_| self.fault(start, OVER_64_BITS))
    }
}
