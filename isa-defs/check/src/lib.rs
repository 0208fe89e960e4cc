//! Tests of any instruction set that is defined with [`define_isa!`](isa_core::define_isa), in one line:
//!
//! ```
//! isa_core::define_isa! {
//!     /// One instruction.
//!     pub isa Tiny: u16;
//!     operand Reg: 8 = isa_core::operand::Reg;
//!     enum Op: 8 { NEG = 1 }
//!     opcode NEG {
//!         encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; }
//!         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_neg(); }
//!     }
//! }
//!
//! # /*
//! #[test]
//! # */
//! fn the_set_keeps_its_promises() {
//!     isa_check::check::<Tiny>();
//! }
//! # the_set_keeps_its_promises();
//! ```
//!
//! [`check`] tries what every set promises: that instructions survive encoding, decoding, printing and
//! reading in every spelling, that any word is an instruction or refused with its reason, that no text
//! makes a panic. What is a legal word it takes from a second reading of fields and conditions
//! ([`model`]), which shares no code with the decoder. [`Check`] has the settings: a seed, a number of
//! cases, a machine to execute on, vectors of an earlier state of the set.
//!
//! A failure names the property, the word, the text, and how to repeat the case alone:
//!
//! ```text
//! Tiny: round-trips: case 17 of seed 1
//!   word   0x0105, NEG
//!   text   "NEG R5;"
//!   wrong  assembles to 0x0106
//!   again  ISA_CHECK=round-trips:1:17 in the environment of the test
//! ```
//!
//! | module | has |
//! |---|---|
//! | [`generate`] | random legal instructions and programs with labels, to test other tools with |
//! | [`vectors`] | words and texts with what a set makes of them, to hold a changed set against |
//! | [`campaign`], [`run`], [`encoding`] | comparisons of hours, in shards, continued where they were left; [campaigns] says how to spread them over machines |
//! | [`model`], [`condition`], [`count`] | which words are legal, read a second time, and how many |
//! | [`space`], [`spelling`], [`garble`] | words, texts and damaged texts, made from the tables of a set |
//! | [`reading`], [`text`] | what each reading and each printing must be like |
//!
//! With [`isa-tool`](https://docs.rs/isa-tool) a set has these as commands: `random` and `verify`.

pub mod campaign;
mod case;
mod check;
pub mod condition;
pub mod count;
pub mod encoding;
pub mod garble;
pub mod generate;
mod lanes;
pub mod model;
mod property;
pub mod random;
pub mod reading;
pub mod run;
pub mod space;
pub mod spelling;
mod subject;
pub mod text;
pub mod vectors;

#[doc = include_str!("../CAMPAIGNS.md")]
pub mod campaigns {}

pub use case::Failure;
pub use check::{Check, Report, check};
pub use generate::Generator;
pub use property::properties;
pub use subject::{Subject, random_state};
pub use vectors::Vectors;
