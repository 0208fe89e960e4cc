//! The command `explain-error`, which explains an error code of the specification language.

use std::io::Write;

use isa_core::codes::{self, Explanation};

use super::Stop;
use super::suggest;
use super::tool::Profile;

/// Prints the section of a code, or the list of all codes.
pub(super) fn run(
    profile: &Profile,
    code: Option<&str>,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let text = match code {
        None => codes::all()
            .map(|Explanation { code, title, .. }| format!("{code}  {title}\n"))
            .collect(),
        Some(code) => plain(&codes::explain(code).ok_or_else(|| unknown(profile.name, code))?),
    };
    stdout.write_all(text.as_bytes()).map_err(Stop::printing)
}

fn unknown(name: &str, code: &str) -> Stop {
    let hint = suggest::hint(code, codes::all().map(|known| known.code));
    Stop::Usage(format!("unknown code `{code}`{hint}\n`{name} explain-error` lists the codes"))
}

/// Returns the section as plain text, with indented examples and without the lines that only a test
/// needs.
fn plain(section: &Explanation) -> String {
    let mut text = format!("{}: {}\n\n", section.code, section.title);
    let mut in_example = false;
    let mut blank = false;
    for line in section.text.lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        if in_example && (line == "#" || line.starts_with("# ")) {
            continue;
        }
        // Removing a fence must not leave two consecutive empty lines.
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        let indent = if in_example && !blank { "    " } else { "" };
        text += &format!("{indent}{line}\n");
    }
    text
}
