"""Parses assembly text to structured instructions, and assigns a category to each error.

The first error of the text is raised as an `AsmError`.
"""

import re
from fractions import Fraction

import half_model as half
from tables import OPCODES, OPTYPES, SETS, VIDEO
from word import combination_faults, make

SKIP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
HEX_LANE = re.compile(r"0x([0-9a-fA-F]+)(?!\w)")
SPECIAL = re.compile(r"[+-]?(?:INF|QNAN)(?!\w)")
NUMBER = re.compile(r"(?:0x[0-9a-fA-F]+|0b[01]+|\d+)(?!\w)")
SPECIAL_BITS = {"QNAN": 0x7FFF, "+QNAN": 0x7FFF, "-QNAN": 0xFFFF}


class AsmError(Exception):
    def __init__(self, category, detail):
        super().__init__(f"{category}: {detail}")
        self.category = category


class Cursor:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        self.at = SKIP.match(self.text, self.at).end()
        if self.text.startswith("/*", self.at):
            raise AsmError("syntax", "comment without end")

    def done(self):
        self.skip()
        return self.at == len(self.text)

    def take(self, literal):
        self.skip()
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def match(self, pattern):
        self.skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def need(self, literal):
        if not self.take(literal):
            raise AsmError("syntax", f"expected {literal!r} at {self.text[self.at:self.at + 12]!r}")


def numbered(name, prefix, last, special):
    """Returns the number of a register name such as R12, or None for any other name."""
    if name == special[0]:
        return special[1]
    found = re.fullmatch(prefix + r"(\d+)", name)
    if not found:
        return None
    if int(found[1]) > last:
        raise AsmError("out-of-range", name)
    return int(found[1])


def register(name):
    """Returns (kind, number) of any register name."""
    for kind, prefix, last, special in (
        ("Reg", "R", 254, ("RZ", 255)), ("UReg", "UR", 62, ("URZ", 63)),
        ("Pred", "P", 6, ("PT", 7)), ("VReg", "r", 254, ("rz", 255)),
        ("VPred", "p", 6, ("pt", 7)),
    ):
        number = numbered(name, prefix, last, special)
        if number is not None:
            return kind, number
    raise AsmError("wrong-operand", name)


def number(cursor, limit, what):
    found = cursor.match(NUMBER)
    if not found:
        raise AsmError("syntax", f"{what} is not a number")
    value = int(found[0], 0)
    if value >= limit:
        raise AsmError("out-of-range", found[0])
    return value


def parse_cmem(cursor):
    cursor.need("[")
    bank = number(cursor, 32, "bank")
    cursor.need("]")
    cursor.need("[")
    offset = number(cursor, 1 << 17, "offset")
    cursor.need("]")
    if offset % 4:
        raise AsmError("misaligned", hex(offset))
    return bank << 17 | offset


def lane_bits(text, fmt):
    """Returns the bits of one immediate lane, rounded once from the decimal text."""
    if text.startswith("0x"):
        if len(text) != 6:
            raise AsmError("bad-immediate", text)
        return int(text, 16)
    if text in SPECIAL_BITS:
        return SPECIAL_BITS[text]
    sign = 0x8000 if text[0] == "-" else 0
    if text.endswith("INF"):
        return sign | fmt.inf
    bits = half.round_magnitude(0, abs(Fraction(text)), fmt, half.RN)
    if bits == fmt.inf:
        raise AsmError("bad-immediate", text)
    return sign | bits


class Operand:
    """The text of one operand in its parts, before it is matched with an opcode."""

    def __init__(self, kind, value):
        self.kind = kind
        self.value = value
        self.neg = self.abs = self.invert = 0
        self.suffixes = []


def parse_suffixes(cursor, operand):
    while cursor.take("."):
        found = cursor.match(re.compile(r"[A-Za-z0-9_]+"))
        if not found:
            raise AsmError("syntax", "empty suffix")
        operand.suffixes.append(found[0])


def parse_operand(cursor):
    invert = cursor.take("!")
    for pattern in (SPECIAL, HEX_LANE, DECIMAL):
        found = cursor.match(pattern)
        if found:
            operand = Operand("lane", found[0])
            parse_suffixes(cursor, operand)
            return operand
    neg, bars = cursor.take("-"), cursor.take("|")
    found = cursor.match(NAME)
    if not found:
        raise AsmError("syntax", f"operand at {cursor.text[cursor.at:cursor.at + 12]!r}")
    if found[0] == "c":
        operand = Operand("CMem", parse_cmem(cursor))
    else:
        operand = Operand(*register(found[0]))
    operand.invert, operand.neg, operand.abs = int(invert), int(neg), int(bars)
    parse_suffixes(cursor, operand)
    if bars:
        cursor.need("|")
        parse_suffixes(cursor, operand)
    return operand


def parse_guard(cursor, values):
    """Parses an optional guard. Returns whether it is in lower case, or None if it is missing."""
    if not cursor.take("@"):
        return None
    values["pg.not"] = int(cursor.take("!"))
    found = cursor.match(NAME)
    kind, values["pg"] = register(found[0]) if found else ("", 0)
    if kind not in ("Pred", "VPred"):
        raise AsmError("wrong-operand", "guard")
    return kind == "VPred"


def mod_slots(optype):
    """Returns [(field, kind, mandatory)] in syntax order, which all opcodes of an optype share."""
    op = next(op for op in OPCODES.values() if op.optype == optype)
    return [(n, op.fields[n].kind, op.fields[n].default is None) for n in op.mods]


def assign_mods(optype, names, values):
    slots = mod_slots(optype)
    for name in names:
        fitting = [
            (field, kind) for field, kind, _ in slots
            if name in SETS[kind] and not name.startswith("No")
        ]
        if not fitting:
            raise AsmError("unknown-modifier", name)
        free = [(field, kind) for field, kind in fitting if field not in values]
        if not free:
            raise AsmError("duplicate-modifier", name)
        values[free[0][0]] = SETS[free[0][1]][name]
    for field, _, mandatory in slots:
        if mandatory and field not in values:
            raise AsmError("missing-modifier", field)


def parse_tags(cursor, values):
    while True:
        if cursor.take("?WAIT"):
            if "sched" in values:
                raise AsmError("syntax", "second ?WAIT")
            values["sched"] = number(cursor, 16, "wait count")
        elif cursor.take("&req="):
            if "req" in values:
                raise AsmError("syntax", "second &req")
            values["req"] = parse_set(cursor)
        else:
            return


def parse_set(cursor):
    cursor.need("{")
    bits = 0
    while not cursor.take("}"):
        bits |= 1 << number(cursor, 6, "barrier")
        if not cursor.take(","):
            cursor.need("}")
            break
    return bits


def half_select(operand):
    if len(operand.suffixes) > 1:
        raise AsmError("duplicate-modifier", operand.suffixes[1])
    for name in operand.suffixes:
        if name not in SETS["HSel2"]:
            raise AsmError("unknown-modifier", name)
        return SETS["HSel2"][name]
    return 0


def plain(operand):
    if operand.neg or operand.abs or operand.invert or operand.suffixes:
        raise AsmError("wrong-operand", "modifier on a plain operand")


def match_form(op, operands, mods):
    """Returns field values if the operands have the kinds of this opcode, otherwise None."""
    rest = list(operands)
    values = {}
    for name in op.operands:
        field = op.fields[name]
        if not rest:
            if field.kind == "Pred" and field.default is not None:
                continue
            return None
        first = rest.pop(0)
        if field.kind == "F16ImmX2":
            if first.kind != "lane" or not rest or rest[0].kind != "lane":
                return None
            values[name] = (first, rest.pop(0))
        elif first.kind == field.kind:
            values[name] = first
        else:
            return None
    return None if rest else values


def bind(op, matched, mods):
    """Returns the raw field values of matched operands."""
    values = dict(mods)
    fmt = half.FORMATS[mods.get("hfmt_v2", 0)]
    for name, operand in matched.items():
        if isinstance(operand, tuple):
            for lane in operand:
                plain(lane)
            high, low = (lane_bits(lane.value, fmt) for lane in operand)
            values[name] = high << 16 | low
            continue
        values[name] = operand.value
        if name + ".not" in op.fields and not operand.neg and not operand.abs:
            values[name + ".not"] = operand.invert
        elif name + ".neg" in op.fields and not operand.invert:
            values[name + ".neg"], values[name + ".abs"] = operand.neg, operand.abs
            values[name + ".hsel2"] = half_select(operand)
        elif op.video:
            bind_video(op, name, operand, values)
        else:
            plain(operand)
    return values


def bind_video(op, name, operand, values):
    if operand.neg or operand.abs or operand.invert or name == "c" and operand.suffixes:
        raise AsmError("wrong-operand", name)
    if len(operand.suffixes) > 1:
        raise AsmError("duplicate-modifier", operand.suffixes[1])
    for suffix in operand.suffixes:
        letter, digits = suffix[0], suffix[1:]
        top = op.lanes - 1 if name == "d" else 2 * op.lanes - 1
        if letter != "hb"[op.lanes == 4] or not re.fullmatch(f"[0-{top}]+", digits):
            raise AsmError("unknown-modifier", suffix)
        order = [int(digit) for digit in digits]
        if name == "d":
            if sorted(set(order), reverse=True) != order:
                raise AsmError("unknown-modifier", suffix)
            values["mask"] = sum(1 << i for i in order)
            continue
        if len(order) != op.lanes:
            raise AsmError("unknown-modifier", suffix)
        width = 2 if op.lanes == 2 else 3
        values[name + "sel"] = sum(n << width * i for i, n in enumerate(reversed(order)))


def parse_body(cursor, optype, values):
    operands = [parse_operand(cursor)]
    while cursor.take(","):
        operands.append(parse_operand(cursor))
    tags = {}
    parse_tags(cursor, tags)
    cursor.need(";")
    values.update(tags)
    for op in (op for op in OPCODES.values() if op.optype == optype):
        matched = match_form(op, operands, values)
        if matched is not None:
            inst = make(op.name, **bind(op, matched, values))
            faults = combination_faults(op, inst.values)
            if faults:
                raise AsmError("illegal-combination", faults[0])
            return inst
    raise AsmError("wrong-operand", "no opcode of " + optype + " accepts these operands")


def parse_inst(cursor):
    values = {}
    lower = parse_guard(cursor, values)
    found = cursor.match(NAME)
    if not found or found[0] not in OPTYPES:
        raise AsmError("unknown-mnemonic", found[0] if found else "nothing")
    optype = found[0]
    if lower is not None and lower != (optype in {op.optype for op in VIDEO}):
        raise AsmError("wrong-operand", "guard in the other case")
    names = []
    while cursor.take("."):
        part = cursor.match(NAME)
        if not part:
            raise AsmError("unknown-modifier", "nothing")
        names.append(part[0])
    assign_mods(optype, names, values)
    return parse_body(cursor, optype, values)


def parse_program(text):
    cursor = Cursor(text)
    program = []
    while not cursor.done():
        program.append(parse_inst(cursor))
    return program


def parse_one(text):
    program = parse_program(text)
    if len(program) != 1:
        raise AsmError("syntax", f"{len(program)} instructions")
    return program[0]
