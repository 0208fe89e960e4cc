//! The property tests of any set, and its description.

use isa_export::description::Description;
use isa_export::diff::{ChangeKind, Difference};
use isa_import::{ImportOptions, Source};
use isa_tests::share::part_of;
use isa_verify::Check;

use crate::sample::Sample;
use crate::set::Rdna3;

#[test]
fn rdna3() {
    Check::<Rdna3>::new().cases(part_of(60_000)).run();
}

/// Returns the JSON description.
fn description() -> String {
    isa_core::describe::json(Rdna3::SET).to_string()
}

/// The reader of descriptions, which shares no code with the decoder, finds the width of each word.
#[test]
fn the_description_contains_the_widths() {
    let set: Description = description().parse().unwrap();
    let [valid, invalid] = Sample::new(7).words(2000);
    for (opcode, word) in valid {
        let bits = opcode.width_of(word);
        for width in [32, 64, 96] {
            let found = set.decode(word, width).map(|row| row.name.as_str());
            assert_eq!(found, (width == bits).then_some(opcode.name), "{word:#x}");
        }
    }
    for (_, word) in invalid {
        assert!([32, 64, 96].iter().all(|&bits| set.decode(word, bits).is_none()), "{word:#x}");
    }
}

/// If the condition of the long words changes, `diff` reports the opcodes as other opcodes.
#[test]
fn other_conditions_are_a_difference() {
    let pattern = |value| format!(r#"["0x00000000000001ff","0x{value:016x}"]"#);
    let other = description().replacen(&pattern(0xff), &pattern(0xfe), 1);
    let [old, new] = [description(), other].map(|text| text.parse::<Description>().unwrap());
    assert!(Difference::between(&old, &old).is_empty());
    let changes = Difference::between(&old, &new).changes;
    let kinds: Vec<ChangeKind> = changes.iter().map(|change| change.what).collect();
    assert!(
        kinds.contains(&ChangeKind::Removed) && kinds.contains(&ChangeKind::Added),
        "{kinds:?}"
    );
}

/// A description becomes source code in which the opcodes have words of two widths.
#[test]
fn an_imported_description_has_words_of_two_widths() {
    let (text, options) = (description(), ImportOptions::default());
    let file = [Source { name: "set.json", text: &text }];
    let source = isa_import::format("json").unwrap().source(&file, &options).unwrap();
    let lines = |line: &str| source.lines().filter(|own| own.trim() == line).count();
    assert_eq!(lines("word<64> if src0 == 255 else word<32>;"), 1);
    assert_eq!(lines("word<96> if src0 == 255 or src1 == 255 else word<64>;"), 16);
}
