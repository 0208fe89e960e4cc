//! Prints words as lines of text, on all cores if there are many words.

use std::io::{self, Write};

use isa_core::print::{DisplayAt, Listing};
use isa_core::text::{InstructionContext, Line, Style};

use crate::set::{SizedWord, ToolSet};

/// The minimum number of bytes for printing on all cores. For less input, starting threads takes
/// longer than printing.
const LARGE: u64 = 256 << 10;

/// The maximum number of blocks that are printed in parallel.
const MOST: usize = 16;

/// The size of a block in bytes.
const BLOCK: usize = 32 << 10;

/// The address and the word that are printed in a comment before each instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Addresses {
    /// No comment.
    None,
    /// The address and the word. The first address is the number in the variant.
    From(u64),
    /// The address that is part of the record, and the word.
    Each,
}

impl Addresses {
    /// Returns the address of the first word without an explicit address.
    pub(crate) const fn first(self) -> u64 {
        match self {
            Addresses::From(start) => start,
            Addresses::None | Addresses::Each => 0,
        }
    }
}

/// The format of the printer's input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Records {
    /// The bytes of the words, as in a binary file. All words have this number of bytes.
    Plain(usize),
    /// Words with address and width: 16 bytes for the word, 8 for the address, the width in bits,
    /// and zeros. The size is a power of two, so that a block contains only whole records.
    Full,
}

/// The size of a full record in bytes.
const FULL: usize = 32;

impl Records {
    pub(crate) fn new(set: ToolSet, addresses: Addresses) -> Records {
        match set.word_bytes() {
            Some(width) if addresses != Addresses::Each => Records::Plain(width),
            _ => Records::Full,
        }
    }

    /// Returns the full record of a word and its address.
    pub(crate) fn full(word: SizedWord, address: u64) -> [u8; FULL] {
        let mut record = [0; FULL];
        record[..16].copy_from_slice(&word.word.to_le_bytes());
        record[16..24].copy_from_slice(&address.to_le_bytes());
        record[24] = word.bits;
        record
    }

    const fn len(self) -> usize {
        match self {
            Records::Plain(width) => width,
            Records::Full => FULL,
        }
    }
}

/// Prints words as they arrive.
pub(crate) struct Printer<'o> {
    out: &'o mut dyn Write,
    set: ToolSet,
    records: Records,
    pub(crate) addresses: Addresses,
    style: Style,
    /// Blocks whose text is ready and is written next. Afterwards their memory is reused.
    printed: Vec<RecordBlock>,
    /// Blocks that are being filled. The first `full` of them are full.
    next: Vec<RecordBlock>,
    full: usize,
    /// The number of bytes received.
    seen: u64,
}

impl<'o> Printer<'o> {
    pub(crate) fn new(
        out: &'o mut dyn Write,
        set: ToolSet,
        records: Records,
        addresses: Addresses,
    ) -> Self {
        let (printed, next, style) = (Vec::new(), Vec::new(), Style::new());
        Printer { out, set, records, addresses, style, printed, next, full: 0, seen: 0 }
    }

    /// Sets the style of numbers and targets.
    pub(crate) fn style(self, style: Style) -> Self {
        Printer { style, ..self }
    }

    /// Accepts words as records. The last record may continue in the next call.
    #[inline]
    pub(crate) fn take(&mut self, mut records: &[u8]) -> io::Result<()> {
        while !records.is_empty() {
            if self.next.len() == self.full {
                self.next.push(RecordBlock::default());
            }
            let block = &mut self.next[self.full];
            if block.records.is_empty() {
                block.start = self.addresses.first().wrapping_add(self.seen);
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

    /// Prints the remaining words and ensures that they are written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.print()?;
        self.print()?;
        self.out.flush()
    }

    /// Returns the number of blocks that are printed at a time: two for each thread. Meanwhile, the same
    /// number of earlier blocks is written. More blocks would not fit in the caches.
    fn batch(&self) -> usize {
        match self.seen {
            LARGE.. => MOST.min(2 * rayon_core::current_num_threads()),
            _ => 1,
        }
    }

    /// Prints the blocks that have arrived, and writes the blocks that were printed before.
    fn print(&mut self) -> io::Result<()> {
        let Printer { out, set, records, addresses, style, printed, next, .. } = self;
        let print = |block: &mut RecordBlock| match *style == Style::new() {
            true => block.print(*set, *records, *addresses),
            false => block.print_styled(*set, *records, *addresses, *style),
        };
        let write = || -> io::Result<()> {
            for block in printed.iter_mut() {
                out.write_all(block.text())?;
                block.records.clear();
                block.len = 0;
            }
            Ok(())
        };
        print_beside(next, self.seen >= LARGE, print, write)?;
        core::mem::swap(&mut self.printed, &mut self.next);
        self.full = 0;
        Ok(())
    }
}

/// Prints blocks, on all cores or only on this thread, while this thread calls `here`.
fn print_beside<R>(
    blocks: &mut [RecordBlock],
    on_all_cores: bool,
    print: impl Fn(&mut RecordBlock) + Sync,
    here: impl FnOnce() -> R,
) -> R {
    if !on_all_cores {
        blocks.iter_mut().for_each(print);
        return here();
    }
    rayon_core::in_place_scope(|scope| {
        let print = &print;
        blocks.iter_mut().for_each(|block| scope.spawn(move |_| print(block)));
        here()
    })
}

/// Words that wait for output.
#[derive(Default)]
struct RecordBlock {
    /// The words, as records.
    records: Vec<u8>,
    /// The address of the first word, if the records do not contain addresses.
    start: u64,
    /// The text, followed by unused room.
    text: Vec<u8>,
    /// The length of the text.
    len: usize,
}

/// The length of a typical line, used to reserve memory for the text of a block.
const USUAL_LINE: usize = 48;
/// The length of a comment with address and word.
const PLACE: usize = 64;

impl RecordBlock {
    fn text(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or_default()
    }

    /// Prints each word on its own line.
    fn print(&mut self, set: ToolSet, records: Records, addresses: Addresses) {
        let start = self.start;
        match (records, addresses) {
            (Records::Plain(width), Addresses::None) => {
                self.print_lines(records, 0, |at, bytes, listing| {
                    print_line(set, plain(set, bytes, at, width), listing)
                });
            }
            (Records::Plain(width), _) => {
                self.print_lines(records, PLACE, |at, bytes, listing| {
                    let address = start.wrapping_add(at as u64);
                    print_placed(set, address, plain(set, bytes, at, width), listing)
                });
            }
            (Records::Full, _) => {
                self.print_lines(records, PLACE, |at, bytes, listing| {
                    let Some((word, address)) = full(bytes, at) else { return true };
                    match addresses {
                        Addresses::None => print_line(set, word, listing),
                        _ => print_placed(set, address, word, listing),
                    }
                });
            }
        }
    }

    /// Prints like [`RecordBlock::print`], in a style.
    fn print_styled(&mut self, set: ToolSet, records: Records, addresses: Addresses, style: Style) {
        let start = self.start;
        self.print_lines(records, PLACE, |at, bytes, listing| {
            let placed = match records {
                Records::Plain(width) => {
                    Some((plain(set, bytes, at, width), start.wrapping_add(at as u64)))
                }
                Records::Full => full(bytes, at),
            };
            let Some((word, address)) = placed else { return true };
            let mut line = Line::new();
            if addresses != Addresses::None {
                set.print_place(address, word, &mut line);
            }
            let text = match set.decode(word) {
                Ok(opcode) if set.reads_back(opcode, word) => {
                    let site = InstructionContext::new(address, &()).style(style);
                    DisplayAt::new(opcode, word.word, site).to_string()
                }
                _ => set.data_line(word),
            };
            if listing.room() <= line.as_str().len() + text.len() {
                return false;
            }
            listing.push_str(line.as_str());
            listing.push_str(&text);
            listing.push(b'\n');
            true
        });
    }

    /// Prints all records with `print`, which receives the position of each and returns whether
    /// there was enough room.
    fn print_lines(
        &mut self,
        records: Records,
        more: usize,
        print: impl Fn(usize, &[u8], &mut Listing<'_>) -> bool,
    ) {
        let (bytes, step) = (&self.records[..], records.len());
        let mut room = bytes.len() / step * (USUAL_LINE + more) + Listing::LINE;
        let mut at = 0;
        self.len = 0;
        loop {
            self.text.resize(room.max(self.text.len()), 0);
            let mut listing = Listing::new(self.text.get_mut(self.len..).unwrap_or_default());
            while at < bytes.len() && print(at, bytes, &mut listing) {
                at += step;
            }
            self.len += listing.as_bytes().len();
            if at >= bytes.len() {
                return;
            }
            room = 2 * self.text.len();
        }
    }
}

/// Returns the word of `width` bytes at a position.
#[inline]
fn plain(set: ToolSet, bytes: &[u8], at: usize, width: usize) -> SizedWord {
    let bits = (width * 8) as u8;
    SizedWord { word: set.tables.byte_order.word(bytes.get(at..).unwrap_or_default(), bits), bits }
}

/// Returns the word and the address in the full record at a position.
fn full(bytes: &[u8], at: usize) -> Option<(SizedWord, u64)> {
    let record: &[u8; FULL] = bytes.get(at..)?.first_chunk()?;
    let word = u128::from_le_bytes(*record.first_chunk()?);
    let address = u64::from_le_bytes(*record.get(16..)?.first_chunk()?);
    Some((SizedWord { word, bits: record[24] }, address))
}

/// Prints a word on its own line, or nothing if there is not enough room.
#[inline]
fn print_line(set: ToolSet, word: SizedWord, listing: &mut Listing<'_>) -> bool {
    if !listing.has_room() {
        return false;
    }
    match set.decode(word) {
        Ok(opcode) if set.reads_back(opcode, word) => listing.print(opcode, word.word),
        _ => {
            let text = set.data_line(word);
            if text.len() >= listing.room() {
                return false;
            }
            listing.push_str(&text);
        }
    }
    listing.push(b'\n');
    true
}

/// Prints a word as a line of a listing, or nothing if there is not enough room.
fn print_placed(set: ToolSet, address: u64, word: SizedWord, listing: &mut Listing<'_>) -> bool {
    let mut line = Line::new();
    set.print_place(address, word, &mut line);
    let place = line.as_str();
    match set.decode(word) {
        Ok(opcode) if set.reads_back(opcode, word) => {
            if listing.room() < place.len() + Listing::LINE {
                return false;
            }
            listing.push_str(place);
            listing.print(opcode, word.word);
        }
        _ => {
            let text = set.data_line(word);
            if listing.room() < place.len() + text.len() + 1 {
                return false;
            }
            listing.push_str(place);
            listing.push_str(&text);
        }
    }
    listing.push(b'\n');
    true
}
