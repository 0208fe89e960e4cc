//! The option `--features` of a tool whose set has features.

use isa_core::machine::Recorder;

use super::*;

isa_core::define_isa! {
    /// Shifts of three processors.
    pub(crate) isa Chips: u32;

    /// The first processor.
    feature OLD;
    /// The second processor.
    feature NEW: OLD;
    /// Packed numbers.
    feature PACKED: OLD, not NEW;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Amount: 8 = isa_core::operand::Unsigned<8>;
    enum Op: 7 { SHL = 1, NOT = 2, PACK = 3 }
    enum Sat: 1 { NoSAT = 0, SAT = 1 requires NEW }

    group ALL {
        encoding { field<0, 7> Op op; field<7, 1> Sat sat = NoSAT; field<8, 8> Reg rd; field<16, 8> Reg ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
    }
    /// Shifts left by up to 7.
    opcode SHL_OLD : [ALL] requires not NEW {
        encoding { op == SHL; field<24, 8> Amount amount; where amount < 8; }
        syntax { SHL{.SAT} Rd, Ra, amount; }
        operands { InList<ra, amount>; Order<rd, ra, amount>; }
        semantics { Rd = Ra.value << amount.value; }
    }
    /// Shifts left by 8 times the amount.
    opcode SHL_NEW : [ALL] requires NEW {
        encoding { op == SHL; field<24, 8> Amount amount; where amount < 4; }
        syntax { SHL{.SAT} Rd, Ra, amount; }
        operands { InList<ra, amount>; Order<rd, ra, amount>; }
        semantics { Rd = Ra.value << (8 * amount.value); }
    }
    opcode NOT : [ALL] {
        encoding { op == NOT; }
        syntax { NOT{.SAT} Rd, Ra; }
        semantics { Rd = !Ra.value; }
    }
    opcode PACK : [ALL] requires PACKED {
        encoding { op == PACK; }
        syntax { PACK{.SAT} Rd, Ra; }
        semantics { Rd = Ra.value & 0xffff; }
    }
}

fn chips(args: &[&str], stdin: &str) -> Outcome {
    let tool = Tool::<Chips>::new("chips").machine(Chips::executor::<Recorder>);
    run(&tool, args, stdin.as_bytes())
}

#[test]
fn a_word_means_what_its_processor_does() {
    let text = "SHL R1, R2, 1;\n";
    for (list, expected) in [
        (None, "R1 = 0x00000300\n"),
        (Some("NEW"), "R1 = 0x00000300\n"),
        (Some("OLD"), "R1 = 0x00000006\n"),
        (Some("-NEW"), "R1 = 0x00000006\n"),
        (Some("PACKED"), "R1 = 0x00000006\n"),
    ] {
        let option: Vec<&str> = list.iter().flat_map(|list| ["--features", list]).collect();
        let args = |command: &[&'static str]| -> Vec<&str> {
            option.iter().copied().chain(command.iter().copied()).collect()
        };
        assert_eq!(chips(&args(&["asm"]), text).fine(), "01020101\n");
        assert_eq!(chips(&args(&["dis"]), "01020101\n").fine(), text);
        assert_eq!(chips(&args(&["exec", "--set", "R2=3"]), text).fine(), expected, "{list:?}");
    }
    assert_eq!(chips(&["dis", "--features", "OLD"], "05020101").fine(), "SHL R1, R2, 5;\n");
    let wrong = chips(&["dis", "--strict"], "05020101");
    assert!(wrong.err.contains("SHL_OLD: requires not NEW"), "{}", wrong.err);
}

#[test]
fn what_is_missing_is_an_error_that_names_the_features() {
    let error = |args: &[&str], text: &str| chips(args, text).failed(Status::Failure).to_owned();
    let packed = error(&["asm"], "PACK R1, R2;");
    assert!(packed.contains("PACK: requires PACKED"), "{packed}");
    let saturated = error(&["asm", "--features=OLD"], "NOT.SAT R1, R2;");
    assert!(saturated.contains("NOT: `SAT` of `sat` requires NEW"), "{saturated}");
    let usage = |list| chips(&["asm", "--features", list], "").failed(Status::Usage).to_owned();
    assert_eq!(
        usage("OLF"),
        "error: --features: unknown feature `OLF`; did you mean `OLD`?\n       the features are OLD, NEW, PACKED\n"
    );
    let both = usage("NEW,PACKED");
    assert!(both.contains("the feature `PACKED` cannot be combined with `NEW`"), "{both}");
    // A set without features has no such option.
    assert!(isa(&["asm", "--features", "OLD"], b"").err.contains("--features"));
}

#[test]
fn lists_and_pages_show_features() {
    let all = chips(&["list"], "").fine().to_owned();
    assert_eq!(all.lines().count(), 4);
    assert!(all.contains("amount:Amount;  requires not NEW\n"), "{all}");
    let old = chips(&["list", "--features", "OLD"], "").fine().to_owned();
    let names = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    };
    assert_eq!(names(&old), ["SHL_OLD", "NOT"]);
    let json = chips(&["list", "--json", "PACK"], "").fine().to_owned();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["requires"], serde_json::json!(["PACKED"]));
    let page = chips(&["explain", "01020181"], "").fine().to_owned();
    assert!(page.contains("requires NEW (`SAT` of `sat`)\nrequires NEW\n"), "{page}");
    let help = chips(&["asm", "--help"], "").fine().to_owned();
    assert!(help.contains("--features <LIST>"), "{help}");
}

/// The campaigns with random cases.
const CAMPAIGNS: [&str; 8] = [
    "round-trips",
    "any-word",
    "spellings",
    "damaged-texts",
    "types",
    "fields",
    "streams",
    "semantics",
];

/// The tests that every set must pass, for each processor.
#[test]
fn each_processor_passes_the_property_tests() {
    for list in ["", "OLD", "NEW", "PACKED"] {
        let option = format!("--features={list}");
        let outcome =
            chips(&[&["verify", &option, "--count", "2000"][..], &CAMPAIGNS].concat(), "");
        assert_eq!(outcome.status, Status::Success, "{list}: {}{}", outcome.text(), outcome.err);
    }
}

#[test]
fn an_export_describes_one_processor() {
    let names = |args: &[&str]| -> Vec<String> {
        let json: serde_json::Value = serde_json::from_str(chips(args, "").fine()).unwrap();
        let opcodes = json["opcodes"].as_array().unwrap();
        opcodes.iter().map(|opcode| opcode["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["export", "json"]), ["SHL_NEW", "NOT"]);
    assert_eq!(names(&["export", "json", "--features", "PACKED"]), ["SHL_OLD", "NOT", "PACK"]);
    let json = chips(&["export", "json", "--features", "OLD"], "").fine().to_owned();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let illegal = &json["opcodes"][1]["illegal"][0];
    assert_eq!(illegal["class"], "MissingFeature");
    assert_eq!(illegal["words"], serde_json::json!([["0x00000080", "0x00000080"]]));
}
