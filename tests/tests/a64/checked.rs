//! What every set promises.

use isa_a64::A64;
use isa_check::Check;
use isa_tests::share::part_of;

use crate::spelling::is_read_as_another;

#[test]
fn the_set_keeps_its_promises() {
    let check = Check::<A64>::new().cases(part_of(150_000));
    check.read_otherwise(|word| u32::try_from(word).is_ok_and(is_read_as_another)).run();
}
