//! What the semantics of HALU are made of: lanes in and out of a register, and the order in
//! which modifiers apply.
//!
//! Nothing here chooses by a jump: a modifier is a mask or a shift, and all is inlined, so that the
//! loop over the lanes of a warp becomes vector code with the modifiers outside of it.
//!
//! One order holds for every instruction, lane by lane: half-select, absolute value, negation,
//! `.FTZ` of the inputs, the operation with its one rounding, `.SAT` or `.RELU`, `.FTZ` of the
//! result, and the one NaN that results have.

use crate::base::{BVal, FCMPOp, FPFtz, FPRound, FPSat, HF32, HFmtV2, HSel2, LOPOp, SignModi};
use isa_core::half2::{self, Compare, Extremum, Half, Rounding, bf16, f16};

/// The two 16-bit lanes of a register, lane 0 first.
pub(super) type Lanes = [u16; 2];

const SIGN: u16 = 0x8000;

/// How a result is rounded and what becomes of it.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    rounding: Rounding,
    flush_inputs: bool,
    flush_result: bool,
    saturate: bool,
    relu: bool,
}

impl Settings {
    #[inline(always)]
    pub(super) fn new(rnd: FPRound, ftz: FPFtz, sat: FPSat, relu: bool) -> Self {
        let (ftz, saturate) = (ftz.into(), sat.into());
        let rounding = rounding(rnd);
        Settings { rounding, flush_inputs: ftz, flush_result: ftz, saturate, relu }
    }

    /// For operations that round nothing and flush only what they read.
    #[inline(always)]
    pub(super) fn inputs(ftz: FPFtz) -> Self {
        Settings { flush_result: false, ..Settings::new(FPRound::RN, ftz, FPSat::NoSAT, false) }
    }
}

#[inline(always)]
fn rounding(rnd: FPRound) -> Rounding {
    match rnd {
        FPRound::RN => Rounding::NearestEven,
        FPRound::RM => Rounding::TowardNegative,
        FPRound::RP => Rounding::TowardPositive,
        FPRound::RZ => Rounding::TowardZero,
    }
}

/// The lanes that a source feeds: half-select, then absolute value, then negation. The last two
/// act on the sign alone, NaNs included.
#[inline(always)]
pub(super) fn lanes(value: u32, hsel2: HSel2, abs: SignModi, neg: SignModi) -> Lanes {
    let keep = if bool::from(abs) { !SIGN } else { !0 };
    let flip = if bool::from(neg) { SIGN } else { 0 };
    let half = |upper: bool| (value >> (u32::from(upper) * 16)) as u16 & keep ^ flip;
    [half(hsel2 == HSel2::H1_H1), half(hsel2 != HSel2::H0_H0)]
}

/// The lanes as a register value.
#[inline(always)]
fn pack([low, high]: Lanes) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// `a + b` in both lanes.
#[inline(always)]
pub(super) fn add<H: Half>([a, b]: [Lanes; 2], settings: Settings) -> u32 {
    map(
        #[inline(always)]
        |a, b, _, rounding| half2::add::<H>(a, b, rounding),
        [a, b, b],
        settings,
    )
}

/// `a * b` in both lanes.
#[inline(always)]
pub(super) fn mul<H: Half>([a, b]: [Lanes; 2], settings: Settings) -> u32 {
    map(
        #[inline(always)]
        |a, b, _, rounding| half2::mul::<H>(a, b, rounding),
        [a, b, b],
        settings,
    )
}

/// `a * b + c` in both lanes.
#[inline(always)]
pub(super) fn fma<H: Half>(sources: [Lanes; 3], settings: Settings) -> u32 {
    map(
        #[inline(always)]
        |a, b, c, rounding| half2::fma::<H>(a, b, c, rounding),
        sources,
        settings,
    )
}

/// The smaller or the larger in both lanes.
#[inline(always)]
pub(super) fn min_max<H: Half>(
    which: Extremum,
    propagate_nan: bool,
    [a, b]: [Lanes; 2],
    settings: Settings,
) -> u32 {
    map(
        #[inline(always)]
        |a, b, _, _| half2::min_max::<H>(which, propagate_nan, a, b),
        [a, b, b],
        settings,
    )
}

/// Applies an operation of up to three sources to both lanes.
#[inline(always)]
fn map<H: Half>(
    operation: impl Fn(H, H, H, Rounding) -> H,
    [a, b, c]: [Lanes; 3],
    settings: Settings,
) -> u32 {
    let low = one([a[0], b[0], c[0]], &operation, settings);
    pack([low, one([a[1], b[1], c[1]], &operation, settings)])
}

/// Applies it to one lane, with all that comes before and after.
#[inline(always)]
fn one<H: Half>(
    [a, b, c]: [u16; 3],
    operation: &impl Fn(H, H, H, Rounding) -> H,
    settings: Settings,
) -> u16 {
    let flush = settings.flush_inputs;
    let (a, b, c) = (input::<H>(a, flush), input::<H>(b, flush), input::<H>(c, flush));
    let result = operation(a, b, c, settings.rounding);
    let result = choose(settings.relu & !settings.saturate, half2::relu(result), result);
    let result = choose(settings.saturate, half2::saturate(result), result);
    let result = choose(settings.flush_result, half2::flush(result), result);
    half2::canonical_nan(result).to_bits()
}

#[inline(always)]
fn input<H: Half>(bits: u16, flush: bool) -> H {
    let lane = H::from_bits(bits);
    choose(flush, half2::flush(lane), lane)
}

/// `yes` or `no`, by a mask that is the same for all lanes of a warp.
#[inline(always)]
fn choose<H: Half>(condition: bool, yes: H, no: H) -> H {
    let mask = u16::from(condition).wrapping_neg();
    H::from_bits(yes.to_bits() & mask | no.to_bits() & !mask)
}

/// With `.F32`, lane 0 as a 32-bit float in place of both lanes.
#[inline(always)]
pub(super) fn narrow_or_widen<H: Half>(packed: u32, f32: HF32) -> u32 {
    match f32 {
        HF32::NoF32 => packed,
        HF32::F32 => half2::widen_to_f32_bits(H::from_bits(packed as u16)),
    }
}

/// Whether a comparison holds, for each lane.
#[inline(always)]
pub(super) fn compare_lanes(
    format: HFmtV2,
    ftz: FPFtz,
    cmp: FCMPOp,
    a: Lanes,
    b: Lanes,
) -> [bool; 2] {
    match format {
        HFmtV2::F16_V2 => compare_as::<f16>(ftz, cmp, a, b),
        HFmtV2::BF16_V2 => compare_as::<bf16>(ftz, cmp, a, b),
    }
}

#[inline(always)]
fn compare_as<H: Half>(ftz: FPFtz, cmp: FCMPOp, a: Lanes, b: Lanes) -> [bool; 2] {
    let (op, flush) = (comparison(cmp), bool::from(ftz));
    let lane = |a, b| half2::compare(op, input::<H>(a, flush), input::<H>(b, flush));
    [lane(a[0], b[0]), lane(a[1], b[1])]
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

/// A comparison's results, each combined with the predicate operand.
#[inline(always)]
pub(super) fn combine(lop: LOPOp, [low, high]: [bool; 2], pp: bool) -> [bool; 2] {
    match lop {
        LOPOp::AND => [low & pp, high & pp],
        LOPOp::OR => [low | pp, high | pp],
        LOPOp::XOR => [low ^ pp, high ^ pp],
    }
}

/// The register with `truth` in the lanes that hold, and 0 in the others.
#[inline(always)]
pub(super) fn truths([low, high]: [bool; 2], truth: u16) -> u32 {
    pack([u16::from(low) * truth, u16::from(high) * truth])
}

/// The bits that stand for true in a lane.
#[inline(always)]
pub(super) fn truth_value(bval: BVal, format: HFmtV2) -> u16 {
    match (bval, format) {
        (BVal::BM, _) => 0xffff,
        (BVal::BF, HFmtV2::F16_V2) => f16::FORMAT.one(),
        (BVal::BF, HFmtV2::BF16_V2) => bf16::FORMAT.one(),
    }
}
