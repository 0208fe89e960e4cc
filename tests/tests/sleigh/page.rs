//! Checks that the commands of the page print the text on the page.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_defs::cli::{Io, tool};

use super::judge::{PYTHON, is_here};

const PAGE: &str = include_str!("../../../isa-core/export/src/sleigh.md");

/// Returns the commands of the page, each with the lines that it prints.
fn commands() -> Vec<(&'static str, String)> {
    let blocks = PAGE.split("```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.strip_prefix("console\n"));
    let commands = blocks.flat_map(|block| block.split("$ ").skip(1));
    commands
        .map(|command| command.split_once('\n').expect("lines"))
        .map(|(line, printed)| (line, printed.to_owned()))
        .collect()
}

/// Returns the output of a command in a folder.
fn print(line: &str, folder: &Path) -> String {
    if let Some(arguments) = line.strip_prefix("isa ") {
        // The folder that is written is inside of `folder`.
        let arguments: Vec<String> =
            arguments
                .split(' ')
                .map(|one| {
                    if one == "gpu" { format!("{}/gpu", folder.display()) } else { one.to_owned() }
                })
                .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        tool().run(&arguments, Io::of(&mut &b""[..], &mut output, &mut errors));
        output.extend(errors);
        let printed = String::from_utf8(output).expect("text");
        return printed.replace(&format!("{}/", folder.display()), "");
    }
    let output = Command::new("sh").args(["-c", line]).current_dir(folder).output();
    let output = output.expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_commands_of_the_page_print_what_it_shows() {
    if !is_here() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sleigh_page");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["target", "tests"] {
        symlink(root.join(name), folder.join(name)).expect("a link");
    }
    let (install, commands): (Vec<_>, Vec<_>) = commands()
        .into_iter()
        .partition(|(line, _)| line.contains("venv") || line.contains("pip install"));
    let install: Vec<&str> = install.iter().map(|(line, _)| *line).collect();
    assert_eq!(install.join(" && "), PYTHON.install);
    assert_eq!(commands.len(), 4);
    for (line, shown) in commands {
        assert_eq!(print(line, &folder), shown, "{line}");
    }
}
