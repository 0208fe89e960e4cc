//! The tables for spreadsheets, read by Python's module `csv`, contain the data of the tables in Rust.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use isa_core::table::{Init, InstructionSet};
use isa_tests::tools::are_here;

use crate::{PYTHON, export, folder, sets};

/// Prints each row as a line of JSON.
const READER: &str = "
import csv, json, sys
for row in csv.DictReader(open(sys.argv[1], encoding='utf-8-sig', newline=''), strict=True):
    print(json.dumps(row))
";

type Row = BTreeMap<String, String>;

/// Returns the rows of the three tables: opcodes, fields, values.
fn tables(set: &'static InstructionSet) -> [Vec<Row>; 3] {
    let files = export("csv", set, &folder(&format!("csv {}", set.name)));
    let files: [_; 3] = files.try_into().expect("three tables");
    files.map(|path| {
        let bytes = fs::read(&path).unwrap();
        assert!(
            bytes.starts_with("\u{feff}opcode,".as_bytes())
                || bytes.starts_with("\u{feff}type,".as_bytes())
        );
        let output = Command::new("python3").args(["-c", READER]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let rows = String::from_utf8(output.stdout).unwrap();
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    })
}

/// Joins the lines of a text. A space is added before a formula.
fn shown(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.starts_with(['=', '+', '-', '@']) { format!(" {text}") } else { text }
}

#[test]
fn tables_contain_the_set() {
    if !are_here(&[PYTHON]) {
        return;
    }
    for set in sets() {
        let [opcodes, fields, values] = tables(set);
        assert_eq!(opcodes.len(), set.opcodes.len());
        let mut fields = fields.iter();
        for (row, opcode) in opcodes.iter().zip(set.opcodes) {
            let number = |key: &str| u128::from_str_radix(&row[key][2..], 16).unwrap();
            assert_eq!((&*row["opcode"], &*row["mnemonic"]), (opcode.name, opcode.syntax.mnemonic));
            assert_eq!((number("mask"), number("value")), (opcode.fixed.mask, opcode.fixed.value));
            assert_eq!(row["description"], shown(opcode.doc), "{}", opcode.name);
            assert_eq!(row["bits"], opcode.bits.to_string());
            for field in opcode.fields {
                let row = fields.next().unwrap();
                assert_eq!((&*row["opcode"], &*row["field"]), (opcode.name, field.name));
                assert_eq!(row["width"], field.width().to_string());
                let bits = row["bits"].split(' ').filter(|bits| !bits.is_empty()).map(|bits| {
                    let (high, low) = bits.split_once(':').unwrap_or((bits, bits));
                    let [high, low] = [high, low].map(|bit| bit.parse::<u8>().unwrap());
                    (low, high + 1 - low)
                });
                let pieces = field.pieces.iter().map(|piece| (piece.position, piece.width));
                assert!(bits.eq(pieces), "{} {}", opcode.name, field.name);
                assert_eq!(row["type"], field.kind.name);
                let filled = [!row["fixed"].is_empty(), !row["default"].is_empty()];
                let expected =
                    [matches!(field.init, Init::Fixed(_)), matches!(field.init, Init::Default(_))];
                assert_eq!(filled, expected, "{} {}", opcode.name, field.name);
            }
        }
        assert_eq!(fields.next(), None);
        let expected = set.kinds().into_iter().flat_map(|kind| {
            kind.values.iter().map(|value| {
                (
                    kind.name.to_owned(),
                    shown(value.name),
                    format!("{:#x}", value.raw),
                    shown(value.doc),
                )
            })
        });
        let found = values.iter().map(|row| {
            let cell = |key: &str| row[key].clone();
            (cell("type"), cell("value"), cell("number"), cell("description"))
        });
        assert!(found.eq(expected), "{}", set.name);
    }
}

/// Checks one row whose cells are known from the specification.
#[test]
fn a_row_shows_what_is_read_and_written() {
    if !are_here(&[PYTHON]) {
        return;
    }
    let [opcodes, fields, _] = tables(isa_defs::gpu::Gpu::SET);
    let row = opcodes.iter().find(|row| row["opcode"] == "HADD2_RR").unwrap();
    assert_eq!((&*row["reads"], &*row["writes"]), ("pg ra rb", "rd"));
    let sat =
        fields.iter().find(|row| row["opcode"] == "HADD2_RR" && row["field"] == "stype").unwrap();
    assert_eq!((&*sat["type"], &*sat["fixed"], &*sat["default"]), ("SType", "RR", ""));
}
