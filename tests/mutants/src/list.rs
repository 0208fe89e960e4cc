//! Lists the mutants of cargo-mutants.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// A mutant as cargo-mutants describes it.
#[derive(Debug, Deserialize)]
struct Listed {
    name: String,
    file: String,
    genre: String,
    replacement: String,
    span: Lines,
    function: Option<Function>,
}

#[derive(Debug, Deserialize)]
struct Function {
    function_name: String,
}

#[derive(Debug, Deserialize)]
struct Lines {
    start: Place,
    end: Place,
}

/// A position in a file. Lines and columns start at 1; columns count characters.
#[derive(Debug, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

/// A change of the source.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    /// The id. Ids start at 1, and a mutant keeps its id.
    pub(crate) id: u32,
    /// The key, which does not change unless the function changes. It is independent of the
    /// position in the file.
    pub(crate) key: String,
    /// The location and description: `FILE:LINE:COLUMN: what it does`.
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) genre: String,
    /// The text that replaces the original.
    pub(crate) replacement: String,
    /// The byte range in the file that is replaced.
    pub(crate) bytes: Range<usize>,
}

/// Returns the mutants of all files that start with one of `paths`. `known` is a file of ids, to
/// which new ones are added.
pub(crate) fn mutants(root: &Path, paths: &[String], known: &Path) -> Result<Vec<Mutant>, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["mutants", "--workspace", "--list", "--json"]).current_dir(root);
    let output = cargo.output().map_err(|error| format!("cargo mutants: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo mutants: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut listed: Vec<Listed> =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("its list: {error}"))?;
    listed.retain(|mutant| paths.iter().any(|path| mutant.file.starts_with(path.as_str())));

    let mut ids: BTreeMap<String, u32> = match fs::read(known) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string())?,
        Err(_) => BTreeMap::new(),
    };
    let (mut sources, mut seen, mut mutants) = (HashMap::new(), HashMap::new(), Vec::new());
    for Listed { name, file, genre, replacement, span, function } in listed {
        let source: &String = match sources.entry(file.clone()) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(
                fs::read_to_string(root.join(&file)).map_err(|error| format!("{file}: {error}"))?,
            ),
        };
        let bytes = byte(source, &span.start)?..byte(source, &span.end)?;
        let function = function.map(|function| function.function_name).unwrap_or_default();
        let key =
            format!("{file} {function}: {genre} {:?} -> {replacement:?}", &source[bytes.clone()]);
        let count = seen.entry(key.clone()).and_modify(|count| *count += 1).or_insert(1);
        let key = format!("{key} #{count}");
        let next = u32::try_from(ids.len() + 1).map_err(|error| error.to_string())?;
        let id = *ids.entry(key.clone()).or_insert(next);
        mutants.push(Mutant { id, key, name, file, genre, replacement, bytes });
    }
    let text = serde_json::to_vec_pretty(&ids).map_err(|error| error.to_string())?;
    fs::write(known, text).map_err(|error| format!("{}: {error}", known.display()))?;
    Ok(mutants)
}

/// Returns the byte offset of a position in a text.
fn byte(text: &str, place: &Place) -> Result<usize, String> {
    let line = text.split_inclusive('\n').take(place.line - 1).map(str::len).sum::<usize>();
    let rest = text.get(line..).ok_or("a line is not in its file")?;
    let column = rest.char_indices().nth(place.column - 1).map_or(rest.len(), |(byte, _)| byte);
    Ok(line + column)
}
