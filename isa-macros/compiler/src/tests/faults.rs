//! Tests which errors are reported, in which order, and that an error causes no further errors. The
//! `ui` tests check the locations and wording as rustc shows them.

use super::{faults, tokens};
use crate::pipeline::expand;

/// Returns the errors of a set of 16-bit words with a register, an enumeration and these items.
fn toy(items: &str) -> Vec<String> {
    faults(&format!(
        "pub isa Toy: u16;
         operand Reg: 8 = isa_core::operand::Reg;
         enum Mode: 2 {{ A = 0, B = 1, C = 2 }}
         {items}"
    ))
}

/// Returns only the codes.
fn codes(items: &str) -> Vec<String> {
    toy(items).iter().map(|line| line[1..8].to_owned()).collect()
}

const MOVE: &str = "opcode MOVE {
    encoding { field<0, 2> Mode mode = A; field<8, 8> Reg rd; }
    syntax { MOVE{.mode} rd; }
}";

#[test]
fn a_right_specification_has_no_fault() {
    assert_eq!(toy(MOVE), [""; 0]);
    assert_eq!(toy(""), [""; 0]);
}

#[test]
fn one_mistake_is_one_fault() {
    let mistakes = [
        ("field<0, 2>", "field<0 2>", "ISA0001"),
        ("field<0, 2>", "field<0, 2, 3>", "ISA0001"),
        ("field<0, 2>", "fild<0, 2>", "ISA0001"),
        ("mode = A;", "mode = A", "ISA0001"),
        ("mode = A;", "mode = ;", "ISA0001"),
        ("mode = A;", ";", "ISA0001"),
        ("encoding", "encodings", "ISA0001"),
        ("encoding", "bits", "ISA0001"),
        ("opcode", "opcod", "ISA0001"),
        ("Mode mode", "Mod mode", "ISA0002"),
        ("Mode mode", "Style mode", "ISA0002"),
        ("MOVE {", "MOVE : [ALL] {", "ISA0003"),
        ("MOVE {", "MOVE : ALL {", "ISA0001"),
        ("= A", "= D", "ISA0005"),
        ("= A", "== 3", "ISA0005"),
        ("<0, 2>", "<15, 2>", "ISA0008"),
        ("<0, 2>", "<0, 3>", "ISA0009"),
        ("<0, 2>", "<0, 65>", "ISA0009"),
        ("= A", "= 4", "ISA0011"),
        ("MOVE{.mode}", "{.mode}", "ISA0017"),
        ("{.mode}", "{.mod}", "ISA0018"),
        ("{.mode}", "", "ISA0019"),
        ("rd; }\n}", "ra; }\n}", "ISA0020"),
        ("{.mode}", "{.mode}{.mode}", "ISA0017"),
        ("} rd;", "} {-}rd;", "ISA0023"),
    ];
    for (right, wrong, code) in mistakes {
        assert_eq!(MOVE.matches(right).count(), 1, "{right}");
        let spec = MOVE.replace(right, wrong);
        assert_eq!(codes(&spec), [code], "{spec}: {:#?}", toy(&spec));
    }
}

#[test]
fn faults_in_several_opcodes_are_all_reported() {
    let spec = "
        opcode ONE { encoding { field<0, 2> Mode mode == A; field<8, 8> Rag rd; } syntax { ONE rd; } }
        opcode TWO { encoding { field<0, 2> Mode mode == D; field<8, 8> Reg rd; } syntax { TWO rd; } }
        opcode SIX { encoding { field<0, 2> Mode mode == C; field<8, 8> Reg rd; } }
        opcode TEN { encoding { field<2, 2> Mode mode == C; field<8, 8> Reg rd; } syntax { TEN rd; } }
        opcode TON { encoding { field<4, 2> Mode mode == C; field<8, 8> Reg rd; } syntax { TON rd; } }
        opcode TAN { encoding { field<2, 2> Mode mode == C; field<8, 8> Reg rd; } syntax { TAN rd; } }";
    let expected = ["ISA0002", "ISA0005", "ISA0022", "ISA0030", "ISA0030"];
    assert_eq!(codes(spec), expected, "{:#?}", toy(spec));
}

#[test]
fn a_witness_is_a_word_of_both() {
    let spec = "
        opcode ONE { encoding { field<0, 2> Mode a; field<2, 2> Mode b == B; } syntax { ONE.a; } }
        opcode TWO { encoding { field<0, 2> Mode a == C; field<2, 2> Mode b; } syntax { TWO.b; } }";
    let first = &toy(spec)[0];
    assert!(first.contains("`TWO` and `ONE` both decode 0x0006"), "{first}");
    assert!(
        first.contains("distinguish them by bits that are unused in both: bits 4..=15"),
        "{first}"
    );
}

#[test]
fn a_short_word_is_not_the_start_of_a_long_one() {
    let spec = "
        isa Mixed: u16 | u32;
        enum Bit: 1 { ZERO = 0, ONE = 1 }
        opcode SHORT { encoding { word<16>; field<0, 1> Bit b == ONE; } syntax { SHORT; } }
        opcode LONG {
            encoding { word<32>; field<0, 1> Bit b == KIND; field<31, 1> Bit top; }
            syntax { LONG.top; }
        }";
    assert_eq!(faults(&spec.replace("KIND", "ZERO")), [""; 0]);
    let with_top = spec.replace("KIND", "ONE").replace("Bit top;", "Bit top == ONE;");
    for spec in [with_top.replace("LONG.top", "LONG"), spec.replace("KIND", "ONE")] {
        let overlap = &faults(&spec)[0];
        assert!(
            overlap.contains("`SHORT` decodes 0x0001, which is the beginning of 0x"),
            "{overlap}"
        );
    }
}

#[test]
fn words_of_rust_can_name_fields_and_values() {
    let spec = "
        enum Kind: 1 { type = 0, match = 1 }
        opcode IF {
            encoding { field<0, 1> Kind type; field<1, 2> Mode r#in = B; field<8, 8> Reg fn; }
            syntax { if.type{.in} fn; }
        }";
    assert_eq!(toy(spec), [""; 0]);
    let whole = format!("isa Toy: u16; operand Reg: 8; enum Mode: 2 {{ A = 0, B = 1 }} {spec}");
    assert!(syn::parse2::<syn::File>(expand(tokens(&whole))).is_ok());
    let refused = "[ISA0001] `self` cannot be a name in Rust; use another name";
    assert_eq!(toy(&MOVE.replace("Reg rd", "Reg self")), [refused]);
    assert_eq!(toy("enum Kind: 1 { ZERO = 0, self = 1 }"), [refused]);
    assert_eq!(toy(&MOVE.replace("} rd", "} self")), [refused]);
}

#[test]
fn a_template_may_replace_one_whose_slots_are_fixed() {
    let spec = "
        opcode JUMP {
            encoding { field<0, 8> Reg rd; field<8, 8> Reg ra; }
            syntax { JUMP Rd, Ra; }
            operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        }
        opcode RETURN : [JUMP] inside JUMP {
            encoding { rd == 0; ra == 1; }
            syntax { RETURN; }
            operands { Order<>; }
        }";
    assert_eq!(toy(spec), [""; 0]);
}

#[test]
fn a_modifier_is_a_value_of_the_field_that_can_differ() {
    let spec = "
        enum Bit: 1 { OFF = 0, ON = 1 }
        opcode ONE {
            encoding { field<0, 1> Bit fixed == ON; field<1, 1> Bit bit = OFF; }
            syntax { ONE{.ON}; }
        }";
    assert_eq!(toy(spec), [""; 0]);
}

#[test]
fn a_fault_of_the_syntax_hides_no_overlap() {
    let spec = "
        opcode ONE { encoding { field<0, 2> Mode a == B; field<8, 8> Reg rd; } syntax { ONE rd; } }
        opcode TWO { encoding { field<0, 2> Mode a == B; field<8, 8> Reg rd; } syntax { TWO{.zap} rd; } }";
    assert_eq!(codes(spec), ["ISA0018", "ISA0030", "ISA0030"], "{:#?}", toy(spec));
}

#[test]
fn an_alias_of_an_opcode_whose_name_is_taken_is_left_out() {
    let spec = "
        opcode A_B { encoding { field<0, 2> Mode a == A; field<8, 8> Reg rd; } syntax { ONE rd; } }
        opcode A__B { encoding { field<0, 2> Mode a == B; field<8, 8> Reg rd; } syntax { TWO rd; } }
        alias NIL of A__B { encoding { rd == 1; } syntax { NIL; } }";
    assert_eq!(codes(spec), ["ISA0006", "ISA0006"], "{:#?}", toy(spec));
}
