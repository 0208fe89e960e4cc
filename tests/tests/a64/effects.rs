//! Compares the effects in the table of A64 with the effects that the manual describes.

use isa_a64::A64;
use isa_a64::simulator::Simulator;
use isa_verify::Check;

#[test]
fn opcodes_have_the_effects_that_the_manual_describes() {
    for (name, expected) in [
        ("add_X", "none"),
        ("movz_W", "none"),
        ("csel_X", "none"),
        ("ADR", "pc"),
        ("ADRP", "pc"),
        ("ldr_X", "load, trap"),
        ("ldp_X", "load, trap"),
        ("ldar_8", "load, trap"),
        ("str_index_W", "store, trap"),
        ("stlr_1", "store, trap"),
        ("b", "pc, jump"),
        ("bl", "pc, jump"),
        ("b_cond", "pc, jump"),
        ("cbz_X", "pc, jump"),
        ("br", "jump"),
        ("blr", "pc, jump"),
        ("svc", "trap"),
        ("hint", "none"),
        ("mrs", "trap, other"),
        ("ldxr_8", "trap, other"),
        ("stxp_X", "trap, other"),
    ] {
        let opcode = A64::SET.opcodes.iter().find(|opcode| opcode.name == name);
        let effects = opcode.unwrap_or_else(|| panic!("no opcode {name}")).effects;
        assert_eq!(effects.to_string(), expected, "{name}");
    }
}

#[test]
fn the_effects_of_most_opcodes_are_known() {
    let opcodes = A64::SET.opcodes;
    assert!(opcodes.iter().all(|opcode| opcode.effects.is_known()));
    let others = opcodes.iter().filter(|opcode| opcode.effects.has_others());
    let names: Vec<&str> = others.map(|opcode| opcode.name).collect();
    // Accesses with the exclusive monitor, and accesses to system registers.
    let parts = ["ldx", "ldax", "stx", "stlx", "mrs", "msr"];
    let is_special = |name: &&str| parts.iter().any(|part| name.starts_with(part));
    assert!(names.iter().all(is_special), "{names:?}");
}

#[test]
fn execution_has_only_effects_of_the_table() {
    Check::<A64>::new().machine(A64::execute::<Simulator>).only("effects").cases(5000).run();
}
