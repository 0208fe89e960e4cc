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
fn bad_words_have_places_and_the_others_are_printed() {
    let input = b"12 xyz\n 0x\n1234567890123456789012345678901234 1_0\n\xff 201007130";
    let outcome = isa(&["dis"], input);
    let (text, err) = outcome.partly();
    let places = ["<stdin>:1:4\n", "<stdin>:2:2\n", "<stdin>:3:1\n", "<stdin>:3:37\n"];
    assert_has(err, &places);
    assert!(err.ends_with("error: 5 errors; all valid input is printed\n"), "{err}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(".word 0x00000000000000000000000000000012; // "), "{text}");
    assert_eq!(lines[1..], ["HADD2 R0, R1, R2;"]);
}

#[test]
fn what_stands_before_and_behind_a_bad_word_is_printed_in_order() {
    let word = |number: usize| format!("{:x}\n", 0x2_0100_7130 | (number % 200) << 16);
    let mut words: Vec<String> = (0..100_000).map(word).collect();
    let whole = isa(&["dis"], words.concat().as_bytes());
    words.insert(99_999, "12345g\n".into());
    words.push("zz".into());
    let outcome = isa(&["dis"], words.concat().as_bytes());
    let (text, err) = outcome.partly();
    assert!(text == whole.fine(), "the texts differ");
    assert_has(err, &["<stdin>:100000:6\n", "<stdin>:100002:1\n", "error: 2 errors; all"]);
}

#[test]
fn addresses_stand_in_a_comment() {
    let words = b"201007130 12\n201007130";
    let outcome = isa(&["dis", "--addresses"], words);
    let text = outcome.fine();
    let lines: Vec<&str> = text.lines().collect();
    let first = "/* 00000000  00000000000000000000000201007130 */  HADD2 R0, R1, R2;";
    assert_eq!(lines[0], first);
    assert!(lines[1].starts_with("/* 00000010  00000000000000000000000000000012 */  .word 0x000"));
    assert_eq!(lines[2].replacen("00000020", "00000000", 1), first);
    let again = "00000000000000000000000201007130\n00000000000000000000000000000012\n\
        00000000000000000000000201007130\n";
    assert_eq!(isa(&["asm"], text.as_bytes()).fine(), again);

    for start in ["0x1000", "4096"] {
        let outcome = isa(&["dis", "--start-address", start], words);
        assert!(outcome.fine().starts_with("/* 00001000  "), "{}", outcome.text());
        assert_has(outcome.text(), &["\n/* 00001010  ", "\n/* 00001020  "]);
    }
    let far = isa(&["dis", "--from", "bin", "--start-address=0xfffffffff0"], &[0; 32]);
    assert!(far.fine().starts_with("/* fffffffff0  "), "{}", far.text());
    assert_has(far.text(), &["\n/* 10000000000  "]);
    for wrong in ["-1", "0x", "1000h", "0x10000000000000000"] {
        let outcome = isa(&["dis", &format!("--start-address={wrong}")], words);
        assert_has(outcome.failed(Status::Usage), &["--start-address: `"]);
    }
    let strict = isa(&["dis", "--strict", "--addresses"], b"201007130 201007130");
    assert_eq!(strict.fine().lines().nth(1), Some(&*first.replacen("00000000 ", "00000010 ", 1)));
}

/// Checks the addresses of many words, which are printed in chunks.
#[test]
fn addresses_go_on_from_part_to_part() {
    let bytes = 0x2_0100_7130_u128.to_le_bytes().repeat(70_000);
    for from in [&["--from", "bin"][..], &[]] {
        let input = match from {
            [] => "201007130 ".repeat(70_000).into_bytes(),
            _ => bytes.clone(),
        };
        let args = [&["dis", "--addresses", "--start-address", "16"], from].concat();
        let outcome = isa(&args, &input);
        for (index, line) in outcome.fine().lines().enumerate() {
            let address = format!("/* {:08x}  ", index * 16 + 16);
            assert!(line.starts_with(&address), "{line}");
        }
        assert_eq!(outcome.text().lines().count(), 70_000);
    }
}

#[test]
fn listings_are_disassembled() {
    let code = "HADD2 R0, R1, R2; .word 0x12;\n".repeat(20_000);
    let listing = isa(&["asm", "--emit", "listing"], code.as_bytes());
    let words = isa(&["asm"], code.as_bytes());
    let text = isa(&["dis"], &words.out);
    for args in [&["dis"][..], &["dis", "--from", "listing"]] {
        assert!(isa(args, &listing.out).fine() == text.fine(), "{args:?}");
    }
    let addresses = isa(&["dis", "--addresses"], &words.out);
    assert!(addresses.fine() == listing.fine(), "a listing is what has addresses");
    assert!(isa(&["dis"], &addresses.out).fine() == text.fine());
    // A part of a listing keeps its addresses, unless an option requests others.
    let part: Vec<&str> = listing.fine().lines().skip(1000).take(2).collect();
    let part = format!("\n// a part\n{}\n\n{}", part[0], part[1]);
    let again = isa(&["dis", "--addresses"], part.as_bytes());
    assert_eq!(again.fine().lines().next(), part.lines().nth(2));
    let moved = isa(&["dis", "--start-address", "0"], part.as_bytes());
    assert!(moved.fine().starts_with("/* 00000000  "));
    assert!(
        isa(&["dis", "--strict"], part.as_bytes())
            .failed(Status::Failure)
            .contains("invalid instruction")
    );
}

#[test]
fn what_is_no_line_of_a_listing_has_a_place() {
    let good = "/* 00000000  00000000000000000000000201007130 */  HADD2 R0, R1, R2;\n";
    for (line, column) in [
        ("HADD2 R0, R1, R2;", 1),
        ("/* 00000000 */ HADD2 R0, R1, R2;", 16),
        ("/* 0000000g  201007130 */", 4),
        ("/* 00000000  20100713g */", 22),
        ("/* 00000000  201007130 x", 24),
        ("/*", 3),
    ] {
        let input = format!("{good}{line}\n{good}");
        let outcome = isa(&["dis"], input.as_bytes());
        let (text, err) = outcome.partly();
        assert_eq!(text, "HADD2 R0, R1, R2;\n".repeat(2), "{line}");
        assert_has(err, &[&format!("<stdin>:2:{column}\n"), "error: 1 error; all"]);
    }
    let outcome = isa(&["dis", "--from", "hex"], good.as_bytes());
    assert_has(outcome.partly().1, &["<stdin>:1:1\n", "not a hexadecimal digit"]);
}

#[test]
fn assembling_the_text_gives_the_same_bytes() {
    let mut bytes = vec![0_u8; 16];
    let mut state = 1_u64;
    for index in 0..64_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Words with few set bits are often almost valid.
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

/// Checks that long input, which is printed in chunks, gives the same result as its parts.
#[test]
fn long_input_is_printed_as_its_parts_are() {
    let word = |number: u32| {
        let [low, high, ..] = number.to_le_bytes();
        // Every seventh word has a bit that no field covers.
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
fn a_partial_word_is_an_error_with_its_offset_behind_all_words() {
    let outcome = isa(&["dis", "--from", "bin"], &[0; 35]);
    let (text, err) = outcome.partly();
    assert_eq!(text, isa(&["dis", "--from", "bin"], &[0; 32]).fine());
    assert_has(err, &["<stdin>: byte 32\n", "16 bytes", "found 3", "1 error; all"]);
    let outcome = isa(&["dis", "--from", "bin"], &vec![0; (1 << 20) + 1]);
    let (text, err) = outcome.partly();
    assert_eq!(text.lines().count(), 1 << 16);
    assert_has(err, &["<stdin>: byte 1048576\n", "1 error; all"]);
    let outcome = isa(&["dis", "--strict", "--from", "bin"], &[0; 3]);
    assert_has(outcome.failed(Status::Failure), &["found 3", "1 error; nothing was written"]);
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

#[test]
fn units_of_16_bits_are_joined_to_wider_words() {
    let rv = |args: &[&str], stdin: &str| run(&isa_riscv::tool(), args, stdin.as_bytes());
    // 0x00a00513 adds 10 to zero, and 0x4501 is a 16-bit instruction that loads 0.
    assert_eq!(rv(&["dis"], "0513 00a0 4501").fine(), "li a0, 10;\nc.li a0, 0;\n");
    assert_eq!(rv(&["dis"], "00a00513 4501").fine(), "li a0, 10;\nc.li a0, 0;\n");
    assert_eq!(
        rv(&["explain", "0513", "00a0"], "").fine(),
        rv(&["explain", "00a00513"], "").fine()
    );
    let cut = rv(&["dis"], "4501 0513");
    assert_has(cut.partly().1, &["truncated word: expected 4 bytes, found 2", ":1:6\n"]);
    assert_eq!(cut.text(), "c.li a0, 0;\n");
}
