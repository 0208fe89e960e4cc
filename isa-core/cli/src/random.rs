//! The command `random`, which prints valid instructions and programs as tests for other tools.

use std::ffi::OsString;
use std::io::{BufWriter, Write};

use clap::{Arg, ArgAction, ArgMatches, Command as Parser};
use isa_core::table::Opcode;
use isa_core::text::Line;
use isa_verify::Generator;
use isa_verify::generate::Instruction;

use super::Stop;
use super::args::{number, text, texts};
use super::command::{choice, flag, output, wrapped};
use super::list;
use super::output::Output;
use super::set::Word;
use super::tool::Profile;

/// The arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Options {
    /// The number of instructions.
    count: u64,
    seed: u64,
    /// The patterns that select opcodes. Without a pattern, all opcodes are used.
    only: Vec<String>,
    /// The patterns with their weights.
    weights: Vec<(String, u32)>,
    form: Form,
    /// Whether targets refer to instructions in the output, which then have labels.
    program: bool,
    output: Option<OsString>,
}

/// The output format of instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Asm,
    Hex,
    Bin,
}

/// The maximum number of instructions in a program, which is created completely in memory.
const LONGEST: u64 = 1_000_000;

/// Returns the definition of the command line.
pub(super) fn command(name: &str) -> Parser {
    Parser::new("random")
        .about("Prints random legal instructions")
        .override_usage(format!(
            "{name} random [--count N] [--seed S] [--only PATTERN ...] [--weight PATTERN=N ...]\n       \
             [--program] [--as asm|hex|bin] [-o OUT]"
        ))
        .arg(numeric("count", "How many instructions (default 10)"))
        .arg(numeric("seed", "Another seed, other instructions; the same seed, the same (default 1)"))
        .arg(several("only", "PATTERN", &format!(
            "Only opcodes with this in their name or mnemonic, as for `{name} list`; may stand \
             several times"
        )))
        .arg(several(
            "weight",
            "PATTERN=N",
            "Opcodes that fit are N times as frequent; 0 leaves them out. Of several that fit the \
             last counts",
        ))
        .arg(flag("program", "One program: most targets lead to one of its instructions, by a label"))
        .arg(
            choice(
                "as",
                vec!["asm", "hex", "bin"],
                "asm: text, an instruction a line (default); hex: words as `asm` prints them; bin: \
                 bytes",
            )
            .value_name("FORM"),
        )
        .arg(output())
        .after_help(format!(
            "Values at the edges of fields and plain instructions, most of whose modifiers are left\n\
             out, are more frequent than by chance. What other tools make of it shows how they agree:\n    \
             {name} random --count 100000 --as bin | other-disassembler\n\
             A program begins at address 0x1000 and has at most {LONGEST} instructions."
        ))
}

/// Returns an option whose value is a number.
pub(super) fn numeric(name: &'static str, help: &str) -> Arg {
    let value = if name == "seed" { "S" } else { "N" };
    Arg::new(name).long(name).value_name(value).allow_negative_numbers(true).help(wrapped(help))
}

/// Returns an option that may appear several times.
fn several(name: &'static str, value: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(wrapped(help))
}

/// Parses the arguments.
pub(super) fn options(found: &ArgMatches) -> Result<Options, Stop> {
    let weights = texts(found, "weight").into_iter().map(|text| {
        let parts = text.rsplit_once('=');
        let weight = parts.and_then(|(pattern, number)| {
            Some((pattern.to_owned(), number.parse().ok().filter(|_| !pattern.is_empty())?))
        });
        let wrong = || Stop::Usage(format!("--weight takes PATTERN=N, not `{text}`"));
        weight.ok_or_else(wrong)
    });
    let options = Options {
        count: number(found, "count")?.unwrap_or(10),
        seed: number(found, "seed")?.unwrap_or(1),
        only: texts(found, "only"),
        weights: weights.collect::<Result<_, _>>()?,
        form: match text(found, "as") {
            Some("hex") => Form::Hex,
            Some("bin") => Form::Bin,
            _ => Form::Asm,
        },
        program: found.get_flag("program"),
        output: found.try_get_one::<OsString>("output").ok().flatten().cloned(),
    };
    if options.program && options.count > LONGEST {
        let message =
            format!("a program has at most {LONGEST} instructions, not {}", options.count);
        return Err(Stop::Usage(message));
    }
    Ok(options)
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let generator = generator(profile, options)?;
    match options.output.as_deref().filter(|path| *path != "-") {
        Some(path) => {
            let mut output = Output::open(Some(path))?;
            print(profile, options, generator, |bytes| output.put(bytes))?;
            output.commit(stdout)
        }
        None => {
            // The instructions are written as they are created, because a user should not have to
            // wait for the last of a billion.
            let mut output = BufWriter::with_capacity(1 << 16, stdout);
            let put = |bytes: &[u8]| output.write_all(bytes).map_err(Stop::printing);
            print(profile, options, generator, put)?;
            output.flush().map_err(Stop::printing)
        }
    }
}

/// Creates the instructions and passes them to `put`.
fn print(
    profile: &Profile,
    options: &Options,
    mut generator: Generator,
    mut put: impl FnMut(&[u8]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut text = Line::new();
    let each = |one: Instruction| {
        if options.form == Form::Bin {
            return put(&one.bytes(profile.set.0));
        }
        line(profile, one, options.form, &mut text);
        put(text.as_bytes())
    };
    let count = usize::try_from(options.count).unwrap_or(usize::MAX);
    match options.form {
        Form::Asm if options.program => put(generator.program(count).text().as_bytes()),
        _ if options.program => {
            generator.program(count).instructions.into_iter().try_for_each(each)
        }
        _ => generator.take(count).try_for_each(each),
    }
}

/// Creates a generator for the selected opcodes.
fn generator(profile: &Profile, options: &Options) -> Result<Generator, Stop> {
    let chosen = list::chosen(profile, &options.only)?;
    let mut weights: Vec<(&'static Opcode, u32)> =
        chosen.into_iter().map(|opcode| (opcode, 1)).collect();
    for (pattern, weight) in &options.weights {
        let meant = list::chosen(profile, core::slice::from_ref(pattern))?;
        for (opcode, known) in &mut weights {
            if meant.iter().any(|meant| core::ptr::eq(*meant, *opcode)) {
                *known = *weight;
            }
        }
    }
    if weights.iter().all(|(_, weight)| *weight == 0) {
        return Err(Stop::Usage("all opcodes have the weight 0".to_owned()));
    }
    let weight = |opcode: &'static Opcode| {
        let known = weights.iter().find(|(known, _)| core::ptr::eq(*known, opcode));
        known.map_or(0, |(_, weight)| *weight)
    };
    Ok(Generator::new(profile.set.0, options.seed).weigh(weight))
}

/// Formats the line of an instruction.
fn line(profile: &Profile, one: Instruction, form: Form, text: &mut Line) {
    let word = Word { word: one.word, bits: one.opcode.bits };
    text.clear();
    match form {
        Form::Asm if profile.set.reads_back(one.opcode, word) => one.opcode.print(one.word, text),
        // If the text would assemble to a different word, the word is printed as data, as by `dis`.
        Form::Asm => profile.set.print_data(word, text),
        Form::Hex | Form::Bin => word.print_hex(text),
    }
    text.push(b'\n');
}
