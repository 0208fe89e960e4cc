//! Writes the folder of a manual completely or not at all.
//!
//! The pages are first written to a second folder next to the target. The second folder is renamed when
//! all pages exist, so an existing manual stays complete until then. A run that is killed leaves the
//! second folder, which the next run for the same target removes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::ManualError;

/// The file that identifies a folder as a manual. It contains the names of the manual's files.
pub(crate) const LIST: &str = "manual.txt";

/// A manual that is being written.
pub(crate) struct Folder {
    target: PathBuf,
    part: PathBuf,
    name: String,
    files: BTreeSet<String>,
    is_done: bool,
}

impl Folder {
    /// Begins a manual. Returns an error if the path exists and is not a manual.
    pub(crate) fn begin(path: &OsStr) -> Result<Folder, ManualError> {
        let name = path.to_string_lossy().into_owned();
        if path.is_empty() || path == "-" {
            return Err(ManualError::Name("expected the name of a folder for the manual".into()));
        }
        let target =
            std::path::absolute(path).map_err(|error| ManualError::saving(&name, &error))?;
        let (Some(parent), Some(last)) = (target.parent(), target.file_name()) else {
            return Err(ManualError::Name(format!("{name} cannot be replaced by a manual")));
        };
        let mut part = last.to_os_string();
        part.push(".part");
        let part = parent.join(part);
        check(&target, &name)?;
        let mut folder = Folder { target, part, name, files: BTreeSet::new(), is_done: false };
        if let Err(error) = folder.clear_part().and_then(|()| fs::create_dir_all(&folder.part)) {
            // The existing file or folder does not belong to this run, so it must not be removed.
            folder.is_done = true;
            return Err(ManualError::saving(&folder.part.to_string_lossy(), &error));
        }
        Ok(folder)
    }

    /// Removes the files that a killed run has left, and nothing else.
    fn clear_part(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(_) if self.part.join(LIST).is_file() => fs::remove_dir_all(&self.part),
            // An empty folder may also come from a killed run. `remove_dir` fails for a folder with
            // files.
            Ok(_) => fs::remove_dir(&self.part),
        }
        .and_then(|()| fs::create_dir_all(&self.part))
        .and_then(|()| fs::write(self.part.join(LIST), HEAD))
    }

    /// Writes a file and creates its folders.
    pub(crate) fn put(&mut self, name: &str, text: &str) -> Result<(), ManualError> {
        let path = self.part.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = made.and_then(|()| fs::write(&path, text));
        written.map_err(|error| ManualError::saving(&path.to_string_lossy(), &error))?;
        self.files.insert(name.to_owned());
        Ok(())
    }

    /// Moves the manual to its target path.
    pub(crate) fn finish(mut self) -> Result<(), ManualError> {
        let mut list = String::from(HEAD);
        for file in &self.files {
            list.push_str(file);
            list.push('\n');
        }
        self.put(LIST, &list)?;
        // The check is repeated, because writing may have taken minutes.
        check(&self.target, &self.name)?;
        let replaced = self.replace();
        replaced.map_err(|error| ManualError::saving(&self.name, &error))?;
        self.is_done = true;
        Ok(())
    }

    /// Replaces the target. An old manual is moved away first, and moved back if the new one cannot
    /// be moved there.
    fn replace(&self) -> io::Result<()> {
        let mut old = self.part.clone().into_os_string();
        old.push(".old");
        let old = PathBuf::from(old);
        match fs::rename(&self.target, &old) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return fs::rename(&self.part, &self.target);
            }
            moved => moved?,
        }
        if let Err(error) = fs::rename(&self.part, &self.target) {
            fs::rename(&old, &self.target)?;
            return Err(error);
        }
        fs::remove_dir_all(old)
    }
}

/// The first lines of the list.
const HEAD: &str =
    "The files of a manual. A folder with this list is replaced by a newer manual.\n\n";

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_dir_all(&self.part);
        }
    }
}

/// Checks that a manual may be written to a path: it does not exist, or it is an empty folder or a
/// manual without added files.
fn check(target: &Path, name: &str) -> Result<(), ManualError> {
    let refuse = |reason: &str| Err(ManualError::File(format!("{name} {reason}")));
    let saving = |error: &io::Error| ManualError::saving(name, error);
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(saving(&error)),
        Ok(found) if found.is_symlink() => {
            return refuse("is a link, which the manual would replace; pass its target instead");
        }
        Ok(found) if !found.is_dir() => return refuse("is a file; expected a folder"),
        Ok(_) => {}
    }
    let mut found = BTreeSet::new();
    files(target, "", &mut found).map_err(|error| saving(&error))?;
    if found.is_empty() {
        return Ok(());
    }
    let Ok(list) = fs::read_to_string(target.join(LIST)) else {
        return refuse("contains files that are not a manual; pass an empty or a new folder");
    };
    let known: BTreeSet<&str> = list.lines().chain([LIST]).collect();
    match found.iter().find(|file| !known.contains(file.as_str())) {
        Some(file) => refuse(&format!(
            "is a manual that contains {file}, which is not part of it; move this file away"
        )),
        None => Ok(()),
    }
}

/// Collects the files in a folder, with their paths relative to it.
fn files(folder: &Path, before: &str, found: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => files(&entry.path(), &format!("{name}/"), found)?,
            false => _ = found.insert(name),
        }
    }
    Ok(())
}
