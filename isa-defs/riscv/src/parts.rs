//! The parts of addresses that instructions put together: 20 bits, and 12 with a sign.

use isa_core::operand::{AddressPart, AddressParts};

/// The upper 20 bits, for `lui` and `auipc`.
pub struct High;

impl AddressParts for High {
    const PARTS: &'static [AddressPart] =
        &[AddressPart::new("%hi(", ")", high), AddressPart::from_here("%pcrel_hi(", ")", high)];
}

/// The lower 12 bits as a number with a sign, which another instruction adds to the upper 20.
pub struct Low;

impl AddressParts for Low {
    const PARTS: &'static [AddressPart] = &[
        AddressPart::new("%lo(", ")", |address| (address.cast_signed() << 52 >> 52).into()),
        // Of the address that the `auipc` at a label is for.
        AddressPart::of_linker("%pcrel_lo(", ")"),
    ];
}

/// The upper bits of an address, to which 12 bits with a sign are added. There are more than 20 where 32 bits
/// with a sign do not reach the address.
fn high(number: u64) -> i128 {
    let rounded = (i128::from(number.cast_signed()) + 0x800) >> 12;
    match rounded {
        -0x8_0000..0x8_0000 => rounded & 0xf_ffff,
        _ => rounded,
    }
}
