//! Finds free space for new instructions: patterns of words that have the fixed bits of no opcode.

use isa_core::table::{Cube, Init, InstructionSet, Opcode};

use super::width_map::{Area, AreaContent, MaskedCondition, Owner, Region};
use super::{Size, WidthMap};

/// A free pattern: all words that match a masked pattern.
#[derive(Debug)]
pub(crate) struct FreePattern {
    pub(crate) cube: Cube,
    /// The number of bits that a new instruction could use freely.
    pub(crate) free: u32,
    /// The neighbouring opcode whose fields have the most bits within the free bits, and the indexes of
    /// these fields.
    pub(crate) like: Option<(usize, Vec<usize>)>,
}

/// The maximum number of patterns that are returned.
const MOST: usize = 600;

/// Returns disjoint free patterns of the words of a width, the patterns with the most free bits first.
/// Also returns the number of free words that match none of the patterns.
pub(crate) fn patterns(set: &'static InstructionSet, map: &WidthMap) -> (Vec<FreePattern>, Size) {
    let mut found =
        FreePatternSearch { set, bits: map.bits, patterns: Vec::new(), left: Size::ZERO };
    found.area(&map.root, &[]);
    found.patterns.sort_by_key(|pattern| (u32::MAX - pattern.free, pattern.cube.value));
    let rest = found.patterns.split_off(found.patterns.len().min(MOST));
    let left = rest.iter().fold(found.left, |left, it| left.plus(Size::power(it.free)));
    (found.patterns, left)
}

struct FreePatternSearch {
    set: &'static InstructionSet,
    bits: u8,
    patterns: Vec<FreePattern>,
    /// The number of free words in areas that also contain opcodes, and that the fixed bits do not
    /// divide further.
    left: Size,
}

impl FreePatternSearch {
    /// Adds the free patterns of an area. `beside` contains the opcodes around it.
    fn area(&mut self, area: &Area, beside: &[usize]) {
        match &area.content {
            AreaContent::Split { parts, .. } => {
                let mut own = Vec::new();
                parts.iter().for_each(|part| owners(part, &mut own));
                let own = if own.is_empty() { beside } else { &own };
                parts.iter().for_each(|part| self.area(part, own));
            }
            AreaContent::Shares(shares) => match shares[..] {
                [(Owner::Free, _)] => {
                    for cube in cubes(&area.region) {
                        self.add(cube, beside);
                    }
                }
                _ => {
                    let free = shares.iter().filter(|(owner, _)| *owner == Owner::Free);
                    self.left = free.fold(self.left, |left, (_, size)| left.plus(*size));
                }
            },
        }
    }

    fn add(&mut self, cube: Cube, beside: &[usize]) {
        let free = u32::from(self.bits) - cube.mask.count_ones();
        let remaining = |&index: &usize| {
            let fields = remaining(self.set.opcodes[index], cube.mask);
            let bits = fields.iter().map(|&field| self.set.opcodes[index].fields[field].width());
            (bits.sum::<u32>(), index, fields)
        };
        let best =
            beside.iter().map(remaining).max_by_key(|(bits, index, _)| (*bits, usize::MAX - index));
        let like = best.filter(|(bits, ..)| *bits > 0).map(|(_, index, fields)| (index, fields));
        self.patterns.push(FreePattern { cube, free, like });
    }
}

/// The maximum number of opcodes of an area with which its free patterns are compared.
const BESIDE: usize = 48;

fn owners(area: &Area, found: &mut Vec<usize>) {
    match &area.content {
        AreaContent::Split { parts, .. } => {
            for part in parts {
                if found.len() < BESIDE {
                    owners(part, found);
                }
            }
        }
        AreaContent::Shares(shares) => {
            found.extend(shares.iter().filter_map(|(owner, _)| match owner {
                Owner::Opcode(index) => Some(*index),
                _ => None,
            }));
        }
    }
}

/// Returns the fields of an opcode that are not fixed and use only free bits.
fn remaining(opcode: &Opcode, taken: u128) -> Vec<usize> {
    let fields = opcode.fields.iter().enumerate().filter(|(_, field)| {
        !matches!(field.init, Init::Fixed(_)) && field.mask() != 0 && field.mask() & taken == 0
    });
    fields.map(|(index, _)| index).collect()
}

/// Returns disjoint masked patterns that contain exactly the words of a region.
fn cubes(region: &Region) -> Vec<Cube> {
    let mut cubes = vec![Cube { mask: 0, value: 0 }];
    for condition in &region.0 {
        let own = match condition {
            MaskedCondition::Is(cube) => vec![*cube],
            MaskedCondition::IsNone(mask, values) => {
                let mut own = Vec::new();
                others(*mask, Cube { mask: 0, value: 0 }, values, &mut own);
                own
            }
        };
        let both = |a: &Cube, b: &Cube| Cube { mask: a.mask | b.mask, value: a.value | b.value };
        cubes =
            cubes.iter().flat_map(|a| own.iter().map(move |b| both(a, b))).take(MOST * 4).collect();
    }
    cubes
}

/// Adds patterns for all values under a mask, within a pattern, except the given values.
fn others(mask: u128, within: Cube, values: &[u128], found: &mut Vec<Cube>) {
    if values.is_empty() {
        return found.push(within);
    }
    let rest = mask & !within.mask;
    if rest == 0 {
        return;
    }
    let bit = 1u128 << (127 - rest.leading_zeros());
    for value in [0, bit] {
        let half = Cube { mask: within.mask | bit, value: within.value | value };
        let inside: Vec<u128> = values.iter().copied().filter(|it| it & bit == value).collect();
        others(mask, half, &inside, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_values_are_in_one_cube_each() {
        let mask = 0b1_1111_0000;
        let values = [0x010u128, 0x020, 0x1f0, 0x050];
        let mut found = Vec::new();
        others(mask, Cube { mask: 0, value: 0 }, &values, &mut found);
        for value in (0..0x200u128).map(|value| value & mask) {
            let within = found.iter().filter(|cube| cube.contains(value)).count();
            assert_eq!(within, usize::from(!values.contains(&value)), "{value:#x}");
        }
    }
}
