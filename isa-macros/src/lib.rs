//! The `define_isa!` macro. Use it through `isa_core::define_isa!`; its documentation is there.
//!
//! ```
//! isa_core::define_isa! {
//!     /// A set of one instruction.
//!     pub isa Tiny: u16;
//!     operand Reg: 8 = isa_core::operand::Reg;
//!     enum Op: 8 { JMP = 1 }
//!     opcode JMP {
//!         encoding { field<8, 8> Op op == JMP; field<0, 8> Reg ra; }
//!         syntax   { JMP Ra; }
//!     }
//! }
//!
//! assert_eq!(Jmp::new(Reg::R5).encode().unwrap(), 0x0105);
//! ```
//!
//! A crate of procedural macros exports nothing else, and its macros run only in a compiler. What
//! they do is therefore a library of its own, `isa-spec`.

/// Defines an instruction set, or a part of one. See `isa_core::define_isa!`.
#[proc_macro]
pub fn define_isa(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    isa_spec::expand(input.into()).into()
}
