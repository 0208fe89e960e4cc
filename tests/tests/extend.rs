//! A family that another author defines in another crate, combined with the complete set.

use isa_core::operand::Reg;
use isa_defs::halu::Hadd2Rr;
use isa_tests::machine::Recorder;

isa_core::define_isa! {
    /// Integer instructions in addition to the other families.
    pub isa Integer: u128;

    use isa_defs::base::Base;

    /// The operation.
    enum IntOp: 8 { IADD = 0x50, ISUB = 0x51 }

    /// Adds or subtracts two registers.
    group INT : [GUARDED] {
        encoding {
            field<16, 8> Reg rd;
            field<24, 8> Reg ra;
            field<32, 8> Reg rb;
        }
        syntax { {@{!}pg} .. Rd, Ra, Rb $sched $req; }
        operands { InList<pg, ra, rb>; OutList<rd>; Order<pg, rd, ra, rb>; }
    }

    /// Adds.
    opcode IADD : [INT] {
        encoding { field<0, 8> IntOp op == IADD; }
        syntax { IADD }
        semantics { Rd = Ra.value.wrapping_add(Rb.value); }
    }

    /// Subtracts.
    opcode ISUB : [INT] {
        encoding { field<0, 8> IntOp op == ISUB; }
        syntax { ISUB }
        semantics { Rd = Ra.value.wrapping_sub(Rb.value); }
    }
}

isa_core::define_isa! {
    /// All families.
    pub isa Extended: u128;

    include isa_defs::gpu::Gpu;
    include self::Integer;
}

#[test]
fn old_and_new_instructions_are_one_set() {
    let texts = [
        "@P1 IADD R3, R1, R2 ?WAIT2;",
        "ISUB R3, R3, R1;",
        "HADD2.FTZ R1, R2, R3;",
        "vadd4.u32.u32.u32.sat r1, r2, r3, rz;",
    ];
    for text in texts {
        let instruction: Extended = text.parse().unwrap();
        assert_eq!(instruction.to_string(), text);
        assert_eq!(Extended::decode(instruction.encode().unwrap()).unwrap(), instruction);
    }
    assert_eq!(Extended::SET.opcodes.len(), isa_defs::gpu::Gpu::SET.opcodes.len() + 2);
    let half: Extended = Hadd2Rr::new(Reg::R1, Reg::R2, Reg::R3).into();
    assert!(matches!(half, Extended::Hadd2Rr(_)));
}

#[test]
fn both_execute_on_one_machine() {
    let mut machine = Recorder::parse("R1=7 R2=8 R5=0x3c003c00");
    for text in ["IADD R3, R1, R2;", "@!PT ISUB R3, R3, R1;", "HADD2 R4, R5, R5;"] {
        text.parse::<Extended>().unwrap().execute(&mut machine);
    }
    let written: Vec<_> = machine.written().iter().map(|(name, value)| (&**name, *value)).collect();
    assert_eq!(written, [("R3", 15), ("R4", 0x4000_4000)]);
}
