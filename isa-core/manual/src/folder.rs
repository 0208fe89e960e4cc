//! The folder that a manual becomes: all of it, or nothing.
//!
//! The pages are written into a folder beside it, which takes its name when all are there. So a manual
//! that stood there before is whole until then. A run that is killed leaves that other folder, and the next
//! run into the same place begins by removing it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Error;

/// The file by which a folder is known as a manual, with the names of its files.
pub(crate) const LIST: &str = "manual.txt";

/// A manual in the making.
pub(crate) struct Folder {
    target: PathBuf,
    part: PathBuf,
    name: String,
    files: BTreeSet<String>,
    is_done: bool,
}

impl Folder {
    /// Begins a manual. Errors: the place is taken by something that is no manual.
    pub(crate) fn begin(path: &OsStr) -> Result<Folder, Error> {
        let name = path.to_string_lossy().into_owned();
        if path.is_empty() || path == "-" {
            return Err(Error::Name(
                "a manual needs the name of a folder: it is many files".into(),
            ));
        }
        let target = std::path::absolute(path).map_err(|error| Error::saving(&name, &error))?;
        let (Some(parent), Some(last)) = (target.parent(), target.file_name()) else {
            return Err(Error::Name(format!(
                "{name} is no folder that a manual can take the place of"
            )));
        };
        let mut part = last.to_os_string();
        part.push(".part");
        let part = parent.join(part);
        check(&target, &name)?;
        let mut folder = Folder { target, part, name, files: BTreeSet::new(), is_done: false };
        if let Err(error) = folder.clear_part().and_then(|()| fs::create_dir_all(&folder.part)) {
            // What stands there is not ours.
            folder.is_done = true;
            return Err(Error::saving(&folder.part.to_string_lossy(), &error));
        }
        Ok(folder)
    }

    /// Removes what a run that was killed has left, and nothing else.
    fn clear_part(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(_) if self.part.join(LIST).is_file() => fs::remove_dir_all(&self.part),
            // An empty folder can be what was left, too; another is refused.
            Ok(_) => fs::remove_dir(&self.part),
        }
        .and_then(|()| fs::create_dir_all(&self.part))
        .and_then(|()| fs::write(self.part.join(LIST), HEAD))
    }

    /// Writes a file, whose folders are made.
    pub(crate) fn put(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.part.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = made.and_then(|()| fs::write(&path, text));
        written.map_err(|error| Error::saving(&path.to_string_lossy(), &error))?;
        self.files.insert(name.to_owned());
        Ok(())
    }

    /// Lets the manual take its place.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let mut list = String::from(HEAD);
        for file in &self.files {
            list.push_str(file);
            list.push('\n');
        }
        self.put(LIST, &list)?;
        // Again: it may have taken minutes.
        check(&self.target, &self.name)?;
        let replaced = self.replace();
        replaced.map_err(|error| Error::saving(&self.name, &error))?;
        self.is_done = true;
        Ok(())
    }

    /// An old manual is moved away first, and put back where the new one cannot be moved there.
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

/// What the list begins with.
const HEAD: &str =
    "The files of a manual. A folder with this list is replaced by a newer manual.\n\n";

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_dir_all(&self.part);
        }
    }
}

/// Makes sure that a manual may take a place: nothing is there, or an empty folder, or a manual to which
/// nobody has added anything.
fn check(target: &Path, name: &str) -> Result<(), Error> {
    let refuse = |reason: &str| Err(Error::File(format!("{name} {reason}")));
    let saving = |error: &io::Error| Error::saving(name, error);
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(saving(&error)),
        Ok(found) if found.is_symlink() => {
            return refuse(
                "is a link, which a manual would take the place of; name what it leads to",
            );
        }
        Ok(found) if !found.is_dir() => return refuse("is a file; a manual is a folder"),
        Ok(_) => {}
    }
    let mut found = BTreeSet::new();
    files(target, "", &mut found).map_err(|error| saving(&error))?;
    if found.is_empty() {
        return Ok(());
    }
    let Ok(list) = fs::read_to_string(target.join(LIST)) else {
        return refuse("has files and is no manual; name an empty or a new folder");
    };
    let known: BTreeSet<&str> = list.lines().chain([LIST]).collect();
    match found.iter().find(|file| !known.contains(file.as_str())) {
        Some(file) => refuse(&format!(
            "is a manual that holds {file}, which is not part of it; move that away"
        )),
        None => Ok(()),
    }
}

/// The files under a folder, with their paths from there.
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
