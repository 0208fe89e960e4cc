//! The command `dis`, which disassembles words to text.
//!
//! It prints words while it reads them, and reports all errors at the end. With `--strict` it prints
//! nothing until the whole input is known to be valid. Until then it stores the words and not their
//! text, because a word needs a third of the memory of its text.

mod printer;

use std::ffi::OsString;
use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command};
use isa_core::table::Item;
use isa_core::text::Style;

use crate::CommandError;
use crate::console::Console;
use crate::elf;
use crate::input::words::{self, LocatedWord, WordFormat, check_bytes};
use crate::input::{Chunk, Input};
use crate::output::Spool;
use crate::profile::Profile;
use crate::set::{SizedWord, ToolSet, hex_digits};

use super::arguments::{
    DIAGNOSTIC_KEYS, byte_counts, choice, elf_help, file_argument, flag, split_words_help,
    start_address_option, with_diagnostic_options, word_formats,
};
use super::values::{is_set, path, start_address, texts, word_format};
use super::{Streams, Subcommand};
use printer::{Addresses, Printer, Records};

/// The command `dis`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DisCommand {
    input: Option<OsString>,
    from: WordFormat,
    strict: bool,
    /// Whether addresses are printed.
    addresses: bool,
    /// The address of the first word.
    start: Option<u64>,
    /// Whether targets are printed as labels.
    labels: bool,
    /// The style of the text.
    style: Style,
}

impl Subcommand for DisCommand {
    const NAME: &'static str = "dis";

    fn definition(profile: &Profile) -> Option<Command> {
        let (name, bytes, most) =
            (profile.name, byte_counts(profile), hex_digits(profile.set.tables.bits));
        let (parts, first) = (split_words_help(profile), profile.set.first_byte());
        let has_targets = profile.set.tables.has_targets();
        let labels = if has_targets { " [--labels]" } else { "" };
        let (elf, _, read) = elf_help(profile);
        let (styles, style) = style_option(profile);
        let mut command = Command::new(Self::NAME)
            .about("Disassembles words into instructions")
            .override_usage(format!(
                "{name} dis [FILE] [--from hex|bin|listing{elf}] [--strict] [--addresses] \
                 [--start-address ADDR]{labels}\n           [--style {styles}]",
            ))
            .arg(file_argument("The file with the words; - or no FILE means standard input"))
            .arg(
                choice(
                    "from",
                    word_formats(profile),
                    &format!(
                        "hex: words of 1 to {most} hexadecimal digits separated by white space, with or without 0x{parts} \
                         (default; input that begins with a comment is parsed as a listing); bin: {bytes} \
                         bytes per word, {first}; listing: the words in the comments that `{name} \
                         asm --emit listing` and `{name} dis --addresses` write; text after the comments is ignored{read}"
                    ),
                )
                .value_name("FORM"),
            )
            .arg(flag("strict", "Reports an error for a word that is not a valid instruction"))
            .arg(flag(
                "addresses",
                "Prints the address and the word in a comment before each instruction, as in a listing",
            ))
            .arg(style)
            .arg(start_address_option(
                "The address of the first word, decimal or hexadecimal with 0x; implies \
                 --addresses (default 0, or the addresses of a listing)",
            ))
            .after_help(format!(
                "Prints one canonical instruction per line. A word that is not a valid instruction becomes\n\
                 `.word` with the reason in a comment, so the output always assembles to the same words.\n\
                 Input that is not a word, and bytes after the last complete word, are errors. They are\n\
                 reported after all other words are printed. With --strict, nothing is printed if there\n\
                 is an error.\n\n{DIAGNOSTIC_KEYS}"
            ));
        if has_targets {
            command = command.arg(flag(
                "labels",
                "Prints the words as one program, without addresses, and with labels for targets",
            ));
        }
        Some(with_diagnostic_options(command))
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let start = start_address(matches)?;
        let (labels, styles) = (is_set(matches, "labels"), texts(matches, "style"));
        let has_targets = styles.iter().any(|style| style == "targets");
        Ok(DisCommand {
            input: path(matches, "file"),
            from: word_format(matches),
            strict: matches.get_flag("strict"),
            addresses: matches.get_flag("addresses") || start.is_some() || has_targets && !labels,
            start,
            labels,
            style: number_style(&styles),
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        streams.stop_progress_on_terminal();
        let Streams { stdin, stdout, console, .. } = streams;
        let set = profile.set;
        let mut input = Input::open(self.input.as_ref(), stdin)?;
        // No text begins with these bytes, but binary words may.
        let is_object = self.from == WordFormat::Text && input.begins_with(elf::MAGIC, console)?;
        if is_object || self.from == WordFormat::Elf {
            let DisCommand { strict, addresses, start, style, .. } = *self;
            let listing = elf::ListingOptions { strict, addresses, start, style };
            return elf::list(profile, &listing, input, stdout, console);
        }
        if self.labels {
            return print_program(set, self, input, stdout, console);
        }
        let addresses = match self.start {
            _ if !self.addresses => Addresses::None,
            None if self.from != WordFormat::Bin => Addresses::Each,
            start => Addresses::From(start.unwrap_or_default()),
        };
        let records = Records::new(set, addresses);
        let mut words = WordPipeline {
            set,
            records,
            strict: self.strict,
            offset: addresses.first(),
            held: Spool::default(),
            printer: Printer::new(stdout, set, records, addresses).style(self.style),
        };
        if !self.strict {
            console.hold_reports("all valid input is printed");
        }
        let read = words.read(input, self.from, console);
        let WordPipeline { held, mut printer, .. } = words;
        if self.strict {
            read?;
            if console.errors() > 0 {
                return Err(CommandError::Reported);
            }
            let printed = held.read_back(|words| printer.take(words));
            return printed.and_then(|()| printer.finish()).map_err(CommandError::printing);
        }
        let printed = printer.finish().map_err(CommandError::printing);
        read.and(printed)?;
        if console.errors() > 0 { Err(CommandError::Reported) } else { Ok(()) }
    }
}

/// Returns the values of `--style` for the usage line, and the option.
pub(super) fn style_option(profile: &Profile) -> (String, Arg) {
    let tables = profile.set.tables;
    let (mut names, mut help) = (vec!["hex"], "hex: numbers in hexadecimal".to_owned());
    if tables.has_targets() {
        names.push("targets");
        help += "; targets: if a target has no label, prints its address instead of the distance; implies \
                 --addresses without --labels, because `asm` parses a plain number as a distance";
    }
    let is_attribute = |item: &Item| matches!(item, Item::Tags(_));
    if tables.opcodes.iter().any(|opcode| opcode.syntax.after.iter().any(is_attribute)) {
        names.push("no-settings");
        help += "; no-settings: leaves out the attributes after the operands, which `asm` then sets to \
                 their defaults";
    }
    let styles = names.join(",");
    let style = choice("style", names, &help).value_name("STYLE");
    (styles, style.value_delimiter(',').action(ArgAction::Append))
}

/// Returns the style that consists of the options in `names`.
pub(super) fn number_style(names: &[String]) -> Style {
    names.iter().fold(Style::new(), |style, name| match name.as_str() {
        "targets" => style.addresses(),
        "no-settings" => style.without_attributes(),
        _ => style.hexadecimal(),
    })
}

/// Prints all words with labels for the targets among them.
fn print_program(
    set: ToolSet,
    command: &DisCommand,
    input: Input<'_>,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), CommandError> {
    let (mut code, name) = (Vec::new(), input.name.clone());
    if !command.strict {
        console.hold_reports("all valid input is printed");
    }
    let strict = command.strict;
    let read = match command.from {
        WordFormat::Bin => words::read_stream(set, input, console, |word, offset, console| {
            if strict {
                check_bytes(set, word, offset, &name, console);
            }
            code.extend(&set.bytes_of(word)[..word.bytes()]);
            Ok(())
        }),
        from => words::read_text(set, input, from, console, |found, chunk, console| {
            if strict {
                check_found(set, found, chunk, console);
            }
            code.extend(&set.bytes_of(found.word)[..found.word.bytes()]);
            Ok(())
        }),
    };
    if !strict || console.errors() == 0 {
        let origin = command.start.unwrap_or_default();
        let text = set.disassembler().origin(origin).style(command.style);
        let text = text.disassemble(&code);
        stdout.write_all(text.as_bytes()).map_err(CommandError::printing)?;
    }
    read?;
    if console.errors() > 0 { Err(CommandError::Reported) } else { Ok(()) }
}

/// The stage between the input and the printer, which adds addresses to the words.
struct WordPipeline<'o> {
    set: ToolSet,
    records: Records,
    strict: bool,
    /// The address of the next word without an explicit address.
    offset: u64,
    /// With `strict`, all words that were read. They are printed when all of them are known to be valid
    /// instructions.
    held: Spool,
    printer: Printer<'o>,
}

impl WordPipeline<'_> {
    fn read(
        &mut self,
        input: Input<'_>,
        from: WordFormat,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        if from == WordFormat::Bin {
            return self.read_binary(input, console);
        }
        words::read_text(self.set, input, from, console, |found, chunk, console| {
            if self.strict && !check_found(self.set, found, chunk, console) {
                return Ok(());
            }
            self.put_found(found)
        })
    }

    fn read_binary(
        &mut self,
        input: Input<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        let name = input.name.clone();
        if let Records::Plain(width) = self.records {
            return words::read_binary(width, input, console, |words, offset, console| {
                if self.strict {
                    let offsets = (0..).map(|index: u64| offset + index * width as u64);
                    for (offset, word) in offsets.zip(words.chunks_exact(width)) {
                        check_bytes(self.set, self.set.word_of(word), offset, &name, console);
                    }
                }
                self.put(words)
            });
        }
        words::read_stream(self.set, input, console, |word, offset, console| {
            if self.strict {
                check_bytes(self.set, word, offset, &name, console);
            }
            self.put_word(word, None)
        })
    }

    #[inline]
    fn put_found(&mut self, found: &LocatedWord) -> Result<(), CommandError> {
        match self.records {
            Records::Plain(width) => self.put(&self.set.bytes_of(found.word)[..width]),
            Records::Full => {
                let address = found.address.filter(|_| self.printer.addresses == Addresses::Each);
                self.put_word(found.word, address)
            }
        }
    }

    /// Adds a word at an address, or after the last word.
    fn put_word(&mut self, word: SizedWord, address: Option<u64>) -> Result<(), CommandError> {
        let address = address.unwrap_or(self.offset);
        self.offset = address.wrapping_add(word.bytes() as u64);
        self.put(&Records::full(word, address))
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        match self.strict {
            true => self.held.put(bytes),
            false => self.printer.take(bytes).map_err(CommandError::printing),
        }
    }
}

/// Returns whether a word in a text is a valid instruction, and reports an invalid one.
fn check_found(
    set: ToolSet,
    found: &LocatedWord,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
) -> bool {
    let Err(error) = set.decode(found.word) else { return true };
    let title = format!("invalid instruction: {error}");
    let span = found.span.clone();
    console.report(&chunk.diagnostic("no-instruction", span, title, String::new(), vec![]));
    false
}
