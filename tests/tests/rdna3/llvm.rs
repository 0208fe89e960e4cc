//! LLVM's assembler and disassembler as functions of many texts and words.

use std::process::Command;

use isa_tests::tools::{self, Tool, tidy};

/// The release that prints packed literals as this processor uses them. Releases before 15 do not know
/// the processor. Release 16 prints some literals of two halves as if they were a 32-bit float.
const LLVM: Tool =
    Tool { program: "llvm-mc-19", release: "version 19.", install: "apt-get install llvm-19" };

/// The processor. Without `real-true16`, a register that contains one half is `v1` and not `v1.l`.
const FLAGS: [&str; 3] = ["--triple=amdgcn", "--mcpu=gfx1100", "--mattr=-real-true16"];

/// Returns whether LLVM is installed. See [`tools::are_here`].
pub(crate) fn is_here() -> bool {
    tools::are_here(&[LLVM])
}

/// Returns the text of each word, or `None` if LLVM does not decode it as one instruction.
///
/// # Panics
///
/// Panics if LLVM does not run.
pub(crate) fn disassembled(words: &[Vec<u8>]) -> Vec<Option<String>> {
    // LLVM continues in the middle of an invalid word, so an instruction with a number follows each word.
    let mut input = String::new();
    for (place, word) in words.iter().enumerate() {
        let marker = 0xbf80_0000 | place as u32 & 0xffff;
        for bytes in [&word[..], &marker.to_le_bytes()] {
            input.extend(bytes.iter().map(|byte| format!("{byte:#04x} ")));
            input.push('\n');
        }
    }
    let output = tools::run(Command::new(LLVM.program).arg("--disassemble").args(FLAGS), input);
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut is_valid = vec![true; words.len()];
    for warning in warnings.lines().filter_map(|line| line.strip_prefix("<stdin>:")) {
        let line: usize =
            warning.split(':').next().and_then(|line| line.parse().ok()).expect("a line");
        is_valid[(line - 1) / 2] = false;
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let mut texts = vec![None; words.len()];
    let mut own: Vec<String> = Vec::new();
    for line in text.lines().map(tidy).filter(|line| !line.is_empty() && line != ".text") {
        let Some(marker) = line.strip_prefix("s_nop ") else {
            own.push(line);
            continue;
        };
        let digits = marker.strip_prefix("0x");
        let place = digits.map_or_else(|| marker.parse(), |it| usize::from_str_radix(it, 16));
        let place = place.expect("the number of a marker");
        // After an invalid word, the next marker may be missing.
        if let ([_], true) = (&own[..], is_valid[place]) {
            texts[place] = own.pop().filter(|text| !text.contains("/*"));
        }
        own.clear();
    }
    texts
}

/// Returns the bytes of each text, or the reason why LLVM does not accept it.
///
/// # Panics
///
/// Panics if LLVM does not run.
pub(crate) fn assembled(texts: &[&str]) -> Vec<Result<Vec<u8>, String>> {
    let input = texts.iter().map(|text| format!("{text}\n")).collect();
    let output = tools::run(Command::new(LLVM.program).arg("--show-encoding").args(FLAGS), input);
    let mut found: Vec<Option<String>> = vec![None; texts.len()];
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let Some((place, rest)) = line.strip_prefix("<stdin>:").and_then(|it| it.split_once(':'))
        else {
            continue;
        };
        let place: usize = place.parse().expect("the number of a line");
        let reason = rest.split_once("error: ").map_or(rest, |(_, reason)| reason);
        found[place - 1].get_or_insert_with(|| reason.to_owned());
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let mut encodings =
        text.lines().filter_map(|line| line.split_once("encoding: [")).map(|it| it.1);
    let number = |byte: &str| u8::from_str_radix(byte.trim().trim_start_matches("0x"), 16).ok();
    let bytes = |text: &str| -> Vec<u8> {
        text.trim_end_matches(']').split(',').map(|byte| number(byte).expect("a byte")).collect()
    };
    found
        .into_iter()
        .map(|reason| match reason {
            Some(reason) => Err(reason),
            None => Ok(bytes(encodings.next().expect("an encoding"))),
        })
        .collect()
}
