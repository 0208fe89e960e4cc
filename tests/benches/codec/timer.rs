//! A timer that interleaves its cases, so that a slowdown of the machine affects all of them.

use std::ops::Range;
use std::time::Instant;

use crate::record::record;

/// The number of runs of each case.
const ROUNDS: usize = 4001;

/// The number of items in a pass. It is small, so that a pass is rarely interrupted by another
/// process.
const ITEMS: usize = 512;

/// A case to measure: a name, and a function that processes a range of items.
pub(crate) struct Case<'a> {
    name: &'static str,
    pass: Box<dyn FnMut(Range<usize>) + 'a>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(name: &'static str, pass: impl FnMut(Range<usize>) + 'a) -> Self {
        Case { name, pass: Box::new(pass) }
    }
}

/// Prints the median of each case in nanoseconds per item, and its ratio to the first case.
///
/// Consecutive passes process consecutive items. Each case starts at a different item, so that no
/// case finds the data of the previous one in a cache.
pub(crate) fn table(work: &str, title: &str, items: usize, mut cases: Vec<Case<'_>>) {
    let (count, passes) = (cases.len(), items / ITEMS);
    let mut times = vec![Vec::with_capacity(ROUNDS); count];
    for round in 0..ROUNDS {
        for (place, (case, times)) in cases.iter_mut().zip(&mut times).enumerate() {
            let first = (round + place * passes / count) % passes * ITEMS;
            let start = Instant::now();
            (case.pass)(first..first + ITEMS);
            times.push(start.elapsed().as_nanos() as f64 / ITEMS as f64);
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    println!("\n{title}");
    for (case, median) in cases.iter().zip(&medians) {
        println!("  {:<44} {:>9.2} ns {:>8.2}x", case.name, median, median / medians[0]);
        record(title, work, case.name, *median);
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
