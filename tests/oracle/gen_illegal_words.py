"""Generates invalid encodings, each with exactly one reason."""

from gen_common import base_inst, header, rng_for, unique
from tables import HALU, OPCODES, OPTYPES, SETS, STYPES, VIDEO
from word import encode, hex_word, reasons


def family_of(optype):
    return "video" if optype[0] == "v" else "halu"


def line(word, category):
    assert set(reasons(word)) == {category}, (hex_word(word), reasons(word), category)
    return f"{hex_word(word)} | {category}"


def with_field(word, field, value):
    return word & ~field.mask | value << field.pos


def unknown_optypes():
    """Yields each number without an optype, with two source types, and a few simple words."""
    for word in (0, 1, 1 << 127, (1 << 128) - 1, 0x7000, 0x7130 ^ 0x100):
        yield line(word, "unknown-opcode")
    known = set(OPTYPES.values())
    for number in range(256):
        if number not in known:
            yield line(0x0201007000 | STYPES["RR"] << 8 | number, "unknown-opcode")
            if number % 4 == 0:
                yield line(0x0201007000 | STYPES["RRR"] << 8 | number, "unknown-opcode")


def unknown_forms(ops):
    """Yields each source type that an optype does not support."""
    for optype in dict.fromkeys(op.optype for op in ops):
        taken = {op.fields["stype"].fixed for op in ops if op.optype == optype}
        op = next(op for op in ops if op.optype == optype)
        for number in sorted(set(range(16)) - taken):
            word = with_field(encode(base_inst(op)), op.fields["stype"], number)
            yield line(word, "unknown-opcode")


def unused_bits(op, rng):
    """Yields words with each unused bit set, then with several unused bits set."""
    word = encode(base_inst(op))
    free = [bit for bit in range(128) if not op.covered() >> bit & 1]
    for bit in free:
        yield line(word | 1 << bit, "unused-bits")
    for count in (2, 5, len(free)):
        some = sum(1 << bit for bit in rng.sample(free, count))
        yield line(word | some, "unused-bits")


def reserved_values(op):
    word = encode(base_inst(op))
    for field in op.fields.values():
        if field.kind in SETS:
            for value in set(range(1 << field.width)) - set(SETS[field.kind].values()):
                yield line(with_field(word, field, value), "reserved-value")
        if field.kind == "VMask":
            yield line(with_field(word, field, 0), "reserved-value")


def misaligned(op):
    word = encode(base_inst(op))
    for field in op.fields.values():
        if field.kind == "CMem":
            for raw in (1, 2, 3, 0x161, 0x162, 0x163, 0x1FFFF, 0x1FFFD, 31 << 17 | 2, 1 << 17 | 1):
                yield line(with_field(word, field, raw), "misaligned")


COMBINATIONS = {
    "HADD2": [("hfmt_v2", "ftz"), ("hfmt_v2", "sat"), ("hfmt_v2", "ftz", "sat")],
    "HMUL2": [("hfmt_v2", "ftz"), ("hfmt_v2", "sat"), ("hfmt_v2", "ftz", "sat")],
    "HFMA2": [
        ("hfmt_v2", "ftz"), ("hfmt_v2", "sat"), ("hfmt_v2", "ftz", "sat"), ("sat", "relu"),
        ("sat", "relu", "ftz"), ("hfmt_v2", "sat", "relu"), ("hfmt_v2", "ftz", "relu"),
    ],
}


def combinations(op):
    """Yields each invalid pair of values, alone and together with other modifiers."""
    base = base_inst(op)
    for names in [("sat", "add")] if op.video else COMBINATIONS.get(op.optype, []):
        inst = base.replace(**{name: 1 for name in names})
        yield line(encode(inst), "illegal-combination")
        yield line(encode(inst.replace(sched=3, req=5, pg=0, pg__not=1)), "illegal-combination")
        if "rnd" in op.fields:
            yield line(encode(inst.replace(rnd="RZ", ra__neg=1)), "illegal-combination")


def generate(family):
    rng = rng_for(f"illegal-words-{family}")
    ops = HALU if family == "halu" else VIDEO
    lines = header("Invalid encodings.", "<32 hex digits> | <category>")
    if family == "halu":
        lines += ["# No such optype"] + unique(unknown_optypes())
    lines += ["# No such source type for the optype"] + unique(unknown_forms(ops))
    for op in ops:
        lines.append(f"# {op.name}")
        lines += unique(unused_bits(op, rng)) + list(reserved_values(op))
        lines += list(misaligned(op)) + list(combinations(op))
    assert len(OPCODES) == len(HALU) + len(VIDEO)
    return lines
