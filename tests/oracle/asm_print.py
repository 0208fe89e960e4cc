"""Prints instructions in their canonical spelling."""

import math
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

from half_model import BF16, F16, decode_lane
from tables import PT, RZ, SETS, URZ, default_selectors, value_name


def lane_text(bits, fmt):
    """Returns a lane as the shortest decimal that round-trips as a double, a name or hex.

    Infinities have names, and NaN is printed in hexadecimal.
    """
    kind, sign, magnitude = decode_lane(bits, fmt)
    if kind == "nan":
        return f"0x{bits:04x}"
    if kind == "inf":
        return "-INF" if sign else "+INF"
    # A double represents every lane of both formats exactly.
    return ("-" if sign else "") + _shortest(float(magnitude))


def _shortest(value):
    """Returns the shortest decimal that round-trips as the double.

    Numbers below 1e-4 and from 1e16 have an exponent. If two shortest decimals are equally near,
    the formatter of Rust chooses the larger one and the formatter of Python the even one.
    Therefore only the number of digits comes from Python.
    """
    assert value >= 0 and math.isfinite(value)
    if value == 0:
        return "0"
    count = len(Decimal(repr(value)).normalize().as_tuple().digits)
    exact = Decimal(value)
    step = Decimal(1).scaleb(exact.adjusted() - count + 1)
    with localcontext() as context:
        context.prec = 1000
        near = exact.quantize(step, rounding=ROUND_HALF_UP).normalize()
    if float(near) != value:
        # The doubles below a power of two are closer together, too close for the nearest decimal.
        near = Decimal(repr(value)).normalize()
    digits = "".join(str(digit) for digit in near.as_tuple().digits)
    if 1e-4 <= value < 1e16:
        return f"{near:f}"
    point = "." if digits[1:] else ""
    return f"{digits[0]}{point}{digits[1:]}e{near.adjusted()}"


def exact_value(bits, fmt):
    """Returns the signed value of a finite lane."""
    kind, sign, magnitude = decode_lane(bits, fmt)
    assert kind == "num"
    return -magnitude if sign else Fraction(magnitude)


def reg(number):
    return "RZ" if number == RZ else f"R{number}"


def ureg(number):
    return "URZ" if number == URZ else f"UR{number}"


def pred(number):
    return "PT" if number == PT else f"P{number}"


def vreg(number):
    return reg(number).lower()


def cmem_text(raw):
    return f"c[0x{raw >> 17:x}][0x{raw & 0x1ffff:x}]"


def imm_lanes(inst, name):
    """Returns the (high, low) texts of an immediate."""
    fmt = BF16 if inst["hfmt_v2"] else F16
    value = inst[name]
    return lane_text(value >> 16, fmt), lane_text(value & 0xFFFF, fmt)


def mask_text(mask, lanes):
    digits = "".join(str(i) for i in reversed(range(lanes)) if mask >> i & 1)
    return ("h" if lanes == 2 else "b") + digits


def selector_text(raw, lanes):
    bits = 2 if lanes == 2 else 3
    digits = [raw >> (bits * i) & ((1 << bits) - 1) for i in range(lanes)]
    return ("h" if lanes == 2 else "b") + "".join(str(d) for d in reversed(digits))


def base_text(inst, name):
    """Returns the text of an operand without sign, bars and half-select."""
    field = inst.op.fields[name]
    printers = {"Reg": reg, "UReg": ureg, "Pred": pred, "CMem": cmem_text, "VReg": vreg}
    return printers[field.kind](inst[name])


def _video_operand(inst, name):
    lanes = inst.op.lanes
    text = base_text(inst, name)
    if name == "d" and inst["mask"] != (1 << lanes) - 1:
        return text + "." + mask_text(inst["mask"], lanes)
    if name in ("a", "b"):
        raw = inst[name + "sel"]
        if raw != default_selectors(lanes)["ab".index(name)]:
            return text + "." + selector_text(raw, lanes)
    return text


def operand_text(inst, name):
    """Returns the canonical text of an operand, or None if the operand is omitted."""
    field = inst.op.fields[name]
    if inst.op.video:
        return _video_operand(inst, name)
    if field.kind == "F16ImmX2":
        return ", ".join(imm_lanes(inst, name))
    text = base_text(inst, name)
    if field.kind == "Pred":
        inverted = inst.get(name + ".not")
        if name == "pp" and field.default == inst[name] and not inverted:
            return None
        return "!" * inverted + text
    select = inst.get(name + ".hsel2")
    if select:
        text += "." + value_name("HSel2", select)
    if inst.get(name + ".abs"):
        text = f"|{text}|"
    return "-" * inst.get(name + ".neg") + text


def modifier_texts(inst):
    """Yields (field name, text, printed) of each modifier that has a spelling, in syntax order."""
    for name in inst.op.mods:
        field = inst.op.fields[name]
        text = value_name(field.kind, inst[name])
        spelled = not text.startswith("No")
        yield name, text, spelled, spelled and inst[name] != field.default


def guard_text(inst):
    if inst["pg"] == PT and not inst["pg.not"]:
        return ""
    name = pred(inst["pg"])
    return "@" + "!" * inst["pg.not"] + (name.lower() if inst.op.video else name) + " "


def tag_texts(inst):
    tags = []
    if inst["sched"]:
        tags.append(f"?WAIT{inst['sched']}")
    if inst["req"]:
        tags.append("&req={" + ",".join(str(i) for i in range(6) if inst["req"] >> i & 1) + "}")
    return tags


def to_text(inst):
    """Returns the canonical spelling of a valid instruction."""
    head = inst.op.optype + "".join("." + text for _, text, _, on in modifier_texts(inst) if on)
    operands = [operand_text(inst, name) for name in inst.op.operands]
    body = ", ".join(text for text in operands if text is not None)
    tags = "".join(" " + tag for tag in tag_texts(inst))
    return f"{guard_text(inst)}{head} {body}{tags};"


assert "No" not in {name[:2] for name in SETS["FCMPOp"]}, "the off values are told by their prefix"
