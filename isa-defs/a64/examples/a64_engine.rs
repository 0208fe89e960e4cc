//! The engine of the manual of A64.

use isa_a64::{A64, simulator::Simulator};
use isa_web::Engine;

isa_web::engine!(
    Engine::new::<A64>()
        .lines("")
        .directives(isa_a64::DIRECTIVES)
        .padding(isa_a64::PADDING)
        .machine(A64::execute::<Simulator>)
);
