//! The SystemVerilog package and its decoder agree with the set in two simulators, and Verilator finds
//! nothing to warn about.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_core::table::{Field, InstructionSet};
use isa_tests::tools::{Tool, are_here};

use crate::words::{FEW, MANY, compare, open};
use crate::{export, folder, quiet, sets};

pub(crate) const ICARUS: Tool =
    Tool { program: "iverilog", release: "Icarus Verilog", install: "apt-get install iverilog" };
const VERILATOR: Tool =
    Tool { program: "verilator", release: "Verilator", install: "apt-get install verilator" };

/// Returns the member of the struct of an opcode or of `fields_t` for a field.
fn member(field: &Field) -> String {
    let name = field.name.replace('.', "_");
    // The reserved words among the names in these sets.
    if ["class", "default", "long", "register", "short"].contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// Returns a program that reads one word per line and prints the same lines as `decode.c`. It also
/// compares the fields in the struct of each opcode with the fields that the decoder returns. A word is
/// read into another variable first, because Verilator does not notice that `$fscanf` changes an input.
fn bench(set: &InstructionSet, name: &str) -> String {
    let (mut structs, mut cases) = (String::new(), String::new());
    for (id, opcode) in set.opcodes.iter().enumerate() {
        let own = opcode.name.replace('.', "_");
        let fields: Vec<&Field> = open(opcode).collect();
        let formats: String = fields.iter().map(|field| format!(" {}=%0h", field.name)).collect();
        let values = fields.iter().map(|field| format!(", fields.{}", member(field)));
        let values: String = values.collect();
        let _ =
            writeln!(structs, "  {own}_t s{id};\n  assign s{id} = word[{}:0];", opcode.bits - 1);
        let whole = fields.iter().filter(|field| field.pieces.len() == 1);
        let differ = whole.map(|field| format!(" || s{id}.{0} != fields.{0}", member(field)));
        let differ: String = differ.collect();
        let _ = writeln!(
            cases,
            "        OP_{own}: if (1'b0{differ}) $display(\"the struct differs\");\n          \
             else $display(\"{id}{formats}\"{values});"
        );
    }
    format!(
        "module bench;\n  import {name}_pkg::*;\n  word_t word, next;\n  logic illegal;\n  opcode_t opcode;\n  \
         fields_t fields;\n  integer file, count;\n{structs}  \
         {name}_decoder decoder(.word(word), .illegal(illegal), .opcode(opcode), .fields(fields));\n  \
         initial begin\n    file = $fopen(\"/dev/stdin\", \"r\");\n    count = $fscanf(file, \"%h\", next);\n    \
         while (count == 1) begin\n      word = next;\n      #1;\n      if (illegal) $display(\"-1\");\n      else case (opcode)\n\
         {cases}        default: $display(\"no opcode\");\n      endcase\n      \
         count = $fscanf(file, \"%h\", next);\n    end\n  end\nendmodule\n"
    )
}

/// Writes the files of a set and the program that reads words. Returns the paths of the files.
fn files(set: &'static InstructionSet, folder: &Path) -> Vec<PathBuf> {
    let mut files = export("systemverilog", set, folder);
    let name = files[0].file_stem().and_then(|name| name.to_str()).expect("a name");
    let bench = bench(set, name.strip_suffix("_pkg").expect("a package"));
    let path = folder.join("bench.sv");
    fs::write(&path, bench).expect("a file");
    files.push(path);
    files
}

/// Compares words in Icarus Verilog.
fn simulate(set: &'static InstructionSet, count: usize) {
    let folder = folder(&format!("icarus {} {count}", set.name));
    let program = folder.join("bench.vvp");
    let mut command = Command::new("iverilog");
    command
        .args(["-g2012", "-Wall", "-Wno-timescale", "-o"])
        .arg(&program)
        .args(files(set, &folder));
    quiet(&mut command);
    compare(set, None, count, || Command::new(&program));
}

#[test]
fn the_decoder_decodes_in_icarus_verilog() {
    if are_here(&[ICARUS]) {
        sets().into_iter().for_each(|set| simulate(set, FEW));
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run` runs it"]
fn the_decoder_decodes_a_million_words_in_two_simulators() {
    if !are_here(&[ICARUS, VERILATOR]) {
        return;
    }
    // Verilator does not accept spaces in paths. Its library is compiled only for the first set.
    let objects = folder("verilator_objects");
    for set in sets() {
        simulate(set, MANY / 10);
        let folder = folder(&format!("verilator_{}", set.name));
        let files = files(set, &folder);
        quiet(Command::new("verilator").args(["--lint-only", "-Wall"]).args(&files[..2]));
        let mut command = Command::new("verilator");
        command.args(["--binary", "-O3", "-Wno-fatal", "--top-module", "bench", "--Mdir"]);
        let output = command.arg(&objects).args(&files).output().expect("Verilator starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", set.name);
        let program = objects.join("Vbench");
        compare(set, None, MANY, || Command::new(&program));
    }
}

/// Checks that names that are reserved words get a `_`, and that equal names get numbers.
#[test]
fn names_are_identifiers_of_the_language() {
    let files = isa_export::format("systemverilog").unwrap().files(crate::names::Int::SET).unwrap();
    let [package, decoder] = &files[..] else { panic!("{files:?}") };
    assert_eq!([&*package.name, &*decoder.name], ["int_pkg.sv", "int_decoder.sv"]);
    for line in [
        "    Field_8b = 3'h1,",
        "    OP_fork = 3'h3,",
        "    Field_e class_;",
        "    logic [7:0] default_;",
        "    logic [7:0] lambda_15_8;",
        "    logic [3:0] lambda_7_4;",
        "    logic [3:0] lambda_3_0;",
        "        fields.lambda = {word[39:32], word[63:60], word[47:44]};",
    ] {
        assert!(package.text.lines().any(|own| own == line), "{line}\n{}", package.text);
    }
}

/// Checks that the declarations of a package and the words of the language are different, although the
/// names in the set are equal to them.
#[test]
fn no_two_declarations_have_one_name() {
    let set = crate::names::clash::Clash::SET;
    let files = isa_export::format("systemverilog").unwrap().files(set).unwrap();
    let package = &files[0].text;
    for line in ["    OP_NONE_2 = 3'h2,", "    OP_NONE_3 = 2'h2,", "    always_comb_ = 2'h0,"] {
        assert!(package.lines().any(|own| own == line), "{line}\n{package}");
    }
    if are_here(&[ICARUS]) {
        let folder = folder("icarus Clash");
        let mut command = Command::new("iverilog");
        command.args(["-g2012", "-Wall", "-Wno-timescale", "-o"]).arg(folder.join("clash.vvp"));
        quiet(command.args(export("systemverilog", set, &folder)));
    }
}
