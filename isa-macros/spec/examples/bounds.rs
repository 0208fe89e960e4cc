//! `cargo run --release -p isa-spec --example bounds`: how long the compiler takes for inputs that
//! grow, and how much memory.
//!
//! Each input is compiled at a quarter of its size, at half and at all of it, each time in a process
//! of its own. Behind the name of a part of the inputs, those alone are measured; a number behind
//! it is the size to measure.

use std::env;
use std::fs;
use std::process::Command;
use std::time::Instant;

#[path = "../src/tests/growing.rs"]
mod growing;

use growing::{ALL, Input};

/// The most seconds and mebibytes that any of them may take.
const MOST: (f64, u64) = (2.0, 500);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok();
    match &arguments[..] {
        [one, place, size] if one == "--one" => {
            let (Some(place), Some(size)) = (number(place), number(size)) else { return };
            compile(&ALL[place], size);
        }
        _ => table(arguments.first().map_or("", String::as_str), arguments.get(1).and_then(number)),
    }
}

/// Measures the inputs of which the name has `part`, at one size or at three.
fn table(part: &str, size: Option<usize>) {
    println!(
        "{:>8} {:<66} {:>7} {:>6} {:>6} {:>9}",
        "size", "of", "seconds", "growth", "MiB", "messages"
    );
    for (place, input) in ALL.iter().enumerate().filter(|(_, input)| input.name.contains(part)) {
        let sizes = match size {
            Some(size) => vec![size],
            None if input.full < 16 => (input.full - 3..=input.full).collect(),
            None => vec![input.full / 4, input.full / 2, input.full],
        };
        let mut before = None;
        for size in sizes {
            let Some((seconds, memory, messages)) = measure(place, size) else {
                println!("{size:>8} {:<66} ended without a result", input.name);
                continue;
            };
            let growth = before
                .filter(|last| *last >= 0.01)
                .map_or(String::new(), |last: f64| format!("{:.1}", seconds / last));
            before = Some(seconds);
            let over = seconds > MOST.0 || memory > MOST.1 || messages != input.messages;
            println!(
                "{size:>8} {:<66} {seconds:>7.2} {growth:>6} {memory:>6} {messages:>9}{}",
                input.name,
                if over { " !" } else { "" }
            );
        }
    }
}

/// Seconds, mebibytes and messages of an input in another process.
fn measure(place: usize, size: usize) -> Option<(f64, u64, usize)> {
    let mut command = Command::new(env::current_exe().ok()?);
    let output = command.args(["--one", &place.to_string(), &size.to_string()]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Compiles an input, and prints what that took.
fn compile(input: &Input, size: usize) {
    let tokens = (input.make)(size).parse().expect("the input is tokens");
    let (start, before) = (Instant::now(), on_processor());
    let expansion = isa_spec::expand(tokens);
    let seconds = match (before, on_processor()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed().as_secs_f64(),
    };
    let memory = peak().unwrap_or(0);
    let messages = expansion.to_string().matches("compile_error").count();
    println!("{seconds} {memory} {messages}");
}

/// The seconds that a processor has worked for this thread, where the system says it.
fn on_processor() -> Option<f64> {
    let times = fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(times.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

/// The most memory that this process has had, in mebibytes, where the system says it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}
