//! SASS, the machine code of NVIDIA GPUs from sm_75 to sm_120, written with only the public features
//! of `isa-core`.
//!
//! The encodings come from experiments with NVIDIA's tools: programs that `ptxas` compiled, and the
//! text that `nvdisasm` prints for them if single bits are changed. There is a set for each chip, for
//! example [`Sm90`]. The text is the text of `nvdisasm`, followed by the control word, which
//! `nvdisasm` does not print.
//!
//! ```
//! use isa_sass::Sm90;
//!
//! let add = Sm90::decode(0x000fe200_00000000_00000002_00007230).unwrap();
//! assert_eq!(add.to_string(), "HADD2 R0, R0, R2;");
//! let add: Sm90 = "HADD2.FTZ R1, -R2.H0_H0, 0.5, 1 ?stall=4 &req={0};".parse().unwrap();
//! assert_eq!(add.encode().unwrap(), 0x001fe800_00010900_38003c00_02017430);
//! ```

pub mod address;
pub mod alu;
mod base;
pub mod control;
pub mod half;
pub mod memory;
pub mod misc;
mod number;
pub mod operand;
pub mod special;

pub use base::*;

isa_core::define_isa! {
    /// The instructions of sm_75.
    pub isa Sm75: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::banks::AluBanks;
    include crate::alu::sums::Sums;
    include crate::alu::sums_banks::SumsBanks;
    include crate::control::divergence::Divergence;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::banks::MiscBanks;
    include crate::alu::minmax_75::FloatMinMax75;
    include crate::alu::minmax_banks_75::FloatMinMaxBanks75;
    include crate::memory::common::MemoryCommon;
    include crate::memory::turing::MemoryTuring;
    include crate::control::common::ControlCommon;
    include crate::control::bytes::BranchBytes;
    include crate::half::half75::Half75;
    include crate::half::halfbanks75::HalfBanks75;
}

isa_core::define_isa! {
    /// The instructions of sm_80.
    pub isa Sm80: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::banks::AluBanks;
    include crate::alu::sums::Sums;
    include crate::alu::sums_banks::SumsBanks;
    include crate::control::divergence::Divergence;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::banks::MiscBanks;
    include crate::memory::hidden::MemoryHidden;
    include crate::misc::pack_80::Pack80Halves;
    include crate::alu::functions_80::Functions80;
    include crate::alu::minmax_75::FloatMinMax75;
    include crate::alu::minmax_banks_75::FloatMinMaxBanks75;
    include crate::memory::common::MemoryCommon;
    include crate::memory::plain::MemoryPlain;
    include crate::control::common::ControlCommon;
    include crate::control::bytes::BranchBytes;
    include crate::half::half80::Half80;
    include crate::half::halfbanks80::HalfBanks80;
    include crate::half::halfmatrix80::HalfMatrix80;
}

isa_core::define_isa! {
    /// The instructions of sm_86.
    pub isa Sm86: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::banks::AluBanks;
    include crate::alu::sums::Sums;
    include crate::alu::sums_banks::SumsBanks;
    include crate::control::divergence::Divergence;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::banks::MiscBanks;
    include crate::memory::hidden::MemoryHidden;
    include crate::misc::pack_80::Pack80Halves;
    include crate::alu::functions_80::Functions80;
    include crate::misc::to_float::ToFloat;
    include crate::misc::to_float_banks::ToFloatBanks;
    include crate::alu::minmax_86::FloatMinMax86;
    include crate::alu::minmax_banks_86::FloatMinMaxBanks86;
    include crate::memory::common::MemoryCommon;
    include crate::memory::plain::MemoryPlain;
    include crate::control::common::ControlCommon;
    include crate::control::bytes::BranchBytes;
    include crate::half::half86::Half86;
    include crate::half::halfbanks86::HalfBanks86;
    include crate::half::halfmatrix80::HalfMatrix80;
}

isa_core::define_isa! {
    /// The instructions of sm_89.
    pub isa Sm89: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::banks::AluBanks;
    include crate::alu::sums::Sums;
    include crate::alu::sums_banks::SumsBanks;
    include crate::control::divergence::Divergence;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::banks::MiscBanks;
    include crate::memory::hidden::MemoryHidden;
    include crate::misc::pack::PackHalves;
    include crate::alu::functions_80::Functions80;
    include crate::misc::to_float::ToFloat;
    include crate::misc::to_float_banks::ToFloatBanks;
    include crate::alu::minmax_86::FloatMinMax86;
    include crate::alu::minmax_banks_86::FloatMinMaxBanks86;
    include crate::memory::common::MemoryCommon;
    include crate::memory::plain::MemoryPlain;
    include crate::control::common::ControlCommon;
    include crate::control::bytes::BranchBytes;
    include crate::half::half86::Half86;
    include crate::half::halfbanks86::HalfBanks86;
    include crate::half::halfmatrix80::HalfMatrix80;
}

isa_core::define_isa! {
    /// The instructions of sm_90.
    pub isa Sm90: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::banks::AluBanks;
    include crate::alu::sums::Sums;
    include crate::alu::sums_banks::SumsBanks;
    include crate::control::divergence::Divergence;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::banks::MiscBanks;
    include crate::misc::pack::PackHalves;
    include crate::misc::minmax_90::IntMinMax90;
    include crate::alu::functions_90::Functions90;
    include crate::alu::viadd::PlainSums;
    include crate::alu::viadd_90::PlainSums90;
    include crate::misc::to_float::ToFloat;
    include crate::misc::to_float_banks::ToFloatBanks;
    include crate::alu::minmax_86::FloatMinMax86;
    include crate::alu::minmax_banks_86::FloatMinMaxBanks86;
    include crate::memory::common::MemoryCommon;
    include crate::memory::described::MemoryDescribed;
    include crate::control::common::ControlCommon;
    include crate::control::words::BranchWords;
    include crate::half::half90::Half90;
    include crate::half::halfbanks90::HalfBanks90;
    include crate::half::halfmatrix90::HalfMatrix90;
}

isa_core::define_isa! {
    /// The instructions of sm_100.
    pub isa Sm100: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::uniform::AluUniform;
    include crate::alu::sums_100::Sums100;
    include crate::alu::sums_uniform::SumsUniform;
    include crate::control::meeting::DivergenceMeeting;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::uniform::MiscUniform;
    include crate::misc::pack::PackHalves;
    include crate::misc::minmax_100::IntMinMax100;
    include crate::alu::functions_90::Functions90;
    include crate::alu::viadd::PlainSums;
    include crate::alu::viadd_100::PlainSums100;
    include crate::misc::to_float::ToFloat;
    include crate::misc::to_float_uniform::ToFloatUniform;
    include crate::alu::minmax_86::FloatMinMax86;
    include crate::alu::minmax_uniform_86::FloatMinMaxUniform86;
    include crate::memory::common::MemoryCommon;
    include crate::memory::wide::MemoryWide;
    include crate::control::common::ControlCommon;
    include crate::control::words::BranchWords;
    include crate::half::half90::Half90;
    include crate::half::halfuniform100::HalfUniform100;
}

isa_core::define_isa! {
    /// The instructions of sm_120.
    pub isa Sm120: u128;

    include crate::alu::registers::AluRegisters;
    include crate::alu::uniform::AluUniform;
    include crate::alu::sums_100::Sums100;
    include crate::alu::sums_uniform::SumsUniform;
    include crate::control::meeting::DivergenceMeeting;
    include crate::alu::sums_120::Sums120;
    include crate::alu::sums_uniform_120::SumsUniform120;
    include crate::misc::registers::MiscRegisters;
    include crate::misc::uniform::MiscUniform;
    include crate::misc::pack::PackHalves;
    include crate::misc::minmax_120::IntMinMax120;
    include crate::alu::functions_90::Functions90;
    include crate::alu::viadd_120::PlainSums120;
    include crate::alu::viadd_uniform_120::PlainSumsUniform120;
    include crate::misc::to_float::ToFloat;
    include crate::misc::to_float_uniform::ToFloatUniform;
    include crate::alu::minmax_86::FloatMinMax86;
    include crate::alu::minmax_uniform_86::FloatMinMaxUniform86;
    include crate::memory::common::MemoryCommon;
    include crate::memory::wide::MemoryWide;
    include crate::control::common::ControlCommon;
    include crate::control::words::BranchWords;
    include crate::half::half90::Half90;
    include crate::half::halfuniform100::HalfUniform100;
}

/// Returns the command line of the set of sm_90.
#[cfg(feature = "cli")]
#[must_use]
pub fn tool() -> isa_cli::Tool<Sm90> {
    isa_cli::Tool::new("sass")
}
