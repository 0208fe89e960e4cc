"""Generates executions of single instructions, with operands at which the rules change."""

from itertools import product

import half_model as half
from asm_print import cmem_text, to_text
from gen_common import boundary_lanes, header, random_lane, rng_for
from half_model import FORMATS
from machine import execute, state_text
from tables import HALU, PT, RZ, SETS, URZ, VIDEO
from word import cmem, encode, make, reasons

ARITH_CASES = 190
SHARP_CASES = 48
OTHER_CASES = 150
VIDEO_CASES = 260


# Lane tuples -------------------------------------------------------------------------------------

def power_of_two(fmt, exponent, sign=0):
    """Returns a power of two in the finite range, which includes subnormal numbers."""
    exponent = max(1 - fmt.bias - fmt.man_bits, min(fmt.bias, exponent))
    return half.round_magnitude(sign, half.power(exponent), fmt, half.RN)


def near_tie_sum(fmt, rng):
    """Returns a number and about half a unit in its last place: the sum is a tie or almost one."""
    exponent = rng.randint(fmt.man_bits + 2, fmt.exp_max - 1)
    a = rng.randrange(2) << 15 | exponent << fmt.man_bits | rng.randrange(1 << fmt.man_bits)
    b = power_of_two(fmt, exponent - fmt.bias - fmt.man_bits - 1, rng.randrange(2))
    return a, (b + rng.choice((-1, 0, 0, 0, 1))) & 0xFFFF


def tie_product(fmt, rng):
    """Returns an odd significand and three: half of their products are ties."""
    exponent = rng.randint(1, fmt.exp_max - 2)
    a = rng.randrange(2) << 15 | exponent << fmt.man_bits | rng.randrange(1 << fmt.man_bits) | 1
    three_halves = 1 << (fmt.man_bits - 1)
    other = max(1, min(fmt.exp_max - 1, fmt.bias + rng.randint(-2, 2)))
    return a, rng.randrange(2) << 15 | other << fmt.man_bits | three_halves


def underflow_product(fmt, rng):
    """Returns factors with a product near the smallest normal or subnormal number."""
    low = 1 - fmt.bias - rng.choice((0, 0, fmt.man_bits, fmt.man_bits + 1))
    first = rng.randint(max(1 - fmt.bias, low), 0)
    second = max(1 - fmt.bias, min(fmt.bias, low - first + rng.randint(-1, 0)))
    return tuple(
        rng.randrange(2) << 15 | (e + fmt.bias) << fmt.man_bits
        | rng.choice((0, 1, (1 << fmt.man_bits) - 1, rng.randrange(1 << fmt.man_bits)))
        for e in (first, second)
    )


def any_lanes(fmt, rng, count):
    return tuple(random_lane(fmt, rng) for _ in range(count))


def add_lanes(fmt, rng):
    dice = rng.random()
    if dice < 0.4:
        return near_tie_sum(fmt, rng)
    if dice < 0.5:
        a = random_lane(fmt, rng)
        return a, a ^ 0x8000
    return any_lanes(fmt, rng, 2)


def mul_lanes(fmt, rng):
    dice = rng.random()
    if dice < 0.25:
        return tie_product(fmt, rng)
    if dice < 0.5:
        return underflow_product(fmt, rng)
    return any_lanes(fmt, rng, 2)


def fma_lanes(fmt, rng):
    """Returns factors, and an addend that cancels, slightly changes or ties with the product."""
    a, b = mul_lanes(fmt, rng)
    dice = rng.random()
    rounded = half.mul_lane(a, b, fmt, half.RN)
    if dice < 0.2:
        return a, b, rounded ^ 0x8000
    if dice < 0.45:
        return a, b, rng.choice((0, 0x8000, 1, 0x8001, 1 << fmt.man_bits))
    if dice < 0.65 and not half.is_nan(rounded, fmt):
        exponent = (rounded >> fmt.man_bits & fmt.exp_max) - fmt.bias
        step = rng.choice((-fmt.man_bits - 1, fmt.man_bits + 1, -fmt.man_bits, -1))
        return a, b, power_of_two(fmt, exponent + step, rng.randrange(2))
    return a, b, random_lane(fmt, rng)


def compare_lanes(fmt, rng):
    """Returns two lanes that are equal, opposite, adjacent or arbitrary."""
    a = rng.choice(boundary_lanes(fmt)) if rng.random() < 0.7 else random_lane(fmt, rng)
    dice = rng.random()
    if dice < 0.15:
        return a, a
    if dice < 0.3:
        return a, a ^ 0x8000
    if dice < 0.4:
        return a, (a + 1) & 0xFFFF
    return a, random_lane(fmt, rng)


def exact_tie(fmt, rng):
    """Returns two normal lanes whose exact product is halfway between two results."""
    while True:
        a, b = tie_product(fmt, rng)
        results = [half.mul_lane(a, b, fmt, mode) & 0x7FFF for mode in (half.RM, half.RP)]
        if results[0] == results[1] or max(results) >= fmt.inf:
            continue
        exact = half.product(half.decode_lane(a, fmt), half.decode_lane(b, fmt))[2]
        if exact * 2 == sum(half.decode_lane(bits, fmt)[2] for bits in results):
            return a, b


def tied_addend(fmt, rng):
    """Returns an addend c and factors whose product is about half a unit in the last place of c."""
    exponent = rng.randint(fmt.man_bits + 2, fmt.exp_max - 2)
    c = rng.randrange(2) << 15 | exponent << fmt.man_bits | rng.randrange(1 << fmt.man_bits)
    place = exponent - fmt.bias - fmt.man_bits - 1
    least = 1 - fmt.bias
    first = rng.randint(max(least, place - fmt.bias), min(fmt.bias, place - least))
    a = power_of_two(fmt, first, rng.randrange(2)) + rng.choice((0, 0, 1))
    b = power_of_two(fmt, place - first, rng.randrange(2)) + rng.choice((0, 0, 1))
    return a, b, c


def sharp_lanes(optype, fmt, rng):
    """Returns lanes that reveal an additional rounding or a lost low bit."""
    tiny = rng.choice((0, 1, 0x8001, 1 << fmt.man_bits, 0x8000 | 1 << fmt.man_bits))
    if optype == "HADD2":
        if rng.random() < 0.7:
            return near_tie_sum(fmt, rng)
        return rng.randint(fmt.one, fmt.inf - 1) | rng.choice((0, 0x8000)), tiny
    if optype == "HMUL2":
        return exact_tie(fmt, rng)
    return (*exact_tie(fmt, rng), tiny) if rng.random() < 0.6 else tied_addend(fmt, rng)


LANES = {"HADD2": add_lanes, "HMUL2": mul_lanes, "HFMA2": fma_lanes}


# HALU --------------------------------------------------------------------------------------------

def modifier_settings(op):
    """Yields all valid combinations of the modifiers that affect the result."""
    kinds = [sorted(SETS[op.fields[name].kind].values()) for name in op.mods]
    for values in product(*kinds):
        setting = dict(zip(op.mods, values))
        if not (setting["hfmt_v2"] and op.optype in LANES
                and (setting["ftz"] or setting["sat"])):
            if not (setting.get("sat") and setting.get("relu")):
                yield setting


def source_names(op):
    return [name for name in op.operands if name[0] in "ruv" and name != "rd"]


def choose_registers(op, rng):
    """Returns register numbers for all operands, sometimes equal or at the ends of the range."""
    values = {}
    numbers = rng.sample(range(1, 30), 6)
    for name in op.operands:
        kind = op.fields[name].kind
        dice = rng.random()
        if kind == "Reg":
            values[name] = RZ if dice < 0.04 else 254 if dice < 0.06 else numbers.pop()
        elif kind == "UReg":
            values[name] = URZ if dice < 0.06 else rng.randrange(63)
        elif kind == "CMem":
            values[name] = cmem(rng.choice((0, 0, 3, 31)), 4 * rng.choice((0, 1, 88, 0x7FFF)))
        elif kind == "Pred":
            values[name] = PT if dice < 0.2 else rng.randrange(7)
    if rng.random() < 0.08 and "rb" in values:
        values["rb"] = values["ra"]
    if rng.random() < 0.1 and "rd" in values:
        values["rd"] = values["ra"]
    if rng.random() < 0.12 and "pu" in values:
        values["pv"] = values["pu"]
    return values


def choose_source_modifiers(op, rng):
    values = {}
    plain = rng.random() < 0.5
    for name in source_names(op):
        if name + ".neg" in op.fields:
            values[name + ".neg"] = 0 if plain else rng.randrange(2)
            values[name + ".abs"] = 0 if plain else int(rng.random() < 0.3)
            values[name + ".hsel2"] = 0 if plain else rng.choice((0, 0, 2, 3))
    return values


def choose_guard(rng):
    dice = rng.random()
    if dice < 0.8:
        return {}
    return {"pg": rng.randrange(8) if dice > 0.82 else PT, "pg.not": rng.randrange(2)}


def location(inst, name):
    """Returns the name of an operand in the state, or None if the operand has no state."""
    kind, raw = inst.op.fields[name].kind, inst[name]
    if kind in ("Reg", "VReg"):
        return None if raw == RZ else f"R{raw}"
    if kind == "UReg":
        return None if raw == URZ else f"UR{raw}"
    if kind == "Pred":
        return None if raw == PT else f"P{raw}"
    return cmem_text(raw) if kind == "CMem" else None


def predicates(inst, rng):
    """Returns random values of the predicates that an instruction reads."""
    names = [name for name in ("pg", "pp") if name in inst.op.fields]
    places = [location(inst, name) for name in names]
    return {place: rng.randrange(2) for place in places if place}


def halu_case(op, setting, rng):
    fmt = FORMATS[setting["hfmt_v2"]]
    lanes = LANES.get(op.optype, compare_lanes)
    words = [high << 16 | low for low, high in zip(lanes(fmt, rng), lanes(fmt, rng))]
    values = {**setting, **choose_registers(op, rng), **choose_source_modifiers(op, rng)}
    values.update(choose_guard(rng))
    if "pp.not" in op.fields:
        values["pp.not"] = rng.randrange(2)
    names = source_names(op)
    for name, word in zip(names, words):
        if op.fields[name].kind == "F16ImmX2":
            values[name] = word
    inst = make(op.name, **values)
    state = predicates(inst, rng)
    for name, word in zip(names, words):
        place = location(inst, name)
        if place:
            state[place] = word
    return inst, state


def sharp_case(op, number, rng):
    """Returns a case without modifiers other than format and rounding, half of them to nearest."""
    values = {"hfmt_v2": number & 1, "rnd": (number >> 2 & 3) if number & 2 else half.RN}
    fmt = FORMATS[values["hfmt_v2"]]
    pairs = (sharp_lanes(op.optype, fmt, rng), sharp_lanes(op.optype, fmt, rng))
    state = {}
    for i, (name, low, high) in enumerate(zip(source_names(op), *pairs)):
        kind = op.fields[name].kind
        word = high << 16 | low
        values[name] = word if kind == "F16ImmX2" else i + 1
        if kind == "CMem":
            values[name] = cmem(i, 4 * number)
        if kind != "F16ImmX2":
            state[name] = word
    inst = make(op.name, rd=0, **values)
    return inst, {location(inst, name): word for name, word in state.items()}


def halu_cases(op, rng):
    settings = list(modifier_settings(op))
    rng.shuffle(settings)
    for i in range(ARITH_CASES if op.optype in LANES else OTHER_CASES):
        yield halu_case(op, settings[i % len(settings)], rng)
    for number in range(SHARP_CASES if op.optype in LANES else 0):
        yield sharp_case(op, number, rng)


# Video -------------------------------------------------------------------------------------------

def video_word(lanes, rng):
    bits = 32 // lanes
    top = 1 << bits
    edges = (0, 1, 2, top - 1, top - 2, top // 2, top // 2 - 1, top // 2 + 1, top // 4)
    picked = (rng.choice(edges) if rng.random() < 0.7 else rng.randrange(top) for _ in range(lanes))
    return sum(lane << bits * i for i, lane in enumerate(picked))


def video_case(op, number, rng):
    kind = number // 8 % 3
    values = {
        "dtype": number & 1, "atype": number >> 1 & 1, "btype": number >> 2 & 1,
        "sat": int(kind == 1), "add": int(kind == 2), **choose_guard(rng),
    }
    for name, register in zip("dabc", rng.sample(range(30), 4)):
        values[name] = RZ if rng.random() < 0.05 else register
    if rng.random() < 0.1:
        values["d"] = values["c"]
    if rng.random() < 0.1:
        values["b"] = values["a"]
    if rng.random() < 0.6:
        values["mask"] = rng.randrange(1, 1 << op.lanes)
    for name in ("asel", "bsel"):
        if rng.random() < 0.5:
            values[name] = rng.randrange(1 << op.fields[name].width)
    inst = make(op.name, **values)
    state = predicates(inst, rng)
    for name in "abc":
        place = location(inst, name)
        if place:
            state[place] = video_word(op.lanes, rng)
    return inst, state


# -------------------------------------------------------------------------------------------------

def line(inst, state):
    assert not reasons(encode(inst)), inst
    return f"{to_text(inst)} | {state_text(state)} | {state_text(execute(inst, state))}"


def generate(family):
    rng = rng_for(f"exec-{family}")
    lines = header(
        "Executions of single instructions.",
        "<canonical text> | <state before> | <written locations>")
    lines.append("# A location that the state does not contain is 0. `-` means no location.")
    lines.append("# Written locations are listed even if their value does not change.")
    for op in HALU if family == "halu" else VIDEO:
        lines.append(f"# {op.name}")
        if family == "halu":
            made = [line(*case) for case in halu_cases(op, rng)]
        else:
            made = [line(*video_case(op, number, rng)) for number in range(VIDEO_CASES)]
        lines += dict.fromkeys(made)
    return lines
