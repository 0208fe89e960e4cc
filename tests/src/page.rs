//! Parses pages that contain blocks of commands and of their output.

/// Returns the blocks in a page that have this tag.
#[must_use]
pub fn blocks<'p>(page: &'p str, kind: &str) -> Vec<&'p str> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(|block| block.strip_prefix(kind)?.strip_prefix('\n')).collect()
}

/// Returns whether lines match a pattern, in which `...` matches any number of lines.
#[must_use]
pub fn fits(lines: &[&str], pattern: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"...", pattern)) => (0..=lines.len()).any(|from| fits(&lines[from..], pattern)),
        Some((first, pattern)) => {
            lines.split_first().is_some_and(|(line, rest)| line == first && fits(rest, pattern))
        }
    }
}
