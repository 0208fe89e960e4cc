//! Tests of the bytes of sets with other byte orders and other widths. The tests of any set also
//! use these sets.

mod sets;

use self::sets::{big, bytes, halves};
use super::any_set::Subject;
use super::*;

/// Instructions, with the words that their fields determine.
const CODE: &str = "add x1, x2, -4;\ninc x3;\nsw x1, 8(x2);\n";

/// Returns sets of words of 16 and 32 bits whose highest bits come first in memory.
pub(super) fn high() -> [Subject; 2] {
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

/// Returns a set of words of 8, 24 and 48 bits.
pub(super) fn odd() -> Subject {
    let [high, _] = high();
    Subject {
        name: "b8",
        run: |args, stdin| run(&bytes::tool(), args, stdin),
        hex: "ffc219\n32\n00000008021b\n",
        widths: &[8, 24, 48],
        none: "ffffffffffff",
        mistake: ("add x1, x2, 40000;", 13, "a number from -2048 to 2047"),
        ..high
    }
}

/// Checks that the bytes of the code, of data and of stored values have the order of the set.
#[test]
fn bytes_stand_in_the_order_of_the_set() {
    let text = format!("{CODE}.2byte 0x0102; .4byte end; .word 0x03040506; end:");
    let [be, hw] = high();
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
    for (run, low) in high().map(|it| it.run).into_iter().zip(["0x00", "0x02"]) {
        let program = format!("{stored}sw x1, 0x45(x0);\n");
        let written = run(&["exec"], program.as_bytes());
        assert_has(written.fine(), &["mem[0x40..0x44] = 0x00000102\n"]);
        // The byte at 0x45 is the first of the second number. The byte before it is not part of
        // that number.
        let whole =
            format!("mem[0x45..0x48] = {}", if low == "0x00" { "0x000001" } else { "0x000102" });
        assert_has(written.fine(), &[&whole]);
    }
}

/// Checks dumps of units narrower than an instruction: the first unit is the first in memory.
#[test]
fn units_are_read_in_the_order_of_memory() {
    let halves = "9120 fffc 2003 b120 0008\n";
    let [be, hw] = high();
    let of = |set, text| (set, text);
    for (Subject { run, .. }, units) in
        [of(be, halves), of(hw, halves), of(odd(), "19 c2 ff 32 1b 02 08 00 00 00\n")]
    {
        assert_eq!(run(&["dis"], units.as_bytes()).fine(), CODE);
    }
    let [Subject { run, .. }, _] = high();
    let help = ["its high bits first", "2 or 4 bytes per word, the highest byte first"];
    let said = run(&["dis", "--help"], b"").fine().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_has(&said, &help);
    let open = run(&["dis"], b"9120");
    assert_has(open.failed(Status::Failure), &["or the high 4 digits followed by the others"]);
}

/// Checks that an invalid instruction of such a width is printed as data that assembles to the same
/// bytes.
#[test]
fn words_of_any_number_of_bytes_are_data() {
    let Subject { run, .. } = odd();
    let words = "0000f9\nffc219\n0000000000ff\n07\n";
    let text = run(&["dis"], words.as_bytes());
    let lines = [".byte 0xf9, 0x00, 0x00; // ", ".word 0x0000000000ff; // ", ".byte 0x07; // "];
    assert_has(text.fine(), &lines);
    let bytes = [0xf9, 0, 0, 0x19, 0xc2, 0xff, 0xff, 0, 0, 0, 0, 0, 7];
    assert_eq!(run(&["asm", "--emit", "bin"], &text.out).out, bytes);
    let back = run(&["dis", "--from", "bin"], &bytes);
    assert_eq!(run(&["asm", "--emit", "bin"], &back.out).out, bytes);
}

/// Checks objects with independent tools for big-endian machines.
#[test]
fn objects_have_the_order_of_the_set() {
    let [be, hw] = high();
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
        &["found the highest byte first"],
    );
}
