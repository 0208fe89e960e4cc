//! The command `compare`, which compares the assembly text of words with the text of another
//! disassembler.

mod flips;
mod other;

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command};
use isa_core::parse::Parsed;
use isa_core::shown::Shown;
use isa_core::table::{Init, Opcode};
use isa_core::text::{Cursor, InstructionContext, Line, Style};

use crate::CommandError;
use crate::console::Console;
use crate::input::Input;
use crate::input::words::{self, WordFormat};
use crate::profile::Profile;
use crate::set::{SizedWord, ToolSet};

use super::arguments::{
    choice, file_argument, number_option, repeated_option, with_diagnostic_options, wrapped,
};
use super::dis::{number_style, style_option};
use super::random;
use super::values::{number, path, text, texts, word_format};
use super::{Streams, Subcommand};
pub(super) use flips::FlipsCommand;
use other::{OtherProgram, OtherText, WordsAs, normalized};

/// The command `compare`.
#[derive(Debug, PartialEq)]
pub(crate) struct CompareCommand {
    program: ProgramOptions,
    words: WordSource,
}

/// The source of the words.
#[derive(Debug, PartialEq)]
enum WordSource {
    File(Option<OsString>, WordFormat),
    /// Random valid words.
    Random {
        count: u64,
        seed: u64,
        only: Vec<String>,
    },
}

/// The options that describe the other program and its text.
#[derive(Debug, PartialEq)]
struct ProgramOptions {
    command: String,
    form: WordsAs,
    style: Style,
}

impl ProgramOptions {
    /// Adds the options to a command.
    fn with_arguments(profile: &Profile, command: Command) -> Command {
        command
            .arg(Arg::new("with").long("with").value_name("COMMAND").required(true).help(wrapped(
                "The command of the other disassembler; {} is replaced by a file with the words, which is otherwise \
                 passed on standard input",
            )))
            .arg(
                choice(
                    "as",
                    vec!["bin", "hex"],
                    "bin: the words are passed as bytes (default); hex: as lines such as `0x13 0x05`, which llvm-mc reads",
                )
                .value_name("FORM"),
            )
            .arg(style_option(profile).1)
    }

    fn parse(matches: &ArgMatches) -> Self {
        ProgramOptions {
            command: text(matches, "with").unwrap_or_default().to_owned(),
            form: if text(matches, "as") == Some("hex") { WordsAs::Hex } else { WordsAs::Bin },
            style: number_style(&texts(matches, "style")),
        }
    }

    fn start(&self) -> Result<OtherProgram, CommandError> {
        OtherProgram::new(&self.command, self.form)
    }
}

impl Subcommand for CompareCommand {
    const NAME: &'static str = "compare";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let command = Command::new(Self::NAME)
            .about("Compares the text of words with another disassembler")
            .override_usage(format!(
                "{name} compare --with COMMAND [FILE] [--from hex|bin|listing] [--as bin|hex] [--style STYLE]\n       \
                 {name} compare --with COMMAND --count N [--seed S] [--only PATTERN ...]"
            ))
            .arg(file_argument("The file with the words; - or no FILE means standard input"))
            .arg(
                choice("from", vec!["hex", "bin", "listing"], "The format of FILE, as for `dis`")
                    .value_name("FORM"),
            )
            .arg(number_option("count", "Compares N random valid words instead of those in a file"))
            .arg(number_option("seed", "The seed of the random words (default 1)"))
            .arg(repeated_option("only", "PATTERN", &format!(
                "Only opcodes whose name or mnemonic matches PATTERN, as for `{name} list`; may be repeated"
            )))
            .after_help(
                "The text of each word must be equal to the text of the other program, and that text must\n\
                 assemble to the word. White space and comments are ignored. With --style no-settings the\n\
                 attributes have their defaults in the assembled word, and with --style targets the text of\n\
                 instructions with targets is not assembled, because it contains addresses.\n\n\
                 Differences are counted by mnemonic and kind. An example of each contains only values that\n\
                 are necessary for the difference: all other fields have their defaults or are 0.\n\n\
                 Exit status: 0 if all words are equal, 1 if words differ, 2 if the command of --with fails.",
            );
        Some(with_diagnostic_options(ProgramOptions::with_arguments(profile, command)))
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let (file, count) = (path(matches, "file"), number(matches, "count")?);
        let (seed, only) = (number(matches, "seed")?, texts(matches, "only"));
        let words = match count {
            Some(_) if file.is_some() => {
                let message = "--count cannot be used with FILE";
                return Err(CommandError::Usage(message.to_owned()));
            }
            Some(count) => WordSource::Random { count, seed: seed.unwrap_or(1), only },
            None if seed.is_some() || !only.is_empty() => {
                let message = "--seed and --only require --count";
                return Err(CommandError::Usage(message.to_owned()));
            }
            None => WordSource::File(file, word_format(matches)),
        };
        Ok(CompareCommand { program: ProgramOptions::parse(matches), words })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, console, .. } = streams;
        let set = profile.set;
        let words = match &self.words {
            WordSource::File(path, from) => {
                read_all(set, Input::open(path.as_ref(), *stdin)?, *from, console)?
            }
            WordSource::Random { count, seed, only } => {
                let generator = random::generator(profile, only, &[], *seed)?;
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                let all = generator.take(count);
                all.map(|one| SizedWord { word: one.word, bits: one.opcode.width_of(one.word) })
                    .collect()
            }
        };
        let comparison =
            Comparison { set, other: self.program.start()?, style: self.program.style };
        let mut classes: BTreeMap<(String, DifferenceKind), (u64, Difference)> = BTreeMap::new();
        let mut equal = 0;
        for (number, batch) in words.chunks(BATCH).enumerate() {
            console.progress((number * BATCH) as u64, Some(words.len() as u64));
            for difference in comparison.of(batch)? {
                match difference {
                    None => equal += 1,
                    Some(found) => {
                        let class = (found.mnemonic(), found.kind);
                        classes.entry(class).or_insert((0, found)).0 += 1;
                    }
                }
            }
        }
        console.clear_progress();
        let differing: u64 = classes.values().map(|(count, _)| count).sum();
        let mut report = format!("{} words: {equal} equal, {differing} different\n", words.len());
        for ((mnemonic, kind), (count, found)) in classes {
            let found = comparison.shrunk(found)?;
            let words = if count == 1 { "word" } else { "words" };
            let (kind, example, mnemonic) = (kind.describe(), found.text(set), Shown(&mnemonic));
            report += &format!("\n{mnemonic}: {count} {words}: {kind}\n{example}");
        }
        stdout.write_all(report.as_bytes()).map_err(CommandError::printing)?;
        if differing > 0 { Err(CommandError::Different) } else { Ok(()) }
    }
}

/// The number of words for one run of the other program.
const BATCH: usize = 20_000;

/// Reads all words of a file. Invalid input is an error.
fn read_all(
    set: ToolSet,
    input: Input<'_>,
    from: WordFormat,
    console: &mut Console<'_>,
) -> Result<Vec<SizedWord>, CommandError> {
    let mut all = Vec::new();
    match from {
        WordFormat::Bin => words::read_stream(set, input, console, |word, _, _| {
            all.push(word);
            Ok(())
        })?,
        _ => words::read_text(set, input, from, console, |found, _, _| {
            all.push(found.word);
            Ok(())
        })?,
    }
    if console.errors() > 0 { Err(CommandError::Reported) } else { Ok(all) }
}

/// The comparison of one set with another program.
struct Comparison {
    set: ToolSet,
    other: OtherProgram,
    style: Style,
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DifferenceKind {
    Text,
    OtherWord,
    Unparsed,
    Undecoded,
    Rejected,
}

impl DifferenceKind {
    fn describe(self) -> &'static str {
        match self {
            DifferenceKind::Text => "the texts differ",
            DifferenceKind::OtherWord => "the text assembles to another word",
            DifferenceKind::Unparsed => "the text of the other program does not assemble",
            DifferenceKind::Undecoded => "not a valid instruction of this set",
            DifferenceKind::Rejected => "the other program rejects it",
        }
    }
}

/// A word that the set and the other program treat differently.
#[derive(Debug, Clone, PartialEq)]
struct Difference {
    word: SizedWord,
    kind: DifferenceKind,
    own: String,
    other: String,
}

impl Difference {
    /// Returns the mnemonic, without modifiers.
    fn mnemonic(&self) -> String {
        let text = if self.kind == DifferenceKind::Undecoded { &self.other } else { &self.own };
        // A guard such as `@P0` precedes the mnemonic.
        let mut words = text.split(' ').filter(|word| !word.starts_with('@'));
        words.next().unwrap_or_default().split('.').next().unwrap_or_default().to_owned()
    }

    fn text(&self, set: ToolSet) -> String {
        let mut line = Line::new();
        self.word.print_hex(&mut line);
        let mut text = format!(
            "  word   {}\n  own    {}\n  other  {}\n",
            line.as_str(),
            self.own,
            Shown(&self.other)
        );
        let values = set.decode(self.word).map(|opcode| values(opcode, self.word.word));
        if let Ok(values) = values.as_ref()
            && !values.is_empty()
        {
            text += &format!("  fields {}\n", values.join(", "));
        }
        text
    }
}

/// Returns the fields that do not have their default, or are not 0 if they do not have a default.
fn values(opcode: &'static Opcode, word: u128) -> Vec<String> {
    let fields = opcode
        .fields
        .iter()
        .filter(|field| usual(field.init).is_some_and(|value| value != field.get(word)));
    let fields = fields.map(|field| {
        let (name, raw) = (field.name, field.get(word));
        match field.kind.value(raw) {
            Some(value) => format!("{name}={}", value.name),
            None => format!("{name}={raw:#x}"),
        }
    });
    fields.collect()
}

/// Returns the value of a field in the simplest word, or `None` if the field is fixed.
fn usual(init: Init) -> Option<u64> {
    match init {
        Init::Fixed(_) => None,
        Init::Default(value) => Some(value),
        Init::Required => Some(0),
    }
}

impl Comparison {
    /// Compares some words.
    fn of(&self, words: &[SizedWord]) -> Result<Vec<Option<Difference>>, CommandError> {
        let texts = self.other.texts(self.set, words)?;
        Ok(words.iter().zip(texts).map(|(&word, other)| self.one(word, other)).collect())
    }

    /// Compares a word with the text of the other program.
    fn one(&self, word: SizedWord, other: Option<OtherText>) -> Option<Difference> {
        let found = |kind, own: String, other: &str| {
            Some(Difference { word, kind, own, other: other.to_owned() })
        };
        let (opcode, OtherText { address, text }) = match (self.set.decode(word), other) {
            (Err(_), None) => return None,
            (Err(error), Some(other)) => {
                return found(DifferenceKind::Undecoded, error.to_string(), &other.text);
            }
            (Ok(opcode), None) => {
                return found(
                    DifferenceKind::Rejected,
                    self.text(opcode, word.word, 0),
                    "(rejected)",
                );
            }
            (Ok(opcode), Some(other)) => (opcode, other),
        };
        let own = self.text(opcode, word.word, address);
        if own != text {
            return found(DifferenceKind::Text, own, &text);
        }
        if self.style.prints_addresses() && opcode.targets(word.word, address).next().is_some() {
            return None;
        }
        let statement = format!("{text};");
        let site = InstructionContext::new(address, &());
        match self.set.tables.parse_next(&mut Cursor::in_context(&statement, &site)) {
            Ok(Some(Parsed::Instruction { word: parsed, .. }))
                if parsed == self.expected(opcode, word.word) =>
            {
                None
            }
            Ok(Some(parsed)) => {
                let digits = usize::from(word.bits).div_ceil(4);
                found(
                    DifferenceKind::OtherWord,
                    own,
                    &format!("{text} = {:0digits$x}", parsed.word()),
                )
            }
            Ok(None) => found(DifferenceKind::Unparsed, own, &text),
            Err(error) => found(DifferenceKind::Unparsed, own, &format!("{text}: {error}")),
        }
    }

    /// Returns the own text of a word.
    fn text(&self, opcode: &'static Opcode, word: u128, address: u64) -> String {
        let mut line = Line::new();
        let site = InstructionContext::new(address, &()).style(self.style);
        opcode.print_at(word, site, &mut line);
        normalized(line.as_str())
    }

    /// Returns the word to which the text of a word assembles. If the style has no attributes, they have
    /// their defaults.
    fn expected(&self, opcode: &'static Opcode, word: u128) -> u128 {
        match self.style.prints_attributes() {
            true => opcode.written(word),
            false => opcode.written(opcode.without_attributes(word)),
        }
    }

    /// Returns a difference of the same kind in a simpler word: as many fields as possible have their
    /// default, or are 0.
    fn shrunk(&self, found: Difference) -> Result<Difference, CommandError> {
        let mut best = found;
        while let Ok(opcode) = self.set.decode(best.word) {
            let word = best.word.word;
            let simpler = opcode.fields.iter().filter_map(|field| {
                let value = usual(field.init).filter(|value| *value != field.get(word))?;
                Some(SizedWord { word: field.set(word, value), ..best.word })
            });
            let is_same = |word: &SizedWord| {
                self.set.decode(*word).is_ok_and(|other| core::ptr::eq(other, opcode))
            };
            let simpler: Vec<SizedWord> = simpler.filter(is_same).collect();
            let mut found = self.of(&simpler)?.into_iter().flatten();
            match found.find(|found| found.kind == best.kind) {
                Some(found) => best = found,
                None => break,
            }
        }
        Ok(best)
    }
}
