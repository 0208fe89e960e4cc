//! Stores the bytes of a machine's memories. Only pages that were written to are allocated.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::named::StateLocation;
use crate::bits::SetBits;

/// The number of bytes in a page. With the usual 4096 bytes per page, a file that contains many
/// segments of one byte each would need memory of 80 times its own size.
const SIZE: usize = 1024;

/// The pages of all memories. The key is the index of the memory's file and the index of the page.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages(BTreeMap<(u8, u64), Box<Page>>);

/// A page of memory, and one bit for each byte that was written by an instruction.
#[derive(Debug, Clone)]
struct Page {
    bytes: [u8; SIZE],
    written: [u64; SIZE / 64],
}

impl Pages {
    /// Returns the bytes of a place, at most 16. Bytes in missing pages are 0.
    pub(super) fn bytes(&self, StateLocation { file, start, length }: StateLocation) -> [u8; 16] {
        let mut bytes = [0; 16];
        for (at, byte) in (0..length).zip(&mut bytes) {
            let address = start.wrapping_add(at);
            let page = self.0.get(&(file, address / SIZE as u64));
            *byte = page.map_or(0, |page| page.bytes[address as usize % SIZE]);
        }
        bytes
    }

    /// Writes bytes to consecutive addresses, starting at `start`.
    pub(super) fn put(&mut self, file: u8, start: u64, bytes: impl IntoIterator<Item = u8>) {
        let (mut address, mut bytes) = (start, bytes.into_iter().peekable());
        // Looks up each page only once.
        while bytes.peek().is_some() {
            let page = &mut self.page(file, address).bytes[address as usize % SIZE..];
            address = address.wrapping_add(page.len() as u64);
            page.iter_mut().zip(&mut bytes).for_each(|(place, byte)| *place = byte);
        }
    }

    /// Marks up to 16 bytes of a place as written.
    pub(super) fn mark(&mut self, StateLocation { file, start, length }: StateLocation) {
        for address in (0..length.min(16)).map(|at| start.wrapping_add(at)) {
            let at = address as usize % SIZE;
            self.page(file, address).written[at / 64] |= 1 << (at % 64);
        }
    }

    /// Appends the places in a memory that were written.
    pub(super) fn add_written(&self, file: u8, places: &mut Vec<StateLocation>) {
        for (&(_, page), memory) in self.0.range((file, 0)..=(file, u64::MAX)) {
            for at in set_bits(&memory.written) {
                add_byte(places, file, page * SIZE as u64 + at);
            }
        }
    }

    fn page(&mut self, file: u8, address: u64) -> &mut Page {
        let empty = || Box::new(Page { bytes: [0; SIZE], written: [0; SIZE / 64] });
        self.0.entry((file, address / SIZE as u64)).or_insert_with(empty)
    }
}

/// Returns the indexes of the bits that are set, in ascending order.
pub(super) fn set_bits(bits: &[u64]) -> impl Iterator<Item = u64> {
    (0..)
        .zip(bits)
        .flat_map(|(word, &bits)| SetBits(bits).map(move |bit| word * 64 + u64::from(bit)))
}

/// The maximum number of bytes that are listed as one place. Such a place does not cross a multiple of
/// this number.
const SHOWN: u64 = 8;

/// Appends a byte of memory to the places, or extends the last place if the byte follows it.
fn add_byte(places: &mut Vec<StateLocation>, file: u8, address: u64) {
    match places.last_mut() {
        Some(last)
            if last.file == file
                && last.start.wrapping_add(last.length) == address
                && !address.is_multiple_of(SHOWN) =>
        {
            last.length += 1;
        }
        _ => places.push(StateLocation { file, start: address, length: 1 }),
    }
}
