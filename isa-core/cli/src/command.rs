//! The definition of the commands, used by the command-line parser, the help texts, the shell
//! completions and the manual page.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use isa_core::machine::RegisterFile;
use std::ffi::OsString;

#[cfg(feature = "import")]
use super::import;
#[cfg(feature = "lsp")]
use super::lsp;
use super::machine::{Simulator, titles};
use super::set::hex_digits;
use super::settings::{mask, sample_mask};
use super::tool::Profile;
use super::{diff, dis, export, grammar, list, manual, object, random, verify};

/// The layout of a help text.
const HELP: &str = "{about}.\n\nusage: {usage}\n\n{all-args}{after-help}\n";

/// The values of `--color`, which the argument parser also uses.
pub(super) const COLORS: [&str; 3] = ["auto", "always", "never"];

/// The note in the help text if there is no language server.
const NO_SERVER: &str = match cfg!(feature = "lsp") {
    true => "",
    false => "There is no `lsp`: the tool is built without its feature `lsp`, for editors.\n\n",
};

/// Returns the definition of the whole command line.
pub(super) fn tool(profile: &Profile) -> Command {
    let name = profile.name;
    let exec = profile.machine.as_ref().map(|machine| exec(profile, machine));
    let mut commands = vec![asm(profile), dis(profile), explain(profile), explain_error(name)];
    commands.extend(exec);
    commands.extend([
        list::command(name),
        random::command(name),
        verify::command(name),
        grammar::command(name),
    ]);
    #[cfg(feature = "lsp")]
    commands.push(lsp::command(name));
    commands.extend([manual::command(name), export::command(name), diff::command(name)]);
    #[cfg(feature = "import")]
    commands.push(import::command(name));
    commands.extend([completions(name), man(name)]);
    let without = match profile.machine {
        Some(_) => "",
        None => "There is no `exec`: the tool has no machine for the instructions.\n\n",
    };
    let without = format!("{without}{NO_SERVER}");
    let tool = Command::new(name)
        .about(profile.about())
        .help_template("{about}.\n\nusage: {usage}\n\n{subcommands}\n\n{options}{after-help}\n")
        .override_usage(format!("{name} COMMAND [ARGUMENTS]"))
        .after_help(format!(
            "{without}`{name} COMMAND --help` has the options of a command.\n\n\
             Exit status: 0 fine, 1 the input has errors or a file cannot be read or written,\n\
             2 the command line is wrong. Diagnostics go to standard error. They are coloured on a\n\
             terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb says otherwise; CLICOLOR_FORCE\n\
             colours them anywhere, and --color overrules all of these.",
        ))
        .subcommand_required(true)
        .propagate_version(true)
        .args_override_self(true)
        .arg(
            choice("color", COLORS.to_vec(), "When diagnostics are coloured: auto (default), always, never")
                .value_name("WHEN")
                .global(true),
        );
    let commands = commands.into_iter();
    let commands = commands.map(|command| command.help_template(HELP).args_override_self(true));
    match profile.version {
        Some(version) => tool.version(version),
        None => tool.propagate_version(false),
    }
    .subcommands(commands)
}

/// If the set has words of several widths, returns the help about words that consist of several tokens,
/// and otherwise an empty text.
fn in_parts(profile: &Profile) -> String {
    let Some(narrow) = profile.set.widths().next().filter(|_| profile.set.word_bytes().is_none())
    else {
        return String::new();
    };
    format!(
        "; {} digits are {narrow} bits, and a wider word may stand in several of them, its {} bits first",
        hex_digits(narrow),
        profile.set.first_digits()
    )
}

/// Returns the numbers of digits of the set's words, for help texts.
fn digits(profile: &Profile) -> String {
    list_of(profile.set.widths().map(|bits| hex_digits(bits).to_string()).collect(), "or")
}

/// Returns the numbers of bytes of the set's words, for help texts.
fn bytes(profile: &Profile) -> String {
    list_of(profile.set.widths().map(|bits| (bits / 8).to_string()).collect(), "or")
}

/// Joins items for a sentence: `a, b or c`.
fn list_of(mut items: Vec<String>, last_by: &str) -> String {
    match items.pop() {
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} {last_by} {last}", items.join(", ")),
        None => String::new(),
    }
}

/// Returns an option that accepts one of a few values, which its help names.
pub(super) fn choice(
    name: &'static str,
    values: impl Into<PossibleValuesParser>,
    help: &str,
) -> Arg {
    Arg::new(name)
        .long(name)
        .value_parser(values.into())
        .hide_possible_values(true)
        .help(wrapped(help))
}

/// The maximum number of characters in a line of help next to an option.
const WIDTH: usize = 68;

/// The maximum number of characters in a line of other text.
const FILLED: usize = 85;

/// Breaks a help text into lines. The parser could do this too, but it would need more crates.
pub(super) fn wrapped(text: &str) -> String {
    lines(text, WIDTH)
}

/// Breaks a text into lines that are shorter than `width` characters.
fn lines(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + word.len() >= width {
            lines.push('\n');
            column = 0;
        }
        if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

pub(super) fn flag(name: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(wrapped(help))
}

/// Returns FILE, a positional argument.
fn file(help: &str) -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped(help))
}

/// Returns `-o OUT`, the option for the output file.
pub(super) fn output() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("OUT")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped("Where to; - or none is standard output"))
}

/// Adds the options that all commands with error reports share.
fn diagnostics(command: Command) -> Command {
    command
        .arg(
            Arg::new("error-limit")
                .long("error-limit")
                .value_name("N")
                .allow_negative_numbers(true)
                .help(wrapped(
                    "Shows N errors, then how many more there are; 0 shows all (default 20)",
                )),
        )
        .arg(flag("json", "Errors on standard error as JSON, one object a line (keys below)"))
}

/// The help text about the keys of a diagnostic in JSON.
const KEYS: &str = "\
With --json each error is an object on a line of its own, with all of these keys, null where
there is no value:
  level           `error`, or `note` for the line that says how many errors there were
  code            the kind of the error, as in `unknown-modifier`; null where it has none
  message         what is wrong
  file            the name of the file; null where the error is about no file
  line, column    where it begins, from 1; a column is a character
  end_line, end_column   where it ends, behind the last character
  span            the bytes of the file, [start, end], from 0
  text            the line, or the part of a long one
  label           what is wrong with the marked text, or null
  help            what to write instead, a list";

fn asm(profile: &Profile) -> Command {
    let (name, digits, bytes) = (profile.name, digits(profile), bytes(profile));
    let (has_programs, first) = (profile.set.has_programs(), profile.set.first_byte());
    let start = if has_programs { " [--start-address ADDR]" } else { "" };
    let (elf, emitted, _) = object::texts(profile);
    let mut command = Command::new("asm")
        .about("Assembles text into words")
        .override_usage(format!("{name} asm [FILE] [--emit hex|bin|listing{elf}] [-o OUT]{start}"))
        .arg(file("The text; - or none is standard input"))
        .arg(
            choice(
                "emit",
                object::forms(profile),
                &format!(
                    "hex: one word a line, {digits} hexadecimal digits (default); bin: {bytes} bytes \
                     a word, the {first} first; listing: offset and word in a comment, then the \
                     instruction in canonical form, which assembles to the same words{emitted}"
                ),
            )
            .value_name("FORM"),
        )
        .arg(output())
        .after_help(format!(
            "If the text has an error, nothing is written and OUT stays as it is. A file keeps its\n\
             permissions, its owner and its links; a pipe, a device, /dev/stdout or /dev/fd/N is\n\
             written through.\n\n{KEYS}"
        ));
    if has_programs {
        command = command.arg(address(
            "The address of the first statement (default: that of a `.org` in front of all bytes, or 0)",
        ));
    }
    diagnostics(command)
}

fn dis(profile: &Profile) -> Command {
    let (name, bytes, most) = (profile.name, bytes(profile), hex_digits(profile.set.0.bits));
    let (parts, first) = (in_parts(profile), profile.set.first_byte());
    let has_targets = profile.set.0.has_targets();
    let labels = if has_targets { " [--labels]" } else { "" };
    let (elf, _, read) = object::texts(profile);
    let (styles, style) = dis::styles(has_targets);
    let mut command = Command::new("dis")
        .about("Disassembles words into text")
        .override_usage(format!(
            "{name} dis [FILE] [--from hex|bin|listing{elf}] [--strict] [--addresses] \
             [--start-address ADDR]{labels}\n           [--style {styles}]",
        ))
        .arg(file("The words; - or none is standard input"))
        .arg(
            choice(
                "from",
                object::forms(profile),
                &format!(
                    "hex: words of 1 to {most} hexadecimal digits between white space, 0x or not{parts} \
                     (default; a text that begins with a comment is taken for a listing); bin: {bytes} \
                     bytes a word, the {first} first; listing: the words in the comments that `{name} \
                     asm --emit listing` and `{name} dis --addresses` write, whatever stands behind them{read}"
                ),
            )
            .value_name("FORM"),
        )
        .arg(flag("strict", "A word that is no instruction is an error"))
        .arg(flag(
            "addresses",
            "Prints address and word in a comment before each instruction, as in a listing",
        ))
        .arg(style)
        .arg(address(
            "The address of the first word, hexadecimal with 0x or decimal; with \
             --addresses implied (default 0, or the addresses of a listing)",
        ))
        .after_help(format!(
            "One canonical instruction a line. A word that is no instruction becomes `.word` with\n\
             the reason in a comment, so that assembling the text gives the same words in any case.\n\
             Text that is no word, and bytes behind the last whole word, are errors: the words\n\
             before and behind are printed as they are read, all of them before the first error is\n\
             reported. With --strict an error means that nothing is printed.\n\n{KEYS}"
        ));
    if has_targets {
        command = command.arg(flag(
            "labels",
            "Names what targets lead to, and prints the words as one program, without addresses",
        ));
    }
    diagnostics(command)
}

fn address(help: &str) -> Arg {
    Arg::new("start-address")
        .long("start-address")
        .value_name("ADDR")
        .allow_negative_numbers(true)
        .help(wrapped(help))
}

fn explain(profile: &Profile) -> Command {
    let (name, most, parts) = (profile.name, hex_digits(profile.set.0.bits), in_parts(profile));
    let command = Command::new("explain")
        .about("Shows what each bit of a word means")
        .override_usage(format!(
            "{name} explain WORD... | {name} explain - | {name} explain --asm TEXT"
        ))
        .arg(
            Arg::new("word")
                .value_name("WORD")
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString))
                .help(wrapped(&format!(
                    "1 to {most} hexadecimal digits, 0x or not{parts}; - reads words from standard input, \
                     as `{name} dis` does, and so does no word at all, unless that is a terminal"
                ))),
        )
        .arg(
            Arg::new("asm").long("asm").value_name("TEXT").help(wrapped("One or more instructions as text")),
        )
        .after_help(format!(
            "For a word that is no instruction it names the nearest opcode and the reason, and\n\
             exits with 1.\n\n\
             With --json each word is an object on a line of its own:\n  \
             word, text      its digits, and its assembly text\n  \
             legal, reason   whether it is an instruction, and why it is none, or null\n  \
             opcode          its opcode, or the nearest; null if there is none\n  \
             mnemonic, syntax, doc   of that opcode\n  \
             parts           from the highest bit down: high, low (null of a field without bits),\n                  \
             field (null of unused bits), piece, raw, value (of the whole field), meaning,\n                  \
             kind, access (read, write, read-write or null), fixed_by, default, legal, doc\n  \
             exceptions      what the fields break: class, condition, declared_in, reason\n\n{KEYS}"
        ));
    diagnostics(command)
}

fn explain_error(name: &str) -> Command {
    Command::new("explain-error")
        .about("Explains an error of a specification")
        .override_usage(format!("{name} explain-error [CODE]"))
        .arg(Arg::new("code").value_name("CODE").value_parser(value_parser!(OsString)).help(
            wrapped("As in a message of define_isa!, ISA0014, or its number; none lists all codes"),
        ))
        .after_help("A code has its meaning, the usual causes, a wrong example and a right one.")
}

fn exec(profile: &Profile, machine: &Simulator) -> Command {
    let (name, samples) = (profile.name, profile.samples());
    let warp = profile.warp.as_ref();
    let steps = if machine.has_counter() { " [--steps N]" } else { "" };
    let option = if warp.is_some() { " [--warp]" } else { "" };
    let mut command = Command::new("exec")
        .about(match machine.has_counter() {
            true => "Executes a program",
            false => "Executes straight-line code",
        })
        .override_usage(format!(
            "{name} exec [FILE] [--set NAME=VALUE ...] [--trace]{option}{steps} | \
             {name} exec --jsonl [FILE]",
        ))
        .arg(file(object::program(profile)))
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .help(wrapped(&set_help(machine))),
        )
        .arg(flag("trace", "Prints each word as in a listing, with what it reads and writes"));
    if let Some(warp) = warp {
        command = command.arg(flag("warp", &warp_help(warp)));
    }
    if machine.has_counter() {
        command =
            command.arg(
                Arg::new("steps").long("steps").value_name("N").allow_negative_numbers(true).help(
                    wrapped("Stops with an error behind so many instructions (default 1000000)"),
                ),
            );
    }
    let order = titles(machine.files, RegisterFile::is_written).join(", ");
    let command = command
        .arg(flag("jsonl", "One request a line in, one answer a line out, in the same order"))
        .after_help(format!(
            "{}\n\n\
             A request is\n    \
             {}\n\
             State is optional; values are text as for --set, whole numbers, or true and false.\n\
             The answer is\n    \
             {}\n\
             {}\n\n{KEYS}",
            machine.placement() + &output_help(warp, &samples.written),
            samples.request,
            samples.answer,
            lines(
                &format!(
                    "with what was written ({order}, in ascending order), or {{\"error\": \"...\"}}. \
                     Empty lines have no answer. Errors in requests do not change the exit status."
                ),
                FILLED
            ),
        ));
    diagnostics(command)
}

/// Returns the help text of `--set`.
fn set_help(machine: &Simulator) -> String {
    let files = machine.files.0;
    let names = files.iter().map(RegisterFile::all).collect::<Vec<_>>().join(", ");
    let names = list_of(names.split(", ").map(str::to_owned).collect(), "or");
    let flags = files.iter().find(|file| file.is_flags());
    let (zero, truths) = match flags {
        Some(file) => ("0 or false", format!(" {}s take true, false, 1, 0.", file.one())),
        None => ("0", String::new()),
    };
    let end = if truths.is_empty() { "." } else { ";" };
    format!(
        "Gives {names} a first value, others are {zero}; hexadecimal with 0x, or \
         decimal{end}{truths} Several settings may follow, each for another place",
    )
}

/// Returns the help text of `--warp`.
fn warp_help(warp: &Simulator) -> String {
    let (files, lanes) = (warp.files.0, warp.lanes);
    let own = files.iter().filter(|file| !file.is_common());
    let own = own.map(|file| format!("{}s", file.one().rsplit(' ').next().unwrap_or_default()));
    let (own, common) =
        (list_of(own.collect(), "and"), titles(warp.files, RegisterFile::is_common));
    let common = list_of(common, "and");
    let flag = files.iter().find(|file| file.is_flags());
    let masks = flag.map_or(String::new(), |file| {
        format!("; a {} takes a mask too, 0x and bit 0 for lane 0", file.one())
    });
    format!(
        "Executes in {lanes} lanes, each with {own} of its own; {common} are common to all. A value \
         is one for all lanes, {lanes} with commas between, lane 0 first, or `lane`, the lane's \
         number{masks}. A trace has what each word writes"
    )
}

/// Small numbers as words.
const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/// Returns the help text about the registers and flags that `exec` prints at the end.
fn output_help(warp: Option<&Simulator>, written: &str) -> String {
    let Some(warp) = warp else {
        return format!("Prints what was written: `{written}`.");
    };
    let number = warp.lanes.div_ceil(8);
    let number = NUMBERS.get(number).map_or_else(|| number.to_string(), ToString::to_string);
    let mut own = warp.files.0.iter().filter(|file| !file.is_common());
    let rows = own.clone().find(|file| !file.is_flags()).map_or("", RegisterFile::one);
    let masks = own.find(|file| file.is_flags()).map_or(String::new(), |file| {
        let sample = mask(warp.lanes, sample_mask(warp.lanes));
        format!(", a {} is a mask: `{}0 = {sample}`", file.one(), file.title())
    });
    let text = format!(
        "Prints what was written: `{written}`. With --warp, a {rows} is its name and {number} lines \
         of eight lanes{masks}."
    );
    lines(&text, FILLED)
}

fn completions(name: &str) -> Command {
    let shells = vec!["bash", "zsh", "fish", "powershell", "elvish"];
    Command::new("completions")
        .about("Prints the completions of a shell")
        .override_usage(format!("{name} completions bash|zsh|fish|powershell|elvish"))
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(PossibleValuesParser::new(shells))
                .help(wrapped("The shell")),
        )
        .after_help(format!(
            "For example, in bash: {name} completions bash > \
             ~/.local/share/bash-completion/completions/{name}",
        ))
}

fn man(name: &str) -> Command {
    Command::new("man")
        .about("Prints the manual page")
        .override_usage(format!("{name} man"))
        .after_help(format!(
            "For example: {name} man > ~/.local/share/man/man1/{name}.1, then: man {name}"
        ))
}
