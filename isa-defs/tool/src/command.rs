//! The commands of the tool as the parser of the command line, the help texts, the shell
//! completions and the manual page have them.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use std::ffi::OsString;

/// How a help text is laid out.
const HELP: &str = "{about}.\n\nusage: {usage}\n\n{all-args}{after-help}\n";

/// Names of commands and of options with values, which the reader of the arguments needs too.
pub(super) const COLORS: [&str; 3] = ["auto", "always", "never"];

/// The tool.
pub(super) fn tool() -> Command {
    let commands = [asm(), dis(), explain(), explain_error(), exec(), list(), completions(), man()];
    Command::new("isa")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Assembles, disassembles, explains and executes GPU instructions")
        .help_template("{about}.\n\nusage: {usage}\n\n{subcommands}\n\n{options}{after-help}\n")
        .override_usage("isa COMMAND [ARGUMENTS]")
        .after_help(
            "`isa COMMAND --help` has the options of a command.\n\n\
             Exit status: 0 fine, 1 the input has errors or a file cannot be read or written,\n\
             2 the command line is wrong. Diagnostics go to standard error. They are coloured on a\n\
             terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb says otherwise; CLICOLOR_FORCE\n\
             colours them anywhere, and --color overrules all of these.",
        )
        .subcommand_required(true)
        .propagate_version(true)
        .args_override_self(true)
        .arg(
            choice("color", COLORS.to_vec(), "When diagnostics are coloured: auto (default), always, never")
                .value_name("WHEN")
                .global(true),
        )
        .subcommands(commands.map(|command| command.help_template(HELP).args_override_self(true)))
}

/// An option with one of a few values, which its help names.
fn choice(name: &'static str, values: Vec<&'static str>, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_parser(PossibleValuesParser::new(values))
        .hide_possible_values(true)
        .help(wrapped(help))
}

/// The most characters of a line of help beside an option.
const WIDTH: usize = 68;

/// A help text in lines: the parser's own way to break them needs more crates.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + word.len() >= WIDTH {
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

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(wrapped(help))
}

/// FILE, a positional argument.
fn file(help: &'static str) -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .help(wrapped(help))
}

/// The options of all commands that report errors in their input.
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

/// What an object of a diagnostic has, for help texts.
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

fn asm() -> Command {
    let command = Command::new("asm")
        .about("Assembles text into words")
        .override_usage("isa asm [FILE] [--emit hex|bin|listing] [-o OUT]")
        .arg(file("The text; - or none is standard input"))
        .arg(
            choice(
                "emit",
                vec!["hex", "bin", "listing"],
                "hex: one word a line, 32 hexadecimal digits (default); bin: 16 bytes a word, the \
                 lowest first; listing: offset and word in a comment, then the instruction in \
                 canonical form, which assembles to the same words",
            )
            .value_name("FORM"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("OUT")
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::FilePath)
                .help(wrapped("Where to; - or none is standard output")),
        )
        .after_help(format!(
            "If the text has an error, nothing is written and OUT stays as it is. A file keeps its\n\
             permissions, its owner and its links; a pipe, a device, /dev/stdout or /dev/fd/N is\n\
             written through.\n\n{KEYS}"
        ));
    diagnostics(command)
}

fn dis() -> Command {
    let command = Command::new("dis")
        .about("Disassembles words into text")
        .override_usage(
            "isa dis [FILE] [--from hex|bin|listing] [--strict] [--addresses] \
             [--start-address ADDR]",
        )
        .arg(file("The words; - or none is standard input"))
        .arg(
            choice(
                "from",
                vec!["hex", "bin", "listing"],
                "hex: words of 1 to 32 hexadecimal digits between white space, 0x or not \
                 (default; a text that begins with a comment is taken for a listing); bin: 16 bytes a \
                 word, the lowest first; listing: the words in the comments that `isa asm --emit \
                 listing` and `isa dis --addresses` write, whatever stands behind them",
            )
            .value_name("FORM"),
        )
        .arg(flag("strict", "A word that is no instruction is an error"))
        .arg(flag(
            "addresses",
            "Prints address and word in a comment before each instruction, as in a listing",
        ))
        .arg(
            Arg::new("start-address")
                .long("start-address")
                .value_name("ADDR")
                .allow_negative_numbers(true)
                .help(wrapped("The address of the first word, hexadecimal with 0x or decimal; with \
                     --addresses implied (default 0, or the addresses of a listing)")),
        )
        .after_help(format!(
            "One canonical instruction a line. A word that is no instruction becomes `.word` with\n\
             the reason in a comment, so that assembling the text gives the same words in any case.\n\
             Text that is no word, and bytes behind the last whole word, are errors: the words\n\
             before and behind are printed as they are read, all of them before the first error is\n\
             reported. With --strict an error means that nothing is printed.\n\n{KEYS}"
        ));
    diagnostics(command)
}

fn explain() -> Command {
    let command = Command::new("explain")
        .about("Shows what each bit of a word means")
        .override_usage("isa explain WORD... | isa explain - | isa explain --asm TEXT")
        .arg(
            Arg::new("word")
                .value_name("WORD")
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString))
                .help(wrapped("1 to 32 hexadecimal digits, 0x or not; - reads words from standard input, \
                     as `isa dis` does, and so does no word at all, unless that is a terminal")),
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

fn explain_error() -> Command {
    Command::new("explain-error")
        .about("Explains an error of a specification")
        .override_usage("isa explain-error [CODE]")
        .arg(Arg::new("code").value_name("CODE").value_parser(value_parser!(OsString)).help(
            wrapped("As in a message of define_isa!, ISA0014, or its number; none lists all codes"),
        ))
        .after_help("A code has its meaning, the usual causes, a wrong example and a right one.")
}

fn exec() -> Command {
    let command = Command::new("exec")
        .about("Executes straight-line code")
        .override_usage(
            "isa exec [FILE] [--set NAME=VALUE ...] [--trace] [--warp] | isa exec --jsonl [FILE]",
        )
        .arg(file("The text; - or none is standard input"))
        .arg(
            Arg::new("set").long("set").value_name("NAME=VALUE").action(ArgAction::Append).help(wrapped("Gives R0..R254, UR0..UR62, P0..P6 or c[BANK][OFFSET] a first value, others are 0 \
                 or false; hexadecimal with 0x, or decimal; predicates take true, false, 1, 0. \
                 Several settings may follow; of two for one place the later counts")),
        )
        .arg(flag("trace", "Prints each word as in a listing, with what it reads and writes"))
        .arg(flag(
            "warp",
            "Executes in 32 lanes, each with registers and predicates of its own; UR and c are \
             common to all. A value is one for all lanes, 32 with commas between, lane 0 first, \
             or `lane`, the lane's number; a predicate takes a mask too, 0x and bit 0 for lane 0. \
             A trace has what each word writes",
        ))
        .arg(flag("jsonl", "One request a line in, one answer a line out, in the same order"))
        .after_help(format!(
            "Prints what was written: `R0 = 0x40004000`. With --warp, a general register is its\n\
             name and four lines of eight lanes, a predicate is a mask: `P0 = 0x0000ffff`.\n\n\
             A request is\n    \
             {{\"asm\": \"HADD2 R0, R1, R2;\", \"state\": {{\"R1\": \"0x3c003c00\", \"P0\": true}}}}\n\
             State is optional; values are text as for --set, whole numbers, or true and false.\n\
             The answer is\n    \
             {{\"state\": {{\"R0\": \"0x40004000\"}}}}\n\
             with what was written (R, UR, P, in ascending order), or {{\"error\": \"...\"}}. Empty\n\
             lines have no answer. Errors in requests do not change the exit status.\n\n{KEYS}"
        ));
    diagnostics(command)
}

fn list() -> Command {
    Command::new("list")
        .about("Lists every opcode with its syntax")
        .override_usage("isa list [PATTERN...] [--json]")
        .arg(Arg::new("pattern").value_name("PATTERN").action(ArgAction::Append).help(wrapped(
            "Lists only opcodes with this in their name or mnemonic, in either case; with * \
                 (any text) and ? (any character) it stands for a whole name",
        )))
        .arg(flag("json", "Each opcode as a JSON object on a line of its own (keys below)"))
        .after_help(
            "One opcode a line. Parts in braces can be left out; an operand is written as\n\
             field:kind.\n\n\
             With --json an object has name, mnemonic, syntax, doc, bits (the width of the word),\n\
             mask and value (the fixed bits of the word), and fields: name, kind, bits (a list of\n\
             [high, low], the field's low bits last), access (read, write, read-write or null),\n\
             fixed and default (a number or null).",
        )
}

fn completions() -> Command {
    let shells = vec!["bash", "zsh", "fish", "powershell", "elvish"];
    Command::new("completions")
        .about("Prints the completions of a shell")
        .override_usage("isa completions bash|zsh|fish|powershell|elvish")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(PossibleValuesParser::new(shells))
                .help(wrapped("The shell")),
        )
        .after_help(
            "For example, in bash: isa completions bash > ~/.local/share/bash-completion/completions/isa",
        )
}

fn man() -> Command {
    Command::new("man")
        .about("Prints the manual page")
        .override_usage("isa man")
        .after_help("For example: isa man > ~/.local/share/man/man1/isa.1, then: man isa")
}
