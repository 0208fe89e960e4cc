//! As much of the format of executables as the tests need.

/// A 64-bit executable or library, the lowest byte first.
pub(crate) struct Elf<'b>(&'b [u8]);

impl<'b> Elf<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        assert_eq!(bytes[..6], *b"\x7fELF\x02\x01", "a 64-bit little-endian file");
        Elf(bytes)
    }

    fn number(&self, at: usize, len: usize) -> usize {
        self.0[at..at + len].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    }

    /// The bytes of a section.
    pub(crate) fn section(&self, name: &str) -> &'b [u8] {
        let (table, size, count) =
            (self.number(0x28, 8), self.number(0x3a, 2), self.number(0x3c, 2));
        let header = |index: usize| table + index * size;
        let names = self.number(header(self.number(0x3e, 2)) + 0x18, 8);
        let mut sections = (0..count).map(header);
        let found = sections.find(|&header| {
            let start = names + self.number(header, 4);
            self.0[start..].split(|&byte| byte == 0).next() == Some(name.as_bytes())
        });
        let header = found.expect("a section of this name");
        let (start, len) = (self.number(header + 0x18, 8), self.number(header + 0x20, 8));
        &self.0[start..start + len]
    }
}
