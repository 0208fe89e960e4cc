//! Compares disassembled words with other disassemblers: the same words are valid and have the same
//! text, and the text assembles to the word again.

use std::collections::BTreeMap;
use std::io::Write;

use isa_riscv::Rv64imac;

use crate::sample::Sample;
use crate::spelling::{LLVM, OBJDUMP, Tool};
use crate::tools;

/// The number of occurrences of each difference.
type Met = BTreeMap<&'static str, usize>;

/// Returns our text of a word, with or without aliases. Checks that it assembles to the word. All
/// disassemblers show a word with a reserved field as data, because no text assembles to it.
fn listing(word: u32, aliases: bool) -> Option<String> {
    let instruction = tools::readable(word)?;
    let text = if aliases { instruction.to_string() } else { format!("{instruction:#}") };
    let again = text.parse::<Rv64imac>().map(|instruction| instruction.encode().ok());
    assert_eq!(again.ok().flatten(), Some(word), "{word:#010x} prints as {text}");
    text.strip_suffix(';').map(str::to_owned)
}

/// Compares our texts with those of a tool, and counts the differences.
fn compare(
    tool: &Tool,
    words: &[u32],
    len: usize,
    ours: &[Option<String>],
    theirs: &[Option<String>],
    met: &mut Met,
) {
    assert_eq!(ours.len(), theirs.len());
    let mut wrong = Vec::new();
    for (place, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let address = (place * len) as u64;
        let ours = ours.as_deref().map(|text| (tool.spell)(text, address));
        if ours == *theirs {
            continue;
        }
        let difference = tool.differences.iter();
        match difference.into_iter().find(|d| (d.applies)(ours.as_deref(), theirs.as_deref())) {
            Some(difference) => *met.entry(difference.why).or_default() += 1,
            None => wrong.push(format!("{:#010x}: {ours:?}, not {theirs:?}", words[place])),
        }
    }
    let some = wrong.len().min(20);
    assert!(wrong.is_empty(), "{} words differ:\n{}", wrong.len(), wrong[..some].join("\n"));
}

#[test]
fn every_16_bit_word() {
    if !tools::are_here(&["llvm-mc", "riscv64-linux-gnu-objdump"]) {
        return;
    }
    let words: Vec<u32> = (0..0x1_0000).filter(|word| word & 3 != 3).collect();
    let ours: Vec<Option<String>> = words.iter().map(|&word| listing(word, false)).collect();
    let (mut llvm, mut gnu) = (Met::new(), Met::new());
    compare(&LLVM, &words, 2, &ours, &tools::llvm(&words, 2, false), &mut llvm);
    compare(&OBJDUMP, &words, 2, &ours, &tools::objdump(&words, 2), &mut gnu);
    assert_eq!(llvm.into_values().collect::<Vec<_>>(), [32, 31], "hints, and reserved ones");
    assert_eq!(gnu.into_values().sum::<usize>(), 4 * 2048 + 64 + 1);
    // All others begin longer words.
    let mut longer =
        (0..0x1_0000).filter(|word| word & 3 == 3).filter_map(|word| Rv64imac::decode(word).ok());
    assert!(longer.all(|instruction| instruction.opcode().bits == 32));
}

/// Compares a number of 32-bit words.
fn compare_sample(count: usize, seed: u64, aliases: bool, progress: bool) {
    let mut sample = Sample::new(seed);
    let (mut met, mut instructions, mut done) = (Met::new(), 0, 0);
    while done < count {
        let words: Vec<u32> = sample.by_ref().take(250_000.min(count - done)).collect();
        let ours: Vec<Option<String>> = words.iter().map(|&word| listing(word, aliases)).collect();
        instructions += ours.iter().flatten().count();
        compare(&LLVM, &words, 4, &ours, &tools::llvm(&words, 4, aliases), &mut met);
        done += words.len();
        // The GNU disassembler has other aliases: `add` with a number is `addi`.
        if aliases {
            continue;
        }
        // If the five lowest bits are set, the GNU disassembler assumes a longer word.
        let kept = words.iter().zip(ours).filter(|(word, _)| *word & 31 != 31);
        let (words, ours): (Vec<u32>, Vec<Option<String>>) = kept.unzip();
        compare(&OBJDUMP, &words, 4, &ours, &tools::objdump(&words, 4), &mut met);
        if progress {
            let message = format!("{done} of {count} words, {instructions} instructions\n");
            let _ = std::io::stderr().write_all(message.as_bytes());
        }
    }
    if progress {
        let _ = std::io::stderr().write_all(format!("differences: {met:#?}\n").as_bytes());
    }
    assert!(instructions > count / 4, "only {instructions} of {count} words are instructions");
}

#[test]
fn words_of_32_bits() {
    if tools::are_here(&["llvm-mc", "riscv64-linux-gnu-objdump"]) {
        compare_sample(200_000, 1, false, false);
        compare_sample(200_000, 4, true, false);
    }
}

/// Compares many words:
/// `ISA_WORDS=10000000 cargo test --release -p isa-tests --test riscv -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; `ISA_WORDS` sets the number of words"]
fn many_words_of_32_bits() {
    if tools::are_here(&["llvm-mc", "riscv64-linux-gnu-objdump"]) {
        let count = std::env::var("ISA_WORDS").ok().and_then(|count| count.parse().ok());
        compare_sample(count.unwrap_or(10_000_000), 2, false, true);
    }
}

/// Checks all words of the group whose operation is encoded in the most bits.
#[test]
fn every_word_without_operands_of_the_system_group() {
    if !tools::are_here(&["llvm-mc", "riscv64-linux-gnu-objdump"]) {
        return;
    }
    let words: Vec<u32> = (0..0x1000).map(|funct| funct << 20 | 0x73).collect();
    let ours: Vec<Option<String>> = words.iter().map(|&word| listing(word, false)).collect();
    assert_eq!(ours.iter().flatten().collect::<Vec<_>>(), ["ecall", "ebreak"]);
    compare(&LLVM, &words, 4, &ours, &tools::llvm(&words, 4, false), &mut Met::new());
    compare(&OBJDUMP, &words, 4, &ours, &tools::objdump(&words, 4), &mut Met::new());
}
