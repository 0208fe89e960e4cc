//! Properties that distinguish opcodes: bits that only some of them fix, reserved values,
//! exceptions.

isa_core::define_isa! {
    /// Three patterns that are pairwise disjoint, with no bit that all three fix.
    isa Three: u16;

    enum Bit: 1 { ZERO = 0, ONE = 1 }

    opcode P10X {
        encoding { field<2, 1> Bit b2 == ONE; field<1, 1> Bit b1 == ZERO; field<0, 1> Bit b0; }
        syntax { p10x.b0; }
    }
    opcode PX10 {
        encoding { field<1, 1> Bit b1 == ONE; field<0, 1> Bit b0 == ZERO; field<2, 1> Bit b2; }
        syntax { px10.b2; }
    }
    opcode P0X1 {
        encoding { field<2, 1> Bit b2 == ZERO; field<0, 1> Bit b0 == ONE; field<1, 1> Bit b1; }
        syntax { p0x1.b1; }
    }
}

mod four {
    isa_core::define_isa! {
        /// Four such patterns.
        pub(super) isa Four: u16;

        enum Bit: 1 { ZERO = 0, ONE = 1 }

        opcode P010X {
            encoding {
                field<3, 1> Bit b3 == ZERO; field<2, 1> Bit b2 == ONE;
                field<1, 1> Bit b1 == ZERO; field<0, 1> Bit b0;
            }
            syntax { p010x.b0; }
        }
        opcode P0X10 {
            encoding {
                field<3, 1> Bit b3 == ZERO; field<2, 1> Bit b2;
                field<1, 1> Bit b1 == ONE;  field<0, 1> Bit b0 == ZERO;
            }
            syntax { p0x10.b2; }
        }
        opcode P00X1 {
            encoding {
                field<3, 1> Bit b3 == ZERO; field<2, 1> Bit b2 == ZERO;
                field<1, 1> Bit b1;         field<0, 1> Bit b0 == ONE;
            }
            syntax { p00x1.b1; }
        }
        opcode PX111 {
            encoding {
                field<3, 1> Bit b3;         field<2, 1> Bit b2 == ONE;
                field<1, 1> Bit b1 == ONE;  field<0, 1> Bit b0 == ONE;
            }
            syntax { px111.b3; }
        }
    }
}

mod told {
    isa_core::define_isa! {
        /// Opcodes whose fixed bits agree, although their encodings differ.
        pub(super) isa Told: u16;

        enum Mode: 2 { A = 0, B = 1, C = 2 }
        enum Only: 2 { D = 3 }

        /// Bits 0 and 1 are never both 1: that value is reserved.
        opcode GENERAL {
            encoding { field<0, 2> Mode mode; field<2, 2> Mode other; }
            syntax { GENERAL.mode.other; }
            exception { EncodingError<Illegal, "A and C do not go together"> = mode == A and other == C; }
        }

        /// Only that value.
        opcode RESERVED {
            encoding { field<0, 2> Only mode == D; field<2, 2> Mode other; }
            syntax { RESERVED.other; }
        }

        /// Only the encodings that the exception of the general opcode rejects.
        opcode EXCLUDED {
            encoding { field<0, 2> Mode mode == A; field<2, 2> Mode other == C; }
            syntax { EXCLUDED; }
        }
    }
}

/// Checks that each word decodes to the opcode with its pattern and is encoded as the word again.
macro_rules! decodes_like {
    ($set:ident, $expected:expr) => {
        for word in 0..=u16::MAX {
            let expected: Option<&str> = $expected(word);
            let decoded = $set::decode(word).ok();
            assert_eq!(decoded.map(|i| i.opcode().name), expected, "{word:#06x}");
            if let Some(instruction) = decoded {
                assert_eq!(instruction.encode().ok(), Some(word));
                assert_eq!(instruction.to_string().parse().ok(), Some(instruction));
            }
        }
    };
}

/// Returns the pattern of a word, without the letter before it.
fn pattern<'p>(word: u16, patterns: &[&'p str]) -> Option<&'p str> {
    let fits = |name: &&&str| {
        let bits = name.len() - 1;
        let same = |(i, c): (usize, char)| match c {
            'X' => true,
            c => word >> (bits - 1 - i) & 1 == u16::from(c == '1'),
        };
        word >> bits == 0 && name[1..].chars().enumerate().all(same)
    };
    patterns.iter().find(fits).copied()
}

#[test]
fn patterns_without_a_common_bit() {
    use four::Four;
    decodes_like!(Three, |word| pattern(word, &["P10X", "PX10", "P0X1"]));
    decodes_like!(Four, |word| pattern(word, &["P010X", "P0X10", "P00X1", "PX111"]));
}

#[test]
fn reserved_values_and_exceptions() {
    use told::Told;
    decodes_like!(Told, |word: u16| match (word & 3, word >> 2) {
        (0, 2) => Some("EXCLUDED"),
        (3, 0..=2) => Some("RESERVED"),
        (0..=2, 0..=2) => Some("GENERAL"),
        _ => None,
    });
}
