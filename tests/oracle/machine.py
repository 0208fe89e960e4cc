"""Executes one instruction on a machine state.

A state maps location names such as `R1`, `UR4`, `P0` and `c[0x0][0x160]` to numbers. A missing
location reads as 0. The state is not changed: an execution returns the written locations.
"""

import half_model as half
from tables import PT, RZ, URZ, value_name
from video_model import simd


def read_reg(state, number):
    return 0 if number == RZ else state.get(f"R{number}", 0)


def read_pred(state, number, inverted=0):
    value = 1 if number == PT else state.get(f"P{number}", 0)
    return value ^ inverted


def read_base(inst, state, name):
    """Returns the 32 bits of an operand, before any modifier."""
    raw = inst[name]
    kind = inst.op.fields[name].kind
    if kind in ("Reg", "VReg"):
        return read_reg(state, raw)
    if kind == "UReg":
        return 0 if raw == URZ else state.get(f"UR{raw}", 0)
    if kind == "F16ImmX2":
        return raw
    assert kind == "CMem"
    return state.get(f"c[0x{raw >> 17:x}][0x{raw & 0x1ffff:x}]", 0)


def source_lanes(inst, state, name, fmt):
    """Returns the (low, high) lanes of a source after its modifiers and the flush."""
    value = read_base(inst, state, name)
    low, high = value & 0xFFFF, value >> 16
    select = value_name("HSel2", inst.get(name + ".hsel2"))
    lanes = {"H1_H0": (low, high), "H0_H0": (low, low), "H1_H1": (high, high)}[select]
    if inst.get(name + ".abs"):
        lanes = tuple(lane & 0x7FFF for lane in lanes)
    if inst.get(name + ".neg"):
        lanes = tuple(lane ^ 0x8000 for lane in lanes)
    return tuple(half.flush(lane, fmt, inst["ftz"]) for lane in lanes)


def logic(name, x, y):
    return {"AND": x & y, "OR": x | y, "XOR": x ^ y}[name]


def _arith(inst, lanes, fmt):
    optype = inst.op.optype
    common = (fmt, inst["rnd"], inst["ftz"], inst["sat"])
    if optype == "HADD2":
        return half.add_lane(*lanes, *common)
    if optype == "HMUL2":
        return half.mul_lane(*lanes, *common)
    return half.fma_lane(*lanes, *common, inst["relu"])


def _sources(inst, state, fmt):
    """Returns the lanes of all float sources, in one tuple for each result."""
    names = [n for n in inst.op.operands if n[0] in "ruv" and n != "rd"]
    return list(zip(*(source_lanes(inst, state, name, fmt) for name in names)))


def _half_results(inst, state):
    """Returns the (low, high) results of a HALU instruction: lanes or truth values."""
    fmt = half.FORMATS[inst["hfmt_v2"]]
    pairs = _sources(inst, state, fmt)
    optype = inst.op.optype
    if optype in ("HADD2", "HMUL2", "HFMA2"):
        return [_arith(inst, lanes, fmt) for lanes in pairs]
    pp = read_pred(state, inst["pp"], inst["pp.not"])
    if optype == "HMNMX2":
        return [half.minmax_lane(a, b, fmt, pp, inst["nan"]) for a, b in pairs]
    compare, lop = value_name("FCMPOp", inst["cmp"]), value_name("LOPOp", inst["lop"])
    return [logic(lop, int(half.compare_lane(a, b, fmt, compare)), pp) for a, b in pairs]


def execute(inst, state):
    """Returns the values that the instruction writes, by location name."""
    if not read_pred(state, inst["pg"], inst["pg.not"]):
        return {}
    if inst.op.video:
        a, b, c = (read_reg(state, inst[name]) for name in "abc")
        return _write_reg(inst["d"], simd(inst.op.optype, a, b, c, inst.values))
    low, high = _half_results(inst, state)
    optype = inst.op.optype
    if optype == "HSETP2":
        # If both names are the same register, it contains the predicate of the high lane.
        pairs = ((inst["pu"], low), (inst["pv"], high))
        return {f"P{number}": value for number, value in pairs if number != PT}
    fmt = half.FORMATS[inst["hfmt_v2"]]
    if optype == "HADD2" and inst["f32"]:
        return _write_reg(inst["rd"], half.widen(low, fmt))
    if optype == "HSET2":
        true = fmt.one if inst["bval"] else 0xFFFF
        low, high = (true if value else 0 for value in (low, high))
    return _write_reg(inst["rd"], high << 16 | low)


def _write_reg(number, value):
    return {} if number == RZ else {f"R{number}": value}


def location_key(name):
    """Returns a sort key of a location: its kind, then its number."""
    digits = "".join(ch if ch.isalnum() else " " for ch in name)
    letters = name.rstrip("0123456789")
    if name[0] == "c":
        bank, offset = (int(part, 0) for part in digits.split()[1:])
        return ("c", bank, offset)
    return (letters, int(name[len(letters):]), 0)


def state_text(state):
    """Returns the sorted text of a state, `P0=1 R1=0x00000000`, or `-` if it is empty."""
    parts = []
    for name in sorted(state, key=location_key):
        value = state[name]
        parts.append(f"{name}={value}" if name[0] == "P" else f"{name}=0x{value:08x}")
    return " ".join(parts) or "-"
