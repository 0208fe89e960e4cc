//! SASS, the machine code of NVIDIA GPUs, written with only the public features of `isa-core`.

mod base;
pub mod half;
mod number;
pub mod operand;

pub use base::*;

isa_core::define_isa! {
    /// The instructions of sm_75.
    pub isa Sm75: u128;
    include crate::half::Half;
    include crate::half::HalfBanks;
}
isa_core::define_isa! {
    /// The instructions of sm_80, sm_86 and sm_89.
    pub isa Sm80: u128;
    include crate::half::Half;
    include crate::half::HalfAmpere;
    include crate::half::HalfBanks;
    include crate::half::HalfAmpereBanks;
    include crate::half::HalfMatrix;
}
isa_core::define_isa! {
    /// The instructions of sm_90.
    pub isa Sm90: u128;
    include crate::half::Half;
    include crate::half::HalfAmpere;
    include crate::half::HalfBanks;
    include crate::half::HalfAmpereBanks;
    include crate::half::HalfMatrix;
}
isa_core::define_isa! {
    /// The instructions of sm_100.
    pub isa Sm100: u128;
    include crate::half::Half;
    include crate::half::HalfAmpere;
    include crate::half::HalfUniform;
}
isa_core::define_isa! {
    /// The instructions of sm_120.
    pub isa Sm120: u128;
    include crate::half::Half;
    include crate::half::HalfAmpere;
    include crate::half::HalfUniform;
}
