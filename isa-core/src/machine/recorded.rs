//! Stores the state of machines whose places have names, and records the accesses of instructions. This
//! module is in `isa-core` because tests and debuggers need it without a command line.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::marker::PhantomData;

use super::named::{RegisterFiles, StateLocation, StateLocations, Trace};
use super::pages::{Pages, set_bits};
use super::register_file::RegisterFile;
use crate::table::ByteOrder;

/// Defines a machine whose state has names, with one line for each file of registers and each
/// memory.
///
/// The struct has a field `state` of type [`NamedState`], and a constant for each file. Your
/// implementations of the machine traits use these constants to read and write the files. `let` fields
/// follow the constants. Tools cannot access them by name, and their initial values are the defaults of
/// their types. Programs are loaded into the first [`RegisterFile::memory`](crate::machine::RegisterFile::memory), at
/// the address in the program counter, both by [`run`](crate::machine::run) and by the command `exec`.
///
/// ```
/// use isa_core::machine::{Counter, RegisterFile, RecordedMemory, NamedMachine, RecordedRegisters};
///
/// /// What the instructions of some set ask of a machine.
/// trait Registry {
///     fn x(&self, number: u8) -> u16;
///     fn set_x(&mut self, number: u8, value: u16);
/// }
///
/// isa_core::named_state! {
///     /// Eight registers, a flag, a program counter, and memory.
///     pub struct Cpu {
///         const X: RecordedRegisters<u16> = RegisterFile::numbered("x", 8);
///         const CARRY: RecordedRegisters<bool> = RegisterFile::listed(&["carry"]).noun("flag");
///         const PC: Counter = RegisterFile::listed(&["pc"]);
///         const MEM: RecordedMemory = RegisterFile::memory("mem");
///         let stores: usize;
///     }
/// }
///
/// impl Registry for Cpu {
///     fn x(&self, number: u8) -> u16 {
///         self.state.read(Self::X, number)
///     }
///     fn set_x(&mut self, number: u8, value: u16) {
///         self.state.write(Self::X, number, value);
///     }
/// }
///
/// let mut cpu = Cpu::default();
/// cpu.set_x(3, 0x1234);
/// cpu.state.store(Cpu::MEM, 0x1000, 2, cpu.x(3).into());
/// cpu.stores += 1;
/// let names: Vec<_> = cpu.written().into_iter().map(|place| cpu.files().name(place)).collect();
/// assert_eq!(names, ["x3", "mem[0x1000..0x1002]"]);
/// ```
#[macro_export]
macro_rules! named_state {
    (
        $(#[$attribute:meta])*
        $vis:vis struct $name:ident {
            $($(#[doc = $doc:literal])* const $file:ident: $kind:ty = $value:expr;)*
            $(let $field:ident: $content:ty;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone)]
        $vis struct $name {
            state: $crate::machine::NamedState,
            $($field: $content,)*
        }

        const _: () = {
            /// The files in order. The discriminant is the index of a file.
            #[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the constants")]
            enum RegisterWidth { $($file),* }

            impl $name {
                $(
                    $(#[doc = $doc])*
                    #[allow(dead_code, reason = "a program counter is moved without its name")]
                    const $file: $kind = <$kind>::at(RegisterWidth::$file as u8);
                )*

                /// The files, in the order in which they are printed.
                $vis const FILES: $crate::machine::RegisterFiles =
                    $crate::machine::RegisterFiles(&[$(<$kind>::file($value)),*]);
            }
        };

        impl ::core::default::Default for $name {
            fn default() -> Self {
                $name {
                    state: $crate::machine::NamedState::new(Self::FILES),
                    $($field: ::core::default::Default::default(),)*
                }
            }
        }

        impl $crate::machine::NamedMachine for $name {
            fn files(&self) -> $crate::machine::RegisterFiles {
                Self::FILES
            }
            fn get(&self, place: $crate::machine::StateLocation, _: usize) -> u128 {
                self.state.get(place)
            }
            fn set(&mut self, place: $crate::machine::StateLocation, _: usize, value: u128) {
                self.state.set(place, value);
            }
            fn written(&self) -> $crate::machine::StateLocations {
                self.state.written()
            }
            fn start_trace(&mut self) {
                self.state.start_trace();
            }
            fn take_trace(&mut self) -> $crate::machine::Trace {
                self.state.take_trace()
            }
            fn next(&self) -> ::core::option::Option<u64> {
                self.state.goes_on_at()
            }
            fn begin(&mut self, address: u64, length: u64) {
                self.state.begin(address, length);
            }
            fn load_program(&mut self, address: u64, bytes: &[u8]) {
                self.state.load_program(address, bytes);
            }
        }
    };
}

/// A value that a register can contain: an unsigned number or a truth value.
pub trait RecordedContent: Copy {
    /// The width in bits.
    const BITS: u8;

    /// Returns the value that is encoded as `bits`.
    fn from_bits(bits: u128) -> Self;

    /// Returns the bits of the value.
    fn to_bits(self) -> u128;
}

macro_rules! contents {
    ($($number:ty)*) => {
        $(
            impl RecordedContent for $number {
                const BITS: u8 = <$number>::BITS as u8;

                #[inline]
                fn from_bits(bits: u128) -> Self {
                    bits as Self
                }

                #[inline]
                fn to_bits(self) -> u128 {
                    self.into()
                }
            }
        )*
    };
}

contents!(u8 u16 u32 u64 u128);

impl RecordedContent for bool {
    const BITS: u8 = 1;

    #[inline]
    fn from_bits(bits: u128) -> Self {
        bits & 1 == 1
    }

    #[inline]
    fn to_bits(self) -> u128 {
        self.into()
    }
}

/// A register file of a [`NamedState`] with values of type `T`; `bool` for flags.
#[derive(Debug, Clone, Copy)]
pub struct RecordedRegisters<T> {
    file: u8,
    content: PhantomData<fn() -> T>,
}

impl<T: RecordedContent> RecordedRegisters<T> {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(file: u8) -> Self {
        RecordedRegisters { file, content: PhantomData }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn file(file: RegisterFile) -> RegisterFile {
        file.with_bits(T::BITS)
    }
}

/// A memory of a [`NamedState`]. All its bytes are initially 0.
#[derive(Debug, Clone, Copy)]
pub struct RecordedMemory(u8);

impl RecordedMemory {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(file: u8) -> Self {
        RecordedMemory(file)
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn file(file: RegisterFile) -> RegisterFile {
        file.with_bits(8)
    }
}

/// The program counter of a [`NamedState`]. It has 64 bits, or the number set by
/// [`RegisterFile::address_bits`].
#[derive(Debug, Clone, Copy)]
pub struct Counter(());

impl Counter {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(_: u8) -> Self {
        Counter(())
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn file(file: RegisterFile) -> RegisterFile {
        file.counting()
    }
}

/// The state of a machine whose places have names. It records the writes of instructions. After a trace
/// was started, it also records their reads.
///
/// Registers that do not exist are read as 0, and writes to them have no effect. It never panics.
#[derive(Debug, Clone)]
pub struct NamedState {
    files: RegisterFiles,
    values: Vec<Box<[u128]>>,
    /// One bit for each register that was written.
    written: Vec<Box<[u64]>>,
    memory: Pages,
    /// The index of the program counter's file.
    counter: Option<u8>,
    next: u64,
    trace: Option<RefCell<Trace>>,
}

impl NamedState {
    /// Creates a state in which everything is 0 or false.
    #[must_use]
    pub fn new(files: RegisterFiles) -> Self {
        let counts = || files.0.iter().map(|file| file.count() as usize);
        NamedState {
            files,
            values: counts().map(|count| vec![0; count].into()).collect(),
            written: counts().map(|count| vec![0; count.div_ceil(64)].into()).collect(),
            memory: Pages::default(),
            counter: files.0.iter().position(RegisterFile::is_counter).map(|number| number as u8),
            next: 0,
            trace: None,
        }
    }

    fn value(&self, file: u8, number: u64) -> u128 {
        let file = self.values.get(usize::from(file));
        file.and_then(|file| file.get(number as usize)).copied().unwrap_or_default()
    }

    /// Sets a register and returns whether it exists. Bits beyond the width of the register are
    /// dropped.
    fn put(&mut self, file: u8, number: u64, value: u128) -> bool {
        let bits = self.files.0.get(usize::from(file)).map_or(128, RegisterFile::bits);
        let value = value & u128::MAX >> 128u8.saturating_sub(bits).min(127);
        let file = self.values.get_mut(usize::from(file));
        let place = file.and_then(|file| file.get_mut(number as usize));
        place.map(|place| *place = value).is_some()
    }

    fn mark(&mut self, file: u8, number: u64) {
        let file = self.written.get_mut(usize::from(file));
        if let Some(bits) = file.and_then(|file| file.get_mut(number as usize / 64)) {
            *bits |= 1 << (number % 64);
        }
    }

    fn note_read(&self, place: StateLocation, value: u128) {
        if let Some(trace) = &self.trace {
            let mut trace = trace.borrow_mut();
            if !trace.reads.contains(&(place, value)) {
                trace.reads.push((place, value));
            }
        }
    }

    fn note_write(&mut self, place: StateLocation, value: u128) {
        if let Some(trace) = &mut self.trace {
            trace.get_mut().writes.push((place, value));
        }
    }

    /// Reads a register, and records the read if a trace was started.
    #[inline]
    pub fn read<T: RecordedContent>(
        &self,
        file: RecordedRegisters<T>,
        number: impl Into<u64>,
    ) -> T {
        let (file, start) = (file.file, number.into());
        let value = self.value(file, start);
        self.note_read(StateLocation { file, start, length: 1 }, value);
        T::from_bits(value)
    }

    /// Writes a register, and records the write.
    #[inline]
    pub fn write<T: RecordedContent>(
        &mut self,
        file: RecordedRegisters<T>,
        number: impl Into<u64>,
        value: T,
    ) {
        let (file, start, value) = (file.file, number.into(), value.to_bits());
        if self.put(file, start, value) {
            self.mark(file, start);
            self.note_write(StateLocation { file, start, length: 1 }, value);
        }
    }

    /// Reads `length` bytes of memory, at most 16, as a number, and records the read if a trace was
    /// started.
    #[must_use]
    pub fn load(&self, memory: RecordedMemory, address: u64, length: u64) -> u128 {
        let place = StateLocation { file: memory.0, start: address, length };
        let value = self.get(place);
        self.note_read(place, value);
        value
    }

    /// Writes `length` bytes of memory, at most 16, and records the write.
    pub fn store(&mut self, memory: RecordedMemory, address: u64, length: u64, value: u128) {
        let place = StateLocation { file: memory.0, start: address, length };
        self.set(place, value);
        self.memory.mark(place);
        self.note_write(place, value);
    }

    /// Reads `length` bytes at an offset of a bank, and records the read if a trace was started.
    /// Returns 0 if the offset does not exist.
    #[must_use]
    pub fn load_bank(&self, memory: RecordedMemory, bank: u64, offset: u64, length: u64) -> u128 {
        let sizes = self.files.0.get(usize::from(memory.0)).and_then(RegisterFile::bank_sizes);
        match sizes {
            Some((banks, size)) if bank < banks && offset < size => {
                self.load(memory, bank * size + offset, length)
            }
            _ => 0,
        }
    }

    /// Returns the address of the current instruction.
    #[inline]
    #[must_use]
    pub fn pc(&self) -> u64 {
        self.counter.map_or(0, |file| self.value(file, 0) as u64)
    }

    /// Returns the address of the next instruction: the target of a jump, or else the address after
    /// the current instruction.
    #[inline]
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// Sets the address of the next instruction, and records the write of the program counter.
    pub fn jump(&mut self, target: u64) {
        let target = self.within(target);
        self.next = target;
        if let Some(file) = self.counter {
            self.mark(file, 0);
            self.note_write(StateLocation { file, start: 0, length: 1 }, target.into());
        }
    }

    /// Truncates an address to the width of the program counter.
    fn within(&self, address: u64) -> u64 {
        let bits = self
            .counter
            .and_then(|file| self.files.0.get(usize::from(file)))
            .map_or(64, RegisterFile::bits);
        address & !u64::MAX.unbounded_shl(bits.into())
    }

    #[doc(hidden)]
    #[must_use]
    pub fn goes_on_at(&self) -> Option<u64> {
        self.counter.map(|_| self.next)
    }

    #[doc(hidden)]
    pub fn begin(&mut self, address: u64, length: u64) {
        if let Some(file) = self.counter {
            self.put(file, 0, address.into());
            self.next = self.within(address.wrapping_add(length));
        }
    }

    #[doc(hidden)]
    pub fn load_program(&mut self, address: u64, bytes: &[u8]) {
        let is_memory = |file: &RegisterFile| file.count() == 0 && file.bank_sizes().is_none();
        if let Some(file) = self.files.0.iter().position(is_memory) {
            self.memory.put(file as u8, address, bytes.iter().copied());
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn get(&self, place: StateLocation) -> u128 {
        let StateLocation { file, start, length } = place;
        if self.values.get(usize::from(file)).is_some_and(|file| !file.is_empty()) {
            return self.value(file, start);
        }
        self.order_of(file).word(&self.memory.bytes(place), length.min(16) as u8 * 8)
    }

    /// Returns the byte order of a memory.
    fn order_of(&self, file: u8) -> ByteOrder {
        match self.files.0.get(usize::from(file)) {
            Some(file) if file.is_big_endian() => ByteOrder::BigEndian,
            _ => ByteOrder::LittleEndian,
        }
    }

    #[doc(hidden)]
    pub fn set(&mut self, place: StateLocation, value: u128) {
        let StateLocation { file, start, length } = place;
        if self.values.get(usize::from(file)).is_none_or(|file| !file.is_empty()) {
            if self.put(file, start, value) && Some(file) == self.counter {
                self.next = self.within(value as u64);
            }
            return;
        }
        let bytes = self.order_of(file).bytes_of(value, length as usize);
        self.memory.put(file, start, bytes);
    }

    #[doc(hidden)]
    #[must_use]
    pub fn written(&self) -> StateLocations {
        let mut places = Vec::new();
        for (file, bits) in (0..).zip(&self.written) {
            places.extend(set_bits(bits).map(|start| StateLocation { file, start, length: 1 }));
            self.memory.add_written(file, &mut places);
        }
        places
    }

    #[doc(hidden)]
    pub fn start_trace(&mut self) {
        self.trace = Some(RefCell::default());
    }

    #[doc(hidden)]
    #[must_use]
    pub fn take_trace(&mut self) -> Trace {
        self.trace.as_mut().map(|trace| core::mem::take(trace.get_mut())).unwrap_or_default()
    }
}
