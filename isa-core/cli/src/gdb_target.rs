//! The properties of a set that the debugger gdb must know.

/// The architecture of a set in gdb, for [`Tool::gdb`](crate::Tool::gdb).
///
/// `exec --gdb` describes the registers of your machine to gdb by name, so you do not need this
/// declaration to debug programs. If gdb supports the architecture of your set, it can then also
/// disassemble instructions and find stack frames. The names of the architecture and of the feature are
/// in the manual of gdb, in the appendix *Target Descriptions*:
///
/// ```
/// use isa_cli::GdbTarget;
///
/// const RISCV: GdbTarget = GdbTarget::new("riscv:rv64", "org.gnu.gdb.riscv.cpu");
/// /// gdb requires the register `cpsr`, which contains the flags in its highest four bits.
/// const AARCH64: GdbTarget = GdbTarget::new("aarch64", "org.gnu.gdb.aarch64.core")
///     .combined(&[("cpsr", 32, &[("nzcv", 28)])]);
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "gdb"), expect(dead_code, reason = "the debugger is disabled"))]
pub struct GdbTarget {
    pub(crate) architecture: &'static str,
    pub(crate) feature: &'static str,
    pub(crate) combined: &'static [CombinedRegister],
    /// The registers of 64 bits that gdb requires in addition to `pc`. If the machine has no such
    /// register, its value is 0.
    pub(crate) required: &'static [&'static str],
}

/// The name and the number of bits of a register that consists of registers of the machine, each with
/// the number of its lowest bit.
pub(crate) type CombinedRegister = (&'static str, u32, &'static [(&'static str, u32)]);

impl GdbTarget {
    /// Declares the names of the architecture and of the feature that contains the registers.
    #[must_use]
    pub const fn new(architecture: &'static str, feature: &'static str) -> Self {
        GdbTarget { architecture, feature, combined: &[], required: &[] }
    }

    /// Adds registers that gdb requires, but that are several registers, or a part of another width, in
    /// your machine. Each has a name, a number of bits, and the registers of the machine that it contains,
    /// with their lowest bits.
    #[must_use]
    pub const fn combined(self, registers: &'static [CombinedRegister]) -> Self {
        GdbTarget { combined: registers, ..self }
    }
}
