//! Sets with their tools, and texts for them.

use core::ops::Range;
use std::io::pipe;
use std::thread;

use isa_cli::{Io, Tool};
use isa_core::Isa;
use isa_core::table::InstructionSet;
use isa_core::text::Line;

use super::client::Client;

/// An endless sequence of numbers, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A tool and input for it.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) set: &'static InstructionSet,
    pub(crate) has_labels: bool,
    /// Runs the tool and returns its standard output and standard error.
    pub(crate) run: fn(&[&str], &[u8]) -> (String, String),
    /// Starts a session with a server in its own thread.
    pub(crate) server: fn() -> Client,
}

/// Separators of statements, and text that is not a valid statement.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    ";",
    " ",
    "// x\n",
    "/* y */",
    "/*",
    "*/",
    "/",
    "#",
    "é",
    "😀",
    "a: ",
    "b:\n",
    "a",
    ".",
    ".word 0x1;",
    ".byte 1;\n",
    ".equ n, 1;",
    ".equ a, n + 1;\n",
    ".zero n;",
    ".4byte a;",
    ".data;\n",
    ".text;",
    ".section x;\n",
    ".section x, \"w\";",
    "R1",
    ",",
    "xyz;",
    "\t",
];

impl Subject {
    /// Returns a statement in canonical form, with other values than its defaults.
    pub(crate) fn statement(&self, numbers: &mut Numbers) -> String {
        loop {
            let all = self.set.opcodes;
            let opcode = all[numbers.below(all.len())];
            let mut word = opcode.initial();
            for field in opcode.fields {
                let raw = numbers.below(1 << field.kind.width.min(16)) as u64;
                let set = field.set(word, raw);
                if opcode.validate(set).is_ok() && numbers.below(3) > 0 {
                    word = set;
                }
            }
            let mut line = Line::new();
            opcode.print(word, &mut line);
            // With only its defaults, an opcode may be invalid.
            if self.set.parse(line.as_str()).is_ok() {
                return line.to_string();
            }
        }
    }

    /// Returns statements with labels, comments and errors between them.
    pub(crate) fn text(&self, numbers: &mut Numbers, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..numbers.below(count) {
            match numbers.below(3) {
                0 => text.push_str(PIECES[numbers.below(PIECES.len())]),
                1 => text.push_str(&self.jump(numbers)),
                _ => text.push_str(&self.statement(numbers)),
            }
            if numbers.below(2) == 0 {
                text.push('\n');
            }
        }
        text
    }

    /// Returns a statement with a label in place of its target, if it has one.
    fn jump(&self, numbers: &mut Numbers) -> String {
        let text = self.statement(numbers);
        let opcode = self.set.parse(&text).ok();
        let has_target = opcode.is_some_and(|parsed| match parsed {
            isa_core::parse::Parsed::Instruction { opcode, .. } => {
                self.set.opcodes[opcode].fields.iter().any(|field| field.kind.is_target())
            }
            isa_core::parse::Parsed::Word { .. } => false,
        });
        match text.rsplit_once([' ', ',']) {
            Some((before, _)) if has_target => {
                format!("{before} {};", ["a", "b", "c"][numbers.below(3)])
            }
            _ => text,
        }
    }

    /// Returns a program with labels at most of its statements.
    pub(crate) fn program(&self, numbers: &mut Numbers, count: usize) -> String {
        let mut text = String::from(".equ n, 3;\n.4byte n;\n.zero n + 1;\n");
        for label in ["a", "b", "c"] {
            text.push_str(label);
            text.push_str(":\n");
            for _ in 0..numbers.below(count / 3) {
                text.push_str(&self.jump(numbers));
                text.push('\n');
            }
        }
        text
    }

    /// Returns a range of a text and its replacement.
    pub(crate) fn edit(&self, text: &str, numbers: &mut Numbers) -> (Range<usize>, String) {
        let boundary =
            |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let start = boundary(numbers.below(text.len() + 1));
        let most = [1, 3, 30][numbers.below(3)];
        let end = boundary((start + numbers.below(most)).min(text.len())).max(start);
        let new = match numbers.below(4) {
            0 => String::new(),
            1 => self.jump(numbers),
            2 => self.statement(numbers),
            _ => PIECES[numbers.below(PIECES.len())].to_owned(),
        };
        (start..end, new)
    }
}

fn run<I: Isa>(tool: &Tool<I>, args: &[&str], mut input: &[u8]) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    tool.run(args, Io::of(&mut input, &mut out, &mut err));
    let [out, err] = [out, err].map(|bytes| String::from_utf8(bytes).expect("text"));
    (out, err)
}

pub(crate) fn serve<I: Isa + 'static>(tool: fn() -> Tool<I>) -> Client {
    let (mut stdin, input) = pipe().expect("a pipe");
    let (output, mut stdout) = pipe().expect("a pipe");
    thread::spawn(move || {
        let mut errors = Vec::new();
        tool().run(["lsp"], Io::of(&mut stdin, &mut stdout, &mut errors));
        assert_eq!(String::from_utf8_lossy(&errors), "");
    });
    Client::over(Box::new(input), Box::new(output))
}

/// Returns a tool of AArch64 without programs, whose statements end with `;`.
fn a64() -> Tool<isa_a64::A64> {
    Tool::new("a64")
}

pub(crate) fn subjects() -> [Subject; 3] {
    [
        Subject {
            name: "isa",
            set: isa_defs::gpu::Gpu::SET,
            has_labels: false,
            run: |args, input| run(&isa_defs::cli::tool(), args, input),
            server: || serve(isa_defs::cli::tool),
        },
        Subject {
            name: "rv",
            set: isa_riscv::Rv64imac::SET,
            has_labels: true,
            run: |args, input| run(&isa_riscv::tool(), args, input),
            server: || serve(isa_riscv::tool),
        },
        Subject {
            name: "a64",
            set: isa_a64::A64::SET,
            has_labels: true,
            run: |args, input| run(&a64(), args, input),
            server: || serve(a64),
        },
    ]
}
