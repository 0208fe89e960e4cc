//! Fuzz target: parses and prints 16-bit floating-point numbers.

use core::mem::discriminant;

use isa_half::{Half, LANE_BUFFER, bf16, f16, parse_lane, write_lane};

use super::reached;

/// Runs the target on the text of a lane.
///
/// # Panics
///
/// Panics if a parsed number does not round-trip through its printed text.
pub fn target(data: &[u8]) -> u64 {
    reached([one::<f16>(data), one::<bf16>(data)])
}

fn one<H: Half>(text: &[u8]) -> u64 {
    match parse_lane::<H>(text) {
        Ok(bits) => {
            let mut buffer = [0; LANE_BUFFER];
            let length = write_lane(H::from_bits(bits), &mut buffer);
            let printed = &buffer[..length];
            assert_eq!(parse_lane::<H>(printed), Ok(bits), "{text:?} {printed:?}");
            // The exponent and the length indicate which code path was used.
            reached((bits >> 7, text.len().min(32)))
        }
        Err(error) => reached(discriminant(&error)),
    }
}
