//! Tests which guards the function for a warp evaluates.

use super::tokens;
use crate::pipeline::expand;

/// A guard uses `pg`. Its operand is at two positions, and the list of one opcode does not contain it.
const SPEC: &str = "
    isa Toy: u16;
    operand Pred: 3 = isa_core::operand::Pred;
    group GUARDED {
        encoding { field<0, 3> Number number; }
        syntax { {@pg} .. ; }
        guard { pg.value != bool::from(false) }
    }
    group LOW : [GUARDED] { encoding { field<4, 3> Pred pg = PT; } operands { InList<pg>; } }
    group HIGH : [GUARDED] { encoding { field<8, 3> Pred pg = PT; } operands { InList<pg>; } }
    enum Number: 3 { A = 1, B = 2, C = 3, D = 4, E = 5 }
    opcode A : [LOW] { encoding { number == A; } syntax { A } }
    opcode B : [HIGH] { encoding { number == B; } syntax { B } }
    opcode C : [HIGH] { encoding { number == C; } syntax { C } operands { InList<>; OutList<>; } }
    opcode D { encoding { field<0, 3> Number number == D; } syntax { D; } }
    opcode E : [LOW] {
        encoding { number == E; field<8, 3> Pred from; }
        syntax { E from }
        operands { InList<pg>; OutList<from>; Order<pg, from>; }
        semantics { from = pg.value; }
    }
";

#[test]
fn guards_with_equal_operands_share_code() {
    let output = expand(tokens(SPEC)).to_string();
    assert!(!output.contains("compile_error"), "{output}");
    let (_, guards) = output.split_once("fn __Toy_guarded").unwrap();
    let (guards, _) = guards.split_once("_ => return").unwrap();
    // The name `from` in the path `bool::from` is not the operand of E.
    for arm in ["0 | 4 =>", "1 =>"] {
        assert!(guards.contains(arm), "{arm}: {guards}");
    }
    assert_eq!(guards.matches("=>").count(), 2, "{guards}");
    let (_, family) = output.split_once("family !").unwrap();
    let (family, _) = family.split_once("execute !").unwrap();
    assert!(family.contains("[__Toy_guarded] [2]"), "{family}");
}
