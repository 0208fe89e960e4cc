//! The property tests that every set must pass.

use isa_a64::A64;
use isa_tests::share::part_of;
use isa_verify::Check;

#[test]
fn the_set_keeps_its_promises() {
    Check::<A64>::new().cases(part_of(150_000)).run();
}
