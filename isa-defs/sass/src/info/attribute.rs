//! The records of the sections `.nv.info` and `.nv.info.NAME`.

use core::fmt::{self, Display, Formatter};

use super::InfoError;

/// An attribute of a function or of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// The number, for example 0x2f for `EIATTR_REGCOUNT`.
    pub number: u8,
    /// The value.
    pub value: AttributeValue,
}

/// The value of an [`Attribute`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    /// No value: the presence of the attribute is its meaning (`EIFMT_NVAL`).
    None,
    /// 8 bits (`EIFMT_BVAL`).
    Byte(u8),
    /// 16 bits (`EIFMT_HVAL`).
    Half(u16),
    /// A list of bytes (`EIFMT_SVAL`).
    Bytes(Vec<u8>),
}

/// A parameter of a kernel: the value of the attribute `KPARAM_INFO`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The index of the list of parameters, which is 0.
    pub index: u32,
    /// The index of the parameter.
    pub ordinal: u16,
    /// The offset from the first parameter, in bytes.
    pub offset: u16,
    /// The size in bytes.
    pub size: u32,
    /// The binary logarithm of the alignment of the object that a pointer points to.
    pub log_alignment: u8,
    /// The address space that a pointer points to.
    pub space: u8,
    /// The bank of constant memory.
    pub bank: u8,
    /// Whether the parameter is in shared memory instead of constant memory.
    pub is_shared: bool,
}

/// The layout of the bytes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// The index of the symbol of a function, and a number.
    Function,
    /// Indexes of symbols.
    Symbols,
    /// Offsets of instructions.
    Offsets,
    /// A [`Parameter`].
    Parameter,
    /// Numbers of 32 bits.
    Words,
    /// Unknown.
    Bytes,
}

impl Attribute {
    /// Returns the name without `EIATTR_`, or `None` if the name is not known.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        NAMES.get(usize::from(self.number)).copied().filter(|name| !name.is_empty())
    }

    /// Returns the numbers of 32 bits that the bytes of the value contain. Other values have none.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        let AttributeValue::Bytes(bytes) = &self.value else { return Vec::new() };
        bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
    }

    /// Returns the offsets of instructions in the code of the function, or `None` if the attribute is not a list
    /// of offsets.
    #[must_use]
    pub fn instruction_offsets(&self) -> Option<Vec<u32>> {
        (self.layout() == Layout::Offsets).then(|| self.words())
    }

    /// Returns the parameter that the attribute `KPARAM_INFO` describes, or `None` for other attributes.
    #[must_use]
    pub fn parameter(&self) -> Option<Parameter> {
        let words = self.words();
        let &[index, position, bits] = &words[..] else { return None };
        (self.layout() == Layout::Parameter).then_some(Parameter {
            index,
            ordinal: position as u16,
            offset: (position >> 16) as u16,
            size: bits >> 18,
            log_alignment: bits as u8,
            space: (bits >> 8 & 0xf) as u8,
            bank: (bits >> 12 & 0x1f) as u8,
            is_shared: bits >> 17 & 1 == 1,
        })
    }

    /// Returns the index of the symbol and the number that the value consists of.
    pub(super) fn of_function(&self) -> Option<(u32, u32)> {
        match self.words()[..] {
            [symbol, number] if self.layout() == Layout::Function => Some((symbol, number)),
            _ => None,
        }
    }

    /// Returns the layout of the value.
    pub(super) fn layout(&self) -> Layout {
        match (self.name(), &self.value) {
            (_, AttributeValue::None | AttributeValue::Byte(_) | AttributeValue::Half(_))
            | (None, _) => Layout::Bytes,
            (Some(name), AttributeValue::Bytes(_)) => match name {
                "FRAME_SIZE"
                | "MIN_STACK_SIZE"
                | "MAX_STACK_SIZE"
                | "REGCOUNT"
                | "SAM_REGION_STACK_SIZE"
                | "LOAD_CACHE_REQUEST" => Layout::Function,
                "EXTERNS" => Layout::Symbols,
                "KPARAM_INFO" => Layout::Parameter,
                // The offsets are followed by other numbers.
                "INSTR_OFFSETS" | "MBARRIER_INSTR_OFFSETS" => Layout::Words,
                "SYSCALL_OFFSETS"
                | "STACK_CANARY_TRAP_OFFSETS"
                | "LOCAL_CTA_ASYNC_STORE_OFFSETS" => Layout::Offsets,
                _ if name.ends_with("_INSTR_OFFSETS") => Layout::Offsets,
                _ => Layout::Words,
            },
        }
    }
}

/// Parses the records of a section, and returns each with its offset. Each record begins with its format and its number:
///
/// | format | next 2 bytes |
/// |---|---|
/// | 1, `EIFMT_NVAL` | unused |
/// | 2, `EIFMT_BVAL` | the value, and an unused byte |
/// | 3, `EIFMT_HVAL` | the value |
/// | 4, `EIFMT_SVAL` | the size of the value, which follows |
pub(super) fn parse(section: &str, bytes: &[u8]) -> Result<Vec<(usize, Attribute)>, InfoError> {
    let (mut attributes, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let offset = bytes.len() - rest.len();
        let error = |reason: &str| InfoError::new(section, offset, reason);
        let truncated = |expected: usize| {
            let found = rest.len();
            error(&format!("the record is truncated: expected {expected} bytes, found {found}"))
        };
        let (&[format, number, low, high], after) =
            rest.split_first_chunk().ok_or_else(|| truncated(4))?;
        rest = after;
        let half = u16::from_le_bytes([low, high]);
        let value = match format {
            1 => AttributeValue::None,
            2 => AttributeValue::Byte(low),
            3 => AttributeValue::Half(half),
            4 => {
                let size = usize::from(half);
                let (value, after) =
                    rest.split_at_checked(size).ok_or_else(|| truncated(4 + size))?;
                rest = after;
                AttributeValue::Bytes(value.to_vec())
            }
            _ => {
                let reason = format!("unknown format of a record: expected 1 to 4, found {format}");
                return Err(error(&reason));
            }
        };
        let attribute = Attribute { number, value };
        attribute.check_size().map_err(|reason| error(&reason))?;
        attributes.push((offset, attribute));
    }
    Ok(attributes)
}

impl Attribute {
    /// Checks that the size of the value matches its layout.
    fn check_size(&self) -> Result<(), String> {
        let AttributeValue::Bytes(bytes) = &self.value else { return Ok(()) };
        let (is_valid, expected) = match self.layout() {
            Layout::Function => (bytes.len() == 8, "8"),
            Layout::Parameter => (bytes.len() == 12, "12"),
            Layout::Symbols | Layout::Offsets => (bytes.len().is_multiple_of(4), "a multiple of 4"),
            Layout::Words | Layout::Bytes => (true, ""),
        };
        let found = bytes.len();
        if is_valid {
            Ok(())
        } else {
            Err(format!("wrong size of {self}: expected {expected} bytes, found {found}"))
        }
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Parameter { index, ordinal, offset, size, log_alignment, space, bank, is_shared } =
            self;
        let memory = if *is_shared { "shared" } else { "constant" };
        write!(
            f,
            "index {index} ordinal {ordinal} offset {offset:#x} size {size:#x} \
             log-alignment {log_alignment} space {space} bank {bank:#x} memory {memory}"
        )
    }
}

/// Prints the name, or the number of an attribute whose name is not known.
impl Display for Attribute {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "EIATTR_{name}"),
            None => write!(f, "attribute {:#04x}", self.number),
        }
    }
}

/// The names of the attributes, without `EIATTR_`, in the order of their numbers. An empty text is a number
/// whose name is not known.
#[rustfmt::skip]
const NAMES: [&str; 110] = [
    /* 0x00 */ "ERROR", "PAD", "IMAGE_SLOT", "JUMPTABLE_RELOCS", "CTAIDZ_USED", "MAX_THREADS",
    /* 0x06 */ "IMAGE_OFFSET", "IMAGE_SIZE", "TEXTURE_NORMALIZED", "SAMPLER_INIT", "PARAM_CBANK",
    /* 0x0b */ "SMEM_PARAM_OFFSETS", "CBANK_PARAM_OFFSETS", "SYNC_STACK", "TEXID_SAMPID_MAP",
    /* 0x0f */ "EXTERNS", "REQNTID", "FRAME_SIZE", "MIN_STACK_SIZE", "SAMPLER_FORCE_UNNORMALIZED",
    /* 0x14 */ "BINDLESS_IMAGE_OFFSETS", "BINDLESS_TEXTURE_BANK", "BINDLESS_SURFACE_BANK",
    /* 0x17 */ "KPARAM_INFO", "SMEM_PARAM_SIZE", "CBANK_PARAM_SIZE", "QUERY_NUMATTRIB", "MAXREG_COUNT",
    /* 0x1c */ "EXIT_INSTR_OFFSETS", "S2RCTAID_INSTR_OFFSETS", "CRS_STACK_SIZE", "NEED_CNP_WRAPPER",
    /* 0x20 */ "NEED_CNP_PATCH", "EXPLICIT_CACHING", "ISTYPEP_USED", "MAX_STACK_SIZE", "SUQ_USED",
    /* 0x25 */ "LD_CACHEMOD_INSTR_OFFSETS", "LOAD_CACHE_REQUEST", "ATOM_SYS_INSTR_OFFSETS",
    /* 0x28 */ "COOP_GROUP_INSTR_OFFSETS", "COOP_GROUP_MASK_REGIDS", "", "WMMA_USED",
    /* 0x2c */ "HAS_PRE_V10_OBJECT", "ATOMF16_EMUL_INSTR_OFFSETS", "ATOM16_EMUL_INSTR_REG_MAP",
    /* 0x2f */ "REGCOUNT", "", "INT_WARP_WIDE_INSTR_OFFSETS", "SHARED_SCRATCH", "STATISTICS",
    /* 0x34 */ "INDIRECT_BRANCH_TARGETS", "", "SW_WAR", "CUDA_API_VERSION", "NUM_MBARRIERS",
    /* 0x39 */ "MBARRIER_INSTR_OFFSETS", "COROUTINE_RESUME_ID_OFFSETS", "SAM_REGION_STACK_SIZE",
    /* 0x3c */ "PER_REG_TARGET_PERF_STATS", "CTA_PER_CLUSTER", "EXPLICIT_CLUSTER", "MAX_CLUSTER_RANK",
    /* 0x40 */ "INSTR_REG_MAP", "RESERVED_SMEM_USED", "RESERVED_SMEM_0_SIZE", "UCODE_SECTION_DATA",
    /* 0x44 */ "UNUSED_LOAD_BYTE_OFFSET", "KPARAM_INFO_V2", "SYSCALL_OFFSETS", "",
    /* 0x48 */ "GRAPHICS_GLOBAL_CBANK", "SHADER_TYPE", "VRC_CTA_INIT_COUNT", "TOOLS_PATCH_FUNC",
    /* 0x4c */ "NUM_BARRIERS", "TEXMODE_INDEPENDENT", "PERF_STATISTICS", "AT_ENTRY_FRAGMENTS",
    /* 0x50 */ "SPARSE_MMA_MASK", "TCGEN05_1CTA_USED", "TCGEN05_2CTA_USED", "GEN_ERRBAR_AT_EXIT",
    /* 0x54 */ "REG_RECONFIG", "ANNOTATIONS", "", "STACK_CANARY_TRAP_OFFSETS", "STUB_FUNCTION_KIND",
    /* 0x59 */ "LOCAL_CTA_ASYNC_STORE_OFFSETS", "", "BLOCKS_ARE_CLUSTERS", "SANITIZE",
    /* 0x5d */ "SYSCALLS_FALLBACK", "CUDA_REQ", "", "", "RTCORE_ENTRY", "CLUSTER_LAUNCH_CONTROL_USED",
    /* 0x63 */ "", "MIN_PER_CTA_MEMORY_SIZE", "IGNOREOOB_CP_ASYNC_BULK_INSTR_OFFSETS", "LANGUAGE", "",
    /* 0x68 */ "GRID_ATTRIBUTES", "STACK_OFFSET", "RT_LIVESTATE_SASS_MAP", "NVSAL_SW_WAR",
    /* 0x6c */ "INSTR_OFFSETS", "PREEXIT_USED",
];
