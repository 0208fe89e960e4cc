//! The command `list`: every opcode with its syntax.

use std::io::Write;

use isa_core::explain::{opcode_json, syntax};
use isa_core::table::Opcode;

use super::Stop;
use super::suggest;
use super::tool::Profile;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    /// What opcodes are listed; all where there is no pattern.
    pub(super) patterns: Vec<String>,
    pub(super) json: bool,
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let opcodes = chosen(profile, &options.patterns)?;
    let width = opcodes.iter().map(|opcode| opcode.name.len()).max();
    let width = width.unwrap_or_default();
    let lines = opcodes.iter().map(|opcode| match options.json {
        true => opcode_json(opcode) + "\n",
        false => format!("{:width$}  {}\n", opcode.name, syntax(opcode)),
    });
    let text: String = lines.collect();
    stdout.write_all(text.as_bytes()).map_err(Stop::printing)
}

/// The opcodes that fit one of the patterns. Each pattern has to fit one.
pub(super) fn chosen(profile: &Profile, patterns: &[String]) -> Result<Vec<&'static Opcode>, Stop> {
    let (opcodes, name) = (profile.set.0.opcodes, profile.name);
    for pattern in patterns {
        if !opcodes.iter().any(|opcode| fits(opcode, pattern)) {
            let names = opcodes.iter().flat_map(|opcode| [opcode.name, opcode.syntax.mnemonic]);
            let hint = suggest::hint(pattern, names);
            return Err(Stop::Usage(format!(
                "no opcode or mnemonic fits `{pattern}`{hint}\n`{name} list` lists all"
            )));
        }
    }
    let wanted = |opcode: &&Opcode| {
        patterns.is_empty() || patterns.iter().any(|pattern| fits(opcode, pattern))
    };
    Ok(opcodes.iter().copied().filter(wanted).collect())
}

/// Whether a pattern is a part of an opcode's name or mnemonic or, with `*` or `?`, stands for the
/// whole of it.
fn fits(opcode: &Opcode, pattern: &str) -> bool {
    let pattern = pattern.to_lowercase();
    [opcode.name, opcode.syntax.mnemonic].iter().any(|name| {
        let name = name.to_lowercase();
        match pattern.contains(['*', '?']) {
            true => is_match(name.as_bytes(), pattern.as_bytes()),
            false => name.contains(&pattern),
        }
    })
}

/// Whether a pattern stands for a text: `*` for any text, `?` for any byte.
fn is_match(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last `*`, and where the text behind what it stands for begins.
    let mut star = None;
    while at < text.len() {
        match pattern.get(place) {
            Some(b'*') => {
                star = Some((place, at));
                place += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[at] => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((last, from)) = star else {
                    return false;
                };
                star = Some((last, from + 1));
                (place, at) = (last + 1, from + 1);
            }
        }
    }
    pattern[place..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_texts() {
        for (text, pattern, fit) in [
            ("hadd2_rr", "hadd2*", true),
            ("hadd2_rr", "*_rr", true),
            ("hadd2_rr", "h*2_?r", true),
            ("hadd2_rr", "*a*d*r", true),
            ("hadd2_rr", "hadd2", false),
            ("hadd2_rr", "hadd2_rr?", false),
            ("hadd2_rr", "*x*", false),
            ("", "*", true),
            ("", "?", false),
        ] {
            assert_eq!(is_match(text.as_bytes(), pattern.as_bytes()), fit, "{text} {pattern}");
        }
    }
}
