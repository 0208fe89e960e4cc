//! The whole 128-bit instruction set: every family as one decoder, one parser, one enum.

isa_core::define_isa! {
    /// The 128-bit GPU instruction set: half-precision, video and shift instructions.
    pub isa Gpu: u128;

    include crate::halu::Halu;
    include crate::video::VideoSimd;
    include crate::shift::Shift;
}
