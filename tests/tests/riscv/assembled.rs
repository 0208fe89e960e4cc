//! Compares the bytes that the GNU assembler and we assemble from our texts.

use isa_core::text::Line;
use isa_riscv::Rv64imac;
use isa_verify::random::SplitMix64;

use crate::sample::Sample;
use crate::tools;

/// Returns the text in the spelling of the GNU assembler, which requires targets instead of
/// distances. It has no spelling for a fence that orders nothing.
fn for_gnu(text: String) -> Option<String> {
    if text.contains("unknown") {
        return None;
    }
    let mnemonic = text.split([' ', ';']).next().unwrap_or_default();
    let jumps = [
        "beq", "bne", "blt", "bge", "bltu", "bgeu", "jal", "c.j", "c.beqz", "c.bnez", "beqz",
        "bnez", "blez", "bgez", "bltz", "bgtz", "j", "bgt", "ble", "bgtu", "bleu",
    ];
    if !jumps.contains(&mnemonic) {
        return Some(text);
    }
    let at = text.rfind(' ')? + 1;
    let (rest, distance) = text.split_at(at);
    Some(format!("{rest}.+({}", distance.replace(';', ");")))
}

/// Returns the text of a word without aliases.
fn plain(word: u32) -> Option<String> {
    Some(format!("{:#}", tools::readable(word)?))
}

/// Assembles texts with the GNU assembler and compares the code with the words.
fn assembles(texts: impl Iterator<Item = (u32, String)>, len: usize) -> usize {
    let taken = texts.filter_map(|(word, text)| Some((word, for_gnu(text)?)));
    let taken: Vec<(u32, String)> = taken.collect();
    let text: Vec<&str> = taken.iter().map(|(_, text)| text.as_str()).collect();
    let code = tools::assemble(&format!("{}\n", text.join("\n")), len == 2);
    assert_eq!(code.len(), taken.len() * len);
    for ((word, text), bytes) in taken.iter().zip(code.chunks(len)) {
        assert_eq!(&word.to_le_bytes()[..len], bytes, "{text}");
    }
    taken.len()
}

const PROGRAMS: &[&str] = &["riscv64-linux-gnu-as"];

#[test]
fn every_16_bit_instruction() {
    if tools::are_here(PROGRAMS) {
        let words = (0..0x1_0000).filter(|word| word & 3 != 3);
        // Without the words of floating point and the reserved words.
        assert_eq!(
            assembles(words.filter_map(|word| Some((word, plain(word)?))), 2),
            49_152 - 8_192 - 2_408
        );
    }
}

#[test]
fn instructions_of_32_bits() {
    if tools::are_here(PROGRAMS) {
        let words = Sample::new(3).take(200_000);
        assert!(assembles(words.filter_map(|word| Some((word, plain(word)?))), 4) > 50_000);
    }
}

/// Checks that both assemblers encode every alias and synonym as the same word.
#[test]
fn aliases() {
    let set = Rv64imac::SET;
    let mut random = SplitMix64::new(5);
    let mut texts = Vec::new();
    for row in &set.spellings[set.opcodes.len()..] {
        for _ in 0..400 {
            let free = !(row.fixed.mask | row.unused | row.ignored) & u128::MAX >> (128 - row.bits);
            let mut words = core::iter::repeat_with(|| {
                random.bits() & u64::from(free as u32) | row.fixed.value as u64
            });
            // Some words have values that do not exist, such as the width of an atomic operation.
            let legal = words.find(|word| Rv64imac::decode(*word as u32).is_ok());
            let word = legal.expect("there are legal words");
            let mut line = Line::new();
            row.print_plain(word.into(), &mut line);
            let instruction: Rv64imac = line.as_str().parse().expect("it reads what it prints");
            assert_eq!(u64::from(instruction.encode().expect("legal")), word, "{line}");
            texts.push((row.bits, (word as u32, line.to_string())));
        }
    }
    assert_eq!(texts.len(), 400 * 76, "aliases of the set");
    if tools::are_here(PROGRAMS) {
        for (bits, least) in [(16, 400 * 9), (32, 400 * 66)] {
            let own = texts.iter().filter(|(width, _)| *width == bits);
            assert!(assembles(own.map(|(_, text)| text.clone()), usize::from(bits / 8)) >= least);
        }
    }
}
