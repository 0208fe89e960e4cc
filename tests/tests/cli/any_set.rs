//! Checks the common behaviour of all tools, with very different sets. `isa` has one width and a
//! machine without a program counter. RISC-V has two widths, labels, traps and a program counter.
//! A64 has vectors and flags. Small sets have other byte orders and other widths.

use isa_tests::share::part_of;

use super::noise::{Numbers, mutate};
use super::usage::COMMANDS;
use super::*;

/// A tool and input for it.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) run: fn(&[&str], &[u8]) -> Outcome,
    /// Instructions in canonical form.
    pub(super) code: &'static str,
    /// The words of the instructions.
    pub(super) hex: &'static str,
    /// The widths of words in bits.
    pub(super) widths: &'static [u64],
    /// A word that is not a valid instruction, with all its digits.
    pub(super) none: &'static str,
    /// A statement with an error, the column of the error, and its message.
    pub(super) mistake: (&'static str, usize, &'static str),
    /// Initial state for `exec`, and the state that the code writes.
    pub(super) exec: (&'static [&'static str], &'static str),
    /// Initial state with an error, and its message.
    pub(super) unknown: (&'static str, &'static str),
    /// Names of other sets.
    pub(super) foreign: &'static [&'static str],
}

pub(super) fn subjects() -> [Subject; 6] {
    let [be, hw] = super::orders::high();
    [
        Subject {
            name: "isa",
            run: isa,
            code: "HADD2 R0, R1, R2;\n@!P0 HADD2.FTZ R4, -R1.H0_H0, c[0x0][0x160];\n",
            hex: "00000000000000000000000201007130\n00000000000211000000016001048530\n",
            widths: &[128],
            none: "00000000000000000000000000012345",
            mistake: ("HADD2.FTS R0, R1, R2;", 6, "did you mean `.FTZ`?"),
            exec: (&["R1=0x3c003c00", "R2=1006648320"], "R0 = 0x40004000\nR4 = 0xbc00bc00\n"),
            unknown: ("r1=1", "did you mean `R1`?"),
            foreign: &["rv", "a0", "Rv64imac"],
        },
        Subject {
            name: "rv",
            run: |args, stdin| run(&isa_riscv::tool(), args, stdin),
            code: "addi a0, a1, -4;\nc.lw a1, 8(s1);\nsd a0, 16(s1);\n",
            hex: "ffc58513\n448c\n00a4b823\n",
            widths: &[16, 32],
            none: "ffffffff",
            mistake: ("addi a0, a1, 5000;", 14, "a number from -2048 to 2047"),
            exec: (
                &["x11=0x104", "s1=0x2000", "mem[0x2008..0x200c]=0x80000000", "pc=0x1000"],
                "a0 = 0x0000000000000100\na1 = 0xffffffff80000000\n\
                 mem[0x2010..0x2018] = 0x0000000000000100\n",
            ),
            unknown: ("A1=1", "did you mean `a1`?"),
            foreign: &["isa ", "GPU", "HADD2", "R0", "P0", "UR", "warp", "32 hex"],
        },
        // The words that LLVM encodes.
        Subject {
            name: "a64",
            run: |args, stdin| run(&isa_a64::tool(), args, stdin),
            code: "add x0, x1, #4;\nsubs w2, w0, #5;\nstr x0, [sp, #16];\n",
            hex: "91001020\n71001402\nf9000be0\n",
            widths: &[32],
            none: "00000000",
            mistake: ("add x0, x1, #5000;", 14, "a number from 0 to 4095"),
            exec: (
                &["x1=0x101", "sp=0x2000", "pc=0x1000"],
                "x0 = 0x0000000000000105\nx2 = 0x0000000000000100\nnzcv = 0x02\n\
                 mem[0x2010..0x2018] = 0x0000000000000105\n",
            ),
            unknown: ("X1=1", "did you mean `x1`?"),
            foreign: &["isa ", "rv ", "GPU", "HADD2", "a0", "P0", "warp", "32 hex"],
        },
        be,
        hw,
        super::orders::odd(),
    ]
}

#[test]
fn words_and_texts_are_each_others() {
    for Subject { run, code, hex, .. } in subjects() {
        let (code, hex) = (code.repeat(20_000), hex.repeat(20_000));
        assert!(run(&["asm"], code.as_bytes()).fine() == hex, "assembling");
        assert!(run(&["dis"], hex.as_bytes()).fine() == code, "disassembling");
        assert!(run(&["dis", "--strict"], hex.as_bytes()).fine() == code, "disassembling");
        let listing = run(&["asm", "--emit", "listing"], code.as_bytes());
        assert!(run(&["asm"], &listing.out).fine() == hex, "assembling a listing");
        assert!(run(&["dis"], &listing.out).fine() == code, "disassembling a listing");
        let placed = run(&["dis", "--addresses"], hex.as_bytes());
        assert!(placed.fine() == listing.fine(), "addresses are a listing");
        let bytes = run(&["asm", "--emit", "bin"], code.as_bytes());
        assert_eq!(bytes.status, Status::Success);
        assert!(run(&["dis", "--from", "bin"], &bytes.out).fine() == code, "disassembling bytes");
        let placed = run(&["dis", "--from", "bin", "--addresses"], &bytes.out);
        assert!(placed.fine() == listing.fine(), "addresses of bytes are a listing");
    }
}

#[test]
fn what_is_no_instruction_stays_the_same_word() {
    for Subject { run, none, hex, .. } in subjects() {
        let words = format!("{none}\n{hex}{none}\n");
        let text = run(&["dis"], words.as_bytes());
        assert_has(text.fine(), &[&format!(" 0x{none}; // ")]);
        assert_eq!(run(&["asm"], &text.out).fine(), words);
        let bytes = run(&["dis"], b"\xff");
        assert_has(bytes.partly().1, &["invalid UTF-8", "`dis --from bin` accepts binary files"]);
        let strict = run(&["dis", "--strict"], words.as_bytes());
        let places = ["<stdin>:1:1\n", "invalid instruction", "error: 2 errors; nothing"];
        assert_has(strict.failed(Status::Failure), &places);
        let (explained, error) =
            (run(&["explain", none], b""), "error: this is not a valid instruction");
        assert_has(explained.partly().0, &["\nillegal ", &format!("\nword    0x{none}\n")]);
        assert_has(explained.partly().1, &[error]);
        let bad = run(&["dis"], b"12g4");
        assert_has(bad.failed(Status::Failure), &["<stdin>:1:3\n", "not a hexadecimal digit"]);
    }
}

#[test]
fn mistakes_have_a_place_a_line_and_help() {
    for Subject { run, code, mistake: (text, column, help), .. } in subjects() {
        let input = format!("{code}{text}\n");
        let line = code.lines().count() + 1;
        for command in ["asm", "exec"] {
            let outcome = run(&[command], input.as_bytes());
            let place = format!("<stdin>:{line}:{column}\n");
            let parts = [&place, &*format!("{line} | {text}\n"), help, "nothing was written"];
            assert_has(outcome.failed(Status::Failure), &parts);
        }
        let objects = run(&["asm", "--json"], input.as_bytes()).json();
        assert_eq!((&objects[0]["line"], &objects[0]["text"]), (&line.into(), &text.into()));
        let start = code.len() + column - 1;
        assert_eq!(objects[0]["span"][0], start);
        let broken = run(&["asm"], &[code.as_bytes(), b"\xff"].concat());
        assert_has(
            broken.failed(Status::Failure),
            &["invalid UTF-8", &format!("<stdin>:{line}:1\n")],
        );
        let open = run(&["asm"], format!("{code} /* x").as_bytes());
        let place = format!("<stdin>:{line}:2\n");
        assert_has(open.failed(Status::Failure), &["`*/`", &place, "1 error;"]);
    }
}

#[test]
fn explanations_account_for_every_bit() {
    for Subject { run, code, hex, widths, .. } in subjects() {
        for (text, word) in code.lines().zip(hex.lines()) {
            let explained = run(&["explain", word], b"");
            assert!(explained.fine().starts_with(&format!("{text}\nword    0x{word}\n")), "{text}");
            assert_eq!(run(&["explain", "--asm", text], b"").fine(), explained.text());
            let object = run(&["explain", "--json", word], b"");
            let object: serde_json::Value = serde_json::from_str(object.fine()).unwrap();
            let bits = object["parts"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|part| Some(part["high"].as_u64()? + 1 - part["low"].as_u64()?));
            let bits: u64 = bits.sum();
            assert_eq!(bits, word.len() as u64 * 4, "{object}");
            assert!(widths.contains(&bits));
        }
    }
}

#[test]
fn opcodes_are_listed_with_their_widths() {
    for Subject { run, widths, .. } in subjects() {
        let lines = run(&["list"], b"").fine().lines().count();
        let objects = run(&["list", "--json"], b"");
        let objects = objects
            .fine()
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut found: Vec<u64> = objects.map(|object| object["bits"].as_u64().unwrap()).collect();
        assert_eq!(found.len(), lines);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, widths);
    }
}

#[test]
fn machines_are_set_and_shown_by_their_names() {
    for Subject { run, code, exec: (settings, written), unknown, .. } in subjects() {
        let args = [&["exec", "--set"], settings].concat();
        assert_eq!(run(&args, code.as_bytes()).fine(), written);
        let trace = run(&[&args[..], &["--trace"]].concat(), code.as_bytes());
        assert!(trace.fine().ends_with(&format!("\n\n{written}")), "{}", trace.text());
        assert_eq!(trace.text().matches("\n    reads   ").count(), code.lines().count());

        let pair = |text: &str| {
            let (name, value) = text.split_once('=').unwrap();
            format!("\"{}\": \"{}\"", name.trim(), value.trim())
        };
        let all = |texts: Vec<&str>| texts.into_iter().map(pair).collect::<Vec<_>>().join(", ");
        let request = format!("{{\"asm\": {code:?}, \"state\": {{{}}}}}\n", all(settings.to_vec()));
        let answer = format!("{{\"state\": {{{}}}}}\n", all(written.lines().collect()));
        assert_eq!(run(&["exec", "--jsonl"], request.as_bytes()).fine(), answer);

        let (setting, help) = unknown;
        let outcome = run(&["exec", "--set", setting], b"");
        assert_has(outcome.failed(Status::Usage), &["the machine has no `", help]);
    }
}

#[test]
fn a_tool_speaks_of_its_own_set() {
    for Subject { name, run, foreign, .. } in subjects() {
        let usage = format!("usage: {name} ");
        for command in COMMANDS {
            let help = run(&[command, "--help"], b"");
            assert_has(help.fine(), &[&usage]);
            let mut words = help.text().split(|c: char| !c.is_alphanumeric());
            let strange = words.find(|word| foreign.contains(word));
            assert_eq!(strange, None, "{name} {command}\n{}", help.text());
            assert!(help.text().lines().all(|line| line.chars().count() <= 110), "{command}");
            let unknown = run(&[command, "--what"], b"");
            let hint = format!("`{name} {command} --help` lists the options");
            assert_has(unknown.failed(Status::Usage), &[&hint]);
        }
        let upper = name.to_uppercase();
        assert_has(run(&["man"], b"").fine(), &[&format!(".TH {upper}"), &format!("{upper} ASM")]);
        assert_has(run(&["completions", "zsh"], b"").fine(), &[&format!("#compdef {name}")]);
        assert_has(run(&[], b"").failed(Status::Usage), &[&format!("`{name} --help` lists")]);
    }
}

#[test]
fn broken_input_ends_with_a_status() {
    let commands: [&[&str]; 7] = [
        &["asm", "--emit", "listing"],
        &["dis"],
        &["dis", "--from", "bin", "--addresses"],
        &["dis", "--strict"],
        &["dis", "--from", "listing"],
        &["exec", "--trace"],
        &["exec", "--jsonl"],
    ];
    let mut numbers = Numbers(7);
    for Subject { run, code, hex, .. } in subjects() {
        let listing = run(&["asm", "--emit", "listing"], code.as_bytes()).out;
        let request = format!("{{\"asm\": {code:?}, \"state\": {{}}}}").into_bytes();
        let seeds = [code.as_bytes(), hex.as_bytes(), &listing, &request];
        for round in 0..part_of(1_000) as usize {
            let mut input = seeds[round % seeds.len()].to_vec();
            for _ in 0..=numbers.below(6) {
                mutate(&mut input, &mut numbers);
            }
            for args in commands {
                let outcome = run(args, &input);
                let failed = outcome.status == Status::Failure;
                assert_eq!(failed, !outcome.err.is_empty(), "{args:?} {input:?}");
                assert_ne!(outcome.status, Status::Usage);
            }
        }
    }
}

/// Checks that a listing in hexadecimal assembles to the same program, for words in any form and of
/// any number. With the addresses of targets the listing is only for people.
#[test]
fn words_are_printed_in_a_style() {
    for Subject { run, code, name, .. } in subjects() {
        let words = run(&["asm"], code.as_bytes());
        // The words are so many that all cores print them.
        let many = words.fine().repeat(20_000);
        for input in [words.fine(), &many] {
            let styled = run(&["dis", "--style", "hex"], input.as_bytes());
            assert_eq!(run(&["asm"], styled.fine().as_bytes()).fine(), input);
            let placed = run(&["dis", "--style=hex", "--addresses"], input.as_bytes());
            assert_eq!(run(&["asm"], placed.fine().as_bytes()).fine(), input);
            assert_ne!(placed.fine(), styled.fine());
        }
        let bytes = run(&["asm", "--emit", "bin"], code.as_bytes()).out;
        let styled = run(&["dis", "--style", "hex"], words.fine().as_bytes());
        let binary = run(&["dis", "--style", "hex", "--from", "bin"], &bytes);
        assert_eq!(binary.fine(), styled.fine());
        let wrong = run(&["dis", "--style", "hxe"], b"");
        let parts = [
            "invalid value for --style: expected one of hex",
            "found `hxe`",
            "did you mean `hex`?",
        ];
        assert_has(wrong.failed(Status::Usage), &parts);
        if name == "isa" {
            let targets = run(&["dis", "--style", "targets"], b"");
            assert_has(
                targets.failed(Status::Usage),
                &["invalid value for --style: expected one of hex, no-settings, found `targets`"],
            );
        }
    }
    let [_, Subject { run: rv, .. }, Subject { run: a64, .. }, ..] = subjects();
    let expected =
        "/* 00000040  ffc00113 */  li sp, -4;\n/* 00000044  fe059ce3 */  bnez a1, 0x3c;\n";
    let args = ["dis", "--style", "targets"];
    let start = ["--start-address", "0x40"];
    assert_eq!(rv(&[&args[..], &start].concat(), b"ffc00113 fe059ce3").fine(), expected);
    // A listing contains its own addresses.
    assert_eq!(rv(&args, expected.as_bytes()).fine(), expected);
    let expected =
        "/* 00000000  f1007c20 */  subs x0, x1, #0x1f;\n/* 00000004  54ffffe1 */  b.ne 0x0;\n";
    let both = ["dis", "--style", "hex", "--style", "targets"];
    assert_eq!(a64(&both, b"f1007c20 54ffffe1").fine(), expected);
    for run in [rv, a64] {
        let object = run(&["asm", "--emit", "elf"], b".globl f\nf: .8byte 1\n");
        assert_has(
            run(&["dis", "--style", "hex,targets"], &object.out).fine(),
            &["f:\n/* 00000000", "01"],
        );
    }
}

/// Checks features that `isa` does not use: traps, labels and the program counter.
#[test]
fn programs_jump_trap_and_end() {
    let [_, Subject { run, .. }, ..] = subjects();
    let code = b"        li   a0, 0      # a sum\n        li   a1, 10\n\
        loop:   add  a0, a0, a1\n        addi a1, a1, -1\n        bnez a1, loop\n";
    let sum = run(&["exec"], code);
    assert_has(sum.fine(), &["a0 = 0x0000000000000037\n", "pc = 0x0000000000000014\n"]);
    let listing = run(&["asm", "--emit", "listing", "--start-address", "0x100"], code);
    assert_has(listing.fine(), &["/* 00000110  fe059ce3 */  bnez a1, -8;\n"]);
    let labels = run(&["dis", "--labels"], &run(&["asm"], code).out);
    assert_has(labels.fine(), &["\nL_8:\n", "bnez a1, L_8;\n"]);
    assert_eq!(run(&["asm"], &labels.out).fine(), run(&["asm"], code).fine());
    let targets = run(&["dis", "--style", "targets,hex", "--labels"], &run(&["asm"], code).out);
    assert_has(targets.fine(), &["\nL_8:\n", "addi a1, a1, -0x1;\n    bnez a1, L_8;\n"]);
    let trap = run(&["exec"], b"li a0, 1\n  ebreak\nli a0, 2\n");
    let parts = ["<stdin>:2:3\n", "trap: breakpoint", "nothing was written"];
    assert_has(trap.failed(Status::Failure), &parts);
    let endless = run(&["exec", "--steps", "50"], b"here: j here");
    assert_has(endless.failed(Status::Failure), &["after 50 instructions", "<stdin>:1:7\n"]);
    let far = run(&["asm", "--json"], b"j nowhere\n.byte 256\nx: x: li a0, 0\n");
    let codes: Vec<_> = far.json().iter().map(|object| object["code"].to_string()).collect();
    assert_eq!(codes, ["\"operand\"", "\"operand\"", "\"label-twice\"", "null"]);
}

/// Collects the keys of all objects in a JSON value.
fn keys_of(value: &serde_json::Value, keys: &mut std::collections::BTreeSet<String>) {
    if let Some(object) = value.as_object() {
        keys.extend(object.keys().cloned());
    }
    let object = value.as_object().into_iter().flat_map(|object| object.values());
    let list = value.as_array().into_iter().flatten();
    object.chain(list).for_each(|value| keys_of(value, keys));
}

/// Checks that `list --help` and `explain --help` explain each key that the commands print.
#[test]
fn help_lists_each_key_of_json() {
    for subject in subjects() {
        for (command, input) in [("list", ""), ("explain", subject.hex), ("explain", subject.none)]
        {
            let printed = (subject.run)(&[command, "--json"], input.as_bytes());
            let mut keys = std::collections::BTreeSet::new();
            for line in printed.text().lines() {
                keys_of(&serde_json::from_str(line).unwrap(), &mut keys);
            }
            assert!(keys.len() > 5, "{}: {keys:?}", subject.name);
            let help = (subject.run)(&[command, "--help"], b"");
            let words = || help.text().split(|c: char| !c.is_alphanumeric() && c != '_');
            keys.retain(|key| words().all(|word| word != key));
            assert!(keys.is_empty(), "the help text of `{command}` does not explain {keys:?}");
        }
    }
}
