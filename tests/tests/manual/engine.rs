//! Compares engines with the tools of their sets: the same words, texts, explanations and results.
//! Here the engines run natively. In the browser the same code runs as WebAssembly.

use isa_core::machine::Recorder;
use isa_web::Engine;
use serde_json::{Value, json};

use super::{Io, Status, Tool};
use isa_core::Isa;

/// A set with its tool and its engine.
pub(crate) struct Subject {
    /// The name of the manual, and of the example that builds the engine.
    pub(crate) name: &'static str,
    /// The package that contains that example.
    pub(crate) package: &'static str,
    /// Runs the tool on some input.
    run: fn(&[&str], &str) -> (Status, String),
    engine: fn() -> Engine,
    /// Registers that instructions read.
    registers: &'static [(&'static str, u32)],
    /// A program, its initial state, and the state that it writes.
    pub(crate) program: [&'static str; 3],
}

/// The sets.
pub(crate) static SUBJECTS: [Subject; 3] = [
    Subject {
        name: "gpu",
        package: "isa-defs",
        run: |args, input| run(&isa_defs::cli::tool(), args, input),
        engine: || {
            Engine::new::<isa_defs::gpu::Gpu>().machine(isa_defs::gpu::Gpu::execute::<Recorder>)
        },
        registers: &[("R", 255), ("UR", 63)],
        program: [
            "HADD2 R1, R2, R3;\nHMUL2 R4, R1, R1;",
            "R2=0x3c003c00 R3=0x40004000",
            "R1 = 0x42004200, R4 = 0x48804880",
        ],
    },
    Subject {
        name: "rv",
        package: "isa-riscv",
        run: |args, input| run(&isa_riscv::tool(), args, input),
        engine: || {
            Engine::new::<isa_riscv::Rv64imac>()
                .lines("#")
                .directives(isa_riscv::DIRECTIVES)
                .padding(isa_riscv::PADDING)
                .machine(isa_riscv::Rv64imac::execute::<isa_riscv::cpu::Cpu>)
        },
        registers: &[("x", 32)],
        program: [
            ".option norvc\nloop: add a0, a0, a1 # the sum\nc.addi a1, -1\nbnez a1, loop",
            "a1=10",
            "a0 = 0x0000000000000037, a1 = 0x0000000000000000, pc = 0x000000000000000a",
        ],
    },
    Subject {
        name: "a64",
        package: "isa-a64",
        run: |args, input| run(&isa_a64::tool(), args, input),
        engine: || {
            Engine::new::<isa_a64::A64>()
                .lines("")
                .directives(isa_a64::DIRECTIVES)
                .padding(isa_a64::PADDING)
                .machine(isa_a64::A64::execute::<isa_a64::simulator::Simulator>)
        },
        registers: &[("x", 31)],
        program: [
            "loop: add x0, x0, x1\nsub x1, x1, #1\ncbnz x1, loop",
            "x1=10",
            "x0 = 0x0000000000000037, x1 = 0x0000000000000000, pc = 0x000000000000000c",
        ],
    },
];

/// Runs a tool and returns its status and output.
fn run<I: Isa>(tool: &Tool<I>, args: &[&str], input: &str) -> (Status, String) {
    let (mut output, mut errors) = (vec![], vec![]);
    let status = tool.run(args, Io::of(&mut input.as_bytes(), &mut output, &mut errors));
    (status, String::from_utf8(output).unwrap())
}

/// A function that returns the answer of an engine.
pub(crate) type Ask<'a> = &'a mut dyn FnMut(&str) -> String;

impl Subject {
    /// Returns the output of the tool.
    pub(crate) fn tool(&self, args: &[&str], input: &str) -> String {
        (self.run)(args, input).1
    }

    /// Returns this number of words, most of them valid, one on each line.
    pub(crate) fn words(&self, count: usize) -> String {
        let random = self.tool(&["random", "--as", "hex", "--count", &count.to_string()], "");
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let lines = random.lines().enumerate().map(|(at, line)| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // In one of four words one bit is inverted, which makes most of them invalid.
            let bits = line.len() as u64 * 4;
            let bit = if at % 4 == 0 { 1 << (state % bits) } else { 0 };
            let word = u128::from_str_radix(line, 16).unwrap() ^ bit;
            let changed = format!("{word:0digits$x}", digits = line.len());
            if self.is_whole(&changed) { changed } else { line.to_owned() }
        });
        lines.map(|line| line + "\n").collect()
    }

    /// Returns whether the tool takes a word as a word of its own width. The tool accepts words
    /// without leading zeros: for example, it takes `8883` as the RISC-V instruction 0x00008883.
    pub(crate) fn is_whole(&self, digits: &str) -> bool {
        self.name != "rv" || digits.len() == 8 || !"37bf".contains(&digits[3..])
    }

    /// Asserts that an engine prints words like `dis`.
    pub(crate) fn compare_texts(&self, words: &str, ask: Ask<'_>) {
        let (expected, found) = (self.tool(&["dis"], words), ask(&format!("disassemble\n{words}")));
        for ((word, expected), found) in words.lines().zip(expected.lines()).zip(found.lines()) {
            assert_eq!(found, expected, "{}: {word}", self.name);
        }
        assert_eq!(found.lines().count(), words.lines().count(), "{}", self.name);
        assert_eq!(found, expected, "{}", self.name);
    }

    /// Asserts that an engine assembles the examples of the set like `asm`.
    pub(crate) fn compare_examples(&self, set: &isa_core::table::InstructionSet, ask: Ask<'_>) {
        let examples = set.opcodes.iter().flat_map(|opcode| opcode.examples);
        let mut count = 0;
        for example in examples {
            let text = format!("{};", example.trim_end_matches(';'));
            let (status, expected) = (self.run)(&["asm"], &text);
            let answer: Value = serde_json::from_str(&ask(&format!("assemble\n{text}"))).unwrap();
            // An example may refer to a label that is not defined.
            assert_eq!(answer["errors"].is_null(), status == Status::Success, "{text}: {answer}");
            if status == Status::Success {
                let words = answer["statements"][0]["words"].as_array().unwrap();
                let words: Vec<&str> = words.iter().map(|word| word.as_str().unwrap()).collect();
                assert_eq!(words.join("\n"), expected.trim_end(), "{text}");
                assert_eq!(answer["statements"][0]["end"], text.len(), "{text}");
                count += 1;
            }
        }
        // The other sets have their examples in files.
        assert!(count > 20 || self.name != "gpu", "{}: {count}", self.name);
    }

    /// Asserts that an engine explains words like `explain --json`.
    pub(crate) fn compare_explanations(&self, words: &str, ask: Ask<'_>) {
        let expected = self.tool(&["explain", "--json"], words);
        assert_eq!(expected.lines().count(), words.lines().count());
        for (word, expected) in words.lines().zip(expected.lines()) {
            assert_eq!(ask(&format!("explain\n{word}")), expected, "{}", self.name);
        }
    }

    /// Asserts that an engine executes programs of a few instructions like `exec --jsonl`.
    pub(crate) fn compare_executions(&self, count: usize, ask: Ask<'_>) {
        let lines = self.tool(&["random", "--count", &(count * 3).to_string(), "--seed", "7"], "");
        let lines: Vec<&str> = lines.lines().collect();
        let programs: Vec<String> = lines.chunks(3).map(|program| program.join("\n")).collect();
        let names = self.registers.iter().flat_map(|(prefix, count)| {
            // A register that is always 0 cannot be set.
            (1..*count).map(move |number| format!("{prefix}{number}"))
        });
        let state = names.enumerate().map(|(at, name)| {
            (name, format!("{:#x}", (at as u32).wrapping_mul(0x9e37_79b9) & 0x7fff_fff8))
        });
        let state: Vec<(String, String)> = state.collect();
        let object: Value =
            state.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let settings: Vec<String> =
            state.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let requests = programs.iter().map(|asm| json!({"asm": asm, "state": object}).to_string());
        let requests: Vec<String> = requests.collect();
        let answers = self.tool(&["exec", "--jsonl"], &requests.join("\n"));
        assert_eq!(answers.lines().count(), programs.len());
        let (mut written, mut stopped) = (0, 0);
        for (program, expected) in programs.iter().zip(answers.lines()) {
            let expected: Value = serde_json::from_str(expected).unwrap();
            let request = format!("execute\n1000000 {}\n{program}", settings.join(" "));
            let found: Value = serde_json::from_str(&ask(&request)).unwrap();
            if let Some(error) = expected["error"].as_str() {
                let reason = found["stopped"]["reason"].as_str().unwrap_or_default();
                assert!(
                    !reason.is_empty() && error.ends_with(reason),
                    "{program}: {error}: {found}"
                );
                stopped += 1;
                continue;
            }
            assert!(found["stopped"].is_null(), "{program}: {expected}: {found}");
            let pairs = found["written"].as_array().unwrap().iter();
            let pairs = pairs.map(|pair| {
                let text = pair[1].as_str().unwrap();
                let value = text.parse::<bool>().map_or(json!(text), Value::from);
                (pair[0].as_str().unwrap().to_owned(), value)
            });
            assert_eq!(pairs.collect::<Value>(), expected["state"], "{program}");
            written += 1;
        }
        assert!(written > count / 2, "{}: {written} programs, {stopped} stopped", self.name);
    }
}

#[test]
fn an_engine_says_what_the_tool_says() {
    for (subject, manual) in SUBJECTS.iter().zip(&*super::MANUALS) {
        let engine = (subject.engine)();
        let mut ask = |request: &str| engine.answer(request);
        subject.compare_texts(&subject.words(3_000), &mut ask);
        subject.compare_explanations(&subject.words(300), &mut ask);
        subject.compare_examples(manual.set, &mut ask);
        subject.compare_executions(100, &mut ask);
    }
}

/// Checks that addresses of 2^53 and above are exact, because they are strings.
#[test]
fn addresses_are_exact() {
    let engine = (SUBJECTS[1].engine)();
    let answer =
        |request: &str| -> Value { serde_json::from_str(&engine.answer(request)).unwrap() };
    let program = "c.addi a0, 1\nc.addi a0, 2\n.2byte 0";
    let found = answer(&format!("execute\n10 pc=0xffffffff80000000\n{program}"));
    let addresses: Vec<&Value> =
        found["steps"].as_array().unwrap().iter().map(|step| &step["address"]).collect();
    assert_eq!(addresses, ["0xffffffff80000000", "0xffffffff80000002"]);
    assert_eq!(found["stopped"]["address"], "0xffffffff80000004");
    let found = answer(&format!("assemble\n{program}"));
    assert_eq!(found["statements"][1]["address"], "0x2");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let engine = (SUBJECTS[1].engine)();
    let answer =
        |request: &str| -> Value { serde_json::from_str(&engine.answer(request)).unwrap() };
    let error = &answer("assemble\nadd a0, a0, a1\n# ä 😀\nadd a0, a0, a32")["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&json!(3), &json!(13)), "{error}");
    assert_eq!((&error["start"], &error["end"]), (&json!(34), &json!(37)), "{error}");
    for (request, part) in [
        ("", "expected the request describe, assemble"),
        ("explain\n", "hexadecimal digits, found ``"),
        ("explain\n123456789", "up to 8 hexadecimal digits"),
        ("execute\n10 a1\nadd a0, a0, a1", "NAME=VALUE"),
        ("execute\n10 a1=x\nadd a0, a0, a1", "a1: `x` is not a number"),
        ("execute\n10 a0=1 x10=2\nadd a0, a0, a1", "`a0=1` and `x10=2` both set a0"),
        ("execute\n10 pc=1\nadd a0, a0, a1", "instruction address 0x1 is not a multiple of 2"),
        ("execute\n10 b1=1\nadd a0, a0, a1", "the machine has no `b1`"),
        ("execute\n10\n.4byte 0", "stopped"),
        ("execute\n10\nloop: j loop", "has not ended after 10 instructions"),
        ("execute\n\nadd a0, a0, a1", "has not ended after 0 instructions"),
    ] {
        let found = answer(request).to_string();
        assert!(found.contains(part), "{request}: {found}");
    }
    assert!(Engine::new::<isa_defs::gpu::Gpu>().answer("execute\n1\n").contains("no machine"));
}
