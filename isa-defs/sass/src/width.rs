//! The number of 32-bit registers that an operand consists of, as functions of fields.
//!
//! The 32 threads of a warp hold a matrix together, so a matrix of `m` by `k` elements of `n` bits needs
//! `m * k * n / 1024` registers. The parameter `shape` is the bits of the field with the sizes of the matrices.

/// The registers of a value in memory, by its size.
pub(crate) const fn of_size(size: u64) -> u64 {
    match size {
        5 => 2,
        6 => 4,
        _ => 1,
    }
}

/// Returns an element of a list, or 1 for bits that the specification reserves.
const fn at<const N: usize>(list: [u64; N], bits: u64) -> u64 {
    if (bits as usize) < N { list[bits as usize] } else { 1 }
}

/// Sums of 16 by 8 floats: of 16 bits, or of 32 bits.
pub(crate) const fn sums(format: u64) -> u64 {
    at([2, 4], format)
}

/// Factor A of HMMA with 16-bit floats: 16 by 8, 16 or 4.
pub(crate) const fn half_a(shape: u64) -> u64 {
    at([2, 4, 1], shape)
}

/// Factor B of HMMA with 16-bit floats: 8, 16 or 4 by 8.
pub(crate) const fn half_b(shape: u64) -> u64 {
    at([1, 2, 1], shape)
}

/// Factor A of HMMA with floats of 16 bits, or of 32 bits in the format 2.
pub(crate) const fn float_a(shape: u64, format: u64) -> u64 {
    if format == 2 { at([4, 8, 2], shape) } else { half_a(shape) }
}

/// Factor B of HMMA with floats of 16 bits, or of 32 bits in the format 2.
pub(crate) const fn float_b(shape: u64, format: u64) -> u64 {
    if format == 2 { at([2, 4, 1], shape) } else { half_b(shape) }
}

/// Factor A of IMMA: 8 by 16 or 32, or 16 by 16, 32 or 64. The types 2 and 3 have 4 bits, the others 8.
pub(crate) const fn integer_a(shape: u64, factor: u64) -> u64 {
    if factor < 2 { at([1, 1, 2, 1, 2, 4, 8], shape) } else { at([1, 1, 1, 1, 1, 2, 4], shape) }
}

/// Factor B of IMMA, which has 8 columns.
pub(crate) const fn integer_b(shape: u64, factor: u64) -> u64 {
    if factor < 2 { at([1, 1, 2, 1, 1, 2, 4], shape) } else { at([1, 1, 1, 1, 1, 1, 2], shape) }
}

/// Sums of IMMA: 8 or 16 by 8 integers of 32 bits.
pub(crate) const fn integer_sums(shape: u64) -> u64 {
    if shape < 4 { 2 } else { 4 }
}

/// Factor A of BMMA: 8 by 128, 16 by 128 or 16 by 256 bits.
pub(crate) const fn bits_a(shape: u64) -> u64 {
    at([1, 2, 4], shape)
}

/// Factor B of BMMA, which has 8 columns.
pub(crate) const fn bits_b(shape: u64) -> u64 {
    at([1, 1, 2], shape)
}

/// Sums of BMMA: 8 or 16 by 8 integers of 32 bits.
pub(crate) const fn bits_sums(shape: u64) -> u64 {
    at([2, 4, 4], shape)
}

/// Factor A of DMMA: 8 by 4, or 16 by 4, 8 or 16 floats of 64 bits.
pub(crate) const fn double_a(shape: u64) -> u64 {
    at([2, 4, 8, 16], shape)
}

/// Factor B of DMMA, which has 8 columns.
pub(crate) const fn double_b(shape: u64) -> u64 {
    at([2, 2, 4, 8], shape)
}

/// Sums of DMMA: 8 or 16 by 8 floats of 64 bits.
pub(crate) const fn double_sums(shape: u64) -> u64 {
    at([4, 8, 8, 8], shape)
}

/// Factor A of QMMA: 16 by 16 or 32 floats in 8 bits each.
pub(crate) const fn quarter_a(shape: u64) -> u64 {
    at([2, 4], shape)
}

/// Factor B of QMMA, which has 8 columns.
pub(crate) const fn quarter_b(shape: u64) -> u64 {
    at([1, 2], shape)
}

/// Matrices of 8 by 8 elements of 16 bits that LDSM loads: one, two or four.
pub(crate) const fn matrices(count: u64) -> u64 {
    at([1, 2, 4], count)
}
