//! Compares the effects in the table of RISC-V with the effects that the manual describes.

use isa_riscv::Rv64imac;
use isa_riscv::cpu::Cpu;
use isa_verify::Check;

#[test]
fn opcodes_have_the_effects_that_the_manual_describes() {
    for (name, expected) in [
        ("ADD", "none"),
        ("ADDI", "none"),
        ("MULHU", "none"),
        ("LUI", "none"),
        ("FENCE", "none"),
        ("AUIPC", "pc"),
        ("LW", "load, trap"),
        ("C_LW", "load, trap"),
        ("SD", "store, trap"),
        ("C_SWSP", "store, trap"),
        ("BEQ", "pc, jump"),
        ("JAL", "pc, jump"),
        ("JALR", "pc, jump"),
        ("C_JR", "jump"),
        ("ECALL", "trap"),
        ("LR", "load, trap, other"),
        ("SC", "store, trap, other"),
        // These semantics pass the machine to a function.
        ("AMOADD", "trap, other"),
        ("CSRRW", "trap, other"),
        ("FENCE_I", "other"),
    ] {
        let opcode = Rv64imac::SET.opcodes.iter().find(|opcode| opcode.name == name);
        let effects = opcode.unwrap_or_else(|| panic!("no opcode {name}")).effects;
        assert_eq!(effects.to_string(), expected, "{name}");
    }
}

#[test]
fn the_effects_of_most_opcodes_are_known() {
    let opcodes = Rv64imac::SET.opcodes;
    assert!(opcodes.iter().all(|opcode| opcode.effects.is_known()));
    let others = opcodes.iter().filter(|opcode| opcode.effects.has_others());
    let names: Vec<&str> = others.map(|opcode| opcode.name).collect();
    let is_special = |name: &&str| {
        ["AMO", "CSR", "LR", "SC", "FENCE_I"].iter().any(|part| name.starts_with(part))
    };
    assert!(names.iter().all(is_special), "{names:?}");
}

#[test]
fn execution_has_only_effects_of_the_table() {
    Check::<Rv64imac>::new().machine(Rv64imac::execute::<Cpu>).only("effects").cases(5000).run();
}
