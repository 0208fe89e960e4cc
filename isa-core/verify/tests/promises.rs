//! Tests that the properties hold for many small sets, and that they detect errors that only an
//! author can make.

use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::machine::Recorder;
use isa_core::table::Opcode;
use isa_verify::condition::FieldCondition;
use isa_verify::model::Model;
use isa_verify::random::SplitMix64;
use isa_verify::spelling::spell;
use isa_verify::{Check, Generator, SetUnderTest, Vectors, properties};

mod sets;

use sets::kinds::{falling::Falling, loose::Loose, lying::Lying};
use sets::{
    changed, dotted::Dotted, effectful, halves, mixed::Mixed, nested::Nested, odd::Odd, orders,
    related::Related,
};

/// Returns the messages of the failures of a property, joined into one string.
fn failures<I: Isa>(check: Check<I>, property: &str) -> String {
    let report = check.only(property).report();
    assert!(report.cases > 0);
    report.failures.iter().map(|failure| format!("{failure}\n")).collect()
}

#[test]
fn sets_keep_their_promises() {
    isa_verify::check::<Nested>();
    isa_verify::check::<Related>();
    isa_verify::check::<Loose>();
    isa_verify::check::<Dotted>();
    isa_verify::check::<orders::big::Big>();
    isa_verify::check::<orders::halves::Halfwords>();
    Check::<Mixed>::new().machine(Mixed::execute::<Recorder>).run();
}

/// Conditions are parsed from their text instead of read from the tables that they are compared
/// with.
#[test]
fn conditions_are_understood() {
    for set in [Nested::SET, Related::SET] {
        let conditions = Model::new(set).opcodes.into_iter().flat_map(|row| row.conditions);
        assert!(conditions.into_iter().all(|one| !matches!(one, FieldCondition::Table(..))));
    }
}

/// A dot directly after the mnemonic begins a modifier, so an operand with a dot must follow a
/// space or a comment. After a comma it does not need one.
#[test]
fn operands_that_begin_with_a_dot_are_spelled_apart() {
    let mut random = SplitMix64::new(7);
    let mut said = [false; 2];
    for text in ["brcc .+5;", "rjmp .+0;", "brbs 3, .+63;"] {
        let parsed = Dotted::SET.parse(text).unwrap();
        let opcode = Dotted::SET.opcodes[Dotted::SET.index(parsed.word()).unwrap()];
        for _ in 0..300 {
            let spelled = spell(opcode, parsed.word(), &mut random);
            let read = Dotted::SET.parse(&spelled).map(|other| other.word());
            assert_eq!(read.ok(), Some(parsed.word()), "{spelled:?}");
            said[0] |= spelled.contains("brcc/**/.+5");
            said[1] |= spelled.contains(",.+63");
        }
    }
    assert_eq!(said, [true; 2]);
    assert!(Dotted::SET.parse("rjmp.+0;").is_err());
}

/// Words that random generation rarely finds: two equal registers and the next one, or a power of
/// two.
#[test]
fn legal_words_are_found() {
    let found: Vec<_> = Generator::new(Related::SET, 1).take(300).collect();
    for name in ["MOVE", "PAIR", "STEP"] {
        assert!(found.iter().filter(|one| one.opcode.name == name).count() > 50, "{name}");
    }
}

#[test]
fn a_text_that_is_read_as_another_word_is_noticed() {
    let found = failures(Check::<Lying>::new(), "round-trips");
    for part in [
        "Lying: round-trips: case ",
        "\n  word   0x014d, PUT\n  text   \"PUT 78;\"\n  wrong  PUT 78;: assembles to Instruction",
        "\n  again  ISA_CHECK=round-trips:1:",
    ] {
        assert!(found.contains(part), "{found}");
    }
    assert!(failures(Check::<Lying>::new(), "types").contains("its type parses \"PUT 78;\" as"));
    assert_eq!(failures(Check::<Lying>::new().read_otherwise(|word| word == 0x14d), "types"), "");
}

#[test]
fn a_panic_is_a_failure() {
    let found = failures(Check::<Falling>::new(), "round-trips");
    assert!(found.contains("\n  word   0x014d, PUT\n  wrong  panics: 77\n"), "{found}");
    let machine = Check::<Odd>::new().machine(Odd::execute::<Recorder>);
    let found = failures(machine, "semantics");
    let odd = SetUnderTest::of::<Odd>().machine(Odd::execute::<Recorder>);
    let divides = |number| odd.try_case("semantics", 1, number).err();
    let divides = (0..4000).filter_map(divides).any(|it| it.message.contains("divide by zero"));
    assert!(divides, "a division by zero");
    assert!(found.contains("TICK R"), "{found}");
    assert!(found.contains("two executions write [(StateLocation"), "{found}");
}

/// Lanes that are read or written but not declared, and lanes that do not exist.
#[test]
fn wrong_lanes_are_noticed() {
    use halves::{all_written, beyond_read, high_written, other_read, right};
    macro_rules! found {
        ($set:ident) => {{
            let machine = Check::<$set::Halves>::new().machine($set::Halves::execute::<Recorder>);
            failures(machine, "lanes")
        }};
    }
    assert_eq!(found!(right), "");
    // Declaring more lanes than are used does not violate the property.
    assert_eq!(found!(all_written), "");
    let noticed = |found: String, part: &str| assert!(found.contains(part), "{found}");
    noticed(found!(high_written), "lanes that are not declared as written change: ");
    noticed(found!(other_read), "lanes that are not declared as read affect the result: ");
    noticed(found!(beyond_read), "beyond` returns 0b101, but `ra` has only 0b1");
}

/// Effects that an opcode does not have, because a class lacks a method, or because an operand type
/// accesses memory.
#[test]
fn wrong_effects_are_noticed() {
    use effectful::{Cpu, right, wrong};
    let found = Check::<right::Toy>::new().machine(right::Toy::execute::<Cpu>);
    assert_eq!(failures(found, "effects"), "");
    let found = failures(Check::<wrong::Toy>::new().machine(wrong::Toy::execute::<Cpu>), "effects");
    for part in [
        "JUMP R",
        "continues at 0x",
        "reads mem[0x",
        "writes mem[0x",
        ", but the effects in its table row are `none`",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

/// A single case can be repeated from the data in its failure.
#[test]
fn a_case_is_the_same_again() {
    let report = Check::<Lying>::new().seed(9).only("types").report();
    let first = &report.failures[0];
    let again = SetUnderTest::of::<Lying>().try_case(&first.property, first.seed, first.case);
    assert_eq!(again.as_ref().err().map(|failure| &**failure), Some(first));
    let none = SetUnderTest::of::<Lying>().try_case("semantics", 1, 1).unwrap_err();
    assert!(none.message.starts_with("unknown property; expected round-trips, any-word, "));
    assert!(properties().any(|(name, _)| name == "semantics"));
}

/// A campaign tests the same cases as a check, and as many as requested.
#[test]
fn campaigns_find_what_checks_find() {
    for campaign in SetUnderTest::of::<Lying>().campaigns(1, 2000) {
        let asked = campaign.units * campaign.cases_each;
        let tallies = (0..campaign.units).map(|unit| campaign.run_unit(unit));
        let differences: u64 = tallies.map(|tally| tally.differences).sum();
        let fails = ["round-trips", "types", "any-word"].contains(&&*campaign.name);
        assert!(!fails || differences > 0, "{campaign:?}");
        assert!(campaign.name.contains('/') || asked >= 2000 / 16, "{campaign:?}");
    }
    let subjects = [
        SetUnderTest::of::<Mixed>(),
        SetUnderTest::of::<orders::big::Big>(),
        SetUnderTest::of::<orders::halves::Halfwords>(),
    ];
    for campaign in subjects.iter().flat_map(|subject| subject.campaigns(1, 500)) {
        let tally = campaign.run_unit(campaign.units / 2);
        assert_eq!(tally.differences, 0, "{campaign:?}: {:?}", tally.first);
    }
}

/// Compares the vectors of a set with the set itself and with sets that differ in one place. A test
/// of `isa-random` does the same with two hundred sets.
#[test]
fn vectors_notice_what_has_changed() {
    let unchanged = changed::unchanged::Changed::SET;
    let vectors = Vectors::record(unchanged, 1, 20);
    let again: Vectors = vectors.to_string().parse().unwrap();
    assert_eq!(
        again.to_string().lines().skip(1).collect::<Vec<_>>(),
        vectors.to_string().lines().skip(1).collect::<Vec<_>>()
    );
    assert_eq!(again.differences(unchanged), [""; 0]);
    for (change, set) in [
        ("a field moved", changed::moved::Changed::SET),
        ("a value", changed::valued::Changed::SET),
        ("a default", changed::defaulted::Changed::SET),
        ("an exception dropped", changed::dropped::Changed::SET),
        ("a condition", changed::loosened::Changed::SET),
    ] {
        assert!(!vectors.differences(set).is_empty(), "{change}");
    }
}

/// A check compares a set with the vectors in a file, and its message explains how to rewrite them.
#[test]
fn a_check_reads_vectors() {
    let path = std::env::temp_dir().join(format!("isa-check-{}.txt", std::process::id()));
    let text = Vectors::record(changed::moved::Changed::SET, 1, 5).to_string();
    std::fs::write(&path, text).unwrap();
    let check =
        |only| Check::<changed::unchanged::Changed>::new().cases(10).only(only).vectors(&path);
    let report = check("fields").report();
    assert!(report.failures.is_empty() && !report.is_fine());
    let said = report.to_string();
    let help = "; if the changes are intended, set ISA_CHECK_WRITE=1 to write the vectors again";
    assert!(said.contains(" is ADD, `ADD R") && said.ends_with(help), "{said}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn opcodes_have_weights() {
    let weight = |opcode: &Opcode| match opcode.name {
        "JMP" => 3,
        "MOV" => 1,
        _ => 0,
    };
    let found = Generator::new(Mixed::SET, 2).weigh(weight).take(4000);
    let jumps = found.map(|one| usize::from(one.opcode.name == "JMP")).sum::<usize>();
    assert!((2900..3100).contains(&jumps), "{jumps}");
    assert_eq!(Generator::new(Mixed::SET, 2).weigh(|_| 0).next(), None);
}

/// Programs have labels at the targets of branches, and assemble to their bytes.
#[test]
fn programs_have_labels() {
    let mut generator = Generator::new(Mixed::SET, 3);
    let mut labels = 0;
    for _ in 0..50 {
        let program = generator.program(20);
        let text = program.text();
        labels += text.lines().filter(|line| line.contains("JMP L_")).count();
        let assembled = Assembler::new(Mixed::SET).origin(program.origin).assemble(&text).unwrap();
        assert_eq!(assembled.bytes, program.bytes());
    }
    assert!(labels > 150, "{labels}");
}
