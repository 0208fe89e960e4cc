//! Where a command's result goes: nothing of it appears before the input is known to be right.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Stop;
use super::spool::{Readers, Spool, new_file};

/// The bytes that are put together before they go on.
const BLOCK: usize = 64 << 10;

/// A result in the making.
pub(super) struct Output {
    name: String,
    place: Place,
    /// The end of the result.
    block: Vec<u8>,
}

enum Place {
    /// Standard output, or a file that cannot be replaced: a device, a pipe.
    Held(Spool, Option<PathBuf>),
    /// A file beside the target, which takes its name in the end.
    Beside(Replacement),
}

/// A file that is to take the place of another.
struct Replacement {
    /// `None` once it has taken it.
    path: Option<PathBuf>,
    file: File,
    target: PathBuf,
}

impl Output {
    fn new(name: String, place: Place) -> Output {
        Output { name, place, block: Vec::with_capacity(BLOCK) }
    }

    /// A result for standard output.
    pub(super) fn stdout() -> Output {
        Output::new("standard output".into(), Place::Held(Spool::default(), None))
    }

    /// A result for a file; `-` or none is standard output.
    pub(super) fn open(path: Option<&OsStr>) -> Result<Output, Stop> {
        let Some(path) = path.filter(|path| *path != "-") else {
            return Ok(Output::stdout());
        };
        let name = path.to_string_lossy().into_owned();
        match place_for(Path::new(path)) {
            Ok(place) => Ok(Output::new(name, place)),
            Err(error) => Err(Stop::writing(&name, &error)),
        }
    }

    /// Adds to the result.
    #[inline]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        if self.block.len() + bytes.len() > BLOCK {
            self.hand_on()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    /// Empties the block.
    fn hand_on(&mut self) -> Result<(), Stop> {
        let result = match &mut self.place {
            Place::Held(spool, _) => spool.write_all(&self.block),
            Place::Beside(replacement) => replacement.file.write_all(&self.block),
        };
        self.block.clear();
        result.map_err(|error| Stop::writing(&self.name, &error))
    }

    /// Lets the result appear.
    pub(super) fn commit(mut self, stdout: &mut dyn Write) -> Result<(), Stop> {
        self.hand_on()?;
        let Output { name, place, .. } = self;
        let result = match place {
            Place::Held(spool, None) => spool.release(stdout).and_then(|()| stdout.flush()),
            Place::Held(spool, Some(path)) => {
                let file = File::options().write(true).open(path);
                file.and_then(|mut file| spool.release(&mut file))
            }
            Place::Beside(replacement) => replacement.replace(),
        };
        result.map_err(|error| Stop::writing(&name, &error))
    }
}

/// Chooses between a replacement and writing in place. Links stay links.
fn place_for(path: &Path) -> io::Result<Place> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(Place::Held(Spool::default(), Some(target))),
        Ok(found) => {
            // Renaming over a file asks nobody whether that file may be written.
            File::options().write(true).open(&target)?;
            Replacement::new(target, Some(found.permissions())).map(Place::Beside)
        }
        Err(_) => Replacement::new(target, None).map(Place::Beside),
    }
}

impl Replacement {
    fn new(target: PathBuf, permissions: Option<fs::Permissions>) -> io::Result<Replacement> {
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let (path, file) = new_file(directory, "isa", Readers::Usual)?;
        let replacement = Replacement { path: Some(path), file, target };
        if let Some(permissions) = permissions {
            replacement.file.set_permissions(permissions)?;
        }
        Ok(replacement)
    }

    fn replace(mut self) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, &self.target)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}
