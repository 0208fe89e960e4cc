//! Tests the command line tools of small sets. Each tool is one line: one for a set with its own
//! machine, one for a set without semantics, and one for a set with words of several widths.

use isa_cli::{Io, ProgramCode, Report, Status, Tool};
use isa_core::machine::{
    Counter, GeneralRegs, RecordedMemory, RecordedRegisters, Recorder, RegisterFile,
};

isa_core::named_state! {
    /// Four registers, a flag, a program counter, and memory.
    struct Cpu {
        const R: RecordedRegisters<u32> = RegisterFile::numbered("R", 4);
        const ODD: RecordedRegisters<bool> = RegisterFile::listed(&["odd"]).noun("flag");
        const PC: Counter = RegisterFile::listed(&["pc"]);
        const MEM: RecordedMemory = RegisterFile::memory("mem");
    }
}

impl GeneralRegs for Cpu {
    fn reg(&self, number: u8) -> u32 {
        self.state.read(Self::R, number)
    }
    fn set_reg(&mut self, number: u8, value: u32) {
        self.state.write(Self::R, number, value);
        self.state.write(Self::ODD, 0u8, value & 1 == 1);
    }
}

/// The methods of the machine that operands do not provide.
trait Rest: GeneralRegs {
    fn store(&mut self, address: u32, value: u32) -> Result<(), Odd>;
    fn branch(&mut self, condition: bool, target: i64);
}

impl Rest for Cpu {
    fn store(&mut self, address: u32, value: u32) -> Result<(), Odd> {
        if address % 2 == 1 {
            return Err(Odd(address));
        }
        self.state.store(Self::MEM, address.into(), 4, value.into());
        Ok(())
    }
    fn branch(&mut self, condition: bool, distance: i64) {
        if condition {
            self.state.jump(self.state.pc().wrapping_add_signed(distance));
        }
    }
}

/// The trap for an odd address.
#[derive(Debug, PartialEq)]
struct Odd(u32);

impl std::fmt::Display for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "odd address {:#x}", self.0)
    }
}

isa_core::define_isa! {
    /// Counts down and stores.
    isa Counting: u32;
    machine crate::Rest;
    trap crate::Odd;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Target: 16 = isa_core::operand::Relative<16, 2>;
    enum Op: 8 { ADD = 1, ST = 2, BNZ = 3 }

    /// Adds.
    opcode ADD {
        encoding  { field<0, 8> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax    { ADD Rd, Ra, Rb; }
        operands  { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        semantics { Rd = Ra.value.wrapping_add(Rb.value); }
        examples  { ADD R1, R2, R3; }
    }
    /// Stores.
    opcode ST {
        encoding  { field<0, 8> Op op == ST; field<8, 8> Reg ra; field<16, 8> Reg rb; }
        syntax    { ST "[" Ra "]", Rb; }
        operands  { InList<ra, rb>; Order<ra, rb>; }
        semantics(cpu: crate::Rest) { cpu.store(Ra.value, Rb.value)?; }
    }
    /// Branches if a register is not 0.
    opcode BNZ {
        encoding  { field<0, 8> Op op == BNZ; field<8, 8> Reg ra; field<16, 16> Target to; }
        syntax    { BNZ Ra, to; }
        operands  { InList<ra, to>; Order<ra, to>; }
        semantics(cpu: crate::Rest) { cpu.branch(Ra.value != 0, to.value); }
    }
}

fn counting() -> Tool<Counting> {
    Tool::new("counting").machine(Counting::executor::<Cpu>)
}

/// The set `bare`, which has no semantics.
mod bare {
    isa_core::define_isa! {
        /// An opcode without semantics.
        pub(super) isa Bare: u64;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Op: 8 = isa_core::operand::Unsigned<8>;
        opcode NOP { encoding { field<56, 8> Op op == 7; field<0, 8> Reg rd; } syntax { NOP Rd; } }
    }
}

fn bare() -> Tool<bare::Bare> {
    Tool::new("bare")
}

/// The set `mixed`, which has words of 16, 32 and 128 bits.
mod mixed {
    isa_core::define_isa! {
        /// Three widths.
        pub(super) isa Mixed: u16 | u32 | u128;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Length: 2 { SHORT = 0, MIDDLE = 1, LONG = 3 }
        opcode INC {
            encoding { word<16>; field<0, 2> Length length == SHORT; field<8, 8> Reg rd; }
            syntax { INC Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_add(1); }
        }
        opcode MOV {
            encoding {
                word<32>; field<0, 2> Length length == MIDDLE;
                field<16, 8> Reg rd; field<24, 8> Reg ra;
            }
            syntax { MOV Rd, Ra; }
            operands { InList<ra>; OutList<rd>; Order<rd, ra>; } semantics { Rd = Ra.value; }
        }
        opcode CLR {
            encoding { word<128>; field<0, 2> Length length == LONG; field<120, 8> Reg rd; }
            syntax { CLR Rd; }
            operands { OutList<rd>; Order<rd>; } semantics { Rd = 0; }
        }
    }
}

fn mixed() -> Tool<mixed::Mixed> {
    Tool::new("mixed").machine(mixed::Mixed::executor::<Recorder>)
}

/// The set `three`, which has words of three bytes, and a `.word` of two.
mod three {
    isa_core::define_isa! {
        /// Three bytes.
        pub(super) isa Three: u24;
        operand Op: 8 = isa_core::operand::Unsigned<8>;
        operand Imm: 16 = isa_core::operand::Unsigned<16>;
        opcode NOP { encoding { field<16, 8> Op op == 7; field<0, 16> Imm n; } syntax { NOP n; } }
    }
}

/// Returns the status, standard output and standard error of a run.
fn run<I: isa_core::Isa>(
    tool: &Tool<I>,
    args: &[&str],
    mut input: &[u8],
) -> (Status, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = tool.run(args, Io::of(&mut input, &mut out, &mut err));
    let [out, err] = [out, err].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (status, out, err)
}

/// Returns the output of a run that must succeed.
#[track_caller]
fn fine<I: isa_core::Isa>(tool: &Tool<I>, args: &[&str], input: impl AsRef<[u8]>) -> String {
    let (status, out, err) = run(tool, args, input.as_ref());
    assert_eq!((status, &*err), (Status::Success, ""), "{args:?}");
    out
}

/// Returns the diagnostics of a run that must fail and print nothing.
#[track_caller]
fn wrong<I: isa_core::Isa>(tool: &Tool<I>, args: &[&str], input: &str) -> String {
    let (status, out, err) = run(tool, args, input.as_bytes());
    assert!(status != Status::Success && out.is_empty(), "{args:?} {out}");
    err
}

const SUM: &str = "// 3 + 2 + 1, stored at 8
loop: ADD R1, R1, R0; ADD R0, R0, R2; BNZ R0, loop;
ST [R3], R1;";

#[test]
fn a_set_with_a_machine_of_its_own_has_every_command() {
    let tool = counting();
    let hex = fine(&tool, &["asm"], SUM);
    assert_eq!(hex, "00010101\n02000001\nfffe0003\n00010302\n");
    let listing = fine(&tool, &["asm", "--emit", "listing"], SUM);
    assert!(listing.contains("/* 00000008  fffe0003 */  BNZ R0, -8;\n"), "{listing}");
    assert_eq!(fine(&tool, &["asm"], &listing), hex);
    assert_eq!(fine(&tool, &["dis", "--addresses"], &hex), listing);
    let labels = fine(&tool, &["dis", "--labels", "--start-address", "0x100"], &hex);
    assert!(labels.starts_with("L_100:\n    ADD") && labels.contains("BNZ R0, L_100;"), "{labels}");
    assert_eq!(fine(&tool, &["asm"], labels), hex);
    let explained = fine(&tool, &["explain", "fffe0003"], "");
    assert!(explained.starts_with("BNZ R0, -8;\nword    0xfffe0003\nopcode  BNZ\n"), "{explained}");
    assert_eq!(fine(&tool, &["list"], "").lines().count(), 3);
    assert!(fine(&tool, &["man"], "").contains(".TH COUNTING"));
    assert!(fine(&tool, &["completions", "bash"], "").contains("_counting()"));
}

#[test]
fn a_machine_is_set_traced_and_shown_by_its_names() {
    let tool = counting();
    let args = ["exec", "--set", "R0=3", "R2=0xffffffff", "R3=8", "pc=0x40"];
    let written = "R0 = 0x00000000\nR1 = 0x00000006\nodd = false\npc = 0x0000000000000050\n\
        mem[0x8..0xc] = 0x00000006\n";
    assert_eq!(fine(&tool, &args, SUM), written);
    let trace = fine(&tool, &[&args[..], &["--trace"]].concat(), SUM);
    let branch = "/* 00000048  fffe0003 */  BNZ R0, -8;\n    reads   R0 = 0x00000002\n    \
        writes  pc = 0x0000000000000040\n";
    assert!(trace.contains(branch) && trace.ends_with(&format!("\n\n{written}")), "{trace}");
    assert_eq!(trace.matches("ADD R1, R1, R0;").count(), 3, "{trace}");
    let help = fine(&tool, &["exec", "--help"], "");
    assert!(
        help.contains(
            "is loaded and starts at pc. For example, --set pc=0x40 loads it\nat address 0x40.\n"
        ),
        "{help}"
    );
    let requests = r#"{"asm": "ST [R3], R1;", "state": {"R1": "0x1234", "R3": 6, "odd": true}}
{"asm": "ADD R1, R1, R1; ST [R1], R2;", "state": {"R3": 1, "mem[0x10..0x12]": 5}}
{"asm": "ADD R1, R1, R1; ST [R3], R2;", "state": {"R3": 1}}
{"asm": "ADD R9, R1;", "state": {}}
{"asm": "here: BNZ R1, here;", "state": {"R1": 1}}
{"asm": "", "state": {"R4": 1}}"#;
    let answers = fine(&tool, &["exec", "--jsonl"], requests);
    let expected = r#"{"state": {"mem[0x6..0x8]": "0x1234", "mem[0x8..0xa]": "0x0000"}}
{"state": {"R1": "0x00000000", "odd": false, "mem[0x0..0x4]": "0x00000000"}}
{"error": "asm:1:17: odd address 0x1"}
{"error": "asm:1:11: expected `,`, found `;`; the syntax is `ADD Rd, Ra, Rb;`"}
{"error": "asm:1:7: the program has not ended after 1000000 instructions"}
{"error": "there is no `R4`: expected R0 to R3"}
"#;
    assert_eq!(answers, expected);
}

#[test]
fn what_is_wrong_in_a_program_has_its_place() {
    let tool = counting();
    let error = wrong(&tool, &["exec", "--set", "R3=1"], SUM);
    for part in ["error: trap: odd address 0x1\n", "<stdin>:3:1\n", "^^^^"] {
        assert!(error.contains(part), "{error}");
    }
    let error = wrong(&tool, &["exec", "--steps", "2", "--set", "R0=1"], SUM);
    assert!(error.contains("after 2 instructions") && error.contains("<stdin>:2:39\n"), "{error}");
    let twice = "a: ADD R1, R1, R1;\na: BNZ R1, b; FOO;\n";
    let error = wrong(&tool, &["asm", "--json"], twice);
    let codes = ["\"label-twice\"", "\"operand\"", "\"unknown-mnemonic\"", "3 errors"];
    assert!(codes.iter().all(|code| error.contains(code)), "{error}");
    let error = wrong(&tool, &["asm"], ".byte 1, 2;");
    assert!(error.contains("error: 2 bytes of data do not form complete words\n"), "{error}");
    assert_eq!(fine(&tool, &["asm", "--emit", "bin"], ".byte 1, 2;"), "\u{1}\u{2}");
    assert_eq!(
        fine(&tool, &["asm"], ".byte 1, 2, 3, 4; .8byte 5;"),
        "04030201\n00000005\n00000000\n"
    );
    let error = wrong(&tool, &["exec", "--warp"], SUM);
    assert!(error.contains("unknown option `--warp`"), "{error}");
}

#[test]
fn a_set_without_semantics_has_all_but_exec() {
    let tool = bare();
    assert_eq!(fine(&tool, &["asm"], "NOP R5;"), "0700000000000005\n");
    assert_eq!(fine(&tool, &["dis"], "0700000000000005"), "NOP R5;\n");
    assert!(fine(&tool, &["explain", "0700000000000005"], "").contains("opcode  NOP\n"));
    let help = fine(&tool, &["--help"], "");
    let about = "Assembles, disassembles and explains instructions of Bare.\n";
    assert!(help.starts_with(about), "{help}");
    assert!(
        help.contains("\nThe command `exec` requires a machine, which this tool does not have."),
        "{help}"
    );
    assert!(!help.contains("Executes") && !help.contains("--version"), "{help}");
    for args in [&["exec"][..], &["exec", "--jsonl"], &["help", "exec"]] {
        assert!(wrong(&tool, args, "").contains("there is no `exec`"), "{args:?}");
    }
    assert!(!fine(&tool, &["man"], "").contains("BARE EXEC"));
}

#[test]
fn words_of_several_widths_keep_theirs() {
    let tool = mixed();
    let code = "INC R5; MOV R6, R5; CLR R7; .2byte 0x00fe; .4byte 0x00ff00fd;";
    let hex = "0500\n05060001\n07000000000000000000000000000003\n00fe\n00ff00fd\n";
    assert_eq!(fine(&tool, &["asm"], code), hex);
    let text = fine(&tool, &["dis"], hex);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["INC R5;", "MOV R6, R5;", "CLR R7;"]);
    assert!(lines[3].starts_with(".2byte 0x00fe; // "), "{text}");
    assert!(lines[4].starts_with(".4byte 0x00ff00fd; // "), "{text}");
    assert_eq!(fine(&tool, &["asm"], &text), hex);
    let listing = fine(&tool, &["asm", "--emit", "listing"], code);
    let blanks = " ".repeat(28);
    let second = format!("/* 00000002  05060001{} */  MOV R6, R5;\n", &blanks[4..]);
    assert!(listing.starts_with(&format!("/* 00000000  0500{blanks} */  INC R5;\n")), "{listing}");
    assert!(listing.contains(&second), "{listing}");
    assert_eq!(fine(&tool, &["asm"], &listing), hex);
    assert_eq!(fine(&tool, &["dis", "--addresses"], &listing), listing);
    // A number with more digits than the instruction's width is a different, wider word.
    let wide = fine(&tool, &["dis"], "00000500 500 5060001");
    assert!(
        wide.starts_with(".4byte 0x00000500; // expected an instruction of 32 bits, found one of"),
        "{wide}"
    );
    assert!(wide.ends_with("\nINC R5;\nMOV R6, R5;\n"), "{wide}");
    assert!(wrong(&tool, &["dis", "--strict"], "00000500").contains("invalid instruction"));
    let code = "INC R5; MOV R6, R5; CLR R5;";
    let written = "R5 = 0x00000000\nR6 = 0x00000002\n";
    assert_eq!(fine(&tool, &["exec", "--set", "R5=1"], code), written);
}

#[test]
fn words_may_stand_in_tokens_of_the_narrowest_width() {
    let tool = mixed();
    // The low half comes first, as in memory.
    let long = "0003 0000 0000 0000 0000 0000 0000 0700";
    let text = fine(&tool, &["dis"], format!("0500 0001\n0506\n{long}\n0x0001\t0X0506 0600"));
    assert_eq!(text, "INC R5;\nMOV R6, R5;\nCLR R7;\nMOV R6, R5;\nINC R6;\n");
    assert_eq!(fine(&tool, &["dis"], "00000003 00000000 00000000 07000000"), "CLR R7;\n");
    // A listing has one word in each line, whatever its first digits are.
    let listing = fine(&tool, &["dis"], "/* 00000000  0001 */\n/* 00000002  0500 */\n");
    assert!(
        listing.starts_with(".2byte 0x0001; // expected an instruction of 16 bits, found one of"),
        "{listing}"
    );
    assert!(listing.ends_with("\nINC R5;\n"), "{listing}");
    // Neither a word nor the start of a word.
    assert!(fine(&tool, &["dis"], "0002 0500").starts_with(".2byte 0x0002; // "));
    assert!(fine(&tool, &["dis"], "0101 0500").starts_with(".2byte 0x0101; // "));
    let explained = fine(&tool, &["explain", "0001", "0506"], "");
    assert!(explained.starts_with("MOV R6, R5;\nword    0x05060001\n"), "{explained}");
    // More text than the tool reads at once, so that some words are split between two chunks.
    let (hex, text) = ("0001\n0506\n0500\n", "MOV R6, R5;\nINC R5;\n");
    assert_eq!(fine(&tool, &["dis"], hex.repeat(40_000)), text.repeat(40_000));
    assert_eq!(fine(&tool, &["dis", "--strict"], hex.repeat(40_000)), text.repeat(40_000));
}

#[test]
fn a_word_whose_other_tokens_are_missing_is_cut_off() {
    let tool = mixed();
    let cut = "error: truncated word: expected 4 bytes, found 2\n";
    for (hex, text, place) in [
        ("0500\n 0001", "INC R5;\n", "2:2"),
        ("0001 05060001", "MOV R6, R5;\n", "1:1"),
        ("0001 500", "INC R5;\n", "1:1"),
        ("0001\n05g6\n0500", "INC R5;\n", "1:1"),
    ] {
        let (status, out, err) = run(&tool, &["dis"], hex.as_bytes());
        assert_eq!((status, &*out), (Status::Failure, text), "{hex:?}");
        assert!(err.contains(cut) && err.contains(&format!("<stdin>:{place}\n")), "{err}");
        assert!(wrong(&tool, &["dis", "--strict"], hex).contains(cut), "{hex:?}");
    }
    let help = "help: write all 8 digits together, or the low 4 digits followed by the others\n";
    assert!(wrong(&tool, &["explain", "0001"], "").contains(help));
    let (status, out, err) = run(&tool, &["explain", "0003", "0000", "00000500"], b"");
    assert!(status == Status::Failure && out.contains("00000500"), "{out}");
    let cut = "expected 16 bytes, found 4";
    assert!(err.contains(cut) && err.contains("0003 0000\n"), "{err}");
    let error = wrong(&tool, &["explain", "--json", "0001"], "");
    assert!(error.contains("\"truncated\""), "{error}");
    // The location of a truncated word is reported correctly even if it is far before the end of
    // the input.
    let far = format!("0500 \n0001{}", " ".repeat(300_000));
    let (_, out, err) = run(&tool, &["dis"], far.as_bytes());
    assert!(out == "INC R5;\n" && err.contains("<stdin>:2:1\n"), "{err}");
}

#[test]
fn binary_files_of_several_widths_are_streams() {
    let tool = mixed();
    let code = "INC R5; MOV R6, R5; CLR R7;\n".repeat(10_000);
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    let mut input = code.as_bytes();
    let io = Io::of(&mut input, &mut bytes, &mut errors);
    assert_eq!(tool.run(["asm", "--emit", "bin"], io), Status::Success);
    assert_eq!(bytes.len(), 220_000);
    let text = fine(&tool, &["dis", "--from", "bin"], &bytes);
    assert_eq!(text, code.replace("; ", ";\n"));
    assert_eq!(fine(&tool, &["dis", "--from", "bin", "--strict"], &bytes), text);
    let placed = fine(&tool, &["dis", "--from", "bin", "--start-address", "6"], &bytes);
    assert!(placed.lines().last().unwrap().starts_with("/* 00035b56  0700"), "{placed}");
    bytes.truncate(bytes.len() - 3);
    let (status, out, err) = run(&tool, &["dis", "--from", "bin"], &bytes);
    assert_eq!((status, out.lines().count()), (Status::Failure, 29_999));
    assert!(err.contains("<stdin>: byte 219984\n") && err.contains("expected 16 bytes"), "{err}");
}

/// The set `twice`, which has two words for each text.
mod twice {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// A number of three bits in a field of four bits; the highest bit has no meaning.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Loose(u8);

    impl OperandKind for Loose {
        type Value = u32;
        const WIDTH: u8 = 4;
        const EXPECTS: &'static str = "a number from 0 to 7";
        const MAX_LEN: usize = 1;
        const READS_BACK: Option<fn(Self) -> bool> = Some(|loose| loose.0 < 8);
        fn from_bits(raw: u64) -> Self {
            Loose(raw as u8)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            Ok(Loose(cursor.number()? as u8 & 7))
        }
        fn write(self, line: &mut Line) {
            line.push_decimal((self.0 & 7).into());
        }
    }

    isa_core::define_isa! {
        /// An instruction with two encodings for each text.
        pub(super) isa Twice: u16;
        operand Loose: 4;
        opcode ADD { encoding { field<0, 4> Loose n; } syntax { ADD n; } }
    }
}

#[test]
fn what_would_assemble_to_another_word_is_disassembled_as_data() {
    let tool = Tool::<twice::Twice>::new("twice");
    let words = "0005\n000d\n";
    let text = fine(&tool, &["dis"], words);
    assert_eq!(text, "ADD 5;\n.word 0x000d; // ADD 5; assembles to other bits\n");
    assert_eq!(fine(&tool, &["asm"], &text), words);
    let listing = fine(&tool, &["dis", "--addresses", "--start-address", "0"], words);
    assert_eq!(fine(&tool, &["asm"], &listing), words);
    assert_eq!(fine(&tool, &["asm", "--emit", "listing"], &text), listing);
    assert!(fine(&tool, &["explain", "000d"], "").contains("ADD 5;"));
}

#[test]
fn words_that_are_no_instructions_assemble_in_the_dialect_of_the_tool() {
    let tool = Tool::<three::Three>::new("three").directives(&[(".word", ".2byte"), (".org*", "")]);
    let text = fine(&tool, &["dis"], "070102 112233");
    assert!(text.starts_with("NOP 258;\n.byte 0x33, 0x22, 0x11; //"), "{text}");
    assert_eq!(fine(&tool, &["asm"], &text), "070102\n112233\n");
    let listing = fine(&tool, &["asm", "--emit", "listing"], &text);
    assert_eq!(fine(&tool, &["asm"], &listing), "070102\n112233\n");
    let text = ".word 0x2233; .byte 0x11; NOP 258;";
    assert_eq!(fine(&tool, &["asm", "--emit", "bin"], text), "\x33\x22\x11\x02\x01\x07");
    let plain = Tool::<three::Three>::new("three");
    let text = fine(&plain, &["dis"], "112233");
    assert!(text.starts_with(".word 0x112233;"), "{text}");
    assert_eq!(fine(&plain, &["asm"], &text), "112233\n");
}

/// Lists the words of a program. The command succeeds if the flag `short` is not given, or if there is one word.
fn listed(code: &ProgramCode, flags: &[&str]) -> Result<Report, String> {
    let [section] = &code.sections[..] else { return Err("expected one section".to_owned()) };
    if section.words.is_empty() {
        return Err("expected a word".to_owned());
    }
    let lines = section.words.iter().map(|(at, word)| format!("{at:#x}: {word:x}\n"));
    let labels = section.labels.iter().map(|(name, at)| format!("{name} = {at:#x}\n"));
    let is_short = section.words.len() == 1;
    Ok(Report {
        text: lines.chain(labels).collect(),
        is_success: is_short || !flags.contains(&"short"),
    })
}

#[test]
fn a_set_can_have_its_own_command() {
    let flags = &[("short", "Expects one word")];
    let tool = mixed().command("words", "Lists the words of a program", flags, listed);
    let listing = "0x0: 500\n0x2: 7060001\n";
    assert_eq!(fine(&tool, &["words"], "INC R5; MOV R6, R7;"), listing);
    let branches = counting().command("words", "Lists the words of a program", flags, listed);
    let labelled = "0x0: 3020101\n0x4: ffff0103\ntop = 0x0\n";
    assert_eq!(fine(&branches, &["words"], "top: ADD R1, R2, R3; BNZ R1, top;"), labelled);
    // The flag, an error of the command, an error of the text, and an unknown flag.
    let outcome = run(&tool, &["words", "--short"], b"INC R5; MOV R6, R7;");
    assert_eq!(outcome, (Status::Failure, listing.to_owned(), String::new()));
    let (status, out, err) = run(&tool, &["words"], b"");
    assert_eq!((status, out.as_str()), (Status::Usage, ""));
    assert!(err.contains("words: expected a word"), "{err}");
    let (status, _, err) = run(&tool, &["words"], b"INK R5;");
    assert_eq!(status, Status::Failure);
    assert!(err.contains("INC"), "{err}");
    assert_eq!(run(&tool, &["words", "--long"], b"").0, Status::Usage);
    let help = fine(&tool, &["words", "--help"], "");
    assert!(help.contains("Lists the words of a program") && help.contains("Expects one word"));
    assert!(fine(&tool, &["--help"], "").contains("words"));
}
