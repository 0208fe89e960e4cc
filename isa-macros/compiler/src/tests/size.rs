//! Compares the size of the expansions of several sets with the record in `size.txt`.
//!
//! rustc's time is proportional to the size of the expansion, so this test detects growth. `BLESS=1
//! cargo test -p isa-compiler` rewrites the record.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;

use super::calls;
use super::imports::Sets;
use crate::pipeline::expand;

#[path = "../../../../tests/examples/synthetic/ours.rs"]
mod synthetic;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/size.txt");

const HEAD: &str = "\
# The size of expansions. `BLESS=1 cargo test -p isa-compiler` writes this file anew; a change of
# more than a tenth fails until that is done.
#
# set             opcodes    lines   tokens  lines an opcode
";

/// The size of an expansion that `prettyplease` formatted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ExpansionSize {
    opcodes: usize,
    lines: usize,
    tokens: usize,
}

/// Expands files. Later files may import the sets of earlier ones.
#[derive(Default)]
struct Expander {
    /// The time that the macro itself took.
    time: Duration,
    sets: Sets,
    /// The numbers of lines and tokens of each part of the expansion.
    parts: BTreeMap<String, [usize; 2]>,
}

impl Expander {
    /// Expands the calls of a file and returns the size of the expansions.
    fn size_of(&mut self, source: &str) -> ExpansionSize {
        let mut size = ExpansionSize::default();
        for call in calls(source.parse().unwrap()) {
            let opcodes = count_words(&call, "opcode");
            let call = self.sets.import(call).expect("sets that were expanded before");
            let start = Instant::now();
            let output = expand(call);
            self.time += start.elapsed();
            assert_eq!(count_words(&output, "compile_error"), 0, "faults in\n{source}");
            self.sets.learn(output.clone());
            size.opcodes += opcodes;
            size.tokens += count(&output);
            let file: syn::File = syn::parse2(output).unwrap();
            size.lines += prettyplease::unparse(&file).lines().count();
            for item in file.items {
                self.add_part(item);
            }
        }
        size
    }

    /// Adds an item to the counts of its part.
    fn add_part(&mut self, item: syn::Item) {
        let tokens = count(&item.to_token_stream());
        let part = self.parts.entry(part(&item)).or_default();
        let file =
            syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
        let lines = prettyplease::unparse(&file).lines().count();
        *part = [part[0] + lines, part[1] + tokens];
    }
}

/// Returns the part to which an item belongs: the end of a table's name, or else a name for the
/// Rust item.
fn part(item: &syn::Item) -> String {
    match item {
        syn::Item::Static(item) => {
            let name = item.ident.to_string();
            let end = name.rsplit('_').next().unwrap_or_default();
            match name.starts_with("__isa_") {
                true => "kinds".to_owned(),
                false => format!("table {end}"),
            }
        }
        syn::Item::Const(item) if item.ident == "_" => "assertions".to_owned(),
        syn::Item::Const(_) => "questions of assertions".to_owned(),
        syn::Item::Enum(item) if item.variants.is_empty() => "names of opcodes".to_owned(),
        syn::Item::Enum(_) => "enums".to_owned(),
        syn::Item::Type(_) => "aliases with their pages".to_owned(),
        syn::Item::Impl(item) => match &item.trait_ {
            Some((path, _)) => {
                let name = path.segments.last().map(|last| last.ident.to_string());
                let name = name.unwrap_or_default();
                let of = ["Opcode", "Execute"].into_iter().find(|end| name.ends_with(end));
                format!("impls of {}", of.unwrap_or("other traits"))
            }
            None => "inherent impls".to_owned(),
        },
        syn::Item::Macro(_) => "macros for imports".to_owned(),
        syn::Item::Fn(_) => "functions".to_owned(),
        _ => "other".to_owned(),
    }
}

/// Returns the number of tokens; each delimiter counts as one.
fn count(tokens: &TokenStream) -> usize {
    let size = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => count(&group.stream()),
        TokenTree::Group(group) => 2 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(size).sum()
}

/// Returns how often a word occurs in the tokens.
fn count_words(tokens: &TokenStream, word: &str) -> usize {
    let size = |tree| match tree {
        TokenTree::Group(group) => count_words(&group.stream(), word),
        TokenTree::Ident(ident) => usize::from(ident == word),
        _ => 0,
    };
    tokens.clone().into_iter().map(size).sum()
}

/// Returns the size of a synthetic set, including the shared call and the set that includes all
/// others.
fn synthetic_set(opcodes: usize, call_size: usize) -> ExpansionSize {
    let mut expander = Expander::default();
    let sources = synthetic::sources(opcodes, call_size);
    let sizes = sources.iter().map(|(_, text)| expander.size_of(text));
    let total = sizes.fold(ExpansionSize::default(), |total, size| ExpansionSize {
        opcodes: total.opcodes + size.opcodes,
        lines: total.lines + size.lines,
        tokens: total.tokens + size.tokens,
    });
    assert_eq!(total.opcodes, opcodes);
    total
}

/// Returns the sizes of the sets of `isa-defs`.
fn families() -> Vec<(String, ExpansionSize)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../isa-defs/src");
    let mut expander = Expander::default();
    let files =
        [("base", "base/mod"), ("HALU", "halu/mod"), ("video", "video/mod"), ("Gpu", "gpu")];
    let size = |(name, file): (&str, &str)| {
        let path = root.join(file).with_extension("rs");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (name.to_owned(), expander.size_of(&text))
    };
    files.into_iter().map(size).collect()
}

/// Returns the text of the record.
fn write(rows: &[(String, ExpansionSize)]) -> String {
    let mut text = String::from(HEAD);
    for (name, ExpansionSize { opcodes, lines, tokens }) in rows {
        let share = lines.checked_div(*opcodes).map_or("-".to_owned(), |share| share.to_string());
        let _ = writeln!(text, "{name:16}  {opcodes:7}  {lines:7}  {tokens:7}  {share:>15}");
    }
    text
}

/// Returns the rows of a record. Lines that are not rows are left out.
fn read(text: &str) -> Vec<(String, ExpansionSize)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let (name, rest) = line.split_at_checked(16)?;
        let mut numbers = rest.split_whitespace().map_while(|number| number.parse().ok());
        let (opcodes, lines, tokens) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some((name.trim().to_owned(), ExpansionSize { opcodes, lines, tokens }))
    };
    lines.filter_map(row).collect()
}

/// Returns a message for each difference of more than a tenth, and for each set that is not
/// recorded.
fn differences(
    record: &[(String, ExpansionSize)],
    actual: &[(String, ExpansionSize)],
) -> Vec<String> {
    let mut told = Vec::new();
    for (name, now) in actual {
        let Some((_, then)) = record.iter().find(|(other, _)| other == name) else {
            told.push(format!("{name}: {} lines, not recorded", now.lines));
            continue;
        };
        for (what, then, now) in
            [("lines", then.lines, now.lines), ("tokens", then.tokens, now.tokens)]
        {
            let verb = match now * 10 {
                tenths if tenths > then * 11 => "grew",
                tenths if tenths < then * 9 => "shrank",
                _ => continue,
            };
            told.push(format!("{name}: {verb} from {then} {what} to {now}"));
        }
    }
    told
}

#[test]
fn expansions_have_the_size_on_record() {
    let mut rows = families();
    for opcodes in [50, 100] {
        rows.push((format!("synthetic {opcodes}"), synthetic_set(opcodes, synthetic::CALL)));
    }
    let text = write(&rows);
    if std::env::var_os("BLESS").is_some() {
        fs::write(RECORD, &text).unwrap();
    }
    let record = read(&fs::read_to_string(RECORD).unwrap_or_default());
    let told = differences(&record, &rows);
    assert!(
        told.is_empty(),
        "expansions changed by more than a tenth:\n{}\nif that is meant, \
         `BLESS=1 cargo test -p isa-compiler` writes {RECORD} anew; it would be\n{text}",
        told.join("\n")
    );
}

#[test]
fn expansions_grow_no_faster_than_the_number_of_opcodes() {
    // The calls list their own opcodes, and the set that includes them lists all. A call contains
    // only complete optypes of four opcodes, because a part of an optype has a syntax that no other
    // optype shares.
    for (call_size, counts) in [(200, [48, 96, 192]), (synthetic::CALL, [50, 100, 200])] {
        let [small, middle, large] = counts.map(|count| synthetic_set(count, call_size));
        for size in [|size: ExpansionSize| size.lines, |size: ExpansionSize| size.tokens] {
            let (first, second) = (size(middle) - size(small), size(large) - size(middle));
            // Adding twice as many opcodes adds at most twice the size. Tables whose size is a
            // power of two add less.
            assert!(
                second * 10 < first * 21,
                "some opcodes more take {first}, twice as many {second}"
            );
        }
    }
}

#[test]
fn a_tenth_is_allowed_and_no_more() {
    let size = |lines, tokens| vec![("x".to_owned(), ExpansionSize { opcodes: 1, lines, tokens })];
    let record = size(100, 1000);
    assert_eq!(read(&write(&record)), record);
    for (lines, tokens, expected) in [
        (110, 900, None),
        (90, 1100, None),
        (111, 1000, Some("x: grew from 100 lines to 111")),
        (89, 1000, Some("x: shrank from 100 lines to 89")),
        (100, 1101, Some("x: grew from 1000 tokens to 1101")),
        (100, 899, Some("x: shrank from 1000 tokens to 899")),
    ] {
        let told = differences(&record, &size(lines, tokens));
        assert_eq!(told.first().map(String::as_str), expected);
    }
    assert_eq!(differences(&[], &record), ["x: 100 lines, not recorded"]);
}

/// Prints the nanoseconds for each opcode of synthetic sets of several sizes, for the table of
/// measurements. The result is the minimum of five runs, because other work on the machine only
/// adds time.
#[test]
#[ignore = "measures; use a release build"]
fn expansion_time() {
    for opcodes in [100, 200, 400] {
        let expand = |_| {
            let mut expander = Expander::default();
            for (_, source) in synthetic::sources(opcodes, synthetic::CALL) {
                expander.size_of(&source);
            }
            expander.time
        };
        let least = (0..5).map(expand).min().unwrap_or_default();
        let time = least.as_secs_f64() * 1e9 / opcodes as f64;
        println!("expansion\t{opcodes}\tan opcode\t{time}");
    }
}

/// Prints the lines and tokens for each part of a synthetic set, divided by the number of opcodes.
#[test]
#[ignore = "measures"]
fn expansion_parts() {
    let opcodes = 200;
    let mut expander = Expander::default();
    for (_, source) in synthetic::sources(opcodes, synthetic::CALL) {
        expander.size_of(&source);
    }
    let share = |number: usize| number as f64 / opcodes as f64;
    println!("{:32}{:>8}{:>8}", "an opcode of 200", "lines", "tokens");
    for (part, [lines, tokens]) in &expander.parts {
        println!("{part:32}{:8.1}{:8.1}", share(*lines), share(*tokens));
    }
}
