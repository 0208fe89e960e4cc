//! The synthetic set as hand-written code: a struct for each opcode, with methods that decode,
//! encode and print it, an enum of all opcodes, and a parser. Code that the opcodes share is
//! written once.

use std::fmt::Write;

/// Returns the modules of the crate with their names. Each contains at most `part_size` opcodes.
pub(crate) fn sources(count: usize, part_size: usize) -> Vec<(String, String)> {
    let mut sources = vec![("common".to_owned(), include_str!("hand/common.rs").to_owned())];
    let parts = count.div_ceil(part_size);
    for part in 0..parts {
        let mut text = String::from(PART);
        for opcode in part * part_size..count.min((part + 1) * part_size) {
            text += &one(opcode);
        }
        sources.push((format!("part{part}"), text));
    }
    sources.push(("lib".to_owned(), root(count, parts)));
    sources
}

/// The forms of an optype: the name of the type, the name of the variant, the number, and the type
/// of the source operand.
const FORMS: [(&str, &str, u32, &str); 4] = [
    ("Rr", "Reg", 1, "Source<Reg>"),
    ("Ru", "UReg", 7, "Source<UReg>"),
    ("Ri", "Imm", 3, "Imm"),
    ("Rc", "CMem", 5, "Source<CMem>"),
];

/// Returns the name of an opcode's type.
fn name(opcode: usize) -> String {
    format!("Op{}{}", opcode / 4, FORMS[opcode % 4].0)
}

/// Returns the struct of an opcode.
fn one(opcode: usize) -> String {
    let (_, _, form, source) = FORMS[opcode % 4];
    let (bits, decode, encode) = match source {
        "Imm" => {
            ("mask(64, 32)".to_owned(), "Imm(bits(word, 64, 32))", "u128::from(self.b.0) << 64")
        }
        _ => (
            source.replace('<', "::<") + "::B",
            "Source::decode(word, 64, 96)?",
            "self.b.encode(64, 96)",
        ),
    };
    OPCODE
        .replace("NAME", &name(opcode))
        .replace("NUMBER", &format!("{form:#x}_{:03x}", opcode / 4))
        .replace("MNEMONIC", &format!("OP{}", opcode / 4))
        .replace("SOURCE", source)
        .replace("BITS_OF_B", &bits)
        .replace("DECODE", decode)
        .replace("ENCODE", encode)
}

/// Returns the enum of all opcodes.
fn root(count: usize, parts: usize) -> String {
    let mut text = String::from("//! A made-up instruction set.\n\npub mod common;\n");
    for part in 0..parts {
        let _ = writeln!(text, "pub mod part{part};");
    }
    text += "\nuse std::fmt;\nuse std::str::FromStr;\n\nuse common::{AnySource, Error, Parsed, opcode};\n";
    for part in 0..parts {
        let _ = writeln!(text, "use part{part}::*;");
    }
    let arms =
        |arm: &dyn Fn(String) -> String| -> String { (0..count).map(name).map(arm).collect() };
    let mut parser = String::new();
    for optype in 0..count.div_ceil(4) {
        let _ = writeln!(parser, "            \"OP{optype}\" => match b {{");
        for opcode in optype * 4..count.min(optype * 4 + 4) {
            let (name, source) = (name(opcode), FORMS[opcode % 4].1);
            let _ = writeln!(
                parser,
                "                AnySource::{source}(b) => Ok(All::{name}({name} {{ head, b }})),"
            );
        }
        if count < optype * 4 + 4 {
            parser += "                _ => Err(Error::Mnemonic),\n";
        }
        parser += "            },\n";
    }
    text + &ROOT
        .replace("    VARIANTS\n", &arms(&|name| format!("    {name}({name}),\n")))
        .replace(
            "            DECODE\n",
            &arms(&|name| {
                format!("            {name}::OPCODE => {name}::decode(word).map(All::{name}),\n")
            }),
        )
        .replace(
            "            ENCODE\n",
            &arms(&|name| format!("            All::{name}(inner) => inner.encode(),\n")),
        )
        .replace(
            "            DISPLAY\n",
            &arms(&|name| format!("            All::{name}(inner) => inner.fmt(f),\n")),
        )
        .replace("            PARSE\n", &parser)
}

const PART: &str = "\
#![allow(unused_imports)]

use std::fmt;

use crate::common::{CMem, Error, Head, Imm, Reg, Source, UReg, bits, check_free, mask};
";

const OPCODE: &str = "
/// Adds, or something like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NAME {
    pub head: Head,
    pub b: SOURCE,
}

impl NAME {
    pub const OPCODE: u32 = NUMBER;
    const BITS: u128 = Head::BITS | BITS_OF_B;

    pub fn decode(word: u128) -> Result<Self, Error> {
        check_free(word, Self::BITS)?;
        Ok(NAME { head: Head::decode(word)?, b: DECODE })
    }

    pub fn encode(&self) -> u128 {
        self.head.encode(Self::OPCODE) | ENCODE
    }
}

impl fmt::Display for NAME {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head.print(f, \"MNEMONIC\", &self.b)
    }
}
";

const ROOT: &str = "
/// Any instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum All {
    VARIANTS
}

impl All {
    pub fn decode(word: u128) -> Result<Self, Error> {
        match opcode(word) {
            DECODE
            _ => Err(Error::Opcode),
        }
    }

    pub fn encode(&self) -> u128 {
        match self {
            ENCODE
        }
    }
}

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DISPLAY
        }
    }
}

impl FromStr for All {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let Parsed { name, head, b } = Parsed::new(line)?;
        match name {
            PARSE
            _ => Err(Error::Mnemonic),
        }
    }
}
";
