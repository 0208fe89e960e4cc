//! Memories of machines.
//!
//! A simulated program spends much of its time in loads and stores. The first regions that are mapped
//! are *flat*: each is an array of bytes, and a comparison finds it. All other bytes are in *pages*,
//! which a hash table with open addressing finds. Only pages that were written to are allocated.

use alloc::vec;
use alloc::vec::Vec;

use super::named::StateLocation;
use super::processor::MAX_LENGTH;
use crate::bits::SetBits;
use crate::error::sort_by_key;
use crate::table::ByteOrder;

/// The number of bytes in a page. With the usual 4096 bytes per page, a file that contains many
/// segments of one byte each would need memory of 80 times its own size.
const SIZE: usize = 1024;

/// The number of bytes in a line, a part of a page.
const LINE: usize = 64;

/// Bytes at 64-bit addresses, with permissions.
///
/// ```
/// use isa_core::machine::{AddressSpace, Permissions};
///
/// let mut memory = AddressSpace::default();
/// memory.map(0x1000, 0x100, Permissions::READ_WRITE);
/// memory.put(0x1000, &[1, 2, 3]);
/// assert_eq!(memory.read(0x1001), Some([2, 3, 0, 0]));
/// assert!(memory.write(0x10fe, [4, 5]));
/// assert!(!memory.write(0x10fe, [6, 7, 8, 9]), "the access goes beyond the end");
/// assert_eq!(memory.read::<2>(0x10fe), Some([4, 5]));
/// assert_eq!(memory.read::<1>(0x2000), None);
/// ```
#[derive(Debug, Default)]
pub struct AddressSpace {
    /// Whether all addresses can be read and written.
    is_open: bool,
    /// Regions that do not overlap any other region.
    flats: Vec<Flat>,
    /// Whether new regions are not flat, because a region overlapped a flat one.
    has_only_pages: bool,
    /// All other regions. Their bytes are in pages.
    regions: Vec<Region>,
    /// The hash table. Its length is 0 or a power of two, and at most half of its slots are used.
    slots: Vec<Slot>,
    /// The numbers of the pages. The number of a page is its address divided by its size.
    pages: Vec<u64>,
    /// The bytes of the pages, in the order of `pages`.
    bytes: Vec<u8>,
    /// For each line of the pages, the bytes that instructions have written. Bit 0 is the first byte.
    written: Vec<u64>,
    watched: Watched,
    has_new_code: bool,
}

impl Clone for AddressSpace {
    /// Returns a copy in which all code is new, because a [`Runner`](crate::machine::Runner) may have decoded
    /// other code when the copy replaces this memory.
    fn clone(&self) -> Self {
        AddressSpace {
            is_open: self.is_open,
            flats: self.flats.clone(),
            has_only_pages: self.has_only_pages,
            regions: self.regions.clone(),
            slots: self.slots.clone(),
            pages: self.pages.clone(),
            bytes: self.bytes.clone(),
            written: self.written.clone(),
            watched: Watched::default(),
            has_new_code: true,
        }
    }
}

/// The bytes that a runner has decoded.
#[derive(Debug, Clone, Default)]
struct Watched {
    /// The addresses at which a store can begin that changes one of the bytes: the first one, and their
    /// number.
    start: u64,
    length: u64,
    /// The lines with such bytes in ascending order, each with a mask of them. Bit 0 is the first byte.
    lines: Vec<(u64, u64)>,
}

impl Watched {
    fn add(&mut self, address: u64, length: u64) {
        for address in (0..length).map(|at| address.wrapping_add(at)) {
            let (line, bit) = (address / LINE as u64, 1 << (address % LINE as u64));
            match self.lines.binary_search_by_key(&line, |(line, _)| *line) {
                Ok(at) => self.lines[at].1 |= bit,
                Err(at) => self.lines.insert(at, (line, bit)),
            }
        }
        if let (Some(first), Some(last)) = (self.lines.first(), self.lines.last()) {
            self.start = (first.0 * LINE as u64).saturating_sub(MAX_STORE - 1);
            self.length = (last.0 * LINE as u64 - self.start).saturating_add(LINE as u64);
        }
    }

    /// Returns whether a store of `length` bytes changes one of the bytes. The store must not extend
    /// beyond the last address.
    #[inline]
    fn changes(&self, address: u64, length: u64) -> bool {
        address.wrapping_sub(self.start) < self.length && self.contains(address, length)
    }

    /// Returns whether a store of `length` bytes changes one of the bytes.
    #[cold]
    fn contains(&self, address: u64, length: u64) -> bool {
        (0..length).map(|at| address.wrapping_add(at)).any(|address| {
            let line = address / LINE as u64;
            let found = self.lines.binary_search_by_key(&line, |(line, _)| *line);
            found.is_ok_and(|at| self.lines[at].1 >> (address % LINE as u64) & 1 != 0)
        })
    }
}

/// Returns the mask of `N` bytes of a line, from the byte at an address or index on.
const fn line_mask<const N: usize>(at: usize) -> u64 {
    (!0 >> (64 - N)) << (at % LINE)
}

/// The maximum number of bytes that an instruction stores at once.
const MAX_STORE: u64 = 16;

/// The maximum number of flat regions, and their maximum size in bytes.
const FLATS: usize = if crate::IS_SMALL { 0 } else { 4 };
const FLAT_SIZE: u64 = 1 << 30;

/// A region whose bytes are not in pages.
#[derive(Debug, Clone)]
struct Flat {
    region: Region,
    bytes: Vec<u8>,
    /// For each line, the bytes that instructions have written. Bit 0 is the first byte. The list is
    /// empty if writes are not recorded.
    written: Vec<u64>,
}

impl Flat {
    /// Returns the index of an address in the bytes; too large if the region does not contain it.
    #[inline]
    fn at(&self, address: u64) -> usize {
        usize::try_from(address.wrapping_sub(self.region.start)).unwrap_or(usize::MAX)
    }
}

/// The accesses to memory that are permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Loads.
    pub read: bool,
    /// Stores.
    pub write: bool,
    /// The execution of instructions.
    pub execute: bool,
}

impl Permissions {
    /// Only loads.
    pub const READ: Permissions = Permissions { read: true, write: false, execute: false };
    /// Loads and stores.
    pub const READ_WRITE: Permissions = Permissions { write: true, ..Permissions::READ };
    /// Loads and execution.
    pub const READ_EXECUTE: Permissions = Permissions { execute: true, ..Permissions::READ };
}

/// Addresses with the same permissions.
#[derive(Debug, Clone, Copy)]
struct Region {
    start: u64,
    length: u64,
    permissions: Permissions,
}

impl Region {
    const fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.length
    }

    const fn overlaps(&self, other: &Region) -> bool {
        self.contains(other.start) || other.contains(self.start)
    }
}

/// Returns the addresses of a page.
const fn page_region(number: u64) -> Region {
    let permissions = Permissions { read: false, write: false, execute: false };
    Region { start: number.wrapping_mul(SIZE as u64), length: SIZE as u64, permissions }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The number of a page.
    number: u64,
    /// The index of the page plus 1; 0 if the slot is free.
    page: u32,
    /// Whether all bytes of the page can be read.
    can_read: bool,
    /// Whether all bytes of the page can be written.
    can_write: bool,
}

impl Slot {
    /// Returns the index in [`AddressSpace::bytes`] of the first byte of the page.
    #[inline]
    const fn start(&self) -> usize {
        (self.page as usize).wrapping_sub(1).wrapping_mul(SIZE)
    }
}

impl AddressSpace {
    /// Creates a memory in which all addresses can be read and written, and nothing can be executed.
    /// The bytes are 0.
    #[must_use]
    pub fn open() -> Self {
        AddressSpace { is_open: true, ..AddressSpace::default() }
    }

    /// Adds permissions for `length` bytes from `start` on. The bytes are 0 unless they have been
    /// written before.
    pub fn map(&mut self, start: u64, length: u64, permissions: Permissions) {
        self.map_region(Region { start, length, permissions }, None);
    }

    /// Does the same as `map` and [`put`](Self::put), but usually does not copy the bytes.
    pub fn map_bytes(&mut self, start: u64, bytes: Vec<u8>, permissions: Permissions) {
        self.map_region(Region { start, length: bytes.len() as u64, permissions }, Some(bytes));
    }

    fn map_region(&mut self, region: Region, bytes: Option<Vec<u8>>) {
        let Region { start, length, permissions } = region;
        if length == 0 {
            return;
        }
        self.has_new_code = true;
        if self.flats().iter().any(|flat| flat.region.overlaps(&region)) {
            self.move_flats();
        }
        let fits = length <= FLAT_SIZE && start.checked_add(length).is_some();
        let has_room = !self.has_only_pages && self.flats.len() < FLATS;
        if has_room && fits && !self.regions.iter().any(|other| other.overlaps(&region)) {
            let bytes = bytes.unwrap_or_else(|| self.bytes_of(&region));
            // Most accesses are to regions without code, so these are tried first.
            let at = if permissions.execute { self.flats.len() } else { 0 };
            let lines = if self.is_open { bytes.len().div_ceil(LINE) } else { 0 };
            self.flats.insert(at, Flat { region, bytes, written: vec![0; lines] });
            return self.update_slots(&region);
        }
        let is_known = self.is_open && !permissions.execute;
        if !is_known {
            self.regions.push(region);
        }
        if !self.is_open {
            self.update_slots(&region);
        }
        if let Some(bytes) = bytes {
            self.put(start, &bytes);
        }
    }

    /// Returns the bytes of a new flat region. Usually none are in pages, so this takes less time than a
    /// search for each byte.
    fn bytes_of(&self, region: &Region) -> Vec<u8> {
        let mut bytes = vec![0; region.length as usize];
        for (&number, page) in self.pages.iter().zip(self.bytes.chunks(SIZE)) {
            let first = page_region(number).start.wrapping_sub(region.start);
            for (at, byte) in (0..).zip(page) {
                let place = usize::try_from(first.wrapping_add(at)).ok();
                if let Some(place) = place.and_then(|place| bytes.get_mut(place)) {
                    *place = *byte;
                }
            }
        }
        bytes
    }

    /// Moves the bytes of all flat regions to pages, because a new region overlaps one of them.
    #[cold]
    fn move_flats(&mut self) {
        self.has_only_pages = true;
        for flat in core::mem::take(&mut self.flats) {
            for (at, bytes) in flat.bytes.chunks(SIZE).enumerate() {
                let first = flat.region.start + (at * SIZE) as u64;
                let ends = [first, first + (bytes.len() as u64 - 1)];
                let has_page = ends.iter().any(|end| self.find(end / SIZE as u64).is_some());
                // A page that does not exist contains zeros, and a program may have many of them.
                if has_page || bytes.iter().any(|byte| *byte != 0) {
                    self.put(first, bytes);
                }
            }
            let mut addresses = Vec::new();
            add_marked(&mut addresses, flat.region.start, &flat.written);
            for address in addresses {
                let at = self.page(address / SIZE as u64) + address as usize % SIZE;
                self.written[at / LINE] |= 1 << (at % LINE);
            }
            self.regions.push(flat.region);
            self.update_slots(&flat.region);
        }
    }

    /// Updates the permissions of the pages that contain a part of a region.
    fn update_slots(&mut self, region: &Region) {
        let first = region.start / SIZE as u64;
        let numbers = (0..region.length / SIZE as u64 + 2).map(|at| first.wrapping_add(at));
        if numbers.size_hint().0 > self.slots.len() {
            for at in 0..self.slots.len() {
                self.update_slot(at);
            }
            return;
        }
        // The last page may be the first one of the address space.
        for number in numbers.map(|number| number % (u64::MAX / SIZE as u64 + 1)) {
            if self.find(number).is_some() {
                let mut at = self.first_slot(number);
                while self.slots[at].number != number {
                    at = (at + 1) & (self.slots.len() - 1);
                }
                self.update_slot(at);
            }
        }
    }

    fn update_slot(&mut self, at: usize) {
        let all = self.page_permissions(self.slots[at].number);
        (self.slots[at].can_read, self.slots[at].can_write) = (all.read, all.write);
    }

    /// Returns the flat regions. Small modules have none.
    #[inline]
    fn flats(&self) -> &[Flat] {
        if crate::IS_SMALL { &[] } else { &self.flats }
    }

    fn flat_mut(&mut self, address: u64) -> Option<&mut Flat> {
        if crate::IS_SMALL {
            return None;
        }
        self.flats.iter_mut().find(|flat| flat.region.contains(address))
    }

    /// Returns the slot of the page with this number.
    #[inline]
    fn find(&self, number: u64) -> Option<&Slot> {
        let mut at = self.first_slot(number);
        loop {
            let slot = self.slots.get(at)?;
            if slot.number == number && slot.page != 0 {
                return Some(slot);
            }
            if slot.page == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Returns the slot at which the search for a page begins.
    #[inline]
    const fn first_slot(&self, number: u64) -> usize {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & self.slots.len().wrapping_sub(1)
    }

    /// Returns the index in `bytes` of the first byte of a page, and allocates the page if it does not
    /// exist.
    fn page(&mut self, number: u64) -> usize {
        match self.find(number) {
            Some(slot) => slot.start(),
            None => self.allocate(number),
        }
    }

    #[cold]
    fn allocate(&mut self, number: u64) -> usize {
        let start = self.bytes.len();
        self.pages.push(number);
        self.bytes.resize(start + SIZE, 0);
        self.written.resize((start + SIZE) / LINE, 0);
        if self.pages.len() * 2 > self.slots.len() {
            let old = core::mem::take(&mut self.slots);
            self.slots = vec![Slot::default(); (old.len() * 2).max(16)];
            old.into_iter().filter(|slot| slot.page != 0).for_each(|slot| self.insert(slot));
        }
        let Permissions { read: can_read, write: can_write, .. } = self.page_permissions(number);
        let page = self.pages.len() as u32;
        self.insert(Slot { number, page, can_read, can_write });
        start
    }

    fn insert(&mut self, slot: Slot) {
        let mut at = self.first_slot(slot.number);
        while self.slots[at].page != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    /// Returns the permissions that all bytes of a page have; none if a flat region contains a part of
    /// the page.
    fn page_permissions(&self, number: u64) -> Permissions {
        let page = page_region(number);
        if self.flats().iter().any(|flat| flat.region.overlaps(&page)) {
            return Permissions::default();
        }
        if self.is_open {
            return Permissions::READ_WRITE;
        }
        let first = page.start;
        let last = first.wrapping_add(SIZE as u64 - 1);
        let regions = self.regions.iter();
        let whole = regions.filter(|region| {
            let (from, to) = (first.wrapping_sub(region.start), last.wrapping_sub(region.start));
            from <= to && to < region.length
        });
        self.union(whole)
    }

    /// Returns the permissions of one byte.
    fn permissions(&self, address: u64) -> Permissions {
        let all = self.flats().iter().map(|flat| &flat.region).chain(&self.regions);
        self.union(all.filter(|region| region.contains(address)))
    }

    fn union<'r>(&self, regions: impl Iterator<Item = &'r Region>) -> Permissions {
        let (read, write) = (self.is_open, self.is_open);
        regions.fold(Permissions { read, write, execute: false }, |all, region| Permissions {
            read: all.read | region.permissions.read,
            write: all.write | region.permissions.write,
            execute: all.execute | region.permissions.execute,
        })
    }

    /// Loads `N` bytes. Returns `None` if one of them must not be read.
    #[inline]
    #[must_use]
    pub fn read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        for flat in self.flats() {
            let bytes = flat.bytes.get(flat.at(address)..).and_then(<[u8]>::first_chunk);
            if let Some(bytes) = bytes
                && (flat.region.permissions.read || self.is_open)
            {
                return Some(*bytes);
            }
        }
        self.read_page(address)
    }

    /// Loads `N` bytes from a page. This function is separate, so that the functions of opcodes stay
    /// small enough to contain the search of flat regions.
    #[inline(never)]
    fn read_page<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let at = address as usize % SIZE;
        if let Some(slot) = self.find(address / SIZE as u64)
            && slot.can_read
            && at + N <= SIZE
            && let Some(bytes) = self.bytes.get(slot.start() + at..).and_then(<[u8]>::first_chunk)
        {
            return Some(*bytes);
        }
        self.read_each(address)
    }

    #[cold]
    fn read_each<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut addresses = (0..N as u64).map(|at| address.wrapping_add(at));
        if !addresses.all(|address| self.permissions(address).read) {
            return None;
        }
        let mut bytes = [0; N];
        self.copy(address, &mut bytes);
        Some(bytes)
    }

    /// Stores `N` bytes, at most 16. Returns false if one of them must not be written; no byte is
    /// written in that case.
    #[inline]
    #[must_use]
    pub fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> bool {
        self.write_recorded(address, bytes, false)
    }

    /// Does the same as `write`, and marks the bytes as written if `is_recorded` is true.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn write_recorded<const N: usize>(
        &mut self,
        address: u64,
        bytes: [u8; N],
        is_recorded: bool,
    ) -> bool {
        for flat in &mut self.flats {
            let at = flat.at(address);
            let place = flat.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut);
            if let Some(place) = place
                && (flat.region.permissions.write || self.is_open)
            {
                if is_recorded {
                    let Some(line) = flat.written.get_mut(at / LINE) else { break };
                    if at % LINE + N > LINE {
                        break;
                    }
                    *line |= line_mask::<N>(at);
                }
                *place = bytes;
                self.has_new_code |= self.watched.changes(address, N as u64);
                return true;
            }
        }
        self.write_page(address, bytes, is_recorded)
    }

    /// Stores `N` bytes in a page, and marks the bytes as written if `is_recorded` is true.
    #[inline(never)]
    fn write_page<const N: usize>(
        &mut self,
        address: u64,
        bytes: [u8; N],
        is_recorded: bool,
    ) -> bool {
        let at = address as usize % SIZE;
        if let Some(slot) = self.find(address / SIZE as u64)
            && slot.can_write
            && at % LINE + N <= LINE
            && let start = slot.start() + at
            && let Some(place) = self.bytes.get_mut(start..).and_then(<[u8]>::first_chunk_mut)
            && let Some(written) = self.written.get_mut(start / LINE)
        {
            *place = bytes;
            if is_recorded {
                *written |= line_mask::<N>(at);
            }
            self.has_new_code |= self.watched.changes(address, N as u64);
            return true;
        }
        self.write_each(address, &bytes, is_recorded)
    }

    #[cold]
    fn write_each(&mut self, address: u64, bytes: &[u8], is_recorded: bool) -> bool {
        let mut addresses = (0..bytes.len() as u64).map(|at| address.wrapping_add(at));
        if !addresses.all(|address| self.permissions(address).write) {
            return false;
        }
        for (at, byte) in (0..).zip(bytes) {
            let address = address.wrapping_add(at);
            if let Some(flat) = self.flat_mut(address) {
                let at = flat.at(address);
                flat.bytes[at] = *byte;
                if is_recorded && let Some(line) = flat.written.get_mut(at / LINE) {
                    *line |= 1 << (at % LINE);
                }
            } else {
                let at = self.page(address / SIZE as u64) + address as usize % SIZE;
                self.bytes[at] = *byte;
                self.written[at / LINE] |= u64::from(is_recorded) << (at % LINE);
            }
        }
        if !crate::IS_SMALL {
            self.has_new_code |= self.watched.contains(address, bytes.len() as u64);
        }
        true
    }

    /// Copies bytes from memory without regard to permissions. Bytes that were never written are 0.
    pub fn copy(&self, address: u64, bytes: &mut [u8]) {
        let (mut address, mut rest) = (address, bytes);
        while let [first, ..] = rest {
            let flat = self.flats().iter().find(|flat| flat.region.contains(address));
            let count = if let Some(flat) = flat {
                let from = &flat.bytes[flat.at(address)..];
                let count = from.len().min(rest.len());
                rest[..count].copy_from_slice(&from[..count]);
                count
            } else {
                let slot = self.find(address / SIZE as u64);
                *first = slot.map_or(0, |slot| self.bytes[slot.start() + address as usize % SIZE]);
                1
            };
            (address, rest) = (address.wrapping_add(count as u64), &mut rest[count..]);
        }
    }

    /// Returns the bytes from an address on. Returns `None` if one of them must not be read, or if there
    /// is not enough memory for the copy.
    #[must_use]
    pub fn bytes(&self, address: u64, count: u64) -> Option<Vec<u8>> {
        let mut done = 0;
        while done < count && !self.is_open {
            let from = address.wrapping_add(done);
            let all = self.flats().iter().map(|flat| &flat.region).chain(&self.regions);
            let mut readable = all.filter(|region| region.permissions.read);
            let region = readable.find(|region| region.contains(from))?;
            done = done.saturating_add(region.length - from.wrapping_sub(region.start));
        }
        let count = usize::try_from(count).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).ok()?;
        bytes.resize(count, 0);
        self.copy(address, &mut bytes);
        Some(bytes)
    }

    /// Writes bytes without regard to permissions, for example to load a program. They do not count as
    /// written by an instruction.
    pub fn put(&mut self, address: u64, bytes: &[u8]) {
        let (mut address, mut rest) = (address, bytes);
        while let [first, ..] = rest {
            let number = address / SIZE as u64;
            let count = if let Some(flat) = self.flat_mut(address) {
                let at = flat.at(address);
                let to = &mut flat.bytes[at..];
                let count = to.len().min(rest.len());
                to[..count].copy_from_slice(&rest[..count]);
                count
            } else {
                // A page that does not exist contains zeros.
                if *first != 0 || self.find(number).is_some() {
                    let at = self.page(number) + address as usize % SIZE;
                    self.bytes[at] = *first;
                }
                1
            };
            (address, rest) = (address.wrapping_add(count as u64), &rest[count..]);
        }
        self.has_new_code = true;
    }

    /// Copies the bytes at an address that may be executed, and returns their number, for
    /// [`Processor::fetch`](super::Processor::fetch).
    pub fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize {
        let executable = |at: &usize| self.permissions(address.wrapping_add(*at as u64)).execute;
        let count = (0..MAX_LENGTH).take_while(executable).count();
        self.copy(address, &mut bytes[..count]);
        count
    }

    /// Marks bytes as decoded, for [`Processor::watch`](super::Processor::watch).
    pub fn watch(&mut self, address: u64, length: u64) {
        // A small module has no runner.
        if crate::IS_SMALL {
            return;
        }
        self.watched.add(address, length);
    }

    /// Returns whether decoded bytes may have changed since the last call, for
    /// [`Processor::take_code_change`](super::Processor::take_code_change). If so, it removes the
    /// marks.
    #[inline]
    pub fn take_code_change(&mut self) -> bool {
        self.has_new_code && self.remove_marks()
    }

    #[cold]
    fn remove_marks(&mut self) -> bool {
        self.has_new_code = false;
        if !crate::IS_SMALL {
            self.watched = Watched::default();
        }
        true
    }

    /// Appends the places that instructions have written, in a memory with this index.
    pub(super) fn add_written(&self, file: u8, places: &mut Vec<StateLocation>) {
        let mut addresses = Vec::new();
        let pages = self.pages.iter().map(|number| number * SIZE as u64);
        for (start, lines) in pages.zip(self.written.chunks(SIZE / LINE)) {
            add_marked(&mut addresses, start, lines);
        }
        for flat in self.flats() {
            add_marked(&mut addresses, flat.region.start, &flat.written);
        }
        sort_by_key(&mut addresses, |address| *address);
        // A byte was written in a page if its region became flat later.
        addresses.dedup();
        addresses.into_iter().for_each(|address| add_byte(places, file, address));
    }

    /// Returns the number in up to 16 bytes; 0 if they must not be read.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn load(&self, address: u64, length: u64, order: ByteOrder) -> u128 {
        if crate::IS_SMALL {
            return self.load_each(address, length, order);
        }
        let little = match length {
            1 => self.read(address).map(|bytes| u8::from_le_bytes(bytes).into()),
            2 => self.read(address).map(|bytes| u16::from_le_bytes(bytes).into()),
            4 => self.read(address).map(|bytes| u32::from_le_bytes(bytes).into()),
            8 => self.read(address).map(|bytes| u64::from_le_bytes(bytes).into()),
            16 => self.read(address).map(u128::from_le_bytes),
            _ => return self.load_each(address, length, order),
        };
        let little = little.unwrap_or(0);
        if order.is_big_endian() { little.swap_bytes() >> (128 - 8 * length) } else { little }
    }

    #[cold]
    fn load_each(&self, address: u64, length: u64, order: ByteOrder) -> u128 {
        let (mut bytes, length) = ([0; 16], length.min(16));
        self.copy(address, &mut bytes[..length as usize]);
        order.word(&bytes, length as u8 * 8)
    }

    /// Stores a number of up to 16 bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn store(&mut self, address: u64, length: u64, number: u128, order: ByteOrder) {
        if crate::IS_SMALL {
            let length = length.min(16) as u8;
            let bytes = order.bytes(number, length * 8);
            self.write_each(address, &bytes[..usize::from(length)], true);
            return;
        }
        let little = match order.is_big_endian() {
            true => number.swap_bytes() >> (128 - 8 * length.clamp(1, 16)),
            false => number,
        };
        let _ = match length {
            1 => self.write_recorded(address, (little as u8).to_le_bytes(), true),
            2 => self.write_recorded(address, (little as u16).to_le_bytes(), true),
            4 => self.write_recorded(address, (little as u32).to_le_bytes(), true),
            8 => self.write_recorded(address, (little as u64).to_le_bytes(), true),
            16 => self.write_recorded(address, little.to_le_bytes(), true),
            _ => self.write_each(address, &little.to_le_bytes()[..length.min(16) as usize], true),
        };
    }
}

/// Appends the addresses of the bytes that are marked in lines. The first line begins at `start`.
fn add_marked(addresses: &mut Vec<u64>, start: u64, lines: &[u64]) {
    let mut line_start = start;
    for line in lines {
        for at in SetBits(*line) {
            addresses.push(line_start.wrapping_add(at.into()));
        }
        line_start = line_start.wrapping_add(LINE as u64);
    }
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
