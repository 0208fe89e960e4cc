//! The check of `examples` sections, which the generated test of a specification calls.

use isa_core::__private::{ExampleError, check_examples};
use isa_defs::halu::{Hadd2Rr, Halu};

/// Returns the indexes of the opcodes with this mnemonic.
fn heirs(mnemonic: &str) -> Vec<usize> {
    let opcodes = Halu::SET.opcodes.iter().enumerate();
    opcodes.filter(|(_, o)| o.syntax.mnemonic == mnemonic).map(|(i, _)| i).collect()
}

#[test]
fn a_right_example_passes() {
    let heirs = heirs("HADD2");
    assert_eq!(heirs.len(), 4);
    assert!(check_examples(Halu::SET, &[("HADD2.RN.FTZ R1, -|R4|, -1, 1;", None, &heirs)]).is_ok());
    assert_eq!(Hadd2Rr::OPCODE.examples.len(), 3);
}

#[test]
fn a_wrong_example_is_named_with_what_is_wrong() {
    let (add, mul) = (heirs("HADD2"), heirs("HMUL2"));
    let refused = check_examples(Halu::SET, &[("HADD2 R1, R255, R2;", None, &add)]).unwrap_err();
    assert!(matches!(refused, ExampleError::Refused("HADD2 R1, R255, R2;", _)));
    assert!(refused.to_string().contains("R254"), "{refused}");
    let other = check_examples(Halu::SET, &[("HADD2 R1, R2, R3;", None, &mul)]).unwrap_err();
    assert!(other.to_string().contains("HADD2_RR"), "{other}");
}

#[test]
fn an_example_prints_as_its_arrow_says() {
    let heirs = heirs("HADD2");
    let check = |canonical| {
        let examples = [("HADD2.RN  R1, R2, R3;", Some(canonical), &heirs[..])];
        check_examples(Halu::SET, &examples).map_err(|error| error.to_string())
    };
    assert!(check("HADD2 R1, R2,R3;").is_ok(), "white space aside");
    let refused = check("HADD2.RN R1, R2, R3;").unwrap_err();
    let text = "prints as `HADD2 R1, R2, R3;`, not as `HADD2.RN R1, R2, R3;`";
    assert!(refused.ends_with(text), "{refused}");
}
