//! The module for Python is sufficient to decode words and to encode them again.

use std::process::Command;

use isa_tests::share::part_of;
use isa_tests::tools::are_here;

use crate::words::{FEW, MANY, compare};
use crate::{PYTHON, export, folder, sets};

fn check(count: usize) {
    for set in sets() {
        let folder = folder(&format!("python {} {count}", set.name));
        let module = export("python", set, &folder).remove(0);
        let program = || {
            let mut command = Command::new("python3");
            command.args(["-W", "error"]);
            command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/decode.py"));
            command.arg(module.file_stem().expect("a name")).env("PYTHONPATH", &folder);
            command
        };
        compare(set, None, count, program);
    }
}

#[test]
fn the_module_decodes() {
    if are_here(&[PYTHON]) {
        check(FEW);
    }
}

#[test]
#[ignore = "takes minutes; `ISA_SHARE=1` decodes all words of the campaign"]
fn the_module_decodes_many_words() {
    if are_here(&[PYTHON]) {
        check(part_of(MANY as u64) as usize);
    }
}
