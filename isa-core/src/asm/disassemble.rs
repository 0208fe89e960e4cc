//! The disassembler of programs: bytes to assembly text with labels.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

use super::relocation::{Filling, Relocate};
use super::{LabelMap, Reference, Relocation};
use crate::table::{InstructionSet, Opcode};
use crate::text::{InstructionContext, Labels, Line, Style, is_label};

mod linked;

/// A disassembler of programs for a set. Its text assembles to the same bytes.
///
/// Each address in the program that is the target of an instruction gets a label, `L_` and the
/// address in hexadecimal, unless it already has one. Bytes that are not an instruction become
/// data.
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
/// # Ok::<(), isa_core::asm::AssembleErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Disassembler {
    set: &'static InstructionSet,
    origin: u64,
    known: Arc<LabelMap>,
    /// The address ranges of data, in order.
    data: Vec<Range<u64>>,
    /// The relocations, by address.
    relocations: Vec<Relocation>,
    relocate: Option<Relocate>,
    filling: Filling,
    /// The name of the section that is disassembled.
    section: String,
    /// The labels of other sections.
    others: BTreeMap<String, Arc<LabelMap>>,
    /// Names that a new label must not have.
    taken: Arc<BTreeSet<String>>,
    /// The number appended to a new name that is already taken.
    number: usize,
    style: Style,
    /// Additional names of directives.
    directives: &'static [(&'static str, &'static str)],
}

/// A line of a disassembled program.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ListedBytes<'l> {
    /// A label before a statement, or at the end.
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
        /// The text, including the `;` that ends it.
        text: &'l str,
        /// Whether the bytes are known to be data. It is false for bytes that are printed as data
        /// because they are not a valid instruction.
        is_data: bool,
        /// The relocations that `text` does not show.
        relocations: &'l [Relocation],
    },
}

/// An instruction or data.
struct PrintedBytes<'c> {
    address: u64,
    bytes: &'c [u8],
    instruction: Option<(&'static Opcode, u128)>,
    /// Whether it is known to be data.
    is_data: bool,
}

impl PrintedBytes<'_> {
    /// Returns the first address after the piece.
    const fn end(&self) -> u64 {
        self.address.wrapping_add(self.bytes.len() as u64)
    }
}

impl Disassembler {
    /// Creates a disassembler of programs that begin at address 0.
    #[must_use]
    pub fn new(set: &'static InstructionSet) -> Self {
        Disassembler {
            set,
            origin: 0,
            known: Arc::default(),
            data: Vec::new(),
            relocations: Vec::new(),
            relocate: None,
            filling: Filling::PLAIN,
            section: String::new(),
            others: BTreeMap::new(),
            taken: Arc::default(),
            number: 0,
            style: Style::new(),
            directives: &[],
        }
    }

    /// Sets additional names of directives in the program, as in
    /// [`Assembler::directives`](super::Assembler::directives). In such a program `.word` can have
    /// another size.
    #[must_use]
    pub fn directives(self, directives: &'static [(&'static str, &'static str)]) -> Self {
        Disassembler { directives, ..self }
    }

    /// Sets how numbers and targets of instructions are printed.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Disassembler { style, ..self }
    }

    /// Sets the address at which programs begin.
    #[must_use]
    pub fn origin(self, origin: u64) -> Self {
        Disassembler { origin, ..self }
    }

    /// Adds known labels. The text defines the labels of statements of the program. Labels outside the
    /// program are used in the text but not defined, so you must also pass them to the
    /// [`Assembler`](super::Assembler).
    #[must_use]
    pub fn labels(self, known: impl Into<Arc<LabelMap>>) -> Self {
        Disassembler { known: known.into(), ..self }
    }

    /// Declares address ranges that contain data and no instructions.
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

    /// Adds relocations. `kind_of` returns the relocation type for a reference, as in
    /// [`Assembler::relocations`](super::Assembler::relocations). The text contains the label of a
    /// relocation if the relocation has the type that `kind_of` returns for the reference at its
    /// address.
    #[must_use]
    pub fn relocations(
        self,
        mut relocations: Vec<Relocation>,
        kind_of: fn(Reference) -> Option<u32>,
    ) -> Self {
        relocations.sort_by_key(|relocation| relocation.address);
        Disassembler { relocations, relocate: Some(kind_of), ..self }
    }

    /// Sets the number that the linker adds for each reference, as in
    /// [`Assembler::addends`](super::Assembler::addends). The text does not contain this number.
    #[must_use]
    pub fn addends(mut self, addend_of: fn(Reference) -> i64) -> Self {
        self.filling.addend_of = addend_of;
        self
    }

    /// Sets the offset of each relocation from the start of its instruction in bytes, as in
    /// [`Assembler::places`](super::Assembler::places). The text does not contain relocations at other
    /// offsets.
    #[must_use]
    pub fn places(mut self, place_of: fn(Reference) -> u64) -> Self {
        self.filling.place_of = place_of;
        self
    }

    /// Sets the name of the section that is disassembled. A relocation with this name is printed as
    /// a label of the program.
    #[must_use]
    pub fn section(self, name: &str) -> Self {
        Disassembler { section: name.into(), ..self }
    }

    /// Adds the labels of other sections by section name. A relocation with such a name is printed
    /// as one of these labels. The addresses of each section begin at 0.
    #[must_use]
    pub fn others(self, sections: impl IntoIterator<Item = (String, Arc<LabelMap>)>) -> Self {
        Disassembler { others: sections.into_iter().collect(), ..self }
    }

    /// Sets names that new labels must not have, because they are used elsewhere in the text. A new
    /// label whose name is taken gets a `_`. If that name is taken too, it also gets `number`,
    /// which must be different for each section of the text.
    #[must_use]
    pub fn taken(self, names: Arc<BTreeSet<String>>, number: usize) -> Self {
        Disassembler { taken: names, number, ..self }
    }

    /// Returns the text of a program.
    #[must_use]
    pub fn disassemble(&self, code: &[u8]) -> String {
        let mut text = String::new();
        self.for_each(code, |listed| {
            let _ = match listed {
                ListedBytes::Label { name, .. } => writeln!(text, "{name}:"),
                ListedBytes::Statement { text: statement, .. } => writeln!(text, "    {statement}"),
            };
        });
        text
    }

    /// Calls `each` for every line of the program.
    ///
    /// ```
    /// use isa_core::asm::{Disassembler, ListedBytes};
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
    ///     if let ListedBytes::Statement { address, text, .. } = listed {
    ///         lines.push(format!("{address}: {text}"));
    ///     }
    /// });
    /// assert_eq!(lines, ["0: DEC R3;", "2: DEC R4;"]);
    /// ```
    pub fn for_each(&self, code: &[u8], mut each: impl FnMut(ListedBytes<'_>)) {
        let pieces = self.pieces(code);
        let inside = self.find_labels(&pieces, code.len() as u64);
        let labels = &NamedLabels { inside: &inside, disassembler: self, len: code.len() as u64 };
        let end = self.origin.wrapping_add(code.len() as u64);
        let mut relocations = self.relocations.as_slice();
        for piece in &pieces {
            let address = piece.address;
            inside.names(address).for_each(|name| each(ListedBytes::Label { address, name }));
            relocations = from_address(relocations, piece.address);
            let here = relocations.len() - from_address(relocations, piece.end()).len();
            let (mut open, mut line) = (relocations.get(..here).unwrap_or_default(), Line::new());
            if !self.write_linked(piece, open, labels, &mut line) {
                line.clear();
                self.write_piece(piece, labels, &mut line);
            } else {
                open = &[];
            }
            let PrintedBytes { address, bytes, is_data, .. } = *piece;
            let text = line.as_str();
            each(ListedBytes::Statement { address, bytes, text, is_data, relocations: open });
        }
        inside.names(end).for_each(|name| each(ListedBytes::Label { address: end, name }));
    }

    fn pieces<'c>(&self, code: &'c [u8]) -> Vec<PrintedBytes<'c>> {
        let (mut pieces, mut rest, mut address) = (Vec::new(), code, self.origin);
        let always = self.set.always_reads_back();
        while !rest.is_empty() {
            let has_any = !self.data.is_empty() || !self.relocations.is_empty();
            let data = if has_any { self.data_at(address, rest) } else { None };
            let (length, instruction) = match self.set.first(rest) {
                _ if data.is_some() => (data.unwrap_or_default(), None),
                Ok((index, word, length)) => {
                    let opcode = self.set.opcodes.get(index).copied();
                    // A word whose text would assemble to another word is printed as data.
                    let opcode = opcode.filter(|opcode| always || opcode.reads_back(word));
                    (length, opcode.map(|opcode| (opcode, word)))
                }
                Err(_) => (self.set.length_of_none(rest), None),
            };
            let (bytes, behind) = rest.split_at(length.clamp(1, rest.len()));
            pieces.push(PrintedBytes { address, bytes, instruction, is_data: data.is_some() });
            (rest, address) = (behind, address.wrapping_add(bytes.len() as u64));
        }
        pieces
    }

    /// Returns the distance of an address from the origin. Addresses may wrap around to 0.
    const fn distance_of(&self, address: u64) -> u64 {
        address.wrapping_sub(self.origin)
    }

    /// Returns the labels that the text defines.
    fn find_labels(&self, pieces: &[PrintedBytes<'_>], len: u64) -> LabelMap {
        let place = |address: u64| self.distance_of(address);
        let is_start = |address: u64| {
            let piece = pieces.binary_search_by_key(&place(address), |piece| place(piece.address));
            piece.is_ok() || place(address) == len
        };
        let mut inside = LabelMap::new();
        let end = self.origin.wrapping_add(len);
        let (first, rest) = match end < self.origin {
            true => ((self.origin, u64::MAX), Some((0, end))),
            false => ((self.origin, end), None),
        };
        for (first, last) in [Some(first), rest].into_iter().flatten() {
            let known = self.known.range(first, last);
            for (name, address) in known.filter(|(name, at)| is_label(name) && is_start(*at)) {
                inside.insert(name, address);
            }
        }
        let mut relocations = self.relocations.as_slice();
        for piece in pieces {
            let PrintedBytes { address, instruction, .. } = piece;
            relocations = from_address(relocations, *address);
            let is_open = relocations.first().is_some_and(|it| it.address < piece.end());
            let Some((opcode, word)) = *instruction else { continue };
            let mut new = |target| {
                if is_start(target) && inside.name(target).is_none() {
                    inside.insert(&self.new_name(target), target);
                }
            };
            if !is_open {
                opcode.targets(word, *address).for_each(new);
            } else if let Some(open) = relocations.first()
                && open.symbol.as_deref().is_some_and(|name| name == self.section)
                && let Some(distance) = self.distance(piece, open)
            {
                // The relocation specifies the target only relative to the section, so the target needs
                // a label.
                new(self.origin.wrapping_add_signed(distance));
            }
        }
        inside
    }

    fn new_name(&self, address: u64) -> String {
        let mut name = format!("L_{address:x}");
        let is_taken = |name: &str| self.known.address(name).is_some() || self.taken.contains(name);
        if is_taken(&name) {
            name.push('_');
            if is_taken(&name) {
                let _ = write!(name, "{}", self.number);
            }
            while is_taken(&name) {
                name.push('_');
            }
        }
        name
    }

    fn write_piece(&self, piece: &PrintedBytes<'_>, labels: &NamedLabels<'_>, line: &mut Line) {
        match (piece.instruction, piece.bytes) {
            (Some((opcode, word)), _) => {
                let site = InstructionContext::new(piece.address, labels).style(self.style);
                opcode.print_at(word, site, line);
            }
            (None, bytes) => self.set.print_bytes_in(self.directives, bytes, line),
        }
    }
}

/// The labels that the text may use: the labels that it defines, and the known labels outside the
/// program.
struct NamedLabels<'d> {
    inside: &'d LabelMap,
    disassembler: &'d Disassembler,
    /// The length of the program in bytes.
    len: u64,
}

impl NamedLabels<'_> {
    /// Returns whether a known label is outside the program. A label in the middle of an
    /// instruction cannot be printed.
    fn is_outside(&self, address: u64) -> bool {
        self.disassembler.distance_of(address) > self.len
    }
}

impl Labels for NamedLabels<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        let known = &self.disassembler.known;
        // A constant is not a label.
        let known = || known.address(name).filter(|_| known.section(name).is_some());
        self.inside.address(name).or_else(|| known().filter(|at| self.is_outside(*at)))
    }

    fn name(&self, address: u64) -> Option<&str> {
        if !self.is_outside(address) {
            return self.inside.name(address);
        }
        self.disassembler.known.names(address).find(|name| is_label(name))
    }

    fn has(&self, name: &str) -> bool {
        self.address(name).is_some()
    }
}

/// Returns the relocations from an address on.
fn from_address(relocations: &[Relocation], address: u64) -> &[Relocation] {
    let count = relocations.iter().take_while(|it| it.address < address).count();
    relocations.get(count..).unwrap_or_default()
}
