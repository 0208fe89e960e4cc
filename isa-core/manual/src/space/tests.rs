//! Compares the numbers of words with the decoder.

use std::collections::BTreeMap;

use super::*;

/// Returns whether the value of a field is odd.
pub(crate) const fn is_odd(wide: u64) -> bool {
    wide % 2 == 1
}

isa_core::define_isa! {
    /// Everything that can make a 16-bit word valid or invalid.
    isa Odd: u16;
    operand Reg: 3 = isa_core::operand::Unsigned<3>;
    operand Few: 4 = isa_core::operand::Unsigned<4>, reserved("11xx", "x00x");
    enum Op: 3 { ADD = 0, SUB = 1, ONE = 3, TWO = 6 }
    enum Mode: 2 { A = 0, B = 1, D = 3 }
    group WORDS { encoding { field<13, 3> Op op; } }

    opcode ADD : [WORDS] {
        encoding { op == ADD; field<0, 3> Reg a; field<3, 3> Reg b; field<6, 2> Mode mode; field<8, 4> Few few; }
        syntax { ADD a, b, mode, few; }
        exception { EncodingError<IllegalBitFieldCombination, "no D of itself"> = mode == D and a == b; }
    }
    opcode NOP : [WORDS] inside ADD {
        encoding { op == ADD; field<0, 3> Reg a == 0; field<3, 3> Reg b == 0; field<6, 2> Mode mode == A; field<8, 4> Few few == 3; }
        syntax { NOP; }
    }
    opcode SUB : [WORDS] {
        encoding { op == SUB; field<0, 8> Wide w; field<9, 3> Reg b; }
        syntax { SUB w, b; }
        exception { EncodingError<IllegalBitFieldCombination, "seven"> = b == 7;
            EncodingError<IllegalBitFieldCombination, "odd"> = crate::space::tests::is_odd(w) and b == 2; }
    }
    operand Wide: 8 = isa_core::operand::Unsigned<8>;
    opcode ONE : [WORDS] {
        encoding { op == ONE; field<9, 4> Few few == 3; field<0, 3> Reg a; }
        syntax { ONE a; }
    }
    opcode TWO : [WORDS] {
        encoding { op == TWO; field<0, 1> Bit one == 1; field<11, 2> Mode mode; field<1, 3> Reg b; field<4, 2> Mode other; }
        syntax { TWO mode, b, other; }
    }
    operand Bit: 1 = isa_core::operand::Unsigned<1>;
}

/// Adds up the shares of an area.
fn sum(area: &Area, sums: &mut BTreeMap<Owner, Size>) {
    match &area.content {
        AreaContent::Split { parts, .. } => {
            let whole = parts.iter().fold(Size::ZERO, |whole, part| whole.plus(part.size));
            assert_eq!(whole, area.size, "{}", area.label);
            parts.iter().for_each(|part| sum(part, sums));
        }
        AreaContent::Shares(shares) => {
            let whole = shares.iter().fold(Size::ZERO, |whole, (_, size)| whole.plus(*size));
            assert_eq!(whole, area.size, "{}", area.label);
            for (owner, size) in shares {
                let all = sums.entry(*owner).or_default();
                *all = all.plus(*size);
            }
        }
    }
}

/// Checks the areas of each width against the shares of the opcodes, and returns their sums.
fn sums(set: &'static InstructionSet) -> Vec<BTreeMap<Owner, Size>> {
    let space = EncodingSpace::of(set);
    let maps = space.maps.iter().map(|map| {
        assert_eq!(map.root.size, Size::power(map.bits.into()));
        let mut sums = BTreeMap::new();
        sum(&map.root, &mut sums);
        let opcodes = space.shares.iter().zip(set.opcodes).enumerate();
        for (index, (share, opcode)) in opcodes.filter(|(_, (_, opcode))| opcode.bits == map.bits) {
            let area = sums.get(&Owner::Opcode(index)).copied().unwrap_or_default();
            assert_eq!(area, share.legal, "{}", opcode.name);
            let all = [share.unused, share.reserved, share.illegal, share.special, share.legal];
            assert_eq!(all.into_iter().fold(Size::ZERO, Size::plus), share.all, "{}", opcode.name);
            assert!(share.word.is_none_or(|word| opcode.check(word)), "{}", opcode.name);
        }
        sums
    });
    maps.collect()
}

/// Counts the words of each `Owner` with the decoder.
fn counted(set: &'static InstructionSet) -> BTreeMap<Owner, usize> {
    let mut counts = BTreeMap::new();
    for word in 0..1u128 << 16 {
        let fixed = set.opcodes.iter().any(|opcode| opcode.fixed.contains(word));
        let owner = match set.index(word) {
            Ok(index) => Owner::Opcode(index),
            Err(_) if fixed => Owner::Illegal,
            Err(_) => Owner::Free,
        };
        *counts.entry(owner).or_default() += 1;
    }
    counts
}

#[test]
fn areas_are_what_the_decoder_says_of_each_word() {
    let sums = sums(Odd::SET);
    let counts = counted(Odd::SET).into_iter().map(|(owner, count)| (owner, Size::number(count)));
    assert_eq!(sums, [counts.collect::<BTreeMap<_, _>>()]);
}

#[test]
fn free_patterns_are_all_free_words_once() {
    let space = EncodingSpace::of(Odd::SET);
    let (patterns, left) = patterns(Odd::SET, &space.maps[0]);
    assert!(left.is_zero());
    for word in 0..1u128 << 16 {
        let is_free = !Odd::SET.opcodes.iter().any(|opcode| opcode.fixed.contains(word));
        let within = patterns.iter().filter(|pattern| pattern.cube.contains(word)).count();
        assert_eq!(within, usize::from(is_free), "{word:#06x}");
    }
}
