use super::*;

#[test]
fn hex_words_stand_between_white_space() {
    let outcome = isa(&["dis"], b"0x201007130\t00000000000000000000000201007130\r\n0X12 12345\n\n");
    let lines: Vec<_> = outcome.fine().lines().collect();
    assert_eq!(lines[..2], ["HADD2 R0, R1, R2;"; 2]);
    assert!(lines[2].starts_with(".word 0x00000000000000000000000000000012; // "), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
    assert_eq!(isa(&["dis"], b"").fine(), "");
}

#[test]
fn bad_words_have_places() {
    let input = b"12 xyz\n 0x\n1234567890123456789012345678901234 1_0\n\xff";
    let outcome = isa(&["dis"], input);
    let places = ["<stdin>:1:4\n", "<stdin>:2:2\n", "<stdin>:3:1\n", "<stdin>:3:37\n", "5 errors"];
    assert_has(outcome.failed(Status::Failure), &places);
}

#[test]
fn assembling_the_text_gives_the_same_bytes() {
    let mut bytes = vec![0_u8; 16];
    let mut state = 1_u64;
    for index in 0..64_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Words of few bits are often almost right.
        let mask = (state >> 20 & state >> 37) as u8;
        bytes.push(if index % 16 < 2 {
            [0x30, 0x71][index % 16]
        } else {
            mask & (state >> 50) as u8
        });
    }
    let text = isa(&["dis", "--from", "bin"], &bytes);
    assert_eq!(text.status, Status::Success);
    assert_has(text.text(), &["HADD2", ".word 0x"]);
    assert_eq!(isa(&["asm", "--emit", "bin"], &text.out).out, bytes);
}

/// Long input is printed in parts, which have to be put together as they were.
#[test]
fn long_input_is_printed_as_its_parts_are() {
    let word = |number: u32| {
        let [low, high, ..] = number.to_le_bytes();
        // Every seventh has a bit that no field has.
        let unused = u128::from(number.is_multiple_of(7)) << 127;
        0x2_0100_7130 | u128::from(low % 200) << 24 | u128::from(high % 200) << 16 | unused
    };
    let bytes: Vec<u8> = (0..50_000).flat_map(|number| word(number).to_le_bytes()).collect();
    let whole = isa(&["dis", "--from", "bin"], &bytes);
    let pieces = bytes.chunks(16 * 500).map(|bytes| isa(&["dis", "--from", "bin"], bytes));
    let pieces: String = pieces.map(|piece| piece.fine().to_owned()).collect();
    assert_eq!(pieces.lines().count(), 50_000);
    assert_eq!(pieces.matches(".word").count(), 50_000 / 7 + 1);
    assert!(whole.fine() == pieces, "the texts differ");
}

#[test]
fn a_partial_word_is_an_error_with_its_offset() {
    let outcome = isa(&["dis", "--from", "bin"], &[0; 35]);
    assert_has(outcome.failed(Status::Failure), &["<stdin>: byte 32\n", "16 bytes", "3 are there"]);
    let outcome = isa(&["dis", "--from", "bin"], &vec![0; (1 << 20) + 1]);
    assert_has(outcome.failed(Status::Failure), &["<stdin>: byte 1048576\n", "1 error;"]);
}

#[test]
fn strict_takes_instructions_only() {
    let good = b"201007130 201007130";
    assert_eq!(isa(&["dis", "--strict"], good).fine().lines().count(), 2);
    let outcome = isa(&["dis", "--strict"], b"201007130\n 12 201007130\n34");
    assert_has(outcome.failed(Status::Failure), &["<stdin>:2:2\n", "<stdin>:3:1\n", "2 errors"]);
    let outcome = isa(&["dis", "--strict", "--from=bin"], &[0; 32]);
    assert_has(outcome.failed(Status::Failure), &["byte 0\n", "byte 16\n", "2 errors"]);
}

#[test]
fn long_input_comes_back_whole() {
    let word = 0x2_0100_7130_u128.to_le_bytes();
    let outcome = isa(&["dis", "--from", "bin"], &word.repeat(400_000));
    assert_eq!(outcome.fine().len(), "HADD2 R0, R1, R2;\n".len() * 400_000);
    let outcome = isa(&["dis"], "201007130 ".repeat(400_000).as_bytes());
    assert_eq!(outcome.fine().lines().count(), 400_000);
}
