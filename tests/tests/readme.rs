//! The console blocks of the README: each command line is run in this process, and prints what
//! stands there. A line `...` stands for any lines.

use std::path::Path;

use isa_defs::cli::{Io, run};

/// The words of a command line, as a shell splits them; quotes are single.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, tail) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = tail.trim_start();
    }
    words
}

/// What a command of a pipe prints, behind what was printed before to standard error.
fn execute(words: &[String], input: &[u8], errors: &mut Vec<u8>) -> Vec<u8> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match &words[..] {
        ["echo", text] => return format!("{text}\n").into_bytes(),
        ["isa", arguments @ ..] | ["cargo", "run", "--release", "--", arguments @ ..] => arguments,
        other => panic!("what is `{}`?", other.join(" ")),
    };
    let (mut stdin, mut output) = (input, Vec::new());
    run(arguments, Io::of(&mut stdin, &mut output, errors));
    output
}

/// What a line of commands prints, standard output first.
fn print(line: &str) -> String {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut command: Vec<String> = Vec::new();
    for word in words(line).into_iter().chain(["|".to_owned()]) {
        if word == "|" {
            output = execute(&std::mem::take(&mut command), &output, &mut errors);
        } else {
            command.push(word);
        }
    }
    output.extend(errors);
    String::from_utf8(output).unwrap()
}

/// Whether lines are those of a pattern, in which `...` stands for any.
fn fits(lines: &[&str], pattern: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"...", pattern)) => (0..=lines.len()).any(|from| fits(&lines[from..], pattern)),
        Some((first, pattern)) => {
            lines.split_first().is_some_and(|(line, rest)| line == first && fits(rest, pattern))
        }
    }
}

#[test]
fn commands_print_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::env::set_current_dir(&root).unwrap();
    let readme = std::fs::read_to_string("README.md").unwrap();
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 8, "only {} blocks", blocks.len());
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let printed = print(command.strip_prefix("$ ").unwrap());
        let (lines, pattern): (Vec<_>, Vec<_>) =
            (printed.lines().collect(), shown.lines().collect());
        assert!(fits(&lines, &pattern), "{command}\nprints\n{printed}\nthe README has\n{shown}");
    }
}
