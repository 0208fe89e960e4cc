//! Tests that the compile time of an input is in proportion to its size, or that the input is
//! rejected with a message.
//!
//! Each input runs in a thread with the usual stack of a test thread, which has a quarter of the
//! size of the compiler's stack. The timeout only guards against work that never ends; every input
//! takes far less time. `cargo run --release -p isa-tests --bin bounds` measures the inputs of
//! `growing.rs`.

use std::fmt::Write as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, thread};

use super::faults;
use super::growing::{
    ALL, FIELDS, Input, chain, clashing, equal, excepted, exclusive, group, joined, ladder, random,
    terms, unequal,
};
use crate::pipeline::{expand, expand_call};

/// The timeout of a test.
const GUARD: Duration = Duration::from_secs(1800);

/// Returns whether to try all sizes: if the environment contains `ISA_BOUNDS=all`, as in `.ci/run`.
fn all() -> bool {
    env::var("ISA_BOUNDS").is_ok_and(|value| value == "all")
}

/// Returns the size at which an input is tried.
fn size(input: &Input) -> usize {
    match input.full {
        full if all() => full,
        full @ 0..16 => full - 3,
        // Some errors need a size.
        full if input.messages > 0 => full / 8,
        full => (full / 32).max(8),
    }
}

/// Returns the result of `work`, which runs in a thread with a small stack.
fn within<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let start = Instant::now();
    let thread = thread::Builder::new().stack_size(2 << 20);
    thread.spawn(move || drop(sender.send(work()))).unwrap();
    let result = receiver.recv_timeout(GUARD);
    println!("{name}: {:.2?}", start.elapsed());
    result.unwrap_or_else(|_| panic!("{name}: no result"))
}

/// Returns the errors of a specification and also expands it.
fn told(name: &str, spec: String) -> Vec<String> {
    within(name, move || {
        let start = Instant::now();
        let told = faults(&spec);
        println!("  of these for the rules: {:.2?}", start.elapsed());
        let expanded = expand(spec.parse().unwrap());
        assert!(!expanded.is_empty());
        told
    })
}

/// Returns the errors of a set with one exception.
fn told_of(name: &str, condition: &str) -> Vec<String> {
    told(name, excepted(condition))
}

#[test]
fn inputs_that_grow_have_as_many_messages_as_faults() {
    for input in ALL {
        let size = size(input);
        let name = format!("{size} {}", input.name);
        let spec = (input.make)(size);
        let expanded = within(&name, move || expand_call(spec.parse().unwrap()).to_string());
        let messages: Vec<&str> = expanded.split("compile_error").skip(1).collect();
        let first: Vec<String> =
            messages.iter().take(4).map(|text| text.chars().take(200).collect()).collect();
        assert_eq!(messages.len(), input.messages, "{name}: {first:#?}");
    }
}

#[test]
fn long_conditions_need_no_stack() {
    let count = if all() { 20_000 } else { 5_000 };
    let or = terms(count, " or ", 5);
    assert_eq!(told_of(&format!("{count} terms with `or`"), &or), [""; 0]);
    let and = terms(count, " and ", 8);
    assert_eq!(told_of(&format!("{count} terms with `and`"), &and), [""; 0]);
    let not = format!("{} a == 1", "not ".repeat(100_000));
    assert_eq!(told_of("100,000 times `not`", &not), [""; 0]);
}

#[test]
fn nesting_has_a_bound() {
    let bound = "nested more than 64 deep";
    for depth in [60, 5_000] {
        let nested = format!("{}a == 1{}", "(".repeat(depth), ")".repeat(depth));
        let told = told_of(&format!("{depth} parentheses"), &nested);
        match depth {
            60 => assert_eq!(told, [""; 0]),
            _ => assert!(told.len() == 1 && told[0].contains(bound), "{told:?}"),
        }
        let mixed = "not (a == 1 and ".repeat(depth) + "b == 1" + &")".repeat(depth);
        let told = told_of(&format!("{depth} parentheses with `not`"), &mixed);
        assert!(depth == 60 || told.len() == 1 && told[0].contains(bound), "{told:?}");
    }
    let braces = "{".repeat(5_000) + &"}".repeat(5_000);
    for place in ["opcode OP BRACES", "enum E: 8 BRACES", "BRACES", "opcode OP { syntax BRACES }"] {
        let spec = format!("{FIELDS} {}", place.replace("BRACES", &braces));
        let told = told("5,000 braces", spec);
        assert!(told.len() == 1 && told[0].contains(bound), "{told:?}");
    }
}

#[test]
fn a_ladder_of_diamonds_is_climbed_once() {
    for rungs in [24, 400] {
        assert_eq!(told(&format!("{rungs} diamonds"), ladder(rungs)), [""; 0]);
    }
}

#[test]
fn a_long_chain_of_parents_is_climbed_once() {
    let count = if all() { 4_000 } else { 1_000 };
    let spec = chain(count);
    assert_eq!(told(&format!("{count} parents"), spec.clone()), [""; 0]);
    let cycle = spec.replace("group G0 {", &format!("group G0 : [G{}] {{", count - 1));
    let faults = told(&format!("{count} parents in a ring"), cycle);
    assert!(faults.len() == 1 && faults[0].starts_with("[ISA0007]"), "{}", faults.len());
    assert!(faults[0].len() < 1_000, "{}", faults[0].len());
}

#[test]
fn one_fault_has_one_message() {
    let all = told("200 opcodes of one encoding", group(200, |_| false));
    assert_eq!(all.len(), 2, "{:#?}", &all[..5]);
    assert!(all[0].starts_with("[ISA0030]") && all[0].contains("and 195 more"), "{}", all[0]);
    let one = told("one of 200 opcodes lacks its value", group(200, |i| i != 77));
    assert_eq!(one.len(), 2, "{:#?}", &one[..5]);
    assert!(one[0].contains("`O77`") && one[0].contains("and 195 more"), "{}", one[0]);
    let few = told("one of 3 opcodes lacks its value", group(3, |i| i != 1));
    assert!(few[0].contains("`O1`"), "{few:#?}");
}

#[test]
fn clashing_aliases_have_one_message() {
    let told = told("200 clashing aliases", clashing(200));
    let orders = told.iter().filter(|line| line.starts_with("[ISA0042]")).count();
    assert_eq!(orders, 2, "{:#?}", &told[..told.len().min(3)]);
}

#[test]
fn what_aliases_leave_out_alike_is_one_fault() {
    let opcode = "opcode OP : [G] { syntax { OP a, b, c, d, e, f, g, h; } }";
    let aliases = joined(500, " ", |i| {
        format!(
            "alias A{i} of OP {{ encoding {{ a == {}; }} syntax {{ A{i} b, c, d; }} }}",
            i % 250
        )
    });
    let told =
        told("500 aliases that leave out four fields", format!("{FIELDS} {opcode} {aliases}"));
    let hidden: Vec<_> = told.iter().filter(|line| line.starts_with("[ISA0019]")).collect();
    assert_eq!(hidden.len(), 1, "{:#?}", &told[..told.len().min(3)]);
    let said = "`e`, `f`, `g`, `h` can vary, but the template of `A0`, `A1`, `A2`, `A3` and 496 \
                more does not show them";
    assert!(hidden[0].contains(said), "{}", hidden[0]);
}

#[test]
fn opcodes_that_overlap_with_all_others_are_one_fault() {
    let count = if all() { 2_000 } else { 500 };
    let all_alike = told(&format!("{count} opcodes of one encoding"), group(count, |_| false));
    assert_eq!(all_alike.len(), 2, "{:#?}", &all_alike[..3]);
    let told = told(&format!("{count} opcodes that exclude a value each"), exclusive(count));
    assert_eq!(told.len(), 2, "{:#?}", &told[..told.len().min(6)]);
    let more = format!("and {} more", count - 5);
    assert!(told[0].starts_with("[ISA0014]") && told[0].contains(&more), "{}", told[0]);
}

/// Returns an opcode of 60 bits with `sums` exceptions, each on the parity of six bits.
fn puzzle(name: &str, sums: usize) -> String {
    let mut random = random();
    let fields = joined(60, " ", |i| format!("field<{i}, 1> One f{i};"));
    let slots = joined(60, ", ", |i| format!("f{i}"));
    let mut places: Vec<u64> = (0..60).collect();
    let mut exceptions = String::new();
    for sum in 0..sums {
        for place in 0..6 {
            places.swap(place, place + (random() % (60 - place as u64)) as usize);
        }
        let wrong = (0..64u32).filter(|number| number.count_ones() as usize % 2 == sum % 2);
        let term =
            |number: u32| joined(6, " and ", |i| format!("f{} == {}", places[i], number >> i & 1));
        let terms: Vec<String> = wrong.map(|number| format!("({})", term(number))).collect();
        write!(exceptions, "EncodingError<Odd, \"why\"> = {};", terms.join(" or ")).unwrap();
    }
    format!(
        "opcode {name} {{ encoding {{ {fields} }} syntax {{ {name} {slots}; }}
         exception {{ {exceptions} }} }}"
    )
}

#[test]
fn exceptions_like_a_puzzle_are_refused() {
    let set = "pub isa Toy: u128; operand One: 1;";
    let easy = told("20 sums of six bits", format!("{set} {}", puzzle("EASY", 20)));
    assert_eq!(easy, [""; 0]);
    let counts = if all() { &[1, 3][..] } else { &[1] };
    for &count in counts {
        let opcodes = joined(count, " ", |i| puzzle(&format!("HARD{i}"), 70));
        let told = told(&format!("{count} times 70 sums of six bits"), format!("{set} {opcodes}"));
        assert_eq!(told.len(), 1, "{told:#?}");
        let names = joined(count, ", ", |i| format!("`HARD{i}`"));
        let said = format!("[ISA0044] the valid encodings of {names} are too hard to find");
        assert!(told[0].starts_with(&said), "{told:#?}");
    }
}

#[test]
fn conditions_cost_no_more_than_their_bits() {
    // For 4 fields the compiler lists all masked patterns that an exception may have, which takes
    // as long as rejecting 5 fields.
    let few = if all() { &[2, 3, 4][..] } else { &[2, 3] };
    for &count in few {
        let faults = told_of(&format!("{count} times `!=`"), &unequal(count));
        assert_eq!(faults, [""; 0]);
    }
    let too_many = if all() { &[5, 6, 8][..] } else { &[5] };
    for &count in too_many {
        let faults = told_of(&format!("{count} times `!=`"), &unequal(count));
        assert!(
            faults.len() == 1 && faults[0].contains("needs more than 4096 patterns"),
            "{faults:?}"
        );
        if all() {
            let faults =
                told_of(&format!("not {count} times `==`"), &format!("not ({})", equal(count)));
            assert!(
                faults.len() == 1 && faults[0].contains("needs more than 4096 patterns"),
                "{faults:?}"
            );
        }
        let twice = format!("not ({})", unequal(count));
        assert_eq!(told_of(&format!("not {count} times `!=`"), &twice), [""; 0]);
        let both = format!("({}) and ({})", unequal(count), equal(count));
        let faults = told_of(&format!("{count} contradictions"), &both);
        assert!(faults.len() == 1 && faults[0].starts_with("[ISA0016]"), "{faults:?}");
    }
}

#[test]
fn a_template_may_have_more_opcodes_and_parts_than_the_fast_reader_takes() {
    let opcodes = joined(100, " ", |i| {
        let fields = "field<8, 4> Nibble ra; field<12, 1> Sat sat = No;";
        format!("opcode OP{i} : [G] {{ encoding {{ field<0, 8> Code op == OP{i}; {fields} }} }}")
    });
    let codes = joined(100, ", ", |i| format!("OP{i} = {i}"));
    let spec = format!(
        "pub isa Toy: u16; enum Code: 8 {{ {codes} }} enum Sat: 1 {{ No = 0, SAT = 1 }}
         operand Nibble: 4; group G {{ syntax {{ OP.op{{.SAT}} ra; }} }} {opcodes}"
    );
    assert_eq!(told("100 opcodes of one template", spec), [""; 0]);
    assert_eq!(told("64 modifiers", modifiers(64)), [""; 0]);
    let faults = told("65 modifiers", modifiers(65));
    assert!(faults.len() == 1, "{faults:#?}");
    let expected = "[ISA0051] the template of `OP` has 65 names, expected at most 64";
    assert!(faults[0].starts_with(expected), "{faults:#?}");
}

/// Returns a set of one opcode with `count` modifiers.
fn modifiers(count: usize) -> String {
    let fields = joined(count, " ", |i| format!("field<{}, 1> F{i} m{i} = N{i};", i + 8));
    let modifiers = joined(count, "", |i| format!("{{.m{i}}}"));
    let flags = joined(count, " ", |i| format!("enum F{i}: 1 {{ N{i} = 0, Y{i} = 1 }}"));
    format!(
        "pub isa Toy: u128; {flags} enum Code: 8 {{ OP = 7 }}
         opcode OP {{ encoding {{ field<0, 8> Code op == OP; {fields} }} syntax {{ OP{modifiers}; }} }}"
    )
}
