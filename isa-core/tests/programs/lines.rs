//! Tests statements that end at the end of the line.

use isa_core::asm::{Assembler, Draft};

use super::Mixed;
use super::constants::COUNTS;

fn lines(text: &str) -> Result<Vec<u8>, String> {
    let assembler = Assembler::new(Mixed::SET).lines("#");
    assembler.assemble(text).map(|p| p.bytes).map_err(|errors| errors.to_string())
}

#[test]
fn statements_that_end_with_their_lines() {
    let text = "
start:           # é; nothing
    INC R1       // one; more
  a: b: INC R2;  # J lost
    J a /* two
       lines */
    ;
    .byte 1, 2 # data
    J . ; J end
    /* J a */
end:";
    assert_eq!(lines(text).unwrap(), [1, 1, 1, 2, 0xfc, 0, 1, 2, 0, 0, 4, 0]);
    assert_eq!(lines("J x\nx: INC R1").unwrap(), [4, 0, 1, 1]);
    assert_eq!(lines("INC R1 # last").unwrap(), [1, 1]);
    let program = Assembler::new(Mixed::SET).lines("").assemble("INC R1\nINC R2").unwrap();
    let spans: Vec<_> = program.statements.iter().map(|statement| statement.span.clone()).collect();
    assert_eq!(spans, [0..7, 7..13]);
    assert_eq!(
        lines("INC\n  INC R1, R2 # é\nJ x\n/* INC R1\n"),
        Err("\
1:4: expected `Rd`, found the end of the line; `Rd` is a general register (`R0` to `R254`, or `RZ`)
2:9: expected `;`, found `,`; the syntax is `INC Rd;`
3:3: unknown label `x`; define it: write `NAME:` before a statement
4:1: unterminated comment, expected `*/`"
            .to_owned())
    );
    let ends = [
        ("INC", "1:4", "the end of the line"),
        ("INC # é\nINC R1", "1:8", "the end of the line"),
        ("INC R1\nx: INC /* a\n b */\nINC R1", "3:6", "the end of the line"),
        // The message quotes the token that was found.
        ("INC;", "1:4", "`;`"),
        ("INC R1; INC ;\nINC R1", "1:13", "`;`"),
        ("INC ,\n", "1:5", "`,`"),
    ];
    for (text, place, found) in ends {
        let error = lines(text).unwrap_err();
        let start = format!("{place}: expected `Rd`, found {found}; `Rd` is");
        assert!(error.starts_with(&start), "{text:?} {error}");
    }
    assert!(lines("# \u{1f600}\nINC R1").is_ok() && lines("").is_ok());
}

#[test]
fn a_draft_speaks_of_the_same_ends() {
    // The missing token is reported after `R1`, before the end of the line that was found.
    let text = ";;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;\nNOP\nADD R1 /* a\n b */\nNOP;\n";
    let assembler = Assembler::new(COUNTS).lines("");
    let message = assembler.assemble(text).unwrap_err().to_string();
    assert!(message.starts_with("3:7: expected `,`, found the end of the line;"), "{message}");
    let errors = Draft::new(assembler, text.to_owned()).errors();
    assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [message]);
}
