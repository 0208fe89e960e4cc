//! Tests the errors of properties.

use super::faults;

/// Returns the errors of a set with these declarations and with these sections of its opcode.
fn toy(items: &str, sections: &str) -> Vec<String> {
    faults(&format!(
        "pub isa Toy: u8;
         enum Op: 4 {{ ADD = 1 }}
         enum Unit: 2 {{ ALU = 0, FMA = 1, \"8b\" = 2 }}
         {items}
         opcode ADD {{ encoding {{ field<0, 4> Op op == ADD; }} syntax {{ ADD; }} {sections} }}"
    ))
}

/// Returns the errors of a set with one property and with this value.
fn value(ty: &str, value: &str) -> Vec<String> {
    toy(&format!("property p: {ty};"), &format!("properties {{ p = {value}; }}"))
}

#[test]
fn a_value_must_match_the_type() {
    for (ty, valid) in [
        ("u8", "0"),
        ("u8", "255"),
        ("u16", "0xffff"),
        ("u32", "0xffff_ffff"),
        ("i8", "-128"),
        ("i8", "127"),
        ("i16", "-32768"),
        ("i32", "-2147483648"),
        ("bool", "true"),
        ("bool", "false"),
        ("Unit", "FMA"),
        ("Unit", "\"8b\""),
    ] {
        assert_eq!(value(ty, valid), [""; 0], "{ty} {valid}");
    }
    for (ty, wrong, expected) in [
        ("u8", "256", "a number from 0 to 255, found `256`"),
        ("u8", "-1", "a number from 0 to 255, found `-1`"),
        ("u16", "65536", "a number from 0 to 65535, found `65536`"),
        ("u32", "4294967296", "a number from 0 to 4294967295, found `4294967296`"),
        ("u32", "0xffff_ffff_ffff_ffff", "a number from 0 to 4294967295"),
        ("i8", "-129", "a number from -128 to 127, found `-129`"),
        ("i8", "128", "a number from -128 to 127, found `128`"),
        ("i32", "ALU", "a number from -2147483648 to 2147483647, found `ALU`"),
        ("bool", "1", "`true` or `false`, found `1`"),
    ] {
        let faults = value(ty, wrong);
        let message = format!("[ISA0055] wrong value of property `p`: expected {expected}");
        assert!(faults.len() == 1 && faults[0].starts_with(&message), "{ty} {wrong}: {faults:?}");
    }
    assert_eq!(
        value("Unit", "FAM"),
        [
            "[ISA0005] wrong value of property `p`: expected a value of `Unit`, found `FAM`; did you \
          mean `FMA`?"
        ]
    );
    assert_eq!(
        value("Unit", "1"),
        ["[ISA0005] wrong value of property `p`: expected a value of `Unit`, found `1`"]
    );
}

#[test]
fn a_type_is_a_number_or_an_enum() {
    let types = "`bool`, `u8`, `u16`, `u32`, `i8`, `i16`, `i32`, or an `enum` of the specification";
    for (ty, found) in
        [("Unt", "; did you mean `Unit`?"), ("u64", "; did you mean `u16`?"), ("Reg", "")]
    {
        let items = format!("operand Reg: 8 = isa_core::operand::Reg; property p: {ty};");
        let message = format!(
            "[ISA0002] expected the type of property `p`, found `{ty}`{found}\nhelp: the type is {types}"
        );
        let faults = toy(&items, "properties { p = 1; }");
        assert!(faults[0].starts_with("[ISA0002]"), "{faults:#?}");
        if ty != "u64" {
            assert_eq!(faults[0], message);
        }
    }
}

#[test]
fn names_must_be_known_and_have_a_value() {
    assert_eq!(
        toy("property latency: u8;", "properties { latncy = 4; }"),
        ["[ISA0055] unknown property `latncy`; did you mean `latency`?\nhelp: declare it with \
          `property latncy: u8;`, or `use` a set that declares it"]
    );
    assert_eq!(
        toy("property latency: u8;", ""),
        ["[ISA0055] no value for property `latency` in `ADD`\nhelp: set it in the opcode or in a \
          group that the opcode inherits from: `properties { latency = ...; }`"]
    );
    let twice = toy("property p: u8;", "properties { p = 1; } properties { p = 1; }");
    assert_eq!(
        twice,
        [
            "[ISA0036] `p` is repeated in opcode `ADD`, expected at most one\nhelp: merge the two, \
             or remove one",
            "[ISA0036] first `p` here"
        ]
    );
    let twice = toy("property p: u8; property p: u8;", "properties { p = 1; }");
    assert!(twice[0].starts_with("[ISA0006] `p` is declared twice"), "{twice:?}");
    let method = toy("property encode: u8;", "properties { encode = 1; }");
    assert_eq!(
        method,
        ["[ISA0006] a property cannot be called `encode`, because every instruction has a method \
          `encode`; rename the property"]
    );
}

#[test]
fn the_form_of_a_statement_is_shown() {
    let form = "a line of `properties` is `name = value;`, for example `latency = 4;`";
    for line in ["p 4;", "p == 4;", "p = -X;", "= 4;"] {
        let faults = toy("property p: u8;", &format!("properties {{ {line} }}"));
        assert!(faults.len() == 1 && faults[0].ends_with(form), "{line}: {faults:?}");
    }
    let form = "expected the name and the type of a property: `property latency: u8;`";
    for item in ["property p;", "property p = 4;", "property: u8;"] {
        let faults = toy(item, "");
        assert!(faults.len() == 1 && faults[0].contains(form), "{item}: {faults:?}");
    }
    let faults = toy(
        "property p: u8; alias SUM of ADD { syntax { SUM; } properties { p = 1; } }",
        "properties { p = 1; }",
    );
    assert!(faults[0].starts_with("[ISA0043] alias `SUM` cannot have `properties`"), "{faults:?}");
}
