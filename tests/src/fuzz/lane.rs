//! Reading and printing 16-bit floats.

use core::mem::discriminant;

use isa_core::half2::{Half, LANE_TEXT_MAX, bf16, f16, parse_lane, write_lane};

use super::reached;

/// Takes the text of a lane.
///
/// # Panics
///
/// Where what is read is not read again from what is printed of it.
pub fn target(data: &[u8]) -> u64 {
    reached([one::<f16>(data), one::<bf16>(data)])
}

fn one<H: Half>(text: &[u8]) -> u64 {
    match parse_lane::<H>(text) {
        Ok(bits) => {
            let mut buffer = [0; LANE_TEXT_MAX];
            let length = write_lane(H::from_bits(bits), &mut buffer);
            let printed = &buffer[..length];
            assert_eq!(parse_lane::<H>(printed), Ok(bits), "{text:?} {printed:?}");
            // The exponent and the length say which way was taken.
            reached((bits >> 7, text.len().min(32)))
        }
        Err(error) => reached(discriminant(&error)),
    }
}
