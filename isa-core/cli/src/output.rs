//! Where a command's result goes: nothing of it appears before the input is known to be right.
//!
//! A result that is to become a file is held in a file without a name in the same directory, where
//! the system has such files, so that nothing is left of it however the process ends; at the end
//! it takes the name. Where that would change more than the content of a file (it has several
//! names, or an owner that cannot be kept) the file is written in place. What is no regular file,
//! or is open in this process already, is written through.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Stop;
use super::spool::Spool;
use super::target::{self, Target};

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
    /// Something that is written when the result is known.
    Held(Spool, Sink),
    /// A file without a name that is to become the target.
    Nameless(target::Nameless),
}

/// What a result that was held back is written to.
enum Sink {
    /// The standard output that the tool was given.
    Stdout,
    /// An open file that this process shares with others.
    Open(File),
    /// A device, a pipe: opened when there is something to write.
    Device(PathBuf),
    /// A file that is written in place.
    InPlace(PathBuf),
    /// A file that is replaced, or made.
    Replaced(PathBuf, Option<Box<Metadata>>),
}

impl Output {
    fn new(name: String, place: Place) -> Output {
        Output { name, place, block: Vec::with_capacity(BLOCK) }
    }

    /// A result for standard output.
    pub(super) fn stdout() -> Output {
        Output::new("standard output".into(), Place::Held(Spool::default(), Sink::Stdout))
    }

    /// A result for a file; `-` or none is standard output.
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

    /// Lets the result appear.
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

/// Chooses how a target is written, and makes sure as far as possible that it can be.
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
            // Renaming over a file asks nobody whether that file may be written.
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
