//! Arithmetic on slices: every engine that this processor supports must return the same bits as the
//! functions on one lane, under all settings. `half_arithmetic` compares those functions with
//! `rustc_apfloat`.

use isa_half::lanes::{Engine, HalfSelect, PackedOperand, Settings, pack};
use isa_half::{Half, abs, add, bf16, canonical_nan, f16, flush, fma, mul, neg, relu, saturate};
use isa_tests::half_support::{Operands, Pair, ROUNDINGS};

/// The number of lanes for each engine, format, operation and settings. It is not a multiple of any
/// vector length.
const LANES: usize = 20_011;

/// Returns all settings except those with both `saturate` and `relu`, which no instruction has.
fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for (rounding, _) in ROUNDINGS {
        for bits in 0..12 {
            all.push(Settings {
                rounding,
                flush_operands: bits & 1 == 1,
                flush_result: bits & 2 == 2,
                saturate: bits / 4 == 1,
                relu: bits / 4 == 2,
            });
        }
    }
    all
}

/// Computes one lane by the steps of the instruction set.
fn one_lane<H: Half>(settings: Settings, operation: impl Fn([H; 3]) -> H, bits: [u16; 3]) -> u16 {
    let operands = bits.map(H::from_bits);
    let operands = if settings.flush_operands { operands.map(flush) } else { operands };
    let mut result = operation(operands);
    if settings.saturate {
        result = saturate(result);
    } else if settings.relu {
        result = relu(result);
    }
    if settings.flush_result {
        result = flush(result);
    }
    canonical_nan(result).to_bits()
}

/// Returns operands. In half of them, the third is close to the product of the others.
fn operands<H: Pair>(seed: u64) -> [Vec<u16>; 3] {
    use rustc_apfloat::Float;
    let mut source = Operands::new::<H>(seed);
    let mut columns = [const { Vec::new() }; 3];
    for i in 0..LANES {
        let a = source.one();
        let b = if i % 2 == 0 { source.one() } else { source.beside(a) };
        let product = H::from_bits(a).reference() * H::from_bits(b).reference();
        let c = source.beside(product.value.to_bits() as u16);
        for (column, bits) in columns.iter_mut().zip([a, b, c]) {
            column.push(bits);
        }
    }
    columns
}

fn check<H: Pair>() {
    let [a, b, c] = operands::<H>(7);
    let mut out = vec![0; LANES];
    for settings in all_settings() {
        let rounding = settings.rounding;
        for engine in Engine::all() {
            let compare = |what: &str, out: &[u16], operation: &dyn Fn([H; 3]) -> H| {
                for (i, &result) in out.iter().enumerate() {
                    let bits = [a[i], b[i], c[i]];
                    let expected = one_lane(settings, operation, bits);
                    assert!(
                        result == expected,
                        "{} {what} of {bits:04x?} by {}: {result:#06x}, expected {expected:#06x} \
                         ({settings:?})",
                        H::FORMAT.name,
                        engine.name(),
                    );
                }
            };
            engine.add::<H>(settings, &a, &b, &mut out);
            compare("sum", &out, &|[a, b, _]| add(a, b, rounding));
            engine.mul::<H>(settings, &a, &b, &mut out);
            compare("product", &out, &|[a, b, _]| mul(a, b, rounding));
            engine.fma::<H>(settings, &a, &b, &c, &mut out);
            compare("fused sum", &out, &|[a, b, c]| fma(a, b, c, rounding));
        }
    }
}

#[test]
fn f16_on_every_engine() {
    check::<f16>();
}

#[test]
fn bf16_on_every_engine() {
    check::<bf16>();
}

/// Returns the lanes that a register provides, by the steps of the instruction set.
fn fed<H: Half>(operand: PackedOperand<'_>, register: u32) -> [u16; 2] {
    let [low, high] = [register as u16, (register >> 16) as u16];
    let halves = match operand.select {
        HalfSelect::Both => [low, high],
        HalfSelect::Low => [low, low],
        HalfSelect::High => [high, high],
    };
    halves.map(|bits| {
        let lane = H::from_bits(bits);
        let lane = if operand.absolute { abs(lane) } else { lane };
        if operand.negate { neg(lane).to_bits() } else { lane.to_bits() }
    })
}

/// Checks registers with every operand selection and in all settings: one register, the registers
/// of a warp, and a number that does not fill a vector.
fn check_packed<H: Pair>() {
    let rows: [Vec<u32>; 3] = operands::<H>(11).map(|lanes| {
        let (pairs, _) = lanes.as_chunks();
        pairs[..37].iter().flat_map(|&pair| pack(&[pair])).collect()
    });
    let ways = [HalfSelect::Both, HalfSelect::Low, HalfSelect::High];
    let ways = ways.into_iter().flat_map(|select| (0..4).map(move |signs| (select, signs)));
    let ways: Vec<_> = ways.collect();
    for (i, settings) in all_settings().into_iter().enumerate() {
        for (j, length) in
            (0..ways.len()).flat_map(|j| [1, 5, 16, 32, 37].map(|length| (j, length)))
        {
            let operand = |which: usize| {
                let (select, signs) = ways[(j + which * (i + 1)) % ways.len()];
                let registers = &rows[which][..length];
                PackedOperand {
                    registers,
                    select,
                    absolute: signs & 1 == 1,
                    negate: signs & 2 == 2,
                }
            };
            let [a, b, c] = [0, 1, 2].map(operand);
            for engine in Engine::all() {
                let compare = |what: &str, out: &[u32], operation: &dyn Fn([H; 3]) -> H| {
                    for (i, &result) in out.iter().enumerate() {
                        let [x, y, z] =
                            [a, b, c].map(|operand| fed::<H>(operand, operand.registers[i]));
                        let lanes =
                            [0, 1].map(|k| one_lane(settings, operation, [x[k], y[k], z[k]]));
                        assert!(
                            [result] == pack(&[lanes]),
                            "{} {what} of {:08x?} by {}: {result:#010x}, expected {lanes:04x?} \
                             ({settings:?}, {a:?}, {b:?}, {c:?})",
                            H::FORMAT.name,
                            [a, b, c].map(|operand| operand.registers[i]),
                            engine.name(),
                        );
                    }
                };
                let (mut out, rounding) = (vec![0; length], settings.rounding);
                engine.add_packed::<H>(settings, a, b, &mut out);
                compare("sum", &out, &|[a, b, _]| add(a, b, rounding));
                engine.mul_packed::<H>(settings, a, b, &mut out);
                compare("product", &out, &|[a, b, _]| mul(a, b, rounding));
                engine.fma_packed::<H>(settings, a, b, c, &mut out);
                compare("fused sum", &out, &|[a, b, c]| fma(a, b, c, rounding));
            }
        }
    }
}

#[test]
fn registers_of_f16_on_every_engine() {
    check_packed::<f16>();
}

#[test]
fn registers_of_bf16_on_every_engine() {
    check_packed::<bf16>();
}

#[test]
fn as_many_registers_as_the_shortest_row() {
    let ones = [0x3c00_3c00; 40];
    for engine in Engine::all() {
        for registers in 0..40 {
            for shortest in 0..4 {
                let length = |which| if which == shortest { registers } else { 40 };
                let mut out = [0; 40];
                let [a, b, c] = [0, 1, 2].map(|which| PackedOperand::new(&ones[..length(which)]));
                engine.fma_packed::<f16>(Settings::default(), a, b, c, &mut out[..length(3)]);
                let (computed, rest) = out.split_at(registers);
                assert!(computed.iter().all(|&sums| sums == 0x4000_4000), "{}", engine.name());
                assert!(rest.iter().all(|&sums| sums == 0), "{} {registers}", engine.name());
            }
        }
    }
}

#[test]
fn as_many_lanes_as_the_shortest_slice() {
    let ones = [0x3c00; 100];
    for engine in Engine::all() {
        for lanes in 0..100 {
            for shortest in 0..4 {
                let length = |which| if which == shortest { lanes } else { 100 };
                let mut out = [0; 100];
                let settings = Settings::default();
                let [a, b, c] = [0, 1, 2].map(|which| &ones[..length(which)]);
                engine.fma::<f16>(settings, a, b, c, &mut out[..length(3)]);
                assert_eq!(out[..lanes], [0x4000; 100][..lanes], "{}", engine.name());
                assert!(out[lanes..].iter().all(|&lane| lane == 0), "{} {lanes}", engine.name());
            }
        }
    }
}

#[test]
fn the_portable_engine_comes_first() {
    let names: Vec<_> = Engine::all().map(Engine::name).collect();
    assert_eq!(names.first(), Some(&"portable"));
    assert_eq!(names.last(), Some(&Engine::new().name()));
    println!("compared here: {names:?}");
}
