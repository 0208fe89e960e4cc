//! Defines the blocks in which slices are processed, and converts between registers and lanes.

/// The number of lanes of a warp.
pub(super) const LANES: usize = 32;

/// The bit patterns of the lanes of a warp.
pub(super) type LaneBlock = [u16; LANES];

/// The registers of a block, with two lanes each.
pub(super) type RegisterBlock = [u32; LANES / 2];

/// Copies the lanes of registers. The code goes through the bytes of the registers, because it then
/// compiles to a plain memory copy.
#[inline(always)]
pub(super) fn copy_halves<const L: usize>(row: &[u32; L], lanes: &mut [u16]) {
    let mut bytes = [[0; 4]; L];
    for (bytes, register) in bytes.iter_mut().zip(row) {
        *bytes = register.to_le_bytes();
    }
    let (halves, _) = bytes.as_flattened().as_chunks();
    for (lane, &half) in lanes.iter_mut().zip(halves) {
        *lane = u16::from_le_bytes(half);
    }
}

/// Returns the registers that contain `lanes`, two lanes in each register.
#[inline(always)]
pub(super) fn registers_of<const L: usize>(lanes: &[u16]) -> [u32; L] {
    let mut bytes = [[0; 4]; L];
    let (halves, _) = bytes.as_flattened_mut().as_chunks_mut();
    for (half, lane) in halves.iter_mut().zip(lanes) {
        *half = lane.to_le_bytes();
    }
    let mut row = [0; L];
    for (register, bytes) in row.iter_mut().zip(bytes) {
        *register = u32::from_le_bytes(bytes);
    }
    row
}
