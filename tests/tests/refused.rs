//! Checks that every type of invalid word is rejected with its reason: by the decoder, by the check
//! of typed encoding, and by the assembler.

use isa_core::error::{DecodeErrorKind, ParseErrorKind};
use isa_core::print::print_word;
use isa_core::table::InstructionSet;
use isa_core::text::Line;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_verify::field_values::{boundary_values, field_value, with_value};
use isa_verify::model::{InvalidReason, OpcodeModel};
use isa_verify::word_generator::WordGenerator;

/// Checks all three for a word of an opcode.
fn check_refused(
    set: &'static InstructionSet,
    row: &OpcodeModel,
    word: u128,
    wrong: InvalidReason,
) {
    let place = || format!("{word:#034x}, {wrong:?} of {}", row.opcode.name);
    let error = set.decode(word).expect_err(&place());
    assert!(row.matches_error(wrong, &error.kind(), word), "{}: {error}", place());
    assert_eq!(error.word(), word);
    assert_eq!(error.unused_bits(), word & row.uncovered, "{}", place());
    assert_eq!(wrong == InvalidReason::Uncovered, word & row.uncovered != 0);

    let error = isa_core::__private::encode(row.opcode, word).expect_err(&place());
    assert!(row.matches_error(wrong, &error.kind(), word), "{}: {error}", place());

    check_text(set, row, word, wrong);
    check_directive(set, row, word, wrong);
}

/// Checks that the text that shows the word's fields does not assemble. Uncovered bits have no
/// text.
fn check_text(set: &'static InstructionSet, row: &OpcodeModel, word: u128, wrong: InvalidReason) {
    let mut line = Line::new();
    row.opcode.print(word, &mut line);
    let parsed = set.parse(line.as_str());
    if wrong == InvalidReason::Uncovered {
        assert_eq!(parsed.map(|one| one.word()).ok(), Some(word & !row.uncovered), "{line}");
        return;
    }
    let error = parsed.expect_err(line.as_str());
    let said = match (wrong, error.kind()) {
        (InvalidReason::Exception(_), ParseErrorKind::Illegal(error)) => {
            row.matches_error(wrong, &error.kind(), word) && error.word() == word
        }
        (InvalidReason::Value(_), kind) => {
            matches!(kind, ParseErrorKind::UnknownModifier { .. } | ParseErrorKind::Operand(_))
        }
        _ => false,
    };
    assert!(said, "{line}: {error}");
}

/// Checks that `.word` produces the bits, but not an instruction.
fn check_directive(
    set: &'static InstructionSet,
    row: &OpcodeModel,
    word: u128,
    wrong: InvalidReason,
) {
    let mut line = Line::new();
    print_word(word, set.bits, &mut line);
    assert_eq!(set.parse(line.as_str()).map(|one| one.word()).ok(), Some(word));
    let one = isa_core::__private::parse_one(set, line.as_str()).expect_err(line.as_str());
    let same =
        isa_core::__private::parse_as(set, row.opcode, line.as_str()).expect_err(line.as_str());
    for error in [one, same] {
        let ParseErrorKind::Illegal(illegal) = error.kind() else { panic!("{line}: {error}") };
        assert!(row.matches_error(wrong, &illegal.kind(), word), "{line}: {error}");
    }
}

fn check_reserved_values(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 1);
    let mut cases = 0;
    for opcode in 0..generator.opcode_count() {
        let free: Vec<usize> = generator.opcode(opcode).free().collect();
        for index in free {
            let field = generator.field(opcode, index);
            for raw in boundary_values(field) {
                if !generator.opcode(opcode).has_value(index, raw) {
                    let word = with_value(field, generator.legal(opcode), raw);
                    check_refused(set, generator.opcode(opcode), word, InvalidReason::Value(index));
                    cases += 1;
                }
            }
        }
    }
    println!("{}: {cases} reserved values", set.name);
}

fn check_uncovered_bits(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 2);
    let mut cases = 0;
    for opcode in 0..generator.opcode_count() {
        for bit in generator.uncovered(opcode) {
            for _ in 0..4 {
                let word = generator.legal(opcode) | 1 << bit;
                check_refused(set, generator.opcode(opcode), word, InvalidReason::Uncovered);
                cases += 1;
            }
        }
    }
    println!("{}: {cases} uncovered bits", set.name);
}

/// Returns all combinations of existing values of some fields of an opcode.
fn combinations(
    generator: &WordGenerator,
    opcode: usize,
    fields: &[usize],
) -> Vec<Vec<(usize, u64)>> {
    fields.iter().fold(vec![Vec::new()], |known, &index| {
        let last = 1 << generator.field(opcode, index).width();
        let values = (0..last).filter(|&raw| generator.opcode(opcode).has_value(index, raw));
        let longer = |raw| known.iter().map(move |one| [&one[..], &[(index, raw)]].concat());
        values.flat_map(longer).collect()
    })
}

fn check_exceptions(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 3);
    let mut cases = 0;
    for opcode in 0..generator.opcode_count() {
        for number in 0..generator.opcode(opcode).conditions.len() {
            let fields = generator.opcode(opcode).conditions[number].fields();
            let before = cases;
            for given in combinations(&generator, opcode, &fields) {
                let get = |index: usize| given.iter().find(|(i, _)| *i == index).map_or(0, |g| g.1);
                if !generator.opcode(opcode).conditions[number].holds(&get) {
                    continue;
                }
                for _ in 0..16 {
                    let word = generator.filled(opcode, &given);
                    let row = generator.opcode(opcode);
                    let Some(wrong @ InvalidReason::Exception(first)) = row.invalid_reason(word)
                    else {
                        panic!("{word:#034x} is no exception of {}", row.opcode.name);
                    };
                    assert!(first <= number);
                    check_refused(set, row, word, wrong);
                    cases += 1;
                }
            }
            let name = generator.opcode(opcode).opcode.name;
            assert!(cases > before, "exception {number} of {name} never holds");
        }
    }
    println!("{}: {cases} words under exceptions", set.name);
}

/// Checks other values in the fixed fields, which give a word of another opcode or an invalid word.
fn check_fixed_fields(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 4);
    let mut cases = 0;
    for opcode in 0..generator.opcode_count() {
        for (field, fixed) in generator.opcode(opcode).fixed().to_vec() {
            for raw in boundary_values(field).into_iter().filter(|raw| *raw != fixed) {
                let word = with_value(field, generator.legal(opcode), raw);
                assert_eq!(field_value(field, word), raw);
                let own = generator.opcode(opcode).opcode;
                let error = own.validate(word).expect_err(own.name);
                assert!(
                    matches!(error.kind(), DecodeErrorKind::OtherOpcode { .. }),
                    "{word:#034x}: {error}"
                );
                assert_ne!(set.index(word).ok(), Some(opcode), "{word:#034x}");
                cases += 1;
            }
        }
    }
    println!("{}: {cases} other values of fixed fields", set.name);
}

#[test]
fn reserved_values() {
    check_reserved_values(Halu::SET);
    check_reserved_values(Gpu::SET);
}

#[test]
fn uncovered_bits() {
    check_uncovered_bits(Halu::SET);
    check_uncovered_bits(Gpu::SET);
}

#[test]
fn exceptions() {
    check_exceptions(Halu::SET);
    check_exceptions(Gpu::SET);
}

#[test]
fn fixed_fields() {
    check_fixed_fields(Halu::SET);
    check_fixed_fields(Gpu::SET);
}
