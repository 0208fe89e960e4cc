//! The engines of two sets in one module.

use isa_core::machine::Recorder;
use isa_defs::gpu::Gpu;
use isa_riscv::{Rv64imac, cpu::Cpu};
use isa_web::Engine;

isa_web::engine!(gpu_engine: Engine::new::<Gpu>().machine(Gpu::execute::<Recorder>));
isa_web::engine!(rv_engine: Engine::new::<Rv64imac>().lines("#").directives(isa_riscv::DIRECTIVES).padding(isa_riscv::PADDING).machine(Rv64imac::execute::<Cpu>));
