//! A fuzzer for any compiler: it changes inputs that reached something new.

use std::any::Any;
use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use super::Target;
use super::mutate::Mutator;

/// More inputs are not kept, nor more numbers of what they reached.
const MOST: usize = 1 << 14;
/// Executions between two looks at the clock.
const BLOCK: u64 = 64;
/// The depth of the stack of a worker: deeply nested input is no finding in itself.
const STACK: usize = 512 << 20;

/// How long to go on.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Executions over all workers.
    pub executions: u64,
    /// Time.
    pub time: Duration,
}

/// What a run showed.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Inputs that were run.
    pub executions: u64,
    /// Different numbers that the target gave.
    pub reached: usize,
    /// By message of a panic, the first input that made it.
    pub findings: BTreeMap<String, Vec<u8>>,
    /// The longest time that 64 inputs took together.
    pub slowest: Duration,
    /// The time of the run.
    pub time: Duration,
}

/// Runs a target on its seeds and on changed inputs.
///
/// # Panics
///
/// Where there are no seeds.
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

    /// Runs one input; whether it reached something new.
    fn run(&mut self, input: &[u8]) -> bool {
        self.outcome.executions += 1;
        match catch_unwind(AssertUnwindSafe(|| (self.target.run)(input))) {
            Ok(number) => self.reached.len() < MOST && self.reached.insert(number),
            Err(panic) => {
                // The same message with other numbers is most likely the same fault.
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

/// The folder with the seeds of a target.
#[must_use]
pub fn corpus(target: &Target) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fuzz", "corpus", target.name].iter().collect()
}

/// The files of a folder, in the order of their names.
///
/// # Errors
///
/// Where the folder or a file cannot be read.
pub fn read_folder(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}
