//! The object format of a set: what its ELF objects say of themselves, and what a linker can fill in.

use clap::builder::PossibleValue;
use isa_core::asm::Reference;
use isa_core::shown::Shown;

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
/// use isa_cli::ObjectFormat;
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
    /// The bits in which the flags of files may differ from `flags`.
    pub(crate) other_flags: u32,
    /// The numbers of other machines whose files are read.
    pub(crate) other_machines: &'static [u16],
    /// The names of the symbols that mark where instructions begin, and where data does.
    pub(crate) marks: Option<(&'static str, &'static str)>,
    /// What symbols of functions, and the entry, have set beside their address.
    pub(crate) function_bits: u64,
    /// Whether addends stand in the program.
    pub(crate) is_rel: bool,
    /// Whether numbers have their highest byte first, as in the set.
    pub(crate) is_big_endian: bool,
    /// Whether programs are put where their segments stand, and not where they run.
    pub(crate) is_physical: bool,
    pub(crate) relocate: fn(Reference) -> Option<u32>,
    pub(crate) addend_of: fn(Reference) -> i64,
    pub(crate) place_of: fn(Reference) -> u64,
}

impl ObjectFormat {
    /// Objects with addresses of 64 bits, for the machine of this number, `e_machine`.
    #[must_use]
    pub const fn elf64(machine: u16) -> Self {
        ObjectFormat {
            machine,
            is_64: true,
            flags: 0,
            other_flags: 0,
            other_machines: &[],
            marks: None,
            function_bits: 0,
            is_rel: false,
            is_big_endian: false,
            is_physical: false,
            relocate: |_| None,
            addend_of: |_| 0,
            place_of: |_| 0,
        }
    }

    /// Objects with addresses of 32 bits, for the machine of this number, `e_machine`.
    #[must_use]
    pub const fn elf32(machine: u16) -> Self {
        ObjectFormat { is_64: false, ..ObjectFormat::elf64(machine) }
    }

    /// With flags of the architecture, `e_flags`: objects that are written have them, and files with other
    /// flags are refused, because their instructions may mean something else to the set.
    /// [`ObjectFormat::other_flags`] declares the bits that may differ. The default is 0.
    #[must_use]
    pub const fn flags(self, flags: u32) -> Self {
        ObjectFormat { flags, ..self }
    }

    /// Accepts files whose flags differ from [`ObjectFormat::flags`] in bits of `mask`: those that do not
    /// change the instructions that the set has.
    ///
    /// ```
    /// use isa_cli::ObjectFormat;
    ///
    /// /// Written with instructions of 16 bits (1). Files may lack them, pass floats in registers (6) and
    /// /// require total store order (16). A file for 16 registers (8) is refused.
    /// const RISCV: ObjectFormat = ObjectFormat::elf64(243).flags(1).other_flags(1 | 6 | 16);
    /// ```
    #[must_use]
    pub const fn other_flags(self, mask: u32) -> Self {
        ObjectFormat { other_flags: mask, ..self }
    }

    /// Accepts files for other machines too, by the numbers of these, `e_machine`: for example 10, which
    /// `EM_MIPS_RS3_LE` has, besides 8. Files for any other machine are refused.
    #[must_use]
    pub const fn other_machines(self, machines: &'static [u16]) -> Self {
        ObjectFormat { other_machines: machines, ..self }
    }

    /// With the symbols `$x` and `$d`, which mark where instructions begin and where data does.
    #[must_use]
    pub const fn mapping_symbols(self) -> Self {
        self.mapping_symbols_named("$x", "$d")
    }

    /// With symbols of these names, which mark where instructions begin and where data does: `$t` and `$d`
    /// in objects for Thumb. What a symbol with another letter marks, such as `$a`, is data to the set.
    #[must_use]
    pub const fn mapping_symbols_named(self, code: &'static str, data: &'static str) -> Self {
        ObjectFormat { marks: Some((code, data)), ..self }
    }

    /// With bits that the value of a symbol has set beside the address where the symbol is a function, and
    /// that the address of a program's first instruction has set: 1 for Thumb, by which ARM's linker and
    /// processor tell it from A32. A label is a function where the text says so, `.type f, %function`.
    /// Whoever reads an object or a program takes the addresses without these bits.
    #[must_use]
    pub const fn function_bits(self, function_bits: u64) -> Self {
        ObjectFormat { function_bits, ..self }
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
    /// address. They are those with an addend, `RELA`, unless the format is [`ObjectFormat::rel`], and what
    /// is added is 0, unless [`ObjectFormat::addends`] says more, or a number stands behind the label.
    #[must_use]
    pub const fn relocations(self, kind_of: fn(Reference) -> Option<u32>) -> Self {
        ObjectFormat { relocate: kind_of, ..self }
    }

    /// With what the linker adds to the address of a label, for each reference, beside what the program
    /// adds itself, as in `table + 8`. Without this it is 0.
    ///
    /// A linker knows the type of a relocation alone. Most of those for branches are computed as
    /// `S + A - P`: the label's address and the addend, less the place of the relocation, which is the
    /// address of the instruction unless [`ObjectFormat::places`] says another. So the addend is that place
    /// less the one from which the operand counts:
    ///
    /// | type | its place in the instruction | the operand counts from | addend |
    /// |---|---|---|---|
    /// | `R_RISCV_JAL`, `R_AARCH64_CALL26` | 0 | the instruction | 0 |
    /// | `R_MIPS_PC16`, `R_ARM_THM_CALL` | 0 | four bytes behind its start | -4 |
    /// | `R_390_PC32DBL` | 2, where the field is | the instruction | 2 |
    /// | `R_X86_64_PLT32` of a call | 1, where the field is | five bytes behind its start | -4 |
    /// | `R_AVR_7_PCREL` | 0 | two bytes behind its start, and the linker takes them away by itself | 0 |
    ///
    /// A wrong one links without a word and branches to a wrong place: let `objdump -d` of a linked program
    /// show where the branches go.
    ///
    /// ```
    /// use isa_core::asm::Reference;
    /// use isa_cli::ObjectFormat;
    ///
    /// /// EM_MIPS, O32 for MIPS32 of release 2, which has the addends in the program.
    /// const MIPS: ObjectFormat = ObjectFormat::elf32(8)
    ///     .flags(0x7000_1000)
    ///     .rel()
    ///     .relocations(|reference| match reference {
    ///         Reference::Operand { kind: "Branch", .. } => Some(10), // R_MIPS_PC16
    ///         Reference::Operand { kind: "Jump", .. } => Some(4),    // R_MIPS_26
    ///         Reference::Data { bytes: 4, .. } => Some(2),           // R_MIPS_32
    ///         _ => None,
    ///     })
    ///     .addends(|reference| match reference {
    ///         Reference::Operand { kind: "Branch", .. } => -4,
    ///         _ => 0,
    ///     });
    /// ```
    #[must_use]
    pub const fn addends(self, addend_of: fn(Reference) -> i64) -> Self {
        ObjectFormat { addend_of, ..self }
    }

    /// With how many bytes behind the start of its instruction the relocation of each reference stands:
    /// `r_offset` is the address of the instruction and that. Only references in instructions are asked
    /// for. Without this it is 0, as RISC-V, AArch64, MIPS and Thumb have it; S/390 and x86 have the place
    /// of the field's first byte. A place that is not in the instruction counts as no relocation.
    ///
    /// A linker fills in the bytes at that place: with a wrong one it writes over the opcode without a word.
    /// For a type that is computed from the place of the relocation the addend changes with it.
    ///
    /// ```
    /// use isa_core::asm::Reference;
    /// use isa_cli::ObjectFormat;
    ///
    /// /// EM_S390. `brasl %r14,puts` has two bytes in front of its field, and counts from its start.
    /// const S390: ObjectFormat = ObjectFormat::elf64(22)
    ///     .relocations(|reference| match reference {
    ///         Reference::Operand { kind: "Rel32", .. } => Some(19), // R_390_PC32DBL
    ///         Reference::Data { bytes: 8, .. } => Some(22),         // R_390_64
    ///         _ => None,
    ///     })
    ///     .places(|_| 2)
    ///     .addends(|reference| match reference {
    ///         Reference::Operand { .. } => 2,
    ///         _ => 0,
    ///     });
    /// ```
    #[must_use]
    pub const fn places(self, place_of: fn(Reference) -> u64) -> Self {
        ObjectFormat { place_of, ..self }
    }

    /// With addends in the program, in the place that the linker fills in, and relocations without
    /// (`SHT_REL`), as the ABIs of ARM and of MIPS O32 have it. In data the addend is the value itself. In an
    /// instruction it is in the bits of the target. A relative target has those of a branch to the place of
    /// its relocation, which is -4 where that is the instruction ([`ObjectFormat::places`]) and the branch
    /// counts from four bytes behind its start; any other has those of the address that the addend is, which
    /// is 0 unless [`ObjectFormat::addends`] says more. Objects of either kind
    /// are read.
    #[must_use]
    pub const fn rel(self) -> Self {
        ObjectFormat { is_rel: true, ..self }
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
            "`{name}` is built without ELF objects: they take the feature `elf` of the crate `isa-cli`"
        ),
    }
}

/// Why a tool does not read a file that is an ELF object.
pub(crate) fn refused_file(profile: &Profile, file: &str) -> Stop {
    Stop::System(format!("{} is an ELF file, and {}", Shown(file), refusal(profile)))
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
