//! Tests mnemonics with several templates: the fast parser accepts each template as if it were
//! alone.

use isa_core::text::Cursor;

isa_core::define_isa! {
    /// Additions with several operand types.
    isa Forms: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Num: 8 = isa_core::operand::Unsigned<8>;
    enum Op: 4 { A = 1, B = 2, C = 3, D = 4, E = 5, F = 6, G = 7 }
    enum Wide: 1 { W = 0, X = 1 }

    group TO { encoding { field<0, 4> Op op; field<4, 8> Reg rd; } }
    optype ADD : [TO] { encoding { field<12, 1> Wide wide; field<13, 8> Reg ra; } }
    optype ADD_REG : [ADD] { encoding { field<21, 8> Reg rb; } syntax { ADD.wide Rd, Ra, Rb; } }
    opcode ADD_A : [ADD_REG] { encoding { op == A; wide == W; } }
    opcode ADD_B : [ADD_REG] { encoding { op == B; wide == X; } }
    opcode ADD_C : [ADD] { encoding { op == C; field<21, 8> Num n; } syntax { ADD.wide Rd, Ra, n; } }
    opcode ADD_D : [ADD] { encoding { op == D; field<21, 8> Num n; } syntax { ADD.wide Rd, "[" Ra "+" n "]"; } }

    // An opcode with another template is declared between the two opcodes of the first template.
    optype SUB_REG : [TO] { encoding { field<12, 1> Wide wide; } syntax { SUB.wide Rd; } }
    opcode SUB_E : [SUB_REG] { encoding { op == E; wide == W; } }
    opcode SUB_F : [TO] { encoding { op == F; field<12, 8> Num n; } syntax { SUB Rd, n; } }
    opcode SUB_G : [SUB_REG] { encoding { op == G; wide == X; } }
}

#[test]
fn each_form_is_read_as_if_it_were_alone() {
    let mut by_steps = 0;
    for bits in 0..1u32 << 16 {
        // Every opcode, with some of the registers and numbers.
        let word = (bits & 0xf) | (bits >> 4 & 3) << 4 | (bits >> 6 & 3) << 12 | (bits >> 8) << 18;
        let Ok(instruction) = Forms::decode(word) else { continue };
        let text = instruction.to_string();
        let read = Forms::SET.parse_next(&mut Cursor::new(&text)).unwrap().unwrap();
        let walked = Forms::SET.parse_next_by_template(&mut Cursor::new(&text)).unwrap().unwrap();
        assert_eq!((read.word(), walked.word()), (word.into(), word.into()), "{text}");
        let quick = Forms::SET.parse_next_as_printed(&mut Cursor::new(&text));
        assert_eq!(quick.map(|quick| quick.word()), Some(word.into()), "{text}");
        by_steps += 1;
    }
    assert!(by_steps > 1000, "{by_steps}");
}

#[test]
fn an_error_is_that_of_the_form_that_comes_furthest() {
    let error = |text: &str| text.parse::<Forms>().unwrap_err().to_string();
    assert!(error("ADD.W R1, [R2+300];").contains("255"), "{}", error("ADD.W R1, [R2+300];"));
    assert!(error("SUB R1, 300;").contains("255"));
}
