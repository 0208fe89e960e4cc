//! Tests sets with addresses of fewer than 64 bits: targets and distances wrap around at that
//! width.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Disassembler, LabelMap};
use isa_core::machine::{Counter, Processor, RecordedRegisters, RegisterFile};
use isa_core::table::FlowTarget;
use isa_core::text::Style;

isa_core::define_isa! {
    /// Branches of a 16-bit machine.
    isa Small: u16;
    addresses 16;
    operand Near: 12 = isa_core::operand::Relative<12, 1, 2>;
    enum Op: 4 { BR = 1, CALL = 2 }
    opcode BR {
        encoding { field<0, 4> Op op == BR; field<4, 12> Near to; }
        syntax { br to; }
        operands { InList<to>; OutList<>; Order<to>; }
        flow { branch to; }
    }
    opcode CALL {
        encoding { field<0, 4> Op op == CALL; field<4, 12> Near to; }
        syntax { call to; }
        flow { call to; }
    }
}

isa_core::named_state! {
    /// A machine with a program counter.
    pub struct Cpu {
        const X: RecordedRegisters<u16> = RegisterFile::numbered("x", 2);
        const PC: Counter = RegisterFile::listed(&["pc"]).address_bits(16);
    }
}

/// 2 - 2048 = -2046, which is 0xf802 in 16 bits.
#[test]
fn targets_go_around() {
    let back: Small = "br -2048;".parse().unwrap();
    assert_eq!(back.flow(0).target, FlowTarget::Address(0xf802));
    assert_eq!(back.operands().next().unwrap().target(0), Some(0xf802));
    assert_eq!(
        back.opcode().targets(back.encode().unwrap().into(), 0).collect::<Vec<_>>(),
        [0xf802]
    );
    let ahead: Small = "br 2046;".parse().unwrap();
    assert_eq!(ahead.flow(0xfffe).target, FlowTarget::Address(0x7fe));
    let styled = isa_core::text::InstructionContext::new(0, &()).style(Style::new().addresses());
    let shown =
        isa_core::print::DisplayAt::new(back.opcode(), back.encode().unwrap().into(), styled);
    assert_eq!(shown.to_string(), "br 0xf802;");
}

/// A label beyond the end of memory is near because addresses wrap around, and its text
/// round-trips.
#[test]
fn labels_are_found_around_the_end() {
    let labels = LabelMap::from_iter([("high", 0xfff0), ("low", 0x10)]);
    let assembler = Assembler::new(Small::SET).labels(labels.clone());
    let program = assembler.assemble("br high; call low;").unwrap();
    let words: Vec<u16> =
        program.bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    // From the end of the first instruction: 0xfff0 - 0x2 wraps around to -18, which is -9
    // half-words.
    assert_eq!(words[0] >> 4, (-9i16 as u16) & 0xfff);
    let text = Disassembler::new(Small::SET).labels(labels).disassemble(&program.bytes);
    assert!(text.contains("br high;") && text.contains("call low;"), "{text}");
    // A distance outside the operand's range is an error.
    assert!("br -4098;".parse::<Small>().is_err());
}

#[test]
fn a_program_counter_goes_around() {
    let mut cpu = Cpu::default();
    cpu.begin(0xfffe, 0x1_0000);
    assert_eq!(cpu.state.next(), 0);
    cpu.state.jump(0xffff_ffff_ffff_f802);
    assert_eq!(cpu.state.next(), 0xf802);
    cpu.begin(0xf802, 0xf804);
    assert_eq!(cpu.state.pc(), 0xf802);
}
