//! SASS, the machine code of NVIDIA GPUs from sm_75 to sm_120, written with only the public features
//! of `isa-core`.
//!
//! The encodings come from experiments with NVIDIA's tools: programs that `ptxas` compiled, and the
//! text that `nvdisasm` prints for them if single bits are changed. All chips are one set: the feature
//! `SM90` means sm_90 or newer, and the set decodes the newest chip unless other features are chosen.
//! The text is the text of `nvdisasm`, followed by the control word, which `nvdisasm` does not print.
//!
//! ```
//! use isa_sass::Sass;
//!
//! let sm_90 = Sass::SET.feature_set("SM90").unwrap();
//! let add = Sass::decode_with(sm_90, 0x000fe200_00000000_00000002_00007230).unwrap();
//! assert_eq!(add.to_string(), "HADD2 R0, R0, R2;");
//! let text = "HADD2.FTZ R1, -R2.H0_H0, 0.5, 1 ?stall=4 &req={0};";
//! let add = Sass::parse_with(sm_90, text).unwrap();
//! assert_eq!(add.encode().unwrap(), 0x001fe800_00010900_38003c00_02017430);
//! ```

pub mod alu;
pub mod atomic;
mod base;
pub mod control;
pub mod convert;
pub mod half;
#[cfg(feature = "info")]
pub mod info;
pub mod integer;
pub mod matrix;
pub mod memory;
pub mod misc;
mod number;
pub mod operand;
pub mod schedule;
pub mod uniform;
mod width;

pub use base::*;

isa_core::define_isa! {
    /// The machine code of NVIDIA GPUs from sm_75 to sm_120.
    pub isa Sass: u128;

    include crate::half::Half;
    include crate::alu::Alu;
    include crate::memory::Memory;
    include crate::atomic::Atomic;
    include crate::control::Control;
    include crate::misc::Misc;
    include crate::uniform::Uniform;
    include crate::integer::Integer;
    include crate::convert::Convert;
    include crate::matrix::Matrix;
}

/// Returns the command line of the set. The option `--features SM90` chooses a chip.
#[cfg(feature = "cli")]
#[must_use]
pub fn tool() -> isa_cli::Tool<Sass> {
    isa_cli::Tool::new("sass")
        .object(CUBIN)
        .command(
            "schedule",
            "Checks the schedules of a program",
            schedule::command::FLAGS,
            schedule::command::run,
        )
        .command(
            "info",
            "Lists the registers, the memory and the attributes of each function, and checks them",
            &[],
            info::command::run,
        )
}

/// The files of CUDA, which have the number of the chip in their flags: with the ABI of CUDA 13, and with
/// the ABI of CUDA 12.
#[cfg(feature = "cli")]
const CUBIN: isa_cli::ObjectFormat =
    isa_cli::ObjectFormat::elf64(190).separate_sections().processors(&[
        ("SM75", 0x0600_4b04),
        ("SM80", 0x0600_5004),
        ("SM86", 0x0600_5604),
        ("SM89", 0x0600_5904),
        ("SM90", 0x0600_5a04),
        ("SM100", 0x0600_6402),
        ("SM120", 0x0600_7802),
        ("SM75", 0x004b_054b),
        ("SM80", 0x0050_0550),
        ("SM86", 0x0056_0556),
        ("SM89", 0x0059_0559),
        ("SM90", 0x005a_055a),
    ]);
