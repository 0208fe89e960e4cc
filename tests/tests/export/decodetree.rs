//! The decoder that QEMU's generator makes from our patterns decodes like the set.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_core::table::InstructionSet;
use isa_tests::tools::are_here;

use crate::words::{FEW, MANY, compare, open};
use crate::{CC, DECODETREE, PYTHON, export, folder, quiet, sets};

/// The code around a generated decoder: QEMU's bit functions, according to their manual, and a loop
/// over words. `trans` functions print.
const AROUND: &str = r#"
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { const char *names[64]; } DisasContext;

static inline uint64_t extract64(uint64_t w, int at, int len) { return w >> at & ~0ull >> (64 - len); }
static inline uint32_t extract32(uint32_t w, int at, int len) { return w >> at & ~0u >> (32 - len); }
static inline uint64_t deposit64(uint64_t w, int at, int len, uint64_t v)
{
    uint64_t mask = ~0ull >> (64 - len) << at;
    return (w & ~mask) | (v << at & mask);
}
static inline uint32_t deposit32(uint32_t w, int at, int len, uint32_t v)
{
    uint32_t mask = ~0u >> (32 - len) << at;
    return (w & ~mask) | (v << at & mask);
}
"#;

const MAIN: &str = r#"
int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin))
        if (!decode(0, strtoull(line, 0, 16)))
            puts("-1");
    return 0;
}
"#;

/// Fields whose names are C keywords. They are prefixed with the name of the set.
const TAKEN: &[&str] = &["default", "long", "register", "short"];

/// Returns the name as a C identifier.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Returns the functions that patterns call.
fn functions(set: &'static InstructionSet, width: u8) -> String {
    let mut text = String::new();
    for (number, opcode) in set.opcodes.iter().enumerate().filter(|(_, own)| own.bits == width) {
        let name = plain(opcode.name);
        writeln!(text, "static bool trans_{name}(DisasContext *ctx, arg_{name} *a)\n{{").unwrap();
        writeln!(text, "    printf(\"{number}\");").unwrap();
        for field in open(opcode) {
            let own = match TAKEN.contains(&field.name) {
                true => format!("{}_{}", set.name.to_lowercase(), field.name),
                false => plain(field.name),
            };
            let mask = u64::MAX >> (64 - field.width());
            let value = format!("(uint64_t)a->{own} & {mask:#x}");
            writeln!(text, "    printf(\" {}=%\" PRIx64, {value});", field.name).unwrap();
        }
        writeln!(text, "    puts(\"\");\n    return true;\n}}").unwrap();
    }
    text
}

/// Builds the program for a set's words of one width.
fn build(set: &'static InstructionSet, width: u8, patterns: &Path) -> PathBuf {
    let [generated, source, program] =
        ["inc", "c", "run"].map(|extension| patterns.with_extension(extension));
    let width_option = width.to_string();
    let mut python = Command::new("python3");
    python.args([
        DECODETREE.program,
        "--static-decode",
        "decode",
        "--insnwidth",
        &width_option,
        "-o",
    ]);
    quiet(python.arg(&generated).arg(patterns));
    let decoder = fs::read_to_string(&generated).expect("a decoder");
    // The pattern that represents invalid words.
    let illegal = if decoder.contains("arg_illegal_2;") { "illegal_2" } else { "illegal" };
    let refused = match decoder.contains(&format!("arg_{illegal};")) {
        true => format!(
            "static bool trans_{illegal}(DisasContext *ctx, arg_{illegal} *a) {{ puts(\"-1\"); return true; }}\n"
        ),
        false => String::new(),
    };
    let text = [AROUND, &decoder, &functions(set, width), &refused, MAIN].concat();
    fs::write(&source, text).expect("a source");
    let mut compiler = Command::new("gcc");
    quiet(compiler.args(["-std=gnu11", "-O0", "-w", "-o"]).arg(&program).arg(&source));
    program
}

fn check(count: usize) {
    for set in sets().into_iter().filter(|set| set.bits <= 64) {
        let folder = folder(&format!("decodetree {} {count}", set.name));
        let files = export("decodetree", set, &folder);
        assert_eq!(files.len(), set.widths.len());
        for (patterns, width) in files.iter().zip(set.widths) {
            let program = build(set, width.bits, patterns);
            compare(set, Some(width.bits), count / set.widths.len(), || Command::new(&program));
        }
    }
}

#[test]
fn the_generated_decoder_decodes() {
    if are_here(&[CC, PYTHON, DECODETREE]) {
        check(FEW);
    }
}

#[test]
#[ignore = "takes a minute; `.ci/run` runs it"]
fn the_generated_decoder_decodes_a_million_words() {
    if are_here(&[CC, PYTHON, DECODETREE]) {
        check(MANY);
    }
}
