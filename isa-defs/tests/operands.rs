//! Tests the operand types for GPUs: their error messages and their access to a machine.

use isa_core::machine::{ConstMemory, Sink, Source, State, UniformRegs};
use isa_core::operand::{AsmFormat, OperandKind, text_of};
use isa_core::text::Cursor;
use isa_defs::base::{CMem, CvtFImm, F16ImmX2, UReg};
use isa_half::LANE_TEXT_MAX;

/// Returns the offending part of a text and the message.
fn refused<K: OperandKind>(text: &str) -> (&str, &'static str) {
    let fault = K::read(&mut Cursor::new(text)).expect_err(text);
    (&text[fault.span], fault.message)
}

#[test]
fn constant_memory_has_32_banks_of_words() {
    let refused = refused::<CMem>;
    assert_eq!(refused("c[0][3];"), ("3", "misaligned offset: expected a multiple of 4"));
    assert_eq!(
        refused("c[0][0x20000];"),
        ("0x20000", "offset out of range: expected at most 0x1fffc")
    );
    assert_eq!(refused("c[32][0];"), ("32", "bank out of range: expected 0x0 to 0x1f"));
    assert_eq!(refused("c[ 0x100 ][0];"), ("0x100", "bank out of range: expected 0x0 to 0x1f"));
    assert_eq!(refused("d[0][0];"), ("d", "expected constant memory, `c[bank][offset]`"));
    assert_eq!(refused("c[0][4;"), (";", "expected `]`"));
    let none = CMem::try_from(1).unwrap_err().to_string();
    assert!(none.starts_with("0x1 is not a valid encoding of constant memory"), "{none}");
    let mut state = State::new();
    state.set_bank(1, &[0, 0, 0, 0, 5]);
    assert_eq!(CMem::new(1, 4).unwrap().fetch(&state), state.const_word(1, 4));
}

#[test]
fn an_immediate_has_two_lanes() {
    let read = |text, format| {
        let fault = CvtFImm::read(&mut Cursor::new(text), &[format]).expect_err(text);
        (&text[fault.span], fault.message)
    };
    let missing = "expected `,` and the low lane";
    assert_eq!(read("1;", 0), (";", missing));
    assert_eq!(read("1, ;", 0), (";", "expected a number"));
    let large =
        "too large for f16, whose largest value is 65504: write `+INF` or `-INF` for infinity";
    assert_eq!(read("70000, 1;", 0), ("70000", large));
    let large = "too large for bf16, whose largest value is 3.3895313892515355e38: write `+INF` or `-INF` for infinity";
    assert_eq!(read("1, 1e39;", 1), ("1e39", large));
    let digits = "expected four hex digits, such as `0x3c00`";
    assert_eq!(read("0x3c, 1;", 0), ("0x3c", digits));
    assert_eq!(CvtFImm::MAX_LEN, LANE_TEXT_MAX + ", ".len() + LANE_TEXT_MAX);
    let bits = "out of range: expected at most `0xffffffff`";
    assert_eq!(refused::<F16ImmX2>("0x100000000;"), ("0x100000000", bits));
    let looks = |text| text_of::<F16ImmX2>().looks_like(&Cursor::new(text));
    assert!(looks("0x3c00bc00") && looks("1") && !looks("R1") && !looks(""));
}

#[test]
fn uniform_registers() {
    let unknown = "no such uniform register: expected `UR0` to `UR62`, or `URZ`";
    assert_eq!(refused::<UReg>("UR63"), ("UR63", unknown));
    assert_eq!(refused::<UReg>("ur1"), ("ur1", "uniform registers are written in upper case"));
    let mut state = State::new();
    UReg::new(5).unwrap().store(&mut state, 7);
    UReg::URZ.store(&mut state, 8);
    assert_eq!((UReg::UR5.fetch(&state), UReg::URZ.fetch(&state)), (7, 0));
    assert_eq!((state.uniform_reg(5), state.uniform_reg(62), state.uniform_reg(63)), (7, 0, 0));
}
