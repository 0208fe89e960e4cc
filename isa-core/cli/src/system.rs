//! What the tool asks of the operating system beyond the standard library. Each function has a
//! second form for systems without the facility.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file without a name in a directory. It is gone when it is closed, however the process
/// ends, unless [`give_name`] gave it a name.
#[cfg(target_os = "linux")]
pub(super) fn nameless_file(directory: &Path, mode: u32) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(rustix::fs::open(directory, flags, Mode::from_raw_mode(mode))?.into())
}

/// Reports that this system has no files without a name.
#[cfg(not(target_os = "linux"))]
pub(super) fn nameless_file(_: &Path, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file from [`nameless_file`] a name that no file has yet.
#[cfg(target_os = "linux")]
pub(super) fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let old = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, old, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Reports that this system has no files without a name.
#[cfg(not(target_os = "linux"))]
pub(super) fn give_name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes sure that a file has room for `len` bytes before anything in it changes, where the file
/// system can do that.
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

/// Does nothing: this system cannot reserve room.
#[cfg(not(target_os = "linux"))]
pub(super) fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// An open file of this process by its number, with the place in the file that it shares.
#[cfg(target_os = "linux")]
pub(super) fn descriptor(number: i32) -> io::Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    Ok(pidfd_getfd(own, number, PidfdGetfdFlags::empty())?.into())
}

/// An open file of this process by its number. On these systems opening its name shares the place
/// in the file.
#[cfg(not(target_os = "linux"))]
pub(super) fn descriptor(number: i32) -> io::Result<File> {
    File::options().write(true).open(format!("/dev/fd/{number}"))
}
