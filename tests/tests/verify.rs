//! Runs the campaigns briefly, and checks that they detect errors.

use std::env;
use std::fs;
use std::sync::Arc;

use isa_defs::gpu::Gpu;
use isa_half::lanes::{Engine, Settings};
use isa_half::{Compare, Extremum, Rounding, add, compare, f16, fma, min_max};
use isa_riscv::Rv64imac;
use isa_tests::half_support::ROUNDINGS;
use isa_tests::share::part_of;
use isa_tests::verify::{Campaign, catalogue, half_fma, half_pairs, video};
use isa_tests::video::Case;
use isa_verify::encoding;
use isa_verify::model::Model;
use isa_verify::run::{Progress, Saved, Shard};
use rustc_apfloat::Float;

/// Returns a sum whose rounding is wrong for one pair: a tie is rounded away from zero.
fn wrong_add(a: f16, b: f16, rounding: Rounding) -> f16 {
    let sum = add(a, b, rounding);
    let off = a.to_bits() == 0x3c01 && b.to_bits() == 0x1000;
    f16::from_bits(sum.to_bits() ^ u16::from(off))
}

fn add_campaign(
    modified: bool,
    ours: impl Fn(f16, f16, Rounding) -> f16 + Copy + Send + Sync + 'static,
    slices: half_pairs::Slices,
) -> Campaign {
    let theirs = |a, b, round| Float::add_r(a, b, round).value;
    half_pairs::arithmetic("sum".to_owned(), ROUNDINGS[0], modified, ours, slices, theirs)
}

/// Computes sums whose rounding is wrong for one pair in one order of the operands: a tie is
/// rounded away from zero.
fn wrong_add_on_slices(engine: Engine, settings: Settings, a: &[u16], b: &[u16], out: &mut [u16]) {
    engine.add::<f16>(settings, a, b, out);
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        *out ^= u16::from(*a == 0x3c01 && *b == 0x1000);
    }
}

fn fma_on_slices(engine: Engine, settings: Settings, rows: [&[u16]; 3], out: &mut [u16]) {
    let [a, b, c] = rows;
    engine.fma::<f16>(settings, a, b, c, out);
}

/// Runs a few work units of a campaign that are far apart.
fn sample(campaign: &Campaign, units: u64) -> Progress {
    let count = (campaign.units / units).max(1);
    let mut progress = Progress::default();
    progress.advance(campaign, Shard { index: count / 3, count }, 2, units);
    progress
}

#[test]
fn a_sample_of_each() {
    for campaign in catalogue::all(1 << 20) {
        // There are many campaigns of encodings, a few for each opcode.
        let cases: u64 =
            if campaign.name.starts_with("encoding/gpu/") { 30_000 } else { 1_000_000 };
        let units = part_of(cases).div_ceil(campaign.cases_each);
        let progress = sample(&campaign, units);
        assert!(progress.tally.cases > 0, "{campaign:?}");
        assert_eq!(progress.tally.differences, 0, "{campaign:?}: {:#?}", progress.tally.first);
    }
}

/// Checks the pair 0x3c01 and 0x1000. The work unit of the second operand contains both orders.
#[test]
fn one_wrong_sum_is_noticed() {
    let right = Engine::add::<f16>;
    let tally = add_campaign(true, wrong_add, right).run_unit(0x1000);
    // Without `.SAT`, with and without `.FTZ`. With `.SAT` both sums are 1.
    assert_eq!(tally.differences, 2, "{:#?}", tally.first);
    assert!(tally.first[0].starts_with("0x3c01, 0x1000 NearestEven ftz false sat false: "));
    assert_eq!(add_campaign(true, wrong_add, right).run_unit(0x3c01).differences, 0);
    assert_eq!(add_campaign(true, wrong_add, right).run_unit(0x3c00).differences, 0);
    let tally = add_campaign(true, add, wrong_add_on_slices).run_unit(0x1000);
    let engines = Engine::all().count() as u64 - 1;
    assert_eq!(tally.differences, engines * 4, "{:#?}", tally.first);
}

/// Checks that a pair whose sum is wrong in one order is one difference, for any position of its
/// operands.
#[test]
fn every_order_of_a_pair_is_one_case() {
    // The same operand, its two neighbors, one half of the range away, slightly less and more than
    // that, and across the end of the range.
    for other in [5, 6, 4, 0x8005, 0x8004, 0x8006, 0xfbff] {
        for [a, b] in [[5, other], [other, 5]] {
            let wrong = move |x: f16, y: f16, rounding| {
                let off = [x.to_bits(), y.to_bits()] == [a, b];
                f16::from_bits(add(x, y, rounding).to_bits() ^ u16::from(off))
            };
            let campaign = add_campaign(false, wrong, Engine::add::<f16>);
            let mut units = vec![a, b];
            units.dedup();
            let differences = units.iter().map(|&unit| campaign.run_unit(unit.into()).differences);
            assert_eq!(differences.sum::<u64>(), 1, "{a:#06x}, {b:#06x}");
        }
    }
}

#[test]
fn wrong_rules_are_noticed() {
    let swapped = |which, propagate: bool, a: f16, b: f16| min_max(which, !propagate, a, b);
    assert_ne!(half_pairs::min_max("".to_owned(), swapped).run_unit(0x7e00).differences, 0);
    let constant = |_, _: f16, _: f16| true;
    assert_ne!(half_pairs::compares("".to_owned(), constant).run_unit(0).differences, 0);
    let unfused = |a, b, c, mode| add(isa_half::mul(a, b, mode), c, mode);
    let random = half_fma::random::<f16>("".to_owned(), 1, unfused, fma_on_slices);
    assert_ne!(random.run_unit(0).differences, 0);
    let plus_zero = |a: f16, b, c, mode| match fma(a, b, c, mode).to_bits() {
        0x8000 => f16::from_bits(0),
        bits => f16::from_bits(bits),
    };
    let structured = half_fma::structured::<f16>("".to_owned(), plus_zero, fma_on_slices);
    assert_ne!(sample(&structured, 2000).tally.differences, 0);
}

/// Checks one wrong relation of one pair, and one wrong choice, each with and without flushing.
#[test]
fn one_wrong_relation_or_choice_is_noticed() {
    let is = |a: f16, b: f16, bits: [u16; 2]| [a.to_bits(), b.to_bits()] == bits;
    let relation =
        move |op, a, b| compare(op, a, b) ^ (op == Compare::Geu && is(a, b, [0x7c01, 0x0400]));
    let tally = half_pairs::compares("".to_owned(), relation).run_unit(0x7c01);
    assert_eq!(tally.differences, 2, "{:#?}", tally.first);
    assert!(tally.first[0].starts_with("0x7c01, 0x0400 Geu ftz false: "));
    // All values that are flushed to -0, and -0 itself, with and without flushing.
    let choice = move |which, propagate, a, b| match is(a, b, [0x3c00, 0x8000]) {
        true if which == Extremum::Minimum && propagate => a,
        _ => min_max(which, propagate, a, b),
    };
    let tally = half_pairs::min_max("".to_owned(), choice).run_unit(0x3c00);
    assert_eq!(tally.differences, 1 + 1024, "{:#?}", tally.first);
}

/// Checks subnormal operands or results that are not flushed.
#[test]
fn wrong_flushing_is_noticed() {
    let unflushed = |engine: Engine, settings, a: &[u16], b: &[u16], out: &mut [u16]| {
        engine.add::<f16>(Settings { flush_operands: false, ..settings }, a, b, out);
    };
    assert_ne!(add_campaign(true, add, unflushed).run_unit(1).differences, 0);
    let unflushed = |engine: Engine, settings, a: &[u16], b: &[u16], out: &mut [u16]| {
        engine.add::<f16>(Settings { flush_result: false, ..settings }, a, b, out);
    };
    // 0x0801 minus 0x0800 is subnormal.
    assert_ne!(add_campaign(true, add, unflushed).run_unit(0x0801).differences, 0);
}

/// Checks a wrong sum of one pair of bytes, a wrong selector, and a wrong mask.
#[test]
fn wrong_lanes_are_noticed() {
    let wrong: [video::Run; 3] = [
        |case, machine| {
            let off = case.op == 0 && case.a == 0x1717_1717 && case.b % 256 == 0x30;
            Case::run(case, machine) ^ u32::from(off)
        },
        |case, machine| Case { asel: case.asel & !0x800, ..*case }.run(machine),
        |case, machine| Case { mask: case.mask.max(2), ..*case }.run(machine),
    ];
    let noticing = ["video/bytes/pairs", "video/bytes/selectors", "video/halves/selectors"];
    for (run, name) in wrong.into_iter().zip(noticing) {
        let campaigns = video::all(run);
        let campaign = campaigns.iter().find(|one| one.name == name).expect("it is one of them");
        let mut progress = Progress::default();
        progress.advance(campaign, Shard::WHOLE, 2, if name.ends_with("pairs") { 256 } else { 16 });
        assert_ne!(progress.tally.differences, 0, "{name}");
    }
}

/// Returns the names of the campaigns that detect an error in a decoder of the wide words.
fn noticing(decode: encoding::Decode) -> Vec<String> {
    let mut campaigns = encoding::wide("encoding/gpu", &Arc::new(Model::new(Gpu::SET)), decode);
    campaigns.retain(|one| one.name.ends_with("/vadd4") || one.name.ends_with("/plausible"));
    let noticed = campaigns.iter().filter(|one| sample(one, 32).tally.differences != 0);
    noticed.map(|one| one.name["encoding/gpu/".len()..].to_owned()).collect()
}

/// Checks decoders that ignore a bit, lose words, or confuse two opcodes.
#[test]
fn wrong_decoders_are_noticed() {
    fn right(word: u128) -> Option<usize> {
        Gpu::SET.index(word).ok()
    }
    fn vadd4(word: u128) -> bool {
        right(word).is_some_and(|index| Gpu::SET.opcodes[index].name == "vadd4")
    }
    assert_eq!(noticing(right), [""; 0]);
    let all = ["plausible", "patterns/vadd4", "flips/vadd4"];
    // No field of the opcode contains bit 100.
    let flips = noticing(|word| {
        let without = word & !(1 << 100);
        right(if vadd4(without) { without } else { word })
    });
    assert_eq!(flips, ["plausible", "flips/vadd4"]);
    // The lowest bit of its mask, and `.sat`.
    let lost = noticing(|word| {
        let both = 1 << 45 | 1 << 43;
        right(word).filter(|_| !vadd4(word) || word & both != both)
    });
    assert_eq!(lost, all);
    assert_eq!(noticing(|word| right(word).map(|index| index ^ usize::from(vadd4(word)))), all);
}

/// Checks a 16-bit word that is lost, and a stream that is cut off in the middle of a word.
#[test]
fn wrong_streams_are_noticed() {
    let right: encoding::Decode = |word| Rv64imac::SET.index(word).ok();
    let first: encoding::First = |bytes| Rv64imac::SET.first(bytes).ok();
    let model = Arc::new(Model::new(Rv64imac::SET));
    let differences = |decode: encoding::Decode, first: encoding::First| {
        let campaigns = encoding::narrow("riscv", &model, decode, first);
        campaigns.iter().map(|one| one.run_unit(0).differences).collect::<Vec<_>>()
    };
    assert_eq!(differences(right, first), [0, 0]);
    // `c.jr a0`: it is one word, and one word of its opcode.
    let lost: encoding::Decode = |word| Rv64imac::SET.index(word).ok().filter(|_| word != 0x8502);
    assert_eq!(differences(lost, first), [1, 0]);
    let cut: encoding::First = |bytes| {
        let padded = [bytes, &[0]].concat();
        Rv64imac::SET.first(&padded).ok()
    };
    assert_ne!(differences(right, cut)[1], 0);
}

/// Returns a campaign that counts a unit as a difference if its number is divisible by 7.
fn sevens() -> Campaign {
    Campaign::new("sevens".to_owned(), "none", [1000, 1], |unit, tally| {
        tally.compare(u8::from(unit % 7 == 0), 0, || unit.to_string());
    })
}

#[test]
fn shards_are_a_partition() {
    for count in [1, 2, 3, 7, 999, 1000, 1001] {
        let shards = (1..=count).map(|index| Shard::parse(&format!("{index}/{count}")));
        let tallies = shards.map(|shard| {
            let mut progress = Progress::default();
            progress.advance(&sevens(), shard.unwrap(), 2, u64::MAX);
            [progress.tally.cases, progress.tally.differences]
        });
        let sums = tallies.reduce(|[a, b], [c, d]| [a + c, b + d]);
        assert_eq!(sums, Some([1000, 143]), "{count}");
    }
    assert!(["0/2", "3/2", "1/0", "1", "a/b", "-1/2"].iter().all(|s| Shard::parse(s).is_none()));
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let path = env::temp_dir().join(format!("isa-verify-{}.json", std::process::id()));
    let mut progress = Progress::default();
    progress.advance(&sevens(), Shard::WHOLE, 2, 450);
    Saved::new("c", Shard::WHOLE).save(&path, &sevens(), &progress).unwrap();

    let mut saved = Saved::new("c", Shard::WHOLE);
    saved.load(&path).unwrap();
    let mut resumed = saved.progress(&sevens()).unwrap();
    assert_eq!(resumed, progress);
    resumed.advance(&sevens(), Shard::WHOLE, 1, u64::MAX);
    let mut whole = Progress::default();
    whole.advance(&sevens(), Shard::WHOLE, 2, u64::MAX);
    assert_eq!(resumed, whole);
    assert!(whole.is_complete(&sevens(), Shard::WHOLE));

    // The state of another commit, of another shard, or a truncated file is rejected, and the
    // campaign does not start from the beginning.
    assert!(Saved::new("d", Shard::WHOLE).load(&path).is_err());
    assert!(Saved::new("c", Shard { index: 0, count: 2 }).load(&path).is_err());
    fs::write(&path, "{\"key\":").unwrap();
    assert!(saved.load(&path).is_err());
    fs::remove_file(&path).unwrap();
    assert!(saved.load(&path).is_ok());
}
