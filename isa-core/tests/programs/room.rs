//! Tests reserved space in programs: alignments, addresses, and zero bytes.

use super::{bytes, says};

#[test]
fn room() {
    assert_eq!(bytes(".byte 1; .balign 4; .byte 2; .zero 2;.byte 3;"), [1, 0, 0, 0, 2, 0, 0, 3]);
    assert_eq!(bytes(".byte 1; .p2align 1; .byte 2; .balign 1; .p2align 0; .zero 0;"), [1, 0, 2]);
    // Programs begin at 0x1000 here.
    assert_eq!(bytes(".byte 1; .org 0x1003; x: .2byte x; .org 0x1005;"), [1, 0, 0, 3, 0x10]);
    assert_eq!(bytes("J x; .balign 8; x: INC R1;"), [0x10, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x01]);

    let says_each = [
        (
            "INC R1; .org 0x1001;",
            "1:14: `.org` cannot move back: the bytes at that address are already assembled",
        ),
        (".balign 0;", "1:9: invalid alignment: expected a power of two from 1 to 65536"),
        (".balign 12;", "1:9: invalid alignment: expected a power of two from 1 to 65536"),
        (".balign 131072;", "1:9: invalid alignment: expected a power of two from 1 to 65536"),
        (".p2align 17;", "1:10: invalid alignment: expected an exponent of 2 from 0 to 16"),
        (".zero 16777217;", "1:7: one directive can reserve at most 16777216 bytes"),
        (".org 0xffffffffffffffffff;", "1:6: one directive can reserve at most 16777216 bytes"),
        (".zero -1;", "1:7: expected a number"),
        (".zero 1, 256;", "1:10: byte out of range: expected a number from -128 to 255"),
        (".zero 1, 2, 3;", "1:11: expected `;` after the number"),
        (".balign 4, 2, 3, 4;", "1:16: expected `;` after the number"),
        (
            ".balign 4,,x;",
            "1:12: not a number: expected decimal, `0x` hexadecimal or `0b` binary digits",
        ),
    ];
    for (text, said) in says_each {
        assert_eq!(says(text), said, "{text}");
    }
}

/// The value of the fill bytes, and the limit on the size of an alignment.
#[test]
fn room_of_other_bytes() {
    assert_eq!(
        bytes(".byte 1; .balign 4, 7; .zero 2, -1; .org 0x1008, 0x1f;"),
        [1, 7, 7, 7, 255, 255, 31, 31]
    );
    assert_eq!(
        bytes(".byte 1; .p2align 2, 7, 2; .byte 2; .p2align 2,,2; .byte 3;"),
        [1, 2, 0, 0, 3]
    );
    assert_eq!(bytes(".byte 1; .balign 4,,0; .byte 2;"), [1, 0, 0, 0, 2]);
}

/// Alignments and addresses are correct whatever precedes them, and the added bytes are 0.
#[test]
fn room_in_random_programs() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
    for _ in 0..300 {
        let (mut text, mut expected) = (String::new(), Vec::<u8>::new());
        for _ in 0..below(12) {
            let room = match below(5) {
                0 => {
                    text += ".byte 7;";
                    expected.push(7);
                    continue;
                }
                1 => {
                    text += "INC R1;";
                    expected.extend([0x01, 0x01]);
                    continue;
                }
                2 => {
                    let power = below(6);
                    text += &match below(2) {
                        0 => format!(".p2align {power};"),
                        _ => format!(".balign {};", 1 << power),
                    };
                    expected.len().next_multiple_of(1 << power)
                }
                3 => {
                    let end = expected.len() + below(9) as usize;
                    text += &format!(".org {:#x};", 0x1000 + end);
                    end
                }
                _ => {
                    let count = below(5) as usize;
                    text += &format!(".zero {count};");
                    expected.len() + count
                }
            };
            expected.resize(room, 0);
        }
        assert_eq!(bytes(&text), expected, "{text}");
    }
}
