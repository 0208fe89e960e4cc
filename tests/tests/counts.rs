//! The number of legal words of each opcode: by arithmetic, by asking the decoder, and by hand.

use isa_core::table::{Field, InstructionSet};
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_tests::model::{Row, bits, value};
use isa_tests::space::{Space, with};

/// The bits of a field's value that decide whether it exists, the lowest being 0.
fn deciding(field: &Field) -> Vec<u32> {
    let named = field.kind.values.len();
    if named > 0 {
        let gaps = named < 1 << field.width();
        return (0..field.width()).filter(|_| gaps).collect();
    }
    let cubes = field.kind.reserved.iter();
    let mask = cubes.fold(0, |mask, cube| mask | cube.mask);
    (0..field.width()).filter(|bit| mask >> bit & 1 == 1).collect()
}

/// The number with bits of `number` at these places.
fn spread(number: u64, places: &[u32]) -> u64 {
    let bits = places.iter().enumerate();
    bits.fold(0, |spread, (i, place)| spread | (number >> i & 1) << place)
}

/// How many values a field of an opcode has.
fn values(row: &Row, index: usize) -> u128 {
    let field = row.opcode.fields[index];
    if !field.kind.values.is_empty() {
        return field.kind.values.len() as u128;
    }
    let deciding = deciding(field);
    let patterns = (0..1 << deciding.len()).map(|number| spread(number, &deciding));
    let existing = patterns.filter(|&raw| row.exists(index, raw)).count();
    (existing as u128) << (field.width() - deciding.len() as u32)
}

/// The fields that some exception looks at.
fn entangled(row: &Row) -> Vec<usize> {
    let mut fields: Vec<usize> = row.conditions.iter().flat_map(|one| one.fields()).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The product of the numbers of values of all fields that no exception looks at, times the
/// number of combinations of the others that no exception forbids.
fn by_arithmetic(row: &Row) -> u128 {
    let entangled = entangled(row);
    let alone = row.free().filter(|index| !entangled.contains(index));
    let product: u128 = alone.map(|index| values(row, index)).product();
    let mut combinations = vec![Vec::new()];
    for &index in &entangled {
        let kind = row.opcode.fields[index].kind;
        assert!(!kind.values.is_empty(), "exceptions are about named values");
        let longer = |known: &Vec<u64>, raw| [&known[..], &[raw]].concat();
        let all = combinations.iter();
        combinations = all
            .flat_map(|known| kind.values.iter().map(move |value| longer(known, value.raw)))
            .collect();
    }
    let legal = combinations.iter().filter(|combination| {
        let get = |index: usize| combination[entangled.binary_search(&index).unwrap_or(0)];
        !row.conditions.iter().any(|condition| condition.holds(&get))
    });
    product * legal.count() as u128
}

/// Tries every value of the bits that decide whether a word is legal, and counts each legal word
/// once for every value of the bits that do not.
fn by_decoder(space: &mut Space, opcode: usize) -> u128 {
    let word = space.legal(opcode);
    let row = space.row(opcode);
    let entangled = entangled(row);
    let (mut tried, mut indifferent) = (Vec::new(), 0);
    for index in row.free() {
        let field = row.opcode.fields[index];
        let deciding = match entangled.contains(&index) {
            true => (0..field.width()).collect(),
            false => deciding(field),
        };
        indifferent += field.width() - deciding.len() as u32;
        let places = bits(field);
        tried.extend(deciding.iter().map(|&bit| places[bit as usize]));
        assert_eq!(field.pieces.len(), 1, "the places of bits are those of one piece");
    }
    assert!(tried.len() <= 20, "{} has too many bits to try", row.opcode.name);
    let legal = (0..1u64 << tried.len()).filter(|number| {
        let word = tried.iter().enumerate().fold(word, |word, (i, &place)| {
            word & !(1 << place) | u128::from(number >> i & 1) << place
        });
        space.model.set.index(word).ok() == Some(opcode)
    });
    (legal.count() as u128) << indifferent
}

fn check_counts(set: &'static InstructionSet) {
    let mut space = Space::new(set, 1);
    for opcode in 0..space.opcodes() {
        let expected = by_arithmetic(space.row(opcode));
        assert_eq!(by_decoder(&mut space, opcode), expected, "{}", set.opcodes[opcode].name);
    }
}

#[test]
fn arithmetic_and_decoder_agree() {
    check_counts(Halu::SET);
    check_counts(Gpu::SET);
}

/// An odd factor and a power of two for each opcode.
///
/// The factor has a 3 for each half-select, a 5 for the formats with `.FTZ` and `.SAT` of an
/// addition or multiplication (of a fused one there are 8), a 7 for half of the comparisons; in
/// video a 3 for `.sat` and `.add`, and a 3 or a 15 for the mask.
const BY_HAND: [(&str, u128, u32); 39] = [
    ("HADD2_RR", 3 * 3 * 5, 45),
    ("HADD2_RU", 3 * 3 * 5, 43),
    ("HADD2_RI", 3 * 5, 67),
    ("HADD2_RC", 3 * 3 * 5, 57),
    ("HMUL2_RR", 3 * 3 * 5, 44),
    ("HMUL2_RU", 3 * 3 * 5, 42),
    ("HMUL2_RI", 3 * 5, 66),
    ("HMUL2_RC", 3 * 3 * 5, 56),
    ("HFMA2_RRR", 3 * 3 * 3, 57),
    ("HFMA2_RRI", 3 * 3, 79),
    ("HFMA2_RIR", 3 * 3, 79),
    ("HFMA2_RRU", 3 * 3 * 3, 55),
    ("HFMA2_RUR", 3 * 3 * 3, 55),
    ("HFMA2_RRC", 3 * 3 * 3, 69),
    ("HFMA2_RCR", 3 * 3 * 3, 69),
    ("HMNMX2_RR", 3 * 3, 49),
    ("HMNMX2_RU", 3 * 3, 47),
    ("HMNMX2_RI", 3, 71),
    ("HMNMX2_RC", 3 * 3, 61),
    ("HSETP2_RR", 3 * 3 * 3 * 7, 47),
    ("HSETP2_RU", 3 * 3 * 3 * 7, 45),
    ("HSETP2_RI", 3 * 3 * 7, 69),
    ("HSETP2_RC", 3 * 3 * 3 * 7, 59),
    ("HSET2_RR", 3 * 3 * 3 * 7, 50),
    ("HSET2_RU", 3 * 3 * 3 * 7, 48),
    ("HSET2_RI", 3 * 3 * 7, 72),
    ("HSET2_RC", 3 * 3 * 3 * 7, 62),
    ("vadd2", 3 * 3, 57),
    ("vsub2", 3 * 3, 57),
    ("vavrg2", 3 * 3, 57),
    ("vabsdiff2", 3 * 3, 57),
    ("vmin2", 3 * 3, 57),
    ("vmax2", 3 * 3, 57),
    ("vadd4", 3 * 15, 73),
    ("vsub4", 3 * 15, 73),
    ("vavrg4", 3 * 15, 73),
    ("vabsdiff4", 3 * 15, 73),
    ("vmin4", 3 * 15, 73),
    ("vmax4", 3 * 15, 73),
];

#[test]
fn counts_by_hand() {
    let space = Space::new(Gpu::SET, 1);
    assert_eq!(space.opcodes(), BY_HAND.len());
    for (name, factor, shift) in BY_HAND {
        let row = space.model.rows.iter().find(|row| row.opcode.name == name);
        assert_eq!(by_arithmetic(row.expect(name)), factor << shift, "{name}");
    }
}

/// The arithmetic rests on this: fields do not share bits, and reading one gives what was written.
#[test]
fn fields_are_apart() {
    let mut space = Space::new(Gpu::SET, 2);
    for opcode in 0..space.opcodes() {
        let row = space.row(opcode).opcode;
        let mut all: Vec<u32> = row.fields.iter().flat_map(|field| bits(field)).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{}", row.name);
        for field in row.fields {
            let (word, raw) = (space.random.word(), space.raw(field));
            let changed = with(field, word, raw);
            assert_eq!((value(field, changed), field.get(changed)), (raw, raw), "{}", field.name);
            assert_eq!(field.set(word, raw), changed, "{}", field.name);
            assert_eq!(changed & !field.mask(), word & !field.mask(), "{}", field.name);
            assert_eq!(bits(field).iter().fold(0, |mask, bit| mask | 1 << bit), field.mask());
        }
    }
}
