//! Checks the packages of published crates: their files and their metadata. `publish` in each
//! `Cargo.toml` determines which crates are published.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Returns the output of a command, which must succeed.
fn output(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments);
    command
}

/// Returns the published crates, as `cargo metadata` describes them.
fn published() -> Vec<Value> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]));
    let metadata: Value = serde_json::from_str(&text).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    // `null` means any registry, and an empty list means none.
    packages.into_iter().filter(|package| package["publish"].is_null()).collect()
}

fn text<'v>(package: &'v Value, key: &str) -> &'v str {
    let name = &package["name"];
    let text = package[key].as_str().unwrap_or_else(|| panic!("{name} has no {key}"));
    assert!(!text.is_empty(), "{name}: an empty {key}");
    text
}

fn list<'v>(package: &'v Value, key: &str) -> Vec<&'v str> {
    package[key].as_array().unwrap().iter().map(|entry| entry.as_str().unwrap()).collect()
}

fn folder(package: &Value) -> PathBuf {
    Path::new(text(package, "manifest_path")).parent().unwrap().to_owned()
}

#[test]
fn each_says_what_it_is() {
    let packages = published();
    assert!(packages.len() >= 3);
    for package in &packages {
        let name = text(package, "name");
        for key in ["description", "license", "repository", "rust_version"] {
            text(package, key);
        }
        assert_eq!(text(package, "documentation"), format!("https://docs.rs/{name}"));
        assert_eq!(package["metadata"]["docs"]["rs"]["all-features"], true, "{name}");
        // The limits of the registry: up to five of each, and keywords of up to 20 characters.
        let (keywords, categories) = (list(package, "keywords"), list(package, "categories"));
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        assert!(keywords.iter().all(|keyword| keyword.len() <= 20), "{name}: {keywords:?}");
        assert!((1..=5).contains(&categories.len()), "{name}: {categories:?}");
    }
}

#[test]
fn each_folder_has_the_licenses_and_a_page_of_its_own() {
    for package in published() {
        let folder = folder(&package);
        for license in LICENSES {
            let copy = fs::read_to_string(folder.join(license));
            let original = fs::read_to_string(root().join(license)).unwrap();
            assert_eq!(copy.ok(), Some(original), "{}/{license} is another", folder.display());
        }
        let page = fs::read_to_string(folder.join(text(&package, "readme"))).unwrap();
        assert!(page.starts_with(&format!("# {}\n", text(&package, "name"))), "{page}");
        assert!(page.contains("\n```rust\n"), "no example in {page}");
    }
}

/// Returns whether a file is not needed to build the crate or to read about it.
fn is_strange(file: &str) -> bool {
    let added_by_cargo = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];
    let folders = ["src/", "tests/", "examples/"];
    let is_page = !file.contains('/') && file.ends_with(".md");
    // Files of `isa-export` for programs in other languages that read its descriptions.
    let for_readers = ["reader.py", "description.schema.json"];
    let is_known = is_page
        || for_readers.contains(&file)
        || LICENSES.contains(&file)
        || added_by_cargo.contains(&file)
        || folders.iter().any(|folder| file.starts_with(folder));
    !is_known || file.starts_with("src/tests/")
}

#[test]
fn each_package_holds_what_it_needs_and_nothing_else() {
    for package in published() {
        let name = text(&package, "name");
        let list = ["package", "--list", "--offline", "--allow-dirty", "--package", name];
        check_files(name, &output(&mut cargo(&list)));
    }
}

fn check_files(name: &str, files: &str) {
    let files: Vec<&str> = files.lines().collect();
    for needed in ["Cargo.toml", "README.md", "src/lib.rs"].iter().chain(&LICENSES) {
        assert!(files.contains(needed), "{name} lacks {needed}: {files:#?}");
    }
    let strange: Vec<_> = files.iter().filter(|file| is_strange(file)).collect();
    assert!(strange.is_empty(), "{name} has {strange:#?}");
}

/// Packs all published crates, checks the packages, unpacks them into a separate workspace, and
/// builds it. The verification of `cargo package` works only the first time: later it uses outdated
/// packages of the dependencies from its cache.
#[test]
#[ignore = "rebuilds all published crates, which takes a minute or two; `.ci/run` runs it"]
fn the_packages_build() {
    let packages = published();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let mut pack = cargo(&["package", "--offline", "--allow-dirty", "--no-verify"]);
    pack.env("CARGO_TARGET_DIR", &target);
    packages.iter().for_each(|package| _ = pack.args(["--package", text(package, "name")]));
    output(&mut pack);

    let unpacked = target.join("unpacked");
    let _ = fs::remove_dir_all(&unpacked);
    fs::create_dir_all(&unpacked).unwrap();
    let (mut members, mut paths) = (String::new(), String::new());
    for package in &packages {
        let name = text(package, "name");
        let folder = format!("{name}-{}", text(package, "version"));
        let file = target.join(format!("package/{folder}.crate"));
        let files = output(Command::new("tar").arg("-tzf").arg(&file));
        check_files(name, &files.replace(&format!("{folder}/"), ""));
        // Use the current time. All files in a package have the same time, so cargo would reuse the
        // build of an earlier state.
        output(Command::new("tar").arg("-xzmf").arg(&file).arg("-C").arg(&unpacked));
        let manifest = fs::read_to_string(unpacked.join(&folder).join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("\npath = \".."), "{name} needs a folder beside it: {manifest}");
        let size = fs::metadata(&file).unwrap().len();
        println!("{folder}.crate: {} files, {size} bytes", files.lines().count());
        members += &format!("{folder:?}, ");
        paths += &format!("{name} = {{ path = {folder:?} }}\n");
    }
    let workspace = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{paths}"
    );
    fs::write(unpacked.join("Cargo.toml"), workspace).unwrap();
    fs::copy(root().join("Cargo.lock"), unpacked.join("Cargo.lock")).unwrap();
    let mut build = cargo(&["build", "--offline", "--workspace", "--manifest-path"]);
    build.arg(unpacked.join("Cargo.toml")).env("CARGO_TARGET_DIR", target.join("built"));
    output(&mut build);
}
