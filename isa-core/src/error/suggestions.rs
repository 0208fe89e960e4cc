//! Suggestions: names that were probably meant.

/// The maximum length of a name in bytes for which a suggestion is searched.
pub(super) const LONGEST: usize = 32;

/// Returns the distance between `written` and `name`: the number of changed, inserted and deleted
/// letters and of swaps of adjacent letters, ignoring letter case. Returns `None` if the distance is
/// too large for a typing error.
pub(super) fn distance(written: &[u8], name: &[u8]) -> Option<usize> {
    let longest = written.len().max(name.len());
    if longest > LONGEST || written.is_empty() {
        return None;
    }
    let allowed = (longest / 3).clamp(1, 3);
    if written.len().abs_diff(name.len()) > allowed {
        return None;
    }
    // Each letter that occurs in only one of the names costs a change. This test rejects most
    // names.
    let [of_one, of_other] = [written, name].map(letters);
    let alone = (of_one & !of_other).count_ones().max((of_other & !of_one).count_ones());
    if alone as usize > allowed {
        return None;
    }
    changes(written, name, allowed).filter(|&changes| changes < name.len())
}

/// Returns the set of letters in a name as bits, ignoring letter case. Any other character sets the bit
/// of some letter.
fn letters(name: &[u8]) -> u32 {
    name.iter().fold(0, |letters, byte| letters | 1 << (byte & 31))
}

/// Returns the edit distance if it is at most `most`. Only three rows of the usual table are kept.
///
/// In each row only the cells near the diagonal are computed, because a cell further away contains a
/// number above `most`. The search ends at a row in which all numbers are above `most`. A swap skips a
/// row, but a path through the row that uses a change instead of the swap has the same cost.
fn changes(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    let far = (most + 1) as u8;
    let mut before = [far; LONGEST + 1];
    let mut last = before;
    for (j, cell) in last.iter_mut().enumerate().take(most + 1) {
        *cell = j as u8;
    }
    for i in 1..=a.len() {
        let mut row = [far; LONGEST + 1];
        row[0] = i.min(usize::from(far)) as u8;
        let mut is_near = usize::from(row[0]) <= most;
        for j in i.saturating_sub(most).max(1)..=b.len().min(i + most) {
            let same = a[i - 1].eq_ignore_ascii_case(&b[j - 1]);
            let mut cell = (last[j - 1] + u8::from(!same)).min(last[j].min(row[j - 1]) + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cell = cell.min(before[j - 2] + 1);
            }
            row[j] = cell.min(far);
            is_near |= usize::from(cell) <= most;
        }
        if !is_near {
            return None;
        }
        (before, last) = (last, row);
    }
    Some(usize::from(last[b.len()])).filter(|&changes| changes <= most)
}

/// Returns the name that is nearest to `written`, the first one if several are equally near.
pub(crate) fn nearest<'n>(written: &[u8], names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let ranked = names.filter_map(|name| Some((distance(written, name.as_bytes())?, name)));
    ranked.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_changes() {
        let changes = |a, b| changes(a, b, 3);
        assert_eq!(changes(b"FTS", b"FTZ"), Some(1));
        assert_eq!(changes(b"hadd2", b"HADD2"), Some(0));
        assert_eq!(changes(b"HDAD2", b"HADD2"), Some(1));
        assert_eq!(changes(b"HAD2", b"HADD2"), Some(1));
        assert_eq!(changes(b"", b"RN"), Some(2));
        assert_eq!(changes(b"HADD2", b"VADD4"), Some(2));
        assert_eq!(changes(b"HADD2", b"MUFU"), None);
    }

    /// Computes the edit distance by its recursive definition, from the ends of the names.
    fn by_definition(a: &[u8], b: &[u8]) -> usize {
        let (Some((x, a_less)), Some((y, b_less))) = (a.split_last(), b.split_last()) else {
            return a.len().max(b.len());
        };
        let changed = by_definition(a_less, b_less) + usize::from(!x.eq_ignore_ascii_case(y));
        let longer = 1 + by_definition(a_less, b).min(by_definition(a, b_less));
        let swapped = match (a_less.split_last(), b_less.split_last()) {
            (Some((v, a)), Some((w, b))) if [v, x] == [y, w] => 1 + by_definition(a, b),
            _ => usize::MAX,
        };
        changed.min(longer).min(swapped)
    }

    /// Compares all pairs of names of up to four letters. The alphabet has three letters, two of which
    /// differ only in case.
    #[test]
    fn counts_as_by_definition() {
        let name = |number: usize| [1, 3, 9, 27].map(|place| b"aAb"[number / place % 3]);
        let names = (0..=4).flat_map(|length| (0..3_usize.pow(length)).map(move |n| (n, length)));
        for ((a, a_len), (b, b_len)) in
            names.clone().flat_map(|a| names.clone().map(move |b| (a, b)))
        {
            let (a, b) = (name(a), name(b));
            let (a, b) = (&a[..a_len as usize], &b[..b_len as usize]);
            let expected = by_definition(a, b);
            let near = distance(a, b);
            let allowed = (a_len.max(b_len) as usize / 3).max(1);
            let is_near = expected <= allowed && expected < b.len() && !a.is_empty();
            assert_eq!(near, is_near.then_some(expected), "{a:?} {b:?}");
            for most in 0..4 {
                let found = changes(a, b, most);
                assert_eq!(found, (expected <= most).then_some(expected), "{a:?} {b:?} {most}");
            }
        }
    }

    #[test]
    fn refuses_what_is_no_slip() {
        assert_eq!(distance(b"XYZ", b"FTZ"), None);
        assert_eq!(distance(b"R", b"N"), None);
        let (mut other, mut longer) = ([b'A'; LONGEST], [b'A'; LONGEST + 1]);
        (other[LONGEST - 1], longer[0]) = (b'B', b'B');
        assert_eq!(distance(&[b'A'; LONGEST], &other), Some(1));
        assert_eq!(distance(&[b'A'; LONGEST + 1], &longer), None);
    }

    #[test]
    fn takes_the_nearest() {
        let names = ["HMUL2", "HADD2", "HFMA2"];
        assert_eq!(nearest(b"hadd2", names.into_iter()), Some("HADD2"));
        assert_eq!(nearest(b"HMUL", names.into_iter()), Some("HMUL2"));
        assert_eq!(nearest(b"MOV", names.into_iter()), None);
    }
}
