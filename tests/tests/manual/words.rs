//! Compares the numbers of words on the pages with independent arithmetic and with the decoder.

use std::collections::BTreeMap;

use isa_core::table::Opcode;
use isa_verify::count::legal_words;
use isa_verify::random::SplitMix64;
use isa_verify::word_generator::WordGenerator;

use super::*;

/// Parses a number in the format of pages: `35`, `2^30`, `3 × 2^20`. Long digits are used only if
/// there is no power of 2. The number of all 128-bit words does not fit in a `u128`, so it is
/// omitted from sums.
fn number(text: &str) -> Option<u128> {
    let (factor, power) = match text.split_once(" × ") {
        Some((factor, power)) => (factor.parse().unwrap(), power),
        None if text.contains('^') => (1u128, text),
        None => {
            let number = text.parse().unwrap();
            assert!(number < 10_000 || number % 2 == 1, "{number} would be read as powers of 2");
            return Some(number);
        }
    };
    let power: u32 = power.strip_prefix("2^").unwrap().parse().unwrap();
    (power < 128).then(|| factor << power)
}

/// Returns the number of valid words on the page of an opcode.
fn legal_on_page(manual: &Manual, opcode: &Opcode) -> (u128, u128) {
    let page = manual.page(&format!("opcode/{}.html", opcode.name));
    let rows = page.table("Words with the fixed bits of this opcode");
    let sum = rows.iter().map(|row| number(row[1]).unwrap()).sum();
    let legal = rows.iter().find(|row| row[0] == "valid instructions");
    (legal.map_or(0, |row| number(row[1]).unwrap()), sum)
}

#[test]
fn legal_words_are_as_many_as_arithmetic_says() {
    for manual in &MANUALS[..2] {
        let generator = WordGenerator::new(manual.set, 1);
        for (index, opcode) in manual.set.opcodes.iter().enumerate() {
            let (legal, sum) = legal_on_page(manual, opcode);
            assert_eq!(Some(legal), legal_words(generator.opcode(index)), "{}", opcode.name);
            let free = u32::from(opcode.bits) - opcode.fixed.mask.count_ones();
            assert_eq!(sum, 1 << free, "{}", opcode.name);
        }
    }
}

/// Returns the words of each opcode in the tree of a map, and the sum of all its areas.
fn areas(manual: &Manual, bits: u8) -> (BTreeMap<String, u128>, u128) {
    let page = manual.page("map/index.html");
    let id = format!("tree-{bits}");
    let of = |place: usize, class: &str| {
        let own = |it: &&Element| it.parent == place && it.get("class") == Some(class);
        page.elements.iter().find(own).map(|it| it.text.clone())
    };
    let is_in = |mut place: usize| loop {
        if page.elements[place].get("id") == Some(&id) {
            return true;
        }
        if place == 0 {
            return false;
        }
        place = page.elements[place].parent;
    };
    let (mut sums, mut all) = (BTreeMap::new(), 0u128);
    let items = page.elements.iter().enumerate();
    for (place, item) in items.filter(|(_, it)| it.name == "li" && it.get("class") != Some("split"))
    {
        if is_in(place) {
            let size = number(&of(place, "size").unwrap()).unwrap();
            let owner = match item.get("class") {
                Some("legal") => of(place, "owner").unwrap(),
                class => class.unwrap().to_owned(),
            };
            *sums.entry(owner).or_default() += size;
            all = all.wrapping_add(size);
        }
    }
    (sums, all)
}

#[test]
fn areas_are_all_words_of_their_width() {
    for manual in &*MANUALS {
        for width in manual.set.widths {
            let (sums, all) = areas(manual, width.bits);
            // 2^128 wraps around to 0.
            assert_eq!(all, 1u128.unbounded_shl(width.bits.into()), "{} bits", width.bits);
            let table = format!("Words of {} bits", width.bits);
            let page = manual.page("map/index.html");
            let together = page.table(&table).last().unwrap()[1].to_owned();
            assert_eq!(number(&together).unwrap_or_default(), all, "{together}");
            for opcode in manual.set.opcodes.iter().filter(|opcode| opcode.bits == width.bits) {
                let (legal, _) = legal_on_page(manual, opcode);
                assert_eq!(sums.get(opcode.name), Some(&legal), "{}", opcode.name);
            }
        }
    }
}

#[test]
fn areas_of_16_bits_are_what_the_decoder_says_of_each_word() {
    let manual = &MANUALS[1];
    let mut counts: BTreeMap<&str, u128> = BTreeMap::new();
    for word in 0..1u128 << 16 {
        let opcodes = manual.set.opcodes.iter().filter(|opcode| opcode.bits == 16);
        let owner = match manual.set.decode(word) {
            Ok(opcode) if opcode.bits == 16 => opcode.name,
            // A 32-bit word begins with these bits.
            _ if word & 3 == 3 => "elsewhere",
            Ok(opcode) => panic!("{word:#x} is {}", opcode.name),
            Err(_) if opcodes.clone().any(|opcode| opcode.fixed.contains(word)) => "illegal",
            Err(_) => "free",
        };
        *counts.entry(owner).or_default() += 1;
    }
    let (sums, _) = areas(manual, 16);
    let sums: BTreeMap<&str, u128> = sums.iter().map(|(name, sum)| (name.as_str(), *sum)).collect();
    assert_eq!(sums, counts);
}

#[test]
fn shares_are_those_of_random_words() {
    const WORDS: u32 = 4_000;
    let mut random = SplitMix64::new(5);
    for manual in &*MANUALS {
        for opcode in manual.set.opcodes {
            let (legal, all) = legal_on_page(manual, opcode);
            let free =
                !opcode.fixed.mask & u128::MAX >> (128 - u32::from(opcode.bits)) & !opcode.unused;
            let used = free.count_ones();
            let hits =
                (0..WORDS).filter(|_| opcode.check(opcode.fixed.value | random.word() & free));
            let seen = hits.count() as f64 / f64::from(WORDS);
            let said = legal as f64 / 2f64.powi(used as i32);
            let error = (said * (1.0 - said) / f64::from(WORDS)).sqrt();
            assert!((seen - said).abs() <= 6.0 * error + 1e-9, "{}: {seen} {said}", opcode.name);
            assert!(legal <= all);
        }
    }
}
