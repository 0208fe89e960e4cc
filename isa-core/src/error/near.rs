//! Near misses: names that someone may have meant.

/// The longest name that near misses are looked for.
pub(super) const LONGEST: usize = 32;

/// How far `written` is from `name`: the number of single-letter changes, insertions, deletions
/// and swaps of neighbours, letter case aside. `None` if that is too far for a slip.
pub(super) fn distance(written: &[u8], name: &[u8]) -> Option<usize> {
    let longest = written.len().max(name.len());
    if longest > LONGEST || written.is_empty() {
        return None;
    }
    let allowed = (longest / 3).clamp(1, 3);
    if written.len().abs_diff(name.len()) > allowed {
        return None;
    }
    let changes = changes(written, name);
    (changes <= allowed && changes < name.len()).then_some(changes)
}

/// The edit distance by rows of the usual table, of which three are kept.
fn changes(a: &[u8], b: &[u8]) -> usize {
    let mut before = [0; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = core::array::from_fn(|j| j);
    for i in 1..=a.len() {
        let mut row = [i; LONGEST + 1];
        for j in 1..=b.len() {
            let same = a[i - 1].eq_ignore_ascii_case(&b[j - 1]);
            row[j] = (last[j - 1] + usize::from(!same)).min(last[j].min(row[j - 1]) + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        (before, last) = (last, row);
    }
    last[b.len()]
}

/// Of `names`, the one nearest to `written`, the first of equals.
pub(super) fn nearest<'n>(written: &[u8], names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let ranked = names.filter_map(|name| Some((distance(written, name.as_bytes())?, name)));
    ranked.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_changes() {
        assert_eq!(changes(b"FTS", b"FTZ"), 1);
        assert_eq!(changes(b"hadd2", b"HADD2"), 0);
        assert_eq!(changes(b"HDAD2", b"HADD2"), 1);
        assert_eq!(changes(b"HAD2", b"HADD2"), 1);
        assert_eq!(changes(b"", b"RN"), 2);
    }

    #[test]
    fn refuses_what_is_no_slip() {
        assert_eq!(distance(b"XYZ", b"FTZ"), None);
        assert_eq!(distance(b"R", b"N"), None);
        assert_eq!(distance(&[b'A'; 40], &[b'A'; 40]), None);
    }

    #[test]
    fn takes_the_nearest() {
        let names = ["HMUL2", "HADD2", "HFMA2"];
        assert_eq!(nearest(b"hadd2", names.into_iter()), Some("HADD2"));
        assert_eq!(nearest(b"HMUL", names.into_iter()), Some("HMUL2"));
        assert_eq!(nearest(b"MOV", names.into_iter()), None);
    }
}
