//! The command `export`: its output, and the files in the folder after it.

use isa_tests::share::share;

use super::any_set::{Subject, subjects};
use super::*;

/// Returns an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn each_format_is_written_for_each_set() {
    let formats = isa_export::FORMATS.iter();
    let all = subjects().into_iter().flat_map(|subject| {
        let Subject { name, run, .. } = subject;
        formats.clone().map(move |format| (name, run, format.name))
    });
    for (name, run, format) in all.step_by(share()) {
        let folder = folder(&format!("{name} {format}"));
        let outcome = run(&["export", format, folder.to_str().unwrap()], b"");
        if outcome.status != Status::Success {
            // A format may reject a set, with a reason.
            assert!(outcome.failed(Status::Failure).contains('\n'), "{format}");
            continue;
        }
        let paths: Vec<&str> = outcome.fine().lines().collect();
        assert_eq!(paths.len(), fs::read_dir(&folder).unwrap().count(), "{paths:?}");
        let first = fs::read_to_string(paths[0]).unwrap();
        if let [_] = paths[..] {
            assert_eq!(run(&["export", format], b"").fine(), first);
        }
    }
}

#[test]
fn json_is_the_description_of_the_set() {
    let value: serde_json::Value =
        serde_json::from_str(isa(&["export", "json"], b"").fine()).unwrap();
    assert_eq!(value["format"], "define-isa");
    let names: Vec<&str> =
        value["opcodes"].as_array().unwrap().iter().map(|o| o["name"].as_str().unwrap()).collect();
    let set = <isa_defs::gpu::Gpu as isa_core::Isa>::SET;
    let expected: Vec<&str> = set.opcodes.iter().map(|opcode| opcode.name).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_folder_that_cannot_be_is_an_error() {
    let place = folder("taken");
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&place);
    fs::write(&place, "mine").unwrap();
    let outcome = isa(&["export", "json", place.to_str().unwrap()], b"");
    assert!(outcome.failed(Status::Failure).contains("cannot write"));
    assert_eq!(fs::read_to_string(&place).unwrap(), "mine");
    let _ = fs::remove_file(&place);
}
