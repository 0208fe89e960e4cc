//! Tests the tutorial, `isa-core/src/tutorial.md`. `stepN.rs` is the program after section N.
//!
//! This test compiles and runs each program. The page must show exactly the new lines of each
//! program, and its output. The compiler messages on the page are those of the cases in `ui/tutorial`.

mod page;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use page::{Block, Section, console, sections};

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Replaces the macro of `std` in the steps, which are declared after it.
macro_rules! println {
    ($($text:tt)*) => {
        crate::print(&format!($($text)*))
    };
}

fn print(line: &str) {
    PRINTED.with_borrow_mut(|all| {
        all.push_str(line);
        all.push('\n');
    });
}

/// Declares the steps, each a program in a module.
macro_rules! steps {
    ($($step:ident)*) => {
        $(
            #[allow(dead_code, reason = "a program that stands alone")]
            mod $step {
                include!(concat!(stringify!($step), ".rs"));

                /// Runs the program.
                pub(super) fn run() -> Result<(), Box<dyn std::error::Error>> {
                    main()
                }
            }
        )*
    };
}
steps! { step1 step2 step3 step4 step5 step6 step7 }

#[allow(dead_code, reason = "a program that stands alone")]
mod step8 {
    include!("step8.rs");

    /// Runs the program with the path of a file.
    pub(super) fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
        toy(path)
    }

    mod program;
}

/// The text of each step.
const PROGRAMS: [&str; 8] = [
    include_str!("step1.rs"),
    include_str!("step2.rs"),
    include_str!("step3.rs"),
    include_str!("step4.rs"),
    include_str!("step5.rs"),
    include_str!("step6.rs"),
    include_str!("step7.rs"),
    include_str!("step8.rs"),
];

/// The text of the page.
const PAGE: &str = include_str!("../../../isa-core/src/tutorial.md");

/// Returns the program of a step with an error, and the compiler output for it.
fn mistake(step: usize) -> Option<(&'static str, &'static str)> {
    macro_rules! case {
        ($name:literal) => {
            Some((
                include_str!(concat!("../../ui/tutorial/", $name, ".rs")),
                include_str!(concat!("../../ui/tutorial/", $name, ".stderr")),
            ))
        };
    }
    match step {
        3 => case!("one_encoding_twice"),
        5 => case!("special_case_not_said"),
        _ => None,
    }
}

/// Returns the output of `cargo run` after a step.
fn run(step: usize, arguments: &[&str], files: &HashMap<&str, &str>) -> String {
    PRINTED.with_borrow_mut(String::clear);
    let result = match step {
        1 => step1::run(),
        2 => step2::run(),
        3 => step3::run(),
        4 => step4::run(),
        5 => step5::run(),
        6 => step6::run(),
        7 => step7::run(),
        _ => {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(arguments[0]);
            std::fs::write(&path, files[arguments[0]]).unwrap();
            step8::run(path.to_str().unwrap())
        }
    };
    let error = result.err().map(|error| format!("{error}\n"));
    PRINTED.with_borrow(String::clone) + &error.unwrap_or_default()
}

/// Returns the lines that contain letters or digits, with single blanks as white space.
fn telling(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| line.contains(|c: char| c.is_alphanumeric())).collect()
}

fn steps() -> Vec<Section<'static>> {
    let sections: Vec<_> = sections(PAGE).into_iter().filter(|s| s.step.is_some()).collect();
    let numbers: Vec<_> = sections.iter().filter_map(|section| section.step).collect();
    assert_eq!(numbers, (1..=PROGRAMS.len()).collect::<Vec<_>>());
    sections
}

#[test]
fn each_piece_stands_in_the_program_of_its_step() {
    for (section, program) in steps().iter().zip(PROGRAMS) {
        let step = section.step.unwrap();
        let wrong = mistake(step).map_or("", |(program, _)| program);
        for piece in section.blocks.iter().filter(|block| block.language == "rs") {
            let found = program.contains(piece.text) || wrong.contains(piece.text);
            assert!(found, "step {step} has no such piece:\n{}", piece.text);
        }
    }
}

#[test]
fn each_new_line_of_a_step_is_shown() {
    let mut before: Vec<String> = Vec::new();
    for (section, program) in steps().iter().zip(PROGRAMS) {
        let pieces = section.blocks.iter().filter(|block| block.language == "rs");
        let mut shown: Vec<_> = pieces.flat_map(|block| telling(block.text)).collect();
        for line in telling(program) {
            if let Some(place) = before.iter().position(|known| *known == line) {
                before.remove(place);
            } else if let Some(place) = shown.iter().position(|new| *new == line) {
                shown.remove(place);
            } else {
                panic!("section {} does not show `{line}`", section.step.unwrap());
            }
        }
        before = telling(program);
    }
}

#[test]
fn a_mistake_is_one_line_that_the_page_shows() {
    for section in steps() {
        let Some((wrong, _)) = section.step.and_then(mistake) else {
            continue;
        };
        let program = PROGRAMS[section.step.unwrap() - 1];
        assert_eq!(program.lines().count(), wrong.lines().count());
        let different: Vec<_> =
            program.lines().zip(wrong.lines()).filter(|(a, b)| a != b).map(|(_, b)| b).collect();
        assert_eq!(different.len(), 1, "{different:?}");
        assert!(section.blocks.iter().any(|block| block.text.contains(different[0])));
    }
}

#[test]
fn commands_print_what_the_page_shows() {
    let (mut files, mut ran) = (HashMap::new(), 0);
    for section in steps() {
        let step = section.step.unwrap();
        for (command, shown) in section.blocks.iter().filter_map(console) {
            let printed = match command.split(' ').collect::<Vec<_>>()[..] {
                ["cat", name] => {
                    files.insert(name, shown);
                    continue;
                }
                ["cargo", "check"] => {
                    let (_, answer) = mistake(step).unwrap();
                    page::in_main(answer)
                }
                ["cargo", "run"] => run(step, &[], &files),
                ["cargo", "run", "--", name] => run(step, &[name], &files),
                _ => panic!("what is `{command}`?"),
            };
            assert_eq!(printed, shown, "step {step}, {command}");
            ran += 1;
        }
    }
    assert_eq!(ran, 11, "a run of each step, two mistakes, and a second run of the last step");
}

#[test]
fn the_whole_file_is_the_program_of_the_last_step() {
    let blocks = sections(PAGE).into_iter().flat_map(|section| section.blocks);
    let whole: Vec<Block<'_>> = blocks.filter(|block| block.language == "rust").collect();
    assert_eq!(whole.len(), 1, "the pieces are tested here, the whole by rustdoc too");
    assert_eq!(Some(&whole[0].text), PROGRAMS.last());
}
