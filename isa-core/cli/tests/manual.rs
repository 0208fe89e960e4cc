//! Tests the folder of a manual: the files that it replaces, and the files that remain after an
//! error. The crate `isa-tests` tests the contents of the pages for real sets.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use isa_cli::{Io, Status, Tool};

isa_core::define_isa! {
    /// One instruction, with `<b>signs & "quotes"</b>` in its documentation.
    isa Tiny: u16;
    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 8 { NEG = 1 }
    /// Changes the sign <script>alert(1)</script>.
    opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
}

/// Returns an empty folder for a test.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual").join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Writes a manual. Returns the status and the messages.
fn manual(folder: &Path) -> (Status, String) {
    run(&["manual".as_ref(), folder.as_os_str()])
}

fn run(args: &[&OsStr]) -> (Status, String) {
    let (mut output, mut errors) = (vec![], vec![]);
    let mut input = &b""[..];
    let io = Io::of(&mut input, &mut output, &mut errors);
    let status = Tool::<Tiny>::new("tiny").run(args, io);
    (status, String::from_utf8(errors).unwrap())
}

/// Returns the files under a folder, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path.display().to_string()),
        }
    }
    found.sort();
    found
}

#[test]
fn a_manual_is_written_and_replaced() {
    let place = place("new");
    let folder = place.join("out/tiny");
    assert_eq!(manual(&folder), (Status::Success, String::new()));
    let first = files(&folder);
    assert!(first.iter().any(|file| file.ends_with("opcode/NEG.html")), "{first:?}");
    // A page of an older manual is removed, other files remain.
    fs::write(folder.join("opcode/OLD.html"), "").unwrap();
    let list = folder.join("manual.txt");
    fs::write(&list, fs::read_to_string(&list).unwrap() + "opcode/OLD.html\n").unwrap();
    assert_eq!(manual(&folder), (Status::Success, String::new()));
    assert_eq!(files(&folder), first);
    assert_eq!(fs::read_dir(place.join("out")).unwrap().count(), 1);
}

#[test]
fn an_empty_folder_becomes_a_manual() {
    let place = place("empty");
    assert_eq!(manual(&place), (Status::Success, String::new()));
    assert!(place.join("index.html").is_file());
}

#[test]
fn what_is_no_manual_stays() {
    let whole = place("other");
    let place = whole.join("out");
    fs::create_dir(&place).unwrap();
    let file = place.join("notes.txt");
    fs::write(&file, "mine").unwrap();
    for (folder, reason) in [
        (place.clone(), "contains files that are not a manual; pass an empty or a new folder"),
        (file.clone(), "is a file; expected a folder"),
    ] {
        let (status, errors) = manual(&folder);
        assert_eq!(status, Status::Failure);
        assert!(errors.contains(reason), "{errors}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    }
    assert_eq!(files(&whole), [file.display().to_string()]);
    let (status, errors) = manual(Path::new("-"));
    assert_eq!(status, Status::Usage);
    assert!(errors.contains("expected the name of a folder"), "{errors}");
}

#[test]
fn a_file_beside_the_pages_is_not_lost() {
    let place = place("added");
    assert_eq!(manual(&place).0, Status::Success);
    fs::write(place.join("opcode/mine.html"), "mine").unwrap();
    let (status, errors) = manual(&place);
    assert_eq!(status, Status::Failure);
    assert!(errors.contains("contains opcode/mine.html, which is not part of it"), "{errors}");
    assert_eq!(fs::read_to_string(place.join("opcode/mine.html")).unwrap(), "mine");
}

#[test]
fn what_a_killed_run_left_is_removed() {
    let place = place("killed");
    let (folder, part) = (place.join("out"), place.join("out.part"));
    assert_eq!(manual(&part).0, Status::Success);
    assert_eq!(manual(&folder).0, Status::Success);
    assert!(!part.exists());
    // A folder with other files is not removed.
    fs::create_dir(&part).unwrap();
    fs::write(part.join("notes.txt"), "mine").unwrap();
    let (status, errors) = manual(&folder);
    assert_eq!(status, Status::Failure);
    assert!(errors.contains("out.part"), "{errors}");
    assert!(part.join("notes.txt").is_file());
}

#[test]
fn nothing_is_left_where_the_folder_cannot_be_made() {
    let place = place("blocked");
    fs::write(place.join("file"), "").unwrap();
    let (status, errors) = manual(&place.join("file/out"));
    assert_eq!(status, Status::Failure);
    assert!(errors.contains("cannot write"), "{errors}");
    assert_eq!(files(&place).len(), 1);
}

#[test]
fn documentation_is_no_markup() {
    let place = place("escaped");
    assert_eq!(manual(&place).0, Status::Success);
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains("<code>&lt;b&gt;signs &amp; &quot;quotes&quot;&lt;/b&gt;</code>"));
    let page = fs::read_to_string(place.join("opcode/NEG.html")).unwrap();
    assert!(page.contains("Changes the sign &lt;script&gt;alert(1)&lt;/script&gt;."));
}

#[test]
fn an_engine_is_a_module_and_examples_lead_to_it() {
    let place = place("engine");
    let (module, folder) = (place.join("tiny.wasm"), place.join("out"));
    let with =
        || run(&["manual".as_ref(), "--engine".as_ref(), module.as_os_str(), folder.as_os_str()]);
    // If the module is missing or is not WebAssembly, nothing is written.
    let (status, errors) = with();
    assert_eq!(status, Status::Failure);
    assert!(errors.contains("cannot read") && errors.contains("tiny.wasm"), "{errors}");
    fs::write(&module, "\0elf").unwrap();
    let (status, errors) = with();
    assert_eq!(status, Status::Failure);
    assert!(errors.contains("tiny.wasm: the engine is not a WebAssembly module"), "{errors}");
    assert!(!folder.exists());

    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let link = "<a href=\"../try/index.html#text=NEG%20R0%3B\">";
    assert_eq!(manual(&folder), (Status::Success, String::new()));
    assert!(!read("opcode/NEG.html").contains(link));
    assert!(read("try/index.html").contains("rustup target add wasm32-unknown-unknown"));
    fs::write(&module, b"\0asm\x01\0\0\0").unwrap();
    assert_eq!(with(), (Status::Success, String::new()));
    assert!(read("opcode/NEG.html").contains(link), "{}", read("opcode/NEG.html"));
    assert_eq!(read("assets/engine.js"), "window.isaModule=\"AGFzbQEAAAA=\";\n");
    assert!(read("try/index.html").contains("<option value=\"NEG R0;\">"));
}

#[test]
fn an_option_sets_the_language_of_the_pages() {
    let place = place("language");
    let with = |tag: &str| {
        run(&["manual".as_ref(), "--lang".as_ref(), tag.as_ref(), place.join("out").as_os_str()])
    };
    let (status, errors) = with("zh_CN");
    assert_eq!(status, Status::Usage);
    assert!(
        errors.contains("--lang: expected a language tag such as `zh` or `en-GB`, found `zh_CN`"),
        "{errors}"
    );
    assert!(!place.join("out").exists());
    let lang = || fs::read_to_string(place.join("out/map/index.html")).unwrap();
    assert_eq!(with("de"), (Status::Success, String::new()));
    assert!(lang().starts_with("<!DOCTYPE html>\n<html lang=\"de\" data-root=\"../\">\n"));
    assert_eq!(manual(&place.join("out")).0, Status::Success);
    assert!(lang().contains("<html lang=\"en\" "));
}
