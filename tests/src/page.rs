//! Pages with blocks of commands and of what these print.

/// The blocks of a kind in a page.
#[must_use]
pub fn blocks<'p>(page: &'p str, kind: &str) -> Vec<&'p str> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(|block| block.strip_prefix(kind)?.strip_prefix('\n')).collect()
}

/// Whether lines are those of a pattern, in which `...` stands for any.
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
