"""Functions that all vector generators share: random fields, lanes at boundaries, file output."""

import random
from pathlib import Path

from asm_print import to_text
from half_model import FORMATS
from tables import SETS
from word import cmem, encode, hex_word, make, reasons

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
SEED = 20240611


def rng_for(name):
    """Returns a separate random generator for each file, so files can change independently."""
    return random.Random(f"{SEED}:{name}")


def header(title, form):
    return [
        f"# {title}",
        f"# Format of a line: {form}",
        "# ` | ` with both spaces separates fields. A line that starts with `#` is a comment.",
        "# Computed by the model in tests/oracle, which follows the HALU specification and the PTX",
        "# manual (SIMD video instructions), and shares no code with the crates.",
        "# Regenerate: python3 tests/oracle/gen_vectors.py",
    ]


def word_line(inst):
    word = encode(inst)
    assert not reasons(word), (inst, reasons(word))
    return f"{hex_word(word)} | {to_text(inst)}"


def unique(lines):
    return list(dict.fromkeys(lines))


# Constant memory at the ends of the range, and with single bits of the bank or the offset.
CMEM_EDGES = [
    cmem(bank, offset) for bank, offset in (
        (0, 0), (31, 0), (0, 4), (0, 0x1FFFC), (31, 0x1FFFC), (0, 0x160), (1, 0x10000),
        (16, 0x8000), (3, 4), (2, 0xFFFC),
    )
]


def with_signs(lanes):
    return [lane | sign for lane in lanes for sign in (0, 0x8000)]


def boundary_lanes(fmt):
    """Returns the values at which the rules change, with both signs."""
    tiny = 1 << fmt.man_bits
    one, inf = fmt.one, fmt.inf
    return with_signs([
        0, 1, 2, tiny >> 1, tiny - 1, tiny, tiny + 1, one - 1, one, one + 1, one - tiny, one + tiny,
        one + tiny // 2, inf - 1, inf - 2, inf - tiny, inf, inf + 1, inf + tiny // 2,
        inf + tiny - 1,
    ])


def imm_edges(fmt):
    """Returns immediates that contain each boundary lane once as high and once as low lane."""
    lanes = boundary_lanes(fmt) + [0x7E01, 0x3555, 0x3DCD, 0x0101, 0x0010, 0x7800]
    return [lane << 16 | lanes[(5 * i + 3) % len(lanes)] for i, lane in enumerate(lanes)]


def edge_values(field, op, fmt=FORMATS[0]):
    """Returns the values of a field that are tested in separate lines."""
    if field.kind in SETS:
        return list(SETS[field.kind].values())
    if field.kind == "VMask":
        return list(range(1, 1 << op.lanes))
    if field.kind == "VSel" and op.lanes == 4:
        same = [sum(digit << 3 * i for i in range(4)) for digit in range(8)]
        return same + [0o0123, 0o3210, 0o7654, 0o4567, 0o0246, 0o7531, 0o6420, 0o0007, 0o7000]
    return {
        "Reg": [0, 1, 127, 128, 254, 255], "VReg": [0, 1, 127, 128, 254, 255],
        "UReg": [0, 1, 31, 32, 62, 63], "Pred": list(range(8)), "Sched": list(range(16)),
        "Req": [1, 2, 4, 8, 16, 32, 5, 0x21, 0x3E, 0x3F], "CMem": CMEM_EDGES,
        "F16ImmX2": imm_edges(fmt), "VSel": list(range(16)),
    }[field.kind]


def random_value(field, op, rng, fmt):
    if field.kind in SETS or field.kind == "VMask":
        return rng.choice(edge_values(field, op))
    if field.kind == "CMem":
        return cmem(rng.randrange(32), 4 * rng.randrange(1 << 15))
    if field.kind == "F16ImmX2":
        return random_lane(fmt, rng) << 16 | random_lane(fmt, rng)
    return rng.randrange(1 << field.width)


def random_inst(op, rng, quiet=0.0):
    """Returns a random valid instruction. `quiet` is the probability of the default of a field."""
    while True:
        values = {}
        fmt = FORMATS[0]
        for field in sorted(op.fields.values(), key=lambda f: f.name != "hfmt_v2"):
            if field.fixed is not None:
                continue
            if field.default is not None and rng.random() < quiet:
                values[field.name] = field.default
            else:
                values[field.name] = random_value(field, op, rng, fmt)
            if field.name == "hfmt_v2":
                fmt = FORMATS[values["hfmt_v2"]]
        inst = make(op.name, **values)
        if not reasons(encode(inst)):
            return inst


def random_lane(fmt, rng):
    """Returns a boundary value with probability 1/2, otherwise any bits or a value near 1."""
    dice = rng.random()
    if dice < 0.5:
        return rng.choice(boundary_lanes(fmt))
    if dice < 0.7:
        return rng.randrange(1 << 16)
    exponent = fmt.bias + rng.randint(-4, 4)
    mantissa = rng.randrange(1 << fmt.man_bits)
    return rng.randrange(2) << 15 | exponent << fmt.man_bits | mantissa


BASE = {
    "rd": 10, "ra": 11, "rb": 12, "rc": 13, "urb": 14, "urc": 14, "pp": 3, "pu": 1, "pv": 2,
    "d": 10, "a": 11, "b": 12, "c": 13, "dtype": 0, "atype": 1, "btype": 0, "cmp": 1, "lop": 0,
}


def base_inst(op):
    """Returns a plain instruction of this opcode whose operands are all different."""
    values = {name: BASE[name] for name in op.fields if name in BASE and name != "pp"}
    if op.optype == "HMNMX2":
        values["pp"] = BASE["pp"]
    for name in ("vb", "vc"):
        if name in op.fields:
            imm = op.fields[name].kind == "F16ImmX2"
            values[name] = 0x3C004000 if imm else cmem(5, 0x160)
    return make(op.name, **values)


def write_or_check(path, label, text, note, check):
    """Writes a generated file, or with `check` only prints whether it is up to date.

    Returns whether the file is stale.
    """
    if check:
        same = path.exists() and path.read_text(encoding="utf-8") == text
        print(f"{'same ' if same else 'STALE'} {label}")
        return not same
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{label}: {note}")
    return False
