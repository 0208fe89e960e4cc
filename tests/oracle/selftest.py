"""Compares the model with other references: `python3 tests/oracle/selftest.py`.

The references are the half floats of the struct module, bit operations on single floats, bounds of
the exact value, and values computed by hand.
"""

import random
import struct
import unittest
from fractions import Fraction

import half_model as half
from asm_print import lane_text, to_text
from asm_parse import AsmError, lane_bits, parse_one, parse_program
from gen_common import boundary_lanes, random_inst
from half_model import BF16, F16, RM, RN, RP, RZ_MODE
from machine import execute
from programs import answer, run_text
from tables import HALU, OPCODES, VIDEO
from word import classify, cmem, decode, encode, make, reasons


def half_bits(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def half_value(bits):
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def single_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def single_value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def signed(bits, fmt):
    _, sign, magnitude = half.decode_lane(bits, fmt)
    return -magnitude if sign else magnitude


def round_fraction(value, fmt, mode):
    return half.round_magnitude(int(value < 0), abs(value), fmt, mode)


class Rounding(unittest.TestCase):
    def test_decode_agrees_with_struct(self):
        for bits in range(1 << 16):
            kind, sign, magnitude = half.decode_lane(bits, F16)
            value = half_value(bits)
            if kind == "nan":
                self.assertNotEqual(value, value)
            elif kind == "inf":
                self.assertEqual(value, float("-inf" if sign else "inf"))
            else:
                self.assertEqual(half_bits(value), bits)
                self.assertEqual(Fraction(value), -magnitude if sign else magnitude)

    def test_nearest_agrees_with_struct(self):
        rng = random.Random(1)
        for _ in range(30000):
            value = rng.choice((-1, 1)) * rng.random() * 2.0 ** rng.randint(-27, 16)
            try:
                expected = half_bits(value)
            except OverflowError:
                expected = 0xFC00 if value < 0 else 0x7C00
            self.assertEqual(round_fraction(Fraction(value), F16, RN), expected, value)

    def test_nearest_bf16_agrees_with_the_single_float_trick(self):
        rng = random.Random(2)
        for _ in range(30000):
            bits = rng.randrange(1 << 32)
            if bits >> 23 & 0xFF == 0xFF:
                continue
            value = Fraction(single_value(bits))
            expected = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
            if value:
                self.assertEqual(round_fraction(value, BF16, RN), expected, hex(bits))

    def test_directed_modes_bracket_the_value(self):
        rng = random.Random(3)
        for fmt in half.FORMATS:
            for _ in range(8000):
                exponent = rng.randint(-fmt.bias - fmt.man_bits - 4, fmt.bias - 1)
                value = Fraction(rng.randrange(1, 1 << 30), 1 << 30) * half.power(exponent)
                value *= rng.choice((-1, 1))
                down, up = (round_fraction(value, fmt, mode) for mode in (RM, RP))
                low, high = signed(down, fmt), signed(up, fmt)
                self.assertLessEqual(low, value)
                self.assertGreaterEqual(high, value)
                distance = abs((up & 0x7FFF) - (down & 0x7FFF))
                self.assertEqual(distance, 0 if low == value else 1)
                zero = round_fraction(value, fmt, RZ_MODE)
                self.assertEqual(zero, down if value > 0 else up)
                near = signed(round_fraction(value, fmt, RN), fmt)
                self.assertEqual(abs(near - value), min(value - low, high - value))

    def test_overflow_by_mode(self):
        big = Fraction(1 << 17)
        for mode, plus, minus in (
            (RN, 0x7C00, 0xFC00), (RM, 0x7BFF, 0xFC00), (RP, 0x7C00, 0xFBFF),
            (RZ_MODE, 0x7BFF, 0xFBFF),
        ):
            self.assertEqual(round_fraction(big, F16, mode), plus)
            self.assertEqual(round_fraction(-big, F16, mode), minus)
        self.assertEqual(round_fraction(Fraction(65519), F16, RN), 0x7BFF)
        self.assertEqual(round_fraction(Fraction(65520), F16, RN), 0x7C00)
        self.assertEqual(round_fraction(Fraction(65535), F16, RM), 0x7BFF)


class Lanes(unittest.TestCase):
    def test_add_and_multiply_agree_with_doubles(self):
        # Sums and products of two half floats are exact as doubles, so only the conversion rounds.
        rng = random.Random(4)
        finite = [b for b in boundary_lanes(F16) if half.decode_lane(b, F16)[0] == "num"]
        for i in range(20000):
            a, b = (rng.choice(finite) if i % 2 else rng.randrange(0x7C00) | rng.choice((0, 0x8000))
                    for _ in range(2))
            for function, value in (
                (half.add_lane, half_value(a) + half_value(b)),
                (half.mul_lane, half_value(a) * half_value(b)),
            ):
                try:
                    expected = half_bits(value)
                except OverflowError:
                    expected = 0xFC00 if value < 0 else 0x7C00
                self.assertEqual(function(a, b, F16, RN), expected, (hex(a), hex(b)))

    def test_bf16_multiply_agrees_with_singles(self):
        # The product of two BF16 lanes has 16 bits, so it is exact as a double or a normal single.
        rng = random.Random(5)
        for _ in range(20000):
            a, b = (rng.randrange(2) << 15 | rng.randint(64, 190) << 7 | rng.randrange(128)
                    for _ in range(2))
            value = single_value(a << 16) * single_value(b << 16)
            if not 2.0 ** -120 < abs(value) < 2.0 ** 127:
                continue
            bits = single_bits(value)
            expected = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
            self.assertEqual(half.mul_lane(a, b, BF16, RN), expected)

    def test_fma_rounds_once(self):
        # (1 + 2^-10)^2 - (1 + 2^-9) is exactly 2^-20, which two roundings would lose.
        self.assertEqual(half.fma_lane(0x3C01, 0x3C01, 0xBC02, F16, RN), 0x0010)
        # A tie that a tiny addend breaks in either direction.
        self.assertEqual(half.fma_lane(0x3C01, 0x3E00, 0x0000, F16, RN), 0x3E02)
        self.assertEqual(half.fma_lane(0x3C01, 0x3E00, 0x8001, F16, RN), 0x3E01)
        self.assertEqual(half.fma_lane(0x3C03, 0x3E00, 0x0000, F16, RN), 0x3E04)
        self.assertEqual(half.fma_lane(0x3C03, 0x3E00, 0x0001, F16, RN), 0x3E05)

    def test_zero_signs(self):
        for mode in (RN, RP, RZ_MODE):
            self.assertEqual(half.add_lane(0x3C00, 0xBC00, F16, mode), 0)
            self.assertEqual(half.add_lane(0x8000, 0x0000, F16, mode), 0)
            self.assertEqual(half.add_lane(0x8000, 0x8000, F16, mode), 0x8000)
        self.assertEqual(half.add_lane(0x3C00, 0xBC00, F16, RM), 0x8000)
        self.assertEqual(half.add_lane(0x0000, 0x8000, F16, RM), 0x8000)
        self.assertEqual(half.add_lane(0x0000, 0x0000, F16, RM), 0)
        self.assertEqual(half.mul_lane(0x8000, 0x3C00, F16, RP), 0x8000)
        self.assertEqual(half.mul_lane(0x8001, 0x0001, F16, RN), 0x8000)
        self.assertEqual(half.mul_lane(0x8001, 0x0001, F16, RM), 0x8001)
        self.assertEqual(half.fma_lane(0x3C00, 0x3C00, 0xBC00, F16, RM), 0x8000)
        self.assertEqual(half.fma_lane(0x0000, 0x3C00, 0x8000, F16, RN), 0x0000)

    def test_special_results(self):
        inf, minus, nan = 0x7C00, 0xFC00, 0x7FFF
        self.assertEqual(half.add_lane(inf, minus, F16, RN), nan)
        self.assertEqual(half.mul_lane(inf, 0x8000, F16, RN), nan)
        self.assertEqual(half.fma_lane(inf, 0x3C00, minus, F16, RN), nan)
        self.assertEqual(half.fma_lane(inf, 0x3C00, 0x7BFF, F16, RN), inf)
        self.assertEqual(half.add_lane(0xFE01, 0, F16, RN), nan)
        self.assertEqual(half.add_lane(0xFE01, 0, F16, RN, sat=1), 0)
        self.assertEqual(half.add_lane(0x7F81, 0, BF16, RN), nan)
        self.assertEqual(half.add_lane(inf, 0, F16, RN, sat=1), 0x3C00)
        self.assertEqual(half.add_lane(0x8000, 0x8000, F16, RN, sat=1), 0)
        self.assertEqual(half.fma_lane(0xBC00, 0x3C00, 0, F16, RN, relu=1), 0)
        self.assertEqual(half.fma_lane(0x8000, 0x3C00, 0x8000, F16, RN, relu=1), 0x8000)
        self.assertEqual(half.fma_lane(nan, 0x3C00, 0, F16, RN, relu=1), nan)

    def test_flush_of_results_is_after_rounding(self):
        # The exact product is below the smallest normal number and rounds up to it.
        self.assertEqual(half.mul_lane(0x03FF, 0x3C01, F16, RP, ftz=1), 0x0400)
        self.assertEqual(half.mul_lane(0x0400, 0x3BFF, F16, RN, ftz=1), 0x0400)
        self.assertEqual(half.mul_lane(0x0400, 0x3BFF, F16, RZ_MODE, ftz=1), 0)
        self.assertEqual(half.mul_lane(0x8400, 0x3BFE, F16, RN, ftz=1), 0x8000)

    def test_minmax_and_compare(self):
        self.assertEqual(half.minmax_lane(0, 0x8000, F16, 1, 0), 0x8000)
        self.assertEqual(half.minmax_lane(0x8000, 0, F16, 1, 0), 0x8000)
        self.assertEqual(half.minmax_lane(0x8000, 0, F16, 0, 0), 0)
        self.assertEqual(half.minmax_lane(0x7E00, 0xFC00, F16, 1, 0), 0xFC00)
        self.assertEqual(half.minmax_lane(0x7E00, 0xFC00, F16, 1, 1), 0x7FFF)
        self.assertEqual(half.minmax_lane(0x7E00, 0xFE00, F16, 1, 0), 0x7FFF)
        self.assertTrue(half.compare_lane(0, 0x8000, F16, "EQ"))
        self.assertFalse(half.compare_lane(0x7E00, 0, F16, "NE"))
        self.assertTrue(half.compare_lane(0x7E00, 0, F16, "NEU"))
        self.assertTrue(half.compare_lane(0x7E00, 0, F16, "NAN"))
        self.assertFalse(half.compare_lane(0x7E00, 0, F16, "NUM"))
        self.assertTrue(half.compare_lane(0xBC00, 0x8001, F16, "LT"))

    def test_comparisons_agree_with_doubles(self):
        lanes = boundary_lanes(F16)
        for a in lanes:
            for b in lanes:
                x, y = half_value(a), half_value(b)
                ordered = x == x and y == y
                for name, truth in (
                    ("LT", x < y), ("LE", x <= y), ("GT", x > y), ("GE", x >= y), ("EQ", x == y),
                    ("NE", x != y and ordered),
                ):
                    self.assertEqual(half.compare_lane(a, b, F16, name), truth)
                    self.assertEqual(half.compare_lane(a, b, F16, name + "U"), truth or not ordered)

    def test_widening(self):
        for bits in range(1 << 16):
            value = half_value(bits)
            expected = single_bits(value) if value == value else 0x7FFFFFFF
            self.assertEqual(half.widen(bits, F16), expected)
            expected = 0x7FFFFFFF if half.is_nan(bits, BF16) else bits << 16
            self.assertEqual(half.widen(bits, BF16), expected)


class Words(unittest.TestCase):
    def test_counts(self):
        self.assertEqual((len(HALU), len(VIDEO)), (27, 12))

    def test_words_by_hand(self):
        # The optype is 0x30, stype is 1, PT is 7<<12, and rd, ra and rb are bytes 2, 3 and 4.
        inst = make("HADD2_RR", rd=0, ra=1, rb=2)
        self.assertEqual(encode(inst), 0x02_01_00_7_1_30)
        self.assertEqual(encode(make("HADD2_RR", rd=0, ra=1, rb=2, rb__neg=1, sat=1)),
                         1 << 96 | 1 << 77 | 0x0201007130)
        inst = make("HSETP2_RC", pu=1, pv=2, ra=3, vb=cmem(3, 0x160), cmp="GEU", lop="XOR", pp=4)
        self.assertEqual(encode(inst), 2 << 109 | 1 << 106 | 4 << 98 | 14 << 86 | 2 << 84
                         | 3 << 49 | 0x160 << 32 | 3 << 24 | 0x7534)
        inst = make("vmin4", d=1, a=2, b=3, c=4, dtype="s32", atype="u32", btype="u32")
        self.assertEqual(encode(inst), 0o7654 << 84 | 0o3210 << 72 | 4 << 64 | 15 << 45 | 1 << 40
                         | 0x0302_01_7_2_8C)

    def test_round_trips(self):
        rng = random.Random(6)
        for op in OPCODES.values():
            for _ in range(60):
                inst = random_inst(op, rng, rng.random())
                word = encode(inst)
                self.assertEqual(decode(word), inst)
                self.assertEqual(classify(word), (op.name, None))
                self.assertEqual(parse_one(to_text(inst)), inst, to_text(inst))

    def test_single_bit_flips_are_other_instructions_or_illegal(self):
        rng = random.Random(7)
        for op in OPCODES.values():
            word = encode(random_inst(op, rng))
            for bit in range(128):
                flipped = word ^ 1 << bit
                if not reasons(flipped):
                    self.assertNotEqual(to_text(decode(flipped)), to_text(decode(word)))
                    self.assertEqual(encode(parse_one(to_text(decode(flipped)))), flipped)

    def test_refused_words(self):
        self.assertEqual(classify(0), (None, "unknown-opcode"))
        word = 0x0201007130
        self.assertEqual(classify(word | 1 << 40), (None, "unused-bits"))
        self.assertEqual(classify(word | 1 << 80), (None, "reserved-value"))
        self.assertEqual(classify(word | 1 << 94 | 1 << 76), (None, "illegal-combination"))
        self.assertEqual(classify(0x0100007530 | 1 << 33), (None, "misaligned"))


class Text(unittest.TestCase):
    def test_lanes_by_hand(self):
        for bits, text in (
            (0x3C00, "1"), (0xBC00, "-1"), (0x2E66, "0.0999755859375"), (0x7BFF, "65504"),
            (0x0001, "5.960464477539063e-8"), (0x8000, "-0"), (0x0000, "0"), (0x7C00, "+INF"),
            (0xFC00, "-INF"), (0x7E01, "0x7e01"), (0x0400, "6.103515625e-5"),
            (0x068E, "0.00010001659393310547"),
        ):
            self.assertEqual(lane_text(bits, F16), text)
        self.assertEqual(lane_text(0x7F7F, BF16), "3.3895313892515355e38")
        self.assertEqual(lane_text(0x5A0E, BF16), "9992361673228288")
        self.assertEqual(lane_text(0x5A0F, BF16), "1.0062730417405952e16")
        # 5.9604644775390625e-7 is halfway between two decimals of sixteen digits.
        self.assertEqual(lane_text(0x000A, F16), "5.960464477539063e-7")

    def test_lane_text_reads_back(self):
        for fmt in half.FORMATS:
            for bits in range(1 << 16):
                self.assertEqual(lane_bits(lane_text(bits, fmt), fmt), bits)

    def test_refusals(self):
        for text, category in (
            ("HADD2 R255, R1, R2;", "out-of-range"),
            ("HADD2.FTZ.FTZ R0, R1, R2;", "duplicate-modifier"),
            ("HSETP2.LT P0, P1, R1, R2;", "missing-modifier"),
            ("HADD2 R0, R1, 1;", "wrong-operand"),
            ("HFMA2 R0, R1, UR1, UR2;", "wrong-operand"), ("HADD2 R0, R1, c[0][2];", "misaligned"),
            ("vmin4.s32.u32.u32.add r1.b00, r2, r3, r1;", "unknown-modifier"),
            ("HADD2 R0, R1, 65520, 0;", "bad-immediate"), ("HADD2 R0, R1, R2", "syntax"),
        ):
            with self.assertRaises(AsmError) as caught:
                parse_program(text)
            self.assertEqual(caught.exception.category, category, text)


class Execution(unittest.TestCase):
    def check(self, text, state, expected):
        self.assertEqual(run_text(text, state), expected, text)

    def test_by_hand(self):
        one, two = 0x3C003C00, 0x40004000
        self.check("HADD2 R0, R1, R1;", {"R1": one}, {"R0": two})
        self.check("HADD2 R0, R1.H0_H0, -1, 1;", {"R1": 0x40003C00}, {"R0": 0x00004000})
        self.check("HADD2.F32 R0, R1, R1;", {"R1": 0x7BFF3C00}, {"R0": 0x40000000})
        self.check("@P0 HADD2 R0, R1, R1;", {"R1": one}, {})
        self.check("HADD2 RZ, R1, R1;", {"R1": one}, {})
        self.check("HADD2 R0, -RZ, -RZ;", {}, {"R0": 0x80008000})
        self.check("HSETP2.LT.AND P3, P3, R1, 1, 0.5;", {"R1": one}, {"P3": 0})
        self.check("HSETP2.GE.AND P3, P3, R1, 0.5, 2;", {"R1": one}, {"P3": 1})
        self.check("HSETP2.GE.AND P3, PT, R1, 0.5, 2;", {"R1": one}, {"P3": 0})
        self.check("HSETP2.EQ.XOR P0, P1, R1, R1, P0;", {"P0": 1}, {"P0": 0, "P1": 0})
        self.check("HSET2.EQ.AND.BF.BF16_V2 R0, R1, 1, 0;", {}, {"R0": 0x3F80})
        self.check("HMNMX2 R0, -|R1|, -|R2|, !PT;", {"R1": one, "R2": two}, {"R0": 0xBC00BC00})
        self.check("HMUL2 R0, R1, c[0x0][0x160];", {"R1": two, "c[0x0][0x160]": two},
                   {"R0": 0x44004400})

    def test_video_by_hand(self):
        run = self.check
        run("vadd2.s32.s32.s32.sat r0, r1, r2, rz;", {"R1": 0x7FFF8000, "R2": 0x0001FFFF},
            {"R0": 0x7FFF8000})
        run("vadd2.u32.u32.u32 r0.h1, r1, r2, r3;", {"R1": 0x00020001, "R2": 0xFFFF0001,
                                                     "R3": 0xAAAABBBB}, {"R0": 0x0001BBBB})
        run("vsub4.s32.u32.u32.add r0.b30, r1, r2, r3;", {"R1": 0, "R2": 0x01FFFF02, "R3": 1},
            {"R0": 0xFFFFFFFE})
        run("vavrg4.s32.s32.s32 r0, r1, r2, rz;", {"R1": 0x00FFFE01, "R2": 0x01FEFF00},
            {"R0": 0x01FEFE01})
        run("vabsdiff4.u32.u32.s32 r0, r1, r2, rz;", {"R1": 0xFF000000, "R2": 0x80000000},
            {"R0": 0x7F000000})
        run("vabsdiff4.u32.u32.s32.sat r0, r1, r2, rz;", {"R1": 0xFF000000, "R2": 0x80000000},
            {"R0": 0xFF000000})
        run("vmax4.u32.s32.u32.sat r0, r1.b0000, r2.b7654, rz;", {"R1": 0xFF, "R2": 0x000102FE},
            {"R0": 0x000102FE})

    def test_program_and_json(self):
        text = "HADD2 R0, R1, R1; HMUL2 R0, R0, R0; HSETP2.EQ.AND P0, P1, R0, 4, 4;"
        self.check(text, {"R1": 0x3C003C00}, {"R0": 0x44004400, "P0": 1, "P1": 1})
        self.assertEqual(answer('{"asm": "HADD2 R0, R1, R1;", "state": {"R1": "0x3c003c00"}}'),
                         {"state": {"R0": "0x40004000"}})
        self.assertIn("error", answer('{"asm": "HADD2 R0, R1;"}'))

    def test_sources_are_read_before_anything_is_written(self):
        inst = parse_one("HSETP2.EQ.AND P0, P1, R1, R2, P0;")
        self.assertEqual(execute(inst, {"P0": 1, "R2": 0x00003C00}), {"P0": 0, "P1": 1})


if __name__ == "__main__":
    unittest.main()
