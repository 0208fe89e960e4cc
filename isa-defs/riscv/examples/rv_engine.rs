//! The engine of the manual of RISC-V.

use isa_riscv::{Rv64imac, cpu::Cpu};
use isa_web::Engine;

isa_web::engine!(
    Engine::new::<Rv64imac>()
        .lines("#")
        .directives(isa_riscv::DIRECTIVES)
        .padding(isa_riscv::PADDING)
        .machine(Rv64imac::execute::<Cpu>)
);
