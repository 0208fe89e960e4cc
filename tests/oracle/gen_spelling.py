"""Generates spellings that are accepted but not printed, each with its canonical text."""

from asm_parse import parse_one
from asm_print import (
    base_text, exact_value, guard_text, mask_text, modifier_texts, operand_text, pred,
    selector_text, tag_texts, to_text,
)
from gen_common import base_inst, header, random_inst, rng_for, unique
from half_model import FORMATS, decode_lane
from tables import HALU, VIDEO, value_name
from word import cmem, encode

STYLES = (
    "order", "defaults", "select", "outside", "guard", "condition", "decimal", "number", "tags",
    "space",
)
GAPS = (" ", "  ", "\\t", "\\n", " /* x */ ", " // x, y;\\n", "/**/", "\\n\\n  ")


def exact_decimal(value):
    """Returns all digits of a dyadic fraction."""
    negative, value = value < 0, abs(value)
    places = value.denominator.bit_length() - 1
    digits = str(value.numerator * 5 ** places).rjust(places + 1, "0")
    text = digits[:len(digits) - places] + "." + (digits[len(digits) - places:] or "0")
    return "-" * negative + text


def lane_spelling(bits, fmt, rng):
    kind, sign, _ = decode_lane(bits, fmt)
    hexadecimal = f"0x{bits:04x}"
    if kind == "nan":
        names = {0x7FFF: ["QNAN", "+QNAN"], 0xFFFF: ["-QNAN"]}.get(bits, [])
        return rng.choice(names + [hexadecimal.upper().replace("X", "x")])
    if kind == "inf":
        return rng.choice([hexadecimal] if sign else ["INF", hexadecimal])
    if bits == 0x8000:
        return rng.choice(["-0.0", "-0.00", hexadecimal])
    value = exact_value(bits, fmt)
    return rng.choice([hexadecimal, exact_decimal(value), f"{float(value):.20e}"])


def spell_video_operand(inst, name, styles):
    if "select" not in styles or name == "c":
        return operand_text(inst, name)
    lanes = inst.op.lanes
    if name == "d":
        return base_text(inst, name) + "." + mask_text(inst["mask"], lanes)
    return base_text(inst, name) + "." + selector_text(inst[name + "sel"], lanes)


def spell_cmem(raw, rng):
    bank, offset = raw >> 17, raw & 0x1FFFF
    banks, offsets = (str(bank), f"0x{bank:02x}"), (str(offset), f"0x{offset:x}")
    return f"c[{rng.choice(banks)}][{rng.choice(offsets)}]"


def spell_operand(inst, name, styles, rng):
    field = inst.op.fields[name]
    if inst.op.video:
        return spell_video_operand(inst, name, styles)
    if field.kind == "F16ImmX2" and "number" in styles:
        fmt = FORMATS[inst["hfmt_v2"]]
        halves = inst[name] >> 16, inst[name] & 0xFFFF
        return ", ".join(lane_spelling(bits, fmt, rng) for bits in halves)
    if field.kind == "Pred" and "condition" in styles:
        return "!" * inst.get(name + ".not") + pred(inst[name])
    if field.kind in ("Pred", "F16ImmX2") or name + ".hsel2" not in inst.op.fields:
        return operand_text(inst, name)
    decimal = field.kind == "CMem" and "decimal" in styles
    text = spell_cmem(inst[name], rng) if decimal else base_text(inst, name)
    select = inst[name + ".hsel2"]
    suffix = "." + value_name("HSel2", select) if select or "select" in styles else ""
    if inst[name + ".abs"]:
        text = f"|{text}|{suffix}" if "outside" in styles else f"|{text}{suffix}|"
    else:
        text += suffix
    return "-" * inst[name + ".neg"] + text


def spell_mods(inst, styles, rng):
    """Returns the modifiers with all defaults spelled out, or in another order."""
    shown = [
        (name, text) for name, text, spelled, on in modifier_texts(inst)
        if on or spelled and "defaults" in styles
    ]
    if "order" not in styles:
        return [text for _, text in shown]
    # The position of each of the three types of a video instruction determines its meaning, so the
    # types keep their order.
    types = [text for name, text in shown if name.endswith("type")]
    names = [name if not name.endswith("type") else "type" for name, _ in shown]
    texts = dict(shown)
    rng.shuffle(names)
    return [types.pop(0) if name == "type" else texts[name] for name in names]


def spell(inst, styles, rng):
    """Returns the text of an instruction in the given styles. Line breaks are written as \\n."""
    guard = guard_text(inst).strip()
    if not guard and "guard" in styles:
        guard = "@pt" if inst.op.video else "@PT"
    head = ".".join([inst.op.optype] + spell_mods(inst, styles, rng))
    operands = [spell_operand(inst, name, styles, rng) for name in inst.op.operands]
    tags = tag_texts(inst)
    if "tags" in styles:
        tags.reverse()
    gap = (lambda: rng.choice(GAPS)) if "space" in styles else (lambda: "")
    text = (guard + (gap() or " ") if guard else "") + head + (gap() or " ")
    between = ((lambda: gap() + "," + gap()) if "space" in styles else (lambda: ", "))
    for i, operand in enumerate(o for o in operands if o is not None):
        text += (between() if i else "") + operand
    for tag in tags:
        text += (gap() or " ") + tag
    return text + gap() + ";"


def line(text, canonical):
    plain = text.replace("\\n", "\n").replace("\\t", "\t")
    assert to_text(parse_one(plain)) == canonical, (text, canonical)
    assert " | " not in text
    return f"{text} | {canonical}"


def styled_lines(op, rng):
    """Yields each style alone on instructions that it affects, then random combinations."""
    for styles in [(style,) for style in STYLES] + [None] * 8:
        made = 0
        for _ in range(60):
            chosen = styles or rng.sample(STYLES, rng.randint(2, 5))
            inst = random_inst(op, rng, 0.6)
            text, canonical = spell(inst, chosen, rng), to_text(inst)
            if text != canonical:
                yield line(text, canonical)
                made += 1
            if made == 2:
                break


F16_DECIMALS = (
    "1.00048828125", "1.000488281250000000000000000000000000001",
    "1.000488281249999999999999999999999999999", "1.00146484375", "0.1", "3.14159265358979", "1e0",
    "2.98023223876953125e-8", "2.9802322387695312500000000000000001e-8", "1e-30", "-1e-30",
    "1e-400",
    "65519.9999999999999999999999999", "-65519.99", "6.5504e4", "0.00006103515625",
    "0.000060975551605224609375", "0.0000610053539276123046875", "1e-7", "0.333333333333333333",
    "2049", "2051", "4097.99", "1.0", "100", "1e2", "0.00009999", "123.456",
)
BF16_DECIMALS = (
    "1.00390625", "1.003906250000000000000000000000000000001", "1.01171875", "0.1", "1e38", "1e-38",
    "339617752923046005526922703901628039167", "3.39e38", "-3.39e38", "1e-40", "-1e-45", "4.6e-41",
    "257", "259", "65536", "1e10", "3.14159265358979", "1e16", "0.0001", "9.2e-41", "1e-400",
)
SPECIAL_LANES = (
    "INF", "+INF", "-INF", "QNAN", "+QNAN", "-QNAN", "0x7fff", "0xFFFF", "0x3C00", "0xbc00",
    "0x0000",
    "0x8000", "0x7c01", "0xFE00", "0x7f80", "0xff81",
)


def decimal_lines():
    """Yields every lane text once as high and once as low lane, in both formats."""
    for suffix, texts in (("", F16_DECIMALS), (".BF16_V2", BF16_DECIMALS)):
        texts = texts + SPECIAL_LANES
        for i, high in enumerate(texts):
            low = texts[(7 * i + 3) % len(texts)]
            yield f"HADD2{suffix} R0, R1, {high}, {low};"
            yield (f"HFMA2{suffix} R0, R1, R2, {high}, {low};" if i % 2 else
                   f"HFMA2{suffix} R0, R1, {low}, {high}, R2;")
    yield "HMNMX2.BF16_V2 R0, R1, 0x3C00, 1.00390625, P0;"
    yield "HSETP2.EQ.AND.BF16_V2 P0, P1, R1, INF, 65536;"
    yield "HSET2.BF.EQ.OR R0, R1, -QNAN, -0.0;"


SYNTAX_LINES = (
    "HADD2.RN.FTZ R1, -|R4|, -1, 1;", "HADD2.F32.RZ.SAT.FTZ R1, R2, R3;",
    "HFMA2.RP.SAT.FTZ R0, R1, R2, R3;", "HFMA2.RZ.RELU.FTZ.F16_V2 R0, R1, R2, R3;",
    "HADD2 R0, -|R1|.H0_H0, |R2|.H1_H1;", "HADD2 R0, R1, |c[0][4]|.H0_H0;",
    "HFMA2 R0, R1, -|c[31][131068]|.H1_H1, -R2;", "HSETP2.AND.LT P0, P1, R2, R3, PT;",
    "HSETP2.OR.FTZ.NAN.BF16_V2 P0, PT, R2, R3;", "HSET2.BM.XOR.GEU R0, R1, R2;",
    "HMNMX2.NAN.FTZ.F16_V2 R0, R1, R2, PT;",
    "@PT HADD2 R0, R1, R2;", "HADD2 R0, R1, R2 &req={0,2} ?WAIT4;", "HADD2 R0, R1, R2 ?WAIT0;",
    "HADD2 R0, R1, R2 &req={};", "HADD2 R0, R1, R2 &req={2,0};", "HADD2 R0,R1,R2?WAIT1&req={5};",
    "HADD2 R0,R1,R2;", "  HADD2 R0, R1, R2 ;  ", "HADD2\\nR0\\n,R1\\n,R2\\n;",
    "// first\\nHADD2 R0, R1, R2; // last", "/* a; b */HADD2/* c */R0,R1,R2;",
    "HADD2 R0, R1, /* HMUL2 R0,\\n R1, R2; */ R2;", "HADD2 R0, R1, R2; /* end */",
    "HMNMX2 R0,    R1,     1,-4,  P0 ;", "HSETP2.FTZ.GTU.OR P0, P1, -|R5|,  -1, 0, !PT;",
)
# White space inside an operand or a trailing attribute does not change the tokens.
INNER_SPACE_LINES = (
    "HADD2 R0, - R1, -|R2 |;", "HADD2 R0, |R1 |, R2;", "HADD2 R0, R1, c[0x0] [0x160];",
    "HADD2 R0, R1, c [ 0x1 ][ 0x160 ];", "@! P0 HADD2 R0, R1, R2;", "@ P0 HADD2 R0, R1, R2;",
    "HMNMX2 R0, R1, R2, ! P0;", "HADD2 R0, R1, R2 &req={ 0, 2 };",
)
VIDEO_LINES = (
    "vadd2.sat.s32.s32.u32 r1, r2, r3, r1;", "vadd2.s32.sat.s32.u32 r1, r2, r3, r1;",
    "vadd2.s32.s32.sat.u32 r1, r2, r3, r1;", "vmin4.add.s32.u32.u32 r1, r2, r3, r1;",
    "vmin4.s32.u32.add.u32 r1, r2, r3, r1;", "vsub2.s32.s32.s32.sat  r1.h0, r2.h10, r3.h32, r1;",
    "vadd2.s32.s32.u32.sat  r1, r2, r3, r1;", "vmin2.s32.u32.u32.add  r1.h10, r2.h00, r3.h22, r1;",
    "vsub4.s32.s32.s32.sat r1.b0, r2.b3210, r3.b7654, r1;", "vmax4.u32.u32.u32 r1.b3210,r2,r3,rz;",
    "@pt vadd2.u32.u32.u32 r0, r1, r2, r3;", "vadd2.u32.u32.u32 r0, r1, r2, r3 &req={1} ?WAIT2;",
    "vavrg4.u32.s32.u32 /* x */ r0.b3210, r1 , r2.b7654\\n, rz // c\\n;",
    "vabsdiff2.u32.u32.u32 r254.h10, rz.h10, rz.h32, rz;",
)


def fixed_lines(texts):
    for text in texts:
        plain = text.replace("\\n", "\n")
        canonical = to_text(parse_one(plain))
        if canonical != text:
            yield line(text, canonical)


def generate(family):
    rng = rng_for(f"spelling-{family}")
    lines = header(
        "Spellings that are accepted on input, with their canonical text.",
        "<text> | <canonical text>")
    lines.append("# In the first field, `\\n` is a line break and `\\t` is a tab.")
    if family == "halu":
        lines += ["# By hand"] + unique(fixed_lines(SYNTAX_LINES))
        lines.append("# White space inside operands and trailing attributes")
        lines += unique(fixed_lines(INNER_SPACE_LINES))
        lines += ["# Immediate lanes, rounded once"] + unique(fixed_lines(decimal_lines()))
    else:
        lines += ["# By hand"] + unique(fixed_lines(VIDEO_LINES))
    for op in HALU if family == "halu" else VIDEO:
        lines += [f"# {op.name}"] + unique(styled_lines(op, rng))
    return lines
