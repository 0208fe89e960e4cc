//! The command `explain`, which explains the meaning of each bit of a word.

use std::fmt::Write as _;
use std::io::{Read, Write};

use isa_core::parse::Parsed;

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::input::Input;
use super::program::{self, Whole};
use super::set::{Set, Word};
use super::source::{self, Visitor};
use super::tool::Profile;
use super::words::{self, Parts};

/// The arguments.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) subject: Subject,
    pub(super) json: bool,
}

/// The words or instructions to explain.
#[derive(Debug, PartialEq)]
pub(super) enum Subject {
    /// Words in hexadecimal. If the only argument is `-`, or if there is no argument, the words are
    /// read from standard input.
    Words(Vec<String>),
    /// Instructions as assembly text.
    Text(String),
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    (stdin, is_terminal): (&mut dyn Read, bool),
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    console.go_on("");
    let (set, json, name) = (profile.set, options.json, profile.name);
    let mut out = Explanations {
        set,
        json,
        stdout,
        text: String::new(),
        count: 0,
        parts: Parts::new(set),
        open: String::new(),
    };
    let nothing =
        |what: &str| Stop::Usage(format!("{what}\n`{name} explain --help` has the usage"));
    match &options.subject {
        Subject::Words(words) if words.is_empty() => {
            if !is_terminal {
                out.read(Input::new("<stdin>", stdin), console)?;
            }
            if out.count == 0 && console.errors() == 0 {
                return Err(nothing("a word is missing"));
            }
        }
        Subject::Words(words) => {
            for word in words {
                match word.as_str() {
                    "-" => {
                        out.give_up(console);
                        out.read(Input::new("<stdin>", &mut *stdin), console)?;
                    }
                    word => out.take_argument(word, words.len() > 1, console)?,
                }
            }
            out.give_up(console);
        }
        Subject::Text(text) => {
            let words = words_of(profile, text, console)?;
            if words.is_empty() {
                return Err(nothing("there is no instruction in the text"));
            }
            let many = words.len() > 1;
            words.into_iter().try_for_each(|word| out.take(word, many, console))?;
        }
    }
    out.flush()?;
    if console.errors() > 0 { Err(Stop::Reported) } else { Ok(()) }
}

/// Assembles a text and returns its words.
fn words_of(profile: &Profile, text: &str, console: &mut Console<'_>) -> Result<Vec<Word>, Stop> {
    let (set, input) = (profile.set, Input::new("<asm>", text.as_bytes()));
    if Whole::is_needed(profile) {
        let whole = Whole::read(profile, input, None, console)?;
        let statements = whole.program.statements.iter();
        return Ok(statements.flat_map(|it| program::words(set, whole.bytes_of(it))).collect());
    }
    let mut words = Words(Vec::new());
    source::read_file(set, input, &mut words, console)?;
    Ok(words.0.into_iter().map(|word| Word { word, bits: set.0.bits }).collect())
}

/// Writes explanations to standard output.
struct Explanations<'o> {
    set: Set,
    json: bool,
    stdout: &'o mut dyn Write,
    text: String,
    /// The number of explanations so far.
    count: usize,
    /// The parts of a word that several arguments specify, and the text of these arguments.
    parts: Parts,
    open: String,
}

/// The number of bytes written at a time.
const BLOCK: usize = 64 << 10;

impl Explanations<'_> {
    /// Explains the words in a file.
    fn read(&mut self, input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let read =
            words::read_text(self.set, input, words::From::Text, console, |found, _, console| {
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
    ) -> Result<(), Stop> {
        let token = words::parse_token(self.set, text);
        if !token.as_ref().is_ok_and(|token| self.parts.goes_on_with(*token)) {
            self.give_up(console);
        }
        match token.map(|token| self.parts.take(token)) {
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
        if self.parts.is_open() {
            let text = core::mem::take(&mut self.open);
            let (help, title) = (self.parts.help(), self.parts.give_up());
            let mut chunk = Chunk::whole("<word>", &text);
            let span = 0..text.len();
            console.report(&chunk.diagnostic("truncated", span, title, String::new(), help));
        }
    }

    /// Explains a word. An invalid instruction is an error.
    fn take(
        &mut self,
        word: Word,
        is_one_of_many: bool,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        if self.count > 0 && !self.json {
            self.text.push('\n');
        }
        self.count += 1;
        if let Err(error) = explain(self.set, word, self.json, &mut self.text) {
            let name = if is_one_of_many { format!("{:#x}", word.word) } else { "this".into() };
            let message = format!("{name} is no instruction: {error}");
            console.report_plain("no-instruction", &message);
        }
        if self.text.len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Stop> {
        let written = self.stdout.write_all(self.text.as_bytes());
        self.text.clear();
        written.and_then(|()| self.stdout.flush()).map_err(Stop::printing)
    }
}

/// Collects the words of a text.
struct Words(Vec<u128>);

impl Visitor for Words {
    fn visit(
        &mut self,
        statement: &Parsed,
        _: &mut Chunk<'_>,
        _: &mut Console<'_>,
    ) -> Result<(), Stop> {
        self.0.push(statement.word());
        Ok(())
    }
}

/// Appends the explanation of a word, valid or not. If the word is not a valid instruction, returns
/// the reason as an error.
fn explain(set: Set, word: Word, json: bool, text: &mut String) -> Result<(), String> {
    let explanation = set.0.explain_as(word.word, word.bits);
    let _ = match json {
        true => writeln!(text, "{}", explanation.json()),
        false => write!(text, "{}", explanation.text()),
    };
    explanation.reason.map_or(Ok(()), Err)
}
