//! Output that is held back: in memory while it is small, in a temporary file from then on.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is held in memory, in bytes.
const MEMORY: usize = 4 << 20;

/// The most that is read back at once, in bytes.
const BLOCK: usize = 32 << 10;

/// Output that is held back until the input is known to be right.
#[derive(Default)]
pub(super) struct Spool {
    /// All of the output, or what is not in the file yet.
    memory: Vec<u8>,
    file: Option<File>,
    /// How many bytes are in the file.
    spilled: u64,
}

impl Spool {
    /// Writes everything that was held back.
    pub(super) fn release(self, out: &mut dyn Write) -> io::Result<()> {
        self.read_back(|block| out.write_all(block))
    }

    /// Hands over everything that was held back, in order. Each block but the last is of one size,
    /// a power of two of at least 4096 bytes.
    pub(super) fn read_back(
        mut self,
        mut take: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
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

    /// How many bytes are held back.
    pub(super) fn len(&self) -> u64 {
        self.spilled + self.memory.len() as u64
    }

    /// Moves the memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(anonymous_file()?),
        };
        file.write_all(&self.memory)?;
        self.spilled += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.memory.len() + bytes.len() > MEMORY {
            self.spill()?;
        }
        self.memory.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file without a name, gone when it is closed, however the process ends.
fn anonymous_file() -> io::Result<File> {
    let directory = env::temp_dir();
    let (path, file) = new_file(&directory, "isa", Readers::Owner).map_err(|error| {
        let place = directory.display();
        io::Error::new(error.kind(), format!("no temporary file in {place}: {error}"))
    })?;
    // A system that cannot remove an open file leaves it in its directory for such files.
    let _ = fs::remove_file(path);
    Ok(file)
}

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Its owner alone.
    Owner,
    /// Whoever may read the files of this user.
    Usual,
}

/// Makes a file of a name that was not there.
pub(super) fn new_file(
    directory: &Path,
    stem: &str,
    readers: Readers,
) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".{stem}.{}.{count}.tmp", process::id()));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (path, file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_output_stays_in_memory() -> io::Result<()> {
        let mut spool = Spool::default();
        spool.write_all(b"abc")?;
        assert!(spool.file.is_none());
        let mut out = Vec::new();
        spool.release(&mut out)?;
        assert_eq!(out, b"abc");
        Ok(())
    }

    #[test]
    fn large_output_comes_back_in_order() -> io::Result<()> {
        let mut spool = Spool::default();
        let mut expected = Vec::new();
        for number in 0..2_000_000_u32 {
            spool.write_all(&number.to_le_bytes())?;
            expected.extend_from_slice(&number.to_le_bytes());
        }
        assert!(spool.file.is_some() && spool.memory.len() <= MEMORY);
        assert_eq!(spool.len(), expected.len() as u64);
        let mut out = Vec::new();
        spool.release(&mut out)?;
        assert!(out == expected);
        Ok(())
    }

    #[test]
    fn blocks_are_whole() -> io::Result<()> {
        for count in [0, 1, BLOCK, BLOCK + 1, MEMORY, MEMORY + 1, 2 * MEMORY + BLOCK / 2] {
            let mut spool = Spool::default();
            for _ in 0..count {
                spool.write_all(b"x")?;
            }
            let mut sizes = Vec::new();
            spool.read_back(|block| {
                sizes.push(block.len());
                Ok(())
            })?;
            let last = sizes.pop().unwrap_or_default();
            assert!(sizes.iter().all(|&size| size == BLOCK) && last <= BLOCK);
            assert_eq!(sizes.len() * BLOCK + last, count);
        }
        Ok(())
    }
}
