//! A loader for ELF executables.

use core::fmt;

use object::LittleEndian;
use object::elf::{self, FileHeader64, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader};

use super::hart::Segment;

/// A static executable for 64-bit RISC-V.
#[derive(Debug, Clone)]
pub struct Executable {
    /// The address of the first instruction.
    pub entry: u64,
    /// The segments to load.
    pub segments: Vec<Segment>,
}

/// The reason why a file cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElfError {
    /// The file does not begin with the ELF magic number.
    NotElf,
    /// The file is a 32-bit or a big-endian file.
    OtherClass,
    /// The file is for another processor, with this ELF machine number.
    OtherMachine(u16),
    /// The file is not an executable at fixed addresses.
    NotStatic,
    /// The file ends before the data that its headers refer to.
    Truncated,
    /// A segment is too large or extends beyond the address space.
    TooLarge,
}

impl fmt::Display for ElfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElfError::NotElf => f.write_str("not an ELF file"),
            ElfError::OtherClass => {
                f.write_str("not a 64-bit little-endian program\nhelp: compile for `riscv64`")
            }
            ElfError::OtherMachine(number) => write!(
                f,
                "expected a RISC-V program (ELF machine 243), found ELF machine {number}\n\
                 help: compile with `riscv64-linux-gnu-gcc`"
            ),
            ElfError::NotStatic => f.write_str(
                "not a static executable\nhelp: link with `-static -no-pie`; object files, \
                 libraries and programs that load libraries do not run",
            ),
            ElfError::Truncated => f.write_str("the file is truncated"),
            ElfError::TooLarge => {
                f.write_str("a segment is larger than 1 GiB or beyond the address space")
            }
        }
    }
}

impl core::error::Error for ElfError {}

/// The maximum size of all loaded segments in bytes.
const LIMIT: u64 = 1 << 30;

impl Executable {
    /// Parses an executable file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a static executable for 64-bit RISC-V.
    pub fn read(bytes: &[u8]) -> Result<Self, ElfError> {
        if !bytes.starts_with(&elf::ELFMAG) {
            return Err(ElfError::NotElf);
        }
        if !bytes[4..].starts_with(&[elf::ELFCLASS64.0, elf::ELFDATA2LSB.0]) {
            return Err(ElfError::OtherClass);
        }
        let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(|_| ElfError::Truncated)?;
        if header.e_machine(LittleEndian) != elf::EM_RISCV {
            return Err(ElfError::OtherMachine(header.e_machine(LittleEndian).0));
        }
        if header.e_type(LittleEndian) != elf::ET_EXEC {
            return Err(ElfError::NotStatic);
        }
        let headers = header.program_headers(LittleEndian, bytes);
        let mut segments: Vec<Segment> = Vec::new();
        for header in headers.map_err(|_| ElfError::Truncated)? {
            match header.p_type(LittleEndian) {
                elf::PT_INTERP => return Err(ElfError::NotStatic),
                elf::PT_LOAD => {
                    let left = segments.iter().fold(LIMIT, |left, s| left - s.bytes.len() as u64);
                    segments.push(segment(bytes, header, left)?);
                }
                _ => {}
            }
        }
        Ok(Executable { entry: header.e_entry(LittleEndian), segments })
    }
}

/// Loads the segment of a program header. The segment may have at most `left` bytes.
fn segment(
    file: &[u8],
    header: &ProgramHeader64<LittleEndian>,
    left: u64,
) -> Result<Segment, ElfError> {
    let start = header.p_vaddr(LittleEndian);
    let (in_file, in_memory) = (header.p_filesz(LittleEndian), header.p_memsz(LittleEndian));
    let fits = in_memory <= left && start.checked_add(in_memory).is_some();
    if !fits || in_file > in_memory {
        return Err(ElfError::TooLarge);
    }
    let mut bytes = header.data(LittleEndian, file).map_err(|()| ElfError::Truncated)?.to_vec();
    bytes.resize(in_memory as usize, 0);
    let flags = header.p_flags(LittleEndian);
    let (writable, executable) = (flags.contains(elf::PF_W), flags.contains(elf::PF_X));
    Ok(Segment { start, bytes, writable, executable })
}
