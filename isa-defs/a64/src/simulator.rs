//! A processor with named state for the command line of the set.

use isa_core::machine::{
    Counter, RecordedMemory as Bytes, RecordedRegisters as Regs, RegisterFile,
};

use super::Trap;
use super::machine::{Control, Memory, Nzcv, Registers, System, Vectors};

isa_core::named_state! {
    /// A processor with memory at all addresses. The flags are its only system register.
    ///
    /// ```
    /// use isa_a64::{A64, simulator::Simulator};
    /// use isa_core::machine::NamedMachine;
    ///
    /// let mut machine = Simulator::default();
    /// machine.set(Simulator::FILES.place("sp")?, 0, 0x1000);
    /// "add x0, sp, #16;".parse::<A64>().unwrap().execute(&mut machine).unwrap();
    /// assert_eq!(machine.get(Simulator::FILES.place("x0")?, 0), 0x1010);
    /// # Ok::<(), isa_core::machine::NameError>(())
    /// ```
    pub struct Simulator {
        const X: Regs<u64> = RegisterFile::numbered("x", 31);
        const SP: Regs<u64> = RegisterFile::listed(&["sp"]).noun("stack pointer");
        const NZCV: Regs<u8> = RegisterFile::listed(&["nzcv"]).noun("flags");
        const V: Regs<u128> = RegisterFile::numbered("v", 32);
        const PC: Counter = RegisterFile::listed(&["pc"]).noun("program counter");
        const MEM: Bytes = RegisterFile::memory("mem").needs_fence();
        let monitor: Option<(u64, u8)>;
    }
}

/// The encoding of the only supported system register.
const FLAGS: u64 = 0x5a10;

impl Registers for Simulator {
    #[inline]
    fn reg(&self, number: u8) -> u64 {
        if number < 31 { self.state.read(Self::X, number) } else { 0 }
    }

    #[inline]
    fn set_reg(&mut self, number: u8, value: u64) {
        if number < 31 {
            self.state.write(Self::X, number, value);
        }
    }

    #[inline]
    fn sp(&self) -> u64 {
        self.state.read(Self::SP, 0u8)
    }

    #[inline]
    fn set_sp(&mut self, value: u64) {
        self.state.write(Self::SP, 0u8, value);
    }

    #[inline]
    fn nzcv(&self) -> Nzcv {
        Nzcv(self.state.read(Self::NZCV, 0u8) & 15)
    }

    #[inline]
    fn set_nzcv(&mut self, nzcv: Nzcv) {
        self.state.write(Self::NZCV, 0u8, nzcv.0);
    }
}

impl Vectors for Simulator {
    #[inline]
    fn v(&self, number: u8) -> u128 {
        self.state.read(Self::V, number)
    }

    #[inline]
    fn set_v(&mut self, number: u8, value: u128) {
        self.state.write(Self::V, number, value);
    }
}

impl Control for Simulator {
    #[inline]
    fn pc(&self) -> u64 {
        self.state.pc()
    }

    #[inline]
    fn next(&self) -> u64 {
        self.state.next()
    }

    #[inline]
    fn jump(&mut self, target: u64) {
        self.state.jump(target);
    }
}

impl Memory for Simulator {
    #[inline(always)]
    fn load(&self, address: u64, bytes: u8) -> Result<u64, Trap> {
        Ok(self.state.load(Self::MEM, address, bytes.into()) as u64)
    }

    #[inline(always)]
    fn store(&mut self, address: u64, bytes: u8, value: u64) -> Result<(), Trap> {
        self.state.store(Self::MEM, address, bytes.into(), value.into());
        Ok(())
    }

    #[inline]
    fn monitor(&mut self) -> &mut Option<(u64, u8)> {
        &mut self.monitor
    }
}

impl System for Simulator {
    fn system(&self, register: u64) -> Result<u64, Trap> {
        match register {
            FLAGS => Ok(u64::from(self.nzcv().0) << 28),
            _ => Err(Trap::Undefined),
        }
    }

    fn set_system(&mut self, register: u64, value: u64) -> Result<(), Trap> {
        match register {
            FLAGS => self.set_nzcv(Nzcv((value >> 28) as u8 & 15)),
            _ => return Err(Trap::Undefined),
        }
        Ok(())
    }
}
