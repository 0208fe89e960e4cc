//! Programs: text with labels to bytes.
//!
//! Each statement is read once with its own address for every label, which gives its length, and those
//! that have labels once more. A label whose statement was not understood, and a distance over one, are
//! not reported. This needs `alloc`, a feature that is on by default, and is a loop over tables too.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::directive::{self, Dialect};
use super::relocation::{Filling, Relocate};
use super::{LabelMap, Reference, Relocation, Section, SymbolType, lines};
use crate::error::AssembleErrors;
use crate::table::InstructionSet;

mod work;

use work::Work;
pub(super) use work::label;
pub use work::{Draft, Statement};

/// An assembler of programs for a set.
///
/// A program has statements, labels such as `loop:` in front of them, and data: `.byte`, `.2byte`,
/// `.4byte` and `.8byte` with numbers or labels and commas between, and `.word` for one word of the
/// set's widest. Of all that has several bytes the lowest comes first, unless the set has another
/// [order](InstructionSet::byte_order). `.zero` with a number is so many bytes that are 0, `.balign`,
/// `.p2align` and `.org` are as many as there are up to a multiple, to a multiple of a power of two, and to an
/// address. `.globl` names labels that other objects may use.
/// `.equ SIZE, 64;`, or `.set`, gives a number a name, which stands for it wherever a number may; the value
/// may also be an address, `table + 8`, or a distance, `end - start`.
/// `.text`, `.data` and `.section NAME` say in which [`Section`] the statements behind them stand, and where
/// no label has the name of a section, it is one of its start. `.type f, %function` says what a label is for a
/// linker.
///
/// ```
/// use isa_core::asm::Assembler;
/// # isa_core::define_isa! {
/// #     /// Two instructions.
/// #     pub isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     enum Op: 8 { DEC = 1, BNZ = 2 }
/// #     opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// #     opcode BNZ {
/// #         encoding { field<8, 8> Op op == BNZ; field<0, 8> Target to; } syntax { BNZ to; }
/// #     }
/// # }
///
/// let assembler = Assembler::new(Tiny::SET).origin(0x1000);
/// let program = assembler.assemble(
///     "loop:  DEC R3;
///             BNZ loop;   // again
///             BNZ lop;",
/// );
/// assert_eq!(
///     program.unwrap_err().to_string(),
///     "3:17: unknown label `lop`; did you mean `loop`?",
/// );
///
/// let program = assembler.assemble("loop: DEC R3; BNZ loop;")?;
/// assert_eq!(program.bytes, [0x03, 0x01, 0xff, 0x02]);
/// assert_eq!(program.statements[1].address, 0x1002);
/// # Ok::<(), isa_core::error::AssembleErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Assembler {
    set: &'static InstructionSet,
    /// The address of the first byte, if it is given.
    origin: Option<u64>,
    outside: LabelMap,
    /// Where statements end with their lines, what begins a comment besides.
    lines: Option<&'static str>,
    /// For objects, what a linker can fill in.
    object: Option<Object>,
    filling: Filling,
    dialect: Dialect,
}

/// What a linker fills in, and the sections that it puts apart.
type Linked = (Vec<Relocation>, Vec<Section>);

/// How a program becomes an object. Only [`Assembler::relocations`] names the function, so that a module
/// for a browser, which has no objects, has none of its code.
#[derive(Debug, Clone, Copy)]
struct Object {
    kind_of: Relocate,
    relocate: fn(&mut Work<'_>, Relocate, u64, &mut LabelMap) -> Linked,
}

/// A program as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// The address of the first byte; in objects that of each section.
    pub origin: u64,
    /// What the address of the first byte is to be a multiple of, if another is chosen, for the program's
    /// alignments to hold: the largest of `.balign` and `.p2align`, a power of two, 1 without them.
    pub align: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The labels, those from outside included.
    pub labels: LabelMap,
    /// What has become of each statement, section by section, those of a section in the order of the text.
    pub statements: Vec<Placed>,
    /// The labels that other objects may name: those of `.globl`, each once, in their order.
    pub globals: Vec<String>,
    /// What labels are for a linker, as the lines of `.type` say, in their order.
    pub types: Vec<(String, SymbolType)>,
    /// What a linker fills in, section by section, in a section by address; empty without
    /// [`Assembler::relocations`].
    pub relocations: Vec<Relocation>,
    /// The sections of an object, `.text` first, in which programs begin, and the others in the order in
    /// which they are named first; empty without [`Assembler::relocations`].
    pub sections: Vec<Section>,
}

/// A statement of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The address of the statement's first byte.
    pub address: u64,
    /// How many bytes the statement has.
    pub length: usize,
    /// The text of the statement, with what ends it.
    pub span: Range<usize>,
    /// The opcode, an index into [`InstructionSet::opcodes`], and the word; `None` for data.
    pub instruction: Option<(usize, u128)>,
}

impl Assembler {
    /// An assembler of programs that begin at the address of a `.org` in front of all bytes, and at address 0
    /// without one.
    #[must_use]
    pub const fn new(set: &'static InstructionSet) -> Self {
        Assembler {
            set,
            origin: None,
            outside: LabelMap::new(),
            lines: None,
            object: None,
            filling: Filling::PLAIN,
            dialect: Dialect::NONE,
        }
    }

    /// With the address that programs begin at.
    ///
    /// Without it a program begins at the address of its first `.org`, if no statement in front of that has
    /// bytes. Otherwise `.org` fills the room up to its address.
    ///
    /// ```
    /// use isa_core::asm::Assembler;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
    /// # }
    ///
    /// let text = ".org 0x200; DEC R2;";
    /// let program = Assembler::new(Tiny::SET).assemble(text)?;
    /// assert_eq!((program.origin, program.bytes), (0x200, vec![2, 1]));
    /// let program = Assembler::new(Tiny::SET).origin(0x1fe).assemble(text)?;
    /// assert_eq!((program.origin, program.bytes), (0x1fe, vec![0, 0, 2, 1]));
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub fn origin(self, origin: u64) -> Self {
        Assembler { origin: Some(origin), ..self }
    }

    /// The address that a program begins at if it does not say another.
    fn start(&self) -> u64 {
        self.origin.unwrap_or_default()
    }

    /// With labels that programs may name and do not have themselves.
    #[must_use]
    pub fn labels(self, outside: LabelMap) -> Self {
        Assembler { outside, ..self }
    }

    /// For programs in which a statement ends with its line, or with `;`, and `comment` begins a
    /// comment, as `//` does; empty for no other sign.
    ///
    /// ```
    /// use isa_core::asm::Assembler;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
    /// # }
    ///
    /// let program = Assembler::new(Tiny::SET).lines("#").assemble(
    ///     "DEC R1    # one; two
    ///      DEC R2; DEC R3",
    /// )?;
    /// assert_eq!(program.bytes, [1, 1, 2, 1, 3, 1]);
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn lines(mut self, comment: &'static str) -> Self {
        self.lines = Some(comment);
        self
    }

    /// With names of directives besides [`DIRECTIVES`](super::DIRECTIVES), each with the one that it stands
    /// for, or with the empty text where it says what only other programs read. A name that ends in `*` is all
    /// names that begin so. These go before what the name means else.
    ///
    /// A name begins with a dot: a statement that begins without one, such as `defb 1`, is an instruction.
    ///
    /// ```
    /// use isa_core::asm::Assembler;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
    /// # }
    ///
    /// // `.align` counts bytes on some machines, and powers of two on others.
    /// let assembler = Assembler::new(Tiny::SET).directives(&[(".align", ".p2align"), (".option", "")]);
    /// let program = assembler.assemble(".option fast; DEC R1; .align 2; DEC R2;")?;
    /// assert_eq!(program.bytes, [1, 1, 0, 0, 2, 1]);
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions: a name does not begin with a dot, has other signs than those of
    /// labels, or is a directive that disassemblers write, such as `.byte`. In a constant that is an error of the compiler.
    #[must_use]
    pub const fn directives(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        debug_assert!(
            directive::are_names(names),
            "the name of a directive is a dot with letters, digits, `_`, `.` or `$` behind it"
        );
        debug_assert!(
            directive::are_free(names),
            "a directive that disassemblers write, such as `.byte`, means the same in all programs"
        );
        self.dialect.names = names;
        self
    }

    /// With the bytes of instructions that do nothing, the longest first, of which `.balign` and `.p2align` make
    /// room between instructions, so that a processor may run through it. Without this, and in sections
    /// without instructions, the room is bytes that are 0.
    ///
    /// ```
    /// use isa_core::asm::Assembler;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode DEC { encoding { field<8, 8> Bits op == 1; field<0, 8> Reg rd; } syntax { DEC Rd; } }
    /// # }
    ///
    /// let assembler = Assembler::new(Tiny::SET).padding(&[&[9, 1]]);
    /// let program = assembler.assemble("DEC R1; .balign 4; DEC R2; .byte 1; .balign 4;")?;
    /// assert_eq!(program.bytes, [1, 1, 9, 1, 2, 1, 1, 0]);
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn padding(mut self, padding: &'static [&'static [u8]]) -> Self {
        self.dialect.padding = padding;
        self
    }

    /// For objects, which a linker gives their addresses: labels that the program does not have, and
    /// addresses that are known only then, become [`Program::relocations`], and the linker's bits are
    /// 0. `kind_of` says by which relocation of the object format; `None` where the format has none,
    /// so that it is an error. Where no instruction has 0 in these bits, they are those of a target that
    /// is the instruction itself.
    ///
    /// Distances within a section are filled in: a linker puts the sections of an object apart, so that
    /// the addresses in each begin at the origin. The addend of an instruction's relocation is that of
    /// [`Assembler::addends`], and what stands behind the label, `%lo(table + 8)`.
    ///
    /// ```
    /// use isa_core::asm::{Assembler, Reference};
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u16;
    /// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode CALL { encoding { field<8, 8> Bits op == 1; field<0, 8> Target to; } syntax { CALL to; } }
    /// # }
    ///
    /// let assembler = Assembler::new(Tiny::SET).relocations(|reference| match reference {
    ///     Reference::Operand { kind: "Target", .. } => Some(7),
    ///     Reference::Data { bytes: 8, .. } => Some(1),
    ///     _ => None,
    /// });
    /// let program = assembler.assemble(".globl main; main: CALL puts; CALL main; .8byte main + 4;")?;
    /// assert_eq!(program.bytes[..4], [0x00, 0x01, 0xff, 0x01]);
    /// assert_eq!(program.globals, ["main"]);
    /// let filled = program.relocations.iter().map(|it| (it.address, it.symbol.as_deref(), it.addend));
    /// assert_eq!(filled.collect::<Vec<_>>(), [(0, Some("puts"), 0), (4, Some("main"), 4)]);
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn relocations(mut self, kind_of: fn(Reference) -> Option<u32>) -> Self {
        self.object = Some(Object {
            kind_of,
            relocate: |work, kind_of, origin, labels| work.relocate(kind_of, origin, labels),
        });
        self
    }

    /// With what the linker adds to the address of the label, for each reference. Without this it is 0.
    ///
    /// Most relocations of branches count from the instruction's own address: the linker writes
    /// `S + A - P`, the label's address and the addend less the instruction's. An operand that counts from
    /// elsewhere takes the difference as addend: `-4` where it counts from four bytes behind the
    /// instruction's start, as in MIPS or Thumb. Where the relocation stands within the instruction
    /// ([`Assembler::places`]), the difference is that from the place of the relocation.
    ///
    /// ```
    /// use isa_core::asm::{Assembler, Reference};
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Target: 8 = isa_core::operand::Relative<8, 1, 2>;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode CALL { encoding { field<8, 8> Bits op == 1; field<0, 8> Target to; } syntax { CALL to; } }
    /// # }
    ///
    /// // `Relative<8, 1, 2>` counts from two bytes behind the start of the instruction.
    /// let assembler = Assembler::new(Tiny::SET).relocations(|_| Some(7)).addends(|reference| {
    ///     if matches!(reference, Reference::Operand { .. }) { -2 } else { 0 }
    /// });
    /// let program = assembler.assemble("CALL puts;")?;
    /// assert_eq!((program.relocations[0].addend, program.bytes[0]), (-2, 0));
    /// let program = assembler.addends_in_place().assemble("CALL puts;")?;
    /// assert_eq!((program.relocations[0].addend, program.bytes[0]), (-2, 0xff), "half of -2");
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn addends(mut self, addend_of: fn(Reference) -> i64) -> Self {
        self.filling.addend_of = addend_of;
        self
    }

    /// With how many bytes behind the start of its instruction the relocation of each reference stands, in
    /// which only those in instructions are asked for: 2 where the format has it at the field of the
    /// operand, as S/390 and x86 do. Without this it is 0. A place that is not in the instruction counts as
    /// no relocation.
    ///
    /// A linker that takes the place of the relocation away, `S + A - P`, begins there. What counts from
    /// the start of the instruction then takes as many bytes as addend ([`Assembler::addends`]).
    ///
    /// ```
    /// use isa_core::asm::{Assembler, Reference};
    /// # isa_core::define_isa! {
    /// #     /// One instruction of three bytes.
    /// #     isa Tiny: u24;
    /// #     bytes big_endian;
    /// #     operand Target: 16 = isa_core::operand::Relative<16>;
    /// #     operand Bits: 8 = isa_core::operand::Unsigned<8>;
    /// #     opcode CALL { encoding { field<16, 8> Bits op == 1; field<0, 16> Target to; } syntax { CALL to; } }
    /// # }
    ///
    /// // The opcode is the first byte, and the distance to the start of the instruction the other two.
    /// let assembler = Assembler::new(Tiny::SET).relocations(|_| Some(7)).places(|_| 1).addends(
    ///     |reference| if matches!(reference, Reference::Operand { .. }) { 1 } else { 0 },
    /// );
    /// let program = assembler.assemble("CALL puts; CALL puts;")?;
    /// let places = program.relocations.iter().map(|it| (it.address, it.addend));
    /// assert_eq!(places.collect::<Vec<_>>(), [(1, 1), (4, 1)]);
    /// # Ok::<(), isa_core::error::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn places(mut self, place_of: fn(Reference) -> u64) -> Self {
        self.filling.place_of = place_of;
        self
    }

    /// With addends in the program, in the place that the linker fills in: of data in the bytes, of an
    /// instruction in the bits of its target. Where that is relative, they are those of a target that is
    /// the place of the relocation ([`Assembler::places`]), and elsewhere those of a target whose address is
    /// the addend.
    #[must_use]
    pub const fn addends_in_place(mut self) -> Self {
        self.filling.is_in_place = true;
        self
    }

    /// Assembles a program.
    ///
    /// # Errors
    ///
    /// All mistakes of the text, but for those that may only follow from others.
    pub fn assemble(&self, text: &str) -> Result<Program, AssembleErrors> {
        match self.lines {
            Some(comment) => self.assemble_statements(text, &lines::with_ends(text, comment)),
            None => self.assemble_statements(text, text),
        }
    }

    /// Assembles `statements`, which are `written` with other ends.
    fn assemble_statements(
        &self,
        written: &str,
        statements: &str,
    ) -> Result<Program, AssembleErrors> {
        let mut work = Work::new(self, statements);
        work.scan(self);
        let mut labels = self.outside.clone();
        if self.object.is_some() {
            labels = labels.linked();
        }
        let is_settled = work.settle(&mut labels);
        let linked = self.object.map(|Object { kind_of, relocate }| {
            relocate(&mut work, kind_of, self.start(), &mut labels)
        });
        work.collect_errors(is_settled);
        if !work.errors.is_empty() {
            return Err(AssembleErrors::new(written, work.errors, &labels));
        }
        let (globals, types, align) = (work.globals(), work.types(), work.align(&labels));
        let origin = work.origin;
        let (relocations, sections) = linked.unwrap_or_default();
        let (bytes, mut statements) = work.finish(&labels, &sections);
        for statement in &mut statements {
            // The end of the text may be that of the statement.
            statement.span.end = statement.span.end.min(written.len());
        }
        Ok(Program {
            origin,
            align,
            bytes,
            labels,
            statements,
            globals,
            types,
            relocations,
            sections,
        })
    }
}
