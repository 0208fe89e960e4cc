//! The command `list`, which prints every opcode with its syntax and its aliases.

use clap::{Arg, ArgAction, ArgMatches, Command};
use isa_core::explain::{alias_condition, alias_json, opcode_json, syntax};
use isa_core::table::{Alias, Opcode};

use crate::CommandError;
use crate::profile::Profile;
use crate::suggest;

use super::arguments::{flag, wrapped};
use super::values::texts;
use super::{Streams, Subcommand};

/// The command `list`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ListCommand {
    /// The patterns that select opcodes. Without a pattern, all opcodes are listed.
    patterns: Vec<String>,
    json: bool,
}

impl Subcommand for ListCommand {
    const NAME: &'static str = "list";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Lists every opcode and alias with its syntax")
                .override_usage(format!("{name} list [PATTERN...] [--json]"))
                .arg(Arg::new("pattern").value_name("PATTERN").action(ArgAction::Append).help(wrapped(
                    "Lists only opcodes and aliases whose name or mnemonic contains PATTERN, in any letter case; a \
                         PATTERN with * (any text) or ? (any character) must match the whole name",
                )))
                .arg(flag("json", "Prints each opcode or alias as one JSON object per line (keys below)"))
                .after_help(
                    "Prints one opcode per line. Parts in braces are optional; an operand is shown as field:kind,\n\
                     where kind is its operand type. An opcode is followed by its aliases and its synonyms,\n\
                     which are accepted as input but never printed. Each of them shows the opcode and the\n\
                     condition under which it applies.\n\n\
                     With --json an object contains name, mnemonic, syntax, doc, bits (the width of the word),\n\
                     short_bits and long_if (if some words are shorter: their width, and the condition of\n\
                     the long words),\n\
                     mask and value (the fixed bits of the word), and fields: name, kind, bits (a list of\n\
                     [high, low], the field's low bits last), access (read, write, read-write or null),\n\
                     fixed and default (a number or null). If the opcode has properties, properties contains\n\
                     their values by their names. If the opcode exists only with some features, requires lists\n\
                     the conditions. The object of an alias or a synonym describes its\n\
                     own words and text. It also contains alias_of (the name of the opcode), printed (false\n\
                     for a synonym) and condition (or null if it always applies).",
                )
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        Ok(ListCommand { patterns: texts(matches, "pattern"), json: matches.get_flag("json") })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let set =
            if profile.features.is_some() { profile.set.processor } else { profile.set.tables };
        let entries: Vec<ListEntry> = set.opcodes.iter().flat_map(|it| entries(it)).collect();
        check(profile, &self.patterns, entries.iter().map(|entry| entry.row()))?;
        let entries = entries.into_iter().filter(|entry| is_wanted(entry.row(), &self.patterns));
        let entries: Vec<ListEntry> = entries.collect();
        let width = entries.iter().map(|entry| entry.row().name.len()).max();
        let width = width.unwrap_or_default();
        let lines = entries.iter().map(|entry| match self.json {
            true => entry.json() + "\n",
            false => format!("{:width$}  {}\n", entry.row().name, entry.text()),
        });
        let text: String = lines.collect();
        streams.stdout.write_all(text.as_bytes()).map_err(CommandError::printing)
    }
}

/// A line of the output: an opcode or one of its aliases.
struct ListEntry {
    opcode: &'static Opcode,
    alias: Option<&'static Alias>,
}

/// Returns an opcode, followed by its aliases.
fn entries(opcode: &'static Opcode) -> impl Iterator<Item = ListEntry> {
    let aliases = opcode.aliases.iter().map(Some);
    [None].into_iter().chain(aliases).map(move |alias| ListEntry { opcode, alias })
}

impl ListEntry {
    fn row(&self) -> &'static Opcode {
        self.alias.map_or(self.opcode, |alias| alias.row)
    }

    fn json(&self) -> String {
        match self.alias {
            None => opcode_json(self.opcode),
            Some(alias) => alias_json(self.opcode, alias),
        }
    }

    /// Returns the syntax, and for an alias also its opcode and its condition.
    fn text(&self) -> String {
        let mut text = syntax(self.row());
        for requirement in self.opcode.requires_of_all_words() {
            text += "  requires ";
            text += requirement.condition;
        }
        let Some(alias) = self.alias else { return text };
        text += if alias.printed { "  alias of " } else { "  synonym of " };
        text += self.opcode.name;
        if let Some(condition) = alias_condition(self.opcode, alias) {
            text += " where ";
            text += &condition;
        }
        text
    }
}

/// Returns the opcodes that match any of the patterns. Each pattern must match at least one.
pub(crate) fn chosen(
    profile: &Profile,
    patterns: &[String],
) -> Result<Vec<&'static Opcode>, CommandError> {
    let opcodes = profile.set.processor.opcodes.iter().copied();
    check(profile, patterns, opcodes.clone())?;
    Ok(opcodes.filter(|opcode| is_wanted(opcode, patterns)).collect())
}

/// Reports a pattern that matches none of the rows.
fn check(
    profile: &Profile,
    patterns: &[String],
    rows: impl Iterator<Item = &'static Opcode> + Clone,
) -> Result<(), CommandError> {
    let missed = patterns.iter().find(|pattern| !rows.clone().any(|row| fits(row, pattern)));
    let Some(pattern) = missed else { return Ok(()) };
    let names = rows.flat_map(|row| [row.name, row.syntax.mnemonic]);
    let (hint, name) = (suggest::hint(pattern, names), profile.name);
    Err(CommandError::Usage(format!(
        "no opcode or mnemonic matches `{pattern}`{hint}\n`{name} list` lists all of them"
    )))
}

/// Returns whether there are no patterns or a row matches any of them.
fn is_wanted(row: &Opcode, patterns: &[String]) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| fits(row, pattern))
}

/// Returns whether a pattern matches the name or mnemonic of an opcode. A pattern that contains `*` or
/// `?` must match the whole text, and any other pattern must match a part of it.
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

/// Returns whether a pattern matches a whole text: `*` matches any text, `?` any byte.
fn is_match(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The position of the last `*` in the pattern, and the end of the text that this `*` matches.
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
