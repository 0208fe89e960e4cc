//! Checks that the print programs of opcodes agree with the templates.

use isa_core::table::InstructionSet;
use isa_core::text::{InstructionContext, Line, Style};
use isa_verify::Generator;
use isa_verify::word_generator::WordGenerator;

fn both(set: &InstructionSet, opcode: usize, word: u128) -> [String; 2] {
    let (mut steps, mut template) = (Line::new(), Line::new());
    set.opcodes[opcode].print(word, &mut steps);
    set.opcodes[opcode].print_template(word, &mut template);
    [steps.to_string(), template.to_string()]
}

fn check(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 7);
    for opcode in 0..set.opcodes.len() {
        assert!(!set.opcodes[opcode].program.steps.is_empty(), "{}", set.opcodes[opcode].name);
        let mut words = generator.legal_boundaries(opcode);
        words.extend((0..2000).map(|_| generator.legal(opcode)));
        words.extend((0..2000).map(|_| generator.plausible(opcode)));
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

/// Checks texts of words at 0x1000 in the default style, and in hexadecimal with the addresses of
/// targets.
#[test]
fn numbers_and_targets_are_printed_as_a_style_says() {
    let style = Style::new().hexadecimal().addresses();
    let check = |set: &'static InstructionSet, all: &[[&str; 2]]| {
        for [text, expected] in all {
            let (mut line, parsed) = (Line::new(), set.parse(text).unwrap());
            let (opcode, labels) = (set.decode(parsed.word()).unwrap(), [("main", 0x2000)]);
            let site = InstructionContext::new(0x1000, &labels);
            opcode.print(parsed.word(), &mut line);
            assert_eq!(line.as_str(), *text);
            line.clear();
            opcode.print_at(parsed.word(), site.style(style), &mut line);
            assert_eq!(line.as_str(), *expected);
        }
    };
    check(
        isa_riscv::Rv64imac::SET,
        &[
            ["addi s10, a1, -12;", "addi s10, a1, -0xc;"],
            ["ld a0, 2047(sp);", "ld a0, 0x7ff(sp);"],
            ["bnez a0, -16;", "bnez a0, 0xff0;"],
            ["c.j 8;", "c.j 0x1008;"],
            ["j 4096;", "j main;"],
            ["csrr a0, fcsr;", "csrr a0, fcsr;"],
        ],
    );
    check(
        isa_a64::A64::SET,
        &[
            ["add x10, x11, #16;", "add x10, x11, #0x10;"],
            ["tbz x0, #33, #-8;", "tbz x0, #0x21, 0xff8;"],
            ["bl #4096;", "bl main;"],
        ],
    );
    check(
        isa_defs::gpu::Gpu::SET,
        &[["HADD2 R12, R10, c[0x0][0x160];", "HADD2 R12, R10, c[0x0][0x160];"]],
    );
}

/// Checks that hexadecimal texts are parsed as the same word, in three sets.
#[test]
fn hexadecimal_texts_read_back() {
    let mut others = 0;
    for set in [isa_defs::gpu::Gpu::SET, isa_riscv::Rv64imac::SET, isa_a64::A64::SET] {
        let mut generator = Generator::new(set, 5);
        for one in generator.by_ref().take(20_000).filter(|one| one.opcode.reads_back(one.word)) {
            let (mut usual, mut line) = (Line::new(), Line::new());
            one.opcode.print(one.word, &mut usual);
            let site = InstructionContext::new(0, &());
            one.opcode.print_at(one.word, site.style(Style::new().hexadecimal()), &mut line);
            others += u32::from(line.as_str() != usual.as_str());
            let read = set.parse(line.as_str()).map(|parsed| parsed.word());
            assert_eq!(read.ok(), Some(one.word), "{usual} as {line}");
        }
    }
    assert!(others > 10_000, "{others} have a number");
}
