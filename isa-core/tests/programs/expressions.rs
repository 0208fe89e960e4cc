//! Tests expressions in operands, in directives and in constants.

use isa_core::asm::{Assembler, Reference};

use super::constants::COUNTS;

fn bytes(text: &str) -> Vec<u8> {
    match Assembler::new(COUNTS).assemble(text) {
        Ok(program) => program.bytes,
        Err(errors) => panic!("{text}: {errors}"),
    }
}

fn says(text: &str) -> String {
    Assembler::new(COUNTS).assemble(text).expect_err(text).to_string()
}

/// The values are those of the GNU assembler.
#[test]
fn operators_have_their_precedence() {
    let each: [(&str, i64); 37] = [
        ("2+3*4", 14),
        ("1+2==3", -1),
        ("3==1+2", -1),
        ("2|1+4", 7),
        ("1<<2+1", 5),
        ("5!2", -3),
        ("7&3+1", 4),
        ("1<2", -1),
        ("2<>2", 0),
        ("1!=2", -1),
        ("3>=3", -1),
        ("4<=3", 0),
        ("1 > 0 > 0", 0),
        ("1&&2", 1),
        ("0||3", 1),
        ("1||1&&0", 1),
        ("1&&2==2", 1),
        ("!5", 0),
        ("!0+2", 3),
        ("-8>>1", 0x7fff_ffff_ffff_fffc),
        ("-8>>0", -8),
        ("-7/2", -3),
        ("-7%3", -1),
        ("5%-3", 2),
        ("~5", -6),
        ("2*3%4", 2),
        ("1|2^3", 0),
        ("6^2|1", 5),
        ("3-2-1", 0),
        ("1<<3<<1", 16),
        ("2--3", 5),
        ("- ~ 5", 6),
        ("4*(2+3)", 20),
        ("0xff&~0xf", 0xf0),
        ("'A'+1", 66),
        ("'\\n'", 10),
        ("'A", 65),
    ];
    for (text, value) in each {
        assert_eq!(bytes(&format!(".8byte {text};")), value.to_le_bytes(), "{text}");
        let text = format!(".equ value, {text}; .8byte value;");
        assert_eq!(bytes(&text), value.to_le_bytes(), "{text}");
    }
}

#[test]
fn an_operand_is_an_expression() {
    for (with, without) in [
        ("ADD R1, ';'; ADD R2, '\"';", "ADD R1, 59; ADD R2, 34;"),
        ("ADD R1, 4*8;", "ADD R1, 32;"),
        ("ADD R1, (1<<3);", "ADD R1, 8;"),
        ("ADD R1, -(5);", "ADD R1, -5;"),
        ("ADD R1, ~N; .equ N, 5;", "ADD R1, -6;"),
        ("ADD R1, N+1; .equ N, M*2; .equ M, 3;", "ADD R1, 7;"),
        ("ADD R1, 'A'; ADD R2, 'B;", "ADD R1, 65; ADD R2, 66;"),
        ("LD R1, 4*2(R3);", "LD R1, 8(R3);"),
        ("LD R1, (4+4)*2(R3);", "LD R1, 16(R3);"),
        ("LD R1, (N)(R3); .equ N, 8;", "LD R1, 8(R3);"),
        ("LD R1, N*4-12(R3); .equ N, 8;", "LD R1, 20(R3);"),
        ("s: NOP; e: ADD R1, e-s; ADD R1, (e-s)*2-1;", "NOP; ADD R1, 4; ADD R1, 7;"),
        ("s: NOP; J s+4*2; J .-(4); J (s);", "s: NOP; J s+8; J .-4; J s;"),
        // A register remains a register.
        (".equ R2, 5; ADD R1, R2; LD R1, R2*4(R2);", "ADD R1, R2; LD R1, 20(R2);"),
        ("s: .zero 1<<2, 'a'; .balign 4*2; .org s+2*8; e:", "s: .zero 4, 97; .zero 12;"),
        ("s: NOP; .zero 16-(.-s);", "NOP; .zero 12;"),
        (
            "s: NOP; e: .byte e-s, s-e, 3*2, 'a'; .4byte e+2*2;",
            "NOP; .byte 4, -4, 6, 97; .4byte 8;",
        ),
        (".word 1<<4|1;", ".word 17;"),
    ] {
        assert_eq!(bytes(with), bytes(without), "{with}");
    }
}

#[test]
fn errors_are_at_the_operator() {
    let each = [
        ("ADD R1, 4/(2-2);", "1:10: division by zero"),
        (".byte 5%0;", "1:8: division by zero"),
        (".equ N, 5%0; .byte 1;", "1:10: division by zero"),
        (".byte 1<<64;", "1:8: shift count out of range: expected a number from 0 to 63"),
        (".byte 1>>-1;", "1:8: shift count out of range: expected a number from 0 to 63"),
        (".8byte 0x7fffffffffffffffffffffffffffffff*2;", "1:42: the result has more than 128 bits"),
        (".byte 3 +;", "1:10: expected a number, a label or `(`"),
        (".byte (3;", "1:9: expected an operator or `)`"),
        ("ADD R1, 100*2;", "1:9: out of range: expected a number from -128 to 127"),
        ("ADD R1, N*2;", "1:9: unknown constant `N`; define it: `.equ NAME, NUMBER;`"),
        ("x: .byte x*2;", "1:10: expected a number, found an address: subtract another address"),
        (
            "x: .byte x+x;",
            "1:12: expected at most one address, or the distance between two labels of one section",
        ),
        (".byte x-y; y:", "1:7: unknown label `x`; define it: write `NAME:` before a statement"),
        (".byte '\t;", "1:7: expected a character after `'`, such as `'a'`"),
    ];
    for (text, said) in each {
        assert_eq!(says(text), said, "{text}");
    }
}

/// Hostile text ends in an error, without much time or stack.
#[test]
fn nesting_is_limited() {
    let message = "the expression is nested too deeply: expected at most 64 levels";
    for sign in ["(", "-", "~", "!(", "-("] {
        let text = sign.repeat(100_000);
        for statement in [".byte ", "ADD R1, ", ".equ N, "] {
            let text = format!("{statement}{text}1;");
            assert!(says(&text).contains(message), "{statement}{sign}: {}", says(&text));
        }
    }
    let sum = "1+".repeat(100_000);
    assert_eq!(bytes(&format!(".4byte {sum}0;")), 100_000_u32.to_le_bytes());
    assert!(says(&format!("ADD R1, {sum}0;")).contains("out of range"));
    assert!(says(&format!("ADD R1, {sum}(;")).contains("1:9: "));
    let deep = format!("{}7{}", "(".repeat(60), ")".repeat(60));
    assert_eq!(bytes(&format!("ADD R1, {deep};")), bytes("ADD R1, 7;"));
}

#[test]
fn a_prefix_is_optional() {
    isa_core::define_isa! {
        /// Numbers with a prefix.
        isa Hash: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Int: 8 = isa_core::operand::Signed<8>;
        operand Slot: 6 = isa_core::operand::Unsigned<6>;
        enum Code: 4 { ADD = 1, LD = 2, LDA = 3 }
        opcode ADD {
            encoding { field<0, 4> Code op == ADD; field<8, 8> Int by; field<16, 6> Slot to; }
            syntax { ADD "#" by "," "#" to; }
        }
        opcode LD {
            encoding { field<0, 4> Code op == LD; field<8, 8> Reg rd; field<16, 8> Int by; }
            syntax { LD Rd, "[" "#" by "]"; }
        }
        opcode LDU {
            encoding { field<0, 4> Code op == LD; field<4, 4> Code it == LD; field<16, 8> Int by; } syntax { LD "#" by "!"; }
        }
        opcode LDA { encoding { field<0, 4> Code op == LDA; field<16, 8> Int by; } syntax { LD "#" by; } }
        opcode LDM { encoding { field<0, 4> Code op == LD; field<4, 4> Code it == ADD; field<16, 6> Slot by; } syntax { LD by; } }
    }
    let plain = Assembler::new(Hash::SET);
    let lenient = plain.clone().optional_prefix("#");
    let bytes = |text: &str| lenient.assemble(text).map(|it| it.bytes).map_err(|it| it.to_string());
    let with = plain.assemble("ADD #-5, #8; LD R1, [#16]; LD 5; LD #5;").unwrap().bytes;
    assert_eq!(bytes("ADD -5, 4*2; LD R1, [(1<<4)]; LD 5; LD #5;"), Ok(with));
    assert_eq!(bytes("ADD #-5, 8;"), bytes("ADD -5, #N; .equ N, 8;"));
    assert!(plain.assemble("ADD -5, 8;").is_err());
    // The number was accepted by another form, which has no `!`.
    assert_eq!(bytes("LD 5!;"), bytes("LD #5!;"));
    assert!(bytes("LD 5!;").is_ok());
    let said = "1:5: out of range: expected a number from -128 to 127";
    assert_eq!(bytes("ADD 500, 8;"), Err(said.into()));
}

#[test]
fn the_linker_computes_distances_between_sections() {
    let assembler = Assembler::new(COUNTS).relocations(|reference| match reference {
        Reference::Data { .. } => Some(1),
        Reference::Distance { bytes: 4, .. } => Some(2),
        Reference::Added { bytes: 2, .. } => Some(3),
        Reference::Subtracted { bytes: 2, .. } => Some(4),
        _ => None,
    });
    let text = "a: NOP; b: .4byte b-a, c+4*2, c-b+1, c-.; .2byte c-b; .data; NOP; c: .byte 0;";
    let program = assembler.assemble(text).unwrap();
    let filled = program.relocations.iter();
    let filled = filled.map(|it| (it.address, it.symbol.as_deref(), it.addend, it.kind));
    assert_eq!(
        filled.collect::<Vec<_>>(),
        [
            (8, Some("c"), 8, 1),
            // The distance from the value, at 12, to `c`; `b` is at 4.
            (12, Some("c"), 9, 2),
            // `.` is the address of the value.
            (16, Some("c"), 0, 2),
            (20, Some("c"), 0, 3),
            (20, Some("b"), 0, 4),
        ]
    );
    assert_eq!(program.bytes[4..8], [4, 0, 0, 0]);
    let errors = assembler.assemble("a: .8byte c-a; .data; c:").unwrap_err().to_string();
    assert_eq!(
        errors,
        "1:11: the address of `c` is not known before the program is linked; the object format has no \
         relocation for 8 bytes of data"
    );
}
