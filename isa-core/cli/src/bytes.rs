//! Searches long texts for a byte, and compares many bytes at a time.

/// The number of bytes that are compared before the results are checked. The compiler turns this
/// into a few vector instructions.
const BLOCK: usize = 64;

/// Returns the position of the first byte that equals `wanted`.
pub(super) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    find_any(bytes, [wanted])
}

/// Returns the position of the first byte that equals any of `wanted`.
pub(super) fn find_any<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> Option<usize> {
    // The compiler turns the loop over the block into a few vector instructions for each wanted byte.
    let has = |block: &[u8; BLOCK]| {
        let has_one = |&one: &u8| block.iter().fold(false, |found, &byte| found | (byte == one));
        wanted.iter().map(has_one).fold(false, |found, has_one| found | has_one)
    };
    let (blocks, _) = bytes.as_chunks();
    let skipped = blocks.iter().position(has).unwrap_or(blocks.len()) * BLOCK;
    let rest = bytes[skipped..].iter();
    rest.clone().position(|byte| wanted.contains(byte)).map(|at| skipped + at)
}

/// Returns the number of bytes that equal `wanted`.
pub(super) fn count(bytes: &[u8], wanted: u8) -> usize {
    let count = |block: &[u8]| block.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == wanted));
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let sum: usize = blocks.iter().map(|block| usize::from(count(block))).sum();
    sum + usize::from(count(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_and_counted_as_one_by_one() {
        for len in [0, 1, 63, 64, 65, 200, 1000] {
            for step in [1, 2, 7, 64, 70, 999] {
                for first in [0, 5, 64, 130] {
                    let is_set = |at: &usize| *at >= first && (at - first).is_multiple_of(step);
                    let bytes: Vec<u8> = (0..len).map(|at| u8::from(is_set(&at))).collect();
                    assert_eq!(find(&bytes, 1), (0..len).find(is_set));
                    assert_eq!(find_any(&bytes, [2, 1]), (0..len).find(is_set));
                    assert_eq!(count(&bytes, 1), (0..len).filter(is_set).count());
                }
            }
        }
    }
}
