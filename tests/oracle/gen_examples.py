"""Generates the examples of the HALU specification, with their words and executions.

If the comment of an example contains a formula, this script evaluates the same formula with
doubles, on operands for which doubles are exact, and compares the result with the model.
"""

import struct

from asm_parse import parse_one
from asm_print import to_text
from gen_common import header
from machine import execute, state_text
from word import encode, hex_word

# Operand pairs (high, low) whose sums and products are exact half floats.
VALUES = [(1.5, -2.0), (0.25, 3.0), (-7.0, 0.5), (0.0, -1.0), (12.0, 0.125), (-0.75, 100.0)]


def half_bits(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def pack(pair):
    high, low = pair
    return half_bits(high) << 16 | half_bits(low)


def unit(value):
    """Clamps a value to [0, 1]."""
    return max(0.0, min(1.0, value))


def lanes(function, *pairs):
    """Applies a function to the high elements, then to the low ones."""
    return tuple(function(*column) for column in zip(*pairs))


def low(pair):
    return (pair[1], pair[1])


def high(pair):
    return (pair[0], pair[0])


def smaller(first, second, minimum):
    return lanes(min if minimum else max, first, second)


# (text, registers read, formula for the destination as a (high, low) pair)
ARITH = (
    ("HADD2        R0, R1.H0_H0,    R2 ;", (1, 2), 0,
     lambda r, _: lanes(lambda a, b: a + b, low(r[1]), r[2])),
    ("HADD2.SAT    R3,       R6,   -R7 ;", (6, 7), 3,
     lambda r, _: lanes(lambda a, b: unit(a - b), r[6], r[7])),
    ("HADD2.RN.FTZ R1,    -|R4|, -1, 1 ;", (4,), 1,
     lambda r, _: lanes(lambda a, b: -abs(a) + b, r[4], (-1.0, 1.0))),
    ("HMUL2        R0,    R1,        R2 ;", (1, 2), 0,
     lambda r, _: lanes(lambda a, b: a * b, r[1], r[2])),
    ("HMUL2.SAT    R3,    R6, -R7.H0_H0 ;", (6, 7), 3,
     lambda r, _: lanes(lambda a, b: unit(a * -b), r[6], low(r[7]))),
    ("HMUL2.RN.FTZ R1, -|R4|,     0, -1 ;", (4,), 1,
     lambda r, _: lanes(lambda a, b: -abs(a) * b, r[4], (0.0, -1.0))),
    ("HFMA2 R0, R1, R2.H1_H1, RZ;", (1, 2), 0,
     lambda r, _: lanes(lambda a, b: a * b + 0.0, r[1], high(r[2]))),
    ("HMNMX2 R0, -|R1|,    -|R2|, !PT ;", (1, 2), 0,
     lambda r, _: smaller(*(lanes(lambda a: -abs(a), r[n]) for n in (1, 2)), False)),
    ("HMNMX2 R0,    R1,     1,-4,  P0 ;", (1,), 0,
     lambda r, p: smaller(r[1], (1.0, -4.0), p["P0"])),
    ("HMNMX2 R0,    R1, 0.125,-2, !P1 ;", (1,), 0,
     lambda r, p: smaller(r[1], (0.125, -2.0), not p["P1"])),
)
SETS = (
    ("HSETP2.LE.AND     P0, P1,    R4,     R6,  PT;", (4, 6),
     lambda r: lanes(lambda a, b: a <= b, r[4], r[6])),
    ("HSETP2.FTZ.GTU.OR P0, P1, -|R5|,  -1, 0, !PT;", (5,),
     lambda r: lanes(lambda a, b: -abs(a) > b, r[5], (-1.0, 0.0))),
    ("HSET2.LE.AND        R1,    R4,     R6,  PT;", (4, 6),
     lambda r: lanes(lambda a, b: a <= b, r[4], r[6])),
    ("HSET2.FTZ.GTU.OR.BF R0, -|R5|,  -1, 0, !PT;", (5,),
     lambda r: lanes(lambda a, b: -abs(a) > b, r[5], (-1.0, 0.0))),
)


def state_for(index, registers):
    """Returns the values of the registers, and a state with these values and varying predicates."""
    values = {n: VALUES[(index + 2 * i) % len(VALUES)] for i, n in enumerate(registers)}
    state = {f"R{n}": pack(pair) for n, pair in values.items()}
    return values, state


def case_line(inst, state):
    return f"case | {state_text(state)} | {state_text(execute(inst, state))}"


def arith_cases(inst, registers, destination, formula):
    for index in range(6):
        values, state = state_for(index, registers)
        preds = {"P0": index & 1, "P1": index >> 1 & 1}
        state.update({name: preds[name] for name in preds if name in to_text(inst)})
        expected = {f"R{destination}": pack(formula(values, preds))}
        assert execute(inst, state) == expected, (to_text(inst), state, expected)
        yield case_line(inst, state)


def set_cases(inst, registers, formula):
    for index in range(6):
        values, state = state_for(index, registers)
        first, second = formula(values)
        if inst.op.optype == "HSETP2":
            expected = {"P0": int(second), "P1": int(first)}
        else:
            true = 0x3C00 if inst["bval"] else 0xFFFF
            expected = {f"R{inst['rd']}": true * first << 16 | true * second}
        assert execute(inst, state) == expected, (to_text(inst), state, expected)
        yield case_line(inst, state)


def example_line(text, inst):
    return f"example | {text} | {to_text(inst)} | {hex_word(encode(inst))}"


def generate(_family):
    lines = header(
        "The examples of the HALU specification.",
        "example | <text> | <canonical text> | <word>, then its cases:",
    )
    lines.insert(2, "#     case | <state before> | <written locations>")
    for text, registers, destination, formula in ARITH:
        inst = parse_one(text)
        lines.append(example_line(text, inst))
        lines += arith_cases(inst, registers, destination, formula)
    for text, registers, formula in SETS:
        inst = parse_one(text)
        lines.append(example_line(text, inst))
        lines += set_cases(inst, registers, formula)
    return lines
