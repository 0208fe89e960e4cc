//! Compiles randomly damaged specifications with rustc.
//!
//! rustc must accept every specification that the macro accepts, and its decoder must agree with
//! the naive scan. Every specification that the macro rejects must get an error with a code.
//!
//! Long: `ROUNDS=10000 cargo test --release -p isa-compiler compiled -- --ignored --nocapture`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::naive::Scan;
use super::{DENSE, SPEC, SplitMix, damaged, flat, right, words};
use crate::diag::Diagnostics;
use crate::model::{DefaultValue, Init, Model};
use crate::syntax;
use crate::tests::tokens;

/// The number of specifications in one run of rustc.
const BATCH: usize = 100;

/// The types and functions that the specifications refer to.
const PREAMBLE: &str = "#![allow(warnings)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odd(u64);
impl isa_core::operand::OperandKind for Odd {
    type Value = u64;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = \"odd\";
    const MAX_LEN: usize = 3;
    const FORMS: &'static [&'static str] = &[\"#*\"];
    const RESERVED: &'static [isa_core::table::Cube] =
        &[isa_core::table::Cube::new(1, 0), isa_core::table::Cube::new(7, 7)];
    fn from_bits(raw: u64) -> Self { Odd(raw) }
    fn to_bits(self) -> u64 { self.0 }
    fn read(cursor: &mut isa_core::text::Cursor<'_>) -> Result<Self, isa_core::text::OperandError> {
        cursor.eat(b'#');
        cursor.number().map(|number| Odd(number as u64))
    }
    fn write(self, line: &mut isa_core::text::Line) { line.push_str(\"#\"); line.push_decimal(self.0.into()); }
}
";

#[test]
#[ignore = "rebuilds isa-core; `.ci/run` runs it as a separate step"]
fn rustc_refuses_nothing_that_the_macro_takes() {
    let Some(workspace) = workspace() else {
        eprintln!("SKIPPED: isa-core is not beside this crate");
        return;
    };
    let rounds = env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    let mut random = SplitMix(3);
    let (mut done, mut cascades) = (0, 0);
    while done < rounds {
        let size = BATCH.min(rounds - done);
        let (taken, refused) = batch(size, &mut random);
        run_taken(&workspace, &taken, &mut random);
        cascades += check_refused(&workspace, &refused);
        done += size;
        println!("{done} of {rounds}: {cascades} refused with an error of rustc's own besides");
    }
}

/// Returns the folder of the workspace, or `None` if this crate is not in the workspace.
fn workspace() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    root.join("isa-core/Cargo.toml").exists().then(|| root.to_owned())
}

/// Returns `size` damaged specifications that are right and `size` that are wrong.
fn batch(size: usize, random: &mut SplitMix) -> (Vec<TokenStream>, Vec<TokenStream>) {
    // Semantics fix the names of the operands; a specification without semantics may change them.
    let free = SPEC.replace("semantics { let _ = pg; Rd = Ra.value; }", "");
    let seeds = [tokens(SPEC), tokens(DENSE), tokens(&free)];
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    while taken.len() < size || refused.len() < size {
        let seed = &seeds[random.below(seeds.len())];
        let spec = damaged(seed, random, &flat(seed.clone()));
        // Skip a specification whose Rust parts changed: rustc's errors there are not the macro's.
        if rust_of(&spec) != rust_of(seed) {
            continue;
        }
        let is_right = right(&spec).is_some_and(|model| knows_defaults(&model));
        let list = if is_right { &mut taken } else { &mut refused };
        // Two equal calls in one crate would export macros with the same name.
        let is_new = !list.iter().any(|known: &TokenStream| known.to_string() == spec.to_string());
        if list.len() < size && is_new {
            list.push(spec);
        }
    }
    (taken, refused)
}

/// Returns whether the operand names in defaults exist. The macro leaves this check to rustc.
fn knows_defaults(model: &Model) -> bool {
    model.fields.iter().all(|field| match &field.init {
        Init::Default(DefaultValue::Named(name, _)) => name == "PT",
        _ => true,
    })
}

/// Returns the parts that are passed to rustc unchanged: attributes, paths of types and semantics.
/// If there are semantics, it includes the templates and operand lists that define their variables.
fn rust_of(spec: &TokenStream) -> Vec<String> {
    let mut parts = Vec::new();
    collect_rust(spec.clone(), &mut parts);
    if !parts.iter().any(|part| part.starts_with("semantics")) {
        parts.retain(|part| !part.starts_with("syntax") && !part.starts_with("operands"));
    }
    parts.sort();
    parts
}

fn collect_rust(tokens: TokenStream, parts: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (place, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word)
                if ["semantics", "guard", "syntax", "operands"].iter().any(|w| word == w) =>
            {
                let body = trees.get(place + 1).map(ToString::to_string).unwrap_or_default();
                parts.push(format!("{word} {body}"));
            }
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                parts.push(trees.get(place + 1).map(ToString::to_string).unwrap_or_default());
            }
            TokenTree::Ident(word)
                if ["machine", "operand", "format", "use", "include", "enum", "isa"]
                    .iter()
                    .any(|w| word == w) =>
            {
                let is_end =
                    |t: &&TokenTree| !matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
                let item = trees[place..].iter().take_while(is_end).take(12);
                // Only the name of an `enum` or of the header is relevant.
                let item = item.take(if word == "enum" || word == "isa" { 2 } else { 12 });
                parts.push(item.map(ToString::to_string).collect());
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                collect_rust(group.stream(), parts);
            }
            _ => {}
        }
    }
}

/// Compiles decoders of right specifications and compares their results with those of the scan.
fn run_taken(workspace: &Path, specs: &[TokenStream], random: &mut SplitMix) {
    let mut main = PREAMBLE.to_owned();
    let mut calls = String::new();
    for (index, spec) in specs.iter().enumerate() {
        let model = right(spec).expect("a right specification");
        let ast = syntax::parse_spec(spec.clone(), &mut Diagnostics::default());
        let scan = Scan::new(&ast);
        let mut table = String::new();
        for word in words(&model, random) {
            let name = scan.decode(word).first().copied().unwrap_or_default().to_owned();
            write!(table, "({word:#x}, {name:?}),").expect("a string takes all");
        }
        let set = &model.header.name;
        // The function is in the module of the set, because a set may be private.
        let table_of =
            format!("pub fn set() -> &'static isa_core::table::InstructionSet {{ {set}::SET }}");
        let table_of = if model.opcodes.is_empty() { "" } else { &*table_of };
        writeln!(main, "mod m{index} {{ isa_core::define_isa! {{ {spec} }} {table_of} }}")
            .expect("likewise");
        if !table_of.is_empty() {
            writeln!(calls, "check(\"m{index}\", m{index}::set(), &[{table}]);").expect("likewise");
        }
    }
    main += "fn check(spec: &str, set: &isa_core::table::InstructionSet, words: &[(u128, &str)]) {
        for (word, name) in words {
            let found = set.decode(*word).map_or(\"\", |opcode| opcode.name);
            assert_eq!(&found, name, \"{word:#x} in {spec}\");
        }
    }\n";
    write!(main, "fn main() {{ {calls} }}").expect("likewise");
    let output = cargo(workspace, "taken", &main, "run");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}", shown(&text, specs));
}

/// Compiles wrong specifications and checks that each has an error of the macro. Returns the number
/// of specifications in which rustc also finds an error.
fn check_refused(workspace: &Path, specs: &[TokenStream]) -> usize {
    let mut main = PREAMBLE.to_owned();
    let start = main.lines().count() + 1;
    for (index, spec) in specs.iter().enumerate() {
        let spec = spec.to_string().replace('\n', " ");
        writeln!(main, "mod m{index} {{ isa_core::define_isa! {{ {spec} }} }}").expect("a string");
    }
    main += "fn main() {}";
    let output = cargo(workspace, "refused", &main, "build");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("macro panicked"), "{text}");
    let mut codes = vec![(0, 0); specs.len()];
    for line in text.lines() {
        let Some((place, message)) = line.split_once(": error") else { continue };
        let Some(number) = place.split(':').nth(1).and_then(|n| n.parse::<usize>().ok()) else {
            continue;
        };
        let Some(counts) = number.checked_sub(start).and_then(|i| codes.get_mut(i)) else {
            continue;
        };
        if message.contains("[ISA") { counts.0 += 1 } else { counts.1 += 1 }
    }
    for (index, (ours, _)) in codes.iter().enumerate() {
        assert!(*ours > 0, "no fault is reported of m{index}: {}\n{text}", specs[index]);
    }
    codes.iter().filter(|(_, others)| *others > 0).count()
}

/// Returns the specifications that rustc's output mentions.
fn shown(text: &str, specs: &[TokenStream]) -> String {
    let named = |index: &usize| {
        text.contains(&format!("mod m{index} ")) || text.contains(&format!("in m{index}\n"))
    };
    let indices = (0..specs.len()).filter(named);
    indices.map(|index| format!("m{index}: {}\n", specs[index])).collect()
}

/// Runs cargo on a program that depends only on isa-core and isa-defs.
fn cargo(workspace: &Path, name: &str, main: &str, command: &str) -> Output {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let folder = target.join("damaged").join(name);
    fs::create_dir_all(folder.join("src")).expect("a writable target folder");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nisa-core = {{ path = {:?} }}\n\
         isa-defs = {{ path = {:?}, default-features = false }}\n\
         [profile.dev]\nopt-level = 0\ndebug = false\n",
        workspace.join("isa-core"),
        workspace.join("isa-defs")
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("likewise");
    fs::write(folder.join("src/main.rs"), main).expect("likewise");
    let _ = fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"));
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([command, "--quiet", "--offline"])
        .args(if command == "build" { &["--message-format=short"][..] } else { &[] })
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target.join("damaged/target"))
        .output()
        .expect("cargo runs")
}
