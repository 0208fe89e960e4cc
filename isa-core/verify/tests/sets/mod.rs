//! Small sets that test different features.

/// A general form with special cases inside it, one of which has an exception.
pub(crate) mod nested {
    isa_core::define_isa! {
        /// Shifts. Some of their encodings are other instructions.
        pub(crate) isa Nested: u16;
        operand Reg: 6 = isa_core::operand::Unsigned<6>;
        enum Amount: 4 { A1 = 1, A2 = 2, A4 = 4, A8 = 8 }
        /// Shifts by a power of two.
        opcode SHL {
            encoding { field<12, 4> Op op == SHL; field<0, 6> Reg rd; field<6, 4> Amount by; }
            syntax { SHL rd, by; }
        }
        /// Waits. The encodings are shifts of the highest register, except by eight.
        opcode WAIT inside SHL {
            encoding { field<12, 4> Op op == SHL; field<0, 6> Reg rd == 63; field<6, 4> Amount by; }
            syntax { WAIT by; }
            exception { EncodingError<Reserved, "nobody waits for eight"> = by == A8; }
        }
        /// A wait for one.
        opcode YIELD inside WAIT {
            encoding { field<12, 4> Op op == SHL; field<0, 6> Reg rd == 63; field<6, 4> Amount by == A1; }
            syntax { YIELD; }
        }
        enum Op: 4 { SHL = 9 }
    }
}

/// Conditions that few words satisfy, some with functions, and aliases.
pub(crate) mod related {
    /// Returns whether a number is a power of two.
    pub(crate) const fn is_power(number: u64) -> bool {
        number.is_power_of_two()
    }

    isa_core::define_isa! {
        /// Moves parts of registers.
        pub(crate) isa Related: u32;
        operand Reg: 5 = isa_core::operand::Unsigned<5>;
        operand Number: 5 = isa_core::operand::Unsigned<5>;
        operand Wide: 12 = isa_core::operand::Unsigned<12>;
        enum Op: 4 { MOVE = 1, PAIR = 2, STEP = 3 }
        opcode MOVE {
            encoding {
                field<0, 4> Op op == MOVE; field<4, 5> Reg rd; field<9, 5> Reg ra;
                field<14, 5> Number low; field<19, 5> Number high;
            }
            syntax { MOVE Rd, Ra, low, high; }
            operands { InList<ra, low, high>; OutList<rd>; Order<rd, ra, low, high>; }
            exception { EncodingError<Order, "the low bit lies above the high one"> = low > high; }
        }
        /// Moves all bits.
        alias COPY of MOVE { encoding { low == 0; high == 31; } syntax { COPY Rd, Ra; } }
        /// Two equal registers, followed by a third.
        opcode PAIR {
            encoding {
                field<0, 4> Op op == PAIR; field<4, 5> Reg rd; field<9, 5> Reg ra; field<14, 5> Reg rb;
            }
            syntax { PAIR Rd, Ra, Rb; }
            operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
            exception {
                EncodingError<Pair, "the first two are one register"> = rd != ra;
                EncodingError<Pair, "the third is the next"> = rb != ra + 1;
            }
        }
        opcode STEP {
            encoding { field<0, 4> Op op == STEP; field<4, 5> Reg rd; field<16, 12> Wide by; }
            syntax { STEP Rd, by; }
            operands { InList<by>; OutList<rd>; Order<rd, by>; }
            exception {
                EncodingError<Power, "a step is a power of two"> = not crate::sets::related::is_power(by);
            }
        }
    }
}

/// Words of three widths, branches to labels, and semantics.
pub(crate) mod mixed {
    isa_core::define_isa! {
        /// Three widths.
        pub(crate) isa Mixed: u16 | u32 | u128;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Target: 8 = isa_core::operand::Relative<8, 1>;
        operand Wide: 64 = isa_core::operand::Unsigned<64>;
        enum Length: 2 { SHORT = 0, MIDDLE = 1, LONG = 3 }
        enum Op: 2 { INC = 0, JMP = 1 }
        enum Round: 2 { RN = 0, RM = 1, RP = 2 }
        opcode INC {
            encoding { word<16>; field<0, 2> Length length == SHORT; field<2, 2> Op op == INC; field<8, 8> Reg rd; }
            syntax { INC Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_add(1); }
        }
        opcode JMP {
            encoding { word<16>; field<0, 2> Length length == SHORT; field<2, 2> Op op == JMP; field<8, 8> Target to; }
            syntax { JMP to; }
            operands { InList<to>; Order<to>; } semantics { let _ = to.value; }
        }
        opcode MOV {
            encoding {
                word<32>; field<0, 2> Length length == MIDDLE; field<4, 2> Round rnd = RN;
                field<16, 8> Reg rd; field<24, 8> Reg ra;
            }
            syntax { MOV{.rnd} Rd, Ra; }
            operands { InList<ra>; OutList<rd>; Order<rd, ra>; } semantics { Rd = Ra.value; }
        }
        opcode SET {
            encoding {
                word<128>; field<0, 2> Length length == LONG; field<16, 8> Reg rd; field<64, 64> Wide by;
            }
            syntax { SET Rd, by; }
            operands { InList<by>; OutList<rd>; Order<rd, by>; } semantics { Rd = by.value as u32; }
        }
    }
}

/// Sets whose most significant bits come first in memory.
pub(crate) mod orders {
    /// Defines a set with words of two widths and a byte order. Half of the long words have the
    /// bits of a short word in their low half.
    macro_rules! set {
        ($module:ident, $set:ident, $order:ident) => {
            pub(crate) mod $module {
                isa_core::define_isa! {
                    /// Short and long words.
                    pub(crate) isa $set: u16 | u32;
                    bytes $order;
                    operand Reg: 8 = isa_core::operand::Reg;
                    operand Target: 8 = isa_core::operand::Relative<8, 1>;
                    operand Imm: 16 = isa_core::operand::Unsigned<16>;
                    enum Length: 1 { SHORT = 0, LONG = 1 }
                    enum Op: 3 { INC = 0, JMP = 1, SET = 2, ADD = 5 }
                    for $NAME, $KIND in (INC, Reg), (JMP, Target) {
                        opcode $NAME {
                            encoding {
                                word<16>; field<15, 1> Length length == SHORT;
                                field<12, 3> Op op == $NAME; field<0, 8> $KIND it;
                            }
                            syntax { $NAME it; }
                        }
                    }
                    for $NAME in SET, ADD {
                        opcode $NAME {
                            encoding {
                                word<32>; field<31, 1> Length length == LONG; field<28, 3> Op op == $NAME;
                                field<20, 8> Reg rd; field<0, 16> Imm by;
                            }
                            syntax { $NAME rd, by; }
                        }
                    }
                }
            }
        };
    }
    set!(big, Big, big_endian);
    set!(halves, Halfwords, little_endian_halfwords);
}

/// An operand type with several values of one text, and errors that authors can make in operand
/// types.
pub(crate) mod kinds {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// Defines a number whose text shows only the low seven bits, is equal for two values, or
    /// panics.
    macro_rules! kind {
        ($(#[$doc:meta])* $name:ident, $reads_back:expr, $write:expr) => {
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub(crate) struct $name(u8);

            impl OperandKind for $name {
                type Value = u32;
                const WIDTH: u8 = 8;
                const EXPECTS: &'static str = "a number";
                const MAX_LEN: usize = 3;
                const READS_BACK: Option<fn(Self) -> bool> = $reads_back;

                fn from_bits(raw: u64) -> Self {
                    $name(raw as u8)
                }
                fn to_bits(self) -> u64 {
                    self.0.into()
                }
                fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                    let (start, number) = (cursor.position(), cursor.number()?);
                    let number = u8::try_from(number).ok().map($name);
                    number.ok_or_else(|| cursor.fault(start, "no number up to 255"))
                }
                fn write(self, line: &mut Line) {
                    let write: fn(u8) -> u8 = $write;
                    line.push_decimal(write(self.0).into());
                }
            }
        };
    }

    kind! {
        /// A type that does not print its highest bit. `READS_BACK` is false for values with this bit.
        Low, Some(|low: Low| low.0 < 128), |raw| raw & 127
    }
    kind! {
        /// A type that prints 77 like 78, without declaring it by `READS_BACK`.
        Wrong, None, |raw| if raw == 77 { 78 } else { raw }
    }
    kind! {
        /// A type that panics when it prints 77.
        Panicking, None, |raw| if raw == 77 { panic!("77") } else { raw }
    }

    /// Defines a set of one instruction with an operand of the given type.
    macro_rules! set {
        ($name:ident, $kind:ident) => {
            isa_core::define_isa! {
                /// One instruction.
                pub(crate) isa $name: u16;
                operand Number: 8 = crate::sets::kinds::$kind;
                enum Op: 8 { PUT = 1 }
                opcode PUT {
                    encoding { field<8, 8> Op op == PUT; field<0, 8> Number by; }
                    syntax { PUT by; }
                }
            }
        };
    }

    pub(crate) mod loose {
        set!(Loose, Low);
    }
    pub(crate) mod lying {
        set!(Lying, Wrong);
    }
    pub(crate) mod falling {
        set!(Falling, Panicking);
    }
}

/// Operands whose text begins with a dot, like targets in the GNU syntax of AVR.
pub(crate) mod dotted {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// A distance ahead, `.+4`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) struct Ahead(u8);

    impl OperandKind for Ahead {
        type Value = u32;
        const WIDTH: u8 = 6;
        const EXPECTS: &'static str = "a distance as `.+4`";
        const MAX_LEN: usize = 4;
        const FORMS: &'static [&'static str] = &[".+0"];

        fn from_bits(raw: u64) -> Self {
            Ahead(raw as u8 & 63)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            cursor.skip_trivia();
            let start = cursor.position();
            let is_here = cursor.eat(b'.') && cursor.eat(b'+');
            let number = if is_here { cursor.number()? } else { 64 };
            let number = u8::try_from(number).ok().filter(|number| *number < 64).map(Ahead);
            number.ok_or_else(|| cursor.fault(start, "no distance below 64"))
        }
        fn write(self, line: &mut Line) {
            line.push_str(".+");
            line.push_decimal(self.0.into());
        }
    }

    isa_core::define_isa! {
        /// Branches with an optional modifier, without a modifier, and with a modifier after
        /// another operand.
        pub(crate) isa Dotted: u16;
        operand Ahead: 6;
        operand Bit: 3 = isa_core::operand::Unsigned<3>;
        enum Op: 2 { brcc = 0, rjmp = 1, brbs = 2 }
        enum Hint: 2 { none = 0, likely = 1, unlikely = 2 }
        group ALL { encoding { field<0, 2> Op op; field<2, 6> Ahead to; } }
        opcode BRCC : [ALL] {
            encoding { op == brcc; field<8, 2> Hint hint = none; }
            syntax { brcc{.hint} to; }
        }
        opcode RJMP : [ALL] { encoding { op == rjmp; } syntax { rjmp to; } }
        opcode BRBS : [ALL] { encoding { op == brbs; field<8, 3> Bit s; } syntax { brbs s, to; } }
    }
}

/// Semantics that divide by zero, and semantics with a different result in each run.
pub(crate) mod odd {
    use core::sync::atomic::{AtomicU32, Ordering};

    /// Returns a different number for each call.
    pub(crate) fn count() -> u32 {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        COUNT.fetch_add(1, Ordering::Relaxed)
    }

    isa_core::define_isa! {
        /// Two errors.
        pub(crate) isa Odd: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 { DIV = 1, TICK = 2 }
        opcode DIV {
            encoding { field<24, 8> Op op == DIV; field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Reg rb; }
            syntax { DIV Rd, Ra, Rb; }
            operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
            semantics { Rd = Ra.value / Rb.value; }
        }
        opcode TICK {
            encoding { field<24, 8> Op op == TICK; field<0, 8> Reg rd; }
            syntax { TICK Rd; }
            operands { OutList<rd>; Order<rd>; }
            semantics { Rd = crate::sets::odd::count(); }
        }
    }
}

/// A set and several changed versions of it, each with one change.
pub(crate) mod changed {
    /// Defines the set with a field position, an operation's value, a default, and a condition.
    macro_rules! set {
        ($module:ident, $place:literal, $value:literal, $default:ident, $($condition:tt)*) => {
            pub(crate) mod $module {
                isa_core::define_isa! {
                    /// Two instructions.
                    pub(crate) isa Changed: u32;
                    operand Reg: 8 = isa_core::operand::Reg;
                    enum Op: 4 { ADD = $value, SUB = 2 }
                    enum Round: 2 { RN = 0, RM = 1, RP = 2 }
                    group ALU {
                        encoding { field<28, 4> Op op; field<0, 8> Reg rd; field<$place, 8> Reg ra; }
                        syntax { .. Rd, Ra; }
                        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
                    }
                    opcode ADD : [ALU] {
                        encoding { field<28, 4> Op op == ADD; field<24, 2> Round rnd = $default; }
                        syntax { ADD{.rnd} }
                        exception { $($condition)* }
                    }
                    opcode SUB : [ALU] { encoding { field<28, 4> Op op == SUB; } syntax { SUB } }
                }
            }
        };
    }
    set!(unchanged, 8, 1, RN, EncodingError<Down, "R0 is not rounded down"> = rnd == RM and rd == 0;);
    set!(moved, 9, 1, RN, EncodingError<Down, "R0 is not rounded down"> = rnd == RM and rd == 0;);
    set!(valued, 8, 3, RN, EncodingError<Down, "R0 is not rounded down"> = rnd == RM and rd == 0;);
    set!(defaulted, 8, 1, RP, EncodingError<Down, "R0 is not rounded down"> = rnd == RM and rd == 0;);
    set!(dropped, 8, 1, RN,);
    set!(loosened, 8, 1, RN, EncodingError<Down, "R0 is not rounded down"> = rnd == RM and rd == 1;);
}

/// A set that uses halves of registers, and versions with different declarations of its lanes.
pub(crate) mod halves {
    /// Returns the half that a word selects.
    pub(crate) const fn named(half: u64) -> u64 {
        1 << half
    }

    /// Returns the half that a word does not select.
    pub(crate) const fn other(half: u64) -> u64 {
        2 >> half
    }

    /// Returns a half that no register has, together with the half that a word selects.
    pub(crate) const fn beyond(half: u64) -> u64 {
        4 | 1 << half
    }

    /// Defines the set with the lanes that it writes, and a function that returns the lanes that it
    /// reads.
    macro_rules! set {
        ($module:ident, $written:literal, $read:ident) => {
            #[expect(dead_code, reason = "nothing is executed on a warp")]
            pub(crate) mod $module {
                isa_core::define_isa! {
                    /// One instruction.
                    pub(crate) isa Halves: u32;
                    operand Reg: 8 = isa_core::operand::Reg;
                    enum Op: 4 { PICK = 1 }
                    enum Half: 1 { H0 = 0, H1 = 1 }
                    /// Replaces the low half of a register with a half of another register.
                    opcode PICK {
                        encoding {
                            field<28, 4> Op op == PICK; field<0, 8> Reg rd; field<8, 8> Reg ra;
                            field<16, 1> Half ra.half;
                        }
                        syntax { PICK Rd, Ra.half; }
                        operands {
                            InList<rd, ra>; OutList<rd>; Order<rd, ra>;
                            Lanes<rd> = 16 * $written;
                            Lanes<ra> = 16 * crate::sets::halves::$read(ra.half);
                        }
                        semantics {
                            let half = match Ra.half {
                                Half::H0 => Ra.value & 0xffff,
                                Half::H1 => Ra.value >> 16,
                            };
                            Rd = Rd & 0xffff_0000 | half;
                        }
                    }
                }
            }
        };
    }
    set!(right, 0b01, named);
    set!(all_written, 0b11, named);
    set!(high_written, 0b10, named);
    set!(other_read, 0b01, other);
    set!(beyond_read, 0b01, beyond);
}

/// A set that accesses memory and jumps, with right and with wrong classes of the methods.
pub(crate) mod effectful {
    use isa_core::machine::{
        Counter, GeneralRegs, RecordedMemory, RecordedRegisters, RegisterFile,
    };

    isa_core::named_state! {
        /// Registers, a program counter and memory.
        pub(crate) struct Cpu {
            const R: RecordedRegisters<u32> = RegisterFile::numbered("R", 255);
            const PC: Counter = RegisterFile::listed(&["pc"]);
            const MEM: RecordedMemory = RegisterFile::memory("mem");
        }
    }

    /// The state besides the registers.
    pub(crate) trait Hart: GeneralRegs {
        /// Continues at another address.
        fn jump(&mut self, target: u32);

        /// Returns the byte at an address.
        fn load(&self, address: u32) -> u32;

        /// Replaces the byte at an address.
        fn store(&mut self, address: u32, value: u32);
    }

    impl GeneralRegs for Cpu {
        fn reg(&self, number: u8) -> u32 {
            self.state.read(Self::R, number)
        }
        fn set_reg(&mut self, number: u8, value: u32) {
            self.state.write(Self::R, number, value);
        }
    }

    impl Hart for Cpu {
        fn jump(&mut self, target: u32) {
            self.state.jump(target.into());
        }
        fn load(&self, address: u32) -> u32 {
            self.state.load(Self::MEM, address.into(), 1) as u32
        }
        fn store(&mut self, address: u32, value: u32) {
            self.state.store(Self::MEM, address.into(), 1, value.into());
        }
    }

    /// Defines the set with classes of the methods.
    macro_rules! set {
        ($module:ident, $($class:ident: $($method:ident),*;)*) => {
            #[expect(dead_code, reason = "nothing is executed on a warp")]
            pub(crate) mod $module {
                use crate::sets::effectful::Hart;

                isa_core::define_isa! {
                    /// A jump, a load, a store and arithmetic.
                    pub(crate) isa Toy: u16;
                    machine crate::sets::effectful::Hart { $($class: $($method),*;)* }
                    operand Reg: 8 = isa_core::operand::Reg;
                    enum Op: 8 { JUMP = 0, LOAD = 1, STORE = 2, ADD = 3 }
                    group ALL {
                        encoding { field<0, 8> Reg rd; field<8, 8> Op op; }
                        syntax { .. Rd; }
                        operands { InList<rd>; OutList<rd>; Order<rd>; }
                    }
                    opcode JUMP  : [ALL] { encoding { op == JUMP; } syntax { JUMP } operands { OutList<>; } semantics(cpu: Hart) { cpu.jump(Rd.value); } }
                    opcode LOAD  : [ALL] { encoding { op == LOAD; } syntax { LOAD } semantics(cpu: Hart) { Rd = cpu.load(Rd); } }
                    opcode STORE : [ALL] { encoding { op == STORE; } syntax { STORE } operands { OutList<>; } semantics(cpu: Hart) { cpu.store(Rd.value, 1); } }
                    opcode ADD   : [ALL] { encoding { op == ADD; } syntax { ADD } semantics { Rd = Rd.wrapping_add(1); } }
                }
            }
        };
    }
    set!(right, jump: jump; load: load; store: store;);
    set!(wrong, state: jump, load, store;);
}
