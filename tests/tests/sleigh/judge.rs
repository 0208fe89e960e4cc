//! Compiles a set as a SLEIGH language, and returns the output of its disassembler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use isa_core::table::InstructionSet;
use isa_tests::tools::{self, Tool};

/// The Python environment with the package.
pub(crate) const PYTHON: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/pypcode/bin/python"),
    release: "pypcode 3.3.3",
    install: "python3 -m venv target/pypcode && target/pypcode/bin/pip install -q pypcode==3.3.3",
};

/// The address of words whose control flow is examined.
pub(crate) const ADDRESS: u64 = 0x4000_0000;

const JUDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sleigh/judge.py");

/// Returns whether the SLEIGH tools are installed. See [`tools::are_here`].
pub(crate) fn is_here() -> bool {
    tools::are_here(&[PYTHON])
}

/// A compiled language.
pub(crate) struct Language(PathBuf);

impl Language {
    /// Compiles the language of a set.
    ///
    /// # Panics
    ///
    /// Panics if the SLEIGH compiler prints anything.
    pub(crate) fn of(set: &'static InstructionSet) -> Self {
        let format = isa_export::format("sleigh").expect("the format is there");
        let files = format.files(set).expect("SLEIGH can say it");
        // Each test has its own folder, because tests run in parallel.
        let test = thread::current().name().unwrap_or(set.name).replace(':', "_");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sleigh").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for file in &files {
            fs::write(folder.join(&file.name), &file.text).expect("a file is written");
        }
        let place = |extension: &str| {
            let name = files.iter().map(|file| &file.name).find(|name| name.ends_with(extension));
            folder.join(name.expect("such a file"))
        };
        let said = judge("compile", &place(".slaspec"), String::new());
        assert_eq!(said, "", "the compiler of SLEIGH has nothing to say about {}", set.name);
        Language(place(".ldefs"))
    }

    /// Returns the length in bytes and the text of each word, or `-`.
    pub(crate) fn words(&self, words: &[Vec<u8>]) -> Vec<String> {
        self.lines("words", words)
    }

    /// Returns the control flow of each word at [`ADDRESS`].
    pub(crate) fn flow(&self, words: &[Vec<u8>]) -> Vec<String> {
        self.lines("flow", words)
    }

    fn lines(&self, command: &str, words: &[Vec<u8>]) -> Vec<String> {
        let said = judge(command, &self.0, hexadecimal(words));
        let lines: Vec<String> = said.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), words.len(), "a line a word");
        lines
    }
}

fn hexadecimal(words: &[Vec<u8>]) -> String {
    let line = |word: &Vec<u8>| -> String {
        word.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_owned()]).collect()
    };
    words.iter().map(line).collect()
}

/// Returns the output of the SLEIGH tools.
fn judge(command: &str, file: &Path, input: String) -> String {
    let output = tools::run(Command::new(PYTHON.program).args([JUDGE, command]).arg(file), input);
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    assert_eq!(errors, "");
    said.into_owned()
}
