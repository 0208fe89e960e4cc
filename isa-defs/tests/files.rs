//! Tests how the `isa` tool writes files: open files, pipes, links, and the files that remain after
//! an error. Tests that need a facility of Unix or Linux are compiled only there.
#![cfg(all(feature = "cli", target_os = "linux"))]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const CODE: &str = "HADD2 R0, R1, R2;\n";
const WORD: &str = "00000000000000000000000201007130\n";

/// A directory for the files of one test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("isa-files.{}.{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{error}"));
        Scratch(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("{error}"));
        path
    }

    /// Runs a script in the directory. In the script, `$ISA` is the tool.
    fn sh(&self, script: &str) -> Output {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(&self.0).env("ISA", env!("CARGO_BIN_EXE_isa"));
        command.env("CODE", CODE);
        command.output().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::set_permissions(&self.0, fs::Permissions::from_mode(0o700));
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_open_already_is_written_through() {
    for (name, redirect) in [
        ("/dev/stdout", ""),
        ("/dev/fd/1", ""),
        ("/proc/self/fd/1", ""),
        ("link", ""),
        ("/dev/stderr", "2>&1"),
        ("/dev/fd/2", "2>&1"),
        ("/dev/fd/3", "3>&1"),
        ("/proc/self/fd/7", "7>&1"),
    ] {
        let scratch = Scratch::new("open");
        assert!(symlink("/dev/stdout", scratch.0.join("link")).is_ok());
        for into in [">", ">>"] {
            scratch.write("log", "");
            let output = scratch.sh(&format!(
                "{{ echo h; printf %s \"$CODE\" | $ISA asm -o {name} {redirect}; echo f; }} {into} log"
            ));
            assert_eq!(errors(&output), "");
            assert_eq!(read(&scratch.0.join("log")), format!("h\n{WORD}f\n"), "{name} {into}");
        }
        // After an error nothing is written, and existing contents remain.
        let output = scratch.sh(&format!(
            "{{ echo h; echo x | $ISA asm -o {name} {redirect} 2>/dev/null; echo f; }} > log"
        ));
        assert_eq!(errors(&output), "");
        assert_eq!(read(&scratch.0.join("log")), "h\nf\n", "{name}");
        assert_eq!(scratch.names(), ["link", "log"]);
    }
}

#[test]
fn pipes_and_devices_are_written_through() {
    let scratch = Scratch::new("pipe");
    let output = scratch
        .sh("mkfifo pipe; cat pipe > got & printf %s \"$CODE\" | $ISA asm -o pipe; \
         s=$?; wait; test -p pipe && exit $s");
    assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
    assert_eq!(read(&scratch.0.join("got")), WORD);
    let output = scratch.sh("printf %s \"$CODE\" | $ISA asm -o /dev/null");
    assert_eq!(output.status.code(), Some(0));
    let output = scratch.sh("printf %s \"$CODE\" | $ISA asm -o /dev/full");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("cannot write /dev/full: No space left"));
    // If a reader closes a pipe that `-o` names, that is an error.
    let output = scratch.sh(
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do code=\"$code$CODE$CODE\"; done; \
         (while :; do echo \"$code\"; done | head -n 300000) > code; \
         { head -c 1 > one < pipe & } ; $ISA asm code -o pipe; exit $?",
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("cannot write pipe: Broken pipe"), "{}", errors(&output));
}

#[test]
fn a_file_keeps_its_permissions_and_all_its_names() {
    let scratch = Scratch::new("links");
    let target = scratch.write("target", "old and longer than what replaces it, by some bytes\n");
    assert!(fs::set_permissions(&target, fs::Permissions::from_mode(0o751)).is_ok());
    assert!(fs::hard_link(&target, scratch.0.join("hard")).is_ok());
    assert!(symlink("hard", scratch.0.join("soft")).is_ok());
    let found = |name: &str| fs::metadata(scratch.0.join(name)).map(|found| found.ino()).ok();
    let inode = found("target");
    for name in ["target", "hard", "soft"] {
        scratch.write("target", "old and longer than what replaces it, by some bytes\n");
        let output = scratch.sh(&format!("printf %s \"$CODE\" | $ISA asm -o {name}"));
        assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
        for name in ["target", "hard", "soft"] {
            assert_eq!((read(&scratch.0.join(name)), found(name)), (WORD.into(), inode), "{name}");
        }
        let mode = fs::metadata(&target).map(|found| found.permissions().mode() & 0o7777);
        assert_eq!(mode.ok(), Some(0o751));
    }
    let output = scratch.sh("echo x | $ISA asm -o soft");
    assert_eq!((output.status.code(), read(&target)), (Some(1), WORD.into()));
    // If the target of a link does not exist, it is created.
    assert!(symlink("later", scratch.0.join("dangling")).is_ok());
    let output = scratch.sh("printf %s \"$CODE\" | $ISA asm -o dangling; test -L dangling");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(read(&scratch.0.join("later")), WORD);
    // A file with a single name is replaced as a whole, and keeps its permissions.
    let one = scratch.write("one", "old");
    assert!(fs::set_permissions(&one, fs::Permissions::from_mode(0o640)).is_ok());
    let output = scratch.sh("umask 077; printf %s \"$CODE\" | $ISA asm -o one");
    assert_eq!((output.status.code(), read(&one)), (Some(0), WORD.into()));
    let mode = fs::metadata(&one).map(|found| found.permissions().mode() & 0o7777);
    assert_eq!(mode.ok(), Some(0o640));
    let output = scratch.sh("umask 022; printf %s \"$CODE\" | $ISA asm -o new; ls -l new");
    assert!(output.stdout.starts_with(b"-rw-r--r--"), "{output:?}");
    assert_eq!(scratch.names(), ["dangling", "hard", "later", "new", "one", "soft", "target"]);
}

/// For users other than root, because permissions do not restrict root.
#[test]
fn a_file_in_a_directory_that_cannot_be_written_is_written_in_place() {
    let scratch = Scratch::new("directory");
    let target = scratch.write("target", "old");
    assert!(fs::set_permissions(&scratch.0, fs::Permissions::from_mode(0o555)).is_ok());
    let output = scratch.sh("printf %s \"$CODE\" | $ISA asm -o target; s=$?; echo x | $ISA asm -o target 2>/dev/null; exit $s");
    assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
    assert_eq!(read(&target), WORD);
}

/// Starts a process and returns after it has read a few megabytes. It waits for more input.
fn started(scratch: &Scratch, arguments: &str, dir: &str) -> (Child, std::process::ChildStdin) {
    let mut command = Command::new("sh");
    // The process that started the tests may ignore signals, like `nohup`, and children inherit
    // that.
    let reset = "env --default-signal=HUP,INT,TERM";
    let script =
        format!("{reset} true 2>/dev/null && exec {reset} $ISA {arguments}; exec $ISA {arguments}");
    command.args(["-c", &script]);
    command.current_dir(&scratch.0).env("ISA", env!("CARGO_BIN_EXE_isa"));
    command.env("TMPDIR", scratch.0.join(dir));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{error}"));
    let mut stdin = child.stdin.take().unwrap_or_else(|| panic!("no pipe"));
    // The input is larger than the pipe's buffer, so the process has read some of it when this
    // returns, unless the process ended before.
    let _ = stdin.write_all(CODE.repeat(200_000).as_bytes());
    (child, stdin)
}

#[test]
fn a_signal_leaves_nothing_and_is_the_status() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)] {
        let scratch = Scratch::new(&format!("signal-{name}"));
        assert!(fs::create_dir(scratch.0.join("tmp")).is_ok());
        scratch.write("old", "old");
        for arguments in ["asm", "asm -o new", "asm -o old", "exec --trace"] {
            let (mut child, stdin) = started(&scratch, arguments, "tmp");
            let kill = format!("kill -{name} {}", child.id());
            assert!(scratch.sh(&kill).status.success());
            // Without the signal the process would end at this point.
            drop(stdin);
            let status = child.wait().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(status.signal(), Some(number), "{arguments}");
            assert_eq!(scratch.names(), ["old", "tmp"], "{name} {arguments}");
            assert_eq!(read(&scratch.0.join("old")), "old");
            let left = fs::read_dir(scratch.0.join("tmp")).map(Iterator::count);
            assert_eq!(left.ok(), Some(0), "{name} {arguments}");
        }
    }
}

#[test]
fn a_directory_for_temporary_files_that_is_missing_is_named() {
    let scratch = Scratch::new("tmpdir");
    let (child, stdin) = started(&scratch, "asm 2>err", "missing");
    drop(stdin);
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let err = read(&scratch.0.join("err"));
    let missing = scratch.0.join("missing");
    for part in ["cannot create a temporary file in", "set TMPDIR", &*missing.to_string_lossy()] {
        assert!(err.contains(part), "{err}");
    }
    assert!(!err.contains("standard output"), "{err}");
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new("full");
    scratch.write("code", CODE);
    scratch.write("hex", WORD);
    for arguments in [
        "asm code",
        "dis hex",
        "dis --strict hex",
        "exec code",
        "exec --jsonl code",
        "list",
        "list --json",
        "random --count 100000",
        "verify fields --count 1",
        "verify --list",
        "explain 0x201007130",
        "explain --json 0x201007130",
        "explain-error",
        "completions bash",
        "man",
        "--help",
        "--version",
        "dis --help",
    ] {
        for (to, reason) in [(">&-", "it is closed"), ("> /dev/full", "No space left")] {
            let output = scratch.sh(&format!("$ISA {arguments} {to}"));
            assert_eq!(output.status.code(), Some(1), "{arguments} {to}");
            let expected = format!("cannot write standard output: {reason}");
            assert!(errors(&output).contains(&expected), "{arguments}: {}", errors(&output));
        }
        // Some parent processes open the null device also for reading.
        for to in ["> /dev/null", "1<> /dev/null"] {
            let output = scratch.sh(&format!("$ISA {arguments} {to}"));
            assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
        }
    }
    // A closed input is different from an empty one.
    for arguments in ["asm", "dis", "exec", "exec --jsonl", "explain", "asm -", "dis --from bin -"]
    {
        let output = scratch.sh(&format!("$ISA {arguments} <&-"));
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let expected = "cannot read <stdin>: it is closed";
        assert!(errors(&output).contains(expected), "{arguments}: {}", errors(&output));
        let output = scratch.sh(&format!("$ISA {arguments} < /dev/null"));
        assert!(!errors(&output).contains("closed"), "{arguments}: {}", errors(&output));
    }
    // If the output goes to a file, standard output is not required.
    let output = scratch.sh("$ISA asm code -o out >&-");
    assert_eq!((output.status.code(), read(&scratch.0.join("out"))), (Some(0), WORD.into()));
}

#[test]
fn the_environment_decides_about_colour() {
    let scratch = Scratch::new("colour");
    for (variables, coloured) in [
        ("", false),
        ("CLICOLOR_FORCE=1", true),
        ("CLICOLOR_FORCE=1 NO_COLOR=1", false),
        ("CLICOLOR_FORCE=0", false),
    ] {
        let clean = "unset NO_COLOR CLICOLOR CLICOLOR_FORCE;";
        let output = scratch.sh(&format!("{clean} echo x | {variables} $ISA asm"));
        assert_eq!(output.stderr.contains(&0x1b), coloured, "{variables}");
    }
}

/// Words are printed as they arrive: the first output appears before the input ends.
#[test]
fn disassembly_holds_nothing_back() {
    let scratch = Scratch::new("stream");
    let output = scratch.sh("yes 201007130 | $ISA dis | head -n 100000 | tail -n 1");
    assert_eq!(String::from_utf8_lossy(&output.stdout), CODE);
}
