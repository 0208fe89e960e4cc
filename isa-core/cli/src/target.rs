//! The files that results are written to: resolves paths and replaces files.

use std::fs::{self, File, Metadata};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::spool::{Readers, Spool, new_file, with_new_name};
use super::system;

/// The target of a path.
#[derive(Debug, PartialEq)]
pub(super) enum Target {
    /// A file that is open in this process, by its descriptor: `/dev/stdout`, `/dev/fd/3`.
    Descriptor(i32),
    /// Any other path, with links resolved.
    Path(PathBuf),
}

/// The maximum number of links that are followed, as on Linux.
const LINKS: usize = 40;

/// Follows links to the target of a path, as far as the files exist.
pub(super) fn resolve(path: &Path) -> io::Result<Target> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        // A path that ends in `..` or is a root is a directory.
        let Some(name) = path.file_name().map(ToOwned::to_owned) else {
            return Ok(Target::Path(path));
        };
        let directory = directory_of(&path);
        let parent = fs::canonicalize(directory)?;
        let number = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(number) = number.and_then(|number| number.parse().ok())
            && has_descriptors(&parent)
        {
            return Ok(Target::Descriptor(number));
        }
        match fs::read_link(parent.join(&name)) {
            Ok(link) => path = parent.join(link),
            // `file/` must not become `file`.
            Err(_) if path.as_os_str().to_string_lossy().ends_with('/') => {
                return Ok(Target::Path(path));
            }
            Err(_) => return Ok(Target::Path(parent.join(name))),
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
pub(super) fn open_descriptor(number: i32, path: &Path) -> io::Result<File> {
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
    match system::descriptor(number) {
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
pub(super) fn has_other_names(found: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(found) > 1;
    #[cfg(not(unix))]
    return {
        let _ = found;
        false
    };
}

/// Returns whether a new named file can replace an existing one and keep its owner and permissions.
/// Used if [`Nameless::new`] fails.
pub(super) fn can_be_replaced(path: &Path, found: &Metadata) -> bool {
    let made = new_file(directory_of(path), Readers::Owner);
    made.is_ok_and(|(path, file)| {
        let _ = fs::remove_file(path);
        take_after(&file, found).is_ok()
    })
}

/// Returns an error if no file can be created.
pub(super) fn can_be_made(path: &Path) -> io::Result<()> {
    let (path, _) = new_file(directory_of(path), Readers::Owner)?;
    fs::remove_file(path)
}

/// Gives a file the owner and the permissions of another file.
fn take_after(file: &File, found: &Metadata) -> io::Result<()> {
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
pub(super) struct Nameless {
    file: File,
    target: PathBuf,
    /// Whether the target existed before.
    replaces: bool,
}

impl Write for Nameless {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Nameless {
    /// Creates the file. Returns an error if the file system does not support unnamed files, or if
    /// no file can be created there.
    pub(super) fn new(target: &Path, found: Option<&Metadata>) -> io::Result<Nameless> {
        let file = system::nameless_file(directory_of(target), 0o666)?;
        if let Some(found) = found {
            take_after(&file, found)?;
        }
        Ok(Nameless { file, target: target.to_path_buf(), replaces: found.is_some() })
    }

    /// Gives the file its name.
    pub(super) fn publish(mut self) -> io::Result<()> {
        if !self.replaces && system::give_name(&self.file, &self.target).is_ok() {
            return Ok(());
        }
        let directory = directory_of(&self.target);
        let named = with_new_name(directory, |path| system::give_name(&self.file, path));
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
pub(super) fn replace(target: &Path, found: Option<&Metadata>, spool: Spool) -> io::Result<()> {
    let (path, mut file) = new_file(directory_of(target), Readers::Usual)?;
    let written = found.map_or(Ok(()), |found| take_after(&file, found));
    let written = written.and_then(|()| spool.release(&mut file));
    let result = written.and_then(|()| fs::rename(&path, target));
    if result.is_err() {
        let _ = fs::remove_file(&path);
    }
    result
}

/// Overwrites an existing file without replacing it. It first reserves room for `len` bytes, if
/// possible, so that a full disk is detected while the old content still exists.
pub(super) fn write_in_place(
    path: &Path,
    len: u64,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
    system::reserve(&file, len)?;
    let written = write(&mut file).and_then(|()| file.set_len(len));
    written.map_err(|error| {
        let message = format!("{error}; the file has a part of the result and is of no use");
        io::Error::new(error.kind(), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_known_by_any_of_their_names() -> io::Result<()> {
        let directory = std::env::temp_dir().join(format!("isa-target.{}", std::process::id()));
        fs::create_dir_all(&directory)?;
        let link = directory.join("link");
        std::os::unix::fs::symlink("/dev/stdout", &link)?;
        let own = format!("/proc/{}/fd/1", std::process::id());
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "//dev/./../dev/stdout", &own] {
            assert_eq!(resolve(Path::new(path))?, Target::Descriptor(1), "{path}");
        }
        assert_eq!(resolve(&link)?, Target::Descriptor(1));
        assert_eq!(resolve(Path::new("/dev/stderr"))?, Target::Descriptor(2));
        let file = directory.join("file");
        assert_eq!(resolve(&file)?, Target::Path(fs::canonicalize(&directory)?.join("file")));
        std::os::unix::fs::symlink("file", directory.join("dangling"))?;
        let dangling = resolve(&directory.join("dangling"))?;
        assert_eq!(dangling, Target::Path(fs::canonicalize(&directory)?.join("file")));
        fs::remove_dir_all(directory)
    }
}
