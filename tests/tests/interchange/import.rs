//! Imports foreign descriptions: the generated source must equal the checked-in file and must
//! compile. Sets from files outside of the project must agree with ours.

mod back;
mod halu;
mod integer;
mod lanes;
mod prose;
mod riscv;
mod rv_toy;
mod vendor;

use std::path::{Path, PathBuf};
use std::{env, fs};

use isa_cli::Io;
use isa_import::{ImportOptions, Source, format};
use isa_tests::page::{blocks, fits};
use proc_macro2::{TokenStream, TokenTree};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interchange/import")
}

/// Returns the source that is generated from files. The macro must accept it without errors.
fn imported(name: &str, files: &[Source<'_>]) -> String {
    let source = format(name).expect("a format").source(files, &ImportOptions::default());
    let source = source.unwrap_or_else(|faults| panic!("{faults:#?}"));
    let file: TokenStream = source.parse().expect("tokens of Rust");
    let call = file.into_iter().skip_while(|tree| tree.to_string() != "define_isa").nth(2);
    let Some(TokenTree::Group(call)) = call else { panic!("a call\n{source}") };
    let expanded = isa_compiler::expand(call.stream()).to_string();
    let fault = expanded.find("compile_error !").map(|at| expanded[at..].chars().take(600));
    assert_eq!(fault.map(String::from_iter), None);
    source
}

/// Checks that a file of this folder is imported as the module beside it, which is compiled into
/// this test.
fn becomes(format: &str, file: &str, module: &str) {
    let text = fs::read_to_string(samples().join(file)).unwrap();
    let source = imported(format, &[Source { name: file, text: &text }]);
    let path = samples().join(module);
    if env::var_os("ISA_BLESS").is_some() {
        fs::write(&path, &source).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), source, "ISA_BLESS=1 writes it anew");
}

/// Checks that a text of a format is rejected with this first message and its location.
fn refused(name: &str, text: &str, message: &str) {
    let file = Source { name: "f", text };
    let faults = format(name).unwrap().source(&[file], &ImportOptions::default()).unwrap_err();
    let first = faults[0].to_string();
    assert!(first.starts_with(message), "{text}\n{first}\nis not\n{message}");
}

/// Runs `isa`, with file names relative to a folder.
fn isa(folder: &Path, command: &str) -> String {
    let words = command.split(' ').skip(1);
    let path = |word: &str| folder.join(word).display().to_string();
    let is_file = |word: &&str| folder.join(word).exists();
    let args = words.map(|word| if is_file(&word) { path(word) } else { word.to_owned() });
    let (mut input, mut output, mut errors) = (&[] as &[u8], Vec::new(), Vec::new());
    isa_defs::cli::tool().run(args, Io::of(&mut input, &mut output, &mut errors));
    output.extend(errors);
    String::from_utf8(output).unwrap().replace(&path(""), "")
}

/// Writes a package that depends only on these crates of the workspace.
fn package(name: &str, crates: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import").join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let line = |path: &&str| {
        let (name, more) = match *path {
            "isa-core" => ("isa-core", ", features = [\"alloc\", \"describe\"]"),
            "isa-core/verify" => ("isa-verify", ""),
            path => (path, ", default-features = false"),
        };
        format!("{name} = {{ path = {:?}{more} }}\n", root.join(path))
    };
    let manifest = format!(
        "[package]\nname = \"imported\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\n{}[profile.dev]\nopt-level = 1\ndebug = false\nincremental = false\n",
        crates.iter().map(line).collect::<String>()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn commands_print_what_the_page_shows() {
    const PAGE: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../isa-core/import/README.md"));
    let folder = scratch("page");
    for block in blocks(PAGE, "text") {
        let name = block.lines().next().unwrap().trim_start_matches(['/', '#', ' ']);
        fs::write(folder.join(name), block).unwrap();
        imported(
            if name == "demo.txt" { "defgroup" } else { "riscv-opcodes" },
            &[Source { name, text: block }],
        );
    }
    let commands = blocks(PAGE, "console");
    // One for each format, `--help` and `--check`.
    assert_eq!(commands.len(), isa_import::FORMATS.len() + 2);
    fs::create_dir(folder.join("out")).unwrap();
    let parts = commands.iter().flat_map(|block| block.strip_prefix("$ ").unwrap().split("\n$ "));
    for part in parts {
        let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
        let printed = isa(&folder, command);
        let (lines, pattern): (Vec<_>, Vec<_>) =
            (printed.lines().collect(), shown.lines().collect());
        assert!(fits(&lines, &pattern), "{command}\nprints\n{printed}\nthe page has\n{shown}");
    }
}

#[test]
fn nothing_is_written_of_what_cannot_be_read() {
    let folder = scratch("faults");
    fs::write(folder.join("rv_bad"), "add rd 6..0=0x33\nsub rx\n").unwrap();
    let out = folder.join("out.rs").display().to_string();
    let said = isa(&folder, &format!("isa import riscv-opcodes rv_bad -o {out}"));
    assert_eq!(
        said,
        "error: rv_bad:1:1: bit 12 is not specified: write `12=0` or add an argument\n\
         error: rv_bad:2:5: unknown argument `rx`: add a line `\"rx\", high, low` to the file of \
         `--fields`\n\
         error: 2 errors; nothing was written\n"
    );
    assert!(!folder.join("out.rs").exists());
    fs::write(folder.join("rv_good"), "only 31..0=1\n").unwrap();
    assert_eq!(isa(&folder, &format!("isa import riscv-opcodes rv_good -o {out}")), "");
    assert!(fs::read_to_string(out).unwrap().contains("opcode ONLY {"));
}

#[test]
fn a_vendors_definitions_become_a_call() {
    becomes("defgroup", "lanes.txt", "lanes.rs");
    let wide: lanes::Pairs = "@!P1 SUM.WIDE R1, -R2, R3;".parse().unwrap();
    // The positions of fields are those of the file. The first value of an enum is 0.
    let bits = 1 << 8 | 1 << 13 | 1 << 4 | 1 << 16 | 2 << 24 | 1 << 11 | 3 << 32;
    assert_eq!(wide.encode().unwrap(), bits);
    let number: lanes::Pairs = "SUM.LIMIT R1, R2, 2748;".parse().unwrap();
    // The upper piece of 0xabc is at 40, the lower at 32.
    assert_eq!(number.encode().unwrap() >> 32, 0xabc);
    assert!("SUM.WIDE.LIMIT R1, R2, R3;".parse::<lanes::Pairs>().is_err());
}

/// The lines of a paragraph are joined, links lead to definitions or are text, and pseudo-code is code.
#[test]
fn prose_becomes_documentation() {
    becomes("defgroup", "prose.txt", "prose.rs");
    assert_eq!("STEP.WRAP R1;".parse::<prose::Counters>().unwrap().encode().unwrap(), 0x110);
}

/// The documentation of imported sets has no warning of rustdoc: `cargo test -p isa-tests --test
/// interchange documentation -- --ignored`
#[test]
#[ignore = "runs rustdoc; `.ci/run` runs it"]
fn documentation_of_imports_has_no_warnings() {
    let folder = package("documentation", &["isa-core", "isa-defs"]);
    let mut modules = vec![fs::read_to_string(samples().join("prose.rs")).unwrap()];
    modules.extend(halu::halu());
    let modules = modules
        .iter()
        .enumerate()
        .map(|(at, source)| format!("/// An import.\npub mod set{at} {{\n{source}}}\n"));
    fs::write(folder.join("src/lib.rs"), modules.collect::<String>()).unwrap();
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["doc", "--no-deps", "--lib", "--target-dir"]).arg(folder.join("target"));
    let output = cargo.env("RUSTDOCFLAGS", "-D warnings").current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = |opcode: &str| {
        let page = folder.join(format!("target/doc/imported/set0/type.{opcode}.html"));
        fs::read_to_string(page).unwrap()
    };
    assert!(page("BackR").contains("href=\"type.StepR.html\""));
    let page = page("StepR");
    assert!(
        page.contains("把计数器加一，越界时停在最大值。参考<code>BACK</code>和JUMP指令"),
        "{page}"
    );
    assert!(page.contains("<table>") && !page.contains(":--:"), "{page}");
}

#[test]
fn faults_of_definitions_have_places() {
    let group = "__DefGroup G : [A]\n  __Encoding\n";
    for (text, message) in [
        ("", "f:1:1: expected a definition such as `__DefGroup NAME : [PARENT]`"),
        ("__Encoding", "f:1:1: a section before the first definition: write `__DefGroup"),
        ("words", "f:1:1: text before the first definition: a comment begins with `//`"),
        (
            "__DefGroup 1 : [A]",
            "f:1:12: expected a name of letters, digits and `_`, found `1`: write `_1`",
        ),
        ("__DefGroup G : A", "f:1:12: expected parents in brackets, such as `: [PARENT, PARENT]`"),
        ("    field<1, 2> Reg rd", "f:3:23: expected `;` at the end of the statement"),
        ("    field<1> Reg rd;", "f:3:11: expected `field<POSITION, WIDTH> Type name = value;`"),
        (
            "    field<100, 65> Reg rd;",
            "f:3:11: field out of range: expected 1 to 64 bits in a word of at most 128 bits",
        ),
        (
            "    field<120, 9> Reg rd;",
            "f:3:11: field out of range: expected 1 to 64 bits in a word of at most 128 bits",
        ),
        ("    field<1, 2> Reg 1d;", "f:3:21: expected `field<POSITION, WIDTH>"),
        ("    field<1, 2> Reg rd === 1;", "f:3:24: expected `= value`, `== value` or `!= value`"),
        (
            "    field<1, 2> K a;\n    field<4, 3> K b;",
            "f:4:5: `K` has 3 bits here, but 2 bits above",
        ),
        (
            "    field<1, 1> K a == X;\n    field<2, 1> K b == Y;\n    field<3, 1> K c == Z;",
            "f:3:5: `K` has 3 values, but only 1 bits: X, Y, Z",
        ),
        (
            "    field<1, 2> K a;\n  __Syntax\n    M a, b;\n  __OperandInfo\n    Order<a>;",
            "f:7:5: `Order` has 1 operands, but the template has 2: list the operands",
        ),
        (
            "    field<1, 2> K a;\n  __Syntax\n    M a",
            "f:5:5: expected `;` at the end of the template",
        ),
    ] {
        let whole = if text.starts_with(' ') { format!("{group}{text}") } else { text.to_owned() };
        refused("defgroup", &whole, message);
    }
}
