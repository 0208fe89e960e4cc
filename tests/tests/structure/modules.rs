//! Checks the direction of imports between modules, and the names of types, in all crates.
//!
//! A module is a file `x.rs` together with its folder `x`. It may use items of the modules that contain it and
//! of its own submodules. Among the modules of one folder, imports must not form a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use super::root;

/// The folders with the sources of the crates.
const CRATES: [&str; 15] = [
    "isa-macros/src",
    "isa-macros/compiler/src",
    "isa-macros/bdd/src",
    "isa-core/src",
    "isa-core/half/src",
    "isa-core/cli/src",
    "isa-core/verify/src",
    "isa-core/manual/src",
    "isa-core/export/src",
    "isa-core/import/src",
    "isa-core/web/src",
    "isa-defs/src",
    "isa-defs/riscv/src",
    "isa-defs/sass/src",
    "isa-defs/a64/src",
];

/// Type names that are defined more than twice, because all definitions have the same meaning.
const SAME_MEANING: [&str; 0] = [];

/// A path of names, such as `["crate", "text", "Cursor"]`.
type Names = Vec<String>;

/// The parts of a file that determine the structure.
#[derive(Default)]
struct Module {
    /// The paths that the file uses, in `use` items and in code.
    paths: Vec<Names>,
    /// The paths that the file re-exports, by the name of the re-export.
    exports: BTreeMap<String, Names>,
    /// The names of the types that the file defines.
    types: Vec<String>,
}

/// Returns the Rust files in a folder, with their module paths.
fn files(folder: &Path, module: &[String], found: &mut Vec<(Names, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inner = || [module, std::slice::from_ref(&name)].concat();
        match (path.is_dir(), name.as_str()) {
            (true, "bin" | "tests") | (false, "tests") => {}
            (true, _) => files(&path, &inner(), found),
            (false, _) if path.extension().is_none_or(|end| end != "rs") => {}
            (false, "lib" | "main" | "mod") => found.push((module.to_vec(), path)),
            (false, _) => found.push((inner(), path)),
        }
    }
}

/// Adds the paths of a `use` tree that begins with `prefix`.
fn use_tree(tokens: TokenStream, prefix: &[String], found: &mut Vec<(Names, String)>) {
    let mut path = prefix.to_vec();
    let mut renamed = None;
    let mut is_group = false;
    let mut finish = |path: &mut Names, renamed: &mut Option<String>, is_group: &mut bool| {
        if !*is_group && path.len() > prefix.len() {
            let name = renamed.take().unwrap_or_else(|| path.last().unwrap().clone());
            found.push((path.clone(), name));
        }
        (*path, *renamed, *is_group) = (prefix.to_vec(), None, false);
    };
    let mut groups = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "as" => {
                renamed = tokens.next().map(|name| name.to_string());
            }
            TokenTree::Ident(name) => path.push(name.to_string()),
            TokenTree::Group(group) => {
                groups.push((group.stream(), path.clone()));
                is_group = true;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                finish(&mut path, &mut renamed, &mut is_group);
            }
            _ => {}
        }
    }
    finish(&mut path, &mut renamed, &mut is_group);
    for (tokens, path) in groups {
        use_tree(tokens, &path, found);
    }
}

/// Adds the contents of a file, or of a group of tokens in it. Inner modules belong to the file; tests are
/// left out. Types are found among items, and not inside of functions and implementations.
fn add(tokens: TokenStream, are_items: bool, module: &mut Module) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let text = |at: usize| tokens.get(at).map(ToString::to_string).unwrap_or_default();
    let name_at = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    };
    let (mut at, mut is_test, mut is_inner) = (0, false, false);
    while at < tokens.len() {
        let start = at;
        at += 1;
        match &tokens[start] {
            TokenTree::Group(group) if start > 0 && text(start - 1) == "#" => {
                is_test = group.stream().to_string().replace(' ', "") == "cfg(test)";
                continue;
            }
            TokenTree::Group(group) => add(group.stream(), are_items && is_inner, module),
            TokenTree::Ident(name) if name == "mod" && is_test => at += 2,
            TokenTree::Ident(name) if name == "mod" => {
                at += 1;
                is_inner = true;
                continue;
            }
            TokenTree::Ident(name) if name == "use" => {
                at = (at..tokens.len()).find(|&end| text(end) == ";").unwrap_or(tokens.len());
                let before = if start > 0 { text(start - 1) } else { String::new() };
                let mut found = Vec::new();
                use_tree(tokens[start + 1..at].iter().cloned().collect(), &[], &mut found);
                for (path, name) in found.into_iter().filter(|_| !is_test) {
                    match before == "pub" || before.starts_with('(') {
                        true => _ = module.exports.insert(name, path),
                        false => module.paths.push(path),
                    }
                }
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let is_type =
                    matches!(name.as_str(), "struct" | "enum" | "trait" | "union" | "type");
                if are_items && is_type {
                    module.types.extend(name_at(at));
                }
                let mut path = vec![name];
                while text(at) == ":"
                    && text(at + 1) == ":"
                    && let Some(name) = name_at(at + 2)
                {
                    path.push(name);
                    at += 3;
                }
                if path.len() > 1 {
                    module.paths.push(path);
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => continue,
            _ => {}
        }
        (is_test, is_inner) = (false, false);
    }
}

fn modules(folder: &Path) -> BTreeMap<Names, Module> {
    let mut found = Vec::new();
    files(folder, &[], &mut found);
    let parse = |(name, path): (Names, PathBuf)| {
        let mut module = Module::default();
        let text = fs::read_to_string(&path).unwrap();
        let tokens = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        add(tokens, true, &mut module);
        (name, module)
    };
    found.into_iter().map(parse).collect()
}

/// Returns the module that a path in a module refers to, through re-exports; `None` if it is outside of the
/// crate.
fn target(
    all: &BTreeMap<Names, Module>,
    from: &[String],
    path: &[String],
    depth: u8,
) -> Option<Names> {
    let mut base = from.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        "self" | "super" => {
            while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
                if first == "super" {
                    base.pop();
                }
                rest = &rest[1..];
            }
        }
        first if !all.contains_key(&[from, &[first.to_owned()]].concat()) => return None,
        _ => {}
    }
    while let Some(first) = rest.first()
        && all.contains_key(&[base.as_slice(), std::slice::from_ref(first)].concat())
    {
        base.push(first.clone());
        rest = &rest[1..];
    }
    let export = rest.first().and_then(|first| all.get(&base)?.exports.get(first));
    match export {
        Some(export) if depth < 8 => target(all, &base, export, depth + 1).or(Some(base)),
        _ => Some(base),
    }
}

/// Returns a cycle among the names that a graph connects, if there is one.
fn cycle(graph: &BTreeMap<&str, BTreeSet<&str>>) -> Option<Vec<String>> {
    fn visit<'g>(
        graph: &BTreeMap<&'g str, BTreeSet<&'g str>>,
        name: &'g str,
        open: &mut Vec<&'g str>,
        done: &mut BTreeSet<&'g str>,
    ) -> bool {
        if let Some(start) = open.iter().position(|other| *other == name) {
            open.drain(..start);
            return true;
        }
        if done.contains(name) {
            return false;
        }
        open.push(name);
        if graph.get(name).into_iter().flatten().any(|next| visit(graph, next, open, done)) {
            return true;
        }
        open.pop();
        done.insert(name);
        false
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|name| {
        let mut open = Vec::new();
        visit(graph, name, &mut open, &mut done)
            .then(|| open.iter().map(|name| (*name).to_owned()).collect())
    })
}

/// Returns a message for each folder of modules whose imports form a cycle.
fn cycles(all: &BTreeMap<Names, Module>) -> Vec<String> {
    let mut folders: BTreeMap<&[String], BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    let mut uses = BTreeMap::new();
    let targets = all.iter().flat_map(|(from, module)| {
        let target = |path: &Names| Some((from, target(all, from, path, 0)?, path.join("::")));
        module.paths.iter().filter_map(target).collect::<Vec<_>>()
    });
    for (from, to, path) in targets {
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) =
            (from.get(common), all.get_key_value(&to).and_then(|(to, _)| to.get(common)))
        {
            folders.entry(&from[..common]).or_default().entry(a).or_default().insert(b);
            uses.insert((a.clone(), b.clone()), format!("{} uses {path}", from.join("::")));
        }
    }
    let message = |(folder, graph): (&&[String], &BTreeMap<&str, BTreeSet<&str>>)| {
        let names = cycle(graph)?;
        let next = names.iter().cycle().skip(1);
        let lines = names.iter().zip(next).map(|(a, b)| &uses[&(a.clone(), b.clone())]);
        Some(format!(
            "in `{}`: {}",
            folder.join("::"),
            lines.cloned().collect::<Vec<_>>().join(", ")
        ))
    };
    folders.iter().filter_map(message).collect()
}

/// Parses modules, each from its path and its text.
fn parsed<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> BTreeMap<Names, Module> {
    let parse = |(path, text): (&str, &str)| {
        let mut module = Module::default();
        add(text.parse().unwrap(), true, &mut module);
        (path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect(), module)
    };
    texts.into_iter().map(parse).collect()
}

#[test]
fn imports_between_the_modules_of_a_folder_run_in_one_direction() {
    let found: Vec<_> = CRATES
        .iter()
        .flat_map(|folder| {
            let all = modules(&root().join(folder));
            assert!(!all.is_empty(), "{folder} has no modules");
            cycles(&all).into_iter().map(move |cycle| format!("{folder}: {cycle}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_cycle_is_found_through_a_re_export() {
    let root = ("", "mod a; mod b; pub use b::inner::{B as C, D};");
    let inner = ("b::inner", "use crate::a::A; pub struct B; pub struct D;");
    let all = parsed([root, ("a", "use crate::{C, x}; pub struct A;"), ("b", "mod inner;"), inner]);
    assert_eq!(cycles(&all), ["in ``: a uses crate::C, b::inner uses crate::a::A"]);
    // A module may use its parent and its submodules, and tests may use anything.
    let all = parsed([
        ("", "mod a; mod b; fn f() { a::g(); }"),
        ("a", "use super::f; #[cfg(test)] mod tests { use crate::b::B; }"),
        ("b", "fn f() -> crate::a::A {} pub struct B;"),
    ]);
    assert_eq!(cycles(&all), [""; 0]);
}

#[test]
fn no_type_name_has_three_meanings() {
    let mut defined: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for folder in CRATES {
        for name in modules(&root().join(folder)).into_values().flat_map(|module| module.types) {
            defined.entry(name).or_default().push(folder);
        }
    }
    assert!(defined.contains_key("InstructionSet"), "types are found");
    defined.retain(|name, folders| folders.len() > 2 && !SAME_MEANING.contains(&name.as_str()));
    assert!(defined.is_empty(), "{defined:#?}");
}
