//! Converts the project's own description to source, and the source to a description again.

use std::fs;
use std::path::Path;
use std::process::Command;

use isa_core::table::InstructionSet;
use isa_export::description::Description;
use isa_export::diff::{ChangeKind, Difference};
use isa_import::Source;

use super::{imported, package, refused};

/// Returns sets, each with a name for its module.
fn sets() -> [(&'static str, &'static InstructionSet); 2] {
    [("gpu", isa_defs::gpu::Gpu::SET), ("rv", isa_riscv::Rv64imac::SET)]
}

/// Returns the source that is generated from the description of a set.
fn source(set: &'static InstructionSet) -> String {
    let text = isa_core::describe::json(set).to_string();
    imported("json", &[Source { name: "set.json", text: &text }])
}

#[test]
fn the_macro_finds_no_fault_in_sets_that_come_back() {
    for (name, set) in sets() {
        let source = source(set);
        assert_eq!(source.matches("\n    opcode ").count(), set.opcodes.len(), "{name}");
        let flows = set.opcodes.iter().filter(|opcode| !opcode.flow.is_empty()).count();
        let lines = source.lines().filter(|line| line.trim_start().starts_with("flow"));
        assert_eq!(lines.count(), flows, "{name}");
    }
}

/// Checks A64. Some of its texts cannot be represented, and the generated conditions call Rust
/// functions that the source does not define.
#[test]
#[ignore = "expands 338 opcodes"]
fn the_macro_finds_no_fault_in_a64_either() {
    let source = source(isa_a64::A64::SET);
    assert_eq!(source.matches("\n    opcode ").count(), isa_a64::A64::SET.opcodes.len());
    assert!(
        source.contains(
            "// Conditions call these functions, which you must write: crate::is_move_wide"
        )
    );
    assert_eq!(source.matches("its spelling is not in the source").count(), 4);
}

isa_core::define_isa! {
    /// Two encodings with one text, and bits that no text contains.
    isa Twins: u16;
    operand Num: 4 = isa_core::operand::Unsigned<4>;
    enum Op: 4 { COPY = 1, BACK = 2 }
    enum Reg: 4 { A = 0, B = 1 }
    opcode COPY { encoding { field<0, 4> Op op == COPY; field<4, 4> Reg rd; field<8, 4> Reg rn; } syntax { MOV rd, rn; } }
    opcode BACK else COPY { encoding { field<0, 4> Op op == BACK; field<4, 4> Reg rn; field<8, 4> Reg rd; field<12, 4> Num rest = 0, ignored; } syntax { MOV rd, rn; } }
}

#[test]
fn an_opcode_that_is_read_behind_another_comes_back_so() {
    assert!(source(Twins::SET).contains("\n    opcode BACK else COPY {"));
    assert!(source(Twins::SET).contains("field<12, 4> Num rest = 0x0, ignored;"));
    let text = isa_core::describe::json(Twins::SET).to_string();
    let before: Description = text.parse().unwrap();
    let after: Description = text.replace(r#""after":["COPY"],"#, "").parse().unwrap();
    let changes = |old, new| {
        let changes = Difference::between(old, new).changes;
        changes.into_iter().map(|change| change.message).collect::<Vec<_>>()
    };
    assert_eq!(changes(&before, &after), ["now parsed in no particular order"]);
    assert_eq!(changes(&after, &before), ["now parsed after `COPY`"]);
    let after: Description = text.replace(r#""ignored":true,"#, "").parse().unwrap();
    assert_eq!(changes(&before, &after), ["the field `rest` is no longer ignored"]);
}

isa_core::define_isa! {
    /// Opcodes with properties.
    isa Timed: u16;
    enum Operation: 4 { ADD = 1, MUL = 2 }
    enum Unit: 2 { ALU = 0, FMA = 2 }
    /// Cycles.
    property latency: u8;
    property unit: Unit;
    property skew: i16;
    property exact: bool;
    group ALL {
        encoding { field<0, 4> Operation op; }
        properties { latency = 4; unit = ALU; skew = -1; exact = true; }
    }
    opcode ADD : [ALL] { encoding { op == ADD; } syntax { ADD; } }
    opcode MUL : [ALL] {
        encoding { op == MUL; }
        syntax { MUL; }
        properties { latency = 255; unit = FMA; exact = false; }
    }
}

#[test]
fn properties_come_back_and_are_compared() {
    let source = source(Timed::SET);
    for line in [
        "    /// Cycles.\n    property latency: u8;\n",
        "    property unit: Unit;\n",
        "    property skew: i16;\n",
        "    property exact: bool;\n",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
    let (_, mul) = source.split_once("opcode MUL").unwrap();
    for line in ["exact = false;", "latency = 255;", "skew = -1;", "unit = FMA;"] {
        assert!(mul.contains(line), "{line}\n{mul}");
    }
    let text = isa_core::describe::json(Timed::SET).to_string();
    let before: Description = text.parse().unwrap();
    let changes = |text: &str| {
        let changes = Difference::between(&before, &text.parse().unwrap()).changes;
        let shown = changes.into_iter().map(|change| (change.what, change.message));
        shown.collect::<Vec<_>>()
    };
    let message = |text: &str| vec![(ChangeKind::Property, text.to_owned())];
    let all = r#""properties":{"latency":255,"unit":"FMA","skew":-1,"exact":false}"#;
    assert_eq!(
        changes(&text.replace(all, &all.replace("255", "6"))),
        message("the property `latency` is 6; was 255")
    );
    assert_eq!(
        changes(&text.replace(all, &all.replace(r#""latency":255,"#, ""))),
        message("removed property `latency`")
    );
    for (wrong, error) in [
        ("256", "`opcodes[1].properties.latency`: expected a value of `u8`, found `256`"),
        ("true", "`opcodes[1].properties.latency`: expected a value of `u8`, found `true`"),
        ("\"ALU\"", "`opcodes[1].properties.latency`: expected a value of `u8`, found `ALU`"),
    ] {
        let text = text.replace(all, &all.replace("255", wrong));
        assert_eq!(text.parse::<Description>().unwrap_err().to_string(), error);
    }
    let text = text.replace(r#""type":"Unit""#, r#""type":"Op2""#);
    let error = "`properties[1].type`: expected `bool`, a number type such as `u8`, or the name of a \
                 value set, found `\"Op2\"`";
    assert_eq!(text.parse::<Description>().unwrap_err().to_string(), error);
}

#[test]
fn what_is_no_description_is_refused() {
    for (text, message) in [
        ("{\n  1", "f:2:3: invalid JSON: key must be a string"),
        ("{}", "f:1:1: not a description of an instruction set: expected an object with"),
        (
            r#"{"format": "define-isa", "version": 1}"#,
            "f:1:1: `version`: unsupported version of the format: expected 2, found 1",
        ),
        (
            r#"{"format": "define-isa", "version": 2, "name": "A", "doc": ""}"#,
            "f:1:1: the key `widths` is missing",
        ),
    ] {
        refused("json", text, message);
    }
    // A part with a wrong type is rejected or omitted, and nothing panics.
    let text = isa_core::describe::json(isa_riscv::Rv64imac::SET).to_string();
    let end = text.find("\"C_LUI\"").unwrap();
    for (at, _) in text[..end].match_indices([':', '[']).step_by(97) {
        let damaged = format!("{}null,{}", &text[..=at], &text[at + 1..]);
        let file = Source { name: "f", text: &damaged };
        let _ = isa_import::format("json").unwrap().source(&[file], &Default::default());
    }
}

/// Compares the descriptions: `cargo test -p isa-tests --test interchange back -- --ignored`
#[test]
#[ignore = "compiles two sets"]
fn what_comes_back_is_the_same_description() {
    let folder = package("back", &["isa-core", "isa-defs"]);
    let mut main = String::new();
    for (name, set) in sets() {
        fs::write(folder.join(format!("src/{name}.rs")), source(set)).unwrap();
        main += &format!("mod {name};\n");
    }
    main += "fn main() {\n    use isa_core::Isa;\n";
    for (name, set) in sets() {
        main += &format!(
            "    println!(\"{{}}\", isa_core::describe::json({name}::{}::SET));\n",
            set.name
        );
    }
    fs::write(folder.join("src/main.rs"), main + "}\n").unwrap();
    let output = run(&folder);
    for ((name, set), line) in sets().into_iter().zip(output.lines()) {
        let before = without_parts(&isa_core::describe::json(set).to_string());
        let before: Description = before.parse().unwrap();
        let after: Description = line.parse().unwrap();
        let changes = Difference::between(&before, &after).changes;
        let other = changes.iter().filter(|change| change.what != ChangeKind::Semantics);
        let other: Vec<String> = other.map(|change| change.json()).collect();
        assert!(other.is_empty(), "{name}: {} changes\n{}", other.len(), other.join("\n"));
    }
}

/// Returns a description in which operand types accept only numbers. Address parts such as
/// `%hi(label)` are known only to the Rust type, so only the number is restored.
fn without_parts(description: &str) -> String {
    let mut parts = description.split(", or `%");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('`').unwrap().1)
}

/// Returns the output of the program in a folder.
pub(super) fn run(folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--target-dir"]).arg(folder.join("target"));
    let output = command.current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}
