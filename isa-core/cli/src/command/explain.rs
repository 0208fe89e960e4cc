//! The command `explain`, which explains the meaning of each bit of a word.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::CommandError;
use crate::console::Console;
use crate::input::words::{self, WordFormat, WordJoiner};
use crate::input::{Chunk, Input};
use crate::profile::Profile;
use crate::program::{self, AssemblyParameters};
use crate::set::{SizedWord, ToolSet, hex_digits};

use super::arguments::{DIAGNOSTIC_KEYS, split_words_help, with_diagnostic_options, wrapped};
use super::values::text;
use super::{Streams, Subcommand};

/// The command `explain`.
#[derive(Debug, PartialEq)]
pub(crate) struct ExplainCommand {
    subject: ExplainSubject,
    json: bool,
}

impl Subcommand for ExplainCommand {
    const NAME: &'static str = "explain";

    fn definition(profile: &Profile) -> Option<Command> {
        let (name, most, parts) =
            (profile.name, hex_digits(profile.set.tables.bits), split_words_help(profile));
        let command = Command::new(Self::NAME)
            .about("Explains every bit of an instruction word")
            .override_usage(format!(
                "{name} explain WORD... | {name} explain - | {name} explain --asm TEXT"
            ))
            .arg(
                Arg::new("word")
                    .value_name("WORD")
                    .action(ArgAction::Append)
                    .value_parser(value_parser!(OsString))
                    .help(wrapped(&format!(
                        "A word of 1 to {most} hexadecimal digits, with or without 0x{parts}; - or no WORD reads words from \
                         standard input, as `{name} dis` does; a terminal requires -"
                    ))),
            )
            .arg(
                Arg::new("asm").long("asm").value_name("TEXT").help(wrapped("One or more instructions as assembly text")),
            )
            .after_help(format!(
                "If a word is not a valid instruction, the nearest opcode and the reason are printed, and\n\
                 the exit status is 1.\n\n\
                 With --json each word is one object on one line:\n  \
                 word, text      the digits and the assembly text\n  \
                 legal, reason   whether the word is a valid instruction; the reason if it is not, or null\n  \
                 opcode          the opcode or the nearest opcode, or null\n  \
                 mnemonic, syntax, doc   of this opcode\n  \
                 flow            how execution continues; missing if it continues with the next instruction\n  \
                 properties      the properties of the opcode by their names, if it has any\n  \
                 parts           a list from the highest bit to the lowest: high, low (null if the field\n                  \
                 has no bits), field (null for unused bits), piece, raw, value (of the whole\n                  \
                 field), meaning, kind, access (read, write, read-write or null), fixed_by,\n                  \
                 default, legal, doc\n  \
                 exceptions      the exceptions that reject the word: class, condition, declared_in,\n                  \
                 reason\n\n{DIAGNOSTIC_KEYS}"
            ));
        Some(with_diagnostic_options(command))
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let words = matches.try_get_many::<OsString>("word").ok().flatten().into_iter().flatten();
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        let subject = match text(matches, "asm") {
            Some(_) if !words.is_empty() => {
                let message = "--asm cannot be used with WORD";
                return Err(CommandError::Usage(message.into()));
            }
            Some(text) => ExplainSubject::Text(text.into()),
            None => ExplainSubject::Words(words),
        };
        Ok(ExplainCommand { subject, json: matches.get_flag("json") })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        streams.stop_progress_on_terminal();
        let Streams { stdin, stdin_is_terminal, stdout, console, .. } = streams;
        console.hold_reports("");
        let (set, json, name) = (profile.set, self.json, profile.name);
        let mut out = Explanations {
            set,
            json,
            stdout,
            text: String::new(),
            count: 0,
            joiner: WordJoiner::new(set),
            open: String::new(),
        };
        let nothing = |what: &str| {
            CommandError::Usage(format!("{what}\n`{name} explain --help` shows the usage"))
        };
        match &self.subject {
            ExplainSubject::Words(words) if words.is_empty() => {
                if !*stdin_is_terminal {
                    out.read(Input::new("<stdin>", &mut **stdin), console)?;
                }
                if out.count == 0 && console.errors() == 0 {
                    return Err(nothing("missing word"));
                }
            }
            ExplainSubject::Words(words) => {
                for word in words {
                    match word.as_str() {
                        "-" => {
                            out.give_up(console);
                            out.read(Input::new("<stdin>", &mut **stdin), console)?;
                        }
                        word => out.take_argument(word, words.len() > 1, console)?,
                    }
                }
                out.give_up(console);
            }
            ExplainSubject::Text(text) => {
                let words = words_of(profile, text, console)?;
                if words.is_empty() {
                    return Err(nothing("the text of --asm contains no instruction"));
                }
                let many = words.len() > 1;
                words.into_iter().try_for_each(|word| out.take(word, many, console))?;
            }
        }
        out.flush()?;
        if console.errors() > 0 { Err(CommandError::Reported) } else { Ok(()) }
    }
}

/// The words or instructions to explain.
#[derive(Debug, PartialEq)]
enum ExplainSubject {
    /// Words in hexadecimal. If the only argument is `-`, or if there is no argument, the words are
    /// read from standard input.
    Words(Vec<String>),
    /// Instructions as assembly text.
    Text(String),
}

/// Assembles a text and returns its words.
fn words_of(
    profile: &Profile,
    text: &str,
    console: &mut Console<'_>,
) -> Result<Vec<SizedWord>, CommandError> {
    let (input, mut words) = (Input::new("<asm>", text.as_bytes()), Vec::new());
    let take = |word, _| {
        words.push(word);
        Ok(())
    };
    program::assemble_words(profile, input, AssemblyParameters::default(), console, take)?;
    Ok(words)
}

/// Writes explanations to standard output.
struct Explanations<'o> {
    set: ToolSet,
    json: bool,
    stdout: &'o mut dyn Write,
    text: String,
    /// The number of explanations so far.
    count: usize,
    /// The parts of a word that several arguments specify, and the text of these arguments.
    joiner: WordJoiner,
    open: String,
}

/// The number of bytes written at a time.
const BLOCK: usize = 64 << 10;

impl Explanations<'_> {
    /// Explains the words in a file.
    fn read(&mut self, input: Input<'_>, console: &mut Console<'_>) -> Result<(), CommandError> {
        let read =
            words::read_text(self.set, input, WordFormat::Text, console, |found, _, console| {
                self.take(found.word, true, console)
            });
        self.flush()?;
        read
    }

    /// Explains a word from the command line.
    fn take_argument(
        &mut self,
        text: &str,
        is_one_of_many: bool,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        let token = words::parse_token(self.set, text);
        if !token.as_ref().is_ok_and(|token| self.joiner.is_continued_by(*token)) {
            self.give_up(console);
        }
        match token.map(|token| self.joiner.take(token)) {
            Ok(Some(word)) => {
                self.open.clear();
                self.take(word, is_one_of_many, console)
            }
            Ok(None) => {
                self.open += if self.open.is_empty() { "" } else { " " };
                self.open += text;
                Ok(())
            }
            Err(bad) => {
                let mut chunk = Chunk::whole("<word>", text);
                let help = vec![];
                let span = bad.span;
                console.report(&chunk.diagnostic("bad-word", span, bad.title, bad.label, help));
                Ok(())
            }
        }
    }

    /// Reports arguments that begin a word but do not complete it.
    fn give_up(&mut self, console: &mut Console<'_>) {
        if self.joiner.is_open() {
            let text = core::mem::take(&mut self.open);
            let (help, title) = (self.joiner.help(), self.joiner.give_up());
            let mut chunk = Chunk::whole("<word>", &text);
            let span = 0..text.len();
            console.report(&chunk.diagnostic("truncated", span, title, String::new(), help));
        }
    }

    /// Explains a word. An invalid instruction is an error.
    fn take(
        &mut self,
        word: SizedWord,
        is_one_of_many: bool,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        if self.count > 0 && !self.json {
            self.text.push('\n');
        }
        self.count += 1;
        if let Err(error) = explain(self.set, word, self.json, &mut self.text) {
            let name = if is_one_of_many { format!("{:#x}", word.word) } else { "this".into() };
            let message = format!("{name} is not a valid instruction: {error}");
            console.report_plain("no-instruction", &message);
        }
        if self.text.len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), CommandError> {
        let written = self.stdout.write_all(self.text.as_bytes());
        self.text.clear();
        written.and_then(|()| self.stdout.flush()).map_err(CommandError::printing)
    }
}

/// Appends the explanation of a word, valid or not. If the word is not a valid instruction, returns
/// the reason as an error.
fn explain(set: ToolSet, word: SizedWord, json: bool, text: &mut String) -> Result<(), String> {
    let explanation = set.tables.explain_as(word.word, word.bits);
    let _ = match json {
        true => writeln!(text, "{}", explanation.json()),
        false => write!(text, "{}", explanation.text()),
    };
    explanation.reason.map_or(Ok(()), Err)
}
