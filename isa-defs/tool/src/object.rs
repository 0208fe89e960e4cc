//! The object format of a set: what its ELF objects say of themselves, and what a linker can fill in.

use clap::builder::PossibleValue;
use isa_core::asm::Reference;

use super::Stop;
use super::tool::Profile;

/// The ELF objects of a set, as [`Tool::object`](crate::Tool::object) takes them: for
/// `asm --emit elf`, and for `dis` and `exec` of such files. All numbers in them have their lowest
/// byte first, or the highest where the set has `bytes big_endian;`.
///
/// The numbers are those of the architecture's ABI document:
///
/// ```
/// use isa_core::asm::Reference;
/// use isa_tool::ObjectFormat;
///
/// /// EM_RISCV, with instructions of 16 bits and calls without registers for floats.
/// const RISCV: ObjectFormat =
///     ObjectFormat::elf64(243).flags(1).relocations(|reference| match reference {
///         Reference::Operand { kind: "Jump", .. } => Some(17), // R_RISCV_JAL
///         Reference::Part { opcode: "LUI", open: "%hi(", .. } => Some(26), // R_RISCV_HI20
///         Reference::Data { bytes: 8, .. } => Some(2),         // R_RISCV_64
///         _ => None,
///     });
/// ```
///
/// A set that has no number of a machine takes 0, `EM_NONE`: `readelf` and `dis` read its objects, and
/// a linker does not know how to link them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "elf"), expect(dead_code, reason = "nothing reads or writes objects"))]
pub struct ObjectFormat {
    pub(crate) machine: u16,
    pub(crate) is_64: bool,
    pub(crate) flags: u32,
    pub(crate) has_marks: bool,
    /// As the set has it.
    pub(crate) is_big_endian: bool,
    /// Whether programs are put where their segments stand, and not where they run.
    pub(crate) is_physical: bool,
    pub(crate) relocate: fn(Reference) -> Option<u32>,
}

impl ObjectFormat {
    /// Objects with addresses of 64 bits, for the machine of this number, `e_machine`.
    #[must_use]
    pub const fn elf64(machine: u16) -> Self {
        ObjectFormat {
            machine,
            is_64: true,
            flags: 0,
            has_marks: false,
            is_big_endian: false,
            is_physical: false,
            relocate: |_| None,
        }
    }

    /// Objects with addresses of 32 bits, for the machine of this number, `e_machine`.
    #[must_use]
    pub const fn elf32(machine: u16) -> Self {
        ObjectFormat { is_64: false, ..ObjectFormat::elf64(machine) }
    }

    /// With flags of the architecture in what is written, `e_flags`. What is read may have others.
    #[must_use]
    pub const fn flags(self, flags: u32) -> Self {
        ObjectFormat { flags, ..self }
    }

    /// With the symbols `$x` and `$d`, which mark where instructions begin and where data does.
    #[must_use]
    pub const fn mapping_symbols(self) -> Self {
        ObjectFormat { has_marks: true, ..self }
    }

    /// With programs that `exec` puts at the physical addresses of their segments, `p_paddr`, as a
    /// programmer of flash does: firmware. There stand the first values of variables, which code of the
    /// program copies to where they are used. Without this, programs stand at their virtual addresses,
    /// `p_vaddr`, as an operating system loads them.
    ///
    /// The program begins at the physical address of its first instruction. Symbols keep their
    /// addresses, as `dis` has them. In a file of several segments, all of whose physical addresses are
    /// 0, the linker gave none, and the virtual ones count.
    #[must_use]
    pub const fn physical_addresses(self) -> Self {
        ObjectFormat { is_physical: true, ..self }
    }

    /// With relocations, by which a linker fills in what programs name: `kind_of` gives the type for
    /// the target of an instruction, for a part of an address in one, or for data. `None` where there
    /// is none: there the program may name only its own labels, and no data and no part may be of an
    /// address. They are those with an addend, `RELA`; the type of a target counts from the
    /// instruction's own address.
    #[must_use]
    pub const fn relocations(self, kind_of: fn(Reference) -> Option<u32>) -> Self {
        ObjectFormat { relocate: kind_of, ..self }
    }
}

/// Why a tool has no ELF objects.
pub(crate) fn refusal(profile: &Profile) -> String {
    let name = profile.name;
    match profile.object {
        None => format!(
            "`{name}` has no object format: the author of its set declares one, with the number of \
             the machine, by `Tool::object`"
        ),
        Some(_) => format!(
            "`{name}` is built without ELF objects: they take the feature `elf` of the crate `isa-tool`"
        ),
    }
}

/// Why a tool does not read a file that is an ELF object.
pub(crate) fn refused_file(profile: &Profile, file: &str) -> Stop {
    Stop::System(format!("{file} is an ELF file, and {}", refusal(profile)))
}

/// Whether a tool has ELF objects.
fn is_there(profile: &Profile) -> bool {
    profile.object.is_some() && cfg!(feature = "elf")
}

/// The forms of words and programs, for `--emit` and `--from`. A tool without objects takes `elf` too,
/// to say why there are none.
pub(crate) fn forms(profile: &Profile) -> Vec<PossibleValue> {
    let elf = PossibleValue::new("elf").hide(!is_there(profile));
    ["hex", "bin", "listing"].map(PossibleValue::new).into_iter().chain([elf]).collect()
}

/// What help texts say of objects where there are some: in the usage, of `--emit`, of `--from`.
pub(crate) fn texts(profile: &Profile) -> (&'static str, &'static str, &'static str) {
    match is_there(profile) {
        true => (
            "|elf",
            "; elf: an object for a linker, with labels as symbols, those of `.globl` for other objects",
            "; elf: the code of an ELF object or program, with its symbols (a file that begins as one \
             is taken for it)",
        ),
        false => ("", "", ""),
    }
}

/// What `exec` takes, for its help text.
pub(crate) fn program(profile: &Profile) -> &'static str {
    match is_there(profile) {
        true => "The text, or an ELF program at fixed addresses; - or none is standard input",
        false => "The text; - or none is standard input",
    }
}

/// How an ELF file begins.
pub(crate) const MAGIC: &[u8] = b"\x7fELF";
