//! Functions of the operating system that the standard library does not provide. Each function has
//! a second definition for systems that do not support it.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens an unnamed file in a directory. It disappears when it is closed, even if the process is
/// killed, unless [`give_name`] named it.
#[cfg(target_os = "linux")]
pub(super) fn nameless_file(directory: &Path, mode: u32) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(rustix::fs::open(directory, flags, Mode::from_raw_mode(mode))?.into())
}

/// Returns the error that this system does not support unnamed files.
#[cfg(not(target_os = "linux"))]
pub(super) fn nameless_file(_: &Path, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file from [`nameless_file`] a name that no other file has.
#[cfg(target_os = "linux")]
pub(super) fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let old = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, old, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Returns the error that this system does not support unnamed files.
#[cfg(not(target_os = "linux"))]
pub(super) fn give_name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Ensures that a file has room for `len` bytes before its content changes, if the file system
/// supports this.
#[cfg(target_os = "linux")]
pub(super) fn reserve(file: &File, len: u64) -> io::Result<()> {
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
pub(super) fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// Returns a second handle of the open file with the descriptor `number`. Both handles share the
/// position in the file.
#[cfg(target_os = "linux")]
pub(super) fn descriptor(number: i32) -> io::Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    Ok(pidfd_getfd(own, number, PidfdGetfdFlags::empty())?.into())
}

/// Returns a second handle of the open file with the descriptor `number`. On these systems, both
/// handles share the position in the file if the second is opened by the descriptor's name.
#[cfg(not(target_os = "linux"))]
pub(super) fn descriptor(number: i32) -> io::Result<File> {
    File::options().write(true).open(format!("/dev/fd/{number}"))
}
