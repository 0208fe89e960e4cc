//! Tests macros, repetitions, conditions, included files, local labels and the directives that become
//! other directives.

use isa_core::asm::Assembler;

use super::constants::COUNTS;

fn files(name: &str) -> Result<Vec<u8>, String> {
    match name {
        "inc.s" => Ok(b"ADD R1, 1;\nADD R2, 2;\n.include \"more.s\";\n".to_vec()),
        "more.s" => Ok(b"ADD R3, 3;".to_vec()),
        "bad.s" => Ok(b"ADD R1, 1;\n  ADD Q, 2;\n".to_vec()),
        "cycle.s" => Ok(b".include \"back.s\";".to_vec()),
        "back.s" => Ok(b".include \"cycle.s\";".to_vec()),
        "data" => Ok(vec![1, 2, 3, 4, 5]),
        "text" => Ok(vec![0xff, 0xfe]),
        _ => Err("no such file".into()),
    }
}

fn bytes(text: &str) -> Vec<u8> {
    match Assembler::new(COUNTS).assemble_with_files(text, files) {
        Ok(program) => program.bytes,
        Err(errors) => panic!("{text}: {errors}"),
    }
}

fn says(text: &str) -> String {
    Assembler::new(COUNTS).assemble_with_files(text, files).expect_err(text).to_string()
}

#[track_caller]
fn assert_same(with: &str, without: &str) {
    assert_eq!(bytes(with), bytes(without), "{with}");
}

#[test]
fn local_labels_can_be_defined_again() {
    assert_same("1: J 1f; 1: J 1b; J 1f; 1: NOP;", "a: J b; b: J b; J c; c: NOP;");
    assert_same("J 12f; 0: J 0b; 12: .byte 12b-0b;", "J b; a: J a; b: .byte 4;");
    assert_same("1: .byte 1f-1b, '1', \"1f\"; 1:".replace(", \"1f\"", "").as_str(), ".byte 2, 49;");
    assert_eq!(says("1: J 1f; J 1b;"), "1:6: unknown label `1f`; write `1:` after this statement");
    assert!(says("1: J 2f; 1:").starts_with("1:6: "));
    assert!(says("J 1b; 1:").starts_with("1:3: "));
}

#[test]
fn an_assignment_is_a_constant() {
    assert_same("N = 5; ADD R1, N; ADD R1, N+1;", "ADD R1, 5; ADD R1, 6;");
    assert_same("NOP; . = 12; NOP; . = . + 4; NOP;", "NOP; .zero 8; NOP; .zero 4; NOP;");
    assert_same("NOP; * = 8; NOP;", "NOP; .zero 4; NOP;");
    // The value may change.
    assert_same(
        ".set i, 0; .rept 3; .byte i; .set i, i + 1; .endr; i = i * 2; .byte i, -i;",
        ".byte 0, 1, 2, 6, -6;",
    );
    assert_same("N == 5; ADD R1, N;", "ADD R1, 5;");
    assert!(says("N == 5; N == 6;").contains("`N` is defined twice"));
    assert!(says(".equiv N, 5; .equiv N, 6;").contains("`N` is defined twice"));
}

#[test]
fn macros_have_arguments() {
    let text = ".macro two a, b=7, c:req; .byte \\a, \\b, \\c; .endm";
    assert_same(
        &format!("{text}; two 1,,3; two 1, 2, 3; two 1 c=5; two c=1, a=2"),
        ".byte 1, 7, 3, 1, 2, 3, 1, 7, 5, 2, 7, 1;",
    );
    assert_eq!(says(&format!("{text}; two 1;")), "1:52: expected a value for `c` of macro `two`");
    assert_eq!(
        says(&format!("{text}; two 1, 2, 3, 4;")),
        "1:65: macro `two` has 3 parameters, found another argument"
    );
    assert_same(
        ".macro all first, rest:vararg; .byte \\first; .ifnb \\rest; all \\rest; .endif; .endm; all 1, 2, 3;",
        ".byte 1, 2, 3;",
    );
    assert_same(".macro count; .byte \\@; .endm; count; count; count;", ".byte 0, 1, 2;");
    assert_same(
        ".macro put reg, by; ADD \\reg, \\by\\()0; L\\@\\()x: J L\\@\\()x; .endm; put R1 1; put R2, 2;",
        "ADD R1, 10; a: J a; ADD R2, 20; b: J b;",
    );
    assert_same(
        ".macro early n; .byte 1; .if \\n; .exitm; .endif; .byte 2; .endm; early 0; early 1;",
        ".byte 1, 2, 1;",
    );
    assert_same(
        ".macro outer; .macro inner n; .byte \\n; .endm; .endm; outer; inner 5; .purgem inner; \
         .macro inner; .byte 6; .endm; inner;",
        ".byte 5, 6;",
    );
    assert_same(
        ".macro text it; .ascii \"<\\it>\"; .endm; text a; text \"b c\";",
        ".ascii \"<a><b c>\";",
    );
    assert_same(".macro load r, at; LD \\r, \\at; .endm; load R1, 4*2(R2);", "LD R1, 8(R2);");
    // The definition of a mnemonic as a macro takes precedence.
    assert_same(".macro NOP; .byte 5; .endm; NOP;", ".byte 5;");
}

#[test]
fn repetitions_replace_names() {
    assert_same(".rept 3; .byte 1; .endr; .rept 0; .byte 2; .endr;", ".byte 1, 1, 1;");
    assert_same(".irp n, 1, 2, 3+4; .byte \\n; .endr;", ".byte 1, 2, 7;");
    assert_same(
        ".irp n 1 2; .irp m, 3, 4; .byte \\n, \\m; .endr; .endr;",
        ".byte 1, 3, 1, 4, 2, 3, 2, 4;",
    );
    assert_same(".irpc n, 123; .byte \\n; .endr;", ".byte 1, 2, 3;");
    assert_same(".irp n; .byte 1\\n; .endr;", ".byte 1;");
    assert_same(".rept 2; 1: J 1b; .endr;", "a: J a; b: J b;");
}

#[test]
fn conditions_select_statements() {
    for (condition, is_met) in [
        (".if 1", true),
        (".if N == 5", true),
        (".if N - 5", false),
        (".if (N > 4) && (N < 6)", true),
        (".ifdef N", true),
        (".ifdef M", false),
        (".ifndef M", true),
        (".ifdef label", true),
        (".ifeq N-5", true),
        (".ifne N-5", false),
        (".ifgt N", true),
        (".ifge -N", false),
        (".iflt -N", true),
        (".ifle N", false),
        (".ifb", true),
        (".ifnb x", true),
        (".ifc a b, a b", true),
        (".ifnc a, b", true),
        (".ifeqs \"a\", \"a\"", true),
        (".ifnes \"a\", \"a\"", false),
    ] {
        let text = format!("N = 5; label: {condition}; .byte 1; .else; .byte 2; .endif;");
        assert_same(&text, if is_met { ".byte 1;" } else { ".byte 2;" });
    }
    let chosen = |n: u8| {
        bytes(&format!(
        "N = {n}; .if N == 1; .byte 1; .elseif N == 2; .byte 2; .if 1; .byte 20; .endif; .elseif N > 0; .byte 3; .else; .if \
         nix; .endif; .byte 4; .endif;"
    ).replace(".if nix; .endif; ", ""))
    };
    assert_eq!(
        [chosen(1), chosen(2), chosen(3), chosen(0)],
        [vec![1], vec![2, 20], vec![3], vec![4]]
    );
    // Statements that are not assembled may be anything.
    assert_same(
        ".if 0; nonsense (; .if more; .else; .endif; .macro x; .endif; .byte 1;",
        ".byte 1;",
    );
    assert_eq!(says(".if 1; NOP;"), "1:1: expected `.endif` after this condition");
    assert_eq!(says(".endif;"), "1:1: `.endif` without `.if`");
    assert_eq!(says(".if N; .endif;"), "1:5: unknown constant `N`");
    assert_eq!(says(".if 5 5; .endif;"), "1:7: expected an operator or the end of the statement");
    assert_eq!(
        says("l: .if l; .endif;"),
        "1:8: the address of `l` is not known yet: expected constants that are defined before this \
         statement"
    );
}

#[test]
fn files_are_included() {
    assert_same("NOP; .include \"inc.s\"; NOP;", "NOP; ADD R1, 1; ADD R2, 2; ADD R3, 3; NOP;");
    assert_same(
        ".incbin \"data\"; .incbin \"data\", 3; .incbin \"data\", 1, 2;",
        ".byte 1, 2, 3, 4, 5, 4, 5, 2, 3;",
    );
    assert_eq!(
        says("NOP;\n\n.include \"bad.s\";"),
        "bad.s:2:7: expected `Rd`, found `Q`; `Rd` is a general register (`R0` to `R254`, or `RZ`); in the file `bad.s`, which is included on \
         line 3"
    );
    assert_eq!(says(".include \"none\";"), "1:10: cannot read `none`: no such file");
    assert_eq!(says(".include \"text\";"), "1:10: `text` is not UTF-8 text");
    assert_eq!(
        says(".include \"cycle.s\";"),
        "back.s:1:10: the file `cycle.s` includes itself; in the file `back.s`, which is included on line 1 \
         of `cycle.s`; in the file `cycle.s`, which is included on line 1"
    );
    let plain = Assembler::new(COUNTS).assemble(".include \"inc.s\";").unwrap_err().to_string();
    assert_eq!(plain, "1:10: cannot read `inc.s`: this program cannot read files");
}

#[test]
fn errors_name_all_expansions() {
    let text = ".macro inner r\n  ADD \\r, 1;\n.endm;\n.macro outer r\n  inner \\r;\n.endm;\nNOP;\n.rept 1;\n  outer Q;\n.endr;";
    assert_eq!(
        says(&text.replace(" r\n", " r;\n")),
        "9:9: expected `Rd`, found `Q`; `Rd` is a general register (`R0` to `R254`, or `RZ`); in the expansion of macro `inner` on line 5; in \
         the expansion of macro `outer` on line 9; in the repetition by `.rept` on line 8"
    );
    assert_eq!(
        says("# 12 \"main.c\"\nNOP;\n  ADD Q, 1;"),
        "3:7: expected `Rd`, found `Q`; `Rd` is a general register (`R0` to `R254`, or `RZ`); this is line 13 of `main.c`"
    );
    // Statements have the position of the outermost statement of the text.
    let program = Assembler::new(COUNTS)
        .assemble(".macro a; NOP; NOP; .endm; NOP; a; J 1f; 1: NOP;")
        .unwrap();
    let spans: Vec<_> = program.statements.iter().map(|it| it.span.clone()).collect();
    let text = ".macro a; NOP; NOP; .endm; NOP; a; J 1f; 1: NOP;";
    let texts: Vec<_> = spans.into_iter().map(|span| &text[span]).collect();
    assert_eq!(texts, ["NOP;", "a", "a", "J 1f;", "NOP;"]);
}

/// Hostile text ends in an error in bounded time and memory.
#[test]
fn expansions_are_limited() {
    let deep = "expansions are nested too deeply: expected at most 128";
    assert!(says(".macro a; a; .endm; a;").contains(deep));
    assert!(says(".macro a; b; .endm; .macro b; a; a; .endm; b;").contains(deep));
    let many = "the program expands to more than 2097152 statements";
    assert!(says(".rept 1<<40; .endr;").contains(many));
    assert!(says(".rept 1<<40; .rept 1<<40; NOP; .endr; .endr;").contains("more than"));
    let long = "x".repeat(1 << 20);
    let text = format!(
        ".macro a t; .byte \"\\t\\t\\t\\t\\t\\t\\t\\t\"; .endm; .rept 1000; a {long}; .endr;"
    );
    assert!(says(&text).contains("the program expands to more than 134217728 bytes"));
    let twice = ".macro a t:vararg; a \\t\\t; .endm; a xxxxxxxxxxxxxxxx;";
    assert!(says(twice).contains("more than") || says(twice).contains(deep));
}

#[test]
fn other_directives_become_data() {
    assert_same(
        ".fill 3; .fill 2, 2, 0x102; .fill 1, 8, 5;",
        ".byte 0,0,0,2,1,2,1,5,0,0,0,0,0,0,0;",
    );
    assert_same(
        ".uleb128 0, 127, 128, 624485; .sleb128 -1, -128, 63, 64, -123456;",
        ".byte 0,127,128,1,0xe5,0x8e,0x26,0x7f,0x80,0x7f,63,0xc0,0,0xc0,0xbb,0x78;",
    );
    assert_same(
        ".float 1.5, -0.0; .double 0.1;",
        ".4byte 0x3fc00000, 0x80000000; .8byte 0x3fb999999999999a;",
    );
    assert_same(
        "NOP; .pushsection .rodata; .byte 1; .popsection; NOP; .data; .byte 2; .previous; NOP;",
        "NOP; NOP; NOP; .section .rodata; .byte 1; .data; .byte 2;",
    );
    let text =
        "NOP; .comm a, 8, 4; .local b; .comm b, 2; .8byte a; .data; .byte 1; .lcomm c, 1; .byte 2;";
    let program = Assembler::new(COUNTS).relocations(|_| Some(1)).assemble(text).unwrap();
    assert_eq!(program.globals, ["a"]);
    let sizes: Vec<_> = program.sections.iter().map(|it| (it.name.as_str(), it.size)).collect();
    assert_eq!(sizes, [(".text", 12), (".bss", 11), (".data", 2)]);
    assert_eq!(says(".error \"no\";"), "1:1: no");
    assert!(says(".altmacro;").contains("`.altmacro` is not supported: "));
    assert_same("NOP; .end; nonsense (;", "NOP;");
}
