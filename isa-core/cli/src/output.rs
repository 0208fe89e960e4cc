//! The output of a command, which appears only when the input is known to be valid.
//!
//! A result for a file is written to an unnamed file in the same directory, if the system supports
//! this. It gets its name at the end, so nothing remains of it if the process is killed. If
//! renaming would change more than the content of an existing file, that file is written in place.
//! This is the case if it has several names, or an owner that cannot be preserved. A target that is
//! not a regular file, or is open in this process already, is written directly.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::CommandError;

/// The number of bytes that are collected before they are passed on.
const BLOCK: usize = 64 << 10;

/// A result that is not complete yet.
pub(crate) struct Output {
    name: String,
    destination: Destination,
    /// The end of the result, which has not been passed on yet.
    block: Vec<u8>,
}

enum Destination {
    /// The result is held back and written when it is complete.
    Held(Spool, Sink),
    /// An unnamed file that will become the target.
    Unnamed(UnnamedFile),
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
    fn new(name: String, destination: Destination) -> Output {
        Output { name, destination, block: Vec::with_capacity(BLOCK) }
    }

    /// Creates a result for standard output.
    pub(crate) fn stdout() -> Output {
        Output::new("standard output".into(), Destination::Held(Spool::default(), Sink::Stdout))
    }

    /// Creates a result for a file. `-` or `None` is standard output.
    pub(crate) fn open(path: Option<&OsStr>) -> Result<Output, CommandError> {
        let Some(path) = path.filter(|path| *path != "-") else {
            return Ok(Output::stdout());
        };
        if path.is_empty() {
            return Err(CommandError::Usage(
                "expected a file name for --output, or - for standard output".into(),
            ));
        }
        let name = path.to_string_lossy().into_owned();
        match destination_for(Path::new(path)) {
            Ok(destination) => Ok(Output::new(name, destination)),
            Err(error) => Err(CommandError::saving(&name, &error)),
        }
    }

    /// Appends bytes to the result.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        if self.block.len() + bytes.len() > BLOCK {
            self.hand_on()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    /// Passes on the collected bytes.
    fn hand_on(&mut self) -> Result<(), CommandError> {
        match &mut self.destination {
            Destination::Held(spool, _) => spool.put(&self.block)?,
            Destination::Unnamed(file) => {
                let written = file.write_all(&self.block);
                written.map_err(|error| CommandError::saving(&self.name, &error))?;
            }
        }
        self.block.clear();
        Ok(())
    }

    /// Writes the complete result to its target.
    pub(crate) fn commit(mut self, stdout: &mut dyn Write) -> Result<(), CommandError> {
        self.hand_on()?;
        let Output { name, destination, .. } = self;
        let result = match destination {
            Destination::Held(spool, Sink::Stdout) => {
                let written = spool.release(stdout).and_then(|()| stdout.flush());
                return written.map_err(|error| CommandError::writing(&name, &error));
            }
            Destination::Held(spool, Sink::Open(mut file)) => spool.release(&mut file),
            Destination::Held(spool, Sink::Device(path)) => {
                let file = File::options().write(true).open(path);
                file.and_then(|mut file| spool.release(&mut file))
            }
            Destination::Held(spool, Sink::InPlace(path)) => {
                let len = spool.len();
                write_in_place(&path, len, |file| spool.release(file))
            }
            Destination::Held(spool, Sink::Replaced(path, found)) => {
                replace(&path, found.as_deref(), spool)
            }
            Destination::Unnamed(file) => file.publish(),
        };
        result.map_err(|error| CommandError::saving(&name, &error))
    }
}

/// Chooses how to write a target, and checks as far as possible that it can be written.
fn destination_for(path: &Path) -> io::Result<Destination> {
    let held = |sink| Ok(Destination::Held(Spool::default(), sink));
    let path = match resolve(path)? {
        ResolvedPath::Descriptor(1) => return held(Sink::Stdout),
        ResolvedPath::Descriptor(number) => {
            let file = open_descriptor(number, path)?;
            return held(Sink::Open(file));
        }
        ResolvedPath::Path(path) => path,
    };
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => held(Sink::Device(path)),
        Ok(found) => {
            // Renaming does not check whether the replaced file is writable.
            File::options().write(true).open(&path)?;
            if has_other_names(&found) {
                return held(Sink::InPlace(path));
            }
            match UnnamedFile::new(&path, Some(&found)) {
                Ok(file) => Ok(Destination::Unnamed(file)),
                Err(_) if can_be_replaced(&path, &found) => {
                    held(Sink::Replaced(path, Some(Box::new(found))))
                }
                Err(_) => held(Sink::InPlace(path)),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match UnnamedFile::new(&path, None) {
                Ok(file) => Ok(Destination::Unnamed(file)),
                Err(_) => {
                    can_be_made(&path)?;
                    held(Sink::Replaced(path, None))
                }
            }
        }
        Err(error) => Err(error),
    }
}

/// The maximum number of bytes held in memory.
const MEMORY: usize = 4 << 20;

/// The maximum number of bytes read back at a time.
const READ_BLOCK: usize = 32 << 10;

/// Output that is held back until the input is known to be valid.
#[derive(Default)]
pub(crate) struct Spool {
    /// The whole output, or its part that is not in the file yet.
    memory: Vec<u8>,
    file: Option<File>,
    /// The number of bytes in the file.
    spilled: u64,
}

impl Spool {
    /// Appends bytes to the output.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        if self.memory.len() + bytes.len() > MEMORY {
            self.spill()?;
        }
        self.memory.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes all output that was held back.
    pub(crate) fn release(self, out: &mut dyn Write) -> io::Result<()> {
        self.read_back(|block| out.write_all(block))
    }

    /// Passes all held bytes to `take`, in order. All blocks except the last have the same size, a power
    /// of two of at least 4096 bytes.
    pub(crate) fn read_back<E: From<io::Error>>(
        mut self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(mut file) = self.file.take() else {
            return self.memory.chunks(READ_BLOCK).try_for_each(take);
        };
        file.rewind()?;
        let (mut block, mut all) = (Vec::with_capacity(READ_BLOCK), file.chain(&*self.memory));
        loop {
            block.clear();
            all.by_ref().take(READ_BLOCK as u64).read_to_end(&mut block)?;
            if block.is_empty() {
                return Ok(());
            }
            take(&block)?;
        }
    }

    /// Returns the number of bytes held back.
    pub(crate) fn len(&self) -> u64 {
        self.spilled + self.memory.len() as u64
    }

    /// Moves the bytes from memory to the file.
    fn spill(&mut self) -> Result<(), CommandError> {
        let directory = env::temp_dir();
        let failed = |what: &str, error: io::Error| {
            let place = directory.display();
            CommandError::System(format!(
                "cannot buffer the output: {what} in {place}: {error}; \
                 set TMPDIR to a directory with enough space"
            ))
        };
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = anonymous_file(&directory);
                self.file
                    .insert(file.map_err(|error| failed("cannot create a temporary file", error))?)
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
    if let Ok(file) = unnamed_file(directory, 0o600) {
        return Ok(file);
    }
    let (path, file) = new_file(directory, FileReaders::Owner)?;
    // A system that cannot remove an open file leaves it in the directory for temporary files.
    let _ = fs::remove_file(path);
    Ok(file)
}

/// The users who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileReaders {
    /// Only its owner.
    Owner,
    /// Everyone who may read the other files of this user.
    Usual,
}

/// Creates a file with a new name.
fn new_file(directory: &Path, readers: FileReaders) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if readers == FileReaders::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    with_new_name(directory, |path| options.open(path))
}

/// Calls `make` with different names for a temporary file, until a name is not used by another file.
fn with_new_name<R>(
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

/// The target of a path.
#[derive(Debug, PartialEq)]
enum ResolvedPath {
    /// A file that is open in this process, by its descriptor: `/dev/stdout`, `/dev/fd/3`.
    Descriptor(i32),
    /// Any other path, with links resolved.
    Path(PathBuf),
}

/// The maximum number of links that are followed, as on Linux.
const LINKS: usize = 40;

/// Follows links to the target of a path, as far as the files exist.
fn resolve(path: &Path) -> io::Result<ResolvedPath> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        // A path that ends in `..` or is a root is a directory.
        let Some(name) = path.file_name().map(ToOwned::to_owned) else {
            return Ok(ResolvedPath::Path(path));
        };
        let directory = directory_of(&path);
        let parent = fs::canonicalize(directory)?;
        let number = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(number) = number.and_then(|number| number.parse().ok())
            && has_descriptors(&parent)
        {
            return Ok(ResolvedPath::Descriptor(number));
        }
        match fs::read_link(parent.join(&name)) {
            Ok(link) => path = parent.join(link),
            // `file/` must not become `file`.
            Err(_) if path.as_os_str().to_string_lossy().ends_with('/') => {
                return Ok(ResolvedPath::Path(path));
            }
            Err(_) => return Ok(ResolvedPath::Path(parent.join(name))),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Returns the directory of a file.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns whether a directory contains the open files of this process. Its path must not contain
/// links.
fn has_descriptors(directory: &Path) -> bool {
    let own = Path::new("/proc").join(std::process::id().to_string());
    let of_thread = || {
        let task = directory.parent().and_then(Path::parent);
        directory.ends_with("fd") && task == Some(&own.join("task"))
    };
    directory == Path::new("/dev/fd") || directory == own.join("fd") || of_thread()
}

/// Returns a second handle of an open file of this process. Both share the position in the file.
fn open_descriptor(number: i32, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let standard = match number {
            0 => Some(io::stdin().as_fd().try_clone_to_owned()),
            2 => Some(io::stderr().as_fd().try_clone_to_owned()),
            _ => None,
        };
        if let Some(file) = standard {
            return file.map(File::from);
        }
    }
    match duplicate_descriptor(number) {
        // Some sandboxes forbid the call that creates a second handle.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            File::options().append(true).open(path)
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            File::options().append(true).open(path)
        }
        result => result,
    }
}

/// Returns whether a file has more than one name.
fn has_other_names(found: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(found) > 1;
    #[cfg(not(unix))]
    return {
        let _ = found;
        false
    };
}

/// Returns whether a new named file can replace an existing one and keep its owner and permissions.
/// Used if [`UnnamedFile::new`] fails.
fn can_be_replaced(path: &Path, found: &Metadata) -> bool {
    let made = new_file(directory_of(path), FileReaders::Owner);
    made.is_ok_and(|(path, file)| {
        let _ = fs::remove_file(path);
        copy_owner_and_permissions(&file, found).is_ok()
    })
}

/// Returns an error if no file can be created.
fn can_be_made(path: &Path) -> io::Result<()> {
    let (path, _) = new_file(directory_of(path), FileReaders::Owner)?;
    fs::remove_file(path)
}

/// Gives a file the owner and the permissions of another file.
fn copy_owner_and_permissions(file: &File, found: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (found.uid(), found.gid()) {
            fchown(file, Some(found.uid()), Some(found.gid()))?;
        }
    }
    file.set_permissions(found.permissions())
}

/// An unnamed file in the directory of its target.
struct UnnamedFile {
    file: File,
    target: PathBuf,
    /// Whether the target existed before.
    replaces: bool,
}

impl Write for UnnamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl UnnamedFile {
    /// Creates the file. Returns an error if the file system does not support unnamed files, or if
    /// no file can be created there.
    fn new(target: &Path, found: Option<&Metadata>) -> io::Result<UnnamedFile> {
        let file = unnamed_file(directory_of(target), 0o666)?;
        if let Some(found) = found {
            copy_owner_and_permissions(&file, found)?;
        }
        Ok(UnnamedFile { file, target: target.to_path_buf(), replaces: found.is_some() })
    }

    /// Gives the file its name.
    fn publish(mut self) -> io::Result<()> {
        if !self.replaces && give_name(&self.file, &self.target).is_ok() {
            return Ok(());
        }
        let directory = directory_of(&self.target);
        let named = with_new_name(directory, |path| give_name(&self.file, path));
        if let Ok((path, ())) = named {
            if fs::rename(&path, &self.target).is_ok() {
                return Ok(());
            }
            let _ = fs::remove_file(path);
        }
        // A mounted file cannot be replaced, and neither can another user's file in a shared
        // directory.
        let len = self.file.stream_position()?;
        self.file.rewind()?;
        write_in_place(&self.target, len, |target| io::copy(&mut self.file, target).map(drop))
    }
}

/// Replaces or creates a file if the system does not support unnamed files.
fn replace(target: &Path, found: Option<&Metadata>, spool: Spool) -> io::Result<()> {
    let (path, mut file) = new_file(directory_of(target), FileReaders::Usual)?;
    let written = found.map_or(Ok(()), |found| copy_owner_and_permissions(&file, found));
    let written = written.and_then(|()| spool.release(&mut file));
    let result = written.and_then(|()| fs::rename(&path, target));
    if result.is_err() {
        let _ = fs::remove_file(&path);
    }
    result
}

/// Overwrites an existing file without replacing it. It first reserves room for `len` bytes, if
/// possible, so that a full disk is detected while the old content still exists.
fn write_in_place(
    path: &Path,
    len: u64,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
    reserve(&file, len)?;
    let written = write(&mut file).and_then(|()| file.set_len(len));
    written.map_err(|error| {
        let message = format!("{error}; the output file is incomplete");
        io::Error::new(error.kind(), message)
    })
}

/// Opens an unnamed file in a directory. It disappears when it is closed, even if the process is
/// killed, unless [`give_name`] named it.
#[cfg(target_os = "linux")]
fn unnamed_file(directory: &Path, mode: u32) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(rustix::fs::open(directory, flags, Mode::from_raw_mode(mode))?.into())
}

/// Returns the error that this system does not support unnamed files.
#[cfg(not(target_os = "linux"))]
fn unnamed_file(_: &Path, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file from [`unnamed_file`] a name that no other file has.
#[cfg(target_os = "linux")]
fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let old = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, old, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Returns the error that this system does not support unnamed files.
#[cfg(not(target_os = "linux"))]
fn give_name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Ensures that a file has room for `len` bytes before its content changes, if the file system
/// supports this.
#[cfg(target_os = "linux")]
fn reserve(file: &File, len: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    if len == 0 {
        return Ok(());
    }
    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, len) {
        Err(error @ (Errno::NOSPC | Errno::FBIG | Errno::DQUOT)) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Does nothing, because this system cannot reserve room.
#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// Returns a second handle of the open file with the descriptor `number`. Both handles share the
/// position in the file.
#[cfg(target_os = "linux")]
fn duplicate_descriptor(number: i32) -> io::Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    Ok(pidfd_getfd(own, number, PidfdGetfdFlags::empty())?.into())
}

/// Returns a second handle of the open file with the descriptor `number`. On these systems, both
/// handles share the position in the file if the second is opened by the descriptor's name.
#[cfg(not(target_os = "linux"))]
fn duplicate_descriptor(number: i32) -> io::Result<File> {
    File::options().write(true).open(format!("/dev/fd/{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_output_stays_in_memory() -> Result<(), CommandError> {
        let mut spool = Spool::default();
        spool.put(b"abc")?;
        assert!(spool.file.is_none());
        let mut out = Vec::new();
        spool.release(&mut out).map_err(CommandError::printing)?;
        assert_eq!(out, b"abc");
        Ok(())
    }

    #[test]
    fn large_output_comes_back_in_order() -> Result<(), CommandError> {
        let mut spool = Spool::default();
        let mut expected = Vec::new();
        for number in 0..2_000_000_u32 {
            spool.put(&number.to_le_bytes())?;
            expected.extend_from_slice(&number.to_le_bytes());
        }
        assert!(spool.file.is_some() && spool.memory.len() <= MEMORY);
        assert_eq!(spool.len(), expected.len() as u64);
        let mut out = Vec::new();
        spool.release(&mut out).map_err(CommandError::printing)?;
        assert!(out == expected);
        Ok(())
    }

    #[test]
    fn blocks_are_whole() -> Result<(), CommandError> {
        for count in
            [0, 1, READ_BLOCK, READ_BLOCK + 1, MEMORY, MEMORY + 1, 2 * MEMORY + READ_BLOCK / 2]
        {
            let mut spool = Spool::default();
            for _ in 0..count {
                spool.put(b"x")?;
            }
            let mut sizes = Vec::new();
            let sized = spool.read_back(|block| {
                sizes.push(block.len());
                Ok::<_, io::Error>(())
            });
            sized.map_err(CommandError::printing)?;
            let last = sizes.pop().unwrap_or_default();
            assert!(sizes.iter().all(|&size| size == READ_BLOCK) && last <= READ_BLOCK);
            assert_eq!(sizes.len() * READ_BLOCK + last, count);
        }
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_known_by_any_of_their_names() -> io::Result<()> {
        let directory = std::env::temp_dir().join(format!("isa-target.{}", std::process::id()));
        fs::create_dir_all(&directory)?;
        let link = directory.join("link");
        std::os::unix::fs::symlink("/dev/stdout", &link)?;
        let own = format!("/proc/{}/fd/1", std::process::id());
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "//dev/./../dev/stdout", &own] {
            assert_eq!(resolve(Path::new(path))?, ResolvedPath::Descriptor(1), "{path}");
        }
        assert_eq!(resolve(&link)?, ResolvedPath::Descriptor(1));
        assert_eq!(resolve(Path::new("/dev/stderr"))?, ResolvedPath::Descriptor(2));
        let file = directory.join("file");
        assert_eq!(resolve(&file)?, ResolvedPath::Path(fs::canonicalize(&directory)?.join("file")));
        std::os::unix::fs::symlink("file", directory.join("dangling"))?;
        let dangling = resolve(&directory.join("dangling"))?;
        assert_eq!(dangling, ResolvedPath::Path(fs::canonicalize(&directory)?.join("file")));
        fs::remove_dir_all(directory)
    }
}
