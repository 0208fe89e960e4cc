"""Proves that the video instructions follow their manual, for all words and all inputs.

    prove.py MODULE [SHARE]

MODULE is the example `video_word` of isa-defs as WebAssembly. A form is an operation with its types and
with `.sat`, `.add` or neither. Each proof covers one form with all masks, all selectors and all values of
the three sources. With SHARE, only one in SHARE forms is proved. This script specifies the manual's results
lane by lane, in numbers that are wide enough for every result.
"""

import sys
import time

import z3
from module import Module
from wasm import Known, paths, term

OPERATIONS = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"]
WIDE = 32
ILLEGAL = z3.BitVecVal(2**64 - 1, 64)


def wide(value, is_signed):
    extend = z3.SignExt if is_signed else z3.ZeroExt
    return extend(WIDE - value.size(), value)


def operate(name, a, b):
    total, difference = a + b, a - b
    return {
        "vadd": total,
        "vsub": difference,
        "vavrg": z3.If(total >= 0, (total + 1) >> 1, total >> 1),
        "vabsdiff": z3.If(difference < 0, -difference, difference),
        "vmin": z3.If(a < b, a, b),
        "vmax": z3.If(a > b, a, b),
    }[name]


def selected(a, b, lanes, selector):
    """Returns a register with the lanes that a selector chooses from the lanes of `a`, then of `b`."""
    bits, digit = 32 // lanes, selector.size() // lanes
    pool = [z3.Extract(bits * i + bits - 1, bits * i, source) for source in (a, b) for i in range(lanes)]
    register = []
    for i in range(lanes):
        number, lane = z3.Extract(digit * i + digit - 1, digit * i, selector), pool[-1]
        for place in reversed(range(len(pool) - 1)):
            lane = z3.If(number == place, pool[place], lane)
        register.append(lane)
    return z3.Concat(*reversed(register))


def results(form, va, vb):
    """Returns the exact result of each lane of two registers, before `.sat`."""
    lanes, name, (_, atype, btype), _, _ = form
    bits = 32 // lanes
    lane = lambda register, i: z3.Extract(bits * i + bits - 1, bits * i, register)
    return [operate(name, wide(lane(va, i), atype), wide(lane(vb, i), btype)) for i in range(lanes)]


def merged(form, mask, t, c):
    """Returns the value of `d` without `.add`, from the results of the lanes."""
    lanes, _, (dtype, _, _), is_sat, _ = form
    bits = 32 // lanes
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype else (0, (1 << bits) - 1)
    register = []
    for i, result in enumerate(t):
        if is_sat:
            result = z3.If(result < low, low, z3.If(result > high, high, result))
        kept = z3.Extract(bits * i + bits - 1, bits * i, c)
        register.append(z3.If(z3.Extract(i, i, mask) == 1, z3.Extract(bits - 1, 0, result), kept))
    return z3.Concat(*reversed(register))


def word(form, mask, asel, bsel):
    """Encodes `vop r4, r1, r2, r3` and returns both halves of the word."""
    lanes, name, types, is_sat, is_add = form
    number = (0x80 if lanes == 2 else 0x88) + OPERATIONS.index(name)
    low = number | 2 << 8 | 7 << 12 | 4 << 16 | 1 << 24 | 2 << 32 | is_sat << 43 | is_add << 44
    low |= sum(kind << 40 + place for place, kind in enumerate(types))
    top = 64 - 45 - mask.size()
    low = z3.Concat(z3.BitVecVal(0, top), mask, z3.BitVecVal(low, 45))
    between = [z3.BitVecVal(0, 8)] if lanes == 2 else []
    above = z3.BitVecVal(0, 128 - 84 - bsel.size())
    return low, z3.Concat(above, bsel, *between, asel, z3.BitVecVal(3, 8))


def prove(module, execute, form):
    """Proves a form on each of its paths, and returns the number of paths."""
    lanes = form[0]
    mask = z3.BitVec("mask", lanes)
    asel, bsel = (z3.BitVec(name, 4 if lanes == 2 else 12) for name in ("asel", "bsel"))
    a, b, c, va, vb = z3.BitVecs("a b c va vb", 32)
    # The proof names intermediate values: first the registers of selected lanes and, for `.add`, also
    # the results of the lanes, the masked results and their sum.
    t = results(form, va, vb)
    terms = [(selected(a, b, lanes, asel), va), (selected(a, b, lanes, bsel), vb)]
    ranges, total = [], z3.BitVec("total", WIDE)
    if form[4]:
        names, parts = ([z3.BitVec(f"{kind}{i}", WIDE) for i in range(lanes)] for kind in "tu")
        masked = [z3.If(z3.Extract(i, i, mask) == 1, names[i], 0) for i in range(lanes)]
        terms += [*zip(t, names), *zip(masked, parts), (sum(parts[1:], parts[0]), total)]
        widest = 1 << 32 // lanes + 1
        for size, group in [(1, names), (1, parts), (lanes, [total])]:
            ranges += [fact for name in group
                       for fact in (name >= 0, name >= -size * widest, name < size * widest)]
    known = Known([mask, asel, bsel, a, b, c], terms, ranges)
    conditions = []
    for run, result in paths(module, execute, [*word(form, mask, asel, bsel), a, b, c], known):
        expected = c + total if form[4] else merged(form, mask, t, c)
        expected = z3.If(mask == 0, ILLEGAL, z3.ZeroExt(32, expected))
        if not run.is_proved(term(result, 64) == expected):
            sys.exit(f"{form}: not as the manual says where {run.conditions}")
        conditions.append(z3.And(run.conditions))
    solver = z3.SolverFor("QF_BV")
    solver.add(z3.Not(z3.Or(conditions)))
    assert solver.check() == z3.unsat, "the paths have all inputs"
    return len(conditions)


def main():
    share = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with open(sys.argv[1], "rb") as file:
        module = Module(file.read())
    forms = [
        (lanes, name, (types & 1, types >> 1 & 1, types >> 2 & 1), mode == 1, mode == 2)
        for lanes in (2, 4) for name in OPERATIONS for types in range(8) for mode in range(3)
    ]
    forms, start = forms[::share], time.monotonic()
    count = sum(prove(module, module.function("execute"), form) for form in forms)
    print(f"{len(forms)} forms, {count} paths, {time.monotonic() - start:.0f} s")


main()
