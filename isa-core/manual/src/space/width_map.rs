//! The map of the words of one width: a tree that splits areas by the bits of a fixed field, down
//! to the opcodes. The parts of an area are disjoint and cover it completely.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use isa_bdd::{Diagrams, WordSet};
use isa_core::table::{Cube, Field, Init, InstructionSet, Opcode, Width};

use super::word_sets::cube;
use super::{Size, WidthMap, legal};

/// A subset of the words of one width.
pub(crate) struct Area {
    /// The value of the bits by which the surrounding area is split. It is empty for the area of
    /// all words.
    pub(crate) label: String,
    pub(crate) size: Size,
    pub(crate) region: Region,
    pub(crate) content: AreaContent,
    /// Whether the area contains all words that have this width, next to an area of words that begin
    /// like words of another width.
    pub(crate) is_start: bool,
}

/// The content of an area.
pub(crate) enum AreaContent {
    /// Parts with different values of some bits.
    Split {
        /// The names of the fields.
        name: String,
        /// The bits, `14..12`.
        bits: String,
        parts: Vec<Area>,
    },
    /// WordSet that the fixed bits do not divide further, with the number of words for each
    /// [`Owner`].
    Shares(Vec<(Owner, Size)>),
}

/// The opcode that some words belong to, or the reason why they belong to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The valid words of an opcode, as an index into the opcodes of the set.
    Opcode(usize),
    /// Invalid words that have the fixed bits of an opcode.
    Illegal,
    /// WordSet that have the fixed bits of no opcode.
    Free,
    /// WordSet that begin like words of another width.
    Elsewhere,
}

/// The words that satisfy all conditions. No two conditions use the same bit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region(pub(crate) Vec<MaskedCondition>);

/// A condition on the bits under a mask.
#[derive(Debug, Clone)]
pub(crate) enum MaskedCondition {
    Is(Cube),
    /// The bits have none of these values.
    IsNone(u128, Vec<u128>),
}

impl MaskedCondition {
    pub(crate) fn mask(&self) -> u128 {
        match self {
            MaskedCondition::Is(cube) => cube.mask,
            MaskedCondition::IsNone(mask, _) => *mask,
        }
    }
}

impl Region {
    fn with(&self, condition: MaskedCondition) -> Region {
        Region(self.0.iter().cloned().chain([condition]).collect())
    }

    fn mask(&self) -> u128 {
        self.0.iter().fold(0, |mask, condition| mask | condition.mask())
    }

    fn words(&self, sets: &mut Diagrams) -> WordSet {
        self.0.iter().fold(WordSet::ALL, |words, condition| match condition {
            MaskedCondition::Is(own) => {
                let own = sets.cube(own.mask, own.value);
                sets.and(words, own)
            }
            MaskedCondition::IsNone(mask, values) => {
                let others = sets.cubes(values.iter().map(|value| (*mask, *value)));
                sets.without(words, others)
            }
        })
    }

    fn size(&self, bits: u8) -> Size {
        let mut sets = Diagrams::new();
        let words = self.words(&mut sets);
        sets.count(words, bits)
    }
}

/// Returns the map of the words of a width.
pub(crate) fn map(set: &'static InstructionSet, width: &Width) -> WidthMap {
    let bits = width.bits;
    let opcodes = set.opcodes.iter().enumerate();
    let own: Vec<usize> =
        opcodes.filter(|(_, opcode)| opcode.bits == bits).map(|(index, _)| index).collect();
    let builder = MapBuilder { set, bits };
    let meets = |cube: Cube| {
        let apart = |fixed: Cube| (fixed.value ^ cube.value) & fixed.mask & cube.mask != 0;
        own.iter().any(|&index| !apart(set.opcodes[index].fixed))
    };
    // WordSet that start with a prefix of a wider width do not belong to this map, unless the prefix
    // is compatible with the fixed bits of an opcode of this width.
    let all = u128::MAX.unbounded_shl(bits.into());
    let wider = set.widths.iter().filter(|other| other.bits > bits && other.common.mask & all == 0);
    let starts = wider.flat_map(Width::telling);
    let others = starts.map(|start| (*start, false)).filter(|(cube, _)| !meets(*cube));
    let own_common = (set.widths.len() > 1).then_some((width.common, true));
    let walls = own_common.into_iter().chain(others).filter(|(cube, _)| cube.mask != 0);
    let root = builder.walled(Region::default(), &walls.collect::<Vec<_>>(), &own);
    WidthMap { bits, root }
}

struct MapBuilder {
    set: &'static InstructionSet,
    bits: u8,
}

impl MapBuilder {
    fn opcode(&self, index: usize) -> &'static Opcode {
        self.set.opcodes[index]
    }

    /// Returns the area of a region. Each wall is a masked pattern and a flag. If the flag is true,
    /// only the words that match the pattern belong to this width. If the flag is false, only the
    /// other words belong to it.
    fn walled(&self, region: Region, walls: &[(Cube, bool)], own: &[usize]) -> Area {
        let Some(((cube, is_own), rest)) = walls.split_first() else {
            return self.area(String::new(), region, own);
        };
        let bits = ranges(cube.mask);
        let is = MaskedCondition::Is(*cube);
        let is_none = MaskedCondition::IsNone(cube.mask, vec![cube.value]);
        let (here, there) = if *is_own { (is, is_none) } else { (is_none, is) };
        let mut inner = self.walled(region.with(here), rest, own);
        inner.label = format!("words of {} bits", self.bits);
        inner.is_start = true;
        let other = region.with(there);
        let size = other.size(self.bits);
        let shares = AreaContent::Shares(vec![(Owner::Elsewhere, size)]);
        let label = "begins like a word of another width".into();
        let other = Area { label, size, region: other, content: shares, is_start: false };
        let size = region.size(self.bits);
        let parts = vec![inner, other];
        let content = AreaContent::Split { name: "length".into(), bits, parts };
        Area { label: String::new(), size, region, content, is_start: false }
    }

    fn area(&self, label: String, region: Region, opcodes: &[usize]) -> Area {
        let size = region.size(self.bits);
        let content = match self.question(region.mask(), opcodes) {
            _ if opcodes.is_empty() => AreaContent::Shares(vec![(Owner::Free, size)]),
            Some(mask) => self.split(mask, &region, opcodes),
            None => AreaContent::Shares(self.shares(&region, size, opcodes)),
        };
        Area { label, size, region, content, is_start: false }
    }

    /// Returns the bits by which an area is split. These are the bits of the field that most opcodes
    /// fix. If several fields are equally frequent, the field with the most values is used. Special
    /// cases stay with their general opcode. If only one opcode remains, all its fixed bits are used at
    /// once.
    fn question(&self, used: u128, opcodes: &[usize]) -> Option<u128> {
        let is_special = |index| super::general(self.set, index).any(|it| opcodes.contains(&it));
        let heads: Vec<usize> = match opcodes.len() {
            0..64 => opcodes.iter().copied().filter(|&index| !is_special(index)).collect(),
            _ => opcodes.to_vec(),
        };
        if let [only] = heads[..] {
            return Some(self.opcode(only).fixed.mask & !used).filter(|mask| *mask != 0);
        }
        let mut masks: BTreeMap<u128, (usize, Vec<u128>)> = BTreeMap::new();
        for &index in &heads {
            for field in fixed(self.opcode(index)) {
                for piece in 0..field.pieces.len() {
                    let mask = piece_mask(field, piece) & !used;
                    masks.entry(mask).or_default();
                }
            }
        }
        masks.remove(&0);
        for (mask, (count, values)) in &mut masks {
            let cubes = heads.iter().map(|&index| self.opcode(index).fixed);
            let whole = cubes.filter(|cube| cube.mask & mask == *mask);
            values.extend(whole.map(|cube| cube.value & mask));
            *count = values.len();
            values.sort_unstable();
            values.dedup();
        }
        let best = masks.iter().max_by_key(|(mask, (count, values))| {
            (*count, values.len(), u32::MAX - mask.count_ones(), **mask)
        });
        best.map(|(mask, _)| *mask)
    }

    fn split(&self, mask: u128, region: &Region, opcodes: &[usize]) -> AreaContent {
        let whole = |index: usize| {
            let Cube { mask: fixed, value } = self.opcode(index).fixed;
            (fixed & mask == mask).then_some(value & mask)
        };
        let mut values: Vec<u128> = opcodes.iter().filter_map(|&index| whole(index)).collect();
        values.sort_unstable();
        values.dedup();
        let mut parts = Vec::new();
        for &value in &values {
            let can_be = |index: &usize| {
                let fixed = self.opcode(*index).fixed;
                (fixed.value ^ value) & fixed.mask & mask == 0
            };
            let own: Vec<usize> = opcodes.iter().copied().filter(can_be).collect();
            let label = self.label(mask, value, region.mask(), &own);
            let region = region.with(MaskedCondition::Is(Cube { mask, value }));
            parts.push(self.area(label, region, &own));
        }
        let others = Size::power(mask.count_ones()).minus(Size::number(values.len()));
        if !others.is_zero() {
            let rest: Vec<usize> =
                opcodes.iter().copied().filter(|&index| whole(index).is_none()).collect();
            let label = match others == Size::ONE {
                true => "the other value".to_owned(),
                false => format!("{} other values", others.powers()),
            };
            let region = region.with(MaskedCondition::IsNone(mask, values));
            parts.push(self.area(label, region, &rest));
        }
        AreaContent::Split { name: self.names(mask, opcodes), bits: ranges(mask), parts }
    }

    /// Returns each [`Owner`] of words in a region, with the number of its words in the region.
    fn shares(&self, region: &Region, size: Size, opcodes: &[usize]) -> Vec<(Owner, Size)> {
        let mut sets = Diagrams::new();
        let words = region.words(&mut sets);
        let (mut shares, mut taken) = (Vec::new(), Size::ZERO);
        let mut fixed = WordSet::NONE;
        for &index in opcodes {
            let own = legal(self.opcode(index), &mut sets);
            let own = sets.and(words, own);
            let count = sets.count(own, self.bits);
            let pattern = cube(&mut sets, self.opcode(index).fixed);
            fixed = sets.or(fixed, pattern);
            taken = taken.plus(count);
            if !count.is_zero() {
                shares.push((Owner::Opcode(index), count));
            }
        }
        let free = sets.without(words, fixed);
        let free = sets.count(free, self.bits);
        let illegal = size.minus(taken).minus(free);
        let rest = [(Owner::Illegal, illegal), (Owner::Free, free)];
        shares.extend(rest.into_iter().filter(|(_, size)| !size.is_zero()));
        shares
    }

    /// Returns the names of the fixed fields under a mask.
    fn names(&self, mask: u128, opcodes: &[usize]) -> String {
        let mut names: Vec<&str> = Vec::new();
        let fields = opcodes.iter().flat_map(|&index| fixed(self.opcode(index)));
        for field in fields.filter(|field| field.mask() & mask != 0) {
            if !names.contains(&field.name) {
                names.push(field.name);
            }
        }
        match names.len() {
            0..=4 => names.join(", "),
            more => format!("{}, and {} more", names[..3].join(", "), more - 3),
        }
    }

    /// Describes a value under a mask by the names of the field values. The `used` bits are already
    /// known.
    fn label(&self, mask: u128, value: u128, used: u128, opcodes: &[usize]) -> String {
        let mut text = String::new();
        let Some(&first) = opcodes.first() else { return digits(mask, value) };
        let mut rest = mask;
        let fields = opcodes.iter().flat_map(|&index| fixed(self.opcode(index)));
        for field in fields {
            let (own, fixed) = (field.mask(), self.opcode(first).fixed);
            if own & rest == 0 || own & !(rest | used) != 0 || own & fixed.mask != own {
                continue;
            }
            rest &= !own;
            let raw = field.get(fixed.value);
            let separator = if text.is_empty() { "" } else { ", " };
            let _ = match field.kind.value(raw) {
                Some(named) => write!(text, "{separator}{} = {}", field.name, named.name),
                None => write!(text, "{separator}{} = {raw:#x}", field.name),
            };
        }
        match rest {
            0 => text,
            _ if text.is_empty() => format!("{} = {}", ranges(rest), digits(rest, value)),
            _ => format!("{text}, {} = {}", ranges(rest), digits(rest, value)),
        }
    }
}

fn fixed(opcode: &'static Opcode) -> impl Iterator<Item = &'static Field> {
    let fields = opcode.fields.iter().copied();
    fields.filter(|field| matches!(field.init, Init::Fixed(_)))
}

fn piece_mask(field: &Field, piece: usize) -> u128 {
    let piece = field.pieces[piece];
    (u128::MAX >> (128 - u32::from(piece.width).clamp(1, 128))) << piece.position
}

/// Formats the bits under a mask as binary digits, the highest first.
fn digits(mask: u128, value: u128) -> String {
    let bits = (0..128).rev().filter(|bit| mask >> bit & 1 == 1);
    let digits: String = bits.map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }).collect();
    format!("0b{digits}")
}

/// Formats the runs of bits under a mask, the highest first: `31..25, 14..12`.
pub(crate) fn ranges(mask: u128) -> String {
    let (mut text, mut at) = (String::new(), 128u32);
    while at > 0 {
        at -= 1;
        if mask >> at & 1 == 0 {
            continue;
        }
        let high = at;
        while at > 0 && mask >> (at - 1) & 1 == 1 {
            at -= 1;
        }
        let separator = if text.is_empty() { "" } else { ", " };
        let _ = match high == at {
            true => write!(text, "{separator}{at}"),
            false => write!(text, "{separator}{high}..{at}"),
        };
    }
    text
}
