//! The object format of a set: the properties of its ELF objects and the relocations that a linker
//! resolves.

use isa_core::asm::Reference;
#[cfg(feature = "elf")]
use isa_core::table::InstructionSet;

/// The ELF objects of a set. Pass it to [`Tool::object`](crate::Tool::object) to enable
/// `asm --emit elf`, and ELF files as input of `dis` and `exec`. All numbers in the file are
/// little-endian, or big-endian if the set declares `bytes big_endian;`.
///
/// The numbers come from the ABI document of the architecture:
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
/// If your set has no machine number, use 0, `EM_NONE`. `readelf` and `dis` can then read its
/// objects, but a linker cannot link them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "elf"), expect(dead_code, reason = "ELF support is disabled"))]
pub struct ObjectFormat {
    pub(crate) machine: u16,
    pub(crate) is_64: bool,
    pub(crate) flags: u32,
    /// The bits in which the flags of a file may differ from `flags`.
    pub(crate) other_flags: u32,
    /// The features of each processor, with the flags of its files.
    pub(crate) processors: &'static [(&'static str, u32)],
    /// Whether addresses are distances from the start of a section, even in executables.
    pub(crate) has_separate_sections: bool,
    /// The numbers of other machines whose files are accepted.
    pub(crate) other_machines: &'static [u16],
    /// The names of the symbols that mark the start of instructions and the start of data.
    pub(crate) marks: Option<(&'static str, &'static str)>,
    /// The bits that are set in the address of the entry and in the value of a function symbol.
    pub(crate) function_bits: u64,
    /// Whether addends are stored in the program.
    pub(crate) is_rel: bool,
    /// Whether numbers are big-endian, as in the set.
    pub(crate) is_big_endian: bool,
    /// Whether programs are loaded at the physical addresses of their segments instead of their
    /// run-time addresses.
    pub(crate) is_physical: bool,
    pub(crate) relocate: fn(Reference) -> Option<u32>,
    pub(crate) addend_of: fn(Reference) -> i64,
    pub(crate) place_of: fn(Reference) -> u64,
}

impl ObjectFormat {
    /// Creates a format with 64-bit addresses. `machine` is the machine number in the file header
    /// (`e_machine`).
    #[must_use]
    pub const fn elf64(machine: u16) -> Self {
        ObjectFormat {
            machine,
            is_64: true,
            flags: 0,
            other_flags: 0,
            processors: &[],
            has_separate_sections: false,
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

    /// Creates a format with 32-bit addresses. `machine` is the machine number in the file header
    /// (`e_machine`).
    #[must_use]
    pub const fn elf32(machine: u16) -> Self {
        ObjectFormat { is_64: false, ..ObjectFormat::elf64(machine) }
    }

    /// Sets the flags of the architecture, `e_flags`. The tool writes them to objects, and rejects
    /// files with other flags, because their instructions may have a different meaning in the set.
    /// The default is 0. [`ObjectFormat::other_flags`] declares the bits that may differ.
    #[must_use]
    pub const fn flags(self, flags: u32) -> Self {
        ObjectFormat { flags, ..self }
    }

    /// Accepts files whose flags differ from [`ObjectFormat::flags`] in bits of `mask`. These must
    /// be bits that do not change the meaning of the set's instructions.
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

    /// Sets the flags for each processor of a set with features. Each entry contains a list of features,
    /// as for `--features`, and the flags of files for the processor with these features. `dis` and
    /// `patch` choose the features by the flags of a file, and `asm` chooses the flags by the features.
    /// If several entries contain the same features, `asm` writes the flags of the first one. The flags
    /// of [`ObjectFormat::flags`] are not used.
    ///
    /// ```
    /// use isa_cli::ObjectFormat;
    ///
    /// /// EM_CUDA. The file for a chip contains the number of the chip.
    /// const CUBIN: ObjectFormat =
    ///     ObjectFormat::elf64(190).processors(&[("SM80", 0x6005004), ("SM90", 0x6005a04)]);
    /// ```
    #[must_use]
    pub const fn processors(self, processors: &'static [(&'static str, u32)]) -> Self {
        ObjectFormat { processors, ..self }
    }

    /// Declares that addresses are distances from the start of their section, even in executables. This
    /// is the case if each section is loaded separately, as on GPUs. In other sets it is the case only in
    /// objects that are not linked.
    #[must_use]
    pub const fn separate_sections(self) -> Self {
        ObjectFormat { has_separate_sections: true, ..self }
    }

    /// Returns the features of the processor whose files have these flags. Returns `Some(None)` if the
    /// flags do not determine the features, and `None` if the flags are not accepted.
    #[cfg(feature = "elf")]
    pub(crate) fn features_of(&self, flags: u32) -> Option<Option<&'static str>> {
        let is_equal = |expected: u32| (flags ^ expected) & !self.other_flags == 0;
        match self.processors {
            [] => is_equal(self.flags).then_some(None),
            all => all.iter().find(|(_, own)| is_equal(*own)).map(|(features, _)| Some(*features)),
        }
    }

    /// Returns the flags of the files that `asm` writes.
    #[cfg(feature = "elf")]
    pub(crate) fn flags_of(&self, set: &InstructionSet) -> Option<u32> {
        let is_own = |features: &str| set.feature_set(features) == Ok(set.enabled);
        match self.processors {
            [] => Some(self.flags),
            all => all.iter().find(|(features, _)| is_own(features)).map(|(_, flags)| *flags),
        }
    }

    /// Also accepts files whose machine number (`e_machine`) is in `machines`: for example 10,
    /// `EM_MIPS_RS3_LE`, in addition to 8. Files for any other machine are rejected.
    #[must_use]
    pub const fn other_machines(self, machines: &'static [u16]) -> Self {
        ObjectFormat { other_machines: machines, ..self }
    }

    /// Adds the mapping symbols `$x` and `$d`, which mark the start of instructions and the start
    /// of data.
    #[must_use]
    pub const fn mapping_symbols(self) -> Self {
        self.mapping_symbols_named("$x", "$d")
    }

    /// Adds mapping symbols. `code` is the name of the symbol at the start of instructions, and
    /// `data` the name of the symbol at the start of data: `$t` and `$d` in objects for Thumb. The
    /// bytes after a mapping symbol with another letter, such as `$a`, are data in this set.
    #[must_use]
    pub const fn mapping_symbols_named(self, code: &'static str, data: &'static str) -> Self {
        ObjectFormat { marks: Some((code, data)), ..self }
    }

    /// Sets bits that are added to the value of each function symbol and to the entry address of a
    /// program. For Thumb the value is 1, because ARM linkers and processors use this bit to
    /// distinguish Thumb code from A32 code. A label is a function if the program declares it:
    /// `.type f, %function`. The tool ignores these bits when it reads an object or a program.
    #[must_use]
    pub const fn function_bits(self, function_bits: u64) -> Self {
        ObjectFormat { function_bits, ..self }
    }

    /// Makes `exec` load programs at the physical addresses of their segments, `p_paddr`, as a
    /// flash programmer does with firmware. The initial values of variables are at these addresses,
    /// and the program copies them to their run-time addresses. Without this option, programs are
    /// loaded at their virtual addresses, `p_vaddr`, as an operating system does.
    ///
    /// Execution begins at the physical address of the first instruction. Symbols keep their
    /// addresses, which `dis` prints. If a file has several segments and all physical addresses are
    /// 0, the linker did not assign any, and the virtual addresses are used.
    #[must_use]
    pub const fn physical_addresses(self) -> Self {
        ObjectFormat { is_physical: true, ..self }
    }

    /// Sets the relocations. A linker uses them to resolve the names in a program. `kind_of`
    /// returns the relocation type for the target of an instruction, for a part of an address in an
    /// instruction, or for data. If it returns `None`, no relocation is possible: such a target can
    /// only be a label in the program, and such data and parts cannot contain an address.
    ///
    /// Relocations have an explicit addend (`RELA`) unless you call [`ObjectFormat::rel`]. The addend is
    /// the number after the label, if there is one, plus the value from [`ObjectFormat::addends`], by
    /// default 0.
    #[must_use]
    pub const fn relocations(self, kind_of: fn(Reference) -> Option<u32>) -> Self {
        ObjectFormat { relocate: kind_of, ..self }
    }

    /// Sets the addend of each reference. The linker adds it to the address of the label. A number in
    /// the program, as in `table + 8`, is added too. The default is 0.
    ///
    /// The linker knows only the type of a relocation. Most relocations for branches are computed
    /// as `S + A - P`: the address of the label plus the addend, minus the position of the
    /// relocation. This position is the address of the instruction unless [`ObjectFormat::places`]
    /// declares another one. The addend is therefore this position minus the position from which
    /// the operand counts:
    ///
    /// | type | position in the instruction | the operand counts from | addend |
    /// |---|---|---|---|
    /// | `R_RISCV_JAL`, `R_AARCH64_CALL26` | 0 | the instruction | 0 |
    /// | `R_MIPS_PC16`, `R_ARM_THM_CALL` | 0 | four bytes after its start | -4 |
    /// | `R_390_PC32DBL` | 2, the position of the field | the instruction | 2 |
    /// | `R_X86_64_PLT32` of a call | 1, the position of the field | five bytes after its start | -4 |
    /// | `R_AVR_7_PCREL` | 0 | two bytes after its start, which the linker subtracts itself | 0 |
    ///
    /// With a wrong addend the program links without an error but branches to the wrong address.
    /// Check the branch targets of a linked program with `objdump -d`.
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

    /// Sets the distance in bytes from the start of an instruction to the relocation of each
    /// reference: `r_offset` is the sum of this distance and the address of the instruction. The
    /// function is called only for references in instructions. The default is 0, which is correct
    /// for RISC-V, AArch64, MIPS and Thumb. S/390 and x86 use the position of the field's first
    /// byte. A position outside of the instruction is treated as if there were no relocation.
    ///
    /// A linker overwrites the bytes at this position. If it is wrong, the linker overwrites the
    /// opcode without an error. If a relocation type is computed from its position, its addend
    /// depends on the position too.
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

    /// Stores addends in the program, in the bits that the linker fills in, and writes relocations
    /// without addends (`SHT_REL`), as the ABIs of ARM and of MIPS O32 require. In data the addend
    /// is the value itself.
    ///
    /// In an instruction the addend is stored in the bits of the target operand. If the target is
    /// relative, these bits encode a branch to the position of the relocation. For example, they encode
    /// -4 if the relocation is at the start of the instruction ([`ObjectFormat::places`]) and the branch
    /// counts from four bytes after its start. If the target is not relative, the bits encode an address
    /// that equals the addend, which is 0 unless [`ObjectFormat::addends`] returns another number. The
    /// tool reads objects with either form of relocations.
    #[must_use]
    pub const fn rel(self) -> Self {
        ObjectFormat { is_rel: true, ..self }
    }
}
