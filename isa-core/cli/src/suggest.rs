//! Suggests names that are similar to a misspelled one.

/// Returns the candidate that `word` most likely means, if any is similar.
pub(crate) fn nearest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let limit = word.len().min(30).div_ceil(3);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns "; did you mean `...`?", or an empty text.
pub(crate) fn hint<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(word, candidates).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Returns the number of characters to insert, delete, replace or swap with their neighbour to turn
/// `a` into `b`, ignoring letter case. Only the first 64 characters of a long word are compared.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_ascii_lowercase().chars().take(64).collect::<Vec<_>>());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["asm", "dis", "explain", "exec", "list"];
        assert_eq!(nearest("explian", names), Some("explain"));
        assert_eq!(nearest("dsi", names), Some("dis"));
        assert_eq!(nearest("ASM", names), Some("asm"));
        assert_eq!(nearest("assemble-everything", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("äöü", "äü"), 1);
    }
}
