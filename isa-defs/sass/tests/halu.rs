//! Compares the half-precision set HALU with SASS of sm_90, field by field, and writes the page `HALU.md`.
//!
//! `BLESS=1 cargo test -p isa-sass --test halu` rewrites the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use isa_core::table::{Field, InstructionSet, Opcode};
use isa_defs::halu::Halu;
use isa_sass::Sass;

/// The opcodes that are compared: the forms whose sources are registers. The third name is the operand that
/// HALU calls `rb`.
const OPCODES: [(&str, &str, &str); 6] = [
    ("HADD2_RR", "HADD2_R", "c"),
    ("HMUL2_RR", "HMUL2_R", "b"),
    ("HFMA2_RRR", "FMA_RR", "b"),
    ("HMNMX2_RR", "MNMX_R", "b"),
    ("HSETP2_RR", "HSETP2_R", "c"),
    ("HSET2_RR", "HSET2_R", "c"),
];

/// Names of HALU and of SASS for one thing. Names that are not in the list are equal in both sets, except
/// that operands are called `rd`, `ra`, `rb` and `rc` in HALU.
const NAMES: [(&str, &str); 9] = [
    ("optype", "op"),
    ("stype", "form"),
    ("sched", "stall"),
    ("hfmt_v2", "fmt"),
    ("lop", "bool"),
    ("bval", "bf"),
    ("rd", "d"),
    ("ra", "a"),
    ("rc", "c"),
];

fn opcode(set: &InstructionSet, name: &str) -> &'static Opcode {
    set.opcodes.iter().find(|opcode| opcode.name == name).expect(name)
}

/// Returns the name in SASS of a field of HALU.
fn name_in_sass(name: &str, b: &str) -> String {
    let (operand, part) = name.split_once('.').unwrap_or((name, ""));
    let known = NAMES.iter().find(|(halu, _)| *halu == operand).map(|(_, sass)| *sass);
    let operand = if operand == "rb" { b } else { known.unwrap_or(operand) };
    match part {
        "" => operand.to_owned(),
        "hsel2" => format!("{operand}.half"),
        part => format!("{operand}.{part}"),
    }
}

/// Returns the bits of a field, for example `12 to 14`.
fn bits(field: &Field) -> String {
    let piece = |piece: &isa_core::table::Piece| match piece.width {
        1 => piece.position.to_string(),
        width => format!("{} to {}", piece.position, piece.position + width - 1),
    };
    field.pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
}

/// Returns the names of values that have different numbers in the two sets, or that only one set has.
fn values(halu: &Field, sass: &Field) -> String {
    let numbers = |field: &Field| -> BTreeMap<&str, u64> {
        field.kind.values.iter().map(|value| (value.name, value.raw)).collect()
    };
    let (halu, sass) = (numbers(halu), numbers(sass));
    let mut parts = Vec::new();
    for (name, raw) in &halu {
        if let Some(other) = sass.get(name).filter(|other| *other != raw) {
            parts.push(format!("`{name}` is {raw} and {other}"));
        }
    }
    parts.join(", ")
}

fn table(halu: &'static Opcode, sass: &'static Opcode, b: &str, page: &mut String) {
    let _ = writeln!(page, "\n## {}\n", halu.syntax.mnemonic);
    page.push_str(
        "| field of HALU | bits | field of SASS | bits | difference |\n|---|---|---|---|---|\n",
    );
    let mut left: Vec<&Field> =
        sass.fields.iter().copied().filter(|field| !field.pieces.is_empty()).collect();
    for field in halu.fields {
        let name = name_in_sass(field.name, b);
        let Some(place) = left.iter().position(|other| other.name == name) else {
            let _ = writeln!(page, "| `{}` | {} | | | only HALU |", field.name, bits(field));
            continue;
        };
        let other = left.remove(place);
        let position = if bits(field) == bits(other) { "" } else { "position" };
        let values = values(field, other);
        let between = if position.is_empty() || values.is_empty() { "" } else { "; " };
        let _ = writeln!(
            page,
            "| `{}` | {} | `{}` | {} | {position}{between}{values} |",
            field.name,
            bits(field),
            other.name,
            bits(other)
        );
    }
    for field in left {
        let _ = writeln!(page, "| | | `{}` | {} | only SASS |", field.name, bits(field));
    }
}

#[test]
fn the_page_compares_halu_with_sass() {
    let mut page = "# HALU next to SASS\n
The set HALU of `isa-defs` and SASS, the machine code of NVIDIA GPUs, have the same half-precision
instructions with similar fields. This page compares the fields of both sets for sm_90, for the opcodes whose
sources are registers. A line without a difference has the same bits in both sets. `cargo test -p isa-sass
--test halu` compares the page with the sets.

The names differ: SASS calls the destination `d` and the sources `a`, `b` and `c`. In SASS, the second source
of a sum or a comparison is `c`.
"
    .to_owned();
    let features = Sass::SET.feature_set("SM90").expect("a feature");
    let sass = Sass::SET.specialized(features);
    for (halu, name, b) in OPCODES {
        table(opcode(Halu::SET, halu), opcode(sass, name), b, &mut page);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("HALU.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "run with BLESS=1 to rewrite the page");
}
