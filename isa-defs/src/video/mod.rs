//! The VIDEO family: SIMD arithmetic on the half-words and bytes of a register, in the assembly
//! syntax of PTX.

mod lanes;
mod registers;
mod selector;
mod source_lanes;

pub use registers::{LowerPred, LowerReg};
pub use selector::{LaneSel2, LaneSel4};
pub use source_lanes::{a_bytes, a_halves, b_bytes, b_halves, c_bytes, c_halves};

isa_core::define_isa! {
    /// The video instructions of the 128-bit instruction set.
    ///
    /// Each instruction operates on the two half-words or the four bytes of its sources. The lanes
    /// of both sources form one pool, from which `asel` and `bsel` choose lanes.
    pub isa VideoSimd: u128;

    use crate::base::Base;

    functions "lanes.rs";

    // ---- operand types and enums --------------------------------------------------------------

    /// A general register as PTX writes it, for example `r7`.
    format LowerReg = isa_core::operand::FixedText<crate::video::LowerReg>;

    /// A predicate as PTX writes it, for example `p3`.
    format LowerPred = isa_core::operand::FixedText<crate::video::LowerPred>;

    /// The half-words of both sources that the lanes read, the highest lane first, for example
    /// `h10`.
    operand LaneSel2: 4;

    /// The bytes of both sources that the lanes read, the highest lane first, for example `b3210`.
    operand LaneSel4: 12;

    /// The half-words of the destination that receive a result. Bit i is lane i.
    enum LaneMask2: 2 { h0 = 1, h1 = 2, h10 = 3 }

    /// The bytes of the destination that receive a result. Bit i is lane i.
    enum LaneMask4: 4 {
        b0 = 1,
        b1 = 2, b10 = 3,
        b2 = 4, b20 = 5, b21 = 6, b210 = 7,
        b3 = 8, b30 = 9, b31 = 10, b310 = 11, b32 = 12, b320 = 13, b321 = 14, b3210 = 15,
    }

    /// Whether the results are clamped to the range of the destination type. Otherwise their low bits are
    /// kept.
    enum VSat: 1 { nosat = 0, sat = 1 }

    /// Whether the results are added to source C instead of merged into it. With `add`, the exact result of
    /// each lane in the mask is added, modulo 2^32. With `merge`, the lanes that are not in the mask are
    /// copied from source C.
    enum VAdd: 1 { merge = 0, add = 1 }

    // ---- groups -------------------------------------------------------------------------------

    /// Every video instruction.
    group VIDEO : [GUARDED] {
        encoding {
            field< 0, 8> Optype optype;
            field< 8, 4> SType  stype == RRR;

            field<16, 8> Reg   d;
            field<24, 8> Reg   a;
            field<32, 8> Reg   b;
            field<64, 8> Reg   c;

            field<40, 1> VType dtype;
            field<41, 1> VType atype;
            field<42, 1> VType btype;
            field<43, 1> VSat  sat = nosat;
            field<44, 1> VAdd  add = merge;
        }
        syntax {
            {@{!}pg} .. .dtype.atype.btype{.sat}{.add} d{.mask}, a{.asel}, b{.bsel}, c $sched $req;
        }
        operands {
            InList<pg, a, b, c>;
            OutList<d>;
            Order<pg, d, a, b, c>;
            Bitwidth<d> = 32;
            Bitwidth<a> = 32;
            Bitwidth<b> = 32;
            Bitwidth<c> = 32;
            AsmFormat<pg> = LowerPred(pg);
            AsmFormat<d>  = LowerReg(d);
            AsmFormat<a>  = LowerReg(a);
            AsmFormat<b>  = LowerReg(b);
            AsmFormat<c>  = LowerReg(c);
        }
        exception {
            EncodingError<IllegalBitFieldCombination, ".sat and .add exclude each other">
                = sat == sat and add == add;
        }
    }

    /// An operation on two half-words.
    group VOP2 : [VIDEO] {
        encoding {
            field<45, 2> LaneMask2 mask = h10;
            field<72, 4> LaneSel2  asel = h10;
            field<84, 4> LaneSel2  bsel = h32;
        }
        operands {
            Lanes<d> = 16;
            Lanes<a> = 16 * crate::video::a_halves(asel, bsel, mask);
            Lanes<b> = 16 * crate::video::b_halves(asel, bsel, mask);
            Lanes<c> = 16 * crate::video::c_halves(mask, add);
        }
        semantics<LANES> {
            let va = lanes::select::<i32, 2, LANES>(&a.value, &b.value, asel, atype);
            let vb = lanes::select::<i32, 2, LANES>(&a.value, &b.value, bsel, btype);
            let mut results = lanes::operate(optype, &va, &vb);
            if sat.into() {
                results = lanes::clamp(&results, dtype);
            }
            d = lanes::combine(results, mask.to_bits(), add.into(), c.value);
        }
    }

    /// An operation on four bytes.
    group VOP4 : [VIDEO] {
        encoding {
            field<45,  4> LaneMask4 mask = b3210;
            field<72, 12> LaneSel4  asel = b3210;
            field<84, 12> LaneSel4  bsel = b7654;
        }
        operands {
            Lanes<d> = 8;
            Lanes<a> = 8 * crate::video::a_bytes(asel, bsel, mask);
            Lanes<b> = 8 * crate::video::b_bytes(asel, bsel, mask);
            Lanes<c> = 8 * crate::video::c_bytes(mask, add);
        }
        semantics<LANES> {
            let va = lanes::select::<i16, 4, LANES>(&a.value, &b.value, asel, atype);
            let vb = lanes::select::<i16, 4, LANES>(&a.value, &b.value, bsel, btype);
            let mut results = lanes::operate(optype, &va, &vb);
            if sat.into() {
                results = lanes::clamp(&results, dtype);
            }
            d = lanes::combine(results, mask.to_bits(), add.into(), c.value);
        }
    }

    // ---- vop2 ------------------------------------------------------------------------------------

    /// Adds half-words.
    opcode vadd2 : [VOP2] {
        encoding { optype == vadd2; }
        syntax   { vadd2 }
        examples {
            vadd2.s32.s32.u32.sat r1, r2, r3, r1;
        }
    }

    /// Subtracts half-words.
    opcode vsub2 : [VOP2] {
        encoding { optype == vsub2; }
        syntax   { vsub2 }
        examples {
            vsub2.s32.s32.s32.sat r1.h0, r2.h10, r3.h32, r1;
        }
    }

    /// Averages half-words and rounds halves away from zero.
    opcode vavrg2 : [VOP2] {
        encoding { optype == vavrg2; }
        syntax   { vavrg2 }
        examples {
            vavrg2.u32.u32.u32 r0, r1, r2, rz;
        }
    }

    /// Computes absolute differences of half-words.
    opcode vabsdiff2 : [VOP2] {
        encoding { optype == vabsdiff2; }
        syntax   { vabsdiff2 }
        examples {
            vabsdiff2.u32.u32.u32.add r0, r1, r2, r0;
        }
    }

    /// Computes the minimum of half-words.
    opcode vmin2 : [VOP2] {
        encoding { optype == vmin2; }
        syntax   { vmin2 }
        examples {
            vmin2.s32.u32.u32.add r1.h10, r2.h00, r3.h22, r1;
        }
    }

    /// Computes the maximum of half-words.
    opcode vmax2 : [VOP2] {
        encoding { optype == vmax2; }
        syntax   { vmax2 }
        examples {
            vmax2.u32.u32.u32 r0, r1, r2, rz;
        }
    }

    // ---- vop4 ------------------------------------------------------------------------------------

    /// Adds bytes.
    opcode vadd4 : [VOP4] {
        encoding { optype == vadd4; }
        syntax   { vadd4 }
        examples {
            vadd4.s32.s32.u32.sat r1, r2, r3, r1;
        }
    }

    /// Subtracts bytes.
    opcode vsub4 : [VOP4] {
        encoding { optype == vsub4; }
        syntax   { vsub4 }
        examples {
            vsub4.s32.s32.s32.sat r1.b0, r2.b3210, r3.b7654, r1;
        }
    }

    /// Averages bytes and rounds halves away from zero.
    opcode vavrg4 : [VOP4] {
        encoding { optype == vavrg4; }
        syntax   { vavrg4 }
        examples {
            vavrg4.u32.u32.u32 r0, r1, r2, rz;
        }
    }

    /// Computes absolute differences of bytes.
    opcode vabsdiff4 : [VOP4] {
        encoding { optype == vabsdiff4; }
        syntax   { vabsdiff4 }
        examples {
            vabsdiff4.u32.u32.u32.add r0, r1, r2, r0;
        }
    }

    /// Computes the minimum of bytes.
    opcode vmin4 : [VOP4] {
        encoding { optype == vmin4; }
        syntax   { vmin4 }
        examples {
            vmin4.u32.u32.u32 r0, r1, r2, rz;
        }
    }

    /// Computes the maximum of bytes.
    opcode vmax4 : [VOP4] {
        encoding { optype == vmax4; }
        syntax   { vmax4 }
        examples {
            vmax4.u32.u32.u32 r0, r1, r2, rz;
        }
    }
}
