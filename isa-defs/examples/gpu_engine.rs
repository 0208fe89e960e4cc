//! The engine of the manual of `isa`: assembles, disassembles, explains and executes in a page.

use isa_core::machine::Recorder;
use isa_defs::gpu::Gpu;
use isa_web::Engine;

isa_web::engine!(Engine::new::<Gpu>().machine(Gpu::execute::<Recorder>));
