//! Measures the matrix multiplication of the example `simulator`, compared with loops over numbers of the
//! crate `half`, and with numpy if it is installed.
//!
//! `cargo bench -p isa-tests --bench simulator`. The unit is a multiplication and addition of two pairs of
//! 16-bit floats, which is one `HFMA2` of a thread. The times include copies of the matrices.

mod lanes;
mod record;
#[path = "../../isa-defs/examples/simulator/main.rs"]
#[allow(dead_code, reason = "the example is also a program")]
mod simulator;

use std::hint::black_box;
use std::process::Command;

use half::f16;
use isa_verify::random::SplitMix64;
use lanes::{Contender, race};
use record::record;

/// The rows and columns of the matrices.
const SIZE: usize = 128;

const TABLE: &str = "simulated kernels";
const ROW: &str = "matrices of 128 x 128 16-bit floats";

/// Prints the median time of a product of two matrices in numpy, in nanoseconds for each unit.
const NUMPY: &str = "
import numpy, statistics, time
a = numpy.ones((128, 128), numpy.float16)
times = []
for _ in range(60):
    start = time.perf_counter()
    a @ a
    times.append(time.perf_counter() - start)
print(statistics.median(times) * 1e9 / (128 ** 3 / 2))
";

fn main() {
    let mut random = SplitMix64::new(1);
    let mut number = |_| f16::from_f32(random.below(64) as f32 / 64.0);
    let [a, b]: [Vec<f16>; 2] = [(); 2].map(|()| (0..SIZE * SIZE).map(&mut number).collect());
    let words = |matrix: &[f16]| -> Vec<u32> {
        let pairs = matrix.as_chunks().0.iter();
        pairs
            .map(|[low, high]| u32::from(low.to_bits()) | u32::from(high.to_bits()) << 16)
            .collect()
    };
    let (words_a, words_b) = (words(&a), words(&b));
    let simulated = || {
        let product = simulator::multiply([SIZE as u32; 3], &words_a, &words_b);
        product.unwrap_or_else(|error| panic!("{error}"))
    };
    // The loop with one rounding has the same order of additions, so the result is the same.
    assert_eq!(simulated(), words(&product(&a, &b, fused)));

    let loops = |name: &str, step: fn(f16, f16, f16) -> f16| {
        let (a, b) = (&a, &b);
        Contender::new(name, move || drop(black_box(product(black_box(a), b, step))))
    };
    let contenders = vec![
        Contender::new("simulator", || drop(black_box(simulated()))),
        loops("half, one rounding", fused),
        loops("half", |a, b, c| a * b + c),
    ];
    race(TABLE, ROW, SIZE * SIZE / 2 * SIZE, contenders);
    let numpy = Command::new("python3").args(["-c", NUMPY]).output().ok();
    let time = numpy.and_then(|run| String::from_utf8(run.stdout).ok()?.trim().parse().ok());
    match time {
        Some(time) => {
            println!("{:28}  numpy {time:.3}", "");
            record(TABLE, ROW, "numpy", time);
        }
        None => println!("numpy is not installed"),
    }
}

/// Returns the product of two matrices, with `step` for each multiplication and addition.
fn product(a: &[f16], b: &[f16], step: impl Fn(f16, f16, f16) -> f16) -> Vec<f16> {
    let mut product = vec![f16::ZERO; SIZE * SIZE];
    for (row, sums) in a.chunks(SIZE).zip(product.chunks_mut(SIZE)) {
        for (&a, row) in row.iter().zip(b.chunks(SIZE)) {
            for (sum, &b) in sums.iter_mut().zip(row) {
                *sum = step(a, b, *sum);
            }
        }
    }
    product
}

/// Returns the sum of a product and a number, rounded once: in single precision, the sum is exact for the
/// numbers of this benchmark.
fn fused(a: f16, b: f16, c: f16) -> f16 {
    f16::from_f32(a.to_f32() * b.to_f32() + c.to_f32())
}
