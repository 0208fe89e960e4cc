//! Texts of growing size: RISC-V assembly for the tool and its language server, and sources for
//! importers and `diff`.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Read, Write};

use isa_cli::Io;
use isa_export::description::Description;
use isa_export::diff::Difference;
use serde_json::{Value, json};

use super::{Input, Outcome, Work};

/// All inputs with texts.
pub(crate) const INPUTS: [Input; 11] = [
    input("opcodes in `import defgroup`", 2_000, 0, defgroup),
    input("statements `foo;` on one line, in `asm`", 1_000_000, 21, |n| asm(&"foo;".repeat(n))),
    input("statements `foo;`, each on a line, in `asm`", 1_000_000, 21, |n| {
        asm(&"foo;\n".repeat(n))
    }),
    input("labels and as many jumps to labels that do not exist, in `asm`", 20_000, 21, |n| {
        // In an object, undefined labels are external symbols.
        let text = lines(n, |i| format!("l{i}: bnez a0, m{i}"));
        run(&["asm", "-"], text.as_bytes())
    }),
    input("labels and as many jumps out of reach, in `asm`", 20_000, 21, |n| asm(&out_of_reach(n))),
    input("labels with 10 edits, in the language server", 5_000, 11, |n| {
        lsp(&lines(n, |i| format!("l{i}: bnez a0, m{i}")))
    }),
    input("labels out of reach with 10 edits, in the language server", 5_000, 11, |n| {
        lsp(&out_of_reach(n))
    }),
    input("directives `.zero 16777216`, in `exec --jsonl`", 300, 0, |n| {
        let request = json!({ "asm": lines(n, |_| ".zero 16777216".to_owned()) });
        run(&["exec", "--jsonl"], format!("{request}\n").as_bytes())
    }),
    input("directives `.zero 16777216`, in `asm`", 300, 2, |n| {
        asm(&lines(n, |_| ".zero 16777216".to_owned()))
    }),
    input("directives `.globl`, in `asm`", 160_000, 0, |n| {
        let globals = lines(n, |i| format!(".globl l{i}"));
        asm(&(globals + &lines(n, |i| format!("l{i}: nop"))))
    }),
    input("bits of an operand of the format binary16, in `diff`", 7, 1, diff),
];

const fn input(
    name: &'static str,
    full: usize,
    messages: usize,
    work: fn(usize) -> Outcome,
) -> Input {
    Input { name, full, messages, work: Work::Run(work) }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = writeln!(text, "{}", line(number));
    }
    text
}

/// Creates jumps to labels that exist but are out of reach of a jump.
fn out_of_reach(count: usize) -> String {
    let from = lines(count / 2, |i| format!("l{i}: bnez a0, m{i}"));
    let to = lines(count / 2, |i| format!("m{i}: bnez a0, l{i}"));
    format!("{from}.zero 65536\n{to}")
}

fn asm(text: &str) -> Outcome {
    run(&["asm", "--emit", "elf", "-"], text.as_bytes())
}

/// Counts the bytes and the errors in the output.
#[derive(Default)]
struct Counter {
    bytes: usize,
    errors: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        self.errors +=
            bytes.windows(6).filter(|word| word == b"error[" || word == b"error:").count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the RISC-V tool.
pub(crate) fn run(arguments: &[&str], mut input: &[u8]) -> Outcome {
    let (mut output, mut errors) = (Counter::default(), Counter::default());
    let _status = isa_riscv::tool().run(arguments, Io::of(&mut input, &mut output, &mut errors));
    Outcome { messages: errors.errors, output: output.bytes + errors.bytes }
}

/// Messages of a client that sends each of them when the server has handled the one before.
struct Client(VecDeque<Vec<u8>>);

impl Read for Client {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(message) = self.0.front_mut() else { return Ok(0) };
        let length = room.len().min(message.len());
        room[..length].copy_from_slice(&message[..length]);
        message.drain(..length);
        if message.is_empty() {
            self.0.pop_front();
        }
        Ok(length)
    }
}

/// Opens a text in the language server and types ten letters at its end. The messages are the publications of
/// diagnostics.
fn lsp(text: &str) -> Outcome {
    let mut session = Client(VecDeque::new());
    let mut send = |message: Value| {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        session.0.push_back(message.into_bytes());
    };
    let notice = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let uri = "file:///grown.s";
    send(
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
    );
    send(notice("initialized", json!({})));
    let document = json!({ "uri": uri, "languageId": "asm", "version": 1, "text": text });
    send(notice("textDocument/didOpen", json!({ "textDocument": document })));
    let line = text.lines().count();
    for number in 0..10 {
        let place = json!({ "line": line, "character": number });
        let change = json!({ "range": { "start": place, "end": place }, "text": "x" });
        let document = json!({ "uri": uri, "version": number + 2 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        send(notice("textDocument/didChange", params));
    }
    send(json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    send(notice("exit", json!({})));
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let io = Io::of(&mut session, &mut output, &mut errors);
    let _status = isa_riscv::tool().run(["lsp"], io);
    let output = String::from_utf8_lossy(&output);
    Outcome { messages: output.matches("publishDiagnostics").count(), output: output.len() }
}

/// Imports definitions in a vendor's format.
fn defgroup(count: usize) -> Outcome {
    let opcode = |i: usize| {
        format!(
            "__DefOptype T{i} : [ALL]\n  __Encoding\n    field<0, 16> Op op == T{i};\n    field<16, 8> Reg rd;\n\
             \n  __Syntax\n```asm\nT{i} Rd ;\n```\n\n\
             __DefOpcode O{i} : [T{i}]\n  __Encoding\n    field<24, 8> Reg ra;\n  __OperandInfo\n    InList<ra>;\n    \
             OutList<rd>;\n    Order<rd>;\n"
        )
    };
    let text = format!(
        "__DefGroup ALL\n  __Encoding\n    field<32, 4> Pred gd = PT;\n\n{}",
        lines(count, opcode)
    );
    let options = isa_import::ImportOptions { name: Some("Grown"), ..Default::default() };
    let format = isa_import::format("defgroup").expect("the format");
    match format.source(&[isa_import::Source { name: "grown.txt", text: &text }], &options) {
        Ok(source) => Outcome { messages: 0, output: source.len() },
        Err(faults) => Outcome {
            messages: faults.len(),
            output: faults.iter().map(|fault| fault.to_string().len()).sum(),
        },
    }
}

isa_core::define_isa! {
    /// An instruction with a number.
    isa Scaled: u16;
    operand Factor: 7 = isa_core::operand::Unsigned<7>;
    opcode SCALE { encoding { field<0, 7> Factor by; } syntax { SCALE by; } }
}

/// Compares two descriptions of a set with one operand. The operand is a number in a 16-bit format,
/// and its field has the given number of bits.
fn diff(bits: usize) -> Outcome {
    let text = isa_core::describe::json(Scaled::SET).to_string();
    let (before, rest) = text.split_once(r#"{"number":[0,0,7],"#).expect("a number");
    let (_, behind) = rest.split_once('}').expect("an object");
    let text = format!(r#"{before}{{"float":[0,0,{bits}],"format":"binary16"}}{behind}"#);
    let other = text.replace("An instruction with", "An instruction of");
    match (text.parse::<Description>(), other.parse::<Description>()) {
        (Ok(old), Ok(new)) => {
            let difference = Difference::between(&old, &new);
            Outcome { messages: 0, output: usize::from(!difference.is_empty()) }
        }
        _ => Outcome { messages: 1, output: 0 },
    }
}
