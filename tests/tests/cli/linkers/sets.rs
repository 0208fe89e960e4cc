//! A few instructions of MIPS, Thumb and S/390, with their object formats.

/// Big-endian MIPS32.
pub(crate) mod mips {
    use isa_cli::{ObjectFormat, Tool};
    use isa_core::asm::Reference;
    use isa_core::operand::{
        AddressPart, AddressPartOr, AddressParts, NAME, OperandKind, Signed, Unsigned,
    };
    use isa_core::text::{Cursor, Line, OperandError};

    isa_core::registers! {
        /// A register.
        pub(crate) Gpr: 5 = "$0" to "$31" of u32;
    }

    /// A target in the 256 MiB region of the instruction after the jump.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Region(u32);

    impl OperandKind for Region {
        type Value = u32;
        const WIDTH: u8 = 26;
        const EXPECTS: &'static str = "a label, or an address behind `#`";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &["#*", NAME, ".*"];
        const TARGET: Option<fn(Self, u64) -> u64> =
            Some(|to, place| (place + 4) & !0xfff_ffff | u64::from(to.0) << 2);
        fn from_bits(raw: u64) -> Self {
            Region(raw as u32)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            let target =
                if cursor.eat(b'#') { cursor.number()? as u64 } else { cursor.address()? };
            match target < 1 << 28 && target % 4 == 0 {
                true => Ok(Region(target as u32 >> 2)),
                false => Err(cursor.fault(start, "no word of the region")),
            }
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(u64::from(self.0) << 2);
        }
    }

    /// The two halves of an address. The lower half is signed.
    pub(crate) struct Upper;
    pub(crate) struct Lower;

    impl AddressParts for Upper {
        const PARTS: &'static [AddressPart] = &[AddressPart::new("%hi(", ")", |address| {
            (address.wrapping_add(0x8000) >> 16 & 0xffff).into()
        })];
    }
    impl AddressParts for Lower {
        const PARTS: &'static [AddressPart] =
            &[AddressPart::new("%lo(", ")", |address| (address as i16).into())];
    }

    isa_core::define_isa! {
        /// A few instructions of MIPS32.
        pub(crate) isa Mips: u32;
        bytes big_endian;
        operand Gpr: 5;
        operand Simm: 16 = self::AddressPartOr<self::Lower, self::Signed<16>>;
        operand Uimm: 16 = self::AddressPartOr<self::Upper, self::Unsigned<16>>;
        operand Branch: 16 = isa_core::operand::Relative<16, 2, 4>;
        operand Jump: 26 = self::Region;
        enum Op: 6 { J = 2, JAL = 3, BEQ = 4, ADDIU = 9, LUI = 15 }
        operand All: 32 = isa_core::operand::Unsigned<32>;

        opcode NOP { encoding { field<0, 32> All word == 0; } syntax { nop; } }
        group IMMEDIATE { encoding { field<26, 6> Op op; field<21, 5> Gpr rs; field<16, 5> Gpr rt; } }
        opcode ADDIU : [IMMEDIATE] {
            encoding { op == ADDIU; field<0, 16> Simm imm; } syntax { addiu rt, rs, imm; }
        }
        opcode LUI {
            encoding { field<26, 6> Op op == LUI; field<16, 5> Gpr rt; field<0, 16> Uimm imm; }
            syntax { lui rt, imm; }
        }
        opcode BEQ : [IMMEDIATE] {
            encoding { op == BEQ; field<0, 16> Branch to; } syntax { beq rs, rt, to; }
        }
        opcode J { encoding { field<26, 6> Op op == J; field<0, 26> Jump to; } syntax { j to; } }
        opcode JAL { encoding { field<26, 6> Op op == JAL; field<0, 26> Jump to; } syntax { jal to; } }
    }

    /// Relocations that contain their addends.
    pub(crate) const RELA: ObjectFormat = ObjectFormat::elf32(8)
        .flags(0x7000_1001)
        .relocations(|reference| match reference {
            Reference::Operand { kind: "Branch", .. } => Some(10),
            Reference::Part { open: "%hi(", .. } => Some(5),
            Reference::Part { open: "%lo(", .. } => Some(6),
            Reference::Operand { kind: "Jump", .. } => Some(4),
            Reference::Data { bytes: 4, .. } => Some(2),
            _ => None,
        })
        .addends(|reference| match reference {
            Reference::Operand { kind: "Branch", .. } => -4,
            _ => 0,
        });

    pub(crate) fn tool(format: ObjectFormat) -> Tool<Mips> {
        Tool::new("mips").lines("#").object(format)
    }
}

/// Thumb with little-endian half-words.
pub(crate) mod thumb {
    use isa_cli::{ObjectFormat, Tool};
    use isa_core::asm::Reference;
    use isa_core::machine::{Counter, RecordedMemory, RecordedRegisters, RegisterFile, Source};
    use isa_core::operand::{NAME, OperandKind};
    use isa_core::text::{Cursor, Line, OperandError};

    isa_core::registers! {
        /// A register.
        pub(crate) Low: 3 = "r0" to "r7" of u32, in Machine { low, set_low };
    }

    /// A distance that is counted from four bytes after the instruction. Two of its bits are stored
    /// as the difference from the sign bit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Far(i64);

    impl OperandKind for Far {
        type Value = i64;
        const WIDTH: u8 = 24;
        const EXPECTS: &'static str = "a label, or a distance behind `#`";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &["#*", NAME, ".*"];
        const TARGET: Option<fn(Self, u64) -> u64> =
            Some(|to, place| place.wrapping_add_signed(to.0 + 4));
        fn from_bits(raw: u64) -> Self {
            let swapped = if raw >> 23 & 1 == 0 { raw ^ 3 << 21 } else { raw };
            Far((swapped << 40).cast_signed() >> 39)
        }
        fn to_bits(self) -> u64 {
            let raw = (self.0 >> 1).cast_unsigned() & 0xff_ffff;
            if raw >> 23 == 0 { raw ^ 3 << 21 } else { raw }
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            let distance = if cursor.eat(b'#') {
                ((cursor.number()? as u64) << 39).cast_signed() >> 39
            } else {
                let place = cursor.context().map_or(0, |site| site.address);
                cursor.address()?.wrapping_sub(place).cast_signed() - 4
            };
            match distance % 2 == 0 && (-1 << 24..1 << 24).contains(&distance) {
                true => Ok(Far(distance)),
                false => Err(cursor.fault(start, "too far")),
            }
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(self.0.cast_unsigned() & 0x1ff_ffff);
        }
    }

    isa_core::define_isa! {
        /// A few instructions of Thumb.
        pub(crate) isa Thumb: u16 | u32;
        bytes little_endian_halfwords;
        machine self::Machine;
        operand Low: 3;
        operand Imm: 8 = isa_core::operand::Unsigned<8>;
        operand Wide: 24 = self::Far;
        operand Fixed: 16 = isa_core::operand::Unsigned<16>;
        enum Top: 5 { MOVS = 4, LONG = 30 }
        enum Kind: 2 { B = 2, BL = 3 }
        operand Bit: 1 = isa_core::operand::Unsigned<1>;

        opcode MOVS {
            encoding { word<16>; field<11, 5> Top op == MOVS; field<8, 3> Low rd; field<0, 8> Imm imm; }
            syntax { movs rd, "#" imm; }
            operands { InList<imm>; OutList<rd>; }
            semantics { rd = imm.value as u32; }
        }
        opcode BX { encoding { word<16>; field<0, 16> Fixed op == 0x4770; } syntax { bx "lr"; } operands { InList<>; OutList<>; } semantics { } }
        group LONG {
            encoding {
                word<32>;
                field<27, 5> Top op == LONG;
                field<14, 2> Kind kind;
                field<12, 1> Bit near == 1;
                field<26, 1 : 13, 1 : 11, 1 : 16, 10 : 0, 11> Wide to;
            }
        }
        opcode B : [LONG] { encoding { kind == B; } syntax { "b.w" to; } operands { InList<to>; OutList<>; } semantics { let _ = to; } }
        opcode BL : [LONG] { encoding { kind == BL; } syntax { bl to; } operands { InList<to>; OutList<>; } semantics { let _ = to; } }
    }

    /// The state that instructions require.
    pub(crate) trait Machine {
        fn low(&self, number: u8) -> u32;
        fn set_low(&mut self, number: u8, value: u32);
    }

    impl<M: ?Sized> Source<M> for Far {
        fn fetch(self, _: &M) -> i64 {
            self.0
        }
    }

    isa_core::named_state! {
        /// Registers and a program counter.
        pub(crate) struct Cpu {
            const LOW: RecordedRegisters<u32> = RegisterFile::numbered("r", 8);
            const PC: Counter = RegisterFile::listed(&["pc"]);
            const MEM: RecordedMemory = RegisterFile::memory("mem");
        }
    }

    impl Machine for Cpu {
        fn low(&self, number: u8) -> u32 {
            self.state.read(Self::LOW, number)
        }
        fn set_low(&mut self, number: u8, value: u32) {
            self.state.write(Self::LOW, number, value);
        }
    }

    pub(crate) fn tool() -> Tool<Thumb> {
        let format = ObjectFormat::elf32(40)
            .flags(0x0500_0000)
            // The calling convention of floats, which the GNU linker records in programs.
            .other_flags(0x0600)
            .rel()
            .mapping_symbols_named("$t", "$d")
            .function_bits(1)
            .relocations(|reference| match reference {
                Reference::Operand { opcode: "BL", .. } => Some(10),
                Reference::Operand { opcode: "B", .. } => Some(30),
                Reference::Data { bytes: 4, .. } => Some(2),
                _ => None,
            })
            .addends(|reference| match reference {
                Reference::Operand { .. } => -4,
                _ => 0,
            });
        Tool::new("thumb").machine(Thumb::executor::<Cpu>).lines("@").object(format)
    }
}

/// S/390 in 64 bits, with instructions of two, four and six bytes.
pub(crate) mod s390 {
    use isa_cli::{ObjectFormat, Tool};
    use isa_core::asm::Reference;

    isa_core::registers! {
        /// A register.
        pub(crate) Gpr: 4 = "%r0" to "%r15" of u64;
    }

    isa_core::define_isa! {
        /// A few instructions of S/390.
        pub(crate) isa S390: u16 | u32 | u48;
        bytes big_endian;
        operand Gpr: 4;
        operand Imm: 16 = isa_core::operand::Signed<16>;
        operand Rel16: 16 = isa_core::operand::Relative<16, 1>;
        operand Rel32: 32 = isa_core::operand::Relative<32, 1>;
        operand Four: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 8 { BCR = 0x07, IMMEDIATE = 0xa7, LONG = 0xc0 }

        opcode BR {
            encoding { word<16>; field<8, 8> Op op == BCR; field<4, 4> Four mask == 15; field<0, 4> Gpr to; }
            syntax { br to; }
        }
        opcode LGHI {
            encoding {
                word<32>; field<24, 8> Op op == IMMEDIATE; field<20, 4> Gpr r1; field<16, 4> Four op2 == 9;
                field<0, 16> Imm imm;
            }
            syntax { lghi r1, imm; }
        }
        opcode J {
            encoding {
                word<32>; field<24, 8> Op op == IMMEDIATE; field<20, 4> Four mask == 15;
                field<16, 4> Four op2 == 4; field<0, 16> Rel16 to;
            }
            syntax { j to; }
        }
        group LONG { encoding { word<48>; field<40, 8> Op op == LONG; field<36, 4> Gpr r1; field<32, 4> Four op2; } }
        opcode LARL : [LONG] { encoding { op2 == 0; field<0, 32> Rel32 to; } syntax { larl r1, to; } }
        opcode BRASL : [LONG] { encoding { op2 == 5; field<0, 32> Rel32 to; } syntax { brasl r1, to; } }
    }

    /// The fields of targets are two bytes after the start of the instruction, but distances count
    /// from the start.
    pub(crate) const FORMAT: ObjectFormat = ObjectFormat::elf64(22)
        .relocations(|reference| match reference {
            Reference::Operand { kind: "Rel16", .. } => Some(17),
            Reference::Operand { kind: "Rel32", .. } => Some(19),
            Reference::Data { bytes: 8, .. } => Some(22),
            Reference::Data { bytes: 4, .. } => Some(4),
            _ => None,
        })
        .places(|_| 2)
        .addends(|reference| match reference {
            Reference::Operand { .. } => 2,
            _ => 0,
        });

    pub(crate) fn tool() -> Tool<S390> {
        Tool::new("s390").lines("#").object(FORMAT)
    }
}
