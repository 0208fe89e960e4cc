//! Tests references to names in documentation.

use super::{faults, tokens};
use crate::pipeline::expand;

/// Returns a set whose opcode has this line of documentation.
fn documented(line: &str) -> String {
    format!(
        "pub isa Toy: u16;
         operand Reg: 7 = isa_core::operand::Reg;
         enum Mode: 2 {{ FAST = 0, SLOW = 1, type = 2 }}
         enum Bit: 1 {{ OFF = 0, ON = 1 }}
         #[doc = r#\"{line}\"#]
         opcode MOVE_IT {{
             encoding {{ field<0, 2> Mode mode = FAST; field<8, 7> Reg rd; field<15, 1> Bit rd.neg; }}
             syntax {{ MOVE{{.mode}} rd{{.neg}}; }}
         }}"
    )
}

#[test]
fn a_reference_is_a_link_or_plain_code() {
    for (line, written) in [
        ("see [`rd.neg`]", "see `rd.neg`"),
        ("[`mode`] and [`SLOW`].", "`mode` and `SLOW`."),
        ("[`Mode`], [`Toy`]", "[`Mode`], [`Toy`]"),
        ("[`Mode::SLOW`], [`Mode::type`]", "[`Mode::SLOW`], `Mode::type`"),
        ("[`Mode::from_bits`]", "[`Mode::from_bits`]"),
        ("[`MOVE_IT`], [`MoveIt`]", "[`MOVE_IT`](MoveIt), [`MoveIt`]"),
        ("[`frobnicate`], [`Other::Thing`]", "[`frobnicate`], [`Other::Thing`]"),
        ("[`rd.no`](x), [`rd.no`][x]", "[`rd.no`](x), [`rd.no`][x]"),
        ("`rd.no`, [`a + b.c`], \\\\[`rd.no`]", "`rd.no`, [`a + b.c`], \\\\[`rd.no`]"),
        ("```\n[`rd.no`]\n```", "```\n[`rd.no`]\n```"),
    ] {
        assert_eq!(faults(&documented(line)), [""; 0], "{line}");
        let output = expand(tokens(&documented(line))).to_string();
        assert!(output.contains(&format!("doc = {written:?}")), "{line}");
    }
}

#[test]
fn a_reference_to_nothing_is_a_fault() {
    for (line, meant) in [
        ("[`rd.ng`]", "`rd.neg`"),
        ("[`mods`]", "`mode`"),
        ("[`Mode::SLOV`]", "`Mode::SLOW`"),
        ("[`MOVE_IS`]", "`MOVE_IT`"),
    ] {
        let found = faults(&documented(line));
        let hint = format!("; did you mean {meant}?");
        assert!(found.len() == 1 && found[0].contains(&hint), "{line}: {found:#?}");
        assert!(found[0].starts_with("[ISA0038]"), "{found:#?}");
    }
    assert_eq!(faults(&documented("[`nothing.like`]")).len(), 1, "a dotted name is always ours");
}
