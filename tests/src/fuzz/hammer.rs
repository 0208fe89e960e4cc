//! A fuzzer that works with any compiler: it mutates inputs that had a new result.

use std::any::Any;
use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use super::Target;
use super::mutate::Mutator;

/// The maximum number of inputs, and of different results, that a worker stores.
const MOST: usize = 1 << 14;
/// The number of executions between two checks of the elapsed time.
const BLOCK: u64 = 64;
/// The stack size of a worker in bytes. It is large because deeply nested input alone is not a
/// finding.
const STACK: usize = 512 << 20;

/// The limits of a run.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The number of executions by all workers together.
    pub executions: u64,
    /// The duration.
    pub time: Duration,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of inputs that were executed.
    pub executions: u64,
    /// The number of different results of the target.
    pub reached: usize,
    /// For each panic message, the first input that caused it.
    pub findings: BTreeMap<String, Vec<u8>>,
    /// The longest time of a block of 64 inputs.
    pub slowest: Duration,
    /// The duration of the run.
    pub time: Duration,
}

/// Runs a target on its seeds and on mutated inputs.
///
/// # Panics
///
/// Panics if there are no seeds.
#[must_use]
pub fn hammer(
    target: &Target,
    seeds: &[Vec<u8>],
    seed: u64,
    threads: usize,
    limit: Limit,
) -> Outcome {
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    let (start, left) = (Instant::now(), AtomicU64::new(limit.executions));
    let work = |number: u64| Worker::new(target, seeds, seed + number).work(&left, start, limit);
    let outcomes: Vec<Worker> = thread::scope(|scope| {
        let start = |number| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, move || work(number)).expect("a thread starts")
        };
        let workers: Vec<_> = (0..threads.max(1) as u64).map(start).collect();
        workers.into_iter().map(|worker| worker.join().expect("panics are caught")).collect()
    });
    let mut whole = Outcome { time: start.elapsed(), ..Outcome::default() };
    let mut reached = HashSet::new();
    for Worker { outcome, reached: own, .. } in outcomes {
        whole.executions += outcome.executions;
        whole.findings.extend(outcome.findings);
        whole.slowest = whole.slowest.max(outcome.slowest);
        reached.extend(own);
    }
    whole.reached = reached.len();
    whole
}

struct Worker<'t> {
    target: &'t Target,
    mutator: Mutator,
    inputs: Vec<Vec<u8>>,
    reached: HashSet<u64>,
    outcome: Outcome,
}

impl<'t> Worker<'t> {
    fn new(target: &'t Target, seeds: &[Vec<u8>], seed: u64) -> Self {
        let mutator = Mutator::new(seed, target, seeds);
        let inputs = seeds.to_vec();
        Worker { target, mutator, inputs, reached: HashSet::new(), outcome: Outcome::default() }
    }

    fn work(mut self, left: &AtomicU64, start: Instant, limit: Limit) -> Self {
        for place in 0..self.inputs.len() {
            let input = self.inputs[place].clone();
            self.run(&input);
        }
        let mut input = Vec::with_capacity(self.target.longest);
        while start.elapsed() < limit.time {
            let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                (left > 0).then(|| left.saturating_sub(BLOCK))
            });
            let Ok(before) = taken else { break };
            let block = Instant::now();
            for _ in 0..before.min(BLOCK) {
                let [one, other] =
                    [0; 2].map(|_| self.mutator.random.below(self.inputs.len() as u64));
                input.clear();
                input.extend_from_slice(&self.inputs[one as usize]);
                self.mutator.mutate(&mut input, &self.inputs[other as usize]);
                if self.run(&input) && self.inputs.len() < MOST {
                    self.inputs.push(input.clone());
                }
            }
            self.outcome.slowest = self.outcome.slowest.max(block.elapsed());
        }
        self
    }

    /// Runs one input, and returns whether its result is new.
    fn run(&mut self, input: &[u8]) -> bool {
        self.outcome.executions += 1;
        match catch_unwind(AssertUnwindSafe(|| (self.target.run)(input))) {
            Ok(number) => self.reached.len() < MOST && self.reached.insert(number),
            Err(panic) => {
                // If two messages differ only in numbers, the cause is probably the same.
                let key: String =
                    message(&*panic).chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
                self.outcome.findings.entry(key).or_insert_with(|| input.to_vec());
                false
            }
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text")
}

/// Returns the folder with the seeds of a target.
#[must_use]
pub fn corpus(target: &Target) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fuzz", "corpus", target.name].iter().collect()
}

/// Returns the contents of the files in a folder, sorted by file name.
///
/// # Errors
///
/// Returns an error if the folder or a file cannot be read.
pub fn read_folder(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}
