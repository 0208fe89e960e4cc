//! Splits slices into blocks that have the size of a warp, and applies the settings to each block
//! before and after the operation.

use core::slice;

use super::Settings;
use super::layout::{LANES, LaneBlock, RegisterBlock, registers_of};
use super::packed::PackedOperand;
use crate::half_float::Half;
use crate::modifiers::{flush, relu, saturate};

/// Applies `operation` to the slices block by block, including the modifiers in `settings`.
#[inline(always)]
pub(super) fn apply<H: Half, const N: usize>(
    settings: Settings,
    sources: [&[u16]; N],
    out: &mut [u16],
    operation: impl Fn([&LaneBlock; N], &mut LaneBlock),
) {
    for_blocks(
        sources,
        out,
        #[inline(always)]
        |blocks, out| {
            let mut flushed = [[0; LANES]; N];
            if settings.flush_operands {
                for (flushed, block) in flushed.iter_mut().zip(blocks) {
                    *flushed = *block;
                    change::<H>(flushed, flush);
                }
            }
            let operands: [&LaneBlock; N] =
                if settings.flush_operands { flushed.each_ref() } else { blocks };
            operation(operands, out);
            finish::<H>(settings, out);
        },
    );
}

/// Does the same as [`apply`] for registers of two lanes each. `read` converts the registers of an
/// operand to a block, as specified by the operand's element of `modifiers`.
#[inline(always)]
pub(super) fn apply_packed<H: Half, M: Copy, const N: usize>(
    settings: Settings,
    sources: [&[u32]; N],
    modifiers: [M; N],
    out: &mut [u32],
    read: impl Fn(M, &RegisterBlock) -> LaneBlock,
    operation: impl Fn([&LaneBlock; N], &mut LaneBlock),
) {
    for_blocks(
        sources,
        out,
        #[inline(always)]
        |rows: [&RegisterBlock; N], out: &mut RegisterBlock| {
            let mut operands = [[0; LANES]; N];
            for ((operand, row), modifiers) in operands.iter_mut().zip(rows).zip(modifiers) {
                *operand = read(modifiers, row);
                if settings.flush_operands {
                    change::<H>(operand, flush);
                }
            }
            let mut results = [0; LANES];
            operation(operands.each_ref(), &mut results);
            finish::<H>(settings, &mut results);
            *out = registers_of(&results);
        },
    );
}

/// Applies an operation on single lanes to the slices.
pub(super) fn apply_each<H: Half, const N: usize>(
    settings: Settings,
    sources: [&[u16]; N],
    out: &mut [u16],
    operation: impl Fn([u16; N]) -> u16,
) {
    apply::<H, N>(settings, sources, out, each(operation));
}

/// Applies an operation on single lanes to registers of two lanes each.
pub(super) fn apply_each_packed<H: Half, const N: usize>(
    settings: Settings,
    sources: [PackedOperand<'_>; N],
    out: &mut [u32],
    operation: impl Fn([u16; N]) -> u16,
) {
    let rows = sources.map(|source| source.registers);
    let operation = each(operation);
    apply_packed::<H, _, N>(settings, rows, sources, out, PackedOperand::block, operation);
}

/// Applies an operation on single lanes to one register, which is faster than using a block.
#[inline(always)]
pub(super) fn apply_to_one<H: Half, const N: usize>(
    settings: Settings,
    sources: [PackedOperand<'_>; N],
    operation: impl Fn([u16; N]) -> u16,
) -> u32 {
    // Uses inlined loops instead of `map`, so that both lanes are computed at once.
    let mut lanes = [[0; 2]; N];
    for (lanes, source) in lanes.iter_mut().zip(sources) {
        [*lanes] = source.lanes();
        if settings.flush_operands {
            change::<H>(lanes, flush);
        }
    }
    let mut results = [0; 2];
    for (i, result) in results.iter_mut().enumerate() {
        let mut operands = [0; N];
        for (operand, lanes) in operands.iter_mut().zip(&lanes) {
            *operand = lanes[i];
        }
        *result = operation(operands);
    }
    finish::<H>(settings, &mut results);
    let [register] = registers_of(&results);
    register
}

/// Converts an operation on single lanes to an operation on blocks.
#[inline(always)]
fn each<const N: usize>(
    operation: impl Fn([u16; N]) -> u16,
) -> impl Fn([&LaneBlock; N], &mut LaneBlock) {
    move |blocks: [&LaneBlock; N], out: &mut LaneBlock| {
        for (i, out) in out.iter_mut().enumerate() {
            *out = operation(blocks.map(|block| block[i]));
        }
    }
}

/// Applies the remaining modifiers to rounded results, in which every NaN is 0x7fff.
#[inline(always)]
fn finish<H: Half>(settings: Settings, out: &mut [u16]) {
    if settings.saturate {
        change::<H>(out, saturate);
    } else if settings.relu {
        change::<H>(out, relu);
    }
    if settings.flush_result {
        change::<H>(out, flush);
    }
}

/// Applies a function to each lane. It uses a loop because `map` is not always inlined, and is then
/// not vectorized.
#[inline(always)]
fn change<H: Half>(lanes: &mut [u16], function: impl Fn(H) -> H) {
    for lane in lanes {
        *lane = function(H::from_bits(*lane)).to_bits();
    }
}

/// Calls `step` for each whole block of the slices.
#[inline(always)]
fn for_blocks<T: Copy + Default, const N: usize, const LENGTH: usize>(
    sources: [&[T]; N],
    out: &mut [T],
    step: impl Fn([&[T; LENGTH]; N], &mut [T; LENGTH]),
) {
    let sources = sources.map(|source| source.as_chunks().0);
    let (blocks, _) = out.as_chunks_mut();
    let zeros = [T::default(); LENGTH];
    for (i, block) in blocks.iter_mut().enumerate() {
        let mut operands = [&zeros; N];
        for (operand, source) in operands.iter_mut().zip(sources) {
            let Some(block) = source.get(i) else { return };
            *operand = block;
        }
        step(operands, block);
    }
}

/// Calls `run` for the complete blocks of the slices. If lanes remain, it calls `run` once more for a
/// block that contains them, followed by zeros.
#[inline(always)]
pub(super) fn in_blocks<T: Copy + Default, const N: usize, const LENGTH: usize>(
    sources: [&[T]; N],
    out: &mut [T],
    run: impl Fn([&[T]; N], &mut [T]),
) {
    let length = sources.iter().map(|source| source.len()).fold(out.len(), usize::min);
    let whole = length - length % LENGTH;
    let parts = sources.map(|source| source.split_at_checked(whole).unwrap_or_default());
    let (blocks, rest) = out.split_at_mut_checked(whole).unwrap_or_default();
    if whole > 0 {
        run(parts.map(|(blocks, _)| blocks), blocks);
    }
    if whole < length {
        let mut filled = [[T::default(); LENGTH]; N];
        for (filled, (_, rest)) in filled.iter_mut().zip(parts) {
            filled.iter_mut().zip(rest).for_each(|(to, &from)| *to = from);
        }
        let mut last = [T::default(); LENGTH];
        run(filled.each_ref().map(|filled| &filled[..]), &mut last);
        rest.iter_mut().zip(last).take(length - whole).for_each(|(to, from)| *to = from);
    }
}

/// Does the same as [`in_blocks`] for registers of two lanes each. If `takes_one` is true, a single
/// register is passed to `run` directly instead of in a block that is filled up. In WebAssembly every
/// register is passed directly, because blocks do not make the code faster there but increase the load
/// time of a page.
#[inline(always)]
pub(super) fn in_registers<const N: usize>(
    takes_one: bool,
    sources: [PackedOperand<'_>; N],
    out: &mut [u32],
    run: impl Fn([PackedOperand<'_>; N], &mut [u32]),
) {
    if cfg!(target_family = "wasm") && takes_one {
        for (at, out) in out.iter_mut().enumerate() {
            let mut sources = sources;
            for source in &mut sources {
                let Some(register) = source.registers.get(at..=at) else { return };
                source.registers = register;
            }
            run(sources, slice::from_mut(out));
        }
        return;
    }
    if takes_one && out.len() == 1 && sources.iter().all(|source| !source.registers.is_empty()) {
        return run(sources, out);
    }
    let rows = sources.map(|source| source.registers);
    in_blocks::<_, N, { LANES / 2 }>(
        rows,
        out,
        #[inline(always)]
        |rows, out| {
            let mut sources = sources;
            for (source, registers) in sources.iter_mut().zip(rows) {
                source.registers = registers;
            }
            run(sources, out);
        },
    );
}
