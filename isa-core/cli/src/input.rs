//! The input of a command.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};

use super::Stop;
use super::console::Console;

/// An open input.
pub(super) struct Input<'a> {
    /// The name for messages.
    pub(super) name: String,
    reader: Box<dyn Read + 'a>,
    size: Option<u64>,
    done: u64,
}

impl<'a> Input<'a> {
    /// Opens a file. `-` or `None` is standard input.
    pub(super) fn open(path: Option<&OsString>, stdin: &'a mut dyn Read) -> Result<Self, Stop> {
        let Some(path) = path.map(OsString::as_os_str).filter(|path| *path != "-") else {
            return Ok(Input::new("<stdin>", stdin));
        };
        if path.is_empty() {
            let message = "FILE needs the name of a file, or - for standard input";
            return Err(Stop::Usage(message.into()));
        }
        let name = OsStr::to_string_lossy(path);
        let file = File::open(path).map_err(|error| Stop::reading(&name, &error))?;
        let found = file.metadata().ok().filter(|found| found.is_file());
        Ok(Input { size: found.map(|found| found.len()), ..Input::new(&name, file) })
    }

    /// Returns the name of a file for messages and its whole text. `-` is standard input.
    pub(super) fn text(path: &OsString, stdin: &mut dyn Read) -> Result<(String, String), Stop> {
        let mut input = Input::open(Some(path), stdin)?;
        let mut text = String::new();
        match input.reader.read_to_string(&mut text) {
            Ok(_) => Ok((input.name, text)),
            Err(error) => Err(Stop::reading(&input.name, &error)),
        }
    }

    /// Creates an input that reads from `reader`.
    pub(super) fn new(name: &str, reader: impl Read + 'a) -> Self {
        Input { name: name.into(), reader: Box::new(reader), size: None, done: 0 }
    }

    /// Returns whether the input begins with the bytes `start`. The bytes remain in the input and
    /// are read again later.
    pub(super) fn begins_with(
        &mut self,
        start: &[u8],
        console: &mut Console<'_>,
    ) -> Result<bool, Stop> {
        let mut head = vec![0; start.len()];
        let count = self.read_full(&mut head, console)?;
        head.truncate(count);
        self.done -= count as u64;
        let is_start = head == start;
        let rest = core::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(head).chain(rest));
        Ok(is_start)
    }

    /// Reads some bytes into `bytes`, and returns their number, which is 0 only at the end of the
    /// input.
    pub(super) fn read(
        &mut self,
        bytes: &mut [u8],
        console: &mut Console<'_>,
    ) -> Result<usize, Stop> {
        loop {
            match self.reader.read(bytes) {
                Ok(count) => {
                    self.done += count as u64;
                    console.progress(self.done, self.size);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::reading(&self.name, &error)),
            }
        }
    }

    /// Reads until `bytes` is full or the input ends.
    pub(super) fn read_full(
        &mut self,
        bytes: &mut [u8],
        console: &mut Console<'_>,
    ) -> Result<usize, Stop> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.read(&mut bytes[filled..], console)? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(filled)
    }
}
