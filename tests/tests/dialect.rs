//! Bodies of sections in the layout of the vendor's own files: they are pasted, not rewritten.

use isa_defs::halu::Halu;
use isa_tests::vectors::{read, word};

isa_core::define_isa! {
    /// HADD2 as the vendor's file has it, over the shared declarations.
    isa Pasted: u128;

    use isa_defs::base::Base;

    group HALU : [ALL] {
        encoding {
    field<12,  3> Pred pg = PT;
    field<15,  1> PModi pg.not = False;
        }
        syntax { {@{!}pg} .. }
    }

    group H_ARITH : [HALU] {
        encoding {
    field<16,  8> Reg rd;
    field<24,  8> Reg ra;

    field<72,  1> SignModi ra.neg = False;
    field<73,  1> SignModi ra.abs = False;
    field<80,  2> HSel2 ra.hsel2 = H1_H0;

    field<76,  1> FPFtz ftz = NoFTZ;
    field<77,  1> FPSat sat = NoSAT;
    // field<78,  2> FPRound rnd == RN;

    field<94,  1> HFmtV2 hfmt_v2=F16_V2;
        }
        // What the file leaves out stands in a section of its own.
        encoding { field<78, 2> FPRound rnd = RN; }
        exception {
    EncodingError<IllegalBitFieldCombination, "no .FTZ or .SAT for BF16_V2"> = (hfmt_v2=="BF16_V2") and (ftz=="FTZ" or sat=="SAT");
        }
    }

    optype HADD2 : [H_ARITH] {
        encoding {
    field< 0,  8> Optype optype == HADD2;
        }
        encoding { field<91, 1> HF32 f32 = NoF32; }
        syntax {
HADD2{.hfmt_v2}{.FTZ}{.SAT}{.rnd}{.F32} Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|}      $sched $req ;

.hfmt_v2 = {.F16_V2*, .BF16_V2}
.rnd = {.RN*, .RP, .RM, .RZ}
.hsel2 = {.H1_H0*, .H0_H0, .H1_H1}
        }
    }

    opcode HADD2_RR : [HADD2] {
        encoding {
    field< 8,  4> SType stype == RR;
    field<32,  8> Reg rb;
    field<96,  1> SignModi rb.neg = False;
    field<97,  1> SignModi rb.abs = False;
    field<82,  2> HSel2 rb.hsel2 = H1_H0;
        }
        operands {
    InList<pg, ra, rb>;
    OutList<rd>;
    Order<pg, rd, ra, rb>;
    Bitwidth<rd> = 32;
    Bitwidth<ra> = 32;
    Bitwidth<rb> = 32;
        }
        exception {

        }
    }

    opcode HADD2_RU : [HADD2] {
        encoding {
    field< 8,  4> SType stype == RU;

    field<32,  6> UReg urb;

    field<96,  1> SignModi urb.neg = False;
    field<97,  1> SignModi urb.abs = False;
    field<82,  2> HSel2 urb.hsel2 = H1_H0;
        }
        operands {
    InList<pg, ra, urb>;
    OutList<rd>;
    Order<pg, rd, ra, urb>;
    Bitwidth<rd> = 32;
    Bitwidth<ra> = 32;
    Bitwidth<urb> = 32;
        }
    }

    opcode HADD2_RI : [HADD2] {
        encoding {
    field< 8,  4> SType stype == RI;
    field<32, 32> F16ImmX2 vb;
        }
        operands {
    InList<pg, ra, vb>;
    OutList<rd>;
    Order<pg, rd, ra, vb>;
    Bitwidth<rd> = 32;
    Bitwidth<ra> = 32;
    Bitwidth<vb> = 32;
    AsmFormat<vb> = CvtFImm(vb, hfmt_v2);
        }
    }

    opcode HADD2_RC : [HADD2] {
        encoding {
    field< 8,  4> SType stype == RC;
    field<32, 22> CMem vb;
    field<96,  1> SignModi vb.neg = False;
    field<97,  1> SignModi vb.abs = False;
    field<82,  2> HSel2 vb.hsel2 = H1_H0;
        }
        operands {
    InList<pg, ra, vb>;
    OutList<rd>;
    Order<pg, rd, ra, vb>;
    Bitwidth<rd> = 32;
    Bitwidth<ra> = 32;
    Bitwidth<vb> = 32;
        }
    }
}

#[test]
fn pasted_sections_mean_what_the_rewritten_ones_mean() {
    let mut seen = 0;
    for case in read("halu/encode.txt") {
        let (bits, text) = (word(&case.fields[0]), &case.fields[1]);
        let halu = Halu::decode(bits).unwrap();
        if !halu.opcode().name.starts_with("HADD2") {
            continue;
        }
        let pasted = Pasted::decode(bits).unwrap();
        assert_eq!(pasted.to_string(), *text);
        assert_eq!(text.parse::<Pasted>().unwrap().encode().unwrap(), bits);
        let about = |operands: isa_core::Operands| -> Vec<_> {
            operands.map(|o| (o.name(), o.kind(), o.access(), o.width(), o.bits())).collect()
        };
        assert_eq!(about(pasted.operands()), about(halu.operands()));
        seen += 1;
    }
    assert!(seen > 500, "{seen} cases");
}

#[test]
fn what_is_illegal_stays_so() {
    for case in read("halu/illegal_words.txt") {
        assert!(Pasted::decode(word(&case.fields[0])).is_err(), "{}", case.place);
    }
}

mod immediate_alone {
    isa_core::define_isa! {
        /// One form of an optype whose template is written for all of them.
        pub isa Started: u128;

        use isa_defs::base::Base;

        /// Adds.
        optype HADD2 : [ALL] {
            encoding {
                field< 0, 8> Optype optype == HADD2;
                field<16, 8> Reg rd;
                field<94, 1> HFmtV2 hfmt_v2 = F16_V2;
            }
            syntax { HADD2{.hfmt_v2} Rd, {-}{|}SrcB{.hsel2}{|} $sched $req; }
        }

        /// The immediate form.
        opcode HADD2_RI : [HADD2] {
            encoding { field<8, 4> SType stype == RI; field<32, 32> F16ImmX2 vb; }
            operands {
                InList<vb>;
                OutList<rd>;
                Order<rd, vb>;
                AsmFormat<vb> = CvtFImm(vb, hfmt_v2);
            }
        }
    }
}

/// The template may speak of marks that only forms still to be written have.
#[test]
fn an_optype_can_start_with_its_immediate_form() {
    use immediate_alone::Started;
    let text = "HADD2.BF16_V2 R1, -1, 0.5;";
    assert_eq!(text.parse::<Started>().unwrap().to_string(), text);
    assert!("HADD2 R1, |1, 2|;".parse::<Started>().is_err());
}
