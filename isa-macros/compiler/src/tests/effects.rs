//! Tests the description of an opcode's semantics in its documentation.

use super::tokens;
use crate::pipeline::expand;

/// Returns the sentences after `# Effects` in the expansion of a set with one opcode.
fn effects(section: &str) -> Option<String> {
    let spec = format!(
        "isa Toy: u16; trap crate::vm::Trap; operand Reg: 8 = isa_core::operand::Reg; opcode LD {{
            encoding {{ field<0, 8> Reg rd; }} syntax {{ LD Rd; }}
            operands {{ InList<rd>; OutList<rd>; Order<rd>; }}
            {section}
        }}"
    );
    let output = expand(tokens(&spec)).to_string().replace("\\n", "\n");
    assert!(!output.contains("compile_error"), "{output}");
    let (_, behind) = output.split_once("# Effects\n\n")?;
    behind.split(['\n', '"']).next().map(str::to_owned)
}

#[test]
fn the_page_of_an_opcode_names_what_it_uses_and_that_it_traps() {
    let says = |section, sentences: &str| assert_eq!(effects(section).as_deref(), Some(sentences));
    says(
        "semantics(hart: crate::vm::Memory<u16> + Jump) { Rd = hart.load(Rd); }",
        "The machine must implement `Memory` and `Jump`.",
    );
    says(
        "semantics { Rd = Rd.checked_neg().ok_or(Trap)?; }",
        "The instruction can trap with a `Trap`.",
    );
    says(
        "semantics(hart: Memory) { Rd = hart.load(Rd)?; }",
        "The machine must implement `Memory`. The instruction can trap with a `Trap`.",
    );
    assert_eq!(effects("semantics { if Rd == 0 { return; } Rd = 1; }"), None);
}
