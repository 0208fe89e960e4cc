//! A copy of the sources of HALU, which can be edited.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::compile::Edit;

/// The name of HALU in the tables.
pub(crate) const HALU: &str = "HALU";

/// An edit that changes the default of a field.
pub(crate) const FIELD: Edit = Edit {
    file: "isa-defs/src/halu/mod.rs",
    old: "field<78, 2> FPRound rnd = RN;",
    new: "field<78, 2> FPRound rnd = RZ;",
};

/// An edit that exchanges the factors of a product.
pub(crate) const BODY: Edit = Edit {
    file: "isa-defs/src/halu/mod.rs",
    old: "HFmtV2::F16_V2 => lanes::mul::<f16, LANES>(a, b, settings),",
    new: "HFmtV2::F16_V2 => lanes::mul::<f16, LANES>(b, a, settings),",
};

/// The packages that HALU needs.
const PACKAGES: [&str; 4] = ["isa-macros", "isa-macros/compiler", "isa-core", "isa-defs"];

/// Copies the packages into a new workspace with default profiles, which is the usual configuration
/// of an author.
///
/// # Errors
///
/// Returns an error if a file cannot be read or written.
pub(crate) fn copy(folder: &Path) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let copy = folder.join("halu");
    let copied = || -> io::Result<()> {
        for package in PACKAGES {
            copy_files(&root.join(package), &copy.join(package))?;
        }
        let manifest = manifest(&fs::read_to_string(root.join("Cargo.toml"))?);
        fs::write(copy.join("Cargo.toml"), manifest)?;
        fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).map(drop)
    };
    copied().map_err(|error| format!("the copy of HALU's sources: {error}"))?;
    Ok(copy)
}

/// Returns the manifest of the workspace with only these packages and without profiles.
fn manifest(text: &str) -> String {
    let mut manifest = String::new();
    let is_kept = |line: &&str| !line.starts_with("exclude = ");
    for line in text.lines().take_while(|line| !line.starts_with("[profile.")).filter(is_kept) {
        match line.starts_with("members = ") {
            true => manifest += &format!("members = {PACKAGES:?}"),
            false => manifest += line,
        }
        manifest.push('\n');
    }
    manifest
}

/// Copies a folder and its subfolders, except build output.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy_files(&path, &to)?,
            false => fs::copy(&path, &to).map(drop)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{BODY, FIELD, manifest};

    #[test]
    fn edits_are_of_what_is_there() {
        for edit in [FIELD, BODY] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(edit.file);
            let text = std::fs::read_to_string(path).unwrap();
            let edited = edit.replaced(&text, edit.old, edit.new).unwrap();
            assert_eq!(edit.replaced(&edited, edit.new, edit.old), Ok(text));
        }
    }

    #[test]
    fn the_copy_has_no_profiles() {
        let text =
            "[workspace]\nmembers = [\"a\"]\nexclude = [\"b\"]\n[x]\n\n[profile.dev]\ny = 1\n";
        assert_eq!(
            manifest(text),
            "[workspace]\nmembers = [\"isa-macros\", \"isa-macros/compiler\", \"isa-core\", \
             \"isa-defs\"]\n[x]\n\n"
        );
    }
}
