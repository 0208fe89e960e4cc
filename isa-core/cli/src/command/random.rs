//! The command `random`, which prints valid instructions and programs as tests for other tools.

use std::ffi::OsString;
use std::io::{BufWriter, Write};

use clap::{ArgMatches, Command};
use isa_core::table::Opcode;
use isa_core::text::Line;
use isa_verify::Generator;
use isa_verify::generate::Instruction;

use crate::CommandError;
use crate::output::Output;
use crate::profile::Profile;
use crate::set::SizedWord;

use super::arguments::{choice, flag, number_option, output_option, repeated_option};
use super::list;
use super::values::{number, path, text, texts};
use super::{Streams, Subcommand};

/// The command `random`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RandomCommand {
    /// The number of instructions.
    count: u64,
    seed: u64,
    /// The patterns that select opcodes. Without a pattern, all opcodes are used.
    only: Vec<String>,
    /// The patterns with their weights.
    weights: Vec<(String, u32)>,
    format: InstructionFormat,
    /// Whether targets refer to instructions in the output, which then have labels.
    program: bool,
    output: Option<OsString>,
}

impl Subcommand for RandomCommand {
    const NAME: &'static str = "random";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Prints random valid instructions")
                .override_usage(format!(
                    "{name} random [--count N] [--seed S] [--only PATTERN ...] [--weight PATTERN=N ...]\n       \
                     [--program] [--as asm|hex|bin] [-o OUT]"
                ))
                .arg(number_option("count", "The number of instructions (default 10)"))
                .arg(number_option("seed", "The seed; the same seed prints the same instructions (default 1)"))
                .arg(repeated_option("only", "PATTERN", &format!(
                    "Only opcodes whose name or mnemonic matches PATTERN, as for `{name} list`; may be \
                     repeated"
                )))
                .arg(repeated_option(
                    "weight",
                    "PATTERN=N",
                    "Makes opcodes that match PATTERN N times as frequent; 0 excludes them. If several \
                     patterns match, the last one applies",
                ))
                .arg(flag("program", "Prints one program, in which most targets are labels of the program"))
                .arg(
                    choice(
                        "as",
                        vec!["asm", "hex", "bin"],
                        "asm: one instruction per line (default); hex: words as `{name} asm` prints them; bin: \
                         bytes",
                    )
                    .value_name("FORM"),
                )
                .arg(output_option())
                .after_help(format!(
                    "Boundary values of fields, and instructions with few modifiers, are more frequent than\n\
                     in uniformly random words. Use the output to test other tools, for example:\n    \
                     {name} random --count 100000 --as bin | other-disassembler\n\
                     A program starts at address 0x1000 and has at most {LONGEST} instructions."
                ))
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let weights = texts(matches, "weight").into_iter().map(|text| {
            let parts = text.rsplit_once('=');
            let weight = parts.and_then(|(pattern, number)| {
                Some((pattern.to_owned(), number.parse().ok().filter(|_| !pattern.is_empty())?))
            });
            let wrong = || {
                CommandError::Usage(format!(
                    "invalid value for --weight: expected PATTERN=N, found `{text}`"
                ))
            };
            weight.ok_or_else(wrong)
        });
        let command = RandomCommand {
            count: number(matches, "count")?.unwrap_or(10),
            seed: number(matches, "seed")?.unwrap_or(1),
            only: texts(matches, "only"),
            weights: weights.collect::<Result<_, _>>()?,
            format: match text(matches, "as") {
                Some("hex") => InstructionFormat::Hex,
                Some("bin") => InstructionFormat::Bin,
                _ => InstructionFormat::Asm,
            },
            program: matches.get_flag("program"),
            output: path(matches, "output"),
        };
        if command.program && command.count > LONGEST {
            let message = format!(
                "too many instructions for a program: expected at most {LONGEST}, found {}",
                command.count
            );
            return Err(CommandError::Usage(message));
        }
        Ok(command)
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let stdout = &mut *streams.stdout;
        let generator = generator(profile, &self.only, &self.weights, self.seed)?;
        match self.output.as_deref().filter(|path| *path != "-") {
            Some(path) => {
                let mut output = Output::open(Some(path))?;
                print(profile, self, generator, |bytes| output.put(bytes))?;
                output.commit(stdout)
            }
            None => {
                // The instructions are written as they are created, because a user should not have to
                // wait for the last of a billion.
                let mut output = BufWriter::with_capacity(1 << 16, stdout);
                let put = |bytes: &[u8]| output.write_all(bytes).map_err(CommandError::printing);
                print(profile, self, generator, put)?;
                output.flush().map_err(CommandError::printing)
            }
        }
    }
}

/// The output format of instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
enum InstructionFormat {
    Asm,
    Hex,
    Bin,
}

/// The maximum number of instructions in a program, which is created completely in memory.
const LONGEST: u64 = 1_000_000;

/// Creates the instructions and passes them to `put`.
fn print(
    profile: &Profile,
    command: &RandomCommand,
    mut generator: Generator,
    mut put: impl FnMut(&[u8]) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut text = Line::new();
    let each = |one: Instruction| {
        if command.format == InstructionFormat::Bin {
            return put(&one.bytes(profile.set.processor));
        }
        line(profile, one, command.format, &mut text);
        put(text.as_bytes())
    };
    let count = usize::try_from(command.count).unwrap_or(usize::MAX);
    match command.format {
        InstructionFormat::Asm if command.program => {
            put(generator.program(count).text().as_bytes())
        }
        _ if command.program => {
            generator.program(count).instructions.into_iter().try_for_each(each)
        }
        _ => generator.take(count).try_for_each(each),
    }
}

/// Creates a generator for the selected opcodes.
pub(super) fn generator(
    profile: &Profile,
    only: &[String],
    weighted: &[(String, u32)],
    seed: u64,
) -> Result<Generator, CommandError> {
    let chosen = list::chosen(profile, only)?;
    let mut weights: Vec<(&'static Opcode, u32)> =
        chosen.into_iter().map(|opcode| (opcode, 1)).collect();
    for (pattern, weight) in weighted {
        let meant = list::chosen(profile, core::slice::from_ref(pattern))?;
        for (opcode, known) in &mut weights {
            if meant.iter().any(|meant| core::ptr::eq(*meant, *opcode)) {
                *known = *weight;
            }
        }
    }
    if weights.iter().all(|(_, weight)| *weight == 0) {
        return Err(CommandError::Usage("all opcodes have weight 0".to_owned()));
    }
    let weight = |opcode: &'static Opcode| {
        let known = weights.iter().find(|(known, _)| core::ptr::eq(*known, opcode));
        known.map_or(0, |(_, weight)| *weight)
    };
    Ok(Generator::new(profile.set.processor, seed).weigh(weight))
}

/// Formats the line of an instruction.
fn line(profile: &Profile, one: Instruction, format: InstructionFormat, text: &mut Line) {
    let word = SizedWord { word: one.word, bits: one.opcode.width_of(one.word) };
    text.clear();
    match format {
        InstructionFormat::Asm if profile.set.reads_back(one.opcode, word) => {
            one.opcode.print(one.word, text)
        }
        // If the text would assemble to a different word, the word is printed as data, as by `dis`.
        InstructionFormat::Asm => profile.set.print_data(word, text),
        InstructionFormat::Hex | InstructionFormat::Bin => word.print_hex(text),
    }
    text.push(b'\n');
}
