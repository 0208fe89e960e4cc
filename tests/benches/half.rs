//! Measures 16-bit floating-point arithmetic, on one lane and on slices of lanes, compared with
//! peers and with the limit.
//!
//! `cargo bench -p isa-tests --bench half`. Every result is compared with `rustc_apfloat` before it
//! is measured.

mod lanes;
mod record;

use std::hint::black_box;

use isa_half::lanes::{Engine, Settings};
use isa_half::{Rounding, add, bf16, f16, fma, mul};
use isa_tests::half_support::{Operands, Pair, ROUNDINGS, reference_bits};
use lanes::{Contender, LANES, loads_and_a_store, race};
use rustc_apfloat::{Float, Round};

/// The number of lanes in a warp. Slices are also processed in pieces of this length.
const WARP: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    Add,
    Mul,
    Fma,
}

const OPS: [Op; 3] = [Op::Add, Op::Mul, Op::Fma];

/// The operands of a row: numbers of every magnitude, subnormal numbers, infinities and NaNs.
struct Columns {
    a: Vec<u16>,
    b: Vec<u16>,
    c: Vec<u16>,
}

impl Columns {
    fn new<H: Pair>() -> Self {
        let mut source = Operands::new::<H>(1);
        let mut column = || (0..LANES).map(|_| source.one()).collect();
        Columns { a: column(), b: column(), c: column() }
    }

    fn lane(&self, i: usize) -> [u16; 3] {
        [self.a[i], self.b[i], self.c[i]]
    }
}

fn ours<H: Pair>(op: Op, rounding: Rounding, lane: [u16; 3]) -> u16 {
    let [a, b, c] = lane.map(H::from_bits);
    match op {
        Op::Add => add(a, b, rounding),
        Op::Mul => mul(a, b, rounding),
        Op::Fma => fma(a, b, c, rounding),
    }
    .to_bits()
}

fn apfloat<H: Pair>(op: Op, round: Round, lane: [u16; 3]) -> u16 {
    let [a, b, c] = lane.map(|bits| H::from_bits(bits).reference());
    let result = match op {
        Op::Add => a.add_r(b, round),
        Op::Mul => a.mul_r(b, round),
        Op::Fma => a.mul_add_r(b, c, round),
    };
    reference_bits(result.value)
}

fn engine_run<H: Pair>(
    engine: Engine,
    op: Op,
    settings: Settings,
    [a, b, c]: [&[u16]; 3],
    out: &mut [u16],
) {
    match op {
        Op::Add => engine.add::<H>(settings, a, b, out),
        Op::Mul => engine.mul::<H>(settings, a, b, out),
        Op::Fma => engine.fma::<H>(settings, a, b, c, out),
    }
}

/// Berkeley SoftFloat, which has no bf16.
#[cfg(feature = "softfloat")]
fn softfloat(op: Op, rounding: Rounding, lane: [u16; 3]) -> u16 {
    use softfloat_wrapper::{F16, Float, RoundingMode};
    let rounding = match rounding {
        Rounding::NearestEven => RoundingMode::TiesToEven,
        Rounding::TowardNegative => RoundingMode::TowardNegative,
        Rounding::TowardPositive => RoundingMode::TowardPositive,
        Rounding::TowardZero => RoundingMode::TowardZero,
    };
    let [a, b, c] = lane.map(F16::from_bits);
    match op {
        Op::Add => a.add(b, rounding),
        Op::Mul => a.mul(b, rounding),
        Op::Fma => a.fused_mul_add(b, c, rounding),
    }
    .to_bits()
}

/// Compares all measured code with the reference.
fn check<H: Pair>(columns: &Columns) {
    let mut out = vec![0; LANES];
    for op in OPS {
        for (rounding, round) in ROUNDINGS {
            let expected: Vec<u16> =
                (0..LANES).map(|i| apfloat::<H>(op, round, columns.lane(i))).collect();
            let scalar = (0..LANES).map(|i| ours::<H>(op, rounding, columns.lane(i)));
            assert!(scalar.eq(expected.iter().copied()), "{op:?} {rounding:?}");
            #[cfg(feature = "softfloat")]
            if H::FORMAT.name == "f16" {
                let is_nan = |bits: u16| bits & 0x7fff > 0x7c00;
                for (i, &expected) in expected.iter().enumerate() {
                    let theirs = softfloat(op, rounding, columns.lane(i));
                    assert!(theirs == expected || is_nan(theirs) && is_nan(expected));
                }
            }
            let settings = Settings { rounding, ..Settings::default() };
            for engine in Engine::all() {
                let all: [&[u16]; 3] = [&columns.a, &columns.b, &columns.c];
                engine_run::<H>(engine, op, settings, all, &mut out);
                assert_eq!(out, expected, "{} {op:?} {rounding:?}", engine.name());
            }
        }
    }
}

/// Calls `operation` for each lane, one by one.
#[inline(always)]
fn each(columns: &Columns, operation: impl Fn([u16; 3]) -> u16) {
    for ((&a, &b), &c) in columns.a.iter().zip(&columns.b).zip(&columns.c) {
        black_box(operation([a, b, c]));
    }
}

fn one_lane<H: Pair>(
    columns: &Columns,
    plus: impl Fn(H, H) -> H + Copy,
    times: impl Fn(H, H) -> H + Copy,
) {
    for op in OPS {
        for (rounding, round) in ROUNDINGS {
            let mut contenders = vec![Contender::new("ours", || {
                let rounding = black_box(rounding);
                match op {
                    Op::Add => each(columns, |lane| ours::<H>(Op::Add, rounding, lane)),
                    Op::Mul => each(columns, |lane| ours::<H>(Op::Mul, rounding, lane)),
                    Op::Fma => each(columns, |lane| ours::<H>(Op::Fma, rounding, lane)),
                }
            })];
            let operator = |lane: [u16; 3], op: &dyn Fn(H, H) -> H| {
                op(H::from_bits(lane[0]), H::from_bits(lane[1])).to_bits()
            };
            if rounding == Rounding::NearestEven && op != Op::Fma {
                contenders.push(Contender::new("half", move || match op {
                    Op::Add => each(columns, |lane| operator(lane, &plus)),
                    _ => each(columns, |lane| operator(lane, &times)),
                }));
            }
            #[cfg(feature = "softfloat")]
            if H::FORMAT.name == "f16" {
                contenders.push(Contender::new("SoftFloat", move || {
                    each(columns, |lane| softfloat(op, rounding, lane));
                }));
            }
            contenders.push(Contender::new("rustc_apfloat", || {
                each(columns, |lane| apfloat::<H>(op, round, lane));
            }));
            let row = format!("{} {op:?} {rounding:?}", H::FORMAT.name);
            race("one lane", &row, LANES, contenders);
        }
    }
}

fn many_lanes<H: Pair>(columns: &Columns, warps: bool) {
    for op in OPS {
        for (rounding, _) in ROUNDINGS {
            let settings = black_box(Settings { rounding, ..Settings::default() });
            let piece = if warps { WARP } else { LANES };
            let mut contenders: Vec<_> = Engine::all()
                .map(|engine| {
                    let mut out = vec![0; LANES];
                    Contender::new(engine.name(), move || {
                        let sources = [&columns.a, &columns.b, &columns.c];
                        for (i, out) in out.chunks_mut(piece).enumerate() {
                            let range = i * piece..(i + 1) * piece;
                            let sources = sources.map(|column| &column[range.clone()]);
                            engine_run::<H>(engine, op, settings, sources, out);
                        }
                        black_box(&mut out);
                    })
                })
                .collect();
            let mut out = vec![0; LANES];
            contenders.push(Contender::new("loads and a store", move || {
                loads_and_a_store([&columns.a, &columns.b, &columns.c], &mut out);
            }));
            let table = if warps { "warps" } else { "slices" };
            race(table, &format!("{} {op:?} {rounding:?}", H::FORMAT.name), LANES, contenders);
        }
    }
}

fn main() {
    let (f16s, bf16s) = (Columns::new::<f16>(), Columns::new::<bf16>());
    check::<f16>(&f16s);
    check::<bf16>(&bf16s);

    println!("one lane, ns (ratio to the last)");
    one_lane::<f16>(&f16s, |a, b| a + b, |a, b| a * b);
    one_lane::<bf16>(&bf16s, |a, b| a + b, |a, b| a * b);

    for (title, warps) in [("slices of 4,096 lanes", false), ("warps of 32 lanes", true)] {
        println!("\n{title}, ns a lane (ratio to the last)");
        many_lanes::<f16>(&f16s, warps);
        many_lanes::<bf16>(&bf16s, warps);
    }
}
