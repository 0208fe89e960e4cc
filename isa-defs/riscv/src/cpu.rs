//! A processor with named state for the command-line tools: `a0`, `pc`, `mem[0x1000..0x1008]`.

use isa_core::machine::{
    Counter, RecordedMemory as Bytes, RecordedRegisters as Regs, RegisterFile,
};

use super::machine::{Control, Csrs, Memory, Registers};
use super::{Csr, Reg, Size, Trap};

isa_core::named_state! {
    /// A processor with memory at all addresses. Its only control and status register is `fcsr`.
    ///
    /// ```
    /// use isa_core::machine::NamedMachine;
    /// use isa_riscv::{Rv64imac, cpu::Cpu};
    ///
    /// let mut cpu = Cpu::default();
    /// cpu.set(Cpu::FILES.place("a1")?, 0, 41);
    /// "addi a0, a1, 1;".parse::<Rv64imac>().unwrap().execute(&mut cpu).unwrap();
    /// assert_eq!(cpu.get(Cpu::FILES.place("x10")?, 0), 42);
    /// # Ok::<(), isa_core::machine::NameError>(())
    /// ```
    pub struct Cpu {
        const X: Regs<u64> = RegisterFile::listed(Reg::names()).constant("zero").or(&[("fp", 8)]).or_numbered("x");
        const PC: Counter = RegisterFile::listed(&["pc"]).noun("program counter");
        const FCSR: Regs<u64> = RegisterFile::listed(&["fcsr"]);
        const MEM: Bytes = RegisterFile::memory("mem").needs_fence();
        let reservation: Option<(u64, Size)>;
    }
}

impl Registers for Cpu {
    #[inline]
    fn reg(&self, number: u8) -> u64 {
        if number == 0 { 0 } else { self.state.read(Self::X, number) }
    }

    #[inline]
    fn set_reg(&mut self, number: u8, value: u64) {
        if number != 0 {
            self.state.write(Self::X, number, value);
        }
    }
}

impl Memory for Cpu {
    #[inline(always)]
    fn load(&self, address: u64, size: Size) -> Result<u64, Trap> {
        Ok(size.extend(self.state.load(Self::MEM, address, size.bytes()) as u64))
    }

    #[inline(always)]
    fn store(&mut self, address: u64, size: Size, value: u64) -> Result<(), Trap> {
        self.state.store(Self::MEM, address, size.bytes(), value.into());
        Ok(())
    }

    #[inline]
    fn reservation(&mut self) -> &mut Option<(u64, Size)> {
        &mut self.reservation
    }

    fn fence_i(&mut self) {}
}

impl Control for Cpu {
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

impl Csrs for Cpu {
    fn csr(&self, csr: Csr) -> Result<u64, Trap> {
        match csr.number() {
            3 => Ok(self.state.read(Self::FCSR, 0u8)),
            _ => Err(Trap::IllegalInstruction),
        }
    }

    fn set_csr(&mut self, csr: Csr, value: u64) -> Result<(), Trap> {
        match csr.number() {
            3 => {
                self.state.write(Self::FCSR, 0u8, value & 0xff);
                Ok(())
            }
            _ => Err(Trap::IllegalInstruction),
        }
    }
}
