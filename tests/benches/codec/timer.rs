//! A timer that interleaves its cases, so that what slows the machine slows all of them.

use std::ops::Range;
use std::time::Instant;

use crate::record::record;

/// How often each case runs.
const ROUNDS: usize = 4001;

/// How many items a pass takes: few enough that a pass seldom loses the processor in between.
const ITEMS: usize = 512;

/// Something to time: a name, and what it does with some of the items.
pub(crate) struct Case<'a> {
    name: &'static str,
    pass: Box<dyn FnMut(Range<usize>) + 'a>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(name: &'static str, pass: impl FnMut(Range<usize>) + 'a) -> Self {
        Case { name, pass: Box::new(pass) }
    }
}

/// Prints the median of each case in nanoseconds an item, and its ratio to the first.
///
/// Passes go through the items in turn, each case at another place, so that none finds in a cache
/// what the one before has left there.
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
