//! The command `dis`, which disassembles words to text.
//!
//! It prints words while it reads them, and reports all errors at the end. With `--strict` it prints
//! nothing until the whole input is known to be valid. Until then it stores the words and not their
//! text, because a word needs a third of the memory of its text.

use std::ffi::OsString;
use std::io::{Read, Write};

use clap::{Arg, ArgAction};
use isa_core::text::Style;

use super::Stop;
use super::chunks::Chunk;
use super::command::choice;
use super::console::Console;
use super::elf;
use super::input::Input;
use super::object::MAGIC;
use super::printer::{Addresses, Printer, Records};
use super::set::{Set, Word};
use super::spool::Spool;
use super::tool::Profile;
use super::words::{self, Found, at_bytes};

pub(super) use super::words::From;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) from: From,
    pub(super) strict: bool,
    /// Whether addresses are printed.
    pub(super) addresses: bool,
    /// The address of the first word.
    pub(super) start: Option<u64>,
    /// Whether targets are printed as labels.
    pub(super) labels: bool,
    /// The style of numbers and targets.
    pub(super) style: Style,
}

/// Returns the values of `--style` for the usage line, and the option.
pub(super) fn styles(has_targets: bool) -> (&'static str, Arg) {
    let hex = "hex: numbers in hexadecimal";
    let (styles, names, help) = match has_targets {
        true => (
            "hex,targets",
            &["hex", "targets"][..],
            format!(
                "{hex}; targets: the addresses of targets that have no label, in place of their \
                 distances, with --addresses implied unless there is --labels: `asm` would \
                 take them for distances"
            ),
        ),
        false => ("hex", &["hex"][..], hex.to_owned()),
    };
    let style = choice("style", names.to_vec(), &help).value_name("STYLE");
    (styles, style.value_delimiter(',').action(ArgAction::Append))
}

/// Returns the style that consists of the options in `names`.
pub(super) fn style(names: &[String]) -> Style {
    names.iter().fold(Style::new(), |style, name| match name.as_str() {
        "targets" => style.addresses(),
        _ => style.hexadecimal(),
    })
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let set = profile.set;
    let mut input = Input::open(options.input.as_ref(), stdin)?;
    // No text begins with these bytes, but binary words may.
    let is_object = options.from == From::Text && input.begins_with(MAGIC, console)?;
    if is_object || options.from == From::Elf {
        return elf::list(profile, options, input, stdout, console);
    }
    if options.labels {
        return print_program(set, options, input, stdout, console);
    }
    let addresses = match options.start {
        _ if !options.addresses => Addresses::None,
        None if options.from != From::Bin => Addresses::Each,
        start => Addresses::From(start.unwrap_or_default()),
    };
    let records = Records::new(set, addresses);
    let mut words = Words {
        set,
        records,
        strict: options.strict,
        offset: addresses.first(),
        held: Spool::default(),
        printer: Printer::new(stdout, set, records, addresses).style(options.style),
    };
    if !options.strict {
        console.go_on("all that could be read is printed");
    }
    let read = words.read(input, options.from, console);
    let Words { held, mut printer, .. } = words;
    if options.strict {
        read?;
        if console.errors() > 0 {
            return Err(Stop::Reported);
        }
        let printed = held.read_back(|words| printer.take(words));
        return printed.and_then(|()| printer.finish()).map_err(Stop::printing);
    }
    let printed = printer.finish().map_err(Stop::printing);
    read.and(printed)?;
    if console.errors() > 0 { Err(Stop::Reported) } else { Ok(()) }
}

/// Prints all words with labels for the targets among them.
fn print_program(
    set: Set,
    options: &Options,
    input: Input<'_>,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let (mut code, name) = (Vec::new(), input.name.clone());
    if !options.strict {
        console.go_on("all that could be read is printed");
    }
    let strict = options.strict;
    let read = match options.from {
        From::Bin => words::read_stream(set, input, console, |word, offset, console| {
            if strict {
                check(set, word, offset, &name, console);
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
        let origin = options.start.unwrap_or_default();
        let text = set.disassembler().origin(origin).style(options.style);
        let text = text.disassemble(&code);
        stdout.write_all(text.as_bytes()).map_err(Stop::printing)?;
    }
    read?;
    if console.errors() > 0 { Err(Stop::Reported) } else { Ok(()) }
}

/// The stage between the input and the printer, which adds addresses to the words.
struct Words<'o> {
    set: Set,
    records: Records,
    strict: bool,
    /// The address of the next word that has no address of its own.
    offset: u64,
    /// With `strict`, all words that were read. They are printed when all of them are known to be valid
    /// instructions.
    held: Spool,
    printer: Printer<'o>,
}

impl Words<'_> {
    fn read(
        &mut self,
        input: Input<'_>,
        from: From,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        if from == From::Bin {
            return self.read_binary(input, console);
        }
        words::read_text(self.set, input, from, console, |found, chunk, console| {
            if self.strict && !check_found(self.set, found, chunk, console) {
                return Ok(());
            }
            self.put_found(found)
        })
    }

    fn read_binary(&mut self, input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let name = input.name.clone();
        if let Records::Plain(width) = self.records {
            return words::read_binary(width, input, console, |words, offset, console| {
                if self.strict {
                    let offsets = (0..).map(|index: u64| offset + index * width as u64);
                    for (offset, word) in offsets.zip(words.chunks_exact(width)) {
                        check(self.set, self.set.word_of(word), offset, &name, console);
                    }
                }
                self.put(words)
            });
        }
        words::read_stream(self.set, input, console, |word, offset, console| {
            if self.strict {
                check(self.set, word, offset, &name, console);
            }
            self.put_word(word, None)
        })
    }

    #[inline]
    fn put_found(&mut self, found: &Found) -> Result<(), Stop> {
        match self.records {
            Records::Plain(width) => self.put(&self.set.bytes_of(found.word)[..width]),
            Records::Full => {
                let address = found.address.filter(|_| self.printer.addresses == Addresses::Each);
                self.put_word(found.word, address)
            }
        }
    }

    /// Adds a word at an address, or after the last word.
    fn put_word(&mut self, word: Word, address: Option<u64>) -> Result<(), Stop> {
        let address = address.unwrap_or(self.offset);
        self.offset = address.wrapping_add(word.bytes() as u64);
        self.put(&Records::full(word, address))
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        match self.strict {
            true => self.held.put(bytes),
            false => self.printer.take(bytes).map_err(Stop::printing),
        }
    }
}

/// Returns whether a word in a text is a valid instruction, and reports an invalid one.
fn check_found(set: Set, found: &Found, chunk: &mut Chunk<'_>, console: &mut Console<'_>) -> bool {
    let Err(error) = set.decode(found.word) else { return true };
    let title = format!("this is no instruction: {error}");
    let span = found.span.clone();
    console.report(&chunk.diagnostic("no-instruction", span, title, String::new(), vec![]));
    false
}

/// Reports a word in a binary file if it is not a valid instruction.
pub(super) fn check(set: Set, word: Word, offset: u64, name: &str, console: &mut Console<'_>) {
    if let Err(error) = set.decode(word) {
        let span = offset..offset + word.bytes() as u64;
        console.report(&at_bytes("no-instruction", name, span, error.to_string()));
    }
}
