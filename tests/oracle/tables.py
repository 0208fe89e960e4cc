"""Value sets, fields and opcodes of the HALU and video SIMD encodings, as data.

This file contains every bit position and number of the instruction set exactly once. `HALU` is the
HALU specification, and `video` is the chapter on SIMD video instructions of the PTX manual, for
which this project chose its own encoding.
"""

from typing import NamedTuple, Optional

# Named values. A raw value that a set does not contain is reserved.
SETS = {
    "PModi": {"False": 0, "True": 1},
    "SignModi": {"False": 0, "True": 1},
    "HSel2": {"H1_H0": 0, "H0_H0": 2, "H1_H1": 3},
    "FPFtz": {"NoFTZ": 0, "FTZ": 1},
    "FPSat": {"NoSAT": 0, "SAT": 1},
    "RELU": {"NoRELU": 0, "RELU": 1},
    "NAN": {"NoNAN": 0, "NAN": 1},
    "HF32": {"NoF32": 0, "F32": 1},
    "VAdd": {"NoADD": 0, "add": 1},
    "VSat": {"NoSAT": 0, "sat": 1},
    "FPRound": {"RN": 0, "RM": 1, "RP": 2, "RZ": 3},
    "HFmtV2": {"F16_V2": 0, "BF16_V2": 1},
    "FCMPOp": {
        "LT": 1, "EQ": 2, "LE": 3, "GT": 4, "NE": 5, "GE": 6, "NUM": 7, "NAN": 8,
        "LTU": 9, "EQU": 10, "LEU": 11, "GTU": 12, "NEU": 13, "GEU": 14,
    },
    "LOPOp": {"AND": 0, "OR": 1, "XOR": 2},
    "BVal": {"BM": 0, "BF": 1},
    "VType": {"u32": 0, "s32": 1},
}

OPTYPES = {
    "HADD2": 0x30, "HFMA2": 0x31, "HMUL2": 0x32, "HSET2": 0x33, "HSETP2": 0x34, "HMNMX2": 0x40,
    "vadd2": 0x80, "vsub2": 0x81, "vavrg2": 0x82, "vabsdiff2": 0x83, "vmin2": 0x84, "vmax2": 0x85,
    "vadd4": 0x88, "vsub4": 0x89, "vavrg4": 0x8A, "vabsdiff4": 0x8B, "vmin4": 0x8C, "vmax4": 0x8D,
}

STYPES = {
    "RR": 1, "RI": 3, "RC": 5, "RU": 7,
    "RRR": 2, "RRI": 4, "RRC": 6, "RIR": 8, "RCR": 10, "RUR": 12, "RRU": 14,
}

RZ, URZ, PT = 255, 63, 7


class Field(NamedTuple):
    """A named range of bits. `fixed` fields identify the opcode; others may have a default."""

    name: str
    pos: int
    width: int
    kind: str
    default: Optional[int] = None
    fixed: Optional[int] = None

    @property
    def mask(self):
        return ((1 << self.width) - 1) << self.pos


class Opcode(NamedTuple):
    """An encoding: its fields, its modifiers in syntax order, its operands in print order."""

    name: str
    optype: str
    fields: dict
    mods: tuple
    operands: tuple

    @property
    def video(self):
        return self.optype[0] == "v"

    @property
    def lanes(self):
        return int(self.optype[-1]) if self.video else 2

    def covered(self):
        mask = 0
        for field in self.fields.values():
            mask |= field.mask
        return mask


def _all():
    return [
        Field("pg", 12, 3, "Pred", PT),
        Field("pg.not", 15, 1, "PModi", 0),
        Field("sched", 112, 4, "Sched", 0),
        Field("req", 116, 6, "Req", 0),
    ]


def _source(name, sign, select):
    """Returns the modifiers of a float source: sign bit, absolute value next to it, half-select."""
    return [
        Field(name + ".neg", sign, 1, "SignModi", 0),
        Field(name + ".abs", sign + 1, 1, "SignModi", 0),
        Field(name + ".hsel2", select, 2, "HSel2", 0),
    ]


def _dest_and_ra():
    return [Field("rd", 16, 8, "Reg")] + _ra()


def _ra():
    return [Field("ra", 24, 8, "Reg")] + _source("ra", 72, 80)


FTZ = Field("ftz", 76, 1, "FPFtz", 0)
HFMT = Field("hfmt_v2", 94, 1, "HFmtV2", 0)
H_ARITH = [Field("sat", 77, 1, "FPSat", 0), Field("rnd", 78, 2, "FPRound", 0), FTZ, HFMT]
SET_COMMON = [
    FTZ, HFMT, Field("lop", 84, 2, "LOPOp"), Field("cmp", 86, 4, "FCMPOp"),
    Field("pp", 98, 3, "Pred", PT), Field("pp.not", 101, 1, "PModi", 0),
]

# For each optype: its fields, its modifiers in syntax order, its operands before and after the
# sources b and c.
SHAPES = {
    "HADD2": (
        _dest_and_ra() + H_ARITH + [Field("f32", 91, 1, "HF32", 0)],
        ("hfmt_v2", "ftz", "sat", "rnd", "f32"), ("rd", "ra"), (),
    ),
    "HMUL2": (
        _dest_and_ra() + H_ARITH, ("hfmt_v2", "ftz", "sat", "rnd"), ("rd", "ra"), (),
    ),
    "HFMA2": (
        _dest_and_ra() + H_ARITH + [Field("relu", 92, 1, "RELU", 0)],
        ("hfmt_v2", "ftz", "relu", "sat", "rnd"), ("rd", "ra"), (),
    ),
    "HMNMX2": (
        _dest_and_ra() + [
            FTZ, HFMT, Field("nan", 84, 1, "NAN", 0),
            Field("pp", 98, 3, "Pred"), Field("pp.not", 101, 1, "PModi", 0),
        ],
        ("hfmt_v2", "ftz", "nan"), ("rd", "ra"), ("pp",),
    ),
    "HSETP2": (
        _ra() + SET_COMMON + [Field("pu", 106, 3, "Pred"), Field("pv", 109, 3, "Pred")],
        ("hfmt_v2", "ftz", "cmp", "lop"), ("pu", "pv", "ra"), ("pp",),
    ),
    "HSET2": (
        _dest_and_ra() + SET_COMMON + [Field("bval", 90, 1, "BVal", 0)],
        ("hfmt_v2", "ftz", "cmp", "lop", "bval"), ("rd", "ra"), ("pp",),
    ),
}

# For each source type: (operand names, their fields).
TWO_SOURCE = {
    "RR": (("rb",), [Field("rb", 32, 8, "Reg")] + _source("rb", 96, 82)),
    "RU": (("urb",), [Field("urb", 32, 6, "UReg")] + _source("urb", 96, 82)),
    "RI": (("vb",), [Field("vb", 32, 32, "F16ImmX2")]),
    "RC": (("vb",), [Field("vb", 32, 22, "CMem")] + _source("vb", 96, 82)),
}

# An operand that is not a register always starts at bit 32. The other register is then at bit 64
# and uses the sign bits 74 and 75. The position of a half-select depends on the role of its
# operand: 82 for b, 84 for c.
THREE_SOURCE = {
    "RRR": (("rb", "rc"), [Field("rb", 32, 8, "Reg"), Field("rc", 64, 8, "Reg")]
            + _source("rb", 96, 82) + _source("rc", 74, 84)),
    "RRI": (("rb", "vc"), [Field("vc", 32, 32, "F16ImmX2"), Field("rb", 64, 8, "Reg")]
            + _source("rb", 74, 82)),
    "RIR": (("vb", "rc"), [Field("vb", 32, 32, "F16ImmX2"), Field("rc", 64, 8, "Reg")]
            + _source("rc", 74, 84)),
    "RRU": (("rb", "urc"), [Field("urc", 32, 6, "UReg"), Field("rb", 64, 8, "Reg")]
            + _source("urc", 96, 84) + _source("rb", 74, 82)),
    "RUR": (("urb", "rc"), [Field("urb", 32, 6, "UReg"), Field("rc", 64, 8, "Reg")]
            + _source("urb", 96, 82) + _source("rc", 74, 84)),
    "RRC": (("rb", "vc"), [Field("vc", 32, 22, "CMem"), Field("rb", 64, 8, "Reg")]
            + _source("vc", 96, 84) + _source("rb", 74, 82)),
    "RCR": (("vb", "rc"), [Field("vb", 32, 22, "CMem"), Field("rc", 64, 8, "Reg")]
            + _source("vb", 96, 82) + _source("rc", 74, 84)),
}


def _identity(optype, stype):
    return [
        Field("optype", 0, 8, "Optype", None, OPTYPES[optype]),
        Field("stype", 8, 4, "SType", None, STYPES[stype]),
    ]


def _build(name, optype, stype, fields, mods, operands):
    table = {}
    used = 0
    for field in _identity(optype, stype) + _all() + fields:
        assert field.name not in table and used & field.mask == 0, (name, field)
        used |= field.mask
        table[field.name] = field
    return Opcode(name, optype, table, mods, operands)


def _halu_opcodes():
    for optype, (fields, mods, before, after) in SHAPES.items():
        forms = THREE_SOURCE if optype == "HFMA2" else TWO_SOURCE
        for stype, (sources, source_fields) in forms.items():
            yield _build(optype + "_" + stype, optype, stype, fields + source_fields, mods,
                         before + sources + after)


def default_selectors(lanes):
    """Returns the default (asel, bsel): lane i of a and of b. Each lane index has 2 or 3 bits."""
    bits = 2 if lanes == 2 else 3
    asel = sum(i << (bits * i) for i in range(lanes))
    bsel = sum((i + lanes) << (bits * i) for i in range(lanes))
    return asel, bsel


def _video_opcodes():
    for optype in (name for name in OPTYPES if name[0] == "v"):
        lanes = int(optype[-1])
        width = 4 if lanes == 2 else 12
        asel, bsel = default_selectors(lanes)
        fields = [
            Field("d", 16, 8, "VReg"), Field("a", 24, 8, "VReg"),
            Field("b", 32, 8, "VReg"), Field("c", 64, 8, "VReg"),
            Field("dtype", 40, 1, "VType"), Field("atype", 41, 1, "VType"),
            Field("btype", 42, 1, "VType"),
            Field("sat", 43, 1, "VSat", 0), Field("add", 44, 1, "VAdd", 0),
            Field("mask", 45, lanes, "VMask", (1 << lanes) - 1),
            Field("asel", 72, width, "VSel", asel), Field("bsel", 84, width, "VSel", bsel),
        ]
        mods = ("dtype", "atype", "btype", "sat", "add")
        yield _build(optype, optype, "RRR", fields, mods, ("d", "a", "b", "c"))


OPCODES = {op.name: op for op in list(_halu_opcodes()) + list(_video_opcodes())}
HALU = [op for op in OPCODES.values() if not op.video]
VIDEO = [op for op in OPCODES.values() if op.video]


def value_name(kind, raw):
    """Returns the name of a raw value in a set, or None if the value is reserved."""
    for name, value in SETS[kind].items():
        if value == raw:
            return name
    return None
