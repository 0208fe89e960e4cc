//! The HALU family: arithmetic and comparison of packed 16-bit floats.
//!
//! An opcode such as HADD2_RR is a type, [`Hadd2Rr`], whose page shows its syntax and bits. The
//! type is an alias of [`HaluInstruction`], which has the methods. [`Halu`] is any instruction of
//! the family. All opcodes are in one macro call, in the order of the manual, which is why this
//! file is long.
//!
//! ```
//! use isa_core::operand::Reg;
//! use isa_defs::halu::{Hadd2Rr, Halu};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let add = Hadd2Rr::new(Reg::R1, Reg::R2, Reg::R3).ra_neg(true);
//! assert_eq!(add.to_string(), "HADD2 R1, -R2, R3;");
//! assert_eq!(Halu::decode(add.encode()?)?, add.into());
//! # Ok(())
//! # }
//! ```

mod lanes;
mod source_lanes;

pub use source_lanes::{half_lanes, low_lanes};

use isa_half::{bf16, f16};
use lanes::{compare_lanes, lanes, narrow_or_widen, settings};

isa_core::define_isa! {
    /// The half-precision instructions of the 128-bit instruction set.
    ///
    /// A register contains two 16-bit floats: lane 0 in its low half, lane 1 in its high half.
    pub isa Halu: u128;

    use crate::base::Base;

    functions "lanes.rs";

    // ---- groups that all optypes share --------------------------------------------------------

    /// Every half-precision instruction.
    group HALU : [GUARDED] {
        syntax { {@{!}pg} .. }
    }

    /// Source A, which is always a register.
    group A_REG : [HALU] {
        encoding {
            field<24, 8> Reg      ra;
            field<72, 1> SignModi ra.neg   = False;
            field<73, 1> SignModi ra.abs   = False;
            field<80, 2> HSel2    ra.hsel2 = H1_H0;
            field<94, 1> HFmtV2   hfmt_v2  = F16_V2;
        }
        operands { Bitwidth<ra> = 32; Lanes<ra> = 16 * crate::halu::half_lanes(ra.hsel2); }
    }

    /// The destination, which is a register.
    group D_REG : [HALU] {
        encoding { field<16, 8> Reg rd; }
        operands { OutList<rd>; Bitwidth<rd> = 32; Lanes<rd> = 16; }
    }

    /// Arithmetic with a rounded result.
    ///
    /// The instructions apply these steps to each lane, in this order:
    ///
    /// 1. `.hsel2` selects the half of each source.
    /// 2. The absolute value, then the negation. Both change only the sign bit, also of NaN.
    /// 3. `.FTZ` replaces each subnormal source by a zero of the same sign.
    /// 4. The exact operation and one rounding by `.rnd` to the format of `.hfmt_v2`. A result that is
    ///    too large becomes infinity or the largest finite number, as IEEE 754 defines for the rounding
    ///    mode. An exact zero sum of opposite signs is +0, but with `.RM` it is -0.
    /// 5. `.SAT` or `.RELU`.
    /// 6. `.FTZ` replaces a result that is subnormal after rounding by a zero of the same sign.
    /// 7. Every NaN result becomes 0x7FFF, in both formats.
    group H_ARITH : [D_REG, A_REG] {
        encoding {
            field<76, 1> FPFtz   ftz = NoFTZ;
            field<77, 1> FPSat   sat = NoSAT;
            field<78, 2> FPRound rnd = RN;
        }
        exception {
            EncodingError<IllegalBitFieldCombination, ".BF16_V2 excludes .FTZ and .SAT">
                = (hfmt_v2 == BF16_V2) and (ftz == FTZ or sat == SAT);
        }
    }

    /// Comparisons of two lanes, each combined with a predicate.
    group H_COMPARE : [A_REG] {
        encoding {
            field< 76, 1> FPFtz  ftz    = NoFTZ;
            field< 84, 2> LOPOp  lop;
            field< 86, 4> FCMPOp cmp;
            field< 98, 3> Pred   pp     = PT;
            field<101, 1> PModi  pp.not = False;
        }
    }

    // ---- groups for sources B and C -----------------------------------------------------------

    group B_REG {
        encoding {
            field<32, 8> Reg      rb;
            field<96, 1> SignModi rb.neg   = False;
            field<97, 1> SignModi rb.abs   = False;
            field<82, 2> HSel2    rb.hsel2 = H1_H0;
        }
        operands { Bitwidth<rb> = 32; Lanes<rb> = 16 * crate::halu::half_lanes(rb.hsel2); }
    }

    group B_UREG {
        encoding {
            field<32, 6> UReg     urb;
            field<96, 1> SignModi urb.neg   = False;
            field<97, 1> SignModi urb.abs   = False;
            field<82, 2> HSel2    urb.hsel2 = H1_H0;
        }
        operands { Bitwidth<urb> = 32; Lanes<urb> = 16 * crate::halu::half_lanes(urb.hsel2); }
    }

    group B_IMM {
        encoding { field<32, 32> F16ImmX2 vb; }
        operands { Bitwidth<vb> = 32; AsmFormat<vb> = CvtFImm(vb, hfmt_v2); }
    }

    group B_CMEM {
        encoding {
            field<32, 22> CMem     vb;
            field<96,  1> SignModi vb.neg   = False;
            field<97,  1> SignModi vb.abs   = False;
            field<82,  2> HSel2    vb.hsel2 = H1_H0;
        }
        operands { Bitwidth<vb> = 32; Lanes<vb> = 16 * crate::halu::half_lanes(vb.hsel2); }
    }

    /// Source B in the upper register field, because source C occupies the lower field.
    group B_REG_UPPER {
        encoding {
            field<64, 8> Reg      rb;
            field<74, 1> SignModi rb.neg   = False;
            field<75, 1> SignModi rb.abs   = False;
            field<82, 2> HSel2    rb.hsel2 = H1_H0;
        }
        operands { Bitwidth<rb> = 32; Lanes<rb> = 16 * crate::halu::half_lanes(rb.hsel2); }
    }

    group C_REG {
        encoding {
            field<64, 8> Reg      rc;
            field<74, 1> SignModi rc.neg   = False;
            field<75, 1> SignModi rc.abs   = False;
            field<84, 2> HSel2    rc.hsel2 = H1_H0;
        }
        operands { Bitwidth<rc> = 32; Lanes<rc> = 16 * crate::halu::half_lanes(rc.hsel2); }
    }

    group C_UREG {
        encoding {
            field<32, 6> UReg     urc;
            field<96, 1> SignModi urc.neg   = False;
            field<97, 1> SignModi urc.abs   = False;
            field<84, 2> HSel2    urc.hsel2 = H1_H0;
        }
        operands { Bitwidth<urc> = 32; Lanes<urc> = 16 * crate::halu::half_lanes(urc.hsel2); }
    }

    group C_IMM {
        encoding { field<32, 32> F16ImmX2 vc; }
        operands { Bitwidth<vc> = 32; AsmFormat<vc> = CvtFImm(vc, hfmt_v2); }
    }

    group C_CMEM {
        encoding {
            field<32, 22> CMem     vc;
            field<96,  1> SignModi vc.neg   = False;
            field<97,  1> SignModi vc.abs   = False;
            field<84,  2> HSel2    vc.hsel2 = H1_H0;
        }
        operands { Bitwidth<vc> = 32; Lanes<vc> = 16 * crate::halu::half_lanes(vc.hsel2); }
    }

    // ---- HADD2 --------------------------------------------------------------------------------

    /// Adds two pairs of 16-bit floats: `Rd = Ra + SrcB`, lane by lane.
    ///
    /// The steps are those of H_ARITH: half-select, absolute value, negation, `.FTZ` of the sources, the
    /// exact sum with one rounding, `.SAT`, and `.FTZ` of the result.
    ///
    /// - NaN: if a source is NaN, or infinities of opposite signs are added, the result is 0x7FFF. With
    ///   `.SAT`, NaN becomes +0.
    /// - -0: an exact zero sum of opposite signs is +0, with `.RM` -0; `-0 + -0` is -0. With `.SAT`, -0
    ///   becomes +0.
    /// - Subnormal numbers are exact sources and results; with `.FTZ`, both become zeros of the same
    ///   sign.
    /// - `.F32`: only lane 0 is added. Its finished result, rounded to 16 bits, is converted exactly and
    ///   written as one 32-bit float. NaN becomes 0x7FFFFFFF.
    optype HADD2 : [H_ARITH] {
        encoding {
            field< 0, 8> Optype optype == HADD2;
            field<91, 1> HF32   f32 = NoF32;
        }
        operands { Lanes<ra> = 16 * crate::halu::low_lanes(ra.hsel2, f32); }
        syntax {
            HADD2{.hfmt_v2}{.FTZ}{.SAT}{.rnd}{.F32}
                Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|} $sched $req;
        }
        semantics<LANES> {
            let settings = settings(rnd, ftz, sat, false);
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            Rd = match hfmt_v2 {
                HFmtV2::F16_V2 => {
                    let sums = lanes::add::<f16, LANES>(a, b, settings);
                    narrow_or_widen::<f16, LANES>(sums, f32)
                }
                HFmtV2::BF16_V2 => {
                    let sums = lanes::add::<bf16, LANES>(a, b, settings);
                    narrow_or_widen::<bf16, LANES>(sums, f32)
                }
            };
        }
        examples {
            HADD2 R0, R1.H0_H0, R2;
            HADD2.SAT R3, R6, -R7;
            HADD2.RN.FTZ R1, -|R4|, -1, 1;
        }
    }

    /// Both sources are registers.
    opcode HADD2_RR : [HADD2, B_REG] {
        encoding { field<8, 4> SType stype == RR; }
        operands {
            InList<pg, ra, rb>; Order<pg, rd, ra, rb>;
            Lanes<rb> = 16 * crate::halu::low_lanes(rb.hsel2, f32);
        }
    }

    /// Source B is a uniform register.
    opcode HADD2_RU : [HADD2, B_UREG] {
        encoding { field<8, 4> SType stype == RU; }
        operands {
            InList<pg, ra, urb>; Order<pg, rd, ra, urb>;
            Lanes<urb> = 16 * crate::halu::low_lanes(urb.hsel2, f32);
        }
    }

    /// Source B is an immediate.
    opcode HADD2_RI : [HADD2, B_IMM] {
        encoding { field<8, 4> SType stype == RI; }
        operands { InList<pg, ra, vb>; Order<pg, rd, ra, vb>; }
    }

    /// Source B is in constant memory.
    opcode HADD2_RC : [HADD2, B_CMEM] {
        encoding { field<8, 4> SType stype == RC; }
        operands {
            InList<pg, ra, vb>; Order<pg, rd, ra, vb>;
            Lanes<vb> = 16 * crate::halu::low_lanes(vb.hsel2, f32);
        }
    }

    // ---- HMUL2 --------------------------------------------------------------------------------

    /// Multiplies two pairs of 16-bit floats: `Rd = Ra * SrcB`, lane by lane.
    ///
    /// The steps are those of H_ARITH: half-select, absolute value, negation, `.FTZ` of the sources, the
    /// exact product with one rounding, `.SAT`, and `.FTZ` of the result.
    ///
    /// - NaN: if a source is NaN, or a zero is multiplied by an infinity, the result is 0x7FFF. With
    ///   `.SAT`, NaN becomes +0.
    /// - -0: a zero product is -0 if the signs of the sources differ. With `.SAT`, -0 becomes +0.
    /// - Subnormal numbers are exact sources and results; with `.FTZ`, both become zeros of the same
    ///   sign.
    optype HMUL2 : [H_ARITH] {
        encoding { field<0, 8> Optype optype == HMUL2; }
        syntax {
            HMUL2{.hfmt_v2}{.FTZ}{.SAT}{.rnd}
                Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|} $sched $req;
        }
        semantics<LANES> {
            let settings = settings(rnd, ftz, sat, false);
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            Rd = match hfmt_v2 {
                HFmtV2::F16_V2 => lanes::mul::<f16, LANES>(a, b, settings),
                HFmtV2::BF16_V2 => lanes::mul::<bf16, LANES>(a, b, settings),
            };
        }
        examples {
            HMUL2 R0, R1, R2;
            HMUL2.SAT R3, R6, -R7.H0_H0;
            HMUL2.RN.FTZ R1, -|R4|, 0, -1;
        }
    }

    /// Both sources are registers.
    opcode HMUL2_RR : [HMUL2, B_REG] {
        encoding { field<8, 4> SType stype == RR; }
        operands { InList<pg, ra, rb>; Order<pg, rd, ra, rb>; }
    }

    /// Source B is a uniform register.
    opcode HMUL2_RU : [HMUL2, B_UREG] {
        encoding { field<8, 4> SType stype == RU; }
        operands { InList<pg, ra, urb>; Order<pg, rd, ra, urb>; }
    }

    /// Source B is an immediate.
    opcode HMUL2_RI : [HMUL2, B_IMM] {
        encoding { field<8, 4> SType stype == RI; }
        operands { InList<pg, ra, vb>; Order<pg, rd, ra, vb>; }
    }

    /// Source B is in constant memory.
    opcode HMUL2_RC : [HMUL2, B_CMEM] {
        encoding { field<8, 4> SType stype == RC; }
        operands { InList<pg, ra, vb>; Order<pg, rd, ra, vb>; }
    }

    // ---- HFMA2 --------------------------------------------------------------------------------

    /// Multiplies and adds pairs of 16-bit floats: `Rd = Ra * SrcB + SrcC`, lane by lane.
    ///
    /// The steps are those of H_ARITH: half-select, absolute value, negation, `.FTZ` of the sources, the
    /// exact product and sum with one rounding, `.SAT` or `.RELU`, and `.FTZ` of the result. The product
    /// is not rounded.
    ///
    /// - NaN: if a source is NaN, a zero is multiplied by an infinity, or infinities of opposite signs
    ///   are added, the result is 0x7FFF. `.RELU` keeps NaN; with `.SAT`, NaN becomes +0.
    /// - -0: an exact zero sum of opposite signs is +0, with `.RM` -0. `.RELU` keeps -0; with `.SAT`, -0
    ///   becomes +0.
    /// - Subnormal numbers are exact sources and results; with `.FTZ`, both become zeros of the same
    ///   sign.
    /// - `.RELU` replaces each result below zero by +0. `.SAT` excludes `.RELU`.
    optype HFMA2 : [H_ARITH] {
        encoding {
            field< 0, 8> Optype optype == HFMA2;
            field<92, 1> RELU   relu = NoRELU;
        }
        syntax {
            HFMA2{.hfmt_v2}{.FTZ}{.RELU}{.SAT}{.rnd}
                Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|}, {-}{|}SrcC{.hsel2}{|} $sched $req;
        }
        exception {
            EncodingError<IllegalBitFieldCombination, ".SAT and .RELU exclude each other">
                = sat == SAT and relu == RELU;
        }
        semantics<LANES> {
            let settings = settings(rnd, ftz, sat, relu.into());
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            let c = lanes(&SrcC.value, SrcC.hsel2, SrcC.abs, SrcC.neg);
            Rd = match hfmt_v2 {
                HFmtV2::F16_V2 => lanes::fma::<f16, LANES>(a, b, c, settings),
                HFmtV2::BF16_V2 => lanes::fma::<bf16, LANES>(a, b, c, settings),
            };
        }
        examples {
            HFMA2 R0, R1, R2.H1_H1, RZ;
        }
    }

    /// All sources are registers.
    opcode HFMA2_RRR : [HFMA2, B_REG, C_REG] {
        encoding { field<8, 4> SType stype == RRR; }
        operands { InList<pg, ra, rb, rc>; Order<pg, rd, ra, rb, rc>; }
    }

    /// Source C is an immediate.
    opcode HFMA2_RRI : [HFMA2, B_REG_UPPER, C_IMM] {
        encoding { field<8, 4> SType stype == RRI; }
        operands { InList<pg, ra, rb, vc>; Order<pg, rd, ra, rb, vc>; }
    }

    /// Source B is an immediate.
    opcode HFMA2_RIR : [HFMA2, B_IMM, C_REG] {
        encoding { field<8, 4> SType stype == RIR; }
        operands { InList<pg, ra, vb, rc>; Order<pg, rd, ra, vb, rc>; }
    }

    /// Source C is a uniform register.
    opcode HFMA2_RRU : [HFMA2, B_REG_UPPER, C_UREG] {
        encoding { field<8, 4> SType stype == RRU; }
        operands { InList<pg, ra, rb, urc>; Order<pg, rd, ra, rb, urc>; }
    }

    /// Source B is a uniform register.
    opcode HFMA2_RUR : [HFMA2, B_UREG, C_REG] {
        encoding { field<8, 4> SType stype == RUR; }
        operands { InList<pg, ra, urb, rc>; Order<pg, rd, ra, urb, rc>; }
    }

    /// Source C is in constant memory.
    opcode HFMA2_RRC : [HFMA2, B_REG_UPPER, C_CMEM] {
        encoding { field<8, 4> SType stype == RRC; }
        operands { InList<pg, ra, rb, vc>; Order<pg, rd, ra, rb, vc>; }
    }

    /// Source B is in constant memory.
    opcode HFMA2_RCR : [HFMA2, B_CMEM, C_REG] {
        encoding { field<8, 4> SType stype == RCR; }
        operands { InList<pg, ra, vb, rc>; Order<pg, rd, ra, vb, rc>; }
    }

    // ---- HMNMX2 -------------------------------------------------------------------------------

    /// Chooses the smaller of two 16-bit floats in each lane if `pp` is true, and the larger
    /// otherwise.
    ///
    /// The steps for each lane are half-select, absolute value, negation, `.FTZ` of the sources, and the
    /// choice.
    ///
    /// - NaN: if one source is NaN, the result is the other source; with `.NAN`, the result is NaN. If
    ///   both are NaN, the result is NaN. A NaN result is 0x7FFF, in both formats.
    /// - -0 is smaller than +0, in either order of the sources.
    /// - With `.FTZ`, each subnormal source becomes a zero of the same sign, also with `.BF16_V2`.
    optype HMNMX2 : [D_REG, A_REG] {
        encoding {
            field<  0, 8> Optype optype == HMNMX2;
            field< 98, 3> Pred   pp;
            field<101, 1> PModi  pp.not = False;
            field< 76, 1> FPFtz  ftz    = NoFTZ;
            field< 84, 1> NAN    nan    = NoNAN;
        }
        syntax {
            HMNMX2{.hfmt_v2}{.FTZ}{.NAN}
                Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|}, {!}pp $sched $req;
        }
        semantics<LANES> {
            let minimum = lanes::predicate(pp.value, pp.not);
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            Rd = match hfmt_v2 {
                HFmtV2::F16_V2 => lanes::min_max::<f16, LANES>(&minimum, nan.into(), a, b, ftz),
                HFmtV2::BF16_V2 => lanes::min_max::<bf16, LANES>(&minimum, nan.into(), a, b, ftz),
            };
        }
        examples {
            HMNMX2 R0, -|R1|, -|R2|, !PT;
            HMNMX2 R0, R1, 1, -4, P0;
            HMNMX2 R0, R1, 0.125, -2, !P1;
        }
    }

    /// Both sources are registers.
    opcode HMNMX2_RR : [HMNMX2, B_REG] {
        encoding { field<8, 4> SType stype == RR; }
        operands { InList<pg, ra, rb, pp>; Order<pg, rd, ra, rb, pp>; }
    }

    /// Source B is a uniform register.
    opcode HMNMX2_RU : [HMNMX2, B_UREG] {
        encoding { field<8, 4> SType stype == RU; }
        operands { InList<pg, ra, urb, pp>; Order<pg, rd, ra, urb, pp>; }
    }

    /// Source B is an immediate.
    opcode HMNMX2_RI : [HMNMX2, B_IMM] {
        encoding { field<8, 4> SType stype == RI; }
        operands { InList<pg, ra, vb, pp>; Order<pg, rd, ra, vb, pp>; }
    }

    /// Source B is in constant memory.
    opcode HMNMX2_RC : [HMNMX2, B_CMEM] {
        encoding { field<8, 4> SType stype == RC; }
        operands { InList<pg, ra, vb, pp>; Order<pg, rd, ra, vb, pp>; }
    }

    // ---- HSETP2 -------------------------------------------------------------------------------

    /// Compares two pairs of 16-bit floats and writes a predicate for each lane: [`pu`] for lane 0,
    /// [`pv`] for lane 1. Each result is combined with [`pp`] by [`lop`].
    ///
    /// The steps for each lane are half-select, absolute value, negation, `.FTZ` of the sources, the
    /// comparison, and the combination.
    ///
    /// - NaN: if a source is NaN, the comparisons `.LT` to `.GE` are false, `.NE` included, and the
    ///   comparisons `.LTU` to `.GEU` are true.
    /// - -0 equals +0. With `.FTZ`, each subnormal source becomes a zero of the same sign.
    /// - If [`pu`] and [`pv`] are the same register, it keeps the result of [`pv`], which is lane 1.
    /// - [`pp`] is read before a result is written, so both lanes use its old value.
    optype HSETP2 : [H_COMPARE] {
        encoding {
            field<  0, 8> Optype optype == HSETP2;
            field<106, 3> Pred   pu;
            field<109, 3> Pred   pv;
        }
        syntax {
            HSETP2{.hfmt_v2}{.FTZ}.cmp.lop
                pu, pv, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|}{, {!}pp} $sched $req;
        }
        operands { OutList<pu, pv>; }
        semantics<LANES> {
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            let holds = compare_lanes(hfmt_v2, ftz, cmp, a, b);
            let pp = lanes::predicate(pp.value, pp.not);
            [pu, pv] = lanes::split(&lanes::combine(lop, &holds, &pp));
        }
        examples {
            HSETP2.LE.AND P0, P1, R4, R6, PT;
            HSETP2.FTZ.GTU.OR P0, P1, -|R5|, -1, 0, !PT;
        }
    }

    /// Both sources are registers.
    opcode HSETP2_RR : [HSETP2, B_REG] {
        encoding { field<8, 4> SType stype == RR; }
        operands { InList<pg, ra, rb, pp>; Order<pg, pu, pv, ra, rb, pp>; }
    }

    /// Source B is a uniform register.
    opcode HSETP2_RU : [HSETP2, B_UREG] {
        encoding { field<8, 4> SType stype == RU; }
        operands { InList<pg, ra, urb, pp>; Order<pg, pu, pv, ra, urb, pp>; }
    }

    /// Source B is an immediate.
    opcode HSETP2_RI : [HSETP2, B_IMM] {
        encoding { field<8, 4> SType stype == RI; }
        operands { InList<pg, ra, vb, pp>; Order<pg, pu, pv, ra, vb, pp>; }
    }

    /// Source B is in constant memory.
    opcode HSETP2_RC : [HSETP2, B_CMEM] {
        encoding { field<8, 4> SType stype == RC; }
        operands { InList<pg, ra, vb, pp>; Order<pg, pu, pv, ra, vb, pp>; }
    }

    // ---- HSET2 --------------------------------------------------------------------------------

    /// Compares two pairs of 16-bit floats and writes a truth value for each lane, combined with
    /// `pp` by `.lop`: as a mask, or with `.BF` as 1.0 and 0.
    ///
    /// The steps for each lane are half-select, absolute value, negation, `.FTZ` of the sources, the
    /// comparison, and the combination. The rules for NaN, -0 and subnormal numbers are those of HSETP2.
    /// True is written as 0xFFFF, or with `.BF` as 1.0 in the format of `.hfmt_v2`. False is written as
    /// 0.
    optype HSET2 : [D_REG, H_COMPARE] {
        encoding {
            field< 0, 8> Optype optype == HSET2;
            field<90, 1> BVal   bval = BM;
        }
        syntax {
            HSET2{.hfmt_v2}{.FTZ}.cmp.lop{.bval}
                Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|}{, {!}pp} $sched $req;
        }
        semantics<LANES> {
            let a = lanes(&Ra.value, Ra.hsel2, Ra.abs, Ra.neg);
            let b = lanes(&SrcB.value, SrcB.hsel2, SrcB.abs, SrcB.neg);
            let holds = compare_lanes(hfmt_v2, ftz, cmp, a, b);
            let pp = lanes::predicate(pp.value, pp.not);
            let truth = lanes::truth_value(bval, hfmt_v2);
            Rd = lanes::truths(&lanes::combine(lop, &holds, &pp), truth);
        }
        examples {
            HSET2.LE.AND R1, R4, R6, PT;
            HSET2.FTZ.GTU.OR.BF R0, -|R5|, -1, 0, !PT;
        }
    }

    /// Both sources are registers.
    opcode HSET2_RR : [HSET2, B_REG] {
        encoding { field<8, 4> SType stype == RR; }
        operands { InList<pg, ra, rb, pp>; Order<pg, rd, ra, rb, pp>; }
    }

    /// Source B is a uniform register.
    opcode HSET2_RU : [HSET2, B_UREG] {
        encoding { field<8, 4> SType stype == RU; }
        operands { InList<pg, ra, urb, pp>; Order<pg, rd, ra, urb, pp>; }
    }

    /// Source B is an immediate.
    opcode HSET2_RI : [HSET2, B_IMM] {
        encoding { field<8, 4> SType stype == RI; }
        operands { InList<pg, ra, vb, pp>; Order<pg, rd, ra, vb, pp>; }
    }

    /// Source B is in constant memory.
    opcode HSET2_RC : [HSET2, B_CMEM] {
        encoding { field<8, 4> SType stype == RC; }
        operands { InList<pg, ra, vb, pp>; Order<pg, rd, ra, vb, pp>; }
    }
}
