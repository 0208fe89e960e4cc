"""Generates text that must not assemble, with the error category and a part of the message."""

from asm_parse import AsmError, parse_program
from asm_print import to_text
from gen_common import base_inst, header, unique
from illegal_text_cases import (
    ADDED_MODS, HALU_LINES, HALU_SWAPS, VIDEO_LINES, VIDEO_SWAPS, rows, swaps,
)
from tables import HALU, VIDEO


def category_of(text):
    try:
        parse_program(text)
    except AsmError as error:
        return error.category
    raise AssertionError(f"assembles: {text}")


def line(text, category, mention):
    found = category_of(text.replace("\\n", "\n"))
    assert found == category, (text, found, category)
    assert " | " not in text
    return f"{text} | {category} | {mention}"


# Modifiers that an optype does not have.
FOREIGN_MODS = {
    "HADD2": ("RELU", "NAN", "BF", "LT"), "HMUL2": ("RELU", "F32", "AND", "NAN"),
    "HFMA2": ("F32", "NAN", "BM"), "HMNMX2": ("SAT", "RN", "RELU", "F32", "NUM"),
    "HSETP2": ("SAT", "BF", "BM", "RN", "F32"), "HSET2": ("SAT", "RN", "F32", "RELU"),
}


def halu_lines(op):
    base = to_text(base_inst(op))
    for old, new, category, mention in swaps(HALU_SWAPS):
        changed = swap(base, old, new)
        if changed:
            yield line(changed, category, mention)
    name = op.optype
    for wrong in (name.lower(), name.title(), name + "X"):
        yield line(base.replace(name, wrong), "unknown-mnemonic", wrong)
    for modifier in ("FOO", "ftz", "NoFTZ", "s32") + FOREIGN_MODS[name]:
        yield line(base.replace(name, f"{name}.{modifier}"), "unknown-modifier", modifier)
    yield line(base.replace(name, name + ".FTZ.FTZ"), "duplicate-modifier", "FTZ")
    yield line(base[:-1], "syntax", ";")
    for optype, added, category, mention in swaps(ADDED_MODS):
        if optype == name:
            yield line(base.replace(" ", added + " ", 1), category, mention)


def swap(base, old, new):
    """Replaces a whole token. For example, R12 does not match in UR12."""
    at = base.find(old)
    while at > 0 and base[at - 1].isalnum():
        at = base.find(old, at + 1)
    end = at + len(old)
    if at < 0 or old[-1].isalnum() and base[end:end + 1].isalnum():
        return None
    return base[:at] + new + base[end:]


def video_lines(op):
    base = to_text(base_inst(op))
    letters = {"x": "h", "y": "b"} if op.lanes == 2 else {"x": "b", "y": "h"}
    for entry in swaps(VIDEO_SWAPS):
        old, new, category, mention = (
            part.replace("{x}", letters["x"]).replace("{y}", letters["y"])
            .replace("{name}", op.optype) for part in entry
        )
        yield line(base.replace(old, new, 1), category, mention)


def generate(family):
    form = "<text> | <category> | <part of the message>"
    lines = header("Text that must not assemble.", form)
    lines.append("# In the first field, `\\n` is a line break.")
    fixed = HALU_LINES if family == "halu" else VIDEO_LINES
    lines += ["# By hand"] + unique(line(*entry) for entry in rows(fixed))
    for op in HALU if family == "halu" else VIDEO:
        per_op = halu_lines if family == "halu" else video_lines
        lines += [f"# {op.name}"] + unique(per_op(op))
    return lines
