//! The example programs of `isa-defs/examples`: each assembles, is written in canonical form,
//! survives disassembly, and has the effects that its file in `expected` lists, here and in the
//! `isa` tool.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use isa_core::parse::Parsed;
use isa_core::text::Cursor;
use isa_defs::cli::{self, Io, Status};
use isa_defs::gpu::Gpu;
use isa_tests::machine::{Recorder, parse_state};
use isa_tests::vectors::{Case, read_file, report};

/// Defines a test for each program, and a test that no program is missing.
macro_rules! programs {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_program_is_tested_and_explained() {
            let tested = [$(stringify!($name)),*].map(str::to_owned);
            assert_eq!(stems(&examples(), "isa"), sorted(tested.to_vec()));
            assert_eq!(stems(&examples().join("expected"), "txt"), sorted(tested.to_vec()));
            for name in tested {
                assert_eq!(header_lacks(&name), [""; 0], "{name}");
            }
        }
    };
}

programs!(dot_product polynomial clamp select sad blend mixed);

fn examples() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "isa-defs", "examples"].iter().collect()
}

fn path_of(name: &str) -> PathBuf {
    examples().join(format!("{name}.isa"))
}

fn source(name: &str) -> String {
    fs::read_to_string(path_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

fn stems(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
    let paths = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path());
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    sorted(
        paths
            .filter(|path| path.extension().is_some_and(|e| e == extension))
            .filter_map(stem)
            .collect(),
    )
}

/// Returns the lines that are missing in the comment at the top of a program.
fn header_lacks(name: &str) -> Vec<String> {
    let text = source(name);
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    let command = format!("//   run   cargo run --release -- exec isa-defs/examples/{name}.isa");
    let wanted = ["//   in    ", "//   out   ", &command];
    let lacks = |start: &&str| !header.iter().any(|line| line.starts_with(start));
    wanted.into_iter().filter(lacks).map(str::to_owned).collect()
}

fn check(name: &str) {
    let text = source(name);
    let program = assemble(name, &text);
    assert!(program.len() >= 10, "{name} is short: {} instructions", program.len());
    check_canonical(name, &text, &program);
    check_disassembly(name, &program);
    let cases = read_file(&examples().join("expected").join(format!("{name}.txt")));
    let mut failures = Vec::new();
    for case in &cases {
        let [before, after] = &case.fields[..] else { panic!("{}", case.place) };
        failures.extend(run_library(&program, case, before, after));
        failures.extend(run_tool(name, case, before, after));
    }
    // The first case is for a new user, who sets no initial values.
    assert_eq!(cases[0].fields[0], "-", "{}", cases[0].place);
    report(name, cases.len(), &failures);
}

/// Returns the statements of a program.
fn assemble(name: &str, text: &str) -> Vec<Parsed> {
    let mut cursor = Cursor::new(text);
    let mut program = Vec::new();
    while let Some(parsed) =
        Gpu::SET.parse_next(&mut cursor).unwrap_or_else(|error| panic!("{name}: {error}"))
    {
        program.push(parsed);
    }
    program
}

fn instruction(parsed: &Parsed) -> Gpu {
    Gpu::decode(parsed.word()).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks that every instruction is printed as it is written. The exception is a lane that is given
/// by its bits (`0x...`), for example a pixel. It is printed as a number, although it does not
/// represent one.
fn check_canonical(name: &str, text: &str, program: &[Parsed]) {
    for parsed in program {
        let (written, printed) = (&text[parsed.span().clone()], instruction(parsed).to_string());
        let same = written.split(", ").count() == printed.split(", ").count()
            && written.split(", ").zip(printed.split(", ")).all(|(written, printed)| {
                written == printed || written.trim_end_matches(';').starts_with("0x")
            });
        assert!(same, "{name}: {written} prints {printed}");
    }
}

/// Checks that the printed program, without comments and bits, is the same program.
fn check_disassembly(name: &str, program: &[Parsed]) {
    let printed: Vec<String> =
        program.iter().map(|parsed| instruction(parsed).to_string()).collect();
    let again = assemble(name, &printed.join("\n"));
    let words = |program: &[Parsed]| program.iter().map(Parsed::word).collect::<Vec<_>>();
    assert_eq!(words(&again), words(program), "{name}");

    let hex = tool(&["asm", &path_of(name).to_string_lossy()], b"");
    assert_eq!(tool(&["dis", "--strict"], hex.as_bytes()), printed.join("\n") + "\n", "{name}");
}

fn run_library(program: &[Parsed], case: &Case, before: &str, after: &str) -> Option<String> {
    let mut machine = Recorder::parse(before);
    for parsed in program {
        instruction(parsed).execute(&mut machine);
    }
    differs(case, "the library", machine.written(), after)
}

fn run_tool(name: &str, case: &Case, before: &str, after: &str) -> Option<String> {
    let path = path_of(name);
    let mut args = vec!["exec", path.to_str().unwrap_or_else(|| panic!("{}", path.display()))];
    if before != "-" {
        args.push("--set");
        args.extend(before.split(' '));
    }
    let state = tool(&args, b"").replace(" = ", "=").replace("true", "1").replace("false", "0");
    differs(case, "the tool", &parse_state(&state), after)
}

fn differs(case: &Case, who: &str, written: &BTreeMap<String, u32>, after: &str) -> Option<String> {
    let expected = parse_state(after);
    (*written != expected)
        .then(|| format!("{}: {who} writes {written:x?}, not {expected:x?}", case.place))
}

/// Returns the output of a run of the tool without errors.
fn tool(args: &[&str], mut stdin: &[u8]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = cli::tool().run(args, Io::of(&mut stdin, &mut out, &mut err));
    assert_eq!(status, Status::Success, "{args:?}: {}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap_or_else(|error| panic!("{error}"))
}
