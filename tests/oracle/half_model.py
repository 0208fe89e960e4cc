"""Exact half-precision lane arithmetic: values are fractions, and each result is rounded once.

A lane is a 16-bit pattern with a format. A decoded lane is (kind, sign, magnitude) with kind
"nan", "inf" or "num". The sign is separate because zeros also have a sign.
"""

from fractions import Fraction
from typing import NamedTuple

NAN_BITS = 0x7FFF
RN, RM, RP, RZ_MODE = 0, 1, 2, 3


class Format(NamedTuple):
    name: str
    exp_bits: int
    man_bits: int

    @property
    def bias(self):
        return (1 << (self.exp_bits - 1)) - 1

    @property
    def exp_max(self):
        return (1 << self.exp_bits) - 1

    @property
    def inf(self):
        return self.exp_max << self.man_bits

    @property
    def one(self):
        return self.bias << self.man_bits


F16 = Format("F16_V2", 5, 10)
BF16 = Format("BF16_V2", 8, 7)
FORMATS = (F16, BF16)


def power(exponent):
    return Fraction(2) ** exponent


def fields(bits, fmt):
    sign = bits >> 15
    exponent = bits >> fmt.man_bits & fmt.exp_max
    return sign, exponent, bits & ((1 << fmt.man_bits) - 1)


def decode_lane(bits, fmt):
    sign, exponent, mantissa = fields(bits, fmt)
    if exponent == fmt.exp_max:
        return ("nan" if mantissa else "inf"), sign, None
    if exponent == 0:
        return "num", sign, mantissa * power(1 - fmt.bias - fmt.man_bits)
    implied = mantissa + (1 << fmt.man_bits)
    return "num", sign, implied * power(exponent - fmt.bias - fmt.man_bits)


def is_nan(bits, fmt):
    return decode_lane(bits, fmt)[0] == "nan"


def is_subnormal(bits, fmt):
    _, exponent, mantissa = fields(bits, fmt)
    return exponent == 0 and mantissa != 0


def flush(bits, fmt, ftz):
    return bits & 0x8000 if ftz and is_subnormal(bits, fmt) else bits


def floor_log2(value):
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return exponent if power(exponent) <= value else exponent - 1


def round_magnitude(sign, magnitude, fmt, mode):
    """Returns the bits of the rounded value. Underflow is gradual; the mode determines overflow."""
    if magnitude == 0:
        return sign << 15
    exponent = max(floor_log2(magnitude), 1 - fmt.bias)
    quantum = power(exponent - fmt.man_bits)
    units, rest = divmod(magnitude, quantum)
    units = int(units)
    if mode == RN:
        twice = 2 * rest
        up = twice > quantum or (twice == quantum and units & 1)
    else:
        away = {RM: sign == 1, RP: sign == 0, RZ_MODE: False}[mode]
        up = rest != 0 and away
    units += bool(up)
    rounded = units * quantum
    largest = power(fmt.bias + 1) - power(fmt.bias - fmt.man_bits)
    if rounded > largest:
        to_infinity = mode == RN or (mode == RP and not sign) or (mode == RM and sign)
        return sign << 15 | (fmt.inf if to_infinity else fmt.inf - 1)
    return sign << 15 | encode_magnitude(rounded, fmt)


def encode_magnitude(value, fmt):
    """Returns the bits of a value that the format represents exactly."""
    if value == 0:
        return 0
    exponent = max(floor_log2(value), 1 - fmt.bias)
    units = value / power(exponent - fmt.man_bits)
    assert units.denominator == 1
    units = units.numerator
    if units < 1 << fmt.man_bits:
        return units
    return (exponent + fmt.bias) << fmt.man_bits | (units - (1 << fmt.man_bits))


def product(x, y):
    """Returns the exact product of decoded lanes."""
    (kx, sx, mx), (ky, sy, my) = x, y
    sign = sx ^ sy
    if "nan" in (kx, ky):
        return "nan", 0, None
    if "inf" in (kx, ky):
        if mx == 0 or my == 0:
            return "nan", 0, None
        return "inf", sign, None
    return "num", sign, mx * my


def total(x, y, mode):
    """Returns the exact sum of decoded lanes. The mode only affects the sign of x - x."""
    (kx, sx, mx), (ky, sy, my) = x, y
    if "nan" in (kx, ky):
        return "nan", 0, None
    if kx == "inf" and ky == "inf":
        return ("inf", sx, None) if sx == sy else ("nan", 0, None)
    if kx == "inf":
        return x
    if ky == "inf":
        return y
    value = (-mx if sx else mx) + (-my if sy else my)
    if value == 0:
        sign = sx if sx == sy else int(mode == RM)
        return "num", sign, Fraction(0)
    return "num", int(value < 0), abs(value)


def saturate(bits, fmt):
    if is_nan(bits, fmt) or bits & 0x8000:
        return 0
    return min(bits, fmt.one)


def rectify(bits, fmt):
    """Replaces negative values with +0, but keeps -0 and NaN."""
    negative = bits & 0x8000 and not is_nan(bits, fmt) and bits != 0x8000
    return 0 if negative else bits


def finish(value, fmt, mode, ftz, sat, relu):
    """Converts the exact value to the bits of the result."""
    kind, sign, magnitude = value
    if kind == "nan":
        bits = NAN_BITS
    elif kind == "inf":
        bits = sign << 15 | fmt.inf
    else:
        bits = round_magnitude(sign, magnitude, fmt, mode)
    if sat:
        bits = saturate(bits, fmt)
    elif relu:
        bits = rectify(bits, fmt)
    bits = flush(bits, fmt, ftz)
    return NAN_BITS if is_nan(bits, fmt) else bits


def add_lane(a, b, fmt, mode, ftz=0, sat=0):
    value = total(decode_lane(a, fmt), decode_lane(b, fmt), mode)
    return finish(value, fmt, mode, ftz, sat, 0)


def mul_lane(a, b, fmt, mode, ftz=0, sat=0):
    value = product(decode_lane(a, fmt), decode_lane(b, fmt))
    return finish(value, fmt, mode, ftz, sat, 0)


def fma_lane(a, b, c, fmt, mode, ftz=0, sat=0, relu=0):
    t = product(decode_lane(a, fmt), decode_lane(b, fmt))
    return finish(total(t, decode_lane(c, fmt), mode), fmt, mode, ftz, sat, relu)


def widen(bits, fmt):
    """Returns the f32 bits of a lane, which are exact."""
    kind, sign, magnitude = decode_lane(bits, fmt)
    if kind == "nan":
        return 0x7FFFFFFF
    if kind == "inf":
        return sign << 31 | 0x7F800000
    if magnitude == 0:
        return sign << 31
    exponent = max(floor_log2(magnitude), -126)
    units = magnitude / power(exponent - 23)
    assert units.denominator == 1
    units = units.numerator
    if units < 1 << 23:
        return sign << 31 | units
    return sign << 31 | (exponent + 127) << 23 | (units - (1 << 23))


def minmax_lane(a, b, fmt, minimum, nan_wins):
    nan_a, nan_b = is_nan(a, fmt), is_nan(b, fmt)
    if nan_a and nan_b or nan_wins and (nan_a or nan_b):
        return NAN_BITS
    if nan_a:
        return b
    if nan_b:
        return a
    a_first = order_key(a) <= order_key(b)
    return a if a_first == bool(minimum) else b


def order_key(bits):
    """Returns an integer that orders lanes other than NaN by value, with -0 just below +0."""
    return -1 - (bits & 0x7FFF) if bits & 0x8000 else bits


def compare_lane(a, b, fmt, name):
    """Evaluates the comparison with this name."""
    unordered = is_nan(a, fmt) or is_nan(b, fmt)
    if name == "NUM":
        return not unordered
    if name == "NAN":
        return unordered
    if unordered:
        return name.endswith("U")
    x, y = (_key_without_zero_sign(bits) for bits in (a, b))
    return {
        "LT": x < y, "LE": x <= y, "GT": x > y, "GE": x >= y, "EQ": x == y, "NE": x != y,
    }[name.removesuffix("U")]


def _key_without_zero_sign(bits):
    magnitude = bits & 0x7FFF
    return -magnitude if bits & 0x8000 else magnitude
