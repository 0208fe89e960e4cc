//! Printing of many instructions into one buffer.

use crate::table::Opcode;
use crate::text::{Line, ROOM};

/// Lines of assembly text in a buffer of the caller. Instructions are printed directly into the buffer,
/// without a copy of each line.
///
/// ```
/// use isa_core::print::Listing;
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     pub isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
/// let mut buffer = [0; 4096];
/// let mut listing = Listing::new(&mut buffer);
/// for word in [0x0101, 0x01ff] {
///     if !listing.has_room() {
///         // Hand on `listing.as_bytes()`.
///         listing.clear();
///     }
///     listing.print(Tiny::SET.decode(word)?, word);
///     listing.push(b'\n');
/// }
/// assert_eq!(listing.as_bytes(), b"NEG R1;\nNEG RZ;\n");
/// # Ok::<(), isa_core::DecodeError>(())
/// ```
#[derive(Debug)]
pub struct Listing<'b> {
    bytes: &'b mut [u8],
    len: usize,
    scratch: Option<Line>,
}

impl<'b> Listing<'b> {
    /// The maximum space that a line needs, including its end.
    pub const LINE: usize = ROOM + 1;

    /// Creates an empty listing in a buffer of at least [`Listing::LINE`] bytes. A buffer of some
    /// thousand bytes is better.
    #[must_use]
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        Listing { bytes, len: 0, scratch: None }
    }

    /// Returns whether any line fits.
    #[inline]
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.room() >= Self::LINE
    }

    /// Returns the number of bytes that fit.
    #[inline]
    #[must_use]
    pub const fn room(&self) -> usize {
        self.bytes.len() - self.len
    }

    /// Appends an instruction in its canonical form. Appends nothing if there is no space.
    #[inline]
    pub fn print(&mut self, opcode: &Opcode, word: u128) {
        let room = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut);
        if let Some(room) = room {
            self.len += opcode.print_into(word, room, &mut self.scratch);
        }
    }

    /// Appends a byte, such as the end of a line. Appends nothing if there is no space.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    /// Appends text, such as a comment. Appends nothing if there is no space for all of it.
    pub fn push_str(&mut self, text: &str) {
        let place = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len()));
        if let Some(place) = place {
            place.copy_from_slice(text.as_bytes());
            self.len += text.len();
        }
    }

    /// Returns the text so far.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Empties the listing.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::print::Listing;

    #[test]
    fn room_is_what_is_left_of_the_buffer() {
        let mut buffer = [0; Listing::LINE + 2];
        let mut listing = Listing::new(&mut buffer);
        assert_eq!((listing.room(), listing.has_room()), (Listing::LINE + 2, true));
        listing.push_str("ab");
        assert_eq!((listing.room(), listing.has_room()), (Listing::LINE, true));
        listing.push(b'c');
        assert_eq!((listing.room(), listing.has_room()), (Listing::LINE - 1, false));
        assert_eq!(listing.as_bytes(), b"abc");
        listing.clear();
        assert!(listing.has_room() && listing.as_bytes().is_empty());
        let mut small = [0; 2];
        let mut listing = Listing::new(&mut small);
        listing.push_str("abc");
        listing.push(b'd');
        listing.push(b'e');
        listing.push(b'f');
        assert_eq!((listing.as_bytes(), listing.room()), (&b"de"[..], 0));
    }
}
