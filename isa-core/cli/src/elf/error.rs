//! The reasons why the tool cannot read an ELF file.

use core::fmt;

use object::read;

use crate::object_format::ObjectFormat;

/// The reason why the tool cannot read a file.
#[derive(Debug)]
pub(crate) enum ElfError {
    /// It does not begin like an ELF file.
    NotElf,
    /// Its headers do not match its format, or it ends too early.
    Broken(String),
    /// It is for another machine.
    Machine { found: u16, expected: u16 },
    /// Its flags differ from those of the format in bits that must be equal.
    Flags { found: u32, format: ObjectFormat },
    /// It is for addresses of a different width.
    Class { bits: u8 },
    /// Its byte order differs from that of the set.
    ByteOrder { is_big: bool },
    /// It is neither an object nor an executable, for example a core dump.
    Kind(u16),
}

impl fmt::Display for ElfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElfError::NotElf => {
                f.write_str("not an ELF file: expected the first bytes 7f 45 4c 46")
            }
            ElfError::Broken(error) => {
                write!(f, "the ELF file is damaged or truncated: {error}")
            }
            ElfError::Machine { found, expected } => write!(
                f,
                "wrong machine: expected ELF machine number {expected}{}, found {found}{}; \
                 if the set contains these instructions, declare the number with \
                 `ObjectFormat::other_machines`",
                machine_name(*expected),
                machine_name(*found),
            ),
            ElfError::Flags { found, format } if !format.processors.is_empty() => {
                let known = format.processors.iter();
                let known = known.map(|(features, flags)| format!("{features} ({flags:#x})"));
                write!(
                    f,
                    "unknown processor: expected the ELF flags of {}; found {found:#x}; if the set also covers \
                     these files, declare the flags with `ObjectFormat::processors`",
                    known.collect::<Vec<_>>().join(", ")
                )
            }
            ElfError::Flags { found, format } => {
                let (expected, may) = (format.flags, format.other_flags);
                let wrong = (found ^ expected) & !may;
                write!(
                    f,
                    "wrong ELF flags, so the instructions may differ: expected {expected:#x}"
                )?;
                if may != 0 {
                    write!(f, ", which may differ in {may:#x}")?;
                }
                write!(
                    f,
                    ", found {found:#x}; if the set also covers these files, declare the bits {wrong:#x} with \
                     `ObjectFormat::other_flags`"
                )
            }
            ElfError::Class { bits } => write!(
                f,
                "wrong address width: expected {} bits, found {bits}",
                if *bits == 32 { 64 } else { 32 }
            ),
            ElfError::ByteOrder { is_big } => {
                let (own, other) =
                    if *is_big { ("highest", "lowest") } else { ("lowest", "highest") };
                write!(
                    f,
                    "wrong byte order: expected the {other} byte first, found the {own} byte first"
                )
            }
            ElfError::Kind(kind) => {
                write!(f, "neither an object nor a program: unsupported ELF file type {kind}")
            }
        }
    }
}

impl From<read::Error> for ElfError {
    fn from(error: read::Error) -> Self {
        ElfError::Broken(error.to_string().to_lowercase())
    }
}

/// Returns the name of a machine in parentheses, for messages, or an empty text if the machine is
/// rare.
fn machine_name(number: u16) -> String {
    const NAMES: [(u16, &str); 24] = [
        (2, "SPARC"),
        (3, "i386"),
        (4, "68000"),
        (8, "MIPS"),
        (15, "PA-RISC"),
        (20, "PowerPC"),
        (21, "PowerPC 64"),
        (22, "S/390"),
        (40, "ARM"),
        (42, "SuperH"),
        (43, "SPARC V9"),
        (50, "IA-64"),
        (62, "x86-64"),
        (83, "AVR"),
        (94, "Xtensa"),
        (105, "MSP430"),
        (164, "Hexagon"),
        (183, "AArch64"),
        (190, "CUDA"),
        (195, "ARC"),
        (224, "AMDGPU"),
        (243, "RISC-V"),
        (247, "BPF"),
        (258, "LoongArch"),
    ];
    let known = NAMES.iter().find(|(known, _)| *known == number);
    known.map_or_else(String::new, |(_, name)| format!(" ({name})"))
}
