//! The RISC-V instruction set RV64IMAC with Zicsr and Zifencei, written with only the public
//! features of `isa-core`.
//!
//! The assembly is the syntax of the GNU tools and LLVM. 32-bit instructions are printed as LLVM
//! prints them, with its aliases, or without aliases by `{:#}`. 16-bit instructions are printed
//! under their own names, for example `c.lw`.
//!
//! ```
//! use isa_core::operand::Signed;
//! use isa_riscv::{Imm12, Reg, Rv64imac, i::Addi};
//!
//! let addi = Addi::new(Reg::A0, Reg::A1, Imm12::new(Signed::new(-4).unwrap()));
//! assert_eq!(addi.to_string(), "addi a0, a1, -4;");
//! assert_eq!(addi.encode().unwrap(), 0xffc5_8513);
//! assert_eq!(Rv64imac::decode(0xffc5_8513).unwrap(), addi.into());
//! assert_eq!("c.lw a0, 8(s1);".parse::<Rv64imac>().unwrap().encode().unwrap(), 0x4488);
//! ```

pub mod a;
mod base;
pub mod c;
pub mod cpu;
mod csr;
pub mod elf;
mod fence;
mod formats;
pub mod hart;
pub mod i;
pub mod linux;
pub mod m;
pub mod machine;
pub mod parts;
mod reg;
mod upper;
pub mod zicsr;

pub use base::*;
pub use machine::{HartState, Trap};

isa_core::define_isa! {
    /// RV64IMAC with Zicsr and Zifencei.
    pub isa Rv64imac: u16 | u32;

    machine crate::machine::HartState;
    trap crate::machine::Trap;

    include crate::i::Rv64i;
    include crate::m::Rv64m;
    include crate::a::Rv64a;
    include crate::zicsr::Zicsr;
    include crate::c::Rv64c;
}

/// Returns the command line of the set. Each statement ends at the end of its line, and `#` begins
/// a comment.
#[cfg(feature = "cli")]
#[must_use]
pub fn tool() -> isa_cli::Tool<Rv64imac> {
    isa_cli::Tool::new("rv")
        .lines("#")
        .directives(DIRECTIVES)
        .padding(PADDING)
        .machine(Rv64imac::executor::<cpu::Cpu>)
        .gdb(isa_cli::GdbTarget::new("riscv:rv64", "org.gnu.gdb.riscv.cpu"))
        .object(OBJECTS)
}

/// Directives that GCC emits for RISC-V.
pub const DIRECTIVES: &[(&str, &str)] =
    &[(".align", ".p2align"), (".word", ".4byte"), (".option", ""), (".attribute", "")];

/// Instructions that do nothing: `nop` and `c.nop`.
pub const PADDING: &[&[u8]] = &[&[0x13, 0, 0, 0], &[1, 0]];

/// Objects of the RISC-V ELF psABI: machine EM_RISCV. The tool writes the flag for 16-bit instructions
/// (1) and the soft-float calling convention. It also reads objects without this flag, objects that pass
/// floats in registers (6), and objects that require total store order (16). It rejects objects for only
/// 16 registers (8).
#[cfg(feature = "cli")]
const OBJECTS: isa_cli::ObjectFormat = {
    use isa_core::asm::Reference::{Data, Operand, Part};
    let format = isa_cli::ObjectFormat::elf64(243).flags(1).other_flags(1 | 6 | 16);
    format.mapping_symbols().relocations(|reference| {
        Some(match reference {
            Data { bytes: 4, .. } => 1,                             // R_RISCV_32
            Data { bytes: 8, .. } => 2,                             // R_RISCV_64
            Operand { kind: "Branch", .. } => 16,                   // R_RISCV_BRANCH
            Operand { kind: "Jump", .. } => 17,                     // R_RISCV_JAL
            Operand { kind: "CBranch", .. } => 44,                  // R_RISCV_RVC_BRANCH
            Operand { kind: "CJump", .. } => 45,                    // R_RISCV_RVC_JUMP
            Part { opcode: "LUI", open: "%hi(", .. } => 26,         // R_RISCV_HI20
            Part { opcode: "AUIPC", open: "%pcrel_hi(", .. } => 23, // R_RISCV_PCREL_HI20
            Part { opcode: "SB" | "SH" | "SW" | "SD", open, .. } => match open {
                "%lo(" => 28,       // R_RISCV_LO12_S
                "%pcrel_lo(" => 25, // R_RISCV_PCREL_LO12_S
                _ => return None,
            },
            Part { kind: "Imm12", open: "%lo(", .. } => 27, // R_RISCV_LO12_I
            Part { kind: "Imm12", open: "%pcrel_lo(", .. } => 24, // R_RISCV_PCREL_LO12_I
            _ => return None,
        })
    })
};
