//! Words on their way out: instructions as lines of text, printed by all cores where they are many.

use std::io::{self, Write};

use isa_core::asm::{Line, Listing, print_word};
use isa_core::error::DecodeError;

use super::set::{self, WORD_BYTES};
use super::source;
use super::words::from_bytes;

/// The words in bytes from which on all cores print: for less they would take longer to start.
const LARGE: u64 = 256 << 10;

/// The most blocks that are printed side by side.
const MOST: usize = 16;

/// The bytes of a block.
const BLOCK: usize = 32 << 10;

/// The address and the word that are printed in a comment before each instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Addresses {
    /// Nothing.
    None,
    /// The address, from this one on, and the word, in a comment.
    From(u64),
    /// The address that comes with the word, and the word, in a comment.
    Each,
}

impl Addresses {
    /// The bytes of a word as it comes: where each has an address of its own, in as many bytes
    /// before the word as the word has, so that blocks of a power of two hold whole ones.
    const fn record(self) -> usize {
        match self {
            Addresses::Each => 2 * WORD_BYTES,
            Addresses::None | Addresses::From(_) => WORD_BYTES,
        }
    }

    /// The addresses of words that follow `count` others.
    fn behind(self, count: u64) -> Addresses {
        match self {
            Addresses::From(start) => {
                Addresses::From(start.wrapping_add(count.wrapping_mul(WORD_BYTES as u64)))
            }
            other => other,
        }
    }
}

/// Prints words as they come.
pub(super) struct Printer<'o> {
    out: &'o mut dyn Write,
    addresses: Addresses,
    /// Blocks that are printed and are written next; what is written leaves its memory to what
    /// comes.
    printed: Vec<Block>,
    /// Blocks that are filled; the first `full` are.
    next: Vec<Block>,
    full: usize,
    /// How many bytes came.
    seen: u64,
}

impl<'o> Printer<'o> {
    pub(super) fn new(out: &'o mut dyn Write, addresses: Addresses) -> Self {
        Printer { out, addresses, printed: Vec::new(), next: Vec::new(), full: 0, seen: 0 }
    }

    /// Takes words, each as in a binary file, with its address before it where each has one.
    #[inline]
    pub(super) fn take(&mut self, mut records: &[u8]) -> io::Result<()> {
        while !records.is_empty() {
            if self.next.len() == self.full {
                self.next.push(Block::default());
            }
            let block = &mut self.next[self.full];
            if block.records.is_empty() {
                let count = self.seen / self.addresses.record() as u64;
                block.addresses = self.addresses.behind(count);
            }
            let room = BLOCK - block.records.len();
            let (now, later) = records.split_at(room.min(records.len()));
            block.records.extend_from_slice(now);
            self.seen += now.len() as u64;
            records = later;
            if block.records.len() == BLOCK {
                self.full += 1;
                if self.full >= self.batch() {
                    self.print()?;
                }
            }
        }
        Ok(())
    }

    /// Prints what is left and makes sure that it is written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.print()?;
        self.print()?;
        self.out.flush()
    }

    /// How many blocks are printed at a time: two for each thread, and as many are written
    /// meanwhile; more would leave the caches.
    fn batch(&self) -> usize {
        match self.seen {
            LARGE.. => MOST.min(2 * rayon_core::current_num_threads()),
            _ => 1,
        }
    }

    /// Prints the blocks that have come and writes those that were printed before.
    fn print(&mut self) -> io::Result<()> {
        let Printer { out, printed, next, .. } = self;
        let write = || -> io::Result<()> {
            for block in printed.iter_mut() {
                out.write_all(block.text())?;
                block.records.clear();
                block.len = 0;
            }
            Ok(())
        };
        print_beside(next, self.seen >= LARGE, write)?;
        core::mem::swap(&mut self.printed, &mut self.next);
        self.full = 0;
        Ok(())
    }
}

/// Prints blocks, on all cores or on this thread alone, and meanwhile does something else here.
fn print_beside<R>(blocks: &mut [Block], on_all_cores: bool, here: impl FnOnce() -> R) -> R {
    if !on_all_cores {
        blocks.iter_mut().for_each(Block::print);
        return here();
    }
    rayon_core::in_place_scope(|scope| {
        blocks.iter_mut().for_each(|block| scope.spawn(|_| block.print()));
        here()
    })
}

/// Words on their way to standard output.
struct Block {
    /// The words, each as in a binary file, with its address before it where each has one.
    records: Vec<u8>,
    addresses: Addresses,
    /// Room, of which the start is the text.
    text: Vec<u8>,
    /// The length of the text.
    len: usize,
}

impl Default for Block {
    fn default() -> Self {
        Block { records: Vec::new(), addresses: Addresses::None, text: Vec::new(), len: 0 }
    }
}

/// The length of usual lines, for the room that a block's text is given at first.
const USUAL_LINE: usize = 48;
/// The length that a comment with address and word adds.
const PLACE: usize = 64;

impl Block {
    fn text(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or_default()
    }

    /// Prints each word on a line of its own.
    fn print(&mut self) {
        match self.addresses {
            Addresses::None => self.print_lines(0, |_, record: &[u8; WORD_BYTES], listing| {
                print_line(from_bytes(record), listing)
            }),
            Addresses::From(start) => {
                self.print_lines(PLACE, |index, record: &[u8; WORD_BYTES], listing| {
                    let offset = (index * WORD_BYTES) as u64;
                    print_placed(start.wrapping_add(offset), from_bytes(record), listing)
                });
            }
            Addresses::Each => {
                self.print_lines(PLACE, |_, record: &[u8; 2 * WORD_BYTES], listing| {
                    let [address, word] =
                        [0, WORD_BYTES].map(|at| record[at..].first_chunk().map_or(0, from_bytes));
                    print_placed(address as u64, word, listing)
                });
            }
        }
    }

    /// Prints records by `print`, which says whether there was room.
    fn print_lines<const N: usize>(
        &mut self,
        more: usize,
        print: impl Fn(usize, &[u8; N], &mut Listing<'_>) -> bool,
    ) {
        let (mut rest, _) = self.records.as_chunks();
        let mut room = rest.len() * (USUAL_LINE + more) + Listing::LINE;
        let mut index = 0;
        self.len = 0;
        loop {
            self.text.resize(room.max(self.text.len()), 0);
            let mut listing = Listing::new(self.text.get_mut(self.len..).unwrap_or_default());
            while let [record, behind @ ..] = rest
                && print(index, record, &mut listing)
            {
                rest = behind;
                index += 1;
            }
            self.len += listing.as_bytes().len();
            if rest.is_empty() {
                return;
            }
            room = 2 * self.text.len();
        }
    }
}

/// Prints a word on a line of its own, or nothing where there is no room for it.
#[inline]
fn print_line(word: u128, listing: &mut Listing<'_>) -> bool {
    if !listing.has_room() {
        return false;
    }
    match set::set().decode(word) {
        Ok(opcode) => listing.print(opcode, word),
        Err(error) => {
            let text = invalid(word, &error);
            if text.len() >= listing.room() {
                return false;
            }
            listing.push_str(&text);
        }
    }
    listing.push(b'\n');
    true
}

/// Prints a word as a line of a listing, or nothing where there is no room for it.
fn print_placed(address: u64, word: u128, listing: &mut Listing<'_>) -> bool {
    let mut line = Line::new();
    source::print_place(address, word, &mut line);
    let place = line.as_str();
    let text = set::set().decode(word).err().map(|error| invalid(word, &error));
    let needed = place.len() + text.map_or(0, |text| text.len() + 1).max(Listing::LINE);
    if listing.room() < needed {
        return false;
    }
    listing.push_str(place);
    print_line(word, listing)
}

/// The text of a word that is no instruction, with the reason in a comment.
#[cold]
fn invalid(word: u128, error: &DecodeError) -> String {
    let mut line = Line::new();
    print_word(word, set::set().bits, &mut line);
    format!("{line}{}", source::comment(error))
}
