//! Imports without rustc: these functions expand the macros that calls define for importing calls.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::ui::files;
use super::{calls, faults_of};
use crate::diag::SpecificationError;
use crate::pipeline::{expand, expand_call};
use crate::syntax::find_import;

/// The crate of the two instruction sets.
pub(super) const FAMILIES: &str = "isa_defs";

/// The items that the macro of a set passes to importing calls: to a call with `use`, and to one
/// with `include`.
#[derive(Debug, Clone)]
struct Export {
    declarations: TokenStream,
    opcodes: TokenStream,
}

/// The exports of sets, by the name of the set. If a set is in another crate, its name follows the
/// name of that crate.
#[derive(Debug, Clone, Default)]
pub(super) struct Sets(BTreeMap<String, Export>);

impl Sets {
    /// Returns the input of a call after its imports, or `None` if a set is unknown.
    pub(super) fn import(&self, mut input: TokenStream) -> Option<TokenStream> {
        while let Some(import) = find_import(&input) {
            let path: Vec<String> =
                import.path.clone().into_iter().map(|t| t.to_string()).collect();
            let krate = if path[0] == FAMILIES { FAMILIES } else { "" };
            let export = self.0.get(&format!("{krate}{}", path.last()?))?;
            // `path ! { mode mode [module] rest }`
            let Some(TokenTree::Group(handed)) = import.expand().into_iter().last() else {
                panic!("an import is the call of a macro");
            };
            let mut trees = handed.stream().into_iter().skip(1);
            let [mode, module] = [trees.next(), trees.next()];
            let rest: TokenStream = trees.collect();
            let is_use = mode.as_ref().is_some_and(|mode| mode.to_string() == "use");
            let body = if is_use { &export.declarations } else { &export.opcodes };
            input = quote!(__imported #mode #module { #body } #rest);
        }
        Some(input)
    }

    /// Adds the set of an expansion to the known sets.
    pub(super) fn learn(&mut self, expansion: TokenStream) {
        self.0.extend(exported(expansion));
    }

    /// Returns the errors of calls, each of which may import earlier sets. A call that imports an
    /// unknown set is skipped.
    pub(super) fn faults_of(&mut self, calls: Vec<TokenStream>) -> Vec<SpecificationError> {
        let mut faults = Vec::new();
        let last = calls.iter().rposition(|call| find_import(call).is_some());
        for (place, call) in calls.into_iter().enumerate() {
            let Some(input) = self.import(call) else { continue };
            faults.extend(faults_of(input.clone()));
            // Expand only calls that a later call may import, because expansion takes longer than
            // the checks.
            if last.is_some_and(|last| place < last) {
                self.learn(expand(input));
            }
        }
        faults
    }

    /// Returns the sets of `isa-defs`, as another crate imports them, and their errors, or `None`
    /// if the sources are missing. Calls `visit` with each expansion.
    pub(super) fn of_families(
        mut visit: impl FnMut(TokenStream),
    ) -> Option<(Self, Vec<SpecificationError>)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../isa-defs/src");
        let (mut sets, mut faults) = (Sets::default(), Vec::new());
        for name in ["base/mod.rs", "halu/mod.rs", "video/mod.rs", "gpu.rs"] {
            let source = fs::read_to_string(folder.join(name)).ok()?;
            for call in calls(source.parse().unwrap()) {
                let input = sets.import(call).expect("its imports stand before it");
                faults.extend(faults_of(input.clone()));
                let expansion = expand(input);
                sets.learn(expansion.clone());
                visit(expansion);
            }
        }
        assert!(sets.0.contains_key("Gpu"), "{:?}", sets.0.keys());
        let renamed = sets.0.into_iter().map(|(name, set)| (format!("{FAMILIES}{name}"), set));
        Some((Sets(renamed.collect()), faults))
    }
}

/// Returns the name of a set and its exports, from its expansion.
fn exported(expansion: TokenStream) -> Option<(String, Export)> {
    let trees: Vec<TokenTree> = expansion.into_iter().collect();
    let names: Vec<String> = trees.iter().map(ToString::to_string).collect();
    let place = names.iter().position(|name| name.starts_with("__isa_export_"))?;
    let set = names[place].strip_prefix("__isa_export_")?.rsplit_once('_')?.0;
    let TokenTree::Group(rules) = trees.get(place + 1)? else {
        return None;
    };
    // The rules are `(use ..) => { ::isa_core::define_isa! { __imported $mode [..] { BODY } .. }
    // };` and the same with `include`.
    let bodies = braces(rules.stream()).into_iter().map(|rule| {
        let call = braces(rule).into_iter().next()?;
        braces(call).into_iter().next().map(without_dollar)
    });
    let [declarations, opcodes] = bodies.collect::<Option<Vec<_>>>()?.try_into().ok()?;
    Some((set.to_owned(), Export { declarations, opcodes }))
}

/// Returns the contents of each pair of braces at the top level of the tokens.
fn braces(tokens: TokenStream) -> Vec<TokenStream> {
    let inside = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    };
    tokens.into_iter().filter_map(inside).collect()
}

/// Replaces `$crate` by `crate`, because these tests treat all sets as one crate.
fn without_dollar(tokens: TokenStream) -> TokenStream {
    let plain = |tree: TokenTree| match tree {
        TokenTree::Punct(punct) if punct.as_char() == '$' => None,
        TokenTree::Group(group) => {
            let mut copy = Group::new(group.delimiter(), without_dollar(group.stream()));
            copy.set_span(group.span());
            Some(copy.into())
        }
        other => Some(other),
    };
    tokens.into_iter().filter_map(plain).collect()
}

#[test]
fn the_families_have_no_fault() {
    let Some((_, faults)) = Sets::of_families(drop) else {
        println!("SKIPPED: the families are not here");
        return;
    };
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn right_specifications_of_the_language_have_no_fault() {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tests/language"),
        "rs",
        &mut paths,
    );
    if paths.is_empty() {
        println!("SKIPPED: the specifications are not here");
        return;
    }
    for path in paths {
        let source = fs::read_to_string(&path).unwrap();
        let faults = Sets::default().faults_of(calls(source.parse().unwrap()));
        assert!(faults.is_empty(), "{}: {faults:#?}", path.display());
    }
}

/// Returns the first lines of the errors of some calls, each of which may import those before it.
fn told(specs: &[&str]) -> Vec<String> {
    let calls = specs.iter().map(|spec| super::tokens(spec)).collect();
    let faults = Sets::default().faults_of(calls);
    let first =
        |fault: SpecificationError| fault.message.lines().next().unwrap_or_default().to_owned();
    faults.into_iter().map(first).collect()
}

#[test]
fn what_is_wrong_in_an_included_set_is_told_there_alone() {
    let first = "pub isa First: u16; enum Op: 2 { A = 0, B = 1 }
        opcode ONE { encoding { field<0, 2> Op op == A; field<2, 2> Op one; } syntax { ONE.one; } }
        opcode TWO { encoding { field<0, 2> Op op; field<2, 2> Op two == A; } syntax { TWO.op; } }";
    let alone = told(&[first]);
    assert_eq!(alone[0], "[ISA0014] `TWO` and `ONE` both decode 0x0000");
    assert_eq!(alone.len(), 2, "{alone:#?}");
    assert_eq!(told(&[first, "isa All: u16; include crate::first::First;"]), alone);
}

#[test]
fn an_exception_of_another_call_may_be_idle_here() {
    let base = "pub isa Base: u16; enum Bit: 1 { ZERO = 0, ONE = 1 }
        group G {
            encoding { field<0, 1> Bit a; field<1, 1> Bit b; }
            exception { EncodingError<Illegal, \"why\"> = a == ONE and b == ONE; }
        }";
    let opcode = "opcode OP : [G] { encoding { a == ZERO; } syntax { OP.b; } }";
    let idle = told(&[&format!("{base} {opcode}")]);
    assert!(
        idle.len() == 1 && idle[0].starts_with("[ISA0016] this condition is never true"),
        "{idle:#?}"
    );
    assert_eq!(told(&[base, &format!("isa Uses: u16; use crate::base::Base; {opcode}")]), [""; 0]);
}

/// Returns a call that includes `count` sets.
fn including(count: usize) -> TokenStream {
    let includes = (0..count).map(|i| format!("include crate::f{i}::F{i};"));
    super::tokens(&format!("pub isa All: u16; {}", includes.collect::<String>()))
}

#[test]
fn many_imports_are_made_in_batches_beside_each_other() {
    let calls = |count| {
        let expanded = expand_call(including(count)).to_string();
        (expanded.matches("__define_isa").count(), expanded)
    };
    let (few, expanded) = calls(24);
    assert!(few == 0 && expanded.starts_with("crate :: f23 :: F23 !"), "one after another");
    let (batches, expanded) = calls(60);
    assert_eq!(batches, 4, "three batches, and the call that takes them in");
    assert_eq!(expanded.matches("include").count(), 60);
    assert_eq!(expanded.matches("__join").count(), 3);
    let (most, _) = calls(1000);
    assert_eq!(most, 43);
    let (none, refused) = calls(1001);
    assert!(none == 0 && refused.contains("imports 1001 sets, expected at most 1000"), "{refused}");
}

#[test]
fn a_batch_becomes_a_macro_once_its_imports_are_made() {
    let part = |rest: &str| {
        let text = format!("__imported include [crate::f] {{ }} {rest} __part __isa_part_7;");
        expand_call(super::tokens(&text)).to_string()
    };
    assert!(part("").starts_with("macro_rules ! __isa_part_7"), "{}", part(""));
    let next = part("include crate::g::G;");
    assert!(next.starts_with("crate :: g :: G !") && next.contains("__part"), "{next}");
}
