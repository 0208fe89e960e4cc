#![doc = include_str!("sleigh.md")]

mod aliases;
mod constructor;
mod disjoint_words;
mod flow;
mod instruction;
mod print_rule;
mod registers;
mod rule_cache;
mod spec;
mod template;
mod value;

use std::fmt::Write;

use isa_core::table::{ByteOrder, InstructionSet};

use self::registers::RegisterOperands;
use self::rule_cache::RuleCache;
use self::spec::SleighSpec;
use self::template::RowWriter;
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "sleigh",
    about: "A language for Ghidra in SLEIGH, with the files that load it",
    make: Generator::OfWords(make),
};

/// The properties that the files share.
struct Language {
    /// The name of the set in file names.
    name: String,
    /// The size of an address in bits.
    bits: u8,
    /// The name of the program counter.
    counter: String,
    endian: Endian,
}

/// The byte order in memory, as it is written in SLEIGH and in Ghidra's list of languages.
struct Endian {
    word: &'static str,
    id: &'static str,
}

fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let endian = match set.byte_order {
        ByteOrder::LittleEndian => Endian { word: "little", id: "LE" },
        ByteOrder::BigEndian => Endian { word: "big", id: "BE" },
        _ => {
            return Err(ExportError::new(format!(
                "SLEIGH does not support the byte order of {}: half-words, the highest first, each with its \
                 low byte first",
                set.name
            )));
        }
    };
    let mut rules = RuleCache::default();
    let registers = RegisterOperands::of(set, &mut rules);
    let bits = registers.address_bits();
    let mut spec = SleighSpec::default();
    spec.widths(set.widths.iter().map(|width| width.bits));
    for name in &registers.names {
        if spec.name(name) != *name {
            return Err(ExportError::new(format!(
                "the name of register {name} of {} is already used, or it is a keyword of SLEIGH, which \
                 ignores letter case in register names",
                set.name
            )));
        }
        let size = registers.sizes.get(name).copied().unwrap_or_default();
        spec.registers.push((name.clone(), size.div_ceil(8)));
    }
    let counter = spec.name("pc");
    spec.registers.push((counter.clone(), u16::from(bits) / 8));
    let operations: Vec<String> = set.opcodes.iter().map(|opcode| spec.name(opcode.name)).collect();
    spec.operations.clone_from(&operations);
    for (row, operation) in set.opcodes.iter().zip(&operations) {
        RowWriter::new(row, &mut spec, &mut rules, &registers).write(set.opcodes, operation)?;
    }
    if let Some(text) = &spec.wrong {
        return Err(ExportError::new(format!(
            "SLEIGH cannot print the text {text:?} of {}: it prints only printable ASCII characters except \
             `\"`, no text of several spaces, and not `_`",
            set.name
        )));
    }
    spec.prune();
    let language = Language { name: plain(set.name), bits, counter, endian };
    Ok(files(set, &language, &spec))
}

fn files(set: &InstructionSet, language: &Language, spec: &SleighSpec) -> Vec<ExportFile> {
    let file =
        |extension: &str, text| ExportFile { name: format!("{}.{extension}", language.name), text };
    vec![
        file("ldefs", definitions(set, language)),
        file("pspec", processor(language)),
        file("cspec", compiler()),
        file("slaspec", source(set, language, spec)),
    ]
}

/// Returns the SLEIGH specification.
fn source(set: &InstructionSet, language: &Language, spec: &SleighSpec) -> String {
    let mut text = String::new();
    let mut comment = |line: &str| _ = writeln!(text, "{}", format!("# {line}").trim_end());
    comment(&format!("{} in SLEIGH. This file is generated: edit the set instead.", set.name));
    set.doc.lines().for_each(&mut comment);
    for note in &spec.notes {
        comment(&format!("DIFFERS FROM THE SET: {note}"));
    }
    let narrowest = set.widths.iter().map(|width| width.bits).min().unwrap_or(8);
    let alignment = 1u32 << (narrowest / 8).max(1).trailing_zeros();
    let size = language.bits / 8;
    let _ = write!(
        text,
        "\ndefine endian={};\ndefine alignment={alignment};\n\
         define space ram type=ram_space size={size} default;\n\
         define space register type=register_space size=4;\n\n{}\n",
        language.endian.word,
        spec.definitions()
    );
    for line in &spec.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Returns Ghidra's list of languages: the language with its files.
fn definitions(set: &InstructionSet, Language { name, bits, endian, .. }: &Language) -> String {
    let about = set.doc.lines().next().unwrap_or_default().trim_end_matches('.');
    let about = if about.is_empty() { set.name } else { about };
    format!(
        "{XML}<language_definitions>\n  \
           <language processor=\"{name}\" endian=\"{}\" size=\"{bits}\" variant=\"default\" \
             version=\"1.0\" slafile=\"{name}.sla\" processorspec=\"{name}.pspec\" \
             id=\"{name}:{}:{bits}:default\">\n    \
             <description>{}</description>\n    \
             <compiler name=\"default\" spec=\"{name}.cspec\" id=\"default\"/>\n  \
           </language>\n</language_definitions>\n",
        endian.word,
        endian.id,
        escaped(about)
    )
}

fn processor(Language { counter, .. }: &Language) -> String {
    format!(
        "{XML}<processor_spec>\n  <programcounter register=\"{counter}\"/>\n</processor_spec>\n"
    )
}

/// Returns a compiler specification without parameters and stack, because a set does not define
/// calling conventions.
fn compiler() -> String {
    format!(
        "{XML}<compiler_spec>\n  <global>\n    <range space=\"ram\"/>\n  </global>\n  \
         <default_proto>\n    <prototype name=\"unknown\" extrapop=\"unknown\" stackshift=\"0\">\n      \
         <input/>\n      <output/>\n    </prototype>\n  </default_proto>\n</compiler_spec>\n"
    )
}

/// Escapes text between XML tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
