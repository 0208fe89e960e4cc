//! Compares results of the finished program with results that are computed independently.

use super::{Cpu, assemble};
use crate::page::console;
use crate::steps;

#[test]
fn the_machine_computes_fibonacci_numbers() {
    let blocks = steps().into_iter().flat_map(|section| section.blocks);
    let mut files = blocks.filter_map(|block| console(&block));
    let (_, source) = files.find(|(command, _)| *command == "cat fibonacci.s").unwrap();
    let program = assemble(source).unwrap();
    let mut cpu = Cpu::new();
    cpu.run(&program).unwrap();

    let mut expected = vec![0_i16, 1];
    while let Some(next) = expected[expected.len() - 1].checked_add(expected[expected.len() - 2]) {
        expected.push(next);
    }
    expected.push(i16::MAX);
    assert_eq!(cpu.memory[..expected.len()], expected);
    assert!(cpu.memory[expected.len()..].iter().all(|word| *word == 0));
}

#[test]
fn the_assembler_takes_labels_before_and_behind() {
    let source = "  ADD R1, R0, 3;\nback: B.EQ R1, @out; // forward\n SUB R1, R1, 1;\n\
                  B.GE R1, @back;\nout:\n HALT;";
    let program = assemble(source).unwrap();
    assert_eq!(program.len(), 5);
    assert_eq!(program[1] & 0x7f, 3, "from word 1 to word 4");
    assert_eq!(program[3] & 0x7f, 0x7e, "from word 3 to word 1");
    let mut cpu = Cpu::new();
    cpu.run(&program).unwrap();
    assert_eq!((cpu.pc, cpu.regs[1]), (4, 0));
    assert!(cpu.run(&[]).unwrap_err().contains("the program has ended"));
}
