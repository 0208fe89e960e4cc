//! The assembler of programs with labels: assembly text to bytes.
//!
//! Each statement is first parsed with its own address as the address of every label, which gives its
//! length. Statements that contain labels are then parsed again. An error that may only be a
//! consequence of another error is not reported. Such errors are an unknown label whose definition is
//! in a statement that could not be parsed, and a wrong distance if such a statement is in the program.
//! The assembler needs the feature `alloc`, which is on by default. Like the rest of the crate, it is a
//! loop over tables.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::dialect::Dialect;
use super::relocation::{Filling, Relocate};
use super::{LabelMap, Reference, Relocation, Section, SymbolType, dialect, line_mode};
use crate::asm::error::AssembleErrors;
use crate::table::InstructionSet;

mod session;

use session::AssemblySession;
pub use session::{Draft, Statement};

/// An assembler of programs for a set.
///
/// A program consists of statements, labels such as `loop:`, and directives:
///
/// - `.byte`, `.2byte`, `.4byte` and `.8byte` emit numbers or labels, separated by commas. `.word`
///   emits a number as wide as the widest word of the set. The lowest byte comes first, unless the set
///   declares another [byte order](InstructionSet::byte_order).
/// - `.zero` emits the given number of bytes that are 0. `.balign` emits bytes until the address is a
///   multiple of the given number, and `.p2align` until it is a multiple of two to the given power.
///   `.org` emits bytes up to the given address.
/// - `.globl` declares labels that other objects may use.
/// - `.equ SIZE, 64;`, or `.set`, defines a constant, which can be used wherever a number is
///   allowed. Its value may also be an address, `table + 8`, or a distance, `end - start`.
/// - `.text`, `.data` and `.section NAME` select the [`Section`] of the statements that follow. The
///   name of a section also refers to its start, unless a label has the same name.
/// - `.type f, %function` declares the type of a label for a linker.
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
/// # Ok::<(), isa_core::asm::AssembleErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Assembler {
    set: &'static InstructionSet,
    /// The address of the first byte, if it is given.
    origin: Option<u64>,
    outside: LabelMap,
    /// If statements end with their lines: the sign that begins a comment in addition to `//`.
    lines: Option<&'static str>,
    /// The settings for relocations, if the program becomes an object.
    object: Option<ObjectFormat>,
    filling: Filling,
    dialect: Dialect,
}

/// The relocations and sections of an object.
type Linked = (Vec<Relocation>, Vec<Section>);

/// The settings for a program that becomes an object. Only [`Assembler::relocations`] refers to the
/// function in it, because a module for a browser creates no objects and should not contain the code of
/// the function.
#[derive(Debug, Clone, Copy)]
struct ObjectFormat {
    kind_of: Relocate,
    relocate: fn(&mut AssemblySession<'_>, Relocate, u64, &mut LabelMap) -> Linked,
}

/// A program as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// The address of the first byte. In an object it is the address of the first byte of each
    /// section.
    pub origin: u64,
    /// The alignment of the program. If you place the program at another address, that address must be
    /// a multiple of this number; otherwise the alignments in the program are wrong. It is the largest
    /// alignment of all `.balign` and `.p2align` directives, which is a power of two, or 1 if there are
    /// none.
    pub align: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The labels, including those from outside.
    pub labels: LabelMap,
    /// The statements, section by section, and in each section in the order of the text.
    pub statements: Vec<Placed>,
    /// The labels that other objects may refer to: the labels of `.globl` in their order, without
    /// duplicates.
    pub globals: Vec<String>,
    /// The types of labels for a linker, from the lines of `.type` in their order.
    pub types: Vec<(String, SymbolType)>,
    /// The relocations, section by section, and in each section by address. Empty without
    /// [`Assembler::relocations`].
    pub relocations: Vec<Relocation>,
    /// The sections of an object. The first section is `.text`, in which programs begin. The other
    /// sections are in the order in which the program first names them. Empty without
    /// [`Assembler::relocations`].
    pub sections: Vec<Section>,
}

/// A statement of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The address of the statement's first byte.
    pub address: u64,
    /// The length of the statement in bytes.
    pub length: usize,
    /// The position of the statement in the text, including the `;` or the line end that ends it.
    pub span: Range<usize>,
    /// The opcode, as an index into [`InstructionSet::opcodes`], and the word; `None` for data.
    pub instruction: Option<(usize, u128)>,
}

impl Assembler {
    /// Creates an assembler. A program begins at the address of its first `.org` if no bytes precede
    /// this directive, and otherwise at address 0.
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

    /// Sets the address at which programs begin.
    ///
    /// Without this call, a program begins at the address of its first `.org` if no bytes precede this
    /// directive. With this call, the first `.org` emits bytes up to its address, like any other
    /// `.org`.
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub fn origin(self, origin: u64) -> Self {
        Assembler { origin: Some(origin), ..self }
    }

    /// Returns the address at which a program begins if it does not specify another address.
    fn start(&self) -> u64 {
        self.origin.unwrap_or_default()
    }

    /// Adds labels that programs may use without defining them.
    #[must_use]
    pub fn labels(self, outside: LabelMap) -> Self {
        Assembler { outside, ..self }
    }

    /// Ends each statement at the end of its line, or at a `;`. `comment` is a sign that begins a
    /// comment in addition to `//`; it is empty if there is none.
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn lines(mut self, comment: &'static str) -> Self {
        self.lines = Some(comment);
        self
    }

    /// Adds names of directives to [`DIRECTIVES`](super::DIRECTIVES). Each name is paired with the
    /// directive that has the same effect, or with the empty string if the assembler must ignore the
    /// name. A name that ends in `*` matches all names with that prefix. These names take precedence
    /// over the built-in names.
    ///
    /// A name begins with a dot, because a statement that begins without one, such as `defb 1`, is
    /// an instruction.
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, this function panics if a name does not begin with a dot, or
    /// contains characters that are not allowed in labels. It also panics if a name is a directive that
    /// disassemblers print, such as `.byte`, unless the name is paired with itself. If the assembler is
    /// a constant, the panic is a compile-time error.
    #[must_use]
    pub const fn directives(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        debug_assert!(
            dialect::are_names(names),
            "a directive name must be a dot followed by letters, digits, `_`, `.` or `$`"
        );
        debug_assert!(
            dialect::are_free(names),
            "a directive that disassemblers print, such as `.byte`, cannot be redefined"
        );
        self.dialect.names = names;
        self
    }

    /// Sets the bytes of instructions that do nothing, the longest first. `.balign` and `.p2align`
    /// emit them between instructions, because a processor may execute this padding. Without this
    /// call, and in sections without instructions, the padding is bytes that are 0.
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn padding(mut self, padding: &'static [&'static [u8]]) -> Self {
        self.dialect.padding = padding;
        self
    }

    /// Assembles to objects, whose addresses a linker assigns. References to labels that the program
    /// does not define, and to addresses that only the linker knows, become [`Program::relocations`].
    /// `kind_of` returns the relocation type in the object format; `None` if the format has no such
    /// type, which is an error. The bits that the linker fills in are 0. If the instruction is invalid
    /// with 0 in these bits, they contain the instruction's own address as the target.
    ///
    /// Distances within a section need no relocation. A linker places each section of an object
    /// separately, so the addresses in each section begin at the origin. The addend of an
    /// instruction's relocation is the result of [`Assembler::addends`] plus the number after the
    /// label, for example 8 in `%lo(table + 8)`.
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn relocations(mut self, kind_of: fn(Reference) -> Option<u32>) -> Self {
        self.object = Some(ObjectFormat {
            kind_of,
            relocate: |work, kind_of, origin, labels| work.relocate(kind_of, origin, labels),
        });
        self
    }

    /// Sets the number that the linker adds to the address of the label, for each reference.
    /// Without this call it is 0.
    ///
    /// Most relocations of branches are relative to the address of the instruction: the linker
    /// computes `S + A - P`, the address of the label plus the addend minus the address of the
    /// instruction. If an operand is relative to another address, the addend is the difference:
    /// `-4` if it is relative to the address four bytes after the start of the instruction, as in
    /// MIPS or Thumb. If the relocation is at an offset in the instruction ([`Assembler::places`]),
    /// the difference is relative to the address of the relocation.
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
    /// // `Relative<8, 1, 2>` is relative to the address two bytes after the start of the instruction.
    /// let assembler = Assembler::new(Tiny::SET).relocations(|_| Some(7)).addends(|reference| {
    ///     if matches!(reference, Reference::Operand { .. }) { -2 } else { 0 }
    /// });
    /// let program = assembler.assemble("CALL puts;")?;
    /// assert_eq!((program.relocations[0].addend, program.bytes[0]), (-2, 0));
    /// let program = assembler.addends_in_place().assemble("CALL puts;")?;
    /// assert_eq!((program.relocations[0].addend, program.bytes[0]), (-2, 0xff), "half of -2");
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn addends(mut self, addend_of: fn(Reference) -> i64) -> Self {
        self.filling.addend_of = addend_of;
        self
    }

    /// Sets the offset of the relocation from the start of its instruction in bytes, for each
    /// reference. It is called only for references in instructions. An offset is needed if the object
    /// format has the relocation at the field of the operand; on S/390 and x86 it is 2, for example.
    /// Without this call it is 0. If the offset is outside the instruction, the assembler reports that
    /// there is no relocation for the reference.
    ///
    /// If the linker computes `S + A - P`, then `P` is the address at this offset. For an operand that
    /// is relative to the start of the instruction, set the addend to the same number of bytes
    /// ([`Assembler::addends`]).
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
    /// # Ok::<(), isa_core::asm::AssembleErrors>(())
    /// ```
    #[must_use]
    pub const fn places(mut self, place_of: fn(Reference) -> u64) -> Self {
        self.filling.place_of = place_of;
        self
    }

    /// Stores addends in the program, in the bits that the linker fills in. For data, these are the
    /// bytes of the value. For an instruction, these are the bits of its target, which are encoded as
    /// follows. If the target is relative, the addend is encoded like a distance from the address of
    /// the relocation ([`Assembler::places`]). Otherwise it is encoded like the address of a target.
    #[must_use]
    pub const fn addends_in_place(mut self) -> Self {
        self.filling.is_in_place = true;
        self
    }

    /// Assembles a program.
    ///
    /// # Errors
    ///
    /// Returns all errors of the text, except for errors that may only be consequences of other errors.
    pub fn assemble(&self, text: &str) -> Result<Program, AssembleErrors> {
        match self.lines {
            Some(comment) => {
                self.assemble_statements(text, &line_mode::terminate_lines(text, comment))
            }
            None => self.assemble_statements(text, text),
        }
    }

    /// Assembles `statements`, which is the text `written` with a `;` at the end of each statement.
    fn assemble_statements(
        &self,
        written: &str,
        statements: &str,
    ) -> Result<Program, AssembleErrors> {
        let mut work = AssemblySession::new(self, statements);
        work.scan(self);
        let mut labels = self.outside.clone();
        if self.object.is_some() {
            labels = labels.linked();
        }
        let is_settled = work.settle(&mut labels);
        let linked = self.object.map(|ObjectFormat { kind_of, relocate }| {
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
            // The `;` of the last statement may have been added after the end of the text.
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
