//! The connection to gdb, with buffers in both directions.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;

use gdbstub::conn::{Connection, ConnectionExt};

/// A connection to gdb.
pub(super) struct GdbConnection {
    input: BufReader<TcpStream>,
    output: Vec<u8>,
}

impl GdbConnection {
    pub(super) fn new(stream: TcpStream) -> Self {
        GdbConnection { input: BufReader::new(stream), output: Vec::new() }
    }

    /// Sends a text that gdb prints while the program runs.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        let hex = text.bytes().map(|byte| format!("{byte:02x}"));
        let packet = format!("O{}", hex.collect::<String>());
        let sum = packet.bytes().fold(0_u8, u8::wrapping_add);
        self.output.extend(format!("${packet}#{sum:02x}").bytes());
        self.flush()
    }
}

impl Connection for GdbConnection {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.output.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::write_all(self.input.get_mut(), &self.output)?;
        self.output.clear();
        Ok(())
    }

    fn on_session_start(&mut self) -> io::Result<()> {
        self.input.get_ref().set_nodelay(true)
    }
}

impl ConnectionExt for GdbConnection {
    fn read(&mut self) -> io::Result<u8> {
        // An acknowledgement has no end at which it would be sent.
        self.flush()?;
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        self.flush()?;
        if self.input.buffer().is_empty() {
            self.input.get_ref().set_nonblocking(true)?;
            let filled = self.input.fill_buf().map(<[u8]>::len);
            self.input.get_ref().set_nonblocking(false)?;
            match filled {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(self.input.buffer().first().copied())
    }
}
