//! Measures the response time of a language server for a text of 10,000 lines, as the client sees
//! it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, place};

/// The number of lines of the text.
const LINES: usize = 10_000;
/// The number of repetitions of each measurement.
const TIMES: usize = 30;

/// Opens a text that repeats `lines`, edits it in its middle, sends requests, and prints the
/// medians. The edits and requests are at column `at` of the line in the middle. `line` is a line
/// that is inserted.
pub(crate) fn measure(mut client: Client, lines: &[&str], at: usize, line: &str) {
    let text: String = lines.iter().cycle().take(LINES).flat_map(|line| [*line, "\n"]).collect();
    // In the middle; if there are fewer lines, at a repetition of the first one.
    let number =
        if lines.len() < LINES { LINES / 2 / lines.len() * lines.len() } else { LINES / 2 };
    client.begin("utf-16");
    let times = |what: &str, goal: f64, work: &mut dyn FnMut()| {
        print(what, goal, (0..TIMES).map(|_| time(work)).collect());
    };
    times("open to diagnostics", 20.0, &mut || _ = client.open(&text));
    let start = place(number, at);
    let mut edit = |what: &str, start: &Value, end: &Value, new: &str| {
        let change = |end: &Value, new: &str| json!([{ "range": { "start": start, "end": end }, "text": new }]);
        let (insert, delete) = (change(start, new), change(end, ""));
        let [mut there, mut back] = [const { Vec::new() }; 2];
        for _ in 0..TIMES {
            there.push(time(&mut || _ = client.change(&insert)));
            back.push(time(&mut || _ = client.change(&delete)));
        }
        print(&format!("{what} to diagnostics"), 5.0, there);
        print("  taken back", 5.0, back);
    };
    edit("letter", &start, &place(number, at + 1), "x");
    edit("line", &place(number, 0), &place(number + 1, 0), &format!("{line}\n"));
    let here = || json!({ "position": start });
    // The beginning of a comment turns all later lines into a comment, and its removal restores
    // them.
    let behind = LINES * 3 / 10;
    edit("comment", &place(behind, 0), &place(behind, 2), "/*");
    times("completion", 10.0, &mut || _ = client.ask("completion", here()));
    let first = || json!({ "position": place(number + 1, 0) });
    times("completion of mnemonics", 10.0, &mut || _ = client.ask("completion", first()));
    times("hover", 1.0, &mut || _ = client.ask("hover", here()));
    let view = json!({ "start": place(number, 0), "end": place(number + 60, 0) });
    times("colours of 60 lines", 10.0, &mut || {
        client.ask("semanticTokens/range", json!({ "range": view }));
    });
    client.end();
}

fn time(work: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Prints the median and the 90th percentile of some times, and the goal.
fn print(what: &str, goal: f64, mut times: Vec<Duration>) {
    times.sort();
    let [median, most] =
        [TIMES / 2, TIMES * 9 / 10].map(|number| times[number].as_secs_f64() * 1000.0);
    println!("{what:<26} {median:>7.2} ms, nine of ten within {most:>6.2} ms (goal {goal} ms)");
}
