//! How much Rust the two families and made-up sets become, beside a record in `size.txt`.
//!
//! rustc's time goes with the size of the expansion, so that it may not grow unnoticed.
//! `BLESS=1 cargo test -p isa-macros` writes the record anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::calls;
use crate::pipeline::expand;
use crate::syntax::find_import;

#[allow(dead_code, reason = "its main function writes files")]
#[path = "../../../tests/examples/synthetic.rs"]
mod synthetic;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/size.txt");

const HEAD: &str = "\
# The size of expansions. `BLESS=1 cargo test -p isa-macros` writes this file anew; a change of
# more than a tenth fails until that is done.
#
# set             opcodes    lines   tokens  lines an opcode
";

/// The size of an expansion, laid out by `prettyplease`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Size {
    opcodes: usize,
    lines: usize,
    tokens: usize,
}

/// What the macro of a set hands on.
struct Export {
    declarations: TokenStream,
    opcodes: TokenStream,
}

/// Expands files, of which later ones import sets of earlier ones.
#[derive(Default)]
struct Expander {
    /// How long the macro itself has taken.
    time: Duration,
    /// What each set hands to calls that import it.
    exports: BTreeMap<String, Export>,
}

impl Expander {
    /// Expands the calls of a file.
    fn size_of(&mut self, source: &str) -> Size {
        let mut size = Size::default();
        for mut call in calls(source.parse().unwrap()) {
            let opcodes = count_words(&call, "opcode");
            while let Some(import) = find_import(&call) {
                let set = import.path.clone().into_iter().last().unwrap().to_string();
                let export = self.exports.get(&set).unwrap_or_else(|| panic!("no set {set}"));
                call = imported(import.expand(), export);
            }
            let start = Instant::now();
            let output = expand(call);
            self.time += start.elapsed();
            assert_eq!(count_words(&output, "compile_error"), 0, "faults in\n{source}");
            let (name, exported) = export(output.clone()).expect("a macro for imports");
            self.exports.insert(name, exported);
            size.opcodes += opcodes;
            size.tokens += count(&output);
            let file: syn::File = syn::parse2(output).unwrap();
            size.lines += prettyplease::unparse(&file).lines().count();
        }
        size
    }
}

/// What `PATH! { MODE MODE [MODULE] REST }` expands to.
fn imported(call: TokenStream, export: &Export) -> TokenStream {
    let Some(TokenTree::Group(arguments)) = call.into_iter().last() else {
        panic!("an import is a call of a macro");
    };
    let mut trees = arguments.stream().into_iter().skip(1);
    let (mode, module) = (trees.next(), trees.next());
    let rest: TokenStream = trees.collect();
    let is_use = mode.as_ref().is_some_and(|mode| mode.to_string() == "use");
    let body = if is_use { &export.declarations } else { &export.opcodes };
    quote!(__imported #mode #module { #body } #rest)
}

/// The name of the expanded set, and what the macro that it defines hands on.
fn export(expansion: TokenStream) -> Option<(String, Export)> {
    let trees: Vec<TokenTree> = expansion.into_iter().collect();
    let at = trees.iter().position(|tree| tree.to_string() == "macro_rules")?;
    let [_, _, _, TokenTree::Group(rules), ..] = &trees[at..] else {
        return None;
    };
    let name = trees[at..].windows(2).find(|pair| pair[0].to_string() == "as")?[1].to_string();
    let nested = |tokens: TokenStream| {
        let braces = |tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        };
        tokens.into_iter().filter_map(braces).map(|group| group.stream()).collect::<Vec<_>>()
    };
    // `(use ..) => { ::isa_core::define_isa! { __imported $mode [..] { BODY } .. } };`, and the
    // same with `include`.
    let bodies = nested(rules.stream()).into_iter().map(|rule| {
        let call = nested(rule).swap_remove(0);
        without_dollar_crate(nested(call).swap_remove(0))
    });
    let [declarations, opcodes] = bodies.collect::<Vec<_>>().try_into().ok()?;
    Some((name, Export { declarations, opcodes }))
}

/// `$crate` as `crate`, which it is where all sets stand in one crate.
fn without_dollar_crate(tokens: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let inner = without_dollar_crate(group.stream());
                output.push(proc_macro2::Group::new(group.delimiter(), inner).into());
            }
            TokenTree::Ident(word) if word == "crate" => {
                let dollar = output.pop();
                assert_eq!(dollar.map(|tree| tree.to_string()).as_deref(), Some("$"));
                output.push(word.into());
            }
            other => output.push(other),
        }
    }
    output.into_iter().collect()
}

/// The number of tokens; each delimiter is one.
fn count(tokens: &TokenStream) -> usize {
    let size = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => count(&group.stream()),
        TokenTree::Group(group) => 2 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(size).sum()
}

/// How often a word stands in the tokens.
fn count_words(tokens: &TokenStream, word: &str) -> usize {
    let size = |tree| match tree {
        TokenTree::Group(group) => count_words(&group.stream(), word),
        TokenTree::Ident(ident) => usize::from(ident == word),
        _ => 0,
    };
    tokens.clone().into_iter().map(size).sum()
}

/// The size of a made-up set, with what its calls share and the set that includes them.
fn synthetic_set(opcodes: usize, call_size: usize) -> Size {
    let mut expander = Expander::default();
    let sources = synthetic::sources(opcodes, call_size);
    let sizes = sources.iter().map(|(_, text)| expander.size_of(text));
    let total = sizes.fold(Size::default(), |total, size| Size {
        opcodes: total.opcodes + size.opcodes,
        lines: total.lines + size.lines,
        tokens: total.tokens + size.tokens,
    });
    assert_eq!(total.opcodes, opcodes);
    total
}

/// The sets of `isa-defs`; none where that is not there.
fn families() -> Vec<(String, Size)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa-defs/src");
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

/// The record's text.
fn write(rows: &[(String, Size)]) -> String {
    let mut text = String::from(HEAD);
    for (name, Size { opcodes, lines, tokens }) in rows {
        let share = lines.checked_div(*opcodes).map_or("-".to_owned(), |share| share.to_string());
        let _ = writeln!(text, "{name:16}  {opcodes:7}  {lines:7}  {tokens:7}  {share:>15}");
    }
    text
}

/// The rows of a record; those that are none are left out.
fn read(text: &str) -> Vec<(String, Size)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let (name, rest) = line.split_at_checked(16)?;
        let mut numbers = rest.split_whitespace().map_while(|number| number.parse().ok());
        let (opcodes, lines, tokens) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some((name.trim().to_owned(), Size { opcodes, lines, tokens }))
    };
    lines.filter_map(row).collect()
}

/// What a reader of the record must be told.
fn differences(record: &[(String, Size)], actual: &[(String, Size)]) -> Vec<String> {
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
         `BLESS=1 cargo test -p isa-macros` writes {RECORD} anew; it would be\n{text}",
        told.join("\n")
    );
}

#[test]
fn expansions_grow_no_faster_than_the_number_of_opcodes() {
    // What calls say of their own opcodes, and what the set that includes them says of all.
    for call_size in [200, synthetic::CALL] {
        let [small, middle, large] = [50, 100, 200].map(|count| synthetic_set(count, call_size));
        for size in [|size: Size| size.lines, |size: Size| size.tokens] {
            let (first, second) = (size(middle) - size(small), size(large) - size(middle));
            // Twice as many opcodes more, so twice the growth. Tables of a power of two are less.
            assert!(second * 10 < first * 21, "50 opcodes more take {first}, 100 more {second}");
        }
    }
}

#[test]
fn a_tenth_is_allowed_and_no_more() {
    let size = |lines, tokens| vec![("x".to_owned(), Size { opcodes: 1, lines, tokens })];
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

/// Prints nanoseconds an opcode for made-up sets of several sizes, for the table of figures.
#[test]
#[ignore = "a measurement, for a release build"]
fn expansion_time() {
    for opcodes in [100, 200, 400] {
        let mut expander = Expander::default();
        for (_, source) in synthetic::sources(opcodes, synthetic::CALL) {
            expander.size_of(&source);
        }
        let time = expander.time.as_secs_f64() * 1e9 / opcodes as f64;
        println!("expansion\t{opcodes}\tan opcode\t{time}");
    }
}
