//! Holds output back: in memory while it is small, and then in a temporary file.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Stop;
use super::system;

/// The maximum number of bytes held in memory.
const MEMORY: usize = 4 << 20;

/// The maximum number of bytes read back at a time.
const BLOCK: usize = 32 << 10;

/// Output that is held back until the input is known to be valid.
#[derive(Default)]
pub(super) struct Spool {
    /// The whole output, or its part that is not in the file yet.
    memory: Vec<u8>,
    file: Option<File>,
    /// The number of bytes in the file.
    spilled: u64,
}

impl Spool {
    /// Appends bytes to the output.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        if self.memory.len() + bytes.len() > MEMORY {
            self.spill()?;
        }
        self.memory.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes all output that was held back.
    pub(super) fn release(self, out: &mut dyn Write) -> io::Result<()> {
        self.read_back(|block| out.write_all(block))
    }

    /// Passes all held bytes to `take`, in order. All blocks except the last have the same size, a power
    /// of two of at least 4096 bytes.
    pub(super) fn read_back<E: From<io::Error>>(
        mut self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(mut file) = self.file.take() else {
            return self.memory.chunks(BLOCK).try_for_each(take);
        };
        file.rewind()?;
        let (mut block, mut all) = (Vec::with_capacity(BLOCK), file.chain(&*self.memory));
        loop {
            block.clear();
            all.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
            if block.is_empty() {
                return Ok(());
            }
            take(&block)?;
        }
    }

    /// Returns the number of bytes held back.
    pub(super) fn len(&self) -> u64 {
        self.spilled + self.memory.len() as u64
    }

    /// Moves the bytes from memory to the file.
    fn spill(&mut self) -> Result<(), Stop> {
        let directory = env::temp_dir();
        let failed = |what: &str, error: io::Error| {
            let place = directory.display();
            Stop::System(format!(
                "cannot hold the result back: {what} in {place}: {error}; \
                 set TMPDIR to a directory with room"
            ))
        };
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = anonymous_file(&directory);
                self.file.insert(file.map_err(|error| failed("no temporary file", error))?)
            }
        };
        let written = file.write_all(&self.memory);
        written.map_err(|error| failed("cannot write the temporary file", error))?;
        self.spilled += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }
}

/// Creates an unnamed file, which disappears when it is closed, even if the process is killed.
fn anonymous_file(directory: &Path) -> io::Result<File> {
    if let Ok(file) = system::nameless_file(directory, 0o600) {
        return Ok(file);
    }
    let (path, file) = new_file(directory, Readers::Owner)?;
    // A system that cannot remove an open file leaves it in the directory for temporary files.
    let _ = fs::remove_file(path);
    Ok(file)
}

/// The users who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Only its owner.
    Owner,
    /// Everyone who may read the other files of this user.
    Usual,
}

/// Creates a file with a new name.
pub(super) fn new_file(directory: &Path, readers: Readers) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    with_new_name(directory, |path| options.open(path))
}

/// Calls `make` with different names for a temporary file, until a name is not used by another file.
pub(super) fn with_new_name<R>(
    directory: &Path,
    mut make: impl FnMut(&Path) -> io::Result<R>,
) -> io::Result<(PathBuf, R)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".isa.{}.{count}.tmp", process::id()));
        match make(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|made| (path, made)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_output_stays_in_memory() -> Result<(), Stop> {
        let mut spool = Spool::default();
        spool.put(b"abc")?;
        assert!(spool.file.is_none());
        let mut out = Vec::new();
        spool.release(&mut out).map_err(Stop::printing)?;
        assert_eq!(out, b"abc");
        Ok(())
    }

    #[test]
    fn large_output_comes_back_in_order() -> Result<(), Stop> {
        let mut spool = Spool::default();
        let mut expected = Vec::new();
        for number in 0..2_000_000_u32 {
            spool.put(&number.to_le_bytes())?;
            expected.extend_from_slice(&number.to_le_bytes());
        }
        assert!(spool.file.is_some() && spool.memory.len() <= MEMORY);
        assert_eq!(spool.len(), expected.len() as u64);
        let mut out = Vec::new();
        spool.release(&mut out).map_err(Stop::printing)?;
        assert!(out == expected);
        Ok(())
    }

    #[test]
    fn blocks_are_whole() -> Result<(), Stop> {
        for count in [0, 1, BLOCK, BLOCK + 1, MEMORY, MEMORY + 1, 2 * MEMORY + BLOCK / 2] {
            let mut spool = Spool::default();
            for _ in 0..count {
                spool.put(b"x")?;
            }
            let mut sizes = Vec::new();
            let sized = spool.read_back(|block| {
                sizes.push(block.len());
                Ok::<_, io::Error>(())
            });
            sized.map_err(Stop::printing)?;
            let last = sizes.pop().unwrap_or_default();
            assert!(sizes.iter().all(|&size| size == BLOCK) && last <= BLOCK);
            assert_eq!(sizes.len() * BLOCK + last, count);
        }
        Ok(())
    }
}
