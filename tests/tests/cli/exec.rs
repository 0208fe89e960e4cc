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
fn settings_can_be_repeated_and_the_later_counts() {
    let scratch = Scratch::new("exec");
    let file = scratch.write("code.s", b"HADD2 R0, R1, c[0x3][0x10]; @P1 HADD2 R1, R0, RZ;");
    let settings =
        ["exec", "--set", "R1=5", "--set", "R1=0x3c00", "c[3][16]=0x4000", "P1=1", &file];
    assert_eq!(isa(&settings, b"").fine(), "R0 = 0x00004200\nR1 = 0x00004200\n");
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
    let parts = ["<stdin>:2:2\n", "cannot be executed", "<stdin>:3:1\n", "2 errors"];
    assert_has(outcome.failed(Status::Failure), &parts);
    let outcome = isa(&["exec", "--set", "R1=0x3c003c00"], b".word 0x01017130;");
    assert_eq!(outcome.fine(), "R1 = 0x3c003c00\n");
}
