"""Executes functions of a WebAssembly module on numbers and on terms of z3.

A value is a Python number, or a bit vector if it depends on inputs. If a jump or an address depends on inputs,
execution splits into one path for each possible value. `paths` yields each path with its result. The conditions
of the paths together cover all inputs.
"""

import z3
from module import BLOCKS


def term(value, bits):
    """Returns a value as a bit vector of this size; upper bits of the value are dropped."""
    if isinstance(value, int):
        return z3.BitVecVal(value, bits)
    return z3.Extract(bits - 1, 0, value) if value.size() > bits else value


def plain(value):
    """Returns a number if the value is constant, otherwise the simplified term."""
    if isinstance(value, int):
        return value
    value = z3.simplify(value)
    return value.as_long() if z3.is_bv_value(value) else value


def as_signed(value, bits):
    return value - (value >> (bits - 1) << bits)


# The key is the distance of an opcode from the first opcode of its operand size.
COMPARE = {
    0: (lambda a, b: a == b, lambda a, b: a == b),
    1: (lambda a, b: a != b, lambda a, b: a != b),
    2: (None, lambda a, b: a < b),
    3: (lambda a, b: a < b, z3.ULT),
    4: (None, lambda a, b: a > b),
    5: (lambda a, b: a > b, z3.UGT),
    6: (None, lambda a, b: a <= b),
    7: (lambda a, b: a <= b, z3.ULE),
    8: (None, lambda a, b: a >= b),
    9: (lambda a, b: a >= b, z3.UGE),
}
COMPUTE = {
    0: (lambda a, b, n: a + b, lambda a, b: a + b),
    1: (lambda a, b, n: a - b, lambda a, b: a - b),
    2: (lambda a, b, n: a * b, lambda a, b: a * b),
    7: (lambda a, b, n: a & b, lambda a, b: a & b),
    8: (lambda a, b, n: a | b, lambda a, b: a | b),
    9: (lambda a, b, n: a ^ b, lambda a, b: a ^ b),
    10: (lambda a, b, n: a << b % n, lambda a, b: a << b),
    11: (lambda a, b, n: as_signed(a, n) >> b % n, lambda a, b: a >> b),
    12: (lambda a, b, n: a >> b % n, z3.LShR),
    13: (lambda a, b, n: a << b % n | a >> -b % n, z3.RotateLeft),
    14: (lambda a, b, n: a >> b % n | a << -b % n, z3.RotateRight),
}
SHIFTS = (10, 11, 12, 13, 14)
# Operations whose results may have names: add, subtract, and, or, and shifts to the right.
NAMED = (0, 1, 7, 8, 11, 12)


class Undecided(Exception):
    """Reports the possible values of a term for which the path has not chosen a value."""


class Run:
    """One path through a function. A result that equals one of the known terms is replaced by its name."""

    def __init__(self, module, choices, known):
        self.module, self.choices, self.chosen, self.known = module, choices, 0, known
        self.memory, self.globals = dict(module.memory), list(module.globals)
        self.conditions, self.solver, self.values = [], z3.Solver(), None

    def number(self, value, bits):
        """Returns a number for the value: the next one in the list of choices."""
        value = plain(value)
        if isinstance(value, int):
            return value
        if self.chosen == len(self.choices):
            found = []
            self.solver.push()
            while self.solver.check() == z3.sat:
                found.append(self.solver.model().eval(value, model_completion=True).as_long())
                assert len(found) <= 256, "a jump or an address of too many values"
                self.solver.add(value != found[-1])
            self.solver.pop()
            raise Undecided(found)
        choice = self.choices[self.chosen]
        self.chosen += 1
        self.conditions.append(value == choice)
        self.solver.add(value == choice)
        self.values = None
        return choice

    def sample(self, value):
        """Returns the value of a term for one assignment of inputs that follows this path."""
        if self.values is None:
            self.solver.push()
            self.values = []
            for place, one in enumerate(self.known.inputs):
                number = z3.BitVecVal(0x9E3779B9 * (place + 3) >> 3, one.size())
                if self.solver.check(one == number) != z3.sat:
                    self.solver.check()
                    number = self.solver.model().eval(one, model_completion=True)
                self.solver.add(one == number)
                self.values.append((one, number))
            self.solver.pop()
            for own, name in self.known.terms:
                self.values.append((name, self.sample(own)))
        return z3.simplify(z3.substitute(value, *self.values))

    def named(self, value):
        """Replaces the value, or its low half, by the name of a term that is equal on this path."""
        if isinstance(value, int) or value.size() != 32:
            return value
        sample = self.sample(value).as_long()
        for own, name in reversed(self.known.terms):
            differ = sample ^ self.sample(name).as_long()
            if differ == 0 and self.is_proved(own == value):
                return name
            if differ % (1 << 16) == 0 and self.is_proved(half(own) == half(value)):
                return z3.Concat(z3.Extract(31, 16, value), half(name))
        return value

    def is_proved(self, claim):
        """Returns whether a claim holds on this path, for any values of the names or for their definitions."""
        return self.never(z3.Not(claim)) or self.never(z3.Not(claim), *self.known.definitions)

    def never(self, *claims):
        solver = z3.SolverFor("QF_BV")
        solver.add(*self.conditions, *self.known.facts, *claims)
        return solver.check() == z3.unsat

    def load(self, address, size):
        bytes_ = [self.memory.get(address + place, 0) for place in range(size)]
        if all(isinstance(byte, int) for byte in bytes_):
            return int.from_bytes(bytes(bytes_), "little")
        if size == 1:
            return bytes_[0]
        return plain(z3.Concat(*[term(byte, 8) for byte in reversed(bytes_)]))

    def store(self, address, value, size):
        for place in range(size):
            if isinstance(value, int):
                self.memory[address + place] = value >> 8 * place & 255
            else:
                low = 8 * place
                self.memory[address + place] = plain(z3.Extract(low + 7, low, value))

    def call(self, number, arguments):
        """Executes a function and returns its result, or `None` if it has none."""
        assert number >= self.module.imported, "a call out of the module"
        sizes, code = self.module.code(number)
        results = self.module.types[self.module.functions[number]][1]
        local, stack, blocks, at = arguments + [0] * len(sizes), [], [], 0

        def leave(depth):
            """Jumps to the end of a block or to the start of a loop, and returns the next position."""
            if depth == len(blocks):
                return len(code)
            del blocks[len(blocks) - depth :]
            start, is_loop, height, (count, end, _) = blocks[-1]
            kept = stack[len(stack) - count :] if count and not is_loop else []
            del stack[height:]
            stack.extend(kept)
            if is_loop:
                return start + 1
            blocks.pop()
            return end + 1

        while at < len(code):
            opcode, argument = code[at]
            if opcode in BLOCKS:
                go = self.number(stack.pop(), 32) if opcode == 0x04 else 1
                blocks.append((at, opcode == 0x03, len(stack), argument))
                if not go:
                    if argument[2] is None:
                        blocks.pop()
                        at = argument[1]
                    else:
                        at = argument[2]
            elif opcode == 0x05:
                blocks.pop()
                at = argument[1]
            elif opcode == 0x0B:
                if blocks:
                    blocks.pop()
            elif opcode == 0x0C:
                at = leave(argument)
                continue
            elif opcode == 0x0D:
                if self.number(stack.pop(), 32):
                    at = leave(argument)
                    continue
            elif opcode == 0x0E:
                at = leave(self.number(target(plain(stack.pop()), argument), 32))
                continue
            elif opcode == 0x0F:
                break
            elif opcode == 0x10:
                self.enter(argument, stack)
            elif opcode == 0x11:
                function = self.module.table[self.number(stack.pop(), 32)]
                assert self.module.types[self.module.functions[function]] == self.module.types[argument]
                self.enter(function, stack)
            elif opcode == 0x1A:
                stack.pop()
            elif opcode == 0x1B:
                condition, other, value = plain(stack.pop()), stack.pop(), stack.pop()
                stack.append(chosen(condition, value, other))
            elif opcode == 0x20:
                stack.append(local[argument])
            elif opcode == 0x21:
                local[argument] = stack.pop()
            elif opcode == 0x22:
                local[argument] = stack[-1]
            elif opcode == 0x23:
                stack.append(self.globals[argument])
            elif opcode == 0x24:
                self.globals[argument] = stack.pop()
            elif opcode in (0x41, 0x42):
                stack.append(argument)
            else:
                self.compute(opcode, argument, stack)
            at += 1
        return stack[-1] if results else None

    def enter(self, number, stack):
        count = len(self.module.types[self.module.functions[number]][0])
        arguments = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        result = self.call(number, arguments)
        if result is not None:
            stack.append(result)

    def compute(self, opcode, argument, stack):
        """Executes an instruction on numbers or memory."""
        if isinstance(opcode, tuple):
            count, source, to = (self.number(stack.pop(), 32) for _ in range(3))
            if opcode[1] == 11:
                self.memory.update((to + place, source & 255) for place in range(count))
            else:
                moved = [self.memory.get(source + place, 0) for place in range(count)]
                self.memory.update((to + place, byte) for place, byte in enumerate(moved))
        elif opcode in LOADS:
            size, bits, signed = LOADS[opcode]
            value = self.load(self.number(stack.pop(), 32) + argument, size)
            stack.append(extended(value, 8 * size, bits, signed))
        elif opcode in STORES:
            value = stack.pop()
            self.store(self.number(stack.pop(), 32) + argument, value, STORES[opcode])
        elif opcode in (0x45, 0x50):
            value = plain(stack.pop())
            bits = 32 if opcode == 0x45 else 64
            stack.append(truth(value == 0) if not isinstance(value, int) else int(value == 0))
        elif 0x46 <= opcode <= 0x5A:
            bits, base = (32, 0x46) if opcode < 0x50 else (64, 0x51)
            other, value = plain(stack.pop()), plain(stack.pop())
            stack.append(compared(opcode - base, value, other, bits))
        elif 0x6A <= opcode <= 0x8A and (opcode - 0x6A) % 18 in COMPUTE:
            bits, place = (32, opcode - 0x6A) if opcode < 0x7C else (64, opcode - 0x7C)
            other, value = plain(stack.pop()), plain(stack.pop())
            result = computed(place, value, other, bits)
            stack.append(self.named(result) if place in NAMED else result)
        elif opcode in EXTENDS:
            own, bits, signed = EXTENDS[opcode]
            value = plain(stack.pop())
            if isinstance(value, int):
                value %= 1 << own
            elif value.size() > own:
                value = plain(z3.Extract(own - 1, 0, value))
            stack.append(extended(value, own, bits, signed))
        else:
            raise NotImplementedError(f"instruction {opcode:#x}")


# The number of bytes, the bits of the result, and whether the value is sign-extended.
LOADS = {
    0x28: (4, 32, False), 0x29: (8, 64, False), 0x2C: (1, 32, True), 0x2D: (1, 32, False),
    0x2E: (2, 32, True), 0x2F: (2, 32, False), 0x30: (1, 64, True), 0x31: (1, 64, False),
    0x32: (2, 64, True), 0x33: (2, 64, False), 0x34: (4, 64, True), 0x35: (4, 64, False),
}
STORES = {0x36: 4, 0x37: 8, 0x3A: 1, 0x3B: 2, 0x3C: 1, 0x3D: 2, 0x3E: 4}
# The number of bits used, the bits of the result, and whether the value is sign-extended.
EXTENDS = {
    0xA7: (32, 32, False), 0xAC: (32, 64, True), 0xAD: (32, 64, False), 0xC0: (8, 32, True),
    0xC1: (16, 32, True), 0xC2: (8, 64, True), 0xC3: (16, 64, True), 0xC4: (32, 64, True),
}


def target(place, depths):
    """Returns the depth of a jump by a table. Table entries with the same depth share a path."""
    if isinstance(place, int):
        return depths[min(place, len(depths) - 1)]
    depth = z3.BitVecVal(depths[-1], 32)
    for number, other in enumerate(depths[:-1]):
        depth = z3.If(term(place, 32) == number, z3.BitVecVal(other, 32), depth)
    return depth


def extended(value, own, bits, signed):
    if isinstance(value, int):
        return (as_signed(value, own) if signed else value) % (1 << bits)
    if value.size() > bits:
        return plain(z3.Extract(bits - 1, 0, value))
    more = bits - value.size()
    return plain(z3.SignExt(more, value) if signed else z3.ZeroExt(more, value))


def truth(condition):
    return plain(z3.If(condition, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)))


def chosen(condition, value, other):
    if isinstance(condition, int):
        return value if condition else other
    # Two numbers do not show their size, so use the larger size, which can represent both.
    sizes = [one.size() for one in (value, other) if not isinstance(one, int)]
    bits = min(sizes, default=64)
    return plain(z3.If(condition != 0, term(value, bits), term(other, bits)))


def compared(place, value, other, bits):
    own, of_terms = COMPARE[place]
    if isinstance(value, int) and isinstance(other, int):
        if own is None:
            return int(of_terms(as_signed(value, bits), as_signed(other, bits)))
        return int(own(value, other))
    return truth(of_terms(term(value, bits), term(other, bits)))


def computed(place, value, other, bits):
    own, of_terms = COMPUTE[place]
    if isinstance(value, int) and isinstance(other, int):
        return own(value, other, bits) % (1 << bits)
    if place in (7, 8) and isinstance(value, int) | isinstance(other, int):
        mask, value = (value, other) if isinstance(value, int) else (other, value)
        return masked(term(value, bits), mask, place == 7)
    if place in SHIFTS:
        other = other % bits if isinstance(other, int) else other & (bits - 1)
    return plain(of_terms(term(value, bits), term(other, bits)))


def masked(value, mask, is_and):
    """Returns `value & mask` if `is_and`, otherwise `value | mask`, composed of ranges of equal mask bits."""
    parts, at = [], 0
    while at < value.size():
        bit, end = mask >> at & 1, at + 1
        while end < value.size() and mask >> end & 1 == bit:
            end += 1
        own = z3.Extract(end - 1, at, value)
        same = z3.BitVecVal(0 if is_and else -1, end - at)
        parts.append(own if bit == is_and else same)
        at = end
    return plain(parts[0] if len(parts) == 1 else z3.Concat(*reversed(parts)))


def half(value):
    return z3.Extract(15, 0, value)


class Known:
    """Terms with names. Each term consists of inputs and of earlier names.

    A value that is proved equal to a term is replaced by its name, which keeps the terms of later proofs small.
    A proof is only attempted if the value and the term are equal for a sample of the inputs.
    """

    def __init__(self, inputs, terms, facts):
        self.inputs, self.terms = inputs, terms
        self.definitions = [name == own for own, name in terms]
        # Facts about the names that follow from earlier facts and the definitions after the first two.
        self.facts = []
        for fact in facts:
            if self.is_true(fact, *self.facts, *self.definitions[2:]):
                self.facts.append(fact)

    @staticmethod
    def is_true(fact, *known):
        solver = z3.SolverFor("QF_BV")
        solver.add(*known, z3.Not(fact))
        return solver.check() == z3.unsat


def paths(module, number, arguments, known):
    """Yields each path through a function, and the result of the function on this path."""
    open_paths = [[]]
    while open_paths:
        choices = open_paths.pop()
        run = Run(module, choices, known)
        try:
            yield run, run.call(number, list(arguments))
        except Undecided as undecided:
            open_paths += [choices + [value] for value in undecided.args[0]]
