//! Sections in the layout of vendors' own files: they can be pasted without changes.

use isa_verify::random::SplitMix64;

mod pasted {
    isa_core::define_isa! {
            /// An invented optype in the style of a vendor's file: unusual blanks, comments between
            /// statements, quoted values, empty sections, lists of values.
            pub isa Pasted: u128;

            use isa_defs::base::Base;

            group GUARDS : [ALL] {
                encoding {
        field<4,    3> Pred    pq = PT;
        field<7,  1> PModi   pq.not=False;
                }
                syntax { {@{!}pq} .. }
            }

            group SCALED : [GUARDS] {
                encoding {
        field<20,   8> Reg   dst;
        // field<30, 2> FPRound mode == RZ;

        field<40,1> SignModi   dst2.neg=False;
        field<48,  8>  Reg dst2 ;

        field<60,  1>  HFmtV2 fmt=F16_V2;
        field<61,  1>  FPFtz   flush = NoFTZ;
        field<62, 1> FPSat clip = NoSAT;
                }
                // Declarations that the file omits are in a separate section.
                encoding { field<30, 2> FPRound mode = RN; }
                exception {
        EncodingError<IllegalBitFieldCombination, "bf16 is neither flushed nor clipped"> = (fmt=="BF16_V2") and (flush=="FTZ" or clip=="SAT");
                }
            }

            optype SCALE2 : [SCALED] {
                encoding {
        field< 100,  8> Optype op == HMUL2;
                }
                syntax {
    SCALE2{.fmt}{.FTZ}{.SAT}{.mode}   Dst, {-}Left ,  {-}{|}Factor{.half}{|}      $sched $req ;

    .fmt = {.F16_V2*, .BF16_V2}
    .mode = {.RN*, .RP, .RM, .RZ}
    .half = {.H1_H0*, .H0_H0, .H1_H1}
                }
            }

            opcode SCALE2_R : [SCALE2] {
                encoding {
        field< 108,  4> SType form == RR;
        field<72,  8> Reg fa;
        field<80,  1> SignModi fa.neg = False;
        field<81,  1> SignModi fa.abs = False;

        field<82,  2> HSel2 fa.half = H1_H0;
                }
                operands {
        InList<pq, dst2,  fa>;
        OutList< dst >;
        Order<pq, dst, dst2, fa>;
        Bitwidth<dst> = 32;
        Bitwidth<dst2>=32;
                }
                exception {

                }
            }

            opcode SCALE2_I : [SCALE2] {
                encoding {
        field< 108,  4> SType form == RI;
        field<64, 32> F16ImmX2 fi;
                }
                operands {
        InList<pq, dst2, fi>;
        OutList<dst>;
        Order<pq, dst, dst2, fi>;
        AsmFormat<fi> = CvtFImm(fi, fmt);
                }
            }
        }
}

mod tidy {
    isa_core::define_isa! {
        /// The same optype, written in the usual style.
        pub isa Tidy: u128;

        use isa_defs::base::Base;

        /// All declarations.
        optype SCALE2 : [ALL] {
            encoding {
                field<  4, 3> Pred     pq       = PT;
                field<  7, 1> PModi    pq.not   = False;
                field< 20, 8> Reg      dst;
                field< 30, 2> FPRound  mode     = RN;
                field< 40, 1> SignModi dst2.neg = False;
                field< 48, 8> Reg      dst2;
                field< 60, 1> HFmtV2   fmt      = F16_V2;
                field< 61, 1> FPFtz    flush    = NoFTZ;
                field< 62, 1> FPSat    clip     = NoSAT;
                field<100, 8> Optype   op == HMUL2;
            }
            syntax {
                {@{!}pq} SCALE2{.fmt}{.FTZ}{.SAT}{.mode} Dst, {-}Left, {-}{|}Factor{.half}{|}
                    $sched $req;
            }
            operands { OutList<dst>; }
            exception {
                EncodingError<IllegalBitFieldCombination, "bf16 is not flushed">
                    = fmt == BF16_V2 and flush == FTZ;
                EncodingError<IllegalBitFieldCombination, "bf16 is not clipped">
                    = fmt == BF16_V2 and clip == SAT;
            }
        }

        /// The distance is in a register.
        opcode SCALE2_R : [SCALE2] {
            encoding {
                field<108, 4> SType    form == RR;
                field< 72, 8> Reg      fa;
                field< 80, 1> SignModi fa.neg  = False;
                field< 81, 1> SignModi fa.abs  = False;
                field< 82, 2> HSel2    fa.half = H1_H0;
            }
            operands { InList<pq, dst2, fa>; Order<pq, dst, dst2, fa>; }
        }

        /// The distance is an immediate.
        opcode SCALE2_I : [SCALE2] {
            encoding {
                field<108,  4> SType    form == RI;
                field< 64, 32> F16ImmX2 fi;
            }
            operands {
                InList<pq, dst2, fi>;
                Order<pq, dst, dst2, fi>;
                AsmFormat<fi> = CvtFImm(fi, fmt);
            }
        }
    }
}

/// Returns words with any values in the fields of one form. A quarter of them have one inverted
/// bit.
fn words() -> impl Iterator<Item = u128> {
    let mut random = SplitMix64::new(12);
    let run = |low: u32, width: u32| ((1u128 << width) - 1) << low;
    let both =
        [run(4, 4), run(20, 8), run(30, 2), run(40, 1), run(48, 8), run(60, 3), run(112, 10)];
    let both = both.iter().fold(0, |mask, run| mask | run);
    let forms = [(1, both | run(72, 12)), (3, both | run(64, 32))];
    (0..100_000).map(move |_| {
        let (form, fields) = *random.pick(&forms);
        let flip = if random.below(4) == 0 { 1 << random.below(128) } else { 0 };
        (random.word() & fields | 0x32 << 100 | form << 108) ^ flip
    })
}

#[test]
fn pasted_sections_mean_what_rewritten_ones_mean() {
    use {pasted::Pasted, tidy::Tidy};
    let (mut legal, mut illegal) = (0, 0);
    for word in words() {
        match (Pasted::decode(word), Tidy::decode(word)) {
            (Ok(pasted), Ok(tidy)) => {
                let text = pasted.to_string();
                assert_eq!(text, tidy.to_string(), "{word:032x}");
                assert_eq!(text.parse::<Pasted>().unwrap().encode().unwrap(), word, "{text}");
                assert_eq!(text.parse::<Tidy>().unwrap().encode().unwrap(), word, "{text}");
                legal += 1;
            }
            (Err(_), Err(_)) => illegal += 1,
            other => panic!("{word:032x}: {other:?}"),
        }
    }
    assert!(legal > 10_000 && illegal > 10_000, "{legal} legal, {illegal} illegal");
}

#[test]
fn a_pasted_text_reads_as_it_looks() {
    use pasted::Pasted;
    let text = "@!P2 SCALE2.FTZ.RP R1, -R2, -|R3.H1_H1| ?WAIT3;";
    let word = text.parse::<Pasted>().unwrap().encode().unwrap();
    let fields = 1 << 7 | 2 << 4 | 1 << 20 | 2 << 30 | 1 << 40 | 2 << 48 | 1u128 << 61;
    let factor = 3 << 72 | 1 << 80 | 1 << 81 | 3 << 82;
    assert_eq!(word, fields | factor | 0x32 << 100 | 1 << 108 | 3 << 112);
    let illegal = "SCALE2.BF16_V2.SAT R1, R2, 1, 2;".parse::<Pasted>().unwrap_err();
    assert!(illegal.to_string().contains("neither flushed nor clipped"), "{illegal}");
}

mod immediate_alone {
    isa_core::define_isa! {
        /// One opcode of an optype whose template is declared for all opcodes.
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

        /// The second source is an immediate.
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

/// Checks that a template may use prefix and suffix operators whose opcodes do not exist yet.
#[test]
fn an_optype_can_start_with_its_immediate_form() {
    use immediate_alone::Started;
    let text = "HADD2.BF16_V2 R1, -1, 0.5;";
    assert_eq!(text.parse::<Started>().unwrap().to_string(), text);
    assert!("HADD2 R1, |1, 2|;".parse::<Started>().is_err());
}
