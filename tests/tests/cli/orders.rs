//! Sets whose highest bits stand first in memory are among those of the tests of any set; here is what is
//! said of their bytes.

mod sets;

use self::sets::{big, halves};
use super::any_set::Subject;
use super::*;

/// Instructions with the words that the fields say.
const CODE: &str = "add x1, x2, -4;\ninc x3;\nsw x1, 8(x2);\n";

pub(super) fn subjects() -> [Subject; 2] {
    let of = |name, run| Subject {
        name,
        run,
        code: CODE,
        hex: "9120fffc\n2003\nb1200008\n",
        widths: &[16, 32],
        none: "ffffffff",
        mistake: ("add x1, x2, 40000;", 13, "a number from -32768 to 32767"),
        exec: (
            &["x2=0x1004", "x3=7", "pc=0x1000"],
            "x1 = 0x00001000\nx3 = 0x00000008\nmem[0x100c..0x1010] = 0x00001000\n",
        ),
        unknown: ("X1=1", "did you mean `x1`?"),
        foreign: &["rv", "GPU", "HADD2", "a0", "P0", "warp", "Rv64imac"],
    };
    [
        of("be", |args, stdin| run(&big::tool(), args, stdin)),
        of("hw", |args, stdin| run(&halves::tool(), args, stdin)),
    ]
}

/// The bytes of the code, of data and of what is stored stand as each order says.
#[test]
fn bytes_stand_in_the_order_of_the_set() {
    let text = format!("{CODE}.2byte 0x0102; .4byte end; .word 0x03040506; end:");
    let [be, hw] = subjects();
    for (Subject { run, .. }, expected) in [
        (
            be,
            [
                0x91, 0x20, 0xff, 0xfc, 0x20, 0x03, 0xb1, 0x20, 0x00, 0x08, 1, 2, 0, 0, 0, 20, 3,
                4, 5, 6,
            ],
        ),
        (
            hw,
            [
                0x20, 0x91, 0xfc, 0xff, 0x03, 0x20, 0x20, 0xb1, 0x08, 0x00, 2, 1, 20, 0, 0, 0, 4,
                3, 6, 5,
            ],
        ),
    ] {
        let bytes = run(&["asm", "--emit", "bin"], text.as_bytes()).out;
        assert_eq!(bytes, expected);
        let back = run(&["dis", "--from", "bin", "--labels"], &bytes);
        assert_eq!(run(&["asm", "--emit", "bin"], back.fine().as_bytes()).out, bytes);
    }
    let stored = "add x1, x0, 0x102;\nsw x1, 0x40(x0);\n";
    for (run, low) in subjects().map(|it| it.run).into_iter().zip(["0x00", "0x02"]) {
        let program = format!("{stored}sw x1, 0x45(x0);\n");
        let written = run(&["exec"], program.as_bytes());
        assert_has(written.fine(), &["mem[0x40..0x44] = 0x00000102\n"]);
        // The byte at 0x45 is the first of the second number, the one before is none of it.
        let whole =
            format!("mem[0x45..0x48] = {}", if low == "0x00" { "0x000001" } else { "0x000102" });
        assert_has(written.fine(), &[&whole]);
    }
}

/// What other people's tools for big-endian machines say of an object.
#[test]
fn objects_have_the_order_of_the_set() {
    let [be, hw] = subjects();
    let text = format!("start: {CODE}.8byte start; bz x1, other;");
    let object = (be.run)(&["asm", "--emit", "elf"], text.as_bytes()).out;
    let file = object::File::parse(&*object).unwrap();
    assert!(!object::Object::is_little_endian(&file));
    assert_has(
        (be.run)(&["dis"], &object).fine(),
        &["add x1, x2, -4;", ".8byte start;", "bz x1, other;"],
    );
    assert_has(
        (hw.run)(&["dis"], &object).failed(Status::Failure),
        &["its numbers have the highest byte first"],
    );
}
