//! Slices in blocks of one warp, and what is done to a block before and after the operation.

use super::Settings;
use crate::half2::format::Half;
use crate::half2::post::{flush, relu, saturate};

/// The lanes of a warp.
pub(super) const LANES: usize = 32;

/// As many patterns as a warp has lanes.
pub(super) type Block = [u16; LANES];

/// Applies `operation` to the slices block by block, with what `settings` has before and after.
#[inline(always)]
pub(super) fn apply<H: Half, const N: usize>(
    settings: Settings,
    sources: [&[u16]; N],
    out: &mut [u16],
    operation: impl Fn([&Block; N], &mut Block),
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
            let operands: [&Block; N] =
                if settings.flush_operands { flushed.each_ref() } else { blocks };
            operation(operands, out);
            finish::<H>(settings, out);
        },
    );
}

/// What is left to do to rounded results: no NaN but 0x7fff is among them.
#[inline(always)]
fn finish<H: Half>(settings: Settings, out: &mut Block) {
    if settings.saturate {
        change::<H>(out, saturate);
    } else if settings.relu {
        change::<H>(out, relu);
    }
    if settings.flush_result {
        change::<H>(out, flush);
    }
}

/// A loop and not `map`, which is not always inlined, and then has no vector instructions.
#[inline(always)]
fn change<H: Half>(block: &mut Block, function: impl Fn(H) -> H) {
    for lane in block {
        *lane = function(H::from_bits(*lane)).to_bits();
    }
}

/// Calls `step` for each block of the slices; the last, if it is shorter, is filled up with zeros.
#[inline(always)]
fn for_blocks<const N: usize>(
    sources: [&[u16]; N],
    out: &mut [u16],
    step: impl Fn([&Block; N], &mut Block),
) {
    let lanes = sources.iter().map(|source| source.len()).fold(out.len(), usize::min);
    let sources = sources.map(|source| source[..lanes].as_chunks::<LANES>());
    let (blocks, rest) = out[..lanes].as_chunks_mut::<LANES>();
    for (i, block) in blocks.iter_mut().enumerate() {
        step(sources.map(|(blocks, _)| &blocks[i]), block);
    }
    if !rest.is_empty() {
        let filled = sources.map(|(_, rest)| {
            let mut block = [0; LANES];
            block[..rest.len()].copy_from_slice(rest);
            block
        });
        let mut block = [0; LANES];
        step(filled.each_ref(), &mut block);
        rest.copy_from_slice(&block[..rest.len()]);
    }
}
