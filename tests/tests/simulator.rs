//! Tests the simulator of a GPU in `isa-defs/examples/simulator`. Its kernels must compute the same results
//! as loops over numbers, in which `rustc_apfloat` adds and multiplies 16-bit floats.

#[path = "../../isa-defs/examples/simulator/main.rs"]
#[allow(dead_code, reason = "the example is also a program")]
mod simulator;

use std::cell::Cell;

use isa_tests::half_support::reference_bits;
use isa_verify::random::SplitMix64;
use rustc_apfloat::{Float, ieee};
use simulator::{Kernel, Launch, Memory, memory};

/// Runs a kernel and returns the words of the memory.
fn run(kernel: &str, launch: &Launch<'_>, words: &[u32]) -> Result<Vec<u32>, String> {
    let kernel = Kernel::assemble(kernel).unwrap_or_else(|error| panic!("{error}"));
    let global: Memory = memory(words);
    kernel.launch(launch, &global)?;
    Ok(global.iter().map(Cell::get).collect())
}

/// Returns a 16-bit float between -1 and 1, sometimes subnormal.
fn number(random: &mut SplitMix64) -> u16 {
    let exponent = if random.below(16) == 0 { 0 } else { 1 + random.below(14) };
    random.bits() as u16 & 0x83ff | (exponent as u16) << 10
}

/// Packs two numbers of a row into each word.
fn pack(numbers: &[u16]) -> Vec<u32> {
    let pairs = numbers.as_chunks().0.iter();
    pairs.map(|&[low, high]| u32::from(low) | u32::from(high) << 16).collect()
}

#[test]
fn products_of_matrices_are_exact() {
    // Four blocks, and two tiles of shared memory in each.
    let [m, n, k] = [64, 256, 64];
    let mut random = SplitMix64::new(1);
    let mut a: Vec<u16> = (0..m * k).map(|_| number(&mut random)).collect();
    let b: Vec<u16> = (0..k * n).map(|_| number(&mut random)).collect();
    // A row with a large number, one with an infinity, and one with a NaN.
    (a[3 * k + 5], a[40 * k + 63], a[50 * k]) = (0x7bff, 0xfc00, 0x7e00);

    let half = |bits: u16| ieee::Half::from_bits(bits.into());
    let sum = |row: usize, column: usize| {
        let step = |sum, i| half(a[row * k + i]).mul_add(half(b[i * n + column]), sum).value;
        reference_bits((0..k).fold(half(0), step))
    };
    let expected: Vec<u16> = (0..m * n).map(|at| sum(at / n, at % n)).collect();
    let is_usual = |&&bits: &&u16| bits & 0x7c00 != 0 && bits & 0x7c00 != 0x7c00;
    assert!(expected.iter().filter(is_usual).count() > m * n * 9 / 10);
    assert!(expected.contains(&0x7fff) && expected.contains(&0x7c00));

    let product = simulator::multiply([m, n, k].map(|size| size as u32), &pack(&a), &pack(&b));
    assert!(product.as_ref() == Ok(&pack(&expected)), "the product is different");
}

#[test]
fn lanes_have_different_numbers_of_iterations() {
    let numbers: Vec<u32> = (1..=64).collect();
    let steps = |&number: &u32| {
        let next = |&n: &u32| (n > 1).then(|| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
        std::iter::successors(Some(number), next).count() as u32 - 1
    };
    let steps: Vec<u32> = numbers.iter().map(steps).collect();
    assert_eq!((steps[26], steps[63]), (111, 6));
    let launch = Launch { grid: [1, 1], warps: 2, shared: 0, params: &[0, 256] };
    let kernel = include_str!("../../isa-defs/examples/simulator/collatz.isa");
    let words = [&numbers[..], &[0; 64]].concat();
    assert_eq!(run(kernel, &launch, &words), Ok([numbers, steps].concat()));
}

#[test]
fn warps_add_in_shared_memory() {
    let mut random = SplitMix64::new(2);
    let words: Vec<u32> = (0..8 * 128).map(|_| random.bits() as u32).collect();
    let sum = words.iter().fold(0_u32, |sum, word| sum.wrapping_add(*word));
    // The addresses of the array and of the result.
    let launch = Launch { grid: [8, 1], warps: 4, shared: 128, params: &[0, 4096] };
    let kernel = include_str!("../../isa-defs/examples/simulator/reduce.isa");
    assert_eq!(run(kernel, &launch, &[&words[..], &[0]].concat()), Ok([words, vec![sum]].concat()));
}

/// Branches inside of branches: thread `t` of block `(x, y)` makes `t % 4` iterations, in which it
/// adds 1 or 10. The lanes must be together at the barrier.
#[test]
fn lanes_rejoin() {
    let kernel = "
            S2R R0, SR_TID;
            S2R R1, SR_CTAID_X;
            S2R R2, SR_CTAID_Y;
            MOV R3, 2;
            IMAD R4, R2, R3, R1;
            MOV R3, 32;
            IMAD R4, R4, R3, R0;
            SHL R4, R4, 2;
            AND R5, R0, 3;
            MOV R6, 0;
    loop:   ISETP.EQ P0, R5, 0;
            @P0 BRA end;
            AND R7, R0, 4;
            ISETP.NE P1, R7, 0;
            @!P1 BRA one;
            IADD R6, R6, 9;
    one:    IADD R6, R6, 1;
            IADD R5, R5, -1;
            BRA loop;
    end:    BAR;
            ISETP.GE P2, R0, 16;
            @P2 ST.G [R4, 0], R6;
            EXIT;
    ";
    let launch = Launch { grid: [2, 3], warps: 1, shared: 0, params: &[] };
    let result = |thread: u32| (thread % 4) * if thread & 4 == 0 { 1 } else { 10 };
    let block = (0..32).map(|thread| if thread < 16 { 7 } else { result(thread) });
    let expected: Vec<u32> = block.collect::<Vec<_>>().repeat(6);
    assert_eq!(run(kernel, &launch, &[7; 6 * 32]), Ok(expected));
}

#[test]
fn instructions_that_cannot_be_executed_are_errors() {
    let launch = Launch { grid: [2, 1], warps: 1, shared: 1, params: &[] };
    let (apart, address) = ("not all lanes of the warp wait at the barrier", "invalid address");
    for (kernel, at, reason) in [
        ("@P0 BAR; EXIT;", 0, apart),
        ("S2R R0, SR_TID; ISETP.EQ P0, R0, 5; @P0 BRA end; BAR; end: BAR; EXIT;", 3, apart),
        ("LD.G R2, [RZ, 8]; EXIT;", 0, address),
        ("LD.S R2, [RZ, 2]; EXIT;", 0, address),
        ("S2R R0, SR_TID; SHL R0, R0, 2; LD.G R2, [R0, 0]; EXIT;", 2, address),
        ("ST.S [RZ, 4], R2; EXIT;", 0, address),
        ("ATOM R2, [RZ, -4], R3; EXIT;", 0, address),
        ("MOV R0, 1;", 1, "no instruction"),
    ] {
        let error = format!("block [0, 0], instruction {at}: {reason}");
        assert_eq!(run(kernel, &launch, &[1, 2]), Err(error), "{kernel}");
    }
    // Lanes whose guard is false do not access memory.
    let kernel = "
        S2R R0, SR_TID;
        SHL R0, R0, 2;
        ISETP.LT P0, R0, 8;
        @P0 LD.G R1, [R0, 0];
        @P0 ATOM R2, [R0, 0], R1;
        @!P0 EXIT;
        EXIT;
    ";
    assert_eq!(run(kernel, &launch, &[1, 2]), Ok(vec![4, 8]));
}
