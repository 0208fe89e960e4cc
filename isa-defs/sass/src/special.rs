//! The names of special registers.

use isa_core::operand::OperandKind;
use isa_core::text::{Cursor, Line, OperandError};

/// A special register of sm_`CHIP`, for example the index of a thread. A register without a name is
/// printed as `SR` and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Special<const CHIP: u8>(u8);

impl<const CHIP: u8> Special<CHIP> {
    /// Returns the names on this chip with their numbers.
    fn names() -> impl Iterator<Item = (u8, &'static str)> {
        let own = CHANGED.iter().filter(|(_, chips, _)| chips.contains(&CHIP));
        own.map(|(number, _, name)| (*number, *name)).chain(NAMES.iter().copied())
    }
}

impl<const CHIP: u8> OperandKind for Special<CHIP> {
    type Value = u32;
    const WIDTH: u8 = 8;
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "a special register (`SR_TID.X`)";
    const MAX_LEN: usize = 40;
    const FORMS: &'static [&'static str] = &["SR*", "SM*", "__*"];

    fn from_bits(raw: u64) -> Self {
        Special(raw as u8)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let (start, rest) = (cursor.position(), cursor.rest());
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = rest.iter().take_while(is_part).count();
        let word = core::str::from_utf8(rest.get(..len).unwrap_or_default()).unwrap_or_default();
        cursor.seek(start + len);
        let named = Self::names().find(|(_, name)| *name == word).map(|(number, _)| number);
        let numbered = || word.strip_prefix("SR").and_then(|digits| digits.parse().ok());
        let found = named.or_else(numbered).map(Special);
        found.ok_or_else(|| cursor.fault(start, "unknown special register"))
    }

    fn write(self, line: &mut Line) {
        match Self::names().find(|(number, _)| *number == self.0) {
            Some((_, name)) => line.push_str(name),
            None => {
                line.push_str("SR");
                line.push_decimal(self.0.into());
            }
        }
    }
}

/// The names that only some chips have.
const CHANGED: &[(u8, core::ops::RangeInclusive<u8>, &str)] = &[
    (24, 75..=75, "SR_MACHINE_ID_0"),
    (24, 80..=120, "SR_SW_SCRATCH"),
    (65, 90..=120, "SR_CGAERRORSTATUS"),
    (134, 90..=90, "SR_WARPGROUP_INFO"),
    (135, 90..=90, "SR_WARPGROUPID"),
    (136, 90..=120, "SR_CgaCtaId"),
    (137, 90..=120, "SR_GpcLocalCgaId"),
    (138, 100..=120, "SR_CgaSize"),
    (139, 90..=120, "SR_CTARegPoolSz"),
    (141, 100..=120, "SR_TMemSz"),
    (142, 120..=120, "SR_CONTEXT_SAVE_ADDR_LO"),
    (143, 120..=120, "SR_CONTEXT_SAVE_ADDR_HI"),
];

/// The names that all chips have, in the order of the numbers.
const NAMES: &[(u8, &str)] = &[
    (0, "SR_LANEID"),
    (1, "SR_CLOCK"),
    (2, "SR_VIRTCFG"),
    (3, "SR_VIRTID"),
    (15, "SR_ORDERING_TICKET"),
    (16, "SR_PRIM_TYPE"),
    (17, "SR_INVOCATION_ID"),
    (18, "SR_Y_DIRECTION"),
    (19, "SR_THREAD_KILL"),
    (20, "SM_SHADER_TYPE"),
    (21, "SR_DIRECTCBEWRITEADDRESSLOW"),
    (22, "SR_DIRECTCBEWRITEADDRESSHIGH"),
    (23, "SR_DIRECTCBEWRITEENABLED"),
    (25, "SR_MACHINE_ID_1"),
    (26, "SR_MACHINE_ID_2"),
    (27, "SR_MACHINE_ID_3"),
    (28, "SR_AFFINITY"),
    (29, "SR_INVOCATION_INFO"),
    (30, "SR_WSCALEFACTOR_XY"),
    (31, "SR_WSCALEFACTOR_Z"),
    (32, "SR_TID"),
    (33, "SR_TID.X"),
    (34, "SR_TID.Y"),
    (35, "SR_TID.Z"),
    (37, "SR_CTAID.X"),
    (38, "SR_CTAID.Y"),
    (39, "SR_CTAID.Z"),
    (40, "SR_NTID"),
    (41, "SR_CirQueueIncrMinusOne"),
    (42, "SR_NLATC"),
    (44, "SR_SM_SPA_VERSION"),
    (45, "SR_MULTIPASSSHADERINFO"),
    (46, "SR_LWINHI"),
    (47, "SR_SWINHI"),
    (48, "SR_SWINLO"),
    (49, "SR_SWINSZ"),
    (50, "SR_SMEMSZ"),
    (51, "SR_SMEMBANKS"),
    (52, "SR_LWINLO"),
    (53, "SR_LWINSZ"),
    (54, "SR_LMEMLOSZ"),
    (55, "SR_LMEMHIOFF"),
    (56, "SR_EQMASK"),
    (57, "SR_LTMASK"),
    (58, "SR_LEMASK"),
    (59, "SR_GTMASK"),
    (60, "SR_GEMASK"),
    (61, "SR_REGALLOC"),
    (62, "SR_BARRIERALLOC"),
    (64, "SR_GLOBALERRORSTATUS"),
    (66, "SR_WARPERRORSTATUS"),
    (67, "SR_VIRTUALSMID"),
    (68, "SR_VIRTUALENGINEID"),
    (80, "SR_CLOCKLO"),
    (81, "SR_CLOCKHI"),
    (82, "SR_GLOBALTIMERLO"),
    (83, "SR_GLOBALTIMERHI"),
    (84, "SR_ESR_PC"),
    (85, "SR_ESR_PC_HI"),
    (96, "SR_HWTASKID"),
    (97, "SR_CIRCULARQUEUEENTRYINDEX"),
    (98, "SR_CIRCULARQUEUEENTRYADDRESSLOW"),
    (99, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"),
    (100, "SR_PM0"),
    (101, "SR_PM_HI0"),
    (102, "SR_PM1"),
    (103, "SR_PM_HI1"),
    (104, "SR_PM2"),
    (105, "SR_PM_HI2"),
    (106, "SR_PM3"),
    (107, "SR_PM_HI3"),
    (108, "SR_PM4"),
    (109, "SR_PM_HI4"),
    (110, "SR_PM5"),
    (111, "SR_PM_HI5"),
    (112, "SR_PM6"),
    (113, "SR_PM_HI6"),
    (114, "SR_PM7"),
    (115, "SR_PM_HI7"),
    (116, "SR_SNAP_PM0"),
    (117, "SR_SNAP_PM_HI0"),
    (118, "SR_SNAP_PM1"),
    (119, "SR_SNAP_PM_HI1"),
    (120, "SR_SNAP_PM2"),
    (121, "SR_SNAP_PM_HI2"),
    (122, "SR_SNAP_PM3"),
    (123, "SR_SNAP_PM_HI3"),
    (124, "SR_SNAP_PM4"),
    (125, "SR_SNAP_PM_HI4"),
    (126, "SR_SNAP_PM5"),
    (127, "SR_SNAP_PM_HI5"),
    (128, "SR_SNAP_PM6"),
    (129, "SR_SNAP_PM_HI6"),
    (130, "SR_SNAP_PM7"),
    (131, "SR_SNAP_PM_HI7"),
    (132, "SR_VARIABLE_RATE"),
    (133, "__HIR0X000"),
    (255, "SRZ"),
];
