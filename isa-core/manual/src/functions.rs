//! Finds the Rust functions that semantics call, in the files of `functions` statements.
//!
//! The files are expected to be formatted by `rustfmt`: a function begins at a line with `fn`, and ends
//! at the first line with the same indentation that ends with `}` or `;`.

use super::highlight::is_word;

/// A function of the specification.
pub(crate) struct Function<'f> {
    pub(crate) name: &'f str,
    /// The doc comment as Markdown.
    pub(crate) doc: String,
    /// The code without the doc comment.
    pub(crate) code: &'f str,
    /// Whether the function is called with a receiver, as in `lanes.sum()`.
    is_method: bool,
}

/// Returns the functions that `code` calls, directly or through other functions, in the order of the
/// first call.
pub(crate) fn called<'f>(code: &str, files: impl Iterator<Item = &'f str>) -> Vec<Function<'f>> {
    let mut rest: Vec<Function<'f>> = files.flat_map(functions).collect();
    let mut found: Vec<Function<'f>> = Vec::new();
    let mut looked_at = 0;
    loop {
        let code = if looked_at == 0 { code } else { found[looked_at - 1].code };
        for (name, is_method) in calls(code) {
            let place = rest.iter().position(|f| f.name == name && f.is_method == is_method);
            found.extend(place.map(|place| rest.remove(place)));
        }
        if looked_at == found.len() {
            return found;
        }
        looked_at += 1;
    }
}

/// Returns the functions of a file.
fn functions(file: &str) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    let mut doc = String::new();
    // The first byte of the attributes and of the code of a function.
    let mut start = None;
    let mut at = 0;
    while let Some(line) = file[at..].split_inclusive('\n').next() {
        let next = at + line.len();
        let text = line.trim();
        if let Some(comment) = text.strip_prefix("///") {
            doc.push_str(comment.strip_prefix(' ').unwrap_or(comment));
            doc.push('\n');
        } else if text.starts_with("#[") {
            start.get_or_insert(at);
        } else if let Some(name) = function_name(text) {
            let from = start.take().unwrap_or(at);
            let end = at + end_of_function(&file[at..]);
            let signature = file[at..end].split('{').next().unwrap_or_default();
            let is_method = signature.split(|c| !is_word(c)).any(|word| word == "self");
            let code = file[from..end].trim_end();
            functions.push(Function { name, doc: core::mem::take(&mut doc), code, is_method });
            at = end;
            continue;
        } else {
            doc.clear();
            start = None;
        }
        at = next;
    }
    functions
}

/// Returns the name of the function that a line begins to define.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_modifier = |word: &str| {
        matches!(word, "const" | "async" | "unsafe" | "extern") || word.starts_with("pub")
    };
    if !before.split_whitespace().all(is_modifier) {
        return None;
    }
    let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
    Some(&after[..end]).filter(|name| !name.is_empty())
}

/// Returns the length of the function at the start of `text`. A function without a body ends with `;`.
fn end_of_function(text: &str) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if indent(line) == indent(text) && line.trim_end().ends_with(['}', ';']) {
            break;
        }
    }
    end
}

/// Returns the names that are called in Rust code, each with whether it is called with a receiver.
fn calls(code: &str) -> impl Iterator<Item = (&str, bool)> {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.flat_map(|line| {
        let ends = line.match_indices(|c: char| !is_word(c)).map(|(at, _)| at);
        ends.filter_map(move |end| {
            let start = line[..end]
                .rfind(|c| !is_word(c))
                .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
            let (before, name, after) = (&line[..start], &line[start..end], &line[end..]);
            let is_call = after.starts_with('(') || after.starts_with("::<");
            let is_definition = before.trim_end().ends_with("fn");
            (is_call && !name.is_empty() && !is_definition).then(|| (name, before.ends_with('.')))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::called;

    const FILE: &str = "\
//! A file.

/// Adds.
///
/// Twice.
#[inline]
pub(super) fn add<const L: usize>(
    a: [u32; L],
) -> [u32; L] {
    // A comment with unused(x).
    a.map(|a| { helper(a) })
}

fn helper(a: u32) -> u32 { a.low() }

impl Lane for u32 {
    /// The low half.
    fn low(self) -> u32 {
        self & 0xffff
    }
}

/// Has no body.
trait Sum {
    fn sum(a: u32) -> u32;
}

fn last() {}

/// Not called.
fn unused() {
    helper(1);
}

/// Shares its name with a method.
fn low() {}
";

    #[test]
    fn functions_are_found_through_other_functions() {
        let found = called("let a = lanes::add::<2>(a);", [FILE].into_iter());
        let names: Vec<_> = found.iter().map(|f| f.name).collect();
        assert_eq!(names, ["add", "helper", "low"]);
        assert_eq!(found[0].doc, "Adds.\n\nTwice.\n");
        assert!(found[0].code.starts_with("#[inline]\npub(super) fn add<"), "{}", found[0].code);
        assert!(found[0].code.ends_with("helper(a) })\n}"), "{}", found[0].code);
        assert_eq!(found[1].code, "fn helper(a: u32) -> u32 { a.low() }");
        assert_eq!(found[2].doc, "The low half.\n");
        assert!(called("add", [FILE].into_iter()).is_empty());
        for (call, code) in [("sum(1)", "    fn sum(a: u32) -> u32;"), ("last()", "fn last() {}")] {
            let found = called(call, [FILE].into_iter());
            assert_eq!(found.iter().map(|f| f.code).collect::<Vec<_>>(), [code]);
        }
    }
}
