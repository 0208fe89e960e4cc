//! The command `sass schedule`.

use isa_cli::{ProgramCode, Report};

use super::check;

/// The flags of the command, each with its help text.
pub(crate) const FLAGS: &[(&str, &str)] = &[(
    "check",
    "Reports stalls that are too short, missing waits, and control words that are not valid",
)];

/// Checks all sections of a file.
pub(crate) fn run(code: &ProgramCode, flags: &[&str]) -> Result<Report, String> {
    if !flags.contains(&"check") {
        return Err("expected --check".to_owned());
    }
    let (mut text, mut errors, mut words, mut unknown) = (String::new(), 0, 0, 0);
    for section in &code.sections {
        let Some(&(start, _)) = section.words.first() else { continue };
        let own: Vec<u128> = section.words.iter().map(|&(_, word)| word).collect();
        let findings = check(code.set, start, &own);
        if !findings.is_empty() && !section.name.is_empty() {
            text += &format!("// section {}\n", section.name.escape_debug());
        }
        for finding in &findings {
            text += &format!("{finding}\n\n");
        }
        errors += findings.len();
        words += own.len();
        unknown += own.iter().filter(|&&word| code.set.decode(word).is_err()).count();
    }
    text += &format!("{words} instructions, {}\n", counted(errors, "error"));
    if unknown > 0 {
        text += &format!("{unknown} words do not decode; dependencies on them are not checked\n");
    }
    Ok(Report { text, is_success: errors == 0 })
}

/// Returns a number with a noun, for example `1 error` or `2 errors`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
