//! The command `flips`, which shows the effect of each bit of a word according to another disassembler.

use clap::{Arg, ArgMatches, Command};
use isa_core::shown::Shown;

use super::other::OtherText;
use super::{Comparison, ProgramOptions};
use crate::CommandError;
use crate::command::arguments::wrapped;
use crate::command::values::text;
use crate::command::{Streams, Subcommand};
use crate::input::words::{WordJoiner, parse_token};
use crate::profile::Profile;
use crate::set::SizedWord;

/// The command `flips`.
#[derive(Debug, PartialEq)]
pub(crate) struct FlipsCommand {
    program: ProgramOptions,
    word: SizedWord,
}

impl Subcommand for FlipsCommand {
    const NAME: &'static str = "flips";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let command = Command::new(Self::NAME)
            .about("Shows the effect of each bit of a word according to another disassembler")
            .override_usage(format!("{name} flips WORD --with COMMAND [--as bin|hex] [--style STYLE]"))
            .arg(Arg::new("word").value_name("WORD").required(true).help(wrapped("A word in hexadecimal digits")))
            .after_help(
                "Prints the text of the word, followed by a line for each bit whose change changes the text. If the\n\
                 text of this set differs from the text of the other program, it is printed too. Use the output to\n\
                 find the fields of an instruction whose encoding is not documented.",
            );
        Some(ProgramOptions::with_arguments(profile, command))
    }

    fn parse(profile: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let digits = text(matches, "word").unwrap_or_default();
        let token = parse_token(profile.set, digits)
            .map_err(|bad| CommandError::Usage(format!("invalid value for WORD: {}", bad.title)))?;
        let word = WordJoiner::new(profile.set).take(token).ok_or_else(|| {
            CommandError::Usage(format!(
                "invalid value for WORD: `{digits}` is not a complete word"
            ))
        })?;
        Ok(FlipsCommand { program: ProgramOptions::parse(matches), word })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let (set, style) = (profile.set, self.program.style);
        let comparison = Comparison { set, other: self.program.start()?, style };
        let flipped = |bit: u8| SizedWord { word: self.word.word ^ 1 << bit, ..self.word };
        let words = [self.word].into_iter().chain((0..self.word.bits).map(flipped));
        let words: Vec<SizedWord> = words.collect();
        // Each word is alone, because many programs stop at the first word that they reject.
        let mut texts = Vec::new();
        for word in &words {
            texts.extend(comparison.other.texts(set, core::slice::from_ref(word))?);
        }
        const REJECTED: &str = "(rejected)";
        let text_of = |other: &Option<OtherText>| match other {
            Some(other) => Shown(&other.text).to_string(),
            None => REJECTED.to_owned(),
        };
        let own_of = |word: SizedWord| match set.decode(word) {
            Ok(opcode) => comparison.text(opcode, word.word, 0),
            Err(_) => REJECTED.to_owned(),
        };
        let plain = texts.first().map(text_of).unwrap_or_default();
        // If the set does not have the instruction, only the other program is of interest.
        let has_own = set.decode(self.word).is_ok();
        let mut report = format!("word  {plain}\n");
        for (bit, (word, other)) in words.iter().zip(&texts).skip(1).enumerate() {
            let other = text_of(other);
            let own = Some(own_of(*word)).filter(|own| has_own && *own != other);
            if other == plain && own.is_none() {
                continue;
            }
            report += &format!("{bit:4}  {other}\n");
            if let Some(own) = own {
                report += &format!("      own: {own}\n");
            }
        }
        streams.stdout.write_all(report.as_bytes()).map_err(CommandError::printing)
    }
}
