//! A small instruction set: packed addition with a register, an immediate or constant memory, a
//! compare with mandatory modifiers and an optional predicate, and an instruction with three
//! modifiers of one enumeration.

#![allow(dead_code, reason = "each test file uses a part of it")]

use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::Line;

mod gpu;
mod kinds;
pub(crate) mod small;

use gpu::CMem;
use kinds::{Barriers, Wait};

isa_core::define_isa! {
    /// Additions and comparisons.
    pub(crate) isa Toy: u128;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Pred: 3 = isa_core::operand::Pred;
    operand CMem: 22, reserved("1x", "x1");
    operand Imm32: 32 = isa_core::operand::Unsigned<32>;
    operand Wait: 4;
    operand Barriers: 2;
    format Imm = gpu::TwoFloats;

    affix "-" = neg;
    affix "!" = not;
    affix "|" "|" = abs;

    enum Optype: 8 { HADD2 = 0x30, HSETP2 = 0x34, V = 0x50 }
    enum SType: 4 { RR = 1, RI = 3, RC = 5 }
    enum Flag: 1 { False = 0, True = 1 }
    enum HFmtV2: 1 { F16_V2 = 0, BF16_V2 = 1 }
    enum FPFtz: 1 { NoFTZ = 0, FTZ = 1 }
    enum FPRound: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    enum HSel2: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }
    enum FCMPOp: 2 { LT = 1, EQ = 2, LE = 3 }
    enum VType: 1 { u32 = 0, s32 = 1 }

    group GUARDED {
        encoding {
            field<12, 3> Pred pg = PT;
            field<15, 1> Flag pg.not = False;
            field<24, 8> Reg ra;
            field<72, 1> Flag ra.neg = False;
            field<73, 1> Flag ra.abs = False;
            field<80, 2> HSel2 ra.hsel2 = H1_H0;
        }
        syntax { {@{!}pg} .. }
    }

    group B_SIGNS {
        encoding {
            field<96, 1> Flag rb.neg = False;
            field<97, 1> Flag rb.abs = False;
            field<82, 2> HSel2 rb.hsel2 = H1_H0;
        }
    }

    group B_MEMORY {
        encoding {
            field<32, 22> CMem vb;
            field<96, 1> Flag vb.neg = False;
            field<97, 1> Flag vb.abs = False;
            field<82, 2> HSel2 vb.hsel2 = H1_H0;
        }
    }

    optype HADD2 : [GUARDED] {
        encoding {
            field<0, 8> Optype optype == HADD2;
            field<16, 8> Reg rd;
            field<76, 1> FPFtz ftz = NoFTZ;
            field<78, 2> FPRound rnd = RN;
            field<94, 1> HFmtV2 hfmt_v2 = F16_V2;
            field<112, 4> Wait sched = 0;
            field<116, 2> Barriers req = 0;
        }
        syntax {
            HADD2{.hfmt_v2}{.FTZ}{.rnd} Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|} $sched $req;
        }
        operands { OutList<rd>; }
        exception {
            EncodingError<IllegalBitFieldCombination, "BF16_V2 does not support .FTZ">
                = hfmt_v2 == BF16_V2 and ftz == FTZ;
        }
    }

    opcode HADD2_RR : [HADD2, B_SIGNS] {
        encoding { field<8, 4> SType stype == RR; field<32, 8> Reg rb; }
        operands { InList<pg, ra, rb>; Order<pg, rd, ra, rb>; }
    }

    opcode HADD2_RI : [HADD2] {
        encoding { field<8, 4> SType stype == RI; field<32, 32> Imm32 vb; }
        operands { InList<pg, ra, vb>; Order<pg, rd, ra, vb>; AsmFormat<vb> = Imm(vb, hfmt_v2); }
    }

    opcode HADD2_RC : [HADD2, B_MEMORY] {
        encoding { field<8, 4> SType stype == RC; }
        operands { InList<pg, ra, vb>; Order<pg, rd, ra, vb>; }
    }

    opcode HSETP2_R : [GUARDED] {
        encoding {
            field<0, 8> Optype optype == HSETP2;
            field<86, 2> FCMPOp cmp;
            field<98, 3> Pred pp = PT;
            field<101, 1> Flag pp.not = False;
            field<106, 3> Pred pu;
        }
        syntax { HSETP2.cmp pu, {-}{|}Ra{.hsel2}{|}{, {!}pp}; }
        operands { InList<pg, ra, pp>; OutList<pu>; Order<pg, pu, ra, pp>; }
    }

    opcode VADD {
        encoding {
            field<0, 8> Optype optype == V;
            field<16, 8> Reg rd;
            field<40, 1> VType dtype;
            field<41, 1> VType atype;
            field<42, 1> VType btype;
            field<76, 1> FPFtz ftz = NoFTZ;
        }
        syntax { vadd.dtype.atype.btype{.FTZ} d; }
        operands { OutList<rd>; Order<rd>; }
    }
}

/// The tables of the set.
pub(crate) static TOY: &InstructionSet = Toy::SET;
/// The row of one opcode.
pub(crate) static HADD2_RR: &Opcode = Hadd2Rr::OPCODE;

/// Returns the text of a word: its instruction, or its bits if it is not valid.
pub(crate) fn text(set: &InstructionSet, word: u128) -> String {
    let mut line = Line::new();
    match set.decode(word) {
        Ok(opcode) => opcode.print(word, &mut line),
        Err(_) => isa_core::print::print_word(word, set.bits, &mut line),
    }
    line.to_string()
}

/// Returns the error of a text as one line.
pub(crate) fn error(set: &InstructionSet, text: &str) -> String {
    match set.parse(text) {
        Ok(parsed) => panic!("`{text}` assembles to {parsed:?}"),
        Err(error) => error.to_string(),
    }
}

/// Pseudorandom numbers, the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u128 {
        u128::from(self.half()) << 64 | u128::from(self.half())
    }

    pub(crate) fn half(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
