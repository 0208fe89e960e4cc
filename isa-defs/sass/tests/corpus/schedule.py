#!/usr/bin/env python3
"""A model of schedules that shares no code with `isa_sass::schedule`, and the mutants that test the checker.

    python3 schedule.py FOLDER [PREFIX...]

The script reads the results of `corpus.py`, `FOLDER/sm_90.txt` and so on (or `FOLDER/PREFIX90.txt` for each prefix). The
variable `SASS_CHIPS` can restrict the chips. It learns from them, for each chip, the smallest number of cycles between two dependent instructions, by the mnemonics
of both. The registers come from the text of `nvdisasm`. The model covers only dependencies inside a basic block.

It writes `FOLDER/mutants_90.txt` and so on. Each line is a changed word that violates a dependency: the number of the
section, the index of the instruction, the indexes of the two instructions that depend on each other, the word, and
the kind of the change:

- `stall`: the stall is one cycle shorter, and a distance is then shorter than any distance in valid code.
- `wait`: the instruction does not wait for a barrier, and another instruction then uses a register too early.
- `barrier`: the instruction does not set a barrier, and another instruction then uses a register too early.

With `--sample`, it also writes a few sections with their mutants to `tests/vectors/sass/schedule.txt`. Each line is a
word, followed by changed words, each with its kind.
"""

import collections
import os
import re
import sys

CHIPS = [int(chip) for chip in os.environ.get("SASS_CHIPS", "75 80 86 89 90 100 120").split()]
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "..", "tests", "vectors", "sass", "schedule.txt")

# ---- the text of nvdisasm -----------------------------------------------------------------------------------------

FUNCTION = "MUFU F2F F2I I2F FRND POPC FLO BREV FCHK"
DOUBLE = "DADD DMUL DFMA DSETP"
SHARED = "LDS LDSM SHFL ATOMS"
MEMORY = SHARED + " LDG STG LDL STL LD ST ATOM ATOMG RED REDG STS LDGSTS QSPC"
OTHER = "S2R S2UR R2UR REDUX MATCH LDC LDCU B2R HMMA IMMA DMMA"
FUNCTION, DOUBLE, SHARED, MEMORY, OTHER = (set(names.split()) for names in (FUNCTION, DOUBLE, SHARED, MEMORY, OTHER))

# Instructions without a result in a register.
NO_RESULT = set(
    "ST STG STS STL RED REDG BRA EXIT RET CALL BSSY BSYNC BREAK BAR NOP MEMBAR ERRBAR CGAERRBAR CCTL DEPBAR LDGDEPBAR "
    "LDGSTS WARPSYNC YIELD BRX JMP NANOSLEEP KILL BPT STSM BRXU JMX ACQBULK".split()
)
# The number of predicates that are results.
PREDICATES = {"ISETP": 2, "FSETP": 2, "DSETP": 2, "HSETP2": 2, "PLOP3": 2, "UISETP": 2, "UPLOP3": 2, "UFSETP": 2, "FCHK": 1}
BRANCHES = {"BRA", "EXIT", "RET", "CALL", "BRX", "JMP", "BSYNC", "BREAK", "WARPSYNC"}
REGISTER = re.compile(r"\b(UR|UP|R|P)(\d+)\b(\.U32|\.64)?")
OPERANDS = re.compile(r",\s*(?![^\[{]*[\]}])")


def fixed_latency(chip):
    """Returns the mnemonics of instructions that have a fixed latency only on some chips."""
    found = {"HMMA"} if chip >= 80 else set()
    found |= {"IMMA"} if chip >= 80 and chip != 100 else set()
    found |= {"R2UR"} if chip >= 90 else set()
    return found | (DOUBLE if chip == 90 else set())


class Inst:
    """An instruction: its control word, and the registers that it reads and writes."""

    def __init__(self, at, word, text):
        self.at, self.word, self.text = at, word, text
        control = word >> 105
        self.stall, self.wr, self.rd, self.req = control & 15, control >> 5 & 7, control >> 8 & 7, control >> 11 & 63
        self.reads, self.writes, self.guard = {}, {}, None
        guard = re.match(r"@(!?)(U?P[T\d]) ", text)
        if guard:
            text = text[guard.end() :]
            self.guard = guard[2], guard[1] == "!"
            if guard[2] not in ("PT", "UPT"):
                self.reads[guard[2]] = "guard"
        mnemonic, _, rest = text.partition(" ")
        self.op, *self.modifiers = mnemonic.split(".")
        operands = OPERANDS.split(rest) if rest else []
        target = re.search(r"0x([0-9a-f]+)$", text)
        self.target = int(target[1], 16) if target and self.op in ("BRA", "CALL", "BSSY") else None
        results = self.results(operands)
        for place, operand in enumerate(operands):
            for kind, number, suffix in REGISTER.findall(operand):
                is_result = place < results
                count = self.count(place - results, operand, kind, number, suffix, is_result) if "P" not in kind else 1
                names = [f"{kind}{int(number) + i}" for i in range(count)]
                for name in names:
                    if is_result:
                        self.writes[name] = place
                    else:
                        self.reads.setdefault(name, place)
        wide = [name for name in ("WIDE", "HI", "MMA", "64", "F64") if name in self.modifiers]
        self.kind = ".".join([self.op] + wide) if self.op not in MEMORY | {"LDC", "LDCU", "ULDC"} else self.op

    def results(self, operands):
        """Returns the number of operands that are results."""
        if self.op in NO_RESULT:
            return 0
        if self.op in PREDICATES:
            return PREDICATES[self.op]
        is_predicate = [re.fullmatch(r"U?P[T\d]", operand) is not None for operand in operands] + [False, False]
        if self.op in ("VOTE", "VOTEU"):
            return 1 if is_predicate[0] else 2
        first = is_predicate.index(False) + 1
        if self.op not in ("SEL", "P2R"):
            while is_predicate[first]:
                first += 1
        return first

    def count(self, source, operand, kind, number, suffix, is_result):
        """Returns the number of registers of an operand. `source` is its index among the sources."""
        modifiers = self.modifiers
        size = 4 if "128" in modifiers else 2 if "64" in modifiers else 1
        formats = [name for name in modifiers if re.fullmatch(r"F16|F32|F64|BF16|[US](8|16|32|64)", name)]
        if self.op in ("HMMA", "IMMA", "DMMA"):
            return self.matrix(source if not is_result else 3)
        if "[" in operand and not is_result:
            if kind == "UR":
                first = re.match(r"(desc|cx|c)?\[UR" + number + r"\]", operand) is not None
                return 2 if first or ".64" in operand or self.op in ("LDG", "STG", "ATOMG", "RED") and "desc" not in operand else 1
            implied = "E" in modifiers and ".64" not in operand and suffix != ".U32"
            return 2 if suffix == ".64" or implied else 1
        if self.op in DOUBLE or self.op in ("FADD2", "FMUL2", "FFMA2"):
            return 2
        if "WIDE" in modifiers:
            return 2 if is_result or source == 2 else 1
        if self.op == "CS2R":
            return 1 if "32" in modifiers else 2
        if self.op in ("I2F", "F2F", "FRND", "F2I"):
            floats = [name for name in formats if name[0] in "FB"]
            integers = [name for name in formats if name[0] in "US"]
            result = {"I2F": floats, "F2I": integers}.get(self.op, formats)[:1]
            source = {"I2F": integers, "F2I": floats}.get(self.op, formats)[-1:]
            named = "".join(result if is_result else source)
            return 2 if named.endswith("64") else 1
        if self.op == "LDSM":
            return next((int(name) for name in reversed(modifiers) if name in ("2", "4")), 1)
        if self.op in ("RET", "BRX", "CALL"):
            return 2
        if self.op in ("SHF", "LEA", "USHF", "ULEA", "POPC", "FLO", "VOTE", "SEL"):
            return 1
        return size

    def matrix(self, source):
        """Returns the number of registers of an operand of a matrix unit: A, B, C or the result."""
        shape = next((name for name in self.modifiers if name.isdigit()), "")
        accumulator = 4 if "F32" in self.modifiers or self.op != "HMMA" else 2
        factors = {"16816": (4, 2), "1688": (4, 2) if "TF32" in self.modifiers else (2, 1), "1684": (2, 1), "16832": (4, 2)}
        a, b = (2, 2) if self.op == "DMMA" else factors.get(shape, (4, 2))
        if self.op == "IMMA":
            a, b = {"16816": (2, 1), "16832": (4, 2)}.get(shape, (4, 2))
        return (a, b, accumulator, accumulator)[source] if source < 4 else 1

    def read_queue(self):
        """Returns the unit that reads its sources in order, or None."""
        return "memory" if self.op in MEMORY else self.write_queue()

    def write_queue(self):
        """Returns the unit that writes its results in order, or None."""
        for name, ops in (("function", FUNCTION), ("double", DOUBLE), ("shared", SHARED), ("special", {"S2R", "S2UR"})):
            if self.op in ops:
                return name
        return self.op if self.op in ("REDUX", "HMMA", "IMMA", "DMMA") else None


def sections(path):
    """Returns the instructions of each section."""
    found = []
    for line in open(path):
        at, word, text = line.rstrip("\n").split(" ", 2)
        if int(at, 16) == 0:
            found.append([])
        found[-1].append(Inst(int(at, 16), int(word, 16), text))
    return found


def blocks(section):
    """Returns the start and the end of each basic block."""
    starts = {0, len(section)} | {inst.target // 16 for inst in section if inst.target is not None}
    starts |= {index + 1 for index, inst in enumerate(section) if inst.op in BRANCHES}
    starts = sorted(start for start in starts if 0 <= start <= len(section))
    return list(zip(starts, starts[1:]))


# ---- the model ----------------------------------------------------------------------------------------------------


class Access:
    """An access to a register in progress."""

    def __init__(self, inst, index, time, is_write, is_variable):
        self.inst, self.index, self.time, self.is_write, self.is_variable = inst, index, time, is_write, is_variable
        self.guard, self.done, self.seen = inst.guard, False, False
        self.barriers = {inst.wr} if is_write else {inst.wr, inst.rd}
        self.barriers -= {7}


def simulate(chip, block, first, conflict=None, distance=None):
    """Issues the instructions of a block in order.

    Calls `conflict(producer, consumer)` if a wait is missing, and `distance(key, cycles, producer, consumer)` for each
    dependency of an instruction with a fixed latency.
    """
    variable = (FUNCTION | DOUBLE | MEMORY | OTHER) - fixed_latency(chip)
    time, accesses, pending = 0, {}, []
    for index, inst in enumerate(block, first):
        waited = {barrier for barrier in range(6) if inst.req >> barrier & 1}
        if inst.op == "DEPBAR":
            waited |= {int(number) for number in re.findall(r"SB(\d), 0x0", inst.text)}
        for access in pending:
            access.done |= bool(access.barriers & waited)
            access.done |= inst.op in ("BAR", "B2R") and not access.is_write and access.inst.op in MEMORY
        pending = [access for access in pending if not access.done]
        uses = [(name, False) for name in inst.reads] + [(name, True) for name in inst.writes]
        for name, is_write in uses:
            role = "write" if is_write else "guard" if inst.reads[name] == "guard" else "read"
            for access in accesses.get(name, []):
                if access.done or not is_write and not access.is_write:
                    continue
                if role != "guard" and access.guard and inst.guard and access.guard == (inst.guard[0], not inst.guard[1]):
                    continue
                queue = Inst.write_queue if access.is_write else Inst.read_queue
                is_ordered = queue(access.inst) is not None and queue(access.inst) == queue(inst)
                if access.is_variable:
                    if conflict and not (is_write and is_ordered):
                        conflict(access.index, index)
                elif access.is_write and distance and not (is_write and (name in inst.reads or access.seen)):
                    key = access.inst.kind, inst.kind, name.rstrip("0123456789"), role
                    distance(key, time - access.time, access.index, index)
                access.seen |= not is_write
        for name in inst.writes:
            if "P" in name:
                for access in pending:
                    if access.guard and access.guard[0] == name:
                        access.guard = None
        for access in pending:
            queue = Inst.write_queue if access.is_write else Inst.read_queue
            if queue(inst) is not None and queue(access.inst) == queue(inst):
                access.barriers |= {inst.wr} - {7} if access.is_write else {inst.wr, inst.rd} - {7}
        is_variable = inst.op in variable or inst.wr != 7 or inst.rd != 7
        for name in inst.writes:
            access = Access(inst, index, time, True, is_variable)
            accesses[name] = [access] + (accesses.get(name, []) if inst.guard else [])
            pending.append(access)
        if is_variable:
            for name in inst.reads:
                if re.fullmatch(r"R\d+", name):
                    access = Access(inst, index, time, False, True)
                    accesses.setdefault(name, []).append(access)
                    pending.append(access)
        time += max(inst.stall, 1)


def learn(chip, code):
    """Returns the smallest distance of each pair of instructions, if it occurs several times."""
    counts = collections.defaultdict(collections.Counter)
    for section in code:
        for start, end in blocks(section):
            simulate(chip, section[start:end], start, None, lambda key, cycles, *_: counts[key].update([cycles]))
    # The mask of P2R decides which predicates it reads, so its distances are not those of one predicate.
    smallest = {key: min(found) for key, found in counts.items() if key[1] != "P2R"}
    return {key: least for key, least in smallest.items() if counts[key][least] >= 3}


def changed(inst, **fields):
    """Returns a copy of an instruction with other fields of the control word."""
    word = inst.word
    for name, value in fields.items():
        at, width = {"stall": (105, 4), "wr": (110, 3), "rd": (113, 3), "req": (116, 6)}[name]
        word = word & ~(((1 << width) - 1) << at) | value << at
    return Inst(inst.at, word, inst.text)


class Conflict(Exception):
    """Ends a simulation."""


def first_conflict(chip, block, start):
    """Returns the first two instructions between which a wait is missing, or None."""

    def conflict(*pair):
        raise Conflict(pair)

    try:
        simulate(chip, block, start, conflict)
    except Conflict as found:
        return found.args[0]
    return None


def mutants(chip, code, smallest):
    """Yields the section, the index, the changed word and the kind of each mutant, with the instructions that it affects."""
    for number, section in enumerate(code):
        for start, end in blocks(section):
            block = section[start:end]
            critical = {}

            def note(key, cycles, producer, consumer):
                if cycles == smallest.get(key, 0):
                    for index in range(producer, consumer):
                        critical.setdefault(index, (producer, consumer))

            simulate(chip, block, start, None, note)
            for index, (producer, consumer) in sorted(critical.items()):
                inst = section[index]
                if inst.stall > 1:
                    yield number, index, changed(inst, stall=inst.stall - 1), "stall", producer, consumer
            for index, inst in enumerate(block, start):
                options = [("wait", {"req": inst.req & ~(1 << barrier)}) for barrier in range(6) if inst.req >> barrier & 1]
                options += [("barrier", {name: 7}) for name in ("wr", "rd") if getattr(inst, name) != 7]
                for kind, fields in options:
                    mutant = changed(inst, **fields)
                    other = block[: index - start] + [mutant] + block[index - start + 1 :]
                    if found := first_conflict(chip, other, start):
                        yield number, index, mutant, kind, *found


def sample(chip, code, changes):
    """Yields the lines of a few short sections: those with the most different instructions, and with a loop."""
    excluded = {"RED", "REDG", "ATOM", "ATOMG", "ATOMS", "HMMA", "IMMA", "F2F", "CALL", "DSETP", "IMNMX", "REDUX", "R2UR", "IDP"}
    candidates = []
    for number, section in enumerate(code):
        length = max(index for index, inst in enumerate(section) if inst.op != "NOP") + 1
        has_loop = any(inst.op == "BRA" and inst.target < inst.at for inst in section[: length - 1])
        if 20 <= length <= 64 and has_loop and not excluded & {inst.op for inst in section}:
            candidates.append((len({inst.op for inst in section}), number, length))
    for _, number, length in sorted(candidates)[-3:]:
        yield f"sm_{chip}"
        for index, inst in enumerate(code[number][:length]):
            own = [f"{kind}={mutant.word:032x}" for place, at, mutant, kind, *_ in changes if (place, at) == (number, index)]
            yield " ".join([f"{inst.word:032x}"] + own)


def main():
    folder, prefixes = sys.argv[1], [name for name in sys.argv[2:] if name != "--sample"] or ["sm_"]
    lines = []
    for chip in CHIPS:
        paths = [os.path.join(folder, f"{prefix}{chip}.txt") for prefix in prefixes]
        found = [sections(path) for path in paths]
        smallest = learn(chip, [section for code in found for section in code])
        count = collections.Counter()
        for prefix, code in zip(prefixes, found):
            changes = list(mutants(chip, code, smallest))
            count.update(kind for _, _, _, kind, *_ in changes)
            with open(os.path.join(folder, f"mutants_{prefix}{chip}.txt"), "w") as file:
                for number, index, inst, kind, producer, consumer in changes:
                    texts = f"{code[number][producer].text} -> {code[number][consumer].text}"
                    file.write(f"{number} {index} {producer} {consumer} {inst.word:032x} {kind} {texts}\n")
            lines += sample(chip, code, changes)
        print(f"sm_{chip}: {len(smallest)} distances, mutants: {dict(count)}")
    if "--sample" in sys.argv:
        with open(SAMPLE, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
