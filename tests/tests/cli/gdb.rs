//! Tests `exec --gdb` with a client that sends the packets of the remote protocol, and with gdb.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use isa_tests::tools::{self, are_here};

use super::any_set::{Subject, subjects};
use super::*;

/// Runs a tool with arguments and an input.
type Run = fn(&[&str], &[u8]) -> Outcome;

/// Runs `exec --gdb` with more arguments, and passes the port to a function. Returns the result of the run
/// and the result of the function.
fn debug<T: Send + 'static>(
    run: Run,
    args: &[&str],
    code: &str,
    client: impl FnOnce(u16) -> T + Send + 'static,
) -> (Outcome, T) {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let client = thread::spawn(move || client(port));
    let outcome = run(&[&["exec", "--gdb", &port.to_string()], args].concat(), code.as_bytes());
    assert!(
        outcome.err.starts_with(&format!("listening on 127.0.0.1:{port}\n")),
        "{}",
        outcome.err
    );
    (outcome, client.join().unwrap())
}

/// A client of the remote protocol.
struct Client {
    stream: BufReader<TcpStream>,
    /// The names of the registers, and their sizes in bytes.
    registers: Vec<(String, usize)>,
    description: String,
    is_big_endian: bool,
}

impl Client {
    fn connect(port: u16) -> Client {
        let end = Instant::now() + Duration::from_secs(60);
        let stream = loop {
            match TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(Instant::now() < end, "{error}"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut client = Client {
            stream: BufReader::new(stream),
            registers: Vec::new(),
            description: String::new(),
            is_big_endian: false,
        };
        let features = client.ask("qSupported:swbreak+;hwbreak+");
        assert_has(&features, &["qXfer:features:read+", "swbreak+", "hwbreak+"]);
        while !client.description.ends_with("</target>") {
            let from = client.description.len();
            let part = client.ask(&format!("qXfer:features:read:target.xml:{from:x},400"));
            client.description += part.strip_prefix('m').unwrap();
        }
        let mut numbered = BTreeMap::new();
        for register in client.description.split("<reg ").skip(1) {
            let value = |name| {
                let rest = register.split_once(&format!("{name}=\"")).unwrap().1;
                rest.split_once('"').unwrap().0.to_owned()
            };
            let bits: usize = value("bitsize").parse().unwrap();
            let number: usize = value("regnum").parse().unwrap();
            numbered.insert(number, (value("name"), bits / 8));
        }
        assert!(numbered.keys().copied().eq(0..numbered.len()));
        client.registers = numbered.into_values().collect();
        client
    }

    fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0_u8, u8::wrapping_add);
        write!(self.stream.get_mut(), "${packet}#{sum:02x}").unwrap();
    }

    /// Receives a packet, and expands its repeated bytes.
    fn receive(&mut self) -> String {
        let mut bytes = Vec::new();
        self.stream.read_until(b'$', &mut bytes).unwrap();
        assert!(bytes.iter().all(|byte| b"+$".contains(byte)), "{bytes:?}");
        bytes.clear();
        self.stream.read_until(b'#', &mut bytes).unwrap();
        bytes.pop();
        let sum = bytes.iter().copied().fold(0, u8::wrapping_add);
        let mut digits = [0; 2];
        self.stream.read_exact(&mut digits).unwrap();
        assert_eq!(digits, *format!("{sum:02x}").as_bytes());
        self.stream.get_mut().write_all(b"+").unwrap();
        let mut text = String::new();
        let mut bytes = bytes.into_iter();
        while let Some(byte) = bytes.next() {
            if byte == b'*' {
                let (count, last) = (bytes.next().unwrap() - 29, text.pop().unwrap());
                text.extend((0..=count).map(|_| last));
            } else {
                text.push(byte.into());
            }
        }
        text
    }

    fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }

    #[track_caller]
    fn expect(&mut self, packet: &str, reply: &str) {
        assert_eq!(self.ask(packet), reply, "{packet}");
    }

    /// Returns the value of a register.
    fn get(&mut self, name: &str) -> Option<u128> {
        let number = self.registers.iter().position(|(known, _)| known == name)?;
        let mut bytes = bytes(&self.ask(&format!("p{number:x}")));
        assert_eq!(bytes.len(), self.registers[number].1);
        if self.is_big_endian {
            bytes.reverse();
        }
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte)))
    }

    fn set(&mut self, name: &str, value: u128) -> String {
        let number = self.registers.iter().position(|(known, _)| known == name).unwrap();
        let mut bytes = value.to_le_bytes()[..self.registers[number].1].to_vec();
        if self.is_big_endian {
            bytes.reverse();
        }
        self.ask(&format!("P{number:x}={}", hex(&bytes)))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn number(text: &str) -> u128 {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

/// Checks that a program shows its state, stops after each instruction and at a breakpoint, and prints the
/// same as without gdb.
#[test]
fn every_set_is_debugged_with_names() {
    let all = subjects().into_iter().flat_map(|subject| [(subject, true), (subject, false)]);
    for (Subject { name, run, code, hex: words, exec: (settings, written), .. }, steps) in all {
        let args = [&["--set"], settings].concat();
        let (outcome, _) = debug(run, &args, code, move |port| {
            let mut client = Client { is_big_endian: name == "be", ..Client::connect(port) };
            assert!(client.ask("?").starts_with("T05"));
            let mut checked = 0;
            for (name, value) in settings.iter().map(|setting| setting.split_once('=').unwrap()) {
                if let Some(found) = client.get(name) {
                    assert_eq!(found, number(value), "{name}");
                    checked += 1;
                }
            }
            assert!(checked >= 2, "{name} {:?}", client.registers);
            let all: usize = client.registers.iter().map(|(_, size)| size).sum();
            let values = client.ask("g");
            assert_eq!(values.len(), all * 2);
            client.expect(&format!("G{values}"), "OK");

            let start = client.get("pc").unwrap();
            let lengths = words.lines().map(|word| word.len() as u128 / 2);
            let addresses = lengths.scan(start, |end, length| {
                *end += length;
                Some(*end - length)
            });
            let addresses: Vec<u128> = addresses.collect();
            let Some((last, others)) = addresses.split_last() else { panic!("no code") };
            if steps {
                for address in &addresses[1..] {
                    client.expect("s", "S05");
                    assert_eq!(client.get("pc"), Some(*address));
                }
            } else {
                client.expect(&format!("Z0,{last:x},1"), "OK");
                assert_has(&client.ask("c"), &["T05", "swbreak:"]);
                assert_eq!(client.get("pc"), Some(*last));
            }
            let code = bytes(&client.ask(&format!("m{start:x},{:x}", last - start)));
            assert_eq!(code.len() as u128, last - start);
            assert!(code.iter().any(|byte| *byte != 0) && !others.is_empty());
            client.expect("c", "W00");
        });
        assert_eq!((outcome.status, outcome.text()), (Status::Success, written), "{name}");
    }
}

fn rv(args: &[&str], stdin: &[u8]) -> Outcome {
    run(&isa_riscv::tool(), args, stdin)
}

fn a64(args: &[&str], stdin: &[u8]) -> Outcome {
    run(&isa_a64::tool(), args, stdin)
}

#[test]
fn registers_and_memory_are_changed() {
    let code = "li a0, 1\nld a1, 16(s0)\nadd a0, a0, a1\n";
    let (outcome, _) = debug(rv, &["--set", "s0=0x2000"], code, |port| {
        let mut client = Client::connect(port);
        client.expect("s", "S05");
        assert_eq!((client.get("a0"), client.set("a0", 0x100)), (Some(1), "OK".to_owned()));
        client.expect("M2010,3:010203", "OK");
        client.expect("m200f,5", "0001020300");
        // A reply that is longer than a packet, also beyond the last address.
        for packet in ["m0,ffffffff", "mfffffffffffffff0,ffff", "G00", "P3=00", "Pffff=00", "pffff"]
        {
            assert_eq!(client.ask(packet), "E79", "{packet}");
        }
        // The register is always 0.
        assert!(client.set("zero", 1).starts_with('E'));
        assert_eq!(client.get("zero"), Some(0));
        // The next instruction becomes `li a0, 2`, and a breakpoint is not visible in memory.
        client.expect("Z0,4,4", "OK");
        client.expect("m4,4", "83350401");
        client.expect("M8,4:13052000", "OK");
        client.expect("c", "W00");
    });
    assert_eq!(outcome.status, Status::Success);
    assert_eq!(outcome.text(), "a0 = 0x0000000000000002\na1 = 0x0000000000030201\n");
}

#[test]
fn an_elf_file_is_debugged_from_its_entry() {
    let scratch = Scratch::new("gdb");
    let code = b"nop\n.globl _start\n_start: li a0, 1\nli a1, 2\n";
    let file = scratch.write("code.o", &rv(&["asm", "--emit", "elf"], code).out);
    let expected = rv(&["exec", &file], b"");
    let (outcome, _) = debug(rv, &[&file], "", |port| {
        let mut client = Client::connect(port);
        assert_eq!(client.get("pc"), Some(4));
        client.expect("s", "S05");
        assert_eq!((client.get("pc"), client.get("a0")), (Some(8), Some(1)));
        client.expect("c", "W00");
    });
    assert_eq!((outcome.status, outcome.text()), (Status::Success, expected.fine()));
}

#[test]
fn a_watchpoint_stops_at_the_access() {
    let code = "sd a0, 0(s0)\nlb a1, 7(s0)\nsb a0, 8(s0)\nsb a0, 4(s0)\nli a2, 1\n";
    let (outcome, _) = debug(rv, &["--set", "s0=0x2000", "a0=0x55"], code, |port| {
        let mut client = Client::connect(port);
        // Each access is reported at its instruction, before a step executes the instruction.
        for (kind, name, stops) in
            [(2, "watch", &[0, 12][..]), (3, "rwatch", &[4]), (4, "awatch", &[0, 4, 12])]
        {
            client.set("pc", 0);
            client.expect(&format!("Z{kind},2004,4"), "OK");
            for stop in stops {
                let reply = client.ask("c");
                assert!(reply.starts_with("T05"), "{reply}");
                assert_has(&reply, &[&format!(";{name}:2004;").replacen(';', "", 1)]);
                assert_eq!(client.get("pc"), Some(*stop));
                if *stop == 4 {
                    client.expect("s", "S05");
                    assert_eq!(client.get("pc"), Some(8));
                }
            }
            client.expect(&format!("z{kind},2004,4"), "OK");
            assert!(client.ask(&format!("z{kind},2004,4")).starts_with('E'));
        }
        client.expect("c", "W00");
    });
    let written = "a1 = 0x0000000000000000\na2 = 0x0000000000000001\n\
                   mem[0x2000..0x2008] = 0x0000005500000055\nmem[0x2008] = 0x55\n";
    assert_eq!((outcome.status, outcome.text()), (Status::Success, written));
}

#[test]
fn an_endless_program_is_interrupted_and_ended() {
    let (outcome, _) = debug(rv, &[], "li a0, 1\nend: j end\n", |port| {
        let mut client = Client::connect(port);
        for _ in 0..2 {
            client.send("c");
            client.stream.get_mut().write_all(b"\x03").unwrap();
            assert_eq!(client.receive(), "S02");
        }
        assert_eq!(client.get("a0"), Some(1));
        client.send("k");
    });
    let message = outcome.err.split_once('\n').unwrap().1;
    assert_eq!(
        (outcome.status, message),
        (Status::Failure, "error: gdb ended the program at 0x4\n")
    );
    // The connection ends without a command.
    let (outcome, _) = debug(rv, &[], "end: j end\n", |port| Client::connect(port).send("c"));
    assert_eq!(outcome.status, Status::Failure);
    assert_has(&outcome.err, &["error: the connection to gdb ended: "]);
}

#[test]
fn a_program_that_cannot_continue_stops_with_a_signal() {
    let subjects: [(Run, _, _, _); 3] = [
        (rv, "li a0, 1\necall\n", ("S05", 4), "trap: environment call"),
        (a64, "nop\n.4byte 0\n", ("S04", 4), "cannot execute this instruction: "),
        (a64, "mov x0, #2\nbr x0\n", ("S0a", 2), "is not a multiple of 4"),
    ];
    for (run, code, (signal, address), message) in subjects {
        let (outcome, _) = debug(run, &[], code, move |port| {
            let mut client = Client::connect(port);
            for _ in 0..2 {
                client.send("c");
                let text = client.receive();
                let text = String::from_utf8(bytes(text.strip_prefix('O').unwrap())).unwrap();
                assert_has(&text, &[message, "at 0x"]);
                assert_eq!(client.receive(), signal);
                assert_eq!(client.get("pc"), Some(address));
            }
            client.send("k");
        });
        let expected = run(&["exec"], code.as_bytes());
        let (_, errors) = outcome.err.split_once('\n').unwrap();
        assert_eq!((outcome.status, errors), (Status::Failure, &*expected.err));
    }
}

#[test]
fn a_program_continues_after_gdb_detaches() {
    let code = "li a1, 9\nagain: addi a0, a0, 1\nbne a0, a1, again\n";
    let expected = rv(&["exec"], code.as_bytes());
    let (outcome, _) = debug(rv, &[], code, |port| {
        let mut client = Client::connect(port);
        client.expect("Z0,4,4", "OK");
        assert_has(&client.ask("c"), &["swbreak"]);
        client.expect("D", "OK");
    });
    assert_eq!((outcome.status, outcome.text()), (Status::Success, expected.fine()));
}

#[test]
fn monitor_shows_and_sets_every_place() {
    let (outcome, _) = debug(isa, &["--set", "c[0][4]=9"], "HADD2 R0, R1, R2;", |port| {
        let mut client = Client::connect(port);
        let mut monitor = |command: &str| {
            let reply = client.ask(&format!("qRcmd,{}", hex(command.as_bytes())));
            let text = String::from_utf8(bytes(reply.strip_prefix('O').unwrap())).unwrap();
            assert_eq!(client.receive(), "OK");
            text
        };
        assert_eq!(monitor("c[0][4]"), "c[0x0][0x4] = 0x00000009\n");
        assert_eq!(monitor("R1=0x3c003c00"), "R1 = 0x3c003c00\n");
        assert_eq!(monitor("P0=true"), "P0 = true\n");
        assert_has(&monitor("r1"), &["error: ", "did you mean `R1`?"]);
        assert_has(&monitor("R1=x"), &["error: R1: `x` is not a number"]);
        // The machine has no memory.
        assert_has(&client.ask("M0,1:00"), &["E"]);
        assert_has(&client.ask("m1000,1"), &["E"]);
        client.expect("c", "W00");
    });
    assert_eq!(outcome.text(), "R0 = 0x3c003c00\n");
}

/// Checks that a register of a warp is a vector, and that a flag is a mask.
#[test]
fn lanes_are_elements_of_vectors() {
    let args = ["--warp", "--set", "R1=lane", "P0=0xf0"];
    let (outcome, _) = debug(isa, &args, "HADD2 R0, R1, R2;", |port| {
        let mut client = Client::connect(port);
        let vector = "<vector id=\"lanes32\" type=\"uint32\" count=\"32\"/>";
        assert_has(
            &client.description,
            &[vector, "<reg name=\"R1\" bitsize=\"1024\" type=\"lanes32\" "],
        );
        let mut lanes: Vec<u8> = (0..32_u32).flat_map(u32::to_le_bytes).collect();
        client.expect("p1", &hex(&lanes));
        assert_eq!(client.get("P0"), Some(0xf0));
        assert_eq!(client.set("P0", 0xff), "OK");
        assert_eq!(client.get("P0"), Some(0xff));
        lanes.fill(0);
        client.expect(&format!("P1={}", hex(&lanes)), "OK");
        client.expect("Z0,0,1", "OK");
        client.expect("c", "W00");
    });
    let table = outcome.text().strip_prefix("R0\n").unwrap();
    assert_eq!(table.matches(" 0x00000000").count(), 32);
}

#[test]
fn options_of_the_debugger_are_checked() {
    for (args, message) in [
        (
            &["--gdb", "x"][..],
            "invalid value for --gdb: expected a port from 0 to 65535, found `x`",
        ),
        (&["--gdb", "65536"], "expected a port from 0 to 65535"),
        (&["--gdb", "-1"], "expected a port from 0 to 65535"),
        (&["--gdb"], "missing value for --gdb"),
        (&["--gdb", "0", "--jsonl"], "--gdb cannot be used with --jsonl"),
        (&["--gdb", "0", "--trace"], "--gdb cannot be used with --trace"),
        (&["--gdb", "0", "--steps", "5"], "--gdb cannot be used with --steps"),
    ] {
        let outcome = rv(&[&["exec"], args].concat(), b"nop\n");
        assert_has(outcome.failed(Status::Usage), &[message]);
    }
    let used = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = used.local_addr().unwrap();
    let outcome = rv(&["exec", "--gdb", &address.port().to_string()], b"nop\n");
    assert_has(outcome.failed(Status::Failure), &[&format!("cannot listen on {address}: ")]);
    // Errors in the program are reported before the tool waits.
    assert_has(rv(&["exec", "--gdb", "0"], b"nop 1\n").failed(Status::Failure), &["<stdin>:1"]);
}

/// Sends the lines of standard error to another thread.
struct Lines(mpsc::Sender<Vec<u8>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn port_0_is_a_free_port() {
    let (sender, receiver) = mpsc::channel();
    let tool = thread::spawn(|| {
        let (mut input, mut output, mut errors) = (&b"nop\n"[..], Vec::new(), Lines(sender));
        let io = Io::of(&mut input, &mut output, &mut errors);
        isa_riscv::tool().run(["exec", "--gdb", "0"], io)
    });
    let line = String::from_utf8(receiver.recv().unwrap()).unwrap();
    let port = line.strip_prefix("listening on 127.0.0.1:").unwrap().trim_end().parse().unwrap();
    Client::connect(port).expect("c", "W00");
    assert_eq!(tool.join().unwrap(), Status::Success);
}

const GDB: tools::Tool = tools::Tool {
    program: "gdb-multiarch",
    release: "GNU gdb",
    install: "apt-get install gdb-multiarch",
};

/// Returns the output of gdb for these commands, the first of them before it connects. At the end it ends the program, which has usually ended.
fn gdb(run: Run, args: &[&str], code: &str, before: &str, commands: &[&str]) -> (Outcome, String) {
    let before = before.to_owned();
    let commands: Vec<String> = commands.iter().map(|command| command.to_string()).collect();
    debug(run, args, code, move |port| {
        let target = format!("target remote 127.0.0.1:{port}");
        // Errors and the output of `monitor` appear in order with the other output.
        let mut gdb = Command::new("sh");
        gdb.args(["-c", "exec gdb-multiarch \"$@\" 2>&1", "sh", "-nx", "-batch"]);
        gdb.args(["-ex", "set tcp connect-timeout 60", "-ex", &before, "-ex", &target]);
        gdb.args(commands.iter().flat_map(|command| ["-ex", command])).args(["-ex", "kill"]);
        String::from_utf8(tools::run(&mut gdb, String::new()).stdout).unwrap()
    })
}

/// Checks that a text contains these parts in this order.
#[track_caller]
fn assert_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in\n{rest}\nof\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn gdb_debugs_risc_v() {
    if !are_here(&[GDB]) {
        return;
    }
    let code = "li a1, 3\nagain: add a0, a0, a1\nsd a0, 8(sp)\naddi a1, a1, -1\nbnez a1, again\n";
    let args = ["--set", "sp=0x2000", "pc=0x1000"];
    let commands = &[
        "x/3i $pc",
        "stepi",
        "p $a1",
        "break *0x1008",
        "continue",
        "p $a0",
        "set $a1 = 2",
        "delete",
        "watch *(long *)0x2008",
        "continue",
        "p $pc",
        "info registers a1 fcsr",
        "x/2xw 0x2008",
        "set {int}0x3000 = 7",
        "p *(int *)0x3000",
        "monitor mem[0x3000]",
        "delete",
        "continue",
    ];
    let (outcome, said) = gdb(rv, &args, code, "", commands);
    assert_order(
        &said,
        &[
            "=> 0x1000:\tli\ta1,3",
            "0x1004:\tadd\ta0,a0,a1",
            "$1 = 3",
            "Breakpoint 1, 0x0000000000001008",
            "$2 = 3",
            "Old value = 0\nNew value = 3\n0x000000000000100c",
            "0x100c",
            "a1             0x2\t2",
            "fcsr           0x0\t0",
            "0x00000003\t0x00000000",
            "= 7",
            "mem[0x3000] = 0x07",
            "exited normally",
        ],
    );
    let written = "a0 = 0x0000000000000004\na1 = 0x0000000000000000\npc = 0x0000000000001014\n\
                   mem[0x2008..0x2010] = 0x0000000000000004\n";
    assert_eq!((outcome.status, outcome.text()), (Status::Success, written));
}

#[test]
fn gdb_debugs_a64() {
    if !are_here(&[GDB]) {
        return;
    }
    let code = "subs x1, x0, #5\nstr x1, [sp, #16]!\nb.eq end\nmov x2, #9\nend: add x3, x1, #4\n";
    let commands = &[
        "x/2i $pc",
        "stepi",
        "p/x $cpsr",
        "p $nzcv",
        "set $cpsr = 0x80000000",
        "p $nzcv",
        "watch *(long *)0x2010",
        "continue",
        "p/x $sp",
        "delete",
        "set $x1 = 6",
        "p/x $v7",
        "set $v7 = 1",
        "p/x $v7",
        "break *16",
        "continue",
        "p $x2",
        "continue",
    ];
    let (outcome, said) = gdb(a64, &["--set", "x0=6", "sp=0x2000"], code, "", commands);
    assert_order(
        &said,
        &[
            "=> 0x0:\tsubs\tx1, x0, #0x5",
            "0x4:\tstr\tx1, [sp, #16]!",
            "$1 = 0x20000000",
            "$2 = 2",
            "$3 = 8",
            "Old value = 0\nNew value = 1\n0x0000000000000008",
            "$4 = 0x2010",
            "$5 = 0x0",
            "$6 = 0x1",
            "Breakpoint 2, 0x0000000000000010",
            "$7 = 9",
            "exited normally",
        ],
    );
    let written = "x1 = 0x0000000000000006\nx2 = 0x0000000000000009\nx3 = 0x000000000000000a\n\
                   sp = 0x0000000000002010\nnzcv = 0x08\n\
                   mem[0x2010..0x2018] = 0x0000000000000001\n";
    assert_eq!((outcome.status, outcome.text()), (Status::Success, written));
}

/// Checks sets that gdb does not know, with both byte orders.
#[test]
fn gdb_debugs_a_set_that_it_does_not_know() {
    if !are_here(&[GDB]) {
        return;
    }
    let code = "again: inc x1\ninc x4\nsw x1, 4(x2)\nbz x3, again\n";
    for Subject { name, run, .. } in subjects() {
        let order = match name {
            "be" => "set endian big",
            "b8" => "set endian little",
            _ => continue,
        };
        let commands = [
            "info registers x1 pc",
            "stepi",
            "p $x1",
            "watch *(int *)0x2004",
            "continue",
            "p $pc",
            "x/xw 0x2004",
            "set $x3 = 1",
            "p $x3",
            "delete",
            "break *0x1008",
            "set $pc = 0x1000",
            "continue",
            "p $x1",
            "continue",
        ];
        let args = ["--set", "x2=0x2000", "pc=0x1000"];
        let (outcome, said) = gdb(run, &args, code, order, &commands);
        assert_order(
            &said,
            &[
                "x1             0x0",
                "pc             0x1000",
                "$1 = 1",
                "Old value = 0\nNew value = 1\n",
                "$2 = ",
                "0x1008",
                "0x2004:\t0x00000001",
                "$3 = 1",
                "Breakpoint 2, 0x0000000000001008",
                "$4 = 2",
                "exited normally",
            ],
        );
        let written = "x1 = 0x00000002\nx4 = 0x00000002\nmem[0x2004..0x2008] = 0x00000002\n";
        assert_eq!((outcome.status, outcome.text()), (Status::Success, written), "{said}");
    }
}
