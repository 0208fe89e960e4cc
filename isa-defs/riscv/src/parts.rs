//! Operand parts for the two halves of an address: the upper 20 bits and the signed lower 12 bits.

use isa_core::operand::{AddressPart, AddressParts};

/// The upper 20 bits of an address, for `lui` and `auipc`.
pub struct High;

impl AddressParts for High {
    const PARTS: &'static [AddressPart] =
        &[AddressPart::new("%hi(", ")", high), AddressPart::from_here("%pcrel_hi(", ")", high)];
}

/// The lower 12 bits of an address as a signed number. A second instruction adds them to the upper
/// 20 bits.
pub struct Low;

impl AddressParts for Low {
    const PARTS: &'static [AddressPart] = &[
        AddressPart::new("%lo(", ")", |address| (address.cast_signed() << 52 >> 52).into()),
        // The operand of `%pcrel_lo` is the label of an `auipc`. The linker takes the address from the
        // relocation of that `auipc`.
        AddressPart::of_linker("%pcrel_lo(", ")"),
    ];
}

/// Returns the upper bits of an address, rounded so that adding the signed lower 12 bits gives the
/// address. The result has more than 20 bits if the address is not reachable with a signed 32-bit
/// number.
fn high(number: u64) -> i128 {
    let rounded = (i128::from(number.cast_signed()) + 0x800) >> 12;
    match rounded {
        -0x8_0000..0x8_0000 => rounded & 0xf_ffff,
        _ => rounded,
    }
}
