//! `isa dis`: from words to text.
//!
//! Words are printed as they are read, and errors are reported behind all of them. With `--strict`
//! the words are held back until the input is known to be right: they are a third as long as their
//! text.

use std::ffi::OsString;
use std::io::{Read, Write};

use super::Stop;
use super::console::Console;
use super::input::Input;
use super::printer::{Addresses, Printer};
use super::set::{self, WORD_BYTES};
use super::spool::Spool;
use super::words::{self, at_bytes, from_bytes};

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
}

pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let input = Input::open(options.input.as_ref(), stdin)?;
    let addresses = match options.start {
        _ if !options.addresses => Addresses::None,
        None if options.from != From::Bin => Addresses::Each,
        start => Addresses::From(start.unwrap_or_default()),
    };
    let mut words = Words {
        strict: options.strict,
        addresses,
        offset: 0,
        held: Spool::default(),
        printer: Printer::new(stdout, addresses),
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

/// Words between the input and the printer.
struct Words<'o> {
    strict: bool,
    addresses: Addresses,
    /// The address of the next word that comes without one.
    offset: u64,
    /// With `strict`, the words that were read, which are printed once all of them are known to be
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
            let name = input.name.clone();
            return words::read_binary(input, console, |words, offset, console| {
                if self.strict {
                    check(words, offset, &name, console);
                }
                self.put(words)
            });
        }
        words::read_text(input, from, console, |found, chunk, console| {
            if self.strict
                && let Err(error) = set::set().decode(found.word)
            {
                let title = format!("this is no instruction: {error}");
                let code = "no-instruction";
                let span = found.span.clone();
                console.report(&chunk.diagnostic(code, span, title, String::new(), vec![]));
                return Ok(());
            }
            let word = found.word.to_le_bytes();
            if self.addresses != Addresses::Each {
                return self.put(&word[..WORD_BYTES]);
            }
            let address = found.address.unwrap_or(self.offset);
            self.offset = address.wrapping_add(WORD_BYTES as u64);
            let address = u128::from(address).to_le_bytes();
            self.put(&address[..WORD_BYTES])?;
            self.put(&word[..WORD_BYTES])
        })
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        match self.strict {
            true => self.held.put(bytes),
            false => self.printer.take(bytes).map_err(Stop::printing),
        }
    }
}

/// Reports the words of a binary file that are no instructions.
fn check(words: &[u8], offset: u64, name: &str, console: &mut Console<'_>) {
    for (index, word) in words.as_chunks().0.iter().enumerate() {
        if let Err(error) = set::set().decode(from_bytes(word)) {
            let start = offset + (index * WORD_BYTES) as u64;
            let span = start..start + WORD_BYTES as u64;
            console.report(&at_bytes("no-instruction", name, span, &error));
        }
    }
}
