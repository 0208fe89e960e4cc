//! Tests that each phase uses only earlier phases.

use std::fs;
use std::path::Path;

/// The modules of the compiler in their order. None uses a later one.
const PHASES: [&str; 7] = ["core_path", "diag", "syntax", "model", "check", "plan", "emit"];

/// Returns the files of a module, with their text.
fn files(path: &Path) -> Vec<(String, String)> {
    let file = path.with_extension("rs");
    let own = fs::read_to_string(&file).map(|text| (file.display().to_string(), text));
    let inner = fs::read_dir(path).into_iter().flatten().flat_map(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() || path.extension().is_some_and(|end| end == "rs") {
            true => files(&path.with_extension("")),
            false => Vec::new(),
        }
    });
    own.into_iter().chain(inner).collect()
}

/// Returns the modules of the crate that a line names.
fn named(line: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let of = |path: &str| match path.strip_prefix('{') {
        Some(list) => list.split(',').map(|path| name(path.trim())).collect(),
        None => vec![name(path)],
    };
    line.split("crate::").skip(1).flat_map(of).collect()
}

#[test]
fn each_phase_uses_only_those_before_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (place, phase) in PHASES.iter().enumerate() {
        let files = files(&source.join(phase));
        assert!(!files.is_empty(), "{phase} has no files");
        let lines =
            files.iter().flat_map(|(file, text)| text.lines().map(move |line| (file, line)));
        for (file, line) in lines.filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for module in named(line) {
                let used = PHASES.iter().position(|known| *known == module);
                assert!(used.is_none_or(|used| used <= place), "{file} uses {module}: {line}");
                assert_ne!(module, "pipeline", "{file}: {line}");
            }
        }
    }
}
