"""Generates valid encodings with their canonical text."""

from gen_common import base_inst, edge_values, header, random_inst, rng_for, unique, word_line
from half_model import FORMATS
from tables import HALU, VIDEO
from word import encode, reasons

RANDOM_PER_OPCODE = 30


def edges(op):
    """Yields instructions in which one field has one of its edge values."""
    base = base_inst(op)
    yield base
    for field in op.fields.values():
        if field.fixed is None:
            for value in edge_values(field, op):
                yield base.replace(**{field.name: value})


def guards_and_conditions(op):
    base = base_inst(op)
    for name in ("pg", "pp"):
        if name in op.fields:
            for number in range(8):
                yield base.replace(**{name: number, name + ".not": 1})
    yield base.replace(sched=15, req=0x3F)
    yield base.replace(sched=1, req=9, pg=2)


def source_modifiers(op):
    """Yields all combinations of sign, bars and half-select of each source."""
    base = base_inst(op)
    for name in op.operands:
        if name + ".hsel2" in op.fields:
            for i in range(12):
                changes = {".neg": i & 1, ".abs": i >> 1 & 1, ".hsel2": (0, 2, 3)[i // 4]}
                yield base.replace(**{name + suffix: v for suffix, v in changes.items()})


def modifier_pairs(op):
    """Yields every valid pair of modifier values. Mandatory modifiers keep their base value."""
    base = base_inst(op)
    optional = [n for n in op.mods if op.fields[n].default is not None]
    for i, first in enumerate(optional):
        for second in optional[i + 1:]:
            for x in edge_values(op.fields[first], op):
                for y in edge_values(op.fields[second], op):
                    yield base.replace(**{first: x, second: y})


def both_formats(op):
    base = base_inst(op)
    for field in op.fields.values():
        if field.kind == "F16ImmX2":
            for hfmt, fmt in enumerate(FORMATS):
                for value in edge_values(field, op, fmt):
                    yield base.replace(hfmt_v2=hfmt, **{field.name: value})


def cases(op, rng):
    for source in (edges, guards_and_conditions, source_modifiers, modifier_pairs, both_formats):
        for inst in source(op):
            if not reasons(encode(inst)):
                yield inst
    for i in range(RANDOM_PER_OPCODE):
        yield random_inst(op, rng, (0.0, 0.5, 0.8)[i % 3])


def generate(family):
    rng = rng_for(f"encode-{family}")
    lines = header(
        "Valid encodings and their canonical text.", "<32 hex digits> | <canonical text>")
    for op in HALU if family == "halu" else VIDEO:
        lines += [f"# {op.name}"] + unique(word_line(inst) for inst in cases(op, rng))
    return lines
