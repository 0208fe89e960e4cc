//! The functions of a cubin: their registers, memory and attributes.
//!
//! A *cubin* is an ELF file with machine code of NVIDIA GPUs. Each kernel, and in a file for a linker also each
//! function that kernels call, has its own sections. For a kernel `k`, they are:
//!
//! | section | content |
//! |---|---|
//! | `.text.k` | the instructions; `sh_info` of the header contains the index of the symbol and, in some files, the number of registers |
//! | `.nv.info.k` | the [attributes](Attribute) of the kernel, for example the layout of its parameters |
//! | `.nv.shared.k` | the size of its shared memory |
//! | `.nv.local.k` | the size of its local memory |
//! | `.nv.info` | attributes of all functions of the file, for example the numbers of registers |
//!
//! [`Cubin::read`] reads a file. [`check`] finds instructions that do not match the attributes of their
//! function, for example after a change of the machine code:
//!
//! ```
//! # mod files { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/cubin.rs")); }
//! # use files::{Kernel, cubin};
//! use isa_sass::Sass;
//! use isa_sass::info::{Cubin, check};
//!
//! # let words = ["FADD R1, R2, R3 ?stall=5;", "EXIT ?stall=5;"];
//! # let sm_90 = Sass::SET.feature_set("SM90").unwrap();
//! # let words = words.map(|text| Sass::parse_with(sm_90, text).unwrap().encode().unwrap());
//! # let exits = [4, 0x1c, 4, 0, 0x10, 0, 0, 0];
//! # let file = cubin(&[Kernel { name: "add", registers: 6, words: &words, info: &exits, shared: 0 }]);
//! let cubin = Cubin::read(&file)?;
//! let add = &cubin.functions[0];
//! assert_eq!((add.name.as_str(), add.is_kernel, add.registers()), ("add", true, Some(6)));
//! let exits = add.attribute("EXIT_INSTR_OFFSETS").unwrap();
//! assert_eq!(exits.instruction_offsets(), Some(vec![0x10]));
//!
//! let set = Sass::SET.with_features(Sass::SET.feature_set("SM90").unwrap());
//! assert_eq!(check(&set, add), []);
//! # Ok::<(), isa_sass::info::InfoError>(())
//! ```

mod attribute;
mod check;
#[cfg(feature = "cli")]
pub(crate) mod command;

use core::fmt::{self, Display, Formatter};
use std::collections::BTreeMap;

use object::LittleEndian;
use object::elf::{FileHeader64, SHT_SYMTAB};
use object::read;
use object::read::elf::{FileHeader, SectionHeader, Sym};

pub use attribute::{Attribute, AttributeValue, Parameter};
pub use check::{Finding, check};

use attribute::Layout;

/// A file with machine code of NVIDIA GPUs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Cubin<'d> {
    /// The functions, in the order of the file.
    pub functions: Vec<Function>,
    /// The attributes in the section `.nv.info`. Some belong to a function: see [`Cubin::value_text`].
    pub attributes: Vec<Attribute>,
    /// The names of the symbols, and whether they are symbols of kernels.
    symbols: Vec<(&'d [u8], bool)>,
}

/// A function of a [`Cubin`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The name.
    pub name: String,
    /// Whether the host can launch the function.
    pub is_kernel: bool,
    /// The instruction words, including those at the end that only fill the section.
    pub words: Vec<u128>,
    /// The number of registers in the header of the section `.text.NAME`, or 0 if it does not contain the
    /// number.
    pub header_registers: u32,
    /// The number of registers of the attribute `REGCOUNT`.
    pub attribute_registers: Option<u32>,
    /// The size of the shared memory in bytes, without the memory that a launch adds.
    pub shared: u64,
    /// The size of the local memory in bytes, if it has a section.
    pub local: u64,
    /// The size of the stack frame in bytes: the attribute `FRAME_SIZE`.
    pub frame: Option<u32>,
    /// The size of the stack in bytes that the function and its callees need at least: the attribute
    /// `MIN_STACK_SIZE`. It is `None` if the compiler does not know the size, for example because of a recursion.
    pub stack: Option<u32>,
    /// The attributes in the section `.nv.info.NAME`.
    pub attributes: Vec<Attribute>,
    /// The index of its symbol.
    symbol: u32,
}

impl Function {
    /// Returns the number of registers of each thread, if the file contains it.
    #[must_use]
    pub fn registers(&self) -> Option<u32> {
        self.attribute_registers.or(Some(self.header_registers).filter(|&count| count > 0))
    }

    /// Returns the first attribute in `.nv.info.NAME` with a name, which does not contain `EIATTR_`.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name() == Some(name))
    }
}

/// The reason why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InfoError(String);

impl InfoError {
    /// Creates an error at an offset of a section.
    fn new(section: &str, offset: usize, reason: &str) -> Self {
        InfoError(format!("section `{section}`, offset {offset:#x}: {reason}"))
    }
}

impl Display for InfoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for InfoError {}

impl From<read::Error> for InfoError {
    fn from(error: read::Error) -> Self {
        InfoError(format!("the ELF file is damaged or truncated: {error}"))
    }
}

/// The size of an instruction in bytes.
const BYTES: usize = 16;

/// The bit of `st_other` that marks the symbol of a kernel.
const ENTRY: u8 = 0x10;

impl<'d> Cubin<'d> {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file is not an ELF file with 64-bit addresses, or if its headers or its attributes are damaged.
    pub fn read(bytes: &'d [u8]) -> Result<Self, InfoError> {
        let header = FileHeader64::<LittleEndian>::parse(bytes)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let table = sections.symbols(endian, bytes, SHT_SYMTAB)?;
        let symbols = table.iter().map(|symbol| {
            let is_kernel = symbol.st_other().0 & ENTRY != 0;
            Ok((table.symbol_name(endian, symbol)?, is_kernel))
        });
        let symbols = symbols.collect::<Result<_, InfoError>>()?;
        let mut cubin = Cubin { functions: Vec::new(), attributes: Vec::new(), symbols };
        let mut indexes = BTreeMap::new();
        // Sections that overlap could be much longer than the file.
        let mut left = 2 * bytes.len();
        for section in sections.iter() {
            let name = String::from_utf8_lossy(sections.section_name(endian, section)?);
            let is_info = name == ".nv.info" || name.starts_with(".nv.info.");
            if !is_info && !name.starts_with(".text.") {
                continue;
            }
            let data = section.data(endian, bytes)?;
            left = left
                .checked_sub(name.len() + data.len())
                .ok_or_else(|| InfoError::new(&name, 0, "sections overlap"))?;
            if is_info {
                cubin.add_attributes(&mut indexes, &name, data)?;
            } else {
                cubin.add_code(&mut indexes, &name, section.sh_info(endian), data)?;
            }
        }
        for section in sections.iter() {
            let name = String::from_utf8_lossy(sections.section_name(endian, section)?);
            let index = |prefix| Some(*indexes.get(name.strip_prefix(prefix)?)?);
            if let Some(index) = index(".nv.shared.") {
                cubin.functions[index].shared = section.sh_size(endian);
            }
            if let Some(index) = index(".nv.local.") {
                cubin.functions[index].local = section.sh_size(endian);
            }
        }
        cubin.assign_attributes();
        Ok(cubin)
    }

    /// Adds the code of a function: the bytes of a section and the number `info` of its header.
    fn add_code(
        &mut self,
        indexes: &mut BTreeMap<String, usize>,
        section: &str,
        info: u32,
        bytes: &[u8],
    ) -> Result<(), InfoError> {
        let (words, rest) = bytes.as_chunks::<BYTES>();
        if !rest.is_empty() {
            let reason =
                format!("the instruction is truncated: expected 16 bytes, found {}", rest.len());
            return Err(InfoError::new(section, words.len() * BYTES, &reason));
        }
        let symbol = info & 0xff_ffff;
        let &(_, is_kernel) = self
            .symbols
            .get(symbol as usize)
            .ok_or_else(|| InfoError::new(section, 0, &self.missing_symbol(symbol)))?;
        let function = self.function(indexes, section.strip_prefix(".text.").unwrap_or(section));
        function.symbol = symbol;
        function.is_kernel = is_kernel;
        function.header_registers = info >> 24;
        function.words = words.iter().map(|&word| u128::from_le_bytes(word)).collect();
        Ok(())
    }

    /// Adds the attributes of a section.
    fn add_attributes(
        &mut self,
        indexes: &mut BTreeMap<String, usize>,
        section: &str,
        bytes: &[u8],
    ) -> Result<(), InfoError> {
        let attributes = self.parse(section, bytes)?;
        let list = match section.strip_prefix(".nv.info.") {
            Some(function) => &mut self.function(indexes, function).attributes,
            None => &mut self.attributes,
        };
        list.extend(attributes);
        Ok(())
    }

    /// Copies the attributes of the file that belong to a function.
    fn assign_attributes(&mut self) {
        let functions = self.functions.iter_mut();
        let mut functions: BTreeMap<_, _> =
            functions.map(|function| (function.symbol, function)).collect();
        for attribute in &self.attributes {
            let Some((symbol, number)) = attribute.of_function() else { continue };
            let Some(function) = functions.get_mut(&symbol) else { continue };
            match attribute.name() {
                Some("REGCOUNT") => function.attribute_registers = Some(number),
                Some("FRAME_SIZE") => function.frame = Some(number),
                Some("MIN_STACK_SIZE") => {
                    function.stack = Some(number).filter(|&size| size != u32::MAX);
                }
                _ => {}
            }
        }
    }

    /// Returns the function with a name, which is added if it is new.
    fn function(&mut self, indexes: &mut BTreeMap<String, usize>, name: &str) -> &mut Function {
        let index = *indexes.entry(name.to_owned()).or_insert(self.functions.len());
        if index == self.functions.len() {
            self.functions.push(Function { name: name.to_owned(), ..Function::default() });
        }
        &mut self.functions[index]
    }

    /// Parses the records of a section, and checks that their symbols exist.
    fn parse(&self, section: &str, bytes: &[u8]) -> Result<Vec<Attribute>, InfoError> {
        let records = attribute::parse(section, bytes)?;
        let missing = |number: &u32| *number as usize >= self.symbols.len();
        for (offset, attribute) in &records {
            let words = attribute.words();
            let found = match attribute.layout() {
                Layout::Function => words.first().filter(|number| missing(number)),
                Layout::Symbols => words.iter().find(|number| missing(number)),
                _ => None,
            };
            if let Some(&number) = found {
                let reason = format!("{attribute}: {}", self.missing_symbol(number));
                return Err(InfoError::new(section, *offset, &reason));
            }
        }
        Ok(records.into_iter().map(|(_, attribute)| attribute).collect())
    }

    /// Returns the message for the index of a symbol that does not exist.
    fn missing_symbol(&self, number: u32) -> String {
        format!("symbol {number} does not exist: the file has {} symbols", self.symbols.len())
    }

    /// Returns the text of the value of an attribute: numbers, and the names of symbols. The text is empty if the
    /// attribute has no value. Names that are longer than 256 bytes are shortened.
    ///
    /// If the layout of the value is not known, the text contains its bytes.
    #[must_use]
    pub fn value_text(&self, attribute: &Attribute) -> String {
        let bytes = match &attribute.value {
            AttributeValue::None => return String::new(),
            AttributeValue::Byte(value) => return format!("{value:#x}"),
            AttributeValue::Half(value) => return format!("{value:#x}"),
            AttributeValue::Bytes(bytes) => bytes,
        };
        let symbol = |number: &u32| {
            let (name, _) = self.symbols.get(*number as usize).copied().unwrap_or_default();
            String::from_utf8_lossy(name.get(..256).unwrap_or(name)).into_owned()
        };
        let words = attribute.words();
        let parts: Vec<String> = match attribute.layout() {
            Layout::Symbols => words.iter().map(symbol).collect(),
            Layout::Function => {
                let numbers = words.iter().skip(1).map(|number| format!("{number:#x}"));
                words.first().map(symbol).into_iter().chain(numbers).collect()
            }
            Layout::Parameter => attribute.parameter().iter().map(Parameter::to_string).collect(),
            Layout::Offsets | Layout::Words if bytes.len().is_multiple_of(4) => {
                words.iter().map(|number| format!("{number:#x}")).collect()
            }
            _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        parts.join(" ")
    }
}
