//! The command `explain`: what each bit of a word means.

use std::fmt::Write as _;
use std::io::{Read, Write};

use isa_core::asm::{Line, Parsed};
use isa_core::explain::{FieldPart, Part};
use isa_core::table::{Access, Init, Opcode};

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::describe;
use super::input::Input;
use super::list;
use super::program::{self, Whole};
use super::set::{NoInstruction, Set, Word};
use super::source::{self, Visitor};
use super::tool::Profile;
use super::words;

/// The arguments.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) subject: Subject,
    pub(super) json: bool,
}

/// What is explained.
#[derive(Debug, PartialEq)]
pub(super) enum Subject {
    /// Words in hexadecimal; `-` or none at all stands for those of standard input.
    Words(Vec<String>),
    /// Instructions as text.
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
    let mut out = Explanations { set, json, stdout, text: String::new(), count: 0 };
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
                    "-" => out.read(Input::new("<stdin>", &mut *stdin), console)?,
                    word => out.take_argument(word, words.len() > 1, console)?,
                }
            }
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

/// The words of a text.
fn words_of(profile: &Profile, text: &str, console: &mut Console<'_>) -> Result<Vec<Word>, Stop> {
    let (set, input) = (profile.set, Input::new("<asm>", text.as_bytes()));
    if Whole::is_needed(profile) {
        let whole = Whole::read(profile, input, 0, console)?;
        let statements = whole.program.statements.iter();
        return Ok(statements.flat_map(|it| program::words(set, whole.bytes_of(it))).collect());
    }
    let mut words = Words(Vec::new());
    source::read_file(set, input, &mut words, console)?;
    Ok(words.0.into_iter().map(|word| Word { word, bits: set.0.bits }).collect())
}

/// Explanations on their way to standard output.
struct Explanations<'o> {
    set: Set,
    json: bool,
    stdout: &'o mut dyn Write,
    text: String,
    /// How many there are.
    count: usize,
}

/// How much is written at a time.
const BLOCK: usize = 64 << 10;

impl Explanations<'_> {
    /// Explains the words of a file.
    fn read(&mut self, input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let read =
            words::read_text(self.set, input, words::From::Text, console, |found, _, console| {
                self.take(found.word, true, console)
            });
        self.flush()?;
        read
    }

    /// Explains a word of the command line.
    fn take_argument(
        &mut self,
        text: &str,
        is_one_of_many: bool,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        match words::parse_word(self.set, text) {
            Ok(word) => self.take(word, is_one_of_many, console),
            Err(bad) => {
                let mut chunk = Chunk::whole("<word>", text);
                let help = vec![];
                let span = bad.span;
                console.report(&chunk.diagnostic("bad-word", span, bad.title, bad.label, help));
                Ok(())
            }
        }
    }

    /// Explains a word; one that is no instruction is an error.
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
        let result = match self.json {
            true => explain_json(self.set, word, &mut self.text),
            false => explain(self.set, word, &mut self.text),
        };
        if let Err(error) = result {
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

/// Appends the explanation of a word, legal or not.
fn explain(set: Set, word: Word, text: &mut String) -> Result<(), NoInstruction> {
    let mut line = Line::new();
    let result = set.print(word, &mut line);
    let _ = writeln!(text, "{line}\nword    {}", word.digits());
    let opcode = match &result {
        Ok(()) => set.decode(word).ok(),
        Err(error) => {
            let _ = writeln!(text, "illegal {error}");
            let nearest = error.closest();
            if let Some(opcode) = nearest {
                let _ = writeln!(text, "nearest opcode {}:", opcode.name);
            }
            nearest
        }
    };
    if let Some(opcode) = opcode {
        describe_parts(opcode, word.word, text);
    }
    result
}

/// Appends the explanation of a word as a JSON object.
fn explain_json(set: Set, word: Word, text: &mut String) -> Result<(), NoInstruction> {
    let mut line = Line::new();
    let result = set.print(word, &mut line);
    let error = result.as_ref().err();
    let opcode = match error {
        None => set.decode(word).ok(),
        Some(error) => error.closest(),
    };
    *text += &describe::word(word, line.as_str(), opcode, error);
    text.push('\n');
    result
}

fn describe_parts(opcode: &'static Opcode, word: u128, text: &mut String) {
    let _ = writeln!(text, "opcode  {}", opcode.name);
    let _ = writeln!(text, "syntax  {}", list::syntax(opcode));
    for line in opcode.doc.lines() {
        let _ = writeln!(text, "        {}", line.trim());
    }
    text.push('\n');
    let mut parts: Vec<Part> = opcode.explain(word).collect();
    parts.reverse();
    let rows: Vec<[String; 4]> = parts.iter().map(row).collect();
    table(&rows, text);
    for exception in opcode.broken(word) {
        let _ = writeln!(
            text,
            "\nillegal {} ({}, declared in {}): {}",
            exception.condition, exception.class, exception.declared_in, exception.reason
        );
    }
}

/// Bits, field, raw value, meaning.
fn row(part: &Part) -> [String; 4] {
    let bits = match (part.high(), part.low()) {
        _ if part.piece.width == 0 => "none".into(),
        (high, low) if high == low => low.to_string(),
        (high, low) => format!("{high}..{low}"),
    };
    let raw = match &part.field {
        Some(field) if part.piece.width == 0 => format!("{:#x}", field.raw),
        _ => format!("{:#x}", part.bits),
    };
    match &part.field {
        Some(field) => [bits, name(field), raw, meaning(field)],
        None if part.is_legal() => [bits, "-".into(), raw, "unused".into()],
        None => [bits, "-".into(), raw, "ILLEGAL: unused bits must be 0".into()],
    }
}

fn name(part: &FieldPart) -> String {
    match part.field.pieces.len() {
        0 | 1 => part.field.name.into(),
        count => format!("{} ({} of {count})", part.field.name, part.piece + 1),
    }
}

/// What a field's value means, where it comes from, and what the instruction does with it.
fn meaning(part: &FieldPart) -> String {
    let field = part.field;
    let mut notes = vec![field.kind.name.to_owned()];
    if let Some(access) = part.access() {
        notes.push(
            match access {
                Access::Read => "read",
                Access::Write => "written",
                Access::ReadWrite => "read and written",
            }
            .into(),
        );
    }
    if part.is_fixed() {
        notes.push(format!("fixed by {}", field.declared_in));
    } else if part.is_default() {
        notes.push("default".into());
    }
    if let Some(value) = field.kind.value(part.raw).filter(|value| !value.also.is_empty()) {
        notes.push(format!("also read as {}", value.also.join(", ")));
    }
    if part.field.pieces.len() > 1 {
        notes.push(format!("{:#x} as a whole", part.raw));
    }
    let mut text = value(part);
    let _ = write!(text, "  ({})", notes.join(", "));
    if !part.doc().is_empty() {
        let _ = write!(text, ": {}", part.doc().trim());
    }
    text
}

/// The value as assembly text has it, or why it has none.
fn value(part: &FieldPart) -> String {
    let field = part.field;
    match field.init {
        Init::Fixed(value) if value != part.raw => {
            let named = field.kind.value(value).map_or("", |value| value.name);
            format!("ILLEGAL: must be {value:#x} {named}").trim_end().into()
        }
        _ if !field.kind.admits(part.raw) => "ILLEGAL: reserved value".into(),
        _ => {
            let mut line = Line::new();
            part.meaning(&mut line);
            line.to_string()
        }
    }
}

/// Rows in columns; the last column is free.
fn table(rows: &[[String; 4]], text: &mut String) {
    let width = |column: usize, title: &str| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([title.len()]).max().unwrap_or_default()
    };
    let titles = ["bits", "field", "raw", "meaning"].map(String::from);
    let [bits, field, raw] = [0, 1, 2].map(|column| width(column, &titles[column]));
    for [a, b, c, d] in core::iter::once(&titles).chain(rows) {
        let _ = writeln!(text, "{a:>bits$}  {b:field$}  {c:>raw$}  {d}");
    }
}
