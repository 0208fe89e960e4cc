//! Compares memories with a model that stores each byte and its permissions separately.

#![cfg(feature = "alloc")]

use std::collections::HashMap;

use isa_core::machine::{AddressSpace, MAX_LENGTH, Permissions};

/// A memory without regions and pages.
#[derive(Default)]
struct Model {
    is_open: bool,
    bytes: HashMap<u64, u8>,
    permissions: HashMap<u64, Permissions>,
    watched: Vec<u64>,
    has_new_code: bool,
}

impl Model {
    fn of(&self, address: u64) -> Permissions {
        let mapped = self.permissions.get(&address).copied().unwrap_or_default();
        Permissions {
            read: mapped.read || self.is_open,
            write: mapped.write || self.is_open,
            ..mapped
        }
    }

    fn map(&mut self, start: u64, length: u64, new: Permissions) {
        for address in (0..length).map(|at| start.wrapping_add(at)) {
            let old = self.permissions.entry(address).or_default();
            old.read |= new.read;
            old.write |= new.write;
            old.execute |= new.execute;
        }
    }

    fn byte(&self, address: u64) -> u8 {
        self.bytes.get(&address).copied().unwrap_or_default()
    }

    fn read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let addresses: [u64; N] = core::array::from_fn(|at| address.wrapping_add(at as u64));
        let can_read = addresses.iter().all(|address| self.of(*address).read);
        can_read.then(|| addresses.map(|address| self.byte(address)))
    }

    fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> bool {
        let addresses: [u64; N] = core::array::from_fn(|at| address.wrapping_add(at as u64));
        let can_write = addresses.iter().all(|address| self.of(*address).write);
        if can_write {
            self.has_new_code |= addresses.iter().any(|address| self.watched.contains(address));
            self.bytes.extend(addresses.into_iter().zip(bytes));
        }
        can_write
    }
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Returns an address near a border of a page or of a region, or near the last address.
    fn address(&mut self) -> u64 {
        let base = [0, 0x400, 0x7fc, 0x1000, 0x1040, 0x2000, 0_u64.wrapping_sub(0x20)];
        base[self.below(7) as usize].wrapping_add(self.below(0x50))
    }
}

/// Reads and writes `N` bytes at an address in both memories.
fn compare<const N: usize>(
    memory: &mut AddressSpace,
    model: &mut Model,
    address: u64,
    random: &mut Random,
) {
    assert_eq!(memory.read::<N>(address), model.read::<N>(address), "{N} bytes at {address:#x}");
    if random.below(2) == 0 {
        let bytes = core::array::from_fn(|_| random.below(256) as u8);
        let (found, wanted) = (memory.write::<N>(address, bytes), model.write::<N>(address, bytes));
        assert_eq!(found, wanted, "{N} bytes to {address:#x}");
    }
}

#[test]
fn random_accesses_give_the_same_results_as_in_a_model() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut changes = 0;
    for case in 0..400 {
        let is_open = case % 4 == 0;
        let mut memory = if is_open { AddressSpace::open() } else { AddressSpace::default() };
        let mut model = Model { is_open, ..Model::default() };
        for _ in 0..300 {
            let address = random.address();
            match random.below(24) {
                0 => {
                    let permissions = Permissions {
                        read: random.below(4) > 0,
                        write: random.below(2) == 0,
                        execute: random.below(2) == 0,
                    };
                    let length = random.below(0x60);
                    model.map(address, length, permissions);
                    if random.below(2) == 0 {
                        memory.map(address, length, permissions);
                    } else {
                        let bytes: Vec<u8> = (0..length).map(|_| random.below(3) as u8).collect();
                        memory.map_bytes(address, bytes.clone(), permissions);
                        let addresses = (0..).map(|at| address.wrapping_add(at));
                        model.bytes.extend(addresses.zip(bytes));
                    }
                    assert!(memory.take_code_change() || length == 0);
                    (model.has_new_code, model.watched) = (false, vec![]);
                }
                1 => {
                    let bytes: Vec<u8> =
                        (0..random.below(40)).map(|_| random.below(3) as u8).collect();
                    memory.put(address, &bytes);
                    model.bytes.extend((0..).map(|at| address.wrapping_add(at)).zip(bytes));
                    assert!(memory.take_code_change());
                    (model.has_new_code, model.watched) = (false, vec![]);
                }
                2 => {
                    let length = random.below(50);
                    memory.watch(address, length);
                    model.watched.extend((0..length).map(|at| address.wrapping_add(at)));
                }
                3 => {
                    let change = memory.take_code_change();
                    assert_eq!(change, model.has_new_code);
                    if change {
                        changes += 1;
                        (model.has_new_code, model.watched) = (false, vec![]);
                    }
                }
                4 => {
                    let mut bytes = [0; MAX_LENGTH];
                    let count = memory.fetch(address, &mut bytes);
                    let addresses = (0..MAX_LENGTH as u64).map(|at| address.wrapping_add(at));
                    let wanted: Vec<u8> = addresses
                        .take_while(|address| model.of(*address).execute)
                        .map(|address| model.byte(address))
                        .collect();
                    assert_eq!(bytes[..count], wanted);
                }
                5 => {
                    let count = random.below(100);
                    let addresses: Vec<u64> =
                        (0..count).map(|at| address.wrapping_add(at)).collect();
                    let can_read = addresses.iter().all(|address| model.of(*address).read);
                    let wanted: Vec<u8> =
                        addresses.iter().map(|address| model.byte(*address)).collect();
                    assert_eq!(memory.bytes(address, count), can_read.then_some(wanted));
                }
                6..10 => compare::<1>(&mut memory, &mut model, address, &mut random),
                10..14 => compare::<2>(&mut memory, &mut model, address, &mut random),
                14..18 => compare::<4>(&mut memory, &mut model, address, &mut random),
                18..22 => compare::<8>(&mut memory, &mut model, address, &mut random),
                _ => compare::<16>(&mut memory, &mut model, address, &mut random),
            }
        }
    }
    assert!(changes > 50, "{changes}");
}

#[test]
fn a_count_that_does_not_fit_is_refused() {
    let memory = AddressSpace::open();
    assert_eq!(memory.bytes(0, u64::MAX), None);
}

#[test]
fn zeros_replace_bytes_that_were_in_a_page_before_the_region() {
    let mut memory = AddressSpace::open();
    assert!(memory.write(0x1000, [1, 2, 3, 4]));
    memory.map(0x1000, 0x1000, Permissions::READ_WRITE);
    assert_eq!(memory.read(0x1000), Some([1, 2, 3, 4]));
    assert!(memory.write(0x1000, [0; 4]));
    // The regions overlap, so their bytes move to pages.
    memory.map(0x1800, 0x1000, Permissions::READ_WRITE);
    assert_eq!(memory.read(0x1000), Some([0; 4]));
}
