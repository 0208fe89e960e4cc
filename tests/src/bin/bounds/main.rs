//! Measures inputs of growing size: `bounds [PART OF A NAME [SIZE]]`.
//!
//! Each input is processed at a quarter, at half and at all of its size, each time in its own
//! process: specifications by the compiler, and sources, objects and texts by the importers and the
//! tool. For each size a line shows the processor time, its growth since the previous size, the
//! peak of memory, the number of messages, and the size of the output. A `!` marks an exceeded
//! limit.

mod objects;
mod texts;

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use proc_macro2::{TokenStream, TokenTree};

#[path = "../../../../isa-macros/compiler/src/tests/growing.rs"]
mod growing;

/// The limits of an input in seconds and mebibytes.
const MOST: (f64, u64) = (2.0, 500);

/// The maximum factor by which time and output may grow if the size of the input doubles.
const MOST_GROWTH: f64 = 2.8;

/// The shortest time in seconds for which growth is shown.
const SHORTEST: f64 = 0.1;

/// The time after which a process is killed.
const GUARD: Duration = Duration::from_secs(60);

/// An input of growing size.
pub(crate) struct Input {
    /// The part of the input that grows.
    pub(crate) name: &'static str,
    /// The largest size. If it is less than 16, it is measured together with the three sizes below it,
    /// instead of fractions of it.
    pub(crate) full: usize,
    /// The expected number of messages at any size.
    pub(crate) messages: usize,
    pub(crate) work: Work,
}

/// The work for an input of a given size.
pub(crate) enum Work {
    /// Compiles the returned specification.
    Compile(fn(usize) -> String),
    /// Does the work, and returns the number of messages and the bytes of output.
    Run(fn(usize) -> Outcome),
}

/// The result for an input.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) messages: usize,
    /// The number of tokens or bytes.
    pub(crate) output: usize,
}

/// The measurements of a process with an input of one size.
struct Measured {
    seconds: f64,
    mebibytes: u64,
    outcome: Outcome,
}

fn inputs() -> Vec<Input> {
    let specs = growing::ALL.iter().map(|input| {
        let growing::Input { name, make, full, messages } = *input;
        Input { name, full, messages, work: Work::Compile(make) }
    });
    specs.chain(objects::INPUTS).chain(texts::INPUTS).collect()
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok();
    match &arguments[..] {
        [one, place, size] if one == "--one" => {
            let (Some(place), Some(size)) = (number(place), number(size)) else { return };
            run(&inputs()[place], size);
        }
        _ => table(arguments.first().map_or("", String::as_str), arguments.get(1).and_then(number)),
    }
}

/// Measures the inputs with names that contain `part`, at one size or at several.
fn table(part: &str, size: Option<usize>) {
    println!(
        "{:>8} {:<66} {:>7} {:>6} {:>6} {:>8} {:>10}",
        "size", "of", "seconds", "growth", "MiB", "messages", "output"
    );
    for (place, input) in inputs().iter().enumerate() {
        if !input.name.contains(part) {
            continue;
        }
        let sizes = match size {
            Some(size) => vec![size],
            None if input.full < 16 => (input.full - 3..=input.full).collect(),
            None => vec![input.full / 4, input.full / 2, input.full],
        };
        let mut last: Option<Measured> = None;
        for size in sizes {
            let Some(measured) = measure(place, size) else {
                println!("{size:>8} {:<66} ended without a result !", input.name);
                break;
            };
            line(input, size, &measured, last.as_ref());
            last = Some(measured);
        }
    }
}

/// Prints the measurements for one size, compared with the previous size.
fn line(input: &Input, size: usize, measured: &Measured, last: Option<&Measured>) {
    let Measured { seconds, mebibytes, outcome: Outcome { messages, output } } = *measured;
    // Small sizes are numbers of bits or levels, each of which may double the work.
    let last = last.filter(|_| input.full >= 16);
    let growth = last.filter(|last| last.seconds >= SHORTEST).map(|last| seconds / last.seconds);
    let output_growth = last.map_or(0.0, |last| output as f64 / last.outcome.output.max(1) as f64);
    let is_over = seconds > MOST.0
        || mebibytes > MOST.1
        || messages != input.messages
        || growth.unwrap_or(0.0) > MOST_GROWTH
        || (output_growth > MOST_GROWTH && output > 100_000);
    let growth = growth.map_or(String::new(), |growth| format!("{growth:.1}"));
    println!(
        "{size:>8} {:<66} {seconds:>7.2} {growth:>6} {mebibytes:>6} {messages:>8} {output:>10}{}",
        input.name,
        if is_over { " !" } else { "" }
    );
}

/// Processes an input in another process, which is killed if it takes too long.
fn measure(place: usize, size: usize) -> Option<Measured> {
    let mut command = Command::new(env::current_exe().ok()?);
    command.args(["--one", &place.to_string(), &size.to_string()]).stdout(Stdio::piped());
    let mut process = command.stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    while process.try_wait().ok()?.is_none() {
        if start.elapsed() > GUARD {
            process.kill().ok()?;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = process.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some(Measured {
        seconds: words.next()?.parse().ok()?,
        mebibytes: words.next()?.parse().ok()?,
        outcome: Outcome {
            messages: words.next()?.parse().ok()?,
            output: words.next()?.parse().ok()?,
        },
    })
}

/// Processes an input and prints the measurements.
fn run(input: &Input, size: usize) {
    let (before, outcome) = match input.work {
        Work::Compile(make) => {
            let tokens = make(size).parse().expect("the input is tokens");
            let before = on_processor();
            let expansion = isa_compiler::expand(tokens);
            (before, count(expansion))
        }
        Work::Run(work) => (on_processor(), work(size)),
    };
    let seconds = on_processor() - before;
    let Outcome { messages, output } = outcome;
    println!("{seconds} {} {messages} {output}", peak().unwrap_or(0));
}

/// Counts the errors and the tokens in an expansion.
fn count(expansion: TokenStream) -> Outcome {
    let mut all = Outcome::default();
    let mut open = vec![expansion.into_iter()];
    while let Some(trees) = open.last_mut() {
        let Some(tree) = trees.next() else {
            open.pop();
            continue;
        };
        all.output += 1;
        match tree {
            TokenTree::Group(group) => open.push(group.stream().into_iter()),
            TokenTree::Ident(name) => all.messages += usize::from(name == "compile_error"),
            _ => {}
        }
    }
    all
}

/// Returns the processor time of this process in seconds.
fn on_processor() -> f64 {
    let times = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program is in parentheses and may contain blanks.
    let fields = times.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Returns the peak memory use of this process in mebibytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}
