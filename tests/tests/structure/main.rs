//! Checks the structure of the code and the style of the prose of the whole project.

mod modules;
mod prose;

use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
