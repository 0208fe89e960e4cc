//! The complete 128-bit instruction set: all families in one decoder, one parser and one enum.

isa_core::define_isa! {
    /// The 128-bit GPU instruction set: half-precision, video and shift instructions.
    pub isa Gpu: u128;

    include crate::halu::Halu;
    include crate::video::VideoSimd;
    include crate::shift::Shift;
}
