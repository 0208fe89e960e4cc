//! Copies the modifiers of one instruction to another.

use crate::table::{Field, Init, Opcode};

impl Opcode {
    /// Copies the modifiers and trailing attributes from a word of another opcode to a word of this
    /// opcode. Returns the new word, and the modifiers that this opcode does not support. Fields and
    /// values are matched by name. The result is valid: if two modifiers exclude each other, the first
    /// one in the other word is used. Operands and their prefix and suffix operators are unchanged.
    ///
    /// `with_modifiers_of` of an instruction type, and of a set's enum, is the typed version.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// Two instructions with modifiers.
    /// #     pub isa Tiny: u32;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 4 { ADD = 1, NEG = 2 }
    /// #     enum Sat: 1 { NoSAT = 0, SAT = 1 }
    /// #     enum Round: 2 { RN = 0, RZ = 1 }
    /// #     enum Toward: 1 { RN = 0, RZ = 1 }
    /// #     opcode ADD {
    /// #         encoding {
    /// #             field<0, 4> Op op == ADD; field<4, 1> Sat sat = NoSAT; field<5, 2> Round rnd = RN;
    /// #             field<8, 8> Reg rd; field<16, 8> Reg ra;
    /// #         }
    /// #         syntax { ADD{.SAT}{.rnd} Rd, Ra; }
    /// #         operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
    /// #     }
    /// #     opcode NEG {
    /// #         encoding { field<0, 4> Op op == NEG; field<4, 1> Toward rnd = RN; field<8, 8> Reg rd; }
    /// #         syntax { NEG{.rnd} Rd; }
    /// #         operands { InList<rd>; OutList<rd>; Order<rd>; }
    /// #     }
    /// # }
    /// let add: Tiny = "ADD.SAT.RZ R1, R2;".parse()?;
    /// let (neg, lost) = "NEG R3;".parse::<Tiny>()?.with_modifiers_of(add);
    /// assert_eq!(neg.to_string(), "NEG.RZ R3;");
    /// assert_eq!(lost.map(|field| field.name).collect::<Vec<_>>(), ["sat"]);
    /// # Ok::<(), isa_core::ParseError>(())
    /// ```
    #[must_use]
    pub fn with_modifiers_of(
        &'static self,
        mut word: u128,
        other: &'static Opcode,
        other_word: u128,
    ) -> (u128, DroppedModifiers) {
        let lost =
            |word| DroppedModifiers { own: (self, word), other: (other, other_word), place: 0 };
        // A modifier that is invalid at first may be valid after another one is copied.
        loop {
            let before = word;
            for field in lost(before) {
                let wanted = self.wanted(field, other_word);
                let changed = wanted.map(|(own, raw)| own.set(word, raw));
                word = changed.filter(|changed| self.check(*changed)).unwrap_or(word);
            }
            if word == before {
                return (word, lost(word));
            }
        }
    }

    /// Returns the field with the same name as a field of another opcode, and its value with the
    /// meaning of the other field's value in `word`.
    fn wanted(&self, other: &Field, word: u128) -> Option<(&'static Field, u64)> {
        let (own, raw) = (self.fields.iter().find(|own| own.name == other.name)?, other.get(word));
        let named = match other.kind.value(raw) {
            Some(value) => own.kind.value_named(value.name).map(|value| value.raw),
            None => Some(raw).filter(|_| own.kind.name == other.kind.name),
        };
        // The text of the other instruction does not contain a field with its default, so the field has
        // the default of this opcode in the result.
        let unsaid = match (other.init, own.init) {
            (Init::Default(default), Init::Default(own)) if default == raw => Some(own),
            _ => None,
        };
        Some((own, named.or(unsaid)?))
    }
}

/// The fields of the modifiers and trailing attributes that an instruction does not support.
/// Returned by [`Opcode::with_modifiers_of`].
#[derive(Debug, Clone)]
pub struct DroppedModifiers {
    own: (&'static Opcode, u128),
    other: (&'static Opcode, u128),
    /// The index of the next field of the other opcode.
    place: usize,
}

impl Iterator for DroppedModifiers {
    type Item = &'static Field;

    fn next(&mut self) -> Option<&'static Field> {
        let ((own, word), (other, other_word)) = (self.own, self.other);
        loop {
            let (place, field) = (self.place, *other.fields.get(self.place)?);
            self.place += 1;
            let is_operand = other.operands.iter().any(|it| usize::from(it.field) == place);
            if is_operand || field.name.contains('.') || matches!(field.init, Init::Fixed(_)) {
                continue;
            }
            let is_kept = match own.wanted(field, other_word) {
                Some((own, raw)) => own.get(word) == raw,
                // A missing field is treated as if it had its default.
                None => matches!(field.init, Init::Default(raw) if raw == field.get(other_word)),
            };
            if !is_kept {
                return Some(field);
            }
        }
    }
}

impl core::iter::FusedIterator for DroppedModifiers {}
