//! Programs: bytes to text with labels.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

use super::cursor::is_label;
use super::relocation::Relocate;
use super::{LabelMap, Labels, Line, Reference, Relocation, Site, Style, directive, print_word};
use crate::table::{InstructionSet, Opcode};

/// A disassembler of programs of a set, whose text assembles to the same bytes.
///
/// What a target of the program leads to gets a label, `L_` and the address in hexadecimal, unless
/// it has one. Bytes that are no instruction become data.
///
/// ```
/// use isa_core::asm::{Assembler, Disassembler};
/// # isa_core::define_isa! {
/// #     /// Two instructions.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     enum Op: 8 { DEC = 1, BNZ = 2 }
/// #     opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// #     opcode BNZ {
/// #         encoding { field<8, 8> Op op == BNZ; field<0, 8> Target to; } syntax { BNZ to; }
/// #     }
/// # }
///
/// let code = [0x03, 0x01, 0xff, 0x02, 0x99];
/// let text = Disassembler::new(Tiny::SET).origin(0x1000).disassemble(&code);
/// assert_eq!(text, "L_1000:\n    DEC R3;\n    BNZ L_1000;\n    .byte 0x99;\n");
///
/// let program = Assembler::new(Tiny::SET).origin(0x1000).assemble(&text)?;
/// assert_eq!(program.bytes, code);
/// # Ok::<(), isa_core::error::AssembleErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Disassembler {
    set: &'static InstructionSet,
    origin: u64,
    known: LabelMap,
    /// The addresses of data, in order.
    data: Vec<Range<u64>>,
    /// What a linker fills in, by address.
    relocations: Vec<Relocation>,
    relocate: Option<Relocate>,
    style: Style,
}

/// A line of a disassembled program.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Listed<'l> {
    /// A label in front of what follows.
    #[non_exhaustive]
    Label {
        /// Its address.
        address: u64,
        /// Its name.
        name: &'l str,
    },
    /// An instruction, or data.
    #[non_exhaustive]
    Statement {
        /// The address of the first byte.
        address: u64,
        /// The bytes.
        bytes: &'l [u8],
        /// The text, with the `;` that ends it.
        text: &'l str,
        /// Whether the bytes are known to be data, and not only taken for it because they are no
        /// instruction.
        is_data: bool,
        /// What a linker fills in, and `text` does not show.
        relocations: &'l [Relocation],
    },
}

/// An instruction or data.
struct Piece<'c> {
    address: u64,
    bytes: &'c [u8],
    instruction: Option<(&'static Opcode, u128)>,
    /// Whether it is known to be data.
    is_data: bool,
}

impl Piece<'_> {
    /// The first address behind the piece.
    const fn end(&self) -> u64 {
        self.address.wrapping_add(self.bytes.len() as u64)
    }
}

impl Disassembler {
    /// A disassembler of programs that begin at address 0.
    #[must_use]
    pub const fn new(set: &'static InstructionSet) -> Self {
        Disassembler {
            set,
            origin: 0,
            known: LabelMap::new(),
            data: Vec::new(),
            relocations: Vec::new(),
            relocate: None,
            style: Style::new(),
        }
    }

    /// With another way to print numbers and targets of instructions.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Disassembler { style, ..self }
    }

    /// With the address that programs begin at.
    #[must_use]
    pub fn origin(self, origin: u64) -> Self {
        Disassembler { origin, ..self }
    }

    /// With known labels. Those in front of a statement of the program become part of the text;
    /// those outside of the program are named by it, so that the
    /// [`Assembler`](super::Assembler) has to be given them.
    #[must_use]
    pub fn labels(self, known: LabelMap) -> Self {
        Disassembler { known, ..self }
    }

    /// With addresses at which there is data, and no instruction.
    #[must_use]
    pub fn data(self, data: impl IntoIterator<Item = Range<u64>>) -> Self {
        let mut data: Vec<Range<u64>> =
            data.into_iter().filter(|range| !range.is_empty()).collect();
        data.sort_unstable_by_key(|range| range.start);
        data.dedup_by(|next, range| {
            let is_one = next.start <= range.end;
            range.end = if is_one { range.end.max(next.end) } else { range.end };
            is_one
        });
        Disassembler { data, ..self }
    }

    /// With what a linker is to fill in. Where `kind_of` says a relocation's kind of the place that it
    /// is for, as for [`Assembler::relocations`](super::Assembler::relocations), the text names its
    /// label.
    #[must_use]
    pub fn relocations(
        self,
        mut relocations: Vec<Relocation>,
        kind_of: fn(Reference) -> Option<u32>,
    ) -> Self {
        relocations.sort_by_key(|relocation| relocation.address);
        Disassembler { relocations, relocate: Some(kind_of), ..self }
    }

    /// The text of a program.
    #[must_use]
    pub fn disassemble(&self, code: &[u8]) -> String {
        let mut text = String::new();
        self.for_each(code, |listed| {
            let _ = match listed {
                Listed::Label { name, .. } => writeln!(text, "{name}:"),
                Listed::Statement { text: statement, .. } => writeln!(text, "    {statement}"),
            };
        });
        text
    }

    /// Hands on the program line by line.
    ///
    /// ```
    /// use isa_core::asm::{Disassembler, Listed};
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
    /// # }
    ///
    /// let mut lines = Vec::new();
    /// Disassembler::new(Tiny::SET).for_each(&[3, 1, 4, 1], |listed| {
    ///     if let Listed::Statement { address, text, .. } = listed {
    ///         lines.push(format!("{address}: {text}"));
    ///     }
    /// });
    /// assert_eq!(lines, ["0: DEC R3;", "2: DEC R4;"]);
    /// ```
    pub fn for_each(&self, code: &[u8], mut each: impl FnMut(Listed<'_>)) {
        let pieces = self.pieces(code);
        let (inside, labels) = self.find_labels(&pieces, code.len() as u64);
        let end = self.origin.wrapping_add(code.len() as u64);
        let mut relocations = self.relocations.as_slice();
        for piece in &pieces {
            let address = piece.address;
            inside.names(address).for_each(|name| each(Listed::Label { address, name }));
            relocations = behind(relocations, piece.address);
            let here = relocations.len() - behind(relocations, piece.end()).len();
            let (mut open, mut line) = (relocations.get(..here).unwrap_or_default(), Line::new());
            if !self.write_linked(piece, open, &labels, &mut line) {
                line.clear();
                self.write_piece(piece, &labels, &mut line);
            } else {
                open = &[];
            }
            let Piece { address, bytes, is_data, .. } = *piece;
            let text = line.as_str();
            each(Listed::Statement { address, bytes, text, is_data, relocations: open });
        }
        inside.names(end).for_each(|name| each(Listed::Label { address: end, name }));
    }

    /// Writes a piece with the label that a linker finds; says whether the text says all of it.
    fn write_linked(
        &self,
        piece: &Piece<'_>,
        open: &[Relocation],
        labels: &LabelMap,
        line: &mut Line,
    ) -> bool {
        let ([relocation], Some(kind_of)) = (open, self.relocate) else { return false };
        let Some(symbol) = relocation.symbol.as_deref().filter(|name| is_label(name)) else {
            return false;
        };
        if relocation.address != piece.address {
            return false;
        }
        let Some((opcode, word)) = piece.instruction else {
            let bytes = piece.bytes.len();
            let directive = directive::of_size(bytes);
            let is_known = kind_of(Reference::Data { bytes }) == Some(relocation.kind);
            let Some(directive) = directive.filter(|_| is_known) else { return false };
            let _ = match relocation.addend {
                0 => write!(line, "{directive} {symbol};"),
                addend => {
                    let sign = if addend < 0 { '-' } else { '+' };
                    write!(line, "{directive} {symbol} {sign} {};", addend.unsigned_abs())
                }
            };
            return piece.bytes.iter().all(|&byte| byte == 0);
        };
        let mut fields = opcode.fields.iter().map(|field| field.kind);
        let kind = fields.find(|kind| kind.target(0, 0).is_some());
        let reference =
            kind.map(|kind| Reference::Operand { opcode: opcode.name, kind: kind.name });
        let is_known = reference.and_then(kind_of) == Some(relocation.kind);
        let Some(target) = opcode.targets(word, piece.address).next() else { return false };
        let linked = Linked { labels, target, symbol };
        opcode.print_at(word, Site::new(piece.address, &linked).style(self.style), line);
        is_known && relocation.addend == 0 && line.as_str().contains(symbol)
    }

    /// How long the data is that begins at an address, if there is some: up to the next label and the
    /// next thing that a linker fills in, and that by itself.
    fn data_at(&self, address: u64) -> Option<usize> {
        let behind = self.data.partition_point(|range| range.start <= address);
        let end = self.data.get(behind.checked_sub(1)?)?.end.checked_sub(address)?;
        let next = self.relocations.partition_point(|it| it.address < address);
        let next = self.relocations.get(next);
        let distance = next.map_or(u64::MAX, |next| next.address - address);
        let linked = next.filter(|_| distance == 0).and_then(|next| {
            let is_size = |&bytes: &usize| {
                self.relocate?(Reference::Data { bytes }).filter(|&it| it == next.kind)
            };
            [1, 2, 4, 8].into_iter().find(|bytes| is_size(bytes).is_some())
        });
        let label = self.known.next(address).map_or(u64::MAX, |label| label - address);
        let most = linked.map_or(u64::from(self.set.bits / 8), |bytes| bytes as u64);
        let most = if distance == 0 { most } else { most.min(distance) };
        Some(most.min(label).min(end) as usize).filter(|&length| length > 0)
    }

    fn pieces<'c>(&self, code: &'c [u8]) -> Vec<Piece<'c>> {
        let (mut pieces, mut rest, mut address) = (Vec::new(), code, self.origin);
        let always = self.set.always_reads_back();
        while !rest.is_empty() {
            let data = if self.data.is_empty() { None } else { self.data_at(address) };
            let (length, instruction) = match self.set.first(rest) {
                _ if data.is_some() => (data.unwrap_or_default(), None),
                Ok((index, word, length)) => {
                    let opcode = self.set.opcodes.get(index).copied();
                    // What would assemble to other bits is written as data.
                    let opcode = opcode.filter(|opcode| always || opcode.reads_back(word));
                    (length, opcode.map(|opcode| (opcode, word)))
                }
                Err(_) => (self.set.length_of_none(rest), None),
            };
            let (bytes, behind) = rest.split_at(length.clamp(1, rest.len()));
            pieces.push(Piece { address, bytes, instruction, is_data: data.is_some() });
            (rest, address) = (behind, address.wrapping_add(bytes.len() as u64));
        }
        pieces
    }

    /// The labels that the text defines, and with those from outside all that it names.
    fn find_labels(&self, pieces: &[Piece<'_>], len: u64) -> (LabelMap, LabelMap) {
        // In the order of their places behind the origin, of which addresses may begin anew at 0.
        let place = |address: u64| address.wrapping_sub(self.origin);
        let is_start = |address: u64| {
            let piece = pieces.binary_search_by_key(&place(address), |piece| place(piece.address));
            piece.is_ok() || place(address) == len
        };
        let (mut inside, mut all) = (LabelMap::new(), LabelMap::new());
        for (name, address) in self.known.iter().filter(|(name, _)| is_label(name)) {
            let is_start = is_start(address);
            if is_start {
                inside.insert(name, address);
            }
            // What is amid an instruction has no place in the text.
            if is_start || place(address) >= len {
                all.insert(name, address);
            }
        }
        let mut relocations = self.relocations.as_slice();
        for piece in pieces {
            let Piece { address, instruction, .. } = piece;
            relocations = behind(relocations, *address);
            let is_open = relocations.first().is_some_and(|it| it.address < piece.end());
            // Where a linker fills in the target, it is not known yet.
            let Some((opcode, word)) = instruction.filter(|_| !is_open) else { continue };
            for target in opcode.targets(word, *address).filter(|target| is_start(*target)) {
                if all.name(target).is_none() {
                    let name = self.new_name(target);
                    inside.insert(&name, target);
                    all.insert(&name, target);
                }
            }
        }
        (inside, all)
    }

    fn new_name(&self, address: u64) -> String {
        let mut name = format!("L_{address:x}");
        while self.known.address(&name).is_some() {
            name.push('_');
        }
        name
    }

    fn write_piece(&self, piece: &Piece<'_>, labels: &LabelMap, line: &mut Line) {
        match (piece.instruction, piece.bytes) {
            (Some((opcode, word)), _) => {
                let site = Site::new(piece.address, labels).style(self.style);
                opcode.print_at(word, site, line);
            }
            (None, bytes) => {
                let (bits, order) = (bytes.len() * 8, self.set.byte_order);
                let data = order.of_data().word(bytes, bits as u8);
                if bits == usize::from(self.set.bits) {
                    print_word(order.word(bytes, self.set.bits), self.set.bits, line);
                } else if let Some(directive) = directive::of_size(bytes.len()) {
                    line.push_str(directive);
                    line.push_str(" 0x");
                    line.push_hex(data, bits as u32 / 4);
                    line.push(b';');
                } else {
                    write_bytes(bytes, line);
                }
            }
        }
    }
}

/// Labels beside one that a linker finds.
struct Linked<'l> {
    labels: &'l LabelMap,
    /// What the target of the instruction is before a linker has changed it.
    target: u64,
    symbol: &'l str,
}

impl Labels for Linked<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        self.labels.address(name)
    }

    fn name(&self, address: u64) -> Option<&str> {
        if address == self.target { Some(self.symbol) } else { self.labels.name(address) }
    }
}

/// The relocations from an address on.
fn behind(relocations: &[Relocation], address: u64) -> &[Relocation] {
    let count = relocations.iter().take_while(|it| it.address < address).count();
    relocations.get(count..).unwrap_or_default()
}

fn write_bytes(bytes: &[u8], line: &mut Line) {
    line.push_str(".byte");
    for (place, &byte) in bytes.iter().enumerate() {
        line.push_str(if place == 0 { " 0x" } else { ", 0x" });
        line.push_hex(byte.into(), 2);
    }
    line.push(b';');
}
