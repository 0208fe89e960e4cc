//! Tests the export to SLEIGH with Ghidra's own compiler and disassembler: it compiles without a
//! warning, and disassembles each word like the set.

mod judge;
#[path = "../cli/orders/sets.rs"]
mod orders;
mod page;
mod shapes;
mod words;

use isa_core::table::InstructionSet;
use isa_tests::share::part_of;
use isa_verify::Generator;
use isa_verify::generate::Instruction;
use isa_verify::text::bytes_of;
use judge::{ADDRESS, Language, is_here};
use words::{Words, goes_on, said};

/// The number of words of a set in a campaign.
const CAMPAIGN: u64 = 10_000_000;

/// The number of words that one process checks.
const BATCH: u64 = 250_000;

/// Returns some words for which SLEIGH and the set differ.
fn differences(set: &'static InstructionSet, count: u64) -> Vec<String> {
    let language = Language::of(set);
    let mut words = Words::new(set, 20);
    let (mut different, mut legal) = (Vec::new(), 0);
    let mut rest = count;
    while rest > 0 {
        let batch: Vec<Vec<u8>> = words.by_ref().take(rest.min(BATCH) as usize).collect();
        rest -= batch.len() as u64;
        for (word, theirs) in batch.iter().zip(language.words(&batch)) {
            let ours = said(set, word);
            legal += u64::from(ours != "-");
            if ours != theirs && different.len() < 20 {
                different.push(format!("{word:02x?}: we say {ours}, SLEIGH says {theirs}"));
            }
        }
    }
    // Both valid and invalid words must be frequent, because otherwise the comparison means little.
    assert!(legal > count / 3 && legal < count * 9 / 10, "{legal} of {count} are legal");
    println!("{}: {count} words, {legal} of them legal", set.name);
    different
}

fn agrees(set: &'static InstructionSet, count: u64) {
    if is_here() {
        let different = differences(set, count);
        assert!(different.is_empty(), "{}", different.join("\n"));
    }
}

/// Checks that valid words have the same control flow in SLEIGH as in the set. At least a quarter of
/// them must not continue at the next instruction.
fn goes_on_alike(set: &'static InstructionSet) {
    if !is_here() {
        return;
    }
    let mut generator =
        Generator::new(set, 21).weigh(|opcode| 1 + 40 * u32::from(!opcode.flow.is_empty()));
    let all: Vec<Instruction> = generator.by_ref().take(part_of(40_000) as usize).collect();
    let words: Vec<Vec<u8>> = all.iter().map(|one| bytes_of(set, one.opcode, one.word)).collect();
    let mut elsewhere = 0;
    for (one, theirs) in all.iter().zip(Language::of(set).flow(&words)) {
        let ours = goes_on(one.opcode, one.word, ADDRESS);
        assert_eq!(ours, theirs, "{} {:#x}", one.opcode.name, one.word);
        elsewhere += usize::from(ours != "-");
    }
    assert!(elsewhere >= words.len() / 4, "{elsewhere} go on elsewhere");
}

#[test]
fn rv64imac_goes_on_as_sleigh_has_it() {
    goes_on_alike(isa_riscv::Rv64imac::SET);
}

#[test]
fn a64_goes_on_as_sleigh_has_it() {
    goes_on_alike(isa_a64::A64::SET);
}

#[test]
fn the_gpu_set_is_as_sleigh_reads_it() {
    agrees(isa_defs::gpu::Gpu::SET, part_of(200_000));
}

#[test]
fn rv64imac_is_as_sleigh_reads_it() {
    agrees(isa_riscv::Rv64imac::SET, part_of(200_000));
}

#[test]
fn a64_is_as_sleigh_reads_it() {
    agrees(isa_a64::A64::SET, part_of(200_000));
}

#[test]
fn words_with_their_highest_byte_first_are_as_sleigh_reads_them() {
    agrees(orders::big::Set::SET, part_of(50_000));
    agrees(orders::bytes::Set::SET, part_of(50_000));
    let refused =
        isa_export::format("sleigh").unwrap().files(orders::halves::Set::SET).unwrap_err();
    assert!(refused.to_string().contains("half-words"), "{refused}");
}

#[test]
#[ignore = "ten million words take minutes"]
fn the_gpu_set_is_as_sleigh_reads_it_on_ten_million_words() {
    agrees(isa_defs::gpu::Gpu::SET, CAMPAIGN);
}

#[test]
#[ignore = "ten million words take minutes"]
fn rv64imac_is_as_sleigh_reads_it_on_ten_million_words() {
    agrees(isa_riscv::Rv64imac::SET, CAMPAIGN);
}

#[test]
#[ignore = "ten million words take minutes"]
fn a64_is_as_sleigh_reads_it_on_ten_million_words() {
    agrees(isa_a64::A64::SET, CAMPAIGN);
}
