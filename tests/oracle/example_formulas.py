"""Computes the results of the example programs with direct formulas, without instructions.

This file uses nothing from the model. Rounding searches a value among all finite numbers of the
format, `struct` converts half and single floats, and pixels are integers. Each program has test
cases (title, state before), and a function that computes the outputs in its file from a state.
"""

import math
import random
import struct
from bisect import bisect_left
from fractions import Fraction

NAN = 0x7FFF


def half(bits):
    """Returns a half float as a Python float, which is exact."""
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def half_bits(value):
    """Returns the bits of the nearest half float, ties to even, or the canonical NaN."""
    return NAN if math.isnan(value) else struct.unpack("<H", struct.pack("<e", value))[0]


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def single_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


FINITE_HALVES = tuple(Fraction(half(bits)) for bits in range(0x7C00))
FINITE_BFLOATS = tuple(Fraction(single(bits << 16)) for bits in range(0x7F80))


def nearest_bits(value, finite=FINITE_HALVES):
    """Returns the bits of the nearest finite number, ties to even. Overflow is an error."""
    magnitude = abs(value)
    above = bisect_left(finite, magnitude)
    assert above < len(finite), "the examples stay finite"
    below = max(above - 1, 0)
    gap_below, gap_above = magnitude - finite[below], finite[above] - magnitude
    if gap_below == gap_above:
        bits = below if below % 2 == 0 else above
    else:
        bits = below if gap_below < gap_above else above
    return bits | (0x8000 if value < 0 else 0)


def rounded(value):
    """Returns the nearest half float as a fraction."""
    return Fraction(half(nearest_bits(value)))


def lanes(word):
    """Returns the low and the high half of a word."""
    return word & 0xFFFF, word >> 16


def pack(low, high):
    return high << 16 | low


def fractions(word):
    return [Fraction(half(bits)) for bits in lanes(word)]


def pixels(*words):
    """Returns the bytes of words, the lowest first."""
    return list(struct.pack(f"<{len(words)}I", *words))


def word_of(four):
    return struct.unpack("<I", bytes(four))[0]


def registers(state, *numbers):
    return [state[f"R{number}"] for number in numbers]


def given(**state):
    """Returns a state that specifies inputs, so P6 is set."""
    return {"P6": 1, **state}


def random_words(rng, numbers, draw):
    return given(**{f"R{number}": draw(rng) for number in numbers})


def packed_halves(*values):
    """Returns registers that contain pairs of values, in the order (high, low) of immediates."""
    return [half_bits(high) << 16 | half_bits(low) for high, low in values]


def small_word(rng):
    """Returns two random half floats between -8 and 8."""
    return pack(*(half_bits(rng.uniform(-8, 8)) for _ in range(2)))


# The dot product.

DOT_SAMPLE = packed_halves((2, 1), (4, 3), (6, 5), (8, 7), (0.25, 0.5), (2, -1), (-0.75, 0.125),
                           (1.5, 3))


def dot_cases():
    rng = random.Random("dot product")
    # No half float represents 2048 + 1 = 2049. The even sum stays at 2048, and the ones are lost.
    lost = packed_halves((0, 2048), (0, 1), (0, 1), (0, 1), *[(1, 1)] * 4)
    yield "the sample: the sum is 35.125", {}
    yield "2048 + 1 + 1 + 1 in f16: each sum rounds back to 2048", given(
        **{f"R{i}": word for i, word in enumerate(lost)})
    for number in range(6):
        yield f"random vectors, {number}", random_words(rng, range(8), small_word)


def dot_product(state):
    words = registers(state, *range(8)) if state else DOT_SAMPLE
    a, b = ([x for word in part for x in fractions(word)] for part in (words[:4], words[4:]))
    sums = [Fraction(0), Fraction(0)]
    for i, (x, y) in enumerate(zip(a, b)):
        sums[i % 2] = rounded(sums[i % 2] + x * y)
    total = rounded(sums[0] + sums[1])
    bits = nearest_bits(total)
    return {
        "R8": pack(*map(nearest_bits, sums)), "R9": pack(bits, bits), "R10": single_bits(total),
    }


# The polynomial.

POLY_SAMPLE = packed_halves((0.5, -0.75))[0]
POLY_PLACES = ["UR4", *(f"c[0x0][0x{offset:x}]" for offset in range(0x170, 0x15C, -4))]


def coefficients(high, low):
    """Returns a state that contains c0..c5 for the high and for the low half."""
    return dict(zip(POLY_PLACES, packed_halves(*zip(high, low))))


def poly_cases():
    rng = random.Random("polynomial")
    sine, cosine = (0, 1, 0, -1 / 6, 0, 1 / 120), (1, 0, -1 / 2, 0, 1 / 24, 0)
    line = (-1.5, 3, 0, 0, 0, 0)
    yield "the sample: e^0.5 and e^-0.75", {}
    yield "e^1 and e^0", given(R0=0x3C000000)
    for number in range(4):
        word = pack(*(half_bits(rng.uniform(-1, 1)) for _ in range(2)))
        yield f"e^x of random values, {number}", given(R0=word)
    for angle in (0.5, 1.0, -0.25):
        word = packed_halves((angle, angle))[0]
        title = f"coefficients given: cosine and sine of {angle}"
        yield title, given(P5=1, R0=word, **coefficients(cosine, sine))
    yield "coefficients given: 3*x - 1.5 in both halves", given(
        P5=1, R0=packed_halves((0.5, 7))[0], **coefficients(line, line))


def polynomial(state):
    results = []
    for lane, x in enumerate(fractions(state.get("R0", POLY_SAMPLE))):
        if state.get("P5"):
            c = [fractions(state[place])[lane] for place in POLY_PLACES]
        else:
            c = [rounded(Fraction(1, math.factorial(k))) for k in range(6)]
        value = c[5]
        for k in (4, 3, 2, 1, 0):
            value = rounded(value * x + c[k])
        if not state.get("P5"):
            assert abs(value - Fraction(math.exp(x))) < Fraction(4, 1000), (x, value)
        results.append(nearest_bits(value))
    return {"R1": pack(*results)}


# The clamp.

CLAMP_SAMPLE = (*packed_halves((7.5, -2)), pack(half_bits(0.625), NAN))


def clamp_cases():
    rng = random.Random("clamp")
    yield "the sample: 7.5, -2, a NaN, 0.625", {}
    yield "infinities, zeros", given(R0=0x7C00FC00, R1=0x80000000)
    yield "the bounds and values next to them", given(R0=0x46004601, R1=0x3C003C01)
    yield "NaNs of both signs with payloads, subnormals", given(R0=0x7C01FE37, R1=0x00018001)
    for number in range(4):
        yield f"random bits, {number}", random_words(rng, (0, 1), lambda r: r.getrandbits(32))


def bounded(value, upper, of_nan):
    """Returns the bits of a value clamped to [0, upper]. Zeros become +0."""
    if math.isnan(value):
        return half_bits(of_nan)
    if value <= 0:
        return 0
    return half_bits(min(value, upper))


def clamp(state):
    outputs = {}
    words = registers(state, 0, 1) if state else CLAMP_SAMPLE
    for first, upper, of_nan in ((2, 6.0, 0.0), (4, 6.0, math.nan), (6, 1.0, 0.0)):
        for i, word in enumerate(words):
            results = (bounded(half(bits), upper, of_nan) for bits in lanes(word))
            outputs[f"R{first + i}"] = pack(*results)
    return outputs


# The selection.

SELECT_SAMPLE = packed_halves((-3, 2.5))[0]


def select_cases():
    rng = random.Random("select")
    yield "the sample: -3 and 2.5", {}
    yield "zeros of both signs", given(R0=0x80000000)
    yield "infinities: the factors produce the NaN of 0 * INF", given(R0=0xFC007C00)
    yield "a NaN, which is not positive, and the largest half", given(R0=0x7E017BFF)
    yield "subnormals", given(R0=0x03FF800F)
    for number in range(4):
        yield f"random values, {number}", random_words(rng, (0,), small_word)


def select(state):
    by_choice, by_factor, positive = [], [], []
    for bits in lanes(state.get("R0", SELECT_SAMPLE)):
        x = half(bits)
        # x / 8 is exact as a float, so half_bits rounds once.
        result = half_bits(x if x > 0 else x / 8)
        positive.append(x > 0)
        by_choice.append(result)
        # The program multiplies either x or x/8 by 0, and 0 * INF is NaN.
        by_factor.append(NAN if math.isinf(x) else result)
    masks = pack(*by_choice)
    return {
        "R6": masks, "R10": pack(*by_factor), "R11": masks,
        "P0": int(positive[0]), "P1": int(positive[1]),
    }


# The sum of absolute differences.

SAD_PIXELS = bytes.fromhex("1b253245 586d7872 604d3b2e 241b1612")
SAD_REFERENCE = bytes.fromhex("121a2533 44586e78 71604d3c 2e231b16 13000000")


def sad_cases():
    rng = random.Random("sad")
    black = given(**{f"R{i}": 0 for i in range(9)})
    yield "the sample: the position one pixel further matches better", {}
    yield "white on black: the largest sum, 4080, at both positions", {
        **black, **{f"R{i}": 0xFFFFFFFF for i in range(4)}}
    yield "the same row twice: the original position matches better", given(
        **{f"R{i}": word_of(range(16 * (i % 4), 16 * (i % 4) + 16, 4)) for i in range(9)})
    for number in range(4):
        yield f"random pixels, {number}", random_words(
            rng, range(9), lambda r: r.getrandbits(32))


def sad(state):
    row, reference = SAD_PIXELS, SAD_REFERENCE
    if state:
        row, reference = pixels(*registers(state, 0, 1, 2, 3)), pixels(
            *registers(state, 4, 5, 6, 7, 8))
    here, further = (
        sum(abs(row[i] - reference[i + shift]) for i in range(16)) for shift in (0, 1)
    )
    return {
        "R20": here, "R21": further, "R22": min(here, further), "P0": int(further < here),
    }


# The blend.

BLEND_SAMPLE = (0x8010C8FF, 0x800040E6, 0xC0F06401, 0xC00B8C7B)


def blend_cases():
    rng = random.Random("blend")
    yield "the sample", {}
    yield "white over black, black over white", given(
        R0=0xFFFFFFFF, R1=0xFF000000, R2=0xFF000000, R3=0xFFFFFFFF)
    for number in range(5):
        yield f"random pixels, {number}", random_words(
            rng, range(4), lambda r: r.getrandbits(32))


def blend(state):
    words = registers(state, 0, 1, 2, 3) if state else BLEND_SAMPLE
    outputs = {}
    for i in (0, 1):
        front, back = pixels(words[i]), pixels(words[i + 2])
        colour = [(f + b + 1) // 2 for f, b in zip(front[:3], back[:3])]
        for register, change in ((4, (0, 0, 0)), (6, (48, 48, 48)), (8, (32, 0, -32))):
            changed = [max(0, min(255, c + d)) for c, d in zip(colour, change)]
            outputs[f"R{register + i}"] = word_of([*changed, back[3]])
    return outputs


# Pixels for a network.

MIXED_SAMPLE = 0xC8643210


def mixed_cases():
    rng = random.Random("mixed")
    yield "the sample: 16, 50, 100, 200", {}
    yield "0, 10, 128, 255: below the range and above it", given(R0=0xFF800A00)
    yield "ties: 1.25 * p is halfway between two integers", given(R0=0x22621E32)
    for number in range(5):
        yield f"random pixels, {number}", random_words(rng, (0,), lambda r: r.getrandbits(32))


def mixed(state):
    # Python rounds fractions to the nearest integer, ties to even.
    adjusted = [
        max(0, min(255, round(Fraction(5, 4) * p - 16)))
        for p in pixels(state.get("R0", MIXED_SAMPLE))
    ]
    scaled = [Fraction((p + 1) // 2, 128) for p in adjusted]
    bfloats = [nearest_bits(x, FINITE_BFLOATS) for x in scaled]
    assert all(FINITE_BFLOATS[bits] == x for bits, x in zip(bfloats, scaled))
    return {
        "R6": word_of(adjusted), "R8": single_bits(sum(adjusted) / 4),
        "R12": pack(*bfloats[:2]), "R13": pack(*bfloats[2:]),
    }


PROGRAMS = {
    "dot_product": (dot_cases, dot_product),
    "polynomial": (poly_cases, polynomial),
    "clamp": (clamp_cases, clamp),
    "select": (select_cases, select),
    "sad": (sad_cases, sad),
    "blend": (blend_cases, blend),
    "mixed": (mixed_cases, mixed),
}
