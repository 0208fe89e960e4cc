//! The help texts.

/// A command of the tool.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    about: &'static str,
    /// All long options, for near misses.
    pub(super) options: &'static [&'static str],
    /// What follows the usage line.
    details: &'static str,
}

/// What is printed behind a usage error.
pub(super) const SHORT: &str = "`isa --help` lists the commands";

/// All commands.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "asm",
        usage: "isa asm [FILE] [--emit hex|bin|listing] [-o OUT]",
        about: "Assembles text into words",
        options: &["--emit", "--output", "--help", "--version"],
        details: "\
\x20 FILE                the text; - or none is standard input
  --emit hex          one word a line, 32 hexadecimal digits (default)
  --emit bin          16 bytes a word, the lowest first
  --emit listing      offset and word in a comment, then the instruction in canonical form;
                      a listing assembles to the same words
  -o, --output OUT    where to; - or none is standard output

All errors of the text are reported. If there is one, nothing is written and OUT stays as it is.
",
    },
    Command {
        name: "dis",
        usage: "isa dis [FILE] [--from hex|bin] [--strict]",
        about: "Disassembles words into text",
        options: &["--from", "--strict", "--help", "--version"],
        details: "\
\x20 FILE                the words; - or none is standard input
  --from hex          words of 1 to 32 hexadecimal digits between white space, 0x or not (default)
  --from bin          16 bytes a word, the lowest first
  --strict            a word that is no instruction is an error

One canonical instruction a line. A word that is no instruction becomes `.word` with the reason
in a comment, so that assembling the text gives the same words in any case.
",
    },
    Command {
        name: "explain",
        usage: "isa explain WORD | isa explain --asm TEXT",
        about: "Shows what each bit of a word means",
        options: &["--asm", "--help", "--version"],
        details: "\
\x20 WORD                1 to 32 hexadecimal digits, 0x or not
  --asm TEXT          one or more instructions as text

For a word that is no instruction it names the nearest opcode and the reason, and exits with 1.
",
    },
    Command {
        name: "explain-error",
        usage: "isa explain-error [CODE]",
        about: "Explains an error of a specification",
        options: &["--help", "--version"],
        details: "\
\x20 CODE                as in a message of define_isa!, ISA0014, or its number; none lists all codes

A code has its meaning, the usual causes, a wrong example and a right one.
",
    },
    Command {
        name: "exec",
        usage: "isa exec [FILE] [--set NAME=VALUE ...] [--trace] [--warp] | isa exec --jsonl [FILE]",
        about: "Executes straight-line code",
        options: &["--set", "--trace", "--warp", "--jsonl", "--help", "--version"],
        details: "\
\x20 FILE                the text; - or none is standard input
  --set NAME=VALUE    gives R0..R254, UR0..UR62, P0..P6 or c[BANK][OFFSET] a first value, others
                      are 0 or false; hexadecimal with 0x, or decimal; predicates take true, false,
                      1, 0. Several settings may follow; of two for one place the later counts
  --trace             prints each word as in a listing, with what it reads and writes
  --warp              executes in 32 lanes, each with registers and predicates of its own; UR and
                      c are common to all. A value is one for all lanes, 32 with commas between,
                      lane 0 first, or `lane`, the lane's number; a predicate takes a mask
                      too, 0x and bit 0 for lane 0. A trace has what each word writes
  --jsonl             one request a line in, one answer a line out, in the same order

Prints what was written: `R0 = 0x40004000`. With --warp, a general register is its name and four
lines of eight lanes, a predicate is a mask: `P0 = 0x0000ffff`.

A request is
    {\"asm\": \"HADD2 R0, R1, R2;\", \"state\": {\"R1\": \"0x3c003c00\", \"P0\": true}}
State is optional; values are text as for --set, whole numbers, or true and false. The answer is
    {\"state\": {\"R0\": \"0x40004000\"}}
with what was written (R, UR, P, in ascending order), or {\"error\": \"...\"}. Empty lines have no
answer. Errors in requests do not change the exit status.
",
    },
    Command {
        name: "list",
        usage: "isa list",
        about: "Lists every opcode with its syntax",
        options: &["--help", "--version"],
        details: "\
One opcode a line. Parts in braces can be left out; an operand is written as field:kind.
",
    },
];

/// The help of a command.
pub(super) fn of(command: &Command) -> String {
    let Command { about, usage, details, .. } = command;
    format!("{about}.\n\nusage: {usage}\n\n{details}")
}

/// The help of the tool.
pub(super) fn main() -> String {
    let mut text = String::from(
        "Assembles, disassembles, explains and executes GPU instructions.\n\n\
         usage: isa COMMAND [ARGUMENTS]\n\n",
    );
    for Command { name, about, .. } in COMMANDS {
        text += &format!("  {name:13}  {about}\n");
    }
    text += "\n  -h, --help       this text; behind a command, its own\n  \
             -V, --version    the version\n\n\
             Exit status: 0 fine, 1 the input has errors or a file cannot be read or written,\n\
             2 the command line is wrong. Diagnostics go to standard error.\n";
    text
}

/// The version.
pub(super) fn version() -> String {
    concat!("isa ", env!("CARGO_PKG_VERSION"), "\n").into()
}
