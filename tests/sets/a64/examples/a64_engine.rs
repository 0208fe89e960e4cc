//! The engine of the manual of A64.

use isa_a64::{A64, simulator::Simulator};
use isa_web::Engine;

isa_web::engine!(Engine::new::<A64>().lines("").machine(A64::execute::<Simulator>));
