//! As much of the format of executables as it takes to run one.

use core::fmt;

use super::hart::Segment;

/// A static executable for 64-bit RISC-V.
#[derive(Debug, Clone)]
pub struct Executable {
    /// The address of the first instruction.
    pub entry: u64,
    /// What is loaded.
    pub segments: Vec<Segment>,
}

/// Why a file cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElfError {
    /// It does not begin as an ELF file.
    NotElf,
    /// It is for words of 32 bits, or has the highest byte first.
    OtherClass,
    /// It is for another processor, by this number.
    OtherMachine(u16),
    /// It is no executable at fixed addresses.
    NotStatic,
    /// It ends before what its headers speak of.
    Truncated,
    /// A segment does not fit: its size, or its place at the end of the address space.
    TooLarge,
}

impl fmt::Display for ElfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElfError::NotElf => f.write_str("no ELF file"),
            ElfError::OtherClass => {
                f.write_str("not a 64-bit little-endian program\nhelp: compile for `riscv64`")
            }
            ElfError::OtherMachine(number) => write!(
                f,
                "a program for another processor (ELF machine {number}, RISC-V is 243)\n\
                 help: compile with `riscv64-linux-gnu-gcc`"
            ),
            ElfError::NotStatic => f.write_str(
                "not a static executable\nhelp: link with `-static -no-pie`; object files, \
                 libraries and programs that load libraries do not run",
            ),
            ElfError::Truncated => f.write_str("the file is cut off"),
            ElfError::TooLarge => {
                f.write_str("a segment is larger than 1 GiB or beyond the address space")
            }
        }
    }
}

impl core::error::Error for ElfError {}

/// The length of the file's header.
const HEADER: u64 = 64;
const RISCV: u64 = 243;
/// The type of executables at fixed addresses.
const EXEC: u64 = 2;
/// Kinds of segments: what is loaded, and the name of a loader of libraries.
const LOAD: u64 = 1;
const INTERPRETER: u64 = 3;
/// The most that is loaded.
const LIMIT: u64 = 1 << 30;

impl Executable {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What it is instead of a static executable for 64-bit RISC-V.
    pub fn read(bytes: &[u8]) -> Result<Self, ElfError> {
        if !bytes.starts_with(b"\x7fELF") {
            return Err(ElfError::NotElf);
        }
        if !bytes[4..].starts_with(&[2, 1]) {
            return Err(ElfError::OtherClass);
        }
        let file = File(bytes);
        file.part(0, HEADER)?;
        match file.number(0x12, 2)? {
            RISCV => {}
            other => return Err(ElfError::OtherMachine(other as u16)),
        }
        if file.number(0x10, 2)? != EXEC {
            return Err(ElfError::NotStatic);
        }
        let (table, size, count) =
            (file.number(0x20, 8)?, file.number(0x36, 2)?, file.number(0x38, 2)?);
        let mut segments: Vec<Segment> = Vec::new();
        for index in 0..count {
            let header = table.checked_add(index * size).ok_or(ElfError::Truncated)?;
            match file.number(header, 4)? {
                INTERPRETER => return Err(ElfError::NotStatic),
                LOAD => {
                    let left = segments.iter().fold(LIMIT, |left, s| left - s.bytes.len() as u64);
                    segments.push(file.segment(header, left)?);
                }
                _ => {}
            }
        }
        Ok(Executable { entry: file.number(0x18, 8)?, segments })
    }
}

struct File<'b>(&'b [u8]);

impl<'b> File<'b> {
    fn part(&self, at: u64, len: u64) -> Result<&'b [u8], ElfError> {
        let (start, end) = (usize::try_from(at), usize::try_from(at.saturating_add(len)));
        let range = start.ok().zip(end.ok()).map(|(start, end)| start..end);
        range.and_then(|range| self.0.get(range)).ok_or(ElfError::Truncated)
    }

    fn number(&self, at: u64, len: u64) -> Result<u64, ElfError> {
        let bytes = self.part(at, len)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// The segment of a program header, of at most `left` bytes.
    fn segment(&self, header: u64, left: u64) -> Result<Segment, ElfError> {
        let field = |offset, len| self.number(header.saturating_add(offset), len);
        let (flags, offset, start) = (field(4, 4)?, field(8, 8)?, field(16, 8)?);
        let (in_file, in_memory) = (field(32, 8)?, field(40, 8)?);
        let fits = in_memory <= left && start.checked_add(in_memory).is_some();
        if !fits || in_file > in_memory {
            return Err(ElfError::TooLarge);
        }
        let mut bytes = self.part(offset, in_file)?.to_vec();
        bytes.resize(in_memory as usize, 0);
        Ok(Segment { start, bytes, writable: flags & 2 != 0, executable: flags & 1 != 0 })
    }
}
