//! The property tests of any set.

use isa_tests::share::part_of;
use isa_verify::Check;

use crate::set::Rdna3;

#[test]
fn rdna3() {
    Check::<Rdna3>::new().cases(part_of(60_000)).run();
}
