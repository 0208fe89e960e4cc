//! Tests that the assembler, completions and messages use the same list of directives.

use isa_core::asm::{AssembleErrorKind, Assembler, DIRECTIVES};
use isa_core::error::ParseErrorKind;
use isa_core::text::InstructionContext;

use super::Mixed;

fn is_unknown(text: &str) -> bool {
    let errors =
        Assembler::new(Mixed::SET).assemble(text).map_or_else(|e| e.into_vec(), |_| vec![]);
    errors.iter().any(|error| {
        matches!(&error.kind, AssembleErrorKind::Statement { error, .. }
            if matches!(error.kind(), ParseErrorKind::UnknownDirective))
    })
}

#[test]
fn every_directive_of_the_list_is_read_offered_and_named_in_messages() {
    let help = Assembler::new(Mixed::SET).assemble(".fill 4;").unwrap_err().to_string();
    let site = InstructionContext::new(0, &());
    let offered = Mixed::SET.completions(".", Some(&site), []);
    let offered: Vec<_> = offered.into_iter().map(|one| one.text).collect();
    assert_eq!(offered, DIRECTIVES);
    for name in DIRECTIVES {
        assert!(!is_unknown(&format!("{name} 1;")), "{name}");
    }
    // The message does not name every synonym of another directive.
    let named: Vec<_> =
        DIRECTIVES.into_iter().filter(|name| help.contains(&format!("`{name}`"))).collect();
    assert_eq!(named, DIRECTIVES[..20]);
    assert!(is_unknown(".fill 1;") && is_unknown("byte 1; .wor 1;"));
    let alone: Vec<_> = Mixed::SET.completions(".", None, []);
    assert_eq!(alone.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), [".word"]);
}
