//! Inspects and replaces operands, for programs that rewrite instructions.

use core::fmt;

use crate::error::DecodeError;
use crate::inst::Operand;
use crate::operand::Kind;
use crate::table::{Init, Item, Slot};
use crate::text::Line;

impl Operand {
    /// Returns the text of the operand as its type prints it, without operators and modifiers. It
    /// may differ from the text of the instruction if the field has its own format.
    #[must_use]
    pub fn text(&self) -> Line {
        let (kind, bits, mut line) = (self.field().kind, self.bits(), Line::new());
        match kind.text {
            Some(text) => (text.write)(bits, &[], &mut line),
            None => line.push_str(kind.value(bits).map_or("", |value| value.name)),
        }
        line
    }

    /// Returns whether the operand precedes the mnemonic. It is then the guard, which decides
    /// whether the instruction has an effect.
    #[must_use]
    pub fn is_guard(&self) -> bool {
        self.slot_in(self.opcode().syntax.before).is_some()
    }

    /// Returns whether the operand has no operators and no modifiers: all other fields in its text have
    /// their defaults. For example, an instruction always has an effect if its guard is unmarked and
    /// always true.
    #[must_use]
    pub fn is_unmarked(&self) -> bool {
        let syntax = self.opcode().syntax;
        let slot = self.slot_in(syntax.before).or_else(|| self.slot_in(syntax.after));
        slot.is_none_or(|slot| {
            let marks = slot.affixes.iter().map(|affix| affix.symbol);
            marks.chain(slot.suffixes.iter().copied()).all(|symbol| {
                let field = self.opcode().bound(symbol);
                field.is_none_or(|(_, field)| match field.init {
                    Init::Default(raw) => field.get(self.word()) == raw,
                    Init::Fixed(_) => true,
                    Init::Required => false,
                })
            })
        })
    }

    /// Searches `items` of the template for the placeholder of the operand.
    fn slot_in(&self, items: &'static [Item]) -> Option<&'static Slot> {
        items.iter().find_map(|item| match item {
            Item::Slot(slot) => {
                let (_, field) = self.opcode().bound(slot.symbol)?;
                core::ptr::eq(field, self.field()).then_some(slot)
            }
            Item::Optional(items) => self.slot_in(items),
            Item::Text(_) | Item::Tags(_) => None,
        })
    }

    /// Returns the word of the instruction with the operand `other` instead of this operand.
    /// `other` may belong to another instruction, but must have the same type.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u32;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Int: 8 = isa_core::operand::Signed<8>;
    /// #     enum Op: 8 { ADD = 1 }
    /// #     opcode ADD {
    /// #         encoding { field<24, 8> Op op == ADD; field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Int by; }
    /// #         syntax { ADD Rd, Ra, by; }
    /// #         operands { InList<ra, by>; OutList<rd>; Order<rd, ra, by>; }
    /// #         exception { EncodingError<Same, "a register is not added to itself"> = rd == ra; }
    /// #     }
    /// # }
    /// use isa_core::ReplaceError;
    ///
    /// let add: Tiny = "ADD R1, R2, 3;".parse().unwrap();
    /// let other: Tiny = "ADD R7, R8, 9;".parse().unwrap();
    /// let [rd, ra, _] = [0, 1, 2].map(|index| add.operands().nth(index).unwrap());
    /// let [r7, r8, nine] = [0, 1, 2].map(|index| other.operands().nth(index).unwrap());
    /// let word = ra.replaced_by(&r8).unwrap();
    /// assert_eq!(Tiny::SET.decode(word).unwrap().name, "ADD");
    /// assert_eq!(Tiny::decode(word as u32).unwrap().to_string(), "ADD R1, R8, 3;");
    /// assert!(matches!(ra.replaced_by(&nine), Err(ReplaceError::OtherKind { .. })));
    /// let illegal = rd.replaced_by(&ra).unwrap_err();
    /// assert_eq!(illegal.to_string(), "ADD: a register is not added to itself (Same: rd == ra)");
    /// assert!(rd.replaced_by(&r7).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the other operand has a different type, or if the word would be invalid.
    pub fn replaced_by(&self, other: &Operand) -> Result<u128, ReplaceError> {
        let (own, other_kind) = (self.field().kind, other.field().kind);
        if !core::ptr::eq(own, other_kind) {
            return Err(ReplaceError::OtherKind { own, other: other_kind });
        }
        self.with_bits(other.bits())
    }

    /// Returns the word of the instruction with `bits` as the bits of this operand.
    ///
    /// # Errors
    ///
    /// Returns an error if the bits do not fit the field, if the opcode fixes the field to other
    /// bits, or if the word would be invalid.
    pub fn with_bits(&self, bits: u64) -> Result<u128, ReplaceError> {
        let field = self.field();
        let width = field.width();
        if bits.unbounded_shr(width) != 0 {
            return Err(ReplaceError::TooWide { bits, width });
        }
        if matches!(field.init, Init::Fixed(fixed) if fixed != bits) {
            return Err(ReplaceError::Fixed { field: field.name });
        }
        let word = field.set(self.word(), bits);
        self.opcode().validate(word).map(|()| word).map_err(ReplaceError::Illegal)
    }
}

/// The reason why an operand cannot replace another.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The operands have different types.
    OtherKind {
        /// The type of the operand to be replaced.
        own: &'static Kind,
        /// The type of the other operand.
        other: &'static Kind,
    },
    /// The opcode fixes the field.
    Fixed {
        /// The name of the field.
        field: &'static str,
    },
    /// The bits do not fit the field.
    TooWide {
        /// The bits.
        bits: u64,
        /// The width of the field in bits.
        width: u32,
    },
    /// The word would not be a valid instruction of the opcode.
    Illegal(DecodeError),
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplaceError::OtherKind { own, other } => {
                write!(f, "expected an operand of type {}, found {}", own.name, other.name)
            }
            ReplaceError::Fixed { field } => write!(f, "the opcode fixes `{field}`"),
            ReplaceError::TooWide { bits, width } => {
                write!(f, "{bits:#x} does not fit in the {width} bits of the operand")
            }
            ReplaceError::Illegal(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ReplaceError {}
