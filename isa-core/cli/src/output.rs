//! The output of a command, which appears only when the input is known to be valid.
//!
//! A result for a file is written to an unnamed file in the same directory, if the system supports
//! this. It gets its name at the end, so nothing remains of it if the process is killed. If
//! renaming would change more than the content of an existing file, that file is written in place.
//! This is the case if it has several names, or an owner that cannot be preserved. A target that is
//! not a regular file, or is open in this process already, is written directly.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Stop;
use super::spool::Spool;
use super::target::{self, Target};

/// The number of bytes that are collected before they are passed on.
const BLOCK: usize = 64 << 10;

/// A result that is not complete yet.
pub(super) struct Output {
    name: String,
    place: Place,
    /// The end of the result, which has not been passed on yet.
    block: Vec<u8>,
}

enum Place {
    /// The result is held back and written when it is complete.
    Held(Spool, Sink),
    /// An unnamed file that will become the target.
    Nameless(target::Nameless),
}

/// The target of a result that was held back.
enum Sink {
    /// The standard output of the tool.
    Stdout,
    /// An open file that this process shares with others.
    Open(File),
    /// A device or pipe, which is opened when there is something to write.
    Device(PathBuf),
    /// A file that is written in place.
    InPlace(PathBuf),
    /// A file that is replaced or created.
    Replaced(PathBuf, Option<Box<Metadata>>),
}

impl Output {
    fn new(name: String, place: Place) -> Output {
        Output { name, place, block: Vec::with_capacity(BLOCK) }
    }

    /// Creates a result for standard output.
    pub(super) fn stdout() -> Output {
        Output::new("standard output".into(), Place::Held(Spool::default(), Sink::Stdout))
    }

    /// Creates a result for a file. `-` or `None` is standard output.
    pub(super) fn open(path: Option<&OsStr>) -> Result<Output, Stop> {
        let Some(path) = path.filter(|path| *path != "-") else {
            return Ok(Output::stdout());
        };
        if path.is_empty() {
            return Err(Stop::Usage(
                "--output needs the name of a file, or - for standard output".into(),
            ));
        }
        let name = path.to_string_lossy().into_owned();
        match place_for(Path::new(path)) {
            Ok(place) => Ok(Output::new(name, place)),
            Err(error) => Err(Stop::saving(&name, &error)),
        }
    }

    /// Appends bytes to the result.
    #[inline]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        if self.block.len() + bytes.len() > BLOCK {
            self.hand_on()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    /// Passes on the collected bytes.
    fn hand_on(&mut self) -> Result<(), Stop> {
        match &mut self.place {
            Place::Held(spool, _) => spool.put(&self.block)?,
            Place::Nameless(file) => {
                let written = file.write_all(&self.block);
                written.map_err(|error| Stop::saving(&self.name, &error))?;
            }
        }
        self.block.clear();
        Ok(())
    }

    /// Writes the complete result to its target.
    pub(super) fn commit(mut self, stdout: &mut dyn Write) -> Result<(), Stop> {
        self.hand_on()?;
        let Output { name, place, .. } = self;
        let result = match place {
            Place::Held(spool, Sink::Stdout) => {
                let written = spool.release(stdout).and_then(|()| stdout.flush());
                return written.map_err(|error| Stop::writing(&name, &error));
            }
            Place::Held(spool, Sink::Open(mut file)) => spool.release(&mut file),
            Place::Held(spool, Sink::Device(path)) => {
                let file = File::options().write(true).open(path);
                file.and_then(|mut file| spool.release(&mut file))
            }
            Place::Held(spool, Sink::InPlace(path)) => {
                let len = spool.len();
                target::write_in_place(&path, len, |file| spool.release(file))
            }
            Place::Held(spool, Sink::Replaced(path, found)) => {
                target::replace(&path, found.as_deref(), spool)
            }
            Place::Nameless(file) => file.publish(),
        };
        result.map_err(|error| Stop::saving(&name, &error))
    }
}

/// Chooses how to write a target, and checks as far as possible that it can be written.
fn place_for(path: &Path) -> io::Result<Place> {
    let held = |sink| Ok(Place::Held(Spool::default(), sink));
    let path = match target::resolve(path)? {
        Target::Descriptor(1) => return held(Sink::Stdout),
        Target::Descriptor(number) => {
            let file = target::open_descriptor(number, path)?;
            return held(Sink::Open(file));
        }
        Target::Path(path) => path,
    };
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => held(Sink::Device(path)),
        Ok(found) => {
            // Renaming does not check whether the replaced file is writable.
            File::options().write(true).open(&path)?;
            if target::has_other_names(&found) {
                return held(Sink::InPlace(path));
            }
            match target::Nameless::new(&path, Some(&found)) {
                Ok(file) => Ok(Place::Nameless(file)),
                Err(_) if target::can_be_replaced(&path, &found) => {
                    held(Sink::Replaced(path, Some(Box::new(found))))
                }
                Err(_) => held(Sink::InPlace(path)),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match target::Nameless::new(&path, None) {
                Ok(file) => Ok(Place::Nameless(file)),
                Err(_) => {
                    target::can_be_made(&path)?;
                    held(Sink::Replaced(path, None))
                }
            }
        }
        Err(error) => Err(error),
    }
}
