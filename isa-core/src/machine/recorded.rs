//! Stores the state of machines whose places have names, and records the accesses of instructions. This
//! module is in `isa-core` because tests and debuggers need it without a command line.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;

use super::memory::{AddressSpace, Permissions};
use super::named::{RegisterFiles, StateLocation, StateLocations, Trace};
use super::processor::MAX_LENGTH;
use super::register_file::RegisterFile;
use crate::table::ByteOrder;

/// Defines a machine whose state has names, with one line for each file of registers and each
/// memory.
///
/// The struct has a field `state` of type [`NamedState`], and a constant for each file. Your
/// implementations of the machine traits use these constants to read and write the files. `let` fields
/// follow the constants. Tools cannot access them by name, and their initial values are the defaults of
/// their types. The method
/// [`load_program`](crate::machine::NamedMachine::load_program) stores a program in the first
/// [`RegisterFile::memory`](crate::machine::RegisterFile::memory). The command `exec` loads a program at
/// the address in the program counter.
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
                    const $file: $kind = <$kind>::at(RegisterWidth::$file as u8, Self::FILES);
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
            fn stop_trace(&mut self) {
                self.state.stop_trace();
            }
            fn take_trace(&mut self) -> $crate::machine::Trace {
                self.state.take_trace()
            }
            fn load_program(&mut self, address: u64, bytes: &[u8]) {
                self.state.load_program(address, bytes);
            }
            fn load_data(&mut self, address: u64, bytes: &[u8], zeros: usize) {
                self.state.load_data(address, bytes, zeros);
            }
        }

        impl $crate::machine::Processor for $name {
            #[inline]
            fn pc(&self) -> u64 {
                self.state.pc()
            }
            #[inline]
            fn next(&self) -> u64 {
                self.state.next()
            }
            #[inline]
            fn begin(&mut self, address: u64, next: u64) {
                self.state.begin(address, next);
            }
            fn fetch(&self, address: u64, bytes: &mut [u8; $crate::machine::MAX_LENGTH]) -> usize {
                self.state.fetch(address, bytes)
            }
            fn watch(&mut self, address: u64, length: u64) {
                self.state.watch(address, length);
            }
            #[inline]
            fn take_code_change(&mut self) -> bool {
                self.state.take_code_change()
            }
            fn is_coherent(&self) -> bool {
                self.state.is_coherent()
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
    /// The index of the first register among those of all files.
    first: u32,
    count: u32,
    content: PhantomData<fn() -> T>,
}

impl<T: RecordedContent> RecordedRegisters<T> {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(file: u8, files: RegisterFiles) -> Self {
        let (first, count) = (first_register(files, file), files.0[file as usize].count() as u32);
        RecordedRegisters { first, count, content: PhantomData }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn file(file: RegisterFile) -> RegisterFile {
        file.with_bits(T::BITS)
    }
}

/// Returns the number of registers in the files before `file`.
const fn first_register(files: RegisterFiles, file: u8) -> u32 {
    let (mut first, mut at) = (0, 0);
    while at < file as usize {
        first += files.0[at].count() as u32;
        at += 1;
    }
    first
}

/// A memory of a [`NamedState`]. All its bytes are initially 0.
#[derive(Debug, Clone, Copy)]
pub struct RecordedMemory {
    file: u8,
    order: ByteOrder,
}

impl RecordedMemory {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(file: u8, files: RegisterFiles) -> Self {
        RecordedMemory { file, order: order_of(&files.0[file as usize]) }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn file(file: RegisterFile) -> RegisterFile {
        file.with_bits(8)
    }
}

/// Returns the byte order of a memory.
const fn order_of(file: &RegisterFile) -> ByteOrder {
    if file.is_big_endian() { ByteOrder::BigEndian } else { ByteOrder::LittleEndian }
}

/// The program counter of a [`NamedState`]. It has 64 bits, or the number set by
/// [`RegisterFile::address_bits`].
#[derive(Debug, Clone, Copy)]
pub struct Counter(());

impl Counter {
    #[doc(hidden)]
    #[must_use]
    pub const fn at(_: u8, _: RegisterFiles) -> Self {
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
    /// The registers of all files. The value of the program counter is the target of the last jump.
    registers: Vec<Register>,
    /// The upper halves of all registers, if a file has registers of more than 64 bits.
    upper: Vec<UpperBits>,
    /// The memory of each file, which is empty for registers, and a memory for code at the end.
    memories: Vec<AddressSpace>,
    counter: Option<Counting>,
    pc: u64,
    next: u64,
    /// The index of the memory that contains the loaded programs.
    code: u8,
    /// The accesses to memories since the last call of `take_trace`, if a trace was started.
    trace: Option<RefCell<Trace>>,
}

/// A register. Its accesses set flags whether or not a trace was started, because a test would take more
/// time.
#[derive(Debug, Clone, Default)]
struct Register {
    /// The lower 64 bits.
    value: u64,
    /// The lower 64 bits before the last write.
    previous: u64,
    /// Whether an instruction has written it.
    is_written: bool,
    /// Whether an instruction has read it since the last call of `take_trace`.
    is_read: Cell<bool>,
    /// Whether an instruction has written it since the last call of `take_trace`.
    is_new: bool,
}

impl Register {
    #[inline(always)]
    const fn write(&mut self, value: u64) {
        self.previous = core::mem::replace(&mut self.value, value);
        (self.is_written, self.is_new) = (true, true);
    }
}

/// The upper 64 bits of a register, at present and before the last write.
#[derive(Debug, Clone, Copy, Default)]
struct UpperBits {
    value: u64,
    previous: u64,
}

/// Returns the number with this upper and lower half.
const fn joined((upper, lower): (u64, u64)) -> u128 {
    (upper as u128) << 64 | lower as u128
}

/// The file of a program counter.
#[derive(Debug, Clone, Copy)]
struct Counting {
    file: u8,
    /// The index of its register.
    register: usize,
    /// The bits of an address.
    mask: u64,
}

impl NamedState {
    /// Creates a state in which everything is 0 or false.
    #[must_use]
    pub fn new(files: RegisterFiles) -> Self {
        let count = files.0.iter().map(|file| file.count() as usize).sum();
        let counter = (0..).zip(files.0).find(|(_, file)| file.is_counter());
        let counter = counter.map(|(file, row)| {
            let register = first_register(files, file) as usize;
            Counting { file, register, mask: !u64::MAX.unbounded_shl(row.bits().into()) }
        });
        let is_memory = |file: &RegisterFile| file.count() == 0 && file.bank_sizes().is_none();
        NamedState {
            files,
            registers: vec![Register::default(); count],
            upper: match files.0.iter().any(|file| file.bits() > 64) {
                true => vec![UpperBits::default(); count],
                false => Vec::new(),
            },
            memories: (0..=files.0.len()).map(|_| AddressSpace::open()).collect(),
            counter,
            pc: 0,
            next: 0,
            code: files.0.iter().position(is_memory).unwrap_or(files.0.len()) as u8,
            trace: None,
        }
    }

    #[cold]
    fn note_read(&self, place: StateLocation, value: u128) {
        if let Some(trace) = &self.trace {
            let mut trace = trace.borrow_mut();
            if !trace.reads.contains(&(place, value)) {
                trace.reads.push((place, value));
            }
        }
    }

    #[cold]
    fn note_write(&mut self, place: StateLocation, value: u128) {
        if let Some(trace) = &mut self.trace {
            trace.get_mut().writes.push((place, value));
        }
    }

    /// Returns the upper half of a register; 0 if it has no upper half.
    fn upper(&self, index: usize) -> UpperBits {
        self.upper.get(index).copied().unwrap_or_default()
    }

    /// Reads a register, and records the read if a trace was started.
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn read<T: RecordedContent>(
        &self,
        file: RecordedRegisters<T>,
        number: impl Into<u64>,
    ) -> T {
        let number = number.into();
        let index = file.first as usize + number as usize;
        let register = self.registers.get(index).filter(|_| number < file.count.into());
        let Some(register) = register else { return T::from_bits(0) };
        register.is_read.set(true);
        let upper = if T::BITS > 64 { self.upper(index).value } else { 0 };
        T::from_bits(joined((upper, register.value)))
    }

    /// Writes a register, and records the write.
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn write<T: RecordedContent>(
        &mut self,
        file: RecordedRegisters<T>,
        number: impl Into<u64>,
        value: T,
    ) {
        let (number, value) = (number.into(), value.to_bits());
        let index = file.first as usize + number as usize;
        let register = self.registers.get_mut(index).filter(|_| number < file.count.into());
        if let Some(register) = register {
            register.write(value as u64);
            if T::BITS > 64
                && let Some(upper) = self.upper.get_mut(index)
            {
                *upper = UpperBits { value: (value >> 64) as u64, previous: upper.value };
            }
        }
    }

    /// Reads `length` bytes of memory, at most 16, as a number, and records the read if a trace was
    /// started.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[must_use]
    pub fn load(&self, memory: RecordedMemory, address: u64, length: u64) -> u128 {
        // A closure would not be inlined, and would then select the length at run time.
        let value = match self.memories.get(usize::from(memory.file)) {
            Some(bytes) => bytes.load(address, length, memory.order),
            None => 0,
        };
        if self.trace.is_some() {
            self.note_read(StateLocation { file: memory.file, start: address, length }, value);
        }
        value
    }

    /// Writes `length` bytes of memory, at most 16, and records the write.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn store(&mut self, memory: RecordedMemory, address: u64, length: u64, value: u128) {
        if let Some(bytes) = self.memories.get_mut(usize::from(memory.file)) {
            bytes.store(address, length, value, memory.order);
        }
        if self.trace.is_some() {
            self.note_write(StateLocation { file: memory.file, start: address, length }, value);
        }
    }

    /// Reads `length` bytes at an offset of a bank, and records the read if a trace was started.
    /// Returns 0 if the offset does not exist.
    #[must_use]
    pub fn load_bank(&self, memory: RecordedMemory, bank: u64, offset: u64, length: u64) -> u128 {
        let sizes = self.files.0.get(usize::from(memory.file)).and_then(RegisterFile::bank_sizes);
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
    pub const fn pc(&self) -> u64 {
        self.pc
    }

    /// Returns the address of the next instruction: the target of a jump, or else the address after
    /// the current instruction.
    #[inline]
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// Sets the address of the next instruction, and records the write of the program counter.
    #[inline]
    pub fn jump(&mut self, target: u64) {
        let Some(Counting { register, mask, .. }) = self.counter else {
            self.next = target;
            return;
        };
        self.next = target & mask;
        if let Some(register) = self.registers.get_mut(register) {
            register.write(self.next);
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn begin(&mut self, address: u64, next: u64) {
        let mask = self.counter.map_or(u64::MAX, |counter| counter.mask);
        (self.pc, self.next) = (address & mask, next & mask);
    }

    #[doc(hidden)]
    #[must_use]
    pub fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize {
        self.memories.get(usize::from(self.code)).map_or(0, |memory| memory.fetch(address, bytes))
    }

    #[doc(hidden)]
    pub fn watch(&mut self, address: u64, length: u64) {
        if let Some(memory) = self.memories.get_mut(usize::from(self.code)) {
            memory.watch(address, length);
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn take_code_change(&mut self) -> bool {
        let memory = self.memories.get_mut(usize::from(self.code));
        memory.is_some_and(AddressSpace::take_code_change)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn is_coherent(&self) -> bool {
        self.files.0.get(usize::from(self.code)).is_none_or(RegisterFile::is_coherent)
    }

    #[doc(hidden)]
    pub fn load_program(&mut self, address: u64, bytes: &[u8]) {
        if let Some(memory) = self.memories.get_mut(usize::from(self.code)) {
            memory.map_bytes(address, bytes.to_vec(), Permissions::READ_EXECUTE);
        }
    }

    #[doc(hidden)]
    pub fn load_data(&mut self, address: u64, bytes: &[u8], zeros: usize) {
        if let Some(memory) = self.memories.get_mut(usize::from(self.code)) {
            let mut all = bytes.to_vec();
            all.resize(bytes.len() + zeros, 0);
            memory.map_bytes(address, all, Permissions::READ_WRITE);
        }
    }

    /// Returns the index of a register, or `None` if the place is in a memory.
    fn register(&self, place: StateLocation) -> Option<usize> {
        let file = self.files.file(place).filter(|file| file.count() > 0)?;
        // A register that does not exist has an index after the last register.
        let exists = place.start < file.count();
        let index = first_register(self.files, place.file) as usize + place.start as usize;
        Some(if exists { index } else { usize::MAX })
    }

    #[doc(hidden)]
    #[must_use]
    pub fn get(&self, place: StateLocation) -> u128 {
        if self.counter.is_some_and(|counter| counter.file == place.file) {
            return self.pc.into();
        }
        if let Some(register) = self.register(place) {
            let value = self.registers.get(register).map_or(0, |register| register.value);
            return joined((self.upper(register).value, value));
        }
        let Some(file) = self.files.file(place) else { return 0 };
        let memory = self.memories.get(usize::from(place.file));
        memory.map_or(0, |memory| memory.load(place.start, place.length.min(16), order_of(file)))
    }

    #[doc(hidden)]
    pub fn set(&mut self, place: StateLocation, value: u128) {
        let Some(file) = self.files.file(place) else { return };
        if file.is_counter() {
            self.begin(value as u64, value as u64);
        } else if let Some(register) = self.register(place) {
            let value = value & u128::MAX >> 128u8.saturating_sub(file.bits()).min(127);
            if let Some(register) = self.registers.get_mut(register) {
                register.value = value as u64;
            }
            if let Some(upper) = self.upper.get_mut(register) {
                upper.value = (value >> 64) as u64;
            }
        } else if let Some(memory) = self.memories.get_mut(usize::from(place.file)) {
            let length = place.length.min(16) as u8;
            let bytes = order_of(file).bytes(value, length * 8);
            memory.put(place.start, &bytes[..usize::from(length)]);
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn written(&self) -> StateLocations {
        let mut places = Vec::new();
        for (file, row) in (0..).zip(self.files.0) {
            let first = first_register(self.files, file) as usize;
            for start in 0..row.count() {
                if self.registers.get(first + start as usize).is_some_and(|it| it.is_written) {
                    places.push(StateLocation { file, start, length: 1 });
                }
            }
            if let Some(memory) = self.memories.get(usize::from(file)) {
                memory.add_written(file, &mut places);
            }
        }
        places
    }

    #[doc(hidden)]
    pub fn start_trace(&mut self) {
        self.trace = Some(RefCell::default());
        let _ = self.take_trace();
    }

    #[doc(hidden)]
    pub fn stop_trace(&mut self) {
        self.trace = None;
    }

    #[doc(hidden)]
    #[must_use]
    pub fn take_trace(&mut self) -> Trace {
        let Some(accesses) = &mut self.trace else { return Trace::default() };
        let mut memory = core::mem::take(accesses.get_mut());
        let mut trace = Trace::default();
        for (file, row) in (0..).zip(self.files.0) {
            let first = first_register(self.files, file) as usize;
            for start in 0..row.count() {
                let index = first + start as usize;
                let upper = self.upper(index);
                let Some(register) = self.registers.get_mut(index) else { break };
                let place = StateLocation { file, start, length: 1 };
                let value = (upper.value, register.value);
                let mut before = value;
                if core::mem::take(&mut register.is_new) {
                    trace.writes.push((place, joined(value)));
                    before = (upper.previous, register.previous);
                }
                if register.is_read.take() {
                    trace.reads.push((place, joined(before)));
                }
            }
        }
        trace.reads.append(&mut memory.reads);
        trace.writes.append(&mut memory.writes);
        trace
    }
}
