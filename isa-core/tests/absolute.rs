//! Addresses as targets: those that are in the word as they are.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Reference};

mod own {
    use isa_core::asm::{Cursor, Fault, Line};
    use isa_core::operand::{NAME, OperandKind};

    /// An address that an author's own kind checks to have 16 bits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Word(u16);

    impl OperandKind for Word {
        type Value = u16;
        const WIDTH: u8 = 16;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &["0~", NAME, ".*"];
        const TARGET: Option<fn(Self, u64) -> u64> = Some(|word, _| word.0.into());
        fn from_bits(raw: u64) -> Self {
            Word(raw as u16)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
            let start = cursor.position();
            match cursor.peek() {
                Some(b'0'..=b'9') => Ok(Word(cursor.number()? as u16)),
                _ => match cursor.address_further()? {
                    address @ 0..=0xffff => Ok(Word(address as u16)),
                    _ => Err(cursor.fault(start, "the address has more than 16 bits")),
                },
            }
        }
        fn write(self, line: &mut Line) {
            line.push_str("0x");
            line.push_hex(self.0.into(), 4);
        }
    }

    isa_core::define_isa! {
        /// A machine of 16 bits of address.
        pub(crate) isa Own: u8 | u24;
        addresses 16;
        operand Word: 16;
        operand Eight: 8 = isa_core::operand::Unsigned<8>;
        opcode NOP { encoding { word<8>; field<0, 8> Eight op == 0; } syntax { nop; } }
        opcode LD1 { encoding { word<8>; field<0, 8> Eight op == 0x7f; } syntax { ld "a" "," "a"; } }
        opcode LD  { encoding { word<24>; field<0, 8> Eight op == 0x21; field<8, 16> Word nn; } syntax { ld "hl" "," nn; } }
    }
}

fn kind(reference: Reference) -> Option<u32> {
    matches!(reference, Reference::Operand { .. }).then_some(1)
}

#[test]
fn addresses_of_labels_to_come_go_around() {
    let assembler = Assembler::new(own::Own::SET);
    let program = assembler.assemble("ld hl, tab-2; nop; tab: nop;").unwrap();
    assert_eq!(program.bytes, [0x21, 2, 0, 0, 0]);
    let program = assembler.clone().relocations(kind).assemble("ld hl, ext-2; nop;").unwrap();
    assert_eq!(program.bytes, [0x21, 0, 0, 0]);
}
