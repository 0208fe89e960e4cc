//! Tests the rules about encodings and exceptions: they are exact and report one error for each
//! mistake, the most helpful one.

use super::faults;

/// Returns the errors of a set of 16-bit words. The opcodes have four-bit patterns of `0`, `1` and
/// `x`, followed by more sections: `("A", "10xx", "")`. Bits 4 and up must be 0.
fn faults_of(opcodes: &[(&str, &str, &str)]) -> Vec<String> {
    let mut spec = "pub isa Toy: u16; enum Bit: 1 { ZERO = 0, ONE = 1 }".to_owned();
    for (name, pattern, rest) in opcodes {
        let (inside, sections) = match rest.strip_prefix("inside ") {
            Some(rest) => {
                let (general, sections) = rest.split_once(' ').unwrap_or((rest, ""));
                (format!("inside {general}"), sections)
            }
            None => (String::new(), *rest),
        };
        let (mut fields, mut modifiers) = (String::new(), String::new());
        for (bit, c) in pattern.chars().rev().enumerate() {
            fields += &match c {
                '0' => format!("field<{bit}, 1> Bit b{bit} == ZERO;"),
                '1' => format!("field<{bit}, 1> Bit b{bit} == ONE;"),
                _ => format!("field<{bit}, 1> Bit b{bit};"),
            };
            if c == 'x' {
                modifiers += &format!(".b{bit}");
            }
        }
        spec += &format!(
            "opcode {name} {inside} {{ encoding {{ {fields} }} syntax {{ {name}{modifiers}; }} \
             {sections} }}"
        );
    }
    faults(&spec)
}

/// Returns the codes of the errors, without notes about second places.
fn codes(opcodes: &[(&str, &str, &str)]) -> Vec<String> {
    let faults = faults_of(opcodes);
    faults.iter().filter(|line| !is_note(line)).map(|line| line[1..8].to_owned()).collect()
}

/// Returns whether a message is only a note about the second place of an error: it has no help.
pub(super) fn is_note(line: &str) -> bool {
    let alone = ["no encoding of", "this condition"];
    !line.contains('\n') && !alone.iter().any(|start| line[10..].starts_with(start))
}

fn exception(condition: &str) -> String {
    format!("exception {{ EncodingError<Illegal, \"{condition}\"> = {condition}; }}")
}

#[test]
fn patterns_without_a_word_in_common_are_right() {
    for patterns in [
        &["10x", "x10", "0x1"][..],
        &["010x", "0x10", "00x1", "x111"],
        &["0xxx", "1xxx"],
        &["xxxx"],
    ] {
        let names = ["A", "B", "C", "D"];
        let opcodes: Vec<_> = names.into_iter().zip(patterns).map(|(n, p)| (n, *p, "")).collect();
        assert_eq!(faults_of(&opcodes), [""; 0], "{patterns:?}");
    }
}

#[test]
fn two_opcodes_are_the_same_or_one_inside_the_other_or_overlap() {
    assert_eq!(codes(&[("A", "10xx", ""), ("B", "10xx", "")]), ["ISA0030"]);
    assert_eq!(codes(&[("A", "1xxx", ""), ("B", "10xx", "")]), ["ISA0031"]);
    assert_eq!(codes(&[("A", "10xx", ""), ("B", "1xxx", "")]), ["ISA0031"]);
    assert_eq!(codes(&[("A", "1xx0", ""), ("B", "10xx", "")]), ["ISA0014"]);
}

#[test]
fn exceptions_tell_opcodes_apart() {
    let (zero, one) = (exception("b0 == ZERO"), exception("b0 == ONE"));
    assert_eq!(codes(&[("A", "10xx", &zero), ("B", "10xx", &one)]), [""; 0]);
    assert_eq!(codes(&[("A", "10xx", &zero), ("B", "1xxx", &one)]), [""; 0]);
    assert_eq!(codes(&[("A", "1xx0", &exception("b2 == ZERO")), ("B", "10xx", "")]), [""; 0]);
    assert_eq!(codes(&[("A", "10xx", &zero), ("B", "10xx", "")]), ["ISA0031"]);
    assert_eq!(codes(&[("A", "10xx", &zero), ("B", "10xx", &zero)]), ["ISA0030"]);
}

#[test]
fn a_special_case_is_said_and_is_one() {
    assert_eq!(codes(&[("A", "1xxx", ""), ("B", "10xx", "inside A")]), [""; 0]);
    assert_eq!(codes(&[("B", "10xx", "inside A"), ("A", "1xxx", "")]), [""; 0]);
    let chain = [("A", "1xxx", ""), ("B", "10xx", "inside A"), ("C", "101x", "inside B")];
    assert_eq!(codes(&chain), [""; 0], "inside one that is inside another");
    let both = [("A", "1xx0", ""), ("B", "10xx", ""), ("C", "10x0", "inside A,B")];
    assert_eq!(codes(&both), [""; 0], "what two have in common");

    assert_eq!(codes(&[("A", "1xxx", ""), ("B", "0xxx", "inside A")]), ["ISA0032"]);
    assert_eq!(codes(&[("A", "1xx0", ""), ("B", "10xx", "inside A")]), ["ISA0032"]);
    assert_eq!(codes(&[("A", "10xx", ""), ("B", "10xx", "inside A")]), ["ISA0032"]);
    assert_eq!(codes(&[("A", "10xx", ""), ("B", "1xxx", "inside A")]), ["ISA0032"]);
}

#[test]
fn inside_names_another_opcode_of_the_call() {
    let unknown = faults_of(&[("ADD", "1xxx", ""), ("B", "0xxx", "inside ADE")]);
    assert_eq!(unknown, ["[ISA0003] this call has no opcode `ADE`; did you mean `ADD`?"]);
    let itself = faults_of(&[("ADD", "1xxx", "inside ADD")]);
    assert_eq!(itself, ["[ISA0003] `ADD` cannot be inside itself"]);
    let group = faults("isa Toy: u16; group G inside H { }");
    assert!(
        group[0].starts_with("[ISA0001] only an opcode can be declared `inside` another"),
        "{group:?}"
    );
}

#[test]
fn an_opcode_without_a_word_of_its_own_is_one_fault() {
    let union = [("A", "0xxx", ""), ("B", "1xxx", ""), ("C", "xx01", "")];
    assert_eq!(codes(&union), ["ISA0033"]);
    let message = &faults_of(&union)[0];
    assert!(message.contains("every encoding of `C` is also an encoding of `A` or `B`"));
    let beside_others =
        ["00xxx", "01xxx", "0xx01", "1xx0x", "1x1xx"].into_iter().zip(["A", "B", "C", "D", "E"]);
    let beside_others: Vec<_> = beside_others.map(|(pattern, name)| (name, pattern, "")).collect();
    assert_eq!(codes(&beside_others), ["ISA0033", "ISA0014"], "`D` and `E` overlap all the same");
    let with_gap = [("A", "0xxx", ""), ("B", "11xx", ""), ("C", "xx01", "")];
    assert_eq!(codes(&with_gap), ["ISA0014", "ISA0014"], "1001 is C's alone");
    let by_exception =
        [("A", "0xxx", &*exception("b0 == ONE")), ("B", "1xxx", ""), ("C", "xx01", "")];
    assert_eq!(codes(&by_exception), ["ISA0014"], "0001 is C's alone");
    let filled = [("A", "1xxx", ""), ("B", "10xx", "inside A"), ("C", "11xx", "inside A")];
    assert_eq!(codes(&filled), ["ISA0033"]);
    assert!(faults_of(&filled)[0].contains("the opcodes inside it, `B`, `C`"));
}

#[test]
fn an_exception_excludes_some_words_and_not_all() {
    let one = |conditions: &[&str]| {
        let exceptions: String = conditions.iter().map(|c| exception(c)).collect();
        codes(&[("A", "10xx", &exceptions)])
    };
    assert_eq!(one(&["b0 == ONE", "b1 == ONE"]), [""; 0]);
    assert_eq!(one(&["b0 == ONE or b0 == ZERO"]), ["ISA0034"]);
    assert_eq!(one(&["b3 == ONE"]), ["ISA0034"], "by a fixed field");
    assert_eq!(one(&["b0 == ONE", "b0 == ZERO"]), ["ISA0015"], "neither of the two alone");
    assert_eq!(one(&["b0 == ONE and b0 == ZERO"]), ["ISA0016"]);
    assert_eq!(one(&["b2 == ONE and b0 == ZERO"]), ["ISA0016"], "by a fixed field");
    assert_eq!(one(&["b0 == ONE", "b0 == ONE"]), ["ISA0035"]);
    assert_eq!(one(&["b0 == ONE", "b0 == ONE and b1 == ONE"]), ["ISA0035"]);
    assert_eq!(one(&["b0 == ONE and b1 == ONE", "b0 == ONE"]), ["ISA0035"]);
    assert_eq!(one(&["b0 == ONE and b1 == ONE", "b0 == ONE and b1 == ZERO"]), [""; 0]);
}

#[test]
fn an_exception_of_a_group_counts_for_all_its_opcodes() {
    let spec = "isa Toy: u16; enum Bit: 1 { ZERO = 0, ONE = 1 }
        group G {
            encoding { field<0, 1> Bit a; field<1, 1> Bit b; }
            exception { EncodingError<Illegal, \"why\"> = a == ONE and b == ONE; }
        }
        opcode A : [G] { encoding { field<2, 1> Bit c == ONE; AAA } syntax { A MOD; } EXC }
        opcode B : [G] { encoding { field<2, 1> Bit c == ZERO; } syntax { B.a.b; } }";
    let with = |fixed: &str, modifiers: &str, exception: &str| {
        let spec = spec.replace("AAA", fixed).replace("MOD", modifiers).replace("EXC", exception);
        faults(&spec)
    };
    assert_eq!(with("", ".a.b", ""), [""; 0]);
    let fixed = "field<0, 1> Bit a == ZERO;";
    assert_eq!(with(fixed, ".b", ""), [""; 0], "it excludes words of B");
    let narrower = exception("a == ONE");
    assert_eq!(with("", ".a.b", &narrower), [""; 0], "implied in A, not in B");
}

#[test]
fn bits_that_are_free_in_both_are_offered() {
    let set = |fields: [&str; 2]| {
        let opcode = |name: &str, fields: &str| {
            let shown: String = fields
                .split(';')
                .filter(|field| !field.contains("==") && !field.trim().is_empty())
                .map(|field| format!(" {}", field.split_whitespace().last().unwrap_or_default()))
                .collect();
            format!("opcode {name} {{ encoding {{ {fields} }} syntax {{ {name}{shown}; }} }}")
        };
        let spec = format!(
            "isa Toy: u16; enum Four: 2 {{ A = 0, B = 1, C = 2, D = 3 }}
             operand Six: 6; operand Eight: 8; {} {}",
            opcode("ONE", fields[0]),
            opcode("TWO", fields[1])
        );
        let help = |fault: &String| fault.split_once("help: ").map(|(_, help)| help.to_owned());
        faults(&spec).iter().find_map(help).unwrap_or_default()
    };
    // All words of the second opcode are words of the first, which has one more field.
    let inside = ["field<0, 2> Four a; field<2, 2> Four b;", "field<0, 2> Four a == A;"];
    let advice = "if `TWO` is a special case, declare `opcode TWO : [...] inside ONE`";
    assert_eq!(
        set(inside),
        format!(
            "{advice}; otherwise, distinguish them by bits 4..=15, unused \
                                     in both"
        )
    );
    // Each opcode has a word that the other does not have.
    let overlap =
        ["field<0, 2> Four a == A; field<2, 2> Four b;", "field<0, 2> Four a; field<4, 2> Four c;"];
    assert_eq!(set(overlap), "distinguish them by bits that are unused in both: bits 6..=15");
    let (low, high) =
        ("field<0, 2> Four a; field<2, 6> Six b;", "field<0, 2> Four a; field<8, 8> Eight c;");
    assert_eq!(
        set([low, high]),
        "no bit is unused in both; one of the two does not use bits \
                                  2..=15"
    );
    let full = format!("{low} field<8, 8> Eight c == 0;");
    assert_eq!(
        set([&full, &format!("{high} field<2, 6> Six d == 0;")]),
        "both opcodes use every bit: add an exception to one of the two"
    );
}
