//! Shared parts of the benchmarks of lanes: interleaved measurements, and the table of medians.
#![allow(dead_code, reason = "each benchmark uses its own part of this")]

use std::hint::black_box;
use std::time::Instant;

use crate::record::record;

/// The number of runs of each contender in a row.
const ROUNDS: usize = 60;

/// The number of lanes in the inputs of a row. They fit into the first-level cache.
pub(crate) const LANES: usize = 4096;

/// An implementation of the work in a row, which is executed once per run.
pub(crate) struct Contender<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: impl Into<String>, run: impl FnMut() + 'a) -> Self {
        Contender { name: name.into(), run: Box::new(run) }
    }
}

/// Measures the contenders in turns. Prints the median of each, in nanoseconds for each of `units`,
/// and its ratio to the last contender, which is the limit or the peer.
pub(crate) fn race(table: &str, row: &str, units: usize, mut contenders: Vec<Contender<'_>>) {
    let mut times = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    for _ in 0..ROUNDS {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (contender.run)();
            times.push(start.elapsed().as_secs_f64() * 1e9 / units as f64);
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    let reference = medians.last().copied().unwrap_or(1.0);
    print!("{row:<28}");
    for (contender, median) in contenders.iter().zip(&medians) {
        print!("  {} {median:.3} ({:.2}x)", contender.name, median / reference);
        record(table, row, &contender.name, *median);
    }
    println!();
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The minimum work for three columns of registers and a result.
#[inline(never)]
pub(crate) fn loads_and_a_store<T: Copy + std::ops::BitXor<Output = T>>(
    columns: [&[T]; 3],
    out: &mut [T],
) {
    let [a, b, c] = columns;
    for (((&a, &b), &c), out) in a.iter().zip(b).zip(c).zip(&mut *out) {
        *out = a ^ b ^ c;
    }
    black_box(out);
}
