//! The typed interface, as other crates use it.

use core::error::Error;
use core::hash::Hash;
use std::collections::HashSet;

use isa_core::error::{DecodeErrorKind, ParseErrorKind};
use isa_core::machine::{GeneralRegs, Predicates, State};
use isa_core::operand::{OperandKind, Pred, Reg, Unsigned};
use isa_core::table::{Access, Init};
use isa_core::{DecodeError, EncodeError, ParseError};
use isa_defs::base::{
    Barriers, CMem, F16ImmX2, FCMPOp, FPFtz, FPRound, HFmtV2, HSel2, LOPOp, SignModi, UReg, Wait,
};
use isa_defs::gpu::Gpu;
use isa_defs::halu::{Hadd2Rc, Hadd2Ri, Hadd2Rr, Hadd2Ru, Halu, Hfma2Rrr, Hmnmx2Rr, Hsetp2Rr};

/// `HADD2.FTZ R1, R2, R3;`
const WORD: u128 = 0x1000_0000_0003_0201_7130;

fn hadd2() -> Hadd2Rr {
    Hadd2Rr::new(Reg::R1, Reg::R2, Reg::R3).ftz(true)
}

#[test]
fn the_round_trip_of_the_introduction() -> Result<(), Box<dyn Error>> {
    let inst = hadd2();
    let word: u128 = inst.encode()?;
    assert_eq!(word, WORD);
    let inst = Halu::decode(word)?;
    assert_eq!(inst.to_string(), "HADD2.FTZ R1, R2, R3;");
    assert_eq!("HADD2.FTZ R1, R2, R3;".parse::<Halu>()?, inst);
    assert_eq!("HADD2.FTZ R1, R2, R3;".parse::<Hadd2Rr>()?, hadd2());
    assert_eq!(Halu::try_from(word)?, Halu::from(hadd2()));
    assert_eq!(Hadd2Rr::try_from(word)?, Hadd2Rr::decode(word)?);
    assert_eq!(Gpu::from(hadd2()), Gpu::decode(word)?);
    Ok(())
}

#[test]
fn new_gives_every_other_field_its_default() {
    let inst = Hadd2Rr::new(Reg::R1, Reg::R2, Reg::RZ);
    assert_eq!((inst.get_rd(), inst.get_ra(), inst.get_rb()), (Reg::R1, Reg::R2, Reg::RZ));
    assert_eq!((inst.get_pg(), bool::from(inst.get_pg_not())), (Pred::PT, false));
    assert_eq!((inst.get_ra_neg(), inst.get_rb_abs()), (SignModi::False, SignModi::False));
    assert_eq!((inst.get_ra_hsel2(), inst.get_rb_hsel2()), (HSel2::H1_H0, HSel2::H1_H0));
    assert_eq!((inst.get_ftz(), inst.get_rnd()), (FPFtz::NoFTZ, FPRound::RN));
    assert_eq!(inst.get_hfmt_v2(), HFmtV2::F16_V2);
    assert_eq!((inst.get_sched(), inst.get_req()), (Wait::default(), Barriers::EMPTY));
    for field in Hadd2Rr::OPCODE.fields {
        let raw = field.get(inst.encode().unwrap());
        match field.init {
            Init::Fixed(value) | Init::Default(value) => assert_eq!(raw, value, "{}", field.name),
            Init::Required => assert!(["rd", "ra", "rb"].contains(&field.name), "{}", field.name),
        }
    }
}

#[test]
fn setters_set_one_field_each() {
    let wait = Wait::new(4).unwrap();
    let inst = hadd2()
        .pg(Pred::P3)
        .pg_not(true)
        .rd(Reg::R254)
        .ra_neg(true)
        .ra_abs(SignModi::True)
        .ra_hsel2(HSel2::H1_H1)
        .rb(Reg::RZ)
        .rb_neg(true)
        .rb_hsel2(HSel2::H0_H0)
        .sat(true)
        .rnd(FPRound::RM)
        .f32(true)
        .sched(wait)
        .req(Barriers::EMPTY.with(0).with(5));
    assert!(bool::from(inst.get_rb_neg()) && !bool::from(inst.get_rb_abs()));
    assert_eq!(inst.get_rb_hsel2(), HSel2::H0_H0);
    assert_eq!(inst.get_sched(), wait);
    assert!(inst.get_req().contains(5) && !inst.get_req().contains(4));
    assert_eq!(
        inst.to_string(),
        "@!P3 HADD2.FTZ.SAT.RM.F32 R254, -|R2.H1_H1|, -RZ.H0_H0 ?WAIT4 &req={0,5};"
    );
    assert_eq!(inst.rb_neg(false).get_rb_neg(), SignModi::False);
    assert_eq!(inst.ftz(FPFtz::NoFTZ).ftz(FPFtz::FTZ), inst);
}

/// Checks the positions of the specification against positions written by hand. A set that swaps
/// two fields everywhere would be consistent with itself.
#[test]
fn setters_write_where_the_specification_says() {
    let plain = Hadd2Rr::new(Reg::R0, Reg::R0, Reg::R0);
    let zero = plain.pg(Pred::P0);
    for (inst, place, value) in [
        (plain, 12, 7),
        (zero.pg_not(true), 15, 1),
        (zero.rd(Reg::RZ), 16, 255),
        (zero.ra(Reg::RZ), 24, 255),
        (zero.rb(Reg::RZ), 32, 255),
        (zero.ra_neg(true), 72, 1),
        (zero.ra_abs(true), 73, 1),
        (zero.ftz(true), 76, 1),
        (zero.sat(true), 77, 1),
        (zero.rnd(FPRound::RM), 78, 1),
        (zero.rnd(FPRound::RP), 78, 2),
        (zero.rnd(FPRound::RZ), 78, 3),
        (zero.ra_hsel2(HSel2::H0_H0), 80, 2),
        (zero.rb_hsel2(HSel2::H1_H1), 82, 3),
        (zero.f32(true), 91, 1),
        (zero.hfmt_v2(HFmtV2::BF16_V2), 94, 1),
        (zero.rb_neg(true), 96, 1),
        (zero.rb_abs(true), 97, 1),
        (zero.sched(Wait::new(15).unwrap()), 112, 15),
        (zero.req(Barriers::EMPTY.with(0).with(5)), 116, 33),
    ] {
        assert_eq!(inst.encode().unwrap(), 0x130 | value << place, "{inst}");
    }
}

#[test]
fn constructors_take_what_the_text_has_in_its_order() {
    let setp = Hsetp2Rr::new(FCMPOp::GEU, LOPOp::XOR, Pred::P1, Pred::PT, Reg::R4, Reg::R6);
    assert_eq!(setp.to_string(), "HSETP2.GEU.XOR P1, PT, R4, R6;");
    let mnmx = Hmnmx2Rr::new(Reg::R0, Reg::R1, Reg::R2, Pred::PT).pp_not(true);
    assert_eq!(mnmx.to_string(), "HMNMX2 R0, R1, R2, !PT;");
    let constant = Hadd2Rc::new(Reg::R0, Reg::R1, CMem::new(3, 0x10).unwrap());
    assert_eq!(constant.to_string(), "HADD2 R0, R1, c[0x3][0x10];");
    let uniform = Hadd2Ru::new(Reg::R0, Reg::R1, UReg::URZ).urb_abs(true);
    assert_eq!(uniform.to_string(), "HADD2 R0, R1, |URZ|;");
    let immediate = Hadd2Ri::new(Reg::R0, Reg::R1, F16ImmX2::new([0xbc00, 0x3c00]));
    assert_eq!(immediate.to_string(), "HADD2 R0, R1, 1, -1;");
    assert_eq!(immediate.hfmt_v2(HFmtV2::BF16_V2).to_string(), {
        "HADD2.BF16_V2 R0, R1, 0.0078125, -0.0078125;"
    });
}

#[test]
fn an_illegal_combination_has_no_encoding() {
    let error: EncodeError = hadd2().hfmt_v2(HFmtV2::BF16_V2).encode().unwrap_err();
    let DecodeErrorKind::Illegal { opcode, exception, .. } = error.kind() else {
        panic!("{error}");
    };
    assert!(core::ptr::eq(opcode, Hadd2Rr::OPCODE));
    assert_eq!(exception.class, "IllegalBitFieldCombination");
    assert_eq!(exception.declared_in, "H_ARITH");
    assert_eq!(error.word(), WORD | 1 << 94);
    assert!(Halu::decode(error.word()).is_err());
    let through_the_set = Halu::from(hadd2().hfmt_v2(HFmtV2::BF16_V2)).encode();
    assert_eq!(through_the_set.unwrap_err().to_string(), error.to_string());
}

#[test]
fn a_struct_takes_only_its_own_opcode() {
    let other: DecodeError = Hadd2Ru::decode(WORD).unwrap_err();
    assert_eq!(other.to_string(), "HADD2_RU: `stype` (bits 11:8) is 0x1 instead of RU (0x7)");
    let same_mnemonic: ParseError = "HADD2 R1, R2, UR3;".parse::<Hadd2Rr>().unwrap_err();
    let ParseErrorKind::Illegal(error) = same_mnemonic.kind() else { panic!("{same_mnemonic}") };
    assert!(matches!(error.kind(), DecodeErrorKind::OtherOpcode { .. }));
    assert!("HFMA2 R1, R2, R3, R4;".parse::<Hadd2Rr>().is_err());
    assert!("vadd2.u32.u32.u32 r0, r1, r2, r3;".parse::<Halu>().is_err());
    assert_eq!(".word 0x10000000000302017130;".parse::<Hadd2Rr>().unwrap(), hadd2());
    assert!(".word 0x10000000000302017130;".parse::<Hadd2Ru>().is_err());
}

#[test]
fn match_reaches_every_field() {
    let name = |inst: Halu| match inst {
        Halu::Hadd2Rr(add) => format!("add into {}", add.get_rd()),
        Halu::Hfma2Rrr(fma) => format!("fma with {}", fma.get_rc()),
        other => other.opcode().name.to_owned(),
    };
    assert_eq!(name(hadd2().into()), "add into R1");
    assert_eq!(name(Hfma2Rrr::new(Reg::R1, Reg::R2, Reg::R3, Reg::R4).into()), "fma with R4");
    assert_eq!(name("HADD2 R1, R2, UR3;".parse().unwrap()), "HADD2_RU");
}

#[test]
fn operands_say_what_they_are() {
    let show = |inst: Halu| -> Vec<String> {
        let operands = inst.operands().map(|op| {
            let (name, kind, access) = (op.name(), op.kind(), op.access());
            format!("{name}: {kind} {access:?} {} bits {:#x}", op.width(), op.bits())
        });
        operands.collect()
    };
    let setp = "@!P2 HSETP2.LT.AND P0, P1, -R5, c[0x1][0x8], !P6;".parse().unwrap();
    assert_eq!(
        show(setp),
        [
            "pg: Pred Read 1 bits 0x2",
            "pu: Pred Write 1 bits 0x0",
            "pv: Pred Write 1 bits 0x1",
            "ra: Reg Read 32 bits 0x5",
            "vb: CMem Read 32 bits 0x20008",
            "pp: Pred Read 1 bits 0x6",
        ]
    );
    let operands = hadd2().operands();
    assert_eq!(operands.len(), 4);
    let written: Vec<&str> =
        operands.filter(|op| op.access() != Access::Read).map(|op| op.name()).collect();
    assert_eq!(written, ["rd"]);
}

#[test]
fn metadata_is_all_there() {
    let opcode = Hadd2Rr::OPCODE;
    assert_eq!((opcode.name, opcode.bits), ("HADD2_RR", 128));
    assert_eq!(opcode.doc.trim(), "Both sources are registers.");
    assert_eq!(opcode.syntax.mnemonic, "HADD2");
    assert!(opcode.syntax.source.contains("HADD2{.hfmt_v2}{.FTZ}{.SAT}{.rnd}{.F32} Rd,"));
    assert_eq!((opcode.fixed.mask, opcode.fixed.value), (0xfff, 0x130));
    let field = opcode.fields.iter().find(|field| field.name == "rb.hsel2").unwrap();
    assert_eq!((field.declared_in, field.width(), field.mask()), ("B_REG", 2, 3 << 82));
    assert_eq!(field.kind.values.len(), HSel2::ALL.len());

    let set = Halu::SET;
    assert_eq!((set.name, set.bits, set.opcodes.len()), ("Halu", 128, 27));
    let mnemonics: Vec<&str> = set.mnemonics.iter().map(|mnemonic| mnemonic.text).collect();
    assert_eq!(mnemonics, ["HADD2", "HFMA2", "HMNMX2", "HMUL2", "HSET2", "HSETP2"]);
    assert!(core::ptr::eq(set.opcodes[0], opcode));
    assert!(core::ptr::eq(Halu::from(hadd2()).opcode(), opcode));
    for opcode in set.opcodes {
        for example in opcode.examples {
            let word = set.parse(example).unwrap_or_else(|e| panic!("{example}: {e}")).word();
            let syntax = set.decode(word).unwrap().syntax;
            assert!(core::ptr::eq(syntax, opcode.syntax), "{example}");
        }
    }
}

#[test]
fn value_sets_are_plain_enums() {
    assert_eq!(FCMPOp::ALL.len(), 14);
    for &value in FCMPOp::ALL {
        assert_eq!(FCMPOp::from_bits(value.to_bits()), Some(value));
        assert_eq!(value.to_string(), value.name());
    }
    assert_eq!((FCMPOp::from_bits(0), FCMPOp::from_bits(15)), (None, None));
    assert_eq!(FCMPOp::from_bits(16 + 1), None);
    assert_eq!(HSel2::from_bits(1), None);
}

#[test]
fn debug_output_names_the_type() {
    assert_eq!(format!("{:?}", hadd2()), "Hadd2Rr(HADD2.FTZ R1, R2, R3;)");
    assert_eq!(format!("{:?}", Halu::from(hadd2())), "Halu(HADD2.FTZ R1, R2, R3;)");
    let padded = format!("[{:>24}] [{:<22}]", hadd2(), Halu::from(hadd2()));
    assert_eq!(padded, "[   HADD2.FTZ R1, R2, R3;] [HADD2.FTZ R1, R2, R3; ]");
}

#[test]
fn types_are_small_and_plain() {
    fn value<T: Copy + Eq + Hash + core::fmt::Debug + Send + Sync + 'static>() {}
    fn error<T: Error + Send + Sync + 'static>() {}
    value::<Hadd2Rr>();
    value::<Halu>();
    value::<Gpu>();
    value::<HSel2>();
    value::<Reg>();
    error::<DecodeError>();
    error::<EncodeError>();
    error::<ParseError>();
    assert_eq!(size_of::<Hadd2Rr>(), 16);
    assert_eq!(size_of::<Halu>(), 32);
    assert_eq!(size_of::<Gpu>(), 32);
    let mut seen = HashSet::new();
    assert!(seen.insert(Halu::from(hadd2())));
    assert!(!seen.insert(Halu::decode(WORD).unwrap()));
    assert!(seen.insert(Halu::from(hadd2().ftz(false))));
}

#[test]
fn execute_runs_on_any_machine() {
    let mut state = State::new();
    state.set_reg(2, 0x4000_3c00);
    state.set_reg(3, 0x3c00_3c00);
    hadd2().execute(&mut state);
    assert_eq!(state.reg(1), 0x4200_4000);

    let max = "@!P0 HMNMX2 R4, R2, R3, !PT;".parse::<Halu>().unwrap();
    max.execute(&mut state);
    assert_eq!(state.reg(4), 0x4000_3c00);
    state.set_pred(0, true);
    state.set_reg(4, 7);
    max.execute(&mut state);
    assert_eq!(state.reg(4), 7, "the guard is false");

    let constants = 0x3c00_3c00u32.to_le_bytes();
    state.set_bank(2, &constants);
    let set: Gpu = "HSETP2.EQ.AND P1, P2, R2, c[0x2][0x0];".parse().unwrap();
    set.execute(&mut state);
    assert_eq!((state.pred(1), state.pred(2)), (true, false));
    let nowhere: Gpu = "HADD2 RZ, R2, R3;".parse().unwrap();
    let before = state.clone();
    nowhere.execute(&mut state);
    assert_eq!(state, before);
}

/// Checks that setters change only their field, for any operand.
#[test]
fn operands_cannot_spill() {
    let plain = Hadd2Ru::new(Reg::R1, Reg::R2, UReg::UR0);
    for raw in [0, 63, 64, 255, u64::MAX] {
        let changed = plain.urb(UReg::from_bits(raw)).encode().unwrap();
        assert_eq!((changed ^ plain.encode().unwrap()) & !(63 << 32), 0, "{raw:#x}");
    }
    assert_eq!((Reg::new(255), UReg::new(63), Pred::new(7)), (None, None, None));
    assert_eq!((CMem::new(32, 0), CMem::new(0, 1 << 17), Wait::new(16)), (None, None, None));
    assert!(Reg::try_from(256).is_err() && UReg::try_from(64).is_err());
    assert!(CMem::try_from(2).is_err() && Pred::try_from(8).is_err());
}

/// Fields that all opcodes of the set have, also across included sets.
#[test]
fn common_fields_have_accessors_on_the_enum() {
    for text in ["HADD2 R1, R2, R3 ?WAIT4 &req={0,2};", "@p0 vadd2.u32.u32.u32 r1, r2, r3, r4;"] {
        let instruction: Gpu = text.parse().unwrap();
        let word = instruction.encode().unwrap();
        assert_eq!(u128::from(instruction.sched().count()), word >> 112 & 15, "{text}");
        assert_eq!(instruction.req().contains(2), word >> 118 & 1 == 1, "{text}");
        assert_eq!(u128::from(instruction.pg().to_bits()), word >> 12 & 7, "{text}");
        let changed = instruction.with_sched(Wait::new(9).unwrap()).with_pg_not(true);
        let expected = word & !(15 << 112) | 9 << 112 | 1 << 15;
        assert_eq!(changed.encode().unwrap(), expected, "{text}");
    }
}

/// A field has no accessor on the enum if the name is that of another method.
#[test]
fn accessors_on_the_enum_do_not_clash() {
    mod clash {
        isa_core::define_isa! {
            /// Fields with the names of methods of the enum.
            pub isa Clash: u16;
            operand Four: 4 = isa_core::operand::Unsigned<4>;
            opcode C {
                encoding { field<0, 4> Four at; field<4, 4> Four rd; field<8, 4> Four with_rd; }
                syntax { C At, Rd, With_rd; }
            }
        }
    }
    let instruction: clash::Clash = "C 1, 2, 3;".parse().unwrap();
    assert_eq!(instruction.rd().to_bits(), 2);
    assert_eq!(instruction.with_rd(Unsigned::<4>::from_bits(4)).to_string(), "C 1, 4, 3;");
    assert_eq!(instruction.at(0, &()).to_string(), "C 1, 2, 3;");
}

#[path = "../../isa-defs/examples/scoreboard.rs"]
#[allow(dead_code, reason = "the example is also a program")]
mod scoreboard;

/// The latencies of the example are 4 for `ADD`, 6 for `MUL`, and unknown for `LOAD`.
#[test]
fn the_scoreboard_waits_for_results() {
    let schedule = |program: &str| {
        let block = scoreboard::schedule(program).unwrap();
        block.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // A load sets a barrier; its first reader waits for the barrier, and later readers do not.
    assert_eq!(
        schedule("LOAD R1, R2;\nLOAD R3, R4;\nMUL R5, R1, R3;\nADD R6, R5, R1;\nADD R7, R5, R5;"),
        [
            "LOAD.SB0 R1, R2;",
            "LOAD.SB1 R3, R4;",
            "MUL R5, R1, R3 ?WAIT5 &req={0,1};",
            "ADD R6, R5, R1;",
            "ADD R7, R5, R5;",
        ]
    );
    // The second instruction fills one of the four cycles. An overwritten register is waited for, too.
    assert_eq!(
        schedule("ADD R1, R2, R2;\nADD R3, R2, R2;\nADD R4, R1, R1;\nMUL R4, R2, R2;"),
        ["ADD R1, R2, R2;", "ADD R3, R2, R2 ?WAIT2;", "ADD R4, R1, R1 ?WAIT3;", "MUL R4, R2, R2;"]
    );
    assert_eq!(
        schedule("ADD RZ, R2, R2;\nADD R3, RZ, RZ;"),
        ["ADD RZ, R2, R2;", "ADD R3, RZ, RZ;"]
    );
    assert!(scoreboard::schedule("ADD R1, R2;").is_err());
}

/// Properties of opcodes in two families with a common declaration, and in their union.
mod timed {
    pub(crate) mod base {
        isa_core::define_isa! {
            /// Declares properties.
            pub isa TimedBase: u16;
            enum Unit: 2 { ALU = 0, FMA = 2 }
            enum Op: 4 { A = 1, B = 2, C = 3 }
            /// Cycles.
            property latency: u16;
            property unit: Unit;
            property skew: i8;
            property exact: bool;
            group ALL {
                encoding { field<0, 4> Op op; }
                properties { latency = 4; unit = ALU; skew = -128; exact = true; }
            }
        }
    }
    pub(crate) mod first {
        isa_core::define_isa! {
            /// Inherits a value, and replaces two.
            pub isa First: u16;
            property local: u8;
            use super::base::TimedBase;
            group SLOW { properties { latency = 0xffff; local = 1; } }
            opcode A : [ALL, SLOW] { encoding { op == A; } syntax { A; } properties { unit = FMA; } }
            enum Bit: 1 { N0 = 0, N1 = 1 }
            opcode B : [ALL] {
                encoding { op == B; field<4, 1> Bit rest = N0; }
                syntax { B{.rest}; }
                properties { local = 2; }
                properties { exact = false; skew = 127; }
            }
            alias BEE of B { encoding { rest == N1; } syntax { BEE; } }
        }
    }
    pub(crate) mod second {
        isa_core::define_isa! {
            /// Declares no property.
            pub isa Second: u16;
            use super::base::TimedBase;
            opcode C : [ALL] { encoding { op == C; } syntax { C; } }
        }
    }
    isa_core::define_isa! {
        /// Both.
        pub isa Timed: u16;
        include first::First;
        include second::Second;
    }
}

#[test]
fn properties_have_the_nearest_value() {
    use timed::base::Unit;
    let parts = |text: &str| {
        let own: timed::Timed = text.parse().unwrap();
        (own.latency(), own.unit(), own.skew(), own.exact())
    };
    assert_eq!(parts("A;"), (u16::MAX, Unit::FMA, i8::MIN, true));
    assert_eq!(parts("B;"), (4, Unit::ALU, i8::MAX, false));
    assert_eq!(parts("BEE;"), (4, Unit::ALU, i8::MAX, false));
    assert_eq!(parts("C;"), (4, Unit::ALU, i8::MIN, true));
    // `local` is a property of one family.
    let a: timed::first::First = "A;".parse().unwrap();
    assert_eq!((a.local(), a.latency()), (1, u16::MAX));
    let listed = |opcode: &isa_core::table::Opcode| {
        let own = opcode.properties.iter();
        own.map(|(property, value)| format!("{} {value}", property.name)).collect::<Vec<_>>()
    };
    let b = timed::first::B::OPCODE;
    let values = ["latency 4", "unit ALU", "skew 127", "exact false", "local 2"];
    let mut found = listed(b);
    found.sort_by_key(|text| values.iter().position(|value| value == text));
    assert_eq!(found, values);
    assert_eq!(listed(b.aliases[0].row), listed(b));
    assert!(timed::second::C::OPCODE.properties.get("local").is_none());
    let names = timed::Timed::SET.properties();
    assert_eq!(names.iter().map(|property| property.name).collect::<Vec<_>>().len(), 5);
    assert_eq!(names.iter().find(|property| property.name == "latency").unwrap().doc, "Cycles.");
}
