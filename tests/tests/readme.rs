//! Tests the README and the pages of the crates. Each command line of a console block is executed
//! in this process, and must print the lines that follow it. A line `...` matches any lines. The
//! compiler's message must be the one that the compiler prints, and links must have a target.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use isa_defs::cli::{Io, tool};
use isa_tests::page::{blocks, fits};
use isa_tests::tools::Temporary;

/// Splits a command line into words like a shell. Quotes are single quotes.
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

/// Returns the output of a command of a pipe. Appends its errors to the standard error of the
/// previous commands.
fn execute(words: &[String], input: &[u8], errors: &mut Vec<u8>) -> Vec<u8> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match &words[..] {
        ["echo", text] => return format!("{text}\n").into_bytes(),
        ["sed", script] => {
            let parts: Vec<&str> = script.split('/').collect();
            let ["s", from, to, ""] = parts[..] else { panic!("what does sed with {script}?") };
            let lines = str::from_utf8(input).unwrap().lines();
            return lines.map(|line| line.replacen(from, to, 1) + "\n").collect::<String>().into();
        }
        ["isa" | "rv", arguments @ ..] | ["cargo", "run", "--release", "--", arguments @ ..] => {
            arguments
        }
        other => panic!("what is `{}`?", other.join(" ")),
    };
    let (mut stdin, mut output) = (input, Vec::new());
    let io = Io::of(&mut stdin, &mut output, errors);
    match words[0] {
        "rv" => isa_riscv::tool().run(arguments, io),
        _ => tool().run(arguments, io),
    };
    output
}

/// The files that commands of a block write, by their names in the block.
type Files = BTreeMap<String, Temporary>;

/// Returns the output of a command line, standard output first. The name after `>` is a file.
fn print(line: &str, files: &mut Files) -> String {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut command: Vec<String> = Vec::new();
    let mut words = words(line);
    let file = words.iter().position(|word| word == ">").map(|at| words.split_off(at).remove(1));
    for word in words.into_iter().chain(["|".to_owned()]) {
        if word == "|" {
            output = execute(&std::mem::take(&mut command), &output, &mut errors);
        } else {
            let path = files.get(&word).map(|file| file.0.display().to_string());
            command.push(path.unwrap_or(word));
        }
    }
    if let Some(name) = file {
        let file = Temporary::new("txt");
        fs::write(&file.0, output.split_off(0)).unwrap();
        files.insert(name, file);
    }
    output.extend(errors);
    String::from_utf8(output).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

fn compare_commands(page: &str, least: usize) {
    let text = read(page);
    let blocks = blocks(&text, "console");
    assert!(blocks.len() >= least, "{page}: only {} blocks", blocks.len());
    for block in blocks {
        let (mut files, mut printed, mut shown) = (Files::new(), String::new(), block);
        let mut command = "";
        while let Some((line, rest)) = shown.strip_prefix("$ ").and_then(|it| it.split_once('\n')) {
            (command, shown) = (line, rest);
            printed += &print(line, &mut files);
        }
        let (lines, pattern): (Vec<_>, Vec<_>) =
            (printed.lines().collect(), shown.lines().collect());
        assert!(fits(&lines, &pattern), "{command}\nprints\n{printed}\n{page} has\n{shown}");
    }
}

#[test]
fn commands_print_what_the_pages_show() {
    std::env::set_current_dir(root()).unwrap();
    compare_commands("README.md", 1);
    compare_commands("isa-defs/README.md", 1);
    compare_commands("isa-core/cli/README.md", 18);
}

/// Checks that the page of the tool mentions each command of `isa`, and that all but a few are in a
/// block that is run.
#[test]
fn the_page_of_the_tool_shows_each_command() {
    // `compare` and `flips` need another program.
    const NOT_RUN: [&str; 9] =
        ["compare", "flips", "grammar", "lsp", "manual", "import", "completions", "man", "help"];
    let page = read("isa-core/cli/README.md");
    let run = blocks(&page, "console").concat();
    let (mut errors, words) = (Vec::new(), ["isa", "--help"].map(str::to_owned));
    let help = String::from_utf8(execute(&words, b"", &mut errors)).unwrap();
    let rows = help.lines().filter_map(|line| line.strip_prefix("  "));
    let commands: Vec<&str> = rows
        .filter(|row| row.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|row| row.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 14 && errors.is_empty(), "{help}");
    for command in commands {
        let shown = if NOT_RUN.contains(&command) { &page } else { &run };
        let found = ["isa", "rv"].iter().any(|tool| shown.contains(&format!("{tool} {command}")));
        assert!(found || command == "help", "no example of `isa {command}`");
    }
}

/// Checks that the compiler prints the message in the README for a case that is the example with an
/// error.
#[test]
fn the_compiler_prints_the_mistake_that_the_readme_shows() {
    const CASE: &str = "encodings/same_encoding_in_the_readme";
    let page = read("README.md");
    let example = blocks(&page, "rust")[0];
    assert_eq!(read(&format!("tests/ui/{CASE}.rs")), example.replace("op == SUB", "op == ADD"));
    let printed = read(&format!("tests/ui/{CASE}.stderr"));
    assert_eq!(printed.replace(&format!("{CASE}.rs"), "src/main.rs"), blocks(&page, "text")[0]);
}

/// Checks the `](...)` links of a page: a link to a file must lead to an existing file, and a link
/// into a page to an existing heading.
fn check_links(page: &str) {
    let text = read(page);
    let has_heading = |text: &str, heading: &str| {
        let mut headings = text.lines().filter(|line| line.starts_with('#')).map(id);
        headings.any(|other| other == heading)
    };
    let folder = root().join(page);
    let folder = folder.parent().unwrap();
    for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let found = match link.split_once('#') {
            _ if link.starts_with("https://") => true,
            Some(("", heading)) => has_heading(&text, heading),
            Some((other, heading)) => std::fs::read_to_string(folder.join(other))
                .is_ok_and(|text| has_heading(&text, heading)),
            None => folder.join(link).exists(),
        };
        assert!(found, "{page}: nothing at {link}");
    }
}

/// Returns the name of a heading in a link.
fn id(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    for page in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        check_links(page);
    }
    for folder in [
        "isa-macros",
        "isa-macros/compiler",
        "isa-macros/bdd",
        "isa-core",
        "isa-defs",
        "isa-core/cli",
        "isa-core/verify",
        "isa-core/manual",
        "isa-core/export",
        "isa-core/import",
        "isa-core/web",
        "isa-defs/riscv",
        "isa-defs/a64",
        "isa-defs/sass",
    ] {
        check_links(&format!("{folder}/README.md"));
    }
    check_links("isa-defs/ADDING.md");
    check_links("isa-defs/DECISIONS.md");
}
