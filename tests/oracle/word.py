"""Converts structured instructions to 128-bit words and back."""

from tables import OPCODES, SETS, value_name


class Inst:
    """An opcode and a raw value for each field that is not fixed."""

    def __init__(self, opcode, values):
        self.op = OPCODES[opcode]
        self.values = values

    def __getitem__(self, field):
        return self.values[field]

    def get(self, field, default=0):
        return self.values.get(field, default)

    def __eq__(self, other):
        return self.op.name == other.op.name and self.values == other.values

    def __repr__(self):
        return f"Inst({self.op.name}, {self.values})"

    def replace(self, **changes):
        return make(self.op.name, **{**self.values, **dotted(changes)})


def dotted(values):
    """Returns the field name of a keyword argument: `ra__neg` means `ra.neg`."""
    return {name.replace("__", "."): value for name, value in values.items()}


def make(opcode, **values):
    """Creates an instruction from raw or named field values. Missing fields have their defaults.

    The instruction may be invalid: `reasons(encode(inst))` returns its errors.
    """
    op = OPCODES[opcode]
    given = dotted(values)
    filled = {}
    for field in op.fields.values():
        if field.fixed is not None:
            continue
        value = given.pop(field.name, field.default)
        if value is None:
            raise KeyError(f"{opcode} needs {field.name}")
        if isinstance(value, str):
            value = SETS[field.kind][value]
        if not 0 <= value < 1 << field.width:
            raise ValueError(f"{opcode}: {field.name} = {value} does not fit")
        filled[field.name] = value
    if given:
        raise KeyError(f"{opcode} has no {sorted(given)}")
    return Inst(opcode, filled)


def encode(inst):
    word = 0
    for field in inst.op.fields.values():
        value = inst.values[field.name] if field.fixed is None else field.fixed
        word |= value << field.pos
    return word


def hex_word(word):
    return f"{word:032x}"


def cmem(bank, offset):
    """Returns the raw 22 bits of a constant memory operand."""
    assert 0 <= bank < 32 and 0 <= offset < 1 << 17
    return bank << 17 | offset


def identify(word):
    """Returns the opcode whose fixed bits match the word, or None."""
    for op in OPCODES.values():
        fixed = (f for f in op.fields.values() if f.fixed is not None)
        if all((word & f.mask) >> f.pos == f.fixed for f in fixed):
            return op
    return None


def _raw(op, word):
    return {
        f.name: (word & f.mask) >> f.pos for f in op.fields.values() if f.fixed is None
    }


def combination_faults(op, raw):
    """Returns the invalid combinations of fields that are valid separately."""
    faults = []
    if op.optype in ("HADD2", "HMUL2", "HFMA2"):
        if raw["hfmt_v2"] and (raw["ftz"] or raw["sat"]):
            faults.append("BF16_V2 with FTZ or SAT")
    if op.optype == "HFMA2" and raw["sat"] and raw["relu"]:
        faults.append("SAT with RELU")
    if op.video and raw["sat"] and raw["add"]:
        faults.append("sat with add")
    return faults


def reasons(word):
    """Returns the categories of all errors of a word, or an empty list for a valid encoding."""
    op = identify(word)
    if op is None:
        return ["unknown-opcode"]
    found = []
    if word & ~op.covered():
        found.append("unused-bits")
    raw = _raw(op, word)
    for field in op.fields.values():
        if field.fixed is not None:
            continue
        value = raw[field.name]
        if field.kind in SETS and value_name(field.kind, value) is None:
            found.append("reserved-value")
        if field.kind == "VMask" and value == 0:
            found.append("reserved-value")
        if field.kind == "CMem" and value % 4:
            found.append("misaligned")
    found += ["illegal-combination"] * len(combination_faults(op, raw))
    return found


def decode(word):
    """Returns the instruction of a valid encoding, or None."""
    if reasons(word):
        return None
    op = identify(word)
    return Inst(op.name, _raw(op, word))


def classify(word):
    """Returns (opcode name, None) for a valid encoding, otherwise (None, first category)."""
    found = reasons(word)
    return (None, found[0]) if found else (identify(word).name, None)
