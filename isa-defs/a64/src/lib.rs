//! A64, the base integer instructions of AArch64 and one group of SIMD instructions, written with
//! only the public features of `isa-core`.
//!
//! The assembly is the syntax of LLVM.
//!
//! ```
//! use isa_a64::A64;
//!
//! let add: A64 = "add x0, sp, #1, lsl #12;".parse().unwrap();
//! assert_eq!(add.encode().unwrap(), 0x9140_07e0);
//! assert_eq!(A64::decode(0xf100_07ff).unwrap().to_string(), "cmp sp, #1;");
//! assert_eq!("subs xzr, sp, #1;".parse::<A64>().unwrap().encode().unwrap(), 0xf100_07ff);
//! ```

// Semantic functions that the 32-bit and the 64-bit instructions share contain conversions. For one of
// the two sizes such a conversion does nothing.
#![allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "bodies of loops serve several sizes"
)]

mod base;
pub mod branch;
pub mod cpu;
pub mod exclusive;
pub mod formats;
pub mod immediate;
pub mod machine;
pub mod memory;
pub mod number;
pub mod pair;
mod reg;
pub mod register;
pub mod simd;
pub mod simulator;

pub use base::*;
pub use machine::{ProcessorState, Trap};

isa_core::define_isa! {
    /// The base integer instructions of AArch64, and one group of SIMD instructions.
    pub isa A64: u32;

    machine crate::machine::ProcessorState;
    trap crate::machine::Trap;

    include crate::immediate::Immediate;
    include crate::register::Register;
    include crate::branch::Branch;
    include crate::memory::OneRegister;
    include crate::pair::TwoRegisters;
    include crate::exclusive::Exclusive;
    include crate::simd::Simd;
}

/// Returns the command line of the set. Each statement ends at the end of its line.
#[cfg(feature = "cli")]
#[must_use]
pub fn tool() -> isa_cli::Tool<A64> {
    isa_cli::Tool::new("a64")
        .lines("")
        .directives(DIRECTIVES)
        .padding(PADDING)
        .machine(A64::executor::<simulator::Simulator>)
        .gdb(GDB)
        .object(OBJECTS)
}

/// The debugger gdb requires `cpsr`, whose highest four bits are the flags.
#[cfg(feature = "cli")]
const GDB: isa_cli::GdbTarget = isa_cli::GdbTarget::new("aarch64", "org.gnu.gdb.aarch64.core")
    .combined(&[("cpsr", 32, &[("nzcv", 28)])]);

/// Directives that compilers emit for AArch64.
pub const DIRECTIVES: &[(&str, &str)] = &[
    (".align", ".p2align"),
    (".word", ".4byte"),
    (".arch", ""),
    (".cpu", ""),
    (".tune", ""),
    (".variant_pcs", ""),
];

/// An instruction that does nothing: `nop`.
pub const PADDING: &[&[u8]] = &[&[0x1f, 0x20, 0x03, 0xd5]];

/// Objects of the ELF for the Arm 64-bit Architecture: machine EM_AARCH64.
#[cfg(feature = "cli")]
const OBJECTS: isa_cli::ObjectFormat = {
    use isa_core::asm::Reference::{Data, Operand, Part};
    isa_cli::ObjectFormat::elf64(183).mapping_symbols().relocations(|reference| {
        Some(match reference {
            Data { bytes: 8, .. } => 257,        // R_AARCH64_ABS64
            Data { bytes: 4, .. } => 258,        // R_AARCH64_ABS32
            Data { bytes: 2, .. } => 259,        // R_AARCH64_ABS16
            Operand { opcode: "bl", .. } => 283, // R_AARCH64_CALL26
            Operand { kind: "To26", .. } => 282, // R_AARCH64_JUMP26
            Operand { kind: "To14", .. } => 279, // R_AARCH64_TSTBR14
            Operand { kind: "Near", .. } => 274, // R_AARCH64_ADR_PREL_LO21
            Operand { kind: "Far", .. } => 275,  // R_AARCH64_ADR_PREL_PG_HI21
            // R_AARCH64_LD_PREL_LO19
            Operand { opcode, kind: "To19", .. } if opcode.contains("_literal") => 273,
            Operand { kind: "To19", .. } => 280, // R_AARCH64_CONDBR19
            // R_AARCH64_ADD_ABS_LO12_NC
            Part { opcode: "add_imm_W" | "add_imm_X", .. } => 277,
            Part { kind: "By1", .. } => 278, // R_AARCH64_LDST8_ABS_LO12_NC
            Part { kind: "By2", .. } => 284, // R_AARCH64_LDST16_ABS_LO12_NC
            Part { kind: "By4", .. } => 285, // R_AARCH64_LDST32_ABS_LO12_NC
            Part { kind: "By8", .. } => 286, // R_AARCH64_LDST64_ABS_LO12_NC
            _ => return None,
        })
    })
};
