//! `isa exec --warp`: runs straight-line code in 32 lanes and prints what it wrote.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::asm::{Line, Parsed};
use isa_core::error::DecodeError;
use isa_core::machine::{
    ConstMemory, GeneralRegs, Lane, Predicates, State, UniformRegs, Warp as Machine,
};

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::exec;
use super::input::Input;
use super::location::{self, Location, Value};
use super::output::Output;
use super::set::{self, WORD_BYTES};
use super::source::{self, Visitor};

/// The lanes of a warp.
const LANES: usize = 32;

type Warp<'c> = Machine<'c, LANES>;

/// The arguments.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) settings: Vec<(Location, Lanes)>,
    pub(super) trace: bool,
}

/// The first value of a place in each lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lanes([Value; LANES]);

impl Lanes {
    /// Reads one value for all lanes, one for each, `lane`, or the mask of a predicate.
    pub(super) fn parse(location: Location, text: &str) -> Result<Lanes, String> {
        let wrong = |reason: String| format!("{location}: {reason}");
        let is_common = matches!(location, Location::UniformReg(_) | Location::Const { .. });
        let is_pred = matches!(location, Location::Pred(_));
        match text {
            _ if is_common && (text == "lane" || text.contains(',')) => {
                Err(wrong("this is common to all lanes and takes one value".into()))
            }
            "lane" if is_pred => Err(wrong("a predicate cannot hold the number of a lane".into())),
            "lane" => Ok(Lanes(core::array::from_fn(|lane| Value::Word(lane as u32)))),
            _ if text.contains(',') => Lanes::list(location, text),
            _ if is_pred && text.starts_with("0x") => {
                let mask = location::word(text).map_err(wrong)?;
                Ok(Lanes(core::array::from_fn(|lane| Value::Truth(mask >> lane & 1 == 1))))
            }
            _ => match location.parse_value(text) {
                Ok(value) => Ok(Lanes([value; LANES])),
                Err(reason) if is_pred => Err(format!("{reason}, and no mask such as 0x0000ffff")),
                Err(reason) => Err(reason),
            },
        }
    }

    /// One value for each lane.
    fn list(location: Location, text: &str) -> Result<Lanes, String> {
        let texts = text.split(',').map(str::trim).enumerate();
        let values: Vec<Value> = texts
            .map(|(lane, text)| {
                location.value(text).map_err(|reason| format!("{location}, lane {lane}: {reason}"))
            })
            .collect::<Result<_, _>>()?;
        let count = values.len();
        let values = values.try_into().map_err(|_| {
            format!("{location}: these are {count} values; give one for all lanes, or {LANES}")
        })?;
        Ok(Lanes(values))
    }
}

pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let input = Input::open(options.input.as_ref(), stdin)?;
    let banks = banks(&options.settings);
    let mut executor = Executor {
        warp: Warp::new(),
        written: BTreeSet::new(),
        trace: options.trace,
        output: Output::stdout(),
        offset: 0,
    };
    for (number, bank) in (0..).zip(&banks) {
        executor.warp.set_bank(number, bank);
    }
    for (location, lanes) in &options.settings {
        executor.set(*location, lanes);
    }
    source::read_file(input, &mut executor, console)?;
    let text = executor.show(&executor.written.clone(), "");
    if executor.trace && !text.is_empty() {
        executor.output.put(b"\n")?;
    }
    executor.output.put(text.as_bytes())?;
    executor.output.commit(stdout)
}

/// The bytes of constant memory as far as it is set.
fn banks(settings: &[(Location, Lanes)]) -> [Vec<u8>; State::BANKS] {
    let mut banks = [const { Vec::new() }; State::BANKS];
    for (location, Lanes(values)) in settings {
        let (Location::Const { bank, offset }, Value::Word(word)) = (location, values[0]) else {
            continue;
        };
        let (bank, from) = (&mut banks[usize::from(*bank)], *offset as usize);
        bank.resize(bank.len().max(from + 4), 0);
        bank[from..from + 4].copy_from_slice(&word.to_le_bytes());
    }
    banks
}

struct Executor<'c> {
    warp: Warp<'c>,
    /// What any lane wrote: R, UR, P, each in ascending order.
    written: BTreeSet<Location>,
    trace: bool,
    output: Output,
    /// The byte that the next word begins at.
    offset: u64,
}

impl Visitor for Executor<'_> {
    fn visit(
        &mut self,
        statement: &Parsed,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        let word = statement.word();
        match self.execute(word) {
            Err(error) => exec::refuse(&error, statement, chunk, console),
            Ok(written) => {
                if self.trace {
                    self.print_trace(word, &written)?;
                }
                self.written.extend(written);
            }
        }
        self.offset += WORD_BYTES as u64;
        Ok(())
    }
}

impl Executor<'_> {
    /// Gives a place its first value.
    fn set(&mut self, location: Location, Lanes(values): &Lanes) {
        for (lane, &value) in values.iter().enumerate() {
            let mut lane = self.warp.lane(lane);
            match (location, value) {
                (Location::Reg(number), Value::Word(word)) => lane.set_reg(number, word),
                (Location::UniformReg(number), Value::Word(word)) => {
                    lane.set_uniform_reg(number, word);
                }
                (Location::Pred(number), Value::Truth(truth)) => lane.set_pred(number, truth),
                // Constants are in the banks; other values are of the place's own kind.
                _ => {}
            }
        }
    }

    /// Executes a word in all lanes, and says what they wrote.
    fn execute(&mut self, word: u128) -> Result<BTreeSet<Location>, DecodeError> {
        let mut written = BTreeSet::new();
        for lane in 0..LANES {
            set::execute(word, &mut Probe { lane: self.warp.lane(lane), written: &mut written })?;
            // A lane writes all that the word names as outputs, or nothing.
            if !written.is_empty() {
                break;
            }
        }
        set::execute_warp(word, &mut self.warp)?;
        Ok(written)
    }

    /// The word and what it wrote.
    fn print_trace(&mut self, word: u128, written: &BTreeSet<Location>) -> Result<(), Stop> {
        let mut line = Line::new();
        exec::print_listed(self.offset, word, &mut line);
        let mut text = self.show(written, "    ");
        if text.is_empty() {
            text = "    writes nothing\n".into();
        }
        self.output.put(format!("{line}\n{text}").as_bytes())
    }

    /// Places with what they hold, on lines that begin with `indent`.
    fn show(&mut self, places: &BTreeSet<Location>, indent: &str) -> String {
        let mut text = String::new();
        for &place in places {
            text += &match place {
                Location::Reg(number) => {
                    format!("{indent}{place}\n{}", table(&self.warp.row(number), indent))
                }
                Location::Pred(number) => {
                    let bit = |lane| u32::from(self.warp.lane(lane).pred(number)) << lane;
                    let mask: u32 = (0..LANES).map(bit).sum();
                    format!("{indent}{place} = {}\n", Value::Word(mask))
                }
                Location::UniformReg(number) => {
                    let word = self.warp.lane(0).uniform_reg(number);
                    format!("{indent}{place} = {}\n", Value::Word(word))
                }
                Location::Const { .. } => continue,
            };
        }
        text
    }
}

/// The values of a register, eight a line behind the number of the first lane.
fn table(row: &[u32; LANES], indent: &str) -> String {
    let mut text = String::new();
    for (line, values) in row.chunks(8).enumerate() {
        text += &format!("{indent}{:4} ", line * 8);
        for &value in values {
            text += &format!(" {}", Value::Word(value));
        }
        text.push('\n');
    }
    text
}

/// A lane as it is, which notes what would be written and keeps its values.
struct Probe<'w> {
    lane: Lane<'w, LANES>,
    written: &'w mut BTreeSet<Location>,
}

impl GeneralRegs for Probe<'_> {
    fn reg(&self, number: u8) -> u32 {
        self.lane.reg(number)
    }

    fn set_reg(&mut self, number: u8, _: u32) {
        self.written.insert(Location::Reg(number));
    }
}

impl UniformRegs for Probe<'_> {
    fn uniform_reg(&self, number: u8) -> u32 {
        self.lane.uniform_reg(number)
    }

    fn set_uniform_reg(&mut self, number: u8, _: u32) {
        self.written.insert(Location::UniformReg(number));
    }
}

impl Predicates for Probe<'_> {
    fn pred(&self, number: u8) -> bool {
        self.lane.pred(number)
    }

    fn set_pred(&mut self, number: u8, _: bool) {
        self.written.insert(Location::Pred(number));
    }
}

impl ConstMemory for Probe<'_> {
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        self.lane.const_word(bank, offset)
    }
}
