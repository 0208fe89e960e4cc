//! Building blocks of the HALU semantics: they unpack and pack 16-bit lanes and apply modifiers, on
//! any number of registers at once.
//!
//! Decisions that are the same for all registers are made outside the loops. The loops contain no
//! branches, so the compiler vectorizes them. Rounded arithmetic is in [`isa_half::lanes`], which
//! selects vector instructions itself.
//!
//! All instructions apply the steps to each lane in the same order: half-select, absolute value,
//! negation, `.FTZ` of the inputs, the operation with one rounding, `.SAT` or `.RELU`, `.FTZ` of
//! the result, and the replacement of NaN results by the canonical NaN.

use crate::base::{
    BVal, FCMPOp, FPFtz, FPRound, FPSat, HF32, HFmtV2, HSel2, LOPOp, PModi, SignModi,
};
use isa_half::lanes::{Engine, HalfSelect, PackedOperand, Settings, pack};
use isa_half::{Compare, Extremum, Half, Rounding, bf16, f16};

/// The two 16-bit lanes of each of `L` registers, lane 0 first.
type HalfLanes<const L: usize> = [[u16; 2]; L];

/// Returns the rounding and the modifiers of a result. `.FTZ` flushes the sources before the operation
/// and the rounded result after `.SAT` or `.RELU`.
#[inline(always)]
pub(super) fn settings(rnd: FPRound, ftz: FPFtz, sat: FPSat, relu: bool) -> Settings {
    let rounding = match rnd {
        FPRound::RN => Rounding::NearestEven,
        FPRound::RM => Rounding::TowardNegative,
        FPRound::RP => Rounding::TowardPositive,
        FPRound::RZ => Rounding::TowardZero,
    };
    let (flush, saturate) = (ftz.into(), sat.into());
    Settings { rounding, flush_operands: flush, saturate, relu, flush_result: flush }
}

/// Returns the lanes of a source after half-select, absolute value and negation.
#[inline(always)]
pub(super) fn lanes(
    registers: &[u32],
    hsel2: HSel2,
    absolute: SignModi,
    negate: SignModi,
) -> PackedOperand<'_> {
    let select = match hsel2 {
        HSel2::H1_H0 => HalfSelect::Both,
        HSel2::H0_H0 => HalfSelect::Low,
        HSel2::H1_H1 => HalfSelect::High,
    };
    PackedOperand { registers, select, absolute: absolute.into(), negate: negate.into() }
}

/// Selects the implementation for `L` registers. A single register is faster without vector
/// instructions, because filling a vector costs more time than the operation.
#[inline(always)]
fn engine<const L: usize>() -> Engine {
    if L == 1 { Engine::PORTABLE } else { Engine::new() }
}

/// Computes `a + b` in all lanes: flushes the sources with `.FTZ`, rounds the exact sum once, applies
/// `.SAT` or `.RELU`, flushes the result with `.FTZ`, and replaces NaN by 0x7FFF.
#[inline(always)]
pub(super) fn add<H: Half, const L: usize>(
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
    settings: Settings,
) -> [u32; L] {
    let mut sums = [0; L];
    engine::<L>().add_packed::<H>(settings, a, b, &mut sums);
    sums
}

/// Computes `a * b` in all lanes: flushes the sources with `.FTZ`, rounds the exact product once, applies
/// `.SAT` or `.RELU`, flushes the result with `.FTZ`, and replaces NaN by 0x7FFF.
#[inline(always)]
pub(super) fn mul<H: Half, const L: usize>(
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
    settings: Settings,
) -> [u32; L] {
    let mut products = [0; L];
    engine::<L>().mul_packed::<H>(settings, a, b, &mut products);
    products
}

/// Computes `a * b + c` in all lanes: flushes the sources with `.FTZ`, rounds the exact sum once, applies
/// `.SAT` or `.RELU`, flushes the result with `.FTZ`, and replaces NaN by 0x7FFF.
#[inline(always)]
pub(super) fn fma<H: Half, const L: usize>(
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
    c: PackedOperand<'_>,
    settings: Settings,
) -> [u32; L] {
    let mut sums = [0; L];
    engine::<L>().fma_packed::<H>(settings, a, b, c, &mut sums);
    sums
}

/// If the instruction has `.F32`, converts lane 0 of each register to a 32-bit float, which replaces
/// both lanes.
#[inline(always)]
pub(super) fn narrow_or_widen<H: Half, const L: usize>(packed: [u32; L], f32: HF32) -> [u32; L] {
    match f32 {
        HF32::NoF32 => packed,
        HF32::F32 => {
            let mut wide = packed;
            for register in &mut wide {
                *register = isa_half::widen_to_f32_bits(H::from_bits(*register as u16));
            }
            wide
        }
    }
}

/// Returns the predicate operand after its optional negation.
#[inline(always)]
pub(super) fn predicate<const L: usize>(mut values: [bool; L], not: PModi) -> [bool; L] {
    for value in &mut values {
        *value ^= bool::from(not);
    }
    values
}

/// Returns the smaller of the two values in each lane, or the larger one if the register's element of
/// `minimum` is false. -0 is smaller than +0. If one value is NaN, the result is the other value, or NaN
/// if `propagate_nan` is true. A NaN result is 0x7FFF.
#[inline(always)]
pub(super) fn min_max<H: Half, const L: usize>(
    minimum: &[bool; L],
    propagate_nan: bool,
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
    ftz: FPFtz,
) -> [u32; L] {
    let (a, b) = (inputs::<H, L>(a, ftz), inputs::<H, L>(b, ftz));
    let mut chosen = [[0; 2]; L];
    let sources = a.iter().zip(&b).zip(minimum);
    for (chosen, ((a, b), &minimum)) in chosen.iter_mut().zip(sources) {
        let which = if minimum { Extremum::Minimum } else { Extremum::Maximum };
        for (chosen, (&a, &b)) in chosen.iter_mut().zip(a.iter().zip(b)) {
            let (a, b) = (H::from_bits(a), H::from_bits(b));
            *chosen = isa_half::min_max::<H>(which, propagate_nan, a, b).to_bits();
        }
    }
    pack(&chosen)
}

/// Returns the lanes of a source, with subnormal numbers replaced by zeros if the instruction has
/// `.FTZ`.
#[inline(always)]
fn inputs<H: Half, const L: usize>(source: PackedOperand<'_>, ftz: FPFtz) -> HalfLanes<L> {
    let mut lanes = source.lanes();
    if ftz.into() {
        for lane in lanes.as_flattened_mut() {
            *lane = isa_half::flush(H::from_bits(*lane)).to_bits();
        }
    }
    lanes
}

/// Returns the result of a comparison for each lane. -0 equals +0. If a value is NaN, `LT` to `GE` are
/// false, and `LTU` to `GEU` are true.
#[inline(always)]
pub(super) fn compare_lanes<const L: usize>(
    format: HFmtV2,
    ftz: FPFtz,
    cmp: FCMPOp,
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
) -> [[bool; 2]; L] {
    match format {
        HFmtV2::F16_V2 => compare_as::<f16, L>(ftz, cmp, a, b),
        HFmtV2::BF16_V2 => compare_as::<bf16, L>(ftz, cmp, a, b),
    }
}

#[inline(always)]
fn compare_as<H: Half, const L: usize>(
    ftz: FPFtz,
    cmp: FCMPOp,
    a: PackedOperand<'_>,
    b: PackedOperand<'_>,
) -> [[bool; 2]; L] {
    let op = comparison(cmp);
    let (a, b) = (inputs::<H, L>(a, ftz), inputs::<H, L>(b, ftz));
    let mut holds = [[false; 2]; L];
    let sources = a.as_flattened().iter().zip(b.as_flattened());
    for (holds, (&a, &b)) in holds.as_flattened_mut().iter_mut().zip(sources) {
        *holds = isa_half::compare(op, H::from_bits(a), H::from_bits(b));
    }
    holds
}

#[inline(always)]
fn comparison(cmp: FCMPOp) -> Compare {
    match cmp {
        FCMPOp::LT => Compare::Lt,
        FCMPOp::EQ => Compare::Eq,
        FCMPOp::LE => Compare::Le,
        FCMPOp::GT => Compare::Gt,
        FCMPOp::NE => Compare::Ne,
        FCMPOp::GE => Compare::Ge,
        FCMPOp::NUM => Compare::Num,
        FCMPOp::NAN => Compare::Nan,
        FCMPOp::LTU => Compare::Ltu,
        FCMPOp::EQU => Compare::Equ,
        FCMPOp::LEU => Compare::Leu,
        FCMPOp::GTU => Compare::Gtu,
        FCMPOp::NEU => Compare::Neu,
        FCMPOp::GEU => Compare::Geu,
    }
}

/// Combines each result of a comparison with the predicate operand.
#[inline(always)]
pub(super) fn combine<const L: usize>(
    lop: LOPOp,
    holds: &[[bool; 2]; L],
    pp: &[bool; L],
) -> [[bool; 2]; L] {
    match lop {
        LOPOp::AND => combine_by(holds, pp, |lane, pp| lane & pp),
        LOPOp::OR => combine_by(holds, pp, |lane, pp| lane | pp),
        LOPOp::XOR => combine_by(holds, pp, |lane, pp| lane ^ pp),
    }
}

#[inline(always)]
fn combine_by<const L: usize>(
    holds: &[[bool; 2]; L],
    pp: &[bool; L],
    op: impl Fn(bool, bool) -> bool,
) -> [[bool; 2]; L] {
    let mut combined = [[false; 2]; L];
    for (combined, (&[low, high], &pp)) in combined.iter_mut().zip(holds.iter().zip(pp)) {
        *combined = [op(low, pp), op(high, pp)];
    }
    combined
}

/// Returns the results of lane 0 of all registers, followed by the results of lane 1.
#[inline(always)]
pub(super) fn split<const L: usize>(holds: &[[bool; 2]; L]) -> [[bool; L]; 2] {
    let (mut lows, mut highs) = ([false; L], [false; L]);
    for (&[low, high], (to_low, to_high)) in holds.iter().zip(lows.iter_mut().zip(&mut highs)) {
        (*to_low, *to_high) = (low, high);
    }
    [lows, highs]
}

/// Returns registers that contain `truth` in the lanes for which the comparison is true, and 0 in
/// the other lanes.
#[inline(always)]
pub(super) fn truths<const L: usize>(holds: &[[bool; 2]; L], truth: u16) -> [u32; L] {
    let mut lanes = [[0; 2]; L];
    for (lane, &holds) in lanes.as_flattened_mut().iter_mut().zip(holds.as_flattened()) {
        *lane = u16::from(holds).wrapping_neg() & truth;
    }
    pack(&lanes)
}

/// Returns the bits that a lane contains if its comparison is true.
#[inline(always)]
pub(super) fn truth_value(bval: BVal, format: HFmtV2) -> u16 {
    match (bval, format) {
        (BVal::BM, _) => 0xffff,
        (BVal::BF, HFmtV2::F16_V2) => f16::FORMAT.one(),
        (BVal::BF, HFmtV2::BF16_V2) => bf16::FORMAT.one(),
    }
}
