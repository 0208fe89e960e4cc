//! What the semantics of HALU are made of: lanes in and out of a register, and the order in
//! which modifiers apply.
//!
//! One order holds for every instruction, lane by lane: half-select, absolute value, negation,
//! `.FTZ` of the inputs, the operation with its one rounding, `.SAT` or `.RELU`, `.FTZ` of the
//! result, and the one NaN that results have.

use crate::base::{BVal, FCMPOp, FPFtz, FPRound, FPSat, HF32, HFmtV2, HSel2, LOPOp, SignModi};
use isa_core::half2::{self, Compare, Half, Rounding, bf16, f16};

/// The two 16-bit lanes of a register, lane 0 first.
pub(super) type Lanes = [u16; 2];

const SIGN: u16 = 0x8000;

/// How a result is rounded and what becomes of it.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) rounding: Rounding,
    flush_inputs: bool,
    flush_result: bool,
    saturate: bool,
    relu: bool,
}

impl Settings {
    pub(super) fn new(rnd: FPRound, ftz: FPFtz, sat: FPSat, relu: bool) -> Self {
        let (ftz, saturate) = (ftz.into(), sat.into());
        let rounding = rounding(rnd);
        Settings { rounding, flush_inputs: ftz, flush_result: ftz, saturate, relu }
    }

    /// For operations that round nothing and flush only what they read.
    pub(super) fn inputs(ftz: FPFtz) -> Self {
        Settings { flush_result: false, ..Settings::new(FPRound::RN, ftz, FPSat::NoSAT, false) }
    }
}

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
#[inline]
pub(super) fn lanes(value: u32, hsel2: HSel2, abs: SignModi, neg: SignModi) -> Lanes {
    let (low, high) = (value as u16, (value >> 16) as u16);
    let halves = match hsel2 {
        HSel2::H1_H0 => [low, high],
        HSel2::H0_H0 => [low, low],
        HSel2::H1_H1 => [high, high],
    };
    let keep = if bool::from(abs) { !SIGN } else { !0 };
    let flip = if bool::from(neg) { SIGN } else { 0 };
    halves.map(|lane| lane & keep ^ flip)
}

/// The lanes as a register value.
#[inline]
pub(super) fn pack([low, high]: Lanes) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// Applies an operation of up to three sources to both lanes.
#[inline]
pub(super) fn map<H: Half>(
    operation: impl Fn(H, H, H) -> H,
    [a, b, c]: [Lanes; 3],
    settings: Settings,
) -> u32 {
    let input = |bits: u16| {
        let lane = H::from_bits(bits);
        if settings.flush_inputs { half2::flush(lane) } else { lane }
    };
    let lane = |i: usize| finish(operation(input(a[i]), input(b[i]), input(c[i])), settings);
    pack([lane(0), lane(1)])
}

/// A rounded result with `.SAT` or `.RELU`, `.FTZ` and the NaN rule.
#[inline]
fn finish<H: Half>(result: H, settings: Settings) -> u16 {
    let result = match (settings.saturate, settings.relu) {
        (true, _) => half2::saturate(result),
        (_, true) => half2::relu(result),
        _ => result,
    };
    let result = if settings.flush_result { half2::flush(result) } else { result };
    half2::canonical_nan(result).to_bits()
}

/// With `.F32`, lane 0 as a 32-bit float in place of both lanes.
#[inline]
pub(super) fn narrow_or_widen<H: Half>(packed: u32, f32: HF32) -> u32 {
    match f32 {
        HF32::NoF32 => packed,
        HF32::F32 => half2::widen_to_f32_bits(H::from_bits(packed as u16)),
    }
}

/// Whether a comparison holds, for each lane.
#[inline]
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

fn compare_as<H: Half>(ftz: FPFtz, cmp: FCMPOp, a: Lanes, b: Lanes) -> [bool; 2] {
    let flush = bool::from(ftz);
    let input = |bits: u16| {
        let lane = H::from_bits(bits);
        if flush { half2::flush(lane) } else { lane }
    };
    let op = comparison(cmp);
    [0, 1].map(|i| half2::compare(op, input(a[i]), input(b[i])))
}

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

/// A comparison's result combined with the predicate operand.
#[inline]
pub(super) fn combine(lop: LOPOp, holds: bool, pp: bool) -> bool {
    match lop {
        LOPOp::AND => holds & pp,
        LOPOp::OR => holds | pp,
        LOPOp::XOR => holds ^ pp,
    }
}

/// The bits that stand for true in a lane.
#[inline]
pub(super) fn truth_value(bval: BVal, format: HFmtV2) -> u16 {
    match (bval, format) {
        (BVal::BM, _) => 0xffff,
        (BVal::BF, HFmtV2::F16_V2) => f16::FORMAT.one(),
        (BVal::BF, HFmtV2::BF16_V2) => bf16::FORMAT.one(),
    }
}
