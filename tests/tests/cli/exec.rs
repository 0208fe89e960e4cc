use super::*;

const CODE: &[u8] =
    b"HADD2 R10, R1, R2; @P0 HADD2 R7, R10, R10; HADD2 RZ, R1, R1; HADD2 R9, R1, UR4;";

#[test]
fn what_was_written_is_printed_in_order() {
    let args = ["exec", "--set", "R1=0x3c003c00", "R2=1006648320", "UR4=0x4000"];
    let expected = "R9 = 0x3c004200\nR10 = 0x40004000\n";
    assert_eq!(isa(&args, CODE).fine(), expected);
    assert_eq!(isa(&["exec"], b"HADD2 RZ, R1, R1;").fine(), "");
    assert_eq!(isa(&["exec"], b"").fine(), "");
}

#[test]
fn settings_can_be_repeated() {
    let scratch = Scratch::new("exec");
    let file = scratch.write("code.s", b"HADD2 R0, R1, c[0x3][0x10]; @P1 HADD2 R1, R0, RZ;");
    let settings = ["exec", "--set", "R1=0x3c00", "--set", "c[3][16]=0x4000", "P1=1", &file];
    assert_eq!(isa(&settings, b"").fine(), "R0 = 0x00004200\nR1 = 0x00004200\n");
}

#[test]
fn a_place_is_set_once() {
    for (settings, message) in [
        (&["R1=1", "R1=2"][..], "--set: `R1=1` and `R1=2` both set R1"),
        (&["P1=0", "R1=2", "--set=P1=1"], "--set: `P1=0` and `P1=1` both set P1"),
    ] {
        let outcome = isa(&[&["exec", "--set"], settings].concat(), CODE);
        assert_has(outcome.failed(Status::Usage), &[message]);
    }
    let rv = |args: &[&str], text: &str| run(&isa_riscv::tool(), args, text.as_bytes());
    let outcome = rv(&["exec", "--set", "x10=1", "a1=1", "a0=2"], "c.nop");
    assert_has(outcome.failed(Status::Usage), &["`x10=1` and `a0=2` both set a0"]);
    let memory = ["exec", "--set", "mem[0x10..0x18]=1", "mem[0x14..0x16]=2"];
    let message = "`mem[0x10..0x18]=1` and `mem[0x14..0x16]=2` both set mem[0x14..0x16]";
    assert_has(rv(&memory, "c.nop").failed(Status::Usage), &[message]);
    let beside = ["exec", "--set", "mem[0x10..0x14]=1", "mem[0x14..0x16]=2", "a0=1", "a1=1"];
    assert_has(rv(&beside, "c.addi a0, 1").fine(), &["a0 = 0x0000000000000002"]);
    let request = r#"{"asm": "c.nop", "state": {"a0": 1, "x10": 2}}"#;
    let answer = rv(&["exec", "--jsonl"], request);
    assert_has(answer.fine(), &[r#"{"error": "`a0` and `x10` both set a0"}"#]);
}

/// Checks that an instruction address must be a multiple of the shortest word. The RISC-V
/// instruction `jalr` clears the lowest bit itself.
#[test]
fn instructions_are_fetched_from_aligned_addresses() {
    let rv = |args: &[&str], text: &str| run(&isa_riscv::tool(), args, text.as_bytes());
    let a64 = |args: &[&str], text: &str| run(&isa_a64::tool(), args, text.as_bytes());
    let odd = "the instruction address 0x1 is not a multiple of 2";
    let outcome = rv(&["exec", "--set", "pc=1"], "c.addi a0, 1");
    assert_has(outcome.failed(Status::Failure), &[odd, "<stdin>:1:1"]);
    let answer = rv(&["exec", "--jsonl"], r#"{"asm": "c.nop", "state": {"pc": 1}}"#);
    assert_has(answer.fine(), &[odd]);
    assert_has(rv(&["exec", "--set", "pc=2"], "c.addi a0, 1").fine(), &["a0 = 0x0000000000000001"]);
    let jump = ".option norvc\njalr 0(a1)\naddi a0, a0, 1";
    let outcome = rv(&["exec", "--set", "a1=5"], jump);
    assert_has(outcome.fine(), &["a0 = 0x0000000000000001"]);
    // An error of a jump is reported at the jump, whatever its target is.
    for (target, address) in [("2", "0x2"), ("0x1001", "0x1001")] {
        let outcome = a64(&["exec", "--set", &format!("x0={target}")], "nop\nbr x0\nnop");
        let message = format!("the instruction address {address} is not a multiple of 4");
        assert_has(outcome.failed(Status::Failure), &[&message, "<stdin>:2:1"]);
    }
    assert_has(a64(&["exec", "--set", "x0=8"], "nop\nbr x0\nnop").fine(), &["pc = "]);
}

#[test]
fn a_trace_shows_reads_and_writes() {
    let args = ["exec", "--trace", "--set", "R1=0x3c003c00", "R2=0x3c003c00"];
    let outcome = isa(&args, CODE);
    let expected = "/* 00000000  000000000000000000000002010a7130 */  HADD2 R10, R1, R2;\n    \
        reads   R1 = 0x3c003c00, R2 = 0x3c003c00\n    \
        writes  R10 = 0x40004000\n\
        /* 00000010  00000000000000000000000a0a070130 */  @P0 HADD2 R7, R10, R10;\n    \
        reads   P0 = false\n    \
        writes  nothing\n";
    assert!(outcome.fine().starts_with(expected), "{}", outcome.text());
    assert!(outcome.text().ends_with("\n\nR9 = 0x3c003c00\nR10 = 0x40004000\n"));
}

#[test]
fn words_that_are_no_instructions_are_errors() {
    let outcome = isa(&["exec", "--trace"], b"HADD2 R0, R1, R2;\n .word 0x12;\nHADX;");
    let parts = ["<stdin>:2:2\n", "cannot execute", "<stdin>:3:1\n", "2 errors"];
    assert_has(outcome.failed(Status::Failure), &parts);
    let outcome = isa(&["exec", "--set", "R1=0x3c003c00"], b".word 0x01017130;");
    assert_eq!(outcome.fine(), "R1 = 0x3c003c00\n");
}
