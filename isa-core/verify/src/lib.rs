//! Property tests for any instruction set that is defined with
//! [`define_isa!`](isa_core::define_isa), in one line:
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
//!     isa_verify::check::<Tiny>();
//! }
//! # the_set_keeps_its_promises();
//! ```
//!
//! [`check`] tests the properties of every set. For example, instructions survive encoding,
//! decoding, and printing and parsing in every spelling; every word is a valid instruction or is
//! rejected with its reason; and no text causes a panic. A second evaluation of fields and
//! conditions ([`model`]), which shares no code with the decoder, determines which words are valid.
//! [`Check`] sets the seed, the number of cases, a machine that executes instructions, and the vectors
//! of an earlier version of the set.
//!
//! A failure contains the property, the word, the text, and the setting that repeats only this
//! case:
//!
//! ```text
//! Tiny: round-trips: case 17 of seed 1
//!   word   0x0105, NEG
//!   text   "NEG R5;"
//!   wrong  assembles to 0x0106
//!   again  ISA_CHECK=round-trips:1:17 in the environment of the test
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`generate`] | random valid instructions and programs with labels, to test other tools |
//! | [`vectors`] | words and texts with their results, to compare a changed set with its earlier version |
//! | [`campaign`], [`run`], [`encoding`] | comparisons that take hours, on one or several machines: [campaigns] |
//! | [`model`], [`condition`], [`field_values`], [`count`] | the reference implementation of validity, and the number of valid words |
//! | [`word_generator`], [`spelling`], [`garble`] | generators of words, texts and damaged texts from the tables of a set |
//! | [`parse_check`], [`text`] | properties of every parsed and every printed text |
//!
//! If a set uses [`isa-cli`](https://docs.rs/isa-cli), its tool has the commands `random` and
//! `verify`.

pub mod campaign;
mod case;
mod check;
pub mod condition;
pub mod count;
mod effects;
pub mod encoding;
pub mod field_values;
pub mod garble;
pub mod generate;
mod lanes;
pub mod model;
pub mod parse_check;
mod property;
mod property_tests;
pub mod random;
pub mod run;
mod set_under_test;
pub mod spelling;
pub mod text;
pub mod vectors;
pub mod word_generator;

#[doc = include_str!("../CAMPAIGNS.md")]
pub mod campaigns {}

pub use case::Failure;
pub use check::{Check, Report, check};
pub use generate::Generator;
pub use property::properties;
pub use set_under_test::{SetUnderTest, random_state};
pub use vectors::Vectors;
