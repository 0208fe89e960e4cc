//! Tests the description of an opcode's semantics in its documentation and in its table row.

use super::imports::Sets;
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

/// Returns the bits of the effects in the rows of an expansion, in the order of the rows.
fn row_effects(expansion: &str) -> Vec<u8> {
    assert!(!expansion.contains("compile_error"), "{expansion}");
    let rows = expansion.split(":: Effects :: new (").skip(1);
    rows.map(|row| row.split_once(')').unwrap().0.trim().parse().unwrap()).collect()
}

/// Returns a set with three opcodes that have the given sections.
fn set_with(header: &str, sections: [&str; 3]) -> String {
    let opcode = |(number, section)| {
        format!(
            "opcode O{number} {{
                encoding {{ field<0, 8> Reg rd; field<8, 2> Number number == {number}; }}
                syntax {{ O{number} Rd; }}
                operands {{ InList<rd>; OutList<rd>; Order<rd>; }}
                {section}
            }}"
        )
    };
    let opcodes: String = (0..).zip(sections).map(opcode).collect();
    format!(
        "isa Toy: u16; {header} operand Reg: 8 = isa_core::operand::Reg;
         operand Number: 2 = isa_core::operand::Unsigned<2>; {opcodes}"
    )
}

const BLOCK: &str =
    "machine crate::vm::Hart { pc: pc; load: load, swap; store: swap; state: reg; }";

#[test]
fn a_row_has_the_effects_of_its_semantics() {
    let rows = |header: &str, sections| {
        row_effects(&expand(tokens(&set_with(header, sections))).to_string())
    };
    let sections = [
        "semantics(hart: crate::vm::Hart) { Rd = hart.load(Rd)?; }",
        "semantics(m: crate::vm::Hart) { Rd = m.swap(Rd, m.pc()); }",
        "semantics { Rd += 1; }",
    ];
    let traps = format!("{BLOCK} trap crate::vm::Trap;");
    assert_eq!(rows(&traps, sections), [1 + 8 + 32, 1 + 2 + 8 + 16, 1]);
    // Without a block nothing is known, and nothing is known about an opcode without semantics.
    let plain = "machine crate::vm::Hart; trap crate::vm::Trap;";
    assert_eq!(rows(plain, sections), []);
    let sections = ["", "", "semantics(hart: crate::vm::Hart) { Rd = sum(hart, Rd); }"];
    assert_eq!(rows(&traps, sections), [1 + 64]);
    // An empty block classifies no method.
    let sections = ["", "", "semantics(hart: crate::vm::Hart) { Rd = hart.reg(Rd); }"];
    assert_eq!(rows("machine crate::vm::Hart { }", sections), [1 + 64]);
    assert_eq!(rows(BLOCK, sections), [1]);
    // `return` with a value returns a trap.
    let sections = ["", "", "semantics { let _ = Rd; return Err(crate::vm::Trap); }"];
    assert_eq!(rows(&traps, sections), [1 + 32]);
}

#[test]
fn a_call_imports_the_classes_with_the_machine() {
    let base = format!("isa Base: u16; {BLOCK}");
    let sections = ["", "", "semantics(hart: crate::vm::Hart) { Rd = hart.load(Rd); }"];
    let imported = |header: &str| {
        let mut sets = Sets::default();
        sets.learn(expand(tokens(&base)));
        let input = sets.import(tokens(&set_with(header, sections))).unwrap();
        row_effects(&expand(input).to_string())
    };
    assert_eq!(imported("use Base;"), [1 + 8]);
    // The classes belong to the machine of the other call.
    assert_eq!(imported("use Base; machine crate::vm::Hart;"), []);
    assert_eq!(imported("use Base; machine crate::vm::Hart { store: load; }"), [1 + 16]);
}
