//! How long answers take in a text of 10,000 lines, as a client sees it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, place};

/// The lines of the text.
const LINES: usize = 10_000;

/// Opens a text of lines that are repeated, edits it in its middle, asks, and prints the medians.
/// `at` is the column in the line in the middle that edits and questions are about, `line` another line.
pub(crate) fn measure(mut client: Client, lines: &[&str], at: usize, line: &str) {
    let text: String = lines.iter().cycle().take(LINES).flat_map(|line| [*line, "\n"]).collect();
    // In the middle, where the lines begin anew if they are fewer.
    let number =
        if lines.len() < LINES { LINES / 2 / lines.len() * lines.len() } else { LINES / 2 };
    client.begin("utf-16");
    print("open to diagnostics", 20.0, &mut || _ = client.open(&text));
    let start = place(number, at);
    let mut edit = |what: &str, start: &Value, end: &Value, new: &str| {
        let ranges = [(start, start, new), (start, end, "")];
        let mut changes = ranges.into_iter().cycle().map(
            |(start, end, new)| json!([{ "range": { "start": start, "end": end }, "text": new }]),
        );
        print(what, 5.0, &mut || _ = client.change(&changes.next().expect("more")));
    };
    edit("letter to diagnostics", &start, &place(number, at + 1), "x");
    edit("line to diagnostics", &place(number, 0), &place(number + 1, 0), &format!("{line}\n"));
    let here = || json!({ "position": start });
    // What begins a comment takes all lines behind it, and gives them back.
    let behind = LINES * 3 / 10;
    edit("comment to diagnostics", &place(behind, 0), &place(behind, 2), "/*");
    print("completion", 10.0, &mut || _ = client.ask("completion", here()));
    let first = || json!({ "position": place(number + 1, 0) });
    print("completion of mnemonics", 10.0, &mut || _ = client.ask("completion", first()));
    print("hover", 1.0, &mut || _ = client.ask("hover", here()));
    let view = json!({ "start": place(number, 0), "end": place(number + 60, 0) });
    print("colours of 60 lines", 10.0, &mut || {
        client.ask("semanticTokens/range", json!({ "range": view }));
    });
    client.end();
}

/// Prints the median of some times, and the goal.
fn print(what: &str, goal: f64, work: &mut dyn FnMut()) {
    let mut times: Vec<Duration> = (0..30)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    let [median, most] = [times[15], times[27]].map(|time| time.as_secs_f64() * 1000.0);
    println!("{what:<26} {median:>7.2} ms, nine of ten within {most:>6.2} ms (goal {goal} ms)");
}
