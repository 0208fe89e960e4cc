//! Executes cases under QEMU: a single program executes each word in the state of its case and
//! writes the resulting state.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::cases::{CODE, Case, DATA, SLOT, State, WINDOW, pattern};
use crate::tools;
use isa_tests::tools::Temporary;

/// The addresses of the cases and of the results.
const CASES: u64 = 0x1100_0000;
const RESULTS: u64 = 0x2000_0000;

/// The address of a copy of the data that the words do not change.
const COPY: u64 = 0x1010_0000;

/// The sizes of a case and of a result in bytes.
const CASE: usize = 8 + 33 * 8 + 8 + 8 * 16 + 8;
const RESULT: usize = 34 * 8 + WINDOW + 8 * 16;

/// Returns the code after the word, which stores the state. `way` identifies how the word
/// continued.
fn store(way: u32) -> String {
    let mut text = format!("way{way}: msr TPIDR_EL0, x0\nmov x0, #{RESULTS}\nldr x0, [x0]\n");
    for register in (1..31).step_by(2) {
        text += &format!("stp x{register}, x{}, [x0, #{}]\n", register + 1, 8 * register);
    }
    text + &format!(
        "mrs x1, TPIDR_EL0\nstr x1, [x0]\nmov x1, sp\nmrs x2, NZCV\nmov x3, #{way}\n\
         str x1, [x0, #248]\nstr x2, [x0, #256]\nstr x3, [x0, #264]\nb behind\n"
    )
}

/// Returns the program. Memory at `RESULTS` contains the addresses of the next result and of the
/// next case.
fn program(count: usize) -> String {
    let (cases_end, first) = (CASES + (count * CASE) as u64, RESULTS + 16);
    let mut text = format!(
        "mov x0, #{RESULTS}\nmov x1, #{first_low}\nmovk x1, #{first_high}, lsl #16\n\
         mov x2, #{CASES}\nstp x1, x2, [x0]\n\
         next: mov x0, #{RESULTS}\nldr x1, [x0, #8]\n\
         movz x2, #{end_low}\nmovk x2, #{end_high}, lsl #16\ncmp x1, x2\nb.eq done\n\
         ldr w2, [x1]\nadr x3, slot\nstr w2, [x3]\n\
         dc cvau, x3\ndsb ish\nic ivau, x3\ndsb ish\nisb\n\
         ldp x3, x4, [x1, #272]\nadd x3, x3, #16\nadr x5, reserve\nadd x5, x5, x4, lsl #3\nbr x5\n\
         reserve: clrex\nb on\nldxrb w6, [x3]\nb on\nldxrh w6, [x3]\nb on\n\
         ldxr w6, [x3]\nb on\nldxr x6, [x3]\nb on\n\
         ldxp w6, w7, [x3]\nb on\nldxp x6, x7, [x3]\non: \
         ldp x2, x3, [x1, #256]\nmov sp, x2\nmsr NZCV, x3\n",
        first_low = first & 0xffff,
        first_high = first >> 16,
        end_low = cases_end & 0xffff,
        end_high = cases_end >> 16,
    );
    for pair in 0..4 {
        text += &format!(
            "ldr q{}, [x1, #{}]\nldr q{}, [x1, #{}]\n",
            2 * pair,
            288 + 32 * pair,
            2 * pair + 1,
            304 + 32 * pair
        );
    }
    for register in (2..30).step_by(2) {
        text += &format!("ldp x{register}, x{}, [x1, #{}]\n", register + 1, 8 + 8 * register);
    }
    text += "ldr x30, [x1, #248]\nldr x0, [x1, #8]\nldr x1, [x1, #16]\n";
    text += &format!(".balign 4096\nslot: nop\nb way0\nb way1\n{}{}", store(0), store(1));
    text += &format!("behind: mov x1, #{RESULTS}\nldr x2, [x1, #8]\nldr x3, [x2, #272]\n");
    text += "mov x4, x0\n";
    for place in (0..WINDOW).step_by(8) {
        text += &format!("ldr x5, [x3, #{place}]\nstr x5, [x4, #{}]\n", 272 + place);
    }
    text += &format!("mov x6, #{}\nadd x6, x6, x3\n", COPY - DATA);
    for place in (0..WINDOW).step_by(8) {
        text += &format!("ldr x5, [x6, #{place}]\nstr x5, [x3, #{place}]\n");
    }
    for register in 0..8 {
        text += &format!("str q{register}, [x4, #{}]\n", 272 + WINDOW + 16 * register);
    }
    text += &format!(
        "add x4, x4, #{RESULT}\nadd x2, x2, #{CASE}\nstp x4, x2, [x1]\nb next\n\
         done: mov x0, #1\nmov x1, #{first_low}\nmovk x1, #{first_high}, lsl #16\n\
         mov x3, #{RESULTS}\nldr x2, [x3]\nsub x2, x2, x1\nmov x8, #64\nsvc #0\n\
         mov x0, #0\nmov x8, #93\nsvc #0\n",
        first_low = first & 0xffff,
        first_high = first >> 16,
    );
    text
}

/// A part of the program in memory: its start, its bytes and its size in bytes.
struct Part(u64, Vec<u8>, u64);

/// Returns an executable that consists of these parts and starts at `CODE`.
fn executable(parts: &[Part]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    // An executable for AArch64.
    file.extend([2u16, 183].iter().flat_map(|half| half.to_le_bytes()));
    file.extend(1u32.to_le_bytes());
    file.extend([CODE, 64, 0].iter().flat_map(|number| number.to_le_bytes()));
    file.extend(0u32.to_le_bytes());
    let halves = [64u16, 56, parts.len() as u16, 64, 0, 0];
    file.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    let mut offset = 0x1_0000u64;
    for Part(start, bytes, size) in parts {
        // A loadable segment with all permissions.
        file.extend([1u32, 7].iter().flat_map(|number| number.to_le_bytes()));
        let numbers = [offset, *start, *start, bytes.len() as u64, *size, 0x1_0000];
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        offset = (offset + bytes.len() as u64).next_multiple_of(0x1_0000);
    }
    for Part(_, bytes, _) in parts {
        file.resize(file.len().next_multiple_of(0x1_0000), 0);
        file.extend(bytes);
    }
    file
}

fn case_bytes(case: &Case) -> Vec<u8> {
    let State { x, sp, nzcv, v } = &case.state;
    let mut bytes = u64::from(case.word).to_le_bytes().to_vec();
    let numbers =
        x.iter().copied().chain([*sp, u64::from(*nzcv) << 28, case.window, case.reserve.into()]);
    bytes.extend(numbers.flat_map(u64::to_le_bytes));
    bytes.extend(v.iter().flat_map(|number| number.to_le_bytes()));
    bytes.resize(CASE, 0);
    bytes
}

/// The result of a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) state: State,
    /// Whether the word continued after the next instruction.
    pub(crate) jumped: bool,
    /// The memory that the word may have changed.
    pub(crate) memory: Vec<u8>,
}

fn outcome(bytes: &[u8]) -> Outcome {
    let numbers = bytes[..272].as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    let numbers: Vec<u64> = numbers.collect();
    let vectors =
        bytes[272 + WINDOW..].as_chunks().0.iter().map(|bytes| u128::from_le_bytes(*bytes));
    let vectors: Vec<u128> = vectors.collect();
    Outcome {
        state: State {
            x: numbers[..31].try_into().expect("31 registers"),
            sp: numbers[31],
            nzcv: (numbers[32] >> 28) as u8,
            v: vectors.try_into().expect("eight registers"),
        },
        jumped: numbers[33] == 1,
        memory: bytes[272..272 + WINDOW].to_vec(),
    }
}

/// Returns the results of cases under QEMU.
///
/// # Panics
///
/// Panics if the program does not exit successfully.
pub(crate) fn run(cases: &[Case]) -> Vec<Outcome> {
    let mut code: Vec<u8> =
        tools::assemble(&program(cases.len())).iter().flat_map(|word| word.to_le_bytes()).collect();
    let slot = tools::assemble(&program(cases.len()));
    assert_eq!(slot[(SLOT - CODE) as usize / 4], 0xd503_201f, "the slot is a `nop`");
    let beside = pattern(CODE);
    code.extend(&beside[code.len()..]);
    let data = pattern(DATA).to_vec();
    let size = data.len() as u64;
    let table: Vec<u8> = cases.iter().flat_map(case_bytes).collect();
    let table_size = table.len() as u64;
    let parts = [
        Part(CODE, code, size),
        Part(DATA, data.clone(), size),
        Part(COPY, data, size),
        Part(CASES, table, table_size),
        Part(RESULTS, Vec::new(), (16 + cases.len() * RESULT) as u64),
    ];
    let file = Temporary::new("elf");
    std::fs::write(&file.0, executable(&parts)).expect("a temporary file");
    std::fs::set_permissions(&file.0, Permissions::from_mode(0o700)).expect("it is ours");
    let output = isa_tests::tools::run(
        Command::new("qemu-aarch64").args(["-cpu", "cortex-a57"]).arg(&file.0),
        String::new(),
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {said}", output.status);
    assert_eq!(output.stdout.len(), cases.len() * RESULT);
    output.stdout.chunks(RESULT).map(outcome).collect()
}
