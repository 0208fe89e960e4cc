//! Fuzz target: runs the tool as a function on valid and hostile ELF files, with limits for memory
//! and time.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use isa_core::shown::is_shown;
use isa_defs::cli::{Io, Status};

use super::reached;

/// A 64-bit ELF file that is built from parts, which may be inconsistent.
#[derive(Debug, Clone)]
pub struct File {
    /// `e_type`: 1 is an object, 2 is an executable.
    pub kind: u16,
    /// `e_machine`.
    pub machine: u16,
    /// `e_flags`.
    pub flags: u32,
    /// The names of sections and symbols, each followed by a 0 byte.
    pub strings: Vec<u8>,
    /// The sections from index 1 on. The symbol table and the string table follow them.
    pub sections: Vec<Section>,
    /// The symbols from index 1 on.
    pub symbols: Vec<Symbol>,
    /// Indexes of sections that are loaded as segments at their addresses.
    pub segments: Vec<usize>,
}

/// A section.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// The offset of its name in the string table.
    pub name: u32,
    /// `sh_type`: 1 contains bytes, 4 contains relocations with addends, 8 has no bytes in the
    /// file.
    pub kind: u32,
    /// `sh_flags`: 2 is loaded, 4 is executable.
    pub flags: u64,
    /// `sh_addr`.
    pub address: u64,
    /// The contents in the file.
    pub bytes: Vec<u8>,
    /// The offset and size in the header, if they differ from the offset and size of `bytes`.
    pub overlay: Option<(u64, u64)>,
    /// `sh_link` and `sh_info`.
    pub link: (u32, u32),
}

/// A symbol.
#[derive(Debug, Clone, Copy, Default)]
pub struct Symbol {
    /// The offset of its name in the string table.
    pub name: u32,
    /// `st_info`: 0 is local, 16 is global, 2 is a function, 3 is a section.
    pub info: u8,
    /// The index of its section.
    pub section: u16,
    /// `st_value`.
    pub value: u64,
}

impl File {
    /// Creates a RISC-V object with one section of code, `.text`.
    #[must_use]
    pub fn object(code: &[u8]) -> Self {
        let text = Section { name: 1, kind: 1, flags: 6, bytes: code.into(), ..Section::default() };
        File {
            kind: 1,
            machine: 243,
            flags: 1,
            strings: b"\0.text\0".into(),
            sections: vec![text],
            symbols: Vec::new(),
            segments: Vec::new(),
        }
    }

    /// Adds a name and returns its offset.
    pub fn name(&mut self, name: &str) -> u32 {
        let place = self.strings.len() as u32;
        self.strings.extend_from_slice(name.as_bytes());
        self.strings.push(0);
        place
    }

    /// Returns the index of the symbol table.
    #[must_use]
    pub fn symbol_table(&self) -> u32 {
        self.sections.len() as u32 + 1
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn build(&self) -> Vec<u8> {
        let mut file = vec![0; 64 + 56 * self.segments.len()];
        let mut headers = vec![0; 64];
        for section in &self.sections {
            let own = (file.len() as u64, section.bytes.len() as u64);
            file.extend_from_slice(&section.bytes);
            header(&mut headers, section, section.overlay.unwrap_or(own), 1);
        }
        let (symbols, table) = (file.len() as u64, self.symbol_table());
        file.resize(file.len() + 24, 0);
        for symbol in &self.symbols {
            file.extend(symbol.name.to_le_bytes());
            file.extend([symbol.info, 0]);
            file.extend(symbol.section.to_le_bytes());
            file.extend(symbol.value.to_le_bytes());
            file.extend([0; 8]);
        }
        let names = file.len() as u64;
        file.extend_from_slice(&self.strings);
        let symtab = Section { kind: 2, link: (table + 1, 1), ..Section::default() };
        header(&mut headers, &symtab, (symbols, names - symbols), 24);
        let strtab = Section { kind: 3, ..Section::default() };
        header(&mut headers, &strtab, (names, self.strings.len() as u64), 0);
        for (at, number) in self.segments.iter().enumerate() {
            let at = 64 + 56 * at;
            let Some(section) = headers.get(number * 64..number * 64 + 64) else { continue };
            let [address, offset, size] = [&section[16..24], &section[24..32], &section[32..40]];
            let fields = [offset, address, address, size, size].concat();
            // A loaded segment that is readable and executable.
            file[at..at + 8].copy_from_slice(&[1, 0, 0, 0, 5, 0, 0, 0]);
            file[at + 8..at + 48].copy_from_slice(&fields);
        }
        self.head(&mut file, (headers.len() / 64) as u16, table + 1);
        file.extend(headers);
        file
    }

    /// Writes the ELF header. The section headers will follow the bytes of `file`.
    fn head(&self, file: &mut [u8], count: u16, names: u32) {
        let mut head = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        head.extend([self.kind, self.machine].into_iter().flat_map(u16::to_le_bytes));
        head.extend(1u32.to_le_bytes());
        let entry = self.segments.first().and_then(|number| self.sections.get(number - 1));
        head.extend(entry.map_or(0, |section| section.address).to_le_bytes());
        head.extend([64, file.len() as u64].into_iter().flat_map(u64::to_le_bytes));
        head.extend(self.flags.to_le_bytes());
        let sizes = [64, 56, self.segments.len() as u16, 64, count, names as u16];
        head.extend(sizes.into_iter().flat_map(u16::to_le_bytes));
        file[..64].copy_from_slice(&head);
    }
}

/// Appends a section header.
fn header(headers: &mut Vec<u8>, section: &Section, (offset, size): (u64, u64), entry: u64) {
    let entry = if section.kind == 4 { 24 } else { entry };
    headers.extend([section.name, section.kind].into_iter().flat_map(u32::to_le_bytes));
    let numbers = [section.flags, section.address, offset, size];
    headers.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
    headers.extend([section.link.0, section.link.1].into_iter().flat_map(u32::to_le_bytes));
    headers.extend([1, entry].into_iter().flat_map(u64::to_le_bytes));
}

/// Bytes from which a file is generated.
struct Recipe<'d>(&'d [u8]);

impl Recipe<'_> {
    fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *byte
    }

    /// Returns a number that is usually less than 12, and rarely up to a limit.
    fn number(&mut self, most: usize) -> usize {
        match usize::from(self.byte()) {
            small @ 0..=219 => small % 12,
            large => ((large - 219) * (usize::from(self.byte()) + 1)).min(most),
        }
    }

    /// Returns one of several choices.
    fn pick<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[usize::from(self.byte()) % N]
    }

    /// Generates a file that is usually valid except for its sizes.
    fn file(&mut self) -> File {
        let mut file = File::object(&[]);
        file.kind = self.pick([1, 1, 1, 2, 2, 3]);
        file.flags = self.pick([1, 0, 5, 9]);
        let name = self.pick(["a", "L_2_", "a.b.", "\u{9b}", "\u{202e}x", "operator+"]);
        let long = name.repeat(self.number(9_000) + 1);
        let long = file.name(&long);
        let count = self.number(1_500) + 1;
        let code = self.code();
        let (step, flags) = (self.pick([0, 0, 2, 4096]), self.pick([6, 6, 2, 3, 0]));
        let (names, kind) = (self.pick([0, 1, 2]), self.pick([1, 1, 1, 8, 4]));
        file.sections.clear();
        for number in 0..count as u32 {
            let (flags, kind) = if number % 2 == 0 { (6, 1) } else { (flags, kind) };
            let name = [1, long, long + number][names];
            let address = u64::from(number) * step;
            let bytes = code.clone();
            let link = (0, number);
            file.sections.push(Section { name, kind, flags, address, bytes, link, overlay: None });
        }
        self.symbols(&mut file, long);
        self.relocations(&mut file);
        if file.kind > 1 {
            file.segments = (1..=self.number(500).min(count)).collect();
        }
        if self.byte().is_multiple_of(4) {
            let overlay = Some((64, self.number(20_000) as u64));
            file.sections.iter_mut().for_each(|section| section.overlay = overlay);
        }
        file
    }

    /// Generates instructions: jumps forward and backward, `nop`s, or arbitrary bytes.
    fn code(&mut self) -> Vec<u8> {
        let one: [u8; 4] = self.pick([
            [0x01, 0x00, 0x01, 0x00],
            [0x09, 0xa0, 0xf5, 0xbf],
            [0x6f, 0x00, 0x40, 0x00],
            [0xff, 0xff, 0x00, 0x00],
        ]);
        one.repeat(self.number(40))
    }

    fn symbols(&mut self, file: &mut File, long: u32) {
        let count = file.sections.len();
        let (names, sections) = (self.pick([0, 1, 2]), self.pick([0, 1, 2]));
        let (info, step) = (self.pick([0, 16, 2, 18, 3, 1]), self.pick([0, 1, 2, 4]));
        for number in 0..self.number(6_000) {
            file.symbols.push(Symbol {
                name: [long, long + number as u32, 1][names],
                info,
                section: [1, (number % count + 1) as u16, 0xfff1][sections],
                value: number as u64 * step,
            });
        }
    }

    fn relocations(&mut self, file: &mut File) {
        let (count, step) = (self.number(4_000), self.pick([0, 2, 4]));
        let (kind, target) = (self.pick([45, 17, 2, 1, 16]), self.number(1_500) as u32 + 1);
        if count == 0 {
            return;
        }
        let symbols = file.symbols.len().max(1);
        let mut bytes = Vec::new();
        for number in 0..count {
            let symbol = (number % symbols + 1).min(file.symbols.len()) as u64;
            let fields = [number as u64 * step, symbol << 32 | kind, 0];
            bytes.extend(fields.into_iter().flat_map(u64::to_le_bytes));
        }
        let relocations = Section { kind: 4, bytes, ..Section::default() };
        file.sections.push(relocations);
        let link = (file.symbol_table(), target);
        file.sections.iter_mut().filter(|section| section.kind == 4).for_each(|it| it.link = link);
    }

    /// Overwrites a few numbers at arbitrary offsets of a file.
    fn patch(&mut self, file: &mut [u8]) {
        for _ in 0..self.byte() % 4 {
            let place = usize::from(self.byte()) << 8 | usize::from(self.byte());
            let at = (place * file.len()) >> 16;
            let value = match self.byte() % 4 {
                0 => [0xff; 8],
                1 => (self.number(20_000) as u64).to_le_bytes(),
                2 => (1u64 << (self.byte() % 64)).to_le_bytes(),
                _ => [self.byte(); 8],
            };
            let size = [1, 2, 4, 8][usize::from(self.byte()) % 4];
            file[at..].iter_mut().zip(&value[..size]).for_each(|(byte, new)| *byte = *new);
        }
    }
}

/// Returns the limit of the memory, in bytes, that the tool may have allocated at any time for a
/// file of this length. The memory includes the output.
#[must_use]
pub const fn most_memory(length: usize) -> u64 {
    16 * length as u64 + (64 << 20)
}

/// The limit of processor time. No file from a fuzzer needs nearly as much.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Returns the time for which this thread has run. If the system does not count the time of a
/// thread, returns the elapsed time.
#[must_use]
pub fn time_of_thread() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = counted.and_then(|text| text.split(' ').next()?.parse().ok());
    first.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// Runs the target. The first byte selects the command. It also selects whether the other bytes are a
/// file or a recipe for a file.
///
/// # Panics
///
/// Panics if the tool needs more memory than [`most_memory`] or more than 5 s, if the status and
/// the messages disagree, or if the output contains a character that must not be printed.
pub fn target(data: &[u8]) -> u64 {
    const COMMANDS: [&[&str]; 4] = [
        &["dis"],
        &["dis", "--addresses", "--style", "targets"],
        &["exec", "--steps", "20"],
        &["dis", "--strict", "--json"],
    ];
    let Some((choice, rest)) = data.split_first() else { return 0 };
    let file = match choice % 2 {
        0 => rest.to_vec(),
        _ => {
            let mut recipe = Recipe(rest);
            let mut file = recipe.file().build();
            recipe.patch(&mut file);
            file
        }
    };
    if !file.starts_with(b"\x7fELF") {
        return 0;
    }
    let args = COMMANDS[usize::from(choice / 2) % COMMANDS.len()];
    let (mut out, mut err, mut status) = (Vec::new(), Vec::new(), Status::Success);
    let start = time_of_thread();
    let used = measure(|| {
        let mut input = &*file;
        let io = Io::of(&mut input, &mut out, &mut err);
        status = isa_riscv::tool().run(args.iter().copied(), io);
    });
    let (time, length) = (time_of_thread().saturating_sub(start), file.len());
    assert!(used.bytes_max <= most_memory(length), "{} bytes for {length}", used.bytes_max);
    assert!(time < MOST_TIME, "{time:?} for {length} bytes");
    assert_ne!(status, Status::Usage, "{args:?}");
    assert_eq!(status == Status::Success, err.is_empty(), "{args:?}");
    let [out, err] = [out, err].map(|text| String::from_utf8(text).expect("texts are UTF-8"));
    let hidden = out.chars().chain(err.chars()).find(|&c| c != '\n' && !is_shown(c));
    assert_eq!(hidden, None, "{args:?} shows it");
    let words = err.split([' ', ':']).filter(|word| word.bytes().all(|b| b.is_ascii_lowercase()));
    reached((status as u8, words.take(8).collect::<Vec<_>>(), out.len().checked_ilog2()))
}
