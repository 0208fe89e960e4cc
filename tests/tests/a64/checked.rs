//! What every set promises.

use isa_a64::A64;
use isa_check::Check;
use isa_tests::share::part_of;

#[test]
fn the_set_keeps_its_promises() {
    Check::<A64>::new().cases(part_of(150_000)).run();
}
