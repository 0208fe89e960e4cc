//! Small sets with the same instructions in different encodings: big-endian, little-endian
//! half-words, and words of 8, 24 and 48 bits.

/// Defines a set with its machine and its tool, given its byte order, its memory, and the encodings
/// of its opcodes.
macro_rules! set {
    (
        $module:ident, $name:literal, $order:ident, $memory:expr, [$($widths:tt)+];
        inc $inc:tt add $add:tt sw $sw:tt bz $bz:tt
    ) => {
        #[allow(dead_code, reason = "not everything that is generated is called")]
        pub(crate) mod $module {
            use isa_core::asm::Reference;
            use isa_core::machine::{Counter, RegisterFile, RecordedMemory, RecordedRegisters};

            isa_core::registers! {
                /// A register.
                pub(crate) X: 3 = "x0" to "x7" of u32, in Machine { x, set_x };
            }

            isa_core::define_isa! {
                /// A few instructions.
                pub(crate) isa Set: $($widths)+;
                bytes $order;
                machine self::Machine;
                operand X: 3;
                operand Imm: 16 = isa_core::operand::Signed<16>;
                operand Imm12: 12 = isa_core::operand::Signed<12>;
                operand Near: 16 = isa_core::operand::Relative<16, 1>;
                enum Op: 4 { INC = 2, ADD = 9, SW = 11, BZ = 12 }

                opcode INC {
                    encoding $inc
                    syntax { inc rd; }
                    operands { InList<rd>; OutList<rd>; Order<rd>; }
                    semantics { rd = rd.wrapping_add(1); }
                }
                opcode ADD {
                    encoding $add
                    syntax { add rd, ra, imm; }
                    operands { InList<ra, imm>; OutList<rd>; }
                    semantics { rd = ra.value.wrapping_add_signed(imm.value as i32); }
                }
                opcode SW {
                    encoding $sw
                    syntax { sw rd, imm "(" ra ")"; }
                    operands { InList<rd, ra, imm>; OutList<>; }
                    semantics(cpu: self::Machine) {
                        cpu.store(ra.value.wrapping_add_signed(imm.value as i32), rd.value);
                    }
                }
                opcode BZ {
                    encoding $bz
                    syntax { bz ra, to; }
                    operands { InList<ra, to>; OutList<>; }
                    semantics(cpu: self::Machine) { cpu.branch(ra.value == 0, to.value); }
                    flow { branch to or next; }
                }
            }

            /// The state that instructions require.
            pub(crate) trait Machine {
                fn x(&self, number: u8) -> u32;
                fn set_x(&mut self, number: u8, value: u32);
                fn store(&mut self, address: u32, value: u32);
                fn branch(&mut self, condition: bool, distance: i64);
            }

            isa_core::named_state! {
                /// Registers, a program counter and memory.
                pub(crate) struct Cpu {
                    const X: RecordedRegisters<u32> = RegisterFile::numbered("x", 8);
                    const PC: Counter = RegisterFile::listed(&["pc"]);
                    const MEM: RecordedMemory = $memory;
                }
            }

            impl Machine for Cpu {
                fn x(&self, number: u8) -> u32 {
                    self.state.read(Self::X, number)
                }
                fn set_x(&mut self, number: u8, value: u32) {
                    self.state.write(Self::X, number, value);
                }
                fn store(&mut self, address: u32, value: u32) {
                    self.state.store(Self::MEM, address.into(), 4, value.into());
                }
                fn branch(&mut self, condition: bool, distance: i64) {
                    if condition {
                        self.state.jump(self.state.pc().wrapping_add_signed(distance));
                    }
                }
            }

            pub(crate) fn tool() -> isa_cli::Tool<Set> {
                let format = isa_cli::ObjectFormat::elf64(0).mapping_symbols().relocations(|reference| match reference {
                    Reference::Operand { kind: "Near", .. } => Some(10),
                    Reference::Data { bytes: 8, .. } => Some(2),
                    _ => None,
                });
                isa_cli::Tool::new($name).machine(Set::executor::<Cpu>).object(format).lines("#")
            }
        }
    };
}

/// Defines a set of words of 16 and 32 bits with the opcode in the highest bits.
macro_rules! high {
    ($module:ident, $name:literal, $order:ident, $memory:expr) => {
        set! {
            $module, $name, $order, $memory, [u16 | u32];
            inc { word<16>; field<12, 4> Op op == INC; field<0, 3> X rd; }
            add { word<32>; field<28, 4> Op op == ADD; field<24, 3> X rd; field<20, 3> X ra; field<0, 16> Imm imm; }
            sw { word<32>; field<28, 4> Op op == SW; field<24, 3> X rd; field<20, 3> X ra; field<0, 16> Imm imm; }
            bz { word<32>; field<28, 4> Op op == BZ; field<24, 3> X ra; field<0, 16> Near to; }
        }
    };
}

high!(big, "be", big_endian, RegisterFile::memory("mem").big_endian());
high!(halves, "hw", little_endian_halfwords, RegisterFile::memory("mem"));
set! {
    bytes, "b8", little_endian, RegisterFile::memory("mem"), [u8 | u24 | u48];
    inc { word<8>; field<0, 4> Op op == INC; field<4, 3> X rd; }
    add { word<24>; field<0, 4> Op op == ADD; field<4, 3> X rd; field<8, 3> X ra; field<12, 12> Imm12 imm; }
    sw { word<48>; field<0, 4> Op op == SW; field<4, 3> X rd; field<8, 3> X ra; field<16, 16> Imm imm; }
    bz { word<24>; field<0, 4> Op op == BZ; field<4, 3> X ra; field<8, 16> Near to; }
}
