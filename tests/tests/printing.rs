//! The steps that opcodes are printed by say what the templates say.

use isa_check::space::Space;
use isa_core::asm::Line;
use isa_core::table::InstructionSet;

fn both(set: &InstructionSet, opcode: usize, word: u128) -> [String; 2] {
    let (mut steps, mut template) = (Line::new(), Line::new());
    set.opcodes[opcode].print(word, &mut steps);
    set.opcodes[opcode].print_template(word, &mut template);
    [steps.to_string(), template.to_string()]
}

fn check(set: &'static InstructionSet) {
    let mut space = Space::new(set, 7);
    for opcode in 0..set.opcodes.len() {
        assert!(!set.opcodes[opcode].program.steps.is_empty(), "{}", set.opcodes[opcode].name);
        let mut words = space.legal_boundaries(opcode);
        words.extend((0..2000).map(|_| space.legal(opcode)));
        words.extend((0..2000).map(|_| space.plausible(opcode)));
        for word in words {
            let [steps, template] = both(set, opcode, word);
            assert_eq!(steps, template, "{word:#034x}");
        }
    }
}

#[test]
fn steps_print_what_the_template_says() {
    check(isa_defs::gpu::Gpu::SET);
}
